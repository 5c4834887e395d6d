"""Charts as SVG: inert, readable by those who cannot see, in colours that everybody can tell apart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from chart_samples import EVERY, FULL, bars, forest, heat, lines

from interagree.results.charts import Bars, Chart, DrawnEstimate, Forest, Heat, ThresholdLine
from interagree.results.charts.colours import DARK, LIGHT, Theme, contrast, shades
from interagree.results.charts.svg import STYLE, standalone, svg

SPACE = "{http://www.w3.org/2000/svg}"
KNOWN = {"svg", "title", "desc", "style", "text", "path", "rect", "circle"}
ATTRIBUTES = {
    "class", "role", "viewBox", "x", "y", "width", "height", "cx", "cy", "r", "d", "text-anchor", "transform",
    "stroke-dasharray",
}  # fmt: skip


def parsed(chart: Chart) -> ET.Element:
    return ET.fromstring(standalone(chart))


@pytest.mark.parametrize("chart", EVERY)
def test_a_drawing_is_well_formed_and_holds_nothing_that_runs(chart: Chart) -> None:
    drawing = parsed(chart)
    assert {element.tag.removeprefix(SPACE) for element in drawing.iter()} <= KNOWN
    assert {name for element in drawing.iter() for name in element.attrib} <= ATTRIBUTES
    assert not re.search(r"\bnan\b|\binf\b", re.sub(r"<(title|desc|text)[^>]*>[^<]*", "", svg(chart)))


@pytest.mark.parametrize("chart", EVERY)
def test_a_drawing_says_what_it_shows(chart: Chart) -> None:
    drawing = parsed(chart)
    assert drawing.get("role") == "img"
    assert drawing.findtext(f"{SPACE}title") == chart.words
    description = drawing.findtext(f"{SPACE}desc")
    assert description is not None
    assert description.startswith(f"{chart.axis}.")


@pytest.mark.parametrize("chart", FULL)
def test_nothing_is_drawn_outside(chart: Chart) -> None:
    drawing = parsed(chart)
    _, _, wide, high = map(float, drawing.attrib["viewBox"].split())
    for element in drawing.iter():
        for name, most in (("x", wide), ("cx", wide), ("y", high), ("cy", high)):
            assert 0 <= float(element.get(name, 0)) <= most
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", element.get("d", "")):
            assert -6 <= float(x) <= wide
            assert -6 <= float(y) <= high


def test_hostile_names_are_text() -> None:
    for drawing in map(svg, FULL):
        assert "<script" not in drawing
        assert "\x1b" not in drawing
        assert "\u202e" not in drawing
        assert "style=" not in drawing
        drawing.encode()


def test_a_long_name_is_whole_in_its_title() -> None:
    name = "a label that goes on and on without an end in sight"
    drawing = svg(bars(9))
    assert f"<title>{name}</title>a label that goes" in drawing
    assert f"{name}</text>" not in drawing


def test_what_is_left_out_is_counted() -> None:
    assert "The first 40 of 60 rows are shown." in svg(forest(60))
    assert "The first 40 of 60 rows are shown; the first 20 of 60 columns are shown." in svg(heat(60, 60))
    assert "The first 2 of 60 rows are shown; the first 20 of 30 series are shown." in svg(bars(60, 30))
    assert "The first 20 of 60 lines are shown." in svg(lines(60))
    assert "are shown" not in svg(forest(40))


def test_drawings_stay_small() -> None:
    assert max(len(svg(chart)) for chart in FULL) < 150_000
    assert len(svg(forest(9))) < 8_000
    assert len(STYLE) < 12_000


def test_a_coefficient_stands_where_its_number_is() -> None:
    chart = Forest([DrawnEstimate("α", 0.5, 0.25, 0.75)], "coefficient", "words", [ThresholdLine(0.5, "half")])
    drawing = svg(chart)
    (dot,) = re.findall(r'cx="([\d.]+)"', drawing)
    ((start, end),) = re.findall(r'class="line series-0" d="M([\d.]+) [\d.]+L([\d.]+) ', drawing)
    (mark,) = re.findall(r'class="mark" d="M([\d.]+) ', drawing)
    assert float(dot) == pytest.approx((float(start) + float(end)) / 2, abs=0.2)
    assert mark == dot
    assert "0.50 [0.25, 0.75]" in drawing


def test_a_bar_is_as_long_as_its_amount() -> None:
    drawing = svg(Bars(["a", "b", "c"], {"": [10.0, 20.0, -10.0]}, "items", "words"))
    a, b, c = (float(wide) for wide in re.findall(r'width="([\d.]+)"', drawing))
    assert b == pytest.approx(2 * a, abs=0.2)
    assert c == pytest.approx(a, abs=0.2)


def test_shades_run_from_least_to_most() -> None:
    up = Heat(["r"], ["a", "b", "c"], heat(1, 3).cells, "share", "words")
    assert list(shades(up)) == [["shade-none", "shade-4", "shade-8"]]
    ways = up._replace(cells=heat(1, 3).cells * 0 + [[-2.0, 0.0, 1.0]], middle=0.0)
    assert list(shades(ways)) == [["shade-none", "shade-0", "above-4"]]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_stand_out(theme: Theme) -> None:
    for colour in theme.series:
        assert contrast(colour, theme.ground) >= 3
    for colour in (theme.ink, theme.quiet):
        assert contrast(colour, theme.ground) >= 4.5
    for colour, on in theme.shades().values():
        assert contrast(colour, on) >= 4.5


def test_the_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_every_class_has_a_rule() -> None:
    classes = {name for chart in FULL for found in re.findall(r'class="([^"]+)"', svg(chart)) for name in found.split()}
    for name in classes:
        assert f".{name}" in STYLE


def test_short_names_of_rows_are_not_cut():
    names = ["gus", "spam", "mm", "a"]
    drawing = svg(Bars(names, {"": [0.1, 0.2, 0.3, 0.4]}, "alpha", "Alpha without each."))
    assert [name for name in names if f">{name}</text>" not in drawing] == []
    # The letters of short words may all be wide: "spam" of 12 units takes 33 in common fonts.
    left = float(re.search(r'<text x="([\d.]+)"[^>]*>spam', drawing)[1])
    assert left >= 33
