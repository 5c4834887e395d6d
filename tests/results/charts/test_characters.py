"""Charts as characters, on a terminal and in plain text."""

from __future__ import annotations

import io
import math
from typing import get_args

import numpy as np
import pytest
from chart_samples import EVERY, FULL, bars, forest, heat, lines
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console
from rich.style import Style

from interagree.results import terminal
from interagree.results.cells import width_of
from interagree.results.charts import Bars, Chart, DrawnEstimate, DrawnLine, Forest, Heat, LineChart, ThresholdLine
from interagree.results.charts.axes import Axis, Scale, axis
from interagree.results.charts.characters import bar, blocks, characters, spark, strip
from interagree.results.document import Document, Section, render
from interagree.tables import Table

UNIT = axis((), (0.0, 1.0))


@pytest.mark.parametrize(
    ("value", "low", "high", "drawn"),
    [
        (0.5, 0.25, 0.75, "·━●━·"),
        (1.0, 1.0, 1.0, "····●"),
        (0.0, -1.0, 0.5, "●━━··"),
        (0.5, -math.inf, math.inf, "━━●━━"),
        (math.nan, 0.0, 0.0, "     "),
        (0.5, math.nan, math.nan, "··●··"),
    ],
)
def test_an_interval_as_characters(value: float, low: float, high: float, drawn: str) -> None:
    assert strip(DrawnEstimate("", value, low, high), UNIT, 5) == drawn


def test_a_threshold_crosses_an_interval() -> None:
    assert (
        strip(DrawnEstimate("", 0.5, 0.25, 0.75), UNIT, 5, [ThresholdLine(0.75, "a"), ThresholdLine(1.0, "b")])
        == "·━●┿┆"
    )


@pytest.mark.parametrize(
    ("amount", "drawn"),
    [(1.0, "████"), (0.5, "██  "), (0.03125, "▏   "), (0.0001, "▏   "), (0.0, "    "), (math.nan, "    ")],
)
def test_a_bar_as_characters(amount: float, drawn: str) -> None:
    assert bar(amount, UNIT, 4) == drawn


def test_bars_below_zero_run_to_the_left() -> None:
    both = Axis(-1.0, 1.0, (-1.0, 1.0), ("-1", "1"))
    assert bar(-1.0, both, 4) == "██  "
    assert bar(1.0, both, 4) == "  ██"
    assert bar(-0.5, both, 4) == " █  "


@pytest.mark.parametrize(
    ("shares", "drawn"), [([0.0, 0.5, 1.0], "·▄█"), ([0.0, 0.0], "··"), ([], ""), ([math.nan, 1.0], "·█")]
)
def test_a_histogram_as_characters(shares: list[float], drawn: str) -> None:
    assert blocks(shares) == drawn


def test_a_line_as_characters_is_broken_where_it_is_undefined() -> None:
    assert spark(DrawnLine("", [0, 1], [0, 1]), UNIT, (0.0, 1.0), 8) == "▁▂▃▄▅▆▇█"
    broken = spark(DrawnLine("", [0, 0.25, 0.5, 0.75, 1], [0, 0, math.nan, 1, 1]), UNIT, (0.0, 1.0), 5)
    assert broken == "▁▁ ██"


@pytest.mark.parametrize("chart", EVERY)
def test_every_chart_has_characters_that_a_terminal_only_shows(chart: Chart) -> None:
    drawn = characters(chart, 100)
    for line in drawn:
        assert "\x1b" not in line
        assert "\n" not in line
        assert "\u202e" not in line
        "".join(drawn).encode()


@pytest.mark.parametrize("chart", FULL)
def test_lines_keep_to_the_width(chart: Chart) -> None:
    (*_,) = drawn = characters(chart, 110)
    assert max(map(width_of, drawn)) <= 150
    if isinstance(chart, Bars):
        assert max(map(width_of, drawn)) <= 110


def test_what_is_left_out_is_counted() -> None:
    assert characters(forest(60))[-1] == "The first 40 of 60 rows are shown."
    assert characters(lines(60))[-1] == "The first 20 of 60 lines are shown."


def test_shades_without_colour() -> None:
    chart = Heat(["a", "b"], ["a", "b"], np.array([[1.0, 0.5], [math.nan, 0.0]]), "share", "words", digits=1)
    assert characters(chart) == ["share", "       a     b", "a  1.0 █ 0.5 ▒", "b    –   0.0"]


def printed(section: Section, monkeypatch: pytest.MonkeyPatch, *, width: int = 120, colour: bool = False) -> str:
    stream = io.StringIO()

    def console(**options: bool) -> Console:
        return Console(
            file=stream, width=width, force_terminal=colour, color_system="truecolor" if colour else None, **options
        )

    monkeypatch.setattr(terminal, "Console", console)
    terminal.print_on_terminal(Document("", [section]))
    return stream.getvalue()


TABLE = Table({"label": ["a", "b"], "share": [0.25, 1.0]})
SHARES = Bars(["a", "b"], {"": [0.25, 1.0]}, "share", "How often")


def test_bars_stand_beside_the_rows_they_belong_to(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(Section("Labels", table=TABLE, chart=SHARES), monkeypatch).splitlines()
    assert lines[1].split() == ["label", "share", "share"]  # what is drawn is named
    assert next(line for line in lines if "0.250" in line).rstrip().endswith("0.250  ████")
    assert next(line for line in lines if "1.000" in line).rstrip().endswith("1.000  " + "█" * 16)


def test_a_narrow_terminal_has_no_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "█" not in printed(Section("Labels", table=TABLE, chart=SHARES), monkeypatch, width=60)


def test_bars_of_something_else_stand_above_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Bars(["c"], {"": [3.0]}, "items", "How often")
    text = printed(Section("Labels", table=TABLE, chart=other), monkeypatch)
    assert text.index("█") < text.index("0.250")


def test_a_crossed_table_is_shaded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table({"": ["a", "b"], "a": [0.0, 0.5], "b": [0.5, 1.0]})
    chart = Heat(["a", "b"], ["a", "b"], np.array([[0.0, 0.5], [0.5, 1.0]]), "share", "words")
    # Rich keeps the code of a style from the first terminal that it was printed on, which may have had fewer colours.
    Style.parse.cache_clear()
    Style._add.cache_clear()
    text = printed(Section("Pairs", table=table, chart=chart), monkeypatch, colour=True)
    assert "48;2;255;166;50m1.000" in text  # the most
    assert "48;2;" not in text[text.index("0.000") - 10 : text.index("0.000")]
    assert "█" not in text
    plain = printed(Section("Pairs", table=table, chart=chart), monkeypatch)
    assert "\x1b" not in plain


def test_a_chart_without_a_table_is_part_of_plain_text() -> None:
    section = Section(
        "Over time", ["Words."], chart=LineChart([DrawnLine("", [0, 1], [0, 1])], "day", "alpha", "words")
    )
    text = render(Document("", [section]), "text")
    assert text.startswith("Over time\n---------\nWords.\n\nalpha\n")
    assert "▁" in text
    with_table = Section("Labels", table=TABLE, chart=SHARES)
    assert "█" not in render(Document("", [with_table]), "text")


def test_hostile_names_do_not_steer_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for chart in (forest(9), bars(9, 2), heat(9, 9, 0.0), lines(9)):
        assert "\x1b" not in printed(Section("x", chart=chart), monkeypatch)
    assert "\x1b[31mred" not in printed(Section("x", chart=bars(9)), monkeypatch, colour=True)


def test_coefficients_of_a_chart_stand_beside_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table({"coefficient": ["alpha"], "value": [0.5], "low": [0.25], "high": [0.75]})
    chart = Forest([DrawnEstimate("alpha", 0.5, 0.25, 0.75)], "coefficient", "words", [ThresholdLine(0.8, "firm")])
    for section in (Section(table=table, forest=True), Section(table=table, chart=chart)):
        assert "━━━━━●━━━━━" in printed(section, monkeypatch)


@given(st.lists(st.floats(), max_size=4), st.lists(st.floats(0, 1e-9), max_size=2), st.sampled_from(get_args(Scale)))
@example([5e-324], [], "linear")
@example([1e-255, 2e-255], [], "linear")
@example([20547.0], [2.8e-11], "log")
def test_an_axis_has_two_ends_and_every_number_a_place_between(
    values: list[float], near: list[float], scale: Scale
) -> None:
    drawn = axis([*values, *(value + step for value in values for step in near)], scale=scale)
    assert drawn.low < drawn.high
    assert all(0 <= drawn.at(value) <= 1 for value in values if math.isfinite(value))
