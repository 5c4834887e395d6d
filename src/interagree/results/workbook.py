"""Rows as a workbook of one sheet.

Text stays text, also where it begins as a formula does.  What XML cannot hold is spelled as workbooks spell it,
``_x000D_`` for a carriage return, which spreadsheet programs and `interagree.read` turn back.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence

from interagree.errors import DataError, extra

# Letters that XML has no place for or changes, and text that looks like the spelling of one.
SPELLED = re.compile("[\x00-\x08\x0b-\x1f]|_(?=x[0-9A-Fa-f]{4}_)")
NO_LETTER = re.compile("[\ud800-\udfff\ufffe\uffff]")


def workbook(sheet: str, rows: Iterable[Sequence[object]]) -> bytes:
    """A workbook as the bytes of a file; sheets pass through temporary files, so a full disk is an OSError.

    Args:
        sheet: What its sheet is called.
        rows: Cells: text, numbers, or None.
    """
    try:
        import openpyxl
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.writer.excel import ExcelWriter
    except ImportError:
        raise extra("openpyxl", "excel", purpose="writing Excel") from None
    # What cannot be written is refused before a temporary file is begun.
    spelled = [[_spelled(entry) if isinstance(entry, str) else entry for entry in row] for row in rows]
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet(sheet)
    for row in spelled:
        cells = []
        for entry in row:
            cell = WriteOnlyCell(page, value=entry)
            if isinstance(entry, str):
                cell.data_type = "s"  # text that begins with = is not a formula
            cells.append(cell)
        page.append(cells)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return out.getvalue()


def _spelled(text: str) -> str:
    if found := NO_LETTER.search(text):
        what = "half of a character" if found[0] < "\ufffe" else f"U+{ord(found[0]):04X}, which is not a character"
        raise DataError(f"{text!r} has {what}; a workbook cannot hold it, so write JSON instead")
    return SPELLED.sub(lambda sign: f"_x{ord(sign[0]):04X}_", text)
