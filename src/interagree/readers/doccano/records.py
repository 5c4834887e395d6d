"""The records of a file: lines of JSON, a list, objects over several lines, or rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interagree.data.files import Source, parse_json
from interagree.data.provenance import Step
from interagree.data.types import Item
from interagree.errors import FormatError, listing
from interagree.readers._peek import JsonHead, beginning, json_head
from interagree.readers._rows import Row, columns_of, line_records, record_at, table_rows
from interagree.reading.names import ANNOTATOR, has

SUFFIXES = (".jsonl", ".json", ".csv")
LABELS = ("label", "labels")
ENTITIES, RELATIONS, CATEGORIES, COMMENTS = "entities", "relations", "cats", "Comments"
BOXES, SEGMENTS = ("bbox", "bboxes"), ("segmentation", "segments")
ANSWERS = (*LABELS, ENTITIES, RELATIONS, CATEGORIES, *BOXES, *SEGMENTS)
SHOWN = ("text", "filename", "data")
OLD = "annotations"
TABLE = {"id", "label", COMMENTS}  # columns of a table that only doccano writes
MODELS = frozenset({"model", "models", "llm", "run", "prompt"})  # names of entries that doccano does not write
BETWEEN = "#"  # labels of a table
EMPTY = (b"", b"[]")  # the file of a member without an example: of those approved only, where they approved none


@dataclass(slots=True, eq=False)
class Record:
    """An example, as one file has it."""

    source: Source
    where: str
    raw: Mapping[str, Any]
    annotator: str = ""
    item: Item = None

    @property
    def shown(self) -> str | None:
        """The text, or the name of the picture or the recording."""
        return next((value for key in SHOWN if isinstance(value := self.raw.get(key), str)), None)

    @property
    def of_table(self) -> bool:
        """Whether its labels stood in one cell."""
        return self.source.suffix == ".csv"


# -- which files ----------------------------------------------------------------------------------------------


def recognised(path: Path) -> bool:
    """Whether a file can only be what doccano writes: an empty one only beside others of members."""
    if path.is_dir():
        return False
    if _is_empty(path):
        others = sorted(path.parent.glob(f"*{path.suffix}"))
        return any(recognised(file) for file in others if not _is_empty(file))
    if Source.of(path).suffix == ".csv":
        columns = columns_of(path)
        return columns >= TABLE and not columns.isdisjoint(SHOWN) and not _is_of_others(columns)
    head = json_head(path)
    if head is None or not any(head.has(key, begins=b'"') for key in SHOWN) or head.has("_input_hash"):
        return False
    if head.has(OLD, "", "user") and (head.has(OLD, "", "label") or head.has(OLD, "", "text")):
        return not head.has(OLD, "", "result")
    return not _is_of_others(head.at()) and _is_annotated(head, path)


def _is_empty(path: Path) -> bool:
    return beginning(path).strip() in EMPTY


def _is_of_others(names: Iterable[str]) -> bool:
    return any(has(name, ANNOTATOR | MODELS) for name in names)


def _is_annotated(head: JsonHead, path: Path) -> bool:
    """Whether records hold answers as only doccano writes them."""
    answers = [key for key in ANSWERS if head.has(key, begins=b"[")]
    if head.has(COMMENTS, begins=b"["):
        return bool(answers)
    drawn = any({"x", "width"} <= head.at(key, "") for key in BOXES) or any(
        head.has(key, "", "points", "") for key in SEGMENTS
    )
    stretches = [(key, "", "") for key in (*LABELS, ENTITIES) if head.has(key, "", begins=b"[")]  # [start, end, …]
    if {"start_offset", "end_offset"} <= head.at(ENTITIES, "") or (drawn and head.has("filename")):
        return True
    if any(head.first.get(keys, b"")[:1].isdigit() for keys in stretches):
        return True
    plain = [key for key in LABELS if key in answers]
    strings = all(not head.has(key, "") or head.has(key, "", begins=b'"') for key in plain)
    return bool(plain) and strings and head.at() <= {*SHOWN, *LABELS, "id", "meta"} and not _are_votes(path, plain)


def _are_votes(path: Path, keys: Sequence[str]) -> bool:
    """Whether lists of labels are votes of several people: a label twice, or as many in every record."""
    text = beginning(path).decode("utf-8-sig", "ignore")
    sizes: set[int] = set()
    decoder, place = json.JSONDecoder(), text.find("{")
    while place >= 0:
        try:
            record, end = decoder.raw_decode(text, place)
        except ValueError:  # the end of what was looked at
            break
        for given in (record[key] for key in keys if isinstance(record.get(key), list)):
            sizes.add(len(given))
            if len(set(map(str, given))) < len(given):
                return True
        place = text.find("{", end)
    return len(sizes) == 1 and max(sizes) > 1


# -- what they hold -------------------------------------------------------------------------------------------


def all_records(source: Source, steps: list[Step]) -> Iterator[Record]:
    """The records of a file."""
    text = source.text().strip()
    if source.suffix == ".csv":
        rows: Iterable[Row] = map(_of_table, table_rows(source, steps)) if text else ()
    elif text.startswith("["):
        content = source.json()
        listed = content if isinstance(content, list) else []
        rows = (record_at(f"{source.name}, /{at}", one) for at, one in enumerate(listed))
    else:
        first = text.partition("\n")[0].rstrip()
        rows = line_records(source) if not text or first.endswith("}") else _printed(source)
    for where, raw in rows:
        yield Record(source, where, raw)


def _printed(source: Source) -> Iterator[Row]:
    """Objects over several lines, each of which ends with a bracket on a line of its own."""
    lines, first = source.text().split("\n"), 0
    for at, line in enumerate(lines, start=1):
        part = "\n".join(lines[first:at])
        if (line.rstrip() != "}" and at < len(lines)) or not part.strip():
            continue
        where = f"{source.name}, line {first + 1}"
        try:
            raw = parse_json(part)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{source.name}, line {first + error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
            ) from None
        except FormatError as error:
            raise error.at(where) from None
        yield record_at(where, raw)
        first = at


def _of_table(row: Row) -> Row:
    """A row of a table, whose labels stand in one cell."""
    if "label" not in row.cells or row.cells.keys().isdisjoint(SHOWN):
        file = row.where.rpartition(", line ")[0]
        raise FormatError(f"{file}: expected the columns 'text' and 'label', found {listing(row.cells)}")
    label, comment = row.text("label"), row.text(COMMENTS)
    listed = {"label": label.split(BETWEEN) if label else [], COMMENTS: [comment] if comment else []}
    return Row(row.where, {**row.cells, **listed})
