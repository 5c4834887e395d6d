"""Span pairs: what annotators marked in documents, and every two annotations of one document set against each other.

An item is a document, and its value by one annotator the list of all that they marked there: an empty list says that
they marked nothing, and no value that they did not look.  Values that several documents share are compared once.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from interagree.arrays import Indices
from interagree.data import Annotations
from interagree.errors import UnknownName, listing, suggestion
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans
from interagree.stats.documents.span_matching import Match, Overlaps, Pairing, overlapping, pairing
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.pairs.pair_sums import known_annotators

Label = str | None


def annotator_pairs(study: Annotations, gold: Hashable | None = None) -> tuple[Indices, Indices]:
    """The rows of every two annotations of one item; with ``gold`` only those of which one, the second, is its.

    Without gold the annotator that the study names first comes first.
    """
    rows = np.lexsort((study.annotator, study.item))
    first, second = pairs_in_runs(study.item[rows])
    first, second = rows[first], rows[second]
    if gold is None:
        return first, second
    code = study.annotator_code(gold)
    turned = study.annotator[first] == code
    keep = turned | (study.annotator[second] == code)
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    return first[keep], second[keep]


class ValuePairs(NamedTuple):
    """Every two annotations of one item, and the distinct pairs of values among them."""

    first: Indices  # rows of the study
    second: Indices
    i: Indices  # distinct pairs of values
    j: Indices
    pattern: Indices  # … of each pair of rows


def value_pairs(study: Annotations, gold: Hashable | None) -> ValuePairs:
    """The pairs of annotations of a study; with ``gold`` as in `annotator_pairs`."""
    first, second = annotator_pairs(study, gold)
    pairs = study.value[first].astype(np.int64) * len(study.values) + study.value[second]
    distinct, pattern = np.unique(pairs, return_inverse=True)
    i, j = np.divmod(distinct, max(len(study.values), 1))
    return ValuePairs(first, second, i.astype(np.intp), j.astype(np.intp), pattern.reshape(-1))


@dataclass(frozen=True)
class SpanPairs:
    """The spans of a study, and all pairs of annotations of one document."""

    THING: ClassVar[str] = "span"  # what bears labels
    study: Annotations
    spans: Spans  # of the distinct values
    first: Indices  # rows of the study
    second: Indices
    i: Indices  # distinct pairs of values
    j: Indices
    pattern: Indices  # … of each pair of rows
    gold: Hashable | None = None  # the annotator that all others are compared with
    _known: dict[Hashable, Pairing] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Annotations, *, who: str, gold: Hashable | None = None) -> SpanPairs:
        """The marks of a study whose values are spans.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            gold: The annotator that all others are compared with; by default every two are compared.
        """
        made: SpanPairs = study.cached(("marks", gold), lambda: cls._of(known_annotators(study, who), who, gold))
        return made

    @classmethod
    def _of(cls, study: Annotations, who: str, gold: Hashable | None) -> SpanPairs:
        spans: Spans = study.packed("spans", who=who)
        return cls(study, spans, *value_pairs(study, gold), gold)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels by the number that spans have."""
        return self.spans.names

    @cached_property
    def overlaps(self) -> Overlaps:
        """All pairs of spans that share something, for each distinct pair of values."""
        return overlapping(self.spans, self.i, self.j)

    def paired(self, match: Match, *, all_that_cross: bool = False) -> Pairing:
        """The best one-to-one pairing of the spans of every distinct pair of values."""
        known = (match.way, match.same_label, match.bound, all_that_cross)
        if known not in self._known:
            self._known[known] = pairing(self.spans, self.overlaps, match, all_that_cross=all_that_cross)
        return self._known[known]

    def everywhere(self, pattern: Indices) -> tuple[Indices, Indices]:
        """Entries of distinct pairs of values as entries of all pairs of rows that have them.

        Args:
            pattern: The distinct pair of values of each entry, in ascending order.

        Returns:
            The pair of rows of each new entry, and the old entry that it is.
        """
        start = np.searchsorted(pattern, np.arange(len(self.i) + 1))
        return ragged(start[:-1][self.pattern], np.diff(start)[self.pattern])

    @property
    def item(self) -> Indices:
        return self.study.item[self.first].astype(np.intp)

    def label_code(self, label: Hashable) -> int:
        """The number of a label, or an error that names those there are."""
        if label not in self.labels:
            known = [str(label) for label in self.labels]
            raise UnknownName(
                f"no {self.THING} has the label {label!r}.{suggestion(str(label), known)} (there are {listing(known)})"
            )
        return self.labels.index(label)
