"""Layers of annotations over a text, as UIMA and the tools built on it have them, made the questions of a study.

A layer is a question: ``POS``, ``NamedEntity``.  Where several of its features are used, each is a question of its
own, ``NamedEntity.value`` and ``NamedEntity.identifier``, and its values are the labels.  Relations are relations
between the ends that they join, slots relations from their host that are called by the role, and chains clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from interagree.data.provenance import counted
from interagree.data.types import Item
from interagree.errors import Advice, ReaderHint, listing
from interagree.gather.gatherer import CHOICES, CLUSTERS, RELATIONS, SPANS, Gatherer
from interagree.gather.marks import Mark, Span, SpanValue

CURATED = frozenset({"curation_user", "curator", "curation"})
INITIAL = frozenset({"initial_cas", "initial"})
GROUND_TRUTH = "ground truth"
TOKENS = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
Features: TypeAlias = dict[str, str]
KINDS = (SPANS, RELATIONS, CLUSTERS, CHOICES)  # of questions, in their order


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

    def entries(self) -> Iterator[tuple[_Key, Any, Features]]:
        """All that is annotated, with the layer that each belongs to, and its features."""
        yield from ((_Key(SPANS, mark.layer), mark, mark.features) for mark in self.marks)
        yield from ((_Key(RELATIONS, arc.layer, arc.slot), arc, arc.features) for arc in self.arcs)
        yield from ((_Key(CLUSTERS, chain.layer), chain, {}) for chain in self.chains)
        yield from ((_Key(CHOICES, said.layer), said, said.features) for said in self.said)

    @property
    def empty(self) -> bool:
        """Whether nothing is annotated in it."""
        return not (self.marks or self.arcs or self.chains or self.said)


class _Key(NamedTuple):
    """What tells layers apart."""

    kind: str
    layer: str
    slot: str | None = None


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


_Layers: TypeAlias = Mapping[_Key, _Layer]


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
    main = {key.layer: _main(known) for key, known in layers.items() if key.kind == SPANS}
    entries: dict[_Key, list[Any]] = {}
    for key, entry, _ in document.entries():
        entries.setdefault(key, []).append(entry)
    for key, known in layers.items():
        here = entries.get(key, [])
        for name, feature in known.questions():
            if key.kind == CLUSTERS:
                value: object = _clusters(here)
            elif key.kind == SPANS:
                value = [Span(mark.start, mark.end, mark.features.get(feature or "")) for mark in here]
            elif key.kind == RELATIONS:
                value = [_joined(arc, main, arc.features.get(feature or "")) for arc in here]
            else:
                value = tuple(dict.fromkeys(said.features[feature] for said in here if feature in said.features))
            yield known, name, key.kind, value


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
    names = short_names({key.layer for document in documents for key, *_ in document.entries()})
    layers: dict[_Key, _Layer] = {}
    for document in documents:
        for key, _, features in document.entries():
            slot = f".{key.slot}" if key.slot else ""
            layer = layers.setdefault(key, _Layer(names[key.layer] + slot))
            layer.features.update(dict.fromkeys(features))
            layer.people[document.annotator] = None
    for key in layers:
        if key.kind == CLUSTERS and (members := layers.get(_Key(SPANS, key.layer))) is not None:
            members.dotted = True
    return dict(sorted(layers.items(), key=lambda entry: KINDS.index(entry[0].kind)))


def short_names(layers: Iterable[str]) -> dict[str, str]:
    """What layers are called: by the last part of their name, or by all of it where two would be called alike."""
    short = {layer: _short(layer) for layer in layers}
    often = [name for name in short.values() if list(short.values()).count(name) > 1]
    return {layer: layer if name in often else name for layer, name in short.items()}


def _short(layer: str) -> str:
    name = layer.rpartition(".")[2]
    return name.removesuffix("Link").removesuffix("Chain") or name


def _note_asked(gathered: Gatherer, layers: _Layers, people: set[str], asked: str) -> None:
    for known in layers.values():
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
