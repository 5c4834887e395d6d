"""Every two segmentations of one document: what it takes to turn one into the other, and windows that see them differ.

An item is a document, and its value by one annotator says how they cut it.  All annotators of a document cut the same
units, so that lengths must be the same.  Documents that one annotator alone cut cannot be compared, and one of a single
unit cannot be cut: both are counted and left out.  Two segmentations that occur in many documents are compared once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats, Indices, Int64s
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.errors import DataError, Hint, KindError, UnknownName, listing, suggestion
from interagree.kernels.segments import differing_in_any, differing_in_number, edits
from interagree.kinds.segments import Segments, named
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.pairs.pair_sums import known_annotators

Types = Literal["auto", "ordinal", "nominal"]
TYPES = ("auto", "ordinal", "nominal")


@dataclass(frozen=True, slots=True)
class SegmentationPairs:
    """All pairs of segmentations of one document in a study."""

    study: Annotations
    segments: Segments  # of the values of the study
    item: Indices  # of each pair
    who: Indices  # two rows: the annotators of each pair
    value: Indices  # two rows: how they cut the document, as places among the values
    alone: int  # documents that one annotator cut
    short: int  # documents of one unit
    merged: int = 0  # how many types of boundary are taken as one

    @classmethod
    def of(cls, study: Annotations, *, who: str, only: Hashable | None = None, typed: bool = True) -> SegmentationPairs:
        """The pairs of a study whose values are segmentations.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            only: The one type of boundary that counts.
            typed: Whether types of boundaries are told apart.
        """
        made: SegmentationPairs = study.cached("cuts", lambda: cls._of(known_annotators(study, who), who=who))
        segments = made.segments
        if only is not None:
            if named(only) not in segments.types:
                known = [type_ for type_ in segments.types if type_ is not None]
                raise UnknownName(
                    f"no boundary is of the type {only!r}.{suggestion(str(only), map(str, known))} "
                    f"(known: {listing(known)})"
                )
            segments = segments.only(named(only))
        if typed or len(segments.types) < 2:
            return replace(made, segments=segments)
        return replace(made, segments=segments.without_types(), merged=len(segments.types))

    @classmethod
    def _of(cls, study: Annotations, *, who: str) -> SegmentationPairs:
        segments: Segments = study.packed("segments", who=who)
        rows = np.lexsort((study.annotator, study.item))
        item = study.item[rows]
        _of_one_length(study, segments, rows)
        first, second = pairs_in_runs(item)
        there = np.bincount(item, minlength=len(study.items))
        pairs = np.stack([rows[first], rows[second]])
        value = study.value[pairs].astype(np.intp)
        long = segments.length[value[0]] > 1 if len(first) else np.zeros(0, dtype=bool)
        return cls(
            study if study.of_kind == "segments" else replace(study, of_kind="segments"),
            segments,
            study.item[pairs[0]][long].astype(np.intp),
            study.annotator[pairs][:, long].astype(np.intp),
            value[:, long],
            int(np.count_nonzero(there == 1)),
            len(np.unique(study.item[pairs[0]][~long])),
        )

    def taking(self, keep: Booleans) -> SegmentationPairs:
        return replace(self, item=self.item[keep], who=self.who[:, keep], value=self.value[:, keep])

    @property
    def length(self) -> Int64s:
        """How many units the document of each pair has."""
        units: Int64s = self.segments.length[self.value[0]]
        return units

    @property
    def boundaries(self) -> Indices:
        """How many boundaries each value of the study has."""
        return np.diff(self.segments.start)

    @property
    def types(self) -> int:
        """How many types of boundary there are, used in this part of the study or not."""
        return max(len(self.segments.types), 1)

    def edits(self, near: int, types: Types) -> Edits:
        """What it takes to turn the one segmentation of each pair into the other."""
        if type(near) is not int or near < 1:
            raise KindError(
                f"near is a whole number from 1 up: boundaries fewer than that many places apart are near; got {near!r}"
            )
        scale, reach = self.scale(types)
        segments, count = self.segments, len(self.segments.length)
        low, high = self.value.min(axis=0), self.value.max(axis=0)
        distinct, inverse = np.unique(low * count + high, return_inverse=True)
        pairs = np.array(np.divmod(distinct, max(count, 1)))
        loop = edits.for_steps(float(self.boundaries[pairs].sum()) * (near + 2))
        rows = loop(segments.start, segments.at, segments.type, pairs, near, scale, reach)
        same, added, replaced, moved, places, unlike = rows[:, inverse.reshape(-1)]
        return Edits(same, added, replaced, moved, added + places / near + unlike)

    def scale(self, types: Types) -> tuple[Floats, float]:
        """Where the types lie on a scale, and how long it is; 0 where a substitution costs 1."""
        if types not in TYPES:
            raise KindError(f"types must be {listing(TYPES)}, got {types!r}")
        known = self.segments.types
        numbers = [type_ for type_ in known if isinstance(type_, int)]
        if types == "ordinal" and len(numbers) < len(known):
            odd = next(type_ for type_ in known if not isinstance(type_, int))
            hint = Hint("types", "nominal")
            raise KindError(
                f"types='ordinal' needs types that are whole numbers, and one is {odd!r}; number them, or take {hint}",
                hints=[hint],
            )
        if types == "nominal" or len(numbers) < len(known) or len(known) < 2:
            return np.zeros(self.types), 0.0
        return np.array(numbers, dtype=np.float64), float(max(numbers) - min(numbers) + 1)

    def notes_on_types(self, types: Types) -> tuple[str, ...]:
        """What one type of boundary for another costs."""
        if self.types < 2:
            return ()
        reach = self.scale(types)[1]
        cost = f"their difference over {reach:.0f}" if reach else "1"
        return (f"boundaries are of {self.types} types; to put one for another at the same place costs {cost}",)

    def windows(self, window: int | None, against: Hashable | None, *, counted: bool, padded: bool) -> ComparedWindows:
        """The windows in which a segmentation differs from a reference: each of a pair in turn, or one annotator."""
        if window is not None and (type(window) is not int or window < 1):
            raise KindError(f"window is a whole number of units from 1 up, got {window!r}")
        cuts = self._with_references(against)
        length, reference = cuts.length, cuts.value[1]
        if window is None:
            mean = length / (self.boundaries[reference] + 1)
            size = np.maximum(np.rint(mean / 2), 2).astype(np.int64)
        else:
            size = np.full(len(reference), window, dtype=np.int64)
        differ = self._differing(cuts, size, counted=counted, padded=padded)
        if padded:
            return ComparedWindows(cuts, size, differ, length + size + 1, 0)
        fits = length > size
        if fits.all():
            return ComparedWindows(cuts, size, differ, length - size, 0)
        short = len(fits) - int(np.count_nonzero(fits))
        return ComparedWindows(cuts.taking(fits), size[fits], differ[fits], (length - size)[fits], short)

    def _with_references(self, against: Hashable | None) -> SegmentationPairs:
        """The pairs with the reference second: those of one annotator, or all of them and all the other way round."""
        if against is None:
            return replace(
                self,
                item=np.concatenate([self.item, self.item]),
                who=np.concatenate([self.who, self.who[::-1]], axis=1),
                value=np.concatenate([self.value, self.value[::-1]], axis=1),
            )
        code = self.study.annotator_code(against)
        mine = self.taking((self.who == code).any(axis=0))
        turned = mine.who[1] != code
        return replace(
            mine, who=np.where(turned, mine.who[::-1], mine.who), value=np.where(turned, mine.value[::-1], mine.value)
        )

    def _differing(self, cuts: SegmentationPairs, size: Int64s, *, counted: bool, padded: bool) -> Int64s:
        """In how many windows the two of each pair differ; once for a pair both ways through one window."""
        segments, half = self.segments, len(self.item)
        both_ways = len(size) > half
        again = np.flatnonzero(size[half:] != size[:half]) + half if both_ways else np.zeros(0, dtype=np.intp)
        pairs, window = (cuts.value, size) if not both_ways else (cuts.value[:, :half], size[:half])
        if len(again):
            pairs = np.concatenate([pairs, cuts.value[:, again]], axis=1)
            window = np.concatenate([window, size[again]])
        start, length = segments.start, segments.length
        if counted:
            seen = differing_in_number(start, segments.at, length, pairs, window, padded=padded)
        else:
            seen = differing_in_any(start, segments.ends, length, pairs, window)
        if not both_ways:
            return seen
        both = np.concatenate([seen[:half], seen[:half]])
        both[again] = seen[half:]
        return both


def _of_one_length(study: Annotations, segments: Segments, rows: Indices) -> None:
    """An error where annotators of one document did not cut the same number of units."""
    item, length = study.item[rows], segments.length[study.value[rows]]
    differ = np.flatnonzero((item[1:] == item[:-1]) & (length[1:] != length[:-1]))
    if not len(differ):
        return
    here = rows[item == item[differ[0]]]
    lengths = [
        f"{study.annotators[int(study.annotator[row])]!r} {int(segments.length[study.value[row]])}" for row in here[:6]
    ]
    more = ", …" if len(here) > len(lengths) else ""
    raise DataError(
        f"all annotators of a document cut the same units, and those of {study.items[int(item[differ[0]])]!r} have "
        f"different numbers of them ({', '.join(lengths)}{more}); correct the lengths"
    )


class Edits(NamedTuple):
    """What it takes to turn one segmentation into another, for each pair."""

    same: Floats  # boundaries of both, of one type
    added: Floats
    replaced: Floats  # one type by another
    moved: Floats  # near misses
    cost: Floats  # of all edits together

    @property
    def pairs(self) -> Floats:
        """How many pairs of boundaries there are: alike, near, of different types, or with nothing."""
        return self.same + self.added + self.replaced + self.moved

    def taking(self, keep: Booleans) -> Edits:
        return Edits(*(column[keep] for column in self))

    def unlike(self, empty: float | None) -> Floats:
        """One minus the boundary similarity of each pair; where there is no boundary, one minus ``empty``."""
        pairs = self.pairs
        known: Floats = self.cost / np.maximum(pairs, 1)
        return known if empty is None else np.where(pairs > 0, known, 1 - empty)

    def details(self) -> dict[str, object]:
        """How many edits of each sort there are over all pairs, and the similarity of all boundaries pooled."""
        pairs = float(self.pairs.sum())
        return {
            "pooled": 1 - float(self.cost.sum()) / pairs if pairs else math.nan,
            "alike": int(self.same.sum()),
            "near misses": int(self.moved.sum()),
            "substitutions": int(self.replaced.sum()),
            "additions": int(self.added.sum()),
            "comparisons": len(self.cost),
        }


class ComparedWindows(NamedTuple):
    """Windows through which a segmentation was compared with a reference, the second of each pair."""

    cuts: SegmentationPairs
    size: Int64s
    differ: Int64s  # in how many windows
    places: Int64s  # of how many
    short: int  # comparisons that no window fits into

    @property
    def mean(self) -> float:
        """The mean share of windows that differ; nan where there is none."""
        return float((self.differ / self.places).mean()) if len(self.size) else math.nan

    def details(self) -> dict[str, object]:
        """Which windows were used, and for how many comparisons."""
        return {"windows": np.unique(self.size).tolist(), "comparisons": len(self.size)}

    def notes(self) -> tuple[str, ...]:
        """Which windows were used, and what they were too long for."""
        notes = []
        if self.cuts.merged:
            notes.append(f"boundaries of {self.cuts.merged} types were not told apart; only= takes one type")
        if len(self.size):
            low, high = int(self.size.min()), int(self.size.max())
            notes.append(f"windows of {low:,} {f'to {high:,} ' if low < high else ''}units")
        if self.short:
            were = "was" if self.short == 1 else "were"
            notes.append(
                f"{counted(self.short, 'comparison')} {were} left out, of documents not longer than the window"
            )
        return tuple(notes)
