"""Files as studies, each question with its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from interagree.cli.options import Reading
from interagree.errors import DataError

if TYPE_CHECKING:
    from interagree.data import Annotations, Study


class Question(NamedTuple):
    """One question of one file."""

    name: str  # as a table calls it; empty where there is only one
    study: Annotations
    policy: str
    file: str
    question: str


def read_file(file: str, reading: Reading) -> Study:
    """One file as a study of the questions that were asked for."""
    from interagree.data import Study
    from interagree.readers import read

    study = read(file, **reading.keywords())
    if reading.questions:
        return Study({name: study[name] for name in reading.questions}, study.provenance)
    return study


def questions(files: Sequence[str], reading: Reading, *, together: bool = False) -> list[Question]:
    """All questions of all files, named by as much as is needed to tell them apart."""
    if files.count("-") > 1:
        raise DataError("standard input (-) was named twice, and it can be read once")
    studies = [read_file(file, reading) for file in files]
    if together and len(studies) > 1:
        studies = [joined(studies)]
        files = [" + ".join(file_names(files))]
    short = file_names(files)
    found = []
    for file, name, study in zip(files, short, studies, strict=True):
        for question, one in study.items():
            parts = [name if len(studies) > 1 else "", question if len(study) > 1 else ""]
            policy = study.provenance.joined([one.provenance]).policy()
            found.append(Question(": ".join(part for part in parts if part), one, policy, file, question))
    return found


def joined(studies: Sequence[Study]) -> Study:
    """Several files as one study; questions of one name are one question."""
    from interagree.data import Study, concat

    names = dict.fromkeys(name for study in studies for name in study)
    if all(len(study) == 1 for study in studies):  # a file of one question names it as it likes
        together = {next(iter(names)): concat([study.single() for study in studies])}
    else:
        together = {name: concat([study[name] for study in studies if name in study]) for name in names}
    return Study(together, studies[0].provenance.joined(study.provenance for study in studies[1:]))


def file_names(files: Sequence[str]) -> list[str]:
    """Files by the name without folder and suffix, or as they were given where that would not tell them apart."""
    short = ["standard input" if file == "-" else Path(file).name.partition(".")[0] or file for file in files]
    return short if len(set(short)) == len(short) else [*files]
