"""Ask statsmodels for Cohen's, Fleiss' and Randolph's kappa."""

from __future__ import annotations

from typing import Any

import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa, to_table
from talk import Answer, Study, annotators, answer, column, complete, numeric, talk


def ask(study: Study) -> list[Answer]:
    """What complete studies allow; the peer takes no other."""
    if study["scale"] == "sets" or not complete(study):
        return []
    q = len(study["values"])
    codes = np.array(study["rows"])
    counts, _ = aggregate_raters(codes, n_cat=q)
    found = [
        answer("fleiss_kappa", "fleiss_kappa(aggregate_raters(codes, n_cat)[0])", fleiss_kappa(counts)),
        answer(
            "randolph_kappa",
            "fleiss_kappa(aggregate_raters(codes, n_cat)[0], method='randolph')",
            fleiss_kappa(counts, method="randolph"),
        ),
    ]
    if annotators(study) == 2:
        found += [_cohen(study, weights) for weights in (None, *_weights(study))]
    return found


def _weights(study: Study) -> list[str]:
    return [weights for weights in study["weights"] if weights in {"linear", "quadratic"}]


def _cohen(study: Study, weights: str | None) -> Answer:
    table, _ = to_table(np.array(study["rows"]), bins=len(study["values"]))
    scores = study["values"] if numeric(study) else list(range(len(study["values"])))
    result = cohens_kappa(table, weights=np.array(scores), wt=weights) if weights else cohens_kappa(table)
    how = f", weights=values, wt={weights!r}" if weights else ""
    call = f"cohens_kappa(to_table(codes, n_cat)[0]{how})"
    return answer(
        "cohen_kappa",
        call,
        result.kappa,
        options={"weights": weights} if weights else {},
        standard_error=result.std_kappa,
        under_no_agreement={"standard_error": result.std_kappa0, "p_value": result.pvalue_two_sided},
    )


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """Missing values become a value, unused ones vanish, and weights count positions."""
    missing, unused, gaps, two = (
        studies[name] for name in ("ordinal_missing", "nominal_unused", "interval_gaps", "nominal_two")
    )
    holes = np.array([[np.nan if v is None else float(v) for v in column(missing, a)] for a in range(5)]).T
    labels = np.array([column(unused, a) for a in range(3)]).T
    numbers = np.array([column(gaps, a) for a in range(2)]).T
    kappa = cohens_kappa(to_table(np.array(two["rows"]))[0])
    return {
        "statsmodels_missing_is_a_value": fleiss_kappa(aggregate_raters(holes)[0]),
        "statsmodels_unused_randolph": fleiss_kappa(aggregate_raters(labels)[0], method="randolph"),
        "statsmodels_positions": cohens_kappa(to_table(numbers)[0], wt="quadratic").kappa,
        "statsmodels_normal_interval": [kappa.kappa_low, kappa.kappa_upp],
        "statsmodels_null_p": kappa.pvalue_two_sided,
    }


talk(ask, traps)
