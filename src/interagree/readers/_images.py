"""Places in images and sizes of images, as files write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import fsum, isfinite
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element

from interagree.data.values import is_finite, spelled_integer
from interagree.errors import FormatError, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.shapes import POLYGON, Shape, box_about_centre
from interagree.gather.whose import BY_FOLDER

FARTHEST = 1e9  # pixels
PLAIN = frozenset({int, float})
LABEL_STUDIO = "Label Studio"
Places: TypeAlias = tuple[tuple[float, float], ...]


def number(given: object, where: str, what: str = "a region") -> float:
    """A coordinate, or an error that names the place in the file."""
    if isinstance(given, str):
        with suppress(ValueError):
            given = float(given)
    if isinstance(given, bool) or not isinstance(given, int | float) or not is_finite(given) or abs(given) > FARTHEST:
        raise expected(where, f"a number for the place of {what}", given)
    return given


def numbers(given: Any, where: str, wanted: str = "numbers", *, of: int = 0, each: int = 1) -> list[float]:
    """Coordinates, or an error that names the place in the file.

    Args:
        given: What the file has.
        where: The place.
        wanted: What should be there, for the error: "[x, y, width, height] in 'bbox'".
        of: How many there are; 0 for any number.
        each: How many belong together.
    """
    if not isinstance(given, list | tuple) or len(given) % each or (of and len(given) != of):
        raise expected(where, wanted, given)
    if PLAIN.issuperset(map(type, given)):  # as nearly all are: looked at together
        places = [*given]
        if places and max(map(abs, places)) <= FARTHEST and isfinite(fsum(places)):
            return places
    return [number(part, where) for part in given]


def pairs(places: Sequence[float]) -> Places:
    """Points, of coordinates that follow each other as x, y, x, y."""
    return tuple(zip(places[::2], places[1::2], strict=True))


def box_of_size(x: float, y: float, width: float, height: float, where: str, degrees: float = 0.0) -> Shape:  # noqa: PLR0917 -- as every format has them
    """The box from an upper left corner, turned about its centre; an error where its size is below 0."""
    if width < 0 or height < 0:
        raise FormatError(f"{where}: the box at ({x:g}, {y:g}) has a width or height below 0: {width:g} × {height:g}")
    return box_about_centre(x, y, x + width, y + height, degrees)


def numbers_in(element: Element, names: Iterable[str], where: str) -> list[float]:
    """Coordinates that stand in elements of an element."""
    return [number((element.findtext(name) or "").strip() or None, where) for name in names]


def size_of(record: Mapping[str, object], high: str, wide: str) -> tuple[int, int] | None:
    """Height and width of an image; None where the record does not state them as whole numbers above 0."""
    sides: list[int] = []
    for name in (high, wide):
        side = record.get(name)
        if isinstance(side, str):
            side = spelled_integer(side.strip())
        if isinstance(side, bool) or not isinstance(side, int | float) or not 0 < side <= 1 << 20 or side != side // 1:
            return None
        sides.append(int(side))
    return sides[0], sides[1]


def size_in(root: Element, path: str, high: str = "height", wide: str = "width") -> tuple[int, int] | None:
    """Height and width of an image, where an element that lies at the path states them."""
    return size_of({side.tag: side.text for side in root.iterfind(f"{path}/*")}, high, wide)


def polygon(points: Places, gathered: Gatherer) -> Shape | None:
    """A polygon; None for one of fewer than three points, which is counted."""
    if len(points) < 3:
        gathered.left_out("polygon", "of fewer than three points not read")
        return None
    return Shape(POLYGON, points)


def last_annotator_only(name: str, form: str) -> FormatError:
    """The error for an export of Label Studio with a file for each image."""
    return FormatError(
        f"{name}: Label Studio's {form} export has one file for each image, and of several annotators only the last "
        f"remains; export the project as JSON and read that file, or pass {BY_FOLDER} if each folder is the export of "
        "one person's project",
        hints=[BY_FOLDER],
    )
