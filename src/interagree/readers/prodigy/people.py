"""Who answered: annotators and datasets, told by the names of sessions and files."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import Step, counted, noted
from interagree.errors import Advice, Hint, listing
from interagree.readers.prodigy.records import Record

TIME = re.compile(r"^(?:.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$")


def name_annotators(records: Sequence[Record], pattern: str | None) -> list[Step]:
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
    steps = [Step("taken", "annotators by session"), *_people_steps(people)] if named else []
    if timed and apart:
        sentence = Advice.of(
            f"{counted(len(timed), 'session')} that nobody named taken as annotators, since they answer the same "
            "inputs; ",
            Hint("annotator", "{file}"),
            " takes them as one",
        )
        steps.append(Step("assumed", sentence, len(timed)))
    elif timed or None in sessions:
        why = "sessions are called by their time" if timed else "there are no sessions"
        steps.append(Step("assumed", f"annotators by the name of the file, since {why}"))
    return steps


class Person(NamedTuple):
    """What the name of a session stands for."""

    dataset: str
    name: str


def _people(records: Sequence[Record]) -> dict[tuple[str, str | None], Person]:
    """By file and session who it is: the session less the name of the dataset that it begins with."""
    # The beginning that all share is taken, or that of each file where this makes fewer people, or what stands before
    # the last hyphen where several datasets have the same people.
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
    named = [[Person(start.removesuffix("-"), name[len(start) :] or name) for start, name in way] for way in ways]
    best = min(named, key=lambda some: len({person.name for person in some}))  # of equals the first
    return {(file.name, session): person for (file, session), person in zip(keys, best, strict=True)}


def _beginning(sessions: Sequence[str], stems: Iterable[str]) -> str:
    """What sessions begin with, up to a hyphen: the name of a file, or what several share."""
    datasets = [f"{stem}-" for stem in stems]
    if len(sessions) > 1:
        first, last = min(sessions), max(sessions)  # what these two share, all others share
        same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        datasets.append(first[: first.rfind("-", 0, same) + 1])
    return next((dataset for dataset in datasets if all(name.startswith(dataset) for name in sessions)), "")


def _crossed(sessions: Sequence[str]) -> bool:
    """Whether sessions are those of several datasets, each with several people, some of whom are in two of them."""
    by_dataset: dict[str, set[str]] = {}
    for session in sessions:
        dataset, _, name = session.rpartition("-")
        by_dataset.setdefault(dataset, set()).add(name)
    several = [len(names) for names in by_dataset.values()]
    people = {name for names in by_dataset.values() for name in names}
    return "" not in by_dataset and min(several, default=0) > 1 and sum(several) > len(people)


def _people_steps(people: Mapping[tuple[str, str | None], Person]) -> list[Step]:
    datasets = sorted({person.dataset for person in people.values() if person.dataset})
    sentence = f"sessions of the datasets {listing(datasets)}: one person where what follows is the same"
    steps = [Step("taken", sentence, len(datasets))] if len(datasets) > 1 else []
    alike: dict[str, set[str]] = {}
    for person in people.values():
        alike.setdefault(person.name.rpartition("-")[2], set()).add(person.name)
    doubtful: list[str] = next((sorted(names) for names in alike.values() if len(names) > 1), [])
    sentence = f"{listing(doubtful)} taken as {len(doubtful)} annotators, though they end alike"
    return [*steps, *noted("noticed", sentence, len(doubtful))]


def _meeting(records: Sequence[Record], timed: Sequence[str]) -> bool:
    """Whether two sessions of one file that nobody named answer the same input."""
    first: dict[tuple[str, Hashable], str | None] = {}
    for record in records:
        session = record.session
        if session in timed and first.setdefault((record.source.name, record.item), session) != session:
            return True
    return False
