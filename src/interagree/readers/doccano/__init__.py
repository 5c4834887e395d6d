"""doccano: the files of a project's members, JSONL, JSON or CSV, in a folder or an archive.

    export/ann.jsonl
    export/bo.jsonl

**Annotators** are files: doccano writes one for each member, called after them.  A project whose members share their
annotations is exported as ``all.jsonl``, which does not say who annotated what; it is refused, unless ``annotator=``
says whose it is.  ``unknown.jsonl`` holds what nobody annotated and is left out.  Old exports name the user in each of
their ``annotations``.

**Questions.** ``label``, ``labels`` or ``entities`` that are stretches of the text are the question ``spans``, with
``relations`` between them by their ends, since the ids of entities are each annotator's own.  Labels of a text or a
picture are the question ``label``, and so are the texts of translations, captions and transcripts; labels are told from
texts by whether they come again, and ``strings=`` says it.  Also ``cats`` beside spans, ``bbox`` and ``segmentation``.

**Items** are examples by their ``id``, which no two projects of a server share; where the files of annotators have no
id in common and the same texts, they are joined by their text.  ``item="text"`` says so, and ``item="id"`` forbids it.
Examples without an id are told by their text.

**Who looked?** doccano writes an empty list for who marked nothing as for who never saw the example.  An empty list of
spans, boxes, segments, or labels where somebody chose several, counts as looked at (``empty="looked"``), unless
``empty="unseen"``; export only approved examples to be sure.  Who marked nothing in any example did not take part, and
the file of a member who approved nothing is empty.  Where one label is chosen, none is not an answer.

**Offsets** count characters, or, where the project counts grapheme clusters as one, such clusters:
``offsets="graphemes"``.  One that lies outside its text is an error.  Comments are counted and left out.
"""

from __future__ import annotations

from typing import Unpack

from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import check_word
from interagree.readers._options import Spans, unit_options
from interagree.readers.doccano.records import SUFFIXES, all_records, recognised


@reader("doccano", suffixes=SUFFIXES, sniff=recognised, together=True)
def doccano(
    path: Paths,
    *,
    item: str | None = None,
    annotator: str | None = None,
    duplicates: str = "last",
    strings: str | None = None,
    empty: str = "looked",
    offsets: str = "characters",
    **options: Unpack[Spans],
) -> Study:
    """The examples of a project, as each of its members annotated them.

    Args:
        path: A file for each member, as a folder or a list; one file.
        item: "id", "text" (of a picture or a recording: its file), or the name of another entry.
        annotator: "{file}", "{folder}", a name, or the entry of a record that holds it.
        duplicates: Of several records of one example by one person take the "last", the "first", or stop with an
            "error".
        strings: Whether those under ``label`` are "labels", "sets" of labels, or "texts".
        empty: Whether an example in which nothing is marked, or none of several labels chosen, was "looked" at or is
            "unseen".
        offsets: What they count: "characters" or "graphemes".
    """
    # What reads is loaded when it is needed, not to tell that a file is of another tool.
    from interagree.readers.doccano.people import answered_by, of_members
    from interagree.readers.doccano.questions import Options, gather

    check_word("empty", empty, ("looked", "unseen"))
    check_word("offsets", offsets, ("characters", "graphemes"))
    if strings is not None:
        check_word("strings", strings, ("labels", "sets", "texts"))
    files = list(files_in(path, SUFFIXES))
    gathered = Gatherer("doccano", files, duplicates=duplicates, units=unit_options(options, stated=False))
    gathered.steps += unread_files(path, files, deep=False)
    with without_garbage_collection():
        of_file = {file: list(all_records(file, gathered.steps)) for file in of_members(files, annotator, gathered)}
        empty_files = [file.stem for file, records in of_file.items() if not records]  # of who approved no example
        gathered.left_out("file", f"without an example left out ({listing(empty_files)})", len(empty_files))
        every = [record for records in of_file.values() for record in records]
        gather(gathered, answered_by(every, annotator, gathered), Options(item, strings, empty, offsets))
        return gathered.study(options["questions"])
