"""Ask NLTK's AnnotationTask for alpha, the kappas and set-valued agreement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance, jaccard_distance, masi_distance
from talk import Answer, Study, annotators, answer, column, complete, numeric, talk

Distance = Callable[[Any, Any], float]


def ask(study: Study) -> list[Answer]:
    """Alpha everywhere; the others where everyone saw everything, for they stop otherwise."""
    if study["name"] == "sets_empty":
        return []
    found = [
        answer(
            "alpha",
            f"AnnotationTask(triples, {distance.__name__}).alpha()",
            AnnotationTask(_triples(study), distance).alpha(),
            options={"distance": name},
        )
        for name, distance in _distances(study).items()
    ]
    return found + (_kappas(study) if complete(study) and study["scale"] != "sets" else [])


def _distances(study: Study) -> dict[str, Distance]:
    if study["scale"] == "sets":
        return {"masi": masi_distance, "jaccard": jaccard_distance}
    if study["scale"] in {"interval", "ratio"}:
        return {"nominal": binary_distance, "interval": interval_distance}
    return {"nominal": binary_distance}


def _kappas(study: Study) -> list[Answer]:
    task = AnnotationTask(_triples(study))
    two = annotators(study) == 2
    call = "AnnotationTask(triples)"
    found = [
        answer("percent", f"{call}.avg_Ao()", task.avg_Ao()),
        answer("fleiss_kappa", f"{call}.pi()", task.pi()),
        answer("conger_kappa", f"{call}.multi_kappa()", task.multi_kappa()),
        answer("light_kappa", f"{call}.kappa()", task.kappa()),
    ]
    if len(task.K) == len(study["values"]):
        found.append(answer("bennett_s", f"{call}.S()", task.S()))
    if two:
        found += [answer("scott_pi", f"{call}.pi()", task.pi()), answer("cohen_kappa", f"{call}.kappa()", task.kappa())]
    for weights in study["weights"]:
        if weights in {"linear", "quadratic"}:
            value = AnnotationTask(_triples(study), _graded(study, weights)).weighted_kappa()
            call_weighted = f"AnnotationTask(triples, distance={weights}, scaled to 1).weighted_kappa()"
            measure = "cohen_kappa" if two else "light_kappa"
            found.append(answer(measure, call_weighted, value, options={"weights": weights}))
    return found


def _graded(study: Study, weights: str) -> Distance:
    values = study["values"]
    at = {value: value if numeric(study) else i for i, value in enumerate(values)}
    width = max(at.values()) - min(at.values())
    exponent = {"linear": 1, "quadratic": 2}[weights]
    return lambda a, b: (abs(at[a] - at[b]) / width) ** exponent


def traps(studies: dict[str, Study]) -> dict[str, Any]:
    """Scaling, graded distances where none belong, placeholders, empty sets, one value only."""
    ordinal, missing, unused = (studies[name] for name in ("ordinal_two", "nominal_missing", "nominal_unused"))
    steps = AnnotationTask(_triples(ordinal), lambda a, b: abs(a - b))
    graded = AnnotationTask(_triples(ordinal), _graded(ordinal, "linear"))
    two = studies["nominal_two"]
    other = next(v for v in two["values"] if v != column(two, 0)[0])
    return {
        "nltk_max_distance": steps.weighted_kappa(max_distance=4.0),
        "nltk_graded_kappa": graded.kappa(),
        "nltk_graded_pi": graded.pi(),
        "nltk_graded_s": graded.S(),
        "nltk_none_is_a_value": AnnotationTask(_triples(missing, holes=True)).alpha(),
        "nltk_unused_s": AnnotationTask(_triples(unused)).S(),
        "nltk_empty_sets": _raises(lambda: AnnotationTask(_triples(studies["sets_empty"]), masi_distance).alpha()),
        "nltk_one_value": AnnotationTask(_triples(studies["trap_one_value"])).alpha(),
        "nltk_duplicates": AnnotationTask([*_triples(two), ("A", 0, other)]).alpha(),
    }


def _triples(study: Study, *, holes: bool = False) -> list[tuple[str, int, Any]]:
    def value(code: int | None) -> Any:
        found = None if code is None else study["values"][code]
        return frozenset(found) if isinstance(found, list) else found

    return [
        ("ABCDEF"[a], i, value(code))
        for i, row in enumerate(study["rows"])
        for a, code in enumerate(row)
        if code is not None or holes
    ]


def _raises(call: Callable[[], float]) -> str:
    try:
        call()
    except (ValueError, ZeroDivisionError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


talk(ask, traps)
