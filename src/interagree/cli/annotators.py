"""`interagree annotators` (Annotators and answers, 21)."""

from __future__ import annotations

from typing import Any

from interagree.cli.options import DISTANCE, FILES, GOLD, LEVEL, OUTPUT, READING, define, opt, top

CHOICE = (
    GOLD,
    opt(
        "--time",
        "The column that says when an annotation was given: dates with times, seconds since 1970, or an order.",
        "COLUMN",
    ),
    DISTANCE,
    LEVEL,
    top("How many annotators to show; --csv and --json have all."),
)
PYTHON = 'interagree.annotators(interagree.read("labels.csv"), gold={"item 1": "cat"}, time="time")'


@define("annotators", PYTHON, FILES, CHOICE, READING, OUTPUT)
def command(files: tuple[str, ...], *, gold: str | None, top: int, **given: Any) -> None:
    """Say who to look at: agreement with the rest, gold, bias, speed and drift of each annotator.

    Everybody is compared with the others on the same items. Flags come with reasons and with p-values adjusted over
    all annotators and tests, so that nobody who is only unlucky is accused. The table shows the columns that fit;
    --csv and --json have all of them.

    \b
    interagree annotators labels.csv
    interagree annotators labels.csv --gold gold.csv --time submitted_at

    Exits with 3 when no item has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import asked_with_gold
    from interagree.cli.show import show, width
    from interagree.people import annotators

    question, output, right = asked_with_gold(files, gold, given)
    people = annotators(question.study, gold=right, **given)
    show(people, output, people.document(top=top, width=width()), policy=question.policy)
