"""COCO: boxes, polygons, masks, keypoints, captions and labels of images, as JSON.

The questions are ``boxes`` (``bbox``, in pixels), ``polygons`` and ``masks`` (``segmentation``), ``keypoints``,
``captions``, and ``categories`` where an annotation is a category and nothing else.  Boxes, polygons and masks bear the
names of their categories; keypoints of several categories are a question each.  A polygon of several outlines is one
object.  Where some outlined objects by polygons and others by masks, all become masks.  A box that CVAT turned
(``attributes.rotation``) is a box at an angle.

**Who annotated** has no place in the format.  What is in use is read: an entry ``annotator``, ``annotator_id``,
``annotated_by``, ``rater``, ``rater_id`` or ``labeler`` of annotations or of their ``attributes``, or of images, which
are then listed once for each annotator; else a file for each annotator, called by the name of the file or of a folder
on the way to it, where files have images in common.  Nothing else is guessed: ``annotator="{file}"``, ``"{folder}"`` or
the name of another entry says so.

**Who looked.** In a file for each annotator, every image that it lists was looked at.  In a file of several annotators,
an image was looked at by those in its ``rater_list`` (also ``raters``, ``annotators``), else by those who marked
something in it.  ``looked="marked"`` takes only images with annotations, ``"all"`` all images for all annotators.  A
file of one annotator that holds no region of some form, and no category with keypoints, was not asked for that form.

**Images** are called by ``file_name``, since ids differ between files, and categories by name.  ``item="name"`` leaves
folders out, ``item="extra.name"`` takes the names from before Roboflow changed them.

Regions marked ``iscrowd`` are kept, since several tools mark all masks so; ``crowd="drop"`` leaves them out.  Further
attributes and scores are not read.

Label Studio's COCO export drops who annotated, and repeats images; it is refused, and its JSON export is to be taken
instead.  Panoptic files, whose segments lie in images of their own, and results of detectors, which do not name
images, are refused too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.gather.gatherer import CHOICES, SHAPES, TEXT, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import KEYPOINTS, MASKS, POLYGONS, QUESTIONS
from interagree.gather.units import check_options
from interagree.readers._images import size_of
from interagree.readers.coco.files import Content, Record, content_of, recognised
from interagree.readers.coco.people import People, people_of, raters
from interagree.readers.coco.regions import shapes_of

SUFFIXES = (".json",)
CAPTIONS, CATEGORIES = "captions", "categories"
OUTLINED = {POLYGONS, MASKS}
NO_ATTRIBUTES = frozenset({"rotation", "occluded"})  # of regions, which are read or which everything has


@reader("COCO", suffixes=SUFFIXES, sniff=recognised, together=True)
def coco(
    path: Paths,
    *,
    item: str = "file_name",
    annotator: str | None = None,
    duplicates: Literal["last", "first", "error"] = "error",
    crowd: Literal["keep", "drop"] = "keep",
    looked: str | Sequence[str] = "listed",
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The annotations of a file, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The entry of images that names them: "file_name", "name" for the same without folders, "id", or
            another one, such as "extra.name".
        annotator: The entry of annotations or images that says who annotated, such as "attributes.user"; or
            "{file}" or "{folder}".
        duplicates: Of an image that one person has in two files take the "last" one, the "first", or stop with an
            "error".
        crowd: "keep" or "drop" regions marked ``iscrowd``.
        looked: "listed", as said above; "marked" for images with annotations only; "all"; or the annotators who
            looked at every image.
        questions: Those to read.
        options: None further.
    """
    check_options("COCO", options, ("item", "annotator", "crowd", "looked", "questions"), of_units=False)
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("COCO", sources, duplicates=duplicates, positions=None)
    gathered.steps += unread_files(path, sources, deep=False)
    with without_garbage_collection():
        contents = [content_of(source, item) for source in sources]
        people = people_of(contents, annotator)
        gathered.steps.append(people.step)
        for content in contents:
            _gather(gathered, content, people, crowd)
        gathered.take_looked(looked)
        return gathered.study(questions)


def _gather(gathered: Gatherer, content: Content, people: People, crowd: str) -> None:
    if not people.entry or people.of_images:
        _refuse_repeated(content, people)
    asked: set[str] = {KEYPOINTS} if content.joints else set()  # of the only annotator of a file
    places: dict[str, str] = {}  # an annotator may have an image under several ids
    for image in content.images:
        where = image.where if people.of_images else places.setdefault(image.item, image.where)
        gathered.sized(image.item, where, size_of(image.record, "height", "width"))
        who = people.of(content, image)
        for name in [who, *(raters(image) if who is None else ())]:
            gathered.looked(image.item, name, None if people.entry or not content.marks else asked, where)
    for image, record, label, place in content.marks:
        if record.get("iscrowd") in (1, True) and gathered.drops("region", "marked iscrowd", crowd=crowd):
            continue
        other = record.get("attributes")
        if isinstance(other, dict) and other.keys() - NO_ATTRIBUTES - {people.entry.rpartition(".")[2]}:
            gathered.noticed("annotation", "with attributes, which are not read")
        who = people.of(content, image, record, place)
        where = image.where if people.of_images else places[image.item]
        gathered.looked(image.item, who, where=where)
        if not (answers := _answers(record, label, content.joints, place)) and record.get("keypoints"):
            gathered.noticed("annotation", "without a labelled keypoint or another region")
        for question, value, kind in answers:
            gathered.add(Mark(question, image.item, who, value, where), kind)
            asked |= OUTLINED if question in OUTLINED else {question}


def _answers(
    record: Record, label: str | None, joints: Mapping[str, tuple[str, ...]], where: str
) -> list[tuple[str, Any, str]]:
    """The questions that an annotation answers, with the answers and their kinds."""
    if isinstance(caption := record.get("caption"), str):
        return [(CAPTIONS, caption, TEXT)]
    shapes = shapes_of(record, label, joints, where)
    if not shapes and label is not None and not record.get("keypoints"):
        return [(CATEGORIES, label, CHOICES)]
    return [(QUESTIONS[shape.form], shape, SHAPES) for shape in shapes]


def _refuse_repeated(content: Content, people: People) -> None:
    """An error for an image that a file of one annotator lists twice."""
    for (name, _), times in Counter((image.item, people.of(content, image)) for image in content.images).items():
        if times > 1:
            raise FormatError(
                f"{content.source.name}: it lists the image {name!r:.60} {times} times, under several ids, and "
                "nothing tells these apart; they may be of several annotators whose names were dropped. Put an "
                "entry 'annotator' into each annotation, or export from the tool in a form that has one"
            )
