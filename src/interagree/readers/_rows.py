"""Records and rows of the files of a tool, whichever form they were saved in, each with its place in the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from interagree.data.files import Source, json_lines, parse_json
from interagree.data.paths import Paths
from interagree.data.provenance import Step
from interagree.errors import FormatError, expected, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import UnitOptions
from interagree.readers._peek import HEAD, beginning, json_head
from interagree.reading.delimited import all_rows, header_in, table_in

LINES = (".jsonl", ".ndjson")
COLUMNAR = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")  # how Parquet and Arrow files begin
FOOTER = 1 << 16  # bytes at the end of a Parquet file that name its columns
SEVERAL = re.compile(r"(?m)^\}\s*^\{")  # objects over several lines, one behind the other
T = TypeVar("T")


class Row(NamedTuple):
    """A record with the place that it stands at: 'a.csv, line 3' or 'a.json, /3'."""

    where: str
    cells: Mapping[str, Any]

    def text(self, *names: str) -> str:
        """The first of some cells that holds something, as a text without blanks around it; empty where none does."""
        for name in names:
            cell = self.cells.get(name)
            if cell is not None and not isinstance(cell, list | dict) and (text := str(cell).strip()):
                return text
        return ""

    def field(self, key: str, wanted: type | tuple[type, ...], usual: object = None) -> Any:
        """An entry of a type; where there is none, what it usually is, or an error."""
        return usual if usual is not None and not self.cells.get(key) else field_of(self.cells, key, wanted, self.where)

    def maybe(self, key: str, kind: type[T]) -> T:
        """An entry of a type; an empty one where there is none, or only something else."""
        entry = self.cells.get(key)
        return entry if isinstance(entry, kind) else kind()

    def json(self, name: str, kind: type[T], empty: str = "") -> T:
        """What a cell of a table holds as JSON, which must be of a type."""
        text = self.text(name) or empty
        with suppress(ValueError):
            content = parse_json(text)
            if isinstance(content, kind):
                return content
        raise FormatError(f"{self.where}: expected JSON in the column {name!r}, found {text[:60]!r}")

    def inside(self, key: str) -> Row:
        """An object that must be there."""
        return Row(self.path(key), self.field(key, dict))

    def each(self, key: str, usual: object = None) -> Iterator[Row]:
        """The objects of a list."""
        inside = self.path(key)
        for at, cells in enumerate(self.field(key, list, usual)):
            if not isinstance(cells, dict):
                raise expected(f"{inside}/{at}", "an object", cells)
            yield Row(f"{inside}/{at}", cells)

    def path(self, *keys: object) -> str:
        """Where something lies inside."""
        return "/".join([self.where.rstrip("/"), *map(str, keys)])


def opened(
    tool: str,
    path: Paths,
    suffixes: Sequence[str],
    duplicates: str,
    *,
    under: str | None = None,
    units: UnitOptions | None = None,
    lacking: Container[str] = (),
) -> tuple[Gatherer, list[Row]]:
    """A study in the making, and the records of its files.

    Args:
        tool: Whose files they are.
        path: A file, a folder of files, or a list of them.
        suffixes: How their names end.
        duplicates: Which of several answers counts.
        under: The entry that holds the records where an answer of a programming interface was saved.
        units: How spans are read.
        lacking: Columns at the end of the header of a text table that rows may leave out.
    """
    gathered = Gatherer.of_files(tool, path, suffixes, duplicates=duplicates, units=units)
    return gathered, [row for source in gathered.sources for row in records_of(source, gathered.steps, under, lacking)]


def object_of(source: Source, wanted: str, content: object = None) -> Row:
    """The object that a JSON file must be, or what was read of it."""
    content = source.json() if content is None else content
    if not isinstance(content, dict):
        raise expected(source.name, wanted, content)
    return Row(f"{source.name}, /", content)


def records_of(
    source: Source, steps: list[Step], under: str | None = None, lacking: Container[str] = ()
) -> Iterator[Row]:
    """The records of JSON, JSON lines, Parquet, Arrow, or of a text table, whose cells are texts; see `opened`."""
    with source.open() as stream:
        start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(COLUMNAR):
        yield from (Row(f"{source.name}, row {n}", row) for n, row in enumerate(_arrow_rows(source), start=1))
    elif source.suffix in LINES or start[:1] in {b"[", b"{"}:
        yield from _json_records(source, start, under)
    else:
        yield from table_rows(source, steps, lacking=lacking)


def line_records(source: Source) -> Iterator[Row]:
    """The records of JSON lines."""
    for number, _, record in json_lines(source.name, source.text()):
        yield record_at(f"{source.name}, line {number}", record)


def _printed_records(source: Source) -> Iterator[Row]:
    """Objects over several lines, each of which ends with a bracket on a line of its own."""
    line = 1
    for part in re.findall(r"(?sm).+?^\}[ \t\r]*(?:\n|\Z)|.+", source.text()):
        where = f"{source.name}, line {line}"
        try:
            if part.strip():
                yield record_at(where, parse_json(part))
        except json.JSONDecodeError as error:
            at = f"{source.name}, line {line + error.lineno - 1}"
            raise FormatError(f"{at}: this is not JSON ({error.msg}, column {error.colno})") from None
        except FormatError as error:
            raise error.at(where) from None
        line += part.count("\n")


def _json_records(source: Source, start: bytes, under: str | None) -> Iterator[Row]:
    first, _, rest = source.text().strip().partition("\n")
    in_lines = first.rstrip().endswith("}") or not first
    if source.suffix not in LINES or start.startswith(b"["):
        try:
            yield from _of_content(source, under)
        except FormatError:
            if not (in_lines and rest.lstrip().startswith("{")) and not SEVERAL.search(rest):
                raise
        else:
            return
    for row in line_records(source) if in_lines else _printed_records(source):
        yield from _inside(row, under)


def _of_content(source: Source, under: str | None) -> list[Row]:
    """The records of a list, or of an object: a table saved by columns, those that lie under a name, or itself."""
    content = source.json()
    if isinstance(content, list):
        listed = (record_at(f"{source.name}, /{at}", record) for at, record in enumerate(content))
        return [row for record in listed for row in _inside(record, under)]
    whole = object_of(source, "a list of records", content)
    if not whole.maybe(str(under), list) and (rows := _rows_of_columns(whole.cells)) is not None:
        return [Row(f"{source.name}, record {number}", cells) for number, cells in enumerate(rows, start=1)]
    return [*_inside(whole, under)]


def _inside(row: Row, under: str | None) -> Iterator[Row]:
    """The records that a record holds, or itself."""
    return row.each(under) if under is not None and isinstance(row.cells.get(under), list) else iter([row])


def _rows_of_columns(content: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a table that was saved by columns: a list for each, or an object from numbers of rows to cells."""
    columns = content.values()
    if columns and all(isinstance(column, list) for column in columns) and len({*map(len, columns)}) == 1:
        return [dict(zip(content, cells, strict=True)) for cells in zip(*columns, strict=True)]
    if columns and all(isinstance(column, dict) and all(map(str.isdigit, column)) for column in columns):
        numbers = dict.fromkeys(number for column in columns for number in column)
        return [{name: column.get(number) for name, column in content.items()} for number in numbers]
    return None


def record_at(where: str, record: object) -> Row:
    """A record that must be an object."""
    if not isinstance(record, dict):
        raise expected(where, "an object", record)
    return Row(where, record)


def _arrow_rows(source: Source) -> list[dict[str, object]]:
    from interagree.data.arrow import records
    from interagree.reading.columnar import arrow_table, parquet_table
    from interagree.reading.columnar import opened as checked

    with source.open() as stream:
        read = parquet_table if stream.read(4) == b"PAR1" else arrow_table
    table = read(source)
    rows: list[dict[str, object]] = checked(source, "a sound Arrow table", lambda: records(table))
    return rows


def table_rows(
    source: Source,
    steps: list[Step],
    *,
    lacking: Container[str] = (),
    encoding: str | None = None,
    sign: str | None = None,
    has_names: Callable[[Sequence[str]], bool] | None = None,
) -> list[Row]:
    """The rows of a text table by the names of its columns.

    Args:
        source: The file.
        steps: What is to be said about it is put here.
        lacking: Columns at the end of the header that rows may leave out.
        encoding: How the text is written; told from the bytes by default.
        sign: What separates the cells; told from the first lines by default.
        has_names: Whether the first row names the columns, which else are called 0, 1, …; by default it does.
    """
    text, assumed = source.decoded(encoding)
    if assumed is not None:
        sentence = f"text in {assumed}, because it is not valid UTF-8; if letters look wrong, save the file as UTF-8"
        steps.append(Step("assumed", sentence))
    rows = [
        (row, line)
        for row, line in all_rows(table_in(text, suffix=source.suffix, sign=sign), source.name, steps)
        if any(row)
    ]
    if not rows:
        raise FormatError(f"{source.name} is empty; expected a table with a header")
    if has_names is not None and not has_names(rows[0][0]):
        rows.insert(0, ([str(at) for at in range(len(rows[0][0]))], 0))
    (names, _), *others = rows
    names = [name.strip() for name in names]
    twice = {name for name in names if name and names.count(name) > 1} if len({*names}) < len(names) else set()
    if twice:
        raise FormatError(f"{source.name}: several columns are called {listing(sorted(twice))}")
    least = len(names)
    while least and names[least - 1] in lacking:
        least -= 1
    whole = [[*row, *([""] * (len(names) - len(row)))] if len(row) >= least else row for row, _ in others]
    lines = [line for _, line in others]
    return [
        Row(f"{source.name}, line {line}", _row(source, names, row, line))
        for row, line in zip(whole, lines, strict=True)
    ]


def _row(source: Source, names: Sequence[str], row: Sequence[str], line: int) -> dict[str, object]:
    if len(row) < len(names) or any(cell.strip() for cell in row[len(names) :]):
        raise FormatError(
            f"{source.name}, line {line}: expected {len(names)} cells ({listing(names, most=6)}), found "
            f"{len(row)}; the file is not complete, or was changed by hand"
        )
    return {name: cell for name, cell in zip(names, row, strict=False) if name}


def columns_of(path: Path) -> frozenset[str]:
    """The names of the columns of a text table, for sniffers; none of a folder, or of what is not a table."""
    start = beginning(path)
    if len(start) >= HEAD // 4 and b"\n" not in start:  # a header of very many columns
        start = beginning(path, 1 << 20)
    return _columns_in(start, Source.of(path).suffix)


@lru_cache(maxsize=8)  # for all the readers that ask about one file
def _columns_in(start: bytes, suffix: str) -> frozenset[str]:
    text = start.decode("utf-8-sig", "ignore")
    if not text or text[:1] in {"{", "["} or "\0" in text:
        return frozenset()
    return frozenset(name.strip() for name in header_in(text.lstrip("\r\n"), suffix))


def keys_of(path: Path) -> frozenset[str]:
    """The keys of the first records of a JSON file, in the records themselves or one level further in."""
    return frozenset(key for keys in json_head(path).first if len(keys) - keys.count("") <= 2 for key in keys if key)


def mentions(path: Path, name: bytes) -> bool:
    """Whether the columns of a Parquet or Arrow file are told by something in their names."""
    start = beginning(path)
    if start.startswith(b"PAR1"):
        with Source.of(path).open() as stream:
            stream.seek(max(0, path.stat().st_size - FOOTER))
            return name in stream.read()
    return start.startswith(COLUMNAR) and name in start


def field_of(record: Mapping[str, object], key: str, wanted: type | tuple[type, ...], where: str) -> Any:
    """An entry of a record that must be there and of a type; None is not."""
    value = record.get(key)
    types = wanted if isinstance(wanted, tuple) else (wanted,)
    if isinstance(value, types) and (not isinstance(value, bool) or bool in types):
        return value
    names = {
        str: "a text",
        int: "a whole number",
        float: "a number",
        list: "a list",
        dict: "an object",
        bool: "true or false",
    }
    words = " or ".join(names.get(kind, kind.__name__) for kind in types)
    found = f"{value!r:.60}" if key in record else "nothing"
    raise FormatError(f"{where}: expected {words} in {key!r}, found {found}")


def list_in(entries: Mapping[str, object], name: str) -> list[Any]:
    """A list that may not be there, or only as something else."""
    entry = entries.get(name)
    return entry if isinstance(entry, list) else []
