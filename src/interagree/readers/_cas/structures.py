"""Feature structures made marks, relations, slots, chains and what is said of documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interagree.data.provenance import Step, counted, noted
from interagree.errors import FormatError
from interagree.gather.offsets import from_utf16, whole
from interagree.readers._cas.types import ANNOTATION, TOKEN, Types, is_aside
from interagree.readers._layers import Annotated, Arc, Chain, LayerSpan, Said

HEAD, TAIL = "Governor", "Dependent"
FIRST, NEXT, TARGET, ROLE = "first", "next", "target", "role"
INITIAL = "_InitialView"


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


@dataclass
class Counts:
    """What was met on the way."""

    other_views: int = 0
    nowhere: int = 0  # relations and slots without an end
    untyped: int = 0

    def steps(self) -> list[Step]:
        """What there is to say about it."""
        views = f"{counted(self.other_views, 'annotation')} of another view than {INITIAL} left out"
        nowhere = f"{counted(self.nowhere, 'relation or slot')} without one of its ends left out"
        untyped = f"{counted(self.untyped, 'file')} without TypeSystem.xml: numbers that are ids taken as references"
        return [
            *noted("dropped", views, self.other_views),
            *noted("dropped", nowhere, self.nowhere),
            *noted("noticed", untyped, self.untyped),
        ]


def annotated(cas: Cas, counts: Counts) -> Annotated:
    """What people annotated in a document."""
    sofa, text = _text(cas)
    document = Annotated("", "", cas.name, text)
    layers = {name: cas.types.layer(name) for name in {structure.type for structure in cas.structures.values()}}
    marks: dict[int, LayerSpan] = {}
    here = [structure for structure in cas.structures.values() if _indexed(cas, structure)]
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
            counts.other_views += not is_aside(layer)
        elif structure.type == TOKEN and structure.id in marks:
            document.tokens.append((marks[structure.id].start, marks[structure.id].end))
        elif is_aside(layer) or structure.id in chained:
            continue
        elif structure.placed:
            _take(cas, structure, marks, document, counts)
        elif structure.sofa is not None and structure.plain and FIRST not in structure.refs:
            document.said.append(Said(layer, structure.plain))
    document.tokens.sort()
    _drop_bare(document)
    return document


def _text(cas: Cas) -> tuple[int | None, str | None]:
    """The number and the text of the view that people see."""
    if not cas.texts:
        return None, None
    number = next((id_ for id_, (name, _) in cas.texts.items() if name == INITIAL), next(iter(cas.texts)))
    return number, cas.texts[number][1]


def _indexed(cas: Cas, structure: Structure) -> bool:
    return cas.members is None or structure.id in cas.members


def _take(cas: Cas, structure: Structure, marks: Mapping[int, LayerSpan], document: Annotated, counts: Counts) -> None:
    """Keep a relation, or a mark with its slots."""
    mark = marks[structure.id]
    if HEAD in structure.refs or TAIL in structure.refs:
        ends = [marks.get(id_) for key in (HEAD, TAIL) for id_ in structure.refs.get(key, [])[:1]]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            document.arcs.append(Arc(mark.layer, ends[0], ends[1], structure.plain))
        else:
            counts.nowhere += 1
        return
    document.marks.append(mark)
    for name, ids in structure.refs.items():
        for link in _links(cas, ids):
            target = marks.get(next(iter(link.refs.get(TARGET, [])), -1))
            if target is None:
                counts.nowhere += 1
                continue
            role = {ROLE: link.plain[ROLE]} if ROLE in link.plain else {}
            document.arcs.append(Arc(mark.layer, mark, target, role, name))


def _links(cas: Cas, ids: Sequence[int]) -> Iterator[Structure]:
    """The slots that a feature refers to, by itself or through a list."""
    for id_ in ids:
        structure = cas.structures.get(id_)
        if structure is None or structure.placed:
            continue
        if "elements" in structure.refs:
            inner = [cas.structures[at] for at in structure.refs["elements"] if at in cas.structures]
            yield from (link for link in inner if not link.placed and (TARGET in link.refs or ROLE in link.plain))
        elif TARGET in structure.refs or ROLE in structure.plain:
            yield structure


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


def _drop_bare(document: Annotated) -> None:
    """Leave bare annotations out where there are layers."""
    if any(mark.layer != ANNOTATION for mark in document.marks):
        document.marks = [mark for mark in document.marks if mark.layer != ANNOTATION]
