"""Whether agreement is high enough: a threshold, and the interval that must reach it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, Unpack

from interagree.choose import IntoChoice, SeemingScale, as_scale
from interagree.data import ReadingOptions
from interagree.data.types import Values
from interagree.distances import IntoDistance
from interagree.errors import Advice, Hint
from interagree.reports.measured import MeasuredAnswer, Studies, parts_of
from interagree.reports.parts import Part, policy_line, remarks
from interagree.results.agreement import Agreement, IntervalOptions
from interagree.results.charts import Forest, ThresholdLine
from interagree.results.document import Document, Section
from interagree.tables import Table

Outcome: TypeAlias = Literal["pass", "fail", "cannot tell", "in doubt", "undefined"]
CODES: Mapping[Outcome, int] = {"pass": 0, "fail": 1, "cannot tell": 1, "in doubt": 2, "undefined": 3}
THEY = {"pass": "pass", "fail": "fail", "cannot tell": "leave it open", "undefined": "leave it undefined"}
FALLBACK = "alpha"  # the coefficient where none is named
ON_VALUE, ORDERED, LABELS = Hint("on", "value"), Hint("ordered", value=True), Hint("kind", "labels")


class Threshold(NamedTuple):
    """What a coefficient must reach, and how."""

    at_least: float
    on: Literal["lower", "value"] = "lower"
    inconclusive: Literal["fail", "pass"] = "fail"

    def code(self, outcome: Outcome) -> int:
        """The exit code of an outcome."""
        return 0 if outcome == "cannot tell" and self.inconclusive == "pass" else CODES[outcome]

    def judge(self, result: Agreement, intervals: IntervalOptions) -> tuple[Outcome, str]:
        """Whether a coefficient reaches the threshold, and why."""
        least = f"{self.at_least:g}"
        if result.undefined:
            return "undefined", result.undefined
        if self.on == "value":
            if result.value >= self.at_least:
                return "pass", f"the value reaches {least}"
            return "fail", f"the value is below {least}"
        interval = intervals.interval(result)
        if interval is None:
            why = f"these data give no interval; more items, or {ON_VALUE}, would decide"
            return "cannot tell", Advice(why, [ON_VALUE])
        if interval.low >= self.at_least:
            return "pass", f"the whole interval reaches {least}"
        if interval.high < self.at_least:
            return "fail", f"the whole interval is below {least}"
        return "cannot tell", f"{least} lies inside the interval; more items would decide"


USUAL = Threshold(0.8)  # Krippendorff's, for conclusions that are not tentative


class ThresholdVerdict(NamedTuple):
    """What a check says of one coefficient, and why."""

    part: Part
    title: str
    result: Agreement
    outcome: Outcome
    why: str
    remark: str = ""  # what the values give as an ordered scale, where they may be one


@dataclass(frozen=True, slots=True)
class Check(MeasuredAnswer):
    """Coefficients held against a threshold."""

    threshold: Threshold = USUAL
    verdicts: tuple[ThresholdVerdict, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 where all coefficients pass, 1 where one fails or cannot tell, 2 in doubt, 3 undefined."""
        codes = {self.threshold.code(verdict.outcome) for verdict in self.verdicts}
        return next((code for code in (1, 2, 3) if code in codes), 0)

    @property
    def passes(self) -> bool:
        """Whether all coefficients pass."""
        return self.exit_code == 0

    def tables(self) -> Mapping[str, Table]:
        """The verdicts, one row each."""
        rows = [
            {"study": part.name, "measure": title, "value": result.value, **self._outcome(verdict)}
            for verdict in self.verdicts
            for part, title, result in [verdict[:3]]
        ]
        return {"checks": Table.of(rows)}

    def _outcome(self, verdict: ThresholdVerdict) -> dict[str, object]:
        return {
            "outcome": verdict.outcome,
            "passes": self.threshold.code(verdict.outcome) == 0,
            "at_least": self.threshold.at_least,
            "on": self.threshold.on,
            "why": verdict.why,
        }

    def chart(self) -> Forest | None:
        """The coefficients with their intervals, and the threshold."""
        chart = MeasuredAnswer.chart(self)
        wanted = ThresholdLine(self.threshold.at_least, f"at least {self.threshold.at_least:g}")
        return None if chart is None else chart._replace(marks=[wanted])

    def document(self) -> Document:
        """A sentence for each coefficient, and what must be said below them."""
        lines, foot = [], []
        for part in self.parts:
            for verdict in self.verdicts:
                if verdict.part is part:
                    lines.append(self._sentence(verdict))
                    foot += [part.prefixed(verdict.remark)] if verdict.remark else []
            notes = [remark for remark in remarks(part, self.intervals) if " is undefined: " not in remark]
            foot += [part.prefixed(sentence) for sentence in (*notes, policy_line(part))]
        checks = [
            {**verdict.part.source, **self._outcome(verdict), "result": self.intervals.to_dict(verdict.result)}
            for verdict in self.verdicts
        ]
        data = {"exit_code": self.exit_code, "checks": checks}
        return Document("", [Section(lines=lines, foot=foot)], data, self.table())

    def _sentence(self, verdict: ThresholdVerdict) -> str:
        number = verdict.title
        if not verdict.result.undefined:
            interval = self.intervals.interval(verdict.result)
            number += f" = {verdict.result.value:.3f}" + ("" if interval is None else f", {interval}")
        sentence = f"{verdict.outcome}: {verdict.part.prefix}{number}; {verdict.why}"
        return Advice.around(sentence, verdict.why)


def check(
    data: Studies,
    *others: Values,
    at_least: float,
    on: Literal["lower", "value"] = "lower",
    inconclusive: Literal["fail", "pass"] = "fail",
    measures: Sequence[IntoChoice] = (),
    distance: IntoDistance | None = None,
    weights: object = None,
    intervals: IntervalOptions | None = None,
    **reading: Unpack[ReadingOptions],
) -> Check:
    """Whether agreement reaches a threshold.

    Takes alpha, with the distance that suits the kind of value, unless other coefficients are named.  Few whole numbers
    (1 to 5) may be labels or steps of a scale: where the two readings differ in their outcome, it is in doubt.

    Args:
        data: A study or anything `Annotations.of` takes; or a dict from names to such data.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        at_least: The lowest value that passes.
        on: What must reach it: the "lower" end of the interval, or the "value" alone.
        inconclusive: What to do when the threshold lies inside the interval.
        measures: Names (``"alpha"``, ``"alpha:distance=ordinal"``).
        distance: A distance for all measures that take one.
        weights: Agreement weights for all measures that take them.
        intervals: How intervals are found.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        The verdicts; ``passes`` says whether all coefficients do.

    Examples:
        >>> from interagree.reports import check
        >>> print(check({"ann": ["a", "b"] * 20, "bo": ["a", "b"] * 20}, at_least=0.8).passes)
        True
    """
    plain = distance is None and weights is None
    parts, _ = parts_of(
        data, others, reading, measures=measures, distance=distance, weights=weights, lenient=False, fallback=FALLBACK
    )
    threshold = Threshold(at_least, on, inconclusive)
    return checked(parts, intervals or IntervalOptions(), threshold, doubt=plain and not measures)


def checked(parts: Sequence[Part], intervals: IntervalOptions, threshold: Threshold, *, doubt: bool) -> Check:
    """Parts held against a threshold; with ``doubt``, values that may be an ordered scale are also taken as one."""
    verdicts = []
    for part in parts:
        scale = as_scale(part.study) if doubt else None
        words = SeemingScale.of(part.study) if doubt else None
        for title, result in part.titled():
            outcome, why = threshold.judge(result, intervals)
            verdict = ThresholdVerdict(part, title, result, outcome, why)
            if scale is not None:
                verdict = _weighed(verdict, scale.of(part.study), intervals, threshold)
            elif words is not None:  # whose order is only likely: it is told, and decides nothing
                number, other = _number(words.measured(), intervals, threshold)
                verdict = verdict._replace(remark=words.remark(f"{number} ({other})"))
            verdicts.append(verdict)
    return Check(tuple(parts), intervals, threshold, tuple(verdicts))


def _number(scale: Agreement, intervals: IntervalOptions, threshold: Threshold) -> tuple[str, Outcome]:
    """What values give as a scale, in words, and how that is judged."""
    outcome, why = threshold.judge(scale, intervals)
    interval = intervals.interval(scale)
    number = f"{scale.measure.symbol} = {scale.value:.3f}" + ("" if interval is None else f", {interval}")
    return (why if scale.undefined else number), outcome


def _weighed(
    verdict: ThresholdVerdict, scale: Agreement, intervals: IntervalOptions, threshold: Threshold
) -> ThresholdVerdict:
    """The verdict on values that may be labels or an ordered scale, with what the scale gives."""
    number, other = _number(scale, intervals, threshold)
    remark = (
        f"the values are {verdict.part.study.recognised.because} and were taken as labels; as an ordered scale, "
        f"{number} ({other})"
    )
    if threshold.code(other) == threshold.code(verdict.outcome):
        return verdict._replace(remark=remark)
    doubt = (
        f"taken as labels the values {THEY[verdict.outcome]}, and taken as an ordered scale they {THEY[other]}; pass "
        f"{ORDERED} if they are a scale, or {LABELS} if they are not"
    )
    return verdict._replace(outcome="in doubt", why=Advice(doubt, [ORDERED, LABELS]), remark=remark)
