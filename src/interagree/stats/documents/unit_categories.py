"""How far apart the categories of units are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Floats
from interagree.declare import Distance
from interagree.errors import Hint, KindError, UnknownName, listing
from interagree.stats.documents.unit_documents import Label, UnitDocuments

CategoryTable = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """How far apart categories are, between 0 and 1."""

    labels: tuple[Label, ...]
    table: Floats
    title: str = "nominal"

    @classmethod
    def of(
        cls,
        documents: UnitDocuments,
        distance: Distance | CategoryTable | Categories | None,
        order: Sequence[str] | str | None = None,
    ) -> Categories:
        """The table of the categories of a study.

        Distances that are never above 1, and tables within it, are taken as they are; others are divided by the
        largest one among the categories.  Having no category is as far as can be from having any.

        Args:
            documents: The documents, with their categories and how often each occurs.
            distance: Between the labels; a table by names, ``{"A": {"B": 0.5}}``; None where different is different.
            order: All categories, from the lowest to the highest, or in the order of the rows of a table; as a list,
                or in one string with commas.
        """
        if isinstance(distance, Categories):
            return distance
        named = [label for label in documents.labels if label is not None]
        if order is not None:
            listed = [name.strip() for name in order.split(",")] if isinstance(order, str) else list(order)
            absent = [label for label in named if label not in listed]
            if absent:
                raise UnknownName(
                    f"order= names all categories, and lacks {listing(absent)} (it has {listing(listed)})"
                )
            named = listed
        if order is not None and distance is None:
            hint = Hint("categories", "ordinal")
            raise KindError(
                f"order= puts categories in order for a distance that needs one; give it, as in {hint}", hints=[hint]
            )
        if distance is None or (isinstance(distance, Distance) and distance.equality):
            return cls(documents.labels, 1.0 - np.eye(len(documents.labels)))
        title = "given" if isinstance(distance, Mapping) else str(distance)
        table = (
            _by_name(distance, named)
            if isinstance(distance, Mapping)
            else _by_distance(distance, named, ordered=order is not None, documents=documents)
        )
        padded = np.ones((len(named) + 1, len(named) + 1))
        padded[-1, -1] = 0.0
        padded[:-1, :-1] = table
        place = [len(named) if label is None else named.index(label) for label in documents.labels]
        return cls(documents.labels, padded[np.ix_(place, place)], title)

    def on(self, labels: Sequence[Label]) -> Floats:
        """The table of some of the categories."""
        if tuple(labels) == self.labels:
            return self.table
        place = [self.labels.index(label) for label in labels]
        return self.table[np.ix_(place, place)]


def _by_name(given: CategoryTable, named: Sequence[str]) -> Floats:
    """A table by names; an entry may stand in either direction."""
    table = np.zeros((len(named), len(named)))
    for i, a in enumerate(named):
        for j, b in enumerate(named[:i]):
            entries = {float(row[y]) for x, y in ((a, b), (b, a)) if y in (row := given.get(x, {}))}
            if len(entries) != 1:
                what = "two different distances" if entries else "no distance"
                raise KindError(
                    f"categories= has {what} of {a!r} and {b!r}; give one, such as {{{a!r}: {{{b!r}: 0.5}}}}"
                )
            table[i, j] = table[j, i] = entries.pop()
    return _scaled(table, bounded=bool((table <= 1).all()))


def _by_distance(distance: Distance, named: Sequence[str], *, ordered: bool, documents: UnitDocuments) -> Floats:
    often = {label: float(count) for label, count in zip(documents.labels, documents.counts, strict=True)}
    counts = np.array([often.get(label, 0.0) for label in named])
    values: Sequence[str] | Sequence[float] = named
    if not ordered and distance.of in ("numbers", "scale"):
        values = _numbers(named) or named
    if len(named) < 2 and distance.table is None:
        return np.zeros((len(named), len(named)))
    try:
        table = distance.among(values, counts, ordered=ordered)
    except KindError as error:
        raise KindError(str(error).replace("values=[…]", "order=[…]")) from None
    within = distance.bounded or (distance.pair is not None and bool((table <= 1).all()))
    return _scaled(table, bounded=within)


def _numbers(named: Sequence[str]) -> list[float] | None:
    """Labels that spell numbers as numbers."""
    try:
        values = [float(label) for label in named]
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _scaled(table: Floats, *, bounded: bool) -> Floats:
    most = float(table.max(initial=0.0))
    if (table < 0).any() or not np.isfinite(table).all():
        raise KindError("the distances of categories must be finite, and none below 0")
    return table if bounded or most == 0 else table / most
