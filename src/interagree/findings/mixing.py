r"""Annotators who mix up two labels that others tell apart.

Of the annotations of an item that are one of two labels, somebody gave the rarer one.  If annotators were alike, any of
them might have, so how often somebody did is a sum of independent draws (`interagree.findings.tail_bounds`); p-values
are times annotators and pairs of labels.  The surest is left out and the others are tested again, until nobody is
added; who mixes up the same labels as somebody before is tested for these alone.

Somebody who errs at random does so between any labels.  So a pair is named where it makes up most of what somebody
disagrees more than the others do: as much beyond what labels so common explain.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.data.types import Annotator
from interagree.findings.case import OF_OTHERS, Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.findings.repairs import example_of
from interagree.findings.tail_bounds import bernoulli, high_tail
from interagree.stats.engine.compress import totals

MOST_LABELS = 12
MOST_PEOPLE = 60
DOUBT = 3.0  # standard deviations above which the tail is computed
LEAST = 0.12  # how much oftener than the others somebody must give the rarer label
BEYOND = 0.4  # the part of what they disagree more that the two labels must hold, beyond what is expected
BOTH = 0.4  # how often the one must be given for the other, as a part of how often the other for the one


class Mixed(NamedTuple):
    """Somebody who mixes up two labels."""

    name: Annotator
    labels: tuple[int, int]
    share: float  # of the items that others call one of the two, where they give the other one
    usual: float  # the same of the others
    times: int
    p: float
    row: int  # an annotation that shows it


def mixing(rest: LeaveOneOut) -> list[Mixed]:
    """Who mixes up which labels, the surest first."""
    used = np.unique(rest.value)
    if not of_labels(rest) or not 3 <= len(used) <= MOST_LABELS or not 3 <= rest.people <= MOST_PEOPLE:
        return []
    gone = np.zeros(rest.people, dtype=bool)
    made: list[Mixed] = []
    pairs = [*itertools.combinations(used.tolist(), 2)]
    while rest.people - gone.sum() > 2:
        known = {one.labels for one in made}
        found = [one for pair in pairs for one in _of_pair(rest, pair, gone, len(pairs), known=pair in known)]
        if not found:
            break
        surest = min(found, key=lambda one: one.p)
        made.append(surest)
        gone[rest.study.annotator_code(surest.name)] = True
    return made if 2 * len(made) <= rest.people else []


def _of_pair(rest: LeaveOneOut, pair: tuple[int, int], gone: Booleans, tried: int, *, known: bool) -> list[Mixed]:
    """Who mixes up two labels, which somebody else does for sure where they are known."""
    a, b = pair
    rows = np.flatnonzero(((rest.value == a) | (rest.value == b)) & ~gone[rest.who])
    item, is_first = rest.item[rows], (rest.value[rows] == a).astype(np.float64)
    items = len(rest.study.items)
    firsts, both = totals(item, is_first, items)[item], np.bincount(item, minlength=items)[item]
    fewer = np.minimum(firsts, both - firsts)
    told = (fewer < both - fewer) & (both > 2)  # one of the two is the rarer one
    rows, is_first, fewer, firsts, both = rows[told], is_first[told], fewer[told], firsts[told], both[told]
    rarer = np.where(is_first > 0, firsts, both - firsts) == fewer
    who = rest.who[rows]
    times, n = totals(who, rarer, rest.people), np.bincount(who, minlength=rest.people)
    chance = fewer / both
    with np.errstate(all="ignore"):
        expected, spread = totals(who, chance, rest.people), np.sqrt(totals(who, chance * (1 - chance), rest.people))
        share, usual = times / n, (times.sum() - times) / (n.sum() - n)
        doubtful = np.flatnonzero((times - expected > DOUBT * spread) & (share - usual >= LEAST) & (spread > 0))
    made = []
    for u in doubtful.tolist():
        own = (who == u) & (fewer > 0)
        draws = bernoulli(np.zeros(int(own.sum()), dtype=np.intp), np.ones(int(own.sum())), fewer[own], both[own])
        p = float(high_tail(draws, times[[u]])[0]) * (1 if known else tried) * rest.people
        common_first = 2 * firsts > both
        ways = [_share(rarer[(who == u) & (common_first == side)]) for side in (True, False)]
        if p <= OF_OTHERS and min(ways) >= max(BOTH * max(ways), 1e-9) and (known or _most(rest, u, pair, gone)):
            row = int(rows[np.flatnonzero((who == u) & rarer)[0]])
            name = rest.study.annotators[u]
            made.append(Mixed(name, pair, float(share[u]), float(usual[u]), int(times[u]), p, row))
    return made


def _share(of: Booleans) -> float:
    return float(of.mean()) if len(of) else 0.0


def _most(rest: LeaveOneOut, u: int, pair: tuple[int, int], gone: Booleans) -> bool:
    """Whether two labels hold most of what somebody disagrees more than the others."""
    own = _apart(rest, np.arange(rest.people) == u)
    others = _apart(rest, (np.arange(rest.people) != u) & ~gone)
    more = own - others
    a, b = pair
    common = np.bincount(rest.value, minlength=len(own)) / len(rest.value)
    chance = np.outer(common, common)
    np.fill_diagonal(chance, 0.0)
    expected = 2 * chance[a, b] / chance.sum()
    held = (more[a, b] + more[b, a]) / max(float(more.sum()), 1e-9)
    return bool(held >= expected + BEYOND * (1 - expected))


def _apart(rest: LeaveOneOut, people: Booleans) -> Floats:
    """How often some annotators give one label where others give another (labels × labels), nothing on the diagonal."""
    values, cells = len(rest.study.values), rest.cells
    rows = np.flatnonzero(people[rest.who] & rest.compared)
    of, cell = rest.cells_of(rows)
    own = rest.value[rows[of]]
    votes = (cells.votes[cell] - (cells.value[cell] == own)) / (rest.size[rest.item[rows[of]]] - 1)
    table = totals(own * values + cells.value[cell], votes, values**2).reshape(values, values) / max(len(rows), 1)
    np.fill_diagonal(table, 0.0)
    return table


def findings(case: Case, rest: LeaveOneOut, mixed: Sequence[Mixed]) -> list[Finding]:
    """Those who mix up the same labels, together."""
    groups: dict[tuple[int, int], list[Mixed]] = {}
    for one in mixed:
        groups.setdefault(one.labels, []).append(one)
    return [_finding(case, rest, group) for group in groups.values()]


def _finding(case: Case, rest: LeaveOneOut, group: Sequence[Mixed]) -> Finding:
    names = [one.name for one in group]
    without = case.without(names)
    better = not np.isnan(without) and without > case.lead.value
    about = {
        "annotators": names,
        "of": len(case.study.annotators),
        "habit": "mixes",
        "labels": [rest.study.values[code] for code in group[0].labels],
        "shares": [one.share for one in group],
        "usual_share": group[0].usual,
        "times": sum(one.times for one in group),
        "p_value": max(one.p for one in group),
        "example": example_of(rest, group[0].row),
        "coefficient": case.coefficient,
        "without": None if np.isnan(without) else without,
        "better": better,
    }
    calls = (case.measuring(without=names) if better else ()) or case.call("disagreements")
    return Finding("annotator.mixes", tuple(names), about, without - case.lead.value if better else 0.0, calls)
