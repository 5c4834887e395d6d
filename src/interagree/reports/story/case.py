"""What every part of the story asks of a measured question, and how its advice is spelled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from interagree.data import Annotations
from interagree.data.types import Annotator
from interagree.distances import IntoDistance, find
from interagree.errors import KindError, Wording, shell
from interagree.people.leave_one_out import LeaveOneOut
from interagree.people.times import Times, annotation_order, times_of
from interagree.reports.choose import Choice
from interagree.reports.parts import IntervalOptions, Part
from interagree.results.agreement import Agreement
from interagree.stats.pairs.item_pairs import Pairs

# At which p-values something is named: together 5 %, so that of 100 studies without a flaw 95 are accused of none.  The
# test of annotators covers five habits, and gets the larger part; that of labels has what the ends of spans leave, as
# no study has both.
OF_PEOPLE = 0.02
OF_LABELS = 0.015
OF_OTHERS = 0.0075
SLOW = 3_000  # pairs of complex values
MOST = 200_000  # annotations that are tested; of more, items are drawn
MOST_PAIRS = {True: 20_000, False: 40_000}  # … and pairs of them under a distance, by whether values are complex
NAMED = 5  # names that are written out


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands out, what it costs, and what to do about it."""

    kind: (
        str  # "annotator", "labels", "items", "boundaries", "ends", "pair", "reading", "amount", "overlap", "one value"
    )
    sentence: str
    gain: float  # how much higher the leading coefficient would be; 0 where that is not the point
    command: Wording | None
    about: Mapping[str, object] = field(default_factory=dict)
    short: str = ""  # a clause for the verdict
    who: tuple[Annotator, ...] = ()  # whom it is about


@dataclass(frozen=True)
class Case:
    """A measured question and its leading coefficient."""

    part: Part
    intervals: IntervalOptions
    lead: Agreement

    @property
    def study(self) -> Annotations:
        """The annotations that are measured."""
        return self.part.study

    @property
    def symbol(self) -> str:
        """What the leading coefficient is called in a sentence."""
        return called(self.lead)

    @cached_property
    def choice(self) -> Choice:
        """The measure behind the leading coefficient, with its options."""
        return self.part.choices[next(k for k, result in enumerate(self.part.results) if result is self.lead)]

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

    def instead(self, value: float) -> str:
        """What the coefficient would be, in words; empty where that is not known."""
        if math.isnan(value):
            return ""
        return f"{self.symbol} would be {two_digits(value)} instead of {two_digits(self.lead.value)}"

    # -- what is tested --------------------------------------------------------------------------------------

    @cached_property
    def tested(self) -> Annotations:
        """The first judgements of the study; of a large one, items that are drawn."""
        study = self.study if self.study.anonymous else self.study.first_judgements()
        sizes = study.sizes()
        share = min(1.0, MOST / max(len(study), 1))
        if study.kind.complex or study.kind in ("numbers", "ordered", "sets"):
            pairs = float((sizes * (sizes - 1.0) / 2).sum())
            share = min(share, MOST_PAIRS[study.kind.complex] / max(pairs, 1.0))
        if share >= 1:
            return study
        kept = np.random.default_rng(self.intervals.seed).random(len(study.items)) < share
        return study.items_where(kept)

    @property
    def cut(self) -> str:
        """What is said where only some of the items were tested."""
        tested, there = len(self.tested.items), len(self.study.items)
        if tested == there:
            return ""
        return (
            f"What to do next was tested on {tested:,} of the {there:,} items, drawn at random from seed "
            f"{self.intervals.seed}."
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

    # -- commands ----------------------------------------------------------------------------------------------

    def command(self, name: str, python: str, *words: str, several: bool = False) -> Wording | None:
        """A call in Python, in which ``{}`` is the study, and the same as a command on the file that was read.

        Args:
            name: The command.
            python: The call.
            words: Further words of the command.
            several: Whether the command takes several files as one study.
        """
        study = f"study[{self.part.name!r}]" if self.part.name else "study"
        asked = self.part.again or "FILE"
        if "--together" in asked and not several:
            return None
        # Who is chosen is chosen by name, which a report with pseudonyms must not tell.
        if "--pseudonyms" in asked and any(option in [*asked.split(), *words] for option in ("--without", "--only")):
            return None
        return Wording(python.replace("{}", study), " ".join([f"interagree {name} {asked}", *_spelled(words)]))

    def measuring_without(self, names: Sequence[Annotator]) -> Wording | None:
        """The command that measures the leading coefficient without some annotators."""
        left_out = [word for name in names for word in ("--without", str(name))]
        return self.measuring(f"{{}}.without({', '.join(map(repr, names))})", *left_out)

    def measuring(self, study: str, *words: str) -> Wording | None:
        """The command that measures the leading coefficient; ``{}`` in ``study`` is the study."""
        spec = _spec(self.choice)
        if spec is None:
            return None
        options = "".join(f", {name}={option!r}" for name, option in self.choice.options.items())
        call = f"interagree.{self.choice.facts.name}({study}{options})"
        return self.command("measure", call, "-m", spec, *words, several=True)


def _spelled(words: Iterable[str]) -> list[str]:
    return [shell([word]) for word in words]


def _spec(choice: Choice) -> str | None:
    """A measure with its options as the command line takes it; None where an option cannot be spelled."""
    if not all(isinstance(option, str | int | float) for option in choice.options.values()):
        return None
    spelled = ",".join(f"{name}={option}" for name, option in choice.options.items())
    return f"{choice.facts.name}:{spelled}" if spelled else choice.facts.name


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


def names_of(names: Sequence[object], most: int = NAMED) -> str:
    """Names in a sentence, the first few of many."""
    shown = [str(name) for name in names]
    if len(shown) > most:
        return f"{len(shown):,} annotators ({', '.join(shown[:most])}, …)"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def p_words(p: float) -> str:
    """A p-value as reports print it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
