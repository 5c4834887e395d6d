"""Coefficients of marked text, position by position, with every pairing and every alignment tried.

A span is (start, end, label), or {"fragments": [[start, end], …], "label": label}; positions are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, Literal

from interagree.reference.rows import Cells, Number, Rows, cells_of, mean, one_minus, share, total

Fits = Callable[[Any, Any], Fraction]


def pieces_of(span: Any) -> list[tuple[int, int]]:
    """Where a span begins and ends, piece by piece."""
    return [(b, e) for b, e in span["fragments"]] if isinstance(span, dict) else [(span[0], span[1])]


def label_of(span: Any) -> Any:
    """The label of a span, or None."""
    return span.get("label") if isinstance(span, dict) else (*span, None)[2]


def covered(span: Any) -> set[int]:
    """The positions that a span covers."""
    return {position for begin, end in pieces_of(span) for position in range(begin, end)}


# Matching


def fit(a: Any, b: Any, match: str = "exact", *, same_label: bool = True) -> Fraction:
    """How well two spans fit, s(a, b), from the positions they cover."""
    if match == "label":
        return Fraction(label_of(a) == label_of(b))
    if match.startswith("semeval_"):  # these say themselves whether labels count
        match = match.removeprefix("semeval_")
        same_label = match in {"strict", "type"}
        match = {"strict": "exact", "type": "overlap"}.get(match, match)
    one, two = covered(a), covered(b)
    both = len(one & two)
    if not both or (same_label and label_of(a) != label_of(b)):
        return Fraction(0)
    jaccard = Fraction(both, len(one | two))
    if match.startswith("iou>="):
        return Fraction(jaccard >= Fraction(match.removeprefix("iou>=")))
    if match.startswith("within:"):
        off = max(abs(min(one) - min(two)), abs(max(one) - max(two)))
        return Fraction(off <= Fraction(match.removeprefix("within:")))
    return {
        "exact": Fraction(one == two),
        "overlap": Fraction(1),
        "jaccard": jaccard,
        "dice": Fraction(2 * both, len(one) + len(two)),
        "partial": Fraction(1 if one == two else Fraction(1, 2)),
    }[match]


def best_pairing(fits: Fits, first: Sequence[Any], second: Sequence[Any]) -> Fraction:
    """The largest sum of s over all ways to pair two lists one to one."""
    few, many = sorted((list(first), list(second)), key=len)
    table = [[fits(a, b) for b in many] for a in few]
    ways = permutations(range(len(many)), len(few))
    return max(total(table[i][j] for i, j in enumerate(way)) for way in ways)


def f1(rows: Rows, fits: Fits, average: str, name_of: Callable[[Any], Any]) -> Number:
    """2 Σ s / (|A| + |B|), pooled ("micro") or as the mean over documents and pairs, over pairs, or over labels."""
    documents = cells_of(rows)
    entries = []  # document, pair of annotators, label, twice what is matched, how much was marked
    for item, given in documents.items():
        for a, b in combinations(sorted(given), 2):
            for label in {name_of(x) for who in (a, b) for x in given[who]} if average == "labels" else [None]:
                lists = [[x for x in given[who] if average != "labels" or name_of(x) == label] for who in (a, b)]
                entries.append((item, (a, b), label, 2 * best_pairing(fits, *lists), sum(map(len, lists))))
    of: dict[str, Callable[[Any], Any]] = {
        "micro": lambda entry: None,  # noqa: ARG005 -- all together
        "documents": lambda entry: entry[:2],
        "pairs": lambda entry: entry[1],
        "labels": lambda entry: entry[2],
    }
    group = of[average]
    parts = {group(entry): [other for other in entries if group(other) == group(entry)] for entry in entries}
    return mean(share(total(one[3] for one in part), sum(one[4] for one in part)) for part in parts.values())


def span_f1(rows: Rows, *, match: str = "exact", same_label: bool = True, average: str = "micro") -> Number:
    """F_1 = 2 Σ_{(a,b) in M} s(a, b) / (|A| + |B|), M the best one-to-one pairing of two annotators' spans.

    Hripcsak, G. & Rothschild, A. S. (2005). Journal of the American Medical Informatics Association 12(3), 296-298.
    """
    return f1(rows, lambda a, b: fit(a, b, match, same_label=same_label), average, label_of)


def relation_f1(
    rows: Rows,
    *,
    match: str = "exact",
    same_label: bool = True,
    argument_labels: bool = True,
    directed: bool = True,
    credit: Literal["product", "mean"] = "product",
    average: str = "micro",
) -> Number:
    """The same of relations: s = [labels alike] · s(head_r, head_q) · s(tail_r, tail_q).

    A relation is (head, tail, label), or {"head": …, "tail": …, "label": …, "directed": false}, which is compared
    both ways round.

    Hripcsak & Rothschild (2005), as above; Taillé, B., Guigue, V., Scoutheeten, G. & Gallinari, P. (2020). EMNLP,
    3689-3701.
    """

    def written_out(r: Any) -> tuple[Any, Any, Any, bool]:
        return (r["head"], r["tail"], r.get("label"), r.get("directed", True)) if isinstance(r, dict) else (*r, True)

    def fits(r: Any, q: Any) -> Fraction:
        (head, tail, label, one), (first, second, other, two) = written_out(r), written_out(q)
        if same_label and label != other:
            return Fraction(0)

        def straight(at_head: Any, at_tail: Any) -> Fraction:
            h = fit(head, at_head, match, same_label=argument_labels)
            t = fit(tail, at_tail, match, same_label=argument_labels)
            return (h * t if credit == "product" else (h + t) / 2) if h and t else Fraction(0)

        found = straight(first, second)
        return found if directed and one and two else max(found, straight(second, first))

    return f1(rows, fits, average, lambda r: written_out(r)[2])


def corrected_span_f1(
    rows: Rows, *, match: str = "exact", same_label: bool = True, length: int | None = None
) -> Number:
    """(F_1 - E[F_1]) / (1 - E[F_1]), E over all cuts of one annotator's spans, and then of the other's.

    At a cut that cuts no span the document is cut in two and its parts are swapped.  That is the chance of gamma:
    Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). Computational Linguistics 41(3), 437-479.
    """
    rows = list(rows)
    seen = span_f1(rows, match=match, same_label=same_label)
    chance = expected_f1(rows, match=match, same_label=same_label, length=length)
    return None if seen is None or chance is None else one_minus(1 - seen, 1 - chance)


def expected_f1(rows: Rows, *, match: str = "exact", same_label: bool = True, length: int | None = None) -> Number:
    """E[F_1] = 1/N Σ_d Σ_{a≠b} 1/|C_da| Σ_{c in C_da} M(c(S_da), S_db), N the spans of all pairs."""

    def fits(a: Any, b: Any) -> Fraction:
        return fit(a, b, match, same_label=same_label)

    matched, marked = Fraction(0), 0
    for given in cells_of(rows).values():
        long = length or max((e for spans in given.values() for s in spans for _, e in pieces_of(s)), default=0)
        for moved, still in permutations(given.values(), 2):
            marked += len(moved)
            matched += mean(best_pairing(fits, cut, still) for cut in swapped(moved, long)) or 0
    return share(matched, marked)


def swapped(spans: Sequence[Any], length: int) -> Iterator[list[Any]]:
    """The spans of a document after each cut that cuts none of them, its two parts swapped."""
    for cut in range(length):
        if not any(b < cut < e for b, e, _ in spans):
            yield [((b - cut) % length, (b - cut) % length + e - b, label) for b, e, label in spans]


# Unitizing: every position has a stretch that it belongs to, and a category

Position = tuple[Any, Any]  # its stretch, and its category; what nobody marked is a stretch of its own, of None


def positions_of(documents: Cells, length: int | None) -> list[list[list[Position]]]:
    """The positions of each document by annotator; a document that one annotator looked at counts nowhere."""
    found: list[list[list[Position]]] = []
    for item, given in documents.items():
        long = length or max((end for spans in given.values() for _, end, _ in spans), default=0)
        if len(given) > 1 and long:
            found.append([])
            for who, spans in given.items():
                positions: list[Position] = [((item, who, place), None) for place in range(long)]
                for begin, end, label in spans:
                    positions[begin:end] = [((item, who, begin, end), label)] * (end - begin)
                found[-1].append(positions)
    return found


def u_alpha(
    rows: Rows, *, variant: Literal["u", "bu", "cu", "ku"] = "u", category: Any = None, length: int | None = None
) -> Number:
    """uα = 1 - D_o / D_e over all pairs of positions: of two annotators at one place, and of different stretches.

    "u" compares categories, *nothing* being one; "bu" whether anything is marked; "cu" categories where two
    annotators both marked something; "ku" the same of one category.

    Krippendorff, K., Mathet, Y., Bouvry, S. & Widlöcher, A. (2016). Quality & Quantity 50(6), 2347-2364.
    """
    documents = positions_of(cells_of(rows), length)
    # the weight of a position at which another annotator is met, the position, the category met
    met = [
        (Fraction(1, len(by) - 1), one, other[1])
        for by in documents
        for mine, yours in permutations(by, 2)
        for one, other in zip(mine, yours, strict=True)
    ]
    if variant == "bu":
        met = [(w, (g, c is not None), k is not None) for w, (g, c), k in met]
    if variant in {"cu", "ku"}:
        met = [(w, (g, c), k) for w, (g, c), k in met if c is not None and k is not None]
    own = [entry for entry in met if variant != "ku" or entry[1][1] == category]
    observed = share(total(w for w, (_, c), k in own if c != k), total(w for w, *_ in own))

    def weighed(some: Iterable[tuple[Fraction, Position, Any]]) -> dict[Position, Fraction]:
        sums: dict[Position, Fraction] = {}
        for w, position, _ in some:
            sums[position] = sums.get(position, Fraction(0)) + w
        return sums

    first, second = weighed(own), weighed(met)
    pairs = [(v * w, c != k) for (g, c), v in first.items() for (h, k), w in second.items() if g != h]
    return one_minus(observed, share(total(w for w, differ in pairs if differ), total(w for w, _ in pairs)))


def alpha_u_1995(rows: Rows, *, length: int | None = None) -> Number:
    """α_U = 1 - Σ_c D_oc / Σ_c D_ec, of L places and m annotators.

    D_oc = Σ_{i≠j} Σ_{g,h} δ² / (m (m - 1) L²)
    D_ec = 2/L Σ_g ((N_c - 1)/3 (2 l³ - 3 l² + l) + l² Σ_{h: l_h ≥ l} (l_h - l + 1)) / (m L (m L - 1) - Σ_g l (l - 1))

    with g the units of the category, l long, and h the gaps between them.  Documents are laid end to end, and no gap
    reaches over their borders.

    Krippendorff, K. (1995). Sociological Methodology 25, 47-76.
    """
    documents: list[tuple[int, list[Any]]] = []  # how long it is, and what each annotator marked there
    for given in cells_of(rows).values():
        long = length or max((end for spans in given.values() for _, end, _ in spans), default=0)
        if len(given) > 1 and long:
            documents.append((long, list(given.values())))
    whole = sum(long for long, _ in documents)  # L
    places = sum(long * len(marked) for long, marked in documents)  # m L
    observed = expected = Fraction(0)
    for category in {label for _, marked in documents for spans in marked for *_, label in spans}:
        units: list[int] = []  # how long each is
        gaps: list[int] = []
        for long, marked in documents:
            own = [sorted((b, e) for b, e, label in spans if label == category) for spans in marked]
            for mine, yours in permutations(own, 2):
                observed += Fraction(unlike(mine, yours), (len(own) - 1) * places * whole)
            for spans in own:
                ends = [0, *(end for span in spans for end in span), long]
                gaps += [end - begin for begin, end in zip(ends[::2], ends[1::2], strict=True)]
                units += [end - begin for begin, end in spans]
        ways = total(
            Fraction(len(units) - 1, 3) * (2 * x**3 - 3 * x**2 + x) + x**2 * sum(g - x + 1 for g in gaps if g >= x)
            for x in units
        )
        expected += Fraction(2, whole) * ways / (places * (places - 1) - sum(x * (x - 1) for x in units))
    return one_minus(observed, expected)


def unlike(mine: Sequence[tuple[int, int]], yours: Sequence[tuple[int, int]]) -> int:
    """Σ δ²: of units that meet, how far both ends are apart; of a unit in a gap of the other, its length; squared."""
    met = [(b, e, c, f) for b, e in mine for c, f in yours if b < f and c < e]
    alone = [(b, e) for b, e in mine if not any(b < f and c < e for c, f in yours)]
    alone += [(c, f) for c, f in yours if not any(b < f and c < e for b, e in mine)]
    return sum((b - c) ** 2 + (e - f) ** 2 for b, e, c, f in met) + sum((e - b) ** 2 for b, e in alone)


# Gamma

Unit = tuple[Any, tuple[Any, Any, Any]]  # its annotator, and where it begins, where it ends and its category
Alignment = list[list[Unit]]


def apart(u: Unit, v: Unit, alpha: Fraction, beta: Fraction, empty: Fraction) -> Fraction:
    """d(u, v) = Δ (α ((|b_u - b_v| + |e_u - e_v|) / (l_u + l_v))² + β [c_u ≠ c_v])."""
    return empty * (alpha * off(u, v) + beta * Fraction(u[1][2] != v[1][2]))


def off(u: Unit, v: Unit) -> Fraction:
    """The square of how far two units are from each other, relative to their lengths."""
    (_, (b, e, _)), (_, (c, f, _)) = u, v
    return (Fraction(abs(b - c) + abs(e - f)) / Fraction(e - b + f - c)) ** 2


def alignments(units: Sequence[Unit]) -> Iterator[Alignment]:
    """All ways to put units into clusters, at most one unit of an annotator in each."""
    if not units:
        yield []
        return
    *others, last = units
    for clusters in alignments(others):
        for k, cluster in enumerate(clusters):
            if last[0] not in {who for who, _ in cluster}:
                yield [*clusters[:k], [*cluster, last], *clusters[k + 1 :]]
        yield [*clusters, [last]]


def cheapest(
    given: dict[Any, Any], alpha: float = 1, beta: float = 1, empty: float = 1
) -> tuple[Fraction, list[Alignment]]:
    """What the best alignments of a document cost, and all of them that have the fewest clusters."""
    units = [(who, unit) for who, own in given.items() for unit in own]
    pairs = len(given) * (len(given) - 1) // 2
    a, b, delta = Fraction(alpha), Fraction(beta), Fraction(empty)

    def cost(cluster: list[Unit]) -> Fraction:
        within = [apart(u, v, a, b, delta) for u, v in combinations(cluster, 2)]
        return (total(within) + delta * (pairs - len(within))) / pairs

    ranked = [((total(map(cost, clusters)), len(clusters)), clusters) for clusters in alignments(units)]
    least = min(rank for rank, _ in ranked)
    return least[0], [clusters for rank, clusters in ranked if rank == least]


def disorder(rows: Rows, *, alpha: float = 1, beta: float = 1, empty: float = 1) -> Number:
    """δ_o: what the best alignments of all documents cost, over the units that an annotator marked on average.

    Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). Computational Linguistics 41(3), 437-479.
    """
    documents = [given for given in cells_of(rows).values() if len(given) > 1]
    costs = total(cheapest(given, alpha, beta, empty)[0] for given in documents)
    return share(costs, total(Fraction(sum(map(len, given.values())), len(given)) for given in documents))


def gamma(rows: Rows, expected: float, *, alpha: float = 1, beta: float = 1, empty: float = 1) -> Number:
    """γ = 1 - δ_o / δ_e.

    The expected disorder is the mean over random annotations and has no formula: take that of a result, as
    ``expected=result.disagreement.expected``.

    Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). Computational Linguistics 41(3), 437-479.
    """
    return one_minus(disorder(rows, alpha=alpha, beta=beta, empty=empty), Fraction(expected))


def confusion(rows: Rows) -> Number:
    """δ_o of γ_cat: Σ_a 1/(n_a - 1) Σ p c over Σ_a 1/(n_a - 1) Σ p, p = max(0, 1 - the positional dissimilarity).

    Of several best alignments it takes the first one.

    Mathet, Y. (2017). Computational Linguistics 43(3), 661-681.
    """
    documents = [given for given in cells_of(rows).values() if len(given) > 1]
    near = [
        (max(Fraction(0), 1 - off(u, v)) / (len(cluster) - 1), u[1][2] != v[1][2])
        for given in documents
        for cluster in cheapest(given)[1][0]
        for u, v in combinations(cluster, 2)
    ]
    return share(total(p for p, differ in near if differ), total(p for p, _ in near))


def gamma_cat(rows: Rows, expected: float) -> Number:
    """γ_cat = 1 - δ_o / δ_e, of the categories of aligned units; the expected disorder as for `gamma`.

    Mathet, Y. (2017). Computational Linguistics 43(3), 661-681.
    """
    return one_minus(confusion(rows), Fraction(expected))
