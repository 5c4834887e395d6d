"""What is odd about a study: values, annotators, items, and kinds that somebody must state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from interagree.choose import SeemingScale, remark_on_kind, used
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Value
from interagree.data.values import numbers, plain
from interagree.errors import Advice, Hint, KindError, hints_of, listing
from interagree.kinds import ListValues, in_turn
from interagree.plugins import MEASURES
from interagree.results.narrow import shortened
from interagree.spans.oddities import SpanSurvey
from interagree.tables import cell

ORDERED, INTERVAL = Hint("ordered", True), Hint("distance", "interval")  # noqa: FBT003 -- a value

FEW = 12  # annotators that get a row each
UNSURE = 10  # items below which intervals say little
NOTHING = {
    *("", "-", "--", "?", "n/a", "na", "nan", "nil", "none", "null"),
    *("unknown", "skip", "skipped", "missing", "<na>"),
}
SEPARATORS = ("|", ";", ",", "/")


class Oddity(NamedTuple):
    """One odd thing, and what to do about it."""

    what: str
    advice: str = ""
    hints: tuple[Hint, ...] = ()  # the options that the advice names

    def __str__(self) -> str:
        return f"{self.what}; {self.advice}." if self.advice else f"{self.what}."

    def sentence(self) -> Advice:
        """The finding with the options that it names."""
        return Advice(str(self), [*self.hints, *hints_of(self.what, self.advice)])


def oddities(study: Annotations) -> tuple[list[Oddity], dict[str, object]]:
    """What is odd about the annotations of one question, and the options that would help."""
    if not len(study):
        return [Oddity("there is not a single annotation", "look at the columns that were taken")], {}
    wanted: dict[str, object] = {}
    noticed = [Oddity(step.sentence) for step in study.provenance.steps if step.what == "noticed"]
    could = _could_be(study, wanted)
    values = [] if could else [*_odd_values(study, wanted)]
    return [*noticed, *could, *values, *_odd_marks(study), *_odd_annotators(study), *_odd_items(study)], wanted


def _odd_marks(study: Annotations) -> list[Oddity]:
    if study.kind != "spans":
        return []
    try:
        return [Oddity(*finding) for finding in SpanSurvey.of(study).odd()]
    except KindError as error:
        return [Oddity(str(error), "correct it or leave it out")]


def _could_be(study: Annotations, wanted: dict[str, object]) -> list[Oddity]:
    """A kind that values may be meant as and that must be stated, where nobody stated one."""
    if study.of_kind or study.stated or not study.kind.ambiguous:
        return []
    written = list(study.values)
    if study.kind in ("labels", "text"):
        written = [as_json(value) for value in written]
    if not any(written) or not all(isinstance(value, tuple) for value in written):
        return []
    if all(map(_is_object, filter(None, written))):
        return []
    lists = ListValues(written, study.value, study.item, study.kind.name)
    kind = next((kind for kind in in_turn() if kind.suspected is not None and kind.suspected(lists)), None)
    if kind is None or kind == study.kind:
        return []
    wanted["kind"] = kind.name
    compared = f"taken as {study.kind}" if study.kind.complex else "compared as wholes, the same or not"
    hint = Hint("kind", kind.name)
    return [Oddity(f"the values are {compared}, and could be {kind.suspicion}", f"if they are, pass {hint}", (hint,))]


def _is_object(value: tuple[Value, ...]) -> bool:
    names = [part[0] for part in value if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str)]
    return len(names) == len(value) and names == sorted(names)


def _odd_values(study: Annotations, wanted: dict[str, object]) -> Iterator[Oddity]:
    given = used(study)
    words = [value for value in study.values if isinstance(value, str)]
    order = study.seeming_order
    steps = order is not None and order.graded  # "none" below "mild" is a value
    absent = [] if steps else [value for value in words if value.strip().casefold() in NOTHING]
    if absent:
        times = int(sum(given[list(study.values).index(value)] for value in absent))
        hint = Hint("missing", absent[:3])
        yield Oddity(
            f"{listing(absent, most=4)} ({counted(times, 'annotation')}) is counted as a value",
            f"if it means that there is no annotation, pass {hint}",
            (hint,),
        )
    spaced = [value for value in words if value != value.strip()]
    if spaced:
        yield Oddity(f"{listing(spaced, most=3)} begins or ends with a space", "take the space away if it is not meant")
    inside = int(np.count_nonzero(given))
    if inside == 1 and study.kind.complex:
        yield Oddity("all annotations are the same", "alpha, which compares items with one another, is undefined")
        return
    if inside == 1:
        yield Oddity(
            f"all annotations are {some_of([study.values[int(given.argmax())]], 1)}",
            "no coefficient that is corrected for chance is defined; report percent agreement",
        )
        return
    unused = [study.values[k] for k in np.flatnonzero(given == 0).tolist()]
    if unused:
        yield Oddity(
            f"nobody used {some_of(unused, 5)}, declared all the same; they count in S, AC1 and Randolph's kappa"
        )
    kind = study.kind
    once = [study.values[k] for k in np.flatnonzero(given == 1).tolist()]
    if kind.complex or kind == "sets":
        return  # hardly a value occurs twice
    if kind != "numbers" and len(once) > max(20, inside / 2):
        yield Oddity(
            f"{len(once):,} of {inside:,} values were given only once, such as {some_of(once, 2)}: these are "
            "structures, texts or numbers of rows, not labels",
            "look at the column that was taken as the value, or give a distance for such values",
        )
    elif once and kind != "numbers" and len(study) > 20:
        yield Oddity(f"{counted(len(once), 'value')} given only once: {some_of(once, 5)}", "look for typing errors")
    share = float(given.max()) / len(study)
    top = study.values[int(given.argmax())]
    if share > 0.75:
        yield Oddity(
            (
                f"{some_of([top], 1)} has {share:.0%} of all annotations, so chance agrees often and alpha "
                "and kappa are low for little"
            ),
            "report AC1 and the table by value beside them",
        )
    yield from (*_spellings(words), *_scale(study, wanted), *_sets(study, wanted))


WITH_COMMA = re.compile(r"[+-]?\d+,\d+")
WHOLE = re.compile(r"[+-]?\d+")


def _decimals(words: Sequence[str]) -> list[str]:
    """Numbers with a decimal comma, where all values are such numbers or whole ones."""
    with_comma = [word for word in words if WITH_COMMA.fullmatch(word.strip())]
    rest = [word for word in words if word not in with_comma]
    return with_comma if all(WHOLE.fullmatch(word.strip()) for word in rest) else []


def _spellings(words: Sequence[str]) -> Iterator[Oddity]:
    """Numbers that are written in a way that keeps them from being taken as such."""
    if commas := _decimals(words):
        yield Oddity(
            f"{some_of(commas, 3)} {'looks' if len(commas) == 1 else 'look'} like numbers with a decimal comma, "
            "and are compared as labels",
            "write them with a point, as in " + commas[0].strip().replace(",", "."),
        )
    same: dict[float, list[str]] = {}
    for word in words:
        if re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)\s*", word):
            same.setdefault(float(word), []).append(word)
    several = [spelled for spelled in same.values() if len(spelled) > 1]
    if several:
        more = f" (and {len(several) - 1} more such)" if len(several) > 1 else ""
        yield Oddity(
            f"{listing(several[0], most=5)} are one number written in several ways{more}, and as labels they differ",
            f"write them alike, or pass {INTERVAL} if they are numbers",
            (INTERVAL,),
        )


def some_of(values: Sequence[Value], most: int, labels: Mapping[Value, str] = MappingProxyType({})) -> str:
    """A few values, none of them longer than a few words, with what they stand for."""
    short = [shortened(_spelled(value) + (f" ({labels[value]})" if value in labels else ""), 40) for value in values]
    return listing(short, most=most, quote=False)


def _spelled(value: Value) -> str:
    """One value as it is told: words in quotes, sets in braces."""
    return cell(value) if isinstance(value, frozenset | set) else repr(value)


def _scale(study: Annotations, wanted: dict[str, object]) -> Iterator[Oddity]:
    if study.stated_level is not None or (study.in_order and study.ordered):
        return
    kind = study.kind
    if kind == "numbers":
        yield Oddity(
            remark_on_kind(study).partition(";")[0], "if they are codes of labels, name the coefficients with -m"
        )
        return
    if kind != "labels" or len(study.values) < 3:
        return
    if numbers(study.values) is not None:
        near, plain = _alpha(study, "interval"), _alpha(study, "nominal")
        if near is not None and plain is not None and near > plain + 0.1:
            wanted["ordered"] = True
            yield Oddity(
                (
                    "the values are numbers, and annotators who differ mostly give neighbours (alpha "
                    f"is {near:.2f} on a scale and {plain:.2f} on labels), so they look like a scale"
                ),
                f"pass {ORDERED} if they are",
                (ORDERED,),
            )
            return
        yield Oddity(
            remark_on_kind(study).partition(";")[0],
            f"if they are a scale, pass {ORDERED} or {INTERVAL}",
            (ORDERED, INTERVAL),
        )
        return
    scale = SeemingScale.of(study)
    if scale is None:
        return
    values, ordered = scale.hints
    near, plain = _alpha(scale.study, "ordinal"), _alpha(study, "nominal")
    both = "" if near is None or plain is None else f" (alpha is {near:.2f} on a scale and {plain:.2f} on labels)"
    wanted.update(values=values.value, ordered=True)
    advice = Advice.of("pass ", scale.stated, " if they are a scale")
    yield Oddity(f"the values {scale.because}{both}", advice, (values, ordered))


def _alpha(study: Annotations, distance: str) -> float | None:
    result = MEASURES["alpha"](study, distance=distance)
    return None if result.undefined else result.value


def _sets(study: Annotations, wanted: dict[str, object]) -> Iterator[Oddity]:
    words = [value for value in study.values if isinstance(value, str)]
    if _decimals(words):
        return
    for separator in SEPARATORS:
        several = [word for word in words if separator in word]
        parts = {part.strip() for word in several for part in word.split(separator)}
        # A separator is one where the pieces also occur alone, or in many combinations.
        alone = parts & set(words)
        if several and len(parts) > 1 and len(alone) >= len(parts) / 2:
            wanted["split"] = separator
            hint = Hint("split", separator)
            yield Oddity(
                f"{counted(len(several), 'value')} such as {several[0]!r} look like several labels in one cell",
                f"pass {hint} to compare them as sets",
                (hint,),
            )
            return


def _odd_annotators(study: Annotations) -> Iterator[Oddity]:
    if study.anonymous:
        return
    people = len(study.annotators)
    if people == 1:
        yield Oddity(f"there is one annotator, {study.annotators[0]!r}", "look at the columns that were taken")
        return
    given = np.bincount(study.annotator, minlength=people)
    ends = [np.full(people, fill) for fill in (len(study.values), -1)]
    np.minimum.at(ends[0], study.annotator, study.value)
    np.maximum.at(ends[1], study.annotator, study.value)
    share = float(used(study).max()) / len(study)
    same = np.flatnonzero((ends[0] == ends[1]) & (given >= 10))
    # Giving only the common value says little where almost everybody gives it almost always.
    same = np.array([i for i in same.tolist() if share ** given[i] < 0.01], dtype=np.int64)
    if len(same):
        names = listing([study.annotators[i] for i in same[np.argsort(-given[same])].tolist()], most=5)
        yield Oddity(
            f"{counted(len(same), 'annotator')} gave one value throughout, to ten items or more: {names}",
            "look whether they read the items",
        )
    if people <= FEW and not study.kind.complex and (strangers := _strangers(study)):
        yield Oddity(
            f"no other annotator uses a value of {listing(strangers, most=5)}",
            "look whether they answered the same question",
        )
    single = int((given == 1).sum())
    if single:
        yield Oddity(f"{counted(single, 'annotator')} gave a single annotation")
    sizes = study.sizes()
    lonely = np.ones(people, dtype=bool)
    lonely[study.annotator[sizes[study.item] > 1]] = False
    lonely &= given > 0
    if lonely.any() and people > 1:
        names = listing([study.annotators[i] for i in np.flatnonzero(lonely).tolist()], most=5)
        yield Oddity(f"{counted(int(lonely.sum()), 'annotator')} shared no item with anybody: {names}")
    items = len(study.items)
    nearly_complete = len(study) > 0.5 * people * items and not study.kind.complex
    if people > items and items < 50 and nearly_complete:
        yield Oddity(
            (
                f"there are more annotators ({people}) than items ({items}), and almost everybody "
                "annotated everything: the table may lie the wrong way round"
            ),
            "if so, swap the columns of items and annotators, or transpose the table",
        )


def _strangers(study: Annotations) -> list[Annotator]:
    """Annotators of three items or more whose values nobody else gave."""
    people = range(len(study.annotators))
    values = [set(study.value[study.annotator == code].tolist()) for code in people]
    given = np.bincount(study.annotator, minlength=len(values))
    return [
        study.annotators[code]
        for code in people
        if given[code] >= 3 and len(values) > 1 and not values[code] & set().union(*values[:code], *values[code + 1 :])
    ]


def _odd_items(study: Annotations) -> Iterator[Oddity]:
    sizes = study.sizes()
    given = sizes[sizes > 0]
    single = int((given == 1).sum())
    if single == len(given):
        yield Oddity(
            "no item has two annotations, so nothing can be compared",
            "look at the columns that were taken as item and annotator",
        )
        return
    if single:
        yield Oddity(
            f"{counted(single, 'item')} with a single annotation cannot be compared and "
            f"{'is' if single == 1 else 'are'} left out of observed disagreement"
        )
    middle = float(np.median(given))
    if given.max() >= 5 * middle and given.max() > 10:
        many = int((given >= 5 * middle).sum())
        yield Oddity(
            (
                f"{counted(many, 'item')} with up to {given.max()} annotations, where the median is "
                f"{middle:g}: test questions, perhaps"
            ),
            "they count for much in alpha, which weighs items by their annotations",
        )
    both = int((given > 1).sum())
    if both < UNSURE:
        yield Oddity(f"only {counted(both, 'item')} can be compared", "intervals will be wide")


def as_json(written: Value) -> Value:
    """The list or object that a cell spells as JSON, as it is kept; None where it spells none."""
    if not isinstance(written, str) or written.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        value: Value = plain(json.loads(written))
    except ValueError:
        return None
    return value
