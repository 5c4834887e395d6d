"""What every part of the story asks of a measured question, and how its advice is spelled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from interagree.choose import Choice
from interagree.data import Annotations
from interagree.data.types import Annotator
from interagree.distances import IntoDistance, find
from interagree.errors import KindError
from interagree.findings.calls import Call
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.findings.times import Times, annotation_order, times_of
from interagree.results.agreement import Agreement, Interval
from interagree.stats.pairs.item_pairs import Pairs

# At which p-values something is named: together 5 %, so that of 100 studies without a flaw 95 are accused of none.  The
# tests of annotators cover most habits, and get the larger part; slips that can be undone leave no doubt where they are
# there, and need little.
OF_PEOPLE = 0.02
OF_LABELS = 0.01
OF_OTHERS = 0.005
OF_REPAIRS = 0.005
SLOW = 3_000  # pairs of complex values
MOST = 200_000  # annotations that are tested; of more, items are drawn
MOST_PAIRS = {True: 20_000, False: 40_000}  # … and pairs of them under a distance, by whether values are complex


@dataclass(frozen=True)
class Case:
    """A study and its leading coefficient, and how the user came by it."""

    study: Annotations  # what is measured
    choice: Choice  # the measure behind the leading coefficient, with its options
    lead: Agreement
    interval: Interval | None = None
    level: float = 0.95
    of_items: bool = True  # whether the interval is for other items, one by one
    seed: int = 0
    name: str = ""  # of the question, where there are several
    again: str = ""  # the file and how it is read, as words of a further command
    guessed: bool = True  # whether nobody said of what kind the values are
    mended: Annotations | None = None  # what is tested, without slips that were found already

    @property
    def symbol(self) -> str:
        """What the leading coefficient is called in a sentence."""
        return called(self.lead)

    def value_of(self, study: Annotations) -> float:
        """The leading coefficient of another study; nan where it has none."""
        try:
            return self.choice.of(study).value
        except KindError:
            return math.nan

    def without(self, names: Sequence[Annotator]) -> float:
        """The leading coefficient without some annotators; nan where no two are left."""
        if len(self.study.annotators) - len(names) < 2:
            return math.nan
        if len(names) == 1 and self._slow and self.lead.engine.drillable:  # the report has a table of these
            table = self.lead.by_annotator()
            return float(dict(zip(table["annotator"], table["left out"], strict=True))[names[0]])
        return self.value_of(self.study.without(*names))

    @property
    def _slow(self) -> bool:
        """Whether to measure once more takes long: many pairs of complex values."""
        sizes = self.study.sizes()
        return self.study.kind.complex and float((sizes * (sizes - 1.0) / 2).sum()) > SLOW

    # -- what is tested --------------------------------------------------------------------------------------

    @cached_property
    def tested(self) -> Annotations:
        """The first judgements of the study; of a large one, items that are drawn."""
        if self.mended is not None:
            return self.mended
        study = self.study if self.study.anonymous else self.study.first_judgements()
        sizes = study.sizes()
        share = min(1.0, MOST / max(len(study), 1))
        if study.kind.complex or study.kind in ("numbers", "ordered", "sets"):
            pairs = float((sizes * (sizes - 1.0) / 2).sum())
            share = min(share, MOST_PAIRS[study.kind.complex] / max(pairs, 1.0))
        if share >= 1:
            return study
        kept = np.random.default_rng(self.seed).random(len(study.items)) < share
        return study.items_where(kept)

    @property
    def cut(self) -> str:
        """What is said where only some of the items were tested."""
        tested, there = len(self.tested.items), len(self.study.items)
        if tested == there:
            return ""
        return (
            f"What to do next was tested on {tested:,} of the {there:,} items, drawn at random from seed {self.seed}."
        )

    @cached_property
    def rest(self) -> LeaveOneOut:
        """Each annotation beside the others of its item, under the distance of the leading coefficient."""
        distance: IntoDistance | None = self.lead.options.get("distance") if self.lead.measure.name == "alpha" else None
        rest = LeaveOneOut.of(self.tested, distance, "the story of a study")
        pairs = getattr(self.lead.engine, "statistic", None)
        if isinstance(pairs, Pairs) and pairs.distances.study is rest.study and rest.study.kind.complex:
            known = pairs.distances  # which take long, and are computed already
            rest.within.pairs = known.rows[known.first], known.rows[known.second], known.far
        return rest

    @cached_property
    def beside_others(self) -> LeaveOneOut:
        """The same for tests of annotators: numbers that were taken as labels, but may be a scale, have distances."""
        sizes = self.tested.sizes()
        few = float((sizes * (sizes - 1.0) / 2).sum()) <= MOST_PAIRS[False]
        if few and self.rest.labels and self.tested.recognised.doubt == "ordered":
            return LeaveOneOut(self.tested, find("interval"))
        return self.rest

    @cached_property
    def time(self) -> str | None:
        """The column that says when an annotation was given, where there is one."""
        timed = annotation_order(self.tested)
        return None if timed is None else timed[0]

    def times(self, rest: LeaveOneOut) -> Times | None:
        """When annotations were given; None where nothing tells."""
        return None if self.time is None else times_of(rest.study, rest.study.attributes[self.time])

    # -- what to do --------------------------------------------------------------------------------------------

    @property
    def coefficient(self) -> dict[str, object]:
        """What words about the leading coefficient need."""
        return {"symbol": self.symbol, "value": self.lead.value}

    def call(self, command: str, *, several: bool = False, **options: Any) -> tuple[Call, ...]:
        """A command on the study that was read; none where it cannot be given.

        Args:
            command: The command.
            several: Whether it takes several files as one study.
            options: Its options, under the names that Python gives them.
        """
        asked = self.again or "FILE"
        if not several:  # all files are one study to such a command
            asked = asked.replace(" --together", "")
        # Who is chosen is chosen by name, which a report with pseudonyms must not tell.
        if "--pseudonyms" in asked and ("without" in options or {"--without", "--only"} & {*asked.split()}):
            return ()
        return (Call(command, options, self.name, asked),)

    def measuring(self, **options: Any) -> tuple[Call, ...]:
        """The call that measures the leading coefficient; none where one of its options cannot be spelled."""
        if not all(isinstance(option, str | int | float) for option in self.choice.options.values()):
            return ()
        measures = [(self.choice.facts.name, dict(self.choice.options))]
        return self.call("measure", several=True, measures=measures, **options)


def called(result: Agreement) -> str:
    """What a coefficient is called within a sentence: its symbol where that says enough, else its title."""
    facts = result.measure
    if facts.name == "icc":
        return str(result.options.get("form") or facts.symbol)
    if len(facts.symbol) > 2 or facts.name in ("alpha", "gamma", "u_alpha"):
        return facts.symbol
    first, _, rest = facts.title.partition(" ")
    name = first.endswith(("'s", "s'")) or first.isupper() or not first.isalpha()
    return facts.title if name else f"{first.lower()} {rest}".rstrip()


def two_digits(number: float) -> str:
    """A number with two digits, and no minus before a zero."""
    return f"{round(number, 2) + 0.0:.2f}"
