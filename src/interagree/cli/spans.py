"""`interagree spans` (Marked text and time, 31)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from interagree.cli import options as o

CHOICE = (
    o.opt(
        "--match",
        "How two spans are compared by annotator and label: exact, overlap, jaccard, dice, iou>=0.5, "
        "within:1, label, semeval_partial, …",
        "WAY",
        "exact",
    ),
    o.opt("--gold", "Whom all others are compared with: an annotator, or a file of right answers.", "GOLD"),
    o.opt("--document", "Show the text of this document with the spans of all annotators.", "NAME"),
    o.several(
        "--types",
        "List only disagreements of these types: boundary, label, both, split, merge, nested, extra, missing.",
        "TYPE,…",
        o.listed,
    ),
    o.top("How many disagreements to list.", 10, least=0),
    o.opt(
        "--tokens",
        "Also this coefficient of single tokens, such as alpha or cohen_kappa.",
        "NAME",
        shell_complete=o.measure_names,
    ),
    o.opt(
        "--feature", "Also alpha of this feature of spans that overlap, such as certain; label is their label.", "NAME"
    ),
)


@o.define("spans", 'interagree.spans.span_report(interagree.read("export.json"))', o.FILES, CHOICE, o.READING, o.OUTPUT)
def command(
    files: tuple[str, ...], *, document: str | None, types: tuple[str, ...] | None, top: int, **given: Any
) -> None:
    """Compare marked text: F1 from strict to lenient, kinds of disagreement, and who differs where.

    The same spans are matched exactly, with whitespace and punctuation taken from their ends, a token off, by any
    overlap and by label alone. Every disagreement is of one type, as seen from the first annotator: another
    boundary, another label, both; one span split into several, several merged into one; a span nested in one that is
    paired; an extra one, a missing one. --document shows one text with the spans of all annotators below it; --csv and
    -o queue.csv list all disagreements.

    \b
    interagree spans export.json
    interagree spans brat-folder --match jaccard --types label,both
    interagree spans export.json --document 17

    Exits with 3 when no document has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import asked_of, asked_with_gold
    from interagree.cli.show import on_terminal, show
    from interagree.crowd.gold import with_gold
    from interagree.spans.report import span_report, text_report
    from interagree.spans.typology import TYPES, check_types

    types, no_text = tuple(types or TYPES[1:]), bool(given["no_text"])
    check_types(types)
    gold = given["gold"]
    if gold is not None and Path(gold).exists():
        question, output, right = asked_with_gold(files, gold, given, kind="spans")
        if right is not None:
            study, given["gold"] = with_gold(question.study, right)
            question = question._replace(study=study)
    else:
        question, output = asked_of(files, given, kind="spans")
    if document is not None:
        view = text_report(question.study, document, text=not no_text)
        in_colour = output == o.Output() and on_terminal()
        if in_colour:
            click.echo(view.render(colour=True))
        show(view, output, view.document(drawing=not in_colour))
        return
    answer = span_report(question.study, **given)
    every = output.as_csv or bool(output.output)
    show(answer, output, answer.document(types=types, top=top, text=not no_text, every=every), policy=question.policy)
