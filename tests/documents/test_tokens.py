"""The words of a text, and tokens that differ between annotators on one grid."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import effort
from hypothesis import given
from hypothesis import strategies as st

from interagree.documents import tokens as module
from interagree.documents.tokens import aligned, words


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in words(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n", []),
        ("Don't panic, Mr. O'Neil!", ["Don", "'", "t", "panic", ",", "Mr", ".", "O", "'", "Neil", "!"]),
        ("B-52: 3.5 kg_x", ["B", "-", "52", ":", "3", ".", "5", "kg_x"]),
        ("naïve cafe\u0301s", ["naïve", "cafe\u0301s"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("I ❤\ufe0f it 👩🏽\u200d💻!", ["I", "❤\ufe0f", "it", "👩🏽\u200d💻", "!"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
    ],
)
def test_words_and_signs_are_tokens_and_marks_stay_with_their_character(text: str, found: list[str]) -> None:
    assert cut(text) == found


@given(text=st.text(max_size=40))
def test_tokens_lie_in_order_and_leave_out_nothing_but_spaces(text: str) -> None:
    laid = words(text)
    assert all(start < end for start, end in laid)
    assert all(before[1] <= after[0] for before, after in pairwise(laid))
    covered = {at for start, end in laid for at in range(start, end)}
    assert all(
        sign.isspace() or module._marks(sign) or sign == "\u200d" for at, sign in enumerate(text) if at not in covered
    )


# -- one grid ------------------------------------------------------------------------------------------------


def edges(tokens: list[str]) -> set[int]:
    return set(np.cumsum([0, *map(len, tokens)]).tolist())


@st.composite
def tokenisations(draw: Any) -> list[list[str]]:
    """The same characters, cut differently."""
    characters = draw(st.text(alphabet="abc", min_size=1, max_size=15))
    found = []
    for _ in range(draw(st.integers(1, 4))):
        cuts = sorted(draw(st.sets(st.integers(1, max(len(characters) - 1, 1)))) & set(range(1, len(characters))))
        found.append([characters[a:b] for a, b in pairwise([0, *cuts, len(characters)])])
    return found


@given(cuts=tokenisations())
def test_where_characters_are_the_same_the_grid_has_the_edges_of_all(cuts: list[list[str]]) -> None:
    grid = aligned(cuts)
    assert edges(list(grid.tokens)) == set().union(*map(edges, cuts))
    for which, tokens in enumerate(cuts):
        assert grid.unplaced(which) == 0
        places = zip(grid.begin[which].tolist(), grid.end[which].tolist(), strict=True)
        assert ["".join(grid.tokens[low:high]) for low, high in places] == tokens


@given(cuts=tokenisations(), seed=st.randoms())
def test_the_order_of_annotators_does_not_matter(cuts: list[list[str]], seed: Any) -> None:
    cuts.append([*cuts[0], "lost"])
    order = list(range(len(cuts)))
    seed.shuffle(order)
    one, other = aligned(cuts), aligned([cuts[at] for at in order])
    assert one.tokens == other.tokens
    for place, at in enumerate(order):
        assert one.begin[at].tolist() == other.begin[place].tolist()


def test_a_space_stands_where_everybody_has_an_edge() -> None:
    grid = aligned([["do", "n't", "go"], ["don't", "go"]])
    assert grid.tokens == ("do", "n't", "go")
    assert grid.glued == (False, True, False)


def test_lost_changed_and_added_tokens_are_placed_as_far_as_they_are_found() -> None:
    usual = ["the", "cat", "sat", "on", "the", "mat"]
    lost = ["the", "cat", "on", "the", "mat"]
    added = ["the", "cat", "sat", "XYZ", "on", "the", "mat"]
    changed = ["the", "cat/O", "sat", "on", "the", "mat"]
    grid = aligned([usual, usual, lost, added, changed])
    assert grid.tokens == tuple(usual)
    assert grid.begin[2].tolist() == [0, 1, 3, 4, 5]
    assert grid.begin[3].tolist() == [0, 1, 2, -1, 3, 4, 5]
    assert grid.begin[4].tolist() == [0, 1, 2, 3, 4, 5]
    assert [grid.unplaced(which) for which in range(5)] == [0, 0, 0, 1, 0]


def test_tokens_cut_differently_beside_a_lost_one_still_make_the_grid_finer() -> None:
    usual = ["New-York", "is", "big", "and", "old"]
    grid = aligned([usual, usual, ["New", "-", "York", "is", "big", "old"]])
    assert grid.tokens == ("New", "-", "York", "is", "big", "and", "old")


def test_spans_reach_from_their_first_placed_token_to_their_last() -> None:
    usual = ["a", "b", "c", "d"]
    grid = aligned([usual, usual, ["a", "xyz", "b", "c", "xyz", "d"]])
    begin, end = grid.spans(2, [0, 1, 1, 2], [2, 4, 2, 6])
    assert list(zip(begin.tolist(), end.tolist(), strict=True)) == [(0, 1), (1, 3), (-1, -1), (1, 4)]


def test_a_token_without_characters_has_no_place() -> None:
    grid = aligned([["a", "", "b"], ["a", "b"]])
    assert grid.tokens == ("a", "b")
    assert grid.begin[0].tolist() == [0, -1, 1]


def test_nothing_to_align() -> None:
    assert aligned([]).tokens == ()
    assert aligned([[], []]).tokens == ()
    assert aligned([["a"], []]).tokens == ("a",)


def test_long_documents_are_cut_where_they_agree() -> None:
    rng = np.random.default_rng(1)
    usual = [f"w{number}" for number in rng.zipf(1.3, 20_000) % 5_000]
    other = [token for token in usual if rng.random() > 0.02]
    some = len(other) // 4
    few = effort(lambda: aligned([usual[:some], usual[:some], other[:some]]))
    assert effort(lambda: aligned([usual, usual, other])) < 8 * few  # as a table of all pairs it would be 16 times
    grid = aligned([usual, usual, other])
    assert grid.tokens == tuple(usual)
    assert grid.unplaced(2) < 0.01 * len(other)
    placed = grid.begin[2] >= 0
    assert [usual[at] for at in grid.begin[2][placed]] == [
        token for token, there in zip(other, placed, strict=True) if there
    ]


def test_the_real_files_are_aligned(shared: Path) -> None:
    folder = shared / "data/formats/conll_iob/one_folder_per_worker"
    name = "222H1Q6SVQ8HRSJIABC5TBVDZ3UM3E.txt"
    found = {}
    for file in sorted(folder.glob(f"worker*/{name}")):
        rows = [
            line.rsplit(" ", 1)[0].strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()
        ]
        found[file.parent.name] = rows
    assert sorted(map(len, found.values())) == [129, 129, 129, 130, 173]
    grid = aligned(list(found.values()))
    assert len(grid.tokens) == 129
    assert {who: grid.unplaced(which) for which, who in enumerate(found)} == {
        "worker01": 38,
        "worker02": 0,
        "worker08": 1,
        "worker10": 0,
        "worker11": 0,
    }
