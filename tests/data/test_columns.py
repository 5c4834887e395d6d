"""Columns as codes: every way of numbering gives the same table."""

import pickle

import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as st

from interagree.data import Annotations, arrow, columns
from interagree.data.codes import Coded, KeptRows, Names, names_at
from interagree.data.columns import Columns, coded


def entries(column: Coded) -> list:
    return [None if code < 0 else column.names[code] for code in column.codes.tolist()]


@given(st.lists(st.one_of(st.none(), st.integers(-300, 300))))
def test_whole_numbers_that_became_reals_are_whole_again(numbers):
    column = coded(np.array([np.nan if n is None else n for n in numbers], dtype=float))
    assert entries(column) == numbers
    assert column.gaps == (None in numbers)


@pytest.mark.parametrize(
    "numbers",
    [[2.0**40, 1.0], [32768.0, -32769.0], [32767.0, np.nan, 32768.0], [0.5, np.nan], [np.inf, 1.0], [1e300, -1.0], []],
)
def test_reals_of_any_size(numbers):
    assert entries(coded(np.array(numbers))) == [None if np.isnan(n) else n for n in numbers]


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_whole_numbers_of_any_size(numbers):
    assert entries(coded(np.array(numbers, dtype=np.int64))) == numbers


def test_numbers_beyond_the_signed_ones():
    numbers = [2**64 - 1, 2**64 - 2, 2**64 - 1]
    assert entries(coded(np.array(numbers, dtype=np.uint64))) == numbers
    assert entries(coded([2**70, 1])) == [2**70, 1]


def test_times_and_truth_are_names_too():
    assert entries(coded(np.array(["2020-01-01", "NaT"], dtype="datetime64[D]")))[1] is None
    assert entries(coded(np.array([True, False, True]))) == [True, False, True]
    assert entries(coded(np.array([True, True]))) == [True, True]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.lists(st.one_of(st.none(), TEXT), min_size=1))
def test_strings_are_numbered_alike_by_every_route(strings):
    pa = need("pyarrow")
    for type_ in (pa.string(), pa.large_string()):
        array = pa.array(strings, type_)
        assert entries(coded(array)) == strings
        assert entries(coded(array.dictionary_encode())) == strings
        assert entries(coded(pa.chunked_array([array, array]))) == strings * 2
        assert entries(coded(array[1:])) == strings[1:]
    assert entries(coded(strings)) == strings
    assert entries(coded(np.array(strings, dtype=object))) == strings


@given(st.lists(TEXT, min_size=1), st.data())
def test_strings_taken_by_words_are_the_same_strings(strings, data):
    pa = need("pyarrow")
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(strings), max_size=len(strings))))
    for rows in (None, np.flatnonzero(keep)):
        wanted = strings if rows is None else [s for s, k in zip(strings, keep, strict=True) if k]
        found = arrow._by_words(pa.chunked_array([pa.array(strings)]), rows) if wanted else None
        if found is not None:
            assert entries(found) == wanted
            assert len(set(found.names)) == len(found.names) == len(set(wanted))
        elif wanted:
            assert max(len(s.encode()) for s in strings) >= arrow.LONGEST


def test_a_string_is_not_one_with_zeros_behind_it():
    pa = need("pyarrow")
    strings = ["a", "a\0", "", "\0", "a\0\0\0\0\0\0\0", "12345678", "1234567", "1234567\0"]
    assert entries(arrow._by_words(pa.chunked_array([strings]), None)) == strings


def test_long_columns_take_the_fast_ways(monkeypatch):
    pa = need("pyarrow")
    monkeypatch.setattr(columns, "MANY", 10)
    monkeypatch.setattr(arrow, "MANY", 10)
    monkeypatch.setattr(arrow, "SAMPLE", 8)
    monkeypatch.setattr(columns, "BLOCK", 7)
    strings = [f"i{n % 37}" for n in range(100)]
    for column in (strings, np.array(strings), np.array(strings, dtype=object), pa.array(strings)):
        assert entries(coded(column)) == strings
    assert entries(coded([*strings, None])) == [*strings, None]
    assert entries(coded([*strings, 1.5])) == [*strings, 1.5]
    assert entries(coded(np.arange(100) * 10**12)) == [n * 10**12 for n in range(100)]


def test_two_strings_with_one_number_are_told_apart(monkeypatch):
    pa = need("pyarrow")

    def all_alike(*given):
        words, mixed = real(*given)
        return words, mixed * np.uint64(0)

    real = arrow._words
    monkeypatch.setattr(arrow, "_words", all_alike)
    assert arrow._by_words(pa.chunked_array([["a long string", "a long story"]]), None) is None


@pytest.mark.parametrize("kind", ["numpy", "arrow"])
def test_names_are_a_sequence(kind):
    letters = np.array(list("abc")) if kind == "numpy" else need("pyarrow").array(list("abc"))
    names = Names(letters)
    assert list(names) == ["a", "b", "c"]
    assert (len(names), names[1], names[-1], names[1:], "b" in names, names.index("c")) == (
        3,
        "b",
        "c",
        ["b", "c"],
        True,
        2,
    )
    assert names == ("a", "b", "c")
    assert names != ("a", "b")
    assert names_at(names, np.array([2, 0])) == ("c", "a")
    assert pickle.loads(pickle.dumps(names)) == names
    assert "3 in all" in repr(names)


def test_names_that_nobody_has_are_dropped_unless_the_column_states_them():
    column = Coded(np.array([0, 2, -1], dtype=np.int32), ["a", "b", "c"], gaps=True)
    assert column.compact().names == ("a", "c")
    assert entries(column.compact()) == ["a", "c", None]
    stated = Coded(column.codes, column.names, gaps=True, ordered=True)
    assert stated.compact().names == ("a", "b", "c")


def test_columns_are_made_when_they_are_looked_at():
    class Unread(list):
        def __iter__(self):
            raise AssertionError("nobody asked for it")

    further = Columns({"text": Unread(["a", "b", "c"]), "n": np.array([1, 2, 3])}).taking(np.array([True, False, True]))
    assert further.size("text") == 2
    assert further["n"].tolist() == [1, 3]
    assert list(further.taking(np.array([1]))["n"]) == [3]


@pytest.mark.parametrize("names", [1, 2, 126, 127, 128, 255, 256, 32_766, 32_767, 32_768, 40_000])
def test_codes_are_as_narrow_as_their_names_allow_and_no_narrower(names):
    numbers = np.r_[np.arange(names), np.arange(names)[::-1]]
    gaps = np.where(np.arange(len(numbers)) % 3 == 0, np.nan, numbers)
    holes = numbers[numbers % 5 != 3]
    for column in (numbers, numbers.astype(np.int64) + 7, gaps, holes):
        found = columns.coded(column)
        assert entries(found) == [None if np.isnan(entry) else entry for entry in column.tolist()]
    kept = KeptRows(np.arange(len(numbers)) % 4 > 0)
    assert entries(columns.coded(numbers, kept)) == numbers[kept.mask].tolist()
    assert kept.rows.tolist() == np.flatnonzero(kept.mask).tolist()
    who = np.repeat([0, 1], names)
    study = Annotations.of({"item": numbers, "annotator": who, "value": numbers})
    assert study.rows() == list(zip(numbers.tolist(), who.tolist(), numbers.tolist(), strict=True))


def test_what_a_study_keeps_in_arrays_stays_there():
    """The options of a constructor are checked without making lists of a million names, or columns nobody asks for."""
    pa = need("pyarrow")
    rows = range(20_000)
    names = [f"item-{row}" for row in rows]
    table = pa.table({"item": names, "annotator": ["ann"] * len(rows), "label": ["yes"] * len(rows), "text": names})
    study = Annotations.of(table)
    assert isinstance(study.items, Names)
    assert not study.attributes._made
    assert study.attributes["text"].tolist() == names
