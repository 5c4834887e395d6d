"""`interagree measure`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    MEASURES,
    OUTPUT,
    READING,
    SURE,
    TOGETHER,
    Output,
    Reading,
    Sure,
    in_python,
    options,
)

if TYPE_CHECKING:
    from interagree.reports.parts import Part
    from interagree.results.agreement import Agreement
    from interagree.results.document import Section
    from interagree.tables import Table

DRILLS = ("value", "annotator", "pair", "item")


@click.command(
    "measure", epilog=in_python('interagree.alpha(interagree.read("labels.csv"), distance="ordinal")')
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
@options(
    MEASURES,
    DISTANCES,
    (
        click.option(
            "--by",
            type=click.Choice(DRILLS),
            multiple=True,
            help="Also a table by value, annotator, pair or item.",
        ),
        click.option(
            "--top",
            type=click.IntRange(1),
            default=20,
            show_default=True,
            help="Rows of such a table; files get all.",
        ),
        click.option(
            "--scale",
            "scales",
            multiple=True,
            metavar="NAME",
            help="Also the probability of each band of an interpretation scale, such as landis_koch.",
        ),
    ),
    SURE,
    READING,
    TOGETHER,
    OUTPUT,
)
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Measure agreement: coefficients with their intervals.

    Without -m these are the usual ones for the kind of value: percent agreement, alpha and AC1 of labels, ordinal alpha
    and weighted kappa of ordered ones (--ordered), interval alpha and the ICC of numbers, alpha with MASI distance of
    sets (--split); a kappa or an ICC only where nothing is missing.

    Exits with 3 when every coefficient is undefined.
    """
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.reports.parts import measured, part_data, section, tidy, titles
    from interagree.results.document import Document
    from interagree.results.scales import find_scale, graded

    if given["scales"]:
        for scale in given["scales"]:
            find_scale(scale)
    reading, sure, output = Reading.take(given), Sure.take(given), Output.take(given)
    how = sure.how()
    found = questions(files, reading, together=given["together"])
    parts = [
        measured(
            one.study,
            name=one.name,
            measures=given["measures"],
            distance=given["distance"],
            weights=given["weights"],
            lenient=len(found) > 1,
            policy=one.policy,
        )
        for one in found
    ]
    most = given["top"]
    sections: list[Section] = []
    data = []
    tables: list[tuple[str, str, Table]] = []
    for one, part in zip(found, parts, strict=True):
        drills = drilled(part, given["by"], named=bool(given["measures"]))
        sections += [
            section(part, how),
            *(drill_section(part, by, result, table, most) for by, result, table in drills),
        ]
        for scale in given["scales"]:
            sections += [banded(part, result, scale) for result in part.results if graded(result)]
            sections += ungraded(part, scale)
        tables += [(part.name, titles(part, result), table) for _, result, table in drills]
        further = [{"by": by, "measure": result.measure.name, "rows": table} for by, result, table in drills]
        data.append({"file": one.file, "question": one.question, **part_data(part, how), "tables": further})
    rows = stacked(tables) if given["by"] else tidy(parts, how)
    show(Document("", sections, {"command": "measure", "studies": data}, rows), output)
    results = [result for part in parts for result in part.results]
    if all(result.undefined for result in results):
        ctx.exit(3)


def drilled(part: Part, wanted: tuple[str, ...], *, named: bool) -> list[tuple[str, Agreement, Table]]:
    """The tables that were asked for, of the named measures, else of the leading one; of sets the one by label."""
    results = part.results if named else [result for result in (part.lead,) if result is not None]
    by_label = ("value",) if part.study.kind == "sets" and not named else ()
    return [
        (by, result, getattr(result, f"by_{by}")())
        for by in wanted or by_label
        for result in results
        if not result.undefined
    ]


ORDER = {"annotator": ("change", True), "pair": ("agreement", False), "item": ("disagreement", True)}


def drill_section(part: Part, by: str, result: Agreement, table: Table, most: int) -> Section:
    """A table by value, annotator, pair or item, what should be looked at first."""
    from dataclasses import replace

    from interagree.reports.parts import against_chance, titles
    from interagree.results.document import Section

    if by in ORDER:
        name, descending = ORDER[by]
        table = table.sort(name, descending=descending)
    table = against_chance(table, result)
    before = f"{part.name}: " if part.name else ""
    cut = f"the first {most} of {len(table):,}; --top says how many" if len(table) > most else ""
    foot = "; ".join(one for one in (table.foot, cut) if one)
    return Section(f"{before}{titles(part, result)}, by {by}", table=replace(table.head(most), foot=foot))


def banded(part: Part, result: Agreement, scale: str) -> Section:
    """How likely each band of a scale is."""
    from dataclasses import replace

    from interagree.reports.parts import titles
    from interagree.results.document import Section
    from interagree.results.scales import interpret

    table = interpret(result, scale=scale)
    before = f"{part.name}: " if part.name else ""
    return Section(
        f"{before}{titles(part, result)} on the scale {scale}",
        table=replace(table, foot=""),
        foot=[table.foot],
    )


def ungraded(part: Part, scale: str) -> list[Section]:
    """The coefficients that a scale was not made for, in a sentence."""
    from interagree.reports.parts import titles
    from interagree.results.document import Section
    from interagree.results.scales import graded

    others = [titles(part, result) for result in part.results if not graded(result)]
    if not others:
        return []
    before = f"{part.name}: " if part.name else ""
    what = f"{before}{', '.join(others)} {'is' if len(others) == 1 else 'are'} not graded"
    why = f"the scale {scale} is for coefficients that are 0 where annotators agree as often as by chance"
    return [Section(lines=[f"{what}: {why}."])]


def stacked(tables: list[tuple[str, str, Table]]) -> Table:
    """Several tables as one, with the study and the measure of each row."""
    from interagree.tables import Table

    heads = dict.fromkeys(name for _, _, table in tables for name in table.columns)
    rows = [
        {"study": study, "measure": measure} | {name: row.get(name) for name in heads}
        for study, measure, table in tables
        for row in table
    ]
    return Table.of(rows, names=("study", "measure", *heads))
