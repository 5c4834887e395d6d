"""A document as one HTML file that can be sent on: it opens from a disk, asks no other host for anything, and prints.

A template (Jinja2, which escapes all that it is given), a style sheet and a script are put into one file, with the
charts as SVG and the items to look through as JSON.  The Content-Security-Policy allows the style sheets and the
script by their hashes and nothing else, so that a label or a text that is written as markup could do nothing even if it
were not escaped.  Without JavaScript everything is shown but the items to look through.

Pages are kept below three megabytes: where there is more, items to look through are left out, the last ones first,
then rows of the longest tables, and the page says how many.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import jinja2

from interagree import __version__
from interagree.results.document import Document
from interagree.results.page.fitting import LARGEST, fitted
from interagree.results.page.items import sources_of
from interagree.results.page.sections import contents_of, grouped, sections_of


def page(document: Document, *, digits: int = 3, largest: int = LARGEST) -> str:
    """A document as a page.

    Args:
        document: The document; pictures that its items name are loaded from where they are.
        digits: Decimal places of its numbers.
        largest: How many bytes the page may have.
    """
    return fitted(document.visible(), lambda shown: _made(shown, digits), largest)


def _made(document: Document, digits: int) -> str:
    sections = sections_of(document, digits)
    has_items = any(section.items for section in sections)
    # What draws charts or items is left out where there are none.
    styles = [_read("page.css")]
    if any(section.drawing or section.heat for section in sections):
        styles.append(_chart_style())
    if has_items:
        styles.append(_read("views.css"))
    sources = sources_of(document)
    script = "\n".join(map(_read, ["views.js", "page.js"] if has_items else ["page.js"]))
    return _template().render(
        document=document,
        title=document.title or "Agreement",
        groups=grouped(sections),
        contents=contents_of(sections),
        sources=sources,
        styles=styles,
        script=script,
        policy=_policy(styles, [script], sources),
        version=__version__,
    )


@cache
def _read(name: str) -> str:
    return (files(__name__) / name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(_read("page.html.jinja"))


def _chart_style() -> str:
    from interagree.results.charts.svg import STYLE

    return STYLE


def _policy(styles: Iterable[str], scripts: Iterable[str], images: Iterable[str]) -> str:
    """The Content-Security-Policy: what is in the file, by its hash, and pictures from where they may come."""
    return "; ".join(
        [
            "default-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            f"style-src {' '.join(map(_hash, styles))}",
            f"script-src {' '.join(map(_hash, scripts))}",
            " ".join(["img-src", "data:", *images]),
        ]
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
