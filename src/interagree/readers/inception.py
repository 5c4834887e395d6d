"""INCEpTION: a project as it is exported, an archive with the annotations of all users, or its folder.

    exportedproject123.json
    annotation/letter.txt/webanno456export.zip      (holds ann.xmi and TypeSystem.xml)
    curation/letter.txt/webanno789export.zip        (holds CURATION_USER.xmi)

**Annotators and documents** are those of the project: a folder is a document, and a file in it, or in an archive in it,
an annotator.  What is inside may be XMI, CAS JSON or WebAnno TSV 3.  Binary files (.ser) are not read.

**Who looked?** The project says it.  A document that its annotator *finished* was looked at, also where nothing is
marked in it.  One that is *new* was not opened, and one to be *ignored* was not annotated: both are left out.  One *in
progress* may be annotated in part: it is left out where somebody finished something, and where nobody did, those in
which something is marked are taken.  ``states=["FINISHED", "IN_PROGRESS"]`` says which to read.  All is counted.

**Curated documents** are not those of an annotator: they are left out, or with ``gold="apart"`` are the annotator
*ground truth*.

**Questions** are layers, as in `uima_cas`; all layers that somebody used are asked of everybody (``asked="all"``), or
of those who used them (``asked="marked"``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

from interagree.data.archives import is_archive, unpack, unpacking
from interagree.data.files import Source, shown_path
from interagree.data.paths import Paths, as_list
from interagree.data.provenance import counted
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, DuplicateAnnotation, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.layers import CURATED, GROUND_TRUTH, INITIAL, Annotated, gather, without_others
from interagree.gather.units import check_word
from interagree.readers._cas import read_cas
from interagree.readers._options import Layers, unit_options
from interagree.readers._rows import object_of
from interagree.readers._webanno import read_table

PROJECT = "exportedproject*.json"
ANNOTATION, CURATION = "annotation", "curation"
READ = (".xmi", ".json", ".tsv")
NEW, STARTED, FINISHED, IGNORED, LOCKED = "NEW", "IN_PROGRESS", "FINISHED", "IGNORE", "LOCKED"
UNKNOWN = "UNKNOWN"  # the project says nothing of it
STATES = (NEW, STARTED, FINISHED, IGNORED, LOCKED, UNKNOWN)


def recognised(path: Path) -> bool:
    """Whether a folder is a project."""
    return path.is_dir() and is_project(path)


def is_project(folder: Path) -> bool:
    """Whether a folder is a project: it has a description, and documents."""
    places = (ANNOTATION, CURATION, f"{ANNOTATION}_ser", "source")
    return any(folder.glob(PROJECT)) and any((folder / name).is_dir() for name in places)


@reader("INCEpTION project", suffixes=(), sniff=recognised)
def inception(path: Paths, *, states: str | Sequence[str] | None = None, **options: Unpack[Layers]) -> Study:
    """The documents of a project, as each of its users annotated them.

    Args:
        path: The archive that INCEpTION exports, or the folder that is in it.
        states: The states of documents to read, such as "FINISHED" and "IN_PROGRESS".
    """
    wanted = wanted_states(states)
    sources = [Source.of(given) for given in as_list(path)]
    gathered = Gatherer("INCEpTION", sources, duplicates=options["duplicates"], units=unit_options(options))
    kept = []
    with unpacking():
        for source in sources:
            folder = opened(source)
            project = project_of(folder)
            documents = without_others(documents_of(folder, project.users, gathered), options["gold"], gathered)
            kept += by_state(documents, project, wanted, gathered)
    kept.sort(key=lambda document: (str(document.item), document.annotator))
    gather(gathered, kept, empty="looked", asked=options["asked"])
    return gathered.study(options["questions"])


# -- the files of a project ---------------------------------------------------------------------------------


def opened(source: Source) -> Path:
    """The folder of a project, out of its archive if need be."""
    folder = source.path if source.path is not None and source.path.is_dir() else None
    if folder is None:
        if not is_archive(source):
            raise FormatError(f"{source.name}: expected the archive of an INCEpTION project, found another file")
        folder = unpack(source)
    while not is_project(folder) and len(inside := [at for at in folder.iterdir() if at.is_dir()]) == 1:
        folder = inside[0]
    if not is_project(folder):
        raise FormatError(
            f"{source.name}: expected a project of INCEpTION, with {PROJECT} and the folder '{ANNOTATION}', found "
            "something else; export the project with its annotations"
        )
    return folder


def documents_of(folder: Path, users: Collection[str], gathered: Gatherer) -> Iterator[Annotated]:
    """What each annotator has of each document of a project, the curated ones with it."""
    seen: dict[tuple[str, str], str] = {}
    binary = (folder / f"{ANNOTATION}_ser").is_dir()
    for kind in (ANNOTATION, CURATION):
        for file in sorted((folder / kind).glob("*/*")):
            if file.is_dir() or file.name.startswith("."):
                continue
            if file.suffix == ".ser":
                binary = True
                gathered.noticed("binary file", "(.ser) not read, since the annotations are there in other files")
            elif file.suffix not in READ and not is_archive(Source.of(file)):
                gathered.noticed("file", "of unknown kind among annotations not read")
            else:
                inner = file if file.suffix in READ else _only_one(Source.of(file))
                document = (read_table if inner.suffix == ".tsv" else read_cas)(Source.of(inner), gathered)
                document.item = file.parent.name
                document.annotator = "CURATION_USER" if kind == CURATION else _who(inner.stem, file.stem, users)
                other = seen.setdefault((document.item, document.annotator), document.where)
                if other != document.where:
                    raise DuplicateAnnotation(
                        f"{document.annotator!r} has document {document.item!r} twice, in {other} and in "
                        f"{document.where}; keep one of the two"
                    )
                yield document
    if not seen and binary:
        raise FormatError(
            f"{shown_path(folder)} holds annotations in binary files (.ser) alone, which only Java reads; export "
            "the project with the secondary format UIMA CAS XMI"
        )


def _only_one(archive: Source) -> Path:
    """The document in an archive."""
    inner = [file for file in sorted(unpack(archive).iterdir()) if file.suffix in READ]
    if len(inner) != 1:
        raise FormatError(
            f"{archive.name}: expected the document of one annotator, found {counted(len(inner), 'document')}"
        )
    return inner[0]


def _who(inner: str, outer: str, users: Collection[str]) -> str:
    """The annotator: as the file in an archive is called, or the archive itself."""
    return inner if inner in users or inner.lower() in CURATED | INITIAL or outer not in users else outer


# -- what a project says ------------------------------------------------------------------------------------


class InceptionProject(NamedTuple):
    """Users, and the state of each document of each of them."""

    users: set[str]
    states: Mapping[tuple[str, str], str]  # by document and user


def project_of(folder: Path) -> InceptionProject:
    """What the description of a project says."""
    source = Source.of(min(folder.glob(PROJECT)))
    content = object_of(source, "the description of a project, an object")
    states: dict[tuple[str, str], str] = {}
    for entry in content.each("annotation_documents", []):
        name, user = entry.field("name", str), entry.field("user", str)
        state = str(entry.cells.get("state") or UNKNOWN).upper().replace("-", "_").replace("INPROGRESS", STARTED)
        states[name, user] = state if state in STATES else UNKNOWN
    permitted = {entry.field("user", str) for entry in content.each("project_permissions", [])}
    return InceptionProject({user for _, user in states} | permitted, states)


def wanted_states(states: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """The states that were asked for."""
    if states is None:
        return None
    named = states.split(",") if isinstance(states, str) else states
    wanted = tuple(str(state).strip().upper() for state in named)
    for state in wanted:
        check_word("states", state, STATES)
    return wanted


def by_state(
    documents: Sequence[Annotated], project: InceptionProject, wanted: tuple[str, ...] | None, gathered: Gatherer
) -> list[Annotated]:
    """The documents that were looked at, by what the project says of them; the others are counted."""
    finished = FINISHED in project.states.values()
    kept: list[Annotated] = []
    dropped: Counter[str] = Counter()
    empty = 0
    for document in documents:
        state = project.states.get((str(document.item), document.annotator), UNKNOWN)
        if document.annotator == GROUND_TRUTH or (state == FINISHED and wanted is None):
            kept.append(document)
        elif wanted is not None:
            kept += [document] if state in wanted else []
            dropped[state] += state not in wanted
        elif state in {NEW, IGNORED} or (state == STARTED and finished):
            dropped[state] += 1
        elif document.empty:
            empty += 1
        else:
            kept.append(document)
    for state, times in dropped.items():
        if times:
            both = ReaderHint("states", [FINISHED, state] if state != FINISHED else [FINISHED])
            gathered.left_out("document", Advice.of(f"in the state {state} left out (", both, " takes them)"), times)
    gathered.left_out("document", "that nobody finished and nothing is marked in left out", empty)
    if FINISHED not in project.states.values() and wanted is None and kept:
        sentence = f"nobody finished a document, so {counted(len(kept), 'document')} in progress taken as looked at"
        gathered.note("assumed", sentence, len(kept))
    there = {(document.item, document.annotator) for document in documents}
    lacking = [key for key, state in project.states.items() if state == FINISHED and key not in there]
    if lacking:
        name, user = lacking[0]
        count = counted(len(lacking), "finished document")
        gathered.note("noticed", f"{count} without a file of annotations, as {name!r} of {user!r}", len(lacking))
    return kept
