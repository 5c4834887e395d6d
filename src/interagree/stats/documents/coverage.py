"""Documents laid end to end, what each annotator marked in them, and how much of it others marked, too.

An item is a document, and its value by one annotator the list of all that she marked there; an empty list says that
she marked nothing, and no value that she did not look.  Documents that fewer than two annotators looked at cannot be
compared.  No stretch crosses the border of a document, so that all that is needed are sums over documents, and
resampling documents measures nothing again.

Two stretches of one document have something in common if the one that begins later does so before the other one ends.
With stretches in order of their beginnings, all such pairs are ranges of places: they are found by one sort and one
search, without going over annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.errors import DataError, KindError
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans
from interagree.results.agreement import Parts, Sizes
from interagree.stats.documents import lengths as extents
from interagree.stats.engine.compress import table_of, totals
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.weights import Observed, Weights
from interagree.tables import Table

Label = str | None

BLOCK = 1 << 22  # pairs of stretches that are looked at together
LARGEST = 1 << 62  # what a key of two whole numbers may reach


# -- documents -----------------------------------------------------------------------------------------------


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
        if study.anonymous and len(study):
            raise KindError(
                f"{who} needs to know who gave which value, and this study was made from counts; read the "
                "annotations themselves"
            )
        made: MarkedDocuments = study.cached(
            ("laid", length), lambda: cls._of(study.first_judgements(), who=who, length=length)
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
                f"{_whose(study, int(row[first]))} begin before 0, at {begin[first]:g}; documents begin at 0, so count "
                "positions from there"
            )
        known = extents.known(study, length)
        short = np.flatnonzero((looked > 1) & (known < furthest))
        if len(short):
            first = int(short[0])
            raise DataError(
                f"document {study.items[first]!r} is {known[first]:g} long, and somebody marked up to "
                f"{furthest[first]:g}; give the length in what positions count, such as characters or tokens"
            )
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
        """How long each stretch is."""
        return self.end - self.begin

    @cached_property
    def shared(self) -> tuple[Floats, Floats]:
        """For each stretch the mean length that another annotator marked of it, and that with the same label."""
        count = len(self.begin)
        met, same = np.zeros(count), np.zeros(count)
        for one, other in self.meetings(labels=False):
            self.refuse_overlap(
                one,
                other,
                "and here every place has one category; take gamma, which allows it, or measure one label at a time",
            )
            common = np.minimum(self.end[one], self.end[other]) - self.begin[other]
            alike = np.where(self.label[one] == self.label[other], common, 0.0)
            for places in (one, other):
                met += np.bincount(places, common, minlength=count)
                same += np.bincount(places, alike, minlength=count)
        others = self.people[self.document] - 1
        return met / others, same / others

    @cached_property
    def squared(self) -> Floats:
        """For each stretch the mean over the other annotators of the square of what they marked of it."""
        pairs = list(self.meetings(labels=False))
        one, other = (np.concatenate([some[side] for some in pairs] or [self.row[:0]]) for side in (0, 1))
        common = np.minimum(self.end[one], self.end[other]) - self.begin[other]
        stretch, whose = np.concatenate([one, other]), self.row[np.concatenate([other, one])]
        found, place = np.unique(stretch * (int(self.row.max(initial=0)) + 1) + whose, return_inverse=True)
        by_one = totals(place.reshape(-1), np.concatenate([common, common]), len(found))
        stretch = found // (int(self.row.max(initial=0)) + 1)
        return totals(stretch, by_one**2, len(self.begin)) / (self.people[self.document] - 1)

    @property
    def several(self) -> bool:
        """Whether three annotators or more looked at a document."""
        return bool((self.people > 2).any())

    @property
    def whole(self) -> bool:
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
            one = np.repeat(np.arange(first, last), some)
            other = np.arange(len(one)) + np.repeat(
                after[first:last] - (done[first:last] - done[first]), some
            )
            yield order[one], order[other]
            first = last

    def refuse_overlap(self, one: Indices, other: Indices, why: str) -> None:
        """An error where two stretches that have something in common are by one annotator."""
        own = np.flatnonzero(self.row[one] == self.row[other])
        if len(own):
            first, second = int(one[own[0]]), int(other[own[0]])
            whose, two = (
                _whose(self.study, int(self.row[first])),
                f"{self._said(first)} and {self._said(second)}",
            )
            raise DataError(f"{whose} overlap: {two}, {why}")

    def _said(self, place: int) -> str:
        return f"[{self.begin[place]:g}, {self.end[place]:g}, {self.labels[self.label[place]]!r}]"

    def notes(self) -> tuple[str, ...]:
        """What was assumed or left out."""
        said = []
        if self.assumed:
            which = "documents are" if self.assumed < len(self.item) else "each document is"
            count = f"{self.assumed:,} " if self.assumed < len(self.item) else ""
            said.append(
                f"{count}{which} taken to reach from 0 to the furthest end that anybody marked; length= says how long "
                "documents are"
            )
        if self.silent:
            many = self.silent > 1
            said.append(
                f"{self.silent:,} document{'s' if many else ''} of unknown length in which nobody marked anything "
                f"{'were' if many else 'was'} left out"
            )
        return tuple(said)


def _stretches(study: Annotations, who: str) -> tuple[Spans, tuple[Label, ...], Indices]:
    """The spans of all values, discontinuous ones as their pieces; the labels in order, and the code of each."""
    spans: Spans = study.packed("spans", who=who)
    found = spans.names
    order = sorted(range(len(found)), key=lambda code: (found[code] is None, found[code] or ""))
    code_of = np.empty(len(found), dtype=np.intp)
    code_of[order] = np.arange(len(order))
    if spans.pieces is not None:
        times = np.diff(spans.pieces.start)
        spans = Spans(
            spans.pieces.start[spans.start],
            spans.pieces.begin,
            spans.pieces.end,
            np.repeat(spans.label, times),
        )
    return spans, tuple(found[code] for code in order), code_of


def _whose(study: Annotations, row: int) -> str:
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


# -- the statistics ------------------------------------------------------------------------------------------


class Each:
    """Every document by itself: weights that sum nothing up."""

    def sum(self, features: Any) -> Any:
        """The features of each document."""
        return features.toarray() if hasattr(features, "toarray") else features

    def quadratic(self, total: Any, linear: Any, own: Any) -> Any:  # noqa: ARG002 -- one signature for all
        """What each document has with itself."""
        return own


@dataclass(frozen=True)
class Continuous:
    """What the statistics of this module share: documents, and how often each counts."""

    laid: MarkedDocuments
    code: Indices  # of each document: itself, or the group that is resampled
    count: int  # how many codes there are
    weights: Weights
    made: dict[Any, Any] = field(default_factory=dict)  # sums over documents, made when they are asked for
    paired: Floats | None = None

    @classmethod
    def over(cls, laid: MarkedDocuments) -> Any:
        """The statistic of all documents."""
        count = len(laid.item)
        return cls(laid, np.arange(count), count, Observed(np.ones(count)))

    @property
    def source(self) -> Annotations:
        """The annotations behind it."""
        return self.laid.study

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    @property
    def n(self) -> Sizes:
        """How much there is to compare."""
        return self.laid.n

    @property
    def unpaired(self) -> int:
        """How many documents one annotator alone looked at."""
        return self.laid.alone

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return 8 + 8 * len(self.laid.labels)

    @cached_property
    def pattern(self) -> Indices:
        """The code of each item of the study; -1 where it does not count."""
        found = np.full(len(self.source.items), -1, dtype=np.intp)
        found[self.laid.item] = self.code
        return found

    def weighted(self, weights: Any) -> Any:
        """The same documents, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> Any:
        """The same documents, with groups of them to be resampled; ``group`` is that of each item of the study."""
        code = np.unique(group[self.laid.item], return_inverse=True)[1].reshape(-1)
        count = int(code.max(initial=-1)) + 1
        return replace(self, code=code, count=count, weights=Observed(np.ones(count)), made={})

    @cached_property
    def mine(self) -> Indices:
        """The code of the document of each stretch."""
        return self.code[self.laid.document]

    def once(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made once whatever the weights are."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def by_category(self, name: str, entries: Floats) -> Any:
        """The sums of entries of stretches by category."""
        shape = (self.count, len(self.laid.labels))
        table = self.once(("table", name), lambda: table_of(self.mine, self.laid.label, entries, shape))
        return self.weights.sum(table)

    def together(self, name: str, columns: Callable[[], list[Floats]]) -> Any:
        """The sums of several features of documents, one after the other."""
        stacked = self.once(name, lambda: np.stack(columns(), axis=1))
        return np.moveaxis(np.asarray(self.weights.sum(stacked)), -1, 0)


@dataclass(frozen=True)
class Coverage(Continuous):
    """How much was marked, how much of it others marked, too, and how much of that with the same label."""

    def totals(self) -> Any:
        """The sums of: places, marked places, squared lengths; common lengths, their squares, those of one label."""
        laid, (met, same) = self.laid, self.laid.shared

        def columns() -> list[Floats]:
            parts = (laid.length, laid.length**2, met, met**2, same)
            places = totals(self.code, laid.people * laid.size, self.count)
            return [places, *(totals(self.mine, part, self.count) for part in parts)]

        return self.together("totals", columns)

    def marked(self) -> Any:
        """The length that is marked with each category."""
        return self.by_category("marked", self.laid.length)

    def met(self) -> Any:
        """The length of each category that others marked, too."""
        return self.by_category("met", self.laid.shared[0])

    def squared(self, code: int | None = None) -> Any:
        """The sum over stretches, of one category or all, of the mean square of what each other annotator marked."""
        laid = self.laid

        def columns() -> list[Floats]:
            here = np.ones(len(laid.label), dtype=bool) if code is None else laid.label == code
            return [totals(self.mine[here], laid.squared[here], self.count)]

        return self.together(f"squared {code}", columns)[0]

    def of_category(self, code: int) -> Any:
        """The sums of: common lengths, those of a category, their squares, and those that have it on both sides."""
        laid, (met, same) = self.laid, self.laid.shared

        def columns() -> list[Floats]:
            here = laid.label == code
            whole = totals(self.mine, met, self.count)
            parts = (met[here], met[here] ** 2, same[here])
            return [whole, *(totals(self.mine[here], part, self.count) for part in parts)]

        return self.together(f"category {code}", columns)


# -- where annotators disagree -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ContinuousTables(Remeasured):
    """The drill-down of a coefficient of documents; ``again`` measures another study in the same way."""

    statistic: Any
    parts: Callable[[Any], Parts]
    again: Callable[[Annotations], float]
    far: float | None = 1.0  # the largest disagreement that there can be

    def by_item(self) -> Table:
        """For each document: how many looked, what they marked, and its own disagreements and coefficient."""
        laid: MarkedDocuments = self.statistic.laid
        with np.errstate(all="ignore"):
            found = self.parts(self.statistic.weighted(Each()))
            agreement = np.where(found.expected > 0, 1 - found.observed / found.expected, np.nan)
        units = np.bincount(laid.document, minlength=len(laid.item))
        columns: Mapping[str, list[Any]] = {
            "item": [laid.study.items[code] for code in laid.item.tolist()],
            "annotations": laid.people.astype(int).tolist(),
            "units": units.tolist(),
            "length": laid.size.tolist(),
            "disagreement": np.asarray(found.observed).tolist(),
            "expected": np.asarray(found.expected).tolist(),
            "agreement": agreement.tolist(),
        }
        return Table(columns, foot="each document by itself")

    @property
    def study(self) -> Annotations:
        """The annotations."""
        found: Annotations = self.statistic.source
        return found

    def further(self) -> dict[str, list[Any]]:
        """How many stretches each annotator marked, and how long they are."""
        laid: MarkedDocuments = self.statistic.laid
        who = self.study.annotator[laid.row]
        count = len(self.study.annotators)
        return {
            "units": np.bincount(who, minlength=count).tolist(),
            "marked": totals(who, laid.length, count).tolist(),
        }

    def largest(self) -> float | None:
        """The largest disagreement there can be."""
        return self.far
