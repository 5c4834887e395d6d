"""Labels left out: parts, correlations, and the choice among the vote and models."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.crowd.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.crowd.dawid_skene import equal_coins as fit_equal_coins
from interagree.crowd.held_out import CORRELATIONS, HeldOut, grouped_error, tempered
from interagree.crowd.labels import auto, dawid_skene, glad, mace, majority_vote, one_coin
from interagree.crowd.votes import Votes, prepared
from interagree.data import Annotations
from interagree.errors import KindError

MODELS = {"dawid_skene": dawid_skene, "one_coin": one_coin, "mace": mace, "glad": glad}


def simulated(
    seed, *, items=400, people=40, each=5, skills=(0.55, 0.95), shares=(0.5, 0.5), hard=0.0, spammers=0.0, clique=0.0
):
    """Rows and the truth: annotators of varying skill, items that mislead all, spammers, and a clique with one mind.

    On a hard item all see one wrong label in place of the true one in half of their looks.  A spammer gives one label
    whatever is true.  The clique copies the answer of one of its members.
    """
    random = np.random.default_rng(seed)
    labels = len(shares)
    truth = random.choice(labels, items, p=shares)
    skill = random.uniform(*skills, people)
    spammer, copies = random.random(people) < spammers, random.random(people) < clique
    favourite = random.integers(0, labels, people)
    misleading = random.random(items) < hard
    decoy = (truth + random.integers(1, labels, items)) % labels
    rows = []
    for item in range(items):
        shared = _given(random, truth[item], 0.6, labels)
        for who in random.choice(people, each, replace=False):
            seen = decoy[item] if misleading[item] and random.random() < 0.5 else truth[item]
            label = _given(random, seen, skill[who], labels)
            label = favourite[who] if spammer[who] else shared if copies[who] else label
            rows.append((f"i{item}", f"p{who}", f"l{label}"))
    return Annotations.of(rows), {f"i{item}": f"l{label}" for item, label in enumerate(truth)}


def _given(random, label, skill, labels):
    return int(label if random.random() < skill else (label + random.integers(1, labels)) % labels)


def calibration(made, gold):
    """Accuracy, mean confidence and the expected calibration error in ten bins."""
    score, place = made.score(gold), {item: row for row, item in enumerate(made.items)}
    sure = made.confidence()[[place[item] for item in score.names]]
    bins = np.minimum((sure * 10).astype(int), 9)
    gaps = np.abs(np.bincount(bins, sure - score.right, minlength=10))
    return score.value, float(sure.mean()), float(gaps.sum() / len(sure))


def test_every_label_that_others_could_predict_is_left_out_once(crowd):
    votes = Votes(Annotations.of([*crowd(1)[0], ("alone", "p1", "x")]))
    left_out = HeldOut(votes)
    rows = np.concatenate([split.rows for split in left_out.splits])
    assert sorted(rows.tolist()) == list(range(len(votes.item) - 1))
    for split in left_out.splits:
        assert len(split.rest.item) + len(split.rows) == len(votes.item)
        assert np.all(split.rest.size[split.item] >= 1)


def test_repeated_judgements_are_left_out_together(crowd):
    rows = crowd(2)[0]
    votes = Votes(Annotations.of([*rows, *rows[:40]], duplicates="keep"))
    for split in HeldOut(votes).splits:
        assert not set(votes.seat[split.rows].tolist()) & set(
            votes.seat[np.setdiff1d(np.arange(len(votes.item)), split.rows)].tolist()
        )


def test_labels_left_out_have_the_probability_that_the_formula_gives(crowd):
    votes = Votes(Annotations.of(crowd(4, items=20, people=5, each=4)[0]))
    left_out = HeldOut(votes)

    def fit(rest):
        return fit_dawid_skene(rest, smoothing=None, hierarchical=False, tolerance=1e-8, rounds=100)

    fits = left_out.fitted(fit)
    table = left_out.log_probabilities(fits)
    assert table.shape == (len(CORRELATIONS), left_out.count)
    whole = np.zeros((len(CORRELATIONS), len(votes.item)))
    whole[:, left_out.out] = table
    for split, fitted in zip(left_out.splits, fits, strict=True):
        for row in split.rows[:3].tolist():
            item, person, label = votes.item[row], votes.person[row], votes.label[row]
            n = int((split.rest.item == item).sum())
            for place, rho in enumerate(CORRELATIONS.tolist()):
                power = 1 / (1 + (n - 1) * rho)
                p = [float(one) ** power for one in fitted.posterior[item]]
                chance = sum(one * fitted.confusion[person, t, label] for t, one in enumerate(p)) / sum(p)
                assert whole[place, row] == pytest.approx(math.log(chance), abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_a_correlation_makes_less_sure_and_changes_no_label(name, study):
    plain, found = MODELS[name](study, correlation=0), MODELS[name](study, correlation=0.3)
    assert found.values == plain.values
    assert np.all(found.confidence() <= plain.confidence() + 1e-12)
    assert found.correlation == 0.3
    assert tempered(plain.votes, plain.posterior, 0.3) == pytest.approx(found.posterior)
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    with pytest.raises(KindError, match="between 0, for labels that are independent, and 1; got 2"):
        MODELS[name](study, correlation=2)


@pytest.mark.parametrize("name", [*MODELS, "majority_vote"])
def test_probabilities_say_where_they_come_from(name, study):
    made = majority_vote(study, probability=True) if name == "majority_vote" else MODELS[name](study)
    assert made.correlation in CORRELATIONS
    assert any("labels left out" in note and "gold answers" in note for note in made.notes)
    assert made.to_dict()["correlation"] == made.correlation
    small = [(item, who, label) for item in "abc" for who, label in (("p", "x"), ("q", "x"), ("r", item))]
    rough = majority_vote(small, probability=True) if name == "majority_vote" else MODELS[name](small)
    assert any("too few labels to find how far annotators err together" in note for note in rough.notes)


def test_the_probability_of_a_vote_follows_the_votes(study):
    shares, made = majority_vote(study), majority_vote(study, probability=True)
    assert made.values == shares.values
    assert made.tied() == shares.tied()
    assert "mean probability" in str(made)
    assert np.corrcoef(shares.confidence(), made.confidence())[0, 1] > 0.7


def test_without_smoothing_the_model_is_as_published(study):
    assert dawid_skene(study, smoothing=0).correlation == 0
    assert one_coin(study, smoothing=0).correlation == 0


def test_the_old_default_is_an_option(study):
    old = dawid_skene(study, smoothing=0.1, correlation=0)
    fit = fit_dawid_skene(Votes(study), smoothing=0.1, hierarchical=False, tolerance=1e-8, rounds=1000)
    assert np.array_equal(old.posterior, fit.posterior)


def test_items_that_mislead_no_longer_make_models_sure():
    study, gold = simulated(1, items=300, people=20, each=10, hard=0.5, skills=(0.7, 0.9))
    for function in (dawid_skene, one_coin):
        right, sure, error = calibration(function(study), gold)
        _, too_sure, before = calibration(function(study, correlation=0), gold)
        assert too_sure > right + 0.08
        assert error < 0.6 * before
        assert sure < too_sure - 0.05


def test_auto_takes_a_model_where_annotators_differ_and_says_why():
    study, gold = simulated(2, spammers=0.4, skills=(0.8, 0.95))
    made = auto(study)
    assert made.method in MODELS
    assert made.notes[0].startswith(f"{made.method} was taken: it")
    assert "annotators who copy each other look like experts who agree" in made.notes[0]
    assert float(made.score(gold)) > float(majority_vote(study).score(gold)) + 0.02
    table = made.tables()["methods"]
    assert sorted(table["method"]) == sorted([*MODELS, "majority_vote"])
    assert table.to_dict("taken")[made.method] == "yes"
    assert table["hits"] == sorted(table["hits"], reverse=True)
    assert len(made.to_dict()["methods"]) == 5
    assert made.posterior == pytest.approx(MODELS[made.method](study).posterior, abs=0.05)


def test_auto_is_right_more_often_where_three_of_many_give_one_of_ten_labels():
    world = {"each": 3, "items": 300, "shares": (0.1,) * 10, "skills": (0.4, 0.9)}
    right = []
    for seed in range(8):
        study, gold = simulated(seed, **world)
        right.append([float(take(study).score(gold)) for take in (majority_vote, one_coin, auto, ia.consensus)])
    vote, coin, chosen, usual = np.mean(right, axis=0)
    assert chosen == usual
    assert chosen > vote + 0.6 * (coin - vote)
    assert coin > vote + 0.015


def test_hits_are_those_of_the_label_in_front_without_each_part():
    study, _ = simulated(1, items=60, people=8, each=4)
    left_out = HeldOut(prepared(study, "hits"))
    fits = left_out.fitted(lambda votes: fit_equal_coins(votes, tolerance=1e-6, rounds=100))
    hits = np.full(len(left_out.votes.item), np.nan)
    for split, fit in zip(left_out.splits, fits, strict=True):
        for row, item, label in zip(split.rows, split.item, split.label, strict=True):
            best = np.flatnonzero(np.isclose(fit.posterior[item], fit.posterior[item].max(), atol=1e-9))
            hits[row] = (label in best) / len(best)
    assert left_out.hits(fits) == pytest.approx(hits[left_out.out])


def test_ties_count_as_often_as_all_labels_have_them():
    study, _ = simulated(2, items=60, people=9, each=3)  # of two labels: none with all three, many with two of them
    hits, weight = HeldOut(prepared(study, "hits")).voted()
    assert set(weight[hits == 0.5]) == {0.0}
    assert weight[hits != 0.5] == pytest.approx(1 / np.mean(hits != 0.5))


def test_auto_takes_the_vote_where_annotators_are_alike():
    made = auto(simulated(3, skills=(0.75, 0.75))[0])
    assert made.method == "majority_vote"
    assert made.notes[0].startswith("the vote was taken: no model clearly predicts labels left out better; the best, ")
    assert made.values == majority_vote(made.study).values


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(i, "ann", "xy"[i % 2]) for i in range(9)], "'ann' is the only annotator"),
        ([(i, f"p{i % 3}", "xy"[i % 2]) for i in range(9)], "no item has two annotators"),
        ([(i, who, "x") for i in range(9) for who in "pq"], "every annotation is 'x'"),
        ([(i, who, "xy"[i % 2]) for i in range(9) for who in "pqr"], "27 labels of 3 annotators that others could"),
        ([(i, who, "xy"[i % 2]) for i in range(40) for who in "pq"], "80 labels of 2 annotators that others could"),
    ],
)
def test_what_cannot_be_compared_is_voted_on(rows, why):
    made = ia.consensus(rows, method="auto")
    assert made.method == "majority_vote"
    assert made.notes[0].startswith(f"the vote was taken: {why}")
    assert made.values == majority_vote(rows).values
    assert "methods" not in made.tables()


def test_counts_without_names_are_voted_on():
    study = ia.Annotations.from_counts(np.array([[5, 1], [0, 6], [4, 2]] * 20))
    made = auto(study)
    assert made.method == "majority_vote"
    assert "does not say who gave which value" in made.notes[0]
    assert majority_vote(study, probability=True).values == made.values


def test_the_error_of_a_gain_is_that_of_its_groups():
    random = np.random.default_rng(0)
    unit = np.repeat(np.arange(30), 4)
    gains = random.normal(size=30)[unit]
    assert grouped_error(gains, unit, 30) == pytest.approx(gains[::4].std(ddof=1) / math.sqrt(30))


def test_the_choice_is_shown_on_the_command_line(tmp_path):
    study, _ = simulated(2, items=200, spammers=0.4, skills=(0.8, 0.95))
    ia.write(study, tmp_path / "labels.csv")
    words = ["consensus", str(tmp_path / "labels.csv"), "--method", "auto"]
    text = CliRunner().invoke(main, words).stdout
    assert "Methods by how well they predict labels left out" in text
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert {row["method"] for row in data["methods"]} == {*MODELS, "majority_vote"}
    assert data["method"] == auto(study).method


# -- simulations ---------------------------------------------------------------------------------------------

WORLDS = {
    "independent": {},
    "few labels": {"each": 3},
    "ten labels": {"each": 3, "items": 300, "shares": (0.1,) * 10, "skills": (0.4, 0.9)},
    "many labels": {"each": 15, "items": 300},
    "spammers": {"spammers": 0.4},
    "rare class": {"shares": (0.95, 0.05)},
    "four classes": {"shares": (0.4, 0.3, 0.2, 0.1)},
    "hard items": {"hard": 0.4, "each": 8, "skills": (0.7, 0.95)},
    "clique": {"clique": 0.3, "skills": (0.7, 0.9)},
}


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_auto_is_not_worse_than_the_vote_and_knows_how_sure_it_is(world):
    gains, gaps, before = [], [], []
    for seed in range(8):
        study, gold = simulated(100 + seed, **WORLDS[world])
        made = auto(study)
        right, sure, _ = calibration(made, gold)
        change = made.score(gold).right - majority_vote(study).score(gold).right
        assert change.sum() >= -3 * math.sqrt(float((change**2).sum())), (world, seed)  # no worse by more than chance
        gains.append(float(change.mean()))
        gaps.append(sure - right)
        raw = dawid_skene(study, correlation=0)
        before.append(float(raw.confidence().mean() - float(raw.score(gold))))
    assert np.mean(gains) > -0.005, world
    assert abs(np.mean(gaps)) < max(0.05, abs(np.mean(before))), world
