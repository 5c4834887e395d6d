"""Coreference: F by each metric and alpha of sets, against slow twins written from the definitions."""

from __future__ import annotations

import json
import math
import random
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree import reference
from interagree.errors import KindError
from interagree.measures.alpha import alpha
from interagree.measures.coref_alpha import coref_alpha
from interagree.measures.coref_f1 import coref_f1
from interagree.plugins import DISTANCES
from interagree.reference.distances import NAMED
from interagree.reference.labels import alpha_parts
from interagree.reference.objects import mention_sets
from interagree.reference.rows import cells_of, paired
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
                wanted = reference.coref_f1(rows, metric=metric, **how)
                found = value(rows, metric=metric, **how)
                assert math.isnan(found) if wanted is None else found == pytest.approx(float(wanted), abs=1e-12)


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


@pytest.mark.parametrize("chance", ["study", "document"])
@pytest.mark.parametrize("unmarked", ["singleton", "leave"])
@pytest.mark.parametrize("distance", ["masi", "jaccard", "dice", "passonneau2004"])
def test_alpha_is_krippendorffs_of_mentions_and_sets(distance: str, unmarked: str, chance: str) -> None:
    rng = random.Random(f"{distance} {unmarked}")
    for _ in range(8):
        rows = study(rng, documents=rng.choice([1, 2, 5]), marked=rng.choice([0.5, 0.9, 1]))
        how = {"distance": distance, "unmarked": unmarked, "chance": chance}
        found, wanted = coref_alpha(rows, **how), reference.coref_alpha(rows, **how)
        if wanted is None:
            assert found.undefined
        else:
            assert found.value == pytest.approx(float(wanted))


@pytest.mark.parametrize("unmarked", ["singleton", "leave"])
@pytest.mark.parametrize("distance", ["masi", "jaccard", "dice", "passonneau2004"])
def test_the_parts_of_alpha_are_those_of_alpha_of_mention_sets(distance: str, unmarked: str) -> None:
    for seed in range(8):
        rows = study(random.Random(seed), documents=1 + seed % 4)
        documents = paired(cells_of(rows))
        sets = [row for name in documents for row in mention_sets(documents, name, unmarked)]
        found = coref_alpha(rows, unmarked=unmarked, distance=distance, chance="study")
        observed, expected = alpha_parts(sets, NAMED[distance])
        if found.undefined is None:
            assert found.disagreement.observed == pytest.approx(float(observed))
            assert found.disagreement.expected == pytest.approx(float(expected))
        else:
            assert not expected


def test_chance_of_other_documents_makes_alpha_higher() -> None:
    rows = study(random.Random(12), documents=4)
    assert coref_alpha(rows).value < coref_alpha(rows, chance="study").value


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
