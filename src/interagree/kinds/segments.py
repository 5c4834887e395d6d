"""Segments: how a document was cut, as the lengths of its segments, [2, 3, 6], or as the places of its boundaries.

Lengths are counted in units, such as sentences or paragraphs: ``[2, 3, 6]`` is a document of 11 units with a boundary
after the second and one after the fifth.  The same is ``{"boundaries": [2, 5], "length": 11}``.  A document without a
boundary is ``[11]``, one segment.

**Several types of boundary.**  ``{"boundaries": {"topic": [2, 5], "mood": [4]}, "length": 11}``; or a list with the
types at each potential boundary, ``[[], [1], [], [2, 3]]``, of which a document of 5 units has 4.  Types are strings or
whole numbers, and a string that spells a whole number is that number.  Boundaries that were given without a type have
one of their own.

A bare list of numbers could be anything, and is taken as segments only where somebody says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from interagree.arrays import Booleans, Indices, Int32s, Int64s
from interagree.data.provenance import counted
from interagree.data.types import Json
from interagree.data.values import spelled_integer
from interagree.errors import listing
from interagree.kinds._kind import Kind, ListValues, told_by, written
from interagree.kinds._parts import fields, is_number, starts
from interagree.kinds._views import Drawing
from interagree.tables import cell

LARGEST = 2**40  # units that a document may have

Type = str | int | None
Boundaries = list[tuple[int, Type]]


@dataclass(frozen=True, slots=True)
class Segments:
    """The boundaries of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``.

    They stand in the order of their places, and at one place in the order of their types.
    """

    start: Indices
    at: Int64s  # a boundary at 2 comes after the second unit
    type: Int32s
    types: tuple[Type, ...]  # whole numbers by size, then strings, then none
    length: Int64s  # in units
    ends: Int64s  # the places of the boundaries, and after those of each value the end of the document

    @property
    def owner(self) -> Indices:
        """The value that each boundary belongs to."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def only(self, wanted: Type) -> Segments:
        """The boundaries of one type alone."""
        return self._taking(self.type == self.types.index(wanted), (wanted,))

    def without_types(self) -> Segments:
        """One boundary at each place that has any."""
        first = np.diff(self.at, prepend=-1) != 0
        first[self.start[:-1][np.diff(self.start) > 0]] = True
        return self._taking(first, (None,))

    def _taking(self, keep: Booleans, types: tuple[Type, ...]) -> Segments:
        counts = np.bincount(self.owner[keep], minlength=len(self.start) - 1)
        start, at = starts(counts.tolist()), self.at[keep]
        return replace(
            self,
            start=start,
            at=at,
            ends=np.insert(at, start[1:], self.length),
            type=np.zeros(int(keep.sum()), dtype=np.int32),
            types=types,
        )


def named(type_: Any) -> Type:
    """A type as it is kept: a string that spells a whole number is that number."""
    if isinstance(type_, str):
        whole = spelled_integer(type_)
        return type_ if whole is None else whole
    return int(type_) if isinstance(type_, float) and type_.is_integer() else type_


def _is_whole(part: object) -> bool:
    return is_number(part) and part == int(part)


def _object(value: object) -> dict[str, Any] | None:
    named_parts = fields(value)
    return named_parts if named_parts is not None and {"boundaries", "length"} <= named_parts.keys() else None


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    if not value:
        return "a document has no segment ([12] is one of 12 units without a boundary)"
    named_parts = _object(value)
    if named_parts is not None:
        return _wrong_object(named_parts)
    if all(isinstance(part, tuple) for part in value):
        return _wrong_types(value)
    odd = [part for part in value if not (_is_whole(part) and part > 0)]
    if odd:
        return f"a segment is {repr(odd[0])[:60]} units long"
    return _too_long(sum(value))


def _too_long(length: float) -> str | None:
    return None if length <= LARGEST else f"a document is {length:g} units long, more than can be counted"


def _wrong_object(parts: dict[str, Any]) -> str | None:
    length, boundaries = parts["length"], parts["boundaries"]
    if not (_is_whole(length) and length > 0):
        return f"a document is {length!r} units long"
    if _too_long(length):
        return _too_long(length)
    if not isinstance(boundaries, tuple):
        return f"the boundaries are {boundaries!r}"
    by_type = fields(boundaries)
    for places in (boundaries,) if by_type is None else by_type.values():
        if not isinstance(places, tuple):
            return f"the boundaries of a type are {places!r}"
        for place in places:
            if not (_is_whole(place) and 0 < place < length):
                return f"a boundary after unit {str(place)[:60]} of {length}"
        if len(set(places)) < len(places):
            twice = next(place for k, place in enumerate(places) if place in places[:k])
            return f"the boundary after unit {twice} occurs twice"
    return None


def _wrong_types(value: tuple[Any, ...]) -> str | None:
    for there in value:
        odd = [part for part in there if not (isinstance(part, str) or _is_whole(part))]
        if odd:
            return f"a type of boundary is {repr(odd[0])[:60]}, neither a string nor a whole number"
        if len(set(map(named, there))) < len(there):
            return f"a potential boundary has a type twice, {there!r}"
    return None


def _boundaries(value: tuple[Any, ...]) -> tuple[int, Boundaries]:
    """The length of a well-formed value in units, and its boundaries in order."""
    parts = _object(value)
    if parts is not None:
        by_type = fields(parts["boundaries"])
        listed: dict[Any, Any] = {None: parts["boundaries"]} if by_type is None else {**by_type}
        marks = {(int(place), named(type_)) for type_, places in listed.items() for place in places}
        return int(parts["length"]), list(marks)
    if isinstance(value[0], tuple):
        return len(value) + 1, [(k, named(type_)) for k, there in enumerate(value, 1) for type_ in there]
    ends = np.cumsum(value).astype(np.int64).tolist()
    return ends[-1], [(end, None) for end in ends[:-1]]


def _rank(type_: Type) -> tuple[int, Type]:
    return (0, type_) if isinstance(type_, int) else (1, type_) if isinstance(type_, str) else (2, 0)


def _pack(values: Sequence[tuple[Any, ...]]) -> Segments:
    parsed = [_boundaries(value) for value in values]
    types = tuple(sorted({type_ for _, some in parsed for _, type_ in some}, key=_rank))
    code = {type_: k for k, type_ in enumerate(types)}
    flat = [sorted((place, code[type_]) for place, type_ in some) for _, some in parsed]
    start = starts([len(some) for some in flat])
    at = np.array([place for some in flat for place, _ in some], dtype=np.int64)
    type_of = np.array([type_ for some in flat for _, type_ in some], dtype=np.int32)
    length = np.array([length for length, _ in parsed], dtype=np.int64)
    return Segments(start, at, type_of, types, length, np.insert(at, start[1:], length))


def _quick(values: Sequence[tuple[Any, ...]]) -> Segments | None:
    """Lists of whole numbers above 0, packed at once; None where there are others."""
    if set(map(type, values)) != {tuple} or not all(values):
        return None
    masses = list(chain.from_iterable(values))
    if set(map(type, masses)) != {int} or min(masses) < 1 or sum(masses) > LARGEST:
        return None
    counts = np.fromiter(map(len, values), dtype=np.intp, count=len(values))
    total = np.cumsum(np.array(masses, dtype=np.int64))
    last = np.cumsum(counts) - 1
    before = np.zeros(len(values), dtype=np.int64)
    before[1:] = total[last[:-1]]
    inner = np.ones(len(total), dtype=bool)
    inner[last] = False
    ends = total - before.repeat(counts)
    at = ends[inner]
    return Segments(
        starts((counts - 1).tolist()),
        at,
        np.zeros(len(at), dtype=np.int32),
        (None,) if len(at) else (),
        ends[last],
        ends,
    )


def _likely(values: Sequence[object]) -> bool:
    return any(_object(value) is not None for value in values)


def _drawn(value: tuple[Any, ...], page: Drawing) -> Json:
    """The segments between boundaries, for each type of boundary apart."""
    packed = _pack([value])
    drawn: list[Json] = []
    for code, name in enumerate(packed.types or (None,)):
        edges = [0, *packed.at[packed.type == code].tolist(), int(packed.length[0])]
        drawn += [[begin, end, page.label(name)] for begin, end in pairwise(edges)]
    return drawn


def _in_words(value: object, _: str | None) -> str:
    if _why_not(value) is not None or not isinstance(value, tuple):
        return cell(value)
    length, boundaries = _boundaries(value)
    by_type: dict[Type, list[int]] = {}
    for place, kind in sorted(boundaries, key=lambda boundary: (_rank(boundary[1]), boundary[0])):
        by_type.setdefault(kind, []).append(place)
    placed = [
        f"{'' if kind is None else f'{kind} '}after {listing(places, quote=False)}" for kind, places in by_type.items()
    ]
    return f"{'; '.join(placed) or 'no boundary'} (of {counted(length, 'unit')})"


def _suspected(lists: ListValues) -> bool:
    """Whether the lists of each item have one sum, as lengths of segments do, and not all lists are alike in that."""
    if lists.nested or not lists.well_formed(segments):
        return False
    sums = np.array([sum(value) for value in lists.values], dtype=np.float64)[lists.value]
    count = int(lists.item.max(initial=-1)) + 1
    low, high = (np.full(count, fill) for fill in (np.inf, -np.inf))
    np.minimum.at(low, lists.item, sums)
    np.maximum.at(high, lists.item, sums)
    compared = np.bincount(lists.item, minlength=count) > 1
    alike = bool(compared.any() and (low == high)[compared].all())
    return alike and (len(set(map(len, lists.values))) > 1 or len(np.unique(low[compared])) > 1)


segments = Kind(
    **written(
        "segments",
        'a list of the lengths of segments such as [2, 3, 6], or {"boundaries": [2, 5], "length": 11}',
        title="segmented documents",
    ),
    **told_by(_why_not, _likely, _pack, _quick, rank=240),
    suspected=_suspected,
    suspicion="lengths of segments",
    distance="nominal",
    distances=("nominal",),
    measures=("boundary_similarity", "boundary_pi", "segmentation_similarity", "pk", "window_diff"),
    words=_in_words,
    view="timeline",
    drawn=_drawn,
    group="Spans and what is built on them",
    examples=(
        (("boundaries", (("x", (3, 7)),)), ("length", 12)),
        (("boundaries", (("x", (3, 8)), ("y", (7,)))), ("length", 12)),
        (("boundaries", (("y", (4,)),)), ("length", 12)),
        (("boundaries", (("x", (10,)), ("z", (3,)))), ("length", 12)),
        (("boundaries", ()), ("length", 12)),
    ),
)
