"""Attributes on matched spans: categorising given unitizing.

Annotators who mark spans first decide where something is, and then what it is.  `attribute_agreement` asks about the
second alone: spans of every two annotators are matched one to one, and what the two said of a matched span (its label,
or a feature such as "certain") is what an ordinary coefficient compares.  It says nothing about spans that only one of
them marked, so the share that was matched, the coverage, always stands beside it.

**Items.**  Every matched pair of spans is an item with two values, those of the two annotators who marked it.  With
more than two annotators this is done for every two of them and the items are pooled, each with the names of its two
annotators: a span that three annotators marked is three items.  Building one item from all of them would need
matchings that fit together, and they need not: a span may match one span of a second annotator and one of a third which
do not match each other.  So spans that many annotators found count more, and the items of a document depend on one
another: errors and intervals are those of whole documents.  Annotators keep their names, so that coefficients with
an urn for each annotator (Cohen's, Light's, Conger's kappa) and the tables by annotator and by pair mean what they say.

**Matching.**  As in `span_f1`, with the largest sum of how well spans fit.  Of matchings as good as each other, that
with spans closer to each other is taken, then that with more labels alike, then that with more values alike: this
matters only where an annotator marked one stretch several times.

**Missing.**  A span without the feature has no value and is counted.  Where its absence is an answer (a negation that
is not there), ``missing="no"`` names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from interagree.arrays import Indices
from interagree.data import Annotations, IntoAnnotations, as_annotations
from interagree.data.codes import encode
from interagree.data.provenance import Step, counted
from interagree.data.types import Value
from interagree.declare import facts_of, takes_data
from interagree.errors import Advice, Hint, KindError, UnknownName, listing, suggestion
from interagree.kernels.assignment import heaviest
from interagree.kinds.spans import Span, Spans
from interagree.kinds.spans import features as features_of
from interagree.kinds.spans import spans as span_kind
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement
from interagree.stats.documents.relations import by_name, places
from interagree.stats.documents.span_matching import HAIR, Match, lengths
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.estimate import in_clusters

DOCUMENT = "document"  # the attribute that says which document an item comes from
SIMPLE = ("any", "numbers", "sets")  # what coefficients take that compare one value with another


@takes_data
def attribute_agreement(
    data: IntoAnnotations,
    feature: str = "label",
    *,
    match: str = "overlap",
    same_label: bool = False,
    coefficient: str = "alpha",
    missing: Value = None,
    values: Sequence[Value] | None = None,
    **options: object,
) -> Agreement:
    """Agreement on the labels, or another feature, of the spans that annotators have in common.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        feature: "label", or the name of a feature of spans.
        match: Which spans are the same, as in `span_f1`: "overlap", "exact", "iou>=0.5", "within:1" …
        same_label: Whether spans of different labels are never the same; for a feature other than the label.
        coefficient: The measure, by name: "alpha", "cohen_kappa", "ac1", "percent" …
        missing: What a span without the feature has; without it, it has no value and is left out.
        values: All values there are, in order where they have one.
        options: Further options of the coefficient, such as ``distance="ordinal"``.

    Returns:
        The coefficient; its details say how many spans were matched.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"), (9, 12, "ORG"))), ("d", "bo", ((0, 4, "PER"), (9, 12, "LOC")))]
        >>> ia.spans.attribute_agreement(ia.Annotations.of(spans, kind="spans"), coefficient="percent").value
        0.5
    """
    how = Match.of(match, same_label=same_label)
    if how.same_label and feature == "label":
        raise KindError(
            f"match={how.name!r} with same_label={same_label} matches spans of the same label alone, which leaves "
            "nothing to ask about labels; match by 'overlap' or 'exact' without same_label, or name another feature"
        )
    marks = SpanPairs.of(as_annotations(data), who="attribute_agreement")
    code, seen = _feature_codes(marks, feature, missing)
    pairs = in_common(marks, how, code, by_name(seen))
    names = names_of(marks, pairs, written(marks.spans))
    study = pooled(
        marks.study,
        Pooled(*owners(marks, pairs), code[pairs.x], code[pairs.y], names, seen),
        f"{counted(len(names), 'pair')} of spans matched ({how.name}) and compared by {feature!r}",
        values=values,
    )
    size = int(np.diff(marks.spans.start)[marks.study.value[np.r_[marks.first, marks.second]]].sum())
    without = int(np.count_nonzero(code[np.r_[pairs.x, pairs.y]] < 0))
    notes = [coverage(2 * len(names), size, f"spans were matched ({how.name})")]
    if without:
        was = f"has no {feature!r} and was" if without == 1 else f"have no {feature!r} and were"
        hint = Hint("missing")
        note = f"{without:,} of {2 * len(names):,} matched spans {was} left out; {hint} gives them a value"
        notes.append(Advice(note, [hint]))
    why = (
        "no two annotators marked spans that match, so there is nothing to compare"
        if not len(names)
        else f"no matched span has {feature!r}, so there is nothing to compare"
        if not len(study)
        else None
    )
    details = {
        "coverage": 2 * len(names) / size if size else None,
        "matched pairs of spans": len(names),
        "spans without a value": without,
    }
    return measured(study, coefficient, options, details, notes, why, {"feature": feature, "match": how.name})


def coverage(covered: int, size: int, what: str) -> str:
    """A sentence about the share of spans or relations that a coefficient says something about."""
    share = f"{covered / size:.3f}" if size else "none"
    return f"coverage {share}: {covered:,} of {size:,} {what}, counted for every two annotators"


class Common(NamedTuple):
    """Matched spans of every two annotations of one document."""

    rows: Indices  # the pair of annotations
    x: Indices  # the span of the first
    y: Indices  # … and of the second


def in_common(marks: SpanPairs, how: Match, value: Indices, rank: Indices) -> Common:
    """The spans that every two annotators have in common.

    Args:
        marks: The spans.
        how: How they are compared.
        value: The number of the feature of each span; below 0 where it has none.
        rank: The place of each number in an order that does not depend on the order of rows.
    """
    spans, overlaps = marks.spans, marks.overlaps
    score = how.scores(spans, overlaps)
    overlaps, score = overlaps.taking(score > 0), score[score > 0]
    size = lengths(spans)
    close = overlaps.shared / (size[overlaps.x] + size[overlaps.y] - overlaps.shared)
    value_x, value_y = (value[side] for side in (overlaps.x, overlaps.y))
    alike = spans.label[overlaps.x] == spans.label[overlaps.y]
    weight = score + HAIR * close + HAIR / 10 * alike + HAIR / 100 * ((value_x == value_y) & (value_x >= 0))
    inside = places(
        spans.owner,
        spans.start,
        np.where(value < 0, -1, rank[value] if len(rank) else 0),
        by_name(spans.names)[spans.label],
        spans.end,
        spans.begin,
    )
    sides = (marks.i, overlaps.x), (marks.j, overlaps.y)
    u, v = (_laid_out(spans, values, overlaps.pair, inside[side]) for values, side in sides)
    kept = np.flatnonzero(heaviest(u, v, weight))
    return every_row(marks, overlaps.pair[kept], overlaps.x[kept], overlaps.y[kept])


def _laid_out(spans: Spans, values: Indices, pair: Indices, place: Indices) -> Indices:
    """The number of a span among those of some values laid end to end."""
    size = np.diff(spans.start)[values]
    number: Indices = (np.cumsum(size) - size)[pair] + place
    return number


def every_row(marks: SpanPairs, pair: Indices, x: Indices, y: Indices) -> Common:
    """What was matched in distinct pairs of values, for every pair of annotations that has them."""
    order = np.argsort(pair, kind="stable")
    rows, entry = marks.everywhere(pair[order])
    return Common(rows, x[order][entry], y[order][entry])


def owners(marks: SpanPairs, pairs: Common) -> tuple[Indices, Indices, Indices]:
    """The document and the two annotators of each matched pair."""
    who = marks.study.annotator.astype(np.intp)
    return marks.item[pairs.rows], who[marks.first[pairs.rows]], who[marks.second[pairs.rows]]


def _feature_codes(marks: SpanPairs, feature: str, missing: Value) -> tuple[Indices, list[Value]]:
    """A number for the feature of each span, -1 where it has none, and what the numbers stand for."""
    if feature == "label":
        given: list[Value | None] = [marks.labels[code] for code in marks.spans.label.tolist()]
    else:
        features = [features_of(span) for value in marks.study.values for span in listed(value)]
        if features and not any(feature in named for named in features):
            known = sorted({str(name) for named in features for name in named})
            raise UnknownName(
                f"no span has the feature {feature!r}.{suggestion(feature, known)} "
                + (f"(there are 'label', {listing(known)})" if known else "(spans have labels alone)")
            )
        given = [named.get(feature) for named in features]
    if missing is not None:
        given = [missing if value is None else value for value in given]
    known_values = [value for value in given if value is not None]
    codes, seen = encode(known_values)
    code = np.full(len(given), -1, dtype=np.intp)
    code[[value is not None for value in given]] = codes
    return code, list(seen)


def listed(value: Span) -> Sequence[Span]:
    """The spans of a value, of which one alone may stand without a list."""
    return value if not value or span_kind.why_not((value[0],)) is None else (value,)


def names_of(marks: SpanPairs, pairs: Common, places: Sequence[str]) -> list[str]:
    """A name for each matched pair: its document, where it lies and, if there are more than two, its annotators."""
    owned = zip(*(side.tolist() for side in (*owners(marks, pairs), pairs.x, pairs.y)), strict=True)
    return numbered([named(marks, d, (a, b), both(places[x], places[y])) for d, a, b, x, y in owned])


def named(marks: SpanPairs, document: int, who: tuple[int, int], where: str) -> str:
    """What lies somewhere in a document and was marked by two annotators."""
    study = marks.study
    people = "" if len(study.annotators) == 2 else f" ({study.annotators[who[0]]}, {study.annotators[who[1]]})"
    return f"{study.items[document]}: {where}{people}"


def both(first: str, second: str) -> str:
    """Two places in words, or the one that they are."""
    return first if first == second else f"{first} ~ {second}"


def numbered(names: list[str]) -> list[str]:
    """The same names, with a number where one comes again."""
    again: Counter[str] = Counter()
    distinct = []
    for name in names:
        again[name] += 1
        distinct.append(name if again[name] == 1 else f"{name} #{again[name]}")
    return distinct


def written(spans: Spans) -> list[str]:
    """Where each span lies, in words: ``3-9``, or ``3-5+8-9`` in several pieces."""
    if spans.pieces is None:
        return [f"{b:.15g}-{e:.15g}" for b, e in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]
    pieces = spans.pieces
    each = [f"{b:.15g}-{e:.15g}" for b, e in zip(pieces.begin.tolist(), pieces.end.tolist(), strict=True)]
    start = pieces.start.tolist()
    return ["+".join(each[start[k] : start[k + 1]]) for k in range(len(spans.begin))]


class Pooled(NamedTuple):
    """Items that two annotators each gave a value; a number below 0 is none."""

    document: Indices  # of each item, among the items of the study they come from
    first: Indices  # the annotators
    second: Indices
    here: Indices  # the value that the first gave, by number
    there: Indices
    names: Sequence[str]
    values: Sequence[Value]  # what the numbers stand for


def pooled(study: Annotations, items: Pooled, sentence: str, *, values: Sequence[Value] | None = None) -> Annotations:
    """A study of items that come from documents of another one, with the document as an attribute."""
    count = len(items.names)
    item = np.tile(np.arange(count), 2)
    who, code = np.r_[items.first, items.second], np.r_[items.here, items.there].astype(np.intp)
    keep = code >= 0
    people, annotator = np.unique(who[keep], return_inverse=True)
    known, number = np.unique(item[keep], return_inverse=True)
    used, value = np.unique(code[keep], return_inverse=True)
    document = items.document[item[keep]].tolist()
    return Annotations.from_codes(
        number.reshape(-1),
        annotator.reshape(-1),
        value.reshape(-1),
        [items.names[k] for k in known.tolist()],
        [study.annotators[k] for k in people.tolist()],
        [items.values[k] for k in used.tolist()],
        values=values,
        attributes={DOCUMENT: np.fromiter((study.items[k] for k in document), dtype=object, count=len(document))},
        provenance=study.provenance.then(Step("taken", sentence, count)),
    )


def measured(  # noqa: PLR0917 -- a result and what is said beside it
    study: Annotations,
    coefficient: str,
    options: Mapping[str, object],
    details: Mapping[str, object],
    notes: Sequence[str],
    undefined: str | None,
    show: Mapping[str, object],
) -> Agreement:
    """A coefficient of items that come from documents, with errors by document and more said beside it."""
    function = MEASURES[coefficient]
    if facts_of(function).values not in SIMPLE:
        raise KindError(
            f"{coefficient} compares {facts_of(function).values}, and here single labels are to be compared; take a "
            "coefficient of labels, such as 'alpha', 'cohen_kappa', 'ac1' or 'percent'"
        )
    result = in_clusters(function(study, **options), DOCUMENT)
    return replace(
        result,
        undefined=undefined or result.undefined,
        notes=(*notes, *result.notes, _interval_note(study)) if undefined is None else tuple(notes),
        options={**show, **result.options},
        more=lambda: {**details, **result.details},
    )


def _interval_note(study: Annotations) -> str:
    documents = len(set(study.attributes[DOCUMENT].tolist()))
    if documents == 1:
        return "all items are of one document, so there is no interval for other documents"
    return f"intervals are for other documents, of which there are {documents:,}"
