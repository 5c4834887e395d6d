r"""The annotators' table: one row for each, what to look at first on top, and flags that do not accuse the innocent.

Every test asks whether an annotator differs from *the others on the same items*.  If all annotators were alike, each of
the $m$ labels of an item might as well be theirs: what an annotator says of the item is a draw from its labels, and
draws of different items are independent.  So the number of agreements, of right answers, or of times that a label was
given is a sum of independent draws whose chances the item states, whether items are easy or hard, few or many.  The
tails of such sums are exact or bounded, not approximated (see `tail_bounds`), so that p-values are too large rather
than too small.  An annotator who shares items with a careless one looks better by it, not worse.

* *agreement*: agreement with the majority (or medoid) of the others is lower than expected on these items.
* *gold*: fewer answers are right than expected of those who answered the same items.
* *label*: one label is given more or less often; the smallest p-value counts, times twice the number of labels.
* *shift*: numbers, or places on a scale, are higher or lower than those that others gave the same items.
* *repeats*: in the order of time, the previous label is repeated more often than the labels of the next item make
  likely.
* *drift*: agreement, less that expected, changes in the course of the annotator's time, at once or bit by bit: the
  first annotation is paired with the last, the second with the last but one, and signs of differences are exchanged.
  Pairs weigh by the square root of their distance in time.  Of numbers and scales, how much higher than others
  somebody is counts as well, and the smaller p-value is doubled.

An annotator who labels beside one who is biased or tires differs from *that one*, in the other direction.  So those who
are flagged for *label*, *shift* or *drift* most surely are left out and the others tested again without them, until
nobody is added.  Who was left out is then tested once more, beside those who were not, and the larger p-value counts:
two who share a bias are both named, and the others are cleared.

P-values are adjusted over all annotators and tests (Benjamini & Yekutieli 2001), and one is flagged where the adjusted
p-value is at most one minus the level and the difference at least 0.05, since with many annotations trifles are sure.
For *agreement* it is how much farther they are from the others than these are from one another, on items with three
annotations or more: of two, each is as far from the other.

*Kappa* is that of one annotator and a group (Schouten 1982, Vanbelle & Albert 2009): $P_o$ is the mean share of others
who gave the same label, $P_e = \sum_v p_v q_v$ with their shares $p$ and the mean shares $q$ of the others on the
same items.  Under a distance it is alpha with the rest, one minus their mean distance to the others over the
disagreement expected in the study.  The *spammer score* is $\frac{1}{C(C-1)} \sum_{c<c'} \sum_k (A_{ck} - A_{c'k})^2$
of the confusion matrix $A$ that Dawid and Skene's model gives them (Raykar & Yu 2012): 0 where what they say does not
depend on the truth, 1 where it tells the truth exactly.

Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are judged by the same
observers. Statistica Neerlandica 36(2), 45-61.
Vanbelle, S. & Albert, A. (2009). Agreement between an isolated rater and a group of raters. Statistica Neerlandica
63(1), 82-100.
Raykar, V. C. & Yu, S. (2012). Eliminating spammers and ranking annotators for crowdsourced labeling tasks. Journal of
Machine Learning Research 13, 491-518.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from interagree.crowd.fitting import SPAMMER_SCORE, shown_names
from interagree.crowd.scoring import Gold, answers
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import Advice, DataError, Wording, listing
from interagree.findings import Finding
from interagree.findings.annotator_tests import AnnotatorTests
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.findings.times import Time, times_of
from interagree.people.columns import column
from interagree.results.answer import Headed
from interagree.results.chance import OF_CHANCE, relative
from interagree.results.charts import Forest
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, as_sentences, one_per_line
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, cell, plain_rows

ROOM = 100  # letters that a row of the table may take
NAMED = 12  # reasons that are written out
# Columns of distances, where annotators are compared by one: the distance itself, and what is measured as it is.
DISTANCES = ("distance", "low", "high", "expected", "gold", "gold low", "gold high", "first half", "second half")
HALVES = ("low", "gold low", "label")  # columns that say little without the next one

# Columns by what they are for; a narrow terminal gets the first ones.
PER_ANNOTATION = 350  # bytes of memory that all tests of annotators take for each annotation
ORDER = (
    *("annotator", "flags", "n", "agreement", "low", "high", "expected", "kappa", "alpha"),
    *("gold", "gold low", "gold high", "gold n", "seconds", "repeats", "repeats expected", "first half"),
    *(
        "second half",
        "label",
        "label difference",
        "shift",
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
    "shift": "how much higher the annotator's values are than those of the others on the same items; steps of a scale",
    "spammer score": SPAMMER_SCORE,
    "dawid-skene": "the mean chance of a right answer over the labels, by Dawid and Skene's model",
    "left out": "alpha of the study without the annotator",
    "change": "how much alpha changes without the annotator: above 0 it would be higher",
}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class People(Headed):
    """The annotators of a study, in the order in which to look at them."""

    rows: Table
    deviations: Mapping[Annotator, tuple[Finding, ...]]  # what the tests found of those with flags
    level: float
    tests: int  # how many p-values were adjusted together
    notes: tuple[str, ...] = ()
    undefined: str | None = None
    chance: float | None = None  # what distances are divided by before people see them; None for agreement

    @property
    def reasons(self) -> dict[Annotator, tuple[str, ...]]:
        """Why annotators are flagged, in sentences."""
        return {name: tuple(why.sentence for why in found) for name, found in self.deviations.items()}

    def tables(self) -> dict[str, Table]:
        """One row for each annotator, columns without any entry left out."""
        return {"annotators": self.rows}

    def legend(self, columns: Iterable[str] | None = None) -> tuple[str, ...]:
        """What some columns mean, or all that are there, a sentence for each."""
        there = self.rows.columns if columns is None else columns
        return tuple(f"{name}: {MEANING[name]}" for name in there if name in MEANING)

    def flagged(self) -> Table:
        """The annotators with flags alone."""
        return self.rows.where(lambda row: bool(row["flags"]))

    def chart(self) -> Forest | None:
        """How far each annotator agrees with the others, with intervals."""
        column = next((name for name in ("agreement", "distance") if name in self.rows.columns), None)
        if self.undefined or column is None or not {"low", "high"} <= {*self.rows.columns}:
            return None
        near = column == "agreement"
        axis = "agreement with the majority of the others" if near else "distance from the value nearest to the others"
        return estimates(self.rows, column, axis=axis, covers=(0.0, 1.0) if near else (0.0,), words=self.headline())

    def document(self, *, top: int = 20, width: int = ROOM) -> Document:
        """The flags with their reasons, and the annotators to look at first.

        Args:
            top: How many annotators to show.
            width: How many letters a row may take; columns beyond are left to the data.
        """
        everything = Wording(".table()", "--csv and --json")
        reasons = [f"- {name}: {'; '.join(why)}." for name, why in [*self.reasons.items()][:NAMED]]
        more = len(self.reasons) - NAMED
        if more > 0:
            reasons.append(Advice(f"- and {more:,} more, all of them in {everything}.", [everything]))
        rows = relative(self.rows, self.chance, DISTANCES[:1], along=DISTANCES[1:], foot=False)
        shown = _fitting(shown_names(rows.head(top)), width)
        title = "Annotators, what to look at first on top"
        if len(self.rows) > top:
            title = f"The first {top} of {len(self.rows):,} annotators"
        named = zip(self.rows.columns, shown_names(rows).columns, strict=True)
        there = [name for name, label in named if label in shown.columns]
        hidden = [
            name
            for name in self.rows.columns
            if name not in there and name != "reason" and (name != "flags" or self.reasons)
        ]
        sections = [Section(lines=[f"{self.headline()}."])]
        if reasons:
            sections.append(Section("Flags", reasons))
        if len(shown):
            sections.append(Section(title, table=shown, flag="flags"))
        foot = one_per_line(
            (
                *as_sentences(self.legend(there)),
                *([] if self.chance is None else as_sentences([OF_CHANCE])),
                Advice(f"Further columns in {everything}: {listing(hidden, quote=False, most=20)}.", [everything])
                if hidden
                else "",
                *as_sentences(self.notes, capital=True),
            )
        )
        return Document("", [*sections, Section(foot=foot)], self.to_dict(), self.rows)

    def to_dict(self) -> dict[str, object]:
        return {
            "annotators": plain_rows(self.rows),
            "flagged": len(self.reasons),
            **self.plain("tests", "level", "undefined", "notes"),
        }

    def headline(self) -> str:
        if self.undefined:
            return f"Annotators cannot be compared: {self.undefined}"
        count, flagged = len(self.rows), len(self.reasons)
        flags = f"{flagged:,} flagged" if flagged else "none flagged"
        return f"{counted(count, 'annotator')}, {flags} ({counted(self.tests, 'test')}, adjusted together)"

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        reasons = [f"{name}: {'; '.join(why)}" for name, why in self.reasons.items()]
        return "\n".join([f"{self.headline()}.", *reasons])


def _fitting(table: Table, width: int) -> Table:
    """The first columns that fit, without reasons and without flags where there are none."""
    kept: dict[str, Sequence[object]] = {}
    used = -2
    for name, entries in table.columns.items():
        if name == "reason" or (name == "flags" and not any(entries)):
            continue
        used += 2 + max(map(len, [name, *map(cell, entries)]))
        if used > width and len(kept) > 2:
            break
        kept[name] = entries
    last = next(reversed(kept), None)
    if last in HALVES and last != [*table.columns][-1]:
        del kept[last]
    return replace(table, columns=kept)


@takes_data
def annotators(
    data: IntoAnnotations,
    *others: Values,
    gold: Gold | None = None,
    time: str | Iterable[Time] | None = None,
    level: float = 0.95,
    distance: IntoDistance | None = None,
    **reading: Unpack[ReadingOptions],
) -> People:
    """One table of all annotators: agreement with the rest, gold, bias, speed, drift, and flags with reasons.

    Args:
        data: Annotations.
        gold: Right answers: a mapping of items to values, or a study with one annotation for each item.
        time: When annotations were given: the name of a column, or one time for each annotation.
        level: The level of intervals; somebody is flagged at an adjusted p-value of one minus it.
        distance: How far apart values are; by default the usual distance of the kind of value.

    Returns:
        The annotators, those to look at first on top, with the reasons of those who are flagged.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
        >>> ia.annotators(labels).table()["annotator"]
        ['bo', 'ann', 'cy']
    """
    check_level(level)
    study = as_annotations(data)  # Dawid and Skene's model names items
    rest = LeaveOneOut.of(study, distance, "a table of annotators", each=PER_ANNOTATION)
    times = None if time is None else times_of(rest.study, _column(rest.study, time))
    right = None if gold is None else answers(gold, rest.study, rest.study.items)
    screened = AnnotatorTests(rest, level, right, times).run()
    undefined = "no item has two annotators, so that nobody has others to be compared with"
    return People(
        _table(screened.columns, "agreement" if rest.bounded else "distance"),
        screened.reasons,
        level,
        screened.tests,
        screened.notes,
        None if rest.compared.any() else undefined,
        rest.chance,
    )


def _table(columns: Mapping[str, Sequence[object]], what: str) -> Table:
    kept = {
        what if name == "agreement" else name: columns[name]
        for name in ORDER
        if name in ("flags", "reason") or not all(entry is None or entry != entry for entry in columns.get(name, ()))  # noqa: PLR0124 -- only nan differs from itself
    }
    return Table(kept)


def _column(study: Annotations, time: str | Iterable[Time]) -> Iterable[Time]:
    if isinstance(time, str):
        return column(study, time, "of times")
    times = [*time]
    if len(times) != len(study):
        raise DataError(
            f"there are {len(times)} times for {len(study)} annotations; give one for each, or the name of a column"
        )
    return times
