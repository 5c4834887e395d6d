"""`interagree convert` (Other, 52)."""

from __future__ import annotations

from pathlib import Path

import click

from interagree.cli.options import FILE, READING, WRITTEN, ReadingGroup, define

PATHS = (click.argument("source", type=FILE, metavar="IN"), click.argument("target", type=WRITTEN, metavar="OUT"))


@define("convert", 'interagree.write(interagree.read("labels.csv"), "labels.parquet")', PATHS, READING)
def command(source: str, target: Path, **given: object) -> None:
    """Write a file in another format.

    OUT is a long table, one row for each annotation; its suffix says in which format: .csv, .tsv, .jsonl, .json,
    .parquet, .arrow or .xlsx, also with .gz; - is standard output, as CSV.
    """
    from interagree.cli.load import read_file
    from interagree.cli.show import written
    from interagree.errors import for_command_line, hints_of
    from interagree.readers import write

    study = read_file(source, ReadingGroup.take(given))
    write(study, target)
    told = study.summary()
    written(target, f", {for_command_line(told, hints_of(told))}")
