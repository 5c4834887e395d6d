"""brat standoff: a folder for each annotator, in it an .ann file beside the .txt file of each document.

    round1/ann/letter.txt    round1/ann/letter.ann
    round1/bo/letter.txt     round1/bo/letter.ann

The study has the question ``spans``, and ``relations`` and ``coreference`` where somebody marked any:

- ``T`` lines are spans, in several pieces if need be; ``A`` and ``M`` lines are their features, True where an attribute
  has no value, and so are ``N`` lines, by the name of the resource.
- ``R`` lines are relations ``[head, tail, type]``.  An ``E`` line is an event: its trigger is a span, and each of its
  arguments a relation from the trigger, called ``Type:Role``.
- ``*`` lines of the type Equiv are clusters of spans that mean the same.
- ``#`` lines are notes, and are counted.

**Offsets are checked** against the text that each line says it covers.  brat counts the characters of the file as it
is; files that came over another system have lost or gained a byte order mark or carriage returns, and other tools
count UTF-16 units.  What fits is taken, span by span where a file mixes ways of counting; positions are those in the
text without mark and carriage returns.

**Who looked?** brat wants an .ann file for every document, so an empty one cannot tell who found nothing from who never
opened it.  It counts as looked at (``empty="looked"``) unless ``empty="unseen"``.
"""

from __future__ import annotations

from typing import Unpack

from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, as_list, source_names, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, listing
from interagree.gather.gatherer import CLUSTERS, RELATIONS, SPANS, Gatherer
from interagree.gather.marks import Mark
from interagree.gather.units import UnitOptions, check_word
from interagree.readers._options import Units, unit_options
from interagree.readers.brat.files import ann_files, check_unique, files_beside, recognised
from interagree.readers.brat.offsets import fitted_spans, plain
from interagree.readers.brat.relations import joined_in, spans_of
from interagree.readers.brat.standoff import UNSEEN, read_standoff


@reader("brat standoff", suffixes=(".ann",), sniff=recognised, together=True)
def brat(
    path: Paths,
    *,
    annotator: str | None = None,
    item: str | None = None,
    empty: str = "looked",
    encoding: str = "utf-8",
    **options: Unpack[Units],
) -> Study:
    """Standoff annotations of a folder of folders, of one folder, of one file, or of several.

    Args:
        path: A folder with a folder for each annotator, the folder of one annotator, an .ann file, or a list of these.
        annotator: Who annotated, where it is one person; or a pattern of "{file}" and "{folder}".
        item: A pattern for the name of the document; else the path of the file inside the annotator's folder.
        empty: Whether an empty .ann file was "looked" at, with nothing to mark, or is "unseen".
        encoding: How the files are written.
    """
    check_word("empty", empty, ("looked", "unseen"))
    with without_garbage_collection():
        return _study(path, annotator, item, empty, encoding, unit_options(options, stated=False))


def _study(  # noqa: PLR0917 -- the options of the reader
    path: Paths, annotator: str | None, item: str | None, empty: str, encoding: str, how: UnitOptions
) -> Study:
    files = [file for given in as_list(path) for file in ann_files(given, annotator, item)]
    check_unique(files)
    sources = [file.source for file in files]
    gathered = Gatherer("brat", sources, units=how, named=source_names(path))
    read = [standoff for file in files if (standoff := read_standoff(file, empty, encoding, gathered)) is not None]
    if not read:
        names = listing(source_names(path), quote=False, most=4)
        raise FormatError(f"{names}: every .ann file is empty, and {UNSEEN} leaves them all out", hints=[UNSEEN])
    raw = {standoff.document: standoff.raw for standoff in read if standoff.raw is not None}
    for standoff in read:
        if standoff.raw is not None:
            gathered.show(standoff.document, plain(standoff.raw), standoff.source.name)
    joined = []
    for standoff in read:
        beside = raw.get(standoff.document) if standoff.raw is None else standoff.raw
        if beside is None:
            gathered.noticed(".ann file", "without a .txt: offsets not checked")
        else:
            standoff.spans = fitted_spans(standoff, beside, gathered)
        mark = Mark("spans", standoff.document, standoff.annotator, spans_of(standoff), standoff.source.name)
        gathered.add(mark, SPANS)
        joined.append((mark, *joined_in(standoff, gathered)))
    if any(links for _, links, _ in joined):
        for mark, links, _ in joined:
            gathered.add(mark._replace(question="relations", value=links), RELATIONS)
    if any(clusters for *_, clusters in joined):
        for mark, _, clusters in joined:
            gathered.add(mark._replace(question="coreference", value=clusters), CLUSTERS)
    gathered.steps += unread_files(path, sources, deep=True, beside=files_beside(path, sources))
    return gathered.study()
