"""The chart of a study: who gave which values, how often."""

from __future__ import annotations

import numpy as np

from interagree.data.annotations import Annotations
from interagree.data.study import Study
from interagree.errors import KindError
from interagree.results.charts import Bars, Chart, Heat
from interagree.results.charts.tables import spread
from interagree.tables import cell

VALUES = 20  # values that are told apart
PEOPLE = 6  # annotators whose numbers are drawn apart


def studied(data: Study | Annotations) -> Chart:
    """How often each annotator gave each value; of numbers how they are spread, of others how many each has."""
    study = data.single() if isinstance(data, Study) else data
    if not len(study):
        raise KindError("there is nothing to draw: the study has no annotations")
    if study.kind.complex:
        return _how_many(study)
    if study.kind == "numbers" and len(study.values) > VALUES:
        return _numbers(study)
    return _shares(study)


def _how_many(study: Annotations) -> Bars:
    """How many annotations each annotator has, or each item where it is not known who gave them."""
    names, codes = (study.items, study.item) if study.anonymous else (study.annotators, study.annotator)
    given = np.bincount(codes, minlength=len(names))
    order = np.argsort(-given, kind="stable").tolist()
    what = "item" if study.anonymous else "annotator"
    words = f"How many annotations each of {len(names):,} {what}s has, from {given.min():,} to {given.max():,}"
    return Bars([cell(names[code]) for code in order], {"": given[order].tolist()}, "annotations", words)


def _numbers(study: Annotations) -> Chart:
    values = np.array([float(value) for value in study.values])[study.value]
    apart = not study.anonymous and len(study.annotators) <= PEOPLE
    series = (
        {cell(name): values[study.annotator == code].tolist() for code, name in enumerate(study.annotators)}
        if apart
        else {"": values.tolist()}
    )
    return spread(series, "value", what="annotations")


def _shares(study: Annotations) -> Chart:
    """The share of each value in the annotations of each annotator."""
    given = np.bincount(study.value, minlength=len(study.values))
    common = np.argsort(-given, kind="stable")[:VALUES]
    kept = np.sort(common)
    cut = f"the {VALUES} most common of {len(given):,}" if len(given) > VALUES else f"{len(given):,}"
    labels = [study.named(study.values[code]) for code in kept.tolist()]
    if study.anonymous:
        shares = given[kept] / len(study)
        return Bars(labels, {"": shares.tolist()}, "share of annotations", f"How often each of {cut} values was given")
    table = np.zeros((len(study.annotators), len(study.values)))
    np.add.at(table, (study.annotator, study.value), 1)
    everybody = table.sum(axis=1)
    there = np.flatnonzero(everybody)
    shares = (table[there] / everybody[there, None])[:, kept]
    names = [cell(study.annotators[code]) for code in there.tolist()]
    words = f"How often each of {len(names):,} annotators gave each of {cut} values"
    return Heat(names, labels, shares, "share of annotations", words)
