"""What is written is read again as it was, or refused with a sentence: control characters, quotes, separators."""

import csv
import io
import tomllib

import openpyxl
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import interagree as ia
from interagree.errors import DataError
from interagree.reading.formulas import NUMBER, defused, restored
from interagree.results.csv import table_csv
from interagree.results.toml import toml
from interagree.tables import Table

ENDINGS = [".csv", ".tsv", ".jsonl", ".json", ".parquet", ".arrow", ".xlsx", ".csv.gz", ".jsonl.xz"]
AWKWARD = (
    "\x00\x07\x08\t\n\x0b\x0c\r\x1b\x1f\"'`,;|\\/#=+-@_xX09aZ \x7f\x85\x9b\xa0\xad"
    "\u200b\u200f\u202e\u2028\u2029\ufeff\ufffe\U0001f600é"
)
pieces = st.sampled_from(["\r\n", '""', "_x000D_", "'=", "=1+1", "\x1b[31m", "a", "b"])
texts = st.lists(st.one_of(st.sampled_from(AWKWARD), pieces, st.characters(codec="utf-8")), min_size=1, max_size=6).map(
    "".join
)
# Names here are prefixed by a letter, so that none is a number, a code for "missing" or empty.
words = texts.filter(lambda text: f"x{text}".strip() == f"x{text}" and "\uffff" not in text)


def rows_of(study):
    return sorted((str(item), str(who), str(value)) for item, who, value in study.rows())


def again(path, **reading):
    return ia.read(path, item="item", annotator="annotator", value="value", **reading).single()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("round")


def study_of(items, people, labels):
    rows = [
        (f"i{item}", f"p{name}", f"v{labels[(i + j) % len(labels)]}")
        for i, item in enumerate(items)
        for j, name in enumerate(people)
    ]
    return ia.Annotations.of(rows, item=0, annotator=1, value=2)


named = given(
    items=st.lists(words, min_size=2, max_size=4, unique=True),
    people=st.lists(words, min_size=2, max_size=3, unique=True),
    labels=st.lists(words, min_size=2, max_size=4, unique=True),
)


@pytest.mark.parametrize("ending", ENDINGS)
@named
@example(items=["a\rb", "a\nb"], people=["x\r\ny", "x\ny"], labels=['q"\rz', "q\x00z"])
@example(items=["a,b", "a\tb"], people=['"', '""a'], labels=["'=a", "=a", "''=a", "+a", "-a", "@a"])
@example(items=["_x0041_", "_x005F_x0041_"], people=["a\u202eb", "a\u200bb"], labels=["a\x1b[31m", "a\x9b"])
@settings(max_examples=4, phases=[Phase.explicit, Phase.generate])
def test_names_and_labels_survive(ending, items, people, labels, folder):
    check(ending, items, people, labels, folder)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
@named
@settings(max_examples=300)
def test_many_names_and_labels_survive(ending, items, people, labels, folder):
    check(ending, items, people, labels, folder)


def check(ending, items, people, labels, folder):
    study, path = study_of(items, people, labels), folder / f"study{ending}"
    if ending == ".xlsx" and any("\ufffe" in name for row in study.rows() for name in row):
        with pytest.raises(DataError, match=r"U\+FFFE, which is not a character"):
            ia.write(study, path)
        return
    if ending.startswith((".csv", ".tsv")) and any("\0" in name for row in study.rows() for name in row):
        with pytest.raises(DataError, match="zero byte"):
            ia.write(study, path)
        return
    ia.write(study, path)
    assert rows_of(again(path)) == rows_of(study)


RAW = [
    "=1+1",
    "@user",
    "+positive",
    "-negative",
    "'=x",
    "''-x",
    "'quoted'",
    "-",
    "+",
    "=",
    "--",
    "-1",
    "+2",
    "-1.5",
    "1e3",
    "-:(",
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_text_that_begins_as_a_formula_survives(ending, folder):
    labels = [
        text for text in RAW if not text.lstrip("+-").replace(".", "").isdigit() and text not in ("-", "--", "1e3")
    ]
    rows = [(f"item {i}", who, label) for i, label in enumerate(labels) for who in ("a", "b")]
    study, path = ia.Annotations.of(rows), folder / f"formulas{ending}"
    ia.write(study, path)
    assert rows_of(again(path)) == rows_of(study)


def test_a_cell_of_text_is_never_a_formula(folder):
    rows = [(f"item {i}", who, label) for i, label in enumerate(RAW[:6]) for who in ("a", "b")]
    ia.write(ia.Annotations.of(rows), folder / "f.csv")
    cells = [
        cell for row in csv.reader(io.StringIO((folder / "f.csv").read_bytes().decode(), newline="")) for cell in row
    ]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    ia.write(ia.Annotations.of(rows), folder / "f.xlsx")
    sheet = openpyxl.load_workbook(folder / "f.xlsx").active
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} == {"s"}
    assert "=1+1" in {cell.value for row in sheet.iter_rows() for cell in row}


def test_numbers_and_single_signs_are_left_alone():
    table = Table({"n": [-1, -1.5, 2], "text": ["-", "+", "-3.5"], "t": ["=a", "-b", "1-2"]})
    assert table_csv(table) == "n,text,t\n-1,-,'=a\n-1.5,+,'-b\n2,-3.5,1-2\n"


@given(texts)
def test_a_defused_cell_is_restored(text):
    assert restored(defused(text)) == text


@given(st.tuples(st.sampled_from("=+-@\t\r\n"), texts).map("".join))
def test_no_defused_cell_is_computed(text):
    cell = defused(text)
    if cell.startswith("'"):
        return
    assert NUMBER.fullmatch(cell) or not cell.strip("=+-@ \t\r\n")  # a number, or signs without anything to compute


def test_what_an_apostrophe_was_taken_from_is_said(folder):
    (folder / "d.csv").write_text("item,annotator,value\n1,a,'=x\n1,b,y\n2,a,y\n2,b,'=x\n", encoding="utf-8")
    study = ia.read(folder / "d.csv")
    assert set(study.single().values) == {"=x", "y"}
    assert "the apostrophe that keeps 2 cells from being a formula left out" in study.policy()


def test_a_large_file_is_restored_as_a_small_one_is(folder, monkeypatch):
    rows = [(f"i{i}", who, label) for i, label in enumerate(["=é", "'=x", "-b", "y'", "'q"] * 3) for who in ("a", "b")]
    study = ia.Annotations.of(rows)
    ia.write(study, folder / "large.csv")
    small = rows_of(again(folder / "large.csv"))
    monkeypatch.setattr("interagree.readers.csv.LARGE", 1)
    assert rows_of(again(folder / "large.csv")) == small == rows_of(study)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow", ".xlsx"])
def test_half_a_character_is_refused_where_it_has_no_place(ending, folder):
    study = ia.Annotations.of([("1", "a", "x\ud800"), ("1", "b", "y"), ("2", "a", "y"), ("2", "b", "y")])
    with pytest.raises(DataError, match="half of a character"):
        ia.write(study, folder / f"half{ending}")
    assert not (folder / f"half{ending}").exists()
    ia.write(study, folder / "half.jsonl")
    assert rows_of(again(folder / "half.jsonl")) == rows_of(study)


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_blanks_at_the_ends_are_refused_where_they_do_not_count(ending, folder):
    study = ia.Annotations.of([("1", "a", " x"), ("1", "b", "x"), ("2", "a", "x"), ("2", "b", "x")])
    with pytest.raises(DataError, match="begins or ends with blanks"):
        ia.write(study, folder / f"blanks{ending}")
    ia.write(study, folder / "blanks.jsonl")
    assert rows_of(again(folder / "blanks.jsonl")) == rows_of(study)


def test_a_queue_of_awkward_texts_has_one_row_for_each_item(folder):
    rows = [
        (f"item {i}\r", who, label)
        for i, label in enumerate(["a\rb", "c\nd", "=1", "e,f"])
        for who, label in (("x", label), ("y", "n"))
    ]
    queue = ia.disagreements(ia.Annotations.of(rows))
    for ending in (".csv", ".tsv", ".xlsx", ".jsonl"):
        queue.write(folder / f"queue{ending}")
    for ending, sign in ((".csv", ","), (".tsv", "\t")):
        text = (folder / f"queue{ending}").read_bytes().decode()
        lines = [*csv.reader(io.StringIO(text, newline=""), delimiter=sign)]
        assert len(lines) == 5
        assert {row[lines[0].index("item")] for row in lines[1:]} == {f"item {i}\r" for i in range(4)}


@given(texts)
def test_a_setting_survives_in_a_configuration_file(text):
    assert tomllib.loads(toml({"item": text}, [(f"about {text}", {"value": text})]))["item"] == text


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_an_attribute_that_is_not_there_is_null_and_an_infinite_value_stays(ending, folder):
    rows = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "value": [1.5, float("inf"), 2.5, 2.5]}
    study = ia.Annotations.of({**rows, "time": [1.0, float("nan"), 2.0, 3.0]}, attributes=["time"])
    ia.write(study, folder / f"floats{ending}")
    assert "NaN" not in (folder / f"floats{ending}").read_text()
    assert rows_of(again(folder / f"floats{ending}")) == rows_of(study)
