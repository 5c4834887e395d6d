"""Units of each category and the gaps around them, as Krippendorff's alpha_U of 1995 counts them.

What is observed is a sum over documents.  What is expected is not: a unit of one document may be thought of in a gap of
another.  For each length of units it is a product of two such sums, how many units there are of it and how much room
gaps have for one, which any weights of documents can be put to.  With many documents and lengths that is too much to
keep; the sum over pairs of documents is then kept as its total, the part of each document in it, and what each has with
itself.  This is enough to leave any document out, and to resample them to first order, which is near enough where there
are many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.stats.documents.coverage import DocumentStatistic, MarkedDocuments
from interagree.stats.engine.compress import totals

NO_ANSWER = "and alpha_U has no answer to units of one category that overlap; take gamma, or make one unit of them"
SMALL = 4_000_000  # documents times lengths of units that are kept in full


class Gaps(NamedTuple):
    """Gaps between units of one category: the document of each, how long it is, and how often it is there."""

    document: Indices
    size: Floats
    times: Floats


@dataclass(frozen=True)
class Unitized(DocumentStatistic):
    """Units, gaps, and what units of one category and different annotators differ by."""

    @property
    def bounded(self) -> bool:
        """Squares of differences have no bound."""
        return False

    def places(self) -> Array:
        """The sums of: places of all annotators, and lengths of documents."""
        documents = self.documents

        def columns() -> list[Floats]:
            return [totals(self.code, each, self.count) for each in (documents.people * documents.size, documents.size)]

        return self.sums_of("places", columns)

    def observed(self) -> Array:
        """By category: squared differences between units of each two annotators, those of m weighing 1 / (m - 1)."""
        return self.by_category("differences", self.once("cost", lambda: differences(self.documents)))

    def units(self) -> Array:
        """By category: how many units there are."""
        return self.by_category("units", np.ones(len(self.documents.begin)))

    def shifts(self) -> Array:
        """By category: what a unit costs that meets another one, summed over all ways to do so."""
        size = self.documents.length
        return self.by_category("shifts", (2 * size**3 - 3 * size**2 + size) / 3)

    def inside(self) -> Array:
        """By category: pairs of places in one unit."""
        return self.by_category("inside", self.documents.length * (self.documents.length - 1))

    def misses(self) -> Array:
        """By category: what a unit costs that lies in a gap, summed over all places in all gaps."""
        length = self.documents.length.astype(np.intp)
        width = int(length.max(initial=0)) + 1
        kinds, kind = np.unique(self.documents.label * width + length, return_inverse=True)
        if self.count * len(kinds) > SMALL:
            return np.asarray(self.weights.quadratic(*self.once("misses", self._misses)))
        costs, room = self.once("by length", lambda: self._by_length(kinds, kind.reshape(-1), width))
        member = (kinds // width)[:, None] == np.arange(len(self.documents.labels))
        return np.asarray((self.weights.sum(costs) * self.weights.sum(room)) @ member.astype(np.float64))

    def _by_length(self, kinds: Indices, kind: Indices, width: int) -> tuple[Floats, Floats]:
        """For each document, and each category and length of units: what its units cost, and the room in its gaps."""
        costs, room = np.zeros((self.count, len(kinds))), np.zeros((self.count, len(kinds)))
        np.add.at(costs, (self.mine, kind), self.documents.length**2)
        known: dict[int, Gaps] = {}
        for column, (code, size) in enumerate(divmod(int(cell), width) for cell in kinds):
            if code not in known:
                known[code] = self._gaps(code)
            gaps = known[code]
            room[:, column] = totals(gaps.document, gaps.times * np.maximum(gaps.size - size + 1, 0), self.count)
        return costs, room

    def _misses(self) -> tuple[Floats, Floats, Floats]:
        documents, columns = self.documents, []
        for code in range(len(documents.labels)):
            here = documents.label == code
            columns.append(self._misses_of(self.mine[here], documents.length[here], self._gaps(code)))
        shape = (self.count, len(documents.labels))
        stacked = np.array(columns).reshape(len(documents.labels), 3, self.count)
        rows, gaps, own = (np.ascontiguousarray(stacked[:, part].T).reshape(shape) for part in range(3))
        return rows.sum(axis=0), (rows + gaps) / 2, own

    def _gaps(self, code: int) -> Gaps:
        """The gaps between units of a category, one annotator after the other."""
        documents = self.documents
        here = np.flatnonzero(documents.label == code)
        here = here[np.lexsort((documents.begin[here], documents.row[here]))]
        document, row = documents.document[here], documents.row[here]
        first = np.diff(row, prepend=-1) != 0
        before = np.where(first, 0.0, np.roll(documents.end[here], 1)) if len(here) else np.zeros(0)
        last = np.append(first[1:], True)[: len(here)]
        after = documents.size[document[last]] - documents.end[here][last]
        # Annotators who marked nothing of the category have one gap, the whole document.
        empty = documents.people - totals(document[first], None, len(documents.item))
        return Gaps(
            self.code[np.concatenate([document, document[last], np.arange(len(documents.item))])],
            np.concatenate([documents.begin[here] - before, after, documents.size]),
            np.concatenate([np.ones(len(here) + len(after)), empty]),
        )

    def _misses_of(self, document: Indices, size: Floats, gaps: Gaps) -> list[Floats]:
        """By document: its units in all gaps, all units in its gaps, and its units in its own gaps."""
        anywhere = np.zeros(len(size), dtype=np.intp), np.zeros(len(gaps.size), dtype=np.intp)
        rows = totals(document, size**2 * _room(anywhere[0], size, anywhere[1], gaps), self.count)
        own = totals(document, size**2 * _room(document, size, gaps.document, gaps), self.count)
        order = np.argsort(size)
        fits = np.searchsorted(size[order], gaps.size, side="right")
        squares, cubes = (np.concatenate([[0.0], np.cumsum(size[order] ** power)]) for power in (2, 3))
        each = gaps.times * (squares[fits] * (gaps.size + 1) - cubes[fits])
        return [rows, totals(gaps.document, each, self.count), own]


def _room(group: Indices, size: Floats, gap_group: Indices, gaps: Gaps) -> Floats:
    """For each unit in how many places it could lie in the gaps of its group."""
    width = int(max(size.max(initial=0), gaps.size.max(initial=0))) + 1
    key = gap_group * width + gaps.size.astype(np.intp)
    order = np.argsort(key, kind="stable")
    key, times = key[order], gaps.times[order]
    room = np.concatenate([[0.0], np.cumsum(times * (gaps.size[order] + 1))])
    often = np.concatenate([[0.0], np.cumsum(times)])
    low = np.searchsorted(key, group * width + size.astype(np.intp))
    high = np.searchsorted(key, (group + 1) * width)
    places: Floats = room[high] - room[low] - size * (often[high] - often[low])
    return places


def differences(documents: MarkedDocuments) -> Floats:
    """For each unit what it differs by from what each other annotator of its document has there, over m - 1.

    A unit differs from one that it meets by the squares of how far apart both begin and both end, and where another
    annotator has none of its category, by the square of its length.
    """
    count = len(documents.begin)
    order = np.lexsort((documents.begin, documents.label, documents.row))
    same = (np.diff(documents.row[order], prepend=-1) == 0) & (np.diff(documents.label[order], prepend=-1) == 0)
    before = np.full(count, -1.0)  # where the unit before it of its annotator and category ends
    before[order[same]] = documents.end[order[np.flatnonzero(same) - 1]]
    cost, met = np.zeros(count), np.zeros(count)
    for earlier, later in documents.meetings(labels=True):
        documents.refuse_overlap(earlier, later, NO_ANSWER)
        squared = (documents.begin[earlier] - documents.begin[later]) ** 2 + (
            documents.end[earlier] - documents.end[later]
        ) ** 2
        for places in (earlier, later):
            cost += np.bincount(places, squared, minlength=count)
        met += np.bincount(later, minlength=count)
        # Of several units of one annotator that meet a unit, the first one alone counts as meeting them.
        met += np.bincount(earlier, (before[later] <= documents.begin[earlier]).astype(np.float64), minlength=count)
    others = documents.people[documents.document] - 1
    missed: Floats = (cost + 2 * documents.length**2 * (others - met)) / others
    return missed
