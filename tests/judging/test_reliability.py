"""The reliability of the mean of all people: by its definition, and by simulation."""

import itertools
import math
import random

import numpy as np
import pytest

from interagree.judging import noise_ceiling


def judged(rng, items, people, *, noise=2.0, lean=0.0, missing=0.0, labels=False):
    """People who give the truth with noise, each with a lean of their own, and a flawless model."""
    truth = rng.normal(size=items)
    given = truth[:, None] + lean * rng.normal(size=people) + math.sqrt(noise) * rng.normal(size=(items, people))
    if labels:  # the flawless model says how likely a yes is
        truth = 1 / (1 + np.exp(-2 * truth))
        given = (rng.random((items, people)) < truth[:, None]).astype(float)
    rows = [(i, f"p{k}", float(given[i, k])) for i in range(items) for k in range(people) if rng.random() >= missing]
    return [*rows, *((i, "flawless", float(truth[i])) for i in range(items))]


def true_reliability(people, **kinds):
    """The squared correlation of a flawless model with the mean of people, of a very large study."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(20):
        means, model = {}, {}
        for item, who, value in judged(rng, 1000, people, **kinds):
            if who == "flawless":
                model[item] = value
            else:
                means.setdefault(item, []).append(value)
        shared = [item for item, some in means.items() if len(some) > 1]
        r = np.corrcoef([model[i] for i in shared], [np.mean(means[i]) for i in shared])[0, 1]
        found.append(r * r)
    return float(np.mean(found))


def simulated(studies, items, people, seed=0, **kinds):
    """Over studies: the mean reliability, how often the interval covers, how often the flawless model is above."""
    rng = np.random.default_rng(seed)
    true = true_reliability(people, **kinds)
    found = [
        noise_ceiling(judged(rng, items, people, **kinds), models="flawless", distance="interval")
        for _ in range(studies)
    ]
    covered = np.mean([one.interval.low < true < one.interval.high for one in found])
    above = np.mean([one.models[0].above_flawless for one in found])
    said = [one.correlating()[1] for one in found if one.correlating()]
    assert sum("above what a flawless model would" in one for one in said) <= round(above * studies)
    return float(np.mean([one.reliability for one in found])) - true, covered, above


def test_three_people_are_as_reliable_as_they_are():
    # With halves of one and two people the mean was 0.57, and a flawless model above it in half of the studies.
    off, covered, above = simulated(60, 100, 3)
    assert abs(off) < 0.02
    assert covered >= 0.89
    assert above <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("people", range(2, 7))
@pytest.mark.parametrize(
    "kinds",
    [
        {"items": 30},
        {"items": 100},
        {"items": 100, "noise": 0.1},
        {"items": 100, "lean": 1.5},
        {"items": 100, "labels": True},
        {"items": 60, "missing": 0.3},
        {"items": 60, "missing": 0.3, "lean": 1.0},
    ],
    ids=lambda kinds: "-".join(f"{name}{entry}" for name, entry in kinds.items()),
)
def test_intervals_cover_and_a_flawless_model_is_rarely_above(people, kinds):
    off, covered, above = simulated(300, people=people, **kinds)
    assert abs(off) < 0.06
    assert covered >= 0.91
    assert above <= 0.075


WIDTHS = [(1, 0.2), (2, 0.5, 0.2), (3, 1, 0.3, 0.1), (1, 1, 0.1, 0.1, 0.1)]


def of_widths(rng, items, widths, *, missing=0.0, lean=0.0):
    """People who use the scale in different widths, and a flawless model."""
    truth, people = rng.normal(size=items), len(widths)
    noise = np.maximum(widths, 0.3) * rng.normal(size=(items, people))
    given = truth[:, None] * widths + noise + lean * rng.normal(size=people)
    rows = [(i, f"p{k}", float(given[i, k])) for i in range(items) for k in range(people) if rng.random() >= missing]
    return [*rows, *((i, "flawless", float(truth[i])) for i in range(items))]


def above_flawless(studies, items, widths, **kinds):
    found = [
        noise_ceiling(
            of_widths(np.random.default_rng([seed, items]), items, widths, **kinds),
            models="flawless",
            distance="interval",
        )
        for seed in range(studies)
    ]
    return np.mean([one.models[0].above_flawless for one in found])


@pytest.mark.parametrize("widths", WIDTHS[1:3])
def test_a_flawless_model_is_rarely_above_people_who_use_different_widths_of_the_scale(widths):
    # Its squared correlation with the mean was above Cronbach's alpha in up to 30 % of studies.
    assert above_flawless(60, 200, widths) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize(
    "kinds", [{"items": 30}, {"items": 200}, {"items": 100, "missing": 0.3}, {"items": 200, "lean": 1.5}], ids=str
)
def test_a_flawless_model_is_rarely_above_in_many_studies(widths, kinds):
    assert above_flawless(400, widths=widths, **kinds) <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 400)


@pytest.mark.parametrize("widths", [(1, 1, 1), (2, 0.5, 0.2)])
def test_a_model_that_knows_peoples_noise_is_found(widths):
    rows = [one for one in of_widths(np.random.default_rng(1), 100, widths) if one[1] != "flawless"]
    means = {i: float(np.mean([v for j, _, v in rows if j == i])) for i in range(100)}
    found = noise_ceiling([*rows, *((i, "llm", v) for i, v in means.items())], models="llm", distance="interval")
    assert found.models[0].above_flawless
    assert any("above what a flawless model would" in said for said in found.correlating())


def test_widths_that_differ_are_said():
    wide = noise_ceiling(of_widths(np.random.default_rng(2), 80, (2, 0.5, 0.2)), models="flawless", distance="interval")
    assert any("in different widths" in note and "lower bound" in note for note in wide.notes)
    alike = noise_ceiling(of_widths(np.random.default_rng(2), 80, (1, 1, 1)), models="flawless", distance="interval")
    assert not any("widths" in note for note in alike.notes)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_what_a_model_shares_with_two_people_is_its_definition(missing):
    rows = of_widths(np.random.default_rng(4), 15, (2, 0.5, 1), missing=missing)

    def shared(rows):
        model = {i: v for i, who, v in rows if who == "flawless"}
        people = {i: [(who, v) for j, who, v in rows if j == i and who != "flawless"] for i in model}
        people = {i: some for i, some in people.items() if len(some) > 1}
        y = np.array([model[i] for i in people])
        n, mean = len(y), y.mean()
        middle = np.mean([np.mean([v for _, v in some]) for some in people.values()])
        names = sorted({who for some in people.values() for who, _ in some})
        complete = all(len(some) == len(names) for some in people.values())
        own = {who: np.mean([v for some in people.values() for w, v in some if w == who]) for who in names}
        product, weight = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        for i, some in people.items():
            for who, v in some:
                product[who] += (model[i] - mean) * (v - (own[who] if complete else middle)) / len(some)
                weight[who] += 1 / len(some)
        pairs = list(itertools.permutations(names, 2))
        of_two = sum(product[a] * product[b] for a, b in pairs) / sum(weight[a] * weight[b] for a, b in pairs)
        return of_two * (n / (n - 1)) ** 2 / np.var(y, ddof=1)

    kept = [i for i in range(15) if sum(j == i and who != "flawless" for j, who, _ in rows) > 1]
    means = [np.mean([v for j, who, v in rows if j == i and who != "flawless"]) for i in kept]
    found = noise_ceiling(rows, models="flawless", distance="interval", raw=True)
    assert found.models[0].beyond.value == pytest.approx(shared(rows) / np.var(means, ddof=1) - found.reliability)


@pytest.mark.parametrize("people", range(2, 7))
def test_it_is_cronbachs_alpha_where_everybody_judged_every_item(people):
    rng = np.random.default_rng(people)
    given = rng.normal(size=(25, 1)) + rng.normal(size=(25, people)) + 3 * rng.normal(size=people) + 1e5
    rows = [(i, f"p{k}", float(given[i, k])) for i in range(25) for k in range(people)]
    covariance = np.cov(given.T)
    alpha = people / (people - 1) * (1 - np.trace(covariance) / covariance.sum())
    found = noise_ceiling(rows, distance="interval")
    assert found.reliability == pytest.approx(alpha, abs=1e-6)
    assert found.reliability == pytest.approx(2 * found.split_half / (1 + found.split_half))


def test_it_is_the_mean_over_all_splits_into_halves():
    # Four people have three splits; Rulon's form of the split-half coefficient is 4 cov / var of the sum.
    rng = np.random.default_rng(3)
    given = rng.normal(size=(30, 1)) + rng.normal(size=(30, 4))
    halves = [given[:, list(one)].sum(axis=1) for one in itertools.combinations(range(4), 2)]
    whole = given.sum(axis=1)
    splits = [4 * np.cov(half, whole - half)[0, 1] / np.var(whole, ddof=1) for half in halves]
    rows = [(i, f"p{k}", float(given[i, k])) for i in range(30) for k in range(4)]
    assert noise_ceiling(rows, distance="interval").reliability == pytest.approx(np.mean(splits))


def by_definition(rows):
    """The ratio of variances with all pairs written out."""
    items = sorted({i for i, _, _ in rows})
    people = {i: [(a, v) for j, a, v in rows if j == i] for i in items}
    items = [i for i in items if len(people[i]) > 1]
    means = {i: np.mean([v for _, v in people[i]]) for i in items}
    middle = np.mean(list(means.values()))
    same = np.mean(
        [np.mean([(v - middle) * (w - middle) for a, v in people[i] for b, w in people[i] if a != b]) for i in items]
    )
    product = weight = 0.0
    for i, j in itertools.permutations(items, 2):
        for (a, v), (b, w) in itertools.product(people[i], people[j]):
            if a != b:
                product += (v - middle) * (w - middle) / len(people[i]) / len(people[j])
                weight += 1 / len(people[i]) / len(people[j])
    return (same - product / weight) / np.var(list(means.values()), ddof=1)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_its_definition_where_people_judged_different_items(seed):
    rng = np.random.default_rng(seed)
    rows = [one for one in judged(rng, 14, 5, noise=1.0, missing=0.35) if one[1] != "flawless"]
    found = noise_ceiling(rows, distance="interval")
    assert found.reliability == pytest.approx(min(1.0, by_definition(rows)))


def test_the_interval_leaves_out_each_item():
    rng = np.random.default_rng(5)
    rows = [one for one in judged(rng, 12, 3, noise=0.5) if one[1] != "flawless"]
    found = noise_ceiling(rows, distance="interval")
    left = [noise_ceiling([one for one in rows if one[0] != i], distance="interval").reliability for i in range(12)]
    noise = np.log(1 - np.array(left))
    error = math.sqrt(11 / 12 * ((noise - noise.mean()) ** 2).sum())
    reach = 2.200985160  # t with 11 degrees of freedom
    assert 1 - found.interval.low == pytest.approx((1 - found.reliability) * math.exp(reach * error))
    assert 1 - found.interval.high == pytest.approx((1 - found.reliability) * math.exp(-reach * error))
    assert found.interval.method == "jackknife"


def test_resamples_give_the_interval_of_the_bootstrap():
    rows = [one for one in judged(np.random.default_rng(6), 80, 3) if one[1] != "flawless"]
    left, drawn = noise_ceiling(rows), noise_ceiling(rows, resamples=400, seed=2)
    assert drawn.interval.method == "bootstrap"
    assert (drawn.interval.low, drawn.interval.high) == pytest.approx((left.interval.low, left.interval.high), abs=0.06)


def test_people_who_never_differ_are_wholly_reliable():
    rows = [(i, who, float(i % 4)) for i in range(20) for who in "abc"]
    found = noise_ceiling(rows, distance="interval")
    assert found.reliability == 1
    assert (found.interval.low, found.interval.high) == (1, 1)
    once = [(i, who, v + (who == "a" and i == 3)) for i, who, v in rows]
    found = noise_ceiling(once, distance="interval")
    assert found.interval.low < found.reliability <= found.interval.high <= 1


def test_people_who_share_nothing_are_said_to():
    rng = random.Random(1)
    rows = [(i, who, x * rng.choice([1.0, 1.1])) for i in range(12) for who, x in zip("ab", (1, -1), strict=True)]
    rows = [(i, who, v + (i if who == "a" else -i)) for i, who, v in rows]
    found = noise_ceiling(rows, distance="interval")
    assert found.reliability < 0
    assert any("differ less than their noise alone" in note for note in found.notes)
    assert found.correlating() == ()


def test_a_model_is_compared_on_the_items_that_it_judged():
    rng = np.random.default_rng(2)
    rows = judged(rng, 200, 3)
    few = [one for one in rows if one[1] != "flawless" or one[0] < 40]
    there = [one for one in rows if one[0] < 40]
    (some,), (alone,) = (
        noise_ceiling(each, models="flawless", distance="interval", raw=True).models for each in (few, there)
    )
    assert some.beyond == pytest.approx(alone.beyond)
    assert some.correlation == pytest.approx(alone.correlation)
