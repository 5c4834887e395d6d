"""Whether a file is an export of Label Studio, told by its beginning."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from interagree.data.files import Source
from interagree.readers.label_studio.tasks import LISTS, SHORT

HEAD = 1 << 16  # bytes by which an export is recognised
MOST = 1 << 23  # or so many, where these do not tell
PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]|[^\s{}\[\],:"]+')


def recognised(path: Path) -> bool:
    """Whether a file can only be an export of Label Studio."""
    if path.is_dir():
        return False
    try:
        source = Source.of(path)
        with source.open() as stream:
            head = stream.read(HEAD)
            if source.suffix != ".json":
                first = next(iter(head.decode("utf-8-sig", "ignore").splitlines()), "")
                return any(set(next(csv.reader([first], delimiter=sign), [])) >= SHORT for sign in ",\t")
            told = _is_export(head)
            if told is None and len(head) == HEAD:
                told = _is_export(head + stream.read(MOST - HEAD))
    except (OSError, EOFError, ValueError):
        return False
    return bool(told)


def _is_export(head: bytes) -> bool | None:
    """Whether the start of a JSON file is that of an export; None where it does not tell."""
    task: dict[str, bytes] = {}  # what each entry of the task begins with
    for path, part in _walked(head):
        inner = path[1:] if path[:1] == ("",) else path
        if part == b"[" and len(inner) == 3 and inner[0] in LISTS and inner[1:] == ("", "result"):
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


def _walked(head: bytes) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The keys that lead to each bracket and plain entry of JSON, empty in a list, and what the entry begins with."""
    keys: list[str] = []
    lists: list[bool] = []
    last = b""
    for match in PARTS.finditer(head.removeprefix(b"\xef\xbb\xbf")):
        part = match[0]
        if part == b":":
            keys[-1:] = [last.strip(b'"').decode("utf-8", "ignore")]
            last = b""
        elif part in {b"{", b"["}:
            yield tuple(keys), part
            keys.append("")
            lists.append(part == b"[")
        elif part in {b"}", b"]"}:
            if not lists:
                return
            lists.pop()
            keys.pop()
            yield tuple(keys), part
            keys[-1:] = [""] if keys else []
        elif not lists:
            yield (), part
            return
        elif lists[-1] or keys[-1]:
            yield tuple(keys), part
            keys[-1] = ""
        last = part


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
