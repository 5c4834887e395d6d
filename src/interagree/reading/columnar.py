"""Tables of Arrow, from Parquet and Arrow files: columns as they are, lists side by side as nested records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interagree.data.files import Source
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.errors import listing
from interagree.reading.nested import from_json, study_of
from interagree.reading.questions import study

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

SAMPLE = 1000  # rows that tell whether annotations lie inside others


def study_of_columns(source: Source, frame: pa.Table | pl.DataFrame, *, at: str | None = None, **options: Any) -> Study:
    """The study that a table of Arrow, or of Polars where there is no Arrow, holds."""
    steps: tuple[Step, ...] = ()
    if type(frame).__module__.partition(".")[0] == "pyarrow":
        frame, steps = _named_classes(frame)
        if at is not None or _nested(source, frame, options):
            return study_of(source, frame.to_pylist(), at=at, steps=steps, **options)
    from interagree.reading.frames import table  # knows narwhals, which is loaded when a frame is met

    columns = table(frame)
    return study(source, replace(columns, steps=(*columns.steps, *steps)), **options)


def _nested(source: Source, frame: pa.Table, options: Mapping[str, object]) -> bool:
    """Whether annotations lie in lists or structures, by the first rows."""
    import pyarrow as pa

    kinds = pa.types
    deep = (kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list, kinds.is_struct, kinds.is_map)
    if not any(test(kind) for kind in frame.schema.types for test in deep):
        return False
    first = frame.slice(0, SAMPLE).to_pylist()
    return bool(first) and bool(from_json(first, name=source.name, stated=options).parts)


def _named_classes(frame: pa.Table) -> tuple[pa.Table, tuple[Step, ...]]:
    """The table with labels that Hugging Face's datasets keep as numbers called by their names; -1 means none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    about = json.loads((frame.schema.metadata or {}).get(b"huggingface", b"{}"))
    features = about.get("info", {}).get("features", {})
    done = []
    for place, name in enumerate(frame.column_names):
        feature = features.get(name)
        if not isinstance(feature, dict) or feature.get("_type") != "ClassLabel" or not feature.get("names"):
            continue
        column = frame.column(place)
        if not pa.types.is_integer(column.type):
            continue
        known = pc.if_else(pc.greater_equal(column, 0), column, None)
        names = pa.array(feature["names"]).take(known.combine_chunks())
        frame = frame.set_column(place, name, names)
        done.append(name)
    if not done:
        return frame, ()
    return frame, (Step("taken", f"numbers of {listing(done)} by the names of the classes that the file states"),)
