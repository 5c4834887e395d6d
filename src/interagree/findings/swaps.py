r"""Who gives one label where others give another.

For an annotator let $c_{vw}$ be how often they give $v$ where another of the same item gives $w$, each item counting
once.  What they give $v$ too often is $\sum_w (c_{vw} - c_{wv})$.  Where a single pair of labels makes up half of all
that is given too often, or half of what is given for a label that they never use, it is named: they give $a$ for what
others call $b$.

Who does so is tested on items that have both labels: if annotators were alike, any of them might have given either, so
the number of times that somebody gave $a$ is a sum of independent draws (`interagree.findings.tail_bounds`).  The
surest is left out and the others tested again, until nobody is added; who was left out is then tested beside those who
were not.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.findings.case import OF_OTHERS
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.findings.tail_bounds import bernoulli, high_tail, low_tail
from interagree.stats.engine.compress import totals

HALF = 0.5  # of what is given too often, which one pair of labels must make up
MOST_LABELS = 12  # of which all pairs are looked at for what two annotators share
MOST_PEOPLE = 50  # who are tested one by one
TELLING = 0.2  # the share of the other label that is given so, below which it is not worth saying


class Swap(NamedTuple):
    """One label that an annotator gives for another."""

    gives: int
    instead: int
    share: float  # of what others call the other label
    never: bool  # whether they never give that one themselves
    beyond: float  # kappa with the rest with the two labels taken as one; nan where that leaves one label


def swap_of(rest: LeaveOneOut, who: int) -> Swap | None:
    """The label that somebody gives for another; None where no pair of labels stands out."""
    if not of_labels(rest):
        return None
    table = beside_others(rest, who)
    too_often = np.maximum(table - table.T, 0.0)
    gives, instead = (int(place) for place in np.unravel_index(int(too_often.argmax()), table.shape))
    called = float(table[:, instead].sum())
    if called <= 0:
        return None
    swap = _swap(rest, who, table, gives, instead)
    much = too_often[:, instead].sum() if swap.never else too_often.sum()
    return swap if swap.share >= TELLING and too_often[gives, instead] >= HALF * much else None


def swap_between(rest: LeaveOneOut, who: int, gives: int, instead: int) -> Swap:
    """How far somebody gives one label for another."""
    return _swap(rest, who, beside_others(rest, who), gives, instead)


def _swap(rest: LeaveOneOut, who: int, table: Floats, gives: int, instead: int) -> Swap:
    share = float(table[gives, instead]) / max(float(table[:, instead].sum()), 1e-12)
    never = not bool((rest.value[rest.who == who] == instead).any())
    return Swap(gives, instead, share, never, _as_one(table, gives, instead))


def beside_others(rest: LeaveOneOut, who: int) -> Floats:
    """How often an annotator gives a label (rows) where others of the item give another (columns)."""
    values, cells = len(rest.study.values), rest.cells
    rows = np.flatnonzero((rest.who == who) & rest.compared)
    of, cell = rest.cells_of(rows)
    own = rest.value[rows[of]]
    votes = (cells.votes[cell] - (cells.value[cell] == own)) / (rest.size[rest.item[rows[of]]] - 1)
    return totals(own * values + cells.value[cell], votes, values**2).reshape(values, values)


def _as_one(table: Floats, a: int, b: int) -> float:
    merged = table.copy()
    merged[a] += merged[b]
    merged[:, a] += merged[:, b]
    merged[b] = merged[:, b] = 0.0
    merged /= merged.sum()
    chance = float(merged.sum(axis=0) @ merged.sum(axis=1))
    return (float(np.trace(merged)) - chance) / (1 - chance) if chance < 1 - 1e-9 else np.nan


def givers(rest: LeaveOneOut, a: int, b: int) -> tuple[dict[int, float], dict[int, float]]:
    """The annotators who give the first label where others give the second, and the opposite, with p-values."""
    if rest.people > MOST_PEOPLE:
        return {}, {}
    rows = np.flatnonzero((rest.value == a) | (rest.value == b))
    gone = np.zeros(rest.people, dtype=bool)
    first = np.zeros(rest.people, dtype=bool)
    while rest.people - gone.sum() > 2:
        p, more = _either_way(rest, rows, a, gone)
        surest = int(np.argmin(p))
        if p[surest] > OF_OTHERS:
            break
        gone[surest], first[surest] = True, more[surest]
    sure: dict[int, float] = {}
    for u in np.flatnonzero(gone).tolist():
        others = gone.copy()
        others[u] = False
        again, more = _either_way(rest, rows, a, others)
        if again[u] <= OF_OTHERS and more[u] == first[u]:
            sure[u] = float(again[u])
    return {u: p for u, p in sure.items() if first[u]}, {u: p for u, p in sure.items() if not first[u]}


def shared(rest: LeaveOneOut, one: int, two: int) -> list[tuple[int, int]]:
    """The labels that two annotators both give for another, the first of each for the second."""
    used = np.unique(rest.value)
    if not of_labels(rest) or len(used) > MOST_LABELS:
        return []
    found = []
    for a, b in itertools.combinations(used.tolist(), 2):
        first, second = givers(rest, a, b)
        found += [(a, b)] if {one, two} <= {*first} else [(b, a)] if {one, two} <= {*second} else []
    return found


def _either_way(rest: LeaveOneOut, rows: Indices, a: int, gone: Booleans) -> tuple[Floats, Booleans]:
    """For everybody who is left a p-value, times all of them, and whether they give the first label more often."""
    rows = rows[~gone[rest.who[rows]]]
    item, is_first = rest.item[rows], (rest.value[rows] == a).astype(np.float64)
    items = len(rest.study.items)
    firsts, both = totals(item, is_first, items)[item], np.bincount(item, minlength=items)[item].astype(np.float64)
    split = (firsts > 0) & (firsts < both)
    who = rest.who[rows][split]
    draws = bernoulli(who, np.ones(len(who)), firsts[split], both[split])
    given = totals(who, is_first[split], rest.people)
    low, high = low_tail(draws, given), high_tail(draws, given)
    people = max(len(np.unique(who)), 1)
    return np.where(gone, 1.0, np.minimum(2 * people * np.minimum(low, high), 1.0)), high < low
