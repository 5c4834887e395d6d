"""`interagree shuffle` (Designing and monitoring a study, 44)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
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
    measure_names,
    options,
)
from interagree.cli.plan import numbers
from interagree.errors import ColumnNotFound, DataError, listing

if TYPE_CHECKING:
    from interagree.cli.load import Question
    from interagree.studies.shuffle import Shuffled
    from interagree.tables import Table


def distances(ctx: click.Context, param: click.Parameter, value: Any) -> list[str] | None:  # noqa: ARG001 -- click's
    """Several distances in one option; a comma before a parameter, as in polar:low=1,high=7, separates none."""
    if value is None or isinstance(value, list | tuple):
        return None if value is None else [*value]
    return [part.strip() for part in re.split(r",(?![^,:]*=)", str(value)) if part.strip()]


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
    click.option(
        "--annotators",
        type=click.IntRange(2),
        default=3,
        show_default=True,
        help="How many annotators are simulated.",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1),
        default=5,
        show_default=True,
        help="How many corpora are made for each magnitude.",
    ),
    SEED,
)

WATCHED = (
    click.option(
        "-m",
        "--measure",
        "measures",
        metavar="NAME[:OPTION=…]",
        multiple=True,
        shell_complete=measure_names,
        help="A coefficient to watch. May be repeated.  [default: alpha]",
    ),
    click.option(
        "--distance",
        type=click.UNPROCESSED,
        callback=distances,
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
    click.option(
        "--plot",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Also draw the curves: .png, .svg or .pdf.",
    ),
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
@click.pass_context
def command(ctx: click.Context, /, file: str, **given: Any) -> None:
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
    found = reference(file, reading, given["reference"])
    how = {name: given[name] for name in ("noise", "annotators", "seed")}
    if given["magnitude"] is not None:
        _write(found, given["magnitude"], how, output, apart=given["apart"])
        return
    made = shuffle(
        found.study,
        magnitudes=given["magnitudes"] or MAGNITUDES,
        measures=given["measures"] or ("alpha",),
        distances="all" if given["distance"] == ["all"] else given["distance"],
        apart=given["apart"],
        repeats=given["repeats"],
        **how,
    )
    show(document(made, found), output)
    if given["plot"] is not None:
        say(f"written: {made.plot(given['plot'])}")
    if made.undefined:
        ctx.exit(3)


def reference(file: str, reading: Reading, name: str | None) -> Question:
    """The one question of a file; without a column of annotators, the whole file is the reference."""
    from interagree.cli.load import questions

    try:
        found = questions([file], reading)
    except ColumnNotFound:
        if reading.annotator or file == "-":
            raise
        found = questions([file], replace(reading, annotator=("{file}",)))
    if len(found) > 1:
        raise DataError(
            f"there are several questions, {listing(one.question for one in found)}; choose one with --question"
        )
    (one,) = found
    if name is not None:
        return one._replace(study=one.study.only(annotators=[name]))
    if len(one.study.annotators) > 1 and int(one.study.sizes().max(initial=0)) > 1:
        raise DataError(
            f"a reference has one value for each item, and {file} has several by "
            f"{listing(one.study.annotators, most=5)}; choose one with --reference {one.study.annotators[0]}"
        )
    return one


def _write(found: Question, magnitude: float, how: dict[str, Any], output: Output, *, apart: bool) -> None:
    """One noisy corpus as a file."""
    from interagree.cli.show import say
    from interagree.readers import write
    from interagree.studies.shuffle import corpus

    if output.as_json or output.as_csv or apart:
        raise click.UsageError(
            "--magnitude writes one corpus, and --json, --csv and --apart are for measuring; name a file "
            "with -o, whose suffix says how to write"
        )
    study = corpus(found.study, magnitude, **how)
    write(study, output.output or "-")
    if output.output is not None:
        say(f"written: {output.output}, {len(study):,} annotations by {len(study.annotators)} annotators")


def _what_differs(verdicts: Table) -> Table:
    """A table without its foot, and without columns that say the same of every row, but for the first that is left."""
    from interagree.tables import Table

    names = [name for name in ("measure", "distance", "noise") if name in verdicts.columns]
    same = [name for name in names if len(set(verdicts[name])) == 1]
    gone = same if len(same) < len(names) else same[1:]
    return Table({name: column for name, column in verdicts.columns.items() if name not in gone})


def document(made: Shuffled, found: Question) -> Any:
    """The curves as a document."""
    from interagree.results.document import Document, Section, one_per_line

    policy = f"Policy: {found.policy or 'nothing was dropped, merged or assumed'}."
    foot = one_per_line((f"{made.basis()}.", *(f"{note}." for note in made.notes), policy))
    sections = [
        Section(f"Under noise: {made.shared()}", table=_what_differs(made.judge())),
        Section("By magnitude", table=replace(made.table(), foot="")),
        Section(foot=foot),
    ]
    return Document("", sections, {"command": "shuffle", "shuffle": made.to_dict()}, made.tidy())
