"""The way in: what sources say, mark by mark, becomes the questions of a study.

A source says who gave which value to what; who looked and marked nothing, answers that were given twice, choices of one
or of several, regions of several forms, offsets, places in files and what was left out are dealt with here, in one way
for all:

    gathered = Gatherer("Argilla", sources, duplicates=duplicates)
    gathered.add(Mark("sentiment", "r1", "ann", ("positive",), "records.json, /0/responses"), "choices")
    gathered.looked("r1", "ann", "entities", "records.json, /0/responses", kind="spans")
    gathered.add(Mark("entities", "r1", "ann", Span(0, 3, "PER"), "records.json, /0/responses"))
    gathered.show("r1", "Ann slept.", where)
    gathered.left_out("draft")
    study = gathered.study()

**A record** is what one place (`where`) says of an item, an annotator and a question.  A `Span`, a `Link` or a `Shape`
is one of the marks of its record, in whatever order they come, and so are a single choice and a line of a text; a list
(of choices, a tuple) is all that the record holds.  Two records of one item and annotator are two answers, of which the
newest counts (``duplicates``).

**Who looked** is said of a record: with a question that is so asked for sure, or else for all questions, or some of
them, that somebody answered by marking or choosing something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from interagree.data.annotations import Annotations
from interagree.data.columns import Columns, IntoColumn
from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.data.types import Annotator, Item
from interagree.errors import (
    Advice,
    DataError,
    DuplicateAnnotation,
    FormatError,
    Hint,
    KindError,
    ReaderHint,
    UnknownName,
    listing,
    suggestion,
)
from interagree.gather.marks import Link, Mark, Number, Span, Time
from interagree.gather.offsets import in_characters
from interagree.gather.shapes import MASK, MASKS, POLYGONS, QUESTIONS, Shape, questions_of_shapes
from interagree.gather.units import LOOKED as ALL_LOOKED
from interagree.gather.units import UnitOptions, assumed, check_word, values_of_spans
from interagree.gather.whose import OwnedFile, by_file, by_pattern, by_place

CHOICES, SPANS, SHAPES, RELATIONS, CLUSTERS, TEXT = "choices", "spans", "shapes", "relations", "clusters", "text"
LISTS = frozenset({SPANS, SHAPES, RELATIONS, CLUSTERS})  # kinds whose values are made of marks
MAY_BE_EMPTY = LISTS | {CHOICES}
WHERE, TIME = "where", "timestamp"
DUPLICATES = ("last", "first", "error")
LOOKED = ("listed", "marked", "all")
NEWEST = Hint("duplicates", "last")
Record: TypeAlias = tuple[Item, Annotator, str]


class _Look(NamedTuple):
    """That somebody looked: at which record, for which of the questions that there are (None: all), and when."""

    record: Record
    asked: AbstractSet[str] | None
    time: Time

    @property
    def counts(self) -> bool:
        """Whether anything was asked."""
        return self.asked is None or bool(self.asked)


@dataclass(slots=True)
class _Question:
    """A question in the making."""

    name: str
    kind: str | None
    rows: list[Mark] = field(default_factory=list)
    lists: dict[Record, list[Any]] = field(default_factory=dict)  # the marks of records
    known: dict[Record, Mapping[str, Hashable]] = field(default_factory=dict)  # what the first of them says beside
    uneven: set[str] = field(default_factory=set)  # of which the marks of a record say several things
    multiple: bool = False

    def marks(self, mark: Mark) -> list[Any]:
        """The marks of a record, to be added to."""
        record = (mark.item, mark.annotator, mark.where)
        if record not in self.lists:
            self.lists[record] = []
            self.rows.append(mark._replace(value=self.lists[record]))
        if mark.about:
            known = self.known.setdefault(record, mark.about)
            if known != mark.about:
                self.uneven |= {name for name, entry in mark.about.items() if known.get(name, entry) != entry}
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
        named: Sequence[str] | None = None,  # what the sources are called together, where they are many
        doubt: Callable[[Mark, Mark], DataError] | None = None,  # the error for two answers, where another than usual
    ) -> None:
        check_word("duplicates", duplicates, DUPLICATES)
        self.doubt = doubt
        self.named = tuple(source.name for source in sources) if named is None else tuple(named)
        self.tool, self.sources, self.duplicates, self.positions = tool, sources, duplicates, positions
        self.units = units or UnitOptions(once=True)
        self.steps: list[Step] = []
        self.texts: dict[Item, str] = {}
        self.texts_of: dict[str, Mapping[Item, str]] = {}  # of questions that are about other texts than the others
        self.tokens: dict[Item, tuple[tuple[Number, Number], ...]] = {}  # where those of texts start and end
        self.sizes: dict[tuple[Item, str], tuple[int, int]] = {}  # of images in records: height and width in pixels
        self.positions_of: dict[str, str | None] = {}  # of questions that count otherwise than the others
        self._shown_at: dict[Item, str] = {}
        self._cut: dict[tuple[Item, str], list[Span]] = {}  # the tokens that records state
        self._own: dict[str, list[Step]] = {}  # what is to be said of single questions
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._questions: dict[tuple[str, str | None], _Question] = {}
        self._taken: dict[str, Annotations] = {}
        self._looks: dict[Record, _Look] = {}
        self._unseen: dict[Item, str] = {}  # items that files list without saying who looked, and where

    @classmethod
    def of_files(cls, tool: str, path: Paths, suffixes: Sequence[str], **settings: Any) -> Gatherer:
        """A study in the making of the files that a caller named, which says what else lies in their folders."""
        sources = list(files_in(path, suffixes))
        gathered = cls(tool, sources, **settings)
        gathered.steps += unread_files(path, sources, deep=False)
        return gathered

    # -- what a reader says --------------------------------------------------------------------------------

    def add(self, mark: Mark, kind: str | None = None) -> None:
        """A mark, or all that a record answers.

        Args:
            mark: Who said what of what.
            kind: "choices" of options, which are labels where nobody chose several, and else sets; "spans",
                "relations", "clusters" or "shapes"; the name of another kind of value; or None where it is that of the
                mark, or is to be recognised.
        """
        value = mark.value
        if kind is None and isinstance(value, Span | Link | Shape):
            kind = SPANS if isinstance(value, Span) else RELATIONS if isinstance(value, Link) else SHAPES
        usual = QUESTIONS[value.form] if not mark.question and isinstance(value, Shape) else mark.question
        question = self._question(usual, kind)
        if kind in LISTS:
            if not isinstance(value, list):
                question.marks(mark).append(value)
            elif (mark.item, mark.annotator, mark.where) in question.lists:
                question.rows.append(mark)
            else:
                question.marks(mark).extend(value)
        elif kind == TEXT or (kind == CHOICES and isinstance(value, str)):
            question.marks(mark).append(value)
        else:
            question.rows.append(mark)

    def take(self, question: str, made: Annotations) -> None:
        """A question with many marks, made from columns; what is to be said of all questions is said of it, too."""
        self._taken[question] = made

    def looked(
        self,
        item: Item,
        annotator: Annotator | None,
        question: str | AbstractSet[str] | None = None,
        where: str = "",
        time: Time = None,
        *,
        kind: str | None = None,
        about: Mapping[str, Hashable] | None = None,
    ) -> None:
        """That somebody looked: what is not marked in this record is not there.

        Args:
            item: What they looked at.
            annotator: Who; None where the file lists the item and does not say for whom.
            question: What they looked for; several questions, or None for all, of those that somebody answers.
            where: The record in the file.
            time: When.
            kind: What sort of marks one question asks for, which then is asked even if nobody marked anything.
            about: What else is known of the record, where one question is so asked.
        """
        if annotator is None:
            self._unseen.setdefault(item, where)
        elif kind is not None and isinstance(question, str):
            self._question(question, kind).marks(Mark(question, item, annotator, None, where, time, about or {}))
        else:
            record = (item, annotator, where)
            if record not in self._looks:
                asked = {question} if isinstance(question, str) else question
                self._looks[record] = _Look(record, asked, time)

    def images_of(
        self, annotator: str | None, *, wanted: str, ends: Sequence[str] = (), names: Sequence[str] = ()
    ) -> Iterator[OwnedFile]:
        """The files, of one image and annotator each, as `by_place` tells; all were looked at."""
        files, steps = by_place(self.sources, annotator, wanted=wanted, ends=ends, names=names)
        self.steps += steps
        for file in files:
            self.looked(file.document, file.annotator, where=file.source.name)
            yield file

    def files_of(self, annotator: str | None, items: Sequence[Iterable[str]]) -> list[str] | None:
        """Who annotated each file, of several images, by a pattern or as `by_file` tells; None where nothing does."""
        told = by_file(self.sources, items) if annotator is None else by_pattern(self.sources, annotator)
        if told is not None:
            self.steps.append(told[1])
        return None if told is None else told[0]

    def take_looked(self, looked: str | Sequence[Annotator]) -> None:
        """Settle, when all is added, who looked at images in which they marked nothing, and say so.

        Args:
            looked: Those of whom `looked` was said ("listed"), nobody ("marked"), "all" at every image, or names of
                those who looked at every image.
        """
        marked = self._marked()
        known = [*dict.fromkeys(who for _, who, _ in (*self._looks, *marked))]
        by_word = isinstance(looked, str) and looked in LOOKED
        everybody = (known if looked == "all" else []) if by_word else [looked] if isinstance(looked, str) else looked
        for who in everybody:
            if who not in known:
                raise UnknownName(
                    f"looked takes {listing(LOOKED)}, or names of annotators, and {who!r} is not one; they are "
                    f"{listing(known)}"
                )
        listed = any(look.counts and record not in marked for record, look in self._looks.items()) or not self._unseen
        if everybody:
            self.note("assumed", f"all images were looked at by {listing(everybody)}")
            there = {(item, who) for item, who, _ in self._looks}
            places = self._unseen | {item: where for item, _, where in self._looks}
            for item, where in places.items():
                for who in everybody:
                    if (item, who) not in there:
                        self.looked(item, who, where=where)
        elif looked == "marked" or not listed:
            other, rest = ("listed", "takes all images") if listed else ("all", "assumes they did")
            sentence = "who marked nothing in an image did not look at it ("
            self.note("assumed", Advice.of(sentence, Hint("looked", other), f" {rest})"))
            self._looks = {record: look for record, look in self._looks.items() if record in marked}
        elif self._unseen:
            self.note("assumed", "images were looked at by those whom the file lists for them")
        else:
            sentence = "every image that a file lists was looked at ("
            self.note("assumed", Advice.of(sentence, Hint("looked", "marked"), " takes those with annotations)"))

    def takes_several(self, question: str) -> None:
        """That several options may be chosen, also where nobody chose more than one."""
        self._question(question, CHOICES).multiple = True

    def sized(self, item: Item, where: str, size: tuple[int, int] | None) -> None:
        """Height and width in pixels of the image that a record is about, where they are known."""
        if size is not None:
            self.sizes[item, where] = size

    def show(self, item: Item, text: str, where: str, tokens: Sequence[Span] = ()) -> None:
        """The text that an item shows in a record, and its tokens; an error where it showed another one before."""
        if (other := self.texts.setdefault(item, text)) != text:
            pairs = enumerate(zip(other, text, strict=False))
            at = next((place for place, (one, two) in pairs if one != two), min(len(other), len(text)))
            raise FormatError(
                f"the item {item!r:.60} shows one text in {self._shown_at[item]} and another in {where}: they part at "
                f"character {at} ({other[at : at + 20]!r}, {text[at : at + 20]!r}); it is not the same item, so read "
                "these files one by one, say what tells items apart, or give annotators the same text"
            )
        self._shown_at.setdefault(item, where)
        if tokens:
            self._cut[item, where] = list(tokens)

    def left_out(self, noun: str, rest: str = "left out", times: int = 1) -> None:
        """That something is not read, to be counted: "2 drafts left out"."""
        self.count("dropped", noun, rest, times)

    def noticed(self, noun: str, rest: str, times: int = 1) -> None:
        """Something about what is read, to be counted likewise."""
        self.count("noticed", noun, rest, times)

    def count(self, what: str, noun: str, rest: str, times: int = 1) -> None:
        """A step between the file and the study that is counted: what it is, and "2 files fitted to their texts"."""
        self._counts[what, noun, rest] += times

    def drops(self, noun: str, rest: str = "", *, usual: str = "keep", **option: str) -> bool:
        """Whether the caller drops what an option is for, which is counted either way: "2 regions marked iscrowd kept".

        Args:
            noun: What it is.
            rest: What tells it from others of its kind.
            usual: What is done unless the caller says otherwise: then the sentence says how to.
            option: The name of the option, and "keep" or "drop".
        """
        ((name, given),) = option.items()
        dropped = given == "drop"
        sentence = f"{rest} {'left out' if dropped else 'kept'}".strip()
        if given == usual:
            other, does = ("keep", "keeps them") if dropped else ("drop", "leaves them out")
            sentence = Advice.of(f"{sentence} (", ReaderHint(name, other), f" {does})")
        self.count("dropped" if dropped else "noticed", noun, sentence)
        return dropped

    def note(self, what: str, sentence: str, count: int = 0, *, question: str | None = None) -> None:
        """A step between the file and the study, or one of its questions."""
        steps = self.steps if question is None else self._own.setdefault(question, [])
        steps.append(Step(what, sentence, count))

    def once(self, rows: list[Mark], noun: str, of: str, did: str) -> tuple[list[Mark], list[Step]]:
        """One answer of each annotator to each item, by the rule that the caller chose.

        Args:
            rows: The answers.
            noun: What an answer is called.
            of: What it is of, for the sentence that says how many were left out.
            did: What somebody did twice, for the error: "answered 'tone' for".
        """
        cells: dict[tuple[Item, Annotator], list[Mark]] = {}
        for row in rows:
            cells.setdefault((row.item, row.annotator), []).append(row)
        extra = len(rows) - len(cells)
        if not extra:
            return rows, []
        if self.duplicates == "error":
            several = next(answers for answers in cells.values() if len(answers) > 1)
            if self.doubt is not None:
                raise self.doubt(*several[:2])
            raise DuplicateAnnotation(
                f"{several[1].where}: {several[1].annotator!r:.60} {did} {several[1].item!r:.60} before, in "
                f"{several[0].where}, and {counted(extra, noun)} repeat another in all; pass "
                f"{NEWEST} to take the newest",
                hints=[NEWEST],
            )
        at, word = (-1, "newest") if self.duplicates == "last" else (0, "oldest")
        sentence = f"{counted(extra, f'repeated {noun}')} {of} left out (the {word} counts)"
        return [_by_time(answers)[at] for answers in cells.values()], [Step("dropped", sentence, extra)]

    # -- the study -----------------------------------------------------------------------------------------

    def study(self, questions: str | Sequence[str] | None = None) -> Study:
        """All questions, or those that are asked for."""
        self._one_form()
        self._put_right()
        self._fill_in()
        for (what, noun, rest), times in self._counts.items():
            self.steps += noted(what, Advice.around(f"{counted(times, noun)} {rest}", rest), times)
        made: dict[str, Annotations] = {}
        for asked in self._questions.values():
            if asked.rows:
                made.update(self._made(asked, {*made}))
        for name, given in self._taken.items():
            made[name] = replace(given, provenance=self._provenance(*given.provenance.steps))
        if not made:
            reasons = "; ".join(step.sentence for step in self.steps)
            raise FormatError(f"{self.files}: found no annotation to read{f' ({reasons})' if reasons else ''}")
        if questions is not None:
            wanted = [questions] if isinstance(questions, str) else list(questions)
            for name in wanted:
                if name not in made:
                    raise UnknownName(
                        f"{self.files}: there is no question {name!r}; there are {listing(made)}."
                        + suggestion(name, made)
                    )
            made = {name: made[name] for name in wanted}
        aside = [step for question in made.values() for step in question.provenance.steps if step.what == "set aside"]
        return Study(made, self._provenance(*aside))

    @property
    def files(self) -> str:
        """The names of the sources, for errors."""
        return listing((source.name for source in self.sources), quote=False, most=4)

    def _marked(self) -> set[Record]:
        """The records in which somebody marked or answered something."""
        questions = self._questions.values()
        return {(row.item, row.annotator, row.where) for asked in questions for row in asked.rows if row.value}

    def _fill_in(self) -> None:
        """Put the records of those who looked into the questions that they were asked, in the order they looked in."""
        if not self._looks:
            return
        marked = self._marked()
        for asked in self._questions.values():
            if asked.kind not in MAY_BE_EMPTY or not any(row.value for row in asked.rows):
                continue
            known: dict[Record, list[Mark]] = {}
            for row in asked.rows:
                known.setdefault((row.item, row.annotator, row.where), []).append(row)
            rows: list[Mark] = []
            for look in self._looks.values():
                if look.asked is None or asked.name in look.asked:
                    item, annotator, where = look.record
                    rows += known.pop(look.record, [Mark(asked.name, item, annotator, [], where, look.time)])
            asked.rows = [*rows, *(row for others in known.values() for row in others)]
        nothing = sum(look.counts and record not in marked for record, look in self._looks.items())
        self.steps += noted("noticed", f"{counted(nothing, 'time')} somebody looked and marked nothing", nothing)

    def _one_form(self) -> None:
        """Draw polygons as masks where others drew masks, so that one can be compared with the other."""
        outlines, masks = (self._questions.get((name, SHAPES)) for name in (POLYGONS, MASKS))
        drawn = [row for row in outlines.rows if row.value] if outlines else []
        if outlines is None or masks is None or not drawn or not any(row.value for row in masks.rows):
            return
        if any((row.item, row.where) not in self.sizes for row in drawn):
            self.note(
                "noticed",
                "polygons and masks are not compared with each other, since the sizes of some images are not known",
            )
            return
        from interagree.gather.raster import mask_of_polygon

        for row in drawn:
            size = self.sizes[row.item, row.where]
            masks.marks(row._replace(question=MASKS)).extend(
                shape._replace(form=MASK, place=mask_of_polygon(shape.place, size, row.where)) for shape in row.value
            )
        outlines.rows.clear()
        for record, look in self._looks.items():
            if look.asked is not None and POLYGONS in look.asked:
                self._looks[record] = look._replace(asked={*look.asked, MASKS})
        count = sum(len(row.value) for row in drawn)
        done = f"{counted(count, 'polygon')} drawn as masks, to be compared with the masks of others"
        self.note("taken", done, count)

    def _put_right(self) -> None:
        """Make offsets characters that count UTF-16 units, as shows in the text that spans say they cover."""
        rows = [
            (row, text)
            for asked in self._questions.values()
            if asked.kind in {SPANS, RELATIONS} and self.positions_of.get(asked.name, self.positions) == "characters"
            for row in asked.rows
            if (text := self._text(asked.name, row.item)) is not None
        ]
        spans: dict[tuple[Item, Annotator, str, str], list[Span]] = {}
        for row, text in rows:
            spans.setdefault((row.item, row.annotator, row.where, text), []).extend(_ends(row.value))
        marked = {(item, where) for item, _, where, _ in spans}
        cut = self._cut if self.positions == "characters" else {}
        spans |= {(item, None, where, self.texts[item]): [] for item, where in cut if (item, where) not in marked}
        records = [
            (where, text, [*ends, *cut.get((item, where), ())]) for (item, _, where, text), ends in spans.items()
        ]
        right, steps = in_characters(records, "tokens and spans" if cut else "")
        self.steps += steps
        fixed = {record: iter(ends) for record, ends in zip(spans, right, strict=False)}
        for row, text in rows if fixed else ():
            _put_in(row.value, fixed[row.item, row.annotator, row.where, text])
        for (item, _, where, _), rest in fixed.items():
            if (item, where) in cut:  # what remains are tokens
                cut[item, where] = list(rest) or cut[item, where]
        self._cut_alike()

    def _cut_alike(self) -> None:
        """The tokens of items: those that were stated first."""
        differing = set()
        for (item, _), tokens in self._cut.items():
            places = tuple((token.start, token.end) for token in tokens)
            if self.tokens.setdefault(item, places) != places:
                differing.add(item)
        sentence = f"{counted(len(differing), 'input')} cut into tokens in several ways; the first one is kept"
        self.steps += noted("noticed", sentence, len(differing))

    def _text(self, question: str, item: Item) -> str | None:
        """The text that an item shows to a question."""
        return self.texts_of.get(question, self.texts).get(item)

    def _question(self, name: str, kind: str | None) -> _Question:
        key = (name, kind)
        if key not in self._questions:
            self._questions[key] = _Question(name, kind)
        return self._questions[key]

    def _provenance(self, *steps: Step) -> Provenance:
        return Provenance(self.named).then(*self.steps, *steps)

    def _made(self, asked: _Question, taken: set[str]) -> dict[str, Annotations]:
        name = asked.name
        if any(other.name == name and other.kind != asked.kind and other.rows for other in self._questions.values()):
            name = f"{name} ({asked.kind or 'answers'})"
        rows, steps = self.once(asked.rows, "answer", f"to {name!r}", f"answered {name!r} for")
        steps = [*self._own.get(asked.name, ()), *steps]
        if asked.kind == SPANS:
            return {name: self._spans(name, rows, steps, asked.uneven)}
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
        if asked.kind == TEXT:
            rows = [row._replace(value="\n".join(row.value)) for row in rows]
        if asked.kind == RELATIONS:
            linked = [{mark.value() if isinstance(mark, Link) else mark for mark in row.value} for row in rows]
            twice = sum(len(row.value) - len(marks) for row, marks in zip(rows, linked, strict=True))
            what = f"{counted(twice, 'identical relation')} that somebody marked twice left out"
            steps += noted("merged", what, twice)
            rows = [row._replace(value=sorted(marks, key=str)) for row, marks in zip(rows, linked, strict=True)]
        if asked.kind in {RELATIONS, CLUSTERS}:
            rows, steps = self._with_everybody(rows), [*steps, *assumed(self.sources, self.units)]
        return {name: self._column(rows, asked.kind, steps)}

    def _with_everybody(self, rows: list[Mark]) -> list[Mark]:
        """Answers, and those of who looked at everything, of which is known what is known of all their others."""
        looked = self.units.looked
        if looked == "marked":
            return rows
        if isinstance(looked, str) and looked != "all":
            raise KindError(f"looked must be {listing(ALL_LOOKED)}, or a list of annotators, got {looked!r}")
        own: dict[Annotator, list[Mark]] = {}
        for row in rows:
            own.setdefault(row.annotator, []).append(row)
        everybody = {who: _alike(rows[0].question, own.get(who, [])) for who in (own if looked == "all" else looked)}
        there = {(row.item, row.annotator) for row in rows}
        cells = [(item, who) for item in dict.fromkeys(row.item for row in rows) for who in everybody]
        return [*rows, *(everybody[who]._replace(item=i, annotator=who) for i, who in cells if (i, who) not in there)]

    def _spans(self, name: str, rows: list[Mark], steps: Sequence[Step], uneven: AbstractSet[str]) -> Annotations:
        values, more = values_of_spans([row.value for row in rows], self.units)
        further = assumed(self.sources, self.units, sum(not row.value for row in rows))
        rows = self._with_everybody([row._replace(value=value) for row, value in zip(rows, values, strict=True)])
        made = self._column(rows, SPANS, [*steps, *more, *further])
        positions = self.positions_of.get(name, self.positions)
        known: dict[str, IntoColumn] = {column: made.attributes[column] for column in made.attributes}
        for column in (*uneven, *(() if positions == "characters" else (TEXT,))):
            known.pop(column, None)
        if positions == "characters" and self.tokens:
            known["tokens"] = [self.tokens.get(row.item) for row in rows]
        if positions is not None:
            known["positions"] = [positions] * len(rows)
        return replace(made, attributes=Columns.of(known))

    def _chosen(self, name: str, rows: list[Mark], steps: list[Step], *, multiple: bool) -> dict[str, Annotations]:
        """Choices as sets where somebody chose several, else as labels; none is an answer only among sets."""
        rows = [row._replace(value=tuple(dict.fromkeys(row.value))) for row in rows]
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
        attributes = _columns(rows)
        if rows and self.texts_of.get(rows[0].question, self.texts):
            attributes[TEXT] = [self._text(row.question, row.item) for row in rows]
        made = Annotations.from_columns(
            [row.item for row in rows],
            [row.annotator for row in rows],
            [row.value for row in rows],
            attributes=attributes,
            provenance=self._provenance(*steps),
        )
        return made if kind is None else replace(made, of_kind=kind)


def _ends(marks: Iterable[object]) -> Iterator[Span]:
    """The spans among marks, and those that links join."""
    for mark in marks:
        if isinstance(mark, Span):
            yield mark
        elif isinstance(mark, Link):
            yield from mark[:2]


def _put_in(marks: list[Any], ends: Iterator[Span]) -> None:
    """Put other spans in the place of those that `_ends` finds."""
    for at, mark in enumerate(marks):
        if isinstance(mark, Span):
            marks[at] = next(ends)
        elif isinstance(mark, Link):
            marks[at] = mark._replace(head=next(ends), tail=next(ends))


def _columns(rows: Sequence[Mark]) -> dict[str, list[Any]]:
    """What is known of records beside their values, a column for each thing that is known of any."""
    columns: dict[str, list[Any]] = {}
    if any(row.where for row in rows):
        columns[WHERE] = [row.where for row in rows]
    if any(row.time is not None for row in rows):
        columns[TIME] = [row.time for row in rows]
    names = dict.fromkeys(name for row in rows for name in row.about)
    return columns | {name: [row.about.get(name) for row in rows] for name in names}


def _alike(question: str, rows: Sequence[Mark]) -> Mark:
    """An answer with nothing in it, and what is known of all answers of somebody."""
    if not rows:
        return Mark(question, None, None, [])
    first = rows[0]
    about = {name: said for name, said in first.about.items() if all(row.about.get(name) == said for row in rows)}
    where = first.where if all(row.where == first.where for row in rows) else ""
    return Mark(question, None, None, [], where, first.time if len({row.time for row in rows}) == 1 else None, about)


def _by_time(answers: Sequence[Mark]) -> Sequence[Mark]:
    """Answers from the oldest to the newest; of two of one time, or without times, the later in the file is newer."""
    times = [answer.time for answer in answers]
    if all(isinstance(time, str) for time in times) or all(isinstance(time, int | float) for time in times):
        return sorted(answers, key=lambda answer: answer.time)  # type: ignore[arg-type,return-value]  # all of one type
    return answers
