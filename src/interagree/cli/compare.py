"""`interagree compare` (Agreement, 15)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    Output,
    ReadingGroup,
    define,
    measure_option,
    opt,
)

CHOICE = (
    measure_option("The coefficient of both files or groups [default: alpha]; of one file, twice: the two to compare."),
    opt("--measures two", "Two coefficients of one file, the same as -m twice.", "NAME NAME", nargs=2),
    opt("--groups", "Compare the groups that a column makes of items or annotators.", "COLUMN"),
    LEVEL,
    opt("--unpaired", "Items of one name in two files are not the same items, such as numbered rows.", default=False),
)
THE_FILES = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE [FILE]")
PYTHON = 'interagree.compare(interagree.read("first.csv"), interagree.read("second.csv"), measure="alpha")'


@define("compare", PYTHON, THE_FILES, CHOICE, DISTANCES, READING, OUTPUT)
def command(files: tuple[str, ...], *, level: float, groups: str | None, unpaired: bool, **given: Any) -> None:
    """Compare two rounds, two coefficients or two groups.

    The difference is the second minus the first, with its interval and p-value. Where both have items in common it is
    paired on them, which makes it surer.

    \b
    interagree compare round1.csv round2.csv -m alpha
    interagree compare labels.csv -m alpha -m ac1
    interagree compare labels.csv -m alpha --groups language

    Exits with 3 when the difference is undefined.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.choose import chosen
    from interagree.cli.load import questions, single
    from interagree.cli.show import show
    from interagree.studies.compare import compare_groups, compare_sides, compare_two

    reading, output = ReadingGroup.take(given), Output.take(given)
    names = (*given["measures"], *(given["two"] or ()))
    choices = chosen(names or ("alpha",), distance=given["distance"], weights=given["weights"])
    if len(files) > 2:
        raise click.UsageError(f"compare takes one file or two, and {len(files)} were named")
    asked = questions(files, reading)
    if not reading.questions and len(asked) != len(files):
        single(asked)
    if len(asked) == 2 and groups:
        raise click.UsageError("--groups takes one file")
    if len(asked) == 2:
        sides = [(question.name or question.question, question.study) for question in asked]
        answer = compare_sides(sides, choices, level=level, paired=not unpaired)
    elif groups:
        answer = compare_groups(asked[0].study, groups, measures=choices, level=level)
    elif len(choices) == 2:
        answer = compare_two(asked[0].study, *choices, level=level)
    else:
        raise click.UsageError(
            "there is one file and one coefficient, so nothing to compare it with; name a second file, "
            "a second -m, or --groups COLUMN"
        )
    policies = (f"{each.name}: {each.policy}" if each.name else each.policy for each in asked if each.policy)
    show(answer, output, policy="; ".join(policies))
