"""Whether a file is an export of Label Studio, told by its beginning."""

from __future__ import annotations

from pathlib import Path

from interagree.readers._peek import json_head
from interagree.readers._rows import columns_of

LISTS = ("annotations", "completions")  # what annotations are called, now and before version 1.0
SHORT = frozenset({"id", "annotator", "annotation_id", "lead_time"})  # what every row of a short form has


def recognised(path: Path) -> bool:
    """Whether a file can only be of Label Studio: annotations or predictions with results, a short form, bare tasks."""
    head = json_head(path)
    keys = head.at() or columns_of(path)
    levels = [(), *((name, "") for name in keys if name not in LISTS)]  # of a page of the server, tasks under some name
    if any(head.has(*level, name, "", "result", begins=b"[") for level in levels for name in LISTS):
        return True
    if "data" in keys and head.has("predictions", "", "result", begins=b"["):
        return True
    bare = {"id", "predictions", "data"} <= keys and head.has("data", begins=b"{")
    return keys >= SHORT or (bare and any(head.has(name, begins=b"[") for name in LISTS))
