"""Where the parts of a chart stand on a sheet, whatever language it is drawn in."""

from __future__ import annotations

import math

import numpy as np

from interagree.results.charts import Bars, Chart, DrawnLine, Forest, Heat, Histogram, LineChart
from interagree.results.charts.axes import across, along, cut, short, upwards, written
from interagree.results.charts.colours import extent, shades
from interagree.results.charts.sheet import GAP, WIDTH, Canvas, Field, colour, dash, room_for, wide_as
from interagree.results.charts.words import estimate

ROW = 22.0
HIGH = 190.0  # of the field of lines and bins
OVER = 110.0  # the most that names of columns take
SAMPLES = 9  # boxes that show what shades stand for


def draw(sheet: Canvas, chart: Chart, rows: int, columns: int) -> None:
    """Draw a chart with so many rows, columns or lines at most; what is left out is said below it."""
    kept, left_out = cut(chart, rows, columns)
    if isinstance(kept, Forest):
        _forest(sheet, kept)
    elif isinstance(kept, Bars):
        _bars(sheet, kept)
    elif isinstance(kept, Heat):
        _heat(sheet, kept)
    elif isinstance(kept, LineChart):
        _lines(sheet, kept)
    else:
        _histogram(sheet, kept)
    if left_out:
        sheet.down(16)
        sheet.text((0, sheet.y - 4), f"{left_out.capitalize()}.", "quiet", most=WIDTH)


def _forest(sheet: Canvas, chart: Forest) -> None:
    groups = list(dict.fromkeys(row.group for row in chart.rows))
    if len(groups) > 1:
        sheet.legend(groups, filled=False)
    numbers = [estimate(row.value, row.low, row.high) for row in chart.rows]
    left, axis = room_for(row.label for row in chart.rows), across(chart)
    room = WIDTH - left - max(map(wide_as, numbers), default=0.0) - 2 * GAP
    sheet.marks_above(chart.marks, left, room, axis)
    field = Field(left, room, sheet.y, ROW * len(chart.rows), axis)
    sheet.axis_below(field, chart.axis)
    sheet.marks_across(chart.marks, field)
    for place, (row, told) in enumerate(zip(chart.rows, numbers, strict=True)):
        series, y = groups.index(row.group), field.top + ROW * (place + 0.5)
        sheet.text((left - GAP, y + 4), row.label, anchor="end", most=left - GAP)
        if not (math.isnan(row.low) or math.isnan(row.high)):
            start, end = sorted((field.x(row.low), field.x(row.high)))
            sheet.line((start, y), (end, y), f"line {colour(series)}")
        if not math.isnan(row.value):
            sheet.dot((field.x(row.value), y), series, f"{row.label}: {told}")
        sheet.text((WIDTH, y + 4), told, anchor="end")


def _bars(sheet: Canvas, chart: Bars) -> None:
    names = list(chart.series)
    if len(names) > 1:
        sheet.legend(names, filled=True)
    left, axis, thick = room_for(chart.labels), across(chart), 14.0 if len(names) < 2 else 11.0
    numbers = {name: [short(float(amount)) for amount in chart.series[name]] for name in names}
    room = WIDTH - left - max((wide_as(told) for name in names for told in numbers[name]), default=0.0) - 6
    sheet.marks_above(chart.marks, left, room, axis)
    high = thick * max(len(names), 1) + GAP
    field = Field(left, room, sheet.y, high * len(chart.labels), axis)
    sheet.axis_below(field, chart.axis)
    sheet.line((field.x(0.0), field.top), (field.x(0.0), field.top + field.high), "base")
    sheet.marks_across(chart.marks, field)
    for place, label in enumerate(chart.labels):
        top = field.top + high * place
        sheet.text((left - GAP, top + high / 2 + 4), label, anchor="end", most=left - GAP)
        for series, name in enumerate(names):
            amount, told, y = float(chart.series[name][place]), numbers[name][place], top + GAP / 2 + thick * series
            start, end = sorted((field.x(0.0), field.x(0.0 if math.isnan(amount) else amount)))
            title = f"{label}: {f'{name}: ' if name else ''}{told}"
            sheet.box((start, y + 1), (end - start, thick - 2), f"fill {colour(series)}", title)
            sheet.text((end + 4, y + thick / 2 + 4), told, "quiet halo")


def _heat(sheet: Canvas, chart: Heat) -> None:
    left = room_for(chart.rows)
    wide = min((WIDTH - left) / max(len(chart.columns), 1), 64.0)
    cells = np.asarray(chart.cells, dtype=float).reshape(len(chart.rows), len(chart.columns))
    numbers = [[written(float(value), chart.digits) for value in row] for row in cells]
    fits = max((wide_as(told) for row in numbers for told in row), default=0.0) <= wide - 2
    _heads(sheet, chart, left, wide)
    for label, row, texts, classes in zip(chart.rows, cells, numbers, shades(chart), strict=True):
        sheet.text((left - GAP, sheet.y + ROW / 2 + 4), label, anchor="end", most=left - GAP)
        for place, (value, told, shade) in enumerate(zip(row, texts, classes, strict=True)):
            x, title = left + place * wide, f"{label}, {chart.columns[place]}: {told}"
            sheet.box((x, sheet.y), (wide, ROW), f"cell {shade}", title)
            if fits and math.isfinite(value):
                at = x + wide / 2, sheet.y + ROW / 2 + 4
                sheet.text(at, told, f"on-shade {shade}", anchor="middle", most=2 * wide)
        sheet.down(ROW)
    _scale(sheet, chart, left)


def _heads(sheet: Canvas, chart: Heat, left: float, wide: float) -> None:
    """The names of columns: turned where they have no room."""
    longest = max(map(wide_as, chart.columns), default=0.0)
    flat = longest <= wide - 4
    over = 18.0 if flat else min(longest, OVER) + 14
    for place, name in enumerate(chart.columns):
        x = left + (place + 0.5) * wide
        if flat:
            sheet.text((x, over - 6), name, anchor="middle", most=2 * wide)
        else:
            sheet.text((x + 4, over - 4), name, turn=-90, most=OVER)
    sheet.down(over)


def _scale(sheet: Canvas, chart: Heat, left: float) -> None:
    """What shades stand for: the least, the greatest, and those between."""
    low, high = extent(chart)
    if chart.middle is not None:
        reach = max(abs(low - chart.middle), abs(high - chart.middle))
        low, high = chart.middle - reach, chart.middle + reach
    sample = chart._replace(rows=("",), columns=("",) * SAMPLES, cells=np.linspace(low, high, SAMPLES)[None, :])
    sheet.down(10)
    first, last = written(low, chart.digits), written(high, chart.digits)
    x = left + wide_as(first) + 4
    sheet.text((x - 4, sheet.y + 10), first, "quiet", anchor="end")
    for place, shade in enumerate(next(shades(sample))):
        sheet.box((x + place * 12, sheet.y), (12, 12), f"cell {shade}")
    x += SAMPLES * 12 + 4
    sheet.text((x, sheet.y + 10), last, "quiet")
    x += wide_as(last) + GAP
    if wide_as(chart.axis) > WIDTH - x:  # below, where there is more room
        sheet.down(16)
        x = left
    sheet.text((x, sheet.y + 10), chart.axis, "quiet", most=WIDTH - x)
    sheet.down(16)


def _lines(sheet: Canvas, chart: LineChart) -> None:
    if any(line.name for line in chart.lines):
        sheet.legend([line.name for line in chart.lines], filled=False)
    field = _field(sheet, chart, chart.axis)
    sheet.axis_beside(field)
    sheet.axis_below(field, chart.across)
    for series, line in enumerate(chart.lines):
        for band in _bands(field, line):
            sheet.path(band, f"area {colour(series)}", closed=True)
    _marks(sheet, chart, field)
    for series, line in enumerate(chart.lines):
        for piece in field.course(line.x, line.y):
            if len(piece) > 1:
                sheet.path(piece, f"line {colour(series)}", dash(series))
            for point in piece if line.dots or len(piece) == 1 else ():
                sheet.dot(point, series, size=3.5)
    _names(sheet, chart, field)


def _marks(sheet: Canvas, chart: LineChart, field: Field) -> None:
    for mark in chart.marks:
        y = field.y(mark.at)
        sheet.line((field.left, y), (field.left + field.room, y), "mark")
    sheet.marks_across(chart.moments, field)


def _names(sheet: Canvas, chart: LineChart, field: Field) -> None:
    """What the marks are called, above the lines."""
    for mark in chart.marks:
        y = field.y(mark.at)
        at = field.left + field.room, y - 4 if y > field.top + 14 else y + 12
        sheet.text(at, mark.label, "quiet halo", anchor="end", most=field.room)
    for mark in chart.moments:
        x, late = field.x(mark.at), field.across.at(mark.at) > 0.5
        at = x - 4 if late else x + 4, field.top + 12
        sheet.text(at, mark.label, "quiet halo", anchor="end" if late else "start", most=field.room / 2)


def _bands(field: Field, line: DrawnLine) -> list[list[tuple[float, float]]]:
    """The outlines around a line, one for each piece of it that has both ends."""
    if not len(line.low) or not len(line.high):
        return []
    low, high = np.asarray(line.low, dtype=float), np.asarray(line.high, dtype=float)
    unknown = np.isnan(low) | np.isnan(high)
    lower = field.course(line.x, np.where(unknown, np.nan, low).tolist())
    upper = field.course(line.x, np.where(unknown, np.nan, high).tolist())
    return [[*above, *reversed(below)] for below, above in zip(lower, upper, strict=False)]


def _histogram(sheet: Canvas, chart: Histogram) -> None:
    if len(chart.series) > 1:
        sheet.legend(list(chart.series), filled=False)
    field = _field(sheet, chart, "share")
    sheet.axis_beside(field)
    sheet.axis_below(field, chart.axis)
    bottom = field.top + field.high
    edges = [field.x(float(edge)) for edge in chart.edges]
    for series, shares in enumerate(chart.series.values()):
        tops = [field.y(float(share) if math.isfinite(share) else 0.0) for share in shares]
        steps = [(x, y) for place, y in enumerate(tops) for x in (edges[place], edges[place + 1])]
        if steps:
            outline = [(edges[0], bottom), *steps, (edges[-1], bottom)]
            sheet.path(outline, f"area {colour(series)}")
            sheet.path(outline, f"line {colour(series)}", dash(series))
    sheet.marks_across(chart.marks, field)


def _field(sheet: Canvas, chart: LineChart | Histogram, title: str) -> Field:
    """A field with an axis on its left, whose name stands above it."""
    beside = upwards(chart)
    below = along(chart) if isinstance(chart, LineChart) else across(chart)
    left = GAP + max(map(wide_as, beside.words))
    room = WIDTH - left - 6
    if isinstance(chart, Histogram):
        sheet.marks_above(chart.marks, left, room, below)
    sheet.down(14)
    sheet.text((0, sheet.y - 2), title, "quiet", most=WIDTH)
    sheet.down(8)
    return Field(left, room, sheet.y, HIGH, below, beside)
