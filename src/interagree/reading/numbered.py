"""Tables that hold numbers of annotators instead of their answers: counts of values, and contingency tables.

Counts are whole numbers that add up to the same in every row, or to what another column says.  Rows that add up to
different numbers leave a doubt: they may be answers on a scale that starts at 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from interagree.reading import families, names, wide
from interagree.reading.crossed import bare
from interagree.reading.evidence import Profile, alpha, canonical
from interagree.reading.likeness import counts_up
from interagree.reading.readings import Reading
from interagree.reading.roles import aside, head, holds_people, is_id, item_score, person_level

ENOUGH = 5  # rows that add up to the same, from which on that is not an accident
MOSTLY = 0.9  # share of rows in which a column says what was counted most often
MOST = 1000  # annotators of an item, above which numbers count something else


def readings(
    columns: Sequence[Profile], *, item: Sequence[Hashable] | None, kept: Sequence[Hashable], index: Profile | None
) -> Iterator[Reading]:
    """The ways to read a table as one of numbers of annotators."""
    free = [column for column in columns if column.filled and column.name not in {*(item or ()), *kept}]
    square = _square(free, index)
    if square is not None:
        yield square
        if square.clear:
            return
    able, totals = _counted(free)
    rest = [column for column in free if column not in able]
    rows = _rows(able)
    if not _may_count(rows, rest, totals):
        return
    sums = {sum(row) for row in rows}
    most = _saying_the_most_frequent(rest, able)
    because, doubt = _adding_up(able, totals, most, sums, rows)
    if not because:
        return
    chosen = {column.name for column in (*able, *totals, *most)}
    ids = tuple(item) if item is not None else wide.item_of(columns, {*kept, *chosen})
    why = {**dict.fromkeys(totals, "the sum of the others"), **dict.fromkeys(most, "the most frequent value")}
    yield Reading(
        layout="counts",
        item=ids,
        values=tuple(column.name for column in able),
        aside={
            column.name: why.get(column) or aside(column) or "not a count" for column in rest if column.name not in ids
        },
        because=because,
        doubt=doubt,
        score=8.0 if doubt else 15.0,
    )


def _square(free: Sequence[Profile], index: Profile | None) -> Reading | None:
    """A table whose rows are called as its columns are: two annotators set against each other."""
    by_place = all(column.name == column.place for column in free)  # names that nobody gave
    first = len(free) >= 3 and not by_place and not _is_item(free[0]) and _names_of(free[0], free[1:])
    if not first and not (index is not None and len(free) >= 2 and _names_of(index, free)):
        return None
    doubt = ""
    if first and counts_up(free[0]):
        counted = _rows([column for column in free[1:] if _holds_numbers(column)])
        even = len({sum(row) for row in counted}) == 1 or len(free[0].filled) != len(free) - 1
        doubt = "the rows are numbered, and may be items" if even else ""
    because = "rows and columns have the same names"
    return Reading(layout="contingency", because=because, doubt=doubt, score=9.0 if doubt else 20.0)


def _counted(free: Sequence[Profile]) -> tuple[list[Profile], list[Profile]]:
    """The columns that may hold numbers of annotators, and those that hold their sums."""
    able = [column for column in free if _holds_numbers(column)]
    if len({sum(row) for row in _rows(able)}) > 1 and not _saying_the_most_frequent(free, able):
        able = [column for column in able if column.share == 1]  # without such evidence a gap is not a zero
    totals = _totals(able)[-1:]
    for other in () if totals else able:  # a column beside them, such as the number of the most frequent value
        rest = [column for column in able if column is not other]
        if len(rest) > 3 and (totals := _totals(rest)[-1:]):
            able = rest
            break
    return [column for column in able if column not in totals and person_level(column.name) < 3], totals


def _may_count(rows: Sequence[Sequence[float]], rest: Sequence[Profile], totals: Sequence[Profile]) -> bool:
    """Whether rows may be numbers of annotators, by the numbers and by what stands beside them."""
    if len(rows) < 3 or len(rows[0]) < 2 or not any(0 in row for row in rows):
        return False
    if any((head(c) in names.PERSON or holds_people(c)) and not c.unique and c not in totals for c in rest):
        return False  # a column says who gave the answer of each row
    others = [column for column in rest if column.numeric and column not in totals and not aside(column)]
    results = any(set(names.words(column.name)) & names.RESULT for column in rest)
    if len(others) > 2 or results or _tally(rows, rest):
        return False  # or those who gave the answers that are counted stand beside the counts
    return 2 <= max(map(sum, rows)) <= MOST and max(map(max, rows)) >= 2


def _rows(columns: Sequence[Profile]) -> list[list[float]]:
    """The numbers of each row; nothing was counted where nothing stands."""
    return [
        [cell if isinstance(cell, float) else 0.0 for cell in row]
        for row in zip(*(column.cells for column in columns), strict=True)
    ]


def _tally(rows: Sequence[Sequence[float]], others: Sequence[Profile]) -> bool:
    """Whether other columns hold the answers that are counted: those of one stem, as many in each row."""
    stems: dict[str, list[Profile]] = {}
    for column in others:
        if own := names.root(column.name):
            stems.setdefault(own, []).append(column)
    sizes = [int(sum(row)) for row in rows]
    return any(
        len(group) > 1
        and [sum(cell is not None for cell in row) for row in zip(*(c.cells for c in group), strict=True)] == sizes
        for group in stems.values()
    )


def _saying_the_most_frequent(columns: Sequence[Profile], able: Sequence[Profile]) -> list[Profile]:
    """The columns that name in each row the value that was counted most often."""
    counted = {column.name for column in able}
    place = {canonical(label): at for at, label in enumerate(bare([str(column.name) for column in able]))}
    likely = [
        column
        for column in columns
        if column.name not in counted
        and column.distinct <= len(able)
        and sum(times for entry, times in column.counts.items() if entry in place) >= MOSTLY * len(column.filled)
    ]
    rows = _rows(able) if likely else []
    found = []
    for column in likely:
        said = [(row, place[cell]) for row, cell in zip(rows, column.cells, strict=True) if cell in place]
        right = sum(row[at] == max(row) for row, at in said)
        if column.unique:
            continue  # it numbers the rows, or names them as the columns are named
        if len({at for _, at in said}) > 1 and right >= MOSTLY * len(said):
            found.append(column)
    return found


def _is_item(column: Profile) -> bool:
    """Whether a column numbers items, by its name and its cells."""
    return (
        column.whole
        and item_score(column) >= 2
        and column.unique
        and max(column.numbers) - min(column.numbers) == len(column.numbers) - 1
    )


def _adding_up(
    able: Sequence[Profile],
    totals: Sequence[Profile],
    most: Sequence[Profile],
    sums: set[float],
    rows: Sequence[Sequence[float]],
) -> tuple[str, str]:
    """What says that columns are counts, nothing where that is unlikely, and what speaks against it."""
    if len(sums) == 1 or most:
        because = (
            f"{most[0].name!r} is the most frequent in every row" if most else f"every row adds up to {max(sums):g}"
        )
        return because, "" if len(rows) >= ENOUGH else f"{because}, but there are only {len(rows)} rows"
    people = sum(person_level(column.name) >= 2 for column in able)
    agreeing = alpha(able)
    if 2 * people > len(able) or (not totals and agreeing >= families.AGREEING):
        return "", ""
    if not totals:
        zeros = sum(number == 0 for row in rows for number in row)
        likely = len(able) >= 3 and 3 * zeros >= len(able) * len(rows)
        return ("whole numbers with many zeros", "the rows add up to different numbers") if likely else ("", "")
    because = f"{totals[0].name!r} is the sum of the others in every row"
    if agreeing >= families.AGREEING:
        return because, f"{because}, but they agree as answers do"
    return because, "" if len(rows) >= ENOUGH else f"{because}, but there are only {len(rows)} rows"


def _holds_numbers(column: Profile) -> bool:
    names_items = is_id(column) or (column.unique and item_score(column) >= 2)
    return column.whole and min(column.numbers) >= 0 and not column.running and not names_items


def _totals(columns: Sequence[Profile]) -> list[Profile]:
    """The columns of whole numbers that are the sum of all others in every row, half of all that stands there."""
    if len(columns) < 3:
        return []
    sums = [int(sum(row)) for row in _rows(columns)]
    return [column for column in columns if column.share == 1 and [2 * int(n) for n in column.numbers] == sums]


def _names_of(first: Profile, others: Sequence[Profile]) -> bool:
    """Whether the cells of a column are the names of the others, which hold numbers."""
    called = {canonical(str(column.name)) for column in others}
    inside = [entry for entry in first.filled if entry in called]
    counts = [column for column in others if column.whole and min(column.numbers) >= 0]
    return (
        first.unique
        and len(inside) >= 2
        and len(inside) >= 0.6 * max(len(first.filled), len(called))
        and len(counts) >= len(others) - 1
    )
