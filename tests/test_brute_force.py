"""Coefficients of labels and numbers against their definitions: both disagreements, every option, every drill-down.

The definitions are those of `interagree.reference`, summed pair by pair in exact fractions.  The studies are tiny,
random and full of trouble: missing annotations, items with one annotation, values that nobody used, annotators who
never differ.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

import interagree as ia
from interagree import reference
from interagree.reference.distances import Distance, ScaleOptions, distance_on, interval, nominal, ordinal, scaled
from interagree.reference.labels import (
    alpha_parts,
    even,
    guessing,
    hits,
    observed,
    one_urn,
    own_urns,
    rows_of,
    shares,
    van_oest_parts,
)
from interagree.reference.numbers import mean_squares, table_of
from interagree.reference.rows import Cells, Number, annotators_of, mean, one_minus, only, paired

# Studies


def tiny(seed: int, annotators: int | None = None) -> tuple[Cells, list[int]]:
    """A tiny study of the values 1, 2, 3, …, and the values that are declared."""
    rng = random.Random(seed)
    people = "abcd"[: annotators or rng.choice([2, 2, 3, 4])]
    declared = list(range(1, rng.choice([1, 2, 2, 3, 3, 4, 5]) + 1))
    gaps, faithful = rng.choice([0, 0, 0.2, 0.5]), rng.choice([0, 0.3, 0.8, 1])
    cells: Cells = {}
    for number in range(rng.choice([1, 2, 3, 3, 4, 5])):
        truth = rng.choice(declared)
        given = {
            who: truth if rng.random() < faithful else rng.choice(declared) for who in people if rng.random() >= gaps
        }
        if given:
            cells[f"item {number}"] = given
    return cells, declared


def study(cells: Cells, declared: list[Any] | None = None) -> ia.Annotations:
    rows = [(item, who, value) for item, given in cells.items() for who, value in sorted(given.items())]
    return ia.Annotations.of(rows, item=0, annotator=1, value=2, values=declared)


def shared(cells: Cells, first: str, second: str) -> list[tuple[Any, Any]]:
    return [(given[first], given[second]) for given in cells.values() if first in given and second in given]


def without(cells: Cells, who: str) -> Cells:
    return only(cells, *(other for other in annotators_of(cells) if other != who))


def against_rest(cells: Cells, value: Any) -> Cells:
    return {item: {w: int(v == value) for w, v in given.items()} for item, given in cells.items()}


# The two disagreements of each coefficient

Parts = tuple[Number, Number]
WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]


def percent(cells: Cells, far: Distance) -> Parts:
    return observed(cells, far), Fraction(1)


def fleiss(cells: Cells, far: Distance) -> Parts:
    return observed(cells, far), one_urn(cells, far)


def scott(cells: Cells, far: Distance) -> Parts:
    return fleiss(paired(cells), far)


def conger(cells: Cells, far: Distance) -> Parts:
    return observed(cells, far), own_urns(cells, far)


def cohen(cells: Cells, far: Distance) -> Parts:
    return conger(paired(cells), far)


def bennett(cells: Cells, far: Distance, declared: list[Any]) -> Parts:
    return observed(cells, far), even(declared, far)


def gwet(cells: Cells, far: Distance, declared: list[Any]) -> Parts:
    return observed(cells, far), guessing(cells, declared, far)


def krippendorff(cells: Cells, far: Distance) -> Parts:
    return alpha_parts(rows_of(cells), far)


def value_of(parts: Parts) -> Number:
    return one_minus(*parts)


# Comparing


def agrees(result: ia.Agreement, wanted: Number, parts: Parts | None = None) -> None:
    """The value is that of the definition, or both have none and the result says why."""
    if wanted is None:
        assert math.isnan(result.value)
        assert result.undefined is not None
        assert len(result.undefined.split()) > 3, "a sentence"
        assert result.interval() is None
        assert result.p_value() is None
        assert math.isnan(result.standard_error())
        return
    assert result.undefined is None
    assert result.value == pytest.approx(float(wanted), abs=1e-12, rel=1e-12)
    if parts is not None:
        seen, chance = parts
        assert result.disagreement.observed == pytest.approx(float(seen), abs=1e-12)
        if result.disagreement.expected is not None:
            assert result.disagreement.expected == pytest.approx(float(chance), abs=1e-12)


SEEDS = range(60)
TWO = range(1000, 1060)


@pytest.fixture(params=SEEDS)
def any_study(request: pytest.FixtureRequest) -> tuple[Cells, list[int]]:
    return tiny(request.param)


@pytest.fixture(params=TWO)
def two_study(request: pytest.FixtureRequest) -> tuple[Cells, list[int]]:
    return tiny(request.param, annotators=2)


def families(cells: Cells, declared: list[int]) -> Iterator[tuple[str, dict[str, Any], Distance, Distance]]:
    """Ways to say how far apart values are: the options, the distance as it is, and with its largest value as 1."""
    top = declared[-1] + 1
    yield "plain", {}, nominal, nominal
    names = ("linear", "interval", "radical", "ratio", "gwet_ordinal", "ordinal")
    for options in (
        *({"weights": name} for name in WEIGHTS),
        *({"distance": name} for name in (*names, f"circular:period={top}", f"polar:low=0,high={top}")),
    ):
        scale: ScaleOptions = {**options, "values": declared}
        (name,) = options.values()
        yield name, options, distance_on(cells, scale), distance_on(cells, scale, bounded=True)
    table = [[float(abs(a - b) ** 1.5) for b in declared] for a in declared]
    far = lambda a, b: Fraction(float(abs(a - b) ** 1.5))  # noqa: E731
    yield "a table", {"distance": table}, far, scaled(far, declared)
    yield "a function", {"distance": lambda a, b: abs(a - b) ** 1.5}, far, scaled(far, declared)
    half = lambda a, b: distance_on(cells, {"weights": "linear", "values": declared})(a, b) / 2  # noqa: E731
    table = [[1 - float(half(a, b)) for b in declared] for a in declared]
    yield "a table of weights", {"weights": table}, half, half


# Coefficients of any number of annotators


def test_coefficients_that_do_not_ask_who_are_their_definitions(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    compared = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for name, options, far, bounded in families(cells, declared):
        ranked = name == "ordinal" and "distance" in options  # percent looks at what can be compared alone
        for measure, parts in {
            "percent": percent(cells, scaled(ordinal(compared), declared) if ranked else bounded),
            "fleiss_kappa": fleiss(cells, far),
            "bennett_s": bennett(cells, bounded, declared),
            "randolph_kappa": bennett(cells, bounded, declared),
        }.items():
            agrees(getattr(ia.measures, measure)(data, **options), value_of(parts), parts)
        if name != "plain":  # without options AC2 chooses by the scale
            parts = gwet(cells, bounded, declared)
            agrees(ia.ac2(data, **options), value_of(parts), parts)
    parts = gwet(cells, nominal, declared)
    agrees(ia.ac1(data), value_of(parts), parts)


def test_alpha_is_its_definition(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    # Krippendorff's ordinal distance counts what can be compared.
    compared = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for _, options, far, _ in families(cells, declared):
        by = ordinal(compared) if options.get("distance") == "ordinal" else far
        parts = krippendorff(cells, by)
        agrees(ia.alpha(data, **options), value_of(parts), parts)


def test_alpha_summed_without_a_table_is_its_definition(
    any_study: tuple[Cells, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules[ia.alpha.__module__]

    monkeypatch.setattr(module, "MANY", 0)
    cells, declared = any_study
    data = study(cells, declared)
    compared = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for _, options, far, _ in families(cells, declared):
        if isinstance(options.get("distance"), str) or callable(options.get("distance")):
            parts = krippendorff(cells, ordinal(compared) if options["distance"] == "ordinal" else far)
            agrees(ia.alpha(data, **options), value_of(parts), parts)


def test_coefficients_with_an_urn_for_each_annotator_are_their_definitions(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    for _, options, far, _ in families(cells, declared):
        parts = conger(cells, far)
        agrees(ia.conger_kappa(data, **options), value_of(parts), parts)
        agrees(ia.measures.hubert_kappa(data, **options), value_of(parts), parts)


def test_light_kappa_is_the_mean_of_the_defined_kappas_of_pairs(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    for _, options, far, _ in families(cells, declared):
        if options.get("distance") == "ordinal":
            continue  # its distances are those of each pair: the next test
        pairs = [only(cells, g, h) for g, h in combinations(annotators_of(cells), 2)]
        kappas = [value_of(cohen(pair, far)) for pair in pairs if paired(pair)]
        agrees(ia.measures.light_kappa(data, **options), mean(kappa for kappa in kappas if kappa is not None))


def test_light_kappa_on_ranks_takes_the_ranks_of_each_pair(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    kappas = []
    for g, h in combinations(annotators_of(cells), 2):
        pair = paired(only(cells, g, h))
        if pair:
            kappas.append(value_of(cohen(pair, ordinal(v for given in pair.values() for v in given.values()))))
    found = ia.measures.light_kappa(study(cells, declared), distance="ordinal")
    agrees(found, mean(kappa for kappa in kappas if kappa is not None))


@pytest.mark.parametrize("prior", [0, Fraction(1, 2), 1, 5])
def test_van_oest_is_its_definition(prior: Fraction) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        data = study(cells, declared)
        for _, options, _, bounded in families(cells, declared):
            parts = van_oest_parts(cells, declared, bounded, Fraction(prior))
            agrees(ia.measures.van_oest(data, prior=float(prior), **options), value_of(parts), parts)


# Coefficients of two annotators


def test_cohen_and_scott_are_their_definitions(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    data = study(cells, declared)
    whole = [value for given in paired(cells).values() for value in given.values()]
    for _, options, far, _ in families(cells, declared):
        by = ordinal(whole) if options.get("distance") == "ordinal" else far
        for measure, parts in {"cohen_kappa": cohen(cells, by), "scott_pi": scott(cells, by)}.items():
            agrees(getattr(ia.measures, measure)(data, **options), value_of(parts), parts)


def test_the_three_readings_of_missing_annotations_are_their_definitions(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    data = study(cells, declared)
    for _, options, far, _ in families(cells, declared):
        parts = conger(cells, far)
        agrees(ia.cohen_kappa(data, missing="gwet", **options), value_of(parts), parts)
    both = {item: {who: given.get(who, "nothing") for who in annotators_of(cells)} for item, given in cells.items()}
    parts = conger(both, nominal)
    agrees(ia.cohen_kappa(data, missing="category"), value_of(parts), parts)


def test_the_largest_kappa_is_that_of_the_margins(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    for missing, part in {"listwise": paired(cells), "gwet": cells}.items():
        found = ia.cohen_kappa(study(cells, declared), missing=missing)
        if found.undefined:
            continue
        one, two = (shares(own[who] for own in only(part, who).values()) for who in annotators_of(part))
        most = sum(min(one.get(k, Fraction(0)), two.get(k, Fraction(0))) for k in declared)
        chance = sum(one.get(k, Fraction(0)) * two.get(k, Fraction(0)) for k in declared)
        assert found.details["maximum"] == pytest.approx(float((most - chance) / (1 - chance)))


@pytest.mark.parametrize("p", [0.5, 0.75, 1.0])
def test_augmented_kappa_is_its_definition(p: float) -> None:
    for seed in TWO:
        cells, declared = tiny(seed, annotators=2)
        rng = random.Random(seed)
        labels = {
            item: {
                who: (value,) if rng.random() < 0.5 else (value, rng.choice([k for k in (*declared, 9) if k != value]))
                for who, value in given.items()
            }
            for item, given in cells.items()
        }
        wanted = reference.augmented_kappa(rows_of(labels), p=p)
        agrees(ia.measures.augmented_kappa(study(labels), p=p), wanted)


# F


def labelled(cells: Cells, seed: int, *, sets: bool) -> Cells:
    if not sets:
        return cells
    rng = random.Random(seed)
    return {
        item: {
            who: frozenset(rng.sample([1, 2, 3], rng.randint(0, 2)) + [v][: rng.randint(0, 1)]) for who, v in g.items()
        }
        for item, g in cells.items()
    }


@pytest.mark.parametrize("sets", [False, True], ids=["labels", "sets"])
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_of_one_annotator_against_another_is_its_definition(*, beta: float, average: str, sets: bool) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        cells = labelled(cells, seed, sets=sets)
        data = study(cells, None if sets else declared)
        labels = data.labels()
        if not {"a", "b"} <= set(annotators_of(cells)):
            continue
        rows, options = rows_of(cells), {"annotator": "b", "against": "a", "beta": beta}
        agrees(
            ia.measures.f_score(data, average=average, **options), reference.f_score(rows, average=average, **options)
        )
        for label in labels:
            wanted = reference.f_score(rows, positive=label, **options)
            found = ia.measures.f_score(data, positive=label, **options)
            agrees(found, wanted)
            tp, fp, fn = hits([(mine, right) for right, mine in shared(cells, "a", "b")], label)
            if tp + fp and tp + fn:
                assert found.details["precision"] == pytest.approx(tp / (tp + fp))
                assert found.details["recall"] == pytest.approx(tp / (tp + fn))
                assert found.details["noise"] == pytest.approx(fp / (tp + fp))
                assert found.details["silence"] == pytest.approx(fn / (tp + fn))


@pytest.mark.parametrize("sets", [False, True], ids=["labels", "sets"])
def test_f_over_all_pairs_pools_the_pairs(*, sets: bool) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        cells = labelled(cells, seed, sets=sets)
        data = study(cells, None if sets else declared)
        rows = rows_of(cells)
        for options in ({}, {"average": "macro"}, *({"positive": label} for label in data.labels())):
            agrees(ia.measures.f_score(data, **options), reference.f_score(rows, **options))


# Numbers


def grid(seed: int, annotators: int | None = None) -> Cells:
    rng = random.Random(seed)
    k, n, most = annotators or rng.choice([2, 3, 4]), rng.choice([2, 3, 4, 5]), rng.choice([0, 1, 2, 9])
    table = [[rng.randint(0, most) for _ in range(k)] for _ in range(n)]
    cells = {f"item {i}": {"abcd"[j]: v for j, v in enumerate(row)} for i, row in enumerate(table)}
    cells["incomplete"] = {"a": 7}
    return cells


@pytest.mark.parametrize("form", ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"])
def test_the_intraclass_correlations_are_those_of_the_textbook(form: str) -> None:
    for seed in range(120):
        cells = grid(seed)
        del cells["incomplete"]
        found = ia.icc(study(cells), form=form)
        agrees(found, reference.icc(rows_of(cells), form=form))
        names = ("MSR", "MSC", "MSE", "MSW")
        squares = dict(zip(names, map(float, mean_squares(table_of(cells) or [])), strict=True))
        assert {name: found.details[name] for name in squares} == pytest.approx(squares, abs=1e-12)


def test_concordance_is_its_definition() -> None:
    for seed in range(120):
        cells = grid(seed, annotators=2)
        agrees(ia.lin_ccc(study(cells)), reference.lin_ccc(rows_of(cells)))


def test_concordance_of_orders_is_its_definition() -> None:
    for seed in range(120):
        cells = grid(seed)
        agrees(ia.kendall_w(study(cells)), reference.kendall_w(rows_of(cells)))


def test_the_only_pair_of_two_annotators_is_the_study(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    for name, options in (
        *(("cohen_kappa", {"missing": missing}) for missing in ("listwise", "gwet", "category")),
        ("scott_pi", {}),
        ("f_score", {"annotator": "b", "against": "a", "beta": 2}),
        ("f_score", {"average": "macro"}),
        ("light_kappa", {}),
    ):
        if name == "f_score" and len(annotators_of(cells)) < 2:
            continue
        found = getattr(ia.measures, name)(study(cells, declared), **options)
        pairs = found.by_pair()
        if shared(cells, "a", "b"):
            assert pairs["agreement"] == pytest.approx([found.value], nan_ok=True)


# Where the disagreement is

COUNTING = {
    "percent": lambda c, d: percent(c, nominal),  # noqa: ARG005
    "fleiss_kappa": lambda c, d: fleiss(c, nominal),  # noqa: ARG005
    "alpha": lambda c, d: krippendorff(c, nominal),  # noqa: ARG005
    "conger_kappa": lambda c, d: conger(c, nominal),  # noqa: ARG005
    "bennett_s": lambda c, d: bennett(c, nominal, d),
    "ac1": lambda c, d: gwet(c, nominal, d),
    "van_oest": lambda c, d: van_oest_parts(c, d, nominal, Fraction(1)),
}


def close(found: float, wanted: Number) -> bool:
    return math.isnan(found) if wanted is None else math.isclose(found, float(wanted), abs_tol=1e-12, rel_tol=1e-12)


@pytest.mark.parametrize("name", COUNTING)
def test_a_value_is_measured_against_the_rest(name: str) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        table = getattr(ia.measures, name)(study(cells, declared)).by_value()
        assert list(table["value"]) == declared
        every = [v for given in cells.values() for v in given.values()]
        for row in table:
            value = row["value"]
            assert row["annotations"] == every.count(value)
            assert close(row["agreement"], value_of(COUNTING[name](against_rest(cells, value), [0, 1])))
            over = [v for given in cells.values() for v, _ in permutations(given.values(), 2) if v == value]
            both = [v for given in cells.values() for v, w in permutations(given.values(), 2) if v == w == value]
            assert close(row["specific"], Fraction(len(both), len(over)) if over else None)


@pytest.mark.parametrize("name", COUNTING)
def test_a_pair_is_measured_as_if_there_were_no_others(name: str) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        table = getattr(ia.measures, name)(study(cells, declared)).by_pair()
        pairs = [(g, h) for g, h in combinations(annotators_of(cells), 2) if shared(cells, g, h)]
        found = {tuple(sorted((row["first"], row["second"]))): row for row in table}
        assert sorted(found) == pairs
        for (g, h), row in found.items():
            assert row["items"] == len(shared(cells, g, h))
            assert close(row["agreement"], value_of(COUNTING[name](only(cells, g, h), declared)))


@pytest.mark.parametrize("name", COUNTING)
def test_an_annotator_is_left_out_and_held_against_the_rest(name: str) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        result = getattr(ia.measures, name)(study(cells, declared))
        everybody = annotators_of(cells)
        for row in result.by_annotator():
            who = row["annotator"]
            assert row["annotations"] == sum(who in given for given in cells.values())
            wanted = value_of(COUNTING[name](without(cells, who), declared)) if len(everybody) > 2 else None
            assert close(row["left out"], wanted)
            alike = [
                1 - nominal(given[who], value)
                for given in cells.values()
                if who in given
                for other, value in given.items()
                if other != who
            ]
            assert close(row["agreement with the rest"], mean(alike))


@pytest.mark.parametrize("distance", [None, "interval", "ordinal"])
def test_an_item_shows_the_mean_distance_of_its_annotations(distance: str | None) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        every = [v for given in cells.values() if len(given) > 1 for v in given.values()]
        far = {None: nominal, "interval": interval, "ordinal": ordinal(every)}[distance]
        result = ia.alpha(study(cells, declared), distance=distance)
        table = result.by_item()
        assert list(table["item"]) == list(cells)
        for row in table:
            given = list(cells[row["item"]].values())
            assert row["annotations"] == len(given)
            assert close(row["disagreement"], mean(far(a, b) for a, b in permutations(given, 2)))
            assert given.count(row["most common"]) == max(map(given.count, given))
            assert close(row["share"], Fraction(given.count(row["most common"]), len(given)))
        if not result.undefined:  # the parts of the whole
            seen = sum(row["disagreement"] * row["annotations"] for row in table if row["annotations"] > 1)
            assert seen / len(every) == pytest.approx(result.disagreement.observed, abs=1e-12)
