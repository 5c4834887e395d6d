"""The whole judgement: models beside people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Unpack

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, Study
from interagree.data.levels import Level
from interagree.data.types import Annotator, Value
from interagree.distances import IntoDistance
from interagree.errors import Advice, DataError, Hint, listing
from interagree.errors.options import checks_options
from interagree.judging.alternative import CAN, CANNOT, ENOUGH, AltTest, Compat, replacing
from interagree.judging.ceiling import Ceiling, ceiling_of
from interagree.judging.consistency import alpha_row, consistency_table, observed_row
from interagree.judging.gathering import ModelData, check_spelling, from_data
from interagree.judging.preferences import Preferences, Ties, preferences
from interagree.judging.sides import Names, looks_like_model, sides
from interagree.kinds import Kind
from interagree.measures.alpha import alpha
from interagree.people.groups.cross_reliability import cross
from interagree.people.groups.in_group import GroupsAgreement, groups_agreement
from interagree.people.groups.membership import IntoGroups
from interagree.people.judgement_pairs import JudgementPairs, ScaledDistance
from interagree.results.answer import Answer
from interagree.results.charts import Forest
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, as_sentences, one_per_line
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, plain_rows

MOST = 20  # annotators whose pairs are shown without being asked for
FEW = 8  # people who are named one by one in a command
PEOPLE = 10  # people whose place a model takes that are shown


@dataclass(frozen=True)
class Judgement(Answer):
    """What there is to say about models beside people."""

    models: tuple[Annotator, ...]
    humans: tuple[Annotator, ...]
    groups: Table  # human-human, human-model and model-model agreement
    tests: Mapping[Annotator, AltTest]
    ceiling: Ceiling
    consistency: Table  # empty where nothing was repeated
    distance: str
    level: float
    notes: tuple[str, ...]
    _judged: JudgementPairs = field(repr=False, compare=False)
    preferences: Preferences | None = None  # where the order of answers is known
    groups_of_annotators: GroupsAgreement | None = None
    spelling: str = ""  # labels that models have in another case than people, so that they count as different
    as_scale: str = ""  # what the values give as a scale, where they were taken as labels in doubt

    @property
    def measured_at(self) -> Level:
        """On which level the judgements are measured, and who says so."""
        return self._judged.study.level

    @property
    def unit(self) -> float:
        """What distances were divided by: the distance that chance would give; 1 where they are as they were."""
        return self._judged.scaled.unit

    @property
    def undefined(self) -> str | None:
        """Why nothing can be said of any model; None where something can."""
        reasons = [test.undefined for test in self.tests.values() if test.undefined]
        return reasons[0] if len(reasons) == len(self.tests) else None

    @property
    def passed(self) -> tuple[Annotator, ...]:
        """The models that can stand in for a person."""
        return tuple(name for name, test in self.tests.items() if test.passed)

    @property
    def verdict(self) -> tuple[str, ...]:
        """A sentence for each model."""
        against = {model.model: str(model) for model in self.ceiling.models}
        return tuple(
            f"{test}; {against[name].removeprefix(f'{name} is ')}"
            if name in against and not test.undefined
            else str(test)
            for name, test in self.tests.items()
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
        meanings = [
            "κx: agreement across two groups beyond chance, as α is within one: 1 all, 0 as chance, below 0 less",
            (
                f"winning rate: the share of people whose place the model takes ({ENOUGH:g} is enough); advantage: how "
                "often it is at least as near to the other people as the person left out"
            ),
        ]
        if not self._judged.scaled.bounded:
            meanings.append(
                f"distances are divided by what chance gives ({self.unit:.4g}): 0 the same, 1 as far apart as chance"
                if self.unit != 1
                else f"distances are those of the {self.distance} distance, undivided"
            )
        return tuple(meanings)

    @cached_property
    def pairs(self) -> Table:
        """Every two annotators: the items both judged, their agreement, and alpha of the two alone."""
        judged = self._judged
        return Table.of(
            [
                {
                    "first": a,
                    "second": b,
                    "of": self._between(a, b),
                    **observed_row(judged, judged.by([a]), judged.by([b]), self.level),
                    **alpha_row(judged.study.only(annotators=[a, b]), judged.scaled, self.level),
                }
                for a, b in combinations((*self.humans, *self.models), 2)
            ]
        )

    def _between(self, a: Annotator, b: Annotator) -> str:
        machines = (a in self.models) + (b in self.models)
        return ("human-human", "human-model", "model-model")[machines]

    def matrix(self, entry: str | None = None) -> Table:
        """Every annotator beside every other: the coefficient, or another column of `pairs`."""
        everybody = (*self.humans, *self.models)
        column = "α" if entry is None else entry
        self.pairs[column]  # an error that names the columns there are
        entries = {(row["first"], row["second"]): row[column] for row in self.pairs.rows()}
        return Table.of(
            [{"": a, **{str(b): entries.get((a, b), entries.get((b, a))) for b in everybody}} for a in everybody]
        )

    def tables(self) -> dict[str, Table]:
        """Models beside people, agreement of people and models, the ceiling, and what else there is."""
        named = {
            "models": self.models_table,
            "agreement": self.groups,
            **{f"{name} in the place of each person": test.people for name, test in self.tests.items()},
            "noise ceiling": self.ceiling.table(),
            "self-consistency": self.consistency,
            "pairs": self.pairs,
        }
        for part in (self.preferences, self.groups_of_annotators):
            named |= part.tables() if part is not None else {}
        return {name: table for name, table in named.items() if len(table)}

    def chart(self) -> Forest | None:
        """How models agree with people, beside people among themselves and models among themselves."""
        if self.undefined or not len(self.groups):
            return None
        axis = "agreement beyond chance: α within a group, κx across two"
        return estimates(self.groups, "value", ("from", "to"), axis=axis, words="; ".join(self.verdict))

    def document(self, *, pairs: bool | None = None) -> Document:
        """The verdict, and all tables behind it.

        Args:
            pairs: Whether to show every two annotators; by default where they are 20 or fewer.
        """
        preferred, grouped = self.preferences, self.groups_of_annotators
        if pairs is None:
            pairs = len(self.models) + len(self.humans) <= MOST
        sections = [
            Section("Verdict", as_sentences(filter(None, (*self.verdict, self.spelling, self.as_scale)))),
            Section("Models beside people", table=self.models_table),
            Section("Agreement", table=self.groups),
            self.ceiling.section(),
            *(test.section(PEOPLE) for test in self.tests.values() if len(test.people)),
        ]
        if len(self.consistency):
            sections.append(Section("Self-consistency, where judgements were repeated", table=self.consistency))
        if preferred is not None:
            sections += preferred.sections()
        if grouped is not None:
            sections.append(grouped.section())
        if pairs:
            sections.append(Section("Every two annotators", table=self.pairs))
        foot = one_per_line(
            (
                f"{self.level:.0%} intervals; distance: {self.distance}",
                *as_sentences(self.legend()),
                *as_sentences(self.notes),
                *as_sentences(preferred.notes if preferred is not None else ()),
                *as_sentences(grouped.notes if grouped is not None else ()),
            )
        )
        data = {**self.to_dict(), "pairs": self.pairs if pairs else None}
        return Document("", [*sections, Section(foot=foot)], data, self.groups)

    def to_dict(self) -> dict[str, object]:
        preferred, grouped = self.preferences, self.groups_of_annotators
        return {
            "schema": 1,
            **self.plain("models", "humans", "distance"),
            "distance_unit": self.unit,
            "measured_at": self.measured_at.to_dict(),
            "spelling": self.spelling or None,
            "as_scale": self.as_scale or None,
            **self.plain("level", "models_table", "groups"),
            "alternative_annotator_test": [test.to_dict() for test in self.tests.values()],
            "noise_ceiling": self.ceiling.to_dict(),
            "self_consistency": plain_rows(self.consistency),
            **self.plain("verdict", "notes"),
            "preferences": None if preferred is None else preferred.to_dict(),
            "groups_of_annotators": None if grouped is None else grouped.to_dict(),
        }

    def __str__(self) -> str:
        return "\n".join(self.verdict)


@checks_options
def judge(
    data: IntoAnnotations,
    *,
    models: Names | Mapping[Annotator, ModelData] | None = None,
    humans: Names | None = None,
    distance: IntoDistance | None = None,
    epsilon: float = 0.2,
    level: float = 0.95,
    seed: int = 0,
    raw: bool = False,
    compat: Compat = None,
    order: str | None = None,
    tie: Value = "tie",
    ties: Ties = "half",
    groups: IntoGroups | None = None,
    **reading: Unpack[ReadingOptions],
) -> Judgement:
    """Whether models can stand in for people.

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
        order: For preferences between two answers: the column that says which was shown first; see `preferences`.
            Repeated judgements are then kept.
        tie: The value that means a tie, for ``order``.
        ties: How ties are read, for ``order``: "half", "label" or "left out".
        groups: Groups of annotators to compare as well; see `groups_agreement`.
        reading: How data are read: ``item``, ``values`` and the other options of `Annotations.of`.

    Returns:
        The verdict on each model, and the tables behind it.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b"] * 20, "bo": ["a", "b"] * 20, "cy": ["a", "b"] * 20, "gpt": ["a", "b"] * 20}
        >>> ia.judge(labels, models="gpt").passed
        ('gpt',)
    """
    check_level(level)
    if order is not None and not isinstance(data, Annotations | Study):
        reading.setdefault("duplicates", "keep")
    study, names = from_data(data, models, humans, reading)
    ours, people = sides(study, names, humans)
    if humans is None:
        _no_models(people, ours)
    both = study.only(annotators=[*people, *ours])
    judged = JudgementPairs.of(both, distance, people=people, unit=1.0 if raw else None)
    spelling = check_spelling(both, ours, people) if judged.scaled.distance.equality else ""
    tests = {name: replacing(judged, name, people, epsilon=epsilon, compat=compat) for name in ours}
    ceiling = ceiling_of(judged, ours, people, level=level, seed=seed)
    agreement, undefined = _agreement(judged, ours, people, level, seed)
    doubt = both.recognised.doubt if distance is None else None
    as_scale = "" if doubt is None else _as_scale(judged, doubt, ours, people, tests, epsilon, compat, seed)
    notes = dict.fromkeys(
        [
            *_hardly_agreeing(agreement),
            *(() if doubt else judged.scaled.notes),
            *(note for test in tests.values() for note in test.notes),
            *ceiling.notes,
            *undefined,
        ]
    )
    return Judgement(
        ours,
        people,
        agreement,
        tests,
        ceiling,
        consistency_table(both, [*people, *ours], judged.scaled, level),
        judged.scaled.name,
        level,
        tuple(notes),
        judged,
        None
        if order is None
        else preferences(study, order=order, models=ours, humans=people, tie=tie, ties=ties, level=level),
        None
        if groups is None
        else groups_agreement(study, groups=groups, distance=distance, level=level, seed=seed, raw=raw),
        spelling,
        as_scale,
    )


def _as_scale(  # noqa: PLR0917 -- what the judgement was made of
    judged: JudgementPairs,
    scale: Kind,
    models: Sequence[Annotator],
    people: Sequence[Annotator],
    tests: Mapping[Annotator, AltTest],
    epsilon: float,
    compat: Compat,
    seed: int,
) -> str:
    """What judgements that were taken as labels give as the steps of a scale, and whether the verdict changes."""
    other = JudgementPairs.of(judged.study, scale.distance, people=people)
    sentences, changed = [], False
    for name in models:
        kappa = cross(other, people, (name,), names=("people", str(name)), seed=seed, resamples=10)
        passed = replacing(other, name, people, epsilon=epsilon, compat=compat).passed
        changed |= passed != tests[name].passed
        number = "undefined" if kappa.undefined else f"{kappa.value:.3f}"
        sentences.append(f"κx of {name} = {number}, and it {CAN if passed else CANNOT} stand in for a person")
    labels, ordinal = Hint("kind", "labels"), Hint("distance", scale.distance)
    return Advice.of(
        f"the values are {judged.study.recognised.because} and were taken as labels; as an ordered scale, "
        f"{'; '.join(sentences)}{', which is another verdict' if changed else ''}; say which they are by ",
        ordinal,
        " or ",
        labels,
    )


def _hardly_agreeing(groups: Table) -> list[str]:
    """A warning where people may agree no better than chance: it is then easy to be as good as one of them."""
    own = next((row for row in groups.rows() if row["agreement of"] == "human-human"), None)
    if own is None or not own["from"] <= 0:
        return []
    interval = f"α = {own['value']:.3f}, {own['from']:.3f} to {own['to']:.3f}"
    return [f"people may agree no better than chance ({interval}), so being as near to them as one of them says little"]


def _no_models(people: Sequence[Annotator], models: Sequence[Annotator]) -> None:
    """An error where somebody who was not named looks like a model: it was not stated to be a person."""
    alike = [name for name in people if looks_like_model(name)]
    if not alike:
        return
    rest = [str(name) for name in people if name not in alike] or [*map(str, people)]
    problem = (
        "was not named as a model and would count as a person, but looks like a model"
        if len(alike) == 1
        else "were not named as models and would count as people, but look like models"
    )
    hints = [Hint("models", [*map(str, (*models, *alike))])]
    if len(rest) <= FEW:
        hints.append(Hint("humans", rest))
    people_too = f", or the people, as in {hints[1]}" if len(hints) > 1 else ""
    raise DataError(f"{listing(alike)} {problem} by name; name all models, as in {hints[0]}{people_too}", hints=hints)


def _agreement(
    judged: JudgementPairs, models: Sequence[Annotator], people: Sequence[Annotator], level: float, seed: int
) -> tuple[Table, list[str]]:
    """Agreement of people, of people with each model, and of models; and what is undefined about it."""
    rows: dict[str, list[dict[str, object]]] = {"human-human": [], "across": [], "model-model": []}
    undefined: list[str] = []

    def row(
        name: str, count: int, observed: Mapping[str, float], coefficient: str, *interval: float
    ) -> dict[str, object]:
        ends = dict(zip(("value", "from", "to"), interval, strict=True))
        return {"agreement of": name, "annotators": count, **observed, "coefficient": coefficient, **ends}

    for name, members in (("human-human", people), ("model-model", models)):
        if len(members) > 1:
            rows_of = judged.by(members)
            part = judged.study.only(annotators=members)
            own = alpha_row(part, judged.scaled, level)
            if math.isnan(own["α"]):
                undefined.append(f"{name}: {_why(part, judged.scaled)}")
            observed = observed_row(judged, rows_of, rows_of, level)
            rows[name].append(row(name, len(members), observed, "α", own["α"], own["from"], own["to"]))
    sets = [("human-model", tuple(models))] if len(models) > 1 else []
    sets += [(f"human-{name}", (name,)) for name in models]
    for name, members in sets:
        titles = ("people", " and ".join(map(str, members)))
        kappa = cross(judged, people, members, names=titles, level=level, seed=seed)
        if kappa.undefined:
            undefined.append(str(kappa))
        observed = observed_row(judged, judged.by(people), judged.by(members), level)
        count = len(people) + len(members)
        rows["across"].append(row(name, count, observed, "κx", kappa.value, kappa.low, kappa.high))
    return Table.of([row for some in rows.values() for row in some]), undefined


def _why(study: Annotations, scaled: ScaledDistance) -> str:
    if not (study.sizes() > 1).any():
        return "no two of them judged the same item"
    return f"α is undefined: {alpha(study, distance=scaled.distance).undefined}"
