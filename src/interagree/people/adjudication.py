"""What every item is worth looking at; `interagree.people.queue` says by what formulas."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from interagree.arrays import Array, Floats, Indices
from interagree.crowd.medoids import medoids, shrink
from interagree.data.privacy import WHERE
from interagree.data.types import Value
from interagree.data.values import key, numbers
from interagree.findings.leave_one_out import LeaveOneOut, by_name
from interagree.people.texts import MOST, of_several, shortened, worded
from interagree.stats.engine.compress import totals
from interagree.tables import Table, cell

TURNS = 20  # how often items and annotators are found from each other
TYPES = ("tie", "one against all", "split", "all differ", "adjacent", "far")
ON_A_LINE = ("interval", "linear", "ordinal", "gwet_ordinal", "ratio", "radical")  # distances with a middle
SCORES = ("worth", "steps", "entropy", "rarity", "gap", "reliability", "disagreement", "difficulty", "from annotators")
OWN = ("rank", "item", "type", "annotations", "suggested", "labels", "answers", *SCORES, "source")


class RankedItems(NamedTuple):
    """The ranked items, how many were compared, and each item in words."""

    table: Table
    compared: int
    notes: tuple[str, ...]
    text: str | None
    in_words: Callable[[int], list[list[str]]]  # who said what of the first items, line by line


class QueuedItems(NamedTuple):
    """Items with disagreement, those to look at first in front, and what is known of every item."""

    codes: Indices
    columns: dict[str, Array]  # one entry for each item of the study
    differing: int  # items with disagreement
    compared: int  # items with two annotations or more


class Ranking:
    """What is known of every item."""

    def __init__(self, rest: LeaveOneOut, text: str | None) -> None:
        self.rest = rest
        self.text = text
        self.ordered = rest.study.kind == "ordered" and rest.distance.name in ON_A_LINE
        self.items = len(rest.study.items)
        self.to_others = np.nan_to_num(rest.distance_to_others())
        with np.errstate(all="ignore"):
            self.disagreement = totals(rest.item, self.to_others, self.items) / rest.size

    def _mean(self, entries: Floats, weight: Floats) -> Floats:
        """Means over the annotations of each item, weighed; 0 where nothing weighs."""
        sums, total = (totals(self.rest.item, column, self.items) for column in (entries * weight, weight))
        return np.where(total > 0, sums / np.where(total > 0, total, 1.0), 0.0)

    def chosen(self, top: int | None) -> QueuedItems:
        """The items with disagreement, those to look at first in front."""
        rest = self.rest
        compared = int(np.count_nonzero(rest.size > 1))
        columns = self._of_labels() if rest.labels else self._of_distances()
        columns |= self._two_ways()
        # Numbers may be of any scale, so that rounding errors are told from differences beside the largest of these.
        least = 1e-12 * (1.0 if rest.bounded else float(np.nan_to_num(self.disagreement).max(initial=0.0)))
        open_ = np.flatnonzero((rest.size > 1) & (self.disagreement > least))
        named = np.empty(self.items)
        named[by_name(rest.study.items)] = np.arange(self.items)
        second = columns["gap" if "gap" in columns else "disagreement"]
        order = np.lexsort((named[open_], *(-_rounded(column[open_]) for column in (second, columns["worth"]))))
        return QueuedItems(open_[order[:top]], columns, len(open_), compared)

    def ranked(self, top: int | None, sources: Sequence[str]) -> RankedItems:
        """The table of the items with disagreement, those to look at first on top."""
        chosen, columns, _, compared = self.chosen(top)
        table = self._table(chosen, columns, sources)
        notes = [*self.rest.notes]
        if self.ordered and len(chosen):
            notes.append(
                "the order of the values counts: adjacent answers are one step apart, and medians are suggested"
            )
        text = None if self.text is None else _free(self.text)
        return RankedItems(table, compared, tuple(notes), text, partial(self.in_words, chosen.tolist(), table))

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

    def _of_labels(self) -> dict[str, Array]:
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

    def _of_distances(self) -> dict[str, Array]:
        rest = self.rest
        best = rest.within.cells.value[medoids(rest.within).cell]
        middle = np.zeros(self.items, dtype=np.intp)
        middle[np.flatnonzero(rest.size > 0)] = best
        distance = rest.within.apart(rest.study.values)(rest.value, middle[rest.item])
        distance = distance / rest.largest if rest.bounded else distance
        gap, kinds = self._camps(distance)
        on_scale = self._on_scale() if self.ordered else {}
        reliable = self._mean(self._reliability()[rest.who], distance)
        return {
            "type": kinds,
            "worth": self.disagreement * reliable,
            "gap": gap,
            "reliability": reliable,
            "medoid": middle,
            **on_scale,
        }

    def _on_scale(self) -> dict[str, Array]:
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

    def _camps(self, distance: Floats) -> tuple[Floats, Array]:
        """The largest step between sorted distances to the medoid, and what lies beyond it."""
        rest = self.rest
        order = np.lexsort((distance, rest.item))
        item, sorted_far = rest.item[order], distance[order]
        same = item[1:] == item[:-1]
        step = np.where(same, sorted_far[1:] - sorted_far[:-1], 0.0)
        owner = item[1:]
        gap = np.zeros(self.items)
        np.maximum.at(gap, owner, step)
        size = rest.size.astype(np.intp)
        start = np.cumsum(size) - size
        before = np.full(self.items, -1, dtype=np.intp)  # the last place before the first largest step
        widest = np.flatnonzero(same & (step >= gap[owner] * (1 - 1e-12)) & (gap[owner] > 0))[::-1]
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

    def _two_ways(self) -> dict[str, Floats]:
        rest = self.rest
        rows = np.flatnonzero(rest.compared)
        item, who, y = rest.item[rows], rest.who[rows], self.to_others[rows]
        by_annotator = np.zeros(rest.people)
        n = np.bincount(item, minlength=self.items)
        for _ in range(TURNS if len(rows) else 0):
            by_item = totals(item, y - by_annotator[who], self.items) / np.maximum(n, 1)
            effects = shrink(y - by_item[item], who, rest.people)
            new = effects.shrunk - float(np.mean(effects.shrunk[who]))
            steady = float(np.max(np.abs(new - by_annotator), initial=0.0)) < 1e-9
            by_annotator = new
            if steady:
                break
        annotators_part = self._mean(by_annotator[rest.who], rest.compared.astype(np.float64))
        return {
            "disagreement": self.disagreement,
            "difficulty": self.disagreement - annotators_part,
            "from annotators": annotators_part,
        }

    def _table(self, chosen: Indices, columns: Mapping[str, Array], sources: Sequence[str]) -> Table:
        study = self.rest.study
        groups = self.rows_of(chosen)
        shown: dict[str, Sequence[object]] = {
            "rank": list(range(1, len(chosen) + 1)),
            "item": [study.items[code] for code in chosen.tolist()],
            "type": [*map(str, columns["type"][chosen])],
            "annotations": [len(rows) for rows in groups],
            "suggested": [self.suggested(code, columns) for code in chosen.tolist()],
            "labels": [self._tally(rows) for rows in groups],
            "answers": [self._answers(rows) for rows in groups],
        }
        for name in SCORES:
            if name in columns:
                shown[name] = columns[name][chosen].tolist()
        for name in study.attributes:
            column = study.attributes[name].tolist()
            shown[_free(str(name))] = [self._attribute([column[row] for row in rows], rows) for rows in groups]
        if sources:
            shown["source"] = ["; ".join(sources)] * len(chosen)
        return Table(shown)

    def in_words(self, chosen: Sequence[int], table: Table, most: int) -> list[list[str]]:
        """The first items, each with its text and who gave which value, line by line."""
        study = self.rest.study
        (value, _), (who, names) = self._texts, self._named
        places = study.attributes.get(WHERE)
        blocks = []
        for place, rows in enumerate(self.rows_of(np.array(chosen[:most], dtype=np.intp))):
            text = None if self.text is None else study.attributes[self.text][rows[0]]
            text = text if isinstance(text, str) else None
            suggested = table["suggested"][place]
            kind, rank = table["type"][place], table["rank"][place]
            hint = "" if suggested is None else f"; suggested: {shortened(worded(suggested, study.kind, text), 80)}"
            lines = [f"{rank}. {cell(study.items[chosen[place]])} ({kind}{hint})"]
            if text is not None:
                lines.append(f"   “{shortened(text)}”")
            given: dict[int, list[str]] = {}
            where: dict[int, list[str]] = {}
            for row in rows:
                given.setdefault(value[row], []).append(names[who[row]])
                where.setdefault(value[row], []).append(str(places[row]) if places is not None else "")
            order = sorted(given, key=lambda code: code if self.ordered else -len(given[code]))
            lines += [
                f"   {of_several(given[code])}: {shortened(worded(study.values[code], study.kind, text))}"
                + (f"  [{shortened('; '.join(where[code][:MOST]), 80)}]" if places is not None else "")
                for code in order
            ]
            blocks.append(lines)
        return blocks

    def rows_of(self, chosen: Indices) -> list[list[int]]:
        """The annotations of some items, in the order of the names of their annotators."""
        rest = self.rest
        rank = np.empty(max(rest.people, 1))
        rank[by_name(rest.study.annotators)] = np.arange(rest.people)
        order = np.lexsort((rank[rest.who], rest.item)) if len(rest.item) else np.zeros(0, dtype=np.intp)
        start = np.searchsorted(rest.item[order], np.arange(self.items + 1))
        return [order[start[code] : start[code + 1]].tolist() for code in chosen.tolist()]

    def suggested(self, code: int, columns: Mapping[str, Array]) -> Value:
        """The most common label, the median on a scale, or the medoid; None where labels are tied."""
        rest = self.rest
        if "medoid" in columns:
            if rest.distance.name in ON_A_LINE and rest.study.kind in ("ordered", "numbers"):
                return self._median(code, int(columns["medoid"][code]))
            return self._value(int(columns["medoid"][code]))
        here = slice(int(rest.cells.start[code]), int(rest.cells.start[code + 1]))
        votes = rest.cells.votes[here]
        if np.count_nonzero(votes == votes.max()) > 1:
            return None
        return self._value(int(rest.cells.value[here][np.argmax(votes)]))

    def _value(self, code: int) -> Value:
        value: Value = self.rest.study.values[code]
        return value

    def _median(self, code: int, medoid: int) -> Value:
        """The middle value of an item; None where two ordered values in the middle are level."""
        cells, study = self.rest.cells, self.rest.study
        here = slice(int(cells.start[code]), int(cells.start[code + 1]))
        votes = {int(value): int(often) for value, often in zip(cells.value[here], cells.votes[here], strict=True)}
        place = numbers(study.values) if study.kind == "numbers" else None
        ranked = sorted(votes, key=lambda value: value if place is None else place[value])
        line = [value for value in ranked for _ in range(votes[value])]
        low, high = line[(len(line) - 1) // 2], line[len(line) // 2]
        if low == high:
            return self._value(low)
        if place is not None:
            return self._value(high if medoid == high else low)
        if votes[low] == votes[high]:
            return None
        return self._value(low if votes[low] > votes[high] else high)

    @cached_property
    def _texts(self) -> tuple[list[int], list[str]]:
        return self.rest.value.tolist(), [cell(value) for value in self.rest.study.values]

    @cached_property
    def _named(self) -> tuple[list[int], list[str]]:
        return self.rest.who.tolist(), [str(name) for name in self.rest.study.annotators]

    def _tally(self, rows: list[int]) -> str:
        value, text = self._texts
        ranked = sorted(Counter(value[row] for row in rows).items(), key=lambda pair: (-pair[1], text[pair[0]]))
        return ", ".join(f"{text[code]} ×{number}" for code, number in ranked)

    def _answers(self, rows: list[int]) -> str:
        (value, text), (who, names) = self._texts, self._named
        return "; ".join(f"{names[who[row]]}: {text[value[row]]}" for row in rows)

    def _attribute(self, entries: list[object], rows: list[int]) -> object:
        """What a column says of an item: one entry where all are the same, else who has which."""
        if len({key(entry) if _hashable(entry) else str(entry) for entry in entries}) == 1:
            return entries[0]
        who, names = self._named
        return "; ".join(f"{names[who[row]]}: {_text(entry)}" for row, entry in zip(rows, entries, strict=True))


def _free(name: str) -> str:
    """What an attribute is called beside the queue's own columns."""
    return name if name not in OWN else f"column {name}"


def _hashable(entry: object) -> bool:
    return entry is None or isinstance(entry, str | int | float | bool)


def _text(entry: object) -> str:
    return "" if entry is None or (isinstance(entry, float) and math.isnan(entry)) else str(entry)


def _rounded(column: Floats) -> Floats:
    """Numbers without what differs by rounding errors, beside the largest of them."""
    largest = float(np.abs(column).max(initial=0.0))
    return np.round(column / largest, 12) if largest > 0 else column
