"""The credit of spans and of relations: every two annotations of one document, matched one to one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.documents.texts import Documents
from interagree.kernels.ragged import ragged
from interagree.results.agreement import Sizes
from interagree.stats.documents.credit import ByLabel, Credit, precision_and_recall
from interagree.stats.documents.relations import RelationPairs
from interagree.stats.documents.span_chance import SpanChance
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.compress import totals
from interagree.stats.engine.statistic import unpaired_notes
from interagree.stats.engine.weights import Observed

NOTHING = 1e-12


@dataclass(frozen=True, kw_only=True)
class SpanCredit(Credit):
    """What every two annotations of one document have in common."""

    pairs: SpanPairs
    match: Match
    label: Hashable | None = None

    @classmethod
    def of(cls, pairs: SpanPairs, match: Match, *, label: Hashable | None = None, **options: Any) -> Self:
        """The credit of all pairs of annotations of a study.

        Args:
            pairs: The spans.
            match: How two of them are compared.
            label: Only spans of this label.
            options: Further fields, such as what is averaged; see `Credit`.
        """
        if label is None:
            hit, size = hits(pairs, match), sizes(pairs)
        else:
            labelled = by_label(pairs, match).of_label(pairs.label_code(label))
            hit, size = (totals(labelled.pair, entry, len(pairs.first)) for entry in (labelled.hit, labelled.size))
        who = pairs.study.annotator
        return cls(
            source=pairs.study,
            features=np.zeros((0, 0)),
            weights=Observed(np.zeros(0)),
            pattern=np.zeros(0, dtype=np.intp),
            n=Sizes(0, 0, 0),
            item=pairs.item,
            first=who[pairs.first].astype(np.intp),
            second=who[pairs.second].astype(np.intp),
            hit=hit,
            size=size,
            find_labels=lambda: by_label(pairs, match) if label is None else labelled,
            pairs=pairs,
            match=match,
            label=label,
            **options,
        ).folded()

    def undefined(self) -> str | None:
        pairs = self.pairs
        if pairs.gold is not None and not len(pairs.first) and len(pairs.study.annotators) > 1:
            return f"nobody else looked at a document that {pairs.gold!r} looked at, so there is nothing to compare"
        reason = super().undefined()
        if reason is not None and self.label is not None:
            return f"no span has the label {self.label!r} in a document that two annotators looked at"
        return reason

    def notes(self) -> Sequence[str]:
        """How many documents were left out because nobody marked anything in them."""
        if not self.silent or self.empty is not None:
            return unpaired_notes(self)
        what = "anything" if self.label is None else f"a span with the label {self.label!r}"
        documents = f"{self.silent:,} document{'s' if self.silent > 1 else ''} in which nobody marked {what}"
        return (*unpaired_notes(self), f"{documents} {'were' if self.silent > 1 else 'was'} left out")

    def details(self) -> dict[str, object]:
        """How many spans there are, and with a gold standard precision and recall."""
        count = self._count()
        return {
            "spans": int(count.sum()),
            "pairs of annotations": len(self.pairs.first),
            "documents nobody marked anything in": self.silent,
            "match": self.match.name,
            "positions": Documents.of(self.source).positions or "not stated",
            **self._against_gold(count),
        }

    def _count(self) -> Indices:
        """How many spans, of the label in question, each annotation of the study has."""
        spans = self.pairs.spans
        label = self.label
        wanted = np.ones(len(spans.label), dtype=bool)
        if label is not None:
            wanted = spans.label == self.pairs.label_code(label)
        counts: Indices = np.bincount(spans.owner[wanted], minlength=len(spans.start) - 1)[self.source.value]
        return counts

    def _against_gold(self, count: Indices) -> dict[str, float | None]:
        if self.pairs.gold is None:
            return {}
        given, gold = (int(count[side].sum()) for side in (self.pairs.first, self.pairs.second))
        return precision_and_recall(float(self.hit.sum()) / 2, given, gold)


@dataclass(frozen=True, kw_only=True)
class RelationCredit(SpanCredit):
    """The relations that every two annotations of one document have in common."""

    things: str = "relations"

    def undefined(self) -> str | None:
        return Credit.undefined(self) and "nobody drew a relation, so there is nothing to find"

    def notes(self) -> Sequence[str]:
        """In how many documents nobody drew a relation."""
        if not self.silent or self.empty is not None:
            return unpaired_notes(self)
        many = self.silent > 1
        drew = "a relation" if self.label is None else f"a relation {self.label!r}"
        documents = f"{self.silent:,} document{'s' if many else ''} in which nobody drew {drew}"
        return (*unpaired_notes(self), f"{documents} say{'' if many else 's'} nothing about F1")

    def details(self) -> dict[str, object]:
        """How many relations there are, and with a gold standard precision and recall."""
        count = self._count()
        pairs = self.pairs
        return {
            "relations": int(count.sum()),
            "pairs of annotations": len(pairs.first),
            "documents without a relation": self.silent,
            "match": pairs.how.name if isinstance(pairs, RelationPairs) else self.match.name,
            **self._against_gold(count),
        }


@dataclass(frozen=True, kw_only=True)
class CorrectedCredit(SpanCredit):
    """The credit of spans beside that of the same spans moved at random."""

    drawn: SpanChance
    seed: int
    assumed: int  # documents whose length is not known

    def undefined(self) -> str | None:
        """Why there is nothing to compare with."""
        sums = self.sums()
        if len(self.features) and sums[2] >= sums[1] * (1 - NOTHING):
            return (
                "moving spans around their documents changes nothing, as when every span covers its whole document, so "
                "there is nothing to compare with; length= says how long documents are"
            )
        return Credit.undefined(self)

    def notes(self) -> Sequence[str]:
        """How chance was found, and what was assumed."""
        notes = unpaired_notes(self)
        if not len(self.hit):
            return notes
        if self.drawn.draws:
            often = "once" if self.drawn.draws == 1 else f"{self.drawn.draws} times"
            notes.append(f"chance was drawn {often} (seed {self.seed})")
        if self.assumed:
            which = "1 document is" if self.assumed == 1 else f"{self.assumed:,} documents are"
            notes.append(
                f"{which} taken to end where the last span does, which makes chance look too good; length= says how "
                "long documents are"
            )
        return notes

    def details(self) -> dict[str, object]:
        """F1 as it is, that of chance, and how it was found."""
        with np.errstate(all="ignore"):
            f1 = replace(self, chance=None).value if len(self.features) else math.nan
            sums = self.sums()
            expected = float(sums[2] / sums[1]) if len(self.features) else math.nan
        return {
            "F1": f1,
            "expected F1": expected,
            "draws": self.drawn.draws,
            "error of the expected F1": self.drawn.error,
        }


def hits(pairs: SpanPairs, match: Match) -> Floats:
    """For each pair of annotations twice the sum of how well matched spans fit."""
    if match.way == "label":
        named = by_label(pairs, match)
        return totals(named.pair, named.hit, len(pairs.first))
    matched, score = pairs.paired(match)
    return 2 * totals(matched.pair, score, len(pairs.i))[pairs.pattern]


def sizes(pairs: SpanPairs) -> Floats:
    """For each pair of annotations how many spans both have together."""
    count = np.diff(pairs.spans.start)
    return (count[pairs.i] + count[pairs.j])[pairs.pattern].astype(np.float64)


def by_label(pairs: SpanPairs, match: Match) -> ByLabel:
    """The same label by label, spans of other labels left aside."""
    names, room = pairs.labels, max(len(pairs.labels), 1)
    sides = [_cells(pairs, values) for values in (pairs.i, pairs.j)]
    distinct, place = np.unique(np.concatenate(sides), return_inverse=True)
    place = place.reshape(-1)
    first, second = (totals(part, None, len(distinct)) for part in np.split(place, [len(sides[0])]))
    size = first + second
    if match.way == "label":
        hit = 2 * np.minimum(first, second)
    else:
        matched, score = pairs.paired(Match(match.name, match.way, same_label=True, bound=match.bound))
        cell = np.searchsorted(distinct, matched.pair * room + pairs.spans.label[matched.x])
        hit = 2 * totals(cell, score, len(distinct))
    # … and the same for every pair of annotations that has these values.
    pair, entry = pairs.everywhere((distinct // room).astype(np.intp))
    return ByLabel(names, (distinct % room).astype(np.intp)[entry], pair, hit[entry], size[entry])


def _cells(pairs: SpanPairs, values: Indices) -> Indices:
    """A number for each span of some values, laid end to end: that of its pair of values and label."""
    start = pairs.spans.start
    of, span = ragged(start[values], np.diff(start)[values])
    cells: Indices = of * max(len(pairs.labels), 1) + pairs.spans.label[span]
    return cells
