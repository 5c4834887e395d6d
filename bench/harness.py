"""One case in a process of its own: its seconds, its memory and its answer.

A case is a function of a benchmark script.  It prepares its data and returns what is to be timed, a function without
arguments that gives the answer.  The process measures it several times and keeps the least: seconds on the clock,
seconds of all processors together, and by how much memory rose above what the prepared data took.

    rows = [run(__file__, "ours", size=10**6), run(__file__, "theirs", size=10**6)]
    show("a million", rows, to="theirs")

`show` prints a Markdown table and stops where two answers differ: a wrong answer does not win a race.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

MEGABYTE = 2**20


def run(
    script: str,
    case: str,
    *,
    name: str | None = None,
    repeat: int = 3,
    seconds: float = 300,
    gigabytes: float | None = None,
    **arguments: Any,
) -> dict[str, Any]:
    """What one case took, or why it came to nothing.

    Args:
        script: The file that holds the case.
        case: The name of the function.
        name: How the table calls it.
        repeat: How often it is measured.
        seconds: How long it may take in all.
        gigabytes: How large its address space may become.
        arguments: What the case is called with.
    """
    command = [sys.executable, __file__, script, case, json.dumps(arguments), str(repeat), str(gigabytes or 0)]
    row: dict[str, Any] = {"case": name or case.replace("_", " ")}
    # One thread for linear algebra, as in the notes of most packages; engines with threads of their own keep them.
    quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=quiet, check=False)
    except subprocess.TimeoutExpired:
        return row | {"failed": f"more than {seconds:.0f} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return row | {"failed": "out of memory" if done.returncode in (-9, 137) else last[:90]}
    return row | json.loads(done.stdout.splitlines()[-1])


def times(row: dict[str, Any], factor: float, note: str) -> dict[str, Any]:
    """A case that was run on a part of the work, scaled to the whole and marked as such."""
    if "failed" in row:
        return row
    scaled = {what: row[what] * factor for what in ("wall", "cpu")}
    return row | scaled | {"case": f"{row['case']} ({note})"}


def show(
    title: str, rows: list[dict[str, Any]], *, to: str | None = None, columns: float | None = None, within: float = 1e-9
) -> None:
    """Print the cases as a table.

    Args:
        title: What stands above it.
        rows: What `run` gave.
        to: The case whose processor seconds are the unit of the last column; by default the first.
        columns: How many bytes the data take; memory is then also given in multiples of it.
        within: How far an answer may be from the first one.
    """
    done = [row for row in rows if "failed" not in row]
    for row in done:
        check(done[0], row, within)
    base = next((row for row in done if row["case"] == to), None) if to else done[0] if done else None
    unit = "× columns" if columns else ""
    heads = ["", "wall s", "CPU s", "memory MB", *([unit] if unit else []), "answer", f"× {to}" if to else "×"]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for row in rows:
        if "failed" in row:
            lines.append([row["case"], *["–"] * (len(heads) - 3), f"**{row['failed']}**", ""])
            continue
        memory = row["memory"] / MEGABYTE
        ratio = row["cpu"] / base["cpu"] if base and base["cpu"] else math.nan
        share = [f"{row['memory'] / columns:.2f}"] if columns else []
        lines.append(
            [
                row["case"],
                seconds_text(row["wall"]),
                seconds_text(row["cpu"]),
                f"{memory:,.0f}",
                *share,
                answer_text(row["answer"]),
                "–" if math.isnan(ratio) else f"{ratio:.3g}",
            ]
        )
    print(f"\n{title}\n")
    for line in lines:
        print("| " + " | ".join(line) + " |")
    sys.stdout.flush()


def check(first: dict[str, Any], row: dict[str, Any], within: float) -> None:
    """Stop where an answer is not the one it should be."""
    ours, theirs = (one["answer"] if isinstance(one["answer"], list) else [one["answer"]] for one in (first, row))
    for a, b in zip(ours, theirs, strict=False):
        if a is None or b is None or not abs(a - b) <= within * max(1, abs(a)):
            sys.exit(f"{row['case']} gives {row['answer']}, and {first['case']} gives {first['answer']}")


def seconds_text(seconds: float) -> str:
    """Seconds with three digits that mean something."""
    return f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.3g}" if seconds >= 0.001 else f"{seconds:.1e}"


def answer_text(answer: Any) -> str:
    """An answer with the digits that fit."""
    some = answer if isinstance(answer, list) else [answer]
    return ", ".join(f"{one:,.0f}" if one == int(one) else f"{one:.6f}" for one in some[:3])


def machine() -> None:
    """Print what all this ran on."""
    import platform

    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load} when it began")


# -- inside the process ------------------------------------------------------------------------------------


def memory(name: str) -> int:
    """A figure of this process in bytes: VmRSS is now, VmHWM the highest since it was last reset."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def reset_peak() -> None:
    """Let the highest memory begin from here."""
    with contextlib.suppress(OSError):  # elsewhere the highest memory is that of the whole process
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def measured(script: str, case: str, arguments: dict[str, Any], repeat: int) -> dict[str, Any]:
    """Prepare a case, time it, and say what it gave."""
    spec = importlib.util.spec_from_file_location(Path(script).stem, script)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(Path(script).parent))
    spec.loader.exec_module(module)
    timed = getattr(module, case)(**arguments)
    before = memory("VmRSS")
    reset_peak()
    best: dict[str, Any] = {"wall": math.inf, "cpu": math.inf}
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        answer = timed()
        best["cpu"] = min(best["cpu"], time.process_time() - cpu)
        best["wall"] = min(best["wall"], time.perf_counter() - wall)
        best.setdefault("memory", max(memory("VmHWM") - before, 0))  # later rounds find memory that is theirs already
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return best | {"answer": [float(part) for part in parts]}


def main() -> None:
    """Run one case, as `run` asks for it."""
    script, case, arguments, repeat, gigabytes = sys.argv[1:]
    if float(gigabytes):
        room = int(float(gigabytes) * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
    try:
        found = measured(script, case, json.loads(arguments), int(repeat))
    except MemoryError:
        found = {"failed": "out of memory"}
    except Exception as error:  # noqa: BLE001 -- a peer may fail in any way, and the table says how
        found = {"failed": f"{type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}"}
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
