"""Studies can be drawn, by a room above that is loaded when there is something to draw."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from interagree.errors.options import checks_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from interagree.results.charts import Chart


class Drawn:
    """What can be drawn: who gave which values, how often."""

    __slots__ = ()

    def chart(self) -> Chart:
        """How often each annotator gave each value; of numbers how they are spread, of others how many each has."""
        chart: Chart = importlib.import_module("interagree.results.charts.studies").studied(self)
        return chart

    @checks_options
    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None) -> Axes | Path:
        """Draw who gave which values with Matplotlib.

        Args:
            path: Where to write the picture (.svg, .png or .pdf).
            axes: Where to draw it; new axes by default, which a notebook shows.

        Returns:
            The path, or the axes where no path is given.
        """
        figures = importlib.import_module("interagree.results.charts.figures")
        drawn: Axes | Path = figures.plotted(self.chart(), path, axes=axes)
        return drawn
