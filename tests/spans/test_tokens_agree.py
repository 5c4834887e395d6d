"""Agreement on the tags of tokens."""

from __future__ import annotations

import json
import math
import tomllib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.documents.edges import in_tokens
from interagree.errors import DataError, KindError, UnknownName
from interagree.spans.tokens import Spots, tagged, token_agreement
from interagree.stats.engine.estimate import Estimate
from interagree.tables import Table

DECK = tomllib.loads((Path(__file__).parents[1] / "published" / "tokens.toml").read_text(encoding="utf-8"))

Marked = dict[tuple[Any, Any], list[list[Any]]]


def study(marked: Marked) -> ia.Annotations:
    return ia.Annotations.of([(item, who, spans) for (item, who), spans in marked.items()], kind="spans")


def spans_of(tags: list[str]) -> list[list[Any]]:
    """The spans that tags mean."""
    found: list[list[Any]] = []
    for place, tag in enumerate(tags):
        if tag.startswith("B-"):
            found.append([place, place + 1, tag[2:]])
        elif tag.startswith("I-"):
            found[-1][1] = place + 1
    return found


def deck() -> ia.Annotations:
    return study({("sentence", who): spans_of(tags) for who, tags in DECK["tags"].items()})


# -- printed numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("expected", DECK["expected"], ids=lambda one: f"{one['coefficient']}-{one['encoding']}")
def test_gives_the_numbers_of_the_lecture_and_not_the_wrong_one(expected: dict[str, Any]) -> None:
    result = token_agreement(deck(), expected["coefficient"], encoding=expected["encoding"])
    for name in ("value", "observed_agreement", "expected_agreement"):
        if name in expected:
            assert getattr(result, name) == pytest.approx(float(Fraction(expected[name])), abs=1e-12)
    for wrong in expected.get("never", ()):
        assert abs(result.value - wrong) > 5e-4


def test_the_collection_has_the_same_numbers(shared: Path) -> None:
    source = json.loads((shared / "published/spans/deck004_token_kappa.json").read_text(encoding="utf-8"))
    assert source["input"]["Jin"] == DECK["tags"]["Jin"]
    assert source["input"]["Maya"] == DECK["tags"]["Maya"]
    numbers = {entry["fraction"] for entry in source["expected"].values()}
    assert {str(Fraction(one["value"])) for one in DECK["expected"]} <= numbers


# -- a plain twin -----------------------------------------------------------------------------------------------


def plain_tags(spans: list[list[Any]], length: int, encoding: str) -> list[str]:
    tags = ["O"] * length
    for begin, end, label in spans:
        for place in range(begin, end):
            head = "B" if encoding == "bio" and place == begin else "I"
            tags[place] = "marked" if encoding == "binary" else f"{head}-{label}"
    return tags


def plain_kappa(one: list[Any], other: list[Any]) -> float:
    n = len(one)
    first, second = Counter(one), Counter(other)
    seen = sum(a == b for a, b in zip(one, other, strict=True)) / n
    chance = sum(first[tag] * second[tag] for tag in first) / n**2
    return (seen - chance) / (1 - chance) if chance < 1 else math.nan


def plain_alpha(items: list[list[Any]]) -> float:
    used = [item for item in items if len(item) > 1]
    total = Counter(tag for item in used for tag in item)
    n = total.total()
    observed = sum(sum(a != b for a in item for b in item) / (len(item) - 1) for item in used) / n if n else math.nan
    expected = sum(total[a] * total[b] for a in total for b in total if a != b) / (n * (n - 1)) if n > 1 else 0.0
    return 1 - observed / expected if expected else math.nan


@st.composite
def apart(draw: st.DrawFn) -> list[list[Any]]:
    """Spans that do not overlap within ten positions."""
    edges = sorted(draw(st.sets(st.integers(0, 10), max_size=8)))
    spans = zip(edges[::2], edges[1::2], strict=False)
    return [[begin, end, draw(st.sampled_from("XYZ"))] for begin, end in spans]


@given(
    st.dictionaries(st.tuples(st.integers(0, 3), st.sampled_from("ab")), apart(), min_size=2),
    st.sampled_from(["bio", "io", "binary"]),
)
def test_is_the_coefficient_of_tags_written_by_hand(marked: Marked, encoding: Any) -> None:
    by_token: dict[Any, dict[Any, str]] = {}
    for (item, who), spans in marked.items():
        for place, tag in enumerate(plain_tags(spans, 10, encoding)):
            by_token.setdefault((item, place), {})[who] = tag
    alpha = token_agreement(study(marked), encoding=encoding, length=10)
    expected = plain_alpha([list(tags.values()) for tags in by_token.values()])
    assert alpha.value == pytest.approx(expected, nan_ok=True, abs=1e-9)
    both = [tags for tags in by_token.values() if len(tags) == 2]
    if both:
        kappa = token_agreement(study(marked), "cohen_kappa", encoding=encoding, length=10)
        expected = plain_kappa([tags["a"] for tags in both], [tags["b"] for tags in both])
        assert kappa.value == pytest.approx(expected, nan_ok=True, abs=1e-9)


anywhere = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 5), st.sampled_from("XY")).map(
        lambda one: [one[0], min(one[0] + one[1], 10), one[2]]
    ),
    max_size=4,
)


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.sampled_from("abc")), anywhere, min_size=2))
def test_labels_one_by_one_may_overlap(marked: Marked) -> None:
    data = study(marked)
    table = token_agreement(data, encoding="per_label", length=10)
    used = sorted({label for spans in marked.values() for _, _, label in spans})
    assert list(table["label"]) == used
    for label, value, count in zip(table["label"], table["value"], table["marked"], strict=True):
        tokens: dict[Any, list[bool]] = {}
        for (item, _), spans in marked.items():
            covered = {place for begin, end, name in spans if name == label for place in range(begin, end)}
            for place in range(10):
                tokens.setdefault((item, place), []).append(place in covered)
        assert value == pytest.approx(plain_alpha(list(tokens.values())), nan_ok=True, abs=1e-9)
        assert count == sum(map(any, tokens.values()))
        assert token_agreement(data, encoding="per_label", label=label, length=10).value == pytest.approx(
            value, nan_ok=True
        )


def test_the_order_of_rows_spans_and_annotators_does_not_matter() -> None:
    marked: Marked = {
        (0, "a"): [[0, 2, "X"], [4, 6, "Y"]], (0, "b"): [[0, 3, "X"]],
        (1, "a"): [[2, 3, "Y"]], (1, "b"): [[2, 3, "Y"], [7, 9, "X"]],
    }  # fmt: skip
    turned = {(item, {"a": "b", "b": "a"}[who]): spans[::-1] for (item, who), spans in reversed(marked.items())}
    one, other = (token_agreement(study(each), "cohen_kappa", length=9) for each in (marked, turned))
    assert one.value == pytest.approx(other.value)
    assert one.standard_error() == pytest.approx(other.standard_error())


def test_all_the_same_is_full_agreement() -> None:
    marked: Marked = {(item, who): [[item, item + 2, "X"]] for item in range(3) for who in "abc"}
    for encoding in ("bio", "io", "binary"):
        assert token_agreement(study(marked), encoding=encoding, length=6).value == 1  # type: ignore[call-overload]


# -- tokens, characters, positions ------------------------------------------------------------------------------


def with_text(value: list[tuple[Any, Any, list[list[Any]]]], text: str) -> ia.Annotations:
    columns = {
        "item": [row[0] for row in value],
        "annotator": [row[1] for row in value],
        "value": [row[2] for row in value],
        "text": [text] * len(value),
    }
    return ia.Annotations.of(columns, kind="spans")


def test_spans_of_characters_are_compared_by_tokens_of_the_text() -> None:
    text = "Ann Lee visited New York."
    data = with_text([("d", "a", [[0, 7, "PER"], [16, 24, "LOC"]]), ("d", "b", [[0, 3, "PER"], [16, 24, "LOC"]])], text)
    tokens = token_agreement(data)
    assert tokens.n.items == 6
    assert tokens.value == token_agreement(in_tokens(data)).value
    characters = token_agreement(data, level="characters")
    assert characters.n.items == len(text)
    assert token_agreement(data, level="positions").value == characters.value
    with pytest.raises(KindError, match="positions count tokens"):
        token_agreement(in_tokens(data), level="characters")


def test_tags_of_spans_without_labels_and_in_pieces() -> None:
    pieces = {"start": 0, "end": 6, "fragments": [[0, 2], [4, 6]], "label": "X"}
    data = ia.Annotations.of([("d", "a", [pieces]), ("d", "b", [[1, 3]]), ("d", "c", [])], kind="spans")
    made = tagged(data, length=7)
    by_annotator: dict[Any, list[str]] = {}
    for (_, _place), who, tag in sorted(made.rows()):
        by_annotator.setdefault(who, []).append(tag)
    assert by_annotator == {
        "a": ["B-X", "I-X", "O", "O", "I-X", "I-X", "O"],
        "b": ["O", "B", "I", "O", "O", "O", "O"],
        "c": ["O"] * 7,
    }
    assert made.items[-1] == ("d", 6)
    assert set(made.values) == {"B", "B-X", "I", "I-X", "O"}
    with pytest.raises(KindError, match="labels one by one have no tags"):
        tagged(data, encoding="per_label")  # type: ignore[arg-type]


def test_the_values_are_the_tags_that_occur() -> None:
    assert tagged(deck()).values == ("B-DATE", "B-LOC", "B-PER", "I-DATE", "I-LOC", "I-PER", "O")
    assert tagged(deck(), encoding="io").values == ("I-DATE", "I-LOC", "I-PER", "O")
    assert tagged(deck(), encoding="binary").values == ("I", "O")
    nameless = ia.Annotations.of([("d", "a", [[0, 1]]), ("d", "b", [[0, 2]])], kind="spans")
    with pytest.raises(KindError, match="no span has a label"):
        token_agreement(nameless, encoding="per_label")


def test_one_who_did_not_look_has_no_tags() -> None:
    data = study({("d", "a"): [[0, 1, "X"]], ("d", "b"): [], ("e", "a"): [[0, 2, "X"]]})
    made = tagged(data, length=3)
    assert len(made) == 9
    assert "1 item" not in made.provenance.policy()


def test_the_length_of_documents() -> None:
    marked: Marked = {("d", "a"): [[0, 1, "X"]], ("d", "b"): [[0, 2, "X"]], ("e", "a"): [], ("e", "b"): []}
    guessed = token_agreement(study(marked))
    assert guessed.n.items == 2
    assert any("the length of 2 documents is not known" in note for note in guessed.notes)
    told = token_agreement(study(marked), length=5)
    assert told.n.items == 10
    assert not any("not known" in note for note in told.notes)
    columns = {
        "item": list("dd"), "annotator": list("ab"), "value": [[[0, 1, "X"]], [[0, 2, "X"]]], "words": [4, 4],
    }  # fmt: skip
    by_name = token_agreement(ia.Annotations.of(columns, kind="spans"), length="words")
    assert by_name.n.items == 4
    with pytest.raises(DataError, match=r"which has 1 tokens: \[0, 2, 'X'\] in document 'd' by 'b'"):
        token_agreement(study(marked), length=1)
    with pytest.raises(DataError, match="whole number"):
        token_agreement(study(marked), length=2.5)


# -- what cannot be done ----------------------------------------------------------------------------------------


def test_overlapping_spans_of_one_annotator_are_named() -> None:
    data = study({("d", "a"): [[0, 3, "X"], [2, 5, "Y"]], ("d", "b"): [[0, 3, "X"]]})
    with pytest.raises(DataError, match=r"\[0, 3, 'X'\] and \[2, 5, 'Y'\] in document 'd' by 'a'.*per_label"):
        token_agreement(data)
    with pytest.raises(DataError, match="overlap"):
        token_agreement(data, encoding="io")
    assert token_agreement(data, encoding="binary").n.items == 5
    other = data.only(annotators=["b"])  # the value of the other is still among the values
    assert token_agreement(other).undefined is not None


def test_a_span_in_pieces_may_hold_another_in_its_gap() -> None:
    pieces = {"start": 0, "end": 6, "fragments": [[0, 2], [4, 6]], "label": "X"}
    data = ia.Annotations.of([("d", "a", [pieces, [2, 4, "Y"]]), ("d", "b", [[2, 4, "Y"]])], kind="spans")
    assert token_agreement(data).n.items == 6


def test_what_is_wrong_is_said() -> None:
    data = deck()
    with pytest.raises(KindError, match="encoding= takes one of 'bio'"):
        token_agreement(data, encoding="iob1")  # type: ignore[call-overload]
    with pytest.raises(KindError, match="level= takes one of"):
        token_agreement(data, level="words")  # type: ignore[call-overload]
    with pytest.raises(KindError, match="is for encoding='per_label'"):
        token_agreement(data, label="PER")  # type: ignore[call-overload]
    with pytest.raises(UnknownName, match=r"nobody marked anything as 'PERS'.*Did you mean 'PER'"):
        token_agreement(data, encoding="per_label", label="PERS")
    with pytest.raises(UnknownName, match="no measure is called 'kapa'"):
        token_agreement(data, "kapa")
    with pytest.raises(KindError, match="made from counts"):
        token_agreement(ia.Annotations.from_counts([[1, 1]], values=[(), ((0, 1, "X"),)]))
    with pytest.raises(KindError, match="spans"):
        token_agreement([("d", "a", "yes"), ("d", "b", "no")])


# -- how sure ---------------------------------------------------------------------------------------------------


def several() -> Marked:
    rng = np.random.default_rng(3)
    marked: Marked = {}
    for item in range(8):
        begin = int(rng.integers(0, 6))
        for who in "abc":
            move = int(rng.integers(0, 2))
            marked[item, who] = [[begin + move, begin + 3, "X"], [10, 12 + move, "Y"]]
    return marked


def test_intervals_are_for_other_documents() -> None:
    data = study(several())
    result = token_agreement(data, length=15)
    plain = ia.alpha(tagged(data, length=15))
    assert result.value == plain.value
    assert result.standard_error() == plain.standard_error(cluster="document")
    assert result.interval(method="bootstrap").low == plain.interval(method="bootstrap", cluster="document").low  # type: ignore[union-attr]
    assert result.p_value() == plain.p_value(cluster="document")
    assert any("intervals are for other documents, of which there are 8" in note for note in result.notes)
    assert isinstance(result.engine, Estimate)
    alone = token_agreement(data, length=15, cluster=None)
    assert alone.standard_error() == plain.standard_error()
    assert any("too narrow" in note for note in alone.notes)
    kappa = token_agreement(data.only(annotators=["a", "b"]), "cohen_kappa", length=15)
    tags = tagged(data.only(annotators=["a", "b"]), length=15)
    assert kappa.standard_error(method="null") == ia.cohen_kappa(tags).standard_error(method="null")
    for table in (result.by_annotator(), result.by_pair(), result.by_value(), result.by_item()):
        assert len(table) > 0
    assert result.to_dict()["options"]["encoding"] == "bio"


def test_a_distance_of_tags_that_is_counted_by_pairs_has_intervals_for_documents_too() -> None:
    data = study(several())
    result = token_agreement(data, length=15, distance="levenshtein_chars")
    plain = ia.alpha(tagged(data, length=15), distance="levenshtein_chars")
    assert result.value == plain.value
    assert result.standard_error() == plain.standard_error(cluster="document")
    assert result.interval() == plain.interval(cluster="document")


def test_the_jackknife_leaves_out_whole_documents() -> None:
    marked = several()
    whole = token_agreement(study(marked), length=15)
    left = []
    for gone in range(8):
        rest = {cell: spans for cell, spans in marked.items() if cell[0] != gone}
        left.append(token_agreement(study(rest), length=15).value)
    error = math.sqrt(7 / 8 * float(((np.array(left) - np.mean(left)) ** 2).sum()))
    assert whole.standard_error(method="jackknife") == pytest.approx(error)


def test_documents_may_be_groups_of_sentences() -> None:
    data = study(several())
    column = np.array([f"text {item // 2}" for item in data.item.tolist()], dtype=object)
    data = replace(data, attributes={"document": column})
    result = token_agreement(data, length=15)
    assert any("of which there are 4" in note for note in result.notes)
    assert token_agreement(data, length=15, cluster="document").interval() == result.interval()
    with pytest.raises(UnknownName, match="no attribute 'site'"):
        token_agreement(data, length=15, cluster="site")


def test_one_document_has_no_interval() -> None:
    result = token_agreement(deck())
    assert result.interval() is None
    assert any("there is one document" in note for note in result.notes)
    assert token_agreement(deck(), cluster=None).interval() is not None


# -- the positions, and speed -----------------------------------------------------------------------------------


def test_positions_are_made_when_they_are_looked_at() -> None:
    spots = Spots(["d", "e", "f"], np.array([0, 2, 2, 5]))
    everything = [("d", 0), ("d", 1), ("f", 0), ("f", 1), ("f", 2)]
    assert list(spots) == everything == [spots[k] for k in range(5)]
    assert spots[-1] == ("f", 2)
    assert spots[1:3] == (("d", 1), ("f", 0))
    with pytest.raises(IndexError, match="5 positions"):
        spots[5]


def test_many_documents_are_no_more_work_each_than_few() -> None:
    rng = np.random.default_rng(0)

    def work(documents: int) -> int:
        begin = rng.integers(0, 20, size=3 * documents).tolist()
        values = [((b, b + 3, "X"), (b + 4, b + 5, "Y")) for b in begin]
        rows = range(len(values))
        data = ia.Annotations.from_columns([k // 3 for k in rows], ["abc"[k % 3] for k in rows], values)
        spans = replace(data, of_kind="spans")
        lines = effort(lambda: token_agreement(spans, length=25))
        assert token_agreement(spans, length=25).n.items == 25 * documents
        return lines

    work(100)  # what is imported and made once is not counted
    assert work(2_000) < 2.2 * work(1_000)


def test_a_real_export(shared: Path) -> None:
    rows: list[tuple[Any, Any, Any]] = []
    names = []
    path = shared / "data/formats/label_studio/leoka_team3_full.json"
    for task in json.loads(path.read_text(encoding="utf-8")):
        for one in task["annotations"]:
            value = [
                [r["value"]["start"], r["value"]["end"], r["value"]["labels"][0]]
                for r in one["result"]
                if r["type"] == "labels"
            ]
            rows.append((task["id"], one["completed_by"]["id"], value))
            names.append(task["data"]["text"])
    columns = {"item": [r[0] for r in rows], "annotator": [r[1] for r in rows], "value": [r[2] for r in rows]}
    data = ia.Annotations.of({**columns, "text": names}, kind="spans")
    table = token_agreement(data, encoding="per_label")
    assert isinstance(table, Table)
    assert len(table) > 5
    marked = token_agreement(data, encoding="binary")
    assert 0.7 < marked.value < 0.95
    interval = marked.interval()
    assert interval is not None
    assert interval.low < marked.value < interval.high
