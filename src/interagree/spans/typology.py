"""What kind of disagreement it is: spans of two annotators that agree, differ, or have no counterpart.

Spans are paired one to one: as many as can be with one that is the same, and the others so that they have as much in
common as can be.  Each pair, and each span left over, is of one type, as seen from the first annotator:

| type | |
|---|---|
| agreed | the same positions and the same label |
| boundary | the same label, other ends |
| label | the same positions, another label |
| both | other ends and another label, but they overlap |
| split | one span of the first is several of the second, of the same label |
| merge | several spans of the first are one of the second, of the same label |
| nested | one of them has one more span, inside or around one that is paired already |
| extra | the first has a span, and the second nothing there |
| missing | the second has a span, and the first nothing there |

With the annotators swapped, split and merge change places, and so do extra and missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Unpack
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Item, Values
from interagree.declare import takes_data
from interagree.documents.texts import Documents
from interagree.errors import UnknownName, listing, suggestion
from interagree.kernels.assignment import heaviest
from interagree.kernels.ragged import ragged
from interagree.results.answer import Answer
from interagree.results.charts import Bars
from interagree.results.charts.tables import bars
from interagree.results.document import Document, Section
from interagree.results.narrow import narrow
from interagree.stats.documents.span_chance import mixed
from interagree.stats.documents.span_matching import Overlaps, lengths
from interagree.stats.documents.span_matching import exact as same_pieces
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.compress import totals
from interagree.tables import Table

TYPES = ("agreed", "boundary", "label", "both", "split", "merge", "nested", "extra", "missing")
AGREED, BOUNDARY, LABEL, BOTH, SPLIT, MERGE, NESTED, EXTRA, MISSING = range(len(TYPES))
NONE = -1
HAIR = 1e-7  # what decides between pairings that are as good


@dataclass(frozen=True)
class Typology(Answer):
    """All spans of every two annotators by what became of them."""

    marks: SpanPairs
    kind: NDArray[np.int8]  # a place in `TYPES`, for each event
    pair: Indices  # the distinct pair of values
    x: Indices  # a span of the first, or -1
    y: Indices  # … of the second
    part_of: Indices  # further spans of splits and merges: the event, the span, and whose it is
    part: Indices
    part_first: Booleans

    @cached_property
    def times(self) -> Indices:
        """How many pairs of annotations have each distinct pair of values."""
        return np.bincount(self.marks.pattern, minlength=len(self.marks.i))

    @property
    def spans(self) -> int:
        """How many spans there are in the study."""
        return int(np.diff(self.marks.spans.start)[self.marks.study.value].sum())

    def number(self, types: Sequence[str] = TYPES) -> int:
        """How many there are of some types."""
        wanted = np.isin(self.kind, _codes(types))
        return int(self.times[self.pair[wanted]].sum())

    def counts(self) -> Table:
        """How many there are of each type, the commonest disagreement first."""
        many = totals(self.kind, self.times[self.pair], len(TYPES))
        return _counted(many)

    def by_pair(self) -> Table:
        """For each two annotators how many there are of each type; the types are told from the first one's side."""
        m = self.marks
        people = len(m.study.annotators)
        cell = m.study.annotator[m.first].astype(np.int64) * people + m.study.annotator[m.second]
        cells, place = np.unique(cell, return_inverse=True)
        by_pattern = np.zeros((len(m.i), len(TYPES)))
        np.add.at(by_pattern, (self.pair, self.kind), 1)
        many = np.zeros((len(cells), len(TYPES)))
        np.add.at(many, place.reshape(-1), by_pattern[m.pattern])
        rows = [
            {
                "first": m.study.annotators[int(two // people)],
                "second": m.study.annotators[int(two % people)],
                **{name: int(row[code]) for code, name in enumerate(TYPES)},
            }
            for two, row in zip(cells, many, strict=True)
        ]
        return Table.of(rows, names=("first", "second", *TYPES))

    def by_label(self) -> Table:
        """For each label of the first span of an event, or of the second where there is no first, the same."""
        m = self.marks
        label = m.spans.label[np.where(self.x >= 0, self.x, self.y)]
        many = np.zeros((len(m.labels), len(TYPES)))
        np.add.at(many, (label, self.kind), self.times[self.pair])
        order = sorted(range(len(m.labels)), key=lambda k: (m.labels[k] is None, str(m.labels[k])))
        rows = [
            {"of label": m.labels[k], **{name: int(many[k, code]) for code, name in enumerate(TYPES)}} for k in order
        ]
        return Table.of(rows, names=("of label", *TYPES))

    def confused(self) -> Table:
        """Which labels are given to spans that overlap where they differ; each two labels once."""
        m = self.marks
        there = (self.x >= 0) & (self.y >= 0)
        label_x, label_y = m.spans.label[self.x[there]], m.spans.label[self.y[there]]
        cell = np.minimum(label_x, label_y).astype(np.int64) * max(len(m.labels), 1) + np.maximum(label_x, label_y)
        cells, place = np.unique(cell, return_inverse=True)
        many = totals(place.reshape(-1), self.times[self.pair[there]], len(cells))
        rows = [
            {"label": m.labels[c // len(m.labels)], "other": m.labels[c % len(m.labels)], "pairs": int(n)}
            for c, n in zip(cells.tolist(), many.tolist(), strict=True)
            if c // len(m.labels) != c % len(m.labels)
        ]
        return Table.of(rows, names=("label", "other", "pairs")).sort("pairs", descending=True)

    @property
    def undefined(self) -> str | None:
        """Why there is nothing to compare; None where there is something."""
        return None if len(self.marks.first) else "no document has spans by two annotators"

    def tables(self) -> dict[str, Table]:
        """The disagreements one by one, how many there are of each type, by pair and by label, and confused labels."""
        return {
            "disagreements": self.table(),
            "types": self.counts(),
            "by pair": self.by_pair(),
            "by label": self.by_label(),
            "confused labels": self.confused(),
        }

    def chart(self) -> Bars | None:
        """How many disagreements there are of each type."""
        wrong = self.counts().where(lambda row: row["type"] != TYPES[0])
        kinds = ", ".join(f"{row['type']} {row['number']:,}" for row in wrong)
        words = f"How many disagreements are of which kind: {kinds}."
        return bars(wrong, "number", axis="disagreements", words=words) if len(wrong) else None

    def document(self) -> Document:
        """How many disagreements there are of each type, the labels that are confused, and the disagreements."""
        shown = narrow(self.table(most=10).without("begin", "end"))
        sections = [*self.sections(), Section("The first disagreements", table=replace(shown, foot=""))]
        data = {"types": self.counts(), "pairs": self.by_pair(), "confused": self.confused()}
        return Document("", sections if len(shown) else sections[:-1], data, self.table(most=None))

    def sections(self, most: int = 10) -> list[Section]:
        """The types and the confused labels as parts of a report."""
        side = "as seen from the first annotator; with a gold standard, from the annotator compared with it"
        sections = [Section("Types of disagreement", table=self.counts(), foot=(side,), chart=self.chart())]
        confused = self.confused().head(most)
        return [*sections, Section("Confused labels", table=confused)] if len(confused) else sections

    def table(
        self, *, most: int | None = 1_000, types: Sequence[str] = TYPES[1:], document: Item | None = None
    ) -> Table:
        """The disagreements one by one, in the order of documents and annotators.

        Args:
            most: How many are listed; None lists all.
            types: Those of which type.
            document: Those of one document alone.
        """
        kept = list(islice(self._rows(types, document), None if most is None else most + 1))
        names = ("document", "first", "second", "type", "begin", "end", "of the first", "of the second", "text")
        more = most is not None and len(kept) > most
        return Table.of(kept[:most], names=names, foot=f"the first {most:,} alone" if more else "")

    def _rows(self, types: Sequence[str], document: Item | None) -> Iterator[dict[str, object]]:
        m = self.marks
        documents = Documents.of(m.study)
        wanted = np.isin(self.kind, _codes(types))
        events = np.flatnonzero(wanted)
        begin = np.where(self.x >= 0, m.spans.begin[self.x], m.spans.begin[self.y])
        events = events[np.lexsort((begin[events], self.pair[events]))]
        start = np.searchsorted(self.pair[events], np.arange(len(m.i) + 1))
        rows = np.arange(len(m.first)) if document is None else np.flatnonzero(m.item == self._code(document))
        for row in rows.tolist():
            pattern, first, second = int(m.pattern[row]), int(m.first[row]), int(m.second[row])
            for event in events[start[pattern] : start[pattern + 1]].tolist():
                yield self._row(event, first, second, documents)

    def spans_of(self, event: int) -> tuple[list[int], list[int]]:
        """The places of the spans of an event, those of the first annotator and those of the second."""
        sides: tuple[list[int], list[int]] = ([], [])
        for side, place in zip(sides, (self.x[event], self.y[event]), strict=True):
            if place >= 0:
                side.append(int(place))
        for k in range(*self._parts[event : event + 2].tolist()):
            sides[0 if self.part_first[k] else 1].append(int(self.part[k]))
        begin = self.marks.spans.begin
        return sorted(sides[0], key=begin.__getitem__), sorted(sides[1], key=begin.__getitem__)

    @cached_property
    def _parts(self) -> Indices:
        return np.searchsorted(self.part_of, np.arange(len(self.kind) + 1))

    def _row(self, event: int, first_row: int, second_row: int, documents: Documents) -> dict[str, object]:
        m = self.marks
        item = int(m.study.item[first_row])
        first, second = self.spans_of(event)
        places = np.array([*first, *second])
        low, high = float(m.spans.begin[places].min()), float(m.spans.end[places].max())
        whole = low == int(low) >= 0 and high == int(high)
        text = documents.covered(item, int(low), int(high)) if whole else None
        return {
            "document": m.study.items[item],
            "first": m.study.annotators[int(m.study.annotator[first_row])],
            "second": m.study.annotators[int(m.study.annotator[second_row])],
            "type": TYPES[int(self.kind[event])],
            "begin": _whole(low),
            "end": _whole(high),
            "of the first": self._spelled(first),
            "of the second": self._spelled(second),
            "text": None if text is None else " ".join(text.split()),
        }

    def _spelled(self, places: list[int]) -> str:
        spans = self.marks.spans
        words = []
        for place in places:
            label = self.marks.labels[int(spans.label[place])]
            where = f"{spans.begin[place]:g}–{spans.end[place]:g}"
            words.append(where if label is None else f"{where} {label}")
        return ", ".join(words)

    def _code(self, document: Item) -> int:
        names = list(self.marks.study.items)
        if document not in names:
            raise UnknownName(
                f"there is no document {document!r}.{suggestion(str(document), map(str, names))} "
                f"(there are {listing(names, most=5)})"
            )
        return names.index(document)

    def statuses(self, document: Item) -> dict[tuple[int, int], str]:
        """For each span of a document what became of it: "agreed", or the type of its commonest disagreement.

        A span is known by the row of its annotation in the study and its place in the list there.
        """
        m = self.marks
        item = self._code(document)
        seen: dict[tuple[int, int], dict[str, int]] = {}
        order = np.argsort(self.pair, kind="stable")
        start = np.searchsorted(self.pair[order], np.arange(len(m.i) + 1))
        for row in np.flatnonzero(m.item == item).tolist():
            pattern = int(m.pattern[row])
            rows = (int(m.first[row]), int(m.second[row]))
            for event in order[start[pattern] : start[pattern + 1]].tolist():
                word = TYPES[int(self.kind[event])]
                for whose, places in zip(rows, self.spans_of(event), strict=True):
                    for place in places:
                        key = (whose, place - int(m.spans.start[m.study.value[whose]]))
                        times_by_type = seen.setdefault(key, {})
                        times_by_type[word] = times_by_type.get(word, 0) + 1
        return {key: _worst(times_by_type) for key, times_by_type in seen.items()}


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


def check_types(types: Sequence[str]) -> None:
    """An error where there is no such type of disagreement."""
    for name in types:
        if name not in TYPES:
            raise UnknownName(
                f"there is no type of disagreement {name!r}.{suggestion(str(name), TYPES)} (there are {listing(TYPES)})"
            )


def _codes(types: Sequence[str]) -> list[int]:
    check_types(types)
    return [TYPES.index(name) for name in types]


def _worst(times_by_type: dict[str, int]) -> str:
    wrong = {word: many for word, many in times_by_type.items() if word != "agreed"}
    return max(wrong, key=lambda word: (wrong[word], -TYPES.index(word))) if wrong else "agreed"


def _counted(many: Floats) -> Table:
    total, wrong = float(many.sum()), float(many[1:].sum())
    order = [0, *(1 + np.argsort(-many[1:], kind="stable")).tolist()]
    rows = [
        {
            "type": TYPES[k],
            "number": int(many[k]),
            "share": float(many[k]) / total if total else None,
            "of disagreements": float(many[k]) / wrong if wrong and k else None,
        }
        for k in order
        if many[k]
    ]
    return Table.of(rows, names=("type", "number", "share", "of disagreements"))


@takes_data
def span_types(
    data: IntoAnnotations, *others: Values, gold: Annotator | None = None, **reading: Unpack[ReadingOptions]
) -> Typology:
    """What kind of disagreement each is, for every two annotators of every document.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        gold: The annotator whom all others are compared with; they are the second.

    Returns:
        A `Typology`, with `counts`, `by_pair`, `by_label`, `confused` and `table`.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> ia.spans.span_types(ia.Annotations.of(spans, kind="spans")).counts().to_dict("number")
        {'boundary': 1}
    """
    study = as_annotations(data)
    made: Typology = study.cached(("types", gold), lambda: _types(SpanPairs.of(study, who="span_types", gold=gold)))
    return made


def _types(marks: SpanPairs) -> Typology:
    every, spans = marks.overlaps, marks.spans
    size = lengths(spans)
    exact = same_pieces(spans, every)
    same = spans.label[every.x] == spans.label[every.y]
    # First as many that agree as can be, then as many of the same ends or label, then what is shared most.
    close = every.shared / (size[every.x] + size[every.y] - every.shared)
    weight = 100.0 * (exact & same) + 2.0 * exact + 0.5 * same + close
    # Of pairings as good, always the same one, whoever comes first.
    kept = heaviest(every.u, every.v, weight + HAIR * _tie_breakers(marks, every))
    paired, exact, same = every.taking(kept), exact[kept], same[kept]
    kind = np.where(exact, np.where(same, AGREED, LABEL), np.where(same, BOUNDARY, BOTH)).astype(np.int8)
    left = _Left(marks, paired, kind == BOUNDARY)
    ones = [left.of_side(first=side) for side in (True, False)]
    parts = [
        (event, span, np.full(len(span), side)) for (event, span, *_), side in zip(ones, (True, False), strict=True)
    ]
    for (event, *_), name in zip(ones, (MERGE, SPLIT), strict=True):
        kind[event] = name
    lone = [(span, pair, nested) for _, _, span, pair, nested in ones]
    blank = [np.full(len(span), NONE, dtype=np.intp) for span, *_ in lone]
    order = np.argsort(np.concatenate([parts[0][0], parts[1][0]]), kind="stable")
    return Typology(
        marks,
        np.concatenate(
            [kind, *(np.where(n, NESTED, name) for (_, _, n), name in zip(lone, (EXTRA, MISSING), strict=True))]
        ).astype(np.int8),
        np.concatenate([paired.pair, lone[0][1], lone[1][1]]),
        np.concatenate([paired.x, lone[0][0], blank[1]]),
        np.concatenate([paired.y, blank[0], lone[1][0]]),
        *(np.concatenate(sides)[order] for sides in zip(*parts, strict=True)),
    )


def _tie_breakers(marks: SpanPairs, overlaps: Overlaps) -> Floats:
    """For each two spans a number from 0 up to 1 that depends on what they are, and not on which comes first."""
    named = np.array([crc32(repr(name).encode()) for name in marks.labels], dtype=np.uint64)
    spans = marks.spans
    with np.errstate(over="ignore"):
        own = mixed(spans.begin.view(np.uint64) + mixed(spans.end.view(np.uint64) + mixed(named)[spans.label]))
        both = mixed(own[overlaps.x] + own[overlaps.y])
    lots: Floats = (both >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return lots


@dataclass(frozen=True)
class _Left:
    marks: SpanPairs
    paired: Overlaps  # those that were
    open: Booleans  # whether they may be split further

    def of_side(self, *, first: bool) -> tuple[Indices, Indices, Indices, Indices, Booleans]:
        """Spans left over of one annotator: parts of paired ones (event, span), and others (span, pair, nested)."""
        marks, spans = self.marks, self.marks.spans
        values = marks.i if first else marks.j
        pair, span = ragged(spans.start[values], np.diff(spans.start)[values])
        if spans.order is not None:  # overlaps count the spans of each value in order of where they begin
            span = spans.order[span]
        mine, other = (self.paired.u, self.paired.v) if first else (self.paired.v, self.paired.u)
        left = np.ones(len(span), dtype=bool)
        left[mine] = False
        event, inside = self._crossed(left, other, first=first)
        crossing = event >= 0
        theirs = self.paired.y if first else self.paired.x
        part = crossing.copy()
        met = event[crossing]
        part[crossing] = self.open[met] & (spans.label[theirs[met]] == spans.label[span[crossing]])
        alone = left & ~part
        nested = inside & alone
        return event[part], span[part], span[alone], pair[alone], nested[alone]

    def _crossed(self, left: Booleans, other: Indices, *, first: bool) -> tuple[Indices, Booleans]:
        """For each span left over: the pair whose other span it shares most with, and if one lies inside the other."""
        marks = self.marks
        every = marks.overlaps
        mine, theirs = (every.u, every.v) if first else (every.v, every.u)
        edges = np.flatnonzero(left[mine])
        edges = edges[np.lexsort((theirs[edges], -every.shared[edges], mine[edges]))]
        edges = edges[np.diff(mine[edges], prepend=-1) != 0]
        of_other = np.full(int(theirs.max(initial=-1)) + 1, NONE, dtype=np.intp)
        of_other[other] = np.arange(len(other))
        event = np.full(len(left), NONE, dtype=np.intp)
        event[mine[edges]] = of_other[theirs[edges]]
        size = lengths(marks.spans)
        least = np.minimum(size[every.x[edges]], size[every.y[edges]])
        inside = np.zeros(len(left), dtype=bool)
        inside[mine[edges]] = every.shared[edges] == least
        return event, inside
