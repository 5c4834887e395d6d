"""Tables of a study: what met what, who said what, and why coefficients differ."""

from __future__ import annotations

import numpy as np
import pytest
from random_studies import study_for

import interagree as ia
from interagree.errors import KindError

ROWS = [
    (1, "a", "x"),
    (1, "b", "x"),
    (1, "c", "y"),
    (2, "a", "y"),
    (2, "b", "x"),
    (3, "a", "x"),
    (4, "b", "y"),
    (4, "a", "y"),
]


def body(table: ia.Table) -> list[list[float]]:
    return [list(column) for name, column in list(table.columns.items())[1:]]


def test_coincidences_add_up_to_the_annotations_that_can_be_compared() -> None:
    table = ia.studies.coincidences(ROWS)
    x, y, total = body(table)
    # item 1: xx 2/2, xy 2/2 both ways; item 2: xy; item 4: yy
    assert x == [1.0, 2.0]
    assert y == [2.0, 2.0]
    assert total == [3.0, 4.0]


def test_alpha_is_what_the_coincidences_say() -> None:
    study = study_for("alpha", np.random.default_rng(0), items=20)
    table = np.array(body(ia.studies.coincidences(study))[:-1])
    n, margins = table.sum(), table.sum(axis=0)
    seen = 1 - np.trace(table) / n
    chance = (n**2 - (margins**2).sum()) / (n * (n - 1))
    assert ia.alpha(study).value == pytest.approx(1 - seen / chance)


def test_a_table_of_two_annotators_has_the_first_in_its_rows() -> None:
    table = ia.confusion(ROWS, "b", "a")
    assert next(iter(table.columns)) == "b \\ a"
    assert body(table) == [[1.0, 0.0], [1.0, 1.0], [2.0, 1.0]]
    turned = ia.confusion(ROWS, "a", "b")
    assert body(turned)[:-1] == np.array(body(table)[:-1]).T.tolist()


def test_all_pairs_together_have_no_first() -> None:
    x, y, total = body(ia.confusion(ROWS))
    assert x[1] == y[0]
    assert sum(total) == 5  # three pairs of item 1, one of items 2 and 4 each


def test_cohen_is_what_the_table_of_two_says() -> None:
    study = study_for("cohen_kappa", np.random.default_rng(0), items=20)
    table = np.array(body(ia.confusion(study, "a", "b"))[:-1])
    p = table / table.sum()
    chance = p.sum(axis=0) @ p.sum(axis=1)
    assert ia.cohen_kappa(study).value == pytest.approx((np.trace(p) - chance) / (1 - chance))


def test_values_that_look_alike_have_columns_of_their_own() -> None:
    rows = [(1, "a", 1), (1, "b", "1"), (2, "a", "total"), (2, "b", "value"), (3, "a", 1), (3, "b", 1)]
    for table in (ia.studies.coincidences(rows), ia.confusion(rows)):
        assert len(table.columns) == 1 + 4 + 1
        assert sum(table["total"]) in {6.0, 3.0}


def test_half_a_pair_is_not_enough() -> None:
    with pytest.raises(KindError, match="both annotators"):
        ia.confusion(ROWS, first="a")
    with pytest.raises(KindError, match="who gave which value"):
        ia.confusion(ia.Annotations.from_counts([[2, 0], [1, 1]]))


def test_why_coefficients_differ_is_shown_part_by_part() -> None:
    study = ia.Annotations.from_contingency([[90, 5], [4, 1]], values=["no", "yes"])
    table = ia.chance(study)
    by = {row["measure"]: row for row in table}
    assert set(by) == {"percent", "bennett_s", "fleiss_kappa", "cohen_kappa", "alpha", "ac1"}
    for name, row in by.items():
        assert row["value"] == pytest.approx(getattr(ia.measures, name)(study).value)
        observed, expected = row["observed agreement"], row["expected agreement"]
        if expected is not None:
            assert row["value"] == pytest.approx((observed - expected) / (1 - expected))
    assert "'no' has 94%" in table.foot or "'no' has 95%" in table.foot
    assert "fall where AC1 and S stay" in table.foot
    assert by["fleiss_kappa"]["value"] < 0.2
    assert by["ac1"]["value"] > 0.8


def test_an_uneven_annotator_is_named_by_what_she_does() -> None:
    rows = [(i, "a", "x") for i in range(8)] + [(i, "b", "xy"[i % 2]) for i in range(8)]
    assert (
        "the share of 'x' differs by up to 50%" in ia.chance(rows).foot
        or "'y' differs by up to 50%" in ia.chance(rows).foot
    )


def test_nothing_and_counts_can_be_looked_at_too() -> None:
    assert ia.chance(ia.Annotations.of([], values=["x", "y"])).foot == "there are no annotations"
    counted = ia.chance(ia.Annotations.from_counts([[2, 1], [0, 3]], values=["x", "y"]))
    assert "conger_kappa" not in counted["measure"]
    assert len(ia.studies.coincidences(ia.Annotations.of([], values=["x", "y"]))) == 2
