"""Lists and structures in Parquet and Arrow files."""

import json

import pytest
from conftest import need

import interagree as ia
from interagree import read

ROWS = [(f"i{n}", who, n % 3) for n in range(9) for who in ("ann", "bo", "cy") if (n, who) != (4, "bo")]


def nested(pa):
    items = [f"i{n}" for n in range(9)]
    inside = [[(a, v) for i, a, v in ROWS if i == item] for item in items]
    return {
        "side by side": pa.table(
            {
                "item": items,
                "annotators": [[a for a, _ in some] for some in inside],
                "labels": [[v for _, v in some] for some in inside],
            }
        ),
        "structures": pa.table(
            {"id": items, "responses": [[{"worker": a, "answer": v} for a, v in some] for some in inside]}
        ),
    }


@pytest.mark.parametrize("shape", ["side by side", "structures"])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_annotations_inside_columns_are_found(tmp_path, shape, ending):
    pa = need("pyarrow")
    table, path = nested(pa)[shape], tmp_path / f"a.{ending}"
    if ending == "parquet":
        need("pyarrow.parquet").write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)
    study = read(path)
    assert set(study.single().rows()) == set(ROWS)
    assert "annotations found at" in study.policy()


def test_lists_of_labels_are_values_and_sets(tmp_path):
    pa = need("pyarrow")
    path = tmp_path / "a.parquet"
    table = pa.table({"item": [1, 1], "annotator": ["ann", "bo"], "value": [["a", "b"], ["a"]]})
    need("pyarrow.parquet").write_table(table, path)
    assert read(path).single().rows() == [(1, "ann", frozenset("ab")), (1, "bo", frozenset("a"))]


def test_numbers_of_classes_are_called_by_their_names(tmp_path):
    pa = need("pyarrow")
    features = {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}, "item": {"dtype": "int64", "_type": "Value"}}
    about = json.dumps({"info": {"features": features}})
    table = pa.table({"item": [1, 1, 2], "annotator": ["ann", "bo", "ann"], "label": [0, 1, -1]})
    path = tmp_path / "a.parquet"
    need("pyarrow.parquet").write_table(table.replace_schema_metadata({"huggingface": about}), path)
    study = read(path)
    assert study.single().rows() == [(1, "ann", "neg"), (1, "bo", "pos")]
    assert "numbers of 'label' by the names of the classes" in study.policy()


def test_real_tables_of_hugging_face_are_read(shared):
    for name in ("list_columns", "long_classlabel"):
        found = read(shared / "data/formats/hf_parquet" / f"{name}.parquet").single()
        assert (len(found.items), len(found.annotators), len(found)) == (40, 13, 164)
        assert sorted(map(int, found.values)) == [1, 2, 3, 4, 5]


def labels(pa, **columns):
    study = {"item": [1, 1, 2, 2], "annotator": ["ann", "bo"] * 2, "label": ["x", "y", "x", "x"]}
    return pa.table({**study, **columns})


@pytest.mark.parametrize("role", ["label", "time"])
@pytest.mark.parametrize(
    "kind", [("date32",), ("date64",), ("timestamp", "s"), ("timestamp", "us"), ("timestamp", "us", "Nowhere/Zone")]
)
def test_dates_that_python_does_not_have_are_read(tmp_path, kind, role):
    pa = need("pyarrow")
    name, *options = kind
    far = 2**30 if name == "date32" else 10**11 * 86_400_000
    cells = pa.array([far, -far, 0, None], pa.int32() if name == "date32" else pa.int64())
    dates = cells.cast(pa.date32()) if name == "date32" else cells.view(getattr(pa, name)(*options))
    table = labels(pa, **{role: dates})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as out, pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    study = read(tmp_path / "a.arrow").single()
    assert len(study) == (3 if role == "label" else 4)
    assert role == "time" or len(study.values) == 3


def test_a_table_of_numbers_without_any_chunk_is_empty():
    pa = need("pyarrow")
    for kind in (pa.int64(), pa.float64(), pa.bool_(), pa.timestamp("s")):
        schema = pa.schema([("item", kind), ("annotator", pa.string()), ("label", kind)])
        assert len(ia.Annotations.of(pa.Table.from_batches([], schema))) == 0
