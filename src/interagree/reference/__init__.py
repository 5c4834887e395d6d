"""Every coefficient as its book says, in a few lines of plain Python: to check a number against the paper.

Rows of ``(item, annotator, value)`` go in, and options as in `interagree.measures`; a fraction comes out, or None where
the definition divides by zero.  Sums run over every pair, every pairing, every alignment: these are for tiny data.
Nothing in the library uses them, the tests hold the library to them.

    >>> from interagree import reference
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"]}
    >>> rows = [(item, who, label) for who, given in labels.items() for item, label in enumerate(given)]
    >>> reference.alpha(rows)
    Fraction(4, 9)
"""

from interagree.reference.labels import (
    ac1,
    ac2,
    alpha,
    augmented_kappa,
    bennett_s,
    cohen_kappa,
    conger_kappa,
    f_score,
    fleiss_kappa,
    hubert_kappa,
    light_kappa,
    percent,
    randolph_kappa,
    scott_pi,
    spa,
    van_oest,
)
from interagree.reference.numbers import icc, kendall_w, lin_ccc
from interagree.reference.objects import attachment, auc, coref_alpha, coref_f1, ks, sigma
from interagree.reference.segments import (
    boundary_kappa,
    boundary_pi,
    boundary_similarity,
    corrected_boundary_similarity,
    pk,
    segmentation_similarity,
    window_diff,
)
from interagree.reference.spans import alpha_u_1995, corrected_span_f1, gamma, gamma_cat, relation_f1, span_f1, u_alpha

__all__ = [
    "ac1",
    "ac2",
    "alpha",
    "alpha_u_1995",
    "attachment",
    "auc",
    "augmented_kappa",
    "bennett_s",
    "boundary_kappa",
    "boundary_pi",
    "boundary_similarity",
    "cohen_kappa",
    "conger_kappa",
    "coref_alpha",
    "coref_f1",
    "corrected_boundary_similarity",
    "corrected_span_f1",
    "f_score",
    "fleiss_kappa",
    "gamma",
    "gamma_cat",
    "hubert_kappa",
    "icc",
    "kendall_w",
    "ks",
    "light_kappa",
    "lin_ccc",
    "percent",
    "pk",
    "randolph_kappa",
    "relation_f1",
    "scott_pi",
    "segmentation_similarity",
    "sigma",
    "spa",
    "span_f1",
    "u_alpha",
    "van_oest",
    "window_diff",
]

# What a definition leaves out of what the measure of its name takes, and why.
PARTLY = {
    "gamma": "its expected disorder is a mean over random annotations, which has no formula; it is taken from a result",
    "gamma_cat": "as gamma; of several alignments that cost the same, the first",
    "icc": "full tables; with gaps the variances are those of restricted maximum likelihood",
    "u_alpha": '`squares="mean"`, the default',
    "corrected_boundary_similarity": "boundaries of one type",
}
