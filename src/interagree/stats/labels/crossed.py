r"""Numbers of items by annotators of whom not all gave one to every item, and the variances behind them.

$$y_{ij} = \mu + r_i + c_j + e_{ij}$$

with variances $\sigma_r^2$ of items, $\sigma_c^2$ of annotators and $\sigma_e^2$ of what is left.  They are those of
restricted maximum likelihood (Patterson and Thompson 1971), which for a full table are the mean squares of the analysis
of variance, and may be below zero as these are.  With $\rho = \sigma_r^2 / \sigma_e^2$ the effects of items are
eliminated item by item: what is left are sums over items for each number of annotations that an item has, and a system
of equations as large as there are annotators.  So resampled items change sums alone, and all resamples are solved at
once.

Annotators are left out of the model (each item has its own: *one-way*), a sample of others (*random*), or these and no
others (*fixed*).  Where annotators judge an item repeatedly, the mean of their judgements takes the place of $y_{ij}$;
how far judgements of one annotator differ is added to $\sigma_e^2$ so that it is that of a single judgement.  This is
exact where all judge equally often, and an analysis of unweighted means otherwise.

Patterson, H. D. & Thompson, R. (1971). Recovery of inter-block information when block sizes are unequal. Biometrika
58(3), 545-554.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, TypeVar, cast

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.data.memory import must_fit
from interagree.data.types import Annotator
from interagree.results.agreement import Sizes
from interagree.stats.engine.compress import SummableTable, table_of, totals
from interagree.stats.engine.weights import Nudged, Observed, Recorded, Tangent, Unrecordable, Weights
from interagree.stats.labels.counts import need_annotators
from interagree.stats.labels.labelled import OnValues
from interagree.stats.labels.made_up import made_up, room_for
from interagree.stats.labels.matrix import OnNumbers, scale_of

T = TypeVar("T")
Annotating = Literal["one-way", "random", "fixed"]
NESTED = (
    "no annotator annotated two items, so how annotators differ cannot be told from error; form='ICC(1,1)' does not "
    "ask for that"
)
TOO_FEW = "there are too few annotations to tell items, annotators and error apart; form='ICC(1,1)' needs fewer"
STARTS = np.log1p([-0.11, 0.0, 0.3, 1.0, 3.0, 10.0, 100.0, 1e4])
LEAST, MOST = np.log(1e-5), np.log(1e12)  # where the search ends
SMALL = 1e-6  # a slope that is none
SHARP = np.log(1e7)  # above, nothing is left beside the variance of items
FLAT = np.log(0.02)  # below, means of items vary so little that the likelihood has no maximum
ROUNDS, HALVINGS = 40, 12
NEAR, LAST = 1e-3, 3  # steps so short that they are right whatever the criterion says of them, and how many are made
STEP = 1e-30  # of a derivative by a complex step
EXACT = 1e-12  # a share of the variance that is nothing but rounding
PER_PAIR = 100  # bytes for each two annotations of an item
COPIES = 8  # of the tables of two annotators that are held at once


class Variances(NamedTuple):
    """The variances of items, of annotators, and of a single judgement beside both; many of each under many weights."""

    items: Array
    annotators: Array
    left: Array
    annotations: Array  # of an item, the harmonic mean


@dataclass(frozen=True)
class Crossed(OnNumbers):
    """Items × annotators with gaps: the mean number of each cell that there is."""

    row: Indices  # of each cell
    column: Indices
    cells: Floats
    judgements: Floats  # in each cell
    within: Floats  # of each cell the sum of squares around its mean
    annotators: Sequence[Annotator]
    weights: Weights
    n: Sizes
    source: Annotations
    pattern: Indices
    incomplete: int  # items that not every annotator annotated
    on_values: OnValues
    annotating: Annotating
    made: dict[str, Any] = field(default_factory=dict)  # what is found once, whatever the weights

    @classmethod
    def of(cls, study: Annotations, on_values: OnValues, annotating: Annotating, *, title: str) -> Self:
        """All numbers of a study."""
        need_annotators(study, title)
        scale = scale_of(study, title)
        people = len(study.annotators)
        cell, place = np.unique(study.item.astype(np.int64) * people + study.annotator, return_inverse=True)
        judgements = totals(place, None, len(cell))
        numbers = scale[study.value] - (scale.min(initial=np.inf) if len(study) else 0.0)  # sums of squares keep digits
        mean = totals(place, numbers, len(cell)) / judgements
        within = totals(place, (numbers - mean[place]) ** 2, len(cell))
        item, who = np.divmod(cell, people)
        there, row = np.unique(item, return_inverse=True)
        present, column = np.unique(who, return_inverse=True)
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        pattern[there] = np.arange(len(there))
        gaps = int(np.count_nonzero(totals(row, None, len(there)) < len(present)))
        return cls(
            row,
            column,
            mean,
            judgements,
            within,
            [study.annotators[code] for code in present.tolist()],
            Observed(np.ones(len(there))),
            Sizes(len(there), len(present), len(study)),
            study,
            pattern,
            gaps,
            on_values,
            annotating,
        )

    @cached_property
    def sizes(self) -> Floats:
        """How many annotators each item has."""
        return totals(self.row, None, int(self.row.max(initial=-1)) + 1)

    @property
    def width(self) -> int:
        sizes, people = len(np.unique(self.sizes)), len(self.annotators)
        return max(sizes * people * (people + 1), len(self.cells))

    def smoothed(self) -> Self | None:
        """The table with made-up items, which weigh as much as an item does on average.

        All annotators annotate them, or as many as an item has where it does not matter who.
        """
        scale = scale_of(self.source, "")
        people, items = len(self.annotators), len(self.sizes)
        if self.annotating == "one-way":
            people = max(round(float(self.sizes.mean())), 2)
        if not room_for(np.empty((items, people)), len(scale)):
            return None
        made = made_up(len(scale))
        first = scale.min()
        odd = np.arange(people) % 2 == 0
        given = np.where(odd, scale[made.first][:, None], scale[made.second][:, None]) - first
        row, column = (place.reshape(-1) for place in np.indices(given.shape))
        times = made.times * self.sizes.mean() / people
        return replace(
            self,
            row=np.r_[self.row, items + row],
            column=np.r_[self.column, column],
            cells=np.r_[self.cells, given.reshape(-1)],
            judgements=np.r_[self.judgements, np.ones(given.size)],
            within=np.r_[self.within, np.zeros(given.size)],
            weights=Observed(np.r_[self.weights.matrix(), times]),
            made={},
        )

    def notes(self) -> Sequence[str]:
        notes = []
        if self.incomplete:
            items = "items were" if self.incomplete > 1 else "item was"
            notes.append(
                f"{self.incomplete:,} {items} not annotated by every annotator: variances are estimated by restricted "
                f"maximum likelihood, from all {self.n.annotations:,} annotations"
            )
        if len(self.cells) < self.n.annotations:
            notes.append("of repeated judgements of an item the mean counts, and how far they differ adds to the error")
        return notes

    def undefined(self) -> str | None:
        """Why there is no number, where there are too few for any."""
        if (nobody := self.nobody()) is not None:
            return nobody
        if self.sizes.max() < 2:
            return "no item was annotated by two annotators"
        return "only one item was annotated" if len(self.sizes) < 2 else None

    @property
    def sums(self) -> Sums:
        """What is summed over items, made once."""
        return self.once("sums", lambda: Sums.of(self))

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once."""
        if name not in self.made:
            self.made[name] = make()
        return cast("T", self.made[name])


def unknown(table: Crossed) -> str | None:
    """Why the variances cannot be told apart; None where they can."""
    row, column, items, people = table.row, table.column, len(table.sizes), len(table.annotators)
    total = float(((table.cells - table.cells.mean()) ** 2).sum()) + float(table.within.sum())
    if total == 0:
        return None  # all numbers are equal, which is said elsewhere
    if table.annotating == "one-way":
        return None
    if totals(column, None, people).max() < 2:
        return NESTED
    rank = items + people - _parts(row, column, items, people)
    if len(row) - rank < 1 or (table.annotating == "fixed" and rank - people < 1):
        return TOO_FEW
    return None


def _parts(row: Indices, column: Indices, items: int, people: int) -> int:
    """How many parts items and annotators fall into that have no annotation in common."""
    from scipy import sparse

    size = items + people
    graph = sparse.coo_array((np.ones(len(row)), (row, items + column)), shape=(size, size))
    return int(sparse.csgraph.connected_components(graph, directed=False)[0])


class Sums(NamedTuple):
    """What is summed over items to find variances: features of each item, and where in them each sum is."""

    features: Array | SummableTable  # items × features
    sizes: Floats  # the numbers of annotations that items have
    people: int
    start: Floats  # where the search starts: the ratios of variances of the data, as the search has them
    exact: Variances | None  # where nothing is left once items and annotators are known, so that there is no ratio

    @classmethod
    def of(cls, table: Crossed) -> Sums:
        column = np.zeros_like(table.column) if table.annotating == "one-way" else table.column
        people = int(column.max(initial=0)) + 1
        sizes, size = np.unique(table.sizes, return_inverse=True)
        must_fit(
            COPIES * 8 * people**2 * len(sizes),
            f"an intraclass correlation of {people:,} annotators with gaps, which has a table of every two,",
            "take alpha with distance='interval', which has none",
        )
        items, row, number = len(table.sizes), table.row, table.cells
        one = np.arange(items)
        whole = totals(row, number, items)
        first, second = _pairs_within(row)
        squares = people * people
        kinds = [  # of each sum: its items, its columns, its entries, and how many columns it has
            (one, size, np.ones(items), len(sizes)),
            (one, size, whole**2, len(sizes)),
            (row, size[row] * people + column, whole[row], len(sizes) * people),
            (
                row[first],
                size[row[first]] * squares + column[first] * people + column[second],
                np.ones(len(first)),
                len(sizes) * squares,
            ),
            (row, column, np.ones(len(row)), people),
            (row, column, number, people),
            *(
                (row, np.zeros_like(row), entries, 1)
                for entries in (number**2, table.within, table.judgements - 1, 1 / table.judgements)
            ),
            (one, np.zeros_like(one), 1 / table.sizes, 1),
        ]
        ends = np.cumsum([width for *_, width in kinds])
        places = np.concatenate(
            [columns + end - width for (_, columns, _, width), end in zip(kinds, ends, strict=True)]
        )
        features = table_of(
            np.concatenate([rows for rows, *_ in kinds]),
            places,
            np.concatenate([entries for _, _, entries, _ in kinds]),
            (items, int(ends[-1])),
        )
        made = cls(features, sizes, people, np.zeros(2), _exact(table, column, people))
        if made.exact is not None:
            return made
        return made._replace(
            start=_best_start(made.under(np.ones(items) @ features), random=table.annotating == "random")
        )

    def under(self, total: Array) -> System:
        """The sums of features under weights, one set or many."""
        total = total.reshape(-1, self.features.shape[1])
        groups, people = len(self.sizes), self.people
        widths = [groups, groups, groups * people, groups * people**2, people, people, 1, 1, 1, 1, 1]
        parts = np.split(total, np.cumsum(widths)[:-1], axis=1)
        many = len(total)
        return System(
            self.sizes,
            parts[0],
            parts[1],
            parts[2].reshape(many, groups, people),
            parts[3].reshape(many, groups, people, people),
            parts[4],
            parts[5],
            *(part[:, 0] for part in parts[6:]),
        )


def _exact(table: Crossed, column: Indices, people: int) -> Variances | None:
    """The variances where items and annotators leave nothing; None where they leave something."""
    items, row, number = len(table.sizes), table.row, table.cells
    mean = totals(row, number, items) / table.sizes
    effects = np.zeros(people)
    if table.annotating != "one-way":
        first, second = _pairs_within(row)
        met = totals(column[first] * people + column[second], 1 / table.sizes[row[first]], people**2)
        given = np.diag(totals(column, None, people)) - met.reshape(people, people)
        effects = np.linalg.pinv(given, hermitian=True) @ totals(column, number - mean[row], people)
    rest = number - effects[column]
    of_item = totals(row, rest, items) / table.sizes
    left = float(((rest - of_item[row]) ** 2).sum() + table.within.sum())
    if left > EXACT * float(((number - number.mean()) ** 2).sum() + table.within.sum()):
        return None
    among = float(effects.var(ddof=1)) if table.annotating == "random" else 0.0
    harmonic = items / (1 / table.sizes).sum()
    return Variances(*(np.asarray(float(part)) for part in (of_item.var(ddof=1), among, 0.0, harmonic)))


def _of_exact(exact: Variances, weights: Weights) -> Variances:
    """The same under weights: nothing is left whatever they are; what annotators have in them is not told."""
    sets = np.shape(weights.sum(np.ones(weights.matrix().shape[-1])))
    known = exact._replace(annotators=np.asarray(np.nan)) if sets and exact.annotators > 0 else exact
    return Variances(*(np.broadcast_to(part, sets) for part in known))


class Slope(NamedTuple):
    """The criterion that is least at the estimate, its slope, and the variance of what is left."""

    value: Array
    slope: Array  # … × 2
    left: Array
    df: Array
    effects: Array  # … × annotators
    spread: Array  # … × annotators × annotators: their errors, relative to what is left


class System(NamedTuple):
    """Sums over items, a row for each set of weights; by the number of annotations of items where that matters."""

    sizes: Floats
    items: Array  # sets × sizes
    squares: Array  # of the sums of items
    crossed: Array  # sets × sizes × annotators: the sums of their items
    met: Array  # sets × sizes × annotators × annotators: items in common
    given: Array  # sets × annotators
    numbers: Array
    all_squares: Array
    within: Array
    repeated: Array
    shares: Array
    harmonic: Array

    def at(self, place: Array, *, random: bool) -> Slope:
        """The restricted likelihood, times minus two, and its slope along both ratios of variances.

        ``place`` holds the two ratios, sets × 2.  Annotators are eliminated by equations of their own: with A, b, q the
        products of annotators, numbers and both after items are gone, the effects are T b, and q - b'T b is left.
        """
        ratio, among = place[:, 0], place[:, 1]
        base = 1 + self.sizes * ratio[:, None]
        gone, change = ratio[:, None] / base, 1 / base**2

        def less(weight: Array) -> tuple[Array, Array, Array]:
            return (
                (weight[..., None, None] * self.met).sum(1),
                (weight[..., None] * self.crossed).sum(1),
                (weight * self.squares).sum(1),
            )

        people = self.given.shape[1]
        nobody = np.real(self.given) < EXACT
        a, b, q = less(gone)
        diagonal = np.arange(people)
        a = -a
        a[:, diagonal, diagonal] += self.given
        b, q = self.numbers - b, self.all_squares - q
        da, db, dq = (-part for part in less(change))
        slope = np.zeros((len(ratio), 2), dtype=np.result_type(a, place))
        if random:
            whole = np.eye(people) + among[:, None, None] * a
            back = _inverse(whole)
            h = back.sum(-1)
            ah = np.einsum("rij,rj->ri", a, h)
            d = ah.sum(-1)
            t = among[:, None, None] * back + h[:, :, None] * h[:, None, :] / d[:, None, None]
            det = _log_det(whole, d)
            mean = (h * b).sum(-1) / d
            effect = np.einsum("rij,rj->ri", back, b - mean[:, None] * a.sum(-1))
            taken = np.ones(len(ratio))
        else:
            a[:, diagonal, diagonal] += nobody
            t = _inverse(a)
            det = _log_det(a, np.ones(len(ratio)))
            taken = people - nobody.sum(-1)
        beta = np.einsum("rij,rj->ri", t, b)
        rest = q - (b * beta).sum(-1)
        df = self.given.sum(-1) - taken
        value = df * _log(rest) + (self.items * _log(base)).sum(-1) + det
        moved = dq - 2 * (beta * db).sum(-1) + np.einsum("ri,rij,rj->r", beta, da, beta)
        slope[:, 0] = df * moved / rest + (self.items * self.sizes / base).sum(-1) + np.einsum("rij,rji->r", t, da)
        if random:
            slope[:, 1] = np.einsum("rij,rji->r", a, back) - (ah**2).sum(-1) / d - df * (effect**2).sum(-1) / rest
        return Slope(value, slope, rest / df, df, beta, t)

    def real(self, sets: slice | Indices) -> System:
        """The real parts of some of the sets."""
        return System(self.sizes, *(np.real(part[sets]) for part in self[1:]))

    @property
    def repeatability(self) -> tuple[Array, Array]:
        """How far judgements of one annotator differ, and the part of it that is not in the cells' means."""
        repeated = np.real(self.repeated) > 0
        own = np.where(repeated, self.within / np.where(repeated, self.repeated, 1), 0)
        return own, 1 - self.shares / self.given.sum(-1)

    @property
    def bounds(self) -> tuple[float, Array]:
        """The largest numbers of annotations of an item and of an annotator, which bound ratios below zero."""
        return float(self.sizes.max()), np.real(self.given).max(-1)


def _inverse(table: Array) -> Array:
    """The inverse of each table, nan where there is none."""
    try:
        return np.asarray(np.linalg.inv(table))
    except np.linalg.LinAlgError:
        there = (np.linalg.det(table) != 0)[..., None, None]
        return np.where(there, np.linalg.inv(np.where(there, table, np.eye(table.shape[-1]))), np.nan)


def _log(number: Array) -> Array:
    """The logarithm; infinite where there is none, of the real part where that matters."""
    with np.errstate(all="ignore"):
        return np.where(np.real(number) > 0, np.log(np.where(np.real(number) > 0, number, 1)), np.inf)


def _log_det(table: Array, times: Array) -> Array:
    """The logarithm of a determinant times a number; infinite where there is none.

    Both are below zero where the mean of all annotations would have a variance below zero, which does not matter.
    """
    sign, size = np.linalg.slogdet(table)
    below = np.where(np.real(times) < 0, -1.0, 1.0)
    sign = sign * below
    phase = 1j * np.imag(sign) if np.iscomplexobj(table) else 0.0  # which is tiny
    return np.where(np.real(sign) > 0, size + phase + _log(below * times), np.inf)


def _ratios(system: System, search: Array) -> Array:
    """The two ratios of variances at a place of the search, where they have no ends."""
    most, given = system.bounds
    return np.stack([np.expm1(search[:, 0]) / most, np.expm1(search[:, 1]) / given], axis=1)


def _value(system: System, search: Array, *, random: bool) -> Array:
    with np.errstate(all="ignore"):
        found = system.at(_ratios(system, search), random=random).value
    return np.where(np.isfinite(found), found, np.inf)


def _best_start(system: System, *, random: bool) -> Floats:
    """The best of a few places to start the search from."""
    among = STARTS if random else np.zeros(1)
    places = np.stack([place.reshape(-1) for place in np.meshgrid(STARTS, among)], axis=1)
    values = np.array([float(_value(system, place[None], random=random)[0]) for place in places])
    return np.asarray(places[int(values.argmin())])


def _slopes(system: System, search: Array, *, random: bool) -> tuple[Array, Array]:
    """The slope at places of the search and how it changes."""
    most, given = system.bounds
    scale = np.stack([np.exp(search[:, 0]) / most, np.exp(search[:, 1]) / given], axis=1)
    place = _ratios(system, search)
    slope = np.real(system.at(place, random=random).slope) * scale
    bend = np.zeros((len(search), 2, 2))
    for axis in range(2 if random else 1):
        moved = place + 0j
        moved[:, axis] += 1j * STEP
        bend[:, :, axis] = np.imag(system.at(moved, random=random).slope) / STEP * scale * scale[:, [axis]]
        bend[:, axis, axis] += slope[:, axis]
    if not random:
        bend[:, 1, 1] = 1
    return slope, bend


def _solved(system: System, start: Floats, *, random: bool) -> Array:
    """The ratios of variances where the criterion is least; nan where it has no minimum.

    Where it has none with a variance of annotators, as may be in a handful of items, that variance is taken for 0.
    """
    ratios = _nearest(system, start, random=random, among=random)
    lost = np.flatnonzero(np.isnan(ratios[:, 0]))
    if random and len(lost):
        ratios[lost] = _nearest(system.real(lost), np.array([start[0], 0.0]), random=True, among=False)
    return ratios


def _nearest(system: System, start: Floats, *, random: bool, among: bool) -> Array:
    """The minimum nearest to a start by Newton's method, with shorter steps where a whole one leads upwards.

    Without ``among`` the second ratio stays as it is.
    """
    search = np.tile(start, (len(system.given), 1))
    value = _value(system, search, random=random)
    going = np.arange(len(search))  # the sets that are not there yet
    there, near = np.zeros(len(search), dtype=bool), np.zeros(len(search), dtype=int)
    for _ in range(ROUNDS):
        part, here, least = system.real(going), search[going], value[going]
        slope, bend = _slopes(part, here, random=random)
        ended = (here[:, 1] <= LEAST) & (slope[:, 1] > 0)  # as where means of annotators are all equal
        ended |= not among
        slope[ended, 1] = 0
        bend[ended, 1], bend[ended, :, 1] = (0, 1), (0, 1)
        size, axes = np.linalg.eigh(np.nan_to_num(bend))
        there[going] = (np.abs(slope).max(-1) < SMALL) & (size.min(-1) > SMALL)
        along = np.einsum("rij,ri->rj", axes, np.nan_to_num(slope)) / np.maximum(np.abs(size), 1e-8)
        step = np.clip(-np.einsum("rij,rj->ri", axes, along), -3, 3)
        far = np.abs(step).max(-1) > 1e-12
        # The criterion of two places so close differs by less than its rounding, which depends on the order of rows.
        short = (np.abs(step).max(-1) < NEAR) & (size.min(-1) > SMALL)
        near[going] += short
        far &= near[going] < LAST
        for _ in range(HALVINGS):
            tried = np.clip(here + step, LEAST, MOST)
            new = _value(part, tried, random=random)
            better = (new <= least + 1e-13 * np.abs(least)) | short
            here = np.where(better[:, None], tried, here)
            least = np.where(better, new, least)
            step = np.where(better[:, None], 0, step / 2)
            if better.all():
                break
        search[going], value[going] = here, least
        going = going[far & better & (here[:, 0] >= FLAT)]
        if not len(going):
            break
    ratios = _ratios(system, search)
    # Nothing is left: items are all there is, unless annotators differ without end as well.
    items_alone = (search[:, 0] > SHARP) & (ratios[:, 1] < 1e-5 * ratios[:, 0])
    ratios[~(there & (search[:, 0] >= FLAT) | items_alone)] = np.nan
    ratios[items_alone] = (np.inf, 0.0)
    return ratios


@np.errstate(all="ignore")  # where there is no maximum, there are no numbers
def variances(table: Crossed) -> Variances:
    """The variances of a table with gaps, under its weights."""
    sums, weights = table.sums, table.weights
    random = table.annotating == "random"
    if sums.exact is not None:
        return _of_exact(sums.exact, weights)
    if isinstance(weights, Recorded | Tangent):
        raise Unrecordable  # how the variances change with an item is known in closed form
    if isinstance(weights, Nudged):
        found, change = table.once("change", lambda: _changes(table.weighted(Observed(weights.times))))
        return Variances(*(part + 1j * STEP * moved[weights.which] for part, moved in zip(found, change, strict=True)))
    total = np.asarray(weights.sum(sums.features))
    system = sums.under(total)
    place = _solved(system, sums.start, random=random)
    alone = np.isinf(place[:, 0])
    place[alone] = 0
    left = np.where(alone, 0.0, system.at(place, random=random).left)
    own, share = system.repeatability
    found = Variances(
        np.where(alone, 1.0, place[:, 0] * left),
        place[:, 1] * left,
        left + own * share,
        system.items.sum(-1) / system.harmonic,
    )
    return found if total.ndim > 1 else Variances(*(part[0] for part in found))


def _changes(table: Crossed) -> tuple[Variances, Variances]:
    """The variances, and how they change towards each item as it gains weight and all lose as much.

    At the maximum the slope of the likelihood stays 0: as an item adds to the slope, the ratios move against it.
    """
    sums, row, column = table.sums, table.row, table.column
    random, items, size = table.annotating == "random", len(table.sizes), table.sizes
    column = np.zeros_like(column) if table.annotating == "one-way" else column
    system = sums.under(np.asarray(table.weights.sum(sums.features)))
    place = _solved(system, sums.start, random=random)
    first, second = _pairs_within(row)
    one, two, of_pair = column[first], column[second], row[first]

    def by_item(codes: Indices, entries: Array) -> Array:
        return totals(codes, np.real(entries), items) + 1j * totals(codes, np.imag(entries), items)

    def added(there: Slope, ratio: Array) -> tuple[Array, Array]:
        """What each item adds to what is left, and to the criterion."""
        base = 1 + size * ratio
        rest = table.cells - there.effects[0][column]
        left = by_item(row, rest**2) - ratio / base * by_item(row, rest) ** 2
        spread = by_item(row, there.spread[0][column, column])
        spread = spread - ratio / base * by_item(of_pair, there.spread[0][one, two])
        whole = there.left[0] * there.df[0]
        return left, size * _log(whole) + left / there.left[0] + _log(base) + spread

    there = system.at(place, random=random)
    free = [0, 1] if random and place[0, 1] * system.bounds[1][0] > np.expm1(LEAST) * (1 - 1e-9) else [0]
    free = free if place[0, 1] != 0 or not random else [0]
    slopes, bend, by_ratio = np.zeros((items, len(free))), np.zeros((len(free), len(free))), np.zeros(len(free))
    for k, axis in enumerate(free):
        moved = place + 0j
        moved[:, axis] += 1j * STEP
        aside = system.at(moved, random=random)
        slopes[:, k] = np.imag(added(aside, moved[0, 0])[1]) / STEP
        bend[:, k] = np.imag(aside.slope[0][free]) / STEP
        by_ratio[k] = float(np.imag(aside.left[0])) / STEP
    ratios = np.zeros((items, 2))
    ratios[:, free] = -slopes @ _inverse(bend[None])[0].T
    left, df = float(there.left[0]), float(there.df[0])
    change = (np.real(added(there, place[0, 0])[0]) - left * size) / df + ratios[:, free] @ by_ratio
    own, share = (float(part[0]) for part in system.repeatability)
    repeated, count = float(system.repeated[0]), float(system.given.sum())
    within = totals(row, table.within - own * (table.judgements - 1), items) / max(repeated, 1.0)
    kept = (totals(row, 1 / table.judgements, items) - (1 - share) * size) / count
    many = float(system.items.sum() / system.harmonic[0])
    found = Variances(
        *(np.asarray(part) for part in (place[0, 0] * left, place[0, 1] * left, left + own * share, many))
    )
    changes = (
        place[0, 0] * change + ratios[:, 0] * left,
        place[0, 1] * change + ratios[:, 1] * left,
        change + within * share - own * kept,
        (1 - many / size) / float(system.harmonic[0]),
    )
    times = table.weights.matrix()
    return found, Variances(*(float(times.sum()) * part - times @ part for part in changes))


def _pairs_within(row: Indices) -> tuple[Indices, Indices]:
    """All ordered pairs of cells of one row, each with itself among them."""
    size = totals(row, None, int(row.max(initial=-1)) + 1).astype(np.intp)
    must_fit(
        PER_PAIR * float((size.astype(np.float64) ** 2).sum()),
        "an intraclass correlation with gaps, which takes every two annotations of an item,",
        "take alpha with distance='interval', which counts them",
    )
    order = np.argsort(row, kind="stable")
    start = np.cumsum(size) - size
    of = size[row[order]]
    first = np.repeat(np.arange(len(order)), of)
    second = np.arange(len(first)) - np.repeat(np.cumsum(of) - of, of) + np.repeat(start[row[order]], of)
    return order[first], order[second]
