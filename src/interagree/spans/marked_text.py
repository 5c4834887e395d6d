"""The text of a document with what every annotator marked in it, one below the other.

Under each line of the text stands a row for each annotator: a bracket from where a span begins to where it ends, with
its label.  Spans of one annotator that overlap lie below one another, the pieces of a span in several pieces are joined
by dots, and ``<`` and ``>`` say that a span goes on in the line before or after.  A ``!`` in the margin says that a
span in that row was not marked by all annotators alike, and behind the row stands how they differ, where that is known.

Without a text, or with ``text=False`` for texts that nobody may see, the positions stand where the text would.

Alignment.  A wide character takes two cells and a mark that goes with a letter none; a tab, a line break and any other
sign without a shape is shown as one that has one.  A line with letters from right to left is shown in the order in
which it is read, first letter left, since terminals would turn it around and its marks not; as HTML, where marks are
parts of a table, it runs from right to left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias, Unpack

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Item, Value
from interagree.declare import takes_data
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.errors import visible as spell_out
from interagree.kinds.spans import label as label_of
from interagree.kinds.spans import pieces as pieces_of
from interagree.results.answer import Answer
from interagree.results.cells import (
    ENDS_LINE,
    bracket_of,
    cells,
    cut_to,
    plain_label,
    short_name,
    terminal_line,
    visible,
    width_of,
)
from interagree.results.document import Document, Section
from interagree.results.narrow import narrow
from interagree.spans.marked_html import AGREED, DIFFERS, LONGEST_NAME, colour_of, to_html
from interagree.spans.shown_text import TEN, Number, Place, ShownText, stacked
from interagree.tables import Table

WIDTH, NARROW, WIDE = 80, 40, 240  # cells of a line: usual, least and most
HTML_WIDTH = 100
FOR_LABELS = 8  # cells at the end of a line for a label that does not fit into its bracket
NEAR = 16  # characters up to which what is shown around a span is made longer to end with a word
BESIDE = 20  # cells for names beside a line of positions

Status: TypeAlias = Mapping[tuple[int, int], str]  # by row of the study and place in its value


class ShownSpan(NamedTuple):
    """A span of an annotator: where its pieces lie in what is shown, and what is to be said of it."""

    annotator: int
    pieces: tuple[Place, ...]  # in characters of what is shown
    label: str | None
    status: str
    begin: Number  # as the study has it
    end: Number

    @property
    def differs(self) -> bool:
        """Whether not all annotators marked it alike."""
        return self.status != AGREED

    @property
    def name(self) -> str:
        """The label; a span without one has a dash."""
        return "–" if self.label is None else self.label


class ShownLine(NamedTuple):
    """A line of what is shown: from which character to which, and whether something was left out before it."""

    low: int
    high: int
    gap: bool


@dataclass(frozen=True, eq=False)
class MarkedText(Answer):
    """One document with the marks of all annotators; prints as text, and shows as HTML in a notebook."""

    name: Item
    annotators: tuple[Annotator, ...]
    absent: tuple[Annotator, ...]  # who did not look
    shown: str  # the text, or a ruler of positions
    is_text: bool
    spans: tuple[ShownSpan, ...]
    width: int = WIDTH
    context: int | None = None
    disagreements: Table | None = None  # of this document, one by one, where they were asked for

    def tables(self) -> dict[str, Table]:
        """A row for each span: whose it is, where it lies, what it covers and whether all marked it alike."""
        rows = []
        for span in self.spans:
            row = {
                "annotator": self.annotators[span.annotator], "start": span.begin, "end": span.end,
                "label": span.label, "status": span.status,
            }  # fmt: skip
            if self.is_text:
                row["text"] = " … ".join(self.shown[low:high] for low, high in span.pieces)
            rows.append(row)
        names = ["annotator", "start", "end", "label", "status", *(["text"] if self.is_text else [])]
        tables = {"spans": Table.of(rows, title=str(self.name), names=names)}
        return tables if self.disagreements is None else {**tables, "disagreements": self.disagreements}

    def document(self, *, drawing: bool = True) -> Document:
        """The text with its spans, and its disagreements where they were asked for.

        Args:
            drawing: Whether the text is part of it; not where it was drawn already.
        """
        title = f"Document {self.name}"
        sections = [Section(title, lines=str(self).split("\n"), verbatim=True)] if drawing else []
        data: dict[str, object] = {"document": str(self.name), "spans": self.table()}
        if self.disagreements is None:
            return Document("", sections, data, self.table())
        if len(self.disagreements):
            shown = self.disagreements.without("document", "begin", "end")
            sections.append(Section("Disagreements", table=narrow(shown)))
        return Document("", sections, {**data, "disagreements": self.disagreements}, self.disagreements)

    def summary(self) -> list[str]:
        """What the picture does not show: how many spans there are, and who marked nothing or did not look."""
        differing = sum(span.differs for span in self.spans)
        sentences = [f"{counted(len(self.spans), 'span')}, {differing:,} not shared by all"]
        silent = [
            str(name)
            for place, name in enumerate(self.annotators)
            if all(span.annotator != place for span in self.spans)
        ]
        if silent:
            sentences.append(f"looked and marked nothing: {', '.join(map(spell_out, silent))}")
        if self.absent:
            sentences.append(f"did not look: {', '.join(spell_out(str(name)) for name in self.absent)}")
        return sentences

    def __str__(self) -> str:
        return self.render()

    def render(self, width: int | None = None, *, colour: bool = False) -> str:
        """The text with its marks as lines of a terminal.

        Args:
            width: How many cells a line has; that of the text where it is not given.
            colour: Whether brackets are coloured by ANSI codes.  Nothing is said by colour alone.
        """
        names = [short_name(str(name), LONGEST_NAME) for name in self.annotators]
        margin = 2 + max(map(width_of, names), default=0) + 2
        room = max(min(max(width or self.width, NARROW), WIDE) - margin, TEN)
        drawn: list[str] = ["".join(map(visible, str(self.name)))]
        for line, here in self.marked_lines(max(room - self._longest_label(), TEN)):
            drawn += [" " * margin + "…"] * line.gap
            if line.low < line.high:
                drawn.append((" " * margin + terminal_line(self.shown[line.low : line.high])).rstrip())
            if not here:
                continue
            for place, name in enumerate(names):
                rows = stacked([span for span in here if span.annotator == place], self._room_of(line, room))
                for number, row in enumerate(rows or [[]]):
                    head = name + " " * (margin - 4 - width_of(name)) if not number else " " * (margin - 4)
                    drawn.append(self._row(row, line, head, room, colour=colour))
        return "\n".join([*drawn, *self.summary()])

    def _longest_label(self) -> int:
        """The room that labels may need at the end of a line."""
        return min(max((width_of(span.name) for span in self.spans), default=0), FOR_LABELS)

    def _row(self, row: Sequence[ShownSpan], line: ShownLine, head: str, room: int, *, colour: bool) -> str:
        differing = [span for span in row if span.differs]
        text, at = f"{'!' if differing else ' '} {head}  ", 0
        for span in row:
            start, bracket = self._bracket(span, line, room)
            text += " " * (start - at) + (self._painted(span, bracket) if colour else bracket)
            at = start + width_of(bracket)
        words = [word for word in dict.fromkeys(span.status for span in differing) if word != DIFFERS]
        return (text + (f"  ({', '.join(words)})" if words else "")).rstrip()

    def _painted(self, span: ShownSpan, bracket: str) -> str:
        red, green, blue = (int(colour_of(span.status)[k : k + 2], 16) for k in (1, 3, 5))
        bold = "1;" if span.differs else ""
        return f"\x1b[{bold}38;2;{red};{green};{blue}m{bracket}\x1b[0m"

    def _bracket(self, span: ShownSpan, line: ShownLine, room: int) -> tuple[int, str]:
        """In which cell the bracket of a span begins in a line, and the bracket with its label."""
        drawn, start, at = "", -1, 0
        label = plain_label(span.name)
        for low, high in span.pieces:
            if high <= line.low or low >= line.high:
                continue
            begin, end = self._cells_of(line, low, high)
            if start < 0:
                start = at = begin
            begin = max(begin, at)
            end = max(end, begin + 1)
            drawn += "·" * (begin - at)
            into, on = low < line.low, high > line.high
            drawn += bracket_of(end - begin, label, into=into, on=on)
            if label and width_of(label) <= end - begin - 2:
                label = ""
            at = end
        if not label or span.pieces[-1][1] > line.high:  # it is written already, or there is another line for it
            return start, drawn
        return start, drawn + cut_to(label, room - start - width_of(drawn))

    def _cells_of(self, line: ShownLine, low: int, high: int) -> Place:
        """From which cell to which a piece reaches in a line; one cell at least."""
        ends = self._ends(line)
        begin = ends[max(low, line.low) - line.low]
        end = ends[min(high, line.high) - line.low]
        begin = min(begin, max(ends[-1] - 1, 0))
        return begin, max(end, begin + 1)

    def _ends(self, line: ShownLine) -> list[int]:
        """How many cells come before each character of a line, and how many there are."""
        known = self._measured
        if line not in known:
            total, ends = 0, [0]
            for sign in self.shown[line.low : line.high]:
                total += cells(sign)
                ends.append(total)
            known[line] = ends
        return known[line]

    @cached_property
    def _measured(self) -> dict[ShownLine, list[int]]:
        return {}

    def _room_of(self, line: ShownLine, room: int) -> Callable[[ShownSpan], Place]:
        def taken(span: ShownSpan) -> Place:
            start, bracket = self._bracket(span, line, room)
            return start, start + width_of(bracket)

        return taken

    def marked_lines(self, room: int) -> list[tuple[ShownLine, list[ShownSpan]]]:
        """The lines of what is shown, each with the marks that lie in it."""
        lines = list(self._lines(room))
        lows, highs = [line.low for line in lines], [line.high for line in lines]
        here: list[list[ShownSpan]] = [[] for _ in lines]
        for span in self.spans:
            for low, high in span.pieces:
                for place in range(bisect_right(highs, low), bisect_left(lows, high)):
                    if not here[place] or here[place][-1] is not span:
                        here[place].append(span)
        return list(zip(lines, here, strict=True))

    def _lines(self, room: int) -> Iterator[ShownLine]:
        """What is shown in lines of so many cells, broken between words where that is possible."""
        before = 0
        for low, high in self._shown_parts():
            at, gap = low, low > before
            while at < high:
                end = self._break(at, high, room)
                yield ShownLine(at, end, gap)
                at, gap = end, False
            before = high
        if before < len(self.shown):
            yield ShownLine(len(self.shown), len(self.shown), gap=True)

    def _shown_parts(self) -> list[Place]:
        """The parts of the text that are shown: all, or what lies near a span."""
        if self.context is None:
            return [(0, len(self.shown))]
        near = sorted(
            (self._word(low - self.context, -1), self._word(high + self.context, 1))
            for span in self.spans
            for low, high in span.pieces
        )
        parts: list[Place] = []
        for low, high in near:
            if parts and low <= parts[-1][1]:
                parts[-1] = (parts[-1][0], max(high, parts[-1][1]))
            else:
                parts.append((low, high))
        return parts

    def _word(self, at: int, step: int) -> int:
        """The next place between two words to the left (-1) or right (1) of a place, if it is near."""
        at = min(max(at, 0), len(self.shown))
        for place in range(at, at + step * NEAR, step) if self.is_text else ():
            if not 0 < place < len(self.shown) or self.shown[place - 1].isspace() or self.shown[place].isspace():
                return min(max(place, 0), len(self.shown))
        return at

    def _break(self, at: int, high: int, room: int) -> int:
        total, end, blank = 0, at, -1
        while end < high:
            sign = self.shown[end]
            total += cells(sign)
            if total > room and end > at:
                break
            end += 1
            if sign in ENDS_LINE and self.shown[end : end + 1] != "\n":
                return end
            if sign.isspace() or (not self.is_text and (end - at) % TEN == 0):
                blank = end
        else:
            return end
        return blank if blank > at else end

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, width: int = HTML_WIDTH) -> str:
        """The text with its spans as a piece of HTML that needs nothing else: no script, no other file."""
        return to_html(self, width)


@takes_data
def marked_text(
    data: IntoAnnotations,
    document: Item | None = None,
    *,
    annotators: Sequence[Annotator] | None = None,
    width: int | None = None,
    context: int | None = None,
    text: bool = True,
    status: Status | None = None,
    **reading: Unpack[ReadingOptions],
) -> MarkedText:
    """The text of one document with what every annotator marked in it, one below the other.

    Args:
        data: A study of spans; with the attribute ``text`` the text is shown, else positions.
        document: Which item; the first one that several annotators looked at and somebody marked something in where
            none is named.
        annotators: Whose marks are shown, in this order; by default those who looked, in the order of the study.
        width: How many cells a line has.
        context: How many characters are shown before and after each mark; the whole text where it is not given.
        text: Whether the text is shown; without it positions and labels are all there is to see.
        status: How annotators differ on a span, by row of the study and place of the span in its value; "agreed" where
            they do not.  A span that is not in it is agreed on where everybody who looked marked the very same with the
            same label, and "differs" otherwise.

    Returns:
        A `MarkedText`, which prints as text, and has `to_html` and `table`.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> ia.spans.marked_text(ia.Annotations.of(spans, kind="spans")).table()["status"]
        ['differs', 'differs']
    """
    study = as_annotations(data).first_judgements()
    if study.anonymous and len(study):
        raise KindError("a text is shown with the marks of each annotator, and nobody knows who gave which value here")
    if context is not None and context < 0:
        raise KindError(f"context is a number of characters from 0 up, got {context!r}")
    study.packed("spans", who="a text with marks")
    item = _chosen(study, document)
    rows = _rows(study, item, annotators)
    spans_by = {name: _spans(study.values[int(study.value[row])]) for name, row in rows.items()}
    edges = [edge for spans in spans_by.values() for pieces, _ in spans for piece in pieces for edge in piece]
    room = max(min(width or WIDTH, WIDE) - BESIDE, NARROW) // TEN * TEN
    where = ShownText.of(study, item, edges, room, text=text, near=context is not None)
    same = _same(spans_by)
    shown = [
        ShownSpan(
            place,
            tuple(where.at(piece) for piece in pieces),
            label,
            (status or {}).get((rows[name], number), AGREED if (pieces, label) in same else DIFFERS),
            pieces[0][0],
            pieces[-1][1],
        )
        for place, name in enumerate(spans_by)
        for number, (pieces, label) in enumerate(spans_by[name])
    ]
    shown.sort(key=lambda span: (span.pieces[0], -span.pieces[-1][1], span.annotator, span.name))
    return MarkedText(
        study.items[item],
        tuple(spans_by),
        tuple(name for name in annotators or study.annotators if name not in spans_by),
        where.shown,
        where.is_text,
        tuple(shown),
        width or WIDTH,
        context,
    )


SpanParts: TypeAlias = tuple[tuple[tuple[Number, Number], ...], str | None]  # the pieces and the label


def _spans(value: Sequence[Value]) -> list[SpanParts]:
    made = []
    for place in range(len(value)):
        span = value[place]
        if not isinstance(span, tuple) or isinstance(span[0], str):  # one span alone is a list of one
            return _spans((value,))
        made.append((pieces_of(span), label_of(span)))
    return made


def _same(spans_by: Mapping[Annotator, Sequence[SpanParts]]) -> set[SpanParts]:
    each = [set(spans) for spans in spans_by.values()]
    return set.intersection(*each) if each else set()


def _chosen(study: Annotations, document: Item | None) -> int:
    if document is None:
        if not len(study):
            raise DataError("there are no annotations, so there is no document to show")
        sizes = study.sizes()
        marked = {int(study.item[row]) for row, code in enumerate(study.value.tolist()) if len(study.values[code])}
        both = [item for item in sorted(marked) if sizes[item] > 1]
        return next(iter(both), int(study.item[0]))
    names = {name: code for code, name in enumerate(study.items)}
    spelled = {str(name): code for name, code in names.items()}
    code = names.get(document, spelled.get(str(document)))
    if code is None:
        raise UnknownName(
            f"there is no document {document!r}; there are {listing(names)}.{suggestion(str(document), spelled)}"
        )
    return code


def _rows(study: Annotations, item: int, annotators: Sequence[Annotator] | None) -> dict[Annotator, int]:
    looked: dict[int, int] = {}
    for row in (study.item == item).nonzero()[0].tolist():
        if study.occasion is None or not study.occasion[row]:
            looked[int(study.annotator[row])] = row
    wanted = sorted(looked) if annotators is None else [study.annotator_code(name) for name in annotators]
    return {study.annotators[code]: looked[code] for code in wanted if code in looked}
