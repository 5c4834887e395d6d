r"""Which distance tells agreement from chance best, on one study.

A good distance keeps annotations of one item near and annotations of different items far apart.  How well it does is
told by the distances alone: the AUC (how often a pair of different items is further apart than a pair of one item, ties
counting half), or the Kolmogorov-Smirnov statistic.  Alpha does not tell: it is the ratio of two means, and a coarse
distance may have the higher one.  Once a distance is chosen, its sigma is a lower bound to how much of the data
differs from chance.

**Differences.**  Each distance is compared with the best one on the same resampled items, so that what is odd about the
items cancels.  With $d_{ij}$ the difference of two distances, $s_{ij}$ its standard deviation over resamples, and $c$
the quantile of $\max_{ij} |d^*_{ij} - d_{ij}| / s_{ij}$ over resamples, the intervals are $d_{ij} \pm c\, t\, e_{ij}$:
they hold for all pairs of distances at once, however many were tried and whichever came out best.  The error $e_{ij}$
is that of leaving out each item in turn, or $s_{ij} \sqrt{n / (n - 1)}$ where that is larger: resamples hold pairs of
different items to first order alone, and come out too narrow where the $n$ items are few.  $c$ is never less than the
normal quantile, and $t$ is Student's quantile over the normal one.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.  Sections 4, 6.1 and 6.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Literal, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.declare import Distance, takes_data
from interagree.distances import IntoDistance, each, find
from interagree.errors import InteragreeError, KindError
from interagree.measures.auc import auc
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import Estimate
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.shares import check_level
from interagree.stats.pairs.braylan2022 import Compat, table_row
from interagree.stats.pairs.diagnosis import remarks
from interagree.stats.pairs.item_pairs import PRECISION
from interagree.studies.distance_comparison import MEASURED, NOTHING, Behind, Candidate, DistanceComparison, Sampling

By = Literal["auc", "ks"]


@takes_data
def compare_distances(
    data: IntoAnnotations,
    distances: IntoDistance | Iterable[IntoDistance] | None = None,
    *,
    by: By = "auc",
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    precision: float = PRECISION,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> DistanceComparison:
    """Rank distances by how well they tell annotations of one item from annotations of different items.

    Args:
        data: A study, or anything `Annotations.of` takes.
        distances: Names, such as ``["iou", "giou:clip=1"]``, distances, or functions of two values; by default all
            that the kind of value lists.
        by: What ranks them: "auc", or "ks" for the Kolmogorov-Smirnov statistic.
        level: The level of the intervals.
        resamples: How often items are resampled.
        seed: Where random numbers start.
        precision: The error wanted of the distribution of chance, where there are too many pairs to compute all.
        compat: "braylan2022" for the numbers of their Table 1, ranked by what it calls KS.

    Returns:
        A `DistanceComparison`, the best distance first.

    Examples:
        >>> import interagree as ia
        >>> ratings = {"x": [1.5, 2.5, 4.5, 4.0, 5.5], "y": [1.0, 3.5, 4.5, 5.0, 5.5]}
        >>> ia.studies.compare_distances(ratings, ["nominal", "interval"], resamples=20).best.name
        'interval'
    """
    if by not in ("auc", "ks"):
        raise KindError(f"distances are ranked by 'auc' or 'ks', not by {by!r}")
    if compat not in (None, "braylan2022"):
        raise KindError(f"compat must be 'braylan2022' or None, got {compat!r}")
    check_level(level)
    if resamples < 2:
        raise KindError(f"resamples must be 2 or more, got {resamples!r}")
    study = as_annotations(data)
    given = _given(study, distances)
    measured = [
        _measured(study, name, distance, precision=precision, seed=seed, compat=compat) for name, distance in given
    ]
    ranked_by = "ks" if compat else by
    ranked = sorted(
        measured, key=lambda candidate: (candidate.undefined is not None, -np.nan_to_num(candidate.value(ranked_by)))
    )
    if compat is None:
        ranked = _behind(ranked, by, level, resamples, seed)
    listed = _worth_comparing(study)
    return DistanceComparison(study, tuple(ranked), ranked_by, level, resamples, seed, compat, listed)


def _worth_comparing(study: Annotations) -> tuple[str, ...]:
    return (study.recognised.doubt or study.kind).distances


def _given(study: Annotations, distances: IntoDistance | Iterable[IntoDistance] | None) -> list[tuple[str, Distance]]:
    """The distances that are meant, each with a name of its own."""
    if distances is None:
        distances = _worth_comparing(study)
    named: list[tuple[str, Distance]] = []
    for distance in map(find, each(distances)):
        if any(distance is other or (distance.pair is None and str(distance) == str(other)) for _, other in named):
            continue
        alike = sum(str(distance) == str(other) for _, other in named)
        named.append((f"{distance} ({alike + 1})" if alike else str(distance), distance))
    if not named:
        raise KindError("there is nothing to compare: name one distance at least")
    return named


def _measured(
    study: Annotations, name: str, distance: Distance, *, precision: float, seed: int, compat: Compat
) -> Candidate:
    try:
        sampling = Sampling(study, distance, precision, seed)
        pairs = sampling.pairs()
        if compat is not None:
            why = pairs.undefined() or auc(study, distance=distance, precision=precision, seed=seed).undefined
            if why:
                return Candidate(name, undefined=why)
            return Candidate(name, sampling, published=table_row(pairs, seed=seed), remarks=remarks(pairs))
        options = {"precision": precision, "seed": seed}
        results = {
            called: measure(study, distance=distance, **({} if called == "alpha" else options))
            for called, measure in MEASURED.items()
        }
    except InteragreeError as error:
        return Candidate(name, undefined=str(error))
    except Exception as error:  # what a function of the user raises is its own
        if distance.pair is None:
            raise
        return Candidate(name, undefined=f"it raised {type(error).__name__}: {error}")
    why = next((result.undefined for result in results.values() if result.undefined), None)
    if why:
        return Candidate(name, undefined=why)
    return Candidate(name, sampling, results, remarks=remarks(pairs))


def _behind(ranked: Sequence[Candidate], by: str, level: float, resamples: int, seed: int) -> list[Candidate]:
    usable = [candidate for candidate in ranked if not candidate.undefined]
    if len(usable) < 2:
        return list(ranked)
    values = np.array([candidate.value(by) for candidate in usable])
    drawn = np.array([_resampled(candidate.results[by], resamples, seed) for candidate in usable])
    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    if drawn.shape[1] < 2:
        return list(ranked)
    items = _units(usable[0].results[by])
    errors = np.std(drawn - drawn[0], axis=1, ddof=1) * math.sqrt(items / (items - 1))
    errors = np.fmax(errors, _by_leaving_out([candidate.results[by] for candidate in usable]))
    student = t_quantile(0.5 + level / 2, items - 1) / NormalDist().inv_cdf(0.5 + level / 2)
    gaps = values - values[0]
    reach = _reach(values, drawn, level) * student * errors
    reach[(errors <= NOTHING) & (np.abs(gaps) > NOTHING)] = np.nan  # a difference that no item tells anything about
    differences = {
        candidate.name: Behind(float(gap), float(gap - wide), float(gap + wide), float(error))
        for candidate, gap, wide, error in zip(usable[1:], gaps[1:], reach[1:], errors[1:], strict=True)
    }
    return [replace(candidate, behind=differences.get(candidate.name)) for candidate in ranked]


def _resampled(result: Agreement, resamples: int, seed: int) -> Floats:
    """The coefficient on resamples of the items: one seed draws the same items for every distance."""
    engine = result.engine
    if not isinstance(engine, Estimate) or _units(result) < 2:
        return np.full(resamples, np.nan)
    return engine.resampled(resamples, seed, None)


def _by_leaving_out(results: Sequence[Agreement]) -> Floats:
    """The error of the difference of each from the first by leaving out each item; nan where that leaves none."""
    left = np.array([result.engine.left_out() for result in results if isinstance(result.engine, Estimate)])
    moved = left - left[0]
    count = moved.shape[1]
    squares = ((moved - moved.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    error: Floats = np.sqrt((count - 1) / count * squares)
    return error


def _units(result: Agreement) -> float:
    return float(result.engine.times.sum()) if isinstance(result.engine, Estimate) else 0.0


def _reach(values: Floats, drawn: Floats, level: float) -> float:
    """How many standard errors the intervals of all pairs of distances reach, to hold at once."""
    first, second = np.triu_indices(len(values), 1)
    moved = drawn[first] - drawn[second]
    errors = np.std(moved, axis=1, ddof=1)
    differ = errors > NOTHING  # two distances that order all pairs alike never differ
    if not differ.any():
        return 0.0
    off = np.abs(moved[differ] - (values[first] - values[second])[differ, None]) / errors[differ, None]
    return max(float(np.quantile(off.max(axis=0), level)), NormalDist().inv_cdf(0.5 + level / 2))
