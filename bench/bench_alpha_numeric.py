"""How does alpha of numbers grow with the number of distinct values?

Five annotators, every number different, so that a table of values by values has as many rows as there are annotations.
Peers get 8 GB of address space; what they do then is part of the answer.
"""

from __future__ import annotations

import sys
from typing import Any

import harness
import numpy as np

ANNOTATORS = 5
ROOM = 8  # gigabytes
DISTANCES = {
    "ordinal": "ordinal",
    "interval": "interval",
    "circular": "circular:period=24",
    "ratio": "ratio",
    "polar": "polar:low=0,high=24",
}


def numbers(count: int) -> Any:
    """Items × annotators: hours of the day, close together within an item."""
    rng = np.random.default_rng(count)
    middle = rng.uniform(4, 20, (count // ANNOTATORS, 1))
    return middle + rng.normal(0, 1, (count // ANNOTATORS, ANNOTATORS)).clip(-3.9, 3.9)


def ours(count: int, distance: str) -> Any:
    """From three columns, duplicates looked for."""
    import interagree as ia

    matrix = numbers(count)
    item, annotator = np.divmod(np.arange(matrix.size), ANNOTATORS)
    study = {"item": item, "annotator": annotator, "value": matrix.reshape(-1)}
    return lambda: ia.alpha(study, distance=DISTANCES[distance]).value


def with_interval(count: int, distance: str) -> Any:
    """The same with its 95 % interval."""
    import interagree as ia

    matrix = numbers(count)
    item, annotator = np.divmod(np.arange(matrix.size), ANNOTATORS)
    study = {"item": item, "annotator": annotator, "value": matrix.reshape(-1)}

    def timed() -> float:
        result = ia.alpha(study, distance=DISTANCES[distance])
        result.interval()
        return result.value

    return timed


def krippendorff(count: int, distance: str) -> Any:
    """From the matrix it wants; the two distances it does not know are given as functions."""
    import krippendorff

    matrix = numbers(count).T

    def circular(a: Any, b: Any, **_: Any) -> Any:
        return np.sin(np.pi * (a - b) / 24) ** 2

    def polar(a: Any, b: Any, **_: Any) -> Any:
        return (a - b) ** 2 / ((a + b) * (48 - a - b))

    level = {"circular": circular, "polar": polar}.get(distance, distance)
    return lambda: krippendorff.alpha(reliability_data=matrix, level_of_measurement=level)


def nltk(count: int, distance: str) -> Any:
    """From the triples it wants; interval is the one distance of these that it has."""
    from nltk.metrics import interval_distance
    from nltk.metrics.agreement import AnnotationTask

    assert distance == "interval"
    triples = [(str(a), str(i), float(x)) for (i, a), x in np.ndenumerate(numbers(count))]
    return lambda: AnnotationTask(triples, distance=interval_distance).alpha()


def all_pairs(count: int, distance: str) -> Any:
    """What one would write in NumPy: the table of all values by all values."""
    matrix = numbers(count)
    far = {
        "ordinal": lambda a, b: (a - b) ** 2,
        "interval": lambda a, b: (a - b) ** 2,
        "circular": lambda a, b: np.sin(np.pi * (a - b) / 24) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2,
        "polar": lambda a, b: (a - b) ** 2 / ((a + b) * (48 - a - b)),
    }[distance]

    def timed() -> float:
        values = matrix
        if distance == "ordinal":  # all different: a rank is a place
            values = np.argsort(np.argsort(matrix.reshape(-1))).reshape(matrix.shape).astype(float)
        flat = values.reshape(-1)
        within = far(values[:, :, None], values[:, None, :]).sum() / (ANNOTATORS - 1) / flat.size
        return 1 - within / (far(flat[:, None], flat[None, :]).sum() / (flat.size * (flat.size - 1)))

    return timed


def main() -> None:
    """Each distance in steps of ten."""
    harness.machine()
    chosen = sys.argv[1:] or list(DISTANCES)
    for distance in chosen:
        sizes = [10**2, 10**3, 10**4, 10**5, *([10**6] if distance in ("ordinal", "interval") else [])]
        for count in sizes:
            peers = ["krippendorff"] if count <= 10**5 else []
            peers += ["nltk"] if distance == "interval" and count <= 10**5 else []
            peers += ["all_pairs"] if count <= 10**5 else []
            given = {"count": count, "distance": distance}
            rows = [
                harness.run(__file__, case, name=name, seconds=100, **given)
                for case, name in (("ours", "interagree"), ("with_interval", "interagree, with interval"))
            ]
            rows += [
                harness.run(__file__, peer, name=peer.replace("_", " "), gigabytes=ROOM, repeat=1, seconds=60, **given)
                for peer in peers
            ]
            harness.show(f"{distance}, {count:,} distinct values", rows, to="interagree", within=1e-7)


if __name__ == "__main__":
    main()
