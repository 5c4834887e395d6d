"""Small databases."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conftest import need

PEOPLE = ("ann", "bo", "cy")
LABELS = [(f"d{i}", who, "xyz"[(i + n) % 3]) for i in range(8) for n, who in enumerate(PEOPLE)]


def database(*statements: str, rows: Mapping[str, Iterable[Sequence[Any]]] | None = None) -> bytes:
    """A file of SQLite from statements that make tables, and the rows of each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        for table, entries in (rows or {}).items():
            for row in entries:
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        connection.commit()
        connection.close()
        return path.read_bytes()


def labels() -> bytes:
    """One table of labels."""
    return database("CREATE TABLE labels (item TEXT, annotator TEXT, value TEXT)", rows={"labels": LABELS})


def labels_in_duckdb() -> bytes:
    """The same as DuckDB keeps it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.duckdb")
        with need("duckdb").connect(str(path)) as connection:
            connection.execute("CREATE TABLE labels (item TEXT, annotator TEXT, value TEXT)")
            connection.executemany("INSERT INTO labels VALUES (?, ?, ?)", LABELS)
        return path.read_bytes()


def answers(dataset: str, *, sessions: bool = True) -> list[dict[str, Any]]:
    """Answers to a choice by three people."""
    made = []
    for i in range(4):
        for n, who in enumerate(PEOPLE):
            answer = {"text": f"text {i}", "_input_hash": i, "_task_hash": 100 + i, "answer": "accept"}
            answer |= {"options": [{"id": name, "text": name} for name in "ab"], "accept": ["ab"[(i * n) % 2]]}
            made.append(answer | ({"_session_id": f"{dataset}-{who}"} if sessions else {}))
    return made


def prodigy(datasets: Mapping[str, Sequence[Mapping[str, Any]]], sessions: Sequence[str] = ()) -> bytes:
    """A database as Prodigy keeps it."""
    names = [*datasets, *sessions]
    sets = [(k, name, 0, b"{}", int(name in sessions)) for k, name in enumerate(names, start=1)]
    examples: list[tuple[Any, ...]] = []
    links: list[tuple[Any, ...]] = []
    for name, records in datasets.items():
        for record in records:
            number = len(examples) + 1
            hashes = record.get("_input_hash"), record.get("_task_hash")
            examples.append((number, *hashes, json.dumps(record).encode()))
            owners = [name, *(session for session in sessions if record.get("_session_id") == session)]
            links += [(len(links) + 1 + k, number, names.index(owner) + 1) for k, owner in enumerate(owners)]
    return database(
        "CREATE TABLE dataset (id INTEGER PRIMARY KEY, name TEXT, created INTEGER, meta BLOB, session INTEGER)",
        "CREATE TABLE example (id INTEGER PRIMARY KEY, input_hash BIGINT, task_hash BIGINT, content BLOB)",
        "CREATE TABLE link (id INTEGER PRIMARY KEY, example_id INTEGER, dataset_id INTEGER)",
        rows={"dataset": sets, "example": examples, "link": links},
    )


def one_dataset() -> bytes:
    return prodigy({"mood": answers("mood")}, [f"mood-{who}" for who in PEOPLE])


ENDS = (".db", ".sqlite", ".sqlite3")
SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "sql": {f"a{end}": labels for end in ENDS} | {f"a{end}": labels_in_duckdb for end in (".duckdb", ".ddb")},
    "prodigy": {f"a{end}": one_dataset for end in ENDS},
}
