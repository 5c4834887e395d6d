"""Every measure against its definition in `interagree.reference`, on tiny random studies of the values it takes.

A measure that is added is held to a definition of its name, or is named in `reference.PARTLY` with the reason why not.
"""

from __future__ import annotations

import doctest
import inspect
import math
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from random_studies import few_draws  # noqa: F401 -- a fixture for all

import interagree as ia
from interagree import reference
from interagree.plugins import MEASURES
from interagree.reference.spans import cheapest

Row = tuple[str, str, Any]
SEEDS = range(24)


# Values, one maker for each kind that a measure takes


def label(rng: random.Random) -> int:
    return rng.choice([1, 2, 3, 5])


def of_sets(rng: random.Random) -> frozenset[str]:
    return frozenset(rng.sample("xyz", rng.randint(0, 2)))


def pair(rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample("xyz", rng.choice([1, 2])))


def number(rng: random.Random) -> float:
    return rng.choice([0, 1, 2, 2.5, 4])


def clusters(rng: random.Random) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for mention in "abcde":
        if rng.random() < 0.8:
            groups.setdefault(rng.randrange(3), []).append(mention)
    return tuple(map(tuple, groups.values()))


def parse(rng: random.Random) -> tuple[tuple[int, str], ...]:
    heads = [rng.choice([head for head in range(4) if head != token]) for token in (1, 2, 3)]
    return tuple((head, rng.choice(["subj", "obj", "punct"])) for head in heads)


def spans(rng: random.Random) -> list[list[Any]]:
    """Spans that may overlap."""
    starts = [rng.randrange(9) for _ in range(rng.randrange(4))]
    return [[start, start + rng.randint(1, 3), rng.choice("xy")] for start in starts]


def stretches(rng: random.Random) -> list[list[Any]]:
    """Spans that do not overlap; some touch."""
    cuts = sorted(rng.sample(range(9), rng.randint(2, 5)))
    return [[begin, end, rng.choice("xy")] for begin, end in pairwise(cuts) if rng.random() < 0.6]


def relations(rng: random.Random) -> list[list[Any]]:
    ends = [(0, 3, "P"), (2, 4, "O"), (5, 8, "P"), (6, 8, "P")]
    return [[*rng.sample(ends, 2), rng.choice("xy")] for _ in range(rng.randrange(4))]


def boundaries(rng: random.Random) -> dict[str, Any]:
    by_type = {kind: [place for place in range(1, 9) if rng.random() < 0.25] for kind in (1, 2, 4)}
    return {"boundaries": by_type, "length": 9}


def lengths(rng: random.Random) -> list[int]:
    ends = [place for place in range(1, 7) if rng.random() < 0.3]
    return [end - begin for begin, end in pairwise([0, *ends, 7])]


Make = Callable[[random.Random], Any]
MAKERS: dict[str, Make] = {
    "any": label,
    "pairs": pair,
    "numbers": number,
    "clusters": clusters,
    "dependencies": parse,
    "spans": spans,
    "relations": relations,
    "segments": boundaries,
}
# Measures that take less than their kind of values allows.
OWN_MAKERS: dict[str, Make] = {
    "u_alpha": stretches,
    "alpha_u_1995": stretches,
    "corrected_boundary_similarity": lengths,
}


def study(name: str, seed: int, make: Make) -> list[Row]:
    """A tiny study with gaps, ties, items of one annotator, and sometimes with hardly any difference."""
    facts, rng = MEASURES[name].facts, random.Random(seed)
    people = "ab" if facts.annotators == "two" else "abc"[: rng.choice([2, 3])]
    gaps = 0 if name == "icc" else rng.choice([0, 0, 0.2, 0.5])
    faithful = rng.choice([0, 0.4, 0.8, 1])
    rows = []
    for item in range(rng.choice([1, 2, 3, 4])):
        truth = make(rng)
        rows += [
            (f"i{item}", who, truth if rng.random() < faithful else make(rng)) for who in people if rng.random() >= gaps
        ]
    return rows


# Each measure as it is called without options, and otherwise

PLAIN = {"alpha": {"distance": "nominal"}, "ac2": {"weights": "quadratic"}}
for of_pairs in ("auc", "ks", "sigma"):
    PLAIN[of_pairs] = {"distance": "interval"}
FURTHER: list[tuple[str, dict[str, Any]]] = [
    *((name, {"weights": "linear"}) for name in ("alpha", "percent", "fleiss_kappa", "cohen_kappa", "light_kappa")),
    *((name, {"distance": "ordinal"}) for name in ("alpha", "conger_kappa", "scott_pi", "bennett_s", "van_oest")),
    *(
        ("alpha", {"distance": distance})
        for distance in ("interval", "ratio", "circular:period=7", "polar:low=0,high=9")
    ),
    *(("cohen_kappa", {"missing": missing}) for missing in ("gwet", "category")),
    *(("spa", {"weigh": weigh}) for weigh in reference.labels.WEIGHINGS),
    *(("spa", {"weigh": weigh, "corrected": True}) for weigh in ("flat", "edges", "annotations_m1", "inv_var_class")),
    ("spa", {"distance": "interval", "weigh": "inv_var_class"}),
    ("spa", {"distance": "ordinal", "corrected": True}),
    ("van_oest", {"prior": 3.0}),
    ("augmented_kappa", {"p": 0.75}),
    ("f_score", {"average": "macro"}),
    ("f_score", {"positive": 2}),
    *(("icc", {"form": f"ICC({form})"}) for form in ("1,1", "3,1", "1,k", "2,k", "3,k")),
    *(("sigma", {"distance": "linear", "p": p}) for p in (0.25, 0.3, 0.5)),
    *(("attachment", {"kind": kind}) for kind in ("uas", "label")),
    ("attachment", {"punctuation": ["punct"]}),
    *(("attachment", {"average": average}) for average in ("pairs", "sentences")),
    *(("coref_f1", {"metric": metric}) for metric in ("muc", "b3", "ceaf_m", "ceaf_e", "lea")),
    *(("coref_f1", {"metric": "b3", "average": average}) for average in ("pooled", "documents")),
    *(("coref_f1", {"metric": "lea", "mentions": mentions}) for mentions in ("common", "all")),
    *(("coref_alpha", {"distance": distance, "chance": "study"}) for distance in ("jaccard", "passonneau2004")),
    ("coref_alpha", {"unmarked": "leave"}),
    *(("span_f1", {"match": match}) for match in ("overlap", "jaccard", "dice", "iou>=0.5", "within:1", "label")),
    *(("span_f1", {"match": f"semeval_{match}"}) for match in ("strict", "exact", "partial", "type")),
    *(("span_f1", {"average": average}) for average in ("documents", "pairs", "labels")),
    *(("span_f1", {"match": "jaccard", "same_label": same}) for same in (True, False)),
    *(("relation_f1", {"match": "jaccard", "credit": credit}) for credit in ("product", "mean")),
    *(("relation_f1", {"match": "overlap", "average": average}) for average in ("documents", "pairs", "labels")),
    ("relation_f1", {"directed": False, "argument_labels": False}),
    ("corrected_span_f1", {"match": "jaccard", "length": 12}),
    *(("u_alpha", {"variant": variant, "length": 10}) for variant in ("u", "bu", "cu")),
    ("u_alpha", {"variant": "ku", "category": "x"}),
    ("alpha_u_1995", {"length": 12}),
    *(("gamma", {"alpha": 2.0, "beta": 0.5, "empty": empty}) for empty in (1.0, 3.0)),
    *((name, {"window": 3}) for name in ("pk", "window_diff")),
    *((name, {"against": "a"}) for name in ("pk", "window_diff")),
    ("window_diff", {"lamprier": True}),
    *((name, {"near": 3}) for name in ("boundary_similarity", "segmentation_similarity")),
    *((name, {"types": "nominal"}) for name in ("boundary_similarity", "segmentation_similarity")),
    ("corrected_boundary_similarity", {"near": 1}),
]
CASES = [*((name, PLAIN.get(name, {})) for name in MEASURES), *FURTHER]
SETS = [
    (name, {"distance": distance}) for name in ("alpha", "percent", "fleiss_kappa") for distance in ("masi", "jaccard")
]


# Options that name an annotator or a label, which must be there: somebody used it.
NAMES: dict[str, Callable[[list[Row]], bool]] = {
    "{'positive': 2}": lambda rows: any(value == 2 for *_, value in rows),
    "{'variant': 'ku', 'category': 'x'}": lambda rows: "'x'" in str(rows),
    "{'punctuation': ['punct']}": lambda rows: "'punct'" in str(rows),
    "{'against': 'a'}": lambda rows: any(who == "a" for _, who, _ in rows),
}


def named(case: tuple[str, dict[str, Any]]) -> str:
    return " ".join([case[0], *(f"{option}={given}" for option, given in case[1].items())])


def held(name: str, rows: list[Row], options: dict[str, Any], **reading: Any) -> bool | None:
    """Hold a measure to its definition; whether it is defined, or None where the definition leaves the number open."""
    kind = MEASURES[name].facts.values
    how = {"kind": kind} if kind not in {"any", "pairs"} else {}
    if not NAMES.get(str(options), lambda _: True)(rows):
        return None
    found = MEASURES[name](ia.Annotations.of(rows, **how, **reading), **options)
    own = getattr(reference, name)
    taken = {option: given for option, given in reading.items() if option in _options(own)}
    if name in {"gamma", "gamma_cat"}:
        taken["expected"] = found.disagreement.expected
        if found.undefined or not _one_alignment(name, rows):
            return None
    wanted = own(rows, **options, **taken)
    if wanted is None:
        assert found.undefined is not None
        assert math.isnan(found.value)
        return False
    assert found.undefined is None, found.undefined
    assert found.value == pytest.approx(float(wanted), rel=1e-9, abs=1e-9)
    return True


def _options(function: Callable[..., Any]) -> set[str]:
    names = set(inspect.signature(function).parameters)
    return names | {"values"} if "scale" in names else names


def _one_alignment(name: str, rows: list[Row]) -> bool:
    """Whether one alignment of each document is the best: gamma-cat is about that one, and gamma about its cost."""
    if name == "gamma":
        return True
    by: dict[str, dict[str, Any]] = {}
    for item, who, value in rows:
        by.setdefault(item, {})[who] = value
    return all(len(cheapest(given)[1]) == 1 for given in by.values() if len(given) > 1)


def test_every_measure_has_a_definition() -> None:
    assert set(reference.__all__) == {name for name in MEASURES if MEASURES[name].__module__.startswith("interagree.")}
    assert set(reference.PARTLY) <= set(reference.__all__)
    for name in reference.__all__:
        assert getattr(reference, name).__doc__


def test_the_example_of_the_definitions_is_right() -> None:
    assert doctest.testmod(reference) == (0, 4)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_measure_is_its_definition(case: tuple[str, dict[str, Any]]) -> None:
    name, options = case
    make = OWN_MAKERS.get(name, MAKERS[MEASURES[name].facts.values])
    seeds = SEEDS[:7] if name in {"gamma", "gamma_cat"} else SEEDS
    declared = {"values": [1, 2, 3, 5]} if MEASURES[name].facts.values == "any" else {}
    defined = [held(name, study(name, seed, make), options, **(declared if seed % 2 else {})) for seed in seeds]
    assert defined.count(True) >= 3


@pytest.mark.parametrize("case", SETS, ids=named)
def test_a_measure_of_sets_is_its_definition(case: tuple[str, dict[str, Any]]) -> None:
    name, options = case
    assert sum(held(name, study(name, seed, of_sets), options) is True for seed in SEEDS) > 8
