"""Files of COCO: what they hold, and those that are refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from interagree.data.files import Source
from interagree.errors import FormatError, Hint, UnknownName, listing
from interagree.readers._peek import json_head
from interagree.readers._rows import field_of

Record: TypeAlias = Mapping[str, Any]
LABEL_STUDIO = "Label Studio"
FAMILIES = re.compile(r"(instances|person_keypoints|captions|stuff|panoptic|image_info)(?:_|$)")
REGION = ("bbox", "segmentation", "keypoints", "caption")


class Image(NamedTuple):
    """A image as a file lists it."""

    item: str
    record: Record
    where: str


class CocoEntry(NamedTuple):
    """An annotation of an image."""

    image: Image
    record: Record
    label: str | None
    where: str


class Content(NamedTuple):
    """What a file of COCO holds."""

    source: Source
    images: list[Image]
    marks: list[CocoEntry]
    joints: dict[str, tuple[str, ...]]  # of each category that has some
    contributor: object  # the tool that wrote it, as some state


def recognised(path: Path) -> bool:
    """Whether a file can only be one of COCO: images with names, and annotations that refer to them."""
    head = json_head(path)
    if head is None:
        return False
    if head.listed:  # the results of a detector
        return head.has("image_id") and head.has("category_id") and any(head.has(name) for name in REGION)
    if head.has("annotations", "", "image_id") or head.has("images", "", "coco_url"):
        return True
    listed = head.has("images", begins=b"[") and head.has("annotations", begins=b"[")
    return listed and (head.has("images", "", "file_name") or head.has("categories", begins=b"["))


def content_of(source: Source, item: str) -> Content:
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
    listed, given = field_of(raw, "images", list, source.name), raw.get("annotations")
    if not isinstance(given, list):
        raise FormatError(
            f"{source.name}: it lists images and no annotations ('annotations' is {given!r:.40}), as the "
            "'image_info' files of COCO do"
        )
    labels, joints = _categories(raw, source)
    images = _images(source, listed, item)
    marks = [
        _mark(where, record, images, labels) for where, record in _records(source, given, "annotations", "image_id")
    ]
    info = raw.get("info")
    contributor = info.get("contributor") if isinstance(info, dict) else None
    name, times = next(iter(Counter(image.item for image in images.values()).most_common(1)), ("", 0))
    if contributor == LABEL_STUDIO and times > 1:
        raise FormatError(
            f"{source.name}: Label Studio's COCO export lists {name!r:.60} once for each annotation of it, and drops "
            "who made them; export the project as JSON, which says so, and read that file"
        )
    return Content(source, list(images.values()), marks, joints, contributor)


def _records(source: Source, listed: list[Any], name: str, key: str) -> Iterator[tuple[str, Record]]:
    """The records of a list that have a key, each with its place in the file."""
    for number, record in enumerate(listed):
        where = f"{source.name}, /{name}/{number}"
        if not isinstance(record, dict) or not isinstance(record.get(key), str | int):
            raise FormatError(f"{where}: expected an object with an {key!r}, found {record!r:.60}")
        yield where, record


def _categories(raw: Record, source: Source) -> tuple[dict[object, str], dict[str, tuple[str, ...]]]:
    """The name of each category by its id, and its joints by name."""
    labels: dict[object, str] = {}
    joints: dict[str, tuple[str, ...]] = {}
    listed = raw.get("categories")
    for where, record in _records(source, listed if isinstance(listed, list) else [], "categories", "id"):
        name, points = record.get("name"), record.get("keypoints")
        label = name if isinstance(name, str) else str(record["id"])
        if labels.setdefault(record["id"], label) != label:
            raise FormatError(f"{where}: two categories have the id {record['id']!r}, {labels[record['id']]!r} is one")
        if isinstance(points, list) and points:
            joints[label] = tuple(map(str, points))
    return labels, joints


def _images(source: Source, listed: list[Any], item: str) -> dict[object, Image]:
    images: dict[object, Image] = {}
    for where, record in _records(source, listed, "images", "id"):
        if record["id"] in images:
            raise FormatError(f"{where}: two images have the id {record['id']!r}")
        images[record["id"]] = Image(_item(record, item, where), record, where)
    return images


def _item(record: Record, item: str, where: str) -> str:
    name = entry(record, "file_name" if item == "name" else item)
    if name is None and item in {"file_name", "name"}:
        name = entry(record, "coco_url")
    if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
        by_id = Hint("item", "id")
        raise UnknownName(
            f"{where}: expected a name in {item!r} to call the image by, found {name!r:.60}; it has "
            f"{listing(record)}. {by_id} takes its number, which two files may use for two images",
            hints=[by_id],
        )
    return re.split(r"[/\\]", name)[-1] if item == "name" and isinstance(name, str) else str(name)


def entry(record: Record, path: str) -> object:
    """An entry of a record, or of an object in it: 'attributes.annotator'; None where there is none."""
    found: object = record
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _mark(where: str, record: Record, images: Mapping[object, Image], labels: Mapping[object, str]) -> CocoEntry:
    if "segments_info" in record:
        raise FormatError(
            f"{where}: this is a panoptic annotation, whose segments lie in PNG files ({record.get('file_name')!r:.60})"
            " that are not read; convert it to one segmentation for each object (panopticapi's "
            "panoptic2detection_coco_format), and read that"
        )
    image = images.get(record["image_id"])
    if image is None:
        raise FormatError(f"{where}: the file lists no image with the id {record['image_id']!r:.60}")
    category = record.get("category_id")
    if "caption" in record or category is None:
        return CocoEntry(image, record, None, where)
    if not isinstance(category, str | int):
        raise FormatError(f"{where}: expected a number in 'category_id', found {category!r:.60}")
    if labels and category not in labels:
        raise FormatError(f"{where}: the file has no category with the id {category!r}; it has {listing(labels)}")
    return CocoEntry(image, record, labels.get(category, str(category)), where)


def family(source: Source) -> str | None:
    """Which part of the COCO dataset a file is by its name: 'captions' of 'captions_val2017.json'."""
    match = FAMILIES.match(source.stem)
    return match[1] if match else None
