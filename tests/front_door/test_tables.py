"""Tables as people keep them: what was wrong once, and that doctor and measure take one reading."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import DataError, DoubtfulReading, InteragreeError
from interagree.studies.doctor import doctor

LABELS = ("pos", "neg", "neu")


def sheet(rows: int = 40, seed: int = 0) -> pd.DataFrame:
    """A wide sheet: ids, texts, three raters who mostly agree, and a few comments."""
    rng = random.Random(seed)
    truth = [rng.choice(LABELS) for _ in range(rows)]
    raters = {f"rater{k}": [one if rng.random() < 0.8 else rng.choice(LABELS) for one in truth] for k in (1, 2, 3)}
    return pd.DataFrame(
        {
            "ID": [f"d{n}" for n in range(rows)],
            "Text": [f"what was said in sentence {n} of the file" for n in range(rows)],
            **raters,
            "Comment": ["unclear" if n % 9 == 0 else None for n in range(rows)],
        }
    )


RATERS = ("rater1", "rater2", "rater3")
RIGHT = ia.alpha(sheet()[list(RATERS)].to_dict("list")).value


def both_doors(frame: pd.DataFrame, path: Path) -> list[ia.Annotations]:
    frame.to_csv(path, index=False)
    return [ia.Annotations.of(frame), ia.read(path).single()]


def test_a_sheet_with_texts_and_comments_has_three_annotators(tmp_path):
    for study in both_doors(sheet(), tmp_path / "sheet.csv"):
        assert study.annotators == RATERS
        assert ia.alpha(study).value == pytest.approx(RIGHT)
        told = str(ia.alpha(study))
        assert "'Text'" in told
        assert "'Comment'" in told


BESIDE = {
    "gold": lambda n: LABELS[n % 3],
    "split": lambda n: "train" if n % 4 else "test",
    "url": lambda n: f"https://example.org/{n % 30}",
    "nr": lambda n: n + 1,
    "uid": lambda n: f"{n * 7919:08x}",
    "key": lambda n: f"k{n}",
    "Unnamed: 0": lambda n: n,
    "case": lambda n: f"case {n // 2}",
    "majority": lambda n: LABELS[n % 3],
    "timestamp": lambda n: f"2024-03-{n % 28 + 1:02d} 10:00:00",
    "seconds": lambda n: 3 + n % 50,
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_column_beside_the_answers_is_set_aside_and_said(name, tmp_path):
    frame = sheet()
    frame[name] = [BESIDE[name](n) for n in range(len(frame))]
    for study in both_doors(frame, tmp_path / "sheet.csv"):
        assert study.annotators == RATERS
        assert ia.alpha(study).value == pytest.approx(RIGHT)
        assert repr(name) in study.provenance.policy()


def test_doubt_shows_the_readings_and_each_call_runs(tmp_path):
    rng = random.Random(1)
    rows = [{"id": n, "label1": rng.choice("ab"), "label2": rng.choice("ab")} for n in range(30)]
    path = tmp_path / "labels.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(path)
    assert caught.value.readings
    for reading in caught.value.readings:
        assert eval(reading.call(str(path)), {"interagree": ia})
    done = CliRunner().invoke(main, ["measure", str(path)])
    assert done.exit_code == 2
    commands = [line.strip() for line in done.stderr.splitlines() if line.strip().startswith("interagree ")]
    assert commands
    for command in commands:
        assert CliRunner().invoke(main, shlex.split(command)[1:]).exit_code == 0, command


def test_the_columns_of_several_questions_are_told_apart(tmp_path):
    rng = random.Random(2)
    truth = [(rng.choice("xyz"), rng.choice("12345")) for _ in range(40)]
    table = pd.DataFrame({"id": [f"i{n}" for n in range(40)]})
    for who in ("anna", "ben"):
        table[f"topic_{who}"] = [t if rng.random() < 0.9 else "x" for t, _ in truth]
        table[f"stars_{who}"] = [s if rng.random() < 0.9 else "3" for _, s in truth]
    path = tmp_path / "grid.csv"
    table.to_csv(path, index=False)
    study = ia.read(path)
    assert set(study) == {"topic", "stars"}
    assert study["topic"].annotators == ("anna", "ben")
    stated = ia.read(path, columns="{question}_{annotator}", annotator=["anna", "ben"])
    assert {name: sorted(study[name].rows()) for name in study} == {
        name: sorted(stated[name].rows()) for name in stated
    }
    assert study.reading == {"item": "id", "columns": "{question}_{annotator}", "annotator": ["anna", "ben"]}
    with pytest.raises(DataError, match="asks 2 questions"):
        ia.alpha(table)
    assert ia.alpha(table, value="topic").value == pytest.approx(ia.alpha(study["topic"]).value)


def test_two_columns_may_name_the_item_together(tmp_path):
    rows = [
        {"book": b, "page": p, "coder": who, "code": "ab"[(b + p + (who == "y" and p == 2)) % 2]}
        for b in range(4)
        for p in range(5)
        for who in ("x", "y")
    ]
    frame = pd.DataFrame(rows)
    for study in both_doors(frame, tmp_path / "books.csv"):
        assert (len(study.items), len(study.annotators)) == (20, 2)
        assert set(study.attributes) == {"book", "page"}
    assert len(ia.Annotations.of(frame, item=["book", "page"], annotator="coder", value="code").items) == 20


def test_one_file_for_each_annotator_needs_no_option(tmp_path):
    frame = sheet()
    for who in RATERS:
        frame.rename(columns={who: "label"})[["ID", "Text", "label"]].to_csv(
            tmp_path / f"labels_{who}.csv", index=False
        )
    study = ia.read(tmp_path).single()
    assert ia.alpha(study).value == pytest.approx(RIGHT)
    assert set(study.annotators) == set(RATERS)


# -- doctor and measure ---------------------------------------------------------------------------------------------


def same_reading(path: Path) -> None:
    """What doctor recommends first runs, and takes the reading that doctor has shown; or both refuse."""
    try:
        found = doctor(str(path))
    except InteragreeError:
        found = None
    if found is None:
        done = CliRunner().invoke(main, ["measure", str(path), "-m", "percent", "--json"])
        assert done.exit_code == 2, (path.name, done.output)
        return
    command = found.data["next"][0]
    if not command.startswith("interagree "):
        return
    words = shlex.split(command)[1:]
    done = CliRunner().invoke(main, [*words, "-m", "percent", "--json"])
    assert done.exit_code in (0, 2, 3), (path.name, command, done.output)
    if done.exit_code == 2:
        assert "percent" in done.output, (path.name, command, done.output)
        return
    taken = {study["question"]: study["n"] for study in json.loads(done.stdout)["studies"]}
    for name, shown in found.data["questions"].items():
        for part in ("items", "annotators", "annotations"):
            assert taken[name][part] == shown[part], (path.name, name, part)


def test_doctor_recommends_what_measure_reads(tmp_path):
    frame = sheet()
    frame.to_csv(tmp_path / "sheet.csv", index=False)
    frame[list(RATERS)].to_csv(tmp_path / "plain.csv", index=False)
    frame.melt(["ID", "Text"], list(RATERS), "rater", "label").to_csv(tmp_path / "long.csv", index=False)
    frame.to_json(tmp_path / "records.json", orient="records")
    for path in sorted(tmp_path.iterdir()):
        same_reading(path)


def test_doctor_and_measure_agree_on_every_real_table(shared):
    files = [path for path in sorted((shared / "data" / "tables" / "files").iterdir()) if path.is_file()]
    assert len(files) > 50
    for path in files:
        same_reading(path)


def test_no_real_table_is_read_wrongly_in_silence(shared):
    """The tables with a known truth: the share that is read, and none whose annotators are not among the expected."""
    folder = shared / "data" / "tables"
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    wrong = []
    for one in truth:
        expected = json.loads((folder / "expected" / f"{one['name']}.json").read_text(encoding="utf-8"))
        try:
            study = ia.read(folder / "files" / one["name"])
        except InteragreeError:
            continue
        if one["must_refuse"] and not expected["questions"]:
            wrong.append(one["name"])
            continue
        sizes = sorted(len(rows) for rows in expected["questions"].values())
        may = [len(rows) for rows in expected.get("may", {}).values()]
        if not may and any(len(question) not in sizes for question in study.values()):
            wrong.append(one["name"])
    assert not wrong
