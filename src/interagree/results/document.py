"""A document: titled sections of sentences and tables, before anybody decides how it looks.

Commands and reports make one; `text`, `markdown`, `latex`, `json` and `csv` beside this module each turn it into a
string.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.tables import Table

SCHEMA = 1  # the version of the JSON that commands and reports write

FORMATS = ("text", "markdown", "html", "latex", "json", "csv")
PICTURES = frozenset((".png", ".svg", ".pdf"))
SUFFIXES = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".json": "json",
    ".csv": "csv",
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, sentences, a table, and what must be said below it."""

    title: str = ""
    lines: Sequence[str] = ()
    table: Table | None = None
    foot: Sequence[str] = ()
    forest: bool = False  # whether the columns value, low and high may be drawn
    flag: str = ""  # the column whose filled cells mark a row that should be seen
    verbatim: bool = False  # whether the lines stand as they are


@dataclass(frozen=True, slots=True)
class Document:
    """What a command has to say: sections for people, plain data for programs, one tidy table for spreadsheets."""

    title: str
    sections: Sequence[Section]
    data: Mapping[str, Any] = field(default_factory=dict)
    rows: Table | None = None
    bibtex: Sequence[str] = ()


def render(document: Document, form: str, *, digits: int = 3) -> str:
    """A document as text, markdown, latex, json or csv."""
    import importlib

    if form not in FORMATS:
        raise UnknownName(
            f"a report cannot be written as {form!r}.{suggestion(form, FORMATS)} (known: {listing(FORMATS)})"
        )
    function = getattr(importlib.import_module(f"interagree.results.{form}"), form)
    made: str = function(document, digits=digits)
    return made


def form_of(path: Path) -> str:
    """The format that the suffix of a file asks for."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if suffix in {".html", ".htm"}:
        raise KindError(
            f"{path}: interagree does not write HTML; take .md (Markdown), which most tools turn into HTML, or "
            ".tex, .json, .csv or .txt"
        )
    named = f"the suffix {suffix!r}" if suffix else "no suffix"
    raise KindError(
        f"{path}: the suffix says what to write, and this has {named}; take {listing(SUFFIXES, quote=False)}"
    )


def one_per_line(sentences: Iterable[str]) -> tuple[str, ...]:
    """Sentences without repeats and without empty ones."""
    return tuple(dict.fromkeys(sentence for sentence in sentences if sentence))
