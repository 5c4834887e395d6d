"""Documents of GATE as they stand in files: a text, and sets of annotations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.gather.offsets import from_utf16, in_text, whole
from interagree.readers._layers import LayerSpan
from interagree.readers._rows import field_of
from interagree.readers._xml import parse_xml

NAMELESS = ""


@dataclass
class GateDocument:
    """A document: its text, and the annotations of each set."""

    source: Source
    text: str
    sets: dict[str, list[LayerSpan]] = field(default_factory=dict)


def read_document(source: Source) -> GateDocument:
    """The document in a file."""
    return _of_json(source) if source.suffix == ".bdocjs" else _of_xml(source)


# -- XML ---------------------------------------------------------------------------------------------------------


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


# -- bdoc JSON ---------------------------------------------------------------------------------------------------


def _of_json(source: Source) -> GateDocument:
    content = source.json()
    if not isinstance(content, dict):
        raise FormatError(f"{source.name}: expected a document, an object, found {content!r:.60}")
    text = field_of(content, "text", str, source.name)
    counts = content.get("offset_type", "p")
    if counts not in ("j", "p"):
        raise FormatError(f"{source.name}: expected 'j' or 'p' in 'offset_type', found {counts!r:.60}")
    document = GateDocument(source, text)
    for name, entry in field_of(content, "annotation_sets", dict, source.name).items():
        where = f"{source.name}, /annotation_sets/{name}"
        if not isinstance(entry, dict):
            raise FormatError(f"{where}: expected an object, found {entry!r:.60}")
        annotations = field_of(entry, "annotations", list, where)
        document.sets[name] = [
            _entry(text, raw, f"{where}/annotations/{at}", utf16=counts == "j") for at, raw in enumerate(annotations)
        ]
    return document


def _entry(text: str, raw: object, where: str, *, utf16: bool) -> LayerSpan:
    if not isinstance(raw, dict):
        raise FormatError(f"{where}: expected an object, found {raw!r:.60}")
    start, end = whole(raw.get("start"), where), whole(raw.get("end"), where)
    place = from_utf16(text, start, end, where) if utf16 else in_text(text, start, end, where)
    features = raw.get("features") or {}
    if not isinstance(features, dict):
        raise FormatError(f"{where}: expected an object in 'features', found {features!r:.60}")
    plain = {name: _plain(value) for name, value in features.items() if isinstance(value, str | int | float)}
    return LayerSpan(field_of(raw, "type", str, where), *place, plain)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
