"""Looking at a study before and after measuring it: tables of values, and why coefficients differ."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Unpack

import numpy as np

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Value
from interagree.declare import takes_data
from interagree.errors import KindError
from interagree.plugins import MEASURES
from interagree.stats.labels.ballots import pair_tables
from interagree.stats.labels.counts import Counts, flat, need_annotators
from interagree.tables import Table


@takes_data
def coincidences(data: IntoAnnotations, *others: Sequence[Value], **reading: Unpack[ReadingOptions]) -> Table:
    """Krippendorff's table of coincidences: how often two values meet in an item, every annotation counting once."""
    counts = Counts.of(data).at_least(2)
    table = counts.coincidences()
    columns: dict[str, Sequence[object]] = {"value": list(counts.values)}
    columns.update({name: table[:, k].tolist() for k, name in enumerate(_heads(counts.values, columns))})
    columns["total"] = table.sum(axis=1).tolist()
    return Table(columns)


@takes_data
def confusion(
    data: IntoAnnotations,
    first: Annotator | None = None,
    second: Annotator | None = None,
    **reading: Unpack[ReadingOptions],
) -> Table:
    """How often one annotator gave each value where another gave each; all pairs together where none is named."""
    study = as_annotations(data)
    need_annotators(study, "a table of annotators")
    if (first is None) != (second is None):
        raise KindError("name both annotators, first= and second=, or neither")
    if first is not None and second is not None:
        study = study.only(annotators=[first, second])
    _, tables = pair_tables(study)
    table = tables.sum(axis=0) if len(tables) else np.zeros((len(study.values),) * 2)
    two = first is not None and second is not None
    if not two and len(study.annotators) > 2:
        table = (table + table.T) / 2
    rows = f"{first} \\ {second}" if two else "value"
    columns: dict[str, Sequence[object]] = {rows: list(study.values)}
    columns.update({name: table[:, k].tolist() for k, name in enumerate(_heads(study.values, columns))})
    columns["total"] = table.sum(axis=1).tolist()
    return Table(columns)


def _heads(values: Sequence[Value], taken: Collection[str]) -> list[str]:
    """A head for the column of each value: 1 and "1" are two, and neither is the total."""
    names = [str(value) for value in values]
    return [
        repr(value) if names.count(name) > 1 or name in {*taken, "total"} else name
        for name, value in zip(names, values, strict=True)
    ]


@takes_data
def chance(data: IntoAnnotations, *others: Sequence[Value], **reading: Unpack[ReadingOptions]) -> Table:
    """Why the coefficients of one study differ: what each takes chance to be, and how uneven the data are."""
    study = as_annotations(data)
    names = ["percent", "bennett_s", "fleiss_kappa", "alpha", "ac1"]
    if not study.anonymous:
        names.insert(3, "conger_kappa" if len(study.annotators) != 2 else "cohen_kappa")
    rows = []
    for name in names:
        result = MEASURES[name](study)
        rows.append(
            {
                "measure": name,
                "chance draws from": result.measure.chance,
                "observed agreement": result.observed_agreement,
                "expected agreement": result.expected_agreement,
                "value": result.value,
            }
        )
    return Table.of(rows, foot=_uneven(study))


def _uneven(study: Annotations) -> str:
    counts = Counts.of(study)
    if not counts.n.items:
        return "there are no annotations"
    shares = counts.shares(flat)
    top = int(np.argmax(shares))
    even = float((shares**2).sum())
    given_share = float(counts.frequency[top] / counts.total)
    said = f"prevalence: {counts.values[top]!r} has {given_share:.0%} of the annotations"
    if (
        0.625 < even < 1
    ):  # as with one value three times as common as the only other; two even values have 0.5
        said += ", so two annotators agree by chance more often than not, and kappa and alpha fall where AC1 and S stay"
    if study.anonymous or len(study.annotators) < 2:
        return said
    given = np.zeros((len(study.annotators), len(study.values)))
    np.add.at(given, (study.annotator, study.value), 1)
    each = given.sum(axis=1, keepdims=True)
    known = each[:, 0] > 0
    own = given[known] / each[known]
    gap = own.max(axis=0) - own.min(axis=0)
    widest = int(np.argmax(gap))
    return said + (
        f"; bias: between annotators the share of {study.values[widest]!r} differs by up to {gap[widest]:.0%}"
        if not math.isnan(float(gap[widest]))
        else ""
    )
