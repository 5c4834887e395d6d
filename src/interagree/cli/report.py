"""`interagree report` (Agreement, 13)."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interagree.cli.options import SENTENCE, define, measuring, opt, picture

LONG = 30_000_000  # annotators times annotations above which the table by annotator takes seconds

OWN = (
    opt("--title", "The title of the report; by default the name of the file."),
    opt("--full", "All sections, and not only the first screen; a page has them anyhow.", default=False),
    opt("--table", "Only the overview with the methods, for a paper: with -o table.docx, .tex or .csv.", default=False),
    opt("--bibtex", "Print the BibTeX entries of the measures used, and nothing else.", default=False),
    opt("--images", "On a page, show the images that the data name, loaded from where they are.", default=False),
    opt(
        "--image-folder",
        "On a page, show the images that the data name from this folder, found by the names of the files.",
        click.Path(exists=True, file_okay=False, path_type=Path),
    ),
    picture("Also draw the coefficients to this file (.png, .svg or .pdf)."),
    SENTENCE,
)


@define("report", 'interagree.report(interagree.read("labels.csv")).write("report.md")', measuring(*OWN))
def command(
    title: str | None,
    *,
    full: bool,
    table: bool,
    bibtex: bool,
    images: bool,
    image_folder: Path | None,
    sentence: bool,
    plot: Path | None,
    **given: object,
) -> None:
    """Tell the whole story of a study, or put several into one table.

    Of one file: where each question stands, an overview, what to do next and the disagreement worth most a look; with
    --full, or on a page (-o report.html), also the coefficients, why they differ, agreement by value and by annotator,
    the most disputed items, and what to cite. Of several files: one row for each, one column for each coefficient.

    Exits with 3 when every coefficient is undefined.
    """
    from interagree.cli.load import measured
    from interagree.cli.show import draw, say, show
    from interagree.reports.make import Report
    from interagree.reports.naming import name_of

    texts = not given["no_text"]
    parts, intervals, output, _ = measured(given)
    compact = len({part.source["file"] for part in parts}) > 1
    work = sum(len(part.study.annotators) * len(part.study) for part in parts)
    if not compact and work > LONG and sys.stderr.isatty():
        say("leaving out one annotator after the other; this takes a few seconds")
    report = Report(
        parts,
        intervals,
        compact=compact and not table,
        title=title or name_of(parts),
        full=full,
        brief=table,
        texts=texts,
        images=image_folder or images,
    )
    draw(report, plot)
    if bibtex:
        click.echo(report.cite())
    else:
        show(report, output, report.in_a_sentence() if sentence else None)
