"""Every coefficient against its definition, summed pair by pair in exact fractions.

Nothing here is shared with the package: no tables, no patterns, no arrays.  The studies are tiny, random and full of
trouble: missing annotations, items with one annotation, values that nobody used, annotators who never differ.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

import interagree as ia

Cells = dict[str, dict[str, Any]]  # item -> annotator -> value
Far = Callable[[Any, Any], Fraction]
Answer = Fraction | None  # None: the definition divides by zero


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


def people(cells: Cells) -> list[str]:
    return sorted({who for given in cells.values() for who in given})


def shared(cells: Cells, first: str, second: str) -> list[tuple[Any, Any]]:
    return [(given[first], given[second]) for given in cells.values() if first in given and second in given]


def of_two(cells: Cells, first: str, second: str) -> Cells:
    chosen = {item: {w: v for w, v in given.items() if w in {first, second}} for item, given in cells.items()}
    return {item: given for item, given in chosen.items() if given}


def without(cells: Cells, who: str) -> Cells:
    rest = {item: {w: v for w, v in given.items() if w != who} for item, given in cells.items()}
    return {item: given for item, given in rest.items() if given}


def against_rest(cells: Cells, value: Any) -> Cells:
    return {item: {w: int(v == value) for w, v in given.items()} for item, given in cells.items()}


# Distances


def nominal(a: Any, b: Any) -> Fraction:
    return Fraction(int(a != b))


def interval(a: int, b: int) -> Fraction:
    return Fraction((a - b) ** 2)


def linear(a: int, b: int) -> Fraction:
    return Fraction(abs(a - b))


def radical(a: int, b: int) -> Fraction:
    return Fraction(math.sqrt(abs(a - b)))


def gwet_ordinal(a: int, b: int) -> Fraction:
    return Fraction(math.comb(abs(a - b) + 1, 2))


def ratio(a: int, b: int) -> Fraction:
    return Fraction(a - b, a + b) ** 2 if a + b else Fraction(0)


def circular(period: int) -> Far:
    return lambda a, b: Fraction(math.sin(math.pi * (a - b) / period) ** 2) if a != b else Fraction(0)


def polar(low: int, high: int) -> Far:
    return lambda a, b: Fraction((a - b) ** 2, (a + b - 2 * low) * (2 * high - a - b)) if a != b else Fraction(0)


def ordinal(values: Iterable[Any]) -> Far:
    """Krippendorff's, from all values that were given."""
    given = list(values)

    def far(a: int, b: int) -> Fraction:
        low, high = min(a, b), max(a, b)
        ends = Fraction(given.count(low) + given.count(high), 2)
        return (sum(1 for value in given if low <= value <= high) - ends) ** 2

    return far


def scaled(far: Far, declared: list[Any]) -> Far:
    largest = max((far(a, b) for a in declared for b in declared), default=Fraction(0))
    return lambda a, b: far(a, b) / largest if largest else Fraction(0)


def gwet(name: str, declared: list[int]) -> Far:
    """The distance behind agreement weights."""
    low, high = declared[0], declared[-1]
    far = {
        "identity": nominal,
        "linear": linear,
        "quadratic": interval,
        "ordinal": gwet_ordinal,
        "radical": radical,
        "ratio": ratio,
        "circular": circular(high - low + 1),
        "bipolar": polar(low, high),
    }[name]
    return scaled(far, declared)


WEIGHTS = ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]


# The pieces that coefficients are made of


def mean(numbers: Iterable[Fraction]) -> Answer:
    found = list(numbers)
    return sum(found, Fraction(0)) / len(found) if found else None


def apart(given: Iterable[Any], far: Far) -> Answer:
    """The mean distance of two of some annotations."""
    return mean(far(a, b) for a, b in permutations(given, 2))


def observed(cells: Cells, far: Far) -> Answer:
    """The mean over items, each counting once."""
    return mean(apart(given.values(), far) for given in cells.values() if len(given) > 1)


def drawn(first: dict[Any, Fraction], second: dict[Any, Fraction], far: Far) -> Fraction:
    return sum((p * r * far(k, m) for k, p in first.items() for m, r in second.items()), Fraction(0))


def shares(values: Iterable[Any]) -> dict[Any, Fraction]:
    given = list(values)
    return {value: Fraction(given.count(value), len(given)) for value in dict.fromkeys(given)}


def flat_shares(cells: Cells) -> dict[Any, Fraction]:
    """The mean over items of the share of each value in the item."""
    found: dict[Any, Fraction] = {}
    for given in cells.values():
        for value, share in shares(given.values()).items():
            found[value] = found.get(value, Fraction(0)) + share / len(cells)
    return found


def by_one(cells: Cells, who: str) -> dict[Any, Fraction]:
    return shares(given[who] for given in cells.values() if who in given)


Parts = tuple[Answer, Answer]


def percent(cells: Cells, far: Far) -> Parts:
    return observed(cells, far), Fraction(1)


def fleiss(cells: Cells, far: Far) -> Parts:
    p = flat_shares(cells)
    return observed(cells, far), drawn(p, p, far)


def complete(cells: Cells) -> Cells:
    return {item: given for item, given in cells.items() if len(given) == 2}


def scott(cells: Cells, far: Far) -> Parts:
    return fleiss(complete(cells), far)


def conger(cells: Cells, far: Far) -> Parts:
    pairs = permutations(people(cells), 2)
    return observed(cells, far), mean(drawn(by_one(cells, g), by_one(cells, h), far) for g, h in pairs)


def cohen(cells: Cells, far: Far) -> Parts:
    return conger(complete(cells), far)


def bennett(cells: Cells, far: Far, declared: list[Any]) -> Parts:
    return observed(cells, far), mean(far(a, b) for a in declared for b in declared)


def guessing(cells: Cells, far: Far, declared: list[Any]) -> Parts:
    q, p = len(declared), flat_shares(cells)
    if q < 2:
        return observed(cells, far), None
    weights = sum(1 - far(a, b) for a in declared for b in declared)
    return observed(cells, far), 1 - weights / (q * (q - 1)) * sum(x * (1 - x) for x in p.values())


def krippendorff(cells: Cells, far: Far) -> Parts:
    paired = [list(given.values()) for given in cells.values() if len(given) > 1]
    every = [value for given in paired for value in given]
    seen = sum((far(a, b) / (len(given) - 1) for given in paired for a, b in permutations(given, 2)), Fraction(0))
    return (seen / len(every) if every else None), apart(every, far)


def van_oest(cells: Cells, far: Far, declared: list[Any], prior: Fraction) -> Parts:
    pairs = [pair for given in cells.values() for pair in permutations(given.values(), 2)]
    every = [value for given in cells.values() for value in given.values()]
    total = prior * len(declared) + len(every)
    if not total:
        return mean(far(a, b) for a, b in pairs), None
    p = {value: (prior + every.count(value)) / total for value in declared}
    return mean(far(a, b) for a, b in pairs), drawn(p, p, far)


def value_of(parts: Parts) -> Answer:
    seen, chance = parts
    return None if seen is None or not chance else 1 - seen / chance


# Comparing


def agrees(result: ia.Agreement, wanted: Answer, parts: Parts | None = None) -> None:
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


def families(cells: Cells, declared: list[int]) -> Iterator[tuple[str, dict[str, Any], Far, Far]]:
    """Ways to say how far apart values are: the options, the distance as it is, and with its largest value as 1."""
    every = [value for given in cells.values() for value in given.values()]
    top = declared[-1] + 1
    yield "plain", {}, nominal, nominal
    for name in WEIGHTS:
        yield name, {"weights": name}, gwet(name, declared), gwet(name, declared)
    for name, far in {
        "linear": linear,
        "interval": interval,
        "radical": radical,
        "ratio": ratio,
        "gwet_ordinal": gwet_ordinal,
        f"circular:period={top}": circular(top),
        f"polar:low=0,high={top}": polar(0, top),
        "ordinal": ordinal(every),
    }.items():
        yield name, {"distance": name}, far, scaled(far, declared)
    table = [[float(abs(a - b) ** 1.5) for b in declared] for a in declared]
    far = lambda a, b: Fraction(float(abs(a - b) ** 1.5))  # noqa: E731
    yield "a table", {"distance": table}, far, scaled(far, declared)
    yield "a function", {"distance": lambda a, b: abs(a - b) ** 1.5}, far, scaled(far, declared)
    table = [[1 - float(gwet("linear", declared)(a, b)) / 2 for b in declared] for a in declared]
    half = lambda a, b: gwet("linear", declared)(a, b) / 2  # noqa: E731
    yield "a table of weights", {"weights": table}, half, half


# Coefficients of any number of annotators


def test_coefficients_that_do_not_ask_who_are_their_definitions(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    paired = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for name, options, far, bounded in families(cells, declared):
        ranked = name == "ordinal" and "distance" in options  # percent looks at what can be compared alone
        for measure, parts in {
            "percent": percent(cells, scaled(ordinal(paired), declared) if ranked else bounded),
            "fleiss_kappa": fleiss(cells, far),
            "bennett_s": bennett(cells, bounded, declared),
            "randolph_kappa": bennett(cells, bounded, declared),
        }.items():
            agrees(getattr(ia.measures, measure)(data, **options), value_of(parts), parts)
        if name != "plain":  # without options AC2 chooses by the scale
            parts = guessing(cells, bounded, declared)
            agrees(ia.ac2(data, **options), value_of(parts), parts)
    parts = guessing(cells, nominal, declared)
    agrees(ia.ac1(data), value_of(parts), parts)


def test_alpha_is_its_definition(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    data = study(cells, declared)
    # Krippendorff's ordinal distance counts what can be compared.
    paired = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for _, options, far, _ in families(cells, declared):
        by = ordinal(paired) if options.get("distance") == "ordinal" else far
        parts = krippendorff(cells, by)
        agrees(ia.alpha(data, **options), value_of(parts), parts)


def test_alpha_summed_without_a_table_is_its_definition(
    any_study: tuple[Cells, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules[ia.alpha.__module__]

    monkeypatch.setattr(module, "MANY", 0)
    cells, declared = any_study
    data = study(cells, declared)
    paired = [value for given in cells.values() if len(given) > 1 for value in given.values()]
    for _, options, far, _ in families(cells, declared):
        if isinstance(options.get("distance"), str) or callable(options.get("distance")):
            parts = krippendorff(cells, ordinal(paired) if options["distance"] == "ordinal" else far)
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
        pairs = [of_two(cells, g, h) for g, h in combinations(people(cells), 2)]
        kappas = [value_of(cohen(pair, far)) for pair in pairs if complete(pair)]
        agrees(ia.measures.light_kappa(data, **options), mean(kappa for kappa in kappas if kappa is not None))


def test_light_kappa_on_ranks_takes_the_ranks_of_each_pair(any_study: tuple[Cells, list[int]]) -> None:
    cells, declared = any_study
    kappas = []
    for g, h in combinations(people(cells), 2):
        pair = complete(of_two(cells, g, h))
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
            parts = van_oest(cells, bounded, declared, Fraction(prior))
            agrees(ia.measures.van_oest(data, prior=float(prior), **options), value_of(parts), parts)


# Coefficients of two annotators


def test_cohen_and_scott_are_their_definitions(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    data = study(cells, declared)
    whole = [value for given in complete(cells).values() for value in given.values()]
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
    both = {item: {who: given.get(who, "nothing") for who in people(cells)} for item, given in cells.items()}
    parts = conger(both, nominal)
    agrees(ia.cohen_kappa(data, missing="category"), value_of(parts), parts)


def test_the_largest_kappa_is_that_of_the_margins(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    for missing, part in {"listwise": complete(cells), "gwet": cells}.items():
        found = ia.cohen_kappa(study(cells, declared), missing=missing)
        if found.undefined:
            continue
        one, two = (by_one(part, who) for who in people(part))
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

        def weights(value: tuple[int, ...]) -> dict[int, Fraction]:
            return {value[0]: Fraction(1)} if len(value) == 1 else {value[0]: Fraction(p), value[1]: 1 - Fraction(p)}

        pairs = shared(labels, "a", "b")
        wanted = None
        if pairs:
            same = mean(drawn(weights(x), weights(y), lambda k, m: 1 - nominal(k, m)) for x, y in pairs)
            margins: list[dict[int, Fraction]] = [{}, {}]
            for pair in pairs:
                for margin, value in zip(margins, pair, strict=True):
                    for label, weight in weights(value).items():
                        margin[label] = margin.get(label, Fraction(0)) + weight / len(pairs)
            chance = drawn(*margins, lambda k, m: 1 - nominal(k, m))
            wanted = (same - chance) / (1 - chance) if chance != 1 else None
        agrees(ia.measures.augmented_kappa(study(labels), p=p), wanted)


# F


def f_of(hits: dict[Any, tuple[int, int, int]], beta: Fraction, average: str) -> Answer:
    def f(tp: int, fp: int, fn: int) -> Answer:
        over = (1 + beta**2) * tp + beta**2 * fn + fp
        return (1 + beta**2) * tp / over if over else None

    if average == "micro":
        return f(*(sum(column) for column in zip(*hits.values(), strict=True)))
    return mean(found for found in (f(*counts) for counts in hits.values()) if found is not None)


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


def has(value: Any, label: Any) -> bool:
    return label in value if isinstance(value, frozenset) else value == label


@pytest.mark.parametrize("sets", [False, True], ids=["labels", "sets"])
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_of_one_annotator_against_another_is_its_definition(*, beta: float, average: str, sets: bool) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        cells = labelled(cells, seed, sets=sets)
        data = study(cells, None if sets else declared)
        labels = data.labels()
        if not {"a", "b"} <= set(people(cells)):
            continue
        counts = {}
        for label in labels:
            pairs = [(has(right, label), has(mine, label)) for right, mine in shared(cells, "a", "b")]
            counts[label] = pairs.count((True, True)), pairs.count((False, True)), pairs.count((True, False))
        options = {"annotator": "b", "against": "a", "beta": beta}
        wanted = f_of(counts, Fraction(beta), average) if labels else None
        agrees(ia.measures.f_score(data, average=average, **options), wanted)
        for label in labels:
            wanted = f_of({label: counts[label]}, Fraction(beta), "micro")
            found = ia.measures.f_score(data, positive=label, **options)
            agrees(found, wanted)
            tp, fp, fn = counts[label]
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
        labels = data.labels()
        counts = {}
        for label in labels:
            hit = sum(
                int(has(v, label) and has(w, label))
                for given in cells.values()
                for v, w in permutations(given.values(), 2)
            )
            over = sum(int(has(v, label)) for given in cells.values() for v, _ in permutations(given.values(), 2))
            counts[label] = (hit, over)
        some = [Fraction(hit) / over for hit, over in counts.values() if over]
        hits, overs = sum(hit for hit, _ in counts.values()), sum(over for _, over in counts.values())
        agrees(ia.measures.f_score(data), Fraction(hits) / overs if overs else None)
        agrees(ia.measures.f_score(data, average="macro"), mean(some))
        for label, (hit, over) in counts.items():
            agrees(ia.measures.f_score(data, positive=label), Fraction(hit) / over if over else None)


# Numbers


def grid(seed: int, annotators: int | None = None) -> tuple[Cells, list[list[int]]]:
    rng = random.Random(seed)
    k, n, most = annotators or rng.choice([2, 3, 4]), rng.choice([2, 3, 4, 5]), rng.choice([0, 1, 2, 9])
    table = [[rng.randint(0, most) for _ in range(k)] for _ in range(n)]
    cells = {f"item {i}": {"abcd"[j]: v for j, v in enumerate(row)} for i, row in enumerate(table)}
    cells["incomplete"] = {"a": 7}
    return cells, table


def anova(table: list[list[int]]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Mean squares between items, between annotators, of what is left, and within items."""
    n, k = len(table), len(table[0])
    grand = Fraction(sum(map(sum, table)), n * k)
    item = [Fraction(sum(row), k) for row in table]
    who = [Fraction(sum(column), n) for column in zip(*table, strict=True)]
    between = k * sum((x - grand) ** 2 for x in item)
    annotators = n * sum((x - grand) ** 2 for x in who)
    left = sum((table[i][j] - item[i] - who[j] + grand) ** 2 for i in range(n) for j in range(k))
    within = sum((table[i][j] - item[i]) ** 2 for i in range(n) for j in range(k))
    return between / (n - 1), annotators / (k - 1), left / ((n - 1) * (k - 1)), within / (n * (k - 1))


def icc(table: list[list[int]], form: str) -> Answer:
    n, k = len(table), len(table[0])
    r, c, e, w = anova(table)
    over, under = {
        "ICC(1,1)": (r - w, r + (k - 1) * w),
        "ICC(2,1)": (r - e, r + (k - 1) * e + Fraction(k, n) * (c - e)),
        "ICC(3,1)": (r - e, r + (k - 1) * e),
        "ICC(1,k)": (r - w, r),
        "ICC(2,k)": (r - e, r + (c - e) / n),
        "ICC(3,k)": (r - e, r),
    }[form]
    return over / under if under > 0 else None  # a variance that is estimated below zero is no variance


@pytest.mark.parametrize("form", ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"])
def test_the_intraclass_correlations_are_those_of_the_textbook(form: str) -> None:
    for seed in range(120):
        cells, table = grid(seed)
        del cells["incomplete"]
        found = ia.icc(study(cells), form=form)
        agrees(found, icc(table, form))
        names = ("MSR", "MSC", "MSE", "MSW")
        squares = dict(zip(names, map(float, anova(table)), strict=True))
        assert {name: found.details[name] for name in squares} == pytest.approx(squares, abs=1e-12)


def test_concordance_is_its_definition() -> None:
    for seed in range(120):
        cells, table = grid(seed, annotators=2)
        x, y = zip(*table, strict=True)
        n = len(table)
        mx, my = Fraction(sum(x), n), Fraction(sum(y), n)
        sxy = sum((a - mx) * (b - my) for a, b in table) / n
        sxx, syy = sum((a - mx) ** 2 for a in x) / n, sum((b - my) ** 2 for b in y) / n
        under = sxx + syy + (mx - my) ** 2
        agrees(ia.lin_ccc(study(cells)), 2 * sxy / under if under else None)


def test_concordance_of_orders_is_its_definition() -> None:
    for seed in range(120):
        cells, table = grid(seed)
        n, m = len(table), len(table[0])
        columns = list(zip(*table, strict=True))

        def rank(x: int, column: tuple[int, ...]) -> Fraction:
            return sum(y < x for y in column) + Fraction(sum(y == x for y in column) + 1, 2)

        sums = [sum(rank(row[j], columns[j]) for j in range(m)) for row in table]
        spread = sum((s - Fraction(sum(sums), n)) ** 2 for s in sums)
        ties = sum(column.count(x) ** 3 - column.count(x) for column in columns for x in set(column))
        under = m**2 * (n**3 - n) - m * ties
        agrees(ia.kendall_w(study(cells)), Fraction(12 * spread) / under if under else None)


def test_the_only_pair_of_two_annotators_is_the_study(two_study: tuple[Cells, list[int]]) -> None:
    cells, declared = two_study
    for name, options in (
        *(("cohen_kappa", {"missing": missing}) for missing in ("listwise", "gwet", "category")),
        ("scott_pi", {}),
        ("f_score", {"annotator": "b", "against": "a", "beta": 2}),
        ("f_score", {"average": "macro"}),
        ("light_kappa", {}),
    ):
        if name == "f_score" and len(people(cells)) < 2:
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
    "ac1": lambda c, d: guessing(c, nominal, d),
    "van_oest": lambda c, d: van_oest(c, nominal, d, Fraction(1)),
}


def close(found: float, wanted: Answer) -> bool:
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
        pairs = [(g, h) for g, h in combinations(people(cells), 2) if shared(cells, g, h)]
        found = {tuple(sorted((row["first"], row["second"]))): row for row in table}
        assert sorted(found) == pairs
        for (g, h), row in found.items():
            assert row["items"] == len(shared(cells, g, h))
            assert close(row["agreement"], value_of(COUNTING[name](of_two(cells, g, h), declared)))


@pytest.mark.parametrize("name", COUNTING)
def test_an_annotator_is_left_out_and_held_against_the_rest(name: str) -> None:
    for seed in SEEDS:
        cells, declared = tiny(seed)
        result = getattr(ia.measures, name)(study(cells, declared))
        everybody = people(cells)
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
            assert close(row["disagreement"], apart(given, far))
            assert given.count(row["most common"]) == max(map(given.count, given))
            assert close(row["share"], Fraction(given.count(row["most common"]), len(given)))
        if not result.undefined:  # the parts of the whole
            seen = sum(row["disagreement"] * row["annotations"] for row in table if row["annotations"] > 1)
            assert seen / len(every) == pytest.approx(result.disagreement.observed, abs=1e-12)
