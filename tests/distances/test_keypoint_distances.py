"""Distances of keypoints, against their definitions spelled out in plain Python."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from interagree.data.values import plain
from interagree.distances import find
from interagree.distances.oks import COCO
from interagree.errors import KindError
from interagree.kernels.keypoints import joint_likeness
from interagree.plugins import KINDS
from interagree.stats.pairs.pair_distances import PairDistances

PAPER = "oks:constant=10,scale=spread,unlabelled=points,matching=pooled"
Points = list[list[float]]


def some_objects(rng: np.random.Generator, count: int, joints: int) -> list[Points]:
    made = rng.integers(1, 60, (count, joints, 2)).astype(float)
    made[rng.random((count, joints)) < rng.choice([0.2, 0.6, 1.0])] = 0
    return made.tolist()


def values(seed: int, count: int = 20, joints: int = 17) -> list[list[Points]]:
    rng = np.random.default_rng(seed)
    made = [some_objects(rng, rng.integers(0, 4), joints) for _ in range(count)]
    return [*made, [[*value[0][:-1], [9.0, 9.0]] for value in made[:1] if value]]


def area(points: Points) -> float:
    seen = [point for point in points if point != [0, 0]]
    if not seen:
        return 0.0
    (x0, x1), (y0, y1) = [(min(axis), max(axis)) for axis in zip(*seen, strict=True)]
    return (x1 - x0) * (y1 - y0)


def oks(a: Points, b: Points, constants: Any) -> float:
    size = (area(a) + area(b)) / 2
    parts = []
    for p, q, k in zip(a, b, constants, strict=True):
        if p == [0, 0] and q == [0, 0]:
            continue
        if p == [0, 0] or q == [0, 0]:
            parts.append(0.0)
        elif size == 0:
            parts.append(float(p == q))
        else:
            parts.append(math.exp(-(math.dist(p, q) ** 2) / (2 * size * (2 * k) ** 2)))
    return sum(parts) / len(parts) if parts else 1.0


def in_the_paper(a: Points, b: Points) -> float:
    one, other = np.array(a), np.array(b)
    size = (np.sqrt((one.std(axis=0) ** 2).mean()) + np.sqrt((other.std(axis=0) ** 2).mean())) / 2
    return 1.0 if size == 0 else float(np.exp(-((one - other) ** 2 / (size * 400)).mean(axis=1)).mean())


def paired(A: list[Points], B: list[Points], likeness: Any) -> float:
    if not A or not B:
        return float(len(A) != len(B))
    cost = np.array([[1 - likeness(a, b) for b in B] for a in A])
    return (cost[linear_sum_assignment(cost)].sum() + abs(len(A) - len(B))) / max(len(A), len(B))


def pooled(A: list[Points], B: list[Points], likeness: Any) -> float:
    if not A or not B:
        return float(len(A) != len(B))
    cost = np.array([[1 - likeness(a, b) for b in B] for a in A])
    return (cost.min(axis=0).sum() + cost.min(axis=1).sum()) / (len(A) + len(B))


@pytest.mark.parametrize(
    ("name", "joints", "constants"),
    [("oks", 17, COCO), ("oks", 5, [COCO.mean()] * 5), ("oks:constant=0.3", 17, [0.3] * 17)],
)
def test_keypoints_are_as_far_apart_as_the_definition_says(name: str, joints: int, constants: Any) -> None:
    for seed in range(3):
        some = values(seed, joints=joints)
        found = find(name).among(some)
        wanted = [[paired(A, B, lambda a, b: oks(a, b, constants)) for B in some] for A in some]
        assert found == pytest.approx(np.array(wanted), abs=1e-12)


def test_the_form_of_the_paper_can_be_had() -> None:
    some = values(5)
    wanted = [[pooled(A, B, in_the_paper) for B in some] for A in some]
    assert find(PAPER).among(some) == pytest.approx(np.array(wanted), abs=1e-12)


def test_the_spread_is_that_of_labelled_points_where_the_others_do_not_count() -> None:
    a, b = [[10, 10], [20, 10], [0, 0]], [[10, 13], [20, 10], [0, 0]]
    size = (5 / math.sqrt(2) + math.sqrt((25 + 1.5**2) / 2)) / 2
    wanted = 1 - (1 + math.exp(-9 / (2 * size * 4))) / 2
    assert find("oks:constant=1,scale=spread")([a], [b]) == pytest.approx(wanted)


def test_the_constants_are_those_of_coco(need: Any) -> None:
    need("pycocotools")
    from pycocotools.cocoeval import Params

    assert Params(iouType="keypoints").kpt_oks_sigmas.tolist() == pytest.approx(COCO.tolist())


def test_the_similarity_is_that_of_coco_where_all_joints_are_labelled(need: Any) -> None:
    need("pycocotools")
    from pycocotools.cocoeval import COCOeval, Params

    rng = np.random.default_rng(6)
    a = rng.integers(5, 90, (17, 2)).astype(float)
    b = a + rng.normal(0, 3, (17, 2))
    flat = [np.column_stack([points, np.full(17, 2)]).ravel().tolist() for points in (a, b)]
    size = (area(a.tolist()) + area(b.tolist())) / 2
    judge = COCOeval.__new__(COCOeval)
    judge.params = Params(iouType="keypoints")
    judge.params.catIds = [1]
    judge.params.useCats = 1
    judge._gts = {(1, 1): [{"keypoints": flat[0], "area": size, "bbox": [0, 0, 90, 90]}]}
    judge._dts = {(1, 1): [{"keypoints": flat[1], "score": 1.0}]}
    assert 1 - find("oks")([a.tolist()], [b.tolist()]) == pytest.approx(judge.computeOks(1, 1)[0, 0])


@pytest.mark.parametrize("name", ["oks", PAPER, "oks:constant=0.3,scale=spread", "iou", "iou:pixel=1", "count_diff"])
def test_order_does_not_matter_and_a_value_is_at_0_from_itself(name: str) -> None:
    distance = find(name)
    some = values(7)
    place = PairDistances(distance, some).place
    i, j = np.divmod(np.arange(len(some) ** 2), len(some))
    there = distance.between(place, i, j, **distance.ready())
    assert there == pytest.approx(distance.between(place, j, i, **distance.ready()), abs=1e-14)
    assert (there[i == j] == 0).all()
    assert there.min() >= 0
    assert there.max() <= 1 or not distance.bounded


def test_overlap_is_that_of_the_boxes_around_labelled_points() -> None:
    some = values(8)
    boxes = [
        [
            [min(x for x, _ in seen), min(y for _, y in seen), max(x for x, _ in seen), max(y for _, y in seen)]
            for points in value
            if (seen := [point for point in points if point != [0, 0]])
        ]
        for value in some
    ]
    assert find("iou").among(some) == pytest.approx(find("iou").among(boxes))
    assert find("iou:pixel=1").among(some) == pytest.approx(find("iou:pixel=1").among(boxes))


def test_the_compiled_loop_does_as_the_plain_one() -> None:
    rng = np.random.default_rng(9)
    packed = KINDS["keypoints"].packed([plain(some_objects(rng, 40, 17))])
    x, y = rng.integers(0, 40, (2, 500))
    scale, weight = rng.random(40) * 900, 8 * COCO**2
    for as_points in (False, True):
        found = np.empty((2, 500))
        for k, kernel in enumerate((joint_likeness.plain, joint_likeness.fast)):
            kernel(packed.point, packed.labelled, scale, weight, x, y, as_points, found[k])
        assert found[0] == pytest.approx(found[1], abs=1e-14)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("oks:constant=-1", "needs a constant above 0"),
        ("oks:scale=big", "takes scale as 'area', 'spread', got 'big'"),
        ("oks:unlabelled=gone", "takes unlabelled as 'zero', 'points', got 'gone'"),
    ],
)
def test_what_cannot_be_asked_for_is_named(name: str, said: str) -> None:
    with pytest.raises(KindError, match=said):
        find(name).among(values(1))


def test_real_keypoints_agree_as_the_definitions_of_the_paper_say(shared: Path) -> None:
    """Re-simulated data: alpha is 0.671 by similarity; by boxes 0.2834 where nothing and nothing are 1 apart."""
    lines = (shared / "data" / "complex" / "keypoints.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    item = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    i, j = np.triu_indices(len(rows), 1)
    within = item[i] == item[j]
    some = [plain(row["value"]) for row in rows]

    def alpha(far: Any) -> float:
        return 1 - far[within].mean() / far[~within].mean()

    assert alpha(PairDistances(find(PAPER), some)(i, j)) == pytest.approx(0.671, abs=0.002)
    apart = PairDistances(find("iou:matching=pooled,pixel=1"), some)
    boxes = np.diff(apart.place.start)
    far = np.where((boxes[i] == 0) & (boxes[j] == 0), 1, apart(i, j))
    assert alpha(far) == pytest.approx(0.2835, abs=0.0005)
