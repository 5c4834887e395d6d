"""The overview: a row for each question with its level, its size, its leading coefficient and where that stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from interagree.data.provenance import Step, counted
from interagree.errors import Advice
from interagree.findings.case import called
from interagree.reports.parts import Part
from interagree.reports.story.verdict import BY_LIMITS, in_brief, standing_of
from interagree.results.agreement import IntervalOptions
from interagree.results.charts import DrawnEstimate, Forest, ThresholdLine
from interagree.results.charts.words import estimate
from interagree.results.document import Section, as_sentences, one_per_line, policy_sentence
from interagree.results.scales import THRESHOLDS, on_a_level, thresholds_fit
from interagree.tables import Table

TITLE = "Overview"
SPARE = ("annotators", "items", "level")  # what a narrow page does without
LIMITS = "Reliable: at least 0.800; tentative: at least 0.667, by the whole interval (Krippendorff 2004)."


def overview(parts: Sequence[Part], intervals: IntervalOptions) -> Table:
    """One row for each question, with unrounded numbers."""
    rows = []
    for part in parts:
        lead = part.lead
        interval = None if lead is None or lead.undefined else intervals.interval(lead)
        rows.append(
            {
                "question": part.name or part.source.get("question") or "",
                "level": part.study.level.name,
                "items": len(part.study.items) if lead is None else lead.n.items,
                "annotators": None if part.study.anonymous else len(part.study.annotators),
                "coefficient": "" if lead is None else part.title_of(lead),
                "value": math.nan if lead is None else lead.value,
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "verdict": in_brief(part, intervals),
            }
        )
    names = ("question", "level", "items", "annotators", "coefficient", "value", "low", "high", "verdict")
    return Table.of(rows, names=names)


def section(parts: Sequence[Part], intervals: IntervalOptions) -> Section:
    """The overview for people: coefficients with their intervals, drawn."""
    rows, table = [], overview(parts, intervals)
    for part, row in zip(parts, table.rows(), strict=True):
        told = (
            f"{_symbol(part)} {estimate(row['value'], row['low'], row['high'])}"
            if row["value"] == row["value"]
            else "–"
        )
        rows.append({**{name: row[name] for name in ("question", *reversed(SPARE))}, "coefficient": told})
        rows[-1]["verdict"] = row["verdict"]
    shown = Table.of(rows, names=("question", "level", "items", "annotators", "coefficient", "verdict"))
    shown = shown if any(shown["question"]) else shown.without("question")
    foot = [*_symbols(parts), _interval(parts, intervals), _limits(parts, intervals), *_remarks(parts)]
    chart = _drawn(parts, table, [*map(str, next(iter(shown.columns.values())))], intervals)
    return Section(TITLE, table=shown, foot=one_per_line(foot), exact=table, spare=SPARE, chart=chart)


def _symbol(part: Part) -> str:
    return "" if part.lead is None else called(part.lead)


def _symbols(parts: Sequence[Part]) -> list[str]:
    """What the leading coefficients are, those of the same symbol in one sentence."""
    titles: dict[str, dict[str, None]] = {}
    for part in parts:
        if part.lead is not None:
            titles.setdefault(_symbol(part), {})[part.lead.measure.title] = None
    told = [f"{symbol}: {' or '.join(names)}" for symbol, names in titles.items() if symbol not in names]
    leads = [part.lead for part in parts if part.lead is not None]
    at_zero = bool(leads) and all(
        lead.measure.chance != "none" and lead.measure.under_chance.value == 0 for lead in leads
    )
    ends = "0 is what chance gives, 1 is perfect agreement" if at_zero else ""
    return [*as_sentences(["; ".join(entry for entry in (*told, ends) if entry)])] if told or ends else []


def _interval(parts: Sequence[Part], intervals: IntervalOptions) -> str:
    leads = [part.lead for part in parts if part.lead is not None]
    sentence = intervals.sentence(leads).removeprefix("low, high: ")
    return f"In brackets: {sentence}." if sentence else ""


def _limits(parts: Sequence[Part], intervals: IntervalOptions) -> str:
    held = (part for part in parts if part.lead is not None and thresholds_fit(part.lead))
    return LIMITS if any(standing_of(part, intervals) in BY_LIMITS for part in held) else ""


def _remarks(parts: Sequence[Part]) -> list[str]:
    """What the numbers are not to be read without: what was set aside, and what was assumed."""
    told: dict[str, list[str]] = {}
    for part in parts:
        for remark in part.lead.remarks() if part.lead is not None else ():
            told.setdefault(remark, []).append(part.name)
    return [
        remark if len(names) == len(parts) else Advice.around(f"{', '.join(names)}: {remark}", remark)
        for remark, names in told.items()
    ]


def _drawn(parts: Sequence[Part], table: Table, names: Sequence[str], intervals: IntervalOptions) -> Forest | None:
    ends = (table["value"], table["low"], table["high"])
    rows = [DrawnEstimate(*row) for row in zip(names, *ends, strict=True)]
    if all(math.isnan(row.value) for row in rows):
        return None
    leads = [part.lead for part in parts if part.lead is not None]
    marks = [ThresholdLine(at, f"{at:.3f}") for at in THRESHOLDS] if any(map(on_a_level, leads)) else []
    words = "; ".join(f"{row.label} {estimate(row.value, row.low, row.high)}".strip() for row in rows)
    return Forest(rows, f"leading coefficient and {intervals.level:.0%} interval", f"Overview: {words}.", marks)


def sizes(parts: Sequence[Part], *, studies: bool = False) -> str:
    """How much there is, all questions, or all studies, together."""
    if studies:  # whose items are others, also where they have the same names
        return f"{len(parts):,} compared · {counted(sum(len(part.study) for part in parts), 'annotation')}"
    items = len(dict.fromkeys(item for part in parts for item in part.study.items))
    people = len(dict.fromkeys(who for part in parts if not part.study.anonymous for who in part.study.annotators))
    anonymous = any(part.study.anonymous for part in parts)
    annotations = sum(len(part.study) for part in parts)
    told = [
        counted(items, "item"),
        counted(people, "annotator") if people else "annotators unknown" if anonymous else "no annotator",
        counted(annotations, "annotation"),
    ]
    return " · ".join([*told, *([f"{len(parts):,} questions"] if len(parts) > 1 else [])])


def policies(parts: Sequence[Part]) -> list[str]:
    """What was dropped, merged or assumed: for all questions at once, and then what is so of some of them."""
    if len(parts) == 1:
        return [policy_sentence(parts[0].policy)]
    told: dict[Step, list[str]] = {}
    for part in parts:
        for step in part.provenance.steps:
            told.setdefault(step, []).append(part.name)
    # Which column holds the values of a question is known by its name.
    sentences: list[Any] = [
        step.sentence
        if len(names) == len(parts)
        else Advice.around(f"{', '.join(names)}: {step.sentence}", step.sentence)
        for step, names in told.items()
        if len(names) == len(parts) or step.what != "taken"
    ]
    return [policy_sentence(Advice.around("; ".join(sentences), *sentences))]
