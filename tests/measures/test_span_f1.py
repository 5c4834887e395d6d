"""Span F1: published scores, counts by hand, what must hold of random documents, and real files."""

from __future__ import annotations

import json
import math
import tomllib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.errors import DataError, KindError, UnknownName
from interagree.reference.spans import expected_f1
from interagree.stats.documents import span_chance

PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "published" / "spans.toml").read_text(encoding="utf-8"))
WAYS = ["exact", "overlap", "jaccard", "dice", "iou>=0.5", "within:1", "label", "semeval_partial", "semeval_type"]


def study(**lists):
    """One document for each place in the lists of annotators."""
    rows = [(f"d{k}", who, spans) for who, some in lists.items() for k, spans in enumerate(some)]
    return ia.Annotations.of(rows, kind="spans")


def random_rows(rng, documents=12, people=3, most=5, labels="XY", skip=0.1):
    rows = []
    for document in range(documents):
        for person in range(people):
            if rng.random() < skip:
                continue
            spans = []
            for _ in range(rng.integers(0, most + 1)):
                begin = int(rng.integers(0, 20))
                spans.append([begin, begin + int(rng.integers(1, 6)), labels[rng.integers(len(labels))]])
            rows.append((f"d{document}", f"p{person}", spans))
    return rows


# -- published -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("match", PUBLISHED["deck"]["expect"])
def test_the_scores_of_the_lecture_deck(match):
    deck = PUBLISHED["deck"]
    found = ia.span_f1(study(Jin=[deck["Jin"]], Maya=[deck["Maya"]]), match=match)
    assert found.value == pytest.approx(float(Fraction(deck["expect"][match])), abs=1e-12)


@pytest.mark.parametrize("case", PUBLISHED["semeval"], ids=lambda case: case["paper"][:40])
def test_the_four_scores_of_semeval_with_their_counts(case):
    data = study(gold=case["gold"], other=case["other"])
    names = ("correct", "incorrect", "partial", "missed", "spurious")
    for labels, wanted in [(None, case["expect"]), *(([k], v) for k, v in case.get("by_label", {}).items())]:
        for row in ia.spans.semeval(data, gold="gold", labels=labels):
            assert [row[name] for name in names] == wanted[row["score"]]
    for name, (correct, _, partial, missed, spurious) in case["expect"].items():
        sides = 2 * sum(case["expect"][name]) - missed - spurious
        f1 = ia.span_f1(data, match=f"semeval_{name}").value
        assert f1 == pytest.approx(2 * (correct + partial / 2) / sides)


@pytest.mark.parametrize("match", PUBLISHED["order"]["expect"])
def test_the_order_of_lists_does_not_decide(match):
    first, second = PUBLISHED["order"]["first"], PUBLISHED["order"]["second"]
    wanted = float(Fraction(PUBLISHED["order"]["expect"][match]))
    for one in (first, first[::-1]):
        for two in (second, second[::-1]):
            assert ia.span_f1(study(a=[one], b=[two]), match=match).value == pytest.approx(wanted)
            assert ia.span_f1(study(a=[two], b=[one]), match=match).value == pytest.approx(wanted)


def test_kappa_tends_to_f1_as_what_nobody_marked_grows():
    case = PUBLISHED["limit"]
    both, one, two = case["both"], case["only_first"], case["only_second"]
    first = [[k, k + 1, "X"] for k in range(both + one)]
    second = [[k, k + 1, "X"] for k in [*range(both), *range(both + one, both + one + two)]]
    assert ia.span_f1(study(a=[first], b=[second])).value == pytest.approx(float(Fraction(case["F1"])))
    for rest, kappa in case["kappa"].items():
        table = [[both, one], [two, int(rest)]]
        found = ia.cohen_kappa(ia.Annotations.from_contingency(table)).value
        assert found == pytest.approx(kappa, abs=1e-12)


def test_the_example_project_of_bratiaa(shared):
    case = json.loads((shared / "published/spans/bratiaa_example_project.json").read_text(encoding="utf-8"))
    (documents,) = case["input"].values()
    rows = [
        (document, who, [{"fragments": span[1:], "label": span[0]} for span in spans])
        for document, annotators in documents.items()
        for who, spans in annotators.items()
    ]
    data = ia.Annotations.of(rows, kind="spans")
    wanted = case["expected"]["instance"]
    found = ia.spans.pairwise_f1(data)
    assert found.mean.value == pytest.approx(wanted["mean_pairwise_F1"])
    pairs = [row["agreement"] for row in found.by_pair()]
    assert np.std(pairs) == pytest.approx(wanted["sd_pairwise_F1_population"])
    assert found.spread == pytest.approx(np.std(pairs, ddof=1))
    by_label = {row["label"]: row["mean of pairs"] for row in found.by_label()}
    assert by_label == pytest.approx(wanted["per_label_mean"])
    by_document = {row["document"]: row["mean of pairs"] for row in found.by_document()}
    assert by_document == pytest.approx(wanted["per_document_mean"])
    matrix = {row["annotator"]: row for row in found.matrix()}
    for who, line in zip(wanted["annotators"], wanted["matrix"], strict=True):
        assert [matrix[who][other] for other in wanted["annotators"]] == pytest.approx(line)


def test_the_crowd_of_the_ner_file(shared):
    lines = (shared / "data/complex/ner_clean.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [(one["item"], one["annotator"], one["value"]) for one in map(json.loads, lines)]
    data = ia.Annotations.of(rows)
    hits = size = 0
    by_item: dict[str, list[list]] = {}
    for item, _, spans in rows:
        by_item.setdefault(item, []).append(spans)
    for lists in by_item.values():
        for i, one in enumerate(lists):
            for two in lists[:i]:
                hits += 2 * len({tuple(s) for s in one} & {tuple(s) for s in two})
                size += len(one) + len(two)
    found = ia.span_f1(data)
    assert found.value == pytest.approx(hits / size)
    assert 0.43 < found.interval().low < found.value < found.interval().high < 0.51
    assert ia.span_f1(data, match="overlap").value > ia.span_f1(data, match="jaccard").value > found.value


# -- properties ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("match", WAYS)
@pytest.mark.parametrize("average", ["micro", "documents", "labels", "pairs"])
def test_names_and_orders_do_not_matter(match, average):
    rng = np.random.default_rng(len(match) + len(average))
    rows = random_rows(rng)
    found = ia.span_f1(rows, match=match, average=average)
    swapped = [(item, {"p0": "z", "p1": "y", "p2": "x"}[who], spans[::-1]) for item, who, spans in rows[::-1]]
    again = ia.span_f1(swapped, match=match, average=average)
    assert again.value == pytest.approx(found.value)
    assert again.interval() == pytest.approx(found.interval(), nan_ok=True) or again.interval()[:2] == pytest.approx(
        found.interval()[:2]
    )


@pytest.mark.parametrize("average", ["micro", "documents", "labels", "pairs"])
def test_an_average_is_that_of_its_definition(average):
    rows = random_rows(np.random.default_rng(3), documents=8)
    found = ia.span_f1(rows, average=average)
    assert found.value == pytest.approx(float(reference.span_f1(rows, average=average)))


@pytest.mark.parametrize("average", ["micro", "documents", "labels", "pairs"])
def test_the_jackknife_is_the_study_without_the_document(average):
    rows = random_rows(np.random.default_rng(9), documents=7)
    found = ia.span_f1(rows, average=average, match="jaccard")
    items = [row["item"] for row in found.by_item()]
    left = [
        ia.span_f1([row for row in rows if row[0] != item], average=average, match="jaccard").value for item in items
    ]
    n = len(items)
    wanted = math.sqrt((n - 1) / n * sum((value - sum(left) / n) ** 2 for value in left))
    assert found.standard_error(method="jackknife") == pytest.approx(wanted)


def test_tables_tell_where_the_disagreement_is():
    rows = random_rows(np.random.default_rng(4), skip=0.0)
    found = ia.span_f1(rows)
    for row in found.by_item():
        alone = ia.span_f1([one for one in rows if one[0] == row["item"]])
        assert alone.value == pytest.approx(row["agreement"], nan_ok=True)
    for row in found.by_pair():
        two = [one for one in rows if one[1] in (row["first"], row["second"])]
        assert ia.span_f1(two).value == pytest.approx(row["agreement"])
    for row in found.by_annotator():
        others = [one for one in rows if one[1] != row["annotator"]]
        assert ia.span_f1(others).value == pytest.approx(row["left out"])
    for row in found.by_value():
        only = [(item, who, [s for s in spans if s[2] == row["label"]]) for item, who, spans in rows]
        assert ia.span_f1(only).value == pytest.approx(row["F1"])
        assert ia.span_f1(rows, label=row["label"]).value == pytest.approx(row["F1"])


def test_groups_of_documents_can_be_resampled():
    rows = [
        (item, who, spans, f"book {int(item[1:]) // 3}") for item, who, spans in random_rows(np.random.default_rng(8))
    ]
    data = ia.Annotations.of([{"item": i, "annotator": a, "value": v, "book": b} for i, a, v, b in rows], kind="spans")
    found = ia.span_f1(data)
    books = sorted({row[3] for row in rows})
    left = [ia.span_f1([row[:3] for row in rows if row[3] != book]).value for book in books]
    n = len(books)
    wanted = math.sqrt((n - 1) / n * sum((value - sum(left) / n) ** 2 for value in left))
    assert found.standard_error(method="jackknife", cluster="book") == pytest.approx(wanted)


def test_lenient_matching_never_scores_less():
    rows = random_rows(np.random.default_rng(6), documents=30)
    values = [ia.span_f1(rows, match=one).value for one in ("exact", "jaccard", "dice", "overlap")]
    assert values == sorted(values)
    values = [ia.span_f1(rows, match=f"iou>={bound}").value for bound in (1.0, 0.75, 0.5, 0.25)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(ia.span_f1(rows, match="exact").value)
    assert ia.span_f1(rows, match="within:0").value == pytest.approx(values[0])
    free = ia.span_f1(rows, match="overlap", same_label=False).value
    assert free >= ia.span_f1(rows, match="overlap").value


def test_wherever_spans_are_the_label_counts():
    data = study(a=[[[0, 1, "X"], [2, 3, "X"], [4, 5, "Y"]]], b=[[[9, 12, "X"], [20, 21, "Y"], [30, 31, "Y"]]])
    assert ia.span_f1(data, match="label").value == pytest.approx(4 / 6)
    assert [row["F1"] for row in ia.span_f1(data, match="label").by_value()] == pytest.approx([2 / 3, 2 / 3])


# -- nothing marked, nobody there ----------------------------------------------------------------------------


def test_documents_nobody_marked_anything_in_are_said():
    data = study(a=[[[0, 1, "X"]], [], []], b=[[[0, 1, "X"]], [], [[3, 4, "X"]]])
    pooled, mean = ia.span_f1(data), ia.span_f1(data, average="documents")
    assert pooled.value == pytest.approx(2 / 3)
    assert mean.value == pytest.approx(1 / 2)
    assert any("1 document in which nobody marked anything" in note for note in mean.notes)
    assert ia.span_f1(data, average="documents", empty=1.0).value == pytest.approx(2 / 3)
    assert ia.span_f1(data, average="documents", empty=0.0).value == pytest.approx(1 / 3)


def test_undefined_is_a_result_with_a_reason():
    nothing = ia.span_f1(study(a=[[], []], b=[[], []]))
    assert math.isnan(nothing.value)
    assert "nobody marked anything" in nothing.undefined
    alone = ia.span_f1(study(a=[[[0, 1, "X"]]]))
    assert "one annotator" in alone.undefined
    apart = ia.span_f1([("d", "a", [[0, 1, "X"]]), ("e", "b", [[0, 1, "X"]])])
    assert "no item has annotations by two" in apart.undefined


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"match": "fuzzy"}, KindError, "match='fuzzy'"),
        ({"average": "macro"}, KindError, "average must be"),
        ({"empty": 2}, KindError, "from 0 to 1"),
        ({"gold": "nobody"}, UnknownName, "nobody"),
        ({"label": "Z"}, UnknownName, "'X'"),
    ],
)
def test_what_is_given_wrongly_is_said(options, error, said):
    with pytest.raises(error, match=said):
        ia.span_f1(study(a=[[[0, 1, "X"]]], b=[[[0, 1, "X"]]]), **options)


def test_values_that_are_no_spans_are_named():
    with pytest.raises(KindError, match="spans were expected"):
        ia.span_f1([("d", "a", "cat"), ("d", "b", "dog")])


def test_against_a_gold_standard():
    data = study(gold=[[[0, 2, "X"], [4, 6, "X"]]], a=[[[0, 2, "X"]]], b=[[[0, 2, "X"], [4, 6, "X"], [8, 9, "X"]]])
    found = ia.span_f1(data, gold="gold")
    assert found.details["precision"] == pytest.approx(3 / 4)
    assert found.details["recall"] == pytest.approx(3 / 4)
    assert found.value == pytest.approx(6 / 8)
    assert {row["second"] for row in ia.spans.span_types(data, gold="gold").table()} == {"gold"}


# -- beyond chance -------------------------------------------------------------------------------------------


def test_expected_f1_is_the_mean_over_all_ways_to_move():
    rng = np.random.default_rng(1)
    rows = random_rows(rng, documents=4, people=2, most=4, skip=0.0)
    rows = [(item, who, [list(x) for x in {tuple(s) for s in spans}]) for item, who, spans in rows]
    found = ia.measures.corrected_span_f1(rows, length=30)
    assert found.details["expected F1"] == pytest.approx(float(expected_f1(rows, length=30)))
    assert found.details["error of the expected F1"] == 0
    f1 = found.details["F1"]
    assert f1 == pytest.approx(ia.span_f1(rows).value)
    expected = found.details["expected F1"]
    assert found.value == pytest.approx((f1 - expected) / (1 - expected))


def test_chance_does_not_know_names_and_orders(monkeypatch):
    monkeypatch.setattr(span_chance, "TRIED", 0)  # so that chance is drawn
    rows = random_rows(np.random.default_rng(2), documents=40)
    found = ia.measures.corrected_span_f1(rows, length=30, match="overlap")
    turned = [(item, who[::-1], spans[::-1]) for item, who, spans in rows[::-1]]
    assert ia.measures.corrected_span_f1(turned, length=30, match="overlap").value == pytest.approx(found.value)
    other = ia.measures.corrected_span_f1(rows, length=30, match="overlap", seed=1)
    assert other.value != found.value
    assert other.value == pytest.approx(found.value, abs=0.02)


def test_random_spans_agree_by_chance_and_the_same_fully():
    rng = np.random.default_rng(0)
    rows = []
    for document in range(300):
        for who in "ab":
            begins = rng.choice(100, size=6, replace=False)
            rows.append((document, who, [[int(b), int(b) + 4, "X"] for b in begins]))
    assert abs(ia.measures.corrected_span_f1(rows, length=104, match="overlap").value) < 0.05
    same = [(document, who, rows[2 * document][2]) for document in range(300) for who in "ab"]
    assert ia.measures.corrected_span_f1(same, length=104).value == pytest.approx(1)


def test_chance_that_changes_nothing_is_no_chance():
    whole = study(a=[[[0, 10, "X"]]], b=[[[0, 10, "X"]]])
    found = ia.measures.corrected_span_f1(whole)
    assert math.isnan(found.value)
    assert "changes nothing" in found.undefined
    assert ia.measures.corrected_span_f1(whole, length=40).value == pytest.approx(1)
    assert any("taken to end" in note for note in found.notes)
    with pytest.raises(DataError, match="5 long"):
        ia.measures.corrected_span_f1(whole, length=5)
    with pytest.raises(KindError, match="label"):
        ia.measures.corrected_span_f1(whole, match="label")
    for wrong in ({"precision": 0}, {"samples": 0}, {"seed": -1}):
        with pytest.raises(KindError):
            ia.measures.corrected_span_f1(whole, **wrong)


def test_discontinuous_spans_are_moved_whole():
    pieces = {"fragments": [[0, 2], [5, 7]], "label": "X"}
    data = study(a=[[pieces]], b=[[{"fragments": [[10, 12], [15, 17]], "label": "X"}]])
    found = ia.measures.corrected_span_f1(data, length=20)
    assert found.details["expected F1"] == pytest.approx(1 / 14)  # 7 long from hull to hull, so 14 places in 20


# -- what a second pair of eyes found ------------------------------------------------------------------------


def test_documents_nobody_marked_anything_in_make_nothing_surer():
    rows = [row for row in random_rows(np.random.default_rng(11), documents=4, skip=0.0) if row[2]]
    more = [(f"empty {k}", who, []) for k in range(50) for who in ("p0", "p1")]
    for average in ("micro", "documents", "labels", "pairs"):
        alone, among = (ia.span_f1(some, average=average, match="overlap") for some in (rows, rows + more))
        assert among.value == pytest.approx(alone.value)
        assert among.interval()[:2] == pytest.approx(alone.interval()[:2])
        assert any("50 documents in which nobody marked anything were left out" in note for note in among.notes)


@pytest.mark.parametrize("average", ["labels", "pairs"])
def test_means_of_ratios_have_errors_by_group(average):
    rows = random_rows(np.random.default_rng(7), documents=12, skip=0.0)
    data = ia.Annotations.of(
        [{"item": i, "annotator": a, "value": v, "g": int(i[1:]) // 3} for i, a, v in rows], kind="spans"
    )
    found = ia.span_f1(data, average=average)
    by_group = [found.standard_error(method=how, cluster="g") for how in ("auto", "jackknife")]
    assert by_group[0] == pytest.approx(by_group[1])


def test_why_there_is_nothing_to_compare_with_gold_or_of_a_label():
    rows = [("d", "a", [[0, 1, "X"]]), ("d", "b", [[0, 1, "X"]]), ("e", "c", [[0, 1, "Z"]])]
    assert "nobody else looked at a document that 'c' looked at" in ia.span_f1(rows, gold="c").undefined
    assert "no span has the label 'Z' in a document that two" in ia.span_f1(rows, label="Z").undefined
    some = ia.span_f1(rows, gold="a", label="X")
    assert (some.details["precision"], some.details["recall"]) == (1, 1)


def test_draws_that_happen_to_agree_do_not_pass_for_certainty(monkeypatch):
    monkeypatch.setattr(span_chance, "COUNTED", 0)
    monkeypatch.setattr(span_chance, "TRIED", 0)
    first = [[0, 4, "X"], [7, 9, "X"], [12, 15, "Y"]]
    second = [[0, 5, "X"], [12, 15, "Y"], [16, 18, "X"]]
    found = ia.measures.corrected_span_f1(study(a=[first], b=[second]), length=20)
    wanted = float(expected_f1([("d", "a", first), ("d", "b", second)], length=20))
    assert found.details["draws"] > 50
    assert found.details["expected F1"] == pytest.approx(wanted, abs=0.04)
    assert found.details["error of the expected F1"] > 0


def test_spans_before_the_document_are_refused_where_they_are_moved():
    with pytest.raises(DataError, match="begins before it"):
        ia.measures.corrected_span_f1(study(a=[[[-3, 2, "X"]]], b=[[[0, 2, "X"]]]))
    for wrong in ({"seed": 2**70}, {"samples": 2.5}, {"samples": "a"}, {"precision": "a"}, {"length": [3]}):
        with pytest.raises((KindError, DataError)):
            ia.measures.corrected_span_f1(study(a=[[[0, 2, "X"]]], b=[[[0, 2, "X"]]]), **wrong)


def test_annotators_whose_names_look_alike_have_columns_of_their_own():
    rows = [("d", who, [[0, 1, "X"]]) for who in (1, "1", "annotator")]
    table = ia.spans.pairwise_f1(rows).matrix()
    assert list(table.columns) == ["annotator", "1", "'1'", "'annotator'"]
    assert [row["annotator"] for row in table] == [1, "1", "annotator"]


@pytest.mark.parametrize("measure", ["coref_f1", "pk", "relation_f1", "attachment"])
def test_measures_of_another_kind_say_that_these_are_spans(measure):
    rows = [("d", who, [[0, 3, "X"], [5, 8, "Y"]]) for who in "ab"]
    with pytest.raises(KindError, match=r"look like spans|were expected"):
        getattr(ia.measures, measure)(rows)
