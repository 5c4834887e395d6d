r"""Documents as chance would have annotated them.

Three ways to make one, after the document itself:

* ``shuffle``: each simulated annotator takes over the units that a real annotator, drawn at random, marked in the
  document, after the document was cut at a random place and its parts were swapped.  A unit is never cut: it keeps its
  length and may stick out at the end.  One that covers the whole document stays where it is, as swapping moves nothing
  of it.  The cuts of different simulated annotators lie at least one mean length of a unit apart, around the document
  as a circle; where there is no room for that, as far apart as takes up half of the document, which leaves the rest to
  chance.  All such ways to cut are equally likely.
* ``statistical``: each simulated annotator marks a random number of units one after the other, with random gaps and
  lengths, all after normal laws with the mean and deviation of the document's, and categories as often as they occur.
  Gaps may be negative, for units that overlap.
* ``uniform``: each simulated annotator has the units of one real annotator, another one for each, put in any order and
  at any places inside the document, all equally likely.  Units that overlap are moved together, and others never come
  to overlap; none sticks out.  Where all positions are whole numbers, so are those that are drawn.  These are the
  annotations of independent annotators, given how many units each marks, how long they are and of what category, and
  so the mean disorder of the draws is that of independent annotators, however short the document.

A draw without any unit says nothing and is drawn again.  How many draws there are follows from the wanted precision of
their mean: after `START` draws, and again after each further ones, $N = (1.96\, CV / e)^2$ are wanted for a relative
error $e$, with $CV$ the deviation of a draw over the mean; `MOST` are made at most.

The random numbers of a document depend on the seed and on its annotations, not on names, not on other documents, and
not on where the document begins or in what unit it is measured.  More draws go on where fewer stopped.

Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for inter-annotator
agreement measure and alignment. Computational Linguistics 41(3), 437-479. Section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.errors import KindError
from interagree.stats.documents.checks import is_finite
from interagree.stats.documents.continuum import Continuum

START = 30  # draws after which the precision is first looked at
MOST = 2_000  # draws of one document at most, where their number follows from the precision
BLOCK = 64  # draws that are made at once
TOGETHER = 400_000  # units that are measured at once
TRIALS = 600  # simulated documents of independent annotators
Z = 1.96

Sampler = Literal["shuffle", "statistical", "uniform"]
SAMPLERS: tuple[Sampler, ...] = get_args(Sampler)
# Columns: what is summed, what it weighs, and, of draws that are measured approximately, how far off they may be.
Measure = Callable[[Sequence[Continuum]], Floats]


def shuffled(c: Continuum, length: float, rng: np.random.Generator) -> Iterator[Continuum]:
    """Without end: real annotations of a document that was cut and swapped, each at a cut of its own."""
    n, size = c.annotators, c.end - c.begin
    fixed = size >= length * (1 - 1e-12)
    bounds = np.searchsorted(c.who, np.arange(n + 1))
    apart = min(float(size.mean()), length / (2 * n))
    while True:
        chance = rng.random((BLOCK, 2 * n + 1))
        drawn = (chance[:, :n] * n).astype(np.intp)
        cuts = spaced(chance[:, n:], length, apart)
        for source, cut in zip(drawn, cuts, strict=True):
            count = bounds[source + 1] - bounds[source]
            if not count.any():
                continue
            who = np.repeat(np.arange(n), count)
            unit = np.concatenate([np.arange(bounds[annotator], bounds[annotator + 1]) for annotator in source])
            begin = np.where(fixed[unit], c.begin[unit], (c.begin[unit] + cut[who]) % length)
            yield Continuum.of(n, who, begin, begin + size[unit], c.category[unit])


def spaced(chance: Floats, length: float, apart: float) -> Floats:
    """In each row places on a circle, no two nearer than ``apart``, made of one more numbers between 0 and 1."""
    gaps = -np.log1p(-chance[:, 1:])
    gaps *= (length - apart * gaps.shape[1]) / np.maximum(gaps.sum(axis=1, keepdims=True), 1e-300)
    places: Floats = (chance[:, :1] * length + np.cumsum(gaps + apart, axis=1)) % length
    return places


@dataclass(frozen=True, slots=True)
class Law:
    """What units of a document look like: how many there are, how far apart and how long, and of what category."""

    annotators: int
    units: tuple[float, float]  # mean and standard deviation, of each
    gap: tuple[float, float]
    length: tuple[float, float]
    share: Floats  # of the categories

    @classmethod
    def of(cls, c: Continuum) -> Law:
        """The law of a document; gaps are those between one annotator's units, and before their first one."""
        first = np.diff(c.who, prepend=-1) != 0
        gaps = np.where(first, c.begin, c.begin - np.r_[0.0, c.end[:-1]])
        gaps = gaps[~first | (gaps > 0)]
        counts = np.bincount(c.who, minlength=c.annotators)
        share = np.bincount(c.category).astype(np.float64)
        return cls(c.annotators, _law(counts), _law(gaps), _law(c.end - c.begin), share / share.sum())


def _law(numbers: Floats | Indices) -> tuple[float, float]:
    return (float(np.mean(numbers)), float(np.std(numbers))) if len(numbers) else (0.0, 0.0)


def statistical(law: Law, rng: np.random.Generator) -> Iterator[Continuum]:
    """Without end: annotations after a law."""
    n, least = law.annotators, 1e-9 * law.length[0]
    while True:
        counts = np.abs(rng.normal(*law.units, n).astype(np.intp))
        units = int(counts.sum())
        if not units:
            continue
        who = np.repeat(np.arange(n), counts)
        gap = rng.normal(*law.gap, units)
        size = np.maximum(np.abs(rng.normal(*law.length, units)), least)
        end = np.cumsum(gap + size)
        end -= np.r_[0.0, end][np.cumsum(counts) - counts][who]
        category = rng.choice(len(law.share), units, p=law.share)
        yield Continuum.of(n, who, end - size, end, category)


def placed(c: Continuum, length: float, rng: np.random.Generator) -> Iterator[Continuum]:
    """Without end: each annotator's own units, in any order and at any places inside the document."""
    people = [_blocks(c, who) for who in range(c.annotators)]
    places = np.r_[c.begin, c.end, length]
    whole = bool((places == np.rint(places)).all())
    while True:
        begin = np.empty(len(c))
        for unit, block, inside, sizes in people:
            order = rng.permutation(len(sizes))
            free = max(length - float(sizes.sum()), 0.0)
            gap: Floats | Indices
            if whole:
                room = round(free) + len(sizes)
                gap = np.sort(rng.choice(room, len(sizes), replace=False)) - np.arange(len(sizes))
            else:
                gap = np.sort(rng.random(len(sizes))) * free
            start = np.empty(len(sizes))
            start[order] = gap + np.cumsum(sizes[order]) - sizes[order]
            begin[unit] = start[block] + inside
        yield Continuum.of(c.annotators, c.who, begin, begin + (c.end - c.begin), c.category)


def _blocks(c: Continuum, who: int) -> tuple[Indices, Indices, Floats, Floats]:
    """The units of an annotator, which of them overlap: the block of each, where it begins in it, and their sizes."""
    unit = np.flatnonzero(c.who == who)  # in the order of their begins
    begin, end = c.begin[unit], c.end[unit]
    reached = np.maximum.accumulate(end)
    first = np.r_[True, begin[1:] >= reached[:-1]] if len(unit) else np.zeros(0, dtype=np.bool_)
    block = np.cumsum(first) - 1
    starts = begin[first]
    sizes = np.maximum.reduceat(end, np.flatnonzero(first)) - starts if len(unit) else np.zeros(0)
    return unit, block, begin - starts[block], sizes


def draws(c: Continuum, length: float, sampler: Sampler, seed: int, key: Sequence[int]) -> Iterator[Continuum]:
    """Without end: a document as chance would have annotated it; ``key`` tells documents apart."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, *key]))
    if sampler == "uniform":
        return placed(c, length, rng)
    return shuffled(c, length, rng) if sampler == "shuffle" else statistical(Law.of(c), rng)


@dataclass(frozen=True, slots=True)
class Precision:
    """How many draws are wanted: a number, or as many as a relative error of their mean takes."""

    error: float = 0.01
    samples: int | None = None

    def __post_init__(self) -> None:
        if not (is_finite(self.error) and 0 < self.error < 1):
            raise KindError(f"precision lies between 0 and 1, such as 0.01; got {self.error!r}")
        if self.samples is not None and not (is_finite(self.samples) and self.samples == int(self.samples) >= 2):
            raise KindError(f"samples must be a whole number of 2 or more, got {self.samples!r}")

    @property
    def first(self) -> int:
        """How many draws to begin with."""
        return START if self.samples is None else int(self.samples)

    def wanted(self, draws: Floats) -> int:
        """How many draws there should be, from those there are."""
        if self.samples is not None:
            return len(draws)
        mean = draws.mean(axis=0)
        if not mean[0] > 0 or not mean[1] > 0:
            return len(draws)
        lean = draws[:, 0] / mean[0] - draws[:, 1] / mean[1]
        return min(math.ceil((float(np.std(lean, ddof=1)) * Z / self.error) ** 2), MOST)


@dataclass(frozen=True, slots=True)
class UnitChance:
    """What was measured of the draws of one document: how many, the mean of two columns, and their covariance."""

    samples: int
    mean: Floats
    covariance: Floats
    gap: float = 0.0  # by how much of their disorder draws could be better aligned at most, on average
    correction: float = 0.0  # the relative error of what was measured of draws, all of them off together

    @classmethod
    def of(cls, measured: Floats) -> UnitChance:
        two = measured[:, :2]
        return cls(len(two), two.mean(axis=0), np.cov(two, rowvar=False), float(measured[:, 2:].sum() / len(two)))

    @property
    def value(self) -> float:
        """The expected value: one column over the other."""
        return float(self.mean[0] / self.mean[1]) if self.mean[1] > 0 else math.nan

    def variance(self, value: float | None = None) -> float:
        """The variance of the mean of what a draw adds to the ratio, around a value, by default its own."""
        at = np.array([1.0, -(self.value if value is None else value)])
        return max(float(at @ self.covariance @ at), 0.0) / self.samples + (self.correction * float(self.mean[0])) ** 2

    @property
    def error(self) -> float:
        """The standard error of the expected value."""
        return math.sqrt(self.variance()) / float(self.mean[1]) if self.mean[1] > 0 else math.nan


def sampled(sources: Sequence[Iterator[Continuum]], measured: Measure, precision: Precision) -> list[UnitChance]:
    """The chance of each document, with as many draws as the precision wants."""
    measured_draws: list[Floats] = [np.zeros((0, 0)) for _ in sources]
    wanted = [precision.first] * len(sources)
    while True:
        open_ = [place for place, rows in enumerate(measured_draws) if len(rows) < wanted[place]]
        if not open_:
            return [UnitChance.of(rows) for rows in measured_draws]
        missing = [(place, wanted[place] - len(measured_draws[place])) for place in open_]
        for place, rows in _measured(sources, missing, measured):
            before = measured_draws[place]
            measured_draws[place] = np.concatenate([before, rows]) if len(before) else rows
        for place in open_:
            wanted[place] = precision.wanted(measured_draws[place])


def of_independent(
    documents: Sequence[tuple[Continuum, float, bool, Sequence[int]]],
    times: Floats,
    sampler: Sampler,
    seed: int,
    measured: Measure,
) -> tuple[float, float] | None:
    """The coefficient of annotators who mark independently, as many units as these and as long, and its error.

    Annotations are drawn as `placed` does, and each draw is compared with one draw of the sampler after it.

    Args:
        documents: The units of each, how long it is, whether that is known, and what tells it from others; where it
            is not known, the sampler takes a draw to be as long as what is marked in it.
        times: How often each counts.
        sampler: How chance annotates.
        seed: Where the random numbers start.
        measured: What is summed and what it weighs, of many documents.
    """
    each = -(-TRIALS // len(documents))
    drawn: list[Continuum] = []
    chance: list[Continuum] = []
    for c, length, length_known, key in documents:
        some = list(islice(draws(c, length, "uniform", seed, (*key, 1)), each))
        drawn += some
        for k, draw in enumerate(some):
            long = length if length_known else float(draw.end.max())
            chance.append(next(draws(draw, long, sampler, seed, (*key, 2, k))))
    often = np.repeat(times, each)
    seen, theirs = measured(drawn), measured(chance)
    (a, b), (x, y) = often @ seen, often @ theirs
    if not (a >= 0 and min(b, x, y) > 0):
        return None
    ratio = (a / b) / (x / y)
    move = ratio * (seen @ [1 / a if a else 0.0, -1 / b] - theirs @ [1 / x, -1 / y])
    return 1 - float(ratio), math.sqrt(float(often**2 @ move**2))


def _measured(
    sources: Sequence[Iterator[Continuum]], missing: Sequence[tuple[int, int]], measured: Measure
) -> Iterator[tuple[int, Floats]]:
    """The next draws of some documents, many measured at once but not too many."""
    owners: list[int] = []
    some: list[Continuum] = []
    units = 0
    for place, count in missing:
        for draw in islice(sources[place], count):
            some.append(draw)
            owners.append(place)
            units += len(draw)
            if units >= TOGETHER:
                yield from _split(owners, measured(some))
                owners, some, units = [], [], 0
    if some:
        yield from _split(owners, measured(some))


def _split(owners: Sequence[int], rows: Floats) -> Iterator[tuple[int, Floats]]:
    owner = np.asarray(owners)
    starts = np.flatnonzero(np.diff(owner, prepend=-1) != 0)
    for start, end in zip(starts, [*starts[1:], len(owner)], strict=True):
        yield int(owner[start]), rows[start:end]
