"""Numbers in a full table: every annotator's number for every item."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations, as_annotations
from interagree.data.provenance import Provenance
from interagree.data.types import IntoAnnotations
from interagree.data.values import number, numbers
from interagree.errors import KindError, listing
from interagree.results.agreement import Sizes
from interagree.stats.engine.weights import Observed, Weights
from interagree.stats.labels.counts import need_annotators


@dataclass(frozen=True)
class Matrix:
    """Items × annotators without gaps; items that somebody did not annotate are left out, and counted."""

    cells: Floats
    annotators: Sequence[Hashable]
    weights: Weights
    n: Sizes
    source: Annotations
    pattern: Indices
    provenance: Provenance
    incomplete: int
    paired: Floats | None = None
    unpaired: int = 0

    @classmethod
    def of(cls, data: IntoAnnotations, *, title: str) -> Matrix:
        """The full table of anything that holds annotations."""
        study = as_annotations(data)
        need_annotators(study, title)
        scale = scale_of(study, title)
        if study.occasion is not None:
            raise KindError(
                f"{title} takes one number from each annotator for each item, and here annotators repeat themselves; "
                "read the data with duplicates='first' or 'last'"
            )
        there = np.flatnonzero(np.bincount(study.annotator, minlength=len(study.annotators)))
        table = np.full((len(study.items), len(study.annotators)), np.nan)
        table[study.item, study.annotator] = scale[study.value]
        table = table[:, there]
        whole = ~np.isnan(table).any(axis=1)
        some = ~np.isnan(table).all(axis=1)
        cells = table[whole]
        return cls(
            cells,
            [study.annotators[code] for code in there.tolist()],
            Observed(np.ones(len(cells))),
            Sizes(len(cells), len(there), cells.size),
            study,
            np.where(whole, np.cumsum(whole) - 1, -1),
            study.provenance,
            int((some & ~whole).sum()),
        )

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return max(self.cells.size, 1)

    def weighted(self, weights: Weights) -> Matrix:
        """The same table, counted otherwise."""
        made = replace(self, weights=weights)
        made.__dict__.update({name: self.__dict__[name] for name in ("centred",) if name in self.__dict__})
        return made

    @cached_property
    def centred(self) -> Floats:
        """The numbers less one of them, since sums of squares of large numbers lose digits."""
        return self.cells - self.cells[0, 0] if self.cells.size else self.cells

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        if not self.incomplete:
            return ()
        s = "s" if self.incomplete > 1 else ""
        said = (
            f"{self.incomplete:,} item{s} that not every annotator annotated {'were' if s else 'was'} left out; "
            "alpha with distance='interval' takes all annotations"
        )
        return (said,)

    @property
    def undefined(self) -> str | None:
        """Why there is no number, where the table is too small for any."""
        if not self.n.annotations and not self.incomplete:
            return "there are no annotations"
        if len(self.annotators) < 2:
            return "there is only one annotator, so there is nobody to agree with"
        if not len(self.cells):
            return "no item was annotated by every annotator; alpha with distance='interval' takes all annotations"
        return "only one item was annotated by every annotator" if len(self.cells) < 2 else None


def scale_of(study: Annotations, title: str) -> Floats:
    """The values of a study as numbers; places 1, 2, 3, … where they are words in a stated order."""
    found = numbers(study.values)
    if found is not None:
        return np.array(found)
    if study.in_order:
        return np.arange(1.0, len(study.values) + 1)
    odd = [value for value in study.values if number(value) is None]
    raise KindError(
        f"{title} is for numbers, and {listing(odd, most=3)} {'is' if len(odd) == 1 else 'are'} none; pass values=[…] "
        "from lowest to highest if the values have an order, or take a coefficient for labels, such as alpha"
    )
