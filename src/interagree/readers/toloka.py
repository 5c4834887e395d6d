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
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_word
from interagree.readers._columns import add_entries, as_table, note_texts
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of, keys_of, mentions, records_of, rows_of_columns, text_of

SUFFIXES = (".tsv", ".csv", ".json", ".jsonl", ".ndjson", ".parquet")
INPUT, OUTPUT, GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
WORKER, TASK, STATUS, VERDICT = "ASSIGNMENT:worker_id", "ASSIGNMENT:task_id", "ASSIGNMENT:status", "ACCEPT:verdict"
COUNTING = ("", "APPROVED", "SUBMITTED", "ACCEPTED")
KEPT = Advice.of("left out (", ReaderHint("rejected", "keep"), " keeps them)")
TESTS = Advice.of("to a task with a known answer left out (", ReaderHint("gold", "keep"), " keeps them)")


class Result(NamedTuple):
    """What one worker answered to one task."""

    where: str
    task: str
    worker: str
    status: str
    golden: bool
    inputs: dict[str, str]
    outputs: dict[str, str]


def recognised(path: Path) -> bool:
    """Whether a file can only be results of Toloka."""
    if path.is_dir():
        return False
    suffix = Source.of(path).suffix
    if suffix == ".parquet":
        return mentions(path, WORKER.encode()) and mentions(path, OUTPUT.encode())
    head = json_head(path) if suffix in {".json", ".jsonl", ".ndjson"} else None
    if head is not None and any(
        all(head.has(*place, name) for name in ("tasks", "solutions", "user_id")) for place in ((), ("items", ""))
    ):
        return True
    names = columns_of(path) if head is None else keys_of(path)
    return WORKER in names and any(name.startswith(OUTPUT) for name in names)


@reader("Toloka", suffixes=SUFFIXES, sniff=recognised, together=True)
def toloka(
    path: Paths,
    *,
    item: str | None = None,
    rejected: str = "drop",
    gold: str = "drop",
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
    asked = questions
    if options:
        return as_table(path, {**options, "item": item, "value": asked}, by_suffix=True)
    check_word("rejected", rejected, ("drop", "keep"))
    check_word("gold", gold, ("drop", "keep"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Toloka", sources, duplicates=duplicates)
    gathered.steps += unread_files(path, sources, deep=False)
    results = [result for source in sources for result in _all(gathered, source)]
    by_task = item is None and all(result.task for result in results)
    told = TASK if by_task else item or f"all columns {INPUT}…"
    gathered.note("taken", f"results of Toloka: item from {told!r}, annotator from {WORKER!r}")
    answers: dict[str, list[Mark]] = {}
    for result in results:
        if rejected == "drop" and result.status not in COUNTING:
            gathered.left_out(f"{result.status.lower()} answer", KEPT)
        elif gold == "drop" and result.golden:
            gathered.left_out("answer", TESTS)
        else:
            about = result.task if by_task else _shown(result, item)
            for name, entry in result.outputs.items():
                answers.setdefault(name, [])
                if entry:
                    answers[name].append(Mark(name, about, result.worker, entry, result.where))
            if by_task and any(result.inputs.values()):
                gathered.show(about, "\n".join(result.inputs.values()), result.where)
    note_texts(gathered, [name for name, given in answers.items() if given and add_entries(gathered, name, given)])
    silent = [name for name, given in answers.items() if not given]
    if silent:
        gathered.note("dropped", f"nobody answered {listing(silent, most=4)}", len(silent))
    names = None if asked is None else [asked] if isinstance(asked, str) else list(asked)
    return gathered.study(None if names is None else [name.removeprefix(OUTPUT) for name in names])


def _all(gathered: Gatherer, source: Source) -> Iterator[Result]:
    """All that was answered in a file."""
    for row in _unwrapped(records_of(source, gathered.steps)):
        answered = list(_results(row))
        gathered.left_out("row", "without an answer left out", not answered)
        yield from answered


def _unwrapped(rows: Sequence[Row]) -> Iterator[Row]:
    """Records one by one, also from a frame that was saved by columns; the answer to a search has 'items'."""
    for row in rows:
        inner = row.cells.get("items")
        if isinstance(row.cells.get(WORKER), dict):
            yield from rows_of_columns(row, WORKER)
            continue
        if not isinstance(inner, list) or "tasks" in row.cells or WORKER in row.cells:
            yield row
            continue
        for at, cells in enumerate(inner):
            place = f"{row.where.rstrip('/')}/items/{at}"
            if not isinstance(cells, dict):
                raise FormatError(f"{place}: expected an assignment, found {cells!r:.60}")
            yield Row(place, cells)


def _results(row: Row) -> Iterator[Result]:
    if "tasks" in row.cells and "solutions" in row.cells:
        yield from _of_interface(row)
        return
    cells = {name: _text(cell) for name, cell in row.cells.items()}
    status = text_of(cells, STATUS).upper()
    if text_of(cells, VERDICT) == "-":
        status = "REJECTED"
    worker = text_of(cells, WORKER)
    inputs = {name: text_of(cells, name) for name in cells if name.startswith(INPUT)}
    outputs = {name.removeprefix(OUTPUT): text_of(cells, name) for name in cells if name.startswith(OUTPUT)}
    if not worker and not any(outputs.values()):  # a task of the pool that nobody has taken yet
        return
    if not worker:
        raise FormatError(f"{row.where}: expected a worker in {WORKER!r}, found an empty cell")
    golden = any(text_of(cells, name) for name in cells if name.startswith(GOLDEN))
    yield Result(row.where, text_of(cells, TASK), worker, status, golden, inputs, outputs)


def _of_interface(row: Row) -> Iterator[Result]:
    """The tasks of an assignment as the programming interface gives it."""
    cells, where = row.cells, row.where
    tasks, solutions = (field_of(cells, name, list, where) for name in ("tasks", "solutions"))
    worker, status = field_of(cells, "user_id", str, where), text_of(cells, "status").upper()
    if len(tasks) != len(solutions) and solutions:
        raise FormatError(f"{where}: expected a solution for each task, found {len(solutions)} for {len(tasks)} tasks")
    for at, (task, solution) in enumerate(zip(tasks, solutions, strict=False)):
        place = f"{where}/tasks/{at}"
        if not isinstance(task, dict) or not isinstance(solution, dict):
            raise FormatError(f"{place}: expected an object, found {task!r:.60}")
        inputs, outputs = (
            {name: _text(entry) for name, entry in field_of(part, key, dict, place).items()}
            for part, key in (
                (task | {"input_values": task.get("input_values") or {}}, "input_values"),
                (solution, "output_values"),
            )
        )
        named = {f"{INPUT}{name}": entry for name, entry in inputs.items()}
        yield Result(place, text_of(task, "id"), worker, status, bool(task.get("known_solutions")), named, outputs)


def _text(entry: Any) -> str:
    if isinstance(entry, list | dict | bool):
        return json.dumps(entry, ensure_ascii=False)
    if entry is None or entry != entry:  # noqa: PLR0124 -- not a number, as frames have it in empty cells
        return ""
    text = str(entry).strip()
    return text.lower() if text in {"True", "False"} else text  # as pandas writes what Toloka calls true and false


def _shown(result: Result, item: str | None) -> str:
    inputs = result.inputs
    if item is None:
        if not inputs:
            raise FormatError(
                f"{result.where}: there is neither a number of the task ({TASK!r}) nor anything that was shown "
                f"({INPUT}…), so nothing tells which task was answered"
            )
        return "\n".join(inputs.values())
    name = item if item in inputs else f"{INPUT}{item}"
    if name not in inputs:
        raise FormatError(
            f"{result.where}: there is no column {item!r} to take the item from; there are {listing(inputs)}"
        )
    return inputs[name]
