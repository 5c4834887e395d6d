"""CSV and TSV: a table as text, as spreadsheets, R and pandas write it.

Encoding, delimiter and header are told from the file itself, and what was assumed is said; ``encoding``, ``delimiter``,
``header``, ``skip`` and ``decimal`` state them.  Titles above the table, totals and notes below it, and empty rows and
columns are set aside and said.

Everything is read as text, and numbers become numbers where a scale asks for them.  Blanks around a cell do not count,
and "1.0" is "1" in a column of numbers; "01" stays what it is.  An empty cell means that there is no annotation, and so
do signs such as "." or "NA" where nothing else among the values is like them.
"""

from __future__ import annotations

import csv as standard
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from interagree.data.files import MARKS, Source
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, Hint, KindError, ReaderHint, listing
from interagree.gather.missing import is_code
from interagree.reading.cells import Cell, is_empty
from interagree.reading.delimited import (
    END,
    Closed,
    DelimitedRows,
    DelimitedText,
    Unclosed,
    cells_of_any_size,
    rows_in_cell,
    table_in,
    without_quoting,
)
from interagree.reading.formulas import DEFUSED
from interagree.reading.grid import Body, by_place, finish
from interagree.reading.headers import SAMPLE, GridShape, shape_of
from interagree.reading.questions import study
from interagree.reading.tables import NamedColumns

LARGE = 20_000_000  # bytes from which on Arrow reads the file, where it is installed
START = 1_000_000  # bytes of a large file from which its form is told
if TYPE_CHECKING:
    import pyarrow as pa

Column: TypeAlias = "list[Cell] | pa.ChunkedArray"


@reader("CSV and TSV", suffixes=(".csv", ".tsv", ".tab"), tabular=True)
def csv(
    path: str | Path | Source,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip: int = 0,
    decimal: str | None = None,
    **options: Any,
) -> Study:
    """A table in a text file; without ``header`` the columns are called by their place, from 0.

    Args:
        path: The file.
        delimiter: What separates cells; told from the first lines by default.
        encoding: How characters are written; told from the bytes by default.
        header: Whether the first line names the columns; told from the cells by default.
        skip: How many lines at the top to leave out.
        decimal: "comma" or "point", where cells hold decimal numbers; told from the cells by default.
        options: What `interagree.read` takes.
    """
    if decimal not in (None, "comma", "point"):
        raise KindError(f"decimal must be 'comma' or 'point', got {decimal!r}")
    source = Source.of(path)
    form = Form(
        source.name, source.suffix, delimiter, header, skip, "point" if options.get("split") == "," else decimal
    )
    table = None
    if source.size > LARGE and encoding is None:
        with cells_of_any_size():
            table = _by_arrow(source, form)
    if table is None:
        text, assumed = source.decoded(encoding)
        notes = [] if assumed is None else [_assumed(assumed)]
        with cells_of_any_size():
            table = _by_hand(form.table_in(text), form, notes)
    return study(source, table, from_text=True, **by_place(table, options))


def _assumed(encoding: str) -> Step:
    return Step(
        "assumed",
        Advice.of(
            f"text in {encoding}, because it is not valid UTF-8; if letters look wrong, pass ", ReaderHint("encoding")
        ),
    )


@dataclass(frozen=True, slots=True)
class Form:
    """What the caller says about the form of a file."""

    name: str
    suffix: str
    delimiter: str | None
    header: bool | None
    skip: int
    decimal: str | None

    def table_in(self, text: str) -> DelimitedText:
        """The part of a text that holds the table."""
        return table_in(text, suffix=self.suffix, sign=self.delimiter, skip=self.skip)


def _by_hand(text: DelimitedText, form: Form, notes: Sequence[Step]) -> NamedColumns:
    try:
        return _by_rows(text, form, notes)
    except Unclosed as error:
        return _by_rows(without_quoting(text, error), form, notes)


def _by_rows(text: DelimitedText, form: Form, notes: Sequence[Step]) -> NamedColumns:
    rows = DelimitedRows(text, form.name)
    try:
        start = list(rows.one_by_one(SAMPLE))
        head, lines = [row for row, _ in start], [line for _, line in start]
        shape = shape_of(head, lines, name=form.name, header=form.header)
        body = Body(shape, form.name)
        body.extend(head[shape.start :], lines[shape.start :])
        for chunk, places in rows.chunks():
            body.extend(chunk, places)
    except standard.Error as error:
        raise FormatError(f"{form.name}, line {rows.line}: {error}") from None
    return _finished(body.columns, shape, text, form, steps=[*notes, *rows.steps(), *body.steps()], lines=body.lines)


def _finished(
    columns: Sequence[Column],
    shape: GridShape,
    text: DelimitedText,
    form: Form,
    *,
    steps: Sequence[Step],
    lines: Sequence[int] | None,
) -> NamedColumns:
    columns, points = _decimals(columns, shape.names, text.sign, form.decimal)
    return finish(columns, shape, steps=[*text.steps, *steps, *points], lines=lines)


# -- decimal commas -----------------------------------------------------------------------------------------

COMMA = re.compile(r"[+-]?(\d{1,15}),(\d+)")
PLAIN = re.compile(r"[+-]?\d{1,15}(\.\d+)?")


def _decimals(
    columns: Sequence[Column], names: Sequence[object], sign: str, decimal: str | None
) -> tuple[Sequence[Column], list[Step]]:
    """Columns with decimal points for decimal commas, where cells are not separated by commas."""
    if decimal == "point" or (sign == "," and decimal is None):
        return columns, []
    fractions: dict[int, list[tuple[str, ...]]] = {}
    for place, column in enumerate(columns):
        if not any(COMMA.fullmatch(cell.strip()) for cell in _first(column)):
            continue
        entries = {cell.strip() for cell in _distinct(column) if not is_empty(cell)}
        pairs = [match.groups() for cell in entries if (match := COMMA.fullmatch(cell))]
        others = sum(bool(PLAIN.fullmatch(cell)) or is_code(cell) for cell in entries)
        if pairs and len(pairs) + others == len(entries):
            fractions[place] = pairs
    if not fractions:
        return columns, []
    named = listing([names[place] for place in fractions], most=6)
    if decimal is None and not any(map(_fractions, fractions.values())):
        doubt = Advice.of(
            f"cells in {named} such as '1,3' may be decimal numbers or several labels, and stay as they are: pass ",
            ReaderHint("decimal", "comma"),
            " or ",
            Hint("split", ","),
        )
        return columns, [Step("noticed", doubt, len(fractions))]
    made = [_pointed(column) if place in fractions else column for place, column in enumerate(columns)]
    return made, [Step("assumed", f"commas in {named} taken as decimal points", len(fractions))]


def _fractions(pairs: Sequence[tuple[str, ...]]) -> bool:
    """Whether numbers around a comma can only be a decimal number: not two labels, the lower one first."""
    return {fraction for _, fraction in pairs} <= {"0", "00", "5", "25", "50", "75"} or any(
        float(whole) >= float(fraction) or not float(whole) for whole, fraction in pairs
    )


def _first(column: Column) -> list[str]:
    some = column[:SAMPLE]
    return list(map(str, some.to_pylist() if hasattr(some, "to_pylist") else some))


def _distinct(column: Column) -> set[str]:
    return set(map(str, column.unique().to_pylist() if hasattr(column, "unique") else column))


def _pointed(column: Column) -> Column:
    if not hasattr(column, "unique"):
        return [str(cell).replace(",", ".") for cell in column]
    import pyarrow.compute as pc

    return pc.replace_substring(column, ",", ".")


# -- large files --------------------------------------------------------------------------------------------


def _by_arrow(source: Source, form: Form) -> NamedColumns | None:
    """A large file read by Arrow; None where it is not as even as Arrow wants it, or Arrow is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.csv as arrow_csv
    except ImportError:
        return None
    with source.open() as stream:
        content = stream.read(START)
    if any(content.startswith(mark) and name != "utf-8-sig" for mark, name in MARKS.items()) or b"\0" in content:
        return None
    text = form.table_in(content.decode("utf-8-sig", errors="ignore"))
    try:
        start = list(DelimitedRows(text, form.name).one_by_one(SAMPLE))
    except Unclosed:
        return None
    if len(content) == START and len(start) < SAMPLE:
        start = start[:-1]  # it may be cut off
    head, lines = [row for row, _ in start], [line for _, line in start]
    shape = shape_of(head, lines, name=form.name, header=form.header)
    rows = head[shape.start :]
    width = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    if text.steps or width < len(shape.names) or any(len(row) not in (0, width) for row in rows):
        return None
    try:
        with source.open() as stream:
            closed = Closed(stream, text.sign, width)
            table = arrow_csv.read_csv(
                closed,
                read_options=arrow_csv.ReadOptions(
                    skip_rows=lines[shape.start - 1] if shape.start else text.above,
                    column_names=[str(place) for place in range(width)],
                ),
                parse_options=arrow_csv.ParseOptions(delimiter=text.sign, newlines_in_values=True),
                convert_options=arrow_csv.ConvertOptions(
                    column_types={str(place): pa.string() for place in range(width)},
                    null_values=[],
                    strings_can_be_null=False,
                ),
            )
    except pa.ArrowInvalid:
        return None
    size = len(table) - 1
    if closed.broken or any(column[size].as_py() != END for column in table.columns):
        return None
    table = table.slice(0, size)
    if any(not is_empty(cell) for column in table.columns[len(shape.names) :] for cell in _distinct(column)):
        return None
    columns = table.columns[: len(shape.names)]
    if _is_odd(columns, shape, rows_in_cell(text.sign, width) if closed.quoted else None):
        return None
    return _finished(columns, shape, text, form, steps=[], lines=None)


def _is_odd(columns: Sequence[pa.ChunkedArray], shape: GridShape, rows_inside: str | None) -> bool:
    """Whether there is something to say: rows are blank or repeat the header, cells hide formulas or other rows."""
    import pyarrow.compute as pc

    for row in (("",) * len(columns), shape.header or ()):
        same: pa.ChunkedArray | None = None
        for column, cell in zip(columns, row, strict=False):
            here = pc.equal(column, cell)
            same = here if same is None else pc.and_(same, here)
            if not pc.any(same).as_py():
                break
        else:
            if row:
                return True
    defused = [column for column in columns if pc.any(pc.starts_with(column, "'")).as_py()]
    hiding = [(column, f"(?s)^{DEFUSED.pattern}") for column in defused]
    hiding += [(column, rows_inside) for column in columns if rows_inside]
    return any(pc.any(pc.match_substring_regex(column, pattern)).as_py() for column, pattern in hiding)
