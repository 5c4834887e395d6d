"""Transposed tables: one row for each annotator, one column for each item.

A column, or the names of the rows, says whose row it is: it names a person in each.  The columns of the items share a
vocabulary, are more than the annotators, and are named by numbers or codes.  Answers to questions that people were
asked about themselves look the same but for the names of the columns, so words and numbered questions leave a doubt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Profile, pooled
from interagree.reading.families import SHARED
from interagree.reading.likeness import names_people
from interagree.reading.readings import Reading
from interagree.reading.roles import head
from interagree.reading.wide import ASKING

LEAST = 4  # columns of items below which a table is not believed to lie this way
SCALE = 10  # from the least to the largest answer of a short scale
COMMON = 3  # columns that must have an entry for it to be an answer


def readings(profiles: Sequence[Profile], *, kept: Sequence[Hashable], index: Profile | None) -> Iterator[Reading]:
    """The reading of a table whose rows are annotators, where something says so."""
    who = naming(profiles, index)
    if who is None:
        return
    free = [column for column in profiles if column is not who and column.name not in kept]
    items = _items(free)
    if len(items) < LEAST:
        return
    doubt = ""
    called = [column.name for column in items]
    if len(items) <= len(who.filled) and not (names_people(who) and head(who) in names.PERSON):
        doubt = f"there are {len(who.filled)} rows and {len(items)} columns of answers"
    elif sum(column.share for column in items) < len(items) / 2:
        doubt = "most cells are empty"
    elif any(_is_code(column.name) for column in free if column not in items and column.filled):
        doubt = "some columns that are named like items hold other entries"
    elif not all(map(_is_code, called)) or _stems(called) & ASKING:
        doubt = f"{listing(called, most=4)} may be questions put to people instead of items"
    yield Reading(
        layout="transposed",
        annotator=None if who is index else who.name,
        values=tuple(called),
        aside={column.name: "other entries than the items'" for column in free if column not in items},
        because=f"{who.name!r} names an annotator in each row",
        doubt=doubt,
        score=9.0 if doubt else 16.0,
    )


def naming(profiles: Sequence[Profile], index: Profile | None) -> Profile | None:
    """The column that names another annotator in each row, or the names of the rows."""
    for column in [*profiles[:1], *([index] if index is not None else []), *profiles[1:]]:
        if not column.unique or column.share < 1 or (column.numeric and not column.whole):
            continue
        if names_people(column) or (column is not index and head(column) in names.PERSON):
            return column
    return None


def _items(columns: Sequence[Profile]) -> list[Profile]:
    """The columns of answers: those named by codes where they share a vocabulary, else all that share one."""
    coded = [column for column in columns if column.filled and _is_code(column.name)]
    numbers = [number for column in coded for number in column.numbers] if all(c.whole for c in coded) else []
    one_scale = bool(numbers) and max(numbers) - min(numbers) <= SCALE
    if len(coded) >= LEAST and (one_scale or pooled(coded) >= SHARED):
        return coded
    often = Counter(entry for column in columns for entry in column.vocabulary)
    known = {entry for entry, times in often.items() if times >= COMMON}
    return [column for column in columns if column.filled and column.vocabulary <= known]


def _is_code(name: Hashable) -> bool:
    """Whether a name is a number, a code or a file, not words."""
    text = str(name).strip()
    return bool(re.search(r"\d", text)) and not re.search(r"\s\S+\s", text) and len(text) <= 60


def _stems(called: Sequence[Hashable]) -> set[str]:
    return {word for name in called for word in names.words(name)[:1] if not word.isdigit()}
