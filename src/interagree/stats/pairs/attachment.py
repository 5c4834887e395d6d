"""Dependency parses: the tokens on whose heads and relations two annotators agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from interagree.arrays import Array, Booleans, Floats, Indices, Int32s
from interagree.data import Annotations
from interagree.errors import DataError, Hint, KindError, UnknownName, listing, suggestion
from interagree.kinds.dependencies import Dependencies
from interagree.stats.engine.statistic import unpaired_notes
from interagree.stats.pairs.pair_sums import AnnotatorPairs, PairSums, of_kind

SHOWN = 20  # confusions that the details list

Score = Literal["las", "uas", "label"]


@dataclass(frozen=True)
class Parses:
    """The tokens of all parses of a study, end to end; those of value k are ``start[k]`` to ``start[k + 1]``."""

    study: Annotations
    start: Indices
    head: Int32s
    label: Indices
    labels: tuple[str | None, ...]

    @classmethod
    def of(cls, data: Annotations) -> Parses:
        """The parses of a study, with the first judgement of each annotator."""
        packed: Dependencies
        study, packed = of_kind(data, "dependencies", "attachment")
        label, labels = study.shared("labels of parses", lambda: _labels(study.values))
        return cls(study, packed.start, packed.head, label, labels)

    @property
    def size(self) -> Indices:
        """How many tokens each parse has."""
        return np.diff(self.start)

    def codes(self, names: Sequence[str]) -> Indices:
        """The numbers of some relations."""
        unknown = [name for name in names if name not in self.labels]
        if unknown:
            known = [name for name in self.labels if name is not None]
            raise UnknownName(
                f"nobody gave the relation {unknown[0]!r}.{suggestion(unknown[0], known)} (given: {listing(known)})"
            )
        return np.array([self.labels.index(name) for name in names], dtype=np.intp)

    def pairs(self, unequal: str) -> tuple[AnnotatorPairs, int]:
        """Every two parses of a sentence that have the same number of tokens, and how many have not."""
        pairs = AnnotatorPairs.of(self.study)
        here, there = self.size[pairs.value], self.size[pairs.other]
        odd = np.flatnonzero(here != there)
        if len(odd) and unequal == "error":
            first, study, hint = int(odd[0]), self.study, Hint("unequal", "leave")
            raise DataError(
                f"a parse has an entry for each token, and in {study.items[int(pairs.item[first])]!r} "
                f"{study.annotators[int(pairs.first[first])]!r} has {here[first]} tokens and "
                f"{study.annotators[int(pairs.second[first])]!r} {there[first]}; give all annotators the same tokens, "
                f"or pass {hint} to leave such sentences of two annotators out ({len(odd)} here)",
                hints=[hint],
            )
        return (pairs.take(here == there), len(odd)) if len(odd) else (pairs, 0)

    def tokens(self, pairs: AnnotatorPairs, punctuation: Indices) -> ParsedTokens:
        """The tokens of every two parses, without those to which both gave a relation of punctuation."""
        sizes = self.size[pairs.value]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        a, b = self.start[pairs.value][owner] + within, self.start[pairs.other][owner] + within
        if len(punctuation):
            keep = ~(np.isin(self.label[a], punctuation) & np.isin(self.label[b], punctuation))
            owner, a, b = owner[keep], a[keep], b[keep]
        return ParsedTokens(owner, self.head[a] == self.head[b], self.label[a], self.label[b], len(sizes), self.labels)


@dataclass(frozen=True)
class ParsedTokens:
    """Tokens that two annotators parsed: the pair of parses each is of, and whether and how they differ."""

    owner: Indices
    same_head: Booleans
    label: Indices
    other: Indices
    pairs: int
    labels: tuple[str | None, ...]

    @property
    def same_label(self) -> Booleans:
        """Whether both gave the same relation."""
        return np.asarray(self.label == self.other)

    def same(self, kind: str) -> Booleans:
        """Whether the two agree by one of the scores."""
        if kind == "uas":
            return self.same_head
        return self.same_label if kind == "label" else self.same_head & self.same_label

    def cells(self, kind: str) -> Floats:
        """For each pair of parses: tokens on which the two agree, and tokens."""
        count = np.bincount(self.owner, minlength=self.pairs)
        return np.stack([np.bincount(self.owner, self.same(kind), self.pairs), count], axis=1)

    def by_relation(self, kind: str) -> dict[str, float]:
        """For each relation the share of its tokens on which the two agree: specific agreement."""
        size = len(self.labels)
        given = np.bincount(self.label, minlength=size) + np.bincount(self.other, minlength=size)
        same = self.same(kind)
        alike = np.bincount(self.label[same], minlength=size) + np.bincount(self.other[same], minlength=size)
        return {
            str(name): float(alike[code] / given[code])
            for code, name in sorted(enumerate(self.labels), key=lambda entry: (entry[1] is None, entry[1] or ""))
            if given[code]
        }

    def confused(self, most: int) -> dict[str, int]:
        """Two relations that annotators gave the same tokens, the most frequent first."""
        differ = ~self.same_label
        low, high = np.minimum(self.label, self.other)[differ], np.maximum(self.label, self.other)[differ]
        cells, times = np.unique(low * max(len(self.labels), 1) + high, return_counts=True)
        counts = [
            (" ~ ".join(sorted(str(self.labels[code]) for code in divmod(both, len(self.labels)))), count)
            for both, count in zip(cells.tolist(), times.tolist(), strict=True)
        ]
        return dict(sorted(counts, key=lambda entry: (-entry[1], entry[0]))[:most])


@dataclass(frozen=True, kw_only=True)
class AttachmentSums(PairSums):
    """Tokens on which each two annotators agree, and how many there are."""

    tokens: ParsedTokens
    kind: Score
    odd: int  # sentences of which two annotators have different numbers of tokens
    punctuation: tuple[str, ...]

    @staticmethod
    def score(sums: Array) -> Array:
        """The share of tokens on which two agree."""
        same, count = sums[..., 0], sums[..., 1]
        some = np.real(count) > 0
        return np.where(some, same / np.where(some, count, 1), np.nan)

    def undefined(self) -> str | None:
        if self.odd and not self.n.items:
            return "no two annotators have the same number of tokens for a sentence, so there is nothing to compare"
        if self.n.items and not self.cells[:, 1].any():
            return "there are no tokens to compare"
        return None

    def notes(self) -> Sequence[str]:
        if not self.odd:
            return unpaired_notes(self)
        times = "once" if self.odd == 1 else f"{self.odd:,} times"
        note = f"{times} two annotators had different numbers of tokens for a sentence, left out for these two"
        return (*unpaired_notes(self), note)

    def details(self) -> dict[str, object]:
        """All three scores over all tokens, each relation's, and which relations were given for one another."""
        tokens, count = self.tokens, len(self.tokens.owner)
        labelled = set(tokens.labels) != {None}
        details: dict[str, object] = {"tokens compared": count}
        for name in ("uas", "las", "label") if labelled else ("uas",):
            details[name] = float(tokens.same(name).mean()) if count else math.nan
        if labelled:
            details["by relation"] = tokens.by_relation(self.kind)
            details["confused"] = tokens.confused(SHOWN)
        return details

    def options(self) -> dict[str, object]:
        """The relations of punctuation, where some were named."""
        return {"punctuation": self.punctuation} if self.punctuation else {}


def _labels(values: Sequence[Sequence[object]]) -> tuple[Indices, tuple[str | None, ...]]:
    known: dict[str | None, int] = {}
    code = [
        known.setdefault(token[1] if isinstance(token, tuple) else None, len(known))
        for value in values
        for token in value
    ]
    return np.array(code, dtype=np.intp), tuple(known)


def need_labels(parses: Parses, kind: str) -> None:
    """An error where relations are asked for and nobody gave one."""
    if kind != "uas" and len(parses.label) and set(parses.labels) == {None}:
        hint = Hint("kind", "uas")
        raise KindError(
            f"kind={kind!r} compares relations, and these parses have heads alone; take {hint}, or write tokens as "
            "[head, relation]",
            hints=[hint],
        )
