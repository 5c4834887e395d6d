"""What holds of every measure and every distance in the registry, those of plug-ins included.

A measure or a distance that is added tomorrow is tested by these without being mentioned; an exception is a named set
with a reason.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_studies import ALIGNED, OF_PAIRS, few_draws, people_for, study_for, values_for  # noqa: F401 -- a fixture for all

import interagree as ia
from interagree.declare import Distance
from interagree.distances import find
from interagree.errors import InteragreeError, KindError, UnknownName
from interagree.plugins import DISTANCES, KINDS, MEASURES
from interagree.results.agreement import SCHEMA
from interagree.stats.pairs.pair_distances import PairDistances

Row = tuple[Any, str, Any]

# With one or two items, or with values that differ as numbers do, these go beyond the range in which they are read.
BELOW = {
    "icc": "an estimated variance may be negative, and the coefficient then below minus one",
    "ac2": "with weights chance agreement may be above one half, while those who differ differ all the way",
    "gamma": "units of different annotators may be less alike than any chance",
    "gamma_cat": "as gamma",
}
SINGLES = {
    "fleiss_kappa": "items with one annotation count in the shares alone, which can make chance agreement as high "
    "as one likes while the pairs disagree",
    "conger_kappa": "as Fleiss' kappa",
    "hubert_kappa": "as Fleiss' kappa",
    "van_oest": "as Fleiss' kappa",
}
ORDERED = {
    "icc": "numbers",
    "kendall_w": "an order",
    "lin_ccc": "numbers",
    "ac2": "quadratic weights where values are numbers",
    **dict.fromkeys(OF_PAIRS, "interval distance where values are numbers"),
}

TIED = {
    "auc": "annotations of different items may be alike, too, and such ties count half",
    "ks": "annotations of different items may be alike, too",
    "sigma": "with few values, being alike is not rare enough to count",
}

few = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
each = pytest.mark.parametrize("name", MEASURES)


@st.composite
def studies(draw: st.DrawFn, name: str, *, least: int = 1, most: int = 6, complete: bool = False) -> list[Row]:
    """Annotations that a measure takes, some of them missing unless they are to be complete."""
    values, people = values_for(name), people_for(name)
    most = 3 if name in ALIGNED else most
    some = draw(st.lists(st.sampled_from(values), min_size=1, max_size=len(values), unique=True))
    value = st.sampled_from(some)
    cell = value if complete else st.one_of(value, value, st.none())
    grid = draw(st.lists(st.tuples(*[cell] * len(people)), min_size=least, max_size=most))
    return [
        (f"i{i}", who, v) for i, row in enumerate(grid) for who, v in zip(people, row, strict=True) if v is not None
    ]


def result(name: str, rows: list[Row], values: list[Any] | None = None) -> ia.Agreement:
    return MEASURES[name](ia.Annotations.of(rows, values=values_for(name) if values is None else values))


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


# What does not matter


@each
@few
@given(data=st.data(), seed=st.integers(0, 9))
def test_the_order_of_the_rows_does_not_matter(name: str, data: st.DataObject, seed: int) -> None:
    rows = data.draw(studies(name))
    mixed = random.Random(seed).sample(rows, len(rows))
    assert same(result(name, rows).value, result(name, mixed).value)


@each
@few
@given(data=st.data())
def test_the_names_of_items_and_annotators_do_not_matter(name: str, data: st.DataObject) -> None:
    rows = data.draw(studies(name))
    names = data.draw(st.permutations(people_for(name)))
    other = dict(zip(people_for(name), names, strict=True))
    renamed = [(("thing", item), f"~{other[who]}", value) for item, who, value in rows]
    one, two = result(name, rows), result(name, renamed)
    assert same(one.value, two.value)
    assert same(one.standard_error(), two.standard_error())


def _letters(value: Any) -> Iterator[str]:
    """The labels inside a value, which are single letters in the examples of all kinds."""
    if isinstance(value, tuple):
        for part in value:
            yield from _letters(part)
    elif isinstance(value, str) and len(value) == 1:
        yield value


def _renamed(value: Any, new: dict[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(part, new) for part in value)
    return new.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("name", sorted(set(MEASURES) - set(ORDERED)))
@few
@given(data=st.data())
def test_the_names_of_the_values_do_not_matter(name: str, data: st.DataObject) -> None:
    rows = data.draw(studies(name))
    values = values_for(name)
    letters = sorted({part for value in values for part in _letters(value)})
    if letters:
        new = dict(zip(letters, data.draw(st.permutations(letters)), strict=True))
        other = {value: _renamed(value, new) for value in values}
    else:
        other = dict(zip(values, data.draw(st.permutations(["w", "x", "y", "z"])), strict=True))
    renamed = [(item, who, other[value]) for item, who, value in rows]
    assert same(result(name, rows).value, result(name, renamed, values=list(other.values())).value)


@each
@few
@given(data=st.data())
def test_every_item_twice_is_the_same_study(name: str, data: st.DataObject) -> None:
    rows = data.draw(studies(name, least=3))
    twice = rows + [((item, "again"), who, value) for item, who, value in rows]
    one, two = result(name, rows), result(name, twice)
    if MEASURES[name].facts.doubling:
        if not one.undefined:
            assert same(one.value, two.value)
    elif name not in TIED:  # a declared exception is one: the study shows it
        known = result(name, [(i, a, v) for i, a, v in _uneven(name)])
        again = result(name, [((i, k), a, v) for i, a, v in _uneven(name) for k in range(2)])
        assert not same(known.value, again.value)


def _uneven(name: str) -> list[Row]:
    """A small study on which without putting back, a prior, ties and degrees of freedom make a difference."""
    first, second, third, *_ = values_for(name)
    grid = [(first, first), (second, second), (third, first), (second, third), (third, third)]
    return [(i, who, v) for i, row in enumerate(grid) for who, v in zip("ab", row, strict=True)]


# What the number means


@pytest.mark.parametrize("name", sorted(set(MEASURES) - set(TIED)))
@few
@given(data=st.data())
def test_annotators_who_never_differ_score_one(name: str, data: st.DataObject) -> None:
    rows = data.draw(studies(name, least=2, complete=True))
    truth = {item: value for item, who, value in rows if who == "a"}
    if MEASURES[name].facts.values == "pairs":
        truth = {item: value[:1] for item, value in truth.items()}
    found = result(name, [(item, who, truth[item]) for item, who, _ in rows])
    assert found.value == pytest.approx(1) or found.undefined
    if found.undefined is None:
        assert found.disagreement.observed == pytest.approx(0, abs=1e-12)
        error = found.standard_error()
        assert error == pytest.approx(0, abs=1e-7) or math.isnan(error)


@each
@few
@given(data=st.data())
def test_the_value_and_its_interval_lie_in_the_declared_range(name: str, data: st.DataObject) -> None:
    complete = name in SINGLES
    found = result(name, data.draw(studies(name, complete=complete)))
    low, high = MEASURES[name].facts.range
    if found.undefined:
        return
    assert found.value <= high + 1e-9
    assert found.value >= low - 1e-9 or name in BELOW
    for method in ("auto", "jackknife", "bootstrap"):
        interval = found.interval(method=method, resamples=50)
        if interval is not None:
            assert interval.low <= interval.high
            assert interval.high <= high + 1e-9
            assert interval.low >= low - 1e-9 or found.value < low or name in BELOW
            if method == "jackknife":
                assert interval.low <= found.value + 1e-12
                assert interval.high >= found.value - 1e-12


OWN_INTERVAL = {"icc": "that of the F distribution, whose middle is not the value, and its test has one tail"}


@pytest.mark.parametrize("name", sorted(set(MEASURES) - set(OWN_INTERVAL)))
@few
@given(data=st.data())
def test_a_higher_level_gives_a_wider_interval_around_the_value(name: str, data: st.DataObject) -> None:
    found = result(name, data.draw(studies(name, least=2)))
    intervals = [found.interval(level, resamples=50) for level in (0.5, 0.9, 0.95, 0.99)]
    if None in intervals:
        assert set(intervals) == {None}
        return
    for inner, outer in itertools.pairwise(intervals):
        assert outer.low <= inner.low + 1e-9
        assert inner.high <= outer.high + 1e-9
    if not MEASURES[name].facts.resampled:  # percentiles of resamples may leave the value out
        assert intervals[0].low - 1e-9 <= found.value <= intervals[0].high + 1e-9


@pytest.mark.parametrize(
    "name", sorted(name for name in set(MEASURES) - set(OWN_INTERVAL) if MEASURES[name].facts.range[0] < 0)
)
@pytest.mark.parametrize("random_of", ["items", "both"])
def test_the_p_value_says_whether_the_interval_leaves_zero_out(name: str, random_of: str) -> None:
    for seed in range(12):
        rng = np.random.default_rng([seed, 3])
        items = 3 + (seed // 3 if name in ALIGNED else 2 * seed)
        study = study_for(name, rng, items=items, faithful=0.2 + 0.7 * seed / 12)
        found = MEASURES[name](study, corrected=True) if name == "spa" else MEASURES[name](study)
        p = found.p_value(random=random_of)
        for level in (0.9, 0.95, 0.99):
            interval = found.interval(level, random=random_of)
            if p is not None and interval is not None:
                assert (p < 1 - level) == (not interval.low <= 0 <= interval.high)


@pytest.mark.parametrize("name", sorted(SINGLES))
def test_an_interval_holds_a_value_below_the_range(name: str) -> None:
    rows = [("a", "a", 1), ("a", "b", 2), ("b", "a", 1), ("b", "b", 2), *((f"s{i}", "ab"[i % 2], 3) for i in range(40))]
    found = MEASURES[name](rows)
    interval = found.interval()
    assert found.value < -1
    assert interval.low < found.value < interval.high


@each
@few
@given(data=st.data())
def test_one_minus_the_ratio_of_the_parts_is_the_value(name: str, data: st.DataObject) -> None:
    found = result(name, data.draw(studies(name)))
    if found.undefined or found.disagreement.value is not None:
        return
    seen, chance = found.disagreement.observed, found.disagreement.expected
    assert same(found.value, 1 - seen / (1 if chance is None else chance))
    if found.observed_agreement is not None:
        assert same(found.observed_agreement, 1 - seen)
    assert (found.expected_agreement is None) == (chance is None or found.observed_agreement is None)


@each
@few
@given(data=st.data())
def test_two_annotators_may_change_places(name: str, data: st.DataObject) -> None:
    rows = [row for row in data.draw(studies(name)) if row[1] in "ab"]
    swapped = [(item, {"a": "b", "b": "a"}[who], value) for item, who, value in rows]
    one, two = result(name, rows), result(name, swapped)
    assert same(one.value, two.value)
    assert same(one.standard_error(), two.standard_error())


# What can be done with a result


@each
@few
@given(data=st.data())
def test_a_result_can_be_printed_and_sent(name: str, data: st.DataObject) -> None:
    found = result(name, data.draw(studies(name)))
    sent = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert sent["schema"] == SCHEMA
    assert sent["measure"] == name
    assert (sent["value"] is None) == (found.undefined is not None)
    assert sent["undefined"] == found.undefined
    assert found.measure.symbol in repr(found)
    assert found.measure.symbol in str(found)
    assert (f"{found:.2f}" == "nan") == (found.undefined is not None)
    assert f"{found}" == str(found)
    assert float(found) == found.value or found.undefined
    assert found.measure.title.split("'", maxsplit=1)[0] in found._repr_html_()
    assert found.cite()
    assert found.cite("bibtex").startswith("@")


def test_a_distance_of_ones_own_is_sent_by_its_name() -> None:
    def far(a: int, b: int) -> float:
        return abs(a - b)

    sent = ia.alpha(_uneven("alpha"), distance=far).to_dict()
    assert sent["options"]["distance"] == "far"
    table = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    rows = ia.Annotations.of(_uneven("alpha"), values=[1, 2, 3])
    assert ia.alpha(rows, distance=np.array(table)).to_dict()["options"]["distance"] == table


TABLES = ("by_item", "by_annotator", "by_pair", "by_value")
OF_LABELS = {"span_f1", "corrected_span_f1", "relation_f1"}  # their table by value is one of the labels within values
NO_VALUES = {name for name in MEASURES if MEASURES[name].facts.values in {"pairs", *KINDS}} - OF_LABELS


@each
@few
@given(data=st.data())
def test_every_table_can_be_made_and_read(name: str, data: st.DataObject) -> None:
    found = result(name, data.draw(studies(name)))
    for table in TABLES:
        if table == "by_value" and name in NO_VALUES:
            with pytest.raises(KindError, match="by value"):
                found.by_value()
            continue
        made = getattr(found, table)()
        assert len(str(made).splitlines()) >= len(made) + 1
        assert all(set(row) == set(made.columns) for row in made)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - OF_PAIRS))
@few
@given(data=st.data())
def test_a_pair_is_the_study_of_the_two_alone(name: str, data: st.DataObject) -> None:
    study = ia.Annotations.of(data.draw(studies(name)), values=values_for(name))
    for row in MEASURES[name](study).by_pair():
        two = study.only(annotators=[row["first"], row["second"]])
        assert same(row["agreement"], MEASURES[name](two).value)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - NO_VALUES - OF_LABELS))
@few
@given(data=st.data())
def test_a_value_is_the_study_of_it_against_the_rest(name: str, data: st.DataObject) -> None:
    study = ia.Annotations.of(data.draw(studies(name)), values=values_for(name))
    options = {"positive": "this"} if name == "f_score" else {"weights": "identity"} if name == "ac2" else {}
    for row in MEASURES[name](study).by_value():
        rest = [(i, a, "this" if v == row["value"] else "other") for i, a, v in study.rows()]
        against = MEASURES[name](ia.Annotations.of(rest, values=["this", "other"]), **options)
        assert same(row["agreement"], against.value)


def test_a_value_may_be_called_other() -> None:
    rows = [(1, "a", "other"), (1, "b", "other"), (2, "a", "x"), (2, "b", "y"), (3, "a", "x"), (3, "b", "x")]
    renamed = [(i, a, {"other": "another"}.get(v, v)) for i, a, v in rows]
    for name in sorted(set(MEASURES) - NO_VALUES - OF_LABELS):
        here, there = MEASURES[name](rows).by_value(), MEASURES[name](renamed).by_value()
        assert same(here.to_dict("agreement")["other"], there.to_dict("agreement")["another"])


# Studies on which there is nothing to measure

NOTHING: dict[str, list[Row]] = {
    "no annotation at all": [],
    "one annotation": [("i", "a", 0)],
    "one annotator": [("i", "a", 0), ("j", "a", 1), ("k", "a", 0)],
    "no item in common": [("i", "a", 0), ("j", "b", 1), ("k", "a", 1)],
    "one item, two annotators": [("i", "a", 0), ("i", "b", 1)],
    "one value": [("i", "a", 0), ("i", "b", 0), ("j", "a", 0), ("j", "b", 0)],
    "one value each": [("i", "a", 0), ("i", "b", 1), ("j", "a", 0), ("j", "b", 1), ("k", "a", 0), ("k", "b", 1)],
    "singles and one pair": [("i", "a", 0), ("j", "b", 1), ("k", "a", 0), ("k", "b", 1)],
    "two items": [("i", "a", 0), ("i", "b", 1), ("j", "a", 1), ("j", "b", 1)],
}
CLOSED = {"spa": "the annotators' part of its error needs nobody to be left out"}
ALWAYS = {"no annotation at all", "one annotation", "one annotator", "no item in common"}


@each
@pytest.mark.parametrize("what", NOTHING)
@pytest.mark.parametrize("declared", [True, False], ids=["declared values", "values as seen"])
def test_what_cannot_be_measured_is_undefined_and_says_why(name: str, what: str, *, declared: bool) -> None:
    values = values_for(name)
    rows = [(item, who, values[v]) for item, who, v in NOTHING[what]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = MEASURES[name](ia.Annotations.of(rows, values=values if declared else None))
        if what in ALWAYS:
            assert found.undefined is not None
        assert math.isnan(found.value) == (found.undefined is not None)
        for method in ("auto", "jackknife", "bootstrap", "bca"):
            interval = found.interval(method=method, resamples=20)
            error = found.standard_error(method=method)
            assert interval is None or interval.low <= interval.high
            assert math.isnan(error) or error >= 0
            assert found.p_value(method=method) is None or 0 <= found.p_value(method=method) <= 1
            if found.undefined:
                assert interval is None
                assert math.isnan(error)
        for random_of in ("annotators", "both") if name not in CLOSED else ():
            assert found.interval(random=random_of) is None  # two annotators: nobody can be left out
        assert str(found)
        json.dumps(found.to_dict(), allow_nan=False)
        for table in set(TABLES) - ({"by_value"} if name in NO_VALUES else set()):
            assert str(getattr(found, table)())


ANONYMOUS = sorted(name for name in MEASURES if not MEASURES[name].facts.identity)


@pytest.mark.parametrize("name", ANONYMOUS)
def test_counts_alone_are_enough_for_measures_that_do_not_ask_who(name: str) -> None:
    rows = [
        (i, who, v)
        for i, row in enumerate(["112", "222", "3", "13", "1231"])
        for who, v in zip("abcd", row, strict=False)
    ]
    counts = [[row.count(v) for v in "123"] for row in ["112", "222", "3", "13", "1231"]]
    known = MEASURES[name](ia.Annotations.of(rows, values=list("123")))
    counted = MEASURES[name](ia.Annotations.from_counts(counts, values=list("123")))
    assert same(known.value, counted.value)
    assert same(known.standard_error(), counted.standard_error())
    assert known.interval(method="bootstrap")[:2] == pytest.approx(counted.interval(method="bootstrap")[:2])
    assert known.by_value()["agreement"] == pytest.approx(counted.by_value()["agreement"], nan_ok=True)
    for table in ("by_pair", "by_annotator"):
        with pytest.raises(KindError, match="who gave which value"):
            getattr(counted, table)()


@pytest.mark.parametrize("name", sorted(set(MEASURES) - set(ANONYMOUS)))
def test_counts_alone_are_not_enough_for_measures_that_ask_who(name: str) -> None:
    with pytest.raises(KindError, match="who gave which value"):
        MEASURES[name](ia.Annotations.from_counts([[1, 1], [2, 0]], values=[1, 2]))


@each
def test_a_measure_that_is_asked_for_nonsense_says_what_it_takes(name: str) -> None:
    found = result(name, _uneven(name))
    with pytest.raises(KindError, match="between 0 and 1"):
        found.interval(level=95)
    with pytest.raises(KindError, match="'bootstrap'"):
        found.interval(method="magic")
    with pytest.raises(KindError, match="'annotators'"):
        found.standard_error(random="raters")
    with pytest.raises(InteragreeError, match="no attribute 'document'"):
        found.standard_error(cluster="document")
    with pytest.raises(TypeError):
        MEASURES[name](_uneven(name), no_such_option=1)


# Distances

# What each distance compares, and the parameters it needs; a kind that is not here is drawn from its examples.
SAMPLES: dict[str, st.SearchStrategy[Any]] = {
    "any": st.sampled_from(["x", "y", "z", 1, 2.5, True, frozenset("x")]),
    "sets": st.frozensets(st.sampled_from("abcde")),
    "numbers": st.one_of(
        st.integers(0, 12), st.floats(0, 12, allow_subnormal=False).filter(lambda x: x == 0 or x > 1e-9)
    ),
    "scale": st.integers(0, 12),
}
corner = st.integers(0, 20)
side = st.integers(1, 8)
word = st.sampled_from(["a", "b", "cat", "dog", "the"])


def _tree(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    label = st.sampled_from(["S", "NP", "VP"])
    return st.tuples(label, st.lists(inner, min_size=1, max_size=3)).map(lambda t: f"({t[0]} {' '.join(t[1])})")


KIND_SAMPLES: dict[str, st.SearchStrategy[Any]] = {
    "vectors": st.tuples(*[st.integers(-3, 3)] * 3),
    "series": st.lists(st.integers(-3, 3), min_size=1, max_size=5).map(tuple),
    "text": st.lists(word, max_size=6).map(" ".join),
    "rankings": st.lists(st.integers(0, 5), min_size=2, max_size=5, unique=True).map(tuple),
    "boxes": st.lists(
        st.tuples(corner, corner, side, side).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])), max_size=3
    ).map(tuple),
    "rotated": st.lists(st.tuples(corner, corner, side, side, st.integers(0, 179)), max_size=3).map(tuple),
    "polygons": st.lists(
        st.tuples(corner, corner, side, side).map(lambda b: ((b[0], b[1]), (b[0] + b[2], b[1]), (b[0], b[1] + b[3]))),
        max_size=2,
    ).map(tuple),
    "masks": st.lists(
        st.tuples(st.integers(0, 8), st.integers(1, 8)).map(
            lambda m: (("counts", (m[0], m[1], 16 - sum(m))), ("size", (4, 4)))
        ),
        max_size=2,
    ).map(tuple),
    "keypoints": st.lists(st.tuples(*[st.tuples(corner, corner)] * 3), max_size=2).map(tuple),
    "spans": st.lists(
        st.tuples(corner, side, st.sampled_from(["PER", "LOC"])).map(lambda s: (s[0], s[0] + s[1], s[2])), max_size=3
    ).map(tuple),
    "trees": _tree(st.recursive(st.just("(NN x)"), _tree, max_leaves=5)),
    "clusters": st.lists(st.integers(0, 3), max_size=6).map(
        lambda groups: tuple(
            tuple(m for m, g in zip("abcdef", groups, strict=False) if g == one) for one in dict.fromkeys(groups)
        )
    ),
    "dependencies": st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from(["nsubj", "obj"])), min_size=1, max_size=4
    ).map(lambda tokens: ((0, tokens[0][1]), *tokens[1:])),
}
NEVER_EMPTY = {"l2": "nothing can stand for the distance from an empty list"}
GIVEN_VECTORS = {"embedding": "the user gives the vectors", "greedy_match": "the user gives the vectors"}
GIVEN = {"period": 12.5, "low": 0.0, "high": 12.0}
every = pytest.mark.parametrize("name", sorted(set(DISTANCES) - set(GIVEN_VECTORS)))


def ready(name: str) -> Distance:
    distance: Distance = DISTANCES[name]
    return distance.with_(**{parameter: GIVEN[parameter] for parameter in distance.parameters})


def scale_of(distance: Distance, data: st.DataObject, *, least: int = 1, most: int = 8) -> list[Any]:
    if distance.kinds:
        kind = data.draw(st.sampled_from(distance.kinds))
        value = KIND_SAMPLES[kind] if kind in KIND_SAMPLES else st.sampled_from(KINDS[kind].examples)
        if distance.name in NEVER_EMPTY:
            value = value.filter(bool)
        return data.draw(st.lists(value, min_size=least, max_size=most, unique=True))
    values = data.draw(
        st.lists(SAMPLES[distance.of], min_size=least, max_size=most, unique_by=lambda v: (type(v) is bool, v))
    )
    return sorted(values) if distance.of in {"numbers", "scale"} else values


def counts_of(values: list[Any], data: st.DataObject) -> np.ndarray:
    counts = data.draw(st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values)))
    return np.array(counts, dtype=float)


@every
@few
@given(data=st.data())
def test_a_distance_is_zero_at_home_symmetric_and_as_declared(name: str, data: st.DataObject) -> None:
    distance = ready(name)
    values = scale_of(distance, data)
    table = distance.among(values, counts_of(values, data), ordered=False)
    assert table.shape == (len(values), len(values))
    assert np.array_equal(table, table.T)
    assert not np.diag(table).any()
    assert np.isfinite(table).all()
    assert (table >= 0).all()
    if distance.bounded:
        assert (table <= 1 + 1e-12).all()
    if distance.equality:
        assert np.array_equal(table, 1 - np.eye(len(values)))
    if distance.metric:
        assert (table[:, None, :] <= table[:, :, None] + table[None, :, :] + 1e-9).all()


BREAKING = {
    "interval": [0, 1, 2],
    "gwet_ordinal": [0, 1, 2],
    "ratio": [1, 2, 4],
    "circular": [0, 1, 2],
    "polar": [4, 6, 8],
    "passonneau2004": [frozenset("a"), frozenset("ab"), frozenset("b")],
    "dice": [frozenset("a"), frozenset("ab"), frozenset("b")],
}


UNPROVED = {"masi": "no three sets of up to five labels break the triangle, and nothing is known of larger ones"}


@pytest.mark.parametrize(
    "name",  # those of complex values are broken in the tests of their kind
    sorted(n for n in DISTANCES if not DISTANCES[n].metric and n not in UNPROVED and not DISTANCES[n].kinds),
)
def test_a_distance_that_is_not_declared_metric_breaks_the_triangle(name: str) -> None:
    values = BREAKING.get(name, [0, 1, 2])
    table = ready(name).among(values, np.ones(3))
    assert table[0, 2] > table[0, 1] + table[1, 2]


@every
@few
@given(data=st.data())
def test_the_forms_of_a_distance_agree(name: str, data: st.DataObject) -> None:
    distance = ready(name)
    values = scale_of(distance, data)
    counts = counts_of(values, data)
    table = distance.among(values, counts)
    close = {"rtol": 1e-9, "atol": 1e-12}
    if distance.table is None and distance.of != "scale":
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                assert distance(a, b) == pytest.approx(table[i, j], rel=1e-12, abs=1e-15)
    if distance.embed is not None:
        points = distance.points(values, counts)
        apart = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1)
        assert np.allclose(apart, table, **close)
    if distance.potential is not None:
        pull = PairDistances(distance, values).potential(counts)
        assert pull is None or np.allclose(pull, table @ counts, **close)
    if distance.counted:  # many counts at once are many tables
        both = distance.among(values, np.stack([counts, counts + 1]))
        assert np.array_equal(both[0], table)
        assert np.array_equal(both[1], distance.among(values, counts + 1))


@every
def test_a_distance_says_what_it_takes(name: str) -> None:
    distance = DISTANCES[name]
    with pytest.raises(KindError, match="does not take 'wrong'"):
        find(f"{name}:wrong=3")
    with pytest.raises(KindError, match="circular:period=24"):
        find(f"{name}:3")
    if distance.parameters:
        with pytest.raises(KindError, match=f"needs {distance.parameters[0]}"):
            distance.among([1, 2])
        with pytest.raises(KindError, match="finite"):
            distance.with_(**{distance.parameters[0]: math.inf})
    if distance.of in {"numbers", "scale"}:
        with pytest.raises(KindError, match="no stated order"):
            ready(name).among(["low", "high"])
        assert ready(name).among(["low", "high"], ordered=True).shape == (2, 2)
        with pytest.raises(KindError, match="numbers, and 'x' is none"):
            ready(name).among([1, "x"])
    if distance.of == "sets":
        with pytest.raises(KindError, match="compares sets"):
            distance.among(["x", "y"])
    assert str(ready(name)).startswith(name)
    assert distance.doc


def test_a_distance_that_is_not_there_is_named_with_a_similar_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'interval'"):
        find("intervall")
    with pytest.raises(UnknownName, match="Did you mean 'quadratic'"):
        ia.alpha([(1, "a", 1), (1, "b", 2)], weights="quadratik")
    with pytest.raises(KindError, match="give one of them"):
        ia.alpha([(1, "a", 1), (1, "b", 2)], weights="linear", distance="interval")


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ([[0, 1]], "a row and a column for each value"),
        ([[0, 1], [2, 0]], "symmetric"),
        ([[1, 1], [1, 0]], "distance 0 from each value to itself"),
        ([[0, -1], [-1, 0]], "none below 0"),
        ([[0, math.nan], [math.nan, 0]], "finite"),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "is for 3 values, and the study has 2"),
    ],
)
def test_a_table_that_is_no_table_of_distances_is_refused(table: list[list[float]], wrong: str) -> None:
    with pytest.raises(KindError, match=wrong):
        ia.alpha([(1, "a", 1), (1, "b", 2)], distance=table)
