"""After any sequence of labels, corrections, removals and merges the state is what a new count would give."""

import math
import os
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import effort
from hypothesis import given, settings
from hypothesis import strategies as st

import interagree as ia
from interagree.errors import DataError, DuplicateAnnotation, FormatError, KindError, UnknownName
from interagree.monitor import patterns
from interagree.monitor.fractions import COEFFICIENTS
from interagree.plugins import MEASURES
from interagree.stats.labels.counts import Counts
from interagree.stats.labels.item_agreement import SCHEMES

ITEMS, PEOPLE, VALUES = (st.integers(0, 4), st.sampled_from("abcdef"), st.sampled_from(["x", "y", "z", True, 1]))
LABEL = st.tuples(ITEMS, PEOPLE, VALUES)
ACTION = st.one_of(
    st.tuples(st.just("add"), LABEL),
    st.tuples(st.just("add"), LABEL),
    st.tuples(st.just("extend"), st.lists(LABEL, max_size=12)),
    st.tuples(st.just("remove"), st.integers(0, 10**6)),
    st.tuples(st.just("relabel"), st.tuples(st.integers(0, 10**6), VALUES)),
    st.tuples(st.just("merge"), st.lists(LABEL, max_size=8)),
)


class Plain:
    """The same by hand: a list of labels, each with the value as it is and as it was first given."""

    def __init__(self, policy: str) -> None:
        self.policy = policy
        self.labels: list[list[Any]] = []

    def add(self, item: Any, who: Any, value: Any, said: Any = None) -> None:
        same = [label for label in self.labels if label[:2] == [item, who]]
        if same and self.policy == "last":
            same[-1][2] = value
        elif not same or self.policy == "keep":
            self.labels.append([item, who, value, value if said is None else said])

    def last(self, item: Any, who: Any) -> int:
        return max(place for place, label in enumerate(self.labels) if label[:2] == [item, who])

    def first_two(self) -> tuple[int, int]:
        by_item: dict[Any, list[Any]] = {}
        for item, _, _, said in self.labels:
            by_item.setdefault(item, []).append((type(said), said))
        pairs = [said[0] == said[1] for said in by_item.values() if len(said) > 1]
        return sum(pairs), len(pairs)


def unique(labels: list[Any], policy: str) -> list[Any]:
    """Labels without those that a monitor made of them would refuse."""
    if policy == "keep":
        return labels
    found = {}
    for item, who, value in labels:
        if policy == "last" or (item, who) not in found:
            found[item, who] = value
    return [(item, who, value) for (item, who), value in found.items()]


def play(actions: list[Any], policy: str) -> tuple[ia.Monitor, Plain]:
    """A monitor and the list by hand after the same actions."""
    monitor, byhand = ia.Monitor(duplicates=policy), Plain(policy)
    for kind, what in actions:
        if kind == "add":
            monitor.add(*what)
            byhand.add(*what)
        elif kind == "extend":
            monitor.extend(*(list(column) for column in zip(*what, strict=True)) if what else ([], [], []))
            for label in what:
                byhand.add(*label)
        elif kind == "merge":
            other = ia.Monitor(duplicates=policy)
            inner = Plain(policy)
            for label in what:
                other.add(*label)
                inner.add(*label)
            monitor.merge(other)
            for label in inner.labels:
                byhand.add(*label)
        elif byhand.labels:
            place, value = (what, None) if kind == "remove" else what
            item, who, *_ = byhand.labels[place % len(byhand.labels)]
            at = byhand.last(item, who)
            if kind == "remove":
                monitor.remove(item, who)
                del byhand.labels[at]
            else:
                monitor.relabel(item, who, value)
                byhand.labels[at][2] = value
    return monitor, byhand


def batch(byhand: Plain) -> ia.Annotations:
    """The study of the labels by hand."""
    return ia.Annotations.of([tuple(label[:3]) for label in byhand.labels], duplicates="keep")


def brute_spa(byhand: Plain, weigh: str) -> Fraction | None:
    """SPA over all pairs of labels, in fractions."""
    by_item: dict[Any, list[Any]] = {}
    for item, _, value, _ in byhand.labels:
        by_item.setdefault(item, []).append((type(value), value))
    weight = {"flat": lambda _: 1, "annotations": lambda n: n, "annotations_m1": lambda n: n - 1}.get(
        weigh, lambda n: n * (n - 1)
    )
    above, below = Fraction(0), Fraction(0)
    for values in by_item.values():
        n = len(values)
        if n < 2:
            continue
        pairs = sum(a == b for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
        above += weight(n) * Fraction(pairs, n * (n - 1))
        below += weight(n)
    return above / below if below else None


@pytest.mark.parametrize("policy", ["first", "last", "keep"])
@settings(max_examples=60)
@given(actions=st.lists(ACTION, max_size=25))
def test_any_sequence_equals_the_batch_answer(policy, actions):
    monitor, byhand = play(actions, policy)
    assert monitor.first_two()[:2] == byhand.first_two()
    study = batch(byhand)
    assert len(monitor) == len(study)
    for weigh in ("flat", "annotations", "annotations_m1", "edges", "inv_var"):
        assert monitor.exact("spa", weigh=weigh) == brute_spa(byhand, weigh)
    if not byhand.labels:
        assert monitor.n == (0, 0, 0)
        return
    counts, theirs = monitor.counts(), Counts.of(study)
    assert counts.n == theirs.n
    assert counts.values == theirs.values
    assert dict(zip(map(tuple, counts.rows), counts.weights.times, strict=True)) == dict(
        zip(map(tuple, theirs.rows), theirs.weights.times, strict=True)
    )
    check_coefficients(monitor, study)


def check_coefficients(monitor: ia.Monitor, study: Any) -> None:
    for weigh in SCHEMES:
        same(monitor.exact("spa", weigh=weigh), monitor.spa(weigh=weigh), ia.spa(study, weigh=weigh))
    for name in COEFFICIENTS:
        same(monitor.exact(name), monitor.measure(name), MEASURES[name](study))


def same(exact: Fraction | None, live: ia.Agreement, whole: ia.Agreement) -> None:
    assert live.undefined == whole.undefined
    if whole.undefined:
        assert exact is None
        return
    assert exact is not None
    assert float(exact) == pytest.approx(whole.value, abs=1e-12)
    assert live.value == pytest.approx(whole.value, abs=1e-12)
    ours, theirs = live.interval(), whole.interval()
    assert (ours is None) == (theirs is None)
    if theirs is not None:
        assert ours is not None
        assert ours[:2] == pytest.approx(theirs[:2], abs=1e-9)


@given(actions=st.lists(ACTION, max_size=20), policy=st.sampled_from(["first", "last", "keep"]))
def test_the_sums_are_those_of_the_items(actions, policy):
    monitor, byhand = play(actions, policy)
    items: dict[Any, dict[Any, int]] = {}
    for item, _, value, _ in byhand.labels:
        counts = items.setdefault(item, {})
        counts[type(value), value] = counts.get((type(value), value), 0) + 1
    strata: dict[int, list[int]] = {}
    for counts in items.values():
        a, b = (sum(m * (m - 1) for m in counts.values()), sum(m * (m - 1) * (m - 2) for m in counts.values()))
        one = strata.setdefault(sum(counts.values()), [0, 0, 0])
        for place, more in enumerate((1, a, b)):
            one[place] += more
    assert {n: [one.items, one.a, one.b] for n, one in monitor.strata().items()} == strata


@pytest.mark.parametrize("few", [0, 32, 10**9])
@given(labels=st.lists(LABEL, max_size=60), cut=st.integers(0, 60), policy=st.sampled_from(["first", "last", "keep"]))
def test_many_at_once_are_the_same_as_one_by_one(few, labels, cut, policy):
    from interagree.monitor import state

    before, state.FEW = state.FEW, few
    try:
        together, single = ia.Monitor(duplicates=policy), ia.Monitor(duplicates=policy)
        for part in (labels[:cut], labels[cut:]):
            together.extend([one[0] for one in part], [one[1] for one in part], [one[2] for one in part])
    finally:
        state.FEW = before
    for label in labels:
        single.add(*label)
    assert together.first_two() == single.first_two()
    assert together.strata() == single.strata()
    assert together._labels.columns()[0].tolist() == single._labels.columns()[0].tolist()
    assert list(together._labels.following) == list(single._labels.following)
    assert together._last == single._last


@given(actions=st.lists(ACTION, max_size=15), policy=st.sampled_from(["first", "last", "keep"]))
def test_what_is_saved_is_what_is_read(tmp_path_factory, actions, policy):
    monitor, _ = play(actions, policy)
    monitor.extra = {"offset": 17}
    path = tmp_path_factory.getbasetemp() / f"{os.getpid()}.state"
    monitor.save(path)
    again = ia.Monitor.load(path)
    assert again.strata() == monitor.strata()
    assert again.first_two() == monitor.first_two()
    assert again.extra == {"offset": 17}
    assert again.duplicates == policy
    assert again.n == monitor.n
    for one in (monitor, again):
        one.extend([1, 1, 2], ["new", "newer", "new"], ["x", True, 1])
    assert again.strata() == monitor.strata()
    assert again.first_two() == monitor.first_two()


def test_values_of_any_kind_are_saved(tmp_path):
    monitor = ia.Monitor(values=[("a", 1), frozenset({"p", "q"}), "text", 2.5, None or False])
    for number, value in enumerate([("a", 1), {"q", "p"}, "text", 2.5, False]):
        monitor.add(("doc", number), "ann", value, at="2026-03-01", batch=number)
    monitor.save(tmp_path / "state")
    again = ia.Monitor.load(tmp_path / "state")
    assert again.counts().values == monitor.counts().values
    assert again.study().attributes["day"].tolist() == ["2026-03-01"] * 5
    assert again.study().attributes["batch"].tolist() == [0, 1, 2, 3, 4]


def test_a_damaged_state_is_named(tmp_path):
    path = tmp_path / "state"
    monitor = ia.Monitor()
    monitor.add(1, "a", "x")
    monitor.save(path)
    whole = path.read_bytes()
    for bad in (b"", b"hello", whole[: len(whole) // 2]):
        path.write_bytes(bad)
        with pytest.raises(FormatError, match="state"):
            ia.Monitor.load(path)
    with pytest.raises(FileNotFoundError):
        ia.Monitor.load(tmp_path / "nothing")


def test_a_state_of_another_version_is_refused(tmp_path, monkeypatch):
    from interagree.monitor import saved

    monkeypatch.setattr(saved, "VERSION", 99)
    ia.Monitor().save(tmp_path / "state")
    monkeypatch.undo()
    with pytest.raises(FormatError, match="version 99"):
        ia.Monitor.load(tmp_path / "state")


def test_a_state_that_cannot_be_written_leaves_the_old_one(tmp_path):
    monitor = ia.Monitor()
    monitor.add(1, "a", "x")
    monitor.save(tmp_path / "state")
    monitor.extra = {"no": object()}
    with pytest.raises(KindError, match="JSON"):
        monitor.save(tmp_path / "state")
    assert len(ia.Monitor.load(tmp_path / "state")) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_duplicate_is_an_error_and_changes_nothing():
    monitor = ia.Monitor()
    monitor.add(1, "ann", "x")
    for again in (
        lambda: monitor.add(1, "ann", "y"),
        lambda: monitor.extend([2, 1], ["ann", "ann"], ["x", "y"]),
        lambda: monitor.extend([2, 2], ["ann", "ann"], ["x", "y"]),
        lambda: monitor.merge(monitor),
    ):
        with pytest.raises(DuplicateAnnotation, match=r"'ann' labelled item .* before.*duplicates='first'"):
            again()
        assert monitor.n == (1, 1, 1)


def test_a_correction_does_not_change_the_first_two_labels():
    monitor = ia.Monitor()
    monitor.add(1, "ann", "x")
    monitor.add(1, "bo", "y")
    monitor.relabel(1, "bo", "x")
    assert monitor.exact() == 1
    assert monitor.first_two()[:2] == (0, 1)


def test_removing_one_of_the_first_two_puts_the_third_in_its_place():
    monitor = ia.Monitor()
    for who, value in (("ann", "x"), ("bo", "y"), ("cy", "x")):
        monitor.add(1, who, value)
    assert monitor.first_two()[:2] == (0, 1)
    monitor.remove(1, "bo")
    assert monitor.first_two()[:2] == (1, 1)
    monitor.remove(1, "ann")
    assert monitor.first_two()[:2] == (0, 0)


def test_what_is_not_there_cannot_be_changed():
    monitor = ia.Monitor()
    monitor.add(1, "ann", "x")
    with pytest.raises(DataError, match="'bo' has not labelled item 1"):
        monitor.remove(1, "bo")
    with pytest.raises(DataError, match="call remove"):
        monitor.relabel(1, "ann", None)


def test_declared_values_count_and_others_are_refused():
    monitor = ia.Monitor(values=[1, 2, 3])
    monitor.add("i", "ann", "1")  # text that spells a declared number
    monitor.add("i", "bo", 2)
    assert monitor.counts().values == (1, 2, 3)
    assert monitor.exact("bennett_s") == Fraction(-1, 2)
    for wrong in (lambda: monitor.add("i", "cy", 4), lambda: monitor.extend(["i"], ["cy"], [4])):
        with pytest.raises(DataError, match="4 was given and not declared"):
            wrong()
    with pytest.raises(DataError, match="declared twice"):
        ia.Monitor(values=["a", "a"])


def test_labels_without_a_value_are_counted_apart():
    monitor = ia.Monitor()
    monitor.add(1, "ann", None)
    monitor.extend([1, 2], ["ann", "bo"], [math.nan, "x"])
    assert monitor.skipped == 2
    assert monitor.n == (1, 1, 1)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda m: m.add(None, "a", "x"), "must have the item"),
        (lambda m: m.add(1, "a", bytearray()), "cannot be the value"),
        (lambda m: m.extend([1, 2], ["a"], ["x", "y"]), "of one length"),
        (lambda m: m.extend([1, None], ["a", "b"], ["x", "y"]), "entry 1 has a value and no item"),
        (lambda m: m.add(1, "a", "x", at="yesterday"), "is not a time"),
        (lambda m: m.extend([1, 2], ["a", "b"], ["x", "y"], at=[[1, 2], [3]]), "is not a time"),
        (lambda m: m.merge([1]), "not with list"),
        (lambda m: m.exact("kapa"), "no exact 'kapa'"),
        (lambda m: (m.add(1, "a", "x"), m.add(1, "b", "x"), m.exact(weigh="flatt")), "Did you mean 'flat'"),
        (lambda m: m.chart("week"), "by= takes one of"),
        (lambda m: m.chart(chance=2), "between 0 and 1"),
        (lambda m: m.chart(reference=2), "between 0 and 1"),
        (lambda m: m.alerts(drop=0), "drop"),
        (lambda m: m.alerts(every=1), "every"),
        (lambda m: m.first_two(level=1), "level"),
        (lambda _: ia.Monitor(duplicates="lst"), "duplicates= takes one of"),
    ],
)
def test_wrong_use_is_a_sentence(call, says):
    with pytest.raises((DataError, KindError, UnknownName), match=says):
        call(ia.Monitor())


def test_any_measure_may_be_asked_for():
    monitor = ia.Monitor()
    for item, pair in enumerate(["xx", "xy", "yy", "xx", "yx"]):
        for who, value in zip(("ann", "bo"), pair, strict=True):
            monitor.add(item, who, value)
    assert monitor.measure("cohen_kappa").value == pytest.approx(ia.cohen_kappa(monitor.study()).value)
    assert monitor.measure("cohen_kappa").n.annotators == 2
    table = monitor.now()
    assert len(table) == len(SCHEMES) + len(COEFFICIENTS)
    assert table["value"][0] == pytest.approx(0.6)
    assert str(monitor.first_two()).startswith("0.600, 95% at all times ")
    assert repr(monitor) == "<Monitor: 10 labels on 5 items, 2 annotators>"


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1, 23, 59, tzinfo=UTC), "2026-03-01"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T23:59:59-05:00", "2026-03-01"),
        (1772409540, "2026-03-01"),
        (1772409540000, "2026-03-01"),
        ("1772409540", "2026-03-01"),
        (np.datetime64("2026-03-01T10:00"), "2026-03-01"),
        ("", None),
        (None, None),
    ],
)
def test_a_time_has_a_day(at, day):
    from interagree.monitor import days

    assert days.name(days.day(at)) == day
    if not isinstance(at, np.datetime64):
        assert days.name(int(days.many([at])[0])) == day
    assert days.many(np.array(["2026-03-01T10:00", "NaT"], "datetime64[s]")).tolist() == [days.day("2026-03-01"), 0]


def test_patterns_that_were_passed_through_are_cleared_away(monkeypatch):
    monkeypatch.setattr(patterns, "SPARE", 50)
    monitor, whole = ia.Monitor(duplicates="keep"), ia.Monitor(duplicates="keep")
    rng = np.random.default_rng(3)
    values = rng.integers(0, 400, 600).tolist()
    for number, value in enumerate(values):
        monitor.add(number % 2, number, value)
    assert monitor._patterns._cells <= 50 + 8 * 600
    monkeypatch.undo()
    whole.extend([number % 2 for number in range(600)], list(range(600)), values)
    assert monitor.strata() == whole.strata()


def test_a_label_is_no_more_work_when_there_are_many():
    rng = np.random.default_rng(1)
    rows = 64_000
    item, annotator = np.divmod(rng.permutation(rows), 4)
    value = rng.integers(0, 3, rows)
    monitor = ia.Monitor()
    work = [
        effort(
            lambda part=slice(at, at + 8_000): monitor.extend(item[part], annotator[part], value[part])  # type: ignore[misc]
        )
        for at in range(0, rows, 8_000)
    ]
    assert max(work[1:]) < 1.5 * work[0]


def test_a_million_labels_and_a_small_file(tmp_path):
    rng = np.random.default_rng(1)
    rows = 1_000_000
    item, annotator = np.divmod(rng.permutation(rows), 4)
    value = np.where(rng.random(rows) < 0.7, item % 3, rng.integers(0, 3, rows))
    monitor = ia.Monitor()
    for at in range(0, rows, 50_000):
        part = slice(at, at + 50_000)
        monitor.extend(item[part], annotator[part], value[part])
    study = ia.Annotations(
        item.astype(np.int32), annotator.astype(np.int32), value.astype(np.int32),
        range(rows // 4), tuple(range(4)), (0, 1, 2),
    )  # fmt: skip
    assert float(monitor.exact("alpha")) == pytest.approx(ia.alpha(study).value, abs=1e-12)
    monitor.save(tmp_path / "state")
    assert (tmp_path / "state").stat().st_size < 12_500_000  # a quarter of 50 MB for a quarter of a million items
    assert ia.Monitor.load(tmp_path / "state").strata() == monitor.strata()
