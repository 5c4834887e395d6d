"""Which way plain rows and nested dicts lie, by what they hold.

Rows of three entries are (item, annotator, value), as interagree documents them, (annotator, item, value), as NLTK has
them, or the values that three annotators gave to one item.  A dict of dicts goes from items to annotators or from
annotators to items.  Four things tell:

* names: 'coder 2' is an annotator and 'doc_17' an item; numbers beside words are more often the items;
* sizes: a study usually has more items than annotators;
* repetition: often every item has the same small number of annotations, while annotators differ in how much they did;
* agreement: the values of one item are more alike than the values of one annotator.

Where these say nothing against the documented order it is taken.  Where they speak for another one it is taken and
said.  Where they contradict each other there is no verdict, and the caller is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from interagree.data.codes import Coded
from interagree.data.columns import coded
from interagree.data.values import number, plain

MOST = 100_000  # rows whose values are compared
CELLS = 5_000_000  # cells of a table of groups and values
BIRTHDAY = 0.1  # chance of so many distinct pairs, below which two columns of ratings would have repeated one
CLEAR = 0.2  # difference of two agreements that is evidence
FAR, LARGE = 5, 20  # so many times more rows than columns, and so many of them, are items
STRONG = 2  # what letters and digits of both columns add up to; a word says more than that
ERRORS = 3  # standard errors of that difference
ENOUGH = 8  # items from which on agreement is more than luck
FEW = 10  # annotations of one item, where all items have the same number

_PERSON = re.compile(
    r"(?i)(anno(tator)?|ann|coder|rater|worker|judge|user|labell?er|reviewer|assessor|observer|expert|"
    r"grader|ranker|evaluator|person|participant|model|llm|gpt|claude)s?[\W_]*\d*"
)
_THING = re.compile(
    r"(?i)(item|doc(ument)?|task|unit|subject|example|sample|sent(ence)?|text|question|instance|record|post|tweet|"
    r"image|img|hit|prompt|response|review|comment|case|id)s?[\W_]*\d*(\.\w{1,4})?"
)
_PERSON_LETTER = re.compile(r"(?i)[crw][\W_]?\d{1,3}")
_PARTICIPANT = re.compile(r"(?i)p(0|[1-9]\d*)")  # but p007 may be a post or a page
_THING_LETTER = re.compile(r"(?i)[idqstx][\W_]?\d+|[ijk]")


@dataclass(frozen=True, slots=True)
class OrderVerdict:
    """Whether the first of two columns is the item (None: it cannot be told), and why."""

    item_first: bool | None
    reason: str = ""


def item_first(first: Coded, second: Coded, value: Coded) -> OrderVerdict:
    """Whether the first or the second column is the item, where the other one is the annotator."""
    if value.names and all(isinstance(entry, tuple) for entry in value.names[:200]):
        return OrderVerdict(item_first=True)  # lists and objects are given in the documented order only
    few, many = len(first.names), len(second.names)
    names = _thing(first.names, second.names) - _thing(second.names, first.names)
    if abs(names) > STRONG:
        return OrderVerdict(item_first=names > 0, reason="by what the entries are called")
    if min(few, many) < 2:
        return OrderVerdict(item_first=True)
    if few < many == len(second):  # if these were the items, nobody could be compared
        return OrderVerdict(item_first=True if names > 0 else None)
    repeated = _repeated_alike(first, second)
    if few > many and repeated is not second:
        return OrderVerdict(item_first=True)
    likeness = _likeness(first, second, Coded(value.codes[:MOST], value.names))
    if few > many:
        return OrderVerdict(item_first=None if likeness >= CLEAR else True)
    if few == many:
        swapped = names == -STRONG and likeness > -CLEAR
        doubtful = names < 0 and likeness >= CLEAR
        return OrderVerdict(
            item_first=False if swapped else None if doubtful else True, reason="by what they are called"
        )
    reason = f"since there are {few} in the first place and {many} in the second"
    if repeated is not None:
        return OrderVerdict(
            item_first=repeated is first, reason=f"{reason}, each of these with the same number of values"
        )
    return _fewer_first(few, many, names=names, likeness=likeness, reason=reason)


def _fewer_first(few: int, many: int, *, names: int, likeness: float, reason: str) -> OrderVerdict:
    """The verdict where fewer entries stand in the first place, as coders do in NLTK's rows."""
    wide, enough = many >= 2 * few, many >= ENOUGH
    if names == STRONG:
        return OrderVerdict(item_first=True)
    if names > 0:
        return OrderVerdict(item_first=None if wide and enough and likeness >= CLEAR else True)
    if names == -STRONG or (wide and enough and likeness >= (0 if names < 0 else CLEAR)):
        return OrderVerdict(item_first=False, reason=reason)
    return OrderVerdict(item_first=True if enough and likeness <= -CLEAR else None)


def side_by_side(parts: Sequence[Coded]) -> bool:
    """Whether three columns may be the values of three annotators, and not items, annotators and values."""
    vocabulary = [set(part.names) for part in parts]
    numbers = all(numeric(part.names) for part in parts)
    if not numbers and not all(isinstance(name, str) for part in parts for name in part.names):
        return False  # values of one question are of one type
    shared = sum(bool(vocabulary[a] & vocabulary[b]) for a, b in ((0, 1), (0, 2), (1, 2)))
    rows, sizes = len(parts[0]), [len(part.names) for part in parts]
    if shared == 0 or (shared == 1 and not numbers):
        return numbers and rows <= max(sizes[0], sizes[1])
    pairs = np.unique(parts[0].codes.astype(np.int64) * sizes[1] + parts[1].codes)
    luck = float(np.prod(1 - np.arange(min(rows, 1000)) / (sizes[0] * sizes[1])))  # that all pairs differ by chance
    return len(pairs) < rows or luck >= BIRTHDAY


def items_across(columns: Sequence[Coded]) -> bool | None:
    """Whether the rows of unnamed columns of values are the annotators and the columns the items; None: no telling.

    There should be more items than annotators, and the values of one item should be alike, unless there are far more.
    """
    rows, width = len(columns[0]), len(columns)
    codes = [column.codes[: MOST // width + 1] for column in columns]
    names = list(chain.from_iterable(column.names for column in columns))
    starts = np.cumsum([0, *(len(column.names) for column in columns)])
    place = coded([*map(plain, names)]).codes
    given = np.concatenate(
        [np.where(part < 0, -1, place[np.maximum(part, 0) + start]) for part, start in zip(codes, starts, strict=False)]
    )
    value = Coded(given, range(int(place.max()) + 1))
    across = np.repeat(np.arange(width), len(codes[0]))
    down = np.tile(np.arange(len(codes[0])), width)
    likeness = _likeness(Coded(across, range(width)), Coded(down, range(len(codes[0]))), value)
    clear = max(rows, width) >= max(2 * min(rows, width), ENOUGH) and abs(likeness) >= CLEAR
    if rows > width and ((clear and likeness > 0) or (rows >= max(FAR * width, LARGE) and likeness > -CLEAR)):
        return False
    if width > rows and ((clear and likeness < 0) or (width >= max(FAR * rows, LARGE) and likeness < CLEAR)):
        return True
    return None


def numeric(names: Sequence[object]) -> bool:
    """Whether all names are numbers, and not words that spell them."""
    return isinstance(names, range) or all(number(name) is not None and not isinstance(name, str) for name in names)


def _thing(names: Sequence[object], others: Sequence[object]) -> int:
    """Above 0 for names of items, below for names of annotators: 3 for words, 1 for letters and digits."""
    some = [str(name) for name in names[:200]]
    if not some:
        return 0
    if any(isinstance(name, tuple) for name in names[:200]):  # such as (document, sentence)
        return 3
    for strength, patterns in ((3, (_THING, _PERSON)), (1, (_THING_LETTER, _PERSON_LETTER))):
        for sign, pattern in zip((1, -1), patterns, strict=True):
            if sum(pattern.fullmatch(name) is not None for name in some) >= 0.8 * len(some):
                return sign * strength
    digits, other_digits = (all(number(name) is not None for name in part[:200]) for part in (names, others))
    if other_digits and all(_PARTICIPANT.fullmatch(name) for name in some):
        return -1
    return int(digits and not other_digits)


def _repeated_alike(first: Coded, second: Coded) -> Coded | None:
    """The only one of two columns in which every name occurs equally often, more than once and not often."""
    times = [np.bincount(column.codes[column.codes >= 0], minlength=len(column.names)) for column in (first, second)]
    even = [bool(column.min() == column.max()) for column in times]
    if even[0] == even[1]:  # in a full grid both are such columns, and that says nothing
        return None
    column, often = (first, times[0]) if even[0] else (second, times[1])
    return column if len(often) >= ENOUGH and 2 <= often[0] <= FEW else None


def _likeness(first: Coded, second: Coded, value: Coded) -> float:
    """Above 0 where values are more alike within the second column than within the first; 0 where it may be luck."""
    (low, low_variance), (high, high_variance) = _agreement(first, value), _agreement(second, value)
    difference = high - low
    return difference if abs(difference) >= max(CLEAR, ERRORS * math.sqrt(low_variance + high_variance)) else 0.0


def _agreement(group: Coded, value: Coded) -> tuple[float, float]:
    """How much more often two values of one group are the same than two of any group, and roughly its variance."""
    codes = group.codes[: len(value)]
    there = (codes >= 0) & (value.codes >= 0)
    shape = len(group.names), len(value.names)
    if not there.any() or shape[0] * shape[1] > CELLS:
        return 0.0, 1.0
    cells = codes[there].astype(np.int64) * shape[1] + value.codes[there]
    table = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    size, shares = table.sum(axis=1), table.sum(axis=0) / table.sum()
    pairs, chance = float((size * (size - 1)).sum()), float(shares @ shares)
    if pairs == 0 or chance == 1:
        return 0.0, 1.0
    above = (float((table * (table - 1)).sum()) / pairs - chance) / (1 - chance)
    return above, chance / (1 - chance) / float(np.maximum(size - 1, 0).sum())
