"""What a coefficient is computed from, and what it can tell about itself.

A statistic folds items that look alike into patterns, and counts them by weights.  The engine reweighs it to find
errors (`weights`), and asks it for everything else a result says: notes, why there is no number, further quantities,
and where the disagreement is.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.data import Annotations
from interagree.data.levels import Level
from interagree.data.provenance import Provenance
from interagree.data.types import Value
from interagree.results.agreement import Interval, Parts, Sizes
from interagree.stats.engine.compress import Rows, in_groups
from interagree.stats.engine.value import ratio
from interagree.stats.engine.weights import Observed, Weights
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.stats.engine.measured import Measured


class DrillDown(Protocol):
    """Where the disagreement is."""

    def by_item(self) -> Table:
        """The disagreement of each item."""

    def by_annotator(self) -> Table:
        """The coefficient without each annotator, and each one's agreement with the rest."""

    def by_value(self) -> Table:
        """The coefficient of each value against the rest."""

    def by_pair(self) -> Table:
        """The coefficient of each two annotators alone."""

    def left_out(self) -> Mapping[Hashable, float]:
        """For each annotator the coefficient of the study without them."""

    def largest(self) -> float | None:
        """The largest disagreement that two annotations can have; None where that is not known."""


class Statistic(Protocol):
    """What the engine needs to know.  `BaseStatistic` has a sensible answer for most of it."""

    @property
    def n(self) -> Sizes:
        """How much data there is."""

    @property
    def source(self) -> Annotations | None:
        """The annotations behind it; None for a table that stays in its database."""

    @property
    def level(self) -> Level | None:
        """On which level the values are measured; None where nobody knows."""

    @property
    def provenance(self) -> Provenance:
        """Where the data came from."""

    @property
    def weights(self) -> Weights:
        """How often each pattern counts."""

    @property
    def pattern(self) -> Indices | None:
        """The pattern of each item of the source, -1 where it does not count; None where that is not known."""

    @property
    def paired(self) -> Floats | None:
        """1 for the patterns with two annotations or more, 0 for the others; None where all have."""

    @property
    def unpaired(self) -> int:
        """How many items were left out because they have one annotation."""

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""

    @property
    def bounded(self) -> bool:
        """Whether no disagreement is above one, so that one minus it is an agreement."""

    def possible_values(self) -> Sequence[Value]:
        """The values that could have been given."""

    def weighted(self, weights: Weights) -> Self:
        """The same patterns, counted otherwise."""

    def grouped(self, group: Array) -> Self | None:
        """The same with groups of items as what is resampled; None where sums over the patterns of a group will do.

        ``group`` is the group of each item of the source.
        """

    def smoothed(self) -> Self | None:
        """The same with made-up items that weigh little more than one item in all; None where there are none."""

    def ordered(self) -> bool:
        """Whether the order of patterns is that of what they hold, and so does not depend on the order of rows."""

    def notes(self) -> Sequence[str]:
        """What was left out or assumed."""

    def undefined(self) -> str | None:
        """Why there is no coefficient, where the statistic knows; None where the engine is to find out."""

    def cannot_differ(self) -> str | None:
        """Why chance could not have disagreed, where it is not that all annotations have the same value."""

    def details(self) -> Mapping[str, object]:
        """Further quantities, computed when they are asked for."""

    def options(self) -> Mapping[str, object]:
        """What options were taken to be, where a result names them otherwise than the caller did."""

    def notes_on_options(self, measured: Measured[Self]) -> Sequence[str]:
        """What to say once the options are known, such as what the values as a scale would give."""

    def drill(self, measured: Measured[Self]) -> DrillDown:
        """Where the disagreement is."""


S = TypeVar("S", bound=Statistic)
T = TypeVar("T")


@dataclass(frozen=True)
class Published(Generic[S]):
    """What the papers behind a measure give beyond the ratio of two disagreements."""

    linear: Callable[[S], Parts] | None = None
    """The parts to take the derivative of, where the published error is that of another form."""
    influence: Callable[[S], Floats] | None = None
    """The influence of each pattern, where it is known in closed form."""
    interval: Callable[[S, float], Interval | None] | None = None
    """The interval of a given level, for those who ask for it by name (``method="analytic"``)."""
    only: bool = False
    """Whether no other interval can be made, so that this one is the default."""
    errors: Mapping[str, Callable[[S], tuple[float, float]]] = field(default_factory=dict)
    """Standard errors and their degrees of freedom, by what is random: "items", "annotators", "both", "labels"."""
    null_error: Callable[[S], float] | None = None
    """The standard error if there were no agreement."""
    p_value: Callable[[S], float | None] | None = None
    """The test against no agreement, where it is not that of value / error."""
    one_tailed: bool = False
    """Whether that test has one tail, as those of F and χ² have."""
    logit: bool = False
    """Whether the interval is made on the logit scale, for a coefficient between 0 and 1."""
    details: Callable[[S], Mapping[str, object]] | None = None
    """Further quantities, such as the mean squares behind an intraclass correlation."""


class BaseStatistic:
    """What most statistics answer, so that each states only what differs.

    A dataclass that has one of these properties as a field must give the field a default of its own: dataclasses take
    the inherited property for one.
    """

    @property
    def level(self: Statistic) -> Level | None:
        return None if self.source is None else self.source.level

    @property
    def provenance(self: Statistic) -> Provenance:
        return Provenance() if self.source is None else self.source.provenance

    def possible_values(self: Statistic) -> Sequence[Value]:
        return () if self.source is None else self.source.values

    @property
    def paired(self) -> Floats | None:
        return None

    @property
    def unpaired(self) -> int:
        return 0

    @property
    def bounded(self) -> bool:
        return True

    def weighted(self, weights: Weights) -> Self:
        """The same patterns, counted otherwise; what is cached must not depend on the weights."""
        return reweighted(self, weights)

    def grouped(self, group: Array) -> Self | None:  # noqa: ARG002 -- a statistic that can be grouped looks at it
        return None

    def smoothed(self) -> Self | None:
        return None

    def ordered(self) -> bool:
        """Whether the order of patterns does not depend on the order of rows."""
        return False

    def notes(self: Statistic) -> Sequence[str]:
        return unpaired_notes(self)

    def undefined(self) -> str | None:
        return None

    def cannot_differ(self) -> str | None:
        return None

    def details(self) -> Mapping[str, object]:
        return {}

    def options(self) -> Mapping[str, object]:
        return {}

    def notes_on_options(self, measured: Measured[Any]) -> Sequence[str]:  # noqa: ARG002 -- labels look at it
        """What to say once the options are known."""
        return ()


def reweighted(statistic: T, weights: Weights) -> T:
    """A statistic with other weights, and all that it has cached."""
    made = copy.copy(statistic)
    object.__setattr__(made, "weights", weights)  # it is frozen for everybody else
    return made


def unpaired_notes(statistic: Statistic) -> list[str]:
    """What became of the items with one annotation."""
    alone = 0 if statistic.paired is None else int(statistic.weights.sum(1 - statistic.paired))
    fates = (
        (statistic.unpaired, "was left out", "were left out"),
        (alone, "counts towards chance alone", "count towards chance alone"),
    )
    return [
        f"{count:,} item{'s' if count > 1 else ''} with one annotation {several if count > 1 else single}"
        for count, single, several in fates
        if count
    ]


@dataclass(frozen=True, kw_only=True)
class ItemSums(BaseStatistic):
    """A coefficient of sums over items: a row of numbers for each pattern, summed as the weights say, then scored.

    A subclass gives `parts`, the disagreements as a function of `sums`; resampling computes nothing else again.
    """

    source: Annotations
    features: Rows  # patterns × what is summed
    weights: Weights
    pattern: Indices
    n: Sizes
    unpaired: int = 0

    @abstractmethod
    def parts(self) -> Parts:
        """The observed and the expected disagreement, from the sums."""

    def sums(self) -> Array:
        """The sums of all columns, columns along the last axis."""
        return np.asarray(self.weights.sum(self.features))

    @property
    def width(self) -> int:
        return int(self.features.shape[1])

    @property
    def value(self) -> float:
        """The coefficient; nan where it is undefined."""
        with np.errstate(all="ignore"):
            return float(np.real(ratio(self.parts())))

    def grouped(self, group: Array) -> Self:
        """The same items, with groups of them to be resampled."""
        members, pattern = in_groups(self.pattern, group)
        weights = Observed(np.ones(members.shape[0]))
        return replace(self, features=members @ self.features, pattern=pattern, weights=weights)
