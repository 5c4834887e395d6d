"""Reports from Python: one study, several, and how they are written."""

import csv
import io
import json
import pickle
from pathlib import Path

import pytest
from random_studies import values_for

import interagree as ia
from interagree.choose import choice
from interagree.errors import InteragreeError, KindError, OptionError, UnknownName
from interagree.plugins import KINDS, MEASURES

LABELS = {
    "ann": ["cat", "dog", "dog", "cat", "cat", None],
    "bo": ["cat", "dog", "cat", "cat", "cat", "dog"],
    "cy": ["cat", "dog", "dog", None, "cat", "dog"],
}
OTHERS = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"]}


def test_one_study_tells_the_whole_story():
    text = str(ia.report(LABELS, full=True))
    assert "Krippendorff's alpha, nominal  0.762" in text
    assert "Without bo, α would be 1.000 instead of 0.762." in text
    assert "2 empty cells taken as no annotation." in " ".join(text.split())
    assert all(f"\n{title}\n---" in text for title in ("Why coefficients differ", "Overlap", "Methods", "How to cite"))


def test_the_first_screen_has_its_name_its_size_the_overview_and_no_more():
    report = ia.report(LABELS, title="Pilot")
    text = str(report)
    assert text.startswith("Pilot\n=====\n\n" + report.date)
    assert "· 6 items · 3 annotators · 16 annotations" in text.splitlines()[3]
    assert "α 0.76 [-0.45, 0.99]" in text
    assert "\nCoefficients\n" not in text
    assert text.rstrip().splitlines()[-2].startswith("Behind this, with full=True or .write('report.html'): ")
    assert len(text.splitlines()) <= 45


def test_several_studies_are_rows_and_measures_columns():
    table = ia.report({"Pilot": LABELS, "Round 1": OTHERS}, measures=["percent", "alpha"]).table()
    assert list(table.columns) == ["study", "items", "Percent agreement", "Krippendorff's alpha"]
    assert table["study"] == ["Pilot", "Round 1"]
    assert table["Percent agreement"][0] == "0.89 [0.31, 0.99]"


def test_latex_has_a_row_for_each_study():
    text = ia.report({"Pilot": LABELS, "Round_1": OTHERS}, measures=["percent", "alpha"]).to_latex(digits=2)
    assert r"Pilot & 6 & 0.89 [0.31, 0.99] & 0.76 [-0.45, 0.99] \\" in text
    assert r"Round\_1 & 3 &" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


@pytest.mark.parametrize("suffix", [".md", ".tex", ".json", ".csv", ".txt"])
def test_a_report_is_written_as_the_suffix_says(suffix, tmp_path):
    path = ia.report(LABELS).write(tmp_path / f"report{suffix}")
    text = path.read_text(encoding="utf-8")
    title = "Agreement of 3 annotators\n"
    start = {".md": f"# {title}", ".tex": "% Tables", ".json": "{", ".csv": "study,measure", ".txt": f"{title}="}
    assert text.startswith(start[suffix])
    assert text.endswith("\n")


def test_html_is_a_page(tmp_path):
    report = ia.report(LABELS)
    page = report.write(tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert "Coefficients</h2>" in page
    assert "<h3>Overview</h3>" in report._repr_html_()


def test_a_report_survives_pickling():
    report = ia.report(LABELS)
    again = pickle.loads(pickle.dumps(report))
    assert str(again) == str(report)
    assert again.undefined is None


def test_json_is_versioned_and_unrounded():
    found = json.loads(ia.report(LABELS).to_json())
    assert found["schema"] == 1
    (study,) = found["studies"]
    assert study["results"][1]["value"] == ia.alpha(LABELS).value
    assert len(study["by_item"]) == 6
    assert [row["annotator"] for row in study["by_annotator"]] == ["ann", "bo", "cy"]


def test_csv_is_unrounded_and_empty_where_undefined():
    rows = list(csv.DictReader(io.StringIO(ia.report({"one": {"x": ["a", "a"], "y": ["a", "a"]}}).to_csv())))
    assert rows[1]["value"] == ""
    assert "same value" in rows[1]["undefined"]


def test_markdown_keeps_its_columns_whatever_the_labels():
    text = ia.report({"x|1": ["a|b", "*", "a|b"], "y": ["a|b", "a|b", "*"]}, full=True).to_markdown()
    widths = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("| a\\|b")}
    assert len(widths) == 1  # the table of values


def test_citations_are_those_of_the_measures_used():
    report = ia.report(LABELS, measures=["alpha", "ac1"])
    assert report.cite().count("@") == 2
    assert "krippendorff2004" in report.cite()
    assert report.cite("text").startswith("Krippendorff, K. (2004)")


def test_a_picture_is_drawn(tmp_path, need):
    need("matplotlib")
    path = ia.report({"A": LABELS, "B": OTHERS}).plot(tmp_path / "forest.svg")
    assert b"<svg" in path.read_bytes()


def test_a_picture_of_nothing_is_refused(tmp_path, need):
    need("matplotlib")
    with pytest.raises(KindError, match="nothing to draw"):
        ia.report({"x": ["a"], "y": ["a"]}, measures=["alpha"]).plot(tmp_path / "forest.png")


def test_a_measure_that_does_not_suit_is_an_error_of_one_study_and_a_remark_of_several():
    with pytest.raises(KindError, match="two annotators"):
        ia.report(LABELS, measures=["cohen_kappa"])
    text = str(ia.report({"A": LABELS, "B": OTHERS}, measures=["cohen_kappa"]))
    assert "A: Cohen's kappa was left out" in text


def test_questions_of_a_study_are_parts_of_a_report():
    study = ia.Study.of(mood=ia.Annotations.of(LABELS), topic=ia.Annotations.of(OTHERS))
    text = str(ia.report(study, full=True))
    assert "mood: Coefficients" in text
    assert "topic: Coefficients" in text


def test_the_level_and_the_method_are_taken():
    (part,) = (report := ia.report(LABELS, measures=["alpha"], level=0.8, method="jackknife")).parts
    found = part.results[0].interval(0.8, method="jackknife")
    assert report.intervals.interval(part.results[0]) == found
    assert "80% interval for other items (jackknife)" in str(report)


def test_nothing_to_report_on_is_an_error():
    with pytest.raises(InteragreeError):
        ia.report({})


@pytest.mark.parametrize("data", [{"x": ["a", "b"]}, {"x": ["a"], "y": ["b"]}, [], {"x": ["a", "a"], "y": ["a", "a"]}])
def test_poor_data_make_a_poor_report_and_no_crash(data):
    text = str(ia.report(data))
    assert "Policy: " in text


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_fits_into_a_report(name):
    data = {"x": [1, 2, 3, 4, 5, 5], "y": [1, 2, 4, 4, 5, 4]}
    if MEASURES[name].facts.values in KINDS:
        values = values_for(name)
        rows = [(i, who, values[(i + k * (i % 2)) % 4]) for i in range(4) for k, who in enumerate("ab")]
        data = ia.Annotations.of(rows, kind=MEASURES[name].facts.values)
    report = ia.report(data, measures=[name])
    for text in (report.to_text(), report.to_markdown(), report.to_latex(), report.to_json(), report.to_csv()):
        assert report.parts[0].titles[0].partition(",")[0].replace("²", "") in text.replace("$^2$", "").replace("²", "")


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("alpha", "alpha", {}),
        ("alpha:distance=ordinal", "alpha", {"distance": "ordinal"}),
        ("icc:form=ICC(3,k)", "icc", {"form": "ICC(3,k)"}),
        ("alpha:distance=polar:low=1,high=7", "alpha", {"distance": "polar:low=1,high=7"}),
        ("van_oest:prior=0.5,weights=linear", "van_oest", {"prior": 0.5, "weights": "linear"}),
        (("alpha", {"distance": "interval"}), "alpha", {"distance": "interval"}),
        (ia.alpha, "alpha", {}),
    ],
)
def test_a_measure_can_be_named_in_several_ways(spec, name, options):
    found = choice(spec)
    assert found.facts.name == name
    assert dict(found.options) == options


@pytest.mark.parametrize("spec", ["alpha:distnce=ordinal", "alfa", "alpha:x"])
def test_a_wrong_name_is_an_error(spec):
    with pytest.raises(UnknownName):
        choice(spec)


def test_a_number_where_a_word_stands_is_an_error():
    with pytest.raises(KindError, match="'many' is not"):
        choice("van_oest:prior=many")


@pytest.mark.parametrize(
    ("values", "word"),
    [
        (["a", "b"], "labels"),
        (["1", "2"], "labels"),
        (["1", "2", "3"], "labels"),
        (["1.5", "2"], "numbers"),
        (list(range(25)), "numbers"),
        ([True, False], "labels"),
        ([frozenset("a"), frozenset("b")], "sets"),
        ([("a",), ("b", "a")], "tuples"),
    ],
)
def test_kinds_of_values(values, word):
    study = ia.Annotations.of([(i, who, value) for i, value in enumerate(values) for who in "xy"])
    assert study.kind == word


def test_reports_do_not_need_the_command_line():
    folder = Path(ia.__file__).parent
    for room in ("results", "reports", "studies"):
        for path in folder.joinpath(room).rglob("*.py"):
            assert "import click" not in path.read_text(encoding="utf-8")


def test_a_study_reports_on_itself_and_writes_it(tmp_path):
    question = ia.Annotations.of({"ann": ["a", "b", "a", "b"], "bo": ["a", "b", "b", "b"]})
    study = ia.Study.of(tone=question)
    assert study.report(title="Tone").to_html() == ia.report(study, title="Tone").to_html()
    assert str(question.report(measures=["percent"])) == str(ia.report(question, measures=["percent"]))
    report = study.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.to_html()
    with pytest.raises(KindError, match="Did you mean measures="):
        study.report(measure="alpha")


def test_a_path_for_digits_is_answered_with_the_way_to_write_a_file():
    report = ia.report({"ann": ["a", "b", "a"], "bo": ["a", "b", "b"]})
    with pytest.raises(OptionError, match=r"To write a file, call \.write\('report\.html'\)"):
        report.to_html("report.html")
