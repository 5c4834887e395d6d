"""The picture of one document with Matplotlib: lanes, bars, and lines that join what is aligned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from interagree.errors import visible
from interagree.results.cells import cut_to
from interagree.results.charts.colours import COLOURS
from interagree.results.charts.figures import as_they_are, axes_for, figure_of, saved
from interagree.results.narrow import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from interagree.spans.timeline import Timeline

HATCHES = ("", "//", "..", "xx", "++", "\\\\", "oo", "--")
COLUMNS = 3  # of the key
LETTERS = 130  # that fit beside one another
SHORT = 6  # letters of a bar that says nothing but its category
NAME, LABEL = 24, 40  # letters of the name of an annotator and of a category


def drawn(view: Timeline, path: str | Path | None, axes: Axes | None) -> Axes | Path:
    """The lanes of a document in axes, or in a file."""
    rows = [view.rows(place) for place in range(len(view.annotators))]
    depth = [max(len(lane), 1) for lane in rows]
    tops = np.concatenate([[0.0], np.cumsum([lane + 0.9 for lane in depth])])
    keyed = view.has_categories
    under = 0.22 * -(-len(view.categories) // COLUMNS) if keyed else 0.0
    size = (9.0, 0.8 + 0.32 * float(tops[-1]) + under)
    axes = axes_for(size, path, axes)
    where: dict[int, tuple[float, float, float]] = {}
    for lane, top in zip(rows, tops, strict=False):
        for level, row in enumerate(lane):
            for unit in row:
                where[unit] = _bar(axes, view, unit, float(top) + level)
    for cluster in view.ordered():
        _join(axes, [where[unit] for unit in cluster])
    bottom = _text(axes, view, float(tops[-1]) - 0.4)
    axes.set_yticks(
        [float(top) + lane / 2 for top, lane in zip(tops, depth, strict=False)],
        [shortened(visible(str(name)), NAME) for name in view.annotators],
        fontsize="small",
    )
    axes.set_ylim(bottom, -0.4)
    axes.set_xlim(view.first - 0.01 * view.length, view.first + 1.01 * view.length)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize="x-small")
    axes.spines[["top", "right", "left"]].set_visible(False)
    disorder = "" if view.alignment is None else f", disorder {view.alignment.disorder:.3f}"
    axes.set_title(f"{visible(str(view.name))}{disorder}", fontsize="small")
    if keyed:
        _key(axes, view)
    as_they_are(figure_of(axes))
    return axes if path is None else saved(figure_of(axes), path)


def _bar(axes: Axes, view: Timeline, unit: int, top: float) -> tuple[float, float, float]:
    """A bar; its middle, its top and its bottom."""
    c = view.continuum
    start, end = view.first + float(c.begin[unit]), view.first + float(c.end[unit])
    category = int(c.category[unit])
    axes.broken_barh(
        [(start, max(end - start, 0.002 * view.length))],
        (top + 0.1, 0.8),
        facecolor=view.colour(category),
        hatch=HATCHES[category // len(COLOURS) % len(HATCHES)],
        edgecolor="white",
        linewidth=0.6,
    )
    room = int((end - start) / view.length * LETTERS)  # letters that fit into the bar
    letter = view.letter(category) if len(view.categories) > 1 else ""
    passage = cut_to(view.passage(start, end), room - 3) if room > SHORT else ""
    label = f"{letter}  {passage}".strip()
    if label and end - start > 0.015 * view.length:
        axes.text(
            (start + end) / 2,
            top + 0.5,
            label,
            ha="center",
            va="center",
            fontsize="x-small",
            bbox={"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.7},
        )
    return (start + end) / 2, top + 0.1, top + 0.9


def _text(axes: Axes, view: Timeline, top: float) -> float:
    """The text below the lanes, every word where it stands, in a document that is short enough; how far it reaches."""
    text = view.passage(view.first, view.first + view.length)
    if not text or view.length > LETTERS:
        return top - 0.1
    for word in re.finditer(r"\S+", text):
        at = view.first + word.start() + (word.end() - word.start()) / 2
        size = min(9.0, 900 / view.length)
        axes.text(at, top + 0.2, word[0], ha="center", va="top", fontfamily="monospace", fontsize=size)
    return top + 0.9


def _join(axes: Axes, bars: Sequence[tuple[float, float, float]]) -> None:
    for above, below in pairwise(bars):
        axes.plot([above[0], below[0]], [above[2], below[1]], color="0.35", linewidth=0.9, zorder=3)


def _key(axes: Axes, view: Timeline) -> None:
    from matplotlib.patches import Patch

    handles = [
        Patch(
            facecolor=view.colour(code),
            hatch=HATCHES[code // len(COLOURS) % len(HATCHES)],
            edgecolor="white",
            label=f"{view.letter(code)}  {shortened(visible(str(name)), LABEL)}",
        )
        for code, name in enumerate(view.categories)
    ]
    figure_of(axes).legend(
        handles=handles, loc="outside lower center", ncols=COLUMNS, frameon=False, fontsize="x-small"
    )
