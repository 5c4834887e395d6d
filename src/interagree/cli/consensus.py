"""`interagree consensus`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import FILE, LEVEL, READING, Output, Reading, distance_names, in_python, options
from interagree.errors import ColumnNotFound, DataError, listing

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.consensus import Consensus, Score
    from interagree.data import Annotations
    from interagree.tables import Table

METHODS = ("medoid", "best-annotator", "weighted-medoid", "merge", "borda")
LONGEST = 60  # letters of a value that are shown; files have all of it

CHOICE = (
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="medoid",
        show_default=True,
        help="medoid takes the annotation nearest to the others of the item, best-annotator that of the annotator "
        "nearest to others overall, weighted-medoid weighs annotators; merge makes a new value of boxes, spans, "
        "keypoints, vectors or numbers, borda of rankings.",
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
        'found = interagree.medoid(interagree.read("boxes.jsonl"), distance="giou")\n'
        'interagree.write(found.to_annotations(), "consensus.jsonl")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(CHOICE, MERGING, READING, WRITTEN)
def command(file: str, **given: Any) -> None:
    """Find one answer for each item out of what annotators said.

    With --gold also says how near it comes to right answers, beside a random annotator and the best choice.

    \b
    interagree consensus boxes.jsonl --distance giou -o consensus.jsonl
    interagree consensus boxes.jsonl --method merge --gold gold.jsonl
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import say, show
    from interagree.readers import write

    reading, output = Reading.take(given), Output.take(given)
    found = questions([file], reading)
    if len(found) > 1:
        raise DataError(
            f"there are several questions, {listing(one.question for one in found)}; choose one with --question"
        )
    made = _consensus(found[0].study, given)
    score = None
    if given["gold"] is not None:
        score = made.score(gold_answers(given["gold"], reading, found[0].question), level=given["level"])
    show(document(made, score, found[0], given["top"]), Output(output.as_json, output.as_csv))
    if output.output is not None:
        write(made.to_annotations(), output.output)
        say(f"written: {output.output}")


def _consensus(study: Annotations, given: dict[str, Any]) -> Consensus:
    from interagree import consensus

    chosen: dict[str, Any] = {"distance": given["distance"]}
    if given["method"] in ("merge", "borda") and given["reliability"]:
        chosen["weights"] = "reliability"
    if given["method"] == "merge":
        chosen |= {name: given[name] for name in ("how", "quorum", "cutoff")}
    made: Consensus = getattr(consensus, given["method"].replace("-", "_"))(study, **chosen)
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


def document(made: Consensus, score: Score | None, asked: Question, top: int) -> Any:
    """A consensus as a document."""
    from dataclasses import replace

    from interagree.reports.document import Document, Section, one_per_line

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
        "distance": str(made.distance),
        "items": items,
        "annotators": None if made.study.anonymous else made.annotators(),
        "score": None if score is None else score.to_dict(),
        "notes": list(made.notes),
        "policy": asked.policy,
    }
    return Document("", [*sections, Section(foot=foot)], data, items)


def _people(annotators: Table, top: int) -> Any:
    from dataclasses import replace

    from interagree.reports.document import Section

    count = len(annotators)
    if count <= top:
        return Section("Annotators, the nearest to others first", table=replace(annotators, title=""))
    some = annotators.sort("shrunk", descending=True).head(top)
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
