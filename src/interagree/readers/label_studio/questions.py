"""The questions of a project, made of what its annotations hold, and in which project each of them was asked.

A file does not hold the labelling interface of its project.  An annotation without a box says that somebody saw no box
only if boxes could be drawn there at all: in a project in which somebody drew one, or in one of the same interface, as
where every annotator has a project.  Projects have the same interface where they use a control of the same name and
type in common.  One in which nobody marked or answered anything is taken to have that of the projects whose tasks it
shows, or whose number it has with data of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from interagree.data.provenance import counted
from interagree.gather.gatherer import CHOICES, RELATIONS, SHAPES, SPANS, Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.shapes import BOX, Shape, box_about_corner
from interagree.readers.label_studio.images import image_of
from interagree.readers.label_studio.results import (
    KINDS,
    LIST,
    SPAN,
    UNPLACED,
    VIDEO,
    Project,
    Region,
    TaskAnnotation,
    regions_of,
)
from interagree.readers.label_studio.texts import TaskTexts
from interagree.readers.label_studio.video import by_frame

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


def interfaces(annotations: Sequence[TaskAnnotation]) -> dict[Project, Hashable]:
    """By project one of those that have the same interface."""
    above: dict[Hashable, Hashable] = {}

    def root(node: Hashable) -> Hashable:
        while (other := above.setdefault(node, node)) != node:
            node = other
        return node

    def join(project: Project, other: Hashable) -> None:
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
