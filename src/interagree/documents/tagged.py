"""Tags of sentences as a study of spans of tokens, also where the tokens of annotators differ.

All sentences of all annotators are decoded at once.  A document is one sentence or several; its spans are counted in
tokens from its beginning.  Where annotators have different tokens, their spans are laid on the finest common ones
(`interagree.documents.tokens`), and what has no place there is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar, overload

import numpy as np

from interagree.arrays import Integers
from interagree.data.annotations import Annotations
from interagree.data.provenance import Provenance, Step, counted, noted
from interagree.documents.tags import CodedTags, TagSpans, spans_of
from interagree.documents.tokens import NOWHERE, Grid, aligned
from interagree.documents.unit_columns import DocumentFacts, UnitColumns, study_of_columns
from interagree.errors import Advice, DataError, ReaderHint

S = TypeVar("S")
T = TypeVar("T")


STRICT = ReaderHint("strict", value=True)


class Sentences(NamedTuple):
    """The sentences of all annotators, end to end; who looked at a document has a sentence of it, if an empty one."""

    tags: CodedTags
    starts: Integers  # where each begins among the tags, and where the last one ends
    annotator: Integers  # of each sentence
    document: Integers
    shift: Integers  # how many tokens of the document come before
    annotators: Sequence[Hashable]
    documents: Sequence[Hashable]

    @property
    def cell(self) -> Integers:
        """The document and annotator of each sentence as one number."""
        return self.document.astype(np.int64) * max(len(self.annotators), 1) + self.annotator

    def describe(self, sentence: int) -> str:
        """A sentence in words."""
        document = self.documents[int(self.document[sentence])]
        who = self.annotators[int(self.annotator[sentence])]
        before = int(self.shift[sentence])
        return f"document {document!r} by {who!r}" + (f", after {before} tokens" if before else "")


class Words(NamedTuple):
    """The tokens of a document, and how they are put together."""

    tokens: Sequence[str]
    glued: Sequence[bool] | None = None  # which follow the one before without a space
    lines: frozenset[int] = frozenset()  # those that begin a line

    def gaps(self) -> list[str]:
        """What precedes each token."""
        gaps = [" "] * len(self.tokens)
        for at in self.lines:
            if at < len(gaps):
                gaps[at] = "\n"
        if self.glued is not None:
            gaps = ["" if glued else gap for gap, glued in zip(gaps, self.glued, strict=True)]
        return ["", *gaps[1:]] if gaps else []

    def text(self) -> str:
        """The tokens with what separates them."""
        if self.glued is None and not self.lines:
            return " ".join(self.tokens)
        return "".join(gap + token for gap, token in zip(self.gaps(), self.tokens, strict=True))

    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Where each token begins and ends in the text."""
        sizes = map(len, self.tokens)
        if self.glued is None and not self.lines:
            ends = list(accumulate(size + 1 for size in sizes))
            return tuple((end - 1 - len(token), end - 1) for end, token in zip(ends, self.tokens, strict=True))
        offsets, at = [], 0
        for gap, token in zip(self.gaps(), self.tokens, strict=True):
            at += len(gap)
            offsets.append((at, at + len(token)))
            at += len(token)
        return tuple(offsets)


def _counts(words: Sequence[Words | None]) -> list[int]:
    """How many tokens each document has, -1 where they are not known."""
    return [-1 if entry is None else len(entry.tokens) for entry in words]


class PerDocument(Sequence[T | None], Generic[S, T]):
    """What a function makes of what is known of each document, made on demand; None where nothing is known."""

    def __init__(self, known: Sequence[S | None], make: Callable[[S], T]) -> None:
        self.known, self.make = known, make

    def __len__(self) -> int:
        return len(self.known)

    @overload
    def __getitem__(self, index: int) -> T | None: ...
    @overload
    def __getitem__(self, index: slice) -> PerDocument[S, T]: ...
    def __getitem__(self, index: int | slice) -> T | PerDocument[S, T] | None:
        if isinstance(index, slice):
            return PerDocument(self.known[index], self.make)
        known = self.known[index]
        return None if known is None else self.make(known)


Tokens = Mapping[int, Mapping[int, Words]]  # by annotator, then by document


def from_sentences(
    sentences: Sentences,
    *,
    shared: Sequence[Words | None] | None = None,
    tokens: Tokens | None = None,
    scheme: str = "auto",
    strict: bool = False,
    provenance: Provenance | None = None,
) -> Annotations:
    """The study that tags are.

    Args:
        sentences: The tags.
        shared: The tokens of each document, where all annotators have the same.
        tokens: The tokens of each annotator's documents, where they may differ.
        scheme: How spans are written; "auto" finds it out.
        strict: Leave out spans that break the rules of the scheme.
        provenance: Where the tags come from.
    """
    spans = spans_of(sentences.tags, sentences.starts, scheme, strict=strict, describe=sentences.describe)
    steps = _steps(spans, strict=strict)
    cell, shift = sentences.cell[spans.sentence], sentences.shift[spans.sentence]
    begin: Integers = spans.begin + shift
    end: Integers = spans.end + shift
    sizes = _sizes(sentences)
    keep: Integers | slice = slice(None)
    if tokens is not None:
        grids = _Grids(sentences, tokens, sizes)
        begin, end, keep = grids.place(cell, begin, end, spans.label)
        shared = grids.words
        steps += grids.steps()
    elif shared is not None:
        _same_as(sentences, sizes, shared)
    else:
        _same_sizes(sentences, sizes)
    item, annotator = np.divmod(cell[keep], max(len(sentences.annotators), 1))
    bare = len(spans.labels) - 1 if None in spans.labels else -1  # no label comes last among tags, and first in a study
    return study_of_columns(
        UnitColumns(
            item,
            annotator,
            begin[keep],
            end[keep],
            np.where(spans.label == bare, 0, spans.label + 1)[keep],
            (None, *(label for label in spans.labels if label is not None)),
            sentences.documents,
            sentences.annotators,
            np.flatnonzero(sizes >= 0),
        ),
        _known(sizes, shared),
        (provenance or Provenance()).then(*steps),
    )


def _sizes(sentences: Sentences) -> Integers:
    """How many tokens each document has by each annotator, -1 where they did not look."""
    people = max(len(sentences.annotators), 1)
    sizes = np.full(len(sentences.documents) * people, -1, dtype=np.int64)
    sizes[sentences.cell] = 0
    np.add.at(sizes, sentences.cell, np.diff(sentences.starts))
    return sizes.reshape(-1, people)


def _known(sizes: Integers, words: Sequence[Words | None] | None) -> DocumentFacts:
    if words is None:
        return DocumentFacts(positions="tokens", lengths=sizes.max(axis=1, initial=0).tolist())
    lengths = np.maximum(_counts(words), 0).tolist()
    return DocumentFacts(PerDocument(words, Words.text), PerDocument(words, Words.offsets), "tokens", lengths)


def _steps(spans: TagSpans, *, strict: bool) -> list[Step]:
    scheme, wrong = spans.scheme.upper(), counted(spans.repaired, "span")
    lenient = Advice.of(
        f"{wrong} against the rules of {scheme} taken as the CoNLL script does (", STRICT, " leaves them out)"
    )
    strictly = f"{wrong} against the rules of {scheme} left out"
    steps = noted("dropped", strictly, spans.repaired) if strict else noted("assumed", lenient, spans.repaired)
    return [Step("taken", f"tags read as {scheme}"), *steps]


def _same_sizes(sentences: Sentences, sizes: Integers) -> None:
    """An error for a document of which annotators have different numbers of tags."""
    most = sizes.max(axis=1, initial=0)
    wrong = np.argwhere((sizes >= 0) & (sizes != most[:, None]))
    if not len(wrong):
        return
    document, who = wrong[0].tolist()
    other = int(sizes[document].argmax())
    raise DataError(
        f"document {sentences.documents[document]!r} has {sizes[document, who]} tags by "
        f"{sentences.annotators[who]!r} and {sizes[document, other]} by {sentences.annotators[other]!r} "
        f"({counted(len(np.unique(wrong[:, 0])), 'document')} such in all); where tokens differ, pass them, as in "
        "tokens={annotator: [[token, …], …]}, so that they can be aligned"
    )


def _same_as(sentences: Sentences, sizes: Integers, words: Sequence[Words | None]) -> None:
    """An error for a document that has not as many tags as tokens."""
    lengths = np.array(_counts(words), dtype=np.int64)
    wrong = np.argwhere((sizes >= 0) & (sizes != lengths[:, None]))
    if len(wrong):
        document, who = wrong[0].tolist()
        raise DataError(
            f"document {sentences.documents[document]!r} has {max(int(lengths[document]), 0)} tokens, and "
            f"{sizes[document, who]} tags by {sentences.annotators[who]!r}; give each token a tag, or each annotator "
            "their own tokens, as in tokens={annotator: [[token, …], …]}"
        )


class _Grids:
    """The common tokens of all documents, and the spans of all annotators on them."""

    def __init__(self, sentences: Sentences, tokens: Tokens, sizes: Integers) -> None:
        self.sentences = sentences
        self.words: list[Words | None] = []
        self.grids: dict[int, tuple[Grid, list[int]]] = {}  # of the documents whose tokens differ, and who has them
        for document in range(len(sentences.documents)):
            looked = np.flatnonzero(sizes[document] >= 0).tolist()
            theirs = [tokens.get(who, {}).get(document) for who in looked]
            self._check(document, looked, theirs, sizes)
            self.words.append(self._common(document, looked, [entry for entry in theirs if entry is not None]))
        self.unplaced = sum(grid.unplaced(place) for grid, who in self.grids.values() for place in range(len(who)))
        self.lost = self.merged = 0

    def _check(self, document: int, looked: list[int], theirs: list[Words | None], sizes: Integers) -> None:
        for who, words in zip(looked, theirs, strict=True):
            if words is None or len(words.tokens) != sizes[document, who]:
                raise DataError(
                    f"document {self.sentences.documents[document]!r} has {sizes[document, who]} tags by "
                    f"{self.sentences.annotators[who]!r} and {0 if words is None else len(words.tokens)} of "
                    "their tokens; give each token a tag"
                )

    def _common(self, document: int, looked: list[int], theirs: list[Words]) -> Words | None:
        if not theirs:
            return None
        if all(entry.tokens == theirs[0].tokens for entry in theirs[1:]) and all(theirs[0].tokens):
            return theirs[0]
        grid = aligned([entry.tokens for entry in theirs])
        self.grids[document] = (grid, looked)
        best = min(range(len(theirs)), key=grid.unplaced)
        begin = grid.begin[best]
        lines = frozenset(int(begin[at]) for at in theirs[best].lines if at < len(begin)) - {NOWHERE, 0}
        return Words(grid.tokens, grid.glued if any(grid.glued) else None, lines)

    def place(
        self, cell: Integers, begin: Integers, end: Integers, label: Integers
    ) -> tuple[Integers, Integers, Integers]:
        """All spans on the common tokens, and which of them are left."""
        people = max(len(self.sentences.annotators), 1)
        begin, end, keep = begin.copy(), end.copy(), np.ones(len(cell), dtype=bool)
        order = np.argsort(cell, kind="stable")
        for document, (grid, looked) in self.grids.items():
            for which, who in enumerate(looked):
                wanted = document * people + who
                low, high = np.searchsorted(cell, (wanted, wanted + 1), sorter=order)
                rows = order[low:high]
                begin[rows], end[rows] = grid.spans(which, begin[rows], end[rows])
                seen = set()
                for row in rows.tolist():
                    span = (int(begin[row]), int(end[row]), int(label[row]))
                    keep[row] = span[0] != NOWHERE and span not in seen
                    if span[0] == NOWHERE:
                        self.lost += 1
                    else:
                        self.merged += span in seen
                        seen.add(span)
        return begin, end, np.flatnonzero(keep)

    def steps(self) -> list[Step]:
        """What aligning did."""
        if not self.grids:
            return []
        parts = [
            f"tokens of {len(self.grids):,} of {counted(len(self.words), 'document')} differ, aligned by characters",
            f"{counted(self.unplaced, 'token')} could not be placed" if self.unplaced else "every token has its place",
        ]
        if self.lost:
            parts.append(f"{counted(self.lost, 'span')} lost with them")
        if self.merged:
            parts.append(f"{counted(self.merged, 'span')} became the same as another one")
        return [Step("merged", ", ".join(parts), len(self.grids))]
