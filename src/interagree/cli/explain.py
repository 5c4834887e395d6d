"""`interagree explain` (Agreement, 16)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import DISTANCES, FILE, OUTPUT, READING, Output, ReadingGroup, define, measure_names

ARGUMENTS = (
    click.argument("measure", metavar="MEASURE[:OPTION=…]", shell_complete=measure_names),
    click.argument("files", nargs=-1, type=FILE, metavar="[FILE…]"),
)


@define("explain", 'interagree.explain("alpha", interagree.read("labels.csv"))', ARGUMENTS, DISTANCES, READING, OUTPUT)
def command(measure: str, files: tuple[str, ...], **given: Any) -> None:
    """Explain a measure, and work it out step by step on a file.

    Without FILE: the formula, what it assumes, what to beware of, and the reference. With FILE: the counts of a few
    items, the shares of the values, the observed and the expected disagreement, and the coefficient, in your own
    numbers, with the distance that suits the kind of value unless one is given.

    Exits with 3 when the coefficient is undefined.
    """
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.studies.explain import Explanations, explain

    reading, output = ReadingGroup.take(given), Output.take(given)
    if not files:
        show(explain(measure, **given), output)
        return
    answers = {
        asked.question: explain(measure, asked.study, **given) for asked in questions(files, reading, together=True)
    }
    show(next(iter(answers.values())) if len(answers) == 1 else Explanations(answers), output)
