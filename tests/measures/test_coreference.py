"""Coreference: F by each metric and alpha of sets, against slow twins written from the definitions."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.errors import KindError
from interagree.measures.alpha import alpha
from interagree.measures.coref_alpha import coref_alpha
from interagree.measures.coref_f1 import coref_f1
from interagree.plugins import DISTANCES
from interagree.stats.engine import compress
from interagree.stats.pairs import clusters as clusters_

Value = tuple[tuple[str, ...], ...]
Row = tuple[str, str, Value]
METRICS = ("muc", "b3", "ceaf_m", "ceaf_e", "lea")
HERE = Path(__file__).parents[1]


def drawn(rng: random.Random, mentions: int = 7, groups: int = 4, marked: float = 0.8) -> Value:
    found: dict[int, list[str]] = {}
    for mention in range(mentions):
        if rng.random() < marked:
            found.setdefault(rng.randrange(groups), []).append(f"m{mention}")
    return tuple(tuple(rng.sample(group, len(group))) for group in found.values())


def study(rng: random.Random, documents: int = 4, people: str = "abc", **how: Any) -> list[Row]:
    rows = [(f"d{d}", who, drawn(rng, **how)) for d in range(documents) for who in people]
    return [row for row in rows if row[0] in {"d0", "d1"} or rng.random() < 0.8]


def value(rows: Sequence[Row], **how: Any) -> float:
    return float(coref_f1(ia.Annotations.of(rows, kind="clusters"), **how).value)


# -- twins -------------------------------------------------------------------------------------------------


def changed(key: Value, other: Value, mentions: str, *, singletons: bool) -> list[set[str]]:
    """The clusters of the key as an option would have them."""
    keep = [[set(c) for c in some if singletons or len(c) > 1] for some in (key, other)]
    mine, yours = (set().union(*some) for some in keep)
    if mentions == "common":
        return [c & yours for c in keep[0] if c & yours]
    return keep[0] + ([{m} for m in yours - mine] if mentions == "all" else [])


def recall(metric: str, key: list[set[str]], other: list[set[str]]) -> tuple[Fraction, Fraction]:
    """Numerator and denominator of recall, by definition."""
    of = {m: c for c in map(frozenset, other) for m in c}
    mentions = Fraction(sum(map(len, key)))
    if metric == "muc":
        pieces = [len({of[m] for m in c if m in of}) + len([m for m in c if m not in of]) for c in key]
        return Fraction(sum(len(c) - p for c, p in zip(key, pieces, strict=True))), mentions - len(key)
    if metric == "b3":
        return sum((Fraction(len(c & of[m]), len(c)) for c in key for m in c if m in of), Fraction(0)), mentions
    if metric == "lea":
        return sum((len(c) * resolved(c, of) for c in key), Fraction(0)), mentions

    def worth(c: set[str], d: set[str]) -> Fraction:
        common = Fraction(len(c & d))
        return common if metric == "ceaf_m" else 2 * common / (len(c) + len(d))

    few, many = sorted((key, other), key=len)
    best = max(
        (sum(map(worth, few, chosen), Fraction(0)) for chosen in permutations(many, len(few))), default=Fraction(0)
    )
    return best, mentions if metric == "ceaf_m" else Fraction(len(key))


def resolved(c: set[str], of: dict[str, frozenset[str]]) -> Fraction:
    if len(c) == 1:
        (alone,) = c
        return Fraction(int(of.get(alone) == c))
    links = list(combinations(sorted(c), 2))
    return Fraction(sum(m in of and of[m] == of.get(n) for m, n in links), len(links))


def four(metric: str, a: Value, b: Value, mentions: str, *, singletons: bool) -> list[Fraction]:
    mine, yours = (changed(x, y, mentions, singletons=singletons) for x, y in ((a, b), (b, a)))
    return [*recall(metric, mine, yours), *recall(metric, yours, mine)]


def f(sums: Sequence[Fraction]) -> Fraction | None:
    a, over_a, b, over_b = sums
    if not over_a + over_b:
        return None
    if not a:
        return Fraction(0)
    r, p = a / over_a, b / over_b
    return 2 * p * r / (p + r)


def slow(rows: Sequence[Row], metric: str, average: str, mentions: str, *, singletons: bool) -> float:
    """The measure, by definition: every two annotators of every document."""
    by: dict[str, dict[str, Value]] = {}
    for item, who, said in rows:
        by.setdefault(item, {})[who] = said
    cells: dict[tuple[str, tuple[str, str]], list[Fraction]] = {
        (item, (x, y)): four(metric, said[x], said[y], mentions, singletons=singletons)
        for item, said in by.items()
        for x, y in combinations(sorted(said), 2)
    }

    def total(some: Iterator[list[Fraction]]) -> list[Fraction]:
        return [sum(column, Fraction(0)) for column in zip(*some, strict=True)]

    if average == "pairs":
        people = sorted({pair for _, pair in cells})
        found = [f(total(c for (_, pair), c in cells.items() if pair == two)) for two in people]
    elif average == "pooled":
        found = [f(total(both for c in cells.values() for both in (c, c[2:] + c[:2])))]
    else:
        found = []
        for item in by:
            known = [g for (i, _), c in cells.items() if i == item and (g := f(c)) is not None]
            found += [sum(known) / len(known)] if known else []
    known = [one for one in found if one is not None]
    return float(sum(known) / len(known)) if known else math.nan


# -- numbers -------------------------------------------------------------------------------------------------


PAPER = tomllib.loads((HERE / "published" / "coreference.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", PAPER["case"], ids=lambda case: case["name"])
def test_the_cases_of_the_reference_scorer(case: dict[str, Any]) -> None:
    sides = [("text", who, list(map(list, case[who].split()))) for who in ("key", "response")]
    made = ia.Annotations.of(sides, kind="clusters")
    for metric in METRICS:
        if metric in case:
            details = coref_f1(made, metric=metric).details
            found = [details[f"{metric} recall"], details[f"{metric} precision"]]
            assert found == pytest.approx([float(Fraction(one)) for one in case[metric]], abs=1e-12), metric


def test_bagga_and_baldwin() -> None:
    paper = PAPER
    rows = [("text", "key", paper["key"]), ("text", "response", paper["response"])]
    for metric in METRICS:
        found = coref_f1(ia.Annotations.of(rows, kind="clusters"), metric=metric)
        for name in ("recall", "precision", "F"):
            assert found.details[f"{metric} {name}"] == pytest.approx(float(Fraction(paper[metric][name])))
        assert found.details["key"] == "key"
        assert found.value == pytest.approx(float(Fraction(paper[metric]["F"])))
    assert value(rows) == pytest.approx(float(Fraction(18, 19) + Fraction(32, 37) + Fraction(11, 15)) / 3)


def test_the_stored_answers_of_scorch() -> None:
    stored = json.loads((HERE / "oracles" / "complex_coref.json").read_text(encoding="utf-8"))
    for case in stored["cases"]:
        rows = ia.Annotations.of([("d", "k", case["key"]), ("d", "r", case["response"])], kind="clusters")
        for metric in ("muc", "b3", "ceaf_m", "ceaf_e"):
            found = coref_f1(rows, metric=metric)
            three = [found.details[f"{metric} {name}"] for name in ("recall", "precision", "F")]
            assert three == pytest.approx(case[metric], abs=1e-12)


@pytest.mark.parametrize("mentions", ["given", "common", "all"])
@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_is_what_its_definition_says(metric: str, mentions: str) -> None:
    rng = random.Random(f"{metric} {mentions}")
    for _ in range(12):
        rows = study(rng, mentions=rng.choice([3, 5, 7]), marked=rng.choice([0.3, 0.8, 1]))
        for average in ("pairs", "pooled", "documents"):
            for singletons in (True, False):
                how = {"average": average, "mentions": mentions, "singletons": singletons}
                wanted = slow(rows, metric, average, mentions, singletons=singletons)
                assert value(rows, metric=metric, **how) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = study(random.Random(3), documents=12)
    whole = [value(rows), coref_alpha(ia.Annotations.of(rows, kind="clusters")).value]
    monkeypatch.setattr(clusters_, "BLOCK", 30)
    assert [value(rows), coref_alpha(ia.Annotations.of(rows, kind="clusters")).value] == pytest.approx(whole)


def test_conll_is_the_mean_of_three() -> None:
    rows = study(random.Random(8))
    three = [value(rows, metric=metric) for metric in ("muc", "b3", "ceaf_e")]
    assert value(rows) == pytest.approx(sum(three) / 3)


# -- what does not matter, and what does -----------------------------------------------------------------------


def mixed_up(said: Value, rng: random.Random) -> Value:
    some = [tuple(f"<{m}>" for m in rng.sample(c, len(c))) for c in said]
    return tuple(rng.sample(some, len(some)))


@pytest.mark.parametrize("metric", ["conll", *METRICS])
def test_names_and_orders_do_not_matter(metric: str) -> None:
    rng = random.Random(metric)
    for _ in range(15):
        rows = study(rng)
        other = [(i, chr(ord("a") + ord("c") - ord(who)), said) for i, who, said in rows]
        wanted = value(rows, metric=metric)
        assert value(rows[::-1], metric=metric) == pytest.approx(wanted, abs=1e-12)
        assert value(other, metric=metric) == pytest.approx(wanted, abs=1e-12)
        mixed = [(i, who, mixed_up(said, rng)) for i, who, said in rows]
        assert value(mixed, metric=metric) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("metric", ["conll", *METRICS])
def test_the_same_clusters_score_one_and_none_in_common_zero(metric: str) -> None:
    rows = [(d, who, (("x", "y"), ("z",))) for d in ("d1", "d2") for who in "abc"]
    assert value(rows, metric=metric) == pytest.approx(1)
    apart: list[Any] = [("d1", "a", (("x", "y"),)), ("d1", "b", (("p", "q"),))]
    assert value(apart, metric=metric) == 0
    silent: list[Any] = [("d1", "a", (("x", "y"),)), ("d1", "b", ())]
    assert value(silent, metric=metric) == 0


def test_what_is_undefined_is_said() -> None:
    nobody = [("d1", "a", ()), ("d1", "b", ())]
    for metric in ("conll", *METRICS):
        found = coref_f1(ia.Annotations.of(nobody, kind="clusters"), metric=metric)
        assert "nobody marked a mention" in (found.undefined or "")
        assert math.isnan(found.value)
    alone = [("d1", "a", (("x",), ("y",))), ("d1", "b", (("x",), ("y",)))]
    found = coref_f1(ia.Annotations.of(alone, kind="clusters"))
    assert "leaves MUC and the CoNLL mean with it undefined" in (found.undefined or "")
    assert value(alone, metric="lea") == 1
    assert value(alone, metric="b3") == 1
    apart = [("d1", "a", (("x", "y"),)), ("d1", "b", (("p", "q"),))]
    found = coref_f1(ia.Annotations.of(apart, kind="clusters"), mentions="common")
    assert "that both annotators marked" in (found.undefined or "")
    one = [("d1", "a", (("x", "y"),))]
    assert "only one annotator" in (coref_f1(ia.Annotations.of(one, kind="clusters")).undefined or "")


def test_a_document_without_mentions_adds_nothing() -> None:
    rows = study(random.Random(4))
    more = [*rows, ("empty", "a", ()), ("empty", "b", ())]
    for average in ("pairs", "pooled", "documents"):
        assert value(more, average=average) == pytest.approx(value(rows, average=average))
    found = coref_f1(ia.Annotations.of(more, kind="clusters"))
    assert any("nothing to score" in note for note in found.notes)


def test_options_that_are_none_are_named() -> None:
    rows = study(random.Random(4))
    for how in ({"metric": "blanc"}, {"mentions": "some"}, {"average": "mean"}):
        with pytest.raises(KindError, match="takes one of"):
            coref_f1(rows, **how)
    with pytest.raises(KindError, match="said to be text"):
        coref_f1(ia.Annotations.of([("d", "a", "x y"), ("d", "b", "x z")], kind="text"))


# -- how sure, and where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("average", ["pairs", "pooled", "documents"])
def test_the_jackknife_leaves_out_documents(average: str) -> None:
    rows = study(random.Random(6), documents=6, people="abcd")
    found = coref_f1(ia.Annotations.of(rows, kind="clusters"), average=average)
    names = sorted({item for item, _, _ in rows})
    left = np.array([value([row for row in rows if row[0] != name], average=average) for name in names])
    # A document that one annotator alone looked at is no item.
    there = [sum(row[0] == name for row in rows) > 1 for name in names]
    left = left[there]
    count = len(left)
    error = math.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum())
    assert found.standard_error(method="jackknife") == pytest.approx(error)
    interval = found.interval()
    assert interval is not None
    assert 0 <= interval.low <= found.value <= interval.high <= 1


@pytest.mark.parametrize("measure", [coref_f1, coref_alpha], ids=lambda m: m.__name__)
def test_groups_of_documents_are_resampled_together(measure: Any) -> None:
    rows = study(random.Random(6), documents=8)
    frame = {
        "document": [r[0] for r in rows],
        "who": [r[1] for r in rows],
        "said": [json.dumps(r[2]) for r in rows],
        "book": [int(r[0][1:]) // 2 for r in rows],
    }
    made = ia.Annotations.of(frame, item="document", annotator="who", value="said", kind="clusters")
    found = measure(made)
    left = np.array([measure([r for r in rows if int(r[0][1:]) // 2 != book]).value for book in range(4)])
    error = math.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
    assert found.standard_error(cluster="book", method="jackknife") == pytest.approx(error)
    assert found.interval(cluster="book", method="bootstrap", resamples=200) is not None


@pytest.mark.parametrize("measure", [coref_f1, coref_alpha], ids=lambda m: m.__name__)
def test_the_tables_are_the_measure_of_parts(measure: Any) -> None:
    rows = study(random.Random(9), documents=5)
    made = ia.Annotations.of(rows, kind="clusters")
    found = measure(made)
    for row in found.by_pair().rows():
        part = [r for r in rows if r[1] in {row["first"], row["second"]}]
        assert row["agreement"] == pytest.approx(measure(part).value)
    for row in found.by_annotator().rows():
        part = [r for r in rows if r[1] != row["annotator"]]
        assert row["left out"] == pytest.approx(measure(part).value)
    for row in found.by_item().rows():
        part = [r for r in rows if r[0] == row["item"]]
        assert row["agreement"] == pytest.approx(measure(part).value)
    with pytest.raises(KindError):
        found.by_value()
    assert found.to_dict()["measure"] == measure.__name__


def test_many_pairs_are_kept_sparse_and_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    rows = [(f"d{d}", f"a{who}", drawn(rng)) for d in range(60) for who in rng.sample(range(20), 3)]
    named = [{"item": i, "annotator": who, "value": said, "book": int(i[1:]) // 5} for i, who, said in rows]

    def told() -> list[float]:
        found = coref_f1(ia.Annotations.of(named, kind="clusters"))
        assert hasattr(found.engine.statistic.features, "tocsr") == (compress.SMALL == 50)
        bootstrap = found.interval(method="bootstrap", resamples=20)
        assert bootstrap is not None
        errors = [found.standard_error(), found.standard_error(cluster="book"), bootstrap.error]
        return [found.value, *errors, found.standard_error(method="analytic")]

    dense = told()
    monkeypatch.setattr(compress, "SMALL", 50)
    assert told() == pytest.approx(dense)


# -- alpha -----------------------------------------------------------------------------------------------------


def of_mentions(rows: Sequence[Row], unmarked: str) -> list[tuple[tuple[str, str], str, frozenset[Any]]]:
    """The study of mentions that Passonneau has in mind; sets of different documents have nothing in common."""
    known: dict[str, set[str]] = {}
    for item, _, said in rows:
        known.setdefault(item, set()).update(m for c in said for m in c)
    found = []
    for item, who, said in rows:
        its = {m: frozenset((item, n) for n in c) for c in said for m in c}
        found += [
            ((item, m), who, its.get(m, frozenset({(item, m)})))
            for m in sorted(known[item])
            if m in its or unmarked == "singleton"
        ]
    return found


@pytest.mark.parametrize("unmarked", ["singleton", "leave"])
@pytest.mark.parametrize("distance", ["masi", "jaccard", "dice", "passonneau2004"])
def test_alpha_is_krippendorffs_of_mentions_and_sets(distance: str, unmarked: str) -> None:
    rng = random.Random(f"{distance} {unmarked}")
    for _ in range(8):
        rows = study(rng, documents=rng.choice([1, 2, 5]), marked=rng.choice([0.5, 0.9, 1]))
        # Mentions of a document that one annotator alone looked at are no items here.
        seen = [row for row in rows if sum(row[0] == other[0] for other in rows) > 1]
        table = of_mentions(seen, unmarked)
        found = coref_alpha(rows, distance=distance, unmarked=unmarked, chance="study")
        if not table:
            assert found.undefined
            continue
        wanted = alpha(ia.Annotations.of(table), distance=distance)
        assert found.value == pytest.approx(wanted.value, nan_ok=True)
        if not wanted.undefined:
            assert found.disagreement.observed == pytest.approx(wanted.disagreement.observed)
            assert found.disagreement.expected == pytest.approx(wanted.disagreement.expected)


def test_chance_draws_within_documents() -> None:
    rows = study(random.Random(12), documents=4)
    observed = expected = 0.0
    for name in sorted({row[0] for row in rows}):
        part = [row for row in rows if row[0] == name]
        if len(part) < 2:
            continue
        one = alpha(ia.Annotations.of(of_mentions(part, "singleton")), distance="masi")
        size = len(of_mentions(part, "singleton"))
        observed += size * one.disagreement.observed
        expected += size * one.disagreement.expected
    found = coref_alpha(rows)
    assert found.value == pytest.approx(1 - observed / expected)
    assert found.value < coref_alpha(rows, chance="study").value


def test_alpha_is_one_where_all_agree_and_undefined_where_chance_must() -> None:
    same = [(d, who, (("x", "y"), ("z",))) for d in ("d1", "d2") for who in "abc"]
    assert coref_alpha(same).value == pytest.approx(1)
    together = [(d, who, (("x", "y", "z"),)) for d in ("d1", "d2") for who in "ab"]
    assert "chance could not have disagreed" in (coref_alpha(together).undefined or "")
    nobody: list[Any] = [("d1", "a", ()), ("d1", "b", ())]
    made = ia.Annotations.of(nobody, kind="clusters")
    assert "nobody marked a mention" in (coref_alpha(made).undefined or "")
    apart: list[Any] = [("d1", "a", (("x", "y"),)), ("d1", "b", (("p", "q"),))]
    found = coref_alpha(apart, unmarked="leave")
    assert "that another annotator marked too" in (found.undefined or "")
    assert any("4 mentions" in note for note in found.notes)


def test_alpha_wants_a_distance_of_sets() -> None:
    rows = study(random.Random(4))
    for distance in ("nominal", "interval", lambda a, b: float(a != b)):
        with pytest.raises(KindError, match="compares sets of mentions"):
            coref_alpha(rows, distance=distance)
    with pytest.raises(KindError, match="unmarked= takes one of"):
        coref_alpha(rows, unmarked="drop")
    with pytest.raises(KindError, match="chance= takes one of"):
        coref_alpha(rows, chance="corpus")


def test_names_and_orders_do_not_matter_to_alpha() -> None:
    rng = random.Random(14)
    for _ in range(10):
        rows = study(rng)
        wanted = coref_alpha(rows)
        mixed = [(f"x{i}", f"~{who}", mixed_up(said, rng)) for i, who, said in rng.sample(rows, len(rows))]
        found = coref_alpha(mixed)
        assert found.value == pytest.approx(wanted.value, abs=1e-12)
        assert found.standard_error() == pytest.approx(wanted.standard_error(), abs=1e-9, nan_ok=True)


def test_alphas_interval_is_that_of_documents() -> None:
    rows = study(random.Random(6), documents=6)
    found = coref_alpha(rows)
    names = sorted({item for item, _, _ in rows})
    left = np.array([coref_alpha([row for row in rows if row[0] != name]).value for name in names])
    count = len(left)
    error = math.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum())
    assert found.standard_error(method="jackknife") == pytest.approx(error)
    for method in ("auto", "jackknife", "bootstrap", "bca"):
        interval = found.interval(method=method, resamples=200)
        assert interval is not None
        assert interval.low <= interval.high <= 1


def test_whole_documents_may_be_compared_by_b_cubed() -> None:
    rows = study(random.Random(21), documents=6)
    assert "b_cubed" in DISTANCES
    assert alpha(ia.Annotations.of(rows, kind="clusters"), distance="b_cubed").undefined is None
