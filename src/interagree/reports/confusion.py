"""Looking at a study before and after measuring it: tables of values, and why coefficients differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.memory import must_fit
from interagree.data.types import Annotator, Lazy, Value, Values
from interagree.declare import takes_data
from interagree.errors import KindError, Wording
from interagree.plugins import MEASURES
from interagree.stats.engine.compress import dense
from interagree.stats.labels.ballots import pair_tables
from interagree.stats.labels.counts import Counts, annotations_of, flat, need_annotators
from interagree.stats.labels.independence import independent
from interagree.tables import Table


@takes_data
def coincidences(data: IntoAnnotations | Counts, *others: Sequence[Value], **reading: Unpack[ReadingOptions]) -> Table:
    """Krippendorff's table of coincidences: how often two values meet in an item, every annotation counting once.

    Args:
        data: A study or anything `Annotations.of` takes.

    Returns:
        One row and one column for each value.

    Examples:
        >>> import interagree
        >>> print(interagree.studies.coincidences(["a", "b", "b"], ["a", "b", "a"]))
        value      a      b  total
        a      2.000  1.000  3.000
        b      1.000  2.000  3.000
    """
    counts = Counts.of(data).at_least(2)
    _check_size(len(counts.values))
    return _crossed("value", counts.values, counts.coincidences())


@takes_data
def confusion(
    data: IntoAnnotations,
    first: Annotator | None = None,
    second: Annotator | None = None,
    **reading: Unpack[ReadingOptions],
) -> Table:
    r"""The confusion matrix of two annotators, or of all pairs together where none are named.

    Args:
        data: A study or anything `Annotations.of` takes.
        first: The annotator whose values are the rows.
        second: The annotator whose values are the columns.

    Returns:
        One row and one column for each value.

    Examples:
        >>> import interagree
        >>> answers = {"ann": ["a", "b", "b"], "bo": ["a", "b", "a"]}
        >>> print(interagree.confusion(answers, "ann", "bo"))
        ann \ bo      a      b  total
        a         1.000  0.000  1.000
        b         1.000  1.000  2.000
    """
    if (first is None) != (second is None):
        raise KindError("name both annotators, first= and second=, or neither")
    two = first is not None and second is not None
    if isinstance(data, Lazy) and not data.in_place and not data.fetches:
        if two:
            data = data.only(annotators=[first, second])
        elif data.duplicates == "error":
            return _of_all_pairs(Counts.from_scan(data))
    study = annotations_of(data)
    need_annotators(study, "a table of annotators")
    if two:
        study = study.only(annotators=[first, second])
    if two or len(study.annotators) <= 2:
        _check_size(len(study.values))
        _, tables = pair_tables(study)
        table = tables.sum(axis=0) if len(tables) else np.zeros((len(study.values),) * 2)
        return _crossed(f"{first} \\ {second}" if two else "value", study.values, table)
    return _of_all_pairs(Counts.of(study.first_judgements()))


def _of_all_pairs(counts: Counts) -> Table:
    """How often two values meet in an item: of all pairs together it does not matter whose they are."""
    _check_size(len(counts.values))
    rows = counts.rows if isinstance(counts.rows, np.ndarray) else counts.rows.tocsr()
    weighed = rows * counts.weights.matrix()[:, None]
    table = (dense(weighed.T @ rows) - np.diag(np.asarray(weighed.sum(axis=0)).reshape(-1))) / 2
    return _crossed("value", counts.values, table)


CELL = 60  # bytes that a cell of such a table takes, as an array and as a table to print


def _check_size(values: int) -> None:
    """An error where a table of values × values does not fit into memory."""
    must_fit(
        CELL * float(values) ** 2,
        f"a table of {values:,} × {values:,} values",
        "if the values are numbers or texts, a distance compares them, as in ",
        Wording("interagree.alpha(data, distance='interval')", "-m alpha --distance interval"),
        "; else read fewer values",
    )


def _crossed(head: str, values: Sequence[Value], table: Floats) -> Table:
    names = [str(value) for value in values]
    # 1 and "1" are two values, and neither is the total.
    heads = [
        repr(value) if names.count(name) > 1 or name in (head, "total") else name
        for name, value in zip(names, values, strict=True)
    ]
    columns = {name: table[:, k].tolist() for k, name in enumerate(heads)}
    return Table({head: list(values), **columns, "total": table.sum(axis=1).tolist()})


@takes_data
def chance(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Table:
    """Why the coefficients of one study differ: what each takes chance to be, and how uneven the data are.

    Args:
        data: A study or anything `Annotations.of` takes.

    Returns:
        One row for each coefficient, with what annotators would get on average who use the values as often as these and
        answer independently of the items; the foot of the table speaks of prevalence and bias.

    Examples:
        >>> import interagree
        >>> print(interagree.chance(["a", "b", "b", "b"], ["a", "b", "b", "a"]).foot)
        prevalence: 'b' has 62% of the annotations; bias: between annotators the share of 'a' differs by up to 25%
    """
    study = annotations_of(data)
    names = ["percent", "bennett_s", "fleiss_kappa", "alpha", "ac1"]
    if not study.anonymous:
        names.insert(3, "conger_kappa" if len(study.annotators) != 2 else "cohen_kappa")
    results = {name: MEASURES[name](study) for name in names}
    rows = [
        {
            "measure": name,
            "chance draws from": result.measure.chance,
            "observed agreement": result.observed_agreement,
            "expected agreement": result.expected_agreement,
            "value": result.value,
            "if independent": independent(result),
        }
        for name, result in results.items()
    ]
    return Table.of(rows, foot=_uneven(study))


def _uneven(study: Annotations) -> str:
    """How uneven the values are overall (prevalence) and between annotators (bias)."""
    counts = Counts.of(study)
    if not counts.n.items:
        return "there are no annotations"
    shares = counts.shares(flat)
    top = int(np.argmax(shares))
    even = float((shares**2).sum())
    given_share = float(counts.frequency[top] / counts.total)
    sentence = f"prevalence: {counts.values[top]!r} has {given_share:.0%} of the annotations"
    if 0.625 < even < 1:  # as with one value three times as common as the only other; two even values have 0.5
        effect = "two annotators agree by chance more often than not, and kappa and alpha fall where AC1 and S stay"
        sentence += f", so {effect}"
    if study.anonymous or len(study.annotators) < 2:
        return sentence
    given = np.zeros((len(study.annotators), len(study.values)))
    np.add.at(given, (study.annotator, study.value), 1)
    each = given.sum(axis=1, keepdims=True)
    known = each[:, 0] > 0
    own = given[known] / each[known]
    gap = own.max(axis=0) - own.min(axis=0)
    widest = int(np.argmax(gap))
    if math.isnan(float(gap[widest])):
        return sentence
    bias = f"between annotators the share of {study.values[widest]!r} differs by up to {gap[widest]:.0%}"
    return f"{sentence}; bias: {bias}"
