"""Tags as spans and back, leniently and strictly."""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interagree.documents.tags import LETTERS, coded, scheme_called, spans_of, tags_of
from interagree.errors import DataError, FormatError, UnknownName

LOSSLESS = [name for name in LETTERS if name != "io"]
TAGS = ["O", *(f"{letter}-{label}" for letter in "BIES" for label in "ab")]
Found = list[tuple[int, int, int, str | None]]


def decoded(sentences: list[list[str]], scheme: str = "auto", **options: Any) -> Found:
    found = spans_of([tag for one in sentences for tag in one], starts(sentences), scheme, **options)
    names = [found.labels[place] for place in found.label]
    return list(zip(found.sentence.tolist(), found.begin.tolist(), found.end.tolist(), names, strict=True))


def starts(sentences: list[list[str]]) -> list[int]:
    return [0, *accumulate(map(len, sentences))]


def written(spans: Found, lengths: list[int], scheme: str) -> tuple[list[list[str]], int]:
    labels = list(dict.fromkeys(label for *_, label in spans))
    columns = [np.array([span[at] for span in spans], dtype=int) for at in range(3)]
    code = np.array([labels.index(span[3]) for span in spans], dtype=int)
    made = tags_of((*columns, code, labels), lengths, scheme)
    bounds = made.starts.tolist()
    return [made.tags[a:b] for a, b in pairwise(bounds)], made.merged


@st.composite
def documents(draw: Any) -> tuple[Found, list[int]]:
    """Sentences with spans that do not overlap, some of them touching."""
    spans: Found = []
    lengths = []
    for sentence in range(draw(st.integers(1, 4))):
        at = 0
        for gap, size, label in draw(
            st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(["A", "B-x", None])), max_size=5)
        ):
            spans.append((sentence, at + gap, at + gap + size, label))
            at += gap + size
        lengths.append(at + draw(st.integers(0, 2)))
    return spans, lengths


@pytest.mark.parametrize("scheme", LOSSLESS)
@given(made=documents())
def test_spans_written_and_read_are_the_same_spans(scheme: str, made: tuple[Found, list[int]]) -> None:
    spans, lengths = made
    tags, merged = written(spans, lengths, scheme)
    assert [len(one) for one in tags] == lengths
    assert merged == 0
    assert decoded(tags, scheme) == spans
    assert decoded(tags, scheme, strict=True) == spans
    assert decoded(tags) == spans  # whatever the scheme is recognised as, the spans are the same


@given(made=documents())
def test_io_merges_spans_of_one_label_that_touch_and_says_how_many(made: tuple[Found, list[int]]) -> None:
    spans, lengths = made
    tags, merged = written(spans, lengths, "io")
    joined: Found = []
    for sentence, begin, end, label in spans:
        if joined and joined[-1][0] == sentence and joined[-1][2:] == (begin, label):
            joined[-1] = (sentence, joined[-1][1], end, label)
        else:
            joined.append((sentence, begin, end, label))
    assert decoded(tags, "io") == joined
    assert merged == len(spans) - len(joined)


@pytest.mark.parametrize("scheme", LOSSLESS)
@given(sentences=st.lists(st.lists(st.sampled_from(TAGS), max_size=8)))
def test_any_tags_are_read_as_by_the_rules_of_the_evaluation_script(scheme: str, sentences: list[list[str]]) -> None:
    letters = LETTERS[scheme]
    sentences = [[tag for tag in one if tag == "O" or tag[0] in letters] for one in sentences]
    assert decoded(sentences, scheme) == conlleval(sentences)


def conlleval(sentences: list[list[str]]) -> Found:
    """Token by token, as the script says when a chunk ends and when one begins."""
    found: Found = []
    for number, tags in enumerate(sentences):
        before, kind, begin = "O", "", 0
        for at, tag in enumerate([*tags, "O"]):
            letter, _, label = tag.partition("-")
            ends = before in "ES" and before != "O"
            ends |= before in "BI" and letter in "BSO"
            ends |= before != "O" and kind != label
            opens = letter in "BS" and letter != "O"
            opens |= before in "ESO" and letter in "EI"
            opens |= letter != "O" and kind != label
            if ends:
                found.append((number, begin, at, kind))
            if opens:
                begin = at
            before, kind = letter, label
    return found


# (tags, spans here, spans of seqeval 1.2.2 in its strict mode)
STRICT_IOB1 = [
    ("B-X I-X", [], [(1, 2)]),
    ("I-X B-X I-X", [(0, 1), (1, 3)], [(0, 1), (1, 3)]),
    ("O I-X I-X", [(1, 3)], [(1, 3)]),
]


@pytest.mark.parametrize(("tags", "spans", "theirs"), STRICT_IOB1)
def test_strict_iob1_is_that_of_seqeval_where_tags_keep_to_the_rules(
    tags: str, spans: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> None:
    found = spans_of(tags.split(), [0, len(tags.split())], "iob1", strict=True)
    assert list(zip(found.begin.tolist(), found.end.tolist(), strict=True)) == spans
    lenient = spans_of(tags.split(), [0, len(tags.split())], "iob1")
    assert (spans == theirs) == (lenient.repaired == 0)


def test_figures_of_seqeval(shared: Path) -> None:
    cases = json.loads((shared / "published/spans/seqeval_lenient_vs_strict.json").read_text(encoding="utf-8"))
    for case in cases["cases"]:
        for strict, key in ((False, "f1_lenient_conlleval"), (True, "f1_strict_IOB2")):
            a, b = (set(decoded(case[side], "iob2", strict=strict)) for side in "ab")
            assert 2 * len(a & b) / (len(a) + len(b)) == pytest.approx(case[key])


@pytest.mark.parametrize(
    ("tags", "scheme", "repaired"),
    [
        ("O O", "iob2", 0),
        ("B-a I-a O B-a", "iob2", 0),
        ("I-a I-a O I-b", "io", 0),
        ("I-a B-a O I-b", "iob1", 0),
        ("B-a O I-a O B-a", "iob2", 1),  # one I that begins a span, against two B that should be I
        ("B-a E-a S-b", "bioes", 0),
        ("B-a L-a U-b", "bilou", 0),
        ("B-a M-a E-a W-b", "bmewo", 0),
        ("B-a I-a O S-b", "bioes", 1),
        ("B O I", "iob2", 1),
    ],
)
def test_the_scheme_is_recognised_and_what_breaks_it_is_counted(tags: str, scheme: str, repaired: int) -> None:
    found = spans_of(tags.split(), [0, len(tags.split())])
    assert (found.scheme, found.repaired) == (scheme, repaired)
    kept = spans_of(tags.split(), [0, len(tags.split())], strict=True)
    assert len(found.begin) - len(kept.begin) == repaired == kept.repaired


@pytest.mark.parametrize(
    ("tags", "scheme", "said"),
    [
        (["O", "X-PER"], "auto", "sentence 1, token 2: 'X-PER' is not a tag"),
        (["O", "O", "PER"], "auto", "sentence 2, token 1: 'PER' is not a tag"),
        (["O", "O", "O", "B-"], "auto", "sentence 2, token 2: 'B-' is not a tag"),
        (["O", "O", "O", None], "auto", "sentence 2, token 2: None is not a tag"),
        (["O", "S-a"], "bio", "sentence 1, token 2: 'S-a' is not a tag of the scheme iob2"),
        (["L-a", "S-a"], "auto", "the tags have the letters L, S, which no scheme has together"),
    ],
)
def test_a_tag_that_is_none_is_named_with_its_place(tags: list[Any], scheme: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        spans_of(tags, [0, 2, len(tags)], scheme)


def test_sentences_can_have_names() -> None:
    with pytest.raises(FormatError, match="letter 1, token 1: 'PER'"):
        spans_of(["O", "PER"], [0, 1, 2], describe="letter {}".format)


def test_spans_that_overlap_or_leave_their_sentence_cannot_be_written() -> None:
    with pytest.raises(DataError, match=r"sentence 1: the spans \[0, 3\) A and \[2, 4\) B overlap"):
        written([(0, 0, 3, "A"), (0, 2, 4, "B")], [5], "iob2")
    with pytest.raises(DataError, match=r"sentence 2 has 3 tokens, and a span \[2, 4\) A"):
        written([(1, 2, 4, "A")], [5, 3], "iob2")


def test_names_of_schemes() -> None:
    assert [scheme_called(name) for name in ("BIO", "IOB-2", "BILOU", "iobes", "IO")] == [
        "iob2",
        "iob2",
        "bilou",
        "bioes",
        "io",
    ]
    with pytest.raises(UnknownName, match="Did you mean 'bioes'"):
        scheme_called("bioess")


ODD = ["O", "B-a", "I-a", "B-é", "I-😀", "B-" + "long" * 5, "B-" + "long" * 30, "B-a\nb", "", "OO", "B", "\ud800"]


def test_more_tags_than_a_byte_has_values_are_told_apart() -> None:
    sentences = [[f"B-{number}", "O"] for number in range(400)] * 2
    found = coded(sentences)
    assert found.at.tolist() == list(range(0, 1600, 2))
    assert [found.names[code] for code in found.codes] == [one for one, _ in sentences]


@pytest.mark.parametrize("tag", ODD)
def test_odd_tags_are_kept_as_they_are(tag: str) -> None:
    found = coded([["O", tag], [], [tag]])
    assert found.names == (() if tag == "O" else (tag,))
    assert found.at.tolist() == ([] if tag == "O" else [1, 2])
