"""Types of feature structures: which are derived from which, and what their features hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.readers._xml import local, parse_xml

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
SEGMENTS = f"{DKPRO}segmentation.type."
OPEN_SEGMENTS = frozenset(f"{SEGMENTS}{name}" for name in ("Lemma", "Stem", "SurfaceForm"))
TOKEN = f"{SEGMENTS}Token"
ANNOTATION, DOCUMENT = "uima.tcas.Annotation", "uima.tcas.DocumentAnnotation"
# What tools write for themselves: metadata, the layout of XML and PDF files, and their own notes.
ASIDE = (
    f"{DKPRO}metadata.",
    f"{DKPRO}structure.",
    f"{DKPRO}xml.",
    "org.dkpro.core.api.xml.",
    "org.dkpro.core.api.pdf.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "de.tudarmstadt.ukp.inception.",
)
ELEVATED = re.compile(rf"({re.escape(DKPRO)}lexmorph\.type\.pos\.)(?:tweet\.)?POS_\w+")
PLAIN = frozenset(
    f"uima.cas.{name}" for name in ("String", "Boolean", "Integer", "Long", "Short", "Byte", "Float", "Double")
)
TEXTS = frozenset({"uima.cas.StringArray", "uima.cas.String[]", "uima.cas.StringList"})


@dataclass
class Types:
    """What is known of types; nothing where a file comes without its types."""

    parents: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, str]] = field(default_factory=dict)  # of features, by type

    def layer(self, type_: str) -> str:
        """The layer that a type belongs to: itself, or what it is derived from in DKPro Core, as POS_NOUN from POS."""
        elevated = ELEVATED.fullmatch(type_)
        if elevated is not None:
            return f"{elevated[1]}POS"
        seen = {type_}
        while type_.startswith(DKPRO):
            parent = self.parents.get(type_, "")
            if not parent.startswith(DKPRO) or parent in seen:
                break
            seen.add(parent)
            type_ = parent
        return type_

    def range(self, type_: str, feature: str) -> str | None:
        """What a feature of a type holds; None where it is not known."""
        seen: set[str] = set()
        while type_ and type_ not in seen:
            seen.add(type_)
            if feature in self.ranges.get(type_, {}):
                return self.ranges[type_][feature]
            type_ = self.parents.get(type_, "")
        return None

    def is_plain(self, type_: str, feature: str) -> bool | None:
        """Whether a feature is a text, a number or true or false; None where it is not known."""
        range_ = self.range(type_, feature)
        if range_ is None:
            return None
        return range_ in PLAIN or range_ in TEXTS or self.parents.get(range_) == "uima.cas.String"


def is_aside(layer: str) -> bool:
    """Whether feature structures of a type are not what people annotate."""
    if layer == ANNOTATION or layer in OPEN_SEGMENTS:
        return False
    return layer.startswith(("uima.", SEGMENTS, *ASIDE))


def types_of_xml(source: Source) -> Types:
    """The types that a type system description declares; many files of a project have the same."""
    try:
        return _declared(source.read())
    except FormatError as error:
        raise error.at(source.name) from None


@lru_cache(maxsize=8)
def _declared(content: bytes) -> Types:
    source = Source("the type system", None, content)
    root = parse_xml(source, root="typeSystemDescription", tool="a UIMA type system")
    made = Types()
    for description in (element for element in root.iter() if local(element) == "typeDescription"):
        name = _child(description, "name")
        made.parents[name] = _child(description, "supertypeName")
        features = [element for element in description.iter() if local(element) == "featureDescription"]
        made.ranges[name] = {_child(feature, "name"): _child(feature, "rangeTypeName") for feature in features}
    return made


def _child(element: Element, name: str) -> str:
    return next(((child.text or "").strip() for child in element if local(child) == name), "")


def types_beside(source: Source) -> Types | None:
    """The types of an XMI file: in a file TypeSystem.xml beside it, or in the folder above."""
    if source.path is None:
        return None
    folder = source.path.resolve().parent
    for place in (folder, folder.parent):
        file = place / "TypeSystem.xml"
        if file.is_file():
            return types_of_xml(Source.of(file))
    return None


def types_of_json(declared: Mapping[str, object]) -> Types:
    """The types that a CAS in JSON declares."""
    made = Types()
    for name, entry in declared.items():
        if not isinstance(entry, dict):
            continue
        made.parents[name] = str(entry.get("%SUPER_TYPE", ""))
        made.ranges[name] = {
            feature: str(about.get("%RANGE", ""))
            for feature, about in entry.items()
            if not feature.startswith("%") and isinstance(about, dict)
        }
    return made
