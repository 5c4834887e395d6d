"""`interagree judge` (Annotators and answers, 24)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    FILE,
    LEVEL,
    OUTPUT,
    READING,
    SEED,
    Output,
    Reading,
    distance_names,
    in_python,
    options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interagree.data import Annotations
    from interagree.judging import GroupsAgreement, Judgement, Preferences
    from interagree.results.document import Document, Section
    from interagree.tables import Table

MOST = 20  # annotators whose pairs are shown without being asked for

WHO = (
    click.option(
        "--model",
        "models",
        metavar="NAME",
        multiple=True,
        help="An annotator, column or file that is a model, by name or by a pattern such as 'gpt*'. May be repeated.",
    ),
    click.option(
        "--human",
        "humans",
        metavar="NAME",
        multiple=True,
        help="A person, by name or by a pattern such as 'human_*'. May be repeated.  [default: all annotators not "
        "named with --model]",
    ),
    click.option(
        "--distance",
        metavar="NAME",
        shell_complete=distance_names,
        help="How far apart values are: nominal, interval, giou, …  [default: the usual one for the kind of value]",
    ),
    click.option(
        "--epsilon",
        type=click.FloatRange(0, 1, max_open=True),
        default=0.2,
        show_default=True,
        help="What a model is let off for being cheaper: 0.2 beside experts, 0.15 beside trained annotators, 0.1 "
        "beside a crowd.",
    ),
    click.option(
        "--raw",
        is_flag=True,
        help="Leave distances in their own units; by default those that may be above 1 are divided by what chance "
        "gives, so that 1 is as far apart as chance.",
    ),
    click.option(
        "--compat",
        type=click.Choice(["calderon2025"]),
        help="The alternative annotator test as published (t, and Wilcoxon's below 30 items), which lets models pass "
        "too often; by default the test is exact.",
    ),
    LEVEL,
    SEED,
    click.option(
        "--pairs/--no-pairs",
        default=None,
        help=f"Whether to show every two annotators.  [default: up to {MOST} annotators]",
    ),
)

FURTHER = (
    click.option(
        "--order",
        metavar="COLUMN",
        help="For preferences between two answers: the column that says which was shown first, as A or AB. Repeated "
        "judgements are then kept, and position bias is tested.",
    ),
    click.option(
        "--tie", metavar="VALUE", default="tie", show_default=True, help="The value that means a tie."
    ),
    click.option(
        "--ties",
        type=click.Choice(["half", "label", "left-out"]),
        default="half",
        show_default=True,
        help="How ties are read: half an agreement, an answer of their own, or not at all.",
    ),
    click.option(
        "--groups",
        metavar="COLUMN",
        help="Also compare agreement within and across the groups that a column makes of annotators.",
    ),
)


@click.command(
    "judge",
    epilog=in_python('interagree.judge(interagree.read("labels.csv"), models=["gpt"], epsilon=0.1)'),
)
@click.argument("files", type=FILE, metavar="FILE…", nargs=-1, required=True)
@options(WHO, FURTHER, READING, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Say whether a model may stand in for a person.

    Agreement of people, of people with models and of models, each with its interval; the alternative annotator test,
    which leaves one person out at a time; the noise ceiling, how near people are to each other; and, with
    --duplicates keep, self-consistency.

    People and models are rows or columns of one file, or several files of the same items, joined by item. Where
    --model and --human name columns, all other columns are set aside.

    \b
    interagree judge labels.csv --model gpt --epsilon 0.1
    interagree judge sheet.xlsx --human 'human_*' --model 'gpt*' --model claude
    interagree judge people.csv gpt.csv --model gpt
    interagree judge pairs.csv --model gpt --order shown_first

    Exits with 3 when nothing can be said of any model.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.show import show
    from interagree.judging import groups_agreement, judge, preferences

    reading, output = Reading.take(given), Output.take(given)
    if given["order"] is not None and reading.duplicates is None:
        reading = replace(reading, duplicates="keep")
    study, models, humans = _gathered(files, reading, given["models"] or None, given["humans"] or None)
    common = {"models": models, "humans": humans, "level": given["level"]}
    made = judge(
        study,
        **common,
        distance=given["distance"],
        epsilon=given["epsilon"],
        seed=given["seed"],
        raw=given["raw"],
        compat=given["compat"],
    )
    preferred = (
        None
        if given["order"] is None
        else preferences(
            study, **common, order=given["order"], tie=given["tie"], ties=given["ties"].replace("-", " ")
        )
    )
    grouped = (
        None
        if given["groups"] is None
        else groups_agreement(
            study,
            groups=given["groups"],
            distance=given["distance"],
            level=given["level"],
            seed=given["seed"],
            raw=given["raw"],
        )
    )
    many = len(made.models) + len(made.humans)
    pairs = many <= MOST if given["pairs"] is None else given["pairs"]
    show(document(made, preferred, grouped, study.provenance.policy(), pairs=pairs), output)
    if made.undefined:
        ctx.exit(3)


def _gathered(
    files: Sequence[str], reading: Reading, models: Sequence[str] | None, humans: Sequence[str] | None
) -> tuple[Annotations, Any, Any]:
    """The study of people and models, and their names in it."""
    from interagree.cli.load import file_names, questions, single
    from interagree.judging.gathering import by_file, chosen_columns, one_of_several

    def make(file: str, **options: Any) -> Annotations:
        asked = single(questions([file], reading, **options))
        return replace(asked.study, provenance=asked.provenance)

    told = bool(len(reading.annotator) == 1 or reading.value or reading.layout)
    if len(files) == 1:
        plain = told or files[0] == "-"  # standard input can be read once
        one = partial(make, files[0])
        return one() if plain else chosen_columns(one, models, humans), models, humans
    studies = [
        make(file) if told or file == "-" else one_of_several(partial(make, file), models, humans)
        for file in files
    ]
    return by_file(
        [*zip(file_names(files), studies, strict=True)], models, humans, in_step=reading.item == "{row}"
    )


def document(
    made: Judgement,
    preferred: Preferences | None,
    grouped: GroupsAgreement | None,
    policy: str,
    *,
    pairs: bool,
) -> Document:
    """A judgement as a document."""
    from interagree.results.document import Document, Section, one_per_line

    sections = [
        Section("Verdict", [f"{sentence}." for sentence in made.verdict]),
        Section("Models beside people", table=made.models_table),
        Section("Agreement", table=made.groups),
        *(
            Section(f"{name} in the place of each person", table=_shown(test.people))
            for name, test in made.tests.items()
            if len(test.people)
        ),
        _ceiling(made),
    ]
    if len(made.consistency):
        sections.append(Section("Self-consistency, where judgements were repeated", table=made.consistency))
    if preferred is not None:
        sections += _preferred(preferred)
    if grouped is not None:
        sections.append(
            Section("Groups", [f"{grouped}."], grouped.groups, [f"{one}." for one in grouped.cross])
        )
    if pairs:
        sections.append(Section("Every two annotators", table=made.pairs))
    notes = [*made.notes, *(preferred.notes if preferred else ()), *(grouped.notes if grouped else ())]
    foot = one_per_line(
        (
            f"{made.level:.0%} intervals; distance: {made.distance}",
            *(f"{meaning}." for meaning in made.legend()),
            *(f"{note}." for note in notes),
            f"Policy: {policy or 'nothing was dropped, merged or assumed'}.",
        )
    )
    data = {
        "command": "judge",
        **made.to_dict(),
        "pairs": made.pairs if pairs else None,
        "preferences": None if preferred is None else preferred.to_dict(),
        "groups_of_annotators": None if grouped is None else grouped.to_dict(),
        "policy": policy,
    }
    return Document("", [*sections, Section(foot=foot)], data, made.groups)


def _ceiling(made: Judgement) -> Section:
    from interagree.results.document import Section

    ceiling = made.ceiling
    if ceiling.undefined:
        return Section("Noise ceiling", [f"{ceiling}."])
    return Section("Noise ceiling", [f"{ceiling}."], ceiling.table(), ceiling.correlating())


def _preferred(found: Preferences) -> list[Section]:
    from interagree.results.document import Section

    sections = [
        Section("Position", [f"{one}." for one in found.positions], found.table()),
    ]
    if len(found.models):
        sections.append(Section("Preferences beside those of people", table=found.models))
    return sections


def _shown(people: Table) -> Table:
    """P-values that round to nothing are not nothing; a win is a word."""
    from interagree.tables import Table

    return Table.of(
        [
            {
                **row,
                **{name: "<0.001" if row[name] < 0.001 else row[name] for name in ("p", "adjusted p")},
                "wins": "yes" if row["wins"] else "no",
            }
            for row in people.rows()
        ]
    )
