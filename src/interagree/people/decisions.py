"""What is handed back to a tool: for each item its text, what was suggested or decided, and who said what."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from interagree.data import Annotations, Study
from interagree.documents.texts import Documents
from interagree.documents.tokens import words
from interagree.errors import DataError, KindError
from interagree.kinds._parts import fields
from interagree.people.texts import text_column

if TYPE_CHECKING:
    from interagree.crowd.consensus import ConsensusAnswer
    from interagree.people.queue import Queue

QUESTION = "label"


class Decision(NamedTuple):
    """One item."""

    item: Hashable
    text: str | None
    value: Any  # None where nothing is suggested
    said: dict[str, Any]  # by annotator
    about: dict[str, Any]  # what else a queue says: its rank, its type, how sure it is


class PlacedSpan(NamedTuple):
    """A span of a value."""

    start: Any
    end: Any
    label: str | None
    fragments: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Decisions:
    """All items."""

    question: str
    kind: str
    rows: list[Decision]
    labels: list[Any]  # all values that labels can have
    study: Annotations
    final: bool = False  # whether values are right, and not only suggested

    @classmethod
    def of(
        cls, given: Queue | ConsensusAnswer | Annotations | Study, *, question: str | None = None, gold: bool = False
    ) -> Decisions:
        """Decisions from what states them."""
        from interagree.crowd.consensus import ConsensusAnswer
        from interagree.people.queue import Queue

        if isinstance(given, Study):
            question = question or next(iter(given), None)
            given = given.single()
        name = question or QUESTION
        if isinstance(given, Queue):
            if given.study is None:
                raise DataError("this queue does not hold its study; make it anew with interagree.disagreements")
            return _of_queue(given, given.study, name)
        if isinstance(given, ConsensusAnswer):
            return _of_annotations(given.to_annotations(), given.study, name, final=gold)
        if not isinstance(given, Annotations):
            raise KindError(f"expected a queue, a consensus or annotations to export, got {type(given).__name__}")
        if len(given.annotators) > 1:
            raise DataError(
                f"right answers come from one annotator, and there are {len(given.annotators)}; choose one with "
                "only=, or export a consensus"
            )
        return _of_annotations(given, given, name, final=True)

    def texts(self, tool: str) -> list[str]:
        """The texts, which a tool cannot do without."""
        for row in self.rows:
            if row.text is None:
                raise DataError(
                    f"{tool} shows the text of each item, and the study does not have that of {row.item!r:.60}; read "
                    "it from a file that holds the texts"
                )
        return [row.text or "" for row in self.rows]

    def spans(self, row: Decision, tool: str) -> list[PlacedSpan]:
        """The spans of an item, in characters of its text."""
        positions = Documents.of(self.study).positions
        if positions not in {None, "characters"}:
            raise KindError(f"{tool} holds spans of characters, and these are of {positions}")
        spans = sorted(map(_span, row.value or ()), key=lambda span: (span.start, span.end, span.label or ""))
        size = len(row.text or "")
        for span in spans:
            if not 0 <= span.start <= span.end <= size:
                raise DataError(
                    f"a span of {row.item!r:.60} reaches from {span.start} to {span.end}, and its text to {size}"
                )
        return spans

    def tokens(self, row: Decision) -> Sequence[tuple[int, int]]:
        """Where the tokens of a text begin and end."""
        known = (
            Documents.of(self.study).tokens(self.study.items.index(row.item)) if row.item in self.study.items else None
        )
        return words(row.text or "") if known is None else [(int(start), int(end)) for start, end in known]

    @staticmethod
    def tokens_of(row: Decision, span: PlacedSpan, tokens: Sequence[tuple[int, int]]) -> list[int]:
        """The tokens that a span covers, white space at its ends aside; an error where it cuts one in two."""
        covered = (row.text or "")[span.start : span.end]
        edges = (span.start + len(covered) - len(covered.lstrip()), span.start + len(covered.rstrip()))
        inside = [at for at, (start, end) in enumerate(tokens) if start < span.end and end > span.start]
        if not inside or (tokens[inside[0]][0], tokens[inside[-1]][1]) != edges:
            raise DataError(
                f"{row.item!r:.60}: the span {covered!r:.60} begins or ends inside a token; export to brat or doccano"
            )
        return inside

    def names(self, suffix: str) -> dict[Hashable, str]:
        """A file name for each item: its own, with what a file system may refuse written otherwise."""
        made: dict[Hashable, str] = {}
        for row in self.rows:
            plain = (
                "".join(sign if sign.isalnum() or sign in "._- " else "_" for sign in str(row.item))[:80].strip(" .")
                or "item"
            )
            name, number = plain, 1
            while f"{name}{suffix}" in made.values():
                number += 1
                name = f"{plain}_{number}"
            made[row.item] = f"{name}{suffix}"
        return made


def _span(value: Any) -> PlacedSpan:
    named = fields(value)
    if named is None:
        return PlacedSpan(value[0], value[1], value[2] if len(value) > 2 else None, ())
    pieces = tuple(tuple(piece) for piece in named.get("fragments", ()))
    start = named.get("start", pieces[0][0] if pieces else None)
    end = named.get("end", pieces[-1][1] if pieces else None)
    return PlacedSpan(start, end, named.get("label"), pieces)


def _of_queue(queue: Queue, study: Annotations, name: str) -> Decisions:
    said, texts = _said(study), _texts(study)
    table = queue.rows
    about = [column for column in ("rank", "type", "worth", "difficulty") if column in table.columns]
    rows = [
        Decision(item, texts.get(item), value, said.get(item, {}), {column: table[column][at] for column in about})
        for at, (item, value) in enumerate(zip(table["item"], table["suggested"], strict=True))
    ]
    return Decisions(name, study.kind.name, rows, list(study.values), study)


def _of_annotations(answers: Annotations, study: Annotations, name: str, *, final: bool) -> Decisions:
    said, texts = ({} if answers is study else _said(study)), _texts(study)
    values = [answers.values[code] for code in answers.value.tolist()]
    items = [answers.items[code] for code in answers.item.tolist()]
    rows = [
        Decision(item, texts.get(item), value, said.get(item, {}), {})
        for item, value in zip(items, values, strict=True)
    ]
    return Decisions(name, answers.kind.name, rows, list(study.values), study, final=final)


def _said(study: Annotations) -> dict[Hashable, dict[str, Any]]:
    made: dict[Hashable, dict[str, Any]] = {}
    if study.anonymous:
        return made
    for item, who, value in study.rows():
        made.setdefault(item, {})[str(who)] = value
    return made


def _texts(study: Annotations) -> dict[Hashable, str]:
    name = "text" if "text" in study.attributes else text_column(study)
    if name is None:
        return {}
    column = study.attributes[name].tolist()
    items = study.item.tolist()
    return {study.items[code]: text for code, text in zip(items, column, strict=True) if isinstance(text, str)}


def listed(value: Any) -> list[Any]:
    """A label, or a set of them, as a list in order."""
    if value is None:
        return []
    return sorted(value, key=str) if isinstance(value, frozenset | set) else [value]


def distinct(decisions: Decisions) -> list[Any]:
    """All labels, in order, also where answers are sets of them."""
    every: Iterable[Any] = (part for value in decisions.labels for part in listed(value))
    return list(dict.fromkeys(every))
