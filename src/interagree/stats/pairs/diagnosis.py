r"""What hides agreement from a distance, as the distances themselves show.

It shows in the distributions of the distances within and between items.  $R$ is the largest distance there
was, or 1 for a bounded distance, and all rules are constants of this module:

* chance near zero: `NEAR` of the expected distances or more are at most `EDGE` times $R$;
* no credit: `FULL` of the observed distances or more are at least $(1 -$ `AT_TOP`$) R$;
* several modes: the histogram of the observed or of the expected distances (`BINS` bins of equal width up to $R$,
  smoothed twice by $\frac14, \frac12, \frac14$) has two or more peaks that rise `RISE` of the tallest above the valley
  between them and a taller one;
* few distances: `FEW` distinct ones or fewer make up `MOST` of all, observed and expected counting half each.

And of the study itself, few values: their effective number $1 / \sum_k p_k^2$ is below `VALUES`.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.  Sections 4, 6.1 and 6.2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.data import Annotations
from interagree.stats.engine.compress import totals
from interagree.stats.pairs.item_pairs import Pairs

NEAR = 0.05  # of the expected distances: as many near zero, and nothing is rarer than sigma's 5 %
EDGE = 0.05  # of the range: what is near zero
FULL = 0.1  # of the observed distances: as many at the top are a mode there
AT_TOP = 0.01  # of the range: what is at the top
BINS = 25  # of the histograms in which modes are counted
RISE = 0.2  # of the tallest peak: how far a peak must rise above the valley beside it
FEW = 12  # distinct distances that are few
MOST = 0.95  # of all distances
VALUES = 20  # effective number of values that is small


class DistanceRemark(NamedTuple):
    """One thing that may hide agreement from a distance."""

    rule: str
    figure: str
    of: str  # what the figure is of
    meaning: str  # what it does, and what to do

    def __str__(self) -> str:
        return f"{self.rule}: {self.figure} {self.of}, so {self.meaning}"


def remarks(pairs: Pairs) -> tuple[DistanceRemark, ...]:
    """What the distributions of the distances say about what the distance cannot see."""
    rules = (_near_zero, _no_credit, _several_modes, _few_distances)
    return tuple(remark for remark in (rule(pairs) for rule in rules) if remark is not None)


def _near_zero(pairs: Pairs) -> DistanceRemark | None:
    far, _, between = shares(pairs)
    share = float(between[far <= EDGE * top_of(pairs)].sum())
    if share < NEAR:
        return None
    return DistanceRemark(
        "chance near zero",
        f"{share:.1%}",
        f"of the expected distances are in the lowest {EDGE:.0%} of the range",
        "even nearly equal annotations are no rarer than chance, and sigma is low whatever the agreement; "
        "take a finer distance, or one that looks at more of the value",
    )


def _no_credit(pairs: Pairs) -> DistanceRemark | None:
    far, within, _ = shares(pairs)
    share = float(within[far >= (1 - AT_TOP) * top_of(pairs)].sum())
    if share < FULL:
        return None
    return DistanceRemark(
        "no credit",
        f"{share:.1%}",
        "of the observed distances are the largest possible",
        "partial agreement may count as complete disagreement; take a more lenient distance, which gives "
        "partial credit",
    )


def _several_modes(pairs: Pairs) -> DistanceRemark | None:
    far, within, between = shares(pairs)
    if len(far) <= FEW:
        return None  # each distance is a mode
    observed, expected = (len(peaks(binned(far, shares, top_of(pairs), BINS))) for shares in (within, between))
    if max(observed, expected) < 2:
        return None
    return DistanceRemark(
        "several modes",
        f"{observed} and {expected}",
        "modes of the observed and of the expected distances",
        "the annotations may fall into groups, such as empty and not empty, that are better measured apart; look at "
        "the histograms",
    )


def _few_distances(pairs: Pairs) -> DistanceRemark | None:
    _, within, between = shares(pairs)
    often = np.sort((within + between) / 2)[::-1]
    count = int(np.searchsorted(np.cumsum(often), MOST)) + 1
    if count > FEW:
        return None
    return DistanceRemark(
        "tiny response space",
        f"{count}",
        f"distinct distance{' makes' if count == 1 else 's make'} up {MOST:.0%} of all",
        "chance agrees often, and ties hide differences; take a finer distance",
    )


def few_values(study: Annotations) -> str:
    shares = np.bincount(study.value) / max(len(study), 1)
    number = 1 / float((shares**2).sum()) if len(study) else math.inf
    if number >= min(VALUES, len(study) / 2):
        return ""
    shown = str(study.values[int(np.argmax(shares))])
    return (
        f"small space of values: the annotations are spread as over {number:.1f} equally common values, and "
        f"{shown if len(shown) <= 40 else shown[:39] + '…'} alone is {float(shares.max()):.1%} of them; chance agrees "
        "often under any distance"
    )


def shares(pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    far, within, between = pairs.spectrum()
    return far, within / within.sum(), between / between.sum()


def top_of(pairs: Pairs) -> float:
    """The largest distance there can be, or was."""
    return 1.0 if pairs.distances.distance.bounded else float(pairs.spectrum().far[-1])


def binned(far: Floats, shares: Floats, top: float, bins: int) -> Floats:
    place = np.minimum((far / top * bins).astype(np.intp), bins - 1)
    return totals(place, shares, bins)


def peaks(shares: Floats) -> list[int]:
    """The modes of a histogram: see the module's text."""
    smooth = np.r_[shares[0], shares, shares[-1]]
    for _ in range(2):
        inside = smooth[:-2] / 4 + smooth[1:-1] / 2 + smooth[2:] / 4
        smooth = np.r_[inside[0], inside, inside[-1]]
    heights = smooth[1:-1]
    places = []
    for place, height in enumerate(heights):
        left, right = heights[:place], heights[place + 1 :]
        if (len(left) and left[-1] >= height) or (len(right) and right[0] > height):
            continue
        valleys = [_valley(left[::-1], left[::-1] >= height), _valley(right, right > height)]
        rise = height - max(valleys)
        if rise >= RISE * heights.max():
            places.append(place)
    return places


def _valley(side: Floats, taller: Booleans) -> float:
    """The lowest point on the way to a taller peak; 0 where there is none on this side."""
    places = np.flatnonzero(taller)
    return float(side[: places[0]].min()) if len(places) else 0.0
