"""Distances of one study side by side, as an answer: tables, the choice in words, and pictures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interagree.data import Annotations
from interagree.declare import Distance
from interagree.errors import KindError, UnknownName, listing, suggestion
from interagree.measures.alpha import alpha
from interagree.measures.auc import auc
from interagree.measures.ks import ks
from interagree.measures.sigma import sigma
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.charts import Histogram, ThresholdLine
from interagree.results.charts.characters import blocks
from interagree.results.document import Document, Section, one_per_line, render
from interagree.results.narrow import shortened
from interagree.stats.pairs.braylan2022 import Compat, TableRow
from interagree.stats.pairs.diagnosis import DistanceRemark, binned, few_values, shares, top_of
from interagree.stats.pairs.item_pairs import Pairs
from interagree.tables import Table, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLOSE = 0.02  # of AUC or KS: what is surely no further behind will do as well
NOTHING = 1e-12
WITHIN, BETWEEN = "within items (observed)", "between items (expected)"
BINS = 50  # of a histogram in a picture
STRIP = 20  # bins of a histogram in a terminal
NAMED = 36  # letters of a name in a printed table
ROOM = 22  # letters of a name up to which the interval of each coefficient has room beside it

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


class Sampling(NamedTuple):
    """What the pairs of annotations are made from; the study keeps them, and pickles leave them out."""

    study: Annotations
    distance: Distance
    precision: float
    seed: int

    def pairs(self) -> Pairs:
        """The pairs of annotations with their distances."""
        return Pairs.of(self.study, self.distance, precision=self.precision, seed=self.seed)


LONGEST = "longest / chance"  # the head of the column of largest distances


@dataclass(frozen=True)
class Candidate:
    """One distance on the study; ``undefined`` says why it could not be used."""

    name: str
    sampling: Sampling | None = None
    results: dict[str, Agreement] = field(default_factory=dict)
    published: TableRow | None = None
    undefined: str | None = None
    behind: Behind | None = None
    remarks: tuple[DistanceRemark, ...] = ()

    @property
    def pairs(self) -> Pairs | None:
        """The pairs of annotations with their distances; None where it could not be used."""
        return None if self.sampling is None else self.sampling.pairs()

    def value(self, measure: str) -> float:
        """One of its numbers; nan where there is none."""
        if self.published is not None:
            return float(getattr(self.published, measure, math.nan))
        return self.results[measure].value if measure in self.results else math.nan

    def histogram(self, bins: int = STRIP) -> Histogram:
        """Its distances within and between items."""
        pairs = self.pairs
        if pairs is None:
            raise KindError(f"the distance {self.name} has no distances to show: {self.undefined}")
        far, within, between = shares(pairs)
        top = top_of(pairs)
        threshold = self.results["sigma"].details["threshold"] if "sigma" in self.results else math.nan
        edges = np.linspace(0, top, bins + 1)
        inside, outside = (binned(far, shares, top, bins) for shares in (within, between))
        marks = [] if math.isnan(threshold) else [ThresholdLine(threshold, "threshold of sigma")]
        words = f"Distances of annotations of one item and of different items: {self.name}"
        series = {WITHIN: inside.tolist(), BETWEEN: outside.tolist()}
        return Histogram(edges.tolist(), series, f"{self.name} distance", words, marks)


@dataclass(frozen=True)
class DistanceComparison(Answer):
    """Distances of one study, the best first.

    ``print`` shows the table, the choice and the diagnosis; ``best`` is the distance chosen, `table` has the numbers,
    `plot` and `heatmap` draw pictures.
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
        for candidate in self.candidates:
            if candidate.name == name:
                return candidate
        known = [candidate.name for candidate in self.candidates]
        raise UnknownName(
            f"no distance called {name!r} was compared.{suggestion(name, known)} (compared: {listing(known)})"
        )

    @property
    def usable(self) -> tuple[Candidate, ...]:
        """The distances that have numbers."""
        return tuple(candidate for candidate in self.candidates if not candidate.undefined)

    @property
    def best(self) -> Candidate | None:
        """The distance that tells agreement from chance best; None where none is defined."""
        return self.usable[0] if self.usable else None

    @property
    def undefined(self) -> str | None:
        """Why there is nothing to choose from; None where there is."""
        return None if self.usable else "no distance could be measured on these data"

    def tables(self) -> dict[str, Table]:
        """One row for each distance, the best first: its coefficients, and how far it is behind the best."""
        return {"distances": Table.of([self._row(candidate, full=True) for candidate in self.candidates])}

    def tidy(self) -> Table:
        """The table with the interval of every coefficient, for spreadsheets."""
        return Table.of([self._row(candidate, full=True) | self._intervals(candidate) for candidate in self.candidates])

    def _interval(self, candidate: Candidate, measure: str) -> tuple[float, float]:
        result = candidate.results.get(measure)
        interval = result.interval(self.level, resamples=self.resamples, seed=self.seed) if result else None
        return (math.nan, math.nan) if interval is None else (interval.low, interval.high)

    def _row(self, candidate: Candidate, *, full: bool) -> dict[str, float | str | None]:
        if self.compat is not None:
            return {"distance": candidate.name} | {name: candidate.value(name) for name in ("alpha", "ks", "sigma")}
        row: dict[str, float | str | None] = {"distance": candidate.name, self.by: candidate.value(self.by)}
        if full:
            row |= dict(zip(("low", "high"), self._interval(candidate, self.by), strict=True))
        row |= {name: candidate.value(name) for name in ("auc", "ks", "sigma", "alpha") if name != self.by}
        gap = candidate.behind
        row |= {
            "to best": gap.value if gap else None,
            "from": gap.low if gap else None,
            "to": gap.high if gap else None,
        }
        return row | {"verdict": self._verdict(candidate)}

    def _verdict(self, candidate: Candidate) -> str:
        if candidate.undefined:
            return "none"
        if candidate.behind is None:
            return "best" if candidate is self.best else "unsure"
        return "worse" if candidate.behind.sure else "unsure"

    def _intervals(self, candidate: Candidate) -> dict[str, float | str | None]:
        ends: dict[str, float | str | None] = {}
        for name in MEASURED if self.compat is None else ():
            ends[f"{name} low"], ends[f"{name} high"] = self._interval(candidate, name)
        return ends

    def shown(self) -> Table:
        """The table as it is printed, never wider than 100 columns."""
        longest = max((len(candidate.name) for candidate in self.candidates), default=0)
        rows = [self._row(candidate, full=longest <= ROOM) for candidate in self.candidates]
        rows = [row | {"distance": shortened(str(row["distance"]), NAMED)} for row in rows]
        alone = ("to best", "from", "to", "verdict") if len(self.usable) < 2 else ()
        return Table.of(rows).without(*alone)

    def histograms(self, bins: int = STRIP) -> Table:
        """The histograms of each distance as characters, from 0 to its largest distance, in units of chance."""
        rows = []
        for candidate in self.usable:
            drawn = candidate.histogram(bins)
            row = {"distance": shortened(candidate.name, NAMED), "within items": blocks(drawn.series[WITHIN])}
            edges, between = np.asarray(drawn.edges), np.asarray(drawn.series[BETWEEN])
            middle = (edges[1:] + edges[:-1]) / 2
            chance = float(middle @ between) / (float(between.sum()) or 1.0)
            longest = edges[-1] / chance if chance else math.nan
            rows.append(row | {"between items": blocks(between), LONGEST: f"{longest:.3g}"})
        return Table.of(rows, names=("distance", "within items", "between items", LONGEST))

    def foot(self) -> str:
        """What the columns of the table are."""
        if self.compat is not None:
            return (
                "alpha, ks and sigma as in Braylan et al. (2022), Table 1: chance is a random draw; their KS is not "
                "the Kolmogorov-Smirnov statistic but close to the AUC"
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
        sentences = [
            f"Take {best.name}: it tells annotations of one item from those of different items best ({called} "
            f"{best.value(by):.3f})."
            if len(self.usable) > 1
            else f"{best.name} is the only distance that could be measured ({called} {best.value(by):.3f})."
        ]
        share = best.value("sigma")
        sentences.append(
            f"By it at least {share:.1%} of the pairs within items are nearer than chance explains (sigma); that is a "
            "lower bound, and a low one calls for a look at the data, not for throwing them away."
            if share >= 0.0005
            else "Its sigma is 0: by it no pair within items can be shown to be nearer than chance explains, which "
            "need not mean that none is."
        )
        if self.compat is None:
            sentences += self._as_good(best)
        return tuple(sentences)

    def _as_good(self, best: Candidate) -> list[str]:
        open_ = [
            candidate for candidate in self.usable if candidate is not best and self._verdict(candidate) == "unsure"
        ]
        if not open_:
            return []
        named = listing([f"{candidate.name}{self._simpler(candidate, best)}" for candidate in open_], quote=False)
        sentences = [f"Not distinguished from it by these data: {named}."]
        will_do = [
            candidate.name
            for candidate in open_
            if candidate.behind is not None and candidate.behind.low > -CLOSE and self._simpler(candidate, best)
        ]
        if will_do:
            sentences.append(f"Simpler, and surely less than {CLOSE:g} behind: {listing(will_do, quote=False)}.")
        return sentences

    def _simpler(self, candidate: Candidate, best: Candidate) -> str:
        """Whether a distance is coarser, as its kind lists them, or computed for more pairs, in words."""
        words = []
        plain, chosen = (each.name.partition(":")[0] for each in (candidate, best))
        if plain in self.listed and chosen in self.listed and self.listed.index(plain) < self.listed.index(chosen):
            words.append("coarser")
        if candidate.sampling and best.sampling and candidate.sampling.distance.most > best.sampling.distance.most:
            words.append("cheaper")
        return f" ({', '.join(words)})" if words else ""

    def diagnosis(self) -> tuple[str, ...]:
        """What may hide agreement from which distances, and what to do about it: a sentence for each such thing."""
        sentences = [few_values(self.study)] if self.study.kind.complex else []
        by_rule: dict[str, list[tuple[str, DistanceRemark]]] = {}
        for candidate in self.usable:
            for remark in candidate.remarks:
                by_rule.setdefault(remark.rule, []).append((candidate.name, remark))
        for rule, ((first, remark), *others) in by_rule.items():
            named = [f"{first} ({remark.figure} {remark.of})"]
            named += [f"{name} ({other.figure})" for name, other in others]
            sentences.append(f"{rule}: {', '.join(named)}; {remark.meaning}")
        return tuple(sentence for sentence in sentences if sentence)

    def reasons(self) -> tuple[str, ...]:
        """The distances that could not be measured, each with its reason."""
        return tuple(f"{candidate.name}: {candidate.undefined}" for candidate in self.candidates if candidate.undefined)

    def notes(self) -> tuple[str, ...]:
        """What was left out or sampled."""
        told = (candidate.results[self.by].notes for candidate in self.usable if self.by in candidate.results)
        return tuple(dict.fromkeys(note for notes in told for note in notes))

    def document(self, *, intervals: bool = True) -> Document:
        """The table, the choice, histograms, what hides agreement, and what was left out.

        Args:
            intervals: Whether the plain data have the interval of every coefficient, which takes as long again.
        """
        sections = [Section(table=self.shown()), Section(lines=self.choice())]
        if self.usable:
            sections.append(Section("Distances", table=self.histograms()))
        if self.diagnosis():
            sections.append(Section("What may hide agreement", lines=self.diagnosis()))
        if self.reasons():
            sections.append(Section("Not measured", lines=self.reasons()))
        sections.append(Section(foot=one_per_line((self.foot(), *self.notes()))))
        if not intervals:
            return Document("", sections)
        return Document("", sections, self.to_dict(), self.tidy())

    def __str__(self) -> str:
        return render(self.document(intervals=False), "text").rstrip("\n")

    def to_dict(self) -> dict[str, object]:
        return plain(
            {
                "schema": 1,
                "kind": self.study.kind.name,
                **self.plain("by", "level", "resamples", "seed", "compat"),
                "best": self.best.name if self.best else None,
                "distances": [self._plain(candidate) for candidate in self.candidates],
                "choice": self.choice(),
                "diagnosis": self.diagnosis(),
                "notes": self.notes(),
            }
        )

    def _plain(self, candidate: Candidate) -> dict[str, object]:
        data: dict[str, object] = {"distance": candidate.name, "undefined": candidate.undefined}
        for name in MEASURED if self.compat is None else ("alpha", "ks", "sigma"):
            low, high = self._interval(candidate, name)
            data[name] = {"value": candidate.value(name), "low": low, "high": high}
        gap = candidate.behind
        data["to_best"] = gap and {
            "difference": gap.value,
            "low": gap.low,
            "high": gap.high,
            "standard_error": gap.error,
            "sure": gap.sure,
        }
        if not candidate.undefined:
            drawn = candidate.histogram()
            threshold = drawn.marks[0].at if drawn.marks else None
            shares = {"within": drawn.series[WITHIN], "between": drawn.series[BETWEEN]}
            data["histogram"] = {"edges": drawn.edges, **shares, "threshold": threshold}
        return data | {"remarks": [str(remark) for remark in candidate.remarks]}

    def chart(self) -> Histogram | None:
        """The observed and the expected distances under the best distance function."""
        return None if self.best is None else self.best.histogram(BINS)

    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None, bins: int = BINS) -> Axes | Path:
        """Histograms of the observed and the expected distances, a panel for each distance function.

        Args:
            path: Where to write it (.png, .svg or .pdf).
            axes: Where to draw those of the best distance function, alone; by default all are drawn.
            bins: How many bins a histogram has.

        Returns:
            The path, or the axes where no path is given, those of the best; their figure has all.
        """
        from interagree.results.charts.figures import panels, plotted

        if self.best is None or axes is not None:
            return plotted(self._drawn(), path, axes=axes)
        drawn = [candidate.histogram(bins) for candidate in self.usable]
        return panels(drawn, [candidate.name for candidate in self.usable], path, ylabel="share of pairs")

    def heatmap(
        self, path: str | Path | None = None, distance: str | None = None, items: int = 12, *, axes: Axes | None = None
    ) -> Axes | Path:
        """A heat map of the distances of all annotations of some items; blocks on the diagonal are items.

        Items are taken evenly over the range of agreement, from those whose annotations are nearest to each other to
        those whose are furthest.

        Args:
            path: Where to write it (.png, .svg or .pdf).
            distance: Which of the distances; the best by default.
            items: How many items.
            axes: Where to draw it; new axes by default.

        Returns:
            The path, or the axes where no path is given.
        """
        from interagree.studies.item_distances import chosen, drawn

        candidate = self.best if distance is None else self[distance]
        pairs = None if candidate is None else candidate.pairs
        if candidate is None or pairs is None:
            raise KindError(f"there is nothing to draw: {candidate.undefined if candidate else self.undefined}")
        if items < 1:
            raise KindError(f"a heat map takes one item at least, got items={items!r}")
        return drawn(candidate.name, chosen(pairs, items), path, axes)
