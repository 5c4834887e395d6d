"""`judge`."""

import json
import random
from pathlib import Path

import pytest

from interagree.judging import judge
from interagree.readers import read


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    """Labels by three people and a model, and preferences judged in both orders."""
    rng = random.Random(0)
    lines = ["item,annotator,label,team"]
    for i in range(40):
        truth = rng.choice("ab")
        for who in ("ann", "bo", "cy", "gpt", "7"):
            value = truth if rng.random() < (0.95 if who == "gpt" else 0.8) else rng.choice("ab")
            lines.append(f"{i},{who},{value},{'north' if who in ('ann', 'bo') else 'south'}")
    Path("labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = ["item,annotator,better,first"]
    lines += [f"{i},gpt,{first},{first}" for i in range(12) for first in "AB"]
    lines += [f"{i},{who},{rng.choice(['A', 'B', 'tie'])},A" for i in range(12) for who in ("ann", "bo")]
    Path("preferred.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_the_verdict_comes_first(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--epsilon", "0.1")
    found = judge(read("labels.csv", value="label").single(), models="gpt", epsilon=0.1)
    text = " ".join(done.stdout.split())
    assert f"{found.verdict[0]}." in text
    for title in ("Agreement", "gpt in the place of each person", "Noise ceiling", "Every two annotators"):
        assert title in done.stdout
    assert "Policy: " in done.stdout


def test_json_holds_everything(run):
    done = run(
        "judge", "labels.csv", "--model", "gpt", "--model", "7", "--value", "label", "--groups", "team", "--json"
    )
    found = json.loads(done.stdout)
    study = read("labels.csv", value="label").single()
    names = ["gpt", next(name for name in study.annotators if str(name) == "7")]
    expected = judge(study, models=names)
    assert found["command"] == "judge"
    assert found["verdict"] == list(expected.verdict)
    assert [one["winning_rate"] for one in found["alternative_annotator_test"]] == [
        one.winning_rate for one in expected.tests.values()
    ]
    assert len(found["pairs"]) == 10
    assert found["groups_of_annotators"]["deals"] == 10


def test_csv_is_the_table_of_groups(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--csv")
    head, *rows = done.stdout.splitlines()
    assert head.startswith("agreement of,annotators,items,agreement,low,high,coefficient")
    assert [row.partition(",")[0] for row in rows] == ["human-human", "human-gpt"]


def test_preferences_are_tested_for_position(run):
    done = run("judge", "preferred.csv", "--model", "gpt", "--value", "better", "--order", "first", "--ties", "label")
    assert "gpt: leans to the answer shown first (100% for the first, p < 0.001)" in " ".join(done.stdout.split())
    assert "a tie is an answer of its own." in done.stdout
    assert "Self-consistency" in done.stdout
    assert "Preferences beside those of people" in done.stdout


def test_ties_may_be_left_out(run):
    words = ("judge", "preferred.csv", "--model", "gpt", "--value", "better", "--order", "first")
    done = run(*words, "--ties", "left-out", "--json")
    assert json.loads(done.stdout)["preferences"]["ties"] == "left out"


def test_pairs_may_be_left_out(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--no-pairs")
    assert "Every two annotators" not in done.stdout


def test_what_cannot_be_said_ends_with_3(run):
    done = run("judge", "agree.csv", "--model", "x", code=3)
    assert "cannot be decided: there is one person, 'y'" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "gtp"), "there is no annotator 'gtp' to take as a model; there are"),
        (("--model", "gpt", "--human", "eve"), "there is no annotator 'eve' to take as a person"),
        (("--model", "gpt", "--order", "shown"), "no column 'shown' that says which answer was shown first"),
        ((), "which annotators are models? There are"),
    ],
)
def test_wrong_use_says_what_to_do(run, words, said):
    done = run("judge", "labels.csv", "--value", "label", *words, code=2)
    assert said in " ".join(done.stderr.split())


def test_several_questions_are_to_be_chosen_from(run):
    done = run("judge", "labels.csv", "--model", "gpt", "--value", "label", "--value", "team", code=2)
    assert "choose one with --question" in " ".join(done.stderr.split())


WIDE = "prompt_id,prompt,response,human_1,human_2,human_3,gpt-4,claude\n" + "".join(
    f"{i},say {i},{i * 3},{'ab'[i % 2]},{'ab'[i % 3 == 0]},{'ab'[i % 2]},{'ab'[i % 2]},{'ab'[i % 5 == 0]}\n"
    for i in range(12)
)


@pytest.fixture
def wide(files):
    """People and models as columns beside a prompt and a response; and the same as one file for each side."""
    Path("sheet.csv").write_text(WIDE, encoding="utf-8")
    cells = [line.split(",") for line in WIDE.splitlines()]
    for name, columns in {"people": [0, 1, 3, 4, 5], "gpt4": [0, 6]}.items():
        lines = [",".join(line[place] for place in columns) for line in cells]
        Path(f"{name}.csv").write_text("\n".join(lines).replace("gpt-4", "label") + "\n", encoding="utf-8")


def test_columns_are_chosen_by_pattern(run, wide):
    done = run("judge", "sheet.csv", "--human", "human_*", "--model", "gpt*", "--model", "claude", "--json")
    found = json.loads(done.stdout)
    assert found["humans"] == ["human_1", "human_2", "human_3"]
    assert found["models"] == ["gpt-4", "claude"]
    assert [row["model"] for row in found["models_table"]] == ["gpt-4", "claude"]
    assert "columns set aside: " in found["policy"]
    assert "'prompt', 'response'" in found["policy"]
    assert (
        "κx: agreement across two groups beyond chance"
        in run("judge", "sheet.csv", "--human", "human_*", "--model", "gpt*", "--model", "claude").stdout
    )


def test_files_are_joined_by_item(run, wide):
    both = run("judge", "people.csv", "gpt4.csv", "--item", "prompt_id", "--human", "human_*", "--model", "gpt4")
    said = " ".join(both.stdout.split())
    assert "gpt4 cannot be shown to" in said
    assert "2 sources joined by item, 12 items in all of them" in said
    whole = json.loads(run("judge", "sheet.csv", "--human", "human_*", "--model", "gpt-4", "--json").stdout)
    parts = json.loads(
        run(
            *("judge", "people.csv", "gpt4.csv", "--item", "prompt_id", "--human", "human_*", "--model", "gpt4"),
            "--json",
        ).stdout
    )
    assert [row["value"] for row in parts["groups"]] == [row["value"] for row in whole["groups"]]


def test_files_without_items_are_not_joined_by_chance(run, wide):
    words = ("judge", "people.csv", "gpt4.csv", "--human", "human_*", "--model", "gpt4")
    done = " ".join(run(*words, code=2).stderr.split())
    assert "not say which item each row is, so the files cannot be joined" in done
    assert "--item prompt_id, or --item '{row}'" in done
    assert "12 items in all" in " ".join(run(*words, "--item", "{row}").stdout.split())


def test_which_are_models_is_asked_in_options(run):
    done = run("judge", "labels.csv", "--value", "label", code=2)
    assert "'gpt' looks like a model by name: pass --model gpt" in " ".join(done.stderr.split())
    done = run("judge", "labels.csv", "--value", "label", "--model", "7", code=2)
    said = " ".join(done.stderr.split())
    assert (
        "name all models, as in --model 7 --model gpt, or the people, as in --human ann --human bo --human cy" in said
    )


def test_distances_are_shares_of_chance_or_raw(run):
    rng = random.Random(3)
    lines = [f"{i},{who},{50 * (i % 3) + rng.random():.2f}" for i in range(9) for who in ("ann", "bo", "gpt")]
    Path("numbers.csv").write_text("\n".join(["item,annotator,value", *lines]) + "\n", encoding="utf-8")
    found = json.loads(run("judge", "numbers.csv", "--model", "gpt", "--json").stdout)
    raw = json.loads(run("judge", "numbers.csv", "--model", "gpt", "--raw", "--json").stdout)
    assert found["groups"][0]["distance"] * found["distance_unit"] == pytest.approx(raw["groups"][0]["distance"])
    assert "1 as far apart as chance" in " ".join(run("judge", "numbers.csv", "--model", "gpt").stdout.split())


def test_models_are_taken_beside_stated_columns_of_people(run, wide):
    words = ("judge", "sheet.csv", "--annotator", "human_1", "--annotator", "human_2", "--model", "gpt-4", "--json")
    found = json.loads(run(*words).stdout)
    assert (found["humans"], found["models"]) == (["human_1", "human_2"], ["gpt-4"])


def test_formats_that_name_annotators_themselves_take_patterns(run):
    def annotation(number, who, label):
        chosen = {"from_name": "urgent", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
        return {"id": number, "completed_by": {"id": number % 3, "email": who}, "result": [chosen]}

    tasks = [
        {
            "id": i,
            "data": {"text": f"text {i}"},
            "annotations": [
                annotation(3 * i + k, who, "ab"[i % 2]) for k, who in enumerate(("ann@x.org", "bo@x.org", "gpt@x.org"))
            ],
        }
        for i in range(4)
    ]
    Path("tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    words = ("judge", "tasks.json", "--human", "ann*", "--human", "bo*", "--model", "gpt*", "--json")
    assert json.loads(run(*words).stdout)["humans"] == ["ann@x.org", "bo@x.org"]


def test_the_test_as_published_is_asked_for_by_name(run):
    words = ("judge", "labels.csv", "--model", "gpt", "--value", "label", "--json")
    exact, published = (
        {row["test"] for row in json.loads(run(*words, *more).stdout)["alternative_annotator_test"][0]["people"]}
        for more in ((), ("--compat", "calderon2025"))
    )
    assert exact == {"exact"}
    assert published == {"t"}
