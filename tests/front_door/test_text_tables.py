"""Text files as people keep them: encodings, delimiters, headers, titles, totals and ragged ends."""

import contextlib
import csv
import io
import json
import random
import sys

import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as st

from interagree import read
from interagree.errors import FormatError, KindError
from interagree.reading.grid import table_from_grid

LONG = {"item": 1, "annotator": 0, "value": 2}
ROWS = {("d1", "w1", "cat"), ("d1", "w2", "dog"), ("d2", "w1", "dog"), ("d2", "w2", "dog")}
LINES = ["w1,d1,cat", "w2,d1,dog", "w1,d2,dog", "w2,d2,dog"]
TABLE = "\n".join(["worker,doc,label", *LINES]) + "\n"


@pytest.fixture
def file(tmp_path):
    def made(content, name="a.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return made


@pytest.fixture(params=["by hand", "by Arrow"])
def way(request, monkeypatch):
    """Both ways to read a text file."""
    if request.param == "by Arrow":
        need("pyarrow")
        monkeypatch.setattr(sys.modules["interagree.readers.csv"], "LARGE", 0)
    return request.param


def table(text, **options):
    return table_from_grid(list(csv.reader(io.StringIO(text, newline=""))), name="a table", **options)


def columns(found):
    return {name: list(column) for name, column in found.fetch(found.names).items()}


def said(found):
    return "; ".join(step.sentence for step in found.steps)


# -- bytes and cells ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("utf-16-le", "text in utf-16-le"),
        ("utf-16-be", "text in utf-16-be"),
        ("utf-32", ""),
        ("cp1252", "text in cp1252, because it is not valid UTF-8"),
    ],
)
def test_the_encoding_is_told_from_the_bytes(file, way, encoding, note):
    text = TABLE.replace("cat", "Kätzchen").replace("dog", "naïve – Hündchen")
    study = read(file(text.encode(encoding)), item="doc", annotator="worker", value="label")
    assert study.single().values == ("Kätzchen", "naïve – Hündchen")
    assert ("text in" in study.policy()) == bool(note)
    assert note in study.policy()


def test_old_macintosh_files_are_told_by_their_line_ends(file):
    text = TABLE.replace("cat", "café").replace("\n", "\r")
    study = read(file(text.encode("mac_roman")), item="doc", annotator="worker", value="label")
    assert "café" in study.single().values
    assert "text in mac_roman" in study.policy()


def test_other_scripts_are_told_apart_or_asked_for(file, monkeypatch):
    words = ["собака", "кошка", "железный", "подземный", "гуманитарный", "правительство", "человек", "время"]
    text = "item,worker,label\n" + "".join(f"{n},w{k},{words[(n + k) % 8]}\n" for n in range(8) for k in (1, 2))
    path = file(text.encode("cp1251"))
    told = {"item": "item", "annotator": "worker", "value": "label"}
    assert "кошка" in read(path, encoding="cp1251", **told).single().values
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    with pytest.raises(FormatError, match=r"line 2: .* name its encoding, as in encoding='cp1251'"):
        read(path, **told)


@pytest.mark.parametrize("encoding", ["iso8859_2", "cp1250"])
def test_letters_of_central_europe_are_not_taken_for_signs(file, encoding):
    path = file(TABLE.replace("cat", "źle").replace("w1", "Łukasz").encode(encoding))
    told = {"item": "doc", "annotator": "worker", "value": "label"}
    with pytest.raises(FormatError, match=r"line 2: .* name its encoding, as in encoding='cp1250'"):
        read(path, **told)
    assert "Łukasz" in read(path, encoding=encoding, **told).single().annotators


def test_signs_of_western_europe_stay_signs(file):
    odd = "¿qué? ¡hola! »nein« 1º ½ l ¼l, m² µg l´eau col·lecció £5 5€ ±2 Nº3 naïve"
    study = read(file(TABLE.replace("cat", f'"{odd}"').encode("cp1252")), item="doc", annotator="worker", value="label")
    assert odd in study.single().values


@pytest.mark.parametrize("sign", [",", ";", "\t", "|", " ", "   "])
def test_the_delimiter_is_told_from_the_lines(file, sign):
    study = read(file(TABLE.replace(",", sign), "a.txt"), item="doc", annotator="worker", value="label")
    assert set(study.single().rows()) == ROWS
    assert ("cells separated by blanks" in study.policy()) == (not sign.strip() and sign != "\t")


def test_a_first_line_may_state_the_delimiter(file, way):
    text = "sep=;\n" + TABLE.replace(",", ";").replace("cat", "cat, tabby")
    study = read(file(text), item="doc", annotator="worker", value="label")
    assert "cat, tabby" in study.single().values


def test_labels_with_another_delimiter_inside_do_not_mislead(file):
    text = "item,label\n" + "".join(f"{n},a|b|c\n" for n in range(9))
    assert read(file(text), item="item", annotator="{file}", value="label").single().values == ("a|b|c",)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_known(file, way, end):
    study = read(file(TABLE.replace("\n", end)), item="doc", annotator="worker", value="label")
    assert set(study.single().rows()) == ROWS


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_also_where_cells_hold_line_ends(file, end):
    text = f'doc,worker,label{end}1,ann,"two{end}lines"{end}2,,x{end}'
    with pytest.raises(ValueError, match="the first being line 4"):
        read(file(text), item="doc", annotator="worker", value="label")


def test_decimal_commas_become_points_and_are_said(file, way):
    text = "item;x;y\n1;0,5;1,5\n2;2,5;1\n3;5;2\n4;1;1,5\n"
    study = read(file(text), item="item", layout="wide")
    assert study.single().values == ("0.5", "1", "1.5", "2", "2.5", "5")
    assert "commas in 'x', 'y' taken as decimal points" in study.policy()
    mixed = read(file("item;x;y\n1;0,5;1,3\n2;k.A.;1,4\n3;5.0;2\n4;1;.\n"), item="item", layout="wide")
    assert mixed.single().values == ("0.5", "1", "1.3", "1.4", "2", "5.0")


def test_numbers_around_a_comma_that_may_be_labels_are_left_alone(file):
    path = file("item;x;y\n1;1,3;1,2\n2;2,6;1\n3;2;2\n4;1;1,4\n")
    study = read(path, item="item", layout="wide")
    assert "'1,3' may be decimal numbers or several labels" in study.policy()
    assert "1,3" in study.single().values
    assert "1.3" in read(path, item="item", layout="wide", decimal="comma").single().values
    sets = read(path, item="item", layout="wide", split=",")
    assert frozenset("13") in sets.single().values
    assert "decimal" not in sets.policy()
    with pytest.raises(KindError, match="decimal must be 'comma' or 'point'"):
        read(path, decimal=",")


# -- rows of different length -------------------------------------------------------------------------------


def test_a_row_that_ends_early_is_filled_up_and_said(file, way):
    study = read(file(TABLE + "w3,d3\n"), item="doc", annotator="worker", value="label")
    assert set(study.single().rows()) == ROWS
    assert "1 row shorter than the header, the first being line 6" in study.policy()


@pytest.mark.parametrize("row", ["d3,cat", "d1,dog"])
def test_a_row_that_lost_a_cell_before_its_end_is_an_error(file, way, row):
    with pytest.raises(FormatError, match=r"line 6: expected 3 cells .* found 2"):
        read(file(f"{TABLE}{row}\n".replace("d3", "d2")), item="doc", annotator="worker", value="label")


def test_surplus_cells_that_are_empty_do_not_count(file, way):
    text = TABLE.replace("dog\n", "dog,,\n")
    study = read(file(text), item="doc", annotator="worker", value="label")
    assert set(study.single().rows()) == ROWS
    with pytest.raises(FormatError, match=r"line 3: expected 3 cells .* found 5"):
        read(file(TABLE.replace("w2,d1,dog\n", "w2,d1,dog,,x\n")))


def test_empty_rows_and_columns_are_left_out(file, way):
    text = "doc,,ann,bo,,\n,,,,,\nd1,,x,y,,\n\nd2,,y,y,,\n,,,,,\n"
    study = read(file(text), item="doc", layout="wide")
    assert study.single().annotators == ("ann", "bo")
    assert "1 empty column left out" in study.policy()


# -- header -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [",", " "])
def test_a_file_without_header_is_not_read_with_its_first_row_as_names(file, way, sign):
    path = file("\n".join(LINES).replace(",", sign) + "\n", "a.txt")
    study = read(path, **LONG)
    assert set(study.single().rows()) == ROWS
    assert "no header: line 1 holds data like the lines below it" in study.policy()
    assert set(read(path, header=False, **LONG).single().rows()) == ROWS
    assert "no header" not in read(path, header=False, **LONG).policy()
    assert list(table("\n".join(LINES)).names) == [0, 1, 2]
    typed = {part: str(place) for part, place in LONG.items()}  # as on the command line
    assert set(read(path, **typed).single().rows()) == ROWS


@pytest.mark.parametrize(
    "rows",
    [
        ["item,1,2,3", "d1,0,3,1", "d2,4,0,0", "d3,1,2,1"],
        [",yes,no", "a,3,1", "b,2,2", "c,0,4"],
        ["Diagnosis,Flu,Cold", "Flu,40,6", "Cold,4,25"],
        ["rater1,rater2", "1,1", "2,1", "1,2"],
        ["Text,label", "some words,a", "other words,b"],
        ["img_id,asta,maja", "PAT_1,1,1", "PAT_2,0,1", "PAT_3,1,1"],
        ["a,b", "1,2"],
        ["worker,doc,label"],
        ["question,Anna,Jörg", "q1,yes,no", "q2,no,no", "question,Anna,Jörg", "q3,yes,no"],
    ],
)
def test_a_header_is_recognised(rows):
    found = table("\n".join(rows))
    first, *rest = rows[0].split(",")
    assert [str(name) for name in found.names] == ([first, *rest] if first else rest)


@pytest.mark.parametrize(
    "rows",
    [
        ["14793,neutral,negative", "3335,negative,positive", "3588,positive,neutral", "1,negative,negative"],
        ["0,1,4", "2,2,4", "1,0,0", "3,1,4"],
        ["3,3", "4,5", "2,3"],
        ["tweet1,pos,pos", "tweet2,neg,pos", "tweet3,pos,neg"],
    ],
)
def test_data_in_the_first_row_are_data(rows):
    found = table("\n".join(rows))
    assert list(found.names) == list(range(len(rows[0].split(","))))
    assert len(columns(found)[0]) == len(rows)


@pytest.mark.parametrize(
    "rows", [["1,2,3", "0,3,1", "4,0,0"], ["ann,x,bird", "ann,yy,cat", "bo,z,cat", "bo,u,dog", "ann,v,dog"]]
)
def test_where_the_first_row_may_be_either_an_error_asks(rows):
    text = "\n".join(rows)
    with pytest.raises(FormatError, match=r"a table, line 1: .* pass header=True .* header=False .* skip=1"):
        table(text)
    assert list(table(text, header=True).names) == rows[0].split(",")
    assert list(table(text, header=False).names) == [0, 1, 2]


def test_the_advice_on_the_header_runs(file):
    path = file("1,2,3\n0,3,1\n4,0,0\n")
    with pytest.raises(FormatError, match="header=True"):
        read(path, layout="wide")
    assert read(path, layout="wide", header=True).single().annotators == ("1", "2", "3")
    assert read(path, layout="wide", header=False).single().annotators == (0, 1, 2)
    assert read(file("junk\n" + TABLE), skip=1, item="doc", annotator="worker", value="label").single()


def test_titles_and_settings_above_the_table_are_set_aside(file, way):
    text = "Annotation round 2,,\nexported,2024-01-05,\n,,\n" + TABLE
    study = read(file(text), item="doc", annotator="worker", value="label", header=None)
    assert set(study.single().rows()) == ROWS
    assert "set aside as title or settings: 'Annotation round 2'" in study.policy()


def test_merged_cells_above_the_names_become_part_of_them():
    found = table(
        ",Anna,,Jörg,,\nitem,mood,tone,mood,tone,comment\n1,good,dry,bad,dry,\n2,bad,warm,bad,dry,hm\n3,bad,dry,good,dry,\n"
    )
    assert list(found.names) == ["item", "Anna / mood", "Anna / tone", "Jörg / mood", "Jörg / tone", "Jörg / comment"]
    assert "two rows of header, as in 'Anna / mood'" in said(found)
    again = table("id,A,A,B,B\n,q1,q2,q1,q2\n1,x,y,y,x\n2,y,y,x,y\n3,x,x,x,x\n")
    assert list(again.names) == ["id", "A / q1", "A / q2", "B / q1", "B / q2"]


def test_rows_that_explain_the_columns_to_machines_are_set_aside():
    rows = [
        ["ResponseId", "Q1"],
        ["Response ID", "Is it good?"],
        ['{"ImportId":"_recordId"}', '{"ImportId":"QID1"}'],
        ["R_1", "yes"],
        ["R_2", "no"],
        ["R_3", "yes"],
    ]
    found = table_from_grid(rows, name="survey")
    assert columns(found)["Q1"] == ["yes", "no", "yes"]
    assert "2 lines below the header set aside" in said(found)


def test_columns_of_one_name_are_told_apart():
    found = table("item,score,score,score\n1,2,3,4\n2,3,3,1\n")
    assert list(found.names) == ["item", "score", "score (2)", "score (3)"]
    assert "columns of the same name numbered: 'score (2)', 'score (3)'" in said(found)


def test_a_first_column_without_a_name_holds_the_names_of_the_rows():
    found = table(",ann,bo\nfirst,x,y\nsecond,y,x\nthird,x,x\n")
    assert list(found.names) == ["ann", "bo"]
    assert list(found.index) == ["first", "second", "third"]
    as_r_writes_it = table("ann,bo\nfirst,x,y\nsecond,y,x\nthird,x,x\n")
    assert list(as_r_writes_it.names) == ["ann", "bo"]
    assert list(as_r_writes_it.index) == ["first", "second", "third"]


# -- below the table ----------------------------------------------------------------------------------------

BODY = "item,ann,bo\nd1,1,2\nd2,2,2\nd3,4,1\nd4,3,3\n"


@pytest.mark.parametrize(
    "below",
    [
        "Total,10,8\n",
        "Mean,2.5,2\nSD,1.29,0.8\n",
        "Mittelwert,2.5,2.0\n",
        ",10,8\n",
        ",2.5,2\n",
        "\nLegend: 1 = bad and 4 = good,,\n",
    ],
)
def test_totals_means_and_legends_are_left_out(file, way, below):
    study = read(file(BODY + below), item="item", layout="wide", header=None)
    assert [str(item) for item in study.single().items] == ["d1", "d2", "d3", "d4"]
    assert "at the bottom left out as totals or notes" in study.policy()


@pytest.mark.parametrize("last", ["total,1,2\nsum,2,2\n", "d5,,\n", ",1,4\n"])
def test_rows_that_only_look_like_totals_stay(last):
    text = BODY.replace("d1", "total").replace("d2", "mean") + last if "sum" in last else BODY + last
    assert len(columns(table(text))["ann"]) == 4 + last.count("\n")
    assert len(columns(table("item,ann,bo\nd1,1,1\nd2,1,1\nd3,1,1\nd4,1,1\n,1,1\n"))["ann"]) == 5


def test_the_margins_of_a_contingency_table_are_left_to_its_layout(file):
    path = file("first,yes,no,maybe,Total\nyes,20,5,0,25\nno,10,15,1,26\nmaybe,0,1,2,3\nTotal,30,21,3,54\n")
    study = read(path, layout="contingency").single()
    assert len(study.items) == 54
    assert study.values == ("yes", "no", "maybe")


# -- all at once --------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000))
def test_a_study_is_the_same_in_every_dialect(tmp_path_factory, seed):
    rng = random.Random(seed)
    labels = rng.choice([["cat", "dog", "cow"], ["1", "2", "3", "4"], ["sehr gut", "gut, fast", 'so "so"']])
    rows = [(f"d{i}", f"w{k}", rng.choice(labels)) for i in range(8) for k in range(rng.randint(2, 4))]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=rng.choice(",;\t|"), lineterminator=rng.choice(["\n", "\r\n", "\r"]))
    tail = [""] * rng.randint(0, 2)
    titles = rng.choice([[], [["a study"]], [["a study", "", ""], ["", "", ""]]])
    writer.writerows(titles)
    names = rng.random() < 0.7
    if names or titles:
        writer.writerow(["doc", "worker", "label", *tail])
    for row in rows:
        writer.writerow([*row, *tail])
        if rng.random() < 0.1:
            writer.writerow(["", "", "", *tail])
    path = tmp_path_factory.mktemp("dialects") / "a.csv"
    path.write_bytes(out.getvalue().encode(rng.choice(["utf-8", "utf-8-sig", "utf-16", "cp1252"])))
    told = (
        {"item": "doc", "annotator": "worker", "value": "label"}
        if names or titles
        else {"item": 0, "annotator": 1, "value": 2}
    )
    with contextlib.suppress(FormatError):  # asked, not guessed
        assert set(read(path, **told).single().rows()) == set(rows)


def real_tables(shared):
    """The text files among the real tables, each with what is known of it, as found and as rows of cells."""
    from interagree.data.files import Source
    from interagree.readers.csv import Form, _by_hand
    from interagree.reading.delimited import DelimitedRows

    folder = shared / "data" / "tables"
    if not folder.is_dir():
        pytest.skip(f"there are no tables in {folder}")
    for truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        path = folder / "files" / truth["name"]
        for part in sorted(path.glob("*.csv")) if path.is_dir() else [path] if path.suffix == ".csv" else []:
            source = Source.of(part)
            form = Form(source.name, source.suffix, None, None, 0, None)
            text = form.table_in(source.decoded()[0])
            bare = truth["read"].get("header", 0) is None or part.name == "relation_rows.csv"
            lines = DelimitedRows(text, source.name).one_by_one(sys.maxsize)
            rows = [row for row, _ in lines if any(map(str.strip, row))]
            yield truth, bare, _by_hand(text, form, []), rows


def test_the_grids_of_real_tables_are_found(shared):
    checked = 0
    for truth, bare, found, _ in real_tables(shared):
        assert (found.names[0] == 0) == bare, truth["name"]
        asked = truth["item"] if isinstance(truth["item"], list) and not bare else []
        assert {str(name).strip() for name in asked} <= set(map(str, found.names)), truth["name"]
        checked += 1
    assert checked > 60


@pytest.mark.parametrize("size", [4, 20, 150])
def test_headers_of_real_tables_are_found_and_their_lack_is_noticed_or_asked_about(shared, size):
    asked = []
    for truth, bare, _, rows in real_tables(shared):
        part = rows[: size + 1]
        if bare or len(part) <= min(size, 20):
            continue
        assert table_from_grid(part, name="whole").names[0] != 0, truth["name"]
        title = ["A study"], ["Date:", "2024-01-05"]
        assert table_from_grid([*title, *part], name="with a title").names[0] != 0, truth["name"]
        try:
            assert table_from_grid(part[1:], name="without header").names[0] == 0, truth["name"]
        except FormatError:
            asked.append(truth["name"])
    assert len(asked) <= 6, asked
