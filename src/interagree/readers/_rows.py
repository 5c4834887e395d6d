"""Records and rows of the files of a tool, whichever form they were saved in, each with its place in the file."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source, json_lines
from interagree.data.provenance import Step
from interagree.errors import FormatError, listing
from interagree.readers._peek import HEAD, beginning, json_head
from interagree.reading.delimited import all_rows, header_in, table_in

LINES = (".jsonl", ".ndjson")
COLUMNAR = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")  # how Parquet and Arrow files begin
FOOTER = 1 << 16  # bytes at the end of a Parquet file that name its columns


class Row(NamedTuple):
    """A record with the place that it stands at: 'a.csv, line 3' or 'a.json, /3'."""

    where: str
    cells: dict[str, object]


def records_of(source: Source, steps: list[Step]) -> list[Row]:
    """The records of JSON, JSON lines, Parquet, Arrow, or of a text table, whose cells are texts."""
    with source.open() as stream:
        start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(COLUMNAR):
        return [Row(f"{source.name}, row {n}", row) for n, row in enumerate(_arrow_rows(source), start=1)]
    if source.suffix in LINES:
        return list(line_records(source))
    if start[:1] in {b"[", b"{"}:
        return list(_json_records(source))
    return table_rows(source, steps)


def line_records(source: Source) -> Iterator[Row]:
    """The records of JSON lines."""
    for number, _, record in json_lines(source.name, source.text()):
        yield Row(*_checked(f"{source.name}, line {number}", record))


def _json_records(source: Source) -> Iterator[Row]:
    try:
        content = source.json()
    except FormatError:
        if not _holds_lines(source):
            raise
        yield from line_records(source)
        return
    if isinstance(content, list):
        for at, record in enumerate(content):
            yield Row(*_checked(f"{source.name}, /{at}", record))
        return
    if not isinstance(content, dict):
        raise FormatError(f"{source.name}: expected a list of records, found {content!r:.60}")
    if content and all(isinstance(column, list) for column in content.values()):
        columns = {name: column for name, column in content.items() if isinstance(column, list)}
        sizes = {name: len(column) for name, column in columns.items()}
        if len(set(sizes.values())) == 1:  # one list for each column
            for at in range(next(iter(sizes.values()))):
                yield Row(f"{source.name}, record {at + 1}", {name: column[at] for name, column in columns.items()})
            return
    yield Row(f"{source.name}, /", dict(content))


def rows_of_columns(row: Row, key: str) -> list[Row]:
    """The rows of a frame that was saved by columns, each an object with an entry for each row; none of another record.

    Args:
        row: What the file holds.
        key: A column that all rows have.
    """
    columns = {name: cell for name, cell in row.cells.items() if isinstance(cell, dict)}
    where = row.where.rstrip("/")
    return [
        Row(f"{where}/{key}/{number}", {name: column.get(number) for name, column in columns.items()})
        for number in columns.get(key, ())
    ]


def _holds_lines(source: Source) -> bool:
    """Whether a file that is not JSON holds a record in each line, whatever its name ends in."""
    first = source.text().lstrip().split("\n", 1)
    return len(first) == 2 and first[0].rstrip().endswith("}") and first[1].lstrip().startswith("{")


def _checked(where: str, record: object) -> tuple[str, dict[str, object]]:
    if not isinstance(record, dict):
        raise FormatError(f"{where}: expected an object, found {record!r:.60}")
    return where, record


def _arrow_rows(source: Source) -> list[dict[str, object]]:
    from interagree.reading.columnar import arrow_table, opened, parquet_table

    with source.open() as stream:
        read = parquet_table if stream.read(4) == b"PAR1" else arrow_table
    table = read(source)
    rows: list[dict[str, object]] = opened(source, "a sound Arrow table", table.to_pylist)
    return rows


def table_rows(source: Source, steps: list[Step], *, lacking: Container[str] = ()) -> list[Row]:
    """The rows of a text table by the names of its columns.

    Args:
        source: The file.
        steps: What is to be said about it is put here.
        lacking: Columns at the end of the header that rows may leave out.
    """
    text, assumed = source.decoded()
    if assumed is not None:
        sentence = f"text in {assumed}, because it is not valid UTF-8; if letters look wrong, save the file as UTF-8"
        steps.append(Step("assumed", sentence))
    rows = [(row, line) for row, line in all_rows(table_in(text, suffix=source.suffix), source.name, steps) if any(row)]
    if not rows:
        raise FormatError(f"{source.name} is empty; expected a table with a header")
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
    head = json_head(path)
    if head is None:
        return frozenset()
    return frozenset(key for keys in head.first if len(keys) - keys.count("") <= 2 for key in keys if key)


def mentions(path: Path, name: bytes) -> bool:
    """Whether the columns of a Parquet or Arrow file are told by something in their names."""
    start = beginning(path)
    if start.startswith(b"PAR1"):
        with Source.of(path).open() as stream:
            stream.seek(max(0, path.stat().st_size - FOOTER))
            return name in stream.read()
    return start.startswith(COLUMNAR) and name in start


def text_of(cells: Mapping[str, object], name: str) -> str:
    """A cell as a text without blanks around it; empty where there is none."""
    cell = cells.get(name)
    return "" if cell is None else str(cell).strip()


def field_of(record: Mapping[str, object], key: str, wanted: type | tuple[type, ...], where: str) -> Any:
    """An entry of a record that must be there and of a type; None is not."""
    value = record.get(key)
    if isinstance(value, wanted) and not (isinstance(value, bool) and wanted in {int, float}):
        return value
    names = {
        str: "a text",
        int: "a whole number",
        float: "a number",
        list: "a list",
        dict: "an object",
        bool: "true or false",
    }
    types = wanted if isinstance(wanted, tuple) else (wanted,)
    words = " or ".join(names.get(kind, kind.__name__) for kind in types)
    found = f"{value!r:.60}" if key in record else "nothing"
    raise FormatError(f"{where}: expected {words} in {key!r}, found {found}")


def list_in(entries: Mapping[str, object], name: str) -> list[Any]:
    """A list that may not be there, or only as something else."""
    entry = entries.get(name)
    return entry if isinstance(entry, list) else []
