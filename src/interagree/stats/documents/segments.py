"""Segmentations: every two of one document, what it takes to turn one into the other, and sums of it over documents.

An item is a document, and its value by one annotator says how she cut it.  All annotators of a document cut the same
units, so that lengths must be the same.  Documents that one annotator alone cut cannot be compared, and one of a single
unit cannot be cut: both are counted and left out.

Every measure here is a ratio of sums over documents, so that resampling documents compares nothing again.  Two
segmentations that occur in many documents are compared once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance, counted
from interagree.declare import defaults_of
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion
from interagree.kernels.segments import differing_in_any, differing_in_number, edits
from interagree.kinds.segments import Segments, named
from interagree.results.agreement import Parts, Sizes
from interagree.stats.engine.compress import in_groups, pairs_in_runs, table_of, totals
from interagree.stats.engine.weights import Observed, Weights

Types = Literal["auto", "ordinal", "nominal"]
TYPES = ("auto", "ordinal", "nominal")


# -- pairs of segmentations ----------------------------------------------------------------------------------


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
    def of(
        cls, study: Annotations, *, who: str, only: Hashable | None = None, typed: bool = True
    ) -> SegmentationPairs:
        """The pairs of a study whose values are segmentations.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            only: The one type of boundary that counts.
            typed: Whether types of boundaries are told apart.
        """
        if study.anonymous and len(study):
            raise KindError(
                f"{who} needs to know who gave which value, and this study was made from counts; read the "
                "annotations themselves"
            )
        made: SegmentationPairs = study.cached("cuts", lambda: cls._of(study.first_judgements(), who=who))
        segments = made.segments
        if only is not None:
            if named(only) not in segments.types:
                known = [one for one in segments.types if one is not None]
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

    def taking(self, keep: Any) -> SegmentationPairs:
        """Some of the pairs."""
        return replace(self, item=self.item[keep], who=self.who[:, keep], value=self.value[:, keep])

    @property
    def length(self) -> Indices:
        """How many units the document of each pair has."""
        found: Indices = self.segments.length[self.value[0]]
        return found

    @property
    def boundaries(self) -> Indices:
        """How many boundaries each value of the study has."""
        return np.diff(self.segments.start)

    @property
    def types(self) -> int:
        """How many types of boundary there are, used in this part of the study or not."""
        return max(len(self.segments.types), 1)

    def edits(self, near: Any, types: Types) -> Edits:
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
        steps = float(self.boundaries[pairs].sum()) * (near + 2)
        loop = edits.for_steps(steps)
        found = loop(segments.start, segments.at, segments.type, pairs, near, scale, reach)
        same, added, replaced, moved, places, unlike = found[:, inverse.reshape(-1)]
        return Edits(same, added, replaced, moved, added + places / near + unlike)

    def scale(self, types: Types) -> tuple[Floats, float]:
        """Where the types lie on a scale, and how long it is; 0 where a substitution costs 1."""
        if types not in TYPES:
            raise KindError(f"types must be {listing(TYPES)}, got {types!r}")
        known = self.segments.types
        numbers = [one for one in known if isinstance(one, int)]
        if types == "ordinal" and len(numbers) < len(known):
            odd = next(one for one in known if not isinstance(one, int))
            raise KindError(
                f"types='ordinal' needs types that are whole numbers, and one is {odd!r}; number them, or take "
                "types='nominal'"
            )
        if types == "nominal" or len(numbers) < len(known) or len(known) < 2:
            return np.zeros(self.types), 0.0
        return np.array(numbers, dtype=np.float64), float(max(numbers) - min(numbers) + 1)

    def said_of_types(self, types: Types) -> tuple[str, ...]:
        """How types of boundary were told apart."""
        if self.types < 2:
            return ()
        reach = self.scale(types)[1]
        cost = f"their difference over {reach:.0f}" if reach else "1"
        return (
            f"boundaries are of {self.types} types; to put one for another at the same place costs {cost}",
        )

    def windows(self, window: Any, against: Hashable | None, *, counted: bool, padded: bool) -> Windows:
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
            return Windows(cuts, size, differ, length + size + 1, 0)
        fits = length > size
        if fits.all():
            return Windows(cuts, size, differ, length - size, 0)
        short = len(fits) - int(np.count_nonzero(fits))
        return Windows(cuts.taking(fits), size[fits], differ[fits], (length - size)[fits], short)

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
            mine,
            who=np.where(turned, mine.who[::-1], mine.who),
            value=np.where(turned, mine.value[::-1], mine.value),
        )

    def _differing(self, cuts: SegmentationPairs, size: Indices, *, counted: bool, padded: bool) -> Indices:
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
        found = np.concatenate([seen[:half], seen[:half]])
        found[again] = seen[half:]
        return found


def _of_one_length(study: Annotations, segments: Segments, rows: Any) -> None:
    """An error where annotators of one document did not cut the same number of units."""
    item, length = study.item[rows], segments.length[study.value[rows]]
    differ = np.flatnonzero((item[1:] == item[:-1]) & (length[1:] != length[:-1]))
    if not len(differ):
        return
    here = rows[item == item[differ[0]]]
    said = [
        f"{study.annotators[int(study.annotator[row])]!r} {int(segments.length[study.value[row]])}"
        for row in here[:6]
    ]
    more = ", …" if len(here) > len(said) else ""
    raise DataError(
        f"all annotators of a document cut the same units, and those of {study.items[int(item[differ[0]])]!r} have "
        f"different numbers of them ({', '.join(said)}{more}); correct the lengths"
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

    def taking(self, keep: Any) -> Edits:
        """Those of some of the pairs."""
        return Edits(*(one[keep] for one in self))

    def unlike(self, empty: float | None) -> Floats:
        """One minus the boundary similarity of each pair; where there is no boundary, one minus ``empty``."""
        pairs = self.pairs
        known: Floats = self.cost / np.maximum(pairs, 1)
        return known if empty is None else np.where(pairs > 0, known, 1 - empty)

    def details(self) -> dict[str, Any]:
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


class Windows(NamedTuple):
    """Windows through which a segmentation was compared with a reference, the second of each pair."""

    cuts: SegmentationPairs
    size: Indices
    differ: Indices  # in how many windows
    places: Indices  # of how many
    short: int  # comparisons that no window fits into

    @property
    def mean(self) -> float:
        """The mean share of windows that differ; nan where there is none."""
        return float((self.differ / self.places).mean()) if len(self.size) else math.nan

    def details(self) -> dict[str, Any]:
        """Which windows were used, and for how many comparisons."""
        return {"windows": np.unique(self.size).tolist(), "comparisons": len(self.size)}

    def notes(self) -> tuple[str, ...]:
        """Which windows were used, and what they were too long for."""
        said = []
        if self.cuts.merged:
            said.append(f"boundaries of {self.cuts.merged} types were not told apart; only= takes one type")
        if len(self.size):
            low, high = int(self.size.min()), int(self.size.max())
            said.append(f"windows of {low:,} {f'to {high:,} ' if low < high else ''}units")
        if self.short:
            were = "was" if self.short == 1 else "were"
            said.append(
                f"{counted(self.short, 'comparison')} {were} left out, of documents not longer than the window"
            )
        return tuple(said)

    def by_document(self, made: SegmentationSums) -> dict[str, list[Any]]:
        """The windows of each document, as a column."""
        place = made.pattern[self.cuts.item]
        low = np.full(len(made.item), np.iinfo(np.int64).max)
        high = np.zeros(len(made.item), dtype=np.int64)
        np.minimum.at(low, place, self.size)
        np.maximum.at(high, place, self.size)
        spelled = zip(low.tolist(), high.tolist(), strict=True)
        return {"window": [f"{a}" if a == b else f"{a}-{b}" for a, b in spelled]}


# -- the statistic -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SegmentationSums:
    """The documents that were compared, what is measured of each as sums, and how often each counts.

    The first two features of a document are its disagreement as a sum and what it weighs.
    """

    cuts: SegmentationPairs
    features: Floats  # documents × sums
    rates: Any  # documents × (boundaries, then potential ones, of each annotator), an array or sparse
    weights: Weights
    item: Indices  # of each document
    n: Sizes
    pattern: Indices  # the document of each item; -1 where it does not count
    paired: Floats | None = None

    @classmethod
    def of(cls, cuts: SegmentationPairs, *sums: Any) -> SegmentationSums:
        """Sums over the pairs of each document; each of ``sums`` has an entry for each pair."""
        study = cuts.study
        used = np.zeros(len(study.items), dtype=bool)
        used[cuts.item] = True
        item = np.flatnonzero(used)
        pattern = np.where(used, np.cumsum(used) - 1, -1)
        document = pattern[cuts.item]
        features = np.empty((len(item), len(sums)))
        for k, one in enumerate(sums):
            features[:, k] = totals(document, np.asarray(one, dtype=np.float64), len(item))
        sizes = Sizes(
            len(item),
            int(np.count_nonzero(np.bincount(study.annotator))),
            int(np.count_nonzero(used[study.item])),
        )
        return cls(cuts, features, None, Observed(np.ones(len(item))), item, sizes, pattern)

    @classmethod
    def with_rates(cls, cuts: SegmentationPairs, *sums: Any) -> SegmentationSums:
        """The same with what share of the potential boundaries each annotator used.

        An annotation counts as often as it is paired, in two further features, the sum of shares and of their weights,
        and in ``rates``.
        """
        made = cls.of(cuts, *sums)
        study, people = made.source, len(made.source.annotators)
        place = made.pattern[study.item]
        rows = np.flatnonzero(place >= 0)
        document, who, value = place[rows], study.annotator[rows], study.value[rows]
        often = (np.bincount(document, minlength=len(made.item)) - 1.0)[document]
        used, could = cuts.boundaries[value], (cuts.segments.length[value] - 1) * cuts.types
        shares = totals(document, often * used / could, len(made.item))
        weight = totals(document, often, len(made.item))
        rates = table_of(
            np.r_[document, document],
            np.r_[who, who + people],
            np.r_[often * used, often * could],
            (len(made.item), 2 * people),
        )
        return replace(made, features=np.column_stack([made.features, shares, weight]), rates=rates)

    @property
    def source(self) -> Annotations:
        """The annotations behind it."""
        return self.cuts.study

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    @property
    def unpaired(self) -> int:
        """How many documents one annotator alone cut."""
        return self.cuts.alone

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return int(self.features.shape[1] + (0 if self.rates is None else self.rates.shape[1]))

    def weighted(self, weights: Weights) -> SegmentationSums:
        """The same documents, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> SegmentationSums:
        """The same documents, with groups of them to be resampled; ``group`` is that of each item of the study."""
        together, pattern = in_groups(self.pattern, group)
        return replace(
            self,
            features=together @ self.features,
            rates=None if self.rates is None else together @ self.rates,
            pattern=pattern,
            weights=Observed(np.ones(together.shape[0])),
        )

    def mean_parts(self) -> Parts:
        """The mean disagreement of two segmentations of one document."""
        seen, weight = self._sums()[:2]
        return Parts(seen / weight)

    def pi_parts(self) -> Parts:
        """The pooled disagreement, and that of chance if all annotators had one rate of boundaries."""
        seen, weight, *_ = self._sums()
        return Parts(seen / weight, 1 - self.by_one_rate())

    def kappa_parts(self) -> Parts:
        """The pooled disagreement, and that of chance if each annotator has a rate of her own."""
        seen, weight, *_ = self._sums()
        return Parts(seen / weight, 1 - self.by_own_rates())

    def random_parts(self) -> Parts:
        """The pooled disagreement, and that of random cuts, whose sums are the two features that follow."""
        seen, weight, by_chance, weighed = self._sums()[:4]
        return Parts(seen / weight, by_chance / weighed)

    def _sums(self) -> list[Any]:
        total = np.asarray(self.weights.sum(self.features))
        return [total[..., k] for k in range(total.shape[-1])]

    def by_one_rate(self) -> Any:
        """How often chance would agree that there is a boundary, by the mean rate of boundaries."""
        *_, shares, weight = self._sums()
        return (shares / weight) ** 2

    def by_own_rates(self) -> Any:
        """How often chance would agree that there is a boundary, by the rates of every two annotators."""
        used, could = np.split(np.asarray(self.weights.sum(self.rates)), 2, axis=-1)
        there = np.real(could) > 0
        rate = np.where(there, used / np.where(there, could, 1), 0)
        people = there.sum(axis=-1)
        return (rate.sum(axis=-1) ** 2 - (rate**2).sum(axis=-1)) / (people * (people - 1))

    def chance_details(self) -> dict[str, Any]:
        """The parts of pi and kappa, and the bias: by how much chance agrees more where all have one rate."""
        if not len(self.item):
            return {}
        with np.errstate(all="ignore"):
            seen, weight, *_ = self._sums()
            pi, kappa = float(self.by_one_rate()), float(self.by_own_rates())
            return {
                "actual agreement": float(1 - seen / weight),
                "expected agreement (pi)": pi,
                "expected agreement (kappa)": kappa,
                "bias": pi - kappa,
            }

    @property
    def silent(self) -> int:
        """How many documents nobody cut."""
        return int((self.features[:, 1] == 0).sum())

    def undefined(self, *, nobody: int = 0, short: bool = False) -> str | None:
        """Why there is no coefficient, where several annotators cut a document."""
        if self.features[:, 1].any():
            return None
        if nobody:
            return "nobody put a boundary anywhere, so there is nothing to compare"
        if short:
            return "no document is longer than a window, so there is nothing to compare; window= takes a shorter one"
        if self.cuts.short:
            return "all documents are of one unit, which cannot be cut"
        return None

    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        short = self.cuts.short
        return (f"{counted(short, 'document')} of one unit left out",) if short else ()


def shown(function: Callable[..., Any], call: dict[str, Any]) -> dict[str, Any]:
    """The options that are not what they are without being said."""
    usual = defaults_of(function)
    return {name: value for name, value in call.items() if value != usual[name]}


def without_boundary(pairs: int, empty: float | None) -> tuple[str, ...]:
    """What became of pairs of segmentations that have no boundary."""
    if not pairs:
        return ()
    one = pairs == 1
    done = (
        f"{'was' if one else 'were'} left out" if empty is None else f"count{'s' if one else ''} as {empty:g}"
    )
    return (f"{counted(pairs, 'comparison')} of segmentations without a boundary {done}",)


def towards_chance(documents: int) -> tuple[str, ...]:
    """What became of documents that nobody cut."""
    if not documents:
        return ()
    counts = "counts" if documents == 1 else "count"
    said = f"{counted(documents, 'document')} in which nobody put a boundary {counts} towards chance alone"
    return (said,)
