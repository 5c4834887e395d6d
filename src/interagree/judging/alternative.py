r"""The alternative annotator test: can a model stand in for one of the people?

Each person $j$ is left out in turn.  On every item that this person, the model $f$ and at least one other person
judged, both are held against the *other* people: $S(f, i, j)$ is minus the mean distance of the model's value from
theirs, and $S(h_j, i, j)$ that of the person's.  For labels that is the share of the others who agree, less one; for
numbers under the interval distance it orders as the negative root mean squared error does.  The model wins an item when
it is at least as near, and so does the person:

$$W^f_{i,j} = [S(f, i, j) \ge S(h_j, i, j)], \qquad W^h_{i,j} = [S(h_j, i, j) \ge S(f, i, j)]$$

The model takes the place of $j$ when the null hypothesis $\rho^f_j \le \rho^h_j - \varepsilon$ is rejected, $\rho$
being the mean of $W$ over their items: when the mean of $W^h - W^f$, which is -1, 0 or 1, is surely below
$\varepsilon$.  $\varepsilon$ is what the model is let off because a person costs more: the authors take 0.2 for
experts, 0.15 for trained annotators and 0.1 for crowds.  The p-values are adjusted by Benjamini and Yekutieli (2001),
which holds whatever the dependence.

**The test is not the published one.**  The authors take a one-sided paired $t$ test, and Wilcoxon's signed-rank test
below 30 items.  Wilcoxon's is about symmetry and not about the mean, and differences that are -1, 0 or 1 are not
symmetric around $\varepsilon$; the error of $t$ comes from the data, and is too small where nearly all differences are
0.  At the border, where the model is exactly $\varepsilon$ worse, models then pass more often than $q$ says.  So the
p-value is that of an exact test of the mean at any number of items (`interagree.stats.engine.score`);
``compat="calderon2025"`` gives the published procedure, and a note says where its winning rate would be another one.

The winning rate $\omega$ is the share of people whose place the model takes; with $\omega \ge 0.5$ it passes.  The
average advantage probability $\rho$ is the mean of $\rho^f_j$ and ranks models.  Wanted are three people or more and 30
items or more for each; with fewer the test runs and says so.

Calderon, N., Reichart, R. & Dror, R. (2025). The Alternative Annotator Test for LLM-as-a-Judge: How to Statistically
Justify Replacing Human Annotators with LLMs. Proceedings of ACL 2025 (2025.acl-long.782).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Unpack

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.data import IntoAnnotations, ReadingOptions
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import Advice, Hint, KindError, listing
from interagree.judging.sides import Names, sides
from interagree.people.judgement_pairs import CLOSE, JudgementPairs, identified
from interagree.results.answer import Answer
from interagree.results.charts import Bars
from interagree.results.charts.tables import bars
from interagree.results.document import Document, Section, as_sentences
from interagree.stats.engine.quantiles import t_tail
from interagree.stats.engine.score import MOST, mean_is_less
from interagree.stats.engine.shares import adjusted
from interagree.tables import Table, finite

Compat = Literal["calderon2025"] | None

ITEMS = 30  # items of a person that the authors want at least, and below which they leave the t test
PEOPLE = 3  # people that the authors want at least
ENOUGH = 0.5  # the winning rate that passes
CAN, CANNOT = "can", "cannot be shown to"  # a test that is not passed shows nothing


@dataclass(frozen=True, slots=True)
class AltTest(Answer):
    """What the alternative annotator test says about one model."""

    model: Annotator
    epsilon: float
    q: float
    distance: str
    winning_rate: float  # nan where undefined
    advantage: float  # the mean over people of how often the model is as near or nearer
    people: Table  # a row for each person
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    wins: tuple[Annotator, ...] = ()  # the people whose place the model takes

    @property
    def passed(self) -> bool:
        """Whether the winning rate is high enough."""
        return self.undefined is None and self.winning_rate >= ENOUGH

    def to_dict(self) -> dict[str, object]:
        return {
            **self.plain("model", "epsilon", "q", "distance", "winning_rate"),
            "advantage_probability": finite(self.advantage),
            "passed": None if self.undefined else self.passed,
            "undefined": self.undefined,
            "people": self.people.rows(),
            "notes": [*self.notes],
        }

    def tables(self) -> dict[str, Table]:
        """A row for each person."""
        return {"people": self.people}

    def chart(self) -> Bars | None:
        """How often the model, and how often each person, is as near to the others or nearer."""
        if self.undefined or not len(self.people):
            return None
        axis = "how often it is as near to the others, or nearer"
        return bars(self.people, "model", "human", axis=axis, words=str(self))

    def document(self) -> Document:
        """The verdict, and a row for each person."""
        sections = [Section(lines=[f"{self}."]), self.section(), Section(foot=as_sentences(self.notes))]
        return Document("", sections, self.to_dict(), self.people)

    def section(self, most: int | None = None) -> Section:
        """The people as a section: p-values that round to 0 are not 0, and a win is a word.

        Args:
            most: How many people are shown, those with the most items first; by default all of them, in their order.
        """
        if most is not None and len(self.people) > most:
            first = sorted(self.people.rows(), key=lambda row: -row["items"])[:most]
            few = replace(self, people=Table.of(first)).section()
            of_all = f"the {most} of {len(self.people):,} people with the most items; --json has all"
            return replace(few, foot=[of_all], exact=self.people)
        rows = [
            {
                **row,
                **{name: "<0.001" if row[name] < 0.001 else row[name] for name in ("p", "adjusted p")},
                "wins": "yes" if row["wins"] else "no",
            }
            for row in self.people.rows()
        ]
        return Section(f"{self.model} in the place of each person", table=Table.of(rows))

    def __str__(self) -> str:
        """The verdict as a sentence."""
        if self.undefined:
            return f"whether {self.model} can stand in for a person cannot be decided: {self.undefined}"
        count = len(self.people)
        return (
            f"{self.model} {CAN if self.passed else CANNOT} stand in for a person: it takes the place of "
            f"{len(self.wins)} of {count} {'person' if count == 1 else 'people'} "
            f"(winning rate {self.winning_rate:.3f}, {ENOUGH:g} is enough; advantage probability "
            f"{self.advantage:.3f}; epsilon {self.epsilon:g})"
        )


@takes_data
def alt_test(
    data: IntoAnnotations,
    *others: Values,
    model: Annotator,
    humans: Names | None = None,
    distance: IntoDistance | None = None,
    epsilon: float = 0.2,
    q: float = 0.05,
    compat: Compat = None,
    **reading: Unpack[ReadingOptions],
) -> AltTest:
    """The alternative annotator test of one model.

    Args:
        data: A study, or anything `Annotations.of` takes, with the model as one of the annotators.
        model: The annotator that is the model.
        humans: The people, by name or pattern; by default all other annotators.
        distance: How far apart values are; by default the usual one for the kind of value.
        epsilon: What the model is let off for being cheaper: 0.2 beside experts, 0.1 beside a crowd.
        q: The false discovery rate of the tests together.
        compat: "calderon2025" for the published procedure: a t test, or Wilcoxon's signed-rank test below 30 items.
            It lets models pass too often at the border, below 30 items in up to a third of studies; the default is
            an exact test of the mean at any number of items.

    Returns:
        The winning rate, whether it passes, and a test for each person.

    Examples:
        >>> import interagree as ia
        >>> labels = {"ann": ["a", "b"] * 20, "bo": ["a", "b"] * 20, "cy": ["a", "b"] * 20, "gpt": ["a", "b"] * 20}
        >>> ia.judging.alt_test(labels, model="gpt").winning_rate
        1.0
    """
    study = identified(data)
    (one,), people = sides(study, [model], humans)
    judged = JudgementPairs.of(study.only(annotators=[*people, one]), distance, people=people)
    return replacing(judged, one, people, epsilon=epsilon, q=q, compat=compat)


def replacing(
    judged: JudgementPairs,
    model: Annotator,
    people: Sequence[Annotator],
    *,
    epsilon: float,
    q: float = 0.05,
    compat: Compat = None,
) -> AltTest:
    """The test on pairs of judgements."""
    if not 0 <= epsilon < 1:
        raise KindError(f"epsilon is a difference of two shares and lies from 0 to below 1; got {epsilon!r}")
    if not 0 < q < 1:
        raise KindError(f"q is a false discovery rate and lies between 0 and 1, such as 0.05; got {q!r}")
    if compat not in (None, "calderon2025"):
        raise KindError(f"compat must be 'calderon2025' or None, got {compat!r}")
    model_wins, person_wins, who = wins(judged, model, people)
    trials: list[_Trial] = []
    left_out = []
    for code, name in enumerate(judged.annotators):
        if name not in set(people):
            continue
        rows = who == code
        if rows.any():
            trials.append(_Trial.of(name, model_wins[rows], person_wins[rows], epsilon, compat))
        else:
            left_out.append(name)
    why = None if trials else _undefined(judged, model, people)
    notes = list(judged.scaled.notes)
    if left_out and trials:
        notes.append(f"{listing(left_out)} shared no item with {model} and another person, and was left out")
    adjusted_p = adjusted([trial.p for trial in trials]).tolist()
    replaced = [trial.person for trial, p in zip(trials, adjusted_p, strict=True) if p <= q]
    notes += _short(trials, compat)
    published = int((adjusted([trial.published[1] for trial in trials]) <= q).sum())
    if published != len(replaced):
        hint = Hint("compat", "calderon2025")
        notes.append(
            Advice(
                f"the published tests (t, and Wilcoxon's below {ITEMS} items) would give a winning rate of "
                f"{published / len(trials):.3f}; they let models pass too often, and {hint} gives them",
                [hint],
            )
        )
    return AltTest(
        model,
        epsilon,
        q,
        judged.scaled.name,
        math.nan if why else len(replaced) / len(trials),
        math.nan if why else float(np.mean([trial.model for trial in trials])),
        Table.of(
            [
                {
                    "person": trial.person,
                    "items": trial.items,
                    "model": trial.model,
                    "human": trial.human,
                    "test": trial.test,
                    "p": trial.p,
                    "adjusted p": p,
                    "wins": p <= q,
                }
                for trial, p in zip(trials, adjusted_p, strict=True)
            ]
        ),
        why,
        tuple(notes),
        tuple(replaced),
    )


class _Trial(NamedTuple):
    """One person left out: how often each is at least as near to the others, and the tests of it."""

    person: Annotator
    items: int
    model: float
    human: float
    test: str
    p: float
    published: tuple[str, float]  # the test that the authors take, and its p-value

    @classmethod
    def of(cls, person: Annotator, model: Floats, human: Floats, epsilon: float, compat: Compat) -> _Trial:
        difference = human - model
        count = len(difference)
        above, under = (int((side * difference > 0).sum()) for side in (1, -1))
        exact = ("exact" if count <= MOST else "score", mean_is_less(above, under, count, float(epsilon)))
        published = _as_published(difference, epsilon)
        test, p = published if compat else exact
        return cls(person, count, float(model.mean()), float(human.mean()), test, p, published)


def wins(judged: JudgementPairs, model: Annotator, people: Sequence[Annotator]) -> tuple[Floats, Floats, Indices]:
    """For each judgement that counts: whether the model is at least as near as the person, the reverse, and who."""
    ours, theirs = judged.by([model]), judged.by(people)
    first, second, distances = judged.first, judged.second, judged.distances
    rows = len(judged.item)
    to_model = np.zeros(rows)  # of a person's judgement from the model's
    shared = np.zeros(rows, dtype=bool)
    for model_row, person_row in ((first, second), (second, first)):
        both = ours[model_row] & theirs[person_row]
        to_model[person_row[both]] = distances[both]
        shared[person_row[both]] = True
    among = theirs[first] & theirs[second]
    own = np.bincount(first[among], distances[among], minlength=rows) + np.bincount(
        second[among], distances[among], minlength=rows
    )
    others = np.bincount(first[among], minlength=rows) + np.bincount(second[among], minlength=rows)
    all_distances = np.bincount(judged.item[shared], to_model[shared], minlength=judged.items)
    counts = shared & (others > 0)
    mine = own[counts]
    model_distance = (all_distances[judged.item] - to_model)[counts]
    close = CLOSE * max(1.0, float(np.abs(mine).max(initial=0)))
    return (
        (model_distance <= mine + close).astype(float),
        (mine <= model_distance + close).astype(float),
        judged.who[counts],
    )


def _as_published(difference: Floats, epsilon: float) -> tuple[str, float]:
    if len(difference) < ITEMS:
        return "Wilcoxon", signed_rank(difference - epsilon)
    return "t", below(difference, epsilon)


def below(sample: Floats, bound: float) -> float:
    """The p-value of the one-sided t test that the mean is below a bound."""
    count = len(sample)
    gap = float(sample.mean()) - bound
    error = float(sample.std(ddof=1)) / math.sqrt(count)
    if error < CLOSE:  # all the same
        return float(gap >= 0)
    half = t_tail(gap / error, count - 1) / 2
    return half if gap < 0 else 1 - half


def signed_rank(moved: Floats) -> float:
    """The exact p-value of Wilcoxon's one-sided test that differences lie below 0.

    Ties share ranks, and zeros are left out.  All signs are equally likely under the null hypothesis; how many of them
    give a sum of positive ranks as small as the observed one is counted, not approximated.
    """
    moved = np.round(moved[np.abs(moved) > CLOSE], 9)
    if not len(moved):
        return 1.0
    _, tie, often = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(often) - often + 1)[tie]  # twice the mean rank is a whole number
    observed = int(doubled[moved > 0].sum())
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1
    for rank in doubled.tolist():
        ways[rank:] += ways[:-rank].copy()
    return float(ways[: observed + 1].sum() / ways.sum())


def _short(trials: Sequence[_Trial], compat: Compat) -> list[str]:
    """Notes on fewer people or items than the authors want."""
    notes = []
    if 0 < len(trials) < PEOPLE:
        notes.append(f"{len(trials)} people were left out in turn, and the test wants {PEOPLE} or more")
    few = [trial.person for trial in trials if trial.items < ITEMS]
    if few:
        instead = (
            "Wilcoxon's signed-rank test took the place of t, and lets models pass too often"
            if compat
            else f"the test is valid, but has little power; the authors want {ITEMS} or more"
        )
        notes.append(f"fewer than {ITEMS} items for {listing(few, most=4)}: {instead}")
    return notes


def _undefined(judged: JudgementPairs, model: Annotator, people: Sequence[Annotator]) -> str:
    if len(people) < 2:
        return (
            f"there is one person, {people[0]!r}, and a person who is left out must have others to be held against; "
            f"two people are needed, {PEOPLE} are wanted"
        )
    ours, theirs = judged.by([model]), judged.by(people)
    if not judged.between(ours, theirs).any():
        return f"{model!r} and the people judged no item in common"
    return f"no item was judged by {model!r} and two people"
