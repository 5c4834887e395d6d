"""Distances of lists of boxes, against their definitions spelled out in plain Python."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.distances import find
from interagree.errors import KindError
from interagree.kernels.regions import box_likeness, corners_apart
from interagree.stats.pairs.pair_distances import PairDistances

Box = tuple[float, ...]
NAMES = ("iou", "giou", "diou", "l2", "count_diff")


def some_boxes(rng: np.random.Generator, count: int) -> list[Box]:
    """Boxes on a coarse grid, so that some are equal, some touch, and some have no area."""
    corner = rng.integers(0, 6, (count, 2))
    return [tuple(map(float, box)) for box in np.hstack([corner, corner + rng.integers(0, 5, (count, 2))])]


def values(seed: int, count: int = 25, *, least: int = 0) -> list[tuple[Box, ...]]:
    rng = np.random.default_rng(seed)
    return [tuple(some_boxes(rng, rng.integers(least, 5))) for _ in range(count)]


def area(box: Box) -> float:
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])


def both(a: Box, b: Box) -> tuple[float, float, Box]:
    """The area that two boxes share, the area they cover together, and the box around them."""
    shared = area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))
    hull = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    return shared, area(a) + area(b) - shared, hull


def iou(a: Box, b: Box) -> float:
    shared, union, _ = both(a, b)
    return shared / union if union else float(a == b)


def giou(a: Box, b: Box) -> float:
    _, union, hull = both(a, b)
    return iou(a, b) - ((area(hull) - union) / area(hull) if area(hull) else float(a != b)) * (a != b)


def diou(a: Box, b: Box) -> float:
    if a == b:
        return 1.0
    _, _, hull = both(a, b)
    centres = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in (a, b)]
    return iou(a, b) - (math.dist(*centres) / math.dist(hull[:2], hull[2:])) ** 2


def l2(a: Box, b: Box) -> float:
    return (math.dist(a[:2], b[:2]) + math.dist(a[2:], b[2:])) / math.sqrt(2)


SINGLE = {
    "iou": lambda a, b: 1 - iou(a, b),
    "giou": lambda a, b: 1 - max(giou(a, b), 0),
    "giou:clip=0": lambda a, b: (1 - giou(a, b)) / 2,
    "diou": lambda a, b: 1 - max(diou(a, b), 0),
    "diou:clip=0": lambda a, b: (1 - diou(a, b)) / 2,
}


def paired(A: Any, B: Any, single: Any) -> float:
    short, long = sorted([A, B], key=len)
    if not short:
        return float(bool(long))
    costs = (sum(single(a, b) for a, b in zip(short, chosen, strict=True)) for chosen in permutations(long, len(short)))
    return (min(costs) + len(long) - len(short)) / len(long)


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("seed", range(3))
def test_lists_of_boxes_are_as_far_apart_as_the_definition_says(name: str, seed: int) -> None:
    some = values(seed)
    found = find(name).among(some)
    wanted = [[paired(A, B, SINGLE[name]) for B in some] for A in some]
    assert found == pytest.approx(np.array(wanted), abs=1e-12)
    assert found.min() >= 0
    assert found.max() <= 1


def test_corners_are_as_far_apart_as_the_definition_says() -> None:
    some = values(4, least=1)
    wanted = [
        [
            (np.mean([min(l2(a, b) for b in B) for a in A]) + np.mean([min(l2(a, b) for a in A) for b in B])) / 2
            for B in some
        ]
        for A in some
    ]
    assert find("l2").among(some) == pytest.approx(np.array(wanted), abs=1e-12)


def test_numbers_of_boxes_are_compared_and_their_sums_need_no_pairs() -> None:
    some = values(5)
    far = find("count_diff").among(some)
    assert far.tolist() == [[abs(len(a) - len(b)) for b in some] for a in some]
    frequency = np.random.default_rng(0).integers(0, 9, len(some)).astype(float)
    assert PairDistances(find("count_diff"), some).potential(frequency) == pytest.approx(far @ frequency)
    assert PairDistances(find("count_diff"), []).potential(np.zeros(0)).tolist() == []


@pytest.mark.parametrize("name", ["iou", "iou:pixel=1", "iou:unmatched=0.6", "count_diff"])
def test_the_triangle_inequality_holds_where_it_is_declared(name: str) -> None:
    assert find(name).metric
    far = find(name).among(values(6, 60))
    assert (far[:, None, :] <= far[:, :, None] + far[None, :, :] + 1e-12).all()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_declared_bounded_is_and_order_does_not_matter(name: str) -> None:
    distance = find(name)
    some = [value for value in values(7) if value or name != "l2"]
    apart = PairDistances(distance, some)
    i, j = np.divmod(np.arange(len(some) ** 2), len(some))
    there = distance.between(apart.place, i, j, **distance.ready())
    back = distance.between(apart.place, j, i, **distance.ready())
    assert there == pytest.approx(back, abs=1e-14)
    assert (there[i == j] == 0).all()
    assert there.min() >= 0
    assert (there.max() <= 1) == distance.bounded


@pytest.mark.parametrize("name", ["iou", "giou:clip=1"])
def test_a_pixel_more_is_a_wider_box(name: str) -> None:
    some = values(8)
    wider = [tuple((a, b, c + 1, d + 1) for a, b, c, d in value) for value in some]
    pixel = name + ("," if ":" in name else ":") + "pixel=1"
    assert find(pixel).among(some) == pytest.approx(find(name).among(wider))


def test_the_compiled_loop_does_as_the_plain_one() -> None:
    rng = np.random.default_rng(9)
    box = np.array(some_boxes(rng, 80))
    x, y = rng.integers(0, 80, (2, 1000))
    for form in range(3):
        found = np.empty((2, 1000))
        box_likeness.plain(box, x, y, form, found[0])
        box_likeness.fast(box, x, y, form, found[1])
        assert found[0] == pytest.approx(found[1], abs=1e-15)
    corners_apart.plain(box, x, y, found[0])
    corners_apart.fast(box, x, y, found[1])
    assert found[0] == pytest.approx(found[1], rel=1e-15)


def test_boxes_of_different_labels_are_apart() -> None:
    a, b = [[0, 0, 2, 2, "cat"], [5, 5, 6, 6, "dog"]], [[0, 0, 2, 2, "cat"], [5, 5, 6, 6, "cat"]]
    assert find("iou")(a, b) == 0.5
    assert find("iou:labels=ignore")(a, b) == 0
    assert find("l2:unmatched=30")(a[1:], b[1:]) == 30
    with pytest.raises(KindError, match="objects of different labels"):
        find("l2")(a[1:], b[1:])


def test_corners_of_no_box_cannot_be_compared() -> None:
    with pytest.raises(KindError, match="'l2:unmatched=500'"):
        find("l2")([], [[0, 0, 1, 1]])
    assert find("l2:unmatched=500")([], [[0, 0, 1, 1]]) == 500
    assert find("l2")([], []) == 0


def test_far_away_boxes_stay_numbers() -> None:
    far = [[[-1e99, -1e99, 1e99, 1e99]], [[1e99, 1e99, 1e99, 1e99]], [[0, 0, 1e-99, 1e-99]], [[0, 0, 0, 0]]]
    for name in ("iou", "giou", "diou", "l2"):
        assert np.isfinite(find(name).among(far)).all()


# Alpha on the boxes of Braylan, Alonso & Lease (2022), the mean over 100 draws of the pairs between items as in their
# code; one draw made Table 1, which has 0.4365, 0.6873, 0.5046 and 0.5069.  Here all pairs are taken.
REAL = {
    "count_diff": 0.433,
    "l2:matching=pooled": 0.6873,
    "iou:matching=pooled,pixel=1": 0.5049,
    "giou:matching=pooled,clip=1,pixel=1": 0.5068,
}


@pytest.mark.parametrize("name", REAL)
def test_real_boxes_agree_as_published(shared: Path, name: str) -> None:
    rows = [
        json.loads(line)
        for line in (shared / "data" / "complex" / "boxes.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    item = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    i, j = np.triu_indices(len(rows), 1)
    within = item[i] == item[j]
    far = PairDistances(find(name), [plain(row["value"]) for row in rows])(i, j)
    assert 1 - far[within].mean() / far[~within].mean() == pytest.approx(REAL[name], abs=0.0015)
