"""Charts as SVG for pages and files: text as text, colours from a style sheet, and nothing that runs.

`svg` gives the drawing alone, whose colours come from `STYLE`, which a page includes once; `standalone` gives a file of
its own.  A drawing says in its title what it shows and in its description what its numbers are.  It has no style
attributes, so that a page may forbid them.
"""

from __future__ import annotations

import math

import numpy as np

from interagree.results.charts import Bars, Chart, Forest, Heat, Histogram, Line, Lines
from interagree.results.charts.axes import across, along, cut, short, upwards, written
from interagree.results.charts.colours import DARK, LIGHT, extent, shades
from interagree.results.charts.sheet import (
    GAP,
    SERIES,
    WIDTH,
    Field,
    Sheet,
    colour,
    dash,
    number,
    room_for,
    safe,
    wide_as,
)
from interagree.results.charts.words import described, estimate

ROW = 22.0
ROWS, COLUMNS = 40, 20  # drawn at most
HIGH = 190.0  # of the field of lines and bins
OVER = 110.0  # the most that names of columns take
SAMPLES = 9  # boxes that show what shades stand for

_FORCED = ("CanvasText", "LinkText", "Highlight", "VisitedText", "GrayText", "CanvasText")
_CLASSES = "".join(f".series-{place}{{--ia-colour:var(--ia-series-{place})}}" for place in range(SERIES))
_SHADES = "".join(
    f".{name}{{--ia-shade:var(--ia-{name});--ia-on-shade:var(--ia-on-{name})}}" for name in LIGHT.shades()
)
STYLE = (
    f":root{{{LIGHT.rules()}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{DARK.rules()}}}}}"
    f"@media screen{{:root[data-theme=dark]{{{DARK.rules()}}}}}"
    "@media (forced-colors:active){:root:root:root{--ia-ground:Canvas;--ia-ink:CanvasText;--ia-quiet:CanvasText;"
    "--ia-grid:GrayText;" + "".join(f"--ia-series-{place}:{name};" for place, name in enumerate(_FORCED)) + "}"
    ".ia-chart .cell,.ia-chart .on-shade{forced-color-adjust:none}}"
    + _CLASSES
    + _SHADES
    + ".ia-chart{display:block;width:100%;max-width:36rem;height:auto;break-inside:avoid}"
    ".ia-chart text{font-family:system-ui,sans-serif}"
    ".ia-chart text{fill:var(--ia-ink);font-size:12px}"
    ".ia-chart .quiet{fill:var(--ia-quiet);font-size:11px}"
    ".ia-chart .halo{paint-order:stroke;stroke:var(--ia-ground);stroke-width:3px}"
    ".ia-chart .grid{stroke:var(--ia-grid);stroke-width:1;fill:none}"
    ".ia-chart .base{stroke:var(--ia-quiet);stroke-width:1;fill:none}"
    ".ia-chart .mark{stroke:var(--ia-ink);stroke-width:1;stroke-dasharray:4 3;fill:none}"
    ".ia-chart .line{stroke:var(--ia-colour);stroke-width:2;fill:none;stroke-linejoin:round}"
    ".ia-chart .area{fill:var(--ia-colour);fill-opacity:.2;stroke:none}"
    ".ia-chart .fill{fill:var(--ia-colour);stroke:none}"
    ".ia-chart .dot{fill:var(--ia-colour);stroke:var(--ia-ground);stroke-width:1}"
    ".ia-chart .cell{fill:var(--ia-shade);stroke:var(--ia-ground);stroke-width:1}"
    ".ia-chart .shade-none{fill:none}"
    ".ia-chart .on-shade{fill:var(--ia-on-shade)}"
)


def svg(chart: Chart) -> str:
    """A chart as one ``<svg>`` element, to be put into a page that has `STYLE`."""
    return _drawing(chart)


def standalone(chart: Chart) -> str:
    """A chart as a file of its own, with its colours for light and dark."""
    style = f"<style>{STYLE}.ia-chart{{background:var(--ia-ground)}}</style>"
    return _drawing(chart, style, ' xmlns="http://www.w3.org/2000/svg"')


def _drawing(chart: Chart, style: str = "", space: str = "") -> str:
    kept, left_out = cut(chart, ROWS, COLUMNS)
    sheet = Sheet()
    if isinstance(kept, Forest):
        _forest(sheet, kept)
    elif isinstance(kept, Bars):
        _bars(sheet, kept)
    elif isinstance(kept, Heat):
        _heat(sheet, kept)
    elif isinstance(kept, Lines):
        _lines(sheet, kept)
    else:
        _histogram(sheet, kept)
    if left_out:
        sheet.down(16)
        sheet.text((0, sheet.y - 4), f"{left_out.capitalize()}.", "quiet", most=WIDTH)
    head = f'<svg class="ia-chart" role="img" viewBox="0 0 {number(WIDTH)} {number(sheet.y + 4)}"{space}>'
    told = f"<title>{safe(chart.words)}</title><desc>{safe(described(chart))}</desc>"
    return f"{head}{told}{style}{''.join(sheet.parts)}</svg>"


def _forest(sheet: Sheet, chart: Forest) -> None:
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


def _bars(sheet: Sheet, chart: Bars) -> None:
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


def _heat(sheet: Sheet, chart: Heat) -> None:
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


def _heads(sheet: Sheet, chart: Heat, left: float, wide: float) -> None:
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


def _scale(sheet: Sheet, chart: Heat, left: float) -> None:
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
    sheet.text((x, sheet.y + 10), chart.axis, "quiet", most=WIDTH - x)
    sheet.down(16)


def _lines(sheet: Sheet, chart: Lines) -> None:
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


def _marks(sheet: Sheet, chart: Lines, field: Field) -> None:
    for mark in chart.marks:
        y = field.y(mark.at)
        sheet.line((field.left, y), (field.left + field.room, y), "mark")
    sheet.marks_across(chart.moments, field)


def _names(sheet: Sheet, chart: Lines, field: Field) -> None:
    """What the marks are called, above the lines."""
    for mark in chart.marks:
        y = field.y(mark.at)
        at = field.left + field.room, y - 4 if y > field.top + 14 else y + 12
        sheet.text(at, mark.label, "quiet halo", anchor="end", most=field.room)
    for mark in chart.moments:
        x, late = field.x(mark.at), field.across.at(mark.at) > 0.5
        at = x - 4 if late else x + 4, field.top + 12
        sheet.text(at, mark.label, "quiet halo", anchor="end" if late else "start", most=field.room / 2)


def _bands(field: Field, line: Line) -> list[list[tuple[float, float]]]:
    """The outlines around a line, one for each piece of it that has both ends."""
    if not len(line.low) or not len(line.high):
        return []
    low, high = np.asarray(line.low, dtype=float), np.asarray(line.high, dtype=float)
    unknown = np.isnan(low) | np.isnan(high)
    lower = field.course(line.x, np.where(unknown, np.nan, low).tolist())
    upper = field.course(line.x, np.where(unknown, np.nan, high).tolist())
    return [[*above, *reversed(below)] for below, above in zip(lower, upper, strict=False)]


def _histogram(sheet: Sheet, chart: Histogram) -> None:
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


def _field(sheet: Sheet, chart: Lines | Histogram, title: str) -> Field:
    """A field with an axis on its left, whose name stands above it."""
    beside = upwards(chart)
    below = along(chart) if isinstance(chart, Lines) else across(chart)
    left = GAP + max(map(wide_as, beside.words))
    room = WIDTH - left - 6
    if isinstance(chart, Histogram):
        sheet.marks_above(chart.marks, left, room, below)
    sheet.down(14)
    sheet.text((0, sheet.y - 2), title, "quiet", most=WIDTH)
    sheet.down(8)
    return Field(left, room, sheet.y, HIGH, below, beside)
