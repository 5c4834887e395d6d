r"""Preferences: which of two answers is better, and does the place where an answer is shown decide?

A judgement names the answer that was preferred, or says that there is a tie; a column says which answer was shown
first.  Three questions:

* **Position bias.**  The share of judgements, ties left out, that prefer the answer shown first, with Clopper and
  Pearson's exact interval and the exact binomial test against one half.  If the better answer was shown first more
  often than not this share is above one half without any bias; so where items were judged in both orders, those that
  were judged differently tell more: the first place won both times, or the second did.  An exact sign test
  of the two counts is free of which answer is better.
* **Order-swap consistency.**  The share of items judged in both orders that were judged alike.
* **Agreement with people.**  An annotator who judged an item more than once counts with the answer they always gave,
  and with a tie where their answers differ (Zheng and others 2023).

Ties can be read in three ways: ``"half"`` puts a tie halfway between the two answers, so that a tie
beside a preference is half an agreement; ``"label"`` makes it a third answer; ``"left out"`` drops judgements that are
ties.

Zheng, L. and others (2023). Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena. NeurIPS 2023, Datasets and
Benchmarks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from interagree.arrays import Indices
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator, Value, Values
from interagree.declare import takes_repeats
from interagree.errors import DataError, Hint, KindError, listing
from interagree.judging.sides import Names, sides
from interagree.people.columns import column
from interagree.people.item_means import Mean, ratio
from interagree.people.judgement_pairs import identified
from interagree.results.answer import Answer
from interagree.results.charts import Forest, ThresholdLine
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, as_sentences
from interagree.stats.engine.shares import at_least, check_level, exact
from interagree.tables import Table, plain_rows

Ties = Literal["half", "label", "left out"]
TIES_EXPLAINED: dict[str, str] = {
    "half": "a tie lies halfway between the two answers",
    "label": "a tie is an answer of its own",
    "left out": "judgements that are ties are left out",
}
BALANCED = 0.1  # how far from one half the share of an order may be before a note says so
TIE = -1  # the code of a tie; the two answers are 0 and 1

Answers: TypeAlias = Mapping[Annotator, Mapping[int, int]]
"""The answer of each annotator to each item."""


class Share(NamedTuple):
    """A share of so many, with its interval."""

    value: float
    low: float
    high: float
    of: int


@dataclass(frozen=True, slots=True)
class Position:
    """What the place of an answer does to one annotator."""

    annotator: Annotator
    first: Share  # how often the answer shown first was preferred, ties left out
    p_value: float  # of one half; nan where there is no judgement
    swapped: int  # items judged in both orders
    consistent: Share  # how many of them alike
    first_twice: int  # judged differently: the first place won both times
    second_twice: int
    swap_p_value: float  # of those two being equally likely; nan where there are none

    @property
    def p(self) -> float:
        """The test that is free of which answer is better where there is one, else that of one half."""
        return self.p_value if math.isnan(self.swap_p_value) else self.swap_p_value

    @property
    def leaning(self) -> str:
        """The place that is preferred."""
        gap = self.first_twice - self.second_twice if not math.isnan(self.swap_p_value) else self.first.value - 0.5
        return "first" if gap > 0 else "second"

    def __str__(self) -> str:
        if math.isnan(self.p):
            return f"{self.annotator}: position bias cannot be tested, since all judgements are ties"
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        biased = f"leans to the answer shown {self.leaning}" if self.p < 0.05 else "no sign of position bias"
        same = (
            ""
            if not self.consistent.of
            else f"; {self.consistent.value:.0%} of {self.consistent.of:,} items judged the same in both orders"
        )
        return f"{self.annotator}: {biased} ({self.first.value:.0%} for the first, {p}){same}"


@dataclass(frozen=True, slots=True)
class Preferences(Answer):
    """Position bias, consistency and agreement of those who judged pairs of answers."""

    positions: tuple[Position, ...]
    pairs: Table  # every two annotators: how they agree
    models: Table  # every model: how it agrees with people
    ties: Ties
    notes: tuple[str, ...] = ()

    def tables(self) -> dict[str, Table]:
        """Position bias and consistency of each annotator, agreement with people, and every two annotators."""
        positions = [
            {
                "annotator": position.annotator,
                "judgements": position.first.of,
                "first preferred": position.first.value,
                "low": position.first.low,
                "high": position.first.high,
                "p": position.p_value,
                "both orders": position.swapped,
                "consistent": position.consistent.value,
                "from": position.consistent.low,
                "to": position.consistent.high,
                "first twice": position.first_twice,
                "second twice": position.second_twice,
                "swap p": position.swap_p_value,
            }
            for position in self.positions
        ]
        return {"positions": Table.of(positions), "preferences of models": self.models, "preferences": self.pairs}

    def chart(self) -> Forest | None:
        """How often each annotator prefers the answer shown first."""
        if not self.positions:
            return None
        marks = [ThresholdLine(0.5, "no position bias")]
        axis = "share of judgements for the answer shown first"
        words = "; ".join(map(str, self.positions))
        return estimates(self.table().without("judgements"), "first preferred", axis=axis, words=words, marks=marks)

    def document(self) -> Document:
        """Position bias, agreement with people, and every two annotators."""
        sections = [
            *self.sections(),
            Section("Every two annotators", table=self.pairs),
            Section(foot=as_sentences(self.notes)),
        ]
        return Document("", sections, self.to_dict(), self.table())

    def sections(self) -> list[Section]:
        """Position bias and agreement with people, as sections of a larger document."""
        sections = [Section("Position", [f"{position}." for position in self.positions], self.table())]
        if len(self.models):
            sections.append(Section("Preferences beside those of people", table=self.models))
        return sections

    def to_dict(self) -> dict[str, object]:
        return {"ties": self.ties, "positions": plain_rows(self.table()), **self.plain("pairs", "models", "notes")}

    def __str__(self) -> str:
        return "\n".join(map(str, self.positions))


@takes_repeats
def preferences(
    data: IntoAnnotations,
    *others: Values,
    order: str = "order",
    models: Names | None = None,
    humans: Names | None = None,
    tie: Value = "tie",
    ties: Ties = "half",
    level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Preferences:
    """Position bias, order-swap consistency and agreement of preferences between two answers.

    Args:
        data: A study, or anything `Annotations.of` takes, whose values name the preferred answer; read with
            ``duplicates="keep"`` where one annotator judged an item in both orders.
        order: The column that says which answer was shown first, as ``"A"``, or the two in order, as ``"AB"`` or
            ``"A,B"``.
        models: The annotators that are models, to be held against people.
        humans: The people, by name or pattern; by default all annotators who are not models.
        tie: The value that means that neither is better.
        ties: How ties are read: "half", "label" or "left out".
        level: The level of the intervals.

    Returns:
        Position bias and consistency of each annotator, and how annotators agree.

    Examples:
        >>> import interagree as ia
        >>> judged = [(item, "gpt", first, first) for item in (1, 2, 3) for first in ("A", "B")]
        >>> rows = [dict(zip(("item", "annotator", "value", "order"), row)) for row in judged]
        >>> print(ia.judging.preferences(rows))
        gpt: no sign of position bias (100% for the first, p = 0.250); 0% of 3 items judged the same in both orders
    """
    check_level(level)
    if ties not in TIES_EXPLAINED:
        raise KindError(f"ties are read as 'half', 'label' or 'left out'; got {ties!r}")
    study = identified(data)
    answers = _two_answers(study, tie)
    shown = _orders(study, order, answers)
    codes = [TIE if value not in answers else answers.index(value) for value in study.values]
    preferred = np.array(codes, dtype=np.intp)[study.value]
    names = sorted(study.annotators, key=str)
    positions = tuple(
        _position(name, study.item[rows], preferred[rows], shown[rows], ties, level)
        for name in names
        if (rows := study.annotator == study.annotator_code(name)).any()
    )
    by_annotator = _by_annotator(study, preferred, ties)
    ours, people = sides(study, models, humans, required=False)
    return Preferences(
        positions,
        _pairs(by_annotator, names, level, ties),
        _with_people(by_annotator, ours, people, level, ties),
        ties,
        (TIES_EXPLAINED[ties], *_unbalanced(shown, answers)),
    )


def _two_answers(study: Annotations, tie: Value) -> tuple[Value, Value]:
    used = [study.values[code] for code in np.unique(study.value).tolist()]
    answers = sorted((value for value in used if value != tie), key=str)
    if len(answers) == 1:
        declared = [value for value in study.values if value not in (tie, *answers)]
        answers = sorted([*answers, *declared], key=str) if len(declared) == 1 else answers
    if len(answers) != 2:
        hints = [Hint("tie"), Hint("values", [...])]
        raise KindError(
            f"preferences are between two answers, and the values are {listing(used, most=6)}; name the tie with "
            f"{hints[0]}, and pass {hints[1]} to declare an answer that nobody preferred",
            hints=hints,
        )
    return answers[0], answers[1]


def _orders(study: Annotations, name: str, answers: tuple[Value, Value]) -> Indices:
    """Which answer was shown first in each judgement, -1 where that is not known."""
    entries = column(study, name, "that says which answer was shown first").tolist()
    a, b = map(str, answers)
    spelled = {a: 0, b: 1, "": -1, "None": -1, "nan": -1}
    for between in ("", ",", ", ", "-", "/", "|", " ", ">", "_", " vs "):
        spelled |= {f"{a}{between}{b}": 0, f"{b}{between}{a}": 1}
    strange = [entry for entry in dict.fromkeys(entries) if str(entry) not in spelled]
    if strange:
        raise DataError(
            f"the column {name!r} must say which of {a!r} and {b!r} was shown first, as {a!r} or {a + b!r}; it holds "
            f"{listing(strange, most=4)}"
        )
    return np.array([spelled[str(entry)] for entry in entries], dtype=np.intp)


def _position(  # noqa: PLR0917 -- called in one place
    name: Annotator, item: Indices, preferred: Indices, shown: Indices, ties: Ties, level: float
) -> Position:
    decided = (preferred >= 0) & (shown >= 0)
    count, firsts = int(decided.sum()), int((preferred == shown)[decided].sum())
    by_item: dict[int, dict[int, int]] = defaultdict(dict)
    for place, answer, first in zip(item.tolist(), preferred.tolist(), shown.tolist(), strict=True):
        if first >= 0:
            by_item[place].setdefault(first, answer)  # the first judgement in each order
    both = [(orders[0], orders[1]) for orders in by_item.values() if len(orders) == 2]
    counted = [pair for pair in both if ties != "left out" or TIE not in pair]
    first_twice = sum(pair == (0, 1) for pair in both)
    second_twice = sum(pair == (1, 0) for pair in both)
    return Position(
        name,
        share(firsts, count, level),
        binomial(firsts, count),
        len(both),
        _consistent(counted, ties, level),
        first_twice,
        second_twice,
        binomial(first_twice, first_twice + second_twice),
    )


def _consistent(pairs: Sequence[tuple[int, int]], ties: Ties, level: float) -> Share:
    alike = np.array([1 - _distance(a, b, ties) for a, b in pairs])
    if ties != "half":
        return share(int(alike.sum()), len(alike), level)
    mean = ratio(alike, np.ones(len(alike)), level, within=(0, 1))
    return Share(*mean, len(alike))


def _distance(a: int, b: int, ties: Ties) -> float:
    if a == b:
        return 0.0
    return 0.5 if ties == "half" and TIE in (a, b) else 1.0


def _by_annotator(study: Annotations, preferred: Indices, ties: Ties) -> Answers:
    """The answer of each annotator to each item: the one they always gave, or a tie."""
    given: dict[Annotator, dict[int, set[int]]] = {name: defaultdict(set) for name in study.annotators}
    for item, who, answer in zip(study.item.tolist(), study.annotator.tolist(), preferred.tolist(), strict=True):
        given[study.annotators[who]][item].add(answer)
    answers = {
        name: {item: next(iter(some)) if len(some) == 1 else TIE for item, some in items.items()}
        for name, items in given.items()
    }
    if ties != "left out":
        return answers
    return {name: {item: answer for item, answer in items.items() if answer != TIE} for name, items in answers.items()}


def _pairs(answers: Answers, names: Iterable[Annotator], level: float, ties: Ties) -> Table:
    rows = []
    for a, b in combinations(names, 2):
        common = sorted(answers[a].keys() & answers[b].keys())
        if common:
            pairs = [(answers[a][item], answers[b][item]) for item in common]
            rows.append({"first": a, "second": b, "items": len(common), **_agreement(pairs, level, ties)})
    return Table.of(rows, names=("first", "second", "items", "agreement", "low", "high", "α"))


def _agreement(pairs: Sequence[tuple[int, int]], level: float, ties: Ties) -> dict[str, float]:
    """Observed agreement with its interval, and alpha of the two under the same distance."""
    distances = np.array([_distance(a, b, ties) for a, b in pairs])
    mean = ratio(1 - distances, np.ones(len(distances)), level, within=(0, 1))
    counts = np.bincount(np.array(pairs).reshape(-1) % 3, minlength=3)  # a tie, -1, is the last
    table = np.array([[_distance(a, b, ties) for b in (0, 1, TIE)] for a in (0, 1, TIE)])
    size = int(counts.sum())
    expected = float(counts @ table @ counts) / (size * (size - 1))
    alpha = 1 - float(distances.mean()) / expected if expected > 0 else math.nan
    return {"agreement": mean.value, "low": mean.low, "high": mean.high, "α": alpha}


def _with_people(
    answers: Answers, models: Iterable[Annotator], people: Sequence[Annotator], level: float, ties: Ties
) -> Table:
    """How every model agrees with people, and people among themselves: the mean over items of the mean over people."""

    def row(name: Hashable, beside: str, ours: Sequence[Annotator]) -> dict[str, object]:
        items, mean = _agreement_across(answers, ours, people, level, ties)
        interval = {"agreement": mean.value, "low": mean.low, "high": mean.high}
        return {"": name, "beside": beside, "items": items, **interval}

    rows = [row(name, "people", [name]) for name in models]
    if rows:
        rows.append(row("people", "each other", people))
    return Table.of(rows, names=("", "beside", "items", "agreement", "low", "high"))


def _agreement_across(
    answers: Answers, ours: Sequence[Annotator], theirs: Sequence[Annotator], level: float, ties: Ties
) -> tuple[int, Mean]:
    by_item: dict[int, list[float]] = defaultdict(list)
    for one in ours:
        for other in theirs:
            if one != other:
                for item in answers[one].keys() & answers[other].keys():
                    by_item[item].append(1 - _distance(answers[one][item], answers[other][item], ties))
    shares = np.array([float(np.mean(some)) for _, some in sorted(by_item.items())])
    return len(shares), ratio(shares, np.ones(len(shares)), level, within=(0, 1))


def _unbalanced(shown: Indices, answers: tuple[Value, Value]) -> tuple[str, ...]:
    known = shown[shown >= 0]
    if not len(known):
        return ("no judgement says which answer was shown first",)
    part = float((known == 0).mean())
    if abs(part - 0.5) <= BALANCED:
        return ()
    return (
        (
            f"{answers[0]!r} was shown first in {part:.0%} of the judgements, so the share for the first place also "
            "says which answer is better; show each in either place equally often"
        ),
    )


def binomial(count: int, of: int) -> float:
    """The exact two-sided p-value of one half: all outcomes that are no likelier than the observed one."""
    if not of:
        return math.nan
    far = max(count, of - count)
    return min(1.0, 2 * at_least(far, of, 0.5))


def share(count: int, of: int, level: float) -> Share:
    """A share with Clopper and Pearson's exact interval."""
    return Share(count / of if of else math.nan, *exact(count, of, level), of)
