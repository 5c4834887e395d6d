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

from collections.abc import Hashable, Sequence
from pathlib import Path

from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.documents.units import UnitOptions, check_options
from interagree.readers._layered_files import LayerOptions, holds_only, study_of_files
from interagree.readers._peek import beginning
from interagree.readers._webanno.rows import Fitting, is_older, is_three, read_table

SUFFIXES = (".tsv",)


def recognised(path: Path) -> bool:
    """Whether a file is of WebAnno, or a folder, itself or in its folders, holds such files and no other tables."""
    if not path.is_dir():
        head = beginning(path)
        return is_three(head) or is_older(head)
    return holds_only(path, SUFFIXES, recognised)


@reader("WebAnno TSV 3", suffixes=SUFFIXES, sniff=recognised, together=True)
def webanno_tsv(
    path: Paths,
    *,
    item: str | None = None,
    annotator: str | None = None,
    gold: str = "drop",
    empty: str = "looked",
    asked: str = "all",
    duplicates: str = "last",
    questions: str | Sequence[str] | None = None,
    looked: str | Sequence[Hashable] = "marked",
    points: str = "drop",
    **options: object,
) -> Study:
    """The layers of documents that several people annotated.

    Args:
        path: A folder of files, of folders of them, a file, or a list of these.
        item: A pattern for the name of the document, of "{file}" and "{folder}".
        annotator: A pattern for the name of the annotator, likewise, or a name.
        gold: "drop" curated documents, or put them "apart" as those of an annotator called 'ground truth'.
        empty: Whether a document without any annotation was "looked" at or is "unseen".
        asked: Whether "all" were asked for every layer, or those who "marked" something of it.
        duplicates: Not needed, since an annotator has a document once.
        questions: Those to read.
        looked: "marked", "all", or the annotators who looked at every document.
        points: "drop" or "keep" spans without length.
        options: None further.
    """
    check_options("WebAnno TSV", options, ("item", "annotator", "gold", "empty", "asked", "questions"))
    units = UnitOptions(looked, points, once=True, stated=False)
    asking = questions
    chosen = LayerOptions(item, annotator, gold, empty, asked, duplicates, asking, units)
    fitting = Fitting()
    return study_of_files("WebAnno", path, SUFFIXES, lambda source: read_table(source, fitting), fitting.steps, chosen)
