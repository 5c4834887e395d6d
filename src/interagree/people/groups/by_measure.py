"""Any coefficient by groups of annotators: of all, within each group, and between two; and by document and scheme.

Agreement **between** two groups is the mean, over all pairs of one annotator of each group, of the coefficient of these
two alone: over the items that both annotated, with the chance of these two.  So annotators of one group are never
compared with each other.  Pairs whose coefficient is undefined are left out and counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean, stdev
from typing import Literal, NamedTuple

import numpy as np

from interagree.data import Annotations, IntoAnnotations, as_annotations
from interagree.data.types import Annotator, Item
from interagree.declare import takes_data
from interagree.errors import Hint, KindError, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.people.groups.membership import IntoGroups, membership
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.tables import Table

Quantity = Literal["value", "observed", "expected"]
Measured = Callable[[Annotations], Agreement]
SUMMARY = ("min", "mean", "max", "sd")


class Coefficient(NamedTuple):
    """A coefficient and the parts that it is made of; nan where it is undefined."""

    value: float
    observed: float
    expected: float
    undefined: str = ""

    @classmethod
    def of(cls, result: Agreement) -> Coefficient:
        """The numbers of a result."""
        observed, expected = result.disagreement.observed, result.disagreement.expected
        return cls(
            result.value,
            math.nan if observed is None else float(observed),
            math.nan if expected is None else float(expected),
            result.undefined or "",
        )


@takes_data
def groups(data: IntoAnnotations, by: IntoGroups, *, measure: str = "gamma", **options: object) -> Table:
    """Agreement of all annotators, within each group of them, and between every two groups.

    Args:
        data: A study.
        by: The column that says to which group an annotator belongs, or a mapping from annotators to groups;
            annotators in no group are set aside, which the foot of the table says.
        measure: The name of a coefficient.
        options: Options of the coefficient.

    Returns:
        A table with a row for all, for each group of at least two, and for each pair of groups.  ``lowest`` and
        ``highest`` are the ends of an interval, and between groups, which have none, those of the pairs of annotators.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b", "b"], "bo": ["a", "b", "a"], "cy": ["b", "b", "a"]}
        >>> table = ia.people.groups(labels, {"ann": "new", "bo": "new", "cy": "old"}, measure="percent")
        >>> [round(value, 3) for value in table["value"]]
        [0.556, 0.667, 0.5]
    """
    study = as_annotations(data)
    grouping = membership(study, by)
    if grouping.ungrouped:
        study = study.only(annotators=grouping.grouped)
    members = grouping.members
    compute = _measured(measure, options)
    rows = [_within("all", study, compute)]
    for name, some in members.items():
        if len(some) > 1:
            rows.append(_within(f"within {name}", study.only(annotators=some), compute))
    for one, other in combinations(members, 2):
        rows.append(_between(f"{one} and {other}", study, members[one], members[other], compute))
    single = [str(name) for name, some in members.items() if len(some) == 1]
    foot = ["Between groups: the mean over all pairs of one annotator of each."]
    if single:
        foot.append(f"One annotator alone: {listing(single)}.")
    foot += [f"{note[:1].upper()}{note[1:]}." for note in grouping.notes]
    return Table.of(rows, title=f"{measure} by groups of annotators", foot=" ".join(foot))


@checks_options
def grid(
    schemes: Mapping[str, IntoAnnotations],
    *,
    measure: str = "gamma",
    what: Quantity = "value",
    by: IntoGroups | None = None,
    between: tuple[Hashable, Hashable] | None = None,
    **options: object,
) -> Table:
    """A table of documents (rows) and schemes (columns), and min, mean, max and standard deviation of each scheme.

    Args:
        schemes: A study for each scheme, such as one for each version of the guidelines; items of the same name are the
            same document.
        measure: The name of a coefficient, which each document has by itself.
        what: The coefficient ("value"), or the disagreement that was "observed" or is "expected".
        by: The groups of annotators, as in `groups`; only with ``between``.
        between: Two groups: each entry is then the mean over the pairs of one annotator of each.
        options: Options of the coefficient.

    Returns:
        A table with a row for each document and four rows that sum up, and a column for each scheme.

    Examples:
        >>> import interagree as ia
        >>> schemes = {"first": {"ann": ["a", "b"], "bo": ["a", "a"]}, "second": {"ann": ["a", "b"], "bo": ["a", "b"]}}
        >>> ia.people.grid(schemes, measure="percent")["second"][:2]
        [1.0, 1.0]
    """
    if what not in ("value", "observed", "expected"):
        raise KindError(f"what must be 'value', 'observed' or 'expected', got {what!r}")
    if (by is None) != (between is None):
        hints = [Hint("by"), Hint("between")]
        raise KindError(
            f"{hints[0]} says which annotator is in which group, and {hints[1]} which two groups; give both or neither",
            hints=hints,
        )
    coefficients = {
        str(name): documents(study, measure=measure, by=by, between=between, **options)
        for name, study in schemes.items()
    }
    return tabled(coefficients, what=what, title=f"{measure}, {what}")


def tabled(schemes: Mapping[str, Mapping[Item, Coefficient]], *, what: Quantity = "value", title: str = "") -> Table:
    """A column for each scheme, a row for each of its documents, and min, mean, max and standard deviation."""
    names = list(dict.fromkeys(document for cells in schemes.values() for document in cells))
    columns: dict[str, list[object]] = {"document": [*names, *SUMMARY]}
    for scheme, cells in schemes.items():
        entries = [getattr(cells[name], what) if name in cells else None for name in names]
        columns[scheme] = [*entries, *summary([entry for entry in entries if entry is not None])]
    foot = "A dash is undefined, an empty cell was not annotated; sd is that of a sample (n - 1)."
    return Table(columns, title, foot)


def documents(
    data: IntoAnnotations,
    *,
    measure: str = "gamma",
    by: IntoGroups | None = None,
    between: tuple[Hashable, Hashable] | None = None,
    **options: object,
) -> dict[Item, Coefficient]:
    """The coefficient of each document by itself: of all its annotators, or between two groups of them."""
    study = as_annotations(data)
    compute = _measured(measure, options)
    sides: list[list[Annotator]] = []
    if by is not None and between is not None:
        members = membership(study, by, all_known=False).members
        for name in between:
            if name not in members:
                near = suggestion(str(name), map(str, members))
                raise UnknownName(f"there is no group {name!r}; there are {listing(members)}.{near}")
        sides = [members[name] for name in between]
    coefficients = {}
    for document in study.items:
        part = study.only(items=[document])
        if not sides:
            coefficients[document] = Coefficient.of(compute(part))
            continue
        there = {part.annotators[code] for code in np.unique(part.annotator).tolist()}
        some, others = ([who for who in side if who in there] for side in sides)
        pairs = _pairs(part, some, others, compute)
        if pairs:
            coefficients[document] = _mean(pairs)
    return coefficients


def summary(entries: Sequence[float]) -> list[float]:
    """Least, mean, largest and standard deviation of a sample; nan for what cannot be said."""
    numbers = [entry for entry in entries if not math.isnan(entry)]
    if not numbers:
        return [math.nan] * 4
    return [min(numbers), fmean(numbers), max(numbers), stdev(numbers) if len(numbers) > 1 else math.nan]


def _measured(name: str, options: Mapping[str, object]) -> Measured:
    function: Callable[..., Agreement] = MEASURES[name]
    return lambda study: function(study, **options)


def _row(
    name: str,
    annotators: int,
    coefficient: Coefficient,
    ends: tuple[float | None, float | None],
    pairs: int | None = None,
) -> dict[str, object]:
    return {
        "comparison": name,
        "annotators": annotators,
        "pairs": pairs,
        "observed": coefficient.observed,
        "expected": coefficient.expected,
        "value": coefficient.value,
        "lowest": ends[0],
        "highest": ends[1],
    }


def _within(name: str, study: Annotations, compute: Measured) -> dict[str, object]:
    result = compute(study)
    interval = None if result.undefined else result.interval()
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return _row(name, len(study.annotators), Coefficient.of(result), ends)


def _between(
    name: str, study: Annotations, some: Sequence[Annotator], others: Sequence[Annotator], compute: Measured
) -> dict[str, object]:
    pairs = _pairs(study, some, others, compute)
    values = [pair.value for pair in pairs if not math.isnan(pair.value)]
    ends = min(values, default=math.nan), max(values, default=math.nan)
    return _row(name, len(some) + len(others), _mean(pairs), ends, len(values))


def _pairs(
    study: Annotations, some: Sequence[Annotator], others: Sequence[Annotator], compute: Measured
) -> list[Coefficient]:
    return [Coefficient.of(compute(study.only(annotators=[one, other]))) for one, other in product(some, others)]


def _mean(pairs: Sequence[Coefficient]) -> Coefficient:
    """The mean of those that are defined; the observed disagreement of all that have one."""
    usable = [pair for pair in pairs if not math.isnan(pair.value)]
    observed = [pair.observed for pair in pairs if not math.isnan(pair.observed)]
    if not usable:
        why = next((pair.undefined for pair in pairs if pair.undefined), "no pair of annotators")
        return Coefficient(math.nan, fmean(observed) if observed else math.nan, math.nan, why)
    value, expected = fmean(pair.value for pair in usable), fmean(pair.expected for pair in usable)
    return Coefficient(value, fmean(pair.observed for pair in usable), expected)
