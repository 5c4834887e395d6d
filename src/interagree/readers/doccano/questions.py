"""What records answer: spans and relations, labels or texts, boxes and segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from interagree.data.provenance import counted
from interagree.data.values import is_finite
from interagree.documents.graphemes import has_graphemes, starts_of_graphemes
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.offsets import in_text, whole
from interagree.gather.shapes import BOX, POLYGON, Shape
from interagree.readers._rows import field_of
from interagree.readers.doccano.people import Annotated
from interagree.readers.doccano.records import (
    BETWEEN,
    BOXES,
    CATEGORIES,
    COMMENTS,
    ENTITIES,
    LABELS,
    RELATIONS,
    SEGMENTS,
    SHOWN,
    Record,
)

TEXT, LABEL, SPANS = "text", "label", "spans"
WORDS = 4  # of which most texts have more, and few labels
LETTERS = 40  # likewise, where words are not parted by spaces
MANY = 20  # different strings, from which on most would come again if they were labels


class Options(NamedTuple):
    """What the caller said."""

    item: str | None
    strings: str | None
    empty: str
    offsets: str


class Row(NamedTuple):
    """What somebody has under one key."""

    record: Record
    item: Hashable
    annotator: str
    entries: list[Any]


def gather(gathered: Gatherer, people: Sequence[Annotated], options: Options) -> None:
    """Put what records answer into the questions of a study."""
    if not people:
        return
    items = _items(gathered, people, options.item)
    rows = [(annotated, item) for annotated, item in zip(people, items, strict=True)]
    for (record, _), item in rows:
        if isinstance(text := record.raw.get(TEXT), str):
            gathered.show(item, text, record.where)
    comments = sum(len(given) for (record, _), _ in rows if isinstance(given := record.raw.get(COMMENTS), list))
    gathered.left_out("comment", times=comments)

    def under(*keys: str) -> list[Row]:
        """The rows that have one of some keys."""
        made = []
        for (record, who), item in rows:
            key = next((key for key in keys if record.raw.get(key) is not None), None)
            if key is not None:
                given = record.raw[key]
                made.append(Row(record, item, who, given if isinstance(given, list) else [given]))
        return made

    labels, entities = under(*LABELS), under(ENTITIES)
    if _are_spans(labels):
        entities, labels = [*entities, *labels], []
    _spans(gathered, entities, options)
    _labels(gathered, LABEL, labels, options)
    _labels(gathered, CATEGORIES, under(CATEGORIES), options._replace(strings="labels"))
    for name, given, shape in ((BOXES[0], under(*BOXES), _box), (SEGMENTS[0], under(*SEGMENTS), _segment)):
        for row in _seen(gathered, given, options):
            shapes = [shape(_object(entry, row.record), row.record.where) for entry in row.entries]
            gathered.add(Mark(name, row.item, row.annotator, shapes, row.record.where), "shapes")


# -- items -------------------------------------------------------------------------------------------------------


def _items(gathered: Gatherer, people: Sequence[Annotated], item: str | None) -> list[Hashable]:
    """What each record is about."""
    records = [annotated.record for annotated in people]
    if item is not None and item != TEXT:
        return [_entry(record, item) for record in records]
    texts = [_shown(record) for record in records] if item == TEXT else [record.shown() for record in records]
    ids = [record.raw.get("id") for record in records]
    if item == TEXT:
        return list(texts)
    if not all(isinstance(id_, str | int) for id_ in ids):
        gathered.note("taken", "examples by what they show, since they have no id")
        return [_shown(record) for record in records]
    if not _meet(people, ids) and _meet(people, texts):
        sentence = "examples by what they show, since annotators have no id in common and the same examples; "
        gathered.note("assumed", Advice.of(sentence, Hint("item", "id"), " keeps them apart"))
        return [_shown(record) for record in records]
    first: dict[Hashable, tuple[str | None, Record]] = {}
    for id_, text, record in zip(ids, texts, records, strict=True):
        other, before = first.setdefault(id_, (text, record))
        if other != text:
            join = Hint("item", TEXT)
            raise FormatError(
                f"{record.where}: example {id_} shows {text!r:.60}, and {other!r:.60} in {before.where}; these are two "
                f"projects, so pass {join} to take examples by what they show, or read the files one by one",
                hints=[join],
            )
    return ids


def _meet(people: Sequence[Annotated], keys: Iterable[Hashable]) -> bool:
    """Whether two annotators have a key in common."""
    owner: dict[Hashable, str] = {}
    pairs = zip(people, keys, strict=True)
    return any(owner.setdefault(key, who.annotator) != who.annotator for who, key in pairs if key is not None)


def _shown(record: Record) -> str:
    text = record.shown()
    if text is None:
        raise FormatError(f"{record.where}: expected {listing(SHOWN[:2])}, found {listing(record.raw)}")
    return text


def _entry(record: Record, name: str) -> Hashable:
    meta = record.raw.get("meta")
    given = record.raw.get(name, meta.get(name) if isinstance(meta, dict) else None)
    if not isinstance(given, str | int):
        raise FormatError(
            f"{record.where}: expected a text or a number in {name!r} to take the item from, found {given!r:.60}; the "
            f"record has {listing(record.raw)}"
        )
    return given


# -- who looked --------------------------------------------------------------------------------------------------


def _seen(gathered: Gatherer, rows: Sequence[Row], options: Options, none: str = "nothing to mark") -> list[Row]:
    """The rows of those who looked, as far as it can be told."""
    taking_part = {row.annotator for row in rows if row.entries}
    idle = list(dict.fromkeys(row.annotator for row in rows if row.annotator not in taking_part))
    if idle and taking_part:
        sentence = f"{listing(idle, most=4)} marked nothing in any example, and is taken not to have looked"
        gathered.note("assumed", sentence if len(idle) == 1 else sentence.replace("is taken", "are taken"), len(idle))
    there = [row for row in rows if row.annotator in taking_part] if taking_part else list(rows)
    nothing = sum(not row.entries for row in there)
    if nothing and options.empty == "unseen":
        gathered.left_out("example", "in which somebody marked nothing left out as not looked at", nothing)
        return [row for row in there if row.entries]
    if nothing:
        sentence = f"{counted(nothing, 'empty list')} taken as looked at, {none}, which doccano writes also where "
        unseen = ReaderHint("empty", "unseen")
        gathered.note("assumed", Advice.of(sentence + "nobody looked (", unseen, ": as not looked at)"), nothing)
    return there


# -- spans and relations -----------------------------------------------------------------------------------------


def _are_spans(rows: Sequence[Row]) -> bool:
    """Whether what stands under 'label' are stretches of the text."""
    first: dict[bool, Row] = {}
    for row in rows:
        for entry in row.entries:
            first.setdefault(isinstance(entry, list | dict), row)
    if len(first) > 1:
        raise FormatError(
            f"{first[False].record.where}: a label is a text, and in {first[True].record.where} a stretch of one; "
            "these are two projects, so read the files one by one"
        )
    return True in first


def _spans(gathered: Gatherer, rows: Sequence[Row], options: Options) -> None:
    related = any(row.record.raw.get(RELATIONS) is not None for row in rows)
    clustered = 0
    for row in _seen(gathered, rows, options):
        where = row.record.where
        text = field_of(row.record.raw, TEXT, str, where) if row.entries else ""
        clustered += options.offsets == "characters" and has_graphemes(text)
        by_id: dict[Hashable, Span] = {}
        spans = []
        for entry in row.entries:
            spans.append(_span(entry, text, where, options))
            if isinstance(entry, dict) and isinstance(id_ := entry.get("id"), str | int):
                by_id[id_] = spans[-1]
        gathered.add(Mark(SPANS, row.item, row.annotator, spans, where), SPANS)
        if related:
            joined = [
                _relation(_object(entry, row.record), by_id, where)
                for entry in field_of({RELATIONS: [], **row.record.raw}, RELATIONS, list, where)
            ]
            gathered.add(Mark(RELATIONS, row.item, row.annotator, sorted(set(joined), key=str), where), RELATIONS)
    if clustered:
        sentence = (
            f"offsets into {counted(clustered, 'text')} with letters of several code points taken to count these; "
        )
        graphemes = ReaderHint("offsets", "graphemes")
        gathered.note("assumed", Advice.of(sentence, graphemes, " is for a project that counts letters"), clustered)


def _span(entry: object, text: str, where: str, options: Options) -> Span:
    if isinstance(entry, list) and len(entry) in {2, 3}:
        start, end, label = (*entry, None)[:3]
    elif isinstance(entry, dict):
        start, end = (entry.get(f"{name}_offset", entry.get(name)) for name in ("start", "end"))
        label = entry.get("label")
    else:
        raise FormatError(
            f"{where}: expected [start, end, label] or an object with 'start_offset' and 'end_offset', found "
            f"{entry!r:.60}"
        )
    if isinstance(label, list | dict):
        raise FormatError(f"{where}: expected a text as the label of a span, found {label!r:.60}")
    first, last = whole(start, where), whole(end, where)
    if options.offsets == "graphemes":
        starts = _starts(text)
        if last < len(starts):
            first, last = starts[min(first, last)] if first <= last else len(text) + 1, starts[last]
        else:
            last = len(text) + 1
    return Span(*in_text(text, first, last, where), None if label is None else str(label))


@lru_cache(maxsize=64)
def _starts(text: str) -> list[int]:
    return starts_of_graphemes(text)


def _relation(entry: dict[str, Any], by_id: dict[Hashable, Span], where: str) -> tuple[object, ...]:
    """A relation by the spans that it joins: ids of spans are each annotator's own."""
    ends = []
    for key in ("from_id", "to_id"):
        id_ = field_of(entry, key, (int, str), where)
        if id_ not in by_id:
            raise FormatError(f"{where}: a relation names the entity {id_!r:.60}, and there is no such entity")
        ends.append(by_id[id_].value())
    type_ = entry.get("type")
    return (*ends, None if type_ is None else str(type_))


# -- labels and texts --------------------------------------------------------------------------------------------


def _labels(gathered: Gatherer, name: str, rows: Sequence[Row], options: Options) -> None:
    if not any(row.entries for row in rows):
        return
    broken = [row for row in rows if _is_joined(row) and any(not part or part != part.strip() for part in row.entries)]
    if options.strings == "texts":
        _add_texts(gathered, name, rows)
    elif options.strings is None and _are_texts(_telling(rows, broken)):
        sentence = f"strings under {name!r} taken as texts, since they are long or seldom come again ("
        gathered.note("assumed", Advice.of(sentence, ReaderHint("strings", "labels"), " says otherwise)"))
        _add_texts(gathered, name, rows)
    elif broken:
        texts, cell = ReaderHint("strings", "texts"), BETWEEN.join(broken[0].entries)
        sentence = (
            f"{broken[0].record.where}: the cell {cell!r:.60} holds {BETWEEN!r} as a letter, and doccano also "
            "writes it between labels; export the project as JSONL, which keeps labels apart, or, if these are texts, "
            "pass "
        )
        raise FormatError(Advice.of(sentence, texts), hints=[texts])
    else:
        _add_choices(gathered, name, rows, options)


def _add_texts(gathered: Gatherer, name: str, rows: Sequence[Row]) -> None:
    gathered.left_out("example", "without a text left out", sum(not row.entries for row in rows))
    for row in rows:
        if row.entries:
            given = [_string(entry, row.record.where) for entry in row.entries]
            text = BETWEEN.join(given) if _is_joined(row) else "\n".join(sorted(given))
            gathered.add(Mark(name, row.item, row.annotator, text, row.record.where), TEXT)


def _add_choices(gathered: Gatherer, name: str, rows: Sequence[Row], options: Options) -> None:
    joined = sum(map(_is_joined, rows))
    if joined:
        sentence = f"{counted(joined, 'cell')} with {BETWEEN!r} taken as several labels, as doccano joins them"
        gathered.note("assumed", sentence, joined)
    if options.strings == "sets":
        gathered.takes_several(name)
    if options.strings == "sets" or any(len(row.entries) > 1 for row in rows):
        rows = _seen(gathered, rows, options, none="none of the labels")
    for row in rows:
        where = row.record.where
        given = [_string(entry, where) for entry in row.entries]
        gathered.add(Mark(name, row.item, row.annotator, tuple(dict.fromkeys(given)), where), "choices")


def _is_joined(row: Row) -> bool:
    """Whether entries stood in one cell of a table, with '#' between them."""
    return len(row.entries) > 1 and row.record.source.suffix == ".csv"


def _telling(rows: Sequence[Row], broken: Sequence[Row]) -> list[str]:
    """The strings that tell labels from texts: of a table rather those without '#', which may be a letter of a text."""
    plain = [str(entry) for row in rows for entry in row.entries if not _is_joined(row)]
    if plain:
        return plain
    return [BETWEEN.join(row.entries) for row in broken] or [str(entry) for row in rows for entry in row.entries]


def _string(entry: object, where: str) -> str:
    if isinstance(entry, str | int | float):
        return str(entry)
    raise FormatError(f"{where}: expected a label, found {entry!r:.60}")


def _are_texts(strings: Sequence[str]) -> bool:
    """Whether strings are texts that somebody wrote and not labels that they chose."""
    different = set(strings)
    if len(different) > MANY and 2 * len(different) > len(strings):
        return True
    wordy = sum(len(text.split()) > WORDS or len(text) > LETTERS or "\n" in text for text in different)
    return 2 * wordy > len(different)


# -- pictures ----------------------------------------------------------------------------------------------------


def _object(entry: object, record: Record) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise FormatError(f"{record.where}: expected an object, found {entry!r:.60}")
    return entry


def _label(entry: dict[str, Any]) -> tuple[str, ...]:
    label = entry.get("label")
    return () if label is None else (str(label),)


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
        raise FormatError(f"{where}: expected a number for the place of a region, found {value!r:.60}")
    return value


def _box(entry: dict[str, Any], where: str) -> Shape:
    x, y, width, height = (_number(entry.get(key), where) for key in ("x", "y", "width", "height"))
    return Shape(BOX, (x, y, x + width, y + height), _label(entry))


def _segment(entry: dict[str, Any], where: str) -> Shape:
    points = [_number(value, where) for value in field_of(entry, "points", list, where)]
    if len(points) < 6 or len(points) % 2:
        raise FormatError(
            f"{where}: expected three corners or more, as x and y in turn, found {counted(len(points), 'number')}"
        )
    return Shape(POLYGON, tuple(zip(points[::2], points[1::2], strict=True)), _label(entry))
