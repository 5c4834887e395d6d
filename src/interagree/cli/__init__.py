"""The command line: read, call, print.

Every command is a module of its own that is imported when it runs, so that `interagree --help` imports neither arrays
nor tables; `registry` finds them.
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
from functools import partial

import click

from interagree import __version__
from interagree.cli import registry
from interagree.errors import InteragreeError, suggestion, visible

HELP = """Do the annotators agree, how sure are we, and where do they not?

\b
Start with:  interagree doctor FILE
then:        interagree measure FILE

Files are CSV, TSV, JSON, JSONL, Parquet, Arrow or Excel, plain or compressed; - is standard input. Results go to
standard output, everything else to standard error. Defaults for options may stand in interagree.toml or under
[tool.interagree] in pyproject.toml.

\b
Exit codes:  0 done, or the gate passed    2 wrong use, or a file that cannot be read
             1 the gate failed             3 undefined, or nothing to compare
             70 an error in interagree itself
"""


class Failure(click.ClickException):
    """Wrong use or an unreadable file: the sentence goes to standard error, the exit code is 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(visible(message, keep="\n"))


class Unforeseen(Failure):
    """An error in interagree itself; its exit code is not one that says something about the data."""

    exit_code = 70


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
        except Exception as error:
            raise Failure(f"the command {cmd_name!r} is a plug-in that cannot be imported: {error}") from error
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

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; whatever it raises becomes a sentence and an exit code."""
        try:
            from interagree.cli.progress import shown
            from interagree.data.files import pipes_kept

            with shown(), pipes_kept():
                return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort):
            raise
        except InteragreeError as error:
            raise Failure(_advised(error, ctx)) from error
        except (OSError, click.ClickException) as error:
            raise _shown(error) from error.__cause__
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(130)  # not 1, which says that a gate failed
        except Exception as error:
            if ctx.params.get("traceback"):
                import traceback

                click.echo(visible("".join(traceback.format_exception(error)), keep="\n"), err=True, nl=False)
            raise Unforeseen(_unforeseen(error, ctx)) from error


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
    from interagree.cli.show import program

    message = error.for_command_line([*shlex.split(program()), *ctx.meta.get(TYPED, ())])
    defaults = applied(ctx)
    from_file = defaults.sentence() if defaults is not None else ""
    return f"{message}\n{from_file}" if from_file else message


def _unforeseen(error: Exception, ctx: click.Context) -> str:
    from interagree.cli.show import program
    from interagree.errors import shell

    name = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f" To see where it happened: {program()} --traceback {shell(ctx.meta.get(TYPED, ()))}"
    advice = "" if ctx.params.get("traceback") else where
    return f"interagree met an error that it did not foresee, {name}. Please report it.{advice}"


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
            stream.reconfigure(errors="replace")  # a terminal without α should not stop a result
    if no_config or ctx.invoked_subcommand is None:
        return
    from interagree.cli.config import defaults

    settings = defaults(config)
    command = main.get_command(ctx, ctx.invoked_subcommand)
    if settings is not None and command is not None:
        from interagree.cli.defaults import take

        known = main.list_commands(ctx)
        take(ctx, settings, command, {name: partial(main.get_command, ctx, name) for name in known})
