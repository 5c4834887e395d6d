"""Documents as Markdown, with tables that GitHub, MkDocs and Pandoc read."""

from __future__ import annotations

import re

from interagree.results.document import Document, Section
from interagree.tables import Table, cell, to_right


def markdown(document: Document, *, digits: int = 3) -> str:
    """The whole document as Markdown."""
    parts = [f"# {escaped(document.title)}"] if document.title else []
    parts += [_section(section, digits) for section in document.sections]
    if document.bibtex:
        parts.append("```bibtex\n" + "\n\n".join(document.bibtex) + "\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section, digits: int) -> str:
    blocks = [f"## {escaped(section.title)}"] if section.title else []
    if section.verbatim:
        blocks.append("```text\n" + "\n".join(section.lines) + "\n```")
    else:
        blocks += [escaped(line.strip()) for line in section.lines]
    if section.table is not None and len(section.table):
        blocks.append(table_markdown(section.table, digits))
    blocks += [escaped(line.strip()) for line in section.foot]
    return "\n\n".join(blocks)


def table_markdown(table: Table, digits: int) -> str:
    """A table with a rule below its heads that says which columns stand on the right."""
    heads = "| " + " | ".join(escaped(head) or " " for head in table.columns) + " |"
    rule = "|" + "|".join("---:" if to_right(column) else "---" for column in table.columns.values()) + "|"
    body = [
        "| " + " | ".join(escaped(cell(entry, digits)) for entry in row) + " |"
        for row in zip(*table.columns.values(), strict=True)
    ]
    below = f"\n\n{escaped(table.foot)}" if table.foot else ""
    return "\n".join([heads, rule, *body]) + below


def escaped(words: str) -> str:
    """Text whose characters mean themselves."""
    return re.sub(r"([\\`*_|<>\[\]#])", r"\\\1", words).replace("\n", " ")
