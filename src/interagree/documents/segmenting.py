"""From spans that cover whole documents to how the documents were cut.

Annotators who mark sections, scenes or topics from end to end give spans, and measures of segmentation want boundaries.
A boundary is where a span begins, but for the first one; labels are left aside.  Spans of one annotator must cover the
document without a gap and without overlapping, since a stretch that nobody marked is in no segment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Unpack

import numpy as np

from interagree.arrays import Int64s
from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.data.codes import encode
from interagree.data.provenance import Step, counted
from interagree.data.types import IntoAnnotations
from interagree.declare import takes_data
from interagree.documents.edges import in_tokens
from interagree.documents.texts import Documents, SpanTable
from interagree.errors import DataError, KindError


@takes_data
def as_segments(
    data: IntoAnnotations,
    *,
    positions: Literal["characters", "tokens"] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Annotations:
    """A study of spans that cover their documents as a study of segmentations.

    A document reaches from 0 to its length where its text or its tokens are known, else from the first begin to the
    last end of all that was marked in it.  Whitespace between two spans of characters is not a gap where the text
    is known, and a boundary then lies before the first character that is not whitespace.

    Args:
        data: A study of spans, or anything `Annotations.of` takes.
        positions: What units are: "tokens" turns spans of characters into spans of tokens first; by default they are
            what the positions of the spans count.

    Returns:
        The same documents and annotators; each value is the tuple of the lengths of the segments.

    Examples:
        >>> import interagree as ia
        >>> spans = ia.spans.from_units(["d", "d", "d"], ["ann", "ann", "bo"], [0, 40, 0], [40, 100, 100])
        >>> ia.spans.as_segments(spans).rows()
        [('d', 'ann', (40, 60)), ('d', 'bo', (100,))]

    Raises:
        DataError: Where spans leave a gap or overlap; it names the document and the annotator.
    """
    study = as_annotations(data)
    if positions not in (None, "characters", "tokens"):
        raise KindError(f"positions must be 'characters' or 'tokens', got {positions!r}")
    if positions == "tokens":
        study = in_tokens(study)
    documents = Documents.of(study)
    if positions is not None and documents.positions not in (None, positions):
        raise KindError(f"segments of {positions} were asked for, and positions count {documents.positions}")
    placed = SpanTable.of(study, who="a study of segments")
    first, last = _reach(study, documents, placed)
    edges = np.searchsorted(placed.row, np.arange(len(study) + 1))
    lengths = []
    for row, item in enumerate(study.item.tolist()):
        here = slice(int(edges[row]), int(edges[row + 1]))
        text = documents.text(item) if documents.positions == "characters" else None
        spans = sorted(zip(placed.begin[here].tolist(), placed.end[here].tolist(), strict=True))
        begins = _tiled(spans, int(first[item]), int(last[item]), text, whose=_whose(study, row))
        lengths.append(tuple(np.diff([*begins, int(last[item])]).tolist()))
    code, values = encode(lengths)
    step = Step("taken", f"{counted(len(placed.row), 'span')} as segments, from end to end", len(placed.row))
    return replace(
        study,
        value=code,
        values=tuple(values),
        ordered=False,
        stated=False,
        of_kind="segments",
        provenance=study.provenance.then(step),
    )


def _reach(study: Annotations, documents: Documents, placed: SpanTable) -> tuple[Int64s, Int64s]:
    """Where each document begins and ends."""
    first = np.full(len(study.items), np.iinfo(np.int64).max)
    last = np.zeros(len(study.items), dtype=np.int64)
    np.minimum.at(first, placed.item, placed.begin)
    np.maximum.at(last, placed.item, placed.end)
    for item in range(len(study.items)):
        length = documents.length(item)
        if length is not None:
            first[item], last[item] = 0, max(length, last[item])
    return first, last


def _whose(study: Annotations, row: int) -> str:
    who = "somebody" if study.anonymous else repr(study.annotators[int(study.annotator[row])])
    return f"{who} in document {study.items[int(study.item[row])]!r}"


def _tiled(spans: list[tuple[int, int]], first: int, last: int, text: str | None, *, whose: str) -> list[int]:
    """Where segments begin, or an error where spans do not cover a document."""
    if not spans:
        raise DataError(f"segments cover a document, and {whose} marked nothing")
    reached, begins = first, []
    for begin, end in [*spans, (last, last)]:
        if begin < reached:
            raise DataError(
                f"segments do not overlap, and two of {whose} do, from {begin} to {min(reached, end)}; measure spans "
                "that overlap with span_f1 or gamma"
            )
        if begin > reached and (text is None or text[reached:begin].strip()):
            raise DataError(
                f"segments leave no gap, and those of {whose} leave one from {reached} to {begin}; mark it, or measure "
                "the spans with span_f1 or gamma"
            )
        begins.append(begin if text is None else begin + len(text[begin:end]) - len(text[begin:end].lstrip()))
        reached = end
    return [first, *begins[1:-1]]
