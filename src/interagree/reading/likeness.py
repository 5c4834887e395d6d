"""What columns of a table may be instead of answers: counts, shares, pairs of annotators, names, something derived."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from interagree.errors import listing
from interagree.reading import names
from interagree.reading.evidence import Entry, Profile, canonical, determines, folded, same_scale
from interagree.reading.roles import person_level

LABELS = 3  # columns of which one says yes in each row, from which on they are labels of one answer
ENOUGH = 12  # rows from which on agreement tells something
DERIVED = 0.85  # share of rows in which a derived column says what most others say …
APART = 0.08  # … and by how much it must exceed that of an annotator
LEAST = 6  # rows that tell something of it
MOSTLY = 0.95  # share of rows in which a mean is the mean …
ROUNDED = 0.006  # … but for rounding
ALWAYS = 0.98  # share of rows in which what was agreed on is what one annotator said
TOGETHER = 0.3  # variance of sums of columns over the sum of their variances, below which they complete each other
FAR = 0.2  # by how much a column must say more often what most say than any annotator does, wherever it stands


def may_count(columns: Sequence[Profile], rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether cells may be numbers of annotators: whole, from 0 up, and 0 in half of the rows or more."""
    return (
        all(column.whole and min(column.numbers) >= 0 for column in columns)
        and sum(0 in row for row in rows) >= len(rows) / 2
    )


def derived(columns: Sequence[Profile]) -> Profile | None:
    """The column that says what most others say far more often than they do; less is needed of the first or last."""
    if len(columns) < 3 or len(columns[0].cells) < ENOUGH:
        return None
    shares = _with_most(columns)
    best = max(shares)
    place = shares.index(best)
    second = max(share for at, share in enumerate(shares) if at != place)
    edge = place in (0, len(columns) - 1) and best >= DERIVED and best - second >= APART
    return columns[place] if edge or best - second >= FAR else None


def _with_most(columns: Sequence[Profile]) -> list[float]:
    """For each column how often it says what more than half of the others say, where that is more than one.

    Each row is counted once, and each column then leaves its own entry out.
    """
    clear, again = [0] * len(columns), [0] * len(columns)
    least = max(1, (len(columns) - 1) / 2)
    for row in zip(*(column.cells for column in columns), strict=True):
        # No others than the two most frequent entries can be those of more than half.
        likely = [(entry, times) for entry, times in Counter(row).most_common(2) if times > least and entry is not None]
        for place, own in enumerate(row) if likely else ():
            said = [entry for entry, times in likely if times - (own == entry) > least]
            if own is not None and said:
                clear[place] += 1
                again[place] += own == said[0]
    return [hits / rows if rows >= LEAST else 0.0 for hits, rows in zip(again, clear, strict=True)]


def agreed_only(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column says what the others agree on, and nothing where they differ."""
    rows = list(zip(column.cells, *(other.cells for other in others), strict=True))
    whole = [(own, {*map(folded, row)}) for own, *row in rows if None not in row]
    split = [own for own, said in whole if len(said) > 1]
    agreed = [(own, said) for own, said in whole if len(said) == 1]
    return (
        min(len(split), len(agreed)) >= LEAST
        and sum(own is None for own in split) >= MOSTLY * len(split)
        and sum(own is not None and folded(own) in said for own, said in agreed) >= MOSTLY * len(agreed)
    )


def complete_each_other(columns: Sequence[Profile]) -> bool:
    """Whether columns of whole numbers have much together what one of them lacks, as counts of few values do."""
    numbers = [
        [cell for cell in row if isinstance(cell, float)] for row in zip(*(c.cells for c in columns), strict=True)
    ]
    rows = [row for row in numbers if len(row) == len(columns)]
    if len(rows) < LEAST or not all(column.whole and min(column.numbers) >= 0 for column in columns):
        return False
    alone = sum(statistics.pvariance(column) for column in zip(*rows, strict=True))
    return bool(statistics.pvariance([sum(row) for row in rows]) < TOGETHER * alone)


def figure_of(column: Profile, others: Sequence[Profile]) -> str:
    """What a column of numbers is of others in the same rows: their mean or their sum; empty where it is neither."""
    if len(others) < 2 or not column.numeric or not all(other.numeric for other in others):
        return ""
    own_numbers = [own for own in column.cells if isinstance(own, float)]
    if len(own_numbers) < LEAST or len({*own_numbers}) < 2:
        return ""
    spare, rows = (1 - MOSTLY) * len(own_numbers), 0
    differing = 0  # where all agree, each of them is the mean
    wrong = {"mean": 0, "sum": 0}
    for own, *cells in zip(column.cells, *(other.cells for other in others), strict=True):
        if not isinstance(own, float):
            continue
        row = [cell for cell in cells if isinstance(cell, float)]
        if not row:
            continue
        rows += 1
        differing += len({*row, own}) > 1
        for name, figure in (("mean", sum(row) / len(row)), ("sum", sum(row))):
            wrong[name] += abs(own - figure) > ROUNDED * max(1.0, abs(own))
        if min(wrong.values()) > spare:  # most columns are neither, and are done with after a few rows
            return ""
    found = (name for name, times in wrong.items() if times <= (1 - MOSTLY) * differing)
    return next(found, "") if differing >= LEAST / 2 and rows >= LEAST else ""


# -- what follows from other columns of a long table ----------------------------------------------------------------

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": sum,
    "smallest": min,
    "largest": max,
    "standard deviation": statistics.pstdev,
    "standard deviation of a sample": statistics.stdev,
    "number": len,
}
TRUE, NEARLY = {1.0, "true", "yes", "y", "x"}, 0.95
FIRST_ROWS = 40  # that tell at once that a column is not the sum of others
MOST_SUMMED = 60  # columns of which sums are looked for
FEW_SUMMED = 8  # columns of which every sum is tried
FEW_COLUMNS = 30  # up to which pairs of columns are compared


def aggregate_of(column: Profile, value: Profile, groups: Sequence[int]) -> str:
    """Which aggregate of the answers to each item a column of numbers holds, in words; empty where it is none."""
    if not (column.numeric and value.numeric):
        return ""
    given: defaultdict[int, list[float]] = defaultdict(list)
    told: dict[int, float] = {}
    for group, entry, answer in zip(groups, column.cells, value.cells, strict=True):
        if isinstance(answer, float):
            given[group].append(answer)
        if isinstance(entry, float):
            told[group] = entry
    several = [group for group, answers in given.items() if len(set(answers)) > 1 and group in told]
    if len(several) < LEAST or len({told[group] for group in several}) < 2:
        return ""
    near = _rounding(column)
    for name, aggregate in AGGREGATES.items():
        hits = sum(abs(aggregate(given[group]) - told[group]) <= near for group in several)
        if hits >= NEARLY * len(several):
            return f"the {name} of {value.name!r} for each item"
    return ""


def _rounding(column: Profile) -> float:
    """By how much numbers may differ from what they were rounded from."""
    decimals = max(len(f"{entry:.6f}".rstrip("0").partition(".")[2]) for entry in column.numbers)
    return 0.5 * 10.0**-decimals + 1e-9 if decimals else 1e-9


def follows_from_row(column: Profile, values: Sequence[Profile]) -> str:
    """Which sum or mean of other answers of each row a column of numbers holds, in words; empty where it is none."""
    others = [other for other in values if other is not column and other.numeric and other.distinct > 1]
    if not column.numeric or column.distinct < 2 or len(column.filled) < ENOUGH or not 2 <= len(others) <= MOST_SUMMED:
        return ""
    near = _rounding(column)
    for some in _groups(column, others):
        for name, aggregate in (("sum", sum), ("mean", statistics.fmean)):
            if _is_aggregate(column, some, aggregate, near, FIRST_ROWS) and _is_aggregate(
                column, some, aggregate, near
            ):
                return f"the {name} of {listing([other.name for other in some], most=4)} in every row"
    return ""


def _is_aggregate(
    column: Profile,
    some: Sequence[Profile],
    aggregate: Callable[[Sequence[float]], float],
    near: float,
    most: int | None = None,
) -> bool:
    """Whether a column is the sum or the mean of others in every row, or in the first rows; gaps count as nothing."""
    varied = 0
    beyond: float | None = None  # what a column that is the same in every row adds
    for told, *row in zip(column.cells[:most], *(other.cells[:most] for other in some), strict=True):
        if isinstance(told, float) and row.count(None) < len(row):
            full = [cell if isinstance(cell, float) else 0.0 for cell in row]
            filled = [cell for cell in row if isinstance(cell, float)]
            beyond = told - aggregate(full) if beyond is None and aggregate is sum else beyond
            if abs(aggregate(full) + (beyond or 0.0) - told) > near and abs(aggregate(filled) - told) > near:
                return False
            varied += len(set(full)) > 1
    return varied >= LEAST or most is not None


def _groups(column: Profile, others: Sequence[Profile]) -> Iterator[Sequence[Profile]]:
    """Columns that another may be the sum of: all, those before it, those on one scale."""
    yield others
    before = [other for other in others if other.place < column.place]
    if 2 <= len(before) < len(others):
        yield before
    for start in others[: FEW_COLUMNS // 10]:
        alike = [other for other in others if other is start or same_scale(other, start)]
        if 2 <= len(alike) < len(others):
            yield alike
    if len(others) <= FEW_SUMMED:
        for size in range(2, len(others)):
            yield from combinations(others, size)


def recoded(column: Profile, values: Sequence[Profile]) -> str:
    """Which earlier column says the same in other words, in words; empty where none does."""
    if column.distinct < 2 or len(column.filled) < ENOUGH:
        return ""
    for other in values:
        if other is column or other.distinct != column.distinct or column.vocabulary & other.vocabulary:
            continue
        if determines([other], column) and determines([column], other) and other.share == column.share:
            return f"says the same as {other.name!r} in other words"
    return ""


def reworded(columns: Sequence[Profile]) -> dict[Hashable, str]:
    """Columns that say in other words what one says after which they are named, and which one: 'code', 'code_text'."""
    found: dict[Hashable, str] = {}
    by_words = {names.words(column.name): column for column in columns}
    for column in columns:
        words = names.words(column.name)
        shorter = (words[:size] for size in range(len(words) - 1, 0, -1))
        first = next((by_words[some] for some in shorter if some in by_words), None)
        if first is None or first.distinct < 2 or column.distinct < 2 or column.vocabulary & first.vocabulary:
            continue
        if column.repeats and first.repeats and max(_follows(column, first), _follows(first, column)) >= NEARLY:
            found[column.name] = f"says the same as {first.name!r} in other words"
    return found


def _follows(column: Profile, other: Profile) -> float:
    """The share of rows in which a column has the entry that goes most often with that of another; 0 if gaps differ."""
    pairs = Counter(zip(other.cells, column.cells, strict=True))
    if any((one is None) != (two is None) for one, two in pairs):
        return 0.0
    most: dict[Entry, int] = {}
    for (one, _), times in pairs.items():
        most[one] = max(times, most.get(one, 0))
    return sum(most.values()) / pairs.total()


def marks_spans(columns: Sequence[Profile]) -> list[Profile]:
    """The columns that say from where to where a text of each row stands in another, and the text."""
    numbers = [column for column in columns if column.whole and column.distinct > 2][:FEW_COLUMNS]
    texts = [column for column in columns if column.filled and not column.numeric and column.distinct > 2][:FEW_COLUMNS]
    for start, end in pairwise(numbers):
        for text in texts:
            rows = [row for row in zip(start.cells, end.cells, text.cells, strict=True) if None not in row]
            hits = sum(
                isinstance(a, float) and isinstance(b, float) and abs(b - a - len(str(entry))) <= 1
                for a, b, entry in rows
            )
            if len(rows) >= LEAST and hits >= 0.7 * len(rows):
                return [start, end, text]
    return []


def says_whether_equal(column: Profile, others: Sequence[Profile]) -> str:
    """Which two columns a column of yes and no compares, in words; empty where it is none."""
    if not column.flags or column.distinct < 2 or len(others) > FEW_COLUMNS or len(column.filled) < ENOUGH:
        return ""
    for one, other in combinations([other for other in others if other.distinct > 1], 2):
        if same_scale(one, other) and _compares(column, one, other):
            return f"says whether {one.name!r} equals {other.name!r}"
    return ""


def _compares(column: Profile, one: Profile, other: Profile) -> bool:
    rows = zip(column.cells, one.cells, other.cells, strict=True)
    return all(flag is None or (folded(flag) in TRUE) == (folded(a) == folded(b)) for flag, a, b in rows)


def may_sum_up(column: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column sums up the others as far as they differ, which may be nowhere."""
    return sums_up(column, others, least=0)


def sums_up(column: Profile, others: Sequence[Profile], *, least: int = LEAST) -> bool:
    """Whether a column says what most of the others say, and nearly always what one of them does; or their mean.

    Args:
        column: The column.
        others: The others in the same rows.
        least: The rows in which the others must differ, for this to tell anything.
    """
    if figure_of(column, others):
        return True
    rows = [
        (own, [cell for cell in row if cell is not None])
        for own, *row in zip(column.cells, *(other.cells for other in others), strict=True)
        if own is not None
    ]
    split = [(own, Counter(row)) for own, row in rows if len({*row}) > 1]
    plain = [(own, said.most_common(1)[0][0]) for own, said in split if said.most_common(1)[0][1] > said.total() / 2]
    among = sum(own in row for own, row in rows if row)
    return (
        len(split) >= least
        and among >= ALWAYS * sum(bool(row) for _, row in rows)
        and sum(own == most for own, most in plain) >= MOSTLY * len(plain)
    )


def counts_up(column: Profile) -> bool:
    """Whether the entries are the whole numbers from 0 or 1 up."""
    first = column.numbers[0] if column.whole else -1.0
    return first in (0.0, 1.0) and column.numbers == [first + row for row in range(len(column.numbers))]


def adds_up(rows: Sequence[Sequence[Entry]]) -> bool:
    """Whether numbers with decimals add up to 1 or to 100 in every row."""
    if len(rows) < 3 or not all(isinstance(cell, float) for row in rows for cell in row):
        return False
    numbers = [[cell for cell in row if isinstance(cell, float)] for row in rows]
    if all(number.is_integer() for row in numbers for number in row):
        return False
    return any(all(abs(sum(row) - total) <= 0.02 * total for row in numbers) for total in (1.0, 100.0))


def one_of_each(columns: Sequence[Profile]) -> int:
    """How many columns of yes and no belong together, because one of them says yes in nearly every row; else 0.

    They stand side by side, those of one person after those of another, or label by label.
    """
    if len(columns) < 2 * LABELS or len(columns[0].cells) < ENOUGH or not all(column.flags for column in columns):
        return 0
    said = np.array([[folded(cell) in TRUE for cell in column.cells] for column in columns])
    for size in range(LABELS, len(columns) // 2 + 1):
        people, rest = divmod(len(columns), size)
        if rest:
            continue
        beside = said.reshape(people, size, -1).sum(axis=1)
        across = said.reshape(size, people, -1).sum(axis=0)
        if any((sums == 1).mean(axis=1).min() >= MOSTLY for sums in (beside, across)):
            return size
    return 0


def is_matrix(columns: Sequence[Profile], others: Sequence[Profile]) -> bool:
    """Whether the rows are called as the columns are."""
    called = {folded(canonical(column.name)) for column in columns}
    return any(
        len(called & set(other.counts)) >= max(2, 0.6 * len(called))
        and other.distinct <= 2 * len(called)
        and other.share > 0.8
        for other in others
    )


def names_people(column: Profile) -> bool:
    """Whether a column names another person in each row."""
    if not column.unique or column.numeric or len(column.filled) < 2:
        return False
    named = sum(
        isinstance(entry, str) and len(names.words(entry)) <= 4 and _names_a_person(entry) for entry in column.filled
    )
    return named >= 0.6 * len(column.filled)


def _names_a_person(entry: str) -> bool:
    """Whether an entry names a person; with a number only beside a word for one, as '3 mai 2020' does not."""
    level = person_level(entry)
    return level == 3 or (level == 2 and ("@" in entry or not any(map(str.isdigit, entry))))
