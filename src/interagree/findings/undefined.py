r"""What to do where the leading coefficient is undefined: nothing to compare, or nothing to choose between.

Of $n$ items that all got the same value, the share of items that would get another one is at most
$1 - (1 - \text{level})^{1/n}$ at that level, the exact bound for a share of which no case was seen.
"""

from __future__ import annotations

import math

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.choose import choice
from interagree.data import Annotations
from interagree.errors import KindError
from interagree.findings.calls import Call
from interagree.findings.case import Case
from interagree.findings.finding import Finding
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
    look = case.call("doctor")  # what was taken as items and annotators
    about: dict[str, object] = {"shared": 0, "items": given, "wanted": min(FEW, given), "people": people}
    if people > 1:
        return Finding("overlap.apart", (), about, 0.0, look)
    about["only"] = study.annotators[0] if people else None
    plan = _plan(case, study)
    if plan is None:
        return Finding("overlap.alone", (), about, 0.0, look)
    return Finding("overlap.alone", (), {**about, "half_width": HALF_WIDTH, "assumed": ASSUMED}, 0.0, (plan,))


def _plan(case: Case, study: Annotations) -> Call | None:
    """The plan of a study with labels as common as these; None where it cannot be made."""
    name = case.lead.measure.name
    p = np.bincount(study.value, minlength=len(study.values)) / len(study)
    shares = _thousandths(p[p > 0])
    plain = case.choice.options.get("distance") in (None, "nominal") and case.choice.options.get("weights") is None
    if name not in PLANNED or not plain or study.kind != "labels" or not float(p @ p) < ASSUMED or 0 in shares:
        return None
    options = {"measure": name, "shares": shares, "agreement": ASSUMED, "half_width": HALF_WIDTH}
    return Call("plan", options, again="")


def _thousandths(shares: Floats) -> list[float]:
    """Shares with three digits that add up to 1: what rounding loses goes to those that it cut most."""
    cut = np.floor(shares * 1000)
    cut[np.argsort(cut - shares * 1000, kind="stable")[: round(1000 - cut.sum())]] += 1
    return [round(thousandth / 1000, 3) for thousandth in cut.tolist()]


def _same(case: Case, study: Annotations, shared: Booleans) -> list[Finding]:
    """Where items can be compared, everybody gives all of them the same value."""
    compared = shared[study.item]
    top = int(study.value[compared][0])
    percent = _value("percent", study)
    if np.any(study.value[compared] != top) or math.isnan(percent):
        return []
    number = int(np.count_nonzero(shared))
    ac1 = _value("ac1", study) if study.kind in ("labels", "ordered") else math.nan
    about = {
        "items": number,
        "others": len(np.unique(study.item[study.value != top])),
        "percent": percent,
        "ac1": None if math.isnan(ac1) else ac1,
        "level": case.level,
    }
    if not study.kind.complex:
        about["label"] = study.values[top]
    measures: list[tuple[str, dict[str, object]]]
    measures = [("percent", {})] if math.isnan(ac1) else [("percent", {}), ("ac1", {})]
    return [Finding("one value", (), about, 0.0, case.call("measure", several=True, measures=measures))]


def _value(name: str, study: Annotations) -> float:
    try:
        return choice(name).of(study).value
    except KindError:
        return math.nan
