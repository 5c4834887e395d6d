"""Relations between spans: how they are written, what is wrong with one, how they are packed."""

from __future__ import annotations

from typing import Any

import pytest

from interagree import Annotations
from interagree.data.values import plain
from interagree.errors import KindError
from interagree.kinds.relations import Relation, relation, relations

WELL = [
    [],
    [[[0, 3], [5, 8], "x"]],
    [[[0, 3], [5, 8]]],
    [[[0, 3, "P"], [5.5, 8, "O"], "x"], [[0, 3, "P"], [0, 3, "P"], None]],
    [{"head": [0, 3], "tail": {"start": 5, "end": 8, "label": "O"}, "label": "x"}],
    [{"head": {"fragments": [[0, 1], [4, 6]], "label": "P"}, "tail": [7, 9], "directed": False, "id": "R1"}],
    [{"head": [0, 3], "tail": [5, 8], "directed": None}],
]


@pytest.mark.parametrize("value", WELL)
def test_nothing_is_wrong_with_what_is_well_formed(value: Any) -> None:
    assert relations.why_not(plain(value)) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("x", "it is not a list"),
        ([[0, 3, "P"]], "the head of a relation is not a span"),
        ([[[0, 3], [5, 8], "x", 1]], "a relation is"),
        ([[[0, 3], [5, 8]], []], "a relation is"),
        ([[[0, 3], [8, 5], "x"]], "the tail of a relation is not a span (a span from 8 to 5 has no length)"),
        ([[[0, 3], [5, 8], 4]], "the label of a relation is 4"),
        ([{"head": [0, 3], "label": "x"}], "a relation is"),
        ([{"head": [0, 3], "tail": [5, 8], "directed": "no"}], "'no' is neither"),
    ],
)
def test_what_is_wrong_is_said(value: Any, said: str) -> None:
    assert said in str(relations.why_not(plain(value)))


def test_they_are_packed_heads_before_tails() -> None:
    packed = relations.pack([plain(value) for value in WELL])
    assert packed.start.tolist() == [0, 0, 1, 2, 4, 5, 6, 7]
    assert packed.arguments.begin[:4].tolist() == [0, 5, 0, 5]
    assert packed.arguments.start.tolist() == (2 * packed.start).tolist()
    assert [packed.names[code] for code in packed.label] == ["x", None, "x", None, "x", None, None]
    assert packed.directed.tolist() == [True] * 5 + [False, True]
    assert packed.arguments.pieces is not None


def test_what_is_packed_at_once_is_packed_alike() -> None:
    plainly = [plain(value) for value in ([[[0, 3, "P"], [5, 8, "O"], "x"]], [], [[[1, 2, None], [5, 8, "P"], None]])]
    assert relations.quick is not None
    at_once, one_by_one = relations.quick(plainly), relations.pack(plainly)
    assert at_once.start.tolist() == one_by_one.start.tolist()
    assert at_once.label.tolist() == one_by_one.label.tolist()
    assert at_once.names == one_by_one.names
    assert at_once.arguments.begin.tolist() == one_by_one.arguments.begin.tolist()
    assert at_once.arguments.names == one_by_one.arguments.names
    for value in WELL[1:]:  # something is written otherwise
        assert relations.quick([plain(value)]) is None or value == WELL[3]


def test_one_relation_by_its_parts() -> None:
    assert relation(plain([[0, 3], [5, 8]])) == Relation((0, 3), (5, 8))
    said = relation(plain({"head": [0, 3], "tail": [5, 8], "label": "x", "directed": False}))
    assert said == Relation((0, 3), (5, 8), "x", directed=False)


def test_values_are_taken_for_relations_only_where_that_is_plain() -> None:
    assert relations.likely([plain(WELL[1]), ()])
    assert relations.likely([plain(WELL[4])])
    assert not relations.likely([plain(WELL[2])])  # could as well be a line of two points
    assert not relations.likely([()])


def test_a_study_may_say_that_it_holds_relations_and_learns_where_it_does_not() -> None:
    study = Annotations.of([("d", "a", [[[0, 3], [5, 8], "x"]]), ("d", "b", [])], kind="relations")
    assert study.kind == "relations"
    with pytest.raises(KindError, match=r"the tail of a relation is not a span.*item 'd' by 'b'"):
        Annotations.of([("d", "a", []), ("d", "b", [[[0, 3], [5, 5], "x"]])], kind="relations")


def test_cells_may_spell_them_as_json() -> None:
    study = Annotations.of([("d", "a", '[[[0, 3], [5, 8], "x"]]'), ("d", "b", "[]")], kind="relations")
    assert study.values == (((((0, 3), (5, 8), "x"),)), ())
