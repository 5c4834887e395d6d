"""CVAT for images and CVAT for video, version 1.1: boxes, polygons, masks, points and tags, as XML.

The questions are ``boxes``, ``polygons`` (with ellipses, as polygons of 72 corners), ``masks``, ``keypoints`` and
``tags``; each attribute of a tag is a question too, called *tag: attribute*.  Boxes, polygons and masks bear their
labels; a box that was turned makes all of them boxes at an angle.  Skeletons, and points where a label always has the
same number of them, are figures with a place for each joint, a question for each label where there are several.  Where
some drew polygons and others masks, all become masks.  Polylines, cuboids and attributes of shapes are not read; they
are counted.

**Who annotated** is not said of shapes.  It is the assignee of the job, or else of the task; where files have none, or
all the same, a file for each annotator, called by the name of the file or of a folder on the way to it.
``annotator="{file}"`` or ``"{folder}"`` says so, and ``"{task}"`` takes the names of the tasks of a project.
Replicas of a consensus task are not part of the export of the task: export each job.

**Who looked.** Every image or frame that a file lists was looked at; ``looked="marked"`` takes only those with
annotations.  Images of a project are called by their subset too where one name comes twice.

**Videos.** Every frame is an item, called by the name of the video and its number.  Frames that a track leaves out get
boxes between those of the frames that it lists, as CVAT shows them; this is counted.

Shapes that a model made (``source="auto"``) are kept as those of whose job it is; ``automatic="drop"`` leaves them out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.data.study import Study
from interagree.data.values import spelled_integer
from interagree.declare import reader
from interagree.errors import FormatError, Hint, KindError, expected, listing
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import FIGURE, MASK, Shape, box_about_centre, ellipse
from interagree.gather.whose import BY_FILE, BY_FOLDER, shared, step_by
from interagree.readers._images import Places, numbers, pairs, polygon, size_in, size_of
from interagree.readers._options import ImageFiles
from interagree.readers._peek import beginning, xml_root
from interagree.readers._xml import parse_xml, text_in

SUFFIXES = (".xml",)
TAGS, ASSIGNEE = "tags", "assignee"
MARKS = (b"<image ", b"<track ", b"<task>", b"<job>", b"<project>")
# A shape with its label, in an image with its name or in a track: what is left where somebody took <meta> out.
WITHOUT_META = re.compile(rb"<(?:image\s[^>]*\bname=|track\s[^>]*\blabel=)[^>]*>\s*<[a-z]+\s[^>]*\b(?:label|frame)=")
VERSIONS = (None, "1.0", "1.1", "1.2")
DRAWN, NOT_READ = {"box", "polygon", "points", "skeleton", "ellipse", "mask"}, {"polyline", "cuboid"}
PLACES = {"box": ("xtl", "ytl", "xbr", "ybr"), "ellipse": ("cx", "cy", "rx", "ry")}  # attributes
VISIBLE, HIDDEN = 2, 1
UNSEEN = (0, 0, 0)
STEP = re.compile(r"step\s*=\s*(\d{1,9})\b")
MOST = 2_000_000  # frames, and boxes between those that tracks list
Names: TypeAlias = list[list[str]]  # of images, or of people, by file
Joints: TypeAlias = Mapping[str, Sequence[str]]  # of skeletons by their labels


class CvatImage(NamedTuple):
    """An image, or a frame of a video, and what is drawn in it."""

    name: str
    where: str
    size: tuple[int, int] | None
    drawn: Sequence[Element]
    task: str = ""
    subset: str = ""


class CvatContent(NamedTuple):
    """A file of CVAT: its images, and what it says of the job (by no id) and of the tasks of a project by their ids."""

    source: Source
    root: Element
    images: list[CvatImage]
    tasks: Mapping[str, Element]

    def of_tasks(self, *paths: str) -> list[str]:
        """What is said, at the first of some paths, of the task of each image, or else of the job."""
        said = {key: text_in(task, *paths) for key, task in self.tasks.items()}
        return [said.get(image.task) or said.get("", "") for image in self.images]


def recognised(path: Path) -> bool:
    """Whether a file can only be one of CVAT."""
    if xml_root(path) != "annotations":
        return False
    head = beginning(path)
    return any(mark in head for mark in MARKS) if b"<meta>" in head else WITHOUT_META.search(head) is not None


@reader("CVAT", suffixes=SUFFIXES, sniff=recognised, together=True)
def cvat(path: Paths, *, automatic: Literal["keep", "drop"] = "keep", **options: Unpack[ImageFiles]) -> Study:
    """The annotations of a job or task, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        annotator: "assignee"; "{file}" or "{folder}" for a file of each annotator; "{task}" for the name of the task.
        automatic: "keep" or "drop" shapes that a model made.
    """
    gathered = Gatherer.of_files("CVAT", path, SUFFIXES, duplicates=options["duplicates"], positions=None)
    contents = [_content(source, gathered) for source in gathered.sources]
    names, people = _people(contents, options["annotator"], gathered)
    joints = _joints(content.root for content in contents)
    for content, items, owners in zip(contents, names, people, strict=True):
        for image, item, who in zip(content.images, items, owners, strict=True):
            gathered.looked(item, who, where=image.where)
            gathered.sized(item, image.where, image.size)
            for element in image.drawn:
                if element.tag in NOT_READ:
                    gathered.left_out(element.tag, "not read")
                elif element.tag in {*DRAWN, "tag"}:
                    _add(gathered, element, Mark("", item, who, None, image.where), joints, automatic)
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _add(gathered: Gatherer, element: Element, mark: Mark, joints: Joints, automatic: str) -> None:
    """The region that an element is, or the tag, with its attributes."""
    by_model = element.get("source") == "auto"
    if by_model and gathered.drops("annotation", "made by a model (source='auto')", automatic=automatic):
        return
    label = _label(element, mark.where)
    if element.tag == "tag":
        gathered.add(mark._replace(question=TAGS, value=label), CHOICES)
        for attribute in element.iterfind("attribute"):
            if attribute.text:
                question = f"{label}: {attribute.get('name', '')}"
                gathered.add(mark._replace(question=question, value=attribute.text), CHOICES)
        return
    gathered.noticed("shape", "with attributes, which are not read", element.find("attribute") is not None)
    shape = _shape(element, gathered.sizes.get((mark.item, mark.where)), joints, mark.where, gathered)
    if shape is not None:
        gathered.add(mark._replace(value=shape.called(label)))


# -- shapes --------------------------------------------------------------------------------------------------


def _label(element: Element, where: str) -> str:
    """The label of a shape, a tag or a track."""
    label = element.get("label")
    if label is None:
        raise FormatError(f"{where}: expected a <{element.tag}> with a label, found one without")
    return label


def _shape(
    element: Element, size: tuple[int, int] | None, joints: Joints, where: str, gathered: Gatherer
) -> Shape | None:
    """The region that an element is; None for one that is not read, which is counted."""
    match element.tag:
        case "box":
            return box_about_centre(*_places(element, where))
        case "ellipse":
            return ellipse(*_places(element, where))
        case "points":
            return Shape(FIGURE, tuple((x, y, VISIBLE) for x, y in _points(element, where)))
        case "skeleton":
            placed = {point.get("label", ""): _joint(point, where) for point in element.iterfind("points")}
            return Shape(FIGURE, tuple(placed.get(name, UNSEEN) for name in joints[element.get("label", "")]))
        case "mask":
            return _mask(element, size, where, gathered)
    return polygon(_points(element, where), gathered)


def _places(element: Element, where: str) -> list[float]:
    """The four places of a box or an ellipse, and by how much it was turned."""
    return numbers([*map(element.get, PLACES[element.tag]), element.get("rotation", "0")], where)


def _points(element: Element, where: str) -> Places:
    """Points that are written as 'x,y;x,y'."""
    text = element.get("points", "")
    points = [pair.split(",") for pair in text.split(";")]
    if any(len(point) != 2 for point in points):
        raise expected(where, "points as 'x,y;x,y'", text)
    return pairs(numbers([place for point in points for place in point], where))


def _joint(point: Element, where: str) -> tuple[float, float, int]:
    x, y = _points(point, where)[0]
    return UNSEEN if point.get("outside") == "1" else (x, y, HIDDEN if point.get("occluded") == "1" else VISIBLE)


def _joints(roots: Iterable[Element]) -> Joints:
    """The joints of each skeleton, by its label, in order of their names."""
    joints: dict[str, set[str]] = {}
    for skeleton in (skeleton for root in roots for skeleton in root.iter("skeleton")):
        names = (point.get("label", "") for point in skeleton.iterfind("points"))
        joints.setdefault(skeleton.get("label", ""), set()).update(names)
    return {
        label: sorted(names, key=lambda name: (spelled_integer(name) or 0, name)) for label, names in joints.items()
    }


def _mask(element: Element, size: tuple[int, int] | None, where: str, gathered: Gatherer) -> Shape | None:
    """A mask: run lengths of a part of the image, row by row, outside and inside in turn."""
    if size is None:
        gathered.left_out("mask", "in an image of unknown size not read")
        return None
    import numpy as np

    from interagree.gather.raster import DRAWN, checked_runs, mask_of_pixels

    left, top, wide, high = map(int, numbers([*map(element.get, ("left", "top", "width", "height"))], where))
    if min(wide, high) < 0 or wide * high > min(size[0] * size[1] * 4, DRAWN):
        raise FormatError(f"{where}: a mask of {wide} × {high} pixels in an image of {size[1]} × {size[0]} is not read")
    words = map(str.strip, element.get("rle", "").split(","))
    runs = [word if (run := spelled_integer(word)) is None else run for word in words]
    counts = checked_runs(runs, high, wide, where)
    inside = np.repeat(np.arange(len(counts)) % 2 == 1, counts).reshape(high, wide)
    return Shape(MASK, mask_of_pixels(inside, size, top, left))


# -- files ---------------------------------------------------------------------------------------------------


def _content(source: Source, gathered: Gatherer) -> CvatContent:
    """The images and frames of a file."""
    root = parse_xml(source, root="annotations", tool="a file of CVAT")
    version = root.findtext("version")
    if version is not None and version.strip() not in VERSIONS:
        raise FormatError(
            f"{source.name}: expected version 1.1 of CVAT's XML, found {version!r:.20}; export it as 'CVAT for images "
            "1.1' or 'CVAT for video 1.1'"
        )
    images = [*_images(source, root)]
    about = {name: found for name in ("job", "task", "project") if (found := root.find(f"meta/{name}")) is not None}
    first = next(iter(about.values()), None)
    tracks = root.findall("track")
    if tracks or (not images and text_in(first, "mode") == "interpolation"):
        images += _frames(source, root, tracks, first, gathered)
    if not images:
        raise FormatError(f"{source.name}: expected images or tracks of a video, found neither")
    tasks = {str(task.findtext("id")): task for task in root.iterfind("meta/project/tasks/task")}
    alone = about.get("job", about.get("task"))
    return CvatContent(source, root, images, tasks if alone is None else {"": alone, **tasks})


def _images(source: Source, root: Element) -> Iterator[CvatImage]:
    seen: set[tuple[str, str]] = set()
    for place, element in enumerate(root.iterfind("image"), start=1):
        get = element.get
        name, where = get("name", ""), f"{source.name}, image {get('id', '?')}"
        if (name, where) in seen:  # listed twice, an image is two records
            where = f"{where}, <image> {place}"
        seen.add((name, where))
        if not name:
            raise FormatError(f"{where}: expected the name of the image, found {get('name')!r}")
        size = size_of(element.attrib, "height", "width")
        yield CvatImage(name, where, size, list(element), get("task_id", ""), get("subset", ""))


# -- videos --------------------------------------------------------------------------------------------------
# A track lists frames, most often all of them.  Where it leaves frames out, a box moves and turns evenly from one
# listed frame to the next, as CVAT shows it; other shapes of such frames are not made up, and are counted.  A shape
# that is "outside" is not there, up to the next one that is; the last one of a track stays until the video ends.


class TrackedShape(NamedTuple):
    """A shape that a track lists, with its frame."""

    frame: int
    shape: Element
    where: str


def _frames(
    source: Source, root: Element, tracks: Sequence[Element], about: Element | None, gathered: Gatherer
) -> Iterator[CvatImage]:
    """The frames of a video, each with the shapes that are to be seen in it."""
    keys = [_keys(track, f"{source.name}, track {track.get('id', '?')}") for track in tracks]
    frames = _numbers(about, [key.frame for listed in keys for key in listed], source.name)
    drawn: dict[int, list[Element]] = {frame: [] for frame in frames}
    moved = 0
    for listed in keys:
        for key, following in zip(listed, [*listed[1:], None], strict=False):
            if key.shape.get("outside") == "1":
                continue
            if key.frame in drawn:
                drawn[key.frame].append(key.shape)
            end = len(frames) if following is None else bisect_left(frames, following.frame)
            between = frames[bisect_right(frames, key.frame) : end]
            if key.shape.tag != "box":
                gathered.left_out("shape", "of frames that their tracks do not list left out", len(between))
                continue
            put = "between the frames that tracks list put where CVAT shows them"
            gathered.count("taken", "box", put, len(between))
            moved += len(between)
            if moved > MOST:
                raise FormatError(f"{key.where}: more than {MOST:,} boxes lie between the frames that tracks list")
            for frame in between:
                drawn[frame].append(_moved(key, following, frame))
    name, size = text_in(root, "meta/source") or text_in(about, "name"), size_in(root, ".//meta//original_size")
    for frame, shapes in drawn.items():
        item = f"{name}, frame {frame}" if name else f"frame {frame}"
        yield CvatImage(item, f"{source.name}, frame {frame}", size, shapes)


def _keys(track: Element, where: str) -> list[TrackedShape]:
    """The shapes that a track lists, by their frames; what is said of the track is said of each."""
    about = {"label": _label(track, where)} | ({"source": source} if (source := track.get("source")) else {})
    keys = []
    for shape in track:
        if shape.tag in DRAWN | NOT_READ:
            frame = shape.get("frame", "")
            if not (frame.isascii() and frame.isdecimal() and len(frame) < 12):
                raise expected(where, "the number of a frame", frame)
            shape.attrib |= about
            keys.append(TrackedShape(int(frame), shape, where))
    return sorted(keys, key=lambda key: key.frame)


def _numbers(about: Element | None, listed: Sequence[int], where: str) -> Sequence[int]:
    """The numbers of the frames of a video: those that the file says it has, or else those that are listed."""
    start, stop = (spelled_integer(text_in(about, name)) for name in ("start_frame", "stop_frame"))
    if start is None or stop is None:
        return sorted(set(listed))
    step = STEP.search(text_in(about, "frame_filter"))
    every = max(int(step[1]), 1) if step else 1
    if (stop - start) // every > MOST:
        raise FormatError(f"{where}: a video from frame {start} to frame {stop} has more frames than can be read")
    frames = range(start, stop + 1, every)
    return frames if all(frame in frames for frame in listed) else sorted(set(listed))


def _moved(key: TrackedShape, following: TrackedShape | None, frame: int) -> Element:
    """A box in a frame between the one in which it is listed and the following one that is."""
    if following is None or following.shape.tag != "box" or following.shape.get("outside") == "1":
        return key.shape
    share = (frame - key.frame) / (following.frame - key.frame)
    *first, turned = _places(key.shape, key.where)
    *last, turns = _places(following.shape, key.where)
    turn = (turns - turned + 180) % 360 - 180  # the shorter way round
    sides = {name: str(one + share * (two - one)) for name, one, two in zip(PLACES["box"], first, last, strict=True)}
    return Element("box", {**key.shape.attrib, **sides, "rotation": str((turned + share * turn) % 360)})


# -- who annotated -------------------------------------------------------------------------------------------


def _people(contents: Sequence[CvatContent], wanted: str | None, gathered: Gatherer) -> tuple[Names, Names]:
    """What the images of each file are called, and who annotated each.

    Images are called with their subsets where somebody would else have two of one name.
    """
    pattern = wanted if wanted is not None and "{" in wanted else None
    if wanted not in {None, ASSIGNEE, pattern}:
        raise KindError(f"annotator must be 'assignee', '{{file}}', '{{folder}}' or '{{task}}', got {wanted!r}")
    plain = [[image.name for image in content.images] for content in contents]
    full = [[f"{image.subset}/{image.name}" if image.subset else image.name for image in c.images] for c in contents]
    stated = [
        content.of_tasks("assignee/username", "assignee") if pattern is None else _filled(content, pattern)
        for content in contents
    ]
    named = [name for people in stated for name in people]
    if all(named):
        apart = [names for names in (plain, full) if _apart(names, stated)]
        if apart or wanted is not None:
            gathered.steps.append(step_by(pattern or "the assignee of the job or the task", named))
            return (apart or [plain])[0], stated
    if wanted == ASSIGNEE:
        raise FormatError(
            f"{gathered.files}: a job or task has no assignee; {BY_FILE} takes the name of the file", hints=[BY_FILE]
        )
    for names in (plain, full):
        owners = gathered.files_of(None, names)
        if owners is not None:
            return names, [[who] * len(items) for who, items in zip(owners, names, strict=True)]
    why = f"{listing(sorted({*named}))} would have the same images twice"
    hints = [BY_FILE, BY_FOLDER]
    if any(len(content.tasks) > 1 for content in contents):
        hints.append(Hint("annotator", "{task}"))
    raise FormatError(
        f"{gathered.files}: nothing tells who annotated ({why if all(named) else 'a job or task has no assignee'}); "
        "export each job by itself, with an assignee, give a file for each annotator, or pass "
        f"{', '.join(map(str, hints[:-1]))} or {hints[-1]}",
        hints=hints,
    )


def _filled(content: CvatContent, pattern: str) -> list[str]:
    words, names = pattern_words(content.source), content.of_tasks("name")
    if "{task}" in pattern and not all(names):
        where = content.images[names.index("")].where
        raise FormatError(f"{where}: its task has no name to take the annotator from")
    return [fill_pattern(pattern, {**words, "task": task}, option="annotator") for task in names]


def _apart(names: Names, people: Names) -> bool:
    """Whether nobody has an image twice."""
    return shared(pair for some in zip(names, people, strict=True) for pair in zip(*some, strict=True)) >= 0
