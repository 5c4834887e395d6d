"""Coefficients of labels: one minus what is observed of disagreement over what chance would give, in fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, Literal, Unpack

from interagree.reference.distances import Distance, ScaleOptions, distance_on, nominal, values_of
from interagree.reference.rows import (
    Cells,
    Number,
    Rows,
    all_values,
    annotators_of,
    cells_of,
    mean,
    one_minus,
    only,
    paired,
    share,
    total,
)

Shares = dict[Any, Fraction]

# What is observed, and what chance is


def observed(cells: Cells, distance: Distance) -> Number:
    """The mean over items of the mean distance of two annotations of the item."""
    return mean(mean(distance(a, b) for a, b in permutations(given.values(), 2)) for given in cells.values())


def drawn(distance: Distance, first: Shares, second: Shares) -> Fraction:
    """The mean distance of two values, each drawn from shares of its own."""
    return total(p * q * distance(a, b) for a, p in first.items() for b, q in second.items())


def shares(values: Iterable[Any]) -> Shares:
    """How much of some values each value is."""
    given = list(values)
    return {value: Fraction(given.count(value), len(given)) for value in dict.fromkeys(given)}


def shares_of_items(cells: Cells) -> Shares:
    """The mean over items of the share of each value in the item."""
    found: Shares = {}
    for given in cells.values():
        for value, part in shares(given.values()).items():
            found[value] = found.get(value, Fraction(0)) + part / len(cells)
    return found


def one_urn(cells: Cells, distance: Distance) -> Fraction:
    """Chance draws twice from the shares of all items."""
    p = shares_of_items(cells)
    return drawn(distance, p, p)


def own_urns(cells: Cells, distance: Distance) -> Number:
    """Chance draws for each of two annotators from what they gave themselves, over all pairs of annotators."""
    urns = [shares(only(cells, who)[item][who] for item in only(cells, who)) for who in annotators_of(cells)]
    return mean(drawn(distance, p, q) for p, q in permutations(urns, 2))


def even(values: Sequence[Any], distance: Distance) -> Number:
    """Chance draws twice from all declared values alike."""
    return mean(distance(a, b) for a in values for b in values)


def guessing(cells: Cells, values: Sequence[Any], distance: Distance) -> Number:
    """1 - P_e with P_e = Σ w_kl / (q (q - 1)) · Σ π_k (1 - π_k); None for one value."""
    q = len(values)
    if q < 2:
        return None
    weights = total(1 - distance(a, b) for a in values for b in values)
    return 1 - weights / (q * (q - 1)) * total(p * (1 - p) for p in shares_of_items(cells).values())


# Any number of annotators


def percent(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """P_o = 1/N Σ_i 1/(n_i (n_i - 1)) Σ_{a≠b} (1 - δ): the mean over items of the share of pairs that agree.

    Fleiss, J. L. (1971). Psychological Bulletin 76(5), 378-382.
    """
    cells = cells_of(rows)
    return one_minus(
        observed(cells, distance_on(cells, scale, counted=paired(cells), bounded=True)), expected=Fraction(1)
    )


def fleiss_kappa(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """κ = (P_o - P_e) / (1 - P_e), P_e = Σ π_k², π_k the mean over all items of the share of k in the item.

    Fleiss, J. L. (1971). Psychological Bulletin 76(5), 378-382; with gaps as in Gwet (2014), chapter 5.
    """
    cells = cells_of(rows)
    distance = distance_on(cells, scale)
    return one_minus(observed(cells, distance), one_urn(cells, distance))


def conger_kappa(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """κ with P_e = 1/(r (r - 1)) Σ_{g≠h} Σ_k p_gk p_hk, p_gk from the items that g annotated.

    Conger, A. J. (1980). Psychological Bulletin 88(2), 322-328; with gaps as in Gwet (2014), chapter 5.
    """
    cells = cells_of(rows)
    distance = distance_on(cells, scale)
    return one_minus(observed(cells, distance), own_urns(cells, distance))


def hubert_kappa(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """κ with P_e = 2/(r (r - 1)) Σ_{g<h} Σ_k p_gk p_hk, which is Conger's.

    Hubert, L. (1977). Psychological Bulletin 84(2), 289-297.
    """
    return conger_kappa(rows, **scale)


def light_kappa(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """κ = 2/(r (r - 1)) Σ_{g<h} κ_gh: the mean of Cohen's kappa over the pairs for which it is defined.

    Light, R. J. (1971). Psychological Bulletin 76(5), 365-377.
    """
    cells = cells_of(rows)
    scale["values"] = values_of(cells, scale.get("values"))
    pairs = (only(cells, g, h) for g, h in combinations(annotators_of(cells), 2))
    return mean(cohen_kappa(rows_of(pair), **scale) for pair in pairs)


def bennett_s(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """S = (P_o - 1/q) / (1 - 1/q) for q declared values; with weights P_e = Σ w_kl / q².

    Bennett, E. M., Alpert, R. & Goldstein, A. C. (1954). Public Opinion Quarterly 18(3), 303-308.
    """
    cells = cells_of(rows)
    distance = distance_on(cells, scale, bounded=True)
    return one_minus(observed(cells, distance), even(values_of(cells, scale.get("values")), distance))


def randolph_kappa(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """κ_free = (P_o - 1/q) / (1 - 1/q), which is Bennett's S of any number of annotators.

    Randolph, J. J. (2005). Joensuu Learning and Instruction Symposium.
    """
    return bennett_s(rows, **scale)


def ac2(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """AC2 = (P_o - P_e) / (1 - P_e), P_e = Σ w_kl / (q (q - 1)) · Σ π_k (1 - π_k).

    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Chapters 3 and 5.
    """
    cells = cells_of(rows)
    distance = distance_on(cells, scale, bounded=True)
    return one_minus(observed(cells, distance), guessing(cells, values_of(cells, scale.get("values")), distance))


def ac1(rows: Rows, *, values: Sequence[Any] | None = None) -> Number:
    """AC1 = (P_o - P_e) / (1 - P_e), P_e = 1/(q - 1) Σ π_k (1 - π_k).

    Gwet, K. L. (2008). British Journal of Mathematical and Statistical Psychology 61(1), 29-48.
    """
    return ac2(rows, values=values)


def alpha(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """α = 1 - D_o / D_e: the mean distance of two annotations of an item over that of any two, none drawn twice.

    An item counts once for each of its annotations; pairs of one annotator's repeated judgements are not observed.

    Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage. Chapter 11.
    """
    every = [row for row in rows if row[2] is not None]
    everything, compared = ({"": dict(enumerate(row[2] for row in some))} for some in (every, comparable(every)))
    return one_minus(*alpha_parts(every, distance_on(everything, scale, counted=compared)))


def comparable(rows: Rows) -> list[tuple[Any, Any, Any]]:
    """The annotations of items that two annotators annotated."""
    every = list(rows)
    return [row for row in every if len({who for item, who, _ in every if item == row[0]}) > 1]


def alpha_parts(rows: Rows, distance: Distance) -> tuple[Number, Number]:
    """D_o and D_e."""
    kept = comparable(rows)
    seen = Fraction(0)
    for item in dict.fromkeys(row[0] for row in kept):
        own = [row for row in kept if row[0] == item]
        seen += len(own) * (mean(distance(a[2], b[2]) for a, b in permutations(own, 2) if a[1] != b[1]) or 0)
    return share(seen, len(kept)), mean(distance(a[2], b[2]) for a, b in permutations(kept, 2))


def van_oest(rows: Rows, *, prior: float = 1, **scale: Unpack[ScaleOptions]) -> Number:
    """I² with P_e = Σ w_kl π_k π_l, π_k = (prior + n_k) / (q · prior + n); all pairs of annotations count alike.

    van Oest, R. (2019). Psychological Methods 24(4), 439-451.
    """
    cells = cells_of(rows)
    declared = values_of(cells, scale.get("values"))
    return one_minus(*van_oest_parts(cells, declared, distance_on(cells, scale, bounded=True), Fraction(prior)))


def van_oest_parts(cells: Cells, values: Sequence[Any], distance: Distance, prior: Fraction) -> tuple[Number, Number]:
    """Observed and expected disagreement."""
    pairs = [pair for given in cells.values() for pair in permutations(given.values(), 2)]
    every = all_values(cells)
    whole = prior * len(values) + len(every)
    seen = mean(distance(a, b) for a, b in pairs)
    if not whole:
        return seen, None
    p = {value: (prior + every.count(value)) / whole for value in values}
    return seen, drawn(distance, p, p)


WEIGHINGS = ("flat", "annotations", "annotations_m1", "edges", "inv_var", "inv_var_class", "random_effects")


def spa(rows: Rows, *, weigh: str = "flat", corrected: bool = False, **scale: Unpack[ScaleOptions]) -> Number:
    """SPA = Σ k_i P_i / Σ k_i, P_i the share of the pairs of annotations of item i that agree.

    Corrected it is (SPA - P_e) / (1 - P_e), P_e = Σ_{i≠j} k_i k_j P_ij / Σ_{i≠j} k_i k_j, P_ij the chance that an
    annotation of i and one of j agree.

    Nørregaard, J. & Derczynski, L. (2022). Sparse probability of agreement. arXiv:2208.06161.
    """
    every = cells_of(rows)
    cells = paired(every)
    distance = distance_on(every, scale, counted=cells, bounded=True)
    items = [list(given.values()) for given in cells.values()]
    r = leaning(shares(all_values(every)), distance)
    k = [weight_of(weigh, len(item), r) for item in items]
    within = [mean(distance(a, b) for a, b in permutations(item, 2)) or Fraction(0) for item in items]
    seen = share(total(x * d for x, d in zip(k, within, strict=True)), total(k))
    if not corrected:
        return one_minus(seen, Fraction(1))
    pairs = list(permutations(range(len(items)), 2))
    across = (k[i] * k[j] * (mean(distance(a, b) for a in items[i] for b in items[j]) or Fraction(0)) for i, j in pairs)
    return one_minus(seen, share(total(across), total(k[i] * k[j] for i, j in pairs)))


def weight_of(weigh: str, n: int, r: Fraction) -> Fraction:
    """k_i of an item with n annotations."""
    pairs = n * (n - 1)
    return {
        "flat": Fraction(1),
        "annotations": Fraction(n),
        "annotations_m1": Fraction(n - 1),
        "edges": Fraction(pairs),
        "inv_var": Fraction(pairs),
        "inv_var_class": pairs / (1 + r * (n - 2)),
        "random_effects": pairs / (Fraction("0.1") * pairs + Fraction("0.68") * (n - 2) + Fraction("1.8")),
    }[weigh]


def leaning(p: Shares, distance: Distance) -> Fraction:
    """Twice the covariance of whether a agrees with b and with c, over the variance of whether a agrees with b."""
    near = {(a, b): 1 - distance(a, b) for a in p for b in p}
    agree = total(p[a] * p[b] * near[a, b] for a, b in near)
    square = total(p[a] * p[b] * near[a, b] ** 2 for a, b in near)
    three = total(p[a] * total(p[b] * near[a, b] for b in p) ** 2 for a in p)
    return 2 * (three - agree**2) / (square - agree**2) if square != agree**2 else Fraction(1)


# Two annotators


def rows_of(cells: Cells) -> list[tuple[Any, Any, Any]]:
    """Cells as rows again."""
    return [(item, who, value) for item, given in cells.items() for who, value in given.items()]


def two_of(rows: Rows) -> Cells:
    """The cells of a study of two annotators."""
    cells = cells_of(rows)
    if len(annotators_of(cells)) > 2:
        raise ValueError(f"this coefficient is of two annotators, and there are {len(annotators_of(cells))}")
    return cells


def cohen_kappa(
    rows: Rows, *, missing: Literal["listwise", "gwet", "category"] = "listwise", **scale: Unpack[ScaleOptions]
) -> Number:
    """κ = (P_o - P_e) / (1 - P_e), P_e = Σ p_1k p_2k.

    Items that one annotator left out: "listwise" leaves them out, "gwet" keeps them in p_1k and p_2k, and "category"
    takes *not annotated* for one more value.

    Cohen, J. (1960). Educational and Psychological Measurement 20(1), 37-46; weighted Cohen (1968); missing ones De
    Raadt and others (2019).
    """
    cells = two_of(rows)
    if missing == "category":
        both = annotators_of(cells)
        cells = {item: {who: given.get(who, "not annotated") for who in both} for item, given in cells.items()}
        return one_minus(observed(cells, nominal), own_urns(cells, nominal))
    scale["values"] = values_of(cells, scale.get("values"))
    return conger_kappa(rows_of(paired(cells) if missing == "listwise" else cells), **scale)


def scott_pi(rows: Rows, **scale: Unpack[ScaleOptions]) -> Number:
    """π = (P_o - P_e) / (1 - P_e), P_e = Σ ((p_1k + p_2k) / 2)², on the items that both annotated.

    Scott, W. A. (1955). Public Opinion Quarterly 19(3), 321-325.
    """
    cells = two_of(rows)
    scale["values"] = values_of(cells, scale.get("values"))
    return fleiss_kappa(rows_of(paired(cells)), **scale)


def augmented_kappa(rows: Rows, *, p: float = 0.5) -> Number:
    """κ = (p_A - p_E) / (1 - p_E), p_A = 1/N Σ_i Σ_k w_1ik w_2ik, p_E = Σ_k w̄_1k w̄_2k.

    One label weighs 1; of two the first weighs p and the second 1 - p.

    Rosenberg, A. & Binkowski, E. (2004). HLT-NAACL 2004: Short Papers, 77-80.
    """
    cells = paired(two_of(rows))

    def weights(value: Any) -> Shares:
        labels = value if isinstance(value, tuple) else (value,)
        return (
            {labels[0]: Fraction(1)}
            if len(labels) == 1
            else dict(zip(labels, (Fraction(p), 1 - Fraction(p)), strict=True))
        )

    both = [[weights(given[who]) for who in annotators_of(cells)] for given in cells.values()]
    means: list[Shares] = [{}, {}]
    for pair in both:
        for sums, own in zip(means, pair, strict=True):
            for label, weight in own.items():
                sums[label] = sums.get(label, Fraction(0)) + weight / len(both)
    return one_minus(mean(drawn(nominal, first, second) for first, second in both), drawn(nominal, *means))


# F


def f_score(
    rows: Rows,
    *,
    annotator: Any = None,
    against: Any = None,
    positive: Any = None,
    beta: float = 1,
    average: Literal["micro", "macro"] = "micro",
) -> Number:
    """F = (1 + β²) tp / ((1 + β²) tp + β² fn + fp); of all pairs Σ n_ik (n_ik - 1) / Σ n_ik (n_i - 1).

    Hripcsak, G. & Rothschild, A. S. (2005). Journal of the American Medical Informatics Association 12(3), 296-298.
    """
    cells = cells_of(rows)
    labels = {label for value in all_values(cells) for label in (value if isinstance(value, frozenset) else {value})}
    # (whose labels are judged, who is right), item by item
    pairs = [
        (mine, right)
        for given in cells.values()
        for (who, mine), (other, right) in permutations(given.items(), 2)
        if annotator is None or (who, other) == (annotator, against)
    ]
    counts = [hits(pairs, label) for label in (labels if positive is None else [positive])]
    square = Fraction(beta) ** 2

    def f(tp: int, fp: int, fn: int) -> Number:
        return share((1 + square) * tp, (1 + square) * tp + square * fn + fp)

    if average == "macro":
        return mean(f(*one) for one in counts)
    return f(*(sum(column) for column in zip(*counts, strict=True))) if counts else None


def hits(pairs: Sequence[tuple[Any, Any]], label: Any) -> tuple[int, int, int]:
    """How often both gave a label, only the one who is judged, and only the one who is right."""

    def has(value: Any) -> bool:
        return label in value if isinstance(value, frozenset) else bool(value == label)

    found = [(has(mine), has(right)) for mine, right in pairs]
    return found.count((True, True)), found.count((True, False)), found.count((False, True))
