"""`interagree consensus` (Annotators and answers, 23)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from interagree.cli import options as o

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Method(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    """A method by its name, with hyphens as options here have them or with underscores as in Python."""

    name = "name"

    def convert(self, value: str, _param: click.Parameter | None, _ctx: click.Context | None) -> str:
        return value.replace("-", "_")

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from interagree.crowd.usual import METHODS

        return o.completed((name.replace("_", "-") for name in (*METHODS, "mean")), incomplete)


CHOICE = (
    o.opt(
        "--method",
        "By default labels are voted on (or a model of annotators is taken where it is clearly right more often), "
        "ordered values and numbers have their median, and of all else, or with "
        "--distance, the medoid is taken.  medoid is the annotation nearest to the others of the item, best-annotator "
        "that of the annotator nearest to others overall, weighted-medoid weighs annotators; merge makes a new value "
        "of boxes, spans, keypoints, vectors or numbers (mean is short for merge --how mean), borda of rankings; "
        "median is the middle one of ordered values and numbers.  Of labels, majority-vote and weighted-vote count, "
        "dawid-skene, one-coin, mace and glad model how annotators err, and auto takes the vote or a model that "
        "is clearly right about labels left out more often; debiased-mean models numbers.",
        Method(),
    ),
    o.DISTANCE,
    o.GOLD,
    o.LEVEL,
    o.top("How many items and annotators to show.", 10, least=0),
    o.opt("--how", "For merge.  [default: median of boxes and spans, else mean]", ("mean", "median")),
    o.opt(
        "--quorum",
        "For merge: how many annotators, or below 1 which share of them, must support an object.  "
        "[default: more than half]",
        o.ABOVE_ZERO,
    ),
    o.opt(
        "--cutoff",
        "For merge: how far apart two objects may be to be the same one.  [default: 0.7]",
        click.FloatRange(0),
    ),
    o.opt(
        "--reliability weights",
        "For merge and borda: weigh annotators by how near they are to others.",
        flag_value="reliability",
    ),
    o.opt("--ties", "For votes: what becomes of labels that are level.  [default: split]", ("split", "none", "order")),
    o.opt("--smoothing", "For dawid-skene, one-coin: a count added to each answer; 0 as in 1979.", click.FloatRange(0)),
    o.opt("--prior", "For dawid-skene: how answers are smoothed.  [default: pooled]", ("pooled", "hierarchical")),
    o.opt("--correlation", "For models: of labels of an item, 0 to 1.  [default: from labels left out]", o.SHARE),
    o.opt("--restarts", "For mace: from how many starts to fit.  [default: 10]", click.IntRange(1)),
    o.opt("--seed", "For mace and auto: where random numbers begin.  [default: 0]", click.IntRange(0)),
    o.opt("--rounds", "For models: how many rounds to fit at most.", click.IntRange(1)),
)
OUTPUT = (
    o.TO,
    *o.Output.options("as_json", "as_csv"),
    o.output_option("Also write the consensus as annotations; the suffix says how: .jsonl, .json, .csv, .parquet, …"),
)
PYTHON = """consensus = interagree.crowd.usual_consensus(interagree.read("labels.csv"))
interagree.write(consensus.to_annotations(), "consensus.csv")"""


@o.define("consensus", PYTHON, o.FILES, CHOICE, o.READING, OUTPUT)
def command(
    files: tuple[str, ...],
    *,
    method: str | None,
    gold: str | None,
    level: float,
    top: int,
    to: str | None,
    **given: Any,
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
    from interagree.cli.load import asked_with_gold
    from interagree.cli.show import show, written
    from interagree.crowd.usual import consensus_by
    from interagree.writers import hand_back

    question, output, right = asked_with_gold(files, gold, given)
    consensus = consensus_by(method, question.study, **given)
    view = consensus.document(top=top, gold=right, level=level)
    show(consensus, replace(output, output=()), view, policy=question.policy)
    for path in output.output:
        written(hand_back(consensus, path, to, question.question))
