"""`interagree report` (Agreement, 13)."""

from __future__ import annotations

import sys
from typing import Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    MEASURES,
    OUTPUT,
    READING,
    SURE,
    TOGETHER,
    Output,
    Reading,
    Sure,
    in_python,
    options,
)

LONG = 30_000_000  # annotators times annotations above which the table by annotator takes seconds


@click.command(
    "report", epilog=in_python('interagree.report(interagree.read("labels.csv")).write("report.md")')
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
@options(
    MEASURES,
    DISTANCES,
    (
        click.option("--title", default="Agreement", show_default=True, help="The title of the report."),
        click.option("--no-text", is_flag=True, help="Do not show the texts of the most disputed items."),
        click.option("--pseudonyms", is_flag=True, help="Call the annotators A1, A2, …"),
        click.option(
            "--bibtex", is_flag=True, help="Print the BibTeX entries of the measures used, and nothing else."
        ),
        click.option(
            "--plot",
            type=click.Path(dir_okay=False),
            help="Also draw the coefficients to this file (.png, .svg or .pdf).",
        ),
    ),
    SURE,
    READING,
    TOGETHER,
    OUTPUT,
)
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Tell the whole story of a study, or put several into one table.

    Of one file: what it holds, the coefficients with their intervals, why they differ, agreement by value and by
    annotator, the most disputed items, and what to cite. Of several files: one row for each, one column for each
    coefficient.

    Exits with 3 when every coefficient is undefined.
    """
    from interagree.cli.load import questions
    from interagree.cli.show import say, show
    from interagree.reports.make import Report, pseudonyms
    from interagree.reports.parts import measured

    reading, sure, output = Reading.take(given), Sure.take(given), Output.take(given)
    found = questions(files, reading, together=given["together"])
    parts = tuple(
        measured(
            pseudonyms(one.study) if given["pseudonyms"] else one.study,
            name=one.name,
            measures=given["measures"],
            distance=given["distance"],
            weights=given["weights"],
            lenient=len(found) > 1,
            policy=one.policy,
        )
        for one in found
    )
    compact = len({one.file for one in found}) > 1
    work = sum(len(part.study.annotators) * len(part.study) for part in parts)
    if not compact and work > LONG and sys.stderr.isatty():
        say("leaving out one annotator after the other; this takes a few seconds")
    report = Report(parts, sure.how(), compact=compact, title=given["title"], texts=not given["no_text"])
    if given["plot"]:
        say(f"written: {report.plot(given['plot'])}")
    if given["bibtex"]:
        click.echo(report.cite())
        return
    show(report.document(), output)
    if all(result.undefined for part in parts for result in part.results):
        ctx.exit(3)
