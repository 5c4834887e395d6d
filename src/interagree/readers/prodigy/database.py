"""Prodigy's own database, a file of SQLite: the answers of its datasets, as ``prodigy db-out`` would write them.

Answers are in the table ``example``, as JSON, and ``link`` says to which datasets they belong; a session is a dataset,
too, and is told by its mark.  Versions from 1.12 on may keep answers in ``structured_example`` and ``structured_link``,
with inputs in a table of their own, and sessions beside the link.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from interagree.data.files import Source, parse_json
from interagree.data.provenance import counted
from interagree.data.sql import SUFFIXES, Database, Row, is_sqlite, quoted, sqlite_database
from interagree.errors import DoubtfulReading, FormatError, ReadingAdvice, UnknownName, listing, suggestion

TABLES = ("dataset", "example", "link")
PLAIN, STRUCTURED = "", "structured_"
MOST = 8  # datasets that are offered


@dataclass(frozen=True, slots=True)
class Dataset(Source):
    """A dataset of a database, in the place of a file that would be called as it is."""

    dataset: str = ""

    @property
    def stem(self) -> str:
        """The name of the dataset."""
        return self.dataset


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer as it is stored."""

    source: Dataset
    number: int
    raw: dict[str, object]


def is_database(path: Path) -> bool:
    """Whether a file is a database of Prodigy."""
    if not is_sqlite(path):
        return False
    with sqlite_database(path, str(path)) as database:
        return set(TABLES) <= set(database.tables())


def in_databases(sources: Sequence[Source], datasets: str | Sequence[str] | None) -> tuple[list[Source], list[Stored]]:
    """Sources with datasets in the place of databases, and the answers of these."""
    made: list[Source] = []
    stored: list[Stored] = []
    for source in sources:
        if source.suffix not in SUFFIXES or source.path is None:
            made.append(source)
            continue
        with sqlite_database(source.path, source.name) as database:
            for dataset in _chosen(source, database, datasets):
                answers = list(_answers(dataset, database))
                made.append(dataset)
                stored += answers
    return made, stored


def _columns(database: Database, table: str) -> list[str]:
    return [str(row[1]) for row in database.run(f"PRAGMA table_info({quoted(table)})").rows]


def _layers(database: Database) -> list[str]:
    """What the names of the tables begin with that hold answers."""
    tables = set(database.tables())
    return [start for start in (PLAIN, STRUCTURED) if {f"{start}example", f"{start}link"} <= tables]


def _link(database: Database, start: str, source: Source) -> tuple[str, str]:
    """The columns of a link that name the answer and the dataset."""
    columns = _columns(database, f"{start}link")
    example = next((name for name in columns if name.endswith("example_id")), None)
    dataset = next((name for name in columns if name.endswith("dataset_id")), None)
    if example is None or dataset is None or "content" not in _columns(database, f"{start}example"):
        raise FormatError(
            f"{source.name}: the tables {start + 'example'!r} and {start + 'link'!r} are not as Prodigy is known to "
            "keep them; write the answers with 'prodigy db-out DATASET > DATASET.jsonl' and read that"
        )
    return example, dataset


def _sizes(source: Source, database: Database) -> dict[str, int]:
    """The datasets that are not sessions, with how many answers each has."""
    marked = "session" in _columns(database, "dataset")
    query = "SELECT id, name FROM dataset WHERE session IS NULL OR session = 0"
    query = query if marked else "SELECT id, name FROM dataset"
    named = {row[0]: str(row[1]) for row in database.run(query).rows}
    sizes = dict.fromkeys(named, 0)
    for start in _layers(database):
        _, dataset = _link(database, start, source)
        counting = f"SELECT {quoted(dataset)}, COUNT(*) FROM {quoted(start + 'link')} GROUP BY 1"  # noqa: S608 -- names are quoted
        for row in database.run(counting).rows:
            if row[0] in sizes:
                sizes[row[0]] += int(row[1])
    return {named[number]: size for number, size in sizes.items() if size}


def _chosen(source: Source, database: Database, datasets: str | Sequence[str] | None) -> Iterator[Dataset]:
    """The datasets that are asked for, or the only one."""
    sizes = _sizes(source, database)
    if not sizes:
        raise FormatError(f"{source.name}: no dataset of this database of Prodigy has an answer")
    names = [datasets] if isinstance(datasets, str) else list(sizes if datasets is None else datasets)
    for name in names:
        if name not in sizes:
            raise UnknownName(
                f"{source.name} has no dataset {name!r} with answers; it has {listing(sizes)}.{suggestion(name, sizes)}"
            )
    if datasets is None and len(sizes) > 1:
        raise _which(source, sizes)
    for name in names:
        yield Dataset(f"{source.name}, dataset {name}", source.path, None, None, name)


def _which(source: Source, sizes: Mapping[str, int]) -> DoubtfulReading:
    readings = [
        ReadingAdvice(f"{counted(size, 'answer')} of {name!r}", options={"dataset": name}, of_reader=("dataset",))
        for name, size in list(sizes.items())[:MOST]
    ]
    every = "all of them as one study: one dataset for each annotator, or parts of one"
    readings.append(ReadingAdvice(every, options={"dataset": [*sizes]}, of_reader=("dataset",)))
    return DoubtfulReading(
        f"{source.name} has the datasets {listing(sizes)}; say which to read", readings, source=source.name
    )


def _answers(dataset: Dataset, database: Database) -> Iterator[Stored]:
    for start in _layers(database):
        example, owner = _link(database, start, dataset)
        columns = _columns(database, f"{start}link")
        session = "s.name" if "session_id" in columns else "NULL"
        given, joined = _input(database, start)
        names = f" LEFT JOIN dataset AS s ON s.id = l.{quoted('session_id')}" if "session_id" in columns else ""
        query = (
            f"SELECT e.id, e.content, {given}, {session} FROM {quoted(start + 'link')} AS l "  # noqa: S608 -- names are quoted
            f"JOIN {quoted(start + 'example')} AS e ON e.id = l.{quoted(example)}{joined}{names} "
            f"JOIN dataset AS d ON d.id = l.{quoted(owner)} WHERE d.name = ? ORDER BY e.id"
        )
        for row in database.run(query, [dataset.dataset]).rows:
            yield _stored(dataset, row)


def _input(database: Database, start: str) -> tuple[str, str]:
    """What selects the input of an answer, where it is kept apart."""
    apart = f"{start}input"
    key = next((name for name in _columns(database, f"{start}example") if name.endswith("input_id")), None)
    if key is None or apart not in database.tables() or "content" not in _columns(database, apart):
        return "NULL", ""
    return "i.content", f" LEFT JOIN {quoted(apart)} AS i ON i.id = e.{quoted(key)}"


def _stored(dataset: Dataset, row: Row) -> Stored:
    number, content, given, session = row
    if not isinstance(number, int):
        raise FormatError(f"{dataset.name}: expected a whole number for an example, found {number!r:.60}")
    raw = {**_object(dataset, number, given), **_object(dataset, number, content)}
    if session is not None and "_session_id" not in raw and "_annotator_id" not in raw:
        raw["_session_id"] = session
    return Stored(dataset, number, raw)


def _object(dataset: Dataset, number: object, content: object) -> dict[str, object]:
    if content is None:
        return {}
    where = f"{dataset.name}, example {number}"
    try:
        raw = parse_json(content.decode() if isinstance(content, bytes) else str(content))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{where}: expected JSON, found {content!r:.60} ({error})") from None
    except FormatError as error:
        raise error.at(where) from None
    if not isinstance(raw, dict):
        raise FormatError(f"{where}: expected an object, found {content!r:.60}")
    return dict(raw)
