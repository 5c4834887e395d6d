"""Toloka: the results of a pool as TSV, whose columns are called INPUT:…, OUTPUT:…, GOLDEN:… and ASSIGNMENT:….

Every output is a question, called without ``OUTPUT:``.  Lists that are written as JSON are sets of labels; long answers
that hardly occur twice are texts.

**Items** are tasks (``ASSIGNMENT:task_id``); in files without it, all that was shown (``INPUT:…``) tells tasks apart.
``item="INPUT:image"`` takes one of these columns.  **Annotators** are workers (``ASSIGNMENT:worker_id``).

**Left out**, and counted: assignments that are neither approved nor submitted (rejected, skipped, expired), unless
``rejected="keep"``, and tasks with a known answer (``GOLDEN:…``), unless ``gold="keep"``.

The JSON that the programming interface of Toloka gives (``tasks`` beside ``solutions``) is read as well, and so is the
frame of ``get_assignments_df``, saved as a text table, JSON or Parquet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.gather.marks import Mark
from interagree.readers._answers import add_answers, as_table, names_of
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, keys_of, mentions, opened

SUFFIXES = (".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")
INPUT, OUTPUT, GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
WORKER, TASK, STATUS, VERDICT = "ASSIGNMENT:worker_id", "ASSIGNMENT:task_id", "ASSIGNMENT:status", "ACCEPT:verdict"
INTERFACE = ("tasks", "solutions", "user_id")  # what an assignment has that the programming interface gives
COUNTING = ("", "APPROVED", "SUBMITTED", "ACCEPTED")


def recognised(path: Path) -> bool:
    """Whether a file can only be results of Toloka."""
    if Source.of(path).suffix == ".parquet":
        return mentions(path, WORKER.encode()) and mentions(path, OUTPUT.encode())
    head, names = json_head(path), columns_of(path) or keys_of(path)
    if any(all(head.has(*place, name) for name in INTERFACE) for place in ((), ("items", ""))):
        return True
    return WORKER in names and any(name.startswith(OUTPUT) for name in names)


@reader("Toloka", suffixes=SUFFIXES, sniff=recognised, together=True)
def toloka(
    path: Paths,
    *,
    item: str | None = None,
    rejected: Literal["drop", "keep"] = "drop",
    gold: Literal["drop", "keep"] = "drop",
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The results of a pool, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The column of what was shown that tells tasks apart; by default the number of the task, else all of them.
        rejected: "drop" or "keep" assignments that were rejected, skipped or not finished.
        gold: "drop" or "keep" tasks with a known answer.
        duplicates: Of several answers of one worker to one task take the "last" one, the "first", or stop with an
            "error".
        questions: Those to read.
        options: What tables take; the file is then read as a table like any other.
    """
    if options:
        return as_table(path, {**options, "item": item, "value": questions}, by_suffix=True)
    gathered, rows = opened("Toloka", path, SUFFIXES, duplicates, under="items")
    results = []
    for row in rows:
        answered = list(_results(row))
        gathered.left_out("row", "without an answer left out", not answered)
        results += answered
    by_task = item is None and all(result.text(TASK) for result in results)
    told = TASK if by_task else item or f"all columns {INPUT}…"
    gathered.note("taken", f"results of Toloka: item from {told!r}, annotator from {WORKER!r}")
    answers: list[Mark] = []
    for result in results:
        status = "REJECTED" if result.text(VERDICT) == "-" else result.text(STATUS).upper()
        if status not in COUNTING and gathered.drops(f"{status.lower()} answer", usual="drop", rejected=rejected):
            continue
        if any(_named(result, GOLDEN).values()) and gathered.drops(
            "answer", "to a task with a known answer", usual="drop", gold=gold
        ):
            continue
        shown = _named(result, INPUT)
        about = result.text(TASK) if by_task else _item(result.where, shown, item)
        for name, entry in _named(result, OUTPUT).items():
            answers.append(Mark(name, about, result.text(WORKER), entry, result.where))
        if by_task and any(shown.values()):
            gathered.show(about, "\n".join(shown.values()), result.where)
    add_answers(gathered, answers)
    return gathered.study(names_of(questions, OUTPUT))


def _results(row: Row) -> Iterator[Row]:
    """The rows of a table, each with what one worker answered to one task, as texts."""
    tasks = _of_interface(row) if {"tasks", "solutions"} <= row.cells.keys() else [row]
    for where, cells in tasks:
        result = Row(where, {name: _text(cell) for name, cell in cells.items()})
        if result.text(WORKER):
            yield result
        elif any(_named(result, OUTPUT).values()):  # else a task of the pool that nobody has taken yet
            raise FormatError(f"{where}: expected a worker in {WORKER!r}, found an empty cell")


def _of_interface(row: Row) -> Iterator[Row]:
    """The tasks of an assignment as the programming interface gives it, by the names that they have in a table."""
    tasks, solutions = list(row.each("tasks")), list(row.each("solutions"))
    if len(solutions) not in (0, len(tasks)):
        raise FormatError(
            f"{row.where}: expected a solution for each task, found {len(solutions)} for {len(tasks)} tasks"
        )
    about = {WORKER: row.field("user_id", str), STATUS: row.text("status")}
    for task, solution in zip(tasks, solutions, strict=False):
        shown, given = task.field("input_values", dict, {}), solution.field("output_values", dict)
        cells = {f"{INPUT}{name}": cell for name, cell in shown.items()}
        cells |= {f"{OUTPUT}{name}": cell for name, cell in given.items()}
        yield Row(
            task.where, {**about, TASK: task.text("id"), GOLDEN: task.cells.get("known_solutions") or None, **cells}
        )


def _named(result: Row, beginning: str) -> dict[str, str]:
    """The cells of the columns that begin so, by the rest of their names."""
    return {name.removeprefix(beginning): result.text(name) for name in result.cells if name.startswith(beginning)}


def _text(entry: Any) -> str:
    if isinstance(entry, list | dict | bool):
        return json.dumps(entry, ensure_ascii=False)
    if entry is None or entry != entry:  # noqa: PLR0124 -- not a number, as frames have it in empty cells
        return ""
    text = str(entry).strip()
    return text.lower() if text in {"True", "False"} else text  # as pandas writes what Toloka calls true and false


def _item(where: str, shown: dict[str, str], item: str | None) -> str:
    if item is None and not shown:
        raise FormatError(
            f"{where}: there is neither a number of the task ({TASK!r}) nor anything that was shown ({INPUT}…), so "
            "nothing tells which task was answered"
        )
    if item is None:
        return "\n".join(shown.values())
    name = item.removeprefix(INPUT)
    if name not in shown:
        columns = listing(f"{INPUT}{name}" for name in shown)
        raise FormatError(f"{where}: there is no column {item!r} to take the item from; there are {columns}")
    return shown[name]
