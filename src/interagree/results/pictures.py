"""Pictures of distances: histograms of those within and between items, and a heat map of all annotations of some items.

Drawn with Matplotlib, which is imported when a picture is asked for; in a terminal a histogram is a row of blocks.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.data.types import Item
from interagree.data.writing import write_file
from interagree.errors import FormatError, extra, listing, visible
from interagree.results.charts.colours import COLOURS
from interagree.results.narrow import shortened

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

ACROSS = 3  # panels beside one another


class Histogram(NamedTuple):
    """Distances within and between items under one distance function, in bins of equal width."""

    name: str
    edges: Floats
    within: Floats  # shares, summing to 1
    between: Floats
    threshold: float  # the largest distance that sigma takes for rarer than chance; nan where none is


class Heat(NamedTuple):
    """The distances of all annotations of some items, the annotations of an item beside each other."""

    name: str
    table: Floats
    items: Sequence[Item]
    sizes: Sequence[int]


def histograms(panels: Sequence[Histogram]) -> Figure:
    """A figure with a panel for each distance: within items and between items, and where sigma's threshold lies."""
    across = min(ACROSS, len(panels))
    down = math.ceil(len(panels) / across)
    figure = canvas((3.4 * across + 0.4, 2.3 * down + 0.6), purpose="a picture of distances")
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(down, across, place + 1)
        for shares, colour, label in (
            (panel.within, COLOURS[0], "within items (observed)"),
            (panel.between, COLOURS[1], "between items (expected)"),
        ):
            axes.stairs(shares, panel.edges, fill=True, color=colour, alpha=0.35)
            axes.stairs(shares, panel.edges, color=colour, linewidth=1.2, label=label)
        if not math.isnan(panel.threshold):
            axes.axvline(panel.threshold, color="0.2", linestyle="--", linewidth=1, label="threshold of sigma")
        axes.set_title(panel.name, fontsize="small")
        axes.set_ylim(bottom=0)
        axes.tick_params(labelsize="x-small")
        axes.spines[["top", "right"]].set_visible(False)
    named: dict[str, Artist] = {}
    for axes in figure.axes:
        handles, labels = axes.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
    figure.legend(
        list(named.values()),
        list(named),
        loc="outside lower center",
        ncols=len(named) if across > 1 else 1,
        frameon=False,
        fontsize="small",
    )
    figure.supylabel("share of pairs", fontsize="small")
    return figure


def heat_map(heat: Heat) -> Figure:
    """A figure of the distances of all annotations of some items: blocks on the diagonal are items, dark is near."""
    figure = canvas((6, 5.2), purpose="a heat map of distances")
    axes = figure.add_subplot()
    image = axes.imshow(heat.table, cmap="viridis", interpolation="nearest")
    ends = np.cumsum([0, *heat.sizes])
    for edge in ends[1:-1]:
        axes.axhline(edge - 0.5, color="white", linewidth=0.6)
        axes.axvline(edge - 0.5, color="white", linewidth=0.6)
    middles = (ends[1:] + ends[:-1]) / 2 - 0.5
    names = [shortened(visible(str(name)), 16) for name in heat.items]
    axes.set_yticks(middles, names, fontsize="x-small")
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.set_title(f"{heat.name}: distances of the annotations of {len(heat.items)} items", fontsize="small")
    figure.colorbar(image, label="distance")
    return figure


def canvas(size: tuple[float, float], *, purpose: str) -> Figure:
    """An empty figure, which needs no display."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise extra("matplotlib", "plot", purpose=purpose) from None
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def written(figure: Figure, path: str | Path | None) -> Figure | Path:
    """The path of a picture once it is written; the figure itself where no path is given."""
    if path is None:
        return figure
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a dollar sign in a name is not a formula
    place, drawn = Path(path), io.BytesIO()
    ending = place.suffix.removeprefix(".").lower() or "png"
    if ending not in (known := figure.canvas.get_supported_filetypes()):
        raise FormatError(f"{place}: a picture cannot be drawn as {ending!r}; take {listing(known, quote=False)}")
    figure.savefig(drawn, format=ending, dpi=150)
    write_file(place, drawn.getvalue())
    return place
