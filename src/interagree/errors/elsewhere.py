"""What other packages call things, and what they are called here: for errors that meet such a name."""

from __future__ import annotations

from collections.abc import Container

DATA = "the data, which come first and without a name"
INTERVAL = "an option of the result's .interval()"

# a keyword elsewhere: who calls it so, and what it is here
KEYWORDS: dict[str, tuple[str, str]] = {
    "level_of_measurement": ("krippendorff", "distance="),
    "metric": ("other packages", "distance="),
    "distance_metric": ("other packages", "distance="),
    "dissimilarity": ("pygamma-agreement", "distance="),
    "value_domain": ("krippendorff", "values="),
    "labels": ("scikit-learn", "values="),
    "categories": ("other packages", "values="),
    "weight": ("other packages", "weights="),
    "weighting": ("other packages", "weights="),
    "type": ("pingouin", "form="),
    "model": ("irr", "form="),
    "sample_weight": ("scikit-learn", "no option: repeat the items, or pass counts to Annotations.from_counts"),
    "rater": ("other packages", "annotator="),
    "raters": ("pingouin", "annotator="),
    "coder": ("other packages", "annotator="),
    "worker": ("crowd-kit", "annotator="),
    "targets": ("pingouin", "item="),
    "subject": ("other packages", "item="),
    "subjects": ("other packages", "item="),
    "task": ("crowd-kit", "item="),
    "label": ("crowd-kit", "value="),
    "rating": ("other packages", "value="),
    "ci": ("other packages", "a method of the result, .ci(level)"),
    "conf_level": ("irrCAC", f"{INTERVAL}: level="),
    "confidence_level": ("SciPy", f"{INTERVAL}: level="),
    "n_boot": ("other packages", f"{INTERVAL}: resamples="),
    "n_resamples": ("SciPy", f"{INTERVAL}: resamples="),
    "random_state": ("scikit-learn", "seed=, where random numbers are drawn"),
    **dict.fromkeys(("reliability_data", "value_counts"), ("krippendorff", DATA)),
    **dict.fromkeys(("y1", "y2", "y_true", "y_pred"), ("scikit-learn", DATA)),
    **dict.fromkeys(("ratings", "table"), ("other packages", DATA)),
    "df": ("other packages", DATA),
}

# an attribute of a result elsewhere, and the one here
ATTRIBUTES: dict[str, str] = {
    **dict.fromkeys(("pvalue", "p_val", "pval", "sig"), ".p, or .p_value(…) with options"),
    **dict.fromkeys(
        ("conf_int", "confint", "confidence_interval", "conf_interval", "CI95", "interval_"),
        ".ci(level), .low and .high",
    ),
    **dict.fromkeys(("lower", "ci_low", "ci_lower", "lower_bound"), ".low"),
    **dict.fromkeys(("upper", "ci_high", "ci_upper", "upper_bound"), ".high"),
    **dict.fromkeys(("se", "std_err", "stderr", "error"), ".standard_error()"),
    **dict.fromkeys(("kappa", "alpha", "coefficient", "estimate", "statistic", "score", "est", "icc"), ".value"),
    **dict.fromkeys(("items", "n_items", "subjects"), ".n.items"),
    **dict.fromkeys(("annotators", "raters", "n_raters"), ".n.annotators"),
    **dict.fromkeys(("observed", "Do", "po", "pa"), ".disagreement.observed, or .observed_agreement"),
    **dict.fromkeys(("expected", "De", "pe"), ".disagreement.expected, or .expected_agreement"),
}


def keyword(name: str, known: Container[str]) -> str:
    """What a keyword of another package is here, as a sentence with a blank before it.

    Args:
        name: The keyword.
        known: The options there are; nothing is said of a keyword that stands for none of them.
    """
    package, called = KEYWORDS.get(name, ("", ""))
    if not called or (called.endswith("=") and called[:-1] not in known):
        return ""
    return f" The {name}= of {package} is {called} here."
