"""The studies that every peer is asked about: small, seeded, and the same for all.

A study is a table of codes, one row for each item and one column for each annotator; a code is a position in
``values``, and ``None`` says that the annotator did not see the item.  Each is drawn from a latent true value
that every annotator keeps with some probability and otherwise replaces, so that coefficients fall all over
their range and not only near zero.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = list[int | None]
ANNOTATORS = "ABCDEF"


@dataclass(frozen=True)
class Study:
    """One set of annotations, with the scale they are on."""

    name: str
    drawn: str  # how it was drawn, in words, with the seed
    scale: str  # nominal, ordinal, interval, ratio, circular or sets
    values: list[Any]  # what could have been given, in order; sets are sorted lists
    rows: list[Row]
    period: float | None = None  # of a circular scale
    weights: tuple[str, ...] = field(default=())  # Gwet's weights that make sense here, besides identity

    @property
    def annotators(self) -> int:
        """How many annotators took part."""
        return len(self.rows[0])

    @property
    def complete(self) -> bool:
        """Whether everyone saw everything."""
        return all(code is not None for row in self.rows for code in row)

    @property
    def used(self) -> list[int]:
        """The codes that somebody gave."""
        return sorted({code for row in self.rows for code in row if code is not None})

    def to_dict(self) -> dict[str, Any]:
        """What is written into the JSON files and handed to the peers."""
        facts = {
            "name": self.name,
            "drawn": self.drawn,
            "scale": self.scale,
            "values": self.values,
            "period": self.period,
            "rows": self.rows,
        }
        return {key: fact for key, fact in facts.items() if fact is not None}


SMOOTH = ("linear", "quadratic", "radical", "ordinal")
EIGHT = (*SMOOTH, "ratio", "circular", "bipolar")


def traps() -> list[Study]:
    """Studies made to catch one known fault each; no peer is compared on them as a whole."""
    return [
        Study(
            "trap_label_nan",
            "by hand; one of the labels is spelled nan",
            "nominal",
            ["nan", "rye", "tef"],
            [[0, 0], [0, 0], [1, 1], [1, 2], [2, 2], [2, 2], [0, 1], [1, 1]],
        ),
        Study("trap_one_value", "by hand; everybody always says the same", "nominal", ["a"], [[0, 0, 0]] * 4),
    ]


def studies() -> list[Study]:
    """All studies, in the order in which the files list them."""
    return [
        _labels("nominal_two", 101, "abc", annotators=2, items=20, keep=0.75),
        _labels("nominal_three", 102, ["cat", "dog", "fox", "owl"], annotators=3, items=30, keep=0.8),
        _labels("nominal_missing", 103, "pqrs", annotators=5, items=24, keep=0.7, missing=0.25),
        _labels("nominal_sparse", 104, "abcde", annotators=6, items=40, keep=0.75, missing=0.4),
        _labels("nominal_singles", 105, "xyz", annotators=4, items=30, keep=0.8, missing=0.1, singles=7),
        _labels("nominal_skewed", 106, ["no", "yes"], annotators=3, items=60, keep=0.95, shares=(0.93, 0.07)),
        _labels("nominal_two_skewed", 107, ["no", "yes"], annotators=2, items=50, keep=0.93, shares=(0.9, 0.1)),
        _labels("nominal_unused", 108, "abcde", annotators=3, items=25, keep=0.7, shares=(0.5, 0, 0.3, 0, 0.2)),
        _labels("nominal_guessed", 109, "abcd", annotators=4, items=30, keep=0.0),
        _labels("nominal_two_missing", 110, "abc", annotators=2, items=30, keep=0.8, missing=0.2),
        _opposed("nominal_opposed", 111, items=16),
        _steps("ordinal_two", 201, [1, 2, 3, 4, 5], annotators=2, items=40, weights=EIGHT),
        _steps("ordinal_missing", 202, [1, 2, 3, 4, 5], annotators=5, items=30, missing=0.2, weights=EIGHT),
        _steps("ordinal_words", 203, ["low", "mid", "high"], annotators=3, items=30, weights=EIGHT),
        _steps(
            "ordinal_two_words", 204, ["never", "seldom", "often", "always"], annotators=2, items=30, weights=SMOOTH
        ),
        _steps("ordinal_unused", 205, [1, 2, 3, 4, 5, 6, 7], annotators=2, items=30, hole=(3, 4), weights=EIGHT),
        _steps("ordinal_sparse", 206, [1, 2, 3, 4], annotators=6, items=12, missing=0.4, weights=SMOOTH),
        _steps("interval_gaps", 301, [-3, 0, 1, 4, 10], annotators=2, items=30, weights=SMOOTH),
        _steps("interval_four", 302, list(range(11)), annotators=4, items=20, spread=2, weights=("quadratic",)),
        _reals("interval_reals", 303, annotators=3, items=30, missing=0.1, bias=0.0),
        _reals("interval_two_reals", 304, annotators=2, items=25, bias=0.4),
        _reals("interval_biased", 305, annotators=5, items=12, bias=1.5),
        _steps("ratio_positive", 401, list(range(1, 10)), annotators=3, items=25, missing=0.2, weights=EIGHT),
        _steps("ratio_zeros", 402, list(range(7)), annotators=3, items=20, missing=0.1),
        _steps("ratio_complete", 403, [1, 2, 4, 8, 16, 32], annotators=4, items=10, weights=("ratio",)),
        _hours("circular_hours", 501, 24, annotators=3, items=30, missing=0.1),
        _hours("circular_compass", 502, 8, annotators=4, items=20),
        _sets("sets_complete", 601, annotators=3, items=20),
        _sets("sets_missing", 602, annotators=4, items=16, missing=0.25),
        _sets("sets_empty", 603, annotators=3, items=18, missing=0.1, empty=True),
    ]


def _labels(
    name: str,
    seed: int,
    values: Sequence[str],
    *,
    annotators: int,
    items: int,
    keep: float,
    shares: Sequence[float] | None = None,
    missing: float = 0.0,
    singles: int = 0,
) -> Study:
    """Labels in no order: the true one with probability ``keep``, else a draw from the same shares."""
    rng = random.Random(seed)  # a study, not a secret
    weights = list(shares or [1] * len(values))

    def label() -> int:
        return rng.choices(range(len(values)), weights)[0]

    def item() -> Row:
        true = label()
        return [true if rng.random() < keep else label() for _ in range(annotators)]

    rows = _thinned(rng, [item() for _ in range(items)], missing)
    for row in rows[:singles]:  # these items keep one annotation
        kept = rng.randrange(annotators)
        row[:] = [code if a == kept else None for a, code in enumerate(row)]
        if row[kept] is None:
            row[kept] = label()
    drawn = f"random.Random({seed}); the true label is kept with probability {keep}"
    return Study(name, _said(drawn, missing, singles), "nominal", list(values), rows)


def _opposed(name: str, seed: int, *, items: int) -> Study:
    """Two annotators who mostly contradict each other."""
    rng = random.Random(seed)
    rows: list[Row] = []
    for _ in range(items):
        first = rng.randrange(2)
        rows.append([first, 1 - first if rng.random() < 0.7 else first])
    return Study(name, f"random.Random({seed}); the second of two contradicts in 70 %", "nominal", ["no", "yes"], rows)


def _steps(
    name: str,
    seed: int,
    values: list[Any],
    *,
    annotators: int,
    items: int,
    missing: float = 0.0,
    spread: int = 1,
    hole: Sequence[Any] = (),
    weights: tuple[str, ...] = (),
) -> Study:
    """Values in an order: the true one, or up to ``spread`` steps away; nobody gives one in the hole."""
    rng = random.Random(seed)
    allowed = [code for code, value in enumerate(values) if value not in hole]

    def item() -> Row:
        true = rng.randrange(len(allowed))
        near = [true + rng.choice([0, 0, *range(-spread, spread + 1)]) for _ in range(annotators)]
        return [allowed[min(max(position, 0), len(allowed) - 1)] for position in near]

    rows = _thinned(rng, [item() for _ in range(items)], missing)
    drawn = f"random.Random({seed}); up to {spread} step(s) from the true value"
    return Study(name, _said(drawn, missing), name.split("_", maxsplit=1)[0], values, rows, weights=weights)


def _reals(name: str, seed: int, *, annotators: int, items: int, bias: float, missing: float = 0.0) -> Study:
    """Numbers with two decimals, nearly all different; annotator ``a`` adds ``a`` times the bias."""
    rng = random.Random(seed)
    numbers = [
        [round(true + a * bias + rng.gauss(0, 1), 2) for a in range(annotators)]
        for true in (rng.gauss(10, 3) for _ in range(items))
    ]
    values = sorted({number for row in numbers for number in row})
    code = {value: i for i, value in enumerate(values)}
    rows = _thinned(rng, [[code[number] for number in row] for row in numbers], missing)
    seen = {c for row in rows for c in row if c is not None}
    kept = {c: i for i, c in enumerate(sorted(seen))}  # a number that went missing is not on the scale
    rows = [[None if c is None else kept[c] for c in row] for row in rows]
    drawn = f"random.Random({seed}); true N(10, 3), error N(0, 1), bias {bias} for each further annotator"
    return Study(name, _said(drawn, missing), "interval", [values[c] for c in kept], rows)


def _hours(name: str, seed: int, period: int, *, annotators: int, items: int, missing: float = 0.0) -> Study:
    """Points on a circle, up to two steps from the true one."""
    rng = random.Random(seed)

    def item() -> Row:
        true = rng.randrange(period)
        return [(true + rng.choice([0, 0, -1, 1, 2])) % period for _ in range(annotators)]

    rows = _thinned(rng, [item() for _ in range(items)], missing)
    drawn = f"random.Random({seed}); up to two steps around a circle of {period}"
    weights = ("circular",)
    return Study(name, _said(drawn, missing), "circular", list(range(period)), rows, float(period), weights)


def _sets(name: str, seed: int, *, annotators: int, items: int, missing: float = 0.0, empty: bool = False) -> Study:
    """Sets of topics: each annotator drops or adds a topic now and then."""
    rng = random.Random(seed)
    topics = ["art", "law", "sea"]
    masks = range(0 if empty else 1, 8)
    values: list[list[str]] = [[t for i, t in enumerate(topics) if mask >> i & 1] for mask in masks]
    code: Callable[[int], int] = (lambda mask: mask) if empty else (lambda mask: mask - 1)

    def item() -> Row:
        true = rng.choice(masks)
        given = [true ^ (1 << rng.randrange(3)) if rng.random() < 0.4 else true for _ in range(annotators)]
        return [code(mask if mask or empty else true) for mask in given]

    rows = _thinned(rng, [item() for _ in range(items)], missing)
    drawn = f"random.Random({seed}); one of three topics is added or dropped in 40 %"
    return Study(name, _said(drawn, missing), "sets", values, rows)


def _thinned(rng: random.Random, rows: list[Row], missing: float) -> list[Row]:
    """The rows with a share of the annotations taken away; every item keeps at least one."""
    thin: list[Row] = [[None if rng.random() < missing else code for code in row] for row in rows] if missing else rows
    for full, row in zip(rows, thin, strict=True):
        if all(code is None for code in row):
            row[0] = full[0]
    return thin


def _said(drawn: str, missing: float, singles: int = 0) -> str:
    parts = [drawn]
    if missing:
        parts.append(f"{missing:.0%} missing")
    if singles:
        parts.append(f"{singles} items with one annotation")
    return "; ".join(parts)
