"""How long do votes and models of annotators take, beside crowd-kit?

Five of a thousand annotators label each item with one of four labels; each is right with a probability of her own,
between 0.5 and 0.95.  Items and annotators are whole numbers and labels are strings.  crowd-kit takes a data frame and
numbers what is in it again and again, so ours is timed from the same frame too, reading it and looking for duplicates
included; *from a study* is what a second method costs.

What is done is the same: WAWA with the annotator's own vote; vote shares; ten rounds of Dawid and Skene's EM from vote
shares, without smoothing; MACE by variational Bayes, five rounds from one start.  Answers must be equal to 1e-6: of
WAWA the mean over annotations, of labels their mean highest probability and mean square.  Which label of a tie is taken
changes none of these; in crowd-kit it depends on the rows, and with it the WAWA of single annotators.  crowd-kit draws
its start of MACE and we take the vote shares, so that after five rounds the fits are near but not the same: there the
answer is the share of right labels, equal to one in a hundred.

crowd-kit has nothing like labels left out; the last table says what they cost, beside a plain fit to the end.

    python bench/bench_crowd.py               a million annotations, and ten million without crowd-kit
    python bench/bench_crowd.py 1e5           fewer, and ten times as many
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import harness
import numpy as np

PER_ITEM = 5
PEOPLE = 1_000
SMALL = 5_000  # annotations that are tried before the clock runs
LABELS = np.array(["bird", "cat", "dog", "fish"])
ROUNDS = {"dawid_skene": 10, "mace": 5}
TITLES = {
    "wawa": "WAWA",
    "majority_vote": "majority vote",
    "dawid_skene": "Dawid-Skene, 10 rounds",
    "mace": "MACE, 5 rounds from one start",
}
LEFT_OUT = {
    "independent": "Dawid-Skene, labels taken as independent",
    "calibrated": "Dawid-Skene, its correlation found from labels left out",
    "auto": "auto: the vote and four models compared by labels left out",
}
WANTED = {"wawa": 10, "dawid_skene": 5, "mace": 8}  # times faster, from the frame


def codes(count: int) -> tuple[Any, Any, Any, Any]:
    """So many annotations: item, annotator, label; and the true label of each item."""
    rng = np.random.default_rng(count)
    items = count // PER_ITEM
    item = np.repeat(np.arange(items), PER_ITEM)
    people = min(PEOPLE, max(count // 1_000, PER_ITEM))  # each gives enough for no model to meet a 0
    block = people // PER_ITEM  # one annotator of each block, so that nobody sees an item twice
    person = (rng.integers(0, block, (items, PER_ITEM)) + block * np.arange(PER_ITEM)).reshape(-1)
    skill = rng.uniform(0.5, 0.95, people)
    truth = rng.choice(len(LABELS), items, p=[0.4, 0.3, 0.2, 0.1])
    wrong = (truth[item] + rng.integers(1, len(LABELS), len(item))) % len(LABELS)
    return item, person, np.where(rng.random(len(item)) < skill[person], truth[item], wrong), truth


def frame(count: int) -> tuple[Any, Any]:
    """The annotations as crowd-kit wants them, and the true labels."""
    import pandas as pd

    item, person, label, truth = codes(count)
    return pd.DataFrame({"task": item, "worker": person, "label": LABELS[label]}), truth


def study(data: Any) -> Any:
    """The annotations as ours."""
    import interagree as ia

    return ia.Annotations.of(data, item="task", annotator="worker", value="label")


# -- ours --------------------------------------------------------------------------------------------------


def ours(method: str, count: int, begin: str) -> Any:
    """One method, from the frame or from a study."""
    data, truth = frame(count)
    if begin == "study":
        data = study(data)
    ready: Callable[[Any], Any] = study if begin == "frame" else lambda given: given
    _ours(method, study(frame(SMALL)[0]), frame(SMALL)[1])  # imports what is imported late
    return lambda: _ours(method, ready(data), truth)


def _ours(method: str, given: Any, truth: Any) -> list[float]:
    from interagree.crowd import labels as crowd
    from interagree.people.wawa import wawa

    if method == "wawa":
        found = wawa(given, leave_one_out=False, ties="order")
        return [found.micro]
    if method == "majority_vote":
        return _answer(crowd.majority_vote(given).posterior)
    if method == "dawid_skene":
        fit = crowd.dawid_skene(given, smoothing=0, tolerance=0, rounds=ROUNDS[method])
        return _answer(fit.posterior)
    if method in LEFT_OUT:
        made = {
            "independent": lambda: crowd.dawid_skene(given, correlation=0),
            "calibrated": lambda: crowd.dawid_skene(given),
            "auto": lambda: crowd.auto(given),
        }[method]()
        return [_right(made.posterior, truth)]
    fit = crowd.mace(given, restarts=1, correlation=0, tolerance=0, rounds=ROUNDS[method])
    return [_right(fit.posterior, truth)]


def _answer(posterior: Any) -> list[float]:
    """What can be compared of probabilities of labels, whatever is done about ties."""
    return [float(posterior.max(axis=1).mean()), float((posterior**2).sum(axis=1).mean())]


def _right(posterior: Any, truth: Any) -> float:
    return float((posterior.argmax(axis=1) == truth).mean())


# -- crowd-kit ---------------------------------------------------------------------------------------------


def crowd_kit(method: str, count: int) -> Any:
    """One method of crowd-kit."""
    _crowd_kit(method, *frame(SMALL))()
    return _crowd_kit(method, *frame(count))


def _crowd_kit(method: str, data: Any, truth: Any) -> Callable[[], list[float]]:
    from crowdkit.aggregation import MACE, DawidSkene, MajorityVote, Wawa

    often = data["worker"].value_counts()

    def wawa() -> list[float]:
        skill = Wawa().fit(data).skills_
        return [float((skill * often).sum() / often.sum())]

    def dawid_skene() -> list[float]:
        # The rounds are to be done, however little they gain.
        fit = DawidSkene(n_iter=ROUNDS["dawid_skene"], tol=float("-inf")).fit(data)
        return _answer(fit.probas_.to_numpy())

    def mace() -> list[float]:
        fit = MACE(n_iter=ROUNDS["mace"], n_restarts=1).fit(data)
        return [_right(fit.probas_[LABELS].sort_index().to_numpy(), truth)]

    return {
        "wawa": wawa,
        "majority_vote": lambda: _answer(MajorityVote().fit(data).probas_.to_numpy()),
        "dawid_skene": dawid_skene,
        "mace": mace,
    }[method]


# -- tables ------------------------------------------------------------------------------------------------


def beside(count: int) -> None:
    """Each method beside crowd-kit."""
    for method, title in TITLES.items():
        rows = [
            harness.run(__file__, "ours", name="interagree, from the frame", method=method, count=count, begin="frame"),
            harness.run(__file__, "ours", name="interagree, from a study", method=method, count=count, begin="study"),
            harness.run(__file__, "crowd_kit", name="crowd-kit", repeat=1, method=method, count=count),
        ]
        within = 0.01 if method == "mace" else 1e-6
        about = f"{title}, {count:,} annotations"
        about += f"; wanted: {WANTED[method]} times faster" if method in WANTED else ""
        harness.show(about, rows, to="interagree, from the frame", within=within)


def growing(sizes: list[int]) -> None:
    """Ours as it grows, from the frame."""
    print("\nAs it grows, from the frame: CPU s, and MB beyond the frame\n")
    heads = ["", *(f"{size:,}: {what}" for size in sizes for what in ("CPU s", "MB")), "times as long"]
    print("| " + " | ".join(heads) + " |\n| " + " | ".join(["---", *["---:"] * (len(heads) - 1)]) + " |")
    for method, title in TITLES.items():
        line, seconds = [title], []
        for size in sizes:
            row = harness.run(__file__, "ours", repeat=1, method=method, count=size, begin="frame")
            if "failed" in row:
                sys.exit(f"{title}, {size:,}: {row['failed']}")
            seconds.append(row["cpu"])
            line += [harness.seconds_text(row["cpu"]), f"{row['memory'] / harness.MEGABYTE:,.0f}"]
        print("| " + " | ".join([*line, f"{seconds[-1] / seconds[0]:.1f}"]) + " |", flush=True)


def left_out(count: int) -> None:
    """What it costs to find a correlation, and to choose among models, from labels left out."""
    rows = [
        harness.run(__file__, "ours", name=title, repeat=1, method=method, count=count, begin="study")
        for method, title in LEFT_OUT.items()
    ]
    about = f"Labels left out, {count:,} annotations; the answer is the share of right labels"
    harness.show(about, rows, to=LEFT_OUT["independent"], within=0.02)


def main() -> None:
    """Beside crowd-kit, then growth, then labels left out."""
    harness.machine()
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    beside(count)
    growing([count, 10 * count])
    left_out(count)


if __name__ == "__main__":
    main()
