"""How long does gamma take, beside pygamma-agreement and where that cannot follow?

Annotations are noisy copies of a reference: units of mean length 10 with gaps of mean 5, both varying by a fifth
(normal laws), and four categories; each annotator moves begins and ends by a quarter of the length, misses 8 % of the
units, adds 8 %, and gives 15 % another category.  Alpha, beta and the cost of an empty unit are 1, and there are 30
samples of chance.

*Beside pygamma-agreement*: the same document and the same samples, both in one process, with the loops of both
compiled beforehand.  pygamma-agreement gets its continua ready made and no time is taken for drawing samples, while
ours is the whole call, from lists through drawing to the result.  Of sizes that are slow for it, it aligns the document
and the first samples only, and the mean of these samples stands for all 30.  Disorders must be equal to 1e-5, as
it computes in single precision.  It solves its programs with GLPK, which is what it has without further installation.

*Without it*: from lists to the result, in a process of its own.  *Uneven* has lengths that vary by a half (a gamma law)
and gaps that vary as much as they are long (an exponential law).  Memory is the most that the process ever had, with
Python, the compiler and the lists.

*The first call*: a fresh process, imports included, with an empty folder for what numba compiles, and later starts.

    python bench/bench_gamma.py                   all
    python bench/bench_gamma.py beside            a part: beside, larger or start
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import numpy as np

SAMPLES = 30
EQUAL = 1e-5
# annotators, units, samples that pygamma-agreement aligns, how many times faster was wanted
RACES = [(2, 20, 30, 0), (2, 200, 30, 100), (3, 50, 30, 0), (3, 200, 2, 500), (4, 20, 30, 0), (4, 50, 2, 500)]
# documents, annotators, units, whether they are uneven, seconds that were wanted
LARGER = [
    (1, 4, 200, False, 5),
    (1, 5, 100, False, 5),
    (1, 2, 50_000, False, 10),
    (1, 3, 10_000, False, 10),
    (1_000, 3, 30, False, 20),
    (1, 7, 30, False, 1),
    (1, 8, 30, False, 10),
    (1, 10, 15, False, 10),
    (1, 20, 8, False, 30),
    (1, 4, 200, True, 5),
    (1, 5, 100, True, 5),
    (1, 8, 30, True, 10),
]
PATIENCE = 60  # seconds on the clock that one of these may take
MEGABYTES = 500  # wanted of all of these
STARTS = [(2, 200), (3, 200), (5, 50)]
FIRST, LATER = 10, 1  # seconds wanted of the first call and of later starts


# -- annotations -------------------------------------------------------------------------------------------


def document(annotators: int, units: int, rng: np.random.Generator, *, uneven: bool) -> list[list[list[Any]]]:
    """What each annotator marked: [begin, end, category]."""
    length = rng.gamma(4, 2.5, units) if uneven else np.maximum(rng.normal(10, 2, units), 2)
    gap = rng.exponential(5, units) if uneven else np.maximum(rng.normal(5, 1, units), 0.5)
    begin = np.cumsum(length + gap) - length
    category = rng.integers(0, 4, units)
    return [_copy(begin, length, category, rng) for _ in range(annotators)]


def _copy(begin: Any, length: Any, category: Any, rng: np.random.Generator) -> list[list[Any]]:
    seen = rng.random(len(begin)) > 0.08
    added = rng.binomial(len(begin), 0.08)
    off = rng.normal(0, 0.25, (2, seen.sum())) * length[seen]
    long = rng.choice(length, added)
    start = np.concatenate([begin[seen] + off[0], rng.uniform(0, begin[-1], added)])
    stop = np.concatenate([begin[seen] + length[seen] + off[1], start[seen.sum() :] + long])
    stop = np.maximum(stop, start + 0.5)
    other = (category[seen] + rng.integers(1, 4, seen.sum())) % 4
    flipped = np.where(rng.random(seen.sum()) < 0.15, other, category[seen])
    kind = np.concatenate([flipped, rng.integers(0, 4, added)])
    order = np.lexsort((stop, start))
    columns = (np.round(start[order], 3).tolist(), np.round(stop[order], 3).tolist(), kind[order].tolist())
    return [[one, two, "ABCD"[three]] for one, two, three in zip(*columns, strict=True)]


def columns(documents: int, annotators: int, units: int, *, uneven: bool = False) -> dict[str, Any]:
    """A study of such documents."""
    rng = np.random.default_rng([documents, annotators, units])
    values = [marked for _ in range(documents) for marked in document(annotators, units, rng, uneven=uneven)]
    item, annotator = np.divmod(np.arange(len(values)), annotators)
    return {"item": item.tolist(), "annotator": [f"a{who}" for who in annotator], "value": values}


# -- beside pygamma-agreement ------------------------------------------------------------------------------


def least(function: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """The least processor seconds of several rounds, and the result of the last one."""
    found, best = None, float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        found = function()
        best = min(best, time.process_time() - begun)
    return best, found


def theirs(continuum: Any) -> Any:
    """A document as pygamma-agreement has it."""
    from pyannote.core import Segment
    from pygamma_agreement import Continuum

    made = Continuum()
    for who in range(continuum.annotators):
        made.add_annotator(str(who))
    places = zip(continuum.who, continuum.begin, continuum.end, continuum.category, strict=True)
    for who, begin, end, category in places:
        made.add(str(who), Segment(float(begin), float(end)), "ABCD"[category])
    return made


def same(name: str, ours: float, other: float) -> None:
    """Stop where pygamma-agreement gives another number."""
    if not abs(ours - other) <= EQUAL * max(1, abs(ours)):
        sys.exit(f"{name}: {ours} here, and {other} by pygamma-agreement")


def ready() -> None:
    """Have all loops compiled from the first call on."""
    from interagree.kernels import alignment, alignment_sets, packing
    from interagree.kernels.compiled import Compiled

    for loop in (loop for module in (alignment, alignment_sets, packing) for loop in vars(module).values()):
        if isinstance(loop, Compiled):
            _ = loop.fast


def race(sizes: list[list[int]]) -> Any:
    """Both at all sizes; the answer is six numbers for each."""
    import logging

    import pygamma_agreement

    import interagree as ia

    logging.disable(logging.WARNING)
    unlike = pygamma_agreement.CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)
    ready()
    for annotators in {size[0] for size in sizes}:
        small = columns(1, annotators, 10)
        ia.gamma(ia.Annotations.of(small, kind="spans"), samples=SAMPLES)
        theirs(_document(small).continuum).get_best_alignment(unlike)
    return lambda: [number for size in sizes for number in raced(unlike, *size[:3])]


def _document(data: dict[str, Any]) -> Any:
    import interagree as ia
    from interagree.stats.documents.unit_documents import UnitDocuments

    return UnitDocuments.of(ia.Annotations.of(data, kind="spans")).documents[0]


def raced(unlike: Any, annotators: int, units: int, few: int) -> list[float]:
    """Seconds of the best alignment, theirs and ours, of gamma, theirs and ours; gamma, the largest difference."""
    import interagree as ia
    from interagree.stats.documents.alignment import best
    from interagree.stats.documents.continuum import Dissimilarity
    from interagree.stats.documents.unit_chance import draws

    data = columns(1, annotators, units)
    text = _document(data)
    source = draws(text.continuum, text.length, "shuffle", 0, text.key)
    samples = [next(source) for _ in range(SAMPLES)]
    d = Dissimilarity(1.0 - np.eye(4))
    own_best, own = least(lambda: best(text.continuum, d), 10)
    own_whole, result = least(
        lambda: ia.gamma(ia.Annotations.of(data, kind="spans"), samples=SAMPLES), 3 if units * annotators > 300 else 5
    )
    continuum = theirs(text.continuum)
    their_best, aligned = least(lambda: continuum.get_best_alignment(unlike), 1 if few < SAMPLES else 3)
    name = f"{annotators} × {units}"
    same(name, own.disorder, float(aligned.disorder))
    same(name, own.disorder, result.disagreement.observed)
    others = [theirs(sample) for sample in samples[:few]]
    their_drawn, chance = least(lambda: [float(one.get_best_alignment(unlike).disorder) for one in others], 1)
    exact = [best(sample, d).disorder for sample in samples]
    for at, found in enumerate(chance):
        same(f"{name}, sample {at}", exact[at], found)
    same(name, float(np.mean(exact)), result.disagreement.expected)
    if few == SAMPLES:
        same(name, result.value, 1 - float(aligned.disorder) / float(np.mean(chance)))
    pairs = [(own.disorder, float(aligned.disorder)), *zip(exact, chance, strict=False)]
    apart = max(abs(one - two) for one, two in pairs)
    their_whole = their_best + their_drawn * SAMPLES / few
    return [their_best, own_best, their_whole, own_whole, result.value, apart]


def beside() -> None:
    """The table of all races."""
    row = harness.run(__file__, "race", repeat=1, sizes=RACES)
    if "failed" in row:
        sys.exit(row["failed"])
    print("\nThe best alignment, and gamma with 30 samples: CPU s\n")
    heads = ["annotators × units", "alignment, pygamma", "interagree", "times", "γ, pygamma", "of samples"]
    lines = [[*heads, "interagree, from lists", "times", "wanted", "γ", "largest difference"]]
    for at, (annotators, units, few, wanted) in enumerate(RACES):
        found = row["answer"][6 * at : 6 * at + 6]
        first, second, third, fourth = (harness.seconds_text(one) for one in found[:4])
        ratios = [f"{found[k] / found[k + 1]:,.0f}" for k in (0, 2)]
        aligned = str(few) if few == SAMPLES else f"{few}, scaled"
        size = f"{annotators} × {units}"
        lines.append([size, first, second, ratios[0], third, aligned, fourth, ratios[1]])
        lines[-1] += [str(wanted or ""), f"{found[4]:.4f}", f"{found[5]:.0e}"]
    table(lines)


# -- where it cannot follow --------------------------------------------------------------------------------


def whole(documents: int, annotators: int, units: int, *, uneven: bool) -> Any:
    """From lists to gamma; the answer has the units, what reading took, and the memory of the process too."""
    import interagree as ia

    data = columns(documents, annotators, units, uneven=uneven)
    ready()
    ia.gamma(ia.Annotations.of(columns(1, annotators, 5), kind="spans"), samples=SAMPLES)

    def timed() -> list[float]:
        begun = time.process_time()
        study = ia.Annotations.of(data, kind="spans")
        built = time.process_time() - begun
        result = ia.gamma(study, samples=SAMPLES)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return [result.value, sum(map(len, data["value"])), built, peak]

    return timed


def larger() -> None:
    """The table of sizes that pygamma-agreement does not come to an end with."""
    print("\ngamma from lists, with 30 samples of each document\n")
    heads = ["documents × annotators × units", "units in all", "wall s", "CPU s"]
    table([[*heads, "of which reading lists", "wanted s", "MB in all", "γ"]])
    for documents, annotators, units, uneven, wanted in LARGER:
        size = f"{documents:,} × {annotators} × {units:,}{', uneven' if uneven else ''}"
        call = {"documents": documents, "annotators": annotators, "units": units, "uneven": uneven}
        row = harness.run(__file__, "whole", repeat=1, seconds=PATIENCE, **call)
        if "failed" in row:
            print_row([size, "", "–", "–", "–", str(wanted), "–", f"**{row['failed']}**"])
            continue
        value, marked, built, peak = row["answer"]
        seconds = [harness.seconds_text(one) for one in (row["wall"], row["cpu"], built)]
        room = f"{peak / harness.MEGABYTE:,.0f}"
        print_row([size, f"{marked:,.0f}", *seconds, str(wanted), room, f"{value:.4f}"])
    print(f"\nWanted of memory: {MEGABYTES} MB.")


# -- the first call ----------------------------------------------------------------------------------------

JOB = """
import json, sys, time
data = json.load(open(sys.argv[1], encoding="utf-8"))
clock = lambda: (time.perf_counter(), time.process_time())
marks = [clock()]
for _ in range(2):
    import interagree as ia
    value = ia.gamma(ia.Annotations.of(data, kind="spans"), samples=30).value
    marks.append(clock())
laps = [[there - here for here, there in zip(*two)] for two in zip(marks, marks[1:])]
print(json.dumps({"laps": laps, "value": value}))
"""


def once(path: Path, folder: str) -> dict[str, Any]:
    """The laps of one process: the first time and the second."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", JOB, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=170)
    if done.returncode:
        sys.exit(done.stderr[-300:])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def start() -> None:
    """The table of first and later starts."""
    print("\nA fresh process, imports included; seconds on the clock (and of processor)\n")
    lines = [["annotators × units", "", "first time", "wanted s", "second time"]]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "study.json"
        for annotators, units in STARTS:
            path.write_text(json.dumps(columns(1, annotators, units)), encoding="utf-8")
            with tempfile.TemporaryDirectory() as folder:
                first = once(path, folder)
                later = min((once(path, folder) for _ in range(3)), key=lambda row: row["laps"][0][1])
            same(f"{annotators} × {units}", first["value"], later["value"])
            for how, row, wanted in (("first here", first, FIRST), ("later", later, LATER)):
                laps = [f"{wall:.2f} ({cpu:.2f})" for wall, cpu in row["laps"]]
                lines.append([f"{annotators} × {units}", how, laps[0], str(wanted), laps[1]])
    table(lines)


def table(lines: list[list[str]]) -> None:
    """Print lines as a Markdown table, the first one as its head."""
    for line in (lines[0], ["---", *["---:"] * (len(lines[0]) - 1)], *lines[1:]):
        print_row(line)


def print_row(line: list[str]) -> None:
    """Print a line of a table at once."""
    print("| " + " | ".join(line) + " |", flush=True)


def main() -> None:
    """All parts, or those asked for."""
    harness.machine()
    parts = {"beside": beside, "larger": larger, "start": start}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
