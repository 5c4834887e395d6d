"""`interagree spans` (Marked text and time, 31)."""

from __future__ import annotations

from typing import Any

import click

from interagree.cli.options import (
    FILE,
    OUTPUT,
    READING,
    Output,
    Reading,
    in_python,
    listed,
    measure_names,
    options,
    whole_number,
)

LOOKED_AT = (
    click.option(
        "--match",
        default="exact",
        show_default=True,
        metavar="WAY",
        help="How two spans are compared by annotator and label: exact, overlap, jaccard, dice, iou>=0.5, "
        "within:1, label, semeval_partial, …",
    ),
    click.option("--gold", metavar="NAME", help="The annotator whom all others are compared with."),
    click.option("--document", metavar="NAME", help="Show the text of this document with the spans of all annotators."),
    click.option(
        "--types",
        type=click.UNPROCESSED,
        callback=listed,
        metavar="TYPE,…",
        help="List only disagreements of these types: boundary, label, both, split, merge, nested, extra, missing.",
    ),
    whole_number("--top", 10, "How many disagreements to list.", least=0),
    click.option(
        "--tokens",
        metavar="NAME",
        shell_complete=measure_names,
        help="Also this coefficient of single tokens, such as alpha or cohen_kappa.",
    ),
    click.option(
        "--feature",
        metavar="NAME",
        help="Also alpha of this feature of spans that overlap, such as certain; label is their label.",
    ),
    click.option("--no-text", is_flag=True, help="Show positions and labels alone, never the text."),
)


@click.command(
    "spans",
    epilog=in_python('interagree.span_report(interagree.read("export.json"))'),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(LOOKED_AT, READING, OUTPUT)
def command(file: str, **given: Any) -> None:
    """Compare marked text: F1 from strict to lenient, kinds of disagreement, and who differs where.

    The same spans are matched exactly, with whitespace and punctuation taken from their ends, a token off, by any
    overlap and by label alone. Every disagreement is of one type, told from the first annotator's side: another
    boundary, another label, both; one span split into several, several merged into one; a span nested in one that is
    paired; an extra one, a missing one. --document shows one text with the spans of all annotators below it; --csv and
    -o queue.csv list all disagreements.

    \b
    interagree spans export.json
    interagree spans brat-folder --match jaccard --types label,both
    interagree spans export.json --document 17

    Exits with 3 when no document has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import of_kind, questions
    from interagree.cli.show import on_terminal, show
    from interagree.spans.report import span_report, text_report
    from interagree.spans.typology import TYPES, check_types

    reading, output = Reading.take(given), Output.take(given)
    types = tuple(given["types"] or TYPES[1:])
    check_types(types)
    question = of_kind("spans", questions([file], reading))
    if given["document"] is not None:
        view = text_report(question.study, given["document"], text=not given["no_text"])
        in_colour = output == Output() and on_terminal()
        if in_colour:
            click.echo(view.render(colour=True))
        show(view, output, view.document(drawing=not in_colour))
        return
    answer = span_report(question.study, **{name: given[name] for name in ("match", "gold", "tokens", "feature")})
    every = output.as_csv or output.output is not None
    document = answer.document(types=types, top=given["top"], text=not given["no_text"], every=every)
    show(answer, output, document, policy=question.policy)
