"""`interagree check` (Agreement, 14)."""

from __future__ import annotations

from typing import Literal

import click

from interagree.cli.options import define, measuring, opt

OWN = (
    opt("--at-least", "The lowest value that passes.", click.FloatRange(-1, 1), required=True),
    opt("--on", "What must reach it: the lower end of the interval, or the value alone.", ("lower", "value"), "lower"),
    opt("--inconclusive", "What to do when the threshold lies inside the interval.", ("fail", "pass"), "fail"),
)


@define("check", 'interagree.reports.check(interagree.read("labels.csv"), at_least=0.8).passes', measuring(*OWN))
@click.pass_context
def command(
    ctx: click.Context,
    /,
    at_least: float,
    on: Literal["lower", "value"],
    inconclusive: Literal["fail", "pass"],
    **given: object,
) -> None:
    """Fail when agreement is too low, for use in CI.

    Takes alpha, with the distance that suits the values, unless -m names others. Passes when the whole interval is at
    least AT_LEAST, fails when it is below, and otherwise cannot tell, which fails unless --inconclusive pass.

    Few whole numbers (1 to 5) may be labels or steps of a scale. Where both readings give the same outcome, that is
    the outcome; where they do not, the check is in doubt and asks for --ordered or --kind labels.

    \b
    Exits with  0  every coefficient passes
                1  one fails, or cannot tell
                2  the command or a file is wrong, or the outcome is in doubt
                3  the data leave a coefficient undefined
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import measured
    from interagree.cli.show import show
    from interagree.reports.threshold import FALLBACK, Threshold, checked

    request = measured(given, lenient=False, fallback=FALLBACK)
    threshold = Threshold(at_least, on, inconclusive)
    check = checked(request.parts, request.intervals, threshold, doubt=request.plain)
    show(check.document(), request.output)
    ctx.exit(check.exit_code)
