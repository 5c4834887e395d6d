"""Ask the package krippendorff for alpha."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
from talk import Answer, Study, annotators, answer, column, numeric, talk

LEVELS = {
    "nominal": ["nominal"],
    "ordinal": ["nominal", "ordinal"],
    "interval": ["nominal", "ordinal", "interval"],
    "ratio": ["ordinal", "interval", "ratio"],
    "circular": ["nominal"],
}


def ask(study: Study) -> list[Answer]:
    """Alpha at every level of measurement that the scale allows."""
    if study["scale"] == "sets":
        return []
    data, domain = _matrix(study), _domain(study)
    found = []
    for level in LEVELS[study["scale"]]:
        value = krippendorff.alpha(data, value_domain=domain, level_of_measurement=level)
        call = f"alpha(matrix, value_domain=values, level_of_measurement={level!r})"
        found.append(answer("alpha", call, value, options={"distance": level}))
    if study["scale"] == "circular":
        period = study["period"]

        def circle(v1: Any, v2: Any, **_: Any) -> Any:
            return np.sin(np.pi * (v1 - v2) / period) ** 2

        value = krippendorff.alpha(data, value_domain=domain, level_of_measurement=circle)
        call = "alpha(matrix, value_domain=values, level_of_measurement=lambda: the circular distance)"
        found.append(answer("alpha", call, value, options={"distance": f"circular:period={period:g}"}))
    if study["name"] in {"ordinal_missing", "interval_gaps"}:
        low, high = min(study["values"]), max(study["values"])

        def ends(v1: Any, v2: Any, **_: Any) -> Any:
            below = (v1 + v2 - 2 * low) * (2 * high - v1 - v2)
            return np.divide((v1 - v2) ** 2, below, out=np.zeros(below.shape), where=v1 != v2)

        value = krippendorff.alpha(data, value_domain=domain, level_of_measurement=ends)
        call = "alpha(matrix, value_domain=values, level_of_measurement=lambda: the polar distance)"
        found.append(answer("alpha", call, value, options={"distance": f"polar:low={low},high={high}"}))
    return found


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """Narrow integers wrap around; the label "nan" vanishes."""
    small = _matrix(studies["interval_four"]).astype(np.uint8)
    names = studies["trap_label_nan"]
    return {
        "krippendorff_narrow_integers": krippendorff.alpha(small, level_of_measurement="interval"),
        "krippendorff_label_nan": krippendorff.alpha(
            [column(names, a) for a in range(annotators(names))], level_of_measurement="nominal"
        ),
    }


def _matrix(study: Study) -> Any:
    columns = [column(study, a) for a in range(annotators(study))]
    if numeric(study):
        return np.array([[np.nan if v is None else v for v in c] for c in columns], dtype=float)
    return np.array([["nan" if v is None else v for v in c] for c in columns])


def _domain(study: Study) -> Any:
    return np.array(study["values"], dtype=float) if numeric(study) else np.array(study["values"])


talk(ask, traps)
