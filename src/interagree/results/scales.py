"""Words for numbers, by the name of whoever proposed them.

No scale is applied unless it is asked for by name: the words are conventions, they differ between authors,
and 0.61 with an interval from 0.3 to 0.8 is not "substantial".  `interpret` therefore gives the probability
of every band, as Gwet (2014, chapter 6) does, and names the highest band that the coefficient reaches with
95 % certainty.
"""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist
from typing import NamedTuple

from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.errors.options import checks_options
from interagree.results.agreement import Agreement
from interagree.tables import Table

KAPPAS = ("fleiss_kappa", "cohen_kappa", "conger_kappa", "light_kappa", "scott_pi", "hubert_kappa")


class Scale(NamedTuple):
    """A scale: the upper end of each band, from the lowest up, and its word; and which end belongs to it."""

    bands: tuple[tuple[float, str], ...]
    reference: str
    upper: bool = True  # whether the upper end belongs to the band

    @property
    def short(self) -> str:
        """Who proposed it, and when."""
        authors, year = self.reference.split("(")[:2]
        names = [author.split(",")[0].strip() for author in authors.split("&")]
        return f"{' & '.join(names)} {year[:4]}"


SCALES: dict[str, Scale] = {
    "landis_koch": Scale(
        (
            (0.0, "poor"),
            (0.2, "slight"),
            (0.4, "fair"),
            (0.6, "moderate"),
            (0.8, "substantial"),
            (1.0, "almost perfect"),
        ),
        "Landis, J. R. & Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
        "Biometrics 33(1), 159-174.",
    ),
    "krippendorff": Scale(
        ((2 / 3, "unreliable"), (0.8, "tentative"), (1.0, "reliable")),
        "Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd ed. Sage. Chapter 11.",
        upper=False,
    ),
    "fleiss": Scale(
        ((0.4, "poor"), (0.75, "fair to good"), (1.0, "excellent")),
        "Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley.",
        upper=False,
    ),
    "altman": Scale(
        ((0.2, "poor"), (0.4, "fair"), (0.6, "moderate"), (0.8, "good"), (1.0, "very good")),
        "Altman, D. G. (1991). Practical Statistics for Medical Research. Chapman and Hall.",
    ),
    "cicchetti": Scale(
        ((0.4, "poor"), (0.6, "fair"), (0.75, "good"), (1.0, "excellent")),
        "Cicchetti, D. V. (1994). Guidelines, criteria, and rules of thumb for evaluating normed and "
        "standardized assessment instruments in psychology. Psychological Assessment 6(4), 284-290.",
        upper=False,
    ),
    "green": Scale(
        ((0.4, "low"), (0.75, "fair to good"), (1.0, "high")),
        "Green, A. M. (1997). Kappa statistics for multiple raters using categorical classifications. "
        "Proceedings of the 22nd Annual SAS Users Group International Conference, 1110-1115.",
        upper=False,
    ),
}


# Distances and weights under which a coefficient is about labels, or labels in order.
OF_WEIGHTS = ("identity", "unweighted", "linear", "quadratic", "weighted")
OF_LEVELS = (
    *("nominal", "ordinal", "gwet_ordinal", "interval", "ratio", "circular", "polar", "radical"),
    *("masi", "jaccard", "dice", "passonneau2004", *OF_WEIGHTS),
)
OF_VALUES = ("any", "numbers", "sets")
OF_LABELS = ("nominal", "ordinal", *OF_WEIGHTS)


def find_scale(name: str) -> Scale:
    """A scale by name."""
    if name not in SCALES:
        raise UnknownName(
            f"no scale is called {name!r}.{suggestion(name, SCALES)} (known: {listing(SCALES, quote=False)})"
        )
    return SCALES[name]


def band(value: float, scale: str = "landis_koch") -> str:
    """The word for a number on a scale.

    Args:
        value: The coefficient.
        scale: Whose words: landis_koch, krippendorff, fleiss, altman, cicchetti or green.

    Returns:
        The name of the band.

    Examples:
        >>> from interagree.results.scales import band
        >>> band(0.7)
        'substantial'
    """
    proposed = find_scale(scale)
    for end, word in proposed.bands:
        # Zero means no agreement beyond chance, not less than that: it belongs to the band above.
        if value < end or (proposed.upper and value == end and end > 0):
            return word
    return proposed.bands[-1][1]


def graded(result: Agreement) -> bool:
    """Whether scales were made for such a coefficient: 0 is agreement by chance, and 1 is perfect agreement."""
    return result.disagreement.expected is not None and result.measure.range[0] < 0


def thresholds_fit(result: Agreement) -> bool:
    """Whether Krippendorff's limits are for such a coefficient: his alpha on his levels, and kappas.

    Of boxes, texts or trees, whose distances are no levels of measurement, nobody knows what to ask.
    """
    return result.measure.name in ("alpha", "u_alpha", *KAPPAS) and on_a_level(result)


def on_a_level(result: Agreement) -> bool:
    """Whether a graded coefficient is about labels, an order, numbers or sets, as those that scales were made for."""
    return graded(result) and result.measure.values in OF_VALUES and _distance(result) in OF_LEVELS


def usual_scale(result: Agreement) -> str | None:
    """The scale that was made for such a coefficient: None where there is none.

    Landis and Koch wrote about kappas of labels, Cicchetti about the ICC.  Under another distance than that of labels
    or of an order the same number means something else.
    """
    if result.measure.name == "icc":
        return "cicchetti"
    if not graded(result) or result.measure.values != "any":
        return None
    return "landis_koch" if _distance(result) in OF_LABELS else None


def _distance(result: Agreement) -> str:
    """How far apart values were taken to be: the name of the distance or of the weights, without its parameters."""
    usual = result.level.distance if result.measure.by_level and result.level is not None else "nominal"
    given = result.options.get("distance") or result.options.get("weights") or usual
    return str(getattr(given, "name", given)).partition(":")[0]


TENTATIVE, RELIABLE = THRESHOLDS = tuple(end for end, _ in find_scale("krippendorff").bands[:2])  # Krippendorff's


@checks_options
def interpret(result: Agreement, *, scale: str, certainty: float = 0.95) -> Table:
    """The probability that the true coefficient lies in each band of a scale.

    Args:
        result: The coefficient, corrected for chance; percent agreement or an F score has no such scale.
        scale: Whose words: landis_koch, krippendorff, fleiss, altman, cicchetti or green.
        certainty: How sure to be of the band that is named: the highest whose probability, with those above it,
            reaches this.

    Returns:
        One row for each band, from the highest down.

    Examples:
        >>> import interagree
        >>> alpha = interagree.alpha(["a", "b"] * 20, ["a", "b"] * 19 + ["a", "a"])
        >>> interagree.interpret(alpha, scale="krippendorff").to_dict("probability").keys()
        dict_keys(['reliable', 'tentative', 'unreliable'])
    """
    proposed = find_scale(scale)
    if not graded(result):
        raise KindError(
            f"the scale {scale} is for coefficients that are 0 where annotators agree as often as by chance, and "
            f"{result.measure.title} is not one of them; take alpha, a kappa or AC1"
        )
    error = result.standard_error()
    if math.isnan(error) and not result.undefined:
        interval = result.interval()
        error = math.nan if interval is None else (interval.high - interval.low) / (2 * 1.959964)
    words = [word for _, word in proposed.bands]
    ends = [-1.0 if result.value >= -1 else -math.inf, *(end for end, _ in proposed.bands)]
    if result.undefined or math.isnan(error):
        chances = [math.nan] * len(words)
    elif error == 0:
        chances = [float(word == band(result.value, scale)) for word in words]
    else:
        normal = NormalDist(result.value, error)
        total = normal.cdf(1.0) - normal.cdf(ends[0])
        chances = [(normal.cdf(high) - normal.cdf(low)) / total for low, high in pairwise(ends)]
    reached = [sum(chances[i:]) for i in range(len(words))]
    sure = [word for word, at_least in zip(words, reached, strict=True) if at_least >= certainty]
    foot = (
        f"{result.measure.symbol} is undefined: {result.undefined}"
        if result.undefined
        else f"the point {result.value:.3f} is {band(result.value, scale)!r}; "
        + (
            f"with {certainty:.0%} certainty it is at least {sure[-1]!r}"
            if sure
            else "how certain that is is not known"
        )
        + f" ({proposed.short})"
    )
    return Table(
        {
            "band": words[::-1],
            "from": [None if i == 0 else ends[i] for i in range(len(words))][::-1],
            "to": ends[1:][::-1],
            "probability": chances[::-1],
            "at least": reached[::-1],
        },
        foot=foot,
    )
