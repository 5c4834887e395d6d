"""Named columns that can be printed, sorted, filtered and handed to any data frame library."""

from __future__ import annotations

import html
import importlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from interagree.errors import UNSEEN, KindError, UnknownName, extra, listing, suggestion, visible
from interagree.errors.options import checks_options
from interagree.errors.signs import printable, writable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from matplotlib.axes import Axes

    from interagree.results.charts import Chart


MOST = 60  # rows of a table that a notebook shows
PRINTED = 20  # rows that stand for a table where it is part of something else


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Columns of one length, by name.  Not a data frame: `to_pandas`, `to_polars` and `to_frame` make one."""

    columns: Mapping[str, Sequence[object]]
    title: str = ""
    foot: str = ""

    @classmethod
    def of(
        cls, rows: Sequence[Mapping[str, object]], *, title: str = "", foot: str = "", names: Sequence[str] = ()
    ) -> Table:
        """A table from rows that all have the same names; ``names`` for a table that may be empty."""
        heads = list(rows[0]) if rows else list(names)
        return cls({name: [row[name] for row in rows] for name in heads}, title, foot)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self.columns:
            raise UnknownName(
                f"the table has no column {name!r}; it has {listing(self.columns)}." + suggestion(name, self.columns)
            )
        return self.columns[name]

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def _taking(self, places: Sequence[int]) -> Table:
        return Table(
            {name: [column[i] for i in places] for name, column in self.columns.items()}, self.title, self.foot
        )

    @checks_options
    def where(self, test: Callable[[dict[str, Any]], bool]) -> Table:
        """The rows for which ``test`` holds."""
        return self._taking([i for i, row in enumerate(self.rows()) if test(row)])

    @checks_options
    def sort(self, name: str, *, descending: bool = False) -> Table:
        """The rows in the order of a column; empty entries and those that are not a number come last."""
        column = self[name]
        # Only nan differs from itself.
        absent = [i for i, entry in enumerate(column) if entry is None or entry != entry]  # noqa: PLR0124
        present = sorted({*range(len(self))} - {*absent})
        return self._taking([*sorted(present, key=lambda i: column[i], reverse=descending), *absent])

    @checks_options
    def head(self, most: int) -> Table:
        """The first rows."""
        return self._taking(range(min(most, len(self))))

    def without(self, *names: str) -> Table:
        """The table without some columns."""
        return Table(
            {name: column for name, column in self.columns.items() if name not in names}, self.title, self.foot
        )

    @checks_options
    def to_dict(self, name: str | None = None) -> dict[object, object]:
        """The whole table by column, or one column keyed by the first one."""
        if name is None:
            return {key: list(column) for key, column in self.columns.items()}
        first = next(iter(self.columns.values()))
        return dict(zip(first, self[name], strict=True))

    @checks_options
    def to_frame(self, library: str = "pandas") -> pd.DataFrame | pl.DataFrame | pa.Table:
        """The table as a data frame of 'pandas', 'polars' or 'pyarrow'."""
        data = {name: list(column) for name, column in self.columns.items()}
        try:
            if library == "pandas":
                import pandas as pd

                return pd.DataFrame(data)
            if library == "polars":
                import polars as pl

                return pl.DataFrame(data, strict=False)
            if library == "pyarrow":
                import pyarrow as pa

                return pa.table(data)
        except ImportError:
            raise extra(library, "frames", purpose=f"a {library} table") from None
        raise KindError(f"a frame can be of 'pandas', 'polars' or 'pyarrow', not {library!r}")

    def to_pandas(self) -> pd.DataFrame:
        """The table as a data frame of pandas."""
        return self.to_frame("pandas")

    def to_polars(self) -> pl.DataFrame:
        """The table as a data frame of Polars."""
        return self.to_frame("polars")

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self.to_frame("pyarrow").__arrow_c_stream__(requested_schema)
        return stream

    @checks_options
    def chart(self, column: str | None = None) -> Chart:
        """What there is to draw: one column of numbers, or what the columns suggest where none is named.

        Pairs and tables whose columns are called as their rows are shades; a column beside the ends of its intervals is
        dots with lines; a column of many items is a histogram; others are bars.
        """
        # Charts are a room above, which is loaded when there is something to draw.
        chart: Chart = importlib.import_module("interagree.results.charts.tables").chart_of(self, column)
        return chart

    @checks_options
    def plot(
        self, path: str | Path | None = None, *, column: str | None = None, axes: Axes | None = None
    ) -> Axes | Path:
        """Draw the table with Matplotlib.

        Args:
            path: Where to write the picture (.svg, .png or .pdf).
            column: Which column of numbers to draw; what the columns suggest by default.
            axes: Where to draw it; new axes by default, which a notebook shows.

        Returns:
            The path, or the axes where no path is given.
        """
        figures = importlib.import_module("interagree.results.charts.figures")
        drawn: Axes | Path = figures.plotted(self.chart(column), path, axes=axes)
        return drawn

    def __str__(self) -> str:
        return writable("\n".join([*([visible(self.title)] if self.title else []), aligned(self)]))

    @printable
    def __repr__(self) -> str:
        return str(first_rows(self, PRINTED)) if self.columns else "<Table without columns>"

    def _repr_html_(self) -> str:
        return as_html(first_rows(self, MOST))


def first_rows(table: Table, most: int) -> Table:
    """The first rows of a long table, which says how many more there are."""
    if len(table) <= most:
        return table
    rest = f"… and {len(table) - most:,} more of {len(table):,} rows"
    return Table(table.head(most).columns, table.title, f"{rest}; {table.foot}" if table.foot else rest)


def as_html(table: Table, digits: int = 3) -> str:
    """A table as HTML with its title and its foot, numbers to the right."""
    sides = ["right" if to_right(column) else "left" for column in table.columns.values()]

    def line(tag: str, entries: Iterable[str]) -> str:
        cells = zip(entries, sides, strict=True)
        row = "".join(f'<{tag} style="text-align:{side}">{html.escape(text)}</{tag}>' for text, side in cells)
        return f"<tr>{row}</tr>"

    rows = [line("td", (cell(entry, digits) for entry in row.values())) for row in table.rows()]
    caption = f"<caption>{html.escape(visible(table.title))}</caption>" if table.title else ""
    head = f"<table>{caption}<thead>{line('th', map(cell, table.columns))}</thead><tbody>"
    foot = [f"<p>{html.escape(visible(table.foot))}</p>"] if table.foot else []
    return "\n".join([head, *rows, "</tbody></table>", *foot])


def aligned(table: Table, digits: int = 3) -> str:
    """A table with aligned columns, numbers to the right, and its foot."""
    heads = [*map(cell, table.columns)]
    cells = [[cell(entry, digits) for entry in column] for column in table.columns.values()]
    right = [to_right(column) for column in table.columns.values()]
    widths = [max([len(head), *map(len, column)]) for head, column in zip(heads, cells, strict=True)]

    def line(entries: Sequence[str]) -> str:
        parts = [
            entry.rjust(width) if numeric else entry.ljust(width)
            for entry, width, numeric in zip(entries, widths, right, strict=True)
        ]
        return "  ".join(parts).rstrip()

    body = [line([column[i] for column in cells]) for i in range(len(table))]
    return "\n".join([line(heads), *body, *([visible(table.foot)] if table.foot else [])])


def to_right(column: Sequence[object]) -> bool:
    """Whether a column holds numbers, which stand on the right."""
    return any(isinstance(entry, int | float) and not isinstance(entry, bool) for entry in column)


def cell(entry: object, digits: int = 3) -> str:
    """One entry as it is printed: three digits, an empty cell for nothing, a dash for what is undefined.

    Letters without a shape are spelled out, so that a label can neither steer a terminal nor hide.
    """
    if entry is None:
        return ""
    if isinstance(entry, float):
        if entry != entry:  # noqa: PLR0124 -- only NaN differs from itself
            return "–"
        if abs(entry) < 0.5 * 10**-digits:
            entry = 0.0  # not -0.000
        return f"{entry:.{digits}f}" if abs(entry) < 1e5 else f"{entry:.{digits + 1}g}"
    if isinstance(entry, frozenset | set):
        return visible("{" + ", ".join(sorted(map(str, entry))) + "}")
    return visible(str(entry))


def places(low: float, high: float, least: int = 2, most: int = 5) -> int:
    """How many decimal places tell the ends of an interval apart, where so few do."""
    apart = (digits for digits in range(least, most + 1) if f"{low:.{digits}f}" != f"{high:.{digits}f}")
    return next(apart, least) if math.isfinite(low) and math.isfinite(high) else least


def json_text(entry: object, indent: int | None = None, *, infinite: bool = False) -> str:
    """Plain data as JSON; letters without a shape are escaped, so that printing it is safe and nothing is lost.

    Args:
        entry: The data.
        indent: By how many blanks deeper levels are indented.
        infinite: Whether infinite numbers are written, which not every program reads; else they are an error.
    """
    text = json.dumps(entry, ensure_ascii=False, indent=indent, allow_nan=infinite, default=str)
    return UNSEEN.sub(lambda sign: sign[0] if sign[0] == "\n" else json.dumps(sign[0])[1:-1], text)


def finite(number: float | None) -> float | None:
    """A number as JSON has it: None where it is undefined."""
    return None if number is None or not math.isfinite(number) else float(number)


def plain_rows(table: Table) -> list[dict[str, object]]:
    """The rows of a table, ready for JSON: what is undefined is None."""
    return [
        {name: finite(entry) if isinstance(entry, float) else entry for name, entry in row.items()}
        for row in table.rows()
    ]


@overload
def plain(entry: Mapping[str, object]) -> dict[str, object]: ...
@overload
def plain(entry: object) -> object: ...
def plain(entry: object) -> object:
    """What JSON can hold: nan becomes null, tables lists of rows, sets sorted lists."""
    if entry is None or isinstance(entry, bool | int | str):
        return entry
    if isinstance(entry, float):
        return entry if math.isfinite(entry) else None
    if isinstance(entry, Table):
        return [plain(row) for row in entry.rows()]
    if isinstance(entry, Mapping):
        return {str(name): plain(value) for name, value in entry.items()}
    if isinstance(entry, AbstractSet):
        return sorted((plain(value) for value in entry), key=str)
    if isinstance(entry, list | tuple):
        return [plain(value) for value in entry]
    if hasattr(entry, "to_dict"):
        return plain(entry.to_dict())
    return plain(entry.tolist()) if hasattr(entry, "tolist") else str(entry)
