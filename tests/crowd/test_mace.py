"""MACE: against a twin in plain Python, its starts, and spammers found."""

import math
from collections import defaultdict

import numpy as np
import pytest
from scipy.special import digamma
from scipy.stats import beta

from interagree.crowd.labels import mace
from interagree.crowd.mace import _deeds, _waves
from interagree.crowd.votes import Votes
from interagree.data import Annotations
from interagree.errors import KindError


def obvious(rows, rounds):
    """Variational MACE from the vote shares, in dictionaries and products."""
    items = {item: [(a, v) for i, a, v in rows if i == item] for item, _, _ in rows}
    labels = sorted({v for _, _, v in rows})
    true = {i: {t: sum(v == t for _, v in some) / len(some) for t in labels} for i, some in items.items()}
    knows = {(i, a, v): true[i][v] for i, a, v in rows}
    for _ in range(rounds):
        spam, know, habit = defaultdict(lambda: 0.5), defaultdict(lambda: 0.5), defaultdict(lambda: 10.0)
        for (_, a, v), p in knows.items():
            spam[a] += 1 - p
            know[a] += p
            habit[a, v] += 1 - p
        e_spam = {a: math.exp(digamma(spam[a]) - digamma(spam[a] + know[a])) for a in spam}
        e_know = {a: math.exp(digamma(know[a]) - digamma(spam[a] + know[a])) for a in spam}
        e_habit = {
            (a, v): math.exp(digamma(habit[a, v]) - digamma(sum(habit[a, w] for w in labels)))
            for a in spam
            for v in labels
        }
        for i, some in items.items():
            joint = {t: math.prod(e_spam[a] * e_habit[a, v] + (v == t) * e_know[a] for a, v in some) for t in labels}
            true[i] = {t: joint[t] / sum(joint.values()) for t in labels}
            for a, v in some:
                knows[i, a, v] = true[i][v] * e_know[a] / (e_know[a] + e_spam[a] * e_habit[a, v])
    return true, {a: 0.5 + sum(1 - p for (_, b, _), p in knows.items() if a == b) for a in spam}


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_variational_algorithm(seed, crowd):
    rows, _ = crowd(seed, items=25, people=5, each=4)
    true, spam = obvious(rows, 6)
    found = mace(rows, restarts=1, correlation=0, tolerance=0, rounds=6)
    for i, item in enumerate(found.items):
        assert found.posterior[i] == pytest.approx([true[item][t] for t in found.labels], abs=1e-9)
    table = found.annotators()
    for who, given, share, error in zip(
        table["annotator"], table["annotations"], table["spamming"], table["error"], strict=True
    ):
        assert share == pytest.approx(spam[who] / (given + 1))
        assert error == pytest.approx(beta(spam[who], given + 1 - spam[who]).std())


def test_spammers_are_found():
    random = np.random.default_rng(0)
    truth = random.choice(list("xyz"), 300)
    rows = [
        (i, f"p{a}", str(t) if random.random() > (0.9 if a > 3 else 0.1) else "x")
        for i, t in enumerate(truth)
        for a in range(7)
    ]
    found = mace(rows)
    spamming = found.annotators().to_dict("spamming")
    assert max(spamming[f"p{a}"] for a in range(4)) < 0.2
    assert min(spamming[f"p{a}"] for a in range(4, 7)) > 0.8
    assert found.confusion("p6")["x"] == pytest.approx([1, 1, 1], abs=0.25)
    assert float(found.score(dict(enumerate(map(str, truth))))) > 0.98
    assert found.annotators().to_dict("spammer score")["p0"] == pytest.approx((1 - spamming["p0"]) ** 2)


def test_the_same_seed_gives_the_same(study):
    one, two = mace(study, seed=3), mace(study, seed=3)
    assert np.array_equal(one.posterior, two.posterior)
    assert np.array_equal(one.trace, two.trace)


def test_starts_differ_and_do_not_depend_on_the_order_of_rows(crowd):
    rows, _ = crowd(1)
    study, turned = Annotations.of(rows), Annotations.of(rows[::-1])
    here, there = _deeds(Votes(study)), _deeds(Votes(turned))
    same = [turned.annotators.index(name) for name in study.annotators]
    assert there[same] == pytest.approx(here)
    random, again = np.random.default_rng(5), np.random.default_rng(5)
    starts = [_waves(here, random) for _ in range(4)]
    assert [_waves(there, again)[same] for _ in range(4)] == [pytest.approx(start) for start in starts]
    assert all(np.abs(starts[k] - starts[m]).max() > 0.05 for k in range(4) for m in range(k))
    assert np.all((np.array(starts) > 0) & (np.array(starts) < 1))


def test_more_starts_never_have_a_lower_bound(crowd):
    rows, _ = crowd(8, items=15, people=6, each=3)
    bounds = [mace(rows, restarts=number).trace[-1] for number in (1, 5, 20)]
    assert bounds == sorted(bounds)
    assert any("of 20 starts reached the highest bound" in note for note in mace(rows, restarts=20).notes)


def test_the_bound_is_below_the_evidence():
    # With one item and two annotators the evidence is an integral that random draws from the prior give.
    rows = [(1, "a", "x"), (1, "b", "y")]
    random = np.random.default_rng(0)
    spam, habit = random.beta(0.5, 0.5, (200_000, 2)), random.dirichlet([10, 10], (200_000, 2))
    chance = [
        (spam[:, 0] * habit[:, 0, 0] + (t == 0) * (1 - spam[:, 0]))
        * (spam[:, 1] * habit[:, 1, 1] + (t == 1) * (1 - spam[:, 1]))
        for t in (0, 1)
    ]
    evidence = math.log(float(np.mean(chance)))
    found = mace(rows)
    assert evidence - 1.5 < found.trace[-1] < evidence + 0.01


def test_hundreds_of_annotations_of_an_item_do_not_underflow():
    rows = [(i, f"p{a}", "xy"[(a * 7 + i) % 10 < 4]) for i in range(4) for a in range(600)]
    assert np.isfinite(mace(rows, restarts=2).posterior).all()


def test_there_is_a_start(study):
    with pytest.raises(KindError, match="restarts= takes a whole number from 1"):
        mace(study, restarts=0)
