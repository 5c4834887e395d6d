"""A source that is watched while people decide: `interagree watch` behind the page.

The labels go into a monitor as they come, whose interval holds however often one looks.  The items to decide on are
those of the whole source, read anew as often as time permits; an item whose answers changed comes back with its
decision.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from interagree.data import Study
from interagree.errors import DataError, InteragreeError, without_password
from interagree.monitor.live import Tries, reason
from interagree.monitor.sources import Piped
from interagree.monitor.watching import Watch, open_source
from interagree.readers import read
from interagree.serve.project import SourceFile
from interagree.serve.workspace import Workspace
from interagree.tables import plain

CELLS = ("split", "missing", "trim", "fold_case")
ROLES = ("item", "annotator", "value")
PART = 0.5  # of the time that may go into reading anew
LEVEL = 0.95


class Live:
    """Follows a source in a thread of its own.

    Args:
        workspace: What is worked on.
        source: A growing file, a table of a database, or - for standard input.
        options: How it is read.
        every: Seconds between two looks.
        at_least: The agreement of first two labels that is wanted.
    """

    def __init__(
        self,
        workspace: Workspace,
        source: str,
        options: dict[str, Any],
        *,
        every: float = 2.0,
        at_least: float | None = None,
    ) -> None:
        self.workspace, self.options = workspace, options
        self._given = source
        self.source = open_source(source)
        self.every, self.at_least = every, at_least
        self.error = ""
        self.said: list[str] = []
        self.watch: Watch | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._tries = Tries(every, self.said.append)
        self._read_at = self._cost = 0.0
        self._behind = False  # whether labels came that the items do not show yet
        self._thread = threading.Thread(target=self._follow, daemon=True)

    @property
    def name(self) -> str:
        """What is watched."""
        return without_password(self.source.name)

    @property
    def is_pipe(self) -> bool:
        """Whether it can be read once only."""
        return isinstance(self.source, Piped)

    def start(self) -> None:
        """Begin."""
        self.workspace.live = self
        if not self.is_pipe:
            is_address = "://" in self._given
            name = without_password(self._given) if is_address else Path(self._given).name
            file = SourceFile(name, self._given if is_address else str(Path(self._given).resolve()), "", {})
            self.workspace.open([file], self.options)
        else:
            self.workspace.name, self.workspace.state = self.name, "reading"
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _follow(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    self.look()
                except Exception as error:  # noqa: BLE001 -- the page says it, and the watch goes on
                    self.error = f"this was not foreseen: {type(error).__name__}: {error}"[:500]
                self._stop.wait(self._tries.wait)
        finally:
            with self._lock, closing(self.source if self.watch is None else self.watch):
                self.watch = None

    def look(self) -> None:
        """Take in what is new."""
        failures: tuple[type[Exception], ...] = (InteragreeError, OSError, *self.source.failures)
        try:
            if not self.is_pipe and self.workspace.state != "ready":
                self._try_to_read()
                return
            with self._lock:
                watch = self.watch or self._opened()
                new = self._tries.step(watch)
            self.error = ""
        except failures as error:
            sentence = error.for_command_line() if isinstance(error, InteragreeError) else reason(error)
            if sentence != self.error:
                self.error = sentence
                self.workspace.renewed()
            return
        self._behind = self._behind or bool(new)
        if self._behind and time.monotonic() - self._read_at >= self._cost / PART:
            self._renew(watch)
        elif new:
            self.workspace.renewed()

    def _opened(self) -> Watch:
        options = {**self.options, **self.workspace.options}
        asked = {name: entry for name, entry in options.items() if name in ROLES}
        if not all(isinstance(entry, str) for entry in asked.values()):
            raise DataError("a source is watched with one column for the item, the annotator and the value each")
        levels = options.get("levels")
        self.watch = Watch(
            self.source,
            columns=asked,
            cells={name: options[name] for name in CELLS if name in options},
            values=None if options.get("values") is None else [*options["values"]],
            levels=levels if isinstance(levels, str) or not levels else dict(levels),
            duplicates=options.get("duplicates"),
            changed="recount",
        )
        return self.watch

    def _try_to_read(self) -> None:
        """Read what could not be read at first, such as a file that had no rows yet."""
        if self.workspace.state == "failed":
            self.workspace.open(self.workspace.files, self.workspace.options, wait=True)
            self.workspace.renewed()

    def _renew(self, watch: Watch) -> None:
        """Let the items be those that are there now."""
        begun = time.monotonic()
        try:
            study = Study({"value": watch.monitor.study()}) if self.is_pipe else self._whole()
            self.workspace.renew(study, self.name)
            self._behind = False
        except (InteragreeError, OSError) as error:
            self.error = error.for_command_line() if isinstance(error, InteragreeError) else str(error)
        self._read_at = time.monotonic()
        self._cost = self._read_at - begun
        self.workspace.renewed()

    def _whole(self) -> Study:
        return read(self.workspace.paths()[0], **self.workspace.options)

    def standing(self) -> dict[str, Any]:
        """Where the source stands: the interval that holds at all times, charts and alerts."""
        with self._lock:
            made: dict[str, Any] = {"source": self.name, "error": self.error or self.workspace.error}
            made |= {"said": self.said[-5:], "standing": None}
            if self.watch is None or not len(self.watch.monitor):
                return made
            standing = self.watch.monitor.standing(level=LEVEL, at_least=self.at_least)
            return made | {
                "standing": plain(standing.to_dict()),
                "first_two": str(standing.first_two),
                "alerts": [*map(str, standing.alerts)],
                "policy": str(self.watch.policy()),
            }
