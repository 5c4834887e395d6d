"""`interagree annotators` (Annotators and answers, 21)."""

from __future__ import annotations

import click

from interagree.cli.options import (
    DISTANCE,
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    Output,
    Reading,
    in_python,
    options,
)

ROOM = 100  # columns that a table may take where nobody says how wide the terminal is

CHOICE = (
    click.option(
        "--gold",
        type=FILE,
        metavar="GOLD",
        help="A file of right answers, with an item and a value in each row.",
    ),
    click.option(
        "--time",
        metavar="COLUMN",
        help="The column that says when an annotation was given: dates with times, seconds since 1970, or an order.",
    ),
    DISTANCE,
    LEVEL,
    click.option(
        "--top",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help="How many annotators to show; --csv and --json have all.",
    ),
)


@click.command(
    "annotators",
    epilog=in_python('interagree.annotators(interagree.read("labels.csv"), gold={"item 1": "cat"}, time="time")'),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, READING, OUTPUT)
def command(
    file: str,
    *,
    gold: str | None,
    time: str | None,
    distance: str | None,
    level: float,
    top: int,
    **given: object,
) -> None:
    """Say who to look at: agreement with the rest, gold, bias, speed and drift of each annotator.

    Everybody is compared with the others on the same items. Flags come with reasons and with p-values adjusted over
    all annotators and tests, so that nobody who is only unlucky is accused. The table shows the columns that fit;
    --csv and --json have all of them.

    \b
    interagree annotators labels.csv
    interagree annotators labels.csv --gold gold.csv --time submitted_at

    Exits with 3 when no item has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.consensus import gold_answers
    from interagree.cli.load import questions, single
    from interagree.cli.show import show
    from interagree.people import annotators

    reading, output = Reading.take(given), Output.take(given)
    asked = single(questions([file], reading))
    people = annotators(
        asked.study,
        gold=gold_answers(gold, reading, asked.question),
        time=time,
        level=level,
        distance=distance,
    )
    show(people, output, people.document(top=top, width=width()), policy=asked.policy)


def width() -> int:
    """How wide a table may be."""
    import shutil

    from interagree.cli.show import on_terminal

    return shutil.get_terminal_size((ROOM, 24)).columns if on_terminal() else ROOM
