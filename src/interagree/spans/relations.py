"""Relations beyond chance: do annotators relate the same spans, and do they name relations alike?

`relation_f1` asks for spans, relations and labels at once and does not correct for chance.  `relation_agreement` takes
one step at a time, with any ordinary coefficient:

- ``given="spans"``: *relating given spans.*  Items are the pairs of spans that somebody could have related: of the
  spans that two annotators both marked, every one with every other, in both orders.  The value is the label of the
  relation, or "(none)".  A pair that one of them related in two ways has both labels as its value, "a + b".
- ``given="relations"``: *labelling given relations.*  Items are the relations that both drew, whatever they called
  them, matched one to one by their arguments; the value is the label.

Spans are matched one to one as in `attribute_agreement`, items are pooled over every two annotators, and errors and
intervals are those of whole documents.  What cannot be an item is told as the coverage: the share of relations that
lie between spans both marked, or that were matched.

**Which spans?**  Those of ``spans=``, the study of all spans that annotators marked, and in any case those that take
part in a relation.  Without it the latter alone, and then nobody knows of spans that were marked and left alone: a
relation to a span that the other annotator did not relate to anything is not an item, so that the coefficient looks at
little but what both related, and tends to be too high.  The coverage shows how much is lost.  Give the spans.

**Nearly all pairs are not related.**  A document of $k$ common spans has $k (k - 1)$ ordered pairs.  As their number
grows, kappa and alpha tend to F1 of the relations between common spans (Hripcsak & Rothschild 2005): the correction
matters in short documents, and little in long ones.

**Direction.**  With ``directed=False`` a pair of spans is one item, not two.  Else a relation that says it has no
direction (``"directed": false``) holds in both orders.  A relation of a span with itself is left out and counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Array, Indices
from interagree.data import Annotations, IntoAnnotations, as_annotations
from interagree.data.codes import encode
from interagree.data.provenance import counted
from interagree.data.types import Annotator, Item, Value
from interagree.declare import takes_data
from interagree.errors import KindError, listing
from interagree.kinds.relations import Relation, relation
from interagree.kinds.spans import Span, pieces
from interagree.kinds.spans import label as label_of
from interagree.results.agreement import Agreement
from interagree.spans.attributes import (
    Common,
    Pooled,
    both,
    coverage,
    every_row,
    in_common,
    listed,
    measured,
    named,
    names_of,
    numbered,
    owners,
    pooled,
    written,
)
from interagree.stats.documents.relations import RelationPairs
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.pairs.pair_sums import known_annotators

NONE = "(none)"  # the value of two spans that an annotator did not relate
UNNAMED = "(no label)"  # … and of two that they related without a label
GIVEN = ("spans", "relations")


@takes_data
def relation_agreement(
    data: IntoAnnotations,
    spans: IntoAnnotations | None = None,
    *,
    given: Literal["spans", "relations"] = "spans",
    match: str = "overlap",
    argument_labels: bool = False,
    directed: bool = True,
    coefficient: str = "alpha",
    values: Sequence[Value] | None = None,
    **options: object,
) -> Agreement:
    """Agreement on relations between the spans that annotators have in common, or on the labels of common relations.

    Args:
        data: A study whose values are relations, or anything `Annotations.of` takes.
        spans: The study of all spans that the same annotators marked in the same documents; without it, those that
            take part in a relation.
        given: What two annotators must have in common: "spans" asks whether and how they related them, "relations"
            what they called them.
        match: Which spans are the same, as in `span_f1`: "overlap", "exact", "iou>=0.5", "within:1" …
        argument_labels: Whether spans of different labels are never the same.
        directed: Whether head and tail are told apart.
        coefficient: The measure, by name: "alpha", "cohen_kappa", "ac1", "percent" …
        values: All values there are, in order where they have one.
        options: Further options of the coefficient.

    Returns:
        The coefficient; its details say how much it covers.

    Examples:
        >>> import interagree as ia
        >>> first, second = (0, 3), (9, 12)
        >>> relations = [("d", "ann", ((first, second, "owns"),)), ("d", "bo", ((first, second, "sells"),))]
        >>> study = ia.Annotations.of(relations, kind="relations")
        >>> ia.spans.relation_agreement(study, given="relations", coefficient="percent").value
        0.0
    """
    if given not in GIVEN:
        raise KindError(f"given must be {listing(GIVEN)}, got {given!r}")
    if spans is not None and given == "relations":
        raise KindError("with given='relations' only relations are compared; leave the spans out")
    how = Match.of(match, same_label=argument_labels)
    study = as_annotations(data)
    related = RelationPairs.between(study, how, who="relation_agreement", directed=directed)
    call = WantedCoefficient(coefficient, options, values, {"given": given, "match": how.name})
    if given == "relations":
        return _labelled(related, call)
    return _related(related, None if spans is None else as_annotations(spans), call)


class WantedCoefficient(NamedTuple):
    """What coefficient is wanted, and what the result names."""

    coefficient: str
    options: Mapping[str, object]
    values: Sequence[Value] | None
    show: Mapping[str, object]


def _labelled(related: RelationPairs, call: WantedCoefficient) -> Agreement:
    match = replace(related.how, same_label=False)
    paired = related.paired(match).overlaps
    pairs = every_row(related, paired.pair, paired.x, paired.y)
    known = np.array([name is not None for name in related.labels], dtype=bool)
    label = related.relations.label.astype(np.intp)
    code = np.where(known[label], label, -1) if len(label) else label
    place = written(related.relations.arguments)
    arrows = [f"{place[2 * k]} → {place[2 * k + 1]}" for k in range(len(label))]
    names = names_of(related, pairs, arrows)
    study = pooled(
        related.study,
        Pooled(*owners(related, pairs), code[pairs.x], code[pairs.y], names, related.labels),
        f"{counted(len(names), 'pair')} of relations matched by their arguments ({match.name})",
        values=call.values,
    )
    size = int(np.diff(related.relations.start)[related.study.value[np.r_[related.first, related.second]]].sum())
    without = int(np.count_nonzero(code[np.r_[pairs.x, pairs.y]] < 0))
    notes = [coverage(2 * len(names), size, f"relations were matched by their arguments ({match.name})")]
    if without:
        was = "has no label and was" if without == 1 else "have no label and were"
        notes.append(f"{without:,} of {2 * len(names):,} matched relations {was} left out")
    why = "no two annotators drew relations whose arguments match, so there is nothing to compare"
    if len(names):
        why = "no matched relation has a label, so there is nothing to compare"
    details = {
        "coverage": 2 * len(names) / size if size else None,
        "matched pairs of relations": len(names),
        "relations without a label": without,
    }
    undefined = None if len(study) else why
    return measured(study, call.coefficient, call.options, details, notes, undefined, call.show)


class PlacedRelation(NamedTuple):
    """A relation of one annotation, its arguments by their places among the spans of that annotation."""

    head: int
    tail: int
    label: str
    directed: bool


@dataclass
class KnownSpans:
    """The distinct spans of one annotation: those they marked, and those that take part in a relation."""

    spans: list[Value] = field(default_factory=list)
    by_label: dict[Value, int] = field(default_factory=dict)  # places by pieces and label
    by_pieces: dict[Value, int] = field(default_factory=dict)  # … by pieces, of the first in the order of labels

    def place(self, span: Value) -> int | None:
        """The place of a span; one without a label is any that covers the same."""
        bare, where, label = _written(span)
        if bare:
            return self.by_pieces.get(where)
        return self.by_label.get((where, label), self.by_label.get((where, "")))

    def add(self, spans: Iterable[Value]) -> None:
        """Spans that are not there yet, those with a label first."""
        for span in sorted(spans, key=_written):
            if self.place(span) is None:
                _, where, label = _written(span)
                self.by_label[where, label] = len(self.spans)
                self.by_pieces.setdefault(where, len(self.spans))
                self.spans.append(span)


@lru_cache(maxsize=1 << 16)  # a span is an argument of many relations
def _written(span: Span) -> tuple[bool, tuple[tuple[float, float], ...], str]:
    """Whether a span has no label, its pieces, and its label."""
    label = label_of(span)
    return label is None, pieces(span), label or ""


def _related(related: RelationPairs, spans: Annotations | None, call: WantedCoefficient) -> Agreement:
    marks, drawn = _known_spans(related.study, spans, directed=related.directed)
    nothing = np.full(len(marks.spans.begin), -1, dtype=np.intp)
    pairs = in_common(marks, related.how, nothing, nothing[:0])
    candidates = Candidates.of(marks, pairs, drawn, directed=related.directed)
    items = candidates.items
    study = pooled(
        related.study,
        items,
        f"{counted(len(items.names), 'pair')} of spans that two annotators marked ({related.how.name})",
        values=call.values,
    )
    notes = [
        coverage(
            candidates.inside, candidates.total, f"relations lie between spans that both marked ({related.how.name})"
        )
    ]
    if spans is None:
        notes.append("no study of spans was given, so only spans that take part in a relation were known")
    if candidates.loops:
        many = "relations of a span with itself were" if candidates.loops > 1 else "relation of a span with itself was"
        notes.append(f"{candidates.loops:,} {many} left out")
    undefined = None if len(study) else "no two annotators marked two spans that match, so there is nothing to relate"
    details = {
        "coverage": candidates.inside / candidates.total if candidates.total else None,
        "pairs of spans": len(items.names),
        "related by somebody": int(np.count_nonzero((items.here > 0) | (items.there > 0))),
    }
    return measured(study, call.coefficient, call.options, details, notes, undefined, call.show)


def _known_spans(
    study: Annotations, spans: Annotations | None, *, directed: bool
) -> tuple[SpanPairs, list[list[PlacedRelation]]]:
    """The spans of each annotation as a study of its own, and its relations between them."""
    marked: dict[tuple[Item, Annotator], Sequence[Value]] = {}
    if spans is not None:
        spans = known_annotators(spans, "relation_agreement")
        SpanPairs.of(spans, who="relation_agreement")  # which says what is wrong with them
        marked = {(item, who): value for item, who, value in spans.rows()}
    lists, drawn = [], []
    for item, who, value in study.rows():
        relations = [relation(entry) or Relation(None, None) for entry in value]
        here = KnownSpans()
        here.add(listed(tuple(marked.get((item, who), ()))))
        here.add(span for entry in relations for span in (entry.head, entry.tail))
        drawn.append([_drawn(here, entry, directed=directed) for entry in relations])
        lists.append(tuple(here.spans))
    codes, distinct = encode(lists)
    changed = replace(study, value=codes, values=tuple(distinct), of_kind="spans", ordered=False, stated=False)
    return SpanPairs.of(changed, who="relation_agreement"), drawn


def _drawn(here: KnownSpans, given: Relation, *, directed: bool) -> PlacedRelation:
    head, tail = (here.place(span) for span in (given.head, given.tail))
    assert head is not None and tail is not None  # noqa: PT018, S101 -- they were added
    return PlacedRelation(head, tail, UNNAMED if given.label is None else given.label, directed and given.directed)


@dataclass
class Candidates:
    """Pairs of spans that two annotators could have related, gathered from every two annotations."""

    marks: SpanPairs
    directed: bool
    stretch: list[str]  # where each span lies, in words
    code: dict[str, int] = field(default_factory=lambda: {NONE: 0})
    columns: list[tuple[Array, ...]] = field(default_factory=list)  # document, annotators, the values of both
    names: list[str] = field(default_factory=list)
    inside: int = 0  # relations between spans that both marked
    total: int = 0  # all relations, counted for every two annotators
    loops: int = 0  # relations of a span with itself

    @classmethod
    def of(
        cls, marks: SpanPairs, pairs: Common, drawn: Sequence[Sequence[PlacedRelation]], *, directed: bool
    ) -> Candidates:
        """Every pair of common spans of every two annotations, and how both related it."""
        candidates = cls(marks, directed, written(marks.spans))
        bounds = np.searchsorted(pairs.rows, np.arange(len(marks.first) + 1)).tolist()
        for k, rows in enumerate(zip(marks.first.tolist(), marks.second.tolist(), strict=True)):
            here, there = (side[bounds[k] : bounds[k + 1]].tolist() for side in (pairs.x, pairs.y))
            candidates.add(rows, here, there, drawn)
        return candidates

    def add(
        self, rows: tuple[int, int], here: list[int], there: list[int], drawn: Sequence[Sequence[PlacedRelation]]
    ) -> None:
        """The pairs of two annotations, given by their rows, whose spans ``here`` and ``there`` are matched in turn."""
        study, count = self.marks.study, len(here)
        head, tail = np.nonzero(~np.eye(count, dtype=bool)) if self.directed else np.triu_indices(count, 1)
        document, first, second = int(study.item[rows[0]]), *(int(study.annotator[row]) for row in rows)
        grids = [self._values_of(row, spans, drawn[row]) for row, spans in zip(rows, (here, there), strict=True)]
        entries: list[int | Array] = [document, first, second, *(grid[head, tail] for grid in grids)]
        self.columns.append(tuple(np.broadcast_to(entry, head.shape) for entry in entries))
        where = [both(self.stretch[x], self.stretch[y]) for x, y in zip(here, there, strict=True)]
        arrow = "→" if self.directed else "–"
        self.names += [
            named(self.marks, document, (first, second), f"{where[h]} {arrow} {where[t]}")
            for h, t in zip(head.tolist(), tail.tolist(), strict=True)
        ]

    def _values_of(self, row: int, spans: Sequence[int], drawn: Sequence[PlacedRelation]) -> Indices:
        first = int(self.marks.spans.start[self.marks.study.value[row]])
        place = {span - first: at for at, span in enumerate(spans)}
        cells: dict[tuple[int, int], set[str]] = defaultdict(set)
        for edge in drawn:
            self.total += 1
            self.loops += edge.head == edge.tail
            if edge.head == edge.tail or edge.head not in place or edge.tail not in place:
                continue
            self.inside += 1
            head, tail = place[edge.head], place[edge.tail]
            cells[head, tail].add(edge.label)
            if not edge.directed:
                cells[tail, head].add(edge.label)
        grid = np.zeros((len(spans), len(spans)), dtype=np.intp)
        for cell, names in cells.items():
            grid[cell] = self.code.setdefault(" + ".join(sorted(names)), len(self.code))
        return grid

    @property
    def items(self) -> Pooled:
        """All of them as items."""
        none = np.zeros(0, dtype=np.intp)
        document, first, second, here, there = (
            np.concatenate([none, *(part[k] for part in self.columns)]) for k in range(5)
        )
        return Pooled(document, first, second, here, there, numbered(self.names), list(self.code))
