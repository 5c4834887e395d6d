"""What annotators would have answered without a slip that can be undone, and how far that brings them to the others.

A cause of `interagree.findings.causes` is a small model of such a slip: a scale read from the other end, answers that
stand one row too low, labels that were taken for one another.  It is fitted to three quarters of an annotator's items
and scored on the fourth, four times: the score of an item is how much nearer the undone answer is to the others'
answers than the given one.  Where there was no slip, undoing it moves answers away, whether annotators are careful or
careless and items easy or hard; so the sum of the scores is tested for being above zero, with signs exchanged
(`interagree.findings.tail_bounds`), and p-values are times the number of annotators and causes that were tried.  The
cause that removes most disagreement is undone, and the rest is searched again, until nothing is left.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np

from interagree._names import MODULES
from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.data.types import Annotator
from interagree.findings.case import OF_REPAIRS, Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.findings.tail_bounds import opposite_tail
from interagree.findings.times import Times
from interagree.stats.engine.compress import totals

FOLDS = 4
FEWEST = 12  # items that an annotator must share with others
MOST_CELLS = 5_000_000  # of a table of items and labels
MOST_PEOPLE = 60  # who are tried, those farthest from the others first
MOST_ROUNDS = 40  # slips that are undone
LEAST = 0.005  # what the mean distance to the others must fall by, of the largest there is,
PART = 0.03  # … and by which part of it
ALIKE = 0.9  # the part of the largest gain from which the more specific cause is preferred


class Repair(NamedTuple):
    """What a cause makes of an annotator's answers, and what it is called."""

    answers: Floats
    facts: Mapping[str, Any]
    specific: int = 0  # how few things it could have done: of equal gains the higher one is named


class Cause(Protocol):
    """A slip that can be undone."""

    code: str

    def fit(self, own: Own, part: Booleans) -> Repair | None:
        """The slip as some of the answers show it; None where they show none."""


@dataclass(frozen=True, eq=False)
class Together:
    """The answers of all annotators, as labels or as places on a scale."""

    rest: LeaveOneOut
    times: Times | None = None

    @cached_property
    def scale(self) -> Floats | None:
        """The place of each value on a line; None where values do not lie on one."""
        rest, study = self.rest, self.rest.study
        if rest.labels or not (study.kind in ("numbers", "ordered") or study.recognised.doubt == "ordered"):
            return None
        return rest.order if study.kind == "ordered" else np.array([float(value) for value in study.values])

    @cached_property
    def possible(self) -> bool:
        """Whether answers are labels, or lie on a scale, and tables of them are not too large."""
        rest = self.rest
        if self.scale is not None:
            return True
        return of_labels(rest) and len(rest.study.values) * len(rest.study.items) <= MOST_CELLS

    @cached_property
    def unit(self) -> float:
        """What distances are divided by: on a scale the deviation of the answers."""
        return 1.0 if self.scale is None else float(self.scale[self.rest.value].std()) or 1.0

    @cached_property
    def levels(self) -> Floats:
        """All answers that anybody gave."""
        used = np.unique(self.rest.value)
        return used.astype(np.float64) if self.scale is None else np.unique(self.scale[used])

    @cached_property
    def sums(self) -> Floats:
        """For each item how often each label was given (items × labels), or the sum of its places on a scale."""
        rest = self.rest
        if self.scale is not None:
            return totals(rest.item, self.scale[rest.value], len(rest.study.items))
        table = np.zeros((len(rest.study.items), len(rest.study.values)))
        np.add.at(table, (rest.item, rest.value), 1.0)
        return table

    @cached_property
    def by_name(self) -> Indices:
        """The place of each item in the order of their names, in which numbers are in order."""
        names = [re.split(r"(\d+)", str(name)) for name in self.rest.study.items]
        keys = [[(part.isdigit(), int(part) if part.isdecimal() else 0, part) for part in name] for name in names]
        place = np.empty(len(keys), dtype=np.intp)
        place[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return place


@dataclass(frozen=True, eq=False)
class Own:
    """The answers of one annotator to items that others answered too, in order of the items.

    Answers are codes of labels, or places on a scale.
    """

    all: Together
    who: int
    rows: Indices

    @property
    def rest(self) -> LeaveOneOut:
        """All annotations."""
        return self.all.rest

    @property
    def scale(self) -> Floats | None:
        """The place of each value on a line."""
        return self.all.scale

    @property
    def levels(self) -> Floats:
        """All answers that anybody gave."""
        return self.all.levels

    @cached_property
    def item(self) -> Indices:
        """The item of each answer."""
        return self.rest.item[self.rows]

    @cached_property
    def answers(self) -> Floats:
        """What was given."""
        codes = self.rest.value[self.rows]
        return codes.astype(np.float64) if self.scale is None else self.scale[codes]

    @cached_property
    def of_others(self) -> Floats:
        """On a scale the mean answer of the others, else the share of them that gave each label (items × labels)."""
        others = self.rest.size[self.item] - 1
        if self.scale is not None:
            means: Floats = (self.all.sums[self.item] - self.answers) / others
            return means
        table = self.all.sums[self.item]
        table[np.arange(len(self.item)), self.answers.astype(np.intp)] -= 1
        shares: Floats = table / others[:, None]
        return shares

    def distance(self, answers: Floats) -> Floats:
        """How far these answers to the same items are from those of the others, at most about 1."""
        if self.scale is not None:
            far: Floats = np.abs(answers - self.of_others) / self.all.unit
            return far
        return 1 - self.of_others[np.arange(len(answers)), answers.astype(np.intp)]

    @cached_property
    def given(self) -> Indices:
        """The places of the answers among the levels."""
        return np.searchsorted(self.levels, self.answers)

    def times(self, weight: Floats) -> Floats:
        """How often each level was given."""
        return totals(self.given, weight, len(self.levels))

    def table(self, weight: Floats) -> Floats:
        """For each two levels how far the second is from the others where the first was given (levels × levels)."""
        levels, given = self.levels, self.given
        if self.scale is None:
            near = np.zeros((len(levels), len(levels)))
            np.add.at(near, given, self.of_others[:, levels.astype(np.intp)] * weight[:, None])
            return self.times(weight)[:, None] - near
        far = np.abs(levels[None, :] - self.of_others[:, None]) / self.all.unit
        summed = np.zeros((len(levels), len(levels)))
        np.add.at(summed, given, far * weight[:, None])
        return summed

    def orders(self) -> Iterator[tuple[str, Indices]]:
        """The orders in which the answers may have been given or written down, each once."""
        made = [("items", np.argsort(self.item, kind="stable")), ("rows", np.argsort(self.rows, kind="stable"))]
        made.append(("items", np.argsort(self.all.by_name[self.item], kind="stable")))
        if self.all.times is not None:
            at = self.all.times.at[self.rows]
            made.insert(0, ("time", np.argsort(np.where(np.isnan(at), np.inf, at), kind="stable")))
        seen: set[bytes] = set()
        for name, order in made:
            if order.tobytes() not in seen:
                seen.add(order.tobytes())
                yield name, order

    def value(self, answer: float) -> object:
        """An answer as people gave it."""
        values = self.rest.study.values
        if self.scale is None:
            return values[int(answer)]
        return values[int(np.argmin(np.abs(self.scale - answer)))]


@dataclass(frozen=True)
class Undone:
    """A slip of one annotator that was found and undone."""

    name: Annotator
    code: str
    facts: Mapping[str, Any]
    p: float
    gain: float  # how much nearer their answers are to the others' on items that were held out, summed
    changed: int  # answers that it changes
    given: int  # … of so many
    example: Mapping[str, object] = field(default_factory=dict)


def findings(case: Case, slips: Sequence[Undone], rest: LeaveOneOut) -> list[Finding]:
    """What was undone in ``rest``, a slip that several share once."""
    groups: dict[str, list[Undone]] = {}
    for one in slips:
        groups.setdefault(repr((one.code, *sorted(one.facts.items()))), []).append(one)
    return [_finding(case, group, rest) for group in groups.values()]


def _finding(case: Case, group: Sequence[Undone], rest: LeaveOneOut) -> Finding:
    names = [one.name for one in group]
    study = case.tested
    theirs = np.isin(study.annotator, [study.annotator_code(name) for name in names])
    mended = replace(study, value=np.where(theirs, rest.value, study.value), values=rest.study.values)
    value, now = case.value_of(mended), case.lead.value if not case.cut else case.value_of(study)
    first = group[0]
    about = {
        "annotators": names,
        "of": len(case.study.annotators),
        "habit": first.code,
        **first.facts,
        "changed": sum(one.changed for one in group),
        "given": sum(one.given for one in group),
        "p_value": max(one.p for one in group),
        "example": first.example,
        "coefficient": {**case.coefficient, "value": now},
        "mended": None if math.isnan(value) else value,
    }
    gain = 0.0 if math.isnan(value) else max(value - now, 0.0)
    return Finding(f"annotator.{first.code}", tuple(names), about, gain, case.call("disagreements"))


@lru_cache(maxsize=1)
def causes() -> tuple[Cause, ...]:
    """All causes, by name."""
    return tuple(import_module(f"interagree.findings.causes.{name}").CAUSE for name in MODULES["findings.causes"])


def undone(rest: LeaveOneOut, times: Times | None) -> tuple[list[Undone], LeaveOneOut]:
    """The slips of annotators, those that gain most first, and the annotations without them."""
    made: list[Undone] = []
    fold = np.random.default_rng(0).integers(0, FOLDS, len(rest.study.items))
    if rest.people < 2 or rest.study.kind.complex:
        return made, rest
    for _ in range(min(MOST_ROUNDS, rest.people)):
        together = Together(rest, times)
        found = _best(together, fold, {(one.name, one.code) for one in made}) if together.possible else None
        if found is None:
            break
        one, own, answers = found
        made.append(one)
        rest = LeaveOneOut(with_answers(own, answers), rest.distance)
    return made, rest


def _best(together: Together, fold: Indices, done: set[tuple[Annotator, str]]) -> tuple[Undone, Own, Floats] | None:
    """The slip that removes most disagreement from items that were held out; None where none is sure."""
    rest, tried = together.rest, 0
    names = rest.study.annotators
    candidates: list[tuple[float, Own, Cause, Repair, float]] = []
    for u in _farthest(rest):
        rows = np.flatnonzero((rest.who == u) & rest.compared)
        rows = rows[np.argsort(rest.item[rows], kind="stable")]
        if len(rows) < FEWEST:
            continue
        own = Own(together, u, rows)
        before = own.distance(own.answers)
        for cause in causes():
            tried += 1
            if (names[u], cause.code) in done:
                continue
            repair = cause.fit(own, np.ones(len(rows), dtype=bool))
            if repair is None or not _worth(before - own.distance(repair.answers), before):
                continue
            scored = _held_out(own, cause, fold[own.item], before)
            if _worth(scored, before):
                candidates.append((float(scored.sum()), own, cause, repair, _p(scored)))
    sure = [one for one in candidates if one[4] * tried <= OF_REPAIRS]
    if not sure:
        return None
    most = max(gain for gain, *_ in sure)
    best = max((one for one in sure if one[0] >= ALIKE * most), key=lambda one: (one[3].specific, one[0]))
    gain, own, cause, repair, p = best
    changed = repair.answers != own.answers
    nearer = own.distance(own.answers) - own.distance(repair.answers)
    example = int(np.argmax(np.where(changed, nearer, -np.inf)))
    shown = example_of(rest, own.rows[example])
    one = Undone(
        names[own.who], cause.code, repair.facts, min(p * tried, 1.0), gain, int(changed.sum()), len(changed), shown
    )
    return one, own, repair.answers


def _farthest(rest: LeaveOneOut) -> list[int]:
    """The annotators who are farthest from the others, if there are many."""
    there = rest.compared
    far = totals(rest.who[there], np.nan_to_num(rest.distance_to_others()[there]), rest.people)
    n = np.bincount(rest.who[there], minlength=rest.people)
    with np.errstate(all="ignore"):
        mean = np.where(n >= FEWEST, far / n, -np.inf)
    order = np.argsort(-mean, kind="stable")[:MOST_PEOPLE]
    return [int(u) for u in order if mean[u] > 0]


def _held_out(own: Own, cause: Cause, fold: Indices, before: Floats) -> Floats:
    """How much nearer each answer is to the others once a cause is undone that was fitted to the other folds."""
    scores = np.zeros(len(fold))
    for held_out in range(FOLDS):
        scored = fold == held_out
        repair = cause.fit(own, ~scored)
        if repair is not None:
            scores[scored] = (before - own.distance(repair.answers))[scored]
    return scores


def _worth(gains: Floats, before: Floats) -> bool:
    """Whether answers come nearer by as much as is worth naming."""
    return float(gains.mean()) >= max(LEAST, PART * float(before.mean()))


def _p(scores: Floats) -> float:
    scores = scores[np.abs(scores) > 1e-12]
    # Of the two sides of the bound only that above zero is asked for.
    return float(opposite_tail(np.zeros(len(scores), dtype=np.intp), scores, 1)[0]) / 2 if len(scores) else 1.0


def with_answers(own: Own, answers: Floats) -> Annotations:
    """The study with other answers of one annotator."""
    study = own.rest.study
    if own.scale is None:
        codes, values = answers.astype(study.value.dtype), study.values
    elif study.kind == "ordered" or study.recognised.doubt == "ordered":
        order = np.argsort(own.scale, kind="stable")
        places = own.scale[order]
        middle = (places[1:] + places[:-1]) / 2
        codes, values = order[np.searchsorted(middle, answers)], study.values
    else:
        new, place = np.unique(answers, return_inverse=True)
        at = {float(value): code for code, value in enumerate(study.values)}
        further = [number for number in new.tolist() if number not in at]
        at |= {number: len(study.values) + place for place, number in enumerate(further)}
        codes = np.array([at[number] for number in new.tolist()])[place.reshape(-1)]
        values = (*study.values, *further)
    column = study.value.astype(np.int64, copy=True)
    column[own.rows] = codes
    return replace(study, value=column, values=values)


def example_of(rest: LeaveOneOut, row: int) -> dict[str, object]:
    """An item, what somebody gave it, and what most of the others did."""
    study, item = rest.study, int(rest.item[row])
    others = rest.value[(rest.item == item) & (np.arange(len(rest.item)) != row)]
    codes, times = np.unique(others, return_counts=True)
    most = codes[times == times.max()]
    common = most[np.argsort(rest.order[most])][len(most) // 2] if len(most) > 1 else most[0]
    return {
        "item": study.items[item],
        "own": study.values[int(rest.value[row])],
        "others": study.values[int(common)],
        "by": study.annotators[int(rest.who[row])],
    }
