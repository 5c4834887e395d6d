"""The XML files of LabelMe's web tool: objects of an image, each with who drew it."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import MASK, POLYGON, Shape, box_around
from interagree.readers._images import number, size_of
from interagree.readers._xml import parse_xml

ANONYMOUS = "anonymous"


def read_pages(gathered: Gatherer, annotator: str | None) -> None:
    """All files."""
    gathered.note("taken", f"annotators by {annotator or '<username>'}")
    seen: dict[str, str] = {}
    people: set[str] = set()
    for source in gathered.sources:
        root = parse_xml(source, root="annotation", tool="a file of LabelMe")
        folder, name = ((root.findtext(tag) or "").strip() for tag in ("folder", "filename"))
        item = f"{folder}/{name or source.stem}" if folder else name or source.stem
        if item in seen and annotator is None:
            raise FormatError(f"{source.name}: the image {item!r:.60} is in {seen[item]}, too; read one of them")
        seen[item] = source.name
        size = size_of({side.tag: side.text for side in root.iterfind("imagesize/*")}, "nrows", "ncols")
        gathered.sized(item, source.name, size)
        gathered.looked(item, None, where=source.name)
        owner = None if annotator is None else fill_pattern(annotator, pattern_words(source), option="annotator")
        drawn: dict[str, list[Shape | None]] = {} if owner is None else {owner: []}
        for place, thing in enumerate(root.iterfind("object"), start=1):
            where = f"{source.name}, object {place}"
            if (thing.findtext("deleted") or "").strip() == "1":
                gathered.left_out("deleted object")
                continue
            who = owner or (thing.findtext("polygon/username") or thing.findtext("segm/username") or "").strip()
            if not who:
                raise FormatError(f"{where}: expected who drew it in <username>, found nothing")
            drawn.setdefault(who, []).append(_shape(thing, source, size, where, gathered))
        for who, shapes in drawn.items():
            whole = [shape for shape in shapes if shape is not None]
            rest = "without points left out, with what its annotator marked in that image"
            gathered.left_out("object", rest, len(shapes) - len(whole))
            gathered.looked(item, who, None if len(whole) == len(shapes) else frozenset(), source.name)
            for shape in whole if len(whole) == len(shapes) else ():
                gathered.add(Mark("", item, who, shape, source.name))
        people.update(drawn)
    if ANONYMOUS in people:
        gathered.note("noticed", f"{ANONYMOUS!r} taken for one annotator, who may be several")


def _shape(
    thing: Element, source: Source, size: tuple[int, int] | None, where: str, gathered: Gatherer
) -> Shape | None:
    """The polygon, box or mask of an object; None where it has no points."""
    label = (thing.findtext("name") or "").strip()
    labels = (label,) if label else ()
    outline, drawn = thing.find("polygon"), thing.find("segm")
    if outline is not None:
        points = [(_place(point, "x", where), _place(point, "y", where)) for point in outline.iterfind("pt")]
        if len(points) < 3:
            return None
        is_box = (thing.findtext("type") or "").strip() == "bounding_box"
        return (box_around(points) if is_box else Shape(POLYGON, tuple(points)))._replace(labels=labels)
    if drawn is None:
        return None
    mask = None if size is None else _mask(drawn, source, size, where)
    box = drawn.find("box")
    if mask is None and box is not None:
        gathered.left_out("mask", "whose file is not there taken as the box around it")
        x0, y0, x1, y1 = (_place(box, side, where) for side in ("xmin", "ymin", "xmax", "ymax"))
        mask = box_around([(x0, y0), (x1, y1)])
    return None if mask is None else mask._replace(labels=labels)


def _place(point: Element, side: str, where: str) -> float:
    return number((point.findtext(side) or "").strip() or None, where)


def _mask(drawn: Element, source: Source, size: tuple[int, int], where: str) -> Shape | None:
    """The mask whose file lies beside, or in the folder Masks next to Annotations; None where it is not there."""
    name = (drawn.findtext("mask") or "").strip()
    if source.path is None or not name or Path(name).name != name:
        return None
    folder = source.path.parent
    places = (folder, folder.parent / "Masks", folder.parent.parent / "Masks" / folder.name)
    file = next((place / name for place in places if (place / name).is_file()), None)
    if file is None:
        return None
    from interagree.gather.png import pixels_inside
    from interagree.gather.raster import mask_of_pixels

    return Shape(MASK, mask_of_pixels(pixels_inside(Source.of(file).read(), f"{where}, {file.name}"), size))
