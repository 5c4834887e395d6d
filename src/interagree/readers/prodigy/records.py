"""The records of files and databases: what each was answered to, by whom, and the marks that it holds."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interagree.data import sql
from interagree.data.files import Source
from interagree.errors import FormatError, Hint, UnknownName, listing
from interagree.gather.marks import Link, Span
from interagree.gather.offsets import ends_of
from interagree.readers._rows import Row, field_of, line_records
from interagree.readers.prodigy.database import Dataset, is_database

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
    where: str
    raw: Mapping[str, Any]
    item: Hashable
    annotator: str = ""
    dataset: str = ""  # where sessions tell it

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

    # -- what was asked ------------------------------------------------------------------------------------

    def asks(self, key: str) -> bool:
        """Whether marks of a sort could be made, also where none were."""
        return self.raw.get("_view_id") in VIEWS[key]

    def has_marks(self, key: str) -> bool:
        """Whether it tells that marks of a sort were asked for; where options are chosen they are only shown."""
        spans = self.raw.get(key)
        labelled = isinstance(spans, list) and any(map(_is_labelled, spans))
        return self.asks(key) or (labelled and self.raw.get("_view_id") not in SHOWING and not self.is_judged)

    def may_have_marks(self, key: str) -> bool:
        """Whether it has no such marks because there was nothing to mark, in a file with such marks."""
        asked = key == SPANS and "_view_id" not in self.raw and "label" not in self.raw
        return "options" not in self.raw and (key in self.raw or asked)

    @property
    def is_judged(self) -> bool:
        """Whether spans were shown, to be accepted or rejected."""
        spans = self.raw.get(SPANS)
        if not isinstance(spans, list) or not spans or "options" in self.raw:
            return False
        binary = self.raw.get("_view_id") in ("ner", "spans") or self.raw.get("_is_binary") is True
        return binary and all(_is_labelled(span) and "start" in span for span in spans)

    @property
    def is_multiple(self) -> bool:
        """Whether several options could be chosen."""
        settings = self.raw.get("config")
        return isinstance(settings, dict) and settings.get("choice_style") == "multiple"

    # -- what was answered ---------------------------------------------------------------------------------

    def listed(self, key: str) -> list[Mapping[str, Any]]:
        """The objects under a key; none where it is not there."""
        entries = self.raw.get(key) or []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise FormatError(f"{self.where}: expected a list of objects in {key!r}, found {entries!r:.60}")
        return entries

    def span(self, span: Mapping[str, Any]) -> Span:
        """A span, or a token, checked."""
        covered = text if isinstance(text := span.get("text"), str) else None
        return Span(*ends_of(span, self.where, first=0), _label(span), covered=covered)

    def link(self, relation: Mapping[str, Any]) -> Link:
        """A relation between two spans, checked."""
        head, tail = (field_of(relation, name, dict, self.where) for name in ("head_span", "child_span"))
        return Link(self.span(head), self.span(tail), _label(relation))


def _is_labelled(span: object) -> bool:
    return isinstance(span, dict) and span.get("label") is not None


def _label(entry: Mapping[str, Any]) -> str | None:
    return None if entry.get("label") is None else str(entry["label"])


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
        raw = json.loads(line.decode("utf-8-sig"))
    except (OSError, EOFError, ValueError):
        return False
    if not isinstance(raw, dict):
        return False
    if "_input_hash" in raw and ("_task_hash" in raw or "answer" in raw):
        return True
    return raw.get("answer") in ANSWERS and any(key in raw for key in ("spans", "options", "text"))


def all_records(sources: Iterable[Source], item: str) -> Iterator[Record]:
    """The records of files, and then those of datasets."""
    for source in sorted(sources, key=lambda source: isinstance(source, Dataset)):
        rows: Iterable[Row] = source.rows if isinstance(source, Dataset) else line_records(source)
        for where, raw in rows:
            if raw.get("answer", ACCEPT) not in ANSWERS:
                raise FormatError(f"{where}: expected an answer that is {listing(ANSWERS)}, found {raw['answer']!r}")
            yield Record(source, where, raw, _item(raw, item, where))


def _item(raw: Mapping[str, Any], name: str, where: str) -> Hashable:
    meta = raw.get("meta")
    for entries in (raw, meta if isinstance(meta, dict) else {}):
        if isinstance(item := entries.get(name), str | int):
            return item
    if name != "_input_hash":
        raise UnknownName(f"{where}: there is no entry {name!r} to take the item from; it has {listing(raw)}")
    if isinstance(raw.get("text"), str):
        return str(raw["text"])
    example = Hint("item", "id")
    raise FormatError(
        f"{where}: there is neither '_input_hash' nor 'text' to tell which input was answered; the record "
        f"has {listing(raw)}. Name the entry that does, as in {example}",
        hints=[example],
    )
