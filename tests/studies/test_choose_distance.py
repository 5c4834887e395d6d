"""Comparing distances: the ranking, the paired differences, the diagnosis, the characters."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, t

from interagree.data import Annotations, as_annotations
from interagree.distances import find
from interagree.errors import KindError, MissingExtra, UnknownName
from interagree.measures.auc import auc
from interagree.measures.ks import ks
from interagree.readers import read
from interagree.results.charts import characters
from interagree.stats.pairs import diagnosis
from interagree.stats.pairs.braylan2022 import table_row
from interagree.stats.pairs.item_pairs import Pairs
from interagree.studies import distance_comparison as comparison
from interagree.studies import item_distances
from interagree.studies.choose_distance import compare_distances


def numbers(items: int = 30, seed: int = 1, noise: float = 1.0) -> Annotations:
    """Three annotators who give the place of an item with some noise."""
    rng = np.random.default_rng(seed)
    return Annotations.of(
        (i, who, round(float(i % 10 + noise * rng.normal()), 2)) for i in range(items) for who in "abc"
    )


def near(a: float, b: float) -> float:
    return abs(a - b)


def whole_steps(a: float, b: float) -> float:
    return float(abs(round(a / 4) - round(b / 4)))


def no_use(a: float, b: float) -> float:
    """As far as chance wants it, whatever the values mean."""
    return ((a * 7919 + b * 7919) % 1.0) if a != b else 0.0


def broken(a: float, b: float) -> float:
    return a / 0


# -- real data -----------------------------------------------------------------------------------------------

# The paper's forms, the best first, with the AUC (ties counting half) that their own code's distances give.
PAPER = {
    "vectors": {"rmse": 0.5858, "hamming": 0.5704},
    "boxes": {
        "giou:matching=pooled,clip=1,pixel=1": 0.9629,
        "iou:matching=pooled,pixel=1": 0.9556,
        "l2:matching=pooled": 0.9133,
        "count_diff": 0.6843,
    },
    "ner": {
        "spans_tag": 0.8367,
        "spans_strict": 0.8283,
        "spans_range": 0.8230,
        "spans_lenient": 0.7999,
        "count_diff": 0.6448,
    },
    "ner_clean": {
        "spans_tag": 0.9416,
        "spans_lenient": 0.9304,
        "spans_range": 0.9166,
        "spans_strict": 0.9101,
        "count_diff": 0.6498,
    },
    "keypoints": {"oks:matching=pooled,constant=10,scale=spread,unlabelled=points": 0.8752, "count_diff": 0.5155},
    "rankings": {"kendall:padding=50": 0.9892, "spearman:padding=50": 0.9881, "kendall_at:padding=50": 0.8021},
    "translations": {"gleu": 0.9422, "levenshtein": 0.8935},
    "trees_easy": {"ted_norm": 1.0, "ted": 0.9984, "ted_diff": 0.9943},
}


SLOW = {"ner_clean", "translations", "trees_easy"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in PAPER]
)
def test_real_data_rank_distances_as_the_papers_own_do(name, shared):
    found = compared(shared, name, tuple(PAPER[name]))
    assert [one.name for one in found.candidates] == [*PAPER[name]]
    for one in found.candidates:
        assert one.value("auc") == pytest.approx(PAPER[name][one.name], abs=0.004), one.name


@cache
def compared(shared, name, distances):
    study = read(shared / "data" / "complex" / f"{name}.jsonl", duplicates="keep")
    return compare_distances(study, list(distances), resamples=50)


def rules(found, name):
    return {remark.rule for remark in found[name].remarks}


def test_counts_of_boxes_have_a_tiny_response_space(shared):
    found = compared(shared, "boxes", tuple(PAPER["boxes"]))
    assert "tiny response space" in rules(found, "count_diff")
    assert not rules(found, "giou:matching=pooled,clip=1,pixel=1")
    assert any(said.startswith("tiny response space: count_diff (8 distinct") for said in found.diagnosis())
    assert max(map(len, str(found).splitlines())) <= 100
    assert all(found[name].behind.sure for name in PAPER["boxes"] if name != found.best.name)


def test_chance_is_near_zero_for_vectors(shared):
    found = compared(shared, "vectors", tuple(PAPER["vectors"]))
    assert "chance near zero" in rules(found, "rmse")
    assert found.diagnosis()[0].startswith("small space of values")
    assert "Its sigma is 0" in " ".join(found.choice())


def test_strict_spans_give_no_credit(shared):
    found = compared(shared, "ner", tuple(PAPER["ner"]))
    assert "no credit" in rules(found, "spans_strict")
    shares = {
        name: float(remark.figure.rstrip("%"))
        for name in ("spans_strict", "spans_lenient")
        for remark in found[name].remarks
        if remark.rule == "no credit"
    }
    assert shares["spans_strict"] > shares["spans_lenient"]


# -- differences ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("by", "measure"), [("auc", auc), ("ks", ks)])
def test_differences_are_those_of_the_same_resampled_items(by, measure):
    study = numbers()
    found = compare_distances(study, [near, whole_steps], by=by, resamples=300, seed=3)
    first, second = (measure(study, distance=one, seed=3) for one in (near, whole_steps))
    moved = second.engine.resampled(300, 3, None) - first.engine.resampled(300, 3, None)
    gap = second.value - first.value
    left = second.engine.left_out() - first.engine.left_out()
    error = max(
        np.std(moved, ddof=1) * math.sqrt(30 / 29),  # the bootstrap of few items is too narrow
        math.sqrt(29 / 30 * ((left - left.mean()) ** 2).sum()),
    )
    reach = max(np.quantile(np.abs(moved - gap), 0.95) / np.std(moved, ddof=1), norm.ppf(0.975))
    wide = reach * error * t.ppf(0.975, 29) / norm.ppf(0.975)
    behind = found["whole_steps"].behind
    assert found.best.name == "near"
    assert behind.value == pytest.approx(gap)
    assert behind.error == pytest.approx(error)
    assert (behind.low, behind.high) == pytest.approx((gap - wide, gap + wide))


def test_every_distance_is_resampled_with_the_same_weights():
    study = numbers()
    one, two = (auc(study, distance=each).engine for each in (near, whole_steps))
    assert one.statistic.width == two.statistic.width
    assert (one.statistic.unit == two.statistic.unit).all()
    assert (one.times == two.times).all()


def test_distances_that_order_all_pairs_alike_never_differ():
    found = compare_distances(numbers(200), [near, "interval:", "linear"], resamples=200)
    assert [one.behind.error for one in found.candidates[1:]] == pytest.approx([0, 0], abs=1e-12)
    assert not any(one.behind.sure for one in found.candidates[1:])
    assert "Not distinguished" in " ".join(found.choice())


def test_a_simpler_distance_that_is_surely_close_will_do():
    study = numbers(200)
    found = compare_distances(study, ["interval", "nominal"], resamples=100)
    assert found["nominal"].behind.sure
    assert "Simpler" not in " ".join(found.choice())
    alike = Annotations.of((i, who, float(i)) for i in range(40) for who in "ab")
    found = compare_distances(alike, ["interval", "nominal"], resamples=100)
    assert {one.value("auc") for one in found.candidates} == {1.0}
    assert found.best.name == "interval"
    assert found.choice()[-1] == "Simpler, and surely less than 0.02 behind: nominal."


def test_two_items_say_nothing_of_a_difference():
    rows = [(1, "a", 1.0), (1, "b", 1.5), (1, "c", 2.0), (2, "a", 5.0), (2, "b", 5.1), (2, "c", 7.0)]
    found = compare_distances(rows, ["nominal", "interval"], resamples=50)
    behind = found["nominal"].behind
    assert behind.value == pytest.approx(-0.5)
    assert math.isnan(behind.low)
    assert not behind.sure
    assert found.table().to_dict("verdict")["nominal"] == "unsure"
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_distance_that_is_worse_everywhere_is_found_worse():
    found = compare_distances(numbers(60), [no_use, near], resamples=200)
    assert found.best.name == "near"
    assert found["no_use"].behind.sure
    assert found.table().to_dict("verdict") == {"near": "best", "no_use": "worse"}


def test_intervals_widen_with_the_number_of_distances():
    # All pairs of distances at once: more of them, wider intervals.
    study = numbers(60)
    few = compare_distances(study, [near, whole_steps], resamples=400)
    many = compare_distances(study, [near, whole_steps, no_use, "nominal"], resamples=400)
    assert many["whole_steps"].behind.low < few["whole_steps"].behind.low
    assert many["whole_steps"].behind.error == pytest.approx(few["whole_steps"].behind.error)


def test_differences_of_like_distances_are_rarely_sure():
    # Two noisy copies of one distance: neither is better, and at most 5 % of comparisons may say so.
    def one(a, b):
        return abs(a - b) + ((a * 131 + b * 131) % 1.0) * (a != b)

    def other(a, b):
        return abs(a - b) + ((a * 137 + b * 137) % 1.0) * (a != b)

    sure = [
        compare_distances(numbers(20, seed), [one, other], resamples=100).candidates[1].behind.sure
        for seed in range(40)
    ]
    assert sum(sure) <= 7


def equally_good(items: int, people: int, rng: np.random.Generator, *, noise: float, heavy: bool = False):
    """Points in the plane with noise: the distance along one axis is as good as the one along the other."""
    drawn = rng.standard_t(2, (items, people, 2)) if heavy else rng.normal(size=(items, people, 2))
    points = (rng.normal(size=(items, 1, 2)) + noise * drawn).reshape(-1, 2)

    def across(a: float, b: float) -> float:
        return abs(points[int(a), 0] - points[int(b), 0])

    def along(a: float, b: float) -> float:
        return abs(points[int(a), 1] - points[int(b), 1])

    study = Annotations.of((i, f"p{k}", float(i * people + k)) for i in range(items) for k in range(people))
    return study, [across, along]


def called_worse(studies, items, people, seed=0, by="auc", **kind):
    """The share of studies in which one of two equally good distances is called worse."""
    rng = np.random.default_rng(seed)
    made = (equally_good(items, people, rng, **kind) for _ in range(studies))
    return np.mean(
        [compare_distances(study, two, by=by, resamples=200).candidates[1].behind.sure for study, two in made]
    )


def test_one_of_two_equal_distances_is_seldom_called_worse():
    assert called_worse(25, 12, 2, noise=0.5) <= 0.12


@pytest.mark.slow
@pytest.mark.parametrize("by", ["auc", "ks"])
@pytest.mark.parametrize("kind", [{"noise": 0.5}, {"noise": 0.3, "heavy": True}], ids=["normal", "heavy"])
def test_two_equal_distances_are_told_apart_in_one_of_twenty_studies(by, kind):
    # With the error of the bootstrap alone it was 6 to 10 % by AUC.
    designs = [(items, people) for items in (10, 20, 40) for people in (2, 3)]
    shares = [called_worse(100, items, people, seed, by=by, **kind) for seed, (items, people) in enumerate(designs)]
    assert np.mean(shares) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


# -- what is not measured ------------------------------------------------------------------------------------


def test_a_distance_that_fails_is_listed_with_its_reason():
    found = compare_distances(numbers(), ["iou", broken, near])
    assert [one.name for one in found.candidates] == ["near", "iou", "broken"]
    assert "boxes" in found["iou"].undefined
    assert found["broken"].undefined.startswith("it raised ZeroDivisionError")
    assert "Not measured" in str(found)
    assert "ZeroDivisionError" in str(found)
    assert found.to_dict()["distances"][2]["auc"]["value"] is None


def test_one_item_leaves_nothing_to_choose():
    found = compare_distances([(1, "a", 1.0), (1, "b", 2.0)], ["nominal", "interval"])
    assert found.best is None
    assert found.undefined
    assert "one item" in str(found)
    with pytest.raises(KindError, match="nothing to draw"):
        found.plot()
    with pytest.raises(KindError, match="nothing to draw"):
        found.heatmap()


def test_values_that_do_not_vary_are_undefined():
    found = compare_distances([(i, who, 1.0) for i in range(4) for who in "ab"])
    assert found.best is None
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_name_that_is_none_is_an_error():
    with pytest.raises(UnknownName):
        compare_distances(numbers(), ["nominal", "intervall"])
    with pytest.raises(KindError, match="does not take"):
        compare_distances(numbers(), ["interval:period=3"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"by": "alpha"}, "'auc', 'ks', not 'alpha'"),
        ({"compat": "braylan"}, "compat"),
        ({"level": 1.0}, "level"),
        ({"resamples": 1}, "resamples"),
        ({"distances": []}, "nothing to compare"),
    ],
)
def test_wrong_options_are_told(wrong, said):
    with pytest.raises(KindError, match=said):
        compare_distances(numbers(5), **wrong)


def test_one_distance_is_compared_with_none():
    found = compare_distances(numbers(), "interval")
    assert "only distance" in found.choice()[0]
    assert "to best" not in found.shown().columns


def test_the_same_distance_twice_is_one_and_functions_of_one_name_are_two():
    found = compare_distances(numbers(), ["nominal", "nominal", lambda a, b: abs(a - b), lambda a, b: (a - b) ** 2])
    assert sorted(one.name for one in found.candidates) == ["<lambda>", "<lambda> (2)", "nominal"]


# -- tables and words ----------------------------------------------------------------------------------------


def test_the_kind_of_value_has_distances_of_its_own():
    assert {one.name for one in compare_distances(numbers()).candidates} == {"nominal", "ordinal", "interval"}
    texts = [(i, who, f"{what} one two three") for i, what in enumerate(["a b", "c d", "e f"]) for who in "xy"]
    found = compare_distances(texts, kind="text", resamples=20)
    assert found.study.kind == "text"
    assert "gleu" in {one.name for one in found.candidates}


def test_the_table_ranks_by_what_was_asked_for():
    study = numbers(60, noise=2.0)
    for by in ("auc", "ks"):
        found = compare_distances(study, [near, whole_steps, "nominal"], by=by, resamples=100)
        column = found.table()[by]
        assert list(column) == sorted(column, reverse=True)
        assert [*found.table().columns][:4] == ["distance", by, "low", "high"]


def test_every_coefficient_has_its_interval():
    found = compare_distances(numbers(), [near, "nominal"], resamples=100)
    row = found.tidy().rows()[0]
    for name in ("alpha", "auc", "ks", "sigma"):
        assert row[f"{name} low"] <= row[name] <= row[f"{name} high"]
    data = found.to_dict()
    json.dumps(data, allow_nan=False)
    assert data["best"] == "near"
    assert data["distances"][0]["to_best"] is None
    assert data["distances"][1]["to_best"]["sure"] is found["nominal"].behind.sure
    assert sum(data["distances"][0]["histogram"]["within"]) == pytest.approx(1)


def test_numbers_as_published_are_those_of_the_paper():
    study = numbers(40)
    found = compare_distances(study, ["nominal", "interval"], compat="braylan2022", seed=2)
    for one in found.candidates:
        wanted = table_row(Pairs.of(study, find(one.name), seed=2), seed=2)
        assert [one.value(name) for name in ("alpha", "ks", "sigma")] == [wanted.alpha, wanted.ks, wanted.sigma]
    assert [*found.table().columns] == ["distance", "alpha", "ks", "sigma"]
    assert found.best.name == "interval"
    assert "Table 1" in str(found)


def test_long_names_are_cut_to_fit():
    def a_function_of_a_name_that_is_far_too_long_for_any_table(a, b):
        return abs(a - b)

    found = compare_distances(numbers(), [a_function_of_a_name_that_is_far_too_long_for_any_table, "nominal"])
    assert max(map(len, str(found).splitlines())) <= 100
    with pytest.raises(UnknownName, match="was compared"):
        found["near"]


# -- the rules of the diagnosis ------------------------------------------------------------------------------


def humps(*places: int) -> np.ndarray:
    grid = np.arange(diagnosis.BINS)
    found = sum(np.exp(-((grid - place) ** 2) / 4) for place in places)
    return found / found.sum()


@pytest.mark.parametrize("places", [(12,), (0,), (24,), (4, 20), (0, 24), (2, 12, 22)])
def test_modes_are_counted(places):
    assert diagnosis.peaks(humps(*places)) == list(places)


def test_a_ripple_is_no_mode():
    flat = np.full(diagnosis.BINS, 1.0)
    flat[::2] += 0.3
    assert len(diagnosis.peaks(flat / flat.sum())) == 1
    twins = humps(10, 13)
    assert len(diagnosis.peaks(twins)) == 1


def test_two_groups_of_items_make_two_modes():
    rng = np.random.default_rng(4)
    rows = [(i, who, round(100 * (i % 2) + float(rng.normal(0, 8)), 1)) for i in range(40) for who in "abc"]
    found = compare_distances(rows, [near, "nominal"], resamples=20)
    remark = next(one for one in found["near"].remarks if one.rule == "several modes")
    assert remark.figure == "1 and 2"
    assert "tiny response space" in rules(found, "nominal")
    assert "several modes" not in rules(found, "nominal")


# -- pictures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_are_written(tmp_path, need, suffix):
    need("matplotlib")
    found = compare_distances(numbers(), [near, "nominal", whole_steps, "ratio:"], resamples=20)
    for draw in (found.plot, found.heatmap):
        path = tmp_path / f"{draw.__name__}.{suffix}"
        assert draw(path) == path
        assert path.stat().st_size > 3000


def test_a_panel_for_each_distance_and_a_line_for_the_threshold(need):
    need("matplotlib")
    found = compare_distances(numbers(60), [near, "nominal"], resamples=20)
    figure = found.plot().figure
    assert [axes.get_title() for axes in figure.axes] == ["near", "nominal"]
    threshold = found["near"].results["sigma"].details["threshold"]
    assert threshold > 0
    assert [line.get_xdata()[0] for line in figure.axes[0].lines] == [threshold]


def test_a_heat_map_has_items_on_its_diagonal(need):
    need("matplotlib")
    found = compare_distances(numbers(30), [near, "nominal"], resamples=20)
    heat = item_distances.chosen(found["near"].pairs, 5)
    assert heat.table.shape == (15, 15)
    assert (heat.table == heat.table.T).all()
    assert not np.diag(heat.table).any()
    means = [heat.table[k : k + 3, k : k + 3].mean() for k in range(0, 15, 3)]
    assert means == sorted(means)  # evenly over the range of agreement
    every = found["near"].pairs.distances
    item = every.far.reshape(-1, 3).mean(axis=1)
    assert [means[0], means[-1]] == pytest.approx([item.min() * 6 / 9, item.max() * 6 / 9])
    assert found.heatmap(items=1000).images[0].get_array().shape == (90, 90)
    with pytest.raises(KindError, match="one item at least"):
        found.heatmap(items=0)


def test_without_matplotlib_a_picture_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"interagree\[plot\]"):
        compare_distances(numbers(), ["nominal"], resamples=20).plot(Path("no.png"))


def test_histograms_are_drawn_with_characters():
    assert characters.blocks(np.array([0.0, 0.1, 0.5, 1.0])) == "·▁▄█"
    assert characters.blocks(np.zeros(3)) == "···"
    table = compare_distances(numbers(), ["nominal"], resamples=20).histograms()
    assert {len(table["within items"][0]), len(table["between items"][0])} == {comparison.STRIP}
    assert not math.isnan(float(table["longest / chance"][0]))
    assert as_annotations(numbers()).kind == "numbers"
