"""Judgements side by side: who judged which item with whom, and how far apart the two were.

Everything in this package is made of the distances of two judgements of one item.  One distance measures all of
them: where it depends on how often values occur (Krippendorff's ordinal one), the people's frequencies fix it.

A distance that may be above one is in units that nobody can read: squared points of a scale, squared ranks.  It is
divided by the mean distance of two judgements drawn at random from those of all people, so that 0 is the same and 1 as
far apart as chance; ``raw=True`` leaves it as it is.  Only means are divided: tests and coefficients do not change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Booleans, Floats, Indices
from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.data.naming import as_names, chosen, is_pattern
from interagree.declare import Distance
from interagree.distances import IntoDistance, find
from interagree.errors import DataError, KindError, listing
from interagree.reports.choose import choice, kind_of, natural
from interagree.results.agreement import Interval
from interagree.stats.engine.compress import pairs_in_runs
from interagree.stats.engine.quantiles import t_quantile
from interagree.stats.pairs.pair_distances import PairDistances

NEAR = 1e-9  # distances that differ by less, relative to the largest, are equal
MANY = 500  # labels above which shares of votes are not correlated
SAMPLE = 100_000  # pairs that chance is drawn from where all pairs are too many
ROOM = 4_000_000  # numbers of a block of resamples

# Families of models, and words for any: as a word of its own, or before a number, a hyphen or an underscore.
MODELS = re.compile(
    r"(?<![a-z])(chat-?gpt|gpt|llama|claude|gemini|gemma|mistral|mixtral|qwen|deepseek|falcon|vicuna|alpaca|palm|"
    r"roberta|deberta|bert|spacy|llms?|lm|models?|machine|predicted|predictions?|preds?|bot|ai|auto|"
    r"llm[-_ ]?judge)(?![a-z])",
    re.IGNORECASE,
)


class Ruler:
    """One distance on the values of a study, the same for everybody who is compared."""

    def __init__(
        self,
        study: Annotations,
        distance: IntoDistance | None,
        frequency: Floats,
        unit: float | None = 1.0,
    ) -> None:
        said = _taken_as(study) if distance is None else ""
        wanted = natural(choice("alpha"), study).options.get("distance", "nominal")
        found = find(wanted if distance is None else distance)
        self.name = str(found)
        self.notes: tuple[str, ...] = (said,) if said else ()
        self.values = study.values
        self.points = _points(found, study, frequency)
        self.averaged = found.embed is not None and found.of == "numbers"  # several numbers have a mean
        if found.counted:
            table = found.among(study.values, frequency, ordered=study.in_order)
            found = replace(find(table), name=found.name)
        self.distance: Distance = found
        self._apart = PairDistances(found, study.values, ordered=study.in_order, kind=study.of_kind)
        self.unit = unit or 1.0  # what distances are divided by
        if unit is None and not self.bounded:
            self.unit = self._by_chance(frequency)
            self.points = None if self.points is None else self.points / math.sqrt(self.unit)

    def apart(self, first: Indices, second: Indices) -> Floats:
        """The distances of aligned pairs of values, by their places."""
        far = self._apart(first, second)
        return far if self.unit == 1 else far / self.unit

    def _by_chance(self, frequency: Floats) -> float:
        """The mean distance of two judgements drawn without putting back; 1 where they cannot differ."""
        count = float(frequency.sum())
        if count < 2:
            return 1.0
        if self.points is not None:
            share = frequency / count
            centred = self.points - share @ self.points
            mean = 2 * float(share @ (centred**2).sum(axis=1)) * count / (count - 1)
        elif self._few:
            mean = float(frequency @ self._apart.table() @ frequency) / (count * (count - 1))
        else:
            rng = np.random.default_rng(0)
            drawn = rng.choice(len(frequency), (2, min(SAMPLE, self.distance.most)), p=frequency / count)
            mean = float(self._apart(drawn[0], drawn[1]).mean()) * count / (count - 1)
        return mean if math.isfinite(mean) and mean > 0 else 1.0

    @property
    def bounded(self) -> bool:
        """Whether no distance is above one, so that one minus a mean distance is a share of agreement."""
        return self.distance.bounded

    @cached_property
    def table(self) -> Floats | None:
        """The distances of all pairs of values; None where they are too many."""
        return self._apart.table() / self.unit if self._few else None

    @property
    def _few(self) -> bool:
        """Whether the distances of all pairs of values can be had."""
        size = len(self.values)
        return size * (size - 1) // 2 <= self.distance.most


def _taken_as(study: Annotations) -> str:
    """What to say about the kind of value where nobody stated a distance."""
    kind = kind_of(study)
    if kind.word != "numbers":
        return kind.said
    return (
        f"the values were taken as numbers on a scale with equal steps ({len(study.values):,} distinct); if they are "
        "codes of labels, pass distance='nominal'"
    )


def _points(distance: Distance, study: Annotations, frequency: Floats) -> Floats | None:
    """Values as points whose squared distances are the distance, or None where there are none."""
    if distance.equality:
        return np.eye(len(study.values)) / math.sqrt(2) if len(study.values) <= MANY else None
    if distance.embed is None:
        return None
    return np.asarray(distance.points(study.values, frequency, ordered=study.in_order), dtype=float)


@dataclass(frozen=True, eq=False)
class Together:
    """First judgements in the order of items and annotators by name, and all pairs of them on one item."""

    study: Annotations
    ruler: Ruler
    item: Indices
    who: Indices
    value: Indices
    first: Indices  # rows of a pair
    second: Indices
    far: Floats  # how far apart they are

    @classmethod
    def of(
        cls,
        study: Annotations,
        distance: IntoDistance | None,
        *,
        people: Sequence[Hashable] = (),
        unit: float | None = 1.0,
    ) -> Together:
        """A study side by side.

        Args:
            study: The judgements.
            distance: How far apart values are.
            people: Those whose values a counted distance and chance count; everybody if none.
            unit: What distances that may be above one are divided by; None for the distance by chance.
        """
        study = study.first_judgements()
        item, who = _rank(study.items)[study.item], _rank(study.annotators)[study.annotator]
        order = np.lexsort((who, item))
        item, who, value = item[order], who[order], study.value[order].astype(np.intp)
        counted = set(people or study.annotators)
        chosen = [i for i, one in enumerate(sorted(study.annotators, key=_by_name)) if one in counted]
        frequency = np.bincount(value[np.isin(who, chosen)], minlength=len(study.values)).astype(float)
        ruler = Ruler(study, distance, frequency, unit)
        first, second = pairs_in_runs(item)
        far = ruler.apart(value[first], value[second])
        return cls(study, ruler, item, who, value, first, second, far)

    @cached_property
    def annotators(self) -> tuple[Hashable, ...]:
        """The annotators, in the order of ``who``."""
        return tuple(sorted(self.study.annotators, key=_by_name))

    def by(self, names: Iterable[Hashable]) -> Booleans:
        """Which rows are judgements by some annotators."""
        chosen = set(names)
        found: Booleans = np.isin(self.who, [i for i, one in enumerate(self.annotators) if one in chosen])
        return found

    def between(self, ours: Booleans, theirs: Booleans) -> Booleans:
        """Which pairs have one judgement of each side, or both of one side where the two sides are the same."""
        a, b = self.first, self.second
        return np.asarray((ours[a] & theirs[b]) | (theirs[a] & ours[b]))

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.study.items)

    def observed(self, pairs: Booleans) -> tuple[Floats, Indices]:
        """For each item with pairs their mean distance, and which items these are."""
        often = np.bincount(self.item[self.first[pairs]], minlength=self.items)
        total = np.bincount(self.item[self.first[pairs]], self.far[pairs], minlength=self.items)
        some = np.flatnonzero(often)
        return total[some] / often[some], some


def sums(place: Any, far: Any, count: int) -> Floats:
    """The sum of some numbers at each of so many places."""
    return np.bincount(place, far, minlength=count).astype(float)


class Mean(NamedTuple):
    """A mean with its interval."""

    value: float
    low: float
    high: float


NOTHING = Mean(math.nan, math.nan, math.nan)


def ratio(total: Floats, size: Floats, level: float, *, within: tuple[float, float]) -> Mean:
    """A sum over items divided by another, with the linearised interval that takes items as drawn at random."""
    some = size > 0
    total, size = total[some], size[some]
    count = len(total)
    if not count:
        return NOTHING
    value = float(total.sum() / size.sum())
    if count < 2:
        return Mean(value, math.nan, math.nan)
    moved = (total - value * size) / size.sum()
    error = math.sqrt(float(moved @ moved) * count / (count - 1))
    reach = t_quantile(0.5 + level / 2, count - 1) * error
    return Mean(value, max(float(within[0]), value - reach), min(float(within[1]), value + reach))


def agreeing(mean: Mean) -> Mean:
    """A mean distance that is never above one as a share of agreement."""
    return Mean(1 - mean.value, 1 - mean.high, 1 - mean.low)


def resampled(items: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each item is drawn, in blocks of resamples."""
    rng = np.random.default_rng(seed)
    left = resamples
    while left > 0:
        block = min(left, max(1, ROOM // max(items, 1)))
        yield rng.multinomial(items, np.full(items, 1 / items), size=block).astype(float)
        left -= block


def percentiles(draws: Floats, level: float, seed: int) -> Interval | None:
    """The interval of resamples, those without a value left out; None where there are hardly any."""
    there = draws[np.isfinite(draws)]
    if len(there) < max(2, len(draws) // 2):
        return None
    low, high = np.quantile(there, [0.5 - level / 2, 0.5 + level / 2])
    error = float(there.std(ddof=1))
    return Interval(
        float(low), float(high), level, "bootstrap", error, math.inf, seed=seed, resamples=len(draws)
    )


def read(data: Any, **reading: Unpack[ReadingOptions]) -> Annotations:
    """A study that says who gave which value."""
    study = as_annotations(data, **reading)
    if study.anonymous:
        raise KindError(
            "this study does not say who gave which value (it was made from counts), so nobody can be told from "
            "anybody else; read the annotations themselves"
        )
    return study


def named(study: Annotations, names: Any, what: str) -> tuple[Hashable, ...]:
    """The annotators of these names or patterns, each once; an error where one fits nobody."""
    if not as_names(names):
        raise DataError(f"no {what} was named; there are {listing(study.annotators)}")
    return chosen(names, [*study.annotators], purpose=f" to take as a {what}")


def sides(study: Annotations, models: Any, humans: Any) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    """Models and people by name or pattern; without names of people all annotators who are not models are people.

    A pattern of people does not reach annotators who are models: all of ``*_rating`` but the model.
    """
    if models is None:
        raise DataError(_which_models(study))
    ours = named(study, models, "model")
    rest = tuple(name for name in study.annotators if name not in set(ours))
    people = rest if humans is None else named(study, humans, "person")
    stated = {name for name in as_names(humans) if not is_pattern(name)}
    both = [name for name in people if name in set(ours) and str(name) in map(str, stated)]
    people = tuple(name for name in people if name in both or name not in set(ours))
    if both:
        raise KindError(f"{listing(both)} was named as a model and as a person; name each annotator once")
    if not people:
        raise DataError(
            f"every annotator ({listing(study.annotators)}) is a model, so there is nobody to stand in for"
        )
    return ours, people


def _which_models(study: Annotations) -> str:
    """What to say where nobody said which annotators are models."""
    alike = [str(name) for name in study.annotators if looks_like_model(name)]
    aside = [str(name) for name in study.attributes if looks_like_model(name)]
    there = f"which annotators are models? There are {listing(study.annotators)}"
    if aside and not alike:
        are = "is a column that was set aside and looks like a model"
        if len(aside) > 1:
            are = "are columns that were set aside and look like models"
        return f"{there}; {listing(aside)} {are}: pass models={aside!r}"
    if not alike:
        example = [str(name) for name in study.annotators][-1:]
        return f"{there}; if {listing(example)} is the only one, pass models={example!r}"
    looks = "looks like a model" if len(alike) == 1 else "look like models"
    return f"{there}; {listing(alike)} {looks} by name: pass models={alike!r}"


def looks_like_model(name: Hashable) -> bool:
    """Whether a name is one that people give to models: a hint for a message, never a decision."""
    return MODELS.search(str(name)) is not None


def check_level(level: float) -> None:
    """An error where a level is none."""
    if not 0 < level < 1:
        raise KindError(f"a level lies between 0 and 1, such as 0.95; got {level!r}")


def number(entry: float | None) -> float | None:
    """A number as JSON has it: nothing where there is none."""
    return None if entry is None or not math.isfinite(entry) else float(entry)


def _by_name(name: Hashable) -> tuple[str, str]:
    return str(name), type(name).__name__


def _rank(names: Sequence[Hashable]) -> Indices:
    """The place of each name among all of them in order, so that the order of rows does not matter."""
    place = np.empty(len(names), dtype=np.intp)
    place[sorted(range(len(names)), key=lambda i: _by_name(names[i]))] = np.arange(len(names))
    return place
