"""Self-consistency: how annotators agree with themselves where they judged an item more than once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict, Unpack

import numpy as np

from interagree.arrays import Booleans
from interagree.data import Annotations, IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator, Values
from interagree.declare import takes_repeats
from interagree.distances import IntoDistance
from interagree.errors import DataError, Hint
from interagree.judging.sides import Names, named
from interagree.measures.alpha import alpha
from interagree.people.judgement_pairs import JudgementPairs, ScaledDistance, identified
from interagree.stats.engine.shares import check_level
from interagree.tables import Table

COLUMNS = ("annotator", "items", "judgements", "agreement", "low", "high", "α", "from", "to")
Alpha = TypedDict("Alpha", {"α": float, "from": float, "to": float})


@takes_repeats
def self_consistency(
    data: IntoAnnotations,
    *others: Values,
    annotators: Names | None = None,
    distance: IntoDistance | None = None,
    level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Table:
    """How annotators, models and people alike, agree with themselves where they judged an item more than once.

    Args:
        data: A study read with ``duplicates="keep"``, or anything `Annotations.of` takes.
        annotators: Whom to look at; by default everybody.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.

    Returns:
        A table with a row for each annotator who repeated a judgement: observed agreement and alpha, with intervals.

    Examples:
        >>> import interagree as ia
        >>> rows = [(item, "ann", value) for item, both in enumerate(["aa", "ba", "bb"]) for value in both]
        >>> round(ia.judging.self_consistency(rows)["agreement"][0], 3)
        0.667
    """
    check_level(level)
    study = identified(data)
    if study.occasion is None:
        hint = Hint("duplicates", "keep")
        raise DataError(
            "nobody judged an item twice, so there is no self-consistency; read the data with "
            f"{hint} to keep repeated judgements apart",
            hints=[hint],
        )
    names = tuple(study.annotators) if annotators is None else named(study, annotators, "self-consistent annotator")
    frequency = np.bincount(study.value, minlength=len(study.values)).astype(float)
    return consistency_table(study, names, ScaledDistance(study, distance, frequency), level)


def consistency_table(study: Annotations, names: Sequence[Annotator], scaled: ScaledDistance, level: float) -> Table:
    """Self-consistency under one distance; empty where nothing was repeated."""
    rows = []
    for name in names if study.occasion is not None else ():
        own = study.only(annotators=[name]).repeats()
        again = own.items_where(own.sizes() > 1)
        if not len(again):
            continue
        judged = JudgementPairs.of(again, scaled.distance, unit=scaled.unit)
        everything = np.ones(len(judged.item), dtype=bool)
        observed = observed_row(judged, everything, everything, level)
        items = observed.pop("items")
        rows.append(
            {"annotator": name, "items": items, "judgements": len(again), **observed, **alpha_row(again, scaled, level)}
        )
    return Table.of(rows, names=COLUMNS)


def observed_row(judged: JudgementPairs, ours: Booleans, theirs: Booleans, level: float) -> dict[str, float]:
    """The mean over items of the mean distance of pairs, as agreement where distances are never above one."""
    mean, items = judged.observed(judged.between(ours, theirs), level)
    what = "agreement" if judged.scaled.bounded else "distance"
    return {"items": items, what: mean.value, "low": mean.low, "high": mean.high}


def alpha_row(study: Annotations, scaled: ScaledDistance, level: float) -> Alpha:
    """Krippendorff's alpha with its interval; nan where no item has two annotations."""
    if not len(study) or not (study.sizes() > 1).any():
        return {"α": math.nan, "from": math.nan, "to": math.nan}
    result = alpha(study, distance=scaled.distance)
    interval = result.interval(level)
    low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
    return {"α": result.value, "from": low, "to": high}
