"""Labels: words, or a few whole numbers that stand for them.

Whole numbers of which there are few may be codes or steps of a scale: they are taken as labels, in doubt unless there
are only two (then an order makes no difference), or somebody declared the values or said whether they are ordered.
Words that look like the steps of a scale (`_graded_words`) are labels without a doubt: reports mention the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from numbers import Real

from interagree.data.values import FEW
from interagree.data.values import numbers as as_numbers
from interagree.kinds._kind import Declared, Design, Evidence, Kind, stored_noise, told_by, written


def _why_not(value: object) -> str | None:
    return None if isinstance(value, str | Real) else f"{value!r} is neither a word nor a number"


def _likely(values: Sequence[object]) -> bool:
    return all(isinstance(value, str | Real) for value in values)


def _evidence(values: Sequence[object], declared: Declared) -> Evidence | None:
    if not len(values):
        return Evidence("not there")
    codes = as_numbers(values)
    if codes is None or len(codes) > FEW:
        return Evidence("words") if _likely(values) else None
    sure = declared.stated or declared.ordered is not None
    scale = len(codes) > 2 and not sure and all(a < b for a, b in pairwise(codes))
    because = f"whole numbers from {min(codes):g} to {max(codes):g}"
    return Evidence(because, "ordered" if scale else None)


def _further(design: Design) -> tuple[str, ...]:
    if design.two:
        return ("cohen_kappa",) if design.complete else ()
    return ("fleiss_kappa",) if design.even else ()


labels = Kind(
    **written("labels", "a word or a number"),
    **told_by(_why_not, _likely, rank=900, certainty="fallback"),
    evidence=_evidence,
    ambiguous=True,
    distance="nominal",
    distances=("nominal",),
    measures=("percent", "alpha:distance=nominal", "ac1"),
    further_measures=_further,
    structured=False,
    noise=stored_noise("labels"),
    consensus="majority_vote",
    view="labels",
    drawn=lambda value, page: page.label(value),
    sentence="",
    group="Labels, numbers and sets",
    examples=("w", "x", "y", "z"),
)
