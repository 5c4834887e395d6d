"""Dawid and Skene's model, the one-coin model and the hierarchical prior."""

import json
import math
from collections import defaultdict

import numpy as np
import pytest
from scipy.stats import dirichlet as scipy_dirichlet

import interagree as ia
from interagree.crowd.dawid_skene import dirichlet
from interagree.crowd.fitting import spammer_score, standard_error
from interagree.crowd.labels import dawid_skene, majority_vote, one_coin
from interagree.data import Annotations
from interagree.errors import KindError


def obvious(rows, rounds, smoothing):
    """Dawid and Skene's algorithm in dictionaries: posteriors, log-likelihood, answers."""
    items = {item: [(a, v) for i, a, v in rows if i == item] for item, _, _ in rows}
    labels = sorted({v for _, _, v in rows})
    people = sorted({a for _, a, _ in rows})
    true = {i: {t: sum(v == t for _, v in some) / len(some) for t in labels} for i, some in items.items()}
    for _ in range(rounds):
        counts = defaultdict(lambda: smoothing)
        for i, some in items.items():
            for a, v in some:
                for t in labels:
                    counts[a, t, v] += true[i][t]
        answer = {}
        for a in people:
            for t in labels:
                total = sum(counts[a, t, v] for v in labels)
                for v in labels:
                    answer[a, t, v] = counts[a, t, v] / total if total else 1 / len(labels)
        often = {t: sum(one[t] for one in true.values()) + smoothing for t in labels}
        share = {t: often[t] / sum(often.values()) for t in labels}
        likelihood = 0.0
        for i, some in items.items():
            joint = {t: share[t] * math.prod(answer[a, t, v] for a, v in some) for t in labels}
            likelihood += math.log(sum(joint.values()))
            true[i] = {t: joint[t] / sum(joint.values()) for t in labels}
    return true, likelihood, answer


@pytest.mark.parametrize("smoothing", [0, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_algorithm_of_the_paper(smoothing, seed, crowd):
    rows, _ = crowd(seed, items=25, people=5, each=4)
    true, likelihood, answer = obvious(rows, 7, smoothing)
    found = dawid_skene(rows, smoothing=smoothing, correlation=0, tolerance=0, rounds=7)
    for i, item in enumerate(found.items):
        assert found.posterior[i] == pytest.approx([true[item][t] for t in found.labels], abs=1e-9)
    assert found.log_likelihood == pytest.approx(likelihood)
    mine = found.confusion("p0")
    assert mine["y"] == pytest.approx([answer["p0", t, "y"] for t in found.labels], abs=1e-9)


def test_the_likelihood_itself_never_goes_down_without_smoothing(crowd):
    found = dawid_skene(crowd(2)[0], smoothing=0)
    assert np.all(np.diff(found.trace) >= -1e-10)
    assert found.trace[-1] == found.log_likelihood


def test_the_anaesthesia_data_of_1979(shared):
    import pandas as pd

    table = pd.read_csv(shared / "data/labels/dawid_skene_anesthesia.csv.gz")
    study = Annotations.of(table, duplicates="keep")
    found = dawid_skene(study, smoothing=0)
    assert [round(share, 2) for share in found.shares.tolist()] == [0.40, 0.42, 0.11, 0.07]  # as printed
    assert found.correlation == 0
    assert found.by_answer[0].sum(axis=1) == pytest.approx(1)
    assert found.annotators().to_dict("annotations")["a0"] == 135
    assert any("judged an item again" in note for note in found.notes)


def test_the_toy_of_crowd_kit(shared):
    folder = shared / "published/spans"
    rows = json.loads((folder / "crowdkit_toy_wawa.json").read_text(encoding="utf-8"))["input"]
    printed = json.loads((folder / "crowdkit_toy_dawid_skene.json").read_text(encoding="utf-8"))["expected"]
    found = dawid_skene([(task, worker, label) for worker, task, label in rows], smoothing=0)
    assert found.values == printed["labels"]
    assert dict(zip(found.labels, found.shares, strict=True)) == pytest.approx(printed["priors"], abs=1e-6)
    for item, row in zip(found.items, found.posterior, strict=True):
        assert dict(zip(found.labels, row, strict=True)) == pytest.approx(printed["probas"][item], abs=1e-6)
    for worker, errors in printed["errors[worker][observed][true]"].items():
        for label, by_truth in errors.items():
            column = found.confusion(worker).to_dict(label)
            assert column == pytest.approx(by_truth, abs=1e-6)


def test_hundreds_of_annotations_of_an_item_do_not_underflow():
    rows = [(i, f"p{a}", "xy"[(a * 7 + i) % 10 < 4]) for i in range(4) for a in range(600)]
    found = dawid_skene(rows)
    assert np.isfinite(found.posterior).all()
    assert np.isfinite(found.log_likelihood)


def obvious_coins(rows, rounds):
    items = {item: [(a, v) for i, a, v in rows if i == item] for item, _, _ in rows}
    labels = sorted({v for _, _, v in rows})
    true = {i: {t: sum(v == t for _, v in some) / len(some) for t in labels} for i, some in items.items()}
    for _ in range(rounds):
        right, often = defaultdict(float), defaultdict(int)
        for i, a, v in rows:
            right[a] += true[i][v]
            often[a] += 1
        q = {a: right[a] / often[a] for a in often}
        likelihood = 0.0
        for i, some in items.items():
            joint = {
                t: math.prod(q[a] if v == t else (1 - q[a]) / (len(labels) - 1) for a, v in some) / len(labels)
                for t in labels
            }
            likelihood += math.log(sum(joint.values()))
            true[i] = {t: joint[t] / sum(joint.values()) for t in labels}
    return true, likelihood, q


@pytest.mark.parametrize("seed", range(3))
def test_one_coin_is_one_probability_for_each_annotator(seed, crowd):
    rows, _ = crowd(seed, items=25, people=5, each=4)
    true, likelihood, q = obvious_coins(rows, 7)
    found = one_coin(rows, smoothing=0, tolerance=0, rounds=7)
    for i, item in enumerate(found.items):
        assert found.posterior[i] == pytest.approx([true[item][t] for t in found.labels], abs=1e-9)
    assert found.log_likelihood == pytest.approx(likelihood)
    assert found.annotators().to_dict("accuracy") == pytest.approx(q)


def test_parameters_are_found_again():
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, 4000)
    answers = np.array(
        [[[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0, 0.1, 0.9]], [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]]
    )
    rows = [(i, f"p{a}", "xyz"[random.choice(3, p=answers[a % 2, t])]) for i, t in enumerate(truth) for a in range(6)]
    found = dawid_skene(rows)
    for a in range(6):
        assert found.by_answer[a] == pytest.approx(answers[a % 2], abs=0.06)
    table = found.annotators()
    for who, share, error in zip(table["annotator"], table["right x"], table["error x"], strict=True):
        assert abs(share - answers[int(who[1]) % 2, 0, 0]) < 4 * error
        assert 0.008 < error < 0.025  # 1,333 items with x, less what is uncertain
    assert float(found.score({i: "xyz"[t] for i, t in enumerate(truth)})) > float(
        majority_vote(rows).score({i: "xyz"[t] for i, t in enumerate(truth)})
    )


def test_the_common_prior_is_found_from_counts():
    random = np.random.default_rng(4)
    alpha = np.array([[6.0, 2.0, 1.0], [0.5, 5.0, 0.5], [3.0, 3.0, 3.0]])
    rows = np.stack([scipy_dirichlet.rvs(row, size=600, random_state=random) for row in alpha], axis=1)
    counts = np.array([[random.multinomial(40, row) for row in person] for person in rows], dtype=float)
    assert dirichlet(counts) == pytest.approx(alpha, rel=0.2)


def test_annotators_who_did_little_are_taken_to_be_like_the_others(crowd):
    rows, _ = crowd(3, items=150, people=30)
    rows = [*rows, ("i0", "new", rows[0][2])]
    plain = dawid_skene(rows, smoothing=0).annotators()
    pulled = dawid_skene(rows, prior="hierarchical").annotators()
    usual = float(np.mean(pulled["accuracy"]))
    assert abs(pulled.to_dict("accuracy")["new"] - usual) < abs(plain.to_dict("accuracy")["new"] - usual)
    few = dawid_skene(crowd(1)[0], prior="hierarchical")
    assert "a prior found from so few annotators is little better than a guess" in few.notes


def test_the_spammer_score_by_its_formula():
    random = np.random.default_rng(1)
    matrices = random.dirichlet(np.ones(4), (5, 4))
    for matrix, score in zip(matrices, spammer_score(matrices), strict=True):
        pairs = [((matrix[c] - matrix[d]) ** 2).sum() for c in range(4) for d in range(c)]
        assert score == pytest.approx(sum(pairs) / 12)
    assert spammer_score(np.stack([np.eye(3), np.full((3, 3), 1 / 3)])) == pytest.approx([1, 0])
    two = np.array([[[0.9, 0.1], [0.3, 0.7]]])
    assert spammer_score(two) == pytest.approx((0.9 + 0.7 - 1) ** 2)


def test_errors_of_shares():
    assert standard_error(np.array([0.5, 1.0, 0.3]), np.array([100.0, 3.0, 0.0])) == pytest.approx(
        [0.05, math.sqrt(0.8 * 0.2 / 3), math.nan], nan_ok=True
    )


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"smoothing": -1}, "smoothing= takes a number from 0 up, not -1"),
        ({"tolerance": -1}, "tolerance= takes a number from 0 up"),
        ({"rounds": 0}, "rounds= takes a whole number from 1"),
        ({"prior": "flat"}, "'pooled', 'hierarchical', not 'flat'"),
    ],
)
def test_wrong_options_are_named(given, complaint, study):
    with pytest.raises(KindError, match=complaint):
        dawid_skene(study, **given)


def test_what_has_not_come_to_rest_says_so(study):
    found = dawid_skene(study, rounds=2, tolerance=0)
    assert not found.converged
    assert "still moving after 2 rounds; raise rounds" in found.notes


def test_only_models_with_answers_for_each_label_have_a_confusion(study):
    with pytest.raises(KindError, match="one_coin has no probabilities of answers"):
        one_coin(study).confusion("p0")
    with pytest.raises(ia.errors.UnknownName, match="there is no annotator 'q'"):
        dawid_skene(study).confusion("q")
