"""How do the other coefficients compare with the package one would otherwise take?

Each peer starts from the input it wants, made beforehand; ours starts from three columns of codes and looks for
duplicates.  Where ours can start from what the peer has (counts per item, a wide table), that is a case as well.
"""

from __future__ import annotations

import sys
from typing import Any

import harness
import numpy as np

LABELS = 5


def labels(items: int, annotators: int) -> Any:
    """Items × annotators, complete."""
    rng = np.random.default_rng(items)
    truth = rng.integers(0, LABELS, (items, 1))
    guess = rng.integers(0, LABELS, (items, annotators))
    return np.where(rng.random((items, annotators)) < 0.7, truth, guess)


def columns(matrix: Any) -> dict[str, Any]:
    """The same as three columns."""
    item, annotator = np.divmod(np.arange(matrix.size), matrix.shape[1])
    return {"item": item, "annotator": annotator, "value": matrix.reshape(-1)}


def per_item(matrix: Any) -> Any:
    """The same as counts."""
    return np.stack([(matrix == value).sum(axis=1) for value in range(LABELS)], axis=1)


def ours(measure: str, items: int, annotators: int, form: str = "columns") -> Any:
    """One coefficient."""
    import interagree as ia

    matrix = labels(items, annotators).astype(np.int64)
    call = getattr(ia, measure)
    of, few = ia.Annotations.of, matrix[:200]
    call(of(columns(few)))
    if form == "counts":
        counts = per_item(matrix)
        return lambda: call(ia.Annotations.from_counts(counts)).value
    if form == "matrix":
        return lambda: call(of(matrix, item=0)).value
    study = columns(matrix)
    return lambda: call(of(study)).value


def our_icc(items: int, annotators: int) -> Any:
    """ICC(2,1) of numbers, with its interval."""
    import interagree as ia

    matrix = real(items, annotators)
    study = columns(matrix)

    def timed() -> list[float]:
        result = ia.icc(study, form="ICC(2,1)")
        between = result.interval()
        return [result.value, between.low, between.high]

    return timed


def our_pairs(items: int, annotators: int) -> Any:
    """Light's kappa and the table of all pairs."""
    import interagree as ia

    study = columns(labels(items, annotators))

    def timed() -> float:
        result = ia.measures.light_kappa(ia.Annotations.of(study))
        result.by_pair()
        return result.value

    return timed


def real(items: int, annotators: int) -> Any:
    """Numbers with a share of variance between items."""
    rng = np.random.default_rng(items)
    return rng.normal(0, 1, (items, 1)) + rng.normal(0, 1, (items, annotators)) + rng.normal(0, 0.3, annotators)


def statsmodels_fleiss(items: int, annotators: int, *, counted: bool) -> Any:
    """From raw labels by way of aggregate_raters, or from counts."""
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    matrix = labels(items, annotators)
    counts = per_item(matrix)
    return lambda: fleiss_kappa(counts if counted else aggregate_raters(matrix)[0])


def sklearn_cohen(items: int, annotators: int) -> Any:
    """From two arrays."""
    from sklearn.metrics import cohen_kappa_score

    first, second = labels(items, annotators).T
    return lambda: cohen_kappa_score(first, second)


def statsmodels_cohen(items: int, annotators: int) -> Any:
    """From two arrays, by way of its table; variance included."""
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    matrix = labels(items, annotators)
    return lambda: cohens_kappa(to_table(matrix, bins=LABELS)[0]).kappa


def pingouin_icc(items: int, annotators: int) -> Any:
    """All six forms with intervals; the second is taken."""
    import pandas as pd
    import pingouin

    frame = pd.DataFrame(columns(real(items, annotators)))

    def timed() -> list[float]:
        found = pingouin.intraclass_corr(frame, targets="item", raters="annotator", ratings="value")
        return [float(found["ICC"].iloc[1])]

    return timed


def nltk_pairs(items: int, annotators: int) -> Any:
    """The mean of Cohen's kappa over pairs."""
    from nltk.metrics.agreement import AnnotationTask

    triples = [(f"a{a}", f"i{i}", int(x)) for (i, a), x in np.ndenumerate(labels(items, annotators))]
    return lambda: AnnotationTask(triples).kappa()


def sklearn_pairs(items: int, annotators: int) -> Any:
    """The same mean, by a loop over pairs around scikit-learn's function."""
    from itertools import combinations

    from sklearn.metrics import cohen_kappa_score

    by_annotator = labels(items, annotators).T
    return lambda: float(np.mean([cohen_kappa_score(a, b) for a, b in combinations(by_annotator, 2)]))


def main() -> None:
    """Four questions, each in steps of ten."""
    harness.machine()
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**4, 10**5, 10**6]

    def row(case: str, name: str, **more: Any) -> Any:
        return harness.run(__file__, case, name=name, **more)

    for items in sizes:
        of = {"items": items, "annotators": 5}
        rows = [
            row("ours", "interagree, columns", measure="fleiss_kappa", **of),
            row("ours", "interagree, counts", measure="fleiss_kappa", form="counts", **of),
            row("ours", "interagree, matrix", measure="fleiss_kappa", form="matrix", **of),
            row("statsmodels_fleiss", "statsmodels, matrix", counted=False, **of),
            row("statsmodels_fleiss", "statsmodels, counts", counted=True, **of),
        ]
        harness.show(f"Fleiss' kappa, {items:,} items of 5 annotators", rows, to="statsmodels, matrix")
    for items in sizes:
        of = {"items": items, "annotators": 2}
        rows = [
            row("ours", "interagree, columns", measure="cohen_kappa", **of),
            row("ours", "interagree, matrix", measure="cohen_kappa", form="matrix", **of),
            row("sklearn_cohen", "scikit-learn", **of),
            row("statsmodels_cohen", "statsmodels", **of),
        ]
        harness.show(f"Cohen's kappa, {items:,} items", rows, to="scikit-learn")
    for items in sizes:
        of = {"items": items, "annotators": 5}
        rows = [row("our_icc", "interagree", **of), row("pingouin_icc", "pingouin", seconds=120, repeat=1, **of)]
        harness.show(f"ICC(2,1) with its interval, {items:,} items of 5 annotators", rows, to="pingouin", within=1e-6)
    for items in sizes:
        of = {"items": items, "annotators": 10}
        rows = [
            row("ours", "interagree, Light's kappa", measure="light_kappa", repeat=2, **of),
            row("our_pairs", "interagree, with the table by pair", repeat=1, **of),
            row("sklearn_pairs", "scikit-learn in a loop", repeat=1, **of),
        ]
        if items <= 10**4:
            rows.append(row("nltk_pairs", "nltk", repeat=1, seconds=120, **of))
        harness.show(
            f"Cohen's kappa over all 45 pairs of 10 annotators, {items:,} items", rows, to="scikit-learn in a loop"
        )


if __name__ == "__main__":
    main()
