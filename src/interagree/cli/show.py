"""Documents on standard output or in files: in colour on a terminal, plain where they are piped."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import click

from interagree.cli.options import Output
from interagree.errors import visible
from interagree.results.answer import Answer
from interagree.results.document import PICTURES, Document, Section, form_of, policy_sentence, render, write_document

ROOM = 100  # columns that a table may take where nobody says how wide the terminal is


def say(message: str) -> None:
    """Print a remark that is not a result: on standard error."""
    click.echo(visible(message, keep="\n"), err=True)


def program() -> str:
    """How this program is called from here: by name where the shell finds it, else by its path."""
    called = Path(sys.argv[0])
    if called.stem == "__main__" and called.parent.name == "interagree":
        return f"{shlex.quote(sys.executable)} -m interagree"
    if called.stem != "interagree" or shutil.which("interagree"):
        return "interagree"
    here = Path.cwd()
    return shlex.quote(str(called.relative_to(here) if called.is_relative_to(here) else called))


def written(path: object, more: str = "") -> None:
    """Say that a file was written."""
    say(f"written: {path}{more}")


def draw(answer: Answer, path: Path | None) -> None:
    """Draw an answer to a file, where one is named and there is something to draw."""
    if path is not None and not answer.undefined:
        written(answer.plot(path))


def show(
    answer: Answer | Document, output: Output, document: Document | None = None, *, policy: str | None = None
) -> None:
    """Print an answer, or write it where it is wanted; the exit code is 3 where there is nothing to tell.

    The JSON begins with the name of the command.

    Args:
        answer: What the library gave.
        output: Where it goes, and how it looks there.
        document: The answer as it is to be shown where that is not ``answer.document()``, such as
            ``answer.document(top=5)``.
        policy: What was dropped, merged or assumed when the file was read (`Question.policy`); it becomes the last
            sentence and the last entry of the JSON.  None where the document says so itself.
    """
    _check_forms(output)
    for path in output.output or (None,):
        if isinstance(answer, Answer) and path is not None and path.suffix.lower() in PICTURES:
            draw(answer, path)
        else:
            shown = document or (answer if isinstance(answer, Document) else answer.document_for(path))
            print_document(_with_policy(shown, policy), output, path)
    if isinstance(answer, Answer) and answer.undefined:
        click.get_current_context().exit(3)


def _with_policy(document: Document, policy: str | None) -> Document:
    """A document with the name of the command and with what was done to the data."""
    ctx = click.get_current_context(silent=True)
    named = {} if ctx is None or "command" in document.data else {"command": ctx.command.name}
    if policy is None:
        return replace(document, data={**named, **document.data})
    return replace(
        document,
        sections=[*document.sections, Section(foot=[policy_sentence(policy)])],
        data={**named, **document.data, "policy": policy},
    )


def _asked(output: Output) -> str | None:
    """The form that was asked for by an option, whatever the file is called."""
    return "json" if output.as_json else "csv" if output.as_csv else None


def _check_forms(output: Output) -> None:
    """Refuse forms that contradict each other before anything is written."""
    if output.as_json and output.as_csv:
        raise click.UsageError("--json and --csv are two ways to print; give one of them")
    asked = _asked(output)
    for path in output.output:
        if asked is not None and path.suffix and form_of(path) != asked:
            raise click.UsageError(f"--{asked} and the suffix of {path} do not go together; give one of them")


def print_document(document: Document, output: Output, path: Path | None = None) -> None:
    """Print a document, or write it to a file."""
    asked = _asked(output)
    as_csv = output.as_csv or (path is not None and path.suffix.lower() == ".csv")
    document = _with_options_of_a_file((document if path else document.folded()).for_command_line(), csv=as_csv)
    if path is not None:
        write_document(document, path, asked or form_of(path))
        written(path)
        return
    if asked is not None:
        text = render(document, asked)
        click.echo(visible(text, keep="\n") if on_terminal() else text, nl=False)
    elif on_terminal():
        from interagree.results.terminal import print_on_terminal

        print_on_terminal(document)
    else:
        click.echo(render(document, "text"), nl=False)


def _with_options_of_a_file(document: Document, *, csv: bool) -> Document:
    """A document that ends with the options that came from a file; a CSV has no room for it."""
    from interagree.cli.defaults import applied

    defaults = applied()
    sentence = "" if defaults is None or csv else defaults.sentence()
    if defaults is None or not sentence:
        return document
    defaults.reported = True
    return replace(
        document,
        sections=[*document.sections, Section(foot=[sentence])],
        data={**document.data, "config": defaults.data()},
    )


def on_terminal() -> bool:
    """Whether a person reads standard output; FORCE_COLOR says so for a pipe, TERM=dumb denies it for a terminal."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How wide a table may be: as the terminal is, and a page where nobody reads one."""
    return shutil.get_terminal_size((ROOM, 24)).columns if on_terminal() else ROOM
