"""`interagree consensus` (Annotators and answers, 23)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interagree.cli.options import (
    DISTANCE,
    FILE,
    LEVEL,
    READING,
    Output,
    Reading,
    in_python,
    options,
    params_of,
)
from interagree.errors import ColumnNotFound

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from interagree.data import Annotations


class Method(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    """A method by its name, with hyphens as options here have them or with underscores as in Python."""

    name = "name"

    def convert(self, value: str, _param: click.Parameter | None, _ctx: click.Context | None) -> str:
        return value.replace("-", "_")

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from interagree.aggregation.usual import METHODS

        names = (name.replace("_", "-") for name in (*METHODS, "mean"))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


CHOICE = (
    click.option(
        "--method",
        type=Method(),
        help="By default labels are voted on, ordered values and numbers have their median, and of all else, or with "
        "--distance, the medoid is taken.  medoid is the annotation nearest to the others of the item, best-annotator "
        "that of the annotator nearest to others overall, weighted-medoid weighs annotators; merge makes a new value "
        "of boxes, spans, keypoints, vectors or numbers (mean is short for merge --how mean), borda of rankings; "
        "median is the middle one of ordered values and numbers.  Of labels, majority-vote and weighted-vote count, "
        "dawid-skene, one-coin, mace and glad model how annotators err; debiased-mean does so for numbers.",
    ),
    DISTANCE,
    click.option(
        "--gold",
        type=FILE,
        metavar="GOLD",
        help="A file of right answers, with an item and a value in each row.",
    ),
    LEVEL,
    click.option(
        "--top",
        type=click.IntRange(0),
        default=10,
        show_default=True,
        help="How many items and annotators to show.",
    ),
)

MERGING = (
    click.option(
        "--how",
        type=click.Choice(["mean", "median"]),
        help="For merge.  [default: median of boxes and spans, else mean]",
    ),
    click.option(
        "--quorum",
        type=click.FloatRange(0, min_open=True),
        help="For merge: how many annotators, or below 1 which share of them, must support an object.  "
        "[default: more than half]",
    ),
    click.option(
        "--cutoff",
        type=click.FloatRange(0),
        help="For merge: how far apart two objects may be to be the same one.  [default: 0.7]",
    ),
    click.option(
        "--reliability",
        "weights",
        flag_value="reliability",
        help="For merge and borda: weigh annotators by how near they are to others.",
    ),
)

CROWD = (
    click.option(
        "--ties",
        type=click.Choice(["split", "none", "order"]),
        help="For votes: what becomes of labels that are level.  [default: split]",
    ),
    click.option(
        "--smoothing",
        type=click.FloatRange(0),
        help="For dawid-skene and one-coin: a count added to each answer.  [default: 0.1]",
    ),
    click.option(
        "--prior",
        type=click.Choice(["hierarchical"]),
        help="For dawid-skene: take annotators who did little to be like the others.",
    ),
    click.option("--restarts", type=click.IntRange(1), help="For mace: from how many starts to fit.  [default: 10]"),
    click.option("--seed", type=click.IntRange(0), help="For mace: where random numbers begin.  [default: 0]"),
    click.option("--rounds", type=click.IntRange(1), help="For models: how many rounds to fit at most."),
)

OPTIONS = ("distance", *(one.name for one in params_of((*MERGING, *CROWD)) if one.name))

WRITTEN = (
    *Output.options("as_json", "as_csv"),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Also write the consensus as annotations; the suffix says how: .jsonl, .json, .csv, .parquet, …",
    ),
)


@click.command(
    "consensus",
    epilog=in_python(
        'consensus = interagree.usual_consensus(interagree.read("labels.csv"))\n'
        'interagree.write(consensus.to_annotations(), "consensus.csv")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, MERGING, CROWD, READING, WRITTEN)
def command(
    file: str,
    *,
    method: str | None,
    gold: str | None,
    level: float,
    top: int,
    **given: object,
) -> None:
    """Find one answer for each item out of what annotators said.

    With --gold also says how near it comes to right answers, or how often it is right, beside a random annotator and
    the best choice.

    \b
    interagree consensus labels.csv -o consensus.csv
    interagree consensus boxes.jsonl --distance giou -o consensus.jsonl
    interagree consensus boxes.jsonl --method merge --gold gold.jsonl
    interagree consensus labels.csv --method dawid-skene --gold gold.csv
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.aggregation.usual import consensus_by
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show
    from interagree.readers import write

    reading, output = Reading.take(given), Output.take(given)
    asked = single(questions([file], reading))
    consensus = consensus_by(method, asked.study, **{name: given[name] for name in OPTIONS})
    right = gold_answers(gold, reading, asked.question)
    view = consensus.document(top=top, gold=right, level=level)
    show(consensus, replace(output, output=None), view, policy=asked.policy)
    if output.output is not None:
        write(consensus.to_annotations(), output.output)
        say(f"written: {output.output}")


def gold_answers(file: str | None, reading: Reading, question: str) -> Annotations | None:
    """Right answers from a file, with or without a column of annotators."""
    from interagree.readers import read

    if file is None:
        return None
    stated = {
        name: entry
        for name, entry in reading.keywords().items()
        if name in ("item", "value", "split", "missing", "kind")
    }
    try:
        study = read(file, **stated)
    except ColumnNotFound:
        study = read(file, **stated, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()
