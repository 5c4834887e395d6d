"""Documents as workbooks: the story on the first sheet, then a sheet for each table.

Heads stay in sight, every column can be filtered, numbers are not rounded but shown with a few digits, and what is
text stays text.  Columns of agreement are shaded from orange (0) over white (0.5) to blue (1), those of disagreement
from white to orange.  Charts are the program's own, to the right of their table; a table of shades is a sheet.  A
table stands alone on its sheet, so that other programs read it; what was said about it is on the first sheet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from interagree.errors import DataError
from interagree.results.cells import width_of
from interagree.results.charts import Heat
from interagree.results.charts.native import Charts, drawable
from interagree.results.document import INTERVAL, Document, Section
from interagree.results.strips import with_strips
from interagree.results.workbook import (
    LETTERS,
    NAME,
    ORANGE,
    ROWS,
    Book,
    RowSheet,
    checked,
    printed,
    scalar,
    units,
    widths,
)
from interagree.tables import Table, aligned, cell

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

STORY = "Story"
DATA = "Data"
MONOSPACED = "Courier New"
LINE, HEIGHT = 90, 15  # letters of a line of the story, and how high it is in points
PRINTED = 80  # percent, so that a line fits on paper; some programs fit no single column to a page by themselves
BLUE, WHITE, YELLOW = "#9DC3E6", "#FFFFFF", "#FFF2CC"
HIGH = frozenset(("specific", "left out", "coefficient", "reliability", "accuracy", "consistency", "f1"))
LOW = frozenset(("disagreement", "distance", "difficulty", "worth", "entropy", "gap"))


class DocumentSheet(NamedTuple):
    """A sheet of the document."""

    name: str
    table: Table
    section: Section | None = None
    heat: Heat | None = None


def excel(document: Document, *, digits: int = 3) -> bytes:
    """A document as the bytes of a workbook.

    Args:
        document: What is written.
        digits: How many digits of numbers are shown; cells hold all of them.
    """
    further: list[RowSheet] = []
    refused: list[str] = []
    for sheet in document.sheets() if document.sheets is not None else ():
        try:
            further.append(checked(sheet))
        except DataError as error:  # the report can do without it
            refused.append(f"There is no sheet to decide in: {error}.")
    with Book() as book:
        story, charts = StorySheet(book), Charts(book)
        if document.title:
            story.line(document.title, bold=True, font_size=16)
            story.line()
        cut: list[str] = []
        for section in document.sections:
            parts = _parts(book, section, document.title)
            story.section(section, [part.name for part in parts])
            for part in parts:
                cut += _write(book, charts, part, digits)
        for sheet in further:
            name = book.name(sheet.name)
            book.write(sheet, name)
            story.section(Section(lines=sheet.about), [name])
        if document.rows is not None and len(document.rows) and not _shown_already(document):
            name = book.name(DATA)
            cut += _write(book, charts, DocumentSheet(name, document.rows), digits)
            story.section(Section(lines=["All rows, to compute with."]), [name])
        for sentence in refused:
            story.line(sentence)
        for sentence in cut:
            story.line(f"{sentence} All of it is in the .json and .csv of this answer.", bold=True)
    return book.content


def _shown_already(document: Document) -> bool:
    return any(section.table is not None and section.table == document.rows for section in document.sections)


def _parts(book: Book, section: Section, title: str) -> list[DocumentSheet]:
    """The sheets that a section needs."""
    table = section.table if section.table is not None and len(section.table) else None
    parts = []
    if table is not None:
        exact = table if section.exact is None else section.exact
        parts.append(DocumentSheet(book.name(_short(section.title) or table.title or title or "Table"), exact, section))
    if isinstance(section.chart, Heat):
        heat = section.chart
        columns: dict[str, Sequence[object]] = {"": list(heat.rows)}
        for place, name in enumerate(heat.columns):
            head = name if name not in columns else f"{name} ({place + 1})"  # two labels may look the same
            columns[head] = [float(row[place]) for row in heat.cells]
        parts.append(DocumentSheet(book.name(f"{_short(section.title or title)}, shaded"), Table(columns), heat=heat))
    elif section.chart is not None and table is None and drawable(section.chart):
        parts.append(DocumentSheet(book.name(_short(section.title) or title or "Chart"), Table({}), section))
    return parts


def _short(title: str) -> str:
    """A title for a tab: without what it says in parentheses, where it is long."""
    return title if len(title) <= NAME else title.partition(" (")[0]


def _write(book: Book, charts: Charts, part: DocumentSheet, digits: int) -> list[str]:
    """The sheet of a table; sentences about what it had no room for."""
    page = book.page(part.name)
    table = part.table if len(part.table) < ROWS else part.table.head(ROWS - 1)
    said = []
    if len(part.table) > len(table):
        said.append(f"The sheet {part.name!r} holds the first {len(table):,} of {len(part.table):,} rows.")
    heads = [cell(name) for name in table.columns]
    long = 0
    body = []
    for row in zip(*table.columns.values(), strict=True):
        cells = [_held(entry, digits) for entry in row]
        long += sum(shortened for _, shortened in cells)
        body.append([entry for entry, _ in cells])
    if long:
        said.append(f"{long:,} cells of {part.name!r} are longer than the {LETTERS:,} letters that one can hold.")
    for number, width in enumerate(widths([heads, *body])):
        page.set_column(number, number, width)
    printed(page)
    if heads:
        page.freeze_panes(1, 1 if len(heads) > 2 else 0)
        book.row(page, 0, heads, {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        shape = f"0.{'0' * (part.heat.digits if part.heat else digits)}" if digits else "0"
        for place, entries in enumerate(body, start=1):
            _cells(book, page, place, entries, shape)
    if body:
        page.autofilter(0, 0, len(body), len(heads) - 1)
        _shade(book, page, part, len(body))
    chart = (part.section.chart or part.section.estimates()) if part.section is not None else None
    if chart is not None:
        charts.insert(page, chart, len(heads) + 1 if heads else 0)
    return said


def _cells(book: Book, page: Worksheet, place: int, entries: Sequence[object], shape: str) -> None:
    for column, entry in enumerate(entries):
        if isinstance(entry, float):
            page.write_number(place, column, entry, book.style(num_format=shape if abs(entry) < 1e5 else "General"))
        elif isinstance(entry, int):
            page.write_number(place, column, entry)
        elif entry is not None:
            aligned = book.style(align="right") if entry == "–" else None
            page.write_string(place, column, str(entry), aligned)


def _held(entry: object, digits: int) -> tuple[object, bool]:
    """What a cell shows of an entry, and whether it had to be cut."""
    number = scalar(entry)
    if number is None or (isinstance(number, int) and not isinstance(number, bool) and abs(number) < 10**15):
        return number, False
    if isinstance(number, float) and math.isfinite(number):
        return number, False
    text = cell(number, digits)
    if units(text) <= LETTERS:
        return text, False
    return text[: LETTERS // 2 - 1] + "…", True


def _shade(book: Book, page: Worksheet, part: DocumentSheet, last: int) -> None:
    columns = list(part.table.columns)
    for number, name in enumerate(columns):
        observed = "agreement" in (words := name.split()) and "expected" not in words
        agreeing = observed or name in HIGH or (name in INTERVAL and {*INTERVAL} <= {*columns})
        if part.heat is not None and number:
            rule = _heat(part.heat)
        elif agreeing:
            rule = {"type": "3_color_scale", "min_color": ORANGE, "mid_color": WHITE, "max_color": BLUE}
            rule |= {"min_type": "num", "mid_type": "num", "max_type": "num"}
            rule |= {"min_value": 0, "mid_value": 0.5, "max_value": 1}
        elif name in LOW:
            rule = {"type": "2_color_scale", "min_color": WHITE, "max_color": ORANGE}
        else:
            continue
        page.conditional_format(1, number, last, number, rule)
    flag = part.section.flag if part.section is not None else ""
    if flag and flag in columns:
        from xlsxwriter.utility import xl_col_to_name

        rule = {"type": "formula", "criteria": f'=${xl_col_to_name(columns.index(flag))}2<>""'}
        page.conditional_format(1, 0, last, len(columns) - 1, {**rule, "format": book.style(bg_color=YELLOW)})


def _heat(heat: Heat) -> dict[str, object]:
    """The shades of a whole table: from light to dark, or away from the middle in two colours."""
    finite = [float(number) for row in heat.cells for number in row if math.isfinite(number)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    ends: dict[str, object] = {"min_type": "num", "max_type": "num"}
    if heat.middle is None:
        return {
            "type": "2_color_scale",
            "min_color": WHITE,
            "max_color": BLUE,
            **ends,
            "min_value": low,
            "max_value": high,
        }
    far = max(abs(low - heat.middle), abs(high - heat.middle)) or 1.0
    colours = {"min_color": ORANGE, "mid_color": WHITE, "max_color": BLUE, "mid_type": "num", "mid_value": heat.middle}
    reach = {"min_value": heat.middle - far, "max_value": heat.middle + far}
    return {"type": "3_color_scale", **colours, **ends, **reach}


class StorySheet:
    """The first sheet: all sentences, and where the tables are."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.page = book.page(book.name(STORY))
        self.page.set_column(0, 0, LINE)
        self.page.hide_gridlines(2)
        self.page.set_print_scale(PRINTED)
        self.place = 0

    def line(self, text: str = "", **properties: object) -> None:
        """A sentence, or an empty line."""
        if text:
            size = properties.get("font_size", 11)
            lines = sum(-(-max(len(part), 1) // LINE) for part in text.split("\n"))
            self.page.set_row(self.place, lines * HEIGHT * float(str(size)) / 11)  # not every program finds it
            style = self.book.style(text_wrap=True, valign="top", **properties)
            self.page.write_string(self.place, 0, _held(text, 0)[0], style)
        self.place += 1

    def link(self, name: str) -> None:
        """The way to another sheet."""
        inside = name.replace("'", "''")
        style = self.book.style(font_color="#0563C1", underline=1)
        self.page.write_url(self.place, 0, f"internal:'{inside}'!A1", style, f"→ sheet {name}")
        self.place += 1

    def section(self, section: Section, names: Sequence[str]) -> None:
        """What a section says, and the sheets of its tables."""
        if section.title:
            self.line(section.title, bold=True, font_size=12)
        for sentence in section.lines:
            self.line(sentence, **({"font_name": MONOSPACED} if section.verbatim else {}))
        drawn, strips = with_strips(section, lambda table: width_of(aligned(table).partition("\n")[0]) <= LINE)
        for line in aligned(drawn.table).split("\n") if strips and drawn.table is not None else ():
            self.line(line, font_name=MONOSPACED)
        for name in names:
            self.link(name)
        for sentence in (section.table.foot if section.table is not None else "", *section.foot):
            if sentence:
                self.line(sentence, font_color="#595959")
        self.line()
