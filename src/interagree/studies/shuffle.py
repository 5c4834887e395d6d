r"""Shuffling: a reference made worse by known amounts, and what measures make of it.

Annotators are simulated by putting errors of a magnitude $m$ into a reference: at $m = 0$ each repeats the reference,
at $m = 1$ errors are as bad as they get.  A measure should be 1 at 0, and fall as $m$ grows; one that falls to about 0
knows what chance is, one that hardly falls does not see this kind of error, and one that rises should not be trusted
with it.  Drawn for several distances, the curves say which distance sees which error.

Mathet, Y., Widlöcher, A., Fort, K., François, C., Galibert, O., Grouin, C., Kahn, J., Rosset, S., & Zweigenbaum, P.
(2012). Manual corpus annotation: giving meaning to the evaluation metrics. COLING 2012: Posters, 809-818.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interagree.arrays import Floats
from interagree.data import Annotations, Step, Study, as_annotations
from interagree.data.codes import encode
from interagree.data.provenance import counted
from interagree.data.types import IntoAnnotations
from interagree.errors import DataError, KindError, extra, listing
from interagree.kinds import Kind
from interagree.kinds._noise import Corpus, Noise, checked, noise_of
from interagree.plugins import KINDS
from interagree.progress import steps
from interagree.reports.choose import Choice, IntoChoice, choice, chosen, keywords, natural
from interagree.results.pictures import COLOURS
from interagree.tables import Table

MAGNITUDES = tuple(tenth / 10 for tenth in range(11))
MARKS = ("o", "s", "^", "D", "v", "P")
SURE = 2.0  # standard errors by which a curve may rise without rising
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, eq=False)
class Corpora:
    """How noisy corpora are made of a reference."""

    reference: Annotations  # one annotation for each item
    kind: Kind
    annotators: int
    seed: int
    confusion: Mapping[Any, Mapping[Any, float]] | None = None

    @cached_property
    def values(self) -> list[Any]:
        """The right value of each annotation."""
        return [self.reference.values[code] for code in self.reference.value.tolist()]

    @cached_property
    def noise(self) -> Noise[Any, Any]:
        """The errors of the kind."""
        return noise_of(self.kind)

    @cached_property
    def known(self) -> Any:
        """What errors need to know about the reference."""
        scale = self.reference.values if self.noise.scaled else ()
        return self.noise.survey(Corpus(self.values, scale, self.reference.in_order, self.confusion))

    def study(self, names: tuple[str, ...], magnitude: float, repeat: int) -> Annotations:
        """One corpus; the same errors, magnitude and repeat make the same one, whatever else is asked for."""
        reference, said = self.reference, "+".join(names)
        entropy = [
            abs(self.seed),
            int(self.seed < 0),
            round(magnitude * 1e9),
            repeat,
            zlib.crc32(said.encode()),
        ]
        people = range(1, self.annotators + 1)
        given = [
            self.noise.apply(
                self.values, magnitude, np.random.default_rng([*entropy, who]), self.known, names
            )
            for who in people
        ]
        codes, seen = encode(value for one in given for value in one)
        sentence = f"{self.annotators} annotators simulated with {said} noise of magnitude {magnitude:g}"
        made = Annotations.from_codes(
            np.tile(reference.item, self.annotators),
            np.repeat(np.arange(self.annotators), len(reference)),
            codes,
            reference.items,
            tuple(f"A{who}" for who in people),
            seen,
            values=reference.values if reference.stated and self.noise.scaled else None,
            ordered=reference.ordered,
            provenance=reference.provenance.then(Step("assumed", sentence)),
        )
        return replace(made, of_kind=reference.of_kind or (self.kind.name if self.kind.complex else None))


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
        found: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return found

    @property
    def sd(self) -> Floats:
        """The standard deviation over repeats; nan where there are not two."""
        known = ~np.isnan(self.values)
        counts = known.sum(axis=1)
        squares = np.where(known, (self.values - self.mean[:, None]) ** 2, 0.0).sum(axis=1)
        found: Floats = np.where(counts > 1, np.sqrt(squares / np.maximum(counts - 1, 1)), np.nan)
        return found

    @property
    def error(self) -> Floats:
        """The standard error of the mean; nan where one repeat gives none."""
        counts = np.maximum((~np.isnan(self.values)).sum(axis=1), 1)
        found: Floats = self.sd / np.sqrt(counts)
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Shuffled:
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

    def study(
        self, magnitude: float, *, repeat: int = 0, noise: Iterable[str] | str | None = None
    ) -> Annotations:
        """One corpus with errors of a magnitude, the same that was measured.

        Args:
            magnitude: From 0 to 1; also one that was not measured.
            repeat: Which of the repeats.
            noise: The errors; those that were measured, which is needed where each was measured apart.
        """
        if noise is None and len(self.noise) > 1:
            raise KindError(
                "each kind of error was measured apart; say which the study should have, as in "
                f"noise={self.noise[0][0]!r}"
            )
        corpora = self.corpora
        names = self.noise[0] if noise is None else corpora.noise.chosen(corpora.known, noise)
        return corpora.study(names, checked(magnitude), repeat)

    @property
    def undefined(self) -> bool:
        """Whether no measure is defined at any magnitude."""
        return all(bool(np.isnan(curve.values).all()) for curve in self.curves)

    def table(self) -> Table:
        """The mean of each measure at each magnitude."""
        columns: dict[str, Sequence[Any]] = {"magnitude": list(self.magnitudes)}
        return Table(
            {**columns, **{curve.name: curve.mean.tolist() for curve in self.curves}}, foot=self.basis()
        )

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
        apart, items = len(self.noise) > 1, len(self.corpora.reference.items)
        names = ", ".join("+".join(names) for names in self.noise)
        return (
            f"{counted(items, 'item')} ({self.corpora.kind}), {self.corpora.annotators} simulated annotators, "
            f"noise: {names}{' (each apart)' if apart else ''}; "
            f"mean of {counted(self.repeats, 'repeat')}, seed {self.corpora.seed}"
        )

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the curves over the magnitude, with a band of one standard deviation.

        Returns the path of the picture, or the Matplotlib figure where no path is given.
        """
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise extra("matplotlib", "plot", purpose="a picture of the curves") from None
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.plot([0, 1], [1, 0], ":", color="0.6", linewidth=1, label="1 - magnitude")
        order = np.argsort(self.magnitudes)
        m = np.array(self.magnitudes)[order]
        for place, curve in enumerate(self.curves):
            colour, mark = COLOURS[place % len(COLOURS)], MARKS[place % len(MARKS)]
            mean, sd = curve.mean[order], np.nan_to_num(curve.sd[order])
            axes.plot(m, mean, f"-{mark}", color=colour, markersize=4, label=curve.name)
            axes.fill_between(m, mean - sd, mean + sd, color=colour, alpha=0.15, linewidth=0)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel(
            f"magnitude of noise ({', '.join(dict.fromkeys(one for names in self.noise for one in names))})"
        )
        axes.set_ylabel(self.shared())
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        axes.legend(frameon=False, fontsize="small")
        if path is None:
            return figure
        figure.savefig(path, dpi=150)
        return Path(path)

    def shared(self) -> str:
        """The measure and the distance, each where all curves have the same one; else "measures"."""
        columns = ({curve.measure for curve in self.curves}, {curve.distance for curve in self.curves})
        return " ".join(next(iter(one)) for one in columns if len(one) == 1).strip() or "measures"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        return {
            "schema": 1,
            "kind": self.corpora.kind.name,
            "items": len(self.corpora.reference.items),
            "noise": [list(names) for names in self.noise],
            "magnitudes": list(self.magnitudes),
            "annotators": self.corpora.annotators,
            "repeats": self.repeats,
            "seed": self.corpora.seed,
            "curves": [
                {
                    "name": curve.name,
                    "measure": curve.measure,
                    "distance": curve.distance or None,
                    "noise": list(curve.noise),
                    "mean": [*map(_number, curve.mean.tolist())],
                    "sd": [*map(_number, curve.sd.tolist())],
                    "falls": row["falls"],
                    "spearman": _number(row["spearman"]),
                    "slope": _number(row["slope"]),
                }
                for curve, row in zip(self.curves, self.judge(), strict=True)
            ],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        verdict, curves = replace(self.judge(), foot=""), self.table()
        return "\n".join([str(verdict), "", str(curves), *self.notes])

    def __repr__(self) -> str:
        return f"<Shuffled: {listing((curve.name for curve in self.curves), quote=False)}; {self.basis()}>"


def shuffle(
    reference: IntoAnnotations,
    *,
    noise: Iterable[str] | str | None = None,
    apart: bool = False,
    magnitudes: Iterable[float] = MAGNITUDES,
    annotators: int = 3,
    measures: Iterable[IntoChoice] | IntoChoice = ("alpha",),
    distances: Iterable[Any] | str | None = None,
    repeats: int = 5,
    seed: int = 0,
    kind: str | None = None,
    confusion: Mapping[Any, Mapping[Any, float]] | None = None,
    **reading: Any,  # without kind, which also chooses the noise
) -> Shuffled:
    """Put growing errors into a reference and see how measures and distances respond.

    Args:
        reference: One value for each item: ``{item: value}``, or a study with one annotation for each item.
        noise: Names of errors: for spans "shift", "label", "split", "merge", "delete", "insert"; for labels "uniform",
            "prevalence", "neighbour", "confusion"; by default those that make sense together.
        apart: Whether each error gets curves of its own; else all are applied, one after the other.
        magnitudes: How bad errors are, from 0 to 1.
        annotators: How many annotators are simulated, each with errors of her own.
        measures: Measures by name, maybe with options, such as "alpha:distance=nominal".
        distances: Distances for the measures that take one; "all" for those worth comparing; the usual one by default.
        repeats: How many corpora are made for each magnitude.
        seed: Where random numbers start.
        kind: What the values are, where that is not plain from them: "spans", "text", "numbers", …
        confusion: How likely labels are mistaken for others: ``{"PER": {"ORG": 3, "LOC": 1}}``.
        reading: How the reference is read: ``item``, ``annotator``, ``value`` and the other options of
            `Annotations.of`.
    """
    study, word = _reference(reference, kind, reading)
    at = _magnitudes(magnitudes)
    _at_least(2, annotators=annotators)
    _at_least(1, repeats=repeats)
    corpora = Corpora(study, word, annotators, seed, confusion)
    names = corpora.noise.chosen(corpora.known, noise, separately=apart)
    sets = tuple((name,) for name in names) if apart else (names,)
    choices = _choices(measures, distances, study, word)
    values = np.full((len(sets), len(choices), len(at), repeats), np.nan)
    failed: dict[tuple[int, int], list[tuple[float, str]]] = {}
    refused: dict[tuple[int, int], KindError] = {}
    cells = [(s, i, r) for s in range(len(sets)) for i in range(len(at)) for r in range(repeats)]
    for s, i, r in steps(cells, "noisy corpora"):
        noisy = corpora.study(sets[s], at[i], r)
        for c, one in enumerate(choices):
            # Errors may make values that a distance cannot take, such as empty lists; the rest is still worth having.
            try:
                result = one.of(noisy)
                values[s, c, i, r], why = result.value, result.undefined
            except KindError as error:
                refused[s, c], why = error, str(error)
            if why:
                failed.setdefault((s, c), []).append((at[i], why))
    for (s, c), found in refused.items():
        if distances != "all" and np.isnan(values[s, c]).all():
            raise found
    curves = _named(
        Curve("", _called(one), _distance(one), names, values[s, c])
        for s, names in enumerate(sets)
        for c, one in enumerate(choices)
    )
    notes = tuple(_note(curves[s * len(choices) + c], where) for (s, c), where in sorted(failed.items()))
    return Shuffled(corpora, sets, at, repeats, curves, notes)


def _named(curves: Iterable[Curve]) -> tuple[Curve, ...]:
    """Curves named by what tells them apart, or by the measure where there is one alone."""
    made = list(curves)
    parts = [(curve.measure, curve.distance, "+".join(curve.noise)) for curve in made]
    differ = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    return tuple(
        curve._replace(
            name=" ".join(part for part, tells in zip(three, differ, strict=True) if tells and part)
            or three[0]
        )
        for curve, three in zip(made, parts, strict=True)
    )


def _note(curve: Curve, failed: Sequence[tuple[float, str]]) -> str:
    where = ", ".join(f"{magnitude:g}" for magnitude in dict.fromkeys(magnitude for magnitude, _ in failed))
    often = f"{len(failed)} {'corpus' if len(failed) == 1 else 'corpora'} of magnitude {where}"
    return f"{curve.name} is undefined for {often}: {failed[0][1]}"


def corpus(
    reference: Any,
    magnitude: float,
    *,
    noise: Iterable[str] | str | None = None,
    annotators: int = 3,
    seed: int = 0,
    kind: str | None = None,
    confusion: Mapping[Any, Mapping[Any, float]] | None = None,
) -> Annotations:
    """One corpus with errors of a magnitude, the first that `shuffle` would measure."""
    study, word = _reference(reference, kind, {})
    _at_least(2, annotators=annotators)
    corpora = Corpora(study, word, annotators, seed, confusion)
    return corpora.study(corpora.noise.chosen(corpora.known, noise), checked(magnitude), 0)


def _reference(data: Any, kind: str | None, reading: dict[str, Any]) -> tuple[Annotations, Kind]:
    """The reference as a study with one annotation for each item, and the kind by which noise is chosen."""
    if isinstance(data, Mapping) and not isinstance(data, Study):
        data = Annotations.from_columns([*data], ["reference"] * len(data), [*data.values()])
    study = as_annotations(data, **reading)
    sizes = study.sizes()
    if not len(study):
        raise DataError("the reference is empty; give one value for each item")
    if len(sizes) and int(sizes.max()) > 1:
        crowded = study.items[int(np.argmax(sizes))]
        if len(study.annotators) > 1:
            raise DataError(
                f"a reference has one value for each item, and item {crowded!r} has {int(sizes.max())}, by "
                f"{listing(study.annotators, most=5)}; choose one of them, as in "
                f"study.only(annotators=[{study.annotators[0]!r}])"
            )
        raise DataError(
            f"a reference has one value for each item, and item {crowded!r} has {int(sizes.max())}"
        )
    if kind is not None:
        study = study.taken_as(kind)
    return study, study.kind


def _magnitudes(given: Iterable[float]) -> tuple[float, ...]:
    found = tuple(dict.fromkeys(map(checked, given)))
    if not found:
        raise KindError("no magnitude was given; give some from 0 to 1, such as [0, 0.25, 0.5, 0.75, 1]")
    return found


def _at_least(least: int, **counts: int) -> None:
    for name, count in counts.items():
        if count != int(count) or count < least:
            raise KindError(f"{name}={count!r} must be a whole number of {least} or more")


def _choices(measures: Any, distances: Any, study: Annotations, kind: Kind) -> tuple[Choice, ...]:
    """Every measure with every distance, once; measures that take no distance as they are."""
    measures = [measures] if isinstance(measures, str | Choice) or callable(measures) else [*measures]
    if not measures:
        raise KindError("no measure was named; take alpha")
    if distances is None:
        return _once(_usual(choice(one), study, kind) for one in measures)
    single = isinstance(distances, str) or callable(distances)
    wanted: list[Any] = [distances] if single else [*distances]
    if wanted == ["all"]:
        wanted = [*(KINDS["ordered"] if kind == "labels" and study.in_order else kind).distances]
    return _once([one for distance in wanted for one in chosen(measures, distance=distance)])


def _once(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple({one.title: one for one in choices}.values())


def _usual(one: Choice, study: Annotations, kind: Kind) -> Choice:
    """A measure with the distance that suits the kind, where it takes one and none was given."""
    if not kind.complex:
        return natural(one, study)
    takes = "distance" in keywords(one.measure) and one.facts.chance != "none"
    if not takes or {"distance", "weights"} & one.options.keys():
        return one
    return Choice(one.measure, {**one.options, "distance": kind.distance})


def _distance(one: Choice) -> str:
    given = one.options.get("distance")
    return "" if given is None else str(getattr(given, "__name__", given))


def _called(one: Choice) -> str:
    """The name of the measure with its options, but for the distance."""
    further = {
        name: option for name, option in one.options.items() if name != "distance" and option is not None
    }
    return " ".join([one.facts.name, *(f"{name}={option}" for name, option in further.items())])


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
    spread = float(a.std() * b.std())
    return float(((a - a.mean()) * (b - b.mean())).mean()) / spread if spread else math.nan


def _ranks(values: Floats) -> Floats:
    """Ranks from the lowest, equal values sharing theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: Floats = (np.cumsum(counts) - (counts - 1) / 2)[place.reshape(-1)]
    return middle


def _slope(m: Floats, mean: Floats) -> float:
    known = ~np.isnan(mean)
    x, y = m[known], mean[known]
    spread = float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0
    return float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread else math.nan


def spark(values: Sequence[float]) -> str:
    """A curve as bars between 0 and 1, one for each number; what is undefined is left blank."""

    def bar(value: float) -> str:
        if math.isnan(value):
            return " "
        return BARS[round(min(max(value, 0.0), 1.0) * (len(BARS) - 1))]

    return "".join(map(bar, values))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
