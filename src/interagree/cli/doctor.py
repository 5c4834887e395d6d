"""`interagree doctor` (Agreement, 11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from interagree.cli.options import FILE, OUTPUT, READING, Output, Reading, in_python, options

CONFIG = Path("interagree.toml")


@click.command(
    "doctor",
    epilog=in_python('interagree.doctor("labels.csv")'),
)
@click.argument("file", type=FILE)
@options(
    (
        click.option(
            "--write-config",
            is_flag=True,
            help=f"Write what was recognised to {CONFIG} in this folder; what is only suspected as a comment.",
        ),
    ),
    READING,
    OUTPUT,
)
def command(file: str, **given: Any) -> None:
    """Say what a file holds, what is odd about it, and what to run next.

    Exits with 3 when nothing in the file can be compared.
    """
    from interagree.cli.config import written
    from interagree.cli.show import say, show
    from interagree.errors import DataError
    from interagree.studies.doctor import doctor

    reading, output = Reading.take(given), Output.take(given)
    answer = doctor(file, questions=reading.questions, **reading.keywords())
    if given["write_config"]:
        text = written(answer.settings, answer.suspected)
        if CONFIG.exists():
            raise DataError(f"there is a file {CONFIG} already; move it away, or change it by hand:\n{text}")
        CONFIG.write_text(text, encoding="utf-8")
        say(f"written: {CONFIG}")
    show(answer, output)
