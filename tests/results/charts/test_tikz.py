"""Charts as TikZ: no command that a name could smuggle in, nothing outside, readable in grey."""

from __future__ import annotations

import re

import numpy as np
import pytest
from chart_samples import EVERY, FULL, bars, forest, heat, histogram, lines

from interagree.results.charts import Bars, Chart, DrawnEstimate, DrawnLine, Forest, LineChart, ThresholdLine
from interagree.results.charts.tikz import ROWS, tikz

COMMANDS = {
    *("begin", "end", "definecolor", "path", "node", "fontsize", "selectfont"),  # our own
    *(
        "textbackslash",
        "textless",
        "textgreater",
        "dots",
        "ialetter",
        "iawide",
        "iabox",
        "kern",
        "infty",
        "allowbreak",
    ),  # of text
    *("$", "&", "_", "{", "}"),
}
POINT = re.compile(r"\((-?[\d.]+),(-?[\d.]+)\)")
NODE = re.compile(r"(?m)^\\node\[([^]]*)\] at (\([^)]*\)) \{(.*)\};$")


def paths(drawing: str) -> list[tuple[str, str]]:
    return re.findall(r"(?s)\\path\[([^]]*)\] (.*?);", drawing)


def balanced(text: str) -> bool:
    """Whether braces that are not escaped match."""
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("chart", EVERY)
def test_a_drawing_is_whole_and_knows_only_our_commands(chart: Chart) -> None:
    drawing = tikz(chart)
    assert drawing.startswith("\\begin{tikzpicture}[")
    assert drawing.endswith("\\end{tikzpicture}")
    assert re.findall(r"\\(?:begin|end)\{(\w+)\}", drawing) == ["tikzpicture", "tikzpicture"]
    assert set(re.findall(r"\\([A-Za-z]+|.)", drawing)) <= COMMANDS
    assert balanced(drawing)
    assert not re.search(r"(?<!\\)[%#&~]", drawing)
    assert "\x1b" not in drawing
    drawing.encode()


@pytest.mark.parametrize("chart", EVERY)
def test_everything_stands_within_the_width_of_a_page(chart: Chart) -> None:
    drawing = tikz(chart)
    assert not re.search(r"\b(nan|inf)\b", re.sub(NODE, "", drawing))
    places = [(float(x), float(y)) for _, course in paths(drawing) for x, y in POINT.findall(course)]
    places += [(float(x), float(y)) for _, at, _ in NODE.findall(drawing) for x, y in POINT.findall(at)]
    assert all(-6 <= x <= 486 for x, _ in places)
    assert all(-6 <= y <= 700 for _, y in places)  # 490 points; the text of a page has 550


@pytest.mark.parametrize("chart", EVERY)
def test_styles_and_colours_that_are_used_are_defined_and_no_others(chart: Chart) -> None:
    drawing = tikz(chart)
    used = {look for options in (*(o for o, _ in paths(drawing)), *(o for o, *_ in NODE.findall(drawing)))
            for look in re.findall(r"ia \w+", options)}  # fmt: skip
    assert set(re.findall(r"(ia \w+)/\.style", drawing)) == used
    defined = re.findall(r"\\definecolor\{(ia-[\w-]+)\}\{HTML\}\{[0-9A-F]{6}\}", drawing)
    assert set(re.findall(r"=(ia-[\w-]+)", drawing)) == set(defined)


def test_a_coefficient_stands_where_its_number_is() -> None:
    chart = Forest([DrawnEstimate("α", 0.5, 0.25, 0.75)], "coefficient", "words", [ThresholdLine(0.5, "half")])
    drawing = tikz(chart)
    (dot,) = re.findall(r"\(([\d.]+),[\d.]+\) circle", drawing)
    ((start, end),) = re.findall(r"ia line\] \(([\d.]+),[\d.]+\) -- \(([\d.]+),", drawing)
    (mark,) = re.findall(r"ia mark\] \(([\d.]+),", drawing)
    assert float(dot) == pytest.approx((float(start) + float(end)) / 2, abs=0.2)
    assert mark == dot
    assert "{0.50 [0.25, 0.75]}" in drawing
    assert r"{$\alpha$}" in drawing


def test_a_bar_is_as_long_as_its_amount() -> None:
    drawing = tikz(Bars(["a", "b", "c"], {"": [10.0, 20.0, -10.0]}, "items", "words"))
    ends = re.findall(r"ia fill, [^]]*\] \(([\d.]+),[\d.]+\) rectangle \(([\d.]+),", drawing)
    a, b, c = (float(end) - float(start) for start, end in ends)
    assert b == pytest.approx(2 * a, abs=0.2)
    assert c == pytest.approx(a, abs=0.2)


def test_series_differ_without_colour() -> None:
    assert len(set(re.findall(r"dash pattern=[^],]*", tikz(lines(4))))) == 4  # that of marks, and three besides solid
    assert len(set(re.findall(r"!(\d+)!white", tikz(bars(3, 6))))) == 6
    assert tikz(histogram(3)).count("dash pattern") > 2


def test_cells_below_the_middle_have_a_corner() -> None:
    with_middle, without = tikz(heat(4, 4, 0.0)), tikz(heat(4, 4))
    assert re.search(r"\[fill=(black|white)\]", with_middle)
    assert not re.search(r"\[fill=(black|white)\]", without)
    # The first cell is empty; of the fifteen others the first seven are negative, one of them next to nothing.
    cells = re.findall(r"ia cell, fill=ia-below-\d\]", with_middle)
    assert len(cells) == len(re.findall(r"\[fill=(?:black|white)\]", with_middle))


def test_numbers_in_cells_have_the_ink_that_stands_out() -> None:
    drawing = tikz(heat(2, 2))
    assert "text=white] at" in drawing
    assert "text=black] at" in drawing


def test_what_is_left_out_is_counted() -> None:
    assert f"The first {ROWS} of 60 rows are shown." in tikz(forest(60))
    assert "are shown" not in tikz(forest(ROWS))


def test_long_lines_are_thinned_and_keep_their_peaks() -> None:
    y = np.zeros(50_000)
    y[20_000] = 5.0
    drawing = tikz(LineChart([DrawnLine("", np.arange(50_000.0), y)], "n", "y", "words"))
    (course,) = (course for options, course in paths(drawing) if "ia line" in options)
    heights = [float(y) for _, y in POINT.findall(course)]
    assert len(heights) < 4000
    assert max(heights) - min(heights) > 150
    assert max(map(len, drawing.splitlines())) < 1000  # TeX reads so many letters at a time


def test_drawings_stay_small() -> None:
    assert max(len(tikz(chart)) for chart in FULL) < 120_000
    assert len(tikz(forest(9))) < 8_000


def test_names_are_cut() -> None:
    drawing = tikz(bars(9))
    assert "a label that goes on and on without an end in sight" not in drawing
    assert r"{a label that goes on and on \dots{}}" in drawing
