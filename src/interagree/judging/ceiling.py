r"""The noise ceiling: how near to people anything could come, given how far apart people are.

**Leave one out.**  Every judgement of a person is held against what the other people of the item say together: for
numbers their mean; for all other values the one among theirs that is nearest to all of them, the majority of labels
(where several are equally near, the mean over them).  The mean distance, or one minus it where distances are never
above one, is the ceiling.  A model is held against the *same* others on the same items, so that it has neither more nor
fewer people behind the answer than the person had; the difference is paired, with the linearised interval that
takes items as drawn at random, and with them part of an item that differs as far as can be: with few items, those on
which the model fails may not have come up.  This is the ceiling of one person, and a model may lie above it: it is then
nearer to what people say together than one of them is.

**Split half.**  The mean points of the people of an item (numbers as they are, labels as shares of votes, ordered
values as ranks) vary over items with what the people mean and with their noise.  The share $\rho$ of the former is the
reliability of the mean, which Spearman and Brown find from the correlation $r$ of two halves of the people:

$$\rho = \frac{2r}{1 + r}$$

It is the mean over all splits into halves (Cronbach's alpha), worked out without splitting, so that it holds for an odd
number of people as well (`interagree.judging.reliability`).  $\sqrt{\rho}$ is how well a flawless model would correlate
with the mean of all people: the ceiling of any model.  One that surely shares more with any two of these people
than they share with each other knows more of them than what they mean, and agreement with them can no longer tell how
good it is; that holds its level also where people use very different widths of the scale.  The interval leaves out
each item in turn; with ``resamples`` it is that of the bootstrap.

Spearman, C. (1910). Correlation calculated from faulty data. British Journal of Psychology 3(3), 271-295.
Brown, W. (1910). Some experimental results in the correlation of mental abilities. British Journal of Psychology 3(3),
296-322.
Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16(3), 297-334.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Unpack

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.judging.reliability import beyond, reliability
from interagree.judging.sides import Names, sides
from interagree.people.item_means import UNDEFINED, Mean, ratio
from interagree.people.judgement_pairs import CLOSE, JudgementPairs, identified
from interagree.results.agreement import Interval
from interagree.results.answer import Answer
from interagree.results.charts import Forest
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, as_sentences
from interagree.stats.engine.compress import totals
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, finite

UNSEEN = 0.75  # items that have not come up, where a model is compared with people


class AgainstCeiling(NamedTuple):
    """One model beside the ceiling."""

    model: Annotator
    items: int
    value: Mean  # agreement with the others, or distance from them
    ceiling: float  # of people on the same judgements
    difference: Mean  # model minus people, turned so that above 0 the model is the nearer one
    correlation: float  # with the mean of all people; nan where there is none
    beyond: Mean = UNDEFINED  # what it shares with two people less what they share, as part of the variance of the mean

    @property
    def above(self) -> bool:
        """Whether the model is surely nearer to the others than a person is."""
        return self.difference.low > 0

    @property
    def below(self) -> bool:
        """Whether the model is surely farther from the others than a person is."""
        return self.difference.high < 0

    @property
    def above_flawless(self) -> bool:
        """Whether the model surely shares more with people than a flawless model would."""
        return self.beyond.low > 0

    def __str__(self) -> str:
        how = f"{self.difference.value:+.3f}, {self.difference.low:+.3f} to {self.difference.high:+.3f}"
        if self.above:
            where = "is above the noise ceiling of one person: nearer to the others than a person is"
        elif self.below:
            where = "is below the noise ceiling of one person: farther from the others than a person is"
        else:
            where = "is not told apart from the noise ceiling of one person"
        return f"{self.model} {where} ({how})"


@dataclass(frozen=True, slots=True)
class Ceiling(Answer):
    """How near to the others people are, and models beside them."""

    value: Mean  # leave one out: agreement, or mean distance where distances may be above one
    bounded: bool  # whether it is agreement
    people: int
    items: int
    split_half: float  # the correlation of two halves
    reliability: float  # by Spearman and Brown; nan where undefined
    interval: Interval | None  # of the reliability
    models: tuple[AgainstCeiling, ...]
    distance: str
    level: float = 0.95
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    by_chance: bool = False  # whether distances were divided by what chance gives

    @property
    def correlation(self) -> float:
        """How well a flawless model would correlate with the mean of all people."""
        return math.sqrt(self.reliability) if self.reliability >= 0 else math.nan

    def correlating(self) -> tuple[str, ...]:
        """A sentence on the split halves, and one on how each model correlates with the mean of all people."""
        if self.interval is None or math.isnan(self.correlation):
            return ()
        halves = (
            f"split halves of the people correlate {self.split_half:.3f}; everybody, by Spearman and Brown, "
            f"{self.reliability:.3f} ({self.interval}); a flawless model would correlate {self.correlation:.3f} with "
            "their mean"
        )
        return (halves, *(_correlates(model) for model in self.models if math.isfinite(model.correlation)))

    def tables(self) -> dict[str, Table]:
        """The ceiling and every model, a row for each."""
        what = "agreement with the others" if self.bounded else "distance from the others"

        def row(name: object, items: int, value: Mean, *difference: float | None) -> dict[str, object]:
            shown = {"": name, "items": items, what: value.value, "low": value.low, "high": value.high}
            return shown | dict(zip(("against the ceiling", "from", "to"), difference, strict=True))

        rows = [row("people (the ceiling)", self.items, self.value, None, None, None)]
        rows += [row(model.model, model.items, model.value, *model.difference) for model in self.models]
        return {"noise ceiling": Table.of(rows)}

    def chart(self) -> Forest | None:
        """How near to the others people are, and every model."""
        if self.undefined:
            return None
        table = self.table()
        column = [*table.columns][2]
        return estimates(table, column, words=str(self), covers=(0.0, 1.0) if self.bounded else (0.0,))

    def document(self) -> Document:
        """The ceiling as sentences and a table."""
        sections = [self.section(), Section(foot=as_sentences(self.notes))]
        return Document("", sections, self.to_dict(), self.table())

    def section(self) -> Section:
        """The ceiling as a section of a larger document."""
        if self.undefined:
            return Section("Noise ceiling", [f"{self}."])
        return Section("Noise ceiling", [f"{self}."], self.table(), self.correlating())

    def to_dict(self) -> dict[str, object]:
        interval = self.interval
        return {
            "leave_one_out": _plain(self.value),
            "is_agreement": self.bounded,
            **self.plain("level", "people", "items", "split_half", "reliability"),
            "reliability_low": None if interval is None else finite(interval.low),
            "reliability_high": None if interval is None else finite(interval.high),
            "correlation_ceiling": finite(self.correlation),
            "distance": self.distance,
            "models": [
                {
                    "model": model.model,
                    "items": model.items,
                    "value": _plain(model.value),
                    "ceiling": finite(model.ceiling),
                    "difference": _plain(model.difference),
                    "correlation": finite(model.correlation),
                    "above": model.above,
                    "below": model.below,
                    "above_flawless": model.above_flawless,
                }
                for model in self.models
            ],
            **self.plain("undefined", "notes"),
        }

    def __str__(self) -> str:
        if self.undefined:
            return f"there is no noise ceiling: {self.undefined}"
        what = "agreement with the others" if self.bounded else "mean distance from the others"
        what += " (1 is chance)" if self.by_chance else ""
        return (
            f"noise ceiling: a person's {what} is {self.value.value:.3f}, {self.level:.0%} interval "
            f"{self.value.low:.3f} to {self.value.high:.3f} ({self.people} people, {self.items:,} items)"
        )


def _correlates(model: AgainstCeiling) -> str:
    plain = f"{model.model} correlates {model.correlation:.3f}"
    if not model.above_flawless:
        return plain
    return f"{plain}, above what a flawless model would: agreement with these people cannot tell how good it is"


def _plain(mean: Mean) -> dict[str, float | None]:
    return {name: finite(entry) for name, entry in mean._asdict().items()}


@takes_data
def noise_ceiling(
    data: IntoAnnotations,
    *others: Values,
    models: Names | None = None,
    humans: Names | None = None,
    distance: IntoDistance | None = None,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    raw: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Ceiling:
    """How near to people anything could come, and where models lie beside that.

    Args:
        data: A study, or anything `Annotations.of` takes.
        models: The annotators that are models, if any: names or patterns.
        humans: The people, likewise; by default all annotators who are not models.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
        resamples: How many resamples of items to make the interval of the reliability of; by default it is found by
            leaving out each item in turn, which covers better where items are few.
        seed: Where the random numbers of resamples start.
        raw: Whether distances that may be above one stay in their own units; by default they are divided by what
            chance gives, so that 1 is as far apart as chance.

    Returns:
        The ceiling of one person, the reliability of the mean of all people, and each model beside them.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b", "a", "b"], "bo": ["a", "b", "b", "b"], "cy": ["a", "b", "a", "b"]}
        >>> round(ia.judging.noise_ceiling(labels).value.value, 3)
        0.833
    """
    check_level(level)
    study = identified(data)
    ours, people = sides(study, models, humans, required=False)
    both = study.only(annotators=[*people, *ours])
    judged = JudgementPairs.of(both, distance, people=people, unit=1.0 if raw else None)
    return ceiling_of(judged, ours, people, level=level, resamples=resamples, seed=seed)


def ceiling_of(
    judged: JudgementPairs,
    models: Sequence[Annotator],
    people: Sequence[Annotator],
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
) -> Ceiling:
    """The ceiling from pairs of judgements."""
    theirs = judged.by(people)
    scaled = judged.scaled
    codes = [judged.annotators.index(name) for name in models]
    person, model, others = left_out(judged, theirs, codes)
    if not others.any():
        why = f"there is one person, {people[0]!r}" if len(people) == 1 else "no two people judged the same item"
        return Ceiling(UNDEFINED, scaled.bounded, len(people), 0, math.nan, math.nan, None, (), scaled.name, level, why)
    halves = reliability(judged, theirs, level=level, resamples=resamples, seed=seed)
    against = tuple(
        _against(judged, name, person, model[place], others & ~np.isnan(model[place]), level)._replace(
            correlation=_correlation(judged, theirs, judged.by([name])),
            beyond=beyond(judged, theirs, judged.by([name]), level),
        )
        for place, name in enumerate(models)
        if (others & ~np.isnan(model[place])).any()
    )
    absent = [name for name in models if name not in {one.model for one in against}]
    notes = [*scaled.notes, *halves.notes]
    notes += [f"{name} judged no item that two people judged" for name in absent]
    return Ceiling(
        _mean(judged, person, others, level),
        scaled.bounded,
        len(np.unique(judged.who[others])),
        len(np.unique(judged.item[others])),
        halves.split_half,
        halves.value,
        halves.interval,
        against,
        scaled.name,
        level,
        None,
        tuple(notes),
        scaled.unit != 1,
    )


def left_out(judged: JudgementPairs, people: Booleans, models: Sequence[int]) -> tuple[Floats, Floats, Booleans]:
    """For each judgement of a person how far it and each model are from what the others say, and if there are any."""
    rows = len(judged.item)
    both = people[judged.first] & people[judged.second]
    a, b, distances = judged.first[both], judged.second[both], judged.distances[both]
    others = (np.bincount(a, minlength=rows) + np.bincount(b, minlength=rows)).astype(float)
    model_value = np.full((len(models), judged.items), -1, dtype=np.intp)  # of each item
    for place, code in enumerate(models):
        here = judged.who == code
        model_value[place, judged.item[here]] = judged.value[here]
    if judged.scaled.averaged and judged.scaled.points is not None:
        points = judged.scaled.points
        mine = points[judged.value]
        total = np.zeros((judged.items, points.shape[1]))
        np.add.at(total, judged.item[people], mine[people])
        centre = (total[judged.item] - mine) / np.maximum(others, 1)[:, None]
        person = ((mine - centre) ** 2).sum(axis=1)
        given = model_value[:, judged.item]
        model = np.where(given >= 0, ((points[given] - centre) ** 2).sum(axis=-1), np.nan)
        return person, model, others > 0
    # Who is left out, one of the others, and their distance.
    left, candidate, to_others = np.r_[a, b], np.r_[b, a], np.r_[distances, distances]
    total = np.bincount(candidate, to_others, minlength=rows)[candidate] - to_others
    least = np.full(rows, np.inf)
    np.minimum.at(least, left, total)
    nearest = total <= least[left] + CLOSE * max(1.0, float(np.abs(distances).max(initial=0)))
    left, candidate, to_others = left[nearest], candidate[nearest], to_others[nearest]
    often = np.maximum(np.bincount(left, minlength=rows), 1)
    person = np.bincount(left, to_others, minlength=rows) / often
    model = np.full((len(models), rows), np.nan)
    for place in range(len(models)):
        given = model_value[place, judged.item[left]]
        there = given >= 0
        from_model = np.zeros(len(left))
        from_model[there] = judged.scaled.of_pairs(given[there], judged.value[candidate[there]])
        model[place] = np.bincount(left, from_model, minlength=rows) / often
        model[place, model_value[place, judged.item] < 0] = np.nan
    return person, model, others > 0


def _mean(judged: JudgementPairs, distances: Floats, rows: Booleans, level: float) -> Mean:
    item = judged.item[rows]
    total, count = totals(item, distances[rows], judged.items), totals(item, None, judged.items)
    return judged.scaled.mean(total, count, level)


def _against(  # noqa: PLR0917 -- called in one place
    judged: JudgementPairs, name: Annotator, person: Floats, model: Floats, rows: Booleans, level: float
) -> AgainstCeiling:
    item = judged.item[rows]
    nearer = totals(item, (person - model)[rows], judged.items)
    return AgainstCeiling(
        name,
        len(np.unique(item)),
        _mean(judged, model, rows, level),
        _mean(judged, person, rows, level).value,
        _difference(nearer, totals(item, None, judged.items), level, 1.0 if judged.scaled.bounded else None),
        math.nan,
    )


def _difference(total: Floats, size: Floats, level: float, most: float | None) -> Mean:
    """A mean difference over items, with an interval that reckons with an item that has not come up.

    A model that is as good as a person differs little from them on most items and much on a few: where these few did
    not come up, the items at hand look surer than they are.  So each end is that of the items with part of another one
    that differs as far as can be towards that end.

    Args:
        total: The sum of the differences of each item.
        size: How many they are.
        level: The level of the interval.
        most: The largest difference that there can be; None for the largest that there is.
    """
    total, size = total[size > 0], size[size > 0]
    count = len(total)
    if count < 2:
        return ratio(total, size, level, within=(-math.inf, math.inf))
    if most is None:
        most = float(np.abs(total / size).max())
    items = count + UNSEEN
    whole, more = size.sum() + UNSEEN * size.mean(), size.mean()
    reach = t_quantile(0.5 + level / 2, items - 1) * math.sqrt(items / (items - 1)) / whole

    def low(total: Floats) -> float:
        mean = (total.sum() - UNSEEN * more * most) / whole
        moves = total - mean * size
        return float(mean - reach * math.sqrt(moves @ moves + UNSEEN * (more * (most + mean)) ** 2))

    return Mean(float(total.sum() / size.sum()), low(total), -low(-total))


def correlations(first: Floats, second: Floats, weights: Floats) -> Floats:
    """The correlation of points with points, over all their coordinates, for each row of weights."""
    # Centred, so that squares of large numbers do not drown what differs.
    sides = [points - points.mean(axis=0) for points in (first, second)]
    often = weights.sum(axis=1)
    means = [weights @ side / often[:, None] for side in sides]
    shared = weights @ (sides[0] * sides[1]).sum(axis=1) / often - (means[0] * means[1]).sum(axis=1)
    variance = [
        weights @ (side**2).sum(axis=1) / often - (mean**2).sum(axis=1) for side, mean in zip(sides, means, strict=True)
    ]
    flat = (variance[0] <= CLOSE * (sides[0] ** 2).mean()) | (variance[1] <= CLOSE * (sides[1] ** 2).mean())
    return np.where(flat, np.nan, shared / np.sqrt(np.where(flat, 1, variance[0] * variance[1])))


def _correlation(judged: JudgementPairs, people: Booleans, model: Booleans) -> float:
    """How a model correlates with the mean of all people, over items that two or more of them judged."""
    if judged.scaled.points is None:
        return math.nan
    points = judged.scaled.points[judged.value]
    size = np.bincount(judged.item[people], minlength=judged.items)
    total = np.zeros((judged.items, points.shape[1]))
    np.add.at(total, judged.item[people], points[people])
    rows = np.flatnonzero(model & (size[judged.item] > 1))  # where the people's noise can be told
    if len(rows) < 3:
        return math.nan
    mean = total[judged.item[rows]] / size[judged.item[rows]][:, None]
    return float(correlations(points[rows], mean, np.ones((1, len(rows))))[0])
