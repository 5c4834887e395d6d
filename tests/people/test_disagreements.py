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
from interagree.errors import FormatError, KindError, UnknownName
from interagree.people import disagreements, wawa

ITEMS = {"tie": "xxyy", "one": "xxxy", "all": "xyzw", "split": "xxyz", "same": "xxxx", "two": "xy", "alone": "x"}
ROWS = [(item, who, label) for item, labels in ITEMS.items() for who, label in zip("abcd", labels, strict=False)]


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
    assert queue.headline() == "5 of 6 items with disagreement: tie 2, one against all 1, split 1, all differ 1"


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
    return [dict(zip([head.value for head in heads], [cell.value for cell in row], strict=True)) for row in rows]


def test_text_that_looks_like_a_formula_stays_text(tmp_path):
    rows = [("=1+1", "a", "x"), ("=1+1", "b", "y")]
    disagreements(rows).write(tmp_path / "queue.xlsx")
    (row,) = _sheet(tmp_path / "queue.xlsx")
    assert row["item"] == "=1+1"


def test_nothing_to_adjudicate_is_said_in_a_sentence(tmp_path):
    assert str(disagreements([(1, "a", "x")])) == "There is nothing to adjudicate: no item has two annotators."
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


def of_items(items, values):
    """Items with a digit for each annotator, on a declared scale."""
    rows = [(item, f"w{i}", int(digit)) for item, digits in items.items() for i, digit in enumerate(digits)]
    return Annotations.of(rows, values=values, ordered=True)


def test_ordered_values_are_adjacent_far_or_in_camps():
    items = {"a": "12", "b": "1222", "c": "15", "d": "1555", "e": "1255", "f": "135", "g": "11145", "h": "1112"}
    table = disagreements(of_items(items, [1, 2, 3, 4, 5])).table()
    assert dict(zip(table["item"], table["type"], strict=True)) == {
        "a": "adjacent", "b": "adjacent", "c": "far", "d": "one against all", "e": "split", "f": "far",
        "g": "split", "h": "adjacent",
    }  # fmt: skip
    assert dict(zip(table["item"], table["steps"], strict=True)) == {
        name: int(digits[-1]) - int(digits[0]) for name, digits in items.items()
    }


def test_steps_are_those_of_the_declared_scale():
    rows = [(1, "a", "low"), (1, "b", "high"), (2, "a", "low"), (2, "b", "mid"), (3, "a", "mid"), (3, "b", "mid")]
    table = disagreements(Annotations.of(rows, values=["low", "mid", "high"], ordered=True)).table()
    assert dict(zip(table["item"], table["steps"], strict=True)) == {1: 2, 2: 1}


def test_the_median_of_ordered_values_is_suggested_and_not_the_plurality():
    items = {"plural": "11234", "level": "1245", "more": "1233", "odd": "1245"[:3], "two": "12"}
    table = disagreements(of_items({**items, "more": "122344"}, [1, 2, 3, 4, 5])).table()
    assert dict(zip(table["item"], table["suggested"], strict=True)) == {
        "plural": 2,  # 1 is the most common
        "level": None,  # 2 and 4 are in the middle
        "more": 2,  # 2 and 3 are, and two annotators said 2
        "odd": 2,
        "two": None,
    }


def test_an_outlier_does_not_move_what_is_suggested_of_numbers():
    rows = [(i, who, value) for i in (1, 2) for who, value in zip("abcde", (0.0, 0.5, 1.0, 1.5, 90.0), strict=True)]
    assert [*disagreements(rows, distance="interval").table()["suggested"]] == [1.0, 1.0]


def test_stated_labels_have_the_types_of_labels():
    study = of_items({"a": "12", "b": "1222"}, [1, 2, 3])
    table = disagreements(study, distance="nominal").table()
    assert sorted(table["type"]) == ["one against all", "tie"]
    assert "steps" not in table.columns


def with_columns(**columns):
    rows = [
        (item, who, value)
        for item, values in (("i1", "xy"), ("i2", "yx"))
        for who, value in zip("ab", values, strict=True)
    ]
    item, who, value = zip(*rows, strict=True)
    return Annotations.from_columns(item, who, value, attributes={name: np.array(one) for name, one in columns.items()})


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"tweet": ["so it goes"] * 2 + ["and on"] * 2}, "tweet"),
        ({"Sentence": ["Yes."] * 2 + ["No."] * 2, "abc": ["a much longer column of words"] * 4}, "Sentence"),
        ({"x7": ["the weather was fine"] * 2 + ["and so it stayed"] * 2}, "x7"),
        ({"comment": ["not sure about this one"] * 4}, None),
        ({"text": ["one", "other", "this", "that"]}, None),  # differs between annotators of an item
        ({"text": [1, 1, 2, 2]}, None),
        ({"school": ["north", "south", "north", "south"]}, None),
        ({"question_type": ["Any Option"] * 4}, None),  # few words that items share are a group of them
        ({"question": ["What does the man with the long beard want of the king?"] * 4}, "question"),
        ({}, None),
    ],
)
def test_the_text_is_found_by_name_or_by_what_it_holds(columns, found):
    assert disagreements(with_columns(**columns)).text == found


def test_a_stated_text_is_taken_and_an_unknown_one_is_an_error():
    study = with_columns(school=["a", "a", "b", "b"], type=["t one", "t one", "t two", "t two"])
    assert disagreements(study, text="school").text == "school"
    assert disagreements(study, text="type").text == "column type"
    assert "“t one”" in disagreements(study, text="type").who_said_what()
    with pytest.raises(
        UnknownName, match=r"no column 'shool' of texts; there are 'school', 'type'\. Did you mean 'school'"
    ):
        disagreements(study, text="shool")


@pytest.mark.parametrize(
    ("values", "kind", "lines"),
    [
        ((frozenset("ab"), frozenset("b")), None, ["ann: {a, b}", "bo: {b}"]),
        ((((0, 4, "PER"),), ()), "spans", ["ann: PER “Lund” (0–4)", "bo: nothing marked"]),
        (
            (((1, 2, 30, 40, "cat"),), ((1, 2, 30, 41, "cat"),)),
            "boxes",
            ["ann: cat [1, 2, 30, 40]", "bo: cat [1, 2, 30, 41]"],
        ),
        ((("a", "b"), ("b", "a")), "rankings", ["ann: a > b", "bo: b > a"]),
        (("a cat sat", "the cat sat"), "text", ["ann: a cat sat", "bo: the cat sat"]),
        ((1.5, 9.25), None, ["ann: 1.500", "bo: 9.250"]),
    ],
)
def test_who_said_what_is_shown_for_every_kind(values, kind, lines):
    study = Annotations.from_columns(
        ["i"] * 2, ["ann", "bo"], [*values], attributes={"text": np.array(["Lund is here"] * 2)}
    )
    shown = disagreements(study if kind is None else study.taken_as(kind)).who_said_what()
    assert "“Lund is here”" in shown
    for line in lines:
        assert f"   {line}" in shown.splitlines()


def test_many_annotators_are_counted_and_long_texts_cut():
    rows = [(1, f"w{i:02}", "x" if i else "y") for i in range(12)]
    item, who, value = zip(*rows, strict=True)
    study = Annotations.from_columns(item, who, value, attributes={"text": np.array(["long words " * 60] * 12)})
    head, text, *lines = disagreements(study).who_said_what().splitlines()
    assert head == "1. 1 (one against all; suggested: x)"
    assert len(text) < 250
    assert lines == ["   11 annotators (w01, w02, w03, w04, w05, w06, …): x", "   w00: y"]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_numbers_of_any_scale_are_ranked_alike(scale):
    rows = [
        (f"i{k}", who, scale * (k + step * k))
        for k in range(1, 6)
        for who, step in (("ann", 0), ("bo", 0.5), ("cy", 0))
    ]
    rows += [("same", who, scale) for who in ("ann", "bo", "cy")]
    found = ia.disagreements(ia.Annotations.of(rows, kind="numbers")).table()
    assert found["item"] == ["i5", "i4", "i3", "i2", "i1"]


def test_rounding_errors_are_not_disagreement():
    rows = [("sum", "ann", 0.1 + 0.2), ("sum", "bo", 0.3), ("far", "ann", 1.0), ("far", "bo", 2.5)]
    assert ia.disagreements(ia.Annotations.of(rows, kind="numbers")).table()["item"] == ["far"]
