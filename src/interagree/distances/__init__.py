"""How far apart two values are: one module per distance, named as it is called."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from interagree.arrays import Floats
from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.data.types import IntoAnnotations, Lazy, Value
from interagree.data.values import ALL_VALUES, as_numbers, numbers
from interagree.declare import Distance
from interagree.errors import Advice, Hint, KindError, UnknownName, Wording, listing, suggestion
from interagree.errors.options import shown
from interagree.errors.plain import entries
from interagree.kinds import recognised
from interagree.plugins import DISTANCES
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.distance_table import DistanceTable, ValueScale
from interagree.stats.pairs.item_pairs import Pairs
from interagree.stats.pairs.study_distances import Weighting

# Gwet's agreement weights, each one minus a distance divided by its largest value.
WEIGHTS = {
    "identity": "nominal",
    "linear": "linear",
    "quadratic": "interval",
    "ordinal": "gwet_ordinal",
    "radical": "radical",
    "ratio": "ratio",
    "circular": "circular",
    "bipolar": "polar",
}
IRR = {"unweighted": "identity", "equal": "linear", "squared": "quadratic"}  # what R's irr calls them

IntoDistance = str | Distance | Callable[[Any, Any], float] | ArrayLike


IntoWeights = str | ArrayLike


def find(distance: IntoDistance, **given: object) -> Distance:
    """The distance that is meant.

    Args:
        distance: A name (``"interval"``), a name with its parameters (``"circular:period=24"``), a `Distance`, a
            function of two values, or a square table of distances in the order of the values.
        given: Parameters such as ``period=24``.
    """
    if isinstance(distance, str):
        name, _, spelled = distance.partition(":")
        chosen: Distance = DISTANCES[name]
        given = {**_parameters(distance, spelled), **given} if spelled else given
    elif isinstance(distance, Distance):
        chosen = distance
    elif callable(distance):
        chosen = Distance(getattr(distance, "__name__", "distance"), pair=Checked.of(distance))
    else:
        chosen = _matrix(as_numbers(distance, "a table of distances"), "distances")
    return chosen.with_(**given) if given else chosen


def each(distances: IntoDistance | Iterable[IntoDistance]) -> list[IntoDistance]:
    """The distances of a list; a single one, which may be a table, as a list of one."""
    table = getattr(distances, "ndim", 1) != 1
    if isinstance(distances, str) or callable(distances) or table or not isinstance(distances, Iterable):
        return [cast("IntoDistance", distances)]
    return [*entries(distances)]


@dataclass(frozen=True, slots=True)
class Checked:
    """A distance of a user's own, which must give numbers."""

    function: Callable[[Any, Any], float]

    @classmethod
    def of(cls, function: Callable[[Any, Any], float]) -> Checked:
        """The function, which must take two values."""
        if isinstance(function, type):  # int and float are called with one value
            raise KindError(f"a distance is a function of two values, not {shown(function)}")
        try:
            inspect.signature(function).bind(None, None)
        except ValueError:  # a function without a signature, of another language
            pass
        except TypeError:
            raise KindError(f"a distance is a function of two values, not {shown(function)}") from None
        return cls(function)

    def __call__(self, a: Value, b: Value) -> float:
        far = self.function(a, b)
        try:
            number = float(far)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            called = getattr(self.function, "__name__", "distance")
            raise KindError(
                f"a distance is a number, and a finite one, and {called} of {a!r} and {b!r} is {shown(far)}"
            )
        return number


def _parameters(spec: str, spelled: str) -> dict[str, float | str]:
    parameters: dict[str, float | str] = {}
    for part in filter(None, spelled.split(",")):
        name, equals, given = (piece.strip() for piece in part.partition("="))
        if not equals or not given or "=" in given:
            raise KindError(
                "parameters of a distance are written as in 'circular:period=24', 'polar:low=1,high=7' or "
                f"'iou:matching=minima'; got {spec!r}"
            )
        try:
            parameters[name] = float(given)
        except ValueError:
            parameters[name] = given
    return parameters


def _matrix(table: Floats, what: str) -> Distance:
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise KindError(f"a table of {what} has a row and a column for each value, got an array of shape {table.shape}")
    if not np.isfinite(table).all() or not np.allclose(table, table.T) or np.diag(table).any() or (table < 0).any():
        raise KindError(
            f"a table of {what} must be symmetric and finite, with distance 0 from each value to itself and none "
            "below 0; check the order of its rows and columns"
        )

    def given(values: Sequence[Value]) -> Floats:
        if len(values) != len(table):
            raise KindError(
                f"the table of {what} is for {len(table)} values, and the study has {len(values)} "
                f"({listing(values)}); declare {ALL_VALUES} in the order of the table",
                hints=[ALL_VALUES],
            )
        return table

    off_diagonal = table[~np.eye(len(table), dtype=bool)]
    return Distance(
        f"given {what}",
        table=given,
        bounded=bool((table <= 1).all()),
        ordered=bool(off_diagonal.size and (off_diagonal != off_diagonal[0]).any()),  # else any order gives the same
    )


def weighing(weights: IntoWeights) -> Callable[[ValueScale], DistanceTable]:
    """How the distance behind agreement weights lies on the values of a statistic.

    Args:
        weights: One of Gwet's names, or a square table of weights with ones on its diagonal.
    """
    if not isinstance(weights, str):
        table = _matrix(1 - as_numbers(weights, "a table of weights"), "weights")
        return lambda on: DistanceTable(table, on.values, in_order=on.in_order)
    weights = IRR.get(weights, weights)
    if weights not in WEIGHTS:
        raise UnknownName(
            f"no weights are called {weights!r}.{suggestion(weights, WEIGHTS)} (known: {listing(WEIGHTS, quote=False)})"
        )
    distance: Distance = DISTANCES[WEIGHTS[weights]]
    if not distance.parameters:
        return lambda on: DistanceTable(distance, on.values, in_order=on.in_order, scaled=True)

    def on_its_scale(on: ValueScale) -> DistanceTable:
        scale = numbers(on.values) or [float(place) for place in range(1, len(on.values) + 1)]
        low, high = min(scale, default=0.0), max(scale, default=0.0)
        given = {"period": high - low + 1} if weights == "circular" else {"low": low, "high": high}
        if low == high:
            return DistanceTable(DISTANCES["nominal"], on.values, in_order=on.in_order)
        return DistanceTable(distance.with_(**given), on.values, in_order=on.in_order, scaled=True)

    return on_its_scale


def usual(data: IntoAnnotations | Counts) -> Distance:
    """The distance that suits the level of the values: the one decision where nobody gave a distance."""
    if isinstance(data, Annotations | Counts):
        return find(data.level.distance)
    if isinstance(data, Lazy):
        taken = recognised(data.values, ordered=data.ordered or None, stated=data.in_order)
        return find(taken.kind.distance)
    return find(as_annotations(data).level.distance)


def taken_as(study: Annotations | Counts, distance: Distance) -> tuple[str, ...]:
    """What to say where nobody gave a distance and the usual one was taken; nothing for plain labels."""
    kind, doubt, because = study.recognised
    if doubt is not None:
        taken = f"the values are {because} and were taken as labels"
        return (Advice.of(f"{taken}; ", Hint("distance", "ordinal"), " compares them as an ordered scale"),)
    if distance.equality:
        return ()
    return (f"the values were taken as {kind} and compared by the {distance.name} distance",)


class PairsOptions(TypedDict, total=False):
    """How pairs are weighed and sampled; `Pairs.of` explains each."""

    weighting: Weighting
    precision: float
    seed: int
    same_annotator: bool


def pairs_of(
    data: IntoAnnotations, distance: IntoDistance | None, **options: Unpack[PairsOptions]
) -> tuple[Pairs, tuple[str, ...]]:
    """The pairs of a study under a distance, by default the usual one, and what to say about that choice."""
    study = as_annotations(data)
    if distance is not None:
        return Pairs.of(study, find(distance), **options), ()
    suited = usual(study)
    return Pairs.of(study, suited, **options), taken_as(study, suited)


class ComparisonOptions(ReadingOptions, total=False):
    """How values are compared, and how data are read: the keywords of measures that have no others.

    ``@measure`` shows ``**comparison`` as ``distance=None, weights=None, **reading``.
    """

    distance: IntoDistance | None
    weights: IntoWeights | None


def compared(comparison: ComparisonOptions, *, scaled: bool = False) -> Callable[[ValueScale], DistanceTable]:
    """How the distance or the weights of a call lie on values, see `on_values`."""
    return on_values(comparison.get("distance"), comparison.get("weights"), scaled=scaled)


def on_values(
    distance: IntoDistance | None, weights: IntoWeights | None, *, scaled: bool = False
) -> Callable[[ValueScale], DistanceTable]:
    """How a distance, or the distance behind weights, lies on the values of a statistic or a study.

    With ``scaled`` a distance is divided by its largest value, for coefficients that need it bounded.
    """
    if distance is not None and weights is not None:
        raise KindError(
            Advice.of(
                Wording("distance=", "--distance"),
                " and ",
                Wording("weights=", "--weights"),
                " are two ways to say how far apart values are; give one of them",
            )
        )
    if weights is not None:
        return weighing(weights)
    chosen = find("nominal" if distance is None else distance)
    return lambda on: DistanceTable(chosen, on.values, in_order=on.in_order, scaled=scaled and not chosen.equality)
