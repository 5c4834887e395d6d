"""Relation F1 against all pairings of small documents, by hand, and what must hold of it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from interagree import Annotations, reference
from interagree.errors import KindError, UnknownName
from interagree.measures.relation_f1 import relation_f1

WAYS = ("exact", "overlap", "jaccard", "dice", "iou>=0.5", "within:1", "semeval_partial")

# A brat-like document: "Ada Lovelace wrote notes for Charles Babbage in London"
ADA, BABBAGE, NOTES, LONDON = (0, 12, "PER"), (29, 44, "PER"), (19, 24, "WORK"), (48, 54, "LOC")


def some_span(rng: random.Random) -> Any:
    begin = rng.randrange(8)
    end = begin + rng.randrange(1, 4)
    label = rng.choice(["P", "O"])
    if rng.random() < 0.3:
        more = end + rng.randrange(1, 3)
        return {"fragments": [[begin, end], [more, more + rng.randrange(1, 3)]], "label": label}
    return (begin, end, label)


def some_relations(rng: random.Random) -> list[Any]:
    return [(some_span(rng), some_span(rng), rng.choice("xyz"), rng.random() < 0.8) for _ in range(rng.randrange(5))]


def as_written(relations: list[Any]) -> list[Any]:
    return [
        [head, tail, label] if directed else {"head": head, "tail": tail, "label": label, "directed": False}
        for head, tail, label, directed in relations
    ]


def rows_of(documents: dict[str, dict[str, list[Any]]]) -> list[tuple[str, str, list[Any]]]:
    return [(name, who, as_written(found)) for name, by in documents.items() for who, found in by.items()]


def study_of(documents: dict[str, dict[str, list[Any]]]) -> Annotations:
    return Annotations.of(rows_of(documents), kind="relations")


def random_documents(rng: random.Random, people: str = "ab", count: int = 3) -> dict[str, dict[str, list[Any]]]:
    return {f"d{k}": {who: some_relations(rng) for who in people} for k in range(count)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_best_of_all_pairings(way: str, seed: int) -> None:
    rng = random.Random(f"{way} {seed}")
    for _ in range(4):
        documents = random_documents(rng, "abc"[: rng.choice([2, 3])])
        options = {
            "match": way,
            "same_label": rng.random() < 0.6,
            "argument_labels": rng.random() < 0.6,
            "directed": rng.random() < 0.6,
            "credit": rng.choice(["product", "mean"]),
        }
        expected = reference.relation_f1(rows_of(documents), **options)
        found = relation_f1(study_of(documents), **options)
        if expected is None:
            assert found.undefined is not None
        else:
            assert found.value == pytest.approx(float(expected), abs=1e-12), options


def test_averages_are_those_of_the_documents_pairs_and_labels() -> None:
    rng = random.Random(5)
    documents = random_documents(rng, "abc", 5)
    options = {"match": "overlap"}
    study = study_of(documents)
    couples = [("a", "b"), ("a", "c"), ("b", "c")]

    def f1(part: dict[str, dict[str, list[Any]]]) -> Fraction | None:
        return reference.relation_f1(rows_of(part), **options)

    def mean(entries: list[Fraction | None]) -> float:
        known = [one for one in entries if one is not None]
        return float(sum(known, Fraction(0)) / len(known))

    each = [f1({d: {a: by[a], b: by[b]}}) for d, by in documents.items() for a, b in couples]
    assert relation_f1(study, match="overlap", average="documents").value == pytest.approx(mean(each))
    by_pair = [f1({d: {a: by[a], b: by[b]} for d, by in documents.items()}) for a, b in couples]
    assert relation_f1(study, match="overlap", average="pairs").value == pytest.approx(mean(by_pair))
    alone = {
        name: f1({d: {a: [r for r in own if r[2] == name] for a, own in by.items()} for d, by in documents.items()})
        for name in "xyz"
    }
    assert relation_f1(study, match="overlap", average="labels").value == pytest.approx(mean(list(alone.values())))
    for name in "xyz":
        assert relation_f1(study, match="overlap", label=name).value == pytest.approx(float(alone[name] or 0))
    shown = relation_f1(study, match="overlap").by_value().to_dict("F1")
    assert shown == pytest.approx({name: float(value or 0) for name, value in alone.items()})


def test_by_hand() -> None:
    rows = [
        ("d", "a", [[ADA, NOTES, "wrote"], [ADA, BABBAGE, "knew"], [BABBAGE, LONDON, "in"]]),
        (
            "d",
            "b",
            [[ADA, NOTES, "wrote"], [BABBAGE, ADA, "knew"], [(29, 44, "ORG"), LONDON, "in"], [ADA, LONDON, "in"]],
        ),
    ]
    study = Annotations.of(rows, kind="relations")
    assert relation_f1(study).value == pytest.approx(2 / 7)  # one that is the same in all
    assert relation_f1(study, directed=False).value == pytest.approx(4 / 7)  # … and one turned
    assert relation_f1(study, argument_labels=False).value == pytest.approx(4 / 7)  # … or one of another type
    assert relation_f1(study, directed=False, argument_labels=False).value == pytest.approx(6 / 7)


def test_a_difference_in_labels_alone() -> None:
    study = Annotations.of(
        [("d", "a", [[ADA, BABBAGE, "knew"]]), ("d", "b", [[ADA, BABBAGE, "met"]])], kind="relations"
    )
    assert relation_f1(study).value == 0
    assert relation_f1(study, same_label=False).value == 1


def test_parts_of_arguments_count_as_their_product_or_mean() -> None:
    study = Annotations.of(
        [("d", "a", [[[0, 4], [10, 14], "x"]]), ("d", "b", [[[0, 2], [10, 11], "x"]])], kind="relations"
    )
    assert relation_f1(study, match="jaccard").value == pytest.approx(1 / 8)
    assert relation_f1(study, match="jaccard", credit="mean").value == pytest.approx(3 / 8)
    apart = Annotations.of(
        [("d", "a", [[[0, 4], [10, 14], "x"]]), ("d", "b", [[[0, 4], [20, 21], "x"]])], kind="relations"
    )
    assert relation_f1(apart, match="jaccard", credit="mean").value == 0  # one argument alone is no relation


def test_nested_arguments_go_where_they_fit_best() -> None:
    # "University of London": the inner span and the outer one are arguments of different relations.
    rows = [
        ("d", "a", [[[0, 20], [30, 35], "employs"], [[14, 20], [30, 35], "employs"]]),
        ("d", "b", [[[14, 20], [30, 35], "employs"], [[0, 20], [30, 35], "employs"]]),
    ]
    assert relation_f1(Annotations.of(rows, kind="relations"), match="jaccard").value == 1


def test_an_argument_in_pieces_is_only_what_it_covers() -> None:
    split = {"fragments": [[0, 3], [8, 10]]}
    rows = [("d", "a", [[split, [20, 22], "x"]]), ("d", "b", [[[4, 6], [20, 22], "x"]])]
    assert relation_f1(Annotations.of(rows, kind="relations"), match="overlap").value == 0
    rows[1] = ("d", "b", [[{"fragments": [[8, 10], [0, 3]]}, [20, 22], "x"]])
    assert relation_f1(Annotations.of(rows, kind="relations")).value == 1


@pytest.mark.parametrize("seed", range(8))
def test_neither_the_order_of_lists_nor_of_annotators_matters(seed: int) -> None:
    rng = random.Random(seed)
    documents = random_documents(rng, "abc")
    mixed = {
        name: {who: rng.sample(found, len(found)) for who, found in reversed(by.items())}
        for name, by in reversed(documents.items())
    }
    turned = {
        name: {who: [(t, h, label, d) for h, t, label, d in found] for who, found in by.items()}
        for name, by in documents.items()
    }
    for options in ({}, {"match": "jaccard"}, {"match": "overlap", "same_label": False}, {"average": "pairs"}):
        one = relation_f1(study_of(documents), **options)
        for other in (mixed, turned):
            two = relation_f1(study_of(other), **options)
            assert one.value == pytest.approx(two.value, nan_ok=True)
            assert one.standard_error() == pytest.approx(two.standard_error(), nan_ok=True)


def test_who_marked_the_same_agrees_fully() -> None:
    rng = random.Random(1)
    documents = {f"d{k}": dict.fromkeys("abc", some_relations(rng)) for k in range(4)}
    for options in ({}, {"match": "jaccard"}, {"average": "labels"}, {"credit": "mean", "match": "dice"}):
        assert relation_f1(study_of(documents), **options).value == 1


@pytest.mark.parametrize("average", ["micro", "documents", "labels", "pairs"])
def test_the_interval_is_ordered_and_tables_are_there(average: str) -> None:
    found = relation_f1(study_of(random_documents(random.Random(2), "abc", 8)), match="overlap", average=average)
    for method in ("auto", "jackknife", "bootstrap"):
        interval = found.interval(method=method)
        assert interval is not None
        assert 0 <= interval.low <= found.value <= interval.high <= 1
    assert len(found.by_item()) == 8
    assert len(found.by_annotator()) == 3
    assert len(found.by_pair()) == 3


def test_the_jackknife_is_that_of_leaving_documents_out() -> None:
    study = study_of(random_documents(random.Random(3), "abc", 6))
    left = [
        relation_f1(study.only(items=[other for other in study.items if other != one]), match="jaccard").value
        for one in study.items
    ]
    mean = sum(left) / len(left)
    error = (5 / 6 * sum((one - mean) ** 2 for one in left)) ** 0.5
    assert relation_f1(study, match="jaccard").standard_error(method="jackknife") == pytest.approx(error)


def test_against_gold_there_are_precision_and_recall() -> None:
    rows = [
        ("d", "gold", [[ADA, NOTES, "wrote"], [ADA, BABBAGE, "knew"], [BABBAGE, LONDON, "in"]]),
        ("d", "b", [[ADA, NOTES, "wrote"]]),
        ("d", "c", [[ADA, NOTES, "wrote"], [ADA, BABBAGE, "met"]]),
    ]
    study = Annotations.of(rows, kind="relations")
    found = relation_f1(study, gold="gold")
    assert found.value == pytest.approx(4 / 9)
    assert found.details["precision"] == pytest.approx(2 / 3)
    assert found.details["recall"] == pytest.approx(1 / 3)
    wrote = relation_f1(study, gold="gold", label="wrote")
    assert (wrote.value, wrote.details["precision"], wrote.details["recall"]) == (1, 1, 1)


def test_documents_without_relations() -> None:
    empty = Annotations.of([("d", "a", []), ("d", "b", [])], kind="relations")
    assert relation_f1(empty).undefined == "nobody drew a relation, so there is nothing to find"
    rows = [("d", "a", []), ("d", "b", []), ("e", "a", [[ADA, NOTES, "wrote"]]), ("e", "b", [])]
    study = Annotations.of(rows, kind="relations")
    assert relation_f1(study).value == 0
    assert relation_f1(study).notes == ("1 document in which nobody drew a relation says nothing about F1",)
    assert relation_f1(study, average="documents", empty=1).value == 0.5


def test_what_is_misspelt_is_told() -> None:
    study = Annotations.of([("d", "a", [[ADA, NOTES, "wrote"]]), ("d", "b", [])], kind="relations")
    with pytest.raises(UnknownName, match=r"no relation has the label 'wrot'.*wrote"):
        relation_f1(study, label="wrot")
    with pytest.raises(KindError, match="credit= takes one of"):
        relation_f1(study, credit="sum")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(KindError, match="the head of a relation is not a span"):
        relation_f1([("d", "a", [[3, [5, 8], "x"]]), ("d", "b", [])])
