"""Tables of Arrow, from Parquet and Arrow files: columns as they are, lists side by side as nested records."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from interagree.data.arrow import entries, records
from interagree.data.coding import ROWS, coded_parquet, engine
from interagree.data.files import Source, parse_json
from interagree.data.memory import PER_CELL, must_fit, table_must_fit
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.data.unpacking import allowed, too_large
from interagree.errors import FormatError, InteragreeError, extra, listing
from interagree.reading.nested import from_json, study_of
from interagree.reading.questions import study

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyarrow.parquet import FileMetaData

Read = TypeVar("Read")
SAMPLE = 1000  # rows that tell whether annotations lie inside others
LARGE = 1 << 20  # bytes from which on JSON lines are worth a table of Arrow
BLOCK = 1 << 24  # bytes of JSON lines at once; a longer line is read by itself
EXACT = 2**53  # up to here whole numbers are exact as reals
PER_CODE = 20  # bytes of memory that a cell of text takes while an engine numbers it
NUMBER = 8  # bytes that a row takes in memory, however often it repeats the one before
LONGEST = 300  # characters of an error of a library


def study_of_columns(source: Source, frame: pa.Table | pl.DataFrame, *, at: str | None = None, **options: Any) -> Study:
    """The study that a table of Arrow, or of Polars where there is no Arrow, holds."""
    steps: tuple[Step, ...] = ()
    if type(frame).__module__.partition(".")[0] == "pyarrow":
        frame, steps = _named_classes(frame)
        if at is not None or _nested(source, frame, options):
            return study_of(source, records(frame), at=at, steps=steps, **options)
    from interagree.reading.frames import table  # knows narwhals, which is loaded when a frame is met

    columns = table(frame)
    return study(source, replace(columns, steps=(*columns.steps, *steps)), **options)


def parquet_place(source: Source) -> Path | io.BytesIO:
    """Where the bytes of a Parquet file are: the file itself, or what was unpacked."""
    packed = source.path is None or source.path.suffix.lower() not in (".parquet", ".pq")
    return io.BytesIO(source.read()) if packed or source.path is None else source.path


def parquet_table(source: Source) -> pa.Table:
    """The table of a Parquet file."""
    try:
        import pyarrow.parquet as arrow_parquet
    except ImportError:
        raise extra("pyarrow", "big", purpose="a Parquet file") from None
    place = parquet_place(source)
    about = opened(source, "a Parquet file", lambda: arrow_parquet.read_metadata(place))
    check_names(source, opened(source, "a Parquet file", lambda: about.schema.to_arrow_schema().names))
    size = source.size if isinstance(place, Path) else place.getbuffer().nbytes
    if opened(source, "a Parquet file", lambda: _unpacked_size(about)) > allowed(size):
        raise too_large(source.name, size, "save it as CSV and read that")
    if isinstance(place, Path) and about.num_rows >= ROWS and (coded := _coded(place, about)) is not None:
        return coded
    table_must_fit(source.name, source.size, about.num_rows * about.num_columns)
    return sound(source, "a Parquet file", lambda: arrow_parquet.read_table(place))


def _coded(place: Path, about: FileMetaData) -> pa.Table | None:
    """The table of a large Parquet file whose texts an engine numbers; None where there is none, or it cannot."""
    duckdb = engine()
    if duckdb is None:
        return None
    import pyarrow as pa
    import pyarrow.parquet as arrow_parquet

    schema = about.schema.to_arrow_schema()
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    others = [field.name for field in schema if field.name not in texts]
    if not texts or any(pa.types.is_nested(schema.field(name).type) for name in others):
        return None
    must_fit(
        float(about.num_rows) * (PER_CODE * len(texts) + PER_CELL * len(others)),
        f"reading {place.name}, which holds {about.num_rows:,} rows,",
        "keep only the rows and the columns that are needed, or count it where it is with interagree.scan",
    )
    try:
        coded = coded_parquet(place, texts, about.num_rows)
        table = arrow_parquet.read_table(place, columns=others)
    except (duckdb.Error, pa.ArrowException, OSError, ValueError):  # what is wrong is said by who reads it without
        return None
    columns = [coded[name] if name in coded else table.column(name) for name in schema.names]
    return pa.table(columns, names=schema.names).replace_schema_metadata(schema.metadata)


def _unpacked_size(about: FileMetaData) -> int:
    """How many bytes a table takes at the least, as its file states: those of its cells, or one number for each row.

    Columns say it one by one, too, but Arrow ends the process over what a damaged file says of a column.
    """
    cells = sum(about.row_group(place).total_byte_size for place in range(about.num_row_groups))
    return int(max(cells, NUMBER * about.num_rows))


def arrow_table(source: Source) -> pa.Table:
    """The table of a file, or of a stream, of Arrow."""
    try:
        import pyarrow as pa
    except ImportError:
        raise extra("pyarrow", "big", purpose="an Arrow file") from None
    content = source.read()
    opening = pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream
    return sound(source, "an Arrow file", lambda: _batches(source, opening(io.BytesIO(content)), len(content)))


def _batches(source: Source, stream: pa.RecordBatchFileReader | pa.RecordBatchStreamReader, size: int) -> pa.Table:
    """All batches as one table; an error where they unpack to more than a table of annotations does."""
    import pyarrow as pa

    if hasattr(stream, "num_record_batches"):
        batches = (stream.get_batch(place) for place in range(stream.num_record_batches))
    else:
        batches = iter(stream)
    kept, total = [], 0
    for batch in batches:
        total += batch.get_total_buffer_size()  # not .nbytes, which believes the offsets of a damaged file
        if total > allowed(size):
            raise too_large(source.name, size, "save it as CSV and read that")
        kept.append(batch)
    return pa.Table.from_batches(kept, stream.schema)


def flat_lines(source: Source) -> pa.Table | None:
    """A large file of JSON lines as a table of Arrow, six times as fast as line by line; None where that is not sure.

    It is sure where every line is one object of texts, numbers below 2**53, and true and false, each column of one
    type: nothing is then read otherwise than line by line, where all that is unusual is found and said.
    """
    if source.size < LARGE:
        return None
    try:
        import pyarrow as pa
        from pyarrow import compute, json
    except ImportError:
        return None
    content = source.read()
    try:
        table = json.read_json(io.BytesIO(content), json.ReadOptions(block_size=BLOCK))
    except pa.ArrowException:
        return None
    types = pa.types
    for column in table.columns:
        kind = column.type
        if types.is_float64(kind) or types.is_int64(kind):
            least, most = compute.min_max(column).as_py().values()
            whole = least is not None and least > -EXACT and most < EXACT
            if not (whole or column.null_count == len(column)):
                return None
        elif not (types.is_string(kind) or types.is_boolean(kind)):  # dates, lists and objects among them
            return None
    return table if table.num_rows == _filled(content) else None


def _filled(content: bytes) -> int:
    """How many lines are not blank."""
    ends = content.count(b"\n") + (not content.endswith(b"\n"))
    if b"\n\n" not in content and b"\r" not in content and b"\n " not in content and content[:1] == b"{":
        return ends
    return sum(1 for line in content.split(b"\n") if line and not line.isspace())


def opened(source: Source, what: str, read: Callable[[], Read]) -> Read:
    """What a library reads from a file; whatever it raises says that the file is not what it should be."""
    try:
        return read()
    except InteragreeError:
        raise
    except MemoryError:
        raise FormatError(
            f"{source.name} is damaged, or too large for this machine: as {what}, it asks for more memory than there is"
        ) from None
    except Exception as error:  # noqa: BLE001 -- of Arrow, of the system, of Unicode: they have many
        raise FormatError(f"{source.name} is not {what}, or is damaged: {shortened(error)}") from None


def shortened(error: BaseException) -> str:
    """The first line of an error, for the others say where in the library it arose."""
    message = next(iter(str(error).splitlines()), "") or type(error).__name__
    return message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"


def sound(source: Source, what: str, read: Callable[[], pa.Table]) -> pa.Table:
    """A table of Arrow from a file, once everything in it was found to lie where it should.

    Arrow takes lengths and offsets of a file as they are, and an offset that leads nowhere ends the process when it is
    used; to look through them all takes less time than reading them.
    """
    table = opened(source, what, read)
    opened(source, what, lambda: table.validate(full=True))
    check_names(source, opened(source, what, lambda: table.column_names))
    return table


def check_names(source: Source, names: Iterable[str]) -> None:
    """An error where several columns of a file have one name."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise FormatError(f"{source.name}: several columns are called {listing(twice)}; give each column its own name")


def _nested(source: Source, frame: pa.Table, options: Mapping[str, object]) -> bool:
    """Whether annotations lie in lists or structures, by the first rows."""
    import pyarrow as pa

    kinds = pa.types
    deep = (kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list, kinds.is_struct, kinds.is_map)
    if not any(test(kind) for kind in frame.schema.types for test in deep):
        return False
    first = records(frame.slice(0, SAMPLE))
    return bool(first) and bool(from_json(first, name=source.name, stated=options).parts)


def _features(about: bytes) -> Mapping[str, Any]:
    """What Hugging Face's datasets say about columns; nothing where it is something else."""
    try:
        inside = parse_json(about.decode("utf-8"))
    except (UnicodeDecodeError, ValueError):
        return {}
    for key in ("info", "features"):
        inside = inside.get(key) if isinstance(inside, dict) else None
    return inside if isinstance(inside, dict) else {}


def _named_classes(frame: pa.Table) -> tuple[pa.Table, tuple[Step, ...]]:
    """The table with labels that Hugging Face's datasets keep as numbers called by their names; -1 means none."""
    import pyarrow as pa

    features = _features((frame.schema.metadata or {}).get(b"huggingface", b"{}"))
    done = []
    for place, name in enumerate(frame.column_names):
        column, feature = frame.column(place), features.get(name)
        if pa.types.is_integer(column.type):
            named = _classes(column, feature)
        elif pa.types.is_nested(column.type) and _holds_classes(feature):
            named = _classes_inside(column, feature)
        else:
            continue
        if named is not None:
            frame = frame.set_column(place, name, named)
            done.append(name)
    if not done:
        return frame, ()
    return frame, (Step("taken", f"numbers of {listing(done)} by the names of the classes that the file states"),)


def _names_of(feature: object) -> list[str] | None:
    """The names of the classes of a column; None where it has no classes."""
    if not isinstance(feature, dict) or feature.get("_type") != "ClassLabel":
        return None
    names = feature.get("names")
    return [str(name) for name in names] if isinstance(names, list) and names else None


def _classes(column: pa.ChunkedArray, feature: object) -> pa.Array | None:
    """A column of numbers by the names of its classes; None where it has none, or not enough of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    names = _names_of(feature)
    if names is None:
        return None
    known = pc.if_else(pc.greater_equal(column, 0), column, None)
    if (pc.max(known).as_py() or 0) >= len(names):
        return None
    return pa.array(names).take(known.combine_chunks())


def _holds_classes(feature: object) -> bool:
    inner = feature.values() if isinstance(feature, dict) else feature if isinstance(feature, list) else ()
    return _names_of(feature) is not None or any(map(_holds_classes, inner))


def _classes_inside(column: pa.ChunkedArray, feature: object) -> pa.Array | None:
    """A column of lists or structures with the numbers in them by the names of their classes."""
    import pyarrow as pa

    try:
        return pa.array([_called(cell, feature) for cell in entries(column)])
    except (LookupError, pa.ArrowException):  # classes without a name: the numbers stay
        return None


def _called(cell: Any, feature: Any) -> Any:
    """A number, or those in a list or a structure, by the names that a feature has for them."""
    names = _names_of(feature)
    if isinstance(cell, list):
        inner = feature if names is not None else feature[0] if isinstance(feature, list) else _inside(feature)
        return [_called(entry, inner) for entry in cell]
    if isinstance(cell, dict):
        fields = _inside(feature)
        known = fields if isinstance(fields, dict) else {}
        return {name: _called(entry, known.get(name)) for name, entry in cell.items()}
    if names is None or not isinstance(cell, int):
        return cell
    return names[cell] if cell >= 0 else None


def _inside(feature: Any) -> Any:
    """The feature of what lies in a list, or the features of what lies in a structure."""
    return feature["feature"] if isinstance(feature, dict) and "_type" in feature and "feature" in feature else feature
