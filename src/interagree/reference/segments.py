"""Coefficients of segmentations, place by place.

A segmentation is written as the lengths of its segments, as the types of boundary at each place between two units, or
as {"boundaries": {type: [place, …]}, "length": length}.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, permutations
from typing import Any, Literal, NamedTuple

from interagree.reference.rows import Cells, Number, Rows, cells_of, mean, one_minus, share, total

Places = list[frozenset[Any]]  # the types of boundary at each place for one
Types = Literal["auto", "nominal"]


def places_of(value: Any) -> Places:
    """The types of boundary at each potential boundary; lengths of segments have boundaries of one type."""
    if isinstance(value, dict):
        by_type = value["boundaries"].items()
        return [frozenset(t for t, places in by_type if place in places) for place in range(1, value["length"])]
    if value and not isinstance(value[0], int):
        return [frozenset(types) for types in value]
    ends = set(accumulate(value[:-1]))
    return [frozenset({1} if place in ends else ()) for place in range(1, sum(value))]


def documents_of(rows: Rows) -> Cells:
    """The places of each document by annotator."""
    return {item: {who: places_of(v) for who, v in given.items()} for item, given in cells_of(rows).items()}


def pairs_of(documents: Cells) -> Iterator[tuple[Any, Any, Places, Places]]:
    """Every two annotators of every document, with what they have there."""
    for given in documents.values():
        for a, b in combinations(sorted(given), 2):
            yield a, b, given[a], given[b]


# Windows


def pk(rows: Rows, *, window: int | None = None, against: Any = None) -> Number:
    """1 - P_k, P_k = 1/(N - k) Σ_i [together_r(i, i + k) ≠ together_h(i, i + k)], both directions of all pairs.

    Beeferman, D., Berger, A. & Lafferty, J. (1999). Machine Learning 34(1), 177-210.
    """
    return one_minus(windows_that_differ(documents_of(rows), window, against, counted=False), Fraction(1))


def window_diff(rows: Rows, *, window: int | None = None, against: Any = None, lamprier: bool = False) -> Number:
    """1 - WD, WD = 1/(N - k) Σ_i [b_r(i, i + k) ≠ b_h(i, i + k)], both directions of all pairs.

    Pevzner, L. & Hearst, M. A. (2002). Computational Linguistics 28(1), 19-36.  ``lamprier`` has windows reach over
    both ends: Lamprier, S., Amghar, T., Levrat, B. & Saubion, F. (2007). ICTAI 2007, 19-26.
    """
    differ = windows_that_differ(documents_of(rows), window, against, counted=True, lamprier=lamprier)
    return one_minus(differ, Fraction(1))


def windows_that_differ(
    documents: Cells, window: int | None, against: Any, *, counted: bool, lamprier: bool = False
) -> Number:
    """The mean over documents and pairs of a reference and another of the share of windows that differ."""
    found = []
    for a, b, one, other in pairs_of(documents):
        for who, reference, second in ((a, one, other), (b, other, one)):
            k, n = window or window_of(reference), len(reference) + 1
            if against not in (None, who):
                continue
            if lamprier:
                ends: Places = [frozenset()] * k
                differ = differing([*ends, *reference, *ends], [*ends, *second, *ends], k, counted=counted)
                found.append(Fraction(differ, n + k + 1))
            elif n > k:
                found.append(Fraction(differing(reference, second, k, counted=counted), n - k))
    return mean(found)


def differing(reference: Places, other: Places, k: int, *, counted: bool) -> int:
    """In how many windows of k places the two have not as many boundaries, or not both some or none."""
    differ = 0
    for begin in range(len(reference) + 1 - k):
        one, two = (sum(bool(types) for types in cut[begin : begin + k]) for cut in (reference, other))
        differ += one != two if counted else bool(one) != bool(two)
    return differ


def window_of(reference: Places) -> int:
    """Half the mean segment of the reference, rounded, and at least 2."""
    return max(2, round(Fraction(len(reference) + 1, 2 * (1 + sum(map(bool, reference))))))


# Boundary edits


class BoundaryEdits(NamedTuple):
    """What makes one segmentation of another: |M|, the number of edits |A| + |T| + |S|, and what they cost."""

    matches: int
    edits: int
    cost: Fraction


def edits_of(
    a: Places, b: Places, near: int = 2, *, types: Types = "auto", known: Sequence[Any] = (1,)
) -> BoundaryEdits:
    """Boundaries that match, near misses, substitutions, and what is left: added.

    Near misses are of one type and fewer than ``near`` places apart, the nearest first, then from the left.

    Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. ACL 2013, 1702-1712.
    """
    matches = sum(len(x & y) for x, y in zip(a, b, strict=True))
    alone = [(set(x - y), set(y - x)) for x, y in zip(a, b, strict=True)]
    used: set[tuple[int, Any]] = set()
    near_misses, cost = 0, Fraction(0)
    for far in range(1, near):
        for i in range(len(a) - far):
            j = i + far
            for one, other in ((0, 1), (1, 0)):
                for kind in sorted(alone[i][one] & alone[j][other], key=str):
                    substituted_at_both = all(alone[i]) and all(alone[j])
                    if not substituted_at_both and not {(i, kind), (j, kind)} & used:
                        alone[i][one].discard(kind)
                        alone[j][other].discard(kind)
                        used |= {(i, kind), (j, kind)}
                        near_misses += 1
                        cost += Fraction(far, near)
    added = substituted = 0
    for pair in alone:
        few, many = sorted(pair, key=len)
        added += len(many) - len(few)
        substituted += len(few)
        cost += substitution(few, many, types, known)
    return BoundaryEdits(matches, near_misses + substituted + added, cost + added)


def substitution(few: set[Any], many: set[Any], types: Types, known: Sequence[Any]) -> Fraction:
    """What it costs to put types for others: the least sum of differences over t_max - t_min + 1, or 1 each."""
    if not few or types == "nominal":
        return Fraction(len(few))
    scale = max(known) - min(known) + 1
    return min(
        total(Fraction(abs(x - y), scale) for x, y in zip(few, some, strict=True))
        for some in permutations(many, len(few))
    )


def known_types(documents: Cells) -> list[Any]:
    """All types of boundary of a study."""
    return sorted({t for given in documents.values() for cut in given.values() for types in cut for t in types}) or [1]


def boundary_similarity(rows: Rows, *, near: int = 2, types: Types = "auto") -> Number:
    """B = 1 - (|A| + Σ places(t) / n + w_s) / (|A| + |T| + |S| + |M|), the mean over pairs and documents.

    Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. ACL 2013, 1702-1712.
    """
    documents = documents_of(rows)
    known = known_types(documents)
    found = [edits_of(one, two, near, types=types, known=known) for _, _, one, two in pairs_of(documents)]
    return mean(one_minus(e.cost, Fraction(e.matches + e.edits)) for e in found)


def segmentation_similarity(rows: Rows, *, near: int = 2, types: Types = "auto") -> Number:
    """S = 1 - (|A| + Σ places(t) / n + w_s) / ((N - 1) t), the mean over pairs and documents.

    Fournier, C. & Inkpen, D. (2012). Segmentation similarity and agreement. NAACL-HLT 2012, 152-161.
    """
    documents = documents_of(rows)
    known = known_types(documents)
    return mean(
        one_minus(edits_of(one, two, near, types=types, known=known).cost, Fraction(len(one) * len(known)))
        for _, _, one, two in pairs_of(documents)
    )


# Chance


def pooled(documents: Cells, near: int, types: Types) -> Number:
    """One minus A_a: what edits cost over the boundaries compared, over all pairs and documents."""
    known = known_types(documents)
    found = [edits_of(one, two, near, types=types, known=known) for _, _, one, two in pairs_of(documents)]
    return share(total(e.cost for e in found), sum(e.matches + e.edits for e in found))


def boundary_pi(rows: Rows, *, near: int = 2, types: Types = "auto") -> Number:
    """π* = (A_a - A_e) / (1 - A_e), A_e = (1/n Σ b_da / p_d)², over the segmentations of all pairs.

    Fournier, C. (2013). ACL 2013, 1702-1712; after Fournier, C. & Inkpen, D. (2012). NAACL-HLT 2012, 152-161.
    """
    documents = documents_of(rows)
    types_of_all = len(known_types(documents))  # p_d has a place for each
    compared = [cut for _, _, *both in pairs_of(documents) for cut in both]
    rate = mean(share(sum(map(len, cut)), len(cut) * types_of_all) for cut in compared)
    return one_minus(pooled(documents, near, types), None if rate is None else 1 - rate**2)


def boundary_kappa(rows: Rows, *, near: int = 2, types: Types = "auto") -> Number:
    """κ* = (A_a - A_e) / (1 - A_e), A_e the mean over pairs of annotators of r_a r_a', r_a = Σ_d b_da / Σ_d p_d.

    Fournier, C. (2013). ACL 2013, 1702-1712; after Fournier, C. & Inkpen, D. (2012). NAACL-HLT 2012, 152-161.
    """
    documents = documents_of(rows)
    compared: dict[Any, list[Places]] = {}
    for a, b, one, two in pairs_of(documents):
        compared.setdefault(a, []).append(one)
        compared.setdefault(b, []).append(two)
    types_of_all = len(known_types(documents))  # p_d has a place for each
    rates = [
        Fraction(sum(len(there) for cut in cuts for there in cut), sum(map(len, cuts)) * types_of_all)
        for cuts in compared.values()
    ]
    by_chance = mean(x * y for x, y in combinations(rates, 2))
    return one_minus(pooled(documents, near, types), None if by_chance is None else 1 - by_chance)


def corrected_boundary_similarity(rows: Rows, *, near: int = 2) -> Number:
    """(B - B_e) / (1 - B_e), B = 1 - Σ c / Σ b, B_e = 1 - Σ E[c] / Σ E[b], of boundaries of one type.

    E is the mean over all ways in which both annotators can put as many boundaries as they did.  That chance is not
    in the paper of B: Fournier, C. (2013). ACL 2013, 1702-1712.
    """
    documents = documents_of(rows)
    cost = compared = Fraction(0)
    for _, _, one, two in pairs_of(documents):
        ways = [
            [
                [frozenset({1} if at in chosen else ()) for at in range(len(cut))]
                for chosen in combinations(range(len(cut)), count)
            ]
            for cut, count in ((one, sum(map(bool, one))), (two, sum(map(bool, two))))
        ]
        drawn = [edits_of(a, b, near) for a in ways[0] for b in ways[1]]
        cost += total(e.cost for e in drawn) / len(drawn)
        compared += Fraction(sum(e.matches + e.edits for e in drawn), len(drawn))
    return one_minus(pooled(documents, near, "nominal"), share(cost, compared))
