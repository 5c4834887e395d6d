"""Spans matched one to one: the same sum as trying every pairing, whatever the spans are like."""

from __future__ import annotations

import numpy as np
import pytest

from interagree.errors import KindError
from interagree.kinds.spans import spans
from interagree.reference.spans import best_pairing, fit
from interagree.stats.documents.span_matching import Match, exact, lengths, overlapping, pairing

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


def best_by_trying(way, first, second):
    return float(best_pairing(lambda a, b: fit(*(_written(span) for span in (a, b)), way), first, second))


def _written(span):
    return dict(span) if isinstance(span[0], tuple) else span


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
    monkeypatch.setattr("interagree.stats.documents.span_matching.AT_ONCE", 7)
    assert matched("jaccard", values, i, j) == pytest.approx(at_once)


@pytest.mark.parametrize("way", ["exactly", "iou>=0", "iou>=1.5", "iou", "within", "iou>=x", "semeval", "partial"])
def test_a_way_that_there_is_not_is_an_error(way):
    with pytest.raises(KindError, match=r"match=|above 0"):
        Match.of(way)


# -- where spans are written by real numbers, lie far off, or are long ---------------------------------------


def in_pieces(*fragments, label="A"):
    return (("fragments", fragments), ("label", label))


PIECES = ((0.1, 1.9), (2.4, 5.1), (8.1, 9.8))


@pytest.mark.parametrize("way", WAYS + SEMEVAL)
def test_a_span_in_pieces_fits_itself_wherever_they_lie(way):
    rng = np.random.default_rng(1)
    values = [(in_pieces(*PIECES),)]
    for _ in range(200):
        borders = np.unique(rng.uniform(0, 10, 2 * rng.integers(1, 6))).tolist()
        values.append((in_pieces(*zip(borders[::2], borders[1::2], strict=True)),))
    places = np.arange(len(values))
    copies = values + [value[::-1] for value in values]
    assert matched(way, copies, places, places + len(values)).tolist() == [1.0] * len(values)


@pytest.mark.parametrize("way", ["jaccard", "dice"])
def test_no_share_is_above_1(way):
    rng = np.random.default_rng(2)
    borders = np.sort(rng.uniform(0, 10, (300, 8)), axis=1)
    closer = borders + rng.choice([0.0, 1e-16, 1e-15, 1e-13], borders.shape)
    values = [
        (in_pieces(*zip(one[::2], one[1::2], strict=True)),)
        for one in (borders.tolist() + np.sort(closer, axis=1).tolist())
    ]
    score = matched(way, values, np.arange(300), np.arange(300, 600))
    assert (score <= 1).all()
    assert (score > 0.999).all()


def test_spans_are_the_same_piece_by_piece():
    values = [
        (in_pieces((0, 2), (4, 6)),),
        (in_pieces((0, 2), (4, 6), label="B"),),
        (in_pieces((0, 1), (3, 6)),),  # as long, between the same ends
        (in_pieces((0, 2), (3, 4), (5, 6)),),
        ((0, 6, "A"),),
        (in_pieces((0, 2), (4, 5), (5, 6)),),
    ]
    packed = spans.packed(values)
    found = overlapping(packed, np.zeros(6, dtype=int), np.arange(6))
    assert exact(packed, found).tolist() == [True, True, False, False, False, True]
    whole = spans.packed([((0, 6, "A"), (0, 5, "A")), ((0, 6, "B"),)])
    assert exact(whole, overlapping(whole, np.array([0]), np.array([1]))).tolist() == [False, True]


@pytest.mark.parametrize("room", [6, 20, 60])
def test_all_pairs_that_cross_are_found_in_order(room):
    rng = np.random.default_rng(room)
    values = [random_value(rng, most=9, room=room, pieces_too=False) for _ in range(30)]
    values += [((0, room, "A"), *value) for value in values[:10]]
    packed = spans.packed(values)
    i, j = rng.integers(0, len(values), 100), rng.integers(0, len(values), 100)
    found = overlapping(packed, i, j)
    wanted = [
        (k, x, y)
        for k in range(100)
        for x in range(packed.start[i[k]], packed.start[i[k] + 1])
        for y in range(packed.start[j[k]], packed.start[j[k] + 1])
        if packed.begin[x] < packed.end[y] and packed.begin[y] < packed.end[x]
    ]
    assert sorted(zip(found.pair.tolist(), found.x.tolist(), found.y.tolist(), strict=True)) == sorted(wanted)
    assert (np.diff(found.u * (found.v.max() + 1) + found.v) > 0).all()


def test_one_span_over_the_whole_document_costs_little():
    import tracemalloc

    n = 100_000
    value = ((0, 10 * n, "A"), *((10 * k, 10 * k + 7, "A") for k in range(n)))
    packed = spans.packed([value, value])
    tracemalloc.start()
    found = overlapping(packed, np.array([0]), np.array([1]))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.x) == 3 * n + 1
    assert most < 100e6
    assert pairing(packed, found, Match.of("jaccard")).score.tolist() == [1.0] * (n + 1)


def test_positions_far_off_do_not_run_into_those_of_other_documents():
    far = 2**52
    values = [((0, 5, "A"), (far, far + 5, "A")), ((0, 5, "A"), (far + 1, far + 6, "A")), ((7, 9, "A"),)]
    n = 4_000  # so that pairs of values times positions do not go into 64 bits
    i, j = np.tile([0, 0, 1], n), np.tile([1, 2, 2], n)
    found = overlapping(spans.packed(values), i, j)
    assert (len(found.pair), set(found.pair % 3), set(found.shared)) == (2 * n, {0}, {4.0, 5.0})


def test_a_chain_of_any_length_is_paired():
    n = 100_000
    first = tuple((10 * k, 10 * k + 10, "A") for k in range(n))
    second = tuple((10 * k + 5, 10 * k + 15, "A") for k in range(n))
    assert matched("jaccard", [first, second], np.array([0]), np.array([1])) == pytest.approx(n / 3)


# -- labels alone --------------------------------------------------------------------------------------------


def test_a_way_that_does_not_look_where_spans_are_gives_no_scores():
    packed = spans.packed([((0, 5, "A"),), ((0, 5, "A"),)])
    found = overlapping(packed, np.array([0]), np.array([1]))
    with pytest.raises(KindError, match=r"match='label' does not look where spans are; it is for span_f1"):
        Match.of("label").scores(packed, found)
    assert Match.of("exact").placed() == Match.of("exact")


def test_attributes_and_relations_need_places():
    import interagree as ia

    rows = [(d, who, [[0, 5, "A"], [7, 9, "B"]]) for d in range(3) for who in "xy"]
    related = [(d, who, [[[0, 5], [7, 9], "r"]]) for d in range(3) for who in "xy"]
    assert ia.span_f1(rows, match="label").value == 1
    for refuses in (
        lambda: ia.spans.attribute_agreement(rows, match="label"),
        lambda: ia.spans.relation_agreement(related, match="label"),
    ):
        with pytest.raises(KindError, match="does not look where spans are"):
            refuses()
