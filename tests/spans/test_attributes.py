"""Attributes on matched spans: against matchings found by trying all of them, by hand, and what must hold."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree import Annotations
from interagree.errors import KindError, UnknownName
from interagree.measures.span_f1 import span_f1
from interagree.plugins import MEASURES
from interagree.spans.attributes import attribute_agreement


def said(begin: int, end: int, label: str | None = "x", **features: str) -> dict[str, Any]:
    return {"start": begin, "end": end, "label": label, "features": features}


BY_HAND = [
    ("d1", "ann", [said(0, 3, "P", sure="yes"), said(5, 8, "O", sure="no"), said(10, 12, "P")]),
    ("d1", "bo", [said(0, 3, "P", sure="yes"), said(5, 9, "P", sure="no"), said(20, 22, "P", sure="no")]),
    ("d2", "ann", [said(1, 3, "O", sure="no")]),
    ("d2", "bo", [said(1, 4, "O")]),
    ("d3", "ann", []),
    ("d3", "bo", []),
]


def test_labels_of_matched_spans_by_hand() -> None:
    study = Annotations.of(BY_HAND, kind="spans")
    found = attribute_agreement(study)
    # Three matched pairs: P P, O P, O O; of six values three are P and three are O.
    assert found.value == pytest.approx(float(1 - Fraction(1, 3) / Fraction(18, 30)))
    assert found.details["coverage"] == pytest.approx(6 / 8)
    assert found.notes[0] == ("coverage 0.750: 6 of 8 spans were matched (overlap), counted for every two annotators")
    # Cohen: ann said P O O, bo said P P O.
    kappa = attribute_agreement(study, coefficient="cohen_kappa")
    assert kappa.value == pytest.approx(float((Fraction(2, 3) - Fraction(4, 9)) / (1 - Fraction(4, 9))))
    assert list(found.by_item()["item"]) == ["d1: 0-3", "d1: 5-8 ~ 5-9", "d2: 1-3 ~ 1-4"]
    assert attribute_agreement(study, match="exact").details["matched pairs of spans"] == 1


def test_another_feature_and_spans_that_lack_it() -> None:
    study = Annotations.of(BY_HAND, kind="spans")
    found = attribute_agreement(study, "sure", coefficient="percent")
    assert found.value == 1
    assert found.n.items == 2
    assert found.details["spans without a value"] == 1
    assert "1 of 6 matched spans has no 'sure' and was left out; missing=… gives them a value" in found.notes
    filled = attribute_agreement(study, "sure", coefficient="percent", missing="yes")
    assert filled.value == pytest.approx(2 / 3)
    assert filled.details["spans without a value"] == 0


def test_coverage_is_the_f1_of_the_matching() -> None:
    for seed in range(10):
        study = random_study(random.Random(seed))
        for match in ("overlap", "exact", "iou>=0.5", "within:1"):
            found = attribute_agreement(study, match=match)
            expected = span_f1(study, match=match, same_label=False).value
            assert found.details["coverage"] == pytest.approx(expected, abs=1e-6)


# -- all matchings -------------------------------------------------------------------------------------------


def some_spans(rng: random.Random, most: int = 4) -> list[dict[str, Any]]:
    found = []
    for _ in range(rng.randrange(most + 1)):
        begin = rng.randrange(8)
        found.append(said(begin, begin + rng.randrange(1, 4), rng.choice("xyz"), sure=rng.choice(["yes", "no"])))
    return found


def random_rows(rng: random.Random, people: str = "ab", documents: int = 3) -> list[tuple[str, str, Any]]:
    return [(f"d{k}", who, some_spans(rng)) for k in range(documents) for who in people]


def random_study(rng: random.Random, people: str = "ab", documents: int = 3) -> Annotations:
    return Annotations.of(random_rows(rng, people, documents), kind="spans")


def best(one: list[Any], two: list[Any], feature: str) -> list[tuple[str, str]]:
    """The values of matched spans: most of them, then closest, then labels alike, then values alike."""

    def value(span: Any) -> str:
        return str(span["label"] if feature == "label" else span["features"][feature])

    def worth(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
        shared = [len(covered(a) & covered(b)) for a, b in pairs]
        close = [Fraction(n, len(covered(a) | covered(b))) for n, (a, b) in zip(shared, pairs, strict=True)]
        alike = sum(a["label"] == b["label"] for a, b in pairs)
        # Closeness and labels are weighed together, ten to one; values decide what is left.
        return (len(pairs), sum(close, Fraction(0)) + Fraction(alike, 10), sum(value(a) == value(b) for a, b in pairs))

    def covered(span: Any) -> set[int]:
        return set(range(span["start"], span["end"]))

    found: list[tuple[Any, Any]] = []
    slots: list[Any] = [*two, *[None] * len(one)]
    for chosen in permutations(slots, len(one)):
        pairs = [(a, b) for a, b in zip(one, chosen, strict=True) if b is not None and covered(a) & covered(b)]
        if worth(pairs) > worth(found):
            found = pairs
    return [(value(a), value(b)) for a, b in found]


@pytest.mark.parametrize("feature", ["label", "sure"])
@pytest.mark.parametrize("seed", range(8))
def test_values_are_those_of_the_best_matching(seed: int, feature: str) -> None:
    rng = random.Random(f"{feature} {seed}")
    rows = [(item, who, some_spans(rng, 3)) for item, who, _ in random_rows(rng)]
    by = {(item, who): spans for item, who, spans in rows}
    values = [pair for k in range(3) for pair in best(by[f"d{k}", "a"], by[f"d{k}", "b"], feature)]
    found = attribute_agreement(Annotations.of(rows, kind="spans"), feature, coefficient="percent")
    assert found.n.items == len(values)
    if values:
        assert found.value == pytest.approx(sum(a == b for a, b in values) / len(values))
    else:
        assert found.undefined is not None


# -- several annotators --------------------------------------------------------------------------------------


def test_every_two_annotators_make_items_of_their_own() -> None:
    rows = [("d", who, [said(0, 3, label)]) for who, label in (("a", "x"), ("b", "x"), ("c", "y"))]
    rows += [("e", who, [said(0, 3, "y")]) for who in "abc"]
    found = attribute_agreement(Annotations.of(rows, kind="spans"), coefficient="percent")
    assert found.n.items == 6
    assert found.value == pytest.approx(4 / 6)
    table = found.by_pair()
    shares = {
        (one, two): share for one, two, share in zip(table["first"], table["second"], table["agreement"], strict=True)
    }
    assert shares == pytest.approx({("a", "b"): 1.0, ("a", "c"): 0.5, ("b", "c"): 0.5})
    assert found.by_item()["item"][0] == "d: 0-3 (a, b)"


def test_light_s_kappa_is_the_mean_of_cohen_s_over_pairs() -> None:
    study = random_study(random.Random(4), "abc", 12)
    light = attribute_agreement(study, coefficient="light_kappa").value
    each = [
        attribute_agreement(study.only(annotators=two), coefficient="cohen_kappa").value
        for two in (["a", "b"], ["a", "c"], ["b", "c"])
    ]
    assert light == pytest.approx(sum(each) / 3)


def test_cohen_s_kappa_asks_for_two() -> None:
    with pytest.raises(KindError, match="two annotators"):
        attribute_agreement(random_study(random.Random(0), "abc", 6), coefficient="cohen_kappa")


# -- what must hold ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coefficient", ["alpha", "cohen_kappa", "scott_pi", "ac1", "percent"])
@pytest.mark.parametrize("seed", range(5))
def test_neither_the_order_of_lists_nor_of_rows_matters(coefficient: str, seed: int) -> None:
    rng = random.Random(seed)
    rows = random_rows(rng, documents=6)
    mixed = [(item, who, rng.sample(spans, len(spans))) for item, who, spans in rng.sample(rows, len(rows))]
    for match in ("overlap", "exact", "jaccard"):
        one, two = (
            attribute_agreement(Annotations.of(each, kind="spans"), coefficient=coefficient, match=match)
            for each in (rows, mixed)
        )
        assert one.value == pytest.approx(two.value, nan_ok=True)
        assert one.standard_error() == pytest.approx(two.standard_error(), nan_ok=True)


def test_spans_marked_twice_are_matched_by_what_was_said_of_them() -> None:
    rows = [
        ("d", "a", [said(0, 3, "x", sure="no"), said(0, 3, "x", sure="yes"), said(0, 3, "y", sure="no")]),
        ("d", "b", [said(0, 3, "y", sure="no"), said(0, 3, "x", sure="yes"), said(0, 3, "x", sure="no")]),
    ]
    study = Annotations.of(rows, kind="spans")
    for match in ("exact", "overlap", "dice"):
        assert attribute_agreement(study, match=match, coefficient="percent").value == 1
        assert attribute_agreement(study, "sure", match=match, coefficient="percent").value == 1


def test_errors_are_those_of_documents() -> None:
    study = random_study(random.Random(9), documents=9)
    found = attribute_agreement(study, coefficient="percent")
    documents = sorted({str(name).split(":")[0] for name in found.by_item()["item"]})
    left = []
    for one in documents:
        rest = study.only(items=[other for other in study.items if other != one])
        left.append(attribute_agreement(rest, coefficient="percent").value)
    count, mean = len(left), sum(left) / len(left)
    error = ((count - 1) / count * sum((one - mean) ** 2 for one in left)) ** 0.5
    assert found.standard_error(method="jackknife") == pytest.approx(error)
    assert found.standard_error(method="jackknife", cluster="document") == pytest.approx(error)
    interval = found.interval()
    assert interval is not None
    assert interval.low <= found.value <= interval.high
    assert f"intervals are for other documents, of which there are {count}" in found.notes


@pytest.mark.parametrize("name", [n for n in MEASURES if MEASURES[n].facts.values == "any"])
def test_any_coefficient_of_labels_will_do(name: str) -> None:
    found = attribute_agreement(random_study(random.Random(2), documents=8), coefficient=name)
    assert found.details["coverage"] > 0
    interval = found.interval()
    assert interval is None or interval.low <= interval.high
    assert len(found.by_item()) == found.details["matched pairs of spans"]
    str(found), found.to_dict(), found.by_pair(), found.by_annotator()


def test_numbers_and_orders_are_for_coefficients_that_know_them() -> None:
    rows = [
        ("d1", "a", [said(0, 3, "low"), said(4, 6, "high"), said(8, 9, "mid")]),
        ("d1", "b", [said(0, 3, "mid"), said(4, 6, "high"), said(8, 9, "low")]),
        ("d2", "a", [said(0, 3, "high")]),
        ("d2", "b", [said(0, 3, "high")]),
    ]
    scale = ["low", "mid", "high"]
    found = attribute_agreement(Annotations.of(rows, kind="spans"), values=scale, distance="ordinal")
    same = {"a": ["low", "high", "mid", "high"], "b": ["mid", "high", "low", "high"]}
    assert found.value == pytest.approx(ia.alpha(Annotations.of(same, values=scale), distance="ordinal").value)


def test_pieces_of_spans_are_matched_by_what_they_cover() -> None:
    split = {"fragments": [[0, 2], [6, 8]], "label": "x"}
    rows = [("d", "a", [split, said(3, 5, "y")]), ("d", "b", [said(3, 5, "y"), split])]
    found = attribute_agreement(Annotations.of(rows, kind="spans"), coefficient="percent")
    assert found.value == 1
    assert sorted(found.by_item()["item"]) == ["d: 0-2+6-8", "d: 3-5"]


def test_one_span_alone_is_a_list_of_one() -> None:
    rows = [("d", "a", said(0, 3, "x", sure="yes")), ("d", "b", [said(0, 3, "y", sure="yes")])]
    study = Annotations.of(rows, kind="spans")
    assert attribute_agreement(study, coefficient="percent").value == 0
    assert attribute_agreement(study, "sure", coefficient="percent").value == 1


def test_annotators_of_a_real_export_differ_in_borders_not_in_labels(shared: Path) -> None:
    study = ia.read(shared / "data/formats/label_studio/leoka_team3_full.json")["label"]
    strict, lenient = (attribute_agreement(study, match=match) for match in ("exact", "overlap"))
    assert strict.details["coverage"] == pytest.approx(0.488, abs=5e-4)
    assert lenient.details["coverage"] == pytest.approx(0.916, abs=5e-4)
    assert strict.value == pytest.approx(0.991, abs=5e-4)
    assert lenient.value == pytest.approx(0.985, abs=5e-4)


def test_where_nothing_is_in_common_that_is_said() -> None:
    apart = Annotations.of([("d", "a", [said(0, 3)]), ("d", "b", [said(5, 8)])], kind="spans")
    found = attribute_agreement(apart)
    assert str(found) == "α is undefined: no two annotators marked spans that match, so there is nothing to compare"
    assert found.details["coverage"] == 0
    empty = Annotations.of([("d", "a", []), ("d", "b", [])], kind="spans")
    assert attribute_agreement(empty).details["coverage"] is None
    plain = Annotations.of([("d", "a", [[0, 3]]), ("d", "b", [[0, 3]])], kind="spans")
    assert "no matched span has 'label'" in str(attribute_agreement(plain))


def test_what_cannot_be_asked_is_told() -> None:
    study = Annotations.of(BY_HAND, kind="spans")
    with pytest.raises(UnknownName, match=r"no span has the feature 'sur'. Did you mean 'sure'"):
        attribute_agreement(study, "sur")
    with pytest.raises(KindError, match="leaves nothing to ask about labels"):
        attribute_agreement(study, same_label=True)
    with pytest.raises(KindError, match="leaves nothing to ask about labels"):
        attribute_agreement(study, match="semeval_strict")
    with pytest.raises(KindError, match="gamma compares spans"):
        attribute_agreement(study, coefficient="gamma")
    with pytest.raises(UnknownName, match="no measure is called 'kapa'"):
        attribute_agreement(study, coefficient="kapa")
