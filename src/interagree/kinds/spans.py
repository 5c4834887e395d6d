"""Spans: a list of [start, end, label], the end not included; also [start, end], and {"start", "end", "label"}.

Positions are tokens, characters or seconds.  Spans may overlap and be nested; an empty list says that there is
nothing to mark.  One span alone is a list of one.  Other fields of an object, such as its text, are left aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interagree.errors import KindError
from interagree.kernels.spans import Stretches
from interagree.kinds import Kind
from interagree.kinds._parts import fields, is_number, numbered, starts

NAMES = ("start", "end", "label")


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: NDArray[np.intp]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    label: NDArray[np.int32]  # spans without a label have one number too

    @property
    def owner(self) -> NDArray[np.intp]:
        """The value that each span belongs to."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def in_order(self, *, labels: bool) -> Stretches:
        """The spans of each value by label, if labels matter, and by beginning."""
        label = self.label if labels else np.zeros_like(self.label)
        order = np.lexsort((self.end, self.begin, label, self.owner))
        return Stretches(self.start, label[order], self.begin[order], self.end[order])

    def union(self, *, labels: bool) -> Stretches:
        """What each value marks (with each label, if labels matter), as stretches that do not overlap."""
        spans = self.in_order(labels=labels)
        if not len(spans.begin):
            return spans
        other = (np.diff(spans.owner, prepend=-1) != 0) | (np.diff(spans.label, prepend=-1) != 0)
        # Ends by rank, each value and label above all before it: the running maximum then starts anew with them.
        ends, rank = np.unique(spans.end, return_inverse=True)
        reach = np.maximum.accumulate(np.cumsum(other) * len(ends) + rank)
        furthest = ends[reach % len(ends)]
        first = other.copy()
        first[1:] |= spans.begin[1:] > furthest[:-1]
        last = np.append(first[1:], True)  # the last stretch of all ends with the last span
        counts = np.bincount(spans.owner[first], minlength=len(self.start) - 1)
        return Stretches(starts(counts.tolist()), spans.label[first], spans.begin[first], furthest[last])

    def alike(self, *, labels: bool) -> Stretches:
        """Each span as a stretch of length 1, in one place for all spans of one range (and label, if they matter).

        A span that a value lists twice takes two places, so that it finds one partner in a value that lists it once.
        """
        label = self.label if labels else np.zeros_like(self.label)
        owner = self.owner
        order = np.lexsort((owner, label, self.end, self.begin))
        other = np.zeros(len(order), dtype=bool)
        for part in (self.begin, self.end, label):
            other |= np.diff(part[order], prepend=np.nan) != 0
        again = ~(other | (np.diff(owner[order], prepend=-1) != 0))
        place = np.arange(len(order))
        copy = place - np.maximum.accumulate(np.where(again, 0, place))
        code = np.empty(len(order))
        code[order] = np.cumsum(other) * (copy.max(initial=0) + 1) + copy
        code = code[np.lexsort((code, owner))]
        return Stretches(self.start, np.zeros_like(label), code, code + 1)


def checked(empty: float) -> None:
    """Two empty lists are some distance apart that a bounded distance may have."""
    if not 0 <= empty <= 1:
        raise KindError(
            f"empty= is the distance of two empty lists, from 0 (the same) to 1 (as far apart as can be), got {empty!r}"
        )


def _as_list(value: Any) -> Any:
    if not value or not isinstance(value, tuple):
        return value
    alone = is_number(value[0]) or (isinstance(value[0], tuple) and fields(value) is not None)
    return (value,) if alone else value


def _parts(span: Any) -> tuple[Any, ...] | None:
    """Start, end and label of one span; None where it is written as none."""
    if not isinstance(span, tuple) or not span:
        return None
    if not isinstance(span[0], tuple):
        return (*span, None)[:3] if len(span) in {2, 3} else None
    named = fields(span)
    return None if named is None else tuple(map(named.get, NAMES))


def _wrong(value: Any) -> str | None:
    if not isinstance(value, tuple):
        return "there is no list"
    for span in _as_list(value):
        parts = _parts(span)
        if parts is None:
            return f"a span is {str(span)[:60]}"
        begin, end, label = parts
        if not is_number(begin) or not is_number(end):
            return f"a span runs from {begin!r} to {end!r}"
        if begin >= end:
            return f"a span from {begin} to {end} has no length"
        if label is not None and not isinstance(label, str):
            return f"a label is {label!r}, which is no string,"
    return None


def _pack(values: Sequence[Any]) -> Spans:
    lists = [_as_list(value) for value in values]
    parts = [_parts(span) or () for spans_of_one in lists for span in spans_of_one]
    return Spans(
        starts([len(spans_of_one) for spans_of_one in lists]),
        np.array([part[0] for part in parts], dtype=np.float64),
        np.array([part[1] for part in parts], dtype=np.float64),
        numbered([part[2] for part in parts]),
    )


def labels(values: Sequence[Any]) -> tuple[str | None, ...]:
    """The distinct labels of the spans of well-formed values, in the order of their numbers in `Spans`."""
    found = ((_parts(span) or (None,) * 3)[2] for value in values for span in _as_list(value))
    return tuple(dict.fromkeys(found))


def _fits(values: Sequence[Any]) -> bool:
    # Bare pairs of numbers could as well be points: they are spans only when they are said to be.
    found = [span for value in values for span in _as_list(value)]
    return bool(found) and all(fields(span) is not None or isinstance(span[-1], str) for span in found)


spans = Kind(
    "spans",
    "spans",
    "a list of [start, end, label], the end not included",
    _wrong,
    _pack,
    _fits,
    "spans_tag",
    ("count_diff", "spans_strict", "spans_range", "spans_lenient", "spans_tag", "span_tokens"),
)
