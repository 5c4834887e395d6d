"""Agreement over time: the leading coefficient of the items finished in each day, week or tenth of the work.

An item belongs to the period in which its last annotation was given.  A column is taken for the times of annotations
where its name says so, its entries are dates or times, and they differ between the annotations of an item: a time that
all annotations of an item share is that of the item, such as when a post was written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.errors import KindError
from interagree.findings.times import annotation_times
from interagree.reports.parts import Part
from interagree.results.agreement import Agreement, IntervalOptions
from interagree.results.charts import DrawnLine, LineChart, ThresholdLine
from interagree.results.document import Section
from interagree.results.scales import THRESHOLDS, on_a_level
from interagree.tables import Table

DAY = 86_400.0
MONDAY = 4 * DAY  # the first Monday of 1970
ENOUGH = 40  # items from which on periods are told apart
EACH = 10  # items that a period has on average at least
DAYS, WEEKS = (3, 14), (3, 30)  # how many periods are shown
TENTHS = 10
COMPLEX = 3_000  # annotations of complex values up to which distances are computed again


class Period(NamedTuple):
    """Some items that were finished after each other."""

    name: str
    middle: float  # seconds since 1970, or the number of the tenth
    items: int
    result: Agreement


class OverTime(NamedTuple):
    """The leading coefficient of each period."""

    column: str
    what: str  # "day", "week" or "tenth of the work"
    periods: tuple[Period, ...]


def over_time(part: Part) -> OverTime | None:
    """The leading coefficient over time; None where no column says when annotations were given."""
    lead, study = part.lead, part.study
    if lead is None or lead.undefined or (study.kind.complex and len(study) > COMPLEX):
        return None
    found: OverTime | None = study.cached(("over time", part.title_of(lead)), lambda: _over_time(part, lead))
    return found


def _over_time(part: Part, lead: Agreement) -> OverTime | None:
    study = part.study
    timed = annotation_times(study)
    if timed is None:
        return None
    column, at = timed
    last = np.full(len(study.items), -np.inf)
    np.maximum.at(last, study.item, np.where(np.isnan(at), -np.inf, at))
    compared = np.flatnonzero((study.sizes() > 1) & np.isfinite(last))
    if len(compared) < ENOUGH:
        return None
    what, of, names = _periods(last[compared])
    choice = part.choices[next(place for place, result in enumerate(part.results) if result is lead)]
    periods = []
    for number, name in enumerate(names):
        mask = np.zeros(len(study.items), dtype=bool)
        mask[compared[of == number]] = True
        middle = float(number + 1) if what == "tenth" else float(np.median(last[mask]))
        try:
            periods.append(Period(name, middle, int(mask.sum()), choice.of(study.items_where(mask))))
        except KindError:  # too little for the coefficient
            return None
    return OverTime(column, what, tuple(periods))


def _periods(last: Floats) -> tuple[str, Indices, Sequence[str]]:
    """The period of each item: days or weeks where some of them hold enough, else tenths in the order of time."""
    for what, length, start, (least, most) in (("day", DAY, 0.0, DAYS), ("week", 7 * DAY, MONDAY, WEEKS)):
        number, of = np.unique(np.floor((last - start) / length), return_inverse=True)
        if least <= len(number) <= most and len(last) >= EACH * len(number):
            return what, of.reshape(-1), [_day(start + length * float(day)) for day in number]
    place = np.empty(len(last), dtype=np.intp)
    place[np.argsort(last, kind="stable")] = np.arange(len(last))
    tenths = min(TENTHS, len(last) // EACH)
    return "tenth" if tenths == TENTHS else "part", place * tenths // len(last), [f"{k + 1}" for k in range(tenths)]


def _day(at: float) -> str:
    return date.fromordinal(datetime.fromtimestamp(at, UTC).toordinal()).isoformat()


def over_time_table(part: Part, intervals: IntervalOptions) -> Table | None:
    """One row for each period: its items, and the coefficient with its interval."""
    timed = over_time(part)
    if timed is None:
        return None
    rows = []
    for period in timed.periods:
        interval = intervals.interval(period.result)
        low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
        value = period.result.value
        rows.append({timed.what: period.name, "items": period.items, "value": value, "low": low, "high": high})
    return Table.of(rows)


def section(part: Part, intervals: IntervalOptions) -> Section | None:
    """Agreement over time as a table and a line."""
    timed, table, lead = over_time(part), over_time_table(part, intervals), part.lead
    if timed is None or table is None or lead is None:
        return None
    when = "an item counts where its last annotation was given"
    what = {"day": "Days", "week": "Weeks, named by their Monday", "tenth": "Tenths of the work", "part": "Parts"}
    lines = [f"{what[timed.what]}, by the column {timed.column!r}; {when}."]
    values = [value for value in table["value"] if not math.isnan(value)]
    spread = f"from {min(values):.2f} to {max(values):.2f}" if values else "undefined"
    words = f"{part.title_of(lead)} over time, {spread}; the first is {table['value'][0]:.2f}, the last "
    words += f"{table['value'][-1]:.2f}."
    middle = [period.middle for period in timed.periods]
    line = DrawnLine(lead.measure.symbol, middle, table["value"], table["low"], table["high"], dots=True)
    marks = [ThresholdLine(at, f"{at:.3f}") for at in THRESHOLDS] if on_a_level(lead) else []
    scale: Literal["time", "linear"] = "time" if timed.what in ("day", "week") else "linear"
    across = {"tenth": "tenth of the work", "part": "part of the work"}.get(timed.what, timed.what)
    chart = LineChart([line], across, lead.measure.symbol, words, marks, scale)
    title = part.of_lead("Over time")
    return Section(title, lines=lines, table=table, forest=True, chart=chart, detail=True)
