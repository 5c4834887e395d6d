"""`interagree measure` (Agreement, 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interagree.cli.options import (
    DISTANCES,
    FILES,
    INTERVALS,
    MEASURES,
    OUTPUT,
    READING,
    TOGETHER,
    Intervals,
    Output,
    Reading,
    Selection,
    in_python,
    options,
    top,
)

if TYPE_CHECKING:
    from interagree.reports.breakdowns import By


@click.command(
    "measure", epilog=in_python('interagree.alpha(interagree.read("labels.csv"), distance="ordinal")')
)
@FILES
@options(
    MEASURES,
    DISTANCES,
    (
        click.option(
            "--by",
            type=click.Choice(["value", "annotator", "pair", "item"]),
            multiple=True,
            help="Also a table by value, annotator, pair or item.",
        ),
        top("Rows of such a table; files get all."),
        click.option(
            "--scale",
            "scales",
            multiple=True,
            metavar="NAME",
            help="Also the probability of each band of an interpretation scale, such as landis_koch.",
        ),
    ),
    INTERVALS,
    READING,
    TOGETHER,
    OUTPUT,
)
def command(by: tuple[By, ...], top: int, scales: tuple[str, ...], **given: object) -> None:
    """Measure agreement: coefficients with their intervals.

    Without -m these are the usual ones for the kind of value: percent agreement, alpha and AC1 of labels, ordinal alpha
    and weighted kappa of ordered ones (--ordered), interval alpha and the ICC of numbers, alpha with MASI distance of
    sets (--split); a kappa or an ICC only where nothing is missing.

    Exits with 3 when every coefficient is undefined.
    """
    from interagree.cli.load import measured_parts
    from interagree.cli.show import show
    from interagree.reports.breakdowns import broken_down
    from interagree.results.scales import find_scale

    for scale in scales:
        find_scale(scale)
    selection, intervals = Selection.take(given), Intervals.take(given).for_library()
    parts = measured_parts(selection, Reading.take(given))
    answer = broken_down(parts, intervals, by=by, scales=scales, named=bool(selection.measures))
    show(answer, Output.take(given), answer.document(top))
