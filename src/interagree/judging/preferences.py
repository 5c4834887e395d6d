r"""Preferences: which of two answers is better, and does the place where an answer is shown decide?

A judgement names the answer that was preferred, or says that there is a tie; a column says which answer was shown
first.  Three questions:

* **Position bias.**  The share of judgements, ties left out, that prefer the answer shown first, with Clopper and
  Pearson's exact interval and the exact binomial test against one half.  If the better answer was shown first more
  often than not this share is above one half without any bias; so where items were judged in both orders, those that
  were judged differently tell more: the first place won both times, or the second did.  An exact sign test
  of the two counts is free of which answer is better.
* **Order-swap consistency.**  The share of items judged in both orders that were judged alike.
* **Agreement with people.**  An annotator who judged an item more than once says what she said every time, and a tie
  where she said different things (Zheng and others 2023).

Ties can be read in three ways, and each is said: ``"half"`` puts a tie halfway between the two answers, so that a tie
beside a preference is half an agreement; ``"label"`` makes it a third answer; ``"left out"`` drops judgements that are
ties.

Zheng, L. and others (2023). Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena. NeurIPS 2023, Datasets and
Benchmarks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from interagree.data import Annotations, ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import takes_repeats
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.judging.together import Mean, check_level, named, number, ratio, read, sides
from interagree.stats.engine.quantiles import beta_share
from interagree.tables import Table

Ties = Literal["half", "label", "left out"]
HOW: dict[str, str] = {
    "half": "a tie lies halfway between the two answers",
    "label": "a tie is an answer of its own",
    "left out": "judgements that are ties are left out",
}
BALANCED = 0.1  # how far from one half the share of an order may be before it is said
APART = (0.5, 1.0)  # a tie from an answer, and the two answers from each other


class Share(NamedTuple):
    """A share of so many, with its interval."""

    value: float
    low: float
    high: float
    of: int


@dataclass(frozen=True, slots=True)
class Position:
    """What the place of an answer does to one annotator."""

    annotator: Hashable
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
        gap = (
            self.first_twice - self.second_twice
            if not math.isnan(self.swap_p_value)
            else self.first.value - 0.5
        )
        return "first" if gap > 0 else "second"

    def __str__(self) -> str:
        if math.isnan(self.p):
            return f"{self.annotator}: position bias cannot be told, since all judgements are ties"
        sure = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        biased = (
            f"leans to the answer shown {self.leaning}" if self.p < 0.05 else "no position bias to be seen"
        )
        same = (
            ""
            if not self.consistent.of
            else f"; {self.consistent.value:.0%} of {self.consistent.of:,} items judged alike in both orders"
        )
        return f"{self.annotator}: {biased} ({self.first.value:.0%} for the first, {sure}){same}"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Position bias, consistency and agreement of those who judged pairs of answers."""

    positions: tuple[Position, ...]
    pairs: Table  # every two annotators: how they agree
    models: Table  # every model: how it agrees with people
    ties: Ties
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """Position bias and consistency, a row for each annotator."""
        return Table.of(
            [
                {
                    "annotator": one.annotator,
                    "judgements": one.first.of,
                    "first preferred": one.first.value,
                    "low": one.first.low,
                    "high": one.first.high,
                    "p": one.p_value,
                    "both orders": one.swapped,
                    "consistent": one.consistent.value,
                    "from": one.consistent.low,
                    "to": one.consistent.high,
                    "first twice": one.first_twice,
                    "second twice": one.second_twice,
                    "swap p": one.swap_p_value,
                }
                for one in self.positions
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""

        def plain(table: Table) -> list[dict[str, Any]]:
            return [
                {key: number(entry) if isinstance(entry, float) else entry for key, entry in row.items()}
                for row in table.rows()
            ]

        return {
            "ties": self.ties,
            "positions": plain(self.table()),
            "pairs": plain(self.pairs),
            "models": plain(self.models),
            "notes": [*self.notes],
        }

    def __str__(self) -> str:
        return "\n".join(map(str, self.positions))


@takes_repeats
def preferences(
    data: IntoAnnotations,
    *others: Values,
    order: str = "order",
    models: Any = None,
    humans: Any = None,
    tie: Any = "tie",
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
    """
    check_level(level)
    if ties not in HOW:
        raise KindError(f"ties are read as 'half', 'label' or 'left out'; got {ties!r}")
    study = read(data)
    answers = _answers(study, tie)
    shown = _orders(study, order, answers)
    said = np.array([-1 if value not in answers else answers.index(value) for value in study.values])[
        study.value
    ]
    names = sorted(study.annotators, key=str)
    positions = tuple(
        _position(name, study.item[here], said[here], shown[here], ties, level)
        for name in names
        if (here := study.annotator == study.annotator_code(name)).any()
    )
    place = _placed(study, said, ties)
    ours, people = sides(study, models, humans) if models is not None else ((), _people(study, humans))
    return Preferences(
        positions,
        _pairs(place, names, level, ties),
        _with_people(place, ours, people, level, ties),
        ties,
        (HOW[ties], *_unbalanced(shown, answers)),
    )


def _people(study: Annotations, humans: Any) -> tuple[Hashable, ...]:
    return tuple(study.annotators) if humans is None else named(study, humans, "person")


def _answers(study: Annotations, tie: Any) -> tuple[Any, Any]:
    used = [study.values[code] for code in np.unique(study.value).tolist()]
    found = sorted((value for value in used if value != tie), key=str)
    if len(found) == 1:
        declared = [value for value in study.values if value not in (tie, *found)]
        found = sorted([*found, *declared], key=str) if len(declared) == 1 else found
    if len(found) != 2:
        raise KindError(
            f"preferences are between two answers, and the values are {listing(used, most=6)}; name the tie with tie=, "
            "and values= to declare an answer that nobody preferred"
        )
    return found[0], found[1]


def _orders(study: Annotations, column: str, answers: tuple[Any, Any]) -> Any:
    """Which answer was shown first in each judgement, -1 where that is not known."""
    if column not in study.attributes:
        known = [str(name) for name in study.attributes]
        raise UnknownName(
            f"there is no column {column!r} that says which answer was shown first; "
            + (
                f"there are {listing(known)}." + suggestion(column, known)
                if known
                else "there is no further column."
            )
        )
    a, b = map(str, answers)
    spelled = {a: 0, b: 1, "": -1, "None": -1, "nan": -1}
    for between in ("", ",", ", ", "-", "/", "|", " ", ">", "_", " vs "):
        spelled |= {f"{a}{between}{b}": 0, f"{b}{between}{a}": 1}
    entries = study.attributes[column].tolist()
    strange = [entry for entry in dict.fromkeys(entries) if str(entry) not in spelled]
    if strange:
        raise DataError(
            f"the column {column!r} must say which of {a!r} and {b!r} was shown first, as {a!r} or {a + b!r}; it holds "
            f"{listing(strange, most=4)}"
        )
    return np.array([spelled[str(entry)] for entry in entries], dtype=np.intp)


def _position(  # noqa: PLR0917 -- called in one place
    name: Hashable, item: Any, said: Any, shown: Any, ties: Ties, level: float
) -> Position:
    decided = (said >= 0) & (shown >= 0)
    count, firsts = int(decided.sum()), int((said == shown)[decided].sum())
    by_item: dict[int, dict[int, int]] = defaultdict(dict)
    for one, answer, first in zip(item.tolist(), said.tolist(), shown.tolist(), strict=True):
        if first >= 0:
            by_item[one].setdefault(first, answer)  # the first judgement in each order
    both = [(orders[0], orders[1]) for orders in by_item.values() if len(orders) == 2]
    counted = [pair for pair in both if ties != "left out" or -1 not in pair]
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
    alike = np.array([1 - _apart(a, b, ties) for a, b in pairs])
    if ties != "half":
        return share(int(alike.sum()), len(alike), level)
    mean = ratio(alike, np.ones(len(alike)), level, within=(0, 1))
    return Share(*mean, len(alike))


def _apart(a: int, b: int, ties: str) -> float:
    """How far apart two judgements are, -1 being a tie."""
    if a == b:
        return 0.0
    return APART[0] if ties == "half" and -1 in (a, b) else APART[1]


def _placed(study: Annotations, said: Any, ties: Ties) -> dict[Hashable, dict[int, int]]:
    """For each annotator what she said of each item: always the same thing, or a tie."""
    heard: dict[Hashable, dict[int, set[int]]] = {name: defaultdict(set) for name in study.annotators}
    for item, who, answer in zip(study.item.tolist(), study.annotator.tolist(), said.tolist(), strict=True):
        heard[study.annotators[who]][item].add(answer)
    found = {
        name: {item: next(iter(some)) if len(some) == 1 else -1 for item, some in items.items()}
        for name, items in heard.items()
    }
    if ties != "left out":
        return found
    return {name: {item: one for item, one in items.items() if one >= 0} for name, items in found.items()}


def _pairs(
    place: dict[Hashable, dict[int, int]], names: Iterable[Hashable], level: float, ties: Ties
) -> Table:
    rows = []
    for a, b in combinations(names, 2):
        common = sorted(place[a].keys() & place[b].keys())
        if not common:
            continue
        mean = _agreement([(place[a][item], place[b][item]) for item in common], level, ties)
        rows.append({"first": a, "second": b, "items": len(common), **mean})
    return Table.of(rows, names=("first", "second", "items", "agreement", "low", "high", "α"))


def _agreement(pairs: Sequence[tuple[int, int]], level: float, ties: str) -> dict[str, float]:
    """Observed agreement with its interval, and alpha of the two under the same distance."""
    apart = np.array([_apart(a, b, ties) for a, b in pairs])
    mean = ratio(1 - apart, np.ones(len(apart)), level, within=(0, 1))
    all_of = np.bincount(np.array(pairs).reshape(-1) % 3, minlength=3)  # a tie, -1, is the last
    table = np.array([[_apart(a, b, ties) for b in (0, 1, -1)] for a in (0, 1, -1)])
    size = int(all_of.sum())
    expected = float(all_of @ table @ all_of) / (size * (size - 1))
    alpha = 1 - float(apart.mean()) / expected if expected > 0 else math.nan
    return {"agreement": mean.value, "low": mean.low, "high": mean.high, "α": alpha}


def _with_people(
    place: dict[Hashable, dict[int, int]],
    models: Iterable[Hashable],
    people: Sequence[Hashable],
    level: float,
    ties: Ties,
) -> Table:
    """How every model agrees with people, and people among themselves: the mean over items of the mean over people."""
    rows = [
        {
            "": name,
            "beside": "people",
            **_beside(place, [name], [one for one in people if one != name], level, ties),
        }
        for name in models
    ]
    if rows:
        rows.append({"": "people", "beside": "each other", **_beside(place, people, people, level, ties)})
    return Table.of(rows, names=("", "beside", "items", "agreement", "low", "high"))


def _beside(
    place: dict[Hashable, dict[int, int]],
    ours: Sequence[Hashable],
    theirs: Sequence[Hashable],
    level: float,
    ties: str,
) -> dict[str, Any]:
    total: dict[int, list[float]] = defaultdict(list)
    for one in ours:
        for other in theirs:
            if one != other:
                for item in place[one].keys() & place[other].keys():
                    total[item].append(1 - _apart(place[one][item], place[other][item], ties))
    shares = np.array([float(np.mean(some)) for _, some in sorted(total.items())])
    mean: Mean = ratio(shares, np.ones(len(shares)), level, within=(0, 1))
    return {"items": len(shares), "agreement": mean.value, "low": mean.low, "high": mean.high}


def _unbalanced(shown: Any, answers: tuple[Any, Any]) -> tuple[str, ...]:
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
    return min(1.0, 2 * _at_least(far, of, 0.5))


def _at_least(count: int, of: int, p: float) -> float:
    """The probability of so many or more."""
    return 1.0 if count <= 0 else beta_share(p, count, of - count + 1)


def share(count: int, of: int, level: float) -> Share:
    """A share with Clopper and Pearson's exact interval."""
    if not of:
        return Share(math.nan, math.nan, math.nan, 0)
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda p: _at_least(count, of, p) - tail)
    high = 1.0 if count == of else _solve(lambda p: _at_least(count + 1, of, p) - (1 - tail))
    return Share(count / of, low, high, of)


def _solve(function: Any) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):  # a rising function, to the last digits
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2
