"""`interagree distances` (Designing and monitoring a study, 43)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    SEED,
    Output,
    Reading,
    distance_names,
    in_python,
    options,
)
from interagree.errors import DataError, listing

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.results.document import Document
    from interagree.studies.choose_distance import DistanceComparison

PICTURE = click.Path(dir_okay=False, path_type=Path)


def apart(ctx: click.Context, param: click.Parameter, value: Any) -> list[str]:  # noqa: ARG001 -- click's
    """All distances that were named; a comma before a parameter, as in polar:low=1,high=7, separates none."""
    parts = [part for one in value or () for part in re.split(r",(?![^,:]*=)", str(one))]
    return [part.strip() for part in parts if part.strip()]


COMPARED = (
    click.option(
        "--distance",
        "distances",
        multiple=True,
        callback=apart,
        metavar="NAME,…",
        shell_complete=distance_names,
        help="The distances to compare, such as iou,giou:clip=1. May be repeated.  [default: all that suit the kind "
        "of value]",
    ),
    click.option(
        "--by",
        type=click.Choice(["auc", "ks"]),
        default="auc",
        show_default=True,
        help="What ranks them: AUC, or the Kolmogorov-Smirnov statistic.",
    ),
    click.option(
        "--compat",
        type=click.Choice(["braylan2022"]),
        help="Alpha, KS and sigma as in Table 1 of Braylan et al. (2022).",
    ),
    LEVEL,
    click.option(
        "--resamples",
        type=click.IntRange(2),
        default=1000,
        show_default=True,
        help="How often items are resampled.",
    ),
    SEED,
    click.option(
        "--precision",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.002,
        show_default=True,
        help="The error wanted of chance, where there are too many pairs to compute all.",
    ),
    click.option(
        "--plot",
        type=PICTURE,
        metavar="FILE",
        help="Also draw histograms of the distances within and between items: .png, .svg or .pdf.",
    ),
    click.option(
        "--heatmap",
        type=PICTURE,
        metavar="FILE",
        help="Also draw the distances of all annotations of some items, by the best distance.",
    ),
    click.option(
        "--items",
        type=click.IntRange(1),
        default=12,
        show_default=True,
        help="How many items the heat map shows, evenly over the range of agreement.",
    ),
)


@click.command(
    "distances",
    epilog=in_python(
        'result = interagree.compare_distances(interagree.read("boxes.jsonl"), ["iou", "giou"])\n'
        'result.plot("distances.svg")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(COMPARED, READING, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, file: str, **given: Any) -> None:
    """Compare distances: which one tells agreement from chance best.

    A good distance keeps annotations of one item near and those of different items far apart. Distances are ranked by
    how well they do, each with its difference to the best one on the same resampled items, and with what may hide
    agreement from it.

    \b
    interagree distances boxes.jsonl
    interagree distances boxes.jsonl --distance iou,giou:clip=1 --plot distances.svg
    interagree distances spans.jsonl --heatmap items.png

    Exits with 3 when no distance is defined.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import say, show
    from interagree.studies.choose_distance import compare_distances

    reading, output = Reading.take(given), Output.take(given)
    found = questions([file], reading)
    if len(found) > 1:
        raise DataError(
            f"there are several questions, {listing(one.question for one in found)}; choose one with --question"
        )
    how = {name: given[name] for name in ("by", "level", "resamples", "seed", "precision", "compat")}
    made = compare_distances(found[0].study, given["distances"] or None, **how)
    show(document(made, found[0], full=output != Output()), output)
    if made.undefined:
        ctx.exit(3)
    if given["plot"] is not None:
        say(f"written: {made.plot(given['plot'])}")
    if given["heatmap"] is not None:
        say(f"written: {made.heatmap(given['heatmap'], items=given['items'])}")


def document(made: DistanceComparison, found: Question, *, full: bool) -> Document:
    """The comparison as sections: the table, the choice, the histograms, what hides agreement, what was left out.

    Programs and spreadsheets also get the interval of every coefficient, which takes as long again.
    """
    from interagree.results.document import Document, Section, one_per_line

    foot = [
        made.foot(),
        *made.notes(),
        f"Policy: {found.policy or 'nothing was dropped, merged or assumed'}.",
    ]
    sections = [
        Section(table=made.shown()),
        Section(lines=made.choice()),
        Section("Distances", table=made.spread()) if made.usable else Section(),
        Section("What may hide agreement", lines=made.diagnosis()) if made.diagnosis() else Section(),
        Section("Not measured", lines=made.reasons()) if made.reasons() else Section(),
        Section(foot=one_per_line(foot)),
    ]
    kept = [section for section in sections if section != Section()]
    if not full:
        return Document("", kept)
    return Document("", kept, {"command": "distances", **made.to_dict()}, made.tidy())
