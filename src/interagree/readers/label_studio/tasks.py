"""The tasks of an export.

The JSON export has tasks with annotations with results.  The short forms, JSON_MIN, CSV and TSV, have a row for each
annotation and a column for each control; they are turned into tasks of one annotation each.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from interagree.data.files import HEAD, Source, parse_json
from interagree.data.streaming import json_elements
from interagree.errors import FormatError, Hint, UnknownName, listing
from interagree.readers.label_studio.recognise import LISTS, SHORT
from interagree.readers.label_studio.regions import ANSWERS
from interagree.reading.delimited import DelimitedText, all_rows

ROW = "row "  # before the place of an annotation that has a row of its own
ABOUT = frozenset({*SHORT, "created_at", "updated_at", "agreement"})


def tasks_of(source: Source, questions: tuple[str, ...] | None) -> Iterator[tuple[str, object]]:
    """The tasks of a file, one by one, each with the place where it stands."""
    if source.suffix in {".csv", ".tsv"} or (source.path is None and _first_sign(source) not in {b"[", b"{"}):
        yield from _tasks_of_short(source, _table(source), questions, ordered=False)
        return
    listed = _first_sign(source) == b"["
    elements = ((f"/{at}" if listed else "", task) for at, task in enumerate(json_elements(source)))
    placed = (one for where, task in elements for one in _inside(where, task))
    first = [*islice(placed, 1)]
    for _, task in first:
        if not listed and not isinstance(task, dict):
            raise FormatError(
                f"{source.name}: expected a list of tasks, as Label Studio exports them, found {task!r:.60}"
            )
        if listed and isinstance(task, dict) and SHORT - {"lead_time"} <= task.keys():
            yield from _tasks_of_short(source, [*first, *placed], questions, ordered=True)
            return
    yield from first
    yield from placed


def _inside(where: str, task: object) -> Iterator[tuple[str, object]]:
    """A task; or those of a page or a project of the server, which has a list of them under some name."""
    if isinstance(task, dict) and "data" not in task and not task.keys() & {*LISTS}:
        for name, entry in task.items():
            if isinstance(entry, list) and any(isinstance(one, dict) and one.keys() & {*LISTS} for one in entry):
                yield from ((f"{where}/{name}/{at}", one) for at, one in enumerate(entry))
                return
    yield where, task


def _first_sign(source: Source) -> bytes:
    with source.open() as stream:
        sign = stream.read(len(codecs.BOM_UTF8)).removeprefix(codecs.BOM_UTF8).lstrip()
        while not sign and (part := stream.read(HEAD)):
            sign = part.lstrip()
        return sign[:1]


def list_in(entries: Mapping[str, object], name: str) -> list[object]:
    """A list that may not be there, or only in numbers."""
    entry = entries.get(name)
    return entry if isinstance(entry, list) else []


def _table(source: Source) -> list[tuple[str, dict[str, object]]]:
    text = source.text()
    first = text.split("\n", 1)[0]
    rows = all_rows(DelimitedText(text, "\t" if "\t" in first else ","), source.name, [])
    (names, _), *others = [(row, line) for row, line in rows if row] or [([], 0)]
    for row, line in others:
        if len(row) != len(names):
            raise FormatError(
                f"{source.name}, line {line}: expected {len(names)} cells ({listing(names, most=6)}), found "
                f"{len(row)}; the file is not complete, or was changed by hand"
            )
    return [
        (f"line {line}", {name: _cell(entry) for name, entry in zip(names, row, strict=True) if name})
        for row, line in others
    ]


def _cell(entry: object) -> Any:
    if isinstance(entry, str) and entry[:1] in {"[", "{"}:
        try:
            return parse_json(entry)
        except ValueError:
            return entry
    return entry


def _tasks_of_short(
    source: Source, placed: Sequence[tuple[str, Any]], questions: tuple[str, ...] | None, *, ordered: bool
) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of a short form as tasks of one annotation each."""
    rows = [row for _, row in placed]
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or "annotator" not in row or "id" not in row:
            raise FormatError(
                f"{source.name}, row {number}: expected an object with 'id' and 'annotator', found {row!r:.60}"
            )
    # In JSON the answers stand between the id and the annotator; the columns of a table are in order of their names,
    # and answers are those whose cells are written as answers, or differ between annotators of one task.
    answers = _between(rows) if ordered else _differing(rows)
    columns = questions or answers
    if not columns:
        example = Hint("value", "sentiment")
        raise FormatError(
            f"{source.name}: no column is plainly one of answers; name it, as in {example}, or export the "
            "project as JSON, which says what is what",
            hints=[example],
        )
    lacking = [name for name in columns if not any(name in row for row in rows)]
    if lacking:
        raise UnknownName(f"{source.name} has no column {lacking[0]!r}; it has {listing(rows[0])}")
    other = {*ABOUT, *columns, *answers}
    for where, row in placed:
        data = {name: entry for name, entry in row.items() if name not in other}
        results = [result for name in columns for result in _results(name, row.get(name))]
        about = {name: row.get(name) for name in ("created_at", "updated_at", "lead_time")}
        annotation = {"id": row.get("annotation_id"), "completed_by": row["annotator"], "result": results, **about}
        yield (
            ROW + where,
            {"id": row["id"], "data": data, "annotations": [annotation], "agreement": row.get("agreement")},
        )


def _between(rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for row in rows:
        keys = list(row)
        first, last = keys.index("id"), keys.index("annotator")
        names.update(dict.fromkeys(name for name in keys[first + 1 : last] if name not in ABOUT))
    return tuple(names)


def _differing(rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    names = dict.fromkeys(name for row in rows for name in row if name not in ABOUT)
    first: dict[object, Mapping[str, object]] = {}
    differing = set()
    for row in rows:
        before = first.setdefault(row["id"], row)
        differing |= {name for name in names if _is_answer(row.get(name)) or row.get(name, "") != before.get(name, "")}
    return tuple(name for name in names if name in differing)


def _is_answer(entry: object) -> bool:
    result = entry[0] if isinstance(entry, list) and entry else entry
    return isinstance(result, dict) and any(
        name in ANSWERS or name.endswith("labels") or name == "original_width" for name in result
    )


def _results(name: str, entry: object) -> Iterator[dict[str, object]]:
    """An entry of a short form as the results that it was made from."""
    if entry is None or entry in ("", []):
        return
    if isinstance(entry, list) and all(isinstance(result, str) for result in entry):
        entry = {"choices": entry}
    for result in entry if isinstance(entry, list) else [entry]:
        if isinstance(result, dict):
            labels = next((key for key in result if key.endswith("labels")), "")
            answer = next((kind for kind, (entry, _) in ANSWERS.items() if entry in result), "")
            kind = labels or ("" if "start" in result or "x" in result else answer)
            yield {"type": kind, "value": result, "from_name": name, "to_name": "", **_sizes(result)}
        elif isinstance(result, int | float):
            yield {"type": "number", "value": {"number": result}, "from_name": name, "to_name": ""}
        else:
            yield {"type": "choices", "value": {"choices": [str(result)]}, "from_name": name, "to_name": ""}


def _sizes(entry: Mapping[str, object]) -> dict[str, object]:
    return {key: entry[key] for key in ("original_width", "original_height") if key in entry}
