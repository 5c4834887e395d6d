"""`interagree explain` (Agreement, 16)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    OUTPUT,
    READING,
    Output,
    Reading,
    in_python,
    measure_names,
    options,
)


@click.command(
    "explain",
    epilog=in_python(
        'from interagree.studies.explain import explain\nexplain("alpha", interagree.read("labels.csv"))'
    ),
)
@click.argument("measure", metavar="MEASURE[:OPTION=…]", shell_complete=measure_names)
@click.argument("file", required=False, type=FILE)
@options(DISTANCES, READING, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, measure: str, file: str | None, **given: Any) -> None:
    """Explain a measure, and work it out step by step on a file.

    Without FILE: the formula, what it assumes, what to beware of, and the reference. With FILE: the counts of a few
    items, the shares of the values, the observed and the expected disagreement, and the coefficient, in your own
    numbers, with the distance that suits the kind of value unless one is given.

    Exits with 3 when the coefficient is undefined.
    """
    from dataclasses import replace

    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.results.document import Document
    from interagree.studies.explain import explain

    reading, output = Reading.take(given), Output.take(given)
    how = {"distance": given["distance"], "weights": given["weights"]}
    if file is None:
        show(explain(measure, **how), output)
        return
    found = questions([file], reading)
    made = [(one, explain(measure, one.study, **how)) for one in found]
    results = [document.data["result"] for _, document in made]
    code = 3 if all(isinstance(result, dict) and result["undefined"] for result in results) else 0
    if len(made) == 1:
        show(made[0][1], output)
        ctx.exit(code)
    sections = [
        replace(section, title=f"{one.name}: {section.title}" if section.title else "")
        for one, document in made
        for section in document.sections
    ]
    data = {"command": "explain", "questions": {one.question: document.data for one, document in made}}
    show(Document(made[0][1].title, sections, data), output)
    ctx.exit(code)
