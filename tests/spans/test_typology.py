"""What kind of disagreement it is: one case of each by hand, and what holds of all random documents."""

from __future__ import annotations

import numpy as np
import pytest

import interagree as ia
from interagree.errors import UnknownName
from interagree.spans.typology import TYPES, span_types
from interagree.stats.documents.span_matching import Match

CASES = {
    "agreed": ([[0, 5, "A"]], [[0, 5, "A"]], ["agreed"]),
    "boundary": ([[0, 5, "A"]], [[0, 6, "A"]], ["boundary"]),
    "label": ([[0, 5, "A"]], [[0, 5, "B"]], ["label"]),
    "both": ([[0, 5, "A"]], [[1, 5, "B"]], ["both"]),
    "extra": ([[0, 5, "A"], [7, 8, "A"]], [[0, 5, "A"]], ["agreed", "extra"]),
    "missing": ([[0, 5, "A"]], [[0, 5, "A"], [7, 8, "A"]], ["agreed", "missing"]),
    "nothing on one side": ([], [[0, 5, "A"]], ["missing"]),
    "nothing at all": ([], [], []),
    "split": ([[0, 9, "A"]], [[0, 4, "A"], [5, 9, "A"]], ["split"]),
    "merge": ([[0, 4, "A"], [5, 9, "A"]], [[0, 9, "A"]], ["merge"]),
    "split into three": ([[0, 9, "A"]], [[0, 2, "A"], [3, 5, "A"], [6, 9, "A"]], ["split"]),
    "nested": ([[0, 9, "A"]], [[0, 9, "A"], [2, 4, "B"]], ["agreed", "nested"]),
    "around": ([[2, 4, "B"]], [[0, 9, "A"], [2, 4, "B"]], ["agreed", "nested"]),
    "another label is no part": ([[0, 9, "A"]], [[0, 4, "A"], [5, 12, "B"]], ["boundary", "missing"]),
    "a piece more": ([{"fragments": [[0, 3], [6, 9]], "label": "A"}], [[0, 9, "A"]], ["boundary"]),
}


def types_of(first, second):
    rows = [("d", "one", first), ("d", "two", second), ("e", "one", [[0, 1, "X"]]), ("e", "two", [[0, 1, "X"]])]
    found = span_types(ia.Annotations.of(rows, kind="spans"))
    mine = found.pair[found.kind == TYPES.index("agreed")]
    assert len(mine) >= 1  # that of the other document
    table = found.table(types=TYPES)
    return sorted(row["type"] for row in table.rows() if row["document"] == "d")


@pytest.mark.parametrize("case", CASES)
def test_types_by_hand(case):
    first, second, wanted = CASES[case]
    assert types_of(first, second) == sorted(wanted)


@pytest.mark.parametrize("case", CASES)
def test_swapped_annotators_swap_the_types(case):
    first, second, wanted = CASES[case]
    turned = {"split": "merge", "merge": "split", "extra": "missing", "missing": "extra"}
    assert types_of(second, first) == sorted(turned.get(word, word) for word in wanted)


def random_rows(rng, documents=25, people=3):
    rows = []
    for document in range(documents):
        for person in "abc"[:people]:
            spans = []
            for _ in range(rng.integers(0, 6)):
                begin = int(rng.integers(0, 15))
                spans.append([begin, begin + int(rng.integers(1, 7)), "XY"[rng.integers(2)]])
            rows.append((f"d{document}", person, spans))
    return rows


@pytest.mark.parametrize("seed", range(8))
def test_every_span_is_counted_once_in_every_pair(seed):
    rows = random_rows(np.random.default_rng(seed))
    found = span_types(rows)
    m = found.marks
    for pattern, (i, j) in enumerate(zip(m.i.tolist(), m.j.tolist(), strict=True)):
        events = np.flatnonzero(found.pair == pattern)
        sides = [found.spans_of(int(event)) for event in events]
        for value, side in ((i, 0), (j, 1)):
            counted = sorted(place for both in sides for place in both[side])
            assert counted == list(range(m.spans.start[value], m.spans.start[value + 1]))


@pytest.mark.parametrize("seed", range(4))
def test_agreed_spans_are_those_that_match_exactly(seed):
    rows = random_rows(np.random.default_rng(100 + seed))
    found = span_types(rows)
    strict = ia.span_f1(rows)
    agreed = int(found.times[found.pair[found.kind == 0]].sum())
    most = found.times[found.marks.paired(Match.of("exact")).overlaps.pair].sum()
    assert agreed == most
    assert strict.value == pytest.approx(2 * agreed / strict.engine.statistic.size.sum())
    assert strict.details["spans"] == sum(len(spans) for *_, spans in rows)


def test_tables_add_up():
    rows = random_rows(np.random.default_rng(5))
    found = span_types(rows)
    total = {row["type"]: row["number"] for row in found.counts().rows()}
    for table in (found.by_pair(), found.by_label()):
        for name in TYPES:
            assert sum(row[name] for row in table.rows()) == total.get(name, 0)
    listed = found.table(most=None)
    assert len(listed) == sum(many for name, many in total.items() if name != "agreed")
    assert len(found.table(most=3)) == 3
    assert "alone" in found.table(most=3).foot
    confused = found.confused().rows()
    wrong = total.get("label", 0) + total.get("both", 0)
    assert sum(row["pairs"] for row in confused) == wrong


def test_the_status_of_a_span_is_its_commonest_disagreement():
    rows = [("d", "a", [[0, 5, "A"]]), ("d", "b", [[0, 5, "A"]]), ("d", "c", [[0, 6, "A"], [9, 12, "B"]])]
    found = span_types(rows).statuses("d")
    assert found == {(0, 0): "boundary", (1, 0): "boundary", (2, 0): "boundary", (2, 1): "missing"}
    same = [("d", who, [[0, 5, "A"]]) for who in "abc"]
    assert set(span_types(same).statuses("d").values()) == {"agreed"}


def test_against_a_gold_standard_types_are_told_from_the_annotators_side():
    rows = [("d", "gold", [[0, 5, "A"]]), ("d", "b", [[0, 5, "A"], [7, 9, "A"]]), ("d", "c", [])]
    found = span_types(rows, gold="gold")
    listed = [(row["first"], row["second"], row["type"]) for row in found.table().rows()]
    assert listed == [("b", "gold", "extra"), ("c", "gold", "missing")]


@pytest.mark.parametrize("seed", range(40))
def test_types_are_mirrored_in_crowded_documents(seed):
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(2):
        begins = rng.integers(0, 15, 6).tolist()
        lists.append([[b, b + int(rng.integers(1, 7)), "AB"[rng.integers(2)]] for b in begins])
    turned = {"split": "merge", "merge": "split", "extra": "missing", "missing": "extra"}
    assert types_of(lists[1], lists[0]) == sorted(turned.get(word, word) for word in types_of(*lists))


def test_repeated_judgements_do_not_mix_up_whose_span_it_is():
    rows = [
        ("d", "a", [[0, 3, "X"]]),
        ("d", "a", [[0, 3, "X"]]),
        ("d", "b", [[0, 3, "X"]]),
        ("d", "c", [[50, 60, "Q"]]),
    ]
    data = ia.Annotations.of(rows, kind="spans", duplicates="keep")
    shown = ia.spans.marked_text(data, "d", status=ia.spans.span_types(data).statuses("d")).table()
    once = ia.Annotations.of([rows[0], *rows[2:]], kind="spans")
    assert (
        shown.rows() == ia.spans.marked_text(once, "d", status=ia.spans.span_types(once).statuses("d")).table().rows()
    )


def test_types_and_documents_that_there_are_not_are_named():
    found = span_types([("d", "a", [[0, 3, "X"]]), ("d", "b", [])])
    with pytest.raises(UnknownName, match="boundary"):
        found.table(types=["boundry"])
    with pytest.raises(UnknownName, match="there is no type"):
        found.number(["foo"])
    with pytest.raises(UnknownName, match="no document 'e'"):
        found.statuses("e")
