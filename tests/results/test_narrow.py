"""Tables cut to a width."""

from interagree.results.narrow import narrow
from interagree.tables import Table, aligned, cell


def widest(table):
    return max(map(len, aligned(table).splitlines()))


def test_long_words_are_cut_and_numbers_are_not():
    table = Table({"name": ["a", "b"], "words": ["x" * 200, "short"], "number": [123456789, 1]})
    cut = narrow(table, 60)
    assert widest(cut) == 60
    assert cut["number"] == table["number"]
    assert cut["words"][0].endswith("x…")
    assert cut["words"][1] == "short"


def test_a_table_that_fits_stays_as_it_is():
    table = Table({"name": ["a"], "value": [0.5], "nothing": [None]})
    assert narrow(table).to_dict() == table.to_dict()
    assert len(narrow(Table({"name": []}))) == 0


def test_the_column_that_loses_least_is_cut_first():
    table = Table({"name": ["n"] * 9, "most": ["x" * 40] * 9, "one": ["y" * 60] + ["y"] * 8})
    cut = narrow(table, 60)
    assert cut["most"][0] == "x" * 40
    assert len(cut["one"][0]) < 20


def test_breaks_are_spelled_out():
    assert cell("a\nb\r\nc\td\x85") == "a\\nb\\r\\nc\\td\\x85"
    assert cell(frozenset({"b", "a\n"})) == "{a\\n, b}"
    assert "\n" not in narrow(Table({"label": ["a\nb"]}))["label"][0]
