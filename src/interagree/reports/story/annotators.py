"""Whom to brief again or leave out: those whom the tests of `interagree.people.screening` flag, by what they do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from interagree.data.types import Annotator
from interagree.errors import Wording
from interagree.people.annotator_tests import AnnotatorTests
from interagree.people.leave_one_out import LeaveOneOut
from interagree.reports.story.case import OF_PEOPLE, Case, Finding, names_of, two_digits

NEAR_CHANCE = 0.1  # agreement with the rest beyond chance up to which an annotator is said to guess,
ERRORS = 2.0  # … or so many of its standard errors under chance, about 1/√n, where items are few,
FAR_FROM_CHANCE = 0.2  # … but not beyond this
AGAINST = -0.2  # … and below which they answer against the others
WORTH = 0.005  # what the coefficient must gain for leaving somebody out to be mentioned
EXAMPLES = 3  # annotators of one habit whose reasons are told
MOST_OF_ALL = 0.95  # the share of one label above which somebody is said to give nothing else

# What somebody does, the most telling first: where several tests flag them, the first is named.
HABITS = ("shift", "one label", "against", "guess", "drift", "label", "repeats", "low")


class Flagged(NamedTuple):
    """An annotator whom a test flags."""

    name: Annotator
    habit: str
    reason: str  # in the words of the test, with its p-value
    kappa: float  # agreement with the rest beyond chance
    label: object = None  # the label that they give all the time


def findings(case: Case, rest: LeaveOneOut) -> list[Finding]:
    """What annotators do differently from the others on the same items, those of one habit together.

    ``rest`` is without those who copy from another.
    """
    people = flagged(case, rest)
    if len(case.study.annotators) == 2:
        people = people[:1]  # of two, each differs from the other
    groups = {habit: [person for person in people if person.habit == habit] for habit in HABITS}
    return [_finding(case, habit, group) for habit, group in groups.items() if group]


def flagged(case: Case, rest: LeaveOneOut) -> list[Flagged]:
    """Those whom a test flags, and what they do."""
    if rest.people < 2 or not rest.compared.any():
        return []
    screened = AnnotatorTests(rest, 1 - OF_PEOPLE, times=case.times(rest)).run(tests_only=True)
    columns = screened.columns
    kappas: Sequence[Any] = columns.get("kappa") or columns.get("alpha") or [math.nan] * len(columns["annotator"])
    sizes: Sequence[Any] = columns["n"]
    people = []
    for name, flags, kappa, n in zip(columns["annotator"], columns["flags"], kappas, sizes, strict=True):
        if flags:
            reasons = dict(zip(str(flags).split(", "), screened.reasons[name], strict=True))
            people.append(_habit(case, name, reasons, float(kappa), float(n)))
    return people


def _habit(case: Case, name: Annotator, reasons: dict[str, str], kappa: float, n: float) -> Flagged:
    worse = reasons.get("agreement") or reasons.get("distance") or ""
    habits: dict[str, str] = {name: why for name, why in reasons.items() if name in HABITS}
    label = None
    if worse:
        habits["low"] = worse
        if kappa < AGAINST and case.rest.labels:  # under a distance, that is merely far away
            habits["against"] = worse
        elif kappa < max(NEAR_CHANCE, min(ERRORS / math.sqrt(n), FAR_FROM_CHANCE)):
            habits["guess"] = worse
            label = _only_label(case, name)
            if label is not None:
                habits["one label"] = worse
    habit = next(habit for habit in HABITS if habit in habits)
    return Flagged(name, habit, habits[habit], kappa, label)


def _only_label(case: Case, name: Annotator) -> object:
    """The label that somebody gives nearly always and others do not; None where there is none."""
    study = case.rest.study
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
    who = f"{len(names):,} of {everyone:,} annotators" if most and len(names) > 1 else names_of(names)
    what, do, short = _words(case, habit, group)
    better = gain >= WORTH
    left = f"; without them {case.instead(without)}" if better else ""
    about = {
        "annotators": names,
        "habit": habit,
        "reasons": {str(person.name): person.reason for person in group},
        "beyond_chance": [None if math.isnan(person.kappa) else person.kappa for person in group],
        "without": None if math.isnan(without) else without,
    }
    clause = f"{who} {short}" + (f", without them {two_digits(without)}" if better else "")
    command = (case.measuring_without(names) if better else None) or _command(case, habit)
    return Finding("annotator", f"{who} {what}. {do}{left}.", gain, command, about, clause, tuple(names))


def _command(case: Case, habit: str) -> Wording | None:
    timed = case.time is not None and habit in ("drift", "repeats")
    call = f"interagree.annotators({{}}{f', time={case.time!r}' if timed else ''})"
    return case.command("annotators", call, *(["--time", str(case.time)] if timed else []))


def _words(case: Case, habit: str, group: Sequence[Flagged]) -> tuple[str, str, str]:
    """What somebody does, what to do about it, and the first in a few words."""
    first, many = group[0], len(group) > 1
    reason = _reasons(group)
    beyond = _beyond_chance(case, group)
    leave = "Leave their annotations out, or brief them again"
    if habit == "guess":
        sure = all(person.kappa < NEAR_CHANCE for person in group)
        verb = ("guess" if many else "guesses") if sure else "may be guessing"
        return f"{verb}: they agree with the others hardly more than chance would ({beyond})", leave, verb
    if habit == "one label":
        verb = "give" if many else "gives"
        label = "" if many else f", {first.label!r}"
        short = f"{verb} hardly any label but one" if many else f"{verb} hardly any label but {first.label!r}"
        return f"{verb} nearly all items the same label{label} ({beyond})", leave, short
    if habit == "against":
        verb = "answer" if many else "answers"
        do = "Look whether they have swapped labels"
        return f"{verb} against the others, less alike than chance ({beyond})", do, f"{verb} against the others"
    if habit == "low":
        verb = "agree" if many else "agrees"
        do = "Go through the guidelines with them again"
        return f"{verb} less with the others than is usual on the same items: {reason}", do, f"{verb} least"
    if habit == "drift":
        verb = "drift" if many else "drifts"
        do = "Look at what they did late, and brief them again"
        return f"{verb} over time: {reason}", do, f"{verb} over time"
    if habit == "shift":
        do = "Agree with them on how the scale is used"
        if many:
            return f"use the scale differently: {reason}", do, "use the scale differently"
        return reason, do, f"is systematically {'higher' if 'higher' in reason else 'lower'}"
    if habit == "label":
        if many:
            return (
                f"use labels differently: {reason}",
                "Agree with them on what the labels cover",
                "use labels differently",
            )
        do = "Agree with them on what the label covers"
        return reason, do, reason.partition(" (p")[0].replace(" than others on these items", " than others")
    verb = "repeat" if many else "repeats"
    said = f"repeat the previous label too often: {reason}" if many else reason
    return said, "Look whether they read the items", f"{verb} the previous label"


def _beyond_chance(case: Case, group: Sequence[Flagged]) -> str:
    letter = "κ" if case.rest.labels else "α"
    kappas = [person.kappa for person in group]
    if len(group) > 1:
        return f"{letter} {two_digits(min(kappas))} to {two_digits(max(kappas))} with the rest"
    return f"{letter} {two_digits(kappas[0])} with the rest, {group[0].reason.rpartition('(')[2].rstrip(')')}"


def _reasons(group: Sequence[Flagged]) -> str:
    """What the tests say, of several annotators the first few."""
    if len(group) == 1:
        return group[0].reason.replace(" is expected on these items", " is expected")
    told = [
        f"{person.name} {person.reason}".replace(" than others on these items", "").replace(" on these items", "")
        for person in group[:EXAMPLES]
    ]
    return ", ".join([*told, *(["…"] if len(group) > EXAMPLES else [])])
