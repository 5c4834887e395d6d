"""The alternative annotator test against its authors' values, scipy, and the definition written out."""

import json
import math
import random

import numpy as np
import pytest
from scipy import stats

from interagree.data import Annotations
from interagree.errors import KindError, UnknownName
from interagree.judging import alt_test
from interagree.judging.alternative import below, signed_rank
from interagree.readers import read
from interagree.stats.engine.shares import adjusted

NAMES = ("cebab_stars_human_annotations.json", "cebab_stars_llm_annotations.json")


def toy(seed=1, items=12, humans=4, values=3, missing=0.2):
    """Random labels, some of them missing, with a model that judged most items."""
    rng = random.Random(seed)
    people = [f"h{number}" for number in range(humans)]
    rows = [
        (item, who, rng.randrange(values))
        for item in range(items)
        for who in (*people, "llm")
        if rng.random() > missing
    ]
    return rows, people


def slow(rows, model, people, epsilon, distance):
    """The test by its definition, with scipy's t test: winning rate, advantage probability."""
    given = {who: {item: value for item, name, value in rows if name == who} for who in (*people, model)}
    p_values, advantages = [], []
    for left in people:
        human, machine = [], []
        for item, value in given[left].items():
            rest = [given[who][item] for who in people if who != left and item in given[who]]
            if not rest or item not in given[model]:
                continue
            s_human = -np.mean([distance(value, other) for other in rest])
            s_model = -np.mean([distance(given[model][item], other) for other in rest])
            machine.append(s_model >= s_human - 1e-12)
            human.append(s_human >= s_model - 1e-12)
        difference = np.array(human, float) - np.array(machine, float)
        p_values.append(stats.ttest_1samp(difference, epsilon, alternative="less").pvalue)
        advantages.append(np.mean(machine))
    rejected = stats.false_discovery_control(p_values, method="by") <= 0.05
    return np.mean(rejected), np.mean(advantages)


@pytest.mark.parametrize("model", ["good_llm", "random_llm"])
@pytest.mark.parametrize("epsilon", [0.1, 0.2])
@pytest.mark.parametrize("compat", ["calderon2025", None])
def test_it_gives_what_the_authors_code_gives_on_labels(shared, model, epsilon, compat):
    paper = json.loads((shared / "published/spans/alt_test_toy.json").read_text(encoding="utf-8"))
    people = paper["input"]["humans"]
    rows = [(item, who, value) for who, given in people.items() for item, value in given.items()]
    rows += [(item, model, value) for item, value in paper["input"][model].items()]
    expected = paper["expected"][f"{model}_eps={epsilon:g}"]
    found = alt_test(rows, model=model, epsilon=epsilon, compat=compat)
    assert found.winning_rate == expected["winning_rate"]
    assert found.advantage == pytest.approx(expected["advantage_probability"], abs=1e-12)
    assert found.passed is expected["passes(omega>=0.5)"]


@pytest.mark.parametrize(
    ("model", "winning", "advantage"),
    [
        ("gpt-4o", 0.9, 0.899),
        ("gpt-4o-mini", 0.9, 0.894),
        ("gemini_pro", 0.8, 0.867),
        ("gemini_flash", 0.6, 0.821),
        ("llama-31", 0.6, 0.853),
        ("mistral-v03", 0.5, 0.829),
    ],
)
@pytest.mark.parametrize("compat", ["calderon2025", None])
def test_it_gives_what_the_authors_code_gives_on_stars(shared, model, winning, advantage, compat):
    folder = shared / "data/formats/alt_test"
    people, models = (json.loads((folder / name).read_text(encoding="utf-8")) for name in NAMES)
    given = {**people, model: models[model]}
    rows = [(item, who, value) for who, some in given.items() for item, value in some.items()]
    found = alt_test(rows, model=model, distance="interval", epsilon=0.1, compat=compat)
    assert found.winning_rate == pytest.approx(winning, abs=1e-12)
    assert found.advantage == pytest.approx(advantage, abs=5e-4)


def test_the_files_of_people_and_models_are_read_as_one(shared):
    study = read([shared / "data/formats/alt_test" / name for name in NAMES])
    found = study.single()
    assert (len(found.items), len(found.annotators), len(found)) == (711, 16, 6459)
    models = [name for name in found.annotators if not name.startswith("w")]
    assert len(models) == 6
    people = read(shared / "data/formats/alt_test" / NAMES[0]).single().annotators
    test = alt_test(study, model="gpt-4o", humans=people, distance="interval", epsilon=0.1)
    assert (test.winning_rate, round(test.advantage, 3)) == (0.9, 0.899)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("name", "distance"), [("nominal", lambda a, b: float(a != b)), ("interval", lambda a, b: (a - b) ** 2)]
)
def test_it_is_its_definition(seed, name, distance):
    rows, people = toy(seed, items=80)
    found = alt_test(rows, model="llm", distance=name, epsilon=0.3, compat="calderon2025")
    assert (found.winning_rate, found.advantage) == pytest.approx(slow(rows, "llm", people, 0.3, distance))


@pytest.mark.parametrize("seed", range(4))
def test_rows_in_another_order_and_other_names_change_nothing(seed):
    rows, people = toy(seed, items=40)
    called = dict(zip([*people, "llm"], ["zoe", 7, "ann", "bo", "x"], strict=True))
    other = [(f"item {item}", called[who], value) for item, who, value in rows]
    random.Random(seed).shuffle(other)
    found, again = alt_test(rows, model="llm"), alt_test(other, model="x")
    assert found.winning_rate == again.winning_rate
    assert found.advantage == pytest.approx(again.advantage, abs=1e-12)
    mine = {called[row["person"]]: row["adjusted p"] for row in found.people}
    assert mine == pytest.approx({row["person"]: row["adjusted p"] for row in again.people})


def test_other_models_do_not_matter():
    rows, people = toy(3, items=40)
    more = [(item, "second", value) for item, who, value in rows if who == "h1"]
    with_it = alt_test([*rows, *more], model="llm", humans=people)
    assert with_it.to_dict() == alt_test(rows, model="llm").to_dict()


def test_the_t_test_is_scipys():
    rng = np.random.default_rng(0)
    for bound in (0, 0.1, 0.2):
        sample = rng.integers(-1, 2, 40).astype(float)
        assert below(sample, bound) == pytest.approx(stats.ttest_1samp(sample, bound, alternative="less").pvalue)


def test_differences_that_are_all_the_same_are_decided_by_the_bound():
    assert below(np.zeros(40), 0.1) == 0
    assert below(np.ones(40), 0.1) == 1
    assert below(np.zeros(40), 0.0) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_signed_rank_test_counts_every_sign(seed):
    rng = np.random.default_rng(seed)
    moved = rng.integers(-1, 2, 8) - 0.2
    ranks = stats.rankdata(np.abs(moved))
    sums = [sum(rank for bit, rank in enumerate(ranks) if signs >> bit & 1) for signs in range(2**8)]
    observed = ranks[moved > 0].sum()
    assert signed_rank(moved) == pytest.approx(np.mean([one <= observed + 1e-9 for one in sums]))


def test_without_ties_the_signed_rank_test_is_scipys():
    moved = np.array([0.3, -1.2, 0.7, -2.5, -0.1, -0.9, 1.4])
    expected = stats.wilcoxon(moved, alternative="less", method="exact").pvalue
    assert signed_rank(moved) == pytest.approx(expected)
    assert signed_rank(np.zeros(5)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_p_values_are_adjusted_as_scipy_does(seed):
    p = np.random.default_rng(seed).random(9) ** 3
    assert adjusted(p.tolist()) == pytest.approx(stats.false_discovery_control(p, method="by"))
    assert len(adjusted([])) == 0


def test_few_items_and_few_people_are_said():
    rows, _ = toy(1, items=12, humans=2, missing=0)
    found = alt_test(rows, model="llm")
    assert {row["test"] for row in found.people} == {"exact"}
    assert any("wants 3 or more" in note for note in found.notes)
    assert any("fewer than 30 items for 'h0', 'h1'" in note for note in found.notes)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(1, "ann", "a"), (1, "llm", "a")], "there is one person, 'ann'"),
        ([(1, "ann", "a"), (1, "bo", "a"), (2, "llm", "a")], "judged no item in common"),
        ([(1, "ann", "a"), (2, "bo", "a"), (2, "llm", "a")], "no item was judged by 'llm' and two people"),
    ],
)
def test_what_cannot_be_tested_is_a_sentence(rows, why):
    found = alt_test(rows, model="llm")
    assert math.isnan(found.winning_rate)
    assert not found.passed
    assert why in found.undefined
    assert str(found).startswith("whether llm can stand in for a person cannot be decided: ")
    assert found.to_dict()["winning_rate"] is None


def test_people_without_shared_items_are_left_out_and_named():
    rows, _ = toy(1, items=40, missing=0)
    found = alt_test([*rows, (999, "guest", 1)], model="llm")
    assert len(found.people) == 4
    assert any("'guest' shared no item" in note for note in found.notes)


def test_wrong_use_says_what_to_do():
    rows, _ = toy()
    with pytest.raises(
        UnknownName, match=r"there is no annotator 'lm' to take as a model; there are .*Did you mean 'llm'"
    ):
        alt_test(rows, model="lm")
    with pytest.raises(UnknownName, match="as a person"):
        alt_test(rows, model="llm", humans=["h0", "nobody"])
    with pytest.raises(KindError, match="as a model and as a person"):
        alt_test(rows, model="llm", humans=["h0", "llm"])
    with pytest.raises(KindError, match="epsilon"):
        alt_test(rows, model="llm", epsilon=1.5)
    with pytest.raises(KindError, match="q= takes a number between 0 and 1"):
        alt_test(rows, model="llm", q=0)
    with pytest.raises(KindError, match="made from counts"):
        alt_test(Annotations.from_counts([[1, 2], [3, 0]]), model="llm")


def test_complex_values_are_compared_by_the_distance_of_their_kind():
    text = {"a": "the cat sat", "b": "the cat sat down", "c": "dogs bark at night"}
    rng = random.Random(0)
    rows = [
        (item, who, text[rng.choice("abc" if who != "llm" else "ab")] + f" {item}")
        for item in range(35)
        for who in ("x", "y", "z", "llm")
    ]
    found = alt_test(Annotations.of(rows, kind="text"), model="llm", distance="levenshtein")
    assert found.distance == "levenshtein"
    assert 0 <= found.advantage <= 1
