"""A file of right answers beside a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interagree.errors import ColumnNotFound
from interagree.readers import read

if TYPE_CHECKING:
    from interagree.data import Annotations

WORKBOOKS, DECISION = (".xlsx", ".xlsm"), "decision"  # what people decide in, and the column where they do
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
            return read(file, item="item", value=DECISION, annotator="{file}").single()
    except ColumnNotFound:
        pass  # not a workbook that was exported to be decided in
    try:
        study = read(file, **stated)
    except ColumnNotFound:
        study = read(file, **stated, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()
