"""`interagree timeline` (Marked text and time, 32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import FILE, OUTPUT, READING, Output, Reading, in_python, options

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.results.document import Document
    from interagree.spans.timeline import Timeline

PICTURES = {".svg", ".png", ".pdf"}

DRAWN = (
    click.option("--document", metavar="NAME", help="The document to draw.  [default: the first]"),
    click.option("--align/--no-align", default=True, help="Whether units are aligned.  [default: align]"),
    click.option(
        "--alpha", type=click.FloatRange(0), default=1.0, show_default=True, help="How much positions count."
    ),
    click.option(
        "--beta", type=click.FloatRange(0), default=1.0, show_default=True, help="How much categories count."
    ),
    click.option(
        "--empty",
        type=click.FloatRange(0, min_open=True),
        default=1.0,
        show_default=True,
        help="What a unit costs that is aligned with none.",
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
    from interagree.cli.show import say, show
    from interagree.spans.timeline import documents, timeline

    reading, output = Reading.take(given), Output.take(given)
    found = [of_kind("spans", questions([file], reading))]
    how = {name: given[name] for name in ("align", "alpha", "beta", "empty")}
    made = timeline(found[0].study, given["document"], **how)
    if given["document"] is None and len(names := documents(found[0].study)) > 1:
        say(f"the first of {len(names)} documents; name another with --document, such as {names[1]!r}")
    if output.output is not None and output.output.suffix.lower() in PICTURES:
        say(f"written: {made.plot(output.output)}")
        return
    drawn = _in_colour(made) if output == Output() else False
    show(document(made, found[0], drawn=drawn), output)


def _in_colour(made: Timeline) -> bool:
    """Draw the lanes in colour where a person looks at a terminal; whether that was so."""
    from interagree.cli.show import on_terminal

    if not on_terminal():
        return False
    from rich.console import Console

    console = Console(highlight=False)
    console.print(made.rich(console.width))
    return True


def document(made: Timeline, found: Question, *, drawn: bool) -> Document:
    """The picture as sections: the lanes, unless they are drawn already, and the clusters."""
    from interagree.results.document import Document, Section, one_per_line

    table = made.clusters()
    foot = [f"Policy: {found.policy or 'nothing was dropped, merged or assumed'}."]
    data = {"command": "timeline", "document": made.document, "annotators": list(made.annotators)}
    sections = [] if drawn else [Section(lines=made.text().split("\n"), verbatim=True)]
    if made.alignment is not None:
        alignment = made.alignment
        gap = f", at most {alignment.gap:.3g} above the best cost" if alignment.gap else ""
        data |= {
            "disorder": alignment.disorder,
            "cost": alignment.cost,
            "gap": alignment.gap,
            "clusters": table.rows(),
        }
        line = (
            f"Observed disorder {alignment.disorder:.3f}: cost {alignment.cost:.3f} of {len(table)} clusters, "
            f"over {made.continuum.mean_units:g} units an annotator{gap}."
        )
        sections.append(Section("Clusters", lines=[line], table=table))
    sections.append(Section(foot=one_per_line(foot)))
    return Document("", sections, data, table)
