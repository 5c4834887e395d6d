"""Noise on spans of text, after the Corpus Shuffling Tool.

- ``shift``: each boundary moves by up to $2 m$ times the mean length of a span, to either side.
- ``label``: with probability $m$ the label is drawn anew, each as likely as it is common, or as ``confusion`` says.
- ``split``: with probability $m$ a span becomes two, cut at a random place.
- ``merge``: with probability $m / 2$ a span and the next one become one that covers both; not more, since annotators
  who merge everything agree again.
- ``delete``: each span is left out with probability $m$; at $m = 1$ nothing is left.
- ``insert``: for each text, about $m$ times as many spans as a text of its length has are made up: lengths and labels
  are those of random spans of the reference, places are random.

All of them, which is usual, leave at $m = 1$ only what was made up.  A text ends where its last span does, as far
as the reference tells; one without spans is taken to be as long as the median one.  Spans stay inside the text, and
places that are whole numbers stay whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from interagree.kinds._noise import Corpus, Error, Noise
from interagree.kinds._noise._mistakes import Mistakes
from interagree.kinds._noise._objects import WrittenObject, label_of, listed, relabelled


class SpanObject(NamedTuple):
    start: float
    end: float
    written: WrittenObject  # with its label and whatever else it bears


class SpansSeen(NamedTuple):
    low: list[float]  # where each text begins
    high: list[float]  # and ends
    spans: list[SpanObject]
    density: float  # spans for each unit of text
    length: float  # of a span, on average
    least: float  # a span is never shorter
    whole: bool
    mistakes: Mistakes
    labelled: bool


def _read(value: Any) -> list[SpanObject]:
    objects = [WrittenObject.of(part, ("start", "end")) for part in listed(value)]
    return [SpanObject(float(thing.numbers[0]), float(thing.numbers[1]), thing) for thing in objects]


def _survey(corpus: Corpus) -> SpansSeen:
    texts = [_read(value) for value in corpus.values]
    spans = [span for text in texts for span in text]
    whole = all(isinstance(position, int) for span in spans for position in span.written.numbers)
    ends = [max(span.end for span in text) for text in texts if text]
    usual = float(np.median(ends)) if ends else 1.0
    low = [min([0.0, *(span.start for span in text)]) for text in texts]
    high = [max((span.end for span in text), default=usual) for text in texts]
    size = sum(high) - sum(low)
    lengths = [span.end - span.start for span in spans]
    length = float(np.mean(lengths)) if lengths else 1.0
    labels = [label_of(span.written) for span in spans if label_of(span.written) is not None]
    return SpansSeen(
        low,
        high,
        spans,
        len(spans) / size if size else 0.0,
        length,
        1.0 if whole else length / 1000,
        whole,
        Mistakes.of(labels, confusion=corpus.confusion),
        bool(labels),
    )


Change = Callable[[list[SpanObject], float, Generator, SpansSeen, int], list[SpanObject]]


def _in_each_text(change: Change) -> Error[list[SpanObject], SpansSeen]:
    def error(texts: Sequence[list[SpanObject]], m: float, rng: Generator, known: SpansSeen) -> list[list[SpanObject]]:
        return [change(text, m, rng, known, place) for place, text in enumerate(texts)]

    return error


def _write(spans: list[SpanObject], known: SpansSeen, _: Any) -> tuple[Any, ...]:
    number = round if known.whole else float
    spans_left = [span.written.with_numbers(number(span.start), number(span.end)) for span in sorted(spans, key=_where)]
    return tuple(dict.fromkeys(spans_left))  # a span that came about twice is one span


def _where(span: SpanObject) -> tuple[float, float, str]:
    return span.start, span.end, str(label_of(span.written))


def _inside(start: float, end: float, known: SpansSeen, place: int) -> tuple[float, float]:
    """The boundaries in their order, inside the text and not too close together."""
    low, high = known.low[place], known.high[place]
    if known.whole:
        start, end = float(round(start)), float(round(end))
    start, end = sorted((min(max(start, low), high), min(max(end, low), high)))
    if end - start < known.least:
        start = max(low, min(start, high - known.least))
        end = start + known.least
    return start, end


def _shift(spans: list[SpanObject], m: float, rng: Generator, known: SpansSeen, place: int) -> list[SpanObject]:
    moves = rng.uniform(-2, 2, (len(spans), 2)) * m * known.length
    return [
        SpanObject(*_inside(span.start + left, span.end + right, known, place), span.written)
        for span, (left, right) in zip(spans, moves.tolist(), strict=True)
    ]


def _label(texts: Sequence[list[SpanObject]], m: float, rng: Generator, known: SpansSeen) -> list[list[SpanObject]]:
    new = relabelled([[span.written for span in text] for text in texts], m, rng, known.mistakes)
    return [
        [span._replace(written=written) for span, written in zip(text, some, strict=True)]
        for text, some in zip(texts, new, strict=True)
    ]


def _split(spans: list[SpanObject], m: float, rng: Generator, known: SpansSeen, _: int) -> list[SpanObject]:
    divided = []
    for span, chance, share in zip(spans, *rng.random((2, len(spans))).tolist(), strict=True):
        start, end = span.start, span.end
        if chance >= m or end - start < 2 * known.least:
            divided.append(span)
            continue
        if known.whole:
            cut = start + 1 + math.floor(share * (end - start - 1))
        else:
            cut = start + known.least + share * (end - start - 2 * known.least)
        divided += [SpanObject(start, cut, span.written), SpanObject(cut, end, span.written)]
    return divided


def _merge(spans: list[SpanObject], m: float, rng: Generator, _: SpansSeen, __: int) -> list[SpanObject]:
    in_order = sorted(spans, key=_where)
    together, pairs = in_order[:1], list(pairwise(in_order))
    for (_, following), chance, first in zip(pairs, *rng.random((2, len(pairs))).tolist(), strict=True):
        if chance >= m / 2:
            together.append(following)
            continue
        before = together.pop()
        written = before.written if first < 0.5 else following.written
        together.append(SpanObject(before.start, max(before.end, following.end), written))
    return together


def _delete(spans: list[SpanObject], m: float, rng: Generator, _: SpansSeen, __: int) -> list[SpanObject]:
    return [span for span, gone in zip(spans, rng.random(len(spans)) < m, strict=True) if not gone]


def _insert(spans: list[SpanObject], m: float, rng: Generator, known: SpansSeen, place: int) -> list[SpanObject]:
    low, high = known.low[place], known.high[place]
    if not known.spans or high - low < known.least:
        return spans
    new = []
    for _ in range(int(rng.poisson(m * known.density * (high - low)))):
        size, model = (known.spans[int(at)] for at in rng.integers(len(known.spans), size=2))
        length = min(size.end - size.start, high - low)
        start = low + rng.random() * (high - low - length + known.whole)  # whole places have one more to begin at
        start = math.floor(start) if known.whole else start
        new.append(SpanObject(*_inside(start, start + length, known, place), model.written))
    return [*spans, *new]


def _usual(known: SpansSeen) -> tuple[str, ...]:
    return ("shift", *(("label",) if known.labelled else ()), "split", "merge", "delete", "insert")


spans: Noise[list[SpanObject], SpansSeen] = Noise(
    "spans",
    {
        "shift": _in_each_text(_shift),
        "label": _label,
        "split": _in_each_text(_split),
        "merge": _in_each_text(_merge),
        "delete": _in_each_text(_delete),
        "insert": _in_each_text(_insert),
    },
    _survey,
    _usual,
    read=_read,
    write=_write,
)
