"""Cross-replication reliability and in-group against cross-group agreement, by their definitions."""

import math
import random
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from interagree.data import Annotations
from interagree.distances import find
from interagree.errors import DataError, KindError, UnknownName
from interagree.measures.alpha import alpha
from interagree.people import groups_agreement, xrr

# Judgements of items 1 to 6, * where there is none, and the values of the tests of github.com/aneeta/xRR.
FIRST = {"a": "110000", "b": "110010", "c": "*1*0*0"}
SECOND = {"d": "11010", "e": "10100"}

DISTANCES = {
    "nominal": lambda a, b: float(a != b),
    "interval": lambda a, b: (a - b) ** 2,
    "linear": lambda a, b: abs(a - b),
}


def rows_of(given):
    """Strings of digits as rows."""
    return [
        (item, who, int(digit))
        for who, digits in given.items()
        for item, digit in enumerate(digits, start=1)
        if digit != "*"
    ]


def random_rows(seed, people="abcdef", items=9, values=4):
    """Random numbers with gaps."""
    rng = random.Random(seed)
    return [(i, who, rng.randrange(values)) for i in range(items) for who in people if rng.random() < 0.8]


def slow(rows, of, distance):
    """Kappa_x by the formula: observed, expected, value."""
    x = {i: [v for item, who, v in rows if item == i and of[who] == "x"] for i, _, _ in rows}
    y = {i: [v for item, who, v in rows if item == i and of[who] == "y"] for i, _, _ in rows}
    both = [i for i in x if x[i] and y[i]]
    size = sum(len(x[i]) + len(y[i]) for i in both)
    observed = sum(
        (len(x[i]) + len(y[i])) / size * np.mean([distance(a, b) for a, b in product(x[i], y[i])]) for i in both
    )
    all_x, all_y = ([v for i in both for v in side[i]] for side in (x, y))
    expected = np.mean([distance(a, b) for a, b in product(all_x, all_y)])
    return observed, expected, 1 - observed / expected


def test_it_gives_the_numbers_of_another_implementation():
    of = {who: "x" if who in FIRST else "y" for who in (*FIRST, *SECOND)}
    found = xrr(rows_of({**FIRST, **SECOND}), groups=of)
    assert found.observed == pytest.approx(0.4090909, abs=5e-8)
    assert found.expected == pytest.approx(0.5)
    assert found.value == pytest.approx(0.1818182, abs=5e-8)
    assert found.items == 5


def test_two_studies_are_two_groups_whatever_their_annotators_are_called():
    second = {"a": SECOND["d"], "b": SECOND["e"]}
    found = xrr(rows_of(FIRST), rows_of(second))
    assert found.value == pytest.approx(0.1818182, abs=5e-8)
    assert (found.first, found.second) == ("first", "second")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", DISTANCES)
def test_kappa_x_is_its_definition(seed, name):
    rows = random_rows(seed)
    of = {who: "x" if who in "abc" else "y" for who in "abcdef"}
    found = xrr(rows, groups=of, distance=name, resamples=50)
    assert (found.observed, found.expected, found.value) == pytest.approx(slow(rows, of, DISTANCES[name]))
    assert found.low < found.high


@pytest.mark.parametrize("name", DISTANCES)
def test_it_is_divided_by_the_alphas_of_the_groups(name):
    rng = random.Random(5)
    rows = [(i, who, min(3, max(0, i % 4 + rng.choice([0, 0, 0, 1])))) for i in range(30) for who in "abcde"]
    of = {who: "x" if who in "ab" else "y" for who in "abcde"}
    found = xrr(rows, groups=of, distance=name, resamples=200)
    study = Annotations.of(rows)
    own = [alpha(study.only(annotators=[*names]), distance=name).value for names in ("ab", "cde")]
    assert found.within == pytest.approx(own)
    assert found.normalized == pytest.approx(found.value / math.sqrt(own[0] * own[1]))
    assert found.normalized_interval.low < found.normalized < found.normalized_interval.high
    assert found.low < found.value < found.high


def test_an_ordinal_distance_is_the_same_for_both_groups():
    rows = [
        (i, who, value) for who, digits in {**FIRST, **SECOND}.items() for i, value in enumerate(digits) if value != "*"
    ]
    study = Annotations.of(rows, values=["0", "1"], ordered=True)
    of = {who: "x" if who in FIRST else "y" for who in study.annotators}
    assert xrr(study, groups=of).distance == "ordinal"
    assert xrr(study, groups=of).value == pytest.approx(0.1818182, abs=5e-8)  # two values: any distance is nominal


def test_complex_values_have_a_kappa_x():
    words = ["the cat sat", "a cat sat", "dogs bark"]
    rows = [
        (i, who, f"{words[(i + k) % 3 if k else i % 3]} {i % 4}") for i in range(12) for k, who in enumerate("abcd")
    ]
    of = {"a": "x", "b": "x", "c": "y", "d": "y"}
    metric = find("levenshtein")
    found = xrr(Annotations.of(rows, kind="text"), groups=of, distance="levenshtein", resamples=20)
    assert (found.observed, found.expected, found.value) == pytest.approx(slow(rows, of, metric))


def test_chance_is_drawn_where_all_pairs_are_too_many():
    rows = random_rows(2, items=40, values=8)
    of = {who: "x" if who in "abc" else "y" for who in "abcdef"}
    whole, drawn = (
        xrr(rows, groups=of, distance="linear"),
        xrr(rows, groups=of, distance=replace(find("linear"), most=5)),
    )
    assert any("chance was drawn from 5 pairs" in note for note in drawn.notes)
    assert drawn.observed == pytest.approx(whole.observed)


def test_rows_in_another_order_change_nothing_at_all():
    rows = random_rows(3, items=20)
    of = {who: "x" if who in "abc" else "y" for who in "abcdef"}
    mixed = random.Random(0).sample(rows, len(rows))
    assert xrr(rows, groups=of).to_dict() == xrr(mixed, groups=of).to_dict()
    assert groups_agreement(rows, groups=of).to_dict() == groups_agreement(mixed, groups=of).to_dict()


def test_undefined_cases_are_sentences():
    apart = xrr([(1, "a", 0), (2, "b", 1)], groups={"a": "x", "b": "y"})
    assert apart.undefined == "x and y judged no item in common"
    same = xrr([(1, "a", 0), (1, "b", 0), (2, "a", 0), (2, "b", 0)], groups={"a": "x", "b": "y"})
    assert "chance could not have disagreed" in str(same)
    alone = xrr(rows_of({"a": "0101", "b": "0111"}), groups={"a": "x", "b": "y"})
    assert any("nobody in it shares an item" in note for note in alone.notes)
    assert math.isnan(alone.normalized)
    nobody = groups_agreement(rows_of({"a": "01", "b": "01"}), groups={"a": "x", "b": "y"})
    assert "no two annotators of one group share an item" in str(nobody)


@pytest.mark.parametrize("name", ["nominal", "interval"])
def test_groups_are_tested_by_dealing_their_names(name):
    rows = random_rows(7, people="abcde")
    of = {"a": "x", "b": "x", "c": "y", "d": "y", "e": "y"}
    far = {}
    for i, a, v in rows:
        for j, b, w in rows:
            if i == j and a < b:
                far.setdefault((a, b), []).append(DISTANCES[name](v, w))

    def gap(group):
        inside = [d for (a, b), some in far.items() for d in some if group[a] == group[b]]
        across = [d for (a, b), some in far.items() for d in some if group[a] != group[b]]
        return np.mean(inside) - np.mean(across), np.mean(inside), np.mean(across)

    observed, inside, across = gap(of)
    deals = set(permutations("xxyyy"))
    gaps = [gap(dict(zip("abcde", deal, strict=True)))[0] for deal in deals]
    found = groups_agreement(rows, groups=of, distance=name, resamples=20, raw=True)
    assert (found.inside, found.across) == pytest.approx((inside, across))
    assert found.exact
    assert found.deals == len(deals) == 10
    assert found.p_value == pytest.approx(np.mean(np.abs(gaps) >= abs(observed) - 1e-12))


def test_groups_that_matter_are_found_out_and_groups_that_do_not_are_not():
    rng = random.Random(1)
    people = [f"p{k:02}" for k in range(12)]
    of = {who: "even" if k % 2 == 0 else "odd" for k, who in enumerate(people)}
    camps = [
        (i, who, (i + (of[who] == "odd")) % 2 if rng.random() < 0.9 else rng.randrange(2))
        for i in range(40)
        for who in people
    ]
    noise = [(i, who, rng.randrange(2)) for i in range(40) for who in people]
    assert groups_agreement(camps, groups=of, resamples=20).p_value < 0.01
    found = groups_agreement(noise, groups=of, resamples=20)
    assert found.p_value > 0.05
    assert [row["annotators"] for row in found.groups] == [6, 6]


def test_groups_come_from_a_column():
    rows = [
        {"item": i, "annotator": who, "value": v, "team": "x" if who in "abc" else "y"} for i, who, v in random_rows(1)
    ]
    of = {who: "x" if who in "abc" else "y" for who in "abcdef"}
    study = Annotations.of(rows)
    assert xrr(study, groups="team").to_dict() == xrr(study, groups=of).to_dict()
    with pytest.raises(UnknownName, match=r"no column 'taem'.*Did you mean 'team'"):
        xrr(study, groups="taem")
    rows[0]["team"] = "z"
    with pytest.raises(DataError, match="must be the same throughout an annotator, and 'a' is in both"):
        xrr(Annotations.of(rows), groups="team")


def test_wrong_use_says_what_to_do():
    rows = random_rows(1)
    with pytest.raises(KindError, match="give a second study or groups="):
        xrr(rows)
    with pytest.raises(KindError, match=r"there are 3 .*groups_agreement compares any number"):
        xrr(rows, groups={"a": 1, "b": 2, "c": 3})
    with pytest.raises(UnknownName, match="there is no annotator 'q'; there are 'a'"):
        xrr(rows, groups={"q": 1, "b": 2})
    with pytest.raises(DataError, match="there is one group"):
        groups_agreement(rows, groups={"a": 1, "b": 1})
    with pytest.raises(KindError, match="groups= takes a word or a dict"):
        groups_agreement(rows, groups=["a"])
    left = xrr(rows, groups={"a": 1, "b": 2}, resamples=10)
    assert any("4 annotators in no group set aside: 'c', 'd', 'e', 'f'" in note for note in left.notes)
