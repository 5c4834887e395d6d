"""Units: documents from a study, the distances of categories, and sums over documents."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.distances import find
from interagree.errors import DataError, KindError, UnknownName
from interagree.stats.documents.alignment import best
from interagree.stats.documents.continuum import Dissimilarity
from interagree.stats.documents.unit_categories import Categories
from interagree.stats.documents.unit_chance import Precision
from interagree.stats.documents.unit_documents import UnitDocuments
from interagree.stats.documents.units import Confusion, Disorder, Units

ROWS: list[tuple[str, str, Any]] = [
    ("one", "ann", [[0, 4, "x"], [6, 9, "y"]]),
    ("one", "bo", [[0, 5, "x"]]),
    ("one", "cy", []),
    ("two", "ann", [[100, 110, "y"]]),
    ("two", "bo", [{"start": 90, "end": 95}]),
    ("three", "ann", [[1, 2, "z"]]),
    ("four", "ann", []),
    ("four", "bo", []),
]


def study(rows: list[tuple[str, str, Any]] = ROWS, **more: Any) -> ia.Annotations:
    return ia.Annotations.of(rows, kind="spans", **more)


def keys(made: ia.Annotations) -> dict[Any, Any]:
    return {made.items[one.item]: one.key for one in UnitDocuments.of(made).documents}


# Documents


def test_documents_are_what_two_annotators_looked_at_and_one_marked() -> None:
    texts = UnitDocuments.of(study())
    one, two = texts.documents
    assert (texts.alone, texts.silent) == (1, 1)
    assert (one.continuum.annotators, two.continuum.annotators) == (3, 2)
    assert (one.first, two.first) == (0, 90)
    assert (one.length, two.length) == (9, 20)
    assert two.continuum.begin.min() == 0
    assert texts.labels == ("x", "y", "z", None)
    assert texts.counts.tolist() == [2, 2, 1, 1]
    assert "1 document in which nobody marked anything was left out" in texts.notes()


def test_names_and_order_do_not_decide_which_draws_are_made() -> None:
    rows = random.Random(1).sample(ROWS, len(ROWS))
    other = {"ann": "zoe", "bo": "al", "cy": "mo"}
    renamed = [(item, other[who], value) for item, who, value in rows]
    assert keys(study(renamed)) == keys(study())


def test_neither_do_the_names_of_categories_nor_where_a_document_begins() -> None:
    def moved(value: list[Any], by: float, scale: float) -> list[Any]:
        swap = {"x": "q", "y": "b", "z": "c"}
        return [[part[0] * scale + by, part[1] * scale + by, swap[part[2]]] for part in value]

    rows = [row for row in ROWS if row[0] == "one"]
    for by, scale in ((1000.1, 1), (-3, 0.1), (0, 7)):
        assert keys(study([(i, a, moved(v, by, scale)) for i, a, v in rows])) == keys(study(rows))


def test_a_length_may_be_given_and_must_hold_the_units() -> None:
    assert [one.length for one in UnitDocuments.of(study(), length=50).documents] == [50, 50]
    with pytest.raises(DataError, match="'two' was said to be 15 long, and its units reach over 20"):
        UnitDocuments.of(study(), length=15)
    with pytest.raises(KindError, match="above 0"):
        UnitDocuments.of(study(), length=-1)
    columns = dict(zip(("item", "annotator", "value"), map(list, zip(*ROWS, strict=True)), strict=True))
    long = {"one": 12, "two": 30, "three": 5, "four": 9}
    told = ia.Annotations.of({**columns, "size": [long[item] for item in columns["item"]]}, kind="spans")
    assert [one.length for one in UnitDocuments.of(told, length="size").documents] == [12, 30]


def test_values_that_are_no_spans_and_unknown_annotators_are_refused() -> None:
    with pytest.raises(KindError, match="spans were expected"):
        UnitDocuments.of(ia.Annotations.of([("i", "a", 1), ("i", "b", 2)]))
    with pytest.raises(KindError, match="who gave which value"):
        UnitDocuments.of(ia.Annotations.from_counts([[1, 1]], values=[1, 2]))


# Categories


def table(distance: Any, order: Any = None, labels: str = "abc") -> np.ndarray:
    rows = [("d", who, [[k, k + 1, label] for k, label in enumerate(labels.split())]) for who in "pq"]
    return Categories.of(UnitDocuments.of(study(rows)), distance, order).table


def test_without_a_distance_different_is_different() -> None:
    assert table(None, labels="a b c").tolist() == (1 - np.eye(3)).tolist()
    assert table(find("nominal"), labels="a b c").tolist() == (1 - np.eye(3)).tolist()


def test_numbers_are_read_as_such_and_scaled_by_the_largest_distance() -> None:
    found = table(find("linear"), labels="1 10 2")  # in the order of labels
    assert found[0] == pytest.approx([0, 1, 1 / 9])
    assert table(find("interval"), labels="1 2 3")[0] == pytest.approx([0, 1 / 4, 1])


def test_an_order_may_be_stated_and_a_table_follows_it() -> None:
    labels = "low medium high"
    for order in (["low", "medium", "high"], "low, medium, high"):
        found = table(find("linear"), order, labels)  # sorted: high, low, medium
        assert found[0] == pytest.approx([0, 1, 0.5])
    given = find([[0, 0.2, 0.7], [0.2, 0, 0.4], [0.7, 0.4, 0]])
    assert table(given, ["low", "medium", "high"], labels)[0] == pytest.approx([0, 0.7, 0.4])
    with pytest.raises(UnknownName, match="lacks 'high'"):
        table(find("linear"), ["low", "medium"], labels)
    with pytest.raises(KindError, match="no stated order"):
        table(find("linear"), None, labels)


def test_a_table_by_names_needs_each_pair_once() -> None:
    assert table({"a": {"b": 0.3, "c": 1}, "c": {"b": 0.5}}, labels="a b c")[1].tolist() == [0.3, 0, 0.5]
    with pytest.raises(KindError, match="no distance of 'c' and 'b'"):
        table({"a": {"b": 0.3, "c": 1}}, labels="a b c")
    with pytest.raises(KindError, match="two different distances"):
        table({"a": {"b": 0.3}, "b": {"a": 0.4}}, labels="a b")


def test_texts_and_functions_are_distances_of_labels() -> None:
    assert table(find("levenshtein_chars"), labels="ab ac xy")[0, 1] == pytest.approx(0.5)
    assert table(find(lambda a, b: abs(len(a) - len(b))), labels="a aaa aa")[0].tolist() == [0, 0.5, 1]


def test_having_no_category_is_as_far_as_can_be_from_any() -> None:
    rows = [("d", "p", [[0, 1, "1"], [2, 3]]), ("d", "q", [[0, 1, "2"], [2, 3, "3"]])]
    found = Categories.of(UnitDocuments.of(study(rows)), find("linear"))
    assert found.labels == ("1", "2", "3", None)
    assert found.table[3].tolist() == [1, 1, 1, 0]


# What is measured


def document() -> tuple[UnitDocuments, Dissimilarity]:
    """Two pairs of units, one of them with different categories, and one unit alone."""
    rows = [("d", "p", [[0, 10, "x"], [20, 30, "x"], [50, 60, "x"]]), ("d", "q", [[0, 10, "x"], [20, 25, "y"]])]
    texts = UnitDocuments.of(study(rows))
    return texts, Dissimilarity(Categories.of(texts, None).table)


def test_the_disorder_by_hand() -> None:
    texts, unlike = document()
    c = texts.documents[0].continuum
    # The same; half as long (5 / 15 squared) and of another category; alone: one.  2.5 units on average.
    assert best(c, unlike).cost == pytest.approx(0 + 1 / 9 + 1 + 1)
    assert Disorder(unlike).observed(c, best(c, unlike)).tolist() == [pytest.approx((2 + 1 / 9) / 2.5), 1]
    assert Disorder(unlike).drawn([c, c])[:, 0] == pytest.approx((2 + 1 / 9) / 2.5)


def test_the_confusion_by_hand() -> None:
    texts, unlike = document()
    c = texts.documents[0].continuum
    near = 1 - 1 / 9
    aligned = best(c, unlike)
    assert Confusion(unlike).observed(c, aligned) == pytest.approx([near, 1 + near])
    x, y = (texts.labels.index(label) for label in "xy")
    assert Confusion(unlike, category=y).observed(c, aligned) == pytest.approx([near, near])
    assert Confusion(unlike, category=x).observed(c, aligned) == pytest.approx([near, 1 + near])
    assert Confusion(unlike, unaligned=True).observed(c, aligned) == pytest.approx([near + 1, 1 + near + 1])


def test_documents_that_are_the_same_are_aligned_once_and_count_twice() -> None:
    rows = [(doc, who, value) for doc in ("a", "b") for who, value in (("p", [[0, 4, "x"]]), ("q", [[2, 9, "x"]]))]
    rows += [("c", "p", [[0, 4, "x"], [5, 6, "y"]]), ("c", "q", [[2, 9, "x"]])]
    texts = UnitDocuments.of(study(rows))
    unlike = Dissimilarity(Categories.of(texts, None).table)
    units = Units.of(texts, Disorder(unlike), precision=Precision(0.01, 50))
    assert units.pattern.tolist() == [0, 0, 1]
    assert len(units.alignments) == 2
    first, second = units.features
    found = units.parts()
    assert found.observed == pytest.approx((2 * first[0] + second[0]) / (2 * first[1] + second[1]))
    assert found.expected == pytest.approx((2 * first[2] + second[2]) / (2 * first[3] + second[3]))
    grouped = units.grouped(np.array([0, 0, 1]))
    assert grouped.parts()[:2] == pytest.approx(found[:2])
    assert grouped.features[0] == pytest.approx(2 * first)


def test_the_error_of_chance_is_that_of_other_seeds() -> None:
    texts, unlike = document()
    values = [Units.of(texts, Disorder(unlike), precision=Precision(0.01, 100), seed=seed).value for seed in range(60)]
    units = Units.of(texts, Disorder(unlike), precision=Precision(0.01, 100))
    assert units.error_of_chance()[1] == pytest.approx(np.std(values), rel=0.35)
