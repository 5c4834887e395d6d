"""The difference of two coefficients, with its interval.

Two rounds, two versions of the guidelines, two groups of annotators, or two coefficients of one study.
Where the two share items, those items vary together and the interval takes it into account: the difference
is paired on the items they have in common.

The interval is the difference plus and minus t × error, with the degrees of freedom that the influences of items tell
(`effective_df`); for labels also that of the data with made-up items, and it holds both.  It is not made of the
intervals of the two coefficients: each is wide enough to hold its own level where values are rare, and a difference
made of both is too wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Unpack

import numpy as np

from interagree.arrays import Array, Floats, Indices, Int64s, Integers
from interagree.choose import Choice, IntoChoice, choice
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.meeting import Known
from interagree.data.types import Item
from interagree.declare import takes_data
from interagree.errors import Advice, Hint, KindError, OptionError, Wording, listing
from interagree.errors.options import checks_options, shown
from interagree.people.columns import column as column_of
from interagree.plugins import MEASURES
from interagree.results import charts
from interagree.results.agreement import Agreement, Interval, IntervalOptions, StandardError
from interagree.results.answer import Answer
from interagree.results.charts import Forest
from interagree.results.document import Document, Section, one_per_line
from interagree.stats.engine.adjusted import STRAIGHT, Estimated, effective_df, ends, estimates, has_error, p_value
from interagree.stats.engine.errors import NOTHING, chosen_method, sum_of
from interagree.stats.engine.estimate import Estimate
from interagree.stats.labels.counts import Placed
from interagree.tables import Table, plain

MOST_GROUPS = 6  # that are compared in pairs
UNNAMED = "one row for each item, and"  # how a table was read whose rows no column names


@dataclass(frozen=True, slots=True)
class Difference(Answer):
    """The second coefficient minus the first."""

    first: Agreement
    second: Agreement
    value: float
    error: float
    df: float  # as many as the influences of the items tell
    shared: int  # items that both have
    level: float = 0.95
    undefined: str | None = None
    estimated: tuple[Estimated, ...] = ()  # the difference with its error, and for labels that with made-up items

    @property
    def paired(self) -> bool:
        """Whether the two have items in common, whose variation cancels."""
        return self.shared > 0

    def interval(self, level: float | None = None) -> Interval | None:
        """The confidence interval of the difference; None where there is none."""
        level = self.level if level is None else level
        if self.undefined:
            return None
        reached = ends(STRAIGHT, self.estimated, level) if has_error(self.estimated) else self._never_differ(level)
        method = "paired" if self.paired else "independent"
        return None if reached is None else Interval(*reached, level, method, self.error, self.df)

    def _never_differ(self, level: float) -> tuple[float, float] | None:
        """The ends where neither coefficient has an error, from the exact bounds of both."""
        if self.first.standard_error() > 0 or self.second.standard_error() > 0:
            return (self.value, self.value) if self.error <= NOTHING else None
        first, second = self.first.interval(level), self.second.interval(level)
        if first is None or second is None:
            return None
        below = math.hypot(self.second.value - second.low, first.high - self.first.value)
        above = math.hypot(second.high - self.second.value, self.first.value - first.low)
        return self.value - below, self.value + above

    @property
    def low(self) -> float:
        """The lower end of the interval; nan where there is none."""
        interval = self.interval()
        return math.nan if interval is None else interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval; nan where there is none."""
        interval = self.interval()
        return math.nan if interval is None else interval.high

    @property
    def p_value(self) -> float | None:
        """How often two coefficients that are truly alike would differ as much; two-sided.

        One minus the level of the interval that just reaches 0.
        """
        return p_value(STRAIGHT, self.estimated) if self.error > NOTHING else None

    def tables(self) -> dict[str, Table]:
        """The difference as a table of one row."""
        return self._alone().tables()

    def chart(self) -> Forest | None:
        """The difference with its interval."""
        return self._alone().chart()

    def document(self) -> Document:
        """The difference with what was compared."""
        return self._alone().document()

    def _alone(self) -> Differences:
        sides = [result.measure.title for result in (self.first, self.second)]
        if sides[0] == sides[1]:
            return Differences((Compared(sides[0], "first → second", self),))
        return Differences((Compared("", " → ".join(sides), self),))

    def to_dict(self) -> dict[str, object]:
        data: dict[str, object] = {
            "schema": 1,
            "difference": self.value,
            **self.plain("low", "high", "level"),
            "standard_error": self.error,
            "p_value": self.p_value,
            "shared_items": self.shared,
            "undefined": self.undefined,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }
        return plain(data)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"the difference is undefined: {self.undefined}"
        pairing = f"paired on {self.shared:,} items" if self.paired else "no items in common"
        ends = self.interval()
        interval = "" if ends is None else f", {self.level:.0%} interval {ends.low:+.3f} to {ends.high:+.3f}"
        p = self.p_value
        p_words = "" if p is None else ", p < 0.001" if p < 0.001 else f", p = {p:.3f}"
        symbols = f"{self.second.measure.symbol} - {self.first.measure.symbol}"
        return f"{symbols} = {self.value:+.3f}{interval}{p_words} ({pairing})"


class Compared(NamedTuple):
    """A difference, the coefficient it is of (empty where the two differ), and its two sides in words."""

    measure: str
    sides: str
    difference: Difference

    def row(self) -> dict[str, object]:
        """The row of a table."""
        difference = self.difference
        return {
            "measure": self.measure,
            "first → second": self.sides,
            "first": difference.first.value,
            "second": difference.second.value,
            "difference": difference.value,
            "low": difference.low,
            "high": difference.high,
            "p": difference.p_value,
            "paired": difference.shared,
        }


@dataclass(frozen=True)
class Differences(Answer):
    """Several differences side by side: of two rounds, of two coefficients, or of groups."""

    compared: Sequence[Compared]
    notes: Sequence[str] = ()

    @property
    def undefined(self) -> str | None:
        """Why there is no difference at all; None where there is one."""
        reasons = [compared.difference.undefined for compared in self.compared]
        return reasons[0] if reasons and all(reasons) else None

    def tables(self) -> dict[str, Table]:
        """The differences, a row for each."""
        table = Table.of([compared.row() for compared in self.compared])
        return {
            "differences": table if any(compared.measure for compared in self.compared) else table.without("measure")
        }

    def chart(self) -> Forest | None:
        """The differences with their intervals, and where there is none."""
        rows = [
            charts.DrawnEstimate(f"{measure} {sides}".strip(), difference.value, difference.low, difference.high)
            for measure, sides, difference in self.compared
            if not difference.undefined
        ]
        if not rows:
            return None
        level = self.compared[0].difference.level
        words = "; ".join(f"{row.label}: {row.value:+.3f}" for row in rows)
        return Forest(rows, f"second - first, with its {level:.0%} interval", words, covers=(0.0,))

    def document(self) -> Document:
        """The table, what its columns mean, and what was done to the data."""
        undefined = [
            f"{compared.sides}: {compared.difference.undefined}"
            for compared in self.compared
            if compared.difference.undefined
        ]
        level = self.compared[0].difference.level
        meaning = f"difference: second - first, with its {level:.0%} interval; paired: items that both have"
        table = self.table()
        shown = Table({**table.columns, "p": [_shown_p(p) for p in table["p"]]})
        return Document(
            "",
            [Section(table=shown, foot=one_per_line((*undefined, meaning, *self.notes)))],
            {
                **({"notes": [*map(str, self.notes)]} if self.notes else {}),
                "differences": [
                    {"measure": compared.measure or None, "sides": compared.sides, **compared.difference.to_dict()}
                    for compared in self.compared
                ],
            },
            table,
        )


def _shown_p(p: float | None) -> float | str:
    if p is None:
        return math.nan
    return "<0.001" if p < 0.001 else p


@checks_options
def compare(
    first: Agreement | IntoAnnotations,
    second: Agreement | IntoAnnotations,
    *,
    measure: str | Callable[..., Agreement] = "alpha",
    level: float = 0.95,
    paired: bool = True,
    **options: object,
) -> Difference:
    """How much two coefficients differ, second minus first, and how sure that is.

    Args:
        first: A coefficient, or the data of one.
        second: Another coefficient, or other data.
        measure: The measure to compute where ``first`` and ``second`` are data, such as ``"alpha"``.
        level: The level of the interval.
        paired: Whether items of the same name are the same items; False where two tables only number rows alike.
            Tables of rows without a name are paired only if they have the same number of rows.
        options: Keywords of the measure, and how data are read: ``item``, ``annotator``, ``value`` and the other
            options of `Annotations.of`.

    Returns:
        A `Difference`, with its ``value``, ``low``, ``high`` and ``p_value``.

    Examples:
        >>> import interagree as ia
        >>> before = {"ann": ["a", "b", "a", "b"], "bo": ["a", "b", "b", "a"]}
        >>> after = {"ann": ["a", "b", "a", "b"], "bo": ["a", "b", "b", "b"]}
        >>> print(f"{ia.compare(before, after, measure='percent').value:+.2f}")
        +0.25
    """
    if options and isinstance(first, Agreement) and isinstance(second, Agreement):
        raise OptionError(f"two coefficients are compared as they are: nothing is left to do for {listing(options)}")
    before, after = _result(first, measure, options), _result(second, measure, options)
    _check_kinds(before, after)
    common = _common_distance(before, after)
    if common is not None and not isinstance(first, Agreement) and not isinstance(second, Agreement):
        options = {**options, "distance": common}
        before, after = _result(first, measure, options), _result(second, measure, options)
    value = after.value - before.value
    undefined = before.undefined or after.undefined
    if undefined:
        return Difference(before, after, math.nan, math.nan, math.nan, 0, level, undefined)
    together = _together(before, after, paired=paired)
    estimated = (Estimated(value, StandardError(together.error, together.df)), *_made_up(before, after, together))
    return Difference(before, after, value, together.error, together.df, together.shared, level, estimated=estimated)


@takes_data
def compare_groups(
    data: IntoAnnotations,
    column: str,
    *,
    measures: Sequence[IntoChoice] = ("alpha",),
    level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Differences:
    """How much agreement differs between the groups that a column makes of items or of annotators.

    Args:
        data: A study with further columns, or anything `Annotations.of` takes.
        column: The column, which must be the same throughout each item, or throughout each annotator.
        measures: The coefficients, such as ``["alpha", "ac1"]``.
        level: The level of the intervals.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        `Differences`: a row for each coefficient and each two groups.

    Examples:
        >>> import interagree as ia
        >>> rows = [(1, "ann", "a", "de"), (1, "bo", "a", "de"), (2, "ann", "a", "fr"), (2, "bo", "b", "fr")]
        >>> names = ("item", "annotator", "value", "language")
        >>> table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        >>> result = ia.studies.compare_groups(table, "language", measures=["percent"])
        >>> result.table()["difference"]
        [-1.0]
    """
    if not measures:
        raise KindError("no coefficient is named to compare the groups by; name some, as in measures=['alpha']")
    study = as_annotations(data)
    parts = split(study, column)
    if not 2 <= len(parts) <= MOST_GROUPS:
        raise KindError(
            f"the column {column!r} makes {len(parts)} groups ({listing(parts, most=4)}), and two to "
            f"{MOST_GROUPS} can be compared"
        )
    return Differences(
        [
            compared
            for measure in map(choice, measures)
            for sides in combinations(parts.items(), 2)
            for compared in compare_sides(sides, [measure], level=level).compared
        ]
    )


def compare_sides(
    sides: Sequence[tuple[object, Annotations]], choices: Sequence[Choice], *, level: float = 0.95, paired: bool = True
) -> Differences:
    """Two studies, each with its name, by some measures."""
    (_, first), (_, second) = sides
    names = " → ".join(str(name) for name, _ in sides)
    return Differences(
        [
            Compared(
                each.title,
                names,
                compare(first, second, measure=each.measure, level=level, paired=paired, **each.options),
            )
            for each in choices
        ],
        _rows_as_items(first, second) if paired else (),
    )


def compare_two(study: Annotations, first: Choice, second: Choice, *, level: float = 0.95) -> Differences:
    """One study by two measures."""
    difference = compare(first.of(study), second.of(study), level=level)
    return Differences([Compared("", f"{first.title} → {second.title}", difference)])


def split(study: Annotations, column: str) -> Mapping[Hashable, Annotations]:
    """The study in groups, where a column is the same throughout each item, or throughout each annotator."""
    groups: dict[Hashable, int] = {}
    entries = column_of(study, column, "to make groups of").tolist()
    codes = np.array([groups.setdefault(entry, len(groups)) for entry in entries], dtype=np.int64)

    def constant(owner: Integers, count: int) -> Int64s | None:
        group = np.full(count, -1, dtype=np.int64)
        group[owner] = codes
        return group if (group[owner] == codes).all() else None

    by_item = constant(study.item, len(study.items))
    if by_item is not None:
        return {name: study.items_where(by_item == code) for name, code in groups.items()}
    by_annotator = None if study.anonymous else constant(study.annotator, len(study.annotators))
    if by_annotator is None:
        raise KindError(
            f"the column {column!r} differs within items and within annotators, so it makes groups of neither; it must "
            "be the same for all annotations of an item, or for all annotations by an annotator"
        )
    people = study.annotators
    return {
        name: study.only(annotators=[people[i] for i in np.flatnonzero(by_annotator == code).tolist()])
        for name, code in groups.items()
    }


def _result(
    data: Agreement | IntoAnnotations, measure: str | Callable[..., Agreement], options: Mapping[str, object]
) -> Agreement:
    if isinstance(data, Agreement):
        return data
    if isinstance(measure, type):
        raise KindError(f"measure must be the name of a coefficient, or a function of data, got {shown(measure)}")
    compute: Callable[..., Agreement] = MEASURES[measure] if isinstance(measure, str) else measure
    result = compute(data, **options)
    if not isinstance(result, Agreement):
        raise KindError(
            f"a measure gives an Agreement, and {getattr(measure, '__name__', measure)} gave {shown(result)}"
        )
    return result


def _common_distance(first: Agreement, second: Agreement) -> str | None:
    """The distance of both where nobody gave one and the two sides show their values to be at different levels.

    A round with few different numbers may look like codes, and one with more of them is a scale.
    """
    levels = [result.level for result in (first, second) if result.level is not None and result.measure.by_level]
    if len(levels) < 2 or levels[0].distance == levels[1].distance:
        return None
    sure = [level for level in levels if level.doubt is None]
    if len(sure) == 1:
        return sure[0].distance
    hint = Hint("distance", levels[1].distance)
    raise KindError(
        f"one side is measured at the level {levels[0]} and the other at {levels[1]}, so their coefficients cannot be "
        f"compared; say how far apart values are on both, as in {hint}",
        hints=[hint],
    )


def _check_kinds(first: Agreement, second: Agreement) -> None:
    """An error where complex values of one kind would be compared with values of another."""
    kinds = [
        each.engine.source.kind if isinstance(each.engine, Estimate) and each.engine.source is not None else None
        for each in (first, second)
    ]
    if kinds[0] != kinds[1] and None not in kinds and any(kind is not None and kind.complex for kind in kinds):
        raise KindError(
            f"the first study holds {kinds[0]} and the second {kinds[1]}, and a difference of their coefficients "
            f"would mean nothing; compare studies of one kind of value, or say what the values are: {Hint('kind')}",
            hints=[Hint("kind")],
        )


class _Together(NamedTuple):
    """How two coefficients vary together over other items."""

    error: float  # of their difference
    df: float
    items: float  # degrees of freedom if all items told alike
    correlation: float = 0.0
    shared: int = 0


class _Moves(NamedTuple):
    """What items add to the error of a coefficient, and how many items add as much."""

    moves: Floats
    times: Floats

    @property
    def variance(self) -> float:
        count = float(self.times.sum())
        return float(self.times @ self.moves**2) * count / max(count - 1, 1)


def _together(first: Agreement, second: Agreement, *, paired: bool) -> _Together:
    """The error of a difference, from what each item adds to it."""
    first, second = _in_one_place(first, second)
    # Of the same kind for both: what a paired difference is made of nearly cancels.
    linearised = all(isinstance(each.engine, Estimate) and each.engine.linearised for each in (first, second))
    here, there = _moves(first, linearised=linearised), _moves(second, linearised=linearised)
    if here is None or there is None:
        error, df = sum_of(*(each.engine.standard_error(IntervalOptions()) for each in (first, second)))
        return _Together(error, df, df)
    shared, together = _joined(first, second, here, there) if paired else (0, None)
    if together is None:
        together = _Moves(np.r_[here.moves, there.moves], np.r_[here.times, there.times])
        variance, items = here.variance + there.variance, float(together.times.sum()) - 2
    else:
        variance, items = together.variance, float(together.times.sum()) - 1
    apart = math.sqrt(here.variance * there.variance)
    correlation = min(max((here.variance + there.variance - variance) / 2 / apart, -1.0), 1.0) if apart > 0 else 0.0
    df = min(items, effective_df(*together))
    return _Together(math.sqrt(variance), df, items, correlation, shared)


def _made_up(first: Agreement, second: Agreement, together: _Together) -> list[Estimated]:
    """The difference of the data with made-up items, where one of the coefficients has them."""
    usual = [_estimates(first), _estimates(second)]
    if min(map(len, usual)) < 1 or max(map(len, usual)) < 2:
        return []
    (one, (here, _)), (other, (there, _)) = (estimated[-1] for estimated in usual)
    variance = here * here + there * there - 2 * together.correlation * here * there
    return [Estimated(other - one, StandardError(math.sqrt(max(variance, 0.0)), together.items))]


def _estimates(result: Agreement) -> list[Estimated]:
    """A coefficient with its error, and that with made-up items where its interval holds both."""
    engine, usual = result.engine, IntervalOptions()
    if isinstance(engine, Estimate) and chosen_method(engine, usual.method, usual.random) == "adjusted":
        return estimates(engine, usual)
    return []


def _moves(result: Agreement, *, linearised: bool) -> _Moves | None:
    """What each item adds to the error of a coefficient; None where the items cannot be told apart.

    In a database items that look alike add the same, and each of their patterns stands for them.
    """
    engine = result.engine
    if not isinstance(engine, Estimate) or (engine.statistic.pattern is None and _placed(result) is None):
        return None
    if engine.times.sum() < engine.statistic.n.items:
        return None  # groups of items were resampled
    pattern = engine.statistic.pattern
    moves = engine.item_influence(linearised=linearised) / float(engine.times.sum())
    if pattern is None:
        return _Moves(moves, engine.times)
    by_item: Floats = moves[pattern[pattern >= 0]]
    return _Moves(by_item, np.ones(len(by_item)))


def _placed(result: Agreement) -> Placed | None:
    """The patterns that a database tells of a coefficient; None where the annotations themselves are there."""
    statistic = result.engine.statistic if isinstance(result.engine, Estimate) else None
    placed: Placed | None = getattr(statistic, "placed", None)
    return placed


def _in_one_place(first: Agreement, second: Agreement) -> tuple[Agreement, Agreement]:
    """Two coefficients of one table in a database, one of which fetched its rows: both of the rows."""
    results = [first, second]
    for mine, other in ((0, 1), (1, 0)):
        placed, engine, beside = _placed(results[mine]), results[mine].engine, results[other].engine
        rows = beside.source if isinstance(beside, Estimate) else None
        scan = None if placed is None else placed.scan
        if isinstance(engine, Estimate) and scan is not None and rows is not None and scan.fetched is rows:
            results[mine] = engine.again(rows)
    return results[0], results[1]


def _joined(first: Agreement, second: Agreement, here: _Moves, there: _Moves) -> tuple[int, _Moves | None]:
    """How many items two coefficients share, and what each adds to their difference; None where they share none."""
    mine, theirs = _placed(first), _placed(second)
    if mine is not None or theirs is not None:
        return _joined_there(mine, theirs, here.moves, there.moves)
    shared = _aligned(first, second)
    if shared is None:
        return 0, None
    both, left, right = shared
    moves = [there.moves[right] - here.moves[left], np.delete(here.moves, left), np.delete(there.moves, right)]
    return both, _Moves(np.concatenate(moves), np.ones(sum(map(len, moves))))


def _joined_there(mine: Placed | None, theirs: Placed | None, here: Floats, there: Floats) -> tuple[int, _Moves | None]:
    """The same where tables stay in their database, which joins them by the names of the items."""
    if mine is None or theirs is None:
        raise KindError(
            "one table stays in its database and the other is in memory, so that it is unknown which items they share; "
            "fetch the rows with .collect(), or pass paired=False where their items are not the same"
        )
    if mine.scan is None or theirs.scan is None:
        raise KindError(
            "a coefficient that was pickled has left its database behind, so that it is unknown which items the two "
            "share; measure the tables again, or pass paired=False where their items are not the same"
        )
    *rows, times = mine.scan.patterns_beside(theirs.scan, votes=(mine.votes, theirs.votes))
    codes = [_places(each, side.rows) for each, side in zip(rows, (mine, theirs), strict=True)]
    left, right = (
        np.where(code >= 0, np.r_[moves, 0.0][code], 0.0) for code, moves in zip(codes, (here, there), strict=True)
    )
    counts = (codes[0] >= 0) | (codes[1] >= 0)
    shared = int(times[(codes[0] >= 0) & (codes[1] >= 0)].sum())
    together = _Moves((right - left)[counts], np.asarray(times[counts], dtype=np.float64))
    return (shared, together) if shared else (0, None)


def _places(rows: Integers, patterns: Array) -> Indices:
    """Where each row stands among the patterns of a statistic; -1 where it does not count."""
    place = {row.tobytes(): code for code, row in enumerate(patterns.astype(np.int64))}
    return np.array([place.get(row.tobytes(), -1) for row in np.ascontiguousarray(rows, dtype=np.int64)], dtype=np.intp)


def _aligned(first: Agreement, second: Agreement) -> tuple[int, Indices, Indices] | None:
    """How many items two coefficients share, and where those stand in each; None where they share none.

    Rows without a name are the same where there are as many of them.
    """
    if len({*_numbered(_source(first), _source(second))}) == 2:
        return None
    mine, theirs = _names(first), _names(second)
    place = {name: i for i, name in enumerate(mine)}
    pairs = [(place[name], i) for i, name in enumerate(Known(mine).called(theirs)) if name is not None]
    if not pairs:
        return None
    left, right = np.array(pairs).T
    return len(pairs), left, right


def _names(result: Agreement) -> list[Item]:
    engine, items = result.engine, _source(result).items
    assert isinstance(engine, Estimate)  # noqa: S101 -- _moves has checked
    return [items[i] for i in np.flatnonzero(engine.statistic.pattern >= 0).tolist()]


def _source(result: Agreement) -> Annotations:
    engine = result.engine
    assert isinstance(engine, Estimate) and engine.source is not None  # noqa: PT018, S101 -- _moves has checked
    return engine.source


def _numbered(*studies: Annotations) -> list[int]:
    """How many items each has whose items are rows that no column names."""
    return [
        len(study.items)
        for study in studies
        if isinstance(study.items, range) or any(UNNAMED in step.sentence for step in study.provenance.steps)
    ]


def _rows_as_items(first: Annotations, second: Annotations) -> list[str]:
    """What is assumed of items that are rows without a name."""
    rows = _numbered(first, second)
    if len(rows) < 2:
        return []
    if rows[0] != rows[1]:
        return [f"rows without a name are taken as other items in each, as there are {rows[0]:,} and {rows[1]:,}"]
    apart = Wording("paired=False", "--unpaired")
    return [Advice.of("row by row taken as the same items, as nothing names them; if they are others, pass ", apart)]
