"""The sections of a report: their order, what each says, and that those with nothing to say are absent."""

import json
import math
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import interagree as ia
from interagree.plugins import KINDS
from interagree.results.charts import Bars, Forest, Heat, Histogram, LineChart

ORDER = (
    *("In short", "What to do next"),
    *("Coefficients", "Why coefficients differ", "By value", "Confused labels", "Pairs of annotators"),
    *("By annotator", "Most disputed items", "Distances", "From strict to lenient", "Types of disagreement"),
    *("Most disputed document", "Over time", "What was read", "Overlap", "Methods", "How to cite"),
)


def ranked(report):
    """The sections of one question by name, in order."""
    found = {}
    for section in report.document().sections:
        name = next((name for name in ORDER if section.title.startswith(name)), None)
        if name is not None and not (name == "Confused labels" and "Types of disagreement" in found):
            found[name] = section
    return found


def labels(people=4, items=60, seed=0, careless="d", values="xyz"):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(values), items)
    rows = []
    for item in range(items):
        for who in "abcdefgh"[:people]:
            wrong = rng.random() < (0.6 if who == careless else 0.15)
            rows.append((f"i{item}", who, values[int(rng.integers(len(values))) if wrong else truth[item]]))
    return ia.Annotations.of(rows)


def of_kind(kind, people="abc", items=12):
    values = [*KINDS[kind].examples]
    rng = np.random.default_rng(2)
    rows = [
        (f"i{i}", who, values[i % len(values) if rng.random() < 0.75 else int(rng.integers(len(values)))])
        for i in range(items)
        for who in people
    ]
    return ia.Annotations.of(rows, kind=kind)


def test_the_order_is_that_of_the_story():
    found = [*ranked(ia.report(labels()))]
    assert found == [name for name in ORDER if name in found]
    assert found[0] == "In short"
    assert {"Coefficients", "By value", "Confused labels", "Pairs of annotators", "By annotator"} <= {*found}
    assert found[-2:] == ["Methods", "How to cite"]


def test_coefficients_stand_against_thresholds():
    section = ranked(ia.report(labels(careless="")))["Coefficients"]
    held = dict(zip(section.table["measure"], section.table["Krippendorff"], strict=True))
    assert held["Percent agreement"] == ""  # not corrected for chance
    assert held["Krippendorff's alpha, nominal"] == "0.667 is open"
    assert isinstance(section.chart, Forest)
    assert [f"{mark.at:.3f}" for mark in section.chart.marks] == ["0.667", "0.800"]
    assert [row.label for row in section.chart.rows] == list(section.table["measure"])
    assert "0.667 for tentative conclusions" in " ".join(section.foot)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [(0.0, "at least 0.800"), (0.12, "at least 0.667"), (0.17, "0.667 is open"), (0.6, "below 0.667")],
)
def test_the_whole_interval_decides_on_a_threshold(wrong, word):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    given = {who: np.where(rng.random(300) < wrong, rng.integers(0, 2, 300), truth) for who in "abc"}
    rows = [(i, who, "xy"[column[i]]) for who, column in given.items() for i in range(300)]
    section = ranked(ia.report(ia.Annotations.of(rows), measures=["alpha"]))["Coefficients"]
    assert section.table["Krippendorff"] == [word]


def test_confused_labels_share_all_disagreement():
    rows = []
    for i in range(40):
        first = "xyz"[i % 3]
        second = "y" if i % 3 == 0 and i % 2 else "z" if i == 1 else first
        rows += [(i, "a", first), (i, "b", second)]
    section = ranked(ia.report(ia.Annotations.of(rows)))["Confused labels"]
    assert [*zip(section.table["label"], section.table["other"], section.table["pairs"], strict=True)] == [
        ("x", "y", 7),
        ("y", "z", 1),
    ]
    assert section.table["share of disagreement"] == [7 / 8, 1 / 8]
    assert section.lines == ["x and y make up 88% of all disagreement."]
    assert isinstance(section.chart, Heat)
    assert section.chart.cells.sum(axis=1) == pytest.approx(1)
    assert section.chart.rows == ["x", "y", "z"]


def test_confused_steps_of_a_scale_weigh_as_far_as_they_are_apart():
    rows = [(i, who, 1 + i % 3) for i in range(30) for who in "ab"]
    rows[0], rows[2] = (0, "a", 3), (1, "a", 1)  # one item two steps apart, one a single step
    study = ia.Annotations.of(rows, values=[1, 2, 3], ordered=True)
    table = ranked(ia.report(study))["Confused labels"].table
    assert [*zip(table["label"], table["other"], strict=True)] == [(1, 3), (1, 2)]
    assert table["share of disagreement"][0] > 0.75
    assert sum(table["share of disagreement"]) == pytest.approx(1)


def test_two_labels_are_not_said_to_be_confused():
    assert "Confused labels" not in ranked(ia.report(labels(values="xy")))


def test_pairs_are_a_table_and_a_square():
    study = labels()
    section = ranked(ia.report(study))["Pairs of annotators"]
    assert section.detail
    assert isinstance(section.chart, Heat)
    expected = ia.alpha(study).by_pair()
    assert sorted(section.table["agreement"]) == pytest.approx(sorted(expected["agreement"]))
    assert section.table["agreement"] == sorted(section.table["agreement"])
    cells = section.chart.cells
    assert np.isnan(np.diag(cells)).all()
    assert np.allclose(cells, cells.T, equal_nan=True)
    first = expected.rows()[0]
    assert (
        cells[section.chart.rows.index(first["first"]), section.chart.rows.index(first["second"])] == first["agreement"]
    )


def test_annotators_are_bars_against_everybody():
    study = labels()
    chart = ranked(ia.report(study))["By annotator"].chart
    assert isinstance(chart, Bars)
    assert chart.labels[0] == "d"
    assert chart.marks[0].at == ia.alpha(study).value


def test_two_annotators_have_no_pairs_and_no_overlap():
    found = ranked(ia.report(labels(people=2)))
    assert not {"Pairs of annotators", "Overlap"} & {*found}


def test_many_annotators_have_no_pairs():
    rows = [(i, f"w{who}", "xy"[(i + who // 50) % 2]) for who in range(60) for i in range(4)]
    assert "Pairs of annotators" not in ranked(ia.report(ia.Annotations.of(rows)))


def test_texts_of_disputed_items_are_shown_unless_asked_not_to():
    rows = [(i, who, "xy"[(i + (who == "b")) % 2], f"some words on item {i}") for i in range(9) for who in "ab"]
    frame = {
        "item": [row[0] for row in rows],
        "annotator": [row[1] for row in rows],
        "label": [row[2] for row in rows],
        "words": [row[3] for row in rows],
    }
    study = ia.Annotations.of(frame, item="item", annotator="annotator", value="label")
    assert "some words on item" in str(ia.report(study))
    assert "some words" not in str(ia.report(study, texts=False))


def test_overlap_counts_shared_items():
    rows = [
        (i, who, "xy"[i % 2])
        for who, items in (("a", range(10)), ("b", range(5, 15)), ("c", range(12, 20)))
        for i in items
    ]
    report = ia.report(ia.Annotations.of(rows))
    section = ranked(report)["Overlap"]
    assert section.chart.cells.tolist() == [[10, 5, 0], [5, 10, 3], [0, 3, 8]]
    assert section.lines == ["Two annotators share 3 items in the median, 0 to 5. 1 of 3 pairs share none."]
    assert [row["items"] for row in report.to_dict()["studies"][0]["overlap"]] == [5, 0, 3]


def test_overlap_is_counted_over_blocks_of_items(monkeypatch):
    study = labels(people=3, items=50)
    study = study.items_where(np.arange(50) != 7)
    study = study._taking(~((study.annotator == 1) & (study.item > 20)))
    whole = ranked(ia.report(study))["Overlap"].chart.cells
    monkeypatch.setattr("interagree.reports.sections.read.BLOCK", 8)
    again = study._taking(np.ones(len(study), dtype=bool))
    assert (ranked(ia.report(again))["Overlap"].chart.cells == whole).all()
    assert whole.diagonal().tolist() == [49, 21, 49]


def timed(step, items=60, *, same=False):
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    rows = {"item": [], "annotator": [], "label": [], "time": []}
    rng = np.random.default_rng(4)
    for i in range(items):
        for k, who in enumerate("abc"):
            rows["item"].append(f"i{i}")
            rows["annotator"].append(who)
            rows["label"].append("xyz"[i % 3 if rng.random() < 0.8 else int(rng.integers(3))])
            rows["time"].append((start + i * step + timedelta(minutes=0 if same else k)).isoformat())
    return ia.Annotations.of(rows, item="item", annotator="annotator", value="label")


@pytest.mark.parametrize(
    ("step", "what", "periods", "first"),
    [
        (timedelta(hours=2), "day", 6, "2026-03-02"),
        (timedelta(days=0.5), "week", 5, "2026-03-02"),
        (timedelta(minutes=5), "part", 6, "1"),
    ],
)
def test_agreement_over_time_is_by_day_week_or_part(step, what, periods, first):
    study = timed(step, items=60)
    section = ranked(ia.report(study))["Over time"]
    assert [*section.table.columns] == [what, "items", "value", "low", "high"]
    assert len(section.table) == periods
    assert section.table[what][0] == first
    assert sum(section.table["items"]) == 60
    assert isinstance(section.chart, LineChart)
    assert section.chart.scale == ("linear" if what == "part" else "time")
    some = study.only(items=[f"i{i}" for i in range(section.table["items"][0])])
    assert section.table["value"][0] == pytest.approx(ia.alpha(some).value)
    assert section.table["low"][0] == pytest.approx(ia.alpha(some).interval().low)


def test_hundreds_of_items_are_tenths():
    section = ranked(ia.report(timed(timedelta(seconds=10), items=200)))["Over time"]
    assert section.table["tenth"] == [str(k) for k in range(1, 11)]
    assert section.table["items"] == [20] * 10
    assert "by the column 'time'" in section.lines[0]


def test_the_time_of_an_item_is_not_that_of_its_annotations():
    assert "Over time" not in ranked(ia.report(timed(timedelta(hours=2), same=True)))


@pytest.mark.parametrize("entry", ["soon", 5, 12.5, None])
def test_a_column_that_only_sounds_like_time_is_left_alone(entry):
    study = timed(timedelta(hours=2))
    rows = {
        "item": [study.items[code] for code in study.item],
        "annotator": [study.annotators[code] for code in study.annotator],
        "label": [study.values[code] for code in study.value],
        "time": [entry] * len(study),
    }
    other = ia.Annotations.of(rows, item="item", annotator="annotator", value="label", attributes=["time"])
    assert "time" in other.attributes
    assert "Over time" not in ranked(ia.report(other))


def test_few_items_have_no_history():
    assert "Over time" not in ranked(ia.report(timed(timedelta(hours=2), items=20)))


def test_what_was_read_names_the_file_and_what_was_set_aside(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,who,label,batch\n" + "".join(f"i{i},{w},{'xy'[i % 2]},1\n" for i in range(8) for w in "ab"))
    report = ia.report(ia.read(path, annotator="who"))
    lines = ranked(report)["What was read"].lines
    assert lines[0].startswith("8 items, 2 annotators, 16 annotations, 2 values")
    assert any(str(path) in line for line in lines)
    assert "'batch'" in lines[-1]
    read = report.to_dict()["studies"][0]["read"]
    assert read["sources"] == [str(path)]
    assert any("'batch'" in step["sentence"] for step in read["steps"])


def test_methods_say_what_was_done():
    report = ia.report(
        labels(), measures=["alpha", "icc:form=ICC(2,1)"] if False else ["alpha:distance=nominal", "percent"]
    )
    (paragraph,) = report.to_dict()["methods"]
    assert paragraph.startswith(
        "Agreement was measured by Krippendorff's alpha (nominal; Krippendorff, 2004) and percent agreement (Fleiss, "
        "1971), on 60 items by 4 annotators (240 annotations). 95% confidence intervals take items as drawn at random"
    )
    versions = report.to_dict()["versions"]
    assert f"interagree {ia.__version__} (Python {versions['Python']}, NumPy {np.__version__}, SciPy " in paragraph
    assert report.to_dict()["seed"] == 0
    assert 2 <= paragraph.count(". ") + 1 <= 4 + paragraph.count("et al.")


def test_methods_name_the_bootstrap_with_its_seed():
    report = ia.report(labels(), measures=["alpha"], method="bootstrap", resamples=200, seed=7, level=0.9)
    (paragraph,) = report.to_dict()["methods"]
    assert "90% confidence intervals" in paragraph
    assert "the percentile bootstrap (200 resamples, seed 7)" in paragraph
    assert "; seed 7." in ranked(report)["How to cite"].lines[-1]


def test_why_is_printed_where_coefficients_differ():
    skewed = [(i, who, "rare" if (i + (who == "b") * 3) % 20 == 0 else "usual") for i in range(100) for who in "ab"]
    assert "\nWhy coefficients differ\n" in str(ia.report(ia.Annotations.of(skewed), full=True))
    assert "\nWhy coefficients differ\n" not in str(ia.report(ia.Annotations.of(skewed)))
    assert "## Why coefficients differ" in ia.report(labels(), full=True).to_markdown()


@pytest.mark.parametrize("kind", ["numbers", "sets", "spans", "boxes", "trees", "rankings", "vectors", "text"])
def test_every_kind_has_a_report_in_order_in_all_forms(kind, tmp_path):
    report = ia.report(of_kind(kind), full=True)
    found = ranked(report)
    assert [*found] == [name for name in ORDER if name in found]
    assert {"Coefficients", "By annotator", "What was read", "Methods", "How to cite"} <= {*found}
    assert ("By value" in found) == (kind == "sets")
    assert ("Types of disagreement" in found) == (kind in {"spans", "boxes"})
    if "Distances" in found:
        assert isinstance(found["Distances"].chart, Histogram)
        assert sum(found["Distances"].chart.series["of one item"]) == pytest.approx(1)
    for suffix in (".txt", ".md", ".tex", ".json", ".csv"):
        assert report.write(tmp_path / f"report{suffix}").read_text(encoding="utf-8")
    assert "## Methods" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "\nMethods\n" in (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert len(str(ia.report(of_kind(kind))).splitlines()) <= 60


def test_boxes_and_sets_say_how_many_each_annotator_has():
    box = (0, 0, 2, 2)
    rows = [(i, who, (box,) * (1 + (who == "c" and i < 3))) for i in range(6) for who in "abc"]
    report = ia.report(ia.Annotations.of(rows, kind="boxes"))
    section = next(section for section in report.document().sections if section.title == "Boxes per item")
    assert section.table["annotator"] == ["c", "a", "b"]
    assert section.table["per item"] == [1.5, 1.0, 1.0]
    assert section.table["others"] == [1.0, 1.25, 1.25]
    assert section.lines == ["Two annotators have the same number of boxes on an item in 67% of all cases."]
    assert [row["per item"] for row in report.to_dict()["studies"][0]["objects"]] == [1.5, 1.0, 1.0]
    sets = [(i, who, frozenset("xy" if who == "a" else "x")) for i in range(6) for who in "ab"]
    names = [section.title for section in ia.report(ia.Annotations.of(sets, kind="sets")).document().sections]
    assert "Labels per item" in names


def test_one_box_for_each_item_is_nothing_to_say():
    rows = [(i, who, ((0, 0, 2 + i, 3),)) for i in range(6) for who in "abc"]
    names = [section.title for section in ia.report(ia.Annotations.of(rows, kind="boxes")).document().sections]
    assert "Boxes per item" not in names


def test_units_have_the_panel_of_spans():
    rows = [
        ("d", who, tuple((start, start + 4 + (who == "b"), label) for start, label in ((0, "x"), (10, "y"), (20, "x"))))
        for who in "abc"
    ]
    found = ranked(ia.report(ia.Annotations.of(rows, kind="spans")))
    assert {"From strict to lenient", "Types of disagreement", "Most disputed document"} <= {*found}
    assert isinstance(found["From strict to lenient"].chart, Forest)


def test_counts_without_annotators_have_values_and_items():
    counts = [[3, 0, 0], [0, 3, 0], [2, 1, 0], [1, 1, 1]]
    report = ia.report(ia.Annotations.from_counts(counts, values=["x", "y", "z"]), full=True)
    found = ranked(report)
    assert {"Coefficients", "By value", "Confused labels", "Most disputed items"} <= {*found}
    assert not {"By annotator", "Pairs of annotators", "Overlap"} & {*found}
    assert "who gave which value is not known" in str(report)


@pytest.mark.parametrize("rows", [[], [(i, "a", "xy"[i % 2]) for i in range(5)]])
def test_little_to_say_is_little_said(rows):
    report = ia.report(ia.Annotations.of(rows))
    found = ranked(report)
    once = {"Overview"} | ({"What to do next"} if rows else set())
    assert {*found} <= once | {"In short", "Coefficients", "Why coefficients differ", "What was read", "How to cite"}
    assert found["Coefficients"].chart is None or rows
    json.loads(report.to_json())


def test_several_questions_have_sections_of_their_own_and_one_of_methods():
    report = ia.report(ia.Study.of(mood=labels(), topic=labels(seed=3)))
    names = [section.title for section in report.document().sections]
    assert names.index("mood: Coefficients") < names.index("topic: Coefficients") < names.index("Methods")
    assert names.count("Methods") == names.count("How to cite") == 1
    assert report.to_dict()["methods"][0].startswith("Agreement on mood and topic was measured by ")
    assert len(str(report).splitlines()) <= 60


def test_several_studies_are_one_table_with_methods_and_a_chart():
    report = ia.report({"one": labels(), "two": labels(seed=5)})
    about, short, table, how, cited, policy = report.document().sections
    assert re.search(r" · 2 compared · [\d,]+ annotations$", about.lines[0])
    assert short.title == "In short"
    assert table.table["study"] == ["one", "two"]
    assert {row.group for row in table.chart.rows} == {"one", "two"}
    assert (how.title, cited.title) == ("Methods", "How to cite")
    assert all("Policy: " in line for line in policy.lines)


def test_json_has_all_tables_unrounded():
    study = timed(timedelta(hours=2))
    report = ia.report(study)
    (part,) = json.loads(report.to_json())["studies"]
    assert {"values", "by_value", "by_annotator", "by_item", "by_pair", "confused", "over_time", "read"} <= {*part}
    assert part["by_pair"][0]["agreement"] == ia.alpha(study).by_pair()["agreement"][0]
    assert part["chance"] is None


def test_printing_is_a_screen_of_a_small_study():
    assert len(str(ia.report(labels())).splitlines()) <= 40


def test_every_chart_says_in_words_what_it_shows():
    for section in ia.report(timed(timedelta(hours=2))).document().sections:
        if section.chart is not None:
            assert re.fullmatch(r"[A-Z].*\.", section.chart.words)
            assert not re.search(r"\bnan\b", section.chart.words)


def test_undefined_rows_are_in_no_chart():
    study = ia.Annotations.of([(i, who, "x") for i in range(6) for who in "abc"])
    section = ranked(ia.report(study))["Coefficients"]
    assert all(not math.isnan(row.value) for row in section.chart.rows)
