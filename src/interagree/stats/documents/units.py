"""Units: the best alignment of what annotators marked in documents, and what chance would have given.

Each document has an observed quantity and an expected one, both as a sum and what it weighs, and is compared with its
own chance.  Sums are over documents, so that resampling documents aligns nothing again.  Documents with the same
annotations are one pattern, and are aligned once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, Self

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.errors import DataError, Hint, KindError, listing
from interagree.progress import steps
from interagree.results.agreement import Interval, Parts, Sizes
from interagree.stats.documents.alignment import MANY, Alignment, best, costs
from interagree.stats.documents.checks import is_finite
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.unit_categories import Categories
from interagree.stats.documents.unit_chance import (
    MOST,
    SAMPLERS,
    Precision,
    Sampler,
    UnitChance,
    draws,
    of_independent,
    sampled,
)
from interagree.stats.documents.unit_documents import UnitDocument, UnitDocuments
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.remeasured import Remeasured
from interagree.stats.engine.statistic import ItemSums, Published, unpaired_notes
from interagree.stats.engine.weights import Observed
from interagree.tables import Table

if TYPE_CHECKING:
    from interagree.data import Annotations
    from interagree.stats.engine.measured import Measured

NOTHING = 1e-12  # an expected disorder below this is none but for rounding
TOLERANCE = 0.003  # of its disorder, that a draw of chance may have too much; draws differ by more than that
LARGE = 1_000  # units of many annotators, beyond which only a few draws of chance are solved,
SOLVED = 6  # so many
SHORT = 30  # units of all annotators together, in documents for which independent annotators are simulated
ANNOTATORS = 6  # at most, for whom that is done
BIASED = 0.02  # what independent annotators get that is worth a word


class SummedPart(Protocol):
    """What is measured of documents: a sum and what it weighs."""

    bounded: ClassVar[bool]  # whether the sum is never above what it weighs

    @property
    def unlike(self) -> Dissimilarity: ...
    @property
    def soft(self) -> bool: ...
    @property
    def category(self) -> int | None: ...
    def observed(self, c: Continuum, alignment: Alignment) -> Floats: ...
    def drawn(self, cs: Sequence[Continuum]) -> Floats: ...  # with the share of its cost that an alignment may lose
    def weight(self, c: Continuum) -> float: ...
    def largest(self, annotators: int) -> float: ...


@dataclass(frozen=True, slots=True)
class Disorder:
    """The disorder of the best alignment."""

    bounded: ClassVar[bool] = False
    category: ClassVar[None] = None
    unlike: Dissimilarity
    soft: bool = False
    weigh: Literal["units", "documents"] = "units"
    limit: float | None = None  # seconds for each alignment

    def observed(self, c: Continuum, alignment: Alignment) -> Floats:
        return np.array([alignment.cost / c.mean_units, 1.0])

    def drawn(self, cs: Sequence[Continuum], *, quick: bool = False) -> Floats:
        """The disorders of many."""
        units = np.array([c.mean_units for c in cs])
        cost, gap = costs(cs, self.unlike, soft=self.soft, limit=self.limit, tolerance=TOLERANCE, quick=quick).T
        return np.column_stack([cost / units, np.ones(len(cs)), gap / np.where(cost > 0, cost, 1.0)])

    def weight(self, c: Continuum) -> float:
        """What a document counts: as many as the units that an annotator marked, or once."""
        return c.mean_units if self.weigh == "units" else 1.0

    def largest(self, annotators: int) -> float:
        """The disorder where no units are aligned."""
        return annotators * self.unlike.empty


@dataclass(slots=True)
class Corrected:
    """The disorders of draws of one large document: a few are solved, all others aligned quickly and corrected.

    A quick alignment costs some per cent too much, and hardly more for one draw than for another: the mean ratio of a
    few draws is as good as solving all of them.
    """

    part: Disorder
    ratio: float = math.nan
    error: float = math.nan  # of the ratio, relative
    gap: float = 0.0

    def __call__(self, cs: Sequence[Continuum]) -> Floats:
        """The disorders, their weights, and the share of them that may be too much."""
        rows = self.part.drawn(cs, quick=True)
        solved = 0
        if math.isnan(self.ratio):
            solved = min(SOLVED, len(cs))
            best_rows = self.part.drawn(cs[:solved])
            ratios = best_rows[:, 0] / rows[:solved, 0]
            self.ratio, self.gap = float(ratios.mean()), float(best_rows[:, 2].mean())
            self.error = float(np.std(ratios, ddof=1)) / math.sqrt(solved) / self.ratio
            rows[:solved] = best_rows
        rows[solved:, 0] *= self.ratio
        rows[solved:, 2] = self.gap
        return rows


def _large(c: Continuum) -> bool:
    return c.annotators > MANY and len(c) > LARGE


def _chances(
    sources: Sequence[Iterator[Continuum]], large: Sequence[bool], part: SummedPart, precision: Precision
) -> tuple[UnitChance, ...]:
    """The chance of each document, of large ones by a few draws that are solved."""
    small = iter(
        sampled([source for source, one in zip(sources, large, strict=True) if not one], part.drawn, precision)
    )
    found = []
    for source, one in zip(sources, large, strict=True):
        if one and isinstance(part, Disorder):
            measured = Corrected(part)
            (chance,) = sampled([source], measured, precision)
            found.append(replace(chance, correction=measured.error if chance.samples > SOLVED else 0.0))
        else:
            found.append(next(small))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How far apart the categories of aligned units are, units that lie well together counting more."""

    bounded: ClassVar[bool] = True
    unlike: Dissimilarity
    soft: bool = False
    category: int | None = None  # only pairs with a unit of this category
    unaligned: bool = False  # whether units that are aligned with none count, too
    limit: float | None = None  # seconds for each alignment

    def observed(self, c: Continuum, alignment: Alignment) -> Floats:
        """The sum and the weight of the pairs of units that are aligned."""
        sizes = np.array([len(cluster) for cluster in alignment.clusters])
        pairs = [(x, y, len(s)) for s in alignment.clusters for i, y in enumerate(s) for x in s[:i]]
        sums = np.zeros(2)
        if pairs:
            first, second, size = np.array(pairs).T
            if self.category is not None:
                keep = (c.category[first] == self.category) | (c.category[second] == self.category)
                first, second, size = first[keep], second[keep], size[keep]
            near = self._near(c, first, second) / (size - 1)
            far = self.unlike.category(c, first, second) * (self.unlike.empty if self.unaligned else 1.0)
            sums += [near @ far, near.sum()]
        if self.unaligned:
            sums += self._left(c, alignment, sizes)
        return sums

    def _near(self, c: Continuum, first: Indices, second: Indices) -> Floats:
        far = self.unlike.position(c, first, second)
        return np.maximum(0.0, 1.0 - (self.unlike.alpha * self.unlike.empty * far if self.unaligned else far))

    def _left(self, c: Continuum, alignment: Alignment, sizes: Indices) -> Floats:
        """Unaligned units: as far apart as can be, each weighing what an empty unit costs."""
        units = np.concatenate([np.array(cluster) for cluster in alignment.clusters])
        size = np.repeat(sizes, sizes)
        if self.category is not None:
            keep = c.category[units] == self.category
            size = size[keep]
        times = float((c.annotators - size).sum())
        empty = self.unlike.empty
        return times * np.array([empty * empty, empty])

    def drawn(self, cs: Sequence[Continuum]) -> Floats:
        """The same of the best alignments of many."""
        rows = []
        for c in steps(cs, "alignments by chance"):
            found = best(c, self.unlike, soft=self.soft, limit=self.limit, tolerance=TOLERANCE)
            rows.append([*self.observed(c, found), found.gap / found.cost if found.cost > 0 else 0.0])
        return np.array(rows)

    def weight(self, _: Continuum) -> float:
        """What a document counts besides what its pairs weigh."""
        return 1.0

    def largest(self, _: int) -> float:
        """The distance of two categories that are as far apart as can be."""
        return 1.0


@dataclass(frozen=True, kw_only=True)
class Units(ItemSums):
    """The documents of a study, what is measured of each, and how often each counts.

    The features of a pattern of documents are: the observed sum, its weight, the expected sum, its weight.
    """

    features: Floats
    documents: UnitDocuments
    part: SummedPart
    alignments: tuple[Alignment, ...]  # of each pattern of documents
    chances: tuple[UnitChance, ...]
    precision: Precision
    sampler: Sampler
    seed: int
    categories: Categories | None = None  # where the caller said how far apart categories are

    @classmethod
    def of(
        cls,
        documents: UnitDocuments,
        part: SummedPart,
        *,
        sampler: Sampler = "shuffle",
        precision: Precision | None = None,
        seed: int = 0,
        limit: float | None = None,
        categories: Categories | None = None,
    ) -> Self:
        """What is measured of documents, and the same of what chance would have given.

        Args:
            documents: The documents.
            part: What is measured of one.
            sampler: How chance annotates: "shuffle", "statistical" or "uniform".
            precision: How many draws of chance are made.
            seed: Where the random numbers start.
            limit: Seconds after which an alignment of what was observed need not be proven the best.
            categories: How far apart categories are, where the caller said so.
        """
        if sampler not in SAMPLERS:
            raise KindError(f"sampler must be one of {listing(SAMPLERS)}; got {sampler!r}")
        if not part.unlike.alpha and not part.unlike.beta:
            raise KindError("alpha and beta are both 0, so that all units would be alike; weigh one of them")
        if not (is_finite(seed) and seed == int(seed) >= 0):
            raise KindError(f"seed is a whole number from 0 up, got {seed!r}")
        if limit is not None and not (is_finite(limit) and limit > 0):
            raise KindError(f"limit is a number of seconds above 0, or None; got {limit!r}")
        if sampler == "uniform":
            _need_lengths(documents)
        precision = precision or Precision()
        study = documents.study
        pattern = np.full(len(study.items), -1, dtype=np.intp)
        known: dict[Hashable, int] = {}
        models: list[UnitDocument] = []
        for document in documents.documents:
            place = known.setdefault(_content(document), len(known))
            pattern[document.item] = place
            if place == len(models):
                models.append(document)
        alignments = tuple(best(model.continuum, part.unlike, soft=part.soft, limit=limit) for model in models)
        sources = [draws(model.continuum, model.length, sampler, seed, model.key) for model in models]
        large = [limit is None and isinstance(part, Disorder) and _large(model.continuum) for model in models]
        chances = _chances(sources, large, part, precision)
        features = [
            part.weight(model.continuum) * np.r_[part.observed(model.continuum, alignment), chance.mean]
            for model, alignment, chance in zip(models, alignments, chances, strict=True)
        ]
        return cls(
            source=study,
            features=np.array(features).reshape(-1, 4),
            weights=Observed(np.bincount(pattern[pattern >= 0], minlength=len(models)).astype(np.float64)),
            pattern=pattern,
            n=Sizes(
                len(documents.documents),
                len(np.unique(study.annotator)),
                sum(len(document.who) for document in documents.documents),
            ),
            unpaired=documents.alone,
            documents=documents,
            part=part,
            alignments=alignments,
            chances=chances,
            precision=precision,
            sampler=sampler,
            seed=seed,
            categories=categories,
        )

    @property
    def bounded(self) -> bool:
        """Whether what is measured of a document is never above one."""
        return self.part.bounded

    def parts(self) -> Parts:
        """The observed and the expected quantity of all documents."""
        observed, weight, expected, weight_by_chance = np.moveaxis(self.sums(), -1, 0)
        return Parts(observed / weight, expected / weight_by_chance)

    @property
    def value(self) -> float:
        """The coefficient; nan where it is undefined."""
        return super().value if self.undefined() is None else math.nan

    def undefined(self) -> str | None:
        """Why there is no coefficient, where documents were looked at by several annotators."""
        if not self.documents.documents:
            return "nobody marked anything, so there is nothing to compare" if self.documents.silent else None
        _, weight, expected, weight_by_chance = self.sums()
        if not weight > 0:
            of = "" if self.part.category is None else " of that category"
            return f"no two units{of} are aligned, so there is nothing to compare"
        if not weight_by_chance > 0:
            return "no two units are aligned by chance, so there is nothing to compare with"
        if expected > NOTHING * weight_by_chance:
            return None
        if len(self.documents.labels) > 1 or isinstance(self.part, Disorder):
            return (
                "chance would have given the same annotations, as when every unit covers its whole document, so there "
                "is nothing to compare with; if documents are longer than from their first to their last unit, length= "
                "says so"
            )
        return "all units have the same category, so chance could not have disagreed"

    def options(self) -> dict[str, object]:
        """The distance of categories that was taken."""
        return {} if self.categories is None else {"categories": self.categories.title}

    def published(self) -> Published[Units]:
        """How sure one document alone leaves us: the error of sampling chance, and no test.

        With several documents the usual error is right, as each document has draws of its own.
        """
        if len(self.documents.documents) != 1:
            return Published()
        return Published(
            interval=Units._interval_of_chance,
            only=True,
            errors={"items": lambda units: (units.error_of_chance()[1], math.inf)},
            p_value=lambda _: None,
        )

    def _interval_of_chance(self, level: float) -> Interval | None:
        error = self.error_of_chance()[1]
        if not error > 0:
            return None
        reach = t_quantile(0.5 + level / 2, math.inf) * error
        low, high = self.value - reach, min(1.0, self.value + reach)
        note = "one document: the error of sampling chance alone"
        return Interval(low, high, level, "chance", error, seed=self.seed, note=note)

    def drill(self, measured: Measured[Self]) -> UnitTables:
        return UnitTables(self, measured)

    # -- how sure --------------------------------------------------------------------------------------------

    def error_of_chance(self) -> tuple[float, float]:
        """The standard errors that sampling gives the expected quantity and the coefficient."""
        with np.errstate(all="ignore"):
            observed, expected = (float(part) for part in self.parts()[:2])
        times = np.asarray(self.weights.matrix()) * [self.part.weight(model.continuum) for model in self._models()]
        variances = np.array([chance.variance(expected) for chance in self.chances])
        bottom = float(times @ [chance.mean[1] for chance in self.chances]) if len(times) else 0.0
        if not bottom > 0 or not expected > 0:
            return math.nan, math.nan
        error = math.sqrt(float(times**2 @ variances)) / bottom
        return error, observed / expected**2 * error

    def _models(self) -> list[UnitDocument]:
        """A document of each pattern."""
        model = {int(self.pattern[document.item]): document for document in self.documents.documents}
        return [model[place] for place in range(len(self.chances))]

    def notes(self) -> tuple[str, ...]:
        """What was left out, how often chance was drawn, and which alignments are not proven the best."""
        notes = [*unpaired_notes(self), *self.documents.notes()]
        counts = sorted(chance.samples for chance in self.chances)
        if counts:
            often = f"{counts[0]:,}" if counts[0] == counts[-1] else f"{counts[0]:,} to {counts[-1]:,}"
            each = "" if len(self.documents.documents) == 1 else " of each document"
            notes.append(f"chance was sampled: {often} draws{each} ({self.sampler}, seed {self.seed})")
        if self.precision.samples is None and MOST in counts:
            relative = max(
                chance.error / chance.value for chance in self.chances if chance.samples == MOST and chance.value > 0
            )
            if 1.96 * relative > 1.01 * self.precision.error:
                notes.append(
                    f"{MOST:,} draws are the most that are made of a document, and leave an error of its expected "
                    f"disorder of up to {1.96 * relative:.1%}, not {self.precision.error:.1%}; samples= makes more"
                )
        notes += self._of_short_documents()
        notes += self._of_unproven()
        return tuple(notes)

    def _of_unproven(self) -> list[str]:
        """How far alignments may be from the best, where they are not proven to be that."""
        open_ = sum(alignment.gap > 0 for alignment in self.alignments)
        observed, expected = self.unproven()
        notes = []
        if open_:
            total = len(self.alignments)
            which = "the alignment is" if total == 1 else f"{open_:,} of {total:,} alignments are"
            what = "the observed disorder" if isinstance(self.part, Disorder) else "the disorder of aligned units"
            notes.append(f"{which} not proven the best: {what} could be up to {observed:.2%} lower")
        corrected = [chance.correction for chance in self.chances if chance.correction > 0]
        if corrected:
            notes.append(
                f"{SOLVED} draws of chance of each large document were solved; the others were aligned quickly, and "
                f"corrected by the mean ratio found with these (±{1.96 * max(corrected):.2%}, counted in the error)"
            )
        if expected > 0:
            what = "the expected disorder" if isinstance(self.part, Disorder) else "the disorder of their units"
            notes.append(
                f"not all alignments of draws of chance are proven the best: {what} could be up to {expected:.2%} lower"
            )
        return notes

    def unproven(self) -> tuple[float, float]:
        """The shares by which the disorders observed and expected could be lower at most, alignments being better."""
        times = np.asarray(self.weights.matrix()).ravel()
        cost = times @ [alignment.cost for alignment in self.alignments]
        gap = times @ [alignment.gap for alignment in self.alignments]
        weight = times * [model_weight.mean[0] for model_weight in self.chances]
        by_chance = float(weight @ [chance.gap for chance in self.chances])
        return float(gap / cost) if cost > 0 else 0.0, by_chance / float(weight.sum()) if weight.sum() > 0 else 0.0

    def _of_short_documents(self) -> list[str]:
        """What independent annotators would get where that is not 0, as in documents with few units."""
        independent = self.of_independent()
        if independent is None:
            return []
        value, error = independent
        if abs(value) < max(BIASED, 3 * error):
            return []
        long = "" if all(model.length_known for model in self._models()) else " as long as what is marked in them"
        note = (
            f"in documents with so few units{long}, annotators who mark independently of each other would get about "
            f"{value:.2f} by this chance, not 0 (simulated, ±{1.96 * error:.2f}); sampler='uniform' compares with such "
            "annotators, and needs to know how long documents are"
        )
        return [note]

    def of_independent(self) -> tuple[float, float] | None:
        """What independent annotators would get, and its error; None where that is 0, or documents are long."""
        if self.sampler == "uniform" or self.undefined() is not None or not self.chances:
            return None
        models = self._models()
        if max(len(one.continuum) for one in models) > SHORT or max(len(one.who) for one in models) > ANNOTATORS:
            return None
        return of_independent(
            [(one.continuum, one.length, one.length_known, one.key) for one in models],
            np.asarray(self.weights.matrix()),
            self.sampler,
            self.seed,
            lambda cs: np.array([self.part.weight(c) for c in cs])[:, None] * self.part.drawn(cs)[:, :2],
        )

    def details(self) -> dict[str, object]:
        """How chance was sampled, and the error that this adds."""
        if not self.chances:
            return {}
        expected, coefficient = self.error_of_chance()
        times = np.bincount(self.pattern[self.pattern >= 0], minlength=len(self.chances))
        return {
            "documents": len(self.documents.documents),
            "units": int(times @ [len(model.continuum) for model in self._models()]),
            "categories": len(self.documents.labels),
            "sampler": self.sampler,
            "samples": int(sum(chance.samples for chance in self.chances)),
            "seed": self.seed,
            "error of the expected disorder": expected,
            "error that sampling chance adds": coefficient,
            "unproven": float(sum(alignment.gap for alignment in self.alignments)),
            "unproven by chance": self.unproven()[1],
        }


def _need_lengths(documents: UnitDocuments) -> None:
    unknown = [document for document in documents.documents if not document.length_known]
    if not unknown:
        return
    reach = math.ceil(max(document.length for document in documents.documents))
    name = documents.study.items[unknown[0].item]
    others = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
    hint = Hint("length", reach)
    raise DataError(
        f"sampler='uniform' puts units anywhere in their document, and nothing says how long document {name!r}{others} "
        f"is; give the length of all documents, {hint} or more (units reach over {reach:,}), or the name of the "
        "attribute that holds it",
        hints=[hint],
    )


def _content(document: UnitDocument) -> Hashable:
    c = document.continuum
    parts = (c.who, c.begin, c.end, c.category)
    return (c.annotators, document.length, *(part.tobytes() for part in parts))


@dataclass(frozen=True)
class UnitTables(Remeasured[Units]):
    """The drill-down of a coefficient of units."""

    def again(self, study: Annotations) -> float:
        """The coefficient of another study, its categories as far apart as in this one."""
        if self.statistic.categories is None:
            return super().again(study)
        return self.measured.again(study, categories=self.statistic.categories, order=None).value

    def by_item(self) -> Table:
        """For each document: how many looked, what they marked, its disorders, its coefficient and the error of it."""
        units, study = self.statistic, self.study
        rows = []
        for document in units.documents.documents:
            place = units.pattern[document.item]
            total, weight, *_ = units.features[place]
            chance = units.chances[place]
            observed, expected = (total / weight if weight > 0 else math.nan), chance.value
            known = expected > NOTHING and not math.isnan(observed)
            rows.append(
                {
                    "item": study.items[document.item],
                    "annotations": len(document.who),
                    "units": len(document.continuum),
                    "disagreement": float(observed),
                    "expected": expected,
                    "agreement": 1 - observed / expected if known else math.nan,
                    "error of chance": observed / expected**2 * chance.error if known else math.nan,
                }
            )
        names = ("item", "annotations", "units", "disagreement", "expected", "agreement", "error of chance")
        return Table.of(rows, names=names, foot="each document against its own chance")

    def further(self) -> dict[str, list[int]]:
        """How many units each annotator marked."""
        counts = [0] * len(self.study.annotators)
        for document in self.statistic.documents.documents:
            marked = np.bincount(document.continuum.who, minlength=len(document.who)).tolist()
            for code, count in zip(document.who, marked, strict=True):
                counts[code] += count
        return {"units": counts}

    def largest(self) -> float:
        """The largest disorder there can be."""
        return max(
            (self.statistic.part.largest(len(document.who)) for document in self.statistic.documents.documents),
            default=1.0,
        )
