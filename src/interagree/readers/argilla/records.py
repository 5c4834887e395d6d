"""The records of Argilla, in whichever of its forms they were saved: what each shows, and who answered what."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from interagree.data.files import Source, parse_json
from interagree.data.provenance import Step
from interagree.errors import FormatError, UnknownName, listing, suggestion
from interagree.readers._peek import json_head
from interagree.readers._rows import Row, columns_of, field_of, keys_of, mentions, records_of

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".parquet", ".arrow")
USERS, STATUS, RESPONSES, SUGGESTION = ".responses.users", ".responses.status", ".responses", ".suggestion"
PARTS = (USERS, STATUS, RESPONSES, SUGGESTION, ".suggestion.score", ".suggestion.agent")
NESTED = {"fields", "responses", "suggestions"}
FIRST_VERSION = "-suggestion"  # how columns of suggestions end in files of Argilla 1.x
ABOUT = {"id", "status", "_server_id", "score", "external_id", "metadata", "vectors", "inserted_at", "updated_at"}
LONGEST = 1 << 20  # characters of a cell that is read as a list


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
        for entries in (self.raw, self.shows, metadata if isinstance(metadata, dict) else {}):
            if isinstance(entry := entries.get(name), str | int):
                return entry
        if name == "id":
            for other in ("_server_id", "external_id"):
                if isinstance(entry := self.raw.get(other), str | int):
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


def all_records(source: Source, steps: list[Step]) -> Iterator[Record]:
    """The records of a file."""
    for row in records_of(source, steps):
        if row.where.endswith("/") and "responses" not in row.cells:  # one record under each id
            for name, record in row.cells.items():
                where = f"{row.where}{name}"
                if not isinstance(record, dict):
                    raise FormatError(f"{where}: expected a record, found {record!r:.60}")
                yield _record(Row(where, {"id": name, **record}))
        else:
            yield _record(row)


def _record(row: Row) -> Record:
    return _nested(row) if row.cells.keys() >= NESTED else _flat(row)


def _nested(row: Row) -> Record:
    made = Record(row.where, row.cells, field_of(row.cells, "fields", dict, row.where))
    responses = row.cells["responses"] or {}
    if isinstance(responses, list):  # as the server and Argilla 1.x have them: all answers of one person together
        made.responses += _by_person(row, responses)
    elif isinstance(responses, dict):
        for question, answers in responses.items():
            for at, answer in enumerate(_list(answers, f"{row.where}/responses/{question}")):
                where = f"{row.where}/responses/{question}/{at}"
                status = _object(answer, where).get("status")
                made.responses.append(Given(question, _who(answer, where), answer.get("value"), _word(status), where))
    else:
        raise FormatError(f"{row.where}: expected the answers by question in 'responses', found {responses!r:.60}")
    suggestions = row.cells["suggestions"] or {}
    if isinstance(suggestions, list):
        named = {str(_object(s, f"{row.where}/suggestions").get("question_name") or ""): s for s in suggestions}
        suggestions = {name: suggestion for name, suggestion in named.items() if name}
    for question, answer in _object(suggestions, f"{row.where}/suggestions").items():
        if answer is None:
            continue
        where = f"{row.where}/suggestions/{question}"
        agent = _object(answer, where).get("agent")
        made.suggestions.append(Given(question, str(agent or ""), answer.get("value"), None, where))
    return made


def _by_person(row: Row, responses: list[Any]) -> Iterator[Given]:
    for at, response in enumerate(responses):
        where = f"{row.where}/responses/{at}"
        values = _object(response, where).get("values") or {}
        for question, answer in _object(values, where).items():
            value = answer.get("value") if isinstance(answer, dict) else answer
            yield Given(question, _who(response, where), value, _word(response.get("status")), where)


def _flat(row: Row) -> Record:
    cells = row.cells
    questions = [name.removesuffix(USERS) for name in cells if name.endswith(USERS)]
    taken = {f"{question}{part}" for question in questions for part in PARTS}
    made = Record(row.where, cells)
    for question in questions:
        where = f"{row.where}, {question}{RESPONSES}"
        values, users, states = (
            _list(_cell(cells.get(question + end), where), where) for end in (RESPONSES, USERS, STATUS)
        )
        states = states or [None] * len(users)
        if not len(values) == len(users) == len(states):
            raise FormatError(
                f"{where}: expected lists of one length, found {len(values)} responses, {len(users)} users and "
                f"{len(states)} states"
            )
        for who, value, status in zip(users, values, states, strict=True):
            if not isinstance(who, str) or not who:
                raise FormatError(f"{where}: expected the id of a user, found {who!r:.60}")
            made.responses.append(Given(question, who, value, _word(status), where))
    for name in cells:
        question = name.removesuffix(SUGGESTION)
        if name.endswith(SUGGESTION) and f"{name}.agent" in cells:
            taken |= {f"{question}{part}" for part in PARTS}
            value = _cell(cells[name], f"{row.where}, {name}")
            if value is not None and value != "":
                agent = str(cells[f"{name}.agent"] or "")
                made.suggestions.append(Given(question, agent, value, None, f"{row.where}, {name}"))
    for question in [name for name in cells if _of_first_version(name, cells)]:
        taken |= {name for name in cells if name == question or name.startswith(f"{question}{FIRST_VERSION}")}
        made.responses += _first_version(question, _cell(cells[question], row.where), row.where)
        suggested = cells[f"{question}{FIRST_VERSION}"]
        if suggested is not None:
            about = cells[f"{question}{FIRST_VERSION}-metadata"]
            agent = str(about.get("agent") or "") if isinstance(about, dict) else ""
            made.suggestions.append(Given(question, agent, suggested, None, f"{row.where}, {question}{FIRST_VERSION}"))
    made.shows = {name: cell for name, cell in cells.items() if name not in taken and name not in ABOUT}
    return made


def _first_version(question: str, answers: object, where: str) -> Iterator[Given]:
    """The answers in a column of Argilla 1.x: a list of objects, or an object of lists."""
    if isinstance(answers, dict):
        columns = [_list(answers.get(name), where) for name in ("user_id", "value", "status")]
        if len({len(column) for column in columns}) != 1:
            raise FormatError(f"{where}: expected lists of one length in {question!r}, found {answers!r:.60}")
        answers = [dict(zip(("user_id", "value", "status"), row, strict=True)) for row in zip(*columns, strict=True)]
    for at, answer in enumerate(_list(answers, where)):
        place = f"{where}, {question}/{at}"
        status = _word(_object(answer, place).get("status"))
        yield Given(question, _who(answer, place), answer.get("value"), status, place)


def _cell(cell: object, where: str) -> Any:
    """A cell as it is, or the list that a text table writes into it."""
    if not isinstance(cell, str) or cell.strip()[:1] not in {"[", "{"} or len(cell) > LONGEST:
        return None if cell == "" else cell
    try:
        return parse_json(cell)
    except (ValueError, FormatError):
        return _python(cell.strip(), where)


def _python(cell: str, where: str) -> Any:
    """A list as Python writes it; an error where it is one of NumPy, which leaves out what separates entries."""
    import ast
    import io
    import tokenize
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            value = ast.literal_eval(cell)
            kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(cell).readline)]
        if all(pair != (tokenize.STRING, tokenize.STRING) for pair in pairwise(kinds)):
            return value
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        pass
    raise FormatError(
        f"{where}: expected a list as JSON or Python writes it, found {cell[:60]!r}; export the records as JSON "
        "(dataset.records.to_json) or as Parquet, which keep lists as they are"
    )


def _list(node: object, where: str) -> list[Any]:
    if node is None:
        return []
    if not isinstance(node, list):
        raise FormatError(f"{where}: expected a list, found {node!r:.60}")
    return node


def _object(node: object, where: str) -> dict[str, Any]:
    if not isinstance(node, dict):
        raise FormatError(f"{where}: expected an object, found {node!r:.60}")
    return node


def _who(answer: Mapping[str, object], where: str) -> str:
    who = answer.get("user_id")
    if not isinstance(who, str | int) or who == "":
        raise FormatError(f"{where}: expected the id of a user in 'user_id', found {who!r:.60}")
    return str(who)


def _word(status: object) -> str | None:
    return None if status is None else str(status)
