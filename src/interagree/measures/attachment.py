r"""Attachment: the share of tokens to which annotators gave the same head, relation, or both.

$$A = \frac{\sum_s \sum_{a < b} n_{ab}(s)}{\sum_s \sum_{a < b} n(s)}$$

Every two annotators $a$, $b$ of a sentence $s$ are compared token by token; $n(s)$ is how many tokens it has, and
$n_{ab}(s)$ to how many of them both gave the same.  ``kind="las"`` (labelled attachment)
wants the same head and the same relation, ``"uas"`` (unlabelled) the same head, ``"label"`` the same relation.
Tokens of all pairs count equally; ``average="pairs"`` is the mean over pairs of annotators, ``"sentences"`` the mean
over sentences, short ones counting as much as long ones.

``punctuation=`` names the relations of punctuation, such as ``"punct"``: a token that both annotators gave one of them
is left out.  Where one did and the other did not they disagree, and it stays.

Annotators must have the same tokens; where the numbers of tokens of a sentence differ the error names it, and
``unequal="leave"`` leaves out that sentence for those two.  That tokens are the same, and not merely as many, is not
checked: parses do not hold them.

Chance plays no part.  Chance-corrected agreement on trees is alpha with such a distance, ``alpha(data,
distance="las")``, which compares sentences with other sentences.

Buchholz, S. & Marsi, E. (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from interagree.data import IntoAnnotations, Values, as_annotations
from interagree.declare import documents, measure
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.documents.checks import check_choice
from interagree.stats.engine.estimate import estimate
from interagree.stats.pairs.attachment import AttachmentSums, Parses, Score, need_labels
from interagree.stats.pairs.pair_sums import Average

AVERAGES: dict[str, Average] = {"tokens": "pooled", "pairs": "pairs", "sentences": "items"}


PAPER = Reference(
    "inproceedings",
    "Buchholz, S. & Marsi, E.",
    2006,
    "CoNLL-X shared task on multilingual dependency parsing",
    "Proceedings of CoNLL-X, 149-164",
)


@measure("Attachment", "A", PAPER, "none", **documents("dependencies", least=0.0), analytic=False)
def attachment(
    data: IntoAnnotations,
    *others: Values,
    kind: Score = "las",
    punctuation: str | Sequence[str] = (),
    average: Literal["tokens", "pairs", "sentences"] = "tokens",
    unequal: Literal["error", "leave"] = "error",
    **reading: object,  # without the one that is an option of its own
) -> Agreement:
    """The share of tokens to which annotators gave the same head and relation.

    Args:
        data: A study whose values are dependency parses, or anything `Annotations.of` takes: for each sentence and
            annotator a list with [head, relation] for each token, the head of the root being 0.
        kind: "las" compares heads and relations, "uas" heads, "label" relations.
        punctuation: Relations of punctuation; tokens that both annotators gave one of them are left out.
        average: Whether all "tokens" count equally, all "pairs" of annotators, or all "sentences".
        unequal: What is done with a sentence of which two annotators have different numbers of tokens.

    Examples:
        >>> import interagree as ia
        >>> ann = [[[2, "det"], [3, "nsubj"], [0, "root"]], [[2, "nsubj"], [0, "root"]]]
        >>> bo = [[[3, "det"], [3, "nsubj"], [0, "root"]], [[2, "nsubj"], [0, "root"]]]
        >>> print(ia.measures.attachment(ann, bo))
        A = 0.800, 95% interval 0.000 to 1.000 (2 items, 2 annotators)
    """
    check_choice("kind", kind, ("las", "uas", "label"))
    check_choice("average", average, tuple(AVERAGES))
    check_choice("unequal", unequal, ("error", "leave"))
    left_out = (punctuation,) if isinstance(punctuation, str) else tuple(punctuation)
    parses = Parses.of(as_annotations(data))
    need_labels(parses, kind)
    study = parses.study
    sizes = np.zeros(len(study.items))
    sizes[study.item] = parses.size[study.value]
    pairs, odd = parses.pairs(unequal)
    tokens = parses.tokens(pairs, parses.codes(left_out))
    sums = AttachmentSums.of(
        study,
        pairs,
        tokens.cells(kind),
        swap=(0, 1),
        average=AVERAGES[average],
        sizes=sizes,
        things="tokens",
        tokens=tokens,
        kind=kind,
        odd=odd,
        punctuation=left_out,
    )
    return estimate(attachment, sums, AttachmentSums.parts)
