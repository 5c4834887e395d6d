r"""Whether a few items hold most of the disagreement.

The null lets items differ in difficulty as much as a smooth distribution can without having favourites: the chance of
an annotator to depart from the rest is drawn from an exponential distribution with the mean of the study, at most a
half, and so many annotators depart as a binomial draw says; under a distance, the disagreement of an item of $m$
annotations is the square of such a draw times $\chi^2_{m-1} / (m - 1)$, as that of numbers with such a deviation is,
over a draw of $\chi^2_4 / 4$, as the errors of people have longer tails than a normal distribution.
The number of items that hold half of all disagreement is compared with that of 199 studies drawn so.
"""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.findings.case import OF_OTHERS, Case
from interagree.findings.finding import Finding

STUDIES = 199
MOST_ITEMS = 10_000  # that are simulated
TENTH = 0.1  # of the items, which must hold …
HALF = 0.5  # … so much of the disagreement
TAILS = 4  # degrees of freedom of the errors of numbers
FEWER = 0.75  # what their number must be of the usual one
FEWEST = 30  # items with two annotations, and …
SPLIT = 10  # … those with disagreement, below which nothing is said


def findings(case: Case) -> list[Finding]:
    """The items to adjudicate, where few of them hold most of the disagreement."""
    if not case.lead.engine.drillable:
        return []
    table = case.lead.by_item()
    if "disagreement" not in table.columns or "annotations" not in table.columns:
        return []
    far = np.array(table["disagreement"], dtype=np.float64)
    size = np.array(table["annotations"], dtype=np.float64)
    there = np.isfinite(far) & (size > 1)
    far, size = far[there], size[there]
    pairs = size if case.lead.measure.name == "alpha" else np.ones_like(size)
    held = far * pairs
    if len(held) < FEWEST or np.count_nonzero(held) < SPLIT:
        return []
    number = _holding_half(held)
    if number > TENTH * len(held):
        return []
    p, usual = _chance(far, size, pairs, equality=case.rest.labels, seed=case.seed)
    if p > OF_OTHERS or number > FEWER * usual:
        return []
    settled = case.lead.value + _gain(case, HALF)
    about = {
        "items": number,
        "of": len(held),
        "usual": usual,
        "p_value": p,
        "coefficient": case.coefficient,
        "settled": None if math.isnan(settled) else settled,
    }
    gain = 0.0 if math.isnan(settled) else settled - case.lead.value
    return [Finding("items", (), about, gain, case.call("disagreements", top=number))]


def _holding_half(held: Floats) -> int:
    """How many items hold half of all disagreement."""
    ranked = np.sort(held)[::-1]
    return int(np.searchsorted(np.cumsum(ranked), HALF * ranked.sum()) + 1)


def _gain(case: Case, share: float) -> float:
    """How much higher the coefficient is without a share of the observed disagreement; nan where it is another sum."""
    parts = case.lead.disagreement
    expected = 1.0 if parts.expected is None else parts.expected
    if not expected or not math.isclose(case.lead.value, 1 - parts.observed / expected, abs_tol=1e-9):
        return math.nan
    return float(share * parts.observed / expected)


def _chance(far: Floats, size: Floats, pairs: Floats, *, equality: bool, seed: int) -> tuple[float, int]:
    """How often chance concentrates disagreement as much, and how many items usually hold half of it."""
    rng = np.random.default_rng(seed)
    kept: Indices = np.arange(len(far))
    if len(far) > MOST_ITEMS:
        kept = np.sort(rng.choice(len(far), MOST_ITEMS, replace=False))
    times = len(far) / len(kept)
    far, size, pairs = far[kept], size[kept], pairs[kept]
    observed = _holding_half(far * pairs)
    departing = float(np.mean(far)) / 2  # of two annotators who differ, one departs
    numbers = np.empty(STUDIES)
    for study in range(STUDIES):
        hard = rng.exponential(1.0, len(far))
        if equality:
            away = rng.binomial(size.astype(np.int64), np.minimum(hard * departing, 0.5))
            held = 2 * away * (size - away) / (size * (size - 1)) * pairs
        else:
            tails = rng.chisquare(TAILS, len(far)) / TAILS
            held = hard**2 * rng.chisquare(size - 1) / (size - 1) / tails * pairs
        numbers[study] = _holding_half(held)
    return float(1 + np.count_nonzero(numbers <= observed)) / (STUDIES + 1), round(times * float(np.median(numbers)))
