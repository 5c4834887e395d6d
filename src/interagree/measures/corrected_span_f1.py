r"""Chance-corrected span F1: span F1 beyond what annotators would share who mark as much, elsewhere.

$$\frac{F_1 - E[F_1]}{1 - E[F_1]}$$

$F_1$ is `span_f1`, pooled over documents and pairs of annotators.  Its expectation is that of the same annotations with
those of one annotator moved around the document: it is cut at a place where no span of theirs is cut, and its two parts
are swapped.  Spans keep their number, lengths, labels and order, none reaches past the end, and only where they are
is left to chance.  So this says how much annotators agree about *where* something is to be marked, given how much and
what they mark.  Annotators who mark nearly everything agree by chance; those who mark a few words of a long text do
not, and the corrected value is then close to $F_1$ itself.

**The expectation** is the mean over all cuts, of one annotator and then of the other:

$$E[F_1] = \frac{1}{N} \sum_{d} \sum_{a \ne a'} \frac{1}{|C_{da}|} \sum_{c \in C_{da}} M(c(S_{da}), S_{da'})$$

with $S_{da}$ the spans of annotator $a$ in document $d$, $C_{da}$ the places where it can be cut, $c(S)$ spans moved
by a cut, $M$ what is matched, and $N$ the spans of all pairs of annotations.  Two spans of one length meet at one cut,
so that this is counted exactly for ``match="exact"``.  Other ways to compare go through all cuts where those are few;
else cuts are drawn, document by document, until the standard error of the expected $F_1$ is below `precision`, 200
times at most.  The details say how often, and with what error.

**Annotators who mark at random get 0**: whoever puts spans anywhere in a document with the same probability, side by
side or overlapping, has each of the arrangements that cuts give with the same probability.  That holds for short
sentences and long spans as well.  It does not hold for annotators who independently prefer the same places, such as the
beginnings of documents: they agree on that.

Each document is compared with its own chance.  It is as long as its text or its tokens, where the study has them, as
``length=`` says, or else up to where the last span ends, which makes it too short and chance too likely; the notes
say so.  Positions lie on a grid as fine as they are written, to four decimals.

It is 1 where all annotations are the same, around 0 where they are as unlike as moved ones, and undefined where
moving changes nothing, as with one span over a whole document.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.errors import DataError, KindError
from interagree.results.agreement import Agreement
from interagree.stats.documents import lengths as extents
from interagree.stats.documents.checks import check_draws, is_finite
from interagree.stats.documents.credit import Credit
from interagree.stats.documents.span_chance import by_chance
from interagree.stats.documents.span_credit import CorrectedCredit
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.estimate import estimate


@measure(
    "Chance-corrected span F1",
    "F1 beyond chance",
    "mathet2015",
    "each document's own spans, moved at random",
    **documents("spans"),
    named=("match",),
)
def corrected_span_f1(
    data: IntoAnnotations,
    *others: Values,
    match: str = "exact",
    same_label: bool = True,
    length: str | float | None = None,
    precision: float = 0.002,
    samples: int | None = None,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Span F1 beyond what would be shared if annotators marked as much, elsewhere.

    Args:
        match: How two spans are compared, as for `span_f1`.
        precision: The standard error that is wanted of the expected F1.
        samples: How many draws are made where chance is drawn, whatever their error.

    Examples:
        >>> print(ia.measures.corrected_span_f1(ann, bo, kind="spans"))
        F1 beyond chance = 0.470, 95% interval -1.484 to 0.887 (3 items, 2 annotators)
    """
    check_draws(precision, seed)
    if samples is not None and not (is_finite(samples) and samples == int(samples) >= 1):
        raise KindError(f"samples is a number of draws from 1 up, got {samples!r}")
    how = Match.of(match, same_label=same_label)
    if how.way == "label":
        raise KindError("match='label' does not look where spans are, so moving them cannot change it; take span_f1")
    pairs = SpanPairs.of(as_annotations(data), who="corrected_span_f1")
    lengths, assumed = _lengths(pairs, length)
    draws = None if samples is None else int(samples)
    chance = by_chance(pairs, how, lengths, precision=precision, samples=draws, seed=int(seed))
    credit = CorrectedCredit.of(pairs, how, chance=chance.hits, drawn=chance, seed=seed, assumed=assumed)
    return estimate(corrected_span_f1, credit, Credit.parts)


def _lengths(pairs: SpanPairs, length: str | float | None) -> tuple[Floats, int]:
    """How long the document of each pair is, and of how many documents that is only assumed."""
    study = pairs.study
    before = np.flatnonzero(pairs.spans.begin < 0)
    if len(before):
        where = study.whose(int(pairs.spans.owner[before[0]]))
        raise DataError(f"spans are moved around documents that begin at 0, and one begins before it, in {where}")
    reach = np.zeros(len(study.items))
    ends = np.zeros(len(study.values))
    np.maximum.at(ends, pairs.spans.owner, pairs.spans.end)
    np.maximum.at(reach, study.item, ends[study.value])
    known = extents.reaching(study, length, reach)
    there = np.unique(pairs.item)
    assumed = int(np.count_nonzero(np.isnan(known[there])))
    long = np.where(np.isnan(known), np.maximum(reach, 1.0), known)
    return long[pairs.item], assumed
