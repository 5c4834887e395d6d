"""Studies that are large in one way each, and a process of its own in which a measure is tried on one of them.

Run as a program, ``python tests/sizes.py KIND SHAPE``, it builds one study and tries every measure of that kind on it,
each in a child with a bound on memory and on processor time, and prints a line of JSON for each.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator

import numpy as np

import interagree as ia
from interagree.errors import InteragreeError
from interagree.plugins import MEASURES

ROOM = 4 << 30  # bytes that a measure may take
SECONDS = 300  # of processor time after which it hangs: far more than any takes, on a slow machine too

Shapes = dict[str, Callable[[float], ia.Annotations]]


def coded(
    items: int, people: int, values: int, *, numbers: bool = False, per_item: int | None = None
) -> ia.Annotations:
    """Labels that are right in seven of ten cases; each value occurs."""
    draw = np.random.default_rng(0)
    each = people if per_item is None else min(per_item, people)
    truth = np.arange(items) % values
    value = np.where(draw.random((items, each)) < 0.7, truth[:, None], draw.integers(0, values, (items, each)))
    item = np.repeat(np.arange(items, dtype=np.int32), each)
    annotator = np.tile(np.arange(each), items)
    if per_item is not None:
        annotator = (annotator * 7 + np.repeat(draw.integers(0, people, items), each)) % people
    names = [float(code) if numbers else f"v{code}" for code in range(values)]
    who = [f"w{code}" for code in range(people)]
    return ia.Annotations.from_codes(
        item, annotator.astype(np.int32), value.reshape(-1).astype(np.int32), range(items), who, names
    )


def of_labels(*, numbers: bool = False) -> Shapes:
    return {
        "values": lambda s: coded(max(int(20_000 * s), 5), 3, max(int(20_000 * s), 5), numbers=numbers),
        "annotators": lambda s: coded(max(int(10_000 * s), 5), max(int(5_000 * s), 5), 5, numbers=numbers, per_item=5),
        "crowd": lambda s: coded(max(int(200 * s), 3), max(int(5_000 * s), 5), 5, numbers=numbers),
        "one item": lambda s: coded(1, max(int(10_000 * s), 5), 5, numbers=numbers),
        "items": lambda s: coded(max(int(1_000_000 * s), 5), 2, 5, numbers=numbers),
    }


def of_two(*, numbers: bool = False) -> Shapes:
    return {
        "values": lambda s: coded(max(int(20_000 * s), 5), 2, max(int(20_000 * s), 5), numbers=numbers),
        "items": lambda s: coded(max(int(1_000_000 * s), 5), 2, 5, numbers=numbers),
    }


def documents(kind: str, made: Callable[[np.random.Generator, int], object], long: int) -> Shapes:
    """One long document, many short ones, and many annotators."""

    def study(count: float, people: float, size: float) -> ia.Annotations:
        draw = np.random.default_rng(0)
        given = {
            f"w{who}": [made(draw, max(int(size), 3)) for _ in range(max(int(count), 2))] for who in range(int(people))
        }
        return ia.Annotations.of(given, kind=kind)

    return {
        "long": lambda s: study(2, 3, long * s),
        "documents": lambda s: study(5000 * s, 3, 4),
        "people": lambda s: study(5, max(200 * s, 3), 8),
    }


def spans(draw: np.random.Generator, size: int) -> list[list[object]]:
    start = np.arange(size) * 10 + draw.integers(0, 3, size)
    end = start + draw.integers(2, 6, size)
    return [[int(a), int(b), "XYZ"[code]] for a, b, code in zip(start, end, draw.integers(0, 3, size), strict=True)]


def segments(draw: np.random.Generator, size: int) -> list[int]:
    cuts = np.sort(draw.choice(np.arange(1, 10 * size), size - 1, replace=False))
    return [int(length) for length in np.diff(np.r_[0, cuts, 10 * size])]


def clusters(draw: np.random.Generator, size: int) -> list[list[str]]:
    group = np.where(draw.random(size) < 0.8, np.arange(size) // 4, draw.integers(0, size // 4 + 1, size))
    return [[f"m{place}" for place in np.flatnonzero(group == code)] for code in np.unique(group)]


def dependencies(draw: np.random.Generator, size: int) -> list[list[object]]:
    heads = [min(place, int(draw.integers(0, size))) + 1 for place in range(size - 1)]
    return [[0, "root"], *([head, ("nsubj", "obj")[int(draw.integers(2))]] for head in heads)]


def relations(draw: np.random.Generator, size: int) -> list[dict[str, object]]:
    return [
        {
            "head": [20 * place, 20 * place + int(draw.integers(3, 5)), "PER"],
            "tail": [20 * place + 8, 20 * place + 12, "ORG"],
            "label": "xy"[int(draw.integers(2))],
        }
        for place in range(size)
    ]


def rankings(draw: np.random.Generator, size: int) -> list[str]:
    return [f"t{place}" for place in np.argsort(np.arange(size) + draw.normal(scale=size / 5, size=size))]


def pairs(scale: float, values: int) -> ia.Annotations:
    draw = np.random.default_rng(0)
    count = max(int(20_000 * scale), 5)
    first, second = draw.integers(0, values, (2, count, 2))
    return ia.Annotations.of(
        [(i, a, (f"x{first[i, j]}", f"y{second[i, j]}")) for i in range(count) for j, a in enumerate("ab")]
    )


SHAPES: dict[str, Shapes] = {
    "any": of_labels(),
    "numbers": of_labels(numbers=True),
    "two": of_two(),
    "two numbers": of_two(numbers=True),
    "spans": documents("spans", spans, 2000),
    "segments": documents("segments", segments, 10_000),
    "clusters": documents("clusters", clusters, 5000),
    "dependencies": documents("dependencies", dependencies, 10_000),
    "relations": documents("relations", relations, 5000),
    "rankings": documents("rankings", rankings, 2000),
    "pairs": {"values": lambda s: pairs(s, max(int(20_000 * s), 5)), "items": lambda s: pairs(s, 5)},
}


def kind_of(measure: str) -> str:
    """The kind of studies that a measure is tried on."""
    facts = MEASURES[measure].facts
    if facts.annotators == "two" and facts.values in ("any", "numbers"):
        return "two" if facts.values == "any" else "two numbers"
    return str(facts.values)


def measures_of(kind: str) -> list[str]:
    """The measures that are tried on studies of a kind; every kind has alpha, with its usual distance."""
    return sorted({name for name in MEASURES if kind_of(name) == kind} | ({"alpha"} if kind != "pairs" else set()))


def answer(measure: str, study: ia.Annotations) -> str:
    """What a measure answers, or the sentence with which it refuses; anything else is raised."""
    try:
        return str(MEASURES[measure](study))
    except InteragreeError as error:
        return f"refused: {error}"


def in_child(measure: str, study: ia.Annotations) -> str:
    """The same in a child with bounds; how it ended where it did not answer."""
    import resource

    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            with open("/proc/self/statm", encoding="ascii") as held:  # noqa: PTH123 -- not a file
                there = int(held.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (there + ROOM,) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS,) * 2)
            said = answer(measure, study)
        except BaseException as error:  # noqa: BLE001 -- this is what is looked for
            said = f"{type(error).__name__}: {error}"
            said = f"FAILED {said}"
        os.write(writing, said[:2000].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    return said or f"FAILED, killed with status {status}"


def tried(kind: str, shape: str, scale: float = 1.0) -> Iterator[tuple[str, str]]:
    """Every measure of a kind on a study of a shape."""
    study = SHAPES[kind][shape](scale)
    for measure in measures_of(kind):
        yield measure, in_child(measure, study)


if __name__ == "__main__":
    for name, said in tried(*sys.argv[1:3], *map(float, sys.argv[3:])):
        sys.stdout.write(json.dumps([name, said]) + "\n")
