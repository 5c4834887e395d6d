"""UIMA's common analysis structures, as XMI and as JSON: typed feature structures over a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.layers import Annotated, Arc, Chain, LayerSpan, Said
from interagree.gather.offsets import LONGEST, from_utf16, whole
from interagree.readers._peek import beginning, json_head, xml_root
from interagree.readers._rows import list_in, object_of
from interagree.readers._xml import local, parse_xml, text_in

HEAD, TAIL = "Governor", "Dependent"
FIRST, NEXT, TARGET, ROLE = "first", "next", "target", "role"
INITIAL = "_InitialView"
NOWHERE = ("relation or slot", "without one of its ends left out")
STRUCTURES, TYPES, VIEWS = "%FEATURE_STRUCTURES", "%TYPES", "%VIEWS"
LEGACY = ("_context", "_views")
ID = "{http://www.omg.org/XMI}id"
SPACE = re.compile(r"\{http:///(?:(.*)\.ecore|([^}]*))\}(.*)", re.DOTALL)
IDS = re.compile(rf"\d{{1,{LONGEST}}}(?: +\d{{1,{LONGEST}}})*")
ALWAYS = frozenset({HEAD, TAIL, "first", "next", "target", "elements"})  # features that refer to others
NOT_FEATURES = frozenset({"sofa", "begin", "end"})
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
SEGMENTS = f"{DKPRO}segmentation.type."
OPEN_SEGMENTS = frozenset(f"{SEGMENTS}{name}" for name in ("Lemma", "Stem", "SurfaceForm"))
TOKEN = f"{SEGMENTS}Token"
ANNOTATION = "uima.tcas.Annotation"
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
NUMBERS = ("Boolean", "Integer", "Long", "Short", "Byte", "Float", "Double")
TEXTS = ("String", "StringArray", "String[]", "StringList")
PLAIN = frozenset(f"uima.cas.{name}" for name in (*NUMBERS, *TEXTS))


def read_cas(source: Source, gathered: Gatherer) -> Annotated:
    """What people annotated in a document."""
    if source.suffix == ".ser":
        raise FormatError(f"{source.name} is a binary CAS, which only Java reads; export the document as UIMA CAS XMI")
    types = types_beside(source)
    cas = read_json(source, types, gathered) if source.suffix == ".json" else read_xmi(source, types, gathered)
    return annotated(cas, gathered)


# -- feature structures made layers -------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Structure:
    """A feature structure: plain features by name, and the ids that others refer to."""

    id: int
    type: str
    plain: dict[str, str] = field(default_factory=dict)
    refs: dict[str, list[int]] = field(default_factory=dict)
    begin: object = None
    end: object = None
    sofa: int | None = None

    @property
    def placed(self) -> bool:
        """Whether it lies over a stretch of the text."""
        return self.begin is not None and self.end is not None


@dataclass
class Cas:
    """All feature structures of a document."""

    name: str
    types: Types
    structures: dict[int, Structure] = field(default_factory=dict)
    texts: dict[int, tuple[str, str | None]] = field(default_factory=dict)  # the name and the text of each sofa
    members: set[int] | None = None  # what is in an index; all where that is not said


def annotated(cas: Cas, gathered: Gatherer) -> Annotated:
    """What people annotated in a document."""
    # The number and the text of the view that people see.
    views = [(id_, text, name != INITIAL) for id_, (name, text) in cas.texts.items()]
    sofa, text, _ = min(views, key=lambda view: view[2], default=(None, None, False))
    document = Annotated("", "", cas.name, text)
    layers = {name: cas.types.layer(name) for name in {structure.type for structure in cas.structures.values()}}
    marks: dict[int, LayerSpan] = {}
    here = [structure for structure in cas.structures.values() if cas.members is None or structure.id in cas.members]
    for structure in cas.structures.values():
        if structure.placed and structure.sofa in {sofa, None}:
            where = f"{cas.name}, the structure {structure.id}"
            start, end = whole(structure.begin, where, "'begin'"), whole(structure.end, where, "'end'")
            place = from_utf16(text or "", start, end, where) if text is not None else (start, end)
            marks[structure.id] = LayerSpan(layers[structure.type], *place, structure.plain)
    chained = _chains(cas, here, marks, document)
    for structure in here:
        layer = layers[structure.type]
        if structure.placed and structure.sofa not in {sofa, None}:
            gathered.left_out("annotation", f"of another view than {INITIAL} left out", not is_aside(layer))
        elif structure.type == TOKEN and structure.id in marks:
            document.tokens.append((marks[structure.id].start, marks[structure.id].end))
        elif is_aside(layer) or structure.id in chained:
            continue
        elif structure.placed:
            _take(cas, structure, marks, document, gathered)
        elif structure.sofa is not None and structure.plain and FIRST not in structure.refs:
            document.said.append(Said(layer, structure.plain))
    document.tokens.sort()
    if any(mark.layer != ANNOTATION for mark in document.marks):  # bare annotations say nothing where there are layers
        document.marks = [mark for mark in document.marks if mark.layer != ANNOTATION]
    return document


def _take(
    cas: Cas, structure: Structure, marks: Mapping[int, LayerSpan], document: Annotated, gathered: Gatherer
) -> None:
    """Keep a relation, or a mark with its slots."""
    mark = marks[structure.id]
    if HEAD in structure.refs or TAIL in structure.refs:
        ends = [marks.get(id_) for key in (HEAD, TAIL) for id_ in structure.refs.get(key, [])[:1]]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            document.arcs.append(Arc(mark.layer, ends[0], ends[1], structure.plain))
        else:
            gathered.left_out(*NOWHERE)
        return
    document.marks.append(mark)
    for name, ids in structure.refs.items():
        gathered.left_out("reference", "from one annotation to another left out", sum(id_ in marks for id_ in ids))
        for link in _links(cas, ids):
            target = marks.get(next(iter(link.refs.get(TARGET, [])), -1))
            if target is None:
                gathered.left_out(*NOWHERE)
                continue
            role = {ROLE: link.plain[ROLE]} if ROLE in link.plain else {}
            document.arcs.append(Arc(mark.layer, mark, target, role, name))


def _links(cas: Cas, ids: Sequence[int]) -> Iterator[Structure]:
    """The slots that a feature refers to, by itself or through a list."""
    for host in (cas.structures[id_] for id_ in ids if id_ in cas.structures):
        inner = [cas.structures[id_] for id_ in host.refs.get("elements", ()) if id_ in cas.structures]
        for link in [] if host.placed else inner if "elements" in host.refs else [host]:
            if not link.placed and (TARGET in link.refs or ROLE in link.plain):
                yield link


def _chains(cas: Cas, here: Sequence[Structure], marks: Mapping[int, LayerSpan], document: Annotated) -> set[int]:
    """Put chains together, each from its first link on; the ids of what belongs to one."""
    taken: set[int] = set()
    for head in here:
        if head.placed or not head.refs.get(FIRST):
            continue
        links: list[Structure] = []
        id_: int | None = head.refs[FIRST][0]
        while id_ is not None and id_ in cas.structures and id_ in marks:
            if id_ in taken:
                raise FormatError(f"{cas.name}, the structure {head.id}: a chain comes back to its link {id_}")
            taken.add(id_)
            links.append(cas.structures[id_])
            id_ = next(iter(links[-1].refs.get(NEXT, [])), None)
        taken.add(head.id)
        if links:
            members = [marks[link.id] for link in links]
            document.chains.append(Chain(members[0].layer, members))
            document.marks += [mark for mark in members if mark.features]
    return taken


# -- CAS in JSON --------------------------------------------------------------------------------------------


def is_cas_json(path: Path) -> bool:
    """Whether a file is a CAS in JSON, of today's form or of the one before it."""
    head = json_head(path)
    keys = set() if head.listed else head.at()
    return bool(keys & {STRUCTURES, VIEWS}) or keys >= set(LEGACY) or (TYPES in keys and len(keys) == 1)


def read_json(source: Source, types: Types | None, gathered: Gatherer) -> Cas:
    """The feature structures of a file."""
    content = object_of(source, "a CAS in JSON, an object")
    if LEGACY[0] in content.cells:
        raise FormatError(
            f"{source.name} is a CAS in UIMA's old form of JSON, which leaves out what types do not say; export the "
            "document as UIMA CAS JSON 0.4.0 or as UIMA CAS XMI"
        )
    if STRUCTURES not in content.cells:
        raise FormatError(f"{source.name}: expected {STRUCTURES!r}, found {', '.join(map(repr, content.cells))[:80]}")
    declared = content.maybe(TYPES, dict)
    cas = Cas(source.name, types_of_json(declared) if declared else types or Types())
    for id_, raw in _entries(source, content.cells[STRUCTURES]):
        where = f"{source.name}, the structure {id_}"
        type_ = raw.get("%TYPE")
        if not isinstance(type_, str):
            raise expected(where, "the name of a type in '%TYPE'", type_)
        if type_ == "uima.cas.Sofa":
            text = raw.get("sofaString")
            if text is not None and not isinstance(text, str):
                raise expected(where, "a text in 'sofaString'", text)
            cas.texts[id_] = (str(raw.get("sofaID", "")), text)
        else:
            cas.structures[id_] = _of_object(id_, type_, raw, where, gathered)
    if isinstance(views := content.cells.get(VIEWS), dict):
        listed = (list_in(view, "%MEMBERS") for view in views.values() if isinstance(view, dict))
        cas.members = {whole(id_, source.name, "a member of a view") for ids in listed for id_ in ids}
    return cas


def _entries(source: Source, given: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The structures with their ids: a list, or an object of them by id."""
    if not isinstance(given, dict | list):
        raise expected(source.name, f"a list in {STRUCTURES!r}", given)
    pairs = given.items() if isinstance(given, dict) else ((None, raw) for raw in given)
    seen: set[int] = set()
    for key, raw in pairs:
        if not isinstance(raw, dict):
            raise expected(source.name, "an object for each structure", raw)
        id_ = whole(raw.get("%ID", key), source.name, "'%ID'")
        if id_ in seen:
            raise FormatError(f"{source.name}: two structures have the id {id_}")
        seen.add(id_)
        yield id_, raw


def _of_object(id_: int, type_: str, raw: Mapping[str, Any], where: str, gathered: Gatherer) -> Structure:
    made = Structure(id_, type_, begin=raw.get("begin"), end=raw.get("end"))
    for name, value in raw.items():
        if name == "%ELEMENTS" and isinstance(value, list):
            made.refs["elements"] = [at for at in value if type(at) is int]
        elif name == "@sofa":
            made.sofa = whole(value, where, "'@sofa'")
        elif name.startswith("@"):
            made.refs[name[1:]] = [at for at in (value if isinstance(value, list) else [value]) if type(at) is int]
        elif name not in {"begin", "end"} and not name.startswith(("%", "^")) and value is not None:
            words = isinstance(value, list) and all(isinstance(entry, str) for entry in value)
            if words or isinstance(value, str | int | float):
                text = "; ".join(sorted(value)) if words else str(value)
                made.plain[name.lstrip("#")] = text.lower() if isinstance(value, bool) else text
            else:
                gathered.left_out("feature", "with a value that is neither text nor number left out")
    return made


# -- CAS in XMI ---------------------------------------------------------------------------------------------


def is_xmi(path: Path) -> bool:
    """Whether a file is a CAS in XMI."""
    return xml_root(path) == "XMI" and b"uima" in beginning(path)


def read_xmi(source: Source, types: Types | None, gathered: Gatherer) -> Cas:
    """The feature structures of a file."""
    root = parse_xml(source, root="XMI", tool="a UIMA CAS in XMI")
    untyped = "without TypeSystem.xml: numbers that are ids taken as references"
    gathered.noticed("file", untyped, types is None)
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
            structure = _of_element(element, type_, where, cas.types, ids)
            cas.structures[structure.id] = structure
    return cas


def _type(tag: str) -> str:
    """The name of a type, which the namespace of an element and its own name make."""
    match = SPACE.fullmatch(tag)
    if match is None:
        return tag.rpartition("}")[2]
    package = (match[1] or match[2] or "").replace("/", ".").strip(".")
    return f"{package}.{match[3]}" if package and package != "noNamespace.ecore" else match[3]


def _of_element(element: Element, type_: str, where: str, types: Types, ids: set[str]) -> Structure:
    made = Structure(whole(element.get(ID), where, "'xmi:id'"), type_)
    made.begin, made.end = element.get("begin"), element.get("end")
    if element.get("sofa") is not None:
        made.sofa = whole(element.get("sofa"), where, "'sofa'")
    for name, value in _features(element).items():
        plain = types.is_plain(type_, name)
        numbers = value.split() if IDS.fullmatch(value) else []
        refers = name in ALWAYS or (plain is None and ids.issuperset(numbers)) or plain is False
        if refers and numbers:
            made.refs[name] = [*map(int, numbers)]
        elif plain is not False and name not in ALWAYS:
            made.plain[name] = value
    return made


def _features(element: Element) -> Mapping[str, str]:
    features = {name: value for name, value in element.attrib.items() if name not in NOT_FEATURES and "}" not in name}
    several: dict[str, list[str]] = {}
    for child in element:
        several.setdefault(child.tag.rpartition("}")[2], []).append(child.text or "")
    return features | {name: "; ".join(sorted(values)) for name, values in several.items()}


# -- types of feature structures ----------------------------------------------------------------------------


@dataclass
class Types:
    """What is known of types; nothing where a file comes without its types."""

    parents: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, str]] = field(default_factory=dict)  # of features, by type

    def line(self, type_: str) -> list[str]:
        """A type and those that it is derived from, the nearest first."""
        seen: list[str] = []
        while type_ and type_ not in seen:
            seen.append(type_)
            type_ = self.parents.get(type_, "")
        return seen

    def layer(self, type_: str) -> str:
        """The layer that a type belongs to: itself, or what it is derived from in DKPro Core, as POS_NOUN from POS."""
        elevated = ELEVATED.fullmatch(type_)
        if elevated is not None:
            return f"{elevated[1]}POS"
        return [type_, *takewhile(lambda name: name.startswith(DKPRO), self.line(type_))][-1]

    def is_plain(self, type_: str, feature: str) -> bool | None:
        """Whether a feature is a text, a number or true or false; None where it is not known."""
        known = (self.ranges[name][feature] for name in self.line(type_) if feature in self.ranges.get(name, {}))
        range_ = next(known, None)
        return None if range_ is None else range_ in PLAIN or self.parents.get(range_) == "uima.cas.String"


def is_aside(layer: str) -> bool:
    """Whether feature structures of a type are not what people annotate."""
    if layer == ANNOTATION or layer in OPEN_SEGMENTS:
        return False
    return layer.startswith(("uima.", SEGMENTS, *ASIDE))


@lru_cache(maxsize=8)
def _declared(content: bytes) -> Types:
    """The types that a type system description declares; many files of a project have the same."""
    source = Source("the type system", None, content)
    root = parse_xml(source, root="typeSystemDescription", tool="a UIMA type system")
    made = Types()
    for description in (element for element in root.iter() if local(element) == "typeDescription"):
        name = text_in(description, "{*}name")
        made.parents[name] = text_in(description, "{*}supertypeName")
        features = [element for element in description.iter() if local(element) == "featureDescription"]
        made.ranges[name] = {text_in(feature, "{*}name"): text_in(feature, "{*}rangeTypeName") for feature in features}
    return made


def types_beside(source: Source) -> Types | None:
    """The types of an XMI file: in a file TypeSystem.xml beside it, or in the folder above."""
    if source.path is None:
        return None
    folder = source.path.resolve().parent
    for place in (folder, folder.parent):
        if (place / "TypeSystem.xml").is_file():
            file = Source.of(place / "TypeSystem.xml")
            try:
                return _declared(file.read())
            except FormatError as error:
                raise error.at(file.name) from None
    return None


def types_of_json(declared: Mapping[str, object]) -> Types:
    """The types that a CAS in JSON declares."""
    made = Types()
    for name, entry in declared.items():
        if isinstance(entry, dict):
            made.parents[name] = str(entry.get("%SUPER_TYPE", ""))
            about = {feature: said for feature, said in entry.items() if feature[:1] != "%" and isinstance(said, dict)}
            made.ranges[name] = {feature: str(said.get("%RANGE", "")) for feature, said in about.items()}
    return made
