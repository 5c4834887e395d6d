r"""Krippendorff's alpha.

$$\alpha = 1 - \frac{D_o}{D_e}$$

Disagreement is the mean distance of two annotations: of one item for $D_o$, of any two annotations, drawn
without putting the first one back, for $D_e$.  An item counts once for each of its annotations; an item
with a single one cannot be compared and is left out of both.

Where none is given, values are the same or not (the nominal distance), complex values excepted.  Where they are
numbers or stand in a declared order, a note says what the interval or the ordinal distance gives; and so it does for
few whole numbers, which may be codes or the steps of a scale.

Any distance will do: nominal, ordinal, interval, ratio, circular and polar are Krippendorff's own; sets
take ``jaccard`` or ``masi``. Numeric scales may have any number of distinct values: ordinal, interval and
circular alpha need a few sums per item, and no table.

Beware of two things called ordinal: ``distance="ordinal"`` is Krippendorff's, which looks at how often
values occur; ``weights="ordinal"`` is Gwet's, which does not (0.815 and 0.834 on Krippendorff's own
example).

Complex values (boxes, spans, text, rankings, trees …) are compared by a distance of their kind, and by the usual one
where none is given.  An item then counts once for each of its annotations as it always does; pairs of one annotator's
repeated judgements are left out of what is observed; and chance is exact wherever algebra or the number of pairs
allows, else sampled, which a note says.

The standard error is Gwet's (2014), as corrected in version 1.4 of his R package irrCAC: that of alpha with
the first annotation put back, over the items with two annotations or more.

Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage. Chapter 11.
"""

from __future__ import annotations

from typing import Any, Unpack

from interagree.arrays import Floats
from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.declare import Distance, measure
from interagree.distances import IntoDistance, find, lay_out, pairs_of
from interagree.plugins import KINDS
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import one_urn_per_annotation
from interagree.stats.labels.counts import Counts, per_annotation
from interagree.stats.labels.moments import Numeric
from interagree.stats.pairs.item_pairs import Pairs

SCALE = {"ordered": {"distance": "ordinal"}, "numbers": {"distance": "interval"}}
MANY = 40  # distinct values above which a numeric scale is summed and not tabulated


@measure(
    "Krippendorff's alpha",
    symbol="α",
    reference="krippendorff2004",
    chance="one urn, without putting back",
    doubling=False,
    aliases=("krippendorff_alpha", "krippendorff", "krippendorffs_alpha", "kripp_alpha"),
)
def alpha(
    data: Any,
    *others: Any,
    distance: IntoDistance | None = None,
    weights: str | Any | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Krippendorff's alpha under a distance of your choice, nominal by default.

    Args:
        data: A study, or anything `Annotations.of` takes.
        distance: How far apart values are: a name (``"ordinal"``, ``"circular:period=24"``), a function of two
            values, or a table.
        weights: Gwet's agreement weights, by name or as a table; the other way to give a distance.

    Example:
        >>> import interagree as ia
        >>> ann = ["yes", "no", "yes", "no", "no", "yes"]
        >>> bo = ["yes", "no", "no", "no", "no", "yes"]
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.alpha(ann, bo, cy))
        α = 0.543, 95% interval -0.168 to 1.000 (6 items, 3 annotators)
    """
    on = lay_out(distance, weights)
    call = {"distance": distance, "weights": weights}
    if (
        weights is None
        and distance is not None
        and hasattr(data, "patterns")
        and _summed(find(distance), data)
    ):
        data = data.collect()  # a table of pairs of values would be far larger than the rows themselves
    if weights is None and not isinstance(data, Counts) and not hasattr(data, "patterns"):
        data = as_annotations(data)
        if distance is None and data.kind in KINDS:
            return _on_pairs(*pairs_of(data, None, weighting="annotations"))
        found = find("nominal" if distance is None else distance)
        if _paired(found, data):
            simple = not found.kinds and data.kind not in KINDS
            pairs, said = pairs_of(data, found, weighting="annotations", same_annotator=simple)
            return _on_pairs(pairs, said)
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
        scale=SCALE,
    )


def _paired(distance: Distance, study: Annotations) -> bool:
    """Whether to compare annotations pair by pair, and not by a table of all values.

    Repeated judgements of simple values are annotations like any other, and those of complex values are left out; that
    must not depend on how many values there are.
    """
    if distance.kinds:
        return True
    if distance.pair is None or distance.of != "any":
        return False
    size = len(study.values)
    if study.occasion is None:
        return size > MANY
    small = distance.equality or size * (size - 1) // 2 <= distance.most
    return study.kind in KINDS or not small


def _on_pairs(pairs: Pairs, remarks: tuple[str, ...]) -> Agreement:
    published = Published[Pairs](linear=lambda p: _parts_of_pairs(p, back=True), details=_error_by_sampling)
    return estimate(alpha, pairs.scored(_score, remarks=remarks, of_mean=True), _parts_of_pairs, published)


def _parts_of_pairs(pairs: Pairs, *, back: bool = False) -> Parts:
    size, within, total = pairs.means()
    return Parts(within, total / (size * (size if back else size - 1)))


def _score(pairs: Pairs, far: Floats) -> Floats:
    scores: Floats = 1 - far / _parts_of_pairs(pairs).expected
    return scores


def _error_by_sampling(pairs: Pairs) -> dict[str, object]:
    """The error of alpha that comes from drawing pairs between items."""
    error = pairs.error_of_mean()
    if error is None:
        return {}
    parts = _parts_of_pairs(pairs)
    return {"error of alpha by sampling chance": error * float(parts.observed) / float(parts.expected) ** 2}


def _summed(distance: Distance, study: Any) -> bool:
    """Whether to sum over annotations and not over pairs of values."""
    numeric = distance.embed is not None or distance.pairs is not None
    return len(study.values) > MANY and numeric and not distance.equality


def _fetched(distance: Distance, scan: Any) -> bool:
    """Whether to fetch the rows of a table that stays where it is: a table of pairs of values would be far larger."""
    return _summed(distance, scan) and (distance.counted or scan.fetches)


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
