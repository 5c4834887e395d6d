r"""Plans for the sparse probability of agreement, from the closed form of its variance.

The moments come from a pilot, or from what is assumed; where some cannot be known they are those of published data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from interagree.arrays import Floats
from interagree.data import IntoAnnotations
from interagree.distances import on_values
from interagree.errors import Advice, Hint, KindError
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.item_agreement import TYPICAL_BETWEEN, TYPICAL_WITHIN, Moments, item_moments, moments_of
from interagree.stats.labels.width import Width
from interagree.studies.plan.answer import Plan
from interagree.studies.plan.parts import (
    AGREEMENT,
    ALL_ALIKE,
    ENOUGH,
    FEW,
    MOST,
    PER_ITEM,
    SHARES,
    Aim,
    Assumed,
    Basis,
    Shares,
)

MUCH_BETWEEN = 0.21  # the share of the variance that lies between items, or more, in a quarter of 37 public sets


def coherent(moments: Moments) -> tuple[Moments, tuple[str, ...]]:
    r"""Moments that real items can have, with what is usual in place of what is unknown, and what was assumed.

    Always $m_2^2 \le m_{22} \le m_3 \le m_2$; estimates from few items may break that.
    """
    m2, m3, m22 = moments[:3]
    top = m2 if moments.square is None else moments.square
    if not 0 <= m2 <= 1:
        raise KindError(f"the chance that two annotations agree lies between 0 and 1; got m2 = {m2:g}")
    pair = top - m2**2
    notes = []
    if math.isnan(m22):
        m22 = m2**2 + TYPICAL_BETWEEN * pair
        notes.append(
            "no item has four labels, so how much items differ is unknown and taken as usual in published data: "
            f"{TYPICAL_BETWEEN:.0%} of the variance of a pair's agreement"
        )
    if math.isnan(m3):
        m3 = m22 + min(TYPICAL_WITHIN * pair, (top - m22) / 2)
        notes.append(
            "no item has three labels, so how much single labels matter is taken as usual in published data: "
            f"{TYPICAL_WITHIN:.0%} of that variance"
        )
    m3 = min(max(m3, m2**2), top)
    return Moments(m2, m3, min(max(m22, m2**2), m3), moments.square), tuple(notes)


def _pilot(data: IntoAnnotations, options: Mapping[str, Any]) -> tuple[Moments, tuple[str, ...]]:
    """The moments of a pilot; how its variance divides is found from items that have enough labels for all of it.

    Each moment of other items would be without bias, but where items with more labels agree less, the three together
    would not be those of any items.
    """
    counts = Counts.of(data)
    on = on_values(options.get("distance"), options.get("weights"), scaled=True)(counts)
    near = None if on.distance.equality else 1 - on.table(counts.frequency)
    moments = item_moments(counts, near)
    pair = float(moments.variance(2))
    if math.isnan(moments.m2) or pair <= 0:
        return moments, ()
    times = counts.weights.matrix()
    two, three, four = (int(times[counts.size >= n].sum()) for n in (2, 3, 4))
    between, within, notes = TYPICAL_BETWEEN, TYPICAL_WITHIN, []
    if two < FEW:
        notes.append(f"the pilot has {two} item{'s' * (two > 1)} with two labels or more, so the plan is rough")
    if four >= ENOUGH:
        some, _ = coherent(item_moments(counts.at_least(4), near))
        of_pair = float(some.variance(2))
        between, within = (some.between / of_pair, some.one / of_pair) if of_pair > 0 else (between, within)
        if four < FEW:
            notes.append(f"how much items differ rests on {four} items with four labels or more")
    else:
        few = "no item has" if not four else f"only {four} item{'s have' if four > 1 else ' has'}"
        notes.append(
            f"{few} four labels, so how much items differ is taken as usual in published data: "
            f"{between:.0%} of the variance of a pair's agreement"
        )
        if three >= ENOUGH:
            some = item_moments(counts.at_least(3), near)._replace(m22=math.nan)
            of_pair = float(some.variance(2))
            # With three labels the variance tells the sum of the two shares, and no more.
            both = (6 * float(some.variance(3)) / of_pair - 2) / 4 if of_pair > 0 else between + within
            between = min(max(both, 0.0), between)
            within = max(both, 0.0) - between
        else:
            notes.append(
                f"fewer than {ENOUGH} items have three labels, so how much single labels matter is taken as usual too: "
                f"{within:.0%} of that variance"
            )
    within = min(within, (1 - between) / 2)
    m22 = moments.m2**2 + between * pair
    return Moments(moments.m2, m22 + within * pair, m22, moments.square), tuple(notes)


def _most(data: IntoAnnotations) -> int:
    """How many labels an item may have where nobody says: no more than the pilot has annotators."""
    counts = Counts.of(data)
    people = counts.n.annotators
    # Where annotators may label an item again, it may have more.
    return MOST if people is None else max(2, min(MOST, max(people, int(counts.size.max(initial=0)))))


def _assumed(assumed: Assumed) -> tuple[Moments, tuple[str, ...]]:
    agreement, between = assumed.agreement, assumed.between
    if assumed.moments is not None:
        return coherent(Moments(*assumed.moments))  # type: ignore[arg-type]  # only the last may be None
    if assumed.shares is not None:
        if between is not None:
            between_items = Hint("between")
            raise KindError(
                f"{SHARES} and {AGREEMENT} settle how much items differ; give {between_items} with {AGREEMENT} alone",
                hints=[SHARES, AGREEMENT, between_items],
            )
        return _around(shares_of(assumed.shares), agreement)
    if agreement is None:
        raise KindError(
            f"a plan needs a pilot, or {AGREEMENT}, the chance that two annotations of an item agree, and {SHARES} "
            "where the shares are known",
            hints=[AGREEMENT, SHARES],
        )
    if not 0 <= agreement <= 1:
        raise KindError(Advice.of("agreement is a chance between 0 and 1; got ", Hint("agreement", agreement)))
    pair = agreement * (1 - agreement)
    if between is not None and not 0 <= between <= pair:
        raise KindError(
            Advice.of(
                "with ",
                Hint("agreement", agreement),
                f" the variance between items lies between 0 and {pair:g}; got ",
                Hint("between", between),
            )
        )
    tau = TYPICAL_BETWEEN * pair if between is None else between
    within = min(TYPICAL_WITHIN * pair, (pair - tau) / 2)
    m22 = agreement**2 + tau
    usual = f"{TYPICAL_BETWEEN:.0%} between items and " if between is None else ""
    note = (
        f"of the variance of a pair's agreement, {usual}{TYPICAL_WITHIN:.0%} between labels of an item is taken as "
        "usual in published data"
    )
    return Moments(agreement, m22 + within, m22), (note,)


def shares_of(shares: Shares) -> Floats:
    p = np.asarray([*shares.values()] if isinstance(shares, Mapping) else shares, dtype=np.float64)
    moments_of(p)  # which says what is wrong with them
    return p


def concentration(p: Floats, agreement: float) -> float:
    """How close the shares of items lie around their mean, so that two labels of an item agree so often.

    The sum of a Dirichlet distribution's parameters; infinite where all items have the same shares.
    """
    chance = float(p @ p)
    if not chance - 1e-12 <= agreement <= 1:
        raise KindError(
            f"with these shares annotators who guess agree in {chance:.3f} of all pairs; agreement lies between that "
            f"and 1, and is {agreement:g}"
        )
    return (1 - agreement) / (agreement - chance) if agreement - chance > 1e-12 else math.inf


def dirichlet_moments(p: Floats, total: float) -> Moments:
    """The moments of items whose shares are drawn from a Dirichlet distribution with mean ``p``."""
    if math.isinf(total):
        return moments_of(p)
    if total == 0:
        return Moments(1.0, 1.0, 1.0)
    a = total * p
    b = a * (a + 1)
    two, three = total * (total + 1), total * (total + 1) * (total + 2)
    four = three * (total + 3)
    fourth = float((b * (a + 2) * (a + 3)).sum()) + float(b.sum() ** 2 - (b**2).sum())
    return Moments(float(b.sum()) / two, float((b * (a + 2)).sum()) / three, fourth / four)


def _around(p: Floats, agreement: float | None) -> tuple[Moments, tuple[str, ...]]:
    if agreement is None:
        return moments_of(p), (ALL_ALIKE,)
    return dirichlet_moments(p, concentration(p, agreement)), (
        "items are taken to have shares of their own, from a Dirichlet distribution around the shares given",
    )


def closed_form(
    data: IntoAnnotations | None, assumed: Assumed, asked: tuple[int, ...] | None, options: Mapping[str, Any]
) -> Basis:
    moments, notes = _assumed(assumed) if data is None else _pilot(data, options)
    if math.isnan(moments.m2):
        return Basis(math.nan, {}, "", undefined="no item of the pilot has two labels, so there is nothing to go by")
    pair = float(moments.variance(2))
    if pair <= 0:
        source = "" if data is None else "of the pilot "
        same = {0.0: "differ", 1.0: "agree"}.get(moments.m2, "are alike")
        return Basis(
            moments.m2,
            {},
            "",
            moments=moments,
            undefined=f"all pairs of labels {source}{same}, so nothing varies and nothing can be planned from it",
        )
    best = moments.best()
    sentence = (
        f"{'Assumed' if data is None else 'From the pilot'}: two labels of an item agree in {moments.m2:.3f} of all "
        f"pairs; of the variance of that, {moments.between / pair:.0%} lies between items"
    )
    if math.isinf(best):
        notes = (*notes, "items do not differ here, so the more labels an item has the better")
    else:
        sentence += f", so {best:.1f} labels per item cost least"
    most = MOST if data is None else _most(data)
    if asked is None and most < min(best, MOST):
        capped = (
            f"an item gets {most} labels at most here, as the pilot has no more annotators; for more, others would be "
            f"needed ({PER_ITEM} plans with them)"
        )
        notes = (*notes, capped)
    elif asked is not None and data is not None and most < min(max(asked), MOST):
        notes = (*notes, f"more than {most} labels per item need more annotators than the pilot has")
    variance = {n: float(moments.variance(n)) for n in asked or range(2, most + 1)}
    return Basis(moments.m2, variance, f"{sentence}.", notes, best, moments)


def if_items_differ_more(assumed: Assumed, aim: Aim, plan: Plan, width: Width) -> str:
    """What the plan comes to where items differ as in a quarter of published data sets; nothing where that was said."""
    if assumed.agreement is None or assumed.between is not None or assumed.shares is not None or plan.undefined:
        return ""
    between = MUCH_BETWEEN * assumed.agreement * (1 - assumed.agreement)
    row, n = plan.row, int(plan.row["labels per item"])
    variance = float(_assumed(assumed._replace(between=between))[0].variance(n))
    reached = f"so many labels give ± {width.half(variance, row['items'], n):.3f}"
    if aim.half_width is not None:
        reached += f", and ± {aim.half_width:g} needs {width.items(variance, aim.half_width, n):,} items"
    said = Hint("between", float(f"{between:.3g}"))
    return Advice.of(f"in a quarter of published data sets items differ twice as much: there {reached} (", said, ")")


def exact_bound(basis: Basis, aim: Aim) -> str:
    """How many items that are all alike make the exact bound as close as was wanted."""
    if aim.half_width is None or basis.moments is None or basis.value not in (0.0, 1.0):
        return ""
    items = math.ceil(math.log((1 - aim.level) / 2) / math.log(1 - 2 * aim.half_width))
    same = "agree" if basis.value else "differ"
    return (
        f"; should all pairs of {items:,} items {same}, the exact {aim.level:.0%} interval would be no wider than "
        f"twice {aim.half_width:g}"
    )
