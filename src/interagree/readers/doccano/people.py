"""Who annotated: the member that a file is called after, or the user that an old export names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.errors import FormatError, Hint, listing
from interagree.gather.gatherer import Gatherer
from interagree.readers._rows import field_of
from interagree.readers.doccano.records import ENTITIES, LABELS, OLD, Record

SHARED = re.compile(r"all(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)  # also 'all (1)', as a browser saves it a second time
NOBODY = "unknown"


class Annotated(NamedTuple):
    """A record, and who annotated it."""

    record: Record
    annotator: str


def without_others(files: Sequence[Source], annotator: str | None, gathered: Gatherer) -> list[Source]:
    """The files of members; those of a shared project do not tell whose they are, and are left out."""
    nobody = [file for file in files if file.stem.lower() == NOBODY and file.suffix != ".csv"]
    nobody = nobody if annotator is None and len(nobody) < len(files) else []
    gathered.left_out(
        "file", f"of what nobody annotated left out ({listing(file.stem for file in nobody)})", len(nobody)
    )
    members = [file for file in files if file not in nobody]
    shared = [file for file in members if SHARED.fullmatch(file.stem)] if annotator is None else []
    if shared and len(shared) == len(members) and not _names_users(shared):
        whose = Hint("annotator", "ann")
        raise FormatError(
            f"{shared[0].name} is doccano's export of a project whose members share their annotations, and it does not "
            "say who annotated what; agreement needs a file for each member: switch off 'Share annotations across all "
            "users' when you create the project, and export it. If all of it is the work of one person, say who, as in "
            f"{whose}",
            hints=[whose],
        )
    if shared and len(shared) < len(members):
        gathered.left_out(
            "file", f"of shared annotations left out ({listing(file.name for file in shared)})", len(shared)
        )
        return [file for file in members if file not in shared]
    return members


def without_examples(files: Sequence[Source], records: Sequence[Record], gathered: Gatherer) -> None:
    """Say whose files hold no example; where only approved ones are exported, these members approved none."""
    there = {record.source.name for record in records}
    empty = [file.stem for file in files if file.name not in there]
    gathered.left_out("file", f"without an example left out ({listing(empty)})", len(empty))


def _names_users(files: Sequence[Source]) -> bool:
    from interagree.readers._peek import json_head

    heads = [json_head(file.path) for file in files if file.path is not None]
    return bool(heads) and all(head is not None and head.has(OLD, "", "user") for head in heads)


def answered_by(records: Sequence[Record], annotator: str | None, gathered: Gatherer) -> list[Annotated]:
    """Each record with who annotated it; an old one, with the annotations of several, once for each of them."""
    if any(isinstance(record.raw.get(OLD), list) for record in records):
        return [answer for record in records for answer in _by_user(record, annotator)]
    if annotator is not None and "{" not in annotator and any(annotator in record.raw for record in records):
        gathered.note("taken", f"annotators by the entry {annotator!r}")
        named = [field_of(record.raw, annotator, (str, int), record.where) for record in records]
        return [Annotated(record, str(name)) for record, name in zip(records, named, strict=True)]
    pattern = annotator or "{file}"
    names: dict[str, str] = {}
    for record in records:
        if record.source.name not in names:
            words = pattern_words(record.source)
            names[record.source.name] = fill_pattern(pattern, words, option="annotator")
    files = f" (of {counted(len(names), 'file')})" if names else ""
    gathered.note(
        "taken", "annotators by the name of the file" + files if annotator is None else f"annotators by {pattern}"
    )
    return [Annotated(record, names[record.source.name]) for record in records]


def _by_user(record: Record, annotator: str | None) -> Iterator[Annotated]:
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
        name = (
            user
            if annotator is None
            else fill_pattern(annotator, {**pattern_words(record.source), "user": user}, option="annotator")
        )
        yield Annotated(record._replace(raw=raw), name)
