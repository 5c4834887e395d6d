"""Boxes, boxes at an angle, polygons, masks and keypoints: how they are written, recognised and refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.distances import find
from interagree.errors import KindError, MissingExtra
from interagree.kinds import recognise
from interagree.plugins import KINDS

BOX = [1, 2, 3.5, 4]
SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4]]
TRIANGLE = [[1, 1], [5, 1], [3, 6]]
MASK = {"size": [2, 3], "counts": [1, 2, 3]}
POSE = [[3, 4], [0, 0], [0, 0], [7, 8]]

FINE = {
    "boxes": [[], BOX, [BOX], [BOX, BOX], [[*BOX, "cat"], BOX], [*BOX, "cat"], [[*BOX, 7]]],
    "rotated": [[], [*BOX, 30], [[*BOX, 30.5], [*BOX, -7]], [[*BOX, 0, "cat"]], [[9, 9, 0, 0, 0]]],
    "polygons": [[], SQUARE, [SQUARE], [SQUARE, TRIANGLE]],
    "masks": [[], MASK, [MASK], [MASK, MASK], {"size": [1, 1], "counts": "1"}],
    "keypoints": [[], POSE, [POSE], [POSE, POSE], [[[1, 2, 0], [3, 4, 2]]]],
}

WRONG = [
    ("boxes", 3, "it is not a list"),
    ("boxes", "a", "it is not a list"),
    ("boxes", [1, 2, 3], "a box has 3 entries"),
    ("boxes", [BOX, 5], "5 is not a box"),
    ("boxes", [[1, 2, "x", 4]], "has an entry that is not a number"),
    ("boxes", [[1, 2, float("inf"), 4]], "has an entry that is not a number"),
    ("boxes", [[1, 2, 1e200, 4]], "has an entry that is not a number"),
    ("boxes", [[True, 2, 3, 4]], "has an entry that is not a number"),
    ("boxes", [[10, 20, 5, 30]], "ends before it begins"),
    ("boxes", [[*BOX, 0.5]], "the label 0.5 of a box is neither"),
    ("boxes", [[]], "a box has 0 entries"),
    ("rotated", [BOX], "a box has 4 entries"),
    ("rotated", [[1, 2, -3, 4, 0]], "width or height below 0"),
    ("rotated", [[1, 2, 3, 4, "a"]], "an entry that is not a number"),
    ("rotated", [[1, 2, 3, 4, 5, 0.5]], "the label 0.5 of a box is neither"),
    ("rotated", [3], "it is not a list|a box has 1 entries"),
    ("polygons", [[[0, 0], [1, 1]]], "a polygon has 2 points"),
    ("polygons", [[[0, 0], [1, 1], [2]]], r"a polygon has the point \[2\]"),
    ("polygons", [[0, 0], [1, 1], 3], "a polygon has the point 3"),
    ("polygons", [4], "4 is not a polygon"),
    ("polygons", {"points": [[0, 0], [1, 1]], "label": "car"}, "a polygon has 2 points"),
    ("polygons", {"points": [], "label": "car"}, "a polygon has 0 points"),
    ("polygons", [{"points": SQUARE, "label": 1.5}], "the label 1.5 of a polygon is neither"),
    ("polygons", [{"points": SQUARE, "class": "car"}], "a polygon has the entries 'class', 'points'"),
    ("masks", [{**MASK, "label": True}], "the label True of a mask is neither"),
    ("masks", [5], "a mask lacks its 'size'"),
    ("masks", {"size": [2, 3]}, "a mask lacks its 'size' or its 'counts'"),
    ("masks", {"size": [2], "counts": []}, r"a mask has the size \[2\]"),
    ("masks", {"size": 2, "counts": []}, "a mask has the size 2"),
    ("masks", {"size": [2, 3], "counts": [0.5]}, "neither a string nor whole numbers"),
    ("masks", {"size": [2, 3], "counts": [1, 2]}, r"2 × 3 pixels must add up to 6, and those of one add up to 3"),
    ("masks", {"size": [2, 3], "counts": [9, -3]}, "neither a string nor whole numbers"),
    ("masks", {"size": [2, 3], "counts": "9M"}, "fewer than 0 pixels"),
    ("keypoints", [POSE, TRIANGLE], "objects have 3, 4 points"),
    ("keypoints", [[[1, 2, 3, 4]]], r"an object has the point \[1, 2, 3, 4\]"),
    ("keypoints", [[[1, 2], 3]], "an object has the point 3"),
    ("keypoints", [[]], r"\[\] is not an object"),
    ("keypoints", [6], "6 is not an object"),
]


@pytest.mark.parametrize("name", FINE)
def test_each_way_of_writing_a_value_is_understood(name: str) -> None:
    values = [plain(value) for value in FINE[name]]
    assert [KINDS[name].why_not(value) for value in values] == [None] * len(values)
    for value in values:
        packed = KINDS[name].packed([value, ()])
        assert packed.start[-1] == packed.start[1] == len(np.atleast_1d(packed.overlap(*both(packed))))
        assert (packed.overlap(*both(packed)) == 1).all()


def both(packed: Any) -> tuple[Any, Any]:
    every = np.arange(packed.start[-1])
    return every, every


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_what_is_wrong_with_a_value_is_said(name: str, value: Any, said: str) -> None:
    with pytest.raises(KindError, match=said):
        KINDS[name].packed([plain(value)])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([[BOX], []], "boxes"),
        ([[[*BOX, "cat"]], [BOX]], "boxes"),
        ([[SQUARE], [TRIANGLE]], "polygons"),
        ([[SQUARE], [SQUARE, [[0, 0], [2, 0], [2, 2], [0, 2]]]], "polygons"),
        ([[POSE]], "keypoints"),
        ([[[[1, 2, 1], [3, 4, 2]]]], "keypoints"),
        ([[[[k, j] for k in range(1, 18)] for j in (3, 4, 5)]], "keypoints"),
        ([MASK, [MASK]], "masks"),
    ],
)
def test_kinds_are_recognised(values: list[Any], kind: str) -> None:
    assert recognise([plain(value) for value in values]) == kind


@pytest.mark.parametrize("value", [BOX, SQUARE, [[3, 4], [5, 6]]])
def test_an_object_alone_is_one_only_where_it_is_said(value: Any) -> None:
    for name in ("boxes", "keypoints", "polygons"):
        kind, alone = KINDS[name], plain(value)
        assert kind.why_not(alone) is not None or not kind.likely([alone])


def test_an_object_alone_is_a_list_of_one() -> None:
    assert find("iou")(BOX, [BOX]) == 0
    assert find("iou")(SQUARE, [SQUARE]) == 0
    assert find("iou")(MASK, [MASK]) == 0
    assert find("oks")(POSE, [POSE]) == 0


def test_five_numbers_are_a_box_at_an_angle_unless_they_can_be_a_box_with_a_label() -> None:
    assert find("iou")([[5, 5, 2, 2, 90]], [[5, 5, 2, 2, 0]]) == pytest.approx(0, abs=1e-12)
    assert find("iou")([[1, 1, 2, 2, 90]], [[1, 1, 2, 2, 0]]) == 1  # the same place, another label


def test_numbers_of_keypoints_must_agree_between_values() -> None:
    with pytest.raises(KindError, match=r"same number of keypoints, and these have 3, 4; .* kind='polygons'"):
        KINDS["keypoints"].packed([plain([POSE]), plain([TRIANGLE])])


def test_joints_that_are_not_labelled_have_no_place() -> None:
    packed = KINDS["keypoints"].packed([plain([[[5, 6, 0], [0, 0, 2], [-0.0, 0, 1], [0, 3, 1], [2, 1, 2]]])])
    assert packed.labelled.tolist() == [[False, False, False, True, True]]
    assert packed.point[0].tolist() == [[0, 0], [0, 0], [0, 0], [0, 3], [2, 1]]
    assert packed.box.tolist() == [[0, 1, 2, 3]]


def test_polygons_without_shapely_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(MissingExtra, match=r"polygons needs shapely.*interagree\[complex\]"):
        KINDS["polygons"].packed([plain([SQUARE])])


@pytest.mark.parametrize("name", ["boxes", "keypoints"])
def test_real_data_are_recognised(shared: Path, name: str) -> None:
    lines = (shared / "data" / "complex" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert recognise([plain(json.loads(line)["value"]) for line in lines]) == name


@pytest.mark.parametrize("name", FINE)
def test_the_distances_of_a_kind_exist_and_compare_it(name: str) -> None:
    kind = KINDS[name]
    assert kind.distance in kind.distances
    assert all(name in find(distance).kinds for distance in kind.distances)


def test_polygons_and_masks_bear_labels_as_boxes_do() -> None:
    car, bus = {"points": SQUARE, "label": "car"}, {"points": SQUARE, "label": "bus"}
    iou = find("iou")
    assert (iou([car], [bus]), iou([car], [car]), iou(car, [car])) == (1, 0, 0)
    assert find("iou:labels=ignore")([car], [bus]) == 0
    assert iou([{**MASK, "label": "car"}], [{**MASK, "label": "bus"}]) == 1
    assert iou([{**MASK, "label": "car"}], [{**MASK, "label": "car"}]) == 0
    assert iou([{**MASK, "label": 1}], [MASK]) == 1


def test_a_polygon_of_several_outlines_is_one_object() -> None:
    left, right = [[0, 0], [2, 0], [2, 4], [0, 4]], [[2, 0], [4, 0], [4, 4], [2, 4]]
    whole, over = [[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 0], [4, 0], [4, 4], [1, 4]]
    iou = find("iou")
    assert iou([{"points": [left, right]}], [whole]) == pytest.approx(0)
    assert iou([{"points": [left, over]}], [whole]) == pytest.approx(0)  # what lies in both counts once
    assert iou([{"points": [left, right]}], [left]) == pytest.approx(0.5)


def test_polygons_and_masks_with_labels_are_recognised_and_shown() -> None:
    values = [plain([{"points": SQUARE, "label": "car"}]), plain({"points": TRIANGLE, "label": "bus"})]
    assert recognise(values) == "polygons"
    in_words = KINDS["polygons"].words
    assert in_words is not None
    assert in_words(values[0], None).startswith("car 4 points in [")
    in_words = KINDS["masks"].words
    assert in_words is not None
    assert in_words(plain([{**MASK, "label": 3}]), None) == "3 mask of 2 pixels in 3 × 2"
