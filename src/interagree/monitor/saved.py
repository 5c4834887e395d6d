"""The file of a monitor: names as JSON and columns of whole numbers, packed, with the version of the layout."""

from __future__ import annotations

import glob
import io
import json
import os
import zipfile
import zlib
from collections.abc import Hashable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Int32s, Integers
from interagree.data.types import Json
from interagree.errors import FormatError, KindError

VERSION = 1
COLUMNS = ("item", "annotator", "value", "batch", "day", "said")
NAMES = ("items", "annotators", "values", "batches")


def write(
    path: str | os.PathLike[str], head: dict[str, Any], names: Sequence[Sequence[Hashable]], columns: Sequence[Int32s]
) -> None:
    """Write a state beside the old one, make sure that it is on the disk, and put it in its place."""
    by_name = dict(zip(COLUMNS, columns, strict=True))
    if np.array_equal(by_name["said"], by_name["value"]):
        del by_name["said"]  # nothing was corrected
    packed: dict[str, Any] = {name: _narrow(column) for name, column in by_name.items()}
    for name, entries in zip(NAMES, names, strict=True):
        packed[name] = _text([_plain(entry) for entry in entries])
    head = {**head, "declared": None if head["declared"] is None else [_plain(one) for one in head["declared"]]}
    packed["head"] = _text({"interagree_monitor": VERSION, **head})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **packed)
    _replace(Path(path).resolve(), buffer.getbuffer())


def _replace(target: Path, content: memoryview) -> None:
    """Put content in the place of a file: at any moment the whole of the old or the whole of the new is there."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    with suppress(OSError):  # not everywhere can a folder be opened
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def clear_up(path: str | os.PathLike[str]) -> None:
    """Remove what processes that were killed while they wrote a state have left beside it."""
    target = Path(path).resolve()
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.new"):
        left.unlink(missing_ok=True)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[list[Hashable]], list[Int32s]]:
    """The head, the names and the columns of a state."""
    try:
        with Path(path).open("rb") as stream, np.load(stream, allow_pickle=False) as packed:
            head = json.loads(packed["head"].tobytes())
            _check_version(path, head["interagree_monitor"])
            names = [[_thing(entry) for entry in json.loads(packed[name].tobytes())] for name in NAMES]
            columns = [packed[name].astype(np.int32) for name in COLUMNS if name in packed]
    except FormatError:
        raise
    except (ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile, zlib.error, AttributeError) as error:
        raise FormatError(f"{path} is not the state of a monitor, or it is damaged ({error})") from None
    if head["declared"] is not None:
        head["declared"] = [_thing(one) for one in head["declared"]]
    return head, names, columns


def _check_version(path: str | os.PathLike[str], version: int) -> None:
    if version != VERSION:
        raise FormatError(
            f"{path} is the state of a monitor in version {version} of its layout, and this interagree reads version "
            f"{VERSION}; read it with the interagree that wrote it"
        )


def _narrow(column: Int32s) -> Integers:
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    return column.astype(np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high)))


def _text(entry: Json) -> NDArray[np.uint8]:
    try:
        return np.frombuffer(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode(), dtype=np.uint8)
    except TypeError as error:
        raise KindError(f"the extra of a monitor must be something that JSON can hold ({error})") from None


def _plain(entry: Hashable) -> Json:
    """A name as JSON: what JSON knows as it is, tuples and sets in an object that says so."""
    if isinstance(entry, str | int | float | bool) or entry is None:
        return entry
    if isinstance(entry, tuple):
        return {"tuple": [_plain(part) for part in entry]}
    if isinstance(entry, frozenset):
        return {"set": sorted((_plain(part) for part in entry), key=repr)}
    raise KindError(f"{entry!r} cannot be saved; names and values of a saved monitor are text, numbers, tuples or sets")


def _thing(entry: Any) -> Hashable:
    if isinstance(entry, dict):
        ((kind, parts),) = entry.items()
        inside = [_thing(part) for part in parts]
        return tuple(inside) if kind == "tuple" else frozenset(inside)
    name: Hashable = entry
    return name
