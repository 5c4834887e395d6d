"""Units beside gamma: the best alignment of a document to look at, and agreement on one category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Item
from interagree.declare import takes_data
from interagree.distances import IntoDistance, find
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.measures.gamma_cat import gamma_cat
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.document import Document, Section
from interagree.stats.documents.alignment import Alignment, best
from interagree.stats.documents.continuum import Continuum, Dissimilarity
from interagree.stats.documents.unit_categories import Categories, CategoryTable
from interagree.stats.documents.unit_chance import Sampler
from interagree.stats.documents.unit_documents import Label, UnitDocument, UnitDocuments
from interagree.tables import Table


@dataclass(frozen=True, slots=True)
class Aligned(Answer):
    """The best alignment of one document."""

    name: Item
    annotators: tuple[Annotator, ...]  # as the continuum numbers them
    labels: tuple[Label, ...]  # the categories, as the continuum numbers them
    continuum: Continuum
    alignment: Alignment
    unlike: Dissimilarity
    first: float = 0.0  # where the first unit begins: positions of the continuum are counted from there

    @property
    def disorder(self) -> float:
        """The disorder of the alignment, for each unit that an annotator marked on average."""
        return self.alignment.disorder

    def unit(self, place: int) -> str:
        """A unit in words: its positions and its category."""
        c = self.continuum
        label = self.labels[int(c.category[place])]
        where = f"{_number(c.begin[place] + self.first)}-{_number(c.end[place] + self.first)}"
        return where if label is None else f"{where} {label}"

    def costs(self) -> list[float]:
        """What each cluster costs: the mean dissimilarity over all pairs of annotators."""
        n, empty = len(self.annotators), self.unlike.empty
        costs = []
        for cluster in self.alignment.clusters:
            first, second = (np.array(cluster)[side] for side in np.triu_indices(len(cluster), 1))
            pairs = n * (n - 1) / 2
            distance = float(self.unlike.pairs(self.continuum, first, second).sum())
            costs.append((distance + (pairs - len(first)) * empty) / pairs)
        return costs

    def tables(self) -> dict[str, Table]:
        """A row for each cluster, in the order of the text: the unit of each annotator, and what the cluster costs."""
        c = self.continuum
        columns: dict[str, list[str | float]] = {str(name): [] for name in self.annotators}
        columns["disorder"] = []
        for _, cluster, cost in sorted(
            (min((c.begin[u], c.end[u]) for u in cluster), cluster, cost)
            for cluster, cost in zip(self.alignment.clusters, self.costs(), strict=True)
        ):
            by = {int(c.who[place]): self.unit(place) for place in cluster}
            for code, name in enumerate(self.annotators):
                columns[str(name)].append(by.get(code, ""))
            columns["disorder"].append(cost)
        foot = f"disorder {self.disorder:.4f}: the sum for each of {c.mean_units:g} units of an annotator on average"
        return {"clusters": Table(columns, title=str(self.name), foot=foot)}

    def document(self) -> Document:
        """The clusters in the order of the text."""
        data = {"document": self.name, "disorder": self.disorder, "clusters": self.table()}
        return Document(str(self.name), [Section(table=self.table())], data, self.table())


@takes_data
def align(
    data: IntoAnnotations,
    document: Item | None = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    categories: IntoDistance | Mapping[str, Mapping[str, float]] | None = None,
    order: Sequence[str] | str | None = None,
    soft: bool = False,
    limit: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Aligned:
    """The best alignment of a document, to be looked at: which units of different annotators belong together.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        document: Its name; needed where there are several.
        alpha: How much positions weigh.
        beta: How much categories weigh.
        empty: The cost of an unaligned unit.
        categories: How far apart categories are, as for `gamma`.
        order: All categories from the lowest to the highest, or in the order of a square table.
        soft: Whether a unit may be in several clusters.
        limit: Seconds after which the alignment need not be proven the best.

    Returns:
        The alignment with its clusters, their costs and the disorder.

    Examples:
        >>> import interagree as ia
        >>> units = [("d", "ann", ((0, 30, "PER"),)), ("d", "bo", ((0, 40, "PER"),))]
        >>> ia.spans.align(ia.Annotations.of(units, kind="spans")).table().columns["bo"]
        ['0-40 PER']
    """
    texts = UnitDocuments.of(as_annotations(data), who="align")
    chosen = _chosen(texts, document)
    if categories is None or isinstance(categories, Mapping | Categories):
        scale = Categories.of(texts, categories, order)
    else:
        scale = Categories.of(texts, find(categories), order)
    unlike = Dissimilarity(scale.on(texts.labels), alpha, beta, empty)
    names = [texts.study.annotators[code] for code in chosen.who]
    # In the order in which the study names them, which is that of the file.
    rank = np.argsort(np.array(chosen.who))
    place = np.empty(len(rank), dtype=np.intp)
    place[rank] = np.arange(len(rank))
    c = chosen.continuum
    told = Continuum.of(c.annotators, place[c.who], c.begin, c.end, c.category)
    return Aligned(
        texts.study.items[chosen.item],
        tuple(names[code] for code in rank.tolist()),
        texts.labels,
        told,
        best(told, unlike, soft=soft, limit=limit),
        unlike,
        chosen.first,
    )


def _chosen(texts: UnitDocuments, document: Item | None) -> UnitDocument:
    by_name = {texts.study.items[marked.item]: marked for marked in texts.documents}
    if document is None and len(by_name) == 1:
        return next(iter(by_name.values()))
    if not by_name:
        raise KindError("there is no document in which two annotators marked units, so there is nothing to align")
    if document is None:
        raise KindError(f"there are {len(by_name)} documents; name one of {listing(by_name, most=5)}")
    if document not in by_name:
        raise UnknownName(
            f"no document {document!r} has units by two annotators.{suggestion(str(document), map(str, by_name))} "
            f"(there are {listing(by_name, most=5)})"
        )
    return by_name[document]


class GammaCatOptions(ReadingOptions, total=False):
    """The options of `gamma_cat`, but for the category; a test holds both together."""

    unaligned: bool
    alpha: float
    beta: float
    empty: float
    categories: IntoDistance | CategoryTable | Categories | None
    order: Sequence[str] | str | None
    sampler: Sampler
    precision: float
    samples: int | None
    length: str | float | None
    soft: bool
    seed: int
    limit: float | None


@checks_options
def gamma_k(data: IntoAnnotations, category: str, **options: Unpack[GammaCatOptions]) -> Agreement:
    """Agreement on one category of aligned units: `gamma_cat` of the pairs with a unit of it.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        category: The category.
        options: As for `gamma_cat`.

    Returns:
        The coefficient, as `gamma_cat` gives it.

    Examples:
        >>> import interagree as ia
        >>> units = [("d", "ann", ((0, 30, "A"), (40, 50, "B"))), ("d", "bo", ((0, 40, "A"), (42, 50, "B")))]
        >>> ia.spans.gamma_k(ia.Annotations.of(units, kind="spans"), "A").value
        1.0
    """
    return gamma_cat(data, category=category, **options)


def _number(number: float) -> str:
    return f"{float(number):.10g}"
