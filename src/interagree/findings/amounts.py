"""How many more items would decide what is open, and where annotators share too few items to say anything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from interagree.choose import SeemingScale, as_scale
from interagree.findings.calls import Call
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.results.scales import THRESHOLDS, thresholds_fit
from interagree.stats.labels.width import PLANNED, items_for

WIDE = 0.1  # half the width of an interval above which more items are advised
NARROW = 0.05  # … and what they are advised for
ROUGHLY = (0.1, 0.15, 0.2)  # … where that would take too many
TOO_MANY = 10  # times as many items as there are, beyond which nobody is advised to annotate more
TEN = 10  # items, below which nothing can be said about more of them
FEW = 30  # items with two annotations
SHARE = 0.2  # of all items, below which annotators share too few


def findings(case: Case) -> list[Finding]:
    """How many more items decide the threshold or give a narrow interval, and whether annotators share too few."""
    return [*_reading(case), *_overlap(case), *_amount(case)]


def _reading(case: Case) -> list[Finding]:
    """What values that may be labels or a scale give as a scale, where nobody said which."""
    words = SeemingScale.of(case.study)
    if words is not None:
        return _words(case, words)
    scale = as_scale(case.study) if case.guessed else None
    other = math.nan if scale is None else scale.of(case.study).value
    if math.isnan(other):
        return []
    gain = abs(other - case.lead.value)
    about = {"as_scale": other, "because": case.study.recognised.because, "coefficient": case.coefficient}
    return [Finding("reading", (), about, gain, case.call("report", several=True, ordered=True))]


def _words(case: Case, scale: SeemingScale) -> list[Finding]:
    """What words that look like a scale give as one, where nobody named a distance."""
    other = scale.measured().value
    if math.isnan(other) or not (case.guessed or not {"distance", "weights"} & case.choice.options.keys()):
        return []
    # Labels that were merged are listed as they were read, so that no order of them can be given.
    calls = () if "--merge-labels" in case.again else _stating(case, scale)
    lead = case.lead.measure.name == "alpha"
    gain = abs(other - case.lead.value) if lead else 0.0
    about = {"as_scale": other, "because": scale.because, "order": [*scale.study.values]}
    if lead:
        about["coefficient"] = case.coefficient
    return [Finding("reading.words", (), about, gain, calls)]


def _stating(case: Case, scale: SeemingScale) -> tuple[Call, ...]:
    return case.call("report", several=True, values=[*scale.study.values], ordered=True)


def _amount(case: Case) -> list[Finding]:
    lead, interval = case.lead, case.interval
    if interval is None or not case.of_items:
        return []
    open_ = [limit for limit in THRESHOLDS if thresholds_fit(lead) and interval.low < limit <= interval.high]
    half = (interval.high - interval.low) / 2
    if open_:
        limit = min(open_, key=lambda at: -abs(lead.value - at))
        apart = abs(lead.value - limit)
        # In thousandths, as the command has it, so that it prints the number that is promised.
        aims: list[tuple[float | None, float]] = [(limit, math.floor(apart * 1000) / 1000 or apart)]
    elif half > WIDE and not (thresholds_fit(lead) and interval.high < min(THRESHOLDS)):  # that it is too low is sure
        aims = [(None, NARROW)]
    else:
        return []
    there = lead.n.items
    # Where the first aim is out of reach, a wide interval can still be made narrower.
    aims += [(None, aim) for aim in (NARROW, *ROUGHLY) if half > WIDE and aim < half / 2]
    reachable = (
        (limit, wanted, needed - there)
        for limit, wanted in aims
        if wanted > 0 and there >= TEN and (needed := items_for(lead, wanted, case.level)) is not None
        if there < needed <= TOO_MANY * there
    )
    first = next(reachable, None)
    if first is None:
        return []
    target, wanted, missing = first
    more = _round(missing)
    options: dict[str, Any] = {"measure": lead.measure.name, "half_width": float(f"{wanted:g}")}
    distance = case.choice.options.get("distance")
    if isinstance(distance, str):
        options["distance"] = distance
    calls = case.call("plan", **options) if lead.measure.name in PLANNED else ()
    about = {
        "items": more,
        "half_width": wanted,
        "half_width_now": half,
        "threshold": target,
        "there": there,
        "coefficient": case.coefficient,
    }
    return [Finding("amount", (), about, 0.0, calls)]


def _round(items: int) -> int:
    """A number of items as one would say it: two digits of it."""
    unit = int(10 ** max(len(str(items)) - 2, 0))
    return math.ceil(items / unit) * unit


def _overlap(case: Case) -> list[Finding]:
    sizes = case.study.sizes()
    given = int(np.count_nonzero(sizes))
    shared = int(np.count_nonzero(sizes > 1))
    if shared >= FEW or not 0 < shared <= SHARE * given:
        return []
    return [Finding("overlap.few", (), {"shared": shared, "items": given, "wanted": FEW - shared})]
