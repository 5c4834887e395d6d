"""Workbooks: what is written is what is read, by other programs too, and what has no room is refused."""

import io
import math
from pathlib import Path

import openpyxl
import pytest

import interagree as ia
from interagree.crowd.gold import gold_answers
from interagree.errors import DataError
from interagree.results.charts import Bars, DrawnEstimate, DrawnLine, Forest, Heat, Histogram, LineChart, ThresholdLine
from interagree.results.document import Document, Section, office_file, write_document
from interagree.results.workbook import LETTERS, Book, Dropdown, RowSheet, workbook
from interagree.tables import Table

ROWS = [
    (item, who, label)
    for item, labels in enumerate(["aab", "abb", "aaa", "bbb", "cab", "ccc", "aac", "bba"])
    for who, label in zip(("ann", "bo", "=cy()"), labels, strict=True)
]


def opened(content: bytes) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(content))


def cells(sheet) -> list[tuple[object, ...]]:
    return [*sheet.iter_rows(values_only=True)]


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    return ia.report(ia.Annotations.of(ROWS), full=True, title="Agreement").write(
        tmp_path_factory.mktemp("book") / "report.xlsx"
    )


def test_numbers_keep_all_their_digits_and_long_ones_are_text():
    exact = [0.1 + 0.2, 1 / 3, 2**0.5, 1e-300, -0.0, 123456789012345, 7]
    (_, *rows) = cells(opened(workbook(RowSheet("a", [["n"], *([number] for number in exact), [10**17 + 1]]))).active)
    assert [row[0] for row in rows] == [*exact, "100000000000000001"]


def test_the_same_rows_are_the_same_file():
    sheet = RowSheet("a", [["n", "text"], [1.5, "x"], [None, "=1+1"]])
    assert workbook(sheet) == workbook(sheet)


@pytest.mark.parametrize(
    "text", ["=1+1", "+x", "-x", "@x", "\tx", "http://a.b", "mailto:a", "1", "_x0041_x0042_", "a\r\nb"]
)
def test_text_stays_text(text):
    cell = opened(workbook(RowSheet("a", [["head"], [text]]))).active["A2"]
    assert cell.data_type == "s"
    assert cell.hyperlink is None
    if "_x" not in text and "\r" not in text:  # which openpyxl leaves as they are spelled
        assert cell.value == text


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([["n"]] + [[1]] * 1_048_576, r"has 1,048,577 rows, and a sheet of a workbook holds 1,048,576; write \.csv"),
        ([["n"] * 16_385], "has 16,385 columns, and a sheet of a workbook holds 16,384"),
        ([["n"], ["x" * 32_768]], "has 32,768 letters, and a cell of a workbook holds 32,767"),
        ([["n"], ["😀" * 16_384]], "has 32,768 letters"),
        ([["n"], [math.inf]], "a workbook cannot hold it"),
    ],
)
def test_what_has_no_room_is_refused(rows, words):
    with pytest.raises(DataError, match=words):
        workbook(RowSheet("a", rows))


def test_sheets_have_names_that_programs_take():
    wanted = ["a/b", "A:B", "a/b", "", "'quoted'", "history", "x" * 40, "x" * 40, "😀" * 20, "\x1b[31m", "[=cmd|']"]
    with Book() as book:
        names = [book.name(name) for name in wanted]
        for name in names:
            book.page(name)
    assert opened(book.content).sheetnames == names
    assert len({name.lower() for name in names}) == len(wanted)
    assert all(0 < len(name.encode("utf-16-le")) <= 62 for name in names)


def test_a_report_tells_its_story_first_and_has_a_sheet_for_each_table(report):
    book = openpyxl.load_workbook(report)
    shown = [sheet for sheet in book if sheet.sheet_state == "visible"]
    assert shown[0].title == "Story"
    story = [row[0] for row in cells(shown[0])]
    assert "Agreement" in story
    assert any("Policy" in str(line) for line in story)
    for sheet in shown[1:]:
        assert sheet.freeze_panes
        assert sheet.auto_filter.ref == sheet.dimensions
        assert f"→ sheet {sheet.title}" in story
    heads, *rows = cells(book["Coefficients"])
    alpha = dict(zip(heads, next(row for row in rows if "alpha" in str(row[0])), strict=True))
    assert alpha["value"] == ia.alpha(ia.Annotations.of(ROWS)).value
    assert book["Coefficients"]["B2"].number_format == "0.000"
    assert all(cell.data_type != "f" for sheet in book for row in sheet.iter_rows() for cell in row)


def test_columns_of_agreement_are_shaded_and_coefficients_drawn(report):
    sheet = openpyxl.load_workbook(report)["Coefficients"]
    rules = {str(where.sqref): [rule.type for rule in where.rules] for where in sheet.conditional_formatting}
    last = sheet.max_row
    assert rules[f"B2:B{last}"] == ["colorScale"]
    assert len(sheet._charts) == 1
    assert sheet._charts[0].ser[0].errBars is not None


def test_a_report_is_decided_in_and_reads_back_as_right_answers(report, tmp_path):
    book = openpyxl.load_workbook(report)
    sheet = book["decide"]
    heads = [cell.value for cell in sheet[1]]
    assert sheet.data_validations.dataValidation[0].type == "list"
    place = heads.index("decision") + 1
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, place).value = "c" if row == 2 else None
    book.save(tmp_path / "decided.xlsx")
    (answer,) = gold_answers(str(tmp_path / "decided.xlsx"), "value", {}).rows()
    assert answer == (sheet.cell(2, 1).value, "decided", "c")


def test_every_question_has_a_sheet_to_decide_in(tmp_path):
    study = ia.Study.of(tone=ia.Annotations.of(ROWS), topic=ia.Annotations.of([(i, a, f"t{v}") for i, a, v in ROWS]))
    ia.report(study).write(tmp_path / "two.xlsx")
    for question, start in (("tone", ""), ("topic", "t")):
        right = gold_answers(str(tmp_path / "two.xlsx"), question, {})
        assert right.values
        assert all(len(str(value)) == len(start) + 1 for value in right.values)
    with pytest.raises(DataError, match="has decisions on 'tone', 'topic', and none on 'mood'"):
        gold_answers(str(tmp_path / "two.xlsx"), "mood", {})


def test_texts_that_are_not_to_be_shown_are_not_in_the_workbook(tmp_path):
    rows = {
        "item": [i for i, _, _ in ROWS],
        "annotator": [a for _, a, _ in ROWS],
        "value": [v for *_, v in ROWS],
        "text": [f"the secret number {i}" for i, _, _ in ROWS],
    }
    study = ia.Annotations.of(rows, attributes=["text"])
    for texts in (True, False):
        book = openpyxl.load_workbook(ia.report(study, texts=texts).write(tmp_path / "a.xlsx"))
        every = " ".join(str(cell) for sheet in book for row in cells(sheet) for cell in row)
        assert ("secret" in every) == texts


def test_a_text_too_long_for_a_cell_is_cut_and_says_so(tmp_path):
    long = Table({"item": [1], "text": ["x" * (LETTERS + 1)]})
    write_document(Document("T", [Section("Long", table=long)]), tmp_path / "a.xlsx")
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert book["Long"]["B2"].value.endswith("…")
    assert any("1 cells of 'Long' are longer than the 32,767 letters" in str(row[0]) for row in cells(book["Story"]))


CHARTS = [
    Forest(
        [DrawnEstimate("=a", 0.5, 0.4, 0.6, "=g"), DrawnEstimate("b", math.nan, math.nan, math.nan)],
        "=axis",
        "=words",
        [ThresholdLine(0.8, "=m")],
    ),
    Bars(["=a", "b"], {"=s": [1, 2], "t": [3, math.nan]}, "=axis", "=words", [ThresholdLine(1.5, "high")]),
    Bars(["a"], {"": [1]}, "axis", "w" * 200),
    LineChart(
        [DrawnLine("=l", [0, 86400], [0.1, 0.2], [0, 0.1], [0.2, 0.3], dots=True)],
        "day",
        "=axis",
        "words",
        scale="time",
    ),
    LineChart(
        [DrawnLine("", [1, 10, 100], [0.1, 0.2, math.nan])],
        "labels",
        "axis",
        "words",
        [ThresholdLine(0.15, "enough")],
        "log",
    ),
    Histogram(
        [0, 0.5, 1], {"=within": [0.4, 0.6], "between": [0.5, 0.5]}, "distance", "words", [ThresholdLine(0.3, "here")]
    ),
]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: type(chart).__name__)
@pytest.mark.parametrize("table", [None, Table({"n": [1, 2]})], ids=["alone", "beside"])
def test_charts_are_those_of_the_program_and_hostile_names_are_names(chart, table):
    book = opened(office_file(Document("T", [Section("Drawn", table=table, chart=chart)]), "excel"))
    (drawn,) = book["Drawn"]._charts
    assert drawn.ser
    for series in drawn.ser:
        assert series.tx.strRef.f.startswith("'chart data'!")
    assert book["chart data"].sheet_state == "hidden"


def test_a_chart_without_anything_to_draw_is_left_out():
    document = Document("T", [Section("Drawn", chart=LineChart([], "x", "y", "nothing"))])
    assert opened(office_file(document, "excel")).sheetnames == ["Story"]


def test_a_table_of_shades_is_a_sheet():
    np = pytest.importorskip("numpy")
    heat = Heat(["=a", "b"], ["c", "=d"], np.array([[0.1, np.nan], [0.3, 1.0]]), "share", "words", middle=0.5)
    book = opened(office_file(Document("T", [Section("Pairs", chart=heat)]), "excel"))
    assert cells(book["Pairs, shaded"]) == [("", "c", "=d"), ("=a", 0.1, "–"), ("b", 0.3, 1)]
    assert book["Pairs, shaded"].conditional_formatting


def test_labels_that_look_alike_keep_their_own_columns_of_shades():
    np = pytest.importorskip("numpy")
    names = ["", "1", "1"]  # as "", 1 and "1" are printed
    heat = Heat(
        names, names, np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]), "share", "words", middle=0.5
    )
    book = opened(office_file(Document("T", [Section("Pairs", chart=heat)]), "excel"))
    head, *rows = cells(book["Pairs, shaded"])
    assert len(set(head)) == len(head) == 4
    assert [row[1:] for row in rows] == [(0.1, 0.2, 0.3), (0.4, 0.5, 0.6), (0.7, 0.8, 0.9)]


def test_options_to_choose_are_numbers_where_values_are():
    book = opened(workbook(RowSheet("decide", [["item", "decision"], ["a", 2]], choice=Dropdown(1, [1, 2, 3]))))
    assert cells(book["options"]) == [(1,), (2,), (3,)]


def test_every_answer_is_a_workbook(tmp_path):
    study = ia.Annotations.of(ROWS)
    answers = [ia.alpha(study), ia.annotators(study), ia.crowd.majority_vote(study)]
    for answer in answers:
        book = openpyxl.load_workbook(answer.write(tmp_path / "a.xlsx"))
        assert book.sheetnames[0] == "Story"
        assert len(book.sheetnames) > 1
