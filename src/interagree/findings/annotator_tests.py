"""The columns and tests of the annotators' table; `interagree.people.screening` says what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.crowd.labels import dawid_skene
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Item, Value
from interagree.errors import DataError, KindError, TooLarge
from interagree.findings.against_gold import AgainstGold
from interagree.findings.finding import Finding
from interagree.findings.halves import Halves
from interagree.findings.leave_one_out import LeaveOneOut, by_name, of_labels
from interagree.findings.tail_bounds import GroupDraws, bernoulli, high_tail, low_tail, mean
from interagree.findings.times import Times
from interagree.kernels.ragged import ragged
from interagree.measures.alpha import alpha
from interagree.results.agreement import Agreement
from interagree.stats.engine.compress import totals
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.shares import adjusted, wilson

LEAST = 0.05  # the smallest difference that is flagged
FEW = 20  # annotators of whom one is left out at a time
ROUNDS = 10  # how often the surest are left out and the others tested again
AGAIN = 20_000_000  # annotators who were left out times annotations, up to which each is tested again
WIDEST = 20_000_000  # cells of a table of annotators and labels


class Test(NamedTuple):
    """One test of everybody: p-values (nan: not tested), differences, and the numbers of each who differs."""

    name: str
    p: Floats
    difference: Floats
    facts: Callable[[int], Mapping[str, Any]]  # of the code of an annotator


class Screened(NamedTuple):
    """The columns of the table, those to look at first on top, and the reasons of those with flags."""

    columns: Mapping[str, Sequence[object]]
    reasons: Mapping[Annotator, tuple[Finding, ...]]
    tests: int
    notes: tuple[str, ...]


class AnnotatorTests:
    """The columns and tests of one table; ``adjust`` raises p-values for their number."""

    def __init__(
        self,
        rest: LeaveOneOut,
        level: float,
        gold: Mapping[Item, Value] | None = None,
        times: Times | None = None,
        *,
        adjust: Callable[[Floats], Floats] = adjusted,
    ) -> None:
        self.rest, self.level, self.gold, self.times = rest, level, gold, times
        self.adjust = adjust
        self.people = rest.people
        self.columns: dict[str, Sequence[object] | Array] = {}
        self.tests: list[Test] = []
        self.notes: list[str] = [*rest.notes]
        self.before: dict[str, Test] = {}  # the tests of all together, before the surest are left out
        self.score = rest.others("split").score

    def run(self, *, tests_only: bool = False) -> Screened:
        """The table with all tests that the data allow; with ``tests_only``, without columns that only describe."""
        given = np.bincount(self.rest.who, minlength=self.people)
        self.columns["annotator"] = [*self.rest.study.annotators]
        self.columns["n"] = given.tolist()
        self._agreement()
        if self.rest.compared.any():
            self._with_others(model=not tests_only)
        if self.gold is not None:
            self._against_gold()
        if self.times is not None:
            self._over_time()
        if not tests_only:
            self._left_out()
        again = {
            "label": AnnotatorTests._labels,
            "shift": AnnotatorTests._shift,
            "narrow": AnnotatorTests._spread,
            "drift": AnnotatorTests._over_time,
        }
        self.before = {test.name: test for test in self.tests}
        for place, test in enumerate(self.tests):
            if test.name in again:  # it compares with those who may be flagged themselves
                self._without_the_surest(place, again[test.name])
        return self._put_together(np.flatnonzero(given))

    def _with_others(self, *, model: bool) -> None:
        if of_labels(self.rest) and self.people * len(self.rest.study.values) <= WIDEST:
            self._labels()
            if model:
                self._model()
        else:
            self._from_rest()
            self._shift()
            self._spread()
            self.notes.append("label bias, Dawid-Skene and spammer score are for labels, and left out")

    def _mean(self, entries: Floats, rows: Booleans) -> Floats:
        who = self.rest.who[rows]
        n = np.bincount(who, minlength=self.people)
        with np.errstate(all="ignore"):
            return np.where(n > 0, totals(who, entries[rows], self.people) / n, np.nan)

    @cached_property
    def _expected(self) -> Floats:
        """For each item the mean score of its annotations: what anybody may expect on it."""
        rest = self.rest
        with np.errstate(all="ignore"):
            return totals(rest.item, np.nan_to_num(self.score), len(rest.study.items)) / rest.size

    def _agreement(self) -> None:
        rest, there = self.rest, self.rest.compared
        n = np.bincount(rest.who[there], minlength=self.people)
        value, expected = self._mean(self.score, there), self._mean(self._expected[rest.item], there)
        low, high = wilson(value, n, self.level) if rest.bounded else self._t_interval(value, n)
        others = self._mean(rest.size[rest.item] - 1, np.ones(len(rest.item), dtype=bool))
        self.columns |= {"compared": n.tolist(), "others": others, "agreement": value, "low": low, "high": high}
        self.columns["expected"] = expected
        sums = totals(rest.who[there], self.score[there], self.people)
        if rest.labels:
            front = rest.front
            ahead = there & (front.shared[rest.item] == 1)
            item = rest.item[ahead]
            caught = front.votes[item] - 1 == front.second[item]
            draws = bernoulli(
                rest.who[ahead], np.where(caught, front.also[item] + 1, 1), front.votes[item], rest.size[item]
            )
        else:
            draws = self._draws_of_items(self.score, there)
        tail = low_tail if rest.bounded else high_tail
        self._test(
            "agreement" if rest.bounded else "distance",
            np.where(n > 0, tail(draws, sums), np.nan),
            self._farther(),
            lambda u: self._scores(own=value[u], expected=expected[u]),
        )

    @cached_property
    def _telling(self) -> Booleans:
        """Annotations of items with three or more: of two, each is as far from the other."""
        return np.greater(self.rest.size[self.rest.item], 2)

    def _farther(self) -> Floats:
        """How much farther annotators are from the others of an item than these are from one another."""
        rest, rows = self.rest, self._telling
        others = rest.size[rest.item] - 1
        own = np.nan_to_num(rest.distance_to_others()) * others
        summed = totals(rest.item, own, len(rest.study.items))[rest.item] / 2
        with np.errstate(all="ignore"):
            farther = own / others - (summed - own) / (others * (others - 1) / 2)
        return np.nan_to_num(self._mean(farther, rows)) / (1.0 if rest.bounded else self._usual())

    def _scores(self, **scores: float) -> dict[str, Any]:
        """Scores as facts: agreements, or distances in units of chance where they have no upper end."""
        chance = self.rest.chance
        return {
            **{name: float(score) / (chance or 1.0) for name, score in scores.items()},
            "bounded": self.rest.bounded,
            "of_chance": chance is not None,
        }

    def _usual(self) -> float:
        """What differences of distances are measured by: the mean distance of the study."""
        mean_score = float(np.nanmean(self.score)) if self.rest.compared.any() else 0.0
        return mean_score or 1.0

    def _t_interval(self, value: Floats, n: Array) -> tuple[Floats, Floats]:
        there = self.rest.compared
        squares = self._mean((self.score - value[self.rest.who]) ** 2, there)
        wide = np.array([t_quantile((1 + self.level) / 2, k - 1) if k > 1 else math.nan for k in n.tolist()])
        with np.errstate(all="ignore"):
            half = wide * np.sqrt(squares / (n - 1))
        return np.maximum(value - half, 0.0), value + half

    def _draws_of_items(self, score: Floats, rows: Booleans) -> GroupDraws:
        """For each of these annotations a draw from the scores of all of its item."""
        kept = np.flatnonzero(rows)
        item = self.rest.item[kept]
        order = kept[np.argsort(item, kind="stable")]
        size = np.bincount(item, minlength=len(self.rest.study.items))
        start = np.cumsum(size) - size
        of, place = ragged(start[item], size[item])
        return GroupDraws(self.rest.who[kept], np.ones(len(kept)), of, score[order[place]], 1 / size[item[of]])

    def _test(self, name: str, p: Floats, difference: Floats, facts: Callable[[int], Mapping[str, Any]]) -> None:
        self.tests.append(Test(name, p, difference, facts))

    def _labels(self) -> None:
        """Kappa with the rest, and the label that is given too often or too seldom."""
        rest, values = self.rest, len(self.rest.study.values)
        rows = np.flatnonzero(rest.compared)
        cells = rest.cells
        of, cell = rest.cells_of(rows)
        row = rows[of]
        own = rest.cell[row] == cell
        size = rest.size[rest.item[row]]
        group = rest.who[row] * values + cells.value[cell]
        shape = (self.people, values)
        own_counts = totals(group, own.astype(np.float64), math.prod(shape)).reshape(shape)
        their_shares = totals(group, (cells.votes[cell] - own) / (size - 1), math.prod(shape)).reshape(shape)
        n = np.bincount(rest.who[rows], minlength=self.people)[:, None]
        with np.errstate(all="ignore"):
            p, q = own_counts / n, their_shares / n
            observed = 1 - self._mean(np.nan_to_num(rest.distance_to_others()), rest.compared)
            chance = (p * q).sum(axis=1)
            self.columns["kappa"] = np.where(1 - chance > 1e-12, (observed - chance) / (1 - chance), np.nan)
        self._bias(p, q, bernoulli(group, np.ones(len(group)), cells.votes[cell], size), own_counts)

    def _bias(self, own: Floats, others: Floats, draws: GroupDraws, own_counts: Floats) -> None:
        difference, shape = own - others, own.shape
        given = own_counts.reshape(-1)
        p = np.minimum(low_tail(draws, given), high_tail(draws, given)).reshape(shape)
        open_ = np.zeros(given.shape, dtype=bool)
        open_[draws.group] = True
        tried = open_.reshape(shape).sum(axis=1)
        # Of labels that differ alike the first in order of the labels is named.
        most = np.where(np.isnan(difference), 0.0, np.round(np.abs(difference), 12))
        label = np.argmax(most - 1e-13 * self.rest.order[None, :], axis=1)
        people = np.arange(shape[0])
        largest = difference[people, label]
        self.columns["label"] = [None if not tried[u] else self.rest.study.values[label[u]] for u in people.tolist()]
        self.columns["label difference"] = np.where(tried > 0, largest, np.nan)
        surest = np.argmin(p, axis=1)
        smallest = np.minimum(p[people, surest] * 2 * tried, 1.0)
        there = difference[people, surest]

        def facts(u: int) -> Mapping[str, Any]:
            label = surest[u]
            shares = {"own": float(own[u, label]), "others": float(others[u, label])}
            return {"label": self.rest.study.values[label], **shares}

        self._test("label", np.where(tried > 0, smallest, np.nan), np.abs(there), facts)

    def _from_rest(self) -> None:
        """Alpha with the rest, where values are compared by a distance."""
        expected = self._alpha.disagreement.expected if self._alpha is not None else None
        if expected is None or not expected > 0:
            return
        rest = self.rest
        far = rest.distance_to_others() * (rest.largest if rest.bounded else 1.0)
        self.columns["alpha"] = 1 - self._mean(np.nan_to_num(far), rest.compared) / expected

    @cached_property
    def _above(self) -> Floats | None:
        """How much higher each annotation is than its item, in deviations of the study; None for unordered values."""
        rest, study = self.rest, self.rest.study
        scale = study.kind in ("numbers", "ordered") or study.recognised.doubt == "ordered"
        if rest.labels or not scale:
            return None
        number = self._numbers
        with np.errstate(all="ignore"):
            middle = totals(rest.item, number, len(rest.study.items)) / rest.size
        return (number - middle[rest.item]) / self._deviation

    @cached_property
    def _numbers(self) -> Floats:
        rest = self.rest
        ordered = rest.study.kind == "ordered"
        scale = rest.order if ordered else np.array([float(value) for value in rest.study.values])
        return scale[rest.value]

    @property
    def _deviation(self) -> float:
        return float(self._numbers.std()) or 1.0

    def _to_others(self, above: Floats) -> Floats:
        """The same against the other annotations of the item."""
        size = self.rest.size[self.rest.item]
        with np.errstate(all="ignore"):
            return np.nan_to_num(above * size / (size - 1))

    def _shift(self) -> None:
        """Whether numbers, or places on a scale, are higher or lower than those that others gave the same items."""
        rest, above = self.rest, self._above
        if above is None:
            return
        spread, there = self._deviation, rest.compared
        draws = self._draws_of_items(above, there)
        sums = totals(rest.who[there], above[there], self.people)
        n = np.bincount(rest.who[there], minlength=self.people)
        shift = self._mean(self._to_others(above), there)
        p = np.minimum(2 * np.minimum(low_tail(draws, sums), high_tail(draws, sums)), 1.0)
        self.columns["shift"] = shift * spread
        self._test("shift", np.where(n > 0, p, np.nan), np.abs(shift), lambda u: self._shifts(higher=shift[u]))

    def _spread(self) -> None:
        """Whether places on a scale keep nearer to its middle than those that others gave the same items."""
        rest, there = self.rest, self.rest.compared
        if self._above is None:
            return
        far = np.abs(self._numbers - self._numbers.mean()) / self._deviation
        draws = self._draws_of_items(far, there)
        sums, n = totals(rest.who[there], far[there], self.people), np.bincount(rest.who[there], minlength=self.people)
        with np.errstate(all="ignore"):
            less = 1 - sums / mean(draws, self.people)
        ends = np.isin(self._numbers, [self._numbers.min(), self._numbers.max()]) & there
        at_ends = totals(rest.who, ends, self.people) / np.maximum(n, 1)
        of_item = (totals(rest.item, ends, len(rest.study.items))[rest.item] - ends) / np.maximum(
            rest.size[rest.item] - 1, 1
        )
        others = self._mean(of_item, there)

        def facts(u: int) -> Mapping[str, Any]:
            return {"less": float(less[u]), "own_ends": float(at_ends[u]), "others_ends": float(others[u])}

        self._test("narrow", np.where(n > 0, low_tail(draws, sums), np.nan), np.maximum(less, 0.0), facts)

    @cached_property
    def linked(self) -> Floats:
        """How far answers go with those of the others: on a scale their correlation, else agreement beyond chance."""
        rest, there = self.rest, self.rest.compared
        if self._above is None:
            columns = self.columns.get("kappa", self.columns.get("alpha", np.full(self.people, np.nan)))
            return np.asarray(columns, dtype=np.float64)
        own = self._numbers
        with np.errstate(all="ignore"):
            size = rest.size[rest.item]
            others = (totals(rest.item, own, len(rest.study.items))[rest.item] - own) / (size - 1)
            x, y = (column - self._mean(column, there)[rest.who] for column in (own, np.nan_to_num(others)))
            both, one, other = (self._mean(product, there) for product in (x * y, x * x, y * y))
            return both / np.sqrt(one * other)

    def _shifts(self, **shifts: float) -> dict[str, Any]:
        """How much higher than the others, as facts: in the unit of the values."""
        by = {name: float(shift) * self._deviation for name, shift in shifts.items()}
        return {**by, "steps": self.rest.study.kind == "ordered"}

    def _model(self) -> None:
        if len(self.rest.study.values) ** 2 * self.people > WIDEST:
            self.notes.append("Dawid-Skene and spammer score are left out: there are too many labels for their tables")
            return
        try:
            model = dawid_skene(self.rest.study, smoothing=0.1, correlation=0, tolerance=1e-6, rounds=200)
        except (DataError, KindError, TooLarge) as error:
            self.notes.append(f"Dawid-Skene and spammer score are left out: {error}")
            return
        if model.by_answer is None:  # the model says in its notes why it could not be fitted
            self.notes += [f"Dawid-Skene and spammer score are left out: {note}" for note in model.notes]
            return
        self.columns["spammer score"] = model.by_annotator["spammer score"]
        self.columns["dawid-skene"] = np.einsum("ukk->u", model.by_answer) / model.by_answer.shape[1]

    def _against_gold(self) -> None:
        against = AgainstGold(self.rest, self.gold or {})
        self.columns |= {f"gold {name}".rstrip(): column for name, column in against.columns(self.level).items()}
        if against.unseen:
            self.notes.append(f"{counted(against.unseen, 'gold answer')} for items that nobody annotated left out")
        self._test_gold(np.nan_to_num(against.score), against.known & self.rest.compared)

    def _test_gold(self, score: Floats, rows: Booleans) -> None:
        rest = self.rest
        if rest.labels:
            k = totals(rest.item[rows], score[rows], len(rest.study.items))[rest.item[rows]]
            draws = bernoulli(rest.who[rows], np.ones(len(k)), k, rest.size[rest.item[rows]])
        else:
            draws = self._draws_of_items(score, rows)
        n = np.bincount(rest.who[rows], minlength=self.people)
        sums = totals(rest.who[rows], score[rows], self.people)
        with np.errstate(all="ignore"):
            expected, own = mean(draws, self.people) / n, sums / n
        worse = expected - own if rest.bounded else (own - expected) / self._usual()
        tail = low_tail if rest.bounded else high_tail
        self._test(
            "gold",
            np.where(n > 0, tail(draws, sums), np.nan),
            worse,
            lambda u: self._scores(own=own[u], expected=expected[u]),
        )

    def _over_time(self) -> None:
        times, rest = self.times, self.rest
        if times is None:
            return
        self.notes += times.notes
        if times.seconds is not None:
            self.columns["seconds"] = times.seconds
        before, after = times.consecutive(rest.who)
        if rest.labels:
            self._repeats(before, after)
        self._drift(times.order)

    def _repeats(self, before: Indices, after: Indices) -> None:
        rest = self.rest
        kept = rest.compared[after]
        before, after = before[kept], after[kept]
        values = max(len(rest.study.values), 1)
        key = rest.item[after].astype(np.int64) * values + rest.value[before]
        place = np.minimum(np.searchsorted(rest.cells.key, key), len(rest.cells.key) - 1)
        k = np.where(rest.cells.key[place] == key, rest.cells.votes[place], 0.0) if len(key) else np.zeros(0)
        who = rest.who[after]
        draws = bernoulli(who, np.ones(len(k)), k, rest.size[rest.item[after]])
        same = totals(who, (rest.value[before] == rest.value[after]).astype(np.float64), self.people)
        n = np.bincount(who, minlength=self.people)
        with np.errstate(all="ignore"):
            share, expected = same / n, mean(draws, self.people) / n
        self.columns["repeats"], self.columns["repeats expected"] = share, expected
        self._test(
            "repeats",
            np.where(n > 0, high_tail(draws, same), np.nan),
            share - expected,
            lambda u: {"own": float(share[u]), "expected": float(expected[u])},
        )

    def _drift(self, order: Indices) -> None:
        """Whether agreement, or how much higher somebody is than the others, changes in the course of time."""
        rest = self.rest
        halves = Halves.of(order[rest.compared[order]], rest.who, self.people)
        first, second = halves.means(self.score)
        self.columns["first half"], self.columns["second half"] = first, second
        mirrored = Halves.of(order[self._telling[order]], rest.who, self.people)
        p, change = mirrored.change(self.score - self._expected[rest.item])
        change = np.abs(change) / (1.0 if rest.bounded else self._usual())
        level = np.zeros(self.people, dtype=bool)  # of whom the values change more plainly than the agreement
        higher = (np.zeros(0), np.zeros(0))
        if self._above is not None:
            p_level, by = mirrored.change(self._above)
            level = p_level < p
            p, change = np.minimum(2 * np.minimum(p, p_level), 1.0), np.where(level, np.abs(by), change)
            higher = halves.means(self._to_others(self._above))

        def facts(u: int) -> Mapping[str, Any]:
            if level[u]:
                return self._shifts(**{half: shift[u] for half, shift in zip(("first", "second"), higher, strict=True)})
            return self._scores(first=first[u], second=second[u])

        self._test("drift", p, change, facts)

    @cached_property
    def _alpha(self) -> Agreement | None:
        return alpha(self.rest.study, distance=self.rest.distance) if self.rest.compared.any() else None

    def _left_out(self) -> None:
        if self._alpha is None or self._alpha.undefined:
            return
        without = self._alpha.by_annotator()
        self.columns["left out"] = np.array(without["left out"], dtype=np.float64)
        self.columns["change"] = np.array(without["change"], dtype=np.float64)

    def _flags(self) -> tuple[Floats, Booleans, Booleans]:
        """Adjusted p-values by test and annotator, which of them were tested, and which are flags."""
        stacked = np.array([test.p for test in self.tests])
        tested = ~np.isnan(stacked)
        sure = np.ones(stacked.shape)
        sure[tested] = self.adjust(stacked[tested])
        large = np.array([np.nan_to_num(test.difference) for test in self.tests]) >= LEAST
        return sure, tested, (sure <= 1 - self.level) & large & tested

    def _without_the_surest(self, place: int, method: Callable[[AnnotatorTests], None]) -> None:
        """Test those again without the surest ones, who are flagged in a test that compares people with one another."""
        gone = np.zeros(self.people, dtype=bool)
        for _ in range(ROUNDS):
            test = self.tests[place]
            now = self._flags()[2][place] & ~gone
            if not now.any():
                break
            sure = np.log(np.maximum(test.p, 1e-300))
            # Of few the surest alone; of many also those nearly as sure, to be done in few rounds.
            gone |= now & (sure <= (1.0 if self.people <= FEW else 0.5) * sure[now].min())
            left = np.flatnonzero(~gone)
            if len(left) < 2:
                return
            again = self._part(gone, method, test.name)
            if again is None:
                break
            p, difference = test.p.copy(), test.difference.copy()
            p[left], difference[left] = again.p, again.difference
            self.tests[place] = Test(test.name, p, difference, _either(gone, test.facts, left, again.facts))

        self._back(place, method, gone)

    def _back(self, place: int, method: Callable[[AnnotatorTests], None], gone: Booleans) -> None:
        """Test those who were left out beside those who were not: who differed from the odd ones alone is cleared."""
        if gone.sum() > FEW or gone.sum() * len(self.rest.who) > AGAIN:
            return
        for u in np.flatnonzero(gone).tolist():
            others = gone & (np.arange(self.people) != u)
            test = self.tests[place]
            again = self._part(others, method, test.name)
            if again is None:
                continue
            left, p, difference = np.flatnonzero(~others), test.p.copy(), test.difference.copy()
            at = int(np.searchsorted(left, u))
            p[u], difference[u] = np.fmax(p[u], again.p[at]), again.difference[at]
            facts = _either(others, test.facts, left, again.facts, only=u)
            self.tests[place] = Test(test.name, p, difference, facts)

    def _part(self, gone: Booleans, method: Callable[[AnnotatorTests], None], name: str) -> Test | None:
        """The same test of a study without some annotators."""
        study = self.rest.study
        rest = LeaveOneOut(
            study.without(*(study.annotators[u] for u in np.flatnonzero(gone).tolist())), self.rest.distance
        )
        times = None if self.times is None else self.times.of(rest.study, ~gone[self.rest.who])
        part = AnnotatorTests(rest, self.level, times=times, adjust=self.adjust)
        method(part)
        return next((test for test in part.tests if test.name == name), None)

    def _put_together(self, there: Indices) -> Screened:
        sure, tested, flags = self._flags()
        self.columns["p"] = np.where(tested.any(axis=0), sure.min(axis=0), np.nan)
        self.columns["flags"] = [
            ", ".join(test.name for test, on in zip(self.tests, flags[:, u], strict=True) if on) or None
            for u in range(self.people)
        ]
        reasons = {u: self._reasons(u, sure[:, u], flags[:, u]) for u in np.flatnonzero(flags.any(axis=0)).tolist()}
        self.columns["reason"] = [
            "; ".join(why.sentence for why in reasons.get(u, ())) or None for u in range(self.people)
        ]
        order = self._first_to_look_at(flags, there)
        names = self.rest.study.annotators
        columns = {
            name: entries.tolist() if isinstance(entries, np.ndarray) else entries
            for name, entries in self.columns.items()
        }
        return Screened(
            {name: [entries[u] for u in order] for name, entries in columns.items()},
            {names[u]: reasons[u] for u in order if u in reasons},
            int(np.count_nonzero(tested)),
            tuple(self.notes),
        )

    def _reasons(self, u: int, sure: Floats, flags: Booleans) -> tuple[Finding, ...]:
        tests = zip(self.tests, sure.tolist(), flags.tolist(), strict=True)
        return tuple(self.deviation(test, u, p) for test, p, on in tests if on)

    def deviation(self, test: Test, u: int, p: float) -> Finding:
        """What a test found of an annotator."""
        return Finding(f"differs.{test.name}", (self.rest.study.annotators[u],), {**test.facts(u), "p": p})

    def _first_to_look_at(self, flags: Booleans, there: Indices) -> list[int]:
        """Those with flags first, the surest of them on top; the rest by how far they fall below what is expected."""
        below = np.array(self.columns["expected"]) - np.array(self.columns["agreement"])
        worse = np.nan_to_num(below if self.rest.bounded else -below / self._usual(), nan=-np.inf)
        n = np.maximum(np.array(self.columns["compared"]), 1)
        named = np.empty(self.people)
        named[by_name(self.rest.study.annotators)] = np.arange(self.people)
        p = np.where(flags.any(axis=0), np.nan_to_num(np.array(self.columns["p"]), nan=1.0), 1.0)
        order = np.lexsort((named, -worse * np.sqrt(n), p, -flags.sum(axis=0).clip(max=1)))
        kept = set(there.tolist())
        return [int(u) for u in order.tolist() if u in kept]


def _either(
    gone: Booleans,
    before: Callable[[int], Mapping[str, Any]],
    left: Indices,
    now: Callable[[int], Mapping[str, Any]],
    only: int | None = None,
) -> Callable[[int], Mapping[str, Any]]:
    """The facts of those who were left out, as before, and of the others, or of one of them, by their new places."""
    place = np.full(len(gone), -1, dtype=np.intp)
    place[left] = np.arange(len(left))
    return lambda u: before(u) if gone[u] or only not in (None, u) else now(int(place[u]))
