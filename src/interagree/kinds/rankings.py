"""Rankings: a list of ids, best first, none of them twice; ids are whole numbers from 0 up or strings.

Lists may rank the same ids or only the best few of many, and two lists may share few ids or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from interagree.arrays import Indices, Int32s, Int64s
from interagree.data.types import Value
from interagree.errors import KindError
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._parts import is_number, numbered, starts
from interagree.tables import cell


@dataclass(frozen=True, slots=True)
class Rankings:
    """The ids of all lists, end to end, as numbers from 0 up; those of list k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    ids: Int32s
    known: int  # how many ids there are

    @property
    def length(self) -> Int64s:
        return np.diff(self.start).astype(np.int64)

    @property
    def full(self) -> bool:
        """Whether every list ranks all ids."""
        return self.known > 1 and bool((self.length == self.known).all())

    def ranks(self) -> Int32s:
        """Where each id stands in each list, from 1: a row for each list.  Only for full rankings."""
        ranks = np.empty((len(self.start) - 1, self.known), dtype=np.int32)
        places = np.arange(1, self.known + 1, dtype=np.int32)
        np.put_along_axis(ranks, self.ids.reshape(ranks.shape), np.broadcast_to(places, ranks.shape), axis=1)
        return ranks

    def steps(self, i: Indices, j: Indices, top: float = np.inf) -> float:
        """About how many steps a loop over the ids of lists i and j takes."""
        length = np.minimum(self.length, top)
        return float(length[i].sum() + length[j].sum())


def distinct_ids(value: Sequence[object]) -> bool:
    """Whether a list of numbers looks like ids: written as whole numbers from 0 up, none of them twice."""
    return len(set(value)) == len(value) and all(type(part) is int and part >= 0 for part in value)


def whole_number(name: str, number: float, *, least: int, who: str) -> int:
    """A parameter that counts something, as a whole number."""
    if number != int(number) or number < least:
        raise KindError(f"the {who} distance needs a whole {name} of at least {least}, got {number:g}")
    return int(number)


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    odd = [part for part in value if not _is_id(part)]
    if odd:
        return f"{odd[0]!r} is neither a whole number from 0 up nor a string"
    if len(value) < 2:
        return f"a ranking has {len(value)} ids instead of at least 2"
    if len(set(value)) < len(value):
        twice = next(part for place, part in enumerate(value) if part in value[:place])
        return f"the id {twice!r} occurs twice"
    return None


def _is_id(part: object) -> bool:
    return isinstance(part, str) or (is_number(part) and part >= 0 and part == int(part))


def _pack(values: Sequence[tuple[Value, ...]]) -> Rankings:
    ids = numbered(list(chain.from_iterable(values)))
    return Rankings(starts([len(value) for value in values]), ids, int(ids.max(initial=-1)) + 1)


def _likely(values: Sequence[tuple[Value, ...]]) -> bool:
    types = {type(part) for value in values for part in value}
    if types == {int}:
        return True
    lengths = {len(value) for value in values}  # strings of unequal number are sets of labels
    return types == {str} and len(lengths) == 1 and min(lengths) >= 3


def _in_words(value: object, _: str | None) -> str:
    return " > ".join(map(_level, value)) if isinstance(value, tuple | list) else cell(value)


def _level(level: object) -> str:
    return " = ".join(map(str, level)) if isinstance(level, tuple | list | frozenset) else str(level)


rankings = Kind(
    **written(
        "rankings", "a list of at least 2 ids (whole numbers from 0 up, or strings), best first and none of them twice"
    ),
    **told_by(_why_not, _likely, _pack, rank=300, certainty="loose"),
    ambiguous=True,
    words=_in_words,
    distance="kendall",
    distances=("kendall_at", "rbo", "footrule", "kendall", "spearman"),
    noise=stored_noise("rankings"),
    view="ranking",
    drawn=lambda value, page: [page.label(name) for name in value],
    group="Rankings",
    examples=((1, 2, 3), (2, 1, 3), (3, 2, 1), (1, 3, 2)),
)
