"""GATE: documents in XML with annotation sets, and bdoc JSON (.bdocjs) as gatenlp writes it.

**Annotators** are the named annotation sets of a document, and the document is the file.  The set without a name and
*Original markups* are those of nobody, and so are sets whose name begins with *safe.*; *consensus* is left out, or with
``gold="apart"`` the annotator *ground truth*.  Where only the set without a name holds annotations, files of one text
are of several annotators; else ``annotator=`` says who it was: a name, or a pattern of "{file}", "{folder}" and
"{set}".  ``sets=`` names those to read.

**Questions** are types of annotations; a type of which several features are used is a question for each, as
*Person.gender*, and the values of the feature are the labels.  Where types are labels of one question, as *Person* and
*Location* for names, ``types="labels"`` makes them those of the question ``spans``, and features go with the spans.

**Who looked?** All annotators of a study are asked for all types that somebody marked (``asked="all"``); with
``asked="marked"`` who marked nothing of a type in any document was not asked for it.  What is taken is said.

**Offsets** of XML are taken from the nodes in the text; those of bdoc count UTF-16 units or characters, as it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span
from interagree.gather.units import check_word
from interagree.readers._layers import Annotated, gather
from interagree.readers._options import Layers, unit_options
from interagree.readers._peek import json_head, xml_root
from interagree.readers.gate.documents import read_document
from interagree.readers.gate.people import of_annotators

SUFFIXES = (".xml", ".bdocjs")
SPANS = "spans"


def recognised(path: Path) -> bool:
    """Whether a file is a document of GATE."""
    if path.is_dir():
        return False
    if Source.of(path).suffix == ".xml":
        return xml_root(path) == "GateDocument"
    head = json_head(path)
    return head is not None and {"text", "annotation_sets"} <= head.at()


@reader("GATE", suffixes=SUFFIXES, sniff=recognised, together=True)
def gate(
    path: Paths,
    *,
    item: str = "{file}",
    annotator: str | None = None,
    sets: str | Sequence[str] | None = None,
    types: str = "questions",
    **options: Unpack[Layers],
) -> Study:
    """The annotation sets of documents.

    Args:
        path: A file, a folder of files, or a list of them.
        item: A pattern for the name of the document, of "{file}" and "{folder}".
        annotator: A pattern for the name of the annotator, of "{set}", "{file}" and "{folder}", or a name.
        sets: The names of the annotation sets to read; "" is the one without a name.
        types: Whether types of annotations are "questions", or "labels" of one.
        asked: Whether "all" were asked for every type, or those who "marked" something of it.
        gold: "drop" the set 'consensus', or put it "apart" as that of an annotator called 'ground truth'.
        points: "drop" or "keep" annotations without length.
    """
    check_word("types", types, ("questions", "labels"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("GATE", sources, duplicates=options["duplicates"], units=unit_options(options, stated=False))
    gathered.steps += unread_files(path, sources, deep=False)
    named = [sets] if isinstance(sets, str) else sets
    documents = of_annotators(
        [read_document(source) for source in sources], item, annotator, named, options["gold"], gathered
    )
    if types == "labels":
        _of_one_question(gathered, documents)
    else:
        gather(gathered, documents, empty="looked", asked=options["asked"])
    return gathered.study(options["questions"])


def _of_one_question(gathered: Gatherer, documents: Sequence[Annotated]) -> None:
    """Types as the labels of one question."""
    for document in documents:
        if document.text is not None:
            gathered.show(document.item, document.text, document.where)
        spans = [
            Span(mark.start, mark.end, mark.layer, features=tuple(sorted(mark.features.items())))
            for mark in document.marks
        ]
        gathered.add(Mark(SPANS, document.item, document.annotator, spans, document.where), SPANS)
