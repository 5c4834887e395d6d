"""What do all classic coefficients with their intervals cost over one?

One table of strings, five annotators, five labels; the coefficients for two annotators have no place here.  Ours reads
and numbers the table once and counts patterns once; everything after that works on patterns.
"""

from __future__ import annotations

import sys
from typing import Any

import harness
import numpy as np

NAMES = (
    "percent",
    "bennett_s",
    "randolph_kappa",
    "fleiss_kappa",
    "conger_kappa",
    "hubert_kappa",
    "light_kappa",
    "ac1",
    "alpha",
    "van_oest",
)
COUNTING = ("percent", "bennett_s", "randolph_kappa", "fleiss_kappa", "ac1", "alpha", "van_oest")
LABELS = ["negative", "neutral", "positive", "mixed", "unclear"]
ANNOTATORS = 5


def table(items: int) -> Any:
    """A shuffled Arrow table of strings, a tenth of its labels missing."""
    import pyarrow as pa

    rng = np.random.default_rng(items)
    rows = items * ANNOTATORS
    item, annotator = np.divmod(rng.permutation(rows), ANNOTATORS)
    truth = rng.integers(0, len(LABELS), items)[item]
    value = np.where(rng.random(rows) < 0.7, truth, rng.integers(0, len(LABELS), rows))
    columns = {
        "item": (item, [f"item-{i:07d}" for i in range(items)], None),
        "annotator": (annotator, [f"ann-{i}" for i in range(ANNOTATORS)], None),
        "label": (value, LABELS, rng.random(rows) < 0.1),
    }
    return pa.table(
        {
            name: pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=mask), pa.array(names)).cast(
                pa.string()
            )
            for name, (codes, names, mask) in columns.items()
        }
    )


def together(items: int, names: list[str]) -> Any:
    """Some coefficients of one table, each with interval and p-value."""
    import interagree as ia

    data = table(items)
    small = ia.Annotations.of(table(100))
    for name in names:
        getattr(ia, name)(small).interval()

    def timed() -> list[float]:
        study = ia.Annotations.of(data)
        results = [getattr(ia, name)(study) for name in names]
        for result in results:
            result.interval()
            result.p_value()
        return [len(study), *(result.value for result in results)]

    return timed


def reading(items: int) -> Any:
    """The table read and its rows numbered, and nothing else."""
    import interagree as ia

    data = table(items)
    ia.Annotations.of(table(100))
    return lambda: len(ia.Annotations.of(data))


def main() -> None:
    """A hundred thousand and a million items."""
    harness.machine()
    for items in [int(float(size)) for size in sys.argv[1:]] or [10**4, 10**5, 10**6]:
        alone = [
            harness.run(__file__, "together", name=name, items=items, names=[name])
            for name in ("alpha", "conger_kappa", "light_kappa")
        ]
        rows = [
            *alone,
            harness.run(__file__, "together", name=f"the {len(COUNTING)} that only count", items=items, names=COUNTING),
            harness.run(__file__, "together", name=f"all {len(NAMES)}", items=items, names=NAMES),
            harness.run(__file__, "reading", name="reading alone", items=items),
        ]
        # The first number of an answer is how many annotations there were; that is what must be equal here.
        for row in rows:
            row["answer"] = row.get("answer", [])[:1]
        harness.show(f"{items:,} items, {items * ANNOTATORS:,} rows of strings", rows, to="alpha")


if __name__ == "__main__":
    main()
