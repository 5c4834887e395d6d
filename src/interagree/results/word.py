"""Documents as Word documents: headings, sentences, charts, and tables whose heads are repeated on every page.

What is a heading or a table is one for Word, too, so that its styles, its outline and its tables of contents work.
Charts are pictures, drawn where Matplotlib is installed.  There are no macros, fields or links.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from interagree.errors import extra, visible
from interagree.results.document import Document, Section
from interagree.results.strips import with_strips
from interagree.tables import Table, cell, to_right

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table as WordTable
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph

    from interagree.results.charts import Chart

MOST = 500  # rows of a table; more is for spreadsheets
WIDE = 6  # columns from which on the letters of a table are small
FONT, SMALL = 9, 7  # points
PAGE, MARGIN = 6.7, 0.9  # inches: what is written on, and what is left on both sides of it
LETTER = 0.6  # how wide a letter is, as a share of its height; rather wide, as fonts differ between machines
INSIDE = 0.04  # inches on both sides of what a cell holds
LONGEST = 40  # letters for which a column gets room before others have what they need
MONOSPACED = "Courier New"
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def word(document: Document, *, digits: int = 3) -> bytes:
    """A document as the bytes of a .docx file.

    Args:
        document: What is written.
        digits: How many digits of numbers are shown.
    """
    try:
        import docx
    except ImportError:
        raise extra("python-docx", "word", purpose="writing Word") from None
    from docx.shared import Inches

    made = docx.Document()
    made.core_properties.title = _text(document.title)
    made.core_properties.author = made.core_properties.last_modified_by = "interagree"
    made.core_properties.comments = ""
    for part in made.sections:
        part.left_margin = part.right_margin = Inches(MARGIN)
    if document.title:
        made.add_heading(_text(document.title), 0)
    for section in document.sections:
        _section(made, section, digits)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _section(made: WordDocument, section: Section, digits: int) -> None:
    if section.title:
        made.add_heading(_text(section.title), 1)
    section, drawn = with_strips(section)
    table = section.table
    for line in section.lines:
        paragraph = made.add_paragraph(_text(line))
        paragraph.paragraph_format.keep_with_next = section.chart is not None or bool(table)
        if section.verbatim:
            _small(paragraph, SMALL + 1, MONOSPACED)
            paragraph.paragraph_format.space_after = 0
    if section.chart is not None:
        _picture(made, section.chart)
    if table is not None and len(table):
        _table(made, table.head(MOST), digits, drawn)
        if len(table) > MOST:
            rest = f"The first {MOST:,} of {len(table):,} rows; all of them are in the .xlsx and .csv of this answer."
            _small(made.add_paragraph(rest), FONT)
    for line in (table.foot if table is not None else "", *section.foot):
        if line:
            _small(made.add_paragraph(_text(line)), FONT)


def _table(made: WordDocument, table: Table, digits: int, drawn: str = "") -> None:
    from docx.oxml import OxmlElement
    from docx.shared import Inches

    columns = list(table.columns.values())
    right = [to_right(column) for column in columns]
    heads = [cell(name) for name in table.columns]
    body = [[cell(entry, digits) for entry in entries] for entries in zip(*columns, strict=True)]
    points = SMALL if len(columns) > WIDE else FONT
    grid = made.add_table(rows=1, cols=len(columns), style="Light List Accent 1")
    _narrow(grid)
    head = grid.rows[0]
    head._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # noqa: SLF001 -- the library has no word for it
    _row(head.cells, heads, right, points)
    for texts in body:
        _row(grid.add_row().cells, texts, right, points)
    grid.autofit = False
    for name, column, width in zip(heads, grid.columns, _widths([heads, *body], points), strict=True):
        column.width = Inches(width)
        for place in column.cells if name == drawn else ():
            _small(place.paragraphs[0], SMALL, MONOSPACED)
        for place in column.cells:
            place.width = Inches(width)
    made.add_paragraph()


def _narrow(grid: WordTable) -> None:
    """Little room on both sides of what cells hold."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    margins = OxmlElement("w:tblCellMar")
    for name in ("left", "right"):
        side = OxmlElement(f"w:{name}")
        side.set(qn("w:w"), str(round(INSIDE * 1440)))  # in twentieths of a point
        side.set(qn("w:type"), "dxa")
        margins.append(side)
    look = grid._tbl.tblPr.find(qn("w:tblLook"))  # noqa: SLF001 -- the library has no word for it
    if look is None:
        grid._tbl.tblPr.append(margins)  # noqa: SLF001
    else:
        look.addprevious(margins)  # where the order of a table's properties wants it


def _widths(rows: Sequence[Sequence[str]], points: int) -> list[float]:
    """Widths of columns in inches: all get room for their longest word, then for their longest entry."""
    inch = points * LETTER / 72
    words, entries = [], []
    for column in zip(*rows, strict=True):
        words.append(min(max(len(word) for text in column for word in text.split() or [""]), LONGEST) + 1)
        entries.append(max(words[-1], min(max(map(len, column[1:]), default=0), LONGEST) + 1))
    room = PAGE - sum(words) * inch - 2 * INSIDE * len(words)
    if room <= 0:
        return [PAGE * count / sum(words) for count in words]
    more = [entry - word for word, entry in zip(words, entries, strict=True)]
    share = min(1.0, room / (sum(more) * inch)) if sum(more) else 1.0
    needed = [(word + share * further) * inch + 2 * INSIDE for word, further in zip(words, more, strict=True)]
    return needed if share < 1 else [width * max(1.0, PAGE / sum(needed)) for width in needed]


def _row(cells: Sequence[_Cell], texts: Sequence[str], right: Sequence[bool], points: int) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    for place, text, numeric in zip(cells, texts, right, strict=True):
        paragraph = place.paragraphs[0]
        paragraph.add_run(_text(text))
        _small(paragraph, points)
        if numeric:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _picture(made: WordDocument, chart: Chart) -> None:
    """A chart as a picture, described for those who cannot see it; none where Matplotlib is not installed."""
    from docx.shared import Inches

    from interagree.results.charts.figures import image, size_of

    if find_spec("matplotlib") is None:
        return
    picture = made.add_picture(io.BytesIO(image(chart)), width=Inches(min(PAGE, 0.8 * size_of(chart)[0])))
    picture._inline.docPr.set("descr", _text(visible(chart.words)))  # noqa: SLF001 -- the library has no word for it


def _small(paragraph: Paragraph, points: int, font: str | None = None) -> None:
    from docx.shared import Pt

    for run in paragraph.runs:
        run.font.size = Pt(points)
        if font is not None:
            run.font.name = font


def _text(text: str) -> str:
    """Text that XML holds; what it has no place for is spelled out."""
    return NOT_IN_XML.sub(lambda sign: ascii(sign[0])[1:-1], text)
