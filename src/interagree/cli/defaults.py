"""Defaults from a file: which options take them, and a sentence on those that were taken.

What came from a file is said with every result: nobody can reproduce a number that depends on a forgotten one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import click
from click.core import ParameterSource

from interagree.cli.config import Config, Defaults, Option, Settings
from interagree.cli.options import DISTANCES, INTERVALS, MEASURES, MEMORY, READING, among, params_of
from interagree.results.toml import shown

# Options that belong to one run.
OF_ONE_RUN = frozenset(
    ("as_csv", "as_json", "bibtex", "heatmap", "help", "help_all", "output", "plot", "write_codebook", "write_config")
)
CALLED = {"reader": "format", "reader_options": "options"}  # parameters that a file calls differently
SHARED = (READING, INTERVALS, MEASURES, DISTANCES, (MEMORY,))  # what may stand at the top of a file
KEY = "interagree.defaults"


def options_of(command: click.Command) -> list[Option]:
    """The options of a command that may be given in a file."""
    return [
        _option(param) for param in command.params if isinstance(param, click.Option) and param.name not in OF_ONE_RUN
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
    ctx: click.Context, config: Config, command: click.Command, others: Mapping[str, Callable[[], click.Command | None]]
) -> None:
    """Let a command take its defaults from a file."""

    def options_by_name(name: str) -> list[Option]:
        other = others[name]()
        return [] if other is None else options_of(other)

    config.check({name: partial(options_by_name, name) for name in others}, shared())
    name = str(ctx.invoked_subcommand)
    defaults = config.of(name, options_of(command), shared())
    ctx.default_map = {name: dict(defaults.given)}
    ctx.meta[KEY] = Applied(defaults, named=ctx.params.get("config") is not None)


@dataclass(slots=True)
class Applied:
    """What a command took from a file, and whether that was said."""

    defaults: Defaults
    named: bool = False  # whether the file was named with --config
    used: Settings | None = None  # by the names that the file gives them
    unused: Sequence[str] = ()  # options for reading that this command does not have
    reported: bool = False

    def compare(self, ctx: click.Context) -> None:
        """Find out what was taken; the command line goes before a file."""
        reading = {str(param.name) for param in params_of(READING)}
        here = {str(param.name) for param in ctx.command.params}
        files = [ctx.params[name] for name in ("file", "files") if name in ctx.params]
        no_file = bool(files) and not any(files)
        self.used = {
            CALLED.get(name, name): entry[0] if isinstance(entry, list) and len(entry) == 1 else entry
            for name, entry in self.defaults.given.items()
            if ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP and not (no_file and name in reading)
        }
        reads = bool({"item", "value"} & here)
        self.unused = [CALLED.get(name, name) for name in self.defaults.unused if reads and name in reading]

    def sentence(self) -> str:
        """What was taken, from where, and how to do without; nothing where nothing was taken."""
        if not self.used and not self.unused:
            return ""
        file = self.defaults.where() + ("" if self.named else " (--no-config ignores it)")
        unused = f"not for this command: {', '.join(self.unused)}"
        parts = [shown(self.used or {})] * bool(self.used) + [unused] * bool(self.unused)
        return f"Options from {file}: {'; '.join(parts)}."

    def report(self) -> None:
        """Say it on standard error, unless a result said it."""
        sentence = self.sentence()
        if sentence and not self.reported:
            click.echo(sentence, err=True)
            self.reported = True

    def data(self) -> dict[str, object]:
        """The same for a program."""
        return {"file": str(self.defaults.path), "options": dict(self.used or {}), "unused": [*self.unused]}


def applied(ctx: click.Context | None = None) -> Applied | None:
    """What the command that runs took from a file."""
    ctx = ctx or click.get_current_context(silent=True)
    defaults = None if ctx is None else ctx.meta.get(KEY)
    return defaults if isinstance(defaults, Applied) else None
