"""A process that follows a source and meets a fault at a moment that is counted and not timed.

``python faults.py`` reads one job in JSON from each line of its input and answers each with a line.  A job is done by
a fork of its own, which may be killed.  In it every call of a function is counted, and at given numbers something
happens: the source gets longer, is rewritten or rotated; a query fails; or the process is killed.  So what happens
between two calls does not depend on how fast the machine is.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from interagree.errors import InteragreeError
from interagree.monitor import live, saved
from interagree.monitor.sqlite import SqliteTable
from interagree.monitor.watching import Watch, open_source

HEADER = "item,annotator,value\n"
FORMS: dict[str, Callable[[tuple[str, str, str]], str]] = {
    "csv": lambda row: '{},"{}",{}\n'.format(*row),
    "jsonl": lambda row: json.dumps(dict(zip(("item", "annotator", "value"), row, strict=True))) + "\n",
}


def label(number: int) -> tuple[str, str, str]:
    """The label with a number; no two are equal."""
    item, who = divmod(number, 3)
    return f"item {item}", f"ann, {who}", ("yes", "no", "may be")[number * 2654435761 % 7 % 3]


class Writer:
    """Who writes labels: each call of `write` does one thing to the source, and all that matters is on the disk."""

    def __init__(self, kind: str, folder: Path, rng: np.random.Generator) -> None:
        self.kind, self.folder, self.rng = kind, folder, rng
        self.rotated = False  # since this was last set
        self.form = "jsonl" if "jsonl" in kind else "csv"
        self.path = folder / ("labels.db" if kind.startswith("sqlite") else f"labels.{self.form}")
        self.header = HEADER if self.form == "csv" else ""

    def begin(self) -> None:
        """The source before there is a label."""
        if not self.kind.startswith("sqlite"):
            self.path.write_text(self.header, encoding="utf-8")
            return
        connection = sqlite3.connect(self.path)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"CREATE TABLE labels (id {self._key_type()}, item TEXT, annotator TEXT, value TEXT)")
        connection.commit()
        connection.close()

    def _key_type(self) -> str:
        return "TEXT" if "text" in self.kind else "INTEGER PRIMARY KEY"

    def written(self) -> list[tuple[str, str, str]]:
        """All labels that are in the source, read without the code that is tested."""
        if self.kind.startswith("sqlite"):
            connection = sqlite3.connect(self.path)
            rows = connection.execute("SELECT item, annotator, value FROM labels").fetchall()
            connection.close()
            return rows
        lines = [line for path in self._files() for line in path.read_text(encoding="utf-8").splitlines(keepends=True)]
        known = {FORMS[self.form](label(number)): label(number) for number in range(self._next())}
        return [known[line] for line in lines if line != self.header]

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"labels*.{self.form}"))

    def _next(self) -> int:
        """The number of the next label."""
        marker = self.folder / "written"
        return int(marker.read_text()) if marker.exists() else 0

    def _new(self) -> list[int]:
        start = self._next()
        count = int(self.rng.integers(1, 40))
        (self.folder / "written").write_text(str(start + count))
        return [*range(start, start + count)]

    def write(self) -> None:
        """Do one thing to the source."""
        self.end_of_line()
        numbers = self._new()
        if self.kind.startswith("sqlite"):
            self._insert(numbers)
            return
        rows = [FORMS[self.form](label(number)) for number in numbers]
        if self.kind.startswith("rewritten"):
            self._rewrite(rows)
        elif self.kind.startswith("rotated") and self._may_rotate():
            self.path.rename(self.folder / f"labels.{numbers[0]:06}.{self.form}")
            self.path.write_text(self.header + "".join(rows), encoding="utf-8")
        else:
            text = "".join(rows)
            cut = int(self.rng.integers(1, len(text) + 1))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(text[:cut])
            (self.folder / "owed").write_text(text[cut:], encoding="utf-8")

    def end_of_line(self) -> None:
        """Write the rest of what was written in part."""
        owed = self.folder / "owed"
        if owed.exists():
            with self.path.open("a", encoding="utf-8") as file:
                file.write(owed.read_text(encoding="utf-8"))
            owed.unlink()

    def _may_rotate(self) -> bool:
        """A file that is put aside before it was looked at once is another matter."""
        seen = self.folder / "looked"
        if not seen.exists() or self.rng.random() < 0.5:
            return False
        seen.unlink()
        self.rotated = True
        return True

    def _insert(self, numbers: list[int]) -> None:
        connection = sqlite3.connect(self.path, timeout=60)
        for number in numbers:
            key = None if "text" in self.kind and number % 5 == 0 else str(number) if "text" in self.kind else number
            connection.execute("INSERT INTO labels VALUES (?, ?, ?, ?)", (key, *label(number)))
        connection.commit()
        connection.close()

    def _rewrite(self, rows: list[str]) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)[len(self.header) > 0 :]
        place = int(self.rng.integers(len(lines) + 1))
        text = self.header + "".join([*lines[:place], *rows, *lines[place:]])
        if self.rng.random() < 0.5:
            self.path.write_text(text, encoding="utf-8")
        else:
            (self.folder / "beside").write_text(text, encoding="utf-8")
            (self.folder / "beside").replace(self.path)


class Moments:
    """Things that happen when so many functions have been called."""

    def __init__(self, events: list[tuple[int, Callable[[], None]]]) -> None:
        self.calls = 0
        self._events = sorted(events, key=lambda event: event[0], reverse=True)

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG002 -- as sys.setprofile calls it
        self.calls += 1
        while self._events and self.calls >= self._events[-1][0]:
            sys.setprofile(None)
            self._events.pop()[1]()
            sys.setprofile(self)


def follow(job: dict[str, Any]) -> dict[str, Any]:
    """Follow a source for some looks; what came of it."""
    folder, rng = Path(job["folder"]), np.random.default_rng(job["seed"])
    writer = Writer(job["kind"], folder, rng)
    no_limit = resource.RLIM_INFINITY

    def write() -> None:  # whoever writes labels has another disk
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (no_limit, no_limit))
        writer.write()
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    moments = Moments(
        [(number, write) for number in job["writes"]]
        + [(number, lambda: os.kill(os.getpid(), signal.SIGKILL)) for number in job.get("kill", [])]
    )
    spoil(job)
    said: list[str] = []
    sys.setprofile(moments)
    try:
        watch = Watch(open_source(str(writer.path)), state=folder / "state", patient=job["patient"])
        tries = live.Tries(0.0, said.append)
        try:
            for _ in range(job["looks"]):
                writer.rotated = False
                tries.step(watch)
                watch.save()
                if not writer.rotated:  # else the file that is there now was not looked at, or that is not saved
                    (folder / "looked").touch()
        finally:
            watch.close()
    except InteragreeError as error:
        return {"stopped": str(error), "calls": moments.calls, "said": said}
    except sqlite3.Error as error:  # a command that cannot even look once says so and ends
        return {"stopped": f"cannot be read: {error}", "calls": moments.calls, "said": said}
    finally:
        sys.setprofile(None)
    return {"labels": len(watch.monitor), "calls": moments.calls, "said": said}


def spoil(job: dict[str, Any]) -> None:
    """Let queries fail, or writing a state."""
    if "lost" in job:
        usual, asked, lost = SqliteTable.run, 0, {*job["lost"]}

        def run(self: SqliteTable, *words: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked in lost:
                raise sqlite3.OperationalError("disk I/O error")
            return usual(self, *words)

        SqliteTable.run = run  # type: ignore[method-assign]
    if "largest" in job:  # the kernel writes so many bytes to a file and no more
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest"], resource.RLIM_INFINITY))
    if "full" in job:
        synced, place = 0, job["full"]

        def fsync(number: int) -> None:
            nonlocal synced
            synced += 1
            if synced == place:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        saved.os = Disk(fsync)  # type: ignore[attr-defined]


class Disk:
    """The module os with another fsync."""

    def __init__(self, fsync: Callable[[int], None]) -> None:
        self.fsync = fsync

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def jobs() -> Iterator[dict[str, Any]]:
    """What is asked for, line by line."""
    for line in sys.stdin:
        yield json.loads(line)


def main() -> None:
    """Do each job in a fork, and say how that ended."""
    for job in jobs():
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                answer = follow(job)
            except BaseException:  # noqa: BLE001 -- it is handed to the test
                answer = {"crashed": traceback.format_exc()}
            os.write(writing, json.dumps(answer).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            answer = json.loads(pipe.read() or b"{}")
        _, status = os.waitpid(child, 0)
        ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        sys.stdout.write(json.dumps({**answer, "signal": ended}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
