"""What does agreement on a million complex annotations take, from the lists to the intervals?

Five annotators draw about three boxes into every image.  Measuring is alpha, KS, sigma and AUC under GIoU, each with
its 95 % interval, from a study that has been built; building it from Python lists is told apart.  Distances are
computed for the first of the four and kept for the others.  Memory is the most that the process had, the lists
included.  Every size runs in a process of its own, with the loops compiled beforehand.

Below that: alpha where algebra gives the mean of all pairs, so that nothing is sampled however many there are.

    python bench/bench_pairs.py                all sizes
    python bench/bench_pairs.py 1e4 1e5        these
"""

from __future__ import annotations

import resource
import sys
import time
from typing import Any

import harness
import numpy as np

ANNOTATORS = 5
MEASURES = ("alpha", "ks", "sigma", "auc")
STEPS = ("building the study", *MEASURES)
BOUND = {"seconds": 30, "gigabytes": 4}  # wanted of a million annotations on two cores


def boxes(count: int) -> dict[str, Any]:
    """So many annotations: lists of boxes [x0, y0, x1, y1], three on average; three in twenty are of another image."""
    rng = np.random.default_rng(count)
    images = count // ANNOTATORS
    objects = 1 + rng.poisson(2, images)
    corner = rng.uniform(0, [500, 360], (objects.sum(), 2))
    truth = np.hstack([corner, corner + rng.uniform(20, 140, (objects.sum(), 2))])
    start = np.concatenate([[0], np.cumsum(objects)]).tolist()
    values: list[Any] = [None] * (images * ANNOTATORS)
    for who in range(ANNOTATORS):
        drawn = np.round(truth + rng.normal(0, 4, truth.shape).clip(-9, 9), 1).tolist()
        looked = np.where(rng.random(images) < 0.15, rng.integers(0, images, images), np.arange(images))
        for image, other in enumerate(looked.tolist()):
            values[image * ANNOTATORS + who] = drawn[start[other] : start[other + 1]]
    item, annotator = np.divmod(np.arange(images * ANNOTATORS), ANNOTATORS)
    return {"item": item, "annotator": annotator, "value": values}


def texts(count: int) -> dict[str, Any]:
    """Sentences of 8 to 30 words, a third of them replaced or left out by each annotator."""
    rng = np.random.default_rng(count)
    words = np.array([f"w{at:x}" for at in range(5000)], dtype=object)
    common = np.cumsum(1 / np.arange(1, 5001))
    values = []
    for _ in range(count // ANNOTATORS):
        truth = np.searchsorted(common, rng.random(rng.integers(8, 31)) * common[-1])
        for _ in range(ANNOTATORS):
            kept = truth[rng.random(len(truth)) > 0.1]
            other = np.searchsorted(common, rng.random(len(kept)) * common[-1])
            values.append(" ".join(words[np.where(rng.random(len(kept)) < 0.25, other, kept)]))
    item, annotator = np.divmod(np.arange(len(values)), ANNOTATORS)
    return {"item": item, "annotator": annotator, "value": values}


def vectors(count: int) -> dict[str, Any]:
    """Lists of 16 numbers, close together within an item."""
    rng = np.random.default_rng(count)
    middle = np.repeat(rng.normal(0, 1, (count // ANNOTATORS, 16)), ANNOTATORS, axis=0)
    item, annotator = np.divmod(np.arange(len(middle)), ANNOTATORS)
    values = (middle + rng.normal(0, 0.5, middle.shape)).tolist()
    return {"item": item, "annotator": annotator, "value": values}


MAKERS = {"boxes": boxes, "text": texts, "vectors": vectors}


class Clock:
    """Seconds on the clock and of the processor, lap by lap."""

    def __init__(self) -> None:
        self.laps: list[float] = []
        self._last = self._now()

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def lap(self) -> None:
        now = self._now()
        self.laps += [now[0] - self._last[0], now[1] - self._last[1]]
        self._last = now


def steps(kind: str, count: int, distance: str, measures: list[str]) -> Any:
    """The study and its measures in turn; the answer is each value, each lap, and the memory of the process."""
    import interagree as ia

    data = MAKERS[kind](count)
    warm = ia.Annotations.of(MAKERS[kind](2_000), kind=kind)
    for name in measures:
        getattr(ia, name)(warm, distance=distance).interval()

    def timed() -> list[float]:
        before = harness.memory("VmRSS")
        clock = Clock()
        study = ia.Annotations.of(data, kind=kind)
        clock.lap()
        found = []
        for name in measures:
            result = getattr(ia, name)(study, distance=distance)
            low, high = result.interval()[:2]
            clock.lap()
            found += [float(result.value), float(low), float(high)]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return [*found, *clock.laps, before, peak]

    return timed


def table(lines: list[list[str]]) -> None:
    """Print lines as a Markdown table, the first one as its head."""
    for line in (lines[0], ["---", *["---:"] * (len(lines[0]) - 1)], *lines[1:]):
        print("| " + " | ".join(line) + " |")
    sys.stdout.flush()


def laps(row: dict[str, Any], measures: int) -> list[tuple[float, float]]:
    """Wall and processor seconds of each step of a row."""
    found = row["answer"][3 * measures : -2]
    return list(zip(found[::2], found[1::2], strict=True))


def asked(**call: Any) -> dict[str, Any]:
    """A run that must not fail."""
    row = harness.run(__file__, "steps", repeat=1, seconds=600, **call)
    if "failed" in row:
        sys.exit(f"{call}: {row['failed']}")
    return row


def growing(sizes: list[int]) -> None:
    """Boxes under GIoU, all four measures."""
    rows = {size: asked(kind="boxes", count=size, distance="giou", measures=MEASURES) for size in sizes}
    for size, row in rows.items():
        print(f"\n{size:,} annotations, lists of 3 boxes, GIoU\n")
        lines = [["", "wall s", "CPU s", "value", "95 % interval"]]
        for at, (name, (wall, cpu)) in enumerate(zip(STEPS, laps(row, len(MEASURES)), strict=True)):
            value, low, high = row["answer"][3 * at - 3 : 3 * at] if at else (0, 0, 0)
            told = [f"{value:.4f}", f"{low:.4f} to {high:.4f}"] if at else ["", ""]
            lines.append([name, harness.seconds_text(wall), harness.seconds_text(cpu), *told])
        table(lines)
    print("\nAs it grows (the four measures with their intervals; the study and its lists are there)\n")
    lines = [
        ["annotations", "wall s", "CPU s", "µs of CPU for each", "GB at most", "of which before", "building, CPU s"]
    ]
    for size, row in rows.items():
        (_, building), *measured = laps(row, len(MEASURES))
        wall, cpu = (sum(lap[which] for lap in measured) for which in (0, 1))
        before, peak = (part / 2**30 for part in row["answer"][-2:])
        each = f"{cpu / size * 1e6:.3g}"
        seconds = [harness.seconds_text(part) for part in (wall, cpu)]
        lines.append([f"{size:,}", *seconds, each, f"{peak:.2f}", f"{before:.2f}", harness.seconds_text(building)])
    table(lines)
    print(f"\nWanted at a million: {BOUND['seconds']} s on two cores and {BOUND['gigabytes']} GB.")


def exactly(kind: str, distance: str, sizes: list[int]) -> None:
    """Alpha by algebra, with its interval."""
    print(f"\nalpha with its interval, {distance}, from the mean of all pairs\n")
    lines = [["annotations", "building, CPU s", "alpha, CPU s", "µs of CPU for each", "GB at most", "value"]]
    for size in sizes:
        row = asked(kind=kind, count=size, distance=distance, measures=["alpha"])
        (_, building), (_, cpu) = laps(row, 1)
        lines.append(
            [
                f"{size:,}",
                harness.seconds_text(building),
                harness.seconds_text(cpu),
                f"{cpu / size * 1e6:.3g}",
                f"{row['answer'][-1] / 2**30:.2f}",
                f"{row['answer'][0]:.6f}",
            ]
        )
    table(lines)


def main() -> None:
    """Boxes by size, then the exact forms."""
    harness.machine()
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**4, 10**5, 10**6]
    growing(sizes)
    smaller = [size for size in sizes if size <= 10**5] or sizes
    exactly("text", "gleu", smaller)
    exactly("vectors", "cosine", smaller)


if __name__ == "__main__":
    main()
