"""Charts with Matplotlib, and what can be drawn of answers, tables and studies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from chart_samples import EVERY, bars, forest, heat, histogram, lines

import interagree as ia
from interagree.errors import FormatError, KindError, MissingExtra, UnknownName
from interagree.results.charts import Bars, Chart, DrawnEstimate, DrawnLine, Forest, Heat, Histogram, LineChart
from interagree.results.charts.tables import chart_of
from interagree.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

pytest.importorskip("matplotlib")

LABELS = {"ann": [*"abcabcabcabc"], "bo": [*"abcabbabcabc"], "cy": [*"aacabcbbcacc"]}


@pytest.fixture(autouse=True)
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """No display, and no figure left open."""
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "backend", "agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def drawn(chart: Chart, axes: Axes | None = None) -> Axes:
    from interagree.results.charts.figures import drawn as draw

    return draw(chart, axes)


@pytest.mark.parametrize("chart", EVERY)
def test_every_chart_is_drawn(chart: Chart) -> None:
    axes = drawn(chart)
    assert chart.axis in (axes.get_xlabel().split("\n")[0], axes.get_ylabel()) or isinstance(chart, Heat)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
@pytest.mark.parametrize("chart", [forest(9), bars(9, 3), heat(9, 9, 0.0), lines(9, "time"), histogram(2)])
def test_charts_are_written_whatever_names_are(chart: Chart, suffix: str, tmp_path: Path) -> None:
    from interagree.results.charts.figures import plotted

    path = tmp_path / f"chart.{suffix}"
    assert plotted(chart, path) == path
    assert path.stat().st_size > 2000
    with pytest.raises(FormatError, match="cannot be drawn as 'doc'"):
        plotted(chart, tmp_path / "chart.doc")


def test_files_do_not_open_windows(tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    ia.alpha(LABELS).plot(tmp_path / "alpha.png")
    assert not plt.get_fignums()
    ia.alpha(LABELS).plot()
    assert len(plt.get_fignums()) == 1


def test_numbers_stand_where_they_are() -> None:
    axes = drawn(Forest([DrawnEstimate("a", 0.5, 0.25, 0.75)], "coefficient", "words"))
    interval, dot = axes.lines[:2]
    assert list(interval.get_xdata()) == [0.25, 0.75]
    assert list(dot.get_xdata()) == [0.5]
    axes = drawn(Bars(["a", "b"], {"": [1.0, 3.0]}, "items", "words"))
    assert [patch.get_width() for patch in axes.patches] == [1.0, 3.0]
    axes = drawn(Heat(["r"], ["a", "b"], np.array([[0.5, math.nan]]), "share", "words"))
    assert axes.images[0].get_array()[0, 0] == 0.5
    assert axes.images[0].get_array().mask.tolist() == [[False, True]]
    axes = drawn(LineChart([DrawnLine("x", [0.0, 86400.0], [0.1, 0.9])], "day", "alpha", "words", (), "time"))
    assert list(axes.lines[0].get_xdata()) == [0.0, 1.0]  # days
    axes = drawn(Histogram([0.0, 1.0, 2.0], {"": [0.25, 0.75]}, "distance", "words"))
    assert list(axes.patches[0].get_data().values) == [0.25, 0.75]


def test_axes_that_are_given_are_drawn_into(tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    assert ia.alpha(LABELS).plot(axes=left) is left
    path = ia.Annotations.of(LABELS).plot(tmp_path / "both.png", axes=right)
    assert path == tmp_path / "both.png"
    assert left.lines
    assert right.images
    assert len(figure.axes) == 3  # and what the shades stand for


def test_a_dark_ground_has_light_colours() -> None:
    import matplotlib.pyplot as plt
    from matplotlib.colors import to_hex

    from interagree.results.charts.colours import DARK, LIGHT

    chart = Bars(["a"], {"": [1.0]}, "items", "words")
    assert to_hex(drawn(chart).patches[0].get_facecolor()).upper() == LIGHT.series[0].upper()
    with plt.style.context("dark_background"):
        assert to_hex(drawn(chart).patches[0].get_facecolor()).upper() == DARK.series[0].upper()


def test_dollars_are_not_formulas(tmp_path: Path) -> None:
    path = ia.confusion({"$a$": ["$\\frac$", "$x"], "b": ["$x", "$x"]}, "$a$", "b").plot(tmp_path / "it.svg")
    assert isinstance(path, Path)
    assert path.stat().st_size


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtra, match=r"interagree\[plot\]"):
        ia.alpha(LABELS).plot()


# -- tables -------------------------------------------------------------------------------------------------


def test_the_columns_of_a_table_suggest_its_chart() -> None:
    result = ia.alpha(LABELS)
    assert isinstance(result.by_pair().chart(), Heat)
    assert isinstance(result.by_value().chart(), Bars)
    assert isinstance(result.by_item().chart(), Bars)
    many = ia.alpha({name: values * 10 for name, values in LABELS.items()}).by_item()
    assert isinstance(many.chart(), Histogram)
    people = ia.annotators(LABELS).table()
    assert isinstance(people.chart(), Forest)
    for table in (ia.confusion(LABELS), ia.studies.coincidences(LABELS), ia.confusion(LABELS, "ann", "bo")):
        chart = table.chart()
        assert isinstance(chart, Heat)
        assert list(chart.rows) == list(chart.columns) == ["a", "b", "c"]
        assert chart.cells[0, 0] == table["a"][0]


def test_pairs_are_drawn_on_both_sides() -> None:
    chart = ia.alpha(LABELS).by_pair().chart()
    assert isinstance(chart, Heat)
    assert list(chart.rows) == ["ann", "bo", "cy"]
    assert np.array_equal(chart.cells, chart.cells.T, equal_nan=True)
    assert np.isnan(np.diag(chart.cells)).all()


def test_of_several_columns_the_telling_one_is_drawn() -> None:
    people = ia.alpha(LABELS).by_annotator()
    chart = people.chart()
    assert isinstance(chart, Bars)
    assert chart.axis == "agreement with the rest"
    assert list(chart.series[""]) == people["agreement with the rest"]


def test_a_column_can_be_named() -> None:
    table = Table({"label": ["x", "y"], "share": [0.25, 0.75], "weight": [1, 2]})
    with pytest.raises(KindError, match="say which column to draw, as in column='share'; there are 'share', 'weight'"):
        table.chart()
    chart = table.chart(column="weight")
    assert isinstance(chart, Bars)
    assert list(chart.series[""]) == [1.0, 2.0]
    with pytest.raises(UnknownName, match="has no column 'other'"):
        table.chart(column="other")
    with pytest.raises(KindError, match="does not hold numbers"):
        Table({"a": ["x"], "b": ["y"], "c": [1]}).plot(column="b")
    with pytest.raises(KindError, match="no rows"):
        Table({"a": [], "b": []}).chart()
    with pytest.raises(KindError, match="no column but the first holds numbers"):
        Table({"a": ["x"], "b": ["y"]}).chart()


def test_undefined_numbers_are_left_empty() -> None:
    chart = chart_of(Table({"label": ["x", "y", "z"], "value": [0.5, math.nan, None]}))
    assert isinstance(chart, Bars)
    assert [math.isnan(number) for number in chart.series[""]] == [False, True, True]


# -- studies ------------------------------------------------------------------------------------------------


def test_a_study_is_drawn_by_what_its_values_are() -> None:
    chart = ia.Annotations.of(LABELS).chart()
    assert isinstance(chart, Heat)
    assert list(chart.rows) == ["ann", "bo", "cy"]
    assert chart.cells.sum(axis=1) == pytest.approx([1, 1, 1])
    rng = np.random.default_rng(0)
    numbers = ia.Annotations.of({who: rng.normal(size=40).tolist() for who in "xyz"}).chart()
    assert isinstance(numbers, Histogram)
    assert list(numbers.series) == ["x", "y", "z"]
    assert sum(numbers.series["x"]) == pytest.approx(1)
    counts = ia.Annotations.from_counts([[3, 1], [2, 2]], values=["yes", "no"]).chart()
    assert isinstance(counts, Bars)
    assert list(counts.series[""]) == [5 / 8, 3 / 8]
    spans = ia.Annotations.of([("d", "a", [(0, 3, "x")]), ("d", "b", [(1, 3, "x")])], kind="spans").chart()
    assert isinstance(spans, Bars)
    assert list(spans.series[""]) == [1, 1]


def test_a_study_of_several_questions_asks_which() -> None:
    study = ia.Study.of(first=ia.Annotations.of(LABELS), second=ia.Annotations.of(LABELS))
    with pytest.raises(ia.errors.DataError, match=r"study\['first'\]"):
        study.plot()
    assert isinstance(study["first"].chart(), Heat)


# -- answers ------------------------------------------------------------------------------------------------


def answers() -> dict[str, Any]:
    study = ia.Annotations.of(LABELS)
    days = ia.Monitor()
    for place in range(60):
        for who, value in (("ann", "ab"[place % 2]), ("bo", "ab"[place % 2 if place % 7 else 0])):
            days.add(place, who, value, at=f"2026-03-{1 + place // 5:02d}")
    consensus = ia.crowd.usual_consensus(study)
    return {
        "coefficient": ia.alpha(study),
        "report": ia.report(study),
        "coefficients": ia.reports.coefficients(study, measures=["alpha", "ac1"]),
        "annotators": ia.annotators(study),
        "queue": ia.disagreements(study),
        "wawa": ia.people.wawa(study),
        "consensus": consensus,
        "score": consensus.score(dict(enumerate("abc" * 4))),
        "soft labels": ia.crowd.soft_labels(study),
        "judge": ia.judge(study, models=["cy"]),
        "alternative": ia.judging.alt_test(study, model="cy"),
        "difference": ia.compare(ia.alpha(study.without("cy")), ia.alpha(study)),
        "plan": ia.plan(agreement=0.8, shares=[0.5, 0.5], half_width=0.05),
        "groups": ia.people.groups_agreement(study, groups={"ann": "x", "bo": "x", "cy": "y"}, resamples=20),
        "noise": ia.studies.shuffle(study.only(annotators=["ann"]), repeats=2, magnitudes=[0, 0.5, 1]),
        "distances": ia.studies.compare_distances(study, ["nominal"], resamples=20),
        "monitor": days.standing(at_least=0.8),
    }


def test_every_answer_with_numbers_has_a_picture(tmp_path: Path) -> None:
    from matplotlib.axes import Axes as MatplotlibAxes

    from interagree.results.charts.characters import characters
    from interagree.results.charts.svg import svg

    for name, answer in answers().items():
        chart = answer.chart()
        assert chart is not None, name
        assert chart.words
        assert svg(chart).startswith("<svg")
        assert characters(chart)
        assert isinstance(answer.plot(), MatplotlibAxes), name
        path = tmp_path / f"{name}.png"
        assert answer.plot(path) == path, name
        assert path.stat().st_size > 2000, name


def test_the_same_numbers_are_in_the_table_and_in_the_picture() -> None:
    made = answers()
    table, chart = made["annotators"].table(), made["annotators"].chart()
    assert [row.value for row in chart.rows] == table["agreement"]
    assert [row.low for row in chart.rows] == table["low"]
    assert [row.value for row in made["judge"].chart().rows] == made["judge"].groups["value"]
    assert [row.value for row in made["report"].chart().rows] == [
        result.value for part in made["report"].parts for result in part.results
    ]
    (line, limits) = made["monitor"].chart().lines
    assert list(line.y) == made["monitor"].charts["day"]["agreement"]
    assert list(limits.low) == made["monitor"].charts["day"]["low"]
    assert line.x[1] - line.x[0] == 86400


def test_what_is_undefined_is_not_drawn() -> None:
    same = {"x": ["a"], "y": ["a"]}
    for answer in (ia.alpha(same), ia.report(same, measures=["alpha"])):
        assert answer.chart() is None
        with pytest.raises(KindError, match="nothing to draw: "):
            answer.plot()
    with pytest.raises(KindError, match="there is no picture of this Explanation"):
        ia.explain("alpha").plot()


def test_axes_are_those_of_matplotlib() -> None:
    with pytest.raises(KindError, match=r"axes= takes the axes of a Matplotlib figure, such as .*, not 'left'"):
        ia.alpha(LABELS).plot(axes="left")  # type: ignore[arg-type]
