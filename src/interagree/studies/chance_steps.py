"""What chance would give, worked out step by step for each model of chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from interagree.arrays import Floats
from interagree.data.provenance import counted
from interagree.data.types import Value
from interagree.reports.confusion import coincidences
from interagree.results.agreement import Agreement
from interagree.results.document import Section
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts, flat
from interagree.tables import Table, cell

WIDE = 8  # values that get a column of their own
TERMS = 6  # terms of a sum that are written out
TITLE = "What chance would give: the expected disagreement"


def expected_steps(counts: Counts, distances: Floats | None, result: Agreement) -> list[Section]:
    expected = result.disagreement.expected
    if expected is None:
        return []
    chance = result.measure.chance
    make = CHANCE.get(chance)
    made = make(counts, distances, result) if make is not None else None
    if made is None or not math.isclose(made[1], expected, rel_tol=1e-9, abs_tol=1e-12):
        line = (
            f"Chance draws from: {chance}. Two annotations drawn that way differ by D_e = {exact(expected)} on average."
        )
        return [Section(TITLE, [line])]
    sections: list[Section] = made[0]
    return sections


def _shares_table(values: Sequence[Value], given: Floats, shares: Floats) -> Table:
    order = range(len(values)) if len(values) <= 2 * WIDE else np.argsort(-given, kind="stable")[: 2 * WIDE].tolist()
    return Table(
        {
            "value": [values[k] for k in order],
            "annotations": [in_whole(given[k]) for k in order],
            "share": [float(shares[k]) for k in order],
        },
        foot="" if len(values) <= 2 * WIDE else f"the {2 * WIDE} most common of {len(values)} values",
    )


def in_whole(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)


def _square_sum(p: Floats) -> str:
    terms = [f"{share:.4f}²" for share in p[:TERMS].tolist() if share]
    return " + ".join(terms) + (" + …" if len(p) > TERMS else "")


def _one_urn(counts: Counts, distances: Floats | None, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
    p = counts.shares(flat)
    table = _shares_table(counts.values, counts.frequency, p)
    shares = Section("The share of each value, every item counting once", table=table)
    if distances is None:
        agree = float((p**2).sum())
        lines = [
            "Two annotations drawn from one urn with these shares are the same with probability",
            f"  P_e = Σ p² = {_square_sum(p)} = {exact(agree)}",
            f"  D_e = 1 - P_e = {exact(1 - agree)}",
        ]
        return [shares, Section(TITLE, lines)], 1 - agree
    mean = float(p @ distances @ p)
    lines = [
        "The mean distance of two annotations drawn from one urn with these shares:",
        f"  D_e = Σ p_k p_l δ_kl = {exact(mean)}",
    ]
    return [shares, Section(TITLE, lines)], mean


def _without_putting_back(counts: Counts, distances: Floats | None, result: Agreement) -> tuple[list[Section], float]:
    n = counts.frequency
    total = float(counts.total)
    steps = []
    if len(counts.values) <= WIDE and counts.source is not None:
        steps.append(
            Section(
                "The table of coincidences",
                [
                    (
                        "How often two values meet in an item; a pair of annotations of an item with m of "
                        "them counts 1/(m - 1)."
                    )
                ],
                coincidences(counts),
            )
        )
    steps.append(Section("How often each value was given", table=_shares_table(counts.values, n, n / total)))
    if distances is None:
        same = float((n * (n - 1)).sum())
        expected = 1 - same / (total * (total - 1))
        terms = " + ".join(f"{in_whole(k)}·{in_whole(k - 1)}" for k in n[:TERMS].tolist() if k) + (
            " + …" if len(n) > TERMS else ""
        )
        lines = [
            "Draw two annotations out of all, without putting the first one back. They are the same with probability",
            (
                f"  P_e = Σ n(n - 1) / (N(N - 1)) = ({terms}) / ({in_whole(total)}·{in_whole(total - 1)}) = "
                f"{exact(same / (total * (total - 1)))}"
            ),
            f"  D_e = 1 - P_e = {exact(expected)}",
        ]
    else:
        expected = float(n @ distances @ n) / (total * (total - 1))
        lines = [
            (
                f"The mean distance ({result.options.get('distance') or result.options.get('weights')}) of "
                "two annotations out of all, drawn without putting the first one back:"
            ),
            (
                f"  D_e = Σ n_k n_l δ_kl / (N(N - 1)) = {exact(float(n @ distances @ n))} / "
                f"({in_whole(total)}·{in_whole(total - 1)}) = {exact(expected)}"
            ),
        ]
    return [*steps, Section(TITLE, lines)], expected


def _all_alike(counts: Counts, distances: Floats | None, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
    q = len(counts.values)
    if distances is None:
        expected = 1 - 1 / q
        lines = [
            f"There are q = {q} declared values, all alike:",
            f"  P_e = 1/q = {exact(1 / q)}",
            f"  D_e = 1 - 1/q = {exact(expected)}",
        ]
    else:
        expected = float(distances.mean())
        lines = [
            f"The mean distance of two of the q = {q} declared values, all alike:",
            f"  D_e = Σ δ_kl / q² = {exact(expected)}",
        ]
    return [Section(TITLE, lines)], expected


def _guessing(counts: Counts, distances: Floats | None, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
    p, q = counts.shares(flat), len(counts.values)
    uneven = float((p * (1 - p)).sum())
    weights = float(q) if distances is None else float((1 - distances).sum())
    agree = weights / (q * (q - 1)) * uneven
    shares = Section(
        "The share of each value, every item counting once", table=_shares_table(counts.values, counts.frequency, p)
    )
    first = f"  Σ π(1 - π) = {exact(uneven)}"
    second = (
        f"  P_e = Σ π(1 - π) / (q - 1) = {exact(uneven)} / {q - 1} = {exact(agree)}"
        if distances is None
        else (
            f"  P_e = Σ w_kl / (q(q - 1)) · Σ π(1 - π) = {exact(weights)} / {q * (q - 1)} · "
            f"{exact(uneven)} = {exact(agree)}"
        )
    )
    lines = [
        "Guesses are the more likely the closer the shares are to even:",
        first,
        second,
        f"  D_e = 1 - P_e = {exact(1 - agree)}",
    ]
    return [shares, Section(TITLE, lines)], 1 - agree


def _after_prior(counts: Counts, distances: Floats | None, result: Agreement) -> tuple[list[Section], float]:
    prior = float(result.options.get("prior", 1.0))
    given = counts.frequency
    p = (given + prior) / (given + prior).sum()
    shares = Section(
        f"The share of each value after {prior:g} imaginary annotations of each",
        table=_shares_table(counts.values, given, p),
    )
    expected = 1 - float((p**2).sum()) if distances is None else float(p @ distances @ p)
    words = f"1 - Σ p² = 1 - ({_square_sum(p)})" if distances is None else "Σ p_k p_l δ_kl"
    lines = ["The mean distance of two annotations drawn with these shares:", f"  D_e = {words} = {exact(expected)}"]
    return [shares, Section(TITLE, lines)], expected


CHANCE: dict[str, Callable[..., tuple[list[Section], float]]] = {
    "one urn": _one_urn,
    "one urn, without putting back": _without_putting_back,
    "all values alike": _all_alike,
    "guessing": _guessing,
    "one urn, after a prior": _after_prior,
}


def own_urns_steps(ballots: Ballots, distances: Floats | None, result: Agreement) -> list[Section]:
    given = ballots.voted()
    there = given.sum(axis=1) > 0
    names = [name for name, here in zip(ballots.annotators, there.tolist(), strict=True) if here]
    shares = given[there] / given[there].sum(axis=1, keepdims=True)
    d = 1 - np.eye(shares.shape[1]) if distances is None else distances
    people = len(names)
    between = shares @ d @ shares.T
    expected = float(between.sum() - np.trace(between)) / (people * (people - 1))
    if result.disagreement.expected is None or not math.isclose(
        expected, result.disagreement.expected, rel_tol=1e-9, abs_tol=1e-12
    ):
        return expected_steps(ballots.counts, distances, result)
    shown = range(min(people, 2 * WIDE))
    columns: dict[str, Sequence[object]] = {"annotator": [names[i] for i in shown]}
    values = ballots.counts.values
    top = (
        range(len(values))
        if len(values) <= WIDE
        else sorted(np.argsort(-given.sum(axis=0), kind="stable")[:WIDE].tolist())
    )
    columns |= {cell(values[k]): [float(shares[i, k]) for i in shown] for k in top}
    cut = "" if people <= 2 * WIDE else f"the first {2 * WIDE} of {people} annotators"
    urns = Section("The share of each value, for each annotator", table=Table(columns, foot=cut))
    if people == 2 and distances is None:
        terms = " + ".join(f"{a:.4f}·{b:.4f}" for a, b in shares.T[:TERMS].tolist()) + (
            " + …" if len(values) > TERMS else ""
        )
        lines = [
            "Each draws from their own values; both draw the same value with probability",
            f"  P_e = Σ p₁ p₂ = {terms} = {exact(1 - expected)}",
            f"  D_e = 1 - P_e = {exact(expected)}",
        ]
    else:
        pairs = people * (people - 1) // 2
        lines = [
            f"Each draws from their own values; the mean distance over {counted(pairs, 'pair')} of annotators is",
            f"  D_e = {exact(expected)}",
        ]
    return [urns, Section(TITLE, lines)]


def short(number: float) -> str:
    """A number with four digits, where a fraction would not be read as one number."""
    number += 0.0  # not -0.0
    return f"{number:.4f}" if abs(number) < 1e4 else f"{number:.5g}"


def exact(number: float) -> str:
    """A number, as a fraction too where it is a simple one."""
    if not math.isfinite(number):
        return "undefined"
    if abs(number) < 1e-12:
        return "0"
    if float(number).is_integer() and abs(number) < 1e6:
        return f"{number:.0f}"
    fraction = Fraction(number).limit_denominator(400)
    if abs(number) < 1e4 and abs(float(fraction) - number) < 1e-12:
        return f"{fraction} ({number:.4f})"
    return short(number)
