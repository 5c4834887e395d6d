"""The results of an annotation: regions, answers about them or about the task, and relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from interagree.errors import FormatError
from interagree.readers.label_studio import regions as marked
from interagree.readers.label_studio.documents import BY_TEXT, as_shown, place_of
from interagree.readers.label_studio.projects import Control
from interagree.readers.label_studio.regions import ANSWERS, UNPLACED, Answer, Region, Relation, TaskAnnotation
from interagree.readers.label_studio.tasks import list_in


class _Given(NamedTuple):
    """An answer, and whether it is about a region or about the whole task."""

    region: str
    question: str
    value: Answer
    on_region: bool


class Results:
    """What annotations hold, and what questions are about."""

    def __init__(self) -> None:
        self.types: dict[str, str] = {}  # of questions that are answered
        self.several: set[str] = set()  # questions that take several answers
        self.shown: dict[str, str] = {}  # by question, the name of what it is about
        self.controls: dict[int, set[Control]] = {}  # that annotations of each project use
        self._known: dict[Any, Any] = {}  # labels and names, each kept once
        self._by_text: list[tuple[TaskAnnotation, Region]] = []  # regions of HTML that were found by their text
        self._differing: set[str] = set()  # questions whose offsets do not count the text of HTML as it is found here

    def read(self, annotation: TaskAnnotation, results: Sequence[object]) -> None:
        """What an annotation holds: regions, answers about regions, answers, relations."""
        controls = self.controls.setdefault(annotation.group, set())
        annotation.results = len(results)
        regions: dict[str, list[Region]] = {}
        about: list[_Given] = []
        relations = []
        for place_, result in enumerate(results):
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
            controls.add((str(result.get("from_name", kind)), kind, str(result.get("to_name", ""))))
            if kind == "ranker":
                about += self._rankings(annotation, name, result, value)
                continue
            if kind in ANSWERS:
                about.append(self._answer(annotation, name, kind, result, value))
                continue
            region = self._region(annotation, kind, result, value, place_)
            if region is not None:
                regions.setdefault(name, []).append(region)
        annotation.data = {**annotation.data, **annotation.dialogues} if annotation.dialogues else annotation.data
        for name, some in regions.items():  # a region and its labels may be two results
            if len(some) > 1 and any(region.labels for region in some):
                regions[name] = [region for region in some if region.labels]
        self._put(annotation, regions, about)
        annotation.regions = [region for some in regions.values() for region in some]
        for relation in relations:
            self._relate(annotation, regions, relation)

    def _region(
        self, annotation: TaskAnnotation, kind: str, result: Mapping[str, object], value: Mapping[str, object], at: int
    ) -> Region | None:
        """The region that a result is; None, and noted, where it is not read."""
        placed = place_of(value, annotation)
        region = None if placed is None else marked.region_of(result, placed, f"{annotation.where}, result {at + 1}")
        if placed is None or region is None:
            annotation.not_read.append(marked.described(kind, value))
            return None
        if region.rendered:
            self._note_html(annotation, region, placed)
        known = self._known
        region.labels = known.setdefault(region.labels, region.labels)
        region.question = known.setdefault(region.question, region.question)
        region.shown = known.setdefault(region.shown, region.shown)
        self.shown.setdefault(region.question, region.shown)
        return region

    def _note_html(self, annotation: TaskAnnotation, region: Region, value: Mapping[str, object]) -> None:
        if BY_TEXT in value:
            self._by_text.append((annotation, region))
        elif not as_shown(value, annotation.data):
            self._differing.add(region.question)

    def settle(self) -> None:
        """Leave out places in HTML that were found by their text, where other places count another text."""
        for annotation, region in self._by_text:
            if region.question in self._differing and region in annotation.regions:
                annotation.regions.remove(region)
                annotation.not_read.append(UNPLACED)

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

    def _rankings(
        self, annotation: TaskAnnotation, name: str, result: Mapping[str, object], value: Mapping[str, object]
    ) -> list[_Given]:
        """An order of items; or, where items were put into several lists, what is in each of them."""
        question = str(result.get("from_name", "ranker"))
        lists = value.get("ranker", {"rank": value.get("items")})
        if not isinstance(lists, dict) or not all(isinstance(items, list) for items in lists.values()):
            raise FormatError(f"{annotation.where}, {question!r}: expected lists in 'ranker', found {value!r:.60}")
        shown = str(result.get("to_name", "")).lstrip("$")
        given = []
        for called, items in lists.items():
            several = len(lists) > 1
            if called == "_" and several:
                continue  # what was put into no list
            inner = f"{question} ({called})" if several else question
            ids = [str(item) for item in items]
            if len({*ids}) < len(ids):
                raise FormatError(f"{annotation.where}, {question!r}: an item occurs twice among {ids!r:.60}")
            self.several.update([inner] if several else [])
            self.types.setdefault(inner, "choices" if several else "ranker")
            self.shown.setdefault(inner, shown)
            given.append(_Given(name, inner, tuple(ids) if several else ids, on_region=False))
        return given

    def _put(self, annotation: TaskAnnotation, regions: Mapping[str, list[Region]], about: list[_Given]) -> None:
        for name, question, made, on_region in about:
            if name in regions:
                for region in regions[name]:
                    feature = made[0] if isinstance(made, tuple) and len(made) == 1 else made
                    region.features[question] = tuple(sorted(feature)) if isinstance(feature, tuple) else feature
            elif on_region:
                annotation.not_read.append(("answer", "about regions that are not there"))
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
            spans = "between regions that are not spans" if None not in ends else "without both ends"
            annotation.not_read.append(("relation", spans))
            return
        if relation.get("direction") == "left":
            head, tail = tail, head
        directed = relation.get("direction") != "bi"
        if not directed:
            head, tail = sorted((head, tail), key=lambda end: (end.place, end.labels))
        for label in list_in(relation, "labels") or [None]:
            annotation.relations.append(Relation(head, tail, None if label is None else str(label), directed))
