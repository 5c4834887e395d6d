r"""How many items a study needs, and how many labels for each.

The error of a coefficient falls with the number of items $I$, and what one item contributes depends on how many labels
$n$ it has:

$$w = z \sqrt{\frac{V(n)}{I}}, \qquad I = \frac{z^2\, V(n)}{w^2}$$

$w$ is half the width of the interval, $z$ the normal quantile of its level and $V(n)$ the variance of one item's
contribution.  For the sparse probability of agreement it has a closed form (see `item_agreement`), from which follows
what costs least:

$$n\, V(n) = n\, \tau^2 + 4 \zeta_1 + \frac{2 (\zeta_2 - 2 \zeta_1)}{n - 1}, \qquad
n^* = 1 + \sqrt{\frac{2 (\zeta_2 - 2 \zeta_1)}{\tau^2}}$$

Labels that are there already add up: items with $n_i$ labels hold the information $J = \sum_i 1 / V(n_i)$, and
$J = z^2 / w^2$ is wanted.  For all other coefficients $V(n)$ is the number of items times the squared standard error,
of $n$ labels of each item of the pilot drawn without putting back, or of a large simulated study.  Errors are those of
other items, with annotators like these.
"""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, ReadingOptions
from interagree.declare import Facts, defaults_of, facts_of
from interagree.distances import on_values
from interagree.errors import KindError, UnknownName, extra, listing, suggestion
from interagree.plugins import MEASURES
from interagree.reading.calls import study_of
from interagree.results.agreement import Agreement, Interval
from interagree.results.pictures import COLOURS
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.item_agreement import (
    TYPICAL_BETWEEN,
    TYPICAL_WITHIN,
    Moments,
    item_moments,
    moments_of,
)
from interagree.tables import Table

PLANNED = (
    *("spa", "alpha", "percent", "fleiss_kappa", "conger_kappa", "cohen_kappa", "scott_pi", "randolph_kappa"),
    *("ac1", "ac2", "bennett_s"),
)
MOST = 10  # labels for an item, unless others are asked for
ENOUGH = 10  # items of a pilot with so many labels, without which a plan for so many labels means nothing
FEW = 30  # items below which a variance is rough, and an interval wider than the normal quantile makes it
SIMULATED = 20_000  # items of a study that is made up from assumed shares
WIDTH = 100  # of prose; tables are as wide as they are
NAMED = 5  # items that are named where many should get a label

# From the palette of Okabe and Ito, whose colours people with colour-blindness can tell apart.
MARKS = ("o", "s", "^", "D")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study would need, or what a budget would buy."""

    measure: Facts
    value: float  # near which the coefficient is expected; nan where unknown
    level: float
    half_width: float | None  # what was wanted
    budget: int | None  # labels that can be paid for
    best: float  # labels per item that cost least; infinite where items do not differ
    table: Table  # one row for each number of labels per item
    curve: Table  # half-widths for growing numbers of labels
    next: Table  # what the next labels should be spent on; empty without data
    now: float | None  # the half-width of the labels that are there
    more: int | None  # labels that they still lack, spent as `next` would
    basis: str  # where the variances come from
    notes: tuple[str, ...] = ()
    undefined: str | None = None  # why there is no plan
    moments: Moments | None = None  # behind a plan for SPA
    interval: Interval | None = None  # of the labels that are there, as the measure itself gives it

    @property
    def row(self) -> dict[str, Any]:
        """The best row of the table; empty where there is no plan."""
        if self.undefined:
            return {}
        key = "half-width" if self.half_width is None else "labels"
        return min(
            (row for row in self.table if not math.isnan(row[key])),
            key=lambda row: (row[key], row["labels per item"]),
        )

    @property
    def per_item(self) -> int | None:
        """How many labels an item should have."""
        return self.row.get("labels per item")

    @property
    def items(self) -> int | None:
        """How many items there should be, each with `per_item` labels."""
        return self.row.get("items")

    @property
    def labels(self) -> int | None:
        """How many labels that is."""
        return self.row.get("labels")

    def headline(self) -> str:
        """The plan in one sentence."""
        if self.undefined:
            return f"there is no plan for {self.measure.symbol}: {self.undefined}"
        row = self.row
        about = f"{self.measure.symbol} near {self.value:.3f}"
        how = f"{row['labels per item']} for each of {row['items']:,} items"
        if self.half_width is not None:
            wanted = f"± {self.half_width:g} ({self.level:.0%} interval)"
            return f"{about}: {wanted} needs {row['labels']:,} labels, {how}"
        given = f"± {row['half-width']:.3f} ({self.level:.0%} interval)"
        used = (
            f"{row['labels']:,}" if row["labels"] == self.budget else f"{row['labels']:,} of {self.budget:,}"
        )
        return f"{about}: {used} labels give {given}, {how}"

    def existing(self) -> str:
        """What the labels that are there already give, in words; empty where there are none."""
        if self.now is None:
            return ""
        said = f"The labels there are give ± {self.now:.3f}"
        if self.more is not None and self.half_width is not None:
            said += (
                f"; {self.more:,} more, spent where they tell most, would give ± {self.half_width:g}"
                if self.more
                else f", so no more are needed for ± {self.half_width:g}"
            )
        said += ". That is the normal approximation, as all half-widths here are"
        if self.interval is not None:
            said += f"; the measure's own interval is {self.interval.low:.3f} to {self.interval.high:.3f}"
        return f"{said}."

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        return {
            "schema": 1,
            "measure": self.measure.name,
            "title": self.measure.title,
            "value": _number(self.value),
            "level": self.level,
            "half_width": self.half_width,
            "budget": self.budget,
            "per_item": self.per_item,
            "items": self.items,
            "labels": self.labels,
            "best": _number(self.best),
            "now": _number(self.now),
            "more": self.more,
            "interval": None
            if self.interval is None
            else {"low": _number(self.interval.low), "high": _number(self.interval.high)},
            "moments": None
            if self.moments is None
            else {name: _number(one) for name, one in self.moments._asdict().items()},
            "table": _plain(self.table),
            "curve": _plain(self.curve),
            "next": _plain(self.next),
            "basis": self.basis,
            "notes": list(self.notes),
            "undefined": self.undefined,
        }

    def plot(self, path: str | Path) -> Path:
        """Draw what each number of labels per item costs or gives, and how the half-width falls as labels grow."""
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise extra("matplotlib", "plot", purpose="a picture of a plan") from None
        if self.undefined:
            raise KindError(f"there is nothing to draw: {self.undefined}")
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        FigureCanvasAgg(figure)
        left, right = figure.subplots(1, 2)
        key = "half-width" if self.half_width is None else "labels"
        left.plot(self.table["labels per item"], self.table[key], "-o", color=COLOURS[0])
        left.plot(self.per_item, self.row[key], "o", color=COLOURS[1], markersize=11, fillstyle="none")
        left.set_ylim(0, 1.1 * np.nanmax(self.table[key]))
        left.set_xticks(self.table["labels per item"])
        left.set_xlabel("labels per item")
        aim = f"± {self.half_width:g}" if self.half_width is not None else f"{self.budget:,} labels"
        left.set_ylabel(f"{key} for {aim}" if self.half_width is not None else f"half-width of {aim}")
        shown = dict.fromkeys(
            [self.table["labels per item"][0], self.per_item, self.table["labels per item"][-1]]
        )
        for count, colour, mark in zip(shown, COLOURS, MARKS, strict=False):
            rows = [row for row in self.curve if row["labels per item"] == count]
            right.plot(
                [row["labels"] for row in rows],
                [row["half-width"] for row in rows],
                f"-{mark}",
                color=colour,
                label=f"{count} per item",
            )
        totals = sorted(set(self.curve["labels"]))[::4]
        right.set_xscale("log")
        right.set_xticks(totals, [f"{total:,}" for total in totals])
        right.set_xticks([], minor=True)
        right.set_ylim(bottom=0)
        right.set_xlabel("labels in all")
        right.set_ylabel(f"half-width of the {self.level:.0%} interval")
        right.legend(frameon=False)
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(color="0.9")
            axes.set_axisbelow(True)
        figure.savefig(path, dpi=150)
        return Path(path)

    def __str__(self) -> str:
        notes = "\n".join(textwrap.fill(f"- {note}", WIDTH, subsequent_indent="  ") for note in self.notes)
        parts = (
            textwrap.fill(self.headline(), WIDTH),
            "" if self.undefined else str(self.table),
            textwrap.fill(self.existing(), WIDTH),
            str(self.next) if len(self.next) else "",
            textwrap.fill(self.basis, WIDTH),
            notes,
        )
        return "\n\n".join(part for part in parts if part)


class Aim(NamedTuple):
    """What a plan is for."""

    half_width: float | None
    budget: int | None
    level: float
    spend: int

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return NormalDist().inv_cdf(0.5 + self.level / 2)


class Assumed(NamedTuple):
    """What is said in place of a pilot."""

    shares: Sequence[float] | Mapping[Any, float] | None
    agreement: float | None
    between: float | None
    moments: Sequence[float] | None


class Draws(NamedTuple):
    """How labels of a pilot are drawn."""

    rounds: int
    seed: int

    @classmethod
    def of(cls, rounds: int | None, seed: int, items: int) -> Draws:
        """As many as were asked for, or as make the chance of the draw small beside that of the pilot."""
        return cls(max(3, min(20, 4000 // max(items, 1))) if rounds is None else rounds, seed)


class Basis(NamedTuple):
    """What a plan is made from: the variance of one item's contribution, for each number of labels."""

    value: float
    variance: Mapping[int, float]
    said: str
    notes: tuple[str, ...] = ()
    best: float = math.nan
    moments: Moments | None = None
    undefined: str | None = None


class Existing(NamedTuple):
    """What the labels that are there already give, and what to do next."""

    now: float | None = None
    more: int | None = None
    next: Table = Table.of([], names=("what", "labels", "items", "which", "before", "after"))
    notes: tuple[str, ...] = ()
    interval: Interval | None = None


def plan(
    data: Any = None,
    *,
    measure: str | Callable[..., Agreement] = "spa",
    half_width: float | None = None,
    budget: int | None = None,
    level: float = 0.95,
    shares: Sequence[float] | Mapping[Any, float] | None = None,
    agreement: float | None = None,
    between: float | None = None,
    moments: Sequence[float] | None = None,
    per_item: int | Sequence[int] | None = None,
    spend: int = 100,
    rounds: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Plan:
    """How many items and labels an interval of a wanted width needs, or what a budget of labels gives.

    From a pilot, or from what one assumes: ``agreement`` alone for SPA, ``shares`` and ``agreement`` for any measure.

    Args:
        data: A pilot: a study, or anything `Annotations.of` takes.
        measure: The coefficient: spa, alpha, percent, fleiss_kappa, conger_kappa, cohen_kappa, scott_pi,
            randolph_kappa, ac1, ac2 or bennett_s.
        half_width: Half the width that the interval should have.
        budget: How many labels can be paid for.  With neither, as many as the pilot has.
        level: The level of the interval.
        shares: The share of each value, where there is no pilot; items then have shares of their own around them.
        agreement: The chance that two annotations of an item are the same, where there is no pilot.
        between: For SPA, the variance of the true agreement between items; without it what is usual.
        moments: For SPA, what `item_moments` gives, in place of all that.
        per_item: How many labels an item may have; where nothing is said 2 to 10, and no more than the pilot has
            annotators.
        spend: How many further labels to give advice on, for SPA.
        rounds: How many times labels of the pilot are drawn, for all but SPA; by default 20, and fewer where the pilot
            has more than 200 items.
        seed: Where random numbers start.
        options: Keywords of the measure, such as ``distance``, and how data are read: ``item``, ``annotator``,
            ``value`` and the other options of `Annotations.of`.
    """
    function = MEASURES[measure] if isinstance(measure, str) else measure
    facts = facts_of(function)
    options = {name: option for name, option in options.items() if option is not None}
    if data is not None:
        data = study_of(data, (), _reading(function, options))
    aim, assumed = Aim(half_width, budget, level, spend), Assumed(shares, agreement, between, moments)
    limit = 0.5 if facts.name in ("spa", "percent") and not options.get("corrected") else 1.0
    _check(facts, aim, rounds, limit)
    _known(function, options)
    _one_source(data, assumed, aim)
    asked = _asked(per_item, facts)
    # Moments under a distance need data; what was assumed is about values that are the same or not.
    closed = facts.name == "spa" and not options.get("corrected")
    closed = closed and (data is not None or not options.keys() & {"distance", "weights"})
    existing = Existing()
    if closed:
        basis = _closed(data, assumed, asked, options)
        if data is not None and basis.moments is not None and not basis.undefined:
            existing = _existing(Counts.of(data), basis.moments, max(basis.variance), aim)
            existing = existing._replace(interval=function(data, **options).interval(level))
    elif between is not None or moments is not None:
        raise KindError(
            f"{'between' if moments is None else 'moments'}= is for plain SPA; for {facts.title} give shares= and "
            "agreement=, or a pilot"
        )
    elif data is not None:
        draws = Draws.of(rounds, seed, Counts.of(data).n.items)
        basis = _resampled(function, data, options, asked, draws)
        if not basis.undefined:
            existing = _alike(function(data, **options), aim)
    else:
        basis = _simulated(function, assumed, options, asked, seed)
    if budget is None and half_width is None:
        aim = aim._replace(budget=int(Counts.of(data).n.annotations))
    return _made(facts, aim, basis, existing, limit)


def _made(facts: Facts, aim: Aim, basis: Basis, existing: Existing, limit: float) -> Plan:
    undefined = basis.undefined
    if undefined is None and aim.half_width is None and (aim.budget or 0) < 2 * min(basis.variance):
        undefined = (
            f"{aim.budget} labels are fewer than two items with {min(basis.variance)} labels each need"
        )
    table = Table.of([]) if undefined else _table(basis.variance, aim)
    made = Plan(
        facts,
        basis.value,
        aim.level,
        aim.half_width,
        aim.budget,
        basis.best,
        table,
        Table.of([]) if undefined else _curve(basis.variance, aim, table),
        existing.next,
        existing.now,
        existing.more,
        basis.said,
        (*existing.notes, *basis.notes),
        undefined and undefined + _exactly(basis, aim),
        basis.moments,
        existing.interval,
    )
    return made if undefined else replace(made, notes=(*made.notes, *_warnings(made, limit)))


PLAN = tuple(name for name in inspect.signature(plan).parameters if name not in ("data", "options"))


# -- what was asked ------------------------------------------------------------------------------------------


def _check(facts: Facts, aim: Aim, rounds: int | None, limit: float) -> None:
    if facts.name not in PLANNED:
        raise UnknownName(
            f"there is no plan for {facts.name}.{suggestion(facts.name, PLANNED)} (known: "
            f"{listing(PLANNED, quote=False)})"
        )
    if not 0 < aim.level < 1:
        raise KindError(f"a level lies between 0 and 1, such as 0.95; got {aim.level!r}")
    wanted = aim.half_width
    if wanted is not None and not wanted > 0:
        raise KindError(f"a half-width is above 0, such as 0.05; got half_width={wanted!r}")
    if wanted is not None and wanted >= limit:
        raise KindError(
            f"half_width={wanted:g} asks for nothing: no interval of {facts.title} is wider than {2 * limit:g} in all"
        )
    for name, number, least in (("budget", aim.budget, 1), ("spend", aim.spend, 0), ("rounds", rounds, 1)):
        if number is not None and (number != int(number) or number < least):
            raise KindError(f"{name} is a whole number from {least} up; got {name}={number!r}")


def _reading(function: Callable[..., Agreement], options: dict[str, Any]) -> dict[str, Any]:
    """The reading options among the keywords, taken out of them."""
    names = ReadingOptions.__annotations__.keys() - defaults_of(function).keys()
    return {name: options.pop(name) for name in [*options] if name in names}


def _known(function: Callable[..., Agreement], options: Mapping[str, Any]) -> None:
    known = [*defaults_of(function)]
    for name in options:
        if name not in known:
            raise KindError(
                f"neither plan nor {function.__name__} takes {name}=.{suggestion(name, [*known, *PLAN])} "
                f"({function.__name__} takes {listing(known, quote=False)})"
            )


def _one_source(data: Any, assumed: Assumed, aim: Aim) -> None:
    given = [name for name, one in assumed._asdict().items() if one is not None]
    if data is not None and given:
        raise KindError(f"a pilot tells {given[0]} itself; give the data or {given[0]}=, not both")
    if "moments" in given and len(given) > 1:
        raise KindError(f"moments= say everything; leave {given[0]}= out")
    if data is None and aim.half_width is None and aim.budget is None:
        raise KindError(
            "say what the plan is for: half_width=0.05 for an interval, or budget=5000 for labels"
        )


def _asked(per_item: int | Sequence[int] | None, facts: Facts) -> tuple[int, ...] | None:
    """The numbers of labels per item that were asked for, in order; None where nothing was said."""
    if per_item is None:
        return (2,) if facts.annotators == "two" else None
    wanted = (per_item,) if isinstance(per_item, int) else tuple(per_item)
    if not wanted or any(one != int(one) or one < 2 for one in wanted):
        raise KindError(f"an item needs two labels or more to agree on; got per_item={per_item!r}")
    if facts.annotators == "two" and set(wanted) != {2}:
        raise KindError(f"{facts.title} is of two annotators, so an item has two labels; leave per_item out")
    return tuple(sorted({int(one) for one in wanted}))


# -- sparse probability of agreement: closed forms -----------------------------------------------------------


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


def _pilot(data: Any, options: Mapping[str, Any]) -> tuple[Moments, tuple[str, ...]]:
    """The moments of a pilot; how its variance divides is found from items that have enough labels for all of it.

    Each moment of other items would be without bias, but where items with more labels agree less, the three together
    would not be those of any items.
    """
    counts = Counts.of(data)
    on = on_values(options.get("distance"), options.get("weights"), scaled=True)(counts)
    near = None if on.distance.equality else 1 - on.table(counts.frequency)
    found = item_moments(counts, near)
    pair = float(found.variance(2))
    if math.isnan(found.m2) or pair <= 0:
        return found, ()
    times = counts.weights.matrix()
    two, three, four = (int(times[counts.size >= n].sum()) for n in (2, 3, 4))
    between, one, notes = TYPICAL_BETWEEN, TYPICAL_WITHIN, []
    if two < FEW:
        notes.append(
            f"the pilot has {two} item{'s' * (two > 1)} with two labels or more, so the plan is rough"
        )
    if four >= ENOUGH:
        some, _ = coherent(item_moments(counts.at_least(4), near))
        whole = float(some.variance(2))
        between, one = (some.between / whole, some.one / whole) if whole > 0 else (between, one)
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
            whole = float(some.variance(2))
            # With three labels the variance tells the sum of the two shares, and no more.
            both = (6 * float(some.variance(3)) / whole - 2) / 4 if whole > 0 else between + one
            between = min(max(both, 0.0), between)
            one = max(both, 0.0) - between
        else:
            notes.append(
                f"fewer than {ENOUGH} items have three labels, so how much single labels matter is taken as usual too: "
                f"{one:.0%} of that variance"
            )
    one = min(one, (1 - between) / 2)
    m22 = found.m2**2 + between * pair
    return Moments(found.m2, m22 + one * pair, m22, found.square), tuple(notes)


def _most(data: Any) -> int:
    """How many labels an item may have where nobody says: no more than the pilot has annotators."""
    counts = Counts.of(data)
    people = counts.n.annotators
    # Where annotators may label an item again, it may have more.
    return MOST if people is None else max(2, min(MOST, max(people, int(counts.size.max(initial=0)))))


def _assumed(assumed: Assumed) -> tuple[Moments, tuple[str, ...]]:
    agreement, between = assumed.agreement, assumed.between
    if assumed.moments is not None:
        return coherent(Moments(*assumed.moments))
    if assumed.shares is not None:
        if between is not None:
            raise KindError(
                "shares= and agreement= settle how much items differ; give between= with agreement= alone"
            )
        return _around(_shares(assumed.shares), agreement)
    if agreement is None:
        raise KindError(
            "a plan needs a pilot, or agreement=0.8, the chance that two annotations of an item agree, and shares= "
            "where they are known"
        )
    if not 0 <= agreement <= 1:
        raise KindError(f"agreement is a chance between 0 and 1; got agreement={agreement!r}")
    pair = agreement * (1 - agreement)
    if between is not None and not 0 <= between <= pair:
        raise KindError(
            f"with agreement={agreement:g} the variance between items lies between 0 and {pair:g}; got "
            f"between={between!r}"
        )
    tau = TYPICAL_BETWEEN * pair if between is None else between
    one = min(TYPICAL_WITHIN * pair, (pair - tau) / 2)
    m22 = agreement**2 + tau
    usual = f"{TYPICAL_BETWEEN:.0%} between items and " if between is None else ""
    note = (
        f"of the variance of a pair's agreement, {usual}{TYPICAL_WITHIN:.0%} between labels of an item is taken as "
        "usual in published data"
    )
    return Moments(agreement, m22 + one, m22), (note,)


def _shares(shares: Sequence[float] | Mapping[Any, float]) -> Floats:
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


ALIKE = (
    "without agreement= all items are taken to be alike, so annotators agree as often as if they guessed",
)


def _around(p: Floats, agreement: float | None) -> tuple[Moments, tuple[str, ...]]:
    if agreement is None:
        return moments_of(p), ALIKE
    return dirichlet_moments(p, concentration(p, agreement)), (
        "items are taken to have shares of their own, from a Dirichlet distribution around the shares given",
    )


def _closed(data: Any, assumed: Assumed, asked: tuple[int, ...] | None, options: Mapping[str, Any]) -> Basis:
    moments, notes = _assumed(assumed) if data is None else _pilot(data, options)
    if math.isnan(moments.m2):
        return Basis(
            math.nan, {}, "", undefined="no item of the pilot has two labels, so there is nothing to go by"
        )
    pair = float(moments.variance(2))
    if pair <= 0:
        whose = "" if data is None else "of the pilot "
        same = {0.0: "differ", 1.0: "agree"}.get(moments.m2, "are alike")
        return Basis(
            moments.m2,
            {},
            "",
            moments=moments,
            undefined=f"all pairs of labels {whose}{same}, so nothing varies and nothing can be planned from it",
        )
    best = moments.best()
    said = (
        f"{'Assumed' if data is None else 'From the pilot'}: two labels of an item agree in {moments.m2:.3f} of all "
        f"pairs; of the variance of that, {moments.between / pair:.0%} lies between items"
    )
    if math.isinf(best):
        notes = (*notes, "items do not differ here, so the more labels an item has the better")
    else:
        said += f", so {best:.1f} labels per item cost least"
    most = MOST if data is None else _most(data)
    if asked is None and most < min(best, MOST):
        capped = (
            f"an item gets {most} labels at most here, as the pilot has no more annotators; for more, others would be "
            "needed (per_item= plans with them)"
        )
        notes = (*notes, capped)
    elif asked is not None and data is not None and most < min(max(asked), MOST):
        notes = (*notes, f"more than {most} labels per item need more annotators than the pilot has")
    variance = {n: float(moments.variance(n)) for n in asked or range(2, most + 1)}
    return Basis(moments.m2, variance, f"{said}.", notes, best, moments)


def _exactly(basis: Basis, aim: Aim) -> str:
    """How many items that are all alike make the exact bound as close as was wanted."""
    if aim.half_width is None or basis.moments is None or basis.value not in (0.0, 1.0):
        return ""
    items = math.ceil(math.log((1 - aim.level) / 2) / math.log(1 - 2 * aim.half_width))
    same = "agree" if basis.value else "differ"
    return (
        f"; should all pairs of {items:,} items {same}, the exact {aim.level:.0%} interval would be no wider than "
        f"twice {aim.half_width:g}"
    )


# -- labels that are there already ---------------------------------------------------------------------------


class Step(NamedTuple):
    """Labels for items that have ``start`` of them, so that they have ``end``."""

    start: int
    end: int
    items: int
    which: Any  # codes of items that are there already
    before: float  # the information
    after: float


def _sizes(counts: Counts) -> dict[int, tuple[int, Any]]:
    """For each number of labels, how many items have it, and which."""
    times = counts.weights.matrix()
    of_items = None
    if counts.pattern is not None:
        of_items = np.where(counts.pattern >= 0, counts.size[counts.pattern], -1)
    return {
        int(n): (
            round(float(times[counts.size == n].sum())),
            np.zeros(0, dtype=np.intp) if of_items is None else np.flatnonzero(of_items == n),
        )
        for n in np.unique(counts.size)
    }


def _information(sizes: Mapping[int, tuple[int, Any]], moments: Moments) -> float:
    return sum(count / float(moments.variance(n)) for n, (count, _) in sizes.items() if n >= 2)


def spending(
    sizes: Mapping[int, tuple[int, Any]],
    moments: Moments,
    most: int,
    *,
    labels: float = math.inf,
    information: float = math.inf,
) -> list[Step]:
    """Where labels tell most, one kind of item after the other, until they or the wanted information are reached.

    An item may get several labels at once: where a third one tells little without a fourth, both are weighed together.
    """
    return [*_spending(dict(sizes), moments, most, labels, information)]


def _spending(
    sizes: dict[int, tuple[int, Any]], moments: Moments, most: int, labels: float, information: float
) -> Iterator[Step]:
    have = _information(sizes, moments)
    tells = [0.0, 0.0, *(1 / float(moments.variance(n)) for n in range(2, max(most, *sizes, 2) + 1))]
    nobody = np.zeros(0, dtype=np.intp)
    while have < information:
        ways = [
            ((tells[end] - tells[start]) / (end - start), -start, -end)
            for start in (0, *(n for n, (count, _) in sizes.items() if count))
            for end in range(max(start + 1, 2), most + 1)
            if end - start <= labels
        ]
        if not ways or max(ways)[0] <= 0:
            return
        rate, start, end = max(ways)
        start, end = -start, -end
        gain = rate * (end - start)
        there, which = sizes.get(start, (0, nobody)) if start else (math.inf, nobody)
        items = min(there, labels // (end - start))
        if math.isfinite(information):
            items = min(items, math.ceil((information - have) / gain))
        count = int(items)
        if start:
            sizes[start] = (int(there) - count, which[count:])
        others, names = sizes.get(end, (0, nobody))
        sizes[end] = (others + count, np.r_[names, which[:count]])
        labels -= count * (end - start)
        yield Step(start, end, count, which[:count], have, have + count * gain)
        have += count * gain


def _existing(counts: Counts, moments: Moments, most: int, aim: Aim) -> Existing:
    sizes = _sizes(counts)
    more = None
    if aim.half_width is not None:
        rest = spending(sizes, moments, most, information=(aim.z / aim.half_width) ** 2)
        more = sum(step.items * (step.end - step.start) for step in rest)
    return Existing(
        aim.z / math.sqrt(_information(sizes, moments)),
        more,
        _advice(spending(sizes, moments, most, labels=aim.spend), counts, aim),
    )


def _advice(steps: Sequence[Step], counts: Counts, aim: Aim) -> Table:
    names = None if counts.source is None else counts.source.items

    def which(step: Step) -> str:
        if names is None or not len(step.which):
            return ""
        shown = [str(names[i]) for i in step.which[:NAMED].tolist()]
        return ", ".join([*shown, *(["…"] if len(step.which) > NAMED else [])])

    rows = [
        {
            "what": _what(step),
            "labels": step.items * (step.end - step.start),
            "items": step.items,
            "which": which(step),
            "before": aim.z / math.sqrt(step.before),
            "after": aim.z / math.sqrt(step.after),
        }
        for step in steps
    ]
    return Table.of(
        rows,
        title=f"The next {aim.spend:,} labels, and the half-width before and after",
        names=("what", "labels", "items", "which", "before", "after"),
    )


def _what(step: Step) -> str:
    if not step.start:
        return f"new items, {step.end} labels each"
    if step.start == 1 and step.end == 2:
        return "a second label where there is one"
    if step.end == step.start + 1:
        return f"one more label where there are {step.start}"
    many = "is 1" if step.start == 1 else f"are {step.start}"
    return f"{step.end - step.start} more labels where there {many}"


# -- every other coefficient: draw labels, or make them up ---------------------------------------------------


def _resampled(
    function: Callable[..., Agreement],
    data: Any,
    options: Mapping[str, Any],
    asked: tuple[int, ...] | None,
    draws: Draws,
) -> Basis:
    whole = function(data, **options)
    title = whole.measure.title
    if whole.undefined:
        return Basis(math.nan, {}, "", undefined=whole.undefined)
    error = whole.standard_error()
    if math.isnan(error):
        return Basis(whole.value, {}, "", undefined="the pilot has too few items to tell an error from")
    if not error > 0:
        return Basis(
            whole.value,
            {},
            "",
            undefined=f"no item of the pilot differs from the others ({whole.measure.symbol} = {whole.value:.3f}), so "
            "its error cannot be told; a larger pilot may differ, or assume shares= and agreement=",
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
        raise KindError(
            f"of the pilot's items {int((sizes >= missing[0]).sum())} have {missing[0]} labels, too few to plan with "
            f"so many; take per_item up to {max(enough)}, or assume shares= and agreement="
        )
    top = max(asked or [n for n in enough if n <= MOST])
    found = _chained(lambda part: _spread(function(part, **options)), study, top, draws)
    variance = {n: one for n, one in found.items() if asked is None or n in asked}
    notes = []
    if max(found, default=1) < top:
        notes.append(f"with {max(found, default=1) + 1} labels per item the pilot leaves no error to go by")
    if asked is None and max(enough) < MOST:
        notes.append(
            f"the pilot has too few items with more than {max(enough)} labels to plan for more; shares= and agreement= "
            "would do"
        )
    said = (
        f"From the pilot: {title} is {whole.value:.3f}; errors are those of labels drawn from its items without "
        f"putting back, the mean of {draws.rounds} draws from seed {draws.seed}, and one more label is judged by the "
        "items that have it."
    )
    if not variance:
        return Basis(whole.value, {}, "", undefined="; ".join(notes))
    return Basis(whole.value, variance, said, tuple(notes), _least(variance))


def _spread(result: Agreement) -> float:
    """The variance of one item's contribution: what the squared error times the items is."""
    return result.n.items * result.standard_error() ** 2


def _least(variance: Mapping[int, float]) -> float:
    return float(min(variance, key=lambda n: n * variance[n]))


def _chained(
    spread: Callable[[Annotations], float], study: Annotations, top: int, draws: Draws
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
            found = [spread(part) for part in _parts(study, n, least, draws.rounds, rng)]
            known[key] = float(np.mean([one for one in found if one > 0] or [math.nan]))
        return known[key]

    sizes = study.sizes()
    variance = {2: among(2, 2)}
    for n in range(3, top + 1):
        variance[n] = variance[n - 1] * among(n, n) / among(n - 1, n)
    return {n: one for n, one in variance.items() if one > 0}


def _parts(
    study: Annotations, n: int, least: int, rounds: int, rng: np.random.Generator
) -> Iterator[Annotations]:
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


def _alike(whole: Agreement, aim: Aim) -> Existing:
    """What the pilot gives, and what more items like its own would."""
    items, now = whole.n.items, aim.z * whole.standard_error()
    notes = []
    if aim.half_width is not None:
        needed = math.ceil(items * (now / aim.half_width) ** 2)
        notes.append(
            f"with labels per item as in the pilot, {needed:,} items would do: {needed - items:,} more than there are"
            if needed > items
            else f"the pilot's own {items:,} items are enough for ± {aim.half_width:g}"
        )
    if items < FEW:
        notes.append(f"the pilot has {items} items, and a variance found from so few is rough")
    return Existing(now, notes=tuple(notes), interval=whole.interval(aim.level))


def _simulated(
    function: Callable[..., Agreement],
    assumed: Assumed,
    options: Mapping[str, Any],
    asked: tuple[int, ...] | None,
    seed: int,
) -> Basis:
    title = facts_of(function).title
    if assumed.shares is None:
        raise KindError(
            f"the error of {title} depends on how common the values are; give shares=[0.5, 0.3, 0.2] with "
            "agreement=0.8, or a pilot"
        )
    p = _shares(assumed.shares)
    total = math.inf if assumed.agreement is None else concentration(p, assumed.agreement)
    if total == 0:
        return Basis(1.0, {}, "", undefined="with agreement=1 all pairs of labels agree, so nothing varies")
    wanted = asked or tuple(range(2, MOST + 1))
    codes = _labels(p, total, max(wanted), np.random.default_rng(seed))
    results = {n: function(_made_up(codes[:, :n], len(p)), **options) for n in wanted}
    undefined = next((result.undefined for result in results.values() if result.undefined), None)
    if undefined:
        return Basis(math.nan, {}, "", undefined=undefined)
    variance = {n: _spread(result) for n, result in results.items()}
    value = float(np.mean([result.value for result in results.values()]))
    said = (
        f"Assumed: {SIMULATED:,} items were made up from seed {seed}, with shares of their own from a Dirichlet "
        f"distribution around the shares given; {title} of them is {value:.3f}."
    )
    return Basis(value, variance, said, ALIKE if assumed.agreement is None else (), _least(variance))


def _labels(p: Floats, total: float, n: int, rng: np.random.Generator) -> Any:
    """Codes of ``n`` labels for each of many items."""
    own = np.broadcast_to(p, (SIMULATED, len(p)))
    if math.isfinite(total):
        some = p > 0
        own = np.zeros((SIMULATED, len(p)))
        own[:, some] = rng.dirichlet(total * p[some], size=SIMULATED)
    ends = np.cumsum(own, axis=1)[:, :-1]
    drawn = rng.random((n, SIMULATED)).T  # so that the first labels are the same however many follow
    return (drawn[:, :, None] > ends[:, None, :]).sum(axis=2)


def _made_up(codes: Any, values: int) -> Annotations:
    items, n = codes.shape
    return Annotations(
        np.repeat(np.arange(items), n),
        np.tile(np.arange(n), items),
        codes.reshape(-1),
        range(items),
        range(n),
        tuple(range(values)),
        ordered=True,
        stated=True,
    )


# -- tables --------------------------------------------------------------------------------------------------


def _table(variance: Mapping[int, float], aim: Aim) -> Table:
    rows = [{"labels per item": n, **_row(n, one, aim)} for n, one in variance.items()]
    if aim.half_width is not None:
        least = min(row["labels"] for row in rows)
        rows = [row | {"times the least": row["labels"] / least} for row in rows]
    return Table.of(rows)


def _row(n: int, variance: float, aim: Aim) -> dict[str, Any]:
    paid = 0 if aim.budget is None else aim.budget // n
    wide = aim.z * math.sqrt(variance / paid) if paid >= 2 else math.nan
    if aim.half_width is None:
        return {"items": paid, "labels": n * paid, "half-width": wide}
    # A hair off, so that 400.0000000001 items are not 401.
    items = max(2, math.ceil(aim.z**2 * variance / aim.half_width**2 - 1e-9))
    row = {"items": items, "labels": n * items, "times the least": math.nan}
    return row if aim.budget is None else row | {"half-width of the budget": wide}


def _curve(variance: Mapping[int, float], aim: Aim, table: Table) -> Table:
    centre = max(min(table["labels"]), aim.budget or 0)
    totals = dict.fromkeys(round(one) for one in np.geomspace(centre / 8, centre * 2, 13).tolist())
    return Table.of(
        [
            {"labels per item": n, "labels": total, "half-width": aim.z * math.sqrt(one * n / total)}
            for n, one in variance.items()
            for total in totals
            if total >= 2 * n
        ],
        names=("labels per item", "labels", "half-width"),
    )


def _warnings(made: Plan, limit: float) -> tuple[str, ...]:
    notes = []
    row = made.row
    if made.budget is not None and made.half_width is not None:
        enough = row["labels"] <= made.budget
        notes.append(
            f"the budget of {made.budget:,} labels is {'enough' if enough else 'too small'} for ± {made.half_width:g}"
        )
    if row["items"] < FEW:
        notes.append(
            f"with fewer than {FEW} items the t quantile makes the interval wider than planned; take a few more"
        )
    reach = made.half_width if made.half_width is not None else row["half-width"]
    room = min(made.value, 1 - made.value) if limit == 0.5 else 1 - made.value
    if reach > room:
        notes.append(
            f"{made.value:.3f} lies closer to the end of the scale than {reach:.3g}: the interval will be lopsided, "
            "shorter on that side"
        )
    return tuple(notes)


def _number(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else float(number)


def _plain(table: Table) -> list[dict[str, Any]]:
    return [
        {name: _number(entry) if isinstance(entry, float) else entry for name, entry in row.items()}
        for row in table
    ]
