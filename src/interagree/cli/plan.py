"""`interagree plan` (Designing and monitoring a study, 41)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    SEED,
    Output,
    Reading,
    in_python,
    listed,
    measure_option,
    options,
    picture,
    whole_number,
)


def numbers(ctx: click.Context, param: click.Parameter, value: Any) -> list[float] | None:
    """Several numbers in one option, separated by commas."""
    parts = listed(ctx, param, value)
    try:
        return None if parts is None else [float(part) for part in parts]
    except ValueError:
        raise click.BadParameter(f"expected numbers separated by commas, got {value!r}") from None


def whole_numbers(ctx: click.Context, param: click.Parameter, value: Any) -> list[int] | None:
    """Several whole numbers in one option; 2-6 are all from two to six."""
    counts: list[int] = []
    parts = listed(ctx, param, [value] if isinstance(value, int) else value)
    try:
        for part in parts or ():
            first, _, last = str(part).partition("-")
            counts += range(int(first), int(last or first) + 1)
    except ValueError:
        raise click.BadParameter(f"expected whole numbers, such as 3, 2,4,6 or 2-6; got {value!r}") from None
    return counts if parts else None


ABOVE_ZERO = click.FloatRange(0, min_open=True)

AIM = (
    click.option("--half-width", type=ABOVE_ZERO, help="Half the width that the interval should have, such as 0.05."),
    click.option("--budget", type=click.IntRange(1), help="How many labels can be paid for."),
    measure_option(
        "The coefficient: spa, alpha, percent, a kappa, ac1, ac2 or bennett_s.",
        default="spa",
        show_default=True,
    ),
    click.option(
        "--per-item",
        type=click.UNPROCESSED,
        callback=whole_numbers,
        metavar="N,…",
        help="How many labels an item may have, as 3, 2,4,6 or 2-6.  [default: 2-10, up to the file's annotators]",
    ),
    LEVEL,
    whole_number("--spend", 100, "How many further labels to give advice on, for spa and a file.", least=0),
)

ASSUMED = (
    click.option(
        "--shares",
        type=click.UNPROCESSED,
        callback=numbers,
        metavar="P,P,…",
        help="Without a file: the share of each value, such as 0.5,0.3,0.2.",
    ),
    click.option(
        "--agreement",
        type=click.FloatRange(0, 1),
        help="Without a file: the chance that two annotations of an item are the same.",
    ),
    click.option(
        "--between",
        type=click.FloatRange(0, 1),
        help="Without a file, for spa: the variance of the true agreement between items; what is usual by default.",
    ),
)

DRAWN = (
    click.option(
        "--rounds",
        type=click.IntRange(1),
        help="How many times labels of the file are drawn, for all but spa.  [default: 20, fewer for large files]",
    ),
    SEED,
    picture("Also draw the plan: .png, .svg or .pdf."),
)


@click.command(
    "plan",
    epilog=in_python(
        'interagree.plan(interagree.read("pilot.csv"), half_width=0.05)\n'
        'interagree.plan(measure="alpha", shares=[0.5, 0.3, 0.2], agreement=0.8, budget=5000)'
    ),
)
@click.argument("file", required=False, type=FILE, metavar="[FILE]")
@options(AIM, ASSUMED, DRAWN, DISTANCES, READING, OUTPUT)
def command(file: str | None, **given: Any) -> None:
    """Plan a study: items and labels for an interval, or what a budget gives.

    From a pilot in a file, or without one from what is assumed: --agreement for spa, --shares and --agreement for any
    coefficient. With a file and spa, also says what the next labels should be spent on.

    \b
    interagree plan pilot.csv --half-width 0.05
    interagree plan --agreement 0.8 --budget 5000
    interagree plan -m alpha --shares 0.5,0.3,0.2 --agreement 0.8 --half-width 0.05

    Exits with 3 when nothing can be planned.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show
    from interagree.reports.choose import chosen
    from interagree.studies.plan import plan

    reading, output = Reading.take(given), Output.take(given)
    (choice,) = chosen((given["measure"],), distance=given["distance"], weights=given["weights"])
    if file is None and given["half_width"] is None and given["budget"] is None:
        raise click.UsageError("say what the plan is for: --half-width 0.05, or --budget 5000")
    question = None if file is None else single(questions([file], reading))
    answer = plan(
        question.study if question else None,
        measure=choice.measure,
        **{
            name: given[name]
            for name in (
                *("half_width", "budget", "level", "shares", "agreement", "between", "per_item"),
                *("spend", "rounds", "seed"),
            )
        },
        **choice.options,
    )
    if given["plot"] is not None and not answer.undefined:
        say(f"written: {answer.plot(given['plot'])}")
    show(answer, output, policy=question.policy if question else None)
