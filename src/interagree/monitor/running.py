"""Agreement while annotation runs: what the labels so far say."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar, get_args

import numpy as np

from interagree.arrays import Array, Floats
from interagree.data import Annotations, Study
from interagree.data.values import in_order
from interagree.errors.options import checked_methods
from interagree.monitor import days
from interagree.monitor.chart import Alert, By, Log, control_chart, out_of_bounds
from interagree.monitor.columns import key
from interagree.monitor.fractions import COEFFICIENTS, exact
from interagree.monitor.sequence import FirstTwo, always
from interagree.monitor.standing import Standing
from interagree.monitor.state import State
from interagree.plugins import MEASURES
from interagree.reading.codebook import with_codebook
from interagree.results.agreement import Agreement
from interagree.stats.engine.weights import Observed
from interagree.stats.labels.counts import DENSE, Counts
from interagree.stats.labels.item_agreement import SCHEMES
from interagree.tables import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

T = TypeVar("T")


@checked_methods
class Monitor(State):
    """Agreement while annotation runs: takes labels one by one, and knows after each where the study stands.

    Args:
        values: All values that could be given, also those that nobody has used yet; in order, where there is one.
        ordered: Whether the order of the values means something.
        duplicates: What to do when an annotator labels an item again: stop with an error, take the first or the last,
            or keep all as further labels.

    Examples:
        >>> import interagree as ia
        >>> monitor = ia.Monitor()
        >>> monitor.extend([1, 1, 2, 2], ["ann", "bo", "ann", "bo"], ["yes", "yes", "no", "yes"])
        >>> monitor.spa().value
        0.5
    """

    def exact(self, name: str = "spa", *, weigh: str = "flat") -> Fraction | None:
        """A coefficient as a fraction, from the whole numbers of the state; None where it is undefined.

        Args:
            name: spa, percent, fleiss_kappa, alpha (nominal), ac1 or bennett_s.
            weigh: How spa weighs items; see `interagree.spa`.
        """
        return exact(name, self.strata(), len(self._used()), weigh)

    def _used(self) -> list[int]:
        if self.declared is not None:
            return list(range(len(self.declared)))
        there = {value for one in self.strata().values() for value, times in one.values.items() if times}
        names = self._values.names
        place = {key(names[code]): code for code in sorted(there)}
        return [place[key(name)] for name in in_order([names[code] for code in sorted(there)])]

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once until the labels change."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    def counts(self) -> Counts:
        """The patterns as every measure takes them that need not know who gave which value."""
        return self._once("counts", self._counts)

    def _counts(self) -> Counts:
        used = self._used()
        column = {code: place for place, code in enumerate(used)}
        live = [one for one, times in enumerate(self._patterns.times) if one and times]
        cells = [
            (row, column[value], times)
            for row, one in enumerate(live)
            for value, times in self._patterns.counts[one].items()
        ]
        row, value, times = np.array(cells, dtype=np.int64).reshape(-1, 3).T
        shape = (len(live), len(used))
        rows: Floats | csr_array
        if len(live) * len(used) <= DENSE:
            rows = np.zeros(shape)
            rows[row, value] = times
        else:
            from scipy import sparse

            rows = sparse.csr_array((times.astype(np.float64), (row, value)), shape=shape)
        return Counts(
            rows,
            Observed(np.array([self._patterns.times[one] for one in live], dtype=np.float64)),
            tuple(self._values.names[code] for code in used),
            self.declared is not None or self.ordered,
            self.n,
            order_declared=self.ordered,
        )

    def study(self) -> Annotations:
        """All labels as a study, for everything that needs to know who gave which value."""
        return self._once("study", self._study)

    def _study(self) -> Annotations:
        i, a, v, b, day, _ = self._columns()
        item, item_codes = np.unique(i, return_inverse=True)
        annotator, annotator_codes = np.unique(a, return_inverse=True)
        value, value_codes = np.unique(v, return_inverse=True)
        further: dict[str, Array] = {}
        if (b >= 0).any():
            further["batch"] = np.array([*self._batches.names, None], dtype=object)[b]
        if day.any():
            further["day"] = np.array([days.name(one) for one in day.tolist()], dtype=object)
        study = Annotations.from_codes(
            item_codes.astype(np.int32),
            annotator_codes.astype(np.int32),
            value_codes.astype(np.int32),
            [self._items.names[code] for code in item.tolist()],
            [self._annotators.names[code] for code in annotator.tolist()],
            [self._values.names[code] for code in value.tolist()],
            values=self.declared,
            ordered=self.ordered or None,
            duplicates="keep",
            attributes=further,
        )
        return study if self.level is None else with_codebook(Study({"value": study}), levels=self.level).single()

    def measure(self, name: str, **options: object) -> Agreement:
        """Any measure of the labels so far, with its interval, as the function of that name would give it."""
        counting = name in ("spa", "ac2", *COEFFICIENTS) and self.level is None
        data = self.counts() if counting else self.study()
        made: Agreement = MEASURES[name](data, **options)
        return made

    def spa(self, *, weigh: str = "flat") -> Agreement:
        """The sparse probability of agreement of the labels so far, with its interval."""
        return self.measure("spa", weigh=weigh)

    def now(self, level: float = 0.95) -> Table:
        """Where the study stands: spa under every weighing and the coefficients, with intervals."""
        rows = []
        for title, result in (
            *((f"SPA, {weigh}", self.spa(weigh=weigh)) for weigh in SCHEMES),
            *((MEASURES[name].facts.title, self.measure(name)) for name in COEFFICIENTS),
        ):
            at = "" if result.level is None or result.level.plain else f", {result.level.name}"
            interval = result.interval(level)
            low, high = (None, None) if interval is None else (interval.low, interval.high)
            rows.append({"measure": title + at, "value": result.value, "low": low, "high": high})
        return Table.of(rows)

    def first_two(self, level: float = 0.95) -> FirstTwo:
        """How often the first two labels of an item agree, with an interval that holds however often one looks."""
        low, high = always(self._agreeing, self._pairs, level)
        return FirstTwo(self._agreeing, self._pairs, low, high, level)

    def chart(self, by: By = "batch", *, reference: float | None = None, chance: float = 0.01) -> Table:
        """The agreement of each batch, day or annotator beside the limits that it keeps to when nothing is wrong.

        Args:
            by: "batch", "day" or "annotator".
            reference: The agreement that should be; by default the mean of all items.
            chance: The chance that some point of the chart lies below its limit although nothing is wrong.
        """
        return control_chart(self._log(), by, reference=reference, chance=chance)

    def alerts(
        self,
        *,
        at_least: float | None = None,
        level: float = 0.95,
        drop: float = 0.1,
        every: int = 1000,
        chance: float = 0.01,
    ) -> list[Alert]:
        """What somebody should look at, in sentences; empty when nothing is wrong.

        Args:
            at_least: The agreement of first two labels that is wanted; an alert when the interval of `first_two` lies
                wholly below it, however often one asks.
            level: The level of that interval.
            drop: The fall of the agreement of first two labels that should be noticed soonest.
            every: A fall is announced wrongly once in so many items at most, on average.
            chance: The chance of a wrong alert in all batches together, in all days and in all annotators.
        """
        return out_of_bounds(
            self._log(), self.first_two(level), at_least=at_least, drop=drop, every=every, chance=chance
        )

    def _log(self) -> Log:
        return self._once("log", lambda: Log(*self._columns(), self._annotators.names, self._batches.names))

    def standing(self, *, level: float = 0.95, at_least: float | None = None) -> Standing:
        """Where the study stands: coefficients, charts and alerts.

        Args:
            level: The level of the intervals.
            at_least: The agreement of first two labels that is wanted.

        Returns:
            A `Standing`, which prints as ``interagree watch --once`` does.

        Examples:
            >>> import interagree as ia
            >>> monitor = ia.Monitor()
            >>> for item in range(9):
            ...     monitor.add(item, "ann", "yes")
            ...     monitor.add(item, "bo", "yes" if item else "no")
            >>> round(monitor.standing().table().to_dict("value")["SPA, flat"], 3)
            0.889
        """
        charts = {by: self.chart(by) for by in get_args(By)}
        alerts = self.alerts(at_least=at_least, level=level)
        alpha = self.measure("alpha")
        remarks = [f"{alpha.measure.symbol}: {remark}" for remark in alpha.remarks()]
        now, first_two = self.now(level), self.first_two(level)
        return Standing(self.n, self.skipped, level, now, first_two, charts, alerts, at_least, remarks)
