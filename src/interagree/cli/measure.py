"""`interagree measure` (Agreement, 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interagree.cli.options import SENTENCE, define, measuring, opt, top

if TYPE_CHECKING:
    from interagree.reports.breakdowns import By

OWN = (
    opt("--by", "Also a table by value, annotator, pair or item.", ("value", "annotator", "pair", "item"), ()),
    top("Rows of such a table; files get all."),
    opt("--scale scales", "Also the probability of each band of a scale of words, such as landis_koch.", "NAME", ()),
    SENTENCE,
)


@define("measure", 'interagree.alpha(interagree.read("labels.csv"), distance="ordinal")', measuring(*OWN))
def command(by: tuple[By, ...], top: int, scales: tuple[str, ...], *, sentence: bool, **given: object) -> None:
    """Measure agreement: coefficients with their intervals.

    Without -m these are the usual ones for the kind of value: percent agreement, alpha and AC1 of labels, ordinal alpha
    and weighted kappa of ordered ones (--ordered), interval alpha and the ICC of numbers, alpha with MASI distance of
    sets (--split); a kappa or an ICC only where nothing is missing.

    Exits with 3 when every coefficient is undefined.
    """
    from interagree.cli.load import measured
    from interagree.cli.show import show
    from interagree.reports.breakdowns import broken_down
    from interagree.results.scales import find_scale

    for scale in scales:
        find_scale(scale)
    request = measured(given)
    named = bool(request.selection.measures)
    answer = broken_down(request.parts, request.intervals, by=by, scales=scales, named=named)
    show(answer, request.output, answer.in_a_sentence() if sentence else answer.document(top))
