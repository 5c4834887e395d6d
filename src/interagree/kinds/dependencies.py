"""Dependency parses: a list with [head, label] for each token of the sentence, or with its head alone.

Tokens are numbered from 1, and the head of the root is 0.  That a list of numbers is a parse cannot be seen from it:
it is one when it is said to be, or when a distance of parses is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.data.types import Json
from interagree.kinds._kind import Kind, ListValues, only_when_stated, told_by, written
from interagree.kinds._parts import is_number, numbered, starts
from interagree.kinds._views import Drawing

Token = int | tuple[int, str | None]


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The tokens of all parses, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    head: Int32s
    arc: Int32s  # a number for each head and label


def misattached(start: Indices, code: Int32s, i: Indices, j: Indices) -> Floats:
    """The share of tokens of the longer sentence that do not have the code that they have in the other."""
    size = np.diff(start)
    longer, shorter = np.maximum(size[i], size[j]), np.minimum(size[i], size[j])
    pair = np.repeat(np.arange(len(i)), shorter)
    token = np.arange(len(pair)) - np.repeat(np.cumsum(shorter) - shorter, shorter)
    same = code[start[i][pair] + token] == code[start[j][pair] + token]
    matches = np.bincount(pair[same], minlength=len(i))
    return np.asarray((longer - matches) / np.maximum(longer, 1))


def misattached_potential(start: Indices, code: Int32s, frequency: Floats) -> Floats:
    """For each parse the sum of its distances to all annotations."""
    # A match with a sentence no longer than one's own counts 1 / (own length), with a longer one 1 / (its length):
    # among all tokens with one place and code, in the order of the lengths of their sentences, these are sums from
    # either end.
    size = np.diff(start)
    owner = np.repeat(np.arange(len(size)), size)
    token, length = np.arange(len(code)) - start[owner], size[owner]
    order = np.lexsort((length, code, token))
    fresh = (np.diff(token[order], prepend=-1) != 0) | (np.diff(code[order], prepend=-1) != 0)
    first = np.flatnonzero(fresh | (np.diff(length[order], prepend=-1) != 0))  # of one place, code and length
    group = np.cumsum(fresh)[first]
    times = frequency[owner][order]
    here = np.add.reduceat(times, first) if len(first) else times
    per_token = here / length[order][first]
    longer = _running(per_token[::-1], group[::-1])[::-1] - per_token
    near = np.repeat(_running(here, group) / length[order][first] + longer, np.diff(first, append=len(order)))
    alike = np.bincount(owner[order], near, minlength=len(size))
    return np.asarray(frequency.sum() - np.where(size > 0, alike, frequency[size == 0].sum()))


def _running(weight: Floats, group: Indices) -> Floats:
    """Running sums that start anew with each group."""
    total = np.cumsum(weight)
    first = np.diff(group, prepend=-1) != 0
    opening = np.maximum.accumulate(np.where(first, np.arange(len(group)), 0))
    return np.asarray(total - (total - weight)[opening])


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    for place, token in enumerate(value, start=1):
        if isinstance(token, tuple) and len(token) != 2:
            return f"token {place} is {str(token)[:60]}"
        head, label = _arc(token)
        if not is_number(head) or head != int(head):
            return f"the head of token {place} is {head!r}"
        if not 0 <= head <= len(value):
            return f"the head of token {place} is {head}, and there are {len(value)} tokens"
        if head == place:
            return f"token {place} is its own head"
        if not isinstance(label, str | None):
            return f"the label of token {place} is {label!r}"
    return None


def _pack(values: Sequence[tuple[Token, ...]]) -> Dependencies:
    arcs = [_arc(token) for value in values for token in value]
    return Dependencies(
        starts([len(value) for value in values]), np.array([head for head, _ in arcs], dtype=np.int32), numbered(arcs)
    )


def _arc(token: Any) -> tuple[Any, Any]:
    return token if isinstance(token, tuple) else (token, None)


def _drawn(value: tuple[Token, ...], page: Drawing) -> Json:
    return [[int(head), page.label(label)] for head, label in map(_arc, value)]


def _suspected(lists: ListValues) -> bool:
    return lists.nested and lists.well_formed(dependencies)


dependencies = Kind(
    **written(
        "dependencies",
        "a list with [head, label] for each token, the head of the root being 0",
        title="dependency parses",
    ),
    **told_by(_why_not, only_when_stated, _pack, rank=340),
    suspected=_suspected,
    suspicion="dependency parses",
    distance="las",
    distances=("uas", "las"),
    measures=("attachment", "attachment:kind=uas", "attachment:kind=label", "alpha"),
    view="arcs",
    drawn=_drawn,
    group="Trees and parses",
    examples=(
        ((2, "x"), (0, "y"), (2, "z")),
        ((2, "x"), (0, "y"), (1, "z")),
        ((3, "y"), (0, "y"), (2, "x")),
        ((0, "z"), (1, "z"), (2, "z")),
    ),
)
