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

import html
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Unpack
from zlib import crc32

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.declare import takes_data
from interagree.documents.texts import Documents
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.kinds.spans import label as label_of
from interagree.kinds.spans import pieces as pieces_of
from interagree.results.pictures import COLOURS
from interagree.tables import Table

AGREED, DIFFERS = "agreed", "differs"
OF_STATUS = {  # the same on every page; what is alike has one colour, and the word tells it apart
    AGREED: COLOURS[2],
    DIFFERS: COLOURS[1],
    "boundary": COLOURS[1],
    "label": COLOURS[0],
    "both": COLOURS[3],
    **dict.fromkeys(("split", "merge", "nested"), COLOURS[4]),
    **dict.fromkeys(("extra", "missing"), COLOURS[5]),
}
WIDTH, NARROW, WIDE = 80, 40, 240  # cells of a line: usual, least and most
HTML_WIDTH = 100
MOST_LINES = 400  # that a page shows
LONGEST_RULER = 20  # lines of positions one by one; beyond, all are drawn into one line
LONGEST_NAME = 16  # cells for the name of an annotator
FOR_LABELS = 8  # cells at the end of a line for a label that does not fit into its bracket
NEAR = 16  # characters up to which what is shown around a mark is made longer to end with a word
LONGEST = 10_000_000  # positions of which some are shown one by one
BESIDE = 20  # cells for names beside a line of positions
TEN = 10

SHOWN = {"\n": "↵", "\r": "↵", "\t": "→", "\v": "↵", "\f": "↵", "\x85": "↵", "\u2028": "↵", "\u2029": "↵"}
ENDS_LINE = frozenset(SHOWN) - {"\t"}
TURNING = frozenset(
    "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)  # change direction
IN_ORDER, AS_BEFORE = "\u202d", "\u202c"  # left to right whatever follows, and no longer

Place = tuple[int, int]
Status = Mapping[tuple[int, int], str]  # by row of the study and place in its value


class Mark(NamedTuple):
    """A span of an annotator: where its pieces lie in what is shown, and what is to be said of it."""

    annotator: int
    pieces: tuple[Place, ...]  # in characters of what is shown
    label: str | None
    status: str
    begin: Any  # as the study has it
    end: Any

    @property
    def differs(self) -> bool:
        """Whether not all annotators marked it alike."""
        return self.status != AGREED

    @property
    def name(self) -> str:
        """The label; a span without one has a dash."""
        return "–" if self.label is None else self.label


class Line(NamedTuple):
    """A line of what is shown: from which character to which, and whether something was left out before it."""

    low: int
    high: int
    gap: bool


@dataclass(frozen=True, eq=False)
class MarkedText:
    """One document with the marks of all annotators; prints as text, and shows as HTML in a notebook."""

    document: Hashable
    annotators: tuple[Hashable, ...]
    absent: tuple[Hashable, ...]  # who did not look
    shown: str  # the text, or a ruler of positions
    is_text: bool
    marks: tuple[Mark, ...]
    width: int = WIDTH
    context: int | None = None

    # -- what differs --------------------------------------------------------------------------------------------

    def table(self) -> Table:
        """A row for each span: whose it is, where it lies, what it covers and whether all marked it alike."""
        rows = []
        for mark in self.marks:
            row = {
                "annotator": self.annotators[mark.annotator], "start": mark.begin, "end": mark.end,
                "label": mark.label, "status": mark.status,
            }  # fmt: skip
            if self.is_text:
                row["text"] = " … ".join(self.shown[low:high] for low, high in mark.pieces)
            rows.append(row)
        names = ["annotator", "start", "end", "label", "status", *(["text"] if self.is_text else [])]
        return Table.of(rows, title=str(self.document), names=names)

    def summary(self) -> list[str]:
        """What the picture does not show: how many spans there are, and who marked nothing or did not look."""
        differing = sum(mark.differs for mark in self.marks)
        said = [f"{counted(len(self.marks), 'span')}, {differing:,} not marked by all alike"]
        silent = [
            str(name)
            for place, name in enumerate(self.annotators)
            if all(mark.annotator != place for mark in self.marks)
        ]
        if silent:
            said.append(f"looked and marked nothing: {', '.join(silent)}")
        if self.absent:
            said.append(f"did not look: {', '.join(map(str, self.absent))}")
        return said

    # -- in a terminal -------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.render()

    def render(self, width: int | None = None, *, colour: bool = False) -> str:
        """The text with its marks as lines of a terminal.

        Args:
            width: How many cells a line has; that of the text where it is not given.
            colour: Whether brackets are coloured by ANSI codes.  Nothing is said by colour alone.
        """
        names = [_short(str(name), LONGEST_NAME) for name in self.annotators]
        margin = 2 + max(map(_cells, names), default=0) + 2
        room = max(min(max(width or self.width, NARROW), WIDE) - margin, TEN)
        drawn: list[str] = ["".join(map(_visible, str(self.document)))]
        for line, here in self._marked_lines(max(room - self._longest_label(), TEN)):
            drawn += [" " * margin + "…"] * line.gap
            if line.low < line.high:
                drawn.append((" " * margin + _drawn(self.shown[line.low : line.high])).rstrip())
            if not here:
                continue
            for place, name in enumerate(names):
                rows = _stacked([mark for mark in here if mark.annotator == place], self._room_of(line, room))
                for number, row in enumerate(rows or [[]]):
                    head = name + " " * (margin - 4 - _cells(name)) if not number else " " * (margin - 4)
                    drawn.append(self._row(row, line, head, room, colour=colour))
        return "\n".join([*drawn, *self.summary()])

    def _longest_label(self) -> int:
        """The room that labels may need at the end of a line."""
        return min(max((_cells(mark.name) for mark in self.marks), default=0), FOR_LABELS)

    def _row(self, row: Sequence[Mark], line: Line, head: str, room: int, *, colour: bool) -> str:
        """One row of brackets, with the margin before it and what differs behind it."""
        differing = [mark for mark in row if mark.differs]
        text, at = f"{'!' if differing else ' '} {head}  ", 0
        for mark in row:
            start, bracket = self._bracket(mark, line, room)
            text += " " * (start - at) + (self._painted(mark, bracket) if colour else bracket)
            at = start + _cells(bracket)
        words = [word for word in dict.fromkeys(mark.status for mark in differing) if word != DIFFERS]
        return (text + (f"  ({', '.join(words)})" if words else "")).rstrip()

    def _painted(self, mark: Mark, bracket: str) -> str:
        red, green, blue = (int(colour_of(mark.status)[k : k + 2], 16) for k in (1, 3, 5))
        bold = "1;" if mark.differs else ""
        return f"\x1b[{bold}38;2;{red};{green};{blue}m{bracket}\x1b[0m"

    def _bracket(self, mark: Mark, line: Line, room: int) -> tuple[int, str]:
        """In which cell the bracket of a span begins in a line, and the bracket with its label."""
        drawn, start, at = "", -1, 0
        label = _plain(mark.name)
        for low, high in mark.pieces:
            if high <= line.low or low >= line.high:
                continue
            begin, end = self._cells_of(line, low, high)
            if start < 0:
                start = at = begin
            begin = max(begin, at)
            end = max(end, begin + 1)
            drawn += "·" * (begin - at)
            into, on = low < line.low, high > line.high
            drawn += _piece(end - begin, label, into=into, on=on)
            if label and _cells(label) <= end - begin - 2:
                label = ""
            at = end
        if (
            not label or mark.pieces[-1][1] > line.high
        ):  # it is written already, or there is another line for it
            return start, drawn
        return start, drawn + _cut(label, room - start - _cells(drawn))

    def _cells_of(self, line: Line, low: int, high: int) -> Place:
        """From which cell to which a piece reaches in a line; one cell at least."""
        ends = self._ends(line)
        begin = ends[max(low, line.low) - line.low]
        end = ends[min(high, line.high) - line.low]
        begin = min(begin, max(ends[-1] - 1, 0))
        return begin, max(end, begin + 1)

    def _ends(self, line: Line) -> list[int]:
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
    def _measured(self) -> dict[Line, list[int]]:
        return {}

    def _room_of(self, line: Line, room: int) -> Any:
        """Which cells a bracket takes in a line."""

        def taken(mark: Mark) -> Place:
            start, bracket = self._bracket(mark, line, room)
            return start, start + _cells(bracket)

        return taken

    # -- lines ---------------------------------------------------------------------------------------------------

    def _marked_lines(self, room: int) -> list[tuple[Line, list[Mark]]]:
        """The lines of what is shown, each with the marks that lie in it."""
        lines = list(self._lines(room))
        lows, highs = [line.low for line in lines], [line.high for line in lines]
        here: list[list[Mark]] = [[] for _ in lines]
        for mark in self.marks:
            for low, high in mark.pieces:
                for place in range(bisect_right(highs, low), bisect_left(lows, high)):
                    if not here[place] or here[place][-1] is not mark:
                        here[place].append(mark)
        return list(zip(lines, here, strict=True))

    def _lines(self, room: int) -> Iterator[Line]:
        """What is shown in lines of so many cells, broken between words where that is possible."""
        before = 0
        for low, high in self._shown_parts():
            at, gap = low, low > before
            while at < high:
                end = self._break(at, high, room)
                yield Line(at, end, gap)
                at, gap = end, False
            before = high
        if before < len(self.shown):
            yield Line(len(self.shown), len(self.shown), gap=True)

    def _shown_parts(self) -> list[Place]:
        """The parts of the text that are shown: all, or what lies near a mark."""
        if self.context is None:
            return [(0, len(self.shown))]
        near = sorted(
            (self._word(low - self.context, -1), self._word(high + self.context, 1))
            for mark in self.marks
            for low, high in mark.pieces
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
            if (
                not 0 < place < len(self.shown)
                or self.shown[place - 1].isspace()
                or self.shown[place].isspace()
            ):
                return min(max(place, 0), len(self.shown))
        return at

    def _break(self, at: int, high: int, room: int) -> int:
        """Where the line that begins at a character ends."""
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

    # -- as HTML -------------------------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, width: int = HTML_WIDTH) -> str:
        """The text with its marks as a piece of HTML that needs nothing else: no script, no other file."""
        lines = self._marked_lines(max(width, TEN))
        body = "".join(self._html_line(line, here) for line, here in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            left = len(self.shown) - lines[MOST_LINES][0].low
            body += f"<p>… and {left:,} further {'characters' if self.is_text else 'positions'}</p>"
        names = max((_cells(str(name)) for name in self.annotators), default=0)
        head = f"<p><b>{html.escape(str(self.document))}</b></p>"
        foot = f"<p>{html.escape('; '.join(self.summary()))}</p>"
        style = f'style="--ia-names:{min(names, LONGEST_NAME)}ch"'
        return f'<div class="ia-text" {style}>{self._style()}{head}{body}{self._html_key()}{foot}</div>'

    def _style(self) -> str:
        rules = [
            ".ia-text{font-family:monospace;overflow-x:auto}",
            ".ia-text table{border-collapse:collapse;margin:0 0 .6em;border:0}",
            ".ia-text td,.ia-text th{padding:0;border:0;text-align:start;white-space:pre;background:none}",
            ".ia-text th{font-weight:normal;opacity:.7;padding-inline-end:1em;min-width:var(--ia-names)}",
            ".ia-text td.ia-m{max-width:0;overflow:hidden;text-overflow:ellipsis;font-size:75%}",
            ".ia-text td.ia-m{border-width:3px 1px 0;border-style:solid}",
            ".ia-text td.ia-g{border-width:1px 0 0;border-style:dotted}",
            ".ia-text .ia-k{border-width:3px 0 0;border-style:solid;margin-inline-end:1em;font-size:75%}",
        ]
        for word in dict.fromkeys((AGREED, *(mark.status for mark in self.marks))):
            name, weight = _class(word), "" if word == AGREED else ";font-weight:bold"
            rules.append(f".ia-text td.{name},.ia-text span.{name}{{border-color:{colour_of(word)}{weight}}}")
        return f"<style>{''.join(rules)}</style>"

    def _html_key(self) -> str:
        used = dict.fromkeys(mark.status for mark in self.marks)
        keys = (f'<span class="ia-k {_class(word)}">{html.escape(word)}</span>' for word in used)
        return f"<p>{''.join(keys)}</p>" if used else ""

    def _html_line(self, line: Line, here: Sequence[Mark]) -> str:
        gap = "<p>…</p>" if line.gap else ""
        if line.low == line.high:
            return gap
        edges = {line.low, line.high}
        for mark in here:
            for piece in mark.pieces:
                edges |= {edge for edge in piece if line.low < edge < line.high}
        cuts = sorted(edges)
        text = "".join(
            f"<td>{html.escape(''.join(map(_visible, self.shown[a:b])))}</td>" for a, b in pairwise(cuts)
        )
        rows = [f"<tr><th></th>{text}</tr>"]
        for place, name in enumerate(self.annotators) if here else ():
            whole = [mark for mark in here if mark.annotator == place]
            stacked = _stacked(whole, lambda mark: (mark.pieces[0][0], mark.pieces[-1][1]))
            for number, row in enumerate(stacked or [[]]):
                head = html.escape(str(name)) if not number else ""
                rows.append(f"<tr><th>{head}</th>{self._html_marks(row, line, cuts)}</tr>")
        way = ' dir="rtl"' if self.is_text and self._from_right else ""
        return f"{gap}<table{way}>{''.join(rows)}</table>"

    @cached_property
    def _from_right(self) -> bool:
        """Whether the first letter of the text is of a script that runs from right to left."""
        ways = (unicodedata.bidirectional(sign) for sign in self.shown)
        return next((way for way in ways if way in {"L", "R", "AL"}), "L") != "L"

    def _html_marks(self, row: Sequence[Mark], line: Line, cuts: Sequence[int]) -> str:
        """The cells of one row: marks over as many parts of the line as they cover."""
        made, at = [], line.low

        def cell(to: int, inside: str = "", attributes: str = "") -> None:
            nonlocal at
            over = bisect_left(cuts, to) - bisect_left(cuts, at)
            if over:
                made.append(f"<td{f' colspan={over}' if over > 1 else ''}{attributes}>{inside}</td>")
            at = max(at, to)

        for mark in row:
            name = _class(mark.status)
            words = f"{mark.begin}–{mark.end} {mark.name} ({mark.status})"
            first = True
            for low, high in mark.pieces:
                if high <= line.low or low >= line.high:
                    continue
                cell(max(low, line.low), "", "" if first else f' class="ia-g {name}"')
                said = f' class="ia-m {name}" title="{html.escape(words, quote=True)}"'
                cell(min(high, line.high), html.escape(mark.name) if first else "", said)
                first = False
        return "".join(made)


def colour_of(status: str) -> str:
    """The colour of a word for how annotators differ; green where they do not."""
    others = [colour for colour in COLOURS if colour != OF_STATUS[AGREED]]
    return OF_STATUS.get(status) or others[crc32(_class(status).encode()) % len(others)]


def _class(status: str) -> str:
    """The class that a word has in HTML."""
    return "ia-" + "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in status.lower())


# -- making one -----------------------------------------------------------------------------------------------------


@takes_data
def marked_text(
    data: IntoAnnotations,
    document: Hashable | None = None,
    *,
    annotators: Sequence[Hashable] | None = None,
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
    """
    study = as_annotations(data).first_judgements()
    if study.anonymous and len(study):
        raise KindError(
            "a text is shown with the marks of each annotator, and nobody knows who gave which value here"
        )
    if context is not None and context < 0:
        raise KindError(f"context is a number of characters from 0 up, got {context!r}")
    study.packed("spans", who="a text with marks")
    item = _chosen(study, document)
    rows = _rows(study, item, annotators)
    found = {name: _spans(study.values[int(study.value[row])]) for name, row in rows.items()}
    edges = [edge for spans in found.values() for pieces, _ in spans for piece in pieces for edge in piece]
    room = max(min(width or WIDTH, WIDE) - BESIDE, NARROW) // TEN * TEN
    where = _Where.of(study, item, edges, room, text=text, near=context is not None)
    same = _same(found)
    marks = [
        Mark(
            place,
            tuple(where.at(piece) for piece in pieces),
            label,
            (status or {}).get((rows[name], number), AGREED if (pieces, label) in same else DIFFERS),
            pieces[0][0],
            pieces[-1][1],
        )
        for place, name in enumerate(found)
        for number, (pieces, label) in enumerate(found[name])
    ]
    marks.sort(key=lambda mark: (mark.pieces[0], -mark.pieces[-1][1], mark.annotator, mark.name))
    return MarkedText(
        study.items[item],
        tuple(found),
        tuple(name for name in annotators or study.annotators if name not in found),
        where.shown,
        where.is_text,
        tuple(marks),
        width or WIDTH,
        context,
    )


Span = tuple[tuple[tuple[Any, Any], ...], str | None]


def _spans(value: Any) -> list[Span]:
    """The pieces and the label of each span of a value."""
    made = []
    for place in range(len(value)):
        span = value[place]
        if not isinstance(span, tuple) or isinstance(span[0], str):  # one span alone is a list of one
            return _spans((value,))
        made.append((pieces_of(span), label_of(span)))
    return made


def _same(found: Mapping[Hashable, Sequence[Span]]) -> set[Span]:
    """The spans that all annotators marked alike."""
    each = [set(spans) for spans in found.values()]
    return set.intersection(*each) if each else set()


def _chosen(study: Annotations, document: Hashable | None) -> int:
    if document is None:
        if not len(study):
            raise DataError("there are no annotations, so there is no document to show")
        sizes = study.sizes()
        marked = {
            int(study.item[row]) for row, code in enumerate(study.value.tolist()) if len(study.values[code])
        }
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


def _rows(study: Annotations, item: int, annotators: Sequence[Hashable] | None) -> dict[Hashable, int]:
    """The row of each annotator who looked at a document, the first of several."""
    looked: dict[int, int] = {}
    for row in (study.item == item).nonzero()[0].tolist():
        if study.occasion is None or not study.occasion[row]:
            looked[int(study.annotator[row])] = row
    wanted = sorted(looked) if annotators is None else [study.annotator_code(name) for name in annotators]
    return {study.annotators[code]: looked[code] for code in wanted if code in looked}


class _Where(NamedTuple):
    """What is shown in place of positions, and where a position lies in it."""

    shown: str
    is_text: bool
    tokens: Any = None  # where each begins and ends, for positions that count tokens
    first: float = 0.0  # the position where a ruler begins
    scale: float | None = None  # how many positions a cell of it stands for; None: each has its own

    @classmethod
    def of(
        cls, study: Annotations, item: int, edges: Sequence[Any], room: int, *, text: bool, near: bool
    ) -> _Where:
        """How a document is shown, given the edges of its spans and, without a text, the room for positions."""
        documents = Documents.of(study)
        reach = max(edges, default=0)
        known = documents.text(item) if text else None
        if known is not None and documents.positions == "characters" and reach <= len(known):
            return cls(known, is_text=True)
        tokens = documents.tokens(item) if documents.tokens_given(item) else None
        if (
            known is not None
            and documents.positions == "tokens"
            and tokens is not None
            and reach <= len(tokens)
        ):
            return cls(known, is_text=True, tokens=tokens)
        length = max(documents.length(item) or 0, reach)
        whole = all(edge >= 0 and edge == int(edge) for edge in edges)
        if whole and length <= (LONGEST if near else LONGEST_RULER * room):
            return cls(ruler(int(length)), is_text=False)
        first = min([0, *edges])
        scale = (length - first) / room
        return cls(_scaled_ruler(first, scale, room), is_text=False, first=first, scale=scale)

    def at(self, piece: tuple[Any, Any]) -> Place:
        """A piece in characters of what is shown."""
        low, high = piece
        if self.tokens is not None:
            return int(self.tokens[int(low), 0]), int(self.tokens[int(high) - 1, 1])
        if self.scale is None:
            return int(low), int(high)
        begin = min(int((low - self.first) / self.scale), len(self.shown) - 1)
        end = min(round((high - self.first) / self.scale), len(self.shown))
        return begin, max(end, begin + 1)


def ruler(length: int) -> str:
    """So many positions, one cell each: every tenth is numbered."""
    made = "".join(f"{at}".ljust(TEN, "·") for at in range(0, length, TEN))
    return made[:length]


def _scaled_ruler(first: float, scale: float, room: int) -> str:
    """A line of positions, each cell of which stands for several, or for a part of one."""
    made = ["·"] * room
    for at in range(0, room, 2 * TEN):
        word = f"{first + at * scale:.6g}"[: 2 * TEN - 1]
        made[at : at + len(word)] = word
    return "".join(made[:room])


# -- cells ----------------------------------------------------------------------------------------------------------


def cells(sign: str) -> int:
    """How many cells of a terminal a character takes."""
    if sign in SHOWN:
        return 1
    if sign.isascii():
        return 1
    kind = unicodedata.category(sign)
    if kind in {"Mn", "Me", "Cf"} or "\u1160" <= sign <= "\u11ff":  # the latter join the letter before
        return 1 if sign == "\u00ad" else 0
    return 2 if unicodedata.east_asian_width(sign) in {"W", "F"} else 1


def _cells(text: str) -> int:
    return sum(map(cells, text))


def _visible(sign: str) -> str:
    """A character that has a shape: one that ends a line, moves the cursor or turns the direction is replaced."""
    if sign in SHOWN:
        return SHOWN[sign]
    if sign in TURNING:
        return ""
    return "·" if unicodedata.category(sign) in {"Cc", "Cs"} else "-" if sign == "\u00ad" else sign


def _drawn(text: str) -> str:
    """A line of text as a terminal shows it, each character in its own cells."""
    line = "".join(map(_visible, text))
    turned = any(unicodedata.bidirectional(sign) in {"R", "AL", "AN"} for sign in line if not sign.isascii())
    return f"{IN_ORDER}{line}{AS_BEFORE}" if turned else line


def _plain(label: str) -> str:
    """A label without anything that would move the cursor or turn the direction."""
    return _drawn(label.replace("\n", " "))


def _piece(size: int, label: str, *, into: bool, on: bool) -> str:
    """A bracket of so many cells, with its label where there is room."""
    if size == 1:
        return "<" if into else ">" if on else "|"
    inside = size - 2
    word = label if _cells(label) <= inside else ""
    return f"{'<' if into else '['}{word}{'─' * (inside - _cells(word))}{'>' if on else ']'}"


def _cut(text: str, room: int) -> str:
    """As much of a text as fits into so many cells."""
    if _cells(text) <= room:
        return text
    ends = [0]
    for sign in text:
        ends.append(ends[-1] + cells(sign))
    return text[: max(bisect_right(ends, room - 1) - 1, 0)] + ("…" if room > 0 else "")


def _short(name: str, most: int) -> str:
    return _cut("".join(map(_visible, name)), most)


def _stacked(marks: Sequence[Mark], taken: Any) -> list[list[Mark]]:
    """Marks in rows in which none meets another; ``taken`` says from where to where each reaches."""
    rows: list[list[Mark]] = []
    ends: list[int] = []
    for mark in sorted(marks, key=lambda mark: (taken(mark)[0], -taken(mark)[1])):
        begin, end = taken(mark)
        place = next((k for k, last in enumerate(ends) if last <= begin), None)
        if place is None:
            rows.append([mark])
            ends.append(end)
        else:
            rows[place].append(mark)
            ends[place] = end
    return rows
