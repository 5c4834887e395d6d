"""How long until something happens: the interpreter, the import, the help, a first small result.

Each command is run many times in turn with the others, and the least counts, so that a busy machine disturbs all alike.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness

ROUNDS = 15
PROGRAM = str(Path(sys.executable).with_name("interagree"))


def once(command: list[str], folder: str) -> tuple[float, float, str]:
    """Seconds on the clock, seconds of processor, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, env={**os.environ})
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return (wall, spent, done.stdout if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr[-80:]}")


def study(folder: Path) -> None:
    """Twenty items, three annotators."""
    rows = [f"{i},{who},{'yes' if (i * 7 + at) % 3 else 'no'}" for i in range(20) for at, who in enumerate("abc")]
    (folder / "labels.csv").write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """Interleaved rounds, then one table."""
    harness.machine()
    measure = [PROGRAM, "measure", "labels.csv"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import interagree": [sys.executable, "-c", "import interagree"],
        "import numpy": [sys.executable, "-c", "import numpy"],
        "interagree --help": [PROGRAM, "--help"],
        "interagree measure labels.csv": measure,
        "interagree measure -m alpha labels.csv": [PROGRAM, "measure", "-m", "alpha", "labels.csv"],
        "ia.alpha of a list": [
            sys.executable,
            "-c",
            "import interagree as ia; ia.alpha({'a': [1, 2, 3], 'b': [1, 2, 2]})",
        ],
    }
    best: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        study(Path(folder))
        first = once(measure, folder)  # with less of it in the cache of files
        for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS):
            for name, command in commands.items():
                wall, spent, said = once(command, folder)
                if said.startswith("exit code"):
                    sys.exit(f"{name}: {said}")
                known = best.get(name, (wall, spent))
                best[name] = (min(known[0], wall), min(known[1], spent))
    bare = best["python -c pass"]
    print("\nThe least of many runs, in milliseconds\n")
    print("| | wall ms | CPU ms | above bare Python, wall ms | × bare Python |\n| --- | ---: | ---: | ---: | ---: |")
    shown = {**best, "interagree measure labels.csv, the first run here": first[:2]}
    for name, (wall, spent) in shown.items():
        print(
            f"| {name} | {wall * 1e3:.0f} | {spent * 1e3:.0f} | {(wall - bare[0]) * 1e3:.0f} | {wall / bare[0]:.1f} |"
        )


if __name__ == "__main__":
    main()
