"""What is written as LaTeX is compiled by pdfLaTeX: every chart, a report, and names that try to break out."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from chart_samples import EVERY, HOSTILE

import interagree as ia
from interagree.results.document import Document, Section
from interagree.results.latex import latex
from interagree.results.tabular import ROWS
from interagree.tables import Table

NAMES = (
    *HOSTILE, r"\input{secret}", r"100% \end{document}", "{", "}", "[x]", "*", "#1 & ~a^", "Łódź ąę þ «x»",
    "Привет мир", "--x ``y'' ?`", r"\ialetter{x}", r"a\\[1cm]b", "^^41", "مرحبا", "हिन्दी",
)  # fmt: skip
PAPER = r"""\documentclass[a4paper]{article}
\usepackage{booktabs,longtable,tikz}
\begin{document}
\listoffigures
%s
\end{document}
"""


@pytest.fixture(scope="module")
def tools(need) -> str:
    command = need("pdflatex")
    need("booktabs.sty")
    need("tikz.sty")
    return command


def compiled(tools: str, folder: Path, *fragments: str, times: int = 1) -> str:
    """The log of a paper that has the fragments in it; an error ends it at once.  Twice for its list of figures."""
    for place, fragment in enumerate(fragments):
        (folder / f"part{place}.tex").write_text(fragment, encoding="utf-8")
    body = "\n".join(f"\\input{{part{place}}}" for place in range(len(fragments)))
    (folder / "paper.tex").write_text(PAPER % body, encoding="utf-8")
    (folder / "secret.tex").write_text("\\typeout{the secret was read}", encoding="utf-8")
    for _ in range(times):
        done = subprocess.run(
            [tools, "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "paper.tex"],
            cwd=folder, capture_output=True, check=False,
        )  # fmt: skip
        log = done.stdout.decode(errors="replace")
        assert done.returncode == 0, log[-3000:]
    assert "the secret was read" not in log
    assert (folder / "paper.pdf").stat().st_size > 10_000
    return log


def too_wide(log: str) -> list[float]:
    return [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide", log)]


def test_every_chart_is_drawn_and_fits(tools, tmp_path):
    sections = [Section(f"Sample {place}", chart=chart) for place, chart in enumerate(EVERY)]
    log = compiled(tools, tmp_path, latex(Document("", sections)))
    assert not too_wide(log)
    assert "Float too large" not in log


def test_reports_and_hostile_names_are_set(tools, tmp_path):
    rows = [
        (f"{place} {NAMES[place % len(NAMES)]}", who, NAMES[(place + (place % 3 == 0) * seat) % len(NAMES)])
        for place in range(50)
        for seat, who in enumerate(NAMES[:6])
    ]
    several = {name: ia.Annotations.of(rows) for name in NAMES[:4]}
    tables = [
        Section("Long", table=Table({"item": list(range(2 * ROWS)), "name": [NAMES[k % 8] for k in range(2 * ROWS)]})),
        Section("Wide", table=Table({f"a long head {name}": [0.5] for name in NAMES})),
    ]
    report = ia.report(ia.Annotations.of(rows))
    fragments = report.to_latex(), ia.report(several).to_latex(), latex(Document("", tables))
    log = compiled(tools, tmp_path, *fragments, times=2)
    assert max(too_wide(log), default=0) < 30  # a name that cannot be broken
    assert "Float too large" not in log


def test_the_report_of_the_example_takes_a_few_pages(tools, tmp_path):
    example = Path(ia.__file__).parent / "examples" / "reviews.csv"
    log = compiled(tools, tmp_path, ia.report(ia.read(example), full=True).to_latex())
    (pages,) = re.findall(r"Output written on paper.pdf \((\d+) pages", log)
    assert 4 <= int(pages) <= 8
    assert max(too_wide(log), default=0) < 25
