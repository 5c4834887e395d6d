"""Documents laid end to end, what each annotator marked in them, and how much of it others marked, too.

An item is a document, and its value by one annotator the list of all that they marked there; an empty list says that
they marked nothing, and no value that they did not look.  Documents that fewer than two annotators looked at cannot be
compared.  No stretch crosses the border of a document, so that all that is needed are sums over documents, and
resampling documents measures nothing again.

Two stretches of one document have something in common if the one that begins later does so before the other one ends.
With stretches in order of their beginnings, all such pairs are ranges of places: they are found by one sort and one
search, without going over annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar, cast

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.errors import DataError
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans
from interagree.results.agreement import Parts, Sizes
from interagree.stats.documents import lengths as extents
from interagree.stats.engine.compress import SummableTable, dense, table_of, totals
from interagree.stats.engine.passed_on import PassedOn
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.statistic import BaseStatistic, unpaired_notes
from interagree.stats.engine.value import ratio
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.pairs.pair_sums import known_annotators
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured

ONE_CATEGORY = "and here every place has one category; take gamma, which allows it, or measure one label at a time"
T = TypeVar("T")

Label = str | None

BLOCK = 1 << 22  # pairs of stretches that are looked at together
LARGEST = 1 << 62  # what a key of two whole numbers may reach


@dataclass(frozen=True)
class MarkedDocuments:
    """All documents of a study that can be compared, and the stretches that annotators marked in them."""

    study: Annotations
    item: Indices  # of each document
    people: Floats  # how many looked at each
    size: Floats  # how long each is
    document: Indices  # of each stretch
    row: Indices  # of each stretch: the annotation it is part of, as numbered in the study
    begin: Floats
    end: Floats
    label: Indices
    labels: tuple[Label, ...]  # the categories in order; having none comes last
    alone: int  # documents that one annotator looked at
    silent: int  # documents of unknown length in which nobody marked anything
    assumed: int  # documents that are taken to end where the last stretch does

    @classmethod
    def of(cls, study: Annotations, *, who: str, length: str | float | None = None) -> MarkedDocuments:
        """The documents of a study whose values are spans.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            length: How long a document is, or the attribute that says so; by default as long as its text or its
                tokens where the study has them, else up to where the last stretch ends.
        """
        made: MarkedDocuments = study.cached(
            ("marked documents", length), lambda: cls._of(known_annotators(study, who), who=who, length=length)
        )
        return made

    @classmethod
    def _of(cls, study: Annotations, *, who: str, length: str | float | None) -> MarkedDocuments:
        spans, names, code_of = study.shared("stretches", lambda: _stretches(study, who))
        looked = study.sizes()
        rows = np.flatnonzero(looked[study.item] > 1)
        which, own = ragged(spans.start[study.value[rows]], np.diff(spans.start)[study.value[rows]])
        begin, end = spans.begin[own], spans.end[own]
        row = rows[which]
        furthest = np.zeros(len(looked))
        np.maximum.at(furthest, study.item[row], end)
        if len(begin) and begin.min() < 0:
            first = int(begin.argmin())
            raise DataError(
                f"{_spans_of(study, int(row[first]))} begin before 0, at {begin[first]:g}; documents begin at 0, so "
                "count positions from there"
            )
        known = extents.reaching(study, length, np.where(looked > 1, furthest, 0.0))
        size = np.where(np.isnan(known), furthest, known)
        item = np.flatnonzero((looked > 1) & (size > 0))
        place = np.full(len(looked), -1, dtype=np.intp)
        place[item] = np.arange(len(item))
        return cls(
            study,
            item,
            looked[item].astype(np.float64),
            size[item],
            place[study.item[row]],
            row,
            begin,
            end,
            code_of[spans.label[own]],
            names,
            int(np.count_nonzero(looked == 1)),
            int(np.count_nonzero((looked > 1) & (size == 0))),
            int(np.count_nonzero(np.isnan(known[item]))),
        )

    @cached_property
    def length(self) -> Floats:
        return self.end - self.begin

    @cached_property
    def shared(self) -> tuple[Floats, Floats]:
        """For each stretch the mean length that another annotator marked of it, and that with the same label."""
        count = len(self.begin)
        met, same = np.zeros(count), np.zeros(count)
        for earlier, later in self.meetings(labels=False):
            self.refuse_overlap(earlier, later, ONE_CATEGORY)
            common = np.minimum(self.end[earlier], self.end[later]) - self.begin[later]
            alike = np.where(self.label[earlier] == self.label[later], common, 0.0)
            for places in (earlier, later):
                met += np.bincount(places, common, minlength=count)
                same += np.bincount(places, alike, minlength=count)
        others = self.people[self.document] - 1
        return met / others, same / others

    @cached_property
    def squared(self) -> Floats:
        """For each stretch the mean over the other annotators of the square of what they marked of it."""
        pairs = list(self.meetings(labels=False))
        earlier, later = (np.concatenate([some[side] for some in pairs] or [self.row[:0]]) for side in (0, 1))
        common = np.minimum(self.end[earlier], self.end[later]) - self.begin[later]
        stretch, row = np.concatenate([earlier, later]), self.row[np.concatenate([later, earlier])]
        rows = int(self.row.max(initial=0)) + 1
        cells, place = np.unique(stretch * rows + row, return_inverse=True)
        by_one = totals(place.reshape(-1), np.concatenate([common, common]), len(cells))
        stretch = cells // rows
        return totals(stretch, by_one**2, len(self.begin)) / (self.people[self.document] - 1)

    @property
    def several(self) -> bool:
        """Whether three annotators or more looked at a document."""
        return bool((self.people > 2).any())

    @property
    def in_whole_numbers(self) -> bool:
        """Whether all positions are whole numbers."""
        return all(bool((part == np.floor(part)).all()) for part in (self.begin, self.end, self.size))

    @property
    def n(self) -> Sizes:
        """How many documents, annotators and annotations are compared."""
        people = len(np.unique(self.study.annotator))
        return Sizes(len(self.item), people, int(self.people.sum()))

    def meetings(self, *, labels: bool) -> Iterator[tuple[Indices, Indices]]:
        """All pairs of stretches (of one label, if labels matter) that have something in common, in blocks.

        The second one of a pair does not begin before the first one.
        """
        group = self.document * len(self.labels) + self.label if labels else self.document
        begins, ends = _keys(group, self.begin, self.end)
        order = np.argsort(begins, kind="stable")
        begins, ends = begins[order], ends[order]
        after = np.arange(1, len(order) + 1)
        count = np.searchsorted(begins, ends) - after  # those that begin later, and before this one ends
        done = np.concatenate([[0], np.cumsum(count)])
        first = 0
        while first < len(order):
            last = max(first + 1, int(np.searchsorted(done, done[first] + BLOCK, side="right")) - 1)
            some = count[first:last]
            earlier = np.repeat(np.arange(first, last), some)
            later = np.arange(len(earlier)) + np.repeat(after[first:last] - (done[first:last] - done[first]), some)
            yield order[earlier], order[later]
            first = last

    def refuse_overlap(self, earlier: Indices, later: Indices, why: str) -> None:
        """An error where two stretches that have something in common are by one annotator."""
        own = np.flatnonzero(self.row[earlier] == self.row[later])
        if len(own):
            first, second = int(earlier[own[0]]), int(later[own[0]])
            both = f"{self._shown(first)} and {self._shown(second)}"
            raise DataError(f"{_spans_of(self.study, int(self.row[first]))} overlap: {both}, {why}")

    def _shown(self, place: int) -> str:
        return f"[{self.begin[place]:g}, {self.end[place]:g}, {self.labels[self.label[place]]!r}]"

    def notes(self) -> tuple[str, ...]:
        notes = []
        if self.assumed:
            which = "documents are" if self.assumed < len(self.item) else "each document is"
            count = f"{self.assumed:,} " if self.assumed < len(self.item) else ""
            notes.append(
                f"{count}{which} taken to reach from 0 to the furthest end that anybody marked; length= says how long "
                "documents are"
            )
        if self.silent:
            many = self.silent > 1
            notes.append(
                f"{self.silent:,} document{'s' if many else ''} of unknown length in which nobody marked anything "
                f"{'were' if many else 'was'} left out"
            )
        return tuple(notes)


def _stretches(study: Annotations, who: str) -> tuple[Spans, tuple[Label, ...], Indices]:
    """The spans of all values, discontinuous ones as their pieces; the labels in order, and the code of each."""
    spans: Spans = study.packed("spans", who=who)
    names = spans.names
    order = sorted(range(len(names)), key=lambda code: (names[code] is None, names[code] or ""))
    code_of = np.empty(len(names), dtype=np.intp)
    code_of[order] = np.arange(len(order))
    if spans.pieces is not None:
        times = np.diff(spans.pieces.start)
        spans = Spans(
            spans.pieces.start[spans.start], spans.pieces.begin, spans.pieces.end, np.repeat(spans.label, times)
        )
    return spans, tuple(names[code] for code in order), code_of


def _spans_of(study: Annotations, row: int) -> str:
    who, item = study.annotators[int(study.annotator[row])], study.items[int(study.item[row])]
    return f"spans of annotator {who!r} in document {item!r}"


def _keys(group: Indices, begin: Floats, end: Floats) -> tuple[Indices, Indices]:
    """Beginnings and ends as whole numbers in the same order, those of each group above all of the groups before."""
    if not len(begin):
        return group, group
    low, high = float(begin.min()), float(end.max())
    exact = high - low < LARGEST // (int(group.max()) + 2)
    if exact and all(bool((part == np.floor(part)).all()) for part in (begin, end)):
        width = int(high - low) + 1
        return group * width + (begin - low).astype(np.intp), group * width + (end - low).astype(np.intp)
    known, rank = np.unique(np.concatenate([begin, end]), return_inverse=True)
    rank = rank.reshape(-1)
    return group * len(known) + rank[: len(begin)], group * len(known) + rank[len(begin) :]


@dataclass(frozen=True, slots=True)
class Each:
    """Every document by itself: weights that sum nothing up."""

    count: int

    def sum(self, features: Array | SummableTable) -> Array:
        return dense(features)

    def quadratic(self, total: Array | float, linear: Array, own: Array | None) -> Array:  # noqa: ARG002
        """What each document has with itself."""
        return np.zeros(len(linear)) if own is None else own

    def matrix(self) -> Array:
        return np.eye(self.count)


@dataclass(frozen=True)
class DocumentStatistic(BaseStatistic):
    """Documents, and how often each counts; sums over them are made when they are asked for."""

    documents: MarkedDocuments
    code: Indices  # of each document: itself, or the group that is resampled
    count: int  # how many codes there are
    weights: Weights
    made: dict[Hashable, object] = field(default_factory=dict)  # sums over documents, whatever the weights

    @classmethod
    def over(cls, documents: MarkedDocuments) -> Self:
        count = len(documents.item)
        return cls(documents, np.arange(count), count, Observed(np.ones(count)))

    source = PassedOn[Annotations]("documents", "study")
    n = PassedOn[Sizes]("documents")
    unpaired = PassedOn[int]("documents", "alone")

    @property
    def width(self) -> int:
        return 8 + 8 * len(self.documents.labels)

    @cached_property
    def pattern(self) -> Indices:
        """The code of each item of the study; -1 where it does not count."""
        pattern = np.full(len(self.source.items), -1, dtype=np.intp)
        pattern[self.documents.item] = self.code
        return pattern

    def grouped(self, group: Array) -> Self:
        """The same documents, with groups of them to be resampled; ``group`` is that of each item of the study."""
        code = np.unique(group[self.documents.item], return_inverse=True)[1].reshape(-1)
        count = int(code.max(initial=-1)) + 1
        return replace(self, code=code, count=count, weights=Observed(np.ones(count)), made={})

    def notes(self) -> Sequence[str]:
        return (*unpaired_notes(self), *self.documents.notes())

    def drill(self, measured: Measured[Self]) -> DocumentTables:
        return DocumentTables(self, measured, lambda: measured.parts(self.weighted(Each(self.count))))

    @cached_property
    def mine(self) -> Indices:
        """The code of the document of each stretch."""
        return self.code[self.documents.document]

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once whatever the weights are."""
        if name not in self.made:
            self.made[name] = make()
        return cast("T", self.made[name])

    def by_category(self, name: str, entries: Floats) -> Array:
        """The sums of entries of stretches by category."""
        shape = (self.count, len(self.documents.labels))
        table = self.once(("table", name), lambda: table_of(self.mine, self.documents.label, entries, shape))
        return np.asarray(self.weights.sum(table))

    def sums_of(self, name: str, columns: Callable[[], list[Floats]]) -> Array:
        """The sums of several features of documents, one after the other."""
        stacked = self.once(name, lambda: np.stack(columns(), axis=1))
        return np.moveaxis(np.asarray(self.weights.sum(stacked)), -1, 0)


@dataclass(frozen=True)
class Coverage(DocumentStatistic):
    """How much was marked, how much of it others marked, too, and how much of that with the same label."""

    def totals(self) -> Array:
        """The sums of: places, marked places, squared lengths; common lengths, their squares, those of one label."""
        documents, (met, same) = self.documents, self.documents.shared

        def columns() -> list[Floats]:
            parts = (documents.length, documents.length**2, met, met**2, same)
            places = totals(self.code, documents.people * documents.size, self.count)
            return [places, *(totals(self.mine, part, self.count) for part in parts)]

        return self.sums_of("totals", columns)

    def marked(self) -> Array:
        """The length that is marked with each category."""
        return self.by_category("marked", self.documents.length)

    def met(self) -> Array:
        """The length of each category that others marked, too."""
        return self.by_category("met", self.documents.shared[0])

    def squared(self, code: int | None = None) -> Array:
        """The sum over stretches, of one category or all, of the mean square of what each other annotator marked."""
        documents = self.documents

        def columns() -> list[Floats]:
            here = np.ones(len(documents.label), dtype=bool) if code is None else documents.label == code
            return [totals(self.mine[here], documents.squared[here], self.count)]

        return np.asarray(self.sums_of(f"squared {code}", columns)[0])

    def of_category(self, code: int) -> Array:
        """The sums of: common lengths, those of a category, their squares, and those that have it on both sides."""
        documents, (met, same) = self.documents, self.documents.shared

        def columns() -> list[Floats]:
            here = documents.label == code
            parts = (met[here], met[here] ** 2, same[here])
            return [totals(self.mine, met, self.count), *(totals(self.mine[here], part, self.count) for part in parts)]

        return self.sums_of(f"category {code}", columns)


@dataclass(frozen=True)
class MarkedAnywhere(Coverage):
    """What annotators have in common on average who mark places anywhere, each as much of each category as here."""

    @cached_property
    def rates(self) -> tuple[Floats, Floats]:
        """For each document and category what others mark of it, too, and what they mark with that category."""
        documents, study = self.documents, self.source
        place = np.full(len(study.items), -1, dtype=np.intp)
        place[documents.item] = np.arange(len(documents.item))
        document = place[study.item]
        document, who = document[document >= 0], study.annotator[document >= 0]
        people, names = len(study.annotators), len(documents.labels)
        looked = table_of(document, who, np.ones(len(who)), (len(documents.item), people))
        cells = study.annotator[documents.row] * names + documents.label
        marked = totals(cells, documents.length, people * names).reshape(people, names)
        share = marked / np.maximum(totals(who, documents.size[document], people), 1e-12)[:, None]
        whole = share.sum(axis=1, keepdims=True)
        together = dense(looked @ share)  # documents × categories
        times = (documents.size / (documents.people - 1))[:, None]
        met = times * (together * dense(looked @ whole) - dense(looked @ (share * whole)))
        return met, times * (together**2 - dense(looked @ share**2))

    def totals(self) -> Array:
        places, marked, squares, *_ = super().totals()
        met, same = (part.sum() for part in self.rates)
        return np.asarray([places, marked, squares, met, squares * (met / marked) ** 2, same])

    def met(self) -> Array:
        return np.asarray(self.rates[0].sum(axis=0))

    def squared(self, code: int | None = None) -> Array:
        if code is None:
            return np.asarray(self.totals()[4])
        return np.asarray(self.of_category(code)[2])

    def of_category(self, code: int) -> Array:
        documents = self.documents
        met, same = (part.sum(axis=0) for part in self.rates)
        length = documents.length[documents.label == code]
        squares = float((length**2).sum()) * (met[code] / max(float(length.sum()), 1e-12)) ** 2
        return np.asarray([met.sum(), met[code], squares, same[code]])


@dataclass(frozen=True)
class DocumentTables(Remeasured[DocumentStatistic]):
    """The drill-down of a coefficient of documents."""

    each: Callable[[], Parts]  # the disagreements of every document by itself

    def by_item(self) -> Table:
        """For each document: how many looked, what they marked, and its own disagreements and coefficient."""
        documents = self.statistic.documents
        with np.errstate(all="ignore"):
            parts = self.each()
            agreement = ratio(parts)
        units = np.bincount(documents.document, minlength=len(documents.item))
        columns: Mapping[str, list[object]] = {
            "item": [documents.study.items[code] for code in documents.item.tolist()],
            "annotations": documents.people.astype(int).tolist(),
            "units": units.tolist(),
            "length": documents.size.tolist(),
            "disagreement": np.asarray(parts.observed).tolist(),
            "expected": np.asarray(parts.expected).tolist(),
            "agreement": agreement.tolist(),
        }
        return Table(columns, foot="each document by itself")

    def further(self) -> dict[str, list[float]]:
        """How many stretches each annotator marked, and how long they are."""
        documents = self.statistic.documents
        who = self.study.annotator[documents.row]
        count = len(self.study.annotators)
        return {
            "units": np.bincount(who, minlength=count).tolist(),
            "marked": totals(who, documents.length, count).tolist(),
        }

    def largest(self) -> float | None:
        """The largest disagreement there can be."""
        return 1.0 if self.statistic.bounded else None
