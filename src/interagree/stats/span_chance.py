"""What chance would match: the spans of one of two annotators moved around the document at random.

The document is cut at a random place and its parts are swapped, so that spans keep their lengths, their labels and
their distances from each other; none is cut, and the last may stick out at the end.  What is matched then is matched by
chance.  In each draw each of the two is moved in turn, by as much.

Random numbers depend on the seed and on where the two marked something, not on names and not on other documents.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Pieces, Spans
from interagree.progress import steps
from interagree.stats.apart import Places
from interagree.stats.compress import totals
from interagree.stats.marks import Marks
from interagree.stats.span_matching import Match, overlapping, pairing
from interagree.stats.weights import Floats

LEAST = 4  # draws, from which their error is known from what they differ by
MOST = 200
SEVERAL = 30  # pairs of annotations, from which their differences tell the error
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Chance(NamedTuple):
    """What chance gave."""

    hits: Floats  # for each pair of annotations, on average
    draws: int
    error: float  # of the share of all spans that chance matches


def by_chance(
    marks: Marks, match: Match, length: Floats, *, precision: float, samples: int | None, seed: int
) -> Chance:
    """The hits that chance would give each pair of annotations.

    Args:
        marks: The spans.
        match: How two of them are compared.
        length: How long the document of each pair is.
        precision: The standard error that is wanted of the expected F1.
        samples: How many draws are made, whatever their error.
        seed: Where the random numbers start.
    """
    pairs = len(marks.first)
    key = _keys(marks.spans)[marks.study.value]
    key = key[marks.first] + key[marks.second]
    size = _sizes(marks)
    over = float(size.sum())
    sides = [_laid_out(marks, *rows) for rows in ((marks.first, marks.second), (marks.second, marks.first))]
    whole = _whole(marks.spans)
    total = np.zeros(pairs)
    shares: list[float] = []
    error = math.nan
    here, there = np.arange(pairs), np.arange(pairs, 2 * pairs)
    for draw in steps(range(MOST if samples is None else samples), "drawing chance"):
        cut = _uniform(key, seed, draw) * length
        hits = np.zeros(pairs)
        for side in sides:
            spans = _turned(side, np.floor(cut) if whole else cut, length)
            found, score = pairing(spans, overlapping(spans, here, there), match)
            hits += totals(found.pair, score, pairs)
        total += hits
        shares.append(float(hits.sum()) / over if over else math.nan)
        error = _error(total / len(shares), size, shares)
        if samples is None and not error > precision:
            break
    return Chance(total / len(shares), len(shares), error)


def _error(hits: Floats, size: Floats, shares: list[float]) -> float:
    """The standard error of the share that chance matches.

    One draw moves every document by itself, so that what documents differ by bounds the error of a draw.
    """
    over = float(size.sum())
    if not over:
        return math.nan
    off = hits - hits.sum() / over * size
    # One match more, so that no match at all does not pass for certainty.
    bound = math.sqrt(float(off @ off) + 4.0) / over if len(size) >= SEVERAL else math.inf
    if len(shares) < LEAST:
        return bound
    spread = float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
    return min(bound, math.hypot(spread, 2.0 / (over * len(shares))))


def _sizes(marks: Marks) -> Floats:
    size = np.diff(marks.spans.start)[marks.study.value]
    return (size[marks.first] + size[marks.second]).astype(np.float64)


def mixed(number: Any) -> Any:
    """A whole number of 64 bits that looks like a random one (splitmix64)."""
    with np.errstate(over="ignore"):
        number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


def _keys(spans: Spans) -> Any:
    """A number for where the spans of each value lie, whatever their order and labels."""
    with np.errstate(over="ignore"):
        each = mixed(spans.begin.view(np.uint64) + GOLDEN) * GOLDEN + spans.end.view(np.uint64)
        found = np.zeros(len(spans.start) - 1, dtype=np.uint64)
        np.add.at(found, spans.owner, mixed(each))
    return found


def _uniform(key: Any, seed: int, draw: int) -> Floats:
    """For each key a number from 0 up to 1, another one for each draw."""
    more = mixed(np.array([seed], dtype=np.uint64) * GOLDEN + np.uint64(draw + 1))
    with np.errstate(over="ignore"):
        found = mixed(mixed(key + more) + GOLDEN)
    uniform: Floats = (found >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniform


def _whole(spans: Spans) -> bool:
    return bool((spans.begin == np.rint(spans.begin)).all() and (spans.end == np.rint(spans.end)).all())


def _laid_out(marks: Marks, first: Places, second: Places) -> Spans:
    """The spans of one annotation of each pair, and then those of the other, each list anew."""
    start = marks.spans.start
    values = marks.study.value[np.concatenate([first, second])]
    many = np.diff(start)[values]
    _, span = ragged(start[values], many)
    return replace(
        marks.spans,
        start=np.append(0, np.cumsum(many)).astype(np.intp),
        begin=marks.spans.begin[span],
        end=marks.spans.end[span],
        label=marks.spans.label[span],
        pieces=_pieces(marks.spans, span),
    )


def _pieces(spans: Spans, span: Places) -> Pieces | None:
    if spans.pieces is None:
        return None
    many = np.diff(spans.pieces.start)[span]
    _, piece = ragged(spans.pieces.start[span], many)
    start = np.append(0, np.cumsum(many)).astype(np.intp)
    return Pieces(start, spans.pieces.begin[piece], spans.pieces.end[piece])


def _turned(spans: Spans, cut: Floats, length: Floats) -> Spans:
    """The spans of first annotations moved by the cut of their pair, around the document."""
    half = int(spans.start[len(cut)])
    pair = spans.owner[:half]
    size = spans.end[:half] - spans.begin[:half]
    whole = size >= length[pair] * (1 - 1e-12)
    begin = np.where(whole, spans.begin[:half], (spans.begin[:half] + cut[pair]) % length[pair])
    shift = begin - spans.begin[:half]
    pieces = spans.pieces
    if pieces is not None:
        few = int(pieces.start[half])
        by = np.repeat(shift, np.diff(pieces.start[: half + 1]))
        pieces = Pieces(
            pieces.start,
            np.concatenate([pieces.begin[:few] + by, pieces.begin[few:]]),
            np.concatenate([pieces.end[:few] + by, pieces.end[few:]]),
        )
    return replace(
        spans,
        begin=np.concatenate([begin, spans.begin[half:]]),
        end=np.concatenate([begin + size, spans.end[half:]]),
        pieces=pieces,
    )
