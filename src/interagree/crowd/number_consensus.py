"""Numbers for items, freed of the biases of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Unpack

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.consensus import Consensus
from interagree.crowd.continuous import debiased
from interagree.crowd.fitting import fit_data, fitted_note
from interagree.crowd.medoids import Within, collected
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.provenance import Step, counted
from interagree.data.types import Values
from interagree.data.values import numbers
from interagree.declare import takes_data
from interagree.distances import find
from interagree.errors import KindError, listing
from interagree.tables import Table


@dataclass(frozen=True, repr=False, eq=False)
class NumberConsensus(Consensus):
    """One number for each item, with its error, and how far and how much annotators deviate from it."""

    error: Floats = field(default_factory=lambda: np.zeros(0))
    by_annotator: Mapping[str, Floats] = field(default_factory=dict)
    log_likelihood: float = float("nan")  # a lower bound of it
    trace: Floats = field(default_factory=lambda: np.zeros(0))
    converged: bool = True

    def table(self) -> Table:
        """For each item: its number with the standard error, and how far annotations are from it."""
        table = super().table()
        columns = dict(table.columns)
        del columns["support"]
        return replace(table, columns={**columns, "error": self.error.tolist()})

    def annotators(self) -> Table:
        """For each annotator: the bias and the deviation of their numbers from it, each with its standard error."""
        here = np.flatnonzero(np.bincount(self.study.annotator, minlength=len(self.study.annotators)) > 0)
        given = np.bincount(self.study.annotator, minlength=len(self.study.annotators))[here]
        columns: dict[str, Sequence[object]] = {
            "annotator": [self.study.annotators[code] for code in here.tolist()],
            "annotations": given.tolist(),
            **{name: column[here].tolist() for name, column in self.by_annotator.items()},
        }
        return Table(columns, title=f"Annotators, by {self.method}").sort("deviation")

    def _described(self) -> Mapping[str, object]:
        return {**super()._described(), **fit_data(self.trace, self.log_likelihood, converged=self.converged)}

    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator."""
        table = self.table()
        return Annotations.from_columns(
            table["item"],
            [self.method] * len(table),
            table["value"],
            attributes={name: np.array(table[name]) for name in ("annotations", "distance", "confidence", "error")},
            provenance=self.study.provenance.then(Step("taken", self.headline(), len(table))),
        )


@takes_data
def debiased_mean(
    data: IntoAnnotations,
    *others: Values,
    tolerance: float = 1e-9,
    rounds: int = 1000,
    **reading: Unpack[ReadingOptions],
) -> NumberConsensus:
    """For each item the mean of its numbers, less the biases of annotators and weighed by how exact they are.

    Args:
        data: Annotations that are numbers; each counts, also repeated ones.
        tolerance: Stop when a round gains less than this share of the objective.
        rounds: How many rounds to do at most.

    Returns:
        A number with its error for each item, and the bias and deviation of each annotator.

    Examples:
        >>> import interagree as ia
        >>> numbers = {"ann": [1.0, 2.0, 4.0, 3.5], "bo": [2.0, 3.0, 5.0, 4.5], "cy": [1.5, 2.5, 4.5, 4.0]}
        >>> [round(value, 2) for value in ia.crowd.debiased_mean(numbers).values.values()]
        [1.5, 2.5, 4.5, 4.0]
    """
    study = collected(data)
    values = _scale(study)
    there = np.flatnonzero(study.sizes() > 0)
    place = np.zeros(len(study.items), dtype=np.intp)
    place[there] = np.arange(len(there))
    person = study.annotator.astype(np.intp, copy=False)
    people = len(study.annotators)
    model = debiased(
        values[study.value], place[study.item], person, len(there), people, tolerance=tolerance, rounds=rounds
    )
    notes = (*_uncompared(study, there), fitted_note(model.climb))
    return NumberConsensus(
        "debiased_mean",
        Within(study, find("interval")),
        there,
        model.mean.tolist(),
        study.sizes()[there].astype(np.float64),
        chosen=False,
        notes=notes,
        error=model.error,
        by_annotator={
            "bias": model.bias,
            "error of bias": model.bias_error,
            "deviation": model.deviation,
            "error of deviation": model.deviation_error,
        },
        log_likelihood=float(model.climb.trace[-1]),
        trace=model.climb.trace,
        converged=model.climb.converged,
    )


def _scale(study: Annotations) -> Floats:
    if study.anonymous:
        raise KindError(
            "debiased_mean must know who gave which value, and this study does not say (it was made from counts); "
            "merge does not need to know"
        )
    scale = None if study.kind.consensus == "medoid" else numbers(study.values)
    if scale is None:
        other = (
            "dawid_skene takes labels and merge takes vectors and boxes"
            if study.kind != "ordered"
            else "declare numbers for the steps of the scale, or take dawid_skene"
        )
        raise KindError(
            f"debiased_mean takes numbers, and these are {study.kind} such as {listing(study.values[:3])}; {other}"
        )
    return np.array(scale)


def _uncompared(study: Annotations, there: Indices) -> list[str]:
    notes = []
    if len(study.items) > len(there):
        notes.append(f"{counted(len(study.items) - len(there), 'item')} without annotations left out")
    if len(study) == len(there) or len(np.unique(study.annotator)) == 1:
        notes.append("no item has two annotators, so biases cannot be estimated and numbers are used unchanged")
    return notes
