"""Everything enters by one door: the layouts, the names of columns, and what is and is not a value."""

import subprocess
import sys
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interagree.data import Annotations, Study, as_annotations, concat
from interagree.data.values import is_missing
from interagree.errors import (
    ColumnNotFound,
    DataError,
    DoubtfulReading,
    DuplicateAnnotation,
    InteragreeError,
    KindError,
    UnknownName,
)
from interagree.reading.parts import SYNONYMS

ROWS = [(1, "ann", "cat"), (1, "bo", "dog"), (2, "ann", "cat"), (2, "bo", "cat")]
LONG = {"item": [1, 1, 2, 2], "annotator": ["ann", "bo"] * 2, "value": ["cat", "dog", "cat", "cat"]}
WIDE = {"ann": ["cat", "cat"], "bo": ["dog", "cat"]}


def said(data: Annotations) -> set[tuple]:
    return {(i, a, v, type(v)) for i, a, v in data.rows()}


def steps(data: Annotations, what: str) -> str:
    return "; ".join(step.sentence for step in data.provenance.steps if step.what == what)


# -- forms --------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    item: int
    annotator: str
    value: str


RECORD = np.array(ROWS, dtype=[("item", int), ("annotator", "U3"), ("value", "U3")])


@pytest.mark.parametrize(
    "data",
    [
        ROWS,
        tuple(map(list, ROWS)),
        (row for row in ROWS),
        [Answer(*row) for row in ROWS],
        [dict(zip(LONG, row, strict=True)) for row in ROWS],
        LONG,
        {name: np.array(column) for name, column in LONG.items()},
        {name: np.array(column, dtype=object) for name, column in LONG.items()},
        {name: tuple(column) for name, column in LONG.items()},
        {1: {"ann": "cat", "bo": "dog"}, 2: {"ann": "cat", "bo": "cat"}},
        RECORD,
        {"item": [1, 2], **WIDE},
        Annotations.of(ROWS),
        Study.of(animal=Annotations.of(ROWS)),
    ],
    ids=lambda data: type(data).__name__,
)
def test_the_same_study_in_many_forms(data):
    study = as_annotations(data)
    assert {row[:3] for row in said(study)} == set(ROWS)
    assert study.values == ("cat", "dog")
    assert (len(study.items), len(study.annotators)) == (2, 2)


def test_a_wide_table_without_items_numbers_its_rows():
    study = as_annotations({"ann": ["cat", None], "bo": ["dog", float("nan")], "cy": ["cat", "cat"]})
    assert study.rows() == [(0, "ann", "cat"), (0, "bo", "dog"), (0, "cy", "cat"), (1, "cy", "cat")]
    assert "a wide table" in steps(study, "taken")
    assert steps(study, "dropped") == "2 empty cells taken as no annotation"


def test_one_row_of_dicts_may_lack_a_key():
    study = as_annotations([{"item": 1, "annotator": "ann", "value": "cat"}, {"item": 1, "annotator": "bo"}])
    assert study.rows() == [(1, "ann", "cat")]
    assert steps(study, "dropped") == "1 row without a value left out"


def test_nothing_at_all_is_an_empty_study():
    assert len(as_annotations([])) == 0
    assert len(as_annotations({"item": [], "annotator": [], "value": []})) == 0
    assert len(as_annotations({"ann": [None], "bo": [None]})) == 0


def test_a_study_of_two_questions_is_not_measured_as_one():
    one = Annotations.of(ROWS)
    with pytest.raises(DataError, match=r"asks 2 questions \('animal', 'size'\)"):
        as_annotations(Study.of(animal=one, size=one))


def test_declared_values_reach_a_study_that_is_there():
    assert Annotations.of(Annotations.of(ROWS), values=["dog", "cat", "cow"]).values == ("dog", "cat", "cow")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("labels.csv", r"interagree\.read\('labels\.csv'\)"),
        (7, "cannot be read from int"),
        ([1, 2, 3], "expected rows"),
        (["cat", "dog"], "expected rows"),
        ([(1, "ann", "cat"), (1, "ann")], "row 1 has 3 entries, row 2 has 2"),
        ([{"item": 1}, (1, 2, 3)], "give dicts throughout"),
        ({"item": [1], "annotator": ["a", "b"], "value": [1, 2]}, "'item' has 1, 'annotator' has 2"),
        ({"item": "abc", "annotator": ["a"], "value": [1]}, "must be a list"),
        ({"ann": [{"cat": {}}]}, None),
        ([(1, 2, 3, 4)], "item=1, annotator=0, value=2"),
    ],
)
def test_what_cannot_be_taken_says_what_can(data, message):
    if message is None:
        assert as_annotations(data).values == ((("cat", ()),),)
        return
    with pytest.raises(InteragreeError, match=message):
        as_annotations(data)


# -- arrays -------------------------------------------------------------------------------------------------


def test_an_array_must_say_which_axis_is_the_items():
    matrix = np.array([[1, 2, np.nan], [1, 1, 3]])
    with pytest.raises(DataError, match=r"2 rows and 3 columns.*item=0.*item=1"):
        as_annotations(matrix)
    by_row, by_column = Annotations.of(matrix, item=0), Annotations.of(matrix, item=1)
    assert (len(by_row.items), len(by_row.annotators), len(by_row)) == (2, 3, 5)
    assert (len(by_column.items), len(by_column.annotators), len(by_column)) == (3, 2, 5)
    assert {(a, i, v) for i, a, v in by_row.rows()} == set(by_column.rows())


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, Decimal("NaN").__float__()])
def test_a_list_of_lists_is_an_array_where_the_axis_is_named(missing):
    study = Annotations.of([["a", "b", missing], ["a", "a", "c"]], item=0)
    assert study.rows() == [(0, 0, "a"), (1, 0, "a"), (0, 1, "b"), (1, 1, "a"), (1, 2, "c")]


def test_rows_in_another_order_are_taken_by_place():
    rows = [("ann", 1, "cat", "x"), ("bo", 1, "dog", "y")]
    study = Annotations.of(rows, annotator=0, item=1, value=2)
    assert study.rows() == [(1, "ann", "cat"), (1, "bo", "dog")]
    assert study.attributes["3"].tolist() == ["x", "y"]
    assert Annotations.of(np.array(rows), annotator=0, item=1, value=2).rows() == [
        ("1", "ann", "cat"),
        ("1", "bo", "dog"),
    ]


def test_a_masked_cell_is_no_annotation():
    matrix = np.ma.masked_equal([[1, 2, 9], [1, 9, 3]], 9)
    assert len(Annotations.of(matrix, item=0)) == 4


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, np.float32, np.float64])
def test_narrow_numbers_do_not_overflow(dtype):
    low, high = (0, 250) if np.dtype(dtype).kind == "u" else (-120, 120)
    study = Annotations.of(np.array([[low, high], [high, low]], dtype=dtype), item=0)
    assert study.values == (low, high)
    assert all(type(value) is int for value in study.values)


# -- names of columns ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", SYNONYMS["item"])
@pytest.mark.parametrize("annotator", [SYNONYMS["annotator"][1], "Worker ID"])
@pytest.mark.parametrize("value", ["Label", "value"])
def test_synonyms_are_taken_and_said(item, annotator, value):
    study = as_annotations({value: LONG["value"], item: LONG["item"], annotator: LONG["annotator"]})
    assert set(study.rows()) == set(ROWS)
    assert (
        steps(study, "taken")
        == f"columns taken: item from {item!r}, annotator from {annotator!r}, value from {value!r}"
    )


def test_the_plain_names_are_not_worth_a_word():
    assert as_annotations(LONG).provenance.steps == ()


def test_no_word_is_a_synonym_of_two_roles():
    every = [word for words in SYNONYMS.values() for word in words]
    assert len(every) == len(set(every))


def test_the_name_of_the_role_goes_before_its_synonyms_and_id_comes_last():
    study = as_annotations({**LONG, "score": [1, 2, 3, 4], "id": [7, 7, 7, 7], "user": list("abcd")})
    assert set(study.rows()) == set(ROWS)
    study = as_annotations(
        {"id": [1, 2, 3, 4], "task": LONG["item"], "worker": LONG["annotator"], "label": LONG["value"]}
    )
    assert set(study.rows()) == set(ROWS)
    assert study.attributes["id"].tolist() == [1, 2, 3, 4]


def test_two_columns_of_answers_are_two_questions():
    table = {"item": [1], "annotator": [1], "label": [1], "score": [2]}
    with pytest.raises(DataError, match=r"asks 2 questions \('label', 'score'\)"):
        as_annotations(table)
    assert Annotations.of(table, value="score").rows() == [(1, 1, 2)]


def test_a_column_that_is_not_there_is_suggested():
    table = {"item": [1], "annotater": ["ann"], "value": ["cat"]}
    with pytest.raises(ColumnNotFound, match=r"'item', 'annotater', 'value'\. Did you mean annotator='annotater'\?"):
        Annotations.of(table, annotator="annotator")
    with pytest.raises(ColumnNotFound, match=r"Did you mean annotator='annotater'\?"):
        as_annotations(table)
    with pytest.raises(ColumnNotFound, match=r"no column to take the annotator from.*layout='wide'"):
        as_annotations({"item": [1], "label": ["cat"]})


def test_an_option_that_does_not_exist_is_suggested():
    from interagree.reading.door import build

    with pytest.raises(UnknownName, match="Did you mean 'duplicates'"):
        build(ROWS, duplicate="first")
    with pytest.raises(KindError, match="layout= takes one of"):
        Annotations.of(ROWS, layout="tall")


def test_other_columns_are_attributes_unless_they_are_not_wanted():
    table = {**LONG, "time": np.arange(4.0), "page": ["a", "b", None, "c"]}
    study = as_annotations(table)
    assert list(study.attributes) == ["time", "page"]
    assert study.attributes["page"].tolist() == ["a", "b", None, "c"]
    assert list(Annotations.of(table, attributes=["page"]).attributes) == ["page"]
    assert list(Annotations.of(table, attributes=[]).attributes) == []
    with pytest.raises(ColumnNotFound, match="Did you mean attribute='page'"):
        Annotations.of(table, attributes=["pages"])


def test_attributes_follow_their_rows():
    table = {"item": [1, 1, 2, 2], "annotator": [1, 1, 1, 2], "value": ["a", "b", None, "c"], "n": [10, 20, 30, 40]}
    study = Annotations.of(table, duplicates="last")
    assert study.attributes["n"].tolist() == [20, 40]
    assert study.without(1).attributes["n"].tolist() == [40]
    with pytest.raises(ValueError, match="read-only"):
        study.attributes["n"][0] = 1


# -- wide tables --------------------------------------------------------------------------------------------


def test_a_wide_table_may_name_its_annotators_and_its_attributes():
    table = {"task": ["t1", "t2"], "text": ["hello", "bye"], "ann": [1, 2], "bo": [1, None]}
    for options in ({"annotator": ["ann", "bo"]}, {"attributes": ["text"]}):
        study = Annotations.of(table, **options)
        assert set(study.rows()) == {("t1", "ann", 1), ("t2", "ann", 2), ("t1", "bo", 1)}
        assert study.attributes["text"].tolist() == ["hello", "bye", "hello"]


def test_a_wide_table_may_be_called_so():
    study = Annotations.of({"user": ["a", "b"], "judge": ["a", "a"]}, layout="wide")
    assert study.annotators == ("user", "judge")


def test_a_wide_column_of_texts_is_set_aside():
    rows = 12
    table = {"text": [f"sentence {n}" for n in range(rows)], "ann": ["a", "b"] * 6, "bo": ["b", "a"] * 6}
    study = as_annotations(table)
    assert study.annotators == ("ann", "bo")
    assert study.items[0] == "sentence 0"


def test_a_small_table_that_may_hold_counts_is_asked_about():
    table = {"cat": [14, 0, 3], "dog": [0, 14, 11]}
    with pytest.raises(DoubtfulReading, match="adds up to 14") as caught:
        as_annotations(table)
    assert "layout='counts'" in str(caught.value)
    assert "annotator=['cat', 'dog']" in str(caught.value)
    assert Annotations.of(table, annotator=["cat", "dog"]).annotators == ("cat", "dog")
    assert as_annotations({"ann": [1, 2, 2], "bo": [2, 1, 1]}).annotators == ("ann", "bo")


def test_rows_that_stand_for_many_items():
    table = {"r1": [1, 1, 2], "r2": [1, 2, None], "n": ["3", 2.0, 1]}
    study = Annotations.of(table, times="n")
    assert (len(study.items), len(study)) == (6, 11)
    assert study.rows().count((0, "r1", 1)) == 1
    assert sorted(v for _, a, v in study.rows() if a == "r2") == [1, 1, 1, 2, 2]
    with pytest.raises(DataError, match="row 2 holds 'two'"):
        Annotations.of({"r1": [1, 1], "r2": [1, 2], "n": [1, "two"]}, times="n")


def test_an_item_that_stands_in_two_rows_of_a_wide_table_is_a_duplicate():
    with pytest.raises(DuplicateAnnotation, match="item 'x' 2 times"):
        as_annotations({"item": ["x", "x"], "ann": [1, 2], "bo": [1, 2]})


# -- counts and contingency ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [{"item": ["x", "y"], "cat": [2, 0], "dog": [1, 3]}, {"doc": ["x", "y"], "cat": ["2", "0"], "dog": ["1", "3.0"]}],
)
def test_a_table_of_counts(table):
    study = Annotations.of(table, layout="counts")
    assert study.anonymous
    assert study.values == ("cat", "dog")
    assert [row[::2] for row in study.rows()] == [("x", "cat")] * 2 + [("x", "dog")] + [("y", "dog")] * 3


def test_counts_with_declared_values_keep_their_order_and_those_nobody_gave():
    study = Annotations.of({"b": [1, 2], "a": [1, 0]}, layout="counts", values=["a", "b", "c"], ordered=True)
    assert (study.values, study.ordered) == (("a", "b", "c"), True)
    assert sorted(row[2] for row in study.rows()) == ["a", "b", "b", "b"]
    with pytest.raises(DataError, match="counts of 'z', which is not among"):
        Annotations.of({"z": [1], "a": [1]}, layout="counts", values=["a"])


def test_counts_in_an_array():
    study = Annotations.of([[2, 1], [0, 3]], layout="counts", values=["cat", "dog"])
    assert (len(study.items), len(study), study.values) == (2, 6, ("cat", "dog"))
    assert len(Annotations.of(np.array([[2, 1], [0, 3], [1, 1]]), layout="counts", item=1).items) == 2


@pytest.mark.parametrize("bad", [-1, 0.5, "many"])
def test_a_count_is_a_whole_number(bad):
    with pytest.raises(DataError, match="whole numbers from 0 up"):
        Annotations.of({"item": [1, 2], "cat": [1, bad], "dog": [1, 1]}, layout="counts")


CONTINGENCY = [
    [[20, 5], [10, 15]],
    {"yes": [20, 10], "no": [5, 15]},
    {"": ["yes", "no"], "yes": [20, 10], "no": [5, 15]},
    {"": ["no", "yes"], "yes": [10, 20], "no": [15, 5]},
    {"": ["yes", "no", "All"], "yes": [20, 10, 30], "no": [5, 15, 20], "All": [25, 25, 50]},
]


def test_totals_beside_a_contingency_table_are_taken_off_though_their_row_is_not_there():
    table = {"": ["yes", "no"], "yes": [20, 10], "no": [5, 15], "All": [25, 25]}
    study = Annotations.of(table, layout="contingency")
    assert (len(study.items), study.values) == (50, ("yes", "no"))


@pytest.mark.parametrize("table", CONTINGENCY)
def test_a_contingency_table(table):
    study = Annotations.of(table, layout="contingency", annotator=("ann", "bo"))
    pairs = dict.fromkeys(study.items, ())
    for i, _, v in sorted(study.rows(), key=lambda row: (row[0], row[1])):
        pairs[i] += (study.values.index(v),)
    found = {pair: list(pairs.values()).count(pair) for pair in set(pairs.values())}
    yes = study.values.index("yes") if "yes" in study.values else 0
    assert found[yes, yes] == 20
    assert found[yes, 1 - yes] == 5
    assert sum(found.values()) == 50
    assert study.annotators == ("ann", "bo")


def test_totals_in_a_contingency_table_are_left_out_and_said():
    assert "totals" in steps(Annotations.of(CONTINGENCY[-1], layout="contingency"), "dropped")


def test_a_contingency_table_is_known_by_its_names():
    study = Annotations.of({"item": ["yes", "no"], "yes": [20, 10], "no": [5, 15]})
    assert (len(study.items), len(study.annotators)) == (50, 2)


# -- what is a value ----------------------------------------------------------------------------------------

TRICKY = ["None", "NA", "null", "nan", "NaN", "", "1", 1, True, "True", 0, False, 2.5, "n/a", "<NA>"]


def test_labels_stay_what_they_are():
    study = as_annotations([(n, "ann", value) for n, value in enumerate(TRICKY)])
    assert [(v, type(v)) for _, _, v in study.rows()] == [(v, type(v)) for v in TRICKY]
    assert "several types" in steps(study, "noticed")
    assert "empty string" in steps(study, "noticed")


@given(st.lists(st.sampled_from([*TRICKY, None, float("nan"), 1.0, "cat"]), min_size=1))
def test_values_are_the_same_when_they_are_equal_and_of_one_type(values):
    study = as_annotations([(n, "ann", value) for n, value in enumerate(values)])
    there = [(n, v) for n, v in enumerate(values) if not is_missing(v)]
    assert [(n, v) for n, _, v in study.rows()] == there
    for (_, _, found), (_, value) in zip(study.rows(), there, strict=True):
        assert isinstance(found, bool) == isinstance(value, bool)
        assert isinstance(found, str) == isinstance(value, str)


def test_one_and_one_point_zero_are_one_number():
    assert as_annotations([(1, "a", 1), (1, "b", 1.0)]).values == (1,)
    assert as_annotations({"a": np.array([1.0, np.nan]), "b": np.array([1, 2])}).values == (1, 2)


@pytest.mark.parametrize("column", [[1, None], np.array([1, np.nan]), np.array([1, None], dtype=object)])
def test_numbers_stay_numbers_beside_a_missing_one(column):
    study = as_annotations({"item": [1, 2], "annotator": [1, 1], "value": column})
    assert study.rows() == [(1, 1, 1)]
    assert type(study.values[0]) is int


def test_further_values_can_mean_nothing():
    rows = [(1, "a", "x"), (1, "b", "N/A"), (2, "a", 99), (2, "b", "")]
    assert Annotations.of(rows, missing=["N/A", 99, ""]).rows() == [(1, "a", "x")]
    assert len(Annotations.of(rows, missing="N/A")) == 3
    assert len(Annotations.of([(1, "a", "99"), (1, "b", "1")], missing=[99])) == 1
    assert len(Annotations.of([(1, "a", 0), (1, "b", False)], missing=[0])) == 1


def test_several_labels_in_a_cell_are_a_set():
    study = Annotations.of([(1, "a", "x|y"), (1, "b", "y | x"), (1, "c", ""), (1, "d", None)], split="|")
    assert [v for *_, v in study.rows()] == [frozenset("xy"), frozenset("xy"), frozenset()]
    assert study.kind == "sets"


def test_values_may_be_sets_lists_dates_and_tuples():
    values = [{"a", "b"}, ["a", "b"], date(2020, 1, 1), ("a", 1)]
    found = [v for *_, v in as_annotations([(n, 1, v) for n, v in enumerate(values)]).rows()]
    assert found == [frozenset("ab"), ("a", "b"), date(2020, 1, 1), ("a", 1)]
    with pytest.raises(DataError, match="cannot be a name or a value"):
        as_annotations([(1, "ann", bytearray(b"x"))])


def test_values_that_differ_in_case_or_spaces_are_noticed():
    assert "'Cat', 'cat'" in steps(as_annotations([(1, 1, "Cat"), (1, 2, "cat"), (1, 3, "dog")]), "noticed")


def test_strings_that_spell_numbers_stand_in_the_order_of_the_numbers():
    assert as_annotations([(1, n, v) for n, v in enumerate(["10", "9", "1"])]).values == ("1", "9", "10")


def test_declared_values_count_and_undeclared_ones_are_an_error():
    study = Annotations.of(ROWS, values=["dog", "cat", "cow"], ordered=True)
    assert (study.values, study.ordered, study.in_order) == (("dog", "cat", "cow"), True, True)
    with pytest.raises(DataError, match="'dog' was given and not declared"):
        Annotations.of(ROWS, values=["cat"])
    with pytest.raises(DataError, match="declared twice"):
        Annotations.of(ROWS, values=["cat", "dog", "cat"])


# -- items, annotators, duplicates --------------------------------------------------------------------------


def test_ids_may_be_anything_that_has_a_hash():
    rows = [((1, "a"), 7, "x"), ("1", True, "x"), (1, 1, "y"), (frozenset({1}), "7", "x")]
    assert as_annotations(rows).rows() == rows
    assert len(as_annotations(rows).annotators) == 4


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_row_with_a_value_needs_an_item_and_an_annotator(nothing):
    with pytest.raises(DataError, match="1 row with a value and no item, the first being row 2"):
        as_annotations([(1, "ann", "x"), (nothing, "ann", "y"), (nothing, "ann", None)])
    with pytest.raises(DataError, match="2 rows with a value and no annotator, the first being row 3"):
        as_annotations([(1, "ann", "x"), (1, nothing, None), (2, nothing, "y"), (3, nothing, "y")])
    assert len(as_annotations([(1, "ann", "x"), (nothing, "ann", None)])) == 1


def test_those_without_any_annotation_are_not_counted():
    study = as_annotations({"item": [1, 2, 2], "annotator": ["ann", "bo", "ann"], "value": ["x", None, None]})
    assert (tuple(study.items), study.annotators) == ((1,), ("ann",))


TWICE = [(1, "ann", "x"), (1, "bo", "x"), (1, "ann", "y"), (2, "ann", "x"), (1, "ann", "z")]


def test_a_duplicate_is_an_error_that_names_it():
    with pytest.raises(
        DuplicateAnnotation, match=r"'ann' annotated item 1 3 times.*duplicates='first', 'last' or 'keep'"
    ):
        as_annotations(TWICE)


@pytest.mark.parametrize(("policy", "values"), [("first", "xxx"), ("last", "xxz"), ("keep", "xxyxz")])
def test_what_is_done_with_duplicates_is_counted(policy, values):
    study = Annotations.of(TWICE, duplicates=policy)
    assert "".join(v for *_, v in study.rows()) == values
    assert any(step.count == 2 and "2 repeated annotations" in step.sentence for step in study.provenance.steps)
    if policy == "keep":
        assert study.occasion.tolist() == [0, 0, 1, 0, 2]


def test_an_unknown_policy_is_an_error():
    with pytest.raises(KindError, match="one of 'error', 'first', 'last', 'keep'"):
        Annotations.of(ROWS, duplicates="majority")


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 2)), min_size=1))
def test_duplicates_are_found_in_dense_and_in_sparse_tables(rows):
    repeated = len(rows) - len({row[:2] for row in rows})
    far = [(i * 10**9, a * 10**9, v) for i, a, v in rows]
    for table in (dict(zip(LONG, zip(*some, strict=True), strict=True)) for some in (rows, far)):
        if repeated:
            with pytest.raises(DuplicateAnnotation):
                as_annotations(table)
        else:
            assert len(as_annotations(table)) == len(rows)
        assert len(Annotations.of(table, duplicates="first")) == len(rows) - repeated


# -- putting together ---------------------------------------------------------------------------------------


def test_studies_are_put_together_by_name():
    one = as_annotations({"item": [1], "annotator": ["ann"], "value": ["x"], "page": [4]})
    two = as_annotations({"item": [1, 2], "annotator": ["bo", "ann"], "value": ["y", "x"], "page": [5, 6]})
    both = concat([one, two])
    assert both.rows() == [(1, "ann", "x"), (1, "bo", "y"), (2, "ann", "x")]
    assert both.attributes["page"].tolist() == [4, 5, 6]
    with pytest.raises(DuplicateAnnotation):
        concat([one, one])
    assert len(concat([one, one], duplicates="first")) == 1
    with pytest.raises(DataError, match="nothing to combine"):
        concat([])


def test_counts_are_put_together_with_counts_only():
    counts = Annotations.from_counts([[1, 2]], values="xy", items=["a"])
    more = Annotations.from_counts([[1, 0, 3]], values="xyz", items=["b"])
    both = concat([counts, more])
    assert (both.anonymous, len(both), len(both.items), both.values) == (True, 7, 2, ("x", "y", "z"))
    with pytest.raises(DataError, match="made from counts"):
        concat([counts, as_annotations(ROWS)])


# -- promises -----------------------------------------------------------------------------------------------


def test_plain_data_load_no_frame_library():
    code = (
        "import sys\n"
        "from interagree.data import as_annotations\n"
        "as_annotations({'item': [1, 1], 'annotator': ['a', 'b'], 'value': ['x', 'y']})\n"
        "print([m for m in ('narwhals', 'pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_of_data_loads_nothing():
    code = "import sys, interagree.data\nprint('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_the_columns_of_the_caller_stay_writable():
    item = np.array([0, 1, 2], dtype=np.int32)
    study = as_annotations({"item": item, "annotator": item.copy(), "value": item.copy()})
    item[0] = 2
    assert study.item.tolist() == [0, 1, 2]
