"""Consensus against gold on the data of Braylan, Alonso and Lease (2022), and against definitions written out.

The first four figures of each row are the mean distances to gold of a random annotator, the best annotator, the medoid
and the best choice, found by another implementation.  A random annotator, the medoid and the best choice are the same
by definition, and must come out to the digits given; the best annotator depends on how means are shrunk, of which
there is more than one way, and may depart by a tenth of what lies between a random annotator and the best choice.
"""

import json
from collections import Counter

import numpy as np
import pytest

from interagree.crowd.objects import best_annotator, borda, medoid, merge, weighted_medoid
from interagree.data import Annotations

FIGURES = {
    # Gold rankings are cut to the 25 entries that annotators rank.
    "rankings": ("kendall:padding=50", "rankings_gold", (0.553, 0.484, 0.482, 0.419)),
    "vectors": ("rmse", "vectors_gold", (26.20, 21.40, 19.79, 13.01)),
    "boxes": ("giou:matching=minima,clip=1", "boxes_gold", (0.401, 0.318, 0.304, 0.247)),
    "ner_clean": ("spans_tag", "ner_gold", (0.405, 0.236, 0.259, 0.174)),
}


def lines(shared, name):
    path = shared / "data" / "complex" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def study_of(shared, name):
    rows = lines(shared, name)
    columns = ([row[key] for row in rows] for key in ("item", "annotator", "value"))
    return Annotations.from_columns(*columns, duplicates="keep")


def gold_of(shared, name):
    most = 25 if name.startswith("rankings") else None
    return {row["item"]: row["value"][:most] for row in lines(shared, name)}


@pytest.mark.parametrize("name", FIGURES)
def test_distances_to_gold_come_near_the_figures(shared, name):
    distance, gold, (random, best, nearest, oracle) = FIGURES[name]
    study, truth = study_of(shared, name), gold_of(shared, gold)
    found = medoid(study, distance=distance)
    score = found.score(truth)
    digit = 0.006 if random > 1 else 0.0006
    assert (score.random, score.oracle) == pytest.approx((random, oracle), abs=digit)
    # Ties settled otherwise, and lists that are empty on both sides, move single items of about 200.
    assert score.value == pytest.approx(nearest, abs=digit if name != "ner_clean" else 0.003)
    assert score.missing == score.unseen == 0
    way = random - oracle
    for method in (best_annotator, weighted_medoid):
        assert method(study, distance=distance).score(truth).value < random - way / 4
    assert best_annotator(study, distance=distance).score(truth).value == pytest.approx(best, abs=way / 10)
    # Items on which the consensus is surer than on most are nearer to gold.
    sure, far = np.array(found.table()["confidence"]), np.array(score.by_item()["consensus"])
    there = ~np.isnan(sure)
    upper = sure[there] > np.median(sure[there])
    assert far[there][upper].mean() < far[there][~upper].mean()


def gleu(a, b):
    """By definition, on tokens cut at white space."""
    first, second = (
        Counter(tuple(w[k : k + n]) for n in range(1, 5) for k in range(len(w) - n + 1)) for w in (a.split(), b.split())
    )
    return 1 - (first & second).total() / max(first.total(), second.total(), 1)


def test_translations_are_as_by_definition(shared):
    study, truth = study_of(shared, "translations"), gold_of(shared, "translations_gold")
    found = medoid(study, distance="gleu")
    score = found.score(truth)
    rows, random, oracle = study.rows(), [], []
    for item in study.items[:60]:
        here = [(who, value) for i, who, value in rows if i == item]
        often = Counter(who for who, _ in here)
        far = [gleu(value, truth[item]) for _, value in here]
        random.append(sum(d / often[who] for d, (who, _) in zip(far, here, strict=True)) / len(often))
        oracle.append(min(far))
        sums = {value: sum(gleu(value, other) / often[who] for who, other in here) for _, value in here}
        assert sums[found.values[item]] == pytest.approx(min(sums.values()))
    by_item = score.by_item()
    assert by_item["random annotator"][:60] == pytest.approx(random)
    assert by_item["best choice"][:60] == pytest.approx(oracle)
    assert score.oracle < score.value < best_annotator(study, distance="gleu").score(truth).value < score.random


def test_merging_beats_choosing_on_vectors_boxes_and_rankings(shared):
    vectors, truth = study_of(shared, "vectors"), gold_of(shared, "vectors_gold")
    chosen = medoid(vectors, distance="rmse").score(truth).value
    assert merge(vectors, distance="rmse").score(truth).value < chosen - 3
    boxes, truth = study_of(shared, "boxes"), gold_of(shared, "boxes_gold")
    chosen = medoid(boxes, distance="iou").score(truth).value
    assert merge(boxes, distance="iou", quorum=0.3).score(truth).value < chosen - 0.03
    rankings, truth = study_of(shared, "rankings"), gold_of(shared, "rankings_gold")
    points = borda(rankings, distance="kendall:padding=50").score(truth)
    assert points.value < points.oracle  # better than any choice could be


def test_spans_are_merged_with_a_lower_quorum_where_annotators_miss_many(shared):
    spans, truth = study_of(shared, "ner_clean"), gold_of(shared, "ner_gold")
    chosen = medoid(spans, distance="spans_strict").score(truth).value
    some = merge(spans, distance="spans_strict", quorum=0.3)
    assert some.score(truth).value < chosen < merge(spans, distance="spans_strict").score(truth).value
    assert len(some.values) == len(spans.items)


def test_trees_and_keypoints_have_a_consensus_for_every_item(shared):
    trees = study_of(shared, "trees_easy")
    found = medoid(trees, distance="ted_norm")
    score = found.score(gold_of(shared, "trees_easy_gold"))
    assert score.missing == 10
    assert score.value < score.random
    keypoints = study_of(shared, "keypoints")
    merged = merge(keypoints, quorum=1)
    assert len(merged.values) == len(keypoints.items) == 201
    assert merged.to_annotations().kind == "keypoints"
