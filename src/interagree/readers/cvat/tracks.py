"""Tracks of CVAT: objects that are followed through the frames of a video.

A track lists frames, most often all of them.  Where it leaves frames out, a box moves and turns evenly from one listed
frame to the next, as CVAT shows it; other shapes of such frames are not made up, and are counted.  A shape that is
``outside`` is not there, up to the next one that is; the last one of a track stays until the video ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from interagree.data.values import spelled_integer
from interagree.errors import FormatError
from interagree.readers._images import number
from interagree.readers.cvat.shapes import NOT_READ, SHAPES

STEP = re.compile(r"step\s*=\s*(\d{1,9})\b")
SIDES = ("xtl", "ytl", "xbr", "ybr")
MOST = 10_000_000  # frames


class Placed(NamedTuple):
    """A shape of a track in a frame; without an element one that is not made up."""

    frame: int
    element: Element | None
    between: bool  # whether it was interpolated


def frames_of(about: Element | None, listed: Sequence[int], where: str) -> list[int]:
    """The frames of a video: those that the file says it has, or else those that are listed."""
    ends = [
        spelled_integer((about.findtext(name) or "").strip()) if about is not None else None
        for name in ("start_frame", "stop_frame")
    ]
    step = STEP.search(about.findtext("frame_filter") or "") if about is not None else None
    start, stop = ends
    if start is None or stop is None:
        return sorted(set(listed))
    every = max(int(step[1]), 1) if step else 1
    if (stop - start) // every > MOST:
        raise FormatError(f"{where}: a video from frame {start} to frame {stop} has more frames than can be read")
    frames = range(start, stop + 1, every)
    return list(frames) if all(frame in frames for frame in listed) else sorted(set(listed))


def shapes_in(track: Element, frames: Sequence[int], where: str) -> Iterator[Placed]:
    """The shapes of a track in each frame in which it is to be seen."""
    keys = sorted(
        ((frame_of(shape, where), shape) for shape in track if shape.tag in SHAPES or shape.tag in NOT_READ),
        key=lambda key: key[0],
    )
    for at, (frame, shape) in enumerate(keys):
        if shape.get("outside") == "1":
            continue
        yield Placed(frame, shape, between=False)
        following = keys[at + 1] if at + 1 < len(keys) else None
        end = len(frames) if following is None else bisect_left(frames, following[0])
        for inner in frames[bisect_right(frames, frame) : end]:
            if shape.tag == "box":
                yield Placed(inner, _between(shape, frame, following, inner, where), between=True)
            else:
                yield Placed(inner, None, between=True)


def frame_of(shape: Element, where: str) -> int:
    """The frame that a shape lies in."""
    frame = shape.get("frame", "")
    if not (frame.isascii() and frame.isdecimal() and len(frame) < 12):
        raise FormatError(f"{where}: expected the number of a frame, found {frame!r:.60}")
    return int(frame)


def _between(shape: Element, frame: int, following: tuple[int, Element] | None, at: int, where: str) -> Element:
    if following is None or following[1].tag != "box" or following[1].get("outside") == "1":
        return shape
    share = (at - frame) / (following[0] - frame)
    made = {}
    for side in SIDES:
        first, last = number(shape.get(side), where), number(following[1].get(side), where)
        made[side] = str(first + share * (last - first))
    first, last = (number(key.get("rotation", "0"), where) for key in (shape, following[1]))
    turn = (last - first + 180) % 360 - 180  # the shorter way round
    made["rotation"] = str((first + share * turn) % 360)
    return Element("box", made)
