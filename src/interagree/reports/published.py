"""What such tasks reach: coefficients of published studies, for values that no scale of words was made for.

A figure is for the same coefficient of the same kind of value.  It says what others reached, not what is good.
"""

from __future__ import annotations

from typing import NamedTuple

from interagree.references import REFERENCES
from interagree.results.agreement import Agreement


class Reached(NamedTuple):
    """What annotators of a published study reached."""

    measure: str
    kind: str
    low: float
    high: float
    who: str
    where: str


BRAYLAN = f"{REFERENCES['braylan2022'].author.partition(',')[0]} et al. {REFERENCES['braylan2022'].year}, Table 1"
FIGURES = (
    Reached("alpha", "spans", 0.33, 0.41, "crowd workers who marked names in news", BRAYLAN),
    Reached("alpha", "boxes", 0.50, 0.51, "crowd workers who drew boxes", BRAYLAN),
    Reached("alpha", "text", 0.17, 0.28, "crowd workers who translated sentences", BRAYLAN),
    Reached("alpha", "vectors", 0.21, 0.21, "crowd workers who rated seven emotions", BRAYLAN),
    Reached("gamma", "spans", -0.07, 0.40, "eight guidelines on narrative levels", "Reiter 2018, SANTA"),
)


def compared(result: Agreement, kind: str) -> str:
    """What others reached with the same coefficient of such values; empty where no figure is known."""
    for figure in FIGURES:
        if (figure.measure, figure.kind) == (result.measure.name, kind):
            reached = f"{figure.low:.2f}" + (f" to {figure.high:.2f}" if figure.high > figure.low else "")
            return f"{figure.who} reached {reached} ({figure.where})"
    return ""
