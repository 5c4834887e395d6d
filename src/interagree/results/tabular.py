r"""Tables as LaTeX's tabular with the rules of booktabs, no wider than the text of a page.

A table that is wider by its letters has a smaller font and heads in several lines; where that is not enough, its
longest texts are broken into lines, and what is then still too wide is shrunk.  A table that is longer than a page is a
longtable, which continues on the next and is not shrunk.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from interagree.results.cells import width_of
from interagree.results.tex import escaped
from interagree.tables import Table, cell, to_right

PAGE = 345.0  # points of the text of an article
LETTER, SMALL = 4.6, 4.05  # points of a letter, and of one in a note
SURE = 0.95  # of a page: what is narrower by its letters fits, whichever letters they are
BESIDE, NARROW = 12.0, 8.0  # points between columns
LEAST = 18  # letters of a line of text, where it is broken into lines
ROWS = 40  # on a page
# As wide as it is, or as the text where that is narrower.
FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{"


class TableStyle(NamedTuple):
    """How a table is set."""

    heads: Sequence[int] = ()  # how many letters there are in a line of each head; none where they are not broken
    broken: Sequence[float | None] = ()  # how wide the lines of a column are whose texts are broken, in points
    long: bool = False
    shrunk: bool = False  # to the width of the text, where that is narrower

    @property
    def small(self) -> bool:
        """Whether it has a smaller font."""
        return bool(self.heads)


def shape_of(table: Table, digits: int, below: int = 0) -> TableStyle:
    """How a table is set so that it fits on a page, with so many notes below it."""
    long = len(table) + below > ROWS
    names, columns = list(table.columns), list(table.columns.values())
    longest = [max((width_of(cell(entry, digits)) for entry in column), default=0) for column in columns]
    whole = sum(max(width_of(cell(name)), most) for name, most in zip(names, longest, strict=True))
    if whole * LETTER + BESIDE * len(names) <= PAGE:
        return TableStyle(long=long)
    letters = [max(most, *map(width_of, cell(name).split()), 1) for name, most in zip(names, longest, strict=True)]
    wide = [count * SMALL for count in letters]
    spare = sum(wide) + NARROW * len(names) - PAGE
    texts = [
        place for place, column in enumerate(columns) if spare > 0 and longest[place] > LEAST and not to_right(column)
    ]
    to_share = sum(wide[place] for place in texts)
    broken: list[float | None] = [None] * len(names)
    for place in texts:
        broken[place] = wide[place] = max(wide[place] - spare * wide[place] / to_share, LEAST * SMALL)
    return TableStyle(letters, broken, long, sum(wide) + NARROW * len(names) > SURE * PAGE and not long)


def tabular(table: Table, digits: int, shape: TableStyle, above: Sequence[str] = ()) -> list[str]:
    """The lines of a table; those of a longtable have its caption within."""
    names, columns = [cell(name) for name in table.columns], list(table.columns.values())
    sides = "".join("r" if to_right(column) else "l" for column in columns)
    widths = shape.heads or [max(map(len, names), default=0)] * len(names)
    heads = _row(_stacked(name, side, most) for name, side, most in zip(names, sides, widths, strict=True))
    broken = shape.broken or [None] * len(names)
    body = [
        _row(_broken(escaped(cell(entry, digits)), width) for entry, width in zip(row, broken, strict=True))
        for row in zip(*columns, strict=True)
    ]
    if shape.long:
        named = [f"{above[0]}{''.join(above[1:])} \\\\"] if above else []
        head = [r"\toprule", heads, r"\midrule"]
        lines = [
            f"\\begin{{longtable}}{{{sides}}}",
            *named,
            *head,
            r"\endfirsthead",
            *head,
            r"\endhead",
            r"\bottomrule",
            r"\endlastfoot",
        ]
        return [*lines, *body, r"\end{longtable}"]
    lines = [f"\\begin{{tabular}}{{{sides}}}", r"\toprule", heads, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    if shape.shrunk:
        lines[0], lines[-1] = f"{FITTED}{lines[0]}", f"{lines[-1]}}}"
    return [*above, *lines]


def _row(cells: Iterable[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # After the end of a row, and after a rule, a bracket or a star would be taken for an option of it.
    return "{}" + line if line.startswith(("[", "*")) else line


def _stacked(head: str, side: str, most: int) -> str:
    """A head in lines of so many letters, one below the other."""
    lines = [escaped(line) for line in textwrap.wrap(head, most, break_on_hyphens=False)] if len(head) > most else []
    if len(lines) < 2:
        return escaped(head)
    words = r" \\ ".join(f"{{{line}}}" if line.startswith(("[", "*")) else line for line in lines)
    return f"\\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{words}\\end{{tabular}}"


def _broken(text: str, width: float | None) -> str:
    if width is None or not text:
        return text
    return f"\\parbox[t]{{{width:.0f}pt}}{{\\raggedright\\strut {text}\\strut}}"
