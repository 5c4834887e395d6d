"""How long does nominal alpha take from a long table, and what does a peer take who must be given a matrix?

Ten annotators of fifty for each item, five labels, a fifth of the labels missing, rows in no order.  Every case starts
from columns in memory, under the names a table has, and ends with alpha; ours also looks for annotators who gave one
item two labels, which the others do not.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import harness
import numpy as np

PER_ITEM, ANNOTATORS, LABELS, MISSING = 10, 50, 5, 0.2
WORDS = ["negative", "neutral", "positive", "mixed", "unclear"]
STRINGS = ("arrow strings", "pandas strings", "polars strings")
CODES = ("numpy codes", "arrow codes", "pandas categories", "polars categories", "arrow dictionaries")


# -- the data ----------------------------------------------------------------------------------------------


def codes(rows: int) -> tuple[Any, Any, Any]:
    """Item, annotator and label (-1 where there is none), shuffled."""
    rng = np.random.default_rng(rows)
    items = rows // PER_ITEM
    item = np.repeat(np.arange(items, dtype=np.int64), PER_ITEM)
    first = rng.integers(0, ANNOTATORS, items)
    annotator = (np.repeat(first, PER_ITEM) + np.tile(np.arange(PER_ITEM) * 3, items)) % ANNOTATORS
    truth = np.repeat(rng.integers(0, LABELS, items), PER_ITEM)
    value = np.where(rng.random(rows) < 0.7, truth, rng.integers(0, LABELS, rows))
    value[rng.random(rows) < MISSING] = -1
    order = rng.permutation(rows)
    return item[order], annotator[order], value[order]


def write(folder: Path, rows: int) -> float:
    """The columns as files of Arrow, one of strings and one of codes; how many bytes the strings take."""
    import pyarrow as pa

    item, annotator, value = codes(rows)
    names = {
        "item": (item, [f"item-{i:07d}" for i in range(rows // PER_ITEM)]),
        "annotator": (annotator, [f"ann-{i:02d}" for i in range(ANNOTATORS)]),
        "label": (value, WORDS),
    }
    absent = value < 0
    numbers = {
        "item": pa.array(item.astype(np.int32)),
        "annotator": pa.array(annotator.astype(np.int32)),
        "label": pa.array(value.astype(np.int32), mask=absent),
    }
    words = {}
    for name, (column, spelled) in names.items():
        there = pa.array(column.astype(np.int32), mask=absent if name == "label" else None)
        words[name] = pa.DictionaryArray.from_arrays(there, pa.array(spelled)).cast(pa.string())
    for form, columns in (("strings", words), ("codes", numbers)):
        table = pa.table(columns)
        with pa.OSFile(str(folder / f"{form}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return float(sum(column.nbytes for column in words.values()))


def arrow(folder: str, form: str) -> Any:
    """One of the files, copied into memory."""
    import pyarrow as pa

    with pa.OSFile(str(Path(folder) / f"{form}.arrow")) as source:
        return pa.ipc.open_file(source).read_all()


def given(folder: str, kind: str, first: int | None = None) -> Any:
    """The table, or its first rows, as a user might hold it."""
    import pyarrow as pa

    frame, _, form = kind.partition(" ")
    table = arrow(folder, "codes" if form == "codes" else "strings")
    if first is not None:
        table = table.slice(0, first)
    match frame, form:
        case ("numpy", "codes"):  # a label that is missing is NaN, as it is wherever arrays hold missing numbers
            return {name: table[name].to_numpy() for name in table.column_names}
        case "arrow", "dictionaries":
            return pa.table({name: table[name].dictionary_encode() for name in table.column_names})
        case "arrow", _:
            return table
        case "pandas", "strings":
            return table.to_pandas()
        case "pandas", "categories":
            return table.to_pandas(strings_to_categorical=True)
        case "polars", _:
            import polars as pl

            frame = pl.from_arrow(table)
            return frame if form == "strings" else frame.with_columns(pl.all().cast(pl.Categorical))
    raise ValueError(kind)


# -- the cases ---------------------------------------------------------------------------------------------


def ours(folder: str, kind: str) -> Any:
    """Alpha, duplicates looked for."""
    import interagree as ia

    ia.alpha(given(folder, kind, first=1000))  # what is imported late is imported now
    data = given(folder, kind)
    return lambda: ia.alpha(data).value


def interval(folder: str, kind: str) -> Any:
    """The same with its interval, standard error and p-value."""
    import interagree as ia

    ia.alpha(given(folder, kind, first=1000)).interval()
    data = given(folder, kind)

    def timed() -> float:
        result = ia.alpha(data)
        result.interval()
        result.p_value()
        return result.value

    return timed


def krippendorff_matrix(folder: str, kind: str) -> Any:
    """Number the strings, fill a matrix of annotators and items, hand it over."""
    import krippendorff
    import pandas as pd

    data = given(folder, kind)

    def timed() -> float:
        if isinstance(data, dict):
            item, annotator, label = data["item"], data["annotator"], data["label"]
            shape = (int(annotator.max()) + 1, int(item.max()) + 1)
        else:
            item, items = pd.factorize(data["item"])
            annotator, people = pd.factorize(data["annotator"])
            number, _ = pd.factorize(data["label"])
            label = np.where(number < 0, np.nan, number)
            shape = (len(people), len(items))
        matrix = np.full(shape, np.nan)
        matrix[annotator, item] = label
        return krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal")

    return timed


def krippendorff_pivot(folder: str, kind: str) -> Any:
    """The way its documentation suggests for a frame: pivot, hand over."""
    import krippendorff
    import pandas as pd

    data = given(folder, kind)

    def timed() -> float:
        numbered = data.assign(label=pd.factorize(data["label"])[0]).query("label >= 0")
        wide = numbered.pivot_table(index="annotator", columns="item", values="label", aggfunc="first")
        return krippendorff.alpha(reliability_data=wide.to_numpy(), level_of_measurement="nominal")

    return timed


def krippendorff_counts(folder: str, kind: str) -> Any:
    """Count labels per item by hand, and hand over the counts."""
    import krippendorff
    import pandas as pd

    data = given(folder, kind)

    def timed() -> float:
        if isinstance(data, dict):
            there = ~np.isnan(data["label"])
            item, label = data["item"][there], data["label"][there].astype(np.int64)
            size = int(label.max()) + 1
        else:
            item, label = pd.factorize(data["item"])[0], pd.factorize(data["label"])[0]
            there = label >= 0
            item, label, size = item[there], label[there], int(label.max()) + 1
        cells = np.bincount(item.astype(np.int64) * size + label, minlength=(int(item.max()) + 1) * size)
        return krippendorff.alpha(value_counts=cells.reshape(-1, size), level_of_measurement="nominal")

    return timed


def simpledorff(folder: str, kind: str) -> Any:
    """Takes a frame as it is."""
    import simpledorff

    data = given(folder, kind).dropna()
    data["label"] = data["label"].astype(object)
    return lambda: simpledorff.calculate_krippendorffs_alpha_for_df(
        data, experiment_col="item", annotator_col="annotator", class_col="label"
    )


def duckdb(folder: str, kind: str) -> Any:
    """The bare query: labels counted per item, items counted per pattern; then four lines of arithmetic."""
    import duckdb

    table = given(folder, kind)
    counted = ", ".join(f"count(*) FILTER (label = '{word}') AS n{at}" for at, word in enumerate(WORDS))
    columns = ", ".join(f"n{at}" for at in range(LABELS))
    query = f"SELECT {columns}, count(*) AS items FROM (SELECT {counted} FROM study GROUP BY item) GROUP BY {columns}"

    def timed() -> float:
        with duckdb.connect() as connection:
            connection.register("study", table)
            found = connection.execute(query).fetchnumpy()
        rows = np.column_stack([np.asarray(found[f"n{at}"], dtype=float) for at in range(LABELS)])
        items, size = np.asarray(found["items"], dtype=float), rows.sum(axis=1)
        rows, items, size = rows[size > 1], items[size > 1], size[size > 1]
        total = items @ rows
        differing = items @ ((size**2 - (rows**2).sum(axis=1)) / (size - 1))
        return 1 - (total.sum() - 1) * differing / (total.sum() ** 2 - (total**2).sum())

    return timed


# -- the tables --------------------------------------------------------------------------------------------


def main() -> None:
    """Grow the study, then look at every kind of column at the last size."""
    harness.machine()
    sizes = [10**5, 10**6, 10**7] if len(sys.argv) < 2 else [int(float(size)) for size in sys.argv[1:]]
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            columns = write(Path(folder), rows)

            def row(case: str, kind: str, name: str, **more: Any) -> Any:
                return harness.run(__file__, case, name=name, folder=folder, kind=kind, **more)

            found = [row("ours", kind, f"interagree, {kind}") for kind in STRINGS]
            found += [
                row("interval", "arrow strings", "interagree, arrow strings, with interval"),
                row("duckdb", "arrow strings", "DuckDB's bare query, arrow strings"),
                row("krippendorff_matrix", "pandas strings", "krippendorff, matrix"),
                row("krippendorff_counts", "pandas strings", "krippendorff, counts by hand"),
            ]
            if rows <= 10**6:
                found.append(row("krippendorff_pivot", "pandas strings", "krippendorff, pivot", repeat=1))
            if rows <= 10**5:
                found.append(row("simpledorff", "pandas strings", "simpledorff", repeat=1))
            title = f"{rows:,} rows of strings, {rows // PER_ITEM:,} items ({columns / 2**20:,.0f} MB of columns)"
            harness.show(title, found, to="krippendorff, matrix", columns=columns)
            found = [row("ours", kind, f"interagree, {kind}") for kind in CODES]
            found += [
                row("krippendorff_matrix", "numpy codes", "krippendorff, matrix"),
                row("krippendorff_counts", "numpy codes", "krippendorff, counts by hand"),
            ]
            narrow = rows * 3 * 4
            title = f"{rows:,} rows of codes, {rows // PER_ITEM:,} items ({narrow / 2**20:,.0f} MB of columns)"
            harness.show(title, found, to="krippendorff, matrix", columns=narrow)


if __name__ == "__main__":
    main()
