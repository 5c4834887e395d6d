"""Named columns: printed, sorted, filtered, handed on."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from effort import effort

from interagree.errors import KindError, MissingExtra, UnknownName
from interagree.tables import Table, cell

TABLE = Table(
    {"who": ["bo", "ann", "cy", "di"], "score": [0.25, math.nan, 1.0, None], "n": [3, 10, 2, 1]},
    title="Scores",
    foot="of four",
)


def test_rows_are_dictionaries_and_a_table_can_be_walked() -> None:
    assert len(TABLE) == 4
    assert TABLE.rows()[0] == {"who": "bo", "score": 0.25, "n": 3}
    assert [row["who"] for row in TABLE] == TABLE["who"]
    assert Table.of(TABLE.rows()).columns == {name: list(column) for name, column in TABLE.columns.items()}


def test_a_table_without_rows_keeps_its_heads() -> None:
    empty = Table.of([], names=("a", "b"))
    assert len(empty) == 0
    assert str(empty) == "a  b"
    assert empty.rows() == []
    assert len(Table({})) == 0


def test_a_column_that_is_not_there_is_named_with_a_similar_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'score'"):
        _ = TABLE["scores"]


@pytest.mark.parametrize(
    ("by", "descending", "wanted"),
    [
        ("who", False, ["ann", "bo", "cy", "di"]),
        ("n", True, ["ann", "bo", "cy", "di"]),
        ("score", False, ["bo", "cy", "ann", "di"]),
        ("score", True, ["cy", "bo", "ann", "di"]),
    ],
)
def test_sorting_puts_what_is_no_number_last(by: str, descending: bool, wanted: list[str]) -> None:  # noqa: FBT001
    assert TABLE.sort(by, descending=descending)["who"] == wanted
    assert TABLE.sort(by).title == "Scores"


def test_long_tables_are_sorted_without_comparing_all_rows() -> None:
    def rows(count: int) -> Table:
        return Table({"x": [float(i * 7919 % 100_003) if i % 10 else math.nan for i in range(count)]})

    few, many = rows(1_000), rows(4_000)
    assert effort(lambda: many.sort("x")) < 5 * effort(lambda: few.sort("x"))
    column = many.sort("x")["x"]
    known = [x for x in column if not math.isnan(x)]
    assert known == sorted(known)
    assert all(map(math.isnan, column[len(known) :]))


def test_rows_can_be_chosen() -> None:
    assert TABLE.where(lambda row: row["n"] > 2)["who"] == ["bo", "ann"]
    assert TABLE.head(2)["n"] == [3, 10]
    assert len(TABLE.head(9)) == 4
    assert TABLE.where(lambda _: False).columns.keys() == TABLE.columns.keys()


def test_a_column_can_be_looked_up_by_the_first_one() -> None:
    assert TABLE.to_dict("n") == {"bo": 3, "ann": 10, "cy": 2, "di": 1}
    assert list(TABLE.to_dict()) == ["who", "score", "n"]


def test_a_table_is_printed_with_numbers_to_the_right() -> None:
    assert str(TABLE).splitlines() == [
        "Scores",
        "who  score   n",
        "bo   0.250   3",
        "ann      –  10",
        "cy   1.000   2",
        "di           1",
        "of four",
    ]


def test_html_is_escaped() -> None:
    shown = Table({"<b>": ["a & b"]}, title="<t>", foot="<f>")._repr_html_()
    for text in ("&lt;b&gt;", "a &amp; b", "<caption>&lt;t&gt;</caption>", "<p>&lt;f&gt;</p>"):
        assert text in shown


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (None, ""),
        (math.nan, "–"),
        (0.12345, "0.123"),
        (3, "3"),
        (frozenset("ba"), "{a, b}"),
        (True, "True"),
        ("x", "x"),
    ],
)
def test_a_cell_is_short(entry: Any, shown: str) -> None:
    assert cell(entry) == shown
    assert cell(0.5, digits=1) == "0.5"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_table_becomes_a_frame(library: str, need: Any) -> None:
    need(library)
    frame = TABLE.to_frame(library)
    assert list(frame["n"].to_numpy()) == [3, 10, 2, 1]


def test_an_unknown_frame_is_refused() -> None:
    with pytest.raises(KindError, match="'polars'"):
        TABLE.to_frame("excel")


def test_a_table_is_handed_to_pandas_and_polars() -> None:
    table = Table({"name": ["a", "b"], "value": [1.0, 2.0]})
    assert table.to_pandas().equals(table.to_frame("pandas"))
    assert table.to_polars().equals(table.to_frame("polars"))


def test_a_library_that_is_not_there_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(MissingExtra, match=rf"{library}.*interagree\[frames\]"):
            getattr(Table({"a": [1]}), f"to_{library}")()
