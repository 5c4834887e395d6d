"""The questions that a table in a file asks.

Two columns can be asked for that no file has: '{file}', the name of the file without its ending, for files that hold
one annotator each, and '{row}', the number of the row, for files whose rows are the same items in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interagree.data.files import Source
from interagree.data.provenance import Provenance
from interagree.data.study import Study
from interagree.errors import DataError, DoubtfulReading
from interagree.reading.choices import Choices
from interagree.reading.codebook import apart
from interagree.reading.door import read_table
from interagree.reading.parts import FILE, ROW, fitting
from interagree.reading.several import TablePart, together, with_made
from interagree.reading.tables import NamedColumns


def study(
    source: Source,
    table: NamedColumns | Mapping[str, NamedColumns],
    /,
    *,
    collect: list[TablePart] | None = None,
    **options: Any,
) -> Study:
    """The questions that a table asks: one, one for each column of values, or one for each entry of a column.

    Args:
        source: Where the table comes from.
        table: The table, or those of a workbook by the names of its sheets.
        collect: Where to put the table instead, to be read together with others.
        options: What a caller may say about data.
    """
    if not isinstance(table, NamedColumns) and collect is None:
        answers, book = apart(table)
        if book is not None:
            only = next(iter(answers.values())) if len(answers) == 1 else answers
            return book.applied(study(source, only, **options), strict=False)
    sheets = {source.stem: table} if isinstance(table, NamedColumns) else table
    if collect is not None or not isinstance(table, NamedColumns):
        c = Choices.of(options)
        parts = [TablePart(name, sheet, source.name, c) for name, sheet in sheets.items()]
        if collect is None:
            return together(parts, what="sheet")
        collect.extend(parts)
        return Study({})
    provenance = Provenance((source.name,))
    try:
        table, options = _with_file(source, table, options)
        if options.get("question") is None and _tidy(table):
            options["question"] = "question"
        reading, made = read_table(table, Choices.of({**options, "provenance": provenance}))
    except DoubtfulReading as error:
        error.source = source.name
        raise
    except DataError as error:
        raise error.at(source.name) from None
    return Study(made, provenance, reading.options())


def _with_file(source: Source, table: NamedColumns, options: Mapping[str, Any]) -> tuple[NamedColumns, dict[str, Any]]:
    """The table with the columns '{file}' and '{row}' where they are asked for."""
    options = dict(options)
    if options.get("annotator") == FILE and options.get("item") is None and not fitting("item", table.names):
        options["item"] = ROW
    given = (options.get(role) for role in ("item", "annotator", "value", "attributes", "times"))
    asked = [name for one in given for name in (one if isinstance(one, list | tuple) else [one])]
    wanted = [name for name in (FILE, ROW) if name in asked]
    if not wanted or not table.names:
        return table, options
    return replace(with_made(table, source.stem), names=[*table.names, *wanted]), options


def _tidy(table: NamedColumns) -> bool:
    """Whether the table is of the form in which studies of several questions are written."""
    return {"question", "item", "annotator", "value"} <= set(table.names)
