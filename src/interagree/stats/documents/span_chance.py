"""What chance would match: the spans of one of two annotators moved around the document.

The document is cut at a place where no span is cut, and its two parts are swapped: spans keep their lengths, their
labels and their order, and none reaches past the end.  All such cuts are equally likely.  For annotators who put spans
anywhere in the document with the same probability, overlapping or not, that is what remains to chance once the spans
of each are given, so that they match as much as moved ones do on average.  Each of the two is moved in turn.

The mean over all cuts is found exactly where that is little work: for equal spans by counting which cuts bring two of
them together, for other ways to compare by going through the cuts.  Elsewhere cuts are drawn.  Pairs of annotations
that look alike, in documents of one length, have one chance, and are moved together; the error of a draw counts
them as one.

Random numbers depend on the seed and on where the two marked something, not on names and not on other documents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Booleans, Floats, Indices, Int64s
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Pieces, Spans
from interagree.progress import steps
from interagree.stats.documents.span_matching import Match, overlapping, pairing
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.compress import totals

LEAST = 8  # draws, from which their error is known from what they differ by
MOST = 200
SEVERAL = 30  # pairs of annotations of equal weight, from which their differences tell the error
COUNTED = 5_000_000  # pairs of spans of one length that are looked at for an exact answer
TRIED = 400_000  # spans that are moved for an exact answer
PART = 1 / 16  # … of them where they do not suffice for all
AT_ONCE = 500_000  # … at a time
DECIMALS = 4  # positions may have so many and lie on a grid
FINE = 2.0**40  # the places of a document whose positions do not
LARGEST = 2.0**61  # what a number made of a value and a position may reach
Keys: TypeAlias = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class SpanChance(NamedTuple):
    """What chance gave."""

    hits: Floats  # for each pair of annotations, on average
    draws: int  # 0 where all cuts were counted
    error: float  # of the share of all spans that chance matches


def by_chance(
    marks: SpanPairs, match: Match, length: Floats, *, precision: float, samples: int | None, seed: int
) -> SpanChance:
    """The hits that chance would give each pair of annotations.

    Args:
        marks: The spans.
        match: How two of them are compared.
        length: How long the document of each pair is.
        precision: The standard error that is wanted of the expected F1.
        samples: How many draws are made where chance is drawn, whatever their error.
        seed: Where the random numbers start.
    """
    spans, whole, scale = _on_a_grid(marks.spans, length)
    turns = MovedPairs.of(marks, spans, whole)
    match = replace(match, bound=match.bound * scale) if match.way == "within" else match
    over = float(turns.weight.sum())
    hits = np.zeros(len(turns.first))
    open_ = np.asarray((turns.size > 0).all(axis=0))
    if match.way == "exact":
        open_ &= ~turns.count_equal(hits, open_, same_label=match.same_label)
    open_ &= ~turns.try_all(hits, open_, match)
    some = turns.taking(np.flatnonzero(open_))
    if not len(some.first):
        return SpanChance(hits[turns.pattern], 0, 0.0 if over else math.nan)
    most = MOST if samples is None else samples
    hits[open_], draws, error = _drawn(some, match, over, precision if samples is None else -1.0, most, seed)
    return SpanChance(hits[turns.pattern], draws, error)


def _drawn(  # noqa: PLR0917 -- by place, called once
    some: MovedPairs, match: Match, over: float, precision: float, most: int, seed: int
) -> tuple[Floats, int, float]:
    """The mean hits of cuts that are drawn, how many were, and the error of their share of all spans."""
    group = np.unique(some.key, return_inverse=True)[1].reshape(-1)  # those that are cut together
    many = int(group.max()) + 1
    weight = totals(group, some.weight, many)
    several = float(weight.sum()) ** 2 >= SEVERAL * float(weight @ weight)
    one_more = 2.0 * float(totals(group, some.times, many).max())  # so that no match at all does not pass for certainty
    total, first, squares = np.zeros(len(some.first)), np.zeros(many), np.zeros(many)
    draws, error = 0, math.inf
    for draw in steps(range(most), "drawing chance"):
        at = _uniform(some.key, seed, draw)
        hits = sum(
            some.matched(match, side, np.arange(len(at)), np.floor(at * some.cuts[side]).astype(np.int64))
            for side in (0, 1)
        )
        together = totals(group, some.times * hits, many)
        total, first, squares, draws = total + hits, first + together, squares + together**2, draws + 1
        if several:
            off = first / draws - first.sum() / draws / weight.sum() * weight
            error = math.sqrt(float(off @ off) + one_more**2) / over
        if draws >= LEAST:
            variance = np.maximum(squares - first**2 / draws, 0).sum() / (draws - 1) / draws
            error = min(error, math.hypot(math.sqrt(variance), one_more / draws) / over)
        if not error > precision:
            break
    return total / draws, draws, error


@dataclass(frozen=True)
class Blocks:
    """The stretches of each value in which a document cannot be cut: spans, and what overlaps them."""

    start: Indices  # of those of each value
    begin: Int64s
    end: Int64s
    inner: Int64s  # the places within all blocks before, and at the end within all
    room: int  # more than any place

    @classmethod
    def of(cls, spans: Spans, room: int) -> Blocks:
        """The blocks of spans that lie at whole numbers."""
        order = np.lexsort((spans.begin, spans.owner))
        owner, begin = spans.owner[order].astype(np.int64), spans.begin[order].astype(np.int64)
        reach = np.maximum.accumulate(owner * room + spans.end[order].astype(np.int64))
        new = np.ones(len(order), dtype=bool)
        new[1:] = owner[1:] * room + begin[1:] >= reach[:-1]
        owner, begin, end = owner[new], begin[new], reach[np.append(new[1:], True)[: len(new)]]
        end = end - owner * room
        start = np.searchsorted(owner, np.arange(len(spans.start)))
        return cls(start.astype(np.intp), begin, end, np.append(0, np.cumsum(np.maximum(end - begin - 1, 0))), room)

    def owned(self, places: Int64s) -> Int64s:
        """Places of blocks as numbers that grow from value to value."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start)) * self.room + places

    def within(self, value: Indices) -> Int64s:
        """At how many places a value cannot be cut."""
        places: Int64s = self.inner[self.start[value + 1]] - self.inner[self.start[value]]
        return places

    def cut(self, value: Indices, rank: Int64s) -> Int64s:
        """The cut of a rank, from 0, among those at which nothing is cut."""
        before = self.inner[self.start[:-1]]
        inner = self.inner[:-1] - np.repeat(before, np.diff(self.start))
        block = np.searchsorted(self.owned(self.begin - inner), value * self.room + rank)
        place: Int64s = rank + self.inner[block] - before[value]
        return place

    def cuts_nothing(self, value: Indices, cut: Int64s) -> Booleans:
        block = np.searchsorted(self.owned(self.begin), value * self.room + cut)
        inside = block > self.start[value]
        ends = np.append(self.end, 0)[block - 1]
        return np.asarray(~(inside & (ends > cut)))


@dataclass(frozen=True)
class MovedPairs:
    """Pairs of values, in documents of one length, that are moved around them; each pair once."""

    spans: Spans  # at whole numbers
    blocks: Blocks
    first: Indices  # values
    second: Indices
    length: Int64s
    times: Floats  # how many pairs of annotations there are
    key: Keys  # a number for where the two marked something
    pattern: Indices  # of each pair of annotations

    @classmethod
    def of(cls, marks: SpanPairs, spans: Spans, length: Int64s) -> MovedPairs:
        long, place = np.unique(length, return_inverse=True)
        distinct, pattern, times = np.unique(
            marks.pattern.astype(np.int64) * max(len(long), 1) + place.reshape(-1),
            return_inverse=True,
            return_counts=True,
        )
        pair, place = np.divmod(distinct, max(len(long), 1))
        first, second = marks.i[pair], marks.j[pair]
        each = _keys(spans)
        with np.errstate(over="ignore"):
            key = each[first] + each[second] + mixed(long[place].astype(np.uint64) + GOLDEN)
        blocks = Blocks.of(spans, int(length.max(initial=0)) + 2)
        return cls(spans, blocks, first, second, long[place], times.astype(np.float64), key, pattern.reshape(-1))

    def taking(self, keep: Indices) -> MovedPairs:
        parts = ("first", "second", "length", "times", "key")
        return replace(self, **{name: getattr(self, name)[keep] for name in parts})

    @property
    def size(self) -> Indices:
        """Two rows: how many spans the values have."""
        counts: Indices = np.diff(self.spans.start)[np.stack([self.first, self.second])]
        return counts

    @property
    def weight(self) -> Floats:
        """How many spans there are in all pairs of annotations that look like this."""
        spans: Floats = self.times * self.size.sum(axis=0)
        return spans

    @property
    def cuts(self) -> Int64s:
        """Two rows: at how many places the document can be cut, with the spans of the one or the other moved."""
        return self.length - self.blocks.within(np.stack([self.first, self.second]))

    def count_equal(self, hits: Floats, wanted: Booleans, *, same_label: bool) -> Booleans:
        """Add the expected number of equal spans, and say of which pairs of values."""
        shape = _shapes(self.spans, same_label=same_label)
        spans, shapes = self.spans, int(shape.max(initial=0)) + 1
        begin, owner = spans.begin.astype(np.int64), spans.owner
        order = np.lexsort((begin, shape, owner))
        kind = (owner * shapes + shape)[order]
        new = (np.diff(kind, prepend=-1) != 0) | (np.diff(begin[order], prepend=-1) != 0)
        kind, begin = kind[new], begin[order][new]
        copies = np.diff(np.append(np.flatnonzero(new), len(new)))
        start = np.searchsorted(kind, np.arange(len(spans.start)) * shapes)
        pair = np.flatnonzero(wanted)
        at, x = ragged(start[self.first[pair]], np.diff(start)[self.first[pair]])
        alike = self.second[pair][at] * shapes + kind[x] % shapes
        low = np.searchsorted(kind, alike)
        many = np.searchsorted(kind, alike, side="right") - low
        cost = totals(at, many, len(pair))
        cheap = np.zeros(len(pair), dtype=bool)
        by_cost = np.argsort(cost, kind="stable")
        cheap[by_cost] = np.cumsum(cost[by_cost]) <= COUNTED
        many = np.where(cheap[at], many, 0)
        of, y = ragged(low, many)
        x, at = x[of], pair[at[of]]
        cut = (begin[x] - begin[y]) % self.length[at]
        back = (begin[y] - begin[x]) % self.length[at]
        together = np.minimum(copies[x], copies[y])
        first_cuts, second_cuts = self.cuts
        both = self.blocks.cuts_nothing(self.first[at], cut) / first_cuts[at]
        both = both + self.blocks.cuts_nothing(self.second[at], back) / second_cuts[at]
        hits += totals(at, together * both, len(hits))
        done = np.zeros(len(hits), dtype=bool)
        done[pair[cheap]] = True
        return done

    def try_all(self, hits: Floats, wanted: Booleans, match: Match) -> Booleans:
        """Add the mean hits over all cuts where those are few, and say of which pairs of values."""
        pair = np.flatnonzero(wanted)
        cuts = self.cuts[:, pair]
        cost = cuts.sum(axis=0).astype(np.float64) * self.size[:, pair].sum(axis=0)
        order = np.argsort(cost / self.weight[pair] ** 2, kind="stable")
        done = np.zeros(len(hits), dtype=bool)
        most = TRIED if cost.sum() <= TRIED else PART * TRIED
        done[pair[order[np.cumsum(cost[order]) <= most]]] = True
        few = np.flatnonzero(done)
        for side in (0, 1):
            count = self.cuts[side][few]
            at, rank = ragged(np.zeros(len(few), dtype=np.int64), count)
            matched = self.matched(match, side, few[at], rank)
            hits += totals(few[at], matched, len(hits)) / np.maximum(self.cuts[side], 1)
        return done

    def matched(self, match: Match, side: int, pair: Indices, rank: Int64s) -> Floats:
        """What is matched once one side of each pair of values is moved by the cut of a rank."""
        moved, still = (self.first, self.second) if side == 0 else (self.second, self.first)
        size = self.size.sum(axis=0)[pair]
        done = np.cumsum(size)
        hits = np.empty(len(pair))
        here = 0
        while here < len(pair):
            base = int(done[here - 1]) if here else 0
            there = max(here + 1, int(np.searchsorted(done, base + AT_ONCE, side="right")))
            some = pair[here:there]
            cut = self.blocks.cut(moved[some], rank[here:there])
            spans = _turned(_laid_out(self.spans, moved[some], still[some]), cut, self.length[some])
            count = len(some)
            met = overlapping(spans, np.arange(count), np.arange(count, 2 * count))
            paired, score = pairing(spans, met, match)
            hits[here:there] = totals(paired.pair, score, count)
            here = there
        return hits


def _on_a_grid(spans: Spans, length: Floats) -> tuple[Spans, Int64s, float]:
    """Spans and lengths in whole numbers, and what positions were multiplied with.

    Positions are as fine as they are given, to four decimals; finer ones are rounded to a part of the longest
    document that is too small to matter.
    """
    longest = float(length.max(initial=1.0))
    most = LARGEST / (len(spans.start) + 1) / (longest + 2)
    places = np.concatenate([spans.begin, spans.end])
    if spans.pieces is not None:
        places = np.concatenate([places, spans.pieces.begin, spans.pieces.end])
    scale = 2.0 ** math.floor(math.log2(min(FINE / longest, most)))
    long = np.maximum(np.rint(length * scale), 1.0)
    for digits in range(DECIMALS + 1):
        finer = places * 10.0**digits
        if 10.0**digits <= most and (np.abs(finer - np.rint(finer)) < 1e-6).all():
            scale = 10.0**digits
            long = np.floor(length * scale + 1e-6)
            break
    begin, end = np.rint(spans.begin * scale), np.rint(spans.end * scale)
    pieces = spans.pieces
    if pieces is not None:
        pieces = Pieces(pieces.start, np.rint(pieces.begin * scale), np.rint(pieces.end * scale))
    return replace(spans, begin=begin, end=end, pieces=pieces), long.astype(np.int64), scale


def _shapes(spans: Spans, *, same_label: bool) -> Int64s:
    """A number for how long each span is, in which pieces, and of which label, if labels matter."""
    shape = np.unique(spans.end - spans.begin, return_inverse=True)[1]
    shape = shape.reshape(-1).astype(np.int64)
    if same_label:
        shape = shape * (int(spans.label.max(initial=0)) + 1) + spans.label
    if spans.pieces is None:
        return shape
    pieces = spans.pieces
    split = np.flatnonzero(np.diff(pieces.start) > 1)
    known: dict[tuple[int, bytes], int] = {}
    above = int(shape.max(initial=0)) + 1
    for span in split.tolist():
        own = slice(pieces.start[span], pieces.start[span + 1])
        parts = np.concatenate([pieces.begin[own], pieces.end[own]]) - spans.begin[span]
        shape[span] = above + known.setdefault((int(shape[span]), parts.tobytes()), len(known))
    return shape


def mixed(number: Keys) -> Keys:
    """A whole number of 64 bits that looks like a random one (splitmix64)."""
    with np.errstate(over="ignore"):
        number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


def _keys(spans: Spans) -> Keys:
    """A number for where the spans of each value lie, whatever their order and labels."""
    with np.errstate(over="ignore"):
        each = mixed(spans.begin.view(np.uint64) + GOLDEN) * GOLDEN + spans.end.view(np.uint64)
        keys = np.zeros(len(spans.start) - 1, dtype=np.uint64)
        np.add.at(keys, spans.owner, mixed(each))
    return keys


def _uniform(key: Keys, seed: int, draw: int) -> Floats:
    """For each key a number from 0 up to 1, another one for each draw."""
    more = mixed(np.array([seed], dtype=np.uint64) * GOLDEN + np.uint64(draw + 1))
    with np.errstate(over="ignore"):
        bits = mixed(mixed(key + more) + GOLDEN)
    uniform: Floats = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniform


def _laid_out(spans: Spans, first: Indices, second: Indices) -> Spans:
    """The spans of one value of each pair, and then those of the other, each list anew."""
    values = np.concatenate([first, second])
    many = np.diff(spans.start)[values]
    _, span = ragged(spans.start[values], many)
    return replace(
        spans,
        start=np.append(0, np.cumsum(many)).astype(np.intp),
        begin=spans.begin[span],
        end=spans.end[span],
        label=spans.label[span],
        pieces=_pieces(spans, span),
    )


def _pieces(spans: Spans, span: Indices) -> Pieces | None:
    if spans.pieces is None:
        return None
    many = np.diff(spans.pieces.start)[span]
    _, piece = ragged(spans.pieces.start[span], many)
    start = np.append(0, np.cumsum(many)).astype(np.intp)
    return Pieces(start, spans.pieces.begin[piece], spans.pieces.end[piece])


def _turned(spans: Spans, cut: Int64s, length: Int64s) -> Spans:
    """The spans of first values moved, so that the document begins at the cut of their pair and goes on at its end."""
    half = int(spans.start[len(cut)])
    pair = spans.owner[:half]
    shift = np.where(spans.begin[:half] >= cut[pair], 0, length[pair]) - cut[pair]
    pieces = spans.pieces
    if pieces is not None:
        few = int(pieces.start[half])
        by = np.repeat(shift, np.diff(pieces.start[: half + 1]))
        pieces = Pieces(
            pieces.start,
            np.concatenate([pieces.begin[:few] + by, pieces.begin[few:]]),
            np.concatenate([pieces.end[:few] + by, pieces.end[few:]]),
        )
    return replace(
        spans,
        begin=np.concatenate([spans.begin[:half] + shift, spans.begin[half:]]),
        end=np.concatenate([spans.end[:half] + shift, spans.end[half:]]),
        pieces=pieces,
    )
