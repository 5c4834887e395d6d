"""`report`, `compare`, `list`, `convert`, `explain` and `demo`."""

import json
import math
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from random_studies import values_for

import interagree as ia
from interagree.cli.show import program
from interagree.plugins import DISTANCES, KINDS, MEASURES, READERS
from interagree.tables import cell


def test_a_report_tells_the_whole_story(run):
    text = run("report", "mixed.csv", "--full").stdout
    titles = ("Coefficients", "By value", "By annotator", "Most disputed items", "What was read", "How to cite")
    places = [text.index(f"\n{title}") for title in titles]
    assert places == sorted(places)
    assert "value from 'label'." in text


def test_several_files_make_one_row_each(run):
    text = run("report", "mixed.csv", "agree.csv", "-m", "alpha", "-m", "percent").stdout
    assert re.search(r"^mixed +10 +0\.\d+ \[", text, re.MULTILINE)
    assert re.search(r"^agree +5 +1\.000 \[", text, re.MULTILINE)


def test_a_report_can_hide_names_and_texts(run):
    rows = ["1,bob,a,secret words", "1,eve,b,secret words", "2,bob,a,x", "2,eve,a,x"]
    Path("t.csv").write_text("\n".join(["item,annotator,label,text", *rows]) + "\n", encoding="utf-8")
    assert "secret words" in run("report", "t.csv").stdout
    hidden = run("report", "t.csv", "--no-text", "--pseudonyms").stdout
    assert "secret words" not in hidden
    assert "bob" not in hidden
    assert "A1" in hidden


def test_bibtex_of_what_was_used(run):
    assert run("report", "mixed.csv", "-m", "alpha", "--bibtex").stdout.startswith("@book{krippendorff2004")


def test_a_picture_of_the_coefficients(run, need):
    need("matplotlib")
    run("report", "mixed.csv", "--plot", "forest.png")
    assert Path("forest.png").read_bytes().startswith(b"\x89PNG")


def test_two_files_are_compared_by_the_same_coefficient(run):
    (found,) = json.loads(run("compare", "mixed.csv", "agree.csv", "--json").stdout)["differences"]
    expected = ia.compare(ia.read("mixed.csv"), ia.read("agree.csv"), measure="alpha")
    assert found["difference"] == pytest.approx(expected.value)
    assert found["low"] == pytest.approx(expected.low)


def test_two_coefficients_of_one_file_are_paired(run):
    for words in (["-m", "alpha", "-m", "ac1"], ["--measures", "alpha", "ac1"]):
        (found,) = json.loads(run("compare", "mixed.csv", *words, "--json").stdout)["differences"]
        assert found["shared_items"] == 10


@pytest.mark.parametrize("column", ["language", "team"])
def test_groups_of_items_or_of_annotators(column, run):
    rows = [
        f"{i},{who},{value},{'en' if i < 5 else 'de'},{'old' if who in 'xy' else 'new'}"
        for i, values in enumerate(["aaab", "abbb", "aaaa", "bbaa", "bbbb"] * 2)
        for who, value in zip("xyzw", values, strict=True)
    ]
    Path("g.csv").write_text("\n".join(["item,annotator,label,language,team", *rows]) + "\n", encoding="utf-8")
    (found,) = json.loads(run("compare", "g.csv", "--groups", column, "--json").stdout)["differences"]
    assert found["sides"] == {"language": "en → de", "team": "old → new"}[column]
    assert found["shared_items"] == {"language": 0, "team": 10}[column]


def test_a_column_that_groups_neither_is_refused(run):
    rows = [f"{i},{who},a,{(i + k) % 2}" for i in range(4) for k, who in enumerate("xy")]
    Path("g.csv").write_text("\n".join(["item,annotator,label,order", *rows]) + "\n", encoding="utf-8")
    assert "groups of neither" in run("compare", "g.csv", "--groups", "order", code=2).stderr


def test_a_difference_that_is_undefined_is_exit_code_three(run):
    assert "all annotations have the same value" in run("compare", "mixed.csv", "one_value.csv", code=3).stdout


def test_everything_in_the_registries_is_listed(run):
    found = json.loads(run("list", "--json").stdout)
    assert [row["name"] for row in found["measures"]] == list(MEASURES)
    assert [row["name"] for row in found["distances"]] == list(DISTANCES)
    assert [row["name"] for row in found["readers"]] == list(READERS)
    assert "landis_koch" in [row["name"] for row in found["scales"]]
    assert run("list", "weights").stdout.startswith("Weights")


@pytest.mark.parametrize("target", ["out.jsonl", "out.json", "out.tsv", "out.csv.gz"])
def test_a_converted_file_is_the_same_study(target, run):
    assert "20 annotations" in run("convert", "mixed.csv", target).stderr
    assert ia.alpha(ia.read(target)).value == pytest.approx(ia.alpha(ia.read("mixed.csv")).value)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_explained(name, run):
    text = run("explain", name).stdout
    assert MEASURES[name].facts.title in text.splitlines()[0]
    assert "Assumptions" in text
    assert "Beware" in text
    assert "$" not in text
    assert "\\" not in text


NUMBERS = [f"{i},{who},{(i * 3 + k * (i % 2)) % 5 + 1}" for i in range(12) for k, who in enumerate("xy")]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_worked_out_on_a_file(name, run):
    file = "n.csv"
    Path(file).write_text("\n".join(["item,annotator,label", *NUMBERS]) + "\n", encoding="utf-8")
    kind = {}
    if MEASURES[name].facts.values in KINDS:
        file, kind = "n.jsonl", {"kind": MEASURES[name].facts.values}
        values = values_for(name)
        ia.write([(i, who, values[(i + k * (i % 2)) % 4]) for i in range(4) for k, who in enumerate("ab")], file)
    text = run("explain", name, file, *(word for pair in kind.items() for word in (f"--{pair[0]}", pair[1]))).stdout
    result = MEASURES[name](ia.read(file, **kind))
    assert f"{result.value:.4f}" in text or re.search(rf"= {result.value:.0f}\b", text)
    assert "The coefficient" in text
    for part in result.disagreement[:2]:
        if part is not None and math.isfinite(part) and name not in {"icc", "kendall_w", "lin_ccc"}:
            assert f"{part:.4f}" in text


def test_a_lecture_is_followed_to_the_fraction(run):
    """Krippendorff's alpha of four items: D_o 1/3, D_e 6/11, alpha 7/18, as a lecture works it out."""
    rows = [
        f"{i},{who},{v}"
        for i, values in enumerate(["AAA", "AAB", "BBB", "ABB"])
        for who, v in zip("xyz", values, strict=True)
    ]
    Path("deck.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    text = run("explain", "alpha", "deck.csv").stdout
    for number in ("1/3 (0.3333)", "6/11 (0.5455)", "7/18 (0.3889)", "The table of coincidences"):
        assert number in text


def test_undefined_is_explained_too(run):
    assert "all annotations have the same value" in run("explain", "alpha", "one_value.csv", code=3).stdout
    run("report", "alone.csv", code=3)


def test_a_word_of_a_name_suggests_all_names_with_it(run):
    said = run("explain", "boundary", code=2).stderr
    assert "'boundary_kappa'" in said
    assert "'boundary_pi'" in said
    assert ";" not in said


def test_together_needs_a_column_of_values_in_common(run):
    Path("one.csv").write_text("item,annotator,label\n1,x,a\n2,x,b\n", encoding="utf-8")
    Path("two.csv").write_text("item,annotator,rating\n1,y,a\n2,y,b\n", encoding="utf-8")
    said = run("measure", "one.csv", "two.csv", "--together", code=2).stderr
    assert "no column of values in common (one.csv: 'label'; two.csv: 'rating')" in said


def test_the_demo_finds_the_annotator_who_guesses(run):
    result = run("demo", "-o", "out")
    assert "a5 guesses" in result.stdout
    assert "What to try next" in result.stderr
    for name in ("report.md", "report.tex", "report.json", "report.csv", "reviews.csv"):
        assert (Path("out") / name).stat().st_size > 100
    assert json.loads(Path("out/report.json").read_text(encoding="utf-8"))["schema"] == 1


def test_what_the_demo_proposes_works(run):
    import shlex

    lines = [line.strip() for line in run("demo", "-o", "out").stderr.splitlines() if line.startswith("  interagree")]
    for line in lines[:-1]:
        words = shlex.split(line)[1:]
        run(*words, code=1 if words[0] == "check" else 0)


def test_the_example_is_what_its_recipe_gives():
    folder = files("interagree") / "examples"
    made = subprocess.run(
        [sys.executable, "-X", "utf8", str(folder / "make_reviews.py")],
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    ).stdout
    assert made == (folder / "reviews.csv").read_text(encoding="utf-8")


def test_rows_that_are_only_numbered_alike_are_not_paired(run, tmp_path):
    for name, second in (("one.csv", "aabab"), ("two.csv", "abbab")):
        rows = "\n".join(f"{a},{b}" for a, b in zip("aabba", second, strict=True))
        (tmp_path / name).write_text(f"ann,bo\n{rows}\n", encoding="utf-8")
    files = [str(tmp_path / "one.csv"), str(tmp_path / "two.csv")]
    paired, apart = (json.loads(run("compare", *files, "--json", *more).stdout) for more in ((), ("--unpaired",)))
    assert paired["differences"][0]["shared_items"] == 5
    assert apart["differences"][0]["shared_items"] == 0


def test_advice_calls_the_program_as_it_can_be_called(monkeypatch, folder):
    monkeypatch.setattr("sys.argv", [".venv/bin/interagree", "demo"])
    monkeypatch.setenv("PATH", str(folder))
    assert program() == ".venv/bin/interagree"
    monkeypatch.setattr("sys.argv", [str(folder / "bin/interagree"), "demo"])
    assert program() == "bin/interagree"


def test_a_narrow_terminal_breaks_no_name(run):
    for width in range(40, 110, 5):
        shown = run("measure", "mixed.csv", env={"FORCE_COLOR": "1", "COLUMNS": str(width)}).stdout
        assert "Krippendorff's" in shown
        assert "agreement" in shown


def test_the_foot_speaks_of_chance_only_where_it_plays_a_part(run):
    assert "1 - observed / expected" not in run("measure", "mixed.csv", "-m", "percent").stdout
    assert "1 - observed / expected" in run("measure", "mixed.csv", "-m", "alpha").stdout
    assert cell(-0.0001) == "0.000"


def test_convert_words_its_advice_as_options(run):
    Path("units.csv").write_text("document,annotator,start,end,category\nd1,a,0,5,x\nd1,b,0,6,x\nd2,a,0,3,x\n")
    told = run("convert", "units.csv", "out.jsonl", "--format", "units").stderr
    assert "--looked all takes the opposite" in told
    assert "looked='all'" not in told
