"""Tags and columns of units as studies, and studies as tags."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st

from interagree.data import Annotations
from interagree.data.files import Source
from interagree.documents import unit_columns
from interagree.documents.sequences import from_tags, to_tags
from interagree.documents.unit_columns import from_units
from interagree.errors import DataError, FormatError, KindError, UnknownName
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import UnitOptions
from interagree.kinds import pack

ANN = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], []]
BO = [["B-PER", "O", "O"], None, ["O"][:0]]


def rows(study: Annotations) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


# -- tags ----------------------------------------------------------------------------------------------------


def test_tags_become_spans_of_tokens_and_none_means_not_looked() -> None:
    study = from_tags({"ann": ANN, "bo": BO})
    assert rows(study) == {
        (0, "ann"): ((0, 2, "PER"),),
        (0, "bo"): ((0, 1, "PER"),),
        (1, "ann"): ((1, 2, "LOC"),),
        (2, "ann"): (),
        (2, "bo"): (),
    }
    assert study.of_kind == "spans"
    assert study.attributes["positions"].tolist() == ["tokens"] * 5
    assert study.attributes["length"].tolist() == [3, 3, 2, 0, 0]
    assert "tags read as IOB2" in study.provenance.policy()


def test_documents_have_names_in_lists_and_in_dicts() -> None:
    named = from_tags({"ann": ANN, "bo": BO}, documents=["a", "b", "c"])
    by_name = from_tags({"ann": dict(zip("abc", ANN, strict=True)), "bo": dict(zip("abc", BO, strict=True))})
    assert rows(named) == rows(by_name)
    assert named.items == ("a", "b", "c")


def test_dicts_may_have_their_documents_in_any_order() -> None:
    ann = {"a": ["B-PER", "O"], "b": ["O"], "c": ["B-LOC", "I-LOC", "O"]}
    study = from_tags({"ann": ann, "bo": dict(reversed(ann.items()))})
    assert {name: rows(study)[name, "ann"] for name in ann} == {name: rows(study)[name, "bo"] for name in ann}
    assert rows(study)["c", "bo"] == ((0, 2, "LOC"),)
    assert study.attributes["length"].tolist() == [2, 2, 1, 1, 3, 3]


def test_tokens_make_the_text() -> None:
    study = from_tags({"ann": ANN[:2], "bo": BO[:2]}, tokens=[["Ana", "Ek", "ran"], ["to", "Rome"]])
    assert study.attributes["text"].tolist() == ["Ana Ek ran", "Ana Ek ran", "to Rome"]
    assert study.attributes["tokens"].tolist()[0] == ((0, 3), (4, 6), (7, 10))
    one = {"a": ["Ana", "Ek", "ran"], "b": ["to", "Rome"]}
    tags = {"ann": dict(zip("ab", ANN, strict=False)), "bo": {"a": BO[0]}}
    both = from_tags(tags, tokens={"ann": one, "bo": {"a": one["a"]}})
    assert both.attributes["text"].tolist() == study.attributes["text"].tolist()


def test_tokens_that_differ_are_aligned_and_said() -> None:
    study = from_tags(
        {"ann": [["B-LOC", "O"]], "bo": [["B-LOC", "I-LOC", "O"]], "cy": [["B-LOC", "O", "B-PER"]]},
        tokens={"ann": [["New-York", "!"]], "bo": [["New", "-York", "!"]], "cy": [["New-York", "!", "@@"]]},
    )
    assert rows(study) == {(0, "ann"): ((0, 2, "LOC"),), (0, "bo"): ((0, 2, "LOC"),), (0, "cy"): ((0, 2, "LOC"),)}
    assert study.attributes["text"].tolist()[0] == "New-York !"
    assert study.attributes["tokens"].tolist()[0] == ((0, 3), (3, 8), (9, 10))
    said = study.provenance.policy()
    assert "tokens of 1 of 1 document differ, aligned by characters, 1 token could not be placed, 1 span lost" in said


def test_what_breaks_the_rules_is_repaired_or_left_out_and_counted() -> None:
    tags = {"ann": [["O", "I-PER", "O", "B-PER"]], "bo": [["O", "B-PER", "O", "B-PER"]]}
    lenient, strict = from_tags(tags), from_tags(tags, strict=True)
    assert rows(lenient)[0, "ann"] == ((1, 2, "PER"), (3, 4, "PER"))
    assert "1 span against the rules of IOB2 taken as the CoNLL script does" in lenient.provenance.policy()
    assert rows(strict)[0, "ann"] == ((3, 4, "PER"),)
    assert "1 span against the rules of IOB2 left out" in strict.provenance.policy()


@pytest.mark.parametrize(
    ("tags", "options", "error", "said"),
    [
        ([], {}, DataError, "a dict from each annotator"),
        ({"a": [["O"]], "b": {"d": ["O"]}}, {}, KindError, "of all annotators as lists"),
        ({"a": [["O"]], "b": []}, {}, DataError, "different numbers of sentences"),
        ({"a": [["O"]], "b": [["O", "O"]]}, {}, DataError, "document 0 has 1 tags by 'a' and 2 by 'b'"),
        ({"a": [["O"]]}, {"tokens": [["x", "y"]]}, DataError, "document 0 has 2 tokens, and 1 tags by 'a'"),
        ({"a": [["O"]]}, {"tokens": [["x"], ["y"]]}, DataError, "1 sentences of tags and 2 of tokens"),
        ({"a": [["O"]]}, {"tokens": {"b": [["x"]]}}, UnknownName, "no entry for 'a'"),
        ({"a": [["O"]], "b": [["O"]]}, {"tokens": {"a": [["x"]], "b": [["x", "y"]]}}, DataError, "1 tags by 'b' and 2"),
        ({"a": [["O"]]}, {"documents": ["x", "y"]}, DataError, "there are 1 sentences, and documents= has 2"),
        ({"a": {"x": ["O"]}}, {"documents": ["x"]}, KindError, "named by the tags already"),
        ({"a": ["O O"]}, {}, DataError, "document 0 by 'a' is the string 'O O'"),
        ({"a": [["O"], ["O", "PER"]]}, {}, FormatError, "document 1 by 'a', token 2: 'PER' is not a tag"),
        ({"a": [["O"]]}, {"scheme": "bla"}, UnknownName, "no tag scheme is called 'bla'"),
    ],
)
def test_errors_name_what_is_wrong(tags: Any, options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        from_tags(tags, **options)


@pytest.mark.parametrize("scheme", ["iob1", "iob2", "bioes", "bilou", "bmewo"])
@given(data=st.data())
def test_tags_come_back_as_they_were(scheme: str, data: st.DataObject) -> None:
    sentence = st.lists(st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b"]), min_size=1, max_size=6)
    plain = data.draw(st.lists(sentence, min_size=1, max_size=4))
    first = from_tags({"ann": plain, "bo": plain})
    written = to_tags(first, scheme=scheme)
    again = from_tags(written, scheme=scheme)
    assert rows(again) == rows(first)
    assert to_tags(again, scheme=scheme) == written


def test_spans_of_characters_are_written_on_the_tokens_they_touch() -> None:
    study = from_units(
        ["d", "d"], ["ann", "bo"], [0, 4], [7, 6], ["PER", "PER"], texts={"d": "Ana Ek ran"}, positions="characters"
    )
    assert to_tags(study) == {"ann": {"d": ["B-PER", "I-PER", "O"]}, "bo": {"d": ["O", "B-PER", "O"]}}
    assert to_tags(study, document="d", scheme="io")["ann"] == {"d": ["I-PER", "I-PER", "O"]}
    with pytest.raises(UnknownName, match="there is no document 'e'"):
        to_tags(study, document="e")


def test_what_tags_cannot_say_is_an_error() -> None:
    over = from_units(["d", "d"], ["ann", "ann"], [0, 1], [2, 3], ["a", "b"])
    with pytest.raises(DataError, match=r"document 'd' by 'ann': the spans \[0, 2\) a and \[1, 3\) b overlap"):
        to_tags(over)
    touching = from_units(["d", "d"], ["ann", "ann"], [0, 2], [2, 3], ["a", "a"])
    with pytest.raises(DataError, match="IO tags cannot part 1 span from the one right before"):
        to_tags(touching, scheme="io")
    pieces = Annotations.of([("d", "ann", [{"fragments": [[0, 1], [2, 3]], "label": "a"}])], kind="spans")
    with pytest.raises(KindError, match="lies in several pieces"):
        to_tags(pieces)


# -- columns -------------------------------------------------------------------------------------------------


def test_columns_of_units_are_the_study_that_units_one_by_one_are() -> None:
    rng = np.random.default_rng(3)
    n = 500
    document, annotator = rng.integers(0, 20, n).tolist(), rng.choice(["a", "b", "c"], n).tolist()
    start = rng.integers(0, 50, n)
    end = start + rng.integers(0, 9, n)
    label = [None if number == 0 else f"l{number}" for number in rng.integers(0, 4, n).tolist()]
    gathered = Gatherer("test", [Source("test", None)], units=UnitOptions())
    gathered.looked(99, "d", "units", "test", kind="spans")
    for d, a, *unit in zip(document, annotator, start.tolist(), end.tolist(), label, strict=True):
        gathered.add(Mark("units", d, a, Span(*unit), "test"))
    slow = gathered.study("units").single()
    for columns in (
        (document, annotator, start, end, label),
        (np.array(document), np.array(annotator), start, end, label),
    ):
        fast = from_units(*columns, looked=[(99, "d")])
        assert rows(fast) == rows(slow)
        assert f"{int((start == end).sum())} units without length left out" in fast.provenance.policy()
        assert fast.of_kind == "spans"
        assert len(set(fast.values)) == len(fast.values)
        made, packed = (
            fast.shared(("packed", "spans"), dict),
            pack(fast.values, ("spans",), who="this", given="spans"),
        )
        for part in ("start", "begin", "end", "label"):
            assert np.array_equal(getattr(made, part), getattr(packed, part))
            assert getattr(made, part).dtype == getattr(packed, part).dtype
        assert (made.names, made.pieces) == (packed.names, packed.pieces)


def test_times_and_units_without_labels() -> None:
    study = from_units([1, 1], ["a", "b"], [0.5, 0.25], [1.5, 2.0], positions="seconds")
    assert rows(study) == {(1, "a"): ((0.5, 1.5, None),), (1, "b"): ((0.25, 2.0, None),)}
    assert "did not look at it" in study.provenance.policy()


def test_texts_and_tokens_travel_with_documents() -> None:
    study = from_units(
        ["d", "e"], ["a", "a"], [0, 0], [1, 1], ["x", "x"], texts={"d": "Hi you"}, tokens={"d": [(0, 2), (3, 6)]},
        positions="tokens", looked=[("d", "b")],
    )  # fmt: skip
    assert study.attributes["text"].tolist() == ["Hi you", "Hi you", None]
    assert study.attributes["tokens"].tolist() == [((0, 2), (3, 6)), ((0, 2), (3, 6)), None]
    assert rows(study)["d", "b"] == ()


@pytest.mark.parametrize(
    ("columns", "options", "error", "said"),
    [
        ((["d"], ["a"], [0, 1], [1]), {}, DataError, "of one length"),
        ((["d"], ["a"], [3], [1]), {}, DataError, "in 'd' by 'a' runs from 3 to 1"),
        ((["d"], ["a"], [float("nan")], [1]), {}, DataError, "runs from nan to 1"),
        ((["d"], ["a"], ["0"], [1]), {}, DataError, "the column start of units holds a number"),
        ((["d"], ["a"], [0], [1], [7]), {}, DataError, "labels of units are strings"),
        ((["d", None], ["a", "a"], [0, 0], [1, 1]), {}, DataError, "row 2 of the units has no document"),
        ((["d"], ["a"], [0], [1]), {"looked": ["d"]}, DataError, "pairs"),
        ((["d"], ["a"], [0], [1]), {"positions": "pages"}, KindError, "positions must be"),
    ],
)
def test_columns_that_are_wrong(columns: Any, options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        from_units(*columns, **options)


# -- speed ---------------------------------------------------------------------------------------------------


def test_a_sentence_is_a_line_or_two_of_work() -> None:
    rng = np.random.default_rng(0)
    kinds = [list(one) for one in product(["O", "B-PER", "I-PER", "B-LOC"], repeat=5)]

    def work(sentences: int) -> int:
        tags = {who: [kinds[at] + kinds[-at] for at in rng.integers(0, len(kinds), sentences)] for who in "ab"}
        assert len(from_tags(tags)) == 2 * sentences
        return effort(lambda: from_tags(tags))

    few, many = work(20_000), work(30_000)  # each has nearly all of the 1,024 kinds of sentence
    assert many - few < 2 * 2 * 10_000


def test_lists_with_one_number_are_compared_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = ([1, 1, 2, 2, 3], list("ababa"), [0, 1, 0, 0, 5], [4, 4, 4, 4, 6], list("xxyxx"))
    plain = rows(from_units(*columns))
    monkeypatch.setattr(unit_columns, "MIX", np.uint64(0))
    assert rows(from_units(*columns)) == plain
