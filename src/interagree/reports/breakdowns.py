"""Coefficients with their intervals, and the tables behind them: by value, annotator, pair and item, and on a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, Unpack

from interagree.choose import IntoChoice
from interagree.data import ReadingOptions
from interagree.data.types import Values
from interagree.distances import IntoDistance
from interagree.errors import Hint
from interagree.reports.measured import MeasuredAnswer, Studies, parts_of
from interagree.reports.parts import Part, coefficients_section, part_data, policy_line, tidy
from interagree.results.agreement import Agreement, IntervalOptions
from interagree.results.chance import chance_of, relative
from interagree.results.document import Document, Section, one_per_line
from interagree.results.scales import find_scale, graded, interpret
from interagree.tables import Table

By: TypeAlias = Literal["value", "annotator", "pair", "item"]
TOP = 20  # rows of a table that are shown
ORDER = {"annotator": ("change", True), "pair": ("agreement", False), "item": ("disagreement", True)}


class Breakdown(NamedTuple):
    """One coefficient by value, annotator, pair or item."""

    by: By
    part: Part
    result: Agreement
    table: Table

    def section(self, top: int) -> Section:
        """The table, what should be looked at first on top."""
        table = self.table.sort(*ORDER[self.by][:1], descending=ORDER[self.by][1]) if self.by in ORDER else self.table
        table = relative(table, chance_of(self.result))
        cut = f"the first {top} of {len(table):,}; {Hint('top')} says how many" if len(table) > top else ""
        foot = one_per_line((*table.foot.split("; "), cut))
        title = f"{self.part.prefix}{self.part.title_of(self.result)}, by {self.by}"
        return Section(title, table=replace(table.head(top), foot=""), foot=foot)


@dataclass(frozen=True, slots=True)
class Coefficients(MeasuredAnswer):
    """Coefficients of one study or of several."""

    breakdowns: tuple[Breakdown, ...] = ()
    scales: tuple[str, ...] = ()

    def tables(self) -> Mapping[str, Table]:
        """The coefficients, one row each, and each breakdown."""
        tables = {"coefficients": tidy(self.parts, self.intervals)}
        for breakdown in self.breakdowns:
            title = f"{breakdown.part.prefix}{breakdown.part.title_of(breakdown.result)}, by {breakdown.by}"
            tables[title] = breakdown.table
        return tables

    def document(self, top: int = TOP) -> Document:
        """The coefficients of each part, its breakdowns and scales; of a breakdown the first ``top`` rows."""
        sections: list[Section] = []
        studies = []
        for part in self.parts:
            own = [breakdown for breakdown in self.breakdowns if breakdown.part is part]
            sections.append(coefficients_section(part, self.intervals, part.name, policy_line(part)))
            sections += [breakdown.section(top) for breakdown in own]
            sections += [section for scale in self.scales for section in _on_scale(part, scale)]
            tables = [{"by": by, "measure": result.measure.name, "rows": table} for by, _, result, table in own]
            studies.append({**part.source, **part_data(part, self.intervals), "tables": tables})
        rows = _stacked(self.breakdowns) if self.breakdowns else tidy(self.parts, self.intervals)
        return Document("", sections, {"studies": studies}, rows, hints=[Hint("top")])


def coefficients(
    data: Studies,
    *others: Values,
    measures: Sequence[IntoChoice] = (),
    distance: IntoDistance | None = None,
    weights: object = None,
    by: Sequence[By] = (),
    scales: Sequence[str] = (),
    intervals: IntervalOptions | None = None,
    **reading: Unpack[ReadingOptions],
) -> Coefficients:
    """The named coefficients of one study or of several, or the usual ones for the kind of value.

    Args:
        data: A study or anything `Annotations.of` takes; or a dict from names to such data.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        measures: Names (``"alpha"``, ``"alpha:distance=ordinal"``); the usual ones for the values by default.
        distance: A distance for all measures that take one.
        weights: Agreement weights for all measures that take them.
        by: What to break coefficients down by: "value", "annotator", "pair", "item".
        scales: Interpretation scales, such as "landis_koch": the probability of each of their bands.
        intervals: How intervals are found.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.

    Returns:
        The coefficients, to be printed, written or taken as a ``table()``.

    Examples:
        >>> from interagree.reports import coefficients
        >>> answer = coefficients({"ann": [1, 2, 2, 1], "bo": [1, 2, 1, 1]}, measures=["percent", "ac1"])
        >>> [f"{value:.2f}" for value in answer.table()["value"]]
        ['0.75', '0.53']
    """
    parts, _ = parts_of(data, others, reading, measures=measures, distance=distance, weights=weights)
    return broken_down(parts, intervals or IntervalOptions(), by=by, scales=scales, named=bool(measures))


def broken_down(
    parts: Sequence[Part],
    intervals: IntervalOptions,
    *,
    by: Sequence[By] = (),
    scales: Sequence[str] = (),
    named: bool = False,
) -> Coefficients:
    """The coefficients of parts, and the tables behind those that were named, else behind the leading one."""
    for scale in scales:
        find_scale(scale)
    breakdowns = []
    for part in parts:
        leading = [] if part.lead is None else [part.lead]
        of_sets: tuple[By, ...] = ("value",) if part.study.kind == "sets" and not named else ()
        breakdowns += [
            Breakdown(way, part, result, _table(result, way))
            for way in by or of_sets
            for result in (part.results if named else leading)
            if not result.undefined
        ]
    return Coefficients(tuple(parts), intervals, tuple(breakdowns), tuple(scales))


def _table(result: Agreement, by: By) -> Table:
    makers = {
        "value": result.by_value,
        "annotator": result.by_annotator,
        "pair": result.by_pair,
        "item": result.by_item,
    }
    return makers[by]()


def _on_scale(part: Part, scale: str) -> list[Section]:
    """How likely each band of a scale is, and in a sentence the coefficients that it was not made for."""
    sections = []
    for title, result in part.titled():
        if graded(result):
            table = interpret(result, scale=scale)
            heading = f"{part.prefix}{title} on the scale {scale}"
            sections.append(Section(heading, table=replace(table, foot=""), foot=[table.foot]))
    others = [title for title, result in part.titled() if not graded(result)]
    if others:
        what = f"{part.prefix}{', '.join(others)} {'is' if len(others) == 1 else 'are'} not graded"
        why = f"the scale {scale} is for coefficients that are 0 where annotators agree as often as by chance"
        sections.append(Section(lines=[f"{what}: {why}."]))
    return sections


def _stacked(breakdowns: Sequence[Breakdown]) -> Table:
    heads = dict.fromkeys(name for breakdown in breakdowns for name in breakdown.table.columns)
    rows = [
        {"study": part.name, "measure": part.title_of(result)} | {name: row.get(name) for name in heads}
        for _, part, result, table in breakdowns
        for row in table
    ]
    return Table.of(rows, names=("study", "measure", *heads))
