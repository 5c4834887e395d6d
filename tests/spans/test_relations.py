"""Relations beyond chance: by hand, against counting every pair of spans, and what must hold."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from interagree import Annotations
from interagree.errors import KindError
from interagree.measures.relation_f1 import relation_f1
from interagree.spans.relations import relation_agreement

A, B, C, D = (0, 3), (5, 8), (10, 12), (14, 16)


def related(rows: list[Any]) -> Annotations:
    return Annotations.of(rows, kind="relations")


def marked(rows: list[Any]) -> Annotations:
    return Annotations.of(rows, kind="spans")


ROWS = related([("d", "ann", [[A, B, "x"]]), ("d", "bo", [[A, B, "x"], [B, C, "y"]])])
SPANS = marked([("d", "ann", [A, B, C]), ("d", "bo", [C, A, B])])


def test_relating_given_spans_by_hand() -> None:
    found = relation_agreement(ROWS, SPANS)
    # Six ordered pairs, one of which differs; of twelve values nine are none, two x and one y.
    expected = 1 - Fraction(9 * 8 + 2, 12 * 11)
    assert found.disagreement.observed == pytest.approx(1 / 6)
    assert found.disagreement.expected == pytest.approx(float(expected))
    assert found.value == pytest.approx(float(1 - Fraction(1, 6) / expected))
    assert found.details == {"coverage": 1, "pairs of spans": 6, "related by somebody": 2}
    assert "d: 5-8 → 10-12" in found.by_item()["item"]


def test_pairs_without_a_direction_are_items_once() -> None:
    found = relation_agreement(ROWS, SPANS, directed=False, coefficient="cohen_kappa")
    # Three pairs: x x, none y, none none.
    expected = Fraction(1 * 1 + 2 * 1, 9)
    assert found.value == pytest.approx(float((Fraction(2, 3) - expected) / (1 - expected)))
    one_way = related(
        [
            ("d", "ann", [{"head": A, "tail": B, "label": "x", "directed": False}]),
            ("d", "bo", [[B, A, "x"], [A, B, "x"]]),
        ]
    )
    assert relation_agreement(one_way, SPANS, coefficient="percent").value == 1


def test_labelling_given_relations() -> None:
    rows = related(
        [
            ("d", "ann", [[A, B, "x"], [B, C, "y"], [C, D, "x"]]),
            ("d", "bo", [[A, B, "x"], [(5, 9), C, "x"], [D, C, "x"]]),
        ]
    )
    found = relation_agreement(rows, given="relations")
    assert found.value == pytest.approx(float(1 - Fraction(1, 2) / (1 - Fraction(6, 12))))  # x x, y x
    assert found.details["coverage"] == pytest.approx(4 / 6)
    assert list(found.by_item()["item"]) == ["d: 0-3 → 5-8", "d: 5-8 → 10-12 ~ 5-9 → 10-12"]
    assert relation_agreement(rows, given="relations", match="exact", coefficient="percent").value == 1
    assert relation_agreement(rows, given="relations", directed=False).details["matched pairs of relations"] == 3


def test_relations_without_a_label_have_none_to_compare() -> None:
    rows = related([("d", "ann", [[A, B], [B, C, "y"]]), ("d", "bo", [[A, B, "x"], [B, C, "y"]])])
    found = relation_agreement(rows, given="relations", coefficient="percent")
    assert found.value == 1
    assert "1 of 4 matched relations has no label and was left out" in found.notes
    assert relation_agreement(rows, SPANS, coefficient="percent").by_value()["value"] == [
        "(no label)",
        "(none)",
        "x",
        "y",
    ]


def test_only_what_both_marked_can_be_related_by_both() -> None:
    fewer = marked([("d", "ann", [A, B]), ("d", "bo", [A, B, C])])
    found = relation_agreement(ROWS, fewer)
    assert found.value == 1
    assert found.details["coverage"] == pytest.approx(2 / 3)
    assert found.notes[0] == (
        "coverage 0.667: 2 of 3 relations lie between spans that both marked (overlap), "
        "counted for every two annotators"
    )
    alone = relation_agreement(ROWS)
    assert alone.details["pairs of spans"] == 2
    assert "no study of spans was given, so only spans that take part in a relation were known" in alone.notes


def test_arguments_are_found_among_the_spans_with_or_without_a_label() -> None:
    spans = marked([("d", who, [[0, 3, "P"], [5, 8, "O"], [5, 8, "P"]]) for who in ("ann", "bo")])
    rows = related([("d", "ann", [[A, [5, 8, "P"], "x"]]), ("d", "bo", [[[0, 3, "P"], [5, 8, "P"], "x"]])])
    found = relation_agreement(rows, spans)
    assert found.value == 1
    assert found.details["pairs of spans"] == 6
    other = related([("d", "ann", [[A, [5, 8, "O"], "x"]]), ("d", "bo", [[A, [5, 8, "P"], "x"]])])
    assert relation_agreement(other, spans).value < 0


def test_two_relations_of_one_pair_are_one_value() -> None:
    rows = related([("d", "ann", [[A, B, "y"], [A, B, "x"]]), ("d", "bo", [[A, B, "x"], [A, B, "y"]])])
    found = relation_agreement(rows, SPANS)
    assert found.value == 1
    assert "x + y" in found.by_value()["value"]


def test_a_span_related_to_itself_is_left_out() -> None:
    rows = related([("d", "ann", [[A, A, "x"], [A, B, "x"]]), ("d", "bo", [[A, B, "x"]])])
    found = relation_agreement(rows, SPANS)
    assert found.value == 1
    assert "1 relation of a span with itself was left out" in found.notes


# -- against counting ----------------------------------------------------------------------------------------


def random_study(rng: random.Random, people: str = "ab", documents: int = 4) -> tuple[list[Any], list[Any]]:
    """Spans that do not overlap, of which annotators miss some, and relations between them."""
    rows, spans = [], []
    for k in range(documents):
        for who in people:
            seen = [(5 * n, 5 * n + 3) for n in range(5) if rng.random() < 0.8]
            couples = [couple for couple in permutations(seen, 2) if rng.random() < 0.3]
            rows.append((f"d{k}", who, [[head, tail, rng.choice("xy")] for head, tail in couples]))
            spans.append((f"d{k}", who, seen))
    return rows, spans


def alpha_by_counting(rows: list[Any], spans: list[Any]) -> float:
    drawn = {(d, who): {(h, t): label for h, t, label in found} for d, who, found in rows}
    seen = {(d, who): found for d, who, found in spans}
    people, documents = (sorted({row[k] for row in rows}) for k in (1, 0))
    pairs = [
        tuple(drawn[d, who].get(couple, "-") for who in (one, two))
        for d in documents
        for n, two in enumerate(people)
        for one in people[:n]
        for couple in permutations(sorted(set(seen[d, one]) & set(seen[d, two])), 2)
    ]
    values = [value for pair in pairs for value in pair]
    n = len(values)
    chance = 1 - Fraction(sum(values.count(v) * (values.count(v) - 1) for v in set(values)), n * (n - 1))
    return float(1 - Fraction(sum(a != b for a, b in pairs), len(pairs)) / chance)


@pytest.mark.parametrize("seed", range(8))
def test_it_is_alpha_of_all_pairs_of_common_spans(seed: int) -> None:
    rows, spans = random_study(random.Random(seed), "abc"[: 2 + seed % 2])
    found = relation_agreement(related(rows), marked(spans), match="exact")
    assert found.value == pytest.approx(alpha_by_counting(rows, spans))


@pytest.mark.parametrize("given", ["spans", "relations"])
@pytest.mark.parametrize("seed", range(4))
def test_neither_the_order_of_lists_nor_of_rows_matters(given: Any, seed: int) -> None:
    rng = random.Random(seed)
    rows, spans = random_study(rng, "abc")
    mixed = [(d, who, rng.sample(found, len(found))) for d, who, found in rng.sample(rows, len(rows))]
    others = [(d, who, rng.sample(found, len(found))) for d, who, found in rng.sample(spans, len(spans))]
    one = relation_agreement(related(rows), marked(spans) if given == "spans" else None, given=given)
    two = relation_agreement(related(mixed), marked(others) if given == "spans" else None, given=given)
    assert one.value == pytest.approx(two.value)
    assert one.standard_error() == pytest.approx(two.standard_error())
    turned = [(d, who, [[t, h, label] for h, t, label in found]) for d, who, found in rows]
    three = relation_agreement(related(turned), marked(spans) if given == "spans" else None, given=given)
    assert one.value == pytest.approx(three.value)


def test_many_unrelated_spans_take_kappa_to_f1() -> None:
    more = [(100 + 10 * k, 105 + 10 * k) for k in range(60)]
    spans = marked([("d", who, [A, B, C, *more]) for who in ("ann", "bo")])
    kappa = relation_agreement(ROWS, spans, coefficient="cohen_kappa").value
    assert kappa == pytest.approx(relation_f1(ROWS).value, abs=0.001)


def test_the_matching_of_relations_prefers_labels_alike() -> None:
    rows = related([("d", "ann", [[A, B, "x"], [A, B, "y"]]), ("d", "bo", [[A, B, "y"], [A, B, "x"]])])
    for match in ("exact", "overlap", "jaccard"):
        assert relation_agreement(rows, given="relations", match=match, coefficient="percent").value == 1


def test_arguments_in_pieces() -> None:
    split = {"fragments": [[0, 2], [20, 22]]}
    rows = related([("d", "ann", [[split, B, "x"]]), ("d", "bo", [[split, B, "x"], [B, C, "y"]])])
    found = relation_agreement(rows, match="exact", coefficient="percent")
    assert list(found.by_item()["item"]) == ["d: 0-2+20-22 → 5-8", "d: 5-8 → 0-2+20-22"]


def test_where_there_is_nothing_to_relate_that_is_said() -> None:
    empty = related([("d", "ann", []), ("d", "bo", [])])
    found = relation_agreement(empty, SPANS)
    assert "chance could not have disagreed" in str(found)
    assert found.details["coverage"] is None
    assert "no two annotators marked two spans that match" in str(relation_agreement(empty))
    assert "whose arguments match" in str(relation_agreement(empty, given="relations"))
    bare = related([("d", "ann", [[A, B]]), ("d", "bo", [[A, B]])])
    assert "no matched relation has a label" in str(relation_agreement(bare, given="relations"))


def test_what_cannot_be_asked_is_told() -> None:
    with pytest.raises(KindError, match="given= takes one of"):
        relation_agreement(ROWS, given="labels")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(KindError, match="leave the spans out"):
        relation_agreement(ROWS, SPANS, given="relations")
    with pytest.raises(KindError, match="spans were expected"):
        relation_agreement(ROWS, related([("d", "ann", [[A, B, "x"]])]).taken_as("labels"))


def test_without_the_spans_that_were_left_alone_the_figure_is_too_high() -> None:
    rng = random.Random(0)
    spans = [(10 * k, 10 * k + 4) for k in range(7)]
    rows = []
    for document in range(12):
        truth = [couple for couple in permutations(spans, 2) if rng.random() < 0.1]
        rows += [(document, who, [[head, tail, "x"] for head, tail in truth if rng.random() < 0.7]) for who in "ab"]
    everything = marked([(document, who, spans) for document, who, _ in rows])
    study = related(rows)
    assert relation_agreement(study).value > relation_agreement(study, everything).value + 0.05
