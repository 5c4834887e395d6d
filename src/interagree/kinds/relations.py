"""Relations between spans: a list of [head, tail, label], head and tail being spans.

A span is written as in the kind `spans`: [start, end], [start, end, label], or an object, which may have its pieces in
``fragments``.  A relation may be an object as well, ``{"head": [0, 3], "tail": [9, 12], "label": "works for"}``, and
one with ``"directed": false`` has no direction: its head and its tail may be swapped.  A label may be left out.  An
empty list says that nothing is related.  Other fields of an object are left aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Indices, Int32s
from interagree.data.types import Json
from interagree.kinds._kind import Kind, told_by, written
from interagree.kinds._objects import wrong_list
from interagree.kinds._parts import fields, numbered, starts
from interagree.kinds._views import Drawing
from interagree.kinds.spans import Spans, pieces
from interagree.kinds.spans import spans as span_kind


class Relation(NamedTuple):
    """One relation, as it was written."""

    head: Any
    tail: Any
    label: Any = None  # as written, until it is checked
    directed: Any = True


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of all values, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    start: Indices
    arguments: Spans  # the head of relation r is span 2 r, its tail span 2 r + 1
    label: Int32s  # relations without a label have one number too
    directed: Booleans
    names: tuple[str | None, ...]  # the labels by their numbers


def relation(entry: object) -> Relation | None:
    """The parts of one relation; None where it is not written as one."""
    if not isinstance(entry, tuple) or not entry:
        return None
    named = fields(entry)
    if named is None:
        return Relation(*entry) if len(entry) in {2, 3} else None
    if "head" not in named or "tail" not in named:
        return None
    directed = named.get("directed")
    return Relation(named["head"], named["tail"], named.get("label"), True if directed is None else directed)


def _why_not(value: object) -> str | None:
    return wrong_list(value, lambda _: False, _wrong_relation)


def _wrong_relation(entry: object) -> str | None:
    named = relation(entry)
    if named is None:
        return f"a relation is {str(entry)[:60]}"
    for role, span in (("head", named.head), ("tail", named.tail)):
        reason = span_kind.why_not((span,))
        if reason is not None:
            return f"the {role} of a relation is not a span ({reason})"
    if named.label is not None and not isinstance(named.label, str):
        return f"the label of a relation is {named.label!r}, which is not a string"
    if not isinstance(named.directed, bool):
        return f"a relation is directed or not, true or false, and {named.directed!r} is neither"
    return None


def _pack(values: Sequence[tuple[Any, ...]]) -> Relations:
    parsed = [[relation(entry) or Relation(None, None) for entry in value] for value in values]
    arguments = span_kind.packed([_ends(some) for some in parsed])
    every = list(chain.from_iterable(parsed))
    return _laid(values, arguments, [entry.label for entry in every], [entry.directed for entry in every])


def _quick(values: Sequence[tuple[Any, ...]]) -> Relations | None:
    """Lists of plain ``(head, tail, label)`` packed at once; None where something else is among them."""
    if not {tuple}.issuperset(map(type, values)):
        return None
    flat = list(chain.from_iterable(values))
    if set(map(type, flat)) != {tuple} or set(map(len, flat)) != {3}:
        return None
    labels = [entry[2] for entry in flat]
    if not {str, type(None)}.issuperset(map(type, labels)) or span_kind.quick is None:
        return None
    arguments = span_kind.quick([_ends(value) for value in values])
    return None if arguments is None else _laid(values, arguments, labels, [True] * len(labels))


def _ends(relations: Sequence[Relation]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(entry[:2] for entry in relations))


def _laid(
    values: Sequence[tuple[Any, ...]], arguments: Spans, labels: Sequence[str | None], directed: Sequence[bool]
) -> Relations:
    return Relations(
        starts([len(value) for value in values]),
        arguments,
        numbered(labels),
        np.array(directed, dtype=bool),
        tuple(dict.fromkeys(labels)),
    )


def _likely(values: Sequence[tuple[Any, ...]]) -> bool:
    # Two bare pairs of numbers could as well be a line of two points: a label or a name must tell.
    flat = list(chain.from_iterable(values))
    return bool(flat) and all(fields(entry) is not None or isinstance(entry[-1], str) for entry in flat)


def _drawn(value: tuple[Any, ...], page: Drawing) -> Json:
    drawn: list[Json] = []
    for entry in filter(None, map(relation, value)):
        ends = [page.between(parts[0][0], parts[-1][1]) for parts in (pieces(entry.head), pieces(entry.tail))]
        drawn.append([*ends[0], *ends[1], page.label(entry.label), int(entry.directed)])
    return drawn


relations = Kind(
    **written(
        "relations",
        "a list of [head, tail, label], head and tail being [start, end] or [start, end, label]",
        title="relations between spans",
    ),
    **told_by(_why_not, _likely, _pack, _quick, rank=230, certainty="plain"),
    distance="nominal",
    distances=("nominal",),
    measures=("relation_f1", "relation_f1:match=overlap"),
    nothing="nothing related",
    empty=(),
    view="relations",
    drawn=_drawn,
    group="Spans and what is built on them",
    examples=(
        (((0, 4, "p"), (6, 9, "q"), "x"), ((6, 9, "q"), (10, 12, "p"), "y")),
        (((0, 4, "p"), (6, 9, "q"), "y"),),
        (((1, 4, "p"), (6, 9, "q"), "x"), ((6, 9, "q"), (0, 4, "p"), "z")),
        (((6, 9, "q"), (10, 12, "p"), "y"), ((0, 4, "p"), (6, 9, "q"), "z")),
        (),
    ),
)
