"""`wawa` against published values, against a slow twin, and against what must not matter."""

import json
import math
import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from interagree.data import Annotations
from interagree.errors import KindError
from interagree.people import wawa
from interagree.stats.engine.shares import wilson

DECK = [
    (str(item), who, label)
    for item, labels in enumerate(["PPP", "PPN", "NNN", "PNN"], start=1)
    for who, label in zip(("Jin", "Maya", "Sam"), labels, strict=True)
]


def some_rows(seed, items=12, people="abcde", labels="xyz"):
    rng = random.Random(seed)
    return [
        (i, who, rng.choice(labels)) for i in range(items) for who in rng.sample(people, rng.randint(1, len(people)))
    ]


def front(labels, ties):
    """The labels that are in front; None where a tie is skipped."""
    counts = Counter(labels)
    best = [label for label, votes in counts.items() if votes == max(counts.values())]
    if len(best) > 1 and ties == "skip":
        return None
    return [min(best)] if ties == "order" else best


def twin(rows, ties="split", *, alone=True):
    """WAWA by its definition, one annotation after another."""
    by_item, scores = defaultdict(list), defaultdict(list)
    for item, who, label in rows:
        by_item[item].append((who, label))
    for item, who, label in rows:
        others = [given for name, given in by_item[item] if name != who or not alone]
        if len(by_item[item]) < 2:
            continue
        best = front(others, ties)
        if best is not None:
            scores[who].append((label in best) / len(best))
    return {who: sum(found) / len(found) for who, found in scores.items() if found}, [
        one for found in scores.values() for one in found
    ]


def close(found, wanted):
    assert {who: value for who, value in found.items() if not math.isnan(value)} == pytest.approx(wanted)


def test_the_published_values_of_a_toy_are_met(shared):
    toy = json.loads((shared / "published/spans/crowdkit_toy_wawa.json").read_text(encoding="utf-8"))
    rows = [(task, worker, label) for worker, task, label in toy["input"]]
    wanted = toy["expected"]
    found = wawa(rows)
    close(found.values, wanted["leave_one_out_split_per_worker"])
    assert found.micro == pytest.approx(wanted["leave_one_out_micro"])
    assert found.micro_included == pytest.approx(wanted["split_ties_micro"])
    assert found.macro_included == pytest.approx(wanted["split_ties_macro"])
    close(wawa(rows, leave_one_out=False).values, wanted["split_ties_per_worker"])
    # The published skills give a tie to the label that stands first in the rows, which here is also first in order.
    close(wawa(rows, leave_one_out=False, ties="order").values, wanted["crowdkit_skills_tie_to_first_label"])


def test_the_definition_of_the_slides_is_the_macro_mean_with_the_own_vote():
    found = wawa(DECK, leave_one_out=False)
    assert found.values == pytest.approx({"Jin": 3 / 4, "Maya": 1, "Sam": 3 / 4})
    assert found.macro == pytest.approx(5 / 6)
    # Without the own vote: Jin 1, ½, 1, 0; Maya 1, ½, 1, ½; Sam 1, 0, 1, ½.
    assert wawa(DECK).values == pytest.approx({"Jin": 2.5 / 4, "Maya": 3 / 4, "Sam": 2.5 / 4})


@pytest.mark.parametrize("ties", ["split", "skip", "order"])
@pytest.mark.parametrize("alone", [True, False])
def test_a_slow_twin_gives_the_same(ties, alone):
    for seed in range(25):
        rows = some_rows(seed)
        found = wawa(rows, ties=ties, leave_one_out=alone)
        by_annotator, every = twin(rows, ties, alone=alone)
        close(found.values, by_annotator)
        assert found.micro == pytest.approx(sum(every) / len(every))
        assert found.macro == pytest.approx(sum(by_annotator.values()) / len(by_annotator))


@pytest.mark.parametrize("ties", ["split", "skip", "order"])
@pytest.mark.parametrize("alone", [True, False])
def test_a_distance_of_the_same_or_not_gives_what_labels_give(ties, alone):
    def differ(a, b):
        return float(a != b)

    for seed in range(15):
        rows = some_rows(seed)
        plain = wawa(rows, ties=ties, leave_one_out=alone)
        far = wawa(rows, ties=ties, leave_one_out=alone, distance=differ)
        assert not far.bounded
        close({who: 1 - value for who, value in far.values.items()}, {
            who: value for who, value in plain.values.items() if not math.isnan(value)
        })  # fmt: skip


def test_guessing_looks_good_with_the_own_vote_and_not_without_it():
    rng = np.random.default_rng(3)
    found = wawa({who: [*map(str, rng.integers(0, 2, 20_000))] for who in "abc"})
    assert found.micro_included == pytest.approx(0.75, abs=0.005)
    assert found.micro == pytest.approx(0.5, abs=0.01)


def test_the_medoid_of_the_others_by_hand():
    rows = [(1, "a", 0.0), (1, "b", 1.5), (1, "c", 10.0), (2, "a", 4.5), (2, "b", 4.5)]
    found = wawa(rows, distance="linear")
    assert not found.bounded
    # Of two others both are medoids: a is (1.5 + 10) / 2 from them.
    assert found.values == pytest.approx({"a": 5.75 / 2, "b": (1.5 + 8.5) / 2 / 2, "c": (10 + 8.5) / 2})


def test_ordered_labels_agree_in_part_on_the_scale_of_the_study():
    rows = [
        (i, who, label)
        for i, labels in enumerate(["LLM", "MMM", "HHL"])
        for who, label in zip("abc", labels, strict=True)
    ]
    study = Annotations.of(rows, values=["L", "M", "H"], ordered=True)
    found = wawa(study)
    assert found.bounded
    assert 0 < found.values["c"] < found.values["a"] < 1
    assert "ordinal" in found.notes[0]


def test_sets_and_spans_are_compared_by_their_usual_distance():
    sets = wawa([(1, "a", {"x"}), (1, "b", {"x", "y"}), (1, "c", {"x"}), (2, "a", {"y"}), (2, "b", {"y"})])
    assert sets.bounded
    assert sets.values["a"] > sets.values["b"] > 0
    spans = [("d1", who, [[0, end, "PER"]]) for who, end in (("a", 5), ("b", 5), ("c", 9))]
    found = wawa(Annotations.of([*spans, *(("d2", who, [[3, 7, "LOC"]]) for who in "abc")], kind="spans"))
    assert found.values["c"] < found.values["a"] <= 1


def test_rows_and_names_do_not_matter():
    rows = some_rows(5, items=40)
    names = {"a": "zoe", "b": "yan", "c": "xiu", "d": "will", "e": "vic"}
    mixed = [(item, names[who], label) for item, who, label in rows]
    random.Random(1).shuffle(mixed)
    for options in ({}, {"distance": "linear"}):
        if options:
            rows = [(i, who, "xyz".index(v) * 1.5) for i, who, v in rows]
            mixed = [(i, who, "xyz".index(v) * 1.5) for i, who, v in mixed]
        one, two = wawa(rows, **options).table(), wawa(mixed, **options).table()
        first = {names[row["annotator"]]: [*row.values()][1:] for row in one}
        second = {row["annotator"]: [*row.values()][1:] for row in two}
        for who, numbers in first.items():
            assert second[who] == pytest.approx(numbers, nan_ok=True)


def test_intervals_hold_as_often_as_they_say():
    rng = np.random.default_rng(0)
    held = {"wilson": 0, "boot": 0, "micro": 0}
    rounds = 200
    for _ in range(rounds):
        right = rng.random((80, 4)) < 0.8
        found = wawa({f"w{k}": [*np.where(right[:, k], "x", rng.choice(["y", "z"]))] for k in range(4)})
        row = found.table().rows()[0]
        truth = _truth()
        held["micro"] += found.interval().low <= truth <= found.interval().high
        everyone = found.table().where(lambda one: one["annotator"] == "w0").rows()[0]
        held["wilson"] += everyone["low"] <= truth <= everyone["high"]
        held["boot"] += everyone["boot low"] <= truth <= everyone["boot high"]
        assert row["agreement"] == min(found.values.values())
    assert min(held.values()) >= 0.89 * rounds, held


def _truth():
    """The expected agreement where each of four gives x with probability 0.8 and else the same other label."""
    total = 0.0
    for k in range(4):  # how many of the three others give x
        chance = math.comb(3, k) * 0.8**k * 0.2 ** (3 - k)
        total += chance * (0.8 if k >= 2 else 0.2)
    return total


def test_wilson_by_hand():
    low, high = wilson(np.array([0.5]), np.array([10.0]), 0.95)
    assert (low[0], high[0]) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_what_is_undefined_is_said_in_a_sentence():
    found = wawa([(1, "a", "x"), (2, "b", "y")])
    assert str(found) == "WAWA is undefined: no item has two annotators, so that nobody has others to agree with"
    assert math.isnan(found.micro)
    assert found.interval() is None
    assert found.notes == ("2 items with one annotator left out", "2 annotators with nobody to be compared with")
    assert found.to_dict()["micro"] is None
    tied = [(1, "a", "x"), (1, "b", "y"), (2, "a", "y"), (2, "b", "x")]
    assert wawa(tied, leave_one_out=False, ties="skip").undefined.startswith("on every item the aggregate is tied")
    assert wawa([]).undefined
    counts = Annotations.from_counts([[2, 1]], values=["x", "y"])
    with pytest.raises(KindError, match="made from counts"):
        wawa(counts)
    with pytest.raises(KindError, match="'split', 'skip', 'order'"):
        wawa(DECK, ties="first")
    with pytest.raises(KindError, match="from 1 up"):
        wawa(DECK, least=0)
    with pytest.raises(KindError, match="level"):
        wawa(DECK).table(level=95)
    with pytest.raises(KindError, match="'micro' or 'macro'"):
        wawa(DECK).interval("mean")


def test_annotators_with_little_count_in_micro_and_not_in_macro():
    found = wawa([*DECK, ("1", "New", "N")], least=2)
    assert found.macro == pytest.approx(np.mean([found.values[who] for who in ("Jin", "Maya", "Sam")]))
    assert found.notes[-1] == "1 annotator with fewer than 2 compared annotations left out of macro"


def test_whole_numbers_are_labels_and_repeats_are_left_out():
    rows = [(1, "a", 1), (1, "b", 5), (1, "c", 1), (2, "a", 3), (2, "b", 3), (2, "c", 3)]
    found = wawa(rows)
    assert found.bounded
    assert "were taken as labels" in found.notes[0]
    twice = Annotations.of([*rows, (1, "a", 5)], duplicates="keep")
    assert wawa(twice).values == found.values
    assert "repeated judgement" in wawa(twice).notes[0]
