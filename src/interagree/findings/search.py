"""The findings of a study, those that gain most first.

First what can be undone is found and undone: labels in several spellings (`spelling`), and slips such as a reversed
scale (`repairs`, with a module of `causes` for each).  Then six tests look for a flaw, together at 6 %, with p-values
adjusted for everything that each looks at and so conservative that a study without one is accused of none 95 times in
100: `annotators` (who differs from the others on the same items), `labels` (which two are confused), `items` (whether
few hold most of the disagreement), `places` (whether it stands in a group of items, late in the work, or at texts that
come twice), `boundaries` (who marks longer or shorter spans) and `pairs` (which two annotators agree more or less than
each does with the rest).  `amounts` says
how many more items would decide what is open, and `undefined` what is missing where there is no coefficient; they test
nothing and accuse nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from interagree.data.types import Annotator
from interagree.findings import amounts, annotators, items, labels, mixing, pairs, places, repairs, spelling, undefined
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut

ORDER = {"reading": -2, "overlap": -1, "amount": 1}  # first what makes all else idle, last what only needs patience


class SearchResult(NamedTuple):
    """What stands out, and what was not looked at, with the reason."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


def found(case: Case) -> SearchResult:
    """What stands out in a study, those findings first that gain most."""
    if case.lead.undefined:
        return SearchResult(tuple(undefined.findings(case)))
    findings, notes = _found(case)
    ranked = sorted(findings, key=lambda one: (ORDER.get(one.kind, 0) if one.short else 1, -one.gain))
    return SearchResult(tuple(ranked), tuple(note for note in notes if note))


def _found(case: Case) -> tuple[list[Finding], list[str]]:
    notes = [case.cut]
    if case.study.anonymous:
        return [*labels.findings(case, None), *items.findings(case), *amounts.findings(case)], notes
    # What can be undone is undone first: a reversed scale looks like guessing, and its disagreement like anything else.
    spelled, rest = spelling.findings(case, case.beside_others)
    slips, rest = repairs.undone(rest, case.times(rest))
    undone = [*spelled, *repairs.findings(case, slips, rest)]
    if undone:
        case = replace(case, mended=rest.study)
    mixed = mixing.mixing(rest)
    if mixed:
        undone += mixing.findings(case, rest, mixed)
        rest = _without(rest, [one.name for one in mixed], least=2)
        case = replace(case, mended=rest.study)
    standing = pairs.standing_out(case)
    people = annotators.flagged(case, case.beside_others)
    # Two who share a habit agree more with each other, and so do those who do not have it: that is not told twice.
    if any(pair.closer for pair in standing):
        people = annotators.with_shared(people, pairs.sharing(case.beside_others, standing))
        standing = pairs.beyond_habits(case, standing, people)
    # Who copies makes others look odd, and who is odd makes labels look confused: each is left out of what follows.
    rest = _without(case.beside_others, [pair.second for pair in standing if pair.closer], least=3)
    if rest is not case.beside_others:
        people = annotators.flagged(case, rest)
    odd = [person.name for person in people]
    rest = _without(rest, odd, least=2)
    # Who is odd differs from many; that need not be said of each.
    standing = [pair for pair in standing if pair.closer or not {pair.first, pair.second} & {*odd}]
    mended = {one.name for one in slips} | {one.name for one in mixed}  # nothing is made of what is left of them
    made = [
        *undone,
        *annotators.findings(case, [person for person in people if person.name not in mended]),
        *pairs.findings(case, standing),
        *labels.findings(case, rest),
        *places.findings(case, rest),
        *([] if undone else items.findings(case)),
    ]
    notes.append(pairs.too_many(case.beside_others))
    if case.study.kind == "spans":
        from interagree.findings import boundaries

        guessing = [person.name for person in people if person.habit == "guess"]
        of_spans, left_out = boundaries.findings(case, guessing)
        made, notes = [*made, *of_spans], [*notes, *left_out]
    return [*made, *amounts.findings(case)], notes


def _without(rest: LeaveOneOut, names: Sequence[Annotator], *, least: int) -> LeaveOneOut:
    """The same without some annotators, where at least so many are left."""
    if not names or rest.people - len(names) < least:
        return rest
    return LeaveOneOut(rest.study.without(*names), rest.distance)
