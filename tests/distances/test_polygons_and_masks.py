"""Overlap of polygons, boxes at an angle and masks, against shapely, pycocotools and counting pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.distances import find
from interagree.errors import KindError
from interagree.kernels.regions import mask_overlap, spelled_out, stretches, turned_overlap
from interagree.plugins import KINDS


def overlaps(kind: str, things: list[Any]) -> Any:
    """The overlap of all pairs of objects."""
    packed = KINDS[kind].packed([plain([thing]) for thing in things])
    x, y = np.divmod(np.arange(len(things) ** 2), len(things))
    return packed.overlap(x, y).reshape(len(things), -1)


def turned(rng: np.random.Generator, count: int) -> list[list[float]]:
    made = np.column_stack(
        [rng.uniform(0, 10, (count, 2)), rng.uniform(0.5, 8, (count, 2)), rng.uniform(-400, 400, count)]
    )
    made[::4] = np.round(made[::4])  # sides and corners that coincide
    made[::4, 4] = rng.choice([0, 45, 90, 180, -90], len(made[::4]))
    return made.tolist()


def test_boxes_at_an_angle_overlap_as_shapely_says(need: Any) -> None:
    need("shapely")
    from shapely import affinity, box

    things = turned(np.random.default_rng(0), 40)
    shapes = [
        affinity.rotate(box(x - w / 2, y - h / 2, x + w / 2, y + h / 2), angle, origin=(x, y))
        for x, y, w, h, angle in things
    ]
    wanted = np.array(
        [[a.intersection(b).area / u if (u := a.union(b).area) else float(a.equals(b)) for b in shapes] for a in shapes]
    )
    found = overlaps("rotated", things)
    assert found == pytest.approx(wanted, abs=1e-9)
    assert found == pytest.approx(found.T, abs=1e-12)
    assert (np.diag(found) == 1).all()


def test_boxes_at_no_angle_overlap_as_boxes_do() -> None:
    rng = np.random.default_rng(1)
    corner = rng.integers(0, 9, (30, 2))
    plain_boxes = np.hstack([corner, corner + rng.integers(0, 6, (30, 2))]).astype(float)
    middle, size = (plain_boxes[:, :2] + plain_boxes[:, 2:]) / 2, plain_boxes[:, 2:] - plain_boxes[:, :2]
    straight = np.column_stack([middle, size, np.zeros(30)])
    assert overlaps("rotated", straight.tolist()) == pytest.approx(overlaps("boxes", plain_boxes.tolist()))


def test_a_quarter_turn_swaps_width_and_height() -> None:
    assert find("iou")([[500, 500, 40, 20, 90]], [[500, 500, 20, 40, 0]]) == pytest.approx(0, abs=1e-12)
    assert find("iou")([[500, 500, 40, 20, 180.0]], [[500, 500, 40, 20, 0]]) == 0
    assert find("iou")([[50, 50, 2, 2, 45.5, "a"]], [[50, 50, 2, 2, 45.5, "b"]]) == 1


def stars(rng: np.random.Generator, count: int) -> list[list[list[float]]]:
    """Polygons with corners at rising angles about a centre, none of them convex for sure."""
    made = []
    for _ in range(count):
        angle = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 9)))
        corner = rng.uniform(1, 4, len(angle))[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        made.append((rng.uniform(0, 8, 2) + corner).tolist())
    return made


def test_polygons_overlap_as_shapely_says(need: Any) -> None:
    shapely = need("shapely")
    things = stars(np.random.default_rng(2), 40)
    shapes = [shapely.make_valid(shapely.Polygon(thing)) for thing in things]
    wanted = [[a.intersection(b).area / a.union(b).area for b in shapes] for a in shapes]
    found = overlaps("polygons", things)
    assert found == pytest.approx(np.array(wanted), abs=1e-9)
    assert found == pytest.approx(found.T, abs=1e-12)
    assert (np.diag(found) == 1).all()


def test_polygons_that_cross_themselves_or_have_no_area(need: Any) -> None:
    need("shapely")
    bow, tie = [[0, 0], [2, 2], [2, 0], [0, 2]], [[0, 0], [1, 1], [0, 2]]
    line, other = [[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 1], [3, 3]]
    found = overlaps("polygons", [bow, tie, line, other])
    assert found == pytest.approx(np.array([[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))


def test_polygons_do_not_mind_where_they_begin_or_which_way_they_go(need: Any) -> None:
    need("shapely")
    thing = stars(np.random.default_rng(3), 1)[0]
    closed = [*thing, thing[0]]
    found = overlaps("polygons", [thing, thing[::-1], thing[1:] + thing[:1], closed])
    assert found == pytest.approx(np.ones((4, 4)))


def pixels(rng: np.random.Generator, count: int, *, one_size: bool) -> list[Any]:
    """Masks of rectangles, specks, nothing and everything."""
    made = []
    for k in range(count):
        h, w = (13, 17) if one_size else rng.integers(1, 16, 2)
        grid = np.zeros((h, w), dtype=np.uint8)
        if k % 3 == 0:
            grid[rng.integers(0, h) :, : rng.integers(0, w + 1)] = 1
        elif k % 3 == 1:
            grid[:] = rng.random((h, w)) < rng.choice([0, 0.1, 0.5, 1])
        else:
            grid[: rng.integers(0, h + 1)] = 1
        made.append(grid)
    return made


def runs(grid: Any) -> dict[str, Any]:
    """A mask as run lengths, column by column, beginning with those outside."""
    flat = np.concatenate([[0], grid.ravel(order="F")])
    change = np.flatnonzero(np.diff(flat))
    counts = np.diff([0, *change, grid.size]).tolist()
    return {"size": list(grid.shape), "counts": counts}


def counted(a: Any, b: Any) -> float:
    """Overlap by counting pixels, the masks laid on one another at the top left."""
    tall, wide = np.maximum(a.shape, b.shape)
    one, other = (np.pad(g, ((0, tall - g.shape[0]), (0, wide - g.shape[1]))) for g in (a, b))
    return (one & other).sum() / union if (union := (one | other).sum()) else 1.0


@pytest.mark.parametrize("one_size", [True, False])
def test_masks_overlap_by_the_pixels_they_share(*, one_size: bool) -> None:
    grids = pixels(np.random.default_rng(4), 30, one_size=one_size)
    wanted = [[counted(a, b) for b in grids] for a in grids]
    found = overlaps("masks", [runs(grid) for grid in grids])
    assert found == pytest.approx(np.array(wanted), abs=1e-14)


def test_masks_are_read_and_overlap_as_in_pycocotools(need: Any) -> None:
    need("pycocotools")
    from pycocotools import mask

    rng = np.random.default_rng(5)
    grids = [np.asfortranarray(grid) for grid in pixels(rng, 30, one_size=True)]
    large = np.zeros((700, 900), dtype=np.uint8)
    large[100:650, 3:880] = 1
    large[rng.integers(0, 700, 50), rng.integers(0, 900, 50)] = 1
    grids += [np.asfortranarray(large), np.asfortranarray(large[::-1])]
    told = [mask.encode(grid) for grid in grids]
    spelled = [{"size": one["size"], "counts": one["counts"].decode()} for one in told]
    found = overlaps("masks", spelled)
    assert (found == overlaps("masks", told)).all()  # as bytes
    assert (found == overlaps("masks", [runs(grid) for grid in grids])).all()
    packed = KINDS["masks"].packed([plain(spelled)])
    assert packed.area.tolist() == [int(mask.area(one)) for one in told]
    for one_size in (slice(0, 30), slice(30, 32)):
        wanted = mask.iou(told[one_size], told[one_size], [0] * len(told[one_size]))
        some = packed.area[one_size] > 0  # pycocotools has no answer for two empty masks
        assert found[one_size, one_size][np.ix_(some, some)] == pytest.approx(wanted[np.ix_(some, some)])


def test_lists_of_masks() -> None:
    a, b, c = (runs(grid) for grid in pixels(np.random.default_rng(6), 3, one_size=True))
    assert find("iou")([a, b], [b, a]) == 0
    assert find("iou")([a, b, c], [c]) == pytest.approx(2 / 3)
    assert find("iou")([], [c]) == 1
    assert find("count_diff")([a, b, c], [c]) == 2


def test_the_triangle_inequality_holds() -> None:
    rng = np.random.default_rng(7)
    for kind, things in (
        ("masks", [runs(grid) for grid in pixels(rng, 40, one_size=False)]),
        ("rotated", turned(rng, 40)),
    ):
        far = 1 - overlaps(kind, things)
        assert (far[:, None, :] <= far[:, :, None] + far[None, :, :] + 1e-9).all()


def test_the_compiled_loops_do_as_the_plain_ones() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.integers(0, 40, (2, 400))
    found = np.empty((2, 400))
    packed = KINDS["rotated"].packed([plain(turned(rng, 40))])
    for k, kernel in enumerate((turned_overlap.plain, turned_overlap.fast)):
        kernel(packed.corner, packed.reach, packed.area, x, y, found[k])
    assert found[0] == pytest.approx(found[1], abs=1e-12)
    packed = KINDS["masks"].packed([plain([runs(grid) for grid in pixels(rng, 40, one_size=False)])])
    for k, kernel in enumerate((mask_overlap.plain, mask_overlap.fast)):
        kernel(packed.first, packed.last, packed.begin, packed.area, x, y, found[k])
    assert (found[0] == found[1]).all()


def test_the_compiled_readers_of_masks_do_as_the_plain_ones() -> None:
    letters = np.frombuffer(b"52203mm1`", dtype=np.uint8).copy()
    begin = np.array([0, 3, 3, len(letters)])
    read = [(np.zeros(len(letters), dtype=np.int64), np.zeros(3, dtype=np.intp)) for _ in range(2)]
    for kernel, (counts, end) in zip((spelled_out.plain, spelled_out.fast), read, strict=True):
        kernel(letters, begin, counts, end)
    assert [part.tolist() for part in read[0]] == [part.tolist() for part in read[1]]
    counts, begin, height = np.array([1, 4, 1, 0, 2, 4]), np.array([0, 3, 6]), np.array([2, 3])
    made = [np.zeros((2, 20), dtype=np.int64) for _ in range(2)]
    ends = np.zeros((2, 2), dtype=np.intp)
    for k, kernel in enumerate((stretches.plain, stretches.fast)):
        kernel(counts, begin, height, 3, *made[k], ends[k])
    assert (made[0] == made[1]).all()
    assert (ends[0] == ends[1]).all()
    assert made[0][:, :4].tolist() == [[1, 3, 6, 0], [2, 5, 7, 2]]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([[5, 5, 2, 2, 0.5]], "boxes at an angle"),
        ([[[0, 0], [1, 0], [1, 1]]], "polygons"),
        ({"size": [1, 1], "counts": [1]}, "masks"),
    ],
)
def test_only_boxes_can_be_a_pixel_wider(value: Any, what: str) -> None:
    with pytest.raises(KindError, match=f"pixel=1 widens boxes, and these are {what}"):
        find("iou:pixel=1")(value, value)
