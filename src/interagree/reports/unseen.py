"""What a coefficient would be if everybody had looked at everything.

Files of marks often do not say whether somebody looked at a document and marked nothing, or never saw it.  Readers take
one of the two and say so; here the other one is tried, so that the sentence has a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from interagree.data import Annotations
from interagree.errors import Hint, KindError, hints_of

if TYPE_CHECKING:
    from interagree.choose import Choice
    from interagree.results.agreement import Agreement

MOST = 200_000  # annotations that are made up
TIMES = 20  # … and how many for each that there is
EMPTY = ()


def if_all_had_looked(study: Annotations, choice: Choice, result: Agreement) -> str:
    """What the coefficient would then be; empty where nothing was assumed, or where it makes no difference."""
    if result.undefined or study.anonymous or study.occasion is not None or not _is_assumed(study):
        return ""
    missing = len(study.items) * len(study.annotators) - len(study)
    if not 0 < missing <= min(MOST, TIMES * len(study)):
        return ""
    try:
        other = choice.of(_with_empty(study))
    except KindError:
        return ""
    number, others = f"{result.value:.3f}", "undefined" if other.undefined else f"{other.value:.3f}"
    if number == others:
        return ""
    who = "a document without a row of an annotator counts as not looked at"
    return f"{who}; if they looked and marked nothing, {choice.title} would be {others}, not {number}"


def _is_assumed(study: Annotations) -> bool:
    assumed = [step.sentence for step in study.provenance.steps if step.what == "assumed"]
    return any(isinstance(hint, Hint) and hint.option == "looked" for hint in hints_of(*assumed))


def _with_empty(study: Annotations) -> Annotations:
    """The study with an empty value wherever an annotator has none."""
    there = np.zeros((len(study.items), len(study.annotators)), dtype=bool)
    there[study.item, study.annotator] = True
    item, annotator = np.nonzero(~there)
    values = study.values if EMPTY in study.values else (*study.values, EMPTY)
    value = np.full(len(item), values.index(EMPTY))
    rows = np.concatenate([np.arange(len(study)), np.zeros(len(item), dtype=np.intp)])
    # A made-up row has the attributes of a row of its document, whose text it shares.
    first = np.zeros(len(study.items), dtype=np.intp)
    first[study.item[::-1]] = np.arange(len(study))[::-1]
    rows[len(study) :] = first[item]
    attributes = {name: column[rows] for name, column in study.attributes.items()}
    return replace(
        study,
        item=np.concatenate([study.item, item.astype(study.item.dtype)]),
        annotator=np.concatenate([study.annotator, annotator.astype(study.annotator.dtype)]),
        value=np.concatenate([study.value, value.astype(study.value.dtype)]),
        values=values,
        attributes=attributes,
    )
