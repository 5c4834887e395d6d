"""A document on a terminal: in colour, tables within its width, and a drawing beside each coefficient."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from interagree.results.document import Document, Section
from interagree.tables import Table, cell, to_right

STRIP = 21  # letters of the drawing beside a coefficient
ROOM = 100  # columns a terminal must have for it
WORD = 12  # what a column of long words gets at least, unless it is the first


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
    if section.title:
        console.print(Text(section.title, style="bold cyan"))
    for line in section.lines:
        console.print(Text(line, no_wrap=section.verbatim, overflow="ignore" if section.verbatim else "fold"))
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


def _fits(table: Table, width: int) -> bool:
    needed = sum(
        2 + _least(name, column, first=not place) for place, (name, column) in enumerate(table.columns.items())
    )
    return needed - 2 <= width  # two spaces between columns


def _records(console: Console, table: Table) -> None:
    """A table too wide for the terminal: a paragraph for each row."""
    for row in table.rows():
        (_, first), *rest = row.items()
        words = "  ".join(f"{cell(name)} {cell(entry)}" for name, entry in rest if cell(entry))
        console.print(Text.assemble((cell(first), "bold"), "\n", words))


def _table(table: Table, section: Section, width: int) -> RichTable:
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, header_style="bold")
    forest = section.forest and width >= ROOM and _fits(table, width - STRIP - 2)
    left = _left_end(table) if forest else 0.0
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
    if forest:
        rich.add_column(Text(f"{left:g}" + "1".rjust(STRIP - len(f"{left:g}"))), no_wrap=True, style="cyan")
    for row in table.rows():
        cells = [Text(cell(entry)) for entry in row.values()]
        if forest:
            cells.append(Text(strip(row["value"], row["low"], row["high"], left=left)))
        flagged = bool(section.flag) and bool(row.get(section.flag))
        rich.add_row(*cells, style="yellow" if flagged else "")
    return rich


def _left_end(table: Table) -> float:
    """Where the drawing begins: at 0, or at -1 where a coefficient is below 0."""
    lows = [low for name in ("value", "low") for low in table[name] if low is not None and low == low]  # noqa: PLR0124 -- nan
    return -1.0 if min(lows, default=0.0) < -0.05 else 0.0


def strip(value: float, low: float, high: float, *, left: float = 0.0, width: int = STRIP) -> str:
    """A coefficient as characters, from ``left`` to 1: a line for its interval, a dot for its value."""
    if math.isnan(value):
        return " " * width

    def place(number: float) -> int:
        return round((min(max(number, left), 1.0) - left) / (1 - left) * (width - 1))

    cells = ["·"] * width
    if not math.isnan(low) and not math.isnan(high):
        for at in range(place(low), place(high) + 1):
            cells[at] = "━"
    cells[place(value)] = "●"
    return "".join(cells)
