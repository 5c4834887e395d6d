"""Merging: numbers and vectors by definition; boxes, spans and keypoints by objects drawn around known ones."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interagree.crowd.merging import assigned
from interagree.crowd.objects import merge
from interagree.data import Annotations
from interagree.errors import DataError, KindError
from interagree.kinds._merging import mean, median


def study_of(some, kind=None, duplicates="error"):
    items, people, values = zip(*some, strict=True)
    study = Annotations.from_columns(items, people, values, duplicates=duplicates)
    return study if kind is None else study.taken_as(kind)


numbers = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abcdef"), st.integers(-5, 9)),
    min_size=1,
    max_size=18,
    unique_by=lambda row: row[:2],
)


@given(some=numbers)
@pytest.mark.parametrize("how", ["mean", "median"])
def test_numbers_are_averaged(how, some):
    found = merge(study_of(some), how=how)
    by = {i: [v for j, _, v in some if j == i] for i, _, _ in some}
    assert found.values == pytest.approx({i: float(getattr(statistics, how)(vs)) for i, vs in by.items()})
    assert all(found.values[i] == vs[0] for i, vs in by.items() if len(set(vs)) == 1)


def test_vectors_are_averaged_in_each_place():
    some = [(1, "a", (0, 9.5, -1)), (1, "b", (2, 9.5, -1)), (1, "c", (7, 9.5, 2))]
    assert merge(study_of(some, "vectors")).values == {1: (3.0, 9.5, 0.0)}
    assert merge(study_of(some, "vectors"), how="median").values == {1: (2.0, 9.5, -1.0)}


def test_ordered_numbers_are_averaged_off_their_scale():
    study = Annotations.of([(1, "a", 1), (1, "b", 2)], values=[1, 2, 3], ordered=True)
    found = merge(study)
    assert found.values == {1: 1.5}
    assert found.table()["distance"] == [0.25]


def test_weights_count_as_so_many_annotators():
    rng = np.random.default_rng(2)
    group, x = rng.integers(0, 9, 60), rng.integers(0, 6, 60).astype(float)
    group[:9] = np.arange(9)
    often = rng.integers(1, 5, 60)
    many_group, many = np.repeat(group, often), np.repeat(x, often)
    for place in range(9):
        here = many[many_group == place]
        assert median(group, x, often * 0.1, 9)[place] == np.median(here)
        assert median(group, x, often * 0.1, 9, lower=True)[place] == statistics.median_low(here.tolist())
        assert mean(group, x, often * 0.1, 9)[place] == pytest.approx(here.mean())
    some = [(1, "a", 0.0), (1, "b", 10.0)]
    assert merge(study_of(some), weights={"a": 3, "b": 1}).values == {1: 2.5}


BOXES = [
    (1, "a", [[0, 0, 10, 10], [50, 50, 60, 60]]),
    (1, "b", [[51, 50, 61, 60], [1, 0, 11, 10]]),
    (1, "c", [[2, 0, 12, 10], [200, 200, 210, 210]]),
    (2, "a", []),
    (2, "b", []),
    (2, "c", [[1, 1, 2, 2]]),
]


def test_boxes_are_matched_and_their_corners_merged():
    found = merge(study_of(BOXES, "boxes"))
    assert found.values == {1: ((1.0, 0.0, 11.0, 10.0), (50.5, 50.0, 60.5, 60.0)), 2: ()}
    assert found.table()["support"] == [2.5, 2]
    assert found.notes == (
        "2 objects merged, 2 left out for want of support",
        "1 item without an object that enough annotators support",
    )
    assert len(merge(study_of(BOXES, "boxes"), quorum=1).values[1]) == 3
    assert len(merge(study_of(BOXES, "boxes"), quorum=3).values[1]) == 1
    assert len(merge(study_of(BOXES, "boxes"), quorum=0.3).values[1]) == 3
    assert merge(study_of(BOXES, "boxes"), how="mean", quorum=3).values[1] == ((1.0, 0.0, 11.0, 10.0),)
    assert merge(study_of(BOXES, "boxes"), cutoff=0.05).values[1] == ()


def test_the_label_that_most_give_is_taken():
    some = [
        (1, "a", [[0, 0, 10, 10, "cat"]]),
        (1, "b", [[0, 0, 10, 10, "dog"]]),
        (1, "c", [[0, 0, 10, 10, "dog"]]),
        (2, "a", [[0, 0, 10, 10, "dog"]]),
        (2, "b", [[0, 0, 10, 10, "cat"]]),
    ]
    found = merge(study_of(some, "boxes"))
    assert found.values == {1: ((0, 0, 10, 10, "dog"),), 2: ((0, 0, 10, 10, "cat"),)}
    heavy = merge(study_of(some, "boxes"), weights={"a": 5, "b": 1, "c": 1})
    assert heavy.values == {1: ((0, 0, 10, 10, "cat"),), 2: ((0, 0, 10, 10, "dog"),)}
    strict = merge(study_of(some, "boxes"), match="iou:labels=strict", quorum=2)
    assert strict.values == {1: ((0, 0, 10, 10, "dog"),), 2: ()}


def test_spans_stay_whole_and_keep_their_labels_apart():
    some = [
        (1, "a", [[0, 4, "PER"], [0, 4, "LOC"]]),
        (1, "b", [[0, 5, "LOC"], [1, 5, "PER"]]),
        (2, "a", [[3, 9, "PER"]]),
        (2, "b", [{"start": 3, "end": 8, "label": "ORG"}]),
        (2, "c", [[4, 9, "ORG"], [20, 21, "PER"]]),
    ]
    found = merge(study_of(some, "spans"))
    assert found.values == {1: ((0, 4, "LOC"), (0, 4, "PER")), 2: ((3, 9, "ORG"),)}
    assert all(type(part) is int for part in found.values[2][0][:2])
    assert merge(study_of(some, "spans"), how="mean").values[2] == ((3, 9, "ORG"),)
    plain = merge(study_of([(1, "a", [[0, 2.5]]), (1, "b", [[0, 3.5]])], "spans"), how="mean")
    assert plain.values == {1: ((0.0, 3.0),)}


def test_keypoints_are_the_means_of_labelled_points():
    thing = [[10, 10], [20, 10], [30, 40], [0, 0], [15, 30]]
    moved = [[12, 10], [20, 12], [0, 0], [0, 0], [15, 30]]
    far = [[510, 500], [520, 510], [530, 540], [500, 500], [515, 530]]
    some = [(1, "a", [far, thing]), (1, "b", [moved]), (1, "c", [thing])]
    found = merge(study_of(some, "keypoints"), match="iou", cutoff=0.8)
    ((first, second, third, fourth, fifth),) = found.values[1]
    assert first == pytest.approx((32 / 3, 10))
    assert second == pytest.approx((20, 32 / 3))
    assert (third, fourth, fifth) == ((30, 40), (0, 0), (15, 30))
    told = [(1, who, [[[x, 5, 2], [9, 9, 0], [1, 30, 1]]]) for who, x in (("a", 4), ("b", 6))]
    assert merge(study_of(told, "keypoints"), match="iou").values == {1: (((5, 5, 2), (0, 0, 0), (1, 30, 1)),)}


def test_a_cluster_has_one_object_of_an_annotation():
    row = np.array([0, 0, 1, 1, 2])
    label = np.zeros(5, dtype=int)
    rng = np.random.default_rng(4)
    for _ in range(50):
        found = assigned(row, label, rng.random(10) * 0.6, 0.5)
        assert len({*zip(found.tolist(), row.tolist(), strict=True)}) == 5
        assert {*found.tolist()} == {*range(found.max() + 1)}


def test_known_boxes_are_found_again_among_noise():
    rng = np.random.default_rng(7)
    truth, some = {}, []
    for item in range(25):
        corner = rng.permutation(16)[: rng.integers(1, 6)]
        x, y = corner % 4 * 100.0, corner // 4 * 100.0
        boxes = np.stack([x, y, x + 60, y + 60], axis=1)
        truth[item] = boxes.tolist()
        for who in "abcde":
            kept = boxes[rng.random(len(boxes)) < 0.9] + rng.normal(0, 4, 4)
            stray = rng.integers(400, 900, (int(rng.random() < 0.2), 2))
            some.append((item, who, [*kept.tolist(), *np.hstack([stray, stray + 20]).tolist()]))
    found = merge(study_of(some, "boxes"), distance="iou")
    score = found.score(truth)
    assert score.value < 0.5 * score.random
    assert score.value < score.oracle
    assert np.mean([len(found.values[i]) == len(truth[i]) for i in truth]) > 0.9


boxes = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 6), st.integers(1, 6)).map(
        lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
    ),
    max_size=3,
)


@settings(max_examples=40)
@given(
    some=st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from("abcd"), boxes), min_size=2, max_size=8, unique_by=lambda r: r[:2]
    ),
    data=st.data(),
)
def test_neither_the_order_of_rows_nor_names_matter(some, data):
    shuffled = data.draw(st.permutations(some))
    names = dict(zip("abcd", data.draw(st.permutations("wxyz")), strict=True))
    here = merge(study_of(some, "boxes"))
    there = merge(study_of([(i, names[a], v) for i, a, v in shuffled], "boxes"))
    assert here.values == there.values
    assert here.values.keys() == {i for i, _, _ in some}


@settings(max_examples=25)
@given(value=boxes, people=st.integers(1, 4))
def test_unanimous_items_give_their_objects(value, people):
    apart = list(dict.fromkeys(value))
    found = merge(study_of([(1, who, apart) for who in range(people)], "boxes"))
    assert {*found.values[1]} == {*apart}
    assert found.table()["distance"] == [0]


def test_what_cannot_be_merged_is_said():
    labels = [(1, "a", "cat"), (1, "b", "dog")]
    with pytest.raises(KindError, match="can be merged, and these are labels; take medoid"):
        merge(study_of(labels))
    some = [(1, "a", 1.0), (1, "b", 2.0)]
    for wrong in ({"how": "mode"}, {"quorum": 0}, {"cutoff": -1}, {"weights": "age"}):
        with pytest.raises(KindError, match=next(iter(wrong))):
            merge(study_of(some), **wrong)
    with pytest.raises(DataError, match="weights lack 1 annotator, such as 'b'"):
        merge(study_of(some), weights={"a": 1})
    with pytest.raises(DataError, match="finite and above 0"):
        merge(study_of(some), weights={"a": 1, "b": 0})
    with pytest.raises(KindError, match="made from counts"):
        merge(Annotations.from_counts([[2, 1]], values=[1, 2]), weights="reliability")
