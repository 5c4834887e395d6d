"""`interagree timeline` (Marked text and time, 32)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import ABOVE_ZERO, FILES, OUTPUT, READING, Output, define, opt

WEIGHT = click.FloatRange(0)
DRAWN = (
    opt("--document", "The document to draw.  [default: the first]", "NAME"),
    opt("--align/--no-align", "Whether units are aligned.  [default: align]", default=True),
    opt("--alpha", "How much positions count.", WEIGHT, 1.0),
    opt("--beta", "How much categories count.", WEIGHT, 1.0),
    opt("--empty", "The cost of an unaligned unit.", ABOVE_ZERO, 1.0),
)
PYTHON = 'interagree.spans.timeline(interagree.read("units.csv"), "letter 1", path="letter1.svg")'


@define("timeline", PYTHON, FILES, DRAWN, READING, OUTPUT)
def command(files: tuple[str, ...], *, document: str | None, **given: Any) -> None:
    """Draw one document: who marked what where, and which units are aligned.

    A lane for each annotator and a bar for each unit, with the letter of its category; aligned units have one number.
    Below stand the clusters with their disorder. With -o picture.svg (.png, .pdf) it is drawn with Matplotlib.

    \b
    interagree timeline units.csv --document 'letter 1'
    interagree timeline talk.TextGrid -o talk.svg
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import asked_of
    from interagree.cli.show import on_terminal, say, show
    from interagree.spans.timeline import documents, timeline

    question, output = asked_of(files, given, kind="spans")
    answer = timeline(question.study, document, **given)
    if document is None and len(names := documents(question.study)) > 1:
        say(f"the first of {len(names)} documents; name another with --document, such as {names[1]!r}")
    in_colour = output == Output() and on_terminal()
    if in_colour:
        from rich.console import Console

        console = Console(highlight=False)
        console.print(answer.rich(console.width))
    show(answer, output, answer.document(drawing=not in_colour), policy=question.policy)
