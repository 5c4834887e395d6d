"""What each annotator marked in each image, gathered from files of COCO, and who looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from interagree.data.provenance import counted
from interagree.errors import Advice, FormatError, ReaderHint, UnknownName, listing
from interagree.readers._images import KEYPOINTS, MASKS, POLYGONS, SAW_LISTED, SAW_MARKED, ImageStudy, Sheet, size_of
from interagree.readers._images import QUESTIONS as FORMS
from interagree.readers.coco.files import CocoEntry, Content, Image
from interagree.readers.coco.people import People, raters
from interagree.readers.coco.regions import shapes_of

CAPTIONS, CATEGORIES = "captions", "categories"
LOOKED = ("listed", "marked", "all")
NO_ATTRIBUTES = frozenset({"rotation", "occluded"})  # of regions, which are read or which everything has


class Sheets:
    """Sheets in the making."""

    def __init__(self, gathered: ImageStudy, people: People, crowd: str, looked: str | Sequence[str]) -> None:
        self.gathered, self.people, self.crowd, self.looked = gathered, people, crowd, looked
        self.sheets: dict[tuple[str, str, str], Sheet] = {}  # by file or place in it, image, and annotator
        self.counts: Counter[str] = Counter()

    def read(self, contents: Sequence[Content]) -> None:
        """All files."""
        for content in contents:
            self._read(content)
        everybody = self._everybody()
        self._add(contents, everybody)
        stated = any(raters(image) is not None for content in contents for image in content.images)
        self._say_who_looked(everybody, stated=stated)
        self._say_what_was_left()

    def _read(self, content: Content) -> None:
        own = self.people.entry is None
        if own or self.people.of_images:
            self._refuse_repeated(content)
        first = len(self.gathered.sheets)
        if self.looked != "marked":
            for image in content.images:
                for name in self._lookers(image, content):
                    self._sheet(image, name, content)
        asked: set[str] = {KEYPOINTS} if content.joints else set()
        for mark in content.marks:
            if mark.record.get("iscrowd") in (1, True):
                self.counts["crowds"] += 1
                if self.crowd == "drop":
                    continue
            asked |= self._put(mark, self._sheet(mark.image, self.people.of_mark(mark, content), content), content)
        if own and content.marks:
            for sheet in self.gathered.sheets[first:]:
                sheet.asked = asked

    def _lookers(self, image: Image, content: Content) -> Iterator[str]:
        """Who looked at an image, as the file says by listing it."""
        if self.people.entry is None:
            yield self.people.files[content.source.name]
        elif self.people.of_images:
            yield self.people.of_image(image)
        else:
            yield from raters(image) or ()

    def _put(self, mark: CocoEntry, sheet: Sheet, content: Content) -> set[str]:
        """Put an annotation onto a sheet; the questions that it answers."""
        record = mark.record
        other = record.get("attributes")
        if isinstance(other, dict) and other.keys() - NO_ATTRIBUTES - {str(self.people.entry).rpartition(".")[2]}:
            self.counts["attributes"] += 1
        if isinstance(caption := record.get("caption"), str):
            sheet.texts.setdefault(CAPTIONS, []).append(caption)
            return {CAPTIONS}
        shapes = list(shapes_of(mark, content.joints))
        for shape in shapes:
            sheet.mark(shape)
        if not shapes and record.get("keypoints"):
            self.counts["bare"] += 1
        elif not shapes and mark.label is not None:
            sheet.choose(CATEGORIES, mark.label)
            return {CATEGORIES}
        forms = {FORMS[shape.form] for shape in shapes}
        return forms | {POLYGONS, MASKS} if forms & {POLYGONS, MASKS} else forms

    def _sheet(self, image: Image, annotator: str, content: Content) -> Sheet:
        place = image.where if self.people.of_images else content.source.name
        key = (place, image.item, annotator)
        if key not in self.sheets:
            self.sheets[key] = self._new(image, annotator)
        return self.sheets[key]

    def _new(self, image: Image, annotator: str) -> Sheet:
        sheet = self.gathered.sheet(image.item, annotator, image.where)
        sheet.size = size_of(image.record, "height", "width")
        return sheet

    def _everybody(self) -> list[str]:
        """Those who looked at all images, as the caller says."""
        known = [*dict.fromkeys(str(sheet.annotator) for sheet in self.gathered.sheets)]
        if isinstance(self.looked, str) and self.looked in LOOKED:
            return known if self.looked == "all" else []
        named = [self.looked] if isinstance(self.looked, str) else [str(name) for name in self.looked]
        for name in named:
            if name not in known:
                raise UnknownName(
                    f"looked takes {listing(LOOKED)}, or names of annotators, and {name!r} is not one; they are "
                    f"{listing(known)}"
                )
        return named

    def _add(self, contents: Sequence[Content], everybody: Sequence[str]) -> None:
        """Sheets of those who looked at every image."""
        images = {image.item: image for content in contents for image in content.images} if everybody else {}
        known = {(sheet.item, sheet.annotator) for sheet in self.gathered.sheets}
        for item, image in images.items():
            for name in everybody:
                if (item, name) not in known:
                    self._new(image, name)

    def _say_who_looked(self, everybody: Sequence[str], *, stated: bool) -> None:
        if everybody:
            sentence = Advice(f"all images were looked at by {listing(everybody)}")
        elif self.looked == "marked" or (self.people.entry is not None and not self.people.of_images and not stated):
            sentence = SAW_MARKED
        elif stated and self.people.entry is not None and not self.people.of_images:
            sentence = Advice("images were looked at by those whom the file lists for them")
        else:
            sentence = SAW_LISTED
        self.gathered.answers.note("assumed", sentence)

    def _say_what_was_left(self) -> None:
        note, counts = self.gathered.answers.note, self.counts
        if crowds := counts["crowds"]:
            regions = f"{counted(crowds, 'region')} marked iscrowd "
            if self.crowd == "drop":
                note("dropped", f"{regions}left out", crowds)
            else:
                note("noticed", Advice.of(regions, "kept (", ReaderHint("crowd", "drop"), " leaves them out)"), crowds)
        if bare := counts["bare"]:
            note("noticed", f"{counted(bare, 'annotation')} without a labelled keypoint or another region", bare)
        if attributes := counts["attributes"]:
            note("noticed", f"attributes of {counted(attributes, 'annotation')} not read", attributes)

    def _refuse_repeated(self, content: Content) -> None:
        """An error for an image that a file of one annotator lists twice."""
        whose = self.people.of_image if self.people.of_images else lambda _: ""
        names = Counter((image.item, whose(image)) for image in content.images)
        for (name, _), times in names.items():
            if times > 1:
                raise FormatError(
                    f"{content.source.name}: it lists the image {name!r:.60} {times} times, under several ids, and "
                    "nothing tells these apart; they may be of several annotators whose names were dropped. Put an "
                    "entry 'annotator' into each annotation, or export from the tool in a form that has one"
                )
