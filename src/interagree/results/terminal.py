"""A document on a terminal: in colour, tables within its width, and a drawing beside each coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from interagree.errors import visible
from interagree.results.cells import cut_to
from interagree.results.charts import Bars, Forest, Heat
from interagree.results.charts.axes import across
from interagree.results.charts.characters import QUIET, SHORT, STRIP, bar, pieces, strips_of
from interagree.results.charts.colours import STEPS, mixed, shades
from interagree.results.document import AS_IT_STANDS, Document, Section
from interagree.tables import Table, cell, to_right

ROOM = 100  # columns a terminal must have for bars beside a table
WORD = 12  # what a column of long words gets at least, unless it is the first
BARS = 16  # cells of a bar beside an amount
SERIES = ("cyan", "yellow", "green", "magenta", "blue", "white")
# Shades are seen on light and dark ground alike: grey is little, and black words stand on all of them.
GREY, MOST, BELOW, INK = "#808080", "#ffa632", "#56b4e9", "#000000"


def print_on_terminal(document: Document) -> None:
    """Print a document on standard output, in colour."""
    console = Console(highlight=False)
    document = document.visible()
    if document.title:
        console.print(Text(document.title, style="bold"))
        console.print()
    for section in document.sections:
        _section(console, section)


def _section(console: Console, section: Section) -> None:
    beside = 2 + SHORT if section.chart is not None and not section.forest and section.estimates() is not None else 0
    section = section.within(lambda table: _fits(table, console.width - beside))
    if section.title:
        console.print(Text(section.title, style="bold cyan"))
    for line in section.lines:
        stands = section.verbatim or line.startswith(AS_IT_STANDS)
        console.print(Text(line, overflow="ignore" if stands else "fold"), soft_wrap=stands)
    if section.chart is not None and not _beside(section):
        for drawn in pieces(section.chart, console.width):
            console.print(Text.assemble(*((piece.text, style_of(piece.style)) for piece in drawn)), no_wrap=True)
        console.print()
    if section.table is not None and len(section.table):
        if _fits(section.table, console.width):
            console.print(_table(section.table, section, console.width))
            console.print()
        else:
            _records(console, section.table)
        if section.table.foot:
            console.print(Text(section.table.foot, style="dim"))
    for line in section.foot:
        console.print(Text(line, style="dim"))
    console.print()


def _least(name: str, column: Sequence[object], *, first: bool) -> int:
    """How narrow a column may be: numbers are never broken, nor are words but for long ones after the first column."""
    entries = [*map(cell, (name, *column))]
    if to_right(column):
        return max(map(len, entries))
    longest = max((len(word) for entry in entries for word in entry.split()), default=0)
    return longest if first else min(longest, 2 * WORD)


def _needed(table: Table) -> int:
    """How wide a table is at least, with two spaces between columns."""
    return sum(2 + _least(name, column, first=not at) for at, (name, column) in enumerate(table.columns.items())) - 2


def _fits(table: Table, width: int) -> bool:
    return _needed(table) <= width


def _records(console: Console, table: Table) -> None:
    """A table too wide for the terminal: a paragraph for each row."""
    for row in table.rows():
        (_, first), *rest = row.items()
        words = "  ".join(f"{cell(name)} {cell(entry)}" for name, entry in rest if cell(entry))
        console.print(Text.assemble((cell(first), "bold"), "\n", words))


def _beside(section: Section) -> bool:
    """Whether the table of a section shows the numbers of its chart, which is then drawn in it."""
    chart, table = section.chart, section.table
    if table is None or not len(table) or chart is None:
        return False
    names, *columns = table.columns.items()
    first = [cell(entry) for entry in names[1]]
    if isinstance(chart, Forest):
        return section.estimates() is not None
    if isinstance(chart, Bars):
        return len(chart.series) == 1 and first == [*map(visible, chart.labels)]
    if isinstance(chart, Heat):
        heads = [cell(name) for name, _ in columns]
        return first == [*map(visible, chart.rows)] and heads == [*map(visible, chart.columns)]
    return False


class _Beside(NamedTuple):
    """A column of drawings."""

    head: str
    cells: Sequence[str]
    width: int


def _drawings(section: Section, table: Table, width: int) -> _Beside | None:
    """The drawings beside the rows of a table, where they have room."""
    chart = section.chart
    room = width - _needed(table) - 2
    if isinstance(chart, Bars) and _beside(section) and width >= ROOM and room >= BARS:
        ends = across(chart)
        (amounts,) = chart.series.values()
        head = next((name for name, column in table.columns.items() if [*column] == [*amounts]), chart.axis)
        return _Beside(cut_to(visible(head), BARS), [bar(float(amount), ends, BARS) for amount in amounts], BARS)
    drawn = section.estimates()
    wide = next((wide for wide in (STRIP, SHORT) if wide <= room), 0)
    return None if drawn is None or not wide else _Beside(*strips_of(drawn, wide), wide)


def _table(table: Table, section: Section, width: int) -> RichTable:
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, header_style="bold")
    drawings = _drawings(section, table, width)
    for place, (name, column) in enumerate(table.columns.items()):
        numeric = to_right(column)
        rich.add_column(
            Text(cell(name)),
            justify="right" if numeric else "left",
            no_wrap=numeric,
            overflow="fold",
            min_width=_least(name, column, first=not place),
            style="bold green" if name == "value" and numeric else "",
        )
    if drawings is not None:
        rich.add_column(Text(drawings.head), no_wrap=True, style="cyan")
    heat = list(shades(section.chart)) if isinstance(section.chart, Heat) and _beside(section) else None
    for place, row in enumerate(table.rows()):
        styles = ["", *map(style_of, heat[place])] if heat else [""] * len(row)
        cells = [Text(cell(entry), style=style) for entry, style in zip(row.values(), styles, strict=True)]
        if drawings is not None:
            cells.append(Text(drawings.cells[place]))
        flagged = bool(section.flag) and bool(row.get(section.flag))
        rich.add_row(*cells, style="yellow" if flagged else "")
    return rich


def style_of(name: str) -> str:
    """What a style of `characters` is on a terminal."""
    kind, _, step = name.rpartition("-")
    if kind == "series":
        return SERIES[int(step) % len(SERIES)]
    if kind in {"shade", "above", "below"} and step.isdecimal():
        most = STEPS if kind == "shade" else STEPS // 2
        return f"{INK} on {mixed(GREY, BELOW if kind == 'below' else MOST, int(step) / most)}" if int(step) else ""
    return "dim" if name == QUIET else ""
