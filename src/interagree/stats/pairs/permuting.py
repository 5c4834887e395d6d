"""How often values dealt to the annotations at random separate as well: the test behind the p-values of KS and AUC."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interagree.arrays import Floats
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.pairs.item_pairs import Pairs

ROUNDS = 999
ROOM = 5_000_000  # pairs of annotations whose distances are kept for the test


def gap(up_to: Floats, below: Floats) -> float:  # noqa: ARG001 -- one signature for both
    """How far the distribution of some distances runs above that of all pairs of annotations."""
    return float((np.arange(1, len(up_to) + 1) / len(up_to) - np.sort(up_to)).max(initial=0.0))


def nearer(up_to: Floats, below: Floats) -> float:
    """How often some distances are smaller than those of all pairs of annotations, ties counting half."""
    return float(1 - (up_to.mean() + below.mean()) / 2)


def permuted(
    pairs: Pairs, statistic: Callable[[Floats, Floats], float] = gap, *, rounds: int = ROUNDS, seed: int = 0
) -> float:
    """The share of random deals, the observed one included, whose statistic is as large as the observed one."""
    observed, dealt = deals(pairs, statistic, rounds=rounds, seed=seed)
    return (1 + int((dealt >= observed - 1e-12).sum())) / (1 + rounds)


def deals(
    pairs: Pairs, statistic: Callable[[Floats, Floats], float], *, rounds: int, seed: int = 0
) -> tuple[float, Floats]:
    """A statistic as it is, and of values dealt to the annotations at random.

    The statistic takes, of each pair within an item, how many of all pairs are no farther apart, and how many nearer.
    Values are dealt anew to the annotations: who annotated which item stays, and with it how many pairs there are and
    which are of one annotator and passed over.  If items and annotators made no difference, every deal would be as
    likely as the observed one, so the test is exact then.  Where the distances of all pairs of annotations are too
    many, it is made on items drawn at random.
    """
    distances = pairs.distances
    rng = np.random.default_rng((seed, 2))
    room = min(ROOM, distances.distance.most)
    items = rng.permutation(distances.items)
    often = np.cumsum(distances.size[items])
    chosen = items[: max(2, int(np.searchsorted(often * (often - 1) / 2, room, side="right")))]
    here = np.flatnonzero(np.isin(distances.item, chosen))
    item, who = distances.item[here], distances.who[here]
    order = np.argsort(item, kind="stable")
    here, item, who = here[order], item[order], who[order]
    distinct, value = np.unique(distances.value[here], return_inverse=True)
    first, second = np.triu_indices(len(distinct), 1)
    table = np.zeros((len(distinct), len(distinct)))
    table[first, second] = distances.of_values(distinct[first], distinct[second])
    table += table.T
    a, b = pairs_in_runs(item)
    if not distances.study.anonymous:
        a, b = a[who[a] != who[b]], b[who[a] != who[b]]
    everything = np.sort(table[value[:, None], value[None, :]][np.triu_indices(len(value), 1)])
    up_to, below = (np.searchsorted(everything, table, side=side) / len(everything) for side in ("right", "left"))

    def of(deal: np.ndarray) -> float:
        x, y = deal[a], deal[b]
        return statistic(up_to[x, y], below[x, y])

    return of(value), np.array([of(rng.permutation(value)) for _ in range(rounds)])
