"""`shuffle`."""

import json
from pathlib import Path

import pytest
from click import unstyle

import interagree as ia
from interagree.studies.shuffle import shuffle


@pytest.fixture(autouse=True)
def reference(folder):
    """A reference."""
    rows = [{"item": f"d{k}", "value": [[k % 7, k % 7 + 3, "AB"[k % 2]], [12, 15 + k % 4, "C"]]} for k in range(30)]
    Path("gold.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    lines = [f"{k},gold,{'aab'[k % 3]}" for k in range(60)]
    Path("labels.csv").write_text("\n".join(["item,annotator,label", *lines]) + "\n", encoding="utf-8")


def test_curves_of_measures(run):
    text = run("shuffle", "labels.csv", "-m", "alpha", "-m", "percent", "--magnitudes", "0,0.5,1").stdout
    made = shuffle(ia.read("labels.csv"), measures=["alpha", "percent"], magnitudes=[0, 0.5, 1])
    assert text.startswith("Under noise: measures\n")
    assert str(made.table()).rpartition("\n")[0] in text
    assert "60 items (labels), 3 simulated annotators, noise: prevalence; mean of 5 repeats, seed 0." in text
    assert text.rstrip().endswith("value from 'label'.")


def test_a_file_without_annotators_is_the_reference(run):
    words = ("shuffle", "gold.jsonl", "--magnitudes", "0,0.3", "--repeats", 2, "--distance", "nominal")
    found = json.loads(run(*words, "--noise", "shift,delete", "--apart", "--json").stdout)
    assert found["command"] == "shuffle"
    assert found["shuffle"]["kind"] == "spans"
    assert [curve["name"] for curve in found["shuffle"]["curves"]] == ["shift", "delete"]
    assert [curve["mean"][0] for curve in found["shuffle"]["curves"]] == [1, 1]


def test_distances_are_listed(run):
    words = ("shuffle", "labels.csv", "--values", "a,b", "--magnitudes", "0,1", "--repeats", 1, "--csv")
    lines = run(*words, "--distance", "nominal,polar:low=0,high=3,linear").stdout.splitlines()
    assert lines[0] == "measure,distance,noise,magnitude,mean,sd,repeats"
    assert {line.split('"')[1] if '"' in line else line.split(",")[1] for line in lines[1:]} == {
        "nominal", "polar:low=0,high=3", "linear",
    }  # fmt: skip


def test_one_corpus_is_written(run):
    done = run("shuffle", "gold.jsonl", "--magnitude", 0.3, "-o", "noisy.jsonl", "--annotators", 4)
    assert done.stderr == "written: noisy.jsonl, 120 annotations by 4 annotators\n"
    assert len(ia.read("noisy.jsonl")["value"].annotators) == 4
    lines = run("shuffle", "labels.csv", "--magnitude", 0).stdout.splitlines()
    assert lines[:2] == ["item,annotator,value", "0,A1,a"]
    assert len(lines) == 181


def test_one_of_several_annotators_is_the_reference(run):
    complaint = run("shuffle", "mixed.csv", code=2).stderr
    assert "a reference has one value for each item, and mixed.csv has several by 'x', 'y'" in complaint
    assert "--reference x" in complaint
    assert "10 items" in run("shuffle", "mixed.csv", "--reference", "y", "--repeats", 1).stdout


def test_what_is_undefined_ends_with_three(run):
    text = run("shuffle", "one_value.csv", "--reference", "x", "--repeats", 1, code=3).stdout
    assert "all annotations have the same value" in text


def test_the_curves_are_drawn(run, need):
    need("matplotlib")
    run("shuffle", "labels.csv", "--magnitudes", "0,1", "--repeats", 1, "--plot", "curves.png")
    assert Path("curves.png").read_bytes().startswith(b"\x89PNG")


def test_the_terminal_shows_the_curve(run):
    text = run("shuffle", "labels.csv", "--repeats", 2, env={"FORCE_COLOR": "1", "COLUMNS": "80"}).stdout
    assert "█▇" in text
    assert max(map(len, unstyle(text).splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--magnitudes", "0,2"), "a magnitude lies between 0"),
        (("--magnitudes", "few"), "expected numbers"),
        (("--noise", "shift"), "no noise of labels is called 'shift'"),
        (("--annotators", 1), "1 is not in the range"),
        (("--magnitude", 0.3, "--json"), "--magnitude writes one corpus"),
        (("-m", "alfa"), "no measure is called 'alfa'"),
        (("--reference", "eve"), "there is no annotator 'eve'"),
    ],
)
def test_wrong_use_ends_with_two(run, words, complaint):
    assert complaint in run("shuffle", "labels.csv", *words, code=2).stderr
