"""`interagree compare` (Agreement, 15)."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    Output,
    Reading,
    in_python,
    measure_names,
    options,
)
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion

if TYPE_CHECKING:
    from interagree.data import Annotations
    from interagree.reports.choose import Choice
    from interagree.studies.compare import Difference

MOST = 6  # groups that are compared in pairs


@click.command(
    "compare",
    epilog=in_python(
        'interagree.compare(interagree.read("first.csv"), interagree.read("second.csv"), measure="alpha")'
    ),
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE [FILE]")
@options(
    (
        click.option(
            "-m",
            "--measure",
            "measures",
            multiple=True,
            metavar="NAME[:OPTION=…]",
            shell_complete=measure_names,
            help="The coefficient of both files or groups [default: alpha]; of one file, twice: the two to compare.",
        ),
        click.option(
            "--measures",
            "two",
            nargs=2,
            metavar="NAME NAME",
            help="Two coefficients of one file, the same as -m twice.",
        ),
        click.option(
            "--groups",
            metavar="COLUMN",
            help="Compare the groups that a column makes of items or annotators.",
        ),
        LEVEL,
        click.option(
            "--unpaired",
            is_flag=True,
            help="Items of the same name in two files are not the same items, such as rows numbered alike.",
        ),
    ),
    DISTANCES,
    READING,
    OUTPUT,
)
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Compare two rounds, two coefficients or two groups.

    The difference is the second minus the first, with its interval and p-value. Where both have items in common it is
    paired on them, which makes it surer.

    \b
    interagree compare round1.csv round2.csv -m alpha
    interagree compare labels.csv -m alpha -m ac1
    interagree compare labels.csv -m alpha --groups language

    Exits with 3 when the difference is undefined.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.reports.choose import chosen
    from interagree.results.document import Document, Section, one_per_line
    from interagree.studies.compare import compare
    from interagree.tables import Table

    reading, output = Reading.take(given), Output.take(given)
    names = (*given["measures"], *(given["two"] or ()))
    choices = chosen(names or ("alpha",), distance=given["distance"], weights=given["weights"])
    found = questions(files, reading)
    if len(files) > 2:
        raise click.UsageError(f"compare takes one file or two, and {len(files)} were named")
    if len({one.question for one in found}) > 1 and not reading.questions and len(found) != len(files):
        raise DataError(
            f"there are several questions, {listing(dict.fromkeys(one.question for one in found))}; "
            "choose one with --question"
        )
    sides: list[tuple[str, str, Any]] = []  # what is compared, and with what
    if len(found) == 2:
        if given["groups"]:
            raise click.UsageError("--groups takes one file")
        labels = [one.name or one.question for one in found]
        sides = [
            (
                one.title,
                " → ".join(labels),
                compare(
                    *(one.of(f.study) for f in found), level=given["level"], paired=not given["unpaired"]
                ),
            )
            for one in choices
        ]
    elif given["groups"]:
        sides = _groups(found[0].study, given["groups"], choices, given["level"])
    elif len(choices) == 2:
        first, second = (one.of(found[0].study) for one in choices)
        sides = [
            ("", f"{choices[0].title} → {choices[1].title}", compare(first, second, level=given["level"]))
        ]
    else:
        raise click.UsageError(
            "there is one file and one coefficient, so nothing to compare it with; name a second file, "
            "a second -m, or --groups COLUMN"
        )
    rows = [_row(measure, sides_named, difference) for measure, sides_named, difference in sides]
    if not any(row["measure"] for row in rows):
        rows = [{name: entry for name, entry in row.items() if name != "measure"} for row in rows]
    undefined = [f"{named}: {difference.undefined}" for _, named, difference in sides if difference.undefined]
    foot = one_per_line(
        (
            *undefined,
            f"difference: second - first, with its {given['level']:.0%} interval; paired: items that both have",
            *(
                (
                    "Policy: "
                    f"{one.name + ': ' if one.name else ''}{one.policy or 'nothing was dropped, merged or assumed'}."
                )
                for one in found
            ),
        )
    )
    data = {
        "command": "compare",
        "differences": [{"measure": m or None, "sides": named, **d.to_dict()} for m, named, d in sides],
    }
    shown = [{**row, "p": _p(row["p"])} for row in rows]
    show(Document("", [Section(table=Table.of(shown), foot=foot)], data, Table.of(rows)), output)
    if all(difference.undefined for _, _, difference in sides):
        ctx.exit(3)


def _p(number: float | None) -> float | str:
    """A p-value as it is shown: one that rounds to nothing is not nothing."""
    if number is None:
        return math.nan
    return "<0.001" if number < 0.001 else number


def _row(measure: str, named: str, difference: Difference) -> dict[str, Any]:
    return {
        "measure": measure,
        "first → second": named,
        "first": difference.first.value,
        "second": difference.second.value,
        "difference": difference.value,
        "low": difference.low,
        "high": difference.high,
        "p": difference.p_value,
        "paired": difference.shared,
    }


def _groups(
    study: Annotations, column: str, choices: tuple[Choice, ...], level: float
) -> list[tuple[str, str, Any]]:
    from interagree.studies.compare import compare

    parts = split(study, column)
    if not 2 <= len(parts) <= MOST:
        raise KindError(
            f"the column {column!r} makes {len(parts)} groups ({listing(parts, most=4)}), and two to "
            f"{MOST} can be compared"
        )
    return [
        (one.title, f"{first} → {second}", compare(one.of(parts[first]), one.of(parts[second]), level=level))
        for one in choices
        for first, second in combinations(parts, 2)
    ]


def split(study: Annotations, column: str) -> dict[Any, Annotations]:
    """The study in groups, where a column is the same throughout each item, or throughout each annotator."""
    import numpy as np

    if column not in study.attributes:
        known = [str(name) for name in study.attributes]
        raise UnknownName(
            f"there is no column {column!r} to make groups of; "
            + (
                f"there are {listing(known)}." + suggestion(column, known)
                if known
                else "there is no further column."
            )
        )
    entries = study.attributes[column]
    groups: dict[Any, int] = {}
    codes = np.array([groups.setdefault(entry, len(groups)) for entry in entries.tolist()], dtype=np.int64)

    def constant(of: Any, count: int) -> Any:
        group = np.full(count, -1, dtype=np.int64)
        group[of] = codes
        return group if (group[of] == codes).all() else None

    by_item = constant(study.item, len(study.items))
    if by_item is not None:
        return {name: study.items_where(by_item == code) for name, code in groups.items()}
    by_annotator = None if study.anonymous else constant(study.annotator, len(study.annotators))
    if by_annotator is None:
        raise KindError(
            f"the column {column!r} differs within items and within annotators, so it makes groups of "
            "neither; it must be the same "
            "for all annotations of an item, or for all annotations by an annotator"
        )
    people = study.annotators
    return {
        name: study.only(annotators=[people[i] for i in np.flatnonzero(by_annotator == code).tolist()])
        for name, code in groups.items()
    }
