"""A document as HTML: a fragment for notebooks; `page` makes a file of its own."""

from __future__ import annotations

from html import escape

from interagree.results.document import Document, Section
from interagree.tables import as_html


def html(document: Document, *, digits: int = 3) -> str:
    """The sections of a document, one after the other."""
    title = f"<h2>{escape(document.title)}</h2>\n" if document.title else ""
    return title + "\n".join(_section(section, digits) for section in document.sections) + "\n"


def _section(section: Section, digits: int) -> str:
    parts = [f"<h3>{escape(section.title)}</h3>"] if section.title else []
    if section.verbatim:
        parts.append(f"<pre>{escape(chr(10).join(section.lines))}</pre>")
    else:
        parts += [f"<p>{escape(line)}</p>" for line in section.lines]
    if section.table is not None and len(section.table):
        parts.append(as_html(section.table, digits))
    parts += [f"<p><small>{escape(line)}</small></p>" for line in section.foot]
    return "\n".join(parts)
