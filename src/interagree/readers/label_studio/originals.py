"""The tasks of an export for the way back: with their numbers, all of their data, and how their questions are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.readers._rows import list_in
from interagree.readers.label_studio.annotations import SIZES, name_of, tasks_of
from interagree.readers.label_studio.recognise import LISTS, recognised

KEPT = ("id", "data", "meta")  # what a task goes back with
Task = Mapping[str, Any]


class OriginalQuestion(NamedTuple):
    """How a project asks a question."""

    type: str  # of its results
    to_name: str


class Originals:
    """The tasks of some files, by the names that items of a study have."""

    def __init__(self, tasks: Mapping[Hashable, Task], every: Iterable[Task]) -> None:
        self._tasks = tasks
        self._asked: dict[str, OriginalQuestion] = {}
        for task in every:
            for result in _results(task):
                asked, to_name = result.get("from_name"), result.get("to_name")
                if isinstance(asked, str) and isinstance(to_name, str) and "type" in result:
                    self._asked.setdefault(asked, OriginalQuestion(str(result["type"]), to_name))

    @classmethod
    def of(cls, sources: Iterable[str], items: Sequence[Hashable]) -> Originals | None:
        """The tasks of the files that a study was read from; None where these are no exports, are gone, or lack one."""
        files = [Path(source) for source in sources]
        if not files or not all(file.is_file() and recognised(file) for file in files):
            return None
        every: list[Task] = []
        for file in files:
            placed = [one.task for one in tasks_of(Source.of(file), None, []) if isinstance(one.task, dict)]
            every += [{"id": number, **task} for number, task in enumerate(placed, start=1)]
        names = dict.fromkeys(name for task in every for name in _data(task))
        # As items are named: by the number of the task, by what it shows, or by one entry of that.
        namings: list[Callable[[Task], object]] = [lambda task: task["id"], lambda task: name_of(_data(task))]
        namings += [lambda task, name=name: _entry(_data(task).get(name)) for name in names]  # type: ignore[misc]
        for naming in namings:
            named: dict[Hashable, Task] = {}
            for task in every:
                name = naming(task)
                if isinstance(name, str | int):
                    named.setdefault(name, task)
            if all(item in named for item in items):
                return cls(named, every)
        return None

    def task(self, item: Hashable) -> dict[str, Any]:
        """The task of an item, without what was annotated."""
        return {name: entry for name, entry in self._tasks[item].items() if name in KEPT}

    def asked(self, question: str) -> OriginalQuestion | None:
        """How a question is asked; None where nobody answered it there."""
        return self._asked.get(question)

    def size(self, item: Hashable) -> tuple[float, float] | None:
        """How large the picture of an item is, where a result says it."""
        for result in _results(self._tasks[item]):
            sides = [result.get(name) for name in SIZES]
            if all(isinstance(side, int | float) and side > 0 for side in sides):
                return float(sides[0] or 0), float(sides[1] or 0)
        return None


def _data(task: Task) -> Mapping[str, object]:
    data = task.get("data")
    return data if isinstance(data, dict) else {}


def _entry(entry: object) -> object:
    return entry if isinstance(entry, str | int) else json.dumps(entry, ensure_ascii=False, sort_keys=True)


def _results(task: Task) -> Iterable[Mapping[str, Any]]:
    for listed in (*LISTS, "predictions"):
        for annotation in list_in(task, listed):
            for result in list_in(annotation, "result") if isinstance(annotation, dict) else ():
                if isinstance(result, dict):
                    yield result
