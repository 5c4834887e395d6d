"""doccano: the files of a project's members, JSONL, JSON or CSV, in a folder or an archive.

    export/ann.jsonl
    export/bo.jsonl

**Annotators** are files: doccano writes one for each member, called after them.  A project whose members share their
annotations is exported as ``all.jsonl``, which does not say who annotated what; it is refused, unless ``annotator=``
says whose it is.  ``unknown.jsonl`` holds what nobody annotated and is left out.  Old exports name the user in each of
their ``annotations``.

**Questions.** ``label``, ``labels`` or ``entities`` that are stretches of the text are the question ``spans``, with
``relations`` between them by their ends, since the ids of entities are each annotator's own.  Labels of a text or a
picture are the question ``label``, and so are the texts of translations, captions and transcripts; labels are told from
texts by whether they come again, and ``strings=`` says it.  Also ``cats`` beside spans, ``bbox`` and ``segmentation``.

**Items** are examples by their ``id``, which no two projects of a server share; where the files of annotators have no
id in common and the same texts, they are joined by their text.  ``item="text"`` says so, and ``item="id"`` forbids it.
Examples without an id are told by their text.

**Who looked?** doccano writes an empty list for who marked nothing as for who never saw the example.  An empty list of
spans, boxes, segments, or labels where somebody chose several, counts as looked at (``empty="looked"``), unless
``empty="unseen"``; export only approved examples to be sure.  Who marked nothing in any example did not take part, and
the file of a member who approved nothing is empty.  Where one label is chosen, none is not an answer.

**Offsets** count characters, or, where the project counts grapheme clusters as one, such clusters:
``offsets="graphemes"``.  One that lies outside its text is an error.  Comments are counted and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.data.types import Item
from interagree.declare import reader
from interagree.documents.graphemes import has_graphemes, starts_of_graphemes
from interagree.errors import Advice, FormatError, Hint, ReaderHint, expected, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.offsets import in_text, whole
from interagree.gather.shapes import POLYGON, Shape
from interagree.readers._images import box_of_size, numbers, pairs
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers._peek import JsonHead, beginning, json_head
from interagree.readers._rows import Row, columns_of, record_at, records_of
from interagree.reading.names import ANNOTATOR, has

SUFFIXES = (".jsonl", ".json", ".csv")
TEXT, SPANS, LABELS = "text", "spans", ("label", "labels")
ENTITIES, RELATIONS, CATEGORIES, COMMENTS = "entities", "relations", "cats", "Comments"
BOXES, SEGMENTS = ("bbox", "bboxes"), ("segmentation", "segments")
ANSWERS = (*LABELS, ENTITIES, RELATIONS, CATEGORIES, *BOXES, *SEGMENTS)
SHOWN = (TEXT, "filename", "data")
OLD = "annotations"
TABLE = {"id", "label", COMMENTS}  # columns of a table that only doccano writes
MODELS = frozenset({"model", "models", "llm", "run", "prompt"})  # names of entries that doccano does not write
BETWEEN = "#"  # labels of a table
EMPTY = (b"", b"[]")  # the file of a member without an example: of those approved only, where they approved none
ALL = re.compile(r"all(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)  # also 'all (1)', as a browser saves it a second time
NOBODY = "unknown"
WORDS = 4  # of which most texts have more, and few labels
LETTERS = 40  # likewise, where words are not parted by spaces
MANY = 20  # different strings, from which on most would come again if they were labels


class DoccanoOptions(NamedTuple):
    """What the caller said."""

    item: str | None
    strings: str | None
    empty: str
    offsets: str


@dataclass(slots=True, eq=False)
class DoccanoRecord:
    """An example, as one file has it."""

    source: Source
    row: Row
    annotator: str = ""
    item: Item = None

    @property
    def shown(self) -> str | None:
        """The text, or the name of the picture or the recording."""
        return next((value for key in SHOWN if isinstance(value := self.row.cells.get(key), str)), None)


class DoccanoAnswer(NamedTuple):
    """What somebody has under one key."""

    record: DoccanoRecord
    entries: list[Any]

    def mark(self, question: str, value: Any) -> Mark:
        """What they answered by it."""
        return Mark(question, self.record.item, self.record.annotator, value, self.record.row.where)

    @property
    def is_joined(self) -> bool:
        """Whether entries stood in one cell of a table, with '#' between them."""
        return len(self.entries) > 1 and self.record.source.suffix == ".csv"


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
    if not any(head.has(key, begins=b'"') for key in SHOWN) or head.has("_input_hash"):
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
    if {"start_offset", "end_offset"} <= head.at(ENTITIES, "") or (drawn and head.has("filename")):
        return True
    stretches = [(key, "", "") for key in (*LABELS, ENTITIES) if head.has(key, "", begins=b"[")]  # [start, end, …]
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


@reader("doccano", suffixes=SUFFIXES, sniff=recognised, together=True)
def doccano(
    path: Paths,
    *,
    item: str | None = None,
    annotator: str | None = None,
    strings: Literal["labels", "sets", "texts"] | None = None,
    empty: Literal["looked", "unseen"] = "looked",
    offsets: Literal["characters", "graphemes"] = "characters",
    **options: Unpack[MarkedAnswers],
) -> Study:
    """The examples of a project, as each of its members annotated them.

    Args:
        path: A file for each member, as a folder or a list; one file.
        item: "id", "text" (of a picture or a recording: its file), or the name of another entry.
        annotator: "{file}", "{folder}", a name, or the entry of a record that holds it.
        strings: Whether those under ``label`` are "labels", "sets" of labels, or "texts".
        empty: Whether an example in which nothing is marked, or none of several labels chosen, was "looked" at or is
            "unseen".
        offsets: What they count: "characters" or "graphemes".
    """
    units = unit_options(options, stated=False)
    gathered = Gatherer.of_files("doccano", path, SUFFIXES, duplicates=options["duplicates"], units=units)
    with without_garbage_collection():
        of_file = {file: [*_rows(file, gathered)] for file in _of_members(gathered, annotator)}
        empty_files = [file.stem for file, rows in of_file.items() if not rows]  # of who approved no example
        gathered.left_out("file", f"without an example left out ({listing(empty_files)})", len(empty_files))
        every = [DoccanoRecord(file, row) for file, rows in of_file.items() for row in rows]
        _gather(gathered, _answered_by(every, annotator, gathered), DoccanoOptions(item, strings, empty, offsets))
        return gathered.study(options["questions"])


def _rows(source: Source, gathered: Gatherer) -> Iterable[Row]:
    """The records of a file; none of one that is empty."""
    if not source.text().strip():
        return ()
    rows = records_of(source, gathered.steps)
    return map(_of_table, rows) if source.suffix == ".csv" else rows


def _of_table(row: Row) -> Row:
    """A row of a table, whose labels stand in one cell."""
    if "label" not in row.cells or row.cells.keys().isdisjoint(SHOWN):
        file = row.where.rpartition(", line ")[0]
        raise FormatError(f"{file}: expected the columns 'text' and 'label', found {listing(row.cells)}")
    label, comment = row.text("label"), row.text(COMMENTS)
    listed = {"label": label.split(BETWEEN) if label else [], COMMENTS: [comment] if comment else []}
    return Row(row.where, {**row.cells, **listed})


# -- who annotated --------------------------------------------------------------------------------------------


def _of_members(gathered: Gatherer, annotator: str | None) -> Sequence[Source]:
    """The files of members; those of a shared project do not tell whose they are, and are left out."""
    files = gathered.sources
    if annotator is not None:
        return files
    nobody = [file for file in files if file.stem.lower() == NOBODY and file.suffix != ".csv"]
    nobody = nobody if len(nobody) < len(files) else []
    shared = [file for file in files if ALL.fullmatch(file.stem)]
    members = [file for file in files if file not in nobody and file not in shared]
    if shared and not members:
        heads = [json_head(file.path) for file in shared if file.path is not None]
        if not heads or not all(head.has(OLD, "", "user") for head in heads):
            whose = Hint("annotator", "ann")
            raise FormatError(
                f"{shared[0].name} is doccano's export of a project whose members share their annotations, and it does "
                "not say who annotated what; agreement needs a file for each member: switch off 'Share annotations "
                "across all users' when you create the project, and export it. If all of it is the work of one person, "
                f"say who, as in {whose}",
                hints=[whose],
            )
        members, shared = shared, []
    stems, names = listing(file.stem for file in nobody), listing(file.name for file in shared)
    gathered.left_out("file", f"of what nobody annotated left out ({stems})", len(nobody))
    gathered.left_out("file", f"of shared annotations left out ({names})", len(shared))
    return members


def _answered_by(
    records: Sequence[DoccanoRecord], annotator: str | None, gathered: Gatherer
) -> Sequence[DoccanoRecord]:
    """Each record with who annotated it; an old one, with the annotations of several, once for each of them."""
    if any(isinstance(record.row.cells.get(OLD), list) for record in records):
        return [answer for record in records for answer in _by_user(record, annotator)]
    named = annotator is not None and "{" not in annotator and any(annotator in one.row.cells for one in records)
    for record in records:
        if named:
            record.annotator = str(record.row.field(str(annotator), (str, int)))
        else:
            record.annotator = fill_pattern(annotator or "{file}", pattern_words(record.source), option="annotator")
    files = f" (of {counted(len({record.source for record in records}), 'file')})" if records else ""
    gathered.note(
        "taken", f"annotators by {f'the entry {annotator!r}' if named else annotator or f'the name of the file{files}'}"
    )
    return records


def _by_user(record: DoccanoRecord, annotator: str | None) -> Iterator[DoccanoRecord]:
    """What an old export says: annotations with the number of a user, and labels by their number."""
    row, given = record.row, dict[str, list[dict[str, Any]]]()
    for entry in row.field(OLD, list):
        if not isinstance(entry, dict) or "user" not in entry:
            raise expected(row.where, "annotations with a 'user'", entry)
        given.setdefault(str(entry["user"]), []).append(entry)
    for user, entries in given.items():
        cells = {key: value for key, value in row.cells.items() if key != OLD}
        if any("start_offset" in entry for entry in entries):
            cells[ENTITIES] = [{**entry, "label": str(entry.get("label"))} for entry in entries]
        else:
            cells[LABELS[0]] = [str(entry.get("label", entry.get("text"))) for entry in entries]
        who = fill_pattern(annotator or "{user}", {**pattern_words(record.source), "user": user}, option="annotator")
        yield replace(record, row=Row(row.where, cells), annotator=who)


# -- what they answered ---------------------------------------------------------------------------------------


def _gather(gathered: Gatherer, records: Sequence[DoccanoRecord], options: DoccanoOptions) -> None:
    """Put what records answer into the questions of a study."""
    for record, item in zip(records, _items(gathered, records, options.item) if records else (), strict=True):
        record.item = item
        if isinstance(text := record.row.cells.get(TEXT), str):
            gathered.show(item, text, record.row.where)
        gathered.left_out("comment", times=len(record.row.maybe(COMMENTS, list)))

    def under(*keys: str) -> list[DoccanoAnswer]:
        """What stands under the first of some keys."""
        held = ((one, next((e for key in keys if (e := one.row.cells.get(key)) is not None), None)) for one in records)
        return [
            DoccanoAnswer(one, given if isinstance(given, list) else [given])
            for one, given in held
            if given is not None
        ]

    labels, entities = under(*LABELS), under(ENTITIES)
    if _are_spans(labels):
        entities, labels = [*entities, *labels], []
    _add_spans(gathered, entities, options)
    _add_labels(gathered, LABELS[0], labels, options)
    _add_labels(gathered, CATEGORIES, under(CATEGORIES), options._replace(strings="labels"))
    for keys, shape in ((BOXES, _box), (SEGMENTS, _segment)):
        for answer in _seen(gathered, under(*keys), options):
            shapes = [shape(record_at(answer.record.row.where, entry)) for entry in answer.entries]
            gathered.add(answer.mark(keys[0], shapes), "shapes")


def _items(gathered: Gatherer, records: Sequence[DoccanoRecord], item: str | None) -> Sequence[Item]:
    """What each record is about."""
    if item is not None and item != TEXT:
        return [_entry(record.row, item) for record in records]
    texts, ids = [record.shown for record in records], [record.row.cells.get("id") for record in records]
    by_text = item == TEXT
    if not by_text and not all(isinstance(id_, str | int) for id_ in ids):
        gathered.note("taken", "examples by what they show, since they have no id")
        by_text = True
    if not by_text and not _meet(records, ids) and _meet(records, texts):
        sentence = "examples by what they show, since annotators have no id in common and the same examples; "
        gathered.note("assumed", Advice.of(sentence, Hint("item", "id"), " keeps them apart"))
        by_text = True
    first: dict[Item, DoccanoRecord] = {}
    for id_, text, record in zip(ids, texts, records, strict=True):
        if by_text and text is None:
            raise FormatError(f"{record.row.where}: expected {listing(SHOWN[:2])}, found {listing(record.row.cells)}")
        other = record if by_text else first.setdefault(id_, record)
        if other.shown != text:
            join = Hint("item", TEXT)
            raise FormatError(
                f"{record.row.where}: example {id_} shows {text!r:.60}, and {other.shown!r:.60} in {other.row.where}; "
                f"these are two projects, so pass {join} to take examples by what they show, or read the files one by "
                "one",
                hints=[join],
            )
    return texts if by_text else ids


def _meet(records: Sequence[DoccanoRecord], keys: Iterable[Hashable]) -> bool:
    """Whether two annotators have a key in common."""
    owned = {(key, record.annotator) for record, key in zip(records, keys, strict=True) if key is not None}
    return len({key for key, _ in owned}) < len(owned)


def _entry(row: Row, name: str) -> Item:
    given = row.cells.get(name, row.maybe("meta", dict).get(name))
    if not isinstance(given, str | int):
        raise FormatError(
            f"{row.where}: expected a text or a number in {name!r} to take the item from, found {given!r:.60}; the "
            f"record has {listing(row.cells)}"
        )
    return given


def _seen(
    gathered: Gatherer, answers: Sequence[DoccanoAnswer], options: DoccanoOptions, none: str = "nothing to mark"
) -> Sequence[DoccanoAnswer]:
    """The answers of those who looked, as far as it can be told."""
    active = {answer.record.annotator for answer in answers if answer.entries}
    idle = dict.fromkeys(who for answer in answers if (who := answer.record.annotator) not in active)
    if idle and active:
        sentence = f"{listing(idle, most=4)} marked nothing in any example, and {'is' if len(idle) == 1 else 'are'}"
        gathered.note("assumed", f"{sentence} taken not to have looked", len(idle))
        answers = [answer for answer in answers if answer.record.annotator in active]
    nothing = sum(not answer.entries for answer in answers)
    if nothing and options.empty == "unseen":
        gathered.left_out("example", "in which somebody marked nothing left out as not looked at", nothing)
        return [answer for answer in answers if answer.entries]
    if nothing:
        sentence = f"{counted(nothing, 'empty list')} taken as looked at, {none}, which doccano writes also where "
        unseen = ReaderHint("empty", "unseen")
        gathered.note("assumed", Advice.of(sentence + "nobody looked (", unseen, ": as not looked at)"), nothing)
    return answers


# -- spans and relations --------------------------------------------------------------------------------------


def _are_spans(answers: Sequence[DoccanoAnswer]) -> bool:
    """Whether what stands under 'label' are stretches of the text."""
    first = {isinstance(entry, list | dict): one.record.row for one in reversed(answers) for entry in one.entries}
    if len(first) > 1:
        raise FormatError(
            f"{first[False].where}: a label is a text, and in {first[True].where} a stretch of one; these are two "
            "projects, so read the files one by one"
        )
    return True in first


def _add_spans(gathered: Gatherer, answers: Sequence[DoccanoAnswer], options: DoccanoOptions) -> None:
    related = any(answer.record.row.cells.get(RELATIONS) is not None for answer in answers)
    clustered = 0
    for answer in _seen(gathered, answers, options):
        row, entries = answer.record.row, answer.entries
        text = row.field(TEXT, str) if entries else ""
        clustered += options.offsets == "characters" and has_graphemes(text)
        spans = [_span(entry, text, row.where, options) for entry in entries]
        gathered.add(answer.mark(SPANS, spans), SPANS)
        if related:
            named = ((entry.get("id"), span) for entry, span in zip(entries, spans, strict=True) if type(entry) is dict)
            by_id = {id_: span for id_, span in named if isinstance(id_, str | int)}
            given = Row(row.where, {RELATIONS: [], **row.cells}).each(RELATIONS)
            gathered.add(answer.mark(RELATIONS, [_relation(one, by_id, row.where) for one in given]), RELATIONS)
    if clustered:
        sentence = (
            f"offsets into {counted(clustered, 'text')} with letters of several code points taken to count these; "
        )
        graphemes = ReaderHint("offsets", "graphemes")
        gathered.note("assumed", Advice.of(sentence, graphemes, " is for a project that counts letters"), clustered)


def _span(entry: object, text: str, where: str, options: DoccanoOptions) -> Span:
    if isinstance(entry, list) and len(entry) in {2, 3}:
        start, end, label = (*entry, None)[:3]
    elif isinstance(entry, dict):
        start, end = (entry.get(f"{name}_offset", entry.get(name)) for name in ("start", "end"))
        label = entry.get("label")
    else:
        raise expected(where, "[start, end, label] or an object with 'start_offset' and 'end_offset'", entry)
    if isinstance(label, list | dict):
        raise expected(where, "a text as the label of a span", label)
    first, last = whole(start, where), whole(end, where)
    if options.offsets == "graphemes":
        starts = _starts(text)
        if not first <= last < len(starts):
            raise FormatError(
                f"{where}: a span from {first} to {last} does not lie in its text, which has {len(starts) - 1} letters"
            )
        first, last = starts[first], starts[last]
    return Span(*in_text(text, first, last, where), None if label is None else str(label))


@lru_cache(maxsize=64)
def _starts(text: str) -> list[int]:
    return starts_of_graphemes(text)


def _relation(entry: Row, by_id: Mapping[str | int, Span], where: str) -> Link:
    """A relation by the spans that it joins: ids of spans are each annotator's own."""
    ends = [entry.field(key, (int, str)) for key in ("from_id", "to_id")]
    for id_ in ends:
        if id_ not in by_id:
            raise FormatError(f"{where}: a relation names the entity {id_!r:.60}, and there is no such entity")
    type_ = entry.cells.get("type")
    return Link(by_id[ends[0]], by_id[ends[1]], None if type_ is None else str(type_))


# -- labels, texts and pictures -------------------------------------------------------------------------------


def _add_labels(gathered: Gatherer, name: str, answers: Sequence[DoccanoAnswer], options: DoccanoOptions) -> None:
    if not any(answer.entries for answer in answers):
        return
    joined = [answer for answer in answers if answer.is_joined]
    broken = [answer for answer in joined if any(not part or part != part.strip() for part in answer.entries)]
    if options.strings == "texts":
        _add_texts(gathered, name, answers)
    elif options.strings is None and _are_texts(_telling(answers, broken)):
        sentence = f"strings under {name!r} taken as texts, since they are long or seldom come again ("
        gathered.note("assumed", Advice.of(sentence, ReaderHint("strings", "labels"), " says otherwise)"))
        _add_texts(gathered, name, answers)
    elif broken:
        texts, cell = ReaderHint("strings", "texts"), BETWEEN.join(broken[0].entries)
        sentence = (
            f"{broken[0].record.row.where}: the cell {cell!r:.60} holds {BETWEEN!r} as a letter, and doccano also "
            "writes it between labels; export the project as JSONL, which keeps labels apart, or, if these are texts, "
            "pass "
        )
        raise FormatError(Advice.of(sentence, texts), hints=[texts])
    else:
        if joined:
            sentence = f"{counted(len(joined), 'cell')} with {BETWEEN!r} taken as several labels, as doccano joins them"
            gathered.note("assumed", sentence, len(joined))
        if options.strings == "sets":
            gathered.takes_several(name)
        if options.strings == "sets" or any(len(answer.entries) > 1 for answer in answers):
            answers = _seen(gathered, answers, options, none="none of the labels")
        for answer in answers:
            gathered.add(answer.mark(name, tuple(_strings(answer))), "choices")


def _add_texts(gathered: Gatherer, name: str, answers: Sequence[DoccanoAnswer]) -> None:
    gathered.left_out("example", "without a text left out", sum(not answer.entries for answer in answers))
    for answer in answers:
        if answer.entries:
            given = _strings(answer)
            gathered.add(answer.mark(name, BETWEEN.join(given) if answer.is_joined else "\n".join(sorted(given))), TEXT)


def _strings(answer: DoccanoAnswer) -> list[str]:
    for entry in answer.entries:
        if not isinstance(entry, str | int | float):
            raise expected(answer.record.row.where, "a label", entry)
    return [*map(str, answer.entries)]


def _telling(answers: Sequence[DoccanoAnswer], broken: Sequence[DoccanoAnswer]) -> list[str]:
    """The strings that tell labels from texts: of a table rather those without '#', which may be a letter of a text."""
    plain = [str(entry) for answer in answers for entry in answer.entries if not answer.is_joined]
    whole = [BETWEEN.join(answer.entries) for answer in broken]
    return plain or whole or [str(entry) for answer in answers for entry in answer.entries]


def _are_texts(strings: Sequence[str]) -> bool:
    """Whether strings are texts that somebody wrote and not labels that they chose."""
    different = set(strings)
    if len(different) > MANY and 2 * len(different) > len(strings):
        return True
    wordy = sum(len(text.split()) > WORDS or len(text) > LETTERS or "\n" in text for text in different)
    return 2 * wordy > len(different)


def _box(entry: Row) -> Shape:
    x, y, width, height = numbers([entry.cells.get(key) for key in ("x", "y", "width", "height")], entry.where)
    return box_of_size(x, y, width, height, entry.where).called(_label(entry))


def _segment(entry: Row) -> Shape:
    wanted = "three corners or more, as x and y in turn, in 'points'"
    points = numbers(entry.cells.get("points"), entry.where, wanted, each=2)
    if len(points) < 6:
        raise FormatError(f"{entry.where}: expected three corners or more, found {len(points) // 2}")
    return Shape(POLYGON, pairs(points)).called(_label(entry))


def _label(entry: Row) -> str | None:
    label = entry.cells.get("label")
    return None if label is None else str(label)
