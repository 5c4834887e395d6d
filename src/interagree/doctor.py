"""Data looked at before they are measured: what was recognised, how it overlaps, what is odd, and what to run next."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data import Annotations, Study
from interagree.data.values import numbers, plain
from interagree.errors import ColumnNotFound, DuplicateAnnotation, InteragreeError, KindError, listing
from interagree.marking.oddities import Marked
from interagree.plugins import KINDS, MEASURES
from interagree.readers import read
from interagree.reports.choose import complete, defaults, kind_of, used
from interagree.reports.document import Document, Section
from interagree.reports.narrow import narrow, one_line, shortened
from interagree.reports.parts import plural
from interagree.tables import Table, cell

FEW = 12  # annotators that get a row each
UNSURE = 10  # items below which intervals say little
NOTHING = {
    "",
    "-",
    "--",
    "?",
    "n/a",
    "na",
    "nan",
    "nil",
    "none",
    "null",
    "unknown",
    "skip",
    "skipped",
    "missing",
    "<na>",
}
SEPARATORS = ("|", ";", ",", "/")
STATED = {  # kinds that values are of only when somebody says so
    "spans": "spans",
    "dependencies": "dependency parses",
    "clusters": "clusters (coreference)",
    "segments": "lengths of segments",
}
LISTS = ("series", "vectors", "rankings", "text")  # kinds that such values are taken as instead

# Words that people put in order, from lowest to highest.
SCALES = (
    ("very low", "low", "medium", "moderate", "high", "very high"),
    ("never", "rarely", "seldom", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very bad", "bad", "poor", "fair", "mixed", "average", "good", "very good", "excellent"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("none", "slight", "mild", "moderate", "severe", "extreme"),
    ("very negative", "negative", "neutral", "positive", "very positive"),
    ("not at all", "slightly", "somewhat", "moderately", "very", "extremely"),
    ("easy", "medium", "hard"),
    ("small", "medium", "large"),
)


class Examination(NamedTuple):
    """What there is to say of a file, what to write into a configuration, and whether it can be measured."""

    document: Document
    settings: dict[str, Any]
    comparable: bool


class Finding(NamedTuple):
    """One odd thing, and what to do about it."""

    what: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.what}; {self.advice}." if self.advice else f"{self.what}."


def examine(path: str, *, questions: Sequence[str] = (), **options: Any) -> Examination:
    """Everything that can be said of a file before measuring it.

    Args:
        path: The file, or "-" for standard input.
        questions: Which questions to look at; all by default.
        options: What `interagree.read` takes.
    """
    study, found, more = _opened(path, options)
    if questions:
        study = Study({name: study[name] for name in questions}, study.provenance)
    sections = [Section("What was recognised", _recognised(path, study))]
    data: dict[str, Any] = {"command": "doctor", "file": path, "provenance": _steps(study), "questions": {}}
    settings: dict[str, Any] = {**options, **more}
    comparable = False
    for name, one in study.items():
        title = f"{name}: " if len(study) > 1 else ""
        odd, wanted = oddities(one)
        if found and len(one.annotators) == 1:  # said already, and better
            odd = []
        odd = [*found, *odd]
        settings.update(wanted if len(study) == 1 else {key: wanted[key] for key in wanted if key != "kind"})
        parts = [*_annotators(one), _overlap(one)]
        sections += [Section(title + part.title, part.lines, part.table, part.foot) for part in parts]
        lines = [f"- {finding}" for finding in odd] or ["Nothing odd was found."]
        sections.append(Section(f"{title}What is odd", lines))
        comparable |= bool((one.sizes() >= 2).any())
        data["questions"][name] = _told(one, odd)
    others = _no_annotators(study, options)
    commands = next_commands(
        path, study, {**more, **settings, **others}, {**options, **others}, comparable=comparable
    )
    if more.get("layout") == "wide" and any(
        _strangers(one) for one in study.values() if len(one.annotators) <= FEW and not kind_of(one).complex
    ):
        commands = [f"interagree doctor {shlex.quote(path)} --item COLUMN --annotator COLUMN --value COLUMN"]
    sections.append(Section("What to run next", commands, verbatim=True))
    data["next"] = list(commands)
    first = next(iter(study.values()), None)
    return Examination(
        Document(f"{_name(path)}", sections, data), _settings(study, first, settings), comparable
    )


def _name(path: str) -> str:
    return "standard input" if path == "-" else path


def _opened(path: str, options: Mapping[str, Any]) -> tuple[Study, list[Finding], dict[str, Any]]:
    """The file read as it is; where that fails for a reason that can be got round, read otherwise, with what to say."""
    try:
        return _without_texts(path, options, read(path, **options))
    except KindError:
        if path == "-" or "kind" in options:
            raise
        with contextlib.suppress(InteragreeError):
            found = _without_texts(path, options, read(path, **options, kind="labels"))
            if found[1]:
                return found
        raise
    except DuplicateAnnotation as error:
        if path == "-" or "duplicates" in options:
            raise
        finding = Finding(
            str(error).partition(";")[0].removeprefix(f"{path}: "),
            (
                "pass --duplicates first or last to take one of them, or keep to take all as repeated "
                "judgements, as was done here"
            ),
        )
        return read(path, **options, duplicates="keep"), [finding], {"duplicates": "keep"}
    except ColumnNotFound as error:
        if path == "-" or {"item", "annotator", "value", "layout"} & options.keys():
            raise
        return _as_wide(path, options, error)


def _without_texts(
    path: str, options: Mapping[str, Any], study: Study
) -> tuple[Study, list[Finding], dict[str, Any]]:
    """A wide table whose cells are JSON but for those of some columns, read again without these as annotators."""
    if path == "-" or {"annotator", "attributes"} & options.keys():
        return study, [], {}
    texts = [name for one in study.values() for name in _plain_columns(one)]
    if not texts or not any(WIDE.match(step["sentence"]) for step in _steps(study)):
        return study, [], {}
    finding = Finding(
        f"{listing(texts, most=5)} {'holds' if len(texts) == 1 else 'hold'} plain words where the other columns hold "
        f"JSON, so {'it is' if len(texts) == 1 else 'they are'} no annotator's",
        f"pass {_flags({'attributes': texts}).strip()}, as was done here",
    )
    return read(path, **options, attributes=texts), [finding], {"attributes": texts}


def _plain_columns(study: Annotations) -> list[Any]:
    """Annotators who gave nothing that looks like JSON, where at least two others gave nothing else."""
    if (
        study.anonymous
        or len(study.annotators) > 100
        or not all(isinstance(one, str) for one in study.values)
    ):
        return []
    written = np.array([_as_json(one) is not None for one in study.values], dtype=bool)[study.value]
    given = np.bincount(study.annotator, minlength=len(study.annotators))
    structured = np.bincount(study.annotator[written], minlength=len(given))
    if (
        int(((structured == given) & (given > 0)).sum()) < 2
        or ((structured > 0) & (structured < given)).any()
    ):
        return []
    return [study.annotators[code] for code in np.flatnonzero((structured == 0) & (given > 0)).tolist()]


def _as_json(written: Any) -> Any:
    """The list or object that a cell spells as JSON, as it is kept; None where it spells none."""
    if not isinstance(written, str) or written.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        return plain(json.loads(written))
    except ValueError:
        return None


def _as_wide(
    path: str, options: Mapping[str, Any], error: ColumnNotFound
) -> tuple[Study, list[Finding], dict[str, Any]]:
    try:
        study = read(path, **options, layout="wide")
    except InteragreeError:
        raise error from None
    people = {len(one.annotators) for one in study.values()}
    if people == {1}:
        finding = Finding(
            (
                "there is one value for each item and nobody who gave it: these look like gold labels, or "
                "like the file of one annotator"
            ),
            "with a file for each annotator, name them all and take the annotator from the name of the "
            "file: interagree measure A B "
            "--together --annotator '{file}'",
        )
        return study, [finding], {}
    reason = str(error).partition(";")[0].removeprefix(f"{path}: ")
    finding = Finding(
        f"as a long table it cannot be read ({reason}), so it was read as a wide one, with each column an annotator",
        "if that is wrong, name the columns with --item, --annotator and --value",
    )
    return study, [finding], {"layout": "wide"}


def _steps(study: Study) -> list[dict[str, Any]]:
    joined = study.provenance.joined(one.provenance for one in study.values())
    return [{"what": step.what, "sentence": step.sentence, "count": step.count} for step in joined.steps]


def _recognised(path: str, study: Study) -> list[str]:
    lines = []
    if path != "-" and Path(path).is_file():
        lines.append(f"File: {path}, {_size(Path(path).stat().st_size)}.")
    if len(study) > 1:
        lines.append(f"Questions: {listing(study)}; -q chooses.")
    taken = [step["sentence"] for step in _steps(study) if step["what"] == "taken"]
    lines += [f"{sentence[:1].upper()}{sentence[1:]}." for sentence in taken]
    for name, one in study.items():
        before = f"{name}: " if len(study) > 1 else ""
        word = {"ordered": "labels in order", "sets": "sets of labels", "objects": "structured values"}.get(
            kind_of(one).word, kind_of(one).word
        )
        shown = _shown(one.labels(), 1 if kind_of(one).complex else 8)
        what = f"{before}{word}, {plural(len(one.values), 'distinct value')}: {shown}."
        if not one.values:
            what = f"{before}there are no values."
        marked = _marked(one)
        if marked is not None:
            what = f"{before}{marked.sentence()}."
        lines.append(what[:1].upper() + what[1:] if not before else what)
        if marked is not None and len(marked.row):
            lines.append(f"{before}{marked.positions()}." if before else f"{_capital(marked.positions())}.")
        if one.attributes:
            lines.append(f"{before}Further columns: {listing(one.attributes, most=8)}.")
    changed = [step["sentence"] for step in _steps(study) if step["what"] in ("dropped", "merged", "assumed")]
    return [*lines, *(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in changed)]


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _marked(study: Annotations) -> Marked | None:
    """The spans of a study; None where its values are of another kind, or one of them is no span."""
    if study.kind != "spans" or not len(study):
        return None
    try:
        return Marked.of(study)
    except KindError:
        return None


def _size(size: int) -> str:
    return (
        f"{size:,} bytes"
        if size < 10_000
        else f"{size / 1000:,.0f} kB"
        if size < 10_000_000
        else f"{size / 1e6:,.0f} MB"
    )


def _annotators(study: Annotations) -> list[Section]:
    """Who gave how much; of spans, also with which labels."""
    marked = _marked(study)
    if marked is None:
        return [_who(study)]
    if not study.anonymous and len(study.annotators) <= FEW:
        who = Section("Annotators", table=narrow(marked.by_annotator()))
    else:
        short = _who(study)
        who = Section("Annotators", [*short.lines, *marked.spread()])
    return [who, Section("Labels", table=narrow(marked.by_label()))] if set(marked.used) - {None} else [who]


def _who(study: Annotations) -> Section:
    if not len(study):
        return Section("Annotators", ["There are no annotations, so nobody gave any."])
    if study.anonymous:
        return Section("Annotators", ["Nobody knows who gave which value: these are counts."])
    given = np.bincount(study.annotator, minlength=len(study.annotators))
    table = (
        np.zeros((len(study.annotators), len(study.values)), dtype=np.int64)
        if len(study.annotators) * len(study.values) < 20_000_000
        else None
    )
    if table is not None:
        np.add.at(table, (study.annotator, study.value), 1)
    if len(given) > FEW or table is None:
        order = np.sort(given)
        busiest = study.annotators[int(given.argmax())]
        few = int((given < 5).sum())
        lines = [
            (
                f"{len(given):,} annotators with {order[0]:,} to {order[-1]:,} annotations each (median "
                f"{np.median(order):g}); most: {busiest}."
            ),
            *([f"{plural(few, 'annotator')} gave fewer than five."] if few else []),
        ]
        return Section("Annotators", lines)
    top = table.argmax(axis=1)
    if kind_of(study).complex:
        return Section(
            "Annotators",
            table=narrow(Table({"annotator": list(study.annotators), "annotations": given.tolist()})),
        )
    return Section(
        "Annotators",
        table=narrow(
            Table(
                {
                    "annotator": list(study.annotators),
                    "annotations": given.tolist(),
                    "different values": (table > 0).sum(axis=1).tolist(),
                    "most common": [cell(study.values[int(k)]) for k in top],
                    "its share": (table.max(axis=1) / np.maximum(given, 1)).tolist(),
                }
            )
        ),
    )


def _common(study: Annotations) -> Any:
    """For each pair of annotators the number of items both annotated; None where there is nobody to pair."""
    if study.anonymous or len(study.annotators) < 2 or len(study.annotators) > 20_000:
        return None
    from scipy import sparse

    ones = np.ones(len(study), dtype=np.int32)
    who = sparse.csr_array(
        (ones, (study.item, study.annotator)), shape=(len(study.items), len(study.annotators))
    )
    who.sum_duplicates()
    who.data[:] = 1
    return sparse.triu(who.T @ who, k=1).data


def _overlap(study: Annotations) -> Section:
    sizes = study.sizes()
    counted = sizes[sizes > 0]
    if not len(counted):
        return Section("Overlap", ["There are no annotations."])
    one, more = int((counted == 1).sum()), int((counted > 1).sum())
    each = (
        f"{counted.min()}"
        if counted.min() == counted.max()
        else f"{counted.min()} to {counted.max()} (median {np.median(counted):g})"
    )
    lines = [
        (
            f"{plural(len(counted), 'item')} with {each} annotation{'' if each == '1' else 's'} each; "
            f"{more:,} with two or more, {one:,} with one."
        )
    ]
    if not study.anonymous and len(study.annotators) > 1:
        if complete(study):
            lines.append("Every annotator annotated every item.")
        elif study.occasion is None:
            lines.append(
                f"{len(study) / (len(study.items) * len(study.annotators)):.1%} of all pairs of item "
                "and annotator are filled."
            )
        common = _common(study)
        if common is not None:
            pairs = len(study.annotators) * (len(study.annotators) - 1) // 2
            middle = f", {np.median(common):g} of them in the median pair" if len(common) else ""
            lines.append(
                f"{len(common):,} of {plural(pairs, 'pair')} of annotators have items in common{middle}."
            )
    return Section("Overlap", lines)


# -- oddities -------------------------------------------------------------------------------------------------


def oddities(study: Annotations) -> tuple[list[Finding], dict[str, Any]]:
    """What is odd about the annotations of one question, and the options that would help."""
    if not len(study):
        return [Finding("there is not a single annotation", "look at the columns that were taken")], {}
    wanted: dict[str, Any] = {}
    noticed = [Finding(step.sentence) for step in study.provenance.steps if step.what == "noticed"]
    could = _could_be(study, wanted)
    values = [] if could else _odd_values(study, wanted)
    return [
        *noticed,
        *could,
        *values,
        *_odd_marks(study),
        *_odd_annotators(study),
        *_odd_items(study),
    ], wanted


def _odd_marks(study: Annotations) -> list[Finding]:
    """What is odd about spans, where values are spans."""
    if study.kind != "spans":
        return []
    try:
        return [Finding(*one) for one in Marked.of(study).odd()]
    except KindError as error:
        return [Finding(str(error), "correct it or leave it out")]


def _could_be(study: Annotations, wanted: dict[str, Any]) -> list[Finding]:
    """A kind that values may be meant as and that must be stated, where nobody stated one."""
    if study.of_kind or study.stated or study.kind not in ("labels", "tuples", "objects", *LISTS):
        return []
    written = list(study.values)
    if study.kind in ("labels", "text"):
        written = [_as_json(one) for one in written]
    if not written or not all(isinstance(one, tuple) for one in written):
        return []
    name = _fitting(study, written)
    if name is None:
        return []
    wanted["kind"] = name
    title = {**STATED, "sets": "sets of labels"}[name]
    compared = f"taken as {study.kind}" if study.kind in KINDS else "compared as wholes, the same or not"
    return [Finding(f"the values are {compared}, and could be {title}", f"if they are, pass --kind {name}")]


def _fitting(study: Annotations, values: Sequence[tuple[Any, ...]]) -> str | None:
    """The kind that lists may be meant as; None where they are none or are taken for what they look like."""
    some = [value for value in values if value]
    if not some:
        return None
    if all(map(_is_object, some)):
        return None
    if any(isinstance(part, tuple) for value in some for part in value):
        nested = ("spans", "dependencies", *(["clusters"] if _of_one_sort(values) else []))
        return next(
            (name for name in nested if all(KINDS[name].wrong(value) is None for value in values)), None
        )
    if all(KINDS["segments"].wrong(value) is None for value in values):
        return "segments" if _equal_sums(study, values) else None
    labels = all(isinstance(part, str) for value in some for part in value)
    once = labels and all(len(set(value)) == len(value) for value in some)
    return "sets" if once and study.kind != "rankings" else None


def _is_object(value: tuple[Any, ...]) -> bool:
    """Whether a value was a JSON object: pairs of a name and something, by name."""
    pairs = all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in value)
    return pairs and list(value) == sorted(value, key=lambda part: part[0])


def _of_one_sort(values: Sequence[tuple[Any, ...]]) -> bool:
    """Whether all mentions are strings, all numbers or all places, as they are in clusters that somebody meant."""
    every = [cluster for value in values for cluster in value]
    if not all(isinstance(cluster, tuple) for cluster in every):
        return False
    sorts = {type(mention) for cluster in every for mention in cluster}
    return len(sorts) == 1 or sorts <= {int, float}


def _equal_sums(study: Annotations, values: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the lists of each item have one sum, as lengths of segments do, and are not all alike in that."""
    sums = np.array([sum(value) for value in values], dtype=np.float64)[study.value]
    low, high = (np.full(len(study.items), fill) for fill in (np.inf, -np.inf))
    np.minimum.at(low, study.item, sums)
    np.maximum.at(high, study.item, sums)
    compared = study.sizes() > 1
    alike = bool(compared.any() and (low == high)[compared].all())
    return alike and (len(set(map(len, values))) > 1 or len(np.unique(low[compared])) > 1)


def _odd_values(study: Annotations, wanted: dict[str, Any]) -> list[Finding]:
    found = []
    given = used(study)
    words = [value for value in study.values if isinstance(value, str)]
    absent = [value for value in words if value.strip().casefold() in NOTHING]
    if absent:
        times = int(sum(given[list(study.values).index(value)] for value in absent))
        flags = " ".join(f"--missing {shlex.quote(value)}" for value in absent[:3])
        found.append(
            Finding(
                f"{listing(absent, most=4)} ({plural(times, 'annotation')}) is counted as a value",
                f"if it means that there is no annotation, pass {flags}",
            )
        )
    spaced = [value for value in words if value != value.strip()]
    if spaced:
        found.append(
            Finding(
                f"{listing(spaced, most=3)} begins or ends with a space",
                "take the space away if it is not meant",
            )
        )
    inside = int(np.count_nonzero(given))
    if inside == 1 and kind_of(study).complex:
        found.append(
            Finding(
                "all annotations are the same", "alpha, which compares items with one another, is undefined"
            )
        )
        return found
    if inside == 1:
        found.append(
            Finding(
                f"all annotations are {_shown([study.values[int(given.argmax())]], 1)}",
                "no coefficient that is corrected for chance is defined; report percent agreement",
            )
        )
        return found
    unused = [study.values[k] for k in np.flatnonzero(given == 0).tolist()]
    if unused:
        found.append(
            Finding(
                f"nobody used {_shown(unused, 5)}, declared all the same; they count in S, AC1 "
                "and Randolph's kappa"
            )
        )
    kind = kind_of(study)
    once = [study.values[k] for k in np.flatnonzero(given == 1).tolist()]
    if kind.complex or kind.word == "sets":
        return found  # hardly a value occurs twice
    if kind.word != "numbers" and len(once) > max(20, inside / 2):
        found.append(
            Finding(
                f"{len(once):,} of {inside:,} values were given only once, such as {_shown(once, 2)}: these are "
                "structures, texts or numbers of rows, not labels",
                "look at the column that was taken as the value, or give a distance for such values",
            )
        )
    elif once and kind.word != "numbers" and len(study) > 20:
        found.append(
            Finding(
                f"{plural(len(once), 'value')} given only once: {_shown(once, 5)}", "look for typing errors"
            )
        )
    share = float(given.max()) / len(study)
    top = study.values[int(given.argmax())]
    if share > 0.75:
        found.append(
            Finding(
                (
                    f"{_shown([top], 1)} has {share:.0%} of all annotations, so chance agrees often and alpha "
                    "and kappa are low for little"
                ),
                "report AC1 and the table by value beside them",
            )
        )
    return [*found, *_spellings(words), *_scale(study, wanted), *_sets(study, wanted)]


WITH_COMMA = re.compile(r"[+-]?\d+,\d+")
WHOLE = re.compile(r"[+-]?\d+")


def _decimals(words: Sequence[str]) -> list[str]:
    """Numbers with a decimal comma, where all values are such numbers or whole ones."""
    found = [word for word in words if WITH_COMMA.fullmatch(word.strip())]
    rest = [word for word in words if word not in found]
    return found if all(WHOLE.fullmatch(word.strip()) for word in rest) else []


def _spellings(words: Sequence[str]) -> list[Finding]:
    """Numbers that are written in a way that keeps them from being taken as such."""
    found = []
    if commas := _decimals(words):
        found.append(
            Finding(
                f"{_shown(commas, 3)} {'looks' if len(commas) == 1 else 'look'} like numbers with a decimal comma, "
                "and are compared as labels",
                "write them with a point, as in " + commas[0].strip().replace(",", "."),
            )
        )
    same: dict[float, list[str]] = {}
    for word in words:
        if re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)\s*", word):
            same.setdefault(float(word), []).append(word)
    several = [spelled for spelled in same.values() if len(spelled) > 1]
    if several:
        more = f" (and {len(several) - 1} more such)" if len(several) > 1 else ""
        found.append(
            Finding(
                f"{listing(several[0], most=5)} are one number written in several ways{more}, and as labels "
                "they differ",
                "write them alike, or pass --distance interval if they are numbers",
            )
        )
    return found


def _shown(values: Sequence[Any], most: int) -> str:
    """A few values, none of them longer than a few words."""
    short = [shortened(_spelled(value), 40) for value in values]
    return listing(short, most=most, quote=False)


def _spelled(value: Any) -> str:
    """One value as it is told: words in quotes, sets in braces."""
    return one_line(value) if isinstance(value, frozenset | set) else repr(value)


def _scale(study: Annotations, wanted: dict[str, Any]) -> list[Finding]:
    """Whether values may have an order that nobody stated."""
    if study.in_order and study.ordered:
        return []
    kind = kind_of(study)
    if kind.word == "numbers":
        return [
            Finding(kind.said.partition(";")[0], "if they are codes of labels, name the coefficients with -m")
        ]
    if kind.word != "labels" or len(study.values) < 3:
        return []
    if numbers(study.values) is not None:
        near, plain = _near(study)
        if near is not None and plain is not None and near > plain + 0.1:
            wanted["ordered"] = True
            return [
                Finding(
                    (
                        "the values are numbers, and annotators who differ mostly give neighbours (alpha "
                        f"is {near:.2f} on a scale and {plain:.2f} on labels), so they look like a scale"
                    ),
                    "pass --ordered if they are",
                )
            ]
        return [
            Finding(kind.said.partition(";")[0], "if they are a scale, pass --ordered or --distance interval")
        ]
    order = _known_order([value for value in study.values if isinstance(value, str)], len(study.values))
    if order is None:
        return []
    wanted.update(values=order, ordered=True)
    return [
        Finding(
            "the values look like a scale",
            f"pass --values {shlex.quote(','.join(order))} --ordered if they are",
        )
    ]


def _near(study: Annotations) -> tuple[float | None, float | None]:
    scale, plain = (MEASURES["alpha"](study, distance=distance) for distance in ("interval", "nominal"))
    return (None, None) if scale.undefined or plain.undefined else (scale.value, plain.value)


def _known_order(words: Sequence[str], count: int) -> list[str] | None:
    if len(words) != count:
        return None
    plain = {re.sub(r"[\s_-]+", " ", word).strip().casefold(): word for word in words}
    for scale in SCALES:
        if len(plain) == count and plain.keys() <= set(scale):
            return [plain[step] for step in scale if step in plain]
    return None


def _sets(study: Annotations, wanted: dict[str, Any]) -> list[Finding]:
    words = [value for value in study.values if isinstance(value, str)]
    if _decimals(words):
        return []
    for separator in SEPARATORS:
        several = [word for word in words if separator in word]
        parts = {part.strip() for word in several for part in word.split(separator)}
        # A separator is one where the pieces also occur alone, or in many combinations.
        alone = parts & set(words)
        if several and len(parts) > 1 and len(alone) >= len(parts) / 2:
            wanted["split"] = separator
            return [
                Finding(
                    f"{plural(len(several), 'value')} such as {several[0]!r} look like several labels in one cell",
                    f"pass --split {shlex.quote(separator)} to compare them as sets",
                )
            ]
    return []


def _odd_annotators(study: Annotations) -> list[Finding]:
    if study.anonymous:
        return []
    people = len(study.annotators)
    if people == 1:
        return [
            Finding(f"there is one annotator, {study.annotators[0]!r}", "look at the columns that were taken")
        ]
    found = []
    given = np.bincount(study.annotator, minlength=people)
    ends = [np.full(people, fill) for fill in (len(study.values), -1)]
    np.minimum.at(ends[0], study.annotator, study.value)
    np.maximum.at(ends[1], study.annotator, study.value)
    share = float(used(study).max()) / len(study)
    same = np.flatnonzero((ends[0] == ends[1]) & (given >= 10))
    # Giving only the common value is no wonder where almost everybody gives it almost always.
    same = np.array([i for i in same.tolist() if share ** given[i] < 0.01], dtype=np.int64)
    if len(same):
        names = listing([study.annotators[i] for i in same[np.argsort(-given[same])].tolist()], most=5)
        found.append(
            Finding(
                f"{plural(len(same), 'annotator')} gave one value throughout, to ten items or more: {names}",
                "look whether they read the items",
            )
        )
    if people <= FEW and not kind_of(study).complex and (strangers := _strangers(study)):
        found.append(
            Finding(
                f"no other annotator uses a value of {listing(strangers, most=5)}, so they may be no annotators",
                "name the columns with --item, --annotator and --value, or pass --attribute for those that are none",
            )
        )
    single = int((given == 1).sum())
    if single:
        found.append(Finding(f"{plural(single, 'annotator')} gave a single annotation"))
    sizes = study.sizes()
    lonely = np.ones(people, dtype=bool)
    lonely[study.annotator[sizes[study.item] > 1]] = False
    lonely &= given > 0
    if lonely.any() and people > 1:
        names = listing([study.annotators[i] for i in np.flatnonzero(lonely).tolist()], most=5)
        found.append(
            Finding(f"{plural(int(lonely.sum()), 'annotator')} shared no item with anybody: {names}")
        )
    items = len(study.items)
    whole = len(study) > 0.5 * people * items and not kind_of(study).complex
    if people > items and items < 50 and whole:
        found.append(
            Finding(
                (
                    f"there are more annotators ({people}) than items ({items}), and almost everybody "
                    "annotated everything: the table may lie the wrong way round"
                ),
                "if so, swap --item and --annotator, or turn the table",
            )
        )
    return found


def _no_annotators(study: Study, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that say of columns of a wide table, taken as annotators, that they are none."""
    if "annotator" in options or not any(WIDE.match(step["sentence"]) for step in _steps(study)):
        return {}
    found: dict[str, Any] = {}
    for one in study.values():
        strangers = _strangers(one) if len(one.annotators) <= FEW and not kind_of(one).complex else []
        if not strangers or len(one.annotators) - len(strangers) < 2:
            continue
        unnamed = "item" not in options and any(UNNAMED.match(step["sentence"]) for step in _steps(study))
        key = next((name for name in strangers if unnamed and _tells_apart(one, name)), None)
        if key is not None:
            found["item"] = key
        rest = [name for name in strangers if name != key]
        if rest:
            found["attributes"] = [*options.get("attributes", ()), *rest]
    return found


def _tells_apart(study: Annotations, name: Any) -> bool:
    """Whether an annotator gave every item a value of its own, as a name of items does."""
    mine = study.value[study.annotator == study.annotators.index(name)]
    return len(mine) == len(study.items) == len(np.unique(mine))


def _strangers(study: Annotations) -> list[Any]:
    """Annotators of three items or more whose values nobody else gave."""
    said = [set(study.value[study.annotator == code].tolist()) for code in range(len(study.annotators))]
    given = np.bincount(study.annotator, minlength=len(said))
    return [
        study.annotators[code]
        for code, mine in enumerate(said)
        if given[code] >= 3 and len(said) > 1 and not mine & set().union(*said[:code], *said[code + 1 :])
    ]


def _odd_items(study: Annotations) -> list[Finding]:
    found = []
    sizes = study.sizes()
    counted = sizes[sizes > 0]
    one = int((counted == 1).sum())
    if one == len(counted):
        return [
            Finding(
                "no item has two annotations, so nothing can be compared",
                "look at the columns that were taken as item and annotator",
            )
        ]
    if one:
        found.append(
            Finding(
                f"{plural(one, 'item')} with a single annotation cannot be compared and "
                f"{'is' if one == 1 else 'are'} left out of observed disagreement"
            )
        )
    middle = float(np.median(counted))
    if counted.max() >= 5 * middle and counted.max() > 10:
        many = int((counted >= 5 * middle).sum())
        found.append(
            Finding(
                (
                    f"{plural(many, 'item')} with up to {counted.max()} annotations, where the median is "
                    f"{middle:g}: test questions, perhaps"
                ),
                "they count for much in alpha, which weighs items by their annotations",
            )
        )
    both = int((counted > 1).sum())
    if both < UNSURE:
        found.append(Finding(f"only {plural(both, 'item')} can be compared", "intervals will be wide"))
    return found


# -- what to do next ------------------------------------------------------------------------------------------


def next_commands(
    path: str, study: Study, settings: Mapping[str, Any], given: Mapping[str, Any], *, comparable: bool
) -> list[str]:
    """The commands that make sense of this file."""
    if not any(len(one) for one in study.values()):
        return ["(nothing: there are no annotations; see above)"]
    if not comparable:
        return ["(nothing: there is no item with two annotations; see above)"]
    needed = {
        name: entry
        for name, entry in settings.items()
        if name in ("duplicates", "layout", "split", "attributes", *given)
    }
    flags = _flags({**given, **needed})
    file = shlex.quote(path)
    question = f" -q {shlex.quote(next(iter(study)))}" if len(study) > 1 else ""
    optional = {
        name: entry
        for name, entry in settings.items()
        if name in ("values", "ordered", "kind") and name not in given
    }
    commands = [f"interagree measure {file}{flags}"]
    if optional:
        commands.append(f"interagree measure {file}{flags}{_flags(optional)}")
    words = [kind_of(one).word for one in study.values()]
    if "spans" in words:
        which = f" -q {shlex.quote(list(study)[words.index('spans')])}" if words.count("spans") > 1 else ""
        commands.append(f"interagree spans {file}{flags}{which}")
    elif all(word in KINDS for word in words):
        commands.append(f"interagree distances {file}{flags}{question}")
    return [
        *commands,
        f"interagree report {file}{flags} -o report.md",
        f"interagree explain {_worked_out(words[0])} {file}{flags}{question}",
    ]


def _worked_out(word: str) -> str:
    """The measure to work out on values of a kind."""
    own = KINDS[word].measures if word in KINDS else ()
    return own[0] if own else "alpha"


def _flags(options: Mapping[str, Any]) -> str:
    words = []
    for name, entry in options.items():
        option = {"attributes": "attribute"}.get(name, name)
        if entry is True:
            words.append(f"--{option}")
        elif entry is False:
            words.append(f"--not-{option}")
        elif name == "values":
            words.append(f"--values {shlex.quote(','.join(map(str, entry)))}")
        else:
            words += [
                f"--{option} {shlex.quote(str(one))}"
                for one in (entry if isinstance(entry, list | tuple) else [entry])
            ]
    return "".join(f" {word}" for word in words)


WIDE = re.compile(r"a wide table: ")
UNNAMED = re.compile(r"a wide table: one row for each item, ")
TAKEN = re.compile(r"columns taken: item from '(.*)', annotator from '(.*)', value from '(.*)'")


def _settings(study: Study, first: Annotations | None, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What a configuration file should say so that the file is read the same way again."""
    settings: dict[str, Any] = {}
    for step in _steps(study):
        found = TAKEN.fullmatch(step["sentence"])
        if found is not None:
            settings.update(zip(("item", "annotator", "value"), found.groups(), strict=True))
    settings.update(wanted)
    if (
        first is not None
        and "values" not in settings
        and len(first.values) <= 20
        and all(isinstance(one, str) for one in first.values)
    ):
        settings["values"] = list(first.values)
    if first is not None and len(study) == 1 and not wanted.get("ordered"):
        settings["measures"] = [
            one.facts.name
            + (
                ":" + ",".join(f"{key}={option}" for key, option in one.options.items())
                if one.options
                else ""
            )
            for one in defaults(first)
        ]
    return settings


def _told(study: Annotations, odd: Sequence[Finding]) -> dict[str, Any]:
    sizes = study.sizes()
    counted = sizes[sizes > 0]
    return {
        "kind": kind_of(study).word,
        "items": len(study.items),
        "annotators": None if study.anonymous else len(study.annotators),
        "annotations": len(study),
        "values": [cell(value) for value in study.values[:100]],
        "items_with_one_annotation": int((counted == 1).sum()),
        "items_with_more": int((counted > 1).sum()),
        "complete": complete(study),
        **_told_of_spans(study),
        "oddities": [str(finding) for finding in odd],
    }


def _told_of_spans(study: Annotations) -> dict[str, Any]:
    marked = _marked(study)
    if marked is None:
        return {}
    return {"spans": len(marked.row), "labels": {name or "": times for name, times in marked.used.items()}}
