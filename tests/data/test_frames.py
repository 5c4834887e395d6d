"""Every frame library gives the study that plain columns give, in memory and where it stays."""

import math

import numpy as np
import pytest
from conftest import need

from interagree.data import Annotations, as_annotations
from interagree.errors import ColumnNotFound, DataError, DuplicateAnnotation, KindError, RowsFetched
from interagree.reading.scans import scan
from interagree.stats.labels.counts import Counts

VALUES = ["x", "y", None, "z", "x", "None"]
STRINGS = {
    "task": [f"t{n // 3}" for n in range(60)],
    "worker": [f"w{n % 3}" for n in range(60)],
    "label": [VALUES[(n * n) % 7 % 6] for n in range(60)],
}
NUMBERS = {**STRINGS, "label": [None if v is None else VALUES.index(v) for v in STRINGS["label"]]}
REALS = {**STRINGS, "label": [None if v is None else VALUES.index(v) + 0.5 for v in STRINGS["label"]]}
WITH_NAN = {**STRINGS, "label": [math.nan if v is None else float(VALUES.index(v)) for v in STRINGS["label"]]}
TABLES = {"strings": STRINGS, "numbers": NUMBERS, "reals": REALS, "nan": WITH_NAN}


def pandas(table):
    return need("pandas").DataFrame(table)


def polars(table):
    return need("polars").DataFrame(table)


def polars_lazy(table):
    return polars(table).lazy()


def pyarrow(table):
    return need("pyarrow").table(table)


def duckdb(table):
    frame = pyarrow(table)
    return need("duckdb").from_arrow(frame)


def dask(table):
    frame = pandas(table)
    return need("dask.dataframe").from_pandas(frame, npartitions=2)


def ibis(table):
    frame = pyarrow(table)
    return need("ibis").memtable(frame)


def pyspark(table):
    need("java")
    frame = pyarrow(table)
    builder = need("pyspark.sql").SparkSession.builder.master("local[1]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate().createDataFrame(frame)


EAGER = [pandas, polars, pyarrow]
LAZY = [polars_lazy, *(pytest.param(one, marks=pytest.mark.engine) for one in (duckdb, dask, ibis, pyspark))]


@pytest.mark.parametrize("frame", [*EAGER, *LAZY])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_frame_is_the_same_study_as_its_columns(frame, name):
    plain, study = as_annotations(TABLES[name]), as_annotations(frame(TABLES[name]))
    assert set(study.rows()) == set(plain.rows())
    assert study.values == plain.values
    assert list(map(type, study.values)) == list(map(type, plain.values))
    assert study.provenance == plain.provenance


@pytest.mark.parametrize("frame", [*EAGER, *LAZY])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_table_that_stays_where_it_is_gives_the_same_patterns(frame, name):
    plain, there = as_annotations(TABLES[name]), scan(frame(TABLES[name]))
    table = np.zeros((len(plain.items), len(plain.values)), dtype=int)
    np.add.at(table, (plain.item, plain.value), 1)
    rows, times = there.patterns()
    found = {tuple(row): int(n) for row, n in zip(rows.tolist(), times.tolist(), strict=True)}
    assert found == {tuple(row): table.tolist().count(row) for row in table.tolist()}
    assert there.values == plain.values
    assert there.n == (len(plain.items), len(plain.annotators), len(plain))
    assert there.provenance == plain.provenance
    sizes, items = there.sizes()
    assert dict(zip(sizes.tolist(), items.tolist(), strict=True)) == {
        int(size): int((plain.sizes() == size).sum()) for size in set(plain.sizes().tolist())
    }
    assert set(there.collect().rows()) == set(plain.rows())


@pytest.mark.parametrize("frame", LAZY)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_duplicates_and_gaps_are_found_where_the_table_is(frame):
    twice = {"item": ["a", "a", "b"], "annotator": ["p", "p", "q"], "value": ["x", "y", "x"]}
    with pytest.raises(DuplicateAnnotation, match="annotator 'p' annotated item 'a' 2 times"):
        scan(frame(twice)).patterns()
    assert scan(frame(twice), duplicates="keep").n.annotations == 3
    with pytest.raises(KindError, match="no order"):
        scan(frame(twice), duplicates="first").patterns()
    for role in ("item", "annotator"):
        gap = {**twice, "annotator": ["p", "q", "q"]}
        gap[role] = [*gap[role][:2], None]
        with pytest.raises(DataError, match=f"1 row with a value and no {role}"):
            scan(frame(gap)).patterns()


def test_a_scan_takes_declared_values_and_leaves_annotators_out():
    frame = polars_lazy(STRINGS)
    there = scan(frame, values=["z", "y", "x", "None", "never"], ordered=True)
    assert there.values == ("z", "y", "x", "None", "never")
    assert there.in_order
    assert there.patterns()[0].shape[1] == 5
    assert not there.patterns()[0][:, 4].any()
    assert there.without("w0").annotators == ("w1", "w2")
    assert there.only(annotators=["w0"]).n.annotators == 1
    assert set(there.without("w0").collect().rows()) == set(as_annotations(STRINGS).without("w0").rows())
    with pytest.raises(DataError, match="given and not declared"):
        scan(frame, values=["x"]).patterns()
    with pytest.raises(ColumnNotFound, match="Did you mean item='task'"):
        scan(frame, item="tusk")
    assert "task" not in repr(there)


def test_many_values_are_fetched_and_say_so():
    table = {
        "item": [n // 2 for n in range(400)],
        "annotator": [n % 2 for n in range(400)],
        "value": [n % 100 for n in range(400)],
    }
    there = scan(polars_lazy(table))
    with pytest.warns(RowsFetched, match="400 rows are fetched from polars, about 220 kB"):
        counts = Counts.of(there)
    assert counts.rows.shape == (50, 100)
    assert counts.weights.matrix().tolist() == [4] * 50
    assert there.engine == "400 rows fetched from polars"
    with pytest.raises(KindError, match="do not reduce to patterns"):
        there.patterns()


def test_nothing_is_an_empty_table():
    there = scan(polars_lazy({"item": ["a"], "annotator": ["b"], "value": [None]}))
    assert there.n == (0, 0, 0)


# -- what frames say about their columns --------------------------------------------------------------------


def test_categories_are_taken_as_they_are():
    pd = need("pandas")
    frame = pandas(STRINGS).astype("category")
    plain = as_annotations(STRINGS)
    assert set(as_annotations(frame).rows()) == set(plain.rows())
    assert as_annotations(frame).values == plain.values
    frame["label"] = pd.Categorical(STRINGS["label"], ["z", "y", "x", "None", "never"], ordered=True)
    study = as_annotations(frame)
    assert (study.values, study.ordered) == (("z", "y", "x", "None", "never"), True)
    assert "as the column states them" in study.provenance.policy()
    unordered = frame.assign(label=frame["label"].cat.as_unordered())
    assert as_annotations(unordered).values == plain.values


def test_the_categories_of_polars():
    pl = need("polars")
    frame = polars(STRINGS)
    plain = as_annotations(STRINGS)
    assert set(as_annotations(frame.with_columns(pl.all().cast(pl.Categorical))).rows()) == set(plain.rows())
    scale = pl.Enum(["z", "y", "x", "None", "never"])
    study = as_annotations(frame.with_columns(pl.col("label").cast(scale)))
    assert (study.values, study.ordered) == (("z", "y", "x", "None", "never"), True)
    assert set(study.rows()) == set(plain.rows())


def test_the_dictionaries_of_arrow():
    pa = need("pyarrow")
    frame = pyarrow(STRINGS)
    coded = pa.table({name: frame[name].dictionary_encode() for name in frame.column_names})
    two = pa.concat_tables([coded.slice(0, 20), coded.slice(20)])
    for table in (coded, two, frame.to_reader(), coded.to_batches()[0]):
        assert set(as_annotations(table).rows()) == set(as_annotations(STRINGS).rows())


@pytest.mark.parametrize("dtype", ["object", "string", "Int64", "boolean", "int8"])
def test_the_types_of_pandas(dtype):
    values = {"Int64": [1, None, 2, 1], "boolean": [True, None, False, True], "int8": [1, 2, 3, -4]}
    column = values.get(dtype, ["NA", None, "null", "1"])
    frame = pandas({"item": [0, 0, 1, 1], "annotator": [0, 1, 0, 1], "value": column}).astype({"value": dtype})
    study = as_annotations(frame)
    assert [v for *_, v in study.rows()] == [v for v in column if v is not None]
    assert [type(v) for *_, v in study.rows()] == [type(v) for v in column if v is not None]


def test_mixed_objects_of_pandas_are_kept_apart():
    pd = need("pandas")
    mixed = pd.Series([1, "1", True, pd.NA, pd.NaT, None, float("nan"), 1.0], dtype=object)
    study = as_annotations(pandas({"item": range(8), "annotator": [0] * 8}).assign(value=mixed))
    assert [(v, type(v)) for *_, v in study.rows()] == [(1, int), ("1", str), (True, bool), (1, int)]


def test_the_index_of_pandas_names_the_items():
    frame = pandas(STRINGS)
    plain = as_annotations(STRINGS)
    pivot = frame.pivot(index="task", columns="worker", values="label")
    assert set(as_annotations(pivot).rows()) == set(plain.rows())
    assert set(as_annotations(pivot.rename_axis(index=None)).rows()) == set(plain.rows())
    assert set(as_annotations(frame.set_index(["task", "worker"])).rows()) == set(plain.rows())
    filtered = pandas({"ann": [1, 2, 3], "bo": [1, 2, 3]}).iloc[1:]
    assert list(as_annotations(filtered).items) == [1, 2]


def test_a_crosstab_of_pandas_is_a_contingency_table():
    pd = need("pandas")
    ann, bo = pd.Series(list("xxyz"), name="ann"), pd.Series(list("xyyx"), name="bo")
    for margins in (False, True):
        study = Annotations.of(pd.crosstab(ann, bo, margins=margins), layout="contingency")
        assert (study.values, len(study.items)) == (("x", "y", "z"), 4)


def test_columns_of_frames_in_a_dict():
    frame = pandas(STRINGS)
    other = polars(STRINGS)
    table = {"item": frame["task"], "annotator": other["worker"], "value": pyarrow(STRINGS)["label"]}
    assert set(as_annotations(table).rows()) == set(as_annotations(STRINGS).rows())


def test_a_lazy_frame_is_asked_for_three_columns_only():
    frame = polars({**STRINGS, "text": ["long"] * 60})
    assert not as_annotations(frame.lazy()).attributes
    assert Annotations.of(frame.lazy(), attributes=["text"]).attributes["text"][0] == "long"
    assert list(as_annotations(frame).attributes) == ["text"]


def test_what_is_no_table_says_so():
    with pytest.raises(KindError, match="Schema is not a table"):
        as_annotations(need("pyarrow").schema([]))
