"""A file of right answers beside a study.

A workbook in which people decided holds values that fit into a cell in its column ``decision``.  Others, such as spans,
boxes and trees, are chosen by a letter; what each letter stands for is in columns for programs, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from interagree.data import Annotations
from interagree.data.files import Source
from interagree.data.joining import concat
from interagree.data.meeting import Known, met, none_met
from interagree.data.types import Annotator
from interagree.data.values import is_hashable, is_missing, plain
from interagree.errors import ColumnNotFound, DataError, DoubtfulReading, InteragreeError, listing
from interagree.plugins import KINDS
from interagree.readers import columns_of, read
from interagree.reading.evidence import sample
from interagree.reading.sheets import tables

WORKBOOKS, DECISION = (".xlsx", ".xlsm"), "decision"  # what people decide in, and the column where they do
VALUE_OF, KIND = "value of ", "kind of value"  # columns for programs: what a letter stands for, and of which kind it is
QUESTION = "question"  # the column that says what is decided, where a workbook has a sheet for each question
UNNAMED = "label"  # what a question without a name is called that is handed to a tool
UNCLEAR = (ColumnNotFound, DoubtfulReading)  # errors after which another way to read a file is tried
SHARED = ("item", "value", "split", "missing", "kind")  # options of a study that hold for its right answers, too


def gold_answers(file: str, question: str, reading: Mapping[str, Any], study: Annotations | None = None) -> Annotations:
    """Right answers from a file, with or without a column of annotators.

    Args:
        file: Where they are.
        question: The question that they answer, where the file has several.
        reading: The options that the study was read with; those that concern items and values hold here, too, where
            the file has such columns.
        study: What is held against them, by whose items and values a file is read that does not say itself what is
            what.
    """
    stated = {name: entry for name, entry in reading.items() if name in SHARED}
    right = _decisions(file, question)
    return _answers(file, question, stated, study) if right is None else right


def checked(right: Annotations, file: str, study: Annotations) -> Annotations:
    """Right answers of a file; an error where none is for an item of a study."""
    if not _meets(right, study):
        raise none_met("the study", study, Path(file).name, right)
    return right


def _meets(right: Annotations, study: Annotations | None) -> bool:
    """Whether right answers are for items of a study, and not only for rows."""
    if study is None:
        return True
    by_row = isinstance(right.items, range) and not isinstance(study.items, range)
    return not by_row and met(right.items, study.items) > 0


def _decisions(file: str, question: str) -> Annotations | None:
    """What was decided in a workbook; None where the file was not exported to be decided in."""
    if Path(file).suffix.lower() not in WORKBOOKS:
        return None
    try:
        sheet: dict[str, Any] = _sheet(file, question)
        return _decided(file, sheet)
    except ColumnNotFound:
        return None


def _answers(file: str, question: str, stated: Mapping[str, Any], study: Annotations | None) -> Annotations:
    """A file of one answer for each item: the first way to read it by which items of the study are met."""
    item, rest = {k: v for k, v in stated.items() if k == "item"}, {k: v for k, v in stated.items() if k != "item"}
    one: dict[str, Any] = {"annotator": "{file}"}
    cells = {} if study is None else _distinct_cells(file)
    if study is not None and question in cells:  # called as the question is, beside other questions or alone
        named = _by_cells(cells, [question], rest | one, item or {"item": "item"}, study)
        right, _ = _first_met(file, question, named, study)
        if right is not None and _meets(right, study):
            return right
    ways = [{**stated}, {**stated, **one}, rest, rest | one] if item else [rest, rest | one]
    made, first = _first_met(file, question, ways, study)
    if made is not None and (item or _meets(made, study)):
        return made
    by_cells: list[Mapping[str, Any]] = []
    if study is not None and made is None and isinstance(first, UNCLEAR):
        values = [name for name, held in cells.items() if held and 2 * met(held, study.values) > len(held)]
        by_cells = _by_cells(cells, values, rest | one, item, study)
    for further in (by_cells, _handed_back(question, study)):
        other, _ = _first_met(file, question, further, study)
        if other is not None and _meets(other, study):
            return other
    if made is None:
        assert first is not None  # noqa: S101 -- each way failed
        raise first
    return made


def _handed_back(question: str, study: Annotations | None) -> list[Mapping[str, Any]]:
    """How tools have what was handed to them, with the name of the item beside what is shown."""
    several = {"multiple": [question, UNNAMED]} if study is not None and str(study.kind) == "sets" else {}
    return [
        {"format": "label_studio", "predictions": True, "item": "item", **several},
        {"format": "prodigy", "item": "item"},
    ]


def _first_met(
    file: str, question: str, ways: Iterable[Mapping[str, Any]], study: Annotations | None
) -> tuple[Annotations | None, InteragreeError | None]:
    """What the first of some ways to read a file gives that meets a study, else the first that gives anything."""
    made: Annotations | None = None
    first: InteragreeError | None = None
    for options in ways:
        try:
            read_so = read(file, **options)
            right = read_so[question] if len(read_so) > 1 and question in read_so else read_so.single()
        except InteragreeError as error:
            first = first or error
            if not isinstance(error, UNCLEAR) and "format" not in options:
                break
            continue
        if _meets(right, study):
            return right, None
        made = made or right
    return made, first


def _distinct_cells(file: str) -> dict[Hashable, list[Any]]:
    """What the columns of a table hold; nothing of what is not a table."""
    try:
        columns = columns_of(file)
    except InteragreeError:  # said when the file is read
        return {}
    return {
        name: [*dict.fromkeys(cell for cell in cells if is_hashable(cell) and not is_missing(cell) and cell != "")]
        for name, cells in columns.items()
    }


def _by_cells(
    columns: Mapping[Hashable, list[Any]],
    values: Sequence[Hashable],
    options: Mapping[str, Any],
    item: Mapping[str, Any],
    study: Annotations,
) -> list[Mapping[str, Any]]:
    """The reading by the column of values and the one that holds the items of the study, where there is one of each."""
    items = sorted((name for name in columns if name not in values), key=lambda name: -met(columns[name], study.items))
    if len(values) != 1 or not items:
        return []
    named = item if item.get("item") in columns else {}  # the option is the study's where the file has no such column
    return [{**options, "item": items[0], "value": values[0], **named}]


def with_gold(study: Annotations, right: Annotations) -> tuple[Annotations, Annotator]:
    """A study with right answers as one more annotator, and how they are called: "gold" where nobody else is."""
    name = next(one for one in chain(("gold",), (f"gold {n}" for n in count(2))) if one not in study.annotators)
    items = Known(study.items).called(right.items)
    code = {item: place for place, item in enumerate(study.items)}
    where = np.array([-1 if item is None else code[item] for item in items])[right.item]
    first = np.zeros(len(study.items), dtype=np.intp)
    first[study.item[::-1]] = np.arange(len(study))[::-1]  # what is known of an item, such as its text, holds for gold
    kept = where >= 0
    rows = first[where[kept]]
    answers = Annotations.from_columns(
        [study.items[place] for place in where[kept].tolist()],
        [name] * int(kept.sum()),
        [right.values[place] for place in right.value[kept].tolist()],
        attributes={column: study.attributes[column][rows] for column in study.attributes},
        provenance=right.provenance,
    )
    return concat([study, replace(answers, of_kind=study.of_kind)]), name


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
