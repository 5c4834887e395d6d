"""One label for each item out of what a crowd said, and how good the members of the crowd are.

    >>> from interagree.aggregation.labels import majority_vote
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "cat", "dog"]}
    >>> majority_vote(labels).values
    {0: 'cat', 1: 'dog', 2: 'dog'}

`majority_vote` and `weighted_vote` count; `dawid_skene`, `one_coin`, `mace` and `glad` model how annotators err;
`debiased_mean` does so for numbers; `usual_consensus` takes what suits the kind of value.  None depends on the order of
rows, and none but a tie on the names of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Unpack

import numpy as np

from interagree.aggregation.accuracy import Accuracy, wilson_interval

# These modules are loaded before the functions of the same names are defined below, which then stay.
from interagree.aggregation.continuous import debiased
from interagree.aggregation.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.aggregation.dawid_skene import one_coin as fit_one_coin
from interagree.aggregation.fitting import SPAMMER_SCORE, Climb, Fit
from interagree.aggregation.glad import glad as fit_glad
from interagree.aggregation.mace import mace as fit_mace
from interagree.aggregation.medoids import Within
from interagree.aggregation.object_scoring import answers, none_shared
from interagree.aggregation.objects import Consensus, median, medoid
from interagree.aggregation.votes import Votes, in_front, noticed, prepared, unfit
from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import Step, counted
from interagree.data.values import key, numbers
from interagree.declare import takes_data
from interagree.distances import find
from interagree.errors import DataError, KindError, UnknownName, listing
from interagree.stats.engine.compress import totals
from interagree.tables import Table

__all__ = [
    "Accuracy",
    "LabelConsensus",
    "NumberConsensus",
    "dawid_skene",
    "debiased_mean",
    "glad",
    "mace",
    "majority_vote",
    "one_coin",
    "usual_consensus",
    "usual_method",
    "weighted_vote",
]

Ties = Literal["split", "none", "order"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LabelConsensus:
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
    notes: tuple[str, ...] = ()
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.votes.study

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels that occur: the columns of the posterior."""
        return self.votes.labels

    @property
    def rounds(self) -> int:
        """How many rounds the model was fitted for."""
        return len(self.trace)

    @property
    def items(self) -> list[Hashable]:
        """The items that have annotations: the rows of the posterior."""
        return [self.study.items[code] for code in self.votes.there.tolist()]

    def _front(self) -> Any:
        return self._once("front", lambda: in_front(self.posterior))

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def _answers(self) -> list[Any]:
        """The label of each item, the first in order of those in front; None where ties have no answer."""
        front = self._front()
        found = [self.labels[code] for code in front.argmax(axis=1).tolist()]
        if self.ties == "none":
            for row in np.flatnonzero(front.sum(axis=1) > 1).tolist():
                found[row] = None
        return found

    @property
    def values(self) -> dict[Hashable, Any]:
        """The label of each item that has one; of several in front the first in order, or none with ties='none'."""
        return {
            item: value for item, value in zip(self.items, self._answers(), strict=True) if value is not None
        }

    def confidence(self) -> Floats:
        """How probable the label of each item is; in a vote, its share."""
        found: Floats = self.posterior.max(axis=1)
        return found

    def tied(self) -> list[Hashable]:
        """The items with several labels in front."""
        return [self.study.items[code] for code in self.votes.there[self._front().sum(axis=1) > 1].tolist()]

    def table(self) -> Table:
        """For each item: its label, how many annotations it rests on and how many annotators gave it."""
        front = self._front()
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
        self._named()
        there = np.flatnonzero(self.votes.given > 0)
        agree = totals(self.votes.person, self.posterior.reshape(-1)[self.votes.cell], self.votes.people)
        columns: dict[str, Sequence[Any]] = {
            "annotator": [self.study.annotators[code] for code in there.tolist()],
            "annotations": [round(number) for number in self.votes.given[there].tolist()],
            "agreement": (agree[there] / self.votes.given[there]).tolist(),
            **{name: column[there].tolist() for name, column in self.by_annotator.items()},
        }
        by = next((name for name in ("spammer score", "ability", "weight") if name in columns), "agreement")
        foot = f"spammer score: {SPAMMER_SCORE}" if "spammer score" in columns else ""
        return Table(columns, title=f"Annotators, by {self.method}", foot=foot).sort(by, descending=True)

    def _named(self) -> None:
        if self.study.anonymous:
            raise KindError(
                "this study does not say who gave which value (it was made from counts), so there is no table of "
                "annotators; read the annotations themselves"
            )

    def confusion(self, annotator: Hashable) -> Table:
        """The probability of each answer of an annotator (columns) for each true label (rows)."""
        if self.by_answer is None:
            raise KindError(
                f"{self.method} has no probabilities of answers for each true label; dawid_skene and mace have"
            )
        mine = self.by_answer[self.study.annotator_code(annotator)]
        columns = {str(label): mine[:, k].tolist() for k, label in enumerate(self.labels)}
        return Table({"true": list(self.labels), **columns}, title=f"Answers of {annotator}")

    def score(self, gold: Any, *, level: float = 0.95) -> Accuracy:
        """How often the consensus is right, with Wilson's interval, beside an annotator picked at random.

        Args:
            gold: A mapping of items to labels, or a study with one annotation for each item.
            level: The level of the interval.
        """
        if not 0 < level < 1:
            raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
        known, front = answers(gold), self._front()
        counts = self.ties != "none"
        place = {key(label): code for code, label in enumerate(self.labels)}
        rows = [
            (row, place.get(key(known[item]), -1))
            for row, item in enumerate(self.items)
            if item in known and (counts or front[row].sum() == 1)
        ]
        if not rows:
            raise none_shared(self.study, known)
        both = np.array(rows, dtype=np.intp)
        row, truth = both[:, 0], both[:, 1]
        has = truth >= 0  # a gold label that nobody gave can only be missed

        def at(table: Any) -> Floats:
            found: Floats = np.where(has, table[row, np.maximum(truth, 0)], 0.0)
            return found

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
                item not in known for item, one in zip(names, self._answers(), strict=True) if one is not None
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
                values=tuple(dict.fromkeys((*self.study.values, *self.labels)))
                if self.study.stated
                else None,
                ordered=self.study.ordered,
                attributes={
                    name: np.array(table[name])[keep]
                    for name in ("annotations", "support", "confidence", *self.by_item)
                },
                provenance=self.study.provenance.then(Step("taken", self.headline(), len(keep))),
            ),
            of_kind=self.study.of_kind,
        )

    def headline(self) -> str:
        """What this is, in a few words."""
        return f"{self.method} of {counted(len(self), 'item')}"

    def __len__(self) -> int:
        return len(self.posterior)

    def __repr__(self) -> str:
        return f"<LabelConsensus: {self.headline()}>"

    def __str__(self) -> str:
        sure = "probability" if self.rounds else "share of the votes"
        return f"{self.headline()}: their labels have a mean {sure} of {float(self.confidence().mean()):.3f}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class NumberConsensus(Consensus):
    """One number for each item, with its error, and how far and how much annotators deviate from it."""

    error: Floats = field(default_factory=lambda: np.zeros(0))
    by_annotator: Mapping[str, Floats] = field(default_factory=dict)
    log_likelihood: float = float("nan")  # a lower bound of it
    trace: Floats = field(default_factory=lambda: np.zeros(0))
    converged: bool = True

    def table(self) -> Table:
        """For each item: its number with the standard error, and how far annotations are from it."""
        table = Consensus.table(self)
        columns = dict(table.columns)
        del columns["support"]
        return replace(table, columns={**columns, "error": self.error.tolist()})

    def annotators(self) -> Table:
        """For each annotator: her bias and the deviation of her numbers beside it, each with its standard error."""
        here = np.flatnonzero(np.bincount(self.study.annotator, minlength=len(self.study.annotators)) > 0)
        given = np.bincount(self.study.annotator, minlength=len(self.study.annotators))[here]
        columns: dict[str, Sequence[Any]] = {
            "annotator": [self.study.annotators[code] for code in here.tolist()],
            "annotations": given.tolist(),
            **{name: column[here].tolist() for name, column in self.by_annotator.items()},
        }
        return Table(columns, title=f"Annotators, by {self.method}").sort("deviation")

    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator."""
        table = self.table()
        return Annotations.from_columns(
            table["item"],
            [self.method] * len(table),
            table["value"],
            attributes={
                name: np.array(table[name]) for name in ("annotations", "distance", "confidence", "error")
            },
            provenance=self.study.provenance.then(Step("taken", self.headline(), len(table))),
        )


def usual_method(data: IntoAnnotations) -> tuple[str, str]:
    """The usual way to one answer for the kind of value, and why, as a sentence."""
    study = as_annotations(data)
    kind = study.kind
    if kind.consensus == "majority_vote":
        because = "the values are labels: the one that most annotators gave was taken"
        if len(study.values) > 2 and numbers(study.values) is not None:
            because += "; if the numbers are a scale and not codes, take the median"
        return "majority_vote", because
    if kind.consensus == "median":
        what = "have an order" if kind == "ordered" else "are numbers"
        return "median", f"the values {what}: the one in the middle was taken"
    return "medoid", f"the values are {kind}: the annotation nearest to the others was taken"


@takes_data
def usual_consensus(
    data: IntoAnnotations, *others: Any, **reading: Unpack[ReadingOptions]
) -> Consensus | LabelConsensus:
    """One answer for each item by what suits the kind of value: a vote, a median or a medoid.

    Labels are voted on; ordered values and numbers have a median; of all other values the one nearest to the others is
    taken.  The first of the ``notes`` says which it was.

    Args:
        data: Annotations.
    """
    study = as_annotations(data)
    method, because = usual_method(study)
    ways: dict[str, Callable[[Annotations], Consensus | LabelConsensus]] = {
        "majority_vote": majority_vote,
        "median": median,
        "medoid": medoid,
    }
    made = ways[method](study)
    return replace(made, notes=(because, *made.notes))


@takes_data
def majority_vote(
    data: IntoAnnotations, *others: Any, ties: Ties = "split", **reading: Unpack[ReadingOptions]
) -> LabelConsensus:
    """For each item the label that most annotators gave.

    An annotator who judged an item several times has one vote, shared by her judgements.

    Args:
        data: Annotations.
        ties: Where several labels are in front: "split" names the first in the order of labels and counts as right by
            the share of the right one among them, "order" takes the first one in the order of labels, "none" gives the
            item no label.
    """
    _checked(ties)
    votes = prepared(data, "majority_vote", who=False)
    return _voted("majority_vote", votes, votes.shares(), ties, {}, ())


@takes_data
def weighted_vote(
    data: IntoAnnotations, *others: Any, ties: Ties = "split", **reading: Unpack[ReadingOptions]
) -> LabelConsensus:
    """The label with most votes, annotators weighed by how little the others differ from them.

    A weight is the mean over all annotators of the share of the others who gave another label, over her own, at most
    10; hers is pulled to the mean as far as it is uncertain.  The others are weighed too, so weights are found again
    until none changes by one in a million, at most 50 times.

    Args:
        data: Annotations.
        ties: As for `majority_vote`.
    """
    _checked(ties)
    votes = prepared(data, "weighted_vote")
    weight, rounds = votes.weights()
    note = f"weights of annotators found {counted(rounds, 'time')}"
    return _voted("weighted_vote", votes, votes.shares(weight), ties, {"weight": weight}, (note,))


@takes_data
def dawid_skene(
    data: IntoAnnotations,
    *others: Any,
    smoothing: float = 0.1,
    gold: Any = None,
    prior: Literal["hierarchical"] | None = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator confuses labels in her own way (Dawid and Skene 1979).

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to each answer of each annotator for each true label; 0 is maximum likelihood.
        gold: Answers that are known, as a mapping of items to labels or a study; the others are found with their help.
        prior: "hierarchical" adds counts found from all annotators instead, so that those who did little are taken to
            be like the others; of use where there are many annotators.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.
    """
    if prior not in (None, "hierarchical"):
        raise KindError(f"prior is None or 'hierarchical', got {prior!r}")
    votes = prepared(data, "dawid_skene", gold=gold)
    return _modelled(
        "dawid_skene",
        votes,
        lambda: fit_dawid_skene(
            votes,
            smoothing=smoothing,
            hierarchical=prior == "hierarchical",
            tolerance=tolerance,
            rounds=rounds,
        ),
    )


@takes_data
def one_coin(
    data: IntoAnnotations,
    *others: Any,
    smoothing: float = 0.1,
    gold: Any = None,
    tolerance: float = 1e-8,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where every annotator has one probability of being right, and all errors are alike.

    Args:
        data: Annotations; each counts, also repeated ones.
        smoothing: A count that is added to the right and to the wrong answers of each annotator; 0 is maximum
            likelihood.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds of EM to do at most.
    """
    votes = prepared(data, "one_coin", gold=gold)
    return _modelled(
        "one_coin",
        votes,
        lambda: fit_one_coin(votes, smoothing=smoothing, tolerance=tolerance, rounds=rounds),
    )


@takes_data
def mace(
    data: IntoAnnotations,
    *others: Any,
    restarts: int = 10,
    seed: int = 0,
    gold: Any = None,
    tolerance: float = 1e-8,
    rounds: int = 500,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where annotators either know or spam (Hovy and others 2013).

    Args:
        data: Annotations; each counts, also repeated ones.
        restarts: From how many starts to fit; the first is the vote, the others are random and all differ.
        seed: Where random numbers begin.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most from each start.
    """
    votes = prepared(data, "mace", gold=gold)
    return _modelled(
        "mace",
        votes,
        lambda: fit_mace(votes, restarts=restarts, seed=seed, tolerance=tolerance, rounds=rounds),
    )


@takes_data
def glad(
    data: IntoAnnotations,
    *others: Any,
    gold: Any = None,
    tolerance: float = 1e-8,
    rounds: int = 500,
    **reading: Unpack[ReadingOptions],
) -> LabelConsensus:
    """The most probable labels where annotators are more or less able and items more or less difficult (GLAD, 2009).

    Args:
        data: Annotations; each counts, also repeated ones.
        gold: Answers that are known, as a mapping of items to labels or a study.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most.
    """
    votes = prepared(data, "glad", gold=gold)
    return _modelled("glad", votes, lambda: fit_glad(votes, tolerance=tolerance, rounds=rounds))


@takes_data
def debiased_mean(
    data: IntoAnnotations,
    *others: Any,
    tolerance: float = 1e-9,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> NumberConsensus:
    """For each item the mean of its numbers, less the biases of annotators and weighed by how exact they are.

    Args:
        data: Annotations that are numbers; each counts, also repeated ones.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most.
    """
    study = as_annotations(data.collect() if hasattr(data, "patterns") else data)
    values = _scale(study)
    there = np.flatnonzero(study.sizes() > 0)
    place = np.zeros(len(study.items), dtype=np.intp)
    place[there] = np.arange(len(there))
    person = study.annotator.astype(np.intp, copy=False)
    people = len(study.annotators)
    found = debiased(
        values[study.value],
        place[study.item],
        person,
        len(there),
        people,
        tolerance=tolerance,
        rounds=rounds,
    )
    said = [*_uncompared(study, there), *_rested(found.climb)]
    return NumberConsensus(
        "debiased_mean",
        Within(study, find("interval")),
        there,
        found.mean.tolist(),
        study.sizes()[there].astype(np.float64),
        chosen=False,
        notes=tuple(said),
        error=found.error,
        by_annotator={
            "bias": found.bias,
            "error of bias": found.bias_error,
            "deviation": found.deviation,
            "error of deviation": found.deviation_error,
        },
        log_likelihood=float(found.climb.trace[-1]),
        trace=found.climb.trace,
        converged=found.climb.converged,
    )


def _scale(study: Annotations) -> Floats:
    if not len(study):
        raise DataError("there is nothing to find a consensus of: the study has no annotations")
    if study.anonymous:
        raise KindError(
            "debiased_mean must know who gave which value, and this study does not say (it was made from counts); "
            "merge does not need to know"
        )
    found = None if study.kind.consensus == "medoid" else numbers(study.values)
    if found is None:
        other = (
            "dawid_skene takes labels and merge takes vectors and boxes"
            if study.kind != "ordered"
            else "declare numbers for the steps of the scale, or take dawid_skene"
        )
        raise KindError(
            f"debiased_mean takes numbers, and these are {study.kind} such as {listing(study.values[:3])}; {other}"
        )
    return np.array(found)


def _uncompared(study: Annotations, there: Any) -> list[str]:
    said = []
    if len(study.items) > len(there):
        said.append(f"{counted(len(study.items) - len(there), 'item')} without annotations left out")
    if len(study) == len(there) or len(np.unique(study.annotator)) == 1:
        said.append("no item has two annotators, so biases cannot be told and numbers are taken as they are")
    return said


def _rested(climb: Climb) -> list[str]:
    rounds = counted(len(climb.trace), "round")
    return [f"fitted in {rounds}" if climb.converged else f"still moving after {rounds}; raise rounds"]


def _checked(ties: str) -> None:
    if ties not in ("split", "none", "order"):
        raise UnknownName(f"ties are 'split', 'none' or 'order', not {ties!r}")


def _voted(  # noqa: PLR0917 -- called twice
    method: str,
    votes: Votes,
    shares: Floats,
    ties: Ties,
    columns: Mapping[str, Floats],
    notes: Sequence[str],
) -> LabelConsensus:
    return LabelConsensus(
        method,
        votes,
        shares,
        ties=ties,
        by_annotator=columns,
        notes=(*noticed(votes), *_tied(shares, ties), *notes),
    )


def _modelled(method: str, votes: Votes, fit: Callable[[], Fit]) -> LabelConsensus:
    """A model fitted to votes, or the votes themselves with a sentence where it cannot be."""
    why = unfit(votes)
    if why:
        return LabelConsensus(method, votes, votes.start(), converged=False, notes=(*noticed(votes), why))
    found = fit()
    return LabelConsensus(
        method,
        votes,
        found.posterior,
        log_likelihood=found.log_likelihood,
        trace=found.climb.trace,
        converged=found.climb.converged,
        shares=found.shares,
        by_annotator=found.annotators,
        by_item=found.items,
        by_answer=found.confusion,
        notes=(
            *noticed(votes),
            *_tied(found.posterior, "split"),
            *_rested(found.climb),
            *found.notes,
        ),
    )


def _tied(posterior: Floats, ties: Ties) -> list[str]:
    number = int(np.count_nonzero(in_front(posterior).sum(axis=1) > 1))
    how = {
        "split": "the first in order is named, and it counts by its share in the tie",
        "order": "the first in order is taken",
        "none": "they have no label",
    }
    return [f"{counted(number, 'item')} with several labels in front: {how[ties]}"] if number else []
