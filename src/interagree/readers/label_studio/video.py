"""Rectangles that follow objects through a video: boxes in every frame.

A rectangle is a row of frames with a place each.  From one to the next it moves, grows and turns evenly; from one that
is not ``enabled`` on it is not there, up to the next; from the last one it stays where it is, until the video ends.
This is how Label Studio shows it, and how its own exporter fills in frames.

Every frame of a video is an item, called by the task and its number, from 1 on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interagree.data.provenance import counted
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.shapes import Shape, box_about_corner
from interagree.readers.label_studio.results import VIDEO, Region, TaskAnnotation, regions_of

MOST = 2_000_000  # frames


def by_frame(
    gathered: Gatherer, annotations: Sequence[TaskAnnotation], name: str, question: str
) -> tuple[list[TaskAnnotation], list[list[Shape]]]:
    """An annotation for every frame of a video and everybody who looked at it, with the boxes in it."""
    lengths: dict[Any, int] = {}
    for annotation in annotations:
        for region in regions_of(annotation, question, VIDEO):
            frames, keys = region.place
            longest = max(frames, *(key.frame for key in keys), lengths.get(annotation.item, 0))
            if longest > MOST:
                raise FormatError(f"{annotation.where}: a video of {longest} frames is longer than can be read")
            lengths[annotation.item] = longest
    rows: list[TaskAnnotation] = []
    every: list[list[Shape]] = []
    filled = 0
    followed = [annotation for annotation in annotations if annotation.item in lengths]
    for annotation in followed:
        boxes: list[list[Shape]] = [[] for _ in range(lengths[annotation.item])]
        filled += sum(_put(region, boxes) for region in regions_of(annotation, question, VIDEO))
        rows += [replace(annotation, item=f"{annotation.item}, frame {frame}") for frame in range(1, len(boxes) + 1)]
        every += boxes
    if filled:
        number = f"{filled:,} {'box' if filled == 1 else 'boxes'}"
        sentence = f"{number} between the frames that were drawn put where Label Studio shows them"
        gathered.note("taken", sentence, filled, question=name)
    if without := len(annotations) - len(followed):
        sentence = f"{counted(without, 'annotation')} of a video in which nobody followed anything left out"
        gathered.note("dropped", sentence, without, question=name)
    return rows, every


def _put(region: Region, boxes: list[list[Shape]]) -> int:
    """Put a rectangle into the frames in which it is there; how many of them were filled in."""
    _, keys = region.place
    frames = [key.frame for key in keys]
    filled = 0
    for frame in range(frames[0], len(boxes) + 1):
        at = bisect_left(frames, frame + 1) - 1
        first, last = keys[at], keys[min(at + 1, len(keys) - 1)]
        if not first.enabled and frame != first.frame:
            continue
        share = (frame - first.frame) / (last.frame - first.frame) if last is not first else 0.0
        place = [a + share * (b - a) for a, b in zip(first.place, last.place, strict=True)]
        boxes[frame - 1].append(box_about_corner(*place)._replace(labels=region.labels))
        filled += frame != first.frame
    return filled
