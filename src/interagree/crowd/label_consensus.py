"""One label for each item, how probable it is, and how good the annotators are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.crowd.choosing import MethodChoice
from interagree.crowd.consensus import ConsensusAnswer, nameless
from interagree.crowd.fitting import SPAMMER_SCORE, fit_data
from interagree.crowd.scoring import Accuracy, Gold, answers, wilson_interval
from interagree.crowd.votes import Votes, in_front
from interagree.data import Annotations
from interagree.data.provenance import Step, counted
from interagree.data.types import Annotator, Item, Value
from interagree.data.values import key
from interagree.errors import DataError, KindError
from interagree.results.document import Section
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, plain_rows

Ties = Literal["split", "none", "order"]


@dataclass(frozen=True, repr=False, eq=False)
class LabelConsensus(ConsensusAnswer):
    """One label for each item, how probable it is, and how good the annotators are."""

    method: str
    votes: Votes
    posterior: Floats  # items × labels: how probable each label is, or its share of the votes
    ties: Ties = "split"
    log_likelihood: float = float("nan")  # of the annotations under the model; nan where there is none
    trace: Floats = field(default_factory=lambda: np.zeros(0))  # what the rounds of fitting maximised
    converged: bool = True
    shares: Floats | None = None  # how frequent each label is, where the model says so
    by_annotator: Mapping[str, Floats] = field(default_factory=dict)
    by_item: Mapping[str, Floats] = field(default_factory=dict)
    by_answer: Floats | None = None  # annotators × true labels × given labels
    correlation: float | None = None  # of the annotations of an item given its true label; None in a vote
    choice: MethodChoice | None = None  # how the method was chosen, where it was
    notes: tuple[str, ...] = ()

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.votes.study

    @property
    def labels(self) -> tuple[Value, ...]:
        """The labels that occur: the columns of the posterior."""
        return self.votes.labels

    @property
    def rounds(self) -> int:
        """How many rounds the model was fitted for."""
        return len(self.trace)

    @property
    def items(self) -> list[Item]:
        """The items that have annotations: the rows of the posterior."""
        return [self.study.items[code] for code in self.votes.there.tolist()]

    @cached_property
    def _front(self) -> Booleans:
        return in_front(self.posterior)

    def _answers(self) -> list[Value]:
        """The label of each item, the first in order of those in front; None where ties have no answer."""
        front = self._front
        labels: list[Value] = [self.labels[code] for code in front.argmax(axis=1).tolist()]
        if self.ties == "none":
            for row in np.flatnonzero(front.sum(axis=1) > 1).tolist():
                labels[row] = None
        return labels

    @property
    def values(self) -> dict[Item, Value]:
        """The label of each item that has one; of several in front the first in order, or none with ties='none'."""
        return {item: value for item, value in zip(self.items, self._answers(), strict=True) if value is not None}

    def confidence(self) -> Floats:
        """How probable the label of each item is; in a vote, its share."""
        return np.asarray(self.posterior.max(axis=1))

    def tied(self) -> list[Item]:
        """The items with several labels in front."""
        return [self.study.items[code] for code in self.votes.there[self._front.sum(axis=1) > 1].tolist()]

    def table(self) -> Table:
        """For each item: its label, how many annotations it rests on and how many annotators gave it."""
        front = self._front
        given = self.votes.sums(self.votes.part)
        support = given[np.arange(len(given)), front.argmax(axis=1)]
        return Table(
            {
                "item": self.items,
                "value": self._answers(),
                "annotations": self.study.sizes()[self.votes.there].tolist(),
                "support": support.tolist(),
                "confidence": self.confidence().tolist(),
                **{name: column.tolist() for name, column in self.by_item.items()},
            },
            title=self.headline(),
            foot="; ".join(self.notes),
        )

    def tables(self) -> dict[str, Table]:
        """The items, the annotators where the study says who they are, and the methods where one was chosen."""
        named = super().tables()
        if self.choice is None or not self.choice.candidates:
            return named
        return {**named, "methods": self.choice.table()}

    def sections(self) -> list[Section]:
        """How the method was chosen, where it was."""
        if self.choice is None or not self.choice.candidates:
            return []
        table = self.choice.table()
        return [Section(table.title, table=replace(table, title="", foot=""), foot=[table.foot])]

    def probabilities(self) -> Table:
        """For each item the probability of each label, or its share of the votes."""
        columns = {str(label): self.posterior[:, k].tolist() for k, label in enumerate(self.labels)}
        return Table({"item": self.items, **columns}, title=self.headline())

    def annotators(self) -> Table:
        """For each annotator: how much they did, how far they agree with the consensus, and what the model says.

        ``agreement`` is the mean probability that the consensus gives to their labels, their own vote among those it
        rests on.  ``error`` is the standard error of the column before it.  The ``spammer score`` is 1 for an annotator
        who never errs and 0 for one who guesses.
        """
        if self.study.anonymous:
            raise nameless()
        there = np.flatnonzero(self.votes.given > 0)
        agree = totals(self.votes.person, self.posterior.reshape(-1)[self.votes.cell], self.votes.people)
        columns: dict[str, Sequence[object]] = {
            "annotator": [self.study.annotators[code] for code in there.tolist()],
            "annotations": [round(number) for number in self.votes.given[there].tolist()],
            "agreement": (agree[there] / self.votes.given[there]).tolist(),
            **{name: column[there].tolist() for name, column in self.by_annotator.items()},
        }
        by = next((name for name in ("spammer score", "ability", "weight") if name in columns), "agreement")
        foot = f"spammer score: {SPAMMER_SCORE}" if "spammer score" in columns else ""
        return Table(columns, title=f"Annotators, by {self.method}", foot=foot).sort(by, descending=True)

    def confusion(self, annotator: Annotator) -> Table:
        """The probability of each answer of an annotator (columns) for each true label (rows)."""
        if self.by_answer is None:
            raise KindError(
                f"{self.method} has no probabilities of answers for each true label; dawid_skene and mace have"
            )
        answers = self.by_answer[self.study.annotator_code(annotator)]
        columns = {str(label): answers[:, k].tolist() for k, label in enumerate(self.labels)}
        return Table({"true": list(self.labels), **columns}, title=f"Answers of {annotator}")

    def score(self, gold: Gold, *, level: float = 0.95) -> Accuracy:
        """How often the consensus is right, with Wilson's interval, beside an annotator picked at random.

        Args:
            gold: A mapping of items to labels, or a study with one annotation for each item.
            level: The level of the interval.
        """
        check_level(level)
        known, front = answers(gold, self.study, self.items), self._front
        counts = self.ties != "none"
        place = {key(label): code for code, label in enumerate(self.labels)}
        rows = [
            (row, place.get(key(known[item]), -1))
            for row, item in enumerate(self.items)
            if item in known and (counts or front[row].sum() == 1)
        ]
        if not rows:
            raise DataError("all items with a gold answer are tied, so that with ties='none' nothing can be compared")
        both = np.array(rows, dtype=np.intp)
        row, truth = both[:, 0], both[:, 1]
        has = truth >= 0  # a gold label that nobody gave can only be missed

        def at(table: Floats) -> Floats:
            return np.where(has, table[row, np.maximum(truth, 0)], 0.0)

        share = front / front.sum(axis=1, keepdims=True)
        if self.ties == "order":
            share = np.eye(len(self.labels))[front.argmax(axis=1)]
        right, votes = at(share), at(self.votes.shares())
        names = self.items
        return Accuracy(
            value=float(right.mean()),
            random=float(votes.mean()),
            oracle=float((votes > 0).mean()),
            items=len(rows),
            missing=sum(
                item not in known for item, label in zip(names, self._answers(), strict=True) if label is not None
            ),
            unseen=len(known) - len(rows),
            interval=wilson_interval(float(right.mean()), len(rows), level),
            names=[names[code] for code in row.tolist()],
            right=right,
            sure=at(self.posterior),
        )

    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator, to be measured against others or written to a file."""
        table = self.table()
        keep = [place for place, value in enumerate(table["value"]) if value is not None]
        return replace(
            Annotations.from_columns(
                [table["item"][place] for place in keep],
                [self.method] * len(keep),
                [table["value"][place] for place in keep],
                values=tuple(dict.fromkeys((*self.study.values, *self.labels))) if self.study.stated else None,
                ordered=self.study.ordered,
                attributes={
                    name: np.array(table[name])[keep]
                    for name in ("annotations", "support", "confidence", *self.by_item)
                },
                provenance=self.study.provenance.then(Step("taken", self.headline(), len(keep))),
            ),
            of_kind=self.study.of_kind,
        )

    def _described(self) -> Mapping[str, object]:
        fitted: dict[str, object] = fit_data(self.trace, self.log_likelihood, converged=self.converged)
        if self.correlation is not None:
            fitted["correlation"] = self.correlation
        if self.choice is not None:
            fitted["methods"] = plain_rows(self.choice.table()) if self.choice.candidates else []
        return fitted

    def headline(self) -> str:
        return f"{self.method} of {counted(len(self), 'item')}"

    def __len__(self) -> int:
        return len(self.posterior)

    def __str__(self) -> str:
        measure = "probability" if self.rounds else "share of the votes"
        return f"{self.headline()}: their labels have a mean {measure} of {float(self.confidence().mean()):.3f}"
