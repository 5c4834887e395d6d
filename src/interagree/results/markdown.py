"""Documents as Markdown, with tables that GitHub, MkDocs and Pandoc read."""

from __future__ import annotations

import re

from interagree.results.document import AS_IT_STANDS, Document, Section
from interagree.results.strips import with_strips
from interagree.tables import Table, cell, to_right


def markdown(document: Document, *, digits: int = 3) -> str:
    """The whole document as Markdown."""
    parts = [f"# {escaped(document.title)}"] if document.title else []
    parts += [_section(section, digits) for section in document.sections]
    if document.bibtex:
        parts.append(fenced("bibtex", "\n\n".join(document.bibtex)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section, digits: int) -> str:
    section, _ = with_strips(section)
    blocks = [f"## {escaped(section.title)}"] if section.title else []
    if section.verbatim:
        blocks.append(fenced("text", "\n".join(section.lines)))
    else:
        for line in section.lines:
            stands = line.startswith(AS_IT_STANDS)
            blocks.append(fenced("console", f"$ {line.strip()}") if stands else paragraph(line))
    if section.table is not None and len(section.table):
        blocks.append(table_markdown(section.table, digits))
    blocks += [paragraph(line) for line in section.foot]
    return "\n\n".join(blocks)


def table_markdown(table: Table, digits: int) -> str:
    """A table with a rule below its heads that says which columns stand on the right."""
    heads = "| " + " | ".join(escaped(cell(head)) or " " for head in table.columns) + " |"
    rule = "|" + "|".join("---:" if to_right(column) else "---" for column in table.columns.values()) + "|"
    body = [
        "| " + " | ".join(escaped(cell(entry, digits)) for entry in row) + " |"
        for row in zip(*table.columns.values(), strict=True)
    ]
    below = f"\n\n{paragraph(table.foot)}" if table.foot else ""
    return "\n".join([heads, rule, *body]) + below


def escaped(words: str) -> str:
    """Text whose characters mean themselves."""
    return re.sub(r"([\\`*_|<>\[\]#&~$])", r"\\\1", words).replace("\n", " ")


def paragraph(line: str) -> str:
    """A line whose characters mean themselves, and whose beginning makes neither a list nor a heading."""
    return re.sub(r"^([-+=]|\d+(?=[.)]))", lambda start: _inert(start[0]), escaped(line.strip()))


def _inert(start: str) -> str:
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def fenced(language: str, text: str) -> str:
    """Text as it stands, between fences longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
