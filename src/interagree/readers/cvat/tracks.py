"""Tracks of CVAT: objects that are followed through the frames of a video.

A track lists frames, most often all of them.  Where it leaves frames out, a box moves and turns evenly from one listed
frame to the next, as CVAT shows it; other shapes of such frames are not made up, and are counted.  A shape that is
``outside`` is not there, up to the next one that is; the last one of a track stays until the video ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeAlias
from xml.etree.ElementTree import Element

from interagree.data.values import spelled_integer
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.readers._images import number
from interagree.readers.cvat.shapes import NOT_READ, SHAPES, label_of

STEP = re.compile(r"step\s*=\s*(\d{1,9})\b")
SIDES = ("xtl", "ytl", "xbr", "ybr")
MOST = 10_000_000  # frames
Key: TypeAlias = tuple[int, Element]  # a shape that a track lists, with its frame


def drawn_in_frames(
    tracks: Sequence[Element], about: Element | None, name: str, gathered: Gatherer
) -> dict[int, list[Element]]:
    """The frames of a video, each with the shapes that are to be seen in it.

    Args:
        tracks: The tracks.
        about: What is said of the job, the task or the project.
        name: What the file is called.
        gathered: What counts shapes between the frames that tracks list.
    """
    places = [f"{name}, track {track.get('id', '?')}" for track in tracks]
    keys = [_keys(track, where) for track, where in zip(tracks, places, strict=True)]
    frames = _frames(about, [frame for listed in keys for frame, _ in listed], name)
    drawn: dict[int, list[Element]] = {frame: [] for frame in frames}
    for listed, where in zip(keys, places, strict=True):
        for (frame, shape), following in zip(listed, [*listed[1:], None], strict=True):
            if shape.get("outside") == "1":
                continue
            if frame in drawn:
                drawn[frame].append(shape)
            end = len(frames) if following is None else bisect_left(frames, following[0])
            between = frames[bisect_right(frames, frame) : end]
            if shape.tag != "box":
                gathered.left_out("shape", "of frames that their tracks do not list left out", len(between))
                continue
            gathered.count(
                "taken", "box", "between the frames that tracks list put where CVAT shows them", len(between)
            )
            for inner in between:
                drawn[inner].append(_moved(shape, frame, following, inner, where))
    return drawn


def _keys(track: Element, where: str) -> list[Key]:
    """The shapes that a track lists, by their frames; what is said of the track is said of each."""
    about = {name: said for name in ("label", "source") if (said := track.get(name))}
    about["label"] = label_of(track, where)
    keys = []
    for shape in track:
        if shape.tag in SHAPES or shape.tag in NOT_READ:
            frame = shape.get("frame", "")
            if not (frame.isascii() and frame.isdecimal() and len(frame) < 12):
                raise FormatError(f"{where}: expected the number of a frame, found {frame!r:.60}")
            shape.attrib |= about
            keys.append((int(frame), shape))
    return sorted(keys, key=lambda key: key[0])


def _frames(about: Element | None, listed: Sequence[int], where: str) -> Sequence[int]:
    """The frames of a video: those that the file says it has, or else those that are listed."""
    names = ("start_frame", "stop_frame", "frame_filter")
    said = ["" if about is None else about.findtext(name) or "" for name in names]
    start, stop, step = spelled_integer(said[0].strip()), spelled_integer(said[1].strip()), STEP.search(said[2])
    if start is None or stop is None:
        return sorted(set(listed))
    every = max(int(step[1]), 1) if step else 1
    if (stop - start) // every > MOST:
        raise FormatError(f"{where}: a video from frame {start} to frame {stop} has more frames than can be read")
    frames = range(start, stop + 1, every)
    return frames if all(frame in frames for frame in listed) else sorted(set(listed))


def _moved(shape: Element, frame: int, following: Key | None, at: int, where: str) -> Element:
    """A box in a frame between the one in which it is listed and the following one that is."""
    if following is None or following[1].tag != "box" or following[1].get("outside") == "1":
        return shape
    share = (at - frame) / (following[0] - frame)
    made = {}
    for side in SIDES:
        first, last = number(shape.get(side), where), number(following[1].get(side), where)
        made[side] = str(first + share * (last - first))
    first, last = (number(key.get("rotation", "0"), where) for key in (shape, following[1]))
    turn = (last - first + 180) % 360 - 180  # the shorter way round
    return Element("box", {**shape.attrib, **made, "rotation": str((first + share * turn) % 360)})
