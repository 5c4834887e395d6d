"""Noise on every kind of value, and what measures make of it."""

import json
import math
from collections import Counter

import numpy as np
import pytest

import interagree as ia
from interagree.errors import DataError, KindError, UnknownName
from interagree.kinds import recognised
from interagree.kinds._noise import Corpus, degrade
from interagree.kinds._noise.trees import _read
from interagree.plugins import KINDS
from interagree.studies.shuffle import MAGNITUDES, corpus, shuffle
from interagree.studies.shuffled import spark

TREES = (
    "(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (JJ small) (NN dog))) (. .))",
    "( (S (NP (PRP she)) (VP (VBD ran) (PP (IN in) (NP (NNP May))))))",
    ("S", ("NP", ("NN", "rain")), ("VP", ("VBZ", "falls"), ("ADVP", ("RB", "again")))),
)


def values_of(kind: str, count: int = 60, seed: int = 1) -> list:
    """Random values of a kind, as they are kept in a study."""
    rng = np.random.default_rng(seed)

    def spans():
        starts = rng.choice(60, size=rng.integers(0, 6), replace=False).tolist()
        return tuple((s, s + int(rng.integers(1, 7)), str(rng.choice(["PER", "ORG", "LOC"]))) for s in sorted(starts))

    def boxes():
        low = rng.uniform(0, 80, (rng.integers(0, 4), 2))
        return tuple(map(tuple, np.hstack([low, low + rng.uniform(5, 20, low.shape)]).tolist()))

    def keypoints():
        points = rng.uniform(1, 100, (rng.integers(0, 3), 5, 2))
        points[rng.random(points.shape[:2]) < 0.2] = 0
        return tuple(tuple(map(tuple, one)) for one in points.tolist())

    words = [f"w{k}" for k in range(40)]
    make = {
        "labels": lambda: str(rng.choice(["a", "b", "c"], p=[0.5, 0.3, 0.2])),
        "numbers": lambda: float(rng.normal()),
        "sets": lambda: frozenset(rng.choice(list("abcde"), rng.integers(0, 4), replace=False).tolist()),
        "vectors": lambda: tuple(rng.integers(-9, 10, 4).tolist()),
        "series": lambda: tuple(np.cumsum(rng.normal(size=rng.integers(3, 9))).tolist()),
        "spans": spans,
        "boxes": boxes,
        "keypoints": keypoints,
        "rankings": lambda: tuple(rng.permutation(12).tolist()),
        "trees": lambda: TREES[rng.integers(len(TREES))],
        "text": lambda: " ".join(rng.choice(words, rng.integers(4, 12))),
    }[kind]
    return [make() for _ in range(count)]


NOISY = [name for name, kind in KINDS.items() if kind.noise is not None and kind.can_be_stated]


def errors_of(kind: str, values: list) -> tuple[str, ...]:
    noise = KINDS[kind].noise()
    return noise.usual(noise.survey(Corpus(values)))


EVERY = [(kind, name) for kind in NOISY for name in errors_of(kind, values_of(kind))]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- noise ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NOISY)
def test_nothing_is_changed_at_magnitude_0(kind):
    values = values_of(kind)
    assert degrade(values, 0, rng(), kind=kind) == values


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_every_error_changes_values_and_the_same_seed_changes_them_alike(kind, name):
    values = values_of(kind)
    noisy = degrade(values, 0.7, rng(), kind=kind, noise=name)
    assert noisy != values
    assert len(noisy) == len(values)
    assert noisy == degrade(values, 0.7, rng(), kind=kind, noise=[name])
    assert noisy != degrade(values, 0.7, rng(1), kind=kind, noise=name)
    assert values == values_of(kind)  # the reference itself is left alone


@pytest.mark.parametrize("magnitude", [0.05, 0.5, 1])
@pytest.mark.parametrize("kind", [kind for kind in NOISY if KINDS[kind].complex])
def test_noisy_values_are_well_formed(kind, magnitude):
    values = values_of(kind)
    for name in (None, *errors_of(kind, values)):
        noisy = degrade(values, magnitude, rng(), kind=kind, noise=name)
        assert [KINDS[kind].why_not(value) for value in noisy] == [None] * len(values), name
        KINDS[kind].packed(list(dict.fromkeys(noisy)))


@pytest.mark.parametrize(
    ("name", "expected"), [("uniform", 1 - 1 / 3), ("prevalence", 1 - (0.5**2 + 0.3**2 + 0.2**2)), ("neighbour", 1.0)]
)
@pytest.mark.parametrize("magnitude", [0.2, 0.6, 1])
def test_as_many_labels_are_changed_as_should_be(name, expected, magnitude):
    values = values_of("labels", 20_000)
    noisy = degrade(values, magnitude, rng(), noise=name, kind="labels", scale="abc")
    share = np.mean([a != b for a, b in zip(values, noisy, strict=True)])
    assert share == pytest.approx(magnitude * expected, abs=0.012)


def test_prevalence_is_kept_and_a_uniform_guess_is_uniform():
    values = values_of("labels", 20_000)
    kept = Counter(degrade(values, 1, rng(), noise="prevalence"))
    even = Counter(degrade(values, 1, rng(), noise="uniform"))
    for label, count in Counter(values).items():
        assert kept[label] == pytest.approx(count, abs=400)
        assert even[label] == pytest.approx(20_000 / 3, abs=400)


def test_neighbours_are_one_step_off():
    values = ["low", "mid", "high"] * 50
    noisy = degrade(values, 1, rng(), noise="neighbour", scale=["low", "mid", "high"])
    assert all(new == "mid" for old, new in zip(values, noisy, strict=True) if old != "mid")
    assert {new for old, new in zip(values, noisy, strict=True) if old == "mid"} == {"low", "high"}
    with pytest.raises(KindError, match="needs labels in order"):
        degrade(["x", "y"], 1, rng(), noise="neighbour")


def test_labels_are_confused_as_is_said():
    said = {"a": {"b": 3, "c": 1}}
    noisy = degrade(["a"] * 4000 + ["b", "c"] * 100, 1, rng(), confusion=said)
    assert Counter(noisy[:4000])["b"] == pytest.approx(3000, abs=150)
    assert noisy[4000:] == ["b", "c"] * 100
    spans = [((0, 5, "a"), (6, 8, "b"))] * 20
    assert {
        label for value in degrade(spans, 1, rng(), noise="label", confusion={"a": {"b": 1}}) for *_, label in value
    } == {"b"}
    for wrong in ({"a": {"z": 1}}, {"a": {"b": 0}}, {"a": {"b": -1, "c": 2}}):
        with pytest.raises(KindError, match="confusion"):
            degrade(["a", "b", "c"], 0.5, rng(), confusion=wrong)
    with pytest.raises(KindError, match="which labels are mistaken"):
        degrade(["a", "b", "c"], 0.5, rng(), noise="confusion")


def test_numbers_stay_in_their_range_and_whole_ones_stay_whole():
    values = rng().integers(1, 100, 500).tolist()
    for name in ("jitter", "redraw"):
        noisy = degrade(values, 0.5, rng(), noise=name)
        assert all(isinstance(value, int) and 1 <= value < 100 for value in noisy)
        assert set(degrade(values, 1, rng(), noise=name)) <= set(values)


def test_interval_alpha_under_jitter_is_what_the_docstring_says():
    result = shuffle(dict(enumerate(rng().normal(size=2000))), magnitudes=[0.3, 0.5], repeats=10)
    for m, found in zip(result.magnitudes, result.curves[0].mean, strict=True):
        assert found == pytest.approx((1 - m) ** 2 / ((1 - m) ** 2 + m**2), abs=0.02)


@pytest.mark.parametrize("magnitude", [0.1, 0.5, 1])
@pytest.mark.parametrize("name", [None, "shift", "split", "merge", "insert"])
def test_spans_stay_spans_inside_their_text(name, magnitude):
    values = values_of("spans", 200)
    ends = [max((end for _, end, _ in value), default=None) for value in values]
    median = float(np.median([end for end in ends if end is not None]))
    for value, end in zip(degrade(values, magnitude, rng(), noise=name), ends, strict=True):
        last = median if end is None else end
        assert all(0 <= start < stop <= last and isinstance(start, int) for start, stop, _ in value)


def test_spans_keep_how_they_were_written():
    named = [tuple(sorted({"start": 1.5, "end": 3.0, "label": "a", "id": k}.items())) for k in range(3)]
    noisy = degrade([tuple(named)] * 5, 0.5, rng(), noise=["shift", "label", "split"])
    assert all(dict(span).keys() == {"start", "end", "label", "id"} for value in noisy for span in value)
    bare = degrade([((1, 4), (8, 12))] * 5, 1, rng(), kind="spans")
    assert all(len(span) == 2 for value in bare for span in value)
    alone = degrade([(1, 4, "x"), (2, 9, "y")], 0.5, rng(), noise="shift", kind="spans")
    assert all(len(value) == 1 and len(value[0]) == 3 for value in alone)


def test_split_covers_the_same_and_merge_joins_neighbours():
    values = [((0, 10, "a"), (20, 21, "b"))] * 30
    for value in degrade(values, 1, rng(), noise="split"):
        (first, cut, _), (again, last, _), single = value
        assert (first, last, single) == (0, 10, (20, 21, "b"))
        assert cut == again
    merged = Counter(value for value in degrade(values, 1, rng(), noise="merge"))
    assert merged.keys() == {values[0], ((0, 21, "a"),), ((0, 21, "b"),)}


@pytest.mark.parametrize("kind", ["spans", "boxes", "keypoints"])
def test_as_many_objects_are_deleted_and_inserted_as_should_be(kind):
    values = values_of(kind, 2000)
    size = sum(map(len, values))
    for magnitude in (0.3, 1):
        gone = sum(map(len, degrade(values, magnitude, rng(), noise="delete", kind=kind)))
        more = sum(map(len, degrade(values, magnitude, rng(), noise="insert", kind=kind)))
        assert gone == pytest.approx(size * (1 - magnitude), rel=0.05, abs=1)
        assert more == pytest.approx(size * (1 + magnitude), rel=0.1)


def test_boxes_stay_in_the_picture_with_their_labels():
    values = [((0, 0, 10, 10, "cat"), (50, 40, 90, 60, "dog"))] * 50
    for magnitude in (0.2, 1):
        for value in degrade(values, magnitude, rng(), kind="boxes"):
            for x0, y0, x1, y1, label in value:
                assert 0 <= x0 < x1 <= 90
                assert 0 <= y0 < y1 <= 60
                assert isinstance(x0, int)
                assert label in {"cat", "dog"}
    assert errors_of("boxes", values) == ("jitter", "label", "delete", "insert")
    assert "label" not in errors_of("boxes", values_of("boxes"))


@pytest.mark.parametrize("name", ["swap", "drift"])
def test_rankings_stay_permutations_and_become_random(name):
    values = [tuple(range(20))] * 300
    noisy = degrade(values, 1, rng(), noise=name, kind="rankings")
    assert all(sorted(value) == list(range(20)) for value in noisy)
    assert np.mean([value[0] for value in noisy]) == pytest.approx(9.5, abs=1.2)
    little = degrade(values, 0.1, rng(), noise=name, kind="rankings")
    assert all(sorted(value) == list(range(20)) for value in little)


def _words(value) -> list[str]:
    def below(node):
        return [word for part in node.parts for word in ([part] if isinstance(part, str) else below(part))]

    return below(_read(value))


@pytest.mark.parametrize("name", ["relabel", "reattach", None])
@pytest.mark.parametrize("magnitude", [0.3, 1])
def test_trees_keep_their_words_in_order(name, magnitude):
    values = [*TREES] * 30
    noisy = degrade(values, magnitude, rng(), noise=name, kind="trees")
    assert [*map(_words, noisy)] == [*map(_words, values)]
    assert [type(value) for value in noisy] == [type(value) for value in values]
    assert len(set(noisy)) > len(TREES)


def test_texts_take_words_from_other_texts():
    values = ["a b c d e f", "p q r s t u"] * 20
    assert degrade(["a b", "a b"], 0.5, rng(), noise="swap", kind="text")[0] in {"a b", "b a"}
    replaced = degrade(values[:2], 1, rng(), noise="replace", kind="text")
    assert set(replaced[0].split()) <= set("pqrstu")
    assert set(replaced[1].split()) <= set("abcdef")
    dropped = degrade(values, 1, rng(), noise="drop", kind="text")
    assert all(value for value in dropped)
    assert np.mean([len(value.split()) for value in dropped]) == pytest.approx(3, abs=0.7)
    assert all(
        sorted(one.split()) == sorted(two.split())
        for one, two in zip(values, degrade(values, 1, rng(), noise="swap", kind="text"), strict=True)
    )


def test_hidden_points_are_written_as_such():
    values = [(((3, 4, 2), (5, 6, 1)),)] * 5
    assert degrade(values, 1, rng(), noise="hide", kind="keypoints") == [(((0, 0, 0), (0, 0, 0)),)] * 5


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b"], "labels"),
        ([1, 2, 3, 2], "labels"),
        ([1.5, 2, 3], "numbers"),
        ([*range(30)], "numbers"),
        ([frozenset("a")], "sets"),
        ([((0, 3, "x"),), ()], "spans"),
    ],
)
def test_the_kind_is_recognised(values, kind):
    assert recognised([*dict.fromkeys(values)]).kind == kind


@pytest.mark.parametrize("magnitude", [-0.1, 1.01, math.nan, "0.5", None])
def test_a_magnitude_is_between_0_and_1(magnitude):
    with pytest.raises(KindError, match="a magnitude lies between 0"):
        degrade(["a", "b"], magnitude, rng())
    with pytest.raises(KindError, match=r"a magnitude lies between 0|magnitudes= takes a list of numbers"):
        shuffle({1: "a", 2: "b"}, magnitudes=[0, magnitude])


# -- shuffling -----------------------------------------------------------------------------------------------

LABELS = dict(enumerate(values_of("labels", 300)))


@pytest.mark.parametrize("noise", ["uniform", "prevalence"])
def test_alpha_falls_from_1_to_0(noise):
    result = shuffle(LABELS, noise=noise)
    (row,) = result.judge()
    assert row["at 0"] == 1
    assert row["at 1"] == pytest.approx(0, abs=0.05)
    assert row["falls"] in {"strictly", "within error"}
    assert row["spearman"] < -0.98
    assert row["slope"] == pytest.approx(-1, abs=0.1)
    assert row["curve"].startswith("█")
    assert row["curve"].endswith("▁")
    # Both annotators keep the label with probability 1 - m, else the labels are independent of each other.
    assert result.curves[0].mean[5] == pytest.approx(0.25, abs=0.06)


def test_the_same_seed_is_the_same_result_and_other_magnitudes_change_nothing():
    one = shuffle(LABELS, magnitudes=[0, 0.5, 1], repeats=2, seed=3)
    two = shuffle(LABELS, magnitudes=[1, 0.5], repeats=3, seed=3)
    assert one.to_dict() == shuffle(LABELS, magnitudes=[0, 0.5, 1], repeats=2, seed=3).to_dict()
    assert np.array_equal(one.curves[0].values[1], two.curves[0].values[1][:2])
    assert one.to_dict()["curves"] != shuffle(LABELS, magnitudes=[0, 0.5, 1], repeats=2, seed=4).to_dict()["curves"]
    assert two.judge()["at 1"] == [two.curves[0].mean[0]]  # whatever the order of magnitudes


def test_a_study_is_the_one_that_was_measured():
    result = shuffle(LABELS, magnitudes=[0, 0.4], repeats=2)
    study = result.study(0.4, repeat=1)
    assert ia.alpha(study).value == result.curves[0].values[1, 1]
    assert len(study.annotators) == 3
    assert "3 annotators simulated with prevalence noise of magnitude 0.4" in study.provenance.policy()
    assert study.rows() != result.study(0.41).rows()
    assert corpus(LABELS, 0.4).rows() == result.study(0.4).rows()
    assert [row[2] for row in result.study(0).rows()] == [*LABELS.values()] * 3


def test_measures_and_distances_make_columns():
    values = dict(enumerate(rng().integers(1, 6, 100).tolist()))
    result = shuffle(values, measures=["alpha", "ac1"], distances=["nominal", "interval"], magnitudes=[0, 1], repeats=2)
    assert [*result.table().columns] == ["magnitude", "alpha nominal", "ac1", "alpha interval"]
    assert result.table()["alpha interval"][0] == 1
    tidy = result.tidy()
    assert len(tidy) == 6
    assert tidy.rows()[0] == {
        "measure": "alpha", "distance": "nominal", "noise": "prevalence", "magnitude": 0.0, "mean": 1.0, "sd": 0.0,
        "repeats": 2,
    }  # fmt: skip
    assert [*shuffle(values, magnitudes=[0, 1], repeats=1).table().columns] == ["magnitude", "alpha"]
    own = shuffle(values, distances=[lambda a, b: abs(a - b)], magnitudes=[0], repeats=1)
    assert own.curves[0].values[0, 0] == 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("labels", ["nominal"]),
        ("numbers", ["nominal", "ordinal", "interval"]),
        ("sets", ["nominal", "jaccard", "masi"]),
        ("vectors", [*KINDS["vectors"].distances]),
    ],
)
def test_all_distances_worth_comparing(kind, expected):
    values = dict(enumerate(values_of(kind)))
    result = shuffle(values, kind=kind, distances="all", magnitudes=[0, 0.5], repeats=1)
    assert [curve.distance for curve in result.curves] == expected
    assert [curve.mean[0] for curve in result.curves] == pytest.approx([1] * len(expected))


def test_a_distance_that_takes_some_corpora_only_is_kept():
    boxes = {k: ((k, 0, k + 5, 5),) for k in range(20)}
    result = shuffle(boxes, kind="boxes", distances=["l2", "giou"], magnitudes=[0, 1], repeats=1)
    assert [curve.mean[0] for curve in result.curves] == [1, 1]
    assert any("l2 is undefined for 1 corpus of magnitude 1" in note for note in result.notes)


def test_errors_apart_have_curves_of_their_own():
    values = dict(enumerate(values_of("spans")))
    result = shuffle(values, apart=True, magnitudes=[0, 0.3], repeats=1, distances="nominal")
    assert [curve.name for curve in result.curves] == ["shift", "label", "split", "merge", "delete", "insert"]
    assert all(curve.mean[1] < 1 for curve in result.curves)
    assert result.study(0.3, noise="delete").rows()
    with pytest.raises(KindError, match="measured separately; say which"):
        result.study(0.3)
    some = shuffle(values, apart=True, noise=["insert", "shift"], magnitudes=[0.3], repeats=1, distances="nominal")
    assert [curve.name for curve in some.curves] == ["shift", "insert"]


def test_what_is_undefined_is_said():
    result = shuffle(dict(enumerate(values_of("sets"))), noise="delete", magnitudes=[0, 0.5, 1], repeats=2)
    (note,) = result.notes
    assert note.startswith("alpha is undefined for 2 corpora of magnitude 1: all annotations have the same value")
    assert math.isnan(result.curves[0].mean[-1])
    assert result.to_dict()["curves"][0]["mean"][-1] is None
    assert result.judge()["falls"] == ["strictly"]
    assert not result.undefined
    assert shuffle({1: "a", 2: "a"}, magnitudes=[0], repeats=1).undefined


def test_a_measure_that_sees_nothing_does_not_fall():
    values = dict(enumerate(values_of("rankings")))
    blind = shuffle(values, distances=[lambda a, b: float(len(a) != len(b) or sorted(a) != sorted(b))], kind="rankings")
    assert blind.judge()["falls"] == ["unknown"]
    first = shuffle(
        {k: (k, *range(100, 103)) for k in range(50)},
        kind="rankings",
        distances=[lambda a, b: float(min(a) != min(b))],
        repeats=2,
    )
    assert first.judge()["falls"] == ["no: stays the same"]


def test_a_measure_that_rises_is_caught():
    result = shuffle(LABELS, magnitudes=[0, 0.5, 1], repeats=3)
    curve = result.curves[0]
    made = type(result)(
        result.corpora, result.noise, result.magnitudes, 3, (curve._replace(values=curve.values[[0, 2, 1]]),)
    )
    assert made.judge()["falls"] == ["no: rises from 0.5 to 1"]
    once = type(result)(
        result.corpora, result.noise, result.magnitudes, 1, (curve._replace(values=curve.values[[0, 2, 1], :1]),)
    )
    assert once.judge()["falls"] == ["not strictly"]


def test_a_reference_has_one_value_for_each_item():
    two = ia.Annotations.of({"gold": ["a", "b"], "eve": ["a", "c"]}, annotator=["gold", "eve"])
    with pytest.raises(DataError, match=r"choose one of them, as in study\.only\(annotators=\['gold'\]\)"):
        shuffle(two)
    assert shuffle(two.only(annotators=["gold"]), magnitudes=[0], repeats=1).curves[0].mean[0] == 1
    with pytest.raises(DataError, match="is empty"):
        shuffle({})


@pytest.mark.parametrize(
    ("given", "error", "complaint"),
    [
        ({"noise": "shfit"}, UnknownName, "no noise of labels is called 'shfit'"),
        ({"noise": []}, KindError, "no noise was named"),
        ({"magnitudes": []}, KindError, "no magnitude was given"),
        ({"annotators": 1}, KindError, "annotators=1 must be a whole number of 2 or more"),
        ({"repeats": 0}, KindError, "repeats= takes a whole number from 1"),
        ({"measures": []}, KindError, "no measure was named"),
        ({"measures": "alfa"}, UnknownName, "no measure is called 'alfa'"),
        ({"measures": "ac1", "distances": "nominal"}, KindError, "takes no distance"),
        ({"distances": "giou"}, KindError, "boxes"),
        ({"distances": ["gioo"]}, UnknownName, "no distance is called 'gioo'"),
        ({"kind": "lables"}, UnknownName, "no kind of value is called 'lables'"),
    ],
)
def test_wrong_use_gives_a_sentence(given, error, complaint):
    with pytest.raises(error, match=complaint):
        shuffle(LABELS, **given)


def test_a_kind_without_noise_is_refused():
    with pytest.raises(KindError, match="there is no noise for masks; there is for boxes, keypoints"):
        degrade(["0 3"], 0.5, rng(), kind="masks")


def test_declared_values_and_their_order_reach_the_corpora():
    study = ia.Annotations.of({"gold": ["low", "mid", "mid", "low"]}, values=["low", "mid", "high"], ordered=True)
    result = shuffle(study, noise="uniform", magnitudes=[1], repeats=1)
    assert result.study(1).values == ("low", "mid", "high")
    assert result.curves[0].distance == "ordinal"
    assert shuffle(study, apart=True, magnitudes=[0], repeats=1).noise == (
        ("uniform",),
        ("prevalence",),
        ("neighbour",),
    )


def test_it_is_drawn(tmp_path, need):
    need("matplotlib")
    result = shuffle(LABELS, magnitudes=[0, 0.5, 1], repeats=2, measures=["alpha", "ac1"])
    assert result.plot(tmp_path / "curves.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert len(result.plot().lines) == 3  # two curves and the straight line


def test_it_prints_itself():
    result = shuffle(LABELS, magnitudes=[0, 1], repeats=1)
    text = str(result)
    assert text.startswith("Under noise: alpha nominal")
    assert text.endswith("300 items (labels), 3 simulated annotators, noise: prevalence; mean of 1 repeat, seed 0.")
    assert repr(result).startswith("<Shuffled: alpha; 300 items")
    assert json.loads(json.dumps(result.to_dict()))["magnitudes"] == [0, 1]
    assert spark([0, 0.5, 1, math.nan, 2]) == "▁▅█ █"
    assert MAGNITUDES[0] == 0
    assert MAGNITUDES[-1] == 1


@pytest.mark.parametrize("kind", [kind for kind in NOISY if KINDS[kind].complex])
def test_the_usual_distance_of_each_kind_responds(kind):
    values = dict(enumerate(values_of(kind, 12 if kind == "trees" else 40)))
    (curve,) = shuffle(values, kind=kind, magnitudes=[0, 0.3, 1], repeats=2).curves
    assert curve.distance == KINDS[kind].distance
    assert curve.mean[0] == pytest.approx(1)
    assert curve.mean[2] < curve.mean[1] < 0.95


@pytest.mark.parametrize("name", ["ner", "boxes", "vectors", "rankings", "keypoints", "translations", "trees_easy"])
def test_real_references_stay_well_formed(shared, name):
    lines = (shared / "data" / "complex" / f"{name}_gold.jsonl").read_text(encoding="utf-8").splitlines()
    values = [row["value"] for row in map(json.loads, lines[:40])]
    kind = {"ner": "spans", "translations": "text", "trees_easy": "trees"}.get(name, name)
    noisy = degrade(values, 0.5, rng(), kind=kind)
    assert [KINDS[kind].why_not(value) for value in noisy] == [None] * len(noisy)
    assert noisy != degrade(values, 0, rng(), kind=kind)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("spans", [(), ()]),
        ("spans", [((0, 1, "a"),)]),
        ("spans", [((0.25, 0.5),), ()]),
        ("boxes", [(), ()]),
        ("boxes", [((0, 0, 1, 1),)]),
        ("boxes", [((3, 3, 3, 3),)]),
        ("keypoints", [(), ()]),
        ("keypoints", [(((0, 0), (0, 0)),)]),
        ("text", ["", "word"]),
        ("text", ["one text alone"]),
        ("trees", ["(S)", "(S word)"]),
        ("rankings", [("a", "b")]),
        ("vectors", [(1, 2)]),
        ("labels", ["a"]),
        ("sets", [frozenset()]),
        ("numbers", [1.5]),
    ],
)
def test_small_references_are_no_trouble(kind, values):
    for magnitude in (0.5, 1):
        for name in (None, *errors_of(kind, values)):
            noisy = degrade(values, magnitude, rng(), kind=kind, noise=name)
            assert len(noisy) == len(values)
            if kind in KINDS:
                assert [KINDS[kind].why_not(value) for value in noisy] == [None] * len(values)
