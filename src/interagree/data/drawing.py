"""Studies can be drawn and reported on, by rooms above that are loaded when they are asked for it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from interagree.errors.options import checks_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from interagree.reports.make import Report
    from interagree.results.charts import Chart


class Drawn:
    """What can be drawn (who gave which values, how often) and reported on."""

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

    @checks_options
    def report(self, path: str | Path | None = None, **options: object) -> Report:
        """The report on it: verdict, next steps, coefficients, pictures, disagreements; see `interagree.report`.

        Args:
            path: Where to write it (.html, .xlsx, .docx, .md, .tex, …).
            options: The options of `interagree.report`, such as ``measures``, ``distance``, ``level`` and ``title``.

        Returns:
            The report: ``print`` it, ``write`` it to a file, or take its ``to_html()``.
        """
        report: Report = importlib.import_module("interagree.reports.make").report(self, **options)
        if path is not None:
            report.write(path)
        return report
