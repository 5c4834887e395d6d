"""The records of Potato: what one annotator answered and marked in one instance, in whichever form it was saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.gather.marks import Span
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of
from interagree.reading.cells import spelled

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
    """A marked stretch, with its schema and the field of the instance that it lies in."""

    schema: str
    field: str
    span: Span


@dataclass(slots=True)
class Record:
    """What one annotator answered about one instance."""

    where: str
    item: str
    annotator: str
    labels: dict[str, dict[str, Any]] = field(default_factory=dict)  # by schema and option
    spans: list[Marked] = field(default_factory=list)
    schemas: set[str] = field(default_factory=set)  # in which spans were asked for
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
    if _is_table(columns_of(path)):
        return True
    keys = {keys[0] for keys in json_head(path).first}
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
    folders = [folder for folder in sorted(path.iterdir()) if folder.is_dir()]
    found = [own] if (own := _of_person(path)) is not None else [*map(_of_person, folders)]
    files = [file for file in found if file is not None]
    files = files or [file for file in _exported(path) if recognised(file)][:1]  # of several formats one
    if not files:
        raise FormatError(
            f"{path} is a folder without files of Potato: expected a folder for each annotator with {STATE} or "
            f"{INSTANCES} in it, or {EXPORTED}.jsonl, .csv or .tsv"
        )
    return [*map(Source.of, files)]


# -- what they hold -------------------------------------------------------------------------------------------


def all_records(row: Row, source: Source) -> Iterator[Record]:
    """The records of what a file holds: the state of an annotator, or a record of its own."""
    if LABELS in row.cells:
        yield from _of_state(row, _folder(source))
    elif source.suffix in {".csv", ".tsv"}:
        yield _of_table(row)
    else:
        made = _about(row, row.text("user_id", "user") or _folder(source))
        links, cells = row.cells.get("links"), row.cells
        made.links = len(links) if isinstance(links, dict | list) else 0
        made.labels = _labels(cells.get("labels" if "labels" in cells else "label_annotations"), row.where)
        _mark(made, cells.get("spans" if "spans" in cells else "span_annotations"), row.where)
        yield made


def _folder(source: Source) -> str:
    return "" if source.path is None else source.path.resolve().parent.name


def in_phases(row: Row) -> int:
    """How many answers were given on pages of surveys, training and the like."""
    pages = [row.cells.get(name) for name in PHASES]
    phases = [phase for node in pages if isinstance(node, dict) for phase in node.values() if isinstance(phase, dict)]
    return sum(len(page) for phase in phases for page in phase.values() if isinstance(page, list | dict))


def _of_state(row: Row, folder: str) -> Iterator[Record]:
    """All instances of one annotator."""
    where = row.where.removesuffix(", /")
    row = Row(where, row.cells)
    labels, spans = row.field(LABELS, dict), row.field(SPANS, dict, {})
    links, events = (made if isinstance(made := row.cells.get(name), dict) else {} for name in (LINKS, EVENTS))
    who, origin = row.text("user_id") or folder, _origin(row.cells.get("origin"))
    for item in dict.fromkeys((*labels, *spans)):
        made = Record(f"{where}, /{LABELS}/{item}", item, who, origin=origin)
        made.links, made.events = (len(some.get(item) or ()) for some in (links, events))
        made.labels = _labels(labels.get(item), made.where)
        _mark(made, spans.get(item), f"{where}, /{SPANS}/{item}")
        yield made


def _about(row: Row, who: str) -> Record:
    """A record without its answers."""
    item = row.text("instance_id", "id")
    if not who or not item:
        lacking = "an annotator in 'user_id' or 'user'" if item else "the id of an instance in 'id' or 'instance_id'"
        raise FormatError(f"{row.where}: expected {lacking}, found nothing")
    shown = row.cells.get("displayed_text")
    text = shown if isinstance(shown, str) and shown.strip() else None
    return Record(row.where, item, who, text=text, origin=_origin(row.cells.get(ORIGINS[0])))


def _of_table(row: Row) -> Record:
    made = _about(row, row.text("user_id", "user"))
    sign = OLD if any(OLD in name for name in row.cells) else SIGN
    for name in row.cells:
        schema, cut, option = name.partition(sign)
        entry = row.text(name)
        if not cut or not entry or name.endswith(ROOMS):
            continue
        if name.endswith(IN_TABLES):
            try:
                _mark(made, {schema: spelled(entry)}, row.where)
            except FormatError:
                raise
            except ValueError:
                raise FormatError(f"{row.where}: expected spans as JSON, found {entry[:60]!r}") from None
        else:
            made.labels.setdefault(schema, {})[option] = entry
    for schema, options in made.labels.items():  # of several options stored for a single choice Potato adds the final
        final = row.text(schema)
        if final in options and schema not in ABOUT:
            made.labels[schema] = {final: final}
    return made


def _origin(origin: object) -> str:
    if isinstance(origin, dict):
        origin = origin.get("kind") or origin.get("type") or origin.get("origin") or ""
    return "" if origin is None or str(origin).strip().lower() in {"", "human", "person"} else str(origin)


def _labels(node: object, where: str) -> dict[str, dict[str, Any]]:
    """Answers by schema and option: from pairs of a label and its value, or from an object."""
    made: dict[str, dict[str, Any]] = {}
    for pair in node if isinstance(node, list) else ():
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], dict):
            raise FormatError(f"{where}: expected pairs of a label and its value, found {pair!r:.60}")
        made.setdefault(field_of(pair[0], "schema", str, where), {})[str(pair[0].get("name") or "")] = pair[1]
    if not isinstance(node, dict | list | None):
        raise FormatError(f"{where}: expected answers by schema, found {node!r:.60}")
    for schema, options in node.items() if isinstance(node, dict) else ():
        inside = options.get("labels") if isinstance(options, dict) else None
        inner = inside if isinstance(inside, dict) else options
        made[schema] = {**inner} if isinstance(inner, dict) else {"": inner}
    return made


def _mark(made: Record, node: object, where: str) -> None:
    """Take up marked stretches, which stand in lists by schema, or in one list, and each alone or before its value."""
    for schema, entries in node.items() if isinstance(node, dict) else [("", node)] if isinstance(node, list) else ():
        if not isinstance(entries, list):
            raise FormatError(f"{where}: expected a list of spans, found {entries!r:.60}")
        made.schemas |= {schema} if schema else set()
        for entry in entries:
            about = entry[0] if isinstance(entry, list) and entry else entry
            about = about if isinstance(about, dict) else {}
            named = schema or str(about.get("schema") or "spans")
            made.schemas.add(named)
            made.spans.append(Marked(named, str(about.get("target_field") or ""), _span(about, where)))


def _span(about: dict[str, Any], where: str) -> Span:
    further = about.get("additional_parts")
    parts = sorted({_place(part, where) for part in (about, *(further if isinstance(further, list) else ()))})
    label = next((about[name] for name in NAMES if about.get(name) is not None), None)
    covered = about.get("text") or about.get("span")
    return Span(
        parts[0][0],
        max(end for _, end in parts),
        None if label is None else str(label),
        tuple(parts) if len(parts) > 1 else (),
        covered=covered if isinstance(covered, str) else None,
    )


def _place(about: object, where: str) -> tuple[int, int]:
    start, end = (about.get("start"), about.get("end")) if isinstance(about, dict) else (None, None)
    if type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**53:
        raise FormatError(f"{where}: expected a span with 'start' and 'end', found {about!r:.60}")
    return start, end
