"""A document as HTML: a fragment for notebooks and pages."""

from __future__ import annotations

from html import escape

from interagree.results.document import Document, Section
from interagree.tables import as_html

STYLE = (
    "body {font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem} "
    "table {border-collapse: collapse} th, td {padding: 0.2rem 0.8rem; border-bottom: 1px solid #ddd}"
)


def html(document: Document, *, digits: int = 3) -> str:
    """The sections of a document, one after the other."""
    title = f"<h2>{escape(document.title)}</h2>\n" if document.title else ""
    return title + "\n".join(_section(section, digits) for section in document.sections) + "\n"


def page(title: str, body: str) -> str:
    """A fragment as a page of its own."""
    head = f'<meta charset="utf-8">\n<title>{escape(title or "interagree")}</title>\n<style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n'


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
