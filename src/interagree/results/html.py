"""A document as HTML: a fragment for notebooks; `page` makes a file of its own."""

from __future__ import annotations

from html import escape

from interagree.results.document import Document, Section
from interagree.tables import as_html, first_rows


def html(document: Document, *, digits: int = 3, most: int | None = None) -> str:
    """The sections of a document, one after the other.

    Args:
        document: What is shown.
        digits: How many digits of numbers are shown.
        most: How many rows of a table are shown, where it is for a notebook.
    """
    title = f"<h2>{escape(document.title)}</h2>\n" if document.title else ""
    return title + "\n".join(_section(section, digits, most) for section in document.sections) + "\n"


def _section(section: Section, digits: int, most: int | None) -> str:
    parts = [f"<h3>{escape(section.title)}</h3>"] if section.title else []
    if section.verbatim:
        parts.append(f"<pre>{escape(chr(10).join(section.lines))}</pre>")
    else:
        parts += [f"<p>{escape(line)}</p>" for line in section.lines]
    if section.table is not None and len(section.table):
        parts.append(as_html(section.table if most is None else first_rows(section.table, most), digits))
    parts += [f"<p><small>{escape(line)}</small></p>" for line in section.foot]
    return "\n".join(parts)
