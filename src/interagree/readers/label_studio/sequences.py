"""The frames of a video in which somebody drew a rectangle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from interagree.errors import FormatError


class Key(NamedTuple):
    """Where a rectangle is in a frame: x, y, width, height and degrees."""

    frame: int
    enabled: bool
    place: tuple[float, ...]


def sequence_of(
    value: Mapping[str, object], scale: tuple[float, float], where: str, number: Callable[[object, str], float]
) -> tuple[int, tuple[Key, ...]]:
    """How many frames a video has, and where a rectangle is in those that were drawn.

    Places are percents of the width and the height in the file, and here so many times as much.
    """
    wide, high = scale
    listed, count = value.get("sequence"), value.get("framesCount")
    if not isinstance(listed, list) or not listed:
        raise FormatError(f"{where}: expected frames in 'sequence', found {listed!r:.60}")
    keys: dict[int, Key] = {}
    for entry in listed:
        frame = entry.get("frame") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or type(frame) is not int or frame < 1:
            raise FormatError(
                f"{where}: expected an object with a 'frame' from 1 up in 'sequence', found {entry!r:.60}"
            )
        sides = (("x", wide), ("y", high), ("width", wide), ("height", high))
        place = [number(entry.get(name), where) * unit for name, unit in sides]
        turned = number(entry.get("rotation") or 0, where)
        keys[frame] = Key(frame, entry.get("enabled") is not False, (*place, turned))
    frames = int(number(count, where)) if isinstance(count, int | float) and count > 0 else 0
    return frames, tuple(keys[frame] for frame in sorted(keys))
