"""What chance matches of spans: the mean over all cuts, its error where cuts are drawn, and random annotators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.reference.spans import expected_f1
from interagree.stats.documents import span_chance

LABELS = "XY"


def apart(rng: np.random.Generator, length: int, sizes: Any) -> list[Any]:
    """Spans side by side, every arrangement as likely as any other."""
    sizes = rng.permutation(sizes)
    bars = np.sort(rng.choice(length - sum(sizes) + len(sizes), size=len(sizes), replace=False))
    begins = bars - np.arange(len(sizes)) + np.cumsum(sizes) - sizes
    return [[int(b), int(b + size), LABELS[rng.integers(2)]] for b, size in zip(begins, sizes, strict=True)]


def anywhere(rng: np.random.Generator, length: int, sizes: Any) -> list[Any]:
    """Spans that may overlap, each of them anywhere."""
    begins = [int(rng.integers(length - size + 1)) for size in sizes]
    return [[b, int(b + size), LABELS[rng.integers(2)]] for b, size in zip(begins, sizes, strict=True)]


def study(documents: list[tuple[int, list[Any], list[Any]]]) -> ia.Annotations:
    rows = [
        {"item": k, "annotator": who, "value": spans, "long": length}
        for k, (length, *both) in enumerate(documents)
        for who, spans in zip("ab", both, strict=True)
    ]
    return ia.Annotations.of(rows, kind="spans")


def at_random(seed: int, documents: int, length: Any, sizes: Any, place: Any) -> ia.Annotations:
    """Two annotators who know nothing of each other."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(documents):
        long = length(rng)
        made.append((long, place(rng, long, sizes(rng)), place(rng, long, sizes(rng))))
    return study(made)


@pytest.mark.parametrize("match", ["exact", "overlap", "jaccard", "within:1", "iou>=0.5", "semeval_partial"])
def test_expected_f1_is_the_mean_over_all_cuts_that_cut_no_span(match: str) -> None:
    rng = np.random.default_rng(3)
    documents = [
        (length, *(place(rng, length, rng.integers(1, 4, size=rng.integers(1, 4))) for _ in "ab"))
        for length, place in [(9, apart), (9, anywhere), (12, anywhere), (10, apart)]
    ]
    wanted = size = 0
    for length, one, two in documents:
        marked = len(one) + len(two)
        wanted += marked * expected_f1([("d", "a", one), ("d", "b", two)], match=match, length=length)
        size += marked
    found = ia.measures.corrected_span_f1(study(documents), match=match, length="long").details
    assert found["expected F1"] == pytest.approx(float(wanted / size))
    assert (found["draws"], found["error of the expected F1"]) == (0, 0)


def test_counting_equal_spans_and_going_through_all_cuts_give_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    data = at_random(4, 60, lambda rng: int(rng.integers(10, 30)), lambda rng: rng.integers(1, 4, size=3), anywhere)
    for same_label in (True, False):
        answers = []
        for counted in (10**6, 0):
            monkeypatch.setattr(span_chance, "COUNTED", counted)
            found = ia.measures.corrected_span_f1(data, length="long", same_label=same_label).details
            assert found["draws"] == 0
            answers.append(found["expected F1"])
        assert answers[0] == pytest.approx(answers[1])


def test_the_unit_of_positions_does_not_matter() -> None:
    data = at_random(5, 20, lambda _: 25, lambda rng: rng.integers(1, 6, size=2), apart)
    values = {}
    for scale in (1, 0.1, 0.001):
        rows = [(i, a, [(b * scale, e * scale, label) for b, e, label in v]) for i, a, v in data.rows()]
        scaled = ia.Annotations.of(rows, kind="spans")
        values[scale] = [
            ia.measures.corrected_span_f1(scaled, length=25 * scale, match=match).value
            for match in ("exact", "overlap", "jaccard")
        ]
    assert values[0.1] == pytest.approx(values[1])
    assert values[0.001] == pytest.approx(values[1])


def test_positions_that_lie_on_no_grid_are_never_the_same_by_chance() -> None:
    rng = np.random.default_rng(0)
    rows = [(k, who, [[b, b + np.pi, "X"]]) for k in range(20) for who in "ab" for b in rng.uniform(0, 5, 1)]
    data = ia.Annotations.of(rows, kind="spans")
    assert ia.measures.corrected_span_f1(data, length=10).details["expected F1"] == pytest.approx(0, abs=1e-9)
    found = ia.measures.corrected_span_f1(data, length=10, match="jaccard")
    low, high, *_ = found.interval()
    assert low < 0 < high


def test_spans_over_the_whole_document_leave_one_cut() -> None:
    for end in (3, np.pi):
        data = study([(end, [[0, end, "X"]], [[0, end, "X"]]), (10, [[2, 5, "X"]], [[2, 5, "X"]])])
        found = ia.measures.corrected_span_f1(data, length="long").details
        assert found["expected F1"] == pytest.approx(0.5 + 0.5 / 8 if end == 3 else 0.5, abs=1e-6)


# -- equal documents -----------------------------------------------------------------------------------------


def alike(labels: int) -> ia.Annotations:
    """Many short sentences marked at the same places, with labels of their own."""
    return study([(12, *([[1, 4, f"L{k % labels}"], [6, 8, "Q"]] for _ in "ab")) for k in range(600)])


@pytest.mark.parametrize("labels", [1, 50])
@pytest.mark.parametrize("match", ["exact", "overlap"])
def test_the_error_of_equal_documents_is_that_of_what_they_differ_by_from_draw_to_draw(
    monkeypatch: pytest.MonkeyPatch, labels: int, match: str
) -> None:
    data = alike(labels)
    exact = ia.measures.corrected_span_f1(data, match=match, length="long").details["expected F1"]
    monkeypatch.setattr(span_chance, "COUNTED", 0)
    monkeypatch.setattr(span_chance, "TRIED", 0)
    drawn = [
        ia.measures.corrected_span_f1(data, match=match, length="long", samples=60, seed=seed).details
        for seed in range(16)
    ]
    off = np.sqrt(np.mean([(one["expected F1"] - exact) ** 2 for one in drawn]))
    stated = np.mean([one["error of the expected F1"] for one in drawn])
    assert 0.5 < off / stated < 1.6


def test_many_short_sentences_have_one_expected_f1_whatever_the_seed() -> None:
    data = at_random(0, 3000, lambda rng: int(rng.integers(4, 9)), lambda _: [2], anywhere)
    for match in ("exact", "overlap"):
        found = {
            ia.measures.corrected_span_f1(data, match=match, length="long", seed=seed).details["expected F1"]
            for seed in range(3)
        }
        assert len(found) == 1


# -- annotators who mark at random ---------------------------------------------------------------------------

NULLS: dict[str, Any] = {
    "one long span in a short document": (lambda _: 20, lambda _: [10], anywhere),
    "spans side by side": (lambda _: 20, lambda _: [6, 6], apart),
    "short sentences": (lambda rng: int(rng.integers(4, 9)), lambda rng: rng.integers(1, 4, size=1), apart),
    "sentences with any number of spans": (
        lambda rng: int(rng.integers(12, 30)),
        lambda rng: rng.integers(1, 4, size=rng.integers(0, 4)),
        apart,
    ),
    "short and long documents": (
        lambda rng: int(rng.choice([8, 25, 400])),
        lambda rng: rng.integers(1, 8, size=rng.integers(1, 6)),
        anywhere,
    ),
}


def mean_and_error(name: str, match: str, studies: int, documents: int) -> tuple[float, float]:
    values = [
        ia.measures.corrected_span_f1(at_random(seed, documents, *NULLS[name]), match=match, length="long").value
        for seed in range(studies)
    ]
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(studies))


@pytest.mark.parametrize("name", NULLS)
@pytest.mark.parametrize("match", ["exact", "jaccard"])
def test_annotators_who_mark_at_random_get_nothing(name: str, match: str) -> None:
    mean, error = mean_and_error(name, match, 12, 80)
    assert abs(mean) < 4 * error
    assert abs(mean) < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
@pytest.mark.parametrize("match", ["exact", "overlap", "jaccard", "within:1", "iou>=0.5"])
def test_annotators_who_mark_at_random_get_nothing_in_many_studies(name: str, match: str) -> None:
    mean, error = mean_and_error(name, match, 200, 200)
    assert abs(mean) < 4 * error
    assert abs(mean) < 0.01
