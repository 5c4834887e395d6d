"""Measures explained: the formula and what to beware of, and the steps worked out on a study as a lecture would.

The text is the docstring of the measure's module, so that there is one explanation and not two.  The steps follow the
sufficient statistic and the model of chance that the measure declares; every number in them is checked against the
result, and where a measure works differently the steps fall back to its two parts.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.declare import Facts
from interagree.references import REFERENCES
from interagree.reports.choose import Choice, IntoChoice, choice, chosen, natural
from interagree.reports.confusion import coincidences, confusion
from interagree.reports.parts import plural
from interagree.results.agreement import Agreement
from interagree.results.document import Document, Section
from interagree.results.formulas import paragraphs
from interagree.stats.engine.estimate import Estimate
from interagree.stats.labels.ballots import Ballots
from interagree.stats.labels.counts import Counts, flat, per_annotation
from interagree.stats.labels.labelled import LabelBallots, LabelCounts
from interagree.stats.labels.matrix import Matrix
from interagree.stats.labels.mean_pairs import MeanOfPairs
from interagree.stats.labels.moments import Numeric
from interagree.tables import Table, cell

SHOWN = 5  # items that are worked out
WIDE = 8  # values that get a column of their own
TERMS = 6  # terms of a sum that are written out

PREVALENCE = (
    "Where one value is much more common than the others, chance agrees often, and the coefficient is "
    "low although almost all "
    "annotations agree (the prevalence paradox). Look at the table by value, and at AC1 beside it."
)
SPREAD = "It grows with the spread of the items: the same annotators on more similar items get a lower coefficient."
BIAS = (
    "And annotators who use the values in different shares are expected to agree less, so their bias raises the "
    "coefficient (the bias paradox)."
)
CUTS = "Annotators who cut at random get more than 0; with corrected_boundary_similarity they get 0."
WATCH = {
    "none": "Chance plays no part: annotators who guess between two values agree half of the time.",
    "one urn": PREVALENCE,
    "one urn, without putting back": PREVALENCE,
    "one urn, after a prior": "The prior pulls chance towards all values alike; with few annotations it matters.",
    "each annotator's own urn": f"{PREVALENCE} {BIAS}",
    "all values alike": "Declared values that nobody would ever give make the coefficient larger.",
    "guessing": "It stays high where one value is common, also when annotators never agree on rare ones; look at "
    "the table by value.",
    "variance between items": SPREAD,
    "orders with nothing in common": "Only the order counts, not how far apart numbers are.",
    "independent numbers": SPREAD,
    "annotations of different items": "All rests on the distance: one that takes few values hides agreement. Compare "
    "distances on your data with interagree distances FILE.",
    "each document's own spans, moved at random": "Chance has no more room than documents are long: where their texts "
    "are not known, say it (length).",
    "the rate of boundaries of all annotators together": "Chance knows how many boundaries there are and not where; "
    f"near misses count in part, so a value near 1 does not mean the same boundaries. {CUTS}",
    "the rate of boundaries of each annotator": f"Chance knows how many boundaries each annotator has. {BIAS} {CUTS}",
    "as many boundaries in each document, at random places": "Near misses count in part, so a value near 1 does not "
    "mean the same boundaries.",
    "the clusters of the same document": "All rests on the distance between sets: MASI punishes what crosses, Jaccard "
    "counts what is shared.",
    "places of all documents that do not belong to one stretch": "Length counts: what nobody marked is agreement, so "
    "say how long documents are (length), and a long unit outweighs many short ones.",
    "all ways to place the units and gaps of each category": "A worse annotation may score better, and it misbehaves "
    "with more than two annotators; take u_alpha or gamma.",
    "each document's own annotations, moved at random": "Chance has no more room than from the first unit of a "
    "document to its last: where documents hold a unit or two, say how long they are (length).",
}


def explain(
    measure: IntoChoice,
    data: IntoAnnotations | None = None,
    *others: Any,
    distance: Any = None,
    weights: Any = None,
    **reading: Unpack[ReadingOptions],
) -> Document:
    """What a measure is, and with data how its value comes about.

    Args:
        measure: A name (``"alpha"``, ``"alpha:distance=ordinal"``) or a measure.
        data: A study to work it out on, or anything `Annotations.of` takes.
        distance: A distance for the measure; without one, and with data, that which suits the kind of value.
        weights: Agreement weights for the measure.
        others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
        reading: How data are read: ``item``, ``annotator``, ``value`` and the other options of `Annotations.of`.
    """
    (one,) = chosen([choice(measure)], distance=distance, weights=weights)
    if data is None:
        return about(one)
    study = as_annotations(data, *others, **reading)
    if study.recognised.doubt is None:  # else the measure itself says what the other reading gives
        one = natural(one, study)
    result = one.of(study)
    sections = worked(one, study, result)
    facts = one.facts
    told = {
        "command": "explain",
        "measure": facts.name,
        "result": result.to_dict(),
        "steps": [_told(step) for step in sections],
    }
    return Document(f"{one.title}, step by step", [_formula(one), *sections], told)


def about(one: Choice) -> Document:
    """The formula, the conventions, what to beware of and where it was published."""
    facts = one.facts
    text = docstring(one.measure)
    told = {
        "command": "explain",
        "measure": facts.name,
        "title": facts.title,
        "text": text,
        "facts": {
            name: getattr(facts, name)
            for name in ("symbol", "chance", "annotators", "values", "identity", "complete", "range")
        },
        "watch": WATCH.get(facts.chance, ""),
        "reference": REFERENCES[facts.reference].text(),
    }
    # The first line of a docstring is a name, which the title repeats.
    body = paragraphs(text.partition("\n")[2])
    sections = [
        *(Section(lines=lines, verbatim=verbatim) for lines, verbatim in body),
        Section("Assumptions", lines=assumptions(facts)),
        Section("Beware", lines=[WATCH[facts.chance]]) if facts.chance in WATCH else Section(),
        Section(
            "On your data",
            lines=[f"interagree explain {facts.name} FILE", f"interagree measure FILE -m {facts.name}"],
            verbatim=True,
        ),
    ]
    return Document(facts.title, [section for section in sections if section.lines], told)


def docstring(measure: Callable[..., Any]) -> str:
    """The text of the module that a measure is in."""
    return inspect.getdoc(importlib.import_module(measure.__module__)) or inspect.getdoc(measure) or ""


def assumptions(facts: Facts) -> list[str]:
    """What a measure takes for granted, in sentences."""
    against = "Measured against" if facts.values == "numbers" else "Chance draws from"
    chance = "It is not corrected for chance." if facts.chance == "none" else f"{against}: {facts.chance}."
    who = "It is for two annotators." if facts.annotators == "two" else "It is for any number of annotators."
    kinds = {
        "any": "Values may be labels, numbers or, with a distance for them, anything else.",
        "numbers": "Values must be numbers, or labels in a stated order.",
        "sets": "Values must be sets of labels.",
        "pairs": "Values are a label, or a primary and a secondary one.",
        "spans": "Values must be spans: for each document and annotator the list of all that she marked there.",
        "clusters": "Values must be clusters: for each document and annotator a list of lists of mentions.",
        "dependencies": "Values must be dependency parses: a list with [head, relation] for each token.",
        "segments": "Values must be segmentations: for each document and annotator the lengths of the segments.",
        "relations": "Values must be relations: for each document and annotator a list of [head, tail, label].",
    }
    identity = (
        "It must know who gave which value."
        if facts.identity
        else "It does not look at who gave which value, so annotators may differ from item to item."
    )
    missing = (
        "Items that not every annotator annotated are left out."
        if facts.complete
        else "Annotations may be missing; an item with a single one cannot be compared."
    )
    return [chance, who, kinds.get(facts.values, f"Values: {facts.values}."), identity, missing]


def _formula(one: Choice) -> Section:
    found = [lines for lines, verbatim in paragraphs(docstring(one.measure)) if verbatim]
    return Section(lines=found[0] if found else [], verbatim=True)


def _told(section: Section) -> dict[str, Any]:
    return {"title": section.title, "sentences": [*section.lines, *section.foot], "table": section.table}


# -- the steps ------------------------------------------------------------------------------------------------


def worked(one: Choice, study: Annotations, result: Agreement) -> list[Section]:
    """The steps from annotations to the coefficient."""
    statistic = result.engine.statistic if isinstance(result.engine, Estimate) else None
    if result.undefined:
        steps = [Section("Why there is no number", lines=[f"{one.title} is undefined: {result.undefined}."])]
    elif isinstance(statistic, LabelCounts):
        steps = _counted(statistic, result)
    elif isinstance(statistic, LabelBallots) and result.measure.values != "pairs":
        steps = _balloted(statistic, study, result)
    elif isinstance(statistic, MeanOfPairs):
        steps = _paired(result)
    elif isinstance(statistic, Numeric):
        steps = _summed(statistic, study, result)
    elif isinstance(statistic, Matrix):
        steps = _tabled(statistic, result)
    else:
        steps = _known(result)
    if not result.undefined:
        steps.append(_ratio(result))
    numbered = [
        Section(f"{number}. {step.title}", step.lines, step.table, step.foot, verbatim=step.verbatim)
        for number, step in enumerate(steps, start=1)
    ]
    notes = [
        *result.notes,
        f"Policy: {study.provenance.policy() or 'nothing was dropped, merged or assumed'}.",
    ]
    return [*numbered, Section(lines=notes)]


def _counted(counts: LabelCounts, result: Agreement) -> list[Section]:
    table = counts.distances
    if not isinstance(counts.rows, np.ndarray) or not _by_distance(result):
        return _known(result)
    distances = None if table.distance.equality else table.table(counts.frequency)
    if distances is not None and distances.ndim != 2:
        return _known(result)
    apart = _apart(counts, distances)
    steps = [_items(counts, apart, plain=distances is None)]
    observed = _observed(counts, apart, result)
    if observed is None:
        return [*steps, *_known(result)]
    steps.append(observed)
    steps += _expected(counts, distances, result)
    return steps


def _by_distance(result: Agreement) -> bool:
    """Whether values are compared by a distance, and not label by label."""
    return isinstance(result.engine, Estimate) and "distance" in (result.engine.call or {})


def _apart(counts: Counts, distances: Any) -> Any:
    """The mean distance of two annotations, for each pattern; nan for patterns with one."""
    rows, size = np.asarray(counts.rows), counts.size
    pairs = np.where(size > 1, size * (size - 1), np.nan)
    within = size**2 - (rows**2).sum(axis=1) if distances is None else ((rows @ distances) * rows).sum(axis=1)
    return within / pairs


def _items(counts: Counts, apart: Any, *, plain: bool) -> Section:
    """A few items, both such on which annotators agree and such on which they do not."""
    places = _some(counts, apart)
    rows = np.asarray(counts.rows)
    columns: dict[str, Sequence[Any]] = {"item": [name for name, _ in places]}
    if len(counts.values) <= WIDE:
        columns |= {
            cell(value): [int(rows[p, k]) for _, p in places] for k, value in enumerate(counts.values)
        }
    else:
        columns["values"] = [_tally(rows[p], counts.values) for _, p in places]
    columns["annotations"] = [int(counts.size[p]) for _, p in places]
    columns["disagreement"] = [float(apart[p]) for _, p in places]
    example = next(((name, p) for name, p in places if apart[p] > 0), places[0] if places else None)
    lines = (
        [f"Here are {len(places)} of {plural(int(counts.items), 'item')}."]
        if len(places) < int(counts.items)
        else []
    )
    foot = []
    if example is not None and not math.isnan(apart[example[1]]):
        name, p = example
        n = int(counts.size[p])
        pairs = n * (n - 1)
        if plain:
            differ = round(float(apart[p]) * pairs)
            foot = [
                (
                    f"Item {name}: {n} annotations make {n} × {n - 1} = {pairs} ordered pairs, of which "
                    f"{differ} differ: {differ}/{pairs} = {exact(apart[p])}."
                )
            ]
        else:
            foot = [
                f"Item {name}: the mean distance over {n} × {n - 1} = {pairs} ordered pairs is {exact(apart[p])}."
            ]
    return Section("Count how many annotators gave each item each value", lines, Table(columns), foot)


def _some(counts: Counts, apart: Any) -> list[tuple[Any, int]]:
    if counts.pattern is None or counts.source is None:
        return [(f"pattern {p + 1}", p) for p in range(min(SHOWN, len(counts.size)))]
    there = np.flatnonzero(counts.pattern >= 0)
    pattern = counts.pattern[there]
    many = counts.size[pattern] > 1
    differ = there[many & (np.nan_to_num(apart[pattern]) > 0)][: SHOWN - 2].tolist()
    same = there[many & (np.nan_to_num(apart[pattern], nan=1.0) == 0)][: SHOWN - len(differ)].tolist()
    more = (
        [i for i in there[many].tolist() if i not in {*differ, *same}][: SHOWN - len(differ) - len(same)]
        if len(there) < 5000
        else []
    )
    return [(counts.source.items[i], int(counts.pattern[i])) for i in sorted([*differ, *same, *more])]


def _tally(row: Any, values: Sequence[Any]) -> str:
    order = [k for k in np.argsort(-row, kind="stable").tolist() if row[k]]
    return ", ".join(f"{int(row[k])} × {cell(values[k])}" for k in order[:TERMS])


def _pairs_weight(counts: Counts) -> Any:
    return counts.size * (counts.size - 1)


WEIGHED = (
    (flat, "every item counts once"),
    (per_annotation, "an item counts once for each of its annotations"),
    (_pairs_weight, "an item counts once for each pair of its annotations"),
)


def _observed(counts: Counts, apart: Any, result: Agreement) -> Section | None:
    """The mean over items, weighed in the one way that gives the result."""
    times = counts.weights.matrix()
    # Where items are alike in size several ways give the same number: take the one the measure is known for.
    usual = {"one urn, without putting back": per_annotation, "one urn, after a prior": _pairs_weight}
    known = usual.get(result.measure.chance, flat)
    for weigh, words in sorted(WEIGHED, key=lambda way: way[0] is not known):
        weight = times * weigh(counts) * counts.paired
        if not weight.sum():
            continue
        mean = float(weight @ np.nan_to_num(apart)) / float(weight.sum())
        if math.isclose(mean, result.disagreement.observed, rel_tol=1e-9, abs_tol=1e-12):
            items = int(times @ counts.paired)
            total = float(weight @ np.nan_to_num(apart))
            line = f"Over {plural(items, 'item')} with two annotations or more, where {words}:"
            return Section(
                "Take the mean: the observed disagreement",
                [line, f"  D_o = {exact(total)} / {exact(float(weight.sum()))} = {exact(mean)}"],
            )
    return None


def _expected(counts: Counts, distances: Any, result: Agreement) -> list[Section]:
    expected = result.disagreement.expected
    if expected is None:
        return []
    chance = result.measure.chance
    make = CHANCE.get(chance)
    made = make(counts, distances, result) if make is not None else None
    if made is None or not math.isclose(made[1], expected, rel_tol=1e-9, abs_tol=1e-12):
        line = (
            f"Chance draws from: {chance}. Two annotations drawn that way differ by D_e = "
            f"{exact(expected)} on average."
        )
        return [Section("What chance would give: the expected disagreement", [line])]
    sections: list[Section] = made[0]
    return sections


def _shares_table(values: Sequence[Any], given: Any, shares: Any) -> Table:
    order = (
        range(len(values))
        if len(values) <= 2 * WIDE
        else np.argsort(-given, kind="stable")[: 2 * WIDE].tolist()
    )
    return Table(
        {
            "value": [values[k] for k in order],
            "annotations": [_whole(given[k]) for k in order],
            "share": [float(shares[k]) for k in order],
        },
        foot="" if len(values) <= 2 * WIDE else f"the {2 * WIDE} most common of {len(values)} values",
    )


def _whole(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)


def _square_sum(p: Any) -> str:
    terms = [f"{one:.4f}²" for one in p[:TERMS].tolist() if one]
    return " + ".join(terms) + (" + …" if len(p) > TERMS else "")


def _one_urn(counts: Counts, distances: Any, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
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
        return [shares, Section("What chance would give: the expected disagreement", lines)], 1 - agree
    mean = float(p @ distances @ p)
    lines = [
        "The mean distance of two annotations drawn from one urn with these shares:",
        f"  D_e = Σ p_k p_l δ_kl = {exact(mean)}",
    ]
    return [shares, Section("What chance would give: the expected disagreement", lines)], mean


def _without_putting_back(counts: Counts, distances: Any, result: Agreement) -> tuple[list[Section], float]:
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
        terms = " + ".join(f"{_whole(k)}·{_whole(k - 1)}" for k in n[:TERMS].tolist() if k) + (
            " + …" if len(n) > TERMS else ""
        )
        lines = [
            "Draw two annotations out of all, without putting the first one back. They are the same with probability",
            (
                f"  P_e = Σ n(n - 1) / (N(N - 1)) = ({terms}) / ({_whole(total)}·{_whole(total - 1)}) = "
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
                f"({_whole(total)}·{_whole(total - 1)}) = {exact(expected)}"
            ),
        ]
    return [*steps, Section("What chance would give: the expected disagreement", lines)], expected


def _all_alike(counts: Counts, distances: Any, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
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
    return [Section("What chance would give: the expected disagreement", lines)], expected


def _guessing(counts: Counts, distances: Any, result: Agreement) -> tuple[list[Section], float]:  # noqa: ARG001 -- one signature
    p, q = counts.shares(flat), len(counts.values)
    uneven = float((p * (1 - p)).sum())
    weights = float(q) if distances is None else float((1 - distances).sum())
    agree = weights / (q * (q - 1)) * uneven
    shares = Section(
        "The share of each value, every item counting once",
        table=_shares_table(counts.values, counts.frequency, p),
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
    return [shares, Section("What chance would give: the expected disagreement", lines)], 1 - agree


def _after_prior(counts: Counts, distances: Any, result: Agreement) -> tuple[list[Section], float]:
    prior = float(result.options.get("prior", 1.0))
    given = counts.frequency
    p = (given + prior) / (given + prior).sum()
    shares = Section(
        f"The share of each value after {prior:g} imaginary annotations of each",
        table=_shares_table(counts.values, given, p),
    )
    expected = 1 - float((p**2).sum()) if distances is None else float(p @ distances @ p)
    words = f"1 - Σ p² = 1 - ({_square_sum(p)})" if distances is None else "Σ p_k p_l δ_kl"
    lines = [
        "The mean distance of two annotations drawn with these shares:",
        f"  D_e = {words} = {exact(expected)}",
    ]
    return [shares, Section("What chance would give: the expected disagreement", lines)], expected


CHANCE: dict[str, Callable[..., tuple[list[Section], float]]] = {
    "one urn": _one_urn,
    "one urn, without putting back": _without_putting_back,
    "all values alike": _all_alike,
    "guessing": _guessing,
    "one urn, after a prior": _after_prior,
}


def _balloted(ballots: LabelBallots, study: Annotations, result: Agreement) -> list[Section]:
    counts = ballots.counts
    spread = ballots.distances
    if not isinstance(counts.rows, np.ndarray) or not _by_distance(result):
        return _known(result)
    distances = None if spread.distance.equality else spread.table(counts.frequency)
    apart = _apart(counts, distances)
    two = len(ballots.annotators) == 2
    steps = []
    if two and len(counts.values) <= WIDE and counts.source is not None and study.values == counts.values:
        first, second = ballots.annotators
        table = confusion(study, first, second)
        steps.append(
            Section(
                f"Lay the two annotators side by side: {first} in rows, {second} in columns",
                table=_in_whole(table),
            )
        )
    else:
        steps.append(_items(counts, apart, plain=distances is None))
    observed = _observed(counts, apart, result)
    if observed is None:
        return [*steps, *_known(result)]
    steps.append(observed)
    if result.measure.chance != "each annotator's own urn":
        return [*steps, *_expected(counts, distances, result)]
    return [*steps, *_own_urns(ballots, distances, result)]


def _in_whole(table: Table) -> Table:
    return Table(
        {
            name: [_whole(one) if isinstance(one, float) else one for one in column]
            for name, column in table.columns.items()
        }
    )


def _own_urns(ballots: Ballots, distances: Any, result: Agreement) -> list[Section]:
    given = ballots.voted()
    there = given.sum(axis=1) > 0
    names = [name for name, here in zip(ballots.annotators, there.tolist(), strict=True) if here]
    shares = given[there] / given[there].sum(axis=1, keepdims=True)
    d = 1 - np.eye(shares.shape[1]) if distances is None else distances
    people = len(names)
    between = shares @ d @ shares.T
    expected = float(between.sum() - np.trace(between)) / (people * (people - 1))
    title = "What chance would give: the expected disagreement"
    if result.disagreement.expected is None or not math.isclose(
        expected, result.disagreement.expected, rel_tol=1e-9, abs_tol=1e-12
    ):
        return _expected(ballots.counts, distances, result)
    shown = range(min(people, 2 * WIDE))
    columns: dict[str, Sequence[Any]] = {"annotator": [names[i] for i in shown]}
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
            "Each draws from what she gave herself; both draw the same value with probability",
            f"  P_e = Σ p₁ p₂ = {terms} = {exact(1 - expected)}",
            f"  D_e = 1 - P_e = {exact(expected)}",
        ]
    else:
        pairs = people * (people - 1) // 2
        lines = [
            f"Each draws from what she gave herself; the mean distance over {plural(pairs, 'pair')} of annotators is",
            f"  D_e = {exact(expected)}",
        ]
    return [urns, Section(title, lines)]


def _paired(result: Agreement) -> list[Section]:
    table = result.by_pair()
    shown = table.head(4 * SHOWN)
    foot = [f"the first {4 * SHOWN} of {len(table)} pairs"] if len(table) > len(shown) else []
    known = [one for one in table["agreement"] if math.isfinite(one)]
    lines = [
        (
            f"  ({' + '.join(f'{one:.4f}' for one in known[:TERMS])}{' + …' if len(known) > TERMS else ''}) "
            f"/ {len(known)} = {exact(sum(known) / len(known))}"
        )
    ]
    return [
        Section(
            "The coefficient of each two annotators, on the items both annotated", table=shown, foot=foot
        ),
        Section("Take the mean over the pairs for which it is defined", lines),
    ]


def _summed(numeric: Numeric, study: Annotations, result: Agreement) -> list[Section]:
    items = list(dict.fromkeys(numeric.item[: 50 * SHOWN].tolist()))[:SHOWN]
    kept = np.flatnonzero(numeric.pattern >= 0)
    values = [[study.values[v] for v in numeric.value[numeric.item == i].tolist()] for i in items]
    table = Table(
        {
            "item": [study.items[int(kept[i])] for i in items],
            "values": [
                ", ".join(map(cell, some[: 2 * WIDE])) + (", …" if len(some) > 2 * WIDE else "")
                for some in values
            ],
        }
    )
    observed, expected = result.disagreement.observed, result.disagreement.expected
    name = result.options.get("distance") or "given"
    square = (
        (
            " The interval distance is the squared difference, so each is twice a variance: that within "
            "items, and that of all numbers."
        )
        if name == "interval"
        else ""
    )
    return [
        Section(f"The numbers of each item, {len(items)} of {plural(result.n.items, 'item')}", table=table),
        Section(
            "The observed disagreement",
            [
                f"The mean {name} distance of two annotations of one item, an item counting once for each annotation:",
                f"  D_o = {exact(observed)}",
            ],
        ),
        Section(
            "What chance would give: the expected disagreement",
            [
                f"The mean {name} distance of any two annotations, drawn without putting the first one back:",
                f"  D_e = {exact(expected)}",
                *([square.strip()] if square else []),
            ],
        ),
    ]


def _tabled(matrix: Matrix, result: Agreement) -> list[Section]:
    people = matrix.annotators[:WIDE]
    kept = np.flatnonzero(matrix.pattern >= 0)[:SHOWN]
    columns: dict[str, Sequence[Any]] = {"item": [matrix.source.items[int(i)] for i in kept]}
    columns |= {
        str(name): [_whole(one) for one in matrix.cells[: len(kept), k].tolist()]
        for k, name in enumerate(people)
    }
    columns["mean"] = matrix.cells[: len(kept)].mean(axis=1).tolist()
    cut = (
        f"; the first {WIDE} of {len(matrix.annotators)} annotators" if len(matrix.annotators) > WIDE else ""
    )
    table = Table(columns, foot=f"{len(kept)} of {plural(len(matrix.cells), 'item')}{cut}")
    return [Section("Lay the numbers out, items by annotators", table=table), *_details(result)]


def _details(result: Agreement) -> list[Section]:
    found = {
        name.replace("_", " "): one for name, one in result.details.items() if isinstance(one, int | float)
    }
    if not found:
        return []
    return [
        Section(
            "What the formula is made of", table=Table({"quantity": [*found], "value": [*found.values()]})
        )
    ]


def _known(result: Agreement) -> list[Section]:
    """For measures that work in their own way: their details and their two parts."""
    parts = result.disagreement
    lines = [f"  D_o = {exact(parts.observed)}"] if math.isfinite(parts.observed) else []
    if parts.expected is not None and math.isfinite(parts.expected):
        lines.append(f"  D_e = {exact(parts.expected)}    (chance draws from: {result.measure.chance})")
    return [*_details(result), *([Section("Observed and expected disagreement", lines)] if lines else [])]


def _ratio(result: Agreement) -> Section:
    observed, expected = result.disagreement.observed, result.disagreement.expected
    symbol = result.measure.symbol
    lines = []
    if expected is None:
        if math.isclose(result.value, 1 - observed, abs_tol=1e-9):
            lines.append(f"  {symbol} = 1 - D_o = 1 - {short(observed)} = {exact(result.value)}")
    elif math.isclose(result.value, 1 - observed / expected, abs_tol=1e-9):
        lines.append(
            f"  {symbol} = 1 - D_o / D_e = 1 - {short(observed)} / {short(expected)} = {exact(result.value)}"
        )
        agree, chance = result.observed_agreement, result.expected_agreement
        if agree is not None and chance is not None and 0 < chance < 1:
            lines.append(
                f"  or, as agreement: (P_o - P_e) / (1 - P_e) = ({agree:.4f} - {chance:.4f}) / {1 - chance:.4f}"
            )
    lines = lines or [f"  {symbol} = {exact(result.value)}"]
    interval = result.interval()
    if interval is not None:
        lines.append(f"How sure: {interval} ({interval.method}, for other items).")
    return Section("The coefficient", lines)


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
