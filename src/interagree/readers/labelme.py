"""LabelMe: the JSON files of the program, one for each image, and the XML files of the web tool.

**JSON files** lie in a folder for each annotator; the folders tell annotators apart, and ``annotator="{folder}"``, or a
name, says otherwise.  The questions are ``boxes`` (rectangles, and rectangles at an angle), ``polygons`` (with circles,
as polygons of 72 corners), ``masks``, ``keypoints`` (points) and ``flags`` (those of the image that are set).  Polygons
of one label and one ``group_id`` are one object, and so are points.  Where some drew polygons and others masks, all
become masks.  Lines and flags of shapes are counted and not read.  A file without shapes says that they looked and
marked nothing; without a file they did not look.

**XML files** of the web tool say of every object who drew it (``<username>``), so that one file holds all annotators of
an image.  Who drew nothing in an image did not look at it, unless ``looked="all"``.  Deleted objects are left out and
counted.  Masks are read where their PNG files lie beside the file or in the folder Masks, and else taken as the boxes
around them, which the file states.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.gather.gatherer import CHOICES, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import MASK, POINT, POLYGON, TURNED, Shape, box_about_centre, box_around, ellipse
from interagree.gather.whose import files_below
from interagree.readers._images import Places, numbers, numbers_in, polygon, size_in, size_of
from interagree.readers._options import ImageReaderOptions
from interagree.readers._peek import beginning, json_head, xml_root
from interagree.readers._rows import Row, object_of
from interagree.readers._xml import parse_xml, text_in

SUFFIXES = (".json", ".xml")
WEB = (b"LabelMe Webtool", b"<username>", b"<sourceAnnotation>")
ANGLED = ("oriented_rectangle", "rotation")
NEEDED = {"point": 1, "rectangle": 2, "circle": 2, "mask": 2} | dict.fromkeys(ANGLED, 4)  # points
FLAGS, ANONYMOUS = "flags", "anonymous"
Size: TypeAlias = tuple[int, int] | None


def recognised(path: Path) -> bool:
    """Whether a file can only be one of LabelMe."""
    if path.suffix.lower() == ".xml":
        return xml_root(path) == "annotation" and any(mark in beginning(path) for mark in WEB)
    head = json_head(path)
    if head.listed or not head.has("shapes", begins=b"["):
        return False
    about = {"imagePath", "imageData", "flags", "imageHeight"} & head.at()
    return bool(about) or (head.has("shapes", "", "points") and head.has("shapes", "", "label"))


@reader("LabelMe", suffixes=SUFFIXES, sniff=recognised, together=True)
def labelme(path: Paths, **options: Unpack[ImageReaderOptions]) -> Study:
    """The files of folders, one for each annotator, or those of the web tool.

    Args:
        path: A folder with a folder for each annotator, or a list of folders or files.
    """
    lacking = "a file of LabelMe"
    sources = files_below(path, recognised, lacking=lacking)
    gathered = Gatherer("LabelMe", sources, duplicates="error", positions=None)
    every = files_below(path, lambda file: file.suffix.lower() in SUFFIXES, lacking=lacking)
    left = sorted(file.name for file in {s.path for s in every} - {s.path for s in sources} if file is not None)
    gathered.noticed("file", f"that LabelMe did not write not read ({listing(left, most=3)})", len(left))
    pages = [source for source in sources if _is_page(source)]
    if pages and len(pages) < len(sources):
        raise FormatError(
            f"{pages[0].name} is a file of LabelMe's web tool, and others are of the program; read them one by one"
        )
    (_read_pages if pages else _read_files)(gathered, options["annotator"])
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _is_page(source: Source) -> bool:
    return source.suffix == ".xml" or (source.path is None and source.read().lstrip()[:1] == b"<")


# -- the program ---------------------------------------------------------------------------------------------


def _read_files(gathered: Gatherer, annotator: str | None) -> None:
    """All JSON files, with who annotated each by the folders."""
    wanted = "a folder of LabelMe's .json files for each annotator"
    for source, item, who in gathered.images_of(annotator, wanted=wanted):
        record = object_of(source, "an object with 'shapes'")
        size = size_of(record.cells, "imageHeight", "imageWidth")
        gathered.sized(item, source.name, size)
        mark = Mark("", item, who, None, source.name)
        for shape in _shapes(record.each("shapes"), size, gathered):
            gathered.add(mark._replace(value=shape))
        if flags := record.maybe("flags", dict):
            chosen = tuple(str(name) for name, is_set in flags.items() if is_set is True)
            gathered.add(mark._replace(question=FLAGS, value=chosen), CHOICES)


def _shapes(records: Iterable[Row], size: Size, gathered: Gatherer) -> Iterator[Shape]:
    """The shapes of a file; polygons of one label and one group are one."""
    outlines: dict[tuple[str, Hashable], list[Any]] = {}
    for record in records:
        gathered.noticed("shape", "with flags, which are not read", any(record.maybe("flags", dict).values()))
        label = str(record.field("label", (str, int)))
        shape = _shape(record, size, gathered)
        if shape is not None and shape.form == POLYGON and shape.group is not None:
            outlines.setdefault((label, shape.group), []).append(shape.place)
        elif shape is not None:
            yield shape.called(label)
    for (label, _), several in outlines.items():
        yield Shape(POLYGON, several[0] if len(several) == 1 else tuple(several), (label,))


def _shape(record: Row, size: Size, gathered: Gatherer) -> Shape | None:
    """A shape; None for one that is not read, which is counted."""
    kind, group = str(record.cells.get("shape_type") or "polygon"), record.cells.get("group_id")
    places = [numbers(point, record.where, "a point [x, y]", of=2) for point in record.field("points", list)]
    points = tuple((x, y) for x, y in places)
    group = group if isinstance(group, str | int) else None
    if kind == "polygon" or (kind in ANGLED and len(points) != 4):
        outline = polygon(points, gathered)
        return outline and outline._replace(group=group)
    if kind not in NEEDED:
        rest = f"of the type {kind!r:.30} not read"
        gathered.left_out(*(("line", "not read") if kind in {"line", "linestrip"} else ("shape", rest)))
        return None
    if kind == "rectangle" and len(points) == 4:  # all four corners, as X-AnyLabeling writes them
        return box_around(points)
    if len(points) != NEEDED[kind]:
        raise FormatError(f"{record.where}: a {kind} has {NEEDED[kind]} points, and this one {len(points)}")
    if kind == "mask":
        return _mask(record, points, size, gathered)
    if kind == "circle":
        radius = math.dist(*points)
        return ellipse(*points[0], radius, radius)
    if kind == "point":
        return Shape(POINT, points[0], group=group)
    return _turned(points) if kind in ANGLED else box_around(points)


def _turned(points: Places) -> Shape:
    """The rectangle at an angle that four corners in a row make."""
    first, second, third, _ = points
    centre = ((first[0] + third[0]) / 2, (first[1] + third[1]) / 2)
    degrees = math.degrees(math.atan2(second[1] - first[1], second[0] - first[0]))
    return Shape(TURNED, (*centre, math.dist(first, second), math.dist(second, third), degrees))


def _mask(record: Row, points: Places, size: Size, gathered: Gatherer) -> Shape | None:
    if size is None:
        gathered.left_out("mask", "in an image of unknown size not read")
        return None
    from interagree.gather.png import pixels_of_base64
    from interagree.gather.raster import mask_of_pixels

    inside = pixels_of_base64(record.field("mask", str), record.where)
    (left, top), (right, bottom) = ((int(x), int(y)) for x, y in points)
    if inside.shape != (bottom - top + 1, right - left + 1):
        raise FormatError(
            f"{record.where}: the mask has {inside.shape[1]} × {inside.shape[0]} pixels, and its corners say "
            f"{right - left + 1} × {bottom - top + 1}"
        )
    return Shape(MASK, mask_of_pixels(inside, size, top, left))


# -- the web tool --------------------------------------------------------------------------------------------


def _read_pages(gathered: Gatherer, annotator: str | None) -> None:
    """All XML files, with who drew each object."""
    gathered.note("taken", f"annotators by {annotator or '<username>'}")
    anonymous, seen = False, dict[str, str]()
    for source in gathered.sources:
        root = parse_xml(source, root="annotation", tool="a file of LabelMe")
        folder, name = (text_in(root, tag) for tag in ("folder", "filename"))
        item = f"{folder}/{name or source.stem}" if folder else name or source.stem
        if seen.setdefault(item, source.name) != source.name and annotator is None:
            raise FormatError(f"{source.name}: the image {item!r:.60} is in {seen[item]}, too; read one of them")
        size = size_in(root, "imagesize", "nrows", "ncols")
        gathered.sized(item, source.name, size)
        gathered.looked(item, None, where=source.name)
        owner = None if annotator is None else fill_pattern(annotator, pattern_words(source), option="annotator")
        drawn: dict[str, list[Shape | None]] = {} if owner is None else {owner: []}
        for place, thing in enumerate(root.iterfind("object"), start=1):
            where = f"{source.name}, object {place}"
            if text_in(thing, "deleted") == "1":
                gathered.left_out("deleted object")
                continue
            who = owner or text_in(thing, "polygon/username", "segm/username")
            if not who:
                raise FormatError(f"{where}: expected who drew it in <username>, found nothing")
            drawn.setdefault(who, []).append(_drawn(thing, source, size, where, gathered))
        for who, shapes in drawn.items():
            lost = shapes.count(None)
            gathered.left_out("object", "without points left out, with what its annotator marked in that image", lost)
            gathered.looked(item, who, frozenset() if lost else None, source.name)
            for shape in () if lost else shapes:
                gathered.add(Mark("", item, who, shape, source.name))
            anonymous = anonymous or who == ANONYMOUS
    if anonymous:
        gathered.note("noticed", f"{ANONYMOUS!r} taken for one annotator, who may be several")


def _drawn(thing: Element, source: Source, size: Size, where: str, gathered: Gatherer) -> Shape | None:
    """The polygon, box or mask of an object; None where it has no points."""
    label = text_in(thing, "name")
    outline, segment = thing.find("polygon"), thing.find("segm")
    shape = None
    if outline is not None:
        points = [(x, y) for x, y in (numbers_in(point, "xy", where) for point in outline.iterfind("pt"))]
        if len(points) > 2:
            is_box = text_in(thing, "type") == "bounding_box"
            shape = box_around(points) if is_box else Shape(POLYGON, tuple(points))
    elif segment is not None:
        mask, box = _mask_beside(segment, source, size, where), segment.find("box")
        if mask is not None:
            shape = Shape(MASK, mask)
        elif box is not None:
            gathered.left_out("mask", "whose file is not there taken as the box around it")
            shape = box_about_centre(*numbers_in(box, ("xmin", "ymin", "xmax", "ymax"), where))
    return shape and shape.called(label)


def _mask_beside(segment: Element, source: Source, size: Size, where: str) -> tuple[Any, ...] | None:
    """The mask whose file lies beside, or in the folder Masks next to Annotations; None where it is not there."""
    name = text_in(segment, "mask")
    if size is None or source.path is None or not name or Path(name).name != name:
        return None
    folder = source.path.parent
    places = (folder, folder.parent / "Masks", folder.parent.parent / "Masks" / folder.name)
    file = next((place / name for place in places if (place / name).is_file()), None)
    if file is None:
        return None
    from interagree.gather.png import pixels_inside
    from interagree.gather.raster import mask_of_pixels

    return mask_of_pixels(pixels_inside(Source.of(file).read(), f"{where}, {file.name}"), size)
