"""Who annotated: the member that a file is called after, or the user that an old export names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.errors import FormatError, Hint, listing
from interagree.gather.gatherer import Gatherer
from interagree.readers._peek import json_head
from interagree.readers._rows import field_of
from interagree.readers.doccano.records import ENTITIES, LABELS, OLD, Record

SHARED = re.compile(r"all(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)  # also 'all (1)', as a browser saves it a second time
NOBODY = "unknown"


def of_members(files: Sequence[Source], annotator: str | None, gathered: Gatherer) -> list[Source]:
    """The files of members; those of a shared project do not tell whose they are, and are left out."""
    if annotator is not None:
        return [*files]
    nobody = [file for file in files if file.stem.lower() == NOBODY and file.suffix != ".csv"]
    nobody = nobody if len(nobody) < len(files) else []
    shared = [file for file in files if SHARED.fullmatch(file.stem)]
    members = [file for file in files if file not in nobody and file not in shared]
    if shared and not members:
        heads = [json_head(file.path) for file in shared if file.path is not None]
        if heads and all(head is not None and head.has(OLD, "", "user") for head in heads):
            members, shared = shared, []
        else:
            whose = Hint("annotator", "ann")
            raise FormatError(
                f"{shared[0].name} is doccano's export of a project whose members share their annotations, and it does "
                "not say who annotated what; agreement needs a file for each member: switch off 'Share annotations "
                "across all users' when you create the project, and export it. If all of it is the work of one person, "
                f"say who, as in {whose}",
                hints=[whose],
            )
    stems, names = listing(file.stem for file in nobody), listing(file.name for file in shared)
    gathered.left_out("file", f"of what nobody annotated left out ({stems})", len(nobody))
    gathered.left_out("file", f"of shared annotations left out ({names})", len(shared))
    return members


def answered_by(records: Sequence[Record], annotator: str | None, gathered: Gatherer) -> list[Record]:
    """Each record with who annotated it; an old one, with the annotations of several, once for each of them."""
    if any(isinstance(record.raw.get(OLD), list) for record in records):
        return [answer for record in records for answer in _by_user(record, annotator)]
    if annotator is not None and "{" not in annotator and any(annotator in record.raw for record in records):
        gathered.note("taken", f"annotators by the entry {annotator!r}")
        for record in records:
            record.annotator = str(field_of(record.raw, annotator, (str, int), record.where))
        return [*records]
    for record in records:
        record.annotator = fill_pattern(annotator or "{file}", pattern_words(record.source), option="annotator")
    files = f" (of {counted(len({record.source for record in records}), 'file')})" if records else ""
    gathered.note("taken", f"annotators by {annotator or f'the name of the file{files}'}")
    return [*records]


def _by_user(record: Record, annotator: str | None) -> Iterator[Record]:
    """What an old export says: annotations with the number of a user, and labels by their number."""
    given: dict[str, list[dict[str, Any]]] = {}
    for entry in field_of(record.raw, OLD, list, record.where):
        if not isinstance(entry, dict) or "user" not in entry:
            raise FormatError(f"{record.where}: expected annotations with a 'user', found {entry!r:.60}")
        given.setdefault(str(entry["user"]), []).append(entry)
    for user, entries in given.items():
        raw = {key: value for key, value in record.raw.items() if key != OLD}
        if any("start_offset" in entry for entry in entries):
            raw[ENTITIES] = [{**entry, "label": str(entry.get("label"))} for entry in entries]
        else:
            raw[LABELS[0]] = [str(entry.get("label", entry.get("text"))) for entry in entries]
        words = {**pattern_words(record.source), "user": user}
        yield replace(record, raw=raw, annotator=fill_pattern(annotator or "{user}", words, option="annotator"))
