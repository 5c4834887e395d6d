"""Plans for every other coefficient: labels of a pilot are drawn, or a large study is simulated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from interagree.arrays import Floats, Int64s
from interagree.data import Annotations, IntoAnnotations
from interagree.declare import facts_of
from interagree.errors import Hint, KindError
from interagree.results.agreement import Agreement
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.width import Width, item_variance
from interagree.studies.plan.closed import concentration, shares_of
from interagree.studies.plan.parts import (
    AGREEMENT,
    ALL_ALIKE,
    ENOUGH,
    FEW,
    MOST,
    SHARES,
    Aim,
    Asked,
    Assumed,
    Basis,
    Existing,
    PilotDraws,
)

SIMULATED = 20_000  # items of a study that is simulated from assumed shares


def resampled(
    function: Callable[..., Agreement],
    data: IntoAnnotations,
    options: Mapping[str, object],
    asked: Asked,
    draws: PilotDraws,
) -> Basis:
    result = function(data, **options)
    title = result.measure.title
    if result.undefined:
        return Basis(math.nan, {}, "", undefined=result.undefined)
    error = result.standard_error()
    if math.isnan(error):
        return Basis(result.value, {}, "", undefined="the pilot has too few items to estimate an error from")
    if not error > 0:
        return Basis(
            result.value,
            {},
            "",
            undefined=f"the items of the pilot do not differ ({result.measure.symbol} = {result.value:.3f}), so "
            f"its error cannot be known; a larger pilot may differ, or assume {SHARES} and {AGREEMENT}",
        )
    study = Counts.of(data).source
    if study is None:
        raise KindError(
            f"a plan for {title} draws labels of the pilot, and needs the annotations themselves; only SPA is "
            "planned from counts in a database"
        )
    sizes = study.sizes()
    paired = int((sizes >= 2).sum())
    enough = [n for n in range(2, int(sizes.max()) + 1) if (sizes >= n).sum() >= min(ENOUGH, paired)]
    missing = [n for n in asked or () if n not in enough]
    if missing:
        most = Hint("per_item", max(enough))
        raise KindError(
            f"of the pilot's items {int((sizes >= missing[0]).sum())} have {missing[0]} labels, too few to plan with "
            f"so many; plan with {most} at most, or assume {SHARES} and {AGREEMENT}",
            hints=[most, SHARES, AGREEMENT],
        )
    top = max(asked or [n for n in enough if n <= MOST])
    by_size = _chained(lambda part: item_variance(function(part, **options)), study, top, draws)
    variance = {n: of_size for n, of_size in by_size.items() if asked is None or n in asked}
    notes = []
    if max(by_size, default=1) < top:
        notes.append(f"with {max(by_size, default=1) + 1} labels per item the pilot leaves no error to go by")
    if asked is None and max(enough) < MOST:
        instead = "" if result.measure.values == "numbers" else f"; {SHARES} and {AGREEMENT} would do"
        notes.append(f"the pilot has too few items with more than {max(enough)} labels to plan for more{instead}")
    sentence = (
        f"From the pilot: {title} is {result.value:.3f}; errors are those of labels drawn from its items without "
        f"putting back, the mean of {draws.rounds} draws from seed {draws.seed}, and one more label is judged by the "
        "items that have it."
    )
    if not variance:
        return Basis(result.value, {}, "", undefined="; ".join(notes))
    return Basis(result.value, variance, sentence, tuple(notes), _least(variance))


def _least(variance: Mapping[int, float]) -> float:
    return float(min(variance, key=lambda n: n * variance[n]))


def _chained(
    variance_of: Callable[[Annotations], float], study: Annotations, top: int, draws: PilotDraws
) -> dict[int, float]:
    """The variance of one item's contribution with 2, 3, … labels, as far as the pilot tells.

    Items with many labels may be others than those with few.  So what one label more does is the ratio of two variances
    of the same items, those that have it.
    """
    rng = np.random.default_rng(draws.seed)
    known: dict[tuple[int, int], float] = {}

    def among(n: int, least: int) -> float:
        key = n, int((sizes >= least).sum())  # the same items need not be drawn from again
        if key not in known:
            variances = [variance_of(part) for part in _parts(study, n, least, draws.rounds, rng)]
            known[key] = float(np.mean([variance for variance in variances if variance > 0] or [math.nan]))
        return known[key]

    sizes = study.sizes()
    variance = {2: among(2, 2)}
    for n in range(3, top + 1):
        variance[n] = variance[n - 1] * among(n, n) / among(n - 1, n)
    return {n: of_size for n, of_size in variance.items() if of_size > 0}


def _parts(study: Annotations, n: int, least: int, rounds: int, rng: np.random.Generator) -> Iterator[Annotations]:
    """The study with ``n`` labels of each item that has ``least`` or more, drawn without putting back."""
    sizes = study.sizes()
    rows = np.flatnonzero(sizes[study.item] >= least)
    item = study.item[rows]
    exact = bool((sizes[sizes >= least] == n).all())
    for _ in range(1 if exact else rounds):
        order = np.lexsort((rng.random(len(rows)), item))
        # The place of each label among those of its item.
        first = np.r_[True, item[order][1:] != item[order][:-1]]
        begin = np.maximum.accumulate(np.where(first, np.arange(len(rows)), 0))
        keep = np.sort(rows[order[np.arange(len(rows)) - begin < n]])
        _, renamed = np.unique(study.item[keep], return_inverse=True)
        yield replace(
            study,
            item=renamed.reshape(-1),
            annotator=study.annotator[keep],
            value=study.value[keep],
            items=range(int(renamed.max()) + 1),
            occasion=None if study.occasion is None else study.occasion[keep],
            attributes={},
        )


def more_of_the_same(result: Agreement, aim: Aim, width: Width) -> Existing:
    """What the pilot gives, and what more items like its own would."""
    items, variance = result.n.items, item_variance(result)
    now = width.half(variance, items)
    notes = []
    if aim.half_width is not None:
        needed = width.items(variance, aim.half_width)
        notes.append(
            f"with labels per item as in the pilot, {needed:,} items would do: {needed - items:,} more than there are"
            if needed > items
            else f"the pilot's own {items:,} items are enough for ± {aim.half_width:g}"
        )
    if items < FEW:
        notes.append(f"the pilot has {items} items, and a variance found from so few is rough")
    return Existing(now, notes=tuple(notes), interval=result.interval(aim.level))


def simulated(
    function: Callable[..., Agreement], assumed: Assumed, options: Mapping[str, object], asked: Asked, seed: int
) -> Basis:
    title = facts_of(function).title
    if assumed.shares is None:
        raise KindError(
            f"the error of {title} depends on how common the values are; give {SHARES} with {AGREEMENT}, or a pilot",
            hints=[SHARES, AGREEMENT],
        )
    p = shares_of(assumed.shares)
    total = math.inf if assumed.agreement is None else concentration(p, assumed.agreement)
    if total == 0:
        return Basis(
            1.0, {}, "", undefined="where annotators always agree all pairs of labels agree, so nothing varies"
        )
    wanted = asked or tuple(range(2, MOST + 1))
    codes = _labels(p, total, max(wanted), np.random.default_rng(seed))
    results = {n: function(_simulated_study(codes[:, :n], len(p)), **options) for n in wanted}
    undefined = next((result.undefined for result in results.values() if result.undefined), None)
    if undefined:
        return Basis(math.nan, {}, "", undefined=undefined)
    variance = {n: item_variance(result) for n, result in results.items()}
    value = float(np.mean([result.value for result in results.values()]))
    sentence = (
        f"Assumed: {SIMULATED:,} items were simulated from seed {seed}, with shares of their own from a Dirichlet "
        f"distribution around the shares given; {title} of them is {value:.3f}."
    )
    return Basis(value, variance, sentence, (ALL_ALIKE,) if assumed.agreement is None else (), _least(variance))


def _labels(p: Floats, total: float, n: int, rng: np.random.Generator) -> Int64s:
    own = np.broadcast_to(p, (SIMULATED, len(p)))
    if math.isfinite(total):
        some = p > 0
        own = np.zeros((SIMULATED, len(p)))
        own[:, some] = rng.dirichlet(total * p[some], size=SIMULATED)
    ends = np.cumsum(own, axis=1)[:, :-1]
    drawn = rng.random((n, SIMULATED)).T  # so that the first labels are the same however many follow
    codes: Int64s = (drawn[:, :, None] > ends[:, None, :]).sum(axis=2)
    return codes


def _simulated_study(codes: Int64s, values: int) -> Annotations:
    items, n = codes.shape
    return Annotations(
        np.repeat(np.arange(items), n),
        np.tile(np.arange(n), items),
        codes.reshape(-1),
        range(items),
        range(n),
        tuple(range(values)),
        stated=True,
    )
