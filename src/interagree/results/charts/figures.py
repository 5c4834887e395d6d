"""Charts with Matplotlib, which is imported when a picture is asked for.

`drawn` draws a chart into axes, given or new; new ones belong to pyplot, so that a notebook shows them and
``plt.show()`` opens a window.  What is written to a file needs no display.
"""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from interagree.data.writing import write_file
from interagree.errors import DataError, FormatError, KindError, extra, listing, visible
from interagree.results.cells import cut_to
from interagree.results.charts import Bars, Chart, Forest, Heat, Histogram, LineChart, ThresholdLine
from interagree.results.charts.axes import DAY, across, along, cut, short, upwards, written
from interagree.results.charts.colours import DARK, LIGHT, Theme, extent

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROWS, COLUMNS = 60, 30  # drawn at most
LABELS, HEADS = 32, 20  # letters of a name, and of that of a column
BESIDE = 28  # letters beside the key of shades
ACROSS = 3  # panels beside one another
MARKERS = "os^Dvx"
DASHES = ("-", "--", ":", "-.")
# Fonts of scripts that Matplotlib's own does not have; those that are there are taken in this order.
FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "Yu Gothic", "Microsoft YaHei", "PingFang SC",
    "WenQuanYi Zen Hei", "Malgun Gothic", "Noto Sans Arabic", "Noto Naskh Arabic", "Noto Sans Hebrew",
    "Noto Sans Devanagari", "Noto Sans Thai", "Nirmala UI", "Segoe UI", "Arial Unicode MS", "Noto Emoji",
    "Segoe UI Symbol", "Segoe UI Emoji", "Apple Symbols",
)  # fmt: skip


def plotted(chart: Chart, path: str | Path | None = None, *, axes: Axes | None = None) -> Axes | Path:
    """The axes that a chart is drawn into, or the path of the picture once it is written.

    Args:
        chart: What to draw.
        path: Where to write it: .svg, .png, .pdf.
        axes: Where to draw it; new axes by default.
    """
    made = drawn(chart, axes_for(size_of(chart), path, axes))
    return made if path is None else saved(figure_of(made), path)


def drawn(chart: Chart, axes: Axes | None = None) -> Axes:
    """Draw a chart into axes; into new ones of pyplot by default."""
    kept, left_out = cut(chart, ROWS, COLUMNS)
    axes = axes_for(size_of(chart), None, axes)
    theme = theme_of(axes)
    if isinstance(kept, Forest):
        _forest(axes, kept, theme)
    elif isinstance(kept, Bars):
        _bars(axes, kept, theme)
    elif isinstance(kept, Heat):
        _heat(axes, kept, theme)
    elif isinstance(kept, LineChart):
        _lines(axes, kept, theme)
    else:
        _histogram(axes, kept, theme)
    if left_out:
        axes.set_xlabel(f"{axes.get_xlabel()}\n({left_out})".lstrip())
    as_they_are(axes)
    return axes


def beside(charts: Sequence[Chart], path: str | Path | None = None) -> Axes | Path:
    """Charts beside one another: the axes of the last, or the path of the picture."""
    size = (4.5 * len(charts), 3.6)
    figure = shown(size) if path is None else canvas(size)
    for place, chart in enumerate(charts):
        last = drawn(chart, figure.add_subplot(1, len(charts), place + 1))
    return last if path is None else saved(figure, path)


def panels(
    charts: Sequence[Chart], titles: Sequence[str], path: str | Path | None = None, *, ylabel: str = ""
) -> Axes | Path:
    """Charts of the same things with one legend for all of them: the axes of the first, or the path of the picture.

    Args:
        charts: What to draw.
        titles: What stands above each.
        path: Where to write it.
        ylabel: What stands on the left of all of them.
    """
    across_ = min(ACROSS, len(charts))
    down = math.ceil(len(charts) / across_)
    size = (3.4 * across_ + 0.4, 2.3 * down + 0.6)
    figure = shown(size) if path is None else canvas(size)
    named: dict[str, Artist] = {}
    for place, (chart, title) in enumerate(zip(charts, titles, strict=True)):
        axes = drawn(chart, figure.add_subplot(down, across_, place + 1))
        axes.set(title=visible(title), xlabel="", ylabel="")
        axes.title.set_fontsize("small")
        axes.tick_params(labelsize="x-small")
        handles, labels = axes.get_legend_handles_labels()
        named |= dict(zip(labels, handles, strict=True))
        if (legend := axes.get_legend()) is not None:
            legend.remove()
    columns = len(named) if across_ > 1 else 1
    figure.legend(
        [*named.values()], [*named], loc="outside lower center", ncols=columns, frameon=False, fontsize="small"
    )
    figure.supylabel(ylabel, fontsize="small")
    as_they_are(figure)
    return figure.axes[0] if path is None else saved(figure, path)


def size_of(chart: Chart) -> tuple[float, float]:
    """How large a chart is in inches."""
    kept, _ = cut(chart, ROWS, COLUMNS)
    if isinstance(kept, Forest):
        return 7.0, 1.3 + 0.32 * max(len(kept.rows), 1)
    if isinstance(kept, Bars):
        return 7.0, 1.1 + (0.12 + 0.2 * max(len(kept.series), 1)) * max(len(kept.labels), 1)
    if isinstance(kept, Heat):
        return 2.9 + 0.5 * min(max(len(kept.columns), 3), 22), 1.6 + 0.32 * max(len(kept.rows), 2)
    return 7.0, 3.6


def axes_for(size: tuple[float, float], path: str | Path | None, axes: object) -> Axes:
    """The axes to draw into: those that are given, else new ones, of pyplot where they are not for a file."""
    if axes is None:
        return (shown(size) if path is None else canvas(size)).add_subplot()
    try:
        from matplotlib.axes import Axes
    except ImportError:
        raise extra("matplotlib", "plot", purpose="a picture") from None
    if not isinstance(axes, Axes):
        raise KindError(
            "axes= takes the axes of a Matplotlib figure, such as matplotlib.pyplot.gca(), not "
            f"{' '.join(repr(axes).split()):.60}"
        )
    return axes


def canvas(size: tuple[float, float], *, purpose: str = "a picture") -> Figure:
    """An empty figure for a file, which needs no display."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise extra("matplotlib", "plot", purpose=purpose) from None
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def shown(size: tuple[float, float], *, purpose: str = "a picture") -> Figure:
    """An empty figure that a notebook shows."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise extra("matplotlib", "plot", purpose=purpose) from None
    return plt.figure(figsize=size, layout="constrained")


def saved(figure: Figure, path: str | Path) -> Path:
    """The path of a picture once it is written."""
    place = Path(path)
    ending = place.suffix.removeprefix(".").lower() or "png"
    if ending not in (known := figure.canvas.get_supported_filetypes()):
        raise FormatError(f"{place}: a picture cannot be drawn as {ending!r}; take {listing(known, quote=False)}")
    write_file(place, content(figure, ending))
    return place


def content(figure: Figure, ending: str) -> bytes:
    """A picture as the bytes of a file."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        # A letter that no font has is drawn as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        as_they_are(figure)
        figure.savefig(out, format=ending, dpi=150)
    return out.getvalue()


def image(chart: Chart) -> bytes:
    """A chart as PNG."""
    return content(figure_of(drawn(chart, canvas(size_of(chart)).add_subplot())), "png")


def figure_of(axes: Axes) -> Figure:
    """The figure of axes, whole."""
    figure = axes.get_figure(root=True)
    if figure is None:
        raise DataError("the axes were taken out of their figure; take new ones, or leave out axes=")
    return figure


def as_they_are(artist: Artist) -> None:
    """Have names drawn as they are: a dollar sign is not a formula, and scripts have the fonts that are there."""
    from matplotlib import font_manager
    from matplotlib.text import Text

    there: list[str] | None = None
    for text in cast("list[Text]", artist.findobj(Text)):
        text.set_parse_math(False)
        if not all(sign < "\u0590" or "\u2000" <= sign < "\u2800" for sign in text.get_text()):
            if there is None:
                known = {entry.name for entry in font_manager.fontManager.ttflist}
                there = [name for name in FONTS if name in known]
            text.set_fontfamily(
                [*text.get_fontfamily(), *(name for name in there if name not in text.get_fontfamily())]
            )


def theme_of(axes: Axes) -> Theme:
    """The colours for the ground of axes."""
    from matplotlib.colors import to_rgb

    return DARK if sum(to_rgb(axes.get_facecolor())) < 1.2 else LIGHT


def _name(text: str, most: int = LABELS) -> str:
    return cut_to(visible(text), most)


def _forest(axes: Axes, chart: Forest, theme: Theme) -> None:
    groups = list(dict.fromkeys(row.group for row in chart.rows))
    named: set[str] = set()
    for height, row in enumerate(chart.rows):
        place = groups.index(row.group)
        colour = theme.series[place % len(theme.series)]
        if not (math.isnan(row.low) or math.isnan(row.high)):
            axis = across(chart)
            ends = [min(max(end, axis.low), axis.high) for end in (row.low, row.high)]
            axes.plot(ends, [height, height], color=colour, linewidth=2, solid_capstyle="butt")
        if not math.isnan(row.value):
            label = _name(row.group) if row.group not in named else "_"
            named.add(row.group)
            axes.plot(row.value, height, MARKERS[place % 4], color=colour, label=label, linestyle="none")
        told = written(row.value, 2)
        axes.annotate(told, (1.02, height), xycoords=axes.get_yaxis_transform(), va="center", fontsize="small")
    axes.set_yticks(range(len(chart.rows)), [_name(row.label) for row in chart.rows])
    axes.set_ylim(len(chart.rows) - 0.4, -0.6)
    _below(axes, chart, theme)
    if len(groups) > 1:
        axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.1, 1))


def _bars(axes: Axes, chart: Bars, theme: Theme) -> None:
    names = list(chart.series)
    thick = 0.8 / max(len(names), 1)
    for place, name in enumerate(names):
        amounts = [float(amount) for amount in chart.series[name]]
        heights = np.arange(len(chart.labels)) + (place - (len(names) - 1) / 2) * thick
        drawn_as = [amount if math.isfinite(amount) else 0.0 for amount in amounts]
        colour = theme.series[place % len(theme.series)]
        made = axes.barh(heights, drawn_as, 0.9 * thick, color=colour, label=_name(name) or "_")
        axes.bar_label(made, [short(amount) for amount in amounts], padding=3, fontsize="x-small")
    axes.set_yticks(range(len(chart.labels)), [_name(label) for label in chart.labels])
    axes.set_ylim(len(chart.labels) - 0.4, -0.6)
    _below(axes, chart, theme)
    if len(names) > 1:
        axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.04, 1))


def _below(axes: Axes, chart: Forest | Bars, theme: Theme) -> None:
    """The axis below rows, its marks and its grid."""
    axis = across(chart)
    margin = 0.02 * (axis.high - axis.low)
    axes.set_xlim(axis.low - margin, axis.high + (margin if isinstance(chart, Forest) else 4 * margin))
    axes.axvline(0, color=theme.quiet, linewidth=0.8)
    _marks(axes, chart.marks, theme)
    axes.set_xlabel(visible(chart.axis))
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=theme.grid)
    axes.set_axisbelow(True)


def _marks(axes: Axes, marks: Sequence[ThresholdLine], theme: Theme, *, level: bool = False) -> None:
    """Lines across a chart, each with its name at its end."""
    for place, mark in enumerate(sorted(marks, key=lambda mark: mark.at)):
        line = axes.axhline if level else axes.axvline
        line(mark.at, color=theme.quiet, linestyle="--", linewidth=1)
        axes.annotate(
            _name(mark.label),
            (1.0, mark.at) if level else (mark.at, 1.0),
            xycoords=axes.get_yaxis_transform() if level else axes.get_xaxis_transform(),
            xytext=(0, 1 if level else 1 + 9 * (place % 3)),  # so that names beside one another do not meet
            textcoords="offset points",
            fontsize="x-small",
            color=theme.quiet,
            ha="right" if level else "center",
            va="bottom",
        )


def _heat(axes: Axes, chart: Heat, theme: Theme) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    cells = np.asarray(chart.cells, dtype=float).reshape(len(chart.rows), len(chart.columns))
    if not cells.size:
        return
    low, high = extent(chart)
    if chart.middle is not None:
        reach = max(abs(low - chart.middle), abs(high - chart.middle)) or 1.0
        low, high = chart.middle - reach, chart.middle + reach
    ends = [theme.least, theme.most] if chart.middle is None else [theme.below, theme.least, theme.most]
    colours = LinearSegmentedColormap.from_list("interagree", ends)
    known = np.ma.masked_invalid(cells)
    image = axes.imshow(known, cmap=colours, vmin=low, vmax=high if high > low else low + 1, aspect="auto")
    axes.set_xticks(range(len(chart.columns)), [_name(name, HEADS) for name in chart.columns], rotation=45, ha="right")
    axes.set_yticks(range(len(chart.rows)), [_name(name) for name in chart.rows])
    if len(chart.columns) <= 16:
        _numbers(axes, chart, cells, image)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure_of(axes).colorbar(image, ax=axes, label=textwrap.fill(visible(chart.axis), BESIDE), shrink=0.8)


def _numbers(axes: Axes, chart: Heat, cells: np.ndarray, image: object) -> None:
    """The numbers of a heat map in its cells, dark on light and light on dark."""
    for (row, column), value in np.ndenumerate(cells):
        if math.isfinite(value):
            red, green, blue, _ = image.to_rgba(value)  # type: ignore[attr-defined]
            ink = "black" if 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18 else "white"
            told = written(float(value), chart.digits)
            axes.text(column, row, told, ha="center", va="center", fontsize="x-small", color=ink)


def _lines(axes: Axes, chart: LineChart, theme: Theme) -> None:
    dates = chart.scale == "time"
    for place, line in enumerate(chart.lines):
        colour = theme.series[place % len(theme.series)]
        x = np.asarray(line.x, dtype=float) / (DAY if dates else 1)
        dash = DASHES[(place // len(theme.series) + place) % len(DASHES)]
        marker = MARKERS[place % 4] if line.dots else ""
        axes.plot(
            x,
            np.asarray(line.y, dtype=float),
            dash,
            color=colour,
            marker=marker,
            markersize=4,
            label=_name(line.name) or "_",
        )
        if len(line.low) and len(line.high):
            low, high = np.asarray(line.low, dtype=float), np.asarray(line.high, dtype=float)
            axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    below = along(chart)
    if chart.scale == "log":
        axes.set_xlim(below.low, below.high)
        axes.set_xscale("log")
    axes.set_xticks([tick / (DAY if dates else 1) for tick in below.ticks], below.words)
    axes.set_xticks([], minor=True)
    axis = upwards(chart)
    axes.set_ylim(axis.low, axis.high)
    _marks(axes, chart.marks, theme, level=True)
    _marks(axes, [ThresholdLine(mark.at / (DAY if dates else 1), mark.label) for mark in chart.moments], theme)
    axes.set_xlabel(visible(chart.across))
    axes.set_ylabel(visible(chart.axis))
    _open(axes, theme)
    if sum(bool(line.name) for line in chart.lines) > 0:
        axes.legend(frameon=False, fontsize="small")


def _histogram(axes: Axes, chart: Histogram, theme: Theme) -> None:
    for place, (name, shares) in enumerate(chart.series.items()):
        colour = theme.series[place % len(theme.series)]
        known = np.nan_to_num(np.asarray(shares, dtype=float))
        axes.stairs(known, np.asarray(chart.edges, dtype=float), fill=True, color=colour, alpha=0.3)
        dash = DASHES[place % len(DASHES)]
        axes.stairs(
            known,
            np.asarray(chart.edges, dtype=float),
            color=colour,
            linewidth=1.2,
            linestyle=dash,
            label=_name(name) or "_",
        )
    for mark in chart.marks:
        axes.axvline(mark.at, color=theme.quiet, linestyle="--", linewidth=1, label=_name(mark.label))
    axes.set_ylim(bottom=0)
    axes.set_xlabel(visible(chart.axis))
    axes.set_ylabel("share")
    _open(axes, theme)
    if any(chart.series) or chart.marks:
        axes.legend(frameon=False, fontsize="small")


def _open(axes: Axes, theme: Theme) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color=theme.grid)
    axes.set_axisbelow(True)
