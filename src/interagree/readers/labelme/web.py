"""The XML files of LabelMe's web tool: objects of an image, each with who drew it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step
from interagree.errors import FormatError
from interagree.gather.shapes import MASK, POLYGON, Shape, box_about_centre
from interagree.readers._images import SAW_MARKED, ImageStudy, Sheet, corners, number, size_of
from interagree.readers._xml import parse_xml

ANONYMOUS = "anonymous"


def read_pages(sources: Sequence[Source], gathered: ImageStudy, annotator: str | None, *, everybody: bool) -> None:
    """All files."""
    images: dict[str, tuple[str, tuple[int, int] | None]] = {}
    for source in sources:
        root = parse_xml(source, root="annotation", tool="a file of LabelMe")
        folder, name = ((root.findtext(tag) or "").strip() for tag in ("folder", "filename"))
        name = name or source.stem
        item = f"{folder}/{name}" if folder else name
        if item in images and annotator is None:
            raise FormatError(f"{source.name}: the image {item!r:.60} is in {images[item][0]}, too; read one of them")
        size = root.find("imagesize")
        sides = None if size is None else size_of({side.tag: side.text for side in size}, "nrows", "ncols")
        images[item] = (source.name, sides)
        _read(source, root, item, sides, gathered, annotator)
    names = [*dict.fromkeys(str(sheet.annotator) for sheet in gathered.sheets)]
    known = {(sheet.item, sheet.annotator) for sheet in gathered.sheets}
    for item, (file, sides) in images.items() if everybody else ():
        for name in names:
            if (item, name) not in known:
                gathered.sheet(item, name, file).size = sides
    answers = gathered.answers
    answers.steps.append(Step("taken", f"annotators by {annotator or '<username>'}"))
    answers.note("assumed", "everybody looked at all images" if everybody else SAW_MARKED)
    if ANONYMOUS in names:
        answers.note("noticed", f"{ANONYMOUS!r} taken for one annotator, who may be several")


def _read(  # noqa: PLR0917 -- a file, what it is of, and where it goes
    source: Source, root: Element, item: str, size: tuple[int, int] | None, gathered: ImageStudy, annotator: str | None
) -> None:
    sheets: dict[str, Sheet] = {}
    pattern = None if annotator is None else fill_pattern(annotator, pattern_words(source), option="annotator")
    if pattern is not None:
        sheets[pattern] = _sheet(gathered, item, pattern, source, size)
    for place, thing in enumerate(root.iterfind("object"), start=1):
        where = f"{source.name}, object {place}"
        if (thing.findtext("deleted") or "").strip() == "1":
            gathered.answers.left_out("deleted object")
            continue
        drawn = next((part for tag in ("polygon", "segm") if (part := thing.find(tag)) is not None), None)
        who = pattern or ("" if drawn is None else (drawn.findtext("username") or "").strip())
        if not who:
            raise FormatError(f"{where}: expected who drew it in <username>, found nothing")
        if who not in sheets:
            sheets[who] = _sheet(gathered, item, who, source, size)
        shape = None
        if drawn is not None and drawn.tag == "segm":
            shape = _mask(drawn, source, sheets[who], where) or _around(drawn, gathered, where)
        if drawn is not None and drawn.tag == "polygon":
            shape = _outline(drawn, where, box=(thing.findtext("type") or "").strip() == "bounding_box")
        if shape is None:
            sheets[who].asked = frozenset()
            rest = "without points left out, with what its annotator marked in that image"
            gathered.answers.left_out("object", rest)
            continue
        label = (thing.findtext("name") or "").strip()
        sheets[who].mark(shape._replace(labels=(label,) if label else ()))


def _sheet(gathered: ImageStudy, item: str, who: str, source: Source, size: tuple[int, int] | None) -> Sheet:
    sheet = gathered.sheet(item, who, source.name)
    sheet.size = size
    return sheet


def _outline(drawn: Element, where: str, *, box: bool) -> Shape | None:
    points = [(_place(point, "x", where), _place(point, "y", where)) for point in drawn.iterfind("pt")]
    if len(points) < 3:
        return None
    if box:
        xs, ys = zip(*points, strict=True)
        return box_about_centre(min(xs), min(ys), max(xs), max(ys), 0)
    return Shape(POLYGON, tuple(points))


def _place(point: Element, side: str, where: str) -> float:
    return number((point.findtext(side) or "").strip() or None, where)


def _around(drawn: Element, gathered: ImageStudy, where: str) -> Shape | None:
    """The box around a mask whose file is not there."""
    box = drawn.find("box")
    if box is None:
        return None
    gathered.answers.left_out("mask", "whose file is not there taken as the box around it")
    x0, y0, x1, y1 = (_place(box, side, where) for side in ("xmin", "ymin", "xmax", "ymax"))
    return box_about_centre(*corners(x0, y0, x1, y1), 0)


def _mask(drawn: Element, source: Source, sheet: Sheet, where: str) -> Shape | None:
    """The mask whose file lies beside, or in the folder Masks next to Annotations; None where it is not there."""
    name = (drawn.findtext("mask") or "").strip()
    if source.path is None or sheet.size is None or not name or Path(name).name != name:
        return None
    folder = source.path.parent
    places = (folder, folder.parent / "Masks", folder.parent.parent / "Masks" / folder.name)
    file = next((place / name for place in places if (place / name).is_file()), None)
    if file is None:
        return None
    from interagree.gather.raster import mask_of_pixels
    from interagree.readers._png import pixels_inside

    inside = pixels_inside(Source.of(file).read(), f"{where}, {file.name}")
    return Shape(MASK, mask_of_pixels(inside, sheet.size))
