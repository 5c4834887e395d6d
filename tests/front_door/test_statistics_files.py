"""SPSS, Stata and SAS: value labels, declared missing values, and the same values from every format."""

import gzip

import pytest
from conftest import need

from interagree import read
from interagree.errors import FormatError

LABELS = {1: "low", 2: "mid", 3: "high", 99: "no answer"}
RATINGS = {"id": [1, 2, 3, 4], "r1": [1.0, 2.0, 99.0, None], "r2": [1.0, 2.0, 2.0, 2.0]}
ANSWERS = {(1, "r1", "low"), (2, "r1", "mid"), (1, "r2", "low"), *((n, "r2", "mid") for n in (2, 3, 4))}
WIDE = {"layout": "wide", "item": "id", "annotator": ["r1", "r2"]}


@pytest.fixture
def pyreadstat():
    return need("pyreadstat")


@pytest.fixture
def sav(tmp_path, pyreadstat):
    def write(measure="ordinal", labels=LABELS, name="a.sav", data=RATINGS):
        path = tmp_path / name
        pyreadstat.write_sav(
            need("pandas").DataFrame(data),
            str(path),
            compress=name.endswith("zsav"),
            variable_value_labels={"r1": labels, "r2": labels},
            missing_ranges={"r1": [99], "r2": [{"lo": 90, "hi": 99}]},
            variable_measure={"r1": measure, "r2": measure},
        )
        return path

    return write


@pytest.mark.parametrize("name", ["a.sav", "a.zsav"])
def test_labels_of_spss_are_the_values_in_their_order(sav, name):
    study = read(sav(name=name), **WIDE)
    assert set(study.single().rows()) == ANSWERS
    assert study.single().values == ("low", "mid", "high")
    assert study.single().ordered
    assert "value labels as the values of 'r1', 'r2'" in study.policy()
    assert "1 cell declared as missing taken as empty, in 'r1'" in study.policy()


def test_nominal_labels_have_no_order(sav):
    assert not read(sav("nominal"), **WIDE).single().ordered


def test_numbers_can_be_kept(sav):
    found = read(sav(), labels=False, **WIDE).single()
    assert found.values == (1, 2)
    assert {type(value) for value in found.values} == {int}


def test_a_scale_with_labels_at_its_ends_stays_a_scale(sav):
    study = read(sav(labels={1: "never", 3: "always"}), **WIDE)
    assert study.single().values == (1, 2)
    assert "only some numbers of 'r1', 'r2' have a label, so the numbers stay" in study.policy()


def test_stata_has_its_labels_and_its_letters_for_missing(tmp_path, pyreadstat):
    path = tmp_path / "a.dta"
    frame = need("pandas").DataFrame({**RATINGS, "r1": [1, 2, "a", None]})
    labels = {number: label for number, label in LABELS.items() if number < 4}
    pyreadstat.write_dta(
        frame,
        str(path),
        variable_value_labels={"r1": labels, "r2": labels},
        missing_user_values={"r1": ["a"]},
        version=15,
    )
    study = read(path, **WIDE)
    assert set(study.single().rows()) == ANSWERS
    assert "1 cell declared as missing" in study.policy()


def test_sas_transport_and_spss_portable_files_are_read(tmp_path, pyreadstat):
    frame = need("pandas").DataFrame(RATINGS)
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"))
    pyreadstat.write_por(frame, str(tmp_path / "a.por"))
    expected = {(n, a, int(v)) for a in ("r1", "r2") for n, v in zip(RATINGS["id"], RATINGS[a], strict=True) if v}
    assert set(read(tmp_path / "a.xpt", **WIDE).single().rows()) == expected
    upper = {"layout": "wide", "item": "ID", "annotator": ["R1", "R2"]}
    assert {(n, a.lower(), v) for n, a, v in read(tmp_path / "a.por", **upper).single().rows()} == expected


def test_a_packed_file_is_unpacked(sav, tmp_path):
    path = tmp_path / "b.sav.gz"
    path.write_bytes(gzip.compress(sav().read_bytes()))
    assert set(read(path, **WIDE).single().rows()) == ANSWERS


def test_a_file_of_another_kind_is_refused(tmp_path, pyreadstat):
    path = tmp_path / "a.sav"
    path.write_text("item,annotator,value\n", encoding="utf-8")
    with pytest.raises(FormatError, match="is not a file of SPSS, Stata or SAS"):
        read(path)


NUMBERS = {"id": [1, 2, 3, 4], "r1": [1.0, 2.0, 3.0, None], "r2": [1.0, 2.0, 2.0, 2.0]}


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "feather", "json", "jsonl", "sav", "dta"])
def test_whole_numbers_are_the_same_from_every_format(tmp_path, pyreadstat, ending):
    pandas = need("pandas")
    need("openpyxl")
    need("python_calamine")
    need("pyarrow")
    frame, path = pandas.DataFrame(NUMBERS), tmp_path / f"a.{ending}"
    {
        "xlsx": lambda: frame.to_excel(path, index=False),
        "parquet": lambda: frame.to_parquet(path, index=False),
        "feather": lambda: frame.to_feather(path),
        "json": lambda: frame.to_json(path, orient="records", double_precision=1),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "sav": lambda: pyreadstat.write_sav(frame, str(path)),
        "dta": lambda: pyreadstat.write_dta(frame, str(path)),
    }[ending]()
    found = read(path, **WIDE).single()
    assert found.rows() == [
        (n, a, int(v)) for a in ("r1", "r2") for n, v in zip(NUMBERS["id"], NUMBERS[a], strict=True) if v is not None
    ]
    assert {type(value) for value in found.values} == {int}
