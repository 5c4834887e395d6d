"""Numbers without the biases of annotators."""

import numpy as np
import pytest

import interagree as ia
from interagree.crowd.number_consensus import debiased_mean
from interagree.data import Annotations
from interagree.errors import DataError, KindError


def numbers(seed=0, items=200, people=8, each=4):
    random = np.random.default_rng(seed)
    truth = random.normal(50, 10, items)
    bias = random.normal(0, 5, people)
    bias -= bias.mean()
    deviation = np.linspace(0.5, 8, people)
    rows = [
        (i, f"p{a}", float(truth[i] + bias[a] + random.normal(0, deviation[a])))
        for i in range(items)
        for a in random.choice(people, each, replace=False)
    ]
    return rows, truth, bias, deviation


def test_biases_and_deviations_are_found_again():
    rows, truth, bias, deviation = numbers()
    found = debiased_mean(rows)
    table = found.annotators().sort("annotator")
    for k in range(8):
        assert abs(table["bias"][k] - bias[k]) < 4 * table["error of bias"][k]
        assert abs(table["deviation"][k] - deviation[k]) < 4 * table["error of deviation"][k]
    assert sum(table["bias"]) == pytest.approx(0, abs=1e-9)
    mean = ia.crowd.merge(rows, how="mean")
    far = [np.sqrt(np.mean([(one.values[i] - t) ** 2 for i, t in enumerate(truth)])) for one in (found, mean)]
    assert far[0] < 0.5 * far[1]
    wide = np.array([abs(found.values[i] - t) for i, t in enumerate(truth)]) / found.error
    assert 0.85 < np.mean(wide < 1.96) <= 1


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_never_goes_down(seed):
    found = debiased_mean(numbers(seed, items=30)[0])
    assert np.all(np.diff(found.trace) >= -1e-9 * abs(found.trace[-1]))
    assert found.converged
    assert found.log_likelihood == found.trace[-1]


def test_order_of_rows_and_names_do_not_matter():
    rows, *_ = numbers(1, items=40)
    turned = [(i, f"{a}!", x) for i, a, x in reversed(rows)]
    assert debiased_mean(turned).values == pytest.approx(debiased_mean(rows).values, abs=1e-4)


def test_another_unit_gives_the_same_in_that_unit():
    rows, *_ = numbers(2, items=40)
    one, two = debiased_mean(rows), debiased_mean([(i, a, 1000 * x + 7) for i, a, x in rows])
    assert [1000 * x + 7 for x in one.values.values()] == pytest.approx([*two.values.values()], abs=1)
    assert 1000 * one.error == pytest.approx(two.error, rel=1e-3)


def test_it_is_the_mean_where_annotators_are_alike():
    rows = [
        (i, a, x) for i in range(50) for a, x in (("ann", i + 1.0), ("bo", i - 1.0), ("ann", i - 1.0), ("bo", i + 1.0))
    ]
    found = debiased_mean(Annotations.of(rows, duplicates="keep"))
    assert found.values == pytest.approx({i: float(i) for i in range(50)}, abs=1e-6)


def test_it_is_scored_shown_and_taken_like_other_consensus():
    rows, truth, *_ = numbers(3, items=30)
    found = debiased_mean(rows)
    assert float(found.score(dict(enumerate(truth.tolist())))) > 0
    assert [*found.table().columns] == ["item", "value", "annotations", "distance", "confidence", "error"]
    assert {item: value for item, _, value in found.to_annotations().rows()} == found.values
    assert found.confidence().shape == (30,)


def test_without_two_annotators_numbers_are_taken_as_they_are():
    found = debiased_mean([(1, "ann", 3.0), (2, "ann", 5.0)])
    assert found.values == pytest.approx({1: 3.0, 2: 5.0})
    assert any("biases cannot be estimated" in note for note in found.notes)
    assert debiased_mean([(1, "ann", 3.0), (1, "bo", 3.0)]).values == pytest.approx({1: 3.0})


@pytest.mark.parametrize(
    ("study", "kind", "complaint"),
    [
        (Annotations.of([(1, "a", "x"), (1, "b", "y")]), KindError, "takes numbers, and these are labels"),
        (
            Annotations.of([(1, "a", "lo"), (1, "b", "hi")], values=["lo", "hi"], ordered=True),
            KindError,
            "declare numbers for the steps",
        ),
        (Annotations.from_counts([[1, 2]], values=[1, 2]), KindError, "must know who gave which value"),
        (Annotations.from_columns([], [], []), DataError, "no annotations"),
    ],
)
def test_what_is_no_number_is_refused(study, kind, complaint):
    with pytest.raises(kind, match=complaint):
        debiased_mean(study)
