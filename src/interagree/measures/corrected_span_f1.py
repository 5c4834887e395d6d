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

import math
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import ReadingOptions, as_annotations
from interagree.declare import defaults_of, measure
from interagree.errors import DataError, KindError
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents import lengths as extents
from interagree.stats.documents.continuum import is_finite
from interagree.stats.documents.credit import Credit, CreditTables
from interagree.stats.documents.span_chance import Chance, by_chance
from interagree.stats.documents.span_credit import credit
from interagree.stats.documents.span_matching import Match
from interagree.stats.documents.span_pairs import SpanPairs
from interagree.stats.engine.estimate import estimate

NOTHING = 1e-12


@measure(
    "Chance-corrected span F1",
    symbol="F1 beyond chance",
    reference=Reference(
        "article",
        "Mathet, Y., Widlöcher, A. & Métivier, J.-P.",
        2015,
        "The unified and holistic method gamma (γ) for inter-annotator agreement measure and alignment",
        "Computational Linguistics 41(3), 437-479",
    ),
    chance="each document's own spans, moved at random",
    values="spans",
    identity=True,
    range=(-math.inf, 1.0),
)
def corrected_span_f1(
    data: Any,
    *others: Any,
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
        data: A study whose values are spans, or anything `Annotations.of` takes.
        match: How two spans are compared, as for `span_f1`.
        same_label: Whether spans of different labels never fit.
        length: How long documents are, or the name of the attribute that says so.
        precision: The standard error that is wanted of the expected F1.
        samples: How many draws are made where chance is drawn, whatever their error.
        seed: Where the random numbers start.

    Example:
        >>> import interagree as ia
        >>> ann = [[[0, 3, "PER"], [10, 16, "LOC"]], [[4, 9, "PER"]], [[7, 11, "LOC"]]]
        >>> bo = [[[0, 3, "PER"], [10, 18, "LOC"]], [[4, 9, "ORG"]], [[7, 11, "LOC"]]]
        >>> print(ia.corrected_span_f1(ann, bo, kind="spans"))
        F1 beyond chance = 0.470, 95% interval -0.452 to 1.000 (3 items, 2 annotators)
    """
    if not (is_finite(precision) and precision > 0):
        raise KindError(f"precision is a standard error above 0, got {precision!r}")
    if samples is not None and not (is_finite(samples) and samples == int(samples) >= 1):
        raise KindError(f"samples is a number of draws from 1 up, got {samples!r}")
    if not (is_finite(seed) and seed == int(seed) and 0 <= seed < 2**63):
        raise KindError(f"seed is a whole number from 0 up to 2**63, got {seed!r}")
    how = Match.of(match, same_label=same_label)
    if how.way == "label":
        raise KindError(
            "match='label' does not look where spans are, so moving them cannot change it; take span_f1"
        )
    marks = SpanPairs.of(as_annotations(data), who="corrected_span_f1")
    long, assumed = _long(marks, length)
    chance = by_chance(
        marks,
        how,
        long,
        precision=precision,
        samples=None if samples is None else int(samples),
        seed=int(seed),
    )
    plain = credit(marks, how)
    found = Credit.of(
        plain.source,
        plain.item,
        plain.first,
        plain.second,
        plain.hit,
        plain.size,
        plain.find_labels,
        chance=chance.hits,
    )
    call: dict[str, Any] = {
        "match": match,
        "same_label": same_label,
        "length": length,
        "precision": precision,
    }
    call |= {"samples": samples, "seed": seed}
    usual = defaults_of(corrected_span_f1)
    show = {name: value for name, value in call.items() if value != usual[name]}
    return estimate(
        corrected_span_f1,
        found,
        Credit.parts,
        call=call,
        show={"match": match, **show, "bounded": True},
        undefined=found.undefined or _same_by_chance(found),
        notes=_notes(found, chance, seed, assumed),
        tables=CreditTables(found, again=lambda study: corrected_span_f1(study, **call).value),
        more=lambda: _details(found, chance),
    )


def _long(marks: SpanPairs, length: str | float | None) -> tuple[Floats, int]:
    """How long the document of each pair is, and of how many documents that is only assumed."""
    study = marks.study
    before = np.flatnonzero(marks.spans.begin < 0)
    if len(before):
        where = study.whose(int(marks.spans.owner[before[0]]))
        raise DataError(
            f"spans are moved around documents that begin at 0, and one begins before it, in {where}"
        )
    told = extents.known(study, length)
    reach = np.zeros(len(study.items))
    ends = np.zeros(len(study.values))
    np.maximum.at(ends, marks.spans.owner, marks.spans.end)
    np.maximum.at(reach, study.item, ends[study.value])
    short = np.flatnonzero(told < reach)
    if len(short):
        first = int(short[0])
        raise DataError(
            f"document {study.items[first]!r} is {told[first]:g} long, and somebody marked up to {reach[first]:g}; "
            "give the length in what positions count, such as characters or tokens"
        )
    there = np.unique(marks.item)
    assumed = int(np.count_nonzero(np.isnan(told[there])))
    long = np.where(np.isnan(told), np.maximum(reach, 1.0), told)
    return long[marks.item], assumed


def _same_by_chance(found: Credit) -> str | None:
    sums = np.asarray(found.weights.sum(found.features))
    if len(found.features) and sums[2] >= sums[1] * (1 - NOTHING):
        return (
            "moving spans around their documents changes nothing, as when every span covers its whole document, so "
            "there is nothing to compare with; length= says how long documents are"
        )
    return None


def _notes(found: Credit, chance: Chance, seed: int, assumed: int) -> tuple[str, ...]:
    if not len(found.hit):
        return ()
    said = []
    if chance.draws:
        often = "once" if chance.draws == 1 else f"{chance.draws} times"
        said.append(f"chance was drawn {often} (seed {seed})")
    if assumed:
        which = "1 document is" if assumed == 1 else f"{assumed:,} documents are"
        said.append(
            f"{which} taken to end where the last span does, which makes chance look too good; length= says how long "
            "documents are"
        )
    return tuple(said)


def _details(found: Credit, chance: Chance) -> dict[str, Any]:
    plain = replace(found, chance=None)
    with np.errstate(all="ignore"):
        f1 = 1 - float(plain.parts().observed) if len(found.features) else math.nan
        sums = np.asarray(found.weights.sum(found.features))
        expected = float(sums[2] / sums[1]) if len(found.features) else math.nan
    return {
        "F1": f1,
        "expected F1": expected,
        "draws": chance.draws,
        "error of the expected F1": chance.error,
    }
