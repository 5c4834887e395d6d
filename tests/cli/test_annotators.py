"""`annotators`."""

import csv
import io
import json
import random
from pathlib import Path

import pytest

import interagree as ia
import interagree.cli
from interagree.people import annotators


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    """Labels by six annotators, one of whom guesses, with times; and right answers."""
    rng = random.Random(1)
    lines, right = ["item,annotator,label,at"], ["item,label"]
    for i in range(240):
        truth = rng.choice("xyz")
        right.append(f"{i},{truth}")
        for place, who in enumerate(rng.sample(["ann", "bo", "cy", "dee", "eve", "guess"], 4)):
            label = rng.choice("xyz") if who == "guess" or rng.random() < 0.2 else truth
            lines.append(f"{i},{who},{label},2026-03-{1 + i // 24:02}T{i % 24:02}:{place:02}:00")
    Path("crowd.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("right.csv").write_text("\n".join(right) + "\n", encoding="utf-8")


def test_the_table_shows_who_to_look_at_and_why(run):
    done = run("annotators", "crowd.csv", "--gold", "right.csv", "--time", "at")
    assert "6 annotators, 1 flagged" in done.stdout
    assert "- guess: agreement 0." in done.stdout
    assert "right gold 0." in done.stdout
    table = done.stdout.partition("on top\n")[2].splitlines()
    assert table[2].startswith("guess")
    assert max(map(len, table)) <= 100
    assert "Further columns in --csv and --json: " in done.stdout


def test_csv_and_json_have_everything(run):
    words = ("annotators", "crowd.csv", "--gold", "right.csv", "--time", "at")
    rows = [*csv.DictReader(io.StringIO(run(*words, "--csv").stdout))]
    data = json.loads(run(*words, "--json").stdout)
    made = annotators(ia.read("crowd.csv"), gold=ia.read("right.csv", annotator="{file}"), time="at").table()
    assert [*rows[0]] == [*data["annotators"][0]] == [*made.columns]
    assert {"gold", "seconds", "repeats", "first half", "label", "left out", "p", "reason"} <= {*rows[0]}
    assert data["command"] == "annotators"
    assert data["flagged"] == 1
    assert [row["annotator"] for row in rows] == [*made["annotator"]]
    assert [float(row["agreement"]) for row in rows] == pytest.approx(made["agreement"])


def test_a_narrow_terminal_gets_fewer_columns(run):
    done = run("annotators", "crowd.csv", env={"FORCE_COLOR": "1", "COLUMNS": "60"})
    assert "kappa" not in done.stdout.partition("Further columns")[0]
    wide = run("annotators", "crowd.csv", env={"FORCE_COLOR": "1", "COLUMNS": "200"})
    assert "kappa" in wide.stdout.partition("Further columns")[0]


def test_top_cuts_the_table_and_files_are_written(run):
    done = run("annotators", "crowd.csv", "--top", 2)
    assert "The first 2 of 6 annotators" in done.stdout
    run("annotators", "crowd.csv", "-o", "people.csv")
    assert len(Path("people.csv").read_text(encoding="utf-8").splitlines()) == 7


def test_what_is_undefined_exits_with_three(run):
    done = run("annotators", "alone.csv", code=3)
    assert "Annotators cannot be compared: no item has two annotators" in done.stdout
    bad = run("annotators", "crowd.csv", "--time", "when", code=2)
    assert "no column 'when' of times" in bad.stderr


def test_columns_are_explained_below_the_table(run):
    text = " ".join(run("annotators", "mixed.csv", env={"COLUMNS": "300"}).stdout.split())
    assert "kappa: agreement with the others beyond chance: 1 all, 0 as chance, below 0 less." in text
    assert "expected: the same for anybody on these items, easy or hard." in text


def test_the_spammer_score_says_which_way_it_goes():
    from interagree.people import annotators
    from interagree.readers import read

    people = annotators(read("mixed.csv"))
    assert "spammer score (1 = good)" in people.document(width=300).sections[-2].table.columns
    assert "spammer score" in people.table().columns
    assert any(line.startswith("spammer score: ") and "1 is good" in line for line in people.legend())
