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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, Hint, KindError, listing
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.whose import BY_FILE, BY_FOLDER, shared, step_by
from interagree.readers._images import size_in, size_of
from interagree.readers._options import ImageFiles
from interagree.readers._peek import beginning, xml_root
from interagree.readers._xml import parse_xml
from interagree.readers.cvat.shapes import NOT_READ, SHAPES, Joints, joints_of, label_of, shape_of
from interagree.readers.cvat.tracks import drawn_in_frames

SUFFIXES = (".xml",)
TAGS, ASSIGNEE = "tags", "assignee"
MARKS = (b"<image ", b"<track ", b"<task>", b"<job>", b"<project>")
# A shape with its label, in an image with its name or in a track: what is left where somebody took <meta> out.
WITHOUT_META = re.compile(rb"<(?:image\s[^>]*\bname=|track\s[^>]*\blabel=)[^>]*>\s*<[a-z]+\s[^>]*\b(?:label|frame)=")
VERSIONS = (None, "1.0", "1.1", "1.2")
Names: TypeAlias = list[list[str]]  # of images, or of people, by file


class Image(NamedTuple):
    """An image, or a frame of a video, and what is drawn in it."""

    name: str
    where: str
    size: tuple[int, int] | None
    drawn: Sequence[Element]
    task: str = ""
    subset: str = ""


class Content(NamedTuple):
    """A file of CVAT: its images, and what it says of the job (by no id) and of the tasks of a project by their ids."""

    source: Source
    root: Element
    images: list[Image]
    tasks: Mapping[str, Element]

    def of_tasks(self, path: str) -> list[str]:
        """What is said of the task of each image, or else of the job."""
        said = {key: (task.findtext(path) or "").strip() for key, task in self.tasks.items()}
        return [said.get(image.task) or said.get("", "") for image in self.images]


def recognised(path: Path) -> bool:
    """Whether a file can only be one of CVAT."""
    if path.is_dir() or xml_root(path) != "annotations":
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
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("CVAT", sources, duplicates=options["duplicates"], positions=None)
    gathered.steps += unread_files(path, sources, deep=False)
    contents = [_content(source, gathered) for source in sources]
    names, people = _people(contents, options["annotator"], gathered)
    joints = joints_of([content.root for content in contents])
    for content, items, owners in zip(contents, names, people, strict=True):
        for image, item, who in zip(content.images, items, owners, strict=True):
            gathered.looked(item, who, where=image.where)
            gathered.sized(item, image.where, image.size)
            for element in image.drawn:
                if element.tag in NOT_READ:
                    gathered.left_out(element.tag, "not read")
                elif element.tag in {*SHAPES, "tag"}:
                    _add(gathered, element, Mark("", item, who, None, image.where), joints, automatic)
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _add(gathered: Gatherer, element: Element, mark: Mark, joints: Joints, automatic: str) -> None:
    """The region that an element is, or the tag, with its attributes."""
    by_model = element.get("source") == "auto"
    if by_model and gathered.drops("annotation", "made by a model (source='auto')", automatic=automatic):
        return
    label = label_of(element, mark.where)
    if element.tag == "tag":
        gathered.add(mark._replace(question=TAGS, value=label), CHOICES)
        for attribute in element.iterfind("attribute"):
            if attribute.text:
                question = f"{label}: {attribute.get('name', '')}"
                gathered.add(mark._replace(question=question, value=attribute.text), CHOICES)
        return
    gathered.noticed("shape", "with attributes, which are not read", element.find("attribute") is not None)
    shape = shape_of(element, gathered.sizes.get((mark.item, mark.where)), joints, mark.where, gathered)
    if shape is not None:
        gathered.add(mark._replace(value=shape._replace(labels=(label,) if label else ())))


# -- files ---------------------------------------------------------------------------------------------------


def _content(source: Source, gathered: Gatherer) -> Content:
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
    if tracks or (not images and first is not None and first.findtext("mode") == "interpolation"):
        name = (root.findtext("meta/source") or (first.findtext("name") if first is not None else "") or "").strip()
        size = size_in(root, ".//meta//original_size")
        for frame, drawn in drawn_in_frames(tracks, first, source.name, gathered).items():
            item = f"{name}, frame {frame}" if name else f"frame {frame}"
            images.append(Image(item, f"{source.name}, frame {frame}", size, drawn))
    if not images:
        raise FormatError(f"{source.name}: expected images or tracks of a video, found neither")
    tasks = {str(task.findtext("id")): task for task in root.iterfind("meta/project/tasks/task")}
    alone = about.get("job", about.get("task"))
    return Content(source, root, images, tasks if alone is None else {"": alone, **tasks})


def _images(source: Source, root: Element) -> Iterator[Image]:
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
        yield Image(name, where, size, list(element), get("task_id", ""), get("subset", ""))


# -- who annotated -------------------------------------------------------------------------------------------


def _people(contents: Sequence[Content], wanted: str | None, gathered: Gatherer) -> tuple[Names, Names]:
    """What the images of each file are called, and who annotated each.

    Images are called with their subsets where somebody would else have two of one name.
    """
    pattern = wanted if wanted is not None and "{" in wanted else None
    if wanted is not None and wanted != ASSIGNEE and pattern is None:
        raise KindError(f"annotator must be 'assignee', '{{file}}', '{{folder}}' or '{{task}}', got {wanted!r}")
    plain = [[image.name for image in content.images] for content in contents]
    full = [[f"{image.subset}/{image.name}" if image.subset else image.name for image in c.images] for c in contents]
    stated = [_assigned(content) if pattern is None else _filled(content, pattern) for content in contents]
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
            people = [[who] * len(items) for who, items in zip(owners, names, strict=True)]
            if _apart(names, people):
                return names, people
            gathered.steps.pop()
    why = "a job or task has no assignee"
    if all(named):
        why = f"{listing(sorted({*named}))} would have the same images twice"
    hints = [BY_FILE, BY_FOLDER]
    if any(len(content.tasks) > 1 for content in contents):
        hints.append(Hint("annotator", "{task}"))
    raise FormatError(
        f"{gathered.files}: nothing tells who annotated ({why}); export each job by itself, with an assignee, give a "
        f"file for each annotator, or pass {', '.join(map(str, hints[:-1]))} or {hints[-1]}",
        hints=hints,
    )


def _filled(content: Content, pattern: str) -> list[str]:
    words, names = pattern_words(content.source), content.of_tasks("name")
    if "{task}" in pattern and not all(names):
        where = content.images[names.index("")].where
        raise FormatError(f"{where}: its task has no name to take the annotator from")
    return [fill_pattern(pattern, {**words, "task": task}, option="annotator") for task in names]


def _assigned(content: Content) -> list[str]:
    """The assignees of the job, or of the task of each image; empty where there is none."""
    names = zip(content.of_tasks("assignee/username"), content.of_tasks("assignee"), strict=True)
    return [username or plain for username, plain in names]


def _apart(names: Names, people: Names) -> bool:
    """Whether nobody has an image twice."""
    return shared(pair for some in zip(names, people, strict=True) for pair in zip(*some, strict=True)) >= 0
