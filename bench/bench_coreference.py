"""How long do scores of coreference take, beside scorch and beside the definition in plain Python?

Three annotators put the 200 mentions of each document into some 60 clusters; each leaves out 5 % of the mentions and
puts 10 % somewhere else.  scorch scores two clusterings, sets of mentions, and so is called for every two annotators of
every document; the answer is the mean over these of its F, `average="documents"` here.  LEA it does not have; there the
peer is the definition, link by link.  Ours is timed from a study and, making that included, from lists.

    python bench/bench_coreference.py           1,000 documents
    python bench/bench_coreference.py 100       fewer
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import combinations
from typing import Any

import harness

PEOPLE, MENTIONS, ENTITIES = 3, 200, 60
METRICS = ("muc", "b3", "ceaf_m", "ceaf_e", "lea")


def documents(count: int) -> list[list[list[list[tuple[int, int]]]]]:
    """For each document the clusters of each annotator."""
    rng = random.Random(count)
    return [[clusters(rng, truth) for _ in range(PEOPLE)] for truth in (entities(rng) for _ in range(count))]


def entities(rng: random.Random) -> list[int]:
    """Which entity each mention is of."""
    return [rng.randrange(ENTITIES) for _ in range(MENTIONS)]


def clusters(rng: random.Random, truth: list[int]) -> list[list[tuple[int, int]]]:
    """What one annotator makes of it."""
    found: dict[int, list[tuple[int, int]]] = {}
    for mention, entity in enumerate(truth):
        if rng.random() >= 0.05:
            where = entity if rng.random() >= 0.1 else rng.randrange(ENTITIES)
            found.setdefault(where, []).append((5 * mention, 5 * mention + 3))
    return list(found.values())


def rows(count: int) -> list[tuple[int, int, Any]]:
    """The same as rows of a study."""
    return [(d, who, said) for d, all_of in enumerate(documents(count)) for who, said in enumerate(all_of)]


# -- ours --------------------------------------------------------------------------------------------------


def ours(metric: str, count: int, begin: str) -> Callable[[], float]:
    """One metric, from lists or from a study; "alpha" is the alpha of sets by MASI."""
    import interagree as ia
    from interagree.measures.coref_alpha import coref_alpha
    from interagree.measures.coref_f1 import coref_f1

    def score(data: Any) -> float:
        if metric == "alpha":
            return coref_alpha(data, chance="study").value
        return coref_f1(data, metric=metric, average="documents").value

    def made(data: Any) -> Any:
        return ia.Annotations.of(data, kind="clusters")

    score(made(rows(5)))  # imports what is imported late
    data = rows(count)
    if begin == "lists":
        return lambda: score(made(data))
    study = made(data)
    score(study)
    return lambda: score(study)


# -- theirs ------------------------------------------------------------------------------------------------


def scorch(metric: str, count: int) -> Callable[[], float]:
    """One metric of scorch, document by document and pair by pair."""
    from scorch import scores

    score = {"muc": scores.muc, "b3": scores.b_cubed, "ceaf_m": scores.ceaf_m, "ceaf_e": scores.ceaf_e}[metric]
    data = [[[set(c) for c in one] for one in all_of] for all_of in documents(count)]

    def run() -> float:
        found = [score(a, b)[2] for all_of in data for a, b in combinations(all_of, 2)]
        return sum(found) / len(found)

    return run


def definition(metric: str, count: int) -> Callable[[], float]:
    """LEA link by link, and alpha with every two annotations compared, in plain Python."""
    data = documents(count)
    return (lambda: _lea(data)) if metric == "lea" else (lambda: _alpha(data))


def _lea(data: list[Any]) -> float:
    found = []
    for all_of in data:
        for a, b in combinations(all_of, 2):
            r, p = _resolved(a, b), _resolved(b, a)
            found.append(2 * p * r / (p + r))
    return sum(found) / len(found)


def _resolved(key: Any, other: Any) -> float:
    of = {m: k for k, c in enumerate(other) for m in c}
    score = size = 0.0
    for c in key:
        size += len(c)
        if len(c) == 1:
            score += c[0] in of and len(other[of[c[0]]]) == 1
            continue
        links = list(combinations(c, 2))
        score += len(c) * sum(m in of and of[m] == of.get(n) for m, n in links) / len(links)
    return score / size


def _alpha(data: list[Any]) -> float:
    from interagree.plugins import DISTANCES

    masi = DISTANCES["masi"].pair
    observed = total = near = 0.0
    for all_of in data:
        its = [{m: frozenset(c) for c in one for m in c} for one in all_of]
        every = sorted(set().union(*its))
        sets = [[one.get(m, frozenset({m})) for m in every] for one in its]
        size = len(every) * len(its)
        total += size
        for a, b in combinations(sets, 2):
            observed += 2 * sum(map(masi, a, b)) / (len(its) - 1)
        flat = [s for one in sets for s in one]
        near += size * (size - 1) - 2 * sum(masi(a, b) for a, b in combinations(flat, 2))
    return 1 - (observed / total) / (1 - near / (total * (total - 1)))


# -- tables ------------------------------------------------------------------------------------------------


def main() -> None:
    """Each metric beside a peer."""
    harness.machine()
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000
    for metric in (*METRICS, "alpha"):
        size = count if metric != "alpha" else max(count // 50, 2)
        peer = "scorch" if metric in METRICS[:4] else "definition"
        table = [
            harness.run(__file__, "ours", name="interagree, from lists", metric=metric, count=size, begin="lists"),
            harness.run(__file__, "ours", name="interagree, from a study", metric=metric, count=size, begin="study"),
            harness.run(__file__, peer, repeat=1, metric=metric, count=size),
        ]
        about = f"{metric}, {size:,} documents, {PEOPLE} annotators, {MENTIONS} mentions"
        harness.show(about, table, to="interagree, from lists")


if __name__ == "__main__":
    main()
