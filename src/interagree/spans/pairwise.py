"""Span F1 of every two annotators, and the four scores of SemEval-2013 with their counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.measures.span_f1 import span_f1
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.charts import Heat
from interagree.results.charts.tables import pairs
from interagree.results.document import Document, Section
from interagree.stats.documents.credit import Credit, half
from interagree.stats.documents.span_matching import Match, pairing
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.compress import totals
from interagree.stats.pairs.pair_sums import known_annotators
from interagree.tables import Table

SCORES = ("strict", "exact", "partial", "type")


@dataclass(frozen=True)
class PairwiseF1(Answer):
    """Span F1 of every two annotators of a study."""

    pooled: Agreement  # all spans of all pairs at once
    mean: Agreement  # over pairs of annotators
    documents: Agreement  # over documents and pairs
    match: str

    @cached_property
    def _couples(self) -> list[dict[str, Any]]:
        return self.pooled.by_pair().rows()

    @property
    def spread(self) -> float:
        """The standard deviation over pairs of annotators; nan where there is only one pair."""
        values = [row["agreement"] for row in self._couples if not math.isnan(row["agreement"])]
        return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan

    def by_pair(self) -> Table:
        """For each two annotators: the documents both looked at, their spans, and F1."""
        return self.pooled.by_pair()

    def matrix(self) -> Table:
        """F1 of every two annotators."""
        names = list(dict.fromkeys(name for row in self._couples for name in (row["first"], row["second"])))
        names.sort(key=list(self._credit.source.annotators).index)
        table = {(a, b): 1.0 if a == b else math.nan for a in names for b in names}
        for row in self._couples:
            table[row["first"], row["second"]] = table[row["second"], row["first"]] = row["agreement"]
        heads = [str(name) for name in names]
        if len({"annotator", *heads}) <= len(heads):  # names that look alike
            heads = [repr(name) for name in names]
        rows = [{"annotator": a, **{head: table[a, b] for head, b in zip(heads, names, strict=True)}} for a in names]
        return Table.of(rows, names=("annotator", *heads))

    @property
    def _credit(self) -> Credit:
        credit: Credit = self.pooled.engine.statistic  # type: ignore[attr-defined]  # an Estimate has one
        return credit

    def by_label(self) -> Table:
        """For each label: its spans, F1 of all pairs at once, and the mean and deviation over pairs of annotators."""
        credit = self._credit
        by = credit.labels
        place, couples = credit.couples
        shape = (len(by.names), len(couples))
        hit, size = np.zeros(shape), np.zeros(shape)
        for table, entry in ((hit, by.hit), (size, by.size)):
            np.add.at(table, (by.label, place[by.pair]), entry)
        rows = []
        for k in sorted(range(len(by.names)), key=lambda code: (by.names[code] is None, str(by.names[code]))):
            there = size[k] > 0
            each = hit[k][there] / size[k][there]
            if len(each):
                rows.append(
                    {
                        "label": by.names[k],
                        "spans": half(float(size[k].sum())),
                        "F1": float(hit[k].sum() / size[k].sum()),
                        "mean of pairs": float(each.mean()),
                        "deviation": float(each.std(ddof=1)) if len(each) > 1 else math.nan,
                    }
                )
        return Table.of(
            rows,
            names=("label", "spans", "F1", "mean of pairs", "deviation"),
            foot="spans: those of both annotators of a pair, halved, summed over all pairs",
        )

    def by_document(self) -> Table:
        """For each document: F1 of all pairs at once, and the mean over pairs of annotators."""
        credit = self._credit
        count = len(credit.source.items)
        known = credit.size > 0
        share = np.divide(credit.hit, credit.size, out=np.zeros(len(credit.hit)), where=known)
        pairs = totals(credit.item[known], None, count)
        with np.errstate(all="ignore"):
            mean = totals(credit.item, share, count) / pairs
        rows = self.pooled.by_item().rows()
        places = np.flatnonzero(np.bincount(credit.item, minlength=count)).tolist()
        return Table.of(
            [
                {
                    "document": row["item"],
                    "annotations": row["annotations"],
                    "spans": row["spans"],
                    "F1": row["agreement"],
                    "mean of pairs": float(mean[code]),
                }
                for row, code in zip(rows, places, strict=True)
            ],
            names=("document", "annotations", "spans", "F1", "mean of pairs"),
        )

    @property
    def undefined(self) -> str | None:
        """Why no spans could be compared; None where some were."""
        return self.pooled.undefined

    def chart(self) -> Heat | None:
        """F1 of every two annotators."""
        table = self.by_pair()
        return pairs(table, axis="F1", words=f"Span F1 of every two annotators, {self.match}") if len(table) else None

    def tables(self) -> dict[str, Table]:
        """The three averages, the matrix of annotators, and F1 by pair, by label and by document."""
        return {
            "averages": self._averages(),
            "matrix": self.matrix(),
            "by pair": self.by_pair(),
            "by label": self.by_label(),
            "by document": self.by_document(),
        }

    def table(self) -> Table:
        """The three averages with their intervals."""
        return self._averages()

    def document(self) -> Document:
        """The averages, and F1 of annotators and of labels."""
        sections = [
            Section(table=self.table()),
            Section("F1 of annotators", table=self.matrix()),
            Section("F1 of labels", table=self.by_label()),
        ]
        data = {"match": self.match, "averages": self.table(), "annotators": self.by_pair(), "labels": self.by_label()}
        return Document("", sections, data, self.by_pair())

    def _averages(self) -> Table:
        rows = []
        names = ("all spans at once", "mean of pairs of annotators", "mean of documents and pairs")
        for name, result in zip(names, (self.pooled, self.mean, self.documents), strict=True):
            interval = result.interval()
            low, high = (None, None) if interval is None else interval[:2]
            rows.append({"average": name, "F1": result.value, "low": low, "high": high})
        spread = "" if math.isnan(self.spread) else f"; deviation over pairs of annotators {self.spread:.3f}"
        return Table.of(rows, names=("average", "F1", "low", "high"), foot=f"match: {self.match}{spread}")


@takes_data
def pairwise_f1(
    data: IntoAnnotations,
    *others: Values,
    match: str = "exact",
    same_label: bool = True,
    gold: Annotator | None = None,
    **reading: Unpack[ReadingOptions],
) -> PairwiseF1:
    """Span F1 of every two annotators: matrix, mean and deviation, by label and by document.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        match: How two spans are compared, as for `span_f1`.
        same_label: Whether spans of different labels never fit.
        gold: The annotator whom all others are compared with.

    Returns:
        A `PairwiseF1`, with `matrix`, `by_pair`, `by_label` and `by_document`.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> ia.spans.pairwise_f1(ia.Annotations.of(spans, kind="spans"), match="overlap").pooled.value
        1.0
    """
    study = known_annotators(as_annotations(data), "pairwise_f1")
    results = [
        span_f1(study, match=match, same_label=same_label, gold=gold, average=average)
        for average in ("micro", "pairs", "documents")
    ]
    return PairwiseF1(results[0], results[1], results[2], match)


@takes_data
def semeval(
    data: IntoAnnotations,
    *others: Values,
    gold: Annotator | None = None,
    labels: Sequence[str] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Table:
    """The four scores of SemEval-2013 task 9.1 with what they are made of.

    Spans of every two annotators are matched one to one, for each score so that it is as large as can be.  A pair of
    spans that overlap is correct, partial (the score "partial" alone knows it) or incorrect; what is left over is
    missed (of the second, who is the gold standard where there is one) or spurious (of the first).

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        gold: The annotator whom all others are compared with.
        labels: Only spans of one of these labels; each is matched among its own.

    Returns:
        A table with a row for each score: strict, exact, partial and type.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> ia.spans.semeval(ia.Annotations.of(spans, kind="spans")).to_dict("F1")
        {'strict': 0.0, 'exact': 0.0, 'partial': 0.5, 'type': 1.0}
    """
    marks = SpanPairs.of(as_annotations(data), who="semeval", gold=gold)
    spans, study = marks.spans, marks.study
    count = np.diff(spans.start)
    times = np.bincount(marks.pattern, minlength=len(marks.i))
    wanted = None if labels is None else np.isin(spans.label, [marks.label_code(label) for label in labels])
    if wanted is not None:
        count = np.bincount(spans.owner[wanted], minlength=len(count))
    actual, possible = (int(count[study.value[side]].sum()) for side in (marks.first, marks.second))
    every = marks.overlaps
    if wanted is not None:
        every = every.taking(wanted[every.x] & (spans.label[every.x] == spans.label[every.y]))
    rows = []
    for name in SCORES:
        matched, score = pairing(spans, every, Match.of(f"semeval_{name}"), all_that_cross=True)
        often = times[matched.pair]
        right = float(score @ often)
        correct, partial, wrong = (int(often[score == worth].sum()) for worth in (1.0, 0.5, 0.0))
        rows.append(
            {
                "score": name,
                "correct": correct,
                "incorrect": wrong,
                "partial": partial,
                "missed": possible - int(often.sum()),
                "spurious": actual - int(often.sum()),
                "precision": right / actual if actual else math.nan,
                "recall": right / possible if possible else math.nan,
                "F1": 2 * right / (actual + possible) if actual + possible else math.nan,
            }
        )
    return Table.of(
        rows, names=("score", "correct", "incorrect", "partial", "missed", "spurious", "precision", "recall", "F1")
    )
