"""The records of Argilla, in whichever of its forms they were saved: what each shows, and who answered what."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError, UnknownName, listing, suggestion
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, keys_of, mentions, record_at
from interagree.reading.cells import spelled

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".parquet", ".arrow")
USERS, STATUS, RESPONSES, SUGGESTION = ".responses.users", ".responses.status", ".responses", ".suggestion"
AGENT = ".suggestion.agent"
PARTS = (USERS, STATUS, RESPONSES, SUGGESTION, ".suggestion.score", AGENT)
NESTED = {"fields", "responses", "suggestions"}
FIRST_VERSION = "-suggestion"  # how columns of suggestions end in files of Argilla 1.x
ABOUT = {"id", "status", "_server_id", "score", "external_id", "metadata", "vectors", "inserted_at", "updated_at"}


class Given(NamedTuple):
    """One answer to one question."""

    question: str
    who: str
    value: Any
    status: str | None  # None where the file does not say
    where: str


@dataclass(slots=True)
class Record:
    """A record with what it shows, the answers to it, and what models suggested."""

    where: str
    raw: Mapping[str, object]
    shows: dict[str, object] = field(default_factory=dict)  # by the name of the field
    responses: list[Given] = field(default_factory=list)
    suggestions: list[Given] = field(default_factory=list)

    def item(self, name: str) -> str | int:
        """What the record is called: its id, or what it shows or holds under another name."""
        metadata = self.raw.get("metadata")
        inside = metadata if isinstance(metadata, dict) else {}
        names = (name, "_server_id", "external_id") if name == "id" else (name,)
        for called in names:
            for entries in (self.raw, self.shows, inside):
                if isinstance(entry := entries.get(called), str | int):
                    return entry
        known = list(dict.fromkeys((*self.raw, *self.shows)))
        raise UnknownName(
            f"{self.where}: there is no entry {name!r} to take the item from; there are {listing(known, most=8)}."
            + suggestion(name, known)
        )


# -- which files ----------------------------------------------------------------------------------------------


def recognised(path: Path) -> bool:
    """Whether a file can only be records of Argilla."""
    if path.is_dir():
        return False
    suffix = Source.of(path).suffix
    if suffix in {".parquet", ".arrow"}:
        return mentions(path, USERS.encode())
    if suffix == ".csv":
        return _is_flat(columns_of(path))
    head = json_head(path)
    if head is None:
        return False
    if _is_flat(keys_of(path)):
        return True
    levels = {keys[:-1] for keys in head.first if keys[-1] == "responses" and len(keys) <= 2}
    return any(
        head.has(*level, "fields", begins=b"{")
        and head.has(*level, "suggestions")
        and head.first[*level, "responses"][:1] in {b"{", b"[", b"n"}
        for level in levels
    )


def _is_flat(names: frozenset[str]) -> bool:
    if "external_id" in names and any(_of_first_version(name, names) for name in names):
        return True
    return any(name.endswith(USERS) and name.removesuffix(".users") in names for name in names)


def _of_first_version(name: str, names: Container[str]) -> bool:
    """Whether a column is a question of Argilla 1.x, which has the answers beside those of a model."""
    return f"{name}{FIRST_VERSION}" in names and f"{name}{FIRST_VERSION}-metadata" in names


# -- what they hold -------------------------------------------------------------------------------------------


def all_records(rows: Iterable[Row]) -> Iterator[Record]:
    """The records of files."""
    for row in rows:
        if row.where.endswith("/") and "responses" not in row.cells:  # one record under each id
            inner = (record_at(row.path(name), record) for name, record in row.cells.items())
            records = [Row(one.where, {"id": name, **one.cells}) for name, one in zip(row.cells, inner, strict=True)]
        else:
            records = [row]
        for record in records:
            yield _nested(record) if record.cells.keys() >= NESTED else _flat(record)


def _nested(row: Row) -> Record:
    made = Record(row.where, row.cells, row.field("fields", dict))
    responses, suggestions = row.field("responses", (dict, list), {}), row.field("suggestions", (dict, list), {})
    if isinstance(responses, list):  # as the server and Argilla 1.x have them: all answers of one person together
        for response in row.each("responses"):
            for question, answer in response.field("values", dict, {}).items():
                value = answer.get("value") if isinstance(answer, dict) else answer
                made.responses.append(_given(question, response)._replace(value=value))
    else:
        inside = Row(row.path("responses"), responses)
        made.responses += (_given(question, answer) for question in responses for answer in inside.each(question, []))
    if isinstance(suggestions, list):
        suggestions = {one.text("question_name"): one.cells for one in row.each("suggestions")}
    inside = Row(row.path("suggestions"), suggestions)
    for question in suggestions:
        if question and suggestions[question] is not None:
            answer = inside.inside(question)
            made.suggestions.append(
                Given(question, answer.text("agent"), answer.cells.get("value"), None, answer.where)
            )
    return made


def _flat(row: Row) -> Record:
    cells = row.cells
    made = Record(row.where, cells)
    taken: set[str] = set()
    for name in cells:
        question = name.removesuffix(USERS)
        if name.endswith(USERS):
            taken |= {f"{question}{part}" for part in PARTS}
            made.responses += _side_by_side(row, question)
        if name.endswith(SUGGESTION) and f"{name}.agent" in cells:
            question = name.removesuffix(SUGGESTION)
            taken |= {f"{question}{part}" for part in PARTS}
            value = _cell(row, name)
            if value is not None and value != "":
                made.suggestions.append(Given(question, row.text(f"{name}.agent"), value, None, f"{row.where}, {name}"))
    for question in [name for name in cells if _of_first_version(name, cells)]:
        suggested = f"{question}{FIRST_VERSION}"
        taken |= {name for name in cells if name == question or name.startswith(suggested)}
        made.responses += (_given(question, answer) for answer in _first_version(row, question))
        if cells[suggested] is not None:
            about = cells[f"{suggested}-metadata"]
            agent = Row("", about).text("agent") if isinstance(about, dict) else ""
            made.suggestions.append(Given(question, agent, cells[suggested], None, f"{row.where}, {suggested}"))
    made.shows = {name: cell for name, cell in cells.items() if name not in taken and name not in ABOUT}
    return made


def _side_by_side(row: Row, question: str) -> Iterator[Given]:
    """The answers to a question in lists of one length: values, users and states."""
    where = f"{row.where}, {question}{RESPONSES}"
    parts = {name: _cell(row, f"{question}{part}") for name, part in (("v", RESPONSES), ("u", USERS), ("s", STATUS))}
    values, users, states = (Row(where, parts).field(name, list, []) for name in parts)
    states = states or [None] * len(users)
    if not len(values) == len(users) == len(states):
        raise FormatError(
            f"{where}: expected lists of one length, found {len(values)} responses, {len(users)} users and "
            f"{len(states)} states"
        )
    for who, value, status in zip(users, values, states, strict=True):
        yield _given(question, Row(where, {"user_id": who, "value": value, "status": status}))


def _first_version(row: Row, question: str) -> Iterator[Row]:
    """The answers in a column of Argilla 1.x: a list of objects, or an object of lists."""
    answers = _cell(row, question)
    if isinstance(answers, dict):
        names = ("user_id", "value", "status")
        columns = [Row(row.path(question), answers).field(name, list, []) for name in names]
        if len({len(column) for column in columns}) != 1:
            raise FormatError(f"{row.where}: expected lists of one length in {question!r}, found {answers!r:.60}")
        answers = [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return Row(row.where, {question: answers}).each(question, [])


def _given(question: str, answer: Row) -> Given:
    who, status = answer.field("user_id", (str, int)), answer.cells.get("status")
    if who == "":
        raise FormatError(f"{answer.where}: expected the id of a user in 'user_id', found ''")
    return Given(question, str(who), answer.cells.get("value"), None if status is None else str(status), answer.where)


def _cell(row: Row, name: str) -> Any:
    """A cell as it is, or the list that a text table writes into it."""
    cell = row.cells.get(name)
    if not isinstance(cell, str) or cell.strip()[:1] not in {"[", "{"}:
        return None if cell == "" else cell
    try:
        return spelled(cell)
    except ValueError:
        raise FormatError(
            f"{row.where}, {name}: expected a list as JSON or Python writes it, found {cell[:60]!r}; export the "
            "records as JSON (dataset.records.to_json) or as Parquet, which keep lists as they are"
        ) from None
