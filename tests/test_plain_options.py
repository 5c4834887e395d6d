"""Options take what is as good as the type they declare: words, numbers and columns of other libraries.

What comes out is what the plain value gives.
"""

from __future__ import annotations

import collections
import enum
import types
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest

import interagree as ia
from interagree.errors import ColumnNotFound, InteragreeError, TooLarge


class Word(enum.StrEnum):
    """A word of each option that takes one of a few."""

    BOOTSTRAP = "bootstrap"
    WIDE = "wide"
    MUC = "muc"
    ICC = "ICC(3,1)"


def labels() -> ia.Annotations:
    rows = [(i, a, "xyz"[(i * (j + 1) + i // 3) % 3]) for i in range(12) for j, a in enumerate(("ann", "bo", "cy"))]
    item, annotator, value = zip(*rows, strict=True)
    return ia.Annotations.from_columns(item, annotator, value, attributes={"document": [f"d{i // 4}" for i in item]})


def numbers() -> ia.Annotations:
    return ia.Annotations.of(
        [(i, a, float((i * (j + 2)) % 7)) for i in range(9) for j, a in enumerate(("ann", "bo", "cy"))]
    )


SPANS = {
    "ann": [[[0, 3, "PER"], [10, 16, "LOC"]], [[4, 9, "PER"]], [[7, 11, "LOC"]]],
    "bo": [[[0, 3, "PER"], [10, 18, "LOC"]], [[4, 9, "ORG"]], [[7, 11, "LOC"]]],
}
SEGMENTS = {"ann": [[2, 3, 6], [5, 5], [4, 4, 4]], "bo": [[2, 4, 5], [5, 5], [4, 8]]}
CLUSTERS = {"ann": [[["Ada", "she"], ["notes"]], [["it"]]], "bo": [[["Ada", "she", "notes"]], [["it"]]]}
WIDE = {"item": [1, 2, 3], "ann": ["x", "y", "y"], "bo": ["x", "y", "x"], "cy": ["x", "y", "y"]}
TEAMS = {"ann": "one", "bo": "one", "cy": "two"}


def spans() -> ia.Annotations:
    return ia.Annotations.of(SPANS, kind="spans")


WORDS: dict[str, tuple[Callable[[str], object], str]] = {
    "interval": (lambda word: ia.alpha(labels()).interval(method=word, resamples=20), "bootstrap"),
    "layout": (lambda word: ia.alpha(WIDE, layout=word), "wide"),
    "metric": (lambda word: ia.measures.coref_f1(CLUSTERS, kind="clusters", metric=word), "muc"),
    "form": (lambda word: ia.icc(numbers(), form=word), "ICC(3,1)"),
}


@pytest.mark.parametrize("call", WORDS)
def test_words_of_other_classes(call):
    made, word = WORDS[call]
    assert str(made(np.str_(word))) == str(made(Word(word))) == str(made(word))


NUMBERS: dict[str, tuple[Callable[[object], object], int]] = {
    "sided": (lambda n: ia.alpha(labels()).p_value(sided=n), 1),
    "window": (lambda n: ia.measures.pk(SEGMENTS, kind="segments", window=n), 2),
    "near": (lambda n: ia.measures.boundary_similarity(SEGMENTS, kind="segments", near=n), 2),
    "per_item": (lambda n: ia.plan(labels(), measure="alpha", half_width=0.2, per_item=n, rounds=2), 3),
    "context": (lambda n: ia.spans.marked_text(spans(), 0, context=n), 5),
}


@pytest.mark.parametrize("call", NUMBERS)
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint16])
def test_whole_numbers_of_numpy(call, kind):
    made, number = NUMBERS[call]
    assert str(made(kind(number))) == str(made(number))


FRACTIONS: dict[str, tuple[Callable[[object], object], float]] = {
    "level": (lambda x: ia.alpha(labels()).interval(level=x), 0.75),
    "beta": (lambda x: ia.measures.f_score(labels(), annotator="ann", against="bo", beta=x), 2.0),
    "prior": (lambda x: ia.measures.van_oest(labels(), prior=x), 0.5),
    "length": (lambda x: ia.gamma(spans(), samples=3, length=x), 32.0),
}


@pytest.mark.parametrize("call", FRACTIONS)
@pytest.mark.parametrize("kind", [np.float32, np.float64, Fraction])
def test_numbers_of_other_classes(call, kind):
    made, number = FRACTIONS[call]
    assert str(made(kind(number))) == str(made(number))


def test_a_flag_of_numpy():
    table = ia.alpha(labels()).by_item()
    assert str(table.sort("item", descending=np.bool_(1))) == str(table.sort("item", descending=True))


def columns(entries: list[object]) -> Iterator[object]:
    yield np.array(entries)
    yield np.array(entries, dtype=object)
    yield collections.deque(entries)
    yield dict.fromkeys(entries).keys()
    pandas = pytest.importorskip("pandas")
    yield pandas.Series(entries)
    yield pandas.Index(entries)
    polars = pytest.importorskip("polars")
    yield polars.Series(entries)
    pyarrow = pytest.importorskip("pyarrow")
    yield pyarrow.array(entries)


LISTS: dict[str, tuple[Callable[[object], object], list[object]]] = {
    "annotator": (lambda names: ia.alpha(WIDE, item="item", annotator=names), ["ann", "bo"]),
    "attributes": (lambda names: ia.alpha(WIDE, item="item", attributes=names), ["cy"]),
    "annotators": (lambda names: ia.spans.marked_text(spans(), 0, annotators=names), ["ann", "bo"]),
    "only": (lambda names: ia.alpha(labels().only(annotators=names)), ["ann", "bo"]),
    "order": (lambda names: ia.gamma(spans(), samples=3, order=names, categories="ordinal"), ["PER", "ORG", "LOC"]),
    "measures": (lambda names: ia.studies.compare_groups(labels(), "document", measures=names), ["alpha"]),
    "report": (lambda names: ia.report(labels(), measures=names), ["alpha", "ac1"]),
    "distances": (lambda names: ia.studies.compare_distances(numbers(), names, resamples=5), ["interval", "nominal"]),
    "shares": (
        lambda shares: ia.plan(measure="spa", agreement=0.8, half_width=0.05, shares=shares, per_item=3),
        [0.25, 0.75],
    ),
}


@pytest.mark.parametrize("call", LISTS)
def test_lists_of_other_libraries(call):
    made, entries = LISTS[call]
    wanted = str(made(entries))
    for column in columns(entries):
        assert str(made(column)) == wanted, type(column)


MAPPINGS: dict[str, tuple[Callable[[object], object], dict[object, object]]] = {
    "groups": (lambda by: ia.people.groups_agreement(labels(), groups=by, resamples=5), TEAMS),
    "xrr": (lambda by: ia.people.xrr(labels(), groups=by, resamples=5), TEAMS),
    "weights": (lambda weights: ia.crowd.merge(spans(), weights=weights), {"ann": 1.0, "bo": 2.0}),
    "gold": (lambda gold: ia.crowd.majority_vote(labels()).score(gold), {0: "x", 1: "y"}),
    "known": (lambda gold: ia.crowd.dawid_skene(labels(), gold=gold), {0: "x", 1: "y"}),
    "reference": (lambda right: ia.studies.shuffle(right, repeats=1, magnitudes=[0.5]), {0: "x", 1: "y", 2: "x"}),
    "texts": (
        lambda texts: ia.spans.from_units(["d", "d"], ["ann", "bo"], [0, 1], [2, 3], texts=texts),
        {"d": "abcdef"},
    ),
}


@pytest.mark.parametrize("call", MAPPINGS)
def test_a_series_maps_its_index(call):
    pandas = pytest.importorskip("pandas")
    made, mapping = MAPPINGS[call]
    wanted = str(made(mapping))
    for given in (pandas.Series(mapping), types.MappingProxyType(mapping), collections.OrderedDict(mapping)):
        assert str(made(given)) == wanted, type(given)


def test_positions_that_a_frame_keeps_as_objects():
    plain = ia.spans.from_units(["d", "d"], ["ann", "bo"], [0, 1], [2, 3])
    kept = ia.spans.from_units(
        ["d", "d"], ["ann", "bo"], np.array([0, 1], dtype=object), np.array([2, 3], dtype=object)
    )
    assert kept.rows() == plain.rows()


@pytest.mark.parametrize(
    "wrong",
    [
        {"start": [[1, 2], [3]]},
        {"tokens": -1.0},
        {"tokens": {"d": 3}},
        {"tokens": {"d": [3]}},
        {"texts": 3},
        {"looked": 3},
    ],
)
def test_columns_of_units_are_checked(wrong):
    units = {"document": ["d", "d"], "annotator": ["ann", "bo"], "start": [0, 1], "end": [2, 3]}
    with pytest.raises(InteragreeError):
        ia.spans.from_units(**{**units, **wrong})


# -- the name of the file -----------------------------------------------------------------------------------


def test_the_name_of_a_file_as_an_attribute(tmp_path):
    path = tmp_path / "batch_1.csv"
    path.write_text("item,annotator,label\n1,ann,x\n1,bo,y\n2,ann,x\n2,bo,x\n")
    study = ia.read(path, attributes=["{file}"]).single()
    codes, names = study.item_attribute("{file}")
    assert [names[code] for code in codes] == ["batch_1", "batch_1"]


@pytest.mark.parametrize("role", ["item", "annotator", "value", "attributes"])
@pytest.mark.parametrize("name", ["{file}", "{row}"])
def test_data_in_memory_have_no_file(role, name):
    rows = {"item": [1, 1, 2, 2], "annotator": ["ann", "bo"] * 2, "label": ["x", "y", "x", "x"]}
    with pytest.raises(ColumnNotFound, match="do not come from one"):
        ia.alpha(rows, **{role: [name]})


# -- more pairs than memory holds ---------------------------------------------------------------------------


@pytest.mark.parametrize("function", [ia.measures.auc, ia.measures.ks, ia.crowd.medoid, ia.crowd.best_annotator])
def test_all_pairs_of_a_crowd_are_refused_before_they_are_made(function, monkeypatch):
    from interagree.data import memory

    monkeypatch.setattr(memory, "free", lambda: 1000.0)
    with pytest.raises(TooLarge, match="all 36 pairs of annotations of one item would need") as refused:
        function(labels())
    assert "--only NAME,…" in refused.value.for_command_line()


# -- what other sizes and values showed -----------------------------------------------------------------------


def test_one_document_has_the_interval_of_sampling_chance():
    drawn = np.random.default_rng(0)
    marked = {
        who: [[[int(start), int(start) + 5, "ABC"[place % 3]] for place, start in enumerate(starts)]]
        for who, starts in (("ann", range(0, 400, 20)), ("bo", np.sort(drawn.choice(400, 20, replace=False))))
    }
    interval = ia.gamma(ia.Annotations.of(marked, kind="spans"), samples=20).interval()
    assert interval is not None
    assert interval.method == "chance"


def test_a_type_is_not_a_distance():
    with pytest.raises(InteragreeError, match="a function of two values"):
        ia.alpha(labels(), distance=int)


def test_labels_are_missing_from_another_monitor_only():
    with pytest.raises(InteragreeError, match="other= takes"):
        ia.Monitor().missing_from([])
