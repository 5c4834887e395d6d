"""Wide tables that name who gave each answer: annotator_1, label_1, annotator_2, label_2.

Columns that are numbered alike stand in sets.  Those of one set name people: words that repeat from row to row, and
hardly ever the same one twice in a row, since nobody annotates an item twice.  The answers in other sets coincide.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, pooled
from interagree.reading.families import ALIKE
from interagree.reading.likeness import ENOUGH
from interagree.reading.patterns import ONE, common
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, looks_like_people

APART = 0.98  # share of rows in which the columns of people all differ
WORDS = 3  # different people from which on their cells alone tell that they are people
ENTRIES = 0.5  # most different people for each row
LONGEST = 300  # letters of a name that is looked at: the pattern goes back and forth over it


def readings(columns: Sequence[Profile], item: Sequence[Hashable]) -> Iterator[Reading]:
    """The readings of a table in which some columns say who gave the answers of others."""
    sets = _sets(columns)
    for ends, group in sets.items():
        if all(map(_named, group)):
            continue  # questions to people, whose word stands in every name
        people = [called for called in group if _of_people(called)]
        for who in people:
            answers = [called for called in group if called is not who and called not in people and _of_answers(called)]
            if not answers:
                continue
            sure = _named(who) or _meet(who)
            taken = [*who, *(column for called in answers for column in called)]
            called = [column.name for column in who]
            asked = [common([str(column.name) for column in some]) or str(some[0].name) for some in answers]
            questions = [ONE] if len(answers) == 1 else asked
            yield Reading(
                layout="wide",
                paired=True,
                item=tuple(item),
                people={
                    question: dict(zip(called, [column.name for column in some], strict=True))
                    for question, some in zip(questions, answers, strict=True)
                },
                aside={
                    column.name: aside(column) or "neither an answer nor a name beside one"
                    for column in columns
                    if column not in taken and column.name not in item
                },
                because=f"{listing(called, most=4)} say who gave the answers that end in {listing(ends, most=4)}",
                doubt="" if sure else f"{listing(called)} may be answers",
                score=17.0 if sure else 6.0,
            )


def _sets(columns: Sequence[Profile]) -> dict[tuple[str, ...], list[list[Profile]]]:
    """Columns whose names differ in one number or letter at a time, by these numbers."""
    alike: defaultdict[str, dict[str, Profile]] = defaultdict(dict)
    for column in columns:
        name = str(column.name)
        if len(name) > LONGEST:
            continue
        found = re.fullmatch(r"(.*?)(\d+|(?<=[\W_])[A-Za-z]|(?<=[a-z])[A-Z])(\D*)", name)
        if found and column.filled:
            alike[f"{found[1]}\0{found[3]}"][found[2]] = column
    sets: defaultdict[tuple[str, ...], list[list[Profile]]] = defaultdict(list)
    for called in alike.values():
        if len(called) > 1:
            sets[tuple(sorted(called))].append([called[end] for end in sorted(called)])
    return {ends: group for ends, group in sets.items() if len(group) > 1}


def _of_people(columns: Sequence[Profile]) -> bool:
    """Whether cells may name people: few, short, hardly ever two alike in a row."""
    full = _rows(columns)
    entries = set().union(*(column.vocabulary for column in columns))
    few = len(entries) <= ENTRIES * len(full) + 1 or _named(columns)
    return (
        bool(full)
        and len(entries) >= 2
        and few
        and not any(column.prose or column.dates or (column.numeric and not column.whole) for column in columns)
        and sum(len({*row}) == len(row) for row in full) >= APART * len(full)
    )


def _rows(columns: Sequence[Profile]) -> list[list[Entry]]:
    """The entries of each row that has two or more."""
    rows = zip(*(column.cells for column in columns), strict=True)
    return [row for row in ([cell for cell in row if cell is not None] for row in rows) if len(row) > 1]


def _named(columns: Sequence[Profile]) -> bool:
    """Whether columns are named after people, or hold words for them."""
    return all(not names.PERSON.isdisjoint(names.words(column.name)) for column in columns) or all(
        map(looks_like_people, columns)
    )


def _meet(columns: Sequence[Profile]) -> bool:
    """Whether words stand now in one column and now in another, and never twice in a row."""
    often = Counter(entry for column in columns for entry in column.vocabulary)
    full = _rows(columns)
    return (
        len(full) >= ENOUGH
        and len(often) >= WORDS
        and not any(column.numeric for column in columns)
        and all(times > 1 for times in often.values())
        and all(len({*row}) == len(row) for row in full)
    )


def _of_answers(columns: Sequence[Profile]) -> bool:
    rows = list(zip(*(column.cells for column in columns), strict=True))
    again = sum(len({*row} - {None}) < sum(cell is not None for cell in row) for row in rows)
    return again > 0 and pooled(columns) >= ALIKE and not any(column.prose or column.dates for column in columns)
