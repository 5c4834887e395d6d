"""VGG Image Annotator (VIA): projects and exports of regions, as JSON or CSV, a file for each annotator.

JSON is a project (``_via_img_metadata``) or the export of its annotations, in which each image has its ``filename`` and
its ``regions``; CSV has a row for each region.  Files are annotators, or the folders they lie in;
``annotator="{folder}"`` or a name says otherwise.  An image is an item, called by its file name.

**Regions** are boxes, polygons, with circles and ellipses as polygons of 72 corners, and points.  Their label is the
attribute of regions that ``label=`` names, by default the one that most regions have.  Attributes of images that are
chosen from options are questions.  Polylines are counted and not read.

An image that a file lists without regions was looked at, and nothing was marked (``looked="marked"`` says otherwise).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import degrees
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from interagree.data.files import Source, parse_json
from interagree.data.paths import Paths
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import ColumnNotFound, FormatError, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import BOX, POINT, POLYGON, QUESTIONS, Shape, ellipse
from interagree.gather.whose import files_below
from interagree.readers._images import number, numbers
from interagree.readers._options import Images
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of, table_rows, text_of

SUFFIXES = (".json", ".csv")
IMAGES, SHAPE, ABOUT, OF_FILE = "_via_img_metadata", "shape_attributes", "region_attributes", "file_attributes"


class Picture(NamedTuple):
    """What a file says of an image."""

    name: str
    where: str
    regions: list[dict[str, Any]]
    about: Mapping[str, Any]


def recognised(path: Path) -> bool:
    """Whether a file can only be one of VIA."""
    if path.suffix.lower() == ".csv":
        return {f"region_{SHAPE}", ABOUT} <= columns_of(path)
    head = json_head(path)
    if head is None or head.listed:
        return False
    if IMAGES in head.at():
        return True
    return any({"filename", "regions", "size"} <= head.at(key) for key in head.at())


@reader("VGG Image Annotator", suffixes=SUFFIXES, sniff=recognised, together=True)
def via(path: Paths, *, label: str | None = None, **options: Unpack[Images]) -> Study:
    """The regions of all images, and what was said of images as wholes.

    Args:
        path: A file for each annotator, as a list, or a folder of files.
        label: The attribute of regions that is their label.
    """
    sources = files_below(path, recognised, lacking="a file of VIA")
    gathered = Gatherer("VIA", sources, positions=None)
    pictures = {source: list(_pictures(source, gathered.steps)) for source in sources}
    regions = [region for some in pictures.values() for picture in some for region in picture.regions]
    called = Counter(name for region in regions for name, said in _about(region).items() if said)
    if label is not None and label not in called:
        raise ColumnNotFound(f"no region has the attribute {label!r}; regions have {listing(called) or 'none'}")
    label = label or next((name for name, _ in called.most_common(1)), None)
    if len(called) > 1:
        gathered.note("taken", f"labels from the attribute {label!r} of regions, of {listing(called)}")
    items = [{picture.name for picture in some} for some in pictures.values()]
    people = gathered.files_of(options["annotator"], items) or gathered.files_of("{file}", items) or ()
    for source, who in zip(sources, people, strict=True):
        for picture in pictures[source]:
            _add(gathered, picture, who, label)
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _add(gathered: Gatherer, picture: Picture, who: str, label: str | None) -> None:
    """What one annotator drew in an image and said of it."""
    shapes = [shape for place, region in enumerate(picture.regions) if (shape := _shape(region, label, picture, place))]
    gathered.left_out("polyline or other region", "not read", len(picture.regions) - len(shapes))
    for name, said in picture.about.items():
        chosen = _chosen(said)
        if chosen:
            gathered.add(Mark(name, picture.name, who, chosen, picture.where), "choices")
    gathered.looked(picture.name, who, {*QUESTIONS.values()}, picture.where)
    for shape in shapes:
        gathered.add(Mark("", picture.name, who, shape, picture.where))


def _shape(region: Mapping[str, Any], label: str | None, picture: Picture, place: int) -> Shape | None:
    where = f"{picture.where}, region {place}"
    drawn = field_of(region, SHAPE, dict, where)
    labels = _chosen(_about(region).get(label)) if label else ()

    def given(*names: str) -> list[float]:
        return [number(drawn.get(name), where) for name in names]

    match drawn.get("name"):
        case "rect":
            x, y, width, height = given("x", "y", "width", "height")
            return Shape(BOX, (x, y, x + width, y + height), labels)
        case "polygon":
            xs, ys = (numbers(field_of(drawn, f"all_points_{axis}", list, where), where) for axis in "xy")
            if len(xs) != len(ys):
                raise FormatError(f"{where}: a polygon has {len(xs)} places along x and {len(ys)} along y")
            return Shape(POLYGON, tuple(zip(xs, ys, strict=True)), labels) if len(xs) > 2 else None
        case "circle":
            x, y, radius = given("cx", "cy", "r")
            return ellipse(x, y, radius, radius)._replace(labels=labels)
        case "ellipse":
            x, y, across, down = given("cx", "cy", "rx", "ry")
            return ellipse(x, y, across, down, degrees(number(drawn.get("theta") or 0, where)))._replace(labels=labels)
        case "point":
            return Shape(POINT, tuple(given("cx", "cy")), labels)
    return None


def _about(region: Mapping[str, Any]) -> dict[str, Any]:
    about = region.get(ABOUT)
    return about if isinstance(about, dict) else {}


def _chosen(said: object) -> tuple[str, ...]:
    """The options that an attribute holds: a word, or those of several that are ticked."""
    if isinstance(said, dict):
        return tuple(str(name) for name, ticked in said.items() if ticked in (True, "true"))
    return (str(said),) if said not in (None, "") else ()


def _pictures(source: Source, steps: list[Step]) -> Iterator[Picture]:
    if source.suffix == ".csv":
        yield from _of_rows(table_rows(source, steps))
        return
    content = source.json()
    images = content.get(IMAGES, content) if isinstance(content, dict) else None
    if not isinstance(images, dict):
        raise FormatError(f"{source.name}: expected the images of VIA by their keys, found {content!r:.60}")
    for key, image in images.items():
        where = f"{source.name}, {key}"
        if isinstance(image, dict) and "filename" in image:
            regions = image.get("regions") or []
            given = [*regions.values()] if isinstance(regions, dict) else regions  # by their numbers, as of version 1
            inner = [region for region in given if isinstance(region, dict)] if isinstance(given, list) else []
            if not isinstance(given, list) or len(inner) < len(given):
                raise FormatError(f"{where}: expected a list of regions, found {given!r:.60}")
            about = image.get(OF_FILE)
            yield Picture(text_of(image, "filename"), where, inner, about if isinstance(about, dict) else {})


def _of_rows(rows: list[Row]) -> Iterator[Picture]:
    """The images of a CSV export, whose regions stand in rows of their own; one without regions has a row, too."""
    images: dict[str, Picture] = {}
    for where, cells in rows:
        name = text_of(cells, "filename") or text_of(cells, "#filename")
        shape, said, about = (_object(cells, column, where) for column in (f"region_{SHAPE}", ABOUT, OF_FILE))
        image = images.setdefault(name, Picture(name, where, [], about))
        if shape:
            image.regions.append({SHAPE: shape, ABOUT: said})
    yield from images.values()


def _object(cells: Mapping[str, object], column: str, where: str) -> dict[str, Any]:
    text = text_of(cells, column) or "{}"
    with suppress(ValueError):
        content = parse_json(text)
        if isinstance(content, dict):
            return content
    raise FormatError(f"{where}: expected JSON in the column {column!r}, found {text[:60]!r}")
