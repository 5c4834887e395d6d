"""`interagree distances` (Designing and monitoring a study, 43)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from interagree.cli import options as o

COMPARED = (
    o.opt(
        "--distance distances",
        "The distances to compare, such as iou,giou:clip=1. May be repeated.  [default: all that suit the kind "
        "of value]",
        "NAME,…",
        (),
        callback=o.listed_distances,
        shell_complete=o.distance_names,
    ),
    o.opt("--by", "What ranks them: AUC, or the Kolmogorov-Smirnov statistic.", ("auc", "ks"), "auc"),
    o.opt("--compat", "Alpha, KS and sigma as in Table 1 of Braylan et al. (2022).", ("braylan2022",)),
    o.LEVEL,
    o.opt("--resamples", "How often items are resampled.", click.IntRange(2), 1000),
    o.SEED,
    o.opt("--precision", "The error wanted of chance, where there are too many pairs to compute all.", o.INSIDE, 0.002),
    o.picture("Also draw histograms of the distances within and between items: .png, .svg or .pdf."),
    o.picture("Also draw the distances of all annotations of some items, by the best distance.", "--heatmap"),
    o.opt("--items", "How many items the heat map shows, evenly over the range of agreement.", click.IntRange(1), 12),
)
PYTHON = """result = interagree.studies.compare_distances(interagree.read("boxes.jsonl"), ["iou", "giou"])
result.plot("distances.svg")"""


@o.define("distances", PYTHON, o.FILES, COMPARED, o.READING, o.OUTPUT)
def command(
    files: tuple[str, ...], *, distances: list[str], plot: Path | None, heatmap: Path | None, items: int, **given: Any
) -> None:
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
    from interagree.cli.load import asked_of
    from interagree.cli.show import draw, show, written
    from interagree.studies.choose_distance import compare_distances

    question, output = asked_of(files, given)
    answer = compare_distances(question.study, distances or None, **given)
    draw(answer, plot)
    if heatmap is not None and not answer.undefined:
        written(answer.heatmap(heatmap, items=items))
    show(answer, output, answer.document(intervals=output != o.Output()), policy=question.policy)
