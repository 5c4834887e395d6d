"""What is one value and what is none: blanks, case, Unicode forms, spellings of numbers, codes for no annotation."""

import json
from collections import Counter

import pytest
from conftest import need

import interagree as ia
from interagree import read
from interagree.data import Annotations
from interagree.gather.missing import missing_codes

PARTS = {"item": "item", "annotator": "annotator", "value": "value"}
CODED = [
    (1, "ann", 1),
    (1, "bo", 2),
    (2, "ann", 99),
    (2, "bo", 1),
    (3, "ann", 3),
    (3, "bo", 3),
    (4, "ann", 2),
    (4, "bo", 2),
]


@pytest.fixture
def file(tmp_path):
    def made(content, name="a.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return made


def long(*values):
    """A long table in which each item has the values of two annotators."""
    rows = (f"{n // 2},{'ann' if n % 2 else 'bo'},{value}" for n, value in enumerate(values))
    return "\n".join(["item,annotator,value", *rows]) + "\n"


def steps(study, what):
    return "; ".join(step.sentence for step in study.provenance.steps if step.what == what)


def written(tmp_path, ending, rows=CODED):
    """A table of numbers in a file of some type, written by pandas or json."""
    path = tmp_path / f"a.{ending}"
    frame = need("pandas").DataFrame(rows, columns=list(PARTS))
    match ending:
        case "csv":
            frame.to_csv(path, index=False)
        case "xlsx":
            need("openpyxl")
            frame.to_excel(path, index=False)
        case "parquet":
            need("pyarrow")
            frame.to_parquet(path)
        case _:
            path.write_text(json.dumps(frame.to_dict(orient="records")), encoding="utf-8")
    return path


# -- codes and scales that are stated -----------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "json"])
@pytest.mark.parametrize("code", ["99", 99, "99.0", 99.0, ["99"]])
def test_a_missing_code_means_the_same_in_every_type_of_file(tmp_path, ending, code):
    study = read(written(tmp_path, ending), **PARTS, missing=code).single()
    assert len(study) == 7
    told = code[0] if isinstance(code, list) else code
    assert f"1 cell with the missing code {told!r} left out" in study.provenance.policy()
    assert "empty" not in study.provenance.policy()


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "json"])
@pytest.mark.parametrize("values", [["1", "2", "3", "4"], [1, 2, 3, 4], [1.0, "2", 3, "4.0"]])
def test_a_stated_scale_means_the_same_in_every_type_of_file(tmp_path, ending, values):
    study = read(written(tmp_path, ending), **PARTS, missing=["99"], values=values, ordered=True).single()
    assert [float(value) for value in study.values] == [1, 2, 3, 4]
    assert len({type(value) for value in study.values}) == 1
    wanted = ia.alpha([row for row in CODED if row[2] != 99], distance="ordinal").value
    assert ia.alpha(study, distance="ordinal").value == pytest.approx(wanted)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "json"])
def test_the_command_line_says_what_a_code_did(tmp_path, ending, monkeypatch):
    from click.testing import CliRunner

    from interagree.cli import main

    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, ending)
    options = ["--item", "item", "--annotator", "annotator", "--value", "value"]
    told = CliRunner().invoke(main, ["measure", path.name, *options, "--missing", "99", "--values", "1,2,3"])
    assert told.exit_code == 0, told.output
    assert "1 cell with the missing code '99' left out" in " ".join(told.output.split())
    other = CliRunner().invoke(main, ["measure", path.name, *options, "--missing", "98"])
    assert "the missing code '98' is not among the values" in " ".join(other.output.split())


def test_a_code_that_matches_nothing_is_said():
    study = Annotations.of([(1, "a", "x"), (1, "b", "y")], missing=["99"])
    assert "the missing code '99' is not among the values 'x', 'y'" in steps(study, "noticed")


def test_cells_left_out_are_told_apart_from_empty_ones(file):
    study = read(file(long(1, 2, 99, "", 99, 1, 2, 2)), **PARTS, missing="99").single()
    assert "2 cells with the missing code '99' left out" in steps(study, "dropped")
    assert "1 empty cell taken as no annotation" in steps(study, "dropped")
    wide = read(file("item,ann,bo\n1,1,99\n2,,2\n3,2,1\n"), item="item", layout="wide", missing=[99]).single()
    assert "1 cell with the missing code 99 left out" in steps(wide, "dropped")
    assert "1 empty cell taken as no annotation" in steps(wide, "dropped")


def test_truth_values_are_matched_by_their_words(tmp_path):
    rows = [(1, "ann", True), (1, "bo", False), (2, "ann", True), (2, "bo", True)]
    path = written(tmp_path, "json", rows)
    assert len(read(path, **PARTS, missing="false").single()) == 3
    assert len(read(path, **PARTS, missing=[1]).single()) == 4


# -- spellings of one value ---------------------------------------------------------------------------------


def test_one_and_one_point_zero_in_a_text_file_are_one_number(file):
    text = "item,ann,bo\n1,1.0,1\n2,2.0,2\n3,,2\n4,3.0,3\n"
    study = read(file(text), item="item", layout="wide").single()
    assert study.values == ("1", "2", "3")
    assert "spellings of one number taken as one: '1.0', '1'" in steps(study, "merged")
    assert ia.alpha(study).value == 1


def test_one_and_one_point_zero_in_two_files_are_one_number(file):
    paths = [file("item,value\n1,1\n2,2\n3,3\n", "ann.csv"), file("item,value\n1,1.0\n2,2.0\n3,\n4,3.0\n", "bo.csv")]
    study = read(paths, item="item", annotator="{file}", value="value").single()
    assert study.values == ("1", "2", "3")
    assert ia.alpha(study).value == 1
    assert "3 values spelled in two ways taken as one" in study.provenance.policy()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (["01", "02", "10", "01"], ("01", "02", "10")),
        (["01", "1", "2", "3"], ("1", "2", "3")),
        (["0.50", "0.5", ".25", "1"], (".25", "0.5", "0.50", "1")),
        (["0.50", "0.5", "0.25", "1"], ("0.25", "0.5", "1")),
        (["1.0", "2.0"], ("1.0", "2.0")),
        (["1", "1.0", "low", "2"], ("1", "1.0", "2", "low")),
        (["12345678901234567", "12345678901234568"], ("12345678901234567", "12345678901234568")),
        (["+1", "1", "-1", "-1.0"], ("-1", "1")),
    ],
)
def test_only_spellings_of_one_number_become_one(file, given, wanted):
    assert set(read(file(long(*given)), **PARTS).single().values) == set(wanted)


def test_a_number_stored_as_text_in_a_sheet_is_the_number(tmp_path):
    rows = [(1, "ann", 1), (1, "bo", "1"), (2, "ann", 2), (2, "bo", 2), (3, "ann", "3"), (3, "bo", 3)]
    study = read(written(tmp_path, "xlsx", rows), **PARTS).single()
    assert study.values == (1, 2, 3)
    assert ia.alpha(study).value == 1


def test_blanks_around_cells_never_make_two_labels_in_text_files(file):
    path = file("item,annotator,value\n1,ann,yes\n1,bo ,yes \n 2,ann,no\n2,bo,  no\n")
    study = read(path, **PARTS).single()
    assert (study.values, study.annotators, study.items) == (("no", "yes"), ("ann", "bo"), ("1", "2"))
    assert "spaces around the value removed in 2 cells" in steps(study, "merged")
    kept = read(path, **PARTS, trim=False).single()
    assert len(kept.values) == 4
    assert "differ only in case or spaces" in steps(kept, "noticed")
    assert steps(kept, "noticed").endswith("to take them as one, pass trim=True")


def test_blanks_in_python_objects_stay_unless_asked():
    rows = [(1, "a", "x "), (1, "b", "x")]
    assert len(Annotations.of(rows).values) == 2
    assert Annotations.of(rows, trim=True).values == ("x",)


def test_case_is_folded_where_it_is_asked_for(file):
    path = file(long("Yes", "yes", "NO", "no", "no", "No"))
    assert "to take them as one, pass fold_case=True" in steps(read(path, **PARTS).single(), "noticed")
    study = read(path, **PARTS, fold_case=True).single()
    assert study.values == ("no", "yes")
    assert "upper and lower case taken as one, 3 cells changed" in steps(study, "merged")
    scale = read(path, **PARTS, fold_case=True, values=["No", "Yes"], ordered=True).single()
    assert scale.values == ("no", "yes")


@pytest.mark.parametrize("door", ["file", "rows", "frame"])
def test_unicode_forms_of_one_text_are_one_value(file, door):
    composed, apart = "caf\u00e9", "cafe\u0301"
    rows = [(1, "ann", composed), (1, "bo", apart), (2, "ann", "tea"), (2, "bo", "tea")]
    if door == "file":
        study = read(file(long(composed, apart, "tea", "tea")), **PARTS).single()
    elif door == "rows":
        study = Annotations.of(rows)
    else:
        study = Annotations.of(need("pandas").DataFrame(rows, columns=list(PARTS)))
    assert study.values == (composed, "tea")
    assert "two Unicode forms taken as one" in steps(study, "merged")


def test_unicode_forms_of_a_name_are_one_annotator():
    study = Annotations.of([(1, "Zoe\u0308", "x"), (2, "Zo\u00eb", "y"), (1, "bo", "x")])
    assert study.annotators == ("Zo\u00eb", "bo")


# -- codes that nobody stated -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "certain", "doubtful"),
    [
        (["1", "2", "3", "."], {"."}, set()),
        (["0", "1", "-"], {"-"}, set()),
        (["yes", "no", "n/a"], {"n/a"}, set()),
        (["good", "bad", "NA"], {"NA"}, set()),
        (["1", "2", "NaN", "#DIV/0!"], {"NaN", "#DIV/0!"}, set()),
        (["ja", "nein", "k.A."], {"k.A."}, set()),
        (["+", "-", "0"], set(), set()),
        (["EU", "AS", "AF", "NA"], set(), {"NA"}),
        (["Y", "N", "NA"], set(), {"NA"}),
        (["NN", "VB", "DT", "JJ", "IN", "RB", "."], set(), set()),
        (["1", "NA"], set(), {"NA"}),
        (["yes", "no", "?"], set(), {"?"}),
        (["none", "mild", "severe"], set(), set()),
        (["None", "Minor", "Severe"], set(), set()),
        (["None", "cat", "dog"], set(), {"None"}),
        (["1", "2", "None"], set(), {"None"}),
        (["1", "2", "3", "99"], set(), {"99"}),
        ([1, 2, 3, 4, 5, -1], set(), {-1}),
        ([-1, 0, 1], set(), set()),
        ([-9, -1, 0, 1], set(), {-9}),
        (["0", "17", "42", "99"], set(), set()),
        ([98, 99, 100], set(), set()),
        (["cat", "dog"], set(), set()),
        (["", "1", "2"], set(), set()),
    ],
)
def test_what_may_mean_no_annotation_is_told_from_the_other_values(values, certain, doubtful):
    found = missing_codes(Counter(values * 5))
    assert set(found.certain) == certain
    assert set(found.doubtful) == doubtful


def test_signs_that_cannot_be_labels_are_taken_as_missing_and_said(file):
    path = file(long(1, 2, ".", 2, 3, 3, 1, 1))
    study = read(path, **PARTS).single()
    assert study.values == ("1", "2", "3")
    assert "1 cell '.' taken as no annotation; if it is a label, pass missing=['']" in steps(study, "assumed")
    assert "." in read(path, **PARTS, missing=[""]).single().values
    assert "." in read(path, **PARTS, values=["1", "2", "3", "."]).single().values


def test_doubtful_codes_stay_values_and_are_noticed(file):
    study = read(file(long(1, 2, 99, 2, 3, 3, 1, 1)), **PARTS).single()
    assert "99" in study.values
    assert "1 cell '99', outside the scale from 1 to 3, may mean" in steps(study, "noticed")
    assert "pass missing=['99']" in steps(study, "noticed")
    assert "1 cell 99, outside the scale from 1 to 3" in steps(Annotations.of(CODED), "noticed")


def test_words_are_values_where_a_table_has_a_null_of_its_own():
    rows = [(1, "a", "good"), (1, "b", "NA"), (2, "a", "bad"), (2, "b", None), (3, "a", "good"), (3, "b", ".")]
    study = Annotations.of(rows)
    assert set(study.values) == {"good", "bad", "NA"}
    assert "pass missing=['NA']" in steps(study, "noticed")


def test_the_policy_agrees_with_tables_as_people_keep_them(shared):
    folder = shared / "data" / "tables"
    if not folder.is_dir():
        pytest.skip(f"there are no tables in {folder}")
    checked = 0
    for truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        path = folder / "expected" / f"{truth['name']}.json"
        for rows in json.loads(path.read_text(encoding="utf-8"))["questions"].values():
            counts = Counter(str(value) for _, _, value in rows) + Counter(truth["missing"])
            assert set(missing_codes(counts).certain) == set(truth["missing"]), truth["name"]
            checked += 1
    assert checked > 100
