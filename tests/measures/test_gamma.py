"""Gamma and gamma-cat: published values, what does not matter, what the number means, and how sure it is."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.errors import KindError, UnknownName
from interagree.measures.gamma import gamma
from interagree.measures.gamma_cat import gamma_cat
from interagree.spans.alignment import align, gamma_k
from interagree.studies.shuffle import corpus, shuffle

Row = tuple[Any, str, Any]
FEW: dict[str, Any] = {"samples": 40}


def study(rows: list[Row], **more: Any) -> ia.Annotations:
    return ia.Annotations.of(rows, kind="spans", **more)


def reference(documents: int = 6, units: int = 10, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        f"d{k}": [
            [int(b), int(b + rng.integers(3, 12)), str(rng.choice(list("xyz")))]
            for b in np.sort(rng.choice(200, units, replace=False))
        ]
        for k in range(documents)
    }


def noisy(magnitude: float = 0.2, annotators: int = 3, **how: Any) -> list[Row]:
    made = corpus(reference(**how), magnitude, annotators=annotators, kind="spans")
    return [(i, a, [list(part) for part in v]) for i, a, v in made.rows()]


# Published

CASES = [
    "3by100",
    "additional_unit",
    "alex_paul_suzan",
    "alex_paul_suzan_alpha1",
    "alex_paul_suzan_docs_soft_params",
    "dkpro_01_two_annotators_simple",
    "dkpro_02_unequal_counts",
    "dkpro_03_identical_perfect",
    "dkpro_05_larger_two_annotators",
    "docs_quickstart",
    "liza_pierrot_hadrien_matrix_delta05",
    "mathet_figure10",
    "mathet_figure19_split",
    "one_unit_vs_empty_annotator",
    "paul_suzann_alex",
    "paul_suzann_alex_numerical",
    "single_unit_temp",
]
# Their chance is not ours: it counts a first gap from position 0, cuts at whole numbers, half as far apart, and starts
# from documents that are as long as from 0 on.  Both agree this far.
NEAR = {"shuffle": 0.04, "statistical": 0.03}
FAR = {
    "mathet_figure19_split": "five units, and chance all depends on where the document begins",
    "mathet_figure10": "the document begins at 4, and they take the gap for one",
    "additional_unit": "annotators who mark nothing",
    "dkpro_05_larger_two_annotators": "the gap they put in",
    "liza_pierrot_hadrien_matrix_delta05": "the document begins late",
}
# Of one unit that nobody else marked they find no disagreement of categories.
ALONE = {"one_unit_vs_empty_annotator"}


def published(name: str, shared: Path) -> tuple[ia.Annotations, dict[str, Any], dict[str, Any]]:
    case = json.loads((shared / "published" / "gamma" / f"{name}.json").read_text(encoding="utf-8"))
    told = case["params"]
    marked: dict[str, list[Any]] = {who: [] for who in told["annotators_without_units"]}
    for who, begin, end, label in case["units"]:
        marked.setdefault(who, []).append([begin, end, label])
    kinds = {"absolute": None, "numerical": "linear", "matrix": told["matrix"]}
    options = {name: told[name] for name in ("alpha", "beta")}
    options |= {"empty": told["delta_empty"], "categories": kinds[told["categorical"]]}
    if told["categorical"] == "matrix":
        options["order"] = sorted({label for *_, label in case["units"]})
    return study([("document", who, units) for who, units in marked.items()]), options, case


@pytest.mark.parametrize("name", CASES)
def test_published_disorders_and_gammas(name: str, shared: Path) -> None:
    made, options, case = published(name, shared)
    known = case["expected"]
    for sampler in ("shuffle", "statistical"):
        found = gamma(made, sampler=sampler, samples=30 if name == "3by100" else 600, **options)
        assert found.disagreement.observed == pytest.approx(known["observed_disorder"], abs=1e-9)
        theirs = known.get("gamma_statistical" if sampler == "statistical" else "gamma_shuffle_int_pivot")
        if theirs is not None and name not in FAR:
            assert found.value == pytest.approx(theirs["value"], abs=NEAR[sampler])
        told = case["published"].get("gamma", "")
        if sampler in told:  # such as "0.44..0.47 (shuffle sampler, precision .05)"
            low, _, high = told.split()[0].partition("..")
            assert float(low) <= found.value <= float(high)
        if told == "<= 0":
            assert found.value <= 0


@pytest.mark.parametrize("name", sorted(set(CASES) - ALONE))
def test_published_disorders_of_categories(name: str, shared: Path) -> None:
    made, options, case = published(name, shared)
    known = case["expected"].get("pygamma_gamma_cat_observed_disorder")
    found = gamma_cat(made, unaligned=True, samples=50, **options)
    assert found.disagreement.observed == pytest.approx(known, abs=1e-6)


def test_the_published_example_of_the_paper_s_software(shared: Path) -> None:
    made, options, _ = published("alex_paul_suzan", shared)
    assert 0.44 <= gamma(made, **options).value <= 0.47
    assert 0.36 <= gamma_cat(made, unaligned=True, sampler="statistical", **options).value <= 0.42
    each = gamma_cat(made, **options).details["by category"]
    assert each["1"] == each["5"] == 1


# By hand


def test_a_tiny_document_by_hand() -> None:
    # Both mark one unit of two possible places: [0, 10] and [5, 15], (5 + 5) / 20 squared.
    rows = [("d", "p", [[0, 10, "x"]]), ("d", "q", [[5, 15, "x"]])]
    found = gamma(study(rows), **FEW)
    assert found.disagreement.observed == pytest.approx(0.25)
    assert found.value == pytest.approx(1 - 0.25 / found.disagreement.expected)
    assert gamma(study(rows), alpha=2, **FEW).disagreement.observed == pytest.approx(0.5)
    assert gamma(study(rows), empty=3, **FEW).disagreement.observed == pytest.approx(0.75)
    other = [rows[0], ("d", "q", [[5, 15, "y"]])]
    assert gamma(study(other), beta=0.5, **FEW).disagreement.observed == pytest.approx(0.75)


def test_the_expected_disorder_of_one_unit_each_by_hand() -> None:
    # Two units of length 1 on a circle of 100, no nearer than 1: apart by t, in a line, and never nearer than (t)².
    # Aligned where t² < 2, alone else, at two for each.  Nearly all draws are alone, at 2 / 1 unit.
    rows = [("d", "p", [[0, 1, "x"]]), ("d", "q", [[0, 1, "x"]])]
    found = gamma(study(rows), length=100.0, samples=4_000)
    far = 1 - (2**0.5 - 1) / 49  # cuts 1 to 50 apart around the circle, evenly
    near = 2 - far - 1
    expected = 2 * far + near * ((2**0.5) ** 3 - 1) / 3 / (2**0.5 - 1)
    assert found.value == 1
    assert found.disagreement.expected == pytest.approx(expected, abs=0.01)


# What the number means


def test_annotators_who_never_differ_score_one() -> None:
    rows = [(i, who, v) for i, v in reference().items() for who in "abc"]
    found = gamma(study(rows), **FEW)
    assert found.value == 1
    assert found.disagreement.observed == 0
    assert found.standard_error() == 0
    assert 0 < found.interval().low < 1
    assert gamma_cat(study(rows), **FEW).value == 1


@pytest.mark.parametrize("sampler", ["shuffle", "statistical"])
def test_annotators_with_nothing_in_common_score_about_zero(sampler: str) -> None:
    rows = [(i, who, v) for k, who in enumerate("ab") for i, v in reference(20, 12, seed=k).items()]
    found = gamma(study(rows), sampler=sampler, samples=60, length=None)
    interval = found.interval(0.999)
    assert abs(found.value) < 0.12
    assert interval.low - 0.05 < 0 < interval.high + 0.05


def test_agreement_falls_as_noise_grows() -> None:
    values = [gamma(study(noisy(m)), **FEW).value for m in (0, 0.1, 0.3, 0.6)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1


def test_a_reference_can_be_shuffled() -> None:
    found = shuffle(
        reference(4), measures=[("gamma", {"samples": 30})], kind="spans", magnitudes=[0, 0.3, 1], repeats=2
    )
    (curve,) = found.curves
    assert curve.mean[0] == 1
    assert curve.mean[0] > curve.mean[1] > curve.mean[2]
    assert abs(curve.mean[2]) < 0.2


# What does not matter


def test_order_names_and_documents_nobody_looked_at_do_not_matter() -> None:
    rows = noisy()
    whole = gamma(study(rows), **FEW)
    mixed = random.Random(0).sample(rows, len(rows))
    assert gamma(study(mixed), **FEW).value == pytest.approx(whole.value, abs=1e-12)
    other = dict(zip(("A1", "A2", "A3"), "zyx", strict=True))
    named = [(f"text {i}", other.get(a, a), [[b, e, c.upper()] for b, e, c in v[::-1]]) for i, a, v in mixed]
    again = gamma(study(named), **FEW)
    assert again.value == pytest.approx(whole.value, abs=1e-12)
    assert again.standard_error() == pytest.approx(whole.standard_error(), abs=1e-12)
    more = gamma(study([*rows, ("further", "A1", [[3, 9, "x"]]), ("empty", "A1", []), ("empty", "A2", [])]), **FEW)
    assert more.value == pytest.approx(whole.value, abs=1e-12)
    assert more.n.items == whole.n.items
    assert any("1 item with one annotation was left out" in note for note in more.notes)
    assert any("nobody marked anything" in note for note in more.notes)


@pytest.mark.parametrize(("by", "scale"), [(1_000, 1), (-7.3, 1), (0, 0.001), (1e7, 60)])
def test_where_positions_start_and_their_unit_do_not_matter(by: float, scale: float) -> None:
    rows = noisy(documents=2)
    moved = [(i, a, [[b * scale + by, e * scale + by, c] for b, e, c in v]) for i, a, v in rows]
    for sampler in ("shuffle", "statistical"):
        one, two = (gamma(study(some), sampler=sampler, **FEW).value for some in (rows, moved))
        assert two == pytest.approx(one, abs=1e-6)


def test_every_document_twice_is_the_same_study() -> None:
    rows = noisy(documents=3)
    twice = rows + [((i, "again"), a, v) for i, a, v in rows]
    assert gamma(study(twice)).value == pytest.approx(gamma(study(rows)).value, abs=1e-12)


def test_a_seed_gives_the_same_draws() -> None:
    rows = noisy(documents=2)
    assert gamma(study(rows)).value == gamma(study(rows)).value
    assert gamma(study(rows)).value != gamma(study(rows), seed=1).value
    assert gamma(study(rows)).value == pytest.approx(gamma(study(rows), seed=1).value, abs=0.05)


def test_another_document_changes_nothing_of_the_first() -> None:
    rows = noisy(documents=3)
    some = [row for row in rows if row[0] != "d2"]
    whole, part = (gamma(study(one)).by_item().to_dict("agreement") for one in (rows, some))
    assert {name: whole[name] for name in part} == part


# How sure


def test_one_document_has_the_error_of_chance_and_says_so() -> None:
    found = gamma(study(noisy(documents=1)))
    interval = found.interval()
    assert interval.method == "chance"
    assert "one document" in interval.note
    assert interval.error == found.details["error that sampling chance adds"] == found.standard_error()
    assert found.p_value() is None
    assert interval.low < found.value < interval.high


def test_several_documents_are_what_varies() -> None:
    found = gamma(study(noisy(documents=12)), **FEW)
    ways = [found.interval(method=how) for how in ("auto", "jackknife", "bootstrap")]
    assert all(one.low < found.value < one.high for one in ways)
    errors = [one.error for one in ways]
    assert errors == pytest.approx([errors[0]] * 3, rel=0.4)
    assert found.details["error that sampling chance adds"] < errors[0]
    assert found.p_value() < 0.01


def test_documents_of_one_group_are_resampled_together() -> None:
    rows = noisy(documents=6)
    columns = dict(zip(("item", "annotator", "value"), map(list, zip(*rows, strict=True)), strict=True))
    groups = [int(item[1:]) // 2 for item in columns["item"]]
    found = gamma(ia.Annotations.of({**columns, "book": groups}, kind="spans"), **FEW)
    assert found.interval(cluster="book").df == 2
    assert found.standard_error(cluster="book", method="jackknife") > 0


def test_the_precision_that_is_wanted_is_had() -> None:
    made = study(noisy(documents=1, units=20))
    for precision in (0.05, 0.01):
        found = gamma(made, precision=precision)
        error = found.details["error of the expected disorder"] / found.disagreement.expected
        assert 1.96 * error <= precision * 1.05
        assert f"{found.details['samples']:,} draws" in " ".join(found.notes)
    rough = gamma(study([("d", "p", [[0, 1, "x"], [9, 10, "x"]]), ("d", "q", [[3, 4, "x"]])]), precision=0.001)
    assert any("are the most that are made" in note for note in rough.notes)


# Undefined


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "no annotations"),
        ([("d", "p", [[0, 4, "x"]])], "only one annotator"),
        ([("d", "p", [[0, 4, "x"]]), ("e", "q", [[0, 4, "x"]])], "no item has annotations by two"),
        ([("d", "p", []), ("d", "q", [])], "nobody marked anything"),
        ([("d", "p", [[0, 4, "x"]]), ("d", "q", [[0, 4, "x"]])], "chance would have given the same"),
    ],
)
def test_what_cannot_be_told_is_undefined_and_says_why(rows: list[Row], why: str) -> None:
    for measure in (gamma, gamma_cat):
        found = measure(study(rows), **FEW)
        assert math.isnan(found.value)
        assert why in found.undefined or (measure is gamma_cat and "same category" in found.undefined)
        assert found.interval() is None
        json.dumps(found.to_dict(), allow_nan=False)
        for table in (found.by_item, found.by_pair, found.by_annotator):
            assert str(table())


def test_a_whole_document_each_is_defined_where_its_length_is_known_or_categories_differ() -> None:
    same = [("d", who, [[0, 4, "x"]]) for who in "pq"]
    assert gamma(study(same), length=40.0, **FEW).value == 1
    other = [("d", "p", [[0, 4, "x"]]), ("d", "q", [[0, 4, "y"]])]
    found = gamma(study(other), **FEW)
    assert found.disagreement.observed == 1
    assert found.value < 0


def test_categories_that_are_all_the_same_say_nothing() -> None:
    rows = [("d", "p", [[0, 4, "x"], [8, 12, "x"]]), ("d", "q", [[0, 5, "x"], [8, 12, "x"]])]
    assert "same category" in gamma_cat(study(rows), **FEW).undefined
    apart = [("d", "p", [[0, 4, "x"]]), ("d", "q", [[90, 95, "y"]])]
    assert "no two units are aligned" in gamma_cat(study(apart), **FEW).undefined


# Where


def test_tables_are_of_parts_of_the_study() -> None:
    made = study(noisy(documents=3))
    found = gamma(made, **FEW)
    by_item = found.by_item()
    alone = gamma(made.only(items=["d1"]), **FEW)
    assert by_item.to_dict("agreement")["d1"] == pytest.approx(alone.value)
    assert by_item.to_dict("error of chance")["d1"] == pytest.approx(alone.standard_error())
    for row in found.by_pair():
        two = made.only(annotators=[row["first"], row["second"]])
        assert row["agreement"] == pytest.approx(gamma(two, **FEW).value)
    for row in found.by_annotator():
        assert row["left out"] == pytest.approx(gamma(made.without(row["annotator"]), **FEW).value)
        assert row["change"] == pytest.approx(row["left out"] - found.value)
    assert found.standard_error(random="annotators") > 0
    assert sum(found.by_annotator()["units"]) == found.details["units"]


def test_documents_weigh_by_units_or_all_the_same() -> None:
    rows = [*noisy(documents=1, units=20), *((f"e{i}", a, v) for i, a, v in noisy(0.6, documents=1, units=3))]
    by_units, alike = (gamma(study(rows), weigh=how, **FEW) for how in ("units", "documents"))
    table = by_units.by_item()
    assert alike.disagreement.observed == pytest.approx(np.mean(table["disagreement"]))
    assert by_units.disagreement.observed == pytest.approx(np.average(table["disagreement"], weights=table["units"]))


def test_one_category_and_all_of_them() -> None:
    made = study(noisy(documents=3))
    each = gamma_cat(made, **FEW).details["by category"]
    for label in "xyz":
        assert gamma_k(made, label, **FEW).value == pytest.approx(each[label])
    with pytest.raises(UnknownName, match="no unit is of the category 'w'"):
        gamma_cat(made, category="w")


def test_distances_of_categories_hold_for_parts_of_the_study() -> None:
    rows = [("d", "p", [[0, 4, "1"], [8, 12, "5"]]), ("d", "q", [[0, 5, "2"], [8, 12, "4"]]), ("d", "r", [[0, 4, "1"]])]
    found = gamma(study(rows), categories="linear", **FEW)
    assert found.options["categories"] == "linear"
    assert {row["first"] + row["second"] for row in found.by_pair()} == {"pq", "pr", "qr"}
    given = [[0, 0.1, 0.4, 1], [0.1, 0, 0.3, 0.5], [0.4, 0.3, 0, 0.2], [1, 0.5, 0.2, 0]]
    assert len(gamma(study(rows), categories=given, **FEW).by_annotator()) == 3


def test_an_alignment_can_be_looked_at() -> None:
    rows = [("d", "p", [[10, 14, "x"], [20, 25, "y"]]), ("d", "q", [[10, 14, "x"]]), ("d", "r", [])]
    found = align(study(rows))
    assert found.annotators == ("p", "q", "r")
    assert found.table()["p"] == ["10-14 x", "20-25 y"]
    assert found.table()["q"] == ["10-14 x", ""]
    assert found.table()["disorder"] == pytest.approx([2 / 3, 1])
    assert sum(found.costs()) == pytest.approx(found.alignment.cost)
    assert found.disorder == pytest.approx(gamma(study(rows), **FEW).disagreement.observed)
    assert "disorder 1.6667" in str(found)
    with pytest.raises(KindError, match="name one of"):
        align(study(noisy(documents=2)))
    with pytest.raises(UnknownName, match="no document 'e'"):
        align(study(rows), "e")
    with pytest.raises(KindError, match="nothing to align"):
        align(study([]))


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"sampler": "magic"}, "sampler= takes one of"),
        ({"weigh": "words"}, "weigh= takes one of"),
        ({"alpha": -1}, "alpha"),
        ({"empty": 0}, "empty"),
        ({"precision": 3}, "precision"),
        ({"samples": 1}, "samples"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(KindError, match=wrong):
        gamma(study(noisy(documents=1)), **options)


def test_a_document_alone_has_the_interval_of_sampling_chance() -> None:
    same = ((0, 4, "x"), (6, 9, "y"))
    rows = [("i", "a", same), ("i", "b", same), ("i", "c", same), ("i", "d", ((0, 4, "y"), (7, 9, "y")))]
    result = ia.gamma(ia.Annotations.of(rows))
    interval = result.interval()
    assert interval.method == "chance"
    assert interval.low < result.value < interval.high
