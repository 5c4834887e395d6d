"""Documents as LaTeX: fragments for a paper, whose tables and pictures fit on a page and whose text is only text."""

from __future__ import annotations

import re

import pytest
from chart_samples import HOSTILE, forest

import interagree as ia
from interagree.results.document import Document, Section
from interagree.results.latex import MOST, latex
from interagree.results.tabular import ROWS
from interagree.results.tex import escaped, needed, without
from interagree.tables import Table

SMALL = Table({"label": ["a", "b"], "items": [3, 4]})
STUDY = [(item, who, "ab"[item % 2] if who != "z" else "ba"[item % 3 % 2]) for item in range(30) for who in "xyz"]


def written(*sections: Section, pictures: bool = True) -> str:
    return latex(Document("", sections), pictures=pictures)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("100% $5 #1 a&b a_b", r"100\% \$5 \#1 a\&b a\_b"),
        ("~ ^ < > |", r"\textasciitilde{} \textasciicircum{} \textless{} \textgreater{} \textbar{}"),
        ("two\nlines", "two lines"),
        ("α = 0.5, 3 × κ²", r"$\alpha$ = 0.5, 3 $\times$ $\kappa$$^2$"),
        ("naïve café, Łódź, ß", "naïve café, Łódź, ß"),
        ("cafe\u0301", "café"),
        ("--without a", r"-{\kern0pt}-without a"),
        ("0.2–0.3", "0.2--0.3"),
        ('"so"', "''so''"),
        ("some/path", "some/path"),
        ("some/path/to/reviews.csv", r"some/\allowbreak{}path/\allowbreak{}to/\allowbreak{}reviews.\allowbreak{}csv"),
        ("nul\0", r"nul\iabox{}"),
        ("``x''", r"`{\kern0pt}`x'{\kern0pt}'"),
        ("þ ą Я", r"\ialetter{þ} \ialetter{ą} \ialetter{Я}"),
        ("日本", r"\iawide{日}\iawide{本}"),
        ("\ufffd\ufffe", r"\iabox{}\iabox{}"),
        (r"\ialetter{x}", r"\textbackslash{}ialetter\{x\}"),
    ],
)
def test_characters_mean_themselves(text, source):
    assert escaped(text) == source


def test_other_scripts_are_defined_where_they_are_used_and_said_to_need_a_font():
    assert needed("plain") == ""
    head = needed(escaped("日本 Я"))
    assert "% These characters are not in every font: 日 本 Я\n" in head
    assert "XeLaTeX or LuaLaTeX" in head
    assert all(f"\\{name}" in head for name in ("ialetter", "iawide", "iabox"))
    assert needed(escaped("\ufffd")).startswith(r"\providecommand\iabox")
    assert without(escaped("a日\ufffd")) == "a??"


def test_the_comment_at_the_top_names_the_packages_that_are_used():
    wide = Table({f"a long name of column {place}": [1.5] for place in range(20)})
    long = Table({"item": list(range(ROWS + 1))})
    for sections, packages in [
        ([Section("T", table=SMALL)], "booktabs"),
        ([Section("T", table=wide)], "booktabs,graphicx"),
        ([Section("T", table=long)], "booktabs,longtable"),
        ([Section("T", chart=forest(2), table=SMALL)], "booktabs,tikz"),
        ([Section("T", chart=forest(2), table=wide)], "booktabs,tikz"),
    ]:
        what = "Tables and pictures" if "tikz" in packages else "Tables"
        assert written(*sections).splitlines()[0] == (
            f"% {what} by interagree; the preamble needs \\usepackage{{{packages}}}."
        )


def test_a_chart_is_a_figure_with_a_caption_and_a_name():
    text = written(Section("Who agrees (alpha)", chart=forest(2), table=SMALL))
    assert text.index(r"\begin{figure}[htbp]") < text.index(r"\begin{tikzpicture}") < text.index(r"\begin{table}[htbp]")
    assert r"\caption{Coefficients \& \textless{}b\textgreater{}intervals\textless{}/b\textgreater{}.}" in text
    assert r"\label{fig:ia-who-agrees}" in text
    assert r"\label{tab:ia-who-agrees}" in text
    assert text.count("{figure}") == text.count("{table}") == 2


def test_names_are_used_once():
    sections = [Section("Same", chart=forest(1)) for _ in range(3)]
    names = re.findall(r"\\label\{(.*)\}", written(*sections, Section("日本", chart=forest(1))))
    assert names == ["fig:ia-same", "fig:ia-same-2", "fig:ia-same-3", "fig:ia"]


def test_a_caption_is_not_longer_than_a_paragraph_and_lists_of_figures_need_no_definitions():
    chart = forest(1)._replace(words=f"{HOSTILE[3]} " * 60)
    ((short, whole),) = re.findall(r"\\caption\[\{(.*)\}\]\{(.*)\}", written(Section("T", chart=chart)))
    assert r"\iawide" in whole
    assert r"\ia" not in short
    assert len(short) < 450


def test_pictures_can_be_left_out():
    section = Section("T", chart=forest(2), table=SMALL)
    assert "tikz" not in written(section, pictures=False)
    report = ia.report(ia.Annotations.of(STUDY), full=True)
    assert "tikzpicture" in report.to_latex()
    assert "tikz" not in report.to_latex(pictures=False)
    assert report.to_latex().count(r"\begin{tabular}{") == report.to_latex(pictures=False).count(r"\begin{tabular}{")


def test_a_report_has_the_pictures_of_its_page(tmp_path):
    report = ia.report(ia.Annotations.of(STUDY), full=True)
    charts = [section.chart for section in report.document().sections if section.chart is not None]
    assert len(charts.pop(0).rows) == 1  # the overview, whose one row says it
    written_file = report.write(tmp_path / "report.tex").read_text(encoding="utf-8")
    assert len(charts) >= 3
    assert written_file == report.to_latex()
    assert written_file.count(r"\begin{tikzpicture}") == len(charts)


def test_a_wide_table_has_smaller_letters_and_stacked_heads():
    table = Table({"item": [1], "text": ["word " * 30], "a head of many words": [0.5]})
    text = written(Section("T", table=table))
    assert r"\footnotesize\tabcolsep=4pt" in text
    assert r"\begin{tabular}[b]{@{}r@{}}a \\ head \\ of \\ many \\ words\end{tabular}" in text
    assert re.search(r"\\parbox\[t\]\{2\d\dpt\}", text)
    assert r"\resizebox" in text
    assert r"\resizebox" not in written(Section("T", table=SMALL))


def test_a_long_table_continues_on_the_next_page():
    text = written(Section("T", ["Words."], Table({"item": list(range(ROWS + 1))}), ["A note."]))
    assert r"\begin{table}" not in text
    assert r"\caption{T. Words.}\label{tab:ia-t} \\" in text
    assert text.count(r"\toprule") == 2  # on the first page, and on those that follow
    assert r"\noindent\footnotesize A note.\par" in text


def test_latex_is_not_asked_to_hold_more_tables_than_it_can():
    text = written(*(Section(f"T {place}", table=SMALL) for place in range(2 * MOST + 1)))
    assert text.count("\\clearpage") == 2


def test_commands_stand_on_lines_of_their_own():
    text = written(Section("Do", ["First.", "    interagree measure x.csv --by value", "Then."]))
    assert (
        "First.\n\n{\\raggedright\\ttfamily\\small interagree measure x.csv -{\\kern0pt}-by value\\par}\n\nThen."
        in text
    )
