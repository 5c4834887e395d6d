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

from collections.abc import Sequence
from typing import Literal

from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.gather.units import check_options
from interagree.readers._images import ImageStudy
from interagree.readers.coco.files import content_of, recognised
from interagree.readers.coco.people import people_of
from interagree.readers.coco.sheets import Sheets

SUFFIXES = (".json",)


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
    gathered = ImageStudy("COCO", sources, duplicates)
    gathered.answers.steps += unread_files(path, sources, deep=False)
    with without_garbage_collection():
        contents = [content_of(source, item) for source in sources]
        people = people_of(contents, annotator)
        gathered.answers.steps.append(people.step)
        Sheets(gathered, people, crowd, looked).read(contents)
    return gathered.study(questions)
