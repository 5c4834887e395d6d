"""A file of right answers beside a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.data.files import Source
from interagree.errors import ColumnNotFound, DataError, listing
from interagree.readers import read
from interagree.reading.evidence import sample
from interagree.reading.sheets import tables

if TYPE_CHECKING:
    from interagree.data import Annotations

WORKBOOKS, DECISION = (".xlsx", ".xlsm"), "decision"  # what people decide in, and the column where they do
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
            return read(file, item="item", value=DECISION, annotator="{file}", **sheet).single()
    except ColumnNotFound:
        pass  # not a workbook that was exported to be decided in
    try:
        study = read(file, **stated)
    except ColumnNotFound:
        study = read(file, **stated, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()


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
