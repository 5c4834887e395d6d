r"""Attachment: the share of tokens to which annotators gave the same head, relation, or both.

$$A = \frac{\sum_s \sum_{a < b} n_{ab}(s)}{\sum_s \sum_{a < b} n(s)}$$

Every two annotators $a$, $b$ of a sentence $s$ are compared token by token; $n(s)$ is how many tokens it has, and
$n_{ab}(s)$ to how many of them both gave the same.  ``kind="las"`` (labelled attachment)
wants the same head and the same relation, ``"uas"`` (unlabelled) the same head, ``"label"`` the same relation.  All
tokens of all pairs count alike; ``average="pairs"`` is the mean over pairs of annotators, ``"sentences"`` the mean over
sentences, short ones counting as much as long ones.

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

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from interagree.data import as_annotations
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import defaults_of, measure
from interagree.errors import KindError, listing
from interagree.references import Reference
from interagree.results.agreement import Agreement
from interagree.stats.engine.estimate import estimate
from interagree.stats.pairs.attachment import Parses, Tokens, need_labels
from interagree.stats.pairs.pair_sums import PairSums, StudyTables, items_of_pairs
from interagree.tables import Table

AVERAGES: dict[str, Any] = {"tokens": "pooled", "pairs": "pairs", "sentences": "items"}
SHOWN = 20  # confusions that the details list


@measure(
    "Attachment",
    symbol="A",
    reference=Reference(
        "inproceedings",
        "Buchholz, S. & Marsi, E.",
        2006,
        "CoNLL-X shared task on multilingual dependency parsing",
        "Proceedings of CoNLL-X, 149-164",
    ),
    chance="none",
    values="dependencies",
    identity=True,
    range=(0.0, 1.0),
    analytic=False,
)
def attachment(
    data: IntoAnnotations,
    *others: Values,
    kind: Literal["las", "uas", "label"] = "las",
    punctuation: str | Sequence[str] = (),
    average: Literal["tokens", "pairs", "sentences"] = "tokens",
    unequal: Literal["error", "leave"] = "error",
    **reading: Any,  # without the one that is an option of its own
) -> Agreement:
    """The share of tokens to which annotators gave the same head and relation.

    Args:
        data: A study whose values are dependency parses, or anything `Annotations.of` takes: for each sentence and
            annotator a list with [head, relation] for each token, the head of the root being 0.
        kind: "las" compares heads and relations, "uas" heads, "label" relations.
        punctuation: Relations of punctuation; tokens that both annotators gave one of them are left out.
        average: Whether all "tokens" count alike, all "pairs" of annotators, or all "sentences".
        unequal: What is done with a sentence of which two annotators have different numbers of tokens.

    Example:
        >>> import interagree as ia
        >>> ann = [[[2, "det"], [3, "nsubj"], [0, "root"]], [[2, "nsubj"], [0, "root"]]]
        >>> bo = [[[3, "det"], [3, "nsubj"], [0, "root"]], [[2, "nsubj"], [0, "root"]]]
        >>> print(ia.attachment(ann, bo))
        A = 0.800, 95% interval 0.000 to 1.000 (2 items, 2 annotators)
    """
    for name, given, known in (
        ("kind", kind, ("las", "uas", "label")),
        ("average", average, tuple(AVERAGES)),
        ("unequal", unequal, ("error", "leave")),
    ):
        if given not in known:
            raise KindError(f"{name} must be one of {listing(known)}; got {given!r}")
    marks = (punctuation,) if isinstance(punctuation, str) else tuple(punctuation)
    call: dict[str, Any] = {"kind": kind, "punctuation": marks, "average": average, "unequal": unequal}
    parses = Parses.of(as_annotations(data))
    need_labels(parses, kind)
    study = parses.study
    meetings, odd = parses.meetings(unequal)
    tokens = parses.tokens(meetings, parses.codes(marks))
    sums = PairSums.of(study, meetings, tokens.cells(kind), _share, swap=(0, 1), average=AVERAGES[average])

    def by_item() -> Table:
        sizes = np.zeros(len(study.items))
        sizes[study.item] = parses.size[study.value]
        return items_of_pairs(sums, "tokens", sizes)

    usual = defaults_of(attachment)
    return estimate(
        attachment,
        sums,
        PairSums.parts,
        call=call,
        show={**{name: given for name, given in call.items() if given != usual[name]}, "bounded": True},
        undefined=_undefined(sums, odd),
        notes=_notes(odd),
        tables=StudyTables(sums, lambda part: attachment(part, **call).value, by_item),
        more=lambda: _details(tokens, kind, parses),
    )


def _share(sums: Any) -> Any:
    same, count = sums[..., 0], sums[..., 1]
    some = np.real(count) > 0
    return np.where(some, same / np.where(some, count, 1), np.nan)


def _undefined(sums: PairSums, odd: int) -> str | None:
    if odd and not sums.n.items:
        return (
            "no two annotators have the same number of tokens for a sentence, so there is nothing to compare"
        )
    if sums.n.items and not sums.cells[:, 1].any():
        return "there are no tokens to compare"
    return None


def _notes(odd: int) -> list[str]:
    if not odd:
        return []
    times = "once" if odd == 1 else f"{odd:,} times"
    return [f"{times} two annotators had different numbers of tokens for a sentence, left out for these two"]


def _details(tokens: Tokens, kind: str, parses: Parses) -> dict[str, Any]:
    """All three scores over all tokens, each relation's, and which relations were given for one another."""
    count = len(tokens.owner)
    labelled = set(parses.labels) != {None}
    found: dict[str, Any] = {"tokens compared": count}
    for name in ("uas", "las", "label") if labelled else ("uas",):
        found[name] = float(tokens.same(name).mean()) if count else math.nan
    if labelled:
        found["by relation"] = tokens.by_relation(kind)
        found["confused"] = tokens.confused(SHOWN)
    return found
