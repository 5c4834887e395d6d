"""Charts of spreadsheet programs: their own, drawn from cells, so that whoever opens the workbook can change them.

The numbers stand on a hidden sheet.  Coefficients are points with error bars and thresholds lines beside them; what
runs along an axis is a line through its points, its band two thin lines.  A table of shades is a sheet of its own
(`interagree.results.excel`), as the cells are the chart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interagree.errors import visible
from interagree.results.charts import Bars, Chart, DrawnEstimate, Forest, Heat, Histogram, LineChart, ThresholdLine
from interagree.results.charts.colours import LIGHT

if TYPE_CHECKING:
    from xlsxwriter.chart import Chart as Native
    from xlsxwriter.worksheet import Worksheet

    from interagree.results.workbook import Book

DATA = "chart data"  # the hidden sheet
COLOURS, GREY, GRID = LIGHT.series, LIGHT.quiet, LIGHT.grid
WIDTH, HEIGHT = 720, 360  # pixels
EPOCH, DAY = 25569, 86400  # 1970-01-01 as spreadsheet programs count days, and its seconds
TITLE = 120  # letters of a title; longer words are read aloud only


class Charts:
    """The charts of a workbook and the sheet of their numbers."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.name = ""
        self.page: Worksheet | None = None
        self.rows = 0

    def insert(self, page: Worksheet, chart: Chart, column: int) -> None:
        """Put a chart to the right of a table, where there is something to draw."""
        if isinstance(chart, Heat) or not drawable(chart):
            return
        if isinstance(chart, Forest):
            made = self._forest(chart)
        elif isinstance(chart, LineChart):
            made = self._lines(chart)
        else:
            made = self._bars(chart)
        words = _text(chart.words)
        made.set_title(
            {"name": words, "name_font": {"size": 11, "bold": False}} if len(words) <= TITLE else {"none": 1}
        )
        made.set_size({"width": WIDTH, "height": HEIGHT})
        made.show_hidden_data()
        made.show_blanks_as("gap")
        page.insert_chart(1, column, made, {"description": visible(chart.words), "object_position": 3})

    def _cells(self, rows: Sequence[Sequence[object]]) -> int:
        """Write rows to the hidden sheet; where the first of them is."""
        if self.page is None:
            self.name = self.book.name(DATA)
            self.page = self.book.page(self.name)
            self.page.hide()
        first = self.rows
        for place, row in enumerate(rows):
            self.book.row(self.page, first + place, row, {})
        self.rows += len(rows) + 1
        return first

    def _range(self, first: int, count: int, column: int) -> list[str | int]:
        return [self.name, first + 1, column, first + count, column]

    def _head(self, first: int, column: int) -> list[str | int]:
        return [self.name, first, column]

    def _formula(self, first: int, count: int, column: int) -> str:
        from xlsxwriter.utility import xl_range_formula

        formula: str = xl_range_formula(self.name, first + 1, column, first + count, column)
        return formula

    def _forest(self, chart: Forest) -> Native:
        groups = list(dict.fromkeys(row.group for row in chart.rows))
        head: list[object] = [""]
        for group in groups:
            head += [group or chart.axis, "up", "down"]
        marks = len(head)
        rows: list[list[object]] = [[*head, *(mark.label for mark in chart.marks)]]
        for row in chart.rows:
            cells: list[object] = [row.label]
            for group in groups:
                cells += _with_ends(row) if row.group == group else [None] * 3
            rows.append([*cells, *(mark.at for mark in chart.marks)])
        first, count = self._cells(rows), len(chart.rows)
        made = self.book.inner.add_chart({"type": "line"})
        for number, _ in enumerate(groups):
            column, colour = 1 + 3 * number, COLOURS[number % len(COLOURS)]
            bars = {
                "type": "custom",
                "plus_values": self._formula(first, count, column + 1),
                "minus_values": self._formula(first, count, column + 2),
                "line": {"color": colour, "width": 1.5},
            }
            made.add_series(
                {
                    "name": self._head(first, column),
                    "categories": self._range(first, count, 0),
                    "values": self._range(first, count, column),
                    "line": {"none": True},
                    "marker": {"type": "circle", "size": 8, "fill": {"color": colour}, "border": {"color": colour}},
                    "y_error_bars": bars,
                }
            )
        self._marks(made, chart.marks, first, count, marks)
        ends = [row.low if math.isfinite(row.low) else row.value for row in chart.rows]
        made.set_y_axis({"name": _text(chart.axis), **_lines_across(), **_from_zero(ends)})
        made.set_x_axis({"label_position": "low"})
        if len(groups) + len(chart.marks) == 1:
            made.set_legend({"none": True})
        return made

    def _marks(self, made: Native, marks: Sequence[ThresholdLine], first: int, count: int, column: int) -> None:
        for number, _ in enumerate(marks):
            made.add_series(
                {
                    "name": self._head(first, column + number),
                    "categories": self._range(first, count, 0),
                    "values": self._range(first, count, column + number),
                    "line": {"color": GREY, "width": 1.25, "dash_type": "dash"},
                    "marker": {"type": "none"},
                }
            )

    def _bars(self, chart: Bars | Histogram) -> Native:
        if isinstance(chart, Histogram):
            labels = [f"{low:.3g} to {high:.3g}" for low, high in zip(chart.edges, chart.edges[1:], strict=False)]
            marks: Sequence[ThresholdLine] = ()  # stand on the other axis
        else:
            labels, marks = list(chart.labels), chart.marks
        rows: list[list[object]] = [
            ["", *(name or chart.axis for name in chart.series), *(mark.label for mark in marks)]
        ]
        for place, label in enumerate(labels):
            beside = [_finite(series[place]) for series in chart.series.values()]
            rows.append([label, *beside, *(mark.at for mark in marks)])
        first, count = self._cells(rows), len(labels)
        made = self.book.inner.add_chart({"type": "column"})
        for number, _ in enumerate(chart.series):
            made.add_series(
                {
                    "name": self._head(first, number + 1),
                    "categories": self._range(first, count, 0),
                    "values": self._range(first, count, number + 1),
                    "fill": {"color": COLOURS[number % len(COLOURS)]},
                    "gap": 10 if isinstance(chart, Histogram) else 60,
                }
            )
        if marks:
            lines = self.book.inner.add_chart({"type": "line"})
            self._marks(lines, marks, first, count, 1 + len(chart.series))
            made.combine(lines)
        below = isinstance(chart, Histogram)
        made.set_x_axis({"name": _text(chart.axis) if below else "", "label_position": "low"})
        amounts = [amount for series in chart.series.values() for amount in series]
        name = "share" if below else _text(chart.axis)
        made.set_y_axis({"name": name, "major_gridlines": {"visible": False}, **_from_zero(amounts)})
        if len(chart.series) + len(marks) == 1:
            made.set_legend({"none": True})
        return made

    def _lines(self, chart: LineChart) -> Native:
        made = self.book.inner.add_chart({"type": "scatter", "subtype": "straight"})
        unnamed: list[int] = []
        drawn = 0
        for number, line in enumerate(chart.lines):
            colour = COLOURS[number % len(COLOURS)]
            banded = bool(len(line.low)) and bool(len(line.high))
            columns = [line.y, *([line.low, line.high] if banded else [])]
            across = [at / DAY + EPOCH if chart.scale == "time" else at for at in map(float, line.x)]
            rows = [["", line.name or chart.axis, *(["low", "high"] if banded else [])]]
            cells = [[at, *(_finite(column[place]) for column in columns)] for place, at in enumerate(across)]
            first, count = self._cells([*rows, *cells]), len(across)
            for column, _ in enumerate(columns, start=1):
                shape = {"color": colour, "width": 2} if column == 1 else {"color": colour, "dash_type": "dash"}
                dots = {"type": "circle", "size": 5} if line.dots and column == 1 else {"type": "none"}
                made.add_series(
                    {
                        "name": self._head(first, column),
                        "categories": self._range(first, count, 0),
                        "values": self._range(first, count, column),
                        "line": shape,
                        "marker": dots,
                    }
                )
                unnamed += [drawn] if column > 1 else []
                drawn += 1
        every = [at / DAY + EPOCH if chart.scale == "time" else at for line in chart.lines for at in map(float, line.x)]
        for mark in chart.marks if every else ():
            first = self._cells([["", mark.label], [min(every), mark.at], [max(every), mark.at]])
            self._marks(made, [mark], first, 2, 1)
        below: dict[str, object] = {"name": _text(chart.across), "label_position": "low"}
        if every:
            below |= {"min": min(every), "max": max(every)} if max(every) > min(every) else {}
        if chart.scale == "time":
            below["num_format"] = "yyyy-mm-dd"
        if chart.scale == "log":
            below = {"name": _text(chart.across), "label_position": "low", "log_base": 10}
        made.set_x_axis(below)
        made.set_y_axis({"name": _text(chart.axis), **_lines_across()})
        if len(chart.lines) + len(chart.marks) == 1:
            made.set_legend({"none": True})
        elif unnamed:
            made.set_legend({"delete_series": unnamed})
        return made


def drawable(chart: Chart) -> bool:
    """Whether a chart has anything to draw."""
    if isinstance(chart, Forest | Heat):
        return bool(len(chart.rows))
    return bool(chart.lines) if isinstance(chart, LineChart) else bool(chart.series)


def _lines_across() -> dict[str, object]:
    return {"major_gridlines": {"visible": True, "line": {"color": GRID}}}


def _from_zero(numbers: Sequence[float]) -> dict[str, object]:
    """An axis that begins with 0 where no number is below it."""
    return {} if any(number < 0 for number in numbers) else {"min": 0}


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _with_ends(row: DrawnEstimate) -> list[object]:
    """A value, and how far its interval reaches up and down."""
    up, down = _finite(row.high - row.value), _finite(row.value - row.low)
    return [_finite(row.value), up if up is None else max(up, 0.0), down if down is None else max(down, 0.0)]


def _text(words: str) -> str:
    """A name that is not taken for the place of a cell."""
    shown = visible(words)
    return f" {shown}" if shown.startswith("=") else shown
