"""Groups of annotators, and tables of documents and schemes: agreement of all, within each group, and between two.

Agreement **between** two groups is the mean, over all pairs of one annotator of each group, of the coefficient of these
two alone: over the items that both annotated, with the chance of these two.  Annotators of one group are so never
compared with each other.  Pairs whose coefficient is undefined are left out and counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from statistics import fmean, stdev
from typing import Any, Literal, NamedTuple

import numpy as np

from interagree.data import Annotations, as_annotations
from interagree.data.types import IntoAnnotations
from interagree.declare import takes_data
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.tables import Table

What = Literal["value", "observed", "expected"]
SUMMARY = ("min", "mean", "max", "sd")


class Found(NamedTuple):
    """A coefficient and the parts that it is made of; nan where it is undefined."""

    value: float
    observed: float
    expected: float
    undefined: str = ""

    @classmethod
    def of(cls, result: Agreement) -> Found:
        """The numbers of a result."""
        seen, chance = result.disagreement.observed, result.disagreement.expected
        return cls(
            result.value,
            math.nan if seen is None else float(seen),
            math.nan if chance is None else float(chance),
            result.undefined or "",
        )


@takes_data
def groups(
    data: IntoAnnotations, by: str | Mapping[Any, Hashable], *, measure: str = "gamma", **options: Any
) -> Table:
    """Agreement of all annotators, within each group of them, and between every two groups.

    Args:
        data: A study.
        by: The attribute that says to which group an annotator belongs, or a mapping from annotators to groups.
        measure: The name of a coefficient.
        options: Options of the coefficient.

    Returns:
        A table with a row for all, for each group of at least two, and for each pair of groups.  ``lowest`` and
        ``highest`` are the ends of an interval, and between groups, which have none, those of the pairs of annotators.
    """
    study = as_annotations(data)
    people = members(study, by)
    compute = _measured(measure, options)
    rows = [_within("all", study, compute)]
    for name, some in people.items():
        if len(some) > 1:
            rows.append(_within(f"within {name}", study.only(annotators=some), compute))
    for one, other in combinations(people, 2):
        rows.append(_between(f"{one} and {other}", study, people[one], people[other], compute))
    lone = [str(name) for name, some in people.items() if len(some) == 1]
    foot = "Between groups: the mean over all pairs of one annotator of each."
    if lone:
        foot += f" One annotator alone: {listing(lone)}."
    return Table.of(rows, title=f"{measure} by groups of annotators", foot=foot)


def grid(
    schemes: Mapping[str, Any],
    *,
    measure: str = "gamma",
    what: What = "value",
    by: str | Mapping[Any, Hashable] | None = None,
    between: tuple[Hashable, Hashable] | None = None,
    **options: Any,
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
    """
    if what not in ("value", "observed", "expected"):
        raise KindError(f"what must be 'value', 'observed' or 'expected', got {what!r}")
    if (by is None) != (between is None):
        raise KindError(
            "by= says which annotator is in which group, and between= which two groups; give both or neither"
        )
    found = {
        str(name): documents(study, measure=measure, by=by, between=between, **options)
        for name, study in schemes.items()
    }
    return tabled(found, what=what, title=f"{measure}, {what}")


def tabled(found: Mapping[str, Mapping[Hashable, Found]], *, what: What = "value", title: str = "") -> Table:
    """A column for each scheme, a row for each of its documents, and min, mean, max and standard deviation."""
    names = list(dict.fromkeys(document for one in found.values() for document in one))
    columns: dict[str, list[Any]] = {"document": [*names, *SUMMARY]}
    for scheme, cells in found.items():
        entries = [getattr(cells[name], what) if name in cells else None for name in names]
        columns[scheme] = [*entries, *summary([entry for entry in entries if entry is not None])]
    foot = "A dash is undefined, an empty cell was not annotated; sd is that of a sample (n - 1)."
    return Table(columns, title, foot)


def documents(
    data: IntoAnnotations,
    *,
    measure: str = "gamma",
    by: str | Mapping[Any, Hashable] | None = None,
    between: tuple[Hashable, Hashable] | None = None,
    **options: Any,
) -> dict[Hashable, Found]:
    """The coefficient of each document by itself: of all its annotators, or between two groups of them."""
    study = as_annotations(data)
    compute = _measured(measure, options)
    sides: list[list[Hashable]] = []
    if by is not None and between is not None:
        people = members(study, by)
        for name in between:
            if name not in people:
                raise UnknownName(
                    f"there is no group {name!r}; there are {listing(people)}.{suggestion(str(name), map(str, people))}"
                )
        sides = [people[name] for name in between]
    found = {}
    for document in study.items:
        here = study.only(items=[document])
        if not sides:
            found[document] = Found.of(compute(here))
            continue
        there = {here.annotators[code] for code in np.unique(here.annotator).tolist()}
        some, others = ([who for who in side if who in there] for side in sides)
        pairs = list(_pairs(here, some, others, compute))
        if pairs:
            found[document] = _mean(pairs)
    return found


def summary(entries: Sequence[float]) -> list[float]:
    """Least, mean, largest and standard deviation of a sample; nan for what cannot be said."""
    numbers = [entry for entry in entries if not math.isnan(entry)]
    if not numbers:
        return [math.nan] * 4
    return [min(numbers), fmean(numbers), max(numbers), stdev(numbers) if len(numbers) > 1 else math.nan]


def members(study: Annotations, by: str | Mapping[Any, Hashable]) -> dict[Hashable, list[Hashable]]:
    """The annotators of each group."""
    if study.anonymous:
        raise KindError("groups are of annotators, and nobody knows who gave which value in this study")
    told = by if isinstance(by, Mapping) else _attribute(study, by)
    absent = [who for who in study.annotators if who not in told]
    if absent:
        raise DataError(f"{listing(absent)} belongs to no group; give every annotator one")
    found: dict[Hashable, list[Hashable]] = {}
    for who in study.annotators:
        found.setdefault(told[who], []).append(who)
    if len(found) < 2:
        raise DataError(f"there is one group of annotators, {listing(found)}, and between groups takes two")
    return found


def _attribute(study: Annotations, name: str) -> dict[Hashable, Hashable]:
    if name not in study.attributes:
        known = [str(one) for one in study.attributes]
        raise UnknownName(
            f"there is no column {name!r} to make groups of; "
            + (
                f"there are {listing(known)}.{suggestion(name, known)}"
                if known
                else "there is no further column."
            )
        )
    told: dict[Hashable, Hashable] = {}
    for code, group in zip(study.annotator.tolist(), study.attributes[name].tolist(), strict=True):
        who = study.annotators[code]
        if told.setdefault(who, group) != group:
            raise DataError(
                f"the column {name!r} makes groups of annotators, and {who!r} is in both {told[who]!r} and {group!r}"
            )
    return told


def _measured(name: str, options: Mapping[str, Any]) -> Callable[[Annotations], Agreement]:
    function: Callable[..., Agreement] = MEASURES[name]
    return lambda study: function(study, **options)


def _row(
    name: str, who: int, found: Found, ends: tuple[Any, Any], pairs: int | None = None
) -> dict[str, Any]:
    return {
        "comparison": name,
        "annotators": who,
        "pairs": pairs,
        "observed": found.observed,
        "expected": found.expected,
        "value": found.value,
        "lowest": ends[0],
        "highest": ends[1],
    }


def _within(name: str, study: Annotations, compute: Callable[[Annotations], Agreement]) -> dict[str, Any]:
    result = compute(study)
    interval = None if result.undefined else result.interval()
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return _row(name, len(study.annotators), Found.of(result), ends)


def _between(
    name: str,
    study: Annotations,
    some: Sequence[Hashable],
    others: Sequence[Hashable],
    compute: Callable[[Annotations], Agreement],
) -> dict[str, Any]:
    pairs = list(_pairs(study, some, others, compute))
    values = [pair.value for pair in pairs if not math.isnan(pair.value)]
    ends = min(values, default=math.nan), max(values, default=math.nan)
    return _row(name, len(some) + len(others), _mean(pairs), ends, len(values))


def _pairs(
    study: Annotations,
    some: Sequence[Hashable],
    others: Sequence[Hashable],
    compute: Callable[[Annotations], Agreement],
) -> Iterator[Found]:
    for one, other in product(some, others):
        yield Found.of(compute(study.only(annotators=[one, other])))


def _mean(pairs: Sequence[Found]) -> Found:
    """The mean of those that are defined; the observed disagreement of all that have one."""
    usable = [pair for pair in pairs if not math.isnan(pair.value)]
    seen = [pair.observed for pair in pairs if not math.isnan(pair.observed)]
    if not usable:
        why = next((pair.undefined for pair in pairs if pair.undefined), "no pair of annotators")
        return Found(math.nan, fmean(seen) if seen else math.nan, math.nan, why)
    value, expected = fmean(pair.value for pair in usable), fmean(pair.expected for pair in usable)
    return Found(value, fmean(pair.observed for pair in usable), expected)
