"""The adjudication queue: worth by hand, types, difficulty, and files."""

import csv
import io
import json
import math
import random
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import interagree as ia
from interagree.data import Annotations
from interagree.errors import FormatError, KindError
from interagree.people import disagreements, wawa

ITEMS = {
    "tie": "xxyy",
    "one": "xxxy",
    "all": "xyzw",
    "split": "xxyz",
    "same": "xxxx",
    "two": "xy",
    "alone": "x",
}
ROWS = [
    (item, who, label) for item, labels in ITEMS.items() for who, label in zip("abcd", labels, strict=False)
]


def test_types_and_who_said_what():
    queue = disagreements(ROWS)
    rows = {row["item"]: row for row in queue.table()}
    assert {item: row["type"] for item, row in rows.items()} == {
        "tie": "tie", "one": "one against all", "all": "all differ", "split": "split", "two": "tie",
    }  # fmt: skip
    assert rows["one"]["answers"] == "a: x; b: x; c: x; d: y"
    assert rows["split"]["labels"] == "x ×2, y ×1, z ×1"
    assert rows["one"]["suggested"] == "x"
    assert rows["tie"]["suggested"] is None
    assert [*queue.table()["rank"]] == [1, 2, 3, 4, 5]
    assert (
        queue.headline() == "5 of 6 items with disagreement: tie 2, one against all 1, split 1, all differ 1"
    )


def test_worth_is_entropy_times_rarity_times_reliability():
    rows = {row["item"]: row for row in disagreements(ROWS).table()}
    share = [label for _, _, label in ROWS].count("y") / len(ROWS)
    found = wawa(ROWS)
    d = found.study.annotators.index("d")
    sums, n = found.values["d"] * found.n[d], found.n[d]
    reliable = (sums + 2 * found.micro) / (n + 2)
    entropy = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    one = rows["one"]
    assert one["entropy"] == pytest.approx(entropy)
    assert one["rarity"] == pytest.approx(-math.log2(share))
    assert one["reliability"] == pytest.approx(reliable)
    assert one["worth"] == pytest.approx(entropy * -math.log2(share) * reliable)
    worth = [row["worth"] for row in disagreements(ROWS).table()]
    assert worth == sorted(worth, reverse=True)


def test_disagreement_is_difficulty_and_what_annotators_add():
    rng = random.Random(2)
    rows = []
    for i in range(300):
        hard = i % 2
        for who in rng.sample(["ann", "bo", "cy", "dee", "guess"], 3):
            wrong = 0.9 if who == "guess" else 0.35 if hard else 0.05
            rows.append((i, who, rng.choice("yzw") if rng.random() < wrong else "x"))
    table = disagreements(rows).table()
    for row in table:
        assert row["difficulty"] + row["from annotators"] == pytest.approx(row["disagreement"])
    with_guess = [row["from annotators"] for row in table if "guess" in row["answers"]]
    without = [row["from annotators"] for row in table if "guess" not in row["answers"]]
    assert min(with_guess) > max(without)


def test_distances_have_camps():
    rows = [
        *((1, who, value) for who, value in zip("abcd", (0.0, 0.5, 1.0, 50.0), strict=True)),
        *((2, who, value) for who, value in zip("abcd", (0.5, 0.5, 20.0, 20.5), strict=True)),
        *((3, who, value) for who, value in zip("abcd", (0.0, 10.0, 20.0, 30.5), strict=True)),
        *((4, who, 7.5) for who in "abcd"),
    ]
    queue = disagreements(rows, distance="linear")
    kinds = queue.table().to_dict()
    assert dict(zip(kinds["item"], kinds["type"], strict=True)) == {
        1: "one against all", 2: "split", 3: "all differ",
    }  # fmt: skip
    row = next(row for row in queue.table() if row["item"] == 1)
    assert row["disagreement"] == pytest.approx((0.5 + 1 + 50 + 0.5 + 49.5 + 49) / 6)
    assert row["suggested"] == 0.5
    assert row["gap"] == pytest.approx(49)


def test_spans_and_sets_are_queued_by_their_distance(shared):
    sets = disagreements([(1, "a", {"x"}), (1, "b", {"x", "y"}), (2, "a", {"z"}), (2, "b", {"y"})])
    assert [*sets.table()["item"]] == [2, 1]
    spans = [("d", who, [[0, end, "PER"]]) for who, end in (("a", 5), ("b", 5), ("c", 9))]
    found = disagreements(Annotations.of(spans, kind="spans"))
    assert found.table()["type"] == ["one against all"]


def test_rows_and_names_do_not_matter():
    rng = random.Random(0)
    rows = [(f"i{i}", who, rng.choice("xyz")) for i in range(60) for who in rng.sample("abcdef", 4)]
    mixed = rng.sample(rows, len(rows))
    for one, two in zip(disagreements(rows).table(), disagreements(mixed).table(), strict=True):
        assert one == pytest.approx(two)
    named = [(item, who.upper(), label) for item, who, label in mixed]
    one, two = disagreements(rows).table(), disagreements(named).table()
    assert [*one["item"]] == [*two["item"]]
    assert one["worth"] == pytest.approx(two["worth"])
    assert [text.upper() for text in one["answers"]] == [text.upper() for text in two["answers"]]


def test_attributes_and_sources_are_kept(tmp_path):
    lines = [
        "item,annotator,label,text,seconds",
        "1,a,x,good film,3",
        "1,b,y,good film,4",
        "2,a,x,bad film,5",
        "2,b,x,bad film,5",
    ]
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (row,) = disagreements(ia.read(file).single()).table().rows()
    assert row["text"] == "good film"
    assert row["seconds"] == "a: 3; b: 4"
    study = ia.read(file).single()
    if study.provenance.sources:
        assert "labels.csv" in row["source"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "xlsx"])
def test_a_queue_is_written_and_read_again(tmp_path, ending):
    rows = [(1, "a", "=x+1"), (1, "b", "y"), (1, "c", "y"), (2, "a", "y"), (2, "b", "y")]
    file = tmp_path / f"queue.{ending}"
    disagreements(rows).write(file)
    found = {
        "csv": lambda: [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))],
        "tsv": lambda: [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")), delimiter="\t")],
        "jsonl": lambda: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()],
        "json": lambda: json.loads(file.read_text(encoding="utf-8")),
        "xlsx": lambda: _sheet(file),
    }[ending]()
    assert len(found) == 1
    assert found[0]["answers"] == "a: =x+1; b: y; c: y"
    assert found[0]["type"] == "one against all"
    assert float(found[0]["worth"]) == pytest.approx(disagreements(rows).table()["worth"][0])


def _sheet(file):
    heads, *rows = openpyxl.load_workbook(file).active.iter_rows()
    assert not any(cell.data_type == "f" for row in rows for cell in row)
    return [
        dict(zip([head.value for head in heads], [cell.value for cell in row], strict=True)) for row in rows
    ]


def test_text_that_looks_like_a_formula_stays_text(tmp_path):
    rows = [("=1+1", "a", "x"), ("=1+1", "b", "y")]
    disagreements(rows).write(tmp_path / "queue.xlsx")
    (row,) = _sheet(tmp_path / "queue.xlsx")
    assert row["item"] == "=1+1"


def test_nothing_to_adjudicate_is_said_in_a_sentence(tmp_path):
    assert (
        str(disagreements([(1, "a", "x")])) == "There is nothing to adjudicate: no item has two annotators."
    )
    agreed = disagreements({"a": ["x", "y"], "b": ["x", "y"]})
    assert agreed.headline() == "There is nothing to adjudicate: on all 2 items the annotators agree"
    assert not len(agreed)
    assert not agreed.types()
    assert not len(disagreements([]))
    agreed.write(tmp_path / "queue.csv")
    assert Path(tmp_path / "queue.csv").read_text(encoding="utf-8").startswith("rank,item,type")
    with pytest.raises(FormatError, match="the ending says how to write"):
        agreed.write(tmp_path / "queue.doc")
    with pytest.raises(KindError, match="from 1 up"):
        disagreements(ROWS, top=0)
    with pytest.raises(KindError, match="made from counts"):
        disagreements(Annotations.from_counts([[2, 1]], values=["x", "y"]))
    assert len(disagreements(ROWS, top=2)) == 2
    assert np.isfinite(disagreements(ROWS).table()["worth"]).all()
