"""`interagree measure`: the usual coefficients per kind of value, options, and tables."""

import csv
import io
import json
from pathlib import Path

import pytest

import interagree as ia


def measures(result):
    """The measures of a JSON answer, by name."""
    (study,) = json.loads(result.stdout)["studies"]
    return [one["measure"] for one in study["results"]]


def write(name, header, rows):
    Path(name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return name


def scores(values):
    return [f"{i},{who},{value}" for i, row in enumerate(values) for who, value in zip("xyz", row, strict=False)]


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        (scores(["aab", "abb", "ccc"]), [], ["percent", "alpha", "ac1", "fleiss_kappa"]),
        (scores(["aab", "ab", "ccc"]), [], ["percent", "alpha", "ac1"]),
        (scores(["ab", "bb", "cc"]), [], ["percent", "alpha", "ac1", "cohen_kappa"]),
        (scores(["123", "122", "344"]), [], ["percent", "alpha", "ac1", "fleiss_kappa"]),
        (scores(["123", "122", "344"]), ["--ordered"], ["percent", "alpha", "conger_kappa"]),
        (scores(["ab", "bb", "cc"]), ["--values", "a,b,c", "--ordered"], ["percent", "alpha", "cohen_kappa"]),
        (scores([["1.5", "2"], ["3", "3.5"], ["8", "9"]]), [], ["alpha", "icc"]),
        (scores([["1.5", "2"], ["3"], ["8", "9"]]), [], ["alpha"]),
        (scores([map(str, range(i, i + 3)) for i in range(25)]), [], ["alpha", "icc"]),
        (scores([["a|b", "a"], ["b", "b"], ["c", "a|c"]]), ["--split", "|"], ["percent", "alpha"]),
        (scores(["ab", "bb", "cc"]), ["--weights", "identity"], ["percent", "alpha", "cohen_kappa", "ac2"]),
        (scores(["12", "22", "33"]), ["--distance", "interval"], ["percent", "alpha"]),
    ],
)
def test_the_usual_coefficients_for_the_kind_of_value(rows, options, expected, run):
    file = write("some.csv", "item,annotator,label", rows)
    assert measures(run("measure", file, *options, "--json")) == expected


def test_the_numbers_are_those_of_the_library(run):
    (study,) = json.loads(run("measure", "mixed.csv", "-m", "alpha", "--level", "0.9", "--json").stdout)["studies"]
    (result,) = study["results"]
    expected = ia.alpha(ia.read("mixed.csv"))
    assert result["value"] == pytest.approx(expected.value)
    assert result["interval"]["low"] == pytest.approx(expected.interval(0.9).low)
    assert result["interval"]["level"] == 0.9


@pytest.mark.parametrize("method", ["analytic", "jackknife", "bootstrap", "bca"])
def test_the_method_of_the_interval_is_taken_and_said(method, run):
    words = ["measure", "mixed.csv", "-m", "ac1", "--method", method, "--seed", "3", "--resamples", "200"]
    (result,) = json.loads(run(*words, "--json").stdout)["studies"][0]["results"]
    found = ia.ac1(ia.read("mixed.csv")).interval(method=method, seed=3, resamples=200)
    assert result["interval"]["low"] == pytest.approx(found.low)
    assert result["interval"]["method"] == method
    assert method in run(*words).stdout


def test_items_may_be_grouped(run):
    rows = [
        f"{i},{who},{v},d{i // 2}"
        for i, pair in enumerate(["ab", "bb", "aa", "ab", "bb", "aa"])
        for who, v in zip("xy", pair, strict=True)
    ]
    file = write("docs.csv", "item,annotator,label,document", rows)
    (one,) = json.loads(run("measure", file, "-m", "alpha", "--cluster", "document", "--json").stdout)["studies"]
    found = ia.alpha(ia.read(file)).interval(cluster="document")
    assert one["results"][0]["interval"]["low"] == pytest.approx(found.low)


def test_options_of_a_measure_stand_after_a_colon(run):
    file = write("some.csv", "item,annotator,label", scores(["123", "122", "344", "121"]))
    text = run(
        "measure", file, "-m", "icc:form=ICC(3,k)", "-m", "alpha:distance=polar:low=1,high=4", "-m", "van_oest:prior=2"
    ).stdout
    for name in ("ICC(3,k)", "Krippendorff's alpha, polar:low=1,high=4", "van Oest's I², prior 2.0"):
        assert name in text


def test_csv_is_one_tidy_table(run):
    rows = list(csv.DictReader(io.StringIO(run("measure", "mixed.csv", "agree.csv", "--csv").stdout)))
    assert {row["study"] for row in rows} == {"mixed", "agree"}
    assert float(rows[0]["value"]) == pytest.approx(ia.percent(ia.read("mixed.csv")).value)


@pytest.mark.parametrize("by", ["value", "annotator", "pair", "item"])
def test_drill_down_is_a_further_table(by, run):
    text = run("measure", "mixed.csv", "-m", "alpha", "--by", by).stdout
    assert f"Krippendorff's alpha, by {by}" in text
    rows = list(csv.DictReader(io.StringIO(run("measure", "mixed.csv", "-m", "alpha", "--by", by, "--csv").stdout)))
    assert len(rows) == {"value": 2, "annotator": 2, "pair": 1, "item": 10}[by]


def test_long_tables_are_cut_for_people_and_whole_for_programs(run):
    text = run("measure", "differ.csv", "-m", "alpha", "--by", "item", "--top", "3").stdout
    assert "the first 3 of 40" in text
    assert (
        len(
            json.loads(run("measure", "differ.csv", "--by", "item", "--json").stdout)["studies"][0]["tables"][0]["rows"]
        )
        == 40
    )


def test_sets_get_a_table_by_label(run):
    file = write("sets.csv", "item,annotator,label", scores([["a|b", "a"], ["b", "b"], ["c", "a|c"]]))
    text = run("measure", file, "--split", "|").stdout
    assert "Krippendorff's alpha, masi, by value" in text


def test_a_scale_does_not_grade_percent_agreement_and_says_so(run):
    text = " ".join(run("measure", "mixed.csv", "--scale", "landis_koch").stdout.split())
    assert "Percent agreement on the scale" not in text
    assert "Percent agreement is not graded: the scale landis_koch is for coefficients that are 0" in text
    assert "Krippendorff's alpha, nominal on the scale landis_koch" in text


def test_scales_are_named_and_give_probabilities(run):
    text = run("measure", "mixed.csv", "-m", "alpha", "--scale", "landis_koch").stdout
    assert "almost perfect" in text
    assert "probability" in text
    assert "substantial" not in run("measure", "mixed.csv", "-m", "alpha").stdout


def test_few_numbers_are_labels_and_that_is_said(run):
    file = write("some.csv", "item,annotator,label", scores(["123", "122", "344"]))
    assert "pass --ordered, or --distance interval" in " ".join(run("measure", file).stdout.split())
    assert "pass --ordered" not in run("measure", file, "-m", "alpha").stdout


@pytest.mark.parametrize(("study", "code"), [("agree", 0), ("mixed", 0), ("one_value", 0), ("alone", 3)])
def test_nothing_to_compare_is_exit_code_three(study, code, run):
    run("measure", f"{study}.csv", code=code)


def test_what_is_undefined_is_explained(run):
    result = run("measure", "one_value.csv", "-m", "alpha", code=3)
    assert "is undefined: all annotations have the same value" in result.stdout


def test_several_questions_are_several_blocks(run):
    rows = ["1,x,a,1", "1,y,a,2", "2,x,b,1", "2,y,a,1"]
    file = write("two.csv", "item,annotator,mood,topic", rows)
    text = run("measure", file, "--value", "mood", "--value", "topic").stdout
    assert "mood\n----" in text
    assert "topic\n-----" in text
    assert (
        "topic"
        not in run("measure", file, "--value", "mood", "--value", "topic", "-q", "mood").stdout.partition("Policy")[0]
    )


def test_several_files_are_studies_of_their_own_or_one_together(run):
    Path("x.csv").write_text("item,label\n1,a\n2,b\n3,a\n", encoding="utf-8")
    Path("y.csv").write_text("item,label\n1,a\n2,b\n3,b\n", encoding="utf-8")
    found = json.loads(
        run("measure", "x.csv", "y.csv", "--together", "--annotator", "{file}", "-m", "percent", "--json").stdout
    )
    assert found["studies"][0]["results"][0]["value"] == pytest.approx(2 / 3)
    assert len(json.loads(run("measure", "mixed.csv", "agree.csv", "--json").stdout)["studies"]) == 2


def test_notes_on_a_scale_name_options_as_the_command_line_spells_them(run):
    file = write("stars.csv", "item,annotator,label", scores(["123", "122", "344", "555"]))
    text = run("measure", file, "-m", "alpha", "-m", "fleiss_kappa").stdout
    assert "--distance ordinal" in text
    assert "--weights quadratic" in text
    assert "distance='" not in text
