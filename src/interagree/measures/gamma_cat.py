r"""Gamma-cat: agreement on the categories of units that are aligned, and on nothing else.

$$\gamma_{cat} = 1 - \frac{\delta_o}{\delta_e}, \qquad
\delta = \frac{\sum_{a} \frac{1}{n_a - 1} \sum_{u, v \in a} p(u, v)\, c(u, v)}
{\sum_{a} \frac{1}{n_a - 1} \sum_{u, v \in a} p(u, v)}, \qquad
p(u, v) = \max\Big(0, 1 - \Big(\frac{|b_u - b_v| + |e_u - e_v|}{(e_u - b_u) + (e_v - b_v)}\Big)^2\Big)$$

Units are aligned as for gamma.  Then the pairs of units $u$ and $v$ that are in one cluster $a$, of $n_a$ units, are
compared by the distance $c$ of their categories, those that lie well together counting more.  Chance is that of gamma:
the same is measured of the best alignments of random annotations of the document.  ``category="PER"`` looks only at
pairs in which at least one unit is of that category, which is $\gamma_k$; the details give it for each category.

Sums are over all documents, and over all draws of chance.  Draws of chance differ more here than for gamma, and so a
relative error of 2 % is what is wanted of the expected quantity by default.

``unaligned=True`` is for comparison with pygamma-agreement 0.5.9: pairs of a unit with an empty one count too, as
different, each with the weight of an empty unit whatever $n_a$ is, and $p$ is one minus the weighted positional
dissimilarity.  It still differs where no two units are aligned, which that package takes for a disorder of 0 (a note
says so); where several alignments cost the same and it takes another one; and in the mean over draws of chance, there
one of ratios and here a ratio of sums.

Mathet, Y. (2017). The agreement measure γcat, a complement to γ focused on categorization of a continuum. Computational
Linguistics 43(3), 661-681.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.distances import IntoDistance, find
from interagree.errors import UnknownName, listing, suggestion
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.continuum import Dissimilarity
from interagree.stats.documents.independent_units import PLACED_ANEW
from interagree.stats.documents.unit_categories import Categories, CategoryTable
from interagree.stats.documents.unit_chance import Precision, Sampler
from interagree.stats.documents.unit_documents import UnitDocuments
from interagree.stats.documents.units import Confusion, Units
from interagree.stats.engine.estimate import estimate

PAPER = Reference(
    "article",
    "Mathet, Y.",
    2017,
    "The agreement measure γcat, a complement to γ focused on categorization of a continuum",
    "Computational Linguistics 43(3), 661-681",
)


@measure(
    "Gamma-cat",
    "γcat",
    PAPER,
    "each document's own annotations, moved at random",
    under_chance=PLACED_ANEW,
    **documents("spans"),
)
def gamma_cat(
    data: IntoAnnotations,
    *others: Values,
    category: str | None = None,
    unaligned: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    categories: IntoDistance | CategoryTable | Categories | None = None,
    order: Sequence[str] | str | None = None,
    sampler: Sampler = "shuffle",
    precision: float = 0.02,
    samples: int | None = None,
    length: str | float | None = None,
    soft: bool = False,
    seed: int = 0,
    limit: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Agreement on the categories of aligned units; with a category, on that one (gamma-k).

    Args:
        category: Look only at pairs with a unit of this category.
        unaligned: Whether unaligned units count too, as in pygamma-agreement.
        alpha: How much positions weigh in the alignment.
        beta: How much categories weigh in the alignment.
        categories: How far apart categories are, as for `gamma`.
        sampler: How chance annotates a document: "shuffle", "statistical" or "uniform", as for `gamma`.
        soft: Whether a unit may be in several clusters.

    Examples:
        >>> print(ia.measures.gamma_cat(ann, bo, kind="spans"))
        γcat = 0.378, 95% interval -19.877 to 1.000 (3 items, 2 annotators)
    """
    documents = UnitDocuments.of(as_annotations(data), who="gamma_cat", length=length, by_text=sampler == "uniform")
    if categories is None or isinstance(categories, Mapping | Categories):
        table = Categories.of(documents, categories, order)
    else:
        table = Categories.of(documents, find(categories), order)
    unlike = Dissimilarity(table.on(documents.labels), alpha, beta, empty)
    place = None if category is None else _place(documents, category)

    def units_of(part: Confusion) -> CategoryUnits:
        return CategoryUnits.of(
            documents,
            part,
            sampler=sampler,
            precision=Precision(precision, samples),
            seed=seed,
            limit=limit,
            categories=None if categories is None else table,
        )

    part = Confusion(unlike, soft, place, unaligned, limit)
    units = units_of(part)
    published = units.published()
    if category is None and documents.documents:
        published = replace(published, details=lambda _: {"by category": _by_category(documents, part, units_of)})
    return estimate(gamma_cat, units, Units.parts, published)


@dataclass(frozen=True, kw_only=True)
class CategoryUnits(Units):
    """Units whose categories are compared."""

    def notes(self) -> tuple[str, ...]:
        """Those of units; and where unaligned ones count, in how many documents none are aligned."""
        notes = super().notes()
        lone = sum(all(len(cluster) == 1 for cluster in one.clusters) for one in self.alignments)
        if not lone or not isinstance(self.part, Confusion) or not self.part.unaligned:
            return notes
        where = "in a document" if lone == 1 else f"in {lone:,} documents"
        note = (
            f"no two units are aligned {where}: counted as different throughout, while pygamma-agreement takes that "
            "for a disorder of 0"
        )
        return (*notes, note)


def _by_category(documents: UnitDocuments, part: Confusion, units_of: Callable[[Confusion], Units]) -> dict[str, float]:
    return {str(label): units_of(replace(part, category=place)).value for place, label in enumerate(documents.labels)}


def _place(documents: UnitDocuments, category: str) -> int:
    if category in documents.labels:
        return documents.labels.index(category)
    known = [label for label in documents.labels if label is not None]
    raise UnknownName(
        f"no unit is of the category {category!r}.{suggestion(category, known)} (there are {listing(known)})"
    )
