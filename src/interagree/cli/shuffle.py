"""`interagree shuffle` (Designing and monitoring a study, 44)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    FILE,
    OUTPUT,
    READING,
    SEED,
    Output,
    Reading,
    distance_names,
    in_python,
    listed,
    listed_distances,
    measure_option,
    options,
    picture,
    whole_number,
)
from interagree.cli.plan import numbers
from interagree.errors import ColumnNotFound, DataError, Hint, listing

if TYPE_CHECKING:
    from interagree.cli.load import Question


ERRORS = (
    click.option(
        "--noise",
        type=click.UNPROCESSED,
        callback=listed,
        metavar="NAME,…",
        help="Kinds of errors, such as shift,label,delete for spans.  [default: those that make sense together]",
    ),
    click.option("--apart", is_flag=True, help="Give each kind of error curves of its own."),
    click.option(
        "--magnitudes",
        type=click.UNPROCESSED,
        callback=numbers,
        metavar="M,M,…",
        help="How bad errors are, from 0 to 1.  [default: 0,0.1,…,1]",
    ),
    whole_number("--annotators", 3, "How many annotators are simulated.", least=2),
    whole_number("--repeats", 5, "How many corpora are made for each magnitude."),
    SEED,
)

WATCHED = (
    measure_option("A coefficient to watch. May be repeated.  [default: alpha]", "measures", multiple=True),
    click.option(
        "--distance",
        type=click.UNPROCESSED,
        callback=listed_distances,
        metavar="NAME,…",
        shell_complete=distance_names,
        help="Distances to watch, or all.  [default: the usual one for the kind of value]",
    ),
)

MADE = (
    click.option(
        "--reference",
        metavar="NAME",
        help="The annotator who is the reference, where the file has several.",
    ),
    click.option(
        "--magnitude",
        type=click.FloatRange(0, 1),
        help="Measure nothing, and write one corpus of this magnitude to -o FILE, or as CSV.",
    ),
    picture("Also draw the curves: .png, .svg or .pdf."),
)


@click.command(
    "shuffle",
    epilog=in_python(
        'result = interagree.shuffle(interagree.read("gold.jsonl"), distances=["iou", "giou"])\n'
        'result.plot("curves.svg")'
    ),
)
@click.argument("file", type=FILE, metavar="FILE")
@options(ERRORS, WATCHED, MADE, READING, OUTPUT)
def command(file: str, **given: Any) -> None:
    """Put growing errors into a reference, and see how measures respond.

    FILE holds one value for each item, such as a gold standard. Annotators are simulated who err with a magnitude from
    0 to 1; a measure should fall from 1 to about 0. Curves of several distances say which of them sees which error.

    \b
    interagree shuffle gold.jsonl --distance all
    interagree shuffle gold.jsonl --noise shift,label --apart --plot curves.svg
    interagree shuffle gold.jsonl --magnitude 0.3 -o noisy.jsonl

    Exits with 3 when no measure is defined at any magnitude.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.show import say, show
    from interagree.studies.shuffle import MAGNITUDES, shuffle

    reading, output = Reading.take(given), Output.take(given)
    question = reference(file, reading, given["reference"])
    simulation = {name: given[name] for name in ("noise", "annotators", "seed")}
    if given["magnitude"] is not None:
        _write(question, given["magnitude"], simulation, output, apart=given["apart"])
        return
    answer = shuffle(
        question.study,
        magnitudes=given["magnitudes"] or MAGNITUDES,
        measures=given["measures"] or ("alpha",),
        distances="all" if given["distance"] == ["all"] else given["distance"],
        apart=given["apart"],
        repeats=given["repeats"],
        **simulation,
    )
    if given["plot"] is not None:
        say(f"written: {answer.plot(given['plot'])}")
    show(answer, output, policy=question.policy)


def reference(file: str, reading: Reading, name: str | None) -> Question:
    """The one question of a file; without a column of annotators, the whole file is the reference."""
    from interagree.cli.load import questions, single

    try:
        question = single(questions([file], reading))
    except ColumnNotFound:
        if reading.annotator or file == "-":
            raise
        question = single(questions([file], replace(reading, annotator=("{file}",))))
    study = question.study
    if name is not None:
        return question._replace(study=study.only(annotators=[name]))
    if len(study.annotators) > 1 and int(study.sizes().max(initial=0)) > 1:
        hint = Hint("reference", study.annotators[0])
        raise DataError(
            f"a reference has one value for each item, and {file} has several by "
            f"{listing(study.annotators, most=5)}; choose one with {hint}",
            hints=[hint],
        )
    return question


def _write(question: Question, magnitude: float, simulation: dict[str, Any], output: Output, *, apart: bool) -> None:
    """One noisy corpus as a file."""
    from interagree.cli.show import say
    from interagree.readers import write
    from interagree.studies.shuffle import corpus

    if output.as_json or output.as_csv or apart:
        raise click.UsageError(
            "--magnitude writes one corpus, and --json, --csv and --apart are for measuring; name a file "
            "with -o, whose suffix says how to write"
        )
    study = corpus(question.study, magnitude, **simulation)
    write(study, output.output or "-")
    if output.output is not None:
        say(f"written: {output.output}, {len(study):,} annotations by {len(study.annotators)} annotators")
