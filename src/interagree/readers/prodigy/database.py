"""Prodigy's own database, a file of SQLite: the answers of its datasets, as ``prodigy db-out`` would write them.

Answers are in the table ``example``, as JSON, and ``link`` says to which datasets they belong; a session is a dataset,
too, and is told by its mark.  Versions from 1.12 on may keep answers in ``structured_example`` and ``structured_link``,
with inputs in a table of their own, and sessions beside the link.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source, parse_json
from interagree.data.provenance import counted
from interagree.data.sql import SUFFIXES, Database, is_sqlite, quoted, sqlite_database
from interagree.errors import DoubtfulReading, FormatError, ReadingAdvice, UnknownName, expected, listing, suggestion
from interagree.readers._rows import Row

TABLES = ("dataset", "example", "link")
PLAIN, STRUCTURED = "", "structured_"
MOST = 8  # datasets that are offered


@dataclass(frozen=True, slots=True)
class Dataset(Source):
    """A dataset of a database, in the place of a file that would be called as it is."""

    dataset: str = ""
    rows: tuple[Row, ...] = field(default=(), compare=False)

    @property
    def stem(self) -> str:
        """The name of the dataset."""
        return self.dataset


def is_database(path: Path) -> bool:
    """Whether a file is a database of Prodigy."""
    if not is_sqlite(path):
        return False
    with sqlite_database(path, str(path)) as database:
        return set(TABLES) <= set(database.tables())


def in_databases(sources: Sequence[Source], datasets: str | Sequence[str] | None) -> list[Source]:
    """Sources with datasets in the place of databases."""
    made: list[Source] = []
    for source in sources:
        if source.suffix not in SUFFIXES or source.path is None:
            made.append(source)
            continue
        with sqlite_database(source.path, source.name) as database:
            layers = list(_layers(source, database))
            for name in _chosen(source, _sizes(database, layers), datasets):
                called = f"{source.name}, dataset {name}"
                rows = [row for layer in layers for row in _answers(called, database, layer, name)]
                made.append(Dataset(called, source.path, None, None, name, tuple(rows)))
    return made


def _columns(database: Database, table: str) -> list[str]:
    return [str(row[1]) for row in database.run(f"PRAGMA table_info({quoted(table)})").rows]


class Layer(NamedTuple):
    """Tables that hold answers: what a query selects of them, and how they are joined."""

    columns: str
    tables: str


def _layers(source: Source, database: Database) -> Iterator[Layer]:
    tables = set(database.tables())
    for start in (PLAIN, STRUCTURED):
        example, link, given = (f"{start}{name}" for name in ("example", "link", "input"))
        if not {example, link} <= tables:
            continue
        of_example, of_link = _columns(database, example), _columns(database, link)
        by_example = next((name for name in of_link if name.endswith("example_id")), None)
        by_dataset = next((name for name in of_link if name.endswith("dataset_id")), None)
        by_input = next((name for name in of_example if name.endswith("input_id")), None)
        if by_example is None or by_dataset is None or "content" not in of_example:
            raise FormatError(
                f"{source.name}: the tables {example!r} and {link!r} are not as Prodigy is known to "
                "keep them; write the answers with 'prodigy db-out DATASET > DATASET.jsonl' and read that"
            )
        columns, joined = ["e.id", "e.content", "NULL", "NULL"], f"{quoted(link)} AS l JOIN {quoted(example)} AS e "
        joined += f"ON e.id = l.{quoted(by_example)} JOIN dataset AS d ON d.id = l.{quoted(by_dataset)}"
        if by_input is not None and given in tables and "content" in _columns(database, given):
            columns[2] = "i.content"
            joined += f" LEFT JOIN {quoted(given)} AS i ON i.id = e.{quoted(by_input)}"
        if "session_id" in of_link:
            columns[3] = "s.name"
            joined += " LEFT JOIN dataset AS s ON s.id = l.session_id"
        yield Layer(", ".join(columns), joined)


def _sizes(database: Database, layers: Sequence[Layer]) -> dict[str, int]:
    """The datasets that are not sessions, with how many answers each has."""
    plain = "WHERE d.session IS NULL OR d.session = 0 " if "session" in _columns(database, "dataset") else ""
    sizes: dict[str, int] = {}
    for layer in layers:
        query = f"SELECT d.name, COUNT(*) FROM {layer.tables} {plain}GROUP BY d.name ORDER BY d.id"  # noqa: S608 -- names are quoted
        for name, size in database.run(query).rows:
            sizes[str(name)] = sizes.get(str(name), 0) + int(size)
    return sizes


def _chosen(source: Source, sizes: Mapping[str, int], datasets: str | Sequence[str] | None) -> list[str]:
    """The datasets that are asked for, or the only one."""
    if not sizes:
        raise FormatError(f"{source.name}: no dataset of this database of Prodigy has an answer")
    names = [datasets] if isinstance(datasets, str) else list(sizes if datasets is None else datasets)
    for name in names:
        if name not in sizes:
            raise UnknownName(
                f"{source.name} has no dataset {name!r} with answers; it has {listing(sizes)}.{suggestion(name, sizes)}"
            )
    if datasets is None and len(sizes) > 1:
        readings = [
            ReadingAdvice(f"{counted(size, 'answer')} of {name!r}", options={"dataset": name}, of_reader=("dataset",))
            for name, size in list(sizes.items())[:MOST]
        ]
        every = "all of them as one study: one dataset for each annotator, or parts of one"
        readings.append(ReadingAdvice(every, options={"dataset": [*sizes]}, of_reader=("dataset",)))
        question = f"{source.name} has the datasets {listing(sizes)}; say which to read"
        raise DoubtfulReading(question, readings, source=source.name)
    return names


def _answers(called: str, database: Database, layer: Layer, dataset: str) -> Iterator[Row]:
    query = f"SELECT {layer.columns} FROM {layer.tables} WHERE d.name = ? ORDER BY e.id"  # noqa: S608 -- names are quoted
    for number, content, given, session in database.run(query, [dataset]).rows:
        where = f"{called}, example {number}"
        raw = {**_object(where, given), **_object(where, content)}
        if session is not None and "_session_id" not in raw and "_annotator_id" not in raw:
            raw["_session_id"] = session
        yield Row(where, raw)


def _object(where: str, content: object) -> dict[str, object]:
    if content is None:
        return {}
    try:
        raw = parse_json(content.decode() if isinstance(content, bytes) else str(content))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{where}: expected JSON, found {content!r:.60} ({error})") from None
    except FormatError as error:
        raise error.at(where) from None
    if not isinstance(raw, dict):
        raise expected(where, "an object", content)
    return dict(raw)
