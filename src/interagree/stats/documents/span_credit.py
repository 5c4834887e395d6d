"""The credit of spans: every two annotations of one document, matched one to one."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.kernels.ragged import ragged
from interagree.stats.documents.credit import ByLabel, Credit
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.compress import totals


def credit(
    marks: SpanPairs,
    match: Match,
    *,
    average: str = "micro",
    empty: float | None = None,
    label: Hashable | None = None,
) -> Credit:
    """What every two annotations of one document have in common.

    Args:
        marks: The spans.
        match: How two of them are compared.
        average: What is averaged, see `Credit`.
        empty: What two empty annotations count in the mean over documents.
        label: Only spans of this label.
    """
    if label is None:
        hit, size = hits(marks, match), sizes(marks)
    else:
        one = by_label(marks, match).of_label(marks.label_code(label))
        hit, size = (totals(one.pair, entry, len(marks.first)) for entry in (one.hit, one.size))
    who = marks.study.annotator
    return Credit.of(
        marks.study,
        marks.item,
        who[marks.first].astype(np.intp),
        who[marks.second].astype(np.intp),
        hit,
        size,
        lambda: by_label(marks, match) if label is None else one,
        average=average,
        empty=empty,
    )


def hits(marks: SpanPairs, match: Match) -> Floats:
    """For each pair of annotations twice the sum of how well matched spans fit."""
    if match.way == "label":
        named = by_label(marks, match)
        return totals(named.pair, named.hit, len(marks.first))
    found, score = marks.paired(match)
    return 2 * totals(found.pair, score, len(marks.i))[marks.pattern]


def sizes(marks: SpanPairs) -> Floats:
    """For each pair of annotations how many spans both have together."""
    count = np.diff(marks.spans.start)
    return (count[marks.i] + count[marks.j])[marks.pattern].astype(np.float64)


def by_label(marks: SpanPairs, match: Match) -> ByLabel:
    """The same label by label, spans of other labels left aside."""
    names, room = marks.labels, max(len(marks.labels), 1)
    sides = [_cells(marks, values) for values in (marks.i, marks.j)]
    distinct, place = np.unique(np.concatenate(sides), return_inverse=True)
    place = place.reshape(-1)
    one, two = (totals(part, None, len(distinct)) for part in np.split(place, [len(sides[0])]))
    size = one + two
    if match.way == "label":
        hit = 2 * np.minimum(one, two)
    else:
        found, score = marks.paired(Match(match.name, match.way, same_label=True, bound=match.bound))
        cell = np.searchsorted(distinct, found.pair * room + marks.spans.label[found.x])
        hit = 2 * totals(cell, score, len(distinct))
    # … and the same for every pair of annotations that has these values.
    pair, entry = marks.everywhere((distinct // room).astype(np.intp))
    return ByLabel(names, (distinct % room).astype(np.intp)[entry], pair, hit[entry], size[entry])


def _cells(marks: SpanPairs, values: Indices) -> Indices:
    """A number for each span of some values, laid end to end: that of its pair of values and label."""
    start = marks.spans.start
    of, span = ragged(start[values], np.diff(start)[values])
    found: Indices = of * max(len(marks.labels), 1) + marks.spans.label[span]
    return found
