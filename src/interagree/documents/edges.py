"""Spans with other edges: spans of characters as spans of tokens, and spans without whitespace at their ends.

Both leave the study as it is and give another one, whose provenance counts what changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Indices, Int64s, Integers
from interagree.data.annotations import Annotations
from interagree.data.columns import Columns
from interagree.data.provenance import Step, counted, noted
from interagree.documents.texts import PUNCTUATION, Documents, Piece, SpanTable
from interagree.errors import DataError, KindError
from interagree.errors.options import checks_options
from interagree.kinds.spans import Spans
from interagree.kinds.spans import features as features_of


class NewEdges(NamedTuple):
    """Where spans begin and end instead, and the pieces of those that are in several; one without length is gone."""

    begin: Int64s
    end: Int64s
    pieces: dict[int, tuple[Piece, ...]]

    @property
    def keep(self) -> Booleans:
        """Which spans are left."""
        kept: Booleans = self.begin < self.end
        return kept

    def put(self, at: int, pieces: tuple[Piece, ...]) -> None:
        """The pieces of one span, none where nothing is left of it."""
        self.pieces[at] = pieces
        self.begin[at], self.end[at] = (pieces[0][0], pieces[-1][1]) if pieces else (0, 0)


# -- spans of tokens --------------------------------------------------------------------------------------------


@checks_options
def in_tokens(study: Annotations) -> Annotations:
    """The study with spans of tokens: of every token that a span of characters touches.

    A span that touches no token is left out.  Tokens are those of the documents, or are made from their texts.

    Args:
        study: A study of spans of characters, with texts or tokens; one of tokens is returned as it is.

    Returns:
        The same study with positions that count tokens; its provenance says how many spans were changed.

    Examples:
        >>> import interagree as ia
        >>> spans = ia.spans.from_units(["d"], ["ann"], [4], [9], ["ORG"], texts={"d": "The Bank rose."})
        >>> ia.spans.in_tokens(spans).rows()
        [('d', 'ann', ((1, 2, 'ORG'),))]
    """
    documents = Documents.of(study)
    if documents.positions == "tokens":
        return study
    if documents.positions == "seconds":
        raise KindError("positions count seconds, and tokens are of texts; measure spans in time with gamma")
    table = _TokenTable.of(documents)
    placed = SpanTable.of(study, who="spans of tokens")
    begin, end, cut = table.touched(placed.item, placed.begin, placed.end)
    moved = NewEdges(begin, end, {})
    for at in placed.several().tolist():
        pieces, cut[at] = _touched_pieces(table, placed, at)
        moved.put(at, pieces)
    sentence = f"{counted(len(placed.row), 'span')} of characters as spans of tokens"
    inside = f"{int(cut.sum()):,} began or ended inside a token and took all of it"
    step = Step("taken", f"{sentence}; {inside}", len(placed.row))
    made = _remade(study, placed, moved, [step, *_gone(moved.keep, "that touched no token")])
    positions = np.array(["tokens"] * len(study), dtype=object)
    further = {"tokens": _TokenColumn(table, study.item), "positions": positions}
    made = replace(made, attributes=Columns({**dict(study.attributes), **further}))
    own = [table.offsets(item) for item in range(len(study.items))]
    made.cached("documents", lambda: Documents(made, "tokens", documents.texts, own, _made=dict(enumerate(own))))
    return made


class _TokenTable(NamedTuple):
    """The tokens of all documents, one document after the other."""

    begin: Int64s
    end: Int64s
    first: Indices  # of each document, and one more for the end
    base: Int64s  # where each document begins when they are laid end to end

    @classmethod
    def of(cls, documents: Documents) -> _TokenTable:
        study = documents.study
        tokens = [documents.tokens(item) for item in range(len(study.items))]
        lost = [study.items[item] for item, offsets in enumerate(tokens) if offsets is None]
        if lost:
            raise DataError(
                f"the text of {counted(len(lost), 'document')} is not known, such as {lost[0]!r}, so spans cannot be "
                "turned into spans of tokens; give every row the attribute 'text', or 'tokens' with their offsets"
            )
        there = [offsets for offsets in tokens if offsets is not None]
        spans: Spans = study.packed("spans", who="spans of tokens")
        furthest = int(spans.end.max(initial=0.0)) + 1
        base = np.cumsum([0, *(max(int(offsets[-1, 1]) if len(offsets) else 0, furthest) + 1 for offsets in there)])
        first = np.cumsum([0, *map(len, there)]).astype(np.intp)
        placed = np.concatenate([np.zeros((0, 2), dtype=np.int64), *there])
        far = np.repeat(base[:-1], np.diff(first))
        return cls(placed[:, 0] + far, placed[:, 1] + far, first, base[:-1])

    def offsets(self, item: int) -> Int64s:
        """The tokens of one document, in characters."""
        here = slice(int(self.first[item]), int(self.first[item + 1]))
        offsets: Int64s = np.stack([self.begin[here], self.end[here]], axis=1) - self.base[item]
        return offsets

    def touched(self, item: Indices, begin: Int64s, end: Int64s) -> tuple[Int64s, Int64s, Booleans]:
        """The first token that each stretch touches, one after the last, and whether it cuts one of the two."""
        far = self.base[item]
        low = np.searchsorted(self.end, begin + far, side="right")
        high = np.searchsorted(self.begin, end + far, side="left")
        some = low < high
        cut = np.zeros(len(low), dtype=bool)
        cut[some] = (self.begin[low[some]] < (begin + far)[some]) | (self.end[high[some] - 1] > (end + far)[some])
        return low - self.first[item], high - self.first[item], cut


class _TokenColumn:
    """The tokens of the document of each row, as tuples, which are made when somebody looks at them."""

    def __init__(self, table: _TokenTable, item: Integers) -> None:
        self.table, self.item = table, item

    def __len__(self) -> int:
        return len(self.item)

    def __iter__(self) -> Iterator[tuple[Piece, ...]]:
        made: dict[int, tuple[Piece, ...]] = {}
        for item in self.item.tolist():
            if item not in made:
                made[item] = tuple((low, high) for low, high in self.table.offsets(item).tolist())
            yield made[item]


def _touched_pieces(table: _TokenTable, placed: SpanTable, at: int) -> tuple[tuple[Piece, ...], bool]:
    begins, ends = _pieces(placed, at)
    low, high, cut = table.touched(np.full(len(begins), placed.item[at]), begins, ends)
    whole: list[Piece] = []
    for begin, end in zip(low.tolist(), high.tolist(), strict=True):
        if begin >= end:
            continue
        if whole and begin <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((begin, end))
    return tuple(whole), bool(cut.any())


def _pieces(placed: SpanTable, at: int) -> tuple[Int64s, Int64s]:
    parts = placed.spans.pieces
    assert parts is not None  # noqa: S101 -- asked for spans in several pieces alone
    here = slice(int(parts.start[placed.place[at]]), int(parts.start[placed.place[at] + 1]))
    return parts.begin[here].astype(np.int64), parts.end[here].astype(np.int64)


# -- trimmed spans ----------------------------------------------------------------------------------------------


@checks_options
def trimmed(study: Annotations, what: Literal["whitespace", "punctuation"] = "whitespace") -> Annotations:
    """The study with spans that neither begin nor end in whitespace.

    Args:
        study: A study of spans of characters, with texts.
        what: "whitespace" removes whitespace from both ends; "punctuation" also removes trailing ``.,;:!?``.  Of a span
            in several pieces the outer ends alone are trimmed.  A span of which nothing is left is left out.

    Returns:
        The same study with shorter spans; its provenance says how many were trimmed.

    Examples:
        >>> import interagree as ia
        >>> spans = ia.spans.from_units(["d"], ["ann"], [3], [9], ["ORG"], texts={"d": "The Bank, rose."})
        >>> ia.spans.trimmed(spans, "punctuation").rows()
        [('d', 'ann', ((4, 8, 'ORG'),))]
    """
    if what not in ("whitespace", "punctuation"):
        raise KindError(f"what is trimmed is 'whitespace' or 'punctuation', got {what!r}")
    documents = Documents.of(study)
    if documents.positions not in (None, "characters"):
        raise KindError(
            f"positions count {documents.positions}, and whitespace is trimmed by characters; trim the spans before "
            "they are turned into tokens"
        )
    placed = SpanTable.of(study, who="trimming")
    texts = _texts(study, documents, placed)
    behind = PUNCTUATION if what == "punctuation" else ""
    moved = _trim(placed, texts, behind)
    kept = moved.keep
    changed = int((kept & ((moved.begin != placed.begin) | (moved.end != placed.end))).sum())
    sentence = f"leading and trailing whitespace{f' and trailing {behind}' if behind else ''} removed"
    beyond = int((placed.end > np.array([len(text) for text in texts], dtype=np.int64)[placed.item]).sum())
    steps = [
        Step("taken", f"{changed:,} of {counted(len(kept), 'span')} trimmed: {sentence}", changed),
        *_gone(kept, f"of nothing but whitespace{' and punctuation' if behind else ''}"),
        *noted("noticed", f"{counted(beyond, 'span')} reached beyond the text and ended with it", beyond),
    ]
    return _remade(study, placed, moved, steps)


def _trim(placed: SpanTable, texts: Sequence[str], behind: str) -> NewEdges:
    """The edges of all spans once their ends are trimmed; most need nothing, and are told by their first and last."""
    moved = NewEdges(placed.begin.copy(), placed.end.copy(), {})
    edges = zip(placed.item.tolist(), placed.begin.tolist(), placed.end.tolist(), strict=True)
    for at, (item, low, high) in enumerate(edges):
        inside = texts[item][low:high]
        if len(inside) == high - low and inside[0].strip() and inside[-1].strip() and inside[-1] not in behind:
            continue
        left = inside.lstrip()
        moved.begin[at] = low + len(inside) - len(left)
        moved.end[at] = moved.begin[at] + len(_shorter(left, behind))
    for at in placed.several().tolist():
        moved.put(at, _trimmed_pieces(texts[int(placed.item[at])], *_pieces(placed, at), behind))
    return moved


def _texts(study: Annotations, documents: Documents, placed: SpanTable) -> list[str]:
    """The text of each document; an error where one that has a span has none."""
    known = [documents.text(item) for item in range(len(study.items))]
    lost = [item for item in np.unique(placed.item).tolist() if known[item] is None]
    if lost:
        raise DataError(
            f"the text of {counted(len(lost), 'document')} is not known, such as {study.items[lost[0]]!r}, so nothing "
            "can be said of whitespace in it; give every row the attribute 'text'"
        )
    return [text or "" for text in known]


def _shorter(text: str, behind: str) -> str:
    """A text without whitespace at its end, and without what else is to be taken from there."""
    text = text.rstrip()
    while behind and (less := text.rstrip(behind).rstrip()) != text:
        text = less
    return text


def _trimmed_pieces(text: str, begins: Int64s, ends: Int64s, behind: str) -> tuple[Piece, ...]:
    """Pieces trimmed from outside; an outer piece of which nothing is left hands over to the next."""
    left = list(zip(begins.tolist(), np.minimum(ends, len(text)).tolist(), strict=True))
    while left and not text[slice(*left[0])].strip():
        left.pop(0)
    while left and not _shorter(text[slice(*left[-1])], behind):
        left.pop()
    if left:
        low, high = left[0]
        left[0] = (high - len(text[low:high].lstrip()), high)
        low, high = left[-1]
        left[-1] = (low, low + len(_shorter(text[low:high], behind)))
    return tuple(left)


# -- making the other study -------------------------------------------------------------------------------------


def _gone(keep: Booleans, which: str) -> list[Step]:
    lost = int((~keep).sum())
    return noted("dropped", f"{counted(lost, 'span')} {which} left out", lost)


def _remade(study: Annotations, placed: SpanTable, moved: NewEdges, steps: Sequence[Step]) -> Annotations:
    """The study with other edges of its spans, in order within each row."""
    begin, end, new_pieces = moved
    names = placed.spans.names
    by_name = sorted(range(len(names)), key=lambda code: (names[code] is not None, names[code] or ""))
    rank = np.argsort(by_name)
    label = placed.spans.label[placed.place]
    kept = np.flatnonzero(moved.keep)
    order = kept[np.lexsort((rank[label[kept]], end[kept], begin[kept], placed.row[kept]))]
    called = map(names.__getitem__, label[order].tolist())
    flat: list[tuple[object, ...]] = list(zip(begin[order].tolist(), end[order].tolist(), called, strict=True))
    all_spans = _written(study)
    if any(isinstance(span[0], tuple) for span in all_spans):
        for at, old in enumerate(order.tolist()):
            span = all_spans[placed.place[old]]
            if isinstance(span[0], tuple):
                flat[at] = _as_object(flat[at], new_pieces.get(old, ()), span)
    edges = np.searchsorted(placed.row[order], np.arange(len(study) + 1)).tolist()
    place: dict[tuple[object, ...], int] = {}
    codes = [place.setdefault(tuple(flat[low:high]), len(place)) for low, high in pairwise(edges)]
    return replace(
        study,
        value=np.array(codes, dtype=np.int64),
        values=tuple(place),
        of_kind="spans",
        ordered=False,
        stated=False,
        attributes=Columns.of(study.attributes),
        provenance=study.provenance.then(*steps),
    )


def _written(study: Annotations) -> list[Any]:
    """The spans of the distinct values as they are written, end to end."""
    spans: list[Any] = []
    for value in study.values:
        alone = bool(value) and (not isinstance(value[0], tuple) or all(isinstance(part[0], str) for part in value))
        spans += [value] if alone else value
    return spans


def _as_object(plain: tuple[object, ...], pieces: tuple[Piece, ...], old: object) -> tuple[object, ...]:
    """A span with its pieces and features, where it has some."""
    features = features_of(old) if isinstance(old, tuple) else {}
    if len(pieces) < 2 and not features:
        return plain
    whole: dict[str, object] = dict(zip(("start", "end", "label"), plain, strict=True))
    whole |= {"fragments": pieces} if len(pieces) > 1 else {}
    whole |= {"features": tuple(sorted(features.items()))} if features else {}
    return tuple(sorted(whole.items()))
