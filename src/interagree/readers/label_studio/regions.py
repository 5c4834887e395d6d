"""Annotations, their regions, answers and relations, and what a result in the file says."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from interagree.data.values import is_finite
from interagree.errors import FormatError
from interagree.gather.units import FARTHEST
from interagree.readers.label_studio.images import ellipse_of, mask_of
from interagree.readers.label_studio.sequences import sequence_of

STEPS_OF_A_PATH = " > "


@dataclass(slots=True, eq=False)
class TaskAnnotation:
    """One annotation: somebody looked at a task, and this is what came of it."""

    where: str  # the file, the task and the annotation
    pointer: str  # the file and the path in it
    item: Hashable
    annotator: str
    data: Mapping[str, object]  # what the task shows
    dialogues: dict[str, str] = field(default_factory=dict)  # those of the task's entries that are, as one text
    about: Mapping[str, str | float | None] = field(default_factory=dict)  # when, how long, Label Studio's agreement
    by: object = None  # who completed it, as the file says
    time: float = -math.inf  # when somebody last worked at it, in seconds
    group: int = 0  # the project that it is of
    results: int = 0  # how many things it holds, read or not
    regions: list[Region] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)  # by question
    relations: list[Relation] = field(default_factory=list)
    not_read: list[tuple[str, str]] = field(default_factory=list)  # what else it holds: a noun, and the rest


@dataclass(slots=True, eq=False)
class Region:
    """A marked part of a text, a recording or a picture."""

    question: str
    shown: str  # the name of what it lies in
    shape: str
    place: tuple[Any, ...]  # numbers, or the corners of a polygon
    labels: tuple[str, ...]
    size: tuple[float, float] | None = None  # width and height of the image that its place is in
    covered: str | None = None
    counts: str | None = "characters"  # what its start and end count, where that is known
    rendered: bool = False  # whether they count what a browser shows, and not the text in the file
    parent: str | None = None
    features: dict[str, object] = field(default_factory=dict)


class Relation(NamedTuple):
    """Two spans that somebody joined."""

    head: Region
    tail: Region
    label: str | None
    directed: bool


def _choices(value: Iterable[object] | None) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(STEPS_OF_A_PATH.join(map(str, part)) if isinstance(part, list) else str(part) for part in value or ())


def _text(value: Iterable[object] | None) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value or ()))


def _as_number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
        raise ValueError
    return value


# What kinds of answers are called, in the file and in its entry 'value', and what they are here.
Answer: TypeAlias = tuple[str, ...] | list[str] | str | float  # a list is a ranking

ANSWERS: dict[str, tuple[str, Callable[[Any], Answer]]] = {
    "choices": ("choices", _choices),
    "taxonomy": ("taxonomy", _choices),
    "rating": ("rating", _as_number),
    "number": ("number", _as_number),
    "textarea": ("text", _text),
    "datetime": ("datetime", str),
    "pairwise": ("selected", str),
}
SETS = ("choices", "taxonomy")
VIDEO = "video"
ELLIPSE = ("x", "y", "radiusX", "radiusY", "rotation")
UNPLACED = ("region", "of HTML or dialogues without a place in the text")
NOT_READ = {
    "ellipse": ("ellipse", "without both radii"),
    "brush": ("brush stroke", "in an image of unknown size"),
    "bitmask": ("mask", "in an image of unknown size"),
    "timeline": ("region", "of a video"),
}


def described(kind: str, value: Mapping[str, object]) -> tuple[str, str]:
    """What a result is that is not read, in words."""
    if "start" in value and "end" in value:
        return UNPLACED
    if "points" in value:
        return "polygon", "of fewer than three points"
    return next((words for name, words in NOT_READ.items() if kind.startswith(name)), ("result", f"of type {kind!r}"))


def region_of(result: Mapping[str, object], value: Mapping[str, object], where: str) -> Region | None:
    """The region that a result is; None for one that is not read."""
    kind = str(result.get("type", ""))
    labels = value.get(kind if kind.endswith("labels") else "labels") if kind.endswith(("labels", "rectangle")) else ()
    labels = [labels] if isinstance(labels, str) else labels or []
    if not isinstance(labels, list):
        raise FormatError(f"{where}: expected a list of labels in {kind!r}, found {labels!r:.60}")
    question, shown = str(result.get("from_name", kind)), str(result.get("to_name", "")).lstrip("$")
    parent = result.get("parentID")
    made = Region(question, shown, "", (), tuple(sorted(set(map(str, labels)))))
    made.parent = None if parent is None else str(parent)
    if "globalOffsets" in value:
        offsets = value["globalOffsets"]
        made.shape, made.rendered = "span", True
        made.place = _ends(offsets if isinstance(offsets, dict) else {}, where)
    elif "start" in value and "end" in value:
        if isinstance(value["start"], str) or isinstance(value["end"], str):
            return None
        made.shape, made.place = "span", _ends(value, where)
        made.covered = text if isinstance(text := value.get("text"), str) else None
        if "channel" in value or "original_length" in result:
            made.counts = "seconds"
        elif kind.startswith("timeseries") or not all(isinstance(at, int) for at in made.place):
            made.counts = None
    elif (drawn := _drawn(kind, result, value, where)) is not None:
        made.shape, made.place = drawn
        wide, high = _scale(result, where)
        made.size = (100 * wide, 100 * high)
    else:
        return None
    return made


def _drawn(
    kind: str, result: Mapping[str, object], value: Mapping[str, object], where: str
) -> tuple[str, tuple[Any, ...]] | None:
    """The form and the place of a region of an image or a video; None for one that is not read."""
    if "sequence" in value:
        return VIDEO, sequence_of(value, _scale(result, where), where, _place)
    if "rle" in value or "imageDataURL" in value:
        mask = mask_of(result, value, where)
        return None if mask is None else ("mask", mask)
    wide, high = _scale(result, where)
    if isinstance(corners := value.get("points"), list) and len(corners) > 2:
        return "polygon", tuple(_point(point, wide, high, where) for point in corners)
    if value.keys() >= {"x", "y", "radiusX", "radiusY"}:
        return "polygon", ellipse_of({name: _place(value.get(name) or 0, where) for name in ELLIPSE}, wide, high)
    if value.keys() >= {"x", "y", "width", "height"}:
        x, y, width, height = (_place(value[name], where) for name in ("x", "y", "width", "height"))
        return "box", (x * wide, y * high, width * wide, height * high, _place(value.get("rotation") or 0, where))
    if {"x", "y"} <= value.keys() and kind.startswith("keypoint"):
        return "keypoint", (_place(value["x"], where) * wide, _place(value["y"], where) * high)
    return None


def _ends(value: Mapping[str, object], where: str) -> tuple[float, float]:
    start, end = value.get("start"), value.get("end")
    if type(start) is int and type(end) is int and 0 <= start <= end <= FARTHEST:  # as nearly all are
        return start, end
    start, end = _place(start, where), _place(end, where)
    if end < start:
        raise FormatError(f"{where}: a region starts at {start} and ends at {end}, before it starts")
    return start, end


def _place(value: object, where: str) -> float:
    try:
        return _as_number(value)
    except ValueError:
        raise FormatError(f"{where}: expected a number for the place of a region, found {value!r}") from None


def _point(point: object, wide: float, high: float, where: str) -> tuple[float, float]:
    if not isinstance(point, list) or len(point) != 2:
        raise FormatError(f"{where}: expected a corner [x, y] of a polygon, found {point!r}")
    return _place(point[0], where) * wide, _place(point[1], where) * high


def _scale(result: Mapping[str, object], where: str) -> tuple[float, float]:
    """How many pixels a percent of width and height is; 1 where the size of the picture is not known."""
    sizes = [result.get(name) for name in ("original_width", "original_height")]
    if None in sizes:
        return 1.0, 1.0
    wide, high = (_place(size, where) / 100 for size in sizes)
    return wide, high
