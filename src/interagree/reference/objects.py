"""Coefficients of complex values: of distances between annotations, of dependency parses, and of coreference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, Literal

from interagree.reference.distances import NAMED
from interagree.reference.labels import alpha, comparable
from interagree.reference.rows import Cells, Number, Rows, cells_of, mean, one_minus, paired, share, total

Far = str | Callable[[Any, Any], Any]
Distances = list[Fraction]

# Distances within items and between them


def distances(rows: Rows, distance: Far = "nominal") -> tuple[Distances, Distances]:
    """Those of two annotators on one item, and those of any two annotations of different items.

    Items with one annotator count nowhere.
    """
    far = NAMED[distance] if isinstance(distance, str) else distance
    kept = list(combinations(comparable(rows), 2))
    within = [Fraction(far(a[2], b[2])) for a, b in kept if a[0] == b[0] and a[1] != b[1]]
    between = [Fraction(far(a[2], b[2])) for a, b in kept if a[0] != b[0]]
    return within, between


def telling(within: Distances, between: Distances) -> bool:
    """Whether there is anything to tell: a pair within an item, and a distance above 0 between items."""
    return bool(within) and any(between)


def auc(rows: Rows, *, distance: Far = "nominal") -> Number:
    """AUC = P(d_e > d_o) + P(d_e = d_o) / 2.

    Braylan, A., Alonso, O. & Lease, M. (2022). Proceedings of the ACM Web Conference.
    """
    within, between = distances(rows, distance)
    if not telling(within, between):
        return None
    return separation(within, between)


def separation(within: Distances, between: Distances) -> Fraction:
    """How often a distance of the second list is above one of the first, half of those that are equal included."""
    halves = sum(2 * (e > o) + (e == o) for o in within for e in between)
    return Fraction(halves, 2 * len(within) * len(between))


def ks(rows: Rows, *, distance: Far = "nominal") -> Number:
    """KS = max_x (P(d_o ≤ x) - P(d_e ≤ x)).

    Braylan, A., Alonso, O. & Lease, M. (2022). Proceedings of the ACM Web Conference.
    """
    within, between = distances(rows, distance)
    if not telling(within, between):
        return None

    def below(some: Distances, x: Fraction) -> Fraction:
        return Fraction(sum(d <= x for d in some), len(some))

    return max(below(within, x) - below(between, x) for x in {*within, *between})


def sigma(rows: Rows, *, distance: Far = "nominal", p: float = 0.05) -> Number:
    """σ = P(F_e(d_o) < p): the share of pairs within items that fewer than p of those between items are as near as.

    Braylan, A., Alonso, O. & Lease, M. (2022). Proceedings of the ACM Web Conference.
    """
    within, between = distances(rows, distance)
    if not telling(within, between):
        return None
    return mean(Fraction(Fraction(sum(e <= o for e in between), len(between)) < Fraction(str(p))) for o in within)


# Dependency parses: for each token its head and its relation


def attachment(
    rows: Rows,
    *,
    kind: Literal["las", "uas", "label"] = "las",
    punctuation: Sequence[str] = (),
    average: Literal["tokens", "pairs", "sentences"] = "tokens",
) -> Number:
    """A = Σ_s Σ_{a<b} n_ab(s) / Σ_s Σ_{a<b} n(s), n_ab(s) the tokens of sentence s to which both gave the same.

    Buchholz, S. & Marsi, E. (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL-X, 149-164.
    """
    tokens: list[tuple[Any, Any, bool]] = []  # sentence, pair of annotators, whether they gave the same
    for item, given in cells_of(rows).items():
        for x, y in combinations(sorted(given), 2):
            for (head, relation), (other, again) in zip(given[x], given[y], strict=True):
                same = {"las": (head, relation) == (other, again), "uas": head == other, "label": relation == again}
                if not (relation in punctuation and again in punctuation):
                    tokens.append((item, (x, y), same[kind]))

    def of(some: list[tuple[Any, Any, bool]]) -> Number:
        return share(sum(same for *_, same in some), len(some))

    if average == "tokens":
        return of(tokens)
    if average == "pairs":
        return mean(of([t for t in tokens if t[1] == pair]) for pair in {t[1] for t in tokens})
    sentences = {t[0]: {u[1] for u in tokens if u[0] == t[0]} for t in tokens}
    return mean(
        mean(of([t for t in tokens if t[:2] == (item, pair)]) for pair in pairs) for item, pairs in sentences.items()
    )


# Coreference: the mentions of a document in clusters

Clusters = list[frozenset[Any]]


def coref_f1(
    rows: Rows,
    *,
    metric: Literal["conll", "muc", "b3", "ceaf_m", "ceaf_e", "lea"] = "conll",
    mentions: Literal["given", "common", "all"] = "given",
    singletons: bool = True,
    average: Literal["pairs", "pooled", "documents"] = "pairs",
) -> Number:
    """F = 2 P R / (P + R), R = Σ_d r_d / Σ_d R_d and P likewise, each of `recall`, summed over documents.

    "conll" is the mean F of MUC, B³ and CEAF_e, and undefined where one of them is.

    Pradhan, S., Luo, X., Recasens, M., Hovy, E., Ng, V. & Strube, M. (2014). ACL, 30-35.
    """
    metrics = ["muc", "b3", "ceaf_e"] if metric == "conll" else [metric]
    sums: list[tuple[Any, Any, list[list[Fraction]]]] = []  # document, pair, for each metric the parts of R and P
    for item, given in cells_of(rows).items():
        for x, y in combinations(sorted(given), 2):
            a, b = ([frozenset(c) for c in given[who] if singletons or len(c) > 1] for who in (x, y))
            a, b = taken(a, b, mentions), taken(b, a, mentions)
            sums.append((item, (x, y), [[*recall(one, a, b), *recall(one, b, a)] for one in metrics]))

    def pooled(some: list[list[list[Fraction]]]) -> Number:
        scores = [f_of(*(total(part) for part in zip(*of_one, strict=True))) for of_one in zip(*some, strict=True)]
        return None if None in scores else mean(scores)

    if average == "pairs":
        return mean(pooled([parts for _, two, parts in sums if two == pair]) for pair in {two for _, two, _ in sums})
    if average == "pooled":
        return pooled([way for *_, parts in sums for way in (parts, [four[2:] + four[:2] for four in parts])])
    return mean(mean(pooled([parts]) for i, _, parts in sums if i == item) for item in {i for i, *_ in sums})


def f_of(r: Fraction, all_r: Fraction, p: Fraction, all_p: Fraction) -> Number:
    """F of two numerators and denominators."""
    if not all_r + all_p:
        return None
    if not r:
        return Fraction(0)
    recall_, precision = r / all_r, p / all_p
    return 2 * precision * recall_ / (precision + recall_)


def taken(key: Clusters, other: Clusters, mentions: str) -> Clusters:
    """The clusters of the key, with what becomes of mentions that one of the two alone marked."""
    mine, yours = (frozenset(m for c in some for m in c) for some in (key, other))
    if mentions == "common":
        return [c & yours for c in key if c & yours]
    return [*key, *(frozenset({m}) for m in yours - mine)] if mentions == "all" else key


def recall(metric: str, key: Clusters, other: Clusters) -> tuple[Fraction, Fraction]:
    """Numerator and denominator of the recall of one document.

    MUC: Vilain et al. (1995), MUC-6, 45-52.  B³: Bagga & Baldwin (1998), LREC workshop on linguistic coreference,
    563-566.  CEAF: Luo (2005), HLT-EMNLP, 25-32.  LEA: Moosavi & Strube (2016), ACL, 632-642.
    """
    of = {m: c for c in other for m in c}
    n = Fraction(sum(map(len, key)))
    if metric == "muc":  # Σ_k (n_k - how many pieces the other makes of k) over Σ_k (n_k - 1)
        pieces = [len({of[m] for m in c if m in of}) + sum(m not in of for m in c) for c in key]
        return Fraction(sum(len(c) - some for c, some in zip(key, pieces, strict=True))), n - len(key)
    if metric == "b3":  # Σ_m |k ∩ l| / n_k over the mentions m, in clusters k and l
        return total(Fraction(len(c & of[m]), len(c)) for c in key for m in c if m in of), n
    if metric == "lea":  # Σ_k n_k · the share of the links of k that are found
        return total(len(c) * links_found(c, of) for c in key), n
    worth: Callable[[frozenset[Any], frozenset[Any]], Fraction] = lambda c, d: Fraction(  # noqa: E731
        len(c & d) if metric == "ceaf_m" else Fraction(2 * len(c & d), len(c) + len(d))
    )
    few, many = sorted((key, other), key=len)
    best = max(total(map(worth, few, chosen)) for chosen in permutations(many, len(few)))
    return best, n if metric == "ceaf_m" else Fraction(len(key))


def links_found(cluster: frozenset[Any], of: dict[Any, frozenset[Any]]) -> Fraction:
    """The share of the links of a cluster that another annotator made; a cluster of one has a link to itself."""
    if len(cluster) == 1:
        (alone,) = cluster
        return Fraction(of.get(alone) == cluster)
    links = list(combinations(cluster, 2))
    return Fraction(sum(m in of and of[m] == of.get(n) for m, n in links), len(links))


def coref_alpha(
    rows: Rows,
    *,
    distance: str = "masi",
    unmarked: Literal["singleton", "leave"] = "singleton",
    chance: Literal["document", "study"] = "document",
) -> Number:
    """α = 1 - Σ_d O_d / Σ_d E_d: alpha of mentions, each labelled with the set of mentions of its cluster.

    Passonneau, R. (2004). Computing reliability for coreference annotation. LREC, 1503-1506.
    """
    documents = paired(cells_of(rows))
    far = NAMED[distance]
    if chance == "study":
        return alpha([row for item in documents for row in mention_sets(documents, item, unmarked)], distance=far)
    seen = drawn = Fraction(0)
    for item in documents:
        by: dict[Any, list[frozenset[Any]]] = {}
        for mention, _, its in mention_sets(documents, item, unmarked):
            by.setdefault(mention, []).append(its)
        sets = [some for some in by.values() if len(some) > 1]
        every = [its for some in sets for its in some]
        seen += total(far(a, b) / (len(some) - 1) for some in sets for a, b in permutations(some, 2))
        drawn += total(far(a, b) / (len(every) - 1) for a, b in permutations(every, 2))
    return one_minus(seen, drawn)


def mention_sets(documents: Cells, item: Any, unmarked: str) -> list[tuple[Any, Any, frozenset[Any]]]:
    """Rows of a document: mention, annotator, and the mentions that the annotator put it with, itself included."""
    mentions = {m for clusters in documents[item].values() for c in clusters for m in c}
    rows: list[tuple[Any, Any, frozenset[Any]]] = []
    for who, clusters in documents[item].items():
        its = {m: frozenset((item, n) for n in c) for c in clusters for m in c}
        if unmarked == "singleton":
            its = {m: frozenset({(item, m)}) for m in mentions} | its
        rows += [((item, m), who, together) for m, together in its.items()]
    return rows
