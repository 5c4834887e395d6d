"""The command line: read, call, print.

Every command is a module, imported when it runs, so that `interagree --help` loads no arrays; `registry` finds them.
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from interagree import __version__
from interagree.cli import registry
from interagree.errors import InteragreeError, no_memory, suggestion, unforeseen, visible
from interagree.errors.signs import SPELLED_OUT

HELP = """Do the annotators agree, how certain is that, and where do they disagree?

\b
Start with:  interagree doctor FILE
then:        interagree measure FILE

Files are CSV, TSV, JSON, JSONL, Parquet, Arrow or Excel, plain or compressed; - is standard input. Results go to
standard output, everything else to standard error. Defaults for options may stand in interagree.toml or under
[tool.interagree] in pyproject.toml.

\b
Exit codes:  0 done, or the gate passed    2 wrong use, or a file that cannot be read
             1 the gate failed             3 undefined, or nothing to compare
             70 an error in interagree     71 not enough memory   130 interrupted   141 nobody reads on
"""


class Failure(click.ClickException):
    """A sentence for standard error, and an exit code that says nothing about the data: 2 for wrong use."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(visible(message, keep="\n"))
        self.exit_code = exit_code  # type: ignore[misc]  # click has one for each class


UNFORESEEN, NO_MEMORY, INTERRUPTED, BROKEN_PIPE = 70, 71, 130, 141  # the last two as shells have them
TYPED = "interagree.typed"  # where a context keeps the words of the command


class Commands(click.Group):
    """Commands by name, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click passes it
        """The names, ours first."""
        return [*registry.commands(), *sorted(registry.plug_ins())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click passes it
        """The command, imported now."""
        if cmd_name in registry.commands():
            from interagree.cli.command import Command

            return Command.of(registry.commands()[cmd_name].load())
        point = registry.plug_ins().get(cmd_name)
        if point is None:
            return None
        try:
            loaded: click.Command = point.load()
        except (Exception, SystemExit) as error:
            raise Failure(f"the command {cmd_name!r} is a plug-in that cannot be imported: {error}") from error
        if not isinstance(loaded, click.Command):
            raise Failure(f"the command {cmd_name!r} is a plug-in that is not a click.Command but {loaded!r}")
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error that names a similar one."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            hint = suggestion(name, self.list_commands(ctx))
            if os.path.exists(name):  # noqa: PTH110 -- pathlib is not imported for this
                hint = f" To measure a file of that name: interagree measure {name}"
            raise click.UsageError(f"there is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- click passes it
        """The commands with one sentence each, without importing them."""
        for heading, rows in registry.headings().items():
            with formatter.section(heading):
                formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the options before the command, each once."""
        typed = [*args]
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing and "--config" in typed:
            from interagree.cli.command import refuse_repeated

            refuse_repeated(self, ctx, typed)
        return rest

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """A context that remembers the command as it was typed, so that errors can advise another."""
        typed = [*args]
        try:
            ctx = super().make_context(info_name, args, parent, **extra)
        except (OSError, click.ClickException) as error:  # of --help, --version and wrong options
            raise _shown(error) from error.__cause__
        ctx.meta[TYPED] = typed
        return ctx

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and exit; never with 1 where it was broken off, since 1 says that a gate failed."""
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by whoever called, who wants a file or the exit code alone
                setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 -- until the end
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False}) or 0
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort:  # what click makes of an interruption
            click.echo("Interrupted.", err=True)
            code = INTERRUPTED
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to write goes nowhere
            code = BROKEN_PIPE
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; whatever it raises becomes a sentence and an exit code."""
        try:
            from interagree.cli.progress import shown
            from interagree.data.files import pipes_kept

            with shown(), pipes_kept():
                return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            ctx.exit(BROKEN_PIPE)
        except MemoryError as error:
            said = _advised(error, ctx) if isinstance(error, InteragreeError) else no_memory(error, _typed(ctx))
            raise Failure(said, NO_MEMORY) from error
        except InteragreeError as error:
            raise Failure(_advised(error, ctx)) from error
        except (OSError, click.ClickException) as error:
            raise _shown(error) from error.__cause__
        except Exception as error:
            seen = bool(ctx.params.get("traceback"))
            raise Failure(unforeseen(error, None if seen else _typed(ctx, "--traceback")), UNFORESEEN) from error


def _shown(error: OSError | click.ClickException) -> Exception:
    """An error of the system as a sentence, which names the file or is of what is printed; no word of it is obeyed."""
    if isinstance(error, click.ClickException):
        vars(error)["message"] = visible(error.message, keep="\n")
        return error
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    where = f"{error.filename}: " if error.filename else "standard output cannot be written: " if full else ""
    return error if error.errno == errno.EPIPE else Failure(f"{where}{error.strerror or error}")


def _advised(error: InteragreeError, ctx: click.Context) -> str:
    """A message with its advice as options, and a word on the file that options came from."""
    from interagree.cli.defaults import applied

    defaults = applied(ctx)
    from_file = "" if defaults is None else defaults.sentence()
    return "\n".join(filter(None, (error.for_command_line(_typed(ctx)), from_file)))


def _typed(ctx: click.Context, *before: str) -> list[str]:
    from interagree.cli.show import program

    return [*shlex.split(program()), *before, *ctx.meta.get(TYPED, ())]


@click.group(
    cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(__version__, "-V", "--version", message="interagree %(version)s")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False),
    help="A file with defaults for options, instead of the nearest interagree.toml or pyproject.toml.",
)
@click.option("--no-config", is_flag=True, help="Take no defaults from any file.")
@click.option(
    "--traceback",
    is_flag=True,
    envvar="INTERAGREE_TRACEBACK",
    help="Show where an error that interagree did not foresee happened; so does INTERAGREE_TRACEBACK=1.",
)
@click.pass_context
def main(ctx: click.Context, config: str | None, *, no_config: bool, traceback: bool) -> None:  # noqa: ARG001 -- read where errors are met
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=SPELLED_OUT)  # a terminal without α should not stop a result
    if no_config or ctx.invoked_subcommand is None:
        return
    from interagree.cli.config import defaults

    settings = defaults(config)
    command = main.get_command(ctx, ctx.invoked_subcommand)
    if settings is not None and command is not None:
        from interagree.cli.defaults import take

        known = main.list_commands(ctx)
        take(ctx, settings, command, {name: partial(main.get_command, ctx, name) for name in known})
