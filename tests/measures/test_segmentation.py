"""Pk, WindowDiff, S, B, pi and kappa: against published values and against their definitions, spelled out."""

from __future__ import annotations

import itertools
import json
import math
import random
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.errors import DataError, KindError, UnknownName
from interagree.kernels import segments as kernels
from interagree.plugins import KINDS, MEASURES
from interagree.reference.segments import documents_of, pooled

pk, window_diff = MEASURES["pk"], MEASURES["window_diff"]
boundary_similarity, segmentation_similarity = (MEASURES["boundary_similarity"], MEASURES["segmentation_similarity"])
boundary_pi, boundary_kappa = MEASURES["boundary_pi"], MEASURES["boundary_kappa"]
ALL = (pk, window_diff, boundary_similarity, segmentation_similarity, boundary_pi, boundary_kappa)
PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "published" / "segmentation.toml").read_text(encoding="utf-8"))

each = pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.facts.name)


def study_of(documents):
    """A study from documents by name, each with a segmentation by annotator."""
    rows = [(name, who, value) for name, cut in documents.items() for who, value in cut.items()]
    return ia.Annotations.of(rows, kind="segments")


def two(first, second):
    return study_of({"d": {"a": first, "b": second}})


def masses(spelled):
    return list(map(int, spelled.split()))


def near(value):
    return pytest.approx(value, abs=1e-12)


# Published values


@pytest.mark.parametrize("paper", PUBLISHED["study"], ids=lambda paper: paper["name"])
def test_published_studies(paper):
    study = study_of(
        {name: {who: masses(cut) for who, cut in cuts.items()} for name, cuts in paper["documents"].items()}
    )
    pi, kappa = boundary_pi(study), boundary_kappa(study)
    assert pi.value == near(paper["boundary_pi"])
    assert kappa.value == near(paper["boundary_kappa"])
    for found in (pi, kappa):
        assert found.details["bias"] == near(paper["bias"])
        assert found.details["actual agreement"] == near(paper["actual"])
        assert found.observed_agreement == near(paper["actual"])
    assert boundary_similarity(study).details["pooled"] == near(paper["actual"])
    if "pk" not in paper:
        return
    for measure in (boundary_similarity, segmentation_similarity):
        assert measure(study).value == near(paper[measure.facts.name])
        assert measure(study).details["comparisons"] == paper["pairs"]
    for measure, letter in ((pk, "Pk"), (window_diff, "WindowDiff")):
        found = measure(study)
        assert found.disagreement.observed == near(paper[measure.facts.name])
        assert found.details[letter] == near(paper[measure.facts.name])
        assert found.details["comparisons"] == 2 * paper["pairs"]


@pytest.mark.parametrize("case", PUBLISHED["pair"], ids=lambda case: f"{case['reference']} / {case['other']}")
def test_published_pairs(case):
    study = study_of({"d": {"reference": masses(case["reference"]), "other": masses(case["other"])}})
    for place, window in enumerate((None, 2, 3)):
        how = {"window": window, "against": "reference"}
        assert pk(study, **how).disagreement.observed == near(case["pk"][place])
        assert window_diff(study, **how).disagreement.observed == near(case["window_diff"][place])
        corrected = window_diff(study, lamprier=True, **how)
        assert corrected.disagreement.observed == near(case["lamprier"][place])
    assert pk(study, against="reference").details["windows"] == [case["window"]]
    for place, how_near in enumerate((2, 3)):
        for measure in (boundary_similarity, segmentation_similarity):
            assert measure(study, near=how_near).value == near(case[measure.facts.name][place])


@pytest.mark.parametrize("case", PUBLISHED["hypothesis"], ids=lambda case: case["segments"])
def test_published_hypotheses(case):
    (readers,) = PUBLISHED["study"][0]["documents"].values()
    for place, reader in enumerate(readers.values()):
        study = study_of({"d": {"reader": masses(reader), "machine": masses(case["segments"])}})
        assert boundary_similarity(study).value == near(case["boundary_similarity"][place])
        for measure in (pk, window_diff):
            found = measure(study, against="reader")
            assert found.disagreement.observed == near(case[measure.facts.name][place])


def test_published_types_of_boundary():
    case = PUBLISHED["types"]
    study = two(case["first"], case["second"])
    found = boundary_similarity(study)
    assert found.value == near(case["boundary_similarity"])
    assert found.details["additions"] == case["additions"]
    assert found.details["substitutions"] == case["substitutions"]
    assert found.details["near misses"] == case["near_misses"]
    # As published, the denominator has the three types once; segeval has them twice.
    edits = Fraction(2) + Fraction(1, 3) + Fraction(1, 2)
    assert segmentation_similarity(study).value == near(float(1 - edits / 30))
    assert case["segmentation_similarity_of_segeval"] == near(float(1 - edits / 90))
    assert boundary_similarity(study, types="nominal").value == near(float(1 - Fraction(7, 2) / 4))


# Definitions


def some_cut(rng, length, rate=0.3):
    ends = [place for place in range(1, length) if rng.random() < rate]
    return [b - a for a, b in itertools.pairwise([0, *ends, length])]


def some_types(rng, length, kinds=(1, 2, 4)):
    return [[kind for kind in kinds if rng.random() < 0.25] for _ in range(length - 1)]


def some_documents(rng, make, *, documents=4, people="abc", gaps=0.2, least=2):
    found = {}
    for name in range(documents):
        length = rng.randint(least, 14)
        found[f"d{name}"] = {who: make(rng, length) for who in people if rng.random() >= gaps}
    return found


def rows_of(documents):
    return [(name, who, value) for name, cut in documents.items() for who, value in cut.items()]


def same(found, wanted):
    return (math.isnan(found) and math.isnan(wanted)) or math.isclose(found, wanted, abs_tol=1e-12)


def agrees(result, wanted):
    if wanted is None:
        assert result.undefined is not None
        assert math.isnan(result.value)
    else:
        assert result.value == near(float(wanted))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("make", [some_cut, some_types], ids=["lengths", "types"])
def test_windows_by_definition(seed, make):
    rng = random.Random(seed)
    documents = some_documents(rng, make)
    study = study_of(documents)
    for measure, definition in ((pk, reference.pk), (window_diff, reference.window_diff)):
        for window in (None, 1, 4):
            agrees(measure(study, window=window), definition(rows_of(documents), window=window))


@pytest.mark.parametrize("seed", range(30))
def test_padded_windows_by_definition(seed):
    rng = random.Random(seed)
    documents = {"d": {who: some_cut(rng, 15) for who in "ab"}}
    for how in ({"against": "a"}, {"against": "b", "window": 3}, {}):
        wanted = reference.window_diff(rows_of(documents), lamprier=True, **how)
        agrees(window_diff(study_of(documents), lamprier=True, **how), wanted)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("make", [some_cut, some_types], ids=["lengths", "types"])
@pytest.mark.parametrize("types", ["auto", "nominal"])
def test_similarities_by_definition(seed, make, types):
    rng = random.Random(seed)
    documents = some_documents(rng, make)
    study = study_of(documents)
    for reach in (1, 2, 3, 4):
        how = {"near": reach, "types": types}
        agrees(boundary_similarity(study, **how), reference.boundary_similarity(rows_of(documents), **how))
        agrees(segmentation_similarity(study, **how), reference.segmentation_similarity(rows_of(documents), **how))


@pytest.mark.parametrize("make", [some_cut, some_types], ids=["lengths", "types"])
@pytest.mark.parametrize("seed", range(20))
def test_chance_by_definition(seed, make):
    documents = some_documents(random.Random(seed), make, documents=5)
    study, rows = study_of(documents), rows_of(documents)
    pi, kappa = boundary_pi(study), boundary_kappa(study)
    agrees(pi, reference.boundary_pi(rows))
    agrees(kappa, reference.boundary_kappa(rows))
    if pi.undefined is None:
        seen = 1 - pooled(documents_of(rows), 2, "auto")
        assert pi.observed_agreement == kappa.observed_agreement == near(float(seen))
        assert pi.details["bias"] == near(pi.expected_agreement - kappa.expected_agreement)
        assert pi.details == kappa.details


@pytest.mark.parametrize("make", [some_cut, some_types], ids=["lengths", "types"])
def test_the_compiled_loop_is_the_plain_one(make):
    rng = random.Random(1)
    values = [ia.data.values.plain(make(rng, 40)) for _ in range(30)]
    packed = KINDS["segments"].packed(values)
    pairs = np.array(list(itertools.combinations(range(30), 2))).T
    for reach in (0.0, 4.0):
        given = (packed.start, packed.at, packed.type, pairs, 4, np.array([1.0, 2.0, 4.0]), reach)
        np.testing.assert_allclose(kernels.edits.fast(*given), kernels.edits.plain(*given), atol=1e-12)


def test_a_long_document_takes_no_room():
    cuts = [{"boundaries": [place], "length": 10**9} for place in (10**8, 10**8 + 5)]
    found = window_diff(two(*cuts), window=100)
    assert found.disagreement.observed * (10**9 - 100) == pytest.approx(10)
    assert pk(two(*cuts), window=100).value == found.value


# What holds of all of them


@each
def test_the_same_cuts_are_full_agreement(measure):
    study = study_of({name: dict.fromkeys("abc", cut) for name, cut in (("d", [2, 3, 6]), ("e", [4, 4]))})
    found = measure(study)
    assert found.value == near(1)
    assert found.disagreement.observed == near(0)
    interval = found.interval()
    assert interval.low <= 1 == interval.high


@each
@pytest.mark.parametrize("seed", range(5))
def test_order_and_names_do_not_matter(measure, seed):
    rng = random.Random(seed)
    documents = some_documents(rng, some_types, documents=6, gaps=0.1)
    rows = study_of(documents).rows()
    here = measure(study_of(documents))
    mixed = [(("x", item), f"~{who}", [there[::-1] for there in value]) for item, who, value in rows]
    there = measure(ia.Annotations.of(rng.sample(mixed, len(mixed)), kind="segments"))
    assert same(here.value, there.value)
    assert here.standard_error() == pytest.approx(there.standard_error(), nan_ok=True)
    swapped = [(item, {"a": "c", "c": "a"}.get(who, who), value) for item, who, value in rows]
    assert same(here.value, measure(ia.Annotations.of(swapped, kind="segments")).value)
    renamed = [(i, w, [["xyz"[(1, 2, 4).index(kind)] for kind in t] for t in v]) for i, w, v in rows]
    letters = measure(ia.Annotations.of(renamed, kind="segments"))
    if measure in {pk, window_diff}:
        assert same(here.value, letters.value)
    else:
        assert same(measure(study_of(documents), types="nominal").value, letters.value)


@each
def test_every_document_twice_is_the_same_study(measure):
    documents = some_documents(random.Random(3), some_cut)
    twice = {(name, copy): cuts for name, cuts in documents.items() for copy in range(2)}
    assert same(measure(study_of(documents)).value, measure(study_of(twice)).value)


@each
@pytest.mark.parametrize("seed", range(3))
def test_leaving_a_document_out_is_the_study_without_it(measure, seed):
    study = study_of(some_documents(random.Random(seed), some_cut, documents=6, gaps=0.1, least=6))
    found = measure(study)
    left = found.engine.left_out()
    used = [study.items[item] for item in found.engine.statistic.item]
    for name, value in zip(used, left, strict=True):
        rest = study.only(items=[other for other in study.items if other != name])
        assert same(value, measure(rest).value)


@each
@pytest.mark.parametrize("method", ["auto", "jackknife", "bootstrap"])
def test_intervals_are_in_order_and_hold_the_value(measure, method):
    study = study_of(some_documents(random.Random(5), some_cut, documents=12, gaps=0.1, least=6))
    found = measure(study)
    interval = found.interval(method=method, resamples=200)
    low, high = measure.facts.range
    assert low <= interval.low <= found.value <= interval.high <= high
    json.dumps(found.to_dict(), allow_nan=False)


@each
def test_documents_of_one_book_are_resampled_together(measure):
    documents = some_documents(random.Random(5), some_cut, documents=12, gaps=0.1, least=6)
    rows = [
        {"item": name, "annotator": who, "value": cut, "book": int(name[1:]) % 4}
        for name, cuts in documents.items()
        for who, cut in cuts.items()
    ]
    found = measure(ia.Annotations.of(rows, kind="segments"))
    error = found.standard_error(cluster="book")
    assert error > 0
    assert error != pytest.approx(found.standard_error())


@each
def test_tables(measure):
    study = study_of(some_documents(random.Random(7), some_cut, documents=8, gaps=0.1, least=6))
    found = measure(study)
    by_item, by_pair, by_annotator = found.by_item(), found.by_pair(), found.by_annotator()
    assert len(by_pair) == 3
    for row in by_pair:
        alone = study.only(annotators=[row["first"], row["second"]])
        assert same(row["agreement"], measure(alone).value)
    for row in by_annotator:
        assert same(row["left out"], measure(study.without(row["annotator"])).value)
        assert same(row["change"], row["left out"] - found.value)
    for row in by_item:
        alone = measure(study.only(items=[row["item"]]))
        assert same(row["disagreement"], alone.disagreement.observed)
        assert row["units"] == sum(study.only(items=[row["item"]]).rows()[0][2])
    with pytest.raises(KindError, match="by value"):
        found.by_value()


@pytest.mark.parametrize("measure", [boundary_similarity, segmentation_similarity])
@pytest.mark.parametrize("reach", [1, 2, 3, 5])
def test_a_boundary_further_away_never_scores_better(measure, reach):
    for fixed in ([], [30]):
        values = [
            measure(two(cut_at([10, *fixed], 40), cut_at([10 + far, *fixed], 40)), near=reach).value
            for far in range(19)
        ]
        assert all(a >= b for a, b in itertools.pairwise(values))
        assert values[0] == 1
        assert len(set(values[reach:])) == 1


def cut_at(ends, length):
    return [b - a for a, b in itertools.pairwise([0, *ends, length])]


def test_exact_fractions():
    study = two([5, 3, 5], [5, 4, 4])
    assert boundary_similarity(study).value == 3 / 4
    assert boundary_similarity(study, near=1).value == near(1 / 3)
    assert segmentation_similarity(study).value == near(23 / 24)
    assert pk(study, against="a").disagreement.observed == 2 / 11


# What is not there


def test_documents_that_nobody_cut():
    study = study_of({"d": {"a": [2, 3], "b": [2, 3]}, "e": {"a": [5], "b": [5]}})
    found = boundary_similarity(study)
    assert (found.value, found.n.items) == (1, 1)
    assert "1 comparison of segmentations without a boundary was left out" in found.notes
    full = boundary_similarity(study, empty=0.5)
    assert (full.value, full.n.items) == (0.75, 2)
    assert "1 comparison of segmentations without a boundary counts as 0.5" in full.notes
    assert segmentation_similarity(study).value == 1
    assert pk(study).n.items == 2
    pi = boundary_pi(study)
    assert "1 document in which nobody put a boundary counts towards chance alone" in pi.notes
    assert pi.expected_agreement == near((0.25 / 2) ** 2)


def test_nobody_cut_anything():
    study = two([5], [5])
    for measure in (boundary_similarity, boundary_pi, boundary_kappa):
        assert measure(study).undefined.startswith("nobody put a boundary anywhere")
        assert math.isnan(measure(study).value)
    assert boundary_similarity(study, empty=1.0).value == 1
    for measure in (segmentation_similarity, pk, window_diff):
        assert measure(study).value == 1


def test_a_boundary_at_every_place_leaves_chance_nothing():
    for measure in (boundary_pi, boundary_kappa):
        assert "chance could not have disagreed" in measure(two([1, 1, 1], [1, 1, 1])).undefined


@each
def test_documents_of_one_unit_cannot_be_cut(measure):
    assert measure(two([1], [1])).undefined == "all documents are of one unit, which cannot be cut"
    study = study_of({"d": {"a": [1], "b": [1]}, "e": {"a": [3, 4], "b": [4, 3]}})
    found = measure(study)
    assert found.n.items == 1
    assert "1 document of one unit left out" in found.notes


def test_documents_shorter_than_a_window():
    assert "no document is longer than a window" in pk(two([2], [1, 1])).undefined
    assert pk(two([2], [1, 1]), window=1).value == 0
    assert window_diff(two([2], [1, 1]), lamprier=True).disagreement.observed == 2 / 5
    study = study_of({"d": {"a": [2], "b": [1, 1]}, "e": {"a": [3, 4], "b": [4, 3]}})
    found = window_diff(study)
    assert found.n.items == 1
    assert "2 comparisons were left out, of documents not longer than the window" in found.notes


@each
def test_nothing_to_compare(measure):
    assert measure(ia.Annotations.of([], kind="segments")).undefined == "there are no annotations"
    alone = study_of({"d": {"a": [2, 3]}, "e": {"a": [5]}})
    assert measure(alone).undefined.startswith("there is only one annotator")
    apart = study_of({"d": {"a": [2, 3]}, "e": {"b": [5]}})
    assert measure(apart).undefined.startswith("no item has annotations by two annotators")


@each
def test_lengths_that_differ_are_named(measure):
    study = study_of({"d": {"a": [2, 3], "b": [5]}, "e": {"a": [2, 3], "b": [2, 4]}})
    with pytest.raises(DataError, match=r"those of 'e' have different numbers of them \('a' 5, 'b' 6\)"):
        measure(study)


@each
def test_a_value_that_is_none_is_named(measure):
    rows = [("d", "a", "x"), ("d", "b", "y")]
    with pytest.raises(KindError, match="it is not a list"):
        measure(ia.Annotations.of(rows))


# Options


def test_the_reference_may_be_one_annotator():
    study = study_of({"d": {"gold": [6, 6], "a": [6, 6], "b": [12]}})
    found = pk(study, against="gold")
    assert found.details["comparisons"] == 2
    assert [(row["first"], row["second"], row["agreement"]) for row in found.by_pair()] == [
        ("gold", "a", 1.0),
        ("gold", "b", pk(study.only(annotators=["gold", "b"]), against="gold").value),
    ]
    assert math.isnan(found.by_annotator().to_dict("left out")["gold"])
    with pytest.raises(UnknownName, match="nobody"):
        pk(study, against="nobody")


def test_one_type_of_boundary_alone():
    cuts = {
        "a": {"boundaries": {"topic": [2], "mood": [4]}, "length": 8},
        "b": {"boundaries": {"topic": [2], "mood": [6]}, "length": 8},
    }
    study = study_of({"d": cuts})
    for measure in (pk, window_diff, boundary_similarity, segmentation_similarity):
        assert measure(study, only="topic").value == 1
        assert measure(study, only="mood").value < 1
        with pytest.raises(UnknownName, match="no boundary is of the type 'topik'"):
            measure(study, only="topik")
    assert "boundaries of 2 types were not told apart; only= takes one type" in pk(study).notes
    assert any("costs 1" in note for note in boundary_similarity(study).notes)


def test_windows_are_said():
    found = pk(study_of({"d": {"a": [6, 6], "b": [12]}}))
    assert "windows of 3 to 6 units" in found.notes
    assert found.details["windows"] == [3, 6]
    assert found.by_item().to_dict("window") == {"d": "3-6"}


@pytest.mark.parametrize(
    ("measure", "how", "said"),
    [
        (pk, {"window": 0}, "window= takes a whole number from 1 up, not 0"),
        (window_diff, {"window": 2.5}, "window= takes a whole number from 1 up, not 2.5"),
        (boundary_similarity, {"near": 0}, "near= takes a whole number from 1 up"),
        (boundary_similarity, {"empty": 2}, "empty is a similarity between 0 and 1"),
        (boundary_pi, {"types": "some"}, "types= takes one of 'auto', 'ordinal', 'nominal', not 'some'"),
    ],
)
def test_options_that_make_no_sense(measure, how, said):
    with pytest.raises(KindError, match=said):
        measure(two([2, 3], [3, 2]), **how)


def test_types_without_a_number_have_no_order():
    with pytest.raises(KindError, match="types='ordinal' needs types that are whole numbers, and one is 'x'"):
        boundary_similarity(two([["x"], []], [[], [1]]), types="ordinal")


def test_who_gave_what_must_be_known():
    counts = ia.Annotations.from_counts([[2, 0]], values=[(2, 3), (5,)])
    with pytest.raises(KindError, match="needs to know who gave which value"):
        pk(counts)
