"""One value for each item, how far the annotations are from it, and how near it comes to gold answers."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from interagree.arrays import Floats, Indices
from interagree.crowd.fitting import shown_names
from interagree.crowd.medoids import Nearness, Within
from interagree.crowd.scoring import Gold, GoldScore, Score, answers, over_items, with_further
from interagree.data import Annotations
from interagree.data.provenance import Step, counted
from interagree.data.types import Item, Value
from interagree.declare import Distance
from interagree.distances import IntoDistance, find
from interagree.errors import KindError
from interagree.results.answer import Headed
from interagree.results.chance import relative
from interagree.results.charts import Histogram
from interagree.results.charts.tables import histogram
from interagree.results.document import Document, Section, as_sentences
from interagree.results.narrow import shortened
from interagree.stats.engine.compress import totals
from interagree.stats.engine.shares import check_level
from interagree.tables import Table, cell, plain_rows

LONGEST = 60  # letters of a value that a document shows; the table has all of it


class ConsensusAnswer(Headed):
    """What every consensus has: its items, its annotators, and a score against gold answers."""

    method: str
    notes: tuple[str, ...]

    @property
    @abstractmethod
    def study(self) -> Annotations:
        """The annotations."""

    @abstractmethod
    def annotators(self) -> Table:
        """A row for each annotator."""

    @abstractmethod
    def score(self, gold: Gold, *, level: float = 0.95) -> GoldScore:
        """How near the consensus comes to gold answers."""

    @abstractmethod
    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator, to be measured against others or written to a file."""

    @abstractmethod
    def table(self) -> Table:
        """A row for each item; alone, since the table of annotators may take its time."""

    @property
    def chance(self) -> float | None:
        """What distances are divided by before people see them; None where there are none, or none above 1."""
        return None

    @abstractmethod
    def _described(self) -> Mapping[str, object]:
        """The method as plain data: its distance, and how a model was fitted."""

    def tables(self) -> dict[str, Table]:
        """The items, and the annotators where the study says who they are."""
        named = {"items": self.table()}
        return named if self.study.anonymous else {**named, "annotators": self.annotators()}

    def sections(self) -> list[Section]:
        """What else a document of the consensus says, before its annotators and items."""
        return []

    def chart(self) -> Histogram | None:
        """How sure the consensus is of its items."""
        table = self.table()
        if not len(table) or "confidence" not in table.columns:
            return None
        return histogram(table, "confidence", words=f"How sure the consensus is of {len(table):,} items. {self}")

    def document(self, *, top: int = 10, gold: Gold | None = None, level: float = 0.95) -> Document:
        """The consensus in a sentence, the least certain items, and the annotators.

        Args:
            top: How many items and annotators to show.
            gold: Right answers to hold the consensus against.
            level: The level of the interval of the score.
        """
        items = self.table()
        annotators = None if self.study.anonymous else self.annotators()
        score = None if gold is None else self.score(gold, level=level)
        sections = [Section(lines=[f"{self}."])]
        if score is not None:
            sections.append(score.section())
        sections += self.sections()
        if top and annotators is not None:
            sections.append(_annotators_section(annotators, top, self.chance))
        if top and len(items):
            title = "Items" if len(items) <= top else f"The {top} least certain of {len(items):,} items"
            sections.append(Section(title, table=relative(_shortened(items, top), self.chance, ("distance",))))
        sections.append(Section(foot=as_sentences(self.notes)))
        data = {
            "method": self.method,
            "distance": None,
            "items": items,
            "annotators": annotators,
            "score": None if score is None else score.to_dict(),
            **self._described(),
            "notes": list(self.notes),
        }
        return Document("", sections, data, items)

    def to_dict(self) -> dict[str, object]:
        data = dict(self.document().data)
        return {name: plain_rows(entry) if isinstance(entry, Table) else entry for name, entry in data.items()}


def _annotators_section(annotators: Table, top: int, chance: float | None) -> Section:
    foot = [annotators.foot] if annotators.foot else []
    shown = replace(shown_names(annotators), title="", foot="")
    shown = relative(shown, chance, ("distance",), along=("to others", "shrunk"))
    count = len(shown)
    if "shrunk" not in shown.columns:  # of a crowd, the best first
        if count <= top:
            return Section("Annotators, the best first", table=shown, foot=foot)
        worst = Table({name: [*column][: -top - 1 : -1] for name, column in shown.columns.items()})
        return Section(f"The last {top} of {count:,} annotators, the worst first", table=worst, foot=foot)
    if count <= top:
        return Section("Annotators, the nearest to others first", table=shown)
    farthest = shown.sort("to others", descending=True).sort("shrunk", descending=True).head(top)
    return Section(f"The {top} farthest from others of {count:,} annotators", table=farthest)


def _shortened(items: Table, top: int) -> Table:
    some = replace(items if len(items) <= top else items.sort("confidence").head(top), title="", foot="")
    short = [shortened(cell(value), LONGEST) for value in some["value"]]
    return replace(some, columns={**some.columns, "value": short})


def nameless() -> KindError:
    """The error where a table of annotators is asked of a study that does not know them."""
    return KindError(
        "this study does not say who gave which value (it was made from counts), so there is no table of "
        "annotators; read the annotations themselves"
    )


@dataclass(frozen=True, repr=False, eq=False)
class Consensus(ConsensusAnswer):
    """One value for each item, how far the annotations are from it, and how near it comes to gold answers."""

    method: str
    within: Within
    item: Indices  # places of the items that have a consensus
    answer: Sequence[Value]  # their values
    support: Floats  # how many annotators stand behind each
    chosen: bool  # whether values are annotations, or made of them
    weight: Floats | None = None  # what each annotator weighs; None where all count alike
    notes: tuple[str, ...] = ()

    @property
    def values(self) -> dict[Item, Value]:
        """The consensus of each item."""
        return dict(zip(self._items(), self.answer, strict=True))

    @property
    def study(self) -> Annotations:
        """The annotations."""
        return self.within.study

    def _items(self) -> list[Item]:
        return [self.study.items[code] for code in self.item.tolist()]

    @cached_property
    def _distances(self) -> Floats:
        """How far each annotation is from the consensus of its item."""
        values, codes = with_further(self.study.values, self.answer)
        of_item = np.zeros(len(self.study.items), dtype=np.intp)
        of_item[self.item] = codes
        return self.within.apart(values)(self.within.value, of_item[self.within.item])

    @cached_property
    def _nearness(self) -> Nearness:
        return self.within.nearness(self.weight)

    def _means(self) -> Floats:
        sums = totals(self.within.item, self.within.share * self._distances, len(self.study.items))
        return np.asarray(sums[self.item] / self.within.size[self.item])

    def confidence(self) -> Floats:
        r"""How sure the consensus of each item is: $1 / (1 + d_i / \bar d)$, nan for an item with one annotator.

        $d_i$ is the mean distance of the annotators to the consensus, and $\bar d$ its mean over items: 1 where
        all gave the consensus, 1/2 on an item like the average one.  Where the consensus is one of the annotations,
        the annotator who gave it is left out of $d_i$.
        """
        size = self.within.size[self.item]
        d = self._means() * size / np.maximum(size - self.chosen, 1)
        several = size > 1
        typical = float(d[several].mean()) if several.any() else 0.0
        confidence = 1 / (1 + d / typical) if typical > 0 else np.ones(len(d))
        return np.where(several, confidence, np.nan)

    def table(self) -> Table:
        """For each item: the consensus, how many annotations it rests on and how many annotators support it.

        ``support`` is how many annotators gave the value; for merged objects, how many drew the average object.
        ``distance`` is the mean distance of the annotators to the consensus.
        """
        return Table(
            {
                "item": self._items(),
                "value": list(self.answer),
                "annotations": self.study.sizes()[self.item].tolist(),
                "support": self.support.tolist(),
                "distance": self._means().tolist(),
                "confidence": self.confidence().tolist(),
            },
            title=self.headline(),
            foot="; ".join(self.notes),
        )

    def annotators(self) -> Table:
        """For each annotator: items, mean distance to the consensus and to co-annotators, and weight.

        The distance to the consensus favours those whose annotations were chosen; that to the others does not.
        ``shrunk`` is the latter, pulled to the mean of all as far as it is uncertain.
        """
        if self.study.anonymous:
            raise nameless()
        people, within = self.within.people, self.within
        near = self._nearness
        items = totals(within.person, within.share, people)
        there = np.flatnonzero(items > 0)
        sums = totals(within.person, within.share * self._distances, people)
        weight = np.ones(people) if self.weight is None else self.weight
        columns: dict[str, Sequence[object]] = {
            "annotator": [self.study.annotators[code] for code in there.tolist()],
            "items": [round(number) for number in items[there].tolist()],
            "distance": (sums[there] / items[there]).tolist(),
            "to others": near.mean[there].tolist(),
            "shrunk": near.shrunk[there].tolist(),
            "weight": weight[there].tolist(),
        }
        return Table(columns, title=f"Annotators, by {self.distance} distance").sort("shrunk")

    def score(self, gold: Gold, distance: IntoDistance | None = None, *, level: float = 0.95) -> Score:
        """The mean distance to gold answers, beside that of a random annotator and of the best choice.

        Args:
            gold: A mapping of items to values, or a study with one annotation for each item.
            distance: Another distance than the one the consensus was made by.
            level: The level of the t interval over items.
        """
        check_level(level)
        known = answers(gold, self.study, self._items())
        within = self.within
        if distance is not None:
            within = Within(self.study, find(distance))
        has = np.array([item in known for item in self._items()], dtype=bool)
        item, names = self.item[has], [name for name in self._items() if name in known]
        values, codes = with_further(
            self.study.values,
            [
                *(value for value, there in zip(self.answer, has, strict=True) if there),
                *(known[name] for name in names),
            ],
        )
        ours, truth = codes[: len(names)], codes[len(names) :]
        place = np.full(len(self.study.items), -1, dtype=np.intp)
        place[item] = np.arange(len(item))
        rows = np.flatnonzero(place[within.item] >= 0)
        of = place[within.item[rows]]
        far = within.apart(values)(np.concatenate([ours, within.value[rows]]), np.concatenate([truth, truth[of]]))
        ours_far, all_far = far[: len(names)], far[len(names) :]
        random = totals(of, within.share[rows] * all_far, len(names)) / within.size[item]
        best = np.full(len(names), np.inf)
        np.minimum.at(best, of, all_far)
        distances = {"consensus": ours_far, "random annotator": random, "best choice": best}
        return Score(
            value=float(ours_far.mean()),
            random=float(random.mean()),
            oracle=float(best.mean()),
            items=len(names),
            missing=int((~has).sum()),
            unseen=len(known.keys() - set(names)),
            distance=str(within.distance),
            interval=over_items(ours_far, level, 1.0 if self.distance.bounded else math.inf),
            distances=distances,
            names=names,
            chance=within.chance,
        )

    def to_annotations(self) -> Annotations:
        """The consensus as a study of one annotator, to be measured against others or written to a file."""
        table = self.table()
        made = Annotations.from_columns(
            table["item"],
            [self.method] * len(table),
            table["value"],
            attributes={name: np.array(table[name]) for name in ("annotations", "support", "distance", "confidence")},
            provenance=self.study.provenance.then(Step("taken", self.headline(), len(table))),
        )
        return replace(made, of_kind=self.study.of_kind)

    @property
    def chance(self) -> float | None:
        return self.within.chance

    @property
    def distance(self) -> Distance:
        """The distance of values."""
        return self.within.distance

    def _described(self) -> Mapping[str, object]:
        return {"distance": str(self.distance)}

    def headline(self) -> str:
        return f"{self.method} of {counted(len(self.answer), 'item')} by {self.distance} distance"

    def __len__(self) -> int:
        return len(self.answer)

    def __str__(self) -> str:
        mean = float(self._means().mean()) / (self.chance or 1.0) if len(self.answer) else float("nan")
        means = "" if self.chance is None else " (1 is chance)"
        return f"{self.headline()}: the annotators are {mean:.3f} from it on average{means}"
