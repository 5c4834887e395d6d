"""Following a source: new rows go into a monitor, and monitor and place are saved together.

**What was counted must be there.**  Where a source finds that it is not (`sources.Changed`), all that is there is
counted anew beside what was counted.  If every label is still among them, the new count takes the place of the old
one.  If not, there is no telling whether labels were corrected, deleted or put aside: watching stops and says so,
unless ``changed`` says what to do.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from interagree.data.repeated import Duplicates
from interagree.data.sql import POSTGRESQL, SUFFIXES, asked_of, is_sqlite, sqlite_path
from interagree.data.types import Value
from interagree.errors import (
    Advice,
    ColumnNotFound,
    DataError,
    DoubtfulReading,
    Hint,
    InteragreeError,
    KindError,
    OneOf,
    listing,
    without_password,
)
from interagree.errors.options import checks_options
from interagree.gather.rules import Rules
from interagree.monitor.databases import Growing
from interagree.monitor.files import File
from interagree.monitor.lines import NewRows
from interagree.monitor.locks import STATE, Lock
from interagree.monitor.postgresql import postgresql
from interagree.monitor.running import Monitor
from interagree.monitor.saved import clear_up
from interagree.monitor.sources import Changed, Piped, Seldom, WatchedSource
from interagree.monitor.sqlite import sqlite
from interagree.reading.choices import Choices
from interagree.reading.door import read_table
from interagree.reading.parts import FILE, ROW, check, roles
from interagree.reading.tables import NamedColumns

Change = Literal["stop", "recount", "add"]
ENOUGH = 100  # rows from which on cells must tell which column is what
CHANGED = Hint("changed", OneOf(("recount", "add")))


@partial(checks_options, besides=("where",))
def open_source(
    where: str,
    *,
    table: str | None = None,
    by: str | None = None,
    overlap: float | None = None,
    delimiter: str | None = None,
) -> WatchedSource:
    """What an address means: ``-``, a file, ``sqlite:///path?table=labels`` or ``postgresql://…?table=labels``."""
    given = {} if overlap is None else {"overlap": overlap}
    scheme = where.partition("://")[0] if "://" in where else ""
    if scheme in POSTGRESQL:
        return postgresql(where, table, by, **given)
    if scheme == "sqlite":
        return sqlite(sqlite_path(where), table or asked_of(where).get("table"), by, **given)
    if scheme:
        raise DataError(
            f"{without_password(where)}: labels can be watched in a file, in sqlite:///path, in postgresql://… and on "
            f"standard input (-), not in {scheme}://"
        )
    if where == "-":
        return Piped(delimiter=delimiter)
    path = Path(where)
    if table is not None or path.suffix in SUFFIXES or (path.is_file() and is_sqlite(path)):
        return sqlite(where, table, by, **given)
    if by is not None:
        hint = Hint("by", by)
        raise DataError(
            f"{where} is a file, which is read from top to bottom; {hint} is for tables of a database", hints=[hint]
        )
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe with a name
        return Piped(where, lambda: path.open("rb", buffering=0), delimiter=delimiter)
    return File(where, delimiter=delimiter)


class Watch:
    """A monitor that follows a source.

    Args:
        source: What is followed; see `open_source`.
        state: The file in which monitor and place are kept; None: nowhere.
        columns: Which column is the item, the annotator, the value, ``at`` and ``batch``, where that is not plain.
        cells: How cells are read, by the names that `interagree.read` has for it: ``missing``, ``trim``, ``fold_case``
            and ``split``.
        values: All values that could be given.
        levels: On which level they are measured, or a dict from the column of values to that.
        duplicates: What to do when an annotator labels an item again.
        changed: What to do when labels that were counted are no longer in the source: stop with an error, count what is
            there now and nothing else, or add it to what was counted.
        patient: Whether somebody looks again soon, so that a source that is just being written may be left alone.
    """

    def __init__(
        self,
        source: WatchedSource,
        *,
        state: str | os.PathLike[str] | None = None,
        columns: dict[str, str | None] | None = None,
        cells: Mapping[str, Any] | None = None,
        values: list[Value] | None = None,
        levels: str | Mapping[str, str] | None = None,
        duplicates: Duplicates | None = None,
        changed: Change = "stop",
        patient: bool = True,
    ) -> None:
        if changed not in get_args(Change):
            raise KindError(f"changed must be one of {listing(get_args(Change))}, got {changed!r}")
        self.source = source
        source.patient = patient
        self.changed: Change = changed
        self.state = None if state is None else Path(state)
        self.resumed = False
        self._asked = columns or {}
        self._cells = {name: entry for name, entry in (cells or {}).items() if entry not in (None, ())}
        self._levels = levels
        self._stated_anew = False  # whether how cells are read was stated when the watch was resumed
        self._part: dict[str, str] = {}  # which column is what
        self._said: list[str] = []  # what there is to say about that
        self._saving = Seldom()
        self._unsaved = self._broken = False
        self._being_written: Hashable = None  # what a source looked like that had changed
        self._lock = None if self.state is None else Lock(self.state.resolve())
        try:
            if self.state is not None and self.state.exists():
                clear_up(self.state)
                self.monitor = Monitor.load(self.state)
                self._resume(values, duplicates)
            else:
                self.monitor = Monitor(values=values, duplicates=duplicates or "error")
                self._unsaved = True
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the source and of the state; nothing is saved."""
        self.source.close()
        if self._lock is not None:
            self._lock.close()

    def _resume(self, values: list[Value] | None, duplicates: Duplicates | None) -> None:
        kept = self.monitor.extra.get("watch")
        if kept is None:
            raise DataError(
                f"{self.state} is the state of a monitor that followed nothing; give another file: {STATE}",
                hints=[STATE],
            )
        if kept["source"] != self._called():
            raise DataError(
                f"{self.state} belongs to {kept['source']}, and {self._called()} is to be watched; give each its "
                f"own: {STATE}",
                hints=[STATE],
            )
        if values is not None and [*map(str, values)] != [*map(str, self.monitor.declared or ())]:
            raise DataError(f"{self.state} was started with other values; start a new state to declare others")
        self.monitor.duplicates = duplicates or self.monitor.duplicates
        self._part, self._said = kept["columns"], kept.get("said", [])
        for role, name in self._asked.items():
            if name is not None and self._part and self._part.get(role) != name:
                raise DataError(
                    f"{self.state} was started with the {role} from {self._part.get(role)!r}, and now it is to come "
                    f"from {name!r}; start a new state for that"
                )
        self.source.go_on(kept["place"])
        self._stated_anew = bool(self._cells)
        self.resumed = True

    def _called(self) -> str:
        return str(Path(self.source.name).resolve()) if isinstance(self.source, File) else self.source.name

    @property
    def taken(self) -> str:
        """Which columns are used, as a sentence; empty before the first row."""
        return ", ".join(f"{role} from {name!r}" for role, name in self._part.items())

    def policy(self) -> Advice:
        """Which columns were taken, what was merged and left out, and what happened to the source."""
        columns = [f"columns taken: {self.taken}"] if any(role != name for role, name in self._part.items()) else []
        steps = [*self.source.steps(), *self.monitor.steps()]
        sentences = [*columns, *self._said, *(step.sentence for step in steps)]
        sentences += [sentence for sentence in (self.source.waiting(), *self.source.remarks) if sentence]
        return Advice.around("; ".join(dict.fromkeys(sentences)), *sentences)

    def step(self, *, whole: bool = False) -> int:
        """Take in what is new, and save if it is time; how many labels came, all of them where they were counted anew.

        Where labels that were counted are no longer in the source, see ``changed``.
        """
        monitor, before = self.monitor, len(self.monitor)
        try:
            self._read(whole=whole)
        except Changed as change:
            self._changed(change, whole=whole)
        else:
            self._being_written = None
            self._unsaved = self._unsaved or bool(self.source.remarks)  # its place may have changed without a row
        if self._unsaved and (isinstance(self.source, Piped) or self._saving.due()):
            self.save()
        return len(self.monitor) - (before if self.monitor is monitor else 0)

    def _read(self, *, whole: bool, saving: bool = True) -> None:
        if isinstance(self.source, Growing):
            if not self._part:
                self._part = self._roles(self.source.sample(), whole=not self.source.patient)
            self.source.columns = tuple(self._part.values())
        for rows in self.source.read(whole=whole):
            self._broken = True  # until the monitor has what the source has handed over
            self._take(rows, whole=whole)
            self._broken = False
            self._unsaved = True
            if saving and self._saving.due():
                self.save()

    def _changed(self, change: Changed, *, whole: bool) -> None:
        """Deal with labels that are no longer there as they were counted."""
        if self.changed == "add":
            self.source.accept()
            self.source.remarks.append(f"{change}; what is there now is added to what was counted")
            self._unsaved = True
            self._read(whole=whole)
            return
        before, place = self.monitor, self.source.place()
        failures: tuple[type[Exception], ...] = (InteragreeError, OSError, *self.source.failures)
        self.monitor = Monitor(values=before.declared, ordered=before.ordered, duplicates=before.duplicates)
        self.monitor.extra, self.monitor.level = before.extra, before.level
        if before.cells is not None:
            self.monitor.read_cells(before.cells)
        self.source.restart()
        try:
            self._read(whole=whole, saving=False)
            gone = before.missing_from(self.monitor)
            if gone and self.changed == "stop":
                raise DataError(
                    f"{change}, and {gone:,} of the {len(before):,} labels that were counted are not in it. To count "
                    f"what is there now and nothing else, or to add it to what was counted: {CHANGED}",
                    hints=[CHANGED],
                )
        except failures:
            self.monitor = before
            self.source.go_on(place)
            self._broken = False
            if self.source.patient and change.now is not None and change.now != self._being_written:
                self._being_written = change.now  # whoever writes it may not be through
                return
            raise
        self._being_written = None
        self._unsaved = True
        lost = f", {gone:,} of those counted before are gone" if gone else ", with all that were counted before"
        self.source.remarks.append(f"{change}; it was counted anew: {len(self.monitor):,} labels{lost}")

    def _take(self, rows: NewRows, *, whole: bool) -> None:
        if not self._part:
            self._part = self._roles(rows, whole=whole)
        for role in ("item", "annotator", "value"):
            check(role, self._part[role], rows.names)
            if rows.names.count(self._part[role]) > 1:
                raise DataError(f"{self.source.name} has several columns {self._part[role]!r}; give each its own name")
        if self.monitor.cells is None or self._stated_anew:
            self.monitor.read_cells(Rules(**self._cells, from_text=rows.text))
            self._stated_anew = False
        if self._levels is not None:
            self.monitor.level = self._level(self._levels, self._part["value"])
        item, annotator, value = (rows.columns[self._part[role]] for role in ("item", "annotator", "value"))
        more = {
            role: [cell if cell != "" else None for cell in rows.columns.get(self._part[role], [None] * len(rows))]
            for role in ("at", "batch")
            if role in self._part
        }
        self.monitor.extend(item, annotator, value, **more)

    def _level(self, levels: str | Mapping[str, str], value: str) -> str:
        if isinstance(levels, str):
            return levels
        if [*levels] != [value]:
            hint = Hint("levels", {value: next(iter(levels.values()), "ordinal")})
            raise DataError(f"the values are those of {value!r}, and levels are stated of {listing(levels)}: {hint}")
        return levels[value]

    def _roles(self, rows: NewRows, *, whole: bool) -> dict[str, str]:
        """Which column is what; where few rows are there and more may come, names decide what cells cannot yet."""
        by = self.source.by if isinstance(self.source, Growing) else None
        names = rows.names
        free = [name for name in names if name != by or name in self._asked.values()]
        asked = {role: self._asked.get(role) for role in ("item", "annotator", "value")}
        for role, name in asked.items():
            if name in (FILE, ROW) and name not in names:
                raise ColumnNotFound(
                    f"{name!r} is for files that are read as a whole; name the column that holds the {role} (there are "
                    f"{listing(names)})"
                )
            if name is not None:
                check(role, name, names)
        try:
            part = self._recognised(rows, free, asked)
        except DataError as error:
            if (whole or len(rows) >= ENOUGH) and not isinstance(error, ColumnNotFound):
                raise _asked(error, self.source.name) if isinstance(error, DoubtfulReading) else error from None
            try:
                chosen = roles(free, **asked)
            except ColumnNotFound as other:
                raise other.reworded(_for_watching(other.args[0], self.source.name)) from None
            part = {"item": str(chosen.item), "annotator": str(chosen.annotator), "value": str(chosen.value)}
        for role in ("at", "batch"):
            name = self._asked.get(role)
            if name is not None:
                check(role, name, names)
                part[role] = name
            elif role in names and role not in part.values():
                part[role] = role
        return part

    def _recognised(self, rows: NewRows, free: Sequence[str], asked: Mapping[str, str | None]) -> dict[str, str]:
        """Which column is what, as in a table that is read as a whole."""
        table = NamedColumns.of({name: rows.columns[name] for name in free})
        c = Choices.of({**self._cells, **asked, "from_text": rows.text, "duplicates": self.monitor.duplicates})
        reading, _ = read_table(table, c)
        if reading.layout != "long" or reading.question is not None or len(reading.item) + len(reading.values) > 2:
            hints = [Hint("value", str(reading.values[0]))] if reading.layout == "long" and reading.values else []
            one = f"name the column of one, as in {hints[0]}, or " if hints else ""
            raise DataError(
                f"{self.source.name} is {reading.sentence()}; labels are watched in a table with a row for each of "
                f"them, of one question: {one}convert it first: interagree convert {_as_file(self.source.name)} "
                "long.csv",
                hints=hints,
            )
        self._said = [str(step.sentence) for step in reading.steps()]
        return {"item": str(reading.item[0]), "annotator": str(reading.annotator), "value": str(reading.values[0])}

    def save(self) -> None:
        """Write monitor and place, together and at once."""
        if self.state is None or not self._unsaved or self._broken:
            return
        start = time.monotonic()
        self.monitor.extra["watch"] = {
            "source": self._called(),
            "columns": self._part,
            "said": self._said,
            "place": self.source.place(),
        }
        try:
            self.monitor.save(self.state)
        except OSError as error:
            kept = "the state of before is untouched, and watching goes on from there when it is started again"
            raise DataError(
                f"{self.state} cannot be written: {error.strerror or error}; "
                f"{kept if self.state.exists() else 'nothing was saved'}"
            ) from error
        self._saving.done(start)
        self._unsaved = False


def _asked(error: DoubtfulReading, name: str) -> DataError:
    """A doubt with the offers that can be watched: a row for each label, of one question."""
    error.readings = tuple(
        reading
        for reading in error.readings
        if reading.options.keys() <= {"item", "annotator", "value"}
        and all(isinstance(column, str) and column not in (FILE, ROW) for column in reading.options.values())
    )
    error.source = name
    error.closing = Advice(
        "Where each column holds the values of one annotator, convert it first: interagree convert "
        f"{_as_file(name)} long.csv"
    )
    message, doubt, _ = error.args[0].partition(" It may be")
    if error.readings:
        return error
    return DataError(f"{name}: {message if doubt else error.args[0]} {error.closing}")


def _for_watching(message: str, name: str) -> str:
    """What is wrong with the columns, without options that only readers of whole files have."""
    start, wide, _ = message.partition(" If each column holds the values of one annotator")
    return f"{start}{wide}, convert it first: interagree convert {_as_file(name)} long.csv" if wide else start


def _as_file(name: str) -> str:
    return shlex.quote("wide.csv" if name == "standard input" or "://" in name else name)
