"""Several files of one study, and a file of right answers beside one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interagree.errors import ColumnNotFound, DataError, listing

if TYPE_CHECKING:
    from interagree.data import Annotations

SHARED = ("item", "value", "split", "missing", "kind")  # options of a study that hold for its right answers, too


def check_shared_questions(asked: Mapping[str, Sequence[str]]) -> None:
    """An error where files that are taken as one have no question in common: their columns are called differently."""
    times = Counter(name for names in asked.values() for name in names)
    if max(times.values()) > 1:
        return
    called = "; ".join(f"{file}: {listing(names)}" for file, names in asked.items())
    raise DataError(
        f"the files have no column of values in common ({called}), so they cannot be combined into one study; give the "
        "columns one name, or leave --together out"
    )


def gold_answers(file: str, question: str, reading: Mapping[str, Any]) -> Annotations:
    """Right answers from a file, with or without a column of annotators.

    Args:
        file: Where they are.
        question: The question that they answer, where the file has several.
        reading: The options that the study was read with; those that concern items and values hold here, too.
    """
    from interagree.readers import read

    stated = {name: entry for name, entry in reading.items() if name in SHARED}
    try:
        study = read(file, **stated)
    except ColumnNotFound:
        study = read(file, **stated, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()
