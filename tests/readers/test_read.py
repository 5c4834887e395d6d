"""Files in, studies out, and back."""

import gzip
import io
import json
import sys

import pytest
from conftest import need

from interagree.data import Annotations, Study
from interagree.errors import ColumnNotFound, DataError, DoubtfulReading, DuplicateAnnotation, FormatError, UnknownName
from interagree.readers import read, write

ROWS = [("d1", "ann", "NA"), ("d1", "bo", "None"), ("d2", "ann", "1"), ("d2", "bo", "null")]
TABLE = "doc,worker,label\nd1,ann,NA\nd1,bo,None\nd2,ann,1\nd2,bo,null\n"


# -- CSV ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", TABLE),
        ("a.csv", TABLE.replace("\n", "\r\n")),
        ("a.csv", "\ufeff" + TABLE),
        ("a.csv", TABLE.replace(",", ";")),
        ("a.csv", TABLE.replace(",", "|")),
        ("a.tsv", TABLE.replace(",", "\t")),
        ("a.csv", TABLE.replace(",", "\t")),
        ("a.csv", '"doc","worker","label"\n' + TABLE.split("\n", 1)[1] + "\n\n"),
        ("a.csv.gz", gzip.compress(TABLE.encode())),
        ("a.txt", TABLE),
        ("a", TABLE),
    ],
    ids=["plain", "crlf", "bom", "semicolon", "bar", "tsv", "tab", "quoted", "gzip", "txt", "none"],
)
def test_a_text_table_is_read_as_text(file, name, content):
    path = file(name, content)
    study = read(path)
    assert list(study) == ["label"]
    assert set(study.single().rows()) == set(ROWS)
    assert study.provenance.sources == (str(path),)
    assert "item from 'doc', annotator from 'worker', value from 'label'" in study.policy()


def test_an_empty_cell_is_no_annotation(file):
    study = read(file("a.csv", TABLE + "d3,ann,\nd3,bo,x\n"))
    assert len(study.single()) == 5
    assert "1 empty cell taken as no annotation" in study.policy()
    with pytest.raises(DataError, match=r"a\.csv: 1 row with a value and no annotator, the first being line 4"):
        read(file("a.csv", "item,annotator,value\n1,ann,\n2,ann,x\n3,,y\n"))


def test_a_large_file_is_read_alike(file, monkeypatch):
    need("pyarrow")
    table = TABLE + 'd3,"ann, the first","two\nlines"\nd3,bo,\n'
    small = read(file("a.csv", table))
    monkeypatch.setattr(sys.modules["interagree.readers.csv"], "LARGE", 0)
    large = read(file("a.csv", table))
    assert set(large.single().rows()) == set(small.single().rows())
    assert large.policy() == small.policy()
    packed = gzip.compress(TABLE.replace(",", "\t").encode())
    assert set(read(file("a.tsv.gz", packed)).single().rows()) == set(ROWS)
    short = read(file("a.csv", TABLE + "d9,ann\n"))
    assert "1 row shorter than the header, the first being line 6" in short.policy()
    assert set(short.single().rows()) == set(ROWS)
    with pytest.raises(FormatError, match=r"a\.csv, line 6: expected 3 cells .* found 4"):
        read(file("a.csv", TABLE + "d9,ann,x,y\n"))


def test_rows_of_a_large_file_without_items_are_counted_from_one(file, monkeypatch):
    need("pyarrow")
    monkeypatch.setattr(sys.modules["interagree.readers.csv"], "LARGE", 0)
    study = read(file("a.csv", "ann,bo\nx,y\nx,x\ny,y\n"), layout="wide").single()
    assert list(study.items) == [1, 2, 3]


def test_a_wide_text_table(file):
    study = read(file("a.csv", "id,ann,bo\n1,x,y\n2,,x\n"))
    assert set(study.single().rows()) == {("1", "ann", "x"), ("1", "bo", "y"), ("2", "bo", "x")}
    study = read(file("a.csv", ",ann,bo\nfirst,x,y\nsecond,,x\n"))
    assert set(study.single().rows()) == {("first", "ann", "x"), ("first", "bo", "y"), ("second", "bo", "x")}
    study = read(file("a.csv", "x,y\n1,2\n1,1\n"), header=False, item=None)
    assert study.single().annotators == (0, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("item,annotator,value\n1,ann,x,y\n", r"a\.csv, line 2: expected 3 cells .* found 4"),
        ("item,annotator,value\n1,ann,x\n2,bo,y\nann,y\n", r"line 4: expected 3 cells .* found 2: 'ann', 'y'"),
        ("a,b,label\n1,ann,x\n", "no column to take the annotator from"),
        ("item,annotator\n1,ann\n", r"no column to take the value from.*value=\['…', '…'\]"),
    ],
)
def test_a_bad_text_table_says_where(file, content, message):
    with pytest.raises(DataError, match=message) as caught:
        read(file("a.csv", content))
    assert "a.csv" in str(caught.value)


def test_another_encoding(file):
    path = file("a.csv", "item,annotator,value\n1,ann,café\n".encode("latin-1"))
    assert read(path, encoding="latin-1").single().values == ("café",)
    with pytest.raises(
        FormatError, match=r"line 2: expected text in utf-8, found the byte 0xe9; save the file as UTF-8"
    ):
        read(path, encoding="utf-8")


# -- JSON ---------------------------------------------------------------------------------------------------

RECORDS = [{"doc": i, "worker": a, "label": v} for i, a, v in ROWS]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(RECORDS)),
        ("a.json", json.dumps({key: [record[key] for record in RECORDS] for key in RECORDS[0]})),
        ("a.json", json.dumps({"d1": {"ann": "NA", "bo": "None"}, "d2": {"ann": "1", "bo": "null"}})),
        ("a.json", json.dumps(ROWS)),
        ("a.jsonl", "\n".join(map(json.dumps, RECORDS)) + "\n\n"),
        ("a.ndjson", "\n".join(map(json.dumps, ROWS))),
        ("a", "\n".join(map(json.dumps, RECORDS))),
        ("b", json.dumps(RECORDS, indent=1)),
    ],
)
def test_json_in_its_forms(file, name, content):
    assert set(read(file(name, content)).single().rows()) == set(ROWS)


def test_json_keeps_its_types(file):
    values = [1, "1", True, None, 1.5, "", ["a", "b"]]
    text = "\n".join(json.dumps({"item": n, "annotator": "ann", "value": v}) for n, v in enumerate(values))
    found = read(file("a.jsonl", text)).single()
    assert [v for *_, v in found.rows()] == [1, "1", True, 1.5, "", ("a", "b")]
    assert [type(v) for *_, v in found.rows()] == [int, str, bool, float, str, tuple]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "[1, 2", r"a\.json, line 1: this is not JSON"),
        ("a.json", '{"version": 1, "items": []}', "found an object with 'version': int, 'items': list"),
        ("a.json", "[]", "found an empty list"),
        ("a.json", "3", "found 3"),
        ("a.jsonl", '{"item": 1}\n{"item"', r"a\.jsonl, line 2: expected one JSON record, found '\{\"item\"'"),
        ("a.jsonl", "3\n", "line 1: expected an object"),
        ("a.jsonl", "", "is empty"),
    ],
)
def test_bad_json_says_where(file, name, content, message):
    with pytest.raises(FormatError, match=message):
        read(file(name, content))


# -- binary formats -----------------------------------------------------------------------------------------


def test_excel_sheets(tmp_path):
    openpyxl = need("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "round 1"
    for row in ([], ["item", "annotator", "value"], [1, "ann", "NA"], [1, "bo", 2], [], [2, "ann", None]):
        book.active.append(row)
    other = book.create_sheet("round 2")
    for row in ([None, "ann", "bo"], ["x", 1, 2], ["y", 2, None]):
        other.append(row)
    path = tmp_path / "a.xlsx"
    book.save(path)
    with pytest.raises(DoubtfulReading, match="sheet='round 1'"):
        read(path)
    assert read(path, sheet="round 1").single().rows() == [(1, "ann", "NA"), (1, "bo", 2)]
    assert set(read(path, sheet="round 2").single().rows()) == {("x", "ann", 1), ("y", "ann", 2), ("x", "bo", 2)}
    assert read(path, sheet=1).single().annotators == ("ann", "bo")
    with pytest.raises(UnknownName, match=r"no sheet 'round 3'; it has 'round 1', 'round 2'. Did you mean 'round 2'"):
        read(path, sheet="round 3")


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.xlsx"])
def test_a_file_that_is_not_what_its_name_says(file, name):
    need("pyarrow")
    need("python_calamine")
    with pytest.raises(FormatError, match=r"is not an? (Parquet file|Arrow file|Excel workbook)"):
        read(file(name, "item,annotator,value\n"))


def test_a_stream_of_arrow(tmp_path):
    pa = need("pyarrow")
    table = pa.table({"item": [1], "annotator": ["ann"], "value": ["x"]})
    path = tmp_path / "a.arrow"
    with pa.OSFile(str(path), "wb") as out, pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    assert read(path).single().rows() == [(1, "ann", "x")]


# -- several questions, several files -----------------------------------------------------------------------

TWO = "item,annotator,mood,stars,page\n1,ann,sad,2,p1\n1,bo,glad,,p1\n"


def test_several_columns_of_values_are_several_questions(file):
    study = read(file("a.csv", TWO), value=["mood", "stars"])
    assert list(study) == ["mood", "stars"]
    assert (len(study["mood"]), len(study["stars"])) == (2, 1)
    assert list(study["mood"].attributes) == ["page"]
    with pytest.raises(ColumnNotFound, match="Did you mean value='mood'"):
        read(file("a.csv", TWO), value=["moods", "stars"])


def test_a_column_may_tell_the_question(file):
    text = "question,item,annotator,value\nq1,1,ann,x\nq2,1,ann,y\nq1,1,bo,x\n"
    study = read(file("a.csv", text))
    assert {name: set(study[name].rows()) for name in study} == {
        "q1": {("1", "ann", "x"), ("1", "bo", "x")},
        "q2": {("1", "ann", "y")},
    }
    other = read(file("b.csv", text.replace("question", "asked")), question="asked")
    assert list(other) == ["q1", "q2"]
    with pytest.raises(ColumnNotFound, match="take the question from"):
        read(file("b.csv", text), question="asked")


def test_files_are_put_together(file, tmp_path):
    file("r1.csv", TABLE)
    file("r2.csv", "doc,worker,label\nd1,cy,x\n")
    file("notes.md", "nothing")
    for where in (tmp_path, tmp_path / "*.csv", [tmp_path / "r1.csv", str(tmp_path / "r2.csv")]):
        study = read(where)
        assert len(study.single()) == 5
        assert study.provenance.sources == (str(tmp_path / "r1.csv"), str(tmp_path / "r2.csv"))
    with pytest.raises(DuplicateAnnotation):
        read([tmp_path / "r1.csv", tmp_path / "r1.csv"])
    assert len(read([tmp_path / "r1.csv"] * 2, duplicates="first").single()) == 4


def test_the_annotator_may_be_the_name_of_the_file(file, tmp_path):
    file("ann.csv", "item,label\n1,x\n2,y\n")
    file("bo.csv.gz", gzip.compress(b"item,label\n2,y\n1,y\n"))
    study = read(tmp_path, annotator="{file}")
    assert set(study.single().rows()) == {("1", "ann", "x"), ("2", "ann", "y"), ("2", "bo", "y"), ("1", "bo", "y")}
    row = read(file("cy.tsv", "label\nx\nz\n"), annotator="{file}")
    assert row.single().rows() == [(0, "cy", "x"), (1, "cy", "z")]


@pytest.mark.parametrize(
    ("name", "message"),
    [("lables.csv", "Did you mean 'labels.csv'"), ("*.parquet", "no file matches"), ("empty", "folder without a file")],
)
def test_what_is_not_there_is_said(file, tmp_path, name, message):
    file("labels.csv", TABLE)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=message):
        read(tmp_path / name)
    with pytest.raises(DataError, match="list of files is empty"):
        read([])


def test_a_name_that_tells_nothing_needs_a_format(file):
    path = file("labels.zzz", TABLE)
    with pytest.raises(FormatError, match=r"no reader takes such files.*; if it is, pass format='csv'"):
        read(path)
    assert len(read(path, format="csv").single()) == 4
    with pytest.raises(UnknownName, match=r"no reader is called 'cvs'; did you mean 'csv'|Did you mean 'csv'"):
        read(path, format="cvs")
    with pytest.raises(UnknownName, match="there is no option 'sheet'"):
        read(path, format="csv", sheet="x")


@pytest.mark.parametrize("content", [TABLE, json.dumps(RECORDS), "\n".join(map(json.dumps, RECORDS))])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(monkeypatch, content, pack):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(content.encode()))))
    study = read("-")
    assert set(study.single().rows()) == set(ROWS)
    assert study.provenance.sources == ("-",)


# -- and back -----------------------------------------------------------------------------------------------

STUDY = Study.of(
    mood=Annotations.of(
        {"item": ["a", "a", "b"], "annotator": ["p", "q", "p"], "value": ["sad", "NA", "None"], "n": [1, 2, 3]}
    ),
    tags=Annotations.of([("a", "p", {"x", "y"}), ("b", "p", set())]),
)
BINARY = {"parquet": "pyarrow", "arrow": "pyarrow", "xlsx": "xlsxwriter"}


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "csv.gz", "jsonl", "json", "json.gz", "parquet", "arrow", "xlsx", "csv.zst"]
)
def test_what_is_written_can_be_read(tmp_path, ending):
    if ending in BINARY:
        need(BINARY[ending])
    if ending.endswith("zst") and sys.version_info < (3, 14):
        need("backports.zstd")
    path = tmp_path / f"study.{ending}"
    mood = STUDY["mood"]
    write(mood, path)
    back = read(path).single()
    assert set(back.rows()) == set(mood.rows())
    assert [int(n) for n in back.attributes["n"]] == [1, 2, 3]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_sets_and_several_questions_survive(tmp_path, ending):
    path = tmp_path / f"study.{ending}"
    write(STUDY, path)
    back = read(path, split="|")
    assert list(back) == ["mood", "tags"]
    assert set(back["tags"].rows()) == set(STUDY["tags"].rows())


def test_counts_are_written_as_counts(tmp_path):
    counts = Annotations.from_counts([[1, 2], [3, 0]], values=["x", "y"], items=["a", "b"])
    write(counts, tmp_path / "a.csv")
    back = read(tmp_path / "a.csv", layout="counts").single()
    assert sorted(back.rows()) == sorted(counts.rows())


def test_what_cannot_be_written_says_so(tmp_path):
    with pytest.raises(FormatError, match="does not say in what format"):
        write(STUDY, tmp_path / "study")
    with pytest.raises(UnknownName, match=r"no format to write is called 'cvs'. Did you mean 'csv'"):
        write(STUDY, tmp_path / "study", format="cvs")
    with pytest.raises(DataError, match="empty string"):
        write([("a", "p", ""), ("a", "q", "x")], tmp_path / "a.csv")
    with pytest.raises(DataError, match="cannot be in one cell"):
        write([("a", "p", {"x|y"})], tmp_path / "a.csv")
    need("pyarrow")
    with pytest.raises(DataError, match="has one type"):
        write([("a", "p", 1), ("a", "q", "x")], tmp_path / "a.parquet")


def test_writing_to_standard_output(monkeypatch):
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
    write(STUDY["mood"], "-", format="tsv")
    assert out.getvalue().splitlines()[0] == b"item\tannotator\tvalue\tn"


# -- real data ----------------------------------------------------------------------------------------------


def test_all_real_labels_are_read(shared):
    files = [path for path in sorted((shared / "data" / "labels").glob("*.csv.gz")) if ".gold." not in path.name]
    assert files
    for path in files:
        study = read(path, duplicates="keep").single()
        assert len(study) > 0, path.name
        assert all(isinstance(value, str) for value in study.values)
        assert "value from 'label'" in study.provenance.policy()


def test_gold_standards_are_read_as_one_annotator(shared):
    path = shared / "data" / "labels" / "bluebird.gold.csv.gz"
    with pytest.raises(ColumnNotFound, match=r"annotator='\{file\}'"):
        read(path)
    assert read(path, annotator="{file}").single().annotators == ("bluebird.gold",)


def test_real_counts_are_read(shared):
    for path in sorted((shared / "data" / "counts").glob("*_counts.csv.gz")):
        study = read(path, layout="counts").single()
        assert study.anonymous, path.name
        assert len(study) > len(study.items)
    assert read(shared / "data" / "counts" / "chaosnli_snli_counts.csv.gz").single().anonymous


def test_patterns_with_a_frequency(shared):
    study = read(shared / "data" / "counts" / "caries_patterns.csv.gz", times="n").single()
    assert (len(study.items), len(study), len(study.annotators)) == (3859, 5 * 3859, 5)
    assert study.values == ("1.0", "2.0")


def test_a_survey_with_many_columns(shared):
    for path in sorted((shared / "data" / "formats" / "csv_generic").glob("*.csv")):
        with pytest.raises(DataError, match=r"no column to take the annotator from|not clear how to read"):
            read(path)
        study = read(
            path,
            item="key",
            annotator="source_spreadsheet",
            value=["system_language", "system_task"],
            duplicates="keep",
        )
        assert list(study) == ["system_language", "system_task"]
        assert "annotation_comments" in study["system_task"].attributes
