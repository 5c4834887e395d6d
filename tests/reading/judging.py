"""How a table was read: right, refused, noticed, WRONG or crashed."""

from __future__ import annotations

import ast
import collections
import contextlib
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reading.files import Variant
from reading.sheets import Expected, Row

CLASSES = ("right", "refused", "noticed", "WRONG", "crashed")


def plain(value: Any) -> str | None:
    """A value as it is compared: 1, 1.0 and '1' are the same, and so are TRUE and true."""
    if value is None:
        return None
    if hasattr(value, "item") and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value).strip()
    if isinstance(value, str) and text[:1] + text[-1:] in ("[]", "{}"):  # words in a cell are a set, however spelled
        with contextlib.suppress(ValueError, SyntaxError):
            value = ast.literal_eval(text)
    if isinstance(value, list | tuple | set | frozenset) and all(isinstance(part, str) for part in value):
        value = frozenset(value)
        if len(value) == 1:  # where nobody chose several, the choice is a label
            (value,) = value
            text = str(value).strip()
    if isinstance(value, list | tuple | dict | set | frozenset):
        unordered = sorted(map(str, value)) if isinstance(value, set | frozenset) else value
        return json.dumps(unordered, ensure_ascii=False, sort_keys=True, default=str)
    try:
        number = float(text)
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text
    return f"{number:.15g}" if abs(number) < 1e15 else text


Form = tuple[collections.Counter[tuple[str, ...]], collections.Counter[tuple[str, ...]]]


def form(rows: Sequence[tuple[Any, Any, Any]]) -> Form:
    """What must be equal: items and annotators as multisets of values."""
    items: dict[Any, list[str]] = collections.defaultdict(list)
    people: dict[Any, list[str]] = collections.defaultdict(list)
    for item, who, value in rows:
        items[item].append(str(value))
        people[who].append(str(value))
    return tuple(collections.Counter(tuple(sorted(v)) for v in of.values()) for of in (items, people))  # type: ignore[return-value]


def wanted(expected: Expected, question: str) -> Iterator[list[Row]]:
    """The expected annotations of a question, with any choice of the models."""
    base = [(i, a, plain(v)) for i, a, v in expected.questions[question]]
    models: dict[Any, list[Row]] = collections.defaultdict(list)
    for i, a, v in expected.may.get(question, []):
        models[a].append((i, a, plain(v)))
    for size in range(len(models) + 1):
        for some in itertools.combinations(models, size):
            yield base + [row for who in some for row in models[who]]


def is_same(rows: list[Row], anonymous: bool, expected: Expected, question: str) -> bool:  # noqa: FBT001 -- a fact
    """Whether the annotations are those expected."""
    for want in wanted(expected, question):
        if expected.anonymous or anonymous:
            unnamed = anonymous or all(who is None for _, who, _ in rows)
            if expected.anonymous and unnamed and form(rows)[0] == form(want)[0]:
                return True
        elif form(rows) == form(want):
            return True
    return False


@dataclass
class Judgement:
    """How a table was read, what happened, why, and what a refusal offers."""

    result: str
    told: str = ""
    causes: list[str] = field(default_factory=list)
    offer: str = ""


@dataclass
class Got:
    """A study as it is compared."""

    questions: dict[str, tuple[list[Row], bool]]
    people: list[str]
    steps: list[Any]

    @classmethod
    def of(cls, study: Any) -> Got:
        questions = {
            str(question): ([(str(i), a, plain(v)) for i, a, v in one.rows()], one.anonymous)
            for question, one in study.items()
        }
        steps = [step for one in study.values() for step in one.provenance.steps]
        people = dict.fromkeys(str(who) for one in study.values() for who in one.annotators)
        return cls(questions, list(people), [*steps, *study.provenance.steps])

    def said(self, *kinds: str) -> str:
        """The sentences of some kinds of steps, of all if none is named."""
        steps = [step.sentence for step in self.steps if not kinds or step.what in kinds]
        return "; ".join(dict.fromkeys(steps))


def judged(variant: Variant, *, follow: bool = False) -> Judgement:
    """How a table is read without options; with ``follow`` also what comes of the readings that a refusal offers."""
    import interagree as ia
    from interagree.errors import InteragreeError

    expected = variant.expected
    try:
        got = Got.of(ia.read(str(variant.path)))
    except InteragreeError as error:
        surely = expected.ambiguous or not expected.questions
        offer = followed(variant, error) if follow and expected.questions else ""
        return Judgement("right" if surely else "refused", str(error), offer=offer)
    except Exception as error:  # noqa: BLE001 -- this is what the class 'crashed' is for
        what = f"{type(error).__name__}: {error}"
        return Judgement("crashed", what, [what.partition(":")[0]])
    reason = difference(got, expected)
    if reason is None:
        return Judgement("right")
    bad = [*mistaken(variant, got), *expected.missing]
    noticed = got.said("noticed")
    told = bool(bad) and all(repr(name) in noticed for name in bad)
    happened = f"{reason}; annotators {got.people[:8]}; {got.said('taken')}"
    return Judgement("noticed" if told else "WRONG", happened, causes(variant, got))


def followed(variant: Variant, error: Exception) -> str:
    """What comes of the readings that a refusal offers: one is right, all are others, or there are none."""
    import interagree as ia

    offered = getattr(error, "readings", ())
    for reading in offered:
        try:
            got = Got.of(ia.read(str(variant.path), **reading.options))
        except Exception as again:  # noqa: BLE001 -- advice must run, whatever stops it
            return f"does not run: {dict(reading.options)}: {type(again).__name__}: {again}"
        if difference(got, variant.expected) is None:
            return "right one offered"
    return "others offered" if offered else "none offered"


# -- why it was read wrongly -------------------------------------------------------------------------------


def annotators_of(variant: Variant) -> set[str]:
    """What annotators may be called: their names, and the columns that hold what they said."""
    names = {str(who) for rows in variant.expected.questions.values() for _, who, _ in rows}
    names |= {str(who).removeprefix("model ") for rows in variant.expected.may.values() for _, who, _ in rows}
    columns = [column for sheet in variant.sheets.values() for column in sheet.columns]
    return names | {column.name.strip() for column in columns if column.part in ("annotator", "model")}


def mistaken(variant: Variant, got: Got) -> list[str]:
    """Those that the study calls annotators and that are none."""
    known = annotators_of(variant) | set(variant.sheets)
    return [name for name in got.people if name.strip() not in known]


def there(column: str, got: Got) -> bool:
    """Whether the study has an annotator that a column is called after."""
    return any(name.strip() in column for name in got.people)


def causes(variant: Variant, got: Got) -> list[str]:
    """What was taken for what, by the parts that the columns really have."""
    columns = {column.name.strip(): column for sheet in variant.sheets.values() for column in sheet.columns}
    found = []
    for name in mistaken(variant, got):
        part = columns[name].part if name in columns else None
        found.append(f"{part} taken for an annotator" if part else "an annotator that no column is called")
    for name in got.questions:
        part = columns[name].part if name in columns else None
        if part not in (None, "value", "annotator"):
            found.append(f"{part} taken for a question")
    left = [column for column in columns.values() if column.part == "annotator" and not there(column.name, got)]
    for column in left if len(variant.expected.questions) == 1 and variant.layout.startswith("wide") else []:
        values = {cell for cell in column.cells if cell is not None}
        found.append("annotator of one label left out" if len(values) < 2 else "annotator left out")
    given = {value for rows, _ in got.questions.values() for _, _, value in rows}
    found += [f"missing code {code} taken for a value" for code in variant.expected.missing if code in given]
    if "" in given:
        found.append("an empty cell taken for a value")
    if len(got.questions) < len(variant.expected.questions):
        found.append("questions read as one")
    odd = ("title row", "blank row above", "two header rows", "totals row", "summary below", "blank rows", "by column")
    found += [f"beside: {trait}" for trait in variant.made_of if trait in (*odd, "merged cells", "second sheet")]
    return list(dict.fromkeys(found)) or ["other"]


def difference(got: Got, expected: Expected) -> str | None:
    """What tells the study from the expected one, None if nothing does."""
    sizes = {question: len(rows) for question, (rows, _) in got.questions.items()}
    if not expected.questions:
        return f"read as {sum(sizes.values())} annotations; it must be refused: {expected.why}"
    matched: dict[str, str] = {}
    for question in expected.questions:
        for name, (rows, anonymous) in got.questions.items():
            if name not in matched.values() and is_same(rows, anonymous, expected, question):
                matched[question] = name
                break
    extra = [name for name in got.questions if name not in matched.values()]
    left = [question for question in expected.questions if question not in matched]
    said = got.said()
    if not extra and (not left or (matched and all(question in said for question in left))):
        return None
    want = {q: len(rows) for q, rows in expected.questions.items()}
    return f"read as {sizes} annotations, expected {want}"
