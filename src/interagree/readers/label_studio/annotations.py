"""The annotations of an export: of which tasks they are, which of them count, and who made them.

The JSON export has tasks with annotations with results.  The short forms, JSON_MIN, CSV and TSV, have a row for each
annotation and a column for each control; they are turned into tasks of one annotation each.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, NamedTuple

from interagree.data.files import HEAD, Source, parse_json
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step
from interagree.data.streaming import json_elements
from interagree.data.values import is_finite
from interagree.errors import (
    Advice,
    DataError,
    FormatError,
    Hint,
    KindError,
    ReaderHint,
    UnknownName,
    expected,
    listing,
)
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._rows import list_in, table_rows
from interagree.readers.label_studio.recognise import LISTS, SHORT
from interagree.readers.label_studio.results import ANSWERS, LabelStudioProject, TaskAnnotation, read_results

SIZES = ("original_width", "original_height")
ABOUT = frozenset({*SHORT, "created_at", "updated_at", "agreement"})
GROUND_TRUTH = "ground truth"
NAMING = "'email', 'id', '{file}' or '{folder}'"
NUMBERS = ("id", "inner_id")
# A file that was uploaded to two projects lies at two places.
UPLOADED = re.compile(
    r"^/?(?:data/)?upload/\d+/(?:[0-9a-f]{8}-)?|^\S*/(?:tasks|projects)/\d+/(?:resolve|presign)/(?=\?)"
)
# A file in the cloud is handed out under an address that is signed anew each time.
SIGNED = re.compile(r"^(https?://[^\s?]+)\?\S*\b(?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=\S*$")


class LabelStudioOptions(NamedTuple):
    """What a caller said."""

    item: str | None
    annotator: str | None
    cancelled: str
    gold: str
    reviews: str
    predictions: bool
    questions: Sequence[str] | None


def annotations_of(gathered: Gatherer, options: LabelStudioOptions) -> list[TaskAnnotation]:
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
    gathered: Gatherer,
    source: Source,
    options: LabelStudioOptions,
    shown: dict[Hashable, tuple[str, Mapping[str, object]]],
) -> Iterator[TaskAnnotation]:
    projects: dict[object, LabelStudioProject] = {}
    for number, placed in enumerate(tasks_of(source, options.questions, gathered.steps), start=1):
        task = placed.task
        if not isinstance(task, dict):
            raise expected(f"{source.name}, task {number}", "an object", task)
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
        project = projects.setdefault(named, LabelStudioProject(source.name, named))
        for at, raw in enumerate([*listed, *_models(task, name, options)]):
            where = f"{name}, annotation {raw.get('id', '?') if isinstance(raw, dict) else '?'}"
            if not isinstance(raw, dict) or not isinstance(raw.get("result"), list):
                raise expected(where, "an object with a list 'result'", raw)
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


def _listed(task: Mapping[str, Any], where: str, options: LabelStudioOptions) -> tuple[str, list[Any]]:
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


def _models(task: Mapping[str, object], where: str, options: LabelStudioOptions) -> list[Any]:
    models = list_in(task, "predictions") if options.predictions else []
    if any(isinstance(model, int) for model in models):
        raise FormatError(
            f"{where}: the file holds the numbers of predictions and not what they predict; read the project from "
            "its server, as label-studio://HOST/PROJECT, or make a snapshot with predictions under Export"
        )
    return models


# -- tasks ----------------------------------------------------------------------------------------------------


class PlacedAnswer(NamedTuple):
    """A task or a row, with the place where it stands."""

    where: str
    task: Any
    is_row: bool = False  # of a short form: then its place is that of its annotation


def tasks_of(source: Source, questions: Sequence[str] | None, steps: list[Step]) -> Iterator[PlacedAnswer]:
    """The tasks of a file, one by one."""
    with source.open() as stream:
        sign = stream.read(HEAD).removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if source.suffix in {".csv", ".tsv"} or (source.path is None and sign not in {b"[", b"{"}):
        rows = [
            PlacedAnswer(where, {name: _cell(cell) for name, cell in row.items()})
            for where, row in table_rows(source, steps)
        ]
        yield from _of_short(source, rows, questions, ordered=False)
        return
    listed = sign == b"["
    elements = (
        PlacedAnswer(f"{source.name}, /{at}" if listed else f"{source.name}, ", e)
        for at, e in enumerate(json_elements(source))
    )
    placed = (one for element in elements for one in _inside(element))
    first = [*islice(placed, 1)]
    if first and not listed and not isinstance(first[0].task, dict):
        raise expected(source.name, "a list of tasks, as Label Studio exports them", first[0].task)
    if first and listed and isinstance(first[0].task, dict) and SHORT - {"lead_time"} <= first[0].task.keys():
        yield from _of_short(source, [*first, *placed], questions, ordered=True)
    else:
        yield from chain(first, placed)


def _inside(placed: PlacedAnswer) -> Iterator[PlacedAnswer]:
    """A task; or those of a page or a project of the server, which has a list of them under some name."""
    where, task, _ = placed
    if isinstance(task, dict) and "data" not in task and not task.keys() & {*LISTS}:
        for name, entry in task.items():
            if isinstance(entry, list) and any(isinstance(one, dict) and one.keys() & {*LISTS} for one in entry):
                yield from (PlacedAnswer(f"{where}/{name}/{at}", one) for at, one in enumerate(entry))
                return
    yield placed


# -- short forms ----------------------------------------------------------------------------------------------


def _cell(entry: object) -> Any:
    if isinstance(entry, str) and entry[:1] in {"[", "{"}:
        with suppress(ValueError):
            return parse_json(entry)
    return entry


def _of_short(
    source: Source, rows: Sequence[PlacedAnswer], questions: Sequence[str] | None, *, ordered: bool
) -> Iterator[PlacedAnswer]:
    """The rows of a short form as tasks of one annotation each."""
    for number, (_, row, _) in enumerate(rows, start=1):
        if not isinstance(row, dict) or "annotator" not in row or "id" not in row:
            raise expected(f"{source.name}, row {number}", "an object with 'id' and 'annotator'", row)
    # In JSON the answers stand between the id and the annotator; the columns of a table are in order of their names,
    # and answers are those whose cells are written as answers, or differ between annotators of one task.
    answers = (_between if ordered else _differing)([row for _, row, _ in rows])
    columns = questions or answers
    if not columns:
        example = Hint("value", "sentiment")
        raise FormatError(
            f"{source.name}: no column is plainly one of answers; name it, as in {example}, or export the "
            "project as JSON, which says what is what",
            hints=[example],
        )
    for name in columns:
        if not any(name in row for _, row, _ in rows):
            raise UnknownName(f"{source.name} has no column {name!r}; it has {listing(rows[0].task)}")
    other = {*ABOUT, *columns, *answers}
    for where, row, _ in rows:
        results = [result for name in columns for result in _results(name, row.get(name))]
        annotation = {**row, "id": row.get("annotation_id"), "completed_by": row["annotator"], "result": results}
        data = {name: entry for name, entry in row.items() if name not in other}
        task = {"id": row["id"], "data": data, "annotations": [annotation], "agreement": row.get("agreement")}
        yield PlacedAnswer(where, task, is_row=True)


def _between(rows: Sequence[Mapping[str, object]]) -> list[str]:
    names: dict[str, None] = {}
    for row in rows:
        keys = list(row)
        names |= dict.fromkeys(keys[keys.index("id") + 1 : keys.index("annotator")])
    return [name for name in names if name not in ABOUT]


def _differing(rows: Sequence[Mapping[str, object]]) -> list[str]:
    names = dict.fromkeys(name for row in rows for name in row if name not in ABOUT)
    first: dict[str, Mapping[str, object]] = {}
    differing = set()
    for row in rows:
        before = first.setdefault(str(row["id"]), row)
        differing |= {name for name in names if _is_answer(row.get(name)) or row.get(name, "") != before.get(name, "")}
    return [name for name in names if name in differing]


def _is_answer(entry: object) -> bool:
    result = entry[0] if isinstance(entry, list) and entry else entry
    return isinstance(result, dict) and any(
        name in ANSWERS or name.endswith("labels") or name == SIZES[0] for name in result
    )


def _results(name: str, entry: Any) -> Iterator[dict[str, object]]:
    """An entry of a short form as the results that it was made from."""
    if entry is None or entry in ("", []):
        return
    if isinstance(entry, list) and all(isinstance(result, str) for result in entry):
        entry = {"choices": entry}
    for result in entry if isinstance(entry, list) else [entry]:
        kind = "number" if isinstance(result, int | float) else "choices"
        value = result if isinstance(result, dict) else {kind: result if kind == "number" else [str(result)]}
        if isinstance(result, dict):
            answer = next((kind for kind, (within, *_) in ANSWERS.items() if within in result), "")
            labels = next((key for key in result if key.endswith("labels")), "")
            kind = labels or ("" if "start" in result or "x" in result else answer)
        sizes = {key: value[key] for key in SIZES if key in value}
        yield {"type": kind, "value": value, "from_name": name, "to_name": "", **sizes}


# -- which annotations count ----------------------------------------------------------------------------------


def _who(gathered: Gatherer, raw: Mapping[str, object], source: Source, options: LabelStudioOptions) -> str | None:
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


def _results_of(raw: Mapping[str, Any], options: LabelStudioOptions) -> list[object]:
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
            raise expected(where, f"a number or a name in {taken_by!r}", name)
        return name
    data = task.get("data")
    if not isinstance(data, dict):
        raise expected(where, "what the task shows in an object 'data'", data)
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


def _name(gathered: Gatherer, annotations: Sequence[TaskAnnotation], options: LabelStudioOptions) -> None:
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
