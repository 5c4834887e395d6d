"""Texts and tokens of documents, spans of tokens, trimmed spans."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.documents.edges import in_tokens, trimmed
from interagree.documents.texts import Documents
from interagree.errors import DataError, KindError

TEXT = "Dr. Ann Lee visited New York, last Friday. "


def words(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(found.span() for found in re.finditer(r"\w+|[^\w\s]", text))


def study(rows: list[tuple[Any, ...]], texts: dict[Any, str] | None = None, **more: Any) -> ia.Annotations:
    columns: dict[str, Any] = {
        "item": [row[0] for row in rows],
        "annotator": [row[1] for row in rows],
        "value": [row[2] for row in rows],
        **({} if texts is None else {"text": [texts[row[0]] for row in rows]}),
        **{name: [entry] * len(rows) for name, entry in more.items()},
    }
    return ia.Annotations.of(columns, kind="spans")


def spans(found: ia.Annotations) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in found.rows()}


# -- what is known ----------------------------------------------------------------------------------------------


def test_knows_texts_tokens_and_positions() -> None:
    made = Documents.of(study([("d", "a", [[4, 11, "PER"]]), ("d", "b", [])], {"d": TEXT}))
    assert made.positions == "characters"
    assert made.text(0) == TEXT
    assert made.length(0) == len(TEXT)
    assert made.covered(0, 4, 11) == "Ann Lee"
    tokens = made.tokens(0)
    assert tokens is not None
    assert [TEXT[low:high] for low, high in tokens.tolist()][:4] == ["Dr", ".", "Ann", "Lee"]
    assert not made.tokens_given(0)


def test_nothing_is_known_of_plain_positions() -> None:
    made = Documents.of(study([("d", "a", [[0, 2, "X"]])]))
    assert (made.positions, made.text(0), made.tokens(0), made.length(0), made.covered(0, 0, 2)) == (None,) * 5


def test_tokens_that_are_given_are_kept() -> None:
    made = study([("d", "a", [[0, 2, "X"]])], {"d": TEXT}, positions="tokens", tokens=((0, 3), (4, 11), (12, 19)))
    known = Documents.of(made)
    assert known.positions == "tokens"
    assert known.length(0) == 3
    assert known.covered(0, 0, 2) == "Dr. Ann Lee"
    assert known.covered(0, 3, 3) == ""
    assert in_tokens(made) is made


def test_tokens_stand_in_order_and_texts_are_strings() -> None:
    wrong = study([("d", "a", [[0, 2, "X"]])], {"d": TEXT}, tokens=((4, 11), (0, 3)))
    with pytest.raises(DataError, match="the tokens of document 'd' overlap"):
        Documents.of(wrong).tokens(0)
    with pytest.raises(DataError, match="the text of document 'd' is int"):
        Documents.of(study([("d", "a", [[0, 2, "X"]])], text=7))


def test_spans_of_tokens_without_their_offsets_cover_nothing_known() -> None:
    known = Documents.of(study([("d", "a", [[0, 2, "X"]])], {"d": TEXT}, positions="tokens"))
    assert known.covered(0, 0, 2) is None
    assert known.length(0) is None


def test_two_texts_of_one_document_are_an_error() -> None:
    columns = {"item": ["d", "d"], "annotator": ["a", "b"], "value": [[], [[0, 1, "X"]]], "text": ["one", "two"]}
    with pytest.raises(DataError, match="document 'd' has two different entries of 'text'"):
        Documents.of(ia.Annotations.of(columns, kind="spans"))


def test_positions_must_be_one_thing() -> None:
    columns: dict[str, Any] = {"item": ["d", "e"], "annotator": ["a", "a"], "value": [[], [[0, 1, "X"]]]}
    columns["positions"] = ["tokens", "characters"]
    with pytest.raises(DataError, match="positions count tokens, characters in one study"):
        Documents.of(ia.Annotations.of(columns, kind="spans"))
    columns["positions"] = ["bytes", "bytes"]
    with pytest.raises(DataError, match="got 'bytes'"):
        Documents.of(ia.Annotations.of(columns, kind="spans"))


# -- spans of tokens --------------------------------------------------------------------------------------------


def test_a_span_takes_every_token_that_it_touches() -> None:
    rows = [("d", "a", [[4, 11, "PER"], [20, 29, "LOC"]]), ("d", "b", [[5, 12, "PER"]]), ("d", "c", [[3, 4, "PER"]])]
    made = in_tokens(study(rows, {"d": TEXT}))
    found = spans(made)
    assert found["d", "a"] == ((2, 4, "PER"), (5, 8, "LOC"))
    assert found["d", "b"] == ((2, 4, "PER"),)
    assert found["d", "c"] == ()
    assert made.kind == "spans"
    known = Documents.of(made)
    assert known.positions == "tokens"
    assert known.length(0) == len(words(TEXT))
    assert known.covered(0, 2, 4) == "Ann Lee"
    policy = made.provenance.policy()
    assert "4 spans of characters as spans of tokens; 1 began or ended inside a token" in policy
    assert "1 span that touched no token left out" in policy


def test_pieces_become_pieces_of_tokens_and_grow_together_where_they_meet() -> None:
    whole = {"start": 0, "end": 11, "fragments": [[0, 2], [8, 11]], "label": "PER", "features": {"sure": "no"}}
    near = {"start": 20, "end": 28, "fragments": [[20, 22], [22, 24], [26, 28]], "label": "LOC"}
    found = spans(in_tokens(study([("d", "a", [whole, near])], {"d": TEXT})))["d", "a"]
    first = dict(found[0])
    assert first["fragments"] == ((0, 1), (3, 4))
    assert (first["start"], first["end"], first["label"]) == (0, 4, "PER")
    assert first["features"] == (("sure", "no"),)
    assert found[1] == (5, 7, "LOC")


def test_without_texts_there_are_no_tokens() -> None:
    with pytest.raises(DataError, match="the text of 1 document is not known, such as 'd'"):
        in_tokens(study([("d", "a", [[0, 2, "X"]])]))
    with pytest.raises(KindError, match="seconds"):
        in_tokens(study([("d", "a", [[0.5, 2, "X"]])], positions="seconds"))


texts = st.text(alphabet="ab .,\n", max_size=25)
stretches = st.lists(st.tuples(st.integers(0, 25), st.integers(1, 8)), max_size=4)
written = st.lists(st.tuples(texts, stretches), min_size=1, max_size=4)


@given(written)
def test_tokens_are_those_that_a_plain_loop_finds(documents: list[tuple[str, list[tuple[int, int]]]]) -> None:
    names = {code: text for code, (text, _) in enumerate(documents)}
    rows = [(code, "a", [[low, low + size, "X"] for low, size in some]) for code, (_, some) in enumerate(documents)]
    found = spans(in_tokens(study(rows, names)))
    for code, _, some in rows:
        expected = []
        for low, high, label in some:
            touched = [k for k, (b, e) in enumerate(words(names[code])) if b < high and e > low]
            if touched:
                expected.append((touched[0], touched[-1] + 1, label))
        assert found[code, "a"] == tuple(sorted(expected))


# -- trimmed spans ----------------------------------------------------------------------------------------------


def test_whitespace_and_punctuation_are_taken_from_the_ends() -> None:
    rows = [("d", "a", [[3, 12, "PER"], [20, 30, "LOC"], [42, 43, "X"]]), ("d", "b", [[4, 11, "PER"], [20, 28, "LOC"]])]
    start = study(rows, {"d": TEXT})
    plain = trimmed(start)
    assert spans(plain)["d", "a"] == ((4, 11, "PER"), (20, 29, "LOC"))
    assert spans(plain)["d", "b"] == ((4, 11, "PER"), (20, 28, "LOC"))
    assert "2 of 5 spans trimmed" in plain.provenance.policy()
    assert "1 span of nothing but whitespace left out" in plain.provenance.policy()
    more = trimmed(start, "punctuation")
    assert spans(more)["d", "a"] == spans(more)["d", "b"] == ((4, 11, "PER"), (20, 28, "LOC"))
    assert spans(trimmed(more, "punctuation")) == spans(more)


def test_the_same_spans_in_other_texts_are_trimmed_otherwise() -> None:
    rows = [("d", "a", [[0, 3, "X"]]), ("e", "a", [[0, 3, "X"]])]
    found = spans(trimmed(study(rows, {"d": "ab c", "e": " b c"})))
    assert found == {("d", "a"): ((0, 2, "X"),), ("e", "a"): ((1, 2, "X"),)}


def test_pieces_are_trimmed_from_outside() -> None:
    text = " ab , cd . "
    whole = {"start": 0, "end": 11, "fragments": [[0, 4], [5, 8], [9, 11]], "label": "X"}
    blank = {"start": 0, "end": 5, "fragments": [[0, 1], [3, 5]], "label": "Y", "features": {"sure": "no"}}
    found = spans(trimmed(study([("d", "a", [whole, blank])], {"d": text}), "punctuation"))["d", "a"]
    assert len(found) == 1
    assert dict(found[0])["fragments"] == ((1, 4), (5, 8))
    plain = spans(trimmed(study([("d", "a", [blank])], {"d": text})))["d", "a"]
    assert plain == ((("end", 5), ("features", (("sure", "no"),)), ("label", "Y"), ("start", 4)),)


def test_what_lies_beyond_the_text_is_said() -> None:
    made = trimmed(study([("d", "a", [[0, 9, "X"], [7, 9, "Y"]])], {"d": "ab c"}))
    assert spans(made)["d", "a"] == ((0, 4, "X"),)
    assert "2 spans reached beyond the text" in made.provenance.policy()


def test_trimming_needs_text_and_characters() -> None:
    with pytest.raises(DataError, match="the text of 1 document is not known"):
        trimmed(study([("d", "a", [[0, 2, "X"]])]))
    with pytest.raises(KindError, match="positions count tokens"):
        trimmed(study([("d", "a", [[0, 2, "X"]])], {"d": TEXT}, positions="tokens"))
    with pytest.raises(KindError, match="one of 'whitespace', 'punctuation'"):
        trimmed(study([("d", "a", [[0, 2, "X"]])], {"d": TEXT}), "commas")  # type: ignore[arg-type]
    with pytest.raises(KindError, match=r"whole numbers from 0 up, as \[0.5, 2, 'X'\] in document 'd' by 'a'"):
        trimmed(study([("d", "a", [[0.5, 2, "X"]])], {"d": TEXT}))


@given(written)
def test_trimming_leaves_no_whitespace_and_loses_nothing_else(
    documents: list[tuple[str, list[tuple[int, int]]]],
) -> None:
    rows = [
        (code, "a", [[low, min(low + size, len(text)), "X"] for low, size in some if low < len(text)])
        for code, (text, some) in enumerate(documents)
    ]
    names = {code: text for code, (text, _) in enumerate(documents)}
    start = study(rows, names)
    found = spans(trimmed(start))
    for code, _, some in rows:
        inside = [names[code][low:high].strip() for low, high, _ in some]
        assert Counter(names[code][low:high] for low, high, _ in found[code, "a"]) == Counter(filter(None, inside))
    assert spans(trimmed(trimmed(start, "punctuation"), "punctuation")) == spans(trimmed(start, "punctuation"))


def test_a_span_is_trimmed_in_a_few_lines() -> None:
    rng = np.random.default_rng(0)
    text = "some words of a text, which is long. " * 20
    cells, each = 2_000, 5
    low = rng.integers(0, len(text) - 20, size=(cells, each))
    values = [[[b, b + 9, "X"] for b in sorted(row)] for row in low.tolist()]
    rows = [(k // 2, "ab"[k % 2], value) for k, value in enumerate(values)]
    start = study(rows, dict.fromkeys(range(cells // 2), text))
    assert effort(lambda: trimmed(start)) < 15 * cells * each  # 10.6 each


# -- a real export ----------------------------------------------------------------------------------------------


def exported(path: Path) -> ia.Annotations:
    rows, names = [], {}
    for task in json.loads(path.read_text(encoding="utf-8")):
        names[task["id"]] = task["data"]["text"]
        for one in task["annotations"]:
            marked = [
                [r["value"]["start"], r["value"]["end"], r["value"]["labels"][0]]
                for r in one["result"]
                if r["type"] == "labels"
            ]
            rows.append((task["id"], one["completed_by"]["id"], sorted(marked)))
    return study(rows, names)


def mean_f1(found: ia.Annotations) -> float:
    """The mean over documents and pairs of annotators of F1 of the document, without those where both are empty."""
    by_document: dict[Any, list[Counter[Any]]] = {}
    for item, _, value in found.rows():
        by_document.setdefault(item, []).append(Counter(value))
    scores = []
    for marked in by_document.values():
        for one, other in combinations(marked, 2):
            if one or other:
                scores.append(2 * (one & other).total() / (one.total() + other.total()))
    return sum(scores) / len(scores)


def test_agreement_on_a_real_export_rises_as_its_spans_are_trimmed(shared: Path) -> None:
    start = exported(shared / "data/formats/label_studio/leoka_team3_full.json")
    assert mean_f1(start) == pytest.approx(0.487, abs=5e-4)
    assert mean_f1(trimmed(start)) == pytest.approx(0.665, abs=5e-4)
    assert mean_f1(trimmed(start, "punctuation")) == pytest.approx(0.777, abs=5e-4)
    assert len(in_tokens(start)) == len(start)
