"""The example studies in docs/files, drawn anew and always the same: `python docs/make_files.py`.

All of them are invented.  What the pages show is computed from these files, so a change here changes the pages; run
`python docs/paste.py` afterwards.
"""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from typing import Any

FILES = Path(__file__).parent / "files"


def write(name: str, head: list[str], rows: list[list[Any]]) -> None:
    """A CSV file with a head."""
    with (FILES / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def near(rng: Random, truth: int, sure: float, size: int) -> int:
    """The true place on a scale, or now and then a neighbour of it."""
    if rng.random() < sure:
        return truth
    return min(max(truth + rng.choice((-1, 1)), 0), size - 1)


def labels(seed: int, annotators: dict[str, float], items: int, *, missing: float = 0.0) -> list[list[Any]]:
    """Sentiment of sentences, five to a document; each annotator is right as often as is said of her."""
    rng = Random(seed)  # noqa: S311 -- an example needs no secrecy
    scale = ["negative", "neutral", "positive"]
    rows = []
    for number in range(items):
        truth = rng.choices(range(3), weights=(3, 4, 3))[0]
        for name, sure in annotators.items():
            given = near(rng, truth, sure, 3)
            if rng.random() >= missing:
                rows.append([f"s{number + 1:02}", name, scale[given], f"d{number // 5 + 1}"])
    return rows


def main() -> None:
    """Write all files."""
    FILES.mkdir(exist_ok=True)
    head = ["item", "annotator", "value", "document"]
    write("sentiment.csv", head, labels(1, {"ann": 0.9, "bo": 0.85, "cy": 0.7}, 60, missing=0.08))
    write("round1.csv", head, labels(2, {"ann": 0.8, "bo": 0.7, "cy": 0.65}, 60))
    write("round2.csv", head, labels(2, {"ann": 0.93, "bo": 0.9, "cy": 0.85}, 60))

    rng = Random(3)  # noqa: S311 -- as above
    scale = ["none", "mild", "moderate", "severe"]
    rows: list[list[Any]] = []
    for number in range(40):
        truth = rng.choices(range(4), weights=(5, 3, 2, 1))[0]
        given = [scale[near(rng, truth, sure, 4)] for sure in (0.85, 0.8, 0.75, 0.6)]
        rows.append([f"p{number + 1:02}", *("" if rng.random() < 0.1 else one for one in given)])
    write("severity.csv", ["item", "ann", "bo", "cy", "dee"], rows)

    rng = Random(4)  # noqa: S311 -- as above
    rows = []
    for number in range(25):
        truth = rng.gauss(50, 12)
        bias = (0, 1.5, -3)
        rows.append([f"x{number + 1:02}", *(f"{truth + b + rng.gauss(0, 4):.1f}" for b in bias)])
    write("lengths.csv", ["item", "ann", "bo", "cy"], rows)

    rng = Random(5)  # noqa: S311 -- as above
    rows = []
    for number in range(30):
        truth = {topic for topic in ("art", "law", "sea") if rng.random() < 0.45}
        for name in ("ann", "bo", "cy"):
            given = {topic for topic in ("art", "law", "sea") if (topic in truth) != (rng.random() < 0.12)}
            rows.append([f"t{number + 1:02}", name, "|".join(sorted(given)) or "|"])  # nothing: the empty set
    write("topics.csv", ["item", "annotator", "value"], rows)


if __name__ == "__main__":
    main()
