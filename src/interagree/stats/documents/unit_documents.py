"""Documents and the units that annotators marked in them.

An item is a document, and its value by one annotator the list of all that they marked there; an empty list says that
they marked nothing, and no value that they did not look.  Documents that fewer than two annotators looked at cannot be
compared, and one in which nobody marked anything says nothing: both are counted and left out.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices, Int64s
from interagree.data import Annotations
from interagree.errors import DataError
from interagree.kinds.spans import Spans
from interagree.stats.documents import lengths as extents
from interagree.stats.documents.continuum import Continuum
from interagree.stats.pairs.pair_sums import known_annotators

GRID = 7.389e8  # steps a document is divided into, to recognise equal documents whatever positions are counted from

Label = str | None


class UnitDocument(NamedTuple):
    """One document: its place among the items, who looked at it, and what they marked."""

    item: int
    who: tuple[int, ...]  # the annotators as the continuum numbers them, in an order that no name decides
    first: float  # where its first unit begins
    length: float
    continuum: Continuum
    key: tuple[int, ...]  # tells it from documents with other annotations
    length_known: bool = False  # … and not just that of what was marked


@dataclass(frozen=True, slots=True)
class UnitDocuments:
    """All documents of a study that can be compared."""

    study: Annotations
    documents: tuple[UnitDocument, ...]
    labels: tuple[Label, ...]  # the categories, those of labels in order; having none comes last
    counts: Floats  # how many units are of each category
    alone: int  # documents that one annotator looked at
    silent: int  # documents that several looked at, and nobody marked anything in

    @classmethod
    def of(
        cls, study: Annotations, *, who: str = "gamma", length: str | float | None = None, by_text: bool = False
    ) -> UnitDocuments:
        """The documents of a study whose values are spans.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            length: How long a document is, or the attribute that says so; by default it reaches from the begin of
                its first unit to the end of its last one.
            by_text: Whether a document is as long as its text, or its tokens, where the study has them and nobody said.
        """
        made: UnitDocuments = study.cached(
            ("unit documents", length, by_text),
            lambda: cls._of(known_annotators(study, who), who=who, length=length, by_text=by_text),
        )
        return made

    @classmethod
    def _of(cls, study: Annotations, *, who: str, length: str | float | None, by_text: bool) -> UnitDocuments:
        spans: Spans = study.packed("spans", who=who)
        names = spans.names
        size = np.diff(spans.start)
        used = np.bincount(
            spans.label, weights=np.bincount(study.value, minlength=len(size))[spans.owner], minlength=len(names)
        )
        codes = (code for code in range(len(names)) if used[code] > 0)
        order = sorted(codes, key=lambda code: (names[code] is None, names[code] or ""))
        code_of = np.full(len(names), -1, dtype=np.intp)
        code_of[order] = np.arange(len(order))
        long = (extents.known if by_text else extents.stated)(study, length)
        rows = np.lexsort((study.annotator, study.item))
        documents: list[UnitDocument] = []
        alone = silent = 0
        edges = np.flatnonzero(np.diff(study.item[rows], prepend=-1, append=-1) != 0)
        for start, end in pairwise(edges.tolist()):
            here = rows[start:end]
            if len(here) < 2:
                alone += 1
            elif not size[study.value[here]].any():
                silent += 1
            else:
                documents.append(_document(study, here, spans, code_of, long))
        return cls(
            study, tuple(documents), tuple(names[code] for code in order), used[order].astype(np.float64), alone, silent
        )

    def notes(self) -> tuple[str, ...]:
        """What was left out, but for documents that one annotator alone looked at."""
        if not self.silent:
            return ()
        many = self.silent > 1
        documents = f"{self.silent:,} document{'s' if many else ''} in which nobody marked anything"
        return (f"{documents} {'were' if many else 'was'} left out",)


def _document(study: Annotations, rows: Indices, spans: Spans, code_of: Indices, long: Floats) -> UnitDocument:
    values = study.value[rows]
    units = [np.arange(spans.start[value], spans.start[value + 1]) for value in values]
    unit = np.concatenate(units)
    who = np.repeat(np.arange(len(rows)), [len(some) for some in units])
    begin, end, category = spans.begin[unit], spans.end[unit], code_of[spans.label[unit]]
    first, item = float(begin.min()), int(study.item[rows[0]])
    reach = float(end.max()) - first
    length = reach if math.isnan(long[item]) else float(long[item])
    if length < reach * (1 - 1e-9):
        raise DataError(
            f"document {study.items[item]!r} was said to be {length:g} long, and its units reach over {reach:g}"
        )
    place = np.stack([np.rint((begin - first) / length * GRID), np.rint((end - first) / length * GRID)], axis=1)
    order, key = _in_order(len(rows), who, place.astype(np.int64), category)
    new = np.empty(len(rows), dtype=np.intp)
    new[order] = np.arange(len(rows))
    continuum = Continuum.of(len(rows), new[who], begin, end, category)
    codes = tuple(int(study.annotator[rows[annotator]]) for annotator in order)
    return UnitDocument(item, codes, first, length, continuum, key, length_known=not math.isnan(long[item]))


def _in_order(count: int, who: Indices, place: Int64s, category: Indices) -> tuple[list[int], tuple[int, ...]]:
    """The annotators in an order that no name of annotators or categories decides, and a key of the document."""
    rows = list(zip(who.tolist(), *place.T.tolist(), category.tolist(), strict=True))
    where: dict[int, list[tuple[int, int]]] = {}
    for _, begin, end, label in sorted(rows, key=lambda row: row[1:3]):
        where.setdefault(label, []).append((begin, end))
    known = sorted(map(tuple, where.values()))
    rank = {label: known.index(tuple(places)) for label, places in where.items()}
    marked: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for annotator, begin, end, label in rows:
        marked[annotator].append((begin, end, rank[label]))
    marked = [sorted(units) for units in marked]
    order = sorted(range(count), key=marked.__getitem__)
    digest = hashlib.blake2b(repr([marked[annotator] for annotator in order]).encode(), digest_size=16).digest()
    return order, tuple(np.frombuffer(digest, dtype=np.uint32).tolist())
