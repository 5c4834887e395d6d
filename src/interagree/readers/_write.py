"""The way back: a study as a table of annotations in a file."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Set as AbstractSet
from pathlib import Path

import numpy as np

from interagree.data import Annotations, IntoAnnotations, Study, as_annotations
from interagree.data.files import PACKED, STDIN, pack
from interagree.data.writing import check_outputs, naming, write_file
from interagree.errors import DataError, FormatError, UnknownName, extra, listing, suggestion
from interagree.results.csv import delimited
from interagree.results.workbook import RowSheet, workbook
from interagree.tables import json_text

BETWEEN = "|"  # what separates the labels of a set in a cell
ENDINGS = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".xlsx": "excel",
}  # fmt: skip
FORMATS = tuple(dict.fromkeys(ENDINGS.values()))


def write(data: IntoAnnotations, path: str | Path, form: str | None) -> None:
    """Write a study; the ending of the path, or ``form``, says how."""
    study = data if isinstance(data, Study) else Study({"value": as_annotations(data)})
    place = Path(path)
    packing = place.suffix.lower() if place.suffix.lower() in PACKED else None
    ending = (place.with_suffix("") if packing else place).suffix.lower()
    form = form or ENDINGS.get(ending) or ("csv" if str(path) == STDIN else None)
    if form is None:
        raise FormatError(
            f"{str(path)!r} does not say in what format to write; end it in {listing(ENDINGS, quote=False)}"
        )
    if form not in FORMATS:
        raise UnknownName(
            f"no format to write is called {form!r}.{suggestion(form, FORMATS)} (known: {listing(FORMATS)})"
        )
    sources = [*study.provenance.sources, *(name for part in study.values() for name in part.provenance.sources)]
    check_outputs({"interagree.write": place}, sources)
    names, rows = _table(study)
    make = {"csv": _text, "tsv": _text, "jsonl": _json, "json": _json, "excel": _excel}.get(form, _arrow)
    with naming(place):
        content = make(names, rows, form)
    if str(path) == STDIN:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    write_file(place, content if packing is None else pack(content, packing))


def _table(study: Study) -> tuple[list[str], list[list[object]]]:
    if any(question.anonymous for question in study.values()):
        return _counts(study.single())
    several = len(study) > 1
    further = list(dict.fromkeys(name for question in study.values() for name in question.attributes))
    further = [name for name in further if name not in ("question", "item", "annotator", "value")]
    names = [*(["question"] if several else []), "item", "annotator", "value", *further]
    rows = []
    for title, question in study.items():
        columns = [question.attributes[name].tolist() if name in question.attributes else None for name in further]
        for number, row in enumerate(question.rows()):
            more = [None if column is None else column[number] for column in columns]
            rows.append([*([title] if several else []), *row, *more])
    return names, rows


def _counts(question: Annotations) -> tuple[list[str], list[list[object]]]:
    size = len(question.values)
    cells = question.item.astype(np.int64) * size + question.value
    table = np.bincount(cells, minlength=len(question.items) * size).reshape(len(question.items), size)
    rows = [[item, *row] for item, row in zip(question.items, table.tolist(), strict=True)]
    return ["item", *map(str, question.values)], rows


def _cell(value: object) -> object:
    """A value as one cell: a set as its labels with a bar between, the empty set as the bar alone."""
    if isinstance(value, AbstractSet):
        labels = sorted(map(str, value))
        if any(BETWEEN in label or label != label.strip() or not label for label in labels):
            raise DataError(
                f"the labels {listing(labels)} cannot be in one cell, separated by {BETWEEN!r}; write JSON instead"
            )
        return BETWEEN.join(labels) or BETWEEN
    if isinstance(value, tuple):
        return json.dumps(_plain(value), ensure_ascii=False)
    if value == "" and isinstance(value, str):
        raise DataError(
            "an empty string is one of the values, and in this format it would read as no annotation; write JSON"
        )
    return value


def _plain(value: object) -> object:
    if isinstance(value, AbstractSet):
        return sorted((_plain(part) for part in value), key=str)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and math.isnan(value) else value  # of attributes that are not there


def _text(names: list[str], rows: list[list[object]], form: str) -> bytes:
    last = _check_cells(names, rows, form)
    cells = ([*map(_cell, row[:last]), *row[last:]] for row in rows)
    text = delimited([names, *cells], "\t" if form == "tsv" else ",")
    zero = text.find("\0")
    if zero >= 0:
        around = text[max(zero - 10, 0) : zero + 10]
        raise DataError(f"{around!r} has a zero byte, which a text file cannot hold; write .json or .jsonl instead")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _half(error) from None


def _check_cells(names: list[str], rows: list[list[object]], form: str) -> int:
    """Refuse text that a reader of cells would not give back; how many columns are not attributes."""
    last = names.index("value") + 1 if "value" in names else len(names)
    for place, name in enumerate(names[:last]):
        for text in {row[place] for row in rows if isinstance(row[place], str)}:
            if str(text) != str(text).strip():
                raise DataError(
                    f"{text!r} in {name!r} begins or ends with blanks, which do not count in {form}; write JSON instead"
                )
    return last


def _half(error: UnicodeEncodeError) -> DataError:
    found = error.object[max(error.start - 10, 0) : error.end + 10]
    return DataError(f"{found!r} has half of a character, which only JSON can hold; write .json or .jsonl instead")


def _json(names: list[str], rows: list[list[object]], form: str) -> bytes:
    records = ({name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in rows)
    lines = [json_text(record, infinite=True) for record in records]
    text = "".join(f"{line}\n" for line in lines) if form == "jsonl" else "[\n" + ",\n".join(lines) + "\n]\n"
    return text.encode("utf-8")


def _arrow(names: list[str], rows: list[list[object]], form: str) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as arrow_parquet
    except ImportError:
        raise extra("pyarrow", "big", purpose=f"writing {form}") from None
    columns = {}
    for place, name in enumerate(names):
        cells = [_plain(row[place]) for row in rows]
        try:
            columns[name] = pa.array(cells)
        except UnicodeEncodeError as error:
            raise _half(error) from None
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            # Lists of numbers and words have no type of a column: they are written as JSON, which is read back.
            if not all(isinstance(cell, list | dict) for cell in cells):
                raise DataError(
                    f"a column of {form} has one type, and {name!r} does not: {error}; write JSON instead"
                ) from None
            columns[name] = pa.array([json.dumps(cell, ensure_ascii=False, default=str) for cell in cells])
    table = pa.table(columns)
    out = io.BytesIO()
    if form == "parquet":
        arrow_parquet.write_table(table, out)
    else:
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)
    return out.getvalue()


def _excel(names: list[str], rows: list[list[object]], form: str) -> bytes:
    _check_cells(names, rows, form)
    return workbook(RowSheet("annotations", [names, *([_cell(cell) for cell in row] for row in rows)]))
