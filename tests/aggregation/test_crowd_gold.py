"""Real crowds with gold answers: how often each consensus is right."""

import numpy as np
import pytest

import interagree as ia
from interagree.aggregation.labels import dawid_skene, glad, mace, majority_vote, one_coin, weighted_vote
from interagree.aggregation.number_consensus import debiased_mean
from interagree.data import Annotations

# Shares of right answers, as measured when this was written; they may change by the labels of a few items.
MEASURED = {
    "bluebird": {"majority_vote": 0.759, "dawid_skene": 0.898, "glad": 0.722, "mace": 0.861},
    "snow_rte": {"majority_vote": 0.897, "weighted_vote": 0.921, "dawid_skene": 0.929, "one_coin": 0.925},
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


# Root mean squared distances to the experts: of the mean, and without biases.  It helps for three of the six emotions.
NUMBERS = {"snow_sadness": (14.78, 12.89), "snow_disgust": (16.25, 14.13), "snow_valence": (26.10, 28.62)}


@pytest.mark.parametrize("name", NUMBERS)
def test_distance_of_numbers_to_experts(name, shared):
    study, gold = read(shared, name)
    for found, expected in zip((ia.merge(study, how="mean"), debiased_mean(study)), NUMBERS[name], strict=True):
        far = [found.values[item] - gold[item] for item in gold]
        assert np.sqrt(np.mean(np.square(far))) == pytest.approx(expected, abs=0.05)
