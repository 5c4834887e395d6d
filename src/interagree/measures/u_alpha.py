r"""Krippendorff's alphas for unitizing (2016).

$$ {}_u\alpha = 1 - \frac{l - \sum_c o_{cc}}{l - \sum_c e_{cc}}, \qquad
o_{ck} = \sum_{i \ne j} \frac{|S_{ic} \cap S_{jk}|}{m - 1}, \qquad
e_{ck} = l\, \frac{l_c\, l_k - [c = k]\, q_c}{l^2 - \sum_c q_c}$$

Annotators mark stretches of documents and give each a category; what an annotator did not mark has the category
*nothing*.  $S_{ic}$ is all that annotator $i$ gave category $c$, so that $o_{ck}$ is the length to which one of the $m$
annotators gave $c$ and another one $k$, and $l_c$ all that has $c$; $l$ is the length of all documents times $m$.

Chance draws two places, of any annotators, that do not belong to one stretch: $q_c$ is the sum of the squared lengths
of the stretches of $c$, and for *nothing*, which has no stretches, the sum of lengths: each place of it stands alone.

The family asks four questions.  ``variant="u"``, as above, is where stretches are and what they are.  ``"bu"`` is where
they are: all categories are one, and yet two stretches that touch are two.  ``"cu"`` is what they are, where two
annotators both marked something:

$$ {}_{cu}\alpha = 1 - \frac{w - \sum_c w_{cc}}{w - \sum_c f_{cc}}, \qquad
f_{ck} = w\, \frac{w_c\, w_k - [c = k]\, r_c}{w^2 - \sum_c r_c}$$

with $w_{ck}$ the $o_{ck}$ of categories other than *nothing*, $w_c$ and $w$ its sums, and $r_c$ the sum of the squares
of what each stretch of $c$ adds to $w_c$.  And ``"ku"`` is the same of one category, ``category=``:

$$ {}_{(k)u}\alpha = 1 - \frac{w_k - w_{kk}}{w_k} \cdot \frac{f_k}{f_k - f_{kk}}$$

With three annotators or more the sources differ on $r_c$, and a note says so with both values.  ``squares="mean"``, as
above, squares what a stretch adds to $w_c$, the mean over the other annotators of what each marked of it: so chance
draws two places of different stretches, each as often as it is observed.  ``squares="each"`` is the mean over the other
annotators of the square of what each marked, as in the program unitized_alpha; it is never smaller, and where it leaves
chance nothing to draw, cu and ku are undefined.  With two annotators both are the same.

cu and ku say nothing of what one annotator alone marked, so their *coverage* belongs to them: $w / l$, and $w_k / l_k$.
The details of every result give all four.

Documents are laid end to end, and no stretch crosses a border: all of the above are sums over documents.  Who did
not look at a document does not count in it, so that $m$ may differ; a document that one annotator alone looked at is
left out.  A document is as long as ``length=`` says, else as its ``text`` (unless the attribute ``positions`` says
that positions count something else than characters) or as many as it has ``tokens`` (where it says "tokens"), else it
reaches from 0 to the furthest end that anybody marked, which is said.  Length matters: places that nobody marked are
agreement.

Stretches of one annotator must not overlap, since every place has one category.  The pieces of a discontinuous span
are stretches of their own.  Positions count characters, words or another smallest piece; if they are seconds, the
values depend a little on the unit of time, through $q$ of *nothing*.

Krippendorff, K., Mathet, Y., Bouvry, S. & Widlöcher, A. (2016). On the reliability of unitizing textual continua:
Further developments. Quality & Quantity 50(6), 2347-2364.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Literal, Unpack

import numpy as np

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import UnderChance, measure
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.references import Reference
from interagree.results.agreement import Agreement, Parts
from interagree.stats.documents.coverage import Coverage, MarkedAnywhere, MarkedDocuments
from interagree.stats.engine.estimate import Estimate, estimate, statistic_behind
from interagree.stats.engine.statistic import Published

Variant = Literal["u", "bu", "cu", "ku"]
Squares = Literal["mean", "each"]
NOTHING = 1e-12


PAPER = Reference(
    "article",
    "Krippendorff, K.; Mathet, Y.; Bouvry, S. & Widlöcher, A.",
    2016,
    "On the reliability of unitizing textual continua: Further developments",
    "Quality & Quantity 50(6), 2347-2364",
)


def of_places_marked_anywhere(result: Agreement) -> float:
    """What annotators get who mark as much of each category as these, anywhere."""
    coverage = statistic_behind(result, Coverage)
    if coverage is None or not isinstance(result.engine, Estimate):
        return math.nan
    anywhere = MarkedAnywhere(**{one.name: getattr(coverage, one.name) for one in fields(coverage)})
    return float(result.engine.values_of(anywhere))


@measure(
    "Unitizing alpha",
    "uα",
    PAPER,
    "places of all documents that do not belong to one stretch",
    under_chance=UnderChance(
        "0; up to 0.03 in documents not much longer than a unit, whose ends are marked less often than their middle; "
        "less where annotators mark different shares of the documents",
        habits=of_places_marked_anywhere,
        margin=0.03,
    ),
    values="spans",
    identity=True,
    doubling=False,
    aliases=("alpha_u", "unitizing_alpha"),
    named=("variant",),
)
def u_alpha(
    data: IntoAnnotations,
    *others: Values,
    variant: Variant = "u",
    category: str | None = None,
    length: str | float | None = None,
    squares: Squares = "mean",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Agreement on stretches of text or time and on their categories, place by place.

    Args:
        variant: "u" for places and categories, "bu" for places, "cu" for categories where two annotators both marked
            something, "ku" for one category there.
        category: The category that "ku" is about.
        squares: What chance must not draw in "cu" and "ku", where three annotators or more looked at a document: the
            square of the "mean" of what others marked of a stretch, or the mean of the square of "each".

    Examples:
        >>> print(ia.measures.u_alpha(ann, bo, kind="spans"))
        uα = 0.724, 95% interval -0.536 to 0.985 (3 items, 2 annotators)
    """
    if variant not in ("u", "bu", "cu", "ku"):
        raise KindError(f"variant must be 'u', 'bu', 'cu' or 'ku', got {variant!r}")
    if category is not None and variant != "ku":
        raise KindError(f"category= belongs to variant='ku', and variant is {variant!r}")
    if squares not in ("mean", "each"):
        raise KindError(f"squares must be 'mean' or 'each', got {squares!r}")
    documents = MarkedDocuments.of(as_annotations(data), who="unitizing alpha", length=length)
    coverage = Coverage.over(documents)
    return estimate(
        u_alpha,
        coverage,
        _parts_of(variant, documents, category, squares),
        Published(details=lambda c: _details(c, squares)),
        notes=_notes(coverage, variant, category, squares),
        undefined=_undefined(coverage, variant, category, squares),
    )


def of_all(c: Coverage) -> Parts:
    """Places and categories."""
    places, marked, squares, met, _, same = c.totals()
    nothing = places - marked
    return Parts(
        (2 * marked - met - same) / places,
        (places**2 - nothing**2 - (c.marked() ** 2).sum(-1)) / (places**2 - squares - nothing),
    )


def of_places(c: Coverage) -> Parts:
    """Marked or not."""
    places, marked, squares, met, *_ = c.totals()
    nothing = places - marked
    return Parts(2 * (marked - met) / places, 2 * marked * nothing / (places**2 - squares - nothing))


def of_categories(c: Coverage, squares: Squares = "mean") -> Parts:
    """Categories of what two marked."""
    *_, met, own, same = c.totals()
    own = own if squares == "mean" else c.squared()
    return Parts(1 - same / met, (met**2 - (c.met() ** 2).sum(-1)) / (met**2 - own))


def of_category(c: Coverage, code: int, squares: Squares = "mean") -> Parts:
    """One category, in what two marked."""
    met, mine, own, same = c.of_category(code)
    own = own if squares == "mean" else c.squared(code)
    return Parts(1 - same / mine, mine * (met - mine) / (mine * met - own))


def _parts_of(
    variant: Variant, documents: MarkedDocuments, category: str | None, squares: Squares
) -> Callable[[Coverage], Parts]:
    if variant == "ku":
        code = _code(documents, category)
        return lambda c: of_category(c, code, squares)
    if variant == "cu":
        return lambda c: of_categories(c, squares)
    return of_all if variant == "u" else of_places


def _code(documents: MarkedDocuments, category: str | None) -> int:
    known = [name for name in documents.labels if name is not None]
    if category is None:
        raise KindError(
            "variant='ku' is about one category; name it with category="
            + (f", one of {listing(known)}" if known else "")
        )
    if category not in known:
        raise UnknownName(
            f"nobody marked a category {category!r}; the categories are {listing(known)}."
            + suggestion(str(category), known)
        )
    return documents.labels.index(category)


def _undefined(c: Coverage, variant: Variant, category: str | None, squares: Squares) -> str | None:
    """Why there is no number, where documents were looked at by several annotators."""
    documents = c.documents
    if not len(documents.item):
        return "nobody marked anything, so there is nothing to compare" if documents.silent else None
    places, marked, _, met, *_ = c.totals()
    if not marked:
        return "nobody marked anything, so there is nothing to compare"
    if variant == "bu" and marked == places:
        return "every annotator marked every place, so that chance could not have disagreed on where to mark"
    if variant == "u" and marked == places and np.count_nonzero(c.marked()) == 1:
        return "every annotator gave every place the same category, so chance could not have disagreed"
    if variant in ("u", "bu"):
        return None
    if not met:
        return "no two annotators marked the same place, so there are no categories to compare"
    if category is not None:
        _, mine, *_ = c.of_category(_code(documents, category))
        if not mine:
            return f"nothing that two annotators marked is {category!r}, so there is nothing to compare"
    if np.count_nonzero(c.met()) == 1:
        return "all that two annotators marked has one category, so chance could not have disagreed"
    return _nothing_to_draw(c, category) if squares == "each" else None


def _nothing_to_draw(c: Coverage, category: str | None) -> str | None:
    """Whether the squares of each annotator leave chance nothing."""
    if category is None:
        *_, met, _, _ = c.totals()
        left, all_of_it = met**2 - c.squared(), met**2
    else:
        code = _code(c.documents, category)
        met, mine, *_ = c.of_category(code)
        left, all_of_it = met * mine - c.squared(code), met * mine
    if left > NOTHING * all_of_it:
        return None
    return "the squares of each annotator leave chance nothing to draw; squares='mean' does not"


def _notes(c: Coverage, variant: Variant, category: str | None, squares: Squares) -> list[str]:
    notes = []
    if not c.documents.in_whole_numbers:
        notes.append(
            "positions are not whole numbers, so that the value depends a little on the unit they are given in"
        )
    if variant in ("cu", "ku") and len(c.documents.item):
        of = "all places" if category is None else f"all that is {category!r}"
        share = _coverage(c) if category is None else _covered(c, _code(c.documents, category))
        if not math.isnan(share):
            notes.append(f"what two annotators marked is {share:.1%} of {of}; the rest does not count")
        if c.documents.several and _undefined(c, variant, category, "mean") is None:
            notes.append(_both(c, variant, category, squares))
    return notes


def _both(c: Coverage, variant: Variant, category: str | None, squares: Squares) -> str:
    """That sources differ, and what comes of it."""
    results = []
    ways: tuple[Squares, ...] = ("mean", "each")
    for way in ways:
        if _undefined(c, variant, category, way) is None:
            value = f"{_value(_parts_of(variant, c.documents, category, way)(c)):.3f}"
        else:
            value = "undefined"
        results.append(f"{value} with squares='{way}'{' (this one)' if way == squares else ''}")
    return f"with three annotators or more sources differ on chance: {', '.join(results)}"


def _coverage(c: Coverage) -> float:
    """The share of all places that two annotators marked."""
    places, _, _, met, *_ = c.totals()
    return float(met / places)


def _covered(c: Coverage, code: int) -> float:
    """The share of what has a category that others marked, too."""
    marked = float(c.marked()[code])
    return float(c.met()[code]) / marked if marked else math.nan


def _details(c: Coverage, squares: Squares) -> dict[str, object]:
    documents = c.documents
    if not len(documents.item):
        return {}
    used = [(code, name) for code, name in enumerate(documents.labels) if c.marked()[code] > 0]
    return {
        "documents": len(documents.item),
        "units": len(documents.begin),
        "length": float(documents.size.sum()),
        "u": _value(of_all(c)) if _undefined(c, "u", None, squares) is None else math.nan,
        "bu": _value(of_places(c)) if _undefined(c, "bu", None, squares) is None else math.nan,
        "cu": _value(of_categories(c, squares)) if _undefined(c, "cu", None, squares) is None else math.nan,
        "coverage": _coverage(c),
        "ku": {
            "" if name is None else name: {
                "agreement": _value(of_category(c, code, squares))
                if _undefined(c, "ku", name, squares) is None
                else math.nan,
                "coverage": _covered(c, code),
            }
            for code, name in used
        },
    }


def _value(parts: Parts) -> float:
    return float(1 - parts.observed / parts.expected)
