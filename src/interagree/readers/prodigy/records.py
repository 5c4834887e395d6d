"""The records of a file: which file has them, what each was answered to, and the spans that it holds."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from interagree.data import sql
from interagree.data.files import Source, json_lines
from interagree.errors import FormatError, Hint, UnknownName, listing
from interagree.gather.marks import Link, Number, Span
from interagree.gather.units import FARTHEST, check_ends_after
from interagree.readers.prodigy.database import Dataset, Stored, is_database

SUFFIXES = (".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3")
LONGEST = 1 << 22  # bytes of a first line that are looked at to recognise a file
SPANS, SOUNDS, CHOICE, RELATIONS, ANSWER = "spans", "audio_spans", "choice", "relations", "answer"
MARKS = (SPANS, SOUNDS, RELATIONS)
# What Prodigy calls the interfaces in which marks of each sort are made, and those in which spans are only shown.
VIEWS = {SPANS: ("ner_manual", "spans_manual", "relations"), SOUNDS: ("audio_manual",), RELATIONS: ("relations",)}
SHOWING = ("choice", "classification", "text")
ACCEPT, REJECT, IGNORE = "accept", "reject", "ignore"
ANSWERS = (ACCEPT, REJECT, IGNORE)


@dataclass(slots=True, eq=False)
class Record:
    """One answer."""

    source: Source
    line: int
    raw: dict[str, object]  # the record as it is in the file
    item: Hashable = None
    annotator: str = ""
    dataset: str = ""  # where sessions tell it
    noun: str = "line"  # what is numbered

    @property
    def where(self) -> str:
        """The file and the line, or the dataset and the example."""
        return f"{self.source.name}, {self.place}"

    @property
    def place(self) -> str:
        """The place in the file."""
        return f"{self.noun} {self.line}"

    @property
    def session(self) -> str | None:
        """What Prodigy calls the annotator."""
        name = self.raw.get("_annotator_id") or self.raw.get("_session_id")
        return None if name is None else str(name)

    @property
    def time(self) -> float | None:
        """When the answer was given, in seconds since 1970."""
        time = self.raw.get("_timestamp")
        return time if isinstance(time, int | float) else None


def recognised(path: Path) -> bool:
    """Whether a file can only be one of Prodigy, or a folder holds such files and no others."""
    try:
        if path.is_dir():
            files = [file for file in sorted(path.iterdir()) if file.is_file() and not file.name.startswith(".")]
            return bool(files) and all(Source.of(file).suffix in SUFFIXES and recognised(file) for file in files)
        if Source.of(path).suffix in sql.SUFFIXES:
            return is_database(path)
        with Source.of(path).open() as stream:
            line = stream.readline(LONGEST)
            while line and not line.strip():
                line = stream.readline(LONGEST)
        return _is_record(json.loads(line.decode("utf-8-sig")))
    except (OSError, EOFError, ValueError):
        return False


def _is_record(raw: object) -> bool:
    if not isinstance(raw, dict):
        return False
    if "_input_hash" in raw and ("_task_hash" in raw or "answer" in raw):
        return True
    return raw.get("answer") in ANSWERS and any(key in raw for key in ("spans", "options", "text"))


def records_of(sources: Iterable[Source], stored: Iterable[Stored], item: str) -> Iterator[Record]:
    """The records of all files, and those that were found in databases."""
    for record in _records(sources, stored):
        record.item = _item(record, item)
        if record.raw.get("answer", ACCEPT) not in ANSWERS:
            raise FormatError(
                f"{record.where}: expected an answer that is {listing(ANSWERS)}, found {record.raw['answer']!r}"
            )
        yield record


def _records(sources: Iterable[Source], stored: Iterable[Stored]) -> Iterator[Record]:
    for source in sources:
        if isinstance(source, Dataset):
            continue
        for number, line, raw in json_lines(source.name, source.text()):
            if not isinstance(raw, dict):
                raise FormatError(f"{source.name}, line {number}: expected an object, found {line[:60]!r}")
            yield Record(source, number, raw)
    for answer in stored:
        yield Record(answer.source, answer.number, answer.raw, noun="example")


def _item(record: Record, name: str) -> Hashable:
    raw = record.raw
    meta = raw.get("meta")
    for entries in (raw, meta if isinstance(meta, dict) else {}):
        if isinstance(item := entries.get(name), str | int):
            return item
    if name == "_input_hash" and isinstance(raw.get("text"), str):
        return str(raw["text"])
    if name == "_input_hash":
        example = Hint("item", "id")
        raise FormatError(
            f"{record.where}: there is neither '_input_hash' nor 'text' to tell which input was answered; the record "
            f"has {listing(raw)}. Name the entry that does, as in {example}",
            hints=[example],
        )
    raise UnknownName(f"{record.where}: there is no entry {name!r} to take the item from; it has {listing(raw)}")


def marks(raw: Mapping[str, object], key: str) -> bool:
    """Whether a record tells that marks of a sort were asked for; where options are chosen they are only shown."""
    spans = raw.get(key)
    labelled = isinstance(spans, list) and any(
        isinstance(span, dict) and span.get("label") is not None for span in spans
    )
    return asks(raw, key) or (labelled and raw.get("_view_id") not in SHOWING and not is_judged(raw))


def asks(raw: Mapping[str, object], key: str) -> bool:
    """Whether marks of a sort could be made, also where none were."""
    return raw.get("_view_id") in VIEWS[key]


def may_mark(raw: Mapping[str, object], key: str) -> bool:
    """Whether a record of a file with such marks has none because there was nothing to mark."""
    if "options" in raw:
        return False
    return key in raw or (key == SPANS and "_view_id" not in raw and "label" not in raw)


def is_judged(raw: Mapping[str, object]) -> bool:
    """Whether spans were shown, to be accepted or rejected."""
    spans = raw.get(SPANS)
    if not isinstance(spans, list) or not spans or "options" in raw:
        return False
    if not all(isinstance(span, dict) and "start" in span and span.get("label") is not None for span in spans):
        return False
    return raw.get("_view_id") in ("ner", "spans") or raw.get("_is_binary") is True


def is_multiple(raw: Mapping[str, object]) -> bool:
    settings = raw.get("config")
    return isinstance(settings, dict) and settings.get("choice_style") == "multiple"


def listed(record: Record, key: str) -> list[dict[str, object]]:
    entries = record.raw.get(key) or []
    if not isinstance(entries, list) or not all(isinstance(span, dict) for span in entries):
        raise FormatError(f"{record.where}: expected a list of objects in {key!r}, found {entries!r:.60}")
    return entries


def span_of(record: Record, span: Mapping[str, object]) -> Span:
    """A span, or a token, checked."""
    start, end = span.get("start"), span.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= FARTHEST:  # as hardly any are
        start, end = _position(record, start), _position(record, end)
        check_ends_after(record.source.name, record.place, start, end)
    label, text = span.get("label"), span.get("text")
    return Span(start, end, None if label is None else str(label), covered=text if isinstance(text, str) else None)


def _position(record: Record, position: object) -> Number:
    if isinstance(position, bool) or not isinstance(position, int | float):
        raise FormatError(f"{record.where}: expected a number for the position of a span, found {position!r}")
    if not 0 <= position <= FARTHEST:
        raise FormatError(f"{record.where}: expected a position of a span from 0 up, found {position!r:.60}")
    return position


def relation_of(record: Record, relation: Mapping[str, object]) -> Link:
    head, tail, label = relation.get("head_span"), relation.get("child_span"), relation.get("label")
    if not isinstance(head, dict) or not isinstance(tail, dict):
        raise FormatError(
            f"{record.where}: expected a relation with 'head_span' and 'child_span', found {listing(relation)}"
        )
    return Link(span_of(record, head), span_of(record, tail), None if label is None else str(label))
