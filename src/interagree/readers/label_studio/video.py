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

from interagree.data.provenance import Step, counted, noted
from interagree.errors import FormatError
from interagree.gather.shapes import Shape, box_about_corner
from interagree.readers.label_studio.regions import VIDEO, TaskAnnotation
from interagree.readers.label_studio.sequences import Key

MOST = 2_000_000  # frames


def by_frame(
    annotations: Sequence[TaskAnnotation], question: str
) -> tuple[list[TaskAnnotation], list[list[Shape]], list[Step]]:
    """An annotation for every frame of a video and everybody who looked at it, with the boxes in it."""
    lengths: dict[Any, int] = {}
    for annotation in annotations:
        for region in annotation.regions:
            if region.question == question and region.shape == VIDEO:
                frames, keys = region.place
                longest = max(frames, *(key.frame for key in keys))
                if longest > MOST:
                    raise FormatError(f"{annotation.where}: a video of {longest} frames is longer than can be read")
                lengths[annotation.item] = max(lengths.get(annotation.item, 0), longest)
    rows: list[TaskAnnotation] = []
    every: list[list[Shape]] = []
    filled = without = 0
    for annotation in annotations:
        if annotation.item not in lengths:
            without += 1
            continue
        length = lengths[annotation.item]
        boxes: list[list[Shape]] = [[] for _ in range(length)]
        for region in annotation.regions:
            if region.question == question and region.shape == VIDEO:
                filled += _put(region.place[1], region.labels, boxes)
        rows += [replace(annotation, item=f"{annotation.item}, frame {frame}") for frame in range(1, length + 1)]
        every += boxes
    boxes_ = f"{filled:,} {'box' if filled == 1 else 'boxes'}"
    steps = noted("taken", f"{boxes_} between the frames that were drawn put where Label Studio shows them", filled)
    sentence = f"{counted(without, 'annotation')} of a video in which nobody followed anything left out"
    return rows, every, [*steps, *noted("dropped", sentence, without)]


def _put(keys: Sequence[Key], labels: tuple[str, ...], boxes: list[list[Shape]]) -> int:
    """Put a rectangle into the frames in which it is there; how many of them were filled in."""
    drawn = {key.frame for key in keys}
    frames = [key.frame for key in keys]
    filled = 0
    for frame in range(keys[0].frame, len(boxes) + 1):
        at = bisect_left(frames, frame + 1) - 1
        first = keys[at]
        if not first.enabled and frame != first.frame:
            continue
        last = keys[at + 1] if at + 1 < len(keys) else first
        share = (frame - first.frame) / (last.frame - first.frame) if last is not first else 0.0
        place = [a + share * (b - a) for a, b in zip(first.place, last.place, strict=True)]
        boxes[frame - 1].append(box_about_corner(*place)._replace(labels=labels))
        filled += frame not in drawn
    return filled
