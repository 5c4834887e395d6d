"""Whom to brief again or leave out: those whom the tests of `interagree.people.screening` flag, by what they do."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from interagree.data.types import Annotator
from interagree.findings.annotator_tests import LEAST, AnnotatorTests
from interagree.findings.calls import Call
from interagree.findings.case import OF_PEOPLE, Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut
from interagree.findings.swaps import Swap, givers, swap_between, swap_of
from interagree.stats.engine.shares import familywise

NEAR_CHANCE = 0.12  # agreement with the rest beyond chance up to which an annotator is said to guess,
ERRORS = 1.5  # … or so many of its standard errors under chance, about 1/√n, where items are few,
FAR_FROM_CHANCE = 0.2  # … but not beyond this,
SURE = 2.0  # … if so many errors more are still …
OF_USUAL = 0.7  # … below this part of what is usual; what is less sure is called low
AGAINST = -0.2  # … and below which they answer against the others,
FAR_BELOW = 3.0  # … if it is so many standard errors below chance
WORTH = 0.005  # what the coefficient must gain for leaving somebody out to be mentioned
MOST_OF_ALL = 0.95  # the share of one label above which somebody is said to give nothing else
MOST_LABELS = 200  # … which numbers of any size are not
NARROWER = 0.06  # how much nearer to the middle of the scale somebody must keep than the others
LOW = 0.15  # how much less somebody must agree with the others than these among themselves, to be named for that alone
UNLINKED = 0.3  # … or how much less their answers must go with those of the others, where values have distances
AS_ONE = 0.3  # kappa from which two labels taken as one explain what looks like guessing
DESCRIBED = 0.06  # the bound at which what somebody who is flagged does is called drift: 0.02 by a normal distribution

# What somebody does, the most telling first: where several tests flag them, the first is named.
HABITS = ("one label", "drift", "shift", "narrow", "against", "guess", "label", "repeats", "low")


class Flagged(NamedTuple):
    """An annotator whom a test flags."""

    name: Annotator
    habit: str
    reason: Finding  # what the test found
    kappa: float  # agreement with the rest beyond chance
    label: object = None  # the label that they give all the time
    swap: Swap | None = None  # the label that they give for another
    worse: bool = False  # whether they agree less than others on the same items


def findings(case: Case, people: Sequence[Flagged]) -> list[Finding]:
    """What annotators do differently from the others on the same items, those of one habit together."""
    if len(case.study.annotators) == 2:
        people = people[:1]  # of two, each differs from the other
    groups: dict[tuple[int, object, object], list[Flagged]] = {}
    for person in people:
        labels = (None, None) if person.swap is None else person.swap[:2]
        groups.setdefault((HABITS.index(person.habit), *labels), []).append(person)
    return [_finding(case, group[0].habit, group) for _, group in sorted(groups.items(), key=lambda one: one[0][0])]


def flagged(case: Case, rest: LeaveOneOut) -> list[Flagged]:
    """Those whom a test flags, and what they do; ``rest`` is without those who copy from another."""
    if rest.people < 2 or not rest.compared.any():
        return []
    people = _tested(case, rest)
    # Beside somebody who guesses or tires others stand out as well: those are tested without them, and the surest.
    odd = [person.name for person in people if person.worse or person is people[0]]
    doubtful = {person.name for person in people} - {*odd}
    if odd and doubtful:
        left = rest.people - len(odd)
        again = LeaveOneOut(rest.study.without(*odd), rest.distance) if left > 2 else None
        still = set() if again is None else {person.name for person in _tested(case, again)}
        people = [person for person in people if person.name in odd or person.name in still]
    return _with_those_who_swap(rest, people)


def _tested(case: Case, rest: LeaveOneOut) -> list[Flagged]:
    tests = AnnotatorTests(rest, 1 - OF_PEOPLE, times=case.times(rest), adjust=familywise)
    screened = tests.run(tests_only=True)
    columns = screened.columns
    nothing = [math.nan] * len(columns["annotator"])
    kappas: Sequence[Any] = columns.get("kappa") or columns.get("alpha") or nothing
    drift = tests.before.get("drift")
    flagged_codes = [rest.study.annotator_code(name) for name in screened.reasons]
    unflagged = np.delete(tests.linked, flagged_codes)
    usual = float(np.nanmedian(unflagged if np.isfinite(unflagged).any() else np.append(tests.linked, 0.0)))
    people = []
    for place, (name, flags) in enumerate(zip(columns["annotator"], columns["flags"], strict=True)):
        if not flags:
            continue
        reasons = {reason.test: reason for reason in screened.reasons[name]}
        code = rest.study.annotator_code(name)
        if drift is not None and drift.p[code] <= DESCRIBED and drift.difference[code] >= LEAST:
            # That they differ is sure already; this says how.
            surest = next(iter(reasons.values()))
            described = tests.deviation(drift, code, surest.about["p"]).with_facts(besides=surest)
            reasons.setdefault("drift", described)
        less = float(tests.tests[0].difference[code])
        linked = float(tests.linked[code]), usual
        person = _habit(rest, name, reasons, float(kappas[place]), less, linked)
        if person is not None:
            people.append(person)
    return people


def _habit(  # noqa: PLR0917 -- what is known of one annotator
    rest: LeaveOneOut,
    name: Annotator,
    reasons: Mapping[str, Finding],
    kappa: float,
    less: float,
    linked: tuple[float, float],
) -> Flagged | None:
    """What somebody does whom a test flags; None where they merely agree a little less than others."""
    worse = reasons.get("agreement") or reasons.get("distance")
    habits = {habit: why for habit, why in reasons.items() if habit in HABITS}
    label = swap = None
    if worse or "label" in reasons or "shift" in reasons:
        label = _only_label(rest, name)
        swap = swap_of(rest, rest.study.annotator_code(name))
    if label is not None:
        habits["one label"] = worse or reasons.get("label") or reasons["shift"]
    if worse:
        error = 1 / math.sqrt(np.count_nonzero(rest.who == rest.study.annotator_code(name)))
        merged = "label" in reasons and swap is not None and swap.beyond >= AS_ONE
        if kappa < min(AGAINST, -FAR_BELOW * error) and rest.labels:  # under a distance, that is merely far away
            habits["against"] = worse
        elif _guesses(*linked, error) and not merged:
            habits["guess"] = worse
            for consequence in ("shift", "narrow"):
                habits.pop(consequence, None)
        elif less >= LOW or (not rest.labels and linked[1] - linked[0] >= UNLINKED):
            habits["low"] = worse
    _one_of_scale(habits)
    habit = next((habit for habit in HABITS if habit in habits), None)
    if habit is None:
        return None
    return Flagged(name, habit, habits[habit], kappa, label, swap if habit == "label" else None, bool(worse))


def _one_of_scale(habits: dict[str, Finding]) -> None:
    """Leave one of the two ways to use a scale differently: each leads to a little of the other."""
    if "narrow" in habits and habits["narrow"].about["less"] < NARROWER:
        del habits["narrow"]
    if {"shift", "narrow"} <= habits.keys():
        del habits[max(("shift", "narrow"), key=lambda habit: habits[habit].about["p"])]


def _guesses(linked: float, usual: float, error: float) -> bool:
    """Whether answers plainly have nothing to do with those of the others, beside what is usual."""
    near = linked < max(NEAR_CHANCE, min(ERRORS * error, FAR_FROM_CHANCE))
    return near and linked + SURE * error < OF_USUAL * usual


def _with_those_who_swap(rest: LeaveOneOut, people: list[Flagged]) -> list[Flagged]:
    """The same with everybody who gives the same label for the same other one, and without those who differ by that."""
    for pair in {frozenset(person.swap[:2]) for person in people if person.swap is not None}:
        one, two = pair
        sides = _sides(rest, one, two)
        group, gives, instead = max(sides, key=lambda side: _likelier(rest, people, *side))
        if not group or 2 * len(group) > rest.people:
            continue
        labelled = {rest.study.annotator_code(person.name) for person in people if person.habit == "label"}
        other = {u for side, _, _ in sides for u in side} - {*group}
        gone = {rest.study.annotators[u] for u in (labelled & {*group, *other})}
        reasons = {person.name: person for person in people}
        kept = [person for person in people if person.name not in gone]
        named = {person.name for person in kept}
        for u in group:
            name = rest.study.annotators[u]
            if name in named:
                continue
            known = reasons.get(name)
            new = (_sharing(name, group[u]), math.nan)
            reason, kappa = new if known is None else (known.reason, known.kappa)
            kept.append(Flagged(name, "label", reason, kappa, None, swap_between(rest, u, gives, instead)))
        people = kept
    return people


def _sides(rest: LeaveOneOut, one: int, two: int) -> list[tuple[dict[int, float], int, int]]:
    """Who gives the first label for the second, and who the second for the first."""
    first, second = givers(rest, one, two)
    return [(first, one, two), (second, two, one)]


def _likelier(
    rest: LeaveOneOut, people: Sequence[Flagged], group: Collection[int], gives: int, instead: int
) -> tuple[int, int, int]:
    """Which of two sides is to be named: those who never give a label, else more of the flagged, else more."""
    never = sum(swap_between(rest, u, gives, instead).never for u in group)
    names = {person.name for person in people}
    return never, sum(rest.study.annotators[u] in names for u in group), len(group)


def with_shared(people: list[Flagged], sharing: Sequence[tuple[Annotator, Swap, float]]) -> list[Flagged]:
    """The same with those who share a habit with another, who are not named for what follows from it."""
    by_name = {name: Flagged(name, "label", _sharing(name, p), math.nan, None, swap) for name, swap, p in sharing}
    follows = ("label", "low", "repeats")
    kept = [person for person in people if person.name not in by_name or person.habit not in follows]
    named = {person.name for person in kept}
    return [*kept, *(person for person in by_name.values() if person.name not in named)]


def _sharing(name: Annotator, p: float) -> Finding:
    """What is known of somebody who gives one label for another as somebody else does."""
    return Finding("differs.sharing", (name,), {"p": p})


def _only_label(rest: LeaveOneOut, name: Annotator) -> object:
    """The label that somebody gives nearly always and others do not; None where there is none."""
    study = rest.study
    if len(study.values) > MOST_LABELS:
        return None
    own = np.bincount(study.value[study.annotator == study.annotator_code(name)], minlength=len(study.values))
    top = int(own.argmax())
    overall = float(np.mean(study.value == top))
    return study.values[top] if own[top] > MOST_OF_ALL * own.sum() and overall < MOST_OF_ALL - 0.1 else None


def _finding(case: Case, habit: str, group: Sequence[Flagged]) -> Finding:
    names = [person.name for person in group]
    everyone = len(case.study.annotators)
    most = 2 * len(names) > everyone  # who is odd is then a matter of taste
    without = math.nan if most else case.without(names)
    gain = 0.0 if math.isnan(without) else without - case.lead.value
    better = gain >= WORTH
    code = "swap" if group[0].swap is not None else habit
    values = case.study.values
    about = {
        "annotators": names,
        "of": everyone,
        "habit": habit,
        "reasons": [person.reason for person in group],
        "beyond_chance": [None if math.isnan(person.kappa) else person.kappa for person in group],
        "kappa": case.beside_others.labels,
        "if_a_scale": case.study.recognised.doubt == "ordered",
        "label": group[0].label,
        "swaps": [
            {
                "annotator": person.name,
                "gives": values[person.swap.gives],
                "for": values[person.swap.instead],
                "share": person.swap.share,
                "never": person.swap.never,
            }
            for person in group
            if person.swap is not None
        ],
        "coefficient": case.coefficient,
        "without": None if math.isnan(without) else without,
        "better": better,
    }
    calls = (case.measuring(without=names) if better else ()) or _looking(case, habit)
    return Finding(f"annotator.{code}", tuple(names), about, gain, calls)


def _looking(case: Case, habit: str) -> tuple[Call, ...]:
    timed = case.time is not None and habit in ("drift", "repeats")
    return case.call("annotators", time=case.time) if timed else case.call("annotators")
