"""Units: what annotators marked in documents, the best alignment of it, and what chance would have given.

An item is a document, and its value by one annotator the list of all that she marked there; an empty list says that
she marked nothing, and no value that she did not look.  Documents that fewer than two annotators looked at cannot be
compared, and one in which nobody marked anything says nothing: both are counted and left out.

Each document has an observed quantity and an expected one, both as a sum and what it weighs, and is compared with its
own chance.  Sums are over documents, so that resampling documents aligns nothing again.  Documents with the same
annotations are one pattern, and are aligned once.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import Annotations
from interagree.data.provenance import Provenance
from interagree.declare import Distance
from interagree.errors import DataError, Hint, KindError, UnknownName, listing
from interagree.kinds.spans import Spans
from interagree.results.agreement import Parts, Sizes
from interagree.stats.documents import lengths as extents
from interagree.stats.documents.alignment import Alignment, best, costs
from interagree.stats.documents.continuum import Continuum, Dissimilarity, is_finite
from interagree.stats.documents.unit_chance import (
    MOST,
    SAMPLERS,
    Chance,
    Precision,
    Sampler,
    draws,
    of_independent,
    sampled,
)
from interagree.stats.engine.compress import in_groups
from interagree.stats.engine.weights import Observed, Weights

GRID = (
    7.389e8  # steps that a document is long, to tell documents apart whatever its positions are counted from
)
NOTHING = 1e-12  # an expected disorder below this is none but for rounding
SHORT = 30  # units of all annotators together, in documents for which independent annotators are simulated
ANNOTATORS = 6  # at most, for whom that is done
BIASED = 0.02  # what independent annotators get that is worth a word

Label = str | None


# -- documents -----------------------------------------------------------------------------------------------


class Document(NamedTuple):
    """One document: its place among the items, who looked at it, and what they marked."""

    item: int
    who: tuple[int, ...]  # the annotators as the continuum numbers them, in an order that no name decides
    first: float  # where its first unit begins
    length: float
    continuum: Continuum
    key: tuple[int, ...]  # tells it apart from documents with other annotations
    said: bool = False  # whether its length is known, and not just that of what was marked


@dataclass(frozen=True, slots=True)
class UnitDocuments:
    """All documents of a study that can be compared."""

    study: Annotations
    documents: tuple[Document, ...]
    labels: tuple[Label, ...]  # the categories, those of labels in order; having none comes last
    counts: Floats  # how many units are of each category
    alone: int  # documents that one annotator looked at
    silent: int  # documents that several looked at, and nobody marked anything in

    @classmethod
    def of(
        cls,
        study: Annotations,
        *,
        who: str = "gamma",
        length: str | float | None = None,
        by_text: bool = False,
    ) -> UnitDocuments:
        """The documents of a study whose values are spans.

        Args:
            study: The annotations; of repeated judgements the first counts.
            who: What needs them, for messages.
            length: How long a document is, or the attribute that says so; by default it reaches from the begin of
                its first unit to the end of its last one.
            by_text: Whether a document is as long as its text, or its tokens, where the study has them and nobody said.
        """
        if study.anonymous and len(study):
            raise KindError(
                f"{who} needs to know who gave which value, and this study was made from counts; read the "
                "annotations themselves"
            )
        made: UnitDocuments = study.cached(
            ("texts", length, by_text),
            lambda: cls._of(study.first_judgements(), who=who, length=length, by_text=by_text),
        )
        return made

    @classmethod
    def _of(cls, study: Annotations, *, who: str, length: str | float | None, by_text: bool) -> UnitDocuments:
        spans: Spans = study.packed("spans", who=who)
        names = spans.names
        size = np.diff(spans.start)
        used = np.bincount(
            spans.label,
            weights=np.bincount(study.value, minlength=len(size))[spans.owner],
            minlength=len(names),
        )
        order = sorted(
            (code for code in range(len(names)) if used[code] > 0), key=lambda code: _label_key(names[code])
        )
        code_of = np.full(len(names), -1, dtype=np.intp)
        code_of[order] = np.arange(len(order))
        long = (extents.known if by_text else extents.said)(study, length)
        rows = np.lexsort((study.annotator, study.item))
        found: list[Document] = []
        alone = silent = 0
        edges = np.flatnonzero(np.diff(study.item[rows], prepend=-1, append=-1) != 0)
        for start, end in pairwise(edges.tolist()):
            here = rows[start:end]
            if len(here) < 2:
                alone += 1
            elif not size[study.value[here]].any():
                silent += 1
            else:
                found.append(_document(study, here, spans, code_of, long))
        return cls(
            study,
            tuple(found),
            tuple(names[code] for code in order),
            used[order].astype(np.float64),
            alone,
            silent,
        )

    def notes(self) -> tuple[str, ...]:
        """What was left out, but for documents that one annotator alone looked at."""
        if not self.silent:
            return ()
        many = self.silent > 1
        said = f"{self.silent:,} document{'s' if many else ''} in which nobody marked anything"
        return (f"{said} {'were' if many else 'was'} left out",)


def _label_key(name: Label) -> tuple[bool, str]:
    return name is None, name or ""


def _document(study: Annotations, rows: Indices, spans: Spans, code_of: Indices, long: Floats) -> Document:
    values = study.value[rows]
    units = [np.arange(spans.start[value], spans.start[value + 1]) for value in values]
    unit = np.concatenate(units)
    who = np.repeat(np.arange(len(rows)), [len(some) for some in units])
    begin, end, category = spans.begin[unit], spans.end[unit], code_of[spans.label[unit]]
    first, item = float(begin.min()), int(study.item[rows[0]])
    reach = float(end.max()) - first
    length = reach if math.isnan(long[item]) else float(long[item])
    if length < reach * (1 - 1e-9):
        raise DataError(
            f"document {study.items[item]!r} was said to be {length:g} long, and its units reach over {reach:g}"
        )
    place = np.stack(
        [np.rint((begin - first) / length * GRID), np.rint((end - first) / length * GRID)], axis=1
    )
    order, key = _in_order(len(rows), who, place.astype(np.int64), category)
    new = np.empty(len(rows), dtype=np.intp)
    new[order] = np.arange(len(rows))
    continuum = Continuum.of(len(rows), new[who], begin, end, category)
    codes = tuple(int(study.annotator[rows[one]]) for one in order)
    return Document(item, codes, first, length, continuum, key, said=not math.isnan(long[item]))


def _in_order(count: int, who: Indices, place: Any, category: Indices) -> tuple[list[int], tuple[int, ...]]:
    """The annotators in an order that no name of annotators or categories decides, and a key of the document."""
    rows = list(zip(who.tolist(), *place.T.tolist(), category.tolist(), strict=True))
    where: dict[int, list[tuple[int, int]]] = {}
    for _, begin, end, label in sorted(rows, key=lambda row: row[1:3]):
        where.setdefault(label, []).append((begin, end))
    known = sorted(map(tuple, where.values()))
    rank = {label: known.index(tuple(found)) for label, found in where.items()}
    marked: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for one, begin, end, label in rows:
        marked[one].append((begin, end, rank[label]))
    marked = [sorted(units) for units in marked]
    order = sorted(range(count), key=marked.__getitem__)
    digest = hashlib.blake2b(repr([marked[one] for one in order]).encode(), digest_size=16).digest()
    return order, tuple(np.frombuffer(digest, dtype=np.uint32).tolist())


# -- categories ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """How far apart categories are, between 0 and 1."""

    labels: tuple[Label, ...]
    table: Floats
    title: str = "nominal"

    @classmethod
    def of(
        cls,
        texts: UnitDocuments,
        distance: Distance | Mapping[Any, Any] | Categories | None,
        order: Sequence[str] | str | None = None,
    ) -> Categories:
        """The table of the categories of a study.

        Distances that are never above 1, and tables within it, are taken as they are; others are divided by the
        largest one among the categories.  Having no category is as far as can be from having any.

        Args:
            texts: The documents, with their categories and how often each occurs.
            distance: Between the labels; a table by names, ``{"A": {"B": 0.5}}``; None where different is different.
            order: All categories, from the lowest to the highest, or in the order of the rows of a table; as a list,
                or in one string with commas.
        """
        if isinstance(distance, Categories):
            return distance
        named = [label for label in texts.labels if label is not None]
        if order is not None:
            told = [one.strip() for one in order.split(",")] if isinstance(order, str) else list(order)
            absent = [label for label in named if label not in told]
            if absent:
                raise UnknownName(
                    f"order= names all categories, and lacks {listing(absent)} (it has {listing(told)})"
                )
            named = told
        if order is not None and distance is None:
            raise KindError(
                "order= puts categories in order for a distance that needs one; give it, as in categories='ordinal'"
            )
        if distance is None or (isinstance(distance, Distance) and distance.equality):
            return cls(texts.labels, 1.0 - np.eye(len(texts.labels)))
        title = "given" if isinstance(distance, Mapping) else str(distance)
        table = (
            _by_name(distance, named)
            if isinstance(distance, Mapping)
            else _by_distance(distance, named, order, texts)
        )
        whole = np.ones((len(named) + 1, len(named) + 1))
        whole[-1, -1] = 0.0
        whole[:-1, :-1] = table
        place = [len(named) if label is None else named.index(label) for label in texts.labels]
        return cls(texts.labels, whole[np.ix_(place, place)], title)

    def on(self, labels: Sequence[Label]) -> Floats:
        """The table of some of the categories."""
        if tuple(labels) == self.labels:
            return self.table
        place = [self.labels.index(label) for label in labels]
        return self.table[np.ix_(place, place)]


def _by_name(given: Mapping[Any, Any], named: Sequence[str]) -> Floats:
    """A table by names; an entry may stand in either direction."""
    table = np.zeros((len(named), len(named)))
    for i, a in enumerate(named):
        for j, b in enumerate(named[:i]):
            found = {float(row[y]) for x, y in ((a, b), (b, a)) if y in (row := given.get(x, {}))}
            if len(found) != 1:
                what = "two different distances" if found else "no distance"
                raise KindError(
                    f"categories= has {what} of {a!r} and {b!r}; give one, such as {{{a!r}: {{{b!r}: 0.5}}}}"
                )
            table[i, j] = table[j, i] = found.pop()
    return _scaled(table, bounded=bool((table <= 1).all()))


def _by_distance(distance: Distance, named: Sequence[str], order: Any, texts: UnitDocuments) -> Floats:
    often = {label: float(count) for label, count in zip(texts.labels, texts.counts, strict=True)}
    counts = np.array([often.get(label, 0.0) for label in named])
    values: Sequence[Any] = named
    if order is None and distance.of in ("numbers", "scale"):
        values = _numbers(named) or named
    if len(named) < 2 and distance.table is None:
        return np.zeros((len(named), len(named)))
    try:
        table = distance.among(values, counts, ordered=order is not None)
    except KindError as error:
        raise KindError(str(error).replace("values=[…]", "order=[…]")) from None
    within = distance.bounded or (distance.pair is not None and bool((table <= 1).all()))
    return _scaled(table, bounded=within)


def _numbers(named: Sequence[str]) -> list[float] | None:
    """Labels that spell numbers as numbers."""
    try:
        found = [float(label) for label in named]
    except ValueError:
        return None
    return found if np.isfinite(found).all() else None


def _scaled(table: Floats, *, bounded: bool) -> Floats:
    most = float(table.max(initial=0.0))
    if (table < 0).any() or not np.isfinite(table).all():
        raise KindError("the distances of categories must be finite, and none below 0")
    return table if bounded or most == 0 else table / most


# -- what is measured ----------------------------------------------------------------------------------------


class Part(Protocol):
    """What is measured of documents: a sum and what it weighs."""

    def observed(self, c: Continuum, alignment: Alignment) -> Floats: ...
    def drawn(self, cs: Sequence[Continuum]) -> Floats: ...
    def weight(self, c: Continuum) -> float: ...
    def largest(self, annotators: int) -> float: ...


@dataclass(frozen=True, slots=True)
class Disorder:
    """The disorder of the best alignment."""

    unlike: Dissimilarity
    soft: bool = False
    weigh: Literal["units", "documents"] = "units"

    def observed(self, c: Continuum, alignment: Alignment) -> Floats:
        """The disorder of a document."""
        return np.array([alignment.cost / c.mean_units, 1.0])

    def drawn(self, cs: Sequence[Continuum]) -> Floats:
        """The disorders of many."""
        units = np.array([c.mean_units for c in cs])
        return np.column_stack([costs(cs, self.unlike, soft=self.soft) / units, np.ones(len(cs))])

    def weight(self, c: Continuum) -> float:
        """What a document counts: as many as the units that an annotator marked, or once."""
        return c.mean_units if self.weigh == "units" else 1.0

    def largest(self, annotators: int) -> float:
        """The disorder of annotators none of whose units are aligned."""
        return annotators * self.unlike.empty


@dataclass(frozen=True, slots=True)
class Confusion:
    """How far apart the categories of aligned units are, units that lie well together counting more."""

    unlike: Dissimilarity
    soft: bool = False
    category: int | None = None  # only pairs with a unit of this category
    unaligned: bool = False  # whether units that are aligned with none count, too

    def observed(self, c: Continuum, alignment: Alignment) -> Floats:
        """The sum and the weight of the pairs of units that are aligned."""
        sizes = np.array([len(cluster) for cluster in alignment.clusters])
        pairs = [(x, y, len(s)) for s in alignment.clusters for i, y in enumerate(s) for x in s[:i]]
        found = np.zeros(2)
        if pairs:
            first, second, size = np.array(pairs).T
            if self.category is not None:
                keep = (c.category[first] == self.category) | (c.category[second] == self.category)
                first, second, size = first[keep], second[keep], size[keep]
            near = self._near(c, first, second) / (size - 1)
            far = self.unlike.category(c, first, second) * (self.unlike.empty if self.unaligned else 1.0)
            found += [near @ far, near.sum()]
        if self.unaligned:
            found += self._left(c, alignment, sizes)
        return found

    def _near(self, c: Continuum, first: Indices, second: Indices) -> Floats:
        far = self.unlike.position(c, first, second)
        return np.maximum(0.0, 1.0 - (self.unlike.alpha * self.unlike.empty * far if self.unaligned else far))

    def _left(self, c: Continuum, alignment: Alignment, sizes: Indices) -> Floats:
        """Pairs of a unit with none: as far apart as can be, each weighing what an empty unit costs."""
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
        return np.stack([self.observed(c, best(c, self.unlike, soft=self.soft)) for c in cs])

    def weight(self, _: Continuum) -> float:
        """What a document counts besides what its pairs weigh."""
        return 1.0

    def largest(self, _: int) -> float:
        """The distance of two categories that are as far apart as can be."""
        return 1.0


# -- the statistic -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Units:
    """The documents of a study, what is measured of each, and how often each counts."""

    texts: UnitDocuments
    part: Any
    alignments: tuple[Alignment, ...]  # of each pattern of documents
    chances: tuple[Chance, ...]
    features: Floats  # patterns × (observed sum, its weight, expected sum, its weight)
    weights: Weights
    n: Sizes
    pattern: Indices  # of each item; -1 where it does not count
    precision: Precision
    sampler: Sampler
    seed: int
    paired: Floats | None = None

    @classmethod
    def of(
        cls,
        texts: UnitDocuments,
        part: Any,
        *,
        sampler: Sampler = "shuffle",
        precision: Precision | None = None,
        seed: int = 0,
        limit: float | None = None,
    ) -> Units:
        """What is measured of documents, and the same of what chance would have given.

        Args:
            texts: The documents.
            part: What is measured of one.
            sampler: How chance annotates: "shuffle", "statistical" or "uniform".
            precision: How many draws of chance are made.
            seed: Where the random numbers start.
            limit: Seconds after which an alignment of what was observed need not be proven the best.
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
            _lengths_known(texts)
        precision = precision or Precision()
        pattern = np.full(len(texts.study.items), -1, dtype=np.intp)
        known: dict[Hashable, int] = {}
        models: list[Document] = []
        for document in texts.documents:
            place = known.setdefault(_content(document), len(known))
            pattern[document.item] = place
            if place == len(models):
                models.append(document)
        alignments = tuple(best(one.continuum, part.unlike, soft=part.soft, limit=limit) for one in models)
        sources = [draws(one.continuum, one.length, sampler, seed, one.key) for one in models]
        chances = tuple(sampled(sources, part.drawn, precision))
        features = [
            part.weight(one.continuum) * np.r_[part.observed(one.continuum, alignment), chance.mean]
            for one, alignment, chance in zip(models, alignments, chances, strict=True)
        ]
        study = texts.study
        return cls(
            texts,
            part,
            alignments,
            chances,
            np.array(features).reshape(-1, 4),
            Observed(np.bincount(pattern[pattern >= 0], minlength=len(models)).astype(np.float64)),
            Sizes(
                len(texts.documents),
                len(np.unique(study.annotator)),
                sum(len(document.who) for document in texts.documents),
            ),
            pattern,
            precision,
            sampler,
            seed,
        )

    @property
    def source(self) -> Annotations:
        """The annotations behind it."""
        return self.texts.study

    @property
    def provenance(self) -> Provenance:
        """How the annotations came to be."""
        return self.source.provenance

    @property
    def unpaired(self) -> int:
        """How many documents one annotator alone looked at."""
        return self.texts.alone

    @property
    def width(self) -> int:
        """How many numbers one resample holds."""
        return 4

    def weighted(self, weights: Weights) -> Units:
        """The same documents, counted otherwise."""
        return replace(self, weights=weights)

    def grouped(self, group: Any) -> Units:
        """The same documents, with groups of them to be resampled; ``group`` is that of each item of the study."""
        members, pattern = in_groups(self.pattern, group)
        weights = Observed(np.ones(members.shape[0]))
        return replace(self, features=members @ self.features, pattern=pattern, weights=weights)

    def parts(self) -> Parts:
        """The observed and the expected quantity of all documents."""
        seen, weight, chance, their = np.moveaxis(np.asarray(self.weights.sum(self.features)), -1, 0)
        return Parts(seen / weight, chance / their)

    @property
    def value(self) -> float:
        """The coefficient; nan where it is undefined."""
        with np.errstate(all="ignore"):
            found = self.parts()
        known = self.undefined is None and found.expected > NOTHING
        return float(1 - found.observed / found.expected) if known else math.nan

    @property
    def undefined(self) -> str | None:
        """Why there is no coefficient, where documents were looked at by several annotators."""
        texts = self.texts
        if not texts.documents:
            return "nobody marked anything, so there is nothing to compare" if texts.silent else None
        _, weight, chance, their = self.weights.sum(self.features)
        if not weight > 0:
            of = " of that category" if getattr(self.part, "category", None) is not None else ""
            return f"no two units{of} are aligned, so there is nothing to compare"
        if not their > 0:
            return "no two units are aligned by chance, so there is nothing to compare with"
        if chance > NOTHING * their:
            return None
        if len(texts.labels) > 1 or isinstance(self.part, Disorder):
            return (
                "chance would have given the same annotations, as when every unit covers its whole document, so there "
                "is nothing to compare with; if documents are longer than from their first to their last unit, length= "
                "says so"
            )
        return "all units have the same category, so chance could not have disagreed"

    # -- how sure --------------------------------------------------------------------------------------------

    def error_of_chance(self) -> tuple[float, float]:
        """The standard errors that sampling gives the expected quantity and the coefficient."""
        with np.errstate(all="ignore"):
            seen, expected = (float(one) for one in self.parts()[:2])
        times = np.asarray(self.weights.matrix()) * [self.part.weight(one) for one in self._continua()]
        variances = np.array([chance.variance(expected) for chance in self.chances])
        bottom = float(times @ [chance.mean[1] for chance in self.chances]) if len(times) else 0.0
        if not bottom > 0 or not expected > 0:
            return math.nan, math.nan
        error = math.sqrt(float(times**2 @ variances)) / bottom
        return error, seen / expected**2 * error

    def _continua(self) -> list[Continuum]:
        model = {int(self.pattern[one.item]): one.continuum for one in self.texts.documents}
        return [model[place] for place in range(len(self.chances))]

    def notes(self) -> tuple[str, ...]:
        """What was left out, how often chance was drawn, and which alignments are not proven the best."""
        said = list(self.texts.notes())
        counts = sorted(chance.samples for chance in self.chances)
        if counts:
            often = f"{counts[0]:,}" if counts[0] == counts[-1] else f"{counts[0]:,} to {counts[-1]:,}"
            each = "" if len(self.texts.documents) == 1 else " of each document"
            said.append(f"chance was sampled: {often} draws{each} ({self.sampler}, seed {self.seed})")
        if self.precision.samples is None and MOST in counts:
            relative = max(
                chance.error / chance.value
                for chance in self.chances
                if chance.samples == MOST and chance.value > 0
            )
            if 1.96 * relative > 1.01 * self.precision.error:
                said.append(
                    f"{MOST:,} draws are the most that are made of a document, and leave an error of its expected "
                    f"disorder of up to {1.96 * relative:.1%}, not {self.precision.error:.1%}; samples= makes more"
                )
        said += self._of_short_documents()
        open_ = sum(alignment.gap > 0 for alignment in self.alignments)
        if open_:
            said.append(f"{open_} alignment{'s' if open_ > 1 else ''} stopped by limit=, not proven the best")
        return tuple(said)

    def _of_short_documents(self) -> list[str]:
        """What independent annotators would get where that is not 0, as in documents with few units."""
        if self.sampler == "uniform" or self.undefined is not None or not self.chances:
            return []
        documents = {int(self.pattern[one.item]): one for one in self.texts.documents}
        models = [documents[place] for place in range(len(self.chances))]
        if (
            max(len(one.continuum) for one in models) > SHORT
            or max(len(one.who) for one in models) > ANNOTATORS
        ):
            return []
        found = of_independent(
            [(one.continuum, one.length, one.said, one.key) for one in models],
            np.asarray(self.weights.matrix()),
            self.sampler,
            self.seed,
            lambda cs: np.array([self.part.weight(c) for c in cs])[:, None] * self.part.drawn(cs),
        )
        if found is None:
            return []
        value, error = found
        if abs(value) < max(BIASED, 3 * error):
            return []
        long = "" if all(one.said for one in models) else " as long as what is marked in them"
        said = (
            f"in documents with so few units{long}, annotators who mark independently of each other would get about "
            f"{value:.2f} by this chance, not 0 (simulated, ±{1.96 * error:.2f}); sampler='uniform' compares with such "
            "annotators, and needs to know how long documents are"
        )
        return [said]

    def details(self) -> dict[str, Any]:
        """How chance was sampled, and the error that this adds."""
        if not self.chances:
            return {}
        expected, coefficient = self.error_of_chance()
        times = np.bincount(self.pattern[self.pattern >= 0], minlength=len(self.chances))
        continua = self._continua()
        return {
            "documents": len(self.texts.documents),
            "units": int(times @ [len(c) for c in continua]),
            "categories": len(self.texts.labels),
            "sampler": self.sampler,
            "samples": int(sum(chance.samples for chance in self.chances)),
            "seed": self.seed,
            "error of the expected disorder": expected,
            "error that sampling chance adds": coefficient,
            "unproven": float(sum(alignment.gap for alignment in self.alignments)),
        }


def _lengths_known(texts: UnitDocuments) -> None:
    unsaid = [one for one in texts.documents if not one.said]
    if not unsaid:
        return
    reach = math.ceil(max(one.length for one in texts.documents))
    name = texts.study.items[unsaid[0].item]
    others = f" and {len(unsaid) - 1:,} more" if len(unsaid) > 1 else ""
    hint = Hint("length", reach)
    raise DataError(
        f"sampler='uniform' puts units anywhere in their document, and nothing says how long document {name!r}{others} "
        f"is; give the length of all documents, {hint} or more (units reach over {reach:,}), or the name of the "
        "attribute that holds it",
        hints=[hint],
    )


def _content(document: Document) -> Hashable:
    c = document.continuum
    parts = (c.who, c.begin, c.end, c.category)
    return (c.annotators, document.length, *(part.tobytes() for part in parts))
