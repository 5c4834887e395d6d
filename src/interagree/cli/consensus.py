"""`interagree consensus`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import FILE, LEVEL, READING, Output, Reading, distance_names, in_python, options
from interagree.errors import ColumnNotFound, KindError

if TYPE_CHECKING:
    from interagree.aggregation.labels import Accuracy, LabelConsensus
    from interagree.aggregation.objects import Consensus, Score
    from interagree.cli.load import Question
    from interagree.data import Annotations
    from interagree.tables import Table

BY_DISTANCE = ("medoid", "best-annotator", "weighted-medoid", "merge", "mean", "median", "borda")
OF_CROWD = ("majority-vote", "weighted-vote", "dawid-skene", "one-coin", "mace", "glad", "debiased-mean")
# What each method of a crowd takes.
TAKES = {
    "majority-vote": ("ties",),
    "weighted-vote": ("ties",),
    "dawid-skene": ("smoothing", "prior", "rounds"),
    "one-coin": ("smoothing", "rounds"),
    "mace": ("restarts", "seed", "rounds"),
    "glad": ("rounds",),
    "debiased-mean": ("rounds",),
}
LONGEST = 60  # letters of a value that are shown; files have all of it


class Method(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2 only
    """A method by its name, with hyphens as the others here or with underscores as in Python."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(super().convert(str(value).replace("_", "-"), param, ctx))


CHOICE = (
    click.option(
        "--method",
        type=Method((*BY_DISTANCE, *OF_CROWD)),
        help="By default labels are voted on, ordered values and numbers have their median, and of all else, or with "
        "--distance, the medoid is taken.  medoid is the annotation nearest to the others of the item, best-annotator "
        "that of the annotator nearest to others overall, weighted-medoid weighs annotators; merge makes a new value "
        "of boxes, spans, keypoints, vectors or numbers (mean is short for merge --how mean), borda of rankings; "
        "median is the middle one of ordered values and numbers.  Of labels, majority-vote and weighted-vote count, "
        "dawid-skene, one-coin, mace and glad model how annotators err; debiased-mean does so for numbers.",
    ),
    click.option(
        "--distance",
        metavar="NAME",
        shell_complete=distance_names,
        help="How far apart values are: giou, gleu, interval, …  [default: the usual one for the kind of value]",
    ),
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
        default=0.7,
        show_default=True,
        help="For merge: how far apart two objects may be to be the same one.",
    ),
    click.option(
        "--reliability",
        is_flag=True,
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
    click.option(
        "--restarts", type=click.IntRange(1), help="For mace: from how many starts to fit.  [default: 10]"
    ),
    click.option(
        "--seed", type=click.IntRange(0), help="For mace: where random numbers begin.  [default: 0]"
    ),
    click.option("--rounds", type=click.IntRange(1), help="For models: how many rounds to fit at most."),
)

WRITTEN = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON: unrounded, with a version number."),
    click.option("--csv", "as_csv", is_flag=True, help="Print a row for each item as CSV."),
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
        'found = interagree.usual_consensus(interagree.read("labels.csv"))\n'
        'interagree.write(found.to_annotations(), "consensus.csv")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, MERGING, CROWD, READING, WRITTEN)
def command(file: str, **given: Any) -> None:
    """Find one answer for each item out of what annotators said.

    With --gold also says how near it comes to right answers, or how often it is right, beside a random annotator and
    the best choice.

    \b
    interagree consensus labels.csv -o consensus.csv
    interagree consensus boxes.jsonl --distance giou -o consensus.jsonl
    interagree consensus boxes.jsonl --method merge --gold gold.jsonl
    interagree consensus labels.csv --method dawid-skene --gold gold.csv
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show
    from interagree.readers import write

    reading, output = Reading.take(given), Output.take(given)
    asked = single(questions([file], reading))
    made = _consensus(asked.study, given)
    score = None
    if given["gold"] is not None:
        score = made.score(gold_answers(given["gold"], reading, asked.question), level=given["level"])
    show(document(made, score, asked, given["top"]), Output(output.as_json, output.as_csv))
    if output.output is not None:
        write(made.to_annotations(), output.output)
        say(f"written: {output.output}")


def _consensus(study: Annotations, given: dict[str, Any]) -> Consensus | LabelConsensus:
    """The consensus by the method that was asked for, else by the usual one, which is said."""
    from dataclasses import replace

    from interagree.aggregation.labels import usual_method

    if given["method"] is not None or given["distance"] is not None:
        return _by(given["method"] or "medoid", study, given)
    method, because = usual_method(study)
    made = _by(method.replace("_", "-"), study, given)
    return replace(made, notes=(f"{because} (--method takes another)", *made.notes))


def _by(method: str, study: Annotations, given: dict[str, Any]) -> Consensus | LabelConsensus:
    _suits(method, given)
    if method in OF_CROWD:
        return _of_crowd(study, method, given)
    from interagree.aggregation import objects as consensus

    plain = given["distance"] is None and not given["reliability"]
    if method == "median" and plain and study.kind.consensus == "median":
        return consensus.median(study)
    if method in ("mean", "median"):
        given = {**given, "how": method}
        method = "merge"
    chosen: dict[str, Any] = {"distance": given["distance"]}
    if method in ("merge", "borda") and given["reliability"]:
        chosen["weights"] = "reliability"
    if method == "merge":
        chosen |= {name: given[name] for name in ("how", "quorum", "cutoff")}
    made: Consensus = getattr(consensus, method.replace("-", "_"))(study, **chosen)
    return made


def _suits(method: str, given: dict[str, Any]) -> None:
    """Refuse an option that the method would not heed."""
    all_ = dict.fromkeys(name for names in TAKES.values() for name in names)
    stray = [name for name in all_ if given[name] is not None and name not in TAKES.get(method, ())]
    if method in OF_CROWD and given["distance"] is not None:
        stray.append("distance")
    if stray:
        raise KindError(f"--{stray[0]} means nothing to --method {method}; leave it out")


def _of_crowd(study: Annotations, method: str, given: dict[str, Any]) -> Consensus | LabelConsensus:
    from interagree.aggregation import labels as crowd

    chosen = {name: given[name] for name in TAKES[method] if given[name] is not None}
    made: Consensus | LabelConsensus = getattr(crowd, method.replace("-", "_"))(study, **chosen)
    return made


def gold_answers(file: str, reading: Reading, question: str) -> Annotations:
    """Right answers from a file, with or without a column of annotators."""
    from interagree.readers import read

    said = {
        name: entry
        for name, entry in reading.keywords().items()
        if name in ("item", "value", "split", "missing", "kind")
    }
    try:
        study = read(file, **said)
    except ColumnNotFound:
        study = read(file, **said, annotator="{file}")
    return study[question] if len(study) > 1 and question in study else study.single()


def document(
    made: Consensus | LabelConsensus, score: Score | Accuracy | None, asked: Question, top: int
) -> Any:
    """A consensus as a document."""
    from dataclasses import replace

    from interagree.results.document import Document, Section, one_per_line

    items = made.table()
    sections = [Section(lines=[f"{made}."])]
    if score is not None:
        sections.append(Section("Against gold", [f"{score}."], replace(score.table(), title="")))
    if top and not made.study.anonymous:
        sections.append(_people(made.annotators(), top))
    if top and len(items):
        sections.append(Section(_title(len(items), top), table=_shown(items, top)))
    notes = (f"{note}." for note in made.notes)
    foot = one_per_line((*notes, f"Policy: {asked.policy or 'nothing was dropped, merged or assumed'}."))
    data = {
        "command": "consensus",
        "method": made.method,
        "distance": str(made.distance) if hasattr(made, "distance") else None,
        "items": items,
        "annotators": None if made.study.anonymous else made.annotators(),
        "score": None if score is None else score.to_dict(),
        **_fit(made),
        "notes": list(made.notes),
        "policy": asked.policy,
    }
    return Document("", [*sections, Section(foot=foot)], data, items)


def _fit(made: Any) -> dict[str, Any]:
    """How a model was fitted, where one was."""
    if not len(getattr(made, "trace", ())):
        return {}
    return {"log_likelihood": made.log_likelihood, "converged": made.converged, "rounds": len(made.trace)}


def _people(annotators: Table, top: int) -> Any:
    from dataclasses import replace

    from interagree.cli.annotators import labelled
    from interagree.results.document import Section
    from interagree.tables import Table

    annotators, foot = replace(labelled(annotators), foot=""), [annotators.foot] if annotators.foot else []
    count = len(annotators)
    if "shrunk" not in annotators.columns:  # of a crowd, the best first
        if count <= top:
            return Section("Annotators, the best first", table=replace(annotators, title=""), foot=foot)
        worst = Table({name: [*column][: -top - 1 : -1] for name, column in annotators.columns.items()})
        return Section(f"The last {top} of {count:,} annotators, the worst first", table=worst, foot=foot)
    if count <= top:
        return Section("Annotators, the nearest to others first", table=replace(annotators, title=""))
    some = annotators.sort("to others", descending=True).sort("shrunk", descending=True).head(top)
    return Section(f"The {top} farthest from others of {count:,} annotators", table=replace(some, title=""))


def _title(count: int, top: int) -> str:
    return "Items" if count <= top else f"The {top} least certain of {count:,} items"


def _shown(items: Table, top: int) -> Table:
    from dataclasses import replace

    from interagree.tables import cell

    some = replace(items if len(items) <= top else items.sort("confidence").head(top), title="", foot="")
    short = [
        text if len(text := cell(value)) <= LONGEST else text[: LONGEST - 1] + "…" for value in some["value"]
    ]
    return replace(some, columns={**some.columns, "value": short})
