"""May a model stand in for a person?

`judge` holds models against people: how people agree among themselves, with models, and models among themselves; the
alternative annotator test; the noise ceiling; and, where judgements were repeated, self-consistency.  The parts can be
had one by one.  A model is an annotator like any other, named as one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from interagree.arrays import Booleans
from interagree.data import Annotations, ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import takes_repeats
from interagree.distances import IntoDistance
from interagree.errors import DataError, listing
from interagree.judging.alternative import ENOUGH, AltTest, Compat, alt_test, replacing
from interagree.judging.ceiling import Ceiling, found, noise_ceiling
from interagree.judging.gathering import check_spelling, from_data
from interagree.judging.groups import CrossReliability, GroupsAgreement, cross, groups_agreement, xrr
from interagree.judging.preferences import Preferences, preferences
from interagree.judging.together import (
    Ruler,
    Together,
    agreeing,
    check_level,
    looks_like_model,
    named,
    number,
    ratio,
    read,
    sides,
)
from interagree.measures.alpha import alpha
from interagree.results.agreement import Agreement
from interagree.tables import Table

__all__ = [
    "AltTest",
    "Ceiling",
    "CrossReliability",
    "GroupsAgreement",
    "Judgement",
    "Preferences",
    "alt_test",
    "groups_agreement",
    "judge",
    "noise_ceiling",
    "preferences",
    "self_consistency",
    "xrr",
]


@dataclass(frozen=True)
class Judgement:
    """What there is to say about models beside people."""

    models: tuple[Hashable, ...]
    humans: tuple[Hashable, ...]
    groups: Table  # human-human, human-model and model-model agreement
    tests: Mapping[Hashable, AltTest]
    ceiling: Ceiling
    consistency: Table  # empty where nothing was repeated
    distance: str
    level: float
    notes: tuple[str, ...]
    _together: Together = field(repr=False, compare=False)

    @property
    def unit(self) -> float:
        """What distances were divided by: the distance that chance would give; 1 where they are as they were."""
        return self._together.ruler.unit

    @property
    def undefined(self) -> str | None:
        """Why nothing can be said of any model; None where something can."""
        why = [one.undefined for one in self.tests.values() if one.undefined]
        return why[0] if len(why) == len(self.tests) else None

    @property
    def passed(self) -> tuple[Hashable, ...]:
        """The models that may stand in for a person."""
        return tuple(name for name, one in self.tests.items() if one.passed)

    @property
    def verdict(self) -> tuple[str, ...]:
        """A sentence for each model."""
        beside = {one.model: str(one) for one in self.ceiling.models}
        return tuple(
            f"{one}; {beside[name].removeprefix(f'{name} is ')}"
            if name in beside and not one.undefined
            else str(one)
            for name, one in self.tests.items()
        )

    @cached_property
    def models_table(self) -> Table:
        """A row for each model: κx with people, α of the people among themselves, and the alternative annotator test.

        ``winning rate`` is the share of people whose place the model takes; ``advantage`` how often it is at least as
        near to the others as a person is; ``stands in`` is the verdict.
        """
        rows = {row["agreement of"]: row for row in self.groups.rows()}
        own = rows.get("human-human", {})
        table = []
        for name, test in self.tests.items():
            row = rows[f"human-{name}"]
            table.append(
                {
                    "model": name,
                    "items": row["items"],
                    "κx with people": row["value"],
                    "low": row["from"],
                    "high": row["to"],
                    "α of people": own.get("value", math.nan),
                    "from": own.get("from", math.nan),
                    "to": own.get("to", math.nan),
                    "winning rate": test.winning_rate,
                    "advantage": test.advantage,
                    "stands in": None if test.undefined else "yes" if test.passed else "no",
                }
            )
        return Table.of(table)

    def legend(self) -> tuple[str, ...]:
        """What the columns of the tables mean, in plain words."""
        said = [
            "κx: agreement across two groups beyond chance, as α is within one: 1 all, 0 as chance, below 0 less",
            (
                f"winning rate: the share of people whose place the model takes ({ENOUGH:g} is enough); advantage: how "
                "often it is at least as near to the other people as the person left out"
            ),
        ]
        if not self._together.ruler.bounded:
            said.append(
                f"distances are divided by what chance gives ({self.unit:.4g}): 0 the same, 1 as far apart as chance"
                if self.unit != 1
                else f"distances are those of the {self.distance} distance, undivided"
            )
        return tuple(said)

    @cached_property
    def pairs(self) -> Table:
        """Every two annotators: the items both judged, their agreement, and alpha of the two alone."""
        beside = self._together
        return Table.of(
            [
                {
                    "first": a,
                    "second": b,
                    "of": self._between(a, b),
                    **_observed(beside, beside.by([a]), beside.by([b]), self.level),
                    **_alpha(beside.study.only(annotators=[a, b]), beside.ruler, self.level),
                }
                for a, b in combinations((*self.humans, *self.models), 2)
            ]
        )

    def _between(self, a: Hashable, b: Hashable) -> str:
        machines = (a in self.models) + (b in self.models)
        return ("human-human", "human-model", "model-model")[machines]

    def matrix(self, entry: str | None = None) -> Table:
        """Every annotator beside every other: the coefficient, or another column of `pairs`."""
        everybody = (*self.humans, *self.models)
        column = "α" if entry is None else entry
        found_at = {(row["first"], row["second"]): row[column] for row in self.pairs.rows()}
        return Table.of(
            [
                {
                    "": a,
                    **{str(b): found_at.get((a, b), found_at.get((b, a))) for b in everybody},
                }
                for a in everybody
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the table of pairs as plain numbers and strings, ready for JSON."""
        return {
            "schema": 1,
            "models": [*self.models],
            "humans": [*self.humans],
            "distance": self.distance,
            "distance_unit": self.unit,
            "level": self.level,
            "models_table": _plain(self.models_table),
            "groups": _plain(self.groups),
            "alternative_annotator_test": [one.to_dict() for one in self.tests.values()],
            "noise_ceiling": self.ceiling.to_dict(),
            "self_consistency": _plain(self.consistency),
            "verdict": [*self.verdict],
            "notes": [*self.notes],
        }

    def __str__(self) -> str:
        return "\n".join(self.verdict)


def judge(
    data: IntoAnnotations,
    *,
    models: Any = None,
    humans: Any = None,
    distance: IntoDistance | None = None,
    epsilon: float = 0.2,
    level: float = 0.95,
    seed: int = 0,
    raw: bool = False,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> Judgement:
    """Whether models may stand in for people.

    Args:
        data: A study, or anything `Annotations.of` takes, with the models among the annotators.
        models: The annotators that are models: names, or patterns such as ``"gpt*"``, one or several.  Where each
            annotator has a column, the names of columns.  Or a mapping from the name of each model to its own data,
            such as ``{"gpt": {"item 1": "yes", "item 2": "no"}}``, which are joined to the people's by item.
        humans: The people, likewise; by default all annotators who are not models.
        distance: How far apart values are; by default the usual one for the kind of value.
        epsilon: What a model is let off in the alternative annotator test for being cheaper than a person: 0.2 beside
            experts, 0.15 beside trained annotators, 0.1 beside a crowd.
        level: The level of the intervals.
        seed: Where the random numbers of resamples start.
        raw: Whether distances that may be above one stay in their own units, such as squared points of a scale; by
            default they are divided by what chance gives, so that 1 is as far apart as chance.
        compat: "calderon2025" for the alternative annotator test as published, which lets models pass too often; see
            `alt_test`.
        reading: How data are read: ``item``, ``values`` and the other options of `Annotations.of`.
    """
    check_level(level)
    study, models = from_data(data, models, humans, reading)
    ours, people = sides(study, models, humans)
    if humans is None:
        _no_models(people, ours)
    here = study.only(annotators=[*people, *ours])
    together = Together.of(here, distance, people=people, unit=1.0 if raw else None)
    if together.ruler.distance.equality:
        check_spelling(here, ours, people)
    tests = {name: replacing(together, name, people, epsilon=epsilon, compat=compat) for name in ours}
    ceiling = found(together, ours, people, level=level, seed=seed)
    consistency = (
        _consistency(here, [*people, *ours], together.ruler, level)
        if here.occasion is not None
        else Table.of([], names=CONSISTENCY)
    )
    groups, said = _groups(together, ours, people, level, seed)
    notes = dict.fromkeys(
        [
            *_hardly_agreeing(groups),
            *together.ruler.notes,
            *(note for one in tests.values() for note in one.notes),
            *ceiling.notes,
            *said,
        ]
    )
    return Judgement(
        ours, people, groups, tests, ceiling, consistency, together.ruler.name, level, tuple(notes), together
    )


def _hardly_agreeing(groups: Table) -> list[str]:
    """A warning where people may agree no better than chance: it is then easy to be as good as one of them."""
    own = next((row for row in groups.rows() if row["agreement of"] == "human-human"), None)
    if own is None or not own["from"] <= 0:
        return []
    sure = f"α = {own['value']:.3f}, {own['from']:.3f} to {own['to']:.3f}"
    return [
        f"people may agree no better than chance ({sure}), so to be as near to them as one of them says little"
    ]


def _no_models(people: Sequence[Hashable], models: Sequence[Hashable]) -> None:
    """An error where somebody who was not named looks like a model: nobody said that it is a person."""
    alike = [name for name in people if looks_like_model(name)]
    if not alike:
        return
    rest = [str(name) for name in people if name not in alike] or [*map(str, people)]
    said = (
        "was not named as a model and would count as a person, but looks like a model"
        if len(alike) == 1
        else "were not named as models and would count as people, but look like models"
    )
    raise DataError(
        f"{listing(alike)} {said} by name; name all models, as in models={[*map(str, (*models, *alike))]!r}, or the "
        f"people, as in humans={rest!r}"
    )


def _groups(
    together: Together, models: Sequence[Hashable], people: Sequence[Hashable], level: float, seed: int
) -> tuple[Table, list[str]]:
    """Agreement of people, of people with each model, and of models; and what is undefined about it."""
    rows: list[dict[str, Any]] = []
    said: list[str] = []
    for what, members in (("human-human", people), ("model-model", models)):
        if len(members) > 1:
            side = together.by(members)
            part = together.study.only(annotators=members)
            own = _alpha(part, together.ruler, level)
            if math.isnan(own["α"]):
                said.append(f"{what}: {_why(part, together.ruler)}")
            rows.append(
                {
                    "agreement of": what,
                    "annotators": len(members),
                    **_observed(together, side, side, level),
                    "coefficient": "α",
                    "value": own["α"],
                    "from": own["from"],
                    "to": own["to"],
                }
            )
    sets = [("human-model", models)] if len(models) > 1 else []
    sets += [(f"human-{name}", (name,)) for name in models]
    for what, members in sets:
        kappa = cross(
            together,
            [*people],
            [*members],
            names=("people", " and ".join(map(str, members))),
            level=level,
            seed=seed,
        )
        if kappa.undefined:
            said.append(str(kappa))
        observed = _observed(together, together.by(people), together.by(members), level)
        rows.append(
            {
                "agreement of": what,
                "annotators": len(people) + len(members),
                **observed,
                "coefficient": "κx",
                "value": kappa.value,
                "from": kappa.low,
                "to": kappa.high,
            }
        )
    order = {"human-human": 0, "model-model": 2}
    rows.sort(key=lambda row: order.get(row["agreement of"], 1))
    return Table.of(rows), said


def _observed(together: Together, ours: Booleans, theirs: Booleans, level: float) -> dict[str, Any]:
    """The mean over items of the mean distance of pairs, as agreement where distances are never above one."""
    far, items = together.observed(together.between(ours, theirs))
    bounded = together.ruler.bounded
    mean = ratio(far, np.ones(len(far)), level, within=(0, 1.0 if bounded else math.inf))
    shown = agreeing(mean) if bounded else mean
    return {
        "items": len(items),
        "agreement" if bounded else "distance": shown.value,
        "low": shown.low,
        "high": shown.high,
    }


def _alpha(study: Annotations, ruler: Ruler, level: float) -> dict[str, Any]:
    if not len(study) or not (study.sizes() > 1).any():
        return {"α": math.nan, "from": math.nan, "to": math.nan}
    result: Agreement = alpha(study, distance=ruler.distance)
    interval = result.interval(level)
    ends = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
    return {"α": result.value, "from": ends[0], "to": ends[1]}


def _why(study: Annotations, ruler: Ruler) -> str:
    """Why there is no alpha."""
    if not (study.sizes() > 1).any():
        return "no two of them judged the same item"
    return f"α is undefined: {alpha(study, distance=ruler.distance).undefined}"


CONSISTENCY = ("annotator", "items", "judgements", "agreement", "low", "high", "α", "from", "to")


@takes_repeats
def self_consistency(
    data: IntoAnnotations,
    *others: Values,
    annotators: Any = None,
    distance: IntoDistance | None = None,
    level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> Table:
    """How annotators, models and people alike, agree with themselves where they judged an item more than once.

    Args:
        data: A study read with ``duplicates="keep"``, or anything `Annotations.of` takes.
        annotators: Whom to look at; by default everybody.
        distance: How far apart values are; by default the usual one for the kind of value.
        level: The level of the intervals.
    """
    check_level(level)
    study = read(data)
    if study.occasion is None:
        raise DataError(
            "nobody judged an item twice, so there is no self-consistency; read the data with "
            "duplicates='keep' to keep repeated judgements apart"
        )
    names = (
        tuple(study.annotators)
        if annotators is None
        else named(study, annotators, "self-consistent annotator")
    )
    frequency = np.bincount(study.value, minlength=len(study.values)).astype(float)
    return _consistency(study, names, Ruler(study, distance, frequency), level)


def _consistency(study: Annotations, names: Sequence[Hashable], ruler: Ruler, level: float) -> Table:
    rows = []
    for name in names:
        own = study.only(annotators=[name]).repeats()
        again = own.items_where(own.sizes() > 1)
        if not len(again):
            continue
        together = Together.of(again, ruler.distance, unit=ruler.unit)
        everything = np.ones(len(together.item), dtype=bool)
        seen = _observed(together, everything, everything, level)
        rows.append(
            {
                "annotator": name,
                "items": seen.pop("items"),
                "judgements": len(again),
                **seen,
                **_alpha(again, ruler, level),
            }
        )
    return Table.of(rows, names=CONSISTENCY)


def _plain(table: Table) -> list[dict[str, Any]]:
    return [
        {name: number(entry) if isinstance(entry, float) else entry for name, entry in row.items()}
        for row in table.rows()
    ]
