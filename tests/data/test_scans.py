"""A table that stays in its engine gives what the same table in memory gives: numbers, intervals, p-values, words."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import need

import interagree as ia
from interagree._rooms import everything
from interagree.errors import DataError, InteragreeError, KindError, RowsFetched
from interagree.plugins import MEASURES

Columns = dict[str, list[Any]]


def votes(seed: int, *, items: int = 120, people: int = 6, each: int = 4, faithful: float = 0.75) -> Columns:
    """A study of annotators with gaps, in no order, with names that quoting must not break."""
    draw = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        true = draw.integers(3)
        for who in draw.permutation(people)[: draw.integers(1, each + 1)].tolist():
            label = "abc"[true if draw.random() < faithful else draw.integers(3)]
            rows.append((f"it'em {item:03d}%", f'w;"{who}"', label))
    rows = [rows[i] for i in draw.permutation(len(rows)).tolist()]
    return {name: [row[k] for row in rows] for k, name in enumerate(("item", "annotator", "value"))}


class Engine:
    """A table of an engine for each study that it is given, all of one connection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        if name == "duckdb":
            self.connection = need("duckdb").connect()

    def session(self) -> Any:
        """A session of Spark, started anew where the last one was stopped."""
        need("java")
        builder = need("pyspark.sql").SparkSession.builder.master("local[1]")
        for key, value in (("spark.ui.enabled", "false"), ("spark.sql.shuffle.partitions", "1")):
            builder = builder.config(key, value)
        return builder.getOrCreate()

    def __call__(self, columns: Columns, **options: Any) -> Any:
        if self.name == "polars":
            return ia.scan(need("polars").LazyFrame(columns), **options)
        table = need("pyarrow").table(columns)
        if self.name == "pyspark":
            return ia.scan(self.session().createDataFrame(table), **options)
        self.count += 1
        self.connection.register(f"votes{self.count}", table)
        return ia.scan(self.connection.table(f"votes{self.count}"), **options)


ENGINES = ["polars", *(pytest.param(name, marks=pytest.mark.engine) for name in ("duckdb", "pyspark"))]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return Engine(request.param)


def same(found: Any, right: Any) -> None:
    assert found.shared == right.shared
    for name in ("value", "error", "df", "low", "high", "p_value"):
        assert getattr(found, name) == pytest.approx(getattr(right, name), abs=1e-10), name


# -- comparisons ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paired", [True, False])
def test_two_tables_of_one_engine_are_compared_item_by_item(engine: Engine, *, paired: bool) -> None:
    before, after = votes(1), votes(2, items=150, faithful=0.9)
    found = ia.compare(engine(before), engine(after), measure="alpha", paired=paired)
    same(found, ia.compare(before, after, measure="alpha", paired=paired))
    assert (found.shared > 60) == paired


def test_two_coefficients_of_one_table_vary_together(engine: Engine) -> None:
    study, there = votes(3), engine(votes(3))
    for one, two in (("alpha", "ac1"), ("percent", "spa"), ("fleiss_kappa", "bennett_s")):
        first, second = (getattr(ia, name) for name in (one, two))
        same(ia.compare(first(there), second(there)), ia.compare(first(study), second(study)))


def test_values_that_one_round_lacks_do_not_matter(engine: Engine) -> None:
    before, after = votes(4), votes(5)
    after = {**after, "value": [{"a": "x", "b": "b", "c": "c"}[v] for v in after["value"]]}
    same(ia.compare(engine(before), engine(after)), ia.compare(before, after))


def test_tables_that_share_no_item_are_independent_and_say_so(engine: Engine) -> None:
    before, after = votes(6), votes(7)
    after = {**after, "item": [f"other {name}" for name in after["item"]]}
    found = ia.compare(engine(before), engine(after))
    same(found, ia.compare(before, after))
    assert "no items in common" in str(found)


def test_tables_that_cannot_be_joined_are_never_taken_for_independent(engine: Engine) -> None:
    there, study = engine(votes(1)), votes(2)
    with pytest.raises(KindError, match="which items they share"):
        ia.compare(there, study)
    with pytest.raises(KindError, match="which items they share"):
        ia.compare(ia.alpha(study), ia.alpha(there))
    assert ia.compare(there, study, paired=False).shared == 0
    numbered = {**study, "item": [int(name[6:9]) for name in study["item"]]}
    with pytest.raises(KindError, match="none has the name of another"):
        ia.compare(there, engine(numbered))
    restored = pickle.loads(pickle.dumps(ia.alpha(there)))
    with pytest.raises(KindError, match="pickled"):
        ia.compare(restored, ia.ac1(there))


def test_tables_of_two_engines_cannot_be_joined() -> None:
    polars, duckdb = Engine("polars"), Engine("duckdb")
    with pytest.raises(KindError, match="could not be joined"):
        ia.compare(polars(votes(1)), duckdb(votes(2)))


def test_a_coefficient_that_fetched_is_compared_with_one_that_did_not(engine: Engine) -> None:
    study, there = votes(8), engine(votes(8))
    with pytest.warns(RowsFetched, match="rows are fetched"):
        second = ia.measures.ks(there)
    same(ia.compare(ia.alpha(there), second), ia.compare(ia.alpha(study), ia.measures.ks(study)))


def test_coefficients_that_ask_who_gave_what_are_compared_in_place(engine: Engine) -> None:
    before, after = votes(1), votes(2, faithful=0.9)
    first, second = engine(before), engine(after)
    same(ia.compare(ia.conger_kappa(first), ia.alpha(second)), ia.compare(ia.conger_kappa(before), ia.alpha(after)))
    same(ia.compare(first, second, measure="light_kappa"), ia.compare(before, after, measure="light_kappa"))
    same(ia.compare(ia.conger_kappa(first), ia.ac1(first)), ia.compare(ia.conger_kappa(before), ia.ac1(before)))


# -- who gave what -------------------------------------------------------------------------------------------------


def rows_of(table: ia.Table, *, by: str) -> dict[frozenset[object], dict[str, Any]]:
    """The rows of a table by the names in their first columns; a pair of annotators has no order."""
    names = ["first", "second"] if by == "pair" else [by]
    rows = [dict(zip(table.columns, row, strict=True)) for row in zip(*table.columns.values(), strict=True)]
    return {frozenset(row.pop(name) for name in names): row for row in rows}


@pytest.mark.parametrize("name", ["alpha", "conger_kappa", "fleiss_kappa", "percent", "light_kappa"])
def test_the_drill_down_of_few_annotators_is_made_of_patterns(engine: Engine, name: str) -> None:
    study = votes(13, people=5)
    measure = MEASURES[name]
    right, found = measure(study), measure(engine(study))
    for by in ("annotator", "pair", "value"):
        table, wanted = (rows_of(getattr(one, f"by_{by}")(), by=by) for one in (found, right))
        assert table.keys() == wanted.keys()
        for key, row in wanted.items():
            assert table[key] == pytest.approx(row, abs=1e-12, nan_ok=True)
    if name != "light_kappa":
        for random in ("annotators", "both"):
            assert found.interval(random=random) == pytest.approx(right.interval(random=random), abs=1e-12)
    with pytest.raises(KindError, match="these stay in their database; collect them first"):
        found.by_item()


def test_a_table_by_value_of_many_annotators_is_made_of_counts(engine: Engine) -> None:
    study = votes(14, people=40)
    for name in ("alpha", "ac1", "percent"):
        table, wanted = (rows_of(MEASURES[name](one).by_value(), by="value") for one in (engine(study), study))
        for key, row in wanted.items():
            assert table[key] == pytest.approx(row, abs=1e-12)


def test_who_gave_what_of_two_annotators_among_many_is_counted_in_place(engine: Engine) -> None:
    study = votes(17, people=40, items=400)
    there = engine(study)
    first, second = sorted(set(study["annotator"]))[3:5]
    for names in ((), (first, second), (second, first)):
        assert ia.confusion(there, *names).columns == ia.confusion(study, *names).columns
    assert there.engine.startswith("counted in place")
    with pytest.raises(InteragreeError, match="nobody"):
        ia.confusion(there, first, "nobody")


def test_part_of_the_annotators_keep_all_values_that_could_have_been_given(engine: Engine) -> None:
    study = votes(15, people=5)
    study["value"] = [
        "only one" if who.endswith('0"') else v for who, v in zip(study["annotator"], study["value"], strict=True)
    ]
    gone = next(who for who in study["annotator"] if who.endswith('0"'))
    there, right = engine(study).without(gone), ia.Annotations.of(study).without(gone)
    assert there.values == right.values
    assert there.collect().values == right.values
    assert ia.bennett_s(there).value == pytest.approx(ia.bennett_s(right).value, abs=1e-12)


def test_names_of_items_that_stay_in_the_database_are_asked_for_in_a_sentence(engine: Engine) -> None:
    made = engine(votes(16)).unnamed()
    for ask in (lambda: made.items[0], lambda: [*made.items], made.rows):
        with pytest.raises(KindError, match="collect the annotations first"):
            ask()


# -- the order of rows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alpha", "spa", "ac2"])
def test_a_seed_draws_the_same_bits_as_in_memory_however_rows_are_returned(engine: Engine, name: str) -> None:
    study, measure = votes(9), getattr(ia, name)
    right = measure(study).interval(method="bootstrap", seed=3, resamples=200)
    again = np.random.default_rng(0).permutation(len(study["item"])).tolist()
    for table in (study, {column: [cells[i] for i in again] for column, cells in study.items()}):
        found = measure(engine(table)).interval(method="bootstrap", seed=3, resamples=200)
        assert (found.low, found.high) == (right.low, right.high)


def test_a_seed_draws_the_same_bits_for_those_who_gave_what() -> None:
    study = votes(9)
    again = np.random.default_rng(0).permutation(len(study["item"])).tolist()
    turned = {column: [cells[i] for i in again] for column, cells in study.items()}
    tables = [Engine(name)(table) for name in ("polars", "duckdb") for table in (study, turned)]
    ends = [ia.conger_kappa(table).interval(method="bootstrap", seed=3, resamples=200) for table in tables]
    assert len({(interval.low, interval.high) for interval in ends}) == 1


def test_a_plan_names_the_items_that_get_the_next_labels(engine: Engine) -> None:
    study = votes(10)
    rows = sorted(zip(*study.values(), strict=True))
    in_order = {name: [row[k] for row in rows] for k, name in enumerate(study)}
    found, right = ia.plan(engine(study), half_width=0.03, spend=40), ia.plan(in_order, half_width=0.03, spend=40)
    assert found.next["which"] == right.next["which"]
    assert any(found.next["which"])


# -- engines that do not answer ------------------------------------------------------------------------------------


def test_a_connection_that_was_closed_is_a_sentence() -> None:
    duckdb = Engine("duckdb")
    there = duckdb(votes(1))
    duckdb.connection.close()
    for ask in (ia.alpha, repr, lambda one: one.collect(), lambda one: one.without("ann")):
        with pytest.raises(DataError, match=r"^duckdb did not answer \(Connection Error: Connection has already"):
            ask(there)


@pytest.mark.engine
def test_a_session_that_was_stopped_is_a_sentence() -> None:
    spark = Engine("pyspark")
    there = spark(votes(1, items=5))
    spark.session().stop()
    for ask in (ia.alpha, lambda one: one.collect(), lambda one: one.without("ann").patterns()):
        with pytest.raises(DataError, match=r"^pyspark did not answer .*; check that its connection or session is"):
            ask(there)


@pytest.mark.engine
def test_a_view_that_fails_in_the_middle_is_a_sentence() -> None:
    connection = need("duckdb").connect()
    connection.execute("create table t as select i as item, i % 3 as annotator, 'a' as value from range(3000) r(i)")
    value = "case when item = 2999 then error('no') else value end"
    connection.execute(f"create view v as select item, annotator, {value} as value from t")
    with pytest.raises(DataError, match="duckdb did not answer"):
        ia.alpha(ia.scan(connection.table("v")))


@pytest.mark.parametrize("role", ["item", "annotator", "value"])
def test_lists_are_refused_in_every_column(engine: Engine, role: str) -> None:
    table = votes(1, items=5)
    with pytest.raises(KindError, match="holds lists or records"):
        engine({**table, role: [[cell] for cell in table[role]]})


# -- every public call ---------------------------------------------------------------------------------------------

DATA = frozenset(("data", "study", "first"))  # what functions of data call their first parameter
FURTHER: dict[str, dict[str, Any]] = {  # what a call cannot do without
    "alt_test": {"models": ["w0"]},
    "explain": {"measure": "alpha"},
    "groups": {"by": {f"w{k}": "ab"[k % 2] for k in range(6)}},
    "groups_agreement": {"groups": {f"w{k}": "ab"[k % 2] for k in range(6)}},
    "judge": {"models": ["w0"]},
    "xrr": {"groups": {f"w{k}": "ab"[k % 2] for k in range(6)}},
}
SCREENED = frozenset(("compare_groups", "gamma_k"))  # they want a column of the items, or a label of spans


def _calls() -> list[str]:
    """The names of all public functions that take a study first, as their signatures tell, and of explain."""
    names = []
    for name, function in everything().items():
        if not isinstance(function, type) and callable(function):
            parameters = [*inspect.signature(function).parameters]
            if (parameters and parameters[0] in DATA and name not in SCREENED) or name == "explain":
                names.append(name)
    return sorted(names)


def _numbers(answer: object) -> object:
    """All that an answer tells, its interval and p-value among it, without where it was counted."""
    if isinstance(answer, ia.Agreement):
        # What is there of an interval and of tables of a coefficient depends on whether the rows are at hand.
        kept = ("value", "observed", "expected", "interval", "standard_error", "p_value", "notes", "undefined", "n")
        whole = answer.to_dict()
        return {name: whole[name] for name in kept if name in whole}
    if isinstance(answer, ia.Table):
        return answer.columns
    if hasattr(answer, "to_dict"):
        whole = answer.to_dict()
        return {name: entry for name, entry in whole.items() if name not in ("policy", "study")}
    return answer


def _apart(found: object, right: object, where: str = "") -> list[str]:
    """Where two answers differ by more than 1e-10."""
    if isinstance(found, dict) and isinstance(right, dict):
        names = [name for name in right if name != "policy"]
        missing = [f"{where}.{name} is missing" for name in names if name not in found]
        return missing + [
            line for name in names if name in found for line in _apart(found[name], right[name], f"{where}.{name}")
        ]
    if isinstance(found, list | tuple) and isinstance(right, list | tuple) and len(found) == len(right):
        return [
            line for k, pair in enumerate(zip(found, right, strict=True)) for line in _apart(*pair, f"{where}[{k}]")
        ]
    if isinstance(found, float) and isinstance(right, float):
        near = found == pytest.approx(right, abs=1e-10, rel=1e-10, nan_ok=True)
        return [] if near else [f"{where}: {found!r}, in memory {right!r}"]
    if isinstance(found, np.ndarray) or isinstance(right, np.ndarray):
        return [] if np.allclose(found, right, rtol=1e-10, atol=1e-10, equal_nan=True) else [where]
    if "fetched from" in str(found):  # a line about the data, which says where they came from
        return []
    return [] if found == right else [f"{where}: {str(found)[:90]!r}, in memory {str(right)[:90]!r}"]


def _studies() -> list[Columns]:
    """Labels by six annotators and by two, and numbers by two; rows in the order of their names, as memory has them."""
    made = []
    for people, numbers in ((6, False), (2, False), (2, True)):
        study = votes(11, items=40, people=people)
        study["annotator"] = [f"w{name[-2]}" for name in study["annotator"]]
        if numbers:
            study["value"] = [float(ord(v) - 96) for v in study["value"]]
        rows = sorted(zip(*study.values(), strict=True))
        made.append({name: [row[k] for row in rows] for k, name in enumerate(study)})
    return made


ON_SPARK = ("alpha", "coincidences", "compare", "conger_kappa", "disagreements", "icc", "spa")  # where a job takes long


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        *(("polars", name) for name in _calls()),
        *(pytest.param("duckdb", name, marks=pytest.mark.engine) for name in _calls()),
        *(pytest.param("pyspark", name, marks=pytest.mark.engine) for name in ON_SPARK),
    ],
    indirect=["engine"],
)
def test_every_call_gives_what_memory_gives_and_says_what_it_fetched(engine: Engine, name: str) -> None:
    parameters = inspect.signature(everything()[name]).parameters.values()
    count = sum(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)
    further = FURTHER.get(name, {})
    count = 1 if further else max(count, 1)

    def call(tables: list[Any]) -> Any:
        given = {"data": tables.pop()} if name == "explain" else {}
        return everything()[name](*tables, **further, **given)

    for study in _studies():
        try:
            right = call([ia.Annotations.of(study)] * count)
        except (InteragreeError, TypeError):
            continue
        there = [engine(study) for _ in range(count)]
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", RowsFetched)
            found = call([*there])
            assert _apart(_numbers(found), _numbers(right)) == []
        fetched = [one for one in told if one.category is RowsFetched]
        for scan in there:
            if scan.fetched is None:
                assert scan.engine.startswith(f"counted in place by {engine.name}, ")
                assert not fetched
            else:
                assert scan.engine == f"{len(study['item']):,} rows fetched from {engine.name}"
                assert f"{len(study['item']):,} rows are fetched from {engine.name}" in str(fetched[0].message)
                assert fetched[0].filename == __file__
            if isinstance(found, ia.Agreement):
                assert ("fetched from" in found.to_dict()["policy"]) == (scan.fetched is not None)
        return
    # What takes no labels refuses them where they stay as it does in memory.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RowsFetched)
        with pytest.raises((InteragreeError, TypeError)):
            call([engine(_studies()[0])] * count)
