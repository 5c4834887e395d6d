"""LaTeX as it is read in a terminal."""

import pytest

from interagree.plugins import DISTANCES, MEASURES
from interagree.results.formulas import paragraphs, readable
from interagree.studies.chance_steps import exact
from interagree.studies.explain import docstring


@pytest.mark.parametrize(
    ("latex", "unicode"),
    [
        (r"\alpha = 1 - \frac{D_o}{D_e}", "α = 1 - Dₒ / Dₑ"),
        (r"\kappa = \frac{P_o - P_e}{1 - P_e}", "κ = (Pₒ - Pₑ) / (1 - Pₑ)"),
        (r"\bar P_e = \sum_k \pi_k^2", "P̄ₑ = Σₖ πₖ²"),
        (r"\tfrac12 \le p \le 1", "1/2 ≤ p ≤ 1"),
        (r"\sum_{g \ne h} p_{gk}\, p_{hk}", "Σ_(g ≠ h) p_gk pₕₖ"),
        (r"\hat\pi_k", "π̂ₖ"),
        (r"\begin{cases} 0 & a = b \\ 1 & a \ne b \end{cases}", "0 if a = b; 1 if a ≠ b"),
        (r"\sqrt{n}", "√(n)"),
        (r"\Big(\frac{a + b}{2}\Big)^2", "((a + b) / 2)²"),
    ],
)
def test_formulas_are_readable(latex, unicode):
    assert readable(latex) == unicode


@pytest.mark.parametrize("name", MEASURES)
def test_nothing_of_latex_is_left_in_any_measure(name):
    for lines, _ in paragraphs(docstring(MEASURES[name])):
        for line in lines:
            assert not set("\\${}") & set(line), line


@pytest.mark.parametrize("name", DISTANCES)
def test_nothing_of_latex_is_left_in_any_distance(name):
    import importlib

    for lines, _ in paragraphs(importlib.import_module(f"interagree.distances.{name}").__doc__):
        for line in lines:
            assert not set("\\$") & set(line), line


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1 / 3, "1/3 (0.3333)"),
        (2.0, "2"),
        (-0.0, "0"),
        (0.123456, "0.1235"),
        (123456.7, "1.2346e+05"),
        (float("nan"), "undefined"),
    ],
)
def test_numbers_are_fractions_where_these_are_simple(number, text):
    assert exact(number) == text
