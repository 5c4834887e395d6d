"""`interagree annotators` (Annotators and answers, 21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    Output,
    Reading,
    distance_names,
    in_python,
    options,
)
from interagree.errors import listing

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.people import People
    from interagree.tables import Table

ROOM = 100  # columns that a table may take where nobody says how wide the terminal is
NAMED = 12  # reasons that are written out
LABELS = {"spammer score": "spammer score (1 = good)"}  # names of columns that mislead, as they are shown
HALVES = ("low", "gold low", "label")  # columns that say little without the next one

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
    click.option(
        "--distance",
        metavar="NAME",
        shell_complete=distance_names,
        help="How far apart values are: giou, gleu, interval, …  [default: the usual one for the kind of value]",
    ),
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
    epilog=in_python(
        'interagree.annotators(interagree.read("labels.csv"), gold={"item 1": "cat"}, time="time")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, READING, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, file: str, **given: Any) -> None:
    """Say who to look at: agreement with the rest, gold, bias, speed and drift of each annotator.

    Everybody is compared with the others on the same items. Flags come with reasons and with p-values adjusted over
    all annotators and tests, so that who is only unlucky is not accused. The table shows the columns that fit;
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
    gold = None if given["gold"] is None else gold_answers(given["gold"], reading, asked.question)
    people = annotators(
        asked.study, gold=gold, time=given["time"], level=given["level"], distance=given["distance"]
    )
    show(document(people, asked, given["top"]), output)
    if people.undefined:
        ctx.exit(3)


def document(people: People, asked: Question, top: int) -> Any:
    """The table as a document."""
    from interagree.results.document import Document, Section, one_per_line

    rows = people.table()
    lines = [f"- {name}: {'; '.join(said)}." for name, said in [*people.reasons.items()][:NAMED]]
    more = len(people.reasons) - NAMED
    if more > 0:
        lines.append(f"- and {more:,} more; --csv has all reasons.")
    shown = fitting(labelled(rows.head(top)), width())
    title = "Annotators, what to look at first on top"
    if len(rows) > top:
        title = f"The first {top} of {len(rows):,} annotators"
    seen = [name for name in rows.columns if LABELS.get(name, name) in shown.columns]
    there = {*seen, "reason"} if people.reasons else {*seen, "reason", "flags"}
    hidden = [name for name in rows.columns if name not in there]
    further = (
        f"Further columns in --csv and --json: {listing(hidden, quote=False, most=20)}." if hidden else ""
    )
    sections = [Section(lines=[f"{people.headline()}."])]
    if lines:
        sections.append(Section("Flags", lines))
    if len(shown):
        sections.append(Section(title, table=shown, flag="flags"))
    policy = f"Policy: {asked.policy or 'nothing was dropped, merged or assumed'}."
    foot = one_per_line(
        (
            *(f"{meaning}." for meaning in people.legend(seen)),
            further,
            *(f"{note[:1].upper()}{note[1:]}." for note in people.notes),
            policy,
        )
    )
    data = {"command": "annotators", **people.to_dict(), "policy": asked.policy}
    return Document("", [*sections, Section(foot=foot)], data, rows)


def labelled(table: Table) -> Table:
    """A table to be shown, its columns under names that do not mislead."""
    from dataclasses import replace

    return replace(table, columns={LABELS.get(name, name): column for name, column in table.columns.items()})


def width() -> int:
    """How wide a table may be."""
    import shutil

    from interagree.cli.show import on_terminal

    return shutil.get_terminal_size((ROOM, 24)).columns if on_terminal() else ROOM


def fitting(table: Table, room: int) -> Table:
    """The first columns that fit, without reasons and without flags where there are none."""
    from dataclasses import replace

    from interagree.tables import cell

    kept: dict[str, Any] = {}
    used = -2
    for name, column in table.columns.items():
        if name == "reason" or (name == "flags" and not any(column)):
            continue
        used += 2 + max(map(len, [name, *map(cell, column)]))
        if used > room and len(kept) > 2:
            break
        kept[name] = column
    last = [*kept][-1]
    if last in HALVES and last != [*table.columns][-1]:
        del kept[last]
    return replace(table, columns=kept)
