r"""Where the ends of spans are the matter: somebody marks longer or shorter, or ends are most of the disagreement.

Spans of all annotators that were paired with one another, as the same span or as one with other ends, are a group.  In
it an annotator's score is how often they begin (or end) a span later than another minus how often earlier.  If
annotators were alike, their score would be a draw from the scores of the group, so its sum over groups is a sum of
independent draws, and its tails are bounded (`interagree.findings.tail_bounds`).  P-values are times the number of
annotators, two ends and two sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from interagree.arrays import Floats, Indices, Int64s
from interagree.data.types import Annotator
from interagree.findings.calls import Call
from interagree.findings.case import OF_OTHERS, Case
from interagree.findings.finding import Finding
from interagree.findings.tail_bounds import GroupDraws, high_tail, low_tail
from interagree.measures.span_f1 import span_f1
from interagree.spans.typology import AGREED, BOUNDARY, TYPES, Typology, span_types
from interagree.stats.engine.compress import totals

SIGNS = 10  # differing ends that an annotator must have
ONE_SIDED = 0.6  # the share of them that must lie on one side
MOST_EVENTS = 300_000  # pairs of spans that are looked at
MOST = 2 / 3  # of all disagreement, above which ends are said to be the matter
OVERLAP = "overlap"  # the looser way in which spans match
LENIENT = 0.1  # … where F1 gains as much by overlooking them
FEW = 20  # differences in ends below which nothing is said


class Habit(NamedTuple):
    """Somebody whose spans begin or end earlier or later than those of the others."""

    name: Annotator
    end: str  # "begin" or "end"
    later: bool
    share: float  # of the differing ends
    differing: int
    by: float  # the median difference
    p: float


def findings(case: Case, named: Sequence[Annotator]) -> tuple[list[Finding], list[str]]:
    """Habits of single annotators, else how much of the disagreement is a matter of ends; and what was left out.

    Those who are ``named`` for guessing have no habits.
    """
    if case.study.kind != "spans" or case.study.anonymous:
        return [], []
    types = span_types(case.tested)
    if not len(types.kind):
        return [], []
    many = int(types.number(("agreed", "boundary")))
    if many > MOST_EVENTS:
        left_out = f"Habits at the ends of spans were not tested: there are {many:,} pairs of spans."
        return _matter(case, types), [left_out]
    by_name: dict[Annotator, list[Habit]] = {}
    for habit in habits(types):
        by_name.setdefault(habit.name, []).append(habit)
    if len(by_name) == 2 == len(case.study.annotators):
        by_name.popitem()  # of two, each differs from the other
    made = [_finding(case, name, own) for name, own in by_name.items() if name not in named]
    return made or _matter(case, types), []


def habits(types: Typology) -> list[Habit]:
    """Those whose spans begin or end earlier or later than those of the others, the surest first."""
    marks = types.marks
    study, spans = marks.study, marks.spans
    order = np.argsort(types.pair, kind="stable")
    order = order[np.isin(types.kind[order], (AGREED, BOUNDARY))]
    row, entry = marks.everywhere(types.pair[order])
    event = order[entry]
    x, y = types.x[event], types.y[event]
    # A span of an annotation: where those of the annotation begin, and its place among them.
    count = np.diff(spans.start)[study.value]
    offset = np.cumsum(count) - count
    first, second = marks.first[row], marks.second[row]
    a = offset[first] + x - spans.start[study.value[first]]
    b = offset[second] + y - spans.start[study.value[second]]
    size = int(count.sum())
    links = coo_array((np.ones(len(a)), (a, b)), shape=(size, size))
    group = connected_components(links, directed=False)[1]
    owner = np.repeat(study.annotator.astype(np.intp), count)
    people = len(study.annotators)
    made = []
    for name, ends in (("begin", spans.begin), ("end", spans.end)):
        made += _of_end(name, ends[x] - ends[y], a, b, group, owner, people, study.annotators)
    least = [habit for habit in made if habit.p <= OF_OTHERS and habit.differing >= SIGNS and habit.share >= ONE_SIDED]
    return sorted(_surest(least, people), key=lambda habit: habit.p)


def _surest(found: list[Habit], people: int) -> list[Habit]:
    """Of those who differ at one end in opposite directions the surest: the others differ from them."""
    kept = []
    for end in ("begin", "end"):
        own = sorted((habit for habit in found if habit.end == end), key=lambda habit: habit.p)
        if own and people > 2:
            own = [habit for habit in own if habit.later == own[0].later]
        kept += own
    return kept


def _of_end(  # noqa: PLR0917 -- the columns of one table of pairs
    end: str, gap: Floats, a: Int64s, b: Int64s, group: Indices, owner: Indices, people: int, names: Sequence[Annotator]
) -> list[Habit]:
    sign = np.sign(gap)
    score = totals(a, sign, len(owner)) - totals(b, sign, len(owner))
    groups = int(group.max(initial=-1)) + 1
    there = totals(group, np.abs(score), groups)[group] > 0  # groups whose ends differ
    rows = np.flatnonzero(there)
    rows = rows[np.argsort(group[rows], kind="stable")]
    many = np.bincount(group[rows], minlength=groups)
    start = np.cumsum(many) - many
    each = many[group[rows]]
    of = np.repeat(np.arange(len(rows)), each)
    offset = np.arange(len(of)) - np.repeat(np.cumsum(each) - each, each)
    number = score[rows[start[group[rows[of]]] + offset]]
    draws = GroupDraws(owner[rows], np.ones(len(rows)), of, number, 1 / each[of])
    sums = totals(owner[rows], score[rows], people)
    p = np.minimum(np.minimum(low_tail(draws, sums), high_tail(draws, sums)) * 4 * people, 1.0)
    made = []
    for u in np.flatnonzero(p <= OF_OTHERS).tolist():
        own = np.concatenate([gap[owner[a] == u], -gap[owner[b] == u]])
        own = own[own != 0]
        later = bool(sums[u] > 0)
        side = (own > 0) if later else (own < 0)
        by = float(np.median(np.abs(own[side]))) if side.any() else 0.0
        made.append(Habit(names[u], end, later, float(side.mean()), len(own), by, float(p[u])))
    return made


def _finding(case: Case, name: Annotator, own: list[Habit]) -> Finding:
    without = case.without([name])
    strict, lenient = _strict_and_lenient(case)
    measuring = () if math.isnan(without) else case.measuring(without=[name])
    about = {
        "annotators": [name],
        "habits": [habit._asdict() for habit in own],
        "strict_f1": strict,
        "lenient_f1": lenient,
        "coefficient": case.coefficient,
        "without": None if math.isnan(without) else without,
        "measured": bool(measuring),
    }
    gain = 0.0 if math.isnan(without) else without - case.lead.value
    return Finding("boundaries", (name,), about, gain, measuring or _looking(case))


def _looking(case: Case) -> tuple[Call, ...]:
    """The call that prints F1 with exact ends, and with any overlap."""
    return case.call("measure", several=True, measures=[("span_f1", {}), ("span_f1", {"match": OVERLAP})])


def _strict_and_lenient(case: Case) -> tuple[float, float]:
    return span_f1(case.study).value, span_f1(case.study, match=OVERLAP).value


def _matter(case: Case, types: Typology) -> list[Finding]:
    """Whether ends alone are most of the disagreement."""
    wrong, ends = types.number(TYPES[1:]), types.number(("boundary",))
    strict, lenient = _strict_and_lenient(case)
    if ends < FEW or ends <= MOST * wrong or not lenient - strict >= LENIENT:
        return []
    about = {"share": ends / wrong, "strict_f1": strict, "lenient_f1": lenient}
    return [Finding("ends", (), about, lenient - strict, _looking(case))]
