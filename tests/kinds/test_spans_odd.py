"""Spans as other tools write them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.kinds.spans import label, pieces
from interagree.plugins import KINDS

SPANS = KINDS["spans"]


def wrong(span):
    return SPANS.why_not(plain([span]))


@pytest.mark.parametrize(
    "name", ["label", "tag", "type", "category", "class", "entity", "entity_group", "entity_type", "labels"]
)
def test_a_label_has_many_names(name) -> None:
    span = plain({"start": 0, "end": 3, name: "PER", "text": "Ann"})
    packed = SPANS.packed([(span,)])
    assert (packed.names, label(span), recognise([(span,)])) == (("PER",), "PER", "spans")


def test_a_list_of_one_label_is_that_label() -> None:
    span = {"start": 0, "end": 3, "labels": ["PER"]}
    assert SPANS.packed([plain([span, {**span, "tag": "PER"}, {**span, "labels": []}])]).names == ("PER", None)


def test_a_label_that_is_there_decides() -> None:
    odd = {"type": "entity", "labels": ["ORG", "LOC"], "tag": "x"}
    assert label(plain({"start": 0, "end": 3, "label": "PER", **odd})) == "PER"
    assert label(plain({"start": 0, "end": 3, "label": None, **odd})) is None
    assert label(plain({"start": 0, "end": 3, "type": 7, "class": None})) is None


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("start", "end"),
        ("begin", "end"),
        ("start", "stop"),
        ("begin", "stop"),
        ("from", "to"),
        ("start_offset", "end_offset"),
        ("start_char", "end_char"),
    ],
)
def test_positions_have_many_names(low, high) -> None:
    span = plain({low: 3, high: 5, "label": "PER"})
    packed = SPANS.packed([(span,)])
    assert (packed.begin.tolist(), packed.end.tolist(), pieces(span)) == ([3], [5], ((3, 5),))
    whole = plain({low: 3, high: 9, "fragments": [[3, 5], [7, 9]]})
    assert SPANS.packed([(whole,)]).pieces.begin.tolist() == [3, 7]


def test_a_start_and_an_end_that_are_there_decide() -> None:
    tokens = plain({"start": 3, "end": 5, "start_char": 17, "end_char": 30})
    assert SPANS.packed([(tokens,)]).begin.tolist() == [3]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (
            {"start": 0, "end": 3, "labels": ["PER", "ORG"]},
            "there are several labels on one span, 'PER', 'ORG' (list the span once for each)",
        ),
        (
            {"start": 0, "end": 3, "type": "PER", "tag": "person"},
            "a span is 'person', 'PER' by different fields (write its label as 'label')",
        ),
        ({"start": 0, "end": 3, "labels": [5]}, "a label is 5, which is not a string"),
        (
            {"from": 0, "to": 3, "start_char": 0, "end_char": 4},
            "a span runs from 0 to 3, from 0 to 4 by different fields (give it one start and one end)",
        ),
        ({"from": 0, "stop": 3}, "a span runs from None to None"),
        ({"from": "Rome", "to": "Pisa"}, "a span runs from 'Rome' to 'Pisa'"),
        ({"fragments": 5}, "the fragments of a span are 5, not a list of [start, end]"),
        ({"fragments": True}, "the fragments of a span are True, not a list of [start, end]"),
        ({"fragments": "ab"}, "the fragments of a span are ab, not a list of [start, end]"),
        ({"fragments": [5]}, "the fragments of a span are (5,), not a list of [start, end]"),
        ({"start": 0, "end": 3, "fragments": []}, "the fragments of a span are (), not a list of [start, end]"),
        ({"start": 0, "end": 3, "fragments": 0}, "the fragments of a span are 0, not a list of [start, end]"),
    ],
)
def test_what_is_wrong_with_an_object_is_said(span, said) -> None:
    assert wrong(span) == said


# -- far positions -------------------------------------------------------------------------------------------


NOW = 1_700_000_000_000_000_000  # nanoseconds


@pytest.mark.parametrize(
    "span",
    [
        [NOW, NOW + 50, "A"],
        [0, 2**53, "A"],
        [0, 2**53 + 1, "A"],
        [-(2**53) - 1, 0, "A"],
        [0.0, 1e16, "A"],
        {"start": NOW, "end": NOW + 50},
        {"fragments": [[0, 3], [NOW, NOW + 50]]},
    ],
)
def test_positions_that_cannot_be_told_apart_are_refused(span) -> None:
    with pytest.raises(KindError, match=r"from 2\*\*53 on cannot be told apart \(count from the start of the doc"):
        SPANS.packed([plain([span])])
    assert "cannot be told apart" in wrong(span)


@pytest.mark.parametrize("far", [10**301, 10**400])
def test_whole_numbers_without_end_are_no_positions(far) -> None:
    with pytest.raises(KindError, match="a span runs from 0 to 1000"):
        SPANS.packed([((0, far, "A"),)])


def test_positions_below_are_kept_as_they_are() -> None:
    last = 2**53 - 1
    for spans in ([[last - 1, last, "A"]], [{"start": last - 1, "end": last}], [[-last, -0.0, "A"], [-3, -1, "A"]]):
        packed = SPANS.packed([plain(spans)])
        assert (packed.end > packed.begin).all()
        assert int(np.abs([packed.begin, packed.end]).max()) in (last, last - 1)


@pytest.mark.parametrize("seed", range(10))
def test_spans_packed_at_once_are_those_packed_one_by_one(seed):
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(20):
        begins = rng.integers(-5, 30, rng.integers(0, 6)).tolist()
        values.append(tuple((b, b + 1 + int(rng.integers(5)), ["X", "Y", None][rng.integers(3)]) for b in begins))
    quick, slow = SPANS.quick(values), SPANS.pack(values)
    for name in ("start", "begin", "end", "label"):
        np.testing.assert_array_equal(getattr(quick, name), getattr(slow, name))
    assert (quick.names, quick.pieces) == (slow.names, slow.pieces)
