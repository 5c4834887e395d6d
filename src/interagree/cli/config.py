"""Defaults for options from a file: interagree.toml, or [tool.interagree] in pyproject.toml.

The nearest file upwards from the current folder counts.  Options at the top hold for every command that has them, those
in a table named after a command for that command alone, and what is given on the command line wins over both.

    item = "task_id"
    values = ["bad", "fair", "good"]
    ordered = true
    levels = {tone = "ordinal", length = "ratio"}

    [check]
    measures = ["alpha:distance=ordinal"]
    at_least = 0.8

Any option of a command may be given under its name.  Only options that mean the same in every command (how files are
read, what is measured, how intervals are found) may stand at the top.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from interagree.errors import DataError, UnknownName, listing, suggestion

Setting: TypeAlias = "str | int | float | bool | list[Setting]"  # TOML also has dates, which no option takes
Settings: TypeAlias = Mapping[str, Setting]

EVERYWHERE = "an option of all commands; one of a single command goes under its name, such as [measure]"


class Option(NamedTuple):
    """An option of a command that may be given in a file."""

    name: str
    spellings: tuple[str, ...]  # what the file may call it, the preferred one first
    several: bool = False  # whether it may be given more than once
    listed: bool = False  # whether one value is itself a list
    joined: bool = False  # whether a list is written with commas
    shared: bool = False  # whether it means the same in every command that has it


@dataclass(frozen=True, slots=True)
class Config:
    """The defaults of one file."""

    path: Path
    everywhere: Settings
    commands: Mapping[str, Settings]

    def check(self, commands: Mapping[str, Callable[[], Sequence[Option]]], shared: Sequence[Option]) -> None:
        """Raise an error where the file has an unknown key; a command is asked for its options where it is named."""
        for key in self.everywhere:
            self._named(key, shared, EVERYWHERE)
        for command, table in self.commands.items():
            if command not in commands:
                raise self._unknown(command, commands, "a command that takes defaults")
            for key in table:
                self._named(key, commands[command](), f"an option of {command}")

    def of(self, command: str, options: Sequence[Option], shared: Sequence[Option]) -> Defaults:
        """What the file says to one command: what holds for all commands, unless it is overridden for this one."""
        given: dict[str, Setting] = {}
        unused: list[str] = []
        names = {option.name: option for option in options if option.shared}
        for key, entry in self.commands.get(command, {}).items():
            option = self._named(key, options, f"an option of {command}")
            given[option.name] = self._entry(key, entry, option, command)
        for key, entry in self.everywhere.items():
            name = self._named(key, shared, EVERYWHERE).name
            if name not in names:
                unused.append(name)
            elif name not in given:
                given[name] = self._entry(key, entry, names[name], command)
        return Defaults(self.path, given, tuple(unused))

    def _named(self, key: str, options: Sequence[Option], what: str) -> Option:
        called = key.replace("-", "_")
        for option in options:
            if called in option.spellings:
                return option
        raise self._unknown(key, [option.spellings[0] for option in options], what)

    def _unknown(self, key: str, known: Iterable[str], what: str) -> UnknownName:
        names = sorted(known)
        return UnknownName(
            f"{self.path}: {key!r} is not {what}.{suggestion(key, names)} (known: "
            f"{listing(names, most=40, quote=False)})"
        )

    def _entry(self, key: str, entry: Setting, option: Option, command: str) -> Setting:
        if not isinstance(entry, list):
            return [entry] if option.several else entry
        if option.several or option.listed:
            return entry
        if option.joined:
            return ",".join(map(str, entry))
        if len(entry) == 1:
            return entry[0]
        raise DataError(
            f"{self.path}: {key} is a list of {len(entry)}, and {command} takes one; give one, or put {key} under "
            f"[{command}]"
        )


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a file says to one command."""

    path: Path
    given: Settings  # by the name of the option's parameter
    unused: Sequence[str] = ()  # parameters of other commands that hold for all

    def where(self) -> str:
        """The file by its name where it lies in the current folder, else by its whole path."""
        return self.path.name if self.path.resolve().parent == Path.cwd() else str(self.path)


def defaults(path: str | Path | None = None, *, start: Path | None = None) -> Config | None:
    """The defaults of the named file, or of the nearest one upwards; None where there is none."""
    if path is not None:
        return load(Path(path))
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "interagree.toml").is_file():
            return load(folder / "interagree.toml")
        project = folder / "pyproject.toml"
        if project.is_file() and b"[tool.interagree" in project.read_bytes():
            return load(project)
    return None


def load(path: Path) -> Config:
    """The defaults that a file holds."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is not valid TOML: {error}") from error
    if path.name == "pyproject.toml":
        settings = settings.get("tool", {}).get("interagree", {})
    settings = _with_levels(settings)
    tables = {key: _with_levels(entry) for key, entry in settings.items() if isinstance(entry, dict)}
    return Config(path, {key: entry for key, entry in settings.items() if key not in tables}, tables)


def _with_levels(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with a table of levels as the words of the command line: ``levels = {tone = "ordinal"}``."""
    levels = settings.get("levels")
    if not isinstance(levels, dict):
        return settings
    return {**settings, "levels": [f"{question}={level}" for question, level in levels.items()]}
