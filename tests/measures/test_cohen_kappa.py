"""Cohen's kappa where annotations are missing, and under no agreement."""

from __future__ import annotations

import math

import pytest

import interagree as ia
from interagree.errors import KindError

ROWS = [(1, "a", 1), (1, "b", 1), (2, "a", 2), (2, "b", 1), (3, "a", 3), (3, "b", 3), (4, "a", 2), (5, "b", 3)]


def test_what_was_not_annotated_has_no_place_on_a_scale() -> None:
    for values in ([1, 2, 3], None):
        study = ia.Annotations.of(ROWS, values=values)
        assert ia.cohen_kappa(study, missing="category").undefined is None
        for options in ({"weights": "linear"}, {"distance": "ordinal"}, {"weights": "circular"}):
            with pytest.raises(KindError, match="'not annotated'"):
                ia.cohen_kappa(study, missing="category", **options)
    table = [[0, 1, 2, 2], [1, 0, 1, 2], [2, 1, 0, 2], [2, 2, 2, 0]]  # a place for it can be given
    assert ia.cohen_kappa(study, missing="category", distance=table).undefined is None


def test_clusters_are_known_where_missing_annotations_are_a_value() -> None:
    columns = dict(zip(("item", "annotator", "value"), map(list, zip(*ROWS, strict=True)), strict=True))
    study = ia.Annotations.of({**columns, "document": [item // 2 for item in columns["item"]]})
    assert ia.cohen_kappa(study, missing="category").standard_error(cluster="document") > 0


def test_the_error_under_no_agreement_is_that_of_the_margins() -> None:
    study = ia.Annotations.from_contingency([[20, 5, 3], [4, 15, 6], [1, 2, 10]])
    found = ia.cohen_kappa(study)
    p, q = [28 / 66, 25 / 66, 13 / 66], [25 / 66, 22 / 66, 19 / 66]
    chance = sum(x * y for x, y in zip(p, q, strict=True))
    spread = chance + chance**2 - sum(x * y * (x + y) for x, y in zip(p, q, strict=True))
    wanted = math.sqrt(spread / 66) / (1 - chance)
    assert found.standard_error(method="null") == pytest.approx(wanted)
    assert found.interval(method="null").df == math.inf


def test_three_annotators_are_pointed_elsewhere() -> None:
    with pytest.raises(KindError, match=r"light_kappa.*conger_kappa.*by_pair"):
        ia.cohen_kappa([*ROWS, (1, "c", 1)])


def test_boolean_labels_are_labels() -> None:
    rows = [(i, who, (i + j) % 3 == 0) for i in range(6) for j, who in enumerate("ab")]
    assert ia.ac2(rows).value == pytest.approx(ia.ac1(rows).value)
