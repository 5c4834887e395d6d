"""`interagree disagreements` (Annotators and answers, 22)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import FILE, READING, Output, Reading, distance_names, in_python, options

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.people import Queue
    from interagree.tables import Table

LONGEST = 40  # letters of an entry that are shown; files have all of it
SHOWN = ("rank", "item", "type", "labels", "worth", "difficulty")
FAR = (
    "rank",
    "item",
    "type",
    "annotations",
    "worth",
    "steps",
    "disagreement",
    "gap",
    "difficulty",
)  # long values say little in a table

CHOICE = (
    click.option(
        "--distance",
        metavar="NAME",
        shell_complete=distance_names,
        help="How far apart values are: giou, gleu, interval, …  [default: the usual one for the kind of value]",
    ),
    click.option(
        "--text",
        metavar="COLUMN",
        help="The column that holds the text of the items.  [default: one called text, sentence, …, or of long texts]",
    ),
    click.option(
        "--top", type=click.IntRange(1), default=10, show_default=True, help="How many items to show."
    ),
)

WRITTEN = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON: unrounded, with a version number."),
    click.option("--csv", "as_csv", is_flag=True, help="Print the whole queue as CSV."),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Also write the whole queue; the suffix says how: .csv, .tsv, .xlsx, .jsonl or .json.",
    ),
)


@click.command(
    "disagreements",
    epilog=in_python('interagree.disagreements(interagree.read("labels.csv")).write("queue.xlsx")'),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, READING, WRITTEN)
@click.pass_context
def command(ctx: click.Context, /, file: str, **given: Any) -> None:
    """List the items to adjudicate, those that tell most first, with who said what.

    An item of labels is worth the entropy of its labels, times how rare the labels of the dissenters are, times how
    reliable these are; under a distance, the mean distance times that reliability. Difficulty is what is left of its
    disagreement without what its annotators add to any item. Of ordered values, adjacent answers are told from answers
    far apart, and the median is suggested.

    \b
    interagree disagreements labels.csv -o queue.xlsx
    interagree disagreements boxes.jsonl --distance giou -o queue.jsonl

    Exits with 3 when no item has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show
    from interagree.people import disagreements

    reading, output = Reading.take(given), Output.take(given)
    asked = single(questions([file], reading))
    text = given["text"]
    if text is not None and text not in asked.study.attributes and file != "-":
        asked = single(questions([file], reading, attributes=[*reading.attributes, text]))
    queue = disagreements(asked.study, distance=given["distance"], text=text)
    if output.output is not None:
        queue.write(output.output)
    show(document(queue, asked, given["top"]), Output(output.as_json, output.as_csv))
    if output.output is not None:
        say(f"written: {output.output}")
    if not queue.compared:
        ctx.exit(3)


def document(queue: Queue, asked: Question, top: int) -> Any:
    """The queue as a document."""
    from interagree.results.document import Document, Section, one_per_line

    rows = queue.table()
    sections = [Section(lines=[f"{queue}"])]
    if len(rows):
        title = "Items" if len(rows) <= top else f"The first {top} of {len(rows):,} items"
        sections.append(Section(title, table=shown(queue.head(top))))
        lines = queue.who_said_what(top).splitlines()
        sections.append(Section("Who said what", lines, verbatim=True))
    policy = f"Policy: {asked.policy or 'nothing was dropped, merged or assumed'}."
    foot = one_per_line((*(f"{note[:1].upper()}{note[1:]}." for note in queue.notes), policy))
    data = {
        "command": "disagreements",
        "items": rows,
        "compared": queue.compared,
        "types": queue.types() if len(rows) else {},
        "text": queue.text,
        "notes": list(queue.notes),
        "policy": asked.policy,
    }
    return Document("", [*sections, Section(foot=foot)], data, rows)


def shown(table: Table) -> Table:
    """The columns a person reads first, long entries cut."""
    from dataclasses import replace

    from interagree.tables import cell

    def short(entry: Any) -> Any:
        text = cell(entry)
        return entry if isinstance(entry, int | float) or len(text) <= LONGEST else text[: LONGEST - 1] + "…"

    names = FAR if "gap" in table.columns else SHOWN
    there = [name for name in names if name in table.columns]
    return replace(table, columns={name: [*map(short, table[name])] for name in there})
