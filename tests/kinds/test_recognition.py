"""Which kind values are, and what is said where a few of them are of none."""

from __future__ import annotations

import pytest

import interagree as ia
from interagree.errors import KindError

BOXES = [(f"p{k}", who, [[k, k, k + 5, k + 6 + shift]]) for k in range(4) for shift, who in enumerate("ab")]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([[60, 90, 10, 20]], "ends before it begins"),
        ([[1, 2, 3]], "has 3 entries"),
        ([[1, 2, 3, float("nan")]], "not a number"),
        ([[1, 2, 3, "4"]], "not a number"),
    ],
)
def test_one_misspelt_value_does_not_turn_all_into_labels(value, reason) -> None:
    study = ia.Annotations.of([*BOXES, ("p9", "zoe", value)])
    with pytest.raises(KindError, match=rf"nearly all values are boxes.*item 'p9' by 'zoe'.*{reason}"):
        ia.alpha(study)
    assert ia.alpha(ia.Annotations.of([*BOXES, ("p9", "zoe", value)], kind="labels")).value <= 0


def test_a_tree_that_does_not_close_is_named() -> None:
    rows = [(k, who, f"(S (NP x{k}) (VP {who}))") for k in range(4) for who in "ab"]
    with pytest.raises(KindError, match=r"nearly all values are trees.*not closed"):
        ia.alpha([*rows, (9, "a", "(S (NP x)")])


def test_a_cell_that_is_no_json_is_named(tmp_path) -> None:
    path = tmp_path / "cells.csv"
    cells = [f'{k},{who},"[[{k},{k},{k + 5},{k + 6}]]"' for k in range(4) for who in "ab"]
    path.write_text("\n".join(["item,annotator,value", *cells, '9,a,"[[1,2,3"']), encoding="utf-8")
    with pytest.raises(KindError, match=r"'\[\[1,2,3' is not JSON"):
        ia.read(path)
    path.write_text("\n".join(["item,annotator,value", *cells]), encoding="utf-8")
    assert ia.read(path)["value"].kind == "boxes"


def test_a_vector_of_another_length_is_named() -> None:
    rows = [(k, who, [k, 0, 0.5]) for k in range(4) for who in "ab"]
    with pytest.raises(KindError, match="one has 3 numbers and another 2"):
        ia.alpha([*rows, (9, "a", [1, 0])])


@pytest.mark.parametrize(
    ("far", "reason"),
    [
        (lambda a, b: max(a - b, 0), "the same both ways"),
        (lambda a, b: -abs(a - b), "finite number from 0 up"),
        (lambda _a, _b: 1.0, "distance 0 from itself"),
        (lambda _a, _b: None, "a distance is a number"),
        (lambda a, b: abs(a - b) if a != b else float("nan"), "a distance is a number"),
    ],
)
def test_a_function_that_is_no_distance_is_told_so(far, reason) -> None:
    rows = [(k, who, 3 * k + shift) for k in range(20) for shift, who in enumerate("abc")]
    with pytest.raises(KindError, match=reason):
        ia.alpha(rows, distance=far)
