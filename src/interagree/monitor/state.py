r"""The state of a running study: every label so far, and what follows from them in whole numbers.

A label costs the same whether it is the tenth or the ten-millionth: its item moves to the next pattern (see
`patterns`).  Sums are whole numbers, so that adding and removing in any order, and merging, gives exactly what a
new count would give.

**The first two labels.**  Each item's first two labels, as they were first given, agree or not; `first_two` counts
them.  A correction (`relabel`, or ``duplicates="last"``) changes the coefficients and not this number, because
corrections often come from looking at the labels of the others.  Removing one of the two takes it back as if it had
never been given: the item's number is then that of the first two labels left, or none.  Who removes labels
*because* they disagree loses what the interval promises.
With ``duplicates="keep"`` the first two may be by one annotator, and say how far they agree with themselves.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from interagree.arrays import Booleans, Indices, Int32s
from interagree.data.columns import coded
from interagree.data.provenance import Step
from interagree.data.repeated import Duplicates
from interagree.data.types import Annotator, Item, Value
from interagree.data.values import is_missing, plain
from interagree.errors import DataError, DuplicateAnnotation, Hint, KindError, OneOf, OptionError, listing
from interagree.errors.options import checks_options
from interagree.gather.rules import Rules
from interagree.monitor import days, saved
from interagree.monitor.columns import SIMPLE, ArrivingNames, LabelColumns
from interagree.monitor.patterns import CountStratum, Patterns
from interagree.monitor.written import WrittenRows
from interagree.results.agreement import Sizes

FEW = 32  # labels that are sooner dealt with one by one than as arrays
AGAIN = Hint("duplicates", OneOf(("first", "last", "keep")))


def _check_lengths(rows: int, i: Int32s, a: Int32s, day: Int32s, b: Int32s) -> None:
    for name, column in (("items", i), ("annotators", a), ("at", day), ("batch", b)):
        if len(column) != rows:
            raise DataError(
                f"the columns must be of one length; values has {rows} entries and {name} has {len(column)}"
            )


def _check_named(keep: Booleans, i: Int32s, a: Int32s) -> None:
    for name, column in (("item", i), ("annotator", a)):
        if (column[keep] < 0).any():
            raise DataError(f"entry {int(np.argmax(keep & (column < 0)))} has a value and no {name}")


class State:
    """The labels of a running study, one by one or many at once.

    Args:
        values: All values that could be given, also those that nobody has used yet; in order, where there is one.
        ordered: Whether the order of the values means something.
        duplicates: What to do when an annotator labels an item again: stop with an error, take the first or the last,
            or keep all as further labels.
    """

    @checks_options
    def __init__(
        self, *, values: Sequence[Value] | None = None, ordered: bool = False, duplicates: Duplicates = "error"
    ) -> None:
        self.duplicates: Duplicates = duplicates
        self.ordered = ordered
        self.declared = None if values is None else tuple(map(plain, values))
        self.level: str | None = None  # on which level values are measured, where somebody said
        self.skipped = 0  # labels without a value, which count for nothing
        self.extra: dict[str, Any] = {}  # anything JSON can hold, to be saved with the state
        self._items = ArrivingNames("item")
        self._annotators = ArrivingNames("annotator")
        self._batches = ArrivingNames("batch")
        self._written: WrittenRows | None = None  # the rows as they are written, where labels are read from cells
        self._clear()

    def _clear(self) -> None:
        """No label is counted; the names of items, annotators and batches keep their codes."""
        self._values = ArrivingNames("value")
        self._patterns = Patterns()
        self._pattern = array("i")  # of each item
        self._head, self._tail = array("i"), array("i")  # each item's first and last label, -1 for none
        self._labels = LabelColumns()
        self._last: dict[int, int] = {}  # the label of an item and an annotator, the latest where there are several
        self._by_annotator = [0] * len(self._annotators.names)  # how many labels each has given
        self._pairs = self._agreeing = self._count = 0
        self._made: dict[str, Any] = {}  # what was worked out since the last change
        self._new_items(len(self._items.names))
        if self.declared is not None:
            for value in self.declared:
                self._values.code(value)
            if len(self._values.names) < len(self.declared):
                raise DataError(f"a value is declared twice: {listing(self.declared)}")
            if not any(isinstance(value, str) for value in self.declared):
                # Values read from text are strings; declared as numbers they are the strings that spell them.
                for code, value in enumerate(self.declared):
                    self._values.place.setdefault(str(value), code)

    def add(
        self, item: Item, annotator: Annotator, value: Value, *, at: object = None, batch: Hashable | None = None
    ) -> None:
        """One more label.

        Args:
            item: What was labelled.
            annotator: Who labelled it.
            value: The label; None and NaN are not labels and are only counted, in ``skipped``.
            at: When: a date, a datetime, ISO text or seconds since 1970.  Its day is kept.
            batch: The batch the label belongs to.
        """
        if self._written is not None:
            self.extend([item], [annotator], [value], at=[at], batch=[batch])
            return
        if type(value) not in SIMPLE and is_missing(value):
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
            f"once, or pass {AGAIN}",
            hints=[AGAIN],
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
                self._agreeing += labels.first_value[self._head[i]] == v
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

    def relabel(self, item: Item, annotator: Annotator, value: Value) -> None:
        """Another value for a label that is there; the first two labels of the item stay as they were first given."""
        if is_missing(value):
            raise DataError(f"{value!r} is not a value; to take a label back, call remove")
        self._written = None  # labels have changed, so the cells no longer say what they are
        self._change(self._there(item, annotator), self._value(value))

    def remove(self, item: Item, annotator: Annotator) -> None:
        """Take a label back, as if it had never been given; the latest where there are several."""
        slot = self._there(item, annotator)
        self._written = None  # as above
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
            first_value, first = self._labels.first_value, self._head[i]
            self._pairs += sign
            self._agreeing += sign * (first_value[first] == first_value[self._labels.following[first]])

    def _there(self, item: Item, annotator: Annotator) -> int:
        i, a = self._items.find(item), self._annotators.find(annotator)
        slot = None if i is None or a is None else self._last.get(i << 32 | a)
        if slot is None:
            raise DataError(f"annotator {annotator!r} has not labelled item {item!r}, so there is nothing to change")
        return slot

    def _value(self, value: Value) -> int:
        if self.declared is None:
            return self._values.code(value)
        code = self._values.find(value)
        if code is None:
            raise DataError(
                f"{value!r} was given and not declared; the declared values are {listing(self.declared)}. Declare all "
                "of them, or correct the data"
            )
        return code

    def _item(self, name: Hashable) -> int:
        code = self._items.code(name)
        if code == len(self._pattern):
            self._new_items(1)
        return code

    def _new_items(self, count: int) -> None:
        self._pattern.extend([0] * count)
        self._head.extend([-1] * count)
        self._tail.extend([-1] * count)
        self._patterns.times[0] += count

    def _annotator(self, name: Hashable) -> int:
        code = self._annotators.code(name)
        if code == len(self._by_annotator):
            self._by_annotator.append(0)
        return code

    @checks_options
    def extend(
        self,
        items: Iterable[Item],
        annotators: Iterable[Annotator],
        values: Iterable[Value],
        *,
        at: Iterable[object] | None = None,
        batch: Iterable[Hashable] | None = None,
    ) -> None:
        """Many labels at once, with the same outcome as one after the other; where one is wrong, none is taken."""
        if self._written is not None:
            self._extend_written(self._written, items, annotators, values, at, batch)
            return
        value = coded(values)
        rows = len(value)
        day = np.zeros(rows, dtype=np.int32) if at is None else days.many(at)
        i, a = self._items.column(items), self._annotators.column(annotators)
        self._new_items(len(self._items.names) - len(self._pattern))
        self._by_annotator.extend([0] * (len(self._annotators.names) - len(self._by_annotator)))
        b = np.full(rows, -1, dtype=np.int32) if batch is None else self._batches.column(batch)
        _check_lengths(rows, i, a, day, b)
        keep = value.codes >= 0
        _check_named(keep, i, a)
        used = np.zeros(len(value.names) + 1, dtype=bool)
        used[value.codes[keep]] = True
        v = np.array(
            [self._value(name) if there else -1 for name, there in zip(value.names, used, strict=False)], np.int32
        )
        self._take(i[keep], a[keep], v[value.codes[keep]], b[keep], day[keep])
        self.skipped += rows - int(np.count_nonzero(keep))

    # -- labels that are read from cells ------------------------------------------------------------------------

    def read_cells(self, rules: Rules) -> None:
        """From now on values are cells, which mean what they mean in a table that is read as a whole."""
        if not isinstance(rules, Rules):
            raise OptionError(f"rules says how cells are read, and {rules!r:.60} is not Rules")
        before = self._written
        written = self._written = WrittenRows(replace(rules, values=self.declared))
        values, columns = self._values, tuple(self._columns()[:5])
        if before is not None:
            values, columns = before.values, before.columns()
        if len(columns[0]):
            written.values.codes(values.names)
            written.extend(columns)
            self._recount(written)

    @property
    def cells(self) -> Rules | None:
        """How cells are read; None where labels are not."""
        return None if self._written is None else self._written.rules

    def steps(self) -> list[Step]:
        """What was merged, left out and noticed in the cells."""
        return [] if self._written is None else self._written.steps()

    def _extend_written(  # noqa: PLR0917 -- the columns of labels
        self,
        written: WrittenRows,
        items: Iterable[Item],
        annotators: Iterable[Annotator],
        values: Iterable[Value],
        at: Iterable[object] | None,
        batch: Iterable[Hashable] | None,
    ) -> None:
        value = written.values.column(values)
        rows, before = len(value), len(written)
        day = np.zeros(rows, dtype=np.int32) if at is None else days.many(at)
        i, a = self._items.column(written.tidied(items)), self._annotators.column(written.tidied(annotators))
        b = np.full(rows, -1, dtype=np.int32) if batch is None else self._batches.column(written.tidied(batch))
        _check_lengths(rows, i, a, day, b)
        self._new_items(len(self._items.names) - len(self._pattern))
        self._by_annotator.extend([0] * (len(self._annotators.names) - len(self._by_annotator)))
        written.extend((i, a, value, b, day))
        try:
            if written.settled():
                self._take_written(written, before)
            else:
                self._recount(written)
        except DataError:
            written.cut(before)
            raise

    def _recount(self, written: WrittenRows) -> None:
        """Count all rows, after values that were there before have come to mean something else."""
        written.settled()
        self._clear()
        self.skipped = 0
        self._take_written(written, 0)

    def _take_written(self, written: WrittenRows, start: int) -> None:
        """Count the rows from one on, as their values are meant."""
        i, a, v, b, day = written.columns(start)
        used = np.zeros(len(written.meaning) + 1, dtype=bool)
        used[v] = True
        meaning = [
            -1 if value is None or not there else self._value(value)
            for value, there in zip(written.meaning, used.tolist(), strict=False)
        ]
        value = np.array([*meaning, -1], dtype=np.int32)[v]
        keep = value >= 0
        _check_named(keep, i, a)
        self._take(i[keep], a[keep], value[keep], b[keep], day[keep])
        self.skipped += len(keep) - int(np.count_nonzero(keep))

    def _take(  # noqa: PLR0917 -- the columns of labels
        self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, first_value: Int32s | None = None
    ) -> None:
        """Labels as codes, with the policy for duplicates."""
        keys = (i.astype(np.int64) << 32 | a).tolist()
        if self.duplicates == "keep" or (len(set(keys)) == len(keys) and self._last.keys().isdisjoint(keys)):
            self._append(i, a, v, b, day, keys, v if first_value is None else first_value)
            return
        seen: set[int] = set()
        fresh = np.zeros(len(keys), dtype=bool)
        for row, one in enumerate(keys):
            if one not in seen and one not in self._last:
                fresh[row] = True
                seen.add(one)
            elif self.duplicates == "error":
                raise self._twice(one >> 32, one & 0xFFFFFFFF)
        first_value = v if first_value is None else first_value
        new = [one for one, is_fresh in zip(keys, fresh.tolist(), strict=True) if is_fresh]
        self._append(i[fresh], a[fresh], v[fresh], b[fresh], day[fresh], new, first_value[fresh])
        if self.duplicates == "last":
            for row in np.flatnonzero(~fresh).tolist():
                self._change(self._last[keys[row]], int(v[row]))

    def _append(  # noqa: PLR0917 -- the columns of labels
        self, i: Int32s, a: Int32s, v: Int32s, b: Int32s, day: Int32s, keys: list[int], first_value: Int32s
    ) -> None:
        """New labels, none of which repeats another (unless all are kept)."""
        if not len(i):
            return
        start = len(self._labels)
        self._labels.extend(i, a, v, b, day, first_value)
        self._last.update(zip(keys, range(start, start + len(keys)), strict=True))
        for one, times in zip(*(part.tolist() for part in np.unique(a, return_counts=True)), strict=True):
            self._by_annotator[one] += times
        self._count += len(i)
        order = np.argsort(i, kind="stable")
        grouped = i[order]
        first = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]])
        sizes = np.diff(np.r_[first, len(grouped)])
        self._chain(grouped[first], order, first, sizes, start, first_value)
        self._walk(i, v, order, np.arange(len(order)) - np.repeat(first, sizes))
        self._made.clear()

    def _chain(  # noqa: PLR0917 -- one step of _append
        self, items: Int32s, order: Indices, first: Indices, sizes: Indices, start: int, first_value: Int32s
    ) -> None:
        """Put new labels behind those that their items have, and see which items now have their first two."""
        slots = order + start
        following = np.frombuffer(self._labels.following, dtype=np.int32)
        inside = np.ones(len(order), dtype=bool)
        inside[first] = False
        following[slots[:-1][inside[1:]]] = slots[1:][inside[1:]]
        head, tail = np.frombuffer(self._head, dtype=np.int32), np.frombuffer(self._tail, dtype=np.int32)
        before = np.frombuffer(self._patterns.size, dtype=np.int64)[np.frombuffer(self._pattern, dtype=np.int32)[items]]
        some = before > 0
        following[tail[items[some]]] = slots[first[some]]
        single = before == 1
        spoken = np.frombuffer(self._labels.first_value, dtype=np.int32)
        agree = np.count_nonzero(spoken[head[items[single]]] == first_value[order[first[single]]])
        head[items[~some]] = slots[first[~some]]
        tail[items] = slots[first + sizes - 1]
        both = ~some & (sizes > 1)
        agree += np.count_nonzero(first_value[order[first[both]]] == first_value[order[first[both] + 1]])
        self._pairs += int(np.count_nonzero(single) + np.count_nonzero(both))
        self._agreeing += int(agree)

    def _walk(self, i: Int32s, v: Int32s, order: Indices, rank: Indices) -> None:
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

    def merge(self, other: State) -> None:
        """Take over all labels of another monitor, behind those that are here; items may be in both.

        An annotator who labelled one item in both is a duplicate, and dealt with as such.
        """
        if not isinstance(other, State):
            raise KindError(f"a monitor can be merged with another monitor, not with {type(other).__name__}")
        self._written = None
        i, a, v, b, day, first_value = other._columns()
        # Only names that labels use, so that what was removed there leaves no trace here.
        places = {code: self._value(other._values.names[code]) for code in {*v.tolist(), *first_value.tolist()}}
        item = self._items.codes(other._items.names)
        self._new_items(len(self._items.names) - len(self._pattern))
        annotator = self._annotators.codes(other._annotators.names)
        self._by_annotator.extend([0] * (len(self._annotators.names) - len(self._by_annotator)))
        batch = np.append(self._batches.codes(other._batches.names), np.int32(-1))
        value = np.zeros(len(other._values.names) + 1, dtype=np.int32)
        for code, place in places.items():
            value[code] = place
        self._take(item[i], annotator[a], value[v], batch[b], day, value[first_value])
        self.skipped += other.skipped

    @checks_options
    def missing_from(self, other: State) -> int:
        """How many labels of this state are not in another: of one item, by one annotator, with one value."""
        names = ((self._items, other._items), (self._annotators, other._annotators), (self._values, other._values))
        here = []
        for column, (mine, theirs) in zip(self._columns(), names, strict=False):
            places = (theirs.find(name) for name in mine.names)
            place = np.array([-1 if code is None else code for code in places], dtype=np.int32)
            here.append(place[column].tolist())
        there = [column.tolist() for column in other._columns()[:3]]
        missing = Counter(zip(*here, strict=True)) - Counter(zip(*there, strict=True))
        return missing.total()

    @checks_options
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole state, ``extra`` included; if that is broken off, the old file stays as it was."""
        head = {
            name: getattr(self, name) for name in ("declared", "ordered", "level", "duplicates", "skipped", "extra")
        }
        values, columns = self._values, self._columns()
        if self._written is not None:
            head["cells"] = self._written.head()
            values, (i, a, v, b, day) = self._written.values, self._written.columns()
            columns = (i, a, v, b, day, v)
        names = (self._items.names, self._annotators.names, values.names, self._batches.names)
        saved.write(path, head, names, columns)

    @classmethod
    @checks_options
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The state that `save` wrote."""
        head, (items, annotators, values, batches), columns = saved.read(path)
        made = cls(values=head["declared"], ordered=head["ordered"], duplicates=head["duplicates"])
        made._items.codes(items)
        made._annotators.codes(annotators)
        made._batches.codes(batches)
        made._clear()
        if "cells" in head:
            made._written = WrittenRows(Rules(values=made.declared, **head["cells"]))
            made._written.values.codes(values)
            made._written.extend(columns[:5])
            made._recount(made._written)
        else:
            made._values.codes(values)
            made.duplicates = "keep"  # those that are there
            made._take(*columns)
            made.duplicates = head["duplicates"]
            made.skipped = head["skipped"]
        made.extra, made.level = head["extra"], head.get("level")
        return made

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._count:,} labels on {self.n}>"

    @property
    def n(self) -> Sizes:
        """How many items have a label, how many annotators gave one, and how many labels there are."""
        items = len(self._pattern) - self._patterns.times[0]
        return Sizes(items, sum(1 for times in self._by_annotator if times), self._count)

    def strata(self) -> dict[int, CountStratum]:
        """For each number of labels that items have: items, and sums of A, of its square, of B, and by value."""
        return self._patterns.strata()

    def _columns(self) -> tuple[Int32s, Int32s, Int32s, Int32s, Int32s, Int32s]:
        return self._labels.columns()
