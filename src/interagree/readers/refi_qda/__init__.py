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

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from interagree.data.archives import unpacking
from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, fill_pattern, pattern_words, unread_files
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, Hint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import check_word
from interagree.readers._options import Spans, unit_options
from interagree.readers.refi_qda.project import NOBODY, CodedSource, Project, read_project
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
        projects = [read_project(source) for source in sources]
    if not any(project.codings for project in projects):
        raise _nothing(projects[0])
    people = _people(projects, annotator, gathered)
    places: dict[str, str] = {}  # of sources; spans of one person are one record, whichever project they are from
    for project, who in zip(projects, people, strict=True):
        for noun, times in project.left_out.items():
            gathered.left_out(noun, "not read", times)
        names = Counter(source.name for source in project.sources)
        for source in project.sources:
            told = source.name if names[source.name] == 1 else f"{source.name} ({source.guid})"
            name = source.guid if item == "guid" else told
            _gather(gathered, source, Mark(SPANS, name, "", None, places.setdefault(name, source.where)), who, ends)
    return gathered.study(options["questions"])


def _gather(gathered: Gatherer, source: CodedSource, mark: Mark, who: Mapping[str, str], ends: str | None) -> None:
    """What is coded in a source, and in the whole of it, as marks that are like one."""
    text, selections = fitted(source, ends, gathered)
    if text is not None and selections:
        gathered.show(mark.item, text, mark.where)
    for selection in selections:
        for user, code in selection.codings:
            span = Span(selection.start, selection.end, code)
            gathered.add(mark._replace(annotator=who[user], value=span))
    for user, code in source.whole:
        gathered.takes_several(DOCUMENTS)
        gathered.add(mark._replace(question=DOCUMENTS, annotator=who[user], value=code), "choices")


def _people(projects: Sequence[Project], annotator: str | None, gathered: Gatherer) -> list[dict[str, str]]:
    """What those who coded in each project are called, by their ids."""
    people, alone = [], []
    for project in projects:
        users = dict.fromkeys(coding.user for coding in project.codings)
        if annotator is not None:
            name = fill_pattern(annotator, pattern_words(project.file), option="annotator")
            people.append(dict.fromkeys(users, name))
            continue
        if NOBODY in users and (len(users) > 1 or len(project.people) != 1):
            raise _unsaid(project)
        only = next(iter(project.people.values()), "")
        alone += [only] if NOBODY in users else []
        people.append({user: project.people.get(user, user) if user else only for user in users})
    if annotator is not None:
        gathered.note("taken", f"annotators by {annotator}")
    if alone:
        names = listing(alone, most=4)
        gathered.note("assumed", f"codings without a user taken as those of the only user of the project, {names}")
    return people


def _unsaid(project: Project) -> FormatError:
    """The error where codings do not say who made them, and it could be several people."""
    nobody = sum(coding.user == NOBODY for coding in project.codings)
    by_file, by_name = Hint("annotator", "{file}"), Hint("annotator", next(iter(project.people.values()), "ann"))
    users = listing(project.people.values(), most=5) or "nobody"
    return FormatError(
        f"{project.file.name}: {nobody:,} of {counted(len(project.codings), 'coding')} do not say who made them, and "
        f"the users of the project are {users}; export a project of each coder and pass {by_file}, or, if one person "
        f"made all of them, {by_name}",
        hints=[by_file, by_name],
    )


def _nothing(project: Project) -> FormatError:
    """The error for a project without codings of texts."""
    left = "; ".join(f"{counted(times, noun)} not read" for noun, times in project.left_out.items() if times)
    return FormatError(
        f"{project.file.name}: the project has no coding of a text to read; it has "
        f"{counted(len(project.people), 'user')}, {counted(len(project.codes), 'code')} and "
        f"{counted(project.all_sources, 'source')}{f' ({left})' if left else ''}. "
        "Export the whole project, with its codings"
    )
