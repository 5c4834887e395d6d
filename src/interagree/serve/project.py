"""The log of a project, a file of SQLite: rows are added and none is ever changed.

What stands of a question and an item is the fold of their events: `decide`, `nothing` (no answer is right), `cannot`
(it cannot be decided) and `skip` are laid on each other, and `undo` takes the last one away.  An event has an *op*,
made by whoever sends it, and one that comes again is answered with what became of the first.  Its *base* is the last
event that its sender had seen: where the item has a later one, the new event is refused and both are shown.  A `rule`
decides many items of a question at once, as long as nobody decides on them one by one; it is an event without an item.
So is an `audit`: it says how large the sample is of the items on which all agree, and the first one which are drawn.

A write is answered after it is committed, and a commit waits for the disk (``synchronous=FULL``).  The file is locked
while it is open, so that there is one server for one project.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

from interagree.errors import DataError, KindError, listing
from interagree.tables import json_text

LAID = ("decide", "nothing", "cannot", "skip")  # what can stand of an item
KINDS = (*LAID, "rule", "undo", "reasons", "audit")
STATED = ("decide", "rule", "reasons", "audit")  # what has a value
REASONS = ("Slip", "Guideline misunderstood", "Guideline unclear", "Item is ambiguous")
LET_IN = timedelta(days=30)  # how long somebody who was let in may come back
LONGEST = 20_000  # letters of a reason or a comment
TABLES = """
CREATE TABLE source (number INTEGER PRIMARY KEY, opening INTEGER NOT NULL, time TEXT NOT NULL, name TEXT NOT NULL,
    path TEXT, sha256 TEXT NOT NULL, options TEXT NOT NULL, content BLOB);
CREATE TABLE event (seq INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL, op TEXT NOT NULL UNIQUE,
    question TEXT NOT NULL, item TEXT NOT NULL, base INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT,
    reason TEXT NOT NULL, comment TEXT NOT NULL, blind INTEGER NOT NULL, seconds REAL, fingerprint TEXT NOT NULL);
CREATE INDEX event_of_item ON event (question, item);
CREATE TABLE session (cookie TEXT PRIMARY KEY, secret TEXT NOT NULL, time TEXT NOT NULL);
"""
IDENTIFIED = """
CREATE TABLE project (id TEXT NOT NULL);
INSERT INTO project SELECT lower(hex(randomblob(8)));
"""
NAMED = "ALTER TABLE session ADD COLUMN who TEXT"  # NULL where nobody was asked for a name
STEPS = (TABLES, IDENTIFIED, NAMED)  # what makes each version of the one before
VERSION = len(STEPS)
LOG = 1  # the version of a log as text


class Event(NamedTuple):
    """A row of the log; ``value`` is JSON, as is ``item``."""

    op: str
    question: str
    item: str
    base: int
    kind: str
    who: str = ""
    value: str | None = None
    reason: str = ""
    comment: str = ""
    blind: bool = False
    seconds: float | None = None
    fingerprint: str = ""  # of the answers that were shown
    seq: int = 0
    time: str = ""

    def check(self) -> None:
        """Raise an error where this cannot be an event."""
        if self.kind not in KINDS:
            raise KindError(f"an event is one of {listing(KINDS)}, got {self.kind!r:.40}")
        if not 8 <= len(self.op) <= 80:
            raise KindError("op names the event, in 8 to 80 letters that no other event has")
        if (self.value is None) == (self.kind in STATED):
            raise KindError(f"an event of the kind {self.kind!r} {'needs a' if self.value is None else 'has no'} value")
        if not _shaped(self.kind, self.value):
            raise KindError(f"{self.value!r:.60} is not what an event of the kind {self.kind!r} has for a value")
        if max(len(self.reason), len(self.comment), len(self.who)) > LONGEST:
            raise KindError(f"a reason and a comment have at most {LONGEST:,} letters")


def _shaped(kind: str, value: str | None) -> bool:
    """Whether the value of an event is JSON of the shape that its kind has."""
    try:
        entry = None if value is None else json.loads(value)
    except (ValueError, RecursionError):
        return False
    if kind == "reasons":
        return isinstance(entry, list)
    if kind == "rule":
        return isinstance(entry, dict)
    return kind != "audit" or (isinstance(entry, dict) and type(entry.get("size")) is int)


class SourceFile(NamedTuple):
    """A file that a project is about."""

    name: str
    path: str | None  # None where it was dropped on the page and is kept in the project
    sha256: str
    options: Mapping[str, Any]
    content: bytes | None = None


class ConflictError(DataError):
    """Somebody else decided on the item meanwhile."""

    def __init__(self, message: str = "", theirs: Event | None = None) -> None:
        super().__init__(message)
        self.theirs = theirs


class NotSavedError(DataError):
    """The disk did not take what was written."""


class Project:
    """The log, and what follows from it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        self._rows = _opened(self.path)
        self.id: str = self._rows.execute("SELECT id FROM project").fetchone()[0]  # by which a page knows it
        self.decisions: dict[tuple[str, str], list[Event]] = {}
        self.reasons: list[str] = [*REASONS]
        self.samples: dict[str, tuple[str, int]] = {}  # by question: what the sample is drawn by, and its size
        self.last = 0
        for event in self.events():
            self._fold(event)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._rows.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- events ---------------------------------------------------------------------------------------------------

    def write(self, event: Event) -> tuple[Event, bool]:
        """Commit an event; what stands in the log, and whether it is new and not a repetition."""
        event.check()
        with self._lock:
            before = self.event(event.op)
            if before is not None:
                return before, False
            key = event.question, event.item
            newest = self._rows.execute("SELECT max(seq) FROM event WHERE question = ? AND item = ?", key).fetchone()[0]
            if event.kind not in ("reasons", "audit") and newest is not None and newest > event.base:
                theirs = self.standing(*key)
                whose = "was decided on" if theirs is not None else "was taken back"
                raise ConflictError(f"this item {whose} after you opened it; nothing was overwritten", theirs)
            if event.kind == "undo" and self.standing(*key) is None:
                raise KindError("there is no decision on this item to take back")
            made = event._replace(seq=self.last + 1, time=_now())
            self._commit(ADD_EVENT, tuple(made))
            self._fold(made)
            return made, True

    def event(self, op: str) -> Event | None:
        """The event that was written under a name."""
        with self._lock:
            row = self._rows.execute(f"{EVENTS} WHERE op = ?", (op,)).fetchone()
        return None if row is None else _event(row)

    def standing(self, question: str, item: str) -> Event | None:
        """What was last decided on an item and not taken back."""
        laid = self.decisions.get((question, item))
        return laid[-1] if laid else None

    def rules(self, question: str) -> list[Event]:
        """The rules of a question that were not taken back, the newest first."""
        return self.decisions.get((question, ""), [])[::-1]

    def events(self, question: str | None = None, item: str | None = None) -> Iterator[Event]:
        """The events, of an item or of all."""
        with self._lock:
            where, given = ("", ()) if item is None else (" WHERE question = ? AND item = ?", (question, item))
            rows = self._rows.execute(f"{EVENTS}{where} ORDER BY seq", given).fetchall()
        return map(_event, rows)

    def since(self, seq: int) -> list[Event]:
        """The events after one, in order."""
        with self._lock:
            rows = self._rows.execute(f"{EVENTS} WHERE seq > ? ORDER BY seq", (seq,)).fetchall()
        return [*map(_event, rows)]

    def _fold(self, event: Event) -> None:
        self.last = max(self.last, event.seq)
        laid = self.decisions.setdefault((event.question, event.item), [])
        if event.kind in (*LAID, "rule"):
            laid.append(event)
        elif event.kind == "undo" and laid:
            laid.pop()
        elif event.kind == "reasons" and event.value is not None:
            self.reasons = [str(reason) for reason in json.loads(event.value)]
        elif event.kind == "audit" and event.value is not None:
            drawn_by, _ = self.samples.get(event.question, (event.op, 0))
            self.samples[event.question] = drawn_by, int(json.loads(event.value)["size"])

    def _commit(self, statement: str, *rows: tuple[object, ...]) -> None:
        self._commit_together((statement, rows))

    def _commit_together(self, *written: tuple[str, Sequence[tuple[object, ...]]]) -> None:
        """Commit rows of several tables, all or none."""
        try:
            self._rows.execute("BEGIN IMMEDIATE")
            for statement, rows in written:
                self._rows.executemany(statement, rows)
            self._rows.execute("COMMIT")
        except sqlite3.Error as error:
            if self._rows.in_transaction:
                self._rows.execute("ROLLBACK")
            raise NotSavedError(
                f"not saved: {self.path.name} cannot be written ({error}); make room on the disk, or make the file "
                "writable, and send it again"
            ) from error

    # -- files ----------------------------------------------------------------------------------------------------

    def open_files(self, files: Iterable[SourceFile]) -> None:
        """Note which files the project is about from now on."""
        with self._lock:
            opening = 1 + (self._rows.execute("SELECT max(opening) FROM source").fetchone()[0] or 0)
            rows = [
                (opening, _now(), one.name, one.path, one.sha256, json_text(dict(one.options)), one.content)
                for one in files
            ]
            self._commit(ADD_SOURCE, *rows)

    def files(self) -> list[SourceFile]:
        """The files that the project is about: those opened last."""
        with self._lock:
            rows = self._rows.execute(
                "SELECT name, path, sha256, options, content FROM source "
                "WHERE opening = (SELECT max(opening) FROM source) ORDER BY number"
            ).fetchall()
        return [SourceFile(name, path, digest, json.loads(options), blob) for name, path, digest, options, blob in rows]

    # -- who was let in -------------------------------------------------------------------------------------------

    def let_in(self, cookie: str, secret: str, who: str | None = None) -> None:
        """Remember who was let in, by hashes, so that a page goes on after a restart."""
        with self._lock:
            row = (hashed(cookie), hashed(secret), _now(), who)
            self._commit("INSERT INTO session (cookie, secret, time, who) VALUES (?, ?, ?, ?)", row)

    def let_go(self, cookie: str) -> None:
        """Forget somebody who was let in."""
        with self._lock:
            self._commit("DELETE FROM session WHERE cookie = ?", (hashed(cookie),))

    def session(self, cookie: str) -> tuple[str, str | None] | None:
        """The hash of the secret that belongs to a cookie, and whose it is where people have names."""
        with self._lock:
            since = (datetime.now(UTC) - LET_IN).isoformat()
            row = self._rows.execute(
                "SELECT secret, who FROM session WHERE cookie = ? AND time > ?", (hashed(cookie), since)
            ).fetchone()
        return None if row is None else (str(row[0]), row[1])

    # -- the log as text ------------------------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """The log as JSON lines: files, then events."""
        with self._lock:
            sources = self._rows.execute("SELECT opening, time, name, path, sha256, options FROM source").fetchall()
        yield json_text({"interagree log": LOG})
        for source in sources:
            yield json_text({"source": dict(zip(SOURCE, source, strict=True))})
        for event in self.events():
            yield json_text({"event": event._asdict()})

    @classmethod
    def rebuilt(cls, path: str | Path, lines: Iterable[str]) -> Project:
        """A new project from the lines of a log; the file must not be there yet."""
        if Path(path).exists():
            raise DataError(f"{path} exists already; a log is made into a new project, so name another file")
        try:
            sources, events = _logged(lines)
        except (ValueError, TypeError, KeyError, AttributeError, KindError) as error:
            raise DataError(f"this is not a log of a project (version {LOG}): {error}") from error
        try:
            with cls(path) as made:
                made._commit_together((ADD_SOURCE, sources), (ADD_EVENT, events))
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
        return cls(path)


SOURCE = ("opening", "time", "name", "path", "sha256", "options")
COLUMNS, MARKS = ", ".join(Event._fields), ", ".join("?" * len(Event._fields))
EVENTS = f"SELECT {COLUMNS} FROM event"  # noqa: S608 -- our own names
ADD_EVENT = f"INSERT INTO event ({COLUMNS}) VALUES ({MARKS})"  # noqa: S608
ADD_SOURCE = f"INSERT INTO source ({', '.join(SOURCE)}, content) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


def _logged(lines: Iterable[str]) -> tuple[list[tuple[object, ...]], list[Event]]:
    """The files and the events of a log, or an error where they cannot be those of a project."""
    entries = [json.loads(line) for line in lines if line.strip()]
    if not entries or entries[0].get("interagree log") != LOG:
        raise KindError("it does not begin by saying so")
    files = [entry["source"] for entry in entries[1:] if "event" not in entry]
    events = [Event(**entry["event"]) for entry in entries[1:] if "event" in entry]
    _expect(files, {"opening": int, "time": str, "name": str, "path": str | None, "sha256": str, "options": str})
    _expect(
        [event._asdict() for event in events],
        dict.fromkeys(("op", "question", "item", "kind", "who", "reason", "comment", "fingerprint", "time"), str)
        | {"seq": int, "base": int, "value": str | None, "blind": bool, "seconds": int | float | None},
    )
    for event in events:
        event.check()
    for name in ("seq", "op"):
        twice = [entry for entry, times in Counter(getattr(event, name) for event in events).items() if times > 1]
        if twice:
            raise KindError(f"several events have the {name} {twice[0]!r:.80}")
    return [(*(file[name] for name in SOURCE), None) for file in files], events


def _expect(entries: Iterable[Mapping[str, object]], types: Mapping[str, Any]) -> None:
    for entry in entries:
        for name, of in types.items():
            if not isinstance(entry[name], of):
                raise KindError(f"{name} is {entry[name]!r:.40}, which it cannot be")
        if "options" in entry and not isinstance(json.loads(str(entry["options"])), dict):
            raise KindError(f"options are {entry['options']!r:.40}, which they cannot be")


def _event(row: tuple[Any, ...]) -> Event:
    made = Event(*row)
    return made._replace(blind=bool(made.blind))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def hashed(text: str | bytes) -> str:
    """The SHA-256 of a text or a file."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def _opened(path: Path) -> sqlite3.Connection:
    if path.is_dir():
        raise DataError(
            f"{path} is a folder, and a project is a file; name one in it, as in {path / 'work.interagree'}"
        )
    if not path.parent.is_dir():
        raise DataError(f"{path} cannot be a project: there is no folder {path.parent}")
    try:
        rows = sqlite3.connect(path, timeout=0.5, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise DataError(f"{path} cannot be opened as a project: {error}") from error
    try:
        _prepare(rows, path)
    except sqlite3.Error as error:
        rows.close()
        if "locked" in str(error):
            raise DataError(
                f"{path} is in use by another server; go on there, end it first, or name another file with --project"
            ) from None
        raise DataError(f"{path} cannot be opened as a project: {error}") from error
    except DataError:
        rows.close()
        raise
    return rows


def _prepare(rows: sqlite3.Connection, path: Path) -> None:
    """Lock the file, and make its tables where it has none."""
    for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
        rows.execute(f"PRAGMA {pragma}")
    rows.execute("BEGIN IMMEDIATE")  # from here on the file is ours, and stays so
    version = rows.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise DataError(
            f"{path} was written by a newer interagree (version {version} of its format, this one knows {VERSION}); "
            "upgrade interagree to open it"
        )
    if version == 0:
        if rows.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise DataError(f"{path} is a database, and not a project of interagree; name another file")
    elif version < VERSION:
        rows.execute("COMMIT")
        _copied(rows, path, version)
        rows.execute("BEGIN IMMEDIATE")
    for statements in STEPS[version:]:
        for statement in filter(str.strip, statements.split(";")):
            rows.execute(statement)
    rows.execute(f"PRAGMA user_version={VERSION}")
    rows.execute("COMMIT")


def _copied(rows: sqlite3.Connection, path: Path, version: int) -> None:
    """Keep a project of an older version as it was, beside the one that it becomes."""
    names = (f"{path.name}.version-{version}{f'-{turn}' if turn else ''}" for turn in count())
    rows.execute("VACUUM INTO ?", (str(next(kept for name in names if not (kept := path.with_name(name)).exists())),))
