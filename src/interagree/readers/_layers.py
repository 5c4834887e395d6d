"""Layers of annotations over a text, as UIMA and the tools built on it have them, made the questions of a study.

A layer is a question: ``POS``, ``NamedEntity``.  Where several of its features are used, each is a question of its
own, ``NamedEntity.value`` and ``NamedEntity.identifier``, and its values are the labels.  Relations are relations
between the ends that they join, slots relations from their host that are called by the role, and chains clusters.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeVar

from interagree.data.provenance import counted
from interagree.data.types import Item
from interagree.errors import Advice, ReaderHint, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark, Span, SpanValue

CURATED = frozenset({"curation_user", "curator", "curation"})
INITIAL = frozenset({"initial_cas", "initial"})
GROUND_TRUTH = "ground truth"
TOKENS = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
Features: TypeAlias = dict[str, str]
_K = TypeVar("_K", bound=Hashable)


@dataclass(slots=True, eq=False)
class LayerSpan:
    """A marked stretch of the text, in characters."""

    layer: str
    start: int
    end: int
    features: Features = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Arc:
    """Two marks that somebody joined; ``slot`` names the feature that it is, where it is one."""

    layer: str
    head: LayerSpan
    tail: LayerSpan
    features: Features = field(default_factory=dict)
    slot: str | None = None


class Chain(NamedTuple):
    """Marks that mean the same."""

    layer: str
    marks: Sequence[LayerSpan]


class Said(NamedTuple):
    """What was said of a document as a whole."""

    layer: str
    features: Features


@dataclass(slots=True)
class Annotated:
    """A document as one annotator has it."""

    item: Item
    annotator: str
    where: str
    text: str | None
    marks: list[LayerSpan] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    tokens: list[tuple[int, int]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing is annotated in it."""
        return not (self.marks or self.arcs or self.chains or self.said)


@dataclass
class _Layer:
    """What is known of a layer from all documents."""

    name: str
    features: dict[str, None] = field(default_factory=dict)  # those that somebody used
    people: dict[str, None] = field(default_factory=dict)  # who annotated something of it
    dotted: bool = False  # whether its name is that of another question

    def questions(self) -> list[tuple[str, str | None]]:
        """The questions that a layer is: their names, each with the feature that it is about."""
        if len(self.features) < 2 and not self.dotted:
            return [(self.name, next(iter(self.features), None))]
        return [(f"{self.name}.{feature}", feature) for feature in sorted(self.features)]


class _Layers(NamedTuple):
    """Layers of spans, of relations and slots, of chains, and of documents."""

    spans: dict[str, _Layer]
    arcs: dict[tuple[str, str | None], _Layer]
    chains: dict[str, _Layer]
    said: dict[str, _Layer]


def without_others(documents: Iterable[Annotated], gold: str, gathered: Gatherer) -> list[Annotated]:
    """The documents of annotators: curated ones are left out or put apart, and what nobody annotated is left out."""
    kept = []
    for document in documents:
        who = document.annotator.lower()
        if who in INITIAL:
            gathered.left_out("document", "before annotation left out")
        elif who not in CURATED:
            kept.append(document)
        elif gold == "apart":
            document.annotator = GROUND_TRUTH
            kept.append(document)
        else:
            apart = ReaderHint("gold", "apart")
            rest = Advice.of("left out (", apart, f" makes them the annotator {GROUND_TRUTH!r})")
            gathered.left_out("curated document", rest)
    return kept


def gather(gathered: Gatherer, documents: Sequence[Annotated], *, empty: str, asked: str) -> None:
    """Put the layers of documents into the questions of a study.

    Args:
        gathered: The study in the making.
        documents: What each annotator has.
        empty: Whether a document without any annotation was "looked" at, or is "unseen".
        asked: Whether "all" annotators were asked for every layer, or those who "marked" something of it.
    """
    seen = _seen(gathered, documents, empty)
    for document in seen:
        if document.text is not None:
            gathered.show(document.item, document.text, document.where)
        if document.tokens:
            gathered.tokens.setdefault(document.item, tuple(document.tokens))
    layers = _layers_of(seen)
    _note_asked(gathered, layers, {document.annotator for document in seen}, asked)
    for document in seen:
        for known, name, kind, value in _values(document, layers):
            if asked == "all" or document.annotator in known.people:
                gathered.add(Mark(name, document.item, document.annotator, value, document.where), kind)


def _values(document: Annotated, layers: _Layers) -> Iterator[tuple[_Layer, str, str, object]]:
    """What a document says about each layer: the layer, the name of the question, its kind and the value."""
    main = {layer: _main(known) for layer, known in layers.spans.items()}
    for layer, known in layers.spans.items():
        mine = [mark for mark in document.marks if mark.layer == layer]
        for name, feature in known.questions():
            yield known, name, "spans", [Span(at.start, at.end, at.features.get(feature or "")) for at in mine]
    for key, known in layers.arcs.items():
        here = [arc for arc in document.arcs if (arc.layer, arc.slot) == key]
        for name, feature in known.questions():
            joined = {_joined(arc, main, arc.features.get(feature or "")) for arc in here}
            yield known, name, "relations", sorted(joined, key=str)
    for layer, known in layers.chains.items():
        yield known, known.name, "clusters", _clusters([chain for chain in document.chains if chain.layer == layer])
    for layer, known in layers.said.items():
        given = [said.features for said in document.said if said.layer == layer]
        for name, feature in known.questions():
            values = [features[feature] for features in given if feature in features] if feature else []
            yield known, name, "choices", tuple(dict.fromkeys(values))


def _seen(gathered: Gatherer, documents: Sequence[Annotated], empty: str) -> list[Annotated]:
    nothing = sum(document.empty for document in documents)
    if nothing and empty == "unseen":
        gathered.left_out("document", "without any annotation left out as not looked at", nothing)
        return [document for document in documents if not document.empty]
    if nothing:
        unseen = ReaderHint("empty", "unseen")
        sentence = f"{counted(nothing, 'document')} without any annotation taken as looked at, nothing to mark ("
        gathered.note("assumed", Advice.of(sentence, unseen, ": as not looked at)"), nothing)
    return list(documents)


def _layers_of(documents: Sequence[Annotated]) -> _Layers:
    """The layers that somebody used."""
    used = {
        name
        for document in documents
        for entries in (document.marks, document.arcs, document.chains, document.said)
        for name in {entry.layer for entry in entries}
    }
    names = short_names(used)
    layers = _Layers({}, {}, {}, {})
    for document in documents:
        for mark in document.marks:
            _know(layers.spans, mark.layer, names[mark.layer], document, mark.features)
        for arc in document.arcs:
            name = names[arc.layer] + (f".{arc.slot}" if arc.slot else "")
            _know(layers.arcs, (arc.layer, arc.slot), name, document, arc.features)
        for chain in document.chains:
            _know(layers.chains, chain.layer, names[chain.layer], document, {})
        for said in document.said:
            _know(layers.said, said.layer, names[said.layer], document, said.features)
    for layer in layers.chains:
        if layer in layers.spans:
            layers.spans[layer].dotted = True
    return layers


def _know(layers: dict[_K, _Layer], key: _K, name: str, document: Annotated, features: Features) -> None:
    layer = layers.setdefault(key, _Layer(name))
    layer.features.update(dict.fromkeys(features))
    layer.people[document.annotator] = None


def short_names(layers: Iterable[str]) -> dict[str, str]:
    """What layers are called: by the last part of their name, or by all of it where two would be called alike."""
    short = {layer: _short(layer) for layer in layers}
    often = [name for name in short.values() if list(short.values()).count(name) > 1]
    return {layer: layer if name in often else name for layer, name in short.items()}


def _short(layer: str) -> str:
    name = layer.rpartition(".")[2]
    return name.removesuffix("Link").removesuffix("Chain") or name


def _note_asked(gathered: Gatherer, layers: _Layers, people: set[str], asked: str) -> None:
    for known in (layer for some in layers for layer in some.values()):
        idle = sorted(people - {*known.people})
        if not idle:
            continue
        who = f"{listing(idle, most=4)} marked nothing of {known.name!r} in any document"
        other = "all" if asked == "marked" else "marked"
        taken = "taken as not asked for it" if asked == "marked" else "taken as having looked for it"
        opposite = Advice.of(f"{who}, {taken} (", ReaderHint("asked", other), " takes the opposite)")
        gathered.note("assumed", opposite, len(idle))


def _main(layer: _Layer) -> str | None:
    """The feature by which a mark is called where it is the end of a relation."""
    used = sorted(layer.features)
    named = [name for name in used if name.lower().endswith("value") and not name.startswith("coarse")]
    return next(iter(named or used), None)


def _joined(arc: Arc, main: dict[str, str | None], label: str | None) -> SpanValue:
    ends = []
    for mark in (arc.head, arc.tail):
        feature = None if arc.layer == DEPENDENCY else main.get(mark.layer)
        ends.append((mark.start, mark.end, None if feature is None else mark.features.get(feature)))
    return (*ends, label)


def _clusters(chains: Sequence[Chain]) -> list[tuple[tuple[int, int], ...]]:
    return sorted(tuple(sorted({(mark.start, mark.end) for mark in chain.marks})) for chain in chains)
