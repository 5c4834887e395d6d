"""The annotations of an export: which count, what they are of, and who made them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.values import is_finite
from interagree.errors import Advice, DataError, FormatError, Hint, KindError, ReaderHint, UnknownName, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers.label_studio.projects import Projects
from interagree.readers.label_studio.recognise import LISTS
from interagree.readers.label_studio.regions import TaskAnnotation
from interagree.readers.label_studio.results import Results
from interagree.readers.label_studio.tasks import ROW, list_in, tasks_of

GROUND_TRUTH = "ground truth"
NAMING = "'email', 'id', '{file}' or '{folder}'"
# A file that was uploaded to two projects lies at two places.
UPLOADED = re.compile(
    r"^/?(?:data/)?upload/\d+/(?:[0-9a-f]{8}-)?|^\S*/(?:tasks|projects)/\d+/(?:resolve|presign)/(?=\?)"
)
# A file in the cloud is handed out under an address that is signed anew each time.
SIGNED = re.compile(r"^(https?://[^\s?]+)\?\S*\b(?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=\S*$")


class Options(NamedTuple):
    """What a caller said."""

    item: str | None
    annotator: str | None
    cancelled: str
    gold: str
    reviews: str
    predictions: bool
    questions: tuple[str, ...] | None


class AnnotationReader:
    """The annotations of files, and what was done to choose and name them."""

    def __init__(self, gathered: Gatherer, options: Options) -> None:
        self.gathered, self.sources, self.options = gathered, gathered.sources, options
        self.results = Results()
        self.projects = Projects()
        self._taken_by = options.item or "id"
        self._shown: dict[Hashable, tuple[str, Mapping[str, object]]] = {}  # by item: what it shows, and where

    def annotations(self) -> list[TaskAnnotation]:
        """One annotation of each item by each annotator."""
        every = [annotation for source in self.sources for annotation in self._annotations(source)]
        if not every:
            return []
        named = self._named(every)
        if self.options.item is None and len(self.sources) > 1:
            self._join(named)
        rows = [Mark("", one.item, one.annotator, one, one.where, one.time) for one in named]
        kept, steps = self.gathered.once(rows, "annotation", "of a task by one person", "annotated item")
        self.gathered.steps += steps
        words = {"id": "the number of the task", "data": "what the task shows"}
        self.gathered.note("taken", f"items by {words.get(self._taken_by, self._taken_by)}")
        return [row.value for row in kept]

    def _annotations(self, source: Source) -> Iterator[TaskAnnotation]:
        for number, (place, task) in enumerate(tasks_of(source, self.options.questions), start=1):
            if not isinstance(task, dict):
                raise FormatError(f"{source.name}, task {number}: expected an object, found {task!r:.60}")
            name = f"{source.name}, task {task.get('id', number)}"
            key = next((key for key in LISTS if task.get(key) is not None), "annotations")
            listed = task.get(key)
            if listed is None and self.options.predictions and list_in(task, "predictions"):
                listed = []  # a task that waits for people
            if not isinstance(listed, list):
                raise FormatError(
                    f"{name}: expected a list 'annotations', found {'none' if listed is None else repr(listed)[:60]}; "
                    f"the task has {listing(task)}"
                )
            self._count(task)
            data = task.get("data")
            data = data if isinstance(data, dict) else {}
            item = self._item(task, name, number)
            self._same(item, data, name)
            group = self.projects.group(source.name, task.get("project"), data)
            for at, raw in enumerate([*listed, *self._models(task, name)]):
                where = f"{name}, annotation {raw.get('id', '?') if isinstance(raw, dict) else '?'}"
                if not isinstance(raw, dict) or not isinstance(raw.get("result"), list):
                    raise FormatError(f"{where}: expected an object with a list 'result', found {raw!r:.60}")
                path = f"/{key}/{at}" if at < len(listed) else f"/predictions/{at - len(listed)}"
                pointer = f"{source.name}, {place.removeprefix(ROW) if place.startswith(ROW) else place + path}"
                annotation = TaskAnnotation(where, pointer, item, "", data, about=_about(task, raw), group=group)
                annotation.by, annotation.time = raw.get("completed_by"), _when(raw)
                if at >= len(listed):
                    annotation.annotator = str(raw.get("model_version") or "model")
                elif not self._wanted(annotation, raw):
                    continue
                elif self.options.annotator is not None and "{" in self.options.annotator:
                    annotation.annotator = fill_pattern(
                        self.options.annotator, pattern_words(source), option="annotator"
                    )
                self.results.read(annotation, self._results_of(raw))
                yield annotation

    def _models(self, task: Mapping[str, object], where: str) -> list[object]:
        models = list_in(task, "predictions") if self.options.predictions else []
        if any(isinstance(model, int) for model in models):
            raise FormatError(
                f"{where}: the file holds the numbers of predictions and not what they predict; read the project from "
                "its server, as label-studio://HOST/PROJECT, or make a snapshot with predictions under Export"
            )
        return models

    def _results_of(self, raw: Mapping[str, object]) -> list[object]:
        """What an annotation holds; before a reviewer changed it, where that is asked for."""
        for review in list_in(raw, "reviews") if self.options.reviews == "before" else ():
            if isinstance(review, dict) and _is_fix(review):
                before = review.get("previous_annotation_history_result")
                if isinstance(before, list):
                    return before
        return list_in(raw, "result")

    def _wanted(self, annotation: TaskAnnotation, raw: Mapping[str, object]) -> bool:
        gathered, options = self.gathered, self.options
        gathered.left_out("earlier state", "of annotations (history) left out", len(list_in(raw, "history")))
        gathered.left_out("review", times=len(list_in(raw, "reviews")))
        if raw.get("was_cancelled"):
            if options.cancelled == "drop":
                kept = Advice.of("(was_cancelled) left out (", ReaderHint("cancelled", "keep"), " keeps them)")
                gathered.left_out("skipped annotation", kept)
                return False
            gathered.noticed("skipped annotation", "(was_cancelled) kept")
        if not self._reviewed(raw):
            return False
        if raw.get("ground_truth") and not raw.get("was_cancelled"):
            marked = "marked as ground truth"
            if options.gold == "drop":
                gathered.left_out("annotation", f"{marked} left out")
                return False
            apart = Advice.of(f"{marked} kept as the author's (", ReaderHint("gold", "apart"), " parts them)")
            taken = f"{marked} taken as those of {GROUND_TRUTH!r}"
            gathered.noticed("annotation", apart if options.gold == "keep" else taken)
            if options.gold == "apart":
                annotation.annotator = GROUND_TRUTH
        return True

    def _reviewed(self, raw: Mapping[str, object]) -> bool:
        """Whether an annotation counts by what reviewers said of it."""
        reviews = [review for review in list_in(raw, "reviews") if isinstance(review, dict)]
        if any(_is_fix(review) for review in reviews):
            changed = "that a reviewer changed"
            words = Advice.of(f"{changed} kept as it is now (", ReaderHint("reviews", "before"), " takes what it was)")
            before = self.options.reviews == "before"
            self.gathered.noticed("annotation", f"{changed} taken as it was before" if before else words)
        if self.options.reviews != "accepted":
            return True
        latest = max(reviews, key=lambda review: str(review.get("created_at", "")), default={})
        accepted = bool(latest.get("accepted"))
        self.gathered.left_out("annotation", "that no reviewer accepted left out", not accepted)
        return accepted

    def _count(self, task: Mapping[str, object]) -> None:
        self.gathered.left_out("draft", times=len(list_in(task, "drafts")))
        if not self.options.predictions:
            words = Advice.of("of models left out (", ReaderHint("predictions", value=True), " adds them)")
            self.gathered.left_out("prediction", words, len(list_in(task, "predictions")))

    def _item(self, task: Mapping[str, object], where: str, number: int) -> Hashable:
        if self._taken_by in {"id", "inner_id"}:
            name = task.get(self._taken_by, number)
            if not isinstance(name, str | int):
                raise FormatError(f"{where}: expected a number or a name in {self._taken_by!r}, found {name!r:.60}")
            return name
        data = task.get("data")
        if not isinstance(data, dict):
            raise FormatError(f"{where}: expected what the task shows in an object 'data', found {data!r:.60}")
        if self._taken_by == "data":
            return name_of(data)
        if self._taken_by not in data:
            by_id, by_data = Hint("item", "id"), Hint("item", "data")
            raise UnknownName(
                f"{where}: what it shows has no entry {self._taken_by!r} to call it by; it has {listing(data)}. "
                f"Take one of them, {by_id}, or {by_data} for all of them",
                hints=[by_id, by_data],
            )
        entry = data[self._taken_by]
        return entry if isinstance(entry, str | int) else json.dumps(entry, ensure_ascii=False, sort_keys=True)

    def _same(self, item: Hashable, data: Mapping[str, object], where: str) -> None:
        """An error where a task of the same number shows something else: numbers are those of one project."""
        if self._taken_by not in {"id", "inner_id"}:
            return
        before, shown = self._shown.setdefault(item, (where, data))
        if shown is data or shown == data:
            return
        here, there = _shown(data), _shown(shown)
        common = here.keys() & there.keys()
        if any(here[name] != there[name] for name in common) or (here and there and not common):
            by_data = Hint("item", "data")
            name = next((name for name in here if name in common and here[name] != there[name]), None)
            told = [f"{entries if name is None else entries[name]!r}"[:60] for entries in (here, there)]
            raise DataError(
                f"{where}: the task shows {told[0]}, and task {item} in {before.rpartition(', task ')[0]} shows "
                f"{told[1]}; a number stands for different tasks in different projects, so pass {by_data} to join "
                "tasks by what they show",
                hints=[by_data],
            )

    def _join(self, annotations: list[TaskAnnotation]) -> None:
        """Join the tasks of several projects by what they show, where their numbers have nothing in common."""
        shown: dict[Hashable, str] = {}  # by number of the task
        by_name: dict[str, set[Hashable]] = {}
        for annotation in annotations:
            if annotation.item not in shown:
                data = self._shown[annotation.item][1]
                shown[annotation.item] = name_of(data) if data else f"task {annotation.item}"
                by_name.setdefault(shown[annotation.item], set()).add(annotation.item)
        common = sum(len(numbers) > 1 for numbers in by_name.values())
        if not common:
            return
        files: dict[Hashable, set[str]] = {}  # by number of the task
        people: dict[tuple[str, str], set[Hashable]] = {}
        within: Counter[tuple[str, str]] = Counter()
        for annotation in annotations:
            files.setdefault(annotation.item, set()).add(annotation.where.partition(", task ")[0])
            people.setdefault((shown[annotation.item], annotation.annotator), set()).add(annotation.item)
        for item, names in files.items():
            within.update((file, shown[item]) for file in names)
        apart = max(map(len, files.values())) == 1 and max(within.values()) == 1
        if not apart:  # numbers are shared, so they mean something, or a project shows the same twice
            return
        same = f"tasks of different files show the same, {common:,} in all, and have different numbers"
        by_data, by_file, by_id = Hint("item", "data"), Hint("annotator", "{file}"), Hint("item", "id")
        if max(map(len, people.values())) > 1:
            told = Advice.of(same, ", by the same annotators: with ", by_data, " they are one, and with ", by_file)
            self.gathered.note("noticed", Advice.of(told, " files are annotators, too"), common)
            return
        for annotation in annotations:
            annotation.item = shown[annotation.item]
        self._taken_by = "data"
        self.gathered.note("taken", Advice.of(same, ": joined by what they show (", by_id, " parts them)"), common)

    def _named(self, annotations: list[TaskAnnotation]) -> list[TaskAnnotation]:
        """The annotations, each with who made it."""
        people = [annotation for annotation in annotations if not annotation.annotator]
        by = [annotation.by for annotation in people]
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
            self.gathered.note("taken", f"annotators by the {words} of who completed an annotation{because}")
        else:
            self.gathered.note("taken", f"annotators by {self.options.annotator or 'their marks'}")
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
        self.gathered.note("assumed", sentence)
        return annotations


def _of(who: object, name: str) -> str | None:
    """The id or the e-mail address of who completed an annotation."""
    called = who.get(name) if isinstance(who, dict) else who
    if not isinstance(called, str | int) or called == "":
        return None
    known = isinstance(who, dict) or name == "id" or "@" in str(called)
    return str(called) if known else None


def _when(raw: Mapping[str, object]) -> float:
    """When somebody last worked at an annotation, in seconds."""
    for name in ("updated_at", "created_at"):
        date = raw.get(name)
        if isinstance(date, int | float):
            if is_finite(date):
                return float(date)
            continue
        try:
            time = datetime.fromisoformat(str(date))
        except ValueError:
            continue
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    return -math.inf


def _about(task: Mapping[str, object], raw: Mapping[str, object]) -> dict[str, str | float | None]:
    """What else is known of an annotation: when, how long it took, and Label Studio's own agreement."""
    entries = {
        "created_at": raw.get("created_at"),
        "lead_time": raw.get("lead_time"),
        "agreement": task.get("agreement"),
    }
    return {name: entry for name, entry in entries.items() if isinstance(entry, str | int | float)}


def _is_fix(review: Mapping[str, object]) -> bool:
    return review.get("fixed_annotation_history") is not None


def _shown(data: Mapping[str, object]) -> dict[str, object]:
    """What a task shows, wherever its files lie and however they are handed out."""
    return {name: _without_place(entry) if isinstance(entry, str) else entry for name, entry in data.items()}


def _without_place(entry: str) -> str:
    return SIGNED.sub(r"\1", UPLOADED.sub("", entry)) if "/" in entry[:200] else entry


def name_of(data: Mapping[str, object]) -> str:
    """A name for what a task shows, the same in every project."""
    spelled = json.dumps(_shown(data), sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(spelled, digest_size=8).hexdigest()
