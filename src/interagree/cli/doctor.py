"""`interagree doctor` (Agreement, 11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.cli.options import FILES, OUTPUT, READING, WRITTEN, Output, ReadingGroup, define, opt

CONFIG = Path("interagree.toml")
WRITING = opt(
    "--write-config",
    f"Write what was recognised to {CONFIG} in this folder; what is only suspected as a comment.",
    default=False,
)


CODEBOOK = opt(
    "--write-codebook",
    "Write a codebook to correct: a row for each question, with its level and the values; .csv or .xlsx.",
    WRITTEN,
    metavar="FILE",
)


@define("doctor", 'interagree.doctor("labels.csv")', FILES, WRITING, CODEBOOK, READING, OUTPUT)
def command(files: tuple[str, ...], *, write_config: bool, write_codebook: Path | None, **given: Any) -> None:
    """Say what a file holds, or several of one study, what is odd about it, and what to run next.

    Exits with 3 when nothing in the file can be compared.
    """
    from interagree.cli import show
    from interagree.data.writing import write_file
    from interagree.errors import DataError
    from interagree.results.document import write_document
    from interagree.results.toml import toml
    from interagree.studies.doctor import doctor

    reading, output = ReadingGroup.take(given), Output.take(given)
    answer = doctor(files, questions=reading.questions, **reading.keywords())
    if write_config:
        text = toml(answer.settings, answer.suspected)
        if CONFIG.exists():
            raise DataError(f"there is a file {CONFIG} already; move it away, or change it by hand:\n{text}")
        write_file(CONFIG, text)
        show.written(CONFIG)
    if write_codebook is not None:
        write_document(answer.codebook_document(), write_codebook)
        show.written(write_codebook)
    show.show(answer, output)
