"""The results of an annotation: regions, answers about them or about the task, and relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from interagree.errors import FormatError
from interagree.readers.label_studio import regions as marked
from interagree.readers.label_studio.annotations import list_in
from interagree.readers.label_studio.regions import ANSWERS, Answer, Region, Relation, TaskAnnotation


class _Given(NamedTuple):
    """An answer, and whether it is about a region or about the whole task."""

    region: str
    question: str
    value: Answer
    on_region: bool


class Results:
    """What annotations hold, and what questions are about."""

    def __init__(self, not_read: Counter[str]) -> None:
        self.not_read = not_read
        self.types: dict[str, str] = {}  # of questions that are answered
        self.shown: dict[str, str] = {}  # by question, the name of what it is about

    def read(self, annotation: TaskAnnotation) -> None:
        """What an annotation holds: regions, answers about regions, answers, relations."""
        regions: dict[str, list[Region]] = {}
        about: list[_Given] = []
        relations = []
        for place_, result in enumerate(annotation.results):
            kind = str(result.get("type", "")) if isinstance(result, dict) else ""
            if isinstance(result, dict) and kind == "relation":
                relations.append(result)
                continue
            value = result.get("value") if isinstance(result, dict) else None
            if not isinstance(result, dict) or not isinstance(value, dict):
                raise FormatError(
                    f"{annotation.where}, result {place_ + 1}: expected an object with a 'value', found {result!r:.60}"
                )
            name = str(result.get("id") or value.get("id") or f"result {place_}")
            if kind in ANSWERS:
                about.append(self._answer(annotation, name, kind, result, value))
                continue
            region = marked.region_of(result, value, f"{annotation.where}, result {place_ + 1}")
            if region is None:
                self.not_read[marked.described(kind, value)] += 1
                continue
            self.shown.setdefault(region.question, region.shown)
            regions.setdefault(name, []).append(region)
        for name, some in regions.items():  # a region and its labels may be two results
            if len(some) > 1 and any(region.labels for region in some):
                regions[name] = [region for region in some if region.labels]
        self._put(annotation, regions, about)
        annotation.regions = [region for some in regions.values() for region in some]
        for relation in relations:
            self._relate(annotation, regions, relation)

    def _answer(
        self,
        annotation: TaskAnnotation,
        name: str,
        kind: str,
        result: Mapping[str, object],
        value: Mapping[str, object],
    ) -> _Given:
        question = str(result.get("from_name", kind))
        entry, make = ANSWERS[kind]
        try:
            made = make(value[entry])
        except (KeyError, TypeError, ValueError):
            raise FormatError(
                f"{annotation.where}, {question!r}: expected {kind} in {entry!r}, found {value!r:.60}"
            ) from None
        self.types.setdefault(question, kind)
        self.shown.setdefault(question, str(result.get("to_name", "")).lstrip("$"))
        on_region = bool({"start", "x", "points", "rle", "globalOffsets"} & value.keys())
        return _Given(name, question, made, on_region)

    def _put(self, annotation: TaskAnnotation, regions: Mapping[str, list[Region]], about: list[_Given]) -> None:
        for name, question, made, on_region in about:
            if name in regions:
                for region in regions[name]:
                    feature = made[0] if isinstance(made, tuple) and len(made) == 1 else made
                    region.features[question] = tuple(sorted(feature)) if isinstance(feature, tuple) else feature
            elif on_region:
                self.not_read["answers about regions that are not there"] += 1
            elif question not in annotation.answers:
                annotation.answers[question] = made
            elif isinstance(made, tuple) and isinstance(before := annotation.answers[question], tuple):
                annotation.answers[question] = before + made
            else:
                before = annotation.answers[question]
                annotation.answers[question] = f"{before}\n{made}" if isinstance(made, str) else made

    def _relate(
        self, annotation: TaskAnnotation, regions: Mapping[str, list[Region]], relation: Mapping[str, object]
    ) -> None:
        ends = [regions.get(str(relation.get(name)), [None])[0] for name in ("from_id", "to_id")]
        head, tail = ends
        if head is None or tail is None or head.shape != "span" or tail.shape != "span":
            spans = "between regions that are not spans" if None not in ends else "without their ends"
            self.not_read[f"relations {spans}"] += 1
            return
        if relation.get("direction") == "left":
            head, tail = tail, head
        directed = relation.get("direction") != "bi"
        if not directed:
            head, tail = sorted((head, tail), key=lambda end: (end.place, end.labels))
        for label in list_in(relation, "labels") or [None]:
            annotation.relations.append(Relation(head, tail, None if label is None else str(label), directed))
