r"""Unitizing alpha of 1995, alpha_U, for comparison with other programs.

$$\alpha_U = 1 - \frac{\sum_c D_{oc}}{\sum_c D_{ec}}, \qquad
D_{oc} = \frac{1}{m (m - 1) L^2} \sum_{i \ne j} \sum_{g, h} \delta^2(g, h)$$

$$D_{ec} = \frac{\frac{2}{L} \sum_g \Big( \frac{N_c - 1}{3} (2 l_g^3 - 3 l_g^2 + l_g)
+ l_g^2 \sum_{h:\, l_h \ge l_g} (l_h - l_g + 1) \Big)}{m L (m L - 1) - \sum_g l_g (l_g - 1)}$$

$\delta^2$ of two units of category $c$ by different annotators that have something in common is the square of how far
apart they begin plus that of how far apart they end; of a unit that lies in a gap of another annotator, the square of
its length.  In $D_{ec}$, $g$ goes over the $N_c$ units of the category and $h$ over the gaps between them, annotator by
annotator.  $L$ is the length of the continuum.

This is what DKPro Statistics and INCEpTION compute.  Take `u_alpha` instead, or `gamma`.  A worse annotation may
score better here: making a unit longer than it should be may raise what is expected by more than what is observed.
And the authors of the 2016 paper say that it misbehaves with more than two annotators.  The notes of a result say so.

Units of one annotator may overlap if they differ in category; of one category they must not (DKPro then gives numbers
without meaning).  Positions are whole numbers, since expected places are counted.

Documents are laid end to end, and a gap does not reach over the border of a document; $m$ may differ between documents,
each weighing as in alpha.  How long a document is, is settled as for `u_alpha`.

Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology 25, 47-76.
"""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from interagree.arrays import Array
from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import UnderChance, documents, measure
from interagree.errors import DataError
from interagree.references import Reference
from interagree.results.agreement import Agreement, Parts
from interagree.stats.documents.coverage import MarkedDocuments
from interagree.stats.documents.unitized import Unitized
from interagree.stats.engine.estimate import estimate
from interagree.stats.engine.statistic import Published

PAPER = Reference(
    "article",
    "Krippendorff, K.",
    1995,
    "On the reliability of unitizing continuous data",
    "Sociological Methodology 25, 47-76",
)


@measure(
    "Unitizing alpha of 1995",
    "αU",
    PAPER,
    "all ways to place the units and gaps of each category",
    under_chance=UnderChance(
        "from -0.25 to 0.05: the lower the shorter the documents are, and 0 in long ones only", -0.1, margin=0.15
    ),
    **documents("spans"),
    doubling=False,
    aliases=("alpha_u",),
)
def alpha_u_1995(
    data: IntoAnnotations, *others: Values, length: str | float | None = None, **reading: Unpack[ReadingOptions]
) -> Agreement:
    """Krippendorff's older alpha for unitizing, as DKPro Statistics and INCEpTION compute it.

    Examples:
        >>> print(ia.measures.alpha_u_1995(ann, bo, kind="spans"))
        αU = 0.442, 95% interval -10.907 to 0.996 (3 items, 2 annotators)
    """
    documents = MarkedDocuments.of(as_annotations(data), who="alpha_U", length=length)
    if not documents.in_whole_numbers:
        raise DataError(
            "alpha_U counts the places where units could lie, so positions must be whole numbers; count in smaller "
            "pieces, such as milliseconds, or take gamma"
        )
    return estimate(
        alpha_u_1995,
        Unitized.over(documents),
        parts,
        Published(details=_details),
        notes=_notes(documents),
        undefined=_undefined(documents),
    )


def parts(u: Unitized) -> Parts:
    """The mean over categories of what is observed and expected."""
    observed, expected = by_category(u)
    used = max(1, len(np.unique(u.documents.label)))
    return Parts(observed.sum(-1) / used, expected.sum(-1) / used)


def by_category(u: Unitized) -> tuple[Array, Array]:
    """The disagreements of each category."""
    places, long = (np.asarray(one)[..., None] for one in u.places())
    chance = (u.units() - 1) * u.shifts() + u.misses()
    return u.observed() / (places * long), 2 / long * chance / (places * (places - 1) - u.inside())


def _undefined(documents: MarkedDocuments) -> str | None:
    if len(documents.begin):
        return None
    return "nobody marked anything, so there is nothing to compare" if len(documents.item) or documents.silent else None


def _notes(documents: MarkedDocuments) -> list[str]:
    notes = ["alpha_U of 1995 may score a worse annotation better than a good one; take u_alpha or gamma"]
    if documents.people.max(initial=0) > 2:
        notes.append(
            "alpha_U of 1995 misbehaves with more than two annotators (Krippendorff et al. 2016); take u_alpha"
        )
    return notes


def _details(u: Unitized) -> dict[str, object]:
    if _undefined(u.documents) is not None or not len(u.documents.item):
        return {}
    with np.errstate(all="ignore"):
        observed, expected = by_category(u)
        value = np.where(expected > 0, 1 - observed / expected, math.nan)
    return {
        "documents": len(u.documents.item),
        "units": len(u.documents.begin),
        "length": float(u.documents.size.sum()),
        "categories": {
            "" if u.documents.labels[code] is None else u.documents.labels[code]: {
                "observed": float(observed[code]),
                "expected": float(expected[code]),
                "agreement": float(value[code]),
            }
            for code in np.unique(u.documents.label).tolist()
        },
    }
