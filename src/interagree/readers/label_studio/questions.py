"""The questions of a project, made of what its annotations hold, and in which project each of them was asked.

A file does not hold the labelling interface of its project.  An annotation without a box says that somebody saw no box
only if boxes could be drawn there at all: in a project in which somebody drew one, or in one of the same interface, as
where every annotator has a project.  Projects have the same interface where they use a control of the same name and
type in common.  One in which nobody marked or answered anything is taken to have that of the projects whose tasks it
shows, or whose number it has with data of the same names.

**Videos.** A rectangle is a row of frames with a place each.  From one to the next it moves, grows and turns evenly;
from one that is not ``enabled`` on it is not there, up to the next; from the last one it stays where it is, until the
video ends.  This is how Label Studio shows it, and how its own exporter fills in frames.

Every frame of a video is an item, called by the task and its number, from 1 on.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from interagree.data.images import AN_ADDRESS, IMAGE_FILE
from interagree.data.provenance import counted
from interagree.errors import FormatError
from interagree.gather.gatherer import CHOICES, RELATIONS, SHAPES, SPANS, Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.offsets import OffsetFit, fit
from interagree.gather.shapes import BOX, Shape, box_about_corner
from interagree.readers.label_studio.results import (
    KINDS,
    LIST,
    SPAN,
    UNPLACED,
    VIDEO,
    LabelStudioProject,
    Region,
    TaskAnnotation,
    regions_of,
)

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/)?/?\S*/\S*|data:\S*")  # of a file: no white space, and a slash
Entry: TypeAlias = tuple[str, bool]  # of what tasks show, and whether its lines are broken as in a browser
MOST = 2_000_000  # frames
About: TypeAlias = dict[str, str | float | None]


def add_questions(gathered: Gatherer, annotations: Sequence[TaskAnnotation], multiple: set[str]) -> None:
    """Put all that annotations answer into the questions of a study."""
    differing = {region.question for one in annotations for region in one.regions if region.differs}
    for one in annotations:
        lost = [region for region in one.regions if region.found and region.question in differing]
        one.regions = [region for region in one.regions if region not in lost] if lost else one.regions
        for noun, rest in (*one.not_read, *([UNPLACED] * len(lost))):
            gathered.left_out(noun, f"{rest} not read".lstrip())
    if not any(one.regions or one.answers or one.relations for one in annotations):
        gathered.left_out("annotation", "with nothing in it", sum(not one.results for one in annotations))
    questions = _Questions(gathered, annotations)
    questions.add_regions()
    questions.add_answers(multiple)
    questions.add_relations()


def interfaces(annotations: Sequence[TaskAnnotation]) -> dict[LabelStudioProject, Hashable]:
    """By project one of those that have the same interface."""
    above: dict[Hashable, Hashable] = {}

    def root(node: Hashable) -> Hashable:
        while (other := above.setdefault(node, node)) != node:
            node = other
        return node

    def join(project: LabelStudioProject, other: Hashable) -> None:
        above[root(project)] = root(other)

    projects = {one.project: None for one in annotations}
    for project in projects:
        for control in project.controls:
            join(project, control)
    if not all(project.controls for project in projects):
        known = [one for one in annotations if one.project.controls]
        shown = {one.item: one.project for one in known}
        like = {(one.project.number, frozenset(one.data)): one.project for one in known}
        for one in annotations:
            if not one.project.controls:
                for other in (shown.get(one.item), like.get((one.project.number, frozenset(one.data)))):
                    join(one.project, other or one.project)
    return {project: root(project) for project in projects}


class _Questions:
    """The questions in the making."""

    def __init__(self, gathered: Gatherer, annotations: Sequence[TaskAnnotation]) -> None:
        self.gathered, self.annotations = gathered, annotations
        self.interfaces = interfaces(annotations)
        self.texts = TaskTexts(gathered, annotations)

    def _asked_of(self, question: str, used: Callable[[TaskAnnotation], bool]) -> list[TaskAnnotation]:
        """The annotations of the projects in which a question was asked, those in which somebody answered it."""
        asked = {self.interfaces[one.project] for one in self.annotations if used(one)}
        rows = [one for one in self.annotations if self.interfaces[one.project] in asked]
        if others := len(self.annotations) - len(rows):
            where = "in projects where nobody answered it"
            sentence = f"{question!r} was not asked of {counted(others, 'annotation')} {where}"
            self.gathered.note("noticed", sentence, others, question=question)
        return rows

    def add_regions(self) -> None:
        """Spans, and the shapes of images; of a video its frames are the items."""
        answered = {name for one in self.annotations for name in one.answers}
        forms: dict[str, dict[str, str]] = {}  # of each question, with the name of what it is about
        for one in self.annotations:
            for region in one.regions:
                forms.setdefault(region.question, {}).setdefault(region.form, region.shown)
        for question, several in forms.items():
            shown = next(iter(several.values()))
            for form in several:
                name = question if len(several) == 1 and question not in answered else f"{question} ({form})"
                rows = self._asked_of(name, lambda one, q=question, f=form: bool(regions_of(one, q, f)))  # type: ignore[misc]
                if form == SPAN:
                    self._add_spans(name, question, shown, rows)
                    continue
                if form == VIDEO:
                    rows, shapes = by_frame(self.gathered, rows, name, question)
                else:
                    shapes = [[_shape(region) for region in regions_of(one, question, form)] for one in rows]
                self._add(name, rows, shapes, SHAPES, self._images(name, question, shown, rows))

    def _add_spans(self, name: str, question: str, shown: str, rows: Sequence[TaskAnnotation]) -> None:
        marked = [regions_of(one, question, SPAN) for one in rows]
        every = [region for regions in marked for region in regions]
        counting = {region.counts for region in every}
        self.gathered.positions_of[name] = counting.pop() if len(counting) == 1 else None
        rendered = any(region.rendered for region in every)
        self.gathered.texts_of[name] = {} if rendered else self.texts.by_item(shown)
        if times := sum(len(region.labels) > 1 for region in every):
            sentence = f"{counted(times, 'region')} with several labels taken as one for each label"
            self.gathered.note("noticed", sentence, times, question=name)
        spans = [[span for region in regions for span in _spans_of(region)] for regions in marked]
        self._add(name, rows, spans, SPANS, [{}] * len(rows))

    def add_answers(self, multiple: set[str]) -> None:
        """Choices, ratings, texts and the like; who gave none did not answer."""
        for question in dict.fromkeys(name for one in self.annotations for name in one.answers):
            asked = self._asked_of(question, lambda one, question=question: question in one.answers)  # type: ignore[misc]
            rows = [one for one in asked if question in one.answers]
            if silent := len(asked) - len(rows):
                sentence = f"{counted(silent, 'annotation')} without an answer to {question!r}"
                self.gathered.note("noticed", sentence, silent, question=question)
            answers = [one.answers[question] for one in rows]
            kinds = {KINDS[answer.type] for answer in answers}
            kind = kinds.pop() if len(kinds) == 1 else CHOICES  # what is answered in several ways is labels
            values: list[Any] = [answer.value for answer in answers]
            if kind == CHOICES:
                values = [value if isinstance(value, tuple) else (str(value),) for value in values]
            if kind == CHOICES and (question in multiple or any(answer.type == LIST for answer in answers)):
                self.gathered.takes_several(question)
            self._add(question, rows, values, kind, self._images(question, question, answers[0].shown, rows))

    def add_relations(self) -> None:
        """Links between spans."""
        first = next((relation for one in self.annotations for relation in one.relations), None)
        if first is not None:
            rows = self._asked_of(RELATIONS, lambda one: bool(one.relations))
            links = [
                [
                    Link(_spans_of(head)[0], _spans_of(tail)[0], label, directed)
                    for head, tail, label, directed in one.relations
                ]
                for one in rows
            ]
            self._add(RELATIONS, rows, links, RELATIONS, self._images(RELATIONS, RELATIONS, first.head.shown, rows))

    def _add(
        self,
        name: str,
        rows: Sequence[TaskAnnotation],
        values: Sequence[Any],
        kind: str | None,
        images: Sequence[About],
    ) -> None:
        for one, value, image in zip(rows, values, images, strict=True):
            mark = Mark(name, one.item, one.annotator, value, one.pointer, about={**one.about, **image})
            self.gathered.add(mark, kind)

    def _images(self, name: str, question: str, shown: str, rows: Sequence[TaskAnnotation]) -> list[About]:
        """The image of each row as the task names it, with width and height; a text where it is not the image."""
        sizes: dict[object, tuple[float, float]] = {}
        for one in rows:
            for region in one.regions:
                if region.question == question and region.size is not None and region.form != VIDEO:
                    sizes.setdefault(one.item, region.size)
        images = [image_of(shown, one.data, drawn=bool(sizes)) for one in rows]
        texts = self.texts.by_item(shown)
        self.gathered.texts_of[name] = {} if [texts.get(one.item) for one in rows] == images else texts
        made: list[About] = [{"image": image} if any(images) else {} for image in images]
        for one, about in zip(rows, made, strict=True):
            if sizes:
                about["width"], about["height"] = sizes.get(one.item, (None, None))
        return made


def _spans_of(region: Region) -> list[Span]:
    """A region as spans, one for each label."""
    (start, end), features = region.place, tuple(region.features.items())
    return [Span(start, end, label, (), features, region.covered) for label in region.labels or (None,)]


def _shape(region: Region) -> Shape:
    if region.form == BOX:
        return box_about_corner(*region.place)._replace(labels=region.labels)
    return Shape(region.form, region.place, region.labels, region.parent)


def image_of(shown: str, data: Mapping[str, object], *, drawn: bool) -> str | None:
    """The path or address of the image that a question is about; None where the task does not name one.

    It stands under the name of what is shown, or is the only image of the task.  Where something was drawn in it, an
    address is one of an image whatever it ends in.
    """
    entry = data.get(shown)
    if drawn and isinstance(entry, str) and AN_ADDRESS.fullmatch(entry.strip()):
        return entry.strip()
    named = [entry] if isinstance(entry, str) else list(data.values())
    images = {image for image in named if isinstance(image, str) and IMAGE_FILE.fullmatch(image.strip())}
    return images.pop().strip() if len(images) == 1 else None


# -- texts ----------------------------------------------------------------------------------------------------


class TaskTexts:
    """The texts that spans lie in: the entry of what tasks show, by the name that spans have for it."""

    def __init__(self, gathered: Gatherer, annotations: Sequence[TaskAnnotation]) -> None:
        self.annotations = annotations
        self.entries: dict[str, Entry] = {}
        shown: dict[str, list[tuple[TaskAnnotation, list[Region]]]] = {}
        for annotation in annotations:
            by_name: dict[str, list[Region]] = {}
            for region in annotation.regions:
                if region.form == SPAN and region.counts == "characters" and not region.rendered:
                    by_name.setdefault(region.shown, []).append(region)
            for name, regions in by_name.items():
                shown.setdefault(name, []).append((annotation, regions))
        for name, those in shown.items():
            self._find(gathered, name, those)

    def _find(self, gathered: Gatherer, name: str, those: Sequence[tuple[TaskAnnotation, list[Region]]]) -> None:
        fits: dict[Entry, OffsetFit] = {}
        total = sum(region.covered is not None for _, regions in those for region in regions)
        for annotation, regions in those:
            spans = [(*region.place, region.covered) for region in regions if region.covered is not None]
            for entry, text in annotation.data.items():
                if isinstance(text, str):
                    for broken in (False, True) if "\r\n" in text else (False,):
                        before = fits.get((entry, broken), OffsetFit())
                        fits[entry, broken] = before.plus(fit(_broken(text, broken=broken), spans))
        best = max(fits, key=lambda at: (fits[at].either, at[0] == name, not at[1]), default=None)
        if best is None or (fits[best].unit is None if total else best[0] != name):
            sentence = f"the text of {name!r} is not in the file, so offsets are not checked"
            if total and best is not None:
                sentence = f"no text of the tasks holds what {counted(total, 'span')} should cover; offsets not checked"
            gathered.note("noticed", sentence, total)
            return
        self.entries[name] = best

    def by_item(self, shown: str) -> dict[Hashable, str]:
        """The text of each item, as far as it is known."""
        texts: dict[Hashable, str] = {}
        entry, broken = self.entries.get(shown, (shown, False))
        for annotation in self.annotations:
            text = annotation.data.get(entry)
            if isinstance(text, str) and (shown in self.entries or not ADDRESS.fullmatch(text)):
                texts.setdefault(annotation.item, _broken(text, broken=broken))
        return texts


def _broken(text: str, *, broken: bool) -> str:
    """A text with its lines broken as a browser breaks them."""
    return text.replace("\r\n", "\n") if broken else text


# -- videos ---------------------------------------------------------------------------------------------------


def by_frame(
    gathered: Gatherer, annotations: Sequence[TaskAnnotation], name: str, question: str
) -> tuple[list[TaskAnnotation], list[list[Shape]]]:
    """An annotation for every frame of a video and everybody who looked at it, with the boxes in it."""
    lengths: dict[Any, int] = {}
    for annotation in annotations:
        for region in regions_of(annotation, question, VIDEO):
            frames, keys = region.place
            longest = max(frames, *(key.frame for key in keys), lengths.get(annotation.item, 0))
            if longest > MOST:
                raise FormatError(f"{annotation.where}: a video of {longest} frames is longer than can be read")
            lengths[annotation.item] = longest
    rows: list[TaskAnnotation] = []
    every: list[list[Shape]] = []
    filled = 0
    followed = [annotation for annotation in annotations if annotation.item in lengths]
    for annotation in followed:
        boxes: list[list[Shape]] = [[] for _ in range(lengths[annotation.item])]
        filled += sum(_put(region, boxes) for region in regions_of(annotation, question, VIDEO))
        rows += [replace(annotation, item=f"{annotation.item}, frame {frame}") for frame in range(1, len(boxes) + 1)]
        every += boxes
    if filled:
        number = f"{filled:,} {'box' if filled == 1 else 'boxes'}"
        sentence = f"{number} between the frames that were drawn put where Label Studio shows them"
        gathered.note("taken", sentence, filled, question=name)
    if without := len(annotations) - len(followed):
        sentence = f"{counted(without, 'annotation')} of a video in which nobody followed anything left out"
        gathered.note("dropped", sentence, without, question=name)
    return rows, every


def _put(region: Region, boxes: list[list[Shape]]) -> int:
    """Put a rectangle into the frames in which it is there; how many of them were filled in."""
    _, keys = region.place
    frames = [key.frame for key in keys]
    filled = 0
    for frame in range(frames[0], len(boxes) + 1):
        at = bisect_left(frames, frame + 1) - 1
        first, last = keys[at], keys[min(at + 1, len(keys) - 1)]
        if not first.enabled and frame != first.frame:
            continue
        share = (frame - first.frame) / (last.frame - first.frame) if last is not first else 0.0
        place = [a + share * (b - a) for a, b in zip(first.place, last.place, strict=True)]
        boxes[frame - 1].append(box_about_corner(*place)._replace(labels=region.labels))
        filled += frame != first.frame
    return filled
