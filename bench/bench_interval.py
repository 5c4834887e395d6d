"""What does an interval cost once the annotations are counted, and does it grow with the number of items?

Five annotators, five labels, a tenth of the labels missing.  Ours draws resamples of patterns, of which there are as
many for ten thousand items as for a million; a loop around a coefficient draws items.  The loop is run for a few
resamples and the figure scaled to a thousand, which the table says.
"""

from __future__ import annotations

import sys
from typing import Any

import harness
import numpy as np

ANNOTATORS, LABELS, MISSING, RESAMPLES = 5, 5, 0.1, 1000


def matrix(items: int) -> Any:
    """Items × annotators, -1 where there is no label."""
    rng = np.random.default_rng(items)
    truth = rng.integers(0, LABELS, (items, 1))
    labels = np.where(rng.random((items, ANNOTATORS)) < 0.7, truth, rng.integers(0, LABELS, (items, ANNOTATORS)))
    labels[rng.random((items, ANNOTATORS)) < MISSING] = -1
    return labels


def counted(items: int) -> Any:
    """The result whose interval is asked for, as a function, so that nothing is remembered from the last time."""
    import interagree as ia

    labels = matrix(items)
    item, annotator = np.nonzero(labels >= 0)
    study = ia.Annotations.of({"item": item, "annotator": annotator, "value": labels[item, annotator]})
    ia.alpha(study).interval()
    return lambda: ia.alpha(study)


def counting(items: int) -> Any:
    """Alpha itself, from codes, for comparison."""
    import interagree as ia

    labels = matrix(items)
    item, annotator = np.nonzero(labels >= 0)
    table = {"item": item, "annotator": annotator, "value": labels[item, annotator]}
    counted(1000)  # what is imported late is imported now
    return lambda: [ia.alpha(table).value]


def interval(items: int, method: str) -> Any:
    """One interval by one method."""
    result = counted(items)

    def timed() -> list[float]:
        found = result()
        between = found.interval(method=method, resamples=RESAMPLES)
        return [found.value, between.low, between.high]

    return timed


def krippendorff_loop(items: int, resamples: int) -> Any:
    """What a user writes: draw items, count again.  From counts per item, its fastest input."""
    import krippendorff

    labels = matrix(items)
    cells = np.stack([(labels == value).sum(axis=1) for value in range(LABELS)], axis=1)
    cells = cells[cells.sum(axis=1) > 1]
    rng = np.random.default_rng(0)

    def alpha(rows: Any) -> float:
        return krippendorff.alpha(value_counts=rows, level_of_measurement="nominal")

    value = alpha(cells)

    def timed() -> list[float]:
        for _ in range(resamples):
            alpha(cells[rng.integers(0, len(cells), len(cells))])
        return [value]

    return timed


def interrater(items: int, resamples: int) -> Any:
    """Its own bootstrap."""
    from interrater import (
        KrippendorffAlphaAnalyzer,
        KrippendorffAlphaConfig,
        Ratings,
        RatingsSemantics,
        UnorderedCategories,
    )

    labels = matrix(items)
    labels = labels[(labels >= 0).any(axis=1)]  # it refuses items that nobody annotated
    people, words = [f"a{i}" for i in range(ANNOTATORS)], tuple(f"v{i}" for i in range(LABELS))
    semantics = RatingsSemantics(raters=people, categories=UnorderedCategories(words))
    ratings = Ratings(labels.astype(np.int8), semantics)
    config = KrippendorffAlphaConfig(n_resamples=resamples, random_state=0, ci_method="percentile")

    def timed() -> list[float]:
        found = KrippendorffAlphaAnalyzer(ratings, config).estimate()
        return [found.point, *found.confidence_interval]

    return timed


def main() -> None:
    """Ten thousand, a hundred thousand, a million items."""
    harness.machine()
    for items in [int(float(size)) for size in sys.argv[1:]] or [10**4, 10**5, 10**6]:
        ours = [
            harness.run(__file__, "interval", name=f"interagree, {method}", items=items, method=method)
            for method in ("analytic", "jackknife", "bootstrap", "bca")
        ]
        once = harness.run(__file__, "counting", name="(alpha itself, from codes)", items=items)
        few = 3 if items >= 10**6 else 20
        loop = harness.run(
            __file__, "krippendorff_loop", name="krippendorff in a loop", items=items, resamples=few, repeat=1
        )
        # Its least number of resamples is 100.
        own = harness.run(__file__, "interrater", name="interrater", items=items, resamples=100, repeat=1, seconds=150)
        rows = [
            *ours,
            once,
            harness.times(loop, RESAMPLES / few, f"{few} resamples scaled to {RESAMPLES}"),
            harness.times(own, RESAMPLES / 100, f"100 resamples scaled to {RESAMPLES}"),
        ]
        title = f"An interval of nominal alpha, {RESAMPLES:,} resamples where there are any, {items:,} items"
        harness.show(title, rows, to="interagree, bootstrap", within=0.02)


if __name__ == "__main__":
    main()
