"""The way in: what sources say, mark by mark, becomes the questions of a study.

A source says who gave which value to what; who looked and marked nothing, answers that were given twice, choices of one
or of several, regions of several forms, places in files and what was left out are dealt with here, in one way for all:

    gathered = Gatherer("Argilla", sources, duplicates=duplicates)
    gathered.add(Mark("sentiment", "r1", "ann", ("positive",), "records.json, /0/responses"), "choices")
    gathered.looked("r1", "ann", "entities", "records.json, /0/responses", kind="spans")
    gathered.add(Mark("entities", "r1", "ann", Span(0, 3, "PER"), "records.json, /0/responses"))
    gathered.show("r1", "Ann slept.", where)
    gathered.left_out("draft")
    study = gathered.study()

**A record** is what one place (`where`) says of an item, an annotator and a question.  A `Span` or a `Shape` is one of
the marks of its record, in whatever order they come; every other value, a list of marks among them, is the answer as a
whole.  Two records of one item and annotator are two answers, of which the newest counts (``duplicates``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.data.types import Annotator, Item
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, UnknownName, listing, suggestion
from interagree.gather.shapes import Shape, questions_of_shapes
from interagree.gather.units import DocumentTexts, Number, Span, Unit, UnitOptions, annotations_of_units, check_word

CHOICES, SPANS, SHAPES = "choices", "spans", "shapes"
WHERE, TIME, TEXT = "where", "timestamp", "text"
DUPLICATES = ("last", "first", "error")
NEWEST = Hint("duplicates", "last")
Time: TypeAlias = str | float | None
_Record: TypeAlias = tuple[Item, Annotator, str]


class Mark(NamedTuple):
    """What a source says: that an annotator gave a value to an item, as the answer to a question."""

    question: str
    item: Item
    annotator: Annotator
    value: Any  # a `Span` or a `Shape`, or the answer as its kind takes it
    where: str = ""  # the record in the file: 'a.jsonl, line 3' or 'a.json, /3/annotations/0'
    time: Time = None


@dataclass(slots=True)
class _Question:
    """A question in the making."""

    name: str
    kind: str | None
    rows: list[Mark] = field(default_factory=list)
    lists: dict[_Record, list[Any]] = field(default_factory=dict)  # of the marks of records
    multiple: bool = False

    def marks(self, item: Item, annotator: Annotator, where: str, time: Time) -> list[Any]:
        """The marks of a record, to be added to."""
        record = (item, annotator, where)
        if record not in self.lists:
            self.lists[record] = []
            self.rows.append(Mark(self.name, item, annotator, self.lists[record], where, time))
        return self.lists[record]


class Gatherer:
    """A study in the making."""

    def __init__(
        self,
        tool: str,
        sources: Sequence[Source],
        *,
        duplicates: str = "last",
        units: UnitOptions | None = None,
        positions: str | None = "characters",
    ) -> None:
        check_word("duplicates", duplicates, DUPLICATES)
        self.tool, self.sources, self.duplicates, self.positions = tool, sources, duplicates, positions
        self.units = units or UnitOptions(once=True)
        self.steps: list[Step] = []
        self.texts: dict[Item, str] = {}
        self.tokens: dict[Item, tuple[tuple[Number, Number], ...]] = {}  # where those of texts start and end
        self._shown_at: dict[Item, str] = {}
        self._left_out: Counter[tuple[str, str]] = Counter()
        self._questions: dict[tuple[str, str | None], _Question] = {}

    # -- what a reader says --------------------------------------------------------------------------------

    def add(self, mark: Mark, kind: str | None = None) -> None:
        """A mark, or a whole answer.

        Args:
            mark: Who said what of what.
            kind: "choices" for a tuple of options, which are labels where nobody chose several, and else sets; "spans"
                or "shapes" for a list of all marks of a record; the name of a kind of value; or None where it is to
                be recognised.
        """
        value = mark.value
        if isinstance(value, Span | Shape):
            kind = SPANS if isinstance(value, Span) else SHAPES
            self._question(mark.question, kind).marks(mark.item, mark.annotator, mark.where, mark.time).append(value)
        else:
            self._question(mark.question, kind).rows.append(mark)

    def looked(
        self, item: Item, annotator: Annotator, question: str, where: str = "", time: Time = None, *, kind: str = SPANS
    ) -> None:
        """That somebody looked for what a question asks: without a mark in this record, there is nothing to mark.

        Args:
            item: What they looked at.
            annotator: Who.
            question: What was to be marked.
            where: The record in the file.
            time: When.
            kind: "spans" or "shapes".
        """
        self._question(question, kind).marks(item, annotator, where, time)

    def takes_several(self, question: str) -> None:
        """That several options may be chosen, also where nobody chose more than one."""
        self._question(question, CHOICES).multiple = True

    def show(self, item: Item, text: str, where: str) -> None:
        """The text that an item shows; an error where it showed another one before."""
        if self.texts.setdefault(item, text) != text:
            raise FormatError(
                f"{where}: the item {item!r:.60} shows {text!r:.60}, and {self.texts[item]!r:.60} in "
                f"{self._shown_at[item]}; it is not the same item, so read these files one by one, or say what tells "
                "items apart"
            )
        self._shown_at.setdefault(item, where)

    def left_out(self, noun: str, rest: str = "left out", times: int = 1) -> None:
        """That something is not read, to be counted: "2 drafts left out"."""
        if times:
            self._left_out[noun, rest] += times

    def note(self, what: str, sentence: str, count: int = 0) -> None:
        """A step between the file and the study."""
        self.steps.append(Step(what, sentence, count))

    # -- the study -----------------------------------------------------------------------------------------

    def study(self, questions: str | Sequence[str] | None = None) -> Study:
        """All questions, or those that are asked for."""
        for (noun, rest), times in self._left_out.items():
            self.note("dropped", Advice.around(f"{counted(times, noun)} {rest}", rest), times)
        made: dict[str, Annotations] = {}
        for asked in self._questions.values():
            if asked.rows:
                made.update(self._made(asked, {*made}))
        if not made:
            reasons = "; ".join(step.sentence for step in self.steps)
            raise FormatError(f"{self._files()}: found no annotation to read{f' ({reasons})' if reasons else ''}")
        if questions is not None:
            wanted = [questions] if isinstance(questions, str) else list(questions)
            for name in wanted:
                if name not in made:
                    raise UnknownName(
                        f"{self._files()}: there is no question {name!r}; there are {listing(made)}."
                        + suggestion(name, made)
                    )
            made = {name: made[name] for name in wanted}
        aside = [step for question in made.values() for step in question.provenance.steps if step.what == "set aside"]
        return Study(made, self._provenance(*aside))

    def _files(self) -> str:
        return listing((source.name for source in self.sources), quote=False, most=4)

    def _question(self, name: str, kind: str | None) -> _Question:
        return self._questions.setdefault((name, kind), _Question(name, kind))

    def _provenance(self, *steps: Step) -> Provenance:
        return Provenance(tuple(source.name for source in self.sources)).then(*self.steps, *steps)

    def _made(self, asked: _Question, taken: set[str]) -> dict[str, Annotations]:
        name = asked.name
        if any(other.name == name and other.kind != asked.kind and other.rows for other in self._questions.values()):
            name = f"{name} ({asked.kind or 'answers'})"
        rows, steps = self._once(name, asked.rows)
        if asked.kind == SPANS:
            return {name: self._spans(rows, steps)}
        if asked.kind == SHAPES:
            values, further = questions_of_shapes(name, [row.value for row in rows])
            steps += further
            if not values:  # everybody looked, and nobody marked anything
                self.note("noticed", f"nobody marked anything for {name!r}", len(rows))
            return {
                called: self._column([r._replace(value=v) for r, v in zip(rows, given, strict=True)], kind, steps)
                for called, (kind, given) in values.items()
                if called not in taken
            }
        if asked.kind == CHOICES:
            return self._chosen(name, rows, steps, multiple=asked.multiple)
        return {name: self._column(rows, asked.kind, steps)}

    def _once(self, name: str, rows: list[Mark]) -> tuple[list[Mark], list[Step]]:
        """One answer of each annotator to each item."""
        cells: dict[tuple[Item, Annotator], list[Mark]] = {}
        for row in rows:
            cells.setdefault((row.item, row.annotator), []).append(row)
        extra = len(rows) - len(cells)
        if not extra:
            return rows, []
        if self.duplicates == "error":
            several = next(answers for answers in cells.values() if len(answers) > 1)
            raise DuplicateAnnotation(
                f"{several[1].where}: {several[1].annotator!r:.60} answered {name!r} for {several[1].item!r:.60} "
                f"before, in {several[0].where}, and {counted(extra, 'answer')} repeat another in all; pass {NEWEST} "
                "to take the newest",
                hints=[NEWEST],
            )
        at, word = (-1, "newest") if self.duplicates == "last" else (0, "oldest")
        sentence = f"{counted(extra, 'repeated answer')} to {name!r} left out (the {word} counts)"
        return [_by_time(answers)[at] for answers in cells.values()], [Step("dropped", sentence, extra)]

    def _spans(self, rows: Sequence[Mark], steps: Sequence[Step]) -> Annotations:
        units: list[Unit] = []
        for row in rows:
            cell, further = (row.item, row.annotator), (row.where, row.time)
            units.append(Unit(*cell, further=further))
            units += [Unit(*cell, s.start, s.end, s.label, further, s.fragments, s.features) for s in row.value]
        timed = any(row.time is not None for row in rows)
        options = self.units._replace(columns=(WHERE, TIME) if timed else (WHERE,))
        texts, tokens = (self.texts, self.tokens) if self.positions == "characters" else ({}, {})
        known = DocumentTexts(texts, tokens, self.positions)
        return annotations_of_units(self.sources, units, options, steps=[*self.steps, *steps], documents=known)

    def _chosen(self, name: str, rows: list[Mark], steps: list[Step], *, multiple: bool) -> dict[str, Annotations]:
        """Choices as sets where somebody chose several, else as labels; none is an answer only among sets."""
        if multiple or any(len(row.value) > 1 for row in rows):
            sets = [row._replace(value=frozenset(row.value)) for row in rows]
            return {name: self._column(sets, "sets", steps)}
        chosen = [row._replace(value=row.value[0]) for row in rows if row.value]
        empty = len(rows) - len(chosen)
        steps += noted("dropped", f"{counted(empty, 'answer')} to {name!r} without a choice left out", empty)
        if not chosen:
            self.steps += steps
            return {}
        return {name: self._column(chosen, "labels", steps)}

    def _column(self, rows: Sequence[Mark], kind: str | None, steps: Iterable[Step]) -> Annotations:
        attributes: dict[str, list[object]] = (
            {WHERE: [row.where for row in rows]} if any(row.where for row in rows) else {}
        )
        if any(row.time is not None for row in rows):
            attributes[TIME] = [row.time for row in rows]
        if self.texts:
            attributes[TEXT] = [self.texts.get(row.item) for row in rows]
        made = Annotations.from_columns(
            [row.item for row in rows],
            [row.annotator for row in rows],
            [row.value for row in rows],
            attributes=attributes,
            provenance=self._provenance(*steps),
        )
        return made if kind is None else replace(made, of_kind=kind)


def _by_time(answers: Sequence[Mark]) -> Sequence[Mark]:
    """Answers from the oldest to the newest; of two of one time, or without times, the later in the file is newer."""
    times = [answer.time for answer in answers]
    if all(isinstance(time, str) for time in times) or all(isinstance(time, int | float) for time in times):
        return sorted(answers, key=lambda answer: answer.time)  # type: ignore[arg-type,return-value]  # all of one type
    return answers
