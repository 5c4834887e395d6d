r"""The annotators' table: one row for each, what to look at first on top, and flags that do not accuse the innocent.

Every test asks whether an annotator differs from *the others on the same items*.  If all annotators were alike, each
of the $m$ labels of an item might as well be hers: what she says of the item is a draw from its labels, and draws of
different items are independent.  So the number of her agreements, of right answers, or of times that she gave a label
is a sum of independent draws whose chances the item states, whether items are easy or hard, few or many.  The tails of
such sums are bounded, not approximated (see `_lots`), so that p-values are too large rather than too small.  An
annotator who shares items with a careless one looks better by it, not worse.

* *agreement*: her agreement with the majority (or medoid) of the others is lower than on these items expected.
* *gold*: fewer of her answers are right than expected of those who answered the same items.
* *label*: she gives one label more or less often; the smallest p-value counts, times twice the number of labels.
* *repeats*: in the order of time, she repeats her previous label more often than the labels of the next item make
  likely.
* *drift*: her agreement, less that expected, differs between the first and the second half of her time: the $k$-th
  annotation of the one half is paired with the $k$-th of the other, and signs of differences are exchanged.

An annotator who labels beside one who is biased or tires differs from *her*, in the other direction.  So those who are
flagged for *label* or *drift* most surely are left out and the others tested again without them, until nobody is added.

P-values are adjusted over all annotators and tests (Benjamini & Yekutieli 2001), and one is flagged where the adjusted
p-value is at most one minus the level and the difference at least 0.05, since with many annotations trifles are sure.

*Kappa* is that of one annotator and a group (Schouten 1982, Vanbelle & Albert 2009): $P_o$ is the mean share of others
who gave the same label, $P_e = \sum_v p_v q_v$ with her shares $p$ and the mean shares $q$ of the others on the same
items.  Under a distance it is alpha with the rest, one minus her mean distance to the others over the disagreement
expected in the study.  The *spammer score* is $\frac{1}{C(C-1)} \sum_{c<c'} \sum_k (A_{ck} - A_{c'k})^2$ of the
confusion matrix $A$ that Dawid and Skene's model gives her (Raykar & Yu 2012): 0 where what she says does not depend on
the truth, 1 where it tells the truth exactly.

Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are judged by the same
observers. Statistica Neerlandica 36(2), 45-61.
Vanbelle, S. & Albert, A. (2009). Agreement between an isolated rater and a group of raters. Statistica Neerlandica
63(1), 82-100.
Raykar, V. C. & Yu, S. (2012). Eliminating spammers and ranking annotators for crowdsourced labeling tasks. Journal of
Machine Learning Research 13, 491-518.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np

from interagree.aggregation.fitting import SPAMMER_SCORE
from interagree.aggregation.object_scoring import answers, none_shared, together
from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.declare import takes_data
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.people._lots import Lots, coins, high_tail, low_tail, mean
from interagree.people._rest import Rest, by_name, of_labels
from interagree.people._times import Times, times_of
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import adjusted, wilson
from interagree.tables import Table

LEAST = 0.05  # the smallest difference that is flagged
HALF = 10  # annotations that each half of somebody's time must have to be compared
ROUNDS = 10  # how often the surest are left out and the others tested again
AGAIN = {
    "label": "_labels",
    "drift": "_over_time",
}  # tests that compare with those who may be flagged themselves
WIDEST = 20_000_000  # cells of a table of annotators and labels

# Columns by what they are for; a narrow terminal gets the first ones.
ORDER = (
    *("annotator", "flags", "n", "agreement", "low", "high", "expected", "kappa", "alpha"),
    *("gold", "gold low", "gold high", "gold n", "seconds", "repeats", "repeats expected", "first half"),
    *(
        "second half",
        "label",
        "label difference",
        "spammer score",
        "dawid-skene",
        "left out",
        "change",
        "others",
    ),
    *("compared", "p", "reason"),
)


# What the columns mean, in the words of somebody who has not read the papers.
MEANING = {
    "agreement": "how often the annotator agrees with the majority of the others",
    "distance": "how far the annotator is from the value nearest to all others",
    "expected": "the same for anybody on these items, easy or hard",
    "kappa": "agreement with the others beyond chance: 1 all, 0 as chance, below 0 less",
    "alpha": "agreement with the others beyond chance: 1 all, 0 as chance, below 0 less",
    "gold": "the share of right answers, or the distance to them",
    "repeats": "how often the previous label is given again",
    "label difference": "how much more often this label is given than by the others, the largest difference of all",
    "spammer score": SPAMMER_SCORE,
    "dawid-skene": "the mean chance of a right answer over the labels, by Dawid and Skene's model",
    "left out": "alpha of the study without the annotator",
    "change": "how much alpha changes without the annotator: above 0 it would be higher",
}


class Test(NamedTuple):
    """One test of everybody: p-values (nan: not tested), differences, and a sentence for each who differs."""

    name: str
    p: Floats
    difference: Floats
    say: Any  # a function of the code of an annotator


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class People:
    """The annotators of a study, in the order in which to look at them."""

    rows: Table
    reasons: Mapping[Hashable, tuple[str, ...]]  # of those with flags
    level: float
    tests: int  # how many p-values were adjusted together
    notes: tuple[str, ...] = ()
    undefined: str | None = None

    def table(self) -> Table:
        """One row for each annotator, columns without any entry left out."""
        return self.rows

    def legend(self, columns: Iterable[str] | None = None) -> tuple[str, ...]:
        """What some columns mean, or all that are there, a sentence for each."""
        there = self.rows.columns if columns is None else columns
        return tuple(f"{name}: {MEANING[name]}" for name in there if name in MEANING)

    def flagged(self) -> Table:
        """The annotators with flags alone."""
        return self.rows.where(lambda row: bool(row["flags"]))

    def to_frame(self, library: str = "pandas") -> Any:
        """The table as a data frame."""
        return self.rows.to_frame(library)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings."""

        def number(one: Any) -> Any:
            return None if isinstance(one, float) and not math.isfinite(one) else one

        return {
            "annotators": [{name: number(one) for name, one in row.items()} for row in self.rows],
            "flagged": len(self.reasons),
            "tests": self.tests,
            "level": self.level,
            "undefined": self.undefined,
            "notes": list(self.notes),
        }

    def headline(self) -> str:
        """What was found, in a sentence."""
        if self.undefined:
            return f"Annotators cannot be compared: {self.undefined}"
        count, flagged = len(self.rows), len(self.reasons)
        found = f"{flagged:,} flagged" if flagged else "none flagged"
        return f"{counted(count, 'annotator')}, {found} ({counted(self.tests, 'test')}, adjusted together)"

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<People: {self.headline()}>"

    def __str__(self) -> str:
        reasons = [f"{name}: {'; '.join(said)}" for name, said in self.reasons.items()]
        return "\n".join([f"{self.headline()}.", *reasons])

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()


@takes_data
def annotators(
    data: IntoAnnotations,
    *others: Values,
    gold: Any = None,
    time: Any = None,
    level: float = 0.95,
    distance: Any = None,
    **reading: Unpack[ReadingOptions],
) -> People:
    """One table of all annotators: agreement with the rest, gold, bias, speed, drift, and flags with reasons.

    Args:
        data: Annotations.
        gold: Right answers: a mapping of items to values, or a study with one annotation for each item.
        time: When annotations were given: the name of a column, or one time for each annotation.
        level: The level of intervals; somebody is flagged at an adjusted p-value of one minus it.
        distance: How far apart values are; by default the usual distance of the kind of value.
    """
    if not 0 < level < 1:
        raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
    rest = Rest.of(data, distance, "a table of annotators")
    when = None if time is None else times_of(rest.study, _column(rest.study, time))
    return _Making(rest, level, None if gold is None else answers(gold), when).people()


def _column(study: Annotations, time: Any) -> Any:
    if isinstance(time, str):
        if time not in study.attributes:
            known = [str(name) for name in study.attributes]
            has = (
                f"it has {listing(known)}." + suggestion(time, known)
                if known
                else "it has no further columns."
            )
            raise UnknownName(f"the study has no column {time!r} of times; {has}")
        return study.attributes[time]
    column = [*time]
    if len(column) != len(study):
        raise DataError(
            f"there are {len(column)} times for {len(study)} annotations; give one for each, or the name of a column"
        )
    return column


class _Making:
    """The columns and tests of one table."""

    def __init__(
        self, rest: Rest, level: float, gold: dict[Hashable, Any] | None, when: Times | None
    ) -> None:
        self.rest, self.level, self.gold, self.when = rest, level, gold, when
        self.people_count = rest.people
        self.columns: dict[str, Any] = {}
        self.tests: list[Test] = []
        self.notes: list[str] = [*rest.notes]
        self.score = rest.others("split").score

    def people(self) -> People:
        """The whole table."""
        given = np.bincount(self.rest.who, minlength=self.people_count)
        self.columns["annotator"] = [*self.rest.study.annotators]
        self.columns["n"] = given.tolist()
        self._agreement()
        if self.rest.compared.any():
            self._with_others()
        if self.gold is not None:
            self._against_gold()
        if self.when is not None:
            self._over_time()
        self._left_out()
        for place, test in enumerate(self.tests):
            if test.name in AGAIN:
                self._without_the_surest(place)
        return self._put_together(np.flatnonzero(given))

    def _with_others(self) -> None:
        if of_labels(self.rest) and self.people_count * len(self.rest.study.values) <= WIDEST:
            self._labels()
            self._model()
        else:
            self._from_rest()
            self.notes.append("label bias, Dawid-Skene and spammer score are for labels, and left out")

    def _mean(self, entries: Floats, rows: Booleans) -> Floats:
        who = self.rest.who[rows]
        n = np.bincount(who, minlength=self.people_count)
        with np.errstate(all="ignore"):
            return np.where(n > 0, totals(who, entries[rows], self.people_count) / n, np.nan)

    # -- agreement with the rest -----------------------------------------------------------------------------

    @cached_property
    def _expected(self) -> Floats:
        """For each item the mean score of its annotations: what anybody may expect on it."""
        rest = self.rest
        with np.errstate(all="ignore"):
            return totals(rest.item, np.nan_to_num(self.score), len(rest.study.items)) / rest.size

    def _agreement(self) -> None:
        rest, there = self.rest, self.rest.compared
        n = np.bincount(rest.who[there], minlength=self.people_count)
        value, expected = self._mean(self.score, there), self._mean(self._expected[rest.item], there)
        low, high = wilson(value, n, self.level) if rest.bounded else self._t_interval(value, n)
        others = self._mean(rest.size[rest.item] - 1, np.ones(len(rest.item), dtype=bool))
        self.columns |= {
            "compared": n.tolist(),
            "others": others,
            "agreement": value,
            "low": low,
            "high": high,
        }
        self.columns["expected"] = expected
        sums = totals(rest.who[there], self.score[there], self.people_count)
        if rest.labels:
            front = rest.front
            ahead = there & (front.shared[rest.item] == 1)
            item = rest.item[ahead]
            caught = front.votes[item] - 1 == front.second[item]
            lots = coins(
                rest.who[ahead], np.where(caught, front.also[item] + 1, 1), front.votes[item], rest.size[item]
            )
        else:
            lots = self._whole_items(self.score, there)
        tail = low_tail if rest.bounded else high_tail
        worse = expected - value if rest.bounded else (value - expected) / self._usual()
        word = "agreement" if rest.bounded else "distance"
        self._test(
            word,
            np.where(n > 0, tail(lots, sums), np.nan),
            worse,
            lambda u: f"{word} {value[u]:.2f} where {expected[u]:.2f} is expected on these items",
        )

    def _usual(self) -> float:
        """What differences of distances are measured by: the mean distance of the study."""
        found = float(np.nanmean(self.score)) if self.rest.compared.any() else 0.0
        return found or 1.0

    def _t_interval(self, value: Floats, n: Array) -> tuple[Floats, Floats]:
        from interagree.stats.engine.quantiles import t_quantile

        there = self.rest.compared
        squares = self._mean((self.score - value[self.rest.who]) ** 2, there)
        wide = np.array([t_quantile((1 + self.level) / 2, k - 1) if k > 1 else math.nan for k in n.tolist()])
        with np.errstate(all="ignore"):
            half = wide * np.sqrt(squares / (n - 1))
        return np.maximum(value - half, 0.0), value + half

    def _whole_items(self, score: Floats, rows: Booleans) -> Lots:
        """For each of these annotations a lot that holds the scores of its whole item."""
        kept = np.flatnonzero(rows)
        item = self.rest.item[kept]
        order = kept[np.argsort(item, kind="stable")]
        size = np.bincount(item, minlength=len(self.rest.study.items))
        start = np.cumsum(size) - size
        many = size[item]
        of = np.repeat(np.arange(len(kept)), many)
        offset = np.arange(len(of)) - np.repeat(np.cumsum(many) - many, many)
        number = score[order[start[item[of]] + offset]]
        return Lots(self.rest.who[kept], np.ones(len(kept)), of, number, 1 / many[of])

    def _test(self, name: str, p: Floats, difference: Floats, say: Any) -> None:
        self.tests.append(Test(name, p, difference, say))

    # -- labels ----------------------------------------------------------------------------------------------

    def _labels(self) -> None:
        """Kappa with the rest, and the label that is given too often or too seldom."""
        rest, values = self.rest, len(self.rest.study.values)
        rows = np.flatnonzero(rest.compared)
        cells, item = rest.cells, rest.item[rows]
        many = cells.start[item + 1] - cells.start[item]
        of = np.repeat(np.arange(len(rows)), many)
        cell = (
            np.repeat(cells.start[item], many) + np.arange(len(of)) - np.repeat(np.cumsum(many) - many, many)
        )
        row = rows[of]
        own = rest.cell[row] == cell
        size = rest.size[rest.item[row]]
        group = rest.who[row] * values + cells.value[cell]
        shape = (self.people_count, values)
        hers = totals(group, own.astype(np.float64), math.prod(shape)).reshape(shape)
        theirs = totals(group, (cells.votes[cell] - own) / (size - 1), math.prod(shape)).reshape(shape)
        n = np.bincount(rest.who[rows], minlength=self.people_count)[:, None]
        with np.errstate(all="ignore"):
            p, q = hers / n, theirs / n
            observed = 1 - self._mean(np.nan_to_num(rest.apart()), rest.compared)
            chance = (p * q).sum(axis=1)
            self.columns["kappa"] = np.where(1 - chance > 1e-12, (observed - chance) / (1 - chance), np.nan)
        self._bias(p - q, coins(group, np.ones(len(group)), cells.votes[cell], size), hers)

    def _bias(self, difference: Floats, lots: Lots, hers: Floats) -> None:
        shape = difference.shape
        given = hers.reshape(-1)
        p = np.minimum(low_tail(lots, given), high_tail(lots, given)).reshape(shape)
        open_ = np.zeros(given.shape, dtype=bool)
        open_[lots.group] = True
        tried = open_.reshape(shape).sum(axis=1)
        # Of labels that differ alike the first in order of the labels is named.
        most = np.where(np.isnan(difference), 0.0, np.round(np.abs(difference), 12))
        label = np.argmax(most - 1e-13 * self.rest.order[None, :], axis=1)
        people = np.arange(shape[0])
        largest = difference[people, label]
        self.columns["label"] = [
            None if not tried[u] else self.rest.study.values[label[u]] for u in people.tolist()
        ]
        self.columns["label difference"] = np.where(tried > 0, largest, np.nan)
        surest = np.argmin(p, axis=1)
        smallest = np.minimum(p[people, surest] * 2 * tried, 1.0)
        there = difference[people, surest]

        def say(u: int) -> str:
            value = self.rest.study.values[surest[u]]
            often = "more" if there[u] > 0 else "less"
            return f"gives {value!r} {abs(there[u]):.0%} {often} often than others on these items"

        self._test("label", np.where(tried > 0, smallest, np.nan), np.abs(there), say)

    def _from_rest(self) -> None:
        """Alpha with the rest, where values are compared by a distance."""
        expected = self._alpha.disagreement.expected if self._alpha is not None else None
        if expected is None or not expected > 0:
            return
        rest = self.rest
        far = rest.apart() * (rest.largest if rest.bounded else 1.0)
        self.columns["alpha"] = 1 - self._mean(np.nan_to_num(far), rest.compared) / expected

    # -- Dawid and Skene -------------------------------------------------------------------------------------

    def _model(self) -> None:
        try:
            from interagree.aggregation.labels import dawid_skene
        except ImportError:
            self.notes.append("Dawid-Skene and spammer score are left out, since their model is not there")
            return
        if len(self.rest.study.values) ** 2 * self.people_count > WIDEST:
            self.notes.append(
                "Dawid-Skene and spammer score are left out: there are too many labels for their tables"
            )
            return
        try:
            found = dawid_skene(self.rest.study, tolerance=1e-6, rounds=200)
        except (DataError, KindError) as error:
            self.notes.append(f"Dawid-Skene and spammer score are left out: {error}")
            return
        if found.by_answer is None:  # the model says in its notes why it could not be fitted
            self.notes += [f"Dawid-Skene and spammer score are left out: {note}" for note in found.notes]
            return
        self.columns["spammer score"] = found.by_annotator["spammer score"]
        self.columns["dawid-skene"] = np.einsum("ukk->u", found.by_answer) / found.by_answer.shape[1]

    # -- gold ------------------------------------------------------------------------------------------------

    def _against_gold(self) -> None:
        rest, known = self.rest, self.gold or {}
        names = [name for name in rest.study.items if name in known]
        if not names:
            raise none_shared(rest.study, known)
        values, codes = together(rest.study.values, [known[name] for name in names])
        right = np.full(len(rest.study.items), -1, dtype=np.intp)
        right[[place for place, name in enumerate(rest.study.items) if name in known]] = codes
        there = right[rest.item] >= 0
        score = np.zeros(len(rest.item))
        far = (
            (rest.value[there] != right[rest.item[there]]).astype(np.float64)
            if rest.labels
            else rest.within.apart(values)(rest.value[there], right[rest.item[there]])
        )
        score[there] = 1 - far / rest.largest if rest.bounded else far
        n = np.bincount(rest.who[there], minlength=self.people_count)
        value = self._mean(score, there)
        self.columns["gold n"], self.columns["gold"] = n.tolist(), value
        if rest.bounded:
            self.columns["gold low"], self.columns["gold high"] = wilson(value, n, self.level)
        unseen = len(known) - len(names)
        if unseen:
            self.notes.append(f"{counted(unseen, 'gold answer')} for items that nobody annotated left out")
        self._test_gold(score, there & rest.compared)

    def _test_gold(self, score: Floats, rows: Booleans) -> None:
        rest = self.rest
        if rest.labels:
            k = totals(rest.item[rows], score[rows], len(rest.study.items))[rest.item[rows]]
            lots = coins(rest.who[rows], np.ones(len(k)), k, rest.size[rest.item[rows]])
        else:
            lots = self._whole_items(score, rows)
        n = np.bincount(rest.who[rows], minlength=self.people_count)
        sums = totals(rest.who[rows], score[rows], self.people_count)
        with np.errstate(all="ignore"):
            expected, own = mean(lots, self.people_count) / n, sums / n
        worse = expected - own if rest.bounded else (own - expected) / self._usual()
        tail = low_tail if rest.bounded else high_tail
        word = "right" if rest.bounded else "distance to"
        self._test(
            "gold",
            np.where(n > 0, tail(lots, sums), np.nan),
            worse,
            lambda u: f"{word} gold {own[u]:.2f} where others on these items have {expected[u]:.2f}",
        )

    # -- time ------------------------------------------------------------------------------------------------

    def _over_time(self) -> None:
        when, rest = self.when, self.rest
        if when is None:
            return
        self.notes += when.notes
        if when.seconds is not None:
            self.columns["seconds"] = when.seconds
        before, after = when.consecutive(rest.who)
        if rest.labels:
            self._repeats(before, after)
        self._drift(when.order)

    def _repeats(self, before: Indices, after: Indices) -> None:
        rest = self.rest
        kept = rest.compared[after]
        before, after = before[kept], after[kept]
        values = max(len(rest.study.values), 1)
        key = rest.item[after].astype(np.int64) * values + rest.value[before]
        place = np.minimum(np.searchsorted(rest.cells.key, key), len(rest.cells.key) - 1)
        k = np.where(rest.cells.key[place] == key, rest.cells.votes[place], 0.0) if len(key) else np.zeros(0)
        who = rest.who[after]
        lots = coins(who, np.ones(len(k)), k, rest.size[rest.item[after]])
        same = totals(who, (rest.value[before] == rest.value[after]).astype(np.float64), self.people_count)
        n = np.bincount(who, minlength=self.people_count)
        with np.errstate(all="ignore"):
            share, expected = same / n, mean(lots, self.people_count) / n
        self.columns["repeats"], self.columns["repeats expected"] = share, expected
        self._test(
            "repeats",
            np.where(n > 0, high_tail(lots, same), np.nan),
            share - expected,
            lambda u: f"repeats the previous label {share[u]:.0%} of the time, expected {expected[u]:.0%}",
        )

    def _drift(self, order: Indices) -> None:
        rest = self.rest
        order = order[rest.compared[order]]
        who = rest.who[order]
        n = np.bincount(who, minlength=self.people_count)
        start = np.cumsum(n) - n
        half = n // 2
        place = np.arange(len(order)) - start[who]
        early = (place < half[who]) & (half[who] >= HALF)
        one = np.flatnonzero(early)
        two = one + (n - half)[who[one]]  # the middle one of an odd number stands alone
        left = self.score - self._expected[rest.item]
        gap = left[order[two]] - left[order[one]]
        lots = Lots(
            who[one],
            np.ones(len(one)),
            np.tile(np.arange(len(one)), 2),
            np.r_[gap, -gap],
            np.full(2 * len(one), 0.5),
        )
        sums, pairs = (
            totals(who[one], gap, self.people_count),
            np.bincount(who[one], minlength=self.people_count),
        )
        p = np.minimum(2 * np.minimum(low_tail(lots, sums), high_tail(lots, sums)), 1.0)
        with np.errstate(all="ignore"):
            first, second = (
                totals(who[one], self.score[order[at]], self.people_count) / pairs for at in (one, two)
            )
            change = np.abs(sums / pairs) / (1.0 if rest.bounded else self._usual())
        self.columns["first half"], self.columns["second half"] = first, second
        self._test(
            "drift",
            np.where(pairs > 0, p, np.nan),
            change,
            lambda u: (
                f"{'agreement' if rest.bounded else 'distance'} went from {first[u]:.2f} in the first half of "
                f"the time to {second[u]:.2f} in the second"
            ),
        )

    # -- the whole study without her -------------------------------------------------------------------------

    @cached_property
    def _alpha(self) -> Any:
        from interagree.measures.alpha import alpha

        return alpha(self.rest.study, distance=self.rest.distance) if self.rest.compared.any() else None

    def _left_out(self) -> None:
        if self._alpha is None or self._alpha.undefined:
            return
        without = self._alpha.by_annotator()
        self.columns["left out"] = np.array(without["left out"], dtype=np.float64)
        self.columns["change"] = np.array(without["change"], dtype=np.float64)

    # -- who is flagged --------------------------------------------------------------------------------------

    def _flags(self) -> tuple[Floats, Booleans, Booleans]:
        """Adjusted p-values by test and annotator, which of them were tested, and which are flags."""
        stacked = np.array([test.p for test in self.tests])
        tested = ~np.isnan(stacked)
        sure = np.ones(stacked.shape)
        sure[tested] = adjusted(stacked[tested])
        large = np.array([np.nan_to_num(test.difference) for test in self.tests]) >= LEAST
        return sure, tested, (sure <= 1 - self.level) & large & tested

    def _without_the_surest(self, place: int) -> None:
        """Test those again without the surest ones, who are flagged in a test that compares people with one another."""
        gone = np.zeros(self.people_count, dtype=bool)
        for _ in range(ROUNDS):
            test = self.tests[place]
            now = self._flags()[2][place] & ~gone
            if not now.any():
                return
            sure = np.log(np.maximum(test.p, 1e-300))
            gone |= now & (sure <= 0.5 * sure[now].min())
            left = np.flatnonzero(~gone)
            if len(left) < 2:
                return
            again = self._part(gone, AGAIN[test.name], test.name)
            if again is None:
                return
            p, difference = test.p.copy(), test.difference.copy()
            p[left], difference[left] = again.p, again.difference
            self.tests[place] = Test(test.name, p, difference, _either(gone, test.say, left, again.say))

    def _part(self, gone: Booleans, method: str, name: str) -> Test | None:
        """The same test of a study without some annotators."""
        study = self.rest.study
        rest = Rest(
            study.without(*(study.annotators[u] for u in np.flatnonzero(gone).tolist())), self.rest.distance
        )
        when = None if self.when is None else self.when.of(rest.study, ~gone[self.rest.who])
        part = _Making(rest, self.level, None, when)
        getattr(part, method)()
        return next((test for test in part.tests if test.name == name), None)

    # -- all of it -------------------------------------------------------------------------------------------

    def _put_together(self, there: Indices) -> People:
        sure, tested, flags = self._flags()
        self.columns["p"] = np.where(tested.any(axis=0), sure.min(axis=0), np.nan)
        self.columns["flags"] = [
            ", ".join(test.name for test, on in zip(self.tests, flags[:, u], strict=True) if on) or None
            for u in range(self.people_count)
        ]
        reasons = {
            u: self._reasons(u, sure[:, u], flags[:, u]) for u in np.flatnonzero(flags.any(axis=0)).tolist()
        }
        self.columns["reason"] = ["; ".join(reasons.get(u, ())) or None for u in range(self.people_count)]
        order = self._first_to_look_at(flags, there)
        table = self._table(order)
        names = self.rest.study.annotators
        undefined = None
        if not self.rest.compared.any():
            undefined = "no item has two annotators, so that nobody has others to be compared with"
        return People(
            table,
            {names[u]: reasons[u] for u in order if u in reasons},
            self.level,
            int(np.count_nonzero(tested)),
            tuple(self.notes),
            undefined,
        )

    def _reasons(self, u: int, sure: Floats, flags: Booleans) -> tuple[str, ...]:
        said = []
        for test, p, on in zip(self.tests, sure.tolist(), flags.tolist(), strict=True):
            if on:
                said.append(f"{test.say(u)} (p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})")
        return tuple(said)

    def _first_to_look_at(self, flags: Booleans, there: Indices) -> list[int]:
        """Those with flags first, the surest of them on top; the rest by how far they fall below what is expected."""
        worse = np.nan_to_num(self.tests[0].difference, nan=-np.inf)
        n = np.maximum(np.array(self.columns["compared"]), 1)
        named = np.empty(self.people_count)
        named[by_name(self.columns["annotator"])] = np.arange(self.people_count)
        p = np.where(flags.any(axis=0), np.nan_to_num(self.columns["p"], nan=1.0), 1.0)
        order = np.lexsort((named, -worse * np.sqrt(n), p, -flags.sum(axis=0).clip(max=1)))
        kept = set(there.tolist())
        return [int(u) for u in order.tolist() if u in kept]

    def _table(self, order: list[int]) -> Table:
        word = "distance" if not self.rest.bounded else "agreement"
        columns: dict[str, list[Any]] = {}
        for name in ORDER:
            if name not in self.columns:
                continue
            entries = self.columns[name]
            whole = entries.tolist() if hasattr(entries, "tolist") else entries
            column = [whole[u] for u in order]
            if name in {"flags", "reason"} or any(one is not None and one == one for one in column):  # noqa: PLR0124
                columns[word if name == "agreement" else name] = column
        return Table(columns)


def _either(gone: Booleans, before: Any, left: Indices, now: Any) -> Any:
    """What to say of those who were left out, as before, and of the others by their new places."""
    place = np.full(len(gone), -1, dtype=np.intp)
    place[left] = np.arange(len(left))
    return lambda u: before(u) if gone[u] else now(int(place[u]))
