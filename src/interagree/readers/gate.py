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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Unpack
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.data.paths import Paths, fill_pattern, pattern_words
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, ReaderHint, UnknownName, expected, listing
from interagree.gather.gatherer import SPANS, Gatherer
from interagree.gather.layers import GROUND_TRUTH, Annotated, LayerSpan, gather
from interagree.gather.marks import Mark, Span
from interagree.gather.offsets import from_utf16, in_text, whole
from interagree.readers._layered_files import assign
from interagree.readers._options import Layers, unit_options
from interagree.readers._peek import json_head, xml_root
from interagree.readers._rows import Row, object_of
from interagree.readers._xml import parse_xml

SUFFIXES = (".xml", ".bdocjs")
NAMELESS = ""
MARKUP = "Original markups"
PROTECTED = "safe."
CONSENSUS = "consensus"
SET = "{set}"


def recognised(path: Path) -> bool:
    """Whether a file is a document of GATE."""
    return xml_root(path) == "GateDocument" or {"text", "annotation_sets"} <= json_head(path).at()


@reader("GATE", suffixes=SUFFIXES, sniff=recognised, together=True)
def gate(
    path: Paths,
    *,
    item: str = "{file}",
    annotator: str | None = None,
    sets: str | Sequence[str] | None = None,
    types: Literal["questions", "labels"] = "questions",
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
    units = unit_options(options, stated=False)
    gathered = Gatherer.of_files("GATE", path, SUFFIXES, duplicates=options["duplicates"], units=units)
    named = [sets] if isinstance(sets, str) else sets
    read = [_of_json(one, gathered) if one.suffix == ".bdocjs" else _of_xml(one) for one in gathered.sources]
    documents = _of_annotators(read, item, annotator, named, options["gold"], gathered)
    if types == "questions":
        gather(gathered, documents, empty="looked", asked=options["asked"])
    for document in documents if types == "labels" else ():
        if document.text is not None:
            gathered.show(document.item, document.text, document.where)
        spans = [
            Span(mark.start, mark.end, mark.layer, features=tuple(sorted(mark.features.items())))
            for mark in document.marks
        ]
        gathered.add(Mark(SPANS, document.item, document.annotator, spans, document.where), SPANS)
    return gathered.study(options["questions"])


@dataclass
class GateDocument:
    """A document: its text, and the annotations of each set."""

    source: Source
    text: str
    sets: dict[str, list[LayerSpan]] = field(default_factory=dict)


# -- XML ----------------------------------------------------------------------------------------------------


def _of_xml(source: Source) -> GateDocument:
    root = parse_xml(source, root="GateDocument", tool="a document of GATE")
    content = root.find("TextWithNodes")
    if content is None:
        raise FormatError(f"{source.name}: expected the text in an element 'TextWithNodes', found none")
    text, nodes = _nodes(source, content)
    document = GateDocument(source, text)
    for element in root.iterfind("AnnotationSet"):
        name = element.get("Name", NAMELESS)
        if name in document.sets:
            raise FormatError(f"{source.name}: two annotation sets are called {name!r:.60}")
        document.sets[name] = [_mark(source, annotation, nodes) for annotation in element.iterfind("Annotation")]
    return document


def _nodes(source: Source, content: Element) -> tuple[str, dict[str, int]]:
    """The text, and where its nodes are."""
    parts, size = [content.text or ""], len(content.text or "")
    nodes: dict[str, int] = {}
    for node in content:
        name = node.get("id", "")
        if node.tag != "Node" or name in nodes:
            raise FormatError(
                f"{source.name}: expected nodes with ids of their own in the text, found {name!r:.60} again"
            )
        nodes[name] = size
        parts.append(node.tail or "")
        size += len(parts[-1])
    return "".join(parts), nodes


def _mark(source: Source, annotation: Element, nodes: dict[str, int]) -> LayerSpan:
    type_ = annotation.get("Type")
    where = f"{source.name}, the annotation {annotation.get('Id', '')!r:.20}"
    if type_ is None:
        raise FormatError(f"{where}: expected a type, found none")
    places = []
    for name in ("StartNode", "EndNode"):
        node = annotation.get(name, "")
        if node not in nodes:
            raise FormatError(f"{where}: there is no node {node!r:.40} in the text")
        places.append(nodes[node])
    if places[1] < places[0]:
        raise FormatError(f"{where}: it ends before it starts")
    features = {
        feature.findtext("Name") or "": feature.findtext("Value") or "" for feature in annotation.iterfind("Feature")
    }
    return LayerSpan(type_, places[0], places[1], features)


# -- bdoc JSON ----------------------------------------------------------------------------------------------


def _of_json(source: Source, gathered: Gatherer) -> GateDocument:
    content = object_of(source, "a document, an object")
    text, counts = content.field("text", str), content.cells.get("offset_type", "p")
    if counts not in ("j", "p"):
        raise expected(source.name, "'j' or 'p' in 'offset_type'", counts)
    made = GateDocument(source, text)
    sets = content.inside("annotation_sets")
    for name in sets.cells:
        annotations = sets.inside(name).each("annotations")
        made.sets[name] = [_entry(text, raw, gathered, utf16=counts == "j") for raw in annotations]
    return made


def _entry(text: str, raw: Row, gathered: Gatherer, *, utf16: bool) -> LayerSpan:
    start, end = (whole(raw.cells.get(side), raw.where) for side in ("start", "end"))
    place = (from_utf16 if utf16 else in_text)(text, start, end, raw.where)
    features = raw.field("features", dict, {})
    kept = {name: value for name, value in features.items() if isinstance(value, str | int | float)}
    plain = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in kept.items()}
    nested = len(features) - len(plain) - list(features.values()).count(None)
    gathered.left_out("feature", "with a value that is neither text nor number left out", nested)
    return LayerSpan(raw.field("type", str), *place, plain)


# -- who annotated ------------------------------------------------------------------------------------------


def _of_annotators(  # noqa: PLR0917 -- what the caller of the reader said
    documents: Sequence[GateDocument],
    item: str,
    annotator: str | None,
    sets: Sequence[str] | None,
    gold: str,
    gathered: Gatherer,
) -> list[Annotated]:
    """What each annotator has of each document."""
    chosen = _chosen(documents, annotator, sets)
    _count_others(documents, chosen, gold, gathered)
    if annotator is None and chosen == [NAMELESS]:
        return _by_file(documents, gathered)
    pattern = annotator or SET
    gathered.note("taken", f"documents from {item}, annotators from {pattern}")
    made: dict[tuple[str, str], Annotated] = {}
    for document, name in ((one, name) for one in documents for name in chosen if name in one.sets):
        words = {**pattern_words(document.source), "set": name}
        key = (
            fill_pattern(item, words, option="item"),
            GROUND_TRUTH if name == CONSENSUS else fill_pattern(pattern, words, option="annotator"),
        )
        if key in made:
            raise DuplicateAnnotation(
                f"{document.source.name}: {key[1]!r} has the document {key[0]!r} twice, before in {made[key].where}; "
                f"say which annotation sets to read, as in {(hint := ReaderHint('sets', [name]))}",
                hints=[hint],
            )
        where = f"{document.source.name}, annotation set {name!r}"
        made[key] = Annotated(*key, where, document.text, document.sets[name])
    return list(made.values())


def _chosen(documents: Sequence[GateDocument], annotator: str | None, sets: Sequence[str] | None) -> list[str]:
    """The sets to read."""
    names = list(dict.fromkeys(name for document in documents for name in document.sets))
    if sets is not None:
        for name in sets:
            if name not in names:
                raise UnknownName(f"there is no annotation set {name!r}; there are {listing(names)}")
        return list(sets)
    named = [name for name in names if name not in {NAMELESS, MARKUP} and not name.startswith(PROTECTED)]
    nameless = any(document.sets.get(NAMELESS) for document in documents)
    stated = annotator is not None and SET not in annotator
    return [NAMELESS] if nameless and (stated or not named) else named


def _count_others(documents: Sequence[GateDocument], chosen: list[str], gold: str, gathered: Gatherer) -> None:
    """Count what is in other sets; the agreed one is left out, or kept apart."""
    if CONSENSUS in chosen and gold == "drop":
        chosen.remove(CONSENSUS)
        times = sum(CONSENSUS in document.sets for document in documents)
        apart = ReaderHint("gold", "apart")
        rest = Advice.of("'consensus' left out (", apart, f" makes it the annotator {GROUND_TRUTH!r})")
        gathered.left_out("set", rest, times)
    for name in dict.fromkeys(name for document in documents for name in document.sets):
        if name in chosen or name == CONSENSUS:
            continue
        times = sum(len(document.sets.get(name, ())) for document in documents)
        of = repr(name) if name else "without a name"
        gathered.left_out("annotation", f"of the set {of} left out, which is not an annotator's", times)


def _by_file(documents: Sequence[GateDocument], gathered: Gatherer) -> list[Annotated]:
    """Files as annotators, where those of one document have the same text."""
    texts = [document.text for document in documents]
    if len(set(texts)) == len(texts):
        who, by_set = Hint("annotator", "{folder}"), Hint("annotator", "ann")
        raise FormatError(
            f"{documents[0].source.name}: annotations are in the set without a name alone, which does not say who made "
            f"them; pass {who} where each annotator has a folder, or {by_set} with the name of the one who did",
            hints=[who, by_set],
        )
    read = [
        (document.source, Annotated("", "", document.source.name, document.text, document.sets.get(NAMELESS, [])))
        for document in documents
    ]
    annotated, steps = assign(read, None, None)
    gathered.steps += steps
    return annotated
