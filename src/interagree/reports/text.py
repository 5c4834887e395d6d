"""Documents as plain text, aligned, without colour or boxes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from interagree.reports.document import Document, Section
from interagree.tables import Table, cell

WIDTH = 100  # of prose; tables are as wide as they are


def text(document: Document, *, digits: int = 3, width: int = WIDTH) -> str:
    """The whole document as plain text."""
    parts = [heading(document.title, "=")] if document.title else []
    parts += [section_text(section, digits, width) for section in document.sections]
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(title: str, under: str) -> str:
    """A title and a line below it."""
    return f"{title}\n{under * len(title)}"


def section_text(section: Section, digits: int, width: int) -> str:
    """One section as plain text."""
    blocks = []
    if section.lines:
        blocks.append("\n".join(section.lines if section.verbatim else wrapped(section.lines, width)))
    if section.table is not None and len(section.table):
        blocks.append(table_text(section.table, digits))
    if section.foot:
        blocks.append("\n".join(wrapped(section.foot, width)))
    body = "\n\n".join(blocks)
    return f"{heading(section.title, '-')}\n{body}" if section.title else body


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Sentences broken at a width; a line that begins with spaces keeps them, and one of several hangs."""
    broken: list[str] = []
    hang = "  " if len(lines) > 1 else ""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        broken += textwrap.wrap(
            line.strip(),
            width,
            initial_indent=indent,
            subsequent_indent=indent + hang,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return broken


def table_text(table: Table, digits: int) -> str:
    """A table with aligned columns; numbers to the right."""
    heads = [*table.columns]
    cells = [[cell(entry, digits) for entry in column] for column in table.columns.values()]
    right = [to_right(column) for column in table.columns.values()]
    widths = [max([len(head), *map(len, column)]) for head, column in zip(heads, cells, strict=True)]

    def line(entries: Sequence[str]) -> str:
        parts = [
            entry.rjust(width) if numeric else entry.ljust(width)
            for entry, width, numeric in zip(entries, widths, right, strict=True)
        ]
        return "  ".join(parts).rstrip()

    body = [line([column[i] for column in cells]) for i in range(len(table))]
    return "\n".join([line(heads), *body, *([table.foot] if table.foot else [])])


def to_right(column: Sequence[object]) -> bool:
    """Whether a column holds numbers, which stand on the right."""
    return any(isinstance(entry, int | float) and not isinstance(entry, bool) for entry in column)
