"""Names of the same things in several sources meet by what they mean, and what meets nothing is said first."""

import json
import random

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.data.meeting import Known
from interagree.errors import DataError

WAYS = {
    "numbers": lambda n: n,
    "text": str,
    "padded": lambda n: f"{n:03d}",
    "reals": lambda n: f"{n}.0",
    "blanks": lambda n: f" {n}\u00a0",
}


@pytest.mark.parametrize("ours", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("theirs", WAYS.values(), ids=WAYS)
def test_a_number_is_one_name_however_it_is_written(ours, theirs):
    names = [ours(n) for n in range(1, 30)]
    assert Known(names).called([theirs(n) for n in range(5, 40)]) == [*names[4:], *[None] * 10]


def test_letters_meet_in_any_unicode_form_and_parts_of_names_too():
    assert Known(["café 1"]).called(["cafe\u0301  1", "Café 1"]) == ["café 1", None]
    assert Known([("a", 7)]).called([("a", "07")]) == [("a", 7)]


def test_what_one_source_tells_apart_is_not_taken_as_one():
    assert Known(["7", "007"]).called([7]) == ["7"]  # the digits alone are nearer than the padding
    assert Known(["07", "007"]).called(["7"]) == [None]
    assert Known([7]).called(["007", "7"]) == [None, 7]
    assert Known([True]).called([1]) == [None]


def test_files_of_one_study_are_joined_and_it_is_said(tmp_path):
    for who, names in (("ann", ["001", "002", "003"]), ("bo", ["1", "2", "3"])):
        lines = "".join(f"{name},{who},{'yn'[int(name) % 2]}\n" for name in names)
        (tmp_path / f"{who}.csv").write_text(f"item,annotator,label\n{lines}")
    study = ia.read([tmp_path / "ann.csv", tmp_path / "bo.csv"])
    assert ia.alpha(study).value == 1
    assert "3 items spelled in two ways taken as one: '001', '1'" in study.policy()


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A study with padded items, and gold standards that call them otherwise."""
    rng = random.Random(1)
    truth = {n: rng.choice("yn") for n in range(500, 560)}
    rows = [(f"{n:06d}", who, answer) for n, answer in truth.items() for who in ("ann", "bo", "cy")]
    labels = "".join(f"{item},{who},{answer if rng.random() < 0.8 else 'y'}\n" for item, who, answer in rows)
    tables = {
        "labels.csv": f"item,annotator,label\n{labels}",
        "plain.csv": "item,label\n" + "".join(f"{n},{answer}\n" for n, answer in truth.items()),
        "ids.csv": "id,doc_id,gold\n" + "".join(f"x{n},{n},{answer}\n" for n, answer in truth.items()),
        "odd.csv": "doc,what\n" + "".join(f"{n},{answer}\n" for n, answer in truth.items()),
        "other.csv": "item,doc_id,label\n" + "".join(f"x{n},{n},{answer}\n" for n, answer in truth.items()),
        "strange.csv": "item,label\na,y\nb,n\n",
        "rows.csv": "label\n" + "y\n" * 30 + "n\n" * 30,
    }
    for name, text in tables.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return truth


def run(line):
    return CliRunner().invoke(main, line.split())


@pytest.mark.parametrize("gold", ["plain.csv", "odd.csv"])
def test_gold_meets_padded_items_and_is_found_by_its_cells(files, gold):
    result = run(f"consensus labels.csv --gold {gold} --json")
    assert json.loads(result.output)["score"]["items"] == 60, result.output


@pytest.mark.parametrize("to", ["c.csv", "c.xlsx", "c.json", "c.jsonl --to prodigy", "tasks.json --to label_studio"])
def test_a_consensus_that_was_written_is_gold_to_the_next_command(files, to):
    assert run(f"consensus labels.csv -o {to}").exit_code == 0
    result = run(f"annotators labels.csv --gold {to.split()[0]} --json")
    assert all(row["gold n"] == 60 for row in json.loads(result.output)["annotators"]), result.output


@pytest.mark.parametrize("command", ["consensus", "annotators"])
@pytest.mark.parametrize("gold", ["other.csv", "ids.csv"])
def test_gold_that_meets_nothing_is_an_error_with_the_column_that_would(files, command, gold):
    result = run(f"{command} labels.csv --gold {gold}")
    assert result.exit_code == 2
    assert f"0 of 60 items of {gold} are in the study" in result.output
    assert f"the column 'doc_id' of {gold} matches 60: --item doc_id" in result.output
    assert run(f"{command} labels.csv --gold {gold} --item doc_id").exit_code == 0
    assert "0 of 2 items of strange.csv" in run(f"{command} labels.csv --gold strange.csv").output
    assert run(f"{command} labels.csv --gold rows.csv").exit_code == 2  # rows are not items


def test_gold_may_be_an_annotator(files):
    result = run("annotators labels.csv --gold cy --json")
    assert {row["annotator"] for row in json.loads(result.output)["annotators"]} == {"ann", "bo"}


def test_predictions_and_second_rounds_meet_too(files):
    answers = {str(n): answer for n, answer in files.items()}
    people = ia.read("labels.csv")
    assert ia.judge(people, models={"gpt": answers}).models_table["items"] == [60]
    again = ia.Annotations.of([(int(item), who, value) for item, who, value in people.single().rows()])
    assert ia.compare(people, again, measure="alpha").shared == 60
    with pytest.raises(DataError, match="0 of 1 item of the data of gpt are in the people's data"):
        ia.judge(people, models={"gpt": {"z": "y"}})


def test_values_of_gold_meet_too():
    study = ia.Annotations.of([(n, who, n % 3) for n in range(9) for who in "ab"])
    assert ia.consensus(study).score({str(n): str(n % 3) for n in range(9)}).value == 1


def test_spans_are_compared_with_a_file_of_right_answers(tmp_path):
    rows = [("7", who, [[0, 3, "PER"]]) for who in ("ann", "bo")]
    keys = ("item", "annotator", "value")
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows))
    (tmp_path / "g.jsonl").write_text(json.dumps({"item": 7, "value": [[0, 4, "PER"]]}) + "\n")
    result = CliRunner().invoke(main, ["spans", str(tmp_path / "s.jsonl"), "--gold", str(tmp_path / "g.jsonl")])
    assert "SemEval-2013 scores against gold" in result.output, result.output


def test_predictions_beside_annotations_are_judged_and_it_is_said(tmp_path):
    def answer(label):
        return [{"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": [label]}}]

    tasks = [
        {
            "id": n,
            "data": {"text": f"text {n}"},
            "annotations": [{"id": 10 * n + k, "completed_by": k, "result": answer("yn"[n % 2])} for k in (1, 2, 3)],
            "predictions": [{"model_version": "bert-1", "result": answer("yn"[n % 3 % 2])}],
        }
        for n in range(30)
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    result = CliRunner().invoke(main, ["judge", str(path)])
    assert "predictions in the file taken as those of models: 'bert-1'" in " ".join(result.output.split())
    with pytest.raises(DataError, match="predictions of models in the file were left out; read it with predictions="):
        ia.judge(ia.read(path))
