"""What does it cost to find out which column is what?

Ten million rows of a long table, as a pandas frame and as a Parquet file, and a wide CSV file of 200 columns and
100,000 rows: `alpha` of the first two, the study of the third, each without an option, so that the parts of the columns
are found by looking.  pandas reads the same files in the same run, and counts what is there.

    python bench/bench_reading.py                    the sizes above
    python bench/bench_reading.py 1e6                a million long rows, and wide ones in proportion
    python bench/bench_reading.py --before SRC       each case also with the interagree in the folder SRC
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import harness
import numpy as np

PER_ITEM, ANNOTATORS, MISSING = 10, 50, 0.1
LABELS = ["negative", "neutral", "positive", "mixed", "unclear"]
WIDE_COLUMNS, LONG_PER_WIDE = 200, 100


# -- the data ----------------------------------------------------------------------------------------------


def long_table(rows: int) -> Any:
    """A shuffled Arrow table of strings, a tenth of its labels missing."""
    import pyarrow as pa

    rng = np.random.default_rng(rows)
    items = rows // PER_ITEM
    item, slot = np.divmod(rng.permutation(items * PER_ITEM), PER_ITEM)
    truth = rng.integers(0, len(LABELS), items)[item]
    value = np.where(rng.random(len(item)) < 0.7, truth, rng.integers(0, len(LABELS), len(item)))
    columns = {
        "item": (item, [f"item-{i:07d}" for i in range(items)], None),
        "annotator": ((item + 3 * slot) % ANNOTATORS, [f"ann-{i:02d}" for i in range(ANNOTATORS)], None),
        "label": (value, LABELS, rng.random(len(item)) < MISSING),
    }
    return pa.table(
        {
            name: pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=mask), pa.array(names)).cast(
                pa.string()
            )
            for name, (codes, names, mask) in columns.items()
        }
    )


def write(folder: Path, rows: int) -> None:
    """The long table as Parquet, and a wide table as CSV."""
    import pandas as pd
    from pyarrow import parquet

    parquet.write_table(long_table(rows), folder / "long.parquet")
    rng = np.random.default_rng(rows)
    items = rows // LONG_PER_WIDE
    truth = rng.integers(1, 6, (items, 1))
    shape = (items, WIDE_COLUMNS - 1)
    values = np.where(rng.random(shape) < 0.7, truth, rng.integers(1, 6, shape)).astype(object)
    values[rng.random(shape) < MISSING] = ""
    frame = pd.DataFrame(values, columns=[f"rater{i + 1}" for i in range(WIDE_COLUMNS - 1)])
    frame.insert(0, "item", [f"item-{i:06d}" for i in range(items)])
    frame.to_csv(folder / "wide.csv", index=False)


# -- the cases ---------------------------------------------------------------------------------------------


def alpha_of_a_frame(path: str) -> Any:
    """Alpha of a pandas frame in memory."""
    import pandas as pd

    import interagree as ia

    frame = pd.read_parquet(path)
    ia.alpha(frame.head(1000))
    there = int(frame["label"].notna().sum())
    return lambda: [there, ia.alpha(frame).value]


def alpha_of_a_file(path: str) -> Any:
    """Alpha of a file on disk."""
    import pandas as pd

    import interagree as ia

    ia.alpha(pd.DataFrame({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}))

    def timed() -> list[float]:
        study = ia.read(path).single()
        return [len(study), ia.alpha(study).value]

    return timed


def study_of_a_file(path: str) -> Any:
    """A study from a file on disk."""
    import interagree as ia

    tiny = Path(path).with_name("tiny.csv")
    tiny.write_text("item,rater1,rater2\n1,1,2\n2,2,2\n3,1,1\n", encoding="utf-8")
    ia.read(tiny)
    return lambda: len(ia.read(path).single())


def counted_by_pandas(path: str) -> Any:
    """How often each item received each label, from a frame in memory: what alpha needs at the least."""
    import pandas as pd

    frame = pd.read_parquet(path)

    def timed() -> int:
        return int(frame.groupby(["item", "label"], sort=False, observed=True).size().sum())

    return timed


def read_by_pandas(path: str) -> Any:
    """The file as a frame, and how many annotations are in it."""
    import pandas as pd

    def timed() -> int:
        frame = pd.read_parquet(path) if path.endswith(".parquet") else pd.read_csv(path)
        body = frame["label"] if path.endswith(".parquet") else frame.iloc[:, 1:]
        return int(body.notna().to_numpy().sum())

    return timed


def main() -> None:
    """The frame, the Parquet file and the wide CSV file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", default=["1e7"])
    parser.add_argument("--before", help="a folder with another interagree, such as the src of an older checkout")
    options = parser.parse_args()
    harness.machine()
    for rows in (int(float(size)) for size in options.rows):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), rows)
            for file, ours, theirs, title in (
                ("long.parquet", "alpha_of_a_frame", "counted_by_pandas", f"a frame of {rows:,} rows"),
                ("long.parquet", "alpha_of_a_file", "read_by_pandas", f"Parquet, {rows:,} rows"),
                (
                    *("wide.csv", "study_of_a_file", "read_by_pandas"),
                    f"CSV, {rows // LONG_PER_WIDE:,} rows of {WIDE_COLUMNS} columns",
                ),
            ):
                path = str(Path(folder) / file)
                found = [
                    *([elsewhere(options.before, ours, path)] if options.before else []),
                    harness.run(__file__, ours, seconds=900, path=path),
                    harness.run(__file__, theirs, seconds=900, path=path),
                ]
                size = Path(path).stat().st_size / 2**20
                harness.show(f"{title}, {size:,.0f} MB", found, to=theirs.replace("_", " "))


def elsewhere(source: str, case: str, path: str) -> dict[str, Any]:
    """A case with the interagree that lies in another folder."""
    kept = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = source
    try:
        return harness.run(__file__, case, name=f"{case.replace('_', ' ')}, before", seconds=900, path=path)
    finally:
        if kept is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = kept


if __name__ == "__main__":
    main()
