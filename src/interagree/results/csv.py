"""Documents as CSV: one tidy table, numbers unrounded, empty where there is none."""

from __future__ import annotations

import csv as standard
import io
import math

from interagree.results.document import Document
from interagree.tables import Table, cell


def csv(document: Document, *, digits: int = 0) -> str:  # noqa: ARG001 -- CSV is not rounded
    """The tidy table of a document; of one that has none, its first table."""
    tables = [section.table for section in document.sections if section.table is not None]
    return table_csv(document.rows if document.rows is not None else tables[0] if tables else Table({}))


def table_csv(table: Table) -> str:
    """A table with its heads in the first line."""
    written = io.StringIO()
    writer = standard.writer(written, lineterminator="\n")
    writer.writerow(table.columns)
    for row in zip(*table.columns.values(), strict=True):
        writer.writerow(_plain(entry) for entry in row)
    return written.getvalue()


def _plain(entry: object) -> object:
    if entry is None or (isinstance(entry, float) and not math.isfinite(entry)):
        return ""
    return entry if isinstance(entry, str | int | float) else cell(entry)
