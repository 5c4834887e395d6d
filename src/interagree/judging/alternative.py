r"""The alternative annotator test: may a model stand in for one of the people?

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
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np

from interagree.arrays import Floats
from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import KindError, listing
from interagree.judging.together import NEAR, Together, number, read, sides
from interagree.stats.engine.quantiles import t_tail
from interagree.stats.engine.score import MOST, mean_is_less
from interagree.stats.engine.shares import adjusted
from interagree.tables import Table

Compat = Literal["calderon2025"] | None

ITEMS = 30  # items of a person that the authors want at least, and below which they leave the t test
PEOPLE = 3  # people that the authors want at least
ENOUGH = 0.5  # the winning rate that passes


@dataclass(frozen=True, slots=True)
class AltTest:
    """What the alternative annotator test says of one model."""

    model: Hashable
    epsilon: float
    q: float
    distance: str
    winning_rate: float  # nan where undefined
    advantage: float  # the mean over people of how often the model is as near or nearer
    people: Table  # a row for each person
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    wins: tuple[Hashable, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether the winning rate is high enough."""
        return self.undefined is None and self.winning_rate >= ENOUGH

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and strings, ready for JSON."""
        return {
            "model": self.model,
            "epsilon": self.epsilon,
            "q": self.q,
            "distance": self.distance,
            "winning_rate": number(self.winning_rate),
            "advantage_probability": number(self.advantage),
            "passed": None if self.undefined else self.passed,
            "undefined": self.undefined,
            "people": self.people.rows(),
            "notes": [*self.notes],
        }

    def __str__(self) -> str:
        """The verdict as a sentence."""
        if self.undefined:
            return f"whether {self.model} may stand in for a person cannot be said: {self.undefined}"
        count = len(self.people)
        return (
            f"{self.model} {'may' if self.passed else 'may not'} stand in for a person: it takes the place of "
            f"{len(self.wins)} of {count} {'person' if count == 1 else 'people'} "
            f"(winning rate {self.winning_rate:.3f}, {ENOUGH:g} is enough; advantage probability "
            f"{self.advantage:.3f}; epsilon {self.epsilon:g})"
        )


@takes_data
def alt_test(
    data: IntoAnnotations,
    *others: Values,
    model: Hashable,
    humans: Any = None,
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
    """
    study = read(data)
    (one,), people = sides(study, [model], humans)
    together = Together.of(study.only(annotators=[*people, one]), distance, people=people)
    return replacing(together, one, people, epsilon=epsilon, q=q, compat=compat)


def replacing(
    together: Together,
    model: Hashable,
    people: Sequence[Hashable],
    *,
    epsilon: float,
    q: float = 0.05,
    compat: Compat = None,
) -> AltTest:
    """The test on judgements that lie side by side."""
    if not 0 <= epsilon < 1:
        raise KindError(f"epsilon is a difference of two shares and lies from 0 to below 1; got {epsilon!r}")
    if not 0 < q < 1:
        raise KindError(f"q is a false discovery rate and lies between 0 and 1, such as 0.05; got {q!r}")
    if compat not in (None, "calderon2025"):
        raise KindError(f"compat must be 'calderon2025' or None, got {compat!r}")
    model_wins, person_wins, who = wins(together, model, people)
    rows, published, lost = [], [], []
    for code, name in enumerate(together.annotators):
        if name not in set(people):
            continue
        here = who == code
        if not here.any():
            lost.append(name)
            continue
        published.append(_as_published(person_wins[here] - model_wins[here], epsilon))
        rows.append(_person(name, model_wins[here], person_wins[here], epsilon))
    why = _undefined(together, model, people) if not rows else None
    notes = list(together.ruler.notes)
    if lost and rows:
        notes.append(f"{listing(lost)} shared no item with {model} and another person, and was left out")
    if compat:
        rows = [{**row, "test": test, "p": p} for row, (test, p) in zip(rows, published, strict=True)]
    raised = adjusted([row["p"] for row in rows]).tolist()
    taken = [entry <= q for entry in raised]
    rows = [
        {**row, "adjusted p": entry, "wins": won} for row, entry, won in zip(rows, raised, taken, strict=True)
    ]
    notes += _short(rows, compat)
    theirs = int((adjusted([p for _, p in published]) <= q).sum())
    if theirs != sum(taken):
        notes.append(
            f"the published tests (t, and Wilcoxon's below {ITEMS} items) would give a winning rate of "
            f"{theirs / len(rows):.3f}; they let models pass too often, and compat='calderon2025' gives them"
        )
    return AltTest(
        model,
        epsilon,
        q,
        together.ruler.name,
        math.nan if why else sum(taken) / len(taken),
        math.nan if why else float(np.mean([row["model"] for row in rows])),
        Table.of(rows),
        why,
        tuple(notes),
        tuple(row["person"] for row in rows if row["wins"]),
    )


def wins(together: Together, model: Hashable, people: Sequence[Hashable]) -> tuple[Floats, Floats, Any]:
    """For each judgement that counts: whether the model is at least as near as the person, the reverse, and who."""
    ours, theirs = together.by([model]), together.by(people)
    first, second, far = together.first, together.second, together.far
    rows = len(together.item)
    apart = np.zeros(rows)  # of a person's judgement from the model's
    judged = np.zeros(rows, dtype=bool)
    for model_row, person_row in ((first, second), (second, first)):
        both = ours[model_row] & theirs[person_row]
        apart[person_row[both]] = far[both]
        judged[person_row[both]] = True
    among = theirs[first] & theirs[second]
    own = np.bincount(first[among], far[among], minlength=rows) + np.bincount(
        second[among], far[among], minlength=rows
    )
    others = np.bincount(first[among], minlength=rows) + np.bincount(second[among], minlength=rows)
    all_apart = np.bincount(together.item[judged], apart[judged], minlength=together.items)
    counts = judged & (others > 0)
    mine = own[counts]
    model_far = (all_apart[together.item] - apart)[counts]
    close = NEAR * max(1.0, float(np.abs(mine).max(initial=0)))
    return (
        (model_far <= mine + close).astype(float),
        (mine <= model_far + close).astype(float),
        together.who[counts],
    )


def _person(name: Hashable, model: Floats, person: Floats, epsilon: float) -> dict[str, Any]:
    difference = person - model
    count = len(difference)
    above, under = (int((side * difference > 0).sum()) for side in (1, -1))
    return {
        "person": name,
        "items": count,
        "model": float(model.mean()),
        "human": float(person.mean()),
        "test": "exact" if count <= MOST else "score",
        "p": mean_is_less(above, under, count, float(epsilon)),
    }


def _as_published(difference: Floats, epsilon: float) -> tuple[str, float]:
    """Which test the authors take, and its p-value."""
    if len(difference) < ITEMS:
        return "Wilcoxon", signed_rank(difference - epsilon)
    return "t", below(difference, epsilon)


def below(sample: Floats, bound: float) -> float:
    """The p-value of the one-sided t test that the mean is below a bound."""
    count = len(sample)
    gap = float(sample.mean()) - bound
    error = float(sample.std(ddof=1)) / math.sqrt(count)
    if error < NEAR:  # all the same
        return float(gap >= 0)
    half = t_tail(gap / error, count - 1) / 2
    return half if gap < 0 else 1 - half


def signed_rank(moved: Floats) -> float:
    """The exact p-value of Wilcoxon's one-sided test that differences lie below 0.

    Ties share ranks, and zeros are left out.  All signs are equally likely under the null hypothesis; how many of them
    give a sum of positive ranks as small as the observed one is counted, not approximated.
    """
    moved = np.round(moved[np.abs(moved) > NEAR], 9)
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


def _short(rows: Sequence[dict[str, Any]], compat: Compat) -> list[str]:
    said = []
    if 0 < len(rows) < PEOPLE:
        said.append(f"{len(rows)} people were left out in turn, and the test wants {PEOPLE} or more")
    few = [row["person"] for row in rows if row["items"] < ITEMS]
    if few:
        instead = (
            "Wilcoxon's signed-rank test took the place of t, and lets models pass too often"
            if compat
            else f"the test holds, but seldom finds what is there; the authors want {ITEMS} or more"
        )
        said.append(f"fewer than {ITEMS} items for {listing(few, most=4)}: {instead}")
    return said


def _undefined(together: Together, model: Hashable, people: Sequence[Hashable]) -> str:
    """Why there is nothing to test."""
    if len(people) < 2:
        return (
            f"there is one person, {people[0]!r}, and a person who is left out must have others to be held against; "
            f"two people are needed, {PEOPLE} are wanted"
        )
    ours, theirs = together.by([model]), together.by(people)
    if not together.between(ours, theirs).any():
        return f"{model!r} and the people judged no item in common"
    return f"no item was judged by {model!r} and two people"
