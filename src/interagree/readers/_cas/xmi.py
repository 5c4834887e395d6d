"""CAS in XMI: an element for each feature structure, its features as attributes or as elements in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.gather.offsets import LONGEST, whole
from interagree.readers._cas.structures import HEAD, TAIL, Cas, Counts, Structure
from interagree.readers._cas.types import Types
from interagree.readers._peek import beginning, xml_root
from interagree.readers._xml import parse_xml

ID = "{http://www.omg.org/XMI}id"
SPACE = re.compile(r"\{http:///(?:(.*)\.ecore|([^}]*))\}(.*)", re.DOTALL)
IDS = re.compile(rf"\d{{1,{LONGEST}}}(?: +\d{{1,{LONGEST}}})*")
ALWAYS = frozenset({HEAD, TAIL, "first", "next", "target", "elements"})  # features that refer to others
NOT_FEATURES = frozenset({"sofa", "begin", "end"})


def is_xmi(path: Path) -> bool:
    """Whether a file is a CAS in XMI."""
    return xml_root(path) == "XMI" and b"uima" in beginning(path)


def read_xmi(source: Source, types: Types | None, counts: Counts) -> Cas:
    """The feature structures of a file."""
    root = parse_xml(source, root="XMI", tool="a UIMA CAS in XMI")
    counts.untyped += types is None
    cas = Cas(source.name, types or Types())
    ids = {element.get(ID, "") for element in root}
    for element in root:
        type_ = _type(element.tag)
        where = f"{source.name}, the element {type_ or element.tag!r:.60}"
        if type_ == "uima.cas.View":
            cas.members = cas.members or set()
            cas.members |= {whole(id_, where, "a member") for id_ in element.get("members", "").split()}
        elif type_ == "uima.cas.Sofa":
            text = element.get("sofaString")
            cas.texts[whole(element.get(ID), where, "'xmi:id'")] = (element.get("sofaID", ""), text)
        elif type_ != "uima.cas.NULL" and element.get(ID) is not None:
            structure = _structure(element, type_, where, cas.types, ids)
            cas.structures[structure.id] = structure
    return cas


def _type(tag: str) -> str:
    """The name of a type, which the namespace of an element and its own name make."""
    match = SPACE.fullmatch(tag)
    if match is None:
        return tag.rpartition("}")[2]
    package = (match[1] or match[2] or "").replace("/", ".").strip(".")
    return f"{package}.{match[3]}" if package and package != "noNamespace.ecore" else match[3]


def _structure(element: Element, type_: str, where: str, types: Types, ids: set[str]) -> Structure:
    made = Structure(whole(element.get(ID), where, "'xmi:id'"), type_)
    made.begin, made.end = element.get("begin"), element.get("end")
    if element.get("sofa") is not None:
        made.sofa = whole(element.get("sofa"), where, "'sofa'")
    for name, value in _features(element).items():
        plain = types.is_plain(type_, name)
        if name in ALWAYS or (plain is None and _are_ids(value, ids)) or (plain is False and IDS.fullmatch(value)):
            if IDS.fullmatch(value):
                made.refs[name] = [int(id_) for id_ in value.split()]
        elif plain is not False:
            made.plain[name] = value
    return made


def _features(element: Element) -> Mapping[str, str]:
    features = {name: value for name, value in element.attrib.items() if name not in NOT_FEATURES and "}" not in name}
    several: dict[str, list[str]] = {}
    for child in element:
        several.setdefault(child.tag.rpartition("}")[2], []).append(child.text or "")
    return features | {name: "; ".join(sorted(values)) for name, values in several.items()}


def _are_ids(value: str, ids: set[str]) -> bool:
    return bool(IDS.fullmatch(value)) and all(id_ in ids for id_ in value.split())
