"""Ask pingouin for the six intraclass correlations."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import pingouin
from talk import Answer, Study, answer, complete, numeric, talk

FORMS = {
    "ICC(1,1)": "ICC(1,1)",
    "ICC(A,1)": "ICC(2,1)",
    "ICC(C,1)": "ICC(3,1)",
    "ICC(1,k)": "ICC(1,k)",
    "ICC(A,k)": "ICC(2,k)",
    "ICC(C,k)": "ICC(3,k)",
}
WHERE = {"targets": "item", "raters": "annotator", "ratings": "value"}


def ask(study: Study) -> list[Answer]:
    """All forms, with interval and F test, where every annotator gave every item a number."""
    if not complete(study) or not numeric(study) or study["scale"] == "circular":
        return []
    table = pingouin.intraclass_corr(_long(study), **WHERE)
    call = "intraclass_corr(long, targets, raters, ratings)"
    return [
        answer(
            "icc",
            f"{call}: {row['Type']}",
            row["ICC"],
            options={"form": FORMS[row["Type"]]},
            interval=list(row["CI95"]),
            p_value=row["pval"],
            f_test=[row["F"], row["df1"], row["df2"]],
        )
        for _, row in table.iterrows()
    ]


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """An annotation given twice is averaged away."""
    long = _long(studies["interval_biased"])
    again = pd.DataFrame([{"item": 0, "annotator": "A", "value": 99.0}])
    table = pingouin.intraclass_corr(pd.concat([long, again]), **WHERE)
    return {"pingouin_duplicates": table.loc[table["Type"] == "ICC(A,1)", "ICC"].iloc[0]}


def _long(study: Study) -> Any:
    return pd.DataFrame(
        [
            {"item": i, "annotator": "ABCDEF"[a], "value": float(study["values"][code])}
            for i, row in enumerate(study["rows"])
            for a, code in enumerate(row)
        ]
    )


warnings.simplefilter("ignore")
pingouin.options["round.column.CI95"] = None  # two decimals unless told
talk(ask, traps)
