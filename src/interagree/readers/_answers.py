"""Answers, as they come from the files of a tool, gathered into the questions of a study.

A reader goes through its files and says what it finds; who looked and marked nothing, answers that were given twice,
choices of one or of several, regions of several forms, places in files and what was left out are dealt with here, in
one way for all tools:

    gathered = Answers("Argilla", sources, duplicates=duplicates)
    gathered.add("sentiment", "choices", Answer("r1", "ann", ("positive",), "records.json, /0/responses"))
    gathered.marks("entities", "spans", "r1", "ann", where).append(Span(0, 3, "PER"))
    gathered.show("r1", "Ann slept.", where)
    gathered.leave_out("draft")
    study = gathered.study()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.data.types import Annotator, Item
from interagree.documents.units import DocumentTexts, Number, Unit, UnitOptions, annotations_of_units, check_word
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, UnknownName, listing, suggestion
from interagree.readers._shapes import questions_of_shapes

CHOICES, SPANS, SHAPES = "choices", "spans", "shapes"
WHERE, TIME, TEXT = "where", "timestamp", "text"
DUPLICATES = ("last", "first", "error")
NEWEST = Hint("duplicates", "last")
Time: TypeAlias = str | float | None


class Answer(NamedTuple):
    """What somebody answered to a question about an item."""

    item: Item
    annotator: Annotator
    value: Any  # as its question takes it
    where: str  # the file and the place in it: 'a.jsonl, line 3' or 'a.json, /3/annotations/0'
    time: Time = None


class Span(NamedTuple):
    """A marked stretch of a text or a recording."""

    start: Number
    end: Number
    label: str | None = None
    fragments: tuple[tuple[Number, Number], ...] = ()
    features: tuple[tuple[str, object], ...] = ()

    def value(self) -> tuple[object, ...]:
        """The span as it stands in a value of the kind spans, or in a relation."""
        return Unit(None, None, self.start, self.end, self.label, (), self.fragments, self.features).value()


@dataclass(slots=True)
class _Question:
    """A question in the making."""

    name: str
    kind: str | None
    rows: list[Answer] = field(default_factory=list)
    cells: dict[tuple[Item, Annotator], list[Any]] = field(default_factory=dict)  # of marks, by who made them
    multiple: bool = False


class Answers:
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

    def add(self, question: str, kind: str | None, answer: Answer) -> None:
        """An answer.

        Args:
            question: What was asked.
            kind: "choices" for a tuple of options, which are labels where nobody chose several, and else sets; the
                name of a kind of value; or None where it is to be recognised.
            answer: The answer.
        """
        self._question(question, kind).rows.append(answer)

    def marks(  # noqa: PLR0917 -- which question, and the four parts of an answer
        self, question: str, kind: str, item: Item, annotator: Annotator, where: str, time: Time = None
    ) -> list[Any]:
        """What somebody marked in an item, to be added to: `Span` for "spans", `Shape` for "shapes", else values.

        Asking says that they looked: a list that stays empty is an answer.
        """
        asked = self._question(question, kind)
        cell = (item, annotator)
        if cell not in asked.cells:
            asked.cells[cell] = []
            asked.rows.append(Answer(item, annotator, asked.cells[cell], where, time))
        return asked.cells[cell]

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

    def leave_out(self, noun: str, rest: str = "left out", times: int = 1) -> None:
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
        if asked.cells:
            rows = [row._replace(value=sorted(set(row.value), key=str)) for row in rows]
        return {name: self._column(rows, asked.kind, steps)}

    def _once(self, name: str, rows: list[Answer]) -> tuple[list[Answer], list[Step]]:
        """One answer of each annotator to each item."""
        cells: dict[tuple[Item, Annotator], list[Answer]] = {}
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

    def _spans(self, rows: Sequence[Answer], steps: Sequence[Step]) -> Annotations:
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

    def _chosen(self, name: str, rows: list[Answer], steps: list[Step], *, multiple: bool) -> dict[str, Annotations]:
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

    def _column(self, rows: Sequence[Answer], kind: str | None, steps: Iterable[Step]) -> Annotations:
        attributes: dict[str, list[object]] = {WHERE: [row.where for row in rows]}
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


def _by_time(answers: Sequence[Answer]) -> Sequence[Answer]:
    """Answers from the oldest to the newest; of two of one time, or without times, the later in the file is newer."""
    times = [answer.time for answer in answers]
    if all(isinstance(time, str) for time in times) or all(isinstance(time, int | float) for time in times):
        return sorted(answers, key=lambda answer: answer.time)  # type: ignore[arg-type,return-value]  # all of one type
    return answers


def field_of(record: Mapping[str, object], key: str, wanted: type | tuple[type, ...], where: str) -> Any:
    """An entry of a record that must be there and of a type; None is not."""
    value = record.get(key)
    if isinstance(value, wanted) and not (isinstance(value, bool) and wanted in {int, float}):
        return value
    names = {
        str: "a text",
        int: "a whole number",
        float: "a number",
        list: "a list",
        dict: "an object",
        bool: "true or false",
    }
    types = wanted if isinstance(wanted, tuple) else (wanted,)
    words = " or ".join(names.get(kind, kind.__name__) for kind in types)
    found = f"{value!r:.60}" if key in record else "nothing"
    raise FormatError(f"{where}: expected {words} in {key!r}, found {found}")
