"""The records of a file: lines of JSON, a list, objects over several lines, or rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source, json_lines, parse_json
from interagree.errors import FormatError, listing
from interagree.readers._peek import JsonHead, beginning, json_head
from interagree.readers._rows import columns_of, table_rows, text_of
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


class Record(NamedTuple):
    """An example, as one file has it."""

    source: Source
    where: str
    raw: dict[str, Any]

    def shown(self) -> str | None:
        """The text, or the name of the picture or the recording."""
        return next((value for key in SHOWN if isinstance(value := self.raw.get(key), str)), None)


def recognised(path: Path) -> bool:
    """Whether a file can only be what doccano writes: an empty one only beside others of members."""
    if path.is_dir():
        return False
    if _is_empty(path):
        others = sorted(path.parent.glob(f"*{path.suffix}"))
        return any(recognised(file) for file in others if not _is_empty(file))
    if Source.of(path).suffix == ".csv":
        columns = columns_of(path)
        return (
            columns >= TABLE and bool(columns & set(SHOWN)) and not any(has(key, ANNOTATOR | MODELS) for key in columns)
        )
    head = json_head(path)
    if head is None:
        return False
    keys = head.at()
    if not any(head.has(key, begins=b'"') for key in SHOWN) or "_input_hash" in keys:
        return False
    if head.has(OLD, "", "user") and (head.has(OLD, "", "label") or head.has(OLD, "", "text")):
        return not head.has(OLD, "", "result")
    if any(has(key, ANNOTATOR | MODELS) for key in keys):
        return False
    return _annotated(head, keys, path)


def _is_empty(path: Path) -> bool:
    return beginning(path).strip() in EMPTY


def _annotated(head: JsonHead, keys: set[str], path: Path) -> bool:
    answers = [key for key in ANSWERS if head.has(key, begins=b"[")]
    if COMMENTS in keys and head.has(COMMENTS, begins=b"["):
        return bool(answers)
    if head.has(ENTITIES, "", "start_offset") and head.has(ENTITIES, "", "end_offset"):
        return True
    if "filename" in keys and any(head.has(key, "", "x") and head.has(key, "", "width") for key in BOXES):
        return True
    if "filename" in keys and any(head.has(key, "", "points", "") for key in SEGMENTS):
        return True
    if any(_digits(head, key) for key in (*LABELS, ENTITIES)):
        return True
    plain = [key for key in LABELS if key in answers and not head.has(key, "", begins=b"{")]
    strings = all(not head.has(key, "") or head.has(key, "", begins=b'"') for key in plain)
    return bool(plain) and strings and keys <= {*SHOWN, *LABELS, "id", "meta"} and not _are_votes(path, plain)


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
        for key in keys:
            given = record.get(key) or []
            if isinstance(given, list):
                sizes.add(len(given))
                if len(set(map(str, given))) < len(given):
                    return True
        place = text.find("{", end)
    return len(sizes) == 1 and max(sizes) > 1


def _digits(head: JsonHead, key: str) -> bool:
    """Whether the first entry under a key is [start, end, …]."""
    return head.has(key, "", begins=b"[") and head.first.get((key, "", ""), b"")[:1].isdigit()


def records_of(source: Source) -> Iterator[Record]:
    """The records of a file."""
    if source.suffix == ".csv":
        yield from _rows(source)
        return
    for where, raw in _objects(source):
        if not isinstance(raw, dict):
            raise FormatError(f"{source.name}, {where}: expected an object, found {raw!r:.60}")
        yield Record(source, f"{source.name}, {where}", raw)


def _objects(source: Source) -> Iterator[tuple[str, Any]]:
    text = source.text()
    start = text.lstrip()
    if start.startswith("["):
        content = source.json()
        yield from ((f"/{at}", raw) for at, raw in enumerate(content if isinstance(content, list) else []))
        return
    first = start.partition("\n")[0].rstrip()
    if not start or first.endswith("}"):
        yield from ((f"line {number}", raw) for number, _, raw in json_lines(source.name, text))
        return
    yield from _printed(source, text)


def _printed(source: Source, text: str) -> Iterator[tuple[str, Any]]:
    """Objects that each stand on several lines, one after the other."""
    at, decoder = 0, json.JSONDecoder()
    while (at := _after_blanks(text, at)) < len(text):
        line = text.count("\n", 0, at) + 1
        try:
            _, end = decoder.raw_decode(text, at)
            raw = parse_json(text[at:end])
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{source.name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
            ) from None
        except FormatError as error:
            raise error.at(f"{source.name}, line {line}") from None
        except ValueError as error:
            raise FormatError(f"{source.name}, line {line}: this is not JSON ({error})") from None
        yield f"line {line}", raw
        at = end


def _after_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _rows(source: Source) -> Iterator[Record]:
    """The rows of a table, whose labels stand in one cell."""
    if not source.text().strip():
        return
    for where, cells in table_rows(source, []):
        if "label" not in cells or not cells.keys() & {*SHOWN}:
            raise FormatError(f"{source.name}: expected the columns 'text' and 'label', found {listing(cells)}")
        label = text_of(cells, "label")
        raw: dict[str, Any] = {**cells, "label": label.split(BETWEEN) if label else []}
        raw[COMMENTS] = [comment for comment in [text_of(cells, COMMENTS)] if comment]
        yield Record(source, where, raw)
