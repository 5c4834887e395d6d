r"""Votes: who gave which item which label, as whole numbers, and what is decided by counting them.

The *vote share* of a label is the share of the annotators of an item who gave it; of $m$ judgements that one annotator
gave the item, each counts $1/m$.  A *weighted vote* weighs annotators by how little they differ from the others: with
$x_{iu}$ the weighted share of the other annotators of item $i$ who gave another label than annotator $u$, and
$\hat\theta_u$ its mean over their items, pulled to the mean $\mu$ of all as far as it is uncertain, they weigh
$\mu / \hat\theta_u$, at most 10.  The weights change the $x_{iu}$, so they are found again until none changes by one
in a million, at most 50 times.  This is the weighted medoid of the nominal distance, without going over pairs.

An item with several labels in front is a tie.  Which label came first in the table never decides one.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.crowd.medoids import HEAVIEST, ROUNDS, STEADY, collected, shrink
from interagree.crowd.scoring import Gold, answers
from interagree.data import Annotations, IntoAnnotations
from interagree.data.provenance import counted
from interagree.data.types import Item, Value
from interagree.data.values import key
from interagree.errors import DataError, KindError, Wording, listing
from interagree.stats.engine.compress import totals

LARGEST = 500_000_000  # numbers of a table that is kept in memory
ALIKE = 1e-9  # shares that differ by less differ by rounding, and are tied
SETS = Wording(
    "take one label at a time with study.versus_rest(label), or the sets whole with medoid",
    "take the sets whole with --method medoid",
)
ANY_KIND = Wording(
    "medoid, weighted_medoid and merge take values of any kind",
    "--method medoid, --method weighted-medoid and --method merge take values of any kind",
)


class Weighed(NamedTuple):
    """What annotators weigh in a vote, and how often the weights were found."""

    weight: Floats
    rounds: int


class Votes:
    """The annotations of a study by places among the items, annotators and labels that occur.

    Args:
        study: The annotations.
        gold: Answers that are known; a label that only they have is a label too.
    """

    def __init__(self, study: Annotations, gold: Gold | None = None) -> None:
        self.study = study
        self.there: Indices = np.flatnonzero(study.sizes() > 0)
        there = [study.items[code] for code in self.there.tolist()]
        known = {} if gold is None else answers(gold, study, there)
        often = np.bincount(study.value, minlength=len(study.values)) > 0
        place = {key(value): code for code, value in enumerate(study.values)}
        further = {key(value): value for value in known.values() if key(value) not in place}
        right = [place[key(value)] for value in known.values() if key(value) in place]
        often[right] = True
        used = np.flatnonzero(often)
        self.labels: tuple[Value, ...] = (
            *(study.values[code] for code in used.tolist()),
            *sorted(further.values(), key=repr),
        )
        self.item: Indices = _places(self.there, len(study.items))[study.item]
        self.label: Indices = _places(used, len(study.values))[study.value]
        # Where nobody knows who gave which value, every annotation counts as one annotator.
        self.person: Indices = np.arange(len(study)) if study.anonymous else study.annotator.astype(np.intp, copy=False)
        self.people = len(study) if study.anonymous else len(study.annotators)
        self.items = len(self.there)
        if self.items * len(self.labels) > LARGEST:
            raise DataError(
                f"{self.items:,} items by {len(self.labels):,} labels do not fit into memory; are the values labels? "
                "Numbers are averaged by debiased_mean or merge"
            )
        self.fixed, self.known = self._gold(known)

    def only(self, rows: Booleans) -> Votes:
        """The votes of some annotations, among the same items, annotators and labels."""
        fewer = copy(self)
        for name in ("cell", "given", "seat", "part", "annotators", "size"):  # found again when they are asked for
            fewer.__dict__.pop(name, None)
        fewer.item, fewer.person, fewer.label = self.item[rows], self.person[rows], self.label[rows]
        return fewer

    def _gold(self, known: Mapping[Item, Value]) -> tuple[Indices, Indices]:
        """The places of the items whose answer is known, and the labels that they have."""
        if not known:
            return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
        place = {key(value): code for code, value in enumerate(self.labels)}
        known_rows = [
            (row, place[key(known[name])])
            for row, name in enumerate(self.study.items[code] for code in self.there.tolist())
            if name in known
        ]
        both = np.array(known_rows, dtype=np.intp).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    @cached_property
    def cell(self) -> Indices:
        """The place of each annotation in a table of items by labels, laid end to end."""
        return self.item * len(self.labels) + self.label

    @cached_property
    def given(self) -> Floats:
        """How many annotations each annotator gave."""
        return np.bincount(self.person, minlength=self.people).astype(np.float64)

    @cached_property
    def seat(self) -> Indices | None:
        """Which item and annotator an annotation is of, where somebody judged an item twice; else None."""
        if self.study.occasion is None:
            return None
        both = self.item.astype(np.int64) * self.people + self.person
        seats: Indices = np.unique(both, return_inverse=True)[1].reshape(-1)
        return seats

    @cached_property
    def part(self) -> Floats:
        """What an annotation counts: one over how many judgements of the item its annotator gave."""
        if self.seat is None:
            return np.ones(len(self.item))
        parts: Floats = 1.0 / np.bincount(self.seat)[self.seat]
        return parts

    @cached_property
    def annotators(self) -> Floats:
        """How many annotators each item has."""
        return np.round(totals(self.item, self.part, self.items))

    @cached_property
    def size(self) -> Floats:
        """How many annotations each item has."""
        return totals(self.item, None, self.items)

    def sums(self, numbers: Floats) -> Floats:
        """The sum of numbers of annotations for each item and label."""
        return totals(self.cell, numbers, self.items * len(self.labels)).reshape(self.items, -1)

    def shares(self, weight: Floats | None = None) -> Floats:
        """The share of each label among the votes for an item."""
        shares = self.sums(self.part if weight is None else self.part * weight[self.person])
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def start(self) -> Floats:
        """Vote shares, with certainty where the answer is known."""
        return self.anchored(self.shares())

    def anchored(self, posterior: Floats) -> Floats:
        """The same array with certainty where the answer is known."""
        if len(self.fixed):
            posterior[self.fixed] = 0.0
            posterior[self.fixed, self.known] = 1.0
        return posterior

    def posterior(self, logs: Floats) -> tuple[Floats, float]:
        """Probabilities from their unscaled logarithms, and the log-likelihood; takes the array over."""
        logs, total = softened(logs, self.fixed, self.known)
        return self.anchored(logs), total

    def weights(self) -> Weighed:
        """What each annotator weighs in a weighted vote."""
        weight = np.ones(self.people)
        overall, theirs = self._differing(weight)
        rounds = 0
        for rounds in range(1, ROUNDS + 1):  # noqa: B007 -- it is reported
            if not overall > 0:  # everybody agrees, or nobody is compared
                break
            new = overall / np.maximum(theirs, overall / HEAVIEST)
            done = bool(np.max(np.abs(new / weight - 1), initial=0.0) < STEADY)
            weight = new
            if done:
                break
            overall, theirs = self._differing(weight)
        return Weighed(weight, rounds)

    def _differing(self, weight: Floats) -> tuple[float, Floats]:
        """How much the others of an item differ from an annotator: the mean of all, and of each, shrunk."""
        votes = self.part * weight[self.person]
        all_, same = totals(self.item, votes, self.items)[self.item], self.sums(votes).reshape(-1)[self.cell]
        if self.seat is None:
            others, agree = all_ - votes, same - votes
        else:
            own = self.seat * len(self.labels) + self.label
            size = (int(self.seat.max()) + 1) * len(self.labels)
            others = all_ - totals(self.seat, votes, size)[self.seat]
            agree = same - totals(own, votes, size)[own]
        compared = self.annotators[self.item] > 1
        share = np.clip(1 - agree[compared] / others[compared], 0, 1)
        who = self.person[compared]
        if self.seat is not None:
            seat, at = np.unique(self.seat[compared], return_inverse=True)
            share = totals(at.reshape(-1), self.part[compared] * share, len(seat))
            owner = np.empty(int(self.seat.max()) + 1, dtype=np.intp)
            owner[self.seat] = self.person
            who = owner[seat]
        near = shrink(share, who, self.people)
        return near.overall, near.shrunk


def softened(logs: Floats, fixed: Indices, known: Indices) -> tuple[Floats, float]:
    """Rows of logarithms made probabilities in place, and the sum of the logarithms of the sums of the rows.

    Of a row whose answer is known only that entry counts in the sum.
    """
    anchors = logs[fixed, known]
    top = logs.max(axis=1, keepdims=True)
    logs -= top
    np.exp(logs, out=logs)
    rows = logs.sum(axis=1, keepdims=True)
    logs /= rows
    each = (top + np.log(rows)).reshape(-1)
    each[fixed] = anchors
    return logs, float(each.sum())


def _places(used: Indices, size: int) -> Indices:
    place = np.full(size, -1, dtype=np.intp)
    place[used] = np.arange(len(used))
    return place


def prepared(data: IntoAnnotations, what: str, *, gold: Gold | None = None, who: bool = True) -> Votes:
    """The votes of a study, or an error that says why there are none.

    Args:
        data: Annotations.
        what: The method, for the message.
        gold: Answers that are known.
        who: Whether the method must know who gave which value.
    """
    study = collected(data)
    if study.kind.consensus == "medoid":
        advised = SETS if study.kind == "sets" else ANY_KIND
        raise KindError(f"{what} takes labels, and these are {study.kind}; {advised}", hints=[advised])
    if who and study.anonymous:
        raise KindError(
            f"{what} must know who gave which value, and this study does not say (it was made from counts); "
            "majority_vote does not need to know"
        )
    return Votes(study, gold)


def unfit(votes: Votes) -> str:
    """Why no model of annotators can be fitted, as a sentence; empty where one can."""
    if len(votes.labels) == 1:
        return f"every annotation is {votes.labels[0]!r}, so how often annotators err cannot be estimated"
    if len(votes.fixed):
        return ""
    if int(np.count_nonzero(votes.given)) == 1:
        name = listing(votes.study.annotators[code] for code in np.flatnonzero(votes.given).tolist())
        return f"{name} is the only annotator, so how often they err cannot be told; their labels are taken as they are"
    if votes.annotators.max() < 2:
        return (
            "no item has two annotators, so how often they err cannot be estimated; labels are taken as they are. Gold "
            "answers to some items would help"
        )
    return ""


def noticed(votes: Votes) -> list[str]:
    """Notes on the votes, whatever is made of them."""
    absent = len(votes.study.items) - votes.items
    alone = int(np.count_nonzero(votes.annotators == 1))
    notes = []
    if alone:
        notes.append(f"{counted(alone, 'item')} with one annotator")
    if absent:
        notes.append(f"{counted(absent, 'item')} without annotations left out")
    if votes.study.occasion is not None:
        notes.append("an annotator who judged an item again has as many votes on it in the models, and one in a vote")
    if len(votes.fixed):
        notes.append(f"the answers to {counted(len(votes.fixed), 'item')} were given")
    return notes


def in_front(posterior: Floats) -> Booleans:
    """Which labels of each item are in front: one, or several that are tied."""
    front: Booleans = posterior >= posterior.max(axis=1, keepdims=True) - ALIKE
    return front
