"""Files of documents with layers of annotations, of each annotator in a file of their own.

    letter.txt/ann.xmi   letter.txt/bo.xmi     a folder for each document, as INCEpTION exports them
    ann/letter.tsv       bo/letter.tsv         a folder for each annotator
    ann.tsv              bo.tsv                a folder of one document

Which of these it is shows in the texts, as `gather.whose` says: files of one document have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from interagree.data.files import Source
from interagree.data.paths import Paths, unread_files
from interagree.data.provenance import Step
from interagree.data.study import Study
from interagree.errors import listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.layers import Annotated, gather, without_others
from interagree.gather.units import check_different
from interagree.gather.whose import by_text, files_below, hidden
from interagree.readers._options import LayeredFiles, unit_options

LOOKED_AT = 50  # files of a folder that are looked at to recognise it


def holds_only(path: Path, suffixes: Sequence[str], recognised: Callable[[Path], bool]) -> bool:
    """Whether a folder, itself or in its folders, holds files of some endings, and only such as are recognised."""
    if any(path.glob("exportedproject*.json")):  # a project of INCEpTION, which says more
        return False
    inside = (file for depth in ("*", "*/*", "*/*/*") for file in path.glob(depth))
    fitting = (file for file in inside if file.suffix.lower() in suffixes and not hidden(file, path) and file.is_file())
    files = list(islice(fitting, LOOKED_AT))
    return bool(files) and all(recognised(file) for file in files)


def study_of_files(
    tool: str,
    path: Paths,
    suffixes: Sequence[str],
    read: Callable[[Source, Gatherer], Annotated],
    options: LayeredFiles,
) -> Study:
    """The study that files of annotated documents are.

    Args:
        tool: Whose files they are.
        path: Files or folders.
        suffixes: How they end.
        read: What reads one.
        options: What the caller said.
    """
    if options["item"] is not None:
        check_different(options["item"], options["annotator"])
    ends = f"a file that ends in {listing(suffixes, quote=False)}"
    sources = files_below(path, lambda file: Source.of(file).suffix in suffixes, lacking=ends)
    gathered = Gatherer(tool, sources, duplicates=options["duplicates"], units=unit_options(options, stated=False))
    documents, taken = assign(
        [(source, read(source, gathered)) for source in sources], options["item"], options["annotator"]
    )
    folders = {source.path.parent for source in sources if source.path is not None}
    types = {place / "TypeSystem.xml" for folder in folders for place in (folder, folder.parent)}
    gathered.steps += [*taken, *unread_files(path, sources, deep=True, beside=types)]
    kept = without_others(documents, options["gold"], gathered)
    gather(gathered, kept, empty=options["empty"], asked=options["asked"])
    return gathered.study(options["questions"])


def assign(
    documents: Sequence[tuple[Source, Annotated]], item: str | None, annotator: str | None
) -> tuple[list[Annotated], list[Step]]:
    """Give documents their items and annotators, by patterns or by their texts, and say how."""
    files, steps = by_text([(source, document.text) for source, document in documents], item, annotator)
    for (_, document), file in zip(documents, files, strict=True):
        document.item, document.annotator = file.document, file.annotator
    return [document for _, document in documents], steps
