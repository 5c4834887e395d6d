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

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, Hint, UnknownName, Wording, expected, listing
from interagree.gather.gatherer import CHOICES, SHAPES, TEXT, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.raster import mask_of_runs
from interagree.gather.shapes import FIGURE, KEYPOINTS, MASK, MASKS, POLYGON, POLYGONS, QUESTIONS, Shape
from interagree.gather.whose import BY_FILE, shared
from interagree.readers._images import LABEL_STUDIO, Places, box_of_size, number, numbers, pairs, size_of
from interagree.readers._options import ImageFiles
from interagree.readers._peek import json_head
from interagree.readers._rows import Row

SUFFIXES = (".json",)
CAPTIONS, CATEGORIES = "captions", "categories"
OUTLINED = {POLYGONS, MASKS}
NO_ATTRIBUTES = frozenset({"rotation", "occluded"})  # of regions, which are read or which everything has
REGION = ("bbox", "segmentation", "keypoints", "caption")
PEOPLE = (
    "annotator", "annotator_id", "annotator_name", "annotated_by", "rater", "rater_id", "labeler", "labeller",
)  # fmt: skip
ENTRIES = tuple(f"{inside}{name}" for name in PEOPLE for inside in ("", "attributes."))
LISTS = ("rater_list", "raters", "annotators", "annotator_list")
PERSON = ("email", "username", "name", "id")  # by which a person is called who is an object
MAKING = re.compile(r"(?i)user|creat|worker|by")  # what entries are called that may say who made an annotation
OTHER_NAMES = {"name": "without their folders", "extra.name": "by their names before Roboflow changed them", "id": ""}
NOTHING: tuple[object, ...] = (None, [], [[]])
POLYGONS_AS = "a polygon [x, y, x, y, x, y, …] of three corners or more in 'segmentation'"
SEVERAL = Wording("interagree.read(['ann.json', 'bo.json'])", "interagree report --together ann.json bo.json")
Record: TypeAlias = Mapping[str, Any]
Joints: TypeAlias = Mapping[str, tuple[str, ...]]  # of each category that has some


class CocoImage(NamedTuple):
    """An image that a file lists."""

    item: str
    row: Row


class Entry(NamedTuple):
    """An annotation of an image, with the name of its category."""

    image: CocoImage
    row: Row
    label: str | None


class AnnotatorEntry(NamedTuple):
    """The entry of annotations, or of images, that says who annotated."""

    entry: str
    of_images: bool


class CocoContent(NamedTuple):
    """What a file of COCO holds."""

    source: Source
    images: list[CocoImage]
    entries: list[Entry]
    joints: Joints
    by_label_studio: bool


def recognised(path: Path) -> bool:
    """Whether a file can only be one of COCO: images with names, and annotations that refer to them."""
    head = json_head(path)
    if head.listed:  # the results of a detector
        return head.has("image_id") and head.has("category_id") and any(head.has(name) for name in REGION)
    if head.has("annotations", "", "image_id") or head.has("images", "", "coco_url"):
        return True
    listed = head.has("images", begins=b"[") and head.has("annotations", begins=b"[")
    return listed and (head.has("images", "", "file_name") or head.has("categories", begins=b"["))


@reader("COCO", suffixes=SUFFIXES, sniff=recognised, together=True)
def coco(
    path: Paths, *, item: str = "file_name", crowd: Literal["keep", "drop"] = "keep", **options: Unpack[ImageFiles]
) -> Study:
    """The annotations of a file, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The entry of images that names them: "file_name", "name" for the same without folders, "id", or
            another one, such as "extra.name".
        annotator: The entry of annotations or images that says who annotated, such as "attributes.user"; or
            "{file}" or "{folder}".
        crowd: "keep" or "drop" regions marked ``iscrowd``.
    """
    gathered = Gatherer.of_files("COCO", path, SUFFIXES, duplicates=options["duplicates"], positions=None)
    with without_garbage_collection():
        contents = [_content(source, item) for source in gathered.sources]
        said = _said(gathered, contents, options["annotator"])
        owners: Sequence[str | None] = [None] * len(contents)
        if said is None:
            owners = _by_file(gathered, contents, options["annotator"])
        else:
            gathered.note("taken", f"annotators by {said.entry!r} of {'images' if said.of_images else 'annotations'}")
        for content, owner in zip(contents, owners, strict=True):
            _gather(gathered, content, said or AnnotatorEntry("", of_images=False), owner, crowd)
        gathered.take_looked(options["looked"])
        return gathered.study(options["questions"])


def _gather(gathered: Gatherer, content: CocoContent, said: AnnotatorEntry, owner: str | None, crowd: str) -> None:
    """What a file holds, of the annotator whose it is, or of those whom an entry names."""
    asked: set[str] = {KEYPOINTS} if content.joints else set()  # of the only annotator of a file
    records: dict[str, tuple[str | None, str]] = {}  # of images by their places: whose, and where the first such is
    first: dict[tuple[str, str | None], str] = {}
    for item, row in content.images:
        who = _person(row, said.entry) if said.of_images else owner
        where = first.setdefault((item, who), row.where)
        if where != row.where and who is not None:
            raise FormatError(
                f"{row.where}: the image {item!r:.60} is in {where} too, under another id, and nothing tells "
                "these apart; they may be of several annotators whose names were dropped. Put an entry 'annotator' "
                "into each annotation, or export from the tool in a form that has one"
            )
        records[row.where] = who, where
        gathered.sized(item, where, size_of(row.cells, "height", "width"))
        listed = next((some for name in LISTS if (some := row.maybe(name, list))), list[object]())
        for name in [who, *(map(str, listed) if who is None else ())]:  # who looked, as kalphacv's files state it
            gathered.looked(item, name, asked if owner and content.entries else None, where)
    for (item, image), row, label in content.entries:
        if row.cells.get("iscrowd") in (1, True) and gathered.drops("region", "marked iscrowd", crowd=crowd):
            continue
        other = row.cells.get("attributes")
        if isinstance(other, dict) and other.keys() - NO_ATTRIBUTES - {said.entry.rpartition(".")[2]}:
            gathered.noticed("annotation", "with attributes, which are not read")
        who, where = records[image.where]
        who = _person(row, said.entry) if who is None else who
        gathered.looked(item, who, where=where)
        answers = _answers(row, label, content.joints)
        if not answers and row.cells.get("keypoints"):
            gathered.noticed("annotation", "without a labelled keypoint or another region")
        for question, value, kind in answers:
            gathered.add(Mark(question, item, who, value, where), kind)
            asked |= OUTLINED if question in OUTLINED else {question}


def _answers(row: Row, label: str | None, joints: Joints) -> list[tuple[str, Any, str]]:
    """The questions that an annotation answers, with the answers and their kinds."""
    if isinstance(caption := row.cells.get("caption"), str):
        return [(CAPTIONS, caption, TEXT)]
    shapes = [*_shapes(row, label, joints)]
    if not shapes and label is not None and not row.cells.get("keypoints"):
        return [(CATEGORIES, label, CHOICES)]
    return [(QUESTIONS[shape.form], shape, SHAPES) for shape in shapes]


# -- files ---------------------------------------------------------------------------------------------------


def _content(source: Source, item: str) -> CocoContent:
    """The images and annotations of a file."""
    raw = source.json()
    if isinstance(raw, list):
        raise FormatError(
            f"{source.name}: this is a list of results of a detector, which names images by number only; expected "
            "an object with 'images', 'annotations' and 'categories'. Put the results into its 'annotations', under an "
            "'images' that has their names"
        )
    if not isinstance(raw, dict) or "images" not in raw:
        found = listing(raw) if isinstance(raw, dict) else repr(raw)[:60]
        raise FormatError(f"{source.name}: expected an object with 'images' and 'annotations', found {found}")
    content, given = Row(f"{source.name}, /", raw), raw.get("annotations")
    if not isinstance(given, list):
        raise FormatError(
            f"{source.name}: it lists images and no annotations ('annotations' is {given!r:.40}), as the "
            "'image_info' files of COCO do"
        )
    labels: dict[object, str] = {}
    joints: dict[str, tuple[str, ...]] = {}
    for row in _records(content, "categories", "id") if content.maybe("categories", list) else ():
        id_, name = row.cells["id"], row.cells.get("name")
        label = name if isinstance(name, str) else str(id_)
        if labels.setdefault(id_, label) != label:
            raise FormatError(f"{row.where}: two categories have the id {id_!r}, {labels[id_]!r} is one")
        if points := row.maybe("keypoints", list):
            joints[label] = tuple(map(str, points))
    images: dict[object, CocoImage] = {}
    for row in _records(content, "images", "id"):
        if row.cells["id"] in images:
            raise FormatError(f"{row.where}: two images have the id {row.cells['id']!r}")
        images[row.cells["id"]] = CocoImage(_item(row, item), row)
    entries = [_entry(row, images, labels) for row in _records(content, "annotations", "image_id")]
    by_label_studio = entry_of(raw, "info.contributor") == LABEL_STUDIO
    if by_label_studio and len({image.item for image in images.values()}) < len(images):
        raise FormatError(
            f"{source.name}: Label Studio's COCO export lists an image once for each annotation of it, and drops who "
            "made them; export the project as JSON, which says so, and read that file"
        )
    return CocoContent(source, list(images.values()), entries, joints, by_label_studio)


def _records(content: Row, name: str, key: str) -> Iterator[Row]:
    """The records of a list, which have a key."""
    for row in content.each(name):
        if not isinstance(row.cells.get(key), str | int):
            raise expected(row.where, f"an object with an {key!r}", row.cells)
        yield row


def entry_of(record: Record, path: str) -> Any:
    """An entry of a record, or of an object in it: 'attributes.annotator'; None where there is none."""
    name, dot, inner = path.partition(".")
    found = record.get(name)
    return found if not dot else entry_of(found, inner) if isinstance(found, dict) else None


def _name(record: Record, item: str) -> object:
    """What an image is called by an entry; without folders by "name"."""
    if item == "name":
        name = _name(record, "file_name")
        return re.split(r"[/\\]", name)[-1] if isinstance(name, str) else name
    name = entry_of(record, item)
    return entry_of(record, "coco_url") if name is None and item == "file_name" else name


def _item(row: Row, item: str) -> str:
    name = _name(row.cells, item)
    if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
        by_id = Hint("item", "id")
        raise UnknownName(
            f"{row.where}: expected a name in {item!r} to call the image by, found {name!r:.60}; it has "
            f"{listing(row.cells)}. {by_id} takes its number, which two files may use for two images",
            hints=[by_id],
        )
    return str(name)


def _entry(row: Row, images: Mapping[object, CocoImage], labels: Mapping[object, str]) -> Entry:
    if "segments_info" in row.cells:
        raise FormatError(
            f"{row.where}: this is a panoptic annotation, whose segments lie in PNG files "
            f"({row.cells.get('file_name')!r:.60}) that are not read; convert it to one segmentation for each object "
            "(panopticapi's panoptic2detection_coco_format), and read that"
        )
    cells = row.cells
    image, category = images.get(cells["image_id"]), cells.get("category_id")
    if image is None:
        raise FormatError(f"{row.where}: the file lists no image with the id {cells['image_id']!r:.60}")
    if "caption" in cells or category is None:
        return Entry(image, row, None)
    if not isinstance(category, str | int):
        raise expected(row.where, "a number in 'category_id'", category)
    if labels and category not in labels:
        raise FormatError(f"{row.where}: the file has no category with the id {category!r}; it has {listing(labels)}")
    return Entry(image, row, labels.get(category, str(category)))


# -- who annotated -------------------------------------------------------------------------------------------


def _said(gathered: Gatherer, contents: Sequence[CocoContent], wanted: str | None) -> AnnotatorEntry | None:
    """The entry that says who annotated: the one that the caller names, or one that is in use; None without one."""
    if wanted is not None and "{" in wanted:
        return None
    records = [entry.row.cells for content in contents for entry in content.entries]
    listed = [image.row.cells for content in contents for image in content.images]
    for of_images, some in ((False, records), (True, listed)):
        held = {name for record in some for name in record}
        for name in ENTRIES if wanted is None else (wanted,):
            if name.partition(".")[0] in held and any(entry_of(record, name) is not None for record in some):
                return AnnotatorEntry(name, of_images)
    if wanted is not None:
        known = sorted({name for record in records[:100] for name in record})
        raise UnknownName(
            f"{gathered.files}: no annotation and no image has an entry {wanted!r} to take the annotator from; "
            f"annotations have {listing(known)}. {BY_FILE} takes the name of the file",
            hints=[BY_FILE],
        )
    return None


def _person(row: Row, path: str) -> str:
    given = entry_of(row.cells, path)
    if isinstance(given, dict):
        given = next((given[key] for key in PERSON if given.get(key) is not None), None)
    if not isinstance(given, str | int) or isinstance(given, bool) or given == "":
        raise expected(row.where, f"who annotated in {path!r}, as others have it", given)
    return str(given)


def _by_file(gathered: Gatherer, contents: Sequence[CocoContent], pattern: str | None) -> list[str]:
    """Who annotated each file; an error where nothing tells."""
    if pattern is None and len(contents) == 1:
        raise _nobody(*contents)
    people = gathered.files_of(pattern, [{image.item for image in content.images} for content in contents])
    if people is None:
        raise _disjoint(gathered, contents)
    return people


def _nobody(content: CocoContent) -> FormatError:
    """The error for one file that does not say who annotated."""
    if content.by_label_studio:
        return FormatError(
            f"{content.source.name}: Label Studio's COCO export drops who annotated; export the project as JSON, which "
            f"says so, or pass {BY_FILE} if one person made all annotations",
            hints=[BY_FILE],
        )
    texts: dict[str, set[str]] = {}  # of entries that may say who made annotations: few, and not as many as these
    for entry in content.entries:
        for inside, record in (("", entry.row.cells), ("attributes.", entry.row.maybe("attributes", dict))):
            for name, given in record.items():
                if isinstance(given, str) and MAKING.search(name):
                    texts.setdefault(f"{inside}{name}", set()).add(given)
    likely = [name for name, some in texts.items() if 1 < len(some) <= len(content.entries) / 2]
    hints = [Hint("annotator", name) for name in likely[:1]]
    also = f", or {hints[0]} if that entry says who" if hints else ""
    return FormatError(
        f"{content.source.name}: nothing in it says who annotated; COCO has no place for that. Give a file for each "
        f"annotator, as in {SEVERAL}, put an entry 'annotator' into each annotation{also}, or pass "
        f"{BY_FILE} to take the whole file for one person's",
        hints=[*hints, SEVERAL, BY_FILE],
    )


def _disjoint(gathered: Gatherer, contents: Sequence[CocoContent]) -> FormatError:
    """The error for files that share no image, or share all in ways that do not tell people apart."""
    meeting = [item for item in OTHER_NAMES if _meet([[_name(i.row.cells, item) for i in c.images] for c in contents])]
    if _meet([[image.item for image in content.images] for content in contents]):
        meeting = []  # it is not names of images that keep them apart
    hints = [Hint("item", item) for item in meeting[:1]]
    if hints and meeting[0] != "id":
        advice = f"images meet {OTHER_NAMES[meeting[0]]}, so pass {hints[0]}"
    else:
        also = f", and {hints[0]} if the numbers of images mean the same in all of them" if hints else ""
        advice, hints = f"pass {BY_FILE} if they are of several annotators all the same{also}", [BY_FILE, *hints]
    return FormatError(
        f"{gathered.files}: nothing in them says who annotated, and they are not a file for each annotator: they are "
        f"called as parts of one dataset, no two have an image in common, or somebody would have one twice; {advice}",
        hints=hints,
    )


def _meet(names: Sequence[Iterable[object]]) -> bool:
    """Whether files have images in common."""
    return shared((name, at) for at, some in enumerate(names) for name in {*some} - {None}) > 0


# -- regions -------------------------------------------------------------------------------------------------


def _shapes(row: Row, label: str | None, joints: Joints) -> Iterator[Shape]:
    """The regions of an annotation: its box, its outline or mask, its keypoints."""
    where, cells = row
    box, outline, points = (cells.get(name) for name in REGION[:3])
    if box not in NOTHING:
        x, y, width, height = numbers(box, where, "[x, y, width, height] in 'bbox'", of=4)
        turned = entry_of(cells, "attributes.rotation") or 0  # as CVAT writes it
        yield box_of_size(x, y, width, height, where, number(turned, where)).called(label)
    if isinstance(outline, dict) and outline:
        yield Shape(MASK, mask_of_runs(outline.get("counts"), outline.get("size"), where)).called(label)
    elif outline not in (*NOTHING, {}):
        listed = row.field("segmentation", list)
        parts = listed if isinstance(listed[0], list) else [listed]
        outlines = [_outline(part, where) for part in parts if part != []]
        yield Shape(POLYGON, outlines[0] if len(outlines) == 1 else tuple(outlines)).called(label)
    if points not in NOTHING and (figure := _figure(points, joints.get(label or "", ()), where)):
        yield Shape(FIGURE, figure).called(label)


def _outline(given: Any, where: str) -> Places:
    if isinstance(given, list) and given and isinstance(given[0], list):  # corners as pairs
        given = [part for corner in given if isinstance(corner, list) for part in corner]
    outline = pairs(numbers(given, where, POLYGONS_AS, each=2))
    if len(outline) < 3:
        raise expected(where, POLYGONS_AS, given)
    return outline


def _figure(given: object, names: tuple[str, ...], where: str) -> tuple[tuple[float, ...], ...]:
    """The joints of an object; none where none of them is labelled."""
    places = numbers(given, where, "[x, y, visibility, …] in 'keypoints'", each=3)
    if any(seen not in (0, 1, 2) for seen in places[2::3]):
        raise FormatError(f"{where}: the visibility of a keypoint is 0, 1 or 2, found {listing(places[2::3])}")
    if names and len(names) * 3 != len(places):
        raise FormatError(f"{where}: its category has {len(names)} keypoints, and the annotation {len(places) // 3}")
    points = zip(places[::3], places[1::3], places[2::3], strict=True)
    return tuple(point if point[2] else (0, 0, 0) for point in points) if any(places[2::3]) else ()
