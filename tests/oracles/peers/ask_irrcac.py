"""Ask irrCAC for the family of chance-corrected coefficients, with errors, intervals and p-values."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from irrCAC.raw import CAC as RAW
from irrCAC.table import CAC as TABLE
from talk import Answer, Study, annotators, answer, column, complete, numeric, talk

DIGITS = 15  # the peer rounds to five unless told
MADE_UP = 1e-15  # what the peer puts in place of an error of 0
RAW_NAMES = {
    "conger": "conger_kappa",
    "fleiss": "fleiss_kappa",
    "gwet": "ac1",
    "bp": "bennett_s",
    "krippendorff": "alpha",
}
TABLE_NAMES = {"cohen": "cohen_kappa", "scott": "scott_pi", "pa2": "percent"}
TWIN = {"conger": "cohen", "fleiss": "scott", "gwet": "gwet", "bp": "bp", "krippendorff": "krippendorff"}


def ask(study: Study) -> list[Answer]:
    """Every coefficient under every weight that the study is good for."""
    if study["scale"] == "sets":
        return []
    found = []
    for weights in ["identity", *study["weights"]]:
        raw = RAW(_frame(study), weights=weights, categories=list(study["values"]), digits=DIGITS)
        table = _table(study, weights) if complete(study) and annotators(study) == 2 else None
        if table is not None and not _as_positions(study, weights):
            table = None
        found += [_from_raw(study, raw, table, method, weights) for method in RAW_NAMES]
        if table is not None:
            found += [_from_table(table, method, weights) for method in TABLE_NAMES]
        else:
            call = f"raw.CAC(frame, weights={weights!r}, categories=values, digits=15).fleiss()['est']['pa']"
            found.append(answer("percent", call, raw.fleiss()["est"]["pa"], options=_options(weights)))
    return found


def _from_raw(study: Study, raw: Any, table: Any, method: str, weights: str) -> Answer:
    est = getattr(raw, method)()["est"]
    measure = "ac2" if method == "gwet" and weights != "identity" else RAW_NAMES[method]
    facts: dict[str, Any] = {"options": _options(weights)}
    if method == "krippendorff":
        facts["options"] = {"weights": weights}  # alpha without weights follows the level of the values
        if not complete(study):
            facts["old_formula"] = _error(est)
            facts["note"] = "the error of alpha is the formula that R's irrCAC corrected in version 1.4"
        else:
            facts.update(_error(est))
    else:
        facts.update(observed=1 - est["pa"], expected=1 - est["pe"], **_error(est))
    if method == "bp" and "p_value" in facts:
        facts["p_value_one_sided"] = facts.pop("p_value")
        facts["note"] = "the p-value of bp() is one-sided, that of all its siblings two-sided"
    if table is not None:
        facts["divided_by_n"] = _table_error(table, TWIN[method]) or None
    call = f"raw.CAC(frame, weights={weights!r}, categories=values, digits=15).{method}()"
    return answer(measure, call, est["coefficient_value"], **facts)


def _from_table(table: Any, method: str, weights: str) -> Answer:
    est = getattr(table, method)()["est"]
    error = _table_error(table, method)
    if method == "pa2":  # for agreement that is not corrected for chance, zero is no hypothesis
        error = {"divided_by_n": {"standard_error": est["se"]}}
    call = f"table.CAC(contingency, weights={weights!r}, digits=15).{method}()"
    return answer(TABLE_NAMES[method], call, est["coefficient_value"], options=_options(weights), **error)


def _error(est: dict[str, Any]) -> dict[str, Any]:
    if est["se"] <= MADE_UP:
        return {}
    return {"standard_error": est["se"], "interval": est["confidence_interval"], "p_value": est["p_value"]}


def _table_error(table: Any, method: str) -> dict[str, Any]:
    est = getattr(table, method)()["est"]
    error = _error(est)
    if est["coefficient_value"] <= 0 and method != "cohen":
        error.pop("p_value", None)  # 1, whatever the coefficient
    return error


def _as_positions(study: Study, weights: str) -> bool:
    """Whether the table, which knows only positions, can stand for these values."""
    values = study["values"]
    return weights in {"identity", "ordinal"} or not numeric(study) or values == list(range(1, len(values) + 1))


def _options(weights: str) -> dict[str, str]:
    return {} if weights == "identity" else {"weights": weights}


def _frame(study: Study) -> Any:
    columns = {"ABCDEF"[a]: column(study, a) for a in range(annotators(study))}
    frame = pd.DataFrame(columns, dtype=float if numeric(study) else object)
    return frame if numeric(study) else frame.where(frame.notna(), np.nan)


def _table(study: Study, weights: str) -> Any:
    q = len(study["values"])
    counts = np.zeros((q, q), dtype=int)
    for first, second in study["rows"]:
        counts[first, second] += 1
    return TABLE(pd.DataFrame(counts), weights=weights, digits=DIGITS)


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """Order, zeros, unused values, negative coefficients, one value only."""
    words, unused, opposed = (studies[name] for name in ("ordinal_words", "nominal_unused", "nominal_opposed"))
    ordinal, gaps = studies["ordinal_two"], studies["interval_gaps"]
    missing, guessed = studies["ordinal_missing"], studies["nominal_guessed"]
    one = studies["trap_one_value"]
    return {
        "irrcac_words_sorted": _value(RAW(_frame(words), weights="quadratic", digits=DIGITS).fleiss()),
        "irrcac_unused_s": _value(RAW(_frame(unused), digits=DIGITS).bp()),
        "irrcac_unused_ac1": _value(RAW(_frame(unused), digits=DIGITS).gwet()),
        "irrcac_declared_out_of_order": _value(
            RAW(_frame(ordinal), weights="quadratic", categories=[3, 1, 2, 5, 4], digits=DIGITS).fleiss()
        ),
        "irrcac_ordinal_is_not_ordinal": _value(
            RAW(_frame(missing), weights="ordinal", categories=[1, 2, 3, 4, 5], digits=DIGITS).krippendorff()
        ),
        "irrcac_ratio_zero": _raises(
            lambda: RAW(_frame(studies["ratio_zeros"]), weights="ratio", digits=DIGITS).krippendorff()
        ),
        "irrcac_table_positions": _value(_table(gaps, "quadratic").cohen()),
        "irrcac_table_negative_p": _table(opposed, "identity").scott()["est"]["p_value"],
        "irrcac_s_one_sided": RAW(_frame(guessed), digits=DIGITS).bp()["est"]["p_value"],
        "irrcac_alpha_error": RAW(_frame(studies["nominal_singles"]), digits=DIGITS).krippendorff()["est"]["se"],
        "irrcac_alpha_interval": RAW(_frame(studies["nominal_singles"]), digits=DIGITS).krippendorff()["est"][
            "confidence_interval"
        ],
        "irrcac_no_spread": RAW(_frame(studies["interval_two_reals"]), digits=DIGITS).bp()["est"]["p_value"],
        "irrcac_one_value_ac1": _value(RAW(_frame(one), digits=DIGITS).gwet()),
    }


def _value(agreement: dict[str, Any]) -> float:
    return float(agreement["est"]["coefficient_value"])


def _raises(call: Any) -> str:
    try:
        call()
    except (ValueError, ZeroDivisionError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


warnings.simplefilter("ignore")
talk(ask, traps)
