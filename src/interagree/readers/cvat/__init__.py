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
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element

from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import check_options
from interagree.readers._peek import beginning, xml_root
from interagree.readers.cvat.content import Content, content_of
from interagree.readers.cvat.people import people_of
from interagree.readers.cvat.shapes import NOT_READ, SHAPES, ShapeReader, joints_of, label_of
from interagree.readers.cvat.tracks import shapes_in

SUFFIXES = (".xml",)
TAGS = "tags"
MARKS = (b"<image ", b"<track ", b"<task>", b"<job>", b"<project>")
# A shape with its label, in an image with its name or in a track: what is left where somebody took <meta> out.
WITHOUT_META = re.compile(rb"<(?:image\s[^>]*\bname=|track\s[^>]*\blabel=)[^>]*>\s*<[a-z]+\s[^>]*\b(?:label|frame)=")


def recognised(path: Path) -> bool:
    """Whether a file can only be one of CVAT."""
    if path.is_dir() or xml_root(path) != "annotations":
        return False
    head = beginning(path)
    return any(mark in head for mark in MARKS) if b"<meta>" in head else WITHOUT_META.search(head) is not None


@reader("CVAT", suffixes=SUFFIXES, sniff=recognised, together=True)
def cvat(
    path: Paths,
    *,
    annotator: str | None = None,
    duplicates: Literal["last", "first", "error"] = "error",
    automatic: Literal["keep", "drop"] = "keep",
    looked: Literal["listed", "marked"] = "listed",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The annotations of a job or task, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        annotator: "assignee"; "{file}" or "{folder}" for a file of each annotator; "{task}" for the name of the task.
        duplicates: Of an image that one person has in two files take the "last" one, the "first", or stop with an
            "error".
        automatic: "keep" or "drop" shapes that a model made.
        looked: "listed" for all images of a file, or "marked" for those with annotations only.
        questions: Those to read.
        options: None further.
    """
    check_options("CVAT", options, ("annotator", "automatic", "looked", "questions"), of_units=False)
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("CVAT", sources, duplicates=duplicates, positions=None)
    gathered.steps += unread_files(path, sources, deep=False)
    contents = [content_of(source) for source in sources]
    items, people, step = people_of(contents, annotator)
    gathered.steps.append(step)
    elements = _Elements(gathered, ShapeReader(gathered, joints_of([content.root for content in contents])), automatic)
    for content, names, owners in zip(contents, items, people, strict=True):
        elements.read(content, names, owners)
    gathered.take_looked(looked)
    return gathered.study(questions)


class _Elements:
    """Makes marks of the elements of images and tracks."""

    def __init__(self, gathered: Gatherer, shapes: ShapeReader, automatic: str) -> None:
        self.gathered, self.shapes, self.automatic = gathered, shapes, automatic

    def read(self, content: Content, items: Sequence[str], people: Sequence[str]) -> None:
        """A file, with what its images and frames are called and who annotated each."""
        frames: dict[int, Mark] = {}
        for image, item, who in zip(content.images, items, people, strict=True):
            self.gathered.looked(item, who, where=image.where)
            self.gathered.sized(item, image.where, image.size)
            mark = Mark("", item, who, None, image.where)
            if image.frame is not None:
                frames[image.frame] = mark
            for element in image.element if image.element is not None else ():
                self._add(element, mark)
        for track in content.root.iterfind("track"):
            where = f"{content.source.name}, track {track.get('id', '?')}"
            label = label_of(track, where)
            for frame, shape, between in shapes_in(track, [*frames], where):
                if shape is None:
                    self.gathered.left_out("shape", "of frames that their tracks do not list left out")
                elif frame in frames:
                    rest = "between the frames that tracks list put where CVAT shows them"
                    self.gathered.count("taken", "box", rest, between)
                    self._add(shape, frames[frame], label, track.get("source"))

    def _add(self, element: Element, mark: Mark, label: str | None = None, made_by: str | None = None) -> None:
        gathered = self.gathered
        if element.tag in NOT_READ:
            gathered.left_out(element.tag, "not read")
        if element.tag not in {*SHAPES, "tag"}:
            return
        by_model = (made_by or element.get("source")) == "auto"
        if by_model and gathered.drops("annotation", "made by a model (source='auto')", automatic=self.automatic):
            return
        label = label_of(element, mark.where) if label is None else label
        if element.tag == "tag":
            gathered.add(mark._replace(question=TAGS, value=label), CHOICES)
            for attribute in element.iterfind("attribute"):
                if attribute.text:
                    question = f"{label}: {attribute.get('name', '')}"
                    gathered.add(mark._replace(question=question, value=attribute.text), CHOICES)
            return
        gathered.noticed("shape", "with attributes, which are not read", element.find("attribute") is not None)
        shape = self.shapes.shape(element, label, gathered.sizes.get((mark.item, mark.where)), mark.where)
        if shape is not None:
            gathered.add(mark._replace(value=shape))
