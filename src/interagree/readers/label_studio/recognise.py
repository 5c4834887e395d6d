"""Whether a file is an export of Label Studio, told by its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from interagree.data.files import Source
from interagree.readers._peek import HEAD, MOST, beginning, walked
from interagree.readers._rows import columns_of

LISTS = ("annotations", "completions")  # what annotations are called, now and before version 1.0
SHORT = frozenset({"id", "annotator", "annotation_id", "lead_time"})  # what every row of a short form has


def recognised(path: Path) -> bool:
    """Whether a file can only be an export of Label Studio."""
    if path.is_dir():
        return False
    if Source.of(path).suffix != ".json":
        return columns_of(path) >= SHORT
    head = beginning(path)
    told = _is_export(head)
    if told is None and len(head) == HEAD:
        told = _is_export(beginning(path, MOST))
    return bool(told)


def _is_export(head: bytes) -> bool | None:
    """Whether the start of a JSON file is that of an export; None where it does not tell."""
    task: dict[str, bytes] = {}  # what each entry of the task begins with
    for path, part in walked(head):
        inner = path[1:] if path[:1] == ("",) else path
        own = (
            inner[2:] if inner[1:2] == ("",) and inner[0] not in LISTS else inner
        )  # in a list of tasks under some name
        if part == b"[" and len(own) == 3 and own[0] in LISTS and own[1:] == ("", "result"):
            return True
        if len(inner) == 1 and inner[0]:
            task[inner[0]] = part
        elif not inner and part == b"}":
            told = _tells(task)
            if told is not None:
                return told
            task = {}
        elif not inner and part not in {b"{", b"["}:
            return False
    return None if _may_be(task) else False


def _tells(task: Mapping[str, bytes]) -> bool | None:
    """Whether a whole object is a task that nobody annotated, or a row of a short form; None where it may be."""
    if task.keys() >= SHORT:
        return True
    if not _may_be(task) or not any(name in task for name in LISTS) or "data" not in task:
        return False
    return True if task.keys() >= {"id", "predictions"} else None


def _may_be(task: Mapping[str, bytes]) -> bool:
    """Whether what was seen of an object fits a task: a list of annotations, an object of data, or the one so far."""
    lists = [task[name] in {b"[", b"]"} for name in LISTS if name in task]
    shows = [task["data"] in {b"{", b"}"}] if "data" in task else []
    return bool(lists or shows) and all(lists + shows)
