"""How a segmented document is written, what is wrong with one that is not, and what is made of it."""

from __future__ import annotations

import numpy as np
import pytest

import interagree as ia
from interagree.data.values import plain
from interagree.documents.segmenting import as_segments
from interagree.errors import DataError, KindError
from interagree.kinds import recognise
from interagree.plugins import KINDS

segments = KINDS["segments"]


def boundaries(packed, k):
    here = slice(packed.start[k], packed.start[k + 1])
    return [(int(at), packed.types[code]) for at, code in zip(packed.at[here], packed.type[here], strict=True)]


def test_one_segmentation_in_all_its_forms():
    ways = [
        [2, 3, 6],
        [2.0, 3, 6],
        {"boundaries": [5, 2], "length": 11},
        {"boundaries": [2, 5], "length": 11.0, "note": "clear"},
    ]
    packed = segments.packed(list(map(plain, ways)))
    assert packed.length.tolist() == [11] * 4
    assert [boundaries(packed, k) for k in range(4)] == [[(2, None), (5, None)]] * 4


def test_a_document_without_a_boundary():
    packed = segments.packed([plain(way) for way in ([12], {"boundaries": [], "length": 12}, [[]] * 11)])
    assert packed.length.tolist() == [12] * 3
    assert len(packed.at) == 0
    assert packed.types == ()


def test_several_types_of_boundary():
    ways = [{"boundaries": {"topic": [2, 4], "mood": [4]}, "length": 6}, [[], ["topic"], [], ["topic", "mood"], []]]
    packed = segments.packed(list(map(plain, ways)))
    assert packed.types == ("mood", "topic")
    assert [boundaries(packed, k) for k in range(2)] == [[(2, "topic"), (4, "mood"), (4, "topic")]] * 2
    assert boundaries(packed.only("topic"), 0) == [(2, "topic"), (4, "topic")]
    assert boundaries(packed.without_types(), 1) == [(2, None), (4, None)]
    assert packed.without_types().ends.tolist() == [2, 4, 6, 2, 4, 6]


def test_types_are_whole_numbers_before_strings_before_none():
    packed = segments.packed([plain(way) for way in ([["10"], [2], ["b"]], [1, 3])])
    assert packed.types == (2, 10, "b", None)


def test_types_of_different_values_stay_apart_without_them():
    packed = segments.packed([plain(way) for way in ([[1], []], [["x"], []])])
    assert boundaries(packed.without_types(), 1) == [(1, None)]


def test_quickly_packed_is_the_same():
    values = [(2, 3, 6), (11,), (1, 10)]
    quick, slow = segments.quick(values), segments.pack(values)
    for name in ("start", "at", "type", "length", "ends"):
        np.testing.assert_array_equal(getattr(quick, name), getattr(slow, name))
    assert quick.types == slow.types
    assert segments.quick([(2, 3.0)]) is None
    assert segments.quick([(2, 0)]) is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("x", "it is not a list"),
        ([], "a document has no segment"),
        ([2, 0, 3], "a segment is 0 units long"),
        ([2, 2.5], "a segment is 2.5 units long"),
        ([True, 2], "a segment is True units long"),
        ([10**30, 2], "a document is 1e+30 units long, more than can be counted"),
        ({"boundaries": [1], "length": 10**13}, "a document is 1e+13 units long, more than can be counted"),
        ([2, None], "a segment is None units long"),
        ([2, "x"], "a segment is 'x' units long"),
        ({"boundaries": [1], "length": 0}, "a document is 0 units long"),
        ({"boundaries": 3, "length": 5}, "the boundaries are 3"),
        ({"boundaries": [5], "length": 5}, "a boundary after unit 5 of 5"),
        ({"boundaries": [0], "length": 5}, "a boundary after unit 0 of 5"),
        ({"boundaries": [2, 2], "length": 5}, "the boundary after unit 2 occurs twice"),
        ({"boundaries": {"x": 3}, "length": 5}, "the boundaries of a type are 3"),
        ({"boundaries": {"x": [7]}, "length": 5}, "a boundary after unit 7 of 5"),
        ([[1], [None]], "a type of boundary is None, neither a string nor a whole number"),
        ([[1], [1, "1"]], "a potential boundary has a type twice, (1, '1')"),
    ],
)
def test_what_is_wrong_with_a_value(value, said):
    assert segments.why_not(plain(value)).startswith(said)
    with pytest.raises(KindError, match="segmented documents were expected, each a list of the lengths"):
        segments.packed([plain(value)])


def test_bare_lists_of_numbers_are_segments_only_where_that_is_said():
    assert not segments.likely([(2, 3, 6), (5, 6)])
    assert recognise([(2, 3, 6), (5, 6)]) != "segments"
    assert segments.likely([plain({"boundaries": [2], "length": 4}), (4,)])
    study = ia.Annotations.of([("d", "a", [2, 3]), ("d", "b", [5])], kind="segments")
    assert study.kind == "segments"


# Spans that cover documents


def spans(*rows):
    return ia.Annotations.of(list(rows), kind="spans")


def test_spans_from_end_to_end_are_segments():
    study = as_segments(spans(("d", "a", [[5, 9, "y"], [0, 5, "x"]]), ("d", "b", [[0, 9]])))
    assert study.rows() == [("d", "a", (5, 4)), ("d", "b", (9,))]
    assert study.kind == "segments"
    assert "3 spans as segments" in study.provenance.policy()


def test_a_document_without_a_text_begins_where_the_first_span_does():
    study = as_segments(spans(("d", "a", [[3, 5], [5, 9]])))
    assert study.rows() == [("d", "a", (2, 4))]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ([[0, 5], [6, 9]], "those of 'a' in document 'd' leave one from 5 to 6"),
        ([[1, 9]], "those of 'a' in document 'd' leave one from 0 to 1"),
        ([[0, 8]], "those of 'a' in document 'd' leave one from 8 to 9"),
        ([[0, 5], [4, 9]], "two of 'a' in document 'd' do, from 4 to 5"),
        ([], "'a' in document 'd' marked nothing"),
    ],
)
def test_gaps_and_overlaps_are_named(marked, said):
    with pytest.raises(DataError, match=said):
        as_segments(spans(("d", "a", marked), ("d", "b", [[0, 9]])))


TEXT = "One two. Three four. Five."


def with_text():
    marked = {"a": [[0, 8], [9, 26]], "b": [[0, 9], [9, 20], [20, 26]]}
    rows = [{"item": "d", "annotator": who, "value": value, "text": TEXT} for who, value in marked.items()]
    return ia.Annotations.of(rows, kind="spans")


def test_whitespace_is_no_gap_and_a_boundary_comes_after_it():
    assert as_segments(with_text()).rows() == [("d", "a", (9, 17)), ("d", "b", (9, 12, 5))]
    assert as_segments(with_text(), positions="characters").rows() == as_segments(with_text()).rows()


def test_segments_of_tokens():
    assert as_segments(with_text(), positions="tokens").rows() == [("d", "a", (3, 5)), ("d", "b", (3, 3, 2))]


def test_positions_are_characters_or_tokens():
    with pytest.raises(KindError, match="positions= takes one of 'characters', 'tokens'"):
        as_segments(with_text(), positions="words")
    rows = [{"item": "d", "annotator": "a", "value": [[0, 2]], "positions": "tokens"}]
    with pytest.raises(KindError, match="segments of characters were asked for, and positions count tokens"):
        as_segments(ia.Annotations.of(rows, kind="spans"), positions="characters")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((2, 3, 6), "after 2, 5 (of 11 units)"),
        ((1,), "no boundary (of 1 unit)"),
        (((), (1,), (2, 3)), "1 after 2; 2 after 3; 3 after 3 (of 4 units)"),
        (
            (("boundaries", (("mood", (4,)), ("topic", (5, 2)))), ("length", 11)),
            "mood after 4; topic after 2, 5 (of 11 units)",
        ),
        ("nonsense", "nonsense"),
    ],
)
def test_segments_are_told_in_words(value, words):
    assert KINDS["segments"].words(value, None) == words
