"""Lists of numbers: what is a vector, what a series, and what is wrong with those that are neither."""

from __future__ import annotations

import json

import pytest

from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.plugins import KINDS


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([(1, 1, 2), (0, 3, 5)], "vectors"),  # 1 occurs twice
        ([(1, -1), (0, 3)], "vectors"),
        ([(1, 2.5), (0, 3)], "vectors"),
        ([(1.0, 2.0), (3.0, 0.0)], "vectors"),  # written as measured numbers
        ([(1, 1), (0, 3, 5)], "series"),
        ([(0.5,), (0.5, 0.7)], "series"),
        ([(1, 2), (3,)], None),  # sets of labels that are numbers
        ([(1,), (2,)], None),
        (["a", "b"], None),
    ],
)
def test_lists_of_numbers_are_recognised(values, kind) -> None:
    fitting = [
        name
        for name in ("rankings", "vectors", "series")
        if all(KINDS[name].why_not(value) is None for value in values) and KINDS[name].likely(values)
    ]
    assert fitting[:1] == ([] if kind is None else [kind])


def test_real_vectors_are_recognised(shared) -> None:
    with (shared / "data" / "complex" / "vectors.jsonl").open(encoding="utf-8") as lines:
        values = [tuple(json.loads(line)["value"]) for line in lines]
    assert recognise(values) == "vectors"
    assert KINDS["vectors"].packed(values).shape == (1000, 7)


@pytest.mark.parametrize(
    ("kind", "value", "clause"),
    [
        ("vectors", 3, "not a list: 3"),
        ("vectors", (1, "x"), "'x' is not a finite number"),
        ("vectors", (1, float("inf")), "inf is not a finite number"),
        ("vectors", (1, True), "True is not a finite number"),
        ("vectors", (1,), "1 numbers instead of at least 2"),
        ("series", "abc", "not a list: 'abc'"),
        ("series", (), r"no numbers: \(\)"),
        ("series", (1, None, 2), "None is not a finite number"),
    ],
)
def test_what_is_wrong_is_said(kind, value, clause) -> None:
    with pytest.raises(KindError, match=clause):
        KINDS[kind].packed([(1, 2), value])


def test_vectors_of_two_lengths_are_refused_and_series_are_not() -> None:
    values = [(1, 2, 3), (1, 2)]
    with pytest.raises(KindError, match="one has 3 numbers and another 2"):
        KINDS["vectors"].packed(values)
    packed = KINDS["series"].packed(values)
    assert packed.start.tolist() == [0, 3, 5]
    assert packed.number.tolist() == [1, 2, 3, 1, 2]


def test_the_distances_of_a_kind_are_there_and_take_it() -> None:
    from interagree.plugins import DISTANCES

    for name in ("vectors", "series", "rankings"):
        kind = KINDS[name]
        assert kind.name == name
        assert kind.distance in kind.distances
        assert all(name in DISTANCES[distance].kinds for distance in kind.distances)
