"""Real crowds with gold answers: how often each consensus is right."""

from functools import partial

import numpy as np
import pytest

import interagree as ia
from interagree.crowd.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.crowd.held_out import HeldOut
from interagree.crowd.labels import dawid_skene, glad, mace, majority_vote, one_coin, weighted_vote
from interagree.crowd.number_consensus import debiased_mean
from interagree.crowd.votes import Votes
from interagree.data import Annotations

# Shares of right answers, as measured when this was written; they may change by the labels of a few items.
MEASURED = {
    "bluebird": {"majority_vote": 0.759, "dawid_skene": 0.898, "glad": 0.722, "mace": 0.861},
    "snow_rte": {"majority_vote": 0.897, "weighted_vote": 0.921, "dawid_skene": 0.927, "one_coin": 0.925},
    "web": {"majority_vote": 0.731, "dawid_skene": 0.827, "mace": 0.839, "glad": 0.823},
    "music_genre": {"majority_vote": 0.704, "weighted_vote": 0.784, "one_coin": 0.796, "mace": 0.800},
}
METHODS = {one.__name__: one for one in (majority_vote, weighted_vote, dawid_skene, one_coin, mace, glad)}


def read(shared, name):
    import pandas as pd

    folder = shared / "data/labels"
    gold = pd.read_csv(folder / f"{name}.gold.csv.gz", dtype={"item": str})
    table = pd.read_csv(folder / f"{name}.csv.gz", dtype={"item": str})
    return Annotations.of(table), dict(zip(gold["item"], gold["label"].tolist(), strict=True))


@pytest.mark.parametrize("name", MEASURED)
def test_accuracy_on_real_crowds(name, shared):
    study, gold = read(shared, name)
    for method, expected in MEASURED[name].items():
        found = METHODS[method](study)
        assert found.score(gold).value == pytest.approx(expected, abs=0.006), method
        assert found.converged
        assert np.all(np.diff(found.trace) >= -1e-10 * abs(found.trace[-1:].sum()))


# What auto takes; on the first two a model is right far more often than the vote, and on zencrowd all models are not.
TAKEN = {"bluebird": "dawid_skene", "music_genre": "mace", "weather_cf": "majority_vote", "zencrowd": "majority_vote"}
MORE = ("snow_rte", "snow_wsd", "d_sentiment", "product", "sentiment_polarity", "sentiment_polarity_amt", "weather_amt")


@pytest.mark.parametrize(
    "name", [*TAKEN, *(pytest.param(name, marks=pytest.mark.slow) for name in (*MORE, "web", "hatecheck", "trec"))]
)
def test_auto_is_not_worse_than_the_vote_by_more_than_chance(name, shared):
    study, gold = read(shared, name)
    made = ia.consensus(study, method="auto")
    change = made.score(gold).right - majority_vote(study).score(gold).right
    assert change.sum() >= -2 * np.sqrt((change**2).sum())
    assert made.method == TAKEN.get(name, made.method)
    if name in {"bluebird", "music_genre"}:
        assert change.mean() > 0.08


# Mean confidence minus accuracy: labels taken as independent, and with the correlation found from labels left out.
SURE = {
    "bluebird": (0.097, 0.064),
    "weather_amt": (0.156, 0.006),
    "weather_cf": (0.109, 0.008),
    "snow_rte": (0.06, 0.044),
}


@pytest.mark.parametrize("name", SURE)
def test_probabilities_come_nearer_to_accuracies(name, shared):
    study, gold = read(shared, name)
    for correlation, expected in zip((0, None), SURE[name], strict=True):
        made = dawid_skene(study, correlation=correlation)
        known = np.array([item in gold for item in made.items])
        gap = float(made.confidence()[known].mean()) - made.score(gold).value
        assert gap == pytest.approx(expected, abs=0.01)


def test_the_default_smoothing_predicts_labels_left_out_better(shared):
    for name in ("weather_amt", "music_genre", "snow_rte"):
        left_out = HeldOut(Votes(read(shared, name)[0]))
        found = [
            left_out.log_probabilities(left_out.fitted(fit)).mean(axis=1).max()
            for fit in (
                partial(fit_dawid_skene, smoothing=smoothing, hierarchical=False, tolerance=1e-5, rounds=200)
                for smoothing in (0.0, 0.1, None)
            )
        ]
        assert found == sorted(found)


# Root mean squared distances to the experts: of the mean, and without biases.  It helps for three of the six emotions.
NUMBERS = {"snow_sadness": (14.78, 12.89), "snow_disgust": (16.25, 14.13), "snow_valence": (26.10, 28.62)}


@pytest.mark.parametrize("name", NUMBERS)
def test_distance_of_numbers_to_experts(name, shared):
    study, gold = read(shared, name)
    for found, expected in zip((ia.crowd.merge(study, how="mean"), debiased_mean(study)), NUMBERS[name], strict=True):
        far = [found.values[item] - gold[item] for item in gold]
        assert np.sqrt(np.mean(np.square(far))) == pytest.approx(expected, abs=0.05)
