"""What happens to SPA while annotations are added one at a time, in thousands of random orders at once.

The weight of an item depends on nothing but how many annotations it has.  So all that a weighing needs to know of a
half-annotated table is, for each number $n$, how many items have $n$ annotations and what their agreement adds up to.
These two tables are counted for every point of a grid in one go, from the random orders of the annotations within each
item; every weighing is then a product with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import interagree as ia
from interagree.stats.labels.item_agreement import Moments, item_moments, lean, weigh

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

PAPER = ("flat", "annotations", "annotations_m1", "edges", "inv_var_class")  # inv_var is edges
OURS = ("inv_var_class, shares so far", "random_effects", "one over V(n)")
BLOCK = 1_500_000  # cells of a block of rounds


class Labels(NamedTuple):
    """The labels of a table, items × places: the code of a label, -1 where an item has no more.

    Items with more labels come first.
    """

    codes: Whole
    size: Whole
    values: int
    moments: Moments
    shares: Floats

    @classmethod
    def of(cls, study: ia.Annotations) -> Labels:
        """The labels of a study, without who gave them."""
        order = np.argsort(study.item, kind="stable")
        item, value = study.item[order], study.value[order]
        size = np.bincount(item, minlength=len(study.items))
        place = np.arange(len(item)) - np.repeat(np.cumsum(size) - size, size)
        codes = np.full((len(size), int(size.max())), -1, dtype=np.int64)
        codes[item, place] = value
        most_first = np.argsort(-size, kind="stable")
        codes, size = codes[most_first], size[most_first]
        shares = np.bincount(value, minlength=len(study.values)) / len(value)
        return cls(codes, size, len(study.values), item_moments(study), shares)


class Strata(NamedTuple):
    """For each round and each point of the grid: items by number of annotations, and their agreement added up."""

    items: Floats  # rounds × grid × number of annotations
    agree: Floats
    given: Floats  # rounds × grid × values: how often each value was given so far


def grid_of(labels: Labels, points: int = 120) -> tuple[Whole, Whole]:
    """Two grids of numbers of annotations: the first hundred, and the whole range."""
    total = int(labels.size[labels.size > 1].sum())
    whole = np.unique(np.linspace(min(20, total), total, points).astype(np.int64))
    return np.arange(10, min(100, total) + 1), whole


def blocks(labels: Labels, rounds: int) -> Iterator[int]:
    """How many rounds to do at once."""
    step = max(1, BLOCK // labels.codes.size)
    for start in range(0, rounds, step):
        yield min(step, rounds - start)


class Shuffled(NamedTuple):
    """Random orders of all annotations; for the first, second, … annotation of an item an array of rounds × items.

    Items with more annotations come first, so that those who have another one are always at the beginning.
    """

    when: list[Whole]  # how many annotations of any item came before it
    value: list[Whole]
    agree: list[Floats]  # of the item, from its first annotation to this one


def shuffled(labels: Labels, rounds: int, rng: np.random.Generator) -> Shuffled:
    """As many random orders as there are rounds."""
    items, most = labels.codes.shape
    filled = labels.codes >= 0
    total, size = int(filled.sum()), labels.values
    # Random numbers that end in 0, 1, 2, …, put in order: sorting is faster than drawing places one by one.
    bits = total.bit_length()
    mixed = rng.integers(0, 2**62, size=(rounds, total)) >> bits << bits | np.arange(total)
    mixed.sort(axis=1)
    places = (mixed & (2**bits - 1)).astype(np.int32)
    both = np.full((rounds, items, most), np.iinfo(np.int32).max, dtype=np.int32)
    both[:, filled] = places * np.int32(size) + labels.codes[filled].astype(np.int32)
    both.sort(axis=2)  # the value rides along in the last digit
    found = Shuffled([], [], [])
    seen = np.zeros((size, rounds, items), dtype=np.int32)  # annotations of the item so far, by value
    pairs = np.zeros((rounds, items), dtype=np.int32)  # of them, those that agree
    for place in range(most):
        here = int((labels.size > place).sum())
        when, value = np.divmod(both[:, :here, place], np.int32(size))
        pairs = pairs[:, :here]
        for code in range(size):
            equal = value == code
            counted = seen[code, :, :here]
            pairs = pairs + np.where(equal, counted, 0)
            counted += equal
        found.when.append(when)
        found.value.append(value)
        found.agree.append(pairs.astype(np.float64) * (2 / max(place * (place + 1), 1)))
    return found


def added(labels: Labels, grid: Whole, rounds: int, rng: np.random.Generator) -> Strata:
    """The strata of many rounds in which annotations are added one at a time.

    A point of the grid is a number of annotations on items that have two or more, as on the axes of the paper.
    """
    made = shuffled(labels, rounds, rng)
    total, most, points = int(labels.size.sum()), len(made.when), len(grid)
    start = np.arange(rounds)[:, None]
    # An item's second annotation makes its first one count, too.
    usable = np.zeros(rounds * total, dtype=np.int32)
    for place in range(1, most):
        usable[start * total + made.when[place]] = 2 if place == 1 else 1
    counted = usable.reshape(rounds, total).cumsum(axis=1)
    after = np.searchsorted(grid, np.arange(total + 1), side="left")  # the first point that holds it; none: the last
    bins = after[counted].reshape(-1)
    cells = rounds * (points + 1)

    def tally(rows: Whole, amounts: Floats | None = None) -> Floats:
        flat = None if amounts is None else amounts.reshape(-1)
        table = np.bincount(rows.reshape(-1), flat, cells).reshape(rounds, points + 1)
        return np.asarray(table[:, :points].cumsum(axis=1), dtype=np.float64)

    items, agree = np.zeros((2, rounds, points, most + 2))
    given = np.zeros(cells * labels.values)
    for place in range(most):
        rows = start * (points + 1) + bins[start * total + made.when[place]]
        given += np.bincount((rows * labels.values + made.value[place]).reshape(-1), minlength=len(given))
        if place:
            reached = tally(rows)
            items[:, :, place + 1] += reached
            items[:, :, place] -= reached
            agree[:, :, place + 1] += tally(rows, made.agree[place])
            agree[:, :, place] -= tally(rows, made.agree[place - 1][:, : rows.shape[1]])
    shares = given.reshape(rounds, points + 1, labels.values)[:, :points].cumsum(axis=1)
    return Strata(items[:, :, : most + 1], agree[:, :, : most + 1], shares)


def weights(labels: Labels, most: int) -> dict[str, Floats]:
    """The weight of an item with 0, 1, … annotations under every weighing that does not change on the way."""
    n = np.arange(most + 1, dtype=np.float64)
    r = lean(labels.shares)
    found = {scheme: weigh(scheme, n, r=r) for scheme in (*PAPER, "random_effects")}
    if not math.isnan(labels.moments.m22):
        best = np.zeros(most + 1)
        best[2:] = 1 / np.maximum(labels.moments.variance(n[2:]), 1e-12)
        found["one over V(n)"] = best
    return found


def values_of(strata: Strata, labels: Labels) -> dict[str, Floats]:
    """SPA of each round at each point of the grid, under every weighing."""
    most = strata.items.shape[2] - 1
    found = {scheme: (strata.agree @ k) / (strata.items @ k) for scheme, k in weights(labels, most).items()}
    # With the shares of the annotations there are so far, the weights differ from round to round.
    p = strata.given / strata.given.sum(axis=2, keepdims=True)
    s2, s3 = (p**2).sum(axis=2), (p**3).sum(axis=2)
    two = s2 - s2**2
    r = np.where(two > 1e-15, 2 * (s3 - s2**2) / np.where(two > 1e-15, two, 1), 1).clip(0, 1)
    n = np.arange(most + 1, dtype=np.float64)
    k = np.where(n >= 2, n * (n - 1) / (1 + r[..., None] * np.maximum(n - 2, 0)), 0)
    found["inv_var_class, shares so far"] = (strata.agree * k).sum(axis=2) / (strata.items * k).sum(axis=2)
    return found


class Curves(NamedTuple):
    """The variance of SPA over rounds along a grid, and the sum of what a weighing gains over flat, with its error."""

    grid: Whole
    variance: dict[str, Floats]
    gain: dict[str, float]
    error: dict[str, float]


def curves(labels: Labels, rounds: int, seed: int = 0) -> tuple[Curves, Curves]:
    """Figure 7 and Table 1: over the first hundred annotations, and over the whole range."""
    rng = np.random.default_rng(seed)
    grids = grid_of(labels)
    every = np.unique(np.concatenate(grids))
    parts: dict[str, list[Floats]] = {}
    for size in blocks(labels, rounds):
        for scheme, values in values_of(added(labels, every, size, rng), labels).items():
            parts.setdefault(scheme, []).append(values)
    whole = {scheme: np.concatenate(values) for scheme, values in parts.items()}
    made = []
    for grid in grids:
        here = np.searchsorted(every, grid)
        variance = {scheme: values[:, here].var(axis=0, ddof=1) for scheme, values in whole.items()}
        gain = {scheme: float((one - variance["flat"]).sum()) for scheme, one in variance.items()}
        made.append(Curves(grid, variance, gain, _errors(whole, here)))
    return made[0], made[1]


def _errors(whole: dict[str, Floats], here: NDArray[np.intp], groups: int = 20) -> dict[str, float]:
    """How far chance may have moved the sums: their standard error over groups of rounds."""
    rounds = len(whole["flat"])
    if rounds < 2 * groups:
        return dict.fromkeys(whole, math.nan)
    split = np.array_split(np.arange(rounds), groups)
    flat = np.array([whole["flat"][part][:, here].var(axis=0, ddof=1) for part in split])
    return {
        scheme: float(
            (np.array([values[part][:, here].var(axis=0, ddof=1) for part in split]) - flat).sum(axis=1).std(ddof=1)
        )
        / math.sqrt(groups)
        for scheme, values in whole.items()
    }


class Constant(NamedTuple):
    """Items that all have ``n`` annotations: the variance of SPA by the number of annotations, and V(n) / items."""

    n: int
    annotations: Whole
    variance: Floats
    theory: Floats


def constant(labels: Labels, rounds: int, seed: int = 0, points: int = 40) -> list[Constant]:
    """Figure 6: whole items are added, all with the same number of annotations."""
    rng = np.random.default_rng(seed)
    sizes = [n for n in range(2, labels.codes.shape[1] + 1) if (labels.size >= n).sum() >= 10]
    counts = {n: np.unique(np.geomspace(5, (labels.size >= n).sum(), points).astype(np.int64)) for n in sizes}
    parts: dict[int, list[Floats]] = {n: [] for n in sizes}
    for size in blocks(labels, rounds):
        made = shuffled(labels, size, rng)
        for n in sizes:
            run = rng.permuted(made.agree[n - 1], axis=1).cumsum(axis=1)
            parts[n].append(run[:, counts[n] - 1] / counts[n])
    found = []
    for n in sizes:
        values = np.concatenate(parts[n])
        theory = labels.moments.variance(n) / counts[n]
        found.append(Constant(n, n * counts[n], values.var(axis=0, ddof=1), theory))
    return found


# Figures 4 and 5 need no data


def normal(k: Floats) -> Floats:
    """Weights with the largest at one."""
    return np.asarray(k / k.max())


def inverse_variance(n: Floats, p: Floats) -> Floats:
    """One over the variance of an item's agreement, all items alike."""
    return np.asarray(1 / ia.studies.variance_of_item_agreement(n, p))


class Drawn(NamedTuple):
    """A distribution of values drawn at random, and the weights that fit it."""

    values: int
    entropy: float
    r: float
    curve: Floats  # for 1 to 10 annotations

    @property
    def area(self) -> float:
        """The sum under the curve."""
        return float(self.curve.sum())


def drawn(each: int, seed: int = 0) -> list[Drawn]:
    """Distributions over 2 to 10 values: a softmax of even draws between -2 and 4, as in the paper."""
    rng = np.random.default_rng(seed)
    found = []
    n = np.arange(2, 11, dtype=np.float64)
    for values in range(2, 11):
        for _ in range(each):
            p = np.exp(rng.uniform(-2, 4, size=values))
            p /= p.sum()
            curve = np.concatenate([[0.0], normal(inverse_variance(n, p))])
            found.append(Drawn(values, float(-(p * np.log2(p)).sum()), lean(p), curve))
    return found


def rank_correlation(a: Floats, b: Floats) -> float:
    """Spearman's."""
    first, second = (np.argsort(np.argsort(one)).astype(np.float64) for one in (a, b))
    return float(np.corrcoef(first, second)[0, 1])
