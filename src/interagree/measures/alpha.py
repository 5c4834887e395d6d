r"""Krippendorff's alpha.

$$\alpha = 1 - \frac{D_o}{D_e}$$

Disagreement is the mean distance of two annotations: of one item for $D_o$, of any two annotations, drawn
without putting the first one back, for $D_e$.  An item counts once for each of its annotations; an item
with a single one cannot be compared and is left out of both.

Any distance will do: nominal, ordinal, interval, ratio, circular and polar are Krippendorff's own; sets
take ``jaccard`` or ``masi``. Numeric scales may have any number of distinct values: ordinal, interval and
circular alpha need a few sums per item, and no table.

Beware of two things called ordinal: ``distance="ordinal"`` is Krippendorff's, which looks at how often
values occur; ``weights="ordinal"`` is Gwet's, which does not (0.815 and 0.834 on Krippendorff's own
example).

The standard error is Gwet's (2014), as corrected in version 1.4 of his R package irrCAC: that of alpha with
the first annotation put back, over the items with two annotations or more.

Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage. Chapter 11.
"""

from __future__ import annotations

from typing import Any

from interagree.data import Annotations, as_annotations
from interagree.declare import Distance, measure
from interagree.distances import IntoDistance, find, lay_out
from interagree.results import Agreement, Parts
from interagree.stats.chance import one_urn_per_annotation
from interagree.stats.counts import Counts, per_annotation
from interagree.stats.estimate import estimate
from interagree.stats.moments import Numeric

MANY = 40  # distinct values above which a numeric scale is summed and not tabulated


@measure(
    "Krippendorff's alpha",
    symbol="α",
    reference="krippendorff2004",
    chance="one urn, without putting back",
    doubling=False,
)
def alpha(data: Any, *, distance: IntoDistance | None = None, weights: str | Any | None = None) -> Agreement:
    """Krippendorff's alpha under a distance of your choice, nominal by default.

    Args:
        data: A study, or anything `Annotations.of` takes.
        distance: How far apart values are: a name (``"ordinal"``, ``"circular:period=24"``), a function of two
            values, or a table.
        weights: Gwet's agreement weights, by name or as a table; the other way to give a distance.
    """
    on = lay_out(distance, weights)
    call = {"distance": distance, "weights": weights}
    found = None if weights is not None else find("nominal" if distance is None else distance)
    if found is not None and not isinstance(data, Counts) and not hasattr(data, "patterns"):
        data = as_annotations(data)
        if _summed(found, data):
            return _on_sums(data, found, call)
    counts = Counts.of(data).at_least(2)
    spread = on(counts)

    def parts(c: Counts, *, back: bool = False) -> Parts:
        return Parts(c.disagreement(spread, per_annotation), one_urn_per_annotation(c, spread, back=back))

    return estimate(
        alpha,
        counts,
        parts,
        linear=lambda c: parts(c, back=True),
        lay_out=on,
        call=call,
        show={**call, "bounded": spread.bounded},
    )


def _summed(distance: Distance, study: Annotations) -> bool:
    """Whether to sum over annotations and not over pairs of values."""
    numeric = distance.embed is not None or distance.pairs is not None or distance.pair is not None
    return len(study.values) > MANY and numeric and not distance.equality


def _on_sums(study: Annotations, distance: Distance, call: dict[str, Any]) -> Agreement:
    numeric = Numeric.of(study, distance)
    return estimate(
        alpha,
        numeric,
        lambda m: m.parts(),
        linear=lambda m: m.parts(back=True),
        influence=numeric.rank_influence if distance.counted else None,
        lay_out=lay_out(**call),
        call=call,
        show={**call, "bounded": distance.bounded},
    )
