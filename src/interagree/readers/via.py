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
from math import degrees
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import ColumnNotFound, FormatError, expected, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import POINT, POLYGON, QUESTIONS, Shape, ellipse
from interagree.gather.whose import files_below
from interagree.readers._images import box_of_size, number, numbers
from interagree.readers._options import ImageReaderOptions
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, object_of, table_rows

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
    head = json_head(path)
    keys = set() if head.listed else head.at()
    listed = IMAGES in keys or any({"filename", "regions", "size"} <= head.at(key) for key in keys)
    return listed or {f"region_{SHAPE}", ABOUT} <= columns_of(path)


@reader("VGG Image Annotator", suffixes=SUFFIXES, sniff=recognised, together=True)
def via(path: Paths, *, label: str | None = None, **options: Unpack[ImageReaderOptions]) -> Study:
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
    drawn = Row(where, region).inside(SHAPE)
    cells = drawn.cells

    def given(*names: str) -> list[float]:
        return [number(cells.get(name), where) for name in names]

    shape = None
    match cells.get("name"):
        case "rect":
            x, y, width, height = given("x", "y", "width", "height")
            shape = box_of_size(x, y, width, height, where)
        case "polygon":
            xs, ys = (numbers(drawn.field(f"all_points_{axis}", list), where) for axis in "xy")
            if len(xs) != len(ys):
                raise FormatError(f"{where}: a polygon has {len(xs)} places along x and {len(ys)} along y")
            shape = Shape(POLYGON, tuple(zip(xs, ys, strict=True))) if len(xs) > 2 else None
        case "circle":
            shape = ellipse(*given("cx", "cy", "r", "r"))
        case "ellipse":
            x, y, across, down = given("cx", "cy", "rx", "ry")
            shape = ellipse(x, y, across, down, degrees(number(cells.get("theta") or 0, where)))
        case "point":
            shape = Shape(POINT, tuple(given("cx", "cy")))
    return shape and shape._replace(labels=_chosen(_about(region).get(label)) if label else ())


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
    content = object_of(source, "the images of VIA by their keys")
    images = content.inside(IMAGES).cells if IMAGES in content.cells else content.cells
    for key, entry in images.items():
        image = Row(f"{source.name}, {key}", entry if isinstance(entry, dict) else {})
        if "filename" in image.cells:
            regions = image.cells.get("regions") or []
            given = [*regions.values()] if isinstance(regions, dict) else regions  # by their numbers, as of version 1
            if not isinstance(given, list) or not all(isinstance(region, dict) for region in given):
                raise expected(image.where, "a list of regions", given)
            yield Picture(image.text("filename"), image.where, given, image.maybe(OF_FILE, dict))


def _of_rows(rows: list[Row]) -> Iterator[Picture]:
    """The images of a CSV export, whose regions stand in rows of their own; one without regions has a row, too."""
    images: dict[str, Picture] = {}
    for row in rows:
        name = row.text("filename", "#filename")
        shape, said, about = (row.json(column, dict, "{}") for column in (f"region_{SHAPE}", ABOUT, OF_FILE))
        image = images.setdefault(name, Picture(name, row.where, [], about))
        if shape:
            image.regions.append({SHAPE: shape, ABOUT: said})
    yield from images.values()
