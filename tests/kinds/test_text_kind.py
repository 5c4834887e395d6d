"""The kind `text`: which strings look like free text, how they are cut, and what is said of what is none."""

import json

import numpy as np
import pytest

from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.kinds.text import Texts, text

NOUNS = ("cat", "dog", "cow", "hen", "owl", "ant", "bee", "fox", "elk", "emu")
SENTENCES = [f"The {noun} sat on the mat." for noun in NOUNS]


def cut(sentence: str, how: str) -> list[int]:
    return Texts((sentence,)).tokens(how).symbol.tolist()


def test_sentences_look_like_text_and_labels_do_not() -> None:
    assert text.likely(SENTENCES)
    assert not text.likely(SENTENCES[:9])  # so few may be labels with long names
    assert not text.likely([f"label {k}" for k in range(50)])
    assert not text.likely(["very long label of mine", *(f"short {k}" for k in range(20))])
    assert not text.likely(SENTENCES[:5] * 4)


def test_sentences_are_recognised() -> None:
    assert recognise(SENTENCES) == "text"


def test_real_translations_are_text(shared) -> None:
    lines = (shared / "data/complex/translations.jsonl").read_text(encoding="utf-8").splitlines()
    values = list(dict.fromkeys(json.loads(line)["value"] for line in lines))
    assert all(text.why_not(value) is None for value in values)
    assert text.likely(values)


@pytest.mark.parametrize(
    ("value", "said"), [(3, "a number"), (2.5, "a number"), ((1, 2), "a list"), (True, "true or false")]
)
def test_what_is_no_string_is_named(value, said) -> None:
    with pytest.raises(KindError, match=f"it is {said}, not a string"):
        text.packed(["fine", value])


def test_there_are_three_ways_to_cut() -> None:
    assert cut("a  b\ta. ", "spaces") == [0, 1, 2]
    assert cut("a  b\ta. ", "words") == [0, 1, 0, 2]
    assert cut("a  b a ", "blanks") == [0, 1, 2, 0, 1]
    with pytest.raises(KindError, match="'spaces', 'words', 'blanks', got tokens='letters'"):
        cut("a", "letters")


def test_tokens_are_numbered_over_all_texts() -> None:
    found = Texts(("b a", "", "a A c")).tokens("spaces")
    assert found.symbol.tolist() == [0, 1, 1, 2, 3]
    assert found.start.tolist() == [0, 2, 2, 5]
    assert found.size.tolist() == [2, 0, 3]


def test_characters_leave_white_space_out() -> None:
    found = Texts(("a b", " ", "ü\n𝄞")).characters()
    assert found.symbol.tolist() == [ord("a"), ord("b"), ord("ü"), ord("𝄞")]
    assert found.start.tolist() == [0, 2, 2, 4]


def test_there_may_be_no_texts_at_all() -> None:
    found = Texts(())
    assert len(found.tokens("spaces").size) == 0
    assert len(found.characters().size) == 0
    assert np.shape(found.strings().size) == (0,)
