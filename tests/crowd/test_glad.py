"""GLAD: its slopes, its likelihood, and abilities and difficulties found again."""

import math

import numpy as np
import pytest

from interagree.crowd.glad import _Glad
from interagree.crowd.labels import glad, majority_vote
from interagree.crowd.votes import Votes


def model_of(study, seed=0):
    model, random = _Glad(Votes(study)), np.random.default_rng(seed)
    model.ability = random.normal(1, 0.7, len(model.ability))
    model.ease = random.normal(0, 0.7, len(model.ease))
    return model


@pytest.mark.parametrize("which", ["ability", "ease"])
def test_slopes_are_those_of_the_expected_likelihood(which, study):
    model = model_of(study)
    right = model.posterior.reshape(-1)[model.votes.cell]
    slope = getattr(model, f"slope_of_{which}")(right).up
    for place in range(5):
        ends = []
        for step in (1e-5, -1e-5):
            moved = {"ability": model.ability.copy(), "ease": model.ease.copy()}
            moved[which][place] += step
            ends.append(model._expected(moved["ability"], moved["ease"], right))
        assert slope[place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-5)


def test_the_likelihood_is_that_of_the_paper(study):
    model = model_of(study)
    model._labels()
    votes, total = model.votes, 0.0
    for item in range(votes.items):
        joint = []
        for t in range(3):
            p = 1 / 3
            for row in np.flatnonzero(votes.item == item):
                s = 1 / (1 + math.exp(-model.ability[votes.person[row]] * math.exp(model.ease[item])))
                p *= s if votes.label[row] == t else (1 - s) / 2
            joint.append(p)
        total += math.log(sum(joint))
        assert model.posterior[item] == pytest.approx(np.array(joint) / sum(joint))
    assert model.log_likelihood == pytest.approx(total)


def test_where_it_rests_nothing_goes_up(study):
    found = glad(study, correlation=0, tolerance=0, rounds=3000)
    model = _Glad(found.votes)
    model.ability, model.ease = found.by_annotator["ability"], -np.log(found.by_item["difficulty"])
    model.posterior = found.posterior
    right = model.posterior.reshape(-1)[model.votes.cell]
    assert np.abs(model.slope_of_ability(right).up).max() < 1e-3
    assert np.abs(model.slope_of_ease(right).up).max() < 1e-3


def test_abilities_and_difficulties_are_found_again():
    random = np.random.default_rng(2)
    truth, ease = random.integers(0, 2, 500), random.normal(0.5, 0.8, 500)
    ability = np.linspace(-0.3, 2.2, 20)
    rows = [
        (i, f"p{a:02}", "xy"[t if random.random() < 1 / (1 + math.exp(-ability[a] * math.exp(ease[i]))) else 1 - t])
        for i, t in enumerate(truth)
        for a in range(20)
    ]
    found = glad(rows)
    table = found.annotators().sort("annotator")
    assert np.corrcoef(table["ability"], ability)[0, 1] > 0.97
    assert all(0 < error < 0.3 for error in table["error"])
    assert np.corrcoef(np.log(found.table()["difficulty"]), -ease)[0, 1] > 0.6
    gold = {i: "xy"[t] for i, t in enumerate(truth)}
    assert float(found.score(gold)) >= float(majority_vote(rows).score(gold))
    assert "difficulty" in found.to_annotations().attributes
