"""Documents as plain text, aligned, without colour or boxes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from interagree.results.cells import width_of
from interagree.results.charts.characters import characters
from interagree.results.document import AS_IT_STANDS, Document, Section
from interagree.results.strips import with_strips
from interagree.tables import aligned

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
    if section.chart is not None and (section.table is None or not len(section.table)):
        blocks.append("\n".join(characters(section.chart, width)))
    section, _ = with_strips(section, lambda table: width_of(aligned(table, digits).partition("\n")[0]) <= width)
    if section.table is not None and len(section.table):
        blocks.append(aligned(section.table, digits))
    if section.foot:
        blocks.append("\n".join(wrapped(section.foot, width)))
    body = "\n\n".join(blocks)
    return f"{heading(section.title, '-')}\n{body}" if section.title else body


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Sentences broken at a width; a line that begins with spaces keeps them, and one of several hangs."""
    broken: list[str] = []
    hang = "  " if len(lines) > 1 else ""
    for line in lines:
        if line.startswith(AS_IT_STANDS):
            broken.append(line)
            continue
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
