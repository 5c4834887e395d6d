r"""F of coreference: do annotators put the same mentions together?

$$F = \frac{2 P R}{P + R}, \qquad R = \frac{\sum_d r_d}{\sum_d R_d}, \qquad P = \frac{\sum_d p_d}{\sum_d P_d}$$

An annotator puts the mentions of a document into clusters $k$, and another one into clusters $l$; $n_k$ mentions are in
$k$, and $n_{kl} > 0$ in both $k$ and $l$.  Recall takes the first annotator as the key and precision the second;
numerators and denominators are summed over documents $d$.  F does not depend on which of the two is the key.

| `metric` | counts | numerator of recall | denominator |
|---|---|---|---|
| `"muc"` | links | $\sum_{kl} (n_{kl} - 1)$ | $\sum_k (n_k - 1)$ |
| `"b3"` | mentions | $\sum_{kl} n_{kl}^2 / n_k$ | $\sum_k n_k$ |
| `"ceaf_m"` | mentions | $\max \sum n_{kl}$ over one-to-one matchings | $\sum_k n_k$ |
| `"ceaf_e"` | clusters | $\max \sum 2 n_{kl} / (n_k + n_l)$ likewise | $\sum_k 1$ |
| `"lea"` | links of clusters | $\sum_{kl} n_{kl} (n_{kl} - 1) / (n_k - 1)$ | $\sum_k n_k$ |
| `"conll"` | | the mean F of MUC, B³ and CEAF$_e$ | |

**Clusters of one mention.**  They hold no link, and MUC does not see them.  LEA gives such a cluster one link, that of
the mention with itself, which is found if it is alone for the other annotator too.  B³ and CEAF take it as any other.
``singletons=False`` leaves all of them out beforehand, as corpora do in which only what corefers is marked.

**Mentions that one annotator alone marked.**  ``mentions="given"`` takes the clusters as they are, like the scorer of
CoNLL-2012: such a mention is in the denominators and never in a numerator.  ``"common"`` takes the mentions alone that
both marked, and asks how they were put together.  ``"all"`` puts it into a cluster of its own for the other annotator,
for tasks in which what is alone is not marked.

**Several annotators.**  F of each two over all of their documents, and the mean over pairs.  ``average="pooled"`` sums
over pairs first, each taken both ways round; ``"documents"`` is the mean over documents of the mean F of its pairs.

A document in which nobody marked anything adds nothing.  F is 0 where one of the two marked nothing.  It is undefined
where nobody marked a cluster, and MUC, and the CoNLL mean with it, where nobody put two mentions together.  Chance
plays no part; for that see `coref_alpha`.

Pradhan, S., Luo, X., Recasens, M., Hovy, E., Ng, V. & Strube, M. (2014). Scoring coreference partitions of predicted
mentions: a reference implementation. ACL, 30-35.

MUC: Vilain et al. (1995), MUC-6, 45-52. B³: Bagga & Baldwin (1998), LREC workshop on linguistic coreference, 563-566.
CEAF: Luo (2005), HLT-EMNLP, 25-32. LEA: Moosavi & Strube (2016), ACL, 632-642.
"""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np

from interagree.data import IntoAnnotations, ReadingOptions, Values, as_annotations
from interagree.declare import documents, measure
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.checks import check_choice
from interagree.stats.engine.estimate import estimate
from interagree.stats.pairs.clusters import METRICS, CoreferenceSums, Mentions, cells, swapped
from interagree.stats.pairs.pair_sums import AnnotatorPairs, Average, of_kind

AVERAGES: dict[str, Average] = {"pairs": "pairs", "pooled": "pooled", "documents": "items"}


PAPER = Reference(
    "inproceedings",
    "Pradhan, S., Luo, X., Recasens, M., Hovy, E., Ng, V. & Strube, M.",
    2014,
    "Scoring coreference partitions of predicted mentions: a reference implementation",
    "Proceedings of ACL, 30-35",
)


@measure("F of coreference", "F", PAPER, "none", **documents("clusters", least=0.0), analytic=False)
def coref_f1(
    data: IntoAnnotations,
    *others: Values,
    metric: Literal["conll", "muc", "b3", "ceaf_m", "ceaf_e", "lea"] = "conll",
    mentions: Mentions = "given",
    singletons: bool = True,
    average: Literal["pairs", "pooled", "documents"] = "pairs",
    **reading: Unpack[ReadingOptions],
) -> Agreement:
    """How far annotators put the same mentions of a document into one cluster.

    Args:
        metric: What is counted: "conll" is the mean of "muc", "b3" and "ceaf_e"; "ceaf_m" and "lea" are others.
        mentions: What becomes of a mention that one of two annotators alone marked: "given" counts it against them,
            "common" leaves it out, and "all" has it stand alone for the other.
        singletons: Whether clusters of one mention count.
        average: The mean F of the "pairs" of annotators; F of sums over pairs ("pooled"); or the mean F of "documents".

    Examples:
        >>> print(ia.measures.coref_f1(ann, bo, kind="clusters"))
        F = 0.789, 95% interval 0.000 to 1.000 (2 items, 2 annotators)
    """
    check_choice("metric", metric, tuple(METRICS))
    check_choice("mentions", mentions, ("given", "common", "all"))
    check_choice("average", average, tuple(AVERAGES))
    study, packed = of_kind(as_annotations(data), "clusters", "coref_f1")
    clusters = packed if singletons else packed.linked()
    marked = np.bincount(study.item, np.diff(clusters.start)[study.value], minlength=len(study.items))
    pairs = AnnotatorPairs.of(study)
    sums = CoreferenceSums.of(
        study,
        pairs,
        cells(clusters, pairs, metric, mentions),
        swap=swapped(metric),
        average=AVERAGES[average],
        sizes=marked / np.maximum(np.bincount(study.item, minlength=len(study.items)), 1),
        things="mentions",
        metric=metric,
        mentions=mentions,
    )
    return estimate(coref_f1, sums, CoreferenceSums.parts)
