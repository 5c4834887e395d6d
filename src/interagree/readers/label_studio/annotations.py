"""The annotations of an export: which count, what they are of, and who made them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step, counted, noted
from interagree.documents.units import UnitOptions
from interagree.errors import (
    Advice,
    DataError,
    DuplicateAnnotation,
    FormatError,
    Hint,
    KindError,
    ReaderHint,
    UnknownName,
    listing,
)
from interagree.readers.label_studio.regions import TaskAnnotation
from interagree.readers.label_studio.tasks import LISTS, tasks_of

NEWEST = Hint("duplicates", "last")
GROUND_TRUTH = "ground truth"
NAMING = "'email', 'id', '{file}' or '{folder}'"
# A file that was uploaded to two projects lies at two places.
UPLOADED = re.compile(r"^/?(?:data/)?upload/\d+/(?:[0-9a-f]{8}-)?")


class Options(NamedTuple):
    """What a caller said."""

    item: str
    annotator: str | None
    cancelled: str
    duplicates: str
    gold: str
    predictions: bool
    multiple: tuple[str, ...]
    questions: tuple[str, ...] | None
    units: UnitOptions


class AnnotationReader:
    """The annotations of files, and what was done to choose and name them."""

    def __init__(self, sources: Sequence[Source], options: Options, steps: Iterable[Step] = ()) -> None:
        self.sources, self.options = sources, options
        self.counts: Counter[str] = Counter()  # what is left out, by the words for it
        self.not_read: Counter[str] = Counter()
        self.steps: list[Step] = [*steps]

    def annotations(self) -> list[TaskAnnotation]:
        """One annotation of each item by each annotator."""
        every = [annotation for source in self.sources for annotation in self._annotations(source)]
        return self._once(self._named(every)) if every else []

    def files(self) -> str:
        """The names of the files."""
        return listing((source.name for source in self.sources), quote=False, most=4)

    def left_out(self) -> list[Step]:
        """What is in the files and not in the study."""
        steps = []
        for words, times in self.counts.items():
            what = "noticed" if " kept" in words or " taken" in words else "dropped"
            steps += noted(what, Advice.around(_in_words(times, words), words), times)
        for words, times in self.not_read.items():
            steps.append(Step("dropped", _in_words(times, f"{words} not read"), times))
        return steps

    def _annotations(self, source: Source) -> Iterator[TaskAnnotation]:
        for number, task in enumerate(tasks_of(source, self.options.questions), start=1):
            if not isinstance(task, dict):
                raise FormatError(f"{source.name}, task {number}: expected an object, found {task!r:.60}")
            name = f"{source.name}, task {task.get('id', number)}"
            listed = next((task[key] for key in LISTS if task.get(key) is not None), None)
            if not isinstance(listed, list):
                raise FormatError(
                    f"{name}: expected a list 'annotations', found {'none' if listed is None else repr(listed)[:60]}; "
                    f"the task has {listing(task)}"
                )
            self._count(task)
            item = self._item(task, name, number)
            models = list_in(task, "predictions") if self.options.predictions else []
            for number_, raw in enumerate([*listed, *models]):
                where = f"{name}, annotation {raw.get('id', '?') if isinstance(raw, dict) else '?'}"
                if not isinstance(raw, dict) or not isinstance(raw.get("result"), list):
                    raise FormatError(f"{where}: expected an object with a list 'result', found {raw!r:.60}")
                annotation = TaskAnnotation(where, item, "", task, raw)
                if number_ >= len(listed):
                    annotation.annotator = str(raw.get("model_version") or "model")
                elif not self._wanted(annotation):
                    continue
                elif self.options.annotator is not None and "{" in self.options.annotator:
                    annotation.annotator = fill_pattern(
                        self.options.annotator, pattern_words(source), option="annotator"
                    )
                yield annotation

    def _wanted(self, annotation: TaskAnnotation) -> bool:
        raw = annotation.raw
        self.counts["earlier states of annotations (history) left out"] += len(list_in(raw, "history"))
        self.counts["reviews left out"] += len(list_in(raw, "reviews"))
        if raw.get("was_cancelled"):
            kept = Advice.of("left out (", ReaderHint("cancelled", "keep"), " keeps them)")
            done = kept if self.options.cancelled == "drop" else "kept"
            self.counts[Advice.of("skipped annotations (was_cancelled) ", done)] += 1
            return self.options.cancelled == "keep"
        if raw.get("ground_truth"):
            did = {
                "keep": Advice.of("kept as their author's (", ReaderHint("gold", "apart"), " parts them)"),
                "drop": "left out",
                "apart": f"taken as those of {GROUND_TRUTH!r}",
            }
            self.counts[Advice.of("annotations marked as ground truth ", did[self.options.gold])] += 1
            if self.options.gold == "apart":
                annotation.annotator = GROUND_TRUTH
            return self.options.gold != "drop"
        return True

    def _count(self, task: Mapping[str, object]) -> None:
        self.counts["drafts left out"] += len(list_in(task, "drafts"))
        if not self.options.predictions:
            words = Advice.of("predictions of models left out (", ReaderHint("predictions", value=True), " adds them)")
            self.counts[words] += len(list_in(task, "predictions"))

    def _item(self, task: Mapping[str, object], where: str, number: int) -> Hashable:
        if self.options.item in {"id", "inner_id"}:
            name = task.get(self.options.item, number)
            if not isinstance(name, str | int):
                raise FormatError(f"{where}: expected a number or a name in {self.options.item!r}, found {name!r:.60}")
            return name
        data = task.get("data")
        if not isinstance(data, dict):
            raise FormatError(f"{where}: expected what the task shows in an object 'data', found {data!r:.60}")
        if self.options.item == "data":
            return name_of(data)
        if self.options.item not in data:
            by_id, by_data = Hint("item", "id"), Hint("item", "data")
            raise UnknownName(
                f"{where}: what it shows has no entry {self.options.item!r} to call it by; it has {listing(data)}. "
                f"Take one of them, {by_id}, or {by_data} for all of them",
                hints=[by_id, by_data],
            )
        entry = data[self.options.item]
        return entry if isinstance(entry, str | int) else json.dumps(entry, ensure_ascii=False, sort_keys=True)

    def items(self) -> list[Step]:
        """What items are called by."""
        words = {"id": "the number of the task", "data": "what the task shows"}
        return [Step("taken", f"items by {words.get(self.options.item, self.options.item)}")]

    def _named(self, annotations: list[TaskAnnotation]) -> list[TaskAnnotation]:
        """The annotations, each with who made it."""
        people = [annotation for annotation in annotations if not annotation.annotator]
        by = [annotation.raw.get("completed_by") for annotation in people]
        pairs = {(_of(who, "id"), _of(who, "email")) for who in by}
        unknown = [annotation for annotation, who in zip(people, by, strict=True) if _of(who, "id") is None]
        if unknown:
            return self._nameless(annotations, unknown)
        emails = {email for _, email in pairs if email is not None}
        telling = len(emails) == len(pairs) and all(email is not None for _, email in pairs)
        wanted = self.options.annotator or ("email" if telling else "id")
        if wanted not in {"email", "id"} and people:
            raise KindError(f"annotator must be {NAMING}, got {self.options.annotator!r}")
        for annotation, who in zip(people, by, strict=True):
            name = _of(who, wanted)
            if name is None:
                by_id = Hint("annotator", "id")
                raise DataError(f"{annotation.where}: who completed it has no {wanted}; take {by_id}", hints=[by_id])
            annotation.annotator = name
        if people:
            because = " (e-mail addresses do not tell people apart)" if emails and not telling else ""
            words = "e-mail address" if wanted == "email" else "id"
            self.steps.append(Step("taken", f"annotators by the {words} of who completed an annotation{because}"))
        else:
            self.steps.append(Step("taken", f"annotators by {self.options.annotator or 'their marks'}"))
        return annotations

    def _nameless(self, annotations: list[TaskAnnotation], unknown: list[TaskAnnotation]) -> list[TaskAnnotation]:
        times = Counter(annotation.item for annotation in unknown)
        if len(self.sources) > 1 or max(times.values()) > 1 or len(unknown) < len(annotations):  # so who is who matters
            by_file = Hint("annotator", "{file}")
            raise DataError(
                f"{unknown[0].where}: the file does not say who completed it; export the project with user details, "
                f"or, where each file is of one annotator, pass {by_file}",
                hints=[by_file],
            )
        for annotation in unknown:
            annotation.annotator = self.sources[0].stem
        sentence = f"nobody is named, so all annotations are those of {self.sources[0].stem!r}, by the name of the file"
        self.steps.append(Step("assumed", sentence))
        return annotations

    def _once(self, annotations: list[TaskAnnotation]) -> list[TaskAnnotation]:
        """One annotation of each item by each annotator."""
        cells: dict[tuple[Hashable, str], list[TaskAnnotation]] = {}
        for annotation in annotations:
            cells.setdefault((annotation.item, annotation.annotator), []).append(annotation)
        extra = len(annotations) - len(cells)
        if not extra:
            return annotations
        if self.options.duplicates == "error":
            (item, who), several = next((cell, group) for cell, group in cells.items() if len(group) > 1)
            raise DuplicateAnnotation(
                f"{several[1].where}: {who!r} annotated item {item!r} {len(several)} times, and "
                f"{counted(extra, 'annotation')} repeat another in all; pass {NEWEST} to take the newest",
                hints=[NEWEST],
            )
        newest = self.options.duplicates == "last"
        word = "newest" if newest else "oldest"
        sentence = f"{counted(extra, 'repeated annotation')} of a task by one person left out (the {word} counts)"
        self.steps.append(Step("dropped", sentence, extra))
        # Of two of the same time the one further down is the newer one; `sorted` keeps them in order.
        return [sorted(group, key=when)[-1 if newest else 0] for group in cells.values()]


def _of(who: object, name: str) -> str | None:
    """The id or the e-mail address of who completed an annotation."""
    called = who.get(name) if isinstance(who, dict) else who
    if not isinstance(called, str | int) or called == "":
        return None
    known = isinstance(who, dict) or name == "id" or "@" in str(called)
    return str(called) if known else None


def list_in(entries: Mapping[str, object], name: str) -> list[object]:
    """A list that may not be there, or only in numbers."""
    entry = entries.get(name)
    return entry if isinstance(entry, list) else []


def _in_words(times: int, words: str) -> str:
    if times != 1:
        return f"{times:,} {words}"
    noun, _, rest = words.partition("s ")
    return f"1 {noun} {rest}".replace("their author's", "its author's").replace("those of", "one of")


def when(annotation: TaskAnnotation) -> float:
    """When somebody last worked at an annotation, in seconds."""
    for name in ("updated_at", "created_at"):
        date = annotation.raw.get(name)
        if isinstance(date, int | float):
            return float(date)
        try:
            time = datetime.fromisoformat(str(date))
        except ValueError:
            continue
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    return -math.inf


def name_of(data: Mapping[str, object]) -> str:
    """A name for what a task shows, the same in every project."""
    shown = {name: UPLOADED.sub("", entry) if isinstance(entry, str) else entry for name, entry in data.items()}
    spelled = json.dumps(shown, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(spelled, digest_size=8).hexdigest()
