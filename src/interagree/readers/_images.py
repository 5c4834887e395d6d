"""What somebody marked in an image, and the questions that all who looked were asked; shared by readers of images.

A reader makes a `Sheet` for each image and annotator, which says that they looked, and puts regions on it:

    gathered = ImageStudy("COCO", sources, duplicates)
    sheet = gathered.sheet("a.jpg", "ann", "ann.json, /images/0")
    sheet.mark(Shape("box", (0, 0, 4, 4), ("car",)))
    study = gathered.study()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field
from math import fsum, isfinite

from interagree.data.files import Source
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.data.types import Annotator, Item
from interagree.data.values import is_finite, spelled_integer
from interagree.errors import Advice, FormatError, Hint
from interagree.gather.gatherer import CHOICES, SHAPES, Gatherer
from interagree.gather.marks import Mark, Time
from interagree.gather.shapes import BOX, FIGURE, MASK, POINT, POLYGON, TURNED, Shape

BOXES, POLYGONS, MASKS, KEYPOINTS = "boxes", "polygons", "masks", "keypoints"
QUESTIONS = {BOX: BOXES, TURNED: BOXES, POLYGON: POLYGONS, MASK: MASKS, POINT: KEYPOINTS, FIGURE: KEYPOINTS}
FARTHEST = 1e9  # pixels
PLAIN = frozenset({int, float})
SAW_MARKED = Advice.of(
    "who marked nothing in an image did not look at it (", Hint("looked", "all"), " assumes they did)"
)
SAW_LISTED = Advice.of(
    "every image that a file lists was looked at (", Hint("looked", "marked"), " takes those with annotations)"
)


@dataclass(slots=True, eq=False)
class Sheet:
    """What somebody marked in an image, or answered about it.

    Attributes:
        size: Height and width of the image in pixels, where they are known.
        asked: The questions that were put to them; None for all.
    """

    item: Item
    annotator: Annotator
    where: str
    size: tuple[int, int] | None = None
    asked: AbstractSet[str] | None = None
    time: Time = None
    marks: dict[str, list[Shape]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)

    def mark(self, shape: Shape, question: str | None = None) -> None:
        """A region, under the usual name of the question for its form or another."""
        self.marks.setdefault(question or QUESTIONS[shape.form], []).append(shape)

    def choose(self, question: str, label: str) -> None:
        """A label of the image as a whole."""
        self.choices.setdefault(question, []).append(label)


class ImageStudy:
    """A study of images in the making."""

    def __init__(self, tool: str, sources: Sequence[Source], duplicates: str) -> None:
        self.answers = Gatherer(tool, sources, duplicates=duplicates, positions=None)
        self.sheets: list[Sheet] = []

    def sheet(self, item: Item, annotator: Annotator, where: str) -> Sheet:
        """A new sheet: somebody looked at an image."""
        self.sheets.append(Sheet(item, annotator, where))
        return self.sheets[-1]

    def look(self, looked: str) -> None:
        """Keep all sheets ("listed") or only those with something on them ("marked"), and say so."""
        if looked == "marked":
            kept = [sheet for sheet in self.sheets if sheet.marks or sheet.choices or sheet.texts]
            taken = Hint("looked", "listed")
            sentence = Advice.of("who marked nothing in an image did not look at it (", taken, " takes all images)")
            self.answers.note("assumed", sentence)
            self.sheets = kept
        else:
            self.answers.note("assumed", SAW_LISTED)

    def study(self, questions: str | Sequence[str] | None = None) -> Study:
        """All questions, each with a row for everybody who looked and was asked."""
        self._one_form()
        for question in dict.fromkeys(name for sheet in self.sheets for name in sheet.marks):
            for sheet in self._asked(question):
                shapes = sheet.marks.get(question, [])
                self.answers.add(Mark(question, sheet.item, sheet.annotator, shapes, sheet.where, sheet.time), SHAPES)
        for question in dict.fromkeys(name for sheet in self.sheets for name in sheet.choices):
            for sheet in self._asked(question):
                labels = tuple(dict.fromkeys(sheet.choices.get(question, ())))
                self.answers.add(Mark(question, sheet.item, sheet.annotator, labels, sheet.where, sheet.time), CHOICES)
        for question in dict.fromkeys(name for sheet in self.sheets for name in sheet.texts):
            for sheet in self.sheets:
                if question in sheet.texts:
                    text = "\n".join(sheet.texts[question])
                    self.answers.add(Mark(question, sheet.item, sheet.annotator, text, sheet.where), "text")
        empty = sum(not (sheet.marks or sheet.choices or sheet.texts) for sheet in self.sheets)
        if empty:
            self.answers.note("noticed", f"{counted(empty, 'time')} somebody looked and marked nothing", empty)
        return self.answers.study(questions)

    def _asked(self, question: str) -> list[Sheet]:
        return [sheet for sheet in self.sheets if sheet.asked is None or question in sheet.asked]

    def _one_form(self) -> None:
        """Polygons drawn as masks where others drew masks, so that one can be compared with the other."""
        drawn = [sheet for sheet in self.sheets if sheet.marks.get(POLYGONS)]
        if not drawn or not any(sheet.marks.get(MASKS) for sheet in self.sheets):
            return
        if any(sheet.size is None for sheet in drawn):
            self.answers.note(
                "noticed",
                "polygons and masks are not compared with each other, since the sizes of some images are not known",
            )
            return
        from interagree.gather.raster import mask_of_polygon

        count = sum(len(sheet.marks[POLYGONS]) for sheet in drawn)
        for sheet in drawn:
            for shape in sheet.marks.pop(POLYGONS):
                if sheet.size is not None:
                    sheet.mark(shape._replace(form=MASK, place=mask_of_polygon(shape.place, sheet.size)))
        for sheet in self.sheets:
            if sheet.asked is not None and POLYGONS in sheet.asked:
                sheet.asked = (sheet.asked - {POLYGONS}) | {MASKS}
        self.answers.note(
            "taken", f"{counted(count, 'polygon')} drawn as masks, to be compared with the masks of others", count
        )


def number(given: object, where: str, what: str = "a region") -> float:
    """A coordinate, or an error that names the place in the file."""
    if isinstance(given, str):
        with suppress(ValueError):
            given = float(given)
    if isinstance(given, bool) or not isinstance(given, int | float) or not is_finite(given) or abs(given) > FARTHEST:
        raise FormatError(f"{where}: expected a number for the place of {what}, found {given!r:.60}")
    return given


def numbers(given: Sequence[object], where: str) -> list[float]:
    """Coordinates, or an error that names the place in the file."""
    if PLAIN.issuperset(map(type, given)):  # as nearly all are: looked at together
        places: list[float] = list(given)  # type: ignore[arg-type]  # as was just seen
        if places and max(map(abs, places)) <= FARTHEST and isfinite(fsum(places)):
            return places
    return [number(part, where) for part in given]


def corners(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    """A box by two opposite corners, in whatever order they were clicked."""
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


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
