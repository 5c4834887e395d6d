"""What measures made of a reference with growing errors, as an answer: curves, verdicts and a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations
from interagree.data.provenance import counted
from interagree.errors import Hint, KindError, listing
from interagree.kinds._noise import checked
from interagree.results.answer import Answer
from interagree.results.charts import DrawnLine, LineChart
from interagree.results.charts.characters import BLOCKS
from interagree.results.document import Document, Section, one_per_line
from interagree.studies.corpora import Corpora
from interagree.tables import Table, plain

SURE = 2.0  # standard errors by which a curve may rise without rising


class Curve(NamedTuple):
    """One measure over all magnitudes."""

    name: str  # what tells it from the others
    measure: str  # with its options, but for the distance
    distance: str  # empty where the measure takes none
    noise: tuple[str, ...]
    values: Floats  # a row for each magnitude, a column for each repeat; nan where undefined

    @property
    def mean(self) -> Floats:
        """The mean over repeats in which the measure is defined; nan where there is none."""
        known = ~np.isnan(self.values)
        sums, counts = np.where(known, self.values, 0.0).sum(axis=1), known.sum(axis=1)
        average: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return average

    @property
    def sd(self) -> Floats:
        """The standard deviation over repeats; nan where there are not two."""
        known = ~np.isnan(self.values)
        counts = known.sum(axis=1)
        squares = np.where(known, (self.values - self.mean[:, None]) ** 2, 0.0).sum(axis=1)
        deviation: Floats = np.where(counts > 1, np.sqrt(squares / np.maximum(counts - 1, 1)), np.nan)
        return deviation

    @property
    def error(self) -> Floats:
        """The standard error of the mean; nan where one repeat gives none."""
        counts = np.maximum((~np.isnan(self.values)).sum(axis=1), 1)
        error: Floats = self.sd / np.sqrt(counts)
        return error


@dataclass(frozen=True, eq=False, repr=False)
class Shuffled(Answer):
    """What measures made of a reference with growing errors.

    ``print(result)`` shows the verdict on each measure and the curves; `table`, `tidy` and `judge` give them as tables,
    `plot` draws them, and `study` gives one of the noisy corpora.
    """

    corpora: Corpora
    noise: tuple[tuple[str, ...], ...]  # errors that were applied together, one entry for each set of them
    magnitudes: tuple[float, ...]
    repeats: int
    curves: tuple[Curve, ...]
    notes: tuple[str, ...] = ()

    def study(self, magnitude: float, *, repeat: int = 0, noise: Iterable[str] | str | None = None) -> Annotations:
        """One corpus with errors of a magnitude, the same that was measured.

        Args:
            magnitude: From 0 to 1; also one that was not measured.
            repeat: Which of the repeats.
            noise: The errors; those that were measured, which is needed where each was measured separately.
        """
        if noise is None and len(self.noise) > 1:
            example = Hint("noise", self.noise[0][0])
            raise KindError(
                f"each kind of error was measured separately; say which the study should have, as in {example}",
                hints=[example],
            )
        corpora = self.corpora
        names = self.noise[0] if noise is None else corpora.noise.chosen(corpora.known, noise)
        return corpora.study(names, checked(magnitude), repeat)

    @property
    def undefined(self) -> str | None:
        """Why no measure is defined at any magnitude; None where one is."""
        if any(not np.isnan(curve.values).all() for curve in self.curves):
            return None
        return next(iter(self.notes), "no measure is defined at any magnitude")

    def tables(self) -> dict[str, Table]:
        """The mean of each measure at each magnitude, the verdict on each measure, and all numbers one by one."""
        means = {curve.name: curve.mean.tolist() for curve in self.curves}
        curves = Table({"magnitude": list(self.magnitudes), **means}, foot=self.basis())
        return {"curves": curves, "verdicts": self.judge(), "tidy": self.tidy()}

    def tidy(self) -> Table:
        """One row for each measure and magnitude: mean, standard deviation, and in how many repeats it was defined."""
        return Table.of(
            [
                {
                    "measure": curve.measure,
                    "distance": curve.distance or None,
                    "noise": "+".join(curve.noise),
                    "magnitude": magnitude,
                    "mean": mean,
                    "sd": sd,
                    "repeats": count,
                }
                for curve in self.curves
                for magnitude, mean, sd, count in zip(
                    self.magnitudes,
                    curve.mean.tolist(),
                    curve.sd.tolist(),
                    (~np.isnan(curve.values)).sum(axis=1).tolist(),
                    strict=True,
                )
            ]
        )

    def judge(self) -> Table:
        """For each measure: its ends, whether it falls, and how closely it follows the magnitude.

        ``falls`` is "strictly", "within error" where it rises by no more than luck explains, "not strictly" where one
        repeat cannot tell, or names the magnitudes between which it rises.  ``spearman`` is the rank correlation with
        the magnitude, -1 for a measure that always falls; ``slope`` is that of the straight line nearest to the curve,
        -1 for a measure that falls evenly from 1 to 0.
        """
        first, last = min(self.magnitudes), max(self.magnitudes)
        order = np.argsort(self.magnitudes)
        m = np.array(self.magnitudes)[order]
        distances = any(curve.distance for curve in self.curves)
        rows = []
        for curve in self.curves:
            mean, error = curve.mean[order], curve.error[order]
            rows.append(
                {
                    "measure": curve.measure,
                    **({"distance": curve.distance or None} if distances else {}),
                    **({"noise": "+".join(curve.noise)} if len(self.noise) > 1 else {}),
                    f"at {first:g}": float(mean[0]),
                    f"at {last:g}": float(mean[-1]),
                    "falls": _falls(m, mean, error),
                    "spearman": _spearman(m, mean),
                    "slope": _slope(m, mean),
                    "sd": float(np.nanmean(curve.sd)) if not np.isnan(curve.sd).all() else math.nan,
                    "curve": spark(mean.tolist()),
                }
            )
        return Table.of(rows, foot=self.basis())

    def basis(self) -> str:
        """What was done, in a sentence."""
        separate, items = len(self.noise) > 1, len(self.corpora.reference.items)
        names = ", ".join("+".join(names) for names in self.noise)
        return (
            f"{counted(items, 'item')} ({self.corpora.kind}), {self.corpora.annotators} simulated annotators, "
            f"noise: {names}{' (each separately)' if separate else ''}; "
            f"mean of {counted(self.repeats, 'repeat')}, seed {self.corpora.seed}"
        )

    def chart(self) -> LineChart | None:
        """The curves over the magnitude, with a band of one standard deviation."""
        if self.undefined:
            return None
        order = np.argsort(self.magnitudes)
        m = np.array(self.magnitudes)[order].tolist()
        lines = []
        for curve in self.curves:
            mean, sd = curve.mean[order], np.nan_to_num(curve.sd[order])
            lines.append(DrawnLine(curve.name, m, mean.tolist(), (mean - sd).tolist(), (mean + sd).tolist(), dots=True))
        lines.append(DrawnLine("1 - magnitude", [0.0, 1.0], [1.0, 0.0]))
        noise = ", ".join(dict.fromkeys(name for names in self.noise for name in names))
        words = f"{self.shared()} under growing noise; {self.basis()}"
        return LineChart(lines, f"magnitude of noise ({noise})", self.shared(), words)

    def shared(self) -> str:
        """The measure and the distance, each where all curves have the same one; else "measures"."""
        columns = ({curve.measure for curve in self.curves}, {curve.distance for curve in self.curves})
        return " ".join(next(iter(words)) for words in columns if len(words) == 1).strip() or "measures"

    def document(self) -> Document:
        """The verdict on each measure, and the curves."""
        sections = [
            Section(f"Under noise: {self.shared()}", table=_what_differs(self.judge())),
            Section("By magnitude", table=replace(self.table(), foot="")),
            Section(foot=one_per_line((f"{self.basis()}.", *(f"{note}." for note in self.notes)))),
        ]
        return Document("", sections, {"shuffle": self.to_dict()}, self.tidy())

    def to_dict(self) -> dict[str, object]:
        return plain(
            {
                "schema": 1,
                "kind": self.corpora.kind.name,
                "items": len(self.corpora.reference.items),
                "noise": self.noise,
                "magnitudes": self.magnitudes,
                "annotators": self.corpora.annotators,
                "repeats": self.repeats,
                "seed": self.corpora.seed,
                "curves": [
                    {
                        "name": curve.name,
                        "measure": curve.measure,
                        "distance": curve.distance or None,
                        "noise": curve.noise,
                        "mean": curve.mean,
                        "sd": curve.sd,
                        **{name: row[name] for name in ("falls", "spearman", "slope")},
                    }
                    for curve, row in zip(self.curves, self.judge(), strict=True)
                ],
                "notes": self.notes,
            }
        )

    def __repr__(self) -> str:
        return f"<Shuffled: {listing((curve.name for curve in self.curves), quote=False)}; {self.basis()}>"


def _what_differs(verdicts: Table) -> Table:
    """A table without its foot, and without columns that are the same in every row, but for the first that is left."""
    names = [name for name in ("measure", "distance", "noise") if name in verdicts.columns]
    same = [name for name in names if len(set(verdicts[name])) == 1]
    return replace(verdicts.without(*(same if len(same) < len(names) else same[1:])), foot="")


def _falls(m: Floats, mean: Floats, error: Floats) -> str:
    known = np.flatnonzero(~np.isnan(mean))
    pairs = list(pairwise(known.tolist()))
    if not pairs:
        return "unknown"
    if all(mean[b] < mean[a] for a, b in pairs):
        return "strictly"
    rises = [(a, b) for a, b in pairs if mean[b] - mean[a] > SURE * math.hypot(error[a], error[b])]
    if rises:
        return "no: " + ", ".join(f"rises from {m[a]:g} to {m[b]:g}" for a, b in rises[:1])
    if np.ptp(mean[known]) < 1e-9:
        return "no: stays the same"
    return "not strictly" if np.isnan(error[known]).any() else "within error"


def _spearman(m: Floats, mean: Floats) -> float:
    known = ~np.isnan(mean)
    if known.sum() < 2:
        return math.nan
    a, b = _ranks(m[known]), _ranks(mean[known])
    scale = float(a.std() * b.std())
    return float(((a - a.mean()) * (b - b.mean())).mean()) / scale if scale else math.nan


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return middle


def _slope(m: Floats, mean: Floats) -> float:
    known = ~np.isnan(mean)
    x, y = m[known], mean[known]
    squares = float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0
    return float(((x - x.mean()) * (y - y.mean())).sum()) / squares if squares else math.nan


def spark(values: Sequence[float]) -> str:
    """A curve as bars between 0 and 1, one for each number; what is undefined is left blank."""

    def bar(value: float) -> str:
        if math.isnan(value):
            return " "
        return BLOCKS[round(min(max(value, 0.0), 1.0) * (len(BLOCKS) - 1))]

    return "".join(map(bar, values))
