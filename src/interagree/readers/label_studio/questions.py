"""The questions of a project, made of what its annotations hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from interagree.data.annotations import Annotations
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.study import Study
from interagree.errors import FormatError, UnknownName, listing, suggestion
from interagree.gather.gatherer import WHERE
from interagree.gather.shapes import BOX, Shape, box_about_corner, questions_of_shapes
from interagree.gather.units import DocumentTexts, Unit, annotations_of_units
from interagree.plugins import KINDS
from interagree.readers.label_studio.annotations import AnnotationReader
from interagree.readers.label_studio.images import image_of
from interagree.readers.label_studio.regions import SETS, VIDEO, Answer, Region, TaskAnnotation
from interagree.readers.label_studio.texts import TaskTexts
from interagree.readers.label_studio.video import by_frame

RELATIONS = "relations"
KIND_OF = {"textarea": "text", "rating": None, "number": None, "ranker": "rankings"}  # what is not labels
FURTHER = ("created_at", "lead_time", "agreement")


class QuestionBuilder:
    """A study in the making: the annotations of files, and the questions that they answer."""

    def __init__(self, reader: AnnotationReader) -> None:
        self.reader, self.options, self.steps = reader, reader.options, reader.steps
        self.results, self.projects = reader.results, reader.projects
        self.annotations = reader.annotations()
        self.types, self.shown = self.results.types, self.results.shown

    def study(self) -> Study:
        """All questions."""
        if not self.annotations:
            raise FormatError(f"{self.reader.files()}: found no annotation to read{self._why()}")
        self.results.settle()
        self.projects.link(self.results.controls, self.annotations)
        texts = TaskTexts(self.annotations)
        self.steps += [*self.reader.left_out(self.annotations), *self.reader.items(), *texts.steps]
        made = {**self._regions(texts), **self._answers(texts), **self._relations(texts)}
        if not made:
            raise FormatError(f"{self.reader.files()}: nothing in the annotations can be read{self._why()}")
        made = self._asked(made)
        aside = [step for question in made.values() for step in question.provenance.steps if step.what == "set aside"]
        return Study(made, self._provenance(*aside))

    def _asked(self, made: dict[str, Annotations]) -> dict[str, Annotations]:
        """The questions that were asked for."""
        for name in self.options.questions or ():
            if name not in made:
                raise UnknownName(
                    f"{self.reader.files()}: there is no question {name!r}; there are {listing(made)}."
                    + suggestion(name, made)
                )
        return {name: made[name] for name in self.options.questions or made}

    def _why(self) -> str:
        empty = sum(not annotation.results for annotation in self.annotations)
        reasons = [step.sentence for step in self.reader.left_out(self.annotations)]
        reasons += [f"{counted(empty, 'annotation')} with nothing in it"] if empty else []
        return f" ({', '.join(reasons)})" if reasons else ""

    def _provenance(self, *steps: Step) -> Provenance:
        return Provenance(tuple(source.name for source in self.reader.sources)).then(*self.steps, *steps)

    def _asked_of(
        self, question: str, used: Callable[[TaskAnnotation], bool]
    ) -> tuple[list[TaskAnnotation], list[Step]]:
        """The annotations of the projects in which a question was asked, those in which somebody answered it."""
        roots = {annotation.group: self.projects.root(annotation.group) for annotation in self.annotations}
        if len(set(roots.values())) == 1:
            return self.annotations, []
        asked = {roots[annotation.group] for annotation in self.annotations if used(annotation)}
        rows = [annotation for annotation in self.annotations if roots[annotation.group] in asked]
        others = len(self.annotations) - len(rows)
        sentence = f"{question!r} was not asked of {counted(others, 'annotation')} in projects where nobody answered it"
        return rows, noted("noticed", sentence, others)

    def _column(
        self, question: str, rows: Sequence[tuple[TaskAnnotation, object]], texts: TaskTexts, *steps: Step
    ) -> Annotations:
        """A question from its rows: annotations with their values."""
        annotations = [annotation for annotation, _ in rows]
        shown = self.shown.get(question, "")
        images = _images(shown, question, annotations)
        text = texts.of(shown, annotations)
        known = {} if text is None or text == images.get("image") else {"text": text}
        return Annotations.from_columns(
            [annotation.item for annotation in annotations],
            [annotation.annotator for annotation in annotations],
            [value for _, value in rows],
            attributes={**_attributes(annotations), **images, **known},
            provenance=self._provenance(*steps),
        )

    def _regions(self, texts: TaskTexts) -> dict[str, Annotations]:
        answered = {name for annotation in self.annotations for name in annotation.answers}
        shapes: dict[str, dict[str, None]] = {}
        for annotation in self.annotations:
            for region in annotation.regions:
                shapes.setdefault(region.question, {})[region.shape] = None
        made = {}
        for question, several in shapes.items():
            for shape in several:
                name = question if len(several) == 1 and question not in answered else f"{question} ({shape})"
                if shape == "span":
                    made[name] = self._spans(question, texts)
                else:
                    made.update(self._objects(name, question, shape, texts))
        return made

    def _spans(self, question: str, texts: TaskTexts) -> Annotations:
        rows, steps = self._asked_of(question, lambda one: any(_is(region, question, "span") for region in one.regions))
        every = [region for annotation in rows for region in annotation.regions if _is(region, question, "span")]
        columns = tuple(_attributes(rows))
        counting = {region.counts for region in every}
        positions = counting.pop() if len(counting) == 1 else None
        shown = positions == "characters" and not any(region.rendered for region in every)
        known = texts.by_item(self.shown.get(question, "")) if shown else {}
        return annotations_of_units(
            self.reader.sources,
            _units(rows, question, columns),
            self.options.units._replace(columns=columns),
            steps=[*self.steps, *steps, *_of_several_labels(every)],
            documents=DocumentTexts(known, {}, positions),
        )

    def _objects(self, name: str, question: str, shape: str, texts: TaskTexts) -> dict[str, Annotations]:
        """A question of boxes, polygons, masks or keypoints; of a video its frames are the items."""
        annotations, asked = self._asked_of(
            name, lambda one: any(_is(region, question, shape) for region in one.regions)
        )
        filled: list[Step] = []
        if shape == VIDEO:
            annotations, shapes, filled = by_frame(annotations, question)
        else:
            shapes = [
                [_shape(region) for region in annotation.regions if _is(region, question, shape)]
                for annotation in annotations
            ]
        made, further = questions_of_shapes(name, shapes)
        steps = [*asked, *further, *filled]
        return {
            called: replace(
                self._column(question, list(zip(annotations, values, strict=True)), texts, *steps), of_kind=kind
            )
            for called, (kind, values) in made.items()
        }

    def _answers(self, texts: TaskTexts) -> dict[str, Annotations]:
        made = {}
        for question in dict.fromkeys(name for annotation in self.annotations for name in annotation.answers):
            asked, steps = self._asked_of(question, lambda one, question=question: question in one.answers)  # type: ignore[misc]
            rows = [
                (annotation, annotation.answers[question]) for annotation in asked if question in annotation.answers
            ]
            kind = "choices" if any(isinstance(value, tuple) for _, value in rows) else self.types[question]
            silent = len(asked) - len(rows)
            steps += noted("noticed", f"{counted(silent, 'annotation')} without an answer to {question!r}", silent)
            word = KIND_OF.get(kind, "labels")
            values: Sequence[tuple[TaskAnnotation, object]] = rows
            if kind == "ranker" and not all(isinstance(value, list) for _, value in rows):
                word, values = "labels", [(annotation, str(value)) for annotation, value in rows]
            if kind in SETS:
                word, values = self._choice(question, rows, steps)
            if not values:
                self.steps += steps
                continue
            column = self._column(question, values, texts, *steps)
            made[question] = column if word is None else replace(column, of_kind=word)
        return made

    def _choice(
        self, question: str, rows: Sequence[tuple[TaskAnnotation, Answer]], steps: list[Step]
    ) -> tuple[str, list[tuple[TaskAnnotation, object]]]:
        """Choices as sets where somebody chose several, else as labels; an empty one is an answer only among sets."""
        chosen = [(annotation, value if isinstance(value, tuple) else (str(value),)) for annotation, value in rows]
        if question in {*self.options.multiple, *self.results.several} or any(len(value) > 1 for _, value in chosen):
            return "sets", [(annotation, frozenset(value)) for annotation, value in chosen]
        empty = sum(not value for _, value in chosen)
        steps += noted("dropped", f"{counted(empty, 'answer')} to {question!r} without a choice left out", empty)
        return "labels", [(annotation, value[0]) for annotation, value in chosen if value]

    def _relations(self, texts: TaskTexts) -> dict[str, Annotations]:
        if not any(annotation.relations for annotation in self.annotations):
            return {}
        asked, steps = self._asked_of(RELATIONS, lambda one: bool(one.relations))
        rows = [
            (annotation, sorted({relation.value() for relation in annotation.relations}, key=str))
            for annotation in asked
        ]
        self.shown[RELATIONS] = next(
            annotation.relations[0].head.shown for annotation in self.annotations if annotation.relations
        )
        made = self._column(RELATIONS, rows, texts, *steps)
        return {RELATIONS: replace(made, of_kind=RELATIONS) if RELATIONS in KINDS else made}


def _units(rows: Iterable[TaskAnnotation], question: str, columns: Sequence[str]) -> Iterator[Unit]:
    """What somebody marked, span by span; and that they looked."""
    for annotation in rows:
        entries = {**annotation.about, WHERE: annotation.pointer}
        cell = (annotation.item, annotation.annotator)
        further = tuple(entries.get(name) for name in columns)
        yield Unit(*cell, further=further)
        for region in annotation.regions:
            if _is(region, question, "span"):
                (start, end), features = region.place, tuple(region.features.items())
                for label in region.labels or (None,):
                    yield Unit(*cell, start, end, label, further, features=features)


def _is(region: Region, question: str, shape: str) -> bool:
    return region.question == question and region.shape == shape


def _attributes(rows: Sequence[TaskAnnotation]) -> dict[str, list[str | float | None]]:
    """What else is known of annotations: when, how long it took, Label Studio's own agreement, and their place."""
    columns = {name: [annotation.about.get(name) for annotation in rows] for name in FURTHER}
    known = {name: column for name, column in columns.items() if any(entry is not None for entry in column)}
    return {**known, WHERE: [annotation.pointer for annotation in rows]}


def _images(shown: str, question: str, rows: Sequence[TaskAnnotation]) -> dict[str, list[str | float | None]]:
    """The image of each row as the task names it, and the width and the height in which regions are placed."""
    sizes: dict[object, tuple[float, float]] = {}
    for annotation in rows:
        for region in annotation.regions:
            if region.question == question and region.size is not None and region.shape != VIDEO:
                sizes.setdefault(annotation.item, region.size)
    images: list[str | float | None] = [image_of(shown, one.data, drawn=bool(sizes)) for one in rows]
    made = {"image": images} if any(image is not None for image in images) else {}
    if sizes:
        both = [sizes.get(annotation.item, (None, None)) for annotation in rows]
        made |= {"width": [wide for wide, _ in both], "height": [high for _, high in both]}
    return made


def _of_several_labels(regions: Iterable[Region]) -> list[Step]:
    times = sum(len(region.labels) > 1 for region in regions)
    return noted("noticed", f"{counted(times, 'region')} with several labels taken as one for each label", times)


def _shape(region: Region) -> Shape:
    if region.shape == BOX:
        return box_about_corner(*region.place)._replace(labels=region.labels)
    return Shape(region.shape, region.place, region.labels, region.parent)
