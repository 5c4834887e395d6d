r"""Labels left out and predicted from the others: how sure a model may be, without gold answers.

Models of annotators take their errors to be independent given the true label.  They are not: an item that misleads one
annotator misleads others too, so that ten labels of an item tell less than the model thinks and its probabilities come
out too sure.  With a correlation $\rho$ between the annotations of an item given its true label, $n$ of them are worth

$$\frac{n}{1 + (n - 1) \rho}$$

independent ones (the design effect of a clustered sample), so that the probability of label $t$ of item $i$ becomes

$$q_{it} \propto p_{it}^{1 / (1 + (n_i - 1) \rho)}$$

where $p_{it}$ is the model's.  The order of labels, and so the answer, stays as it is; $\rho = 0$ is the model alone.

$\rho$ is the least one under which labels that were left out are as probable as under the best, within one standard
error over items: independence holds unless the labels speak against it.  The annotations of each item with two or
more annotators are dealt out to five parts; each part is left out in turn, the model is fitted to the others, and the
probability of each label $l$ that annotator $j$ gave item $i$ is $\sum_t q_{it} P_j(l \mid t)$.  Of more than 50,000
annotations one part is left out.  Which annotation is in which part depends neither on the order of rows nor on names.

What most annotators get wrong together cannot be seen in their labels, whatever is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.crowd.fitting import Fit, logs
from interagree.crowd.votes import Votes, in_front, softened
from interagree.stats.engine.compress import totals

CORRELATIONS = np.array([0.0, 0.02, 0.05, 0.08, 0.12, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0])
PARTS = 5
MANY = 50_000  # annotations from which on one part is left out, not all in turn
FEWEST = 50  # labels left out that tell anything of a correlation
USUAL = 0.17  # the median of what models of the sets in docs/guides/crowd.md have, for studies too small to tell
LEAST = 1e-6  # the probability of a label that a model holds impossible
BLOCK = 4_000_000  # numbers of a table that are found at once

REFINED = 3  # rounds in which annotations are told apart

Fitting: TypeAlias = Callable[[Votes], Fit]
Words: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]


class Split(NamedTuple):
    """Annotations that are left out, and the votes that remain."""

    rest: Votes
    rows: Indices
    item: Indices
    person: Indices
    label: Indices


class HeldOut:
    """The labels of a study that are left out in turn."""

    def __init__(self, votes: Votes, seed: int = 0) -> None:
        self.votes = votes
        part = _parts(votes, seed)
        last = PARTS if len(votes.item) <= MANY else 1
        self.out: Booleans = (part >= 0) & (part < last)
        self._part, self._last = part, last

    @cached_property
    def splits(self) -> list[Split]:
        """The parts that are left out."""
        made = []
        for number in range(self._last):
            rows = np.flatnonzero(self._part == number)
            if len(rows):
                votes = self.votes
                rest = votes.only(self._part != number)
                made.append(Split(rest, rows, votes.item[rows], votes.person[rows], votes.label[rows]))
        return made

    @property
    def count(self) -> int:
        """How many labels are left out."""
        return int(np.count_nonzero(self.out))

    def fitted(self, fit: Fitting) -> list[Fit]:
        """The model without each part."""
        return [fit(split.rest) for split in self.splits]

    def log_probabilities(self, fits: Sequence[Fit]) -> Floats:
        """The logarithm of the probability of each label left out, for each correlation (first)."""
        found = np.zeros((len(CORRELATIONS), len(self.votes.item)))
        for split, fit in zip(self.splits, fits, strict=True):
            for some in _blocks(len(split.rows), len(self.votes.labels)):
                item = split.item[some]
                answers = fit.answering(item, split.person[some], split.label[some])
                before = logs(fit.posterior[item])
                for place, correlation in enumerate(CORRELATIONS.tolist()):
                    after = _tempered(before, split.rest.size[item], correlation)
                    found[place, split.rows[some]] = _log((after * answers).sum(axis=1))
        return found[:, self.out]

    def hits(self, fits: Sequence[Fit]) -> Floats:
        """Whether the label in front is the one left out, in parts where several are in front."""
        return self._hits([fit.posterior for fit in fits])[0]

    def voted(self) -> tuple[Floats, Floats]:
        """The same of the vote, and how much each label left out counts.

        Without a label other items are tied than with it (with two of three labels many, with three of two values
        none), and a model may be better where there is a tie alone.  So ties count as often as all labels have them.
        """
        hits, tied = self._hits([split.rest.shares() for split in self.splits])
        share = float((in_front(self.votes.shares()).sum(axis=1) > 1)[self.votes.item[self.out]].mean())
        now = float(tied.mean())
        weight = np.where(tied > 0, share / now if now else 0.0, (1 - share) / (1 - now) if now < 1 else 0.0)
        return hits, weight

    def _hits(self, chances: Sequence[Floats]) -> tuple[Floats, Floats]:
        """How far the labels in front are those left out, and where several are in front."""
        found, tied = np.zeros(len(self.votes.item)), np.zeros(len(self.votes.item))
        for split, chance in zip(self.splits, chances, strict=True):
            front = in_front(chance)[split.item]
            many = front.sum(axis=1)
            found[split.rows] = front[np.arange(len(front)), split.label] / many
            tied[split.rows] = many > 1
        return found[self.out], tied[self.out]

    def correlation(self, fits: Sequence[Fit]) -> float:
        """The least correlation under which labels left out are as probable as they can be, within a standard error."""
        each = self.log_probabilities(fits)
        best = int(each.mean(axis=1).argmax())
        item = self.votes.item[self.out]
        for place in range(best):
            below = each[best] - each[place]
            if below.mean() <= grouped_error(below, item, self.votes.items):
                return float(CORRELATIONS[place])
        return float(CORRELATIONS[best])

    def read_log_probabilities(self, fits: Sequence[Fit]) -> Floats:
        """The same where the answers of annotators are read off the probabilities of labels, as for all models.

        What a model says of annotators is left aside: each has the answers that they gave where each label is true,
        smoothed by those of all.  So models are compared by what they say of items alone.
        """
        from interagree.crowd.dawid_skene import pooled

        labels = len(self.votes.labels)
        found = np.zeros((len(CORRELATIONS), len(self.votes.item)))
        for split, fit in zip(self.splits, fits, strict=True):
            rest = split.rest
            answer = rest.person * labels + rest.label
            for place, correlation in enumerate(CORRELATIONS.tolist()):
                after = tempered(rest, fit.posterior, correlation)
                # One sum for each true label, over annotations.
                counts = np.stack(
                    [totals(answer, after[rest.item, k], rest.people * labels) for k in range(labels)], axis=1
                ).reshape(rest.people, labels, labels)  # annotators × answers × true labels
                counts += pooled(counts.transpose(0, 2, 1)).T
                counts /= counts.sum(axis=1, keepdims=True)
                for some in _blocks(len(split.rows), labels):
                    chance = counts[split.person[some], split.label[some]]
                    found[place, split.rows[some]] = _log((after[split.item[some]] * chance).sum(axis=1))
        return found[:, self.out]


def grouped_error(numbers: Floats, unit: Indices, units: int) -> float:
    """The standard error of the mean of numbers that come in groups."""
    size = totals(unit, None, units)
    groups = int(np.count_nonzero(size))
    off = totals(unit, numbers, units) - numbers.mean() * size
    return math.sqrt(float((off**2).sum()) * groups / max(groups - 1, 1)) / len(numbers)


def tempered(votes: Votes, posterior: Floats, correlation: float) -> Floats:
    """Probabilities of labels where the annotations of an item are correlated given its true label."""
    if correlation == 0:
        return posterior
    return votes.anchored(_tempered(logs(posterior), votes.size, correlation))


def _tempered(log_posterior: Floats, size: Floats, correlation: float) -> Floats:
    if correlation == 0:
        return np.exp(log_posterior)
    none = np.zeros(0, dtype=np.intp)
    return softened(log_posterior / (1 + np.maximum(size - 1, 0) * correlation)[:, None], none, none)[0]


def _log(probabilities: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(probabilities, LEAST)))


def _blocks(rows: int, labels: int) -> Iterator[slice]:
    step = max(BLOCK // labels, 1)
    return (slice(start, start + step) for start in range(0, rows, step))


def _parts(votes: Votes, seed: int) -> Indices:
    """Which part an annotation is in; -1 for items with one annotator or a known answer."""
    item, lot = _lots(votes, seed)
    order = np.lexsort((lot, votes.person, votes.item)) if votes.seat is not None else np.lexsort((lot, votes.item))
    if votes.seat is not None:  # repeated judgements stay together, where the first of them is
        seats, first = np.unique(votes.seat[order], return_index=True)
        least = np.empty(len(seats), dtype=np.uint64)
        least[seats] = lot[order][first]
        lot = least[votes.seat]
        order = np.lexsort((votes.seat, lot, votes.item))
    new = np.ones(len(order), dtype=bool)  # where another item or annotator begins
    unit = votes.seat[order] if votes.seat is not None else order
    new[1:] = unit[1:] != unit[:-1]
    number = np.cumsum(new) - 1
    of_item = votes.item[order]
    begins = np.zeros(votes.items, dtype=np.intp)
    begins[of_item[::-1]] = number[::-1]  # the last of equal places stays: the first number
    part = np.empty(len(order), dtype=np.intp)
    part[order] = number - begins[of_item]
    # Items with the same labels of the same annotators begin at different parts, and it does not matter which.
    turn = np.empty(votes.items, dtype=np.intp)
    turn[np.argsort(item, kind="stable")] = np.arange(votes.items)
    part = (part + turn[votes.item]) % PARTS
    alone = votes.annotators < 2
    alone[votes.fixed] = True
    part[alone[votes.item]] = -1
    return part


def _lots(votes: Votes, seed: int) -> tuple[Words, Words]:
    """A number for each item and for each annotation that looks random and depends on neither names nor order.

    Items, annotators and labels begin with how many annotations they have, and take up in turn the numbers of the
    annotations that they are in (as in colour refinement of graphs), so that three rounds tell most of them apart.
    """
    sides = [(votes.item, votes.items), (votes.person, votes.people), (votes.label, len(votes.labels))]
    numbers = [_mixed(totals(code, None, size).astype(np.uint64) + np.uint64(seed)) for code, size in sides]
    lot: Words = np.zeros(len(votes.item), dtype=np.uint64)
    for _ in range(REFINED):
        lot = np.zeros(len(votes.item), dtype=np.uint64)
        for (code, _size), number in zip(sides, numbers, strict=True):
            lot = _mixed(lot + number[code])
        for place, (code, size) in enumerate(sides):
            sums = np.zeros(size, dtype=np.uint64)
            np.add.at(sums, code, _mixed(lot + np.uint64(place)))
            numbers[place] = _mixed(numbers[place] + sums)
    return numbers[0], lot


def _mixed(numbers: Words) -> Words:
    """Numbers that look random, the same for the same ones (the mixing step of SplitMix64)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
