"""What the cells of a column say about the part it plays: how many differ, how long they are, what they repeat.

Evidence is taken from all rows of a short table and from a sample of a long one: the first rows, which show what
belongs together, and rows spread over the rest.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date, datetime, time
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from interagree.data.arrow import entries
from interagree.data.codes import Coded
from interagree.data.values import is_finite, is_hashable, is_missing, number, plain
from interagree.gather.missing import ERRORS, SIGNS, WORDS
from interagree.reading.cells import Column, is_arrow
from interagree.reading.tables import NamedColumns

FIRST = 3000  # rows from the start of a long table that are looked at
SPREAD = 1500  # … and rows spread over the rest
CELLS = 300_000  # cells of a table of many columns that are looked at
LEAST = 300  # rows of such a table that are looked at in any case
SIDE_BY_SIDE = 30  # columns whose agreement is that of all
FEW = 60  # different entries up to which a column is a vocabulary
SCALE = 12  # different numbers from which on a scale is known by its range
LISTED, LABEL = 0.3, 40  # share of cells with several labels that makes a column one of lists, and letters of a label
COMMON = 0.6  # share of the entries of two columns that both have where they come from one vocabulary
FLAGS = frozenset({0.0, 1.0, "true", "false", "yes", "no", "y", "n", "x"})
NOTHING = SIGNS | WORDS | ERRORS | {""}  # entries that hold no answer

_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?|\d\d?[./]\d\d?[./]\d{2,4}( \d\d?:\d\d.*)?|\d\d?:\d\d(:\d\d(\.\d+)?)?"
    r"|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* .*\d{4}.*"
)
_LINK = re.compile(r"(https?://|www\.|[a-z]+://)\S+|\S+@\S+\.\S+|\S*[/\\]\S+\.\w{2,4}|\?\w+=\S+", re.IGNORECASE)

_LONGEST_LINK = 2048  # letters; what browsers take, and few enough for the pattern to go back in


Entry: TypeAlias = Hashable
"""What a cell holds in the form in which cells are compared: a number as float, a word, or something composed."""


class Profile:
    """What is known of one column."""

    def __init__(self, name: Hashable, cells: Sequence[object], place: int) -> None:
        self.name = name
        self.place = place  # among the columns of the table
        self.raw = cells
        self.cells = _canonical(cells)

    def __repr__(self) -> str:
        return f"<Profile of {self.name!r}: {len(self.filled)} of {len(self.cells)} cells, {self.distinct} different>"

    @cached_property
    def filled(self) -> list[Entry]:
        """The cells that hold something."""
        return [cell for cell in self.cells if cell is not None]

    @cached_property
    def counts(self) -> Counter[Entry]:
        """How often each entry occurs."""
        return Counter(map(folded, self.filled))

    @cached_property
    def distinct(self) -> int:
        """How many different entries there are."""
        return len(set(self.filled))

    @cached_property
    def share(self) -> float:
        """The share of cells that hold something."""
        return len(self.filled) / max(len(self.cells), 1)

    @cached_property
    def numeric(self) -> bool:
        """Whether all entries are numbers."""
        return bool(self.counts) and all(isinstance(entry, float) for entry in self.counts)

    @cached_property
    def numbers(self) -> list[float]:
        """The entries that are numbers, as they stand in the column."""
        return [entry for entry in self.filled if isinstance(entry, float)]

    @cached_property
    def whole(self) -> bool:
        """Whether all entries are whole numbers."""
        return self.numeric and all(map(float.is_integer, self.numbers))

    @cached_property
    def length(self) -> float:
        """The mean length of the entries that are words."""
        sizes = [len(entry) * times for entry, times in self.counts.items() if isinstance(entry, str)]
        return sum(sizes) / max(len(self.filled), 1)

    @property
    def constant(self) -> bool:
        """Whether there is only one entry."""
        return self.distinct <= 1

    @property
    def unique(self) -> bool:
        """Whether no entry occurs twice."""
        return self.distinct == len(self.filled) >= 2

    @property
    def nearly_unique(self) -> bool:
        """Whether hardly any entry occurs twice."""
        return len(self.filled) >= 5 and self.distinct >= 0.9 * len(self.filled)

    @cached_property
    def running(self) -> bool:
        """Whether the column only numbers its rows."""
        if len(self.filled) < 5 or not self.whole or not self.unique or self.share < 1:
            return False
        return {b - a for a, b in pairwise(self.numbers)} == {1.0}

    @cached_property
    def dates(self) -> bool:
        """Whether the entries are dates or times."""
        return self._all(lambda entry: isinstance(entry, str) and _DATE.fullmatch(entry) is not None)

    @cached_property
    def moments(self) -> bool:
        """Whether the entries are moments as programs count them: seconds or milliseconds since 1970."""
        return self.distinct > 1 and self._all(
            lambda entry: (
                isinstance(entry, float)
                and entry.is_integer()
                and any(low <= entry < 2.2 * low for low in (1e9, 1e12, 1e15))
            )
        )

    @cached_property
    def worded(self) -> bool:
        """Whether most entries are of several words."""
        several = sum(times for entry, times in self.counts.items() if isinstance(entry, str) and " " in entry.strip())
        return several > 0.5 * len(self.filled)

    @cached_property
    def links(self) -> bool:
        """Whether the entries are addresses or paths of files."""
        return self._all(lambda entry: isinstance(entry, str) and _is_link(entry))

    @cached_property
    def structured(self) -> bool:
        """Whether the entries are lists or objects."""
        return self._all(
            lambda entry: (
                isinstance(entry, tuple | frozenset)
                or (isinstance(entry, str) and entry[:1] in "[{" and entry[-1:] in "]}" and len(entry) > 2)
            )
        )

    @cached_property
    def several(self) -> bool:
        """Whether entries are lists of labels between semicolons or bars, which come again in other lists."""
        if self.numeric or self.structured:
            return False
        cut = [re.split(r"[;|]", entry) for entry in self.filled if isinstance(entry, str)]
        lists = [[part.strip() for part in some] for some in cut]
        parts = [part for some in lists for part in some if part]
        short = all(len(part) <= LABEL for part in parts)
        often = sum(len(some) > 1 for some in lists) >= LISTED * len(self.filled)
        return short and often and 2 * len({*parts}) <= len(parts)

    @cached_property
    def prose(self) -> bool:
        """Whether the entries are running text: long, or of several words and hardly ever repeated."""
        if self.numeric or self.structured or self.several:
            return False
        if self.length > 60:
            return True
        several = sum(times for entry, times in self.counts.items() if isinstance(entry, str) and entry.count(" ") >= 3)
        return several > 0.5 * len(self.filled) and self.distinct > 0.5 * len(self.filled)

    @cached_property
    def flags(self) -> bool:
        """Whether the entries are yes or no, 0 or 1, true or false."""
        return self.distinct <= 2 and set(self.counts) <= FLAGS

    @cached_property
    def vocabulary(self) -> frozenset[Entry]:
        """The different entries."""
        return frozenset(self.counts)

    @cached_property
    def repeats(self) -> bool:
        """Whether entries repeat as answers do: few of them, each often."""
        return 0 < self.distinct <= max(FEW, 1) and self.distinct <= max(2.0, 0.6 * len(self.filled))

    def _all(self, test: Callable[[Entry], bool]) -> bool:
        """Whether nearly all entries pass a test."""
        passing = sum(times for entry, times in self.counts.items() if test(entry))
        return bool(self.counts) and passing >= 0.9 * len(self.filled)


def _is_link(entry: str) -> bool:
    return len(entry) <= _LONGEST_LINK and _LINK.fullmatch(entry) is not None


def canonical(cell: object) -> Entry | None:
    """A cell in the form in which cells are compared: numbers as numbers, however they are spelled."""
    if is_missing(cell):
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, str):
        text = cell.strip()
        if text.casefold() in NOTHING:
            return None
        spelled = number(text)
        return spelled if spelled is not None else unicodedata.normalize("NFC", text)
    if isinstance(cell, int | float):
        if isinstance(cell, int) and not is_finite(cell):
            return str(cell)
        return float(cell) if math.isfinite(cell) else None
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    entry = plain(cell)
    if isinstance(entry, int | float | bool | str):
        return canonical(entry)
    return entry if is_hashable(entry) else str(entry)


def folded(entry: Entry) -> Entry:
    """An entry without the difference between upper and lower case."""
    return entry.casefold() if isinstance(entry, str) else entry


def _canonical(cells: Sequence[object]) -> list[Entry]:
    """Cells in the form in which they are compared; each different one is looked at once."""
    known: dict[tuple[type, object], Entry] = {}
    entries: list[Entry] = []
    for cell in cells:
        key = (type(cell), cell)
        try:
            if key not in known:
                known[key] = canonical(cell)
            entries.append(known[key])
        except TypeError:  # a list or an object, which has no hash
            entries.append(canonical(cell))
    return entries


def profiles(table: NamedColumns) -> list[Profile]:
    """What is known of each column of a table."""
    if not table.names:
        return []
    if table.peek is not None:
        cells = {name: sample(column, None) for name, column in table.peek().items()}
    else:
        columns = table.fetch(table.names)
        rows = rows_to_look_at(len(columns[table.names[0]]), len(table.names))
        cells = {name: sample(column, rows) for name, column in columns.items()}
    return [Profile(name, cells[name], place) for place, name in enumerate(table.names)]


def index_profile(table: NamedColumns) -> Profile | None:
    """What is known of the names of the rows; None where they have no names."""
    if table.index is None:
        return None
    rows = rows_to_look_at(len(table.index), len(table.names))
    return Profile("the names of the rows", sample(table.index, rows), -1)


def sample(column: Column, rows: Sequence[int] | None) -> list[object]:
    """Some cells of a column."""
    if isinstance(column, Coded):
        codes = column.codes if rows is None else column.codes[np.asarray(rows, dtype=np.intp)]
        names: Mapping[int, object] = {code: column.names[code] for code in set(codes.tolist()) if code >= 0}
        return [names.get(code) for code in codes.tolist()]
    if isinstance(column, list):  # of a file, which may have many: asking for a protocol takes long
        return column[:] if rows is None else [column[row] for row in rows]
    if is_arrow(column):
        return entries(column if rows is None else column.take(np.asarray(rows, dtype=np.intp)))
    if rows is None:
        return list(column)
    if isinstance(column, np.ndarray):
        return list(column[np.asarray(rows, dtype=np.intp)].tolist())
    return [column[row] for row in rows]


def rows_to_look_at(size: int, columns: int = 1) -> list[int] | None:
    """Which rows of a table are looked at; None for all of them."""
    most = min(FIRST + SPREAD, max(LEAST, CELLS // max(columns, 1)))
    if size <= most:
        return None
    first = most * FIRST // (FIRST + SPREAD)
    step = (size - first) / (most - first)
    return [*range(first), *(first + int(step * number) for number in range(most - first))]


# -- columns beside each other ------------------------------------------------------------------------------------


def shared(columns: Sequence[Profile]) -> float:
    """How much columns share a vocabulary: the least share of cells in one column whose entry others have as well.

    Columns of many different numbers share one where their ranges overlap.
    """
    shares = _common([column for column in columns if column.filled])
    return min(shares) if len(shares) >= 2 else 0.0


def pooled(columns: Sequence[Profile]) -> float:
    """The share of all cells of columns whose entry another column has as well."""
    there = [column for column in columns if column.filled]
    if len(there) < 2:
        return 0.0
    sizes = [len(column.filled) for column in there]
    return sum(n * share for n, share in zip(sizes, _common(there), strict=True)) / sum(sizes)


def _common(columns: Sequence[Profile]) -> list[float]:
    """For each column the share of its cells whose entry one of the others has as well."""
    if all(column.structured for column in columns):
        return [1.0] * len(columns)
    often = Counter(entry for column in columns for entry in column.vocabulary)
    shares = []
    for column in columns:
        again = sum(times for entry, times in column.counts.items() if often[entry] > 1) / len(column.filled)
        if again < 0.8 and column.numeric and all(other.numeric for other in columns):
            again = max(again, _overlap(column, [other for other in columns if other is not column]))
        shares.append(again)
    return shares


def fits(column: Profile, others: Sequence[Profile]) -> float:
    """The share of the cells of a column whose entry occurs in others, or lies in the range of their numbers."""
    if not column.filled or not others:
        return 0.0
    if column.structured and all(other.structured for other in others if other.filled):
        return 1.0  # lists and objects are compared by a distance, and hardly ever equal
    known: set[Entry] = set().union(*(other.vocabulary for other in others))
    common = sum(times for entry, times in column.counts.items() if entry in known) / len(column.filled)
    if column.numeric and common < 0.8 and all(other.numeric for other in others if other.filled):
        common = max(common, _overlap(column, [other for other in others if other.filled]))
    return common


def _overlap(column: Profile, others: Sequence[Profile]) -> float:
    """How far a column of numbers lies in the range of others; nothing where the kinds of number differ."""
    if not others:
        return 0.0
    few = column.distinct <= 12 and not any(other.distinct > 12 for other in others)
    if few and column.whole and all(other.whole for other in others):
        return 0.0
    if column.distinct > 12 and column.whole != all(other.whole for other in others):
        return 0.0
    low, high = min(min(other.numbers) for other in others), max(max(other.numbers) for other in others)
    return 0.9 * sum(low <= number <= high for number in column.numbers) / len(column.filled)


def spread_out(columns: Sequence[Profile], most: int = SIDE_BY_SIDE) -> Sequence[Profile]:
    """Columns, or where there are more than so many, some of them from first to last."""
    return columns[:: -(-len(columns) // most)] if columns else columns


def alpha(columns: Sequence[Profile]) -> float:
    """Krippendorff's alpha of columns taken as annotators, nominal or interval, whichever is larger."""
    columns = spread_out(columns)
    rows = zip(*(column.cells for column in columns), strict=True)
    units = [[folded(cell) for cell in row if cell is not None] for row in rows]
    units = [unit for unit in units if len(unit) >= 2]
    values = [_alpha(units, interval=False)]
    if all(column.numeric for column in columns):
        values.append(_alpha(units, interval=True))
    defined = [value for value in values if not math.isnan(value)]
    return max(defined) if defined else math.nan


def alpha_of(column: Profile, groups: Sequence[int], *, interval: bool = True) -> float:
    """Krippendorff's alpha of a column whose rows are annotations of the items that groups number.

    Args:
        column: The answers.
        groups: The item of each row.
        interval: Whether numbers may also agree by being near, so that the larger of two alphas counts.
    """
    rows: defaultdict[int, list[Entry]] = defaultdict(list)
    for group, cell in zip(groups, column.cells, strict=True):
        if cell is not None:
            rows[group].append(folded(cell))
    units = [unit for unit in rows.values() if len(unit) >= 2]
    values = [_alpha(units, interval=False), _alpha(units, interval=True) if interval and column.numeric else math.nan]
    return max((value for value in values if not math.isnan(value)), default=math.nan)


def same_scale(one: Profile, other: Profile) -> bool:
    """Whether two columns come from one vocabulary: few entries that most are common to, or numbers in one range."""
    if not one.filled or not other.filled:
        return False
    if one.numeric and other.numeric and min(one.distinct, other.distinct) > SCALE:
        return one.whole == other.whole and min(_overlap(one, [other]), _overlap(other, [one])) >= 0.8
    common = len(one.vocabulary & other.vocabulary)
    return common >= min(2, one.distinct) and common >= COMMON * len(one.vocabulary | other.vocabulary)


def _alpha(units: Sequence[Sequence[Entry]], *, interval: bool) -> float:
    total = sum(map(len, units))
    if total < 2:
        return math.nan
    pooled = [cell for unit in units for cell in unit]
    if interval:
        observed = sum(2 * _variance(unit) * len(unit) ** 2 / (len(unit) - 1) for unit in units) / total
        expected = 2 * _variance(pooled) * total / (total - 1)
    else:
        observed = (
            sum(
                (len(unit) ** 2 - sum(times**2 for times in Counter(unit).values())) / (len(unit) - 1) for unit in units
            )
            / total
        )
        expected = (total**2 - sum(times**2 for times in Counter(pooled).values())) / (total * (total - 1))
    return 1 - observed / expected if 0 < expected < math.inf else math.nan


def _variance(entries: Sequence[Entry]) -> float:
    with np.errstate(over="ignore", invalid="ignore"):  # numbers too large to be squared say nothing
        return float(np.var([entry for entry in entries if isinstance(entry, float)]))


def determines(first: Sequence[Profile], second: Profile) -> bool:
    """Whether entries of the second column follow from those of the first ones (which repeat)."""
    seen: dict[tuple[Entry, ...], Entry] = {}
    again = 0
    for entry, *others in zip(second.cells, *(column.cells for column in first), strict=True):
        if entry is None:
            continue
        known = seen.setdefault(tuple(others), entry)
        if known != entry:
            return False
        again += 1
    return again > len(seen)


def is_key(columns: Sequence[Profile]) -> bool:
    """Whether no two rows have the same entries in these columns."""
    rows = list(zip(*(column.cells for column in columns), strict=True))
    return len(set(rows)) == len(rows)
