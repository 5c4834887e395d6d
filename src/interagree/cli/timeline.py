"""`interagree timeline` (Marked text and time, 32)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import FILE, OUTPUT, READING, Output, Reading, in_python, options

DRAWN = (
    click.option("--document", metavar="NAME", help="The document to draw.  [default: the first]"),
    click.option("--align/--no-align", default=True, help="Whether units are aligned.  [default: align]"),
    click.option("--alpha", type=click.FloatRange(0), default=1.0, show_default=True, help="How much positions count."),
    click.option("--beta", type=click.FloatRange(0), default=1.0, show_default=True, help="How much categories count."),
    click.option(
        "--empty",
        type=click.FloatRange(0, min_open=True),
        default=1.0,
        show_default=True,
        help="The cost of an unaligned unit.",
    ),
)


@click.command(
    "timeline",
    epilog=in_python('interagree.timeline(interagree.read("units.csv"), "letter 1", path="letter1.svg")'),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(DRAWN, READING, OUTPUT)
def command(file: str, **given: Any) -> None:
    """Draw one document: who marked what where, and which units are aligned.

    A lane for each annotator and a bar for each unit, with the letter of its category; aligned units have one number.
    Below stand the clusters with their disorder. With -o picture.svg (.png, .pdf) it is drawn with Matplotlib.

    \b
    interagree timeline units.csv --document 'letter 1'
    interagree timeline talk.TextGrid -o talk.svg
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import of_kind, questions
    from interagree.cli.show import on_terminal, say, show
    from interagree.results.document import PICTURES
    from interagree.spans.timeline import documents, timeline

    reading, output = Reading.take(given), Output.take(given)
    question = of_kind("spans", questions([file], reading))
    weights = {name: given[name] for name in ("align", "alpha", "beta", "empty")}
    answer = timeline(question.study, given["document"], **weights)
    if given["document"] is None and len(names := documents(question.study)) > 1:
        say(f"the first of {len(names)} documents; name another with --document, such as {names[1]!r}")
    if output.output is not None and output.output.suffix.lower() in PICTURES:
        say(f"written: {answer.plot(output.output)}")
        return
    in_colour = output == Output() and on_terminal()
    if in_colour:
        from rich.console import Console

        console = Console(highlight=False)
        console.print(answer.rich(console.width))
    show(answer, output, answer.document(drawing=not in_colour), policy=question.policy)
