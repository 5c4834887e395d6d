"""Offsets in code points and in UTF-16 units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interagree.gather.offsets import OffsetFit, fit, is_basic, mostly, settled, utf16_to_points, ways_told

TEXTS = st.text(st.sampled_from("aä€\n𝄞😀"), max_size=12)


def verified(text: str, spans: list[tuple[int, int, str]]) -> tuple[str | None, int]:
    """What offsets count, and how many spans do not cover the text that they should."""
    found = fit(text, spans)
    return found.unit, found.mismatches


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS)
def test_the_units_before_a_character_lead_to_the_character(text: str) -> None:
    points = utf16_to_points(text)
    assert len(points) == units(text) + 1
    for at in range(len(text) + 1):
        assert points[units(text[:at])] == at


def test_an_offset_inside_a_character_is_the_character() -> None:
    assert utf16_to_points("a😀b").tolist() == [0, 1, 1, 2, 3]


def test_half_a_character_in_a_text_is_no_error() -> None:
    assert utf16_to_points("a\ud83d").tolist() == [0, 1, 2]
    assert verified("a\ud83d😀b", [(4, 5, "b")]) == ("utf16", 0)


@pytest.mark.parametrize(("text", "basic"), [("", True), ("abc", True), ("ä€\uffff", True), ("a😀", False)])
def test_texts_of_the_basic_plane_have_one_way_of_counting(text: str, *, basic: bool) -> None:
    assert is_basic(text) == basic


@given(TEXTS, st.data())
def test_the_way_of_counting_is_found_out(text: str, data: st.DataObject) -> None:
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    covered = text[low:high]
    assert verified(text, [(low, high, covered)]) == ("points", 0)
    wide = (units(text[:low]), units(text[:high]), covered)
    assert verified(text, [wide])[1] == 0
    if text[wide[0] : wide[1]] != covered:
        assert verified(text, [wide])[0] == "utf16"


def test_the_way_that_fits_more_spans_is_taken() -> None:
    text = "😀 ann met bo"
    right = [(3, 6, "ann"), (7, 10, "met")]
    assert verified(text, [*right, (0, 3, "xyz")]) == ("utf16", 1)
    assert verified(text, [(2, 5, "ann"), (0, 3, "xyz")]) == ("points", 1)
    assert verified(text, [(0, 3, "xyz")]) == (None, 1)
    assert verified(text, []) == ("points", 0)


def test_fits_of_several_texts_add_up() -> None:
    both = fit("😀 ann", [(3, 6, "ann")]).plus(fit("bo", [(0, 2, "bo")]))
    assert both == OffsetFit(2, 1, 2, 2)
    assert (both.unit, both.mismatches) == ("utf16", 0)


def test_each_span_tells_what_it_counts_where_its_text_does() -> None:
    text = "😀 aa bb"
    spans = [(3, 5, "aa"), (2, 4, "aa"), (0, 2, "xy"), (5, 7, None), (2, 3, "a"), (3, 4, "a")]
    assert ways_told(text, spans) == ["utf16", "points", None, None, "points", None]  # (3, 4) covers an "a" both ways
    assert ways_told("plain", [(0, 5, "plain")]) == [None]


def test_a_span_that_tells_nothing_counts_as_most_others() -> None:
    assert settled(["utf16", None, "utf16", "points"]) == ["utf16", "utf16", "utf16", "points"]
    assert settled(["utf16", None, "points"]) == ["utf16", "points", "points"]
    assert settled([None], "utf16") == ["utf16"]
    assert mostly([]) == mostly([None, "points", "utf16"]) == "points"
