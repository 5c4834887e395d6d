"""A plan as an answer: its tables, what it says in sentences, and its picture."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from interagree.declare import Facts
from interagree.measures.spa import IN_WORDS as SPA
from interagree.results.agreement import Interval
from interagree.results.answer import Answer
from interagree.results.charts import DrawnLine, LineChart, ThresholdLine
from interagree.results.document import Document, Section, one_per_line
from interagree.stats.labels.item_agreement import Moments
from interagree.stats.labels.width import Width
from interagree.studies.plan.parts import AGREEMENT, PER_ITEM, SHARES, Aim
from interagree.tables import Table, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HINTS = (SHARES, AGREEMENT, PER_ITEM)
WIDTH = 100  # of prose; tables are as wide as they are


@dataclass(frozen=True, slots=True)
class Plan(Answer):
    """What a study would need, or what a budget would buy."""

    measure: Facts
    value: float  # near which the coefficient is expected; nan where unknown
    level: float
    half_width: float | None  # what was wanted
    budget: int | None  # labels that can be paid for
    best: float  # labels per item that cost least; infinite where items do not differ
    designs: Table  # one row for each number of labels per item
    curve: Table  # half-widths for growing numbers of labels
    next: Table  # what the next labels should be spent on; empty without data
    now: float | None  # the half-width of the labels that are there
    more: int | None  # labels that they still lack, spent as `next` would
    basis: str  # where the variances come from
    notes: tuple[str, ...] = ()
    undefined: str | None = None  # why there is no plan
    moments: Moments | None = None  # behind a plan for SPA
    interval: Interval | None = None  # of the labels that are there, as the measure itself gives it

    def tables(self) -> dict[str, Table]:
        """The designs, how half-widths fall as labels grow, and what the next labels should be spent on."""
        return {"designs": self.designs, "curve": self.curve, "next": self.next}

    @property
    def row(self) -> dict[str, int | float]:
        """The best design; empty where there is no plan."""
        if self.undefined:
            return {}
        key = "half-width" if self.half_width is None else "labels"
        return min(
            (row for row in self.designs if not math.isnan(row[key])),
            key=lambda row: (row[key], row["labels per item"]),
        )

    @property
    def per_item(self) -> int | None:
        """How many labels an item should have."""
        return None if self.undefined else int(self.row["labels per item"])

    @property
    def items(self) -> int | None:
        """How many items there should be, each with `per_item` labels."""
        return None if self.undefined else int(self.row["items"])

    @property
    def labels(self) -> int | None:
        """How many labels that is."""
        return None if self.undefined else int(self.row["labels"])

    def headline(self) -> str:
        """The plan in one sentence."""
        if self.undefined:
            return f"there is no plan for {self.measure.symbol}: {self.undefined}"
        row = self.row
        about = f"{self.measure.symbol} near {self.value:.3f}"
        each = f"{row['labels per item']} for each of {row['items']:,} items"
        if self.half_width is not None:
            wanted = f"± {self.half_width:g} ({self.level:.0%} interval)"
            return f"{about}: {wanted} needs {row['labels']:,} labels, {each}"
        given = f"± {row['half-width']:.3f} ({self.level:.0%} interval)"
        used = f"{row['labels']:,}" if row["labels"] == self.budget else f"{row['labels']:,} of {self.budget:,}"
        return f"{about}: {used} labels give {given}, {each}"

    def existing(self) -> str:
        """What the labels that are there already give, in words; empty where there are none."""
        if self.now is None:
            return ""
        sentence = f"The existing labels give about ± {self.now:.3f}"
        if self.more is not None and self.half_width is not None:
            sentence += (
                f"; {self.more:,} more, spent where they tell most, would give ± {self.half_width:g}"
                if self.more
                else f", so no more are needed for ± {self.half_width:g}"
            )
        if self.interval is not None:
            sentence += f". Their interval is {self.interval.low:.3f} to {self.interval.high:.3f}"
        return f"{sentence}."

    def document(self) -> Document:
        """The headline, the designs, what the existing labels give, and what the plan rests on."""
        sections = [Section(lines=[_sentence(self.headline())], table=None if self.undefined else self.designs)]
        if self.existing():
            following = replace(self.next, title="") if len(self.next) else None
            sections.append(Section(self.next.title, [self.existing()], following))
        meaning = f"SPA: {SPA}." if self.headline().startswith("SPA") else ""
        foot = one_per_line((meaning, self.basis, *map(_sentence, self.notes)))
        return Document("", [*sections, Section(foot=foot)], {"plan": self.to_dict()}, self.designs, hints=HINTS)

    def to_dict(self) -> dict[str, object]:
        interval = self.interval
        numbers = ("value", "level", "half_width", "budget", "per_item", "items", "labels", "best", "now", "more")
        return {
            "schema": 1,
            "measure": self.measure.name,
            "title": self.measure.title,
            **self.plain(*numbers),
            "interval": None if interval is None else plain({"low": interval.low, "high": interval.high}),
            "moments": None if self.moments is None else plain(self.moments._asdict()),
            "table": plain(self.designs),
            **self.plain("curve", "next", "basis", "notes", "undefined"),
        }

    def chart(self) -> LineChart | None:
        """How the half-width falls as labels grow, for the fewest, the best and the most labels per item."""
        if self.undefined:
            return None
        counts = self.designs["labels per item"]
        lines = []
        for count in dict.fromkeys((counts[0], self.per_item, counts[-1])):
            rows = [row for row in self.curve if row["labels per item"] == count]
            labels, widths = ([row[name] for row in rows] for name in ("labels", "half-width"))
            lines.append(DrawnLine(f"{count} per item", labels, widths, dots=True))
        axis = f"half-width of the {self.level:.0%} interval"
        marks = [] if self.half_width is None else [ThresholdLine(self.half_width, f"± {self.half_width:g}")]
        return LineChart(lines, "labels in all", axis, self.headline(), marks, "log")

    def designed(self) -> LineChart | None:
        """What each number of labels per item costs, or gives."""
        if self.undefined:
            return None
        key = "half-width" if self.half_width is None else "labels"
        aim = f"± {self.half_width:g}" if self.half_width is not None else f"{self.budget:,} labels"
        axis = f"{key} for {aim}" if self.half_width is not None else f"half-width of {aim}"
        counts = self.designs["labels per item"]
        best = DrawnLine("the best", [float(self.row["labels per item"])], [float(self.row[key])], dots=True)
        lines = [DrawnLine("", counts, self.designs[key], dots=True), best]
        return LineChart(lines, "labels per item", axis, self.headline(), covers=(0.0,))

    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None) -> Axes | Path:
        """What each number of labels per item costs or gives, and how the half-width falls as labels grow.

        Args:
            path: Where to write it (.png, .svg or .pdf).
            axes: Where to draw how the half-width falls, alone; by default both are drawn beside one another.

        Returns:
            The path, or the axes where no path is given; their figure has both.
        """
        from interagree.results.charts.figures import beside, plotted

        designed = self.designed()
        if axes is not None or designed is None:
            return plotted(self._drawn(), path, axes=axes)
        return beside([designed, self._drawn()], path)

    def __str__(self) -> str:
        notes = "\n".join(textwrap.fill(f"- {note}", WIDTH, subsequent_indent="  ") for note in self.notes)
        parts = (
            textwrap.fill(self.headline(), WIDTH),
            "" if self.undefined else str(self.designs),
            textwrap.fill(self.existing(), WIDTH),
            str(self.next) if len(self.next) else "",
            textwrap.fill(self.basis, WIDTH),
            notes,
        )
        return "\n\n".join(part for part in parts if part)


def _sentence(words: str) -> str:
    return f"{words[0].upper() if words[0].isascii() else words[0]}{words[1:]}."  # α stays small


def designs_of(variance: Mapping[int, float], aim: Aim, width: Width) -> Table:
    rows = [{"labels per item": n, **_row(n, of_item, aim, width)} for n, of_item in variance.items()]
    if aim.half_width is not None:
        least = min(row["labels"] for row in rows)
        rows = [row | {"times the least": row["labels"] / least} for row in rows]
    return Table.of(rows)


def _row(n: int, variance: float, aim: Aim, width: Width) -> dict[str, int | float]:
    paid = 0 if aim.budget is None else aim.budget // n
    wide = width.half(variance, paid, n) if paid >= 2 else math.nan
    if aim.half_width is None:
        return {"items": paid, "labels": n * paid, "half-width": wide}
    items = width.items(variance, aim.half_width, n)
    row = {"items": items, "labels": n * items, "times the least": math.nan}
    return row if aim.budget is None else row | {"half-width of the budget": wide}


def curve_of(variance: Mapping[int, float], aim: Aim, designs: Table, width: Width) -> Table:
    centre = max(min(designs["labels"]), aim.budget or 0)
    totals = dict.fromkeys(round(total) for total in np.geomspace(centre / 8, centre * 2, 13).tolist())
    return Table.of(
        [
            {"labels per item": n, "labels": total, "half-width": width.half(of_item, total / n, n)}
            for n, of_item in variance.items()
            for total in totals
            if total >= 2 * n
        ],
        names=("labels per item", "labels", "half-width"),
    )


def warnings_of(plan: Plan, limit: float) -> tuple[str, ...]:
    notes = []
    row = plan.row
    if plan.budget is not None and plan.half_width is not None:
        enough = row["labels"] <= plan.budget
        notes.append(
            f"the budget of {plan.budget:,} labels is {'enough' if enough else 'too small'} for ± {plan.half_width:g}"
        )
    reach = plan.half_width if plan.half_width is not None else row["half-width"]
    room = min(plan.value, 1 - plan.value) if limit == 0.5 else 1 - plan.value
    if reach > room:
        notes.append(
            f"{plan.value:.3f} lies closer to the end of the scale than {reach:.3g}: the interval will be lopsided, "
            "shorter on that side"
        )
    return tuple(notes)
