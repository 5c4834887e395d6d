"""The verdict: where a question stands, in a word or two, in a sentence, and with the coefficient that says so.

A standing is decided by the whole interval.  Krippendorff's two limits are for his alpha and for kappas, which measure
the same: below 0.667 data are not to be relied on, and from 0.8 on they are.  Words come from scales by name
(`interagree.results.scales`): those of Landis and Koch for coefficients that correct agreement on labels for chance,
those of Cicchetti for the ICC, and none for others.  Spans, boxes, texts and whatever else no scale was made for are
held against chance, and against what published studies of such values reached (`interagree.reports.published`).
"""

from __future__ import annotations

from enum import Enum

from interagree.errors import listing
from interagree.findings.case import called
from interagree.findings.finding import Finding
from interagree.findings.words.english import two_digits
from interagree.reports.parts import Part
from interagree.reports.published import compared
from interagree.results.agreement import Agreement, Interval, IntervalOptions
from interagree.results.scales import RELIABLE, TENTATIVE, band, find_scale, graded, thresholds_fit, usual_scale
from interagree.tables import places

ROUNDING = 1e-9  # what arithmetic may leave of a coefficient of 0


class QuestionStanding(Enum):
    """Where a question stands: in the cell of a table, and as a sentence."""

    FULL = "full agreement", "Annotators agree on everything"
    RELIABLE = "reliable", "The answers can be relied on"
    NEARLY = "tentative or better", "Good enough for tentative conclusions, and perhaps for firm ones"
    TENTATIVE = "tentative", "Good enough for tentative conclusions, but not for firm ones"
    OPEN = "undecided", "Whether this is good enough cannot be told yet"
    LOW = "too low", "Too low to rely on"
    CHANCE = "perhaps only chance", "No better than chance, as far as these data tell"
    BELOW = "below chance", "Annotators agree less than chance would have it"
    ABOVE = "above chance", "Annotators agree better than chance"
    RAW = "not against chance", "How much of this is chance cannot be told from this number"
    UNDEFINED = "undefined", "There is nothing to tell yet"

    @property
    def brief(self) -> str:
        """The cell of a table."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """What it means, without a full stop."""
        return self.value[1]


# Standings that a threshold decides; what they are held against is said below the table.
BY_LIMITS = frozenset(
    (
        QuestionStanding.RELIABLE,
        QuestionStanding.NEARLY,
        QuestionStanding.TENTATIVE,
        QuestionStanding.OPEN,
        QuestionStanding.LOW,
    )
)


def standing(result: Agreement | None, interval: Interval | None) -> QuestionStanding:
    """Where a coefficient with its interval stands."""
    if result is None or result.undefined:
        return QuestionStanding.UNDEFINED
    if result.value == 1 and result.disagreement.observed == 0:
        return QuestionStanding.FULL
    if result.measure.chance == "none":
        return QuestionStanding.RAW
    low, high = (result.value, result.value) if interval is None else (interval.low, interval.high)
    if graded(result) and high < -ROUNDING:
        return QuestionStanding.BELOW
    if graded(result) and low <= (0 if interval is not None else ROUNDING):
        return QuestionStanding.CHANCE
    if not thresholds_fit(result):
        return QuestionStanding.OPEN if interval is None else QuestionStanding.ABOVE
    if high < TENTATIVE:
        return QuestionStanding.LOW
    if low < TENTATIVE:
        return QuestionStanding.OPEN
    return (
        QuestionStanding.RELIABLE
        if low >= RELIABLE
        else QuestionStanding.NEARLY
        if high >= RELIABLE
        else QuestionStanding.TENTATIVE
    )


def standing_of(part: Part, intervals: IntervalOptions) -> QuestionStanding:
    """Where a question stands."""
    lead = part.lead
    return standing(lead, None if lead is None or lead.undefined else intervals.interval(lead))


def in_brief(part: Part, intervals: IntervalOptions) -> str:
    """The same as a cell of a table: with the word of a scale, where one was made for the coefficient."""
    stands, lead = standing_of(part, intervals), part.lead
    if stands is QuestionStanding.ABOVE and lead is not None:
        return _in_words(lead, intervals.interval(lead)) or stands.brief
    return stands.brief


def plainly(parts: tuple[Part, ...], intervals: IntervalOptions) -> list[str]:
    """What the standing of each question means, those that stand alike in one sentence."""
    together: dict[QuestionStanding, list[str]] = {}
    for part in parts:
        together.setdefault(standing_of(part, intervals), []).append(part.name)
    if len(parts) == 1:
        return [f"{next(iter(together)).sentence}."]
    return [
        f"{stands.sentence}: {listing(together[stands], quote=False)}."
        for stands in QuestionStanding
        if stands in together
    ]


def verdict(part: Part, intervals: IntervalOptions, findings: tuple[Finding, ...]) -> str:
    """The sentence for one question."""
    lead = part.lead
    if lead is None:
        return f"Nothing was measured: {part.refused[0]}." if part.refused else "Nothing was measured."
    if lead.undefined:
        return f"{_capital(called(lead))} is undefined: {lead.undefined}."
    interval = intervals.interval(lead)
    clauses = [meant for meant in (_meaning(lead, interval), _others(part), _strongest(findings)) if meant]
    told = "; ".join(clauses)
    return f"{_capital(number(lead, interval))}{f': {told}' if told else ''}."


def number(result: Agreement, interval: Interval | None) -> str:
    """A coefficient with its interval, as it stands in a sentence."""
    if interval is None:
        return f"{called(result)} {two_digits(result.value)}"
    digits = places(interval.low, interval.high)
    low, high, value = (_rounded(one, digits) for one in (interval.low, interval.high, result.value))
    between = " to " if low.startswith("-") else "–"
    return f"{called(result)} {value}" + (f" ({low}{between}{high})" if low != high else "")


def _rounded(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:.{digits}f}"


def _meaning(result: Agreement, interval: Interval | None) -> str:
    stands = standing(result, interval)
    if stands is QuestionStanding.FULL:
        few = "" if interval is None or interval.low >= RELIABLE else ", on few items"
        return f"annotators agree on everything{few}"
    if stands is QuestionStanding.RAW:
        return "not corrected for chance"
    words = [_in_words(result, interval), _reached(result, interval)]
    if stands is QuestionStanding.CHANCE:
        words = ["not distinguishable from chance", *words[1:]]
    return ", ".join(word for word in words if word) or _ends(result)


def _ends(result: Agreement) -> str:
    """What chance gives, for coefficients without a scale of words."""
    chance = result.measure.under_chance.value
    return "" if callable(chance) else f"{chance:g} is what chance gives, 1 is perfect agreement"


def _others(part: Part) -> str:
    """What others reached with such values; of another coefficient than the leading one with its number."""
    lead = part.lead
    if lead is None or thresholds_fit(lead):
        return ""
    for result in (lead, *part.results):
        figure = "" if result.undefined else compared(result, part.study.kind.name)
        if figure:
            return figure if result is lead else f"{called(result)} is {two_digits(result.value)}, where {figure}"
    return ""


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
