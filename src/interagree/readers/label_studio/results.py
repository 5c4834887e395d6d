"""What an annotation holds: regions, answers about them or about the task, and relations.

A brush stroke is packed as thi.ng's rle-pack packs bytes: how many values there are (32 bits), how wide each is (5
bits, and one more), and four widths of run lengths (4 bits, and one more); then runs, each with a bit that says
whether one value is repeated or several follow, two bits for the width of its length, and the length less one.  The
values are those of an image of four channels, row by row, of which the last says where the stroke is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any, NamedTuple, TypeAlias

from interagree.errors import FormatError, expected
from interagree.gather.offsets import ends_of, finite
from interagree.gather.shapes import BOX, MASK, POINT, POLYGON, ellipse
from interagree.readers._images import number, numbers, size_of
from interagree.readers._rows import list_in
from interagree.readers.label_studio.documents import BY_TEXT, GLOBAL, as_shown, place_of

STEPS_OF_A_PATH = " > "
SPAN, VIDEO = "span", "video"
UNPLACED = ("region", "of HTML or dialogues without a place in the text")
NOT_READ = {
    "ellipse": ("ellipse", "without both radii"),
    "brush": ("brush stroke", "in an image of unknown size"),
    "bitmask": ("mask", "in an image of unknown size"),
    "timeline": ("region", "of a video"),
}
Value: TypeAlias = tuple[str, ...] | str | float  # a tuple of choices or ranks
Control: TypeAlias = tuple[str, str, str]  # the name of the question, the type of answer, and what it is about
CHANNELS = 4
MOST = 1 << 30  # values that a mask may have
HEAD = 32 + 5 + 4 * 4  # bits
PNG = "data:image/png;base64,"
SIZE = ("original_height", "original_width")


@dataclass(slots=True, eq=False)
class LabelStudioProject:
    """A project of a file."""

    file: str
    number: object
    controls: set[Control] = field(default_factory=set)  # that annotations of it use


@dataclass(slots=True, eq=False)
class TaskAnnotation:
    """One annotation: somebody looked at a task, and this is what came of it."""

    where: str  # the file, the task and the annotation
    pointer: str  # the file and the path in it
    item: Hashable
    annotator: str
    data: Mapping[str, object]  # what the task shows, its dialogues as one text
    about: Mapping[str, str | float | None]  # when, how long, Label Studio's own agreement
    by: object  # who completed it, as the file says
    time: float  # when somebody last worked at it, in seconds
    project: LabelStudioProject  # that it is of
    results: int = 0  # how many things it holds, read or not
    regions: list[Region] = field(default_factory=list)
    answers: dict[str, TaskAnswer] = field(default_factory=dict)  # by question
    relations: list[JoinedSpans] = field(default_factory=list)
    not_read: list[tuple[str, str]] = field(default_factory=list)  # what else it holds: a noun, and the rest


@dataclass(slots=True, eq=False)
class Region:
    """A marked part of a text, a recording or a picture."""

    question: str
    shown: str  # the name of what it lies in
    labels: tuple[str, ...]
    form: str = SPAN
    place: tuple[Any, ...] = ()  # start and end, numbers, or the corners of a polygon
    size: tuple[float, float] | None = None  # width and height of the image that its place is in
    parent: str | None = None
    covered: str | None = None
    counts: str | None = "characters"  # what its start and end count, where that is known
    rendered: bool = False  # whether they count what a browser shows, and not the text in the file
    found: bool = False  # in HTML, by its text
    differs: bool = False  # whether its offsets do not count the text of HTML as it is found here
    features: dict[str, object] = field(default_factory=dict)


class FrameBox(NamedTuple):
    """Where a rectangle is in a frame of a video: x, y, width, height and degrees."""

    frame: int
    enabled: bool
    place: tuple[float, ...]


class TaskAnswer(NamedTuple):
    """An answer about a task, or about a region of it."""

    question: str
    type: str
    value: Value
    shown: str  # the name of what it is about
    region: str = ""  # by which regions that it may be about are called
    on_region: bool = False  # whether it is, as its place tells


class JoinedSpans(NamedTuple):
    """Two spans that somebody joined."""

    head: Region
    tail: Region
    label: str | None
    directed: bool


def _choices(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(STEPS_OF_A_PATH.join(map(str, part)) if isinstance(part, list) else str(part) for part in value or ())


# What kinds of answers are called, in the file and in its entry 'value', what they are here, and their kind in a study.
ANSWERS: dict[str, tuple[str, Callable[[Any], Value], str | None]] = {
    "choices": ("choices", _choices, "choices"),
    "taxonomy": ("taxonomy", _choices, "choices"),
    "rating": ("rating", finite, None),
    "number": ("number", finite, None),
    "textarea": ("text", lambda value: value if isinstance(value, str) else "\n".join(map(str, value or ())), "text"),
    "datetime": ("datetime", str, "labels"),
    "pairwise": ("selected", str, "labels"),
}
RANKER, LIST = "ranker", "list"  # an order of items, or one of several lists into which they were put
KINDS = {name: kind for name, (*_, kind) in ANSWERS.items()} | {RANKER: "rankings", LIST: "choices"}


def read_results(annotation: TaskAnnotation, results: Sequence[object]) -> None:
    """Put what an annotation holds into it."""
    annotation.results = len(results)
    regions: dict[str, list[Region]] = {}
    answers: list[TaskAnswer] = []
    relations, dialogues = [], dict[str, str]()
    for at, result in enumerate(results):
        where = f"{annotation.where}, result {at + 1}"
        if isinstance(result, dict) and result.get("type") == "relation":
            relations.append(result)
            continue
        value = result.get("value") if isinstance(result, dict) else None
        if not isinstance(result, dict) or not isinstance(value, dict):
            raise expected(where, "an object with a 'value'", result)
        kind, name = str(result.get("type", "")), str(result.get("id") or value.get("id") or f"result {at}")
        question, shown = str(result.get("from_name", kind)), str(result.get("to_name", ""))
        annotation.project.controls.add((question, kind, shown))
        if kind == RANKER or kind in ANSWERS:
            about = TaskAnswer(question, kind, "", shown.lstrip("$"), name)
            answers += _answers(about, value, f"{annotation.where}, {question!r}")
            continue
        placed = place_of(value, annotation.data, dialogues)
        region = None if placed is None else _region(result, placed, annotation.data, where)
        if region is None:
            annotation.not_read.append(_described(kind, value))
        else:
            regions.setdefault(name, []).append(region)
    annotation.data = {**annotation.data, **dialogues} if dialogues else annotation.data
    for name, some in regions.items():  # a region and its labels may be two results
        if len(some) > 1:
            regions[name] = [region for region in some if region.labels] or some
    for answer in answers:
        _put(annotation, regions.get(answer.region, ()), answer)
    annotation.regions = [region for some in regions.values() for region in some]
    for relation in relations:
        _relate(annotation, regions, relation)


def _answers(about: TaskAnswer, value: Mapping[str, Any], where: str) -> Iterator[TaskAnswer]:
    """What is answered: one question, or one for each of several lists into which items were put."""
    if about.type != RANKER:
        entry, made, _ = ANSWERS[about.type]
        try:
            answer = made(value[entry])
        except (KeyError, TypeError, ValueError):
            raise expected(where, f"{about.type} in {entry!r}", value) from None
        yield about._replace(value=answer, on_region=bool({"start", "x", "points", "rle", GLOBAL} & value.keys()))
        return
    lists = value.get("ranker", {"rank": value.get("items")})
    if not isinstance(lists, dict) or not all(isinstance(items, list) for items in lists.values()):
        raise expected(where, "lists in 'ranker'", value)
    for called, items in lists.items():
        ranked = tuple(map(str, items))
        if len(lists) > 1 and called == "_":
            continue  # what was put into no list
        if len({*ranked}) < len(ranked):
            raise FormatError(f"{where}: an item occurs twice among {[*ranked]!r:.60}")
        alone = about if len(lists) == 1 else about._replace(question=f"{about.question} ({called})", type=LIST)
        yield alone._replace(value=ranked)


def _put(annotation: TaskAnnotation, regions: Sequence[Region], answer: TaskAnswer) -> None:
    """An answer becomes a feature of the regions that it is about, or one of the task."""
    question, value, before = answer.question, answer.value, annotation.answers.get(answer.question)
    for region in regions:
        one = value[0] if isinstance(value, tuple) and len(value) == 1 else value
        region.features[question] = tuple(sorted(one)) if isinstance(one, tuple) else one
    if regions:
        return
    if answer.on_region:
        annotation.not_read.append(("answer", "about regions that are not there"))
        return
    if before is not None and before.type != RANKER:
        if isinstance(value, tuple) and isinstance(before.value, tuple):
            answer = before._replace(value=before.value + value)
        elif isinstance(value, str):
            answer = before._replace(value=f"{before.value}\n{value}")
    annotation.answers[question] = answer


def _relate(annotation: TaskAnnotation, regions: Mapping[str, list[Region]], relation: Mapping[str, object]) -> None:
    head, tail = (regions.get(str(relation.get(name)), [None])[0] for name in ("from_id", "to_id"))
    if head is None or tail is None:
        annotation.not_read.append(("relation", "without both ends"))
        return
    if head.form != SPAN or tail.form != SPAN:
        annotation.not_read.append(("relation", "between regions that are not spans"))
        return
    if relation.get("direction") == "left":
        head, tail = tail, head
    directed = relation.get("direction") != "bi"
    if not directed:
        head, tail = sorted((head, tail), key=lambda end: (end.place, end.labels))
    for label in list_in(relation, "labels") or [None]:
        annotation.relations.append(JoinedSpans(head, tail, None if label is None else str(label), directed))


# -- regions --------------------------------------------------------------------------------------------------


def _described(kind: str, value: Mapping[str, object]) -> tuple[str, str]:
    """What a result is that is not read, in words."""
    if "start" in value and "end" in value:
        return UNPLACED
    if "points" in value:
        return "polygon", "of fewer than three points"
    return next((words for name, words in NOT_READ.items() if kind.startswith(name)), ("result", f"of type {kind!r}"))


def _region(
    result: Mapping[str, Any], value: Mapping[str, Any], data: Mapping[str, object], where: str
) -> Region | None:
    """The region that a result is; None for one that is not read."""
    kind = str(result.get("type", ""))
    labels = value.get(kind if kind.endswith("labels") else "labels") if kind.endswith(("labels", "rectangle")) else ()
    labels = [labels] if isinstance(labels, str) else labels or []
    if not isinstance(labels, list):
        raise expected(where, f"a list of labels in {kind!r}", labels)
    question, shown = str(result.get("from_name", kind)), str(result.get("to_name", "")).lstrip("$")
    named = tuple(map(intern, map(str, labels)))  # which there are few of, and many regions
    made = Region(intern(question), intern(shown), named if len(named) < 2 else tuple(sorted({*named})))
    parent = result.get("parentID")
    made.parent = None if parent is None else str(parent)
    if GLOBAL in value:
        offsets = value[GLOBAL]
        made.rendered, made.place = True, ends_of(offsets if isinstance(offsets, dict) else {}, where)
        made.found = BY_TEXT in value
        made.differs = not made.found and not as_shown(value, data)
    elif "start" in value and "end" in value:
        if isinstance(value["start"], str) or isinstance(value["end"], str):
            return None
        made.place = ends_of(value, where)
        made.covered = _covered(value.get("text"), data)
        if "channel" in value or "original_length" in result:
            made.counts = "seconds"
        elif kind.startswith("timeseries") or not all(isinstance(at, int) for at in made.place):
            made.counts = None
        if made.counts == "characters" and made.place[0] < 0:
            raise FormatError(f"{where}: a span starts at {made.place[0]}, before its text")
    elif (drawn := _drawn(kind, result, value, where)) is not None:
        made.form, made.place = drawn
        wide, high = _scale(result, where)
        made.size = (100 * wide, 100 * high)
    else:
        return None
    return made


def _covered(text: object, data: Mapping[str, object]) -> str | None:
    r"""What a span covers, with real breaks of lines; Label Studio may write them as \\n."""
    if not isinstance(text, str):
        return None
    spelled = "\\n" in text and not any("\\n" in shown for shown in data.values() if type(shown) is str)
    return text.replace("\\n", "\n") if spelled else text


def _drawn(
    kind: str, result: Mapping[str, Any], value: Mapping[str, Any], where: str
) -> tuple[str, tuple[Any, ...]] | None:
    """The form and the place of a region of an image or a video; None for one that is not read."""
    if "rle" in value or "imageDataURL" in value:
        mask = mask_of(result, value, where)
        return None if mask is None else (MASK, mask)
    wide, high = _scale(result, where)

    def pixels(entries: Mapping[str, Any], *names: str) -> list[float]:
        return [number(entries.get(name), where) * (wide if at % 2 == 0 else high) for at, name in enumerate(names)]

    def box(entries: Mapping[str, Any]) -> tuple[float, ...]:
        return *pixels(entries, "x", "y", "width", "height"), number(entries.get("rotation") or 0, where)

    if "sequence" in value:
        return VIDEO, _followed(value, box, where)
    if isinstance(corners := value.get("points"), list) and len(corners) > 2:
        places = (numbers(point, where, "a corner [x, y] of a polygon", of=2) for point in corners)
        return POLYGON, tuple((x * wide, y * high) for x, y in places)
    if value.keys() >= {"x", "y", "radiusX", "radiusY"}:
        x, y, across, down = pixels(value, "x", "y", "radiusX", "radiusY")
        return POLYGON, ellipse(x, y, across, down, number(value.get("rotation") or 0, where)).place
    if value.keys() >= {"x", "y", "width", "height"}:
        return BOX, box(value)
    return (POINT, tuple(pixels(value, "x", "y"))) if {"x", "y"} <= value.keys() and kind.startswith(POINT) else None


def _followed(
    value: Mapping[str, Any], box: Callable[[Mapping[str, Any]], tuple[float, ...]], where: str
) -> tuple[int, tuple[FrameBox, ...]]:
    """How many frames a video has, and where a rectangle is in those in which it was drawn."""
    listed, count = value["sequence"], value.get("framesCount")
    if not isinstance(listed, list) or not listed:
        raise expected(where, "frames in 'sequence'", listed)
    keys: dict[int, FrameBox] = {}
    for entry in listed:
        frame = entry.get("frame") if isinstance(entry, dict) else None
        if type(frame) is not int or frame < 1:
            raise expected(where, "an object with a 'frame' from 1 up in 'sequence'", entry)
        keys[frame] = FrameBox(frame, entry.get("enabled") is not False, box(entry))
    frames = count if isinstance(count, int | float) and 0 < count < math.inf else 0
    return int(frames), tuple(keys[frame] for frame in sorted(keys))


def _scale(result: Mapping[str, Any], where: str) -> tuple[float, float]:
    """How many pixels a percent of width and height is; 1 where the size of the picture is not known."""
    sizes = [result.get(name) for name in ("original_width", "original_height")]
    wide, high = (1.0, 1.0) if None in sizes else (number(size, where) / 100 for size in sizes)
    return wide, high


def regions_of(annotation: TaskAnnotation, question: str, form: str) -> list[Region]:
    """The regions of an annotation that answer a question and are of a form."""
    return [region for region in annotation.regions if region.question == question and region.form == form]


# -- brush strokes and masks ----------------------------------------------------------------------------------


def mask_of(result: Mapping[str, object], value: Mapping[str, object], where: str) -> tuple[Any, ...] | None:
    """The mask of a brush stroke or a bitmask; None where the size of the image is not known."""
    size = size_of(result, *SIZE)
    if size is None:
        return None
    from interagree.gather.raster import mask_of_pixels

    if "rle" in value:
        import numpy as np

        values = np.frombuffer(unpacked(value["rle"], CHANNELS * size[0] * size[1], where), dtype=np.uint8)
        return mask_of_pixels(values.reshape(*size, CHANNELS)[:, :, -1] > 0, size)
    from interagree.gather.png import pixels_of_base64

    address = value["imageDataURL"]
    if not isinstance(address, str) or not address.startswith(PNG):
        raise expected(where, "a PNG image in 'imageDataURL'", address)
    inside = pixels_of_base64(address.removeprefix(PNG), where)
    if inside.shape != size:
        raise FormatError(
            f"{where}: a mask has {inside.shape[1]} × {inside.shape[0]} pixels, and its image {size[1]} × {size[0]}"
        )
    return mask_of_pixels(inside, size)


def unpacked(packed: object, count: int, where: str) -> bytes:
    """The values of a brush stroke, one byte each, of which there must be so many."""
    if not isinstance(packed, list) or not all(type(byte) is int and 0 <= byte < 256 for byte in packed):
        raise expected(where, "a list of bytes in 'rle'", packed)
    bits = "".join(f"{byte:08b}" for byte in packed)
    if len(bits) < HEAD or count > MOST:
        raise FormatError(
            f"{where}: the mask in 'rle' has {len(packed)} bytes, and its image {count // CHANNELS} pixels"
        )
    total, width = int(bits[:32], 2), int(bits[32:37], 2) + 1
    sizes = [int(bits[at : at + 4], 2) + 1 for at in range(37, HEAD, 4)]
    if total != count or width > 8:
        raise FormatError(
            f"{where}: the mask in 'rle' has {total} values of {width} bits, and its image {count // CHANNELS} pixels "
            f"of {CHANNELS} bytes each"
        )
    try:
        return _runs(bits, total, width, sizes)
    except ValueError:
        raise FormatError(f"{where}: the mask in 'rle' breaks off") from None


def _runs(bits: str, total: int, width: int, sizes: Sequence[int]) -> bytes:
    made = bytearray()
    at = HEAD
    while len(made) < total:
        size = sizes[int(bits[at + 1 : at + 3], 2)]
        first = at + 3 + size
        length = int(bits[at + 3 : first], 2) + 1
        if bits[at] == "1":
            made += bytes([int(bits[first : first + width], 2)]) * length
            at = first + width
        else:
            at = first + length * width
            if at > len(bits):
                raise ValueError
            made += bytes(int(bits[value : value + width], 2) for value in range(first, at, width))
    if len(made) > total:
        raise ValueError
    return bytes(made)
