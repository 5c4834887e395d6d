"""Spans matched one to one: the same sum as trying every pairing, whatever the spans are like."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from interagree.errors import KindError
from interagree.kernels.assignment import heaviest, paired
from interagree.kinds.spans import pieces, spans
from interagree.stats.span_matching import Match, lengths, overlapping, pairing

WAYS = ["exact", "overlap", "jaccard", "dice", "iou>=0.5", "iou>=0.3", "within:1", "within:0"]
SEMEVAL = ["semeval_strict", "semeval_exact", "semeval_partial", "semeval_type"]


def random_value(rng, *, most=5, room=14, pieces_too=True):
    found = []
    for _ in range(rng.integers(0, most + 1)):
        begin = int(rng.integers(0, room - 1))
        end = int(rng.integers(begin + 1, min(begin + 6, room) + 1))
        label = ["A", "B", None][rng.integers(3)]
        if pieces_too and end - begin > 3 and rng.random() < 0.4:
            cut = int(rng.integers(begin + 1, end - 1))
            fragments = ((begin, cut), (cut + 1, end))
            found.append((("end", end), ("fragments", fragments), ("label", label), ("start", begin)))
        else:
            found.append((begin, end, label))
    return tuple(found)


def covered(span):
    return {at for begin, end in pieces(span) for at in range(begin, end)}


def label_of(span):
    return dict(span)["label"] if isinstance(span[0], tuple) else span[2]


def edges(span):
    return pieces(span)[0][0], pieces(span)[-1][1]


def fits(way, a, b):
    """How well two spans fit, by definition, from the positions they cover."""
    one, two = covered(a), covered(b)
    same = label_of(a) == label_of(b)
    shared, either = len(one & two), len(one | two)
    if way.startswith("semeval_"):
        way = way.removeprefix("semeval_")
        same = same or way in ("exact", "partial")
        way = {"strict": "exact", "type": "overlap"}.get(way, way)
    if not same or not shared:
        return 0.0
    if way.startswith("iou>="):
        return float(shared / either >= float(way[5:]) - 1e-12)
    if way.startswith("within:"):
        off = [abs(x - y) <= float(way[7:]) for x, y in zip(edges(a), edges(b), strict=True)]
        return float(all(off))
    return {
        "exact": float(one == two),
        "overlap": 1.0,
        "jaccard": shared / either,
        "dice": 2 * shared / (len(one) + len(two)),
        "partial": 1.0 if one == two else 0.5,
    }[way]


def best_by_trying(way, first, second):
    if len(first) > len(second):
        first, second = second, first
    return max(
        sum(fits(way, a, b) for a, b in zip(first, chosen, strict=True))
        for chosen in permutations(second, len(first))
    )


def matched(way, values, i, j):
    packed = spans.packed(values)
    found, score = pairing(packed, overlapping(packed, i, j), Match.of(way))
    return np.bincount(found.pair, score, minlength=len(i))


@pytest.mark.parametrize("way", WAYS + SEMEVAL)
def test_the_pairing_is_the_best_of_all(way):
    rng = np.random.default_rng(sum(map(ord, way)))
    values = [random_value(rng) for _ in range(60)]
    i, j = rng.integers(0, 60, 150), rng.integers(0, 60, 150)
    found = matched(way, values, i, j)
    wanted = [best_by_trying(way, values[a], values[b]) for a, b in zip(i, j, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_it_is_symmetric_and_the_order_of_lists_does_not_matter(way):
    rng = np.random.default_rng(7)
    values = [random_value(rng) for _ in range(80)]
    shuffled = [tuple(value[k] for k in rng.permutation(len(value))) for value in values]
    i, j = rng.integers(0, 80, 200), rng.integers(0, 80, 200)
    found = matched(way, values, i, j)
    assert matched(way, values, j, i) == pytest.approx(found, abs=1e-9)
    assert matched(way, shuffled, i, j) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("way", ["jaccard", "dice", "overlap", "exact", "within:1"])
def test_a_worse_boundary_never_fits_better(way):
    whole = [((10, 20, "A"),)] + [((10, 20 + off, "A"),) for off in range(12)]
    shrunk = [((10, 20, "A"),)] + [((10 + off, 20, "A"),) for off in range(10)]
    for values in (whole, shrunk):
        others = np.arange(1, len(values))
        found = matched(way, values, np.zeros(len(others), dtype=int), others)
        assert (np.diff(found) <= 1e-12).all()
        assert found[0] == 1


def test_real_positions_are_as_good_as_whole_ones():
    rng = np.random.default_rng(3)
    values = [random_value(rng, pieces_too=False) for _ in range(50)]
    scaled = [tuple((b / 7, e / 7, label) for b, e, label in value) for value in values]
    i, j = rng.integers(0, 50, 100), rng.integers(0, 50, 100)
    for way in ("exact", "overlap", "jaccard"):
        assert matched(way, scaled, i, j) == pytest.approx(matched(way, values, i, j))


def test_pieces_that_touch_are_one_span_and_gaps_have_no_length():
    touching = (("end", 9), ("fragments", ((0, 5), (5, 9))), ("label", "A"), ("start", 0))
    apart = (("end", 9), ("fragments", ((0, 3), (6, 9))), ("label", "A"), ("start", 0))
    values = [(touching,), ((0, 9, "A"),), (apart,), ((3, 6, "A"),)]
    assert lengths(spans.packed(values)).tolist() == [9, 9, 6, 3]
    assert matched("exact", values, np.array([0, 0]), np.array([1, 2])).tolist() == [1, 0]
    # A span that lies in the gap of another shares nothing with it.
    assert matched("overlap", values, np.array([2, 1]), np.array([3, 3])).tolist() == [0, 1]


def test_spans_that_do_not_fit_are_paired_where_that_is_asked():
    packed = spans.packed([((0, 5, "A"), (10, 12, "B")), ((1, 5, "B"), (10, 12, "B"))])
    found = overlapping(packed, np.array([0]), np.array([1]))
    strict, score = pairing(packed, found, Match.of("exact"), all_that_cross=True)
    assert score.tolist() == [0, 1]
    assert len(pairing(packed, found, Match.of("exact")).score) == 1
    assert strict.x.tolist() == [0, 1]


def test_many_pairs_of_values_are_laid_out_in_parts(monkeypatch):
    rng = np.random.default_rng(5)
    values = [random_value(rng) for _ in range(40)]
    i, j = rng.integers(0, 40, 300), rng.integers(0, 40, 300)
    at_once = matched("jaccard", values, i, j)
    monkeypatch.setattr("interagree.stats.span_matching.AT_ONCE", 7)
    assert matched("jaccard", values, i, j) == pytest.approx(at_once)


@pytest.mark.parametrize(
    "way", ["exactly", "iou>=0", "iou>=1.5", "iou", "within", "iou>=x", "semeval", "partial"]
)
def test_a_way_that_there_is_not_is_an_error(way):
    with pytest.raises(KindError, match=r"match=|above 0"):
        Match.of(way)


# -- the heaviest pairing of any graph -----------------------------------------------------------------------


def by_scipy(u, v, weight, size):
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((size, size))
    table[u, v] = weight
    return table[linear_sum_assignment(table, maximize=True)].sum()


@pytest.mark.parametrize("seed", range(30))
def test_the_heaviest_pairing_weighs_as_much_as_scipys(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 12))
    u, v = np.nonzero(rng.random((size, size)) < rng.uniform(0.1, 0.9))
    weight = rng.random(len(u)) if seed % 2 else rng.integers(1, 4, len(u)).astype(float)
    chosen = heaviest(u, v, weight)
    assert len(set(u[chosen])) == chosen.sum() == len(set(v[chosen]))
    assert weight[chosen].sum() == pytest.approx(by_scipy(u, v, weight, size))


def test_the_compiled_loop_does_as_the_plain_one():
    rng = np.random.default_rng(0)
    u, v = np.nonzero(rng.random((9, 7)) < 0.7)
    weight = rng.random(len(u))
    arguments = (np.array([0, len(u)]), u, v, weight, np.array([7]), 9)
    plain, fast = np.zeros(len(u), dtype=bool), np.zeros(len(u), dtype=bool)
    paired.plain(*arguments, plain)
    paired.fast(*arguments, fast)
    assert plain.tolist() == fast.tolist()
    assert weight[plain].sum() == pytest.approx(by_scipy(u, v, weight, 9))
