"""Spans of two annotators set against each other: how well two of them fit, and the best one-to-one pairing.

Only spans that share something can fit, so all pairs that do are found once (`overlapping`), by sorting and without a
loop; each way to compare spans is then a weight on those pairs, and the pairing with the largest sum of weights is
taken.  It is therefore symmetric, does not depend on the order of lists, and is right for nested spans and those in
several pieces, whose length is that of their pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int64s
from interagree.errors import KindError, listing
from interagree.kernels.assignment import heaviest
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans

AT_ONCE = 1_000_000  # spans of the first values that are laid out at once
LARGEST = 2**62  # what a number made of a pair of values and a position may reach
HAIR = 1e-9  # what how well spans fit counts besides, where a way to compare them leaves it open
WAYS = (
    "exact",
    "overlap",
    "jaccard",
    "dice",
    "iou>=0.5",
    "within:1",
    "label",
    "semeval_strict",
    "semeval_exact",
    "semeval_partial",
    "semeval_type",
)


class Overlaps(NamedTuple):
    """All pairs of spans of aligned values that share something."""

    pair: Indices  # of values
    x: Indices  # a span of the first
    y: Indices  # … and one of the second
    u: Indices  # the same spans, numbered anew in every pair of values
    v: Indices
    shared: Floats  # the length that both cover

    def taking(self, keep: Booleans | Indices) -> Overlaps:
        pair, x, y, u, v = (part[keep] for part in self[:5])
        return Overlaps(pair, x, y, u, v, self.shared[keep])


def lengths(spans: Spans) -> Floats:
    """How long each span is, gaps between its pieces left out."""
    if spans.pieces is None:
        return spans.end - spans.begin
    pieces = spans.pieces
    of = np.repeat(np.arange(len(spans.begin)), np.diff(pieces.start))
    # Added one after the other, as what two spans share is, so that a span shares just its length with itself.
    return np.bincount(of, pieces.end - pieces.begin, minlength=len(spans.begin)).astype(np.float64)


def overlapping(spans: Spans, i: Indices, j: Indices) -> Overlaps:
    """All pairs of spans that share something, of values i[k] and j[k] for each k.

    Time and memory grow with the number of spans and of such pairs, however long some spans are.
    """
    order = spans.order
    begin, end = _counted(spans.begin, spans.end, len(i))
    if order is not None:
        begin, end = begin[order], end[order]
    size = np.diff(spans.start)
    done = np.cumsum(size[i])
    blocks, here = [], 0
    while here < len(i):
        base = int(done[here - 1]) if here else 0
        there = max(here + 1, int(np.searchsorted(done, base + AT_ONCE, side="right")))
        part = _crossing(spans.start, size, begin, end, i[here:there], j[here:there])
        shift = (here, 0, 0, int(size[i[:here]].sum()), int(size[j[:here]].sum()))
        blocks.append([side + more for side, more in zip(part, shift, strict=True)])
        here = there
    if not blocks:
        none = np.zeros(0, dtype=np.intp)
        return Overlaps(none, none, none, none, none, np.zeros(0))
    pair, x, y, u, v = (np.concatenate(sides) for sides in zip(*blocks, strict=True))
    if order is not None:
        x, y = order[x], order[y]
    low, high = np.maximum(spans.begin[x], spans.begin[y]), np.minimum(spans.end[x], spans.end[y])
    overlaps = Overlaps(pair, x, y, u, v, high - low)
    if spans.pieces is None:
        return overlaps
    size = lengths(spans)
    shared = np.minimum(_shared_pieces(spans, x, y), np.minimum(size[x], size[y]))
    return overlaps._replace(shared=shared).taking(shared > 0)


def exact(spans: Spans, overlaps: Overlaps) -> Booleans:
    """Which pairs of spans are the same, piece by piece, whatever their labels."""
    x, y = overlaps.x, overlaps.y
    same: Booleans = (spans.begin[x] == spans.begin[y]) & (spans.end[x] == spans.end[y])
    if spans.pieces is None:
        return same
    pieces, many = spans.pieces, np.diff(spans.pieces.start)
    same &= many[x] == many[y]
    at = np.flatnonzero(same)
    of, p = ragged(pieces.start[x[at]], many[x[at]])
    q = p + (pieces.start[y[at]] - pieces.start[x[at]])[of]
    other = (pieces.begin[p] != pieces.begin[q]) | (pieces.end[p] != pieces.end[q])
    same[at[of[other]]] = False
    return same


def _counted(begin: Floats, end: Floats, pairs: int) -> tuple[Int64s, Int64s]:
    """Positions as whole numbers from 0 up, in the same order, and few enough to number them in all pairs of values."""
    if not len(begin):
        return begin.astype(np.int64), end.astype(np.int64)
    first, last = begin.min(), end.max()
    if max(pairs, 2) * (last - first + 1) < LARGEST and max(abs(first), abs(last)) < LARGEST:
        whole = begin.astype(np.int64), end.astype(np.int64)
        if (whole[0] == begin).all() and (whole[1] == end).all():
            return whole[0] - int(first), whole[1] - int(first)
    rank = np.unique(np.concatenate([begin, end]), return_inverse=True)[1].reshape(-1).astype(np.int64)
    return rank[: len(begin)], rank[len(begin) :]


def _crossing(  # noqa: PLR0917 -- arrays by place, called once
    start: Indices, size: Indices, begin: Int64s, end: Int64s, i: Indices, j: Indices
) -> tuple[Indices, ...]:
    """Pairs of crossing spans: the pair of values, the two spans, and their places among all laid out."""
    of_x, x = ragged(start[i], size[i])
    of_y, y = ragged(start[j], size[j])
    room = int(end.max(initial=0)) + 1
    begins_x, begins_y = of_x * room + begin[x], of_y * room + begin[y]
    # Of two spans that cross one begins inside the other.  Those that begin inside a span are neighbours in order of
    # where they begin: first a span of the first values inside one of the second, which begins before it, …
    low = np.searchsorted(begins_x, begins_y, side="right")
    many = np.searchsorted(begins_x, of_y * room + end[y], side="left") - low
    v_around, u_inside = ragged(low, np.maximum(many, 0))
    # … then the other way around, where both may begin together.
    low = np.searchsorted(begins_y, begins_x, side="left")
    many = np.searchsorted(begins_y, of_x * room + end[x], side="left") - low
    u, v = ragged(low, many)
    if len(u_inside):
        u, v = np.concatenate([u_inside, u]), np.concatenate([v_around, v])
        order = np.argsort(u, kind="stable")
        u, v = u[order], v[order]
    return of_x[u], x[u], y[v], u, v


def _shared_pieces(spans: Spans, x: Indices, y: Indices) -> Floats:
    """The lengths that pieces of two spans share."""
    pieces = spans.pieces
    assert pieces is not None  # noqa: S101 -- asked where there are some
    many = np.diff(pieces.start)
    of, grid = ragged(np.zeros(len(x), dtype=np.intp), many[x] * many[y])
    p = pieces.start[x[of]] + grid // many[y[of]]
    q = pieces.start[y[of]] + grid % many[y[of]]
    common = np.minimum(pieces.end[p], pieces.end[q]) - np.maximum(pieces.begin[p], pieces.begin[q])
    return np.bincount(of, np.maximum(common, 0.0), minlength=len(x)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Match:
    """A way to compare two spans."""

    name: str
    way: str
    same_label: bool
    bound: float = 0.0

    @classmethod
    def of(cls, name: str | Match, *, same_label: bool = True) -> Match:
        """The way of a name, such as "exact", "iou>=0.5" or "within:1".

        Args:
            name: What it is called.
            same_label: Whether spans of different labels never fit; the four of SemEval 2013 say that themselves.
        """
        if isinstance(name, Match):
            return name
        bounded = re.fullmatch(r"(iou>=|within:)\s*(\d*\.?\d+)", str(name))
        if bounded is not None:
            bound = float(bounded[2])
            if bounded[1] == "iou>=" and not 0 < bound <= 1:
                raise KindError(f"two spans share a part above 0 and up to 1 of what they cover, got {name!r}")
            return cls(name, bounded[1].rstrip(">=:"), same_label, bound)
        if name not in WAYS or ">" in name or ":" in name:
            raise KindError(f"spans are compared by {listing(WAYS)}, and match={name!r} was given")
        if name.startswith("semeval_"):
            way = name.removeprefix("semeval_")
            return cls(name, {"strict": "exact", "type": "overlap"}.get(way, way), way in ("strict", "type"))
        return cls(name, name, same_label)

    def placed(self) -> Match:
        """This way, or an error where it does not look where spans are."""
        if self.way == "label":
            raise KindError(
                "match='label' does not look where spans are; it is for span_f1, and here 'exact' or 'overlap' will do"
            )
        return self

    def scores(self, spans: Spans, overlaps: Overlaps) -> Floats:
        """How well spans that share something fit, from 0 to 1."""
        self.placed()
        size = lengths(spans)
        size_x, size_y = size[overlaps.x], size[overlaps.y]
        if self.way == "exact":
            score = exact(spans, overlaps).astype(np.float64)
        elif self.way == "overlap":
            score = np.ones(len(size_x))
        elif self.way == "partial":
            score = np.where(exact(spans, overlaps), 1.0, 0.5)
        elif self.way == "dice":
            score = 2 * overlaps.shared / (size_x + size_y)
        elif self.way == "within":
            off = [np.abs(side[overlaps.x] - side[overlaps.y]) <= self.bound for side in (spans.begin, spans.end)]
            score = (off[0] & off[1]).astype(np.float64)
        else:
            score = overlaps.shared / (size_x + size_y - overlaps.shared)
            if self.way == "iou":
                score = (score >= self.bound - 1e-12).astype(np.float64)
        score = np.asarray(score, dtype=np.float64)
        if not self.same_label:
            return score
        fitting: Floats = np.where(spans.label[overlaps.x] == spans.label[overlaps.y], score, 0.0)
        return fitting


class Pairing(NamedTuple):
    """Spans that were paired."""

    overlaps: Overlaps
    score: Floats


def pairing(spans: Spans, overlaps: Overlaps, match: Match, *, all_that_cross: bool = False) -> Pairing:
    """The best one-to-one pairing of the spans of each two values.

    Args:
        spans: The spans.
        overlaps: All pairs that share something.
        match: How they are compared.
        all_that_cross: Whether spans are also paired that do not fit, where they share something and both would be
            left over; they score 0.
    """
    score = match.scores(spans, overlaps)
    weight = score
    if all_that_cross or match.way in ("overlap", "iou", "within", "partial"):
        # Of pairings with the same sum, that with the larger part in common.
        size = lengths(spans)
        close = overlaps.shared / (size[overlaps.x] + size[overlaps.y] - overlaps.shared)
        alike = spans.label[overlaps.x] == spans.label[overlaps.y]
        weight = score + HAIR * close + HAIR / 10 * alike
        weight = weight if all_that_cross else np.where(score > 0, weight, 0.0)
    candidates = np.flatnonzero(weight > 0)
    kept = candidates[heaviest(overlaps.u[candidates], overlaps.v[candidates], weight[candidates])]
    return Pairing(overlaps.taking(kept), score[kept])
