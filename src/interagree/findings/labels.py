r"""Which two labels are confused more than the rest explains.

Of the $N$ items with disagreement each counts once: of its pairs of different labels, the share $x_i$ that is of the
two labels at hand.  The null says that these labels are mixed up as any others are.  What share $r$ of all
disagreement they then have depends on how annotators err, so the largest of five is taken, with $p$ the shares of the
labels: both answers drawn by how common labels are, $p_a p_b$; one of them so drawn, given that it is wrong,
$p_a p_b / (1 - p_a) + p_a p_b / (1 - p_b)$; one drawn evenly, $p_a + p_b$; both drawn evenly; and, with four labels or
more, quasi-independence of all *other* pairs, $a_a a_b$ with one number for each label, which allows for labels that
are harder than others.  As $\sum_i x_i$ is a sum of independent numbers between 0 and 1 with a mean of $r$ at most,

$$P\Big(\frac1N \sum_i x_i \ge s\Big) \le e^{-N \left(s \ln\frac{s}{r} + (1 - s) \ln\frac{1 - s}{1 - r}\right)}$$

(Hoeffding 1963, theorem 1).  It is also at most that of a binomial count, exactly so where no item has three different
labels and $x_i$ is 0 or 1, and up to a factor of $e$ elsewhere (Bentkus 2004).  The smaller bound is taken, times the
number of pairs of labels.

Bentkus, V. (2004). On Hoeffding's inequalities. The Annals of Probability 32(2), 1650-1673.
Hoeffding, W. (1963). Probability inequalities for sums of bounded random variables. Journal of the American Statistical
Association 58(301), 13-30.
Goodman, L. A. (1968). The analysis of cross-classified data: independence, quasi-independence, and interactions in
contingency tables with or without missing entries. Journal of the American Statistical Association 63(324), 1091-1131.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interagree.arrays import Array, Booleans, Floats
from interagree.data.types import Annotator
from interagree.findings.case import OF_LABELS, Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut, of_labels
from interagree.findings.swaps import beside_others, givers
from interagree.stats.engine.compress import dense
from interagree.stats.labels.counts import Counts

MOST_LABELS = 60  # of which all pairs are looked at
NAMED = 3  # pairs that are named
SHARE = 0.1  # of all disagreement, below which a pair is not worth naming
TIMES = 1.2  # … and what it must be of the share that the rest explains
SCALE = (4, 7)  # labels that may be steps of a scale, as all orders of them are looked at
NEARER = 2.0  # how many times more neighbours on a scale are confused than others
MOST_OF_A_SCALE = 0.6  # of all disagreement, which two neighbours must have to be named nevertheless
MOST_LEFT_OUT = 3  # annotators without whom a pair must still be confused
STEPS = 200  # of the fit of quasi-independence


class Confused(NamedTuple):
    """Two labels that are mixed up more than the rest explains."""

    first: int
    second: int
    share: float  # of the items with disagreement
    expected: float
    p: float


def findings(case: Case, rest: LeaveOneOut | None) -> list[Finding]:
    """Pairs of labels to define better; ``rest`` is without those who are flagged, None where nobody is known."""
    study = case.tested if rest is None else rest.study
    if study.kind != "labels" or study.recognised.doubt == "ordered" or not 3 <= len(study.values) <= MOST_LABELS:
        return []
    options = case.choice.options
    if options.get("distance") not in (None, "nominal") or options.get("weights") is not None:
        return []  # some labels are nearer than others, and the test takes all to be as far
    counts = Counts.of(study).at_least(2)
    rows, times = dense(counts.rows), counts.weights.matrix()
    if not len(rows):
        return []
    scale = case.study.seeming_order is not None
    whole = bool(((rows > 0).sum(axis=1) <= 2).all())
    pairs = confused(*_shares(rows, times), times @ rows, whole=whole, scale=scale)
    pairs = [pair for pair in pairs if rest is None or _of_many(rest, pair)]
    met = Counts.of(case.study).at_least(2).coincidences()
    apart = float(met.sum() - np.trace(met))
    return [
        _finding(case, pair, 2 * float(met[pair.first, pair.second]) / apart, _by(rest, pair)) for pair in pairs[:NAMED]
    ]


def _of_many(rest: LeaveOneOut, pair: Confused) -> bool:
    """Whether two labels are confused by more than the third of the annotators who do so most."""
    few = min(rest.people // 3, MOST_LEFT_OUT)
    if not few or rest.people - few < 2 or not of_labels(rest):
        return True
    apart = np.array([_between(rest, u, pair) for u in range(rest.people)])
    most = np.argsort(-apart, kind="stable")[:few]
    study = rest.study.without(*(rest.study.annotators[int(u)] for u in most))
    counts = Counts.of(study).at_least(2)
    rows, times = dense(counts.rows), counts.weights.matrix()
    table, items = _shares(rows, times)
    if not items:
        return False
    names = [rest.study.values[code] for code in (pair.first, pair.second)]
    a, b = (counts.values.index(name) for name in names)
    return bool(table[a, b] / items >= TIMES * pair.expected)


def _between(rest: LeaveOneOut, who: int, pair: Confused) -> float:
    """How often somebody gives one of two labels where others give the other, of their annotations."""
    table = beside_others(rest, who)
    return float(table[pair.first, pair.second] + table[pair.second, pair.first]) / max(float(table.sum()), 1.0)


def _by(rest: LeaveOneOut | None, pair: Confused) -> list[tuple[int, int, list[Annotator]]]:
    """Which label is given for which by whom, where that is half of them at most."""
    if rest is None or not of_labels(rest):
        return []
    both = (pair.first, pair.second)
    found = []
    for (gives, instead), group in zip((both, both[::-1]), givers(rest, *both), strict=True):
        if group and 2 * len(group) <= rest.people:
            found.append((gives, instead, [rest.study.annotators[u] for u in group]))
    return found


def _shares(rows: Array, times: Floats) -> tuple[Floats, float]:
    """For each two labels the summed shares of items with disagreement, and how many such items there are."""
    square = (rows**2).sum(axis=1)
    pairs = (rows.sum(axis=1) ** 2 - square) / 2  # of different labels, in each pattern
    split = pairs > 0
    weight = times[split] / pairs[split]
    table: Floats = (rows[split] * weight[:, None]).T @ rows[split]
    np.fill_diagonal(table, 0.0)
    return table, float(times[split].sum())


def confused(
    table: Floats, items: float, frequency: Floats, *, whole: bool = False, scale: bool = False
) -> list[Confused]:
    """The pairs of labels with more disagreement than the rest explains, those with most first.

    Args:
        table: For each two labels how much disagreement there is between them, both ways.
        items: How much there is in all, as a number of independent items.
        frequency: How often each label was given.
        whole: Whether all disagreement of an item is between two labels, in every item.
        scale: Whether the labels are the steps of a scale by their words; else it is told by which are confused.
    """
    used = np.flatnonzero(frequency > 0)
    tried = len(used) * (len(used) - 1) // 2
    if items < 2 or tried < 3:
        return []
    table, p = table[np.ix_(used, used)], frequency[used] / frequency.sum()
    explained = _explained(table, p)
    pairs = []
    for a, b in zip(*np.triu_indices(len(used), 1), strict=True):
        share, expected = float(table[a, b]) / items, float(explained[a, b])
        if share < max(SHARE, TIMES * expected) or share * items < 5:
            continue
        if len(used) > 3:
            expected = max(expected, _from_the_rest(table, int(a), int(b)))
            if share < TIMES * expected:
                continue
        bound = tried * _bound(share, items, expected, whole=whole)
        if bound <= OF_LABELS:
            pairs.append(Confused(int(used[a]), int(used[b]), share, expected, bound))
    if pairs and (scale or _like_a_scale(table)):
        pairs = [pair for pair in pairs if pair.share > MOST_OF_A_SCALE]
    return sorted(pairs, key=lambda pair: -pair.share)


def _like_a_scale(table: Floats) -> bool:
    """Whether labels can be put in a line in which any two neighbours are confused far more than any others."""
    labels = len(table)
    if not SCALE[0] <= labels <= SCALE[1]:
        return False
    for line in itertools.permutations(range(labels)):
        if line[0] > line[-1]:
            continue  # the same line from its other end
        near = table[line[:-1], line[1:]]
        far = table - np.where(_neighbours(line), table, 0.0)
        if near.min() >= NEARER * far.max():
            return True
    return False


def _neighbours(line: Sequence[int]) -> Booleans:
    beside = np.zeros((len(line), len(line)), dtype=bool)
    beside[line[:-1], line[1:]] = beside[line[1:], line[:-1]] = True
    return beside


def _explained(table: Floats, p: Floats) -> Floats:
    """The largest share of disagreement that each two labels have where annotators err without regard to which."""
    each = p[:, None] * p[None, :]
    wrong = each * (1 / (1 - p[:, None]) + 1 / (1 - p[None, :]))
    models = [each, wrong, p[:, None] + p[None, :], np.ones_like(table)]
    above = np.triu(np.ones_like(table), 1)
    largest: Floats = np.max([model / (model * above).sum() for model in models], axis=0)
    return largest


def _from_the_rest(table: Floats, a: int, b: int) -> float:
    """The share of two labels by quasi-independence, fitted to all other pairs."""
    open_ = 1.0 - np.eye(len(table))
    open_[a, b] = open_[b, a] = 0.0
    margin = (table * open_).sum(axis=1)
    effect = np.sqrt(margin / max(float(margin.sum()), 1e-300) + 1e-12)
    for _ in range(STEPS):
        reached = effect * (open_ @ effect)
        with np.errstate(all="ignore"):
            step = np.sqrt(np.where(reached > 0, margin / reached, 1.0))
        effect = effect * step
        if float(np.abs(step - 1).max()) < 1e-6:
            break
    both = float(effect[a] * effect[b])
    rest = float(margin.sum()) / 2
    return both / (both + rest) if both + rest > 0 else 1.0


def _bound(share: float, items: float, expected: float, *, whole: bool) -> float:
    """A bound on how likely so large a share of the items is, where this much is expected."""
    from scipy.special import bdtrc

    times = math.floor(share * items + 1e-9)
    binomial = float(bdtrc(times - 1, round(items), expected)) * (1.0 if whole else math.e)
    return min(math.exp(-items * _divergence(share, expected)), binomial)


def _divergence(s: float, r: float) -> float:
    """Of a share from what is expected, at least as large."""
    s, r = min(s, 1.0), min(max(r, 1e-12), 1 - 1e-12)
    inside = s * math.log(s / r)
    return inside + ((1 - s) * math.log((1 - s) / (1 - r)) if s < 1 else 0.0)


def _finding(case: Case, pair: Confused, share: float, by: Sequence[tuple[int, int, Sequence[Annotator]]]) -> Finding:
    values = case.study.values
    names = [values[pair.first], values[pair.second]]
    value = case.value_of(case.study.merge_labels(*names))
    better = not math.isnan(value) and value > case.lead.value
    about = {
        "labels": names,
        "share": share,
        "expected_share": pair.expected,
        "p_value": pair.p,
        "coefficient": case.coefficient,
        "merged": None if math.isnan(value) else value,
        "better": better,
        "by": [{"annotators": [*group], "gives": values[gives], "for": values[for_]} for gives, for_, group in by],
        "annotators": [name for _, _, group in by for name in group],
    }
    # A comma in a label would read as two labels.
    merging = case.measuring(merge_labels=[names]) if better and not any("," in str(name) for name in names) else ()
    calls = merging or case.call("disagreements")
    return Finding("labels", tuple(names), about, max(value - case.lead.value, 0.0) if better else 0.0, calls)
