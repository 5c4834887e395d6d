"""Rows as a workbook of one sheet.

Text stays text, also where it begins as a formula does.  What XML cannot hold is spelled as workbooks spell it,
``_x000D_`` for a carriage return, which spreadsheet programs and `interagree.read` turn back.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interagree.errors import DataError, extra

# Letters that XML has no place for or changes, and text that looks like the spelling of one.
SPELLED = re.compile("[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")
LISTED = "options"  # the hidden sheet that holds what may be chosen
NO_LETTER = re.compile("[\ud800-\udfff\ufffe\uffff]")


class Choice(NamedTuple):
    """A column whose cells are chosen from a list."""

    column: int  # from 0
    options: Sequence[str]


def workbook(
    sheet: str, rows: Iterable[Sequence[object]], *, widths: Sequence[float] = (), choice: Choice | None = None
) -> bytes:
    """A workbook as the bytes of a file; sheets pass through temporary files, so a full disk is an OSError.

    Args:
        sheet: What its sheet is called.
        rows: Cells: text, numbers, or None.
        widths: How wide columns are, in letters; where it is given, the first row stays in sight, too.
        choice: A column to choose in; the options are on a hidden sheet.
    """
    try:
        import openpyxl
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.utils import get_column_letter
        from openpyxl.worksheet.datavalidation import DataValidation
        from openpyxl.writer.excel import ExcelWriter
    except ImportError:
        raise extra("openpyxl", "excel", purpose="writing Excel") from None
    # What cannot be written is refused before a temporary file is begun.
    spelled = [[_spelled(entry) if isinstance(entry, str) else entry for entry in row] for row in rows]
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet(sheet)
    if widths:
        page.freeze_panes = "A2"
    for number, width in enumerate(widths, start=1):
        page.column_dimensions[get_column_letter(number)].width = width
    for row in spelled:
        cells = []
        for entry in row:
            cell = WriteOnlyCell(page, value=entry)
            if isinstance(entry, str):
                cell.data_type = "s"  # text that begins with = is not a formula
            cells.append(cell)
        page.append(cells)
    if choice is not None:
        listed = book.create_sheet(LISTED)
        listed.sheet_state = "hidden"
        for option in choice.options:
            cell = WriteOnlyCell(listed, value=_spelled(option))
            cell.data_type = "s"
            listed.append([cell])
        letter = get_column_letter(choice.column + 1)
        rule = DataValidation("list", formula1=f"{LISTED}!$A$1:$A${len(choice.options)}", allow_blank=True)
        rule.add(f"{letter}2:{letter}{max(len(spelled), 2)}")
        page.data_validations.append(rule)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return out.getvalue()


def _spelled(text: str) -> str:
    if found := NO_LETTER.search(text):
        what = "half of a character" if found[0] < "\ufffe" else f"U+{ord(found[0]):04X}, which is not a character"
        raise DataError(f"{text!r} has {what}; a workbook cannot hold it, so write JSON instead")
    return SPELLED.sub(lambda sign: f"_x{ord(sign[0]):04X}_", text)
