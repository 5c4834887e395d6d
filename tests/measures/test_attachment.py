"""Dependency parses: heads and relations token by token, against a plain count, on invented and on real parses."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.errors import DataError, KindError, UnknownName
from interagree.measures.alpha import alpha
from interagree.measures.attachment import attachment

Parse = tuple[tuple[int, str], ...]
Row = tuple[str, str, Parse]
RELATIONS = ("subj", "obj", "punct")


def drawn(rng: random.Random, tokens: int) -> Parse:
    heads = [rng.choice([h for h in range(tokens + 1) if h != t]) for t in range(1, tokens + 1)]
    return tuple((head, rng.choice(RELATIONS)) for head in heads)


def study(rng: random.Random, sentences: int = 6, people: str = "abc") -> list[Row]:
    rows = []
    for s in range(sentences):
        truth = drawn(rng, rng.randint(1, 6))
        for who in people:
            other = drawn(rng, len(truth))
            kept = tuple(t if rng.random() < 0.6 else o for t, o in zip(truth, other, strict=True))
            rows.append((f"s{s}", who, kept))
    return [row for row in rows if row[0] in {"s0", "s1"} or rng.random() < 0.8]


@pytest.mark.parametrize("average", ["tokens", "pairs", "sentences"])
@pytest.mark.parametrize("kind", ["las", "uas", "label"])
def test_it_is_a_share_of_tokens(kind: str, average: str) -> None:
    rng = random.Random(f"{kind} {average}")
    for _ in range(20):
        rows = study(rng)
        found = attachment(rows, kind=kind, average=average)
        assert found.value == pytest.approx(float(reference.attachment(rows, kind=kind, average=average)))
        without = attachment(rows, kind=kind, average=average, punctuation="punct")
        wanted = reference.attachment(rows, kind=kind, average=average, punctuation=["punct"])
        assert without.value == pytest.approx(float(wanted))


def test_a_small_sentence() -> None:
    rows = [
        ("s", "ann", [[2, "subj"], [0, "root"], [2, "obj"], [2, "punct"]]),
        ("s", "bo", [[2, "subj"], [0, "root"], [1, "obj"], [2, "other"]]),
    ]
    assert attachment(rows, kind="uas").value == 3 / 4
    assert attachment(rows, kind="label").value == 3 / 4
    found = attachment(rows)
    assert found.value == 2 / 4
    assert found.details["uas"] == 3 / 4
    assert found.details["by relation"] == {"obj": 0, "other": 0, "punct": 0, "root": 1, "subj": 1}
    assert found.details["confused"] == {"other ~ punct": 1}
    # One calls the last token punctuation and the other does not: they differ, and it stays.
    assert attachment(rows, punctuation="punct").value == 2 / 4
    assert attachment(rows, punctuation=["punct", "other"]).value == 2 / 3


def test_heads_alone_have_no_relations() -> None:
    rows = [("s", "ann", [2, 0, 2]), ("s", "bo", [2, 0, 1])]
    assert attachment(rows, kind="uas").value == pytest.approx(2 / 3)
    assert attachment(rows, kind="uas").details == {"tokens compared": 3, "uas": pytest.approx(2 / 3)}
    with pytest.raises(KindError, match="have heads alone; take kind='uas'"):
        attachment(rows)


def test_different_numbers_of_tokens_are_named_or_left_out() -> None:
    rows = [
        ("s1", "ann", [[2, "a"], [0, "r"]]),
        ("s1", "bo", [[2, "a"], [0, "r"], [2, "b"]]),
        ("s1", "cy", [[2, "b"], [0, "r"]]),
        ("s2", "ann", [[0, "r"]]),
        ("s2", "bo", [[0, "r"]]),
    ]
    with pytest.raises(DataError, match=r"in 's1' 'ann' has 2 tokens and 'bo' 3;.*unequal='leave'.*\(2 here\)"):
        attachment(rows)
    found = attachment(rows, unequal="leave")
    assert found.value == pytest.approx(2 / 3)
    assert any("2 times two annotators had different numbers of tokens" in note for note in found.notes)
    only = attachment(rows[:2], unequal="leave")
    assert "no two annotators have the same number of tokens" in (only.undefined or "")


def test_what_makes_no_sense_is_said() -> None:
    rows = study(random.Random(1))
    for how in ({"kind": "clas"}, {"average": "documents"}, {"unequal": "cut"}):
        with pytest.raises(KindError, match="takes one of"):
            attachment(rows, **how)
    with pytest.raises(UnknownName, match=r"nobody gave the relation 'pnct'\. Did you mean 'punct'"):
        attachment(rows, punctuation="pnct")
    one = ia.Annotations.of(rows[:1], kind="dependencies")
    assert "only one annotator" in (attachment(one).undefined or "")
    nothing = ia.Annotations.of([("s", "a", []), ("s", "b", [])], kind="dependencies")
    assert "no tokens" in (attachment(nothing).undefined or "")


def test_names_and_orders_do_not_matter_and_equals_score_one() -> None:
    rng = random.Random(3)
    for _ in range(10):
        rows = study(rng)
        wanted = attachment(rows)
        mixed = [
            (f"x{i}", f"~{chr(ord('a') + ord('c') - ord(who))}", said) for i, who, said in rng.sample(rows, len(rows))
        ]
        assert attachment(mixed).value == pytest.approx(wanted.value)
        assert attachment(mixed).standard_error() == pytest.approx(wanted.standard_error(), nan_ok=True)
        truth = {item: said for item, _, said in rows}
        assert attachment([(i, who, truth[i]) for i, who, _ in rows]).value == 1


@pytest.mark.parametrize("average", ["tokens", "pairs", "sentences"])
def test_the_jackknife_leaves_out_sentences(average: str) -> None:
    rows = study(random.Random(7), sentences=8, people="abcd")
    found = attachment(rows, average=average)
    names = sorted({item for item, _, _ in rows})
    names = [name for name in names if sum(row[0] == name for row in rows) > 1]
    left = np.array([attachment([r for r in rows if r[0] != n], average=average).value for n in names])
    count = len(left)
    error = math.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum())
    assert found.standard_error() == pytest.approx(error)
    interval = found.interval()
    assert interval is not None
    assert 0 <= interval.low <= found.value <= interval.high <= 1


def test_the_tables_are_the_measure_of_parts() -> None:
    rows = study(random.Random(9))
    found = attachment(rows, punctuation="punct")
    for row in found.by_pair().rows():
        part = [r for r in rows if r[1] in {row["first"], row["second"]}]
        assert row["agreement"] == pytest.approx(attachment(part, punctuation="punct").value)
    for row in found.by_annotator().rows():
        part = [r for r in rows if r[1] != row["annotator"]]
        assert row["left out"] == pytest.approx(attachment(part, punctuation="punct").value)
    sizes = {item: len(said) for item, _, said in rows}
    for row in found.by_item().rows():
        assert row["tokens"] == sizes[row["item"]]
    with pytest.raises(KindError):
        found.by_value()


def test_alpha_of_trees_compares_sentences_with_others() -> None:
    rows = study(random.Random(5), sentences=10)
    made = ia.Annotations.of(rows, kind="dependencies")
    for kind in ("uas", "las"):
        chance = alpha(made, distance=kind)
        assert chance.undefined is None
        assert chance.value < attachment(made, kind=kind, average="sentences").value


# -- the Copenhagen Dependency Treebank: three Spanish texts, parsed by up to four annotators ---------------------


def parses(folder: Path) -> list[tuple[str, str, list[list[Any]]]]:
    """Every sentence of every file: columns 7 and 8 are head and relation."""
    rows = []
    for path in sorted(folder.glob("*/*.conll")):
        for number, block in enumerate(path.read_text(encoding="utf-8").strip().split("\n\n"), start=1):
            tokens = [line.split("\t") for line in block.splitlines()]
            rows.append((f"{path.name[:4]}.{number}", path.parent.name, [[int(t[6]), t[7]] for t in tokens]))
    return rows


def test_four_annotators_of_spanish_texts(shared: Path) -> None:
    rows = parses(shared / "data" / "formats" / "conll_trees" / "cdt-es")
    with pytest.raises(KindError, match=r"token 4 is its own head.*item '1420.12' by 'soren'"):
        attachment(rows)
    right = [row for row in rows if row[:2] != ("1420.12", "soren")]
    with pytest.raises(DataError, match=r"in '0388\.\d+' '\w+' has \d+ tokens and 'soren' \d+"):
        attachment(right)
    found = attachment(right, unequal="leave")
    assert found.n.items == 36
    assert found.details["tokens compared"] > 1_000
    assert 0 < found.value < found.details["uas"] < 1
    assert found.value == pytest.approx(found.details["las"])
    assert found.value == pytest.approx(slow_of_equal(right))
    assert attachment(right, unequal="leave", punctuation="pnct").value < found.value
    interval = found.interval()
    assert interval is not None
    assert interval.low < found.value < interval.high
    trees = ia.Annotations.of(right, kind="dependencies")
    assert alpha(trees, distance="las").value < alpha(trees, distance="uas").value


def slow_of_equal(rows: Sequence[tuple[str, str, list[list[Any]]]]) -> float:
    same = count = 0
    for (item, _, one), (again, _, two) in combinations(rows, 2):
        if item == again and len(one) == len(two):
            same += sum(p == q for p, q in zip(one, two, strict=True))
            count += len(one)
    return same / count
