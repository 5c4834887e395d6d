"""The records of Potato: what one annotator answered and marked in one instance, in whichever form it was saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source, parse_json
from interagree.data.provenance import Step
from interagree.errors import FormatError
from interagree.gather.marks import Span
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of, records_of, text_of

EXPORTED = "annotations"
STATE, INSTANCES = "user_state.json", "annotated_instances.jsonl"
SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
LABELS, SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
PHASES = ("phase_to_page_to_label_to_value", "phase_to_page_to_span_to_value")
OLD, SIGN = ":::", "."  # between a schema and an option in tables of Potato 1.x and 2.x
IN_TABLES = "._spans"
ROOMS = ("._room", "._room_id")
NAMES = ("label", "name", "annotation")  # what the label of a span is called
LINKS, EVENTS = "instance_id_to_link_to_value", "instance_id_to_event_to_value"
ORIGINS = ("annotator_origin", "annotator_origin_detail")
ABOUT = {"instance_id", "user_id", *ORIGINS, "engine_purpose", "engine_request"}  # columns that are not answers


class Marked(NamedTuple):
    """A marked stretch, and the field of the instance that it lies in."""

    span: Span
    field: str = ""


@dataclass(slots=True)
class Record:
    """What one annotator answered about one instance."""

    where: str
    item: str
    annotator: str
    labels: dict[str, dict[str, Any]] = field(default_factory=dict)  # by schema and option
    spans: dict[str, list[Marked]] = field(default_factory=dict)  # by schema
    text: str | None = None
    origin: str = ""  # what a machine is that answered
    links: int = 0  # between spans
    events: int = 0


# -- which files ----------------------------------------------------------------------------------------------


def recognised(path: Path) -> bool:
    """Whether a file can only be one of Potato, or a folder holds a folder for each annotator of it or an export."""
    if path.is_dir():
        people = any(_of_person(folder) is not None for folder in path.iterdir() if folder.is_dir())
        return people or any(map(recognised, _exported(path)))
    suffix = Source.of(path).suffix
    if suffix in {".csv", ".tsv"}:
        return _is_table(columns_of(path))
    head = json_head(path)
    if head is None:
        return False
    keys = {keys[0] for keys in head.first}
    if LABELS in keys or {"id", "displayed_text", "label_annotations"} <= keys:
        return True
    exported = {"instance_id", "user_id"} <= keys
    return exported and ({"labels", "spans"} <= keys or "label_annotations" in keys)


def _is_table(names: frozenset[str]) -> bool:
    if "instance_id" not in names:
        return False
    if any(OLD in name for name in names):
        return "user" in names or "user_id" in names
    schemas = {name.partition(SIGN)[0] for name in names if SIGN in name}
    others = names - ABOUT
    return "user_id" in names and bool(schemas) and all(SIGN in name or name in schemas for name in others)


def _of_person(folder: Path) -> Path | None:
    """The file of a folder that holds what one annotator did; None where there is none."""
    for name in (STATE, INSTANCES):
        file = folder / name
        if file.is_file() and recognised(file):
            return file
    return None


def _exported(folder: Path) -> list[Path]:
    """The tables of an export, which lie beside those of surveys, changes and trials."""
    return [file for suffix in (".jsonl", ".csv", ".tsv") if (file := folder / f"{EXPORTED}{suffix}").is_file()]


def files_of(path: Path) -> list[Source]:
    """The file itself, or those of the annotators in a folder."""
    if not path.is_dir():
        return [Source.of(path)]
    own = _of_person(path)
    found = [own] if own is not None else [_of_person(folder) for folder in sorted(path.iterdir()) if folder.is_dir()]
    files = [Source.of(file) for file in found if file is not None]
    files = files or [Source.of(file) for file in _exported(path) if recognised(file)][:1]  # of several formats one
    if not files:
        raise FormatError(
            f"{path} is a folder without files of Potato: expected a folder for each annotator with {STATE} or "
            f"{INSTANCES} in it, or {EXPORTED}.jsonl, .csv or .tsv"
        )
    return files


# -- what they hold -------------------------------------------------------------------------------------------


def all_records(source: Source, steps: list[Step]) -> Iterator[Record]:
    """The records of a file."""
    folder = "" if source.path is None else source.path.resolve().parent.name
    for row in records_of(source, steps):
        if LABELS in row.cells:
            yield from _of_state(row, folder)
        elif source.suffix in {".csv", ".tsv"}:
            yield _of_row(row)
        else:
            yield _of_line(row, folder)


def in_phases(source: Source) -> int:
    """How many answers were given on pages of surveys, training and the like."""
    if source.suffix != ".json":
        return 0
    state = source.json()
    pages = [state.get(name) for name in PHASES] if isinstance(state, dict) else []
    phases = [phase for node in pages if isinstance(node, dict) for phase in node.values() if isinstance(phase, dict)]
    return sum(len(page) for phase in phases for page in phase.values() if isinstance(page, list | dict))


def _of_state(row: Row, folder: str) -> Iterator[Record]:
    """All instances of one annotator."""
    where = row.where.removesuffix(", /")
    who = text_of(row.cells, "user_id") or folder
    labels = field_of(row.cells, LABELS, dict, where)
    spans = row.cells.get(SPANS) or {}
    if not isinstance(spans, dict):
        raise FormatError(f"{where}: expected an object in {SPANS!r}, found {spans!r:.60}")
    origin = _origin(row.cells.get("origin"))
    for item in dict.fromkeys((*labels, *spans)):
        made = Record(f"{where}, /{LABELS}/{item}", str(item), who, origin=origin)
        made.links, made.events = (_count(row.cells.get(name), item) for name in (LINKS, EVENTS))
        made.labels = _labels(labels.get(item), made.where)
        made.spans = _spans(spans.get(item), f"{where}, /{SPANS}/{item}")
        yield made


def _count(by_instance: object, item: str) -> int:
    """How many links or events an instance has."""
    made = by_instance.get(item) if isinstance(by_instance, dict) else None
    return len(made) if isinstance(made, dict | list) else 0


def _of_line(row: Row, folder: str) -> Record:
    cells, where = row.cells, row.where
    item = text_of(cells, "instance_id") or text_of(cells, "id")
    who = text_of(cells, "user_id") or text_of(cells, "user") or folder
    if not item:
        raise FormatError(f"{where}: expected the id of an instance in 'id' or 'instance_id', found nothing")
    shown = cells.get("displayed_text")
    origin = cells.get(ORIGINS[0])
    made = Record(where, item, who, text=shown if isinstance(shown, str) else None, origin=_origin(origin))
    made.links = _count(cells, "links")
    made.labels = _labels(cells.get("labels") if "labels" in cells else cells.get("label_annotations"), where)
    made.spans = _spans(cells.get("spans") if "spans" in cells else cells.get("span_annotations"), where)
    return made


def _of_row(row: Row) -> Record:
    cells, where = row.cells, row.where
    shown = text_of(cells, "displayed_text") or None
    who = text_of(cells, "user_id") or text_of(cells, "user")
    item = text_of(cells, "instance_id")
    if not who or not item:
        raise FormatError(f"{where}: expected an instance and an annotator, found an empty cell")
    made = Record(where, item, who, text=shown, origin=_origin(text_of(cells, ORIGINS[0])))
    sign = OLD if any(OLD in name for name in cells) else SIGN
    for name in cells:
        schema, cut, option = name.partition(sign)
        entry = text_of(cells, name)
        if not cut or not entry or name.endswith(ROOMS):
            continue
        if name.endswith(IN_TABLES):
            made.spans |= {schema: _listed(_parsed(entry, where), where)}
        else:
            made.labels.setdefault(schema, {})[option] = entry
    for schema, options in made.labels.items():  # of several options stored for a single choice Potato adds the final
        final = text_of(cells, schema)
        if final in options and schema not in ABOUT:
            made.labels[schema] = {final: final}
    return made


def _parsed(entry: str, where: str) -> Any:
    try:
        return parse_json(entry)
    except ValueError:
        raise FormatError(f"{where}: expected spans as JSON, found {entry[:60]!r}") from None


def _origin(origin: object) -> str:
    if isinstance(origin, dict):
        origin = origin.get("kind") or origin.get("type") or origin.get("origin") or ""
    return "" if origin is None or str(origin).lower() in {"", "human", "person"} else str(origin)


def _labels(node: object, where: str) -> dict[str, dict[str, Any]]:
    """Answers by schema and option: from pairs of a label and its value, or from an object."""
    made: dict[str, dict[str, Any]] = {}
    if isinstance(node, list):
        for pair in node:
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], dict):
                raise FormatError(f"{where}: expected pairs of a label and its value, found {pair!r:.60}")
            schema = field_of(pair[0], "schema", str, where)
            made.setdefault(schema, {})[str(pair[0].get("name") or "")] = pair[1]
        return made
    if node is None:
        return {}
    if not isinstance(node, dict):
        raise FormatError(f"{where}: expected answers by schema, found {node!r:.60}")
    for schema, options in node.items():
        inner = (
            options.get("labels") if isinstance(options, dict) and isinstance(options.get("labels"), dict) else options
        )
        made[str(schema)] = {str(k): v for k, v in inner.items()} if isinstance(inner, dict) else {"": inner}
    return made


def _spans(node: object, where: str) -> dict[str, list[Marked]]:
    """Marked stretches by schema."""
    made: dict[str, list[Marked]] = {}
    if isinstance(node, dict):
        for schema, entries in node.items():
            made[str(schema)] = _listed(entries, where)
        return made
    for entry in node if isinstance(node, list) else []:
        about = entry[0] if isinstance(entry, list) and entry else entry
        schema = str(about.get("schema") or "spans") if isinstance(about, dict) else "spans"
        made.setdefault(schema, []).append(_span(about, where))
    return made


def _listed(entries: object, where: str) -> list[Marked]:
    if not isinstance(entries, list):
        raise FormatError(f"{where}: expected a list of spans, found {entries!r:.60}")
    return [_span(entry[0] if isinstance(entry, list) and entry else entry, where) for entry in entries]


def _span(about: Any, where: str) -> Marked:
    about = about if isinstance(about, Mapping) else {}
    start, end = _place(about, where)
    label = next((about[name] for name in NAMES if about.get(name) is not None), None)
    covered = about.get("text") or about.get("span")
    further = about.get("additional_parts") or []
    parts = sorted({(start, end), *(_place(part, where) for part in further)}) if isinstance(further, list) else []
    fragments = tuple(parts) if len(parts) > 1 else ()
    if fragments:
        start, end = fragments[0][0], max(last for _, last in fragments)
    covered = covered if isinstance(covered, str) else None
    span = Span(start, end, None if label is None else str(label), fragments, covered=covered)
    return Marked(span, str(about.get("target_field") or ""))


def _place(about: object, where: str) -> tuple[int, int]:
    start, end = (about.get("start"), about.get("end")) if isinstance(about, Mapping) else (None, None)
    if type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**53:
        raise FormatError(f"{where}: expected a span with 'start' and 'end', found {about!r:.60}")
    return start, end
