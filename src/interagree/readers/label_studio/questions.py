"""The questions of a project, made of what its annotations hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from interagree.data.provenance import counted
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.shapes import BOX, Shape, box_about_corner
from interagree.readers.label_studio.images import image_of
from interagree.readers.label_studio.projects import Projects
from interagree.readers.label_studio.regions import SETS, VIDEO, Region, TaskAnnotation
from interagree.readers.label_studio.results import Results
from interagree.readers.label_studio.texts import TaskTexts
from interagree.readers.label_studio.video import by_frame

RELATIONS = "relations"
KIND_OF = {"textarea": "text", "rating": None, "number": None, "ranker": "rankings"}  # what is not labels


class Questions:
    """What annotations answer, put into the questions of a study."""

    def __init__(
        self, gathered: Gatherer, annotations: Sequence[TaskAnnotation], results: Results, projects: Projects
    ) -> None:
        self.gathered, self.annotations, self.results, self.projects = gathered, annotations, results, projects
        self.texts = TaskTexts(annotations)
        gathered.steps += self.texts.steps

    def gather(self, multiple: Iterable[str]) -> None:
        """All questions: of regions, of answers, of relations."""
        for annotation in self.annotations:
            for noun, rest in annotation.not_read:
                self.gathered.left_out(noun, f"{rest} not read".lstrip())
        if not any(one.regions or one.answers or one.relations for one in self.annotations):
            self.gathered.left_out("annotation", "with nothing in it", sum(not one.results for one in self.annotations))
        self._regions()
        self._answers({*multiple, *self.results.several})
        self._relations()

    def _asked_of(self, question: str, used: Callable[[TaskAnnotation], bool]) -> list[TaskAnnotation]:
        """The annotations of the projects in which a question was asked, those in which somebody answered it."""
        roots = {annotation.group: self.projects.root(annotation.group) for annotation in self.annotations}
        asked = {roots[annotation.group] for annotation in self.annotations if used(annotation)}
        rows = [annotation for annotation in self.annotations if roots[annotation.group] in asked]
        if others := len(self.annotations) - len(rows):
            where = "in projects where nobody answered it"
            sentence = f"{question!r} was not asked of {counted(others, 'annotation')} {where}"
            self.gathered.note("noticed", sentence, others, question=question)
        return rows

    def _regions(self) -> None:
        answered = {name for annotation in self.annotations for name in annotation.answers}
        shapes: dict[str, dict[str, None]] = {}
        for annotation in self.annotations:
            for region in annotation.regions:
                shapes.setdefault(region.question, {})[region.shape] = None
        for question, several in shapes.items():
            for shape in several:
                name = question if len(several) == 1 and question not in answered else f"{question} ({shape})"
                rows = self._asked_of(name, lambda one, q=question, s=shape: bool(_regions_of(one, q, s)))  # type: ignore[misc]
                if shape == "span":
                    self._spans(name, question, rows)
                else:
                    self._objects(name, question, shape, rows)

    def _spans(self, name: str, question: str, rows: Sequence[TaskAnnotation]) -> None:
        every = [region for annotation in rows for region in _regions_of(annotation, question, "span")]
        counting = {region.counts for region in every}
        self.gathered.positions_of[name] = counting.pop() if len(counting) == 1 else None
        known = {} if any(region.rendered for region in every) else self.texts.by_item(self._shown(question))
        self.gathered.texts_of[name] = known
        if times := sum(len(region.labels) > 1 for region in every):
            sentence = f"{counted(times, 'region')} with several labels taken as one for each label"
            self.gathered.note("noticed", sentence, times, question=name)
        for annotation in rows:
            spans = [span for region in _regions_of(annotation, question, "span") for span in _spans_of(region)]
            self._add(name, annotation, spans, "spans", {})

    def _objects(self, name: str, question: str, shape: str, rows: Sequence[TaskAnnotation]) -> None:
        """A question of boxes, polygons, masks or keypoints; of a video its frames are the items."""
        if shape == VIDEO:
            rows, shapes, filled = by_frame(rows, question)
            for step in filled:
                self.gathered.note(step.what, step.sentence, step.count, question=name)
        else:
            shapes = [[_shape(region) for region in _regions_of(annotation, question, shape)] for annotation in rows]
        images = self._images(name, question, rows)
        for annotation, some, image in zip(rows, shapes, images, strict=True):
            self._add(name, annotation, some, "shapes", image)

    def _answers(self, multiple: set[str]) -> None:
        for question in dict.fromkeys(name for annotation in self.annotations for name in annotation.answers):
            asked = self._asked_of(question, lambda one, question=question: question in one.answers)  # type: ignore[misc]
            rows = [annotation for annotation in asked if question in annotation.answers]
            if silent := len(asked) - len(rows):
                sentence = f"{counted(silent, 'annotation')} without an answer to {question!r}"
                self.gathered.note("noticed", sentence, silent, question=question)
            values: list[Any] = [annotation.answers[question] for annotation in rows]
            kind = "choices" if any(isinstance(value, tuple) for value in values) else self.results.types[question]
            word = KIND_OF.get(kind, "labels")
            if kind in SETS:
                word, values = "choices", [value if isinstance(value, tuple) else (str(value),) for value in values]
            elif kind == "ranker" and not all(isinstance(value, list) for value in values):
                word, values = "labels", list(map(str, values))
            if word == "choices" and question in multiple:
                self.gathered.takes_several(question)
            for annotation, value, image in zip(rows, values, self._images(question, question, rows), strict=True):
                self._add(question, annotation, value, word, image)

    def _relations(self) -> None:
        first = next((relation for annotation in self.annotations for relation in annotation.relations), None)
        if first is None:
            return
        self.results.shown[RELATIONS] = first.head.shown
        rows = self._asked_of(RELATIONS, lambda one: bool(one.relations))
        for annotation, image in zip(rows, self._images(RELATIONS, RELATIONS, rows), strict=True):
            links = [
                Link(next(iter(_spans_of(head))), next(iter(_spans_of(tail))), label, directed)
                for head, tail, label, directed in annotation.relations
            ]
            self._add(RELATIONS, annotation, links, RELATIONS, image)

    def _shown(self, question: str) -> str:
        return self.results.shown.get(question, "")

    def _add(
        self, name: str, annotation: TaskAnnotation, value: object, kind: str | None, further: Mapping[str, Any]
    ) -> None:
        about = {**annotation.about, **further}
        mark = Mark(name, annotation.item, annotation.annotator, value, annotation.pointer, about=about)
        self.gathered.add(mark, kind)

    def _images(self, name: str, question: str, rows: Sequence[TaskAnnotation]) -> list[dict[str, str | float | None]]:
        """The image of each row as the task names it, with width and height; a text where it is not the image."""
        shown = self._shown(question)
        sizes: dict[object, tuple[float, float]] = {}
        for annotation in rows:
            for region in annotation.regions:
                if region.question == question and region.size is not None and region.shape != VIDEO:
                    sizes.setdefault(annotation.item, region.size)
        images = [image_of(shown, annotation.data, drawn=bool(sizes)) for annotation in rows]
        texts = self.texts.by_item(shown)
        self.gathered.texts_of[name] = {} if [texts.get(one.item) for one in rows] == images else texts
        named = any(images)
        made: list[dict[str, str | float | None]] = [{"image": image} if named else {} for image in images]
        for annotation, entry in zip(rows, made, strict=True):
            if sizes:
                entry["width"], entry["height"] = sizes.get(annotation.item, (None, None))
        return made


def _regions_of(annotation: TaskAnnotation, question: str, shape: str) -> list[Region]:
    return [region for region in annotation.regions if region.question == question and region.shape == shape]


def _spans_of(region: Region) -> list[Span]:
    """A region as spans, one for each label."""
    (start, end), features = region.place, tuple(region.features.items())
    return [Span(start, end, label, (), features, region.covered) for label in region.labels or (None,)]


def _shape(region: Region) -> Shape:
    if region.shape == BOX:
        return box_about_corner(*region.place)._replace(labels=region.labels)
    return Shape(region.shape, region.place, region.labels, region.parent)
