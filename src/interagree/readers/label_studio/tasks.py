"""The tasks of an export.

The JSON export has tasks with annotations with results.  The short forms, JSON_MIN, CSV and TSV, have a row for each
annotation and a column for each control; they are turned into tasks of one annotation each.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, NamedTuple

from interagree.data.files import HEAD, Source, parse_json
from interagree.data.provenance import Step
from interagree.data.streaming import json_elements
from interagree.errors import FormatError, Hint, UnknownName, listing
from interagree.readers._rows import table_rows
from interagree.readers.label_studio.recognise import LISTS, SHORT
from interagree.readers.label_studio.results import ANSWERS

SIZES = ("original_width", "original_height")
ABOUT = frozenset({*SHORT, "created_at", "updated_at", "agreement"})


class Placed(NamedTuple):
    """A task or a row, with the place where it stands."""

    where: str
    task: Any
    is_row: bool = False  # of a short form: then its place is that of its annotation


def tasks_of(source: Source, questions: Sequence[str] | None, steps: list[Step]) -> Iterator[Placed]:
    """The tasks of a file, one by one."""
    with source.open() as stream:
        sign = stream.read(HEAD).removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if source.suffix in {".csv", ".tsv"} or (source.path is None and sign not in {b"[", b"{"}):
        rows = [
            Placed(where, {name: _cell(cell) for name, cell in row.items()}) for where, row in table_rows(source, steps)
        ]
        yield from _of_short(source, rows, questions, ordered=False)
        return
    listed = sign == b"["
    elements = (
        Placed(f"{source.name}, /{at}" if listed else f"{source.name}, ", e)
        for at, e in enumerate(json_elements(source))
    )
    placed = (one for element in elements for one in _inside(element))
    first = [*islice(placed, 1)]
    if first and not listed and not isinstance(first[0].task, dict):
        raise FormatError(
            f"{source.name}: expected a list of tasks, as Label Studio exports them, found {first[0].task!r:.60}"
        )
    if first and listed and isinstance(first[0].task, dict) and SHORT - {"lead_time"} <= first[0].task.keys():
        yield from _of_short(source, [*first, *placed], questions, ordered=True)
    else:
        yield from chain(first, placed)


def _inside(placed: Placed) -> Iterator[Placed]:
    """A task; or those of a page or a project of the server, which has a list of them under some name."""
    where, task, _ = placed
    if isinstance(task, dict) and "data" not in task and not task.keys() & {*LISTS}:
        for name, entry in task.items():
            if isinstance(entry, list) and any(isinstance(one, dict) and one.keys() & {*LISTS} for one in entry):
                yield from (Placed(f"{where}/{name}/{at}", one) for at, one in enumerate(entry))
                return
    yield placed


# -- short forms ----------------------------------------------------------------------------------------------


def _cell(entry: object) -> Any:
    if isinstance(entry, str) and entry[:1] in {"[", "{"}:
        with suppress(ValueError):
            return parse_json(entry)
    return entry


def _of_short(
    source: Source, rows: Sequence[Placed], questions: Sequence[str] | None, *, ordered: bool
) -> Iterator[Placed]:
    """The rows of a short form as tasks of one annotation each."""
    for number, (_, row, _) in enumerate(rows, start=1):
        if not isinstance(row, dict) or "annotator" not in row or "id" not in row:
            raise FormatError(
                f"{source.name}, row {number}: expected an object with 'id' and 'annotator', found {row!r:.60}"
            )
    # In JSON the answers stand between the id and the annotator; the columns of a table are in order of their names,
    # and answers are those whose cells are written as answers, or differ between annotators of one task.
    answers = (_between if ordered else _differing)([row for _, row, _ in rows])
    columns = questions or answers
    if not columns:
        example = Hint("value", "sentiment")
        raise FormatError(
            f"{source.name}: no column is plainly one of answers; name it, as in {example}, or export the "
            "project as JSON, which says what is what",
            hints=[example],
        )
    for name in columns:
        if not any(name in row for _, row, _ in rows):
            raise UnknownName(f"{source.name} has no column {name!r}; it has {listing(rows[0].task)}")
    other = {*ABOUT, *columns, *answers}
    for where, row, _ in rows:
        results = [result for name in columns for result in _results(name, row.get(name))]
        annotation = {**row, "id": row.get("annotation_id"), "completed_by": row["annotator"], "result": results}
        data = {name: entry for name, entry in row.items() if name not in other}
        task = {"id": row["id"], "data": data, "annotations": [annotation], "agreement": row.get("agreement")}
        yield Placed(where, task, is_row=True)


def _between(rows: Sequence[Mapping[str, object]]) -> list[str]:
    names: dict[str, None] = {}
    for row in rows:
        keys = list(row)
        names |= dict.fromkeys(keys[keys.index("id") + 1 : keys.index("annotator")])
    return [name for name in names if name not in ABOUT]


def _differing(rows: Sequence[Mapping[str, object]]) -> list[str]:
    names = dict.fromkeys(name for row in rows for name in row if name not in ABOUT)
    first: dict[str, Mapping[str, object]] = {}
    differing = set()
    for row in rows:
        before = first.setdefault(str(row["id"]), row)
        differing |= {name for name in names if _is_answer(row.get(name)) or row.get(name, "") != before.get(name, "")}
    return [name for name in names if name in differing]


def _is_answer(entry: object) -> bool:
    result = entry[0] if isinstance(entry, list) and entry else entry
    return isinstance(result, dict) and any(
        name in ANSWERS or name.endswith("labels") or name == SIZES[0] for name in result
    )


def _results(name: str, entry: Any) -> Iterator[dict[str, object]]:
    """An entry of a short form as the results that it was made from."""
    if entry is None or entry in ("", []):
        return
    if isinstance(entry, list) and all(isinstance(result, str) for result in entry):
        entry = {"choices": entry}
    for result in entry if isinstance(entry, list) else [entry]:
        kind = "number" if isinstance(result, int | float) else "choices"
        value = result if isinstance(result, dict) else {kind: result if kind == "number" else [str(result)]}
        if isinstance(result, dict):
            answer = next((kind for kind, (within, *_) in ANSWERS.items() if within in result), "")
            labels = next((key for key in result if key.endswith("labels")), "")
            kind = labels or ("" if "start" in result or "x" in result else answer)
        sizes = {key: value[key] for key in SIZES if key in value}
        yield {"type": kind, "value": value, "from_name": name, "to_name": "", **sizes}
