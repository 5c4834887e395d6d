"""The distances of all annotations of some items as a picture: blocks on the diagonal are items, dark is near."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.data.types import Item
from interagree.errors import visible
from interagree.results.charts.figures import as_they_are, axes_for, figure_of, saved
from interagree.results.narrow import shortened
from interagree.stats.engine.compress import totals
from interagree.stats.pairs.item_pairs import Pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (6.0, 5.2)  # inches
LONGEST = 16  # letters of the name of an item


class ItemDistances(NamedTuple):
    """The distances of all annotations of some items, the annotations of an item beside each other."""

    table: Floats
    items: Sequence[Item]
    sizes: Sequence[int]


def chosen(pairs: Pairs, items: int) -> ItemDistances:
    """Items taken evenly from those whose annotations are nearest to each other to those whose are furthest."""
    whole = pairs.distances
    mean = totals(whole.pair_item, whole.far[whole.counted], whole.items) / whole.pairs_of_item
    order = np.argsort(mean, kind="stable")
    some = order[np.unique(np.linspace(0, whole.items - 1, min(items, whole.items)).round().astype(np.intp))]
    codes = np.flatnonzero(pairs.pattern >= 0)[some]
    rows = np.concatenate([np.flatnonzero(whole.item == item) for item in some.tolist()])
    value = whole.value[rows]
    first, second = (side.reshape(-1) for side in np.meshgrid(value, value, indexing="ij"))
    table = whole.of_values(first, second).reshape(len(rows), len(rows))
    return ItemDistances(
        table, [whole.study.items[code] for code in codes.tolist()], whole.size[some].astype(int).tolist()
    )


def drawn(name: str, distances: ItemDistances, path: str | Path | None, axes: Axes | None) -> Axes | Path:
    """The distances in axes, or in a file."""
    axes = axes_for(SIZE, path, axes)
    image = axes.imshow(distances.table, cmap="viridis", interpolation="nearest")
    ends = np.cumsum([0, *distances.sizes])
    for edge in ends[1:-1]:
        axes.axhline(edge - 0.5, color="white", linewidth=0.6)
        axes.axvline(edge - 0.5, color="white", linewidth=0.6)
    names = [shortened(visible(str(item)), LONGEST) for item in distances.items]
    axes.set_yticks((ends[1:] + ends[:-1]) / 2 - 0.5, names, fontsize="x-small")
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.set_title(f"{visible(name)}: distances of the annotations of {len(names)} items", fontsize="small")
    figure_of(axes).colorbar(image, ax=axes, label="distance")
    as_they_are(axes)
    return axes if path is None else saved(figure_of(axes), path)
