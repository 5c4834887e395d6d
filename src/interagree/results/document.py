"""A document: titled sections of sentences and tables, before anybody decides how it looks.

An answer makes one; the modules beside this one that are called as a format (`text`, `markdown`, `html`, …) each turn
it into a string, and `terminal` prints it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from interagree.errors import (
    Advice,
    Hint,
    KindError,
    UnknownName,
    Wording,
    drawn,
    for_command_line,
    hints_of,
    listing,
    suggestion,
    visible,
)
from interagree.results.charts import Chart, DrawnEstimate, Forest
from interagree.tables import Table, cell

if TYPE_CHECKING:
    from interagree.results.workbook import RowSheet

VERDICT, NEXT = "In short", "What to do next"  # sections that come first, and that a page makes more of
SCHEMA = 1  # the version of what to_dict gives and of the JSON that commands and reports write

NAMED = 8  # sections left out that are named
INTERVAL = ("value", "low", "high")  # columns that may be drawn

AS_IT_STANDS = "    "  # what a line begins with that is a command, belongs to the one before and is not broken

FORMATS = ("text", "markdown", "html", "latex", "json", "csv")
FOR_PROGRAMS = ("json", "csv")
PAGES = frozenset((".html", ".htm"))
OFFICE = ("excel", "word")  # files that are not text
PICTURES = frozenset((".png", ".svg", ".pdf"))
SUFFIXES = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".json": "json",
    ".csv": "csv",
    ".xlsx": "excel",
    ".docx": "word",
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, sentences, a table, and notes below it."""

    title: str = ""
    lines: Sequence[str] = ()
    table: Table | None = None
    foot: Sequence[str] = ()
    exact: Table | None = None  # the same table with numbers in place of words, for spreadsheets
    forest: bool = False  # whether the columns value, low and high may be drawn
    flag: str = ""  # the column whose filled cells mark a row that should be seen
    spare: Sequence[str] = ()  # columns that a narrow page does without, the first one first, as do their notes below
    verbatim: bool = False  # whether the lines stand as they are
    chart: Chart | None = None  # drawn where there is room for it
    browser: Mapping[str, object] | None = None  # items to look through, on pages alone (`interagree.reports.browser`)
    detail: bool = False  # whether it stands behind what is said first: on pages, and elsewhere where all is asked for
    group: str = ""  # what it is part of; a page folds the parts of a group

    def __post_init__(self) -> None:
        """A chart that shows nothing is not drawn."""
        from interagree.results.charts.telling import tells

        if self.chart is not None and not tells(self.chart):
            object.__setattr__(self, "chart", None)

    def estimates(self) -> Forest | None:
        """The numbers with intervals that may be drawn in the rows of the table; None where there are none."""
        table = self.table
        if table is None or not len(table):
            return None
        names = [cell(entry) for entry in next(iter(table.columns.values()))]
        if isinstance(self.chart, Forest):
            return self.chart if names == [visible(row.label) for row in self.chart.rows] else None
        if not self.forest or not {*INTERVAL} <= {*table.columns}:
            return None
        ends = zip(*([_number(entry) for entry in table[column]] for column in INTERVAL), strict=True)
        rows = [DrawnEstimate(name, *numbers) for name, numbers in zip(names, ends, strict=True)]
        return Forest(rows, "value", "Coefficients with their intervals")

    def within(self, fits: Callable[[Table], bool]) -> Section:
        """The section without as many of the columns that it can do without as it takes to fit."""
        section = self
        for name in self.spare:
            if section.table is None or fits(section.table):
                break
            if name in section.table.columns:
                foot = [line for line in section.foot if not line.startswith(f"{name}: ")]
                section = replace(section, table=section.table.without(name), foot=foot)
        return section

    def sentences(self) -> list[str]:
        """All sentences of the section."""
        return [*self.lines, *([self.table.foot] if self.table is not None else []), *self.foot]

    def reworded(self, hints: Sequence[Hint | Wording]) -> Section:
        """The section with its hints as options of a command."""
        if self.verbatim:
            return self
        table = self.table
        if table is not None:
            table = replace(table, foot=for_command_line(table.foot, hints))
        return replace(
            self,
            lines=[for_command_line(line, hints) for line in self.lines],
            table=table,
            foot=[for_command_line(line, hints) for line in self.foot],
        )

    def visible(self) -> Section:
        """The section with letters that have no shape spelled out."""
        return replace(
            self,
            title=visible(self.title),
            lines=[drawn(line) if self.verbatim else Advice.around(visible(line), line) for line in self.lines],
            # Cells and heads are seen to by `cell`, as the flag names a head.
            table=self.table and replace(self.table, title=visible(self.table.title), foot=visible(self.table.foot)),
            foot=[Advice.around(visible(line), line) for line in self.foot],
        )


@dataclass(frozen=True, slots=True)
class Document:
    """An answer to be shown: sections for people, plain data for programs, one tidy table for spreadsheets."""

    title: str
    sections: Sequence[Section]
    data: Mapping[str, object] = field(default_factory=dict)
    rows: Table | None = None
    bibtex: Sequence[str] = ()
    hints: Sequence[Hint | Wording] = ()  # options that its sentences name, beside those that an `Advice` carries
    sheets: Callable[[], Sequence[RowSheet]] | None = None  # further ones of a workbook, made where one is written
    more: str = ""  # how to have the details, where they are left out

    def all_hints(self) -> list[Hint | Wording]:
        """The options that the sentences name."""
        sentences = (sentence for section in self.sections for sentence in section.sentences())
        return [*self.hints, *hints_of(*sentences)]

    def for_command_line(self) -> Document:
        """The document with its hints as options of a command."""
        hints = self.all_hints()
        sections = [section.reworded(hints) for section in self.sections]
        more = for_command_line(self.more, hints_of(self.more))
        data = {name: _reworded(entry) for name, entry in self.data.items()}
        rows = self.rows and _reworded_table(self.rows)
        return replace(self, sections=sections, data=data, rows=rows, hints=(), more=more)

    def folded(self) -> Document:
        """The document without details, which it names or says how to have."""
        hidden = [section.title.partition(" (")[0] for section in self.sections if section.detail]
        if not hidden:
            return self
        kept = [section for section in self.sections if not section.detail]
        return replace(self, sections=[*kept, Section(lines=[self.more or _more(hidden)])])

    def visible(self) -> Document:
        """The document for people: letters without a shape, which a terminal would obey, are spelled out."""
        return replace(self, title=visible(self.title), sections=[section.visible() for section in self.sections])


def _more(hidden: Sequence[str]) -> Advice:
    page = Wording(".write('report.html')", "-o report.html")
    names = listing(hidden, quote=False) if len(hidden) <= NAMED else f"{len(hidden)} further sections"
    return Advice(f"More with {page}: {names}.", [page])


def _number(entry: object) -> float:
    return float(entry) if isinstance(entry, int | float) else math.nan


def _reworded(entry: object) -> object:
    if isinstance(entry, Advice):
        return for_command_line(entry, entry.hints)
    if isinstance(entry, Table):
        return _reworded_table(entry)
    if isinstance(entry, Mapping):
        return {name: _reworded(value) for name, value in entry.items()}
    return [_reworded(value) for value in entry] if isinstance(entry, list) else entry


def _reworded_table(table: Table) -> Table:
    columns = {name: [_reworded(entry) for entry in column] for name, column in table.columns.items()}
    return replace(table, columns=columns)


def render(document: Document, form: str, *, digits: int = 3) -> str:
    """A document in one of the `FORMATS`."""
    import importlib

    if form not in FORMATS:
        raise UnknownName(
            f"a report cannot be written as {form!r}.{suggestion(form, FORMATS)} (known: {listing(FORMATS)})"
        )
    function = getattr(importlib.import_module(f"interagree.results.{form}"), form)
    text: str = function(document if form in FOR_PROGRAMS else document.visible(), digits=digits)
    return text


def office_file(document: Document, form: str, *, digits: int = 3) -> bytes:
    """A document as a workbook or a text document, in the bytes of its file."""
    import importlib

    content: bytes = getattr(importlib.import_module(f"interagree.results.{form}"), form)(document, digits=digits)
    return content


def write_document(document: Document, path: Path, form: str | None = None, *, digits: int | None = None) -> None:
    """Write a document to a file, in the format that its suffix asks for unless one is named."""
    from interagree.data.writing import naming, write_file

    form = form or form_of(path)
    rounded = (2 if form == "latex" else 3) if digits is None else digits
    if form in OFFICE:
        with naming(path):  # they pass through temporary files
            content = office_file(document.visible(), form, digits=rounded)
        write_file(path, content)
        return
    if form == "html":
        from interagree.results.page import page

        write_file(path, page(document, digits=rounded))
        return
    write_file(path, render(document, form, digits=rounded))


def form_of(path: Path) -> str:
    """The format that the suffix of a file asks for."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    given = f"the suffix {suffix!r}" if suffix else "no suffix"
    raise KindError(
        f"{path}: the suffix says what to write, and this has {given}; take {listing(SUFFIXES, quote=False)}"
    )


def one_per_line(sentences: Iterable[str]) -> tuple[str, ...]:
    """Sentences without repeats and without empty ones."""
    return tuple(dict.fromkeys(sentence for sentence in sentences if sentence))


def policy_sentence(policy: str, counts: str = "") -> str:
    """What was dropped, merged or assumed when data were read, after how much there is where that is given."""
    counted = f"{counts}; " if counts else ""
    return Advice.of("Policy: ", counted, policy or "nothing was dropped, merged or assumed", ".")


def as_sentences(notes: Iterable[str], *, capital: bool = False) -> tuple[str, ...]:
    """Notes with a full stop, and with a capital where none begins with a name; their hints are kept."""
    return tuple(Advice.around(f"{note[:1].upper() if capital else note[:1]}{note[1:]}.", note) for note in notes)
