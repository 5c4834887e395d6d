"""`interagree shuffle` (Designing and monitoring a study, 44)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli import options as o
from interagree.errors import ColumnNotFound

if TYPE_CHECKING:
    from interagree.cli.load import Question

CHOICE = (
    o.several(
        "--noise",
        "Kinds of errors, such as shift,label,delete for spans.  [default: those that make sense together]",
        "NAME,…",
        o.listed,
    ),
    o.opt("--apart", "Give each kind of error curves of its own.", default=False),
    o.several("--magnitudes", "How bad errors are, from 0 to 1.  [default: 0,0.1,…,1]", "M,M,…", o.numbers),
    o.opt("--annotators", "How many annotators are simulated.", click.IntRange(2), 3),
    o.opt("--repeats", "How many corpora are made for each magnitude.", click.IntRange(1), 5),
    o.SEED,
    o.measure_option("A coefficient to watch. May be repeated.  [default: alpha]"),
    o.several(
        "--distance",
        "Distances to watch, or all.  [default: the usual one for the kind of value]",
        "NAME,…",
        o.listed_distances,
        shell_complete=o.distance_names,
    ),
    o.opt("--reference", "The annotator who is the reference, where the file has several.", "NAME"),
    o.opt("--magnitude", "Measure nothing, and write one corpus of this magnitude to -o FILE, or as CSV.", o.SHARE),
    o.picture("Also draw the curves: .png, .svg or .pdf."),
)
PYTHON = """result = interagree.studies.shuffle(interagree.read("gold.jsonl"), distances=["iou", "giou"])
result.plot("curves.svg")"""


@o.define("shuffle", PYTHON, o.ONE_FILE, CHOICE, o.READING, o.OUTPUT)
def command(file: str, *, magnitude: float | None, plot: Path | None, **given: Any) -> None:
    """Put growing errors into a reference, and see how measures respond.

    FILE holds one value for each item, such as a gold standard. Annotators are simulated who err with a magnitude from
    0 to 1; a measure should fall from 1 to about 0. Curves of several distances say which of them sees which error.

    \b
    interagree shuffle gold.jsonl --distance all
    interagree shuffle gold.jsonl --noise shift,label --apart --plot curves.svg
    interagree shuffle gold.jsonl --magnitude 0.3 -o noisy.jsonl

    Exits with 3 when no measure is defined at any magnitude.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.show import draw, show
    from interagree.studies.shuffle import MAGNITUDES, shuffle

    reading, output = o.ReadingGroup.take(given), o.Output.take(given)
    question = reference(file, reading, given["reference"])
    simulation = {name: given[name] for name in ("noise", "annotators", "seed")}
    if magnitude is not None:
        _write(question, magnitude, simulation, output, apart=given["apart"])
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
    draw(answer, plot)
    show(answer, output, policy=question.policy)


def reference(file: str, reading: o.ReadingGroup, name: str | None) -> Question:
    """The one question of a file; without a column of annotators, the whole file is the reference."""
    from interagree.cli.load import questions, single
    from interagree.studies.shuffle import reference_of

    try:
        question = single(questions([file], reading))
    except ColumnNotFound:
        if reading.annotator or file == "-":
            raise
        question = single(questions([file], replace(reading, annotator=("{file}",))))
    return question._replace(study=reference_of(question.study, name, file))


def _write(question: Question, magnitude: float, simulation: dict[str, Any], output: o.Output, *, apart: bool) -> None:
    """One noisy corpus as a file."""
    from interagree.cli.show import written
    from interagree.readers import write
    from interagree.studies.shuffle import corpus

    if output.as_json or output.as_csv or apart:
        raise click.UsageError(
            "--magnitude writes one corpus, and --json, --csv and --apart are for measuring; name a file "
            "with -o, whose suffix says how to write"
        )
    study = corpus(question.study, magnitude, **simulation)
    for path in output.output or ("-",):
        write(study, path)
        if path != "-":
            written(path, f", {len(study):,} annotations by {len(study.annotators)} annotators")
