r"""The adjudication queue: items on which annotators differ, those that tell most first.

For labels an item is worth

$$H_i \cdot R_i \cdot W_i$$

$H_i$ is the entropy of its labels in bits.  Its *dissenters* are those who did not give the most common label, or,
where several labels are in front, all annotators.  $R_i$ is how rare their labels are: the mean of
$-\log_2 p_v$ over the dissenters, where $p_v$ is the share of the label in the study.  $W_i$ is how reliable they are:
the mean of their agreement with others, $(\sum s + 2 \bar s) / (n + 2)$ with $s$ the leave-one-out scores of `wawa`
and $\bar s$ their mean in the study.  A rare label by somebody who is usually right comes before a slip.

Under a distance an item is worth $\bar d_i \cdot W_i$: the mean distance of two of its annotations, and the reliability
of its annotators weighed by how far they are from the medoid; where distances have no bound, reliability is
$1 / (1 + \bar d_u / \bar d)$.  Of items worth the same the one with the larger *gap* comes first: sorted by their
distance to the medoid, annotations have a largest step between neighbours, which is large where there are camps.

Types of labels: *tie* (several labels in front), *one against all*, *all differ* (three or more, no two the same) and
*split*.  Under a distance, annotations beyond the gap are another camp if two or more stand on this side of it and the
gap is more than twice the largest distance to the medoid there: one beyond is *one against all*, several are a *split*.
Two annotations alone are a *tie*, and all else is *all differ*.

Ordered values have types of their own, since one step apart is not a disagreement like the ends of a scale: *adjacent*
(all answers within one step), *one against all* and *split* (two camps, each within one step, two steps or more apart)
and *far* (everything else).  *Steps* is how far the answers reach.  The suggestion is the median and not the most
common value; of two in the middle the more common one, and none where they are level.  Numbers have their median, too,
of two in the middle the medoid, or the lower one where it is neither.

Difficulty is told from carelessness by a two-way decomposition: of each annotation the mean distance to the others of
the item (for labels the share of others who differ) is the mean of all plus what the item adds plus what the annotator
adds, found by turns, annotators pulled to zero as far as they are uncertain.  *Difficulty* is what is left of an item's
disagreement without the annotators' part, and *from annotators* is that part: the two sum to *disagreement*.  Of an
item on which better annotators than most differ, difficulty may be above 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from interagree.aggregation.medoids import medoids, shrink
from interagree.arrays import Array, Floats, Indices
from interagree.data import IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.provenance import counted
from interagree.data.types import Values
from interagree.data.values import key, numbers
from interagree.declare import takes_data
from interagree.distances import IntoDistance
from interagree.errors import KindError
from interagree.people._files import write_table
from interagree.people._rest import Rest, by_name
from interagree.people._texts import of_several, shortened, text_column, worded
from interagree.stats.engine.compress import totals
from interagree.tables import Table, cell

TURNS = 20  # how often items and annotators are found from each other
TYPES = ("tie", "one against all", "split", "all differ", "adjacent", "far")
ON_A_LINE = (
    "interval",
    "linear",
    "ordinal",
    "gwet_ordinal",
    "ratio",
    "radical",
)  # distances under which there is a middle


OWN = (
    *(
        "rank",
        "item",
        "type",
        "annotations",
        "suggested",
        "labels",
        "answers",
        "worth",
        "steps",
        "entropy",
        "rarity",
    ),
    *("gap", "reliability", "disagreement", "difficulty", "from annotators", "source"),
)  # columns of a queue, beside those of the study


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Queue:
    """Items with disagreement, the one to look at first on top."""

    rows: Table
    compared: int  # items with two annotations or more
    notes: tuple[str, ...] = ()
    text: str | None = None  # the column of the table that holds the text of the items
    _said: Callable[[int], list[list[str]]] | None = field(default=None)

    def table(self) -> Table:
        """One row for each item: what makes it worth looking at, and who said what."""
        return self.rows

    def head(self, most: int) -> Table:
        """The first items."""
        return self.rows.head(most)

    def who_said_what(self, most: int = 10) -> str:
        """The first items one below the other: their text, and who gave which value."""
        blocks = [] if self._said is None else self._said(most)
        return "\n\n".join("\n".join(block) for block in blocks)

    def types(self) -> dict[str, int]:
        """How many items are of each type."""
        kinds = [*self.rows["type"]]
        return {name: kinds.count(name) for name in TYPES if name in kinds}

    def to_frame(self, library: str = "pandas") -> Any:
        """The queue as a data frame."""
        return self.rows.to_frame(library)

    def write(self, path: str | Path) -> None:
        """Write the queue; .csv, .tsv, .jsonl, .json or .xlsx says how."""
        write_table(self.rows, path)

    def headline(self) -> str:
        """What was found, in a sentence."""
        if not self.compared:
            return "There is nothing to adjudicate: no item has two annotators"
        if not len(self.rows):
            return f"There is nothing to adjudicate: on all {counted(self.compared, 'item')} the annotators agree"
        kinds = ", ".join(f"{name} {number:,}" for name, number in self.types().items())
        return f"{len(self.rows):,} of {counted(self.compared, 'item')} with disagreement: {kinds}"

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Queue: {self.headline()}>"

    def __str__(self) -> str:
        return f"{self.headline()}."

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()


@takes_data
def disagreements(
    data: IntoAnnotations,
    *others: Values,
    distance: IntoDistance | None = None,
    top: int | None = None,
    text: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> Queue:
    """The items on which annotators differ, ranked by what looking at them tells, with who said what.

    Args:
        data: Annotations.
        distance: How far apart values are; by default the usual distance of the kind of value.
        top: How many items to list; all by default.
        text: The column that holds the text of the items; by default one that is called so or looks like it.
    """
    if top is not None and top < 1:
        raise KindError(f"top is a number of items from 1 up, got {top!r}")
    study = as_annotations(data)
    rest = Rest.of(study, distance, "a queue of disagreements")
    return _Ranking(rest, text_column(study, text)).queue(top, study.provenance.sources)


class _Ranking:
    """What is known of every item."""

    def __init__(self, rest: Rest, text: str | None) -> None:
        self.rest = rest
        self.text = text
        self.ordered = rest.study.kind == "ordered" and rest.distance.name in ON_A_LINE
        self.items = len(rest.study.items)
        self.far = np.nan_to_num(rest.apart())
        with np.errstate(all="ignore"):
            self.disagreement = totals(rest.item, self.far, self.items) / rest.size

    def _mean(self, entries: Floats, weight: Floats) -> Floats:
        """Means over the annotations of each item, weighed; 0 where nothing weighs."""
        sums, whole = (totals(self.rest.item, one, self.items) for one in (entries * weight, weight))
        return np.where(whole > 0, sums / np.where(whole > 0, whole, 1.0), 0.0)

    def queue(self, top: int | None, sources: Sequence[str]) -> Queue:
        """The ranked items."""
        rest = self.rest
        compared = int(np.count_nonzero(rest.size > 1))
        columns = self._of_labels() if rest.labels else self._of_distances()
        columns |= self._two_ways()
        open_ = np.flatnonzero((rest.size > 1) & (self.disagreement > 1e-12))
        named = np.empty(self.items)
        named[by_name(rest.study.items)] = np.arange(self.items)
        second = columns["gap" if "gap" in columns else "disagreement"]
        order = np.lexsort(
            (named[open_], -np.round(second[open_], 12), -np.round(columns["worth"][open_], 12))
        )
        chosen = open_[order[:top]]
        table = self._table(chosen, columns, sources)
        notes = [*rest.notes]
        if self.ordered and len(chosen):
            notes.append(
                "the order of the values counts: adjacent answers are one step apart, and medians are suggested"
            )
        shown = None if self.text is None else _free(self.text)
        return Queue(
            table, compared, tuple(notes), shown, lambda most: self._blocks(chosen[:most].tolist(), table)
        )

    def _reliability(self) -> Floats:
        rest, score = self.rest, self.rest.others("split").score
        there = rest.compared
        sums = totals(rest.who[there], score[there], rest.people)
        n = np.bincount(rest.who[there], minlength=rest.people)
        overall = float(sums.sum() / max(n.sum(), 1))
        mean = (sums + 2 * overall) / (n + 2)
        if rest.bounded:
            return mean
        return 1 / (1 + mean / overall) if overall > 0 else np.ones(len(mean))

    # -- labels ----------------------------------------------------------------------------------------------

    def _of_labels(self) -> dict[str, Any]:
        rest, front, cells = self.rest, self.rest.front, self.rest.cells
        share = cells.votes / rest.size[cells.item]
        entropy = np.maximum(totals(cells.item, -share * np.log2(share), self.items), 0.0)
        often = np.bincount(rest.value, minlength=len(rest.study.values)) / max(len(rest.value), 1)
        rare = -np.log2(np.where(often > 0, often, 1.0))
        dissent = ((rest.count < front.votes[rest.item]) | (front.shared[rest.item] > 1)).astype(np.float64)
        rarity = self._mean(rare[rest.value], dissent)
        reliable = self._mean(self._reliability()[rest.who], dissent)
        distinct = cells.start[1:] - cells.start[:-1]
        kinds = np.select(
            [
                (distinct == rest.size) & (rest.size >= 3),
                front.shared > 1,
                (front.votes == rest.size - 1) & (rest.size >= 3),
            ],
            [TYPES[3], TYPES[0], TYPES[1]],
            TYPES[2],
        )
        return {
            "type": kinds,
            "worth": entropy * rarity * reliable,
            "entropy": entropy,
            "rarity": rarity,
            "reliability": reliable,
        }

    # -- distances -------------------------------------------------------------------------------------------

    def _of_distances(self) -> dict[str, Any]:
        rest = self.rest
        best = rest.within.cells.value[medoids(rest.within).cell]
        middle = np.zeros(self.items, dtype=np.intp)
        middle[np.flatnonzero(rest.size > 0)] = best
        far = rest.within.apart(rest.study.values)(rest.value, middle[rest.item])
        far = far / rest.largest if rest.bounded else far
        gap, kinds = self._camps(far)
        on_scale = self._on_scale() if self.ordered else {}
        reliable = self._mean(self._reliability()[rest.who], far)
        return {
            "type": kinds,
            "worth": self.disagreement * reliable,
            "gap": gap,
            "reliability": reliable,
            "medoid": middle,
            **on_scale,
        }

    def _on_scale(self) -> dict[str, Any]:
        """Of ordered values how many steps the answers of an item reach, and what type that makes it."""
        rest = self.rest
        order = np.lexsort((rest.value, rest.item))
        item, place = rest.item[order], rest.value[order]
        size = rest.size.astype(np.intp)
        start = np.cumsum(size) - size
        last = np.maximum(start + size - 1, 0)
        there = size > 0
        reach = np.zeros(self.items, dtype=np.intp)
        reach[there] = place[last[there]] - place[start[there]]
        step = np.where(item[1:] == item[:-1], place[1:] - place[:-1], 0)
        widest = np.zeros(self.items, dtype=np.intp)
        np.maximum.at(widest, item[1:], step)
        before = start.copy()  # the last place before the first widest step
        at = np.flatnonzero((step == widest[item[1:]]) & (step > 0))[::-1]
        before[item[1:][at]] = at
        low, high = np.zeros(self.items, dtype=np.intp), np.zeros(self.items, dtype=np.intp)
        two = np.flatnonzero(widest > 0)
        low[two] = place[before[two]] - place[start[two]]
        high[two] = place[last[two]] - place[before[two] + 1]
        below = before - start + 1
        clear = (widest >= 2) & (low <= 1) & (high <= 1) & (size >= 3)
        alone = np.minimum(below, size - below) == 1
        kinds = np.select([reach <= 1, clear & alone, clear], ["adjacent", "one against all", "split"], "far")
        return {"type": kinds, "steps": reach}

    def _camps(self, far: Floats) -> tuple[Floats, Array]:
        """The largest step between sorted distances to the medoid, and what lies beyond it."""
        rest = self.rest
        order = np.lexsort((far, rest.item))
        item, sorted_far = rest.item[order], far[order]
        same = item[1:] == item[:-1]
        step = np.where(same, sorted_far[1:] - sorted_far[:-1], 0.0)
        owner = item[1:]
        gap = np.zeros(self.items)
        np.maximum.at(gap, owner, step)
        size = rest.size.astype(np.intp)
        start = np.cumsum(size) - size
        before = np.full(self.items, -1, dtype=np.intp)  # the last place before the first largest step
        widest = np.flatnonzero(same & (step >= gap[owner] - 1e-12) & (gap[owner] > 0))[::-1]
        before[owner[widest]] = widest
        near = np.where(before >= 0, sorted_far[np.maximum(before, 0)] if len(sorted_far) else 0.0, 0.0)
        beyond = np.where(before >= 0, start + size - 1 - before, 0)
        clear = (before - start >= 1) & (gap > 2 * near)
        kinds = np.select(
            [clear & (beyond == 1) & (size >= 3), clear & (size >= 3), size == 2],
            [TYPES[1], TYPES[2], TYPES[0]],
            TYPES[3],
        )
        return gap, kinds

    # -- difficulty ------------------------------------------------------------------------------------------

    def _two_ways(self) -> dict[str, Floats]:
        rest = self.rest
        rows = np.flatnonzero(rest.compared)
        item, who, y = rest.item[rows], rest.who[rows], self.far[rows]
        by_annotator = np.zeros(rest.people)
        n = np.bincount(item, minlength=self.items)
        for _ in range(TURNS if len(rows) else 0):
            by_item = totals(item, y - by_annotator[who], self.items) / np.maximum(n, 1)
            found = shrink(y - by_item[item], who, rest.people)
            new = found.shrunk - float(np.mean(found.shrunk[who]))
            steady = float(np.max(np.abs(new - by_annotator), initial=0.0)) < 1e-9
            by_annotator = new
            if steady:
                break
        theirs = self._mean(by_annotator[rest.who], rest.compared.astype(np.float64))
        return {
            "disagreement": self.disagreement,
            "difficulty": self.disagreement - theirs,
            "from annotators": theirs,
        }

    # -- the table -------------------------------------------------------------------------------------------

    def _table(self, chosen: Indices, columns: dict[str, Any], sources: Sequence[str]) -> Table:
        study = self.rest.study
        groups = self._rows_of(chosen)
        shown: dict[str, Sequence[Any]] = {
            "rank": list(range(1, len(chosen) + 1)),
            "item": [study.items[code] for code in chosen.tolist()],
            "type": [str(one) for one in columns["type"][chosen]],
            "annotations": [len(rows) for rows in groups],
            "suggested": [self._suggested(code, columns) for code in chosen.tolist()],
            "labels": [self._tally(rows) for rows in groups],
            "answers": [self._answers(rows) for rows in groups],
        }
        for name in (
            "worth",
            "steps",
            "entropy",
            "rarity",
            "gap",
            "reliability",
            "disagreement",
            "difficulty",
            "from annotators",
        ):
            if name in columns:
                shown[name] = columns[name][chosen].tolist()
        for name in study.attributes:
            column = study.attributes[name].tolist()
            shown[_free(str(name))] = [
                self._attribute([column[row] for row in rows], rows) for rows in groups
            ]
        if sources:
            shown["source"] = ["; ".join(sources)] * len(chosen)
        return Table(shown)

    def _blocks(self, chosen: Sequence[int], table: Table) -> list[list[str]]:
        """Each item with its text and who gave which value, line by line."""
        study = self.rest.study
        (value, _), (who, names) = self._said, self._named
        blocks = []
        for place, rows in enumerate(self._rows_of(np.array(chosen, dtype=np.intp))):
            text = None if self.text is None else study.attributes[self.text][rows[0]]
            text = text if isinstance(text, str) else None
            suggested = table["suggested"][place]
            kind, rank = table["type"][place], table["rank"][place]
            hint = (
                ""
                if suggested is None
                else f"; suggested: {shortened(worded(suggested, study.kind, text), 80)}"
            )
            lines = [f"{rank}. {study.items[chosen[place]]} ({kind}{hint})"]
            if text is not None:
                lines.append(f"   “{shortened(text)}”")
            given: dict[int, list[str]] = {}
            for row in rows:
                given.setdefault(value[row], []).append(names[who[row]])
            order = sorted(given, key=lambda code: code if self.ordered else -len(given[code]))
            lines += [
                f"   {of_several(given[code])}: {shortened(worded(study.values[code], study.kind, text))}"
                for code in order
            ]
            blocks.append(lines)
        return blocks

    def _rows_of(self, chosen: Indices) -> list[list[int]]:
        """The annotations of each item, by the names of the annotators."""
        rest = self.rest
        rank = np.empty(max(rest.people, 1))
        rank[by_name(rest.study.annotators)] = np.arange(rest.people)
        order = np.lexsort((rank[rest.who], rest.item)) if len(rest.item) else np.zeros(0, dtype=np.intp)
        start = np.searchsorted(rest.item[order], np.arange(self.items + 1))
        return [order[start[code] : start[code + 1]].tolist() for code in chosen.tolist()]

    def _suggested(self, code: int, columns: dict[str, Any]) -> Any:
        """The most common label, the median on a scale, or the medoid; None where labels are tied."""
        rest = self.rest
        if "medoid" in columns:
            if rest.distance.name in ON_A_LINE and rest.study.kind in ("ordered", "numbers"):
                return self._median(code, int(columns["medoid"][code]))
            return rest.study.values[int(columns["medoid"][code])]
        here = slice(int(rest.cells.start[code]), int(rest.cells.start[code + 1]))
        votes = rest.cells.votes[here]
        if np.count_nonzero(votes == votes.max()) > 1:
            return None
        return rest.study.values[int(rest.cells.value[here][np.argmax(votes)])]

    def _median(self, code: int, medoid: int) -> Any:
        """The middle value of an item; None where two ordered values in the middle are level."""
        cells, study = self.rest.cells, self.rest.study
        here = slice(int(cells.start[code]), int(cells.start[code + 1]))
        votes = {
            int(value): int(often) for value, often in zip(cells.value[here], cells.votes[here], strict=True)
        }
        place = numbers(study.values) if study.kind == "numbers" else None
        ranked = sorted(votes, key=lambda value: value if place is None else place[value])
        line = [value for value in ranked for _ in range(votes[value])]
        low, high = line[(len(line) - 1) // 2], line[len(line) // 2]
        if low == high:
            return study.values[low]
        if place is not None:
            return study.values[high if medoid == high else low]
        if votes[low] == votes[high]:
            return None
        return study.values[low if votes[low] > votes[high] else high]

    @cached_property
    def _said(self) -> tuple[list[int], list[str]]:
        """The value of each annotation, and every value as text."""
        return self.rest.value.tolist(), [cell(value) for value in self.rest.study.values]

    @cached_property
    def _named(self) -> tuple[list[int], list[str]]:
        """The annotator of each annotation, and the names."""
        return self.rest.who.tolist(), [str(name) for name in self.rest.study.annotators]

    def _tally(self, rows: list[int]) -> str:
        value, text = self._said
        ranked = sorted(
            Counter(value[row] for row in rows).items(), key=lambda pair: (-pair[1], text[pair[0]])
        )
        return ", ".join(f"{text[code]} ×{number}" for code, number in ranked)

    def _answers(self, rows: list[int]) -> str:
        (value, text), (who, names) = self._said, self._named
        return "; ".join(f"{names[who[row]]}: {text[value[row]]}" for row in rows)

    def _attribute(self, entries: list[Any], rows: list[int]) -> Any:
        """What a column says of an item: one entry where all are the same, else who has which."""
        if len({key(one) if _hashable(one) else str(one) for one in entries}) == 1:
            return entries[0]
        who, names = self._named
        return "; ".join(f"{names[who[row]]}: {_text(one)}" for row, one in zip(rows, entries, strict=True))


def _free(name: str) -> str:
    """What an attribute is called beside the queue's own columns."""
    return name if name not in OWN else f"column {name}"


def _hashable(entry: Any) -> bool:
    return entry is None or isinstance(entry, str | int | float | bool)


def _text(entry: Any) -> str:
    return "" if entry is None or (isinstance(entry, float) and math.isnan(entry)) else str(entry)
