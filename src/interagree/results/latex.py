"""Documents as LaTeX to be put into a paper: a booktabs table for each table, a TikZ picture for each chart."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from itertools import chain, count

from interagree.errors import visible
from interagree.results.cells import cut_to
from interagree.results.charts import Chart
from interagree.results.document import AS_IT_STANDS, Document, Section
from interagree.results.tabular import FITTED, NARROW, shape_of, tabular
from interagree.results.tex import escaped, needed, without
from interagree.tables import Table

LONGEST = 400  # letters of the caption of a picture
MOST = 40  # tables and pictures in a row; LaTeX holds some 50 before it has to set them


def latex(document: Document, *, digits: int = 2, pictures: bool = True) -> str:
    """The tables and charts of a document, each with a caption, and its sentences.

    Args:
        document: What is written.
        digits: Decimal places of its numbers.
        pictures: Whether charts are drawn.
    """
    paper = Paper(digits, pictures=pictures)
    for section in document.sections:
        paper.add(section)
    what = "Tables and pictures" if "tikz" in paper.packages else "Tables"
    # TikZ loads graphicx itself.
    needs = paper.packages - {"graphicx"} if "tikz" in paper.packages else paper.packages
    body = "\n\n".join(paper.parts)
    parts = [
        f"% {what} by interagree; the preamble needs \\usepackage{{{','.join(sorted(needs))}}}.",
        needed(body),
        body,
    ]
    if document.bibtex:
        entries = "\n\n".join(document.bibtex)
        parts.append("% BibTeX entries for the coefficients:\n" + textwrap.indent(entries, "% ", lambda _: True))
    return "\n\n".join(part for part in parts if part) + "\n"


class Paper:
    """What has been written of a document, and the names that its tables and pictures have."""

    def __init__(self, digits: int, *, pictures: bool) -> None:
        self.digits = digits
        self.pictures = pictures
        self.parts: list[str] = []
        self.packages = {"booktabs"}
        self._floats = 0
        self._names: set[str] = set()

    def add(self, section: Section) -> None:
        """Write a section: its picture, its table, or its sentences where it has no table."""
        table = section.table
        if table is None or not len(table):
            self._sentences(section)
        drawn = section.estimates()
        if section.chart is not None and self.pictures and (drawn is None or len(drawn.rows) > 1):
            self._picture(section.chart, section.title)
        if table is not None and len(table):
            self._table(table, section)

    def _sentences(self, section: Section) -> None:
        lines = [_sentence(line) for line in (*section.lines, *section.foot)]
        if lines and not section.verbatim:
            head = f"\\paragraph{{{escaped(section.title)}}}\n" if section.title else ""
            self.parts.append(head + "\n\n".join(lines))

    def _picture(self, chart: Chart, title: str) -> None:
        from interagree.results.charts.tikz import tikz

        self.packages.add("tikz")
        words = cut_to(visible(chart.words), LONGEST)
        drawing = f"{FITTED}{tikz(chart)}}}"
        self._float("figure", [drawing, *self._named("fig", words, title or type(chart).__name__)])

    def _table(self, table: Table, section: Section) -> None:
        caption = ". ".join(line.rstrip(".") for line in (section.title, *section.lines) if line)
        foot = [escaped(line.strip()) for line in (table.foot, *section.foot) if line]
        named = self._named("tab", caption, section.title)
        shape = shape_of(table, self.digits, len(foot))
        small = [f"\\footnotesize\\tabcolsep={NARROW / 2:g}pt"] if shape.small else []
        lines = tabular(table, self.digits, shape, named)
        if shape.long:
            self.packages.add("longtable")
            below = [f"\\noindent\\footnotesize {line}\\par" for line in foot]
            self.parts.append("\n".join(["{" + "".join(small), *lines, *below, "}"]))
            return
        if shape.shrunk:
            self.packages.add("graphicx")
        self._float("table", [*small, *lines, *(f"\\par\\smallskip\\footnotesize {line}" for line in foot)])

    def _float(self, kind: str, lines: Iterable[str]) -> None:
        if self._floats and self._floats % MOST == 0:
            self.parts.append("\\clearpage")
        self._floats += 1
        self.parts.append("\n".join([f"\\begin{{{kind}}}[htbp]", "\\centering", *lines, f"\\end{{{kind}}}"]))

    def _named(self, kind: str, caption: str, title: str) -> list[str]:
        """The caption of a table or a picture, and the name by which a text refers to it."""
        if not caption:
            return []
        words = f"{escaped(caption.rstrip('.'))}."
        plain = without(words)
        return [
            f"\\caption{f'[{{{plain}}}]' if plain != words else ''}{{{words}}}",
            f"\\label{{{self._name(kind, title)}}}",
        ]

    def _name(self, kind: str, title: str) -> str:
        slug = re.sub("[^a-z0-9]+", "-", title.partition(" (")[0].lower()).strip("-")
        name = f"{kind}:ia-{slug}" if slug else f"{kind}:ia"
        later = (f"{name}-{number}" for number in count(2))
        free = next(each for each in chain([name], later) if each not in self._names)
        self._names.add(free)
        return free


def _sentence(line: str) -> str:
    text = escaped(line.strip())
    return f"{{\\raggedright\\ttfamily\\small {text}\\par}}" if line.startswith(AS_IT_STANDS) else text
