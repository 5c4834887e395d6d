r"""WAWA: worker agreement with aggregate.

$$W_u = \frac{1}{n_u} \sum_{i \in u} s(x_{iu}, y_i)$$

$y_i$ is what the annotators of item $i$ say together: the label of most of them or, under a distance, their medoid.
$s$ is 1 for the same label and 0 for another; under a distance it is one minus the distance where that is bounded, and
else the distance itself.  A distance on a scale, such as the ordinal one, is divided by its largest value.  *Micro*
is the mean over annotations, *macro* the mean over annotators.

Decisions.  The annotator is left out of $y_i$: with their own vote, three annotators who guess between two labels reach
0.75, and without it 0.5; the value with it is given as well.  Of several labels in front every one counts alike
("split": the expected agreement with a random one of them), or the item is skipped ("skip"), or the first in sorted
order is taken ("order"); the order of rows never decides.  An item with one annotator is not counted.

Wilson's interval takes annotations as independent; with scores between 0 and 1 that are not all 0 or 1 it is too wide
rather than too narrow.  The bootstrap draws items.  Intervals of micro and macro are t intervals from the
linearised variance over items, since the annotations of an item share its aggregate.

Zhao, J. (2026). Inter-annotator agreement III (lecture 10, COSI-230B). Brandeis University.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Unpack, get_args

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import KindError, listing
from interagree.findings.leave_one_out import LeaveOneOut, Scores, Ties, by_name
from interagree.results.agreement import Interval, StandardError
from interagree.results.answer import Answer
from interagree.results.chance import relative
from interagree.results.charts import Forest, ThresholdLine
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, as_sentences
from interagree.stats.engine.adjusted import ends_of_share
from interagree.stats.engine.compress import totals
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.shares import check_level, wilson
from interagree.tables import Table, plain_rows

OWN = "own vote in"  # the column of scores against an aggregate that holds the own vote

MOST = 100_000_000  # numbers that a bootstrap draws at most
FEW = 40  # distinct scores up to which a bootstrap draws how often each occurs


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Wawa(Answer):
    """Agreement of annotators with the aggregate: of each, micro and macro."""

    rest: LeaveOneOut
    scores: Scores
    included: Scores
    leave_one_out: bool
    ties: Ties
    least: int
    notes: tuple[str, ...] = ()
    micro: float = field(init=False)  # the mean over annotations; nan where none can be compared
    macro: float = field(init=False)  # the mean over annotators with `least` annotations or more
    micro_included: float = field(init=False)  # the same with the annotator's own vote in the aggregate
    macro_included: float = field(init=False)

    def __post_init__(self) -> None:
        for suffix, scores in (("", self.scores), ("_included", self.included)):
            sums, n = self._sums(scores)
            enough = n >= max(self.least, 1)
            macro = float((sums[enough] / n[enough]).mean()) if enough.any() else math.nan
            object.__setattr__(self, f"micro{suffix}", float(sums.sum() / n.sum()) if n.sum() else math.nan)
            object.__setattr__(self, f"macro{suffix}", macro)

    @property
    def bounded(self) -> bool:
        """Whether values are agreements between 0 and 1; else they are mean distances."""
        return self.rest.bounded

    def _counted(self, scores: Scores) -> Floats:
        there = ~np.isnan(scores.score)
        return (there & ~scores.tied if self.ties == "skip" else there).astype(np.float64)

    @property
    def n(self) -> Floats:
        """How many annotations of each annotator are compared."""
        return totals(self.rest.who, self._counted(self.scores), self.rest.people)

    @property
    def values(self) -> dict[Annotator, float]:
        """The agreement of each annotator."""
        return dict(zip(self.study.annotators, self.by_code(self.scores).tolist(), strict=True))

    @property
    def undefined(self) -> str | None:
        """Why there is no number; None where there is one."""
        if not np.isnan(self.micro):
            return None
        if not self.rest.compared.any():
            return "no item has two annotators, so that nobody has others to agree with"
        return "on every item the aggregate is tied, and ties were skipped"

    @property
    def study(self) -> Annotations:
        """The annotations, the first judgement of each item by each annotator."""
        return self.rest.study

    def _sums(self, scores: Scores) -> tuple[Floats, Floats]:
        weight = self._counted(scores)
        taken = np.where(weight > 0, scores.score, 0.0)
        people = self.rest.people
        return totals(self.rest.who, taken, people), totals(self.rest.who, weight, people)

    def by_code(self, scores: Scores) -> Floats:
        """The mean score of each annotator, in the order of the study; nan where nothing can be compared."""
        sums, n = self._sums(scores)
        with np.errstate(all="ignore"):
            return np.where(n > 0, sums / n, np.nan)

    def interval(self, what: str = "micro", level: float = 0.95) -> Interval | None:
        """The t interval of "micro" or "macro" over items; None where items do not differ or are fewer than two."""
        if what not in ("micro", "macro"):
            raise KindError(f"an interval is of 'micro' or 'macro', not of {what!r}")
        check_level(level)
        weight, rest = self._counted(self.scores), self.rest
        sums, n = self._sums(self.scores)
        value = self.micro if what == "micro" else self.macro
        enough = n >= max(self.least, 1) if what == "macro" else np.ones(len(n), dtype=bool)
        kept = (weight > 0) & enough[rest.who]
        items = len(np.unique(rest.item[kept]))
        if items < 2:
            return None
        if what == "micro":
            pull = (self.scores.score[kept] - value) / n.sum()
        else:
            own = sums / np.maximum(n, 1)
            who = rest.who[kept]
            pull = (self.scores.score[kept] - own[who]) / n[who] / enough.sum()
        by_item = totals(rest.item[kept], pull, len(self.study.items))
        error = math.sqrt(float(by_item @ by_item) * items / (items - 1))
        if error < 1e-12:  # items do not differ, and nothing tells how sure it is
            return None
        found = StandardError(error, items - 1)
        wide = t_quantile((1 + level) / 2, found.df) * error
        low, high = (
            ends_of_share(value, found, items, level) if self.bounded else (max(0.0, value - wide), value + wide)
        )
        return Interval(low, high, level, "t over items, linearised", *found)

    def bootstrap(self, level: float = 0.95, *, resamples: int = 1000, seed: int = 0) -> tuple[Floats, Floats]:
        """For each annotator the percentiles of the mean score over resampled items, nan with fewer than two.

        Items that an annotator did not see do not matter, and those they saw give one score each.
        """
        check_level(level)
        low, high = np.full(self.rest.people, np.nan), np.full(self.rest.people, np.nan)
        kept = np.flatnonzero(self._counted(self.scores))
        score, who = self.scores.score[kept], self.rest.who[kept]
        distinct, place = np.unique(np.round(score, 12), return_inverse=True)
        ends = [(1 - level) / 2, (1 + level) / 2]
        if len(distinct) <= FEW:
            table = np.zeros((self.rest.people, len(distinct)))
            np.add.at(table, (who, place.reshape(-1)), 1)
            # Annotators with the same scores have the same interval, whatever they are called.
            rows, back = np.unique(table, axis=0, return_inverse=True)
            intervals = np.array([_drawn(distinct, row, resamples, seed, ends) for row in rows]).reshape(-1, 2)
            low, high = intervals[back.reshape(-1)].T
        elif len(kept) * resamples <= MOST:
            order = np.lexsort((score, who))
            start = np.searchsorted(who[order], np.arange(self.rest.people + 1))
            for code in range(self.rest.people):
                mine = score[order[start[code] : start[code + 1]]]
                low[code], high[code] = _drawn(mine, np.ones(len(mine)), resamples, seed, ends)
        return low, high

    def table(self, level: float = 0.95) -> Table:
        """For each annotator: compared annotations, agreement, its two intervals, and the value with the own vote."""
        check_level(level)
        n = self.n
        value = self.by_code(self.scores)
        low, high = wilson(value, n, level) if self.bounded else (np.full(len(n), np.nan),) * 2
        boot_low, boot_high = self.bootstrap(level)
        columns = {
            "annotator": list(self.study.annotators),
            "n": n.astype(int).tolist(),
            "agreement" if self.bounded else "distance": value.tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
            "boot low": boot_low.tolist(),
            "boot high": boot_high.tolist(),
            OWN: self.by_code(self.included).tolist(),
        }
        worst = np.where(np.isnan(value), np.inf, value if self.bounded else -value)
        named = np.empty(len(n))
        named[by_name(self.study.annotators)] = np.arange(len(n))
        order = np.lexsort((named, worst)).tolist()
        shown = {name: [column[i] for i in order] for name, column in columns.items()}
        return Table(shown, title=self.headline(), foot="; ".join(self.notes))

    def tables(self, level: float = 0.95) -> dict[str, Table]:
        """The table of annotators."""
        return {"annotators": self.table(level)}

    def chart(self) -> Forest | None:
        """How far each annotator agrees with the aggregate, with intervals."""
        table = self.table()
        column = "agreement" if self.bounded else "distance"
        if not len(table) or column not in table.columns:
            return None
        label = f"{column} {'with' if self.bounded else 'from'} the aggregate"
        marks = [ThresholdLine(self.micro, "all annotations")] if math.isfinite(self.micro) else []
        return estimates(table, column, axis=label, marks=marks, covers=(0.0, 1.0) if self.bounded else (0.0,))

    def document(self, level: float = 0.95) -> Document:
        """Micro and macro agreement in a sentence, and the annotators."""
        table = self.table(level)
        plain = replace(table, title="", foot="")
        shown = relative(plain, self.rest.chance, ("distance",), along=("low", "high", "boot low", "boot high", OWN))
        section = Section(lines=[f"{self}."], table=shown, foot=as_sentences(self.notes))
        return Document("", [section], self.to_dict(level), table)

    def to_dict(self, level: float = 0.95) -> dict[str, object]:
        def ends(what: str) -> dict[str, float] | None:
            interval = self.interval(what, level)
            return None if interval is None else {"low": interval.low, "high": interval.high, "level": level}

        return {
            "measure": "wawa",
            **self.plain("leave_one_out", "ties"),
            "distance": str(self.rest.distance),
            **self.plain("bounded", "micro"),
            "micro_interval": ends("micro"),
            **self.plain("macro"),
            "macro_interval": ends("macro"),
            **self.plain("micro_included", "macro_included", "undefined"),
            "annotators": plain_rows(self.table(level)),
            "notes": list(self.notes),
        }

    def __float__(self) -> float:
        return self.micro

    def __format__(self, spec: str) -> str:
        return format(self.micro, spec) if spec else str(self)

    def headline(self) -> str:
        """What this is, in a few words."""
        what = "agreement with" if self.bounded else f"{self.rest.distance} distance from"
        whom = "the others" if self.leave_one_out else "the aggregate, own vote included"
        return f"WAWA: {what} {whom}"

    def __repr__(self) -> str:
        return f"<WAWA = {self.micro:.3f} ({counted(int((self.n > 0).sum()), 'annotator')})>"

    def __str__(self) -> str:
        if self.undefined:
            return f"WAWA is undefined: {self.undefined}"
        interval = self.interval()
        unit = self.rest.chance or 1.0
        shown = "" if interval is None else f", {interval.divided(unit)}"
        included = f"; with the own vote {self.micro_included / unit:.3f}" if self.leave_one_out else ""
        who = counted(int((self.n > 0).sum()), "annotator")
        means = "" if self.rest.chance is None else " (1 is chance)"
        value = f"{self.headline()}{means} = {self.micro / unit:.3f}"
        return f"{value}{shown} (macro {self.macro / unit:.3f}, {who}{included})"


def _drawn(scores: Floats, times: Floats, resamples: int, seed: int, ends: list[float]) -> tuple[float, float]:
    n = int(times.sum())
    if n < 2:
        return math.nan, math.nan
    if np.count_nonzero(times) == 1:
        only = float(scores[np.argmax(times)])
        return only, only
    rng = np.random.default_rng(seed)
    sums = np.zeros(resamples)
    block = max(1, 4_000_000 // len(scores))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        sums[start : start + size] = rng.multinomial(n, times / times.sum(), size=size) @ scores
    low, high = np.quantile(sums / n, ends).tolist()
    return low, high


@takes_data
def wawa(
    data: IntoAnnotations,
    *others: Values,
    leave_one_out: bool = True,
    ties: Ties = "split",
    distance: IntoDistance | None = None,
    least: int = 1,
    **reading: Unpack[ReadingOptions],
) -> Wawa:
    """Worker agreement with aggregate: how often each annotator agrees with what the others say together.

    Args:
        data: Annotations.
        leave_one_out: Whether the annotator's own vote is left out of the aggregate; with it, agreement is too high.
        ties: What to do where several labels are in front: "split" takes the mean over them, "skip" leaves the item
            out, "order" takes the first in sorted order.
        distance: How far apart values are; the aggregate is then the medoid.  By default the usual distance of the
            kind of value: for labels the same or not, so that the aggregate is the majority.
        least: How many compared annotations an annotator needs to count in the macro mean.

    Returns:
        The agreement of each annotator with the others, and its mean over annotations and over annotators.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
        >>> round(ia.people.wawa(labels).micro, 3)
        0.778
    """
    if ties not in get_args(Ties):
        raise KindError(f"ties are dealt with by {listing(get_args(Ties))}, not by {ties!r}")
    if least < 1:
        raise KindError(f"least is a number of annotations from 1 up, got {least!r}")
    rest = LeaveOneOut.of(data, distance, "WAWA")
    included = rest.everybody(ties)
    scores = rest.others(ties) if leave_one_out else included
    notes = [*rest.notes]
    alone = int(np.count_nonzero(rest.size == 1))
    if alone:
        notes.append(f"{counted(alone, 'item')} with one annotator left out")
    if ties == "skip" and scores.tied.any():
        tied = counted(int(np.count_nonzero(scores.tied)), "annotation")
        notes.append(f"{tied} left out because the aggregate is tied")
    made = Wawa(rest, scores, included, leave_one_out, ties, least)
    few = int(np.count_nonzero((made.n < least) & (np.bincount(rest.who, minlength=rest.people) > 0)))
    if few and least > 1:
        notes.append(f"{counted(few, 'annotator')} with fewer than {least} compared annotations left out of macro")
    elif few:
        notes.append(f"{counted(few, 'annotator')} with nobody to be compared with")
    return replace(made, notes=tuple(notes))
