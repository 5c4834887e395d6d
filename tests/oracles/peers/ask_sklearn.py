"""Ask scikit-learn for Cohen's kappa and the F-score."""

from __future__ import annotations

import math
import warnings
from typing import Any

from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support
from talk import Answer, Study, annotators, answer, column, complete, talk


def ask(study: Study) -> list[Answer]:
    """Two annotators, everything seen."""
    if annotators(study) != 2 or not complete(study) or study["scale"] not in {"nominal", "ordinal"}:
        return [] if study["name"] != "interval_gaps" else [_kappa(study, None)]
    found = [_kappa(study, weights) for weights in (None, *_weights(study))]
    for value in study["values"]:
        found += [_f_score(study, value, beta) for beta in (1.0, 0.5)]
    found += [_averaged(study, average) for average in ("micro", "macro")]
    return [one for one in found if one]


def _weights(study: Study) -> list[str]:
    return [weights for weights in study["weights"] if weights in {"linear", "quadratic"}]


def _kappa(study: Study, weights: str | None) -> Answer:
    first, second = _codes(study)
    labels = list(range(len(study["values"])))
    value = cohen_kappa_score(first, second, labels=labels, weights=weights)
    call = f"cohen_kappa_score(first, second, labels=codes, weights={weights!r})"
    return answer("cohen_kappa", call, value, options={"weights": weights} if weights else {})


def _f_score(study: Study, value: Any, beta: float) -> Answer:
    first, second = _codes(study)
    code = study["values"].index(value)
    if code not in first or code not in second:
        return {}
    precision, recall, score, _ = precision_recall_fscore_support(first, second, labels=[code], beta=beta)
    return answer(
        "f_score",
        f"precision_recall_fscore_support(first, second, labels=[code], beta={beta})",
        score[0],
        options={"annotator": "B", "against": "A", "positive": value, "beta": beta},
        precision=precision[0],
        recall=recall[0],
    )


def _averaged(study: Study, average: str) -> Answer:
    first, second = _codes(study)
    used = sorted({*first, *second})
    *_, score, _ = precision_recall_fscore_support(first, second, labels=used, beta=2.0, average=average)
    call = f"precision_recall_fscore_support(first, second, labels=used, beta=2.0, average={average!r})"
    options = {"annotator": "B", "against": "A", "beta": 2.0, "average": average}
    return answer("f_score", call, score, options=options)


def _codes(study: Study) -> tuple[list[int], list[int]]:
    first, second = zip(*study["rows"], strict=True)
    return list(first), list(second)


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """Words in alphabetical order, positions for values, and a missing label that becomes a label."""
    words, gaps, unused, missing = (
        studies[name] for name in ("ordinal_two_words", "interval_gaps", "ordinal_unused", "nominal_two_missing")
    )
    holes = [[math.nan if v is None else v for v in column(missing, a)] for a in (0, 1)]
    return {
        "sklearn_words_sorted": cohen_kappa_score(column(words, 0), column(words, 1), weights="quadratic"),
        "sklearn_positions": cohen_kappa_score(column(gaps, 0), column(gaps, 1), weights="quadratic"),
        "sklearn_unused_positions": cohen_kappa_score(column(unused, 0), column(unused, 1), weights="linear"),
        "sklearn_missing_is_a_value": cohen_kappa_score(*holes),
    }


warnings.simplefilter("ignore")
talk(ask, traps)
