"""What does a label cost while annotation runs?

A million labels of 250,000 items go into a monitor one by one, in columns of a thousand and of fifty thousand; then
what it costs to ask after one more label, to save a million items with three labels each, and to read them back.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import harness
import numpy as np

ROWS = 1_000_000
LABELS = np.array(["negative", "neutral", "positive"])


def table(per_item: int, items: int) -> tuple[list[str], list[str], list[str]]:
    """Labels of strings in random order, seven in ten the same."""
    rng = np.random.default_rng(per_item)
    item, annotator = np.divmod(rng.permutation(per_item * items), per_item)
    value = np.where(rng.random(len(item)) < 0.7, item % 3, rng.integers(0, 3, len(item)))
    names = np.array([f"item-{number:07d}" for number in range(items)], dtype=object)
    people = np.array([f"ann-{number}" for number in range(per_item)], dtype=object)
    return names[item].tolist(), people[annotator].tolist(), LABELS[value].tolist()


def filled(columns: Any, size: int = 100_000) -> Any:
    """A monitor with labels in it."""
    import interagree as ia

    monitor = ia.Monitor()
    for start in range(0, len(columns[0]), size):
        monitor.extend(*(column[start : start + size] for column in columns))
    return monitor


def one_by_one() -> Any:
    """Each label by `add`."""
    import interagree as ia

    columns = table(4, ROWS // 4)

    def work() -> float:
        monitor = ia.Monitor()
        for item, annotator, value in zip(*columns, strict=True):
            monitor.add(item, annotator, value)
        return float(monitor.exact("alpha") or 0)

    return work


def in_columns(size: int) -> Any:
    """So many labels at once by `extend`."""
    columns = table(4, ROWS // 4)
    return lambda: float(filled(columns, size).exact("alpha") or 0)


def batch() -> Any:
    """All at once, without a monitor."""
    import interagree as ia

    item, annotator, value = table(4, ROWS // 4)
    return lambda: ia.alpha({"item": item, "annotator": annotator, "value": value}).value


def asked(what: str) -> Any:
    """One more label, and a question."""
    monitor = filled(table(4, ROWS // 4))
    number = iter(range(10**9))

    def work() -> float:
        who = f"one more {next(number)}"
        monitor.add("item-0000000", who, "neutral")
        answer = {"exact": lambda: monitor.exact("alpha"), "now": monitor.now, "alerts": monitor.alerts}[what]()
        monitor.remove("item-0000000", who)
        assert answer is not None
        return float(monitor.exact("alpha") or 0)

    return work


def saved(what: str) -> Any:
    """A million items with three labels each, to a file and back; the answer is alpha."""
    import interagree as ia

    monitor = filled(table(3, 1_000_000))
    path = Path(tempfile.mkdtemp()) / "state"
    monitor.save(path)
    print(f"{path.stat().st_size / 1e6:.1f} MB")
    expected = float(monitor.exact("alpha") or 0)

    def write() -> float:
        monitor.save(path)
        return expected

    return write if what == "save" else lambda: float(ia.Monitor.load(path).exact("alpha") or 0)


if __name__ == "__main__":
    harness.show(
        "a million labels",
        [
            harness.run(__file__, "one_by_one", repeat=1),
            harness.run(__file__, "in_columns", name="in columns of 1,000", repeat=1, size=1000),
            harness.run(__file__, "in_columns", name="in columns of 50,000", repeat=1, size=50_000),
            harness.run(__file__, "batch", name="without a monitor", repeat=1),
        ],
        to="without a monitor",
    )
    harness.show(
        "one more label, then a question",
        [
            harness.run(__file__, "asked", name="one coefficient, as a fraction", what="exact"),
            harness.run(__file__, "asked", name="all with intervals", what="now"),
            harness.run(__file__, "asked", name="alerts", what="alerts"),
        ],
    )
    harness.show(
        "a state of a million items, three million labels",
        [
            harness.run(__file__, "saved", name="save", repeat=1, what="save"),
            harness.run(__file__, "saved", name="load", repeat=1, what="load"),
        ],
    )
