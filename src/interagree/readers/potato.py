"""Potato: the folders of annotators (``user_state.json``, ``annotated_instances.jsonl``) and the exported tables.

Every schema is a question.  Options that were chosen are labels, or sets of labels where somebody chose several; points
of a scale (``scale_4``) are called by their number; text boxes, sliders, menus and other fields are what was entered,
and orders are rankings.  A schema with several fields of its own (``multirate``) is one question for each.  Marked
stretches are spans; a schema that marks several fields of an instance is one question for each of these.

**Items** are instances, **annotators** users: as the file says, else by the name of the folder.

**Who looked.**  Potato saves what was chosen, and nothing where nothing was.  Who answered any question about an
instance is taken to have seen all its questions: no span, and none of several options, is then an answer, which is
said; ``empty="drop"`` leaves it out.  A single choice that was not made is not an answer.

**Left out**, and counted: answers on pages of surveys and training, pages of instructions, free text beside options,
regions of images, other drawings and structured answers, links between spans, events, and what machines answered, as
the state of the annotator or a column says, unless ``predictions=True``.

A folder of the folders of annotators is read as a whole.  The tables that Potato 1.x and 2.x export (CSV, TSV and JSON
lines with ``instance_id`` and ``user_id``, options after ``:::`` or a dot) are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, FormatError, ReaderHint, expected, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.readers._answers import NO, YES, add_answers, names_of
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of, records_of
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
FIELDS = frozenset({"", "text_box", "textbox", "text", "slider", "number", "value", "free_response_text"})
FIELDS |= {"select-one", "selection", "scale_value", "confidence_level", "range_low", "range_high", "selected_path"}
RANKED, PICKED = "rank_order", "selected_labels"  # fields that hold several options, with commas between them
MARKS = frozenset({"0", "1", "on", YES})  # what stands beside options that were chosen, or not, if not their names
TICKED = frozenset({"on", YES})
DRAWN = "_data"
BESIDE = frozenset({"free_response", "bad_text", "justification"})  # fields beside the options of a schema
SCALE = re.compile(r"scale_(-?\d+)")
PAGE = ".html"


class Marked(NamedTuple):
    """A marked stretch, with its schema and the field of the instance that it lies in."""

    schema: str
    field: str
    span: Span


@dataclass(slots=True)
class PotatoRecord:
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


Given: TypeAlias = tuple[PotatoRecord, dict[str, Any]]  # what one record has for a schema


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


def _files_of(path: Path) -> list[Source]:
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


@reader("Potato", suffixes=SUFFIXES, sniff=recognised, together=True)
def potato(
    path: Paths,
    *,
    empty: Literal["keep", "drop"] = "keep",
    predictions: bool = False,
    multiple: str | Sequence[str] = (),
    **options: Unpack[MarkedAnswers],
) -> Study:
    """The answers of all annotators of a project.

    Args:
        path: The folder of the annotators' folders, a file, or a list of them.
        empty: "keep" or "drop" that somebody chose none of several options, or marked no span, where they answered
            another question about the instance.
        predictions: Whether machines count as annotators.
        multiple: Questions that take several answers, also where nobody gave more than one.
    """
    sources: list[Source] = []
    for given in as_list(path):
        sources += [given] if isinstance(given, Source) else _files_of(Path(given))
    gathered = Gatherer("Potato", sources, duplicates=options["duplicates"], units=unit_options(options))
    gathered.steps += unread_files(path, sources, deep=False)
    records = []
    for source, row in ((file, row) for file in sources for row in records_of(file, gathered.steps)):
        gathered.left_out("answer", "on pages of surveys or training left out", _in_phases(row))
        for record in _all_records(row, source):
            if record.item.endswith(PAGE):
                gathered.left_out("page", "of instructions or a survey left out")
            elif record.origin and not predictions:
                machines = Advice.of("of a machine left out (", ReaderHint("predictions", value=True), " takes it)")
                gathered.left_out("record", machines)
            else:
                records.append(record)
    _add_labels(gathered, records, {*(names_of(multiple) or ())}, keep=empty == "keep")
    _add_spans(gathered, records, keep=empty == "keep")
    for record in records:
        if record.text is not None:
            gathered.show(record.item, record.text, record.where)
    return gathered.study(options["questions"])


# -- what they hold -------------------------------------------------------------------------------------------


def _all_records(row: Row, source: Source) -> Iterator[PotatoRecord]:
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


def _in_phases(row: Row) -> int:
    """How many answers were given on pages of surveys, training and the like."""
    pages = [row.cells.get(name) for name in PHASES]
    phases = [phase for node in pages if isinstance(node, dict) for phase in node.values() if isinstance(phase, dict)]
    return sum(len(page) for phase in phases for page in phase.values() if isinstance(page, list | dict))


def _of_state(row: Row, folder: str) -> Iterator[PotatoRecord]:
    """All instances of one annotator."""
    where = row.where.removesuffix(", /")
    row = Row(where, row.cells)
    labels, spans = row.field(LABELS, dict), row.field(SPANS, dict, {})
    links, events = (made if isinstance(made := row.cells.get(name), dict) else {} for name in (LINKS, EVENTS))
    who, origin = row.text("user_id") or folder, _origin(row.cells.get("origin"))
    for item in dict.fromkeys((*labels, *spans)):
        made = PotatoRecord(f"{where}, /{LABELS}/{item}", item, who, origin=origin)
        made.links, made.events = (len(some.get(item) or ()) for some in (links, events))
        made.labels = _labels(labels.get(item), made.where)
        _mark(made, spans.get(item), f"{where}, /{SPANS}/{item}")
        yield made


def _about(row: Row, who: str) -> PotatoRecord:
    """A record without its answers."""
    item = row.text("instance_id", "id")
    if not who or not item:
        lacking = "an annotator in 'user_id' or 'user'" if item else "the id of an instance in 'id' or 'instance_id'"
        raise FormatError(f"{row.where}: expected {lacking}, found nothing")
    shown = row.cells.get("displayed_text")
    text = shown if isinstance(shown, str) and shown.strip() else None
    return PotatoRecord(row.where, item, who, text=text, origin=_origin(row.cells.get(ORIGINS[0])))


def _of_table(row: Row) -> PotatoRecord:
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
            raise expected(where, "pairs of a label and its value", pair)
        made.setdefault(field_of(pair[0], "schema", str, where), {})[str(pair[0].get("name") or "")] = pair[1]
    if not isinstance(node, dict | list | None):
        raise expected(where, "answers by schema", node)
    for schema, options in node.items() if isinstance(node, dict) else ():
        inside = options.get("labels") if isinstance(options, dict) else None
        inner = inside if isinstance(inside, dict) else options
        made[schema] = {**inner} if isinstance(inner, dict) else {"": inner}
    return made


def _mark(made: PotatoRecord, node: object, where: str) -> None:
    """Take up marked stretches, which stand in lists by schema, or in one list, and each alone or before its value."""
    for schema, entries in node.items() if isinstance(node, dict) else [("", node)] if isinstance(node, list) else ():
        if not isinstance(entries, list):
            raise expected(where, "a list of spans", entries)
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
        raise expected(where, "a span with 'start' and 'end'", about)
    return start, end


# -- answers --------------------------------------------------------------------------------------------------


def _add_labels(gathered: Gatherer, records: Sequence[PotatoRecord], multiple: set[str], *, keep: bool) -> None:
    for schema in dict.fromkeys(name for record in records for name in record.labels):
        asked = [record for record in records if schema in record.labels]
        given = _with_free_text(gathered, schema, [(r, _given(gathered, schema, r.labels[schema])) for r in asked])
        if any(RANKED in fields for _, fields in given):
            _add_rankings(gathered, schema, given)
            continue
        picked = any(PICKED in fields for _, fields in given)
        if picked:
            given = [(record, {name: name for name in _listed(fields.get(PICKED))}) for record, fields in given]
        if entered := _entered(schema, given):
            add_answers(
                gathered,
                [
                    Mark(schema if len(entered) == 1 else f"{schema}.{name}", r.item, r.annotator, entry, r.where)
                    for name in entered
                    for r, fields in given
                    if not _is_no(cell := fields.get(name))
                    for entry in [YES if cell is True else str(cell).strip()]
                ],
            )
        else:
            _add_choices(gathered, schema, records, given, several=picked or schema in multiple, keep=keep)


def _add_choices(
    gathered: Gatherer,
    schema: str,
    records: Sequence[PotatoRecord],
    given: Sequence[Given],
    *,
    several: bool,
    keep: bool,
) -> None:
    if several:
        gathered.takes_several(schema)
    marked = {str(entry).lower() for _, fields in given for entry in fields.values()} <= MARKS | {"", NO}
    marked = marked and not _named(given)
    chosen = {(record.item, record.annotator): _chosen(fields, marked=marked) for record, fields in given}
    several = several or any(len(names) > 1 for names in chosen.values())
    silent = 0
    for record in records:
        names = chosen.get((record.item, record.annotator), ())
        if names or (several and keep):
            silent += not names
            gathered.add(Mark(schema, record.item, record.annotator, names, record.where), "choices")
    if silent:
        sentence = f"{counted(silent, 'time')} somebody answered another question and chose nothing for {schema!r}; "
        dropping = ReaderHint("empty", "drop")
        said = Advice.of(f"{sentence}taken as none of the options (", dropping, " leaves it out)")
        gathered.note("assumed", said, silent)


def _given(gathered: Gatherer, schema: str, fields: dict[str, Any]) -> dict[str, Any]:
    """What was entered or chosen, without drawings and free text beside options."""
    if DRAWN in fields:
        gathered.left_out("drawing", "(such as regions of an image) left out")
    beside = [name for name in fields if name in BESIDE and len(fields) > 1]
    gathered.left_out("free text", "beside options left out", len(beside))
    structured = [name for name, entry in fields.items() if name == schema and _is_structured(entry)]
    gathered.left_out("structured answer", "(such as sorted cards or marked errors) left out", len(structured))
    return {name: entry for name, entry in fields.items() if name not in {DRAWN, *structured} and name not in beside}


def _is_structured(entry: object) -> bool:
    return isinstance(entry, dict | list) or (isinstance(entry, str) and entry.lstrip()[:1] in {"{", "["})


def _with_free_text(gathered: Gatherer, schema: str, given: list[Given]) -> list[Given]:
    """Free text of those who chose none of the options, as an option of its own."""
    if all(name in BESIDE for _, fields in given for name in fields):
        return given
    alone = [fields for _, fields in given if fields and all(name in BESIDE for name in fields)]
    if alone:
        names = listing(dict.fromkeys(name for fields in alone for name in fields))
        sentence = f"{counted(len(alone), 'answer')} to {schema!r} in free text instead of an option taken as {names}"
        gathered.note("assumed", sentence, len(alone))
    return [
        (record, {name: name if name in BESIDE else entry for name, entry in fields.items()})
        for record, fields in given
    ]


def _named(given: Sequence[Given]) -> bool:
    """Whether the entry of every option is its name: then whatever is called 'false' or '0' was chosen, too."""
    entries = ((name, entry) for _, fields in given for name, entry in fields.items())
    return all(entry is None or str(entry) in {"", name} for name, entry in entries)


def _entered(schema: str, given: Sequence[Given]) -> list[str]:
    """The fields of a schema whose entries are the answers; none where the names of options are."""
    entries: dict[str, set[str]] = {}
    for _, fields in given:
        for name, entry in fields.items():
            if not _is_no(entry, name):
                entries.setdefault(name, set()).add(str(entry))
    if _named(given) or all(SCALE.fullmatch(name) for name in entries):
        return []
    if any(name in FIELDS for name in entries) or not entries.get(schema, TICKED) <= TICKED:
        return list(entries)
    marks = {entry.lower() for found in entries.values() for entry in found}
    if marks <= MARKS or not any(len(found) > 1 for found in entries.values()):
        return []
    return list(entries)


def _chosen(fields: dict[str, Any], *, marked: bool) -> tuple[str, ...]:
    """The names of the options that were chosen; "0" says that one was not, where others are marked with "1"."""
    names = [name for name, entry in fields.items() if not _is_no(entry, name) and not (marked and str(entry) == "0")]
    return tuple(scale[1] if (scale := SCALE.fullmatch(name)) else name for name in names)


def _is_no(entry: object, name: str = "") -> bool:
    """Whether an entry says that an option was not chosen; one that is called 'false' has its name for an entry."""
    return entry is None or entry is False or not str(entry).strip() or str(entry).strip().lower() == NO != name


def _listed(entry: object) -> list[str]:
    """The options that stand in one field."""
    options = entry if isinstance(entry, list) else str(entry or "").split(",")
    return list(dict.fromkeys(name for option in options if (name := str(option).strip())))


def _add_rankings(gathered: Gatherer, question: str, given: Sequence[Given]) -> None:
    for record, fields in given:
        options = _listed(fields.get(RANKED))
        if len(options) > 1:
            gathered.add(Mark(question, record.item, record.annotator, tuple(options), record.where), "rankings")
        else:
            gathered.left_out("ranking", "of fewer than two options left out")


# -- spans ----------------------------------------------------------------------------------------------------


def _add_spans(gathered: Gatherer, records: Sequence[PotatoRecord], *, keep: bool) -> None:
    """The spans of each schema, or of each field of the instance that it marks."""
    gathered.left_out("link", "between spans left out", sum(record.links for record in records))
    gathered.left_out("event", times=sum(record.events for record in records))
    fields: dict[str, dict[str, None]] = {}
    for record in records:
        for schema in sorted(record.schemas):
            fields.setdefault(schema, {})
        for mark in record.spans:
            fields[mark.schema][mark.field] = None
    for schema, places in fields.items():
        for place in places if len(places) > 1 else [None]:
            for record in records:
                marks = [m.span for m in record.spans if m.schema == schema and place in {None, m.field}]
                if marks or keep or (place is None and schema in record.schemas):
                    name = f"{schema}.{place}" if place else schema
                    gathered.add(Mark(name, record.item, record.annotator, marks, record.where), "spans")
