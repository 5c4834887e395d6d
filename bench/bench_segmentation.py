"""How long do measures of segmentation take, beside segeval?

Two annotators cut one long document, a boundary after every unit with the same probability, so that segments are ten
units long on average; some boundaries are shared and some are off by one.  segeval is asked for both directions of the
pair, as we take them.  segeval takes the lengths of segments as tuples.  Ours is timed from the same lists, reading
them included, and from a study, which a second measure finds already packed; *a study at first* is the first measure of
it.  Answers must be equal to 1e-9.

B and pi count edits in a loop that is compiled once there is much to do: of 10,000 units *from a study* is the compiled
loop, and *at first* and *from lists* are the plain one.

    python bench/bench_segmentation.py            documents of 10,000 and of 100,000 units, then many short ones
    python bench/bench_segmentation.py 1e3        one of another length
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import harness
import numpy as np

TITLES = {
    "pk": "Pk",
    "window_diff": "WindowDiff",
    "boundary_similarity": "boundary similarity B",
    "boundary_pi": "boundary pi",
}
WANTED = {"pk": 50, "window_diff": 200, "boundary_similarity": 2}  # times faster, from a study
SEGMENT = 10  # units, on average
SHORT = 400  # units of each of many documents; segeval stops at one without a boundary


def corpus(units: int, documents: int, people: int = 2) -> dict[str, dict[str, tuple[int, ...]]]:
    """Documents of so many units, as each annotator cut them: the lengths of the segments."""
    rng = np.random.default_rng(units)
    found = {}
    for name in range(documents):
        truth = np.flatnonzero(rng.random(units - 1) < 1 / SEGMENT) + 1
        cuts = {}
        for who in range(people):
            mine = truth[rng.random(len(truth)) < 0.8]
            mine = np.clip(mine + rng.choice([-1, 0, 1], len(mine), p=[0.1, 0.8, 0.1]), 1, units - 1)
            more = np.flatnonzero(rng.random(units - 1) < 0.2 / SEGMENT) + 1
            ends = np.unique(np.concatenate([mine, more]))
            cuts[f"annotator {who}"] = tuple(np.diff(np.concatenate([[0], ends, [units]])).tolist())
        found[f"document {name}"] = cuts
    return found


# -- ours --------------------------------------------------------------------------------------------------


def study(data: dict[str, dict[str, tuple[int, ...]]]) -> Any:
    """The segmentations as ours."""
    import interagree as ia

    rows = [(name, who, cut) for name, cuts in data.items() for who, cut in cuts.items()]
    return ia.Annotations.of(rows, kind="segments")


def ours(method: str, units: int, documents: int, begin: str) -> Any:
    """One measure, from lists, from a study that was not asked before, or from one that was."""
    from interagree.plugins import MEASURES

    measure, data = MEASURES[method], corpus(units, documents)
    measure(study(corpus(100, 2)))  # imports what is imported late
    if begin == "lists":
        return lambda: measure(study(data)).value
    if begin == "at first":
        waiting = [study(data) for _ in range(20)]
        return lambda: measure(waiting.pop()).value
    ready = study(data)
    measure(ready)
    return lambda: measure(ready).value


# -- segeval -----------------------------------------------------------------------------------------------


def segeval(method: str, units: int, documents: int) -> Callable[[], float]:
    """One measure of segeval."""
    import segeval as peer

    data = corpus(units, documents)
    pairs = [tuple(cuts.values()) for cuts in data.values()]

    def similar() -> float:
        return float(np.mean([float(peer.boundary_similarity(a, b)) for a, b in pairs]))

    def windows() -> float:
        function = getattr(peer, method)
        return 1 - float(np.mean([float(function(*pair)) for a, b in pairs for pair in ((a, b), (b, a))]))

    if method == "boundary_pi":
        return lambda: float(peer.fleiss_pi_linear(peer.Dataset(data)))
    return similar if method == "boundary_similarity" else windows


# -- tables ------------------------------------------------------------------------------------------------


def beside(units: int, documents: int) -> None:
    """Each measure beside segeval."""
    size = {"units": units, "documents": documents}
    for method, title in TITLES.items():
        rows = [
            harness.run(
                __file__,
                "ours",
                name=f"interagree, {begin}",
                repeat=300 if begin == "from a study" else 20,
                method=method,
                begin=begin.removeprefix("from ").removeprefix("a study "),
                **size,
            )
            for begin in ("from a study", "a study at first", "from lists")
        ]
        rows.append(harness.run(__file__, "segeval", repeat=5, method=method, **size))
        about = f"{title}, {documents:,} document{'s' if documents > 1 else ''} of {units:,} units, 2 annotators"
        about += f"; wanted: {WANTED[method]} times faster" if method in WANTED else ""
        harness.show(about, rows, to="interagree, from a study")


def main() -> None:
    """Long documents, then many short ones."""
    harness.machine()
    if len(sys.argv) > 1:
        beside(int(float(sys.argv[1])), 1)
        return
    beside(10_000, 1)
    beside(100_000, 1)
    beside(SHORT, 500)


if __name__ == "__main__":
    main()
