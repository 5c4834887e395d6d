r"""Which distance tells agreement from chance best, on one study.

A good distance keeps annotations of one item near and annotations of different items far apart.  How well it does is
told by the distances alone: the AUC (how often a pair of different items is further apart than a pair of one item, ties
counting half), or the Kolmogorov-Smirnov statistic.  Alpha does not tell: it is the ratio of two means, and a coarse
distance may have the higher one.  Once a distance is chosen, its sigma is a lower bound to how much of the data
differs from chance.

**Differences.**  Each distance is compared with the best one on the same resampled items, so that what is odd about the
items cancels.  With $d_{ij}$ the difference of two distances, $s_{ij}$ its standard deviation over resamples, and $c$
the quantile of $\max_{ij} |d^*_{ij} - d_{ij}| / s_{ij}$ over resamples, the intervals are $d_{ij} \pm c\, t\, e_{ij}$:
they hold for all pairs of distances at once, however many were tried and whichever came out best.  The error $e_{ij}$
is that of leaving out each item in turn, or $s_{ij} \sqrt{n / (n - 1)}$ where that is larger: resamples hold pairs of
different items to first order alone, and come out too narrow where the $n$ items are few.  $c$ is never less than the
normal quantile, and $t$ is Student's quantile over the normal one.

Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex structured,
multi-object, and free-text annotation tasks. Proceedings of the ACM Web Conference.  Sections 4, 6.1 and 6.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any, Literal, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.declare import Distance, takes_data
from interagree.distances import IntoDistance, find
from interagree.errors import InteragreeError, KindError, UnknownName, listing, suggestion
from interagree.measures.alpha import alpha
from interagree.measures.auc import auc
from interagree.measures.ks import ks
from interagree.measures.sigma import sigma
from interagree.plugins import KINDS
from interagree.results.agreement import Agreement
from interagree.results.pictures import Heat, Histogram, blocks, heat_map, histograms, written
from interagree.stats.engine.compress import totals
from interagree.stats.engine.estimate import Estimate
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.pairs.braylan2022 import Compat, TableRow, table_row
from interagree.stats.pairs.diagnosis import Remark, binned, few_values, remarks, shares, top_of
from interagree.stats.pairs.item_pairs import PRECISION, Pairs
from interagree.tables import Table, aligned

By = Literal["auc", "ks"]

CLOSE = 0.02  # of AUC or KS: what is surely no further behind will do as well
NOTHING = 1e-12
STRIP = 20  # bins of a histogram in a terminal
WIDTH = 100  # columns that a printed table may take
NAMED = 36  # letters of a name in a printed table
ROOM = 22  # letters of a name up to which the interval of each coefficient has room beside it

SIMPLE = {
    "numbers": ("nominal", "interval"),
    "ordered": ("nominal", "ordinal", "interval"),
    "sets": ("nominal", "jaccard", "masi"),
}
MEASURED: dict[str, Callable[..., Agreement]] = {"alpha": alpha, "auc": auc, "ks": ks, "sigma": sigma}


@dataclass(frozen=True, slots=True)
class Behind:
    """How far a distance is behind the best one: the paired difference with its simultaneous interval."""

    value: float
    low: float
    high: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether the difference is beyond doubt."""
        return self.high < -NOTHING


@dataclass(frozen=True)
class Candidate:
    """One distance on the study; ``undefined`` says why it could not be used."""

    name: str
    pairs: Pairs | None = None
    results: dict[str, Agreement] = field(default_factory=dict)
    published: TableRow | None = None
    undefined: str | None = None
    behind: Behind | None = None
    remarks: tuple[Remark, ...] = ()

    def value(self, measure: str) -> float:
        """One of its numbers; nan where there is none."""
        if self.published is not None:
            return float(getattr(self.published, measure, math.nan))
        return self.results[measure].value if measure in self.results else math.nan

    def histogram(self, bins: int = STRIP) -> Histogram:
        """Its distances within and between items."""
        if self.pairs is None:
            raise KindError(f"the distance {self.name} has no distances to show: {self.undefined}")
        far, within, between = shares(self.pairs)
        top = top_of(self.pairs)
        threshold = self.results["sigma"].details["threshold"] if "sigma" in self.results else math.nan
        edges = np.linspace(0, top, bins + 1)
        inside, outside = (binned(far, shares, top, bins) for shares in (within, between))
        return Histogram(self.name, edges, inside, outside, threshold)


@dataclass(frozen=True)
class DistanceComparison:
    """Distances of one study, the best first.

    ``print`` shows the table, the choice and the diagnosis; ``best`` is the distance chosen, `table` the numbers,
    `plot` and `heatmap` are pictures.
    """

    study: Annotations
    candidates: tuple[Candidate, ...]
    by: str
    level: float
    resamples: int
    seed: int
    compat: Compat = None
    listed: tuple[str, ...] = ()  # the distances of the kind, the coarsest first

    def __getitem__(self, name: str) -> Candidate:
        for one in self.candidates:
            if one.name == name:
                return one
        known = [one.name for one in self.candidates]
        raise UnknownName(
            f"no distance called {name!r} was compared.{suggestion(name, known)} (compared: {listing(known)})"
        )

    @property
    def usable(self) -> tuple[Candidate, ...]:
        """The distances that have numbers."""
        return tuple(one for one in self.candidates if not one.undefined)

    @property
    def best(self) -> Candidate | None:
        """The distance that tells agreement from chance best; None where none is defined."""
        return self.usable[0] if self.usable else None

    @property
    def undefined(self) -> str | None:
        """Why there is nothing to choose from; None where there is."""
        return None if self.usable else "no distance could be measured on these data"

    # -- tables ----------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """One row for each distance, the best first: its coefficients, and how far it is behind the best."""
        return Table.of([self._row(one, full=True) for one in self.candidates])

    def tidy(self) -> Table:
        """The same with the interval of every coefficient, for spreadsheets."""
        return Table.of([self._row(one, full=True) | self._intervals(one) for one in self.candidates])

    def _interval(self, one: Candidate, measure: str) -> tuple[float, float]:
        result = one.results.get(measure)
        found = result.interval(self.level, resamples=self.resamples, seed=self.seed) if result else None
        return (math.nan, math.nan) if found is None else (found.low, found.high)

    def _row(self, one: Candidate, *, full: bool) -> dict[str, Any]:
        if self.compat is not None:
            return {"distance": one.name} | {name: one.value(name) for name in ("alpha", "ks", "sigma")}
        row: dict[str, Any] = {"distance": one.name, self.by: one.value(self.by)}
        if full:
            row |= dict(zip(("low", "high"), self._interval(one, self.by), strict=True))
        row |= {name: one.value(name) for name in ("auc", "ks", "sigma", "alpha") if name != self.by}
        gap = one.behind
        row |= {
            "to best": gap.value if gap else None,
            "from": gap.low if gap else None,
            "to": gap.high if gap else None,
        }
        return row | {"verdict": self._verdict(one)}

    def _verdict(self, one: Candidate) -> str:
        if one.undefined:
            return "none"
        if one.behind is None:
            return "best" if one is self.best else "unsure"
        return "worse" if one.behind.sure else "unsure"

    def _intervals(self, one: Candidate) -> dict[str, float]:
        found = {}
        for name in MEASURED if self.compat is None else ():
            found[f"{name} low"], found[f"{name} high"] = self._interval(one, name)
        return found

    def shown(self) -> Table:
        """The table as it is printed, never wider than 100 columns."""
        longest = max((len(one.name) for one in self.candidates), default=0)
        rows = [self._row(one, full=longest <= ROOM) for one in self.candidates]
        rows = [row | {"distance": _cut(row["distance"])} for row in rows]
        if len(self.usable) < 2:
            rows = [
                {
                    name: entry
                    for name, entry in row.items()
                    if name not in ("to best", "from", "to", "verdict")
                }
                for row in rows
            ]
        return Table.of(rows)

    def spread(self, bins: int = STRIP) -> Table:
        """The histograms of each distance as characters, from 0 to its largest distance."""
        rows = []
        for one in self.usable:
            found = one.histogram(bins)
            row = {"distance": _cut(one.name), "within items": blocks(found.within)}
            rows.append(row | {"between items": blocks(found.between), "0 to": f"{found.edges[-1]:.4g}"})
        return Table.of(rows, names=("distance", "within items", "between items", "0 to"))

    # -- sentences -------------------------------------------------------------------------------------------

    def foot(self) -> str:
        """What the columns of the table are."""
        if self.compat is not None:
            return (
                "alpha, ks and sigma as in Braylan et al. (2022), Table 1: chance is a random draw, and their KS is no "
                "Kolmogorov-Smirnov statistic but close to the AUC"
            )
        if len(self.usable) < 2:
            return ""
        return (
            f"to best: the difference of {self.by.upper()} on the same {self.resamples:,} resamples of items, with an "
            f"interval (from, to) that holds for all pairs of distances at once ({self.level:.0%}); verdict: worse "
            "where that lies below 0"
        )

    def choice(self) -> tuple[str, ...]:
        """Which distance to take, what it says of the data, and which others are as good for all that is known."""
        best = self.best
        if best is None:
            return (f"{self.undefined}: {next(iter(self.reasons()), 'none was given')}",)
        called = "KS of Table 1" if self.compat else self.by.upper()
        by = "ks" if self.compat else self.by
        said = [
            f"Take {best.name}: it tells annotations of one item from those of different items best ({called} "
            f"{best.value(by):.3f})."
            if len(self.usable) > 1
            else f"{best.name} is the only distance that could be measured ({called} {best.value(by):.3f})."
        ]
        share = best.value("sigma")
        said.append(
            f"By it at least {share:.1%} of the pairs within items are nearer than chance explains (sigma); that is a "
            "lower bound, and a low one calls for a look at the data, not for throwing them away."
            if share >= 0.0005
            else "Its sigma is 0: by it no pair within items can be shown to be nearer than chance explains, which "
            "need not mean that none is."
        )
        if self.compat is None:
            said += self._as_good(best)
        return tuple(said)

    def _as_good(self, best: Candidate) -> list[str]:
        open_ = [one for one in self.usable if one is not best and self._verdict(one) == "unsure"]
        if not open_:
            return []
        named = listing([f"{one.name}{self._simpler(one, best)}" for one in open_], quote=False)
        said = [f"Not told apart from it by these data: {named}."]
        will_do = [
            one.name
            for one in open_
            if one.behind is not None and one.behind.low > -CLOSE and self._simpler(one, best)
        ]
        if will_do:
            said.append(f"Simpler, and surely less than {CLOSE:g} behind: {listing(will_do, quote=False)}.")
        return said

    def _simpler(self, one: Candidate, best: Candidate) -> str:
        """Whether a distance is coarser, as its kind lists them, or computed for more pairs, in words."""
        said = []
        plain, chosen = (each.name.partition(":")[0] for each in (one, best))
        if (
            plain in self.listed
            and chosen in self.listed
            and self.listed.index(plain) < self.listed.index(chosen)
        ):
            said.append("coarser")
        if (
            one.pairs
            and best.pairs
            and one.pairs.distances.distance.most > best.pairs.distances.distance.most
        ):
            said.append("cheaper")
        return f" ({', '.join(said)})" if said else ""

    def diagnosis(self) -> tuple[str, ...]:
        """What may hide agreement from which distances, and what to do about it: a sentence for each such thing."""
        said = [few_values(self.study)] if self.study.kind in KINDS else []
        found: dict[str, list[tuple[str, Remark]]] = {}
        for one in self.usable:
            for remark in one.remarks:
                found.setdefault(remark.rule, []).append((one.name, remark))
        for rule, ((first, remark), *others) in found.items():
            named = [f"{first} ({remark.figure} {remark.of})"]
            named += [f"{name} ({other.figure})" for name, other in others]
            said.append(f"{rule}: {', '.join(named)}; {remark.meaning}")
        return tuple(sentence for sentence in said if sentence)

    def reasons(self) -> tuple[str, ...]:
        """The distances that could not be measured, each with its reason."""
        return tuple(f"{one.name}: {one.undefined}" for one in self.candidates if one.undefined)

    def notes(self) -> tuple[str, ...]:
        """What was left out or sampled."""
        told = (one.results[self.by].notes for one in self.usable if self.by in one.results)
        return tuple(dict.fromkeys(note for notes in told for note in notes))

    def __str__(self) -> str:
        import textwrap

        foot = self.foot()
        parts = [aligned(self.shown()), *([foot] if foot else []), "", *self.choice()]
        parts += ["", *self.diagnosis()] if self.diagnosis() else []
        parts += ["", "Not measured:", *self.reasons()] if self.reasons() else []
        notes = self.notes()
        parts += ["", *notes] if notes else []
        table, *prose = parts
        broken = [textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in prose]
        return "\n".join([table, *broken])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        return {
            "schema": 1,
            "kind": self.study.kind,
            "by": self.by,
            "level": self.level,
            "resamples": self.resamples,
            "seed": self.seed,
            "compat": self.compat,
            "best": self.best.name if self.best else None,
            "distances": [self._plain(one) for one in self.candidates],
            "choice": list(self.choice()),
            "diagnosis": list(self.diagnosis()),
            "notes": list(self.notes()),
        }

    def _plain(self, one: Candidate) -> dict[str, Any]:
        def number(entry: float | None) -> float | None:
            return None if entry is None or not math.isfinite(entry) else float(entry)

        found: dict[str, Any] = {"distance": one.name, "undefined": one.undefined}
        for name in MEASURED if self.compat is None else ("alpha", "ks", "sigma"):
            low, high = self._interval(one, name)
            found[name] = {"value": number(one.value(name)), "low": number(low), "high": number(high)}
        gap = one.behind
        found["to_best"] = gap and {
            "difference": number(gap.value),
            "low": number(gap.low),
            "high": number(gap.high),
            "standard_error": number(gap.error),
            "sure": gap.sure,
        }
        if not one.undefined:
            drawn = one.histogram()
            found["histogram"] = {
                "edges": drawn.edges.tolist(),
                "within": drawn.within.tolist(),
                "between": drawn.between.tolist(),
                "threshold": number(drawn.threshold),
            }
        return found | {"remarks": [str(remark) for remark in one.remarks]}

    # -- pictures --------------------------------------------------------------------------------------------

    def plot(self, path: str | Path | None = None, *, bins: int = 50) -> Any:
        """Histograms of the observed and the expected distances, a panel for each distance function.

        Args:
            path: Where to write it (.png, .svg or .pdf); without it the Matplotlib figure is returned.
            bins: How many bins a histogram has.
        """
        if not self.usable:
            raise KindError(f"there is nothing to draw: {self.undefined}")
        return written(histograms([one.histogram(bins) for one in self.usable]), path)

    def heatmap(self, path: str | Path | None = None, distance: str | None = None, items: int = 12) -> Any:
        """A heat map of the distances of all annotations of some items; blocks on the diagonal are items.

        Items are taken evenly over the range of agreement, from those whose annotations are nearest to each other to
        those whose are furthest.

        Args:
            path: Where to write it (.png, .svg or .pdf); without it the Matplotlib figure is returned.
            distance: Which of the distances; the best by default.
            items: How many items.
        """
        one = self.best if distance is None else self[distance]
        if one is None or one.pairs is None:
            raise KindError(f"there is nothing to draw: {one.undefined if one else self.undefined}")
        if items < 1:
            raise KindError(f"a heat map takes one item at least, got items={items!r}")
        return written(heat_map(_heat(one.name, one.pairs, items)), path)


@takes_data
def compare_distances(
    data: Any,
    distances: IntoDistance | Iterable[IntoDistance] | None = None,
    *,
    by: By = "auc",
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    precision: float = PRECISION,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> DistanceComparison:
    """Rank distances by how well they tell annotations of one item from annotations of different items.

    Args:
        data: A study, or anything `Annotations.of` takes.
        distances: Names, such as ``["iou", "giou:clip=1"]``, distances, or functions of two values; by default all
            that the kind of value lists.
        by: What ranks them: "auc", or "ks" for the Kolmogorov-Smirnov statistic.
        level: The level of the intervals.
        resamples: How often items are resampled.
        seed: Where random numbers start.
        precision: The error wanted of the distribution of chance, where there are too many pairs to compute all.
        compat: "braylan2022" for the numbers of their Table 1, ranked by what it calls KS.
    """
    if by not in ("auc", "ks"):
        raise KindError(f"distances are ranked by 'auc' or 'ks', not by {by!r}")
    if compat not in (None, "braylan2022"):
        raise KindError(f"compat must be 'braylan2022' or None, got {compat!r}")
    if not 0 < level < 1:
        raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")
    if resamples < 2:
        raise KindError(f"resamples must be 2 or more, got {resamples!r}")
    study = as_annotations(data)
    given = _given(study, distances)
    measured = [
        _measured(study, name, one, precision=precision, seed=seed, compat=compat) for name, one in given
    ]
    ranked_by = "ks" if compat else by
    ranked = sorted(
        measured, key=lambda one: (one.undefined is not None, -np.nan_to_num(one.value(ranked_by)))
    )
    if compat is None:
        ranked = _behind(ranked, by, level, resamples, seed)
    listed = _worth_comparing(study)
    return DistanceComparison(study, tuple(ranked), ranked_by, level, resamples, seed, compat, tuple(listed))


def _worth_comparing(study: Annotations) -> tuple[str, ...]:
    """The distances of the kind of value, or of the kind that values in doubt may be."""
    word = study.recognised.doubt or study.kind
    found: tuple[str, ...] = KINDS[word].distances if word in KINDS else SIMPLE.get(word, ())
    return found


def _given(study: Annotations, distances: Any) -> list[tuple[str, Distance]]:
    """The distances that are meant, each with a name of its own."""
    if distances is None:
        distances = _worth_comparing(study) or ("nominal",)
    several = isinstance(distances, Iterable) and not isinstance(distances, str | np.ndarray)
    found: list[tuple[str, Distance]] = []
    for one in map(find, distances if several else [distances]):
        if any(one is other or (one.pair is None and str(one) == str(other)) for _, other in found):
            continue
        alike = sum(str(one) == str(other) for _, other in found)
        found.append((f"{one} ({alike + 1})" if alike else str(one), one))
    if not found:
        raise KindError("there is nothing to compare: name one distance at least")
    return found


def _measured(
    study: Annotations, name: str, distance: Distance, *, precision: float, seed: int, compat: Compat
) -> Candidate:
    try:
        pairs = Pairs.of(study, distance, precision=precision, seed=seed)
        if compat is not None:
            why = pairs.undefined() or auc(study, distance=distance, precision=precision, seed=seed).undefined
            if why:
                return Candidate(name, undefined=why)
            return Candidate(name, pairs, published=table_row(pairs, seed=seed), remarks=remarks(pairs))
        how = {"precision": precision, "seed": seed}
        results = {
            called: measure(study, distance=distance, **({} if called == "alpha" else how))
            for called, measure in MEASURED.items()
        }
    except InteragreeError as error:
        return Candidate(name, undefined=str(error))
    except Exception as error:  # what a function of the user raises is its own
        if distance.pair is None:
            raise
        return Candidate(name, undefined=f"it raised {type(error).__name__}: {error}")
    why = next((result.undefined for result in results.values() if result.undefined), None)
    if why:
        return Candidate(name, undefined=why)
    return Candidate(name, pairs, results, remarks=remarks(pairs))


# -- differences ---------------------------------------------------------------------------------------------


def _behind(ranked: Sequence[Candidate], by: str, level: float, resamples: int, seed: int) -> list[Candidate]:
    """The same with what each is behind the first one."""
    usable = [one for one in ranked if not one.undefined]
    if len(usable) < 2:
        return list(ranked)
    values = np.array([one.value(by) for one in usable])
    drawn = np.array([_resampled(one.results[by], resamples, seed) for one in usable])
    drawn = drawn[:, np.isfinite(drawn).all(axis=0)]
    if drawn.shape[1] < 2:
        return list(ranked)
    items = _units(usable[0].results[by])
    errors = np.std(drawn - drawn[0], axis=1, ddof=1) * math.sqrt(items / (items - 1))
    errors = np.fmax(errors, _by_leaving_out([one.results[by] for one in usable]))
    student = t_quantile(0.5 + level / 2, items - 1) / NormalDist().inv_cdf(0.5 + level / 2)
    gaps = values - values[0]
    reach = _reach(values, drawn, level) * student * errors
    reach[(errors <= NOTHING) & (np.abs(gaps) > NOTHING)] = (
        np.nan
    )  # a difference that no item tells anything about
    found = {
        one.name: Behind(float(gap), float(gap - wide), float(gap + wide), float(error))
        for one, gap, wide, error in zip(usable[1:], gaps[1:], reach[1:], errors[1:], strict=True)
    }
    return [replace(one, behind=found.get(one.name)) for one in ranked]


def _resampled(result: Agreement, resamples: int, seed: int) -> Floats:
    """The coefficient on resamples of the items: one seed draws the same items for every distance."""
    engine = result.engine
    if not isinstance(engine, Estimate) or _units(result) < 2:
        return np.full(resamples, np.nan)
    return engine.resampled(resamples, seed, None)


def _by_leaving_out(results: Sequence[Agreement]) -> Floats:
    """The error of the difference of each from the first by leaving out each item; nan where that leaves none."""
    left = np.array([result.engine.left_out() for result in results if isinstance(result.engine, Estimate)])
    moved = left - left[0]
    count = moved.shape[1]
    spread = ((moved - moved.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    found: Floats = np.sqrt((count - 1) / count * spread)
    return found


def _units(result: Agreement) -> float:
    """How many items, or groups of them, are resampled."""
    return float(result.engine.times.sum()) if isinstance(result.engine, Estimate) else 0.0


def _reach(values: Floats, drawn: Floats, level: float) -> float:
    """How many standard errors the intervals of all pairs of distances reach, to hold at once."""
    first, second = np.triu_indices(len(values), 1)
    moved = drawn[first] - drawn[second]
    errors = np.std(moved, axis=1, ddof=1)
    differ = errors > NOTHING  # two distances that order all pairs alike never differ
    if not differ.any():
        return 0.0
    off = np.abs(moved[differ] - (values[first] - values[second])[differ, None]) / errors[differ, None]
    return max(float(np.quantile(off.max(axis=0), level)), NormalDist().inv_cdf(0.5 + level / 2))


def _heat(name: str, pairs: Pairs, items: int) -> Heat:
    whole = pairs.distances
    mean = totals(whole.pair_item, whole.far[whole.counted], whole.items) / whole.pairs_of_item
    order = np.argsort(mean, kind="stable")
    chosen = order[
        np.unique(np.linspace(0, whole.items - 1, min(items, whole.items)).round().astype(np.intp))
    ]
    codes = np.flatnonzero(pairs.pattern >= 0)[chosen]
    rows = np.concatenate([np.flatnonzero(whole.item == one) for one in chosen.tolist()])
    value = whole.value[rows]
    first, second = (side.reshape(-1) for side in np.meshgrid(value, value, indexing="ij"))
    table = whole.of_values(first, second).reshape(len(rows), len(rows))
    return Heat(
        name,
        table,
        [whole.study.items[code] for code in codes.tolist()],
        whole.size[chosen].astype(int).tolist(),
    )


def _cut(name: str) -> str:
    return name if len(name) <= NAMED else f"{name[: NAMED - 1]}…"
