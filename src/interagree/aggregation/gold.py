"""A file of right answers beside a study.

A workbook in which people decided holds values that fit into a cell in its column ``decision``.  Others, such as spans,
boxes and trees, are chosen by a letter; what each letter stands for is in columns for programs, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.data.files import Source
from interagree.data.values import plain
from interagree.errors import ColumnNotFound, DataError, listing
from interagree.plugins import KINDS
from interagree.readers import read
from interagree.reading.evidence import sample
from interagree.reading.sheets import tables

if TYPE_CHECKING:
    from interagree.data import Annotations

WORKBOOKS, DECISION = (".xlsx", ".xlsm"), "decision"  # what people decide in, and the column where they do
VALUE_OF, KIND = "value of ", "kind of value"  # columns for programs: what a letter stands for, and of which kind it is
QUESTION = "question"  # the column that says what is decided, where a workbook has a sheet for each question
SHARED = ("item", "value", "split", "missing", "kind")  # options of a study that hold for its right answers, too


def gold_answers(file: str, question: str, reading: Mapping[str, Any]) -> Annotations:
    """Right answers from a file, with or without a column of annotators.

    Args:
        file: Where they are.
        question: The question that they answer, where the file has several.
        reading: The options that the study was read with; those that concern items and values hold here, too.
    """
    stated = {name: entry for name, entry in reading.items() if name in SHARED}
    try:
        if Path(file).suffix.lower() in WORKBOOKS:
            sheet: dict[str, Any] = _sheet(file, question)
            return _decided(file, sheet)
    except ColumnNotFound:
        pass  # not a workbook that was exported to be decided in
    try:
        study = read(file, **stated)
    except ColumnNotFound:
        study = read(file, **stated, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()


def coded(value: object) -> str | None:
    """A value as JSON that reads back as the same value; None where it would not."""
    try:
        text = json.dumps(value)
        return text if plain(json.loads(text)) == value else None
    except (TypeError, ValueError, RecursionError):
        return None


def _decided(file: str, sheet: Mapping[str, Any]) -> Annotations:
    """The decisions of a workbook; letters become the values that they stand for."""
    table = tables(Source.of(file), sheet.get("sheet"))
    names = [] if isinstance(table, Mapping) else [str(name) for name in table.names]
    letters = [name.removeprefix(VALUE_OF) for name in names if name.startswith(VALUE_OF)]
    if not letters or KIND not in names:
        return read(file, item="item", value=DECISION, annotator="{file}", **sheet).single()
    columns = [*(f"{VALUE_OF}{letter}" for letter in letters), KIND]
    chosen = read(
        file, item="item", value=DECISION, annotator="{file}", attributes=columns, kind="labels", **sheet
    ).single()
    values = []
    for row, (item, _, decision) in enumerate(chosen.rows()):
        letter = str(decision).strip().upper()
        value = chosen.attributes[f"{VALUE_OF}{letter}"][row] if letter in letters else None
        if value is None:
            has = [name for name in letters if chosen.attributes[f"{VALUE_OF}{name}"][row] is not None]
            raise DataError(
                f"{file}: the decision on {item!r:.60} is {decision!r:.40}, and its answers are {listing(has)}; choose "
                "one of them, or empty the cell"
            )
        values.append(_uncoded(value, item, file))
    kind = str(chosen.attributes[KIND][0]) if values else ""
    if kind not in KINDS:
        raise DataError(f"{file}: expected a kind of value in the column {KIND!r}, found {kind!r:.40}")
    items = [item for item, _, _ in chosen.rows()]
    people = [who for _, who, _ in chosen.rows()]
    made = type(chosen).from_columns(items, people, values, provenance=chosen.provenance)
    return replace(made, of_kind=kind)


def _uncoded(text: object, item: object, file: str) -> object:
    try:
        return plain(json.loads(text) if isinstance(text, str) else text)
    except ValueError:
        raise DataError(
            f"{file}: what the answers to {item!r:.60} stand for was changed, and is not JSON; write the workbook anew"
        ) from None


def _sheet(file: str, question: str) -> dict[str, str]:
    """The sheet of a workbook in which a question was decided, where it has several sheets with tables."""
    sheets = tables(Source.of(file))
    if not isinstance(sheets, Mapping):
        return {}
    deciding = {name: table for name, table in sheets.items() if {"item", DECISION} <= {*table.names}}
    asked = {
        str(next(iter(sample(table.fetch([QUESTION])[QUESTION], None)), "")): name
        for name, table in deciding.items()
        if QUESTION in table.names
    }
    if len(deciding) > 1 and question not in asked:
        raise DataError(f"{file} has decisions on {listing(asked or deciding)}, and none on {question!r}")
    name = asked.get(question) or next(iter(deciding), None)
    return {} if name is None else {"sheet": name}
