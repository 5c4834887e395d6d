"""What each annotator marked in each image or frame, gathered from files of CVAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from interagree.data.provenance import counted
from interagree.errors import Advice, ReaderHint
from interagree.gather.shapes import FIGURE, Shape
from interagree.readers._images import KEYPOINTS, ImageStudy, Sheet
from interagree.readers.cvat.content import Content, Image
from interagree.readers.cvat.shapes import NOT_READ, SHAPES, ShapeReader, label_of
from interagree.readers.cvat.tracks import shapes_in

TAGS = "tags"


class Sheets:
    """Sheets in the making."""

    def __init__(self, gathered: ImageStudy, contents: Sequence[Content], automatic: str) -> None:
        self.gathered, self.automatic = gathered, automatic
        self.shapes = ShapeReader(_joints(contents))
        self.counts: Counter[str] = Counter()

    def read(self, content: Content, people: Sequence[str]) -> None:
        """A file, with who annotated each of its images and frames."""
        made = [self._sheet(image, name) for image, name in zip(content.every(), people, strict=True)]
        for image, sheet in zip(content.images, made, strict=False):
            for element in image.element if image.element is not None else ():
                if element.tag == "tag":
                    self._tag(element, sheet)
                else:
                    self._shape(element, label_of(element, sheet.where) if element.tag in SHAPES else "", sheet)
        sheets = dict(zip(content.frames, made[len(content.images) :], strict=True))
        for track in content.root.iterfind("track"):
            where = f"{content.source.name}, track {track.get('id', '?')}"
            label = label_of(track, where)
            for frame, shape, between in shapes_in(track, [*content.frames], where):
                if shape is None:
                    self.counts["left between"] += 1
                elif frame in sheets:
                    self.counts["between"] += between
                    self._shape(shape, label, sheets[frame], made_by=track.get("source"))

    def _sheet(self, image: Image, annotator: str) -> Sheet:
        sheet = self.gathered.sheet(image.item, annotator, image.where)
        sheet.size = image.size
        return sheet

    def _shape(self, element: Element, label: str, sheet: Sheet, made_by: str | None = None) -> None:
        if element.tag in NOT_READ:
            self.shapes.not_read[NOT_READ[element.tag]] += 1
        if element.tag not in SHAPES or self._dropped(made_by or element.get("source")):
            return
        self.counts["attributes"] += element.find("attribute") is not None
        shape = self.shapes.shape(element, label, sheet.size, sheet.where)
        if shape is not None:
            sheet.mark(shape)

    def _tag(self, element: Element, sheet: Sheet) -> None:
        if self._dropped(element.get("source")):
            return
        label = label_of(element, sheet.where)
        sheet.choose(TAGS, label)
        for attribute in element.iterfind("attribute"):
            if attribute.text:
                sheet.choose(f"{label}: {attribute.get('name', '')}", attribute.text)

    def _dropped(self, source: str | None) -> bool:
        if source != "auto":
            return False
        self.counts["automatic"] += 1
        return self.automatic == "drop"

    def say_what_was_left(self) -> None:
        """Note what was not read, and what was made up."""
        answers, counts = self.gathered.answers, self.counts
        self._one_length()
        for noun, times in self.shapes.not_read.items():
            answers.left_out(noun, "not read", times)
        if times := counts["between"]:
            boxes = f"{times:,} {'box' if times == 1 else 'boxes'}"
            answers.note("taken", f"{boxes} between the frames that tracks list put where CVAT shows them", times)
        answers.left_out("shape", "of frames that their tracks do not list left out", counts["left between"])
        if times := counts["attributes"]:
            answers.note("noticed", f"attributes of {counted(times, 'shape')} not read", times)
        if times := counts["automatic"]:
            shapes = f"{counted(times, 'annotation')} made by a model (source='auto') "
            if self.automatic == "drop":
                answers.note("dropped", f"{shapes}left out", times)
            else:
                kept = Advice.of(shapes, "kept (", ReaderHint("automatic", "drop"), " leaves them out)")
                answers.note("noticed", kept, times)

    def _one_length(self) -> None:
        """Points of a label as figures where all have the same number of them, else one by one."""
        figures: dict[tuple[str, ...], set[int]] = {}
        for shape in self._figures():
            figures.setdefault(shape.labels, set()).add(len(shape.place))
        uneven = {labels for labels, sizes in figures.items() if len(sizes) > 1}
        for sheet in self.gathered.sheets if uneven else ():
            shapes = sheet.marks.pop(KEYPOINTS, [])
            for shape in shapes:
                for place in [(point,) for point in shape.place] if shape.labels in uneven else [shape.place]:
                    sheet.mark(shape._replace(place=place))
        for labels in uneven:
            self.gathered.answers.note("taken", f"points of {''.join(labels)!r} one by one, since their number differs")

    def _figures(self) -> Iterator[Shape]:
        for sheet in self.gathered.sheets:
            yield from (shape for shape in sheet.marks.get(KEYPOINTS, ()) if shape.form == FIGURE)


def _joints(contents: Sequence[Content]) -> dict[str, list[str]]:
    """The joints of each skeleton, by its label, in order of their names."""
    joints: dict[str, dict[str, None]] = {}
    for content in contents:
        for holder in content.root.iter():
            for skeleton in holder.iterfind("skeleton"):
                label = skeleton.get("label") or holder.get("label") or ""
                names = [point.get("label", "") for point in skeleton.iterfind("points")]
                joints.setdefault(label, {}).update(dict.fromkeys(names))
    return {label: sorted(names, key=_by_number) for label, names in joints.items()}


def _by_number(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdecimal() and len(name) < 9 else 0, name)
