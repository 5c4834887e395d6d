r"""Gamma: agreement on where units are and on what they are, at once.

$$\gamma = 1 - \frac{\delta_o}{\delta_e}, \qquad
\delta = \min_{\text{alignments}} \frac{1}{\bar x} \sum_{\text{clusters}} \frac{2}{n (n - 1)} \sum_{u, v} d(u, v)$$

Annotators mark units in a continuum, such as a text or a recording, and give each a category.  An alignment puts units
of different annotators together, at most one of each; a cluster costs the mean dissimilarity of its units over all
pairs of the $n$ annotators, an empty unit standing for those who have none in it.  The best alignment makes the
least of it all, and its disorder $\delta_o$ is its cost for each of the $\bar x$ units that an annotator marked on
average.

$$d(u, v) = \Delta \Big( \alpha\, \Big( \frac{|b_u - b_v| + |e_u - e_v|}{(e_u - b_u) + (e_v - b_v)} \Big)^2
+ \beta\, c(u, v) \Big), \qquad d(u, \varnothing) = \Delta$$

for units from $b$ to $e$, and $c$ the distance of their categories, between 0 and 1.  Only differences of positions
count, over lengths: they may be characters, words or seconds, from wherever they are counted.

**Expected disorder.**  $\delta_e$ is the mean disorder of random annotations of the same document.  By default each
simulated annotator takes over what a real annotator marked there, after the document was cut at a random place and
both parts were swapped, at different places for different ones; a unit is not cut in two, and one that covers the whole
document stays.  ``sampler="statistical"`` draws the number of units, their lengths and gaps from normal laws, as
pygamma-agreement does by default.  ``sampler="uniform"`` leaves each annotator their own units, and puts them in any
order at any places inside the document, without new overlaps and none sticking out: that is how annotators mark who
know nothing of each other, and they get 0 however short the documents are.  There are as many draws as a relative error
of `precision` of the expected disorder takes, $N = (1.96\, CV / e)^2$, at least 30 and at most 2,000 for each document.

By the other two samplers independent annotators get 0 in long documents only.  In short ones, cuts that lie apart and
units that stick out make chance look worse than it is; where the length is not given either, it looks better.  A note
says what independent annotators would get in these documents where that is not 0.

**Several documents.**  Each is aligned and simulated by itself.  Gamma is one minus the ratio of the summed disorders,
each document weighing as many units as an annotator marked in it (``weigh="documents"``: all the same).  A document is
as long as from its first unit to its last one, unless ``length=`` says more; where documents are short, and hold a unit
or two, say how long they are, since chance has nowhere else to put them.  A document that one annotator looked at is
left out; an empty list says that an annotator looked and marked nothing, which counts.

The interval is for other documents like these.  With one document alone it is that of sampling chance, and says
nothing of other documents; the details always give that error apart.

Gamma is 1 where all annotations are the same, around 0 where they are as unlike as random ones, and has no lower bound.
It is undefined where chance would have given the same annotations, as with one unit over the whole document.

Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for inter-annotator
agreement measure and alignment. Computational Linguistics 41(3), 437-479.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.distances import IntoDistance, find
from interagree.errors import KindError
from interagree.results.agreement import Agreement
from interagree.stats.documents.continuum import Dissimilarity
from interagree.stats.documents.independent_units import PLACED_ANEW
from interagree.stats.documents.unit_categories import Categories, CategoryTable
from interagree.stats.documents.unit_chance import Precision, Sampler
from interagree.stats.documents.unit_documents import UnitDocuments
from interagree.stats.documents.units import Disorder, Units
from interagree.stats.engine.estimate import estimate


@measure(
    "Gamma",
    "γ",
    "mathet2015",
    "each document's own annotations, moved at random",
    under_chance=PLACED_ANEW,
    **documents("spans"),
)
def gamma(
    data: IntoAnnotations,
    *others: Values,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    categories: IntoDistance | CategoryTable | Categories | None = None,
    order: Sequence[str] | str | None = None,
    sampler: Sampler = "shuffle",
    precision: float = 0.01,
    samples: int | None = None,
    weigh: Literal["units", "documents"] = "units",
    length: str | float | None = None,
    soft: bool = False,
    seed: int = 0,
    limit: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Agreement on units with a place and a category, such as named entities, scenes or gestures.

    Args:
        alpha: How much positions weigh.
        beta: How much categories weigh.
        categories: How far apart categories are: a distance such as "ordinal", "linear" or "levenshtein_chars", a
            function of two labels, a table by names ``{"A": {"B": 0.5}}``, or a square table in the order of the
            categories; by default different is different.  What is not within 1 is divided by its largest value.
        sampler: How chance annotates a document: "shuffle", as in the paper; "statistical", by normal laws; or
            "uniform", which leaves every annotator their units and puts them anywhere in the document.
        weigh: Whether documents count by their units or all the same.
        soft: Whether a unit may be in several clusters (soft gamma of pygamma-agreement).

    Examples:
        >>> print(ia.gamma(ann, bo, kind="spans"))
        γ = 0.697, 95% interval -42.950 to 1.000 (3 items, 2 annotators)
    """
    if weigh not in ("units", "documents"):
        raise KindError(f"weigh must be 'units' or 'documents', got {weigh!r}")
    documents = UnitDocuments.of(as_annotations(data), length=length, by_text=sampler == "uniform")
    if categories is None or isinstance(categories, Mapping | Categories):
        table = Categories.of(documents, categories, order)
    else:
        table = Categories.of(documents, find(categories), order)
    units = Units.of(
        documents,
        Disorder(Dissimilarity(table.on(documents.labels), alpha, beta, empty), soft, weigh, limit),
        sampler=sampler,
        precision=Precision(precision, samples),
        seed=seed,
        limit=limit,
        categories=None if categories is None else table,
    )
    return estimate(gamma, units, Units.parts, units.published())
