"""Long tables that stay where they are, in a database or a lazy frame.

Two queries give all that a counting measure needs: the values and annotators that occur, and how many items show each
pattern of counts.  What comes back is put in an order of its own, so that nothing depends on that in which an engine
happens to answer, which differs from run to run.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from glob import glob
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from interagree.arrays import Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded
from interagree.data.coding import engine, shared
from interagree.data.memory import free, in_words, must_fit
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.data.repeated import Duplicates
from interagree.data.sql import DUCKDB, literal, quoted
from interagree.data.types import Annotator, Extent, Frame, Item, Lazy, Value
from interagree.data.unnamed import Unnamed
from interagree.data.values import canonical, check_order, in_order, is_missing, key, plain
from interagree.errors import (
    DataError,
    DuplicateAnnotation,
    FormatError,
    Hint,
    KindError,
    OneOf,
    OptionError,
    RowsFetched,
    Wording,
    extra,
    listing,
)
from interagree.errors.options import checked_methods, checks_options
from interagree.gather.rules import Rules
from interagree.gather.values import present
from interagree.reading.door import build
from interagree.reading.frames import answering, collected, opened, schema_of, table
from interagree.reading.parts import roles

PACKAGE = __name__.partition(".")[0]
MOST_PEOPLE = 16  # annotators up to which who gave what is counted by one column for each
MOST = 64  # values up to which items are counted by one column for each value
# Bytes of memory for each row, measured on a million rows of strings: while rows are fetched, and while the calls that
# take most work on them.
KEPT, WORKED_ON = 250, 550
PER_CODE = 80  # bytes of memory that an annotation takes while it is made of a pattern
PER_NUMBER, SHARE = 20, 0.25  # bytes that a number of a pair takes, and the share of free memory that they may
PER_COUNT = 24  # bytes of memory that a count of a pattern takes while patterns are fetched


@dataclass
class Ledger:
    """What was asked of an engine so far, and what came back."""

    queries: int = 0
    rows: int | None = None  # that were fetched; None where none were
    study: Annotations | None = None  # what became of them
    unnamed: Annotations | None = None  # the same without the names of items, made of patterns


@checked_methods
@dataclass(frozen=True)
class Scan(Lazy):
    """A long table in a database or a lazy frame, with the parts its columns play.

    Nothing is fetched before it is needed, and then as little as possible: the values and annotators that occur, and
    how many items show each pattern of counts.
    """

    frame: nw.LazyFrame[Any]  # of any library, with the columns item, annotator and value
    declared: tuple[Value, ...] | None = None
    ordered: bool = False
    duplicates: Duplicates = "error"
    start: Provenance = field(default_factory=Provenance)
    cells: Rules = field(default_factory=Rules)  # how values are read
    ledger: Ledger = field(default_factory=Ledger, compare=False, repr=False)

    @cached_property
    def _cells(self) -> list[tuple[Any, Annotator, int, int]]:
        """Value, annotator, number of rows, number of rows with an item."""
        number, of_items = nw.len().alias("rows"), nw.col("item").count().alias("items")
        counts = self._asked(lambda: self.frame.group_by("value", "annotator").agg(number, of_items))
        cells = [(v, a, int(n), int(m)) for v, a, n, m in counts.select("value", "annotator", "rows", "items").rows()]
        for role, bad in (
            ("annotator", sum(n for v, a, n, _ in cells if is_missing(a) and not is_missing(v))),
            ("item", sum(n - m for v, _, n, m in cells if not is_missing(v))),
        ):
            if bad:
                raise DataError(
                    f"{counted(bad, 'row')} with a value and no {role}; fill in the {role}, or filter the rows out"
                )
        return cells

    @cached_property
    def _meaning(self) -> tuple[list[tuple[Any, Value | None]], list[Step]]:
        """What each value that occurs means, None where it means that there is none, and what to say about it."""
        times: dict[Any, tuple[Any, int]] = {}
        for v, _, rows, _ in self._cells:
            if not is_missing(v):
                times[key(v)] = (v, times.get(key(v), (v, 0))[1] + rows)
        seen = _in_fixed_order([v for v, _ in times.values()])
        whole = [int(v) for v in seen if isinstance(v, float) and v.is_integer()]
        # Whole numbers become reals where some are missing.
        names: list[Value] = [*whole] if len(whole) == len(seen) else [plain(v) for v in seen]
        codes = np.arange(len(names), dtype=np.int32)
        column, steps = present(
            Coded(codes, names), self.cells, np.array([times[key(v)][1] for v in seen], dtype=np.int64)
        )
        meant = [*column.names, None]
        return [(v, meant[code]) for v, code in zip(seen, column.codes.tolist(), strict=True)], steps

    @cached_property
    def _domain(self) -> tuple[tuple[Value, ...], list[list[Any]]]:
        """The values in order, and each as the backend writes it, in one way or several (none: nobody gave it)."""
        written: dict[Any, list[Any]] = {}
        values: dict[Any, Value] = {}
        for v, value in self._meaning[0]:
            if value is not None:
                written.setdefault(key(value), []).append(v)
                values.setdefault(key(value), value)
        if self.ordered and self.declared is None:
            check_order([*values.values()])
        domain = tuple(in_order([*values.values()])) if self.declared is None else self.declared
        known = {key(v) for v in domain}
        stray = [value for name, value in values.items() if name not in known]
        if stray:
            raise DataError(
                f"{listing(stray, most=5)} {'was' if len(stray) == 1 else 'were'} given and not declared; the declared "
                f"values are {listing(domain)}"
            )
        return domain, [written.get(key(v), []) for v in domain]

    @property
    def values(self) -> tuple[Value, ...]:
        """The values that could have been given, in order."""
        return tuple(self.fetch().values) if self.fetches else self._domain[0]

    @cached_property
    def fetches(self) -> bool:
        """Whether there are so many values that a query with a column for each would be slower than the rows."""
        if self.declared is None and schema_of(self.frame)["value"].is_float():
            # Nearly all of many reals are distinct, so that to ask who gave which is to fetch the rows.
            values = self._asked(lambda: self.frame.group_by("value").agg(nw.len().alias("rows")).head(2 * MOST))
            if len(values) == 2 * MOST:
                return True
        return sum(map(bool, self._domain[1])) > MOST

    @property
    def in_order(self) -> bool:
        """Whether the values stand in an order that a measure may use."""
        return self.ordered or self.declared is not None

    @cached_property
    def annotators(self) -> tuple[Annotator, ...]:
        """Who gave values."""
        if self.fetches:
            return tuple(self.fetch().annotators)
        given = {key(v) for v, value in self._meaning[0] if value is not None}
        return tuple(
            in_order(list(dict.fromkeys(plain(a) for v, a, *_ in self._cells if not is_missing(v) and key(v) in given)))
        )

    @cached_property
    def n(self) -> Extent:
        """The numbers of items, annotators and annotations."""
        if self.fetches:
            study = self.fetch()
            return Extent(len(study.items), len(study.annotators), len(study))
        rows, times = self._counted
        return Extent(int(times.sum()), len(self.annotators), int((rows.sum(axis=1) * times).sum()))

    @property
    def provenance(self) -> Provenance:
        """Where the table came from and what was left out."""
        if self.fetches:
            return self.fetch().provenance
        lost = sum(n for v, _, n, _ in self._cells if is_missing(v))
        none = noted("dropped", f"{counted(lost, 'row')} without a value left out", lost)
        return self.start.then(*self._meaning[1], *none)

    def patterns(self) -> tuple[Integers, Integers]:
        """The distinct rows of counts per value, and how many items show each."""
        if self.fetches:
            raise KindError(
                f"more than {MOST} distinct values do not reduce to patterns; count the annotations themselves, as in "
                "scan(…).collect()"
            )
        return self._counted

    def sizes(self) -> tuple[Integers, Integers]:
        """The numbers of annotations that items have, and how many items have each."""
        rows, times = self.patterns()
        size = rows.sum(axis=1)
        distinct, place = np.unique(size, return_inverse=True)
        return distinct, np.bincount(place.reshape(-1), weights=times).astype(np.int64)

    @cached_property
    def _counted(self) -> tuple[Integers, Integers]:
        self._check_duplicates()
        domain = self.values
        if not domain:
            return np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
        columns = self._columns("n")
        rows, times = self._distinct(lambda: self._items(columns), columns)
        made = np.zeros((len(rows), len(domain)), dtype=np.int64)
        made[:, [*columns.values()]] = rows
        place = np.lexsort(made.T)
        return made[place], times[place]

    def _columns(self, prefix: str, *, votes: bool = False) -> dict[str, int]:
        """For each value that was given, or for each annotator, what a column of theirs is called, and their place."""
        if votes:
            return {f"{prefix}{place}": place for place in range(len(self.annotators))}
        return {f"{prefix}{place}": place for place, forms in enumerate(self._domain[1]) if forms}

    def _items(self, columns: Mapping[str, int]) -> nw.LazyFrame[Any]:
        """A row for each item with how often it was given each value."""
        # A count of an indicator that is null elsewhere is the one form that every backend knows.
        ones = self._given.with_columns(
            **{name: nw.when(_is_one_of(self._domain[1][place])).then(nw.lit(1)) for name, place in columns.items()}
        )
        return ones.group_by("item").agg(*(nw.col(name).count() for name in columns))

    def _distinct(self, items: Callable[[], nw.LazyFrame[Any]], columns: Collection[str]) -> tuple[Integers, Integers]:
        """The distinct rows of whole numbers in some columns, and how often each occurs."""
        size = PER_COUNT * (len(columns) + 1)
        if sum(n for _, _, n, _ in self._cells) * size > free():  # as many as there are rows would not fit
            patterns = self._asked(lambda: items().group_by(*columns).agg(nw.len()).select(nw.len())).item()
            must_fit(
                float(patterns) * size,
                f"{int(patterns):,} different items with {len(columns):,} values",
                "take a sample of the items in the query, or read fewer values",
            )
        found = self._asked(lambda: items().group_by(*columns).agg(nw.len().alias("times")))
        # Sums of some engines are decimals.
        rows = [found[name].to_numpy().astype(np.float64).astype(np.int64) for name in (*columns, "times")]
        return np.column_stack(rows[:-1]) if columns else np.zeros((len(found), 0), dtype=np.int64), rows[-1]

    @cached_property
    def in_place(self) -> bool:
        """Whether so few people annotated, each item once, that who gave what reduces to patterns, too."""
        return not self.fetches and len(self.annotators) <= MOST_PEOPLE and self.duplicates == "error"

    def votes(self) -> tuple[Integers, Integers]:
        """The distinct rows of who gave what, and how many items show each: 0 for nothing, 1 for the first value."""
        return self._voted

    @cached_property
    def _voted(self) -> tuple[Integers, Integers]:
        self._check_duplicates()
        columns = self._columns("a", votes=True)
        rows, times = self._distinct(lambda: self._who([*columns]), columns)
        place = np.lexsort(rows.T)
        return rows[place], times[place]

    def unnamed(self) -> Annotations:
        """The annotations for a call that does not name items, made of patterns where these tell who gave what."""
        if self.ledger.study is not None or not self.in_place:
            return self.fetch()
        if self.ledger.unnamed is None:
            table, times = self.votes()
            pattern, who = np.nonzero(table)
            often = times[pattern]
            count = int(often.sum())
            must_fit(float(PER_CODE) * count, f"the codes of {count:,} annotations", "take a sample of the items")
            # The items of a pattern stand one after the other; the k-th cell of a pattern is of all of them.
            first = (np.cumsum(times) - times)[pattern]
            within = np.arange(count) - np.repeat(np.cumsum(often) - often, often)
            self.ledger.unnamed = Annotations(
                np.repeat(first, often) + within,
                np.repeat(who, often),
                np.repeat(table[pattern, who] - 1, often),
                Unnamed(int(times.sum())),
                self.annotators,
                self.values,
                ordered=self.ordered or None,
                stated=self.declared is not None,
                provenance=self.provenance.then(Step("queried", self.engine)),
            )
        return self.ledger.unnamed

    def _who(self, columns: Sequence[str]) -> nw.LazyFrame[Any]:
        """A row for each item with the place of the value that each annotator gave, from 1 up; 0 for none."""
        written: dict[Any, list[Any]] = {}
        for _, who, *_ in self._cells:
            written.setdefault(key(plain(who)), []).append(who)
        code = nw.lit(0)
        for place, forms in enumerate(self._domain[1], start=1):
            code = nw.when(_is_one_of(forms)).then(nw.lit(place)).otherwise(code) if forms else code
        # The values first: a column for each annotator repeats what stands in it.
        coded = self._given.with_columns(code=code)
        each = coded.with_columns(
            **{
                name: nw.when(_is_one_of(list(dict.fromkeys(written[key(who)])), "annotator"))
                .then(nw.col("code"))
                .otherwise(nw.lit(0))
                for name, who in zip(columns, self.annotators, strict=True)
            }
        )
        return each.group_by("item").agg(*(nw.col(name).max() for name in columns))

    def patterns_beside(
        self, other: Scan, *, votes: tuple[bool, bool] = (False, False)
    ) -> tuple[Integers, Integers, Integers]:
        """The distinct rows that items have here and in another table of the same engine.

        Items are the same where their names are.

        Args:
            other: The other table.
            votes: Of each of the two, whether the rows are those of `votes`, or those of `patterns`.

        Returns:
            The rows here, those of the other table, and how many items show both; zeros where a table lacks the item.
        """
        if other is self and votes[0] == votes[1]:
            rows, times = self.votes() if votes[0] else self.patterns()
            return rows, rows, times
        _check_names(self, other)
        here, there = self._columns("n", votes=votes[0]), other._columns("m", votes=votes[1])
        zero = nw.lit(0).cast(nw.Int64)

        def items() -> nw.LazyFrame[Any]:
            sides = [
                counts.select(
                    "item", *(nw.col(name).cast(nw.Int64) for name in own), *(zero.alias(name) for name in others)
                ).select("item", *here, *there)
                for counts, own, others in (
                    (self._who([*here]) if votes[0] else self._items(here), here, there),
                    (other._who([*there]) if votes[1] else other._items(there), there, here),
                )
            ]
            return nw.concat(sides).group_by("item").agg(*(nw.col(name).sum() for name in (*here, *there)))

        try:
            rows, times = self._distinct(items, (*here, *there))
        except (DataError, NotImplementedError) as error:
            raise KindError(
                f"the two tables could not be joined, so that it is unknown which items they share: {error}; open both "
                "with one connection or session, fetch them with .collect(), or pass paired=False where their items "
                "are not the same"
            ) from error
        made = [
            np.zeros((len(rows), len(table.annotators if who else table.values)), dtype=np.int64)
            for table, who in zip((self, other), votes, strict=True)
        ]
        made[0][:, [*here.values()]] = rows[:, : len(here)]
        made[1][:, [*there.values()]] = rows[:, len(here) :]
        place = np.lexsort(np.hstack(made).T)
        return made[0][place], made[1][place], times[place]

    def items_of_size(self, size: int, most: int) -> list[Item]:
        """Some items that have so many annotations, the first by name."""
        number = nw.len().alias("size")
        found = self._asked(
            lambda: (
                self._given.group_by("item")
                .agg(number)
                .filter(nw.col("size") == size)
                .select("item")
                .sort("item")
                .head(most)
            )
        )
        return [plain(item) for item in found["item"].to_list()]

    @property
    def _given(self) -> nw.LazyFrame[Any]:
        """The rows that hold a value."""
        frame = self.frame.drop_nulls("value")
        numeric = schema_of(self.frame)["value"].is_float()
        frame = frame.filter(~nw.col("value").is_nan()) if numeric else frame
        gone = [v for v, value in self._meaning[0] if value is None]
        return frame.filter(~_is_one_of(gone)) if gone else frame

    def _check_duplicates(self) -> None:
        if self.duplicates == "keep":
            return
        if self.duplicates != "error":
            given, known = hints = [Hint("duplicates", self.duplicates), Hint("duplicates", OneOf(("error", "keep")))]
            raise KindError(
                f"rows of a database have no order, so {given} has no meaning there; pass {known}, or fetch the rows "
                "with interagree.Annotations.of",
                hints=hints,
            )
        if self._pairs_differ():
            return
        times = nw.len().alias("times")
        repeated = self._asked(
            lambda: self._given.group_by("item", "annotator").agg(times).filter(nw.col("times") > 1).head(1)
        ).rows()
        if repeated:
            item, annotator, times = repeated[0]
            keep = Hint("duplicates", "keep")
            raise DuplicateAnnotation(
                f"annotator {plain(annotator)!r} annotated item {plain(item)!r} {int(times)} times; keep one row for "
                f"each, or pass {keep} to count them all",
                hints=[keep],
            )

    def _pairs_differ(self) -> bool:
        """Whether a number for each pair of item and annotator shows that none occurs twice; False where it does not.

        Sorted numbers take a quarter of the time of groups of pairs, and of their memory.  Two pairs may share a
        number, so equal numbers prove nothing; and not all engines have such numbers.
        """
        rows = sum(n for _, _, n, _ in self._cells)
        if PER_NUMBER * rows > SHARE * free() or self.frame.implementation is not nw.Implementation.DUCKDB:
            return False
        with answering(self.frame.implementation):
            self.ledger.queries += 1
            pairs = self._given.to_native().project("hash(item, annotator) AS number")
            numbers = np.asarray(pairs.fetchnumpy()["number"])
        numbers.sort()
        return not (numbers[1:] == numbers[:-1]).any()

    def collect(self) -> Annotations:
        """The annotations themselves, for measures that must know who gave what; they are kept."""
        if self.ledger.study is None:
            self._must_fit(KEPT)
            self.ledger.study = self._collected()
        return self.ledger.study

    def fetch(self) -> Annotations:
        """The same for a call that cannot do without: it says so before, and its result says so, too."""
        if self.ledger.study is None:
            rows = self._must_fit(WORKED_ON)
            size = f"{rows:,} rows are fetched from {self.frame.implementation}"
            _warn(
                f"this needs the annotations themselves, so {size}, about {in_words(WORKED_ON * rows)} of memory; "
                "scan(…).collect() fetches them once and without this warning"
            )
            study = self._collected()
            self.ledger.study = study.with_steps(Step("fetched", self.engine))
        return self.ledger.study

    def _must_fit(self, each: int) -> int:
        """How many rows there are; an error where that many do not fit into memory, with so many bytes each."""
        known = vars(self).get("_cells")  # which cost a query
        rows = (
            self._asked(lambda: self.frame.select(nw.len())).item() if known is None else sum(n for _, _, n, _ in known)
        )
        engine = self.frame.implementation
        must_fit(
            float(each) * int(rows),
            f"this needs the annotations themselves, and {int(rows):,} rows of {engine}",
            "take a sample of the items in the query, such as every hundredth, fewer annotators as in ",
            Wording("scan.only(annotators=[…])", "--only NAME,…"),
            ", or a coefficient that is counted in place, such as alpha",
        )
        return int(rows)

    def _collected(self) -> Annotations:
        self.ledger.queries += 1
        domain = vars(self).get("_domain", (None,))[0]  # of a part all values that could have been given
        study = build(
            table(self.frame),
            item="item",
            annotator="annotator",
            value="value",
            values=domain if self.declared is None else self.declared,
            ordered=self.ordered or None,
            duplicates=self.duplicates,
            missing=self.cells.missing,
            trim=self.cells.trim,
            fold_case=self.cells.fold_case,
            provenance=self.start,
        )
        self.ledger.rows = len(study)
        return study if self.declared is not None or domain is None else replace(study, stated=False)

    @property
    def engine(self) -> str:
        """What the engine was asked so far: "counted in place by duckdb, 3 queries", or how many rows were fetched."""
        queries = counted(self.ledger.queries, "query")
        name, rows = self.frame.implementation, self.ledger.rows
        return (
            f"counted in place by {name}, {queries}" if rows is None else f"{counted(rows, 'row')} fetched from {name}"
        )

    @property
    def fetched(self) -> Annotations | None:
        """The annotations, where a call fetched them already."""
        return self.ledger.study

    def _asked(self, query: Callable[[], nw.LazyFrame[Any]]) -> nw.DataFrame[Any]:
        """What the engine answers to one query; some look at the table as soon as the query is stated."""
        self.ledger.queries += 1
        with answering(self.frame.implementation):
            return collected(query())

    def without(self, *names: Annotator) -> Scan:
        """The table as if these annotators had not taken part."""
        return self._of(~nw.col("annotator").is_in(list(names)))

    def only(self, *, annotators: Sequence[Annotator]) -> Scan:
        """The table of some annotators alone."""
        return self._of(nw.col("annotator").is_in(list(annotators)))

    def _of(self, rows: nw.Expr) -> Scan:
        """Some of the rows; the values that could have been given stay those of all."""
        with answering(self.frame.implementation):
            part = replace(self, frame=self.frame.filter(rows), ledger=Ledger())
        if not self.fetches:
            vars(part).update(_meaning=self._meaning, _domain=self._domain, fetches=False)
        return part

    def __repr__(self) -> str:
        return f"<Scan of {self.frame.implementation}: {listing(schema_of(self.frame))}>"


def _warn(sentence: str) -> None:
    """Warn whoever called a function of ours."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, RowsFetched, stacklevel=level)


def _in_fixed_order(values: list[Any]) -> list[Any]:
    """Values in an order that does not depend on that in which an engine gave them."""
    return in_order(sorted(values, key=lambda value: (type(value).__name__, canonical(value))))


def _check_names(first: Scan, second: Scan) -> None:
    """An error where items of two tables cannot have the same names: texts in one and numbers in the other."""
    types = [schema_of(table.frame)["item"] for table in (first, second)]
    if types[0].is_numeric() != types[1].is_numeric():
        raise KindError(
            f"items are {types[0]} in one table and {types[1]} in the other, so that none has the name of another; "
            "make both text or both numbers where the tables are stated, or pass paired=False"
        )


def _is_one_of(forms: Sequence[Any], name: str = "value") -> nw.Expr:
    column = nw.col(name)
    return column == nw.lit(forms[0]) if len(forms) == 1 else column.is_in(list(forms))


def _engine_of(data: object) -> str:
    return "duckdb" if isinstance(data, str | Path) else type(data).__module__.partition(".")[0].lstrip("_")


def _relation(data: object, table: str | None, query: str | None) -> Any:
    """The rows of a file, of a table or of a query, as DuckDB has them."""
    duckdb = engine()
    if duckdb is None:
        raise extra("duckdb", "engine", purpose=f"counting {data} where it is")
    connection: Any = data
    source: str | None = None
    if isinstance(data, str | Path):
        connection, source = _of_file(str(data))
    if source is not None:
        if table is not None or query is not None:
            raise OptionError(f"{data} is a table itself; leave {'table' if query is None else 'query'}= out")
    elif query is not None:
        kinds = [str(statement.type).rpartition(".")[2] for statement in connection.extract_statements(query)]
        if kinds not in (["SELECT"], ["SELECT_STATEMENT"]):  # as newer and older versions call it
            raise OptionError(f"query= takes one SELECT, which reads, and not {query[:60]!r}", hints=[Hint("query")])
        source = query
    else:
        source = f"SELECT * FROM {'.'.join(map(quoted, (table or _only_table(connection)).split('.')))}"  # noqa: S608 -- quoted
    return connection.sql(source)


def _of_file(name: str) -> tuple[Any, str | None]:
    """A connection to a file of DuckDB, or one that reads Parquet files, and the query that does."""
    path = Path(name)
    if path.suffix.lower() in DUCKDB:
        if not path.is_file():
            raise FormatError(f"there is no file {name}")
        return shared(path), None
    place = path / "**" / "*.parquet" if path.is_dir() else path
    if place.suffix.lower() not in (".parquet", ".pq"):
        raise KindError(
            f"{name} cannot be counted where it is: that is done of Parquet files, a folder or a pattern of them as in "
            "'votes/*.parquet', and of files of DuckDB; read it with interagree.read, or pass a lazy frame"
        )
    if not glob(str(place), recursive=True):  # noqa: PTH207 -- of an absolute pattern, too
        raise FormatError(f"there is no Parquet file {place}")
    return shared(), f"SELECT * FROM read_parquet({literal(str(place))})"  # noqa: S608 -- quoted


def _only_table(connection: Any) -> str:
    rows = connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
    if len(rows) == 1:
        return str(rows[0][0])
    hints = [Hint("table"), Hint("query")]
    if not rows:
        raise FormatError("the database has no table to count")
    raise OptionError(
        f"the database has the tables {listing(name for (name,) in rows)}; say which one by {hints[0]}, or what to "
        f"select by {hints[1]}",
        hints=hints,
    )


@checks_options
def scan(
    relation: Frame | str | Path,
    *,
    table: str | None = None,
    query: str | None = None,
    item: Hashable | None = None,
    annotator: Hashable | None = None,
    value: Hashable | None = None,
    values: Sequence[Value] | None = None,
    ordered: bool = False,
    duplicates: Duplicates = "error",
    missing: Sequence[Value] = (),
    trim: bool = False,
    fold_case: bool = False,
) -> Scan:
    """A long table that stays where it is, in DuckDB, Spark, Dask, Polars or whatever Ibis reaches.

    Args:
        relation: A lazy frame, a relation or a table expression; a Parquet file, a folder or a pattern of them, a file
            of DuckDB, or a connection of DuckDB.
        table: The table of a database; the only one by default.
        query: What to select from a database, in place of a table.
        item: The column that holds the item.
        annotator: The column that holds the annotator.
        value: The column that holds the value.
        values: All values that could have been given, in order from lowest to highest where there is one; an enum
            states them itself.
        ordered: Whether the order of ``values`` means something; without them the values must be numbers.
        duplicates: "error", or "keep" to count every row without looking for repeats.
        missing: Values that mean: no annotation.
        trim: Whether spaces around a value are removed.
        fold_case: Whether values that differ only in case are one.

    Returns:
        The table, which every measure that only counts takes as it is; ``.collect()`` fetches the rows for the others.

    Examples:
        >>> import interagree, polars
        >>> rows = {"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "value": ["x", "x", "y", "x"]}
        >>> labels = interagree.scan(polars.LazyFrame(rows))
        >>> labels.n
        Extent(items=2, annotators=2, annotations=4)
    """
    with answering(_engine_of(relation)):
        if isinstance(relation, str | Path) or hasattr(relation, "extract_statements"):
            relation = _relation(relation, table, query)
        elif table is not None or query is not None:
            raise OptionError("table= and query= are about a database, and this is a table itself; leave them out")
        frame = opened(relation).lazy()
        schema = schema_of(frame)
    part = roles([*schema], item=item, annotator=annotator, value=value)
    scale = schema[str(part.value)]
    for column in (part.item, part.annotator, part.value):
        if schema[str(column)].is_nested():
            raise KindError(
                f"{column!r} holds lists or records, which no database counts; fetch the rows, as in "
                "interagree.Annotations.of(…)"
            )
    if values is None and isinstance(scale, nw.Enum):
        values, ordered = list(scale.categories), True
    return Scan(
        frame.select(**{role: nw.col(str(getattr(part, role))) for role in ("item", "annotator", "value")}),
        None if values is None else tuple(map(plain, values)),
        ordered,
        duplicates,
        Provenance().then(*part.step()),
        Rules(missing=missing, trim=trim, fold_case=fold_case, values=values),
    )
