"""Spans, trees and dependency parses: how they are written, what is wrong with them, and how they are recognised."""

from __future__ import annotations

import json

import numpy as np
import pytest

from interagree.data.values import plain
from interagree.errors import KindError
from interagree.kinds import recognise
from interagree.plugins import KINDS


def real(shared, name):
    with (shared / "data" / "complex" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [plain(json.loads(line)["value"]) for line in lines]


def fits(name, values) -> bool:
    kind = KINDS[name]
    values = list(map(plain, values))
    return all(kind.why_not(value) is None for value in values) and kind.likely(values)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("PER", "it is not a list"),
        ([[3, 5, "PER"], [1]], "a span is (1,)"),
        ([[1, 2, "A", "B"]], "a span is"),
        ([["a", 5, "PER"]], "a span runs from 'a' to 5"),
        ([[5, float("inf"), "PER"]], "a span runs from 5 to inf"),
        ([[True, 5, "PER"]], "a span runs from True to 5"),
        ([{"start": 3, "label": "PER"}], "a span runs from 3 to None"),
        ([[5, 5, "PER"]], "a span from 5 to 5 has no length"),
        ([[7, 5, "PER"]], "a span from 7 to 5 has no length"),
        ([[3, 5, 1]], "a label is 1, which is not a string"),
    ],
)
def test_what_is_wrong_with_spans_is_said(value, said) -> None:
    assert KINDS["spans"].why_not(plain(value)).startswith(said)


def test_the_message_says_what_was_wanted() -> None:
    with pytest.raises(KindError, match=r"spans were expected, each a list of \[start, end, label\].*has no length:"):
        KINDS["spans"].packed([((5, 5, "PER"),)])


def test_spans_are_written_in_several_ways() -> None:
    ways = [
        [[3, 5, "PER"]],
        [{"start": 3, "end": 5, "label": "PER", "text": "Ann Lee"}],
        [3, 5, "PER"],
        {"start": 3, "end": 5, "label": "PER"},
        [[3.0, 5.0, "PER"]],
    ]
    packed = KINDS["spans"].packed(list(map(plain, ways)))
    assert packed.start.tolist() == [0, 1, 2, 3, 4, 5]
    assert (set(packed.begin), set(packed.end), set(packed.label)) == ({3.0}, {5.0}, {0})


def test_spans_without_a_label_have_a_label_of_their_own() -> None:
    packed = KINDS["spans"].packed([((1, 2), (1, 2, "A"), (4, 6)), ()])
    assert packed.label.tolist() == [0, 1, 0]
    assert packed.start.tolist() == [0, 3, 3]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[[3, 5, "PER"]], []], True),
        ([[{"start": 3, "end": 5}]], True),
        ([[[3, 5], [7, 9]]], False),  # could be points
        ([[], []], False),
        ([[[3, 5, "PER"], [7, 9]]], False),
    ],
)
def test_spans_are_recognised_by_labels_or_names(values, expected) -> None:
    assert fits("spans", values) is expected


def test_unions_do_not_overlap() -> None:
    packed = KINDS["spans"].packed([((0, 3, "A"), (2, 6, "A"), (4, 5, "A"), (5, 8, "B"), (9, 10, "A")), (), ((1, 2),)])
    union = packed.union(labels=True)
    assert union.start.tolist() == [0, 3, 3, 4]
    assert union.begin.tolist() == [0, 9, 5, 1]
    assert union.end.tolist() == [6, 10, 8, 2]
    whole = packed.union(labels=False)
    assert (whole.begin.tolist(), whole.end.tolist()) == ([0, 9, 1], [8, 10, 2])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "3 is not a tree"),
        ("", "it does not begin with a bracket"),
        ("S (NP)", "it does not begin with a bracket"),
        ("()", "a label is missing"),
        ("(S ())", "a label is missing"),
        ("(S ((NP x)))", "a label is missing"),
        ("(S (NP x)", "1 bracket is not closed"),
        ("(S (NP (N x", "3 brackets are not closed"),
        ("(S (NP x)))", "')' follows the tree"),
        ("(S x) y", "'y' follows the tree"),
        ("(S x)(S y)", "there is more than one tree"),
        ([], "a label is missing"),
        (["S", ["", "x"]], "a label is missing"),
        ([["S", "x"]], "a label is missing"),
        (["S", ["NP", 3]], "3 is neither a string nor a list"),
    ],
)
def test_what_is_wrong_with_a_tree_is_said(value, said) -> None:
    assert KINDS["trees"].why_not(plain(value)) == said


def test_trees_are_packed_in_postorder() -> None:
    ways = ["(S (NP (DT The)\n (NN firm)) (VP left))", ["S", ["NP", ["DT", "The"], ["NN", "firm"]], ["VP", "left"]]]
    packed = KINDS["trees"].packed(list(map(plain, ways)))
    assert packed.start.tolist() == [0, 8, 16]
    assert packed.size[:8].tolist() == [1, 2, 1, 2, 5, 1, 2, 8]
    assert packed.word[:8].tolist() == [True, False, True, False, False, True, False, False]
    assert packed.label[:8].tolist() == packed.label[8:].tolist()
    tree = packed.laid_out(words=False)
    assert np.diff(tree.start).tolist() == [5, 5]
    assert tree.leaves.tolist() == [3, 3]
    assert tree.left.first[:5].tolist() == [0, 1, 0, 3, 0]
    assert packed.laid_out(words=True).leaves.tolist() == [3, 3]


def test_the_outermost_label_may_be_empty() -> None:
    packed = KINDS["trees"].packed(["( (S (NP x)))", ("", ("S", ("NP", "x")))])
    assert packed.size.tolist() == [1, 2, 3, 4] * 2
    assert packed.label[:4].tolist() == packed.label[4:].tolist()


def test_brackets_in_nested_lists_are_words() -> None:
    listed, spelled = ("S", ("PRN", "("), ("NP", ")")), "(S (PRN -LRB-) (NP -RRB-))"
    packed = KINDS["trees"].packed([listed, spelled])
    assert packed.label[:5].tolist() == packed.label[5:].tolist()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["(S (NP x))", "(S x)"], True),
        ([["S", ["NP", "x"]]], True),
        (["(none)", "(some)"], False),
        ([["a", "b"], ["c"]], False),
        (["(S (NP x))", "text"], False),
        ([{"a": "b"}], False),
    ],
)
def test_trees_are_recognised_by_nodes_inside_nodes(values, expected) -> None:
    assert fits("trees", values) is expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("x", "it is not a list"),
        ([[2, "nsubj", 1], [0, "root"]], "token 1 is (2, 'nsubj', 1)"),
        ([["a", "nsubj"]], "the head of token 1 is 'a'"),
        ([0, 1.5], "the head of token 2 is 1.5"),
        ([0, 3], "the head of token 2 is 3, and there are 2 tokens"),
        ([0, -1], "the head of token 2 is -1, and there are 2 tokens"),
        ([0, 2], "token 2 is its own head"),
        ([[0, 4]], "the label of token 1 is 4"),
    ],
)
def test_what_is_wrong_with_a_parse_is_said(value, said) -> None:
    assert KINDS["dependencies"].why_not(plain(value)) == said


def test_parses_are_never_guessed() -> None:
    assert not fits("dependencies", [[2, 0, 2]])
    packed = KINDS["dependencies"].packed([((2, "nsubj"), (0, "root")), (2, 0), ()])
    assert packed.start.tolist() == [0, 2, 4, 4]
    assert packed.head.tolist() == [2, 0, 2, 0]
    assert packed.arc.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("name", "kind"), [("ner", "spans"), ("ner_clean", "spans"), ("trees_easy", "trees")])
def test_real_values_are_recognised(shared, name, kind) -> None:
    assert recognise(real(shared, name)) == kind


@pytest.mark.parametrize("name", ["spans", "trees", "dependencies"])
def test_the_usual_distance_is_one_of_those_compared(name) -> None:
    assert KINDS[name].distance in KINDS[name].distances
