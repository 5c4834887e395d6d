"""Who coded: users by their names, or as the caller says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interagree.data.paths import fill_pattern, pattern_words
from interagree.data.provenance import counted
from interagree.errors import FormatError, Hint, listing
from interagree.gather.gatherer import Gatherer
from interagree.readers.refi_qda.project import NOBODY, Project


def named_by(projects: Sequence[Project], annotator: str | None, gathered: Gatherer) -> Callable[[Project, str], str]:
    """What a user of a project is called."""
    if annotator is not None:
        gathered.note("taken", f"annotators by {annotator}")
        return lambda project, _: fill_pattern(annotator, pattern_words(project.file), option="annotator")
    for project in projects:
        _check(project)
    alone = [project for project in projects if all(coding.user == NOBODY for coding in project.codings)]
    alone = [project for project in alone if project.codings]
    if alone:
        names = listing((next(iter(project.people.values())) for project in alone), most=4)
        gathered.note("assumed", f"codings without a user taken as those of the only user of the project, {names}")
    return lambda project, user: project.people.get(user, user) if user else next(iter(project.people.values()))


def _check(project: Project) -> None:
    """An error where codings do not say who made them, and it could be several people."""
    nobody = sum(coding.user == NOBODY for coding in project.codings)
    if not nobody or (nobody == len(project.codings) and len(project.people) == 1):
        return
    by_file, by_name = Hint("annotator", "{file}"), Hint("annotator", next(iter(project.people.values()), "ann"))
    users = listing(project.people.values(), most=5) or "nobody"
    raise FormatError(
        f"{project.name}: {nobody:,} of {counted(len(project.codings), 'coding')} do not say who made them, and the "
        f"users of the project are {users}; export a project of each coder and pass {by_file}, or, if one person made "
        f"all of them, {by_name}",
        hints=[by_file, by_name],
    )
