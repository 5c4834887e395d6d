"""`interagree plan` (Designing and monitoring a study, 41)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from interagree.cli import options as o


def whole_numbers(ctx: click.Context, param: click.Parameter, value: Any) -> list[int] | None:
    """Several whole numbers in one option; 2-6 are all from two to six."""
    counts: list[int] = []
    parts = o.listed(ctx, param, [value] if isinstance(value, int) else value)
    try:
        for part in parts or ():
            first, _, last = str(part).partition("-")
            counts += range(int(first), int(last or first) + 1)
    except ValueError:
        raise click.BadParameter(f"expected whole numbers, such as 3, 2,4,6 or 2-6; got {value!r}") from None
    return counts if parts else None


AIM = (
    o.opt("--half-width", "Half the width that the interval should have, such as 0.05.", o.ABOVE_ZERO),
    o.opt("--budget", "How many labels can be paid for.", click.IntRange(1)),
    o.measure_option(
        "The coefficient: spa, alpha, percent, a kappa, ac1, ac2, bennett_s or icc.", "-m --measure", "spa"
    ),
    o.several(
        "--per-item",
        "How many labels an item may have, as 3, 2,4,6 or 2-6.  [default: 2-10, up to the file's annotators]",
        "N,…",
        whole_numbers,
    ),
    o.LEVEL,
    o.opt("--spend", "How many further labels to give advice on, for spa and a file.", click.IntRange(0), 100),
    o.several("--shares", "Without a file: the share of each value, such as 0.5,0.3,0.2.", "P,P,…", o.numbers),
    o.opt("--agreement", "Without a file: the chance that two annotations of an item are the same.", o.SHARE),
    o.opt(
        "--between",
        "Without a file, for spa: the variance of the true agreement between items; what is usual by default.",
        o.SHARE,
    ),
    o.opt(
        "--rounds",
        "How many times labels of the file are drawn, for all but spa.  [default: 20, fewer for large files]",
        click.IntRange(1),
    ),
    o.SEED,
    o.picture("Also draw the plan: .png, .svg or .pdf."),
)
PILOT = click.argument("files", nargs=-1, type=o.FILE, metavar="[FILE…]")
PYTHON = """interagree.plan(interagree.read("pilot.csv"), half_width=0.05)
interagree.plan(measure="alpha", shares=[0.5, 0.3, 0.2], agreement=0.8, budget=5000)"""


@o.define("plan", PYTHON, PILOT, AIM, o.DISTANCES, o.READING, o.OUTPUT)
def command(
    files: tuple[str, ...], *, measure: str, distance: str | None, weights: str | None, plot: Path | None, **given: Any
) -> None:
    """Plan a study: items and labels for an interval, or what a budget gives.

    From a pilot in a file, or without one from what is assumed: --agreement for spa, --shares and --agreement for any
    coefficient. With a file and spa, also says what the next labels should be spent on.

    \b
    interagree plan pilot.csv --half-width 0.05
    interagree plan --agreement 0.8 --budget 5000
    interagree plan -m alpha --shares 0.5,0.3,0.2 --agreement 0.8 --half-width 0.05

    Exits with 3 when nothing can be planned.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.choose import chosen
    from interagree.cli.load import questions, single
    from interagree.cli.show import draw, show
    from interagree.studies.plan import plan

    reading, output = o.ReadingGroup.take(given), o.Output.take(given)
    (choice,) = chosen((measure,), distance=distance, weights=weights)
    if not files and given["half_width"] is None and given["budget"] is None:
        raise click.UsageError("say what the plan is for: --half-width 0.05, or --budget 5000")
    question = single(questions(files, reading, together=True)) if files else None
    answer = plan(question.study if question else None, measure=choice.measure, **given, **choice.options)
    draw(answer, plot)
    show(answer, output, policy=question.policy if question else None)
