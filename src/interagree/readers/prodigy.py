"""Prodigy: the lines that ``prodigy db-out`` writes, one for each answer.

Spans that were marked are the question ``spans`` (of a recording ``audio_spans``, in seconds), relations between them
``relations``, and choices ``choice``: labels, or sets of labels where several could be chosen.  Where one label was
shown to be accepted or rejected, the label is the question and *accept* or *reject* its answer; where one span was,
the question is ``answer`` and the span with its text is the item.

**Items** are inputs (``_input_hash``).  The hash of the task is none: it differs where options were shuffled.

**Annotators** are named sessions, less the name of the dataset that they begin with.  A session that nobody named is
called by the time at which it began; such sessions are the annotator that the file is called after, unless two of them
answer the same input.  Files without sessions are of one annotator each, called after the file.

**Datasets.** A folder may hold several datasets, told by how their sessions begin.  A person who has sessions in two of
them is one annotator.  Choices between other options are another question, called after the dataset; what else is asked
in several datasets is one question, and that is said.

**Answers.** ``ignore`` is no answer.  ``reject`` is one where a label or a span was shown to be judged; where spans
were to be marked or options chosen it says that the input was refused, and there is no row for it, unless
``rejected="empty"`` takes it for nothing marked.  Accepting without marking anything says that there is nothing to
mark.  Spans without a label come from patterns and were marked by nobody.  All that is left out is counted.

Of several answers of one annotator to one input the newest counts, by ``_timestamp``, else the last.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, unread_files
from interagree.data.provenance import Provenance, Step, counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.offsets import (
    UTF16,
    Fit,
    fit,
    is_basic,
    mostly,
    settled,
    utf16_to_points,
    ways_told,
)
from interagree.documents.units import (
    DocumentTexts,
    Unit,
    UnitOptions,
    annotations_of_units,
    check_ends_after,
    check_options,
)
from interagree.errors import DuplicateAnnotation, FormatError, Hint, KindError, UnknownName, listing
from interagree.plugins import KINDS

SUFFIXES = (".jsonl", ".ndjson")
LONGEST = 1 << 22  # bytes of a first line that are looked at to recognise a file
SPANS, SOUNDS, CHOICE, RELATIONS, ANSWER = "spans", "audio_spans", "choice", "relations", "answer"
MARKS = (SPANS, SOUNDS, RELATIONS)
# What Prodigy calls the interfaces in which marks of each sort are made, and those in which spans are only shown.
VIEWS = {
    SPANS: ("ner_manual", "spans_manual", "relations"),
    SOUNDS: ("audio_manual",),
    RELATIONS: ("relations",),
}
SHOWING = ("choice", "classification", "text")
TIMES = ("timestamp",)
ACCEPT, REJECT, IGNORE = "accept", "reject", "ignore"
ANSWERS = (ACCEPT, REJECT, IGNORE)
TIME = re.compile(r"^(?:.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$")
CHOICES: dict[str, tuple[str, ...]] = {
    "duplicates": ("last", "first", "error"),
    "rejected": ("drop", "empty"),
}


@dataclass(slots=True, eq=False)
class Record:
    """One answer."""

    source: Source
    line: int
    said: dict[str, Any]
    item: Hashable = None
    annotator: str = ""
    dataset: str = ""  # where sessions tell it

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.source.name}, line {self.line}"

    @property
    def session(self) -> str | None:
        """What Prodigy calls the annotator."""
        found = self.said.get("_annotator_id") or self.said.get("_session_id")
        return None if found is None else str(found)

    @property
    def time(self) -> float | None:
        """When the answer was given, in seconds since 1970."""
        found = self.said.get("_timestamp")
        return found if isinstance(found, int | float) else None


class Given(NamedTuple):
    """The answer to a question."""

    record: Record
    item: Hashable
    value: Any


# -- recognising a file -------------------------------------------------------------------------------------


def recognised(path: Path) -> bool:
    """Whether a file can only be one of Prodigy, or a folder holds such files and no others."""
    try:
        if path.is_dir():
            files = [
                file for file in sorted(path.iterdir()) if file.is_file() and not file.name.startswith(".")
            ]
            return bool(files) and all(
                Source.of(file).suffix in SUFFIXES and recognised(file) for file in files
            )
        with Source.of(path).open() as stream:
            line = stream.readline(LONGEST)
            while line and not line.strip():
                line = stream.readline(LONGEST)
        return _is_record(json.loads(line.decode("utf-8-sig")))
    except (OSError, EOFError, ValueError):
        return False


def _is_record(said: Any) -> bool:
    if not isinstance(said, dict):
        return False
    if "_input_hash" in said and ("_task_hash" in said or "answer" in said):
        return True
    return said.get("answer") in ANSWERS and any(key in said for key in ("spans", "options", "text"))


# -- the reader ---------------------------------------------------------------------------------------------


@reader("Prodigy", suffixes=SUFFIXES, sniff=recognised, together=True)
def prodigy(
    path: Paths,
    *,
    item: str = "_input_hash",
    annotator: str | None = None,
    duplicates: str = "last",
    rejected: str = "drop",
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    **options: Any,
) -> Study:
    """The answers of a dataset, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The entry that says which input was answered; it may stand in ``meta``.
        annotator: Where the name of the annotator is: "{session}", "{file}" or "{folder}".
        duplicates: Of several answers of one annotator to one input take the "last" one by time, the "first", or stop
            with an "error".
        rejected: "drop" inputs that were refused where spans were to be marked or options chosen, or take them for
            "empty" ones.
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" spans without length.
        options: None further.
    """
    check_options("Prodigy", options, ("item", "annotator", "rejected"))
    for name, given in (("duplicates", duplicates), ("rejected", rejected)):
        if given not in CHOICES[name]:
            raise KindError(f"{name} must be {listing(CHOICES[name])}, got {given!r}")
    if item == "_task_hash":
        raise KindError(
            "item='_task_hash' would take one input for several where options were shuffled; take '_input_hash'"
        )
    sources = list(files_in(path, SUFFIXES))
    making = Making(sources, duplicates, rejected, UnitOptions(looked, points, once=True))
    making.steps += unread_files(path, sources, deep=False)
    return making.study(list(_records(sources, item)), annotator)


def _records(sources: Iterable[Source], item: str) -> Iterator[Record]:
    for source in sources:
        for number, line in enumerate(source.text().split("\n"), start=1):
            if not line.strip():
                continue
            try:
                said = json.loads(line)
            except json.JSONDecodeError as error:
                raise FormatError(
                    f"{source.name}, line {number}: expected one JSON record, found {line[:60]!r} ({error.msg} at "
                    f"column {error.colno})"
                ) from None
            if not isinstance(said, dict):
                raise FormatError(f"{source.name}, line {number}: expected an object, found {line[:60]!r}")
            record = Record(source, number, said)
            record.item = _item(record, item)
            if said.get("answer", ACCEPT) not in ANSWERS:
                raise FormatError(
                    f"{record.where}: expected an answer that is {listing(ANSWERS)}, found {said['answer']!r}"
                )
            yield record


def _item(record: Record, name: str) -> Hashable:
    said = record.said
    meta = said.get("meta")
    for entries in (said, meta if isinstance(meta, dict) else {}):
        if isinstance(found := entries.get(name), str | int):
            return found
    if name == "_input_hash" and isinstance(said.get("text"), str):
        return str(said["text"])
    if name == "_input_hash":
        example = Hint("item", "id")
        raise FormatError(
            f"{record.where}: there is neither '_input_hash' nor 'text' to tell which input was answered; the record "
            f"has {listing(said)}. Name the entry that does, as in {example}",
            hints=[example],
        )
    raise UnknownName(
        f"{record.where}: there is no entry {name!r} to take the item from; it has {listing(said)}"
    )


# -- who answered -------------------------------------------------------------------------------------------


def _name(records: Sequence[Record], pattern: str | None) -> list[Step]:
    """Give every record its annotator, and say how."""
    if pattern is not None:
        for record in records:
            words = {**pattern_words(record.source), "session": record.session or record.source.stem}
            record.annotator = fill_pattern(pattern, words, option="annotator")
        return [Step("taken", f"annotators by {pattern}")]
    sessions = dict.fromkeys(record.session for record in records)
    named = [name for name in sessions if name is not None and not TIME.match(name)]
    timed = [name for name in sessions if name is not None and TIME.match(name)]
    people = _people([record for record in records if record.session in named])
    apart = _meeting(records, timed)
    for record in records:
        if (key := (record.source.name, record.session)) in people:
            record.dataset, record.annotator = people[key]
        elif record.session is not None and apart:
            record.annotator = record.session
        else:
            record.annotator = record.source.stem
    steps = [Step("taken", "annotators by session"), *_told_people(people)] if named else []
    if timed and apart:
        said = (
            f"{counted(len(timed), 'session')} that nobody named taken as annotators, since they answer the same "
            "inputs; annotator='{file}' takes them as one"
        )
        steps.append(Step("assumed", said, len(timed)))
    elif timed or None in sessions:
        why = "sessions are called by their time" if timed else "there are no sessions"
        steps.append(Step("assumed", f"annotators by the name of the file, since {why}"))
    return steps


class Person(NamedTuple):
    """What the name of a session stands for."""

    dataset: str
    name: str


def _people(records: Sequence[Record]) -> dict[tuple[str, str | None], Person]:
    """By file and session who it is: the session less the name of the dataset that it begins with.

    The beginning that all sessions share is taken, or that of each file where this makes fewer people, or what stands
    before the last hyphen where several datasets have the same people.
    """
    files: dict[Source, dict[str, None]] = {}
    for record in records:
        files.setdefault(record.source, {})[str(record.session)] = None
    keys = [(file, session) for file, some in files.items() for session in some]
    every = list(dict.fromkeys(session for _, session in keys))
    shared = _beginning(every, [file.stem for file in files])
    if not shared and len(every) == 1 and every[0].count("-") == 1:
        shared = every[0].partition("-")[0] + "-"
    own = {file: _beginning(list(some), [file.stem]) or shared for file, some in files.items()}
    ways = [[(shared, session) for _, session in keys], [(own[file], session) for file, session in keys]]
    if not shared and _crossed(every):
        ways.append([(session.rpartition("-")[0] + "-", session) for _, session in keys])
    named = [[_person(begin, session) for begin, session in way] for way in ways]
    best = min(named, key=lambda some: len({person.name for person in some}))  # of equals the first
    return {(file.name, session): person for (file, session), person in zip(keys, best, strict=True)}


def _person(begin: str, session: str) -> Person:
    return Person(begin.removesuffix("-"), session[len(begin) :] or session)


def _beginning(sessions: Sequence[str], stems: Iterable[str]) -> str:
    """What sessions begin with, up to a hyphen: the name of a file, or what several share."""
    datasets = [f"{stem}-" for stem in stems]
    if len(sessions) > 1:
        first, last = min(sessions), max(sessions)  # what these two share, all others share
        same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        datasets.append(first[: first.rfind("-", 0, same) + 1])
    return next((one for one in datasets if all(name.startswith(one) for name in sessions)), "")


def _crossed(sessions: Sequence[str]) -> bool:
    """Whether sessions are those of several datasets, each with several people, some of whom are in two of them."""
    by_dataset: dict[str, set[str]] = {}
    for session in sessions:
        dataset, _, name = session.rpartition("-")
        by_dataset.setdefault(dataset, set()).add(name)
    several = [len(names) for names in by_dataset.values()]
    people = {name for names in by_dataset.values() for name in names}
    return "" not in by_dataset and min(several, default=0) > 1 and sum(several) > len(people)


def _told_people(people: Mapping[tuple[str, str | None], Person]) -> list[Step]:
    datasets = sorted({person.dataset for person in people.values() if person.dataset})
    steps = []
    if len(datasets) > 1:
        said = f"sessions of the datasets {listing(datasets)}: one person where what follows is the same"
        steps.append(Step("taken", said, len(datasets)))
    alike: dict[str, set[str]] = {}
    for person in people.values():
        alike.setdefault(person.name.rpartition("-")[2], set()).add(person.name)
    doubtful = next((sorted(names) for names in alike.values() if len(names) > 1), None)
    if doubtful:
        steps.append(
            Step(
                "noticed",
                f"{listing(doubtful)} taken as {len(doubtful)} annotators, though they end alike",
                len(doubtful),
            )
        )
    return steps


def _meeting(records: Sequence[Record], timed: Sequence[str]) -> bool:
    """Whether two sessions of one file that nobody named answer the same input."""
    first: dict[tuple[str, Hashable], str | None] = {}
    for record in records:
        session = record.session
        if session in timed and first.setdefault((record.source.name, record.item), session) != session:
            return True
    return False


# -- making the study ---------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A question: what sort of answer it takes, and its name."""

    sort: str
    name: str


class Making:
    """A study in the making: what was found in files, and what was done to it."""

    def __init__(self, sources: Sequence[Source], duplicates: str, rejected: str, units: UnitOptions) -> None:
        self.sources, self.duplicates, self.rejected, self.units = sources, duplicates, rejected, units
        self.steps: list[Step] = []
        self.counts: Counter[str] = Counter()  # what is left out, by the words for it

    def study(self, records: Sequence[Record], annotator: str | None) -> Study:
        """All questions."""
        names = listing((one.name for one in self.sources), quote=False, most=4)
        if not records:
            raise FormatError(f"{names}: there is no record to read")
        self.steps += _name(records, annotator)
        answered = [record for record in records if record.said.get("answer", ACCEPT) != IGNORE]
        skipped = len(records) - len(answered)
        if skipped:
            self.steps.append(Step("dropped", f"{counted(skipped, 'ignored record')} left out", skipped))
        texts = self._texts(answered)
        rows: dict[Asked, list[Given]] = {}
        marking = {key for record in answered for key in MARKS if _marks(record.said, key)}
        for record in answered:
            for asked, item, value in self._said(record, marking):
                rows.setdefault(asked, []).append(Given(record, item, value))
        rows = self._by_dataset(rows)
        self._tell_counts()
        if not rows:
            raise FormatError(
                f"{names}: no record that was answered has spans with labels, options, a label or relations to read "
                f"({'; '.join(step.sentence for step in self.steps)})"
            )
        made: dict[str, Annotations] = {}
        for asked, some in rows.items():
            name = asked.name if asked.name not in made else f"{asked.name} ({asked.sort})"
            made[name] = self._question(asked, self._once(some), texts)
        return Study(made, Provenance(tuple(one.name for one in self.sources), tuple(self.steps)))

    def _by_dataset(self, rows: Mapping[Asked, list[Given]]) -> dict[Asked, list[Given]]:
        """A question for each dataset where their options differ; what else datasets share is said."""
        made: dict[Asked, list[Given]] = {}
        for asked, some in rows.items():
            parts: dict[Any, list[Given]] = {}
            kinds = _kinds_of_choice(some) if asked.sort == CHOICE else {}
            for one in some:
                parts.setdefault(kinds.get(one.record.dataset), []).append(one)
            if len(parts) > 1:
                said = f"{asked.name!r} is a question for each dataset, since their options differ"
                self.steps.append(Step("taken", said, len(parts)))
            for part in parts.values():
                datasets = list(dict.fromkeys(one.record.dataset or one.record.source.stem for one in part))
                name = asked.name if len(parts) == 1 else f"{asked.name} {datasets[0]}"
                made[asked._replace(name=name)] = part
                if len({one.record.dataset for one in part}) > 1:
                    said = f"{name!r} of the datasets {listing(datasets)} taken as one question"
                    self.steps.append(Step("noticed", said, len(datasets)))
        return made

    def _tell_counts(self) -> None:
        for words, times in self.counts.items():
            noun = words if times != 1 else words.replace("s ", " ", 1)
            self.steps.append(Step("dropped", f"{times:,} {noun}", times))

    # -- what a record says --------------------------------------------------------------------------------

    def _said(self, record: Record, marking: set[str]) -> Iterator[tuple[Asked, Hashable, Any]]:
        """The questions that a record answers, the items and the answers."""
        said = record.said
        accepted = said.get("answer", ACCEPT) == ACCEPT
        verdict = ACCEPT if accepted else REJECT
        if "user_input" in said:
            self.counts["typed texts (user_input) not read"] += 1
        choosing = isinstance(said.get("options"), list)
        marked = [key for key in MARKS if key in marking and (_marks(said, key) or _may_mark(said, key))]
        if _is_judged(said):
            spans = [_span(record, one) for one in _listed(record, SPANS)]
            shown = "; ".join(f"{start}-{end} {label}" for start, end, label in spans)
            yield Asked(ANSWER, ANSWER), f"{record.item} {shown}", verdict
        elif (
            isinstance(said.get("label"), str) and not choosing and not any(_asks(said, key) for key in MARKS)
        ):
            yield Asked("label", said["label"]), record.item, verdict
        elif not choosing and not marked:
            self.counts["records without anything to read left out"] += 1
        elif not accepted and self.rejected == "drop":
            self.counts["rejected records left out (rejected='empty' takes them for nothing marked)"] += 1
        else:
            if choosing:
                yield Asked(CHOICE, CHOICE), record.item, self._choice(record) if accepted else ()
            for key in marked:
                yield Asked(key, key), record.item, self._marked(record, key) if accepted else []

    @staticmethod
    def _choice(record: Record) -> tuple[Any, ...]:
        found = record.said.get("accept") or []
        if not isinstance(found, list) or not all(isinstance(one, str | int) for one in found):
            raise FormatError(
                f"{record.where}: expected a list of chosen options in 'accept', found {found!r:.60}"
            )
        return tuple(found)

    def _marked(self, record: Record, key: str) -> list[Any]:
        found = _listed(record, key)
        if key == RELATIONS:
            return [_relation(record, one) for one in found]
        placed = [one for one in found if "start" in one and "end" in one]
        if len(placed) < len(found):
            self.counts["regions of pictures not read"] += len(found) - len(placed)
        labelled = [one for one in placed if one.get("label") is not None]
        if len(labelled) < len(placed):
            self.counts["spans without a label left out, as found by patterns"] += len(placed) - len(labelled)
        return [_span(record, one) for one in labelled]

    def _once(self, rows: list[Given]) -> list[Given]:
        """One answer of each annotator to each input."""
        cells: dict[Any, list[Given]] = {}
        for one in rows:
            cells.setdefault((one.item, one.record.annotator), []).append(one)
        extra = len(rows) - len(cells)
        if not extra:
            return rows
        if self.duplicates == "error":
            several = next(some for some in cells.values() if len(some) > 1)
            record = several[1].record
            raise DuplicateAnnotation(
                f"{record.where}: {record.annotator!r} answered {several[1].item!r} {len(several)} times, and "
                f"{counted(extra, 'answer')} repeat another in all; pass duplicates='last' to take the newest"
            )
        word = "newest" if self.duplicates == "last" else "oldest"
        said = f"{counted(extra, 'repeated answer')} of an annotator to an input left out (the {word} counts)"
        self.steps.append(Step("dropped", said, extra))
        # Of two of the same time the one further down is the newer one; `sorted` keeps them in order.
        at = -1 if self.duplicates == "last" else 0
        return [sorted(some, key=lambda one: one.record.time or 0)[at] for some in cells.values()]

    # -- texts ---------------------------------------------------------------------------------------------

    def _texts(self, records: Sequence[Record]) -> DocumentTexts:
        """The texts and tokens of inputs; offsets that count UTF-16 units are put right, record by record."""
        found = Fit()
        wide = []
        for record in records:
            text = record.said.get("text")
            if isinstance(text, str):
                placed = _placed(record)
                covered = [(span["start"], span["end"], span["text"]) for span in placed if _covers(span)]
                found = found.plus(fit(text, covered))
                if not is_basic(text):
                    wide.append((record, text, _ways(text, [*placed, *_ends_of_relations(record)])))
        usual = mostly(way for *_, ways in wide for way in ways)
        moved = sum(_put_right(record, text, settled(ways, usual)) for record, text, ways in wide)
        if moved:
            said = (
                f"offsets of {moved:,} tokens and spans in UTF-16 units, as their text shows; made characters"
            )
            self.steps.append(Step("taken", said, moved))
        if found.mismatches:
            said = f"{found.mismatches:,} of {found.spans:,} tokens and spans not over the text that is said; kept"
            self.steps.append(Step("noticed", said, found.mismatches))
        return DocumentTexts(*self._known(records), "characters")

    def _known(self, records: Sequence[Record]) -> tuple[dict[Hashable, str], dict[Hashable, Any]]:
        texts: dict[Hashable, str] = {}
        tokens: dict[Hashable, tuple[tuple[int, int], ...]] = {}
        differing = set()
        for record in records:
            text = record.said.get("text")
            if not isinstance(text, str):
                continue
            texts.setdefault(record.item, text)
            here = tuple([(one["start"], one["end"]) for one in record.said.get("tokens") or ()])
            if here and tokens.setdefault(record.item, here) != here:
                differing.add(record.item)
        if differing:
            said = (
                f"{counted(len(differing), 'input')} cut into tokens in several ways; the first one is kept"
            )
            self.steps.append(Step("noticed", said, len(differing)))
        return texts, tokens

    # -- questions -----------------------------------------------------------------------------------------

    def _question(self, asked: Asked, rows: list[Given], texts: DocumentTexts) -> Annotations:
        if asked.sort in {SPANS, SOUNDS}:
            known = texts if asked.sort == SPANS else DocumentTexts(positions="seconds")
            how = self.units._replace(columns=TIMES)
            return annotations_of_units(self.sources, _units(rows), how, steps=self.steps, documents=known)
        if asked.sort == RELATIONS:
            rows = [one._replace(value=sorted(set(one.value), key=str)) for one in rows]
            return self._column(rows, texts, RELATIONS if RELATIONS in KINDS else None)
        if asked.sort == CHOICE:
            return self._chosen(rows, texts)
        return self._column(rows, texts, "labels")

    def _chosen(self, rows: list[Given], texts: DocumentTexts) -> Annotations:
        """Choices as sets where several could be chosen, else as labels; none chosen is an answer among sets only."""
        if any(len(one.value) > 1 or _is_multiple(one.record.said) for one in rows):
            return self._column([one._replace(value=frozenset(one.value)) for one in rows], texts, "sets")
        chosen = [one._replace(value=one.value[0]) for one in rows if one.value]
        if len(chosen) < len(rows):
            empty = len(rows) - len(chosen)
            step = Step("dropped", f"{counted(empty, 'answer')} without a chosen option left out", empty)
            self.steps.append(step)
        if not chosen:
            raise FormatError(
                f"{rows[0].record.where}: no option was ever chosen; there is nothing to compare"
            )
        return self._column(chosen, texts, "labels")

    def _column(self, rows: Sequence[Given], texts: DocumentTexts, kind: str | None) -> Annotations:
        attributes = {"timestamp": _objects([one.record.time for one in rows])}
        if texts.texts:
            attributes["text"] = _objects([texts.texts.get(one.record.item) for one in rows])
        made = Annotations.from_columns(
            [one.item for one in rows],
            [one.record.annotator for one in rows],
            [one.value for one in rows],
            attributes=attributes,
            provenance=Provenance(tuple(one.name for one in self.sources)).then(*self.steps),
        )
        return replace(made, of_kind=kind)


def _kinds_of_choice(rows: Iterable[Given]) -> dict[str, Any]:
    """By dataset what was to be chosen, and whether several could be; None where options change with the input."""
    found: dict[str, set[Any]] = {}
    for one in rows:
        options = one.record.said.get("options") or ()
        names = frozenset(str(option.get("id")) for option in options if isinstance(option, dict))
        found.setdefault(one.record.dataset, set()).add((names, _is_multiple(one.record.said)))
    return {dataset: kinds.pop() if len(kinds) == 1 else None for dataset, kinds in found.items()}


def _objects(entries: Sequence[Any]) -> Any:
    column = np.empty(len(entries), dtype=object)
    column[:] = entries
    return column


def _marks(said: Mapping[str, Any], key: str) -> bool:
    """Whether a record tells that marks of a sort were asked for; where options are chosen they are only shown."""
    found = said.get(key)
    labelled = isinstance(found, list) and any(
        isinstance(one, dict) and one.get("label") is not None for one in found
    )
    return _asks(said, key) or (labelled and said.get("_view_id") not in SHOWING and not _is_judged(said))


def _asks(said: Mapping[str, Any], key: str) -> bool:
    """Whether marks of a sort could be made, also where none were."""
    return said.get("_view_id") in VIEWS[key]


def _may_mark(said: Mapping[str, Any], key: str) -> bool:
    """Whether a record of a file with such marks has none because there was nothing to mark."""
    if "options" in said:
        return False
    return key in said or (key == SPANS and "_view_id" not in said and "label" not in said)


def _is_judged(said: Mapping[str, Any]) -> bool:
    """Whether spans were shown, to be accepted or rejected."""
    spans = said.get(SPANS)
    if not isinstance(spans, list) or not spans or "options" in said:
        return False
    if not all(isinstance(one, dict) and "start" in one and one.get("label") is not None for one in spans):
        return False
    return said.get("_view_id") in ("ner", "spans") or said.get("_is_binary") is True


def _is_multiple(said: Mapping[str, Any]) -> bool:
    settings = said.get("config")
    return isinstance(settings, dict) and settings.get("choice_style") == "multiple"


def _listed(record: Record, key: str) -> list[dict[str, Any]]:
    found = record.said.get(key) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FormatError(f"{record.where}: expected a list of objects in {key!r}, found {found!r:.60}")
    return found


def _placed(record: Record) -> list[dict[str, Any]]:
    """The tokens and spans of a record, which have a start and an end in its text."""
    found = _listed(record, "tokens") + [
        one for one in _listed(record, SPANS) if "start" in one and "end" in one
    ]
    for one in found:
        _ends(record, one)
    return found


def _covers(one: Mapping[str, Any]) -> bool:
    """Whether a token or a span says what text it covers."""
    return isinstance(one.get("text"), str) and type(one.get("start")) is int and type(one.get("end")) is int


def _ends(record: Record, one: Mapping[str, Any]) -> tuple[Any, Any]:
    start, end = one.get("start"), one.get("end")
    if type(start) is int and type(end) is int and start <= end:  # as nearly all are
        return start, end
    for at in (start, end):
        if isinstance(at, bool) or not isinstance(at, int | float):
            raise FormatError(f"{record.where}: expected a number for the position of a span, found {at!r}")
    check_ends_after(record.source.name, f"line {record.line}", start, end)  # type: ignore[arg-type]  # they are numbers
    return start, end


def _span(record: Record, one: Mapping[str, Any]) -> tuple[Any, Any, str | None]:
    label = one.get("label")
    return (*_ends(record, one), None if label is None else str(label))


def _relation(record: Record, one: Mapping[str, Any]) -> tuple[Any, ...]:
    head, tail = one.get("head_span"), one.get("child_span")
    if not isinstance(head, dict) or not isinstance(tail, dict):
        raise FormatError(
            f"{record.where}: expected a relation with 'head_span' and 'child_span', found {listing(one)}"
        )
    label = one.get("label")
    return (_span(record, head), _span(record, tail), None if label is None else str(label))


def _ends_of_relations(record: Record) -> list[dict[str, Any]]:
    return [
        end
        for one in _listed(record, RELATIONS)
        for end in (one.get("head_span"), one.get("child_span"))
        if isinstance(end, dict)
    ]


def _ways(text: str, placed: Iterable[Mapping[str, Any]]) -> list[str | None]:
    """What the offsets of tokens, spans and ends of relations count, where their text tells."""
    said = [(one["start"], one["end"], one["text"]) if _covers(one) else (0, 0, None) for one in placed]
    return ways_told(text, said)


def _put_right(record: Record, text: str, ways: Sequence[str]) -> int:
    """Make offsets of a record that count UTF-16 units characters; how many there were."""
    if UTF16 not in ways:
        return 0
    points = utf16_to_points(text)
    for one, way in zip([*_placed(record), *_ends_of_relations(record)], ways, strict=True):
        start, end = _ends(record, one)
        if way != UTF16:
            continue
        if not 0 <= start <= end < len(points):
            raise FormatError(
                f"{record.where}: a span from {start} to {end} lies outside its text, which has "
                f"{len(points) - 1:,} UTF-16 units"
            )
        one["start"], one["end"] = int(points[start]), int(points[end])
    return sum(way == UTF16 for way in ways)


def _units(rows: Iterable[Given]) -> Iterator[Unit]:
    for one in rows:
        further = (one.record.time,)
        yield Unit(one.item, one.record.annotator, further=further)
        for start, end, label in one.value:
            yield Unit(one.item, one.record.annotator, start, end, label, further)
