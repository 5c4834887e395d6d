"""How many more items would decide what is open, and where annotators share too few items to say anything."""

from __future__ import annotations

import math

import numpy as np

from interagree.data.provenance import counted
from interagree.errors import Hint, Wording
from interagree.reports.choose import SeemingScale, as_scale
from interagree.reports.parts import THRESHOLDS
from interagree.reports.story.case import Case, Finding, two_digits
from interagree.reports.story.verdict import thresholds_fit
from interagree.stats.labels.width import PLANNED, items_for

WIDE = 0.1  # half the width of an interval above which more items are advised
NARROW = 0.05  # … and what they are advised for
ROUGHLY = (0.1, 0.15, 0.2)  # … where that would take too many
TOO_MANY = 10  # times as many items as there are, beyond which nobody is advised to annotate more
TEN = 10  # items, below which nothing can be said about more of them
FEW = 30  # items with two annotations
TELLING = 0.05  # how far off an ordered scale must be to be said first
SHARE = 0.2  # of all items, below which annotators share too few


def findings(case: Case) -> list[Finding]:
    """How many more items decide the threshold or give a narrow interval, and whether annotators share too few."""
    return [*_reading(case), *_overlap(case), *_amount(case)]


def _reading(case: Case) -> list[Finding]:
    """What values that may be labels or a scale give as a scale, where nobody said which."""
    words = SeemingScale.of(case.study)
    if words is not None:
        return _words(case, words)
    scale = as_scale(case.study) if case.part.remark else None
    other = math.nan if scale is None else scale.of(case.study).value
    if math.isnan(other):
        return []
    ordered = Hint("ordered", value=True)
    sentence = (
        f"The values are {case.study.recognised.because} and were taken as plain labels. Say whether they are a scale: "
        f"then {case.instead(other)}."
    )
    about = {"as_scale": other}
    short = f"taken as an ordered scale, {two_digits(other)}" if abs(other - case.lead.value) >= TELLING else ""
    command = case.command("report", "interagree.report({}, distance='ordinal')", *ordered.words(), several=True)
    return [Finding("reading", sentence, abs(other - case.lead.value), command, about, short)]


def _words(case: Case, scale: SeemingScale) -> list[Finding]:
    """What words that look like a scale give as one, where nobody named a distance."""
    other = scale.measured().value
    if math.isnan(other) or not (case.part.remark or not {"distance", "weights"} & case.choice.options.keys()):
        return []
    order = " < ".join(map(str, scale.study.values))
    lead = case.lead.measure.name == "alpha"
    then = case.instead(other) if lead else f"ordinal α would be {two_digits(other)}"
    taken = f"The values {scale.because} ({order}), and were taken as plain labels."
    sentence = f"{taken} If they are a scale, say so: then {then}."
    about = {"as_scale": other, "order": list(scale.study.values)}
    gain = abs(other - case.lead.value) if lead else 0.0
    short = f"taken as an ordered scale, {two_digits(other)}" if gain >= TELLING else ""
    return [Finding("reading", sentence, gain, _stating(case, scale), about, short)]


def _stating(case: Case, scale: SeemingScale) -> Wording | None:
    """The command that reports on the values as the scale; None where labels were merged, which are listed as read."""
    if "--merge-labels" in case.part.again:
        return None
    values, ordered = scale.hints
    call = f"interagree.report({{}}, {values}, {ordered})"
    return case.command("report", call, *values.words(), *ordered.words(), several=True)


def _amount(case: Case) -> list[Finding]:
    lead, level = case.lead, case.intervals.level
    interval = case.intervals.interval(lead)
    if interval is None or case.intervals.random != "items" or case.intervals.cluster is not None:
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
        if wanted > 0 and there >= TEN and (needed := items_for(lead, wanted, level)) is not None
        if there < needed <= TOO_MANY * there
    )
    first = next(reachable, None)
    if first is None:
        return []
    target, wanted, missing = first
    more = _round(missing)
    rough = f" A figure from {there:,} items is a rough one." if there < FEW else ""
    if target is None:
        what = (
            f"The interval is wide (± {half:.2f}): about {counted(more, 'more item')} like these would make it "
            f"± {wanted:g}.{rough}"
        )
    else:
        what = (
            f"About {counted(more, 'more item')} like these would show whether {case.symbol} reaches {target:.3g}, if "
            f"it stays at {lead.value:.2f}: the interval would then be ± {wanted:.2f} and not ± {half:.2f}.{rough}"
        )
    command = None
    if lead.measure.name in PLANNED:
        options = f"measure={lead.measure.name!r}, half_width={wanted:g}{_distance(case, python=True)}"
        call = f"interagree.plan({{}}, {options})"
        words = ("-m", lead.measure.name, "--half-width", f"{wanted:g}", *_distance(case, python=False).split())
        command = case.command("plan", call, *words)
    about = {"items": more, "half_width": wanted, "half_width_now": half, "threshold": target}
    short = f"{more:,} more items would show whether it reaches {target:.3g}" if target is not None else ""
    return [Finding("amount", what, 0.0, command, about, short)]


def _distance(case: Case, *, python: bool) -> str:
    distance = case.choice.options.get("distance")
    if not isinstance(distance, str):
        return ""
    return f", distance={distance!r}" if python else f"--distance {distance}"


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
    sentence = (
        f"Only {shared:,} of {counted(given, 'item')} {'has' if shared == 1 else 'have'} two annotations or more, and "
        f"only these can be compared. Let a second annotator do {FEW - shared:,} more of the others before anything is "
        "concluded."
    )
    about = {"shared": shared, "items": given}
    return [Finding("overlap", sentence, 0.0, None, about, f"only {shared:,} of {given:,} items can be compared")]
