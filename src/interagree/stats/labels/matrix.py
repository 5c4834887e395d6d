"""Numbers in a table of items and annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.types import Annotator, IntoAnnotations
from interagree.data.values import number, numbers
from interagree.errors import Advice, Hint, KindError, OneOf, listing
from interagree.results.agreement import Sizes
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.labels.counts import annotations_of, need_annotators
from interagree.stats.labels.distance_table import DistanceTable
from interagree.stats.labels.labelled import Labels, OnValues
from interagree.stats.labels.made_up import made_up, room_for

ALL_ANNOTATIONS = Advice.of("alpha with ", Hint("distance", "interval"), " takes all annotations")


class OnNumbers(Labels):
    """A statistic of the numbers of a study, two of which differ by their squared difference."""

    source: Annotations
    annotators: Sequence[Annotator]
    on_values: OnValues  # how far apart two numbers are, for the drill-down

    @property
    def bounded(self) -> bool:
        """Squared differences have no largest value."""
        return False

    @cached_property
    def distances(self) -> DistanceTable:
        return self.on_values(self.source)

    def distance_table(self) -> DistanceTable:
        return self.distances

    def nobody(self) -> str | None:
        """Why there is nothing to compare; None where two annotators gave numbers."""
        if not len(self.source):
            return "there are no annotations"
        if len(self.annotators) < 2:
            return "there is only one annotator, so there is nobody to agree with"
        return None


@dataclass(frozen=True)
class Matrix(OnNumbers):
    """Items × annotators without gaps; items that somebody did not annotate are left out, and counted.

    A kind of table that can do with gaps, which are nan, keeps all items with two annotations or more.
    """

    with_gaps: ClassVar[bool] = False
    cells: Floats
    annotators: Sequence[Annotator]
    weights: Weights
    n: Sizes
    source: Annotations
    pattern: Indices
    incomplete: int
    on_values: OnValues  # how far apart two numbers are, for the drill-down

    @classmethod
    def of(cls, data: IntoAnnotations, on_values: OnValues, *, title: str) -> Self:
        """The full table of anything that holds annotations."""
        study = annotations_of(data)
        need_annotators(study, title)
        scale = scale_of(study, title)
        if study.occasion is not None:
            raise KindError(
                Advice.of(
                    f"{title} takes one number from each annotator for each item, and here annotators repeat "
                    "themselves; read the data with ",
                    Hint("duplicates", OneOf(("first", "last"))),
                )
            )
        there = np.flatnonzero(np.bincount(study.annotator, minlength=len(study.annotators)))
        table = np.full((len(study.items), len(study.annotators)), np.nan)
        table[study.item, study.annotator] = scale[study.value]
        table = table[:, there]
        size = np.count_nonzero(~np.isnan(table), axis=1)
        whole = size >= (2 if cls.with_gaps else max(table.shape[1], 1))
        cells = table[whole]
        return cls(
            cells,
            [study.annotators[code] for code in there.tolist()],
            Observed(np.ones(len(cells))),
            Sizes(len(cells), len(there), int(size[whole].sum())),
            study,
            np.where(whole, np.cumsum(whole) - 1, -1),
            int(((size > 0) & (size < table.shape[1])).sum()),
            on_values,
        )

    @property
    def width(self) -> int:
        return max(self.cells.size, 1)

    def smoothed(self) -> Self | None:
        """The table with made-up items that all annotators annotated, every other one as the first."""
        scale = scale_of(self.source, "")
        if not room_for(self.cells, len(scale)):
            return None
        made = made_up(len(scale))
        odd = np.arange(self.cells.shape[1]) % 2 == 0
        given = np.where(odd, scale[made.first][:, None], scale[made.second][:, None])
        weights = Observed(np.r_[self.weights.matrix(), made.times])
        return replace(self, cells=np.vstack([self.cells, given]), weights=weights)

    @cached_property
    def centred(self) -> Floats:
        """The numbers less one of them, since sums of squares of large numbers lose digits."""
        return self.cells - self.cells[0, 0] if self.cells.size else self.cells

    def notes(self) -> Sequence[str]:
        if not self.incomplete:
            return ()
        items = "items that not every annotator annotated were"
        if self.incomplete == 1:
            items = "item that not every annotator annotated was"
        return (Advice.of(f"{self.incomplete:,} {items} left out; ", ALL_ANNOTATIONS),)

    def undefined(self) -> str | None:
        """Why there is no number, where the table is too small for any."""
        if (nobody := self.nobody()) is not None:
            return nobody
        if not len(self.cells):
            return Advice.of("no item was annotated by every annotator; ", ALL_ANNOTATIONS)
        return "only one item was annotated by every annotator" if len(self.cells) < 2 else None


def is_full(study: Annotations) -> bool:
    """Whether every annotator gave one number to every item, or there is nothing."""
    items = int(np.count_nonzero(study.sizes()))
    people = int(np.count_nonzero(np.bincount(study.annotator, minlength=len(study.annotators))))
    return study.occasion is None and len(study) == items * people


def scale_of(study: Annotations, title: str) -> Floats:
    """The values of a study as numbers; places 1, 2, 3, … where they are words in a stated order."""
    scale = numbers(study.values)
    if scale is not None:
        return np.array(scale)
    if study.in_order:
        return np.arange(1.0, len(study.values) + 1)
    odd = [value for value in study.values if number(value) is None]
    raise KindError(
        Advice.of(
            f"{title} is for numbers, and {listing(odd, most=3)} {'is' if len(odd) == 1 else 'are'} none; pass ",
            Hint("values", [...]),
            " from lowest to highest if the values have an order, or take a coefficient for labels, such as alpha",
        )
    )
