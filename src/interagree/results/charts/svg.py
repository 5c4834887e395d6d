"""Charts as SVG for pages and files: text as text, colours from a style sheet, and nothing that runs.

`svg` gives the drawing alone, whose colours come from `STYLE`, which a page includes once; `standalone` gives a file of
its own.  A drawing says in its title what it shows and in its description what its numbers are.  It has no style
attributes, so that a page may forbid them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from interagree.errors import visible
from interagree.results.charts import Chart
from interagree.results.charts.colours import DARK, LIGHT
from interagree.results.charts.layout import draw
from interagree.results.charts.sheet import SERIES, SHAPES, WIDTH, Canvas, Point, colour, number
from interagree.results.charts.words import described

ROWS, COLUMNS = 40, 20  # drawn at most

_FORCED = ("CanvasText", "LinkText", "Highlight", "VisitedText", "GrayText", "CanvasText")
_CLASSES = "".join(f".series-{place}{{--ia-colour:var(--ia-series-{place})}}" for place in range(SERIES))
_SHADES = "".join(
    f".{name}{{--ia-shade:var(--ia-{name});--ia-on-shade:var(--ia-on-{name})}}" for name in LIGHT.shades()
)
STYLE = (
    f":root{{{LIGHT.rules()}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{DARK.rules()}}}}}"
    f"@media screen{{:root[data-theme=dark]{{{DARK.rules()}}}}}"
    "@media (forced-colors:active){:root:root:root{--ia-ground:Canvas;--ia-ink:CanvasText;--ia-quiet:CanvasText;"
    "--ia-grid:GrayText;" + "".join(f"--ia-series-{place}:{name};" for place, name in enumerate(_FORCED)) + "}"
    ".ia-chart .cell,.ia-chart .on-shade{forced-color-adjust:none}}"
    + _CLASSES
    + _SHADES
    + ".ia-chart{display:block;width:100%;max-width:36rem;height:auto;break-inside:avoid}"
    ".ia-chart text{font-family:system-ui,sans-serif}"
    ".ia-chart text{fill:var(--ia-ink);font-size:12px}"
    ".ia-chart .quiet{fill:var(--ia-quiet);font-size:11px}"
    ".ia-chart .halo{paint-order:stroke;stroke:var(--ia-ground);stroke-width:3px}"
    ".ia-chart .grid{stroke:var(--ia-grid);stroke-width:1;fill:none}"
    ".ia-chart .base{stroke:var(--ia-quiet);stroke-width:1;fill:none}"
    ".ia-chart .mark{stroke:var(--ia-ink);stroke-width:1;stroke-dasharray:4 3;fill:none}"
    ".ia-chart .line{stroke:var(--ia-colour);stroke-width:2;fill:none;stroke-linejoin:round}"
    ".ia-chart .area{fill:var(--ia-colour);fill-opacity:.2;stroke:none}"
    ".ia-chart .fill{fill:var(--ia-colour);stroke:none}"
    ".ia-chart .dot{fill:var(--ia-colour);stroke:var(--ia-ground);stroke-width:1}"
    ".ia-chart .cell{fill:var(--ia-shade);stroke:var(--ia-ground);stroke-width:1}"
    ".ia-chart .shade-none{fill:none}"
    ".ia-chart .on-shade{fill:var(--ia-on-shade)}"
)


def svg(chart: Chart) -> str:
    """A chart as one ``<svg>`` element, to be put into a page that has `STYLE`."""
    return _drawing(chart)


def standalone(chart: Chart) -> str:
    """A chart as a file of its own, with its colours for light and dark."""
    style = f"<style>{STYLE}.ia-chart{{background:var(--ia-ground)}}</style>"
    return _drawing(chart, style, ' xmlns="http://www.w3.org/2000/svg"')


def _drawing(chart: Chart, style: str = "", space: str = "") -> str:
    sheet = SvgSheet()
    draw(sheet, chart, ROWS, COLUMNS)
    head = f'<svg class="ia-chart" role="img" viewBox="0 0 {number(WIDTH)} {number(sheet.y + 4)}"{space}>'
    told = f"<title>{safe(chart.words)}</title><desc>{safe(described(chart))}</desc>"
    return f"{head}{told}{style}{''.join(sheet.parts)}</svg>"


class SvgSheet(Canvas):
    """A sheet of SVG elements."""

    def words(self, at: Point, shown: str, whole: str, classes: str, *, anchor: str, turn: int) -> None:
        """Words; those that are cut are whole in a title."""
        x, y = at
        title = f"<title>{safe(whole)}</title>" if shown != whole else ""
        marks = f' class="{classes}"' if classes else ""
        marks += f' text-anchor="{anchor}"' if anchor != "start" else ""
        marks += f' transform="rotate({turn} {number(x)} {number(y)})"' if turn else ""
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}"{marks}>{title}{safe(shown)}</text>')

    def path(self, points: Sequence[Point], classes: str, dash: str = "", *, closed: bool = False) -> None:
        """A line through points."""
        course = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z" * closed
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path class="{classes}" d="{course}"{dashes}/>')

    def box(self, at: Point, size: Point, classes: str, title: str = "") -> None:
        """A rectangle; its title is shown to those who point at it."""
        place = f'x="{number(at[0])}" y="{number(at[1])}" width="{number(max(size[0], 0))}" height="{number(size[1])}"'
        self.parts.append(_titled(f'rect class="{classes}" {place}', title))

    def dot(self, at: Point, series: int, title: str = "", size: float = 4.5) -> None:
        """A point, whose shape tells series apart as its colour does."""
        shape, (x, y), r = SHAPES[series % len(SHAPES)], at, size
        courses = {
            "square": f"M{number(x - r)} {number(y - r)}h{2 * r}v{2 * r}h{-2 * r}z",
            "diamond": f"M{number(x)} {number(y - r - 1)}l{r + 1} {r + 1}l{-r - 1} {r + 1}l{-r - 1} {-r - 1}z",
            "triangle": f"M{number(x)} {number(y - r - 0.5)}l{r + 0.5} {2 * r}h{-2 * r - 1}z",
        }
        classes = f'class="dot {colour(series)}"'
        circle = f'circle {classes} cx="{number(x)}" cy="{number(y)}" r="{r}"'
        self.parts.append(_titled(f'path {classes} d="{courses[shape]}"' if shape in courses else circle, title))


def safe(text: str) -> str:
    """Text that is inert in HTML and in XML."""
    return escape(visible(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd"))


def _titled(element: str, title: str) -> str:
    name = element.split(" ", 1)[0]
    return f"<{element}><title>{safe(title)}</title></{name}>" if title else f"<{element}/>"
