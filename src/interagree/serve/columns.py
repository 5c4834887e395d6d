"""The part of each column as it is chosen on the page, and the options of `read` that say the same.

| part       | is                                                                                 |
|------------|------------------------------------------------------------------------------------|
| item       | what was annotated; several columns name it together, and without one each row is one |
| annotator  | who answered                                                                       |
| answer     | what they answered; several columns are several questions                          |
| question   | which question a row answers                                                       |
| person     | the answers of one annotator, in a table with a column for each                    |
| of item    | the answers to one item, in a table with a row for each annotator                  |
| count      | how often a value was given, in a table with a column for each                     |
| times      | how many items are as this row                                                     |

Every other column plays no part and is kept beside the answers: texts, times, comments.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from interagree.data import Study
from interagree.data.provenance import counted
from interagree.errors import (
    DataError,
    DoubtfulReading,
    InteragreeError,
    KindError,
    OptionError,
    ReadingAdvice,
    listing,
)
from interagree.reading.offers import first_annotations
from interagree.reading.parts import ROW
from interagree.serve.workspace import Workspace

PARTS = {
    "": "no part",
    "item": "item",
    "annotator": "who answered",
    "answer": "answer",
    "question": "which question",
    "person": "answers of one annotator",
    "of item": "answers to one item",
    "count": "how often this value was given",
    "times": "number of such items",
}
ByPart: TypeAlias = dict[str, list[str]]
OF_THE_READER = ("columns", "question")
SHOWN = 8  # rows of a preview
WIDEST = 200  # letters of a cell


def options_of(names: Sequence[str], parts: object) -> dict[str, Any]:
    """The options of `read` that give columns these parts.

    Args:
        names: The columns of the table.
        parts: The part of each column that has one, by its number, as the page sends it.
    """
    columns = _by_part(names, parts)
    layouts = [part for part in LAYOUTS if columns[part]]
    if len(layouts) > 1 or (layouts and columns["answer"]):
        both = listing(PARTS[part] for part in (*layouts, "answer") if columns[part])
        raise OptionError(f"a table has one layout, and these parts are of several: {both}; choose one of them")
    if layouts and columns["question"]:
        raise OptionError(
            f"a column says which question only beside a column with the answers, not {PARTS[layouts[0]]!r}"
        )
    return (LAYOUTS[layouts[0]] if layouts else _rows)(columns)


def _rows(columns: ByPart) -> dict[str, Any]:
    """A row for each annotation; or several columns of answers, and beside each another that says whose they are."""
    people, answers = columns["annotator"], columns["answer"]
    if not people or not answers:
        missing = "who answered" if answers else "the answer"
        raise OptionError(
            f"no column says {missing}; choose one, or choose {PARTS['person']!r} for two columns or more"
        )
    ways = {
        "annotator": people[0] if len(people) == 1 else people,
        "value": answers[0] if len(answers) == 1 else answers,
    }
    named = _item(columns) or ({"item": ROW} if len(people) == 1 else {})
    return named | ways | {part: columns[part][0] for part in ("question", "times") if columns[part]}


def _people(columns: ByPart) -> dict[str, Any]:
    """A column for each annotator."""
    if len(columns["person"]) < 2 or columns["annotator"]:
        raise OptionError(
            f"{PARTS['person']!r} is for two columns or more, and then no column says who answered; for one column "
            "with all answers choose 'answer'"
        )
    times = {"times": columns["times"][0]} if columns["times"] else {}
    return _item(columns) | {"annotator": columns["person"]} | times


def _items(columns: ByPart) -> dict[str, Any]:
    """A row for each annotator, a column for each item."""
    if len(columns["annotator"]) > 1 or columns["item"] or len(columns["of item"]) < 2:
        raise OptionError(
            f"{PARTS['of item']!r} is for two columns or more; then at most one column says who answered, and none "
            "is the item"
        )
    who = {"annotator": columns["annotator"][0]} if columns["annotator"] else {}
    return {"layout": "transposed"} | who | {"value": columns["of item"]}


def _counts(columns: ByPart) -> dict[str, Any]:
    """A column for each value, with how often it was given."""
    if len(columns["count"]) < 2 or columns["annotator"]:
        raise OptionError(f"{PARTS['count']!r} is for two columns or more, and then no column says who answered")
    others = [name for part in ("", "times") for name in columns[part]]
    return _item(columns) | {"layout": "counts"} | ({"attributes": others} if others else {})


LAYOUTS = {"person": _people, "of item": _items, "count": _counts}


def _by_part(names: Sequence[str], parts: object) -> ByPart:
    if not isinstance(parts, dict):
        raise KindError('parts are a JSON object from the number of a column to its part, such as {"0": "item"}')
    columns: dict[str, list[str]] = {part: [] for part in PARTS}
    for number, name in enumerate(names):
        part = parts.get(str(number), "")
        if not isinstance(part, str) or part not in PARTS:
            raise KindError(f"a part is one of {listing(part for part in PARTS if part)}, got {str(part)!r:.40}")
        columns[part].append(name)
    for part in ("question", "times"):
        if len(columns[part]) > 1:
            raise OptionError(f"only one column can say {PARTS[part]!r}, and there are {listing(columns[part])}")
    return columns


def _item(columns: ByPart) -> dict[str, Any]:
    names = columns["item"]
    return {"item": names[0] if len(names) == 1 else names} if names else {}


def parts_of(names: Sequence[str], options: Mapping[str, object]) -> dict[str, str] | None:
    """The parts of columns that options state, by their numbers; None where options say more than that."""
    if any(options.get(name) is not None for name in ("columns", "at")):
        return None
    layout, who, values = options.get("layout"), _listed(options.get("annotator")), _listed(options.get("value"))
    parts = dict.fromkeys(_listed(options.get("item")), "item")
    if layout == "counts":
        aside = {*parts, *_listed(options.get("attributes"))}
        parts |= {name: "count" for name in names if name not in aside}
    elif layout == "transposed":
        parts |= dict.fromkeys(who, "annotator") | dict.fromkeys(values, "of item")
    elif isinstance(options.get("annotator"), list) and not values:
        parts |= dict.fromkeys(who, "person")
    else:
        parts |= dict.fromkeys(who, "annotator") | dict.fromkeys(values, "answer")
    parts |= {str(options[part]): part for part in ("question", "times") if options.get(part) is not None}
    return {str(number): parts[name] for number, name in enumerate(names) if name in parts}


def _listed(given: object) -> list[str]:
    if given is None:
        return []
    return [str(name) for name in given] if isinstance(given, list | tuple) else [str(given)]


def form(workspace: Workspace) -> dict[str, Any]:
    """The first rows of the table with the part that each column has so far."""
    heads = workspace.heads()
    names = [name for name, _ in heads]
    readings = [] if workspace.doubt is None else [reading.options for reading in workspace.doubt.readings]
    stated = workspace.study.reading if workspace.study is not None else {}
    begun = (parts_of(names, options) for options in [*readings, stated])
    return {
        "columns": [{"name": name, "cells": [cell[:WIDEST] for cell in cells]} for name, cells in heads],
        "parts": next((parts for parts in begun if parts is not None), {}),
        "choices": [*PARTS.items()],
    }


def preview(workspace: Workspace, parts: str) -> dict[str, Any]:
    """The first rows of the files as they would be read, with the command and the call that do the same."""
    try:
        options = chosen(workspace, parts)
        study = workspace.tried(options)
    except InteragreeError as error:
        message = str(error.args[0]) if isinstance(error, DoubtfulReading) else error.for_command_line()
        return {"error": message}
    heads, rows = first_annotations(study, SHOWN)
    advice = ReadingAdvice("", rows, heads, options, OF_THE_READER)
    files = workspace.named()
    return {
        "header": [*heads],
        "rows": rows,
        "sizes": _sizes(study),
        "command": advice.command(["interagree", "serve", *files]),
        "python": advice.call(files if len(files) > 1 else files[0]),
    }


def _sizes(study: Study) -> str:
    numbers = [(len(study), "question")] if len(study) > 1 else []
    numbers += [(max(len(one.items) for one in study.values()), "item")]
    numbers += [(len({str(who) for one in study.values() for who in one.annotators}), "annotator")]
    return ", ".join(counted(number, noun) for number, noun in numbers if number)


def chosen(workspace: Workspace, parts: str | object) -> dict[str, Any]:
    """The options that the parts of columns state."""
    try:
        sent = json.loads(parts) if isinstance(parts, str) else parts
    except (ValueError, RecursionError):
        sent = None
    names = [name for name, _ in workspace.heads()]
    if not names:
        raise DataError("these files are not a table whose columns could be given a part")
    return options_of(names, sent)
