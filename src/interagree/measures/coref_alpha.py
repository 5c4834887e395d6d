r"""Alpha of coreference: Krippendorff's alpha with the set of mentions that a mention was put with as its label.

$$\alpha = 1 - \frac{\sum_d O_d}{\sum_d E_d}, \qquad
O_d = \sum_{m} \frac{1}{c_m - 1} \sum_{a \ne b} \delta(S_{am}, S_{bm}), \qquad
E_d = \frac{1}{n_d - 1} \sum_{(a, m) \ne (b, l)} \delta(S_{am}, S_{bl})$$

The items are the mentions $m$ of a document $d$.  What annotator $a$ says about one is a set: $S_{am}$, all mentions of
the cluster that they put it into, itself included.  Two sets are compared by a distance $\delta$: MASI by default, or
Jaccard's, Dice's or Passonneau's of 2004.  $c_m$ annotators have a set for the mention, and $n_d$ is the number of sets
that mentions of the document with at least two have.  For one document this is alpha as Passonneau computes it.

**Chance** draws two sets of the same document, as nobody can put a mention with those of another one; a document
counts by its sets.  ``chance="study"`` draws from all documents at once.  Sets of different documents have nothing in
common, so that chance comes to almost nothing the more documents there are, and alpha to plain agreement.

**Mentions that an annotator did not mark**, in a document they looked at, are taken to be alone: their set for it is
the mention itself.  ``unmarked="leave"`` has no annotation there; a mention that one annotator alone marked is then
left out, and stays in the sets of others.

Alpha is undefined where nobody marked a mention, and where everybody put all mentions of every document together.

Passonneau, R. (2004). Computing reliability for coreference annotation. LREC, 1503-1506. MASI: Passonneau, R. (2006),
LREC, 831-836.
"""

from __future__ import annotations

from typing import Literal, Unpack

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import Distance, UnderChance, measure
from interagree.distances import find
from interagree.errors import KindError
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import estimate
from interagree.stats.pairs.clusters import MentionSets, of_mentions_dealt_anew, of_sets

PAPER = Reference(
    "inproceedings",
    "Passonneau, R.",
    2004,
    "Computing reliability for coreference annotation",
    "Proceedings of LREC, 1503-1506",
)


@measure(
    "Alpha of coreference",
    "α",
    PAPER,
    "the clusters of the same document",
    under_chance=UnderChance(
        "not 0: two sets of one mention share that mention, which sets of chance do not, and one of them being part of "
        "the other counts otherwise; from -0.15 with a few large clusters to 0.4 with many small ones",
        of_mentions_dealt_anew,
    ),
    values="clusters",
    identity=True,
)
def coref_alpha(
    data: IntoAnnotations,
    *others: Values,
    distance: str | Distance = "masi",
    unmarked: Literal["singleton", "leave"] = "singleton",
    chance: Literal["document", "study"] = "document",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """Krippendorff's alpha of mentions, each labelled with the set of mentions that it was put with.

    Args:
        distance: How far apart two sets are: "masi", "jaccard", "dice" or "passonneau2004".
        unmarked: What a mention is for an annotator who did not mark it and looked at the document: alone
            ("singleton"), or not annotated ("leave").
        chance: Whether chance draws sets of the same "document" or of the whole "study".

    Examples:
        >>> print(ia.measures.coref_alpha(ann, bo, kind="clusters"))
        α = -0.232 (2 items, 2 annotators)
    """
    if unmarked not in ("singleton", "leave"):
        raise KindError(f"unmarked must be 'singleton' or 'leave', got {unmarked!r}")
    if chance not in ("document", "study"):
        raise KindError(f"chance must be 'document' or 'study', got {chance!r}")
    between_sets = of_sets(find(distance))
    sets = MentionSets.of(as_annotations(data), between_sets, unmarked=unmarked, chance=chance, who="coref_alpha")
    return estimate(coref_alpha, sets, MentionSets.parts)
