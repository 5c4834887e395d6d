"""What records answer: spans and relations, labels or texts, boxes and segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from interagree.data.provenance import counted
from interagree.data.types import Item
from interagree.documents.graphemes import has_graphemes, starts_of_graphemes
from interagree.errors import Advice, FormatError, Hint, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Mark, Span
from interagree.gather.offsets import in_text, whole
from interagree.gather.shapes import BOX, POLYGON, Shape
from interagree.readers._images import numbers, pairs
from interagree.readers._rows import field_of, list_in
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
    entries: list[Any]

    def mark(self, question: str, value: Any) -> Mark:
        """What they answered by it."""
        return Mark(question, self.record.item, self.record.annotator, value, self.record.where)

    @property
    def is_joined(self) -> bool:
        """Whether entries stood in one cell of a table, with '#' between them."""
        return len(self.entries) > 1 and self.record.of_table


def gather(gathered: Gatherer, records: Sequence[Record], options: Options) -> None:
    """Put what records answer into the questions of a study."""
    for record, item in zip(records, _items(gathered, records, options.item) if records else (), strict=True):
        record.item = item
        if isinstance(text := record.raw.get(TEXT), str):
            gathered.show(item, text, record.where)
        gathered.left_out("comment", times=len(list_in(record.raw, COMMENTS)))

    def under(*keys: str) -> list[Row]:
        """The rows that have one of some keys."""
        given = [(record, [record.raw[key] for key in keys if record.raw.get(key) is not None]) for record in records]
        return [Row(one, held[0] if isinstance(held[0], list) else held[:1]) for one, held in given if held]

    labels, entities = under(*LABELS), under(ENTITIES)
    if _are_spans(labels):
        entities, labels = [*entities, *labels], []
    _add_spans(gathered, entities, options)
    _add_labels(gathered, LABEL, labels, options)
    _add_labels(gathered, CATEGORIES, under(CATEGORIES), options._replace(strings="labels"))
    for keys, shape in ((BOXES, _box), (SEGMENTS, _segment)):
        for row in _seen(gathered, under(*keys), options):
            shapes = [shape(entry, row.record.where) for entry in _objects(row.entries, row.record.where)]
            gathered.add(row.mark(keys[0], shapes), "shapes")


def _objects(entries: Sequence[Any], where: str) -> Sequence[dict[str, Any]]:
    for entry in entries:
        if not isinstance(entry, dict):
            raise FormatError(f"{where}: expected an object, found {entry!r:.60}")
    return entries


# -- items -------------------------------------------------------------------------------------------------------


def _items(gathered: Gatherer, records: Sequence[Record], item: str | None) -> Sequence[Item]:
    """What each record is about."""
    if item is not None and item != TEXT:
        return [_entry(record, item) for record in records]
    texts, ids = [record.shown for record in records], [record.raw.get("id") for record in records]
    by_text = item == TEXT
    if not by_text and not all(isinstance(id_, str | int) for id_ in ids):
        gathered.note("taken", "examples by what they show, since they have no id")
        by_text = True
    if not by_text and not _meet(records, ids) and _meet(records, texts):
        sentence = "examples by what they show, since annotators have no id in common and the same examples; "
        gathered.note("assumed", Advice.of(sentence, Hint("item", "id"), " keeps them apart"))
        by_text = True
    first: dict[Item, Record] = {}
    for id_, text, record in zip(ids, texts, records, strict=True):
        if by_text and text is None:
            raise FormatError(f"{record.where}: expected {listing(SHOWN[:2])}, found {listing(record.raw)}")
        other = record if by_text else first.setdefault(id_, record)
        if other.shown != text:
            join = Hint("item", TEXT)
            raise FormatError(
                f"{record.where}: example {id_} shows {text!r:.60}, and {other.shown!r:.60} in {other.where}; these "
                f"are two projects, so pass {join} to take examples by what they show, or read the files one by one",
                hints=[join],
            )
    return texts if by_text else ids


def _meet(records: Sequence[Record], keys: Iterable[Hashable]) -> bool:
    """Whether two annotators have a key in common."""
    owned = {(key, record.annotator) for record, key in zip(records, keys, strict=True) if key is not None}
    return len({key for key, _ in owned}) < len(owned)


def _entry(record: Record, name: str) -> Item:
    meta = record.raw.get("meta")
    given = record.raw.get(name, meta.get(name) if isinstance(meta, dict) else None)
    if not isinstance(given, str | int):
        raise FormatError(
            f"{record.where}: expected a text or a number in {name!r} to take the item from, found {given!r:.60}; the "
            f"record has {listing(record.raw)}"
        )
    return given


# -- who looked --------------------------------------------------------------------------------------------------


def _seen(gathered: Gatherer, rows: Sequence[Row], options: Options, none: str = "nothing to mark") -> Sequence[Row]:
    """The rows of those who looked, as far as it can be told."""
    active = {row.record.annotator for row in rows if row.entries}
    idle = {row.record.annotator: None for row in rows if row.record.annotator not in active}
    if idle and active:
        sentence = f"{listing(idle, most=4)} marked nothing in any example, and {'is' if len(idle) == 1 else 'are'}"
        gathered.note("assumed", f"{sentence} taken not to have looked", len(idle))
        rows = [row for row in rows if row.record.annotator in active]
    nothing = sum(not row.entries for row in rows)
    if nothing and options.empty == "unseen":
        gathered.left_out("example", "in which somebody marked nothing left out as not looked at", nothing)
        return [row for row in rows if row.entries]
    if nothing:
        sentence = f"{counted(nothing, 'empty list')} taken as looked at, {none}, which doccano writes also where "
        unseen = ReaderHint("empty", "unseen")
        gathered.note("assumed", Advice.of(sentence + "nobody looked (", unseen, ": as not looked at)"), nothing)
    return rows


# -- spans and relations -----------------------------------------------------------------------------------------


def _are_spans(rows: Sequence[Row]) -> bool:
    """Whether what stands under 'label' are stretches of the text."""
    first = {isinstance(entry, list | dict): row for row in reversed(rows) for entry in row.entries}
    if len(first) > 1:
        raise FormatError(
            f"{first[False].record.where}: a label is a text, and in {first[True].record.where} a stretch of one; "
            "these are two projects, so read the files one by one"
        )
    return True in first


def _add_spans(gathered: Gatherer, rows: Sequence[Row], options: Options) -> None:
    related = any(row.record.raw.get(RELATIONS) is not None for row in rows)
    clustered = 0
    for row in _seen(gathered, rows, options):
        where, raw = row.record.where, row.record.raw
        text = field_of(raw, TEXT, str, where) if row.entries else ""
        clustered += options.offsets == "characters" and has_graphemes(text)
        spans = [_span(entry, text, where, options) for entry in row.entries]
        gathered.add(row.mark(SPANS, spans), SPANS)
        if related:
            named = zip(row.entries, spans, strict=True)
            by_id = {entry["id"]: span for entry, span in named if isinstance(entry, dict) and _is_id(entry.get("id"))}
            given = _objects(field_of({RELATIONS: [], **raw}, RELATIONS, list, where), where)
            gathered.add(row.mark(RELATIONS, [_relation(entry, by_id, where) for entry in given]), RELATIONS)
    if clustered:
        sentence = (
            f"offsets into {counted(clustered, 'text')} with letters of several code points taken to count these; "
        )
        graphemes = ReaderHint("offsets", "graphemes")
        gathered.note("assumed", Advice.of(sentence, graphemes, " is for a project that counts letters"), clustered)


def _is_id(given: object) -> bool:
    return isinstance(given, str | int)


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
        if not first <= last < len(starts):
            raise FormatError(
                f"{where}: a span from {first} to {last} does not lie in its text, which has {len(starts) - 1} letters"
            )
        first, last = starts[first], starts[last]
    return Span(*in_text(text, first, last, where), None if label is None else str(label))


@lru_cache(maxsize=64)
def _starts(text: str) -> list[int]:
    return starts_of_graphemes(text)


def _relation(entry: dict[str, Any], by_id: dict[Hashable, Span], where: str) -> Link:
    """A relation by the spans that it joins: ids of spans are each annotator's own."""
    ends = [field_of(entry, key, (int, str), where) for key in ("from_id", "to_id")]
    for id_ in ends:
        if id_ not in by_id:
            raise FormatError(f"{where}: a relation names the entity {id_!r:.60}, and there is no such entity")
    type_ = entry.get("type")
    return Link(by_id[ends[0]], by_id[ends[1]], None if type_ is None else str(type_))


# -- labels and texts --------------------------------------------------------------------------------------------


def _add_labels(gathered: Gatherer, name: str, rows: Sequence[Row], options: Options) -> None:
    if not any(row.entries for row in rows):
        return
    broken = [row for row in rows if row.is_joined and any(not part or part != part.strip() for part in row.entries)]
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
            text = BETWEEN.join(given) if row.is_joined else "\n".join(sorted(given))
            gathered.add(row.mark(name, text), TEXT)


def _add_choices(gathered: Gatherer, name: str, rows: Sequence[Row], options: Options) -> None:
    joined = sum(row.is_joined for row in rows)
    if joined:
        sentence = f"{counted(joined, 'cell')} with {BETWEEN!r} taken as several labels, as doccano joins them"
        gathered.note("assumed", sentence, joined)
    if options.strings == "sets":
        gathered.takes_several(name)
    if options.strings == "sets" or any(len(row.entries) > 1 for row in rows):
        rows = _seen(gathered, rows, options, none="none of the labels")
    for row in rows:
        given = tuple(_string(entry, row.record.where) for entry in row.entries)
        gathered.add(row.mark(name, given), "choices")


def _telling(rows: Sequence[Row], broken: Sequence[Row]) -> list[str]:
    """The strings that tell labels from texts: of a table rather those without '#', which may be a letter of a text."""
    plain = [str(entry) for row in rows for entry in row.entries if not row.is_joined]
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


def _box(entry: dict[str, Any], where: str) -> Shape:
    given = [entry.get(key) for key in ("x", "y", "width", "height")]
    x, y, width, height = numbers(given, where)
    return Shape(BOX, (x, y, x + width, y + height)).called(_label(entry))


def _segment(entry: dict[str, Any], where: str) -> Shape:
    points = numbers(entry.get("points"), where, "three corners or more, as x and y in turn, in 'points'", each=2)
    if len(points) < 6:
        raise FormatError(f"{where}: expected three corners or more, found {len(points) // 2}")
    return Shape(POLYGON, pairs(points)).called(_label(entry))


def _label(entry: dict[str, Any]) -> str | None:
    return None if entry.get("label") is None else str(entry["label"])
