"""Workbooks as people keep them."""

import base64
import datetime as dt
import io
import re
import zipfile
import zlib
from typing import Any

import pytest
from conftest import need
from readers.samples import XLS

from interagree import read
from interagree.data.files import Source
from interagree.errors import FormatError, UnknownName
from interagree.reading.sheets import tables
from interagree.reading.tables import NamedColumns

LONG = [["item", "annotator", "value"], ["a", "ann", 1], ["a", "bo", 2.5], ["b", "ann", "x"]]

SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}


@pytest.fixture
def book(tmp_path):
    """A function that writes sheets to a workbook and gives its path."""
    openpyxl = need("openpyxl")
    need("python_calamine")

    def write(sheets: dict[str, Any], change: Any = None) -> Any:
        made = openpyxl.Workbook()
        made.remove(made.active)
        for name, rows in sheets.items():
            sheet = made.create_sheet(name)
            for row in rows:
                sheet.append(row)
        if change is not None:
            change(made)
        path = tmp_path / "a.xlsx"
        made.save(path)
        return path

    return write


def column(path, name, **options):
    table = tables(Source.of(path), **options)
    assert isinstance(table, NamedColumns)
    return list(table.fetch([name])[name])


def ods(path, rows):
    need("python_calamine")
    cell = {
        str: '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>',
        float: '<table:table-cell office:value-type="float" office:value="{}"/>',
    }
    body = "".join(
        "<table:table-row>"
        + "".join(cell[str if isinstance(one, str) else float].format(one) for one in row)
        + "</table:table-row>"
        for row in rows
    )
    spaces = " ".join(f'xmlns:{name}="{place}"' for name, place in SPACES.items())
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
        packed.writestr(
            "content.xml",
            f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="S">'
            f"{body}</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return path


def test_old_excel_and_opendocument_give_the_same_study_as_new_excel(book, tmp_path):
    old = tmp_path / "a.xls"
    old.write_bytes(zlib.decompress(base64.b85decode(XLS)))
    rows = [tuple(row) for row in LONG[1:]]
    for path in (book({"S": LONG}), old, ods(tmp_path / "a.ods", LONG)):
        found = read(path).single().rows()
        assert found == rows
        assert [type(value) for *_, value in found] == [int, float, str]


def test_whole_numbers_are_whole_and_dates_have_midnight(book):
    when = dt.datetime(2020, 1, 3)  # noqa: DTZ001 -- spreadsheets know no time zones
    path = book({"S": [["n", "day"], [1.0, when], [2.5, when.replace(hour=4)], [True, None]]})
    assert column(path, "n") == [1, 2.5, True]
    assert [type(cell) for cell in column(path, "n")] == [int, float, bool]
    assert column(path, "day") == [when, when.replace(hour=4), None]


def test_numbers_too_long_for_a_spreadsheet_are_noticed(book):
    path = book({"S": [["item", "annotator", "value"], [10**18 + 1, "ann", "x"], [10**18 + 900, "ann", "y"]]})
    assert "2 whole numbers too long for a spreadsheet" in read(path).policy()


def test_errors_and_formulas_without_a_value_are_empty_cells_and_said(book):
    path = book({"S": [["item", "annotator", "value"], [1, "ann", "x"], [2, "ann", "#N/A"], [3, "ann", "=1+1"]]})
    study = read(path)
    assert study.single().rows() == [(1, "ann", "x")]
    assert "1 cell with an error such as #N/A taken as empty" in study.policy()
    assert "1 formula without a value taken as empty" in study.policy()


def test_a_size_that_is_out_of_date_loses_no_row(book):
    path = book({"S": LONG})
    stale = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(stale, "w") as new:
        for name in old.namelist():
            content = re.sub(rb'<dimension ref="[^"]*"\s*/>', b'<dimension ref="A1:B2"/>', old.read(name))
            new.writestr(name, content)
    path.write_bytes(stale.getvalue())
    assert len(read(path).single()) == 3


def test_a_sheet_of_remarks_is_left_out_and_a_hidden_one_too(book):
    def hide(made):
        made["old"].sheet_state = "hidden"

    path = book({"About": [["Coding of spring"], ["by two people"]], "Data": LONG, "old": LONG}, hide)
    study = read(path)
    assert len(study.single()) == 3
    assert "the sheet 'Data', the only one of 3 that was taken for a table" in study.policy()
    assert "1 hidden sheet not read: 'old'; to read it, pass sheet='old'" in study.policy()
    assert "sheets without a table left out: 'About' (2 cells)" in study.policy()
    assert len(read(path, sheet="old").single()) == 3


def test_all_sheets_that_hold_tables_are_handed_on(book):
    path = book({"ann": LONG, "bo": LONG, "Notes": [["nothing"]]})
    found = tables(Source.of(path))
    assert list(found) == ["ann", "bo"]
    assert list(tables(Source.of(path), ["bo", 0])) == ["bo", "ann"]
    assert isinstance(tables(Source.of(path), ["bo"]), NamedColumns)
    columns = book({who: [["label"], *([value] for value in "xyxyxy")] for who in ("ann", "bo")})
    assert list(tables(Source.of(columns))) == ["ann", "bo"]


def test_a_sheet_is_stated_by_name_or_number(book):
    path = book({"one": LONG, "two": [*LONG, ["c", "bo", 3]]})
    assert len(read(path, sheet="two").single()) == 4
    assert len(read(path, sheet=1).single()) == 4
    assert len(read(path, sheet="1").single()) == 4  # as the command line gives it
    with pytest.raises(UnknownName, match=r"no sheet 'tow'; it has 'one', 'two'. Did you mean 'two'"):
        read(path, sheet="tow")


def test_rows_on_top_and_the_header_can_be_stated(book):
    path = book({"S": [["a", "b", "c"], *([f"i{n}", who, "x"] for n in range(3) for who in ("ann", "bo"))]})
    table = tables(Source.of(path), header=False)
    assert isinstance(table, NamedColumns)
    assert list(table.names) == [0, 1, 2]
    assert len(column(path, 0, header=False)) == 7
    assert column(path, "i0", skip=1, header=True) == ["i0", "i1", "i1", "i2", "i2"]


def test_merged_cells_of_a_header_hold_for_all_columns_below_them(book):
    def merge(made):
        made["S"].merge_cells("B1:C1")
        made["S"].merge_cells("D1:E1")

    path = book(
        {
            "S": [
                ["", "ann", None, "bo", None],
                ["text", "tone", "topic", "tone", "topic"],
                ["good day", "pos", "a", "pos", "b"],
                ["bad day", "neg", "b", "pos", "b"],
                ["late day", "neg", "a", "neg", "a"],
            ]
        },
        merge,
    )
    table = tables(Source.of(path))
    assert isinstance(table, NamedColumns)
    assert list(table.names) == ["text", "ann / tone", "ann / topic", "bo / tone", "bo / topic"]


def test_dates_among_other_entries_are_noticed(book):
    when = dt.datetime(2020, 1, 3)  # noqa: DTZ001 -- as above
    rows = [["item", "annotator", "value"], *([n, "ann", "1,4"] for n in range(5)), [9, "ann", when]]
    assert "1 cell of the column 'value' is a date and 5 are not" in read(book({"S": rows})).policy()


def test_what_is_no_workbook_says_what_to_try(tmp_path):
    need("python_calamine")
    path = tmp_path / "a.xls"
    path.write_text("item,annotator,value\na,ann,1\na,bo,1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"is not an Excel workbook .* read it with format='csv'"):
        read(path)
    assert len(read(path, format="csv").single()) == 2


def test_empty_workbooks_say_so(book):
    with pytest.raises(FormatError, match="all sheets are empty"):
        read(book({"S": []}))
    with pytest.raises(FormatError, match="the sheet 'S' is empty"):
        read(book({"S": [], "T": LONG}), sheet="S")
