"""WebAnno TSV 3: tables of tokens with a column for each feature, as WebAnno and INCEpTION export them.

    letter.txt/ann.tsv
    letter.txt/bo.tsv
    letter.txt/CURATION_USER.tsv

**Documents and annotators.** A folder is a document and a file an annotator, or the other way round where files of one
name have the same text; ``annotator="{folder}"`` and ``item="{file}"`` say it.  The files of curation (CURATION_USER,
curator) are those of no annotator: they are left out, or with ``gold="apart"`` are the annotator *ground truth*.

**Questions** are layers, called by the last part of their name; a layer of which several features are used is a
question for each, as *NamedEntity.value*.  Spans may be stacked, reach over several tokens, or be a part of one.
Relation layers are relations from the governor to the dependent, slots relations from their host by the role, chains
clusters, and what is said of their members the question *Coreference.referenceType*.

**Who looked?** A file without any annotation counts as looked at (``empty="looked"``), unless ``empty="unseen"``.  All
layers that somebody used are asked of everybody (``asked="all"``), or of those who used them (``asked="marked"``).

**Offsets** count UTF-16 units, and are checked by the tokens; files of other programs that count characters are read as
well.  Versions 1 and 2 of the format do not say where tokens are, and are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.readers._layered_files import holds_only, study_of_files
from interagree.readers._options import LayeredFiles
from interagree.readers._peek import beginning
from interagree.readers._webanno import is_older, is_three, read_table

SUFFIXES = (".tsv",)


def recognised(path: Path) -> bool:
    """Whether a file is of WebAnno, or a folder, itself or in its folders, holds such files and no other tables."""
    if not path.is_dir():
        head = beginning(path)
        return is_three(head) or is_older(head)
    return holds_only(path, SUFFIXES, recognised)


@reader("WebAnno TSV 3", suffixes=SUFFIXES, sniff=recognised, together=True)
def webanno_tsv(path: Paths, **options: Unpack[LayeredFiles]) -> Study:
    """The layers of documents that several people annotated.

    Args:
        path: A folder of files, of folders of them, a file, or a list of these.
    """
    return study_of_files("WebAnno", path, SUFFIXES, read_table, options)
