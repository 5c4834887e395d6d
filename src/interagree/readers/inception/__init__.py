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

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from interagree.data.archives import unpacking
from interagree.data.files import Source
from interagree.data.paths import Paths, as_list
from interagree.data.study import Study
from interagree.declare import reader
from interagree.gather.gatherer import Gatherer
from interagree.readers._layers import gather, without_others
from interagree.readers._options import Layers, unit_options
from interagree.readers.inception.files import Files, is_project, opened
from interagree.readers.inception.states import by_state, project_of, wanted_states


def recognised(path: Path) -> bool:
    """Whether a folder is a project."""
    return path.is_dir() and is_project(path)


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
            files = Files(project.users)
            documents = list(files.documents(folder))
            gathered.steps += files.steps()
            kept += by_state(without_others(documents, options["gold"], gathered), project, wanted, gathered)
    kept.sort(key=lambda document: (str(document.item), document.annotator))
    gather(gathered, kept, empty="looked", asked=options["asked"])
    return gathered.study(options["questions"])
