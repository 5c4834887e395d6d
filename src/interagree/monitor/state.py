r"""The state of a running study: every label so far, and what follows from them in whole numbers.

A label costs the same whether it is the tenth or the ten-millionth: its item moves to the next pattern (see
`patterns`).  Sums are whole numbers, so that adding and removing in any order, and merging, gives exactly what a
new count would give.

**The first two labels.**  Each item's first two labels, as they were first given, agree or not; `first_two` counts
them.  A correction (`relabel`, or ``duplicates="last"``) changes the coefficients and not this number, because
corrections often come from looking at what the others said.  Removing one of the two takes it back as if it had
never been given: the item's number is then that of the first two labels left, or none.  Who removes labels
*because* they disagree loses what the interval promises.
With ``duplicates="keep"`` the first two may be by one annotator, and say how far she agrees with herself.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from interagree.arrays import Int32s
from interagree.data import Annotations
from interagree.data.columns import coded
from interagree.data.repeated import Duplicates
from interagree.data.values import in_order, is_missing, plain
from interagree.errors import DataError, DuplicateAnnotation, KindError, UnknownName, listing, suggestion
from interagree.monitor import days, saved
from interagree.monitor.chart import Alert, By, Log, control_chart, out_of_bounds
from interagree.monitor.patterns import Patterns, Stratum
from interagree.monitor.sequence import FirstTwo, always
from interagree.plugins import MEASURES
from interagree.results.agreement import Agreement, Sizes
from interagree.stats.engine.weights import Observed
from interagree.stats.labels.counts import DENSE, Counts
from interagree.stats.labels.item_agreement import SCHEMES, TYPICAL_BETWEEN, TYPICAL_WITHIN
from interagree.tables import Table

if TYPE_CHECKING:
    import os

COEFFICIENTS = ("percent", "fleiss_kappa", "alpha", "ac1", "bennett_s")
FEW = 32  # labels that are sooner dealt with one by one than as arrays


_BOOL = object()  # True is not 1
_SIMPLE = frozenset({str, int})  # kinds of names that are their own key


class Monitor:
    """Agreement while annotation runs: takes labels one by one, and knows after each where the study stands.

    Args:
        values: All values that could be given, also those that nobody has used yet; in order, where there is one.
        ordered: Whether the order of the values means something.
        duplicates: What to do when an annotator labels an item again: stop with an error, take the first or the last,
            or keep all as further labels.
    """

    def __init__(
        self,
        *,
        values: Sequence[Any] | None = None,
        ordered: bool = False,
        duplicates: Duplicates = "error",
    ) -> None:
        if duplicates not in get_args(Duplicates):
            raise KindError(f"duplicates must be one of {listing(get_args(Duplicates))}, got {duplicates!r}")
        self.duplicates: Duplicates = duplicates
        self.ordered = ordered
        self.declared = None if values is None else tuple(map(plain, values))
        self.skipped = 0  # labels without a value, which count for nothing
        self.extra: dict[str, Any] = {}  # anything JSON can hold, to be saved with the state
        self._items = _Names("item")
        self._annotators = _Names("annotator")
        self._values = _Names("value")
        self._batches = _Names("batch")
        self._patterns = Patterns()
        self._pattern = array("i")  # of each item
        self._head, self._tail = array("i"), array("i")  # each item's first and last label, -1 for none
        self._labels = _Labels()
        self._last: dict[
            int, int
        ] = {}  # the label of an item and an annotator, the latest where there are several
        self._by_annotator: list[int] = []  # how many labels each has given
        self._pairs = self._agreeing = self._count = 0
        self._made: dict[str, Any] = {}  # what was worked out since the last change
        if self.declared is not None:
            for value in self.declared:
                self._values.code(value)
            if len(self._values.names) < len(self.declared):
                raise DataError(f"a value is declared twice: {listing(self.declared)}")
            if not any(isinstance(value, str) for value in self.declared):
                # Values read from text are strings; declared as numbers they are the strings that spell them.
                for code, value in enumerate(self.declared):
                    self._values.place.setdefault(str(value), code)

    # -- one label ---------------------------------------------------------------------------------------------

    def add(
        self,
        item: Hashable,
        annotator: Hashable,
        value: Any,
        *,
        at: Any = None,
        batch: Hashable | None = None,
    ) -> None:
        """One more label.

        Args:
            item: What was labelled.
            annotator: Who labelled it.
            value: What was said; None and NaN are no label and are only counted, in ``skipped``.
            at: When: a date, a datetime, ISO text or seconds since 1970.  Its day is kept.
            batch: The batch the label belongs to.
        """
        if type(value) not in _SIMPLE and is_missing(value):
            self.skipped += 1
            return
        v = self._value(value)
        i, a = self._item(item), self._annotator(annotator)
        b = -1 if batch is None else self._batches.code(batch)
        day = 0 if at is None else days.day(at)
        there = self._last.get(i << 32 | a)
        if there is None or self.duplicates == "keep":
            self._new(i, a, v, b, day)
        else:
            self._again(i, a, v, there)

    def _again(self, i: int, a: int, v: int, there: int) -> None:
        if self.duplicates == "error":
            raise self._twice(i, a)
        if self.duplicates == "last":
            self._change(there, v)

    def _twice(self, i: int, a: int) -> DuplicateAnnotation:
        return DuplicateAnnotation(
            f"annotator {self._annotators.names[a]!r} labelled item {self._items.names[i]!r} before; give each label "
            "once, or pass duplicates='first', 'last' or 'keep'"
        )

    def _new(self, i: int, a: int, v: int, b: int, day: int) -> None:
        labels = self._labels
        slot = labels.append(i, a, v, b, day)
        self._last[i << 32 | a] = slot
        here = self._pattern[i]
        if here:
            labels.following[self._tail[i]] = slot
            if self._patterns.size[here] == 1:
                self._pairs += 1
                self._agreeing += labels.said[self._head[i]] == v
        else:
            self._head[i] = slot
        self._tail[i] = slot
        self._by_annotator[a] += 1
        self._count += 1
        self._step(i, here, self._patterns.with_one(here, v))

    def _step(self, i: int, here: int, there: int) -> None:
        self._pattern[i] = there
        self._patterns.move(here, there)
        self._made.clear()
        if self._patterns.cluttered(self._count):
            self._tidy()

    def _tidy(self) -> None:
        self._patterns, place = self._patterns.tidied()
        self._pattern = array("i", [place[one] for one in self._pattern])

    def _change(self, slot: int, v: int) -> None:
        labels = self._labels
        i, before = labels.item[slot], labels.value[slot]
        if before != v:
            labels.value[slot] = v
            here = self._pattern[i]
            between = self._patterns.without(here, before)
            self._step(i, here, self._patterns.with_one(between, v))

    def relabel(self, item: Hashable, annotator: Hashable, value: Any) -> None:
        """Another value for a label that is there; the first two labels of the item stay as they were first given."""
        if is_missing(value):
            raise DataError(f"{value!r} is no value; to take a label back, call remove")
        self._change(self._there(item, annotator), self._value(value))

    def remove(self, item: Hashable, annotator: Hashable) -> None:
        """Take a label back, as if it had never been given; the latest where there are several."""
        slot = self._there(item, annotator)
        labels = self._labels
        i, a = labels.item[slot], labels.annotator[slot]
        self._count_pair(i, -1)
        before, same, one = -1, -1, self._head[i]
        while one != slot:
            if labels.annotator[one] == a:
                same = one
            before, one = one, labels.following[one]
        after = labels.following[slot]
        if before < 0:
            self._head[i] = after
        else:
            labels.following[before] = after
        if after < 0:
            self._tail[i] = before
        if same < 0:
            del self._last[i << 32 | a]
        else:
            self._last[i << 32 | a] = same
        here = self._pattern[i]
        there = self._patterns.without(here, labels.value[slot])
        labels.value[slot] = -1
        self._by_annotator[a] -= 1
        self._count -= 1
        self._step(i, here, there)
        self._count_pair(i, +1)

    def _count_pair(self, i: int, sign: int) -> None:
        if self._patterns.size[self._pattern[i]] >= 2:
            said, first = self._labels.said, self._head[i]
            self._pairs += sign
            self._agreeing += sign * (said[first] == said[self._labels.following[first]])

    def _there(self, item: Hashable, annotator: Hashable) -> int:
        i, a = self._items.find(item), self._annotators.find(annotator)
        slot = None if i is None or a is None else self._last.get(i << 32 | a)
        if slot is None:
            raise DataError(
                f"annotator {annotator!r} has not labelled item {item!r}, so there is nothing to change"
            )
        return slot

    def _value(self, value: Any) -> int:
        if self.declared is None:
            return self._values.code(value)
        found = self._values.find(value)
        if found is None:
            raise DataError(
                f"{value!r} was given and not declared; the declared values are {listing(self.declared)}. Declare all "
                "of them, or correct the data"
            )
        return found

    def _item(self, name: Any) -> int:
        code = self._items.code(name)
        if code == len(self._pattern):
            self._new_items(1)
        return code

    def _new_items(self, count: int) -> None:
        self._pattern.extend([0] * count)
        self._head.extend([-1] * count)
        self._tail.extend([-1] * count)
        self._patterns.times[0] += count

    def _annotator(self, name: Any) -> int:
        code = self._annotators.code(name)
        if code == len(self._by_annotator):
            self._by_annotator.append(0)
        return code

    # -- many labels -------------------------------------------------------------------------------------------

    def extend(
        self,
        items: Iterable[Any],
        annotators: Iterable[Any],
        values: Iterable[Any],
        *,
        at: Iterable[Any] | None = None,
        batch: Iterable[Any] | None = None,
    ) -> None:
        """Many labels at once, with the same outcome as one after the other; where one is wrong, none is taken."""
        value = coded(values)
        rows = len(value)
        day = np.zeros(rows, dtype=np.int32) if at is None else days.many(at)
        i, a = self._items.column(items), self._annotators.column(annotators)
        self._new_items(len(self._items.names) - len(self._pattern))
        self._by_annotator.extend([0] * (len(self._annotators.names) - len(self._by_annotator)))
        b = np.full(rows, -1, dtype=np.int32) if batch is None else self._batches.column(batch)
        for name, column in (("items", i), ("annotators", a), ("at", day), ("batch", b)):
            if len(column) != rows:
                raise DataError(
                    f"the columns must be of one length; values has {rows} entries and {name} has {len(column)}"
                )
        keep = value.codes >= 0
        for name, column in (("item", i), ("annotator", a)):
            if (column[keep] < 0).any():
                raise DataError(f"entry {int(np.argmax(keep & (column < 0)))} has a value and no {name}")
        used = np.zeros(len(value.names) + 1, dtype=bool)
        used[value.codes[keep]] = True
        v = np.array(
            [self._value(name) if there else -1 for name, there in zip(value.names, used, strict=False)],
            np.int32,
        )
        self._take(i[keep], a[keep], v[value.codes[keep]], b[keep], day[keep])
        self.skipped += rows - int(np.count_nonzero(keep))

    def _take(  # noqa: PLR0917 -- the columns of labels
        self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, said: Int32s | None = None
    ) -> None:
        """Labels as codes, with the policy for duplicates."""
        keys = (i.astype(np.int64) << 32 | a).tolist()
        if self.duplicates == "keep" or (len(set(keys)) == len(keys) and self._last.keys().isdisjoint(keys)):
            self._append(i, a, v, b, day, keys, v if said is None else said)
            return
        seen: set[int] = set()
        fresh = np.zeros(len(keys), dtype=bool)
        for row, one in enumerate(keys):
            if one not in seen and one not in self._last:
                fresh[row] = True
                seen.add(one)
            elif self.duplicates == "error":
                raise self._twice(one >> 32, one & 0xFFFFFFFF)
        said = v if said is None else said
        new = [one for one, is_fresh in zip(keys, fresh.tolist(), strict=True) if is_fresh]
        self._append(i[fresh], a[fresh], v[fresh], b[fresh], day[fresh], new, said[fresh])
        if self.duplicates == "last":
            for row in np.flatnonzero(~fresh).tolist():
                self._change(self._last[keys[row]], int(v[row]))

    def _append(  # noqa: PLR0917 -- the columns of labels
        self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, keys: list[int], said: Int32s
    ) -> None:
        """New labels, none of which repeats another (unless all are kept)."""
        if not len(i):
            return
        start = len(self._labels)
        self._labels.extend(i, a, v, b, day, said)
        self._last.update(zip(keys, range(start, start + len(keys)), strict=True))
        for one, times in zip(*(part.tolist() for part in np.unique(a, return_counts=True)), strict=True):
            self._by_annotator[one] += times
        self._count += len(i)
        order = np.argsort(i, kind="stable")
        grouped = i[order]
        first = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]])
        sizes = np.diff(np.r_[first, len(grouped)])
        self._chain(grouped[first], order, first, sizes, start, said)
        self._walk(i, v, order, np.arange(len(order)) - np.repeat(first, sizes))
        self._made.clear()

    def _chain(  # noqa: PLR0917 -- one step of _append
        self, items: Int32s, order: Any, first: Any, sizes: Any, start: int, said: Int32s
    ) -> None:
        """Put new labels behind those that their items have, and see which items now have their first two."""
        slots = order + start
        following = np.frombuffer(self._labels.following, dtype=np.int32)
        inside = np.ones(len(order), dtype=bool)
        inside[first] = False
        following[slots[:-1][inside[1:]]] = slots[1:][inside[1:]]
        head, tail = np.frombuffer(self._head, dtype=np.int32), np.frombuffer(self._tail, dtype=np.int32)
        before = np.frombuffer(self._patterns.size, dtype=np.int64)[
            np.frombuffer(self._pattern, dtype=np.int32)[items]
        ]
        some = before > 0
        following[tail[items[some]]] = slots[first[some]]
        single = before == 1
        spoken = np.frombuffer(self._labels.said, dtype=np.int32)
        agree = np.count_nonzero(spoken[head[items[single]]] == said[order[first[single]]])
        head[items[~some]] = slots[first[~some]]
        tail[items] = slots[first + sizes - 1]
        both = ~some & (sizes > 1)
        agree += np.count_nonzero(said[order[first[both]]] == said[order[first[both] + 1]])
        self._pairs += int(np.count_nonzero(single) + np.count_nonzero(both))
        self._agreeing += int(agree)

    def _walk(self, i: Int32s, v: Int32s, order: Any, rank: Any) -> None:
        """Move items to their new patterns: all first new labels together, then all second ones, and so on."""
        turn = order[np.argsort(rank, kind="stable")]
        ends = np.cumsum(np.bincount(rank)).tolist()
        patterns, done = self._patterns, 0
        pattern = np.frombuffer(self._pattern, dtype=np.int32)
        for end in ends:
            if end - done < FEW:
                break
            rows = turn[done:end]
            way = pattern[i[rows]].astype(np.int64) << 32 | v[rows]
            ways, place, times = np.unique(way, return_inverse=True, return_counts=True)
            there = np.empty(len(ways), dtype=np.int32)
            for number, (one, items) in enumerate(zip(ways.tolist(), times.tolist(), strict=True)):
                there[number] = patterns.with_one(one >> 32, one & 0xFFFFFFFF)
                patterns.move(one >> 32, int(there[number]), items)
            pattern[i[rows]] = there[place]
            done = end
        del pattern  # an array that lends its memory cannot grow
        rest = turn[done:]
        for one, value in zip(i[rest].tolist(), v[rest].tolist(), strict=True):
            here = self._pattern[one]
            self._step(one, here, self._patterns.with_one(here, value))
        if self._patterns.cluttered(self._count):
            self._tidy()

    def merge(self, other: Monitor) -> None:
        """Take over all labels of another monitor, behind those that are here; items may be in both.

        An annotator who labelled one item in both is a duplicate, and dealt with as such.
        """
        if not isinstance(other, Monitor):
            raise KindError(f"a monitor can be merged with another monitor, not with {type(other).__name__}")
        i, a, v, b, day, said = other._columns()
        # Only names that labels use, so that what was removed there leaves no trace here.
        places = {code: self._value(other._values.names[code]) for code in {*v.tolist(), *said.tolist()}}
        item = self._items.codes(other._items.names)
        self._new_items(len(self._items.names) - len(self._pattern))
        annotator = self._annotators.codes(other._annotators.names)
        self._by_annotator.extend([0] * (len(self._annotators.names) - len(self._by_annotator)))
        batch = np.append(self._batches.codes(other._batches.names), np.int32(-1))
        value = np.zeros(len(other._values.names) + 1, dtype=np.int32)
        for code, place in places.items():
            value[code] = place
        self._take(item[i], annotator[a], value[v], batch[b], day, value[said])
        self.skipped += other.skipped

    # -- what they say -----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<Monitor: {self._count:,} labels on {self.n}>"

    @property
    def n(self) -> Sizes:
        """How many items have a label, how many annotators gave one, and how many labels there are."""
        items = len(self._pattern) - self._patterns.times[0]
        return Sizes(items, sum(1 for times in self._by_annotator if times), self._count)

    def strata(self) -> dict[int, Stratum]:
        """For each number of labels that items have: items, and sums of A, of its square, of B, and by value."""
        return self._patterns.strata()

    def exact(self, name: str = "spa", *, weigh: str = "flat") -> Fraction | None:
        """A coefficient as a fraction, from the whole numbers of the state; None where it is undefined.

        Args:
            name: spa, percent, fleiss_kappa, alpha (nominal), ac1 or bennett_s.
            weigh: How spa weighs items; see `interagree.spa`.
        """
        known = ("spa", *COEFFICIENTS)
        if name not in known:
            raise UnknownName(
                f"a monitor has no exact {name!r}.{suggestion(name, known)} (known: {listing(known, quote=False)}). "
                f"Others by monitor.measure({name!r})"
            )
        strata = self.strata()
        paired = {n: one for n, one in strata.items() if n >= 2}
        if not paired:
            return None
        if name == "spa":
            return _spa(strata, paired, weigh)
        seen = _spa(strata, paired, "flat")
        if name == "percent" or seen is None:
            return seen
        values = len(self._used())
        if name == "alpha":
            return _alpha(paired)
        shares: dict[int, Fraction] = {}
        items = sum(one.items for one in strata.values())
        for n, one in strata.items():
            for value, times in one.values.items():
                shares[value] = shares.get(value, Fraction(0)) + Fraction(times, n * items)
        if name == "bennett_s":
            return _corrected(seen, Fraction(1, values)) if values > 1 else None
        if name == "ac1":
            guess = sum((p * (1 - p) for p in shares.values()), Fraction(0))
            return _corrected(seen, guess / (values - 1)) if values > 1 else None
        return _corrected(seen, sum((p * p for p in shares.values()), Fraction(0)))

    def _used(self) -> list[int]:
        """The codes of the values that were declared, or that some label has, in order."""
        if self.declared is not None:
            return list(range(len(self.declared)))
        there = {value for one in self.strata().values() for value, times in one.values.items() if times}
        names = self._values.names
        place = {_key(names[code]): code for code in sorted(there)}
        return [place[_key(name)] for name in in_order([names[code] for code in sorted(there)])]

    def counts(self) -> Counts:
        """The patterns as every measure takes them that need not know who gave which value."""
        if "counts" not in self._made:
            used = self._used()
            column = {code: place for place, code in enumerate(used)}
            live = [one for one, times in enumerate(self._patterns.times) if one and times]
            cells = [
                (row, column[value], times)
                for row, one in enumerate(live)
                for value, times in self._patterns.counts[one].items()
            ]
            row, value, times = np.array(cells, dtype=np.int64).reshape(-1, 3).T
            rows: Any
            if len(live) * len(used) <= DENSE:
                rows = np.zeros((len(live), len(used)))
                rows[row, value] = times
            else:
                from scipy import sparse

                rows = sparse.csr_array(
                    (times.astype(np.float64), (row, value)), shape=(len(live), len(used))
                )
            self._made["counts"] = Counts(
                rows,
                Observed(np.array([self._patterns.times[one] for one in live], dtype=np.float64)),
                tuple(self._values.names[code] for code in used),
                self.declared is not None or self.ordered,
                self.n,
            )
        found: Counts = self._made["counts"]
        return found

    def study(self) -> Annotations:
        """All labels as a study, for everything that needs to know who gave which value."""
        if "study" not in self._made:
            i, a, v, b, day, _ = self._columns()
            item, item_codes = np.unique(i, return_inverse=True)
            annotator, annotator_codes = np.unique(a, return_inverse=True)
            value, value_codes = np.unique(v, return_inverse=True)
            further: dict[str, Any] = {}
            if (b >= 0).any():
                further["batch"] = np.array([*self._batches.names, None], dtype=object)[b]
            if day.any():
                further["day"] = np.array([days.name(one) for one in day.tolist()], dtype=object)
            self._made["study"] = Annotations.from_codes(
                item_codes.astype(np.int32),
                annotator_codes.astype(np.int32),
                value_codes.astype(np.int32),
                [self._items.names[code] for code in item.tolist()],
                [self._annotators.names[code] for code in annotator.tolist()],
                [self._values.names[code] for code in value.tolist()],
                values=self.declared,
                ordered=self.ordered or None,
                duplicates="keep",
                attributes=further,
            )
        found: Annotations = self._made["study"]
        return found

    def measure(self, name: str, **options: Any) -> Agreement:
        """Any measure of the labels so far, with its interval, as the function of that name would give it."""
        data = self.counts() if name in ("spa", "ac2", *COEFFICIENTS) else self.study()
        found: Agreement = MEASURES[name](data, **options)
        return found

    def spa(self, *, weigh: str = "flat") -> Agreement:
        """The sparse probability of agreement of the labels so far, with its interval."""
        return self.measure("spa", weigh=weigh)

    def now(self, level: float = 0.95) -> Table:
        """Where the study stands: spa under every weighing and the coefficients, with intervals."""
        rows = []
        for title, result in (
            *((f"SPA, {weigh}", self.spa(weigh=weigh)) for weigh in SCHEMES),
            *((MEASURES[name].facts.title, self.measure(name)) for name in COEFFICIENTS),
        ):
            interval = result.interval(level)
            low, high = (None, None) if interval is None else (interval.low, interval.high)
            rows.append({"measure": title, "value": result.value, "low": low, "high": high})
        return Table.of(rows)

    def first_two(self, level: float = 0.95) -> FirstTwo:
        """How often the first two labels of an item agree, with an interval that holds however often one looks."""
        low, high = always(self._agreeing, self._pairs, level)
        return FirstTwo(self._agreeing, self._pairs, low, high, level)

    def chart(self, by: By = "batch", *, reference: float | None = None, chance: float = 0.01) -> Table:
        """The agreement of each batch, day or annotator beside the limits that it keeps to when nothing is wrong.

        Args:
            by: "batch", "day" or "annotator".
            reference: The agreement that should be; by default the mean of all items.
            chance: The chance that some point of the chart lies below its limit although nothing is wrong.
        """
        return control_chart(self._log(), by, reference=reference, chance=chance)

    def alerts(
        self,
        *,
        at_least: float | None = None,
        level: float = 0.95,
        drop: float = 0.1,
        every: int = 1000,
        chance: float = 0.01,
    ) -> list[Alert]:
        """What somebody should look at, in sentences; empty when nothing is wrong.

        Args:
            at_least: The agreement of first two labels that is wanted; an alert when the interval of `first_two` lies
                wholly below it, however often one asks.
            level: The level of that interval.
            drop: The fall of the agreement of first two labels that should be noticed soonest.
            every: A fall is announced wrongly once in so many items at most, on average.
            chance: The chance of a wrong alert in all batches together, in all days and in all annotators.
        """
        return out_of_bounds(
            self._log(), self.first_two(level), at_least=at_least, drop=drop, every=every, chance=chance
        )

    def _log(self) -> Log:
        if "log" not in self._made:
            i, a, v, b, day, said = self._columns()
            self._made["log"] = Log(i, a, v, b, day, said, self._annotators.names, self._batches.names)
        found: Log = self._made["log"]
        return found

    def _columns(self) -> tuple[Int32s, Int32s, Int32s, Int32s, Int32s, Int32s]:
        return self._labels.columns()

    # -- the file ----------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole state, ``extra`` included; if that is broken off, the old file stays as it was."""
        names = (self._items.names, self._annotators.names, self._values.names, self._batches.names)
        head = {
            "declared": self.declared,
            "ordered": self.ordered,
            "duplicates": self.duplicates,
            "skipped": self.skipped,
            "extra": self.extra,
        }
        saved.write(path, head, names, self._columns())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Monitor:
        """The state that `save` wrote."""
        head, (items, annotators, values, batches), columns = saved.read(path)
        made = cls(values=head["declared"], ordered=head["ordered"], duplicates="keep")
        made._items.codes(items)
        made._new_items(len(items))
        made._annotators.codes(annotators)
        made._by_annotator = [0] * len(annotators)
        made._values.codes(values)
        made._batches.codes(batches)
        made._take(*columns)
        made.duplicates = head["duplicates"]
        made.skipped, made.extra = head["skipped"], head["extra"]
        return made


# -- the parts -------------------------------------------------------------------------------------------------


class _Names:
    """Names in the order they came, and the code of each."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.names: list[Any] = []
        self.place: dict[Any, int] = {}

    def code(self, name: Any) -> int:
        """The code of a name, a new one where it is new."""
        if type(name) in _SIMPLE:
            found = self.place.get(name)
            return self._new(name) if found is None else found
        name = plain(name)
        try:
            found = self.place.get(_key(name))
        except TypeError:
            raise DataError(
                f"{name!r} cannot be the {self.role}, because it can be changed (it has no hash); give a string or a "
                "number"
            ) from None
        if found is None:
            if is_missing(name):
                raise DataError(f"a label must have the {self.role}, and got {name!r}")
            found = self._new(name)
        return found

    def _new(self, name: Any) -> int:
        code = self.place[_key(name)] = len(self.names)
        self.names.append(name)
        return code

    def find(self, name: Any) -> int | None:
        """The code of a name that is there."""
        return self.place.get(_key(plain(name)))

    def codes(self, names: Iterable[Any]) -> Int32s:
        """The codes of many names."""
        names = list(names)
        if not set(map(type, names)) <= _SIMPLE:
            return np.array([self.code(name) for name in names], dtype=np.int32)
        found: list[Any] = list(map(self.place.get, names))
        if None in found:
            for row, code in enumerate(found):
                if code is None:
                    found[row] = self.code(names[row])
        return np.array(found, dtype=np.int32)

    def column(self, entries: Any) -> Int32s:
        """The codes of a column, -1 where there is nothing."""
        if isinstance(entries, list) and set(map(type, entries)) <= _SIMPLE:
            return self.codes(entries)
        found = coded(entries)
        return np.append(self.codes(found.names), np.int32(-1))[found.codes]


def _key(name: Any) -> Any:
    return (_BOOL, name) if isinstance(name, bool) else name


class _Labels:
    """The labels in the order they came, as columns; a value of -1 is a label that was taken back."""

    def __init__(self) -> None:
        self.item, self.annotator, self.value = array("i"), array("i"), array("i")
        self.batch, self.day, self.said, self.following = array("i"), array("i"), array("i"), array("i")

    def __len__(self) -> int:
        return len(self.value)

    def append(self, i: int, a: int, v: int, b: int, day: int) -> int:
        """One label; its place."""
        self.item.append(i)
        self.annotator.append(a)
        self.value.append(v)
        self.batch.append(b)
        self.day.append(day)
        self.said.append(v)
        self.following.append(-1)
        return len(self.value) - 1

    def extend(self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, said: Int32s) -> None:  # noqa: PLR0917
        """Many labels."""
        for column, more in (
            (self.item, i),
            (self.annotator, a),
            (self.value, v),
            (self.batch, b),
            (self.day, day),
            (self.said, said),
            (self.following, np.full(len(i), -1)),
        ):
            column.frombytes(more.astype(np.int32).tobytes())

    def columns(self) -> tuple[Int32s, Int32s, Int32s, Int32s, Int32s, Int32s]:
        """Item, annotator, value, batch, day, and the value as first given, of all labels that stand."""
        value = np.array(self.value, dtype=np.int32)
        keep = value >= 0
        item, annotator, batch, day, said = (
            np.array(column, dtype=np.int32)[keep]
            for column in (self.item, self.annotator, self.batch, self.day, self.said)
        )
        return item, annotator, value[keep], batch, day, said


# -- coefficients from whole numbers ---------------------------------------------------------------------------


def _corrected(seen: Fraction, chance: Fraction) -> Fraction | None:
    return (seen - chance) / (1 - chance) if chance != 1 else None


def _alpha(paired: dict[int, Stratum]) -> Fraction | None:
    total = sum(n * one.items for n, one in paired.items())
    apart = sum((Fraction(n * one.items) - Fraction(one.a, n - 1) for n, one in paired.items()), Fraction(0))
    by_value: dict[int, int] = {}
    for one in paired.values():
        for value, times in one.values.items():
            by_value[value] = by_value.get(value, 0) + times
    pairs = total * total - sum(times * times for times in by_value.values())
    return 1 - (apart / total) / Fraction(pairs, total * (total - 1)) if pairs else None


def _spa(strata: dict[int, Stratum], paired: dict[int, Stratum], weigh: str) -> Fraction | None:
    r = _lean(strata) if weigh == "inv_var_class" else Fraction(0)
    weight = {n: _weight(weigh, n, r) for n in paired}
    whole = sum((weight[n] * one.items for n, one in paired.items()), Fraction(0))
    agree = sum((weight[n] * Fraction(one.a, n * (n - 1)) for n, one in paired.items()), Fraction(0))
    return agree / whole


def _weight(scheme: str, n: int, r: Fraction) -> Fraction:
    """`interagree.stats.labels.item_agreement.weigh` in fractions."""
    if scheme not in SCHEMES:
        raise UnknownName(
            f"no weighing is called {scheme!r}.{suggestion(scheme, SCHEMES)} (known: {listing(SCHEMES, quote=False)})"
        )
    edges = Fraction(n * (n - 1))
    if scheme == "inv_var_class":
        return edges / (1 + r * (n - 2))
    if scheme == "random_effects":
        t, z = Fraction(str(TYPICAL_BETWEEN)), Fraction(str(TYPICAL_WITHIN))
        return edges / (t * edges + 4 * z * (n - 2) + 2 * (1 - t))
    return {"flat": Fraction(1), "annotations": Fraction(n), "annotations_m1": Fraction(n - 1)}.get(
        scheme, edges
    )


def _lean(strata: dict[int, Stratum]) -> Fraction:
    by_value: dict[int, int] = {}
    for one in strata.values():
        for value, times in one.values.items():
            by_value[value] = by_value.get(value, 0) + times
    total = sum(by_value.values())
    p = [Fraction(times, total) for times in by_value.values()]
    second, third = (sum((share**power for share in p), Fraction(0)) for power in (2, 3))
    two = second - second**2
    return 2 * (third - second**2) / two if two else Fraction(1)
