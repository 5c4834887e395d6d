"""Coefficients as fractions, from the whole numbers of a monitor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from interagree.errors import UnknownName, listing, suggestion
from interagree.monitor.patterns import CountStratum
from interagree.stats.labels.item_agreement import SCHEMES, TYPICAL_BETWEEN, TYPICAL_WITHIN

COEFFICIENTS = ("percent", "fleiss_kappa", "alpha", "ac1", "bennett_s")


def exact(name: str, strata: Mapping[int, CountStratum], values: int, weigh: str) -> Fraction | None:
    """A coefficient from what is known of items by their number of labels, and the number of values."""
    known = ("spa", *COEFFICIENTS)
    if name not in known:
        raise UnknownName(
            f"a monitor has no exact {name!r}.{suggestion(name, known)} (known: {listing(known, quote=False)}). "
            f"Others by monitor.measure({name!r})"
        )
    paired = {n: one for n, one in strata.items() if n >= 2}
    if not paired:
        return None
    if name == "spa":
        return _spa(strata, paired, weigh)
    observed = _spa(strata, paired, "flat")
    if name == "percent" or observed is None:
        return observed
    if name == "alpha":
        return _alpha(paired)
    if name == "bennett_s":
        return _corrected(observed, Fraction(1, values)) if values > 1 else None
    items = sum(one.items for one in strata.values())
    shares: dict[int, Fraction] = {}
    for n, one in strata.items():
        for value, times in one.values.items():
            shares[value] = shares.get(value, Fraction(0)) + Fraction(times, n * items)
    if name == "ac1":
        guess = sum((p * (1 - p) for p in shares.values()), Fraction(0))
        return _corrected(observed, guess / (values - 1)) if values > 1 else None
    return _corrected(observed, sum((p * p for p in shares.values()), Fraction(0)))


def _corrected(observed: Fraction, chance: Fraction) -> Fraction | None:
    return (observed - chance) / (1 - chance) if chance != 1 else None


def _alpha(paired: Mapping[int, CountStratum]) -> Fraction | None:
    total = sum(n * one.items for n, one in paired.items())
    distance = sum((Fraction(n * one.items) - Fraction(one.a, n - 1) for n, one in paired.items()), Fraction(0))
    pairs = total * total - sum(times * times for times in _by_value(paired).values())
    return 1 - (distance / total) / Fraction(pairs, total * (total - 1)) if pairs else None


def _spa(strata: Mapping[int, CountStratum], paired: Mapping[int, CountStratum], weigh: str) -> Fraction | None:
    r = _lean(strata) if weigh == "inv_var_class" else Fraction(0)
    weight = {n: _weight(weigh, n, r) for n in paired}
    total = sum((weight[n] * one.items for n, one in paired.items()), Fraction(0))
    agree = sum((weight[n] * Fraction(one.a, n * (n - 1)) for n, one in paired.items()), Fraction(0))
    return agree / total


def _weight(scheme: str, n: int, r: Fraction) -> Fraction:
    """`interagree.stats.labels.item_agreement.weigh` in fractions."""
    if scheme not in SCHEMES:
        raise UnknownName(
            f"no weighing is called {scheme!r}.{suggestion(scheme, SCHEMES)} (known: {listing(SCHEMES, quote=False)})"
        )
    edges = Fraction(n * (n - 1))
    if scheme == "inv_var_class":
        return edges / (1 + r * (n - 2))
    if scheme == "random_effects":
        t, z = Fraction(str(TYPICAL_BETWEEN)), Fraction(str(TYPICAL_WITHIN))
        return edges / (t * edges + 4 * z * (n - 2) + 2 * (1 - t))
    return {"flat": Fraction(1), "annotations": Fraction(n), "annotations_m1": Fraction(n - 1)}.get(scheme, edges)


def _lean(strata: Mapping[int, CountStratum]) -> Fraction:
    by_value = _by_value(strata)
    p = [Fraction(times, by_value.total()) for times in by_value.values()]
    second, third = (sum((share**power for share in p), Fraction(0)) for power in (2, 3))
    two = second - second**2
    return 2 * (third - second**2) / two if two else Fraction(1)


def _by_value(strata: Mapping[int, CountStratum]) -> Counter[int]:
    by_value: Counter[int] = Counter()
    for one in strata.values():
        by_value.update(one.values)
    return by_value
