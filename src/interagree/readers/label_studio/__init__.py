"""Label Studio: the JSON export of a project, and its short forms JSON_MIN, CSV and TSV.

Every control of the labelling interface (``from_name``) is a question of the study.  Labels on a text are spans, on a
recording spans in seconds; rectangles are boxes, or boxes at an angle where one is turned; polygons and keypoints are
what they are called.  Choices and taxonomies are labels, or sets of labels where somebody chose several; a path of a
taxonomy is written with its parents, as *Killed > Feloniously Killed*.  Ratings and numbers are numbers, text areas
texts.  Relations between spans are the question ``relations``.

**Who looked.** An annotation with nothing in it says that somebody looked and marked nothing: an empty list for every
question of regions.  A choice that nobody made is no answer, and there is no row for it; both are counted.

**What is left out**, and counted: skipped tasks (``was_cancelled``), drafts, predictions, the history of annotations
and reviews.  Of two annotations of one task by one person the newer one counts.  ``ground_truth`` only marks an
annotation; it is kept as its author's.

**Regions.** A region and its label may be two results with one id; they are one region.  What was answered about a
region (choices, ratings and so on with its id) is kept in the features of a span.  A region with several labels is one
region for each label.  Places are percents in the file and pixels here.  A turned rectangle is turned about its upper
left corner.

**Offsets** are checked against the text that the file says is covered, span by span: one whose characters do not fit is
tried in UTF-16 units, as JavaScript counts.  One that fits neither way is counted as the others of its annotation are.
A span that ends where it begins covers nothing: it is left out, counted, and said with every number (``points="keep"``
keeps it).

Brushes, ellipses, videos, and regions of HTML or dialogues without global offsets are not read; they are counted.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, files_in, fill_pattern, pattern_words, unread_files
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.units import DocumentTexts, Unit, UnitOptions, annotations_of_units, check_options
from interagree.errors import (
    DataError,
    DuplicateAnnotation,
    FormatError,
    Hint,
    KindError,
    UnknownName,
    listing,
    suggestion,
)
from interagree.plugins import KINDS
from interagree.readers.label_studio.regions import (
    ANSWERS,
    SETS,
    SHORT,
    Looked,
    Region,
    Relation,
    TextsOfTasks,
    described,
    name_of,
    region_of,
    tasks_of,
    uncollected,
    when,
)

SUFFIXES = (".json", ".csv", ".tsv")
HEAD = 1 << 16  # bytes by which an export is recognised
MOST = 1 << 23  # or so many, where these do not tell
LISTS = ("annotations", "completions")  # what annotations are called, now and before version 1.0
RELATIONS = "relations"
GROUND_TRUTH = "ground truth"
NAMING = "'email', 'id', '{file}' or '{folder}'"
KINDS_OF_SHAPES = {"span": "spans", "box": "boxes", "polygon": "polygons", "keypoint": "keypoints"}
CHOICES: dict[str, tuple[str, ...]] = {
    "cancelled": ("drop", "keep"),
    "duplicates": ("last", "first", "error"),
    "gold": ("keep", "drop", "apart"),
}


class How(NamedTuple):
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


# -- recognising a file -------------------------------------------------------------------------------------

PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]|[^\s{}\[\],:"]+')


def recognised(path: Path) -> bool:
    """Whether a file can only be an export of Label Studio."""
    if path.is_dir():
        return False
    try:
        source = Source.of(path)
        with source.open() as stream:
            head = stream.read(HEAD)
            if source.suffix != ".json":
                return _is_short_table(head.decode("utf-8-sig", "ignore"))
            told = _is_export(head)
            if told is None and len(head) == HEAD:
                told = _is_export(head + stream.read(MOST - HEAD))
    except (OSError, EOFError, ValueError):
        return False
    return bool(told)


def _is_short_table(head: str) -> bool:
    first = next(iter(head.splitlines()), "")
    return any(set(next(csv.reader([first], delimiter=sign), [])) >= SHORT for sign in ",\t")


def _is_export(head: bytes) -> bool | None:
    """Whether the start of a JSON file is that of an export; None where it does not tell."""
    task: dict[str, bytes] = {}  # what each entry of the task begins with
    for path, part in _walked(head):
        inner = path[1:] if path[:1] == ("",) else path
        if part == b"[" and len(inner) == 3 and inner[0] in LISTS and inner[1:] == ("", "result"):
            return True
        if len(inner) == 1 and inner[0]:
            task[inner[0]] = part
        elif not inner and part == b"}":
            told = _tells(task)
            if told is not None:
                return told
            task = {}
        elif not inner and part not in {b"{", b"["}:
            return False
    return None if _may_be(task) else False


def _walked(head: bytes) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """Where each bracket and each plain entry of JSON stands, and what it begins with.

    A place is the keys that lead to it; the entries of a list have no name.
    """
    keys: list[str] = []
    lists: list[bool] = []
    said = b""
    for match in PARTS.finditer(head.removeprefix(b"\xef\xbb\xbf")):
        part = match[0]
        if part == b":":
            keys[-1:] = [said.strip(b'"').decode("utf-8", "ignore")]
            said = b""
        elif part in {b"{", b"["}:
            yield tuple(keys), part
            keys.append("")
            lists.append(part == b"[")
        elif part in {b"}", b"]"}:
            if not lists:
                return
            lists.pop()
            keys.pop()
            yield tuple(keys), part
            keys[-1:] = [""] if keys else []
        elif not lists:
            yield (), part
            return
        elif lists[-1] or keys[-1]:
            yield tuple(keys), part
            keys[-1] = ""
        said = part


def _tells(task: Mapping[str, bytes]) -> bool | None:
    """Whether a whole object is a task that nobody annotated, or a row of a short form; None where it may be."""
    if task.keys() >= SHORT:
        return True
    if not _may_be(task) or not any(name in task for name in LISTS) or "data" not in task:
        return False
    return True if task.keys() >= {"id", "predictions"} else None


def _may_be(task: Mapping[str, bytes]) -> bool:
    """Whether what was seen of an object fits a task: a list of annotations, an object of data, or the one so far."""
    lists = [task[name] in {b"[", b"]"} for name in LISTS if name in task]
    shows = [task["data"] in {b"{", b"}"}] if "data" in task else []
    return bool(lists or shows) and all(lists + shows)


# -- the reader ---------------------------------------------------------------------------------------------


@reader("Label Studio", suffixes=SUFFIXES, sniff=recognised, together=True)
def label_studio(
    path: Paths,
    *,
    item: str = "id",
    annotator: str | None = None,
    duplicates: str = "last",
    cancelled: str = "drop",
    gold: str = "keep",
    predictions: bool = False,
    multiple: Sequence[str] = (),
    questions: Sequence[str] | None = None,
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    **options: Any,
) -> Study:
    """The tasks of a project, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "id", the number of the task; "data", what it shows, for projects that hold the same tasks; or the name
            of an entry of what it shows.
        annotator: "email" or "id" of who completed an annotation; "{file}" or "{folder}" for a project of each
            annotator.  By default the e-mail address where that tells people apart, else the id.
        duplicates: Of several annotations of a task by one person take the "last" one by date, the "first", or stop
            with an "error".
        cancelled: "drop" or "keep" tasks that were skipped.
        gold: "keep" annotations that are marked as ground truth, "drop" them, or put them "apart" as those of an
            annotator called 'ground truth'.
        predictions: Whether models count as annotators, called by their version.
        multiple: Questions that take several answers, also where nobody gave more than one.
        questions: Those to read; in short forms, the columns that hold answers, where that cannot be told.
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" spans without length.
        options: ``value`` is another word for ``questions``.
    """
    questions = options.pop("value", questions)
    known = ("item", "annotator", "cancelled", "gold", "predictions", "multiple", "questions")
    check_options("Label Studio", options, known)
    for name, given in (("duplicates", duplicates), ("cancelled", cancelled), ("gold", gold)):
        if given not in CHOICES[name]:
            raise KindError(f"{name} must be {listing(CHOICES[name])}, got {given!r}")
    named = (multiple,) if isinstance(multiple, str) else tuple(multiple)
    columns = (questions,) if isinstance(questions, str) else None if questions is None else tuple(questions)
    units = UnitOptions(looked, points, once=True)
    how = How(item, annotator, cancelled, duplicates, gold, bool(predictions), named, columns, units)
    if annotator is not None and not isinstance(annotator, str):
        raise KindError(f"annotator must be {NAMING}, got {annotator!r}")
    sources = _sources(path)
    with uncollected():
        return Making(sources, how, unread_files(path, sources, deep=False)).study()


def _sources(path: Paths) -> list[Source]:
    """The files to read; of a folder the JSON files, or the tables of Label Studio where there are none."""
    found: list[Source] = []
    for one in as_list(path):
        folder = None if isinstance(one, Source) or not Path(one).is_dir() else Path(one)
        tables = [] if folder is None else [file for file in sorted(folder.iterdir()) if _is_table(file)]
        if (
            tables
            and folder is not None
            and not any(Source.of(file).suffix == ".json" for file in folder.iterdir())
        ):
            found += map(Source.of, tables)
        else:
            found += files_in(one, (".json",))
    return found


def _is_table(file: Path) -> bool:
    return file.is_file() and Source.of(file).suffix in (".csv", ".tsv") and recognised(file)


# -- making the study ---------------------------------------------------------------------------------------


class Making:
    """A study in the making: what was found in files, and what was done to it."""

    def __init__(self, sources: Sequence[Source], how: How, steps: Iterable[Step] = ()) -> None:
        self.sources, self.how = sources, how
        self.counts: Counter[str] = Counter()  # what is left out, by the words for it
        self.not_read: Counter[str] = Counter()
        self.types: dict[str, str] = {}  # of questions that are answered
        self.shown: dict[str, str] = {}  # by question, the name of what it is about
        self.steps: list[Step] = [*steps]
        self.looked: list[Looked] = []

    def study(self) -> Study:
        """All questions."""
        found = [one for source in self.sources for one in self._annotations(source)]
        if not found:
            raise FormatError(f"{self._files()}: there is no annotation to read{self._why()}")
        self.looked = self._once(self._named(found))
        for one in self.looked:
            self._read(one)
        texts = TextsOfTasks(self.looked)
        self.steps += [*self._left_out(), *self._items(), *texts.steps]
        made = {**self._regions(texts), **self._answers(texts), **self._relations(texts)}
        if not made:
            raise FormatError(f"{self._files()}: nothing in the annotations can be read{self._why()}")
        made = self._asked(made)
        aside = [step for one in made.values() for step in one.provenance.steps if step.what == "set aside"]
        return Study(made, self._provenance(*aside))

    def _asked(self, made: dict[str, Annotations]) -> dict[str, Annotations]:
        """The questions that were asked for."""
        for name in self.how.questions or ():
            if name not in made:
                raise UnknownName(
                    f"{self._files()}: there is no question {name!r}; there are {listing(made)}."
                    + suggestion(name, made)
                )
        return {name: made[name] for name in self.how.questions or made}

    def _files(self) -> str:
        return listing((one.name for one in self.sources), quote=False, most=4)

    def _why(self) -> str:
        empty = sum(not one.said["result"] for one in self.looked)
        said = [step.sentence for step in self._left_out()]
        said += [f"{counted(empty, 'annotation')} with nothing in it"] if empty else []
        return f" ({', '.join(said)})" if said else ""

    # -- annotations ---------------------------------------------------------------------------------------

    def _annotations(self, source: Source) -> Iterator[Looked]:
        for number, task in enumerate(tasks_of(source, self.how.questions), start=1):
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
            models = _list(task, "predictions") if self.how.predictions else []
            for place_, said in enumerate([*listed, *models]):
                where = f"{name}, annotation {said.get('id', '?') if isinstance(said, dict) else '?'}"
                if not isinstance(said, dict) or not isinstance(said.get("result"), list):
                    raise FormatError(f"{where}: expected an object with a list 'result', found {said!r:.60}")
                one = Looked(where, item, "", task, said)
                if place_ >= len(listed):
                    one.annotator = str(said.get("model_version") or "model")
                elif not self._wanted(one):
                    continue
                elif self.how.annotator is not None and "{" in self.how.annotator:
                    one.annotator = fill_pattern(
                        self.how.annotator, pattern_words(source), option="annotator"
                    )
                yield one

    def _wanted(self, one: Looked) -> bool:
        said = one.said
        self.counts["earlier states of annotations (history) left out"] += len(_list(said, "history"))
        self.counts["reviews left out"] += len(_list(said, "reviews"))
        if said.get("was_cancelled"):
            words = "skipped annotations (was_cancelled)"
            done = "left out (cancelled='keep' keeps them)" if self.how.cancelled == "drop" else "kept"
            self.counts[f"{words} {done}"] += 1
            return self.how.cancelled == "keep"
        if said.get("ground_truth"):
            did = {
                "keep": "kept as their author's (gold='apart' parts them)",
                "drop": "left out",
                "apart": f"taken as those of {GROUND_TRUTH!r}",
            }
            self.counts[f"annotations marked as ground truth {did[self.how.gold]}"] += 1
            if self.how.gold == "apart":
                one.annotator = GROUND_TRUTH
            return self.how.gold != "drop"
        return True

    def _count(self, task: Mapping[str, Any]) -> None:
        self.counts["drafts left out"] += len(_list(task, "drafts"))
        if not self.how.predictions:
            words = "predictions of models left out (predictions=True adds them)"
            self.counts[words] += len(_list(task, "predictions"))

    def _item(self, task: Mapping[str, Any], where: str, number: int) -> Hashable:
        if self.how.item in {"id", "inner_id"}:
            found = task.get(self.how.item, number)
            if not isinstance(found, str | int):
                raise FormatError(
                    f"{where}: expected a number or a name in {self.how.item!r}, found {found!r:.60}"
                )
            return found
        data = task.get("data")
        if not isinstance(data, dict):
            raise FormatError(
                f"{where}: expected what the task shows in an object 'data', found {data!r:.60}"
            )
        if self.how.item == "data":
            return name_of(data)
        if self.how.item not in data:
            by_id, by_data = Hint("item", "id"), Hint("item", "data")
            raise UnknownName(
                f"{where}: what it shows has no entry {self.how.item!r} to call it by; it has {listing(data)}. Take "
                f"one of them, {by_id}, or {by_data} for all of them",
                hints=[by_id, by_data],
            )
        entry = data[self.how.item]
        return (
            entry if isinstance(entry, str | int) else json.dumps(entry, ensure_ascii=False, sort_keys=True)
        )

    def _items(self) -> list[Step]:
        words = {"id": "the number of the task", "data": "what the task shows"}
        return [Step("taken", f"items by {words.get(self.how.item, self.how.item)}")]

    def _named(self, found: list[Looked]) -> list[Looked]:
        """The annotations, each with who made it."""
        people = [one for one in found if not one.annotator]
        by = [one.said.get("completed_by") for one in people]
        pairs = {(_of(who, "id"), _of(who, "email")) for who in by}
        unknown = [one for one, who in zip(people, by, strict=True) if _of(who, "id") is None]
        if unknown:
            return self._nameless(found, unknown)
        emails = {email for _, email in pairs if email is not None}
        telling = len(emails) == len(pairs) and all(email is not None for _, email in pairs)
        wanted = self.how.annotator or ("email" if telling else "id")
        if wanted not in {"email", "id"} and people:
            raise KindError(f"annotator must be {NAMING}, got {self.how.annotator!r}")
        for one, who in zip(people, by, strict=True):
            name = _of(who, wanted)
            if name is None:
                by_id = Hint("annotator", "id")
                raise DataError(f"{one.where}: who completed it has no {wanted}; take {by_id}", hints=[by_id])
            one.annotator = name
        if people:
            told = " (e-mail addresses do not tell people apart)" if emails and not telling else ""
            words = "e-mail address" if wanted == "email" else "id"
            self.steps.append(
                Step("taken", f"annotators by the {words} of who completed an annotation{told}")
            )
        else:
            self.steps.append(Step("taken", f"annotators by {self.how.annotator or 'their marks'}"))
        return found

    def _nameless(self, found: list[Looked], unknown: list[Looked]) -> list[Looked]:
        times = Counter(one.item for one in unknown)
        if (
            len(self.sources) > 1 or max(times.values()) > 1 or len(unknown) < len(found)
        ):  # so who is who matters
            by_file = Hint("annotator", "{file}")
            raise DataError(
                f"{unknown[0].where}: the file does not say who completed it; export the project with user details, "
                f"or, where each file is of one annotator, pass {by_file}",
                hints=[by_file],
            )
        for one in unknown:
            one.annotator = self.sources[0].stem
        said = f"nobody is named, so all annotations are those of {self.sources[0].stem!r}, by the name of the file"
        self.steps.append(Step("assumed", said))
        return found

    def _once(self, found: list[Looked]) -> list[Looked]:
        """One annotation of each item by each annotator."""
        cells: dict[tuple[Hashable, str], list[Looked]] = {}
        for one in found:
            cells.setdefault((one.item, one.annotator), []).append(one)
        extra = len(found) - len(cells)
        if not extra:
            return found
        if self.how.duplicates == "error":
            (item, who), several = next((cell, some) for cell, some in cells.items() if len(some) > 1)
            raise DuplicateAnnotation(
                f"{several[1].where}: {who!r} annotated item {item!r} {len(several)} times, and "
                f"{counted(extra, 'annotation')} repeat another in all; pass duplicates='last' to take the newest"
            )
        newest = self.how.duplicates == "last"
        word = "newest" if newest else "oldest"
        said = f"{counted(extra, 'repeated annotation')} of a task by one person left out (the {word} counts)"
        self.steps.append(Step("dropped", said, extra))
        # Of two of the same time the one further down is the newer one; `sorted` keeps them in order.
        return [sorted(some, key=when)[-1 if newest else 0] for some in cells.values()]

    def _left_out(self) -> list[Step]:
        told = []
        for words, times in self.counts.items():
            if times:
                what = "noticed" if " kept" in words or " taken" in words else "dropped"
                told.append(Step(what, _in_words(times, words), times))
        return [
            *told,
            *(
                Step("dropped", _in_words(times, f"{words} not read"), times)
                for words, times in self.not_read.items()
            ),
        ]

    # -- results -------------------------------------------------------------------------------------------

    def _read(self, one: Looked) -> None:
        """What an annotation holds: regions, answers about regions, answers, relations."""
        regions: dict[str, list[Region]] = {}
        about: list[tuple[str, str, Any, bool]] = []
        relations = []
        for place_, result in enumerate(one.said["result"]):
            kind = str(result.get("type", "")) if isinstance(result, dict) else ""
            if kind == "relation":
                relations.append(result)
                continue
            value = result.get("value") if isinstance(result, dict) else None
            if not isinstance(value, dict):
                raise FormatError(
                    f"{one.where}, result {place_ + 1}: expected an object with a 'value', found {result!r:.60}"
                )
            name = str(result.get("id") or value.get("id") or f"result {place_}")
            if kind in ANSWERS:
                about.append(self._answer(one, name, result))
                continue
            region = region_of(result, f"{one.where}, result {place_ + 1}")
            if region is None:
                self.not_read[described(kind, value)] += 1
                continue
            self.shown.setdefault(region.question, region.shown)
            regions.setdefault(name, []).append(region)
        for name, some in regions.items():  # a region and its labels may be two results
            if len(some) > 1 and any(region.labels for region in some):
                regions[name] = [region for region in some if region.labels]
        self._put(one, regions, about)
        one.regions = [region for some in regions.values() for region in some]
        for relation in relations:
            self._relate(one, regions, relation)

    def _answer(self, one: Looked, name: str, result: Mapping[str, Any]) -> tuple[str, str, Any, bool]:
        kind, value = result["type"], result["value"]
        question = str(result.get("from_name", kind))
        entry, make = ANSWERS[kind]
        try:
            made = make(value[entry])
        except (KeyError, TypeError, ValueError):
            raise FormatError(
                f"{one.where}, {question!r}: expected {kind} in {entry!r}, found {value!r:.60}"
            ) from None
        self.types.setdefault(question, kind)
        self.shown.setdefault(question, str(result.get("to_name", "")).lstrip("$"))
        return name, question, made, bool({"start", "x", "points", "rle", "globalOffsets"} & value.keys())

    def _put(
        self, one: Looked, regions: Mapping[str, list[Region]], about: list[tuple[str, str, Any, bool]]
    ) -> None:
        for name, question, made, on_region in about:
            if name in regions:
                for region in regions[name]:
                    feature = made[0] if isinstance(made, tuple) and len(made) == 1 else made
                    region.features[question] = (
                        tuple(sorted(feature)) if isinstance(feature, tuple) else feature
                    )
            elif on_region:
                self.not_read["answers about regions that are not there"] += 1
            elif question not in one.answers:
                one.answers[question] = made
            elif isinstance(made, tuple) and isinstance(one.answers[question], tuple):
                one.answers[question] += made
            else:
                one.answers[question] = f"{one.answers[question]}\n{made}" if isinstance(made, str) else made

    def _relate(self, one: Looked, regions: Mapping[str, list[Region]], relation: Mapping[str, Any]) -> None:
        ends = [regions.get(str(relation.get(name)), [None])[0] for name in ("from_id", "to_id")]
        head, tail = ends
        if head is None or tail is None or head.shape != "span" or tail.shape != "span":
            words = (
                "relations between regions that are not spans"
                if None not in ends
                else "relations without their ends"
            )
            self.not_read[words] += 1
            return
        if relation.get("direction") == "left":
            head, tail = tail, head
        directed = relation.get("direction") != "bi"
        if not directed:
            head, tail = sorted((head, tail), key=lambda end: (end.place, end.labels))
        for label in _list(relation, "labels") or [None]:
            one.relations.append(Relation(head, tail, None if label is None else str(label), directed))

    # -- questions -----------------------------------------------------------------------------------------

    def _provenance(self, *steps: Step) -> Provenance:
        return Provenance(tuple(one.name for one in self.sources)).then(*self.steps, *steps)

    def _column(
        self, question: str, rows: Sequence[tuple[Looked, Any]], texts: TextsOfTasks, *steps: Step
    ) -> Annotations:
        """A question from its rows: annotations with their values."""
        attributes = _attributes([one for one, _ in rows])
        text = texts.of(self.shown.get(question, ""), [one for one, _ in rows])
        return Annotations.from_columns(
            [one.item for one, _ in rows],
            [one.annotator for one, _ in rows],
            [value for _, value in rows],
            attributes={**attributes, **({"text": text} if text is not None else {})},
            provenance=self._provenance(*steps),
        )

    def _regions(self, texts: TextsOfTasks) -> dict[str, Annotations]:
        shapes: dict[str, dict[str, None]] = {}
        for one in self.looked:
            for region in one.regions:
                shapes.setdefault(region.question, {})[region.shape] = None
        made = {}
        for question, several in shapes.items():
            for shape in several:
                name = (
                    question
                    if len(several) == 1 and question not in self._answered()
                    else f"{question} ({shape})"
                )
                if shape == "span":
                    made[name] = self._spans(question, texts)
                else:
                    made.update(self._objects(name, question, shape, texts))
        return made

    def _answered(self) -> set[str]:
        return {name for one in self.looked for name in one.answers}

    def _spans(self, question: str, texts: TextsOfTasks) -> Annotations:
        columns = tuple(_attributes(self.looked))
        units: list[Unit] = []
        every: list[Region] = []
        for one in self.looked:
            further = tuple(_entry(one, name) for name in columns)
            units.append(Unit(one.item, one.annotator, further=further))
            for region in one.regions:
                if region.question != question or region.shape != "span":
                    continue
                every.append(region)
                (start, end), said = region.place, tuple(region.features.items())
                units += [
                    Unit(one.item, one.annotator, start, end, label, further, features=said)
                    for label in region.labels or (None,)
                ]
        counting = {region.counts for region in every}
        positions = counting.pop() if len(counting) == 1 else None
        shown = positions == "characters" and not any(region.rendered for region in every)
        known = texts.by_item(self.shown.get(question, "")) if shown else {}
        return annotations_of_units(
            self.sources,
            units,
            self.how.units._replace(columns=columns),
            steps=[*self.steps, *_of_several_labels(every)],
            documents=DocumentTexts(known, {}, positions),
        )

    def _objects(self, name: str, question: str, shape: str, texts: TextsOfTasks) -> dict[str, Annotations]:
        """A question of boxes, polygons or keypoints; of polygons one for each label."""
        rows = [
            (one, [region for region in one.regions if region.question == question and region.shape == shape])
            for one in self.looked
        ]
        every = [region for _, some in rows for region in some]
        labels = sorted({label for region in every for label in region.labels})
        steps = _of_several_labels(every)
        made: dict[str, list[tuple[Looked, Any]]]
        kind = KINDS_OF_SHAPES[shape]
        if shape == "keypoint":
            made = {name: [(one, _keypoints(some, labels)) for one, some in rows]}
            steps.append(Step("taken", f"keypoints in the order {listing(labels)}"))
        elif shape == "polygon":
            made = _polygons(name, rows, labels)
        else:
            turned = any(region.place[4] % 360 for region in every)
            kind = "rotated" if turned else kind
            made = {name: [(one, sorted(_boxes(some, turned=turned), key=str)) for one, some in rows]}
        return {
            called: replace(self._column(question, values, texts, *steps), of_kind=kind)
            for called, values in made.items()
        }

    def _answers(self, texts: TextsOfTasks) -> dict[str, Annotations]:
        made = {}
        for question in dict.fromkeys(name for one in self.looked for name in one.answers):
            rows = [(one, one.answers[question]) for one in self.looked if question in one.answers]
            kind = "choices" if any(isinstance(value, tuple) for _, value in rows) else self.types[question]
            silent = len(self.looked) - len(rows)
            steps = []
            if silent:
                said = f"{counted(silent, 'annotation')} without an answer to {question!r}"
                steps.append(Step("noticed", said, silent))
            word = "text" if kind == "textarea" else None if kind in {"rating", "number"} else "labels"
            if kind in SETS:
                word, rows = self._choice(question, rows, steps)
            if not rows:
                self.steps += steps
                continue
            column = self._column(question, rows, texts, *steps)
            made[question] = column if word is None else replace(column, of_kind=word)
        return made

    def _choice(
        self, question: str, rows: list[tuple[Looked, Any]], steps: list[Step]
    ) -> tuple[str, list[tuple[Looked, Any]]]:
        """Choices as sets where somebody chose several, else as labels; an empty one is an answer only among sets."""
        rows = [(one, value if isinstance(value, tuple) else (str(value),)) for one, value in rows]
        if question in self.how.multiple or any(len(value) > 1 for _, value in rows):
            return "sets", [(one, frozenset(value)) for one, value in rows]
        empty = sum(not value for _, value in rows)
        if empty:
            steps.append(
                Step(
                    "dropped", f"{counted(empty, 'answer')} to {question!r} without a choice left out", empty
                )
            )
        return "labels", [(one, value[0]) for one, value in rows if value]

    def _relations(self, texts: TextsOfTasks) -> dict[str, Annotations]:
        if not any(one.relations for one in self.looked):
            return {}
        rows = [
            (one, sorted({relation.value() for relation in one.relations}, key=str)) for one in self.looked
        ]
        self.shown[RELATIONS] = next(one.relations[0].head.shown for one in self.looked if one.relations)
        made = self._column(RELATIONS, rows, texts)
        return {RELATIONS: replace(made, of_kind=RELATIONS) if RELATIONS in KINDS else made}


def _of(who: Any, name: str) -> str | None:
    """The id or the e-mail address of who completed an annotation."""
    found = who.get(name) if isinstance(who, dict) else who
    if not isinstance(found, str | int) or found == "":
        return None
    told = isinstance(who, dict) or name == "id" or "@" in str(found)
    return str(found) if told else None


def _list(entries: Mapping[str, Any], name: str) -> list[Any]:
    """A list that may not be there, or only in numbers."""
    found = entries.get(name)
    return found if isinstance(found, list) else []


def _in_words(times: int, words: str) -> str:
    if times != 1:
        return f"{times:,} {words}"
    noun, _, rest = words.partition("s ")
    return f"1 {noun} {rest}".replace("their author's", "its author's").replace("those of", "one of")


FURTHER = ("created_at", "lead_time", "agreement")


def _entry(one: Looked, name: str) -> Any:
    found = one.task.get(name) if name == "agreement" else one.said.get(name)
    return found if isinstance(found, str | int | float) else None


def _attributes(rows: Sequence[Looked]) -> dict[str, Any]:
    """What else is known of annotations: when, how long it took, and Label Studio's own agreement."""
    kept = {}
    for name in FURTHER:
        entries = [_entry(one, name) for one in rows]
        if any(entry is not None for entry in entries):
            kept[name] = np.empty(len(rows), dtype=object)
            kept[name][:] = entries
    return kept


def _of_several_labels(regions: Iterable[Region]) -> list[Step]:
    times = sum(len(region.labels) > 1 for region in regions)
    if not times:
        return []
    return [
        Step("noticed", f"{counted(times, 'region')} with several labels taken as one for each label", times)
    ]


def _boxes(regions: Iterable[Region], *, turned: bool) -> Iterator[tuple[Any, ...]]:
    for region in regions:
        x, y, width, height, degrees = region.place
        if turned:
            cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            centre = (x + (width * cos - height * sin) / 2, y + (width * sin + height * cos) / 2)
            box: tuple[Any, ...] = (*centre, width, height, degrees)
        else:
            box = (x, y, x + width, y + height)
        for label in region.labels or (None,):
            yield box if label is None else (*box, label)


def _polygons(
    name: str, rows: Sequence[tuple[Looked, list[Region]]], labels: Sequence[str]
) -> dict[str, list[tuple[Looked, Any]]]:
    """Polygons carry no labels, so that several labels are several questions."""

    def those(wanted: str | None) -> list[tuple[Looked, Any]]:
        return [
            (one, sorted(region.place for region in some if wanted is None or wanted in region.labels))
            for one, some in rows
        ]

    if len(labels) < 2:
        return {name: those(None)}
    return {f"{name}: {label}": those(label) for label in labels}


def _keypoints(regions: Sequence[Region], labels: Sequence[str]) -> list[list[Any]]:
    """Objects of one point for each label; points belong together by their parent, or where no label comes twice."""
    things: dict[Any, list[Region]] = {}
    for region in regions:
        things.setdefault(region.parent, []).append(region)
    alone = things.get(None, [])
    if len({region.labels for region in alone}) < len(alone):
        del things[None]
        things.update({at: [region] for at, region in enumerate(alone)})
    places: list[str | None] = [*labels] or [None]
    made = []
    for some in things.values():
        points: list[Any] = [(0, 0)] * len(places)
        for region in some:
            for label in region.labels or (None,):
                points[places.index(label) if label in places else 0] = region.place
        made.append(points)
    return sorted(made)
