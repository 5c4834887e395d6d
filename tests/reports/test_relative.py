"""Distances without an upper end are shown in units of chance, in every table that people see."""

import math
import re

import numpy as np
import pytest

import interagree as ia
from interagree.distances import find
from interagree.plugins import DISTANCES, KINDS, MEASURES
from interagree.reports import coefficients
from interagree.results.chance import BY_CHANCE, OF_CHANCE, chance_of, relative
from interagree.results.document import render
from interagree.tables import Table

PEOPLE = "abcd"
GROUPS = {"a": "old", "b": "old", "c": "new", "d": "new"}
NOT_OF_TWO_VALUES = {
    "embedding": "needs a function that embeds texts",
    "ordinal": "depends on how often values occur",
    "l2": "needs to know what a box without a counterpart costs",
}


def usable(name):
    try:
        distance = find(name)
    except ia.errors.InteragreeError:  # one that needs an option
        return False
    return not distance.bounded and not distance.equality and name not in NOT_OF_TWO_VALUES


UNBOUNDED = [name for name in DISTANCES if usable(name)]


def study_of(name, items=12):
    """A study of values that the distance is for, on which annotators agree more often than by chance."""
    of = find(name).of.split()[0]
    kind = {"numbers": "numbers", "scale": "ordered"}.get(of, of)
    values = [*KINDS[kind].examples]
    rng = np.random.default_rng(1)
    rows = []
    for item in range(items):
        for who in PEOPLE:
            right = rng.random() < (0.3 if who == "d" else 0.8)
            rows.append((f"i{item}", who, values[item % len(values) if right else int(rng.integers(len(values)))]))
    return ia.Annotations.of(rows, **({"values": values, "ordered": True} if kind == "ordered" else {"kind": kind}))


ANSWERS = {
    "report": lambda study, distance: ia.report(study, distance=distance),
    "coefficients": lambda study, distance: coefficients(
        study, measures=["alpha"], distance=distance, by=["item", "annotator", "pair"]
    ),
    "coefficient": lambda study, distance: ia.alpha(study, distance=distance),
    "annotators": lambda study, distance: ia.annotators(study, distance=distance),
    "disagreements": lambda study, distance: ia.disagreements(study, distance=distance),
    "wawa": lambda study, distance: ia.people.wawa(study, distance=distance),
    "consensus": lambda study, distance: ia.crowd.medoid(study, distance=distance),
    "noise_ceiling": lambda study, distance: ia.judging.noise_ceiling(study, models=["d"], distance=distance),
    "groups": lambda study, distance: ia.people.groups_agreement(study, groups=GROUPS, distance=distance, resamples=50),
}


def in_another_unit(name, unit):
    """A distance of the registry times a number, as a function of one's own."""
    distance = find(name)

    def far(a, b):
        return unit * distance(a, b)

    return far


def shown(answer):
    """What people see, without what chance itself is, which a note may name."""
    text = render(answer.document(), "text")
    return re.sub(r"what chance gives \([^)]*\)", "what chance gives", text)


@pytest.mark.parametrize("what", ANSWERS)
@pytest.mark.parametrize("name", UNBOUNDED)
def test_no_table_depends_on_the_unit_of_a_distance(name, what):
    study = study_of(name)
    plain, other = (shown(ANSWERS[what](study, in_another_unit(name, unit))) for unit in (1.0, 1024.0))
    assert plain == other


def test_some_distance_of_the_registry_has_no_upper_end():
    assert {"interval", "euclidean", "ted", "levenshtein_raw"} <= {*UNBOUNDED}


def test_numbers_in_other_units_have_the_same_queue_and_consensus():
    def printed(unit):
        rng = np.random.default_rng(5)
        truth = rng.integers(10, 90, 30)
        rows = [(i, who, float(truth[i] + rng.integers(-6, 7)) * unit) for i in range(30) for who in "abc"]
        study = ia.Annotations.of(rows, kind="numbers")
        gold = {i: float(truth[i]) * unit for i in range(30)}
        queue, consensus = ia.disagreements(study), ia.consensus(study)
        return (
            queue.document().sections[1].table.without("labels"),
            consensus.document(gold=gold).sections[1],
            str(consensus),
            str(ia.people.wawa(study)),
        )

    (queue, score, consensus, wawa), other = printed(1), printed(1000)
    assert "disagreement / chance" in queue.columns
    for name in ("worth", "disagreement / chance", "gap", "difficulty"):
        assert other[0][name] == pytest.approx(queue[name])
    assert score.table["distance / chance"] == pytest.approx(other[1].table["distance / chance"])
    assert consensus == other[2]
    assert consensus.endswith("(1 is chance)")
    assert wawa == other[3]


def test_data_keep_distances_as_they_are():
    numbers = {"x": [10.0, 20.0, 30.0, 55.5], "y": [12.0, 21.0, 30.5, 50.0], "z": [10.5, 22.0, 33.0, 52.0]}
    study = ia.Annotations.of([(i, who, v) for who, row in numbers.items() for i, v in enumerate(row)], kind="numbers")
    result = ia.alpha(study, distance="interval")
    report = ia.report(study)
    (part,) = report.to_dict()["studies"]
    assert part["results"][0]["disagreement"]["expected"] == result.disagreement.expected > 100
    assert part["chance"] == result.disagreement.expected
    assert [row["disagreement"] for row in part["by_item"]] == [*result.by_item()["disagreement"]]
    assert report.tables()["coefficients"]["expected"][0] == result.disagreement.expected
    shown_table = next(section.table for section in report.document().sections if section.title == "Coefficients")
    assert "observed" not in shown_table.columns
    queue = ia.disagreements(study)
    shown_first = queue.document().sections[1].table["disagreement / chance"][0]
    assert queue.table()["disagreement"][0] == pytest.approx(shown_first * queue.chance)
    people = ia.annotators(study)
    assert people.table()["distance"][0] > 1
    assert people.chance == pytest.approx(
        ia.judging.noise_ceiling(study, raw=True).value.value / ia.judging.noise_ceiling(study).value.value
    )


def test_items_average_to_one_minus_the_coefficient():
    rng = np.random.default_rng(0)
    truth = rng.normal(0, 10, 60)
    numbers = {who: (truth + rng.normal(0, 4, 60)).round(1).tolist() for who in "abc"}
    rows = [(i, who, number) for who, column in numbers.items() for i, number in enumerate(column)]
    study = ia.Annotations.of(rows, kind="numbers")
    for result in (ia.icc(study), ia.kendall_w(study), ia.alpha(study, distance="interval")):
        items = np.array(result.by_item()["disagreement"]) / chance_of(result)
        assert 1 - items.mean() == pytest.approx(result.value)


@pytest.mark.parametrize("name", [name for name in MEASURES if MEASURES[name].facts.values == "any"])
def test_bounded_disagreements_stay_and_say_what_1_is(name):
    study = ia.Annotations.of(
        [(i, who, "xyz"[(i + (who == "b") * (i % 2)) % 3]) for i in range(9) for who in "ab"], kind="labels"
    )
    if MEASURES[name].facts.values == "any" and name == "f_score":
        study = study.versus_rest("x")
    result = MEASURES[name](study)
    assert chance_of(result) is None
    table = relative(result.by_item(), chance_of(result))
    assert table["disagreement"] == result.by_item()["disagreement"]
    assert "disagreement: 0 is the same, 1 as far apart as can be" in table.foot


def test_columns_that_belong_to_a_distance_are_divided_with_it():
    table = Table({"who": ["a", "b"], "distance": [8.0, math.nan], "low": [6.0, 2.0], "n": [4, 4]}, foot="so")
    made = relative(table, 4.0, ("distance",), along=("low",))
    assert [*made.columns] == ["who", f"distance{BY_CHANCE}", "low", "n"]
    assert made["distance / chance"][0] == 2.0
    assert made["low"] == [1.5, 0.5]
    assert made["n"] == [4, 4]
    assert made.foot == f"so; {OF_CHANCE}"
    assert relative(table, 4.0, ("other",)) is table


def test_ranks_of_many_annotations_are_not_printed_as_squares():
    rows = [(i, who, (i + (who == "b") * (i % 7 == 0)) % 5 + 1) for i in range(500) for who in "abc"]
    study = ia.Annotations.of(rows, values=[1, 2, 3, 4, 5], ordered=True)
    assert ia.alpha(study, distance="ordinal").disagreement.expected > 1e5
    for answer in (ia.report(study), coefficients(study, by=["item", "pair", "annotator"]), ia.disagreements(study)):
        tables = [section.table for section in answer.document().sections if section.table is not None]
        numbers = [entry for table in tables for column in table.columns.values() for entry in column]
        assert all(abs(entry) <= 20 for entry in numbers if isinstance(entry, float) and not math.isnan(entry))
