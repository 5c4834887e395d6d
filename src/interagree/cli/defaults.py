"""Defaults from a file on the command line: which options take them, and a word on those that were taken.

An option may be given in a file because a command has it; nothing lists options a second time.  What came from a file
is said with every result, because a number that depends on a forgotten file is a number from nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import click
from click.core import ParameterSource

from interagree.cli.config import Config, Defaults, Option, shown
from interagree.cli.options import DISTANCES, INTERVALS, MEASURES, READING, among, params_of

# Options that belong to one run.
OF_ONE_RUN = frozenset(
    {"as_csv", "as_json", "bibtex", "heatmap", "help", "help_all", "output", "plot", "write_config"}
)
CALLED = {"reader": "format", "reader_options": "options"}  # parameters that a file calls differently
SHARED = (READING, INTERVALS, MEASURES, DISTANCES)  # what may stand at the top of a file
KEY = "interagree.defaults"


def options_of(command: click.Command) -> list[Option]:
    """The options of a command that may be given in a file."""
    return [
        _option(param)
        for param in command.params
        if isinstance(param, click.Option) and param.name not in OF_ONE_RUN
    ]


def _option(param: click.Option) -> Option:
    flags = [flag.lstrip("-").replace("-", "_") for flag in param.opts if flag.startswith("--")]
    name = str(param.name)
    spellings = tuple(dict.fromkeys((CALLED.get(name, name), name, *flags)))
    commas = isinstance(param.type, click.types.StringParamType) and "," in (param.metavar or "")
    return Option(
        name,
        spellings,
        several=param.multiple,
        listed=param.nargs != 1 or param.type is click.UNPROCESSED,
        joined=commas,
        shared=any(among(param, group) for group in SHARED),
    )


@cache
def shared() -> list[Option]:
    """The options that mean the same in every command, and so may stand at the top of a file."""
    return [_option(param) for group in SHARED for param in params_of(group)]


def take(
    ctx: click.Context, config: Config, command: click.Command, others: Mapping[str, Callable[[], Any]]
) -> None:
    """Let a command take its defaults from a file."""

    def asked(name: str) -> list[Option]:
        return options_of(others[name]())

    config.check({name: partial(asked, name) for name in others}, shared())
    name = str(ctx.invoked_subcommand)
    found = config.of(name, options_of(command), shared())
    ctx.default_map = {name: dict(found.given)}
    ctx.meta[KEY] = Obeyed(found, named=ctx.params.get("config") is not None)


@dataclass(slots=True)
class Obeyed:
    """What a command took from a file, and whether that was said."""

    defaults: Defaults
    named: bool = False  # whether the file was named with --config
    used: Mapping[str, Any] | None = None  # by the names that the file gives them
    left: Sequence[str] = ()
    told: bool = False

    def look(self, ctx: click.Context) -> None:
        """Find out what was taken: what the command line says goes before."""
        reading = {str(param.name) for param in params_of(READING)}
        here = {str(param.name) for param in ctx.command.params}
        no_file = "file" in ctx.params and ctx.params["file"] is None
        self.used = {
            CALLED.get(name, name): entry[0] if isinstance(entry, list) and len(entry) == 1 else entry
            for name, entry in self.defaults.given.items()
            if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
            and not (no_file and name in reading)
        }
        reads = bool({"item", "value"} & here)
        self.left = [CALLED.get(name, name) for name in self.defaults.unused if reads and name in reading]

    def sentence(self) -> str:
        """What was taken, from where, and how to do without; nothing where nothing was taken."""
        if not self.used and not self.left:
            return ""
        file = self.defaults.where() + ("" if self.named else " (--no-config ignores it)")
        left = f"not for this command: {', '.join(self.left)}"
        parts = [shown(self.used or {})] * bool(self.used) + [left] * bool(self.left)
        return f"Options from {file}: {'; '.join(parts)}."

    def tell(self) -> None:
        """Say it on standard error, unless a result said it."""
        sentence = self.sentence()
        if sentence and not self.told:
            click.echo(sentence, err=True)
            self.told = True

    def data(self) -> dict[str, Any]:
        """The same for a program."""
        return {"file": str(self.defaults.path), "options": dict(self.used or {}), "unused": [*self.left]}


def obeyed() -> Obeyed | None:
    """What the command that runs took from a file."""
    ctx = click.get_current_context(silent=True)
    found = None if ctx is None else ctx.meta.get(KEY)
    return found if isinstance(found, Obeyed) else None
