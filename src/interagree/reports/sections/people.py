"""Sections on annotators: each against the rest, and every two of them."""

from __future__ import annotations

import math
from dataclasses import replace

from interagree.errors import KindError
from interagree.reports.parts import Part
from interagree.results.chance import chance_of, relative
from interagree.results.charts import Bars, Heat, ThresholdLine
from interagree.results.charts import tables as charts
from interagree.results.document import Section
from interagree.tables import Table, cell

SHOWN = 20  # rows of a table by annotator
PAIRS = 10  # pairs that are listed
MOST = 40  # annotators up to which all pairs are compared
TELLING = 0.02  # by how much coefficients without one annotator or another differ where they are drawn
SQUARE = 25  # annotators of a table that is drawn as shades


def by_annotator(part: Part) -> Section | None:
    """Agreement of each annotator with the rest; who lowers the coefficient most comes first."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.anonymous:
        return None
    everyone = lead.by_annotator().sort("change", descending=True)
    table = relative(replace(everyone, title="", foot="").head(SHOWN), chance_of(lead))
    cut = f"the first {SHOWN} of {len(everyone)}" if len(everyone) > SHOWN else ""
    first = next(iter(table.rows()), {})
    foot = []
    if len(everyone) > 2 and math.isfinite(first["change"]) and first["change"] > 0:
        notes = ["lowers it most", *[""] * (len(table) - 1)]
        table = replace(table, columns={**table.columns, "note": notes})
        left_out = f"{lead.measure.symbol} would be {first['left out']:.3f} instead of {lead.value:.3f}"
        foot = [f"Without {first['annotator']}, {left_out}."]
    table = replace(table, foot="; ".join(part for part in (cut, table.foot) if part))
    return Section(part.of_lead("By annotator"), table=table, foot=foot, flag="note", chart=_bars(part, table))


def _bars(part: Part, table: Table) -> Bars | None:
    lead = part.lead
    if lead is None or len(table) < 2 or not all(math.isfinite(number) for number in table["left out"]):
        return None
    if max(table["left out"]) - min(table["left out"]) < TELLING:
        return None
    names = [*map(cell, table["annotator"])]
    words = (
        f"{part.title_of(lead)} without each annotator: from {min(table['left out']):.2f} to "
        f"{max(table['left out']):.2f}; with everybody {lead.value:.2f}."
    )
    marks = [ThresholdLine(lead.value, "everybody")]
    return Bars(names, {"": table["left out"]}, f"{lead.measure.symbol} without the annotator", words, marks)


def by_pair(part: Part) -> Table | None:
    """The coefficient of every two annotators; None where there are two of them, or too many."""
    lead = part.lead
    if lead is None or lead.undefined or part.study.anonymous or not 2 < len(part.study.annotators) <= MOST:
        return None
    try:
        table = lead.by_pair()
    except KindError:  # a coefficient that makes no sense of two annotators
        return None
    return table if len(table) > 1 else None


def pairs(part: Part) -> Section | None:
    """Every two annotators, those who agree least first."""
    table, lead = by_pair(part), part.lead
    if table is None or lead is None:
        return None
    table = table.sort("agreement")
    shown = relative(replace(table, foot="").head(PAIRS), chance_of(lead))
    cut = f"the {PAIRS} that agree least of {len(table):,} pairs" if len(table) > PAIRS else ""
    shown = replace(shown, foot="; ".join(sentence for sentence in (cut, shown.foot) if sentence))
    known = [row for row in table if not math.isnan(row["agreement"])]
    ends = [f"{row['agreement']:.3f} ({_both(row)})" for row in (known[:1] + known[-1:])]
    lines = [f"From {' to '.join(ends)}."] if ends else []
    return Section(part.of_lead("Pairs of annotators"), lines=lines, table=shown, chart=_heat(part, table), detail=True)


def _both(row: dict[str, object]) -> str:
    return f"{cell(row['first'])} and {cell(row['second'])}"


def _heat(part: Part, table: Table) -> Heat | None:
    present = {*table["first"], *table["second"]}
    if len(present) > SQUARE or all(map(math.isnan, table["agreement"])):
        return None
    people = [name for name in part.study.annotators if name in present]
    return charts.pairs(
        table, people=people, axis=part.of_lead("agreement"), words="The coefficient of every two annotators alone."
    )
