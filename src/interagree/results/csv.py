"""Documents as CSV: one tidy table, numbers unrounded, empty where there is none.

A spreadsheet program computes a cell that begins as a formula does, whoever wrote it.  Text that begins with =, +, -
or @, or with a tab or a line end, gets an apostrophe in front: ``'=1+1``.  So does text that begins with apostrophes
and then such a sign; `interagree.read` takes one apostrophe away again, so that what was written is what is read.
Numbers, negative ones too, and single signs such as ``+`` and ``-`` are left alone.
"""

from __future__ import annotations

import csv as standard
import io
import math
from collections.abc import Iterable, Sequence

from interagree.reading.formulas import defused
from interagree.results.document import Document
from interagree.tables import Table, cell


def csv(document: Document, *, digits: int = 0) -> str:  # noqa: ARG001 -- CSV is not rounded
    """The tidy table of a document; of one that has none, its first table."""
    tables = [section.table for section in document.sections if section.table is not None]
    return table_csv(document.rows if document.rows is not None else tables[0] if tables else Table({}))


def table_csv(table: Table) -> str:
    """A table with its heads in the first line."""
    rows = ([_plain(entry) for entry in row] for row in zip(*table.columns.values(), strict=True))
    return delimited([[*table.columns], *rows])


def delimited(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Rows as text that a spreadsheet program opens: cells in quotes where they must be, formulas defused."""
    made = _Lines()
    writer = standard.writer(made, delimiter=delimiter, lineterminator=_Lines.END)
    writer.writerows([defused(entry) if isinstance(entry, str) else entry for entry in row] for row in rows)
    return made.text.getvalue()


class _Lines:
    """Text in lines.

    A writer puts cells into quotes that hold a letter of its line end: it is given both letters, so that no carriage
    return stands outside quotes, and here the line gets its usual end.
    """

    END = "\r\n"

    def __init__(self) -> None:
        self.text = io.StringIO(newline="")

    def write(self, line: str) -> None:
        self.text.write(line.removesuffix(self.END) + "\n")


def _plain(entry: object) -> object:
    if entry is None or (isinstance(entry, float) and not math.isfinite(entry)):
        return ""
    return entry if isinstance(entry, str | int | float) else cell(entry)
