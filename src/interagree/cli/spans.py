"""`interagree spans` (Marked text and time, 31)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

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
)
from interagree.errors import DataError, UnknownName, listing, suggestion

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.data import Annotations
    from interagree.results.document import Document, Section
    from interagree.spans.typology import Typology

MATRIX = 8  # annotators that a matrix has room for
WIDE = 90  # letters of their names
PAIRS = 20  # pairs of annotators that are shown otherwise

LOOKED_AT = (
    click.option(
        "--match",
        default="exact",
        show_default=True,
        metavar="WAY",
        help="How two spans are compared by annotator and label: exact, overlap, jaccard, dice, iou>=0.5, "
        ""
        "within:1, label, semeval_partial, …",
    ),
    click.option("--gold", metavar="NAME", help="The annotator whom all others are compared with."),
    click.option("--document", metavar="NAME", help="Show the text of this document with everybody's marks."),
    click.option(
        "--types",
        type=click.UNPROCESSED,
        callback=listed,
        metavar="TYPE,…",
        help="List only disagreements of these types: boundary, label, both, split, merge, nested, extra, missing.",
    ),
    click.option(
        "--top", type=click.IntRange(0), default=10, show_default=True, help="How many disagreements to list."
    ),
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
    epilog=in_python('interagree.span_panel(interagree.read("export.json"))'),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(LOOKED_AT, READING, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, file: str, **given: Any) -> None:
    """Compare marked text: F1 from strict to lenient, kinds of disagreement, and who differs where.

    The same spans are matched exactly, with whitespace and punctuation taken from their ends, a token off, by any
    overlap and by label alone. Every disagreement is of one type, told from the first annotator's side: another
    boundary, another label, both; one span split into several, several merged into one; a span nested in one that is
    paired; an extra one, a missing one. --document shows one text with the marks of everybody below it; --csv and
    -o queue.csv list all disagreements.

    \b
    interagree spans export.json
    interagree spans brat-folder --match jaccard --types label,both
    interagree spans export.json --document 17

    Exits with 3 when no document has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import of_kind, questions
    from interagree.cli.show import show
    from interagree.spans.typology import TYPES

    reading, output = Reading.take(given), Output.take(given)
    types = tuple(given["types"] or TYPES[1:])
    for name in types:
        if name not in TYPES:
            raise UnknownName(
                f"there is no type of disagreement {name!r}.{suggestion(name, TYPES)} (there are {listing(TYPES)})"
            )
    found = of_kind("spans", questions([file], reading))
    if given["document"] is not None:
        show(
            one_text(found.study, given["document"], text=not given["no_text"], plain=output != Output()),
            output,
        )
        return
    made = document(found, given, types, whole=output.as_csv or output.output is not None)
    show(made, output)
    if made.data["pairs"] == 0:
        ctx.exit(3)


def one_text(study: Annotations, name: str, *, text: bool, plain: bool) -> Document:
    """One document with everybody's marks, and its disagreements; the text in colour where a person looks."""
    from interagree.cli.show import on_terminal
    from interagree.results.document import Document, Section
    from interagree.results.narrow import narrow
    from interagree.spans.marked_text import marked_text
    from interagree.spans.typology import span_types

    item = next((one for one in study.items if str(one) == name), name)
    found = span_types(study)
    shown = marked_text(study, item, text=text, status=found.statuses(item))
    rows = found.table(most=None, document=item)
    table = rows if text else rows.without("text")
    sections = []
    if not plain and on_terminal():
        click.echo(shown.render(colour=True))
    else:
        sections.append(Section(f"Document {name}", lines=str(shown).split("\n"), verbatim=True))
    if len(table):
        sections.append(Section("Disagreements", table=narrow(table.without("document", "begin", "end"))))
    data = {"command": "spans", "document": name, "disagreements": table.rows()}
    return Document("", sections, data, table)


def document(asked: Question, given: dict[str, Any], types: tuple[str, ...], *, whole: bool) -> Document:
    """Everything about the spans of a study; all disagreements one by one only where that is asked for."""
    from interagree.documents.texts import Documents
    from interagree.reports.parts import plural
    from interagree.results.document import Document, Section, one_per_line
    from interagree.spans.pairwise import pairwise_f1
    from interagree.spans.panel import span_panel
    from interagree.spans.typology import span_types

    study = asked.study
    panel = span_panel(study, gold=given["gold"])
    typed = span_types(study, gold=given["gold"])
    pairs = pairwise_f1(study, match=given["match"], gold=given["gold"])
    spans = (
        f"{plural(typed.spans, 'span')} by {plural(len(study.annotators), 'annotator')} in "
        f"{plural(len(study.items), 'document')}"
    )
    why = pairs.pooled.undefined
    counted = Documents.of(study).positions
    spans += f"; positions count {counted}" if counted else ""
    sections = [Section(lines=[f"{spans}.", *([f"Nothing was compared: {why}."] if why else [])])]
    if not why:
        sections.append(
            Section("From strict to lenient", table=panel.table(), foot=one_per_line(panel.notes))
        )
    if len(typed.kind):
        sections += tables(typed, pairs, given, types)
    if given["tokens"] is not None:
        sections.append(of_tokens(study, given["tokens"]))
    if given["feature"] is not None:
        sections.append(of_feature(study, given["feature"]))
    policy = f"Policy: {asked.policy or 'nothing was dropped, merged or assumed'}."
    sections.append(Section(foot=one_per_line((policy,))))
    rows = typed.table(most=None if whole else given["top"], types=types)
    data = {
        "command": "spans",
        "match": given["match"],
        "pairs": len(typed.marks.first),
        "panel": panel.to_dict(),
        "types": typed.counts().rows(),
        "annotators": pairs.by_pair().rows(),
        "labels": pairs.by_label().rows(),
        "policy": asked.policy,
    }
    return Document("", sections, data, rows.without("text") if given["no_text"] else rows)


def of_tokens(study: Annotations, coefficient: str) -> Section:
    """One coefficient of tokens under each way to make tags of spans, and by label."""
    from interagree.results.document import Section
    from interagree.spans.tokens import token_agreement
    from interagree.tables import Table

    rows: list[dict[str, Any]] = []
    said: dict[str, None] = {}
    ways: tuple[Literal["bio", "io", "binary"], ...] = ("bio", "io", "binary")
    for name in ways:
        try:
            found = token_agreement(study, coefficient, encoding=name)
        except DataError as error:
            said[str(error).partition("; ")[0] + "; bio and io tag every token once"] = None
            continue
        interval = found.interval()
        low, high = (None, None) if interval is None else interval[:2]
        rows.append({"tags": name, "value": found.value, "low": low, "high": high})
        said |= dict.fromkeys(found.notes)
    labels = token_agreement(study, coefficient, encoding="per_label")
    rows += [
        {"tags": row["label"], **{name: row[name] for name in ("value", "low", "high")}} for row in labels
    ]
    return Section(f"Tokens ({coefficient})", table=Table.of(rows), foot=tuple(said))


def of_feature(study: Annotations, feature: str) -> Section:
    """Alpha of one feature of spans that overlap."""
    from interagree.results.document import Section, one_per_line
    from interagree.spans.attributes import attribute_agreement

    found = attribute_agreement(study, feature)
    return Section(
        f"The {feature} of spans that overlap (alpha)", lines=[f"{found}"], foot=one_per_line(found.notes)
    )


def tables(typed: Typology, pairs: Any, given: dict[str, Any], types: tuple[str, ...]) -> list[Section]:
    """The kinds of disagreement, who agrees with whom, on which labels, and the first disagreements."""
    from dataclasses import replace

    from interagree.results.document import Section
    from interagree.results.narrow import narrow
    from interagree.spans.pairwise import semeval

    foot = ("told from the first annotator's side; with a gold standard, from the annotator's",)
    sections = [Section("Kinds of disagreement", table=typed.counts(), foot=foot)]
    if len(typed.confused()):
        sections.append(
            Section("Labels that stand against each other", table=typed.confused().head(given["top"]))
        )
    names = [str(name) for name in typed.marks.study.annotators]
    few = len(names) <= MATRIX and max(map(len, names)) * (len(names) + 1) <= WIDE and given["gold"] is None
    who, foot = pairs.matrix(), pairs.table().foot
    if not few:
        every = pairs.by_pair()
        who = replace(every.sort("agreement").head(PAIRS), foot=every.foot)
        foot += f"; the {PAIRS} pairs of {len(every):,} that agree least" if len(every) > PAIRS else ""
    sections.append(Section(f"F1 of annotators ({given['match']})", table=who, foot=(foot,)))
    if given["gold"] is not None:
        scores = semeval(typed.marks.study, gold=given["gold"])
        sections.append(Section(f"SemEval-2013 scores against {given['gold']}", table=scores))
    sections.append(Section(f"F1 of labels ({given['match']})", table=pairs.by_label()))
    if given["top"]:
        listed_ = typed.table(most=given["top"], types=types)
        if len(listed_):
            title = f"The first {len(listed_)} of {typed.number(types):,} disagreements"
            shown = narrow(listed_.without("begin", "end", *(["text"] if given["no_text"] else [])))
            sections.append(Section(title, table=replace(shown, foot="")))
    return sections
