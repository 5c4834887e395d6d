r"""Tokens: the words of a text, and one grid for tokens that differ between annotators.

Tools cut a text into tokens differently, and some lose tokens or change them.  Tokens of the same number are then not
the same tokens, so they are placed on the characters: those of all tokens of a document, one after the other, without
spaces.  Where annotators have the same characters, the edges of all their tokens together are the grid, and every token
is some tokens of the grid.  Where an annotator's characters differ from those that most annotators have, their tokens
are matched with the others', first as wholes and then, between those that match, by their characters
(`difflib.SequenceMatcher`); a token of which less than half is found again cannot be placed, and is counted.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Booleans, Int64s

MOST = 1_000_000  # pairs of tokens or characters up to which a stretch is matched as it is
ANCHOR = 3  # tokens or characters in a row that occur once on either side, to cut a longer stretch there
FOUND = 0.5  # the share of a token's characters that must be found for it to be placed
NOWHERE = -1


# -- the words of a text -------------------------------------------------------------------------------------


def words(text: str) -> tuple[tuple[int, int], ...]:
    r"""Where the tokens of a text begin and end: words, and every other character that is not a space, by itself.

    Marks belong to the character before them, so that a letter with its accent, a vowel sign, or an emoji with its
    color is not cut in two; emoji that are joined are one token.
    """
    return tuple(match.span() for match in _pattern("" if text.isascii() else _marks(text)).finditer(text))


def _marks(text: str) -> str:
    """The characters of a text that only go with the one before."""
    tones = range(0x1F3FB, 0x1F400)
    return "".join(
        sorted(
            sign
            for sign in set(text)
            if unicodedata.category(sign).startswith("M") or sign == "\u200c" or ord(sign) in tones
        )
    )


@lru_cache(maxsize=256)
def _pattern(marks: str) -> re.Pattern[str]:
    kept = re.escape(marks)
    sign = rf"[^\w\s][{kept}]*" if marks else r"[^\w\s]"
    return re.compile(rf"\w[\w\u200d{kept}]*|{sign}(?:\u200d{sign})*")


# -- one grid ------------------------------------------------------------------------------------------------


class Grid(NamedTuple):
    """The finest common tokens of a document, and where each tokenisation's tokens lie on it."""

    tokens: tuple[str, ...]
    glued: tuple[bool, ...]  # which tokens some annotator did not separate from the one before
    begin: tuple[Int64s, ...]  # of each tokenisation, for each of its tokens; -1 where it has no place
    end: tuple[Int64s, ...]

    def unplaced(self, which: int) -> int:
        """How many tokens of a tokenisation have no place."""
        return int((self.begin[which] == NOWHERE).sum())

    def spans(self, which: int, begin: ArrayLike, end: ArrayLike) -> tuple[Int64s, Int64s]:
        """Spans of one tokenisation on the grid, from their first token with a place to the last; -1 without any."""
        low, high = np.asarray(begin, dtype=np.int64), np.asarray(end, dtype=np.int64)
        there = np.flatnonzero(self.begin[which] != NOWHERE)
        first, after = np.searchsorted(there, low), np.searchsorted(there, high)
        some = first < after
        from_, to = np.full(len(low), NOWHERE), np.full(len(low), NOWHERE)
        from_[some] = self.begin[which][there[first[some]]]
        to[some] = self.end[which][there[after[some] - 1]]
        return from_, to


class _Placement(NamedTuple):
    """Where the tokens of a tokenisation lie among the common characters."""

    begin: Int64s
    end: Int64s
    sure: Booleans  # where the characters are the same, so that the edges of tokens are edges of the grid


def aligned(tokenisations: Sequence[Sequence[str]]) -> Grid:
    """One grid for several tokenisations of one document; the order in which they are given does not matter."""
    cut = [tuple(tokens) for tokens in tokenisations]
    often = Counter(cut)
    if len(often) <= 1:
        size = np.arange(len(cut[0]) if cut else 0, dtype=np.int64)
        tokens = cut[0] if cut else ()
        return Grid(tokens, (False,) * len(size), (size,) * len(cut), (size + 1,) * len(cut))
    characters: Counter[str] = Counter()
    for tokens, times in often.items():
        characters["".join(tokens)] += times
    common = max(characters, key=lambda text: (characters[text], len(text), text))
    same = [tokens for tokens in often if "".join(tokens) == common]
    usual = max(same, key=lambda tokens: (often[tokens], len(tokens), tokens))
    placed = {tokens: _end_to_end(tokens) if tokens in same else _matched(usual, tokens) for tokens in often}
    sure = [edge[placement.sure] for placement in placed.values() for edge in (placement.begin, placement.end)]
    edges = np.unique(np.concatenate([[0, len(common)], *sure]))
    everywhere = Counter(edge for tokens in same for edge in set(placed[tokens].begin.tolist()))
    bounds = edges.tolist()
    return Grid(
        tuple(common[low:high] for low, high in pairwise(bounds)),
        tuple(low != 0 and everywhere[low] < len(same) for low in bounds[:-1]),
        tuple(_on(edges, placed[tokens])[0] for tokens in cut),
        tuple(_on(edges, placed[tokens])[1] for tokens in cut),
    )


def _on(edges: Int64s, placed: _Placement) -> tuple[Int64s, Int64s]:
    """Tokens on the grid: all grid tokens that they touch."""
    nowhere = placed.begin == NOWHERE
    begin = np.searchsorted(edges, placed.begin, side="right") - 1
    end = np.searchsorted(edges, placed.end, side="left")
    return np.where(nowhere, NOWHERE, begin), np.where(nowhere, NOWHERE, end)


def _end_to_end(tokens: Sequence[str], first: int = 0) -> _Placement:
    ends = first + np.cumsum([len(token) for token in tokens], dtype=np.int64)
    begins = np.concatenate([[first], ends[:-1]]) if len(tokens) else ends
    empty = begins == ends  # a token without characters is nowhere
    return _Placement(np.where(empty, NOWHERE, begins), np.where(empty, NOWHERE, ends), ~empty)


def _matched(usual: Sequence[str], tokens: Sequence[str]) -> _Placement:
    """Tokens whose characters are others than the common ones, on these."""
    at = np.concatenate([[0], np.cumsum([len(token) for token in usual], dtype=np.int64)])
    parts = []
    for tag, low, high, from_, to in _blocks(usual, tokens):
        theirs = tokens[from_:to]
        if tag == "equal" or "".join(theirs) == "".join(usual[low:high]):
            parts.append(_end_to_end(theirs, int(at[low])))
        else:
            parts.append(_by_characters("".join(usual[low:high]), theirs, int(at[low])))
    return _Placement(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _blocks(usual: Sequence[str], tokens: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """What matches, as `SequenceMatcher` says it; what is long is first cut where both have the same rare stretch."""
    shorter = min(len(usual), len(tokens))
    head = next((k for k in range(shorter) if usual[k] != tokens[k]), shorter)
    tail = next((k for k in range(shorter - head) if usual[-1 - k] != tokens[-1 - k]), shorter - head)
    low, high, from_, to = head, len(usual) - tail, head, len(tokens) - tail
    cuts = [(low, from_)]
    if (high - low) * (to - from_) > MOST:
        cuts += [(a + head, b + head) for a, b in _anchors(usual[low:high], tokens[from_:to])]
    blocks = [("equal", 0, low, 0, from_)]
    for (a, c), (b, d) in pairwise([*cuts, (high, to)]):
        if (b - a) * (d - c) > MOST:  # matching would take the product of both lengths
            blocks.append(("replace", a, b, c, d))
            continue
        opcodes = SequenceMatcher(None, usual[a:b], tokens[c:d], autojunk=False).get_opcodes()
        blocks += [(tag, i + a, j + a, k + c, m + c) for tag, i, j, k, m in opcodes]
    return [*blocks, ("equal", high, len(usual), to, len(tokens))]


class _Link(NamedTuple):
    """The last pair of a chain of places, and the chain before it."""

    pair: tuple[int, int]
    before: _Link | None


def _anchors(usual: Sequence[str], tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Where both have a stretch that either has once, as many as go in the same order."""
    mine, theirs = _rare(usual), _rare(tokens)
    shared = [(at, theirs[stretch]) for stretch, at in mine.items() if stretch in theirs]
    ends: list[int] = []  # the smallest place at which a chain of each length can end
    links: list[_Link] = []  # the last link of that chain
    for pair in shared:
        at = bisect_left(ends, pair[1])
        ends[at : at + 1] = [pair[1]]
        links[at : at + 1] = [_Link(pair, links[at - 1] if at else None)]
    pairs = []
    link = links[-1] if links else None
    while link is not None:
        pairs.append(link.pair)
        link = link.before
    return pairs[::-1]


def _rare(tokens: Sequence[str]) -> dict[tuple[str, ...], int]:
    """The stretches that occur once, and where, in order."""
    stretches = list(zip(*(tokens[shift:] for shift in range(ANCHOR)), strict=False))
    often = Counter(stretches)
    return {stretch: at for at, stretch in enumerate(stretches) if often[stretch] == 1}


def _by_characters(common: str, tokens: Sequence[str], first: int) -> _Placement:
    """Tokens between those that match, as far as their characters are found."""
    place = np.full(sum(map(len, tokens)), NOWHERE, dtype=np.int64)
    for tag, low, high, from_, to in _blocks(common, "".join(tokens)):
        if tag == "equal":
            place[from_:to] = np.arange(low, high)
    begin, end = np.full(len(tokens), NOWHERE), np.full(len(tokens), NOWHERE)
    at = 0
    for number, token in enumerate(tokens):
        places = place[at : at + len(token)]
        places = places[places != NOWHERE]
        at += len(token)
        if token and len(places) >= FOUND * len(token):
            begin[number], end[number] = first + places[0], first + places[-1] + 1
    return _Placement(begin, end, np.zeros(len(tokens), dtype=bool))
