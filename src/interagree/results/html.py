"""A document as HTML: a fragment for notebooks; `page` makes a file of its own.

Charts are images that hold their own ground and colours, since a notebook may be dark where the system is light.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape

from interagree.errors import visible
from interagree.results.charts import Chart
from interagree.results.document import AS_IT_STANDS, Document, Section
from interagree.results.strips import with_strips
from interagree.tables import as_html, first_rows

WIDTH = 576  # pixels of a chart


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
    section, _ = with_strips(section)
    parts = [f"<h3>{escape(section.title)}</h3>"] if section.title else []
    if section.verbatim:
        parts.append(f"<pre>{escape(chr(10).join(section.lines))}</pre>")
    else:
        parts += map(_line, section.lines)
    if section.chart is not None:
        parts.append(_picture(section.chart))
    if section.table is not None and len(section.table):
        parts.append(as_html(section.table if most is None else first_rows(section.table, most), digits))
    parts += [f"<p><small>{escape(line)}</small></p>" for line in section.foot]
    return "\n".join(parts)


def _line(line: str) -> str:
    if line.startswith(AS_IT_STANDS):
        return f"<pre>{escape(line)}</pre>"
    return f"<p>{escape(line)}</p>"


def _picture(chart: Chart) -> str:
    from interagree.results.charts.svg import standalone

    drawing = b64encode(standalone(chart).encode("utf-8", errors="replace")).decode("ascii")
    words = escape(visible(chart.words))
    return f'<p><img src="data:image/svg+xml;base64,{drawing}" width="{WIDTH}" alt="{words}"></p>'
