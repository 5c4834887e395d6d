"""Labels that are one in several spellings: 'Cat' and 'cat', 'not sure' and 'not_sure.', 'neutral' and 'nuetral'.

Labels are one where they are the same without case, accents, white space, hyphens and what may stand around a word, and
a rare one is a misspelt common one where a letter is missing, added, another or in its neighbour's place, after the
first letter; unless annotators tell them apart: if 'A' and 'a' are two labels, who gives 'A' to an item seldom meets
others there who give 'a', beside those who give 'a' themselves.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interagree.arrays import Integers
from interagree.data.types import Annotator
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.findings.repairs import example_of
from interagree.stats.engine.compress import totals

AROUND = " \t\n.,;:\"'`´’‘“”«»()[]"  # what may stand around a word
SHORTEST = 4  # letters that a label has that may be misspelt
RARE = 3  # how many times as common a label is as one of its misspellings, at least
MET = 2  # times that it was given beside a misspelling
MOST = 200  # labels that are looked through for misspellings
TOLD_APART = 0.5  # how often, beside those who give one, another must be met where the other one is given


class Spellings(NamedTuple):
    """Labels that are one, the most common spelling first."""

    codes: tuple[int, ...]
    by: tuple[Annotator, ...]  # who uses another one; empty where these are most
    times: int  # how often another one was given


def findings(case: Case, rest: LeaveOneOut) -> tuple[list[Finding], LeaveOneOut]:
    """Labels in several spellings, and the annotations with one for each."""
    classes = _classes(rest)
    if not classes:
        return [], rest
    values = rest.study.values
    place = np.arange(len(values))
    for spelled in classes:
        place[[*spelled.codes]] = spelled.codes[0]
    groups = [[values[code] for code in spelled.codes] for spelled in classes]
    there = {*case.study.values}
    merged = case.study
    for group in groups:
        merged = merged.merge_labels(*(value for value in group if value in there))
    value = case.value_of(merged)
    others = np.flatnonzero(rest.compared & (place[rest.value] != rest.value))
    made = [
        Finding(
            "spelling",
            tuple(label for group in groups for label in group),
            {
                "labels": groups,
                "annotators": [*dict.fromkeys(name for spelled in classes for name in spelled.by)],
                "times": sum(spelled.times for spelled in classes),
                "example": example_of(rest, int(others[0])) if len(others) else None,
                "coefficient": case.coefficient,
                "merged": None if np.isnan(value) else value,
            },
            0.0 if np.isnan(value) else max(value - case.lead.value, 0.0),
            case.measuring(merge_labels=groups) if not any("," in label for group in groups for label in group) else (),
        )
    ]
    return made, LeaveOneOut(replace(rest.study, value=place[rest.value]), rest.distance)


def _classes(rest: LeaveOneOut) -> list[Spellings]:
    study = rest.study
    if not of_labels(rest) or study.anonymous:
        return []
    often = np.bincount(rest.value, minlength=len(study.values))
    alike: dict[str, list[int]] = {}
    for code, value in enumerate(study.values):
        if isinstance(value, str) and often[code]:
            alike.setdefault(plain(value), []).append(code)
    _misspelt(rest, often, alike)
    made = []
    for codes in alike.values():
        if len(codes) < 2:
            continue
        first, *rest_of = sorted(codes, key=lambda code: (-often[code], code))
        same = [first, *(code for code in rest_of if not _told_apart(rest, first, code))]
        if len(same) > 1:
            other = np.isin(rest.value, same[1:])
            who = np.unique(rest.who[other])
            names = tuple(study.annotators[int(u)] for u in who) if 2 * len(who) <= rest.people else ()
            made.append(Spellings(tuple(same), names, int(other.sum())))
    return made


def _misspelt(rest: LeaveOneOut, often: Integers, alike: dict[str, list[int]]) -> None:
    """Put misspelt labels to those that they stand for, in place."""
    common = sorted(alike, key=lambda word: (-sum(often[code] for code in alike[word]), word))
    for place, rare in reversed([*enumerate(common[:MOST])] if len(common) <= MOST else []):
        for usual in common[:place]:
            many, few = (alike[word] for word in (usual, rare))
            enough = sum(often[code] for code in many) >= RARE * sum(often[code] for code in few)
            if enough and one_letter_apart(usual, rare) and _beside(rest, many[0], few[0]):
                many += alike.pop(rare)
                break


def one_letter_apart(usual: str, rare: str) -> bool:
    """Whether a word is another with one letter missing, added, changed or changed about, but for the first."""
    if not (usual.isalpha() and rare.isalpha() and max(len(usual), len(rare)) >= SHORTEST):
        return False
    shorter = min(len(usual), len(rare))
    start = next((at for at in range(shorter) if usual[at] != rare[at]), shorter)
    end = next((at for at in range(shorter - start) if usual[-1 - at] != rare[-1 - at]), shorter - start)
    one, two = usual[start : len(usual) - end], rare[start : len(rare) - end]
    return start > 0 and (max(len(one), len(two)) == 1 or (len(one) == 2 and one == two[::-1]))


def _beside(rest: LeaveOneOut, one: int, two: int) -> bool:
    """Whether two labels were given to the same items."""
    items = len(rest.study.items)
    first, second = (totals(rest.item, rest.value == code, items) for code in (one, two))
    return float(first @ second) >= MET


def plain(label: str) -> str:
    """A label without what spellings differ in; itself where that leaves nothing."""
    letters = unicodedata.normalize("NFKD", label.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter)).strip(AROUND)
    return re.sub(r"[\s_-]+", " ", bare).strip() or label


def _told_apart(rest: LeaveOneOut, one: int, two: int) -> bool:
    """Whether annotators of an item give one of two labels together, so that they are not the same."""
    items = len(rest.study.items)
    first, second = (totals(rest.item, rest.value == code, items) for code in (one, two))
    met = float(first @ second)
    # Of others who give either where the second is given, the share that gives the first; then where that is given.
    beside = met / max(met + float((second * (second - 1)).sum()), 1.0)
    itself = float((first * (first - 1)).sum())
    return beside < TOLD_APART * itself / max(itself + met, 1.0)
