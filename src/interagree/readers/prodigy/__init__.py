"""Prodigy: the lines that ``prodigy db-out`` writes, one for each answer, or its database, ``prodigy.db``, itself.

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

**Answers.** ``ignore`` is not an answer.  ``reject`` is one where a label or a span was shown to be judged; where spans
were to be marked or options chosen it says that the input was refused, and there is no row for it, unless
``rejected="empty"`` takes it for nothing marked.  Accepting without marking anything says that there is nothing to
mark.  Spans without a label come from patterns and were marked by nobody.  All that is left out is counted.

**The database** has many datasets; ``dataset=`` names one, or several where every annotator has their own.  A dataset
is read as a file of its name would be.

Of several answers of one annotator to one input the newest counts, by ``_timestamp``, else the last.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

from interagree.data import sql
from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, unread_files
from interagree.data.provenance import Step, counted, noted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, KindError, ReaderHint, UnknownName, expected, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.offsets import ends_of
from interagree.readers._options import UnitReaderOptions, unit_options
from interagree.readers._rows import Row, field_of, line_records
from interagree.readers.prodigy.database import Dataset, in_databases, is_database

SUFFIXES = (".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3")
LONGEST = 1 << 22  # bytes of a first line that are looked at to recognise a file
SPANS, SOUNDS, CHOICE, RELATIONS, ANSWER = "spans", "audio_spans", "choice", "relations", "answer"
MARKS = (SPANS, SOUNDS, RELATIONS)
# What Prodigy calls the interfaces in which marks of each sort are made, and those in which spans are only shown.
VIEWS = {SPANS: ("ner_manual", "spans_manual", "relations"), SOUNDS: ("audio_manual",), RELATIONS: ("relations",)}
SHOWING = ("choice", "classification", "text")
ACCEPT, REJECT, IGNORE = "accept", "reject", "ignore"
ANSWERS = (ACCEPT, REJECT, IGNORE)
LABEL = "label"
KINDS_OF_ANSWERS = {SPANS: "spans", SOUNDS: "spans", RELATIONS: "relations", CHOICE: "choices"}  # the others are labels
TIME = re.compile(r"^(?:.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$")  # of a session that nobody named
Options: TypeAlias = tuple[frozenset[str], bool]  # those of a choice, and whether several could be chosen


@dataclass(slots=True, eq=False)
class ProdigyRecord:
    """One answer."""

    source: Source
    where: str
    raw: Mapping[str, Any]
    item: Hashable
    annotator: str = ""
    dataset: str = ""  # where sessions tell it

    @property
    def session(self) -> str | None:
        """What Prodigy calls the annotator."""
        name = self.raw.get("_annotator_id") or self.raw.get("_session_id")
        return None if name is None else str(name)

    @property
    def time(self) -> float | None:
        """When the answer was given, in seconds since 1970."""
        time = self.raw.get("_timestamp")
        return time if isinstance(time, int | float) else None

    # -- what was asked ------------------------------------------------------------------------------------

    def asks(self, key: str) -> bool:
        """Whether marks of a sort could be made, also where none were."""
        return self.raw.get("_view_id") in VIEWS[key]

    def has_marks(self, key: str) -> bool:
        """Whether it tells that marks of a sort were asked for; where options are chosen they are only shown."""
        spans = self.raw.get(key)
        labelled = isinstance(spans, list) and any(map(_is_labelled, spans))
        return self.asks(key) or (labelled and self.raw.get("_view_id") not in SHOWING and not self.is_judged)

    def may_have_marks(self, key: str) -> bool:
        """Whether it has no such marks because there was nothing to mark, in a file with such marks."""
        asked = key == SPANS and "_view_id" not in self.raw and "label" not in self.raw
        return "options" not in self.raw and (key in self.raw or asked)

    @property
    def is_judged(self) -> bool:
        """Whether spans were shown, to be accepted or rejected."""
        spans = self.raw.get(SPANS)
        if not isinstance(spans, list) or not spans or "options" in self.raw:
            return False
        binary = self.raw.get("_view_id") in ("ner", "spans") or self.raw.get("_is_binary") is True
        return binary and all(_is_labelled(span) and "start" in span for span in spans)

    @property
    def is_multiple(self) -> bool:
        """Whether several options could be chosen."""
        settings = self.raw.get("config")
        return isinstance(settings, dict) and settings.get("choice_style") == "multiple"

    # -- what was answered ---------------------------------------------------------------------------------

    def listed(self, key: str) -> list[Mapping[str, Any]]:
        """The objects under a key; none where it is not there."""
        entries = self.raw.get(key) or []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise expected(self.where, f"a list of objects in {key!r}", entries)
        return entries

    def span(self, span: Mapping[str, Any]) -> Span:
        """A span, or a token, checked."""
        covered = text if isinstance(text := span.get("text"), str) else None
        return Span(*ends_of(span, self.where, first=0), _label(span), covered=covered)

    def link(self, relation: Mapping[str, Any]) -> Link:
        """A relation between two spans, checked."""
        head, tail = (field_of(relation, name, dict, self.where) for name in ("head_span", "child_span"))
        return Link(self.span(head), self.span(tail), _label(relation))


def _is_labelled(span: object) -> bool:
    return isinstance(span, dict) and span.get("label") is not None


def _label(entry: Mapping[str, Any]) -> str | None:
    return None if entry.get("label") is None else str(entry["label"])


def recognised(path: Path) -> bool:
    """Whether a file can only be one of Prodigy."""
    try:
        if Source.of(path).suffix in sql.SUFFIXES:
            return is_database(path)
        with Source.of(path).open() as stream:
            line = stream.readline(LONGEST)
            while line and not line.strip():
                line = stream.readline(LONGEST)
        raw = json.loads(line.decode("utf-8-sig"))
    except (OSError, EOFError, ValueError):
        return False
    if not isinstance(raw, dict):
        return False
    if "_input_hash" in raw and ("_task_hash" in raw or "answer" in raw):
        return True
    return raw.get("answer") in ANSWERS and any(key in raw for key in ("spans", "options", "text"))


@reader("Prodigy", suffixes=SUFFIXES, sniff=recognised, together=True)
def prodigy(
    path: Paths,
    *,
    item: str = "_input_hash",
    annotator: str | None = None,
    dataset: str | Sequence[str] | None = None,
    duplicates: str = "last",
    rejected: Literal["drop", "empty"] = "drop",
    **options: Unpack[UnitReaderOptions],
) -> Study:
    """The answers of a dataset, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The entry that says which input was answered; it may stand in ``meta``.
        annotator: Where the name of the annotator is: "{session}", "{file}" or "{folder}".
        dataset: The dataset of a database to read, or several.
        duplicates: Of several answers of one annotator to one input take the "last" one by time, the "first", or stop
            with an "error".
        rejected: "drop" inputs that were refused where spans were to be marked or options chosen, or take them for
            "empty" ones.
    """
    if item == "_task_hash":
        raise KindError(
            Advice.of(
                Hint("item", "_task_hash"),
                " would take one input for several where options were shuffled; take ",
                Hint("item", "_input_hash"),
            )
        )
    files = list(files_in(path, SUFFIXES))
    sources = in_databases(files, dataset)
    gathered = Gatherer("Prodigy", sources, duplicates=duplicates, units=unit_options(options))
    gathered.steps += unread_files(path, files, deep=False)
    with without_garbage_collection():
        records = list(_all_records(sources, item))
        gathered.steps += _name_annotators(records, annotator)
        _gather(gathered, records, rejected)
        return gathered.study()


def _all_records(sources: Iterable[Source], item: str) -> Iterator[ProdigyRecord]:
    """The records of files, and then those of datasets."""
    for source in sorted(sources, key=lambda source: isinstance(source, Dataset)):
        rows: Iterable[Row] = source.rows if isinstance(source, Dataset) else line_records(source)
        for where, raw in rows:
            if raw.get("answer", ACCEPT) not in ANSWERS:
                raise expected(where, f"an answer that is {listing(ANSWERS)}", raw["answer"])
            yield ProdigyRecord(source, where, raw, _item(raw, item, where))


def _item(raw: Mapping[str, Any], name: str, where: str) -> Hashable:
    meta = raw.get("meta")
    for entries in (raw, meta if isinstance(meta, dict) else {}):
        if isinstance(item := entries.get(name), str | int):
            return item
    if name != "_input_hash":
        raise UnknownName(f"{where}: there is no entry {name!r} to take the item from; it has {listing(raw)}")
    if isinstance(raw.get("text"), str):
        return str(raw["text"])
    example = Hint("item", "id")
    raise FormatError(
        f"{where}: there is neither '_input_hash' nor 'text' to tell which input was answered; the record "
        f"has {listing(raw)}. Name the entry that does, as in {example}",
        hints=[example],
    )


# -- who answered ---------------------------------------------------------------------------------------------


def _name_annotators(records: Sequence[ProdigyRecord], pattern: str | None) -> list[Step]:
    """Give every record its annotator, and say how."""
    if pattern is not None:
        for record in records:
            words = {**pattern_words(record.source), "session": record.session or record.source.stem}
            record.annotator = fill_pattern(pattern, words, option="annotator")
        return [Step("taken", f"annotators by {pattern}")]
    sessions = dict.fromkeys(record.session for record in records)
    timed = {name for name in sessions if name is not None and TIME.match(name)}
    people = _people(record for record in records if record.session is not None and record.session not in timed)
    apart = _meeting(records, timed)
    for record in records:
        if (key := (record.source, record.session)) in people:
            record.dataset, record.annotator = people[key]
        else:
            record.annotator = record.session if record.session is not None and apart else record.source.stem
    steps = [Step("taken", "annotators by session"), *_people_steps([*people.values()])] if people else []
    if timed and apart:
        sentence = (
            f"{counted(len(timed), 'session')} that nobody named taken as annotators, since they answer the same "
        )
        by_file = Advice.of(f"{sentence}inputs; ", Hint("annotator", "{file}"), " takes them as one")
        steps.append(Step("assumed", by_file, len(timed)))
    elif timed or None in sessions:
        why = "sessions are called by their time" if timed else "there are no sessions"
        steps.append(Step("assumed", f"annotators by the name of the file, since {why}"))
    return steps


class ProdigyPerson(NamedTuple):
    """What the name of a session stands for."""

    dataset: str
    name: str


def _people(records: Iterable[ProdigyRecord]) -> dict[tuple[Source, str | None], ProdigyPerson]:
    """By file and session who it is: the session less the name of the dataset that it begins with.

    The beginning that all share is taken, or that of each file where this makes fewer people, or what stands before the
    last hyphen where several datasets have the same people.
    """
    files: dict[Source, dict[str, None]] = {}
    for record in records:
        files.setdefault(record.source, {})[str(record.session)] = None
    keys = [(file, session) for file, some in files.items() for session in some]
    every = [*dict.fromkeys(session for _, session in keys)]
    shared = _beginning(every, [file.stem for file in files])
    if not shared and len(every) == 1 and every[0].count("-") == 1:
        shared = every[0].partition("-")[0] + "-"
    own = {file: _beginning([*some], [file.stem]) or shared for file, some in files.items()}
    ways = [[shared for _ in keys], [own[file] for file, _ in keys]]
    if not shared and _crossed(every):
        ways.append([session.rpartition("-")[0] + "-" for _, session in keys])
    named = [
        [
            ProdigyPerson(start.removesuffix("-"), name[len(start) :] or name)
            for start, (_, name) in zip(way, keys, strict=True)
        ]
        for way in ways
    ]
    best = min(named, key=lambda some: len({person.name for person in some}))  # of equals the first
    return dict(zip(keys, best, strict=True))


def _beginning(sessions: Sequence[str], stems: Iterable[str]) -> str:
    """What sessions begin with, up to a hyphen: the name of a file, or what several share."""
    datasets = [f"{stem}-" for stem in stems]
    if len(sessions) > 1:
        shared = commonprefix(sessions)  # noqa: RUF071 -- of letters, not of folders
        datasets.append(shared[: shared.rfind("-") + 1])
    return next((dataset for dataset in datasets if all(name.startswith(dataset) for name in sessions)), "")


def _crossed(sessions: Sequence[str]) -> bool:
    """Whether sessions are those of several datasets, each with several people, some of whom are in two of them."""
    cells = [(dataset, name) for dataset, _, name in (session.rpartition("-") for session in sessions)]
    sizes = Counter(dataset for dataset, _ in cells)
    return "" not in sizes and min(sizes.values(), default=0) > 1 and len({name for _, name in cells}) < len(cells)


def _people_steps(people: Sequence[ProdigyPerson]) -> list[Step]:
    datasets = sorted({person.dataset for person in people if person.dataset})
    sentence = f"sessions of the datasets {listing(datasets)}: one person where what follows is the same"
    steps = noted("taken", sentence, len(datasets)) if len(datasets) > 1 else []
    alike: dict[str, set[str]] = {}
    for person in people:
        alike.setdefault(person.name.rpartition("-")[2], set()).add(person.name)
    doubtful: list[str] = next((sorted(names) for names in alike.values() if len(names) > 1), [])
    sentence = f"{listing(doubtful)} taken as {len(doubtful)} annotators, though they end alike"
    return [*steps, *noted("noticed", sentence, len(doubtful))]


def _meeting(records: Sequence[ProdigyRecord], timed: Collection[str]) -> bool:
    """Whether two sessions of one file that nobody named answer the same input."""
    cells = {(record.source, record.item, record.session) for record in records if record.session in timed}
    return len({cell[:2] for cell in cells}) < len(cells)


# -- what they answered ---------------------------------------------------------------------------------------


def _gather(gathered: Gatherer, records: Sequence[ProdigyRecord], rejected: str) -> None:
    """Put what records answer into the questions of a study."""
    answered = [record for record in records if record.raw.get("answer", ACCEPT) != IGNORE]
    gathered.left_out("ignored record", times=len(records) - len(answered))
    for record in answered:
        if isinstance(text := record.raw.get("text"), str):
            gathered.show(record.item, text, record.where, [record.span(token) for token in record.listed("tokens")])
    marking = {key for record in answered for key in MARKS if record.has_marks(key)}
    responses: dict[
        tuple[str, str], list[tuple[ProdigyRecord, Mark]]
    ] = {}  # by the sort of answer that a question takes, and its name
    for record in answered:
        for sort, name, item, value in _said(gathered, record, marking, rejected):
            mark = Mark(name, item, record.annotator, value, record.where, record.time)
            responses.setdefault((sort, name), []).append((record, mark))
    gathered.positions_of[SOUNDS] = "seconds"
    others = {name for sort, name in responses if sort != LABEL}
    for (sort, name), given in responses.items():
        _add(gathered, sort, f"{name} (label)" if sort == LABEL and name in others else name, given)


def _add(gathered: Gatherer, sort: str, question: str, responses: Sequence[tuple[ProdigyRecord, Mark]]) -> None:
    """A question, or one for each dataset where their options differ; what else datasets share is said."""
    options = _options(responses) if sort == CHOICE else {}
    parts: dict[Options | None, list[tuple[ProdigyRecord, Mark]]] = {}
    for record, mark in responses:
        parts.setdefault(options.get(record.dataset), []).append((record, mark))
    if len(parts) > 1:
        sentence = f"{question!r} is a question for each dataset, since their options differ"
        gathered.note("taken", sentence, len(parts))
    for part in parts.values():
        datasets = [*dict.fromkeys(record.dataset or record.source.stem for record, _ in part)]
        name = question if len(parts) == 1 else f"{question} {datasets[0]}"
        if len({record.dataset for record, _ in part}) > 1:
            sentence = f"{name!r} of the datasets {listing(datasets)} taken as one question"
            gathered.note("noticed", sentence, len(datasets))
        for record, mark in part:
            if sort == CHOICE and record.is_multiple:
                gathered.takes_several(name)
            gathered.add(mark._replace(question=name), KINDS_OF_ANSWERS.get(sort, "labels"))


def _options(responses: Sequence[tuple[ProdigyRecord, Mark]]) -> dict[str, Options | None]:
    """By dataset what was to be chosen, and whether several could be; None where options change with the input."""
    known: dict[str, set[Options]] = {}
    for record, _ in responses:
        names = frozenset(str(option.get("id")) for option in record.raw["options"] if isinstance(option, dict))
        known.setdefault(record.dataset, set()).add((names, record.is_multiple))
    return {dataset: options.pop() if len(options) == 1 else None for dataset, options in known.items()}


def _said(
    gathered: Gatherer, record: ProdigyRecord, marking: set[str], rejected: str
) -> Iterator[tuple[str, str, Any, Any]]:
    """The questions that a record answers: the sort of answer and the name of each, the item and the answer."""
    raw, item = record.raw, record.item
    accepted, label = raw.get("answer", ACCEPT) == ACCEPT, raw.get("label")
    verdict = ACCEPT if accepted else REJECT
    gathered.left_out("typed text", "(user_input) not read", "user_input" in raw)
    choosing = isinstance(raw.get("options"), list)
    marked = [key for key in MARKS if key in marking and (record.has_marks(key) or record.may_have_marks(key))]
    if record.is_judged:
        spans = [record.span(span) for span in record.listed(SPANS)]
        shown = "; ".join(f"{span.start}-{span.end} {span.label}" for span in spans)
        yield ANSWER, ANSWER, f"{item} {shown}", verdict
    elif isinstance(label, str) and not choosing and not any(map(record.asks, MARKS)):
        yield LABEL, label, item, verdict
    elif not choosing and not marked:
        gathered.left_out("record", "without anything to read left out")
    elif not accepted and rejected == "drop":
        empty = ReaderHint("rejected", "empty")
        gathered.left_out("rejected record", Advice.of("left out (", empty, " takes them for nothing marked)"))
    else:
        if choosing:
            yield CHOICE, CHOICE, item, _choice(record) if accepted else ()
        for key in marked:
            yield key, key, item, _marks(gathered, record, key) if accepted else []


def _choice(record: ProdigyRecord) -> tuple[str | int, ...]:
    chosen = record.raw.get("accept") or []
    if not isinstance(chosen, list) or not all(isinstance(option, str | int) for option in chosen):
        raise expected(record.where, "a list of chosen options in 'accept'", chosen)
    return tuple(chosen)


def _marks(gathered: Gatherer, record: ProdigyRecord, key: str) -> list[Any]:
    entries = record.listed(key)
    if key == RELATIONS:
        return [record.link(entry) for entry in entries]
    placed = [entry for entry in entries if "start" in entry and "end" in entry]
    labelled = [entry for entry in placed if entry.get("label") is not None]
    gathered.left_out("region", "of pictures not read", len(entries) - len(placed))
    gathered.left_out("span", "without a label left out, as found by patterns", len(placed) - len(labelled))
    return [record.span(entry) for entry in labelled]
