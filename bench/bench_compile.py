"""What does the compiler cost: the first call of a small and of a large job, with its results on disk and without?

Each line is a fresh process that takes alpha with its interval from Python lists, and then both again from a new study.
The first time has the imports in it.  *First here* begins with an empty folder for what numba compiles
(``NUMBA_CACHE_DIR``), *later* with one that is filled, and *without numba* cannot import it.  A small job has 60
annotations.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import harness

ROUNDS = 2
JOB = """
import json, sys, time
path, kind, distance, how = sys.argv[1:]
if how == "without numba":
    sys.modules["numba"] = None
data = json.load(open(path, encoding="utf-8"))
clock = lambda: (time.perf_counter(), time.process_time())
marks = [clock()]
for _ in range(2):
    import interagree as ia
    result = ia.alpha(ia.Annotations.of(data, kind=kind), distance=distance)
    ends = result.interval()[:2]
    marks.append(clock())
laps = [[there - here for here, there in zip(*two)] for two in zip(marks, marks[1:])]
loaded = sys.modules.get("numba") is not None
print(json.dumps({"laps": laps, "loaded": loaded, "answer": [result.value, *ends]}))
"""
DISTANCES = {"boxes": "giou", "trees": "ted_norm"}
SIZES = {"boxes": [60, 15_000], "trees": [60, 300]}
SMALL = 60


def study(kind: str, count: int) -> dict[str, Any]:
    """So many annotations by three annotators."""
    import bench_distances

    items = count // 3
    some = bench_distances.boxes(items) if kind == "boxes" else bench_distances.trees(items, [20, 60, 60])
    kept = [value for at, value in enumerate(some) if at % bench_distances.ANNOTATORS < 3]
    return {
        "item": [at // 3 for at in range(len(kept))],
        "annotator": ["abc"[at % 3] for at in range(len(kept))],
        "value": kept,
    }


def once(path: Path, kind: str, how: str, folder: str) -> dict[str, Any]:
    """The laps of one process: the first time and the second."""
    command = [sys.executable, "-c", JOB, str(path), kind, DISTANCES[kind], how]
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=170)
    if done.returncode:
        sys.exit(f"{kind}, {how}: {done.stderr[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def least(path: Path, kind: str, how: str, rounds: int) -> dict[str, Any]:
    """The least of several processes."""
    rows = []
    with tempfile.TemporaryDirectory() as filled:
        if how == "later":
            once(path, kind, how, filled)
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as empty:
                rows.append(once(path, kind, how, filled if how == "later" else empty))
    return min(rows, key=lambda row: row["laps"][0][1])


def lines(path: Path, kind: str, count: int) -> None:
    """One study in all ways that come to an end."""
    answer: list[float] = []
    path.write_text(json.dumps(study(kind, count)), encoding="utf-8")
    small = count <= SMALL
    for how in ("first here", "later", *(["without numba"] if small else [])):
        row = least(path, kind, how, 1 if how == "without numba" else ROUNDS)
        answer = answer or row["answer"]
        if any(abs(a - b) > 1e-9 for a, b in zip(answer, row["answer"], strict=True)):
            sys.exit(f"{kind}, {count}: {how} gives {row['answer']}, and before it was {answer}")
        laps = [f"{wall:.2f} ({cpu:.2f})" for wall, cpu in row["laps"]]
        told = "yes" if row["loaded"] else "no"
        print("| " + " | ".join([f"{kind}, {DISTANCES[kind]}", f"{count:,}", how, *laps, told]) + " |", flush=True)


def main() -> None:
    """Each kind, small and large."""
    harness.machine()
    print("\nalpha with its interval; seconds on the clock (and of processor)\n")
    for line in (
        ["", "annotations", "", "first time", "second time", "compiler loaded"],
        ["---", "---:", "---", "---:", "---:", "---"],
    ):
        print("| " + " | ".join(line) + " |")
    with tempfile.TemporaryDirectory() as folder:
        for kind, sizes in SIZES.items():
            for count in sizes:
                lines(Path(folder) / "study.json", kind, count)


if __name__ == "__main__":
    main()
