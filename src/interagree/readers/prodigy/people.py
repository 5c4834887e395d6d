"""Who answered: annotators and datasets, told by the names of sessions and files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from os.path import commonprefix
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


class Person(NamedTuple):
    """What the name of a session stands for."""

    dataset: str
    name: str


def _people(records: Iterable[Record]) -> dict[tuple[Source, str | None], Person]:
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
            Person(start.removesuffix("-"), name[len(start) :] or name)
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


def _people_steps(people: Sequence[Person]) -> list[Step]:
    datasets = sorted({person.dataset for person in people if person.dataset})
    sentence = f"sessions of the datasets {listing(datasets)}: one person where what follows is the same"
    steps = noted("taken", sentence, len(datasets)) if len(datasets) > 1 else []
    alike: dict[str, set[str]] = {}
    for person in people:
        alike.setdefault(person.name.rpartition("-")[2], set()).add(person.name)
    doubtful: list[str] = next((sorted(names) for names in alike.values() if len(names) > 1), [])
    sentence = f"{listing(doubtful)} taken as {len(doubtful)} annotators, though they end alike"
    return [*steps, *noted("noticed", sentence, len(doubtful))]


def _meeting(records: Sequence[Record], timed: Collection[str]) -> bool:
    """Whether two sessions of one file that nobody named answer the same input."""
    cells = {(record.source, record.item, record.session) for record in records if record.session in timed}
    return len({cell[:2] for cell in cells}) < len(cells)
