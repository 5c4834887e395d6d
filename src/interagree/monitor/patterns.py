r"""Items by what was said of them: each kind of item once, and the way from one to the next.

An item's pattern is how often it was given each value.  A label moves its item from one pattern to another, and the
way is remembered, so that the next label like it is one look into a dictionary.  With $m$ labels of its value there
already,

$$A \to A + 2m, \qquad B \to B + 3m(m-1), \qquad n \to n + 1$$

where $A = \sum_c n_c (n_c - 1)$ and $B = \sum_c n_c (n_c - 1)(n_c - 2)$.  The sums over all items with $n$ labels
follow from how many items each pattern has; they are brought up to date when somebody looks, from the patterns that
changed since.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, field

SPARE = 100_000  # counts that patterns without items may hold before they are cleared away


@dataclass(slots=True)
class CountStratum:
    """Whole numbers about all items with one number of labels."""

    items: int = 0
    a: int = 0  # the sum over items of A, ordered pairs of labels that agree
    b: int = 0  # … of B, ordered triples that agree
    values: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))  # labels by value


class Patterns:
    """All patterns met so far, how many items have each, and the sums by number of labels."""

    def __init__(self) -> None:
        self.counts: list[dict[int, int]] = [{}]
        self.size = array("q", [0])
        self.a: list[int] = [0]
        self.b: list[int] = [0]
        self.times: list[int] = [0]
        self._booked: list[int] = [0]
        self._touched: set[int] = set()
        self._place: dict[frozenset[tuple[int, int]], int] = {frozenset(): 0}
        self._more: dict[int, int] = {}
        self._less: dict[int, int] = {}
        self._strata: dict[int, CountStratum] = {}
        self._cells = 0  # how many counts all patterns hold together

    def with_one(self, pattern: int, value: int) -> int:
        """The pattern with one label more."""
        way = pattern << 32 | value
        target = self._more.get(way)
        if target is None:
            counts = dict(self.counts[pattern])
            m = counts.get(value, 0)
            counts[value] = m + 1
            a, b = self.a[pattern] + 2 * m, self.b[pattern] + 3 * m * (m - 1)
            target = self._more[way] = self._known(counts, self.size[pattern] + 1, a, b)
            self._less[target << 32 | value] = pattern
        return target

    def without(self, pattern: int, value: int) -> int:
        """The pattern with one label less."""
        way = pattern << 32 | value
        target = self._less.get(way)
        if target is None:
            counts = dict(self.counts[pattern])
            m = counts[value] - 1
            counts[value] = m
            if not m:
                del counts[value]
            a, b = self.a[pattern] - 2 * m, self.b[pattern] - 3 * m * (m - 1)
            target = self._less[way] = self._known(counts, self.size[pattern] - 1, a, b)
            self._more[target << 32 | value] = pattern
        return target

    def _known(self, counts: dict[int, int], size: int, a: int, b: int) -> int:
        name = frozenset(counts.items())
        target = self._place.get(name)
        if target is None:
            target = self._place[name] = len(self.counts)
            self.counts.append(counts)
            self.size.append(size)
            self.a.append(a)
            self.b.append(b)
            self.times.append(0)
            self._booked.append(0)
            self._cells += len(counts)
        return target

    def move(self, here: int, there: int, items: int = 1) -> None:
        """So many items go from one pattern to another."""
        self.times[here] -= items
        self.times[there] += items
        self._touched.add(here)
        self._touched.add(there)

    def strata(self) -> dict[int, CountStratum]:
        """The sums by number of labels, for the numbers that some item has."""
        for one in self._touched:
            change = self.times[one] - self._booked[one]
            if not change:
                continue
            self._booked[one] = self.times[one]
            stratum = self._strata.setdefault(self.size[one], CountStratum())
            stratum.items += change
            stratum.a += change * self.a[one]
            stratum.b += change * self.b[one]
            for value, times in self.counts[one].items():
                stratum.values[value] += change * times
        self._touched.clear()
        return {n: self._strata[n] for n in sorted(self._strata) if n and self._strata[n].items}

    def cluttered(self, labels: int) -> bool:
        """Whether patterns that were passed through take up more than the labels themselves."""
        return self._cells > SPARE + 8 * labels

    def tidied(self) -> tuple[Patterns, dict[int, int]]:
        """Only the patterns that items have, and the new place of each."""
        kept = Patterns()
        place = {0: 0}
        kept.times[0] = self.times[0]
        for one, times in enumerate(self.times):
            if one and times:
                place[one] = new = kept._known(self.counts[one], self.size[one], self.a[one], self.b[one])
                kept.times[new] = times
                kept._touched.add(new)
        return kept, place
