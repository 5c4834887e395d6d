"""The verdict: one sentence with the leading coefficient, its interval, what that means, and what stands out most.

Words come from scales by name (`interagree.results.scales`): those of Landis and Koch for coefficients that correct
agreement on labels for chance, those of Cicchetti for the ICC, and none for others.  Krippendorff's two limits are for
his alpha and for kappas, which measure the same: below 0.667 data are not to be relied on, and from 0.8 on they are.
"""

from __future__ import annotations

from interagree.findings.case import called
from interagree.findings.finding import Finding
from interagree.findings.words.english import two_digits
from interagree.reports.parts import IntervalOptions, Part
from interagree.results.agreement import Agreement, Interval
from interagree.results.scales import RELIABLE, TENTATIVE, band, find_scale, graded, thresholds_fit, usual_scale


def verdict(part: Part, intervals: IntervalOptions, findings: tuple[Finding, ...]) -> str:
    """The sentence for one question."""
    lead = part.lead
    if lead is None:
        return f"Nothing was measured: {part.refused[0]}." if part.refused else "Nothing was measured."
    if lead.undefined:
        return f"{_capital(called(lead))} is undefined: {lead.undefined}."
    interval = intervals.interval(lead)
    clauses = [meant for meant in (_meaning(lead, interval), _strongest(findings)) if meant]
    told = "; ".join(clauses)
    return f"{_capital(number(lead, interval))}{f': {told}' if told else ''}."


def number(result: Agreement, interval: Interval | None) -> str:
    """A coefficient with its interval, as it stands in a sentence."""
    if interval is None:
        return f"{called(result)} {two_digits(result.value)}"
    low, high = two_digits(interval.low), two_digits(interval.high)
    between = " to " if low.startswith("-") else "–"
    return f"{called(result)} {two_digits(result.value)} ({low}{between}{high})"


def _meaning(result: Agreement, interval: Interval | None) -> str:
    if result.value == 1 and result.disagreement.observed == 0:
        few = "" if interval is None or interval.low >= RELIABLE else ", on few items"
        return f"annotators agree on everything{few}"
    if result.measure.chance == "none":
        return "not corrected for chance"
    words = [_in_words(result, interval), _reached(result, interval)]
    if graded(result) and interval is not None and interval.low <= 0 <= interval.high:
        words = ["not distinguishable from chance", *words[1:]]
    return ", ".join(word for word in words if word) or _ends(result)


def _ends(result: Agreement) -> str:
    """What chance gives, for coefficients without a scale of words."""
    chance = result.measure.under_chance.value
    return "" if callable(chance) else f"{chance:g} is what chance gives, 1 is perfect agreement"


def _in_words(result: Agreement, interval: Interval | None) -> str:
    """The band on the scale that was made for such a coefficient; from one to another where the interval spans both."""
    scale = usual_scale(result)
    if scale is None:
        return ""
    low, high = (result.value, result.value) if interval is None else (interval.low, interval.high)
    bands = [band(low, scale), band(high, scale)]
    word = bands[0] if bands[0] == bands[1] else f"{bands[0]} to {bands[1]}"
    return f"{word} ({find_scale(scale).short})"


def _reached(result: Agreement, interval: Interval | None) -> str:
    """What is to be said of Krippendorff's limits."""
    if not thresholds_fit(result):
        return ""
    low, high = (result.value, result.value) if interval is None else (interval.low, interval.high)
    sure = "" if interval is not None else "; how sure that is cannot be said"
    if interval is None and high < TENTATIVE:
        return f"below Krippendorff's 0.667{sure}"
    if high < TENTATIVE:
        return f"too low for publication-grade labels under Krippendorff's 0.667{sure}"
    if low < TENTATIVE:
        further = " or his 0.800" if high >= RELIABLE else ""
        return f"may or may not reach Krippendorff's 0.667{further}"
    if high < RELIABLE:
        return f"enough for tentative conclusions under Krippendorff's 0.667, below his 0.800{sure}"
    if low < RELIABLE:
        return "enough for tentative conclusions under Krippendorff's 0.667, may or may not reach his 0.800"
    return f"reliable under Krippendorff's 0.800{sure}"


def _strongest(findings: tuple[Finding, ...]) -> str:
    return next((finding.short for finding in findings if finding.short), "")


def _capital(words: str) -> str:
    return words if words[:1] in "ακπγρσ" else f"{words[:1].upper()}{words[1:]}"
