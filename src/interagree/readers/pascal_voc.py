"""Pascal VOC: boxes in images, an XML file for each image and annotator.

    round1/ann/a.xml    round1/bo/a.xml

The question ``boxes`` has the boxes with their names.  Polygons as Roboflow writes them are the question ``polygons``,
and turned boxes as roLabelImg writes them make all of them boxes at an angle.  Parts of objects are counted and not
read.

**Pixels** are counted from 1 in VOC, and the last one belongs to a box: the box from 1 to 3 is three pixels wide, from
0 to 3.  Many tools write corners under these names; ``pixels="edges"`` takes them as they are.

**Who annotated**: ``<source><annotator>`` where all files have one; else the folders, of which one tells annotators
apart.  ``annotator="{folder}"``, or a name, says otherwise.  A file without objects says that they looked and marked
nothing; without a file they did not look.

Objects marked ``<difficult>`` are kept; ``difficult="drop"`` leaves them out.

Label Studio's VOC export has one file for each image, so that of several annotators only the last remains; it is
refused, and its JSON export is to be taken instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import count, takewhile
from pathlib import Path
from typing import Literal, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import POLYGON, Shape, box_about_centre
from interagree.gather.whose import files_below
from interagree.readers._images import LABEL_STUDIO, last_annotator_only, numbers, numbers_in, pairs, size_in
from interagree.readers._options import ImageReaderOptions
from interagree.readers._peek import beginning, xml_root
from interagree.readers._xml import parse_xml, text_in

SUFFIXES = (".xml",)
BOX = (b"<bndbox>", b"<robndbox>")
EMPTY = re.compile(rb"<size>\s*<width>")
ENDS = ("Annotations", "annotations")
WANTED = "a folder of .xml files for each annotator"


def recognised(path: Path) -> bool:
    """Whether a file can only be one of Pascal VOC."""
    if xml_root(path) != "annotation":
        return False
    head = beginning(path)
    return b"<filename>" in head and (any(mark in head for mark in BOX) or EMPTY.search(head) is not None)


@reader("Pascal VOC", suffixes=SUFFIXES, sniff=recognised, together=True)
def pascal_voc(
    path: Paths,
    *,
    pixels: Literal["inclusive", "edges"] = "inclusive",
    difficult: Literal["keep", "drop"] = "keep",
    **options: Unpack[ImageReaderOptions],
) -> Study:
    """The files of folders, one for each annotator, or files in a list.

    Args:
        path: A folder with a folder for each annotator, or a list of folders or files.
        pixels: Whether boxes reach from their first to their last pixel, "inclusive", counted from 1, or are corners
            as they stand: "edges".
        difficult: "keep" or "drop" objects marked difficult.
    """
    lacking = f"a file that ends in .xml; expected {WANTED}"
    sources = files_below(path, lambda file: file.suffix.lower() in SUFFIXES, lacking=lacking)
    gathered = Gatherer("Pascal VOC", sources, duplicates="error", positions=None)
    annotator, edge = options["annotator"], 0 if pixels == "edges" else 1
    roots = {source.name: _root(source, annotator) for source in sources}
    names = [text_in(root, "source/annotator") for root in roots.values()]
    for source, item, who in gathered.images_of(annotator, wanted=WANTED, ends=ENDS, names=names):
        root = roots[source.name]
        gathered.sized(item, source.name, size_in(root, "size"))
        for place, thing in enumerate(root.iterfind("object"), start=1):
            gathered.left_out("object part", "not read", len(thing.findall("part")))
            is_hard = text_in(thing, "difficult") == "1"
            if is_hard and gathered.drops("object", "marked difficult", difficult=difficult):
                continue
            label = text_in(thing, "name")
            for shape in _shapes(thing, f"{source.name}, object {place}", edge):
                gathered.add(Mark("", item, who, shape.called(label), source.name))
    if edge:
        corners = ReaderHint("pixels", "edges")
        sentence = Advice.of("boxes reach from their first to their last pixel (", corners, " takes them as corners)")
        gathered.note("assumed", sentence)
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _root(source: Source, annotator: str | None) -> Element:
    root = parse_xml(source, root="annotation", tool="a file of Pascal VOC")
    if annotator is None and text_in(root, "owner/name") == LABEL_STUDIO:
        raise last_annotator_only(source.name, "Pascal VOC")
    return root


def _shapes(thing: Element, where: str, edge: int) -> Iterator[Shape]:
    turned, box, polygon = thing.find("robndbox"), thing.find("bndbox"), thing.find("polygon")
    if turned is not None:
        x, y, wide, high, angle = numbers_in(turned, ("cx", "cy", "w", "h", "angle"), where)
        yield box_about_centre(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2, math.degrees(angle))
    elif box is not None:
        x0, y0, x1, y1 = numbers_in(box, ("xmin", "ymin", "xmax", "ymax"), where)
        if x1 < x0 or y1 < y0:
            raise FormatError(f"{where}: the box from ({x0:g}, {y0:g}) to ({x1:g}, {y1:g}) ends before it begins")
        yield box_about_centre(x0 - edge, y0 - edge, x1, y1)
    elif polygon is None:
        raise FormatError(f"{where}: expected a <bndbox>, found {[part.tag for part in thing]}")
    if polygon is not None and polygon.find("x3") is not None:
        places = {part.tag: (part.text or "").strip() or None for part in polygon}
        numbered = takewhile(lambda at: f"x{at}" in places, count(1))
        yield Shape(POLYGON, pairs(numbers([places.get(f"{axis}{at}") for at in numbered for axis in "xy"], where)))
