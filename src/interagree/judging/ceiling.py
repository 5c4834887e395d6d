r"""The noise ceiling: how near to people anything could come, given how far apart people are.

**Leave one out.**  Every judgement of a person is held against what the other people of the item say together: for
numbers their mean; for all other values the one among theirs that is nearest to all of them, the majority of labels
(where several are equally near, the mean over them).  The mean distance, or one minus it where distances are never
above one, is the ceiling.  A model is held against the *same* others on the same items, so that it has neither more nor
fewer people behind the answer than the person had; the difference is paired, with the linearised interval that
takes items as drawn at random.  This is the ceiling of one person, and a model may lie above it: it is then nearer to
what people say together than one of them is.

**Split half.**  The mean points of the people of an item (numbers as they are, labels as shares of votes, ordered
values as ranks) vary over items with what the people mean and with their noise.  The share $\rho$ of the former is the
reliability of the mean, which Spearman and Brown find from the correlation $r$ of two halves of the people:

$$\rho = \frac{2r}{1 + r}$$

It is the mean over all splits into halves (Cronbach's alpha), worked out without splitting, so that it holds for an odd
number of people as well (`interagree.judging.reliability`).  $\sqrt{\rho}$ is how well a flawless model would correlate
with the mean of all people: the ceiling of any model.  One that surely correlates more shares more with these people
than what they mean, and agreement with them can no longer tell how good it is.  The interval leaves out each item in
turn; with ``resamples`` it is that of the bootstrap.

Spearman, C. (1910). Correlation calculated from faulty data. British Journal of Psychology 3(3), 271-295.
Brown, W. (1910). Some experimental results in the correlation of mental abilities. British Journal of Psychology 3(3),
296-322.
Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16(3), 297-334.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Booleans, Floats
from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.judging.reliability import beyond, reliability
from interagree.judging.together import (
    NEAR,
    NOTHING,
    Mean,
    Together,
    agreeing,
    check_level,
    named,
    number,
    ratio,
    read,
    sides,
    sums,
)
from interagree.results.agreement import Interval
from interagree.tables import Table


class Against(NamedTuple):
    """One model beside the ceiling."""

    model: Hashable
    items: int
    value: Mean  # agreement with the others, or distance from them
    ceiling: float  # of people on the same judgements
    difference: Mean  # model minus people, turned so that above 0 the model is the nearer one
    correlation: float  # with the mean of all people; nan where there is none
    beyond: Mean = NOTHING  # its squared correlation less that of a flawless model, on the same items

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
        """Whether the model surely correlates more with the mean of all people than a flawless model would."""
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
class Ceiling:
    """How near to the others people are, and models beside them."""

    value: Mean  # leave one out: agreement, or mean distance where distances may be above one
    bounded: bool  # whether it is agreement
    people: int
    items: int
    split_half: float  # the correlation of two halves
    reliability: float  # by Spearman and Brown; nan where undefined
    interval: Interval | None  # of the reliability
    models: tuple[Against, ...]
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
        return (halves, *(_correlates(one) for one in self.models if math.isfinite(one.correlation)))

    def table(self) -> Table:
        """The ceiling and every model, a row for each."""
        what = "agreement with the others" if self.bounded else "distance from the others"
        rows: list[dict[str, Any]] = [
            {
                "": "people (the ceiling)",
                "items": self.items,
                what: self.value.value,
                "low": self.value.low,
                "high": self.value.high,
                "against the ceiling": None,
                "from": None,
                "to": None,
            }
        ]
        rows += [
            {
                "": one.model,
                "items": one.items,
                what: one.value.value,
                "low": one.value.low,
                "high": one.value.high,
                "against the ceiling": one.difference.value,
                "from": one.difference.low,
                "to": one.difference.high,
            }
            for one in self.models
        ]
        return Table.of(rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        interval = self.interval
        return {
            "leave_one_out": _plain(self.value),
            "is_agreement": self.bounded,
            "level": self.level,
            "people": self.people,
            "items": self.items,
            "split_half": number(self.split_half),
            "reliability": number(self.reliability),
            "reliability_low": None if interval is None else number(interval.low),
            "reliability_high": None if interval is None else number(interval.high),
            "correlation_ceiling": number(self.correlation),
            "distance": self.distance,
            "models": [
                {
                    "model": one.model,
                    "items": one.items,
                    "value": _plain(one.value),
                    "ceiling": number(one.ceiling),
                    "difference": _plain(one.difference),
                    "correlation": number(one.correlation),
                    "above": one.above,
                    "below": one.below,
                    "above_flawless": one.above_flawless,
                }
                for one in self.models
            ],
            "undefined": self.undefined,
            "notes": [*self.notes],
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


def _correlates(one: Against) -> str:
    plain = f"{one.model} correlates {one.correlation:.3f}"
    if not one.above_flawless:
        return plain
    return (
        f"{plain}, above what a flawless model would: agreement with these people cannot tell how good it is"
    )


def _plain(mean: Mean) -> dict[str, float | None]:
    return {name: number(entry) for name, entry in mean._asdict().items()}


@takes_data
def noise_ceiling(
    data: IntoAnnotations,
    *others: Values,
    models: Any = None,
    humans: Any = None,
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
    """
    check_level(level)
    study = read(data)
    if models is None or (not isinstance(models, str) and not [*models]):
        ours: tuple[Hashable, ...] = ()
        people = tuple(study.annotators) if humans is None else named(study, humans, "person")
    else:
        ours, people = sides(study, models, humans)
    together = Together.of(
        study.only(annotators=[*people, *ours]), distance, people=people, unit=1.0 if raw else None
    )
    return found(together, ours, people, level=level, resamples=resamples, seed=seed)


def found(
    together: Together,
    models: Sequence[Hashable],
    people: Sequence[Hashable],
    *,
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
) -> Ceiling:
    """The ceiling of judgements that lie side by side."""
    theirs = together.by(people)
    bounded = together.ruler.bounded
    codes = [together.annotators.index(name) for name in models]
    person, model, others = left_out(together, theirs, codes)
    if not others.any():
        why = (
            f"there is one person, {people[0]!r}"
            if len(people) == 1
            else "no two people judged the same item"
        )
        return Ceiling(
            NOTHING, bounded, len(people), 0, math.nan, math.nan, None, (), together.ruler.name, level, why
        )
    halves = reliability(together, theirs, level=level, resamples=resamples, seed=seed)
    mean = _mean(together, person, others, level)
    beside = tuple(
        _against(together, name, person, model[place], others & ~np.isnan(model[place]), level)._replace(
            correlation=_correlation(together, theirs, together.by([name])),
            beyond=beyond(together, theirs, together.by([name]), level),
        )
        for place, name in enumerate(models)
        if (others & ~np.isnan(model[place])).any()
    )
    absent = [name for name in models if name not in {one.model for one in beside}]
    notes = [*together.ruler.notes, *halves.notes]
    notes += [f"{name} judged no item that two people judged" for name in absent]
    items = len(np.unique(together.item[others]))
    return Ceiling(
        mean,
        bounded,
        len(np.unique(together.who[others])),
        items,
        halves.split_half,
        halves.value,
        halves.interval,
        beside,
        together.ruler.name,
        level,
        None,
        tuple(notes),
        together.ruler.unit != 1,
    )


def left_out(together: Together, people: Booleans, models: Sequence[int]) -> tuple[Floats, Floats, Booleans]:
    """For each judgement of a person how far it and each model are from what the others say, and if there are any."""
    rows = len(together.item)
    both = people[together.first] & people[together.second]
    a, b, far = together.first[both], together.second[both], together.far[both]
    others = (np.bincount(a, minlength=rows) + np.bincount(b, minlength=rows)).astype(float)
    said = np.full((len(models), together.items), -1, dtype=np.intp)  # the model's value of each item
    for place, code in enumerate(models):
        here = together.who == code
        said[place, together.item[here]] = together.value[here]
    if together.ruler.averaged and together.ruler.points is not None:
        points = together.ruler.points
        mine = points[together.value]
        total = np.zeros((together.items, points.shape[1]))
        np.add.at(total, together.item[people], mine[people])
        centre = (total[together.item] - mine) / np.maximum(others, 1)[:, None]
        person = ((mine - centre) ** 2).sum(axis=1)
        given = said[:, together.item]
        model = np.where(given >= 0, ((points[given] - centre) ** 2).sum(axis=-1), np.nan)
        return person, model, others > 0
    left, candidate, apart = (
        np.r_[a, b],
        np.r_[b, a],
        np.r_[far, far],
    )  # who is left out, and one of the others
    total = np.bincount(candidate, apart, minlength=rows)[candidate] - apart
    least = np.full(rows, np.inf)
    np.minimum.at(least, left, total)
    nearest = total <= least[left] + NEAR * max(1.0, float(np.abs(far).max(initial=0)))
    left, candidate, apart = left[nearest], candidate[nearest], apart[nearest]
    often = np.maximum(np.bincount(left, minlength=rows), 1)
    person = np.bincount(left, apart, minlength=rows) / often
    model = np.full((len(models), rows), np.nan)
    for place in range(len(models)):
        given = said[place, together.item[left]]
        there = given >= 0
        distance = np.zeros(len(left))
        distance[there] = together.ruler.apart(given[there], together.value[candidate[there]])
        model[place] = np.bincount(left, distance, minlength=rows) / often
        model[place, said[place, together.item] < 0] = np.nan
    return person, model, others > 0


def _mean(together: Together, far: Floats, rows: Booleans, level: float) -> Mean:
    item = together.item[rows]
    total = sums(item, far[rows], together.items)
    often = np.bincount(item, minlength=together.items).astype(float)
    mean = ratio(total, often, level, within=(0, 1.0 if together.ruler.bounded else math.inf))
    return agreeing(mean) if together.ruler.bounded else mean


def _against(  # noqa: PLR0917 -- called in one place
    together: Together, name: Hashable, person: Floats, model: Floats, rows: Booleans, level: float
) -> Against:
    item = together.item[rows]
    often = np.bincount(item, minlength=together.items).astype(float)
    nearer = sums(item, (person - model)[rows], together.items)
    return Against(
        name,
        len(np.unique(item)),
        _mean(together, model, rows, level),
        _mean(together, person, rows, level).value,
        ratio(nearer, often, level, within=(-math.inf, math.inf)),
        math.nan,
    )


def correlations(one: Floats, two: Floats, weights: Floats) -> Floats:
    """The correlation of points with points, over all their coordinates, for each row of weights."""
    one, two = (
        one - one.mean(axis=0),
        two - two.mean(axis=0),
    )  # so that squares of large numbers do not drown them
    often = weights.sum(axis=1)
    means = [weights @ side / often[:, None] for side in (one, two)]
    shared = weights @ (one * two).sum(axis=1) / often - (means[0] * means[1]).sum(axis=1)
    spread = [
        weights @ (side**2).sum(axis=1) / often - (mean**2).sum(axis=1)
        for side, mean in zip((one, two), means, strict=True)
    ]
    flat = (spread[0] <= NEAR * (one**2).mean()) | (spread[1] <= NEAR * (two**2).mean())
    found: Floats = np.where(flat, np.nan, shared / np.sqrt(np.where(flat, 1, spread[0] * spread[1])))
    return found


def _correlation(together: Together, people: Booleans, model: Booleans) -> float:
    """How a model correlates with the mean of all people, over items that two or more of them judged."""
    if together.ruler.points is None:
        return math.nan
    points = together.ruler.points[together.value]
    size = np.bincount(together.item[people], minlength=together.items)
    total = np.zeros((together.items, points.shape[1]))
    np.add.at(total, together.item[people], points[people])
    rows = np.flatnonzero(model & (size[together.item] > 1))  # where the people's noise can be told
    if len(rows) < 3:
        return math.nan
    mean = total[together.item[rows]] / size[together.item[rows]][:, None]
    return float(correlations(points[rows], mean, np.ones((1, len(rows))))[0])
