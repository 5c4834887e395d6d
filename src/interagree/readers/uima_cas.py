"""UIMA CAS, as INCEpTION and DKPro write them: XMI with a file TypeSystem.xml, or CAS JSON.

    TypeSystem.xml
    letter.txt/ann.xmi
    letter.txt/bo.xmi
    letter.txt/CURATION_USER.xmi

**Documents and annotators.** A folder is a document and a file an annotator, or the other way round where files of one
name have the same text; ``annotator="{folder}"`` and ``item="{file}"`` say it.  The files of curation are those of no
annotator: they are left out, or with ``gold="apart"`` are the annotator *ground truth*.  A whole project of INCEpTION
says also who finished what: see `inception`.

**Questions** are types of annotations, called by the last part of their name; one of which several features are used is
a question for each, as *NamedEntity.value*.  Texts, numbers and true or false are labels.  Annotations with a Governor
and a Dependent are relations, lists of roles with targets relations from their host, chains clusters; what is said of a
document as a whole is a label of it.  Tokens, sentences and metadata are not questions; types that DKPro derives from
others, as POS_NOUN from POS, are taken as these.

**Who looked?** A file without any annotation counts as looked at (``empty="looked"``), unless ``empty="unseen"``.  All
types that somebody used are asked of everybody (``asked="all"``), or of those who used them (``asked="marked"``).

**Offsets** count UTF-16 units and are made characters.  Binary CAS files (.ser) are not read: export XMI.
"""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.readers._cas import is_cas_json, is_xmi, read_cas
from interagree.readers._layered_files import holds_only, study_of_files
from interagree.readers._options import LayeredFiles

SUFFIXES = (".xmi", ".json")


def recognised(path: Path) -> bool:
    """Whether a file is a CAS, or a folder, itself or in its folders, holds CAS and no other XMI or JSON files."""
    if not path.is_dir():
        return is_xmi(path) if Source.of(path).suffix == ".xmi" else is_cas_json(path)
    return holds_only(path, SUFFIXES, recognised)


@reader("UIMA CAS (XMI, JSON)", suffixes=SUFFIXES, sniff=recognised, together=True)
def uima_cas(path: Paths, **options: Unpack[LayeredFiles]) -> Study:
    """The annotations of documents, of each annotator in a file.

    Args:
        path: A folder of files, of folders of them, a file, or a list of these.
    """
    return study_of_files("UIMA CAS", path, SUFFIXES, read_cas, options)
