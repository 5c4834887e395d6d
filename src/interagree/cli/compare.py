"""`interagree compare` (Agreement, 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    Output,
    Reading,
    in_python,
    measure_option,
    options,
)
from interagree.errors import DataError, Hint, listing

if TYPE_CHECKING:
    from interagree.cli.load import Question


@click.command(
    "compare",
    epilog=in_python(
        'interagree.compare(interagree.read("first.csv"), interagree.read("second.csv"), measure="alpha")'
    ),
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE [FILE]")
@options(
    (
        measure_option(
            "The coefficient of both files or groups [default: alpha]; of one file, twice: the two to compare.",
            "measures",
            multiple=True,
        ),
        click.option(
            "--measures",
            "two",
            nargs=2,
            metavar="NAME NAME",
            help="Two coefficients of one file, the same as -m twice.",
        ),
        click.option(
            "--groups",
            metavar="COLUMN",
            help="Compare the groups that a column makes of items or annotators.",
        ),
        LEVEL,
        click.option(
            "--unpaired",
            is_flag=True,
            help="Items of the same name in two files are not the same items, such as rows numbered alike.",
        ),
    ),
    DISTANCES,
    READING,
    OUTPUT,
)
def command(files: tuple[str, ...], **given: Any) -> None:
    """Compare two rounds, two coefficients or two groups.

    The difference is the second minus the first, with its interval and p-value. Where both have items in common it is
    paired on them, which makes it surer.

    \b
    interagree compare round1.csv round2.csv -m alpha
    interagree compare labels.csv -m alpha -m ac1
    interagree compare labels.csv -m alpha --groups language

    Exits with 3 when the difference is undefined.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.reports.choose import chosen
    from interagree.studies.compare import Compared, Differences, compare, compare_groups

    reading, output, level = Reading.take(given), Output.take(given), given["level"]
    names = (*given["measures"], *(given["two"] or ()))
    choices = chosen(names or ("alpha",), distance=given["distance"], weights=given["weights"])
    if len(files) > 2:
        raise click.UsageError(f"compare takes one file or two, and {len(files)} were named")
    found = questions(files, reading)
    if len({one.question for one in found}) > 1 and not reading.questions and len(found) != len(files):
        hint = Hint("question")
        several = listing(dict.fromkeys(one.question for one in found))
        raise DataError(f"there are several questions, {several}; choose one with {hint}", hints=[hint])
    if len(found) == 2:
        if given["groups"]:
            raise click.UsageError("--groups takes one file")
        sides = " → ".join(one.name or one.question for one in found)
        first, second = (one.study for one in found)
        answer = Differences(
            [
                Compared(
                    one.title,
                    sides,
                    compare(one.of(first), one.of(second), level=level, paired=not given["unpaired"]),
                )
                for one in choices
            ]
        )
    elif given["groups"]:
        answer = compare_groups(found[0].study, given["groups"], measures=choices, level=level)
    elif len(choices) == 2:
        difference = compare(*(one.of(found[0].study) for one in choices), level=level)
        answer = Differences([Compared("", " → ".join(one.title for one in choices), difference)])
    else:
        raise click.UsageError(
            "there is one file and one coefficient, so nothing to compare it with; name a second file, "
            "a second -m, or --groups COLUMN"
        )
    show(answer, output, policy=_policy(found))


def _policy(found: Sequence[Question]) -> str:
    """What was done to the data, by file where there are two."""
    return "; ".join(f"{one.name}: {one.policy}" if one.name else one.policy for one in found if one.policy)
