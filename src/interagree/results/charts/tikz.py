r"""Charts as TikZ pictures for LaTeX: code alone, no image files.

A picture is at most 336 points wide, which fits into the text of an article on A4 and on Letter.  Words have the font
of the paper, in 8 and 7 points.  Printed in grey, series differ in dash, in shape and in how dark their bars are, and
cells below the middle of a scale have a mark in a corner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from interagree.results.charts import Chart
from interagree.results.charts.colours import EMPTY, LIGHT
from interagree.results.charts.layout import draw
from interagree.results.charts.sheet import SHAPES, Canvas, Point, colour, number
from interagree.results.tex import escaped

UNIT = 0.7  # points in a unit of the layout
ROWS, COLUMNS = 24, 20  # drawn at most, so that a picture takes two thirds of a page at most
CORNER = 5.0  # of a mark in a cell
POINTS = 1000  # of a line, from which on it is thinned
PER_LINE = 8  # points
TINTS = (100, 40, 70, 15, 85, 55)  # how full the colours of bars are, in percent
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
SHADES = LIGHT.shades()
COLOURS = {
    "ink": LIGHT.ink,
    "quiet": LIGHT.quiet,
    "grid": LIGHT.grid,
    **{colour(place): shade for place, shade in enumerate(LIGHT.series)},
    **{name: shade for name, (shade, _) in SHADES.items()},
}
# What classes look like.  A colour is named ia- and its name above.
STYLES = {
    "quiet": r"text=ia-quiet, font=\fontsize{7}{8.4}\selectfont",
    "halo": "fill=white, fill opacity=.85, text opacity=1, inner sep=.5pt",
    "grid": "draw=ia-grid, line width=.4pt",
    "base": "draw=ia-quiet, line width=.5pt",
    "mark": "draw=ia-ink, line width=.5pt, dash pattern=on 2.8pt off 2.1pt",
    "line": "draw, line width=1.1pt, line join=round",
    "area": "fill, fill opacity=.2",
    "fill": "draw, line width=.3pt",
    "dot": "fill, draw=white, line width=.5pt",
    "cell": "draw=white, line width=.6pt",
}


def tikz(chart: Chart) -> str:
    """A chart as a ``tikzpicture``."""
    sheet = TikzSheet()
    draw(sheet, chart, ROWS, COLUMNS)
    body = "\n".join(sheet.parts)
    styles = [f"ia {name}/.style={{{look}}}" for name, look in STYLES.items() if f"ia {name}" in body]
    options = [f"x={UNIT}pt, y=-{UNIT}pt, inner sep=0pt, text=ia-ink", r"font=\fontsize{8}{9.6}\selectfont", *styles]
    head = ",\n  ".join(options)
    used = set(re.findall(r"=ia-([\w-]+)", head + body))
    return "\n".join(
        [
            f"\\begin{{tikzpicture}}[\n  {head}]",
            *(f"\\definecolor{{ia-{name}}}{{HTML}}{{{COLOURS[name][1:].upper()}}}" for name in COLOURS if name in used),
            body,
            "\\end{tikzpicture}",
        ]
    )


class TikzSheet(Canvas):
    """A sheet of TikZ paths and nodes."""

    def words(self, at: Point, shown: str, whole: str, classes: str, *, anchor: str, turn: int) -> None:  # noqa: ARG002
        """Words; of those that are cut there is no more."""
        kind, _, shade = classes.partition(" ")
        look = f"text={_on(shade)}" if kind == "on-shade" else _look(classes)
        options = [f"anchor={ANCHORS[anchor]}", f"rotate={-turn}" if turn else "", look]
        if shown:
            chosen = ", ".join(option for option in options if option)
            self.parts.append(f"\\node[{chosen}] at {_place(at)} {{{escaped(shown)}}};")

    def path(self, points: Sequence[Point], classes: str, dash: str = "", *, closed: bool = False) -> None:
        """A line through points."""
        places = [place for place, _ in groupby(map(_place, _thinned(points)))]  # those that round to the same are one
        self._draw(_joined(places) + " -- cycle" * closed, _look(classes), _dashes(dash))

    def box(self, at: Point, size: Point, classes: str, title: str = "") -> None:  # noqa: ARG002
        """A rectangle; nothing shows its title."""
        (x, y), (wide, high) = at, size
        kind, name = classes.split()
        if name == EMPTY:
            return
        tint = f"!{TINTS[int(name.removeprefix('series-')) % len(TINTS)]}!white" if kind == "fill" else ""
        outline = f"{_place(at)} rectangle {_place((x + max(wide, 0.0), y + high))}"
        self._draw(outline, _look(classes), f"fill=ia-{name}{tint}")
        if name.startswith("below"):
            corner = [at, (x + CORNER, y), (x, y + CORNER)]
            self._draw(" -- ".join(map(_place, corner)) + " -- cycle", f"fill={_on(name)}")

    def dot(self, at: Point, series: int, title: str = "", size: float = 4.5) -> None:  # noqa: ARG002
        """A point, whose shape tells series apart as its colour does."""
        shape, (x, y), r = SHAPES[series % len(SHAPES)], at, size
        corners = {
            "square": [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
            "diamond": [(x, y - r - 1), (x + r + 1, y), (x, y + r + 1), (x - r - 1, y)],
            "triangle": [(x, y - r - 0.5), (x + r + 0.5, y + r - 0.5), (x - r - 0.5, y + r - 0.5)],
        }
        circle = f"{_place(at)} circle[radius={r}]"
        course = " -- ".join(map(_place, corners[shape])) + " -- cycle" if shape in corners else circle
        self._draw(course, _look(f"dot {colour(series)}"))

    def _draw(self, course: str, *options: str) -> None:
        self.parts.append(f"\\path[{', '.join(option for option in options if option)}] {course};")


def _look(classes: str) -> str:
    """The options of a path or a node: the colour of its series, then the styles of its other classes."""
    names = classes.split()
    colours = [f"color=ia-{name}" for name in names if name.startswith("series-")]
    return ", ".join([*colours, *(f"ia {name}" for name in names if name in STYLES)])


def _on(shade: str) -> str:
    """The colour of what stands on a shade."""
    return "black" if SHADES[shade][1] == "#000000" else "white"


def _dashes(dash: str) -> str:
    lengths = [
        f"{'off' if place % 2 else 'on'} {number(float(length) * UNIT)}pt" for place, length in enumerate(dash.split())
    ]
    return f"dash pattern={' '.join(lengths)}" if lengths else ""


def _thinned(points: Sequence[Point]) -> list[Point]:
    """A line that looks the same: of the many points above one another its ends, the highest and the lowest."""
    if len(points) <= POINTS:
        return list(points)
    kept: list[Point] = []
    for _, run in groupby(points, lambda point: round(point[0])):
        there = list(run)
        heights = [y for _, y in there]
        places = {0, heights.index(min(heights)), heights.index(max(heights)), len(there) - 1}
        kept += [there[place] for place in sorted(places)]
    return kept


def _joined(places: Sequence[str]) -> str:
    """A path in lines that TeX can read, which takes only so many letters at a time."""
    lines = [" -- ".join(places[start : start + PER_LINE]) for start in range(0, len(places), PER_LINE)]
    return " --\n  ".join(lines)


def _place(point: Point) -> str:
    return f"({number(point[0])},{number(point[1])})"
