"""The questions that a table in a file asks.

Two columns can be asked for that no file has: '{file}', the name of the file without its ending, for files that hold
one annotator each, and '{row}', the number of the row, for files whose rows are the same items in the same order.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interagree.data.columns import Coded, coded
from interagree.data.files import Source
from interagree.data.provenance import Provenance, Step
from interagree.data.study import Study
from interagree.errors import ColumnNotFound, DataError, listing
from interagree.reading.choices import Choices
from interagree.reading.door import build
from interagree.reading.parts import fitting, fitting_columns, layout_of, roles
from interagree.reading.tables import Table


def study(source: Source, table: Table, *, value: Any = None, question: Any = None, **options: Any) -> Study:
    """The questions that a table asks: one, one for each column of values, or one for each entry of a column."""
    provenance = Provenance((source.name,))
    try:
        table, options = _with_file(source, table, options)
        tables = (
            {None: table}
            if question is None and not _tidy(table)
            else _by_question(table, question or "question")
        )
        several = list(value) if isinstance(value, list | tuple) else [value]
        made = {}
        for name, part in tables.items():
            for one in several:
                title, choices = _one(part, one, several, options)
                if name is not None:
                    title = name if len(several) == 1 else f"{name} {title}"
                made[title] = build(part, **choices, provenance=provenance)
    except DataError as error:
        raise type(error)(f"{source.name}: {error}") from None
    return Study(made, provenance)


def _one(
    table: Table, value: Any, several: Sequence[Any], options: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """The name of a question, and the options its table is read with."""
    choices = {**options, "value": value}
    if "annotator" in choices:
        choices["annotator"] = fitting_columns(choices["annotator"], table.names)
    chosen = Choices.of(choices)
    if layout_of(table, chosen) != "long":
        return "value", choices
    part = roles(table.names, item=chosen.item, annotator=chosen.annotator, value=value)
    if len(several) > 1 and chosen.attributes is None:
        used = {part.item, part.annotator, *several}
        choices["attributes"] = [name for name in table.names if name not in used]
    return str(part.value), choices


def _with_file(source: Source, table: Table, options: Mapping[str, Any]) -> tuple[Table, dict[str, Any]]:
    """The table with the columns '{file}' and '{row}' where they are asked for."""
    options = dict(options)
    if (
        options.get("annotator") == "{file}"
        and options.get("item") is None
        and not fitting("item", table.names)
    ):
        options["item"] = "{row}"
    wanted = [name for name in ("{file}", "{row}") if name in (options.get("annotator"), options.get("item"))]
    if not wanted or not table.names:
        return table, options
    size = len(table.fetch(table.names[:1])[table.names[0]])
    made: dict[Hashable, Any] = {
        "{file}": Coded(np.zeros(size, dtype=np.int32), [source.stem]),
        "{row}": range(size),
    }

    def fetch(names: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        there = table.fetch([name for name in names if name not in wanted])
        return {name: made[name] if name in wanted else there[name] for name in names}

    return replace(table, names=[*table.names, *wanted], fetch=fetch), options


def _tidy(table: Table) -> bool:
    """Whether the table is of the form in which studies of several questions are written."""
    return {"question", "item", "annotator", "value"} <= set(table.names)


def _by_question(table: Table, column: Hashable) -> dict[Any, Table]:
    if column not in table.names:
        raise ColumnNotFound(
            f"there is no column {column!r} to take the question from; the table has {listing(table.names)}"
        )
    rest = [name for name in table.names if name != column]
    questions = coded(table.fetch([column])[column]).compact()
    step = Step("taken", f"{len(questions.names)} questions, by {column!r}")
    return {
        str(name): _part(table, rest, np.flatnonzero(questions.codes == code), step)
        for code, name in enumerate(questions.names)
    }


def _part(table: Table, names: Sequence[Hashable], rows: Any, step: Step) -> Table:
    lines = None if table.lines is None else [table.lines[row] for row in rows]

    def fetch(wanted: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        return {name: _taken(column, rows) for name, column in table.fetch(wanted).items()}

    return replace(table, names=list(names), fetch=fetch, lines=lines, steps=(*table.steps, step))


def _taken(column: Any, rows: Any) -> Any:
    if isinstance(column, Coded):
        return column.where(rows)
    if hasattr(column, "take"):
        return column.take(rows)
    return [column[row] for row in rows.tolist()]
