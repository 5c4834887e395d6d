"""Dependency parses: the tokens on whose heads and relations two annotators agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int32s
from interagree.data import Annotations
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.kinds.dependencies import Dependencies
from interagree.stats.pairs.pair_sums import AnnotatorPairs, of_kind


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

    def meetings(self, unequal: str) -> tuple[AnnotatorPairs, int]:
        """Every two parses of a sentence that have the same number of tokens, and how many have not."""
        found = AnnotatorPairs.of(self.study)
        here, there = self.size[found.value], self.size[found.other]
        odd = np.flatnonzero(here != there)
        if len(odd) and unequal == "error":
            one, study = int(odd[0]), self.study
            raise DataError(
                f"a parse has an entry for each token, and in {study.items[int(found.item[one])]!r} "
                f"{study.annotators[int(found.first[one])]!r} has {here[one]} tokens and "
                f"{study.annotators[int(found.second[one])]!r} {there[one]}; give all annotators the same tokens, or "
                f"pass unequal='leave' to leave such sentences of two annotators out ({len(odd)} here)"
            )
        return (found.take(here == there), len(odd)) if len(odd) else (found, 0)

    def tokens(self, meetings: AnnotatorPairs, marks: Indices) -> Tokens:
        """The tokens of every two parses, without those whose relation is one of some for both."""
        sizes = self.size[meetings.value]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        a, b = self.start[meetings.value][owner] + within, self.start[meetings.other][owner] + within
        if len(marks):
            keep = ~(np.isin(self.label[a], marks) & np.isin(self.label[b], marks))
            owner, a, b = owner[keep], a[keep], b[keep]
        return Tokens(
            owner, self.head[a] == self.head[b], self.label[a], self.label[b], len(sizes), self.labels
        )


@dataclass(frozen=True)
class Tokens:
    """Tokens that two annotators parsed: the meeting each is of, and whether and how they differ."""

    owner: Indices
    same_head: Booleans
    label: Indices
    other: Indices
    meetings: int
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
        """For each meeting: tokens on which the two agree, and tokens."""
        count = np.bincount(self.owner, minlength=self.meetings)
        return np.stack([np.bincount(self.owner, self.same(kind), self.meetings), count], axis=1)

    def by_relation(self, kind: str) -> dict[str, float]:
        """For each relation the share of its tokens on which the two agree: specific agreement."""
        size = len(self.labels)
        given = np.bincount(self.label, minlength=size) + np.bincount(self.other, minlength=size)
        same = self.same(kind)
        alike = np.bincount(self.label[same], minlength=size) + np.bincount(self.other[same], minlength=size)
        return {
            str(name): float(alike[code] / given[code])
            for code, name in sorted(enumerate(self.labels), key=lambda one: (one[1] is None, one[1] or ""))
            if given[code]
        }

    def confused(self, most: int) -> dict[str, int]:
        """Two relations that annotators gave the same tokens, the most frequent first."""
        differ = ~self.same_label
        low, high = np.minimum(self.label, self.other)[differ], np.maximum(self.label, self.other)[differ]
        found, times = np.unique(low * max(len(self.labels), 1) + high, return_counts=True)
        named_ = [
            (" ~ ".join(sorted(str(self.labels[code]) for code in divmod(both, len(self.labels)))), count)
            for both, count in zip(found.tolist(), times.tolist(), strict=True)
        ]
        return dict(sorted(named_, key=lambda one: (-one[1], one[0]))[:most])


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
        raise KindError(
            f"kind={kind!r} compares relations, and these parses have heads alone; take kind='uas', or write tokens "
            "as [head, relation]"
        )
