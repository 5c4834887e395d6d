"""Distances of spans and of dependency parses: against their definitions, and on the data of a published study."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.distances import find
from interagree.errors import KindError
from interagree.kernels import spans as kernel
from interagree.plugins import KINDS

SPANS = ("spans_strict", "spans_range", "spans_tag", "spans_lenient", "span_tokens")
DICE = ("spans_strict", "spans_range", "span_tokens")
PARSES = ("uas", "las")


def drawn(rng: random.Random, *, most: int = 5, length: int = 12):
    """Spans that may overlap, be nested or be listed twice, some of them without a label."""
    found = []
    for _ in range(rng.randint(0, most)):
        begin = rng.randrange(length)
        label = rng.choice(["A", "B", None])
        found.append((begin, begin + rng.randint(1, 5), *([label] if label else [])))
    return tuple(found)


def drawn_parse(rng: random.Random):
    size = rng.randint(0, 5)
    heads = (rng.choice([head for head in range(size + 1) if head != place]) for place in range(1, size + 1))
    return tuple((head, rng.choice("ab")) for head in heads)


def distinct(draw, seed: int, count: int):
    rng = random.Random(seed)
    return list(dict.fromkeys(draw(rng) for _ in range(count)))


def table(name, kind, values, **given):
    """The distances of all ordered pairs, those of a value with itself too."""
    distance = find(name, **given)
    i, j = map(np.ravel, np.indices((len(values), len(values))))
    prepared = distance.prepared(KINDS[kind].packed(values))
    return distance.between(prepared, i, j, **distance.defaults | distance.given).reshape(len(values), -1)


def parts(span):
    begin, end, *label = span
    return begin, end, *(label or [None])


def f1(there: float, back: float) -> float:
    return 2 * there * back / (there + back) if there + back else 0.0


def equal_spans(a, b, key) -> float:
    here, there = Counter(map(key, a)), Counter(map(key, b))
    both = (here & there).total()
    return 1 - f1(both / len(a), both / len(b))


def covered(a, b, *, tags: bool) -> float:
    shares = []
    for begin, end, label in map(parts, a):
        other = {
            token for start, stop, tag in map(parts, b) if not tags or tag == label for token in range(start, stop)
        }
        shares.append(sum(token in other for token in range(begin, end)) / (end - begin))
    return sum(shares) / len(shares)


def tokens(a):
    return {(token, label) for begin, end, label in map(parts, a) for token in range(begin, end)}


TWINS = {
    "spans_strict": lambda a, b: equal_spans(a, b, parts),
    "spans_range": lambda a, b: equal_spans(a, b, lambda span: span[:2]),
    "spans_tag": lambda a, b: 1 - f1(covered(a, b, tags=True), covered(b, a, tags=True)),
    "spans_lenient": lambda a, b: 1 - f1(covered(a, b, tags=False), covered(b, a, tags=False)),
    "span_tokens": lambda a, b: 1 - 2 * len(tokens(a) & tokens(b)) / (len(tokens(a)) + len(tokens(b))),
}


def slowly(name, a, b, empty=0.0) -> float:
    if not a and not b:
        return empty
    return TWINS[name](a, b) if a and b else 1.0


@pytest.mark.parametrize("name", SPANS)
@pytest.mark.parametrize("empty", [0.0, 1.0])
def test_span_distances_are_those_of_the_definition(name, empty) -> None:
    values = distinct(drawn, 1, 50)
    assert () in values
    found = table(name, "spans", values, empty=empty)
    expected = [[slowly(name, a, b, empty) for b in values] for a in values]
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SPANS)
def test_span_distances_are_symmetric_bounded_and_0_on_equals(name) -> None:
    values = distinct(lambda rng: drawn(rng, most=4), 2, 60)
    found = table(name, "spans", values)
    assert (found == found.T).all()
    assert (np.diag(found) == 0).all()
    assert found.min() >= 0
    assert found.max() <= 1
    assert find(name).bounded


@pytest.mark.parametrize("name", SPANS)
def test_the_order_of_spans_does_not_matter(name) -> None:
    rng = random.Random(3)
    values = [value for value in distinct(drawn, 3, 30) if len(value) > 1]
    for value in values:
        assert find(name)(value, rng.sample(value, len(value))) == 0


@pytest.mark.parametrize("name", SPANS)
def test_span_distances_are_no_metrics(name) -> None:
    one, other = ((0, 1, "A"),), ((1, 2, "A"),)
    distance = find(name)
    assert distance(one, other) == 1
    assert distance(one, one + other) == pytest.approx(1 / 3)
    assert not distance.metric


@pytest.mark.parametrize("name", SPANS)
def test_seconds_are_compared_as_tokens_are(name) -> None:
    values = distinct(drawn, 4, 20)
    seconds = [tuple((span[0] / 4, span[1] / 4, *span[2:]) for span in value) for value in values]
    assert np.allclose(table(name, "spans", values), table(name, "spans", seconds), rtol=0, atol=1e-12)


def test_characters_far_into_a_book_cost_nothing() -> None:
    far = 10**12
    a, b = ((far, far + 10**9, "A"),), ((far + 5 * 10**8, far + 10**9, "A"),)
    assert find("span_tokens")(a, b) == pytest.approx(1 / 3)
    assert find("spans_tag")(a, b) == pytest.approx(1 / 3)


def test_what_labels_and_ranges_are_worth() -> None:
    a, b = ((0, 4, "A"), (6, 8, "B")), ((0, 4, "B"), (6, 7, "B"))
    found = {name: round(find(name)(a, b), 6) for name in SPANS}
    assert found == {
        "spans_strict": 1.0,
        "spans_range": 0.5,
        "spans_tag": round(1 - 2 * 0.25 * 0.5 / 0.75, 6),
        "spans_lenient": round(1 - 2 * 0.75 / 1.75, 6),
        "span_tokens": round(1 - 2 / 11, 6),
    }


@pytest.mark.parametrize("empty", [-1, 2])
def test_two_empty_lists_are_at_most_1_apart(empty) -> None:
    for name in SPANS:
        with pytest.raises(KindError, match="empty= is the distance of two empty lists"):
            find(name, empty=empty)([], [[1, 2, "A"]])


@pytest.mark.parametrize("name", DICE)
@pytest.mark.parametrize("empty", [0.0, 1.0])
def test_span_potentials_are_sums_of_distances(name, empty) -> None:
    values = distinct(drawn, 5, 60)
    frequency = np.random.default_rng(5).integers(1, 5, len(values)).astype(float)
    distance = find(name, empty=empty)
    prepared = distance.prepared(KINDS["spans"].packed(values))
    expected = table(name, "spans", values, empty=empty) @ frequency
    assert np.allclose(distance.potential(prepared, frequency, empty=empty), expected, rtol=1e-12, atol=0)


def test_potentials_hold_for_many_sizes() -> None:
    rng = np.random.default_rng(6)
    values = []
    for size in rng.uniform(0, 9, 300):
        begin = float(rng.uniform(0, 1000))
        values.append(((begin, begin + float(np.exp(size)), str(rng.integers(2))),))
    values.append(())
    distance, packed = find("span_tokens"), KINDS["spans"].packed(values)
    frequency = rng.uniform(0, 3, len(values))
    prepared = distance.prepared(packed)
    assert len(list(kernel._by_size(prepared.size, frequency))) < 70
    expected = table("span_tokens", "spans", values) @ frequency
    assert np.allclose(distance.potential(prepared, frequency), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("name", DICE)
def test_potentials_of_nothing_but_empty_lists_are_0(name) -> None:
    distance = find(name)
    assert distance.potential(distance.prepared(KINDS["spans"].packed([()])), np.array([7.0])).tolist() == [0.0]


def test_compiled_loops_are_the_plain_ones(need) -> None:
    need("numba")
    packed = KINDS["spans"].packed(distinct(drawn, 7, 40))
    i, j = map(np.ravel, np.indices((20, 20)))
    spans, union = (
        (one.start, one.label, one.begin, one.end) for one in (packed.in_order(labels=True), packed.union(labels=True))
    )
    assert kernel.shared.plain(*union, i, j).tolist() == kernel.shared.fast(*union, i, j).tolist()
    plain_one = kernel.covered.plain(*spans, *union, i, j)
    assert plain_one.tolist() == kernel.covered.fast(*spans, *union, i, j).tolist()


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("ner", {"spans_lenient": 0.4055, "spans_strict": 0.3316, "spans_range": 0.3774, "spans_tag": 0.3599}),
        ("ner_clean", {"spans_lenient": 0.5143, "spans_strict": 0.3963, "spans_range": 0.4528, "spans_tag": 0.4521}),
    ],
)
def test_named_entities_agree_as_published(shared, file, expected) -> None:
    # Braylan, Alonso & Lease (2022), Table 1, in its reproduction; two empty lists are at distance 1 there, and
    # chance is a sample of the pairs.
    with (shared / "data" / "complex" / f"{file}.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    values = [plain(row["value"]) for row in rows]
    item = np.unique([row["item"] for row in rows], return_inverse=True)[1]
    i, j = np.triu_indices(len(values), 1)
    within = item[i] == item[j]
    packed = KINDS["spans"].packed(values)
    for name, alpha in expected.items():
        distance = find(name, empty=1.0)
        far = distance.between(distance.prepared(packed), i, j, empty=1.0)
        assert 1 - far[within].mean() / far[~within].mean() == pytest.approx(alpha, abs=0.001)


def slow_attachment(name, a, b) -> float:
    if not a and not b:
        return 0.0
    same = sum(x == y if name == "las" else x[0] == y[0] for x, y in zip(a, b, strict=False))
    return 1 - same / max(len(a), len(b))


@pytest.mark.parametrize("name", PARSES)
def test_attachment_scores_are_those_of_the_definition(name) -> None:
    values = distinct(drawn_parse, 8, 60)
    assert () in values
    found = table(name, "dependencies", values)
    expected = [[slow_attachment(name, a, b) for b in values] for a in values]
    assert np.allclose(found, expected, rtol=0, atol=1e-15)
    assert (found == found.T).all()
    assert found.max() <= 1


@pytest.mark.parametrize("name", PARSES)
def test_attachment_keeps_the_triangle_inequality(name) -> None:
    assert find(name).metric
    far = table(name, "dependencies", distinct(drawn_parse, 9, 60))
    for a, b, c in itertools.product(range(len(far)), repeat=3):
        assert far[a, c] <= far[a, b] + far[b, c] + 1e-12


@pytest.mark.parametrize("name", PARSES)
def test_attachment_potentials_are_sums_of_distances(name) -> None:
    values = distinct(drawn_parse, 10, 80)
    frequency = np.random.default_rng(10).uniform(0, 3, len(values))
    packed = KINDS["dependencies"].packed(values)
    expected = table(name, "dependencies", values) @ frequency
    assert np.allclose(find(name).potential(packed, frequency), expected, rtol=1e-12, atol=0)
    nothing = KINDS["dependencies"].packed([()])
    assert find(name).potential(nothing, np.array([3.0])).tolist() == [0.0]


def test_heads_alone_have_an_attachment_score() -> None:
    assert find("uas")([2, 0, 2], [2, 0, 1]) == pytest.approx(1 / 3)
    assert find("las")([2, 0, 2], [2, 0, 1]) == pytest.approx(1 / 3)
    assert find("las")([[2, "det"], [0, "root"]], [[2, "amod"], [0, "root"]]) == 0.5
