"""The sections of a document as the template takes them: what is a number, what is a name, what is shaded how."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from interagree.errors import Advice, visible
from interagree.results.charts import Chart, DrawnEstimate, Heat, ThresholdLine
from interagree.results.charts.axes import Axis, across
from interagree.results.document import NEXT, VERDICT, Document, Section
from interagree.tables import Table, cell, plain, to_right

LONG = 12  # rows from which a table has a box to search it
WIDE = 24  # letters of a cell from which its column is kept wide
STEPS = 5  # samples of shades below a table of them


class SentencePiece(NamedTuple):
    """A stretch of a sentence: plain words, an option, or a command to copy."""

    words: str
    code: bool = False
    command: bool = False


class ShownSentence(NamedTuple):
    """A sentence, those that stand below it, indented, and its number where it begins with one."""

    pieces: list[SentencePiece]
    below: list[list[SentencePiece]]
    number: int | None = None


class Head(NamedTuple):
    """The head of a column."""

    words: str
    number: bool
    wide: bool  # whether it holds sentences, which a narrow screen must not make a tower of words
    spare: bool = False  # whether a narrow screen does without the column


class Cell(NamedTuple):
    """A cell of a table."""

    words: str
    number: bool
    spare: bool = False


class Strip(NamedTuple):
    """A number and its interval as places on a line of 100; None where there is none."""

    value: float | None
    low: float | None
    high: float | None
    zero: float | None  # where 0 is, if not at the left end
    marks: list[float]  # thresholds


class ShownRow(NamedTuple):
    """A row of a table."""

    cells: list[Cell]
    flagged: bool
    strip: Strip | None


class PageTable(NamedTuple):
    """A table: its heads and rows, whether it is drawn beside, and its foot."""

    title: str
    heads: list[Head]
    rows: list[ShownRow]
    ends: tuple[str, str] | None  # of the drawing beside the rows
    foot: list[SentencePiece]

    @property
    def stacked(self) -> bool:
        """Whether a narrow screen sets the cells of a row in two lines."""
        return any(head.spare for head in self.heads)

    @property
    def long(self) -> bool:
        """Whether it is worth searching."""
        return len(self.rows) > LONG


class Shade(NamedTuple):
    """A shaded cell: its number and the class of its colour."""

    words: str
    shade: str


class HeatTable(NamedTuple):
    """A table of shades."""

    heads: list[str]
    rows: list[tuple[str, list[Shade]]]
    axis: str
    words: str
    legend: list[Shade]


class PageSection(NamedTuple):
    """A section of a page."""

    id: str
    title: str
    group: str  # what it is folded with
    look: str  # verdict, advice, plain, or bare where it is only sentences without a title
    lines: list[ShownSentence]
    verbatim: str
    drawing: Markup | None
    heat: HeatTable | None
    table: PageTable | None
    foot: list[list[SentencePiece]]
    items: Markup | None  # to look through, as JSON
    key: str  # of the items, under which a browser remembers what was ticked


class ContentsEntry(NamedTuple):
    """A line of the contents, and the sections below it where several share a name."""

    title: str
    id: str
    below: list[tuple[str, str]]


def sections_of(document: Document, digits: int) -> list[PageSection]:
    """The sections, each with a name of its own to link to."""
    taken: set[str] = set()
    return [_section(section, _name(section.title, taken), digits) for section in document.sections]


def grouped(sections: Sequence[PageSection]) -> list[tuple[str, list[PageSection]]]:
    """The sections one after the other, those of one group together."""
    return [(name, list(together)) for name, together in groupby(sections, key=lambda section: section.group)]


def _section(section: Section, name: str, digits: int) -> PageSection:
    chart = section.chart
    data = "" if section.browser is None else json_for_page(section.browser)
    return PageSection(
        name,
        section.title,
        section.group,
        _look(section),
        [] if section.verbatim else _sentences(section.lines),
        "\n".join(section.lines) if section.verbatim else "",
        None if chart is None or isinstance(chart, Heat) or section.estimates() is not None else _drawing(chart),
        _heat(chart) if isinstance(chart, Heat) else None,
        None if section.table is None or not len(section.table) else _table(section.table, section, digits),
        [pieces(line) for line in section.foot],
        Markup(data) if data else None,  # noqa: S704 -- escaped by json_for_page
        hashlib.sha256(data.encode("utf-8", errors="surrogatepass")).hexdigest()[:12],
    )


def _look(section: Section) -> str:
    for name, look in ((VERDICT, "verdict"), (NEXT, "advice")):
        if section.title == name or section.title.endswith(f": {name}"):
            return look
    bare = not section.title and section.table is None and section.chart is None and section.browser is None
    return "bare" if bare else "plain"


def _name(title: str, taken: set[str]) -> str:
    """A name for the address of a section: letters and digits of its title."""
    plain = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "section"
    numbered = (plain if number == 1 else f"{plain}-{number}" for number in range(1, len(taken) + 2))
    name = next(name for name in numbered if name not in taken)
    taken.add(name)
    return name


def contents_of(sections: Sequence[PageSection]) -> list[ContentsEntry]:
    """The titles to choose from; sections of one question, whose titles begin alike, stand below its name.

    What a title has in brackets is left out where titles are still told apart without it.
    """
    bare = Counter(_bare(section.title) for section in sections)

    def short(section: PageSection) -> str:
        without = _bare(section.title)
        return without if bare[without] == 1 else section.title

    def question(section: PageSection) -> str:
        before, colon, _ = section.title.partition(": ")
        return before if colon else ""

    entries = []
    for name, group in groupby((section for section in sections if section.title), key=question):
        together = list(group)
        if name and len(together) > 1:
            below = [(short(section).partition(": ")[2], section.id) for section in together]
            entries.append(ContentsEntry(name, together[0].id, below))
        else:
            entries += [ContentsEntry(short(section), section.id, []) for section in together]
    return entries


def _bare(title: str) -> str:
    """A title without what stands in brackets at its end."""
    return re.sub(r" \([^()]*\)$", "", title)


def _sentences(lines: Sequence[str]) -> list[ShownSentence]:
    """Lines as sentences; those that begin with spaces belong to the one before."""
    made: list[ShownSentence] = []
    for line in lines:
        if not line.strip():
            continue
        if made and line[:1] == " ":
            made[-1].below.append(pieces(line))
        elif number := NUMBERED.match(line):
            made.append(ShownSentence(pieces(Advice.around(line[number.end() :], line)), [], int(number[1])))
        else:
            made.append(ShownSentence(pieces(line), []))
    return made


def pieces(line: str) -> list[SentencePiece]:
    """A sentence in stretches; options and commands that it names are told from words."""
    hints = {str(hint) for hint in line.hints} if isinstance(line, Advice) else set()
    spelled = sorted((visible(words) for words in hints if words), key=len, reverse=True)
    if not spelled:
        return [SentencePiece(line.strip())]
    parts = re.split("(" + "|".join(map(re.escape, spelled)) + ")", line.strip())
    made = [
        SentencePiece(words, code=bool(place % 2), command=bool(place % 2) and _is_command(words))
        for place, words in enumerate(parts)
        if words
    ]
    # A command stands apart from the words before it, so that nothing need point at it.
    return [
        piece._replace(words=piece.words.removesuffix("→ ")) if after.command else piece
        for piece, after in zip(made, [*made[1:], SentencePiece("")], strict=True)
    ]


def _is_command(words: str) -> bool:
    """Whether words can be run as they are, and not only added to what is run."""
    return words.startswith("interagree ") or words.endswith(")")


def _drawing(chart: Chart) -> Markup:
    from interagree.results.charts.svg import svg

    return Markup(svg(chart))  # noqa: S704 -- written by us, what it is given is escaped there


def _table(table: Table, section: Section, digits: int) -> PageTable:
    drawn = section.estimates()
    numeric = [to_right(column) for column in table.columns.values()]
    spare = section.spare if drawn is not None and not section.forest else ()
    heads = [
        Head(cell(name), number, not number and any(len(cell(entry)) > WIDE for entry in column), name in spare)
        for (name, column), number in zip(table.columns.items(), numeric, strict=True)
    ]
    strips: Sequence[Strip | None] = [None] * len(table)
    ends = None
    if drawn is not None:
        axis = across(drawn)
        strips = [_strip(row, axis, drawn.marks) for row in drawn.rows]
        ends = axis.words[0], axis.words[-1]
    rows = [
        ShownRow(
            [Cell(cell(row[name], digits), number, name in spare) for name, number in zip(row, numeric, strict=True)],
            bool(section.flag) and bool(row.get(section.flag)),
            strip,
        )
        for row, strip in zip(table.rows(), strips, strict=True)
    ]
    return PageTable(table.title, heads, rows, ends, pieces(table.foot) if table.foot else [])


def _strip(row: DrawnEstimate, axis: Axis, marks: Sequence[ThresholdLine]) -> Strip:
    def place(number: float) -> float | None:
        return round(100 * axis.at(number), 1) if math.isfinite(number) else None

    zero = place(0.0) if axis.low < 0 < axis.high else None
    return Strip(
        place(row.value), place(row.low), place(row.high), zero, [round(100 * axis.at(mark.at), 1) for mark in marks]
    )


def _heat(chart: Heat) -> HeatTable:
    from interagree.results.charts.colours import extent, shades

    rows = [
        (
            visible(name),
            [Shade(cell(float(number), chart.digits), shade) for number, shade in zip(line, kept, strict=True)],
        )
        for name, line, kept in zip(chart.rows, chart.cells, shades(chart), strict=True)
    ]
    low, high = extent(chart)
    if chart.middle is not None:  # as far on one side of it as on the other
        reach = max(high - chart.middle, chart.middle - low)
        low, high = chart.middle - reach, chart.middle + reach
    steps = np.linspace(low, high, STEPS)
    sample = chart._replace(rows=("",), columns=("",) * STEPS, cells=steps[None, :])
    legend = [
        Shade(cell(float(number), chart.digits), shade)
        for number, shade in zip(steps, next(shades(sample)), strict=True)
    ]
    return HeatTable([visible(name) for name in chart.columns], rows, chart.axis, chart.words, legend)


def json_for_page(data: Mapping[str, object]) -> str:
    """Plain data as JSON that stands in a page without ending it."""
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


NUMBERED = re.compile(r"(\d{1,3})\. ")  # the number of a step
# Signs that end a script or a line of one, and half characters, which a file cannot hold.
UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
