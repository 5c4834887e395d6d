"""`consensus` with the methods of a crowd."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.crowd.usual import METHODS

LABELS = ("majority-vote", "weighted-vote", "dawid-skene", "one-coin", "mace", "glad")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch, crowd):
    """A crowd with its gold answers, and some numbers."""
    rows, truth = crowd(1)
    monkeypatch.chdir(tmp_path)
    lines = ["item,annotator,label", *map(",".join, rows)]
    Path("labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    right = ["item,label", *(f"{item},{label}" for item, label in truth.items())]
    Path("gold.csv").write_text("\n".join(right) + "\n", encoding="utf-8")
    numbers = [
        {"item": str(i), "annotator": a, "value": i + x}
        for i in range(20)
        for a, x in (("ann", 1.5), ("bo", 0.0), ("cy", i % 3 / 7))
    ]
    Path("numbers.jsonl").write_text("\n".join(map(json.dumps, numbers)) + "\n", encoding="utf-8")


def run(*words, code=0):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


@pytest.mark.parametrize("method", LABELS)
def test_every_method_gives_what_the_library_gives(method):
    found = json.loads(run("consensus", "labels.csv", "--method", method, "--gold", "gold.csv", "--json").stdout)
    made = METHODS[method.replace("-", "_")](ia.read("labels.csv").single())
    assert {row["item"]: row["value"] for row in found["items"]} == made.values
    assert found["score"]["accuracy"] == made.score(ia.read("gold.csv", annotator="{file}").single()).value
    assert found["notes"] == [*made.notes]
    assert found["distance"] is None
    if made.rounds:
        assert found["log_likelihood"] == pytest.approx(made.log_likelihood)


def test_a_crowd_is_shown_and_written():
    done = run("consensus", "labels.csv", "--method", "dawid_skene", "--gold", "gold.csv", "-o", "out.csv")
    text = " ".join(done.stdout.split())
    assert "accuracy against gold = " in text
    assert "Annotators, the best first" in text
    assert "spammer score" in text
    assert len(ia.read("out.csv", value="value").single()) == 60
    short = run("consensus", "labels.csv", "--method", "mace", "--restarts", 2, "--seed", 1, "--top", 3).stdout
    assert "The last 3 of 8 annotators, the worst first" in short


def test_numbers_are_freed_of_biases():
    found = json.loads(run("consensus", "numbers.jsonl", "--method", "debiased-mean", "--json").stdout)
    made = ia.crowd.debiased_mean(ia.read("numbers.jsonl").single())
    assert {row["item"]: row["value"] for row in found["items"]} == pytest.approx(made.values)
    assert found["annotators"][0]["deviation"] >= 0
    mean = json.loads(run("consensus", "numbers.jsonl", "--method", "mean", "--json").stdout)
    assert {row["item"]: row["value"] for row in mean["items"]} == pytest.approx(
        ia.crowd.merge(ia.read("numbers.jsonl"), how="mean").values
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--method", "majority-vote", "--smoothing", 1), "--smoothing means nothing to --method majority-vote"),
        (("--method", "mace", "--distance", "nominal"), "--distance means nothing to --method mace"),
        (("--method", "medoid", "--ties", "none"), "--ties means nothing to --method medoid"),
        (("--method", "debiased-mean"), "debiased_mean takes numbers, and these are labels"),
    ],
)
def test_wrong_use_ends_with_two(words, complaint):
    assert complaint in " ".join(run("consensus", "labels.csv", *words, code=2).stderr.split())
