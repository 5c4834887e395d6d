"""`interagree distances` (Designing and monitoring a study, 43)."""

from __future__ import annotations

from typing import Any

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
    listed_distances,
    options,
    picture,
    whole_number,
)

COMPARED = (
    click.option(
        "--distance",
        "distances",
        multiple=True,
        callback=listed_distances,
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
    whole_number("--resamples", 1000, "How often items are resampled.", least=2),
    SEED,
    click.option(
        "--precision",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.002,
        show_default=True,
        help="The error wanted of chance, where there are too many pairs to compute all.",
    ),
    picture("Also draw histograms of the distances within and between items: .png, .svg or .pdf."),
    picture("Also draw the distances of all annotations of some items, by the best distance.", "--heatmap"),
    whole_number("--items", 12, "How many items the heat map shows, evenly over the range of agreement."),
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
def command(file: str, **given: Any) -> None:
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
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show
    from interagree.studies.choose_distance import compare_distances

    reading, output = Reading.take(given), Output.take(given)
    question = single(questions([file], reading))
    answer = compare_distances(
        question.study,
        given["distances"] or None,
        **{name: given[name] for name in ("by", "level", "resamples", "seed", "precision", "compat")},
    )
    if given["plot"] is not None and not answer.undefined:
        say(f"written: {answer.plot(given['plot'])}")
    if given["heatmap"] is not None and not answer.undefined:
        say(f"written: {answer.heatmap(given['heatmap'], items=given['items'])}")
    show(answer, output, answer.document(intervals=output != Output()), policy=question.policy)
