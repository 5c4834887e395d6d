"""The annotations of an export: which count, what they are of, and who made them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.values import is_finite
from interagree.errors import Advice, DataError, FormatError, Hint, KindError, ReaderHint, UnknownName, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._rows import list_in
from interagree.readers.label_studio.recognise import LISTS
from interagree.readers.label_studio.results import Project, TaskAnnotation, read_results
from interagree.readers.label_studio.tasks import tasks_of

GROUND_TRUTH = "ground truth"
NAMING = "'email', 'id', '{file}' or '{folder}'"
NUMBERS = ("id", "inner_id")
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
    questions: Sequence[str] | None


def annotations_of(gathered: Gatherer, options: Options) -> list[TaskAnnotation]:
    """One annotation of each item by each annotator, and what was done to choose and name them."""
    shown: dict[Hashable, tuple[str, Mapping[str, object]]] = {}  # by item: where, and what it shows
    every = [one for source in gathered.sources for one in _of_file(gathered, source, options, shown)]
    if not every:
        return []
    _name(gathered, every, options)
    words = {"id": "the number of the task", "data": "what the task shows"}
    taken_by = options.item or "id"
    if options.item is None and len(gathered.sources) > 1 and _joined(gathered, every, shown):
        taken_by = "data"
    rows = [Mark("", one.item, one.annotator, one, one.where, one.time) for one in every]
    kept, steps = gathered.once(rows, "annotation", "of a task by one person", "annotated item")
    gathered.steps += steps
    gathered.note("taken", f"items by {words.get(taken_by, taken_by)}")
    return [row.value for row in kept]


def _of_file(
    gathered: Gatherer, source: Source, options: Options, shown: dict[Hashable, tuple[str, Mapping[str, object]]]
) -> Iterator[TaskAnnotation]:
    projects: dict[object, Project] = {}
    for number, placed in enumerate(tasks_of(source, options.questions, gathered.steps), start=1):
        task = placed.task
        if not isinstance(task, dict):
            raise FormatError(f"{source.name}, task {number}: expected an object, found {task!r:.60}")
        name = f"{source.name}, task {task.get('id', number)}"
        key, listed = _listed(task, name, options)
        gathered.left_out("draft", times=len(list_in(task, "drafts")))
        if not options.predictions:
            words = Advice.of("of models left out (", ReaderHint("predictions", value=True), " adds them)")
            gathered.left_out("prediction", words, len(list_in(task, "predictions")))
        data = given if isinstance(given := task.get("data"), dict) else {}
        item = _item(task, name, number, options.item or "id")
        if (options.item or "id") in NUMBERS:
            _check_same(item, data, name, *shown.setdefault(item, (name, data)))
        named = task["project"] if isinstance(task.get("project"), str | int) else None
        project = projects.setdefault(named, Project(source.name, named))
        for at, raw in enumerate([*listed, *_models(task, name, options)]):
            where = f"{name}, annotation {raw.get('id', '?') if isinstance(raw, dict) else '?'}"
            if not isinstance(raw, dict) or not isinstance(raw.get("result"), list):
                raise FormatError(f"{where}: expected an object with a list 'result', found {raw!r:.60}")
            is_model = at >= len(listed)
            path = f"/predictions/{at - len(listed)}" if is_model else f"/{key}/{at}"
            pointer = placed.where if placed.is_row else placed.where + path
            model = str(raw.get("model_version") or "model")
            who = model if is_model else _who(gathered, raw, source, options)
            if who is not None:
                by, about = raw.get("completed_by"), _about(task, raw)
                one = TaskAnnotation(where, pointer, item, who, data, about, by, _when(raw), project)
                read_results(one, _results_of(raw, options))
                yield one


def _listed(task: Mapping[str, Any], where: str, options: Options) -> tuple[str, list[Any]]:
    """The annotations of a task, with the name of their list; none where it waits for people, and models count."""
    key = next((key for key in LISTS if task.get(key) is not None), LISTS[0])
    listed = task.get(key)
    if listed is None and options.predictions and list_in(task, "predictions"):
        return key, []
    if listed is None and list_in(task, "predictions"):
        models = ReaderHint("predictions", value=True)
        raise FormatError(f"{where}: no annotations, only predictions of models; {models} reads these", hints=[models])
    if not isinstance(listed, list):
        raise FormatError(
            f"{where}: expected a list 'annotations', found {'none' if listed is None else repr(listed)[:60]}; "
            f"the task has {listing(task)}"
        )
    return key, listed


def _models(task: Mapping[str, object], where: str, options: Options) -> list[Any]:
    models = list_in(task, "predictions") if options.predictions else []
    if any(isinstance(model, int) for model in models):
        raise FormatError(
            f"{where}: the file holds the numbers of predictions and not what they predict; read the project from "
            "its server, as label-studio://HOST/PROJECT, or make a snapshot with predictions under Export"
        )
    return models


# -- which annotations count ----------------------------------------------------------------------------------


def _who(gathered: Gatherer, raw: Mapping[str, object], source: Source, options: Options) -> str | None:
    """Who made an annotation, empty where that is told by who completed it; None for one that does not count."""
    reviews = [review for review in list_in(raw, "reviews") if isinstance(review, dict)]
    gathered.left_out("earlier state", "of annotations (history) left out", len(list_in(raw, "history")))
    gathered.left_out("review", times=len(list_in(raw, "reviews")))
    skipped, is_gold = bool(raw.get("was_cancelled")), bool(raw.get("ground_truth"))
    if skipped and gathered.drops("skipped annotation", "(was_cancelled)", usual="drop", cancelled=options.cancelled):
        return None
    if any(map(_is_fix, reviews)):
        now = Advice.of("kept as it is now (", ReaderHint("reviews", "before"), " takes what it was)")
        done = "taken as it was before" if options.reviews == "before" else now
        gathered.noticed("annotation", Advice.of("that a reviewer changed ", done))
    latest = max(reviews, key=lambda review: str(review.get("created_at", "")), default={})
    if options.reviews == "accepted" and not latest.get("accepted"):
        gathered.left_out("annotation", "that no reviewer accepted left out")
        return None
    if is_gold and not skipped:
        marked = "marked as ground truth"
        if options.gold == "drop":
            gathered.left_out("annotation", f"{marked} left out")
            return None
        apart = Advice.of(f"{marked} kept as the author's (", ReaderHint("gold", "apart"), " parts them)")
        taken = f"{marked} taken as those of {GROUND_TRUTH!r}"
        gathered.noticed("annotation", apart if options.gold == "keep" else taken)
        if options.gold == "apart":
            return GROUND_TRUTH
    if options.annotator is not None and "{" in options.annotator:
        return fill_pattern(options.annotator, pattern_words(source), option="annotator")
    return ""


def _is_fix(review: Mapping[str, object]) -> bool:
    return review.get("fixed_annotation_history") is not None


def _results_of(raw: Mapping[str, Any], options: Options) -> list[object]:
    """What an annotation holds; before a reviewer changed it, where that is asked for."""
    for review in list_in(raw, "reviews") if options.reviews == "before" else ():
        if isinstance(review, dict) and _is_fix(review):
            before = review.get("previous_annotation_history_result")
            if isinstance(before, list):
                return before
    return list_in(raw, "result")


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
    entries = {name: raw.get(name) for name in ("created_at", "lead_time")} | {"agreement": task.get("agreement")}
    return {name: entry for name, entry in entries.items() if isinstance(entry, str | int | float)}


# -- of what they are -----------------------------------------------------------------------------------------


def _item(task: Mapping[str, Any], where: str, number: int, taken_by: str) -> Hashable:
    if taken_by in NUMBERS:
        name = task.get(taken_by, number)
        if not isinstance(name, str | int):
            raise FormatError(f"{where}: expected a number or a name in {taken_by!r}, found {name!r:.60}")
        return name
    data = task.get("data")
    if not isinstance(data, dict):
        raise FormatError(f"{where}: expected what the task shows in an object 'data', found {data!r:.60}")
    if taken_by == "data":
        return name_of(data)
    if taken_by not in data:
        by_id, by_data = Hint("item", "id"), Hint("item", "data")
        raise UnknownName(
            f"{where}: what it shows has no entry {taken_by!r} to call it by; it has {listing(data)}. "
            f"Take one of them, {by_id}, or {by_data} for all of them",
            hints=[by_id, by_data],
        )
    entry = data[taken_by]
    return entry if isinstance(entry, str | int) else json.dumps(entry, ensure_ascii=False, sort_keys=True)


def _check_same(
    item: Hashable, data: Mapping[str, object], where: str, before: str, shown: Mapping[str, object]
) -> None:
    """An error where a task of the same number shows something else: numbers are those of one project."""
    if shown is data or shown == data:
        return
    here, there = _shown(data), _shown(shown)
    common = here.keys() & there.keys()
    name = next((name for name in here if name in common and here[name] != there[name]), None)
    if name is not None or (here and there and not common):
        by_data = Hint("item", "data")
        told = [f"{entries if name is None else entries[name]!r}"[:60] for entries in (here, there)]
        raise DataError(
            f"{where}: the task shows {told[0]}, and task {item} in {before.rpartition(', task ')[0]} shows "
            f"{told[1]}; a number stands for different tasks in different projects, so pass {by_data} to join "
            "tasks by what they show",
            hints=[by_data],
        )


def _joined(
    gathered: Gatherer, annotations: Sequence[TaskAnnotation], shown: Mapping[Hashable, tuple[str, Any]]
) -> bool:
    """Whether the tasks of several projects, whose numbers have nothing in common, are joined by what they show."""
    names = {
        item: name_of(shown[item][1]) if shown[item][1] else f"task {item}"
        for item in dict.fromkeys(one.item for one in annotations)
    }
    common = sum(times > 1 for times in Counter(names.values()).values())
    files = {(one.item, one.project.file) for one in annotations}
    # Where numbers are shared they mean something, and where a project shows the same twice they tell it apart.
    if not common or len(files) > len(names) or len({(names[item], file) for item, file in files}) < len(files):
        return False
    same = f"tasks of different files show the same, {common:,} in all, and have different numbers"
    by_data, by_file, by_id = Hint("item", "data"), Hint("annotator", "{file}"), Hint("item", "id")
    people = {(one.item, one.annotator) for one in annotations}
    if len({(names[item], who) for item, who in people}) < len(people):
        told = Advice.of(same, ", by the same annotators: with ", by_data, " they are one, and with ", by_file)
        gathered.note("noticed", Advice.of(told, " files are annotators, too"), common)
        return False
    for one in annotations:
        one.item = names[one.item]
    gathered.note("taken", Advice.of(same, ": joined by what they show (", by_id, " parts them)"), common)
    return True


def _shown(data: Mapping[str, object]) -> dict[str, object]:
    """What a task shows, wherever its files lie and however they are handed out."""
    return {
        name: SIGNED.sub(r"\1", UPLOADED.sub("", entry)) if isinstance(entry, str) and "/" in entry[:200] else entry
        for name, entry in data.items()
    }


def name_of(data: Mapping[str, object]) -> str:
    """A name for what a task shows, the same in every project."""
    spelled = json.dumps(_shown(data), sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(spelled, digest_size=8).hexdigest()


# -- who made them --------------------------------------------------------------------------------------------


def _name(gathered: Gatherer, annotations: Sequence[TaskAnnotation], options: Options) -> None:
    """Give every annotation its annotator, and say how."""
    people = [one for one in annotations if not one.annotator]
    unknown = [one for one in people if _of(one.by, "id") is None]
    if unknown:
        _name_by_file(gathered, annotations, unknown)
        return
    pairs = {(_of(one.by, "id"), _of(one.by, "email")) for one in people}
    emails = {email for _, email in pairs if email is not None}
    telling = len(emails) == len(pairs) and all(email is not None for _, email in pairs)
    wanted = options.annotator or ("email" if telling else "id")
    if wanted not in {"email", "id"} and people:
        raise KindError(f"annotator must be {NAMING}, got {options.annotator!r}")
    for one in people:
        name = _of(one.by, wanted)
        if name is None:
            by_id = Hint("annotator", "id")
            raise DataError(f"{one.where}: who completed it has no {wanted}; take {by_id}", hints=[by_id])
        one.annotator = name
    because = " (e-mail addresses do not tell people apart)" if emails and not telling else ""
    words = f"the {'e-mail address' if wanted == 'email' else 'id'} of who completed an annotation{because}"
    gathered.note("taken", f"annotators by {words if people else options.annotator or 'their marks'}")


def _name_by_file(gathered: Gatherer, annotations: Sequence[TaskAnnotation], unknown: Sequence[TaskAnnotation]) -> None:
    """Take a file that names nobody for one annotator's; an error where it matters who is who."""
    several = max(Counter(one.item for one in unknown).values()) > 1
    if len(gathered.sources) > 1 or several or len(unknown) < len(annotations):
        by_file = Hint("annotator", "{file}")
        raise DataError(
            f"{unknown[0].where}: the file does not say who completed it; export the project with user details, "
            f"or, where each file is of one annotator, pass {by_file}",
            hints=[by_file],
        )
    owner = gathered.sources[0].stem
    for one in unknown:
        one.annotator = owner
    sentence = f"nobody is named, so all annotations are those of {owner!r}, by the name of the file"
    gathered.note("assumed", sentence)


def _of(who: object, name: str) -> str | None:
    """The id or the e-mail address of who completed an annotation."""
    called = who.get(name) if isinstance(who, dict) else who
    if not isinstance(called, str | int) or called == "":
        return None
    known = isinstance(who, dict) or name == "id" or "@" in str(called)
    return str(called) if known else None
