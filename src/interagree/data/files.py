"""Files: where they lie, how they are packed, and the study that a table in one of them is.

A reader turns a file into a `Table`; `study` turns the table into questions.  Two columns can be asked for that no
file has: '{file}', the name of the file without its ending, for files that hold one annotator each, and '{row}', the
number of the row, for files whose rows are the same items in the same order.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from interagree.data.columns import Coded, coded
from interagree.data.door import Choices, Table, build, fitting, layout_of, roles
from interagree.data.provenance import Provenance, Step
from interagree.data.study import Study
from interagree.errors import ColumnNotFound, DataError, FormatError, extra, listing, suggestion

PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\x00"}
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or what came in on standard input."""

    name: str  # as the user gave it
    path: Path | None
    content: bytes | None = None

    @classmethod
    def of(cls, path: str | Path | Source) -> Source:
        """A path as a source; '-' is standard input."""
        if isinstance(path, Source):
            return path
        if str(path) == STDIN:
            return cls(STDIN, None, sys.stdin.buffer.read())
        found = Path(path)
        if not found.exists():
            near = [other.name for other in found.parent.glob("*")] if found.parent.is_dir() else []
            raise DataError(f"there is no file {str(path)!r}.{suggestion(found.name, near)}")
        return cls(str(path), found)

    def __str__(self) -> str:
        return self.name

    @property
    def suffix(self) -> str:
        """The ending that tells the format: '.csv' of 'labels.csv.gz'."""
        return "" if self.path is None else _unpacked(self.path).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without folder and endings."""
        return self.name if self.path is None else _unpacked(self.path).stem

    @property
    def size(self) -> int:
        """How many bytes there are, packed or not."""
        return len(self.content or b"") if self.path is None else self.path.stat().st_size

    def open(self) -> BinaryIO:
        """The bytes, unpacked."""
        try:
            stream: BinaryIO = io.BytesIO(self.content or b"") if self.path is None else self.path.open("rb")
        except OSError as error:
            raise DataError(f"{self.name} cannot be read: {error.strerror}") from error
        start = stream.read(6)
        stream.seek(0)
        packing = next((suffix for suffix, magic in PACKED.items() if start.startswith(magic)), None)
        if packing is None:
            return stream
        if self.path is None:
            return packed(stream, packing)
        stream.close()
        return packed(self.path, packing)

    def read(self) -> bytes:
        """All bytes, unpacked."""
        with self.open() as stream:
            try:
                return stream.read()
            except (OSError, EOFError, ValueError) as error:
                raise FormatError(f"{self.name} is packed and cannot be unpacked: {error}") from error

    def text(self, encoding: str = "utf-8-sig") -> str:
        """The file as text."""
        content = self.read()
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"{self.name}, line {line}: expected text in {encoding.removesuffix('-sig')}, found the byte "
                f"{content[error.start]:#04x}; save the file as UTF-8"
            ) from None


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


def packed(place: Any, packing: str, mode: str = "rb") -> BinaryIO:
    """A file or a stream that is packed or unpacked on the way."""
    if packing == ".gz":
        import gzip

        return cast("BinaryIO", gzip.open(place, mode))
    if packing == ".bz2":
        import bz2

        return cast("BinaryIO", bz2.open(place, mode))
    if packing == ".xz":
        import lzma

        return cast("BinaryIO", lzma.open(place, mode))
    return cast("BinaryIO", _zstd().open(place, mode))


def _zstd() -> Any:
    import importlib

    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise extra("backports.zstd", "zstd", purpose="a file packed with zstd")


# -- from a table to a study --------------------------------------------------------------------------------


def study(source: Source, table: Table, *, value: Any = None, question: Any = None, **options: Any) -> Study:
    """The questions that a table asks: one, one for each column of values, or one for each entry of a column."""
    provenance = Provenance((source.name,))
    try:
        table, options = _with_file(source, table, options)
        tables = (
            {None: table}
            if question is None and not _tidy(table)
            else _by_question(table, question or "question")
        )
        several = list(value) if isinstance(value, list | tuple) else [value]
        made = {}
        for name, part in tables.items():
            for one in several:
                title, choices = _one(part, one, several, options)
                if name is not None:
                    title = name if len(several) == 1 else f"{name} {title}"
                made[title] = build(part, **choices, provenance=provenance)
    except DataError as error:
        raise type(error)(f"{source.name}: {error}") from None
    return Study(made, provenance)


def _one(
    table: Table, value: Any, several: Sequence[Any], options: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """The name of a question, and the options its table is read with."""
    choices = {**options, "value": value}
    chosen = Choices.of(choices)
    if layout_of(table, chosen) != "long":
        return "value", choices
    part = roles(table.names, item=chosen.item, annotator=chosen.annotator, value=value)
    if len(several) > 1 and chosen.attributes is None:
        used = {part.item, part.annotator, *several}
        choices["attributes"] = [name for name in table.names if name not in used]
    return str(part.value), choices


def _with_file(source: Source, table: Table, options: Mapping[str, Any]) -> tuple[Table, dict[str, Any]]:
    """The table with the columns '{file}' and '{row}' where they are asked for."""
    options = dict(options)
    if (
        options.get("annotator") == "{file}"
        and options.get("item") is None
        and not fitting("item", table.names)
    ):
        options["item"] = "{row}"
    wanted = [name for name in ("{file}", "{row}") if name in (options.get("annotator"), options.get("item"))]
    if not wanted or not table.names:
        return table, options
    size = len(table.fetch(table.names[:1])[table.names[0]])
    made: dict[Hashable, Any] = {
        "{file}": Coded(np.zeros(size, dtype=np.int32), [source.stem]),
        "{row}": range(size),
    }

    def fetch(names: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        there = table.fetch([name for name in names if name not in wanted])
        return {name: made[name] if name in wanted else there[name] for name in names}

    return replace(table, names=[*table.names, *wanted], fetch=fetch), options


def _tidy(table: Table) -> bool:
    """Whether the table is of the form in which studies of several questions are written."""
    return {"question", "item", "annotator", "value"} <= set(table.names)


def _by_question(table: Table, column: Hashable) -> dict[Any, Table]:
    if column not in table.names:
        raise ColumnNotFound(
            f"there is no column {column!r} to take the question from; the table has {listing(table.names)}"
        )
    rest = [name for name in table.names if name != column]
    questions = coded(table.fetch([column])[column]).compact()
    step = Step("taken", f"{len(questions.names)} questions, by {column!r}")
    return {
        str(name): _part(table, rest, np.flatnonzero(questions.codes == code), step)
        for code, name in enumerate(questions.names)
    }


def _part(table: Table, names: Sequence[Hashable], rows: Any, step: Step) -> Table:
    lines = None if table.lines is None else [table.lines[row] for row in rows]

    def fetch(wanted: Sequence[Hashable]) -> Mapping[Hashable, Any]:
        return {name: _taken(column, rows) for name, column in table.fetch(wanted).items()}

    return replace(table, names=list(names), fetch=fetch, lines=lines, steps=(*table.steps, step))


def _taken(column: Any, rows: Any) -> Any:
    if isinstance(column, Coded):
        return column.where(rows)
    if hasattr(column, "take"):
        return column.take(rows)
    return [column[row] for row in rows.tolist()]
