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
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.readers._answers import NO, YES, add_answers, names_of
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers._rows import records_of
from interagree.readers.potato.records import SUFFIXES, Record, all_records, files_of, in_phases, recognised

FIELDS = frozenset({"", "text_box", "textbox", "text", "slider", "number", "value", "free_response_text"})
FIELDS |= {"select-one", "selection", "scale_value", "confidence_level", "range_low", "range_high", "selected_path"}
RANKED, PICKED = "rank_order", "selected_labels"  # fields that hold several options, with commas between them
MARKS = frozenset({"0", "1", "on", YES})  # what stands beside options that were chosen, or not, if not their names
TICKED = frozenset({"on", YES})
DRAWN = "_data"
BESIDE = frozenset({"free_response", "bad_text", "justification"})  # fields beside the options of a schema
SCALE = re.compile(r"scale_(-?\d+)")
PAGE = ".html"
Given: TypeAlias = tuple[Record, dict[str, Any]]  # what one record has for a schema


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
        sources += [given] if isinstance(given, Source) else files_of(Path(given))
    gathered = Gatherer("Potato", sources, duplicates=options["duplicates"], units=unit_options(options))
    gathered.steps += unread_files(path, sources, deep=False)
    records = []
    for source, row in ((file, row) for file in sources for row in records_of(file, gathered.steps)):
        gathered.left_out("answer", "on pages of surveys or training left out", in_phases(row))
        for record in all_records(row, source):
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


# -- answers --------------------------------------------------------------------------------------------------


def _add_labels(gathered: Gatherer, records: Sequence[Record], multiple: set[str], *, keep: bool) -> None:
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
    gathered: Gatherer, schema: str, records: Sequence[Record], given: Sequence[Given], *, several: bool, keep: bool
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


def _add_spans(gathered: Gatherer, records: Sequence[Record], *, keep: bool) -> None:
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
