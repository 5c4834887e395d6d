"""REFI-QDA projects (.qdpx, .qde), as NVivo, MAXQDA, ATLAS.ti, QualCoder and others exchange them.

**Annotators** are users: the one who made a coding, else the one who made its selection.  Where no coding names a
user, it is the only user of the project; where there are several, nobody knows, and ``annotator=`` must say it:
"{file}" for a project of each coder, or a name.

**Questions.** Coded stretches of texts are the question ``spans``; the label is the code with those above it, as
*Learning > Trust*.  A stretch with several codes is a span for each.  Codes of whole documents are the question
``document codes``, a set.

**Items** are sources by their name (``item="name"``), or by their id (``item="guid"``).

**Positions** count characters of the plain text, with one for each end of a line, and the end of a selection is behind
its last character.  Programs differ in this: where selections say in their names what they cover, what fits is taken,
and ``ends="inclusive"`` says that the last character is included.  Texts of PDF files are read where they are there as
plain text; selections of pictures, of pages, of recordings and of transcripts are not read, and counted.

**Who looked?** A project does not say who read a source and found nothing to code.  Who coded nothing in a source is
taken not to have looked at it; ``looked="all"`` takes the opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from interagree.data.archives import is_archive, unpack, unpacking
from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import check_word
from interagree.readers._options import Spans, unit_options
from interagree.readers.refi_qda.people import named_by
from interagree.readers.refi_qda.project import CodedSource, Project, Selection, read_project
from interagree.readers.refi_qda.texts import fitted

SUFFIXES = (".qdpx", ".qde")
SPANS, DOCUMENTS = "spans", "document codes"


def recognised(path: Path) -> bool:
    """Whether a file is called as a project is; nothing else is called so."""
    return path.is_file() and Source.of(path).suffix in SUFFIXES


@reader("REFI-QDA", suffixes=SUFFIXES, sniff=recognised, together=True)
def refi_qda(
    path: Paths,
    *,
    item: str = "name",
    annotator: str | None = None,
    ends: str | None = None,
    duplicates: str = "last",
    **options: Unpack[Spans],
) -> Study:
    """The codings of a project, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: What sources are called by: "name" or "guid".
        annotator: Who coded, where codings do not say it: a name, "{file}" or "{folder}".
        ends: Whether the ends of selections are "exclusive" or "inclusive"; by default as their names show.
        duplicates: Not needed, since spans of one person are taken together.
    """
    if ends is not None:
        check_word("ends", ends, ("exclusive", "inclusive"))
    check_word("item", item, ("name", "guid"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("REFI-QDA", sources, duplicates=duplicates, units=unit_options(options))
    gathered.steps += unread_files(path, sources, deep=False)
    with unpacking():
        projects = [_project(source) for source in sources]
    if not any(project.codings for project in projects):
        raise _nothing(projects)
    who = named_by(projects, annotator, gathered)
    places: dict[str, str] = {}  # of sources; spans of one person are one record, whichever project they are from
    for project in projects:
        for noun, times in project.left_out.items():
            gathered.left_out(noun, "not read", times)
        names = _names(project, item)
        for source, name in zip(project.sources, names, strict=True):
            selections = fitted(source, ends, gathered)
            source.where = places.setdefault(name, source.where)
            _gather(gathered, source, selections, name, {user: who(project, user) for user in source.users()})
    return gathered.study(options["questions"])


def _project(source: Source) -> Project:
    """A project in a file, or in the archive that a file is."""
    if not is_archive(source):
        return read_project(source, source, None if source.path is None else source.path.parent)
    folder = unpack(source)
    inside = sorted(folder.rglob("*.qde"))
    if len(inside) != 1:
        raise FormatError(
            f"{source.name}: expected one project (.qde) in the archive, found {counted(len(inside), 'project')}"
        )
    return read_project(Source.of(inside[0]), source, inside[0].parent)


def _names(project: Project, item: str) -> list[str]:
    """What the sources of a project are called; those of one name are told apart by their ids."""
    if item == "guid":
        return [source.guid for source in project.sources]
    names = [source.name for source in project.sources]
    return [
        name if names.count(name) == 1 else f"{name} ({source.guid})"
        for name, source in zip(names, project.sources, strict=True)
    ]


def _gather(
    gathered: Gatherer, source: CodedSource, selections: Sequence[Selection], name: str, who: dict[str, str]
) -> None:
    if source.text is not None and selections:
        gathered.show(name, source.text, source.where)
    for selection in selections:
        for coding in selection.codings:
            span = Span(selection.start, selection.end, coding.code)
            gathered.add(Mark(SPANS, name, who[coding.user], span, source.where))
    by_user: dict[str, dict[str, None]] = {}
    for coding in source.codings:
        by_user.setdefault(coding.user, {})[coding.code] = None
    for user, codes in by_user.items():
        gathered.takes_several(DOCUMENTS)
        gathered.add(Mark(DOCUMENTS, name, who[user], tuple(codes), source.where), "choices")


def _nothing(projects: Sequence[Project]) -> FormatError:
    """The error for projects without codings of texts."""
    project = projects[0]
    left = "; ".join(f"{counted(times, noun)} not read" for noun, times in project.left_out.items() if times)
    return FormatError(
        f"{project.name}: the project has no coding of a text to read; it has {counted(len(project.people), 'user')}, "
        f"{counted(project.codes, 'code')} and {counted(project.all_sources, 'source')}{f' ({left})' if left else ''}. "
        "Export the whole project, with its codings"
    )
