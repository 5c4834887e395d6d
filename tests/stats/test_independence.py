"""What independent annotators get, beside all deals of each annotator's values to the items that they annotated."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.plugins import MEASURES
from interagree.stats.labels.independence import independent

NUMBERS = [1, 2, 4]
CALLS: list[tuple[str, dict[str, Any], float]] = [
    ("alpha", {}, 1e-12),
    ("alpha", {"distance": "ordinal"}, 1e-12),
    ("alpha", {"distance": "interval"}, 1e-12),
    ("bennett_s", {"weights": "linear"}, 1e-12),
    ("van_oest", {}, 1e-12),
    ("conger_kappa", {}, 1e-12),
    ("conger_kappa", {"weights": "quadratic"}, 1e-12),
    ("spa", {}, 1e-12),
    ("spa", {"weigh": "edges"}, 1e-12),
    # With gaps their expected disagreement moves with the deal, by one part in the number of annotations.
    ("spa", {"corrected": True}, 0.05),
    ("fleiss_kappa", {}, 0.05),
    ("ac1", {}, 0.05),
    ("ac2", {"weights": "linear"}, 0.05),
]
UNPAIRED = ("alpha", "spa")  # they leave out items with one annotation


def drawn(people: int, items: int, gaps: int, seed: int) -> list[tuple[int, str, int]]:
    """Annotators with habits of their own, some of whose annotations are missing."""
    rng = np.random.default_rng(seed)
    rows = [(item, f"annotator {a}", int(rng.choice(NUMBERS))) for a in range(people) for item in range(items)]
    gone = rng.choice(len(rows), gaps, replace=False)
    return [row for at, row in enumerate(rows) if at not in gone]


def of(rows: list[tuple[int, str, int]]) -> ia.Annotations:
    return ia.Annotations.of(rows, values=NUMBERS)


def mean_of_all_deals(rows: list[tuple[int, str, int]], name: str, options: dict[str, Any]) -> float:
    counted = [sum(row[0] == other[0] for other in rows) > (name in UNPAIRED) for row in rows]
    fixed = [row for row, counts in zip(rows, counted, strict=True) if not counts]
    of_each = [
        [row for row, counts in zip(rows, counted, strict=True) if counts and row[1] == who]
        for who in dict.fromkeys(row[1] for row in rows)
    ]
    results = []
    for deal in itertools.product(*(set(itertools.permutations(row[2] for row in own)) for own in of_each)):
        dealt = [
            (item, who, value)
            for own, values in zip(of_each, deal, strict=True)
            for (item, who, _), value in zip(own, values, strict=True)
        ]
        results.append(MEASURES[name](of(fixed + dealt), **options).value)
    return float(np.mean(results))


@pytest.mark.parametrize(("people", "items", "gaps", "seed"), [(2, 5, 0, 1), (2, 6, 3, 2), (3, 4, 3, 3)])
@pytest.mark.parametrize(("name", "options", "error"), CALLS, ids=str)
def test_it_is_the_mean_over_all_deals(
    people: int, items: int, gaps: int, seed: int, name: str, options: dict[str, Any], error: float
) -> None:
    rows = drawn(people, items, gaps, seed)
    found = independent(MEASURES[name](of(rows), **options))
    allowed = error if gaps or name == "spa" else 1e-12
    assert found == pytest.approx(mean_of_all_deals(rows, name, options), abs=allowed)


def test_items_of_one_annotation_do_not_count_where_the_measure_leaves_them_out() -> None:
    rows = drawn(2, 8, 0, 5)
    alone = [(100 + n, "annotator 0", 4) for n in range(40)]
    assert independent(ia.alpha(of(rows + alone))) == pytest.approx(independent(ia.alpha(of(rows))), abs=1e-12)
