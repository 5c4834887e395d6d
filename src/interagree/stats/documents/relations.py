"""Relations of two annotators set against each other: how well two of them fit, and the best one-to-one pairing.

Two relations fit as far as their arguments do, and arguments are spans.  All pairs of arguments that share something
are found once; relations whose heads are among them and whose tails are, too, are candidates, and those without a
direction also turned.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices
from interagree.data import Annotations
from interagree.errors import KindError, listing
from interagree.kernels.assignment import heaviest
from interagree.kinds.relations import Relations
from interagree.kinds.spans import Spans
from interagree.stats.documents.span_matching import HAIR, Match, Overlaps, Pairing, lengths, overlapping
from interagree.stats.documents.span_pairs import SpanPairs, value_pairs
from interagree.stats.pairs.pair_sums import known_annotators

ArgumentCredit = Literal["product", "mean"]
ARGUMENT_CREDITS = ("product", "mean")


class Fitting(NamedTuple):
    """Pairs of relations whose arguments fit."""

    relations: Overlaps  # x and y are relations; shared is the length that both arguments share
    score: Floats
    close: Floats  # how much of what either covers both cover, of the head times of the tail


@dataclass(frozen=True, kw_only=True)
class RelationPairs(SpanPairs):
    """The relations of a study, and all pairs of annotations of one document.

    ``spans`` holds each relation as the stretch from its first argument to its last, with its label.
    """

    THING: ClassVar[str] = "relation"
    relations: Relations
    how: Match  # of arguments
    credit: ArgumentCredit = "product"
    directed: bool = True

    @classmethod
    def between(  # one for each option of the measures
        cls,
        study: Annotations,
        how: Match,
        *,
        who: str,
        gold: Hashable | None = None,
        credit: ArgumentCredit = "product",
        directed: bool = True,
    ) -> RelationPairs:
        """The relations of a study.

        Args:
            study: The annotations; of repeated judgements the first counts.
            how: How two arguments are compared.
            who: What needs them, for messages.
            gold: The annotator that all others are compared with; by default every two are compared.
            credit: How well relations fit whose arguments fit: the product or the mean of both.
            directed: Whether a relation has a direction, unless it says that it has none.
        """
        if credit not in ARGUMENT_CREDITS:
            raise KindError(f"credit must be {listing(ARGUMENT_CREDITS)}, got {credit!r}")
        study = known_annotators(study, who)
        relations: Relations = study.packed("relations", who=who)
        return cls(
            study,
            _stretches(relations),
            *value_pairs(study, gold),
            gold,
            relations=relations,
            how=how.placed(),
            credit=credit,
            directed=directed,
        )

    @cached_property
    def fitting(self) -> Fitting:
        """All pairs of relations whose arguments fit, whatever their labels."""
        arguments = self.relations.arguments
        overlaps = overlapping(arguments, self.i, self.j)
        score = self.how.scores(arguments, overlaps)
        overlaps, score = overlaps.taking(score > 0), score[score > 0]
        size = lengths(arguments)
        close = overlaps.shared / (size[overlaps.x] + size[overlaps.y] - overlaps.shared)
        straight = self._both(overlaps, score, close, (0, 0), (1, 1))
        turned = self._both(overlaps, score, close, (0, 1), (1, 0))
        if self.directed:
            free = ~self.relations.directed
            turned = _taking(turned, free[turned.relations.x] | free[turned.relations.y])
        return _better(straight, turned)

    def _both(self, overlaps: Overlaps, score: Floats, close: Floats, *roles: tuple[int, int]) -> Fitting:
        """Relations of which two arguments fit: those in a role here and one there, given for either argument."""
        u = self._place(self.i, overlaps.pair, overlaps.x // 2)
        v = self._place(self.j, overlaps.pair, overlaps.y // 2)
        cell = u * (int(v.max(initial=0)) + 1) + v
        first, second = (np.flatnonzero((overlaps.x % 2 == here) & (overlaps.y % 2 == there)) for here, there in roles)
        _, at, to = np.intersect1d(cell[first], cell[second], assume_unique=True, return_indices=True)
        first, second = first[at], second[to]
        many = score[first] * score[second] if self.credit == "product" else (score[first] + score[second]) / 2
        shared = overlaps.shared[first] + overlaps.shared[second]
        x, y = overlaps.x[first] // 2, overlaps.y[first] // 2
        relations = Overlaps(overlaps.pair[first], x, y, u[first], v[first], shared)
        return Fitting(relations, many, close[first] * close[second])

    def _place(self, values: Indices, pair: Indices, relation: Indices) -> Indices:
        """The number of a relation among all of some values laid end to end, in an order that is not that of lists."""
        size = np.diff(self.relations.start)[values]
        place: Indices = (np.cumsum(size) - size)[pair] + self._rank[relation]
        return place

    @cached_property
    def _rank(self) -> Indices:
        """The place of each relation in its value, by its arguments and its label."""
        all_of_them, spans = self.relations, self.relations.arguments
        owner = np.repeat(np.arange(len(all_of_them.start) - 1), np.diff(all_of_them.start))
        keys: list[Array] = [by_name(all_of_them.names)[all_of_them.label]]
        keys += [side[role::2] for role in (1, 0) for side in (spans.end, spans.begin)]
        return places(owner, all_of_them.start, *keys)

    def paired(self, match: Match, *, all_that_cross: bool = False) -> Pairing:
        """The best one-to-one pairing of the relations of every distinct pair of values.

        Args:
            match: Whether relations of different labels never fit; how arguments are compared is settled already.
            all_that_cross: Whether relations of different labels are paired all the same where both would be left
                over; they score 0.
        """
        known = (match.same_label, all_that_cross)
        if known not in self._known:
            self._known[known] = self._best(same_label=match.same_label, all_that_cross=all_that_cross)
        return self._known[known]

    def _best(self, *, same_label: bool, all_that_cross: bool) -> Pairing:
        candidates, score, close = self.fitting
        alike = self.relations.label[candidates.x] == self.relations.label[candidates.y]
        score = np.where(alike, score, 0.0) if same_label else score
        # Of pairings with the same sum, that with arguments closer to each other, then that with more labels alike.
        weight = score + HAIR * close + HAIR / 10 * alike
        there = np.flatnonzero(weight if all_that_cross else score)
        kept = there[heaviest(candidates.u[there], candidates.v[there], weight[there])]
        return Pairing(candidates.taking(kept), score[kept])


def _stretches(relations: Relations) -> Spans:
    spans = relations.arguments
    begin, end = np.minimum(spans.begin[::2], spans.begin[1::2]), np.maximum(spans.end[::2], spans.end[1::2])
    return Spans(relations.start, begin, end, relations.label, names=relations.names)


def _taking(fitting: Fitting, keep: Booleans | Indices) -> Fitting:
    return Fitting(fitting.relations.taking(keep), fitting.score[keep], fitting.close[keep])


def _better(first: Fitting, second: Fitting) -> Fitting:
    """Of pairs of relations that fit in both of two ways the better one."""
    if not len(second.score):
        return first
    parts = (np.concatenate(sides) for sides in zip(first.relations, second.relations, strict=True))
    both = Fitting(
        Overlaps(*parts), np.concatenate([first.score, second.score]), np.concatenate([first.close, second.close])
    )
    r = both.relations
    order = np.lexsort((-both.close, -both.score, r.v, r.u, r.pair))
    same = [np.diff(side[order], prepend=-1) == 0 for side in (r.pair, r.u, r.v)]
    return _taking(both, order[~(same[0] & same[1] & same[2])])


def by_name(names: Sequence[object]) -> Indices:
    """The place of each of some names in the order of their spelling."""
    order = sorted(range(len(names)), key=lambda k: (names[k] is None, str(names[k]), type(names[k]).__name__))
    place = np.zeros(len(names), dtype=np.intp)
    place[order] = np.arange(len(names))
    return place


def places(owner: Indices, start: Indices, *keys: Array) -> Indices:
    """The place of each thing among those of its owner, in the order of some keys, of which the last counts most."""
    order = np.lexsort((*keys, owner))
    place = np.empty(len(owner), dtype=np.intp)
    place[order] = np.arange(len(owner))
    return place - start[owner]
