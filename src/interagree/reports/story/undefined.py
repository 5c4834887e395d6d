r"""What to do where the leading coefficient is undefined: nothing to compare, or nothing to choose between.

Of $n$ items that all got the same value, the share of items that would get another one is at most
$1 - (1 - \text{level})^{1/n}$ at that level, the exact bound for a share of which no case was seen.
"""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Booleans
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.errors import KindError, Wording
from interagree.reports.choose import choice
from interagree.reports.story.case import Case, Finding, called, two_digits
from interagree.stats.labels.width import PLANNED

FEW = 30  # items that a second annotator should do before anything is concluded
ASSUMED = 0.8  # agreement for which a study is planned, where nothing tells
HALF_WIDTH = 0.1  # … and half the width of its interval


def findings(case: Case) -> list[Finding]:
    """Why there is nothing to measure, and what would change that; silent where that cannot be said."""
    study = case.study if case.study.anonymous else case.study.first_judgements()
    sizes = study.sizes()
    given, shared = int(np.count_nonzero(sizes)), sizes > 1
    if not given:
        return []
    if not shared.any():
        return [_apart(case, study, given)]
    return _same(case, study, shared)


def _apart(case: Case, study: Annotations, given: int) -> Finding:
    """No item has two annotations."""
    people = 0 if study.anonymous else len(study.annotators)
    wanted = min(FEW, given)
    all_of_them = "the item" if given == 1 else f"all {given:,} items"
    which = all_of_them if wanted == given else f"{wanted:,} of the {counted(given, 'item')}"
    drawn = ", drawn at random," if wanted < given else ""
    let = f"Let a second annotator do {which}{drawn} before anything is concluded"
    about = {"shared": 0, "items": given, "wanted": wanted}
    if people > 1:
        sentence = (
            f"None of {counted(given, 'item')} has annotations by two of the {people:,} annotators. If they did "
            f"annotate the same items, these have other names or stand in another column; if not, {let[0].lower()}"
            f"{let[1:]}."
        )
        return Finding("overlap", sentence, 0.0, _look(case), about)
    only = f"Only {study.annotators[0]} has annotated" if people else "No item has a second annotation"
    plan = _plan(case, study)
    if plan is None:
        return Finding("overlap", f"{only}, so there is nothing to compare. {let}.", 0.0, _look(case), about)
    sentence = (
        f"{only}, so there is nothing to compare. {let}. How many give an interval of ± {HALF_WIDTH:g} can be planned: "
        f"with values as common as here, and two annotators who agree on {ASSUMED:.0%} of the items."
    )
    return Finding("overlap", sentence, 0.0, plan, about)


def _look(case: Case) -> Wording | None:
    """How to see what was taken as items and annotators."""
    return case.command("doctor", "{}.rows()[:10]")


def _plan(case: Case, study: Annotations) -> Wording | None:
    """The plan of a study with labels as common as these; None where it cannot be made."""
    name = case.lead.measure.name
    p = np.bincount(study.value, minlength=len(study.values)) / len(study)
    shares = [round(share, 3) for share in p[p > 0].tolist()]
    plain = case.choice.options.get("distance") in (None, "nominal") and case.choice.options.get("weights") is None
    if name not in PLANNED or not plain or study.kind != "labels" or not float(p @ p) < ASSUMED or 0 in shares:
        return None
    python = f"interagree.plan(measure={name!r}, shares={shares}, agreement={ASSUMED:g}, half_width={HALF_WIDTH:g})"
    spelled = ",".join(f"{share:g}" for share in shares)
    words = f"-m {name} --shares {spelled} --agreement {ASSUMED:g} --half-width {HALF_WIDTH:g}"
    return Wording(python, f"interagree plan {words}")


def _same(case: Case, study: Annotations, shared: Booleans) -> list[Finding]:
    """Where items can be compared, everybody gives all of them the same value."""
    compared = shared[study.item]
    top = int(study.value[compared][0])
    percent = _value("percent", study)
    if np.any(study.value[compared] != top) or math.isnan(percent):
        return []
    number = int(np.count_nonzero(shared))
    value = "" if study.kind.complex else f", {study.values[top]!r}"
    others = len(np.unique(study.item[study.value != top]))
    if others:
        do = (
            f"Others were given to {counted(others, 'item')} with one annotation: let a second annotator do "
            f"{'this' if others == 1 else 'these'}"
        )
    else:
        at_most = 1 - (1 - case.intervals.level) ** (1 / number)
        do = (
            f"Add items that should get another: if these are drawn at random, at most {at_most:.0%} of such items "
            f"would ({case.intervals.level:.0%} sure)"
        )
    ac1 = _value("ac1", study) if study.kind in ("labels", "ordered") else math.nan
    also = "" if math.isnan(ac1) else f" and {called(choice('ac1').of(study))} {two_digits(ac1)}"
    sentence = (
        f"All annotations of {counted(number, 'item')} have the same value{value}. Percent agreement is "
        f"{two_digits(percent)}{also}, but whether annotators agree or had nothing to choose between cannot be told. "
        f"{do}."
    )
    about = {"items": number, "others": others, "percent": percent, "ac1": None if math.isnan(ac1) else ac1}
    if math.isnan(ac1):
        command = case.command("measure", "interagree.percent({})", "-m", "percent", several=True)
    else:
        call = "interagree.reports.coefficients({}, measures=['percent', 'ac1'])"
        command = case.command("measure", call, "-m", "percent", "-m", "ac1", several=True)
    return [Finding("one value", sentence, 0.0, command, about)]


def _value(name: str, study: Annotations) -> float:
    try:
        return choice(name).of(study).value
    except KindError:
        return math.nan
