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
from interagree.reading import families, names
from interagree.reading.doubts import ASKING
from interagree.reading.evidence import Profile, pooled
from interagree.reading.families import SHARED
from interagree.reading.likeness import names_people
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, head, is_id

LEAST = 4  # columns of items below which a table is not believed to lie this way
SCALE = 10  # from the least to the largest answer of a short scale
STAMP = r"\d{1,4}[-/.]\d\d?[-/.]\d{1,4}\D+\d\d?:\d\d"  # a date and a time
WIDE = 300  # columns up to which those are told apart that hold other answers …
TRIED = 4  # … of which so many kinds are tried
COMMON = 3  # columns that must have an entry for it to be an answer


def readings(
    profiles: Sequence[Profile], *, kept: Sequence[Hashable], index: Profile | None, unlikely: bool = False
) -> Iterator[Reading]:
    """The ways to read a table as one whose rows are annotators; with no doubt where something says so.

    Args:
        profiles: The columns.
        kept: Columns that are said to be something else.
        index: The names of the rows, where the table has them apart from its columns.
        unlikely: Whether to give also those for which nothing speaks.
    """
    who = naming(profiles, index)
    free = [column for column in profiles if column is not who and column.name not in kept and column.filled]
    rows = len(profiles[0].cells) if profiles else 0
    yield from _grids(who, free, rows, index)
    ids = [column for column in free if _may_name(column) and (not column.numeric or is_id(column))]
    ids.sort(key=lambda column: (column.dates or _are_stamps(column), not is_id(column)))  # when is not who
    named = who is not None
    first = who if named else next(iter(ids), index if unlikely else None)
    rest = [column for column in free if column is not first]
    likely = _items(rest)
    unlikely = unlikely and rows > 1
    if not unlikely and (len(likely) < LEAST or (not named and len(likely) <= rows)):
        return
    doubt = _doubt(first, likely, rest) if first is not None and named else "nothing says that the rows are people"
    able = [column for column in rest if not aside(column)] if unlikely else []
    others = [some for some in (able, *(families.clusters(able) if len(able) <= WIDE else ())) if some != likely]
    for items in [likely, *others[:TRIED]]:
        if len(items) < max(2, min(LEAST, rows / LEAST)):
            continue
        yield Reading(
            layout="transposed",
            annotator=None if first is None or first is index else first.name,
            values=tuple(column.name for column in items),
            aside={column.name: "other entries than the items'" for column in rest if column not in items},
            because=f"{first.name!r} names an annotator in each row" if first is not None else "",
            doubt=doubt if items is likely else f"{doubt}; only some columns may be items",
            score=((9.0 if doubt else 16.0) if named else 3.0) - 3 * (items is not likely),
        )


def _doubt(who: Profile, items: Sequence[Profile], free: Sequence[Profile]) -> str:
    """What speaks against rows of annotators who are named."""
    called = [column.name for column in items]
    if len(items) <= len(who.filled) and not (names_people(who) and head(who) in names.PERSON):
        return f"there are {len(who.filled)} rows and {len(items)} columns of answers"
    if sum(column.share for column in items) < len(items) / 2:
        return "most cells are empty"
    if any(_is_code(column.name) for column in free if column not in items and column.filled):
        return "some columns that are named like items hold other entries"
    asking = ASKING - {"item"} if head(who) in names.ANNOTATOR else ASKING
    if not all(map(_is_code, called)) or _stems(called) & asking:
        return f"{listing(called, most=4)} may be questions put to people instead of items"
    return ""


def _grids(who: Profile | None, free: Sequence[Profile], rows: int, index: Profile | None) -> Iterator[Reading]:
    """Columns named after an item and a question, as a form writes them: 'image_01_calm', 'image_01_safety'."""
    able = [column for column in free if not (column.dates or column.prose or column.links)]
    for family in families.grids(able):
        asked = {question: [*people] for question, people in family.people.items()}
        items = family.annotators
        if family.pattern is None or len(asked) < 2 or max(len(asked), len(items)) <= rows:
            continue
        turned = len(asked) > len(items)
        cells = [
            (str(question if turned else who), str(who if turned else question), column.name)
            for question, people in family.people.items()
            for who, column in people.items()
        ]
        grid: dict[str, dict[Hashable, Hashable]] = {}
        for item, question, name in cells:
            grid.setdefault(question, {})[item] = name
        size = len({item for item, _, _ in cells})
        complete = len(cells) == size * len(grid)
        stamped = any(map(_are_stamps, free))
        items_named = all(_is_code(item) and set(names.words(item)) & names.ITEM for item, _, _ in cells)
        clear = complete and size >= LEAST and items_named and (stamped or who is not None)
        pattern = family.pattern
        for before, after in (
            [("{question}", "{item}"), ("{annotator}", "{question}")] if turned else [("{annotator}", "{item}")]
        ):
            pattern = pattern.replace(before, after)
        taken = {name for _, _, name in cells}
        yield Reading(
            layout="transposed",
            annotator=None if who is None or who is index else who.name,
            people=grid,
            pattern=pattern,
            aside={
                column.name: aside(column) or "other entries than the items'"
                for column in free
                if column.name not in taken
            },
            because=f"columns are named after {size} items and {len(grid)} questions, and each row is of one person",
            doubt="" if clear else "nothing says that the rows are people",
            score=14.0 if clear else 4.0,
        )
        return


def naming(profiles: Sequence[Profile], index: Profile | None) -> Profile | None:
    """The column that names another annotator in each row, or the names of the rows."""
    often = Counter(filter(None, (names.root(column.name) for column in profiles)))
    for column in [*profiles[:1], *([index] if index is not None else []), *profiles[1:]]:
        if often[names.root(column.name)] > 1:
            continue  # one of 'Judge 1', 'Judge 2'
        if _may_name(column) and (names_people(column) or (column is not index and head(column) in names.PERSON)):
            return column
    return None


def _are_stamps(column: Profile) -> bool:
    """Whether a column says when each row was sent, as forms write it in one format or another."""
    return column.unique and all(re.match(STAMP, str(cell)) for cell in column.filled)


def _may_name(column: Profile) -> bool:
    """Whether a column is full and different in every row, and not of numbers with decimals."""
    return column.unique and column.share == 1 and not (column.numeric and not column.whole)


def _items(columns: Sequence[Profile]) -> list[Profile]:
    """The columns of answers: those named by codes where they share a vocabulary, else all that share one."""
    coded = [column for column in columns if column.filled and _is_code(column.name)]
    stems = {names.root(column.name) for column in coded} - {""}
    if len(coded) >= LEAST and len(stems) == 1 and names.ITEM & {*next(iter(stems)).split()}:
        return coded
    often = Counter(entry for column in coded for entry in column.vocabulary)
    coded = [
        column
        for column in coded
        if 2 * sum(times for cell, times in column.counts.items() if often[cell] >= COMMON) >= len(column.filled)
    ]  # questions about the person in a numbered form have answers of their own
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
