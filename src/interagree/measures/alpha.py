r"""Krippendorff's alpha.

$$\alpha = 1 - \frac{D_o}{D_e}$$

Disagreement is the mean distance of two annotations: of one item for $D_o$, of any two annotations, drawn
without putting the first one back, for $D_e$.  An item counts once for each of its annotations; an item
with a single one cannot be compared and is left out of both.

Where none is given, the level of the values decides (`interagree.data.levels`): labels are the same or not, labels in
a declared order take the ordinal distance, and numbers of which there are many the interval distance.  Few whole
numbers may be codes or the steps of a scale; they are taken as labels, and a remark says what the scale gives.

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

from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, IntoAnnotations, Values, as_annotations
from interagree.data.types import Lazy
from interagree.declare import Distance, UnderChance, measure
from interagree.distances import ComparisonOptions, IntoDistance, IntoWeights, find, on_values, pairs_of, usual
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published
from interagree.stats.labels.chance import one_urn_per_annotation
from interagree.stats.labels.counts import Counts, per_annotation
from interagree.stats.labels.distance_table import ValueScale
from interagree.stats.labels.independence import LESS, independent
from interagree.stats.labels.labelled import LabelCounts
from interagree.stats.labels.moments import Numeric
from interagree.stats.pairs.item_pairs import Pairs

MANY = 40  # distinct values above which a numeric scale is summed and not tabulated


@measure(
    "Krippendorff's alpha",
    "α",
    "krippendorff2004",
    "one urn, without putting back",
    under_chance=UnderChance(f"0; {LESS}", habits=independent),
    doubling=False,
    by_level=True,
    as_scale={"ordered": {"distance": "ordinal"}, "numbers": {"distance": "interval"}},
    aliases=("krippendorff_alpha", "krippendorff", "krippendorffs_alpha", "kripp_alpha"),
)
def alpha(data: IntoAnnotations, *others: Values, **comparison: Unpack[ComparisonOptions]) -> Agreement:
    """Krippendorff's alpha under a distance of your choice, by default the one at the level of the values.

    Examples:
        >>> cy = ["yes", "no", "yes", None, "no", "no"]
        >>> print(ia.alpha(ann, bo, cy))
        α = 0.543, 95% interval -0.379 to 0.924 (6 items, 3 annotators)
    """
    distance, weights = comparison.get("distance"), comparison.get("weights")
    if distance is None and weights is None:
        distance = _suited(data)
    on = on_values(distance, weights)
    statistic, notes = _statistic(data, distance, weights)
    if isinstance(statistic, Pairs):
        return _on_pairs(statistic, notes)
    if isinstance(statistic, Numeric):
        ranks = Numeric.rank_influence if statistic.distance.counted else None
        put_back = Published(linear=lambda m: m.parts(back=True), influence=ranks)
        return estimate(alpha, statistic, Numeric.parts, put_back)
    counts = LabelCounts.under(statistic, on, least=2)
    return estimate(alpha, counts, parts, Published(linear=lambda c: parts(c, back=True)))


def _suited(data: IntoAnnotations | Counts) -> Distance | None:
    """The distance at the level of the values; None for complex ones, of which the pairs tell what was taken."""
    if isinstance(data, Annotations) or not isinstance(data, Counts | Lazy):
        data = as_annotations(data)
        if data.kind.complex:
            return None
    return usual(data)


def parts(counts: LabelCounts, *, back: bool = False) -> Parts:
    """Observed disagreement, and that of two annotations drawn with the first one put back or not."""
    return Parts(
        counts.disagreement(counts.distances, per_annotation),
        one_urn_per_annotation(counts, counts.distances, back=back),
    )


def _statistic(
    data: IntoAnnotations | Counts, distance: IntoDistance | None, weights: IntoWeights | None
) -> tuple[Pairs | Numeric | Counts, tuple[str, ...]]:
    """What serves: pairs of annotations, sums per item, or counts of values; and what to say about the distance."""
    if weights is not None or isinstance(data, Counts):
        return Counts.of(data), ()
    if isinstance(data, Lazy):
        if distance is None or not _summed(find(distance), data):
            return Counts.of(data), ()
        data = data.fetch()  # a table of pairs of values would be far larger than the rows themselves
    study = as_annotations(data)
    if distance is None and study.kind.complex:
        return pairs_of(study, None, weighting="annotations")
    found = find("nominal" if distance is None else distance)
    if _paired(found, study):
        simple = not found.kinds and not study.kind.complex
        return pairs_of(study, found, weighting="annotations", same_annotator=simple)
    return Numeric.of(study, found) if _summed(found, study) else Counts.of(study), ()


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
    return study.kind.complex or not small


def _summed(distance: Distance, scale: ValueScale) -> bool:
    """Whether to sum over annotations and not over pairs of values."""
    numeric = distance.embed is not None or distance.pairs is not None
    return len(scale.values) > MANY and numeric and not distance.equality


def _on_pairs(pairs: Pairs, remarks: tuple[str, ...]) -> Agreement:
    published = Published[Pairs](linear=lambda p: pair_parts(p, back=True), details=error_by_sampling)
    return estimate(alpha, pairs.scored(_score, remarks=remarks, of_mean=True), pair_parts, published)


def pair_parts(pairs: Pairs, *, back: bool = False) -> Parts:
    """The same from pairs of annotations."""
    size, within, every = pairs.means()
    return Parts(within, every / (size * (size if back else size - 1)))


def _score(pairs: Pairs, far: Floats) -> Floats:
    with np.errstate(invalid="ignore"):  # where all values are the same, no pair has a score
        scores: Floats = 1 - far / pair_parts(pairs).expected
    return scores


def error_by_sampling(pairs: Pairs) -> dict[str, object]:
    """The error of alpha that comes from drawing pairs between items."""
    error = pairs.error_of_mean()
    if error is None:
        return {}
    disagreement = pair_parts(pairs)
    by_sampling = error * float(disagreement.observed) / float(disagreement.expected) ** 2
    return {"error of alpha by sampling chance": by_sampling}
