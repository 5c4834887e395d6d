"""Documents as LaTeX: a booktabs table for each table, to be put into a paper."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from interagree.results.document import Document, Section
from interagree.tables import Table, cell, to_right

LETTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    "−": "$-$",
    "…": r"\dots{}",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "²": "$^2$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "σ": r"$\sigma$",
    "γ": r"$\gamma$",
}


def latex(document: Document, *, digits: int = 2) -> str:
    """The tables of a document, each with its caption and the notes below it."""
    parts = ["% Tables by interagree; the preamble needs \\usepackage{booktabs}."]
    parts += [made for section in document.sections if (made := _section(section, digits))]
    if document.bibtex:
        entries = "\n\n".join(document.bibtex)
        parts.append("% BibTeX entries for the coefficients:\n" + textwrap.indent(entries, "% ", lambda _: True))
    return "\n\n".join(parts) + "\n"


def _section(section: Section, digits: int) -> str:
    if section.table is None or not len(section.table):
        lines = [escaped(line.strip()) for line in (*section.lines, *section.foot)]
        if section.verbatim or not lines:
            return ""
        head = f"\\paragraph{{{escaped(section.title)}}}\n" if section.title else ""
        return head + "\n".join(lines)
    caption = ". ".join(line.rstrip(".") for line in (section.title, *section.lines) if line)
    foot = [section.table.foot, *section.foot]
    below = [f"\\par\\smallskip\\footnotesize {escaped(line.strip())}" for line in foot if line]
    return "\n".join(
        [
            "\\begin{table}",
            "\\centering",
            *([f"\\caption{{{escaped(caption)}.}}"] if caption else []),
            table_latex(section.table, digits),
            *below,
            "\\end{table}",
        ]
    )


def table_latex(table: Table, digits: int) -> str:
    """A tabular with three rules; columns of numbers stand on the right."""
    columns = "".join("r" if to_right(column) else "l" for column in table.columns.values())
    heads = _row(map(cell, table.columns))
    body = [_row(cell(entry, digits) for entry in row) for row in zip(*table.columns.values(), strict=True)]
    return "\n".join(
        [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", heads, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    )


def _row(cells: Iterable[str]) -> str:
    line = " & ".join(map(escaped, cells)) + r" \\"
    # After the end of a row, and after a rule, a bracket or a star would be taken for an option of it.
    return "{}" + line if line.startswith(("[", "*")) else line


def escaped(words: str) -> str:
    """Text whose characters mean themselves."""
    return "".join(LETTERS.get(letter, letter) for letter in words).replace("\n", " ")
