"""The documents that spans lie in: their texts, their tokens, and what positions count.

A study of spans keeps what is known of a document as attributes of its rows: ``text``, the string; ``tokens``, the
character offsets of its tokens; ``positions``, what the positions of spans count ("characters", "tokens", "seconds").
A document with a text and no word about positions has spans of characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Indices, Int64s
from interagree.data.annotations import Annotations
from interagree.data.columns import coded
from interagree.errors import DataError, KindError, listing
from interagree.kernels.ragged import ragged
from interagree.kinds.spans import Spans

POSITIONS = ("characters", "tokens", "seconds")
PUNCTUATION = ".,;:!?"  # what is taken from the end of a span; a dot before it, as in ".40", stays
KNOWN = ("text", "tokens", "positions")  # the attributes that say something of a document

Piece = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The texts and tokens of a study's documents, as far as they are known; asked for by the codes of its items."""

    study: Annotations
    positions: str | None  # what positions count; None where nobody says
    texts: Sequence[str | None]
    _tokens: Sequence[Int64s | Sequence[Piece] | None]  # as they were given; None where they were not
    _counts: Sequence[int | None] = ()  # how many tokens each has, where that alone is known
    _made: dict[int, Int64s] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Annotations) -> Documents:
        """What a study says of its documents, checked: every row of a document must say the same."""
        made: Documents = study.cached("documents", lambda: cls._of(study))
        return made

    @classmethod
    def _of(cls, study: Annotations) -> Documents:
        texts = _by_item(study, "text")
        for code, text in enumerate(texts):
            if text is not None and not isinstance(text, str):
                raise DataError(f"the text of document {study.items[code]!r} is {type(text).__name__}, not a string")
        known = any(text is not None for text in texts)
        positions = _positions(study, texts=known)
        counts = _by_item(study, "length") if positions == "tokens" else [None] * len(texts)
        return cls(study, positions, texts, _by_item(study, "tokens"), counts)

    def text(self, item: int) -> str | None:
        """The text of a document; None where it is not known."""
        return self.texts[item]

    def tokens(self, item: int) -> Int64s | None:
        """Where the tokens of a document begin and end in its text; made from the text where they were not given."""
        if item not in self._made:
            given = self._tokens[item]
            if given is None:
                text = self.texts[item]
                if text is None:
                    return None
                from interagree.documents.tokens import words

                given = words(text)
            placed = np.fromiter(chain.from_iterable(given), dtype=np.int64, count=2 * len(given))
            self._made[item] = self._checked(item, placed.reshape(-1, 2))
        return self._made[item]

    def _checked(self, item: int, offsets: Int64s) -> Int64s:
        placed = offsets.reshape(-1)
        if (np.diff(placed) < 0).any() or (offsets[:, 0] >= offsets[:, 1]).any():
            raise DataError(
                f"the tokens of document {self.study.items[item]!r} overlap, are empty or are not in order; give "
                "them as (start, end) from the first to the last"
            )
        return offsets

    def tokens_given(self, item: int) -> bool:
        """Whether the tokens of a document are its own, and not made from its text."""
        return self._tokens[item] is not None

    def length(self, item: int) -> int | None:
        """How long a document is, in what positions count; None where that is not known."""
        if self.positions == "characters":
            text = self.texts[item]
            return None if text is None else len(text)
        if self.positions == "tokens":
            given = self._tokens[item]
            return self._counts[item] if given is None else len(given)
        return None

    def covered(self, item: int, begin: int, end: int) -> str | None:
        """The text between two positions; None where it is not known."""
        text = self.texts[item]
        if text is None or self.positions == "seconds":
            return None
        if self.positions != "tokens":
            return text[begin:end]
        offsets = self.tokens(item) if self.tokens_given(item) else None
        if offsets is None:
            return None
        inside = offsets[begin:end]
        return text[int(inside[0, 0]) : int(inside[-1, 1])] if len(inside) else ""


def _by_item(study: Annotations, name: str) -> list[Any]:
    """The entry of each item under an attribute, None where no row has one; two that differ are an error."""
    entries: list[Any] = [None] * len(study.items)
    if name not in study.attributes:
        return entries
    for item, entry in zip(study.item.tolist(), study.attributes[name].tolist(), strict=True):
        known = entries[item]
        if known is entry or entry is None:
            continue
        if known is not None and known != entry:
            raise DataError(
                f"document {study.items[item]!r} has two different entries of {name!r}; documents of one name must be "
                "one document: give them names of their own"
            )
        entries[item] = entry
    return entries


def _positions(study: Annotations, *, texts: bool) -> str | None:
    stated = [] if "positions" not in study.attributes else list(coded(study.attributes["positions"]).names)
    if len(stated) > 1:
        raise DataError(
            f"positions count {listing(stated, quote=False)} in one study; read the documents apart, or bring them to "
            "one of them first"
        )
    if stated and stated[0] not in POSITIONS:
        raise DataError(f"positions count {listing(POSITIONS, quote=False)}, got {stated[0]!r}")
    return stated[0] if stated else "characters" if texts else None


class SpanTable(NamedTuple):
    """All spans of all rows, end to end, row by row."""

    spans: Spans
    row: Indices
    place: Indices  # which of the spans of the distinct values it is
    item: Indices
    begin: Int64s
    end: Int64s

    @classmethod
    def of(cls, study: Annotations, *, who: str) -> SpanTable:
        """The spans of a study with whole positions, as ``who`` needs them."""
        spans: Spans = study.packed("spans", who=who)
        row, place = ragged(spans.start[study.value], np.diff(spans.start)[study.value])
        placed = cls(
            spans, row, place, study.item[row].astype(np.intp),
            spans.begin[place].astype(np.int64), spans.end[place].astype(np.int64),
        )  # fmt: skip
        edges = [spans.begin, spans.end]
        if spans.pieces is not None:
            edges += [spans.pieces.begin, spans.pieces.end]
        if any(((edge < 0) | (edge != np.floor(edge))).any() for edge in edges):
            wrong = (placed.begin < 0) | (placed.begin != spans.begin[place]) | (placed.end != spans.end[place])
            where = f", as {placed.describe(study, int(np.argmax(wrong)))} does not" if wrong.any() else ""
            raise KindError(f"{who} needs positions that are whole numbers from 0 up{where}")
        return placed

    def describe(self, study: Annotations, at: int) -> str:
        """One of the spans in words, with its document and annotator."""
        span, row = int(self.place[at]), int(self.row[at])
        label = self.spans.names[int(self.spans.label[span])]
        where = [f"{self.spans.begin[span]:g}", f"{self.spans.end[span]:g}", *([] if label is None else [repr(label)])]
        who = "" if study.anonymous else f" by {study.annotators[int(study.annotator[row])]!r}"
        return f"[{', '.join(where)}] in document {study.items[int(study.item[row])]!r}{who}"

    def several(self) -> Indices:
        """The spans that are in several pieces."""
        if self.spans.pieces is None:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero(np.diff(self.spans.pieces.start)[self.place] > 1)
