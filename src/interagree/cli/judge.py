"""`interagree judge` (Annotators and answers, 24)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from interagree.cli import options as o

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from interagree.data import Annotations
    from interagree.data.types import Annotator
    from interagree.judging.sides import Names


class TiesChoice(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2 only
    """How ties are read, with hyphens as options here have them."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(super().convert(value.replace(" ", "-"), param, ctx)).replace("-", " ")


CHOICE = (
    o.opt(
        "--model models",
        "An annotator, column or file that is a model, by name or by a pattern such as 'gpt*'. May be repeated.",
        "NAME",
        (),
    ),
    o.opt(
        "--human humans",
        "A person, by name or by a pattern such as 'human_*'. May be repeated.  [default: all annotators not "
        "named with --model]",
        "NAME",
        (),
    ),
    o.DISTANCE,
    o.opt(
        "--epsilon",
        "What a model is let off for being cheaper: 0.2 beside experts, 0.15 beside trained annotators, 0.1 "
        "beside a crowd.",
        click.FloatRange(0, 1, max_open=True),
        0.2,
    ),
    o.opt(
        "--raw",
        "Leave distances in their own units; by default those that may be above 1 are divided by what chance "
        "gives, so that 1 is as far apart as chance.",
        default=False,
    ),
    o.opt(
        "--compat",
        "The alternative annotator test as published (t, and Wilcoxon's below 30 items), which lets models pass "
        "too often; by default the test is exact.",
        ("calderon2025",),
    ),
    o.LEVEL,
    o.SEED,
    o.opt("--pairs/--no-pairs", "Whether to show every two annotators.  [default: up to 20 annotators]"),
    o.opt(
        "--order",
        "For preferences between two answers: the column that says which was shown first, as A or AB. Repeated "
        "judgements are then kept, and position bias is tested.",
        "COLUMN",
    ),
    o.opt("--tie", "The value that means a tie.", "VALUE", "tie"),
    o.opt(
        "--ties",
        "How ties are read: half an agreement, an answer of their own, or not at all.",
        TiesChoice(["half", "label", "left-out"]),
        "half",
    ),
    o.opt(
        "--groups", "Also compare agreement within and across the groups that a column makes of annotators.", "COLUMN"
    ),
)
PYTHON = 'interagree.judge(interagree.read("labels.csv"), models=["gpt"], epsilon=0.1)'


@o.define("judge", PYTHON, o.FILES, CHOICE, o.READING, o.OUTPUT)
def command(
    files: tuple[str, ...], *, models: tuple[str, ...], humans: tuple[str, ...], pairs: bool | None, **given: Any
) -> None:
    """Say whether a model can stand in for a person.

    Agreement of people, of models and of both, with intervals; the alternative annotator test, which leaves out one
    person at a time; the noise ceiling: how near people are to each other; self-consistency (--duplicates keep).

    People and models are rows or columns of one file, or several files of the same items, joined by item. Where
    --model and --human name columns, all others are set aside. Predictions of Label Studio need no --model.

    \b
    interagree judge labels.csv --model gpt --epsilon 0.1
    interagree judge sheet.xlsx --human 'human_*' --model 'gpt*' --model claude
    interagree judge people.csv gpt.csv --model gpt
    interagree judge pairs.csv --model gpt --order shown_first

    Exits with 3 when nothing can be said of any model.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.show import show
    from interagree.judging import judge

    reading, output = o.ReadingGroup.take(given), o.Output.take(given)
    if given["order"] is not None and reading.duplicates is None:
        reading = replace(reading, duplicates="keep")
    study, ours, people = _gathered(files, reading, models or None, humans or None)
    judgement = judge(study, models=ours, humans=people, **given)
    show(judgement, output, judgement.document(pairs=pairs), policy=study.provenance.policy())


def _gathered(
    files: Sequence[str], reading: o.ReadingGroup, models: Sequence[str] | None, humans: Sequence[str] | None
) -> tuple[Annotations, Names | None, Names | None]:
    """The study of people and models, and their names in it."""
    from interagree.cli.load import file_names, questions, single
    from interagree.judging.gathering import by_file, chosen_columns, one_of_several, with_predictions

    numbers: dict[Hashable, str] = {}  # one and the same for an item of several files

    def make(file: str, *, annotator: str | Sequence[Annotator] = (), **further: Any) -> Annotations:
        further |= {"annotator": annotator} if annotator else {}
        asked = single(questions([file], reading, numbers=numbers, **further))
        return replace(asked.study, provenance=asked.provenance)

    told = bool(len(reading.annotator) == 1 or reading.value or reading.layout)
    if len(files) == 1:
        plain = told or files[0] == "-"  # standard input can be read once
        read = partial(make, files[0])
        study = read() if plain else chosen_columns(read, models, humans)
        return *((study, models) if plain else with_predictions(study, read, models)), humans
    studies = [
        make(file) if told or file == "-" else one_of_several(partial(make, file), models, humans) for file in files
    ]
    return by_file([*zip(file_names(files), studies, strict=True)], models, humans, in_step=reading.item == ("{row}",))
