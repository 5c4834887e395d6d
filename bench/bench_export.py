"""What does a large export of Label Studio cost?

A project of texts of some 1,600 characters, each marked and judged by three annotators, repeated until the export has
200 MB: seconds of the processor and the most memory that a process which reads it takes, all of Python with it.  The
standard library's `json.load` of the same file is measured in the same run.

    python bench/bench_export.py                    200 MB
    python bench/bench_export.py 50                 another size
    python bench/bench_export.py --before SRC       also with the interagree in the folder SRC
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TEXT = "the a of river minister said harbour in Lisbon report to Ana Ek signed company ships yesterday and with"
LABELS = ("PER", "ORG", "LOC", "DATE", "EVENT")
OURS = "import sys, interagree as ia; study = ia.read(sys.argv[1]); print(sum(map(len, study.values())))"
THEIRS = "import sys, json; print(sum(len(task['annotations']) for task in json.load(open(sys.argv[1]))))"


def task(number: int, rng: random.Random) -> dict[str, Any]:
    """A text that three annotators marked and judged."""
    words = rng.choices(TEXT.split(" "), k=300)
    text = " ".join(words)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    annotations = []
    for who in range(3):
        marks = []
        for at in sorted(rng.sample(range(290), 12)):
            start, end = starts[at], starts[at + rng.randint(1, 4)] - 1
            value = {"start": start, "end": end, "text": text[start:end], "labels": [rng.choice(LABELS)]}
            named = {"from_name": "label", "to_name": "text", "type": "labels", "origin": "manual"}
            marks.append({"value": value, "id": f"{rng.getrandbits(60):x}", **named})
        value = {"choices": [rng.choice(["yes", "no"])]}
        marks.append({"value": value, "id": "c", "from_name": "urgent", "to_name": "text", "type": "choices"})
        about = {"created_at": "2024-03-01T10:00:00.5Z", "updated_at": "2024-03-01T10:00:00.5Z", "lead_time": 12.5}
        annotations.append(
            {"id": 3 * number + who, "completed_by": 1 + who, "result": marks, "was_cancelled": False, **about}
        )
    return {
        "id": number,
        "annotations": annotations,
        "drafts": [],
        "predictions": [],
        "data": {"text": text},
        "project": 1,
    }


def write(path: Path, megabytes: float) -> int:
    """An export of a size; how many tasks it has."""
    rng = random.Random(1)
    made = [json.dumps(task(number, rng)) for number in range(200)]
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < megabytes * 1e6:
            text = made[number % len(made)]
            file.write(("," if number else "[") + f'{{"id": {number}' + text[text.index(",") :])
            number += 1
        file.write("]")
    return number


def measured(code: str, path: Path, source: str | None = None) -> str:
    """Seconds and memory of a process that runs some code on a file."""
    before = (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime
    )
    told = f"{code}; import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    known = {**os.environ, **({"PYTHONPATH": source} if source else {})}
    done = subprocess.run(
        [sys.executable, "-c", told, str(path)], capture_output=True, text=True, check=True, env=known
    )
    after = (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime
    )
    annotations, kilobytes = map(int, done.stdout.split())
    return f"{after - before:5.1f} | {kilobytes / 1e6:4.2f} | {annotations:,}"


def main() -> None:
    """Write the export, and read it in each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("megabytes", nargs="?", type=float, default=200)
    parser.add_argument("--before", metavar="SRC")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.json")
        tasks = write(path, given.megabytes)
        print(f"\n{path.stat().st_size / 1e6:.0f} MB, {tasks:,} tasks\n")
        print("| case | CPU s | GB at most | annotations |\n|---|--:|--:|--:|")
        print(f"| interagree | {measured(OURS, path)} |")
        if given.before:
            print(f"| interagree before | {measured(OURS, path, given.before)} |")
        print(f"| json.load | {measured(THEIRS, path)} |")


if __name__ == "__main__":
    main()
