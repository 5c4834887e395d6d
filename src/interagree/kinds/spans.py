"""Spans: a list of [start, end, label], the end not included; also [start, end], and {"start", "end", "label"}.

Positions are tokens, characters or seconds.  Spans may overlap and be nested; an empty list says that there is
nothing to mark.  One span alone is a list of one.  A span in several pieces is written as an object with its pieces,
``{"fragments": [[0, 5], [9, 12]], "label": "PER"}``, and reaches from the first of them to the last.  What else is said
of a span is kept in its ``features``, ``{"features": {"certain": "yes"}}``.

Tools write objects in other words, too.  Where ``start`` and ``end`` are not both there, positions are read from
``begin``/``end``, ``start``/``stop``, ``begin``/``stop``, ``from``/``to``, ``start_offset``/``end_offset`` or
``start_char``/``end_char``; where there is no ``label``, it is the string in ``tag``, ``type``, ``category``,
``class``, ``entity``, ``entity_group`` or ``entity_type``, or the only one in ``labels``.  Two of them that say
different things are an error, and so are several labels: such a span is listed once for each.  Other fields, such as
the text of a span, are left aside.

Positions are kept as they are up to 2**53; those beyond, such as nanoseconds since 1970, are refused, for some of them
would become the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from interagree.arrays import Floats, Indices, Int32s
from interagree.data.types import Json
from interagree.data.values import canonical
from interagree.errors import KindError, listing
from interagree.kernels.spans import Stretches
from interagree.kinds._kind import Kind, ListValues, stored_noise, told_by, written
from interagree.kinds._merging import Matched, Matching, Middle, mean, median
from interagree.kinds._parts import fields, is_number, numbered, starts
from interagree.kinds._views import Drawing
from interagree.tables import cell

FURTHEST = 2**53  # positions below it, and no others, are told apart as floating-point numbers
POSITIONS = (  # what tools call the start and the end of a span
    ("begin", "end"),
    ("start", "stop"),
    ("begin", "stop"),
    ("from", "to"),
    ("start_offset", "end_offset"),
    ("start_char", "end_char"),
)
LABELS = ("labels", "tag", "type", "category", "class", "entity", "entity_group", "entity_type")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of all spans, end to end and in order; those of span k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    begin: Floats
    end: Floats


Span = tuple[Any, ...]  # (start, end), (start, end, label), or the pairs of names and entries of an object


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    begin: Floats
    end: Floats
    label: Int32s  # spans without a label have one number too
    pieces: Pieces | None = None  # where some spans are in several pieces
    names: tuple[str | None, ...] = ()  # the labels by their numbers

    @property
    def owner(self) -> Indices:
        """The value that each span belongs to."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @property
    def order(self) -> Indices | None:
        """The spans of each value by where they begin and end; None where they stand in that order."""
        same = np.ones(max(len(self.begin) - 1, 0), dtype=bool)
        borders = self.start[1:-1]
        same[borders[(borders > 0) & (borders < len(self.begin))] - 1] = False
        step = np.diff(self.begin)
        if not (same & ((step < 0) | ((step == 0) & (np.diff(self.end) < 0)))).any():
            return None
        return np.lexsort((self.end, self.begin, self.owner))

    def in_order(self, *, labels: bool) -> Stretches:
        """The spans of each value by label, if labels matter, and by beginning."""
        label = self.label if labels else np.zeros_like(self.label)
        order = np.lexsort((self.end, self.begin, label, self.owner))
        return Stretches(self.start, label[order], self.begin[order], self.end[order])

    def union(self, *, labels: bool) -> Stretches:
        """What each value marks (with each label, if labels matter), as stretches that do not overlap."""
        spans = self.in_order(labels=labels)
        if not len(spans.begin):
            return spans
        other = (np.diff(spans.owner, prepend=-1) != 0) | (np.diff(spans.label, prepend=-1) != 0)
        # Ends by rank, each value and label above all before it: the running maximum then starts anew with them.
        ends, rank = np.unique(spans.end, return_inverse=True)
        reach = np.maximum.accumulate(np.cumsum(other) * len(ends) + rank)
        furthest = ends[reach % len(ends)]
        first = other.copy()
        first[1:] |= spans.begin[1:] > furthest[:-1]
        last = np.append(first[1:], True)  # the last stretch of all ends with the last span
        counts = np.bincount(spans.owner[first], minlength=len(self.start) - 1)
        return Stretches(starts(counts.tolist()), spans.label[first], spans.begin[first], furthest[last])

    def alike(self, *, labels: bool) -> Stretches:
        """Each span as a stretch of length 1, in one place for all spans of one range (and label, if they matter).

        A span that a value lists twice takes two places, so that it finds one partner in a value that lists it once.
        """
        label = self.label if labels else np.zeros_like(self.label)
        owner = self.owner
        order = np.lexsort((owner, label, self.end, self.begin))
        other = np.zeros(len(order), dtype=bool)
        for part in (self.begin, self.end, label):
            other |= np.diff(part[order], prepend=np.nan) != 0
        again = ~(other | (np.diff(owner[order], prepend=-1) != 0))
        place = np.arange(len(order))
        copy = place - np.maximum.accumulate(np.where(again, 0, place))
        code = np.empty(len(order))
        code[order] = np.cumsum(other) * (copy.max(initial=0) + 1) + copy
        code = code[np.lexsort((code, owner))]
        return Stretches(self.start, np.zeros_like(label), code, code + 1)


def checked(empty: float) -> None:
    """Two empty lists are some distance apart that a bounded distance may have."""
    if not 0 <= empty <= 1:
        raise KindError(
            f"empty= is the distance of two empty lists, from 0 (the same) to 1 (as far apart as can be), got {empty!r}"
        )


def _as_list(value: Any) -> tuple[Span, ...]:
    if not isinstance(value, tuple) or not value:
        return ()
    alone = is_number(value[0]) or (isinstance(value[0], tuple) and fields(value) is not None)
    return (value,) if alone else value


def _parts(span: object) -> tuple[Any, ...] | None:
    """Start, end and label of one span; None where it is not written as one."""
    if not isinstance(span, tuple) or not span:
        return None
    if not isinstance(span[0], tuple):
        return (*span, None)[:3] if len(span) in {2, 3} else None
    named = fields(span)
    if named is None:
        return None
    return (*_positions(named)[0], _labels(named)[0])


def _positions(named: Mapping[str, Any]) -> list[tuple[float, float]]:
    """The start and the end of a span that was written as an object; several where names for them disagree."""
    if "start" in named and "end" in named:
        return [(named["start"], named["end"])]
    positions = dict.fromkeys((named[low], named[high]) for low, high in POSITIONS if low in named and high in named)
    if positions:
        return list(positions)
    given: Any = named.get("fragments")
    begin, end = (min(given)[0], max(high for _, high in given)) if _are_pieces(given) else (None, None)
    return [(named.get("start", begin), named.get("end", end))]


def _labels(named: Mapping[str, Any]) -> list[str | None]:
    """The label of a span that was written as an object; several where there are."""
    if "label" in named:
        return [named["label"]]
    listed = named.get("labels")
    labels = list(listed) if isinstance(listed, tuple) else []
    labels += [named[name] for name in LABELS if isinstance(named.get(name), str)]
    return list(dict.fromkeys(labels)) or [None]


def _are_pieces(given: object) -> bool:
    return isinstance(given, tuple) and bool(given) and all(map(_is_piece, given))


def _is_piece(piece: object) -> bool:
    return isinstance(piece, tuple) and len(piece) == 2 and all(map(is_number, piece))


def pieces(span: Span) -> tuple[tuple[float, float], ...]:
    """The pieces of a well-formed span, in order, those that touch as one."""
    named = fields(span) if isinstance(span[0], tuple) else None
    fragments = () if named is None else named.get("fragments") or ()
    if not fragments:
        begin, end, _ = _parts(span) or ()
        return ((begin, end),)
    joined = [min(fragments)]
    for begin, end in sorted(fragments)[1:]:
        if begin == joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return tuple(joined)


def label(span: Span) -> str | None:
    parts = _parts(span)
    return None if parts is None else parts[2]


def features(span: Span) -> Mapping[str, Any]:
    """What else is said about a well-formed span."""
    named = fields(span) if isinstance(span[0], tuple) else None
    about = None if named is None else named.get("features")
    return {} if not about else fields(about) or {}


def _why_not(value: object) -> str | None:
    if not isinstance(value, tuple):
        return "it is not a list"
    return next(filter(None, map(_wrong_span, _as_list(value))), None)


def _wrong_span(span: object) -> str | None:
    parts = _parts(span)
    if parts is None:
        return f"a span is {str(span)[:60]}"
    named = fields(span)
    reason = None if named is None else _wrong_names(named)
    if reason is not None:
        return reason
    begin, end, label = parts
    if not is_number(begin) or not is_number(end):
        return f"a span runs from {begin!r} to {end!r}"
    if begin >= end:
        return f"a span from {begin} to {end} has no length"
    if begin <= -FURTHEST or end >= FURTHEST:
        return (
            f"a span runs from {begin} to {end}, and positions from 2**53 on cannot be told apart (count from the "
            "start of the document, or in larger units),"
        )
    if label is not None and not isinstance(label, str):
        return f"a label is {label!r}, which is not a string"
    return None if named is None else _wrong_pieces(named.get("fragments"), begin, end)


def _wrong_names(named: Mapping[str, Any]) -> str | None:
    """What is wrong with the fields of a span, before looking at where it lies."""
    given, about = named.get("fragments"), named.get("features")
    if given is not None and not _are_pieces(given):
        return f"the fragments of a span are {str(given)[:60]}, not a list of [start, end]"
    if about and fields(about) is None:
        return f"the features of a span are {str(about)[:60]}, which is not an object"
    positions, labels = _positions(named), _labels(named)
    if len(positions) > 1:
        ways = listing((f"from {begin!r} to {end!r}" for begin, end in positions), quote=False)
        return f"a span runs {ways} by different fields (give it one start and one end)"
    if len(labels) > 1 and isinstance(named.get("labels"), tuple) and len(named["labels"]) > 1:
        return f"there are several labels on one span, {listing(labels)} (list the span once for each)"
    if len(labels) > 1:
        return f"a span is {listing(labels)} by different fields (write its label as 'label')"
    return None


def _wrong_pieces(given: Sequence[tuple[float, float]] | None, begin: float, end: float) -> str | None:
    if given is None:
        return None
    if any(low >= high for low, high in given):
        return "a fragment of a span has no length"
    if any(before[1] > after[0] for before, after in pairwise(sorted(given))):
        return f"fragments of a span overlap: {str(given)[:60]}"
    if min(given)[0] != begin or max(high for _, high in given) != end:
        return f"a span runs from {begin} to {end}, and its fragments do not"
    return None


def _pack(values: Sequence[object]) -> Spans:
    lists = [_as_list(value) for value in values]
    all_spans = [span for spans_of_one in lists for span in spans_of_one]
    parts = [_parts(span) or () for span in all_spans]
    return Spans(
        starts([len(spans_of_one) for spans_of_one in lists]),
        np.array([part[0] for part in parts], dtype=np.float64),
        np.array([part[1] for part in parts], dtype=np.float64),
        numbered([part[2] for part in parts]),
        _pieces_of(all_spans),
        tuple(dict.fromkeys(part[2] for part in parts)),
    )


def _pieces_of(all_spans: Sequence[Span]) -> Pieces | None:
    per_span = [pieces(span) for span in all_spans]
    if all(len(pieces_of_one) == 1 for pieces_of_one in per_span):
        return None
    laid = np.array([piece for pieces_of_one in per_span for piece in pieces_of_one], dtype=np.float64)
    return Pieces(starts([len(pieces_of_one) for pieces_of_one in per_span]), laid[:, 0].copy(), laid[:, 1].copy())


def _quick(values: Sequence[tuple[Span, ...]]) -> Spans | None:
    """Lists of plain ``(start, end, label)`` packed at once; None where something else is among them."""
    if set(map(type, values)) != {tuple}:
        return None
    flat = list(chain.from_iterable(values))
    if set(map(type, flat)) != {tuple} or set(map(len, flat)) != {3}:
        return None
    begins, ends, names = zip(*flat, strict=True)
    if not {int, float}.issuperset(map(type, begins + ends)) or not {str, type(None)}.issuperset(map(type, names)):
        return None
    try:
        begin, end = np.array(begins, dtype=np.float64), np.array(ends, dtype=np.float64)
    except OverflowError:  # whole numbers have no end
        return None
    if not ((begin < end) & (begin > -FURTHEST) & (end < FURTHEST)).all():
        return None
    return Spans(starts(list(map(len, values))), begin, end, numbered(names), names=tuple(dict.fromkeys(names)))


def _likely(values: Sequence[object]) -> bool:
    # Bare pairs of numbers could as well be points: they are spans only when they are said to be.
    flat = [span for value in values for span in _as_list(value)]
    return bool(flat) and all(fields(span) is not None or isinstance(span[-1], str) for span in flat)


def _suspected(lists: ListValues) -> bool:
    return lists.nested and lists.well_formed(spans)


def _in_words(value: object, text: str | None) -> str:
    if not isinstance(value, tuple | list):
        return cell(value)
    return "; ".join(_span_in_words(span, text) for span in value)


def _span_in_words(span: object, text: str | None) -> str:
    if not isinstance(span, tuple | list) or len(span) < 2 or not all(map(is_number, span[:2])):
        return cell(span)
    start, end, *label = span
    where = f"{start:g}–{end:g}"
    if text and isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text):
        where = f"“{' '.join(text[start:end].split())}” ({where})"
    return " ".join([*map(str, label[:1]), where]) if label and label[0] is not None else where


def _drawn(value: object, page: Drawing) -> Json:
    drawn: list[Json] = []
    for span in _as_list(value):
        parts = [page.between(*piece) for piece in pieces(span)]
        whole: list[Json] = [parts[0][0], parts[-1][1], page.label(label(span))]
        drawn.append([*whole, [[*part] for part in parts]] if len(parts) > 1 else whole)
    return drawn


def _merged(objects: Matched, middle: Middle) -> list[tuple[object, ...]]:
    packed: Spans = objects.packed
    whole = bool((packed.begin % 1 == 0).all() and (packed.end % 1 == 0).all())
    ends = []
    for side in (packed.begin, packed.end):
        if middle == "median":
            place = median(objects.cluster, side, objects.weight, objects.count, lower=True)
        else:
            place = mean(objects.cluster, side, objects.weight, objects.count)
            place = np.floor(place + 0.5) if whole else place
        ends.append(place.astype(np.int64).tolist() if whole else place.tolist())
    return [
        (begin, end, label) if label is not None else (begin, end)
        for begin, end, label in zip(*ends, objects.labels(), strict=True)
    ]


def _jaccard(packed: Spans, x: Indices, y: Indices) -> Floats:
    """One minus the shared length of aligned pairs of spans over the length of both together."""
    both = np.minimum(packed.end[x], packed.end[y]) - np.maximum(packed.begin[x], packed.begin[y])
    length = packed.end[x] - packed.begin[x] + packed.end[y] - packed.begin[y]
    shared = np.maximum(both, 0.0)
    return np.asarray(1 - shared / (length - shared))


spans = Kind(
    **written("spans", "a list of [start, end, label], the end not included"),
    **told_by(_why_not, _likely, _pack, _quick, rank=250, certainty="plain"),
    suspected=_suspected,
    suspicion="spans",
    words=_in_words,
    nothing="nothing marked",
    empty=(),
    merge=Matching(
        objects=_as_list,
        distance=_jaccard,
        make=_merged,
        order=lambda span: (*span[:2], canonical(span[2:])),
        label=label,
    ),
    distance="spans_tag",
    distances=("count_diff", "spans_strict", "spans_range", "spans_lenient", "spans_tag", "span_tokens"),
    measures=("span_f1", "span_f1:match=jaccard", "span_f1:match=overlap", "corrected_span_f1", "alpha"),
    noise=stored_noise("spans"),
    view="marks",
    drawn=_drawn,
    group="Spans and what is built on them",
    examples=(((0, 4, "x"), (6, 9, "y")), ((0, 4, "y"), (7, 9, "y")), ((1, 5, "x"), (8, 12, "z")), ((2, 3, "z"),), ()),
)
