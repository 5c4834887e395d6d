"""Columns of lists and structures, and the names of classes, as datasets of Hugging Face have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interagree.errors import DoubtfulReading
from interagree.readers import read

PEOPLE = ["w1", "w2", "w3"]
CLASSES = {"names": ["neg", "pos", "neu"], "_type": "ClassLabel"}
NAMED = {"annotator": {"dtype": "string", "_type": "Value"}, "label": CLASSES}
LABELS = [[(n + k) % 3 for k in range(3)] for n in range(8)]
BESIDE = [{"id": n, "text": f"text {n}", "annotators": PEOPLE, "labels": LABELS[n]} for n in range(8)]


@pytest.fixture(params=["parquet", "arrow"])
def dataset(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

    def made(rows: list[dict[str, Any]], features: Any = None) -> Path:
        table = pa.Table.from_pylist(rows)
        if features is not None:
            about = json.dumps({"info": {"features": features}})
            table = table.replace_schema_metadata({b"huggingface": about.encode()})
        path = tmp_path / f"data.{request.param}"
        if request.param == "parquet":
            parquet.write_table(table, path)
        else:
            with pa.ipc.new_stream(path, table.schema) as writer:
                writer.write_table(table)
        return path

    return made


@pytest.mark.parametrize(
    "feature",
    [{"feature": CLASSES, "_type": "Sequence"}, {"feature": CLASSES, "_type": "List", "length": -1}, [CLASSES]],
    ids=["sequence", "list", "first versions"],
)
def test_classes_in_lists_are_called_by_their_names(dataset: Any, feature: Any) -> None:
    study = read(dataset(BESIDE, {"labels": feature}))
    found = {(item, who): value for item, who, value in study.single().rows()}
    assert found == {(n, who): CLASSES["names"][LABELS[n][k]] for n in range(8) for k, who in enumerate(PEOPLE)}
    assert "by the names of the classes that the file states" in study.policy()


@pytest.mark.parametrize("form", ["objects", "columns"])
def test_classes_in_structures_are_called_by_their_names(dataset: Any, form: str) -> None:
    def answers(n: int) -> Any:
        if form == "columns":
            return {"annotator": PEOPLE, "label": LABELS[n]}
        return [{"annotator": who, "label": label} for who, label in zip(PEOPLE, LABELS[n], strict=True)]

    rows = [{"id": n, "text": f"text {n}", "annotations": answers(n)} for n in range(8)]
    study = read(
        dataset(rows, {"annotations": {"feature": NAMED, "_type": "Sequence" if form == "columns" else "List"}})
    )
    assert sorted(study.single().values) == ["neg", "neu", "pos"]
    assert len(study.single()) == 24


def test_numbers_stay_where_a_class_has_no_name_and_minus_one_is_none(dataset: Any) -> None:
    few = {"labels": {"feature": {"names": ["neg"], "_type": "ClassLabel"}, "_type": "Sequence"}}
    assert sorted(read(dataset(BESIDE, few)).single().values) == [0, 1, 2]
    rows = [{**row, "labels": [-1, *row["labels"][1:]]} for row in BESIDE]
    named = {"labels": {"feature": CLASSES, "_type": "Sequence"}}
    assert len(read(dataset(rows, named)).single()) == 16


@pytest.mark.parametrize("form", ["long", "beside"])
def test_lists_of_labels_are_sets_whatever_the_order(dataset: Any, form: str) -> None:
    clicked = [["a", "b"], ["b", "a"], ["c"]]
    if form == "beside":
        rows: list[dict[str, Any]] = [{"id": n, "annotators": PEOPLE, "labels": clicked} for n in range(6)]
    else:
        rows = [
            {"id": n, "annotator": who, "labels": clicked[(n + k) % 3]}
            for n in range(6)
            for k, who in enumerate(PEOPLE)
        ]
    study = read(dataset(rows))
    assert set(study.single().values) == {frozenset("ab"), frozenset("c")}
    assert "the order in a list does not count" in study.policy()


def test_lists_of_one_length_may_be_rankings_and_stay_lists(file: Any) -> None:
    rows = [{"item": n, "annotator": who, "value": ["a", "b"][:: 1 if n % 2 else -1]} for n in range(6) for who in "xy"]
    found = read(file("a.json", json.dumps(rows))).single()
    assert set(found.values) == {("a", "b"), ("b", "a")}


def test_lists_of_votes_without_names(dataset: Any) -> None:
    votes = [{"id": n, "text": f"text {n}", "votes": ["a", "b", "ab"[n % 2]]} for n in range(8)]
    study = read(dataset(votes))
    assert "nothing says whose they are" in study.policy()
    assert len(study.single().items) == 8
    with pytest.raises(DoubtfulReading, match="nothing says whose they are"):  # may be several labels of one annotator
        read(dataset([{"id": row["id"], "text": row["text"], "labels": row["votes"]} for row in votes]))


def test_a_dataset_that_was_saved_to_disk(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    folder = tmp_path / "saved"
    folder.mkdir()
    for part, rows in enumerate((BESIDE[:4], BESIDE[4:])):
        table = pa.Table.from_pylist(rows)
        with pa.ipc.new_stream(folder / f"data-0000{part}-of-00002.arrow", table.schema) as writer:
            writer.write_table(table)
    (folder / "dataset_info.json").write_text(json.dumps({"description": "", "features": {}}), encoding="utf-8")
    (folder / "state.json").write_text(json.dumps({"_split": "train", "_data_files": []}), encoding="utf-8")
    study = read(folder)
    assert (len(study.single().items), len(study.single())) == (8, 24)
    assert "2 files of the folder not read ('dataset_info.json', 'state.json')" in study.policy()


def test_real_list_columns_and_classes(shared: Path) -> None:
    place = shared / "data/formats/hf_parquet"
    lists, long = read(place / "list_columns.parquet").single(), read(place / "long_classlabel.parquet").single()
    for found in (lists, long):
        assert (len(found.items), len(found.annotators), len(found)) == (40, 13, 164)
    by_place = {(item, who): str(value) for item, who, value in lists.rows()}
    assert by_place == {(item, who): value for item, who, value in long.rows()}
