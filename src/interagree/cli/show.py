"""Documents on standard output or in files: in colour on a terminal, plain where they are piped."""

from __future__ import annotations

import math
import os
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import Output
from interagree.results.answer import Answer
from interagree.results.document import Document, Section, form_of, policy_sentence, render, write_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interagree.tables import Table

STRIP = 21  # letters of the drawing beside a coefficient
ROOM = 100  # columns a terminal must have for it


def say(message: str) -> None:
    """A remark that is no result: on standard error."""
    click.echo(message, err=True)


def program() -> str:
    """How this program is called from here: by name where the shell finds it, else by its path."""
    called = Path(sys.argv[0])
    if called.stem == "__main__" and called.parent.name == "interagree":
        return f"{shlex.quote(sys.executable)} -m interagree"
    if called.stem != "interagree" or shutil.which("interagree"):
        return "interagree"
    here = Path.cwd()
    return shlex.quote(str(called.relative_to(here) if called.is_relative_to(here) else called))


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
    shown = document or (answer if isinstance(answer, Document) else answer.document())
    print_document(_with_policy(shown, policy), output)
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


def print_document(document: Document, output: Output) -> None:
    """Print a document, or write it where it is wanted."""
    document = _with_options_of_a_file(
        _in_words_of_the_command_line(document.for_command_line()), csv=_as_csv(output)
    )
    if output.as_json and output.as_csv:
        raise click.UsageError("--json and --csv are two ways to print; give one of them")
    asked = "json" if output.as_json else "csv" if output.as_csv else None
    if output.output is not None:
        path = output.output
        form = asked or form_of(path)
        if asked is not None and path.suffix and form_of(path) != asked:
            raise click.UsageError(f"--{asked} and the suffix of {path} do not go together; give one of them")
        write_document(document, path, form)
        say(f"written: {path}")
        return
    if asked is not None:
        click.echo(render(document, asked), nl=False)
    elif on_terminal():
        _in_colour(document)
    else:
        click.echo(render(document, "text"), nl=False)


def _as_csv(output: Output) -> bool:
    return output.as_csv or (output.output is not None and output.output.suffix.lower() == ".csv")


def _with_options_of_a_file(document: Document, *, csv: bool) -> Document:
    """A document that ends with the options that came from a file; a CSV has no room for it."""
    from interagree.cli.defaults import obeyed

    found = obeyed()
    sentence = "" if found is None or csv else found.sentence()
    if found is None or not sentence:
        return document
    found.told = True
    return replace(
        document,
        sections=[*document.sections, Section(foot=[sentence])],
        data={**document.data, "config": found.data()},
    )


def _in_words_of_the_command_line(document: Document) -> Document:
    """What the library advises in Python, such as ordered=True, as options."""
    from interagree.cli import in_options

    def told(section: Section) -> Section:
        if section.verbatim:
            return section
        table = section.table and replace(section.table, foot=in_options(section.table.foot))
        return replace(
            section,
            lines=[*map(in_options, section.lines)],
            foot=[*map(in_options, section.foot)],
            table=table,
        )

    return replace(document, sections=[told(section) for section in document.sections])


def on_terminal() -> bool:
    """Whether a person reads standard output; FORCE_COLOR says so for a pipe, TERM=dumb denies it for a terminal."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _in_colour(document: Document) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if document.title:
        console.print(Text(document.title, style="bold"))
        console.print()
    for section in document.sections:
        _section(console, section)


def _section(console: Any, section: Section) -> None:
    from rich.text import Text

    if section.title:
        console.print(Text(section.title, style="bold cyan"))
    for line in section.lines:
        console.print(Text(line, no_wrap=section.verbatim, overflow="ignore" if section.verbatim else "fold"))
    if section.table is not None and len(section.table):
        if _fits(section.table, console.width):
            console.print(_table(section.table, section, console.width))
            console.print()
        else:
            _records(console, section.table)
        if section.table.foot:
            console.print(Text(section.table.foot, style="dim"))
    for line in section.foot:
        console.print(Text(line, style="dim"))
    console.print()


WORD = 12  # what a column of long words gets at least, unless it is the first


def _least(name: str, column: Sequence[Any], *, first: bool) -> int:
    """How narrow a column may be: numbers are never broken, nor are words, but for long ones that are no name."""
    from interagree.tables import cell, to_right

    entries = [name, *map(cell, column)]
    if to_right(column):
        return max(map(len, entries))
    longest = max((len(word) for entry in entries for word in entry.split()), default=0)
    return longest if first else min(longest, 2 * WORD)


def _fits(table: Table, width: int) -> bool:
    """Whether a table can be drawn without cutting numbers."""
    needed = sum(
        2 + _least(name, column, first=not place)
        for place, (name, column) in enumerate(table.columns.items())
    )
    return needed - 2 <= width  # two spaces between columns


def _records(console: Any, table: Table) -> None:
    """A table too wide for the terminal: a paragraph for each row."""
    from rich.text import Text

    from interagree.tables import cell

    for row in table.rows():
        (_, first), *rest = row.items()
        words = "  ".join(f"{name} {cell(entry)}" for name, entry in rest if cell(entry))
        console.print(Text.assemble((cell(first), "bold"), "\n", words))


def _table(table: Table, section: Section, width: int) -> Any:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    from interagree.tables import cell, to_right

    drawn = RichTable(
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, header_style="bold"
    )
    forest = section.forest and width >= ROOM and _fits(table, width - STRIP - 2)
    left = _left_end(table) if forest else 0.0
    for place, (name, column) in enumerate(table.columns.items()):
        numeric = to_right(column)
        drawn.add_column(
            Text(name),
            justify="right" if numeric else "left",
            no_wrap=numeric,
            overflow="fold",
            min_width=_least(name, column, first=not place),
            style="bold green" if name == "value" and numeric else "",
        )
    if forest:
        drawn.add_column(Text(f"{left:g}" + "1".rjust(STRIP - len(f"{left:g}"))), no_wrap=True, style="cyan")
    for row in table.rows():
        cells = [Text(cell(entry)) for entry in row.values()]
        if forest:
            cells.append(Text(_strip(row, left)))
        flagged = bool(section.flag) and bool(row.get(section.flag))
        drawn.add_row(*cells, style="yellow" if flagged else "")
    return drawn


def _left_end(table: Table) -> float:
    lows = [
        low for name in ("value", "low") for low in table[name] if low is not None and not math.isnan(low)
    ]
    return -1.0 if min(lows, default=0.0) < -0.05 else 0.0


def _strip(row: dict[str, Any], left: float) -> str:
    from interagree.reports.forest import strip

    return strip(row["value"], row["low"], row["high"], left=left, width=STRIP)
