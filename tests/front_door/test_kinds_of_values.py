"""One decision on what values are: labels, an ordered scale, numbers or sets; the same from every file, and said."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import interagree as ia
from interagree.choose import defaults, remark_on_kind
from interagree.kinds import Recognised, recognised
from interagree.studies.explain import explain


def rating_rows(items: int = 60, *, low: int = 1, high: int = 5, seed: int = 3) -> list[tuple[int, str, int]]:
    """Ratings of three annotators who mostly agree and else give a neighbour."""
    rng = np.random.default_rng(seed)
    true = rng.integers(low, high + 1, items)
    return [
        (item, who, int(np.clip(true[item] + rng.choice([-1, 0, 0, 1]), low, high)))
        for item in range(items)
        for who in "abc"
    ]


ROWS = rating_rows()


@pytest.mark.parametrize(
    ("values", "kind", "doubt"),
    [
        ([1, 2, 3, 4, 5], "labels", "ordered"),
        (["1", "2", "3", "4", "5"], "labels", "ordered"),
        ([1.0, 2.0, 3.0], "labels", "ordered"),
        (list(range(11)), "labels", "ordered"),
        ([0, 1], "labels", None),
        (["0", "1"], "labels", None),
        ([False, True], "labels", None),
        ([1, 1.5, 2], "numbers", None),
        (["0.25", "0.5"], "numbers", None),
        (list(range(100)), "numbers", None),
        ([str(one) for one in range(100)], "numbers", None),
        (["no", "yes", "maybe"], "labels", None),
        (["1", "2", "n/a"], "labels", None),
        ([frozenset(), frozenset({"a"})], "sets", None),
        ([("x",), ("y", "z")], "tuples", None),
        ([], "labels", None),
    ],
)
def test_values_are_recognised_by_what_they_are_and_not_by_how_a_file_holds_them(values, kind, doubt):
    assert recognised(values)[:2] == (kind, doubt)


def test_whoever_says_what_values_are_leaves_no_doubt():
    assert ia.Annotations.of(ROWS).recognised == ("labels", "ordered", "whole numbers from 1 to 5")
    for stated in ({"values": [1, 2, 3, 4, 5]}, {"ordered": False}, {"kind": "labels"}):
        assert ia.Annotations.of(ROWS, **stated).recognised[:2] == ("labels", None)
    assert ia.Annotations.of(ROWS, ordered=True).recognised[:2] == ("ordered", None)
    assert ia.Annotations.of(ROWS, kind="numbers").recognised[:2] == ("numbers", None)


def test_parts_of_a_study_are_of_the_same_kind_as_the_whole():
    study = ia.Annotations.of(ROWS)
    part = study.only(annotators=["a", "b"], items=[0, 1])
    assert part.recognised is study.recognised
    again = ia.concat([study.only(annotators=["a"]), study.only(annotators=["b", "c"])])
    assert again.recognised == study.recognised


def files(folder: Path) -> dict[str, Path]:
    """The same study in every kind of file."""
    frame = pd.DataFrame(ROWS, columns=["item", "annotator", "label"])
    paths = {name: folder / f"study.{name}" for name in ("csv", "tsv", "xlsx", "parquet", "json", "jsonl")}
    frame.to_csv(paths["csv"], index=False)
    frame.to_csv(paths["tsv"], index=False, sep="\t")
    frame.astype({"label": float}).to_excel(paths["xlsx"], index=False)
    frame.to_parquet(paths["parquet"])
    records = frame.to_dict("records")
    paths["json"].write_text(json.dumps(records), encoding="utf-8")
    paths["jsonl"].write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return paths


def test_every_file_and_frame_gives_the_same_kind_the_same_numbers_and_the_same_words(tmp_path):
    studies = {name: ia.read(path).single() for name, path in files(tmp_path).items()}
    frame = pd.DataFrame(ROWS, columns=["item", "annotator", "label"])
    studies["frame"] = ia.Annotations.of(frame)
    studies["floats"] = ia.Annotations.of(frame.astype({"label": float}))
    studies["text"] = ia.Annotations.of(frame.astype({"label": str}))
    studies["rows"] = ia.Annotations.of(ROWS)
    seen = {
        name: (
            study.recognised,
            remark_on_kind(study),
            [one.title for one in defaults(study)],
            [
                (round(result.value, 12), result.notes)
                for measure in (
                    ia.alpha,
                    ia.ac1,
                    ia.ac2,
                    ia.conger_kappa,
                    ia.measures.auc,
                    ia.measures.sigma,
                    ia.measures.ks,
                )
                for result in [measure(study)]
            ],
            [str(one) for one in ia.crowd.medoid(study).values.values()] if name not in ("xlsx", "floats") else None,
        )
        for name, study in studies.items()
    }
    expected = seen.pop("rows")
    for name, found in seen.items():
        assert found[:4] == expected[:4], name
        assert found[4] in (None, expected[4]), name


@pytest.mark.parametrize(
    ("measure", "scale"),
    [
        ("alpha", {"distance": "ordinal"}),
        ("conger_kappa", {"weights": "quadratic"}),
        ("fleiss_kappa", {"weights": "quadratic"}),
        ("light_kappa", {"weights": "quadratic"}),
        ("bennett_s", {"weights": "quadratic"}),
    ],
)
def test_a_nominal_measure_of_few_whole_numbers_says_in_one_line_what_a_scale_gives(measure, scale):
    function = getattr(ia.measures, measure)
    plain, stated = function(ROWS), function(ROWS, **scale)
    (note,) = plain.notes
    ((name, entry),) = scale.items()
    assert note.startswith("the values are whole numbers from 1 to 5 and were taken as labels; as an ordered scale, ")
    assert note.endswith(f" = {stated.value:.3f} ({name}={entry!r})")
    assert not stated.notes
    assert plain.value == function(ROWS, distance="nominal").value
    assert not function(ROWS, distance="nominal").notes


def test_nothing_is_said_where_it_was_stated_or_makes_no_difference():
    two = [(item, who, value % 2) for item, who, value in ROWS]
    assert ia.alpha(two).notes == ()
    assert ia.alpha(two).value == pytest.approx(ia.alpha(two, distance="ordinal").value)
    words = [(item, who, "abcde"[value - 1]) for item, who, value in ROWS]
    assert ia.alpha(words).notes == ia.percent(ROWS).notes == ()
    for stated in ({"values": [1, 2, 3, 4, 5]}, {"ordered": False}, {"kind": "labels"}):
        assert ia.alpha(ia.Annotations.of(ROWS, **stated)).notes == ()


def test_alpha_takes_a_declared_order_and_numbers_at_their_level_and_says_so_of_numbers():
    ordered = ia.Annotations.of(ROWS, ordered=True)
    assert ia.alpha(ordered) == ia.alpha(ordered, distance="ordinal")
    assert ia.alpha(ordered).notes == ()
    (note,) = ia.fleiss_kappa(ordered).notes
    assert note.startswith("the values are in a declared order and were taken as labels; as an ordered scale, ")
    halves = [(item, who, value / 2) for item, who, value in ROWS]
    many = [(item, who, item + value / 10) for item, who, value in ROWS]
    for rows in (halves, many):
        result = ia.alpha(rows)
        assert result == ia.alpha(rows, distance="interval")
        (note,) = result.notes
        assert note.endswith("were taken as a scale with equal steps; if they are codes of labels, pass kind='labels'")


def test_ac2_takes_whole_numbers_in_their_order_and_says_so():
    found = ia.ac2(ROWS)
    assert found.value == ia.ac2(ROWS, weights="quadratic").value
    (note,) = found.notes
    assert note.startswith("the values are whole numbers from 1 to 5 and were taken as a scale with equal steps; ")
    assert ia.ac2(ROWS, weights="quadratic").notes == ()
    words = [(item, who, "abcde"[value - 1]) for item, who, value in ROWS]
    assert ia.ac2(words).value == ia.ac1(words).value
    (note,) = ia.ac1(ROWS).notes
    assert note.endswith(f"as an ordered scale, AC2 = {found.value:.3f} (ac2)")


@pytest.mark.parametrize("name", ["auc", "ks", "sigma"])
def test_measures_of_pairs_take_few_whole_numbers_as_labels_and_say_so(name):
    measure = getattr(ia.measures, name)
    assert measure(ROWS).value == measure(ROWS, distance="nominal").value
    assert (
        "the values are whole numbers from 1 to 5 and were taken as labels; distance='ordinal' compares them as an "
        "ordered scale" in measure(ROWS).notes
    )
    many = [(item, who, item + value / 10) for item, who, value in ROWS]
    assert measure(many).value == measure(many, distance="interval").value


def test_a_medoid_of_few_whole_numbers_is_that_of_labels_and_says_so():
    rows = [(1, "a", 1), (1, "b", 1), (1, "c", 5), (1, "d", 4), (1, "e", 3)]
    found = ia.crowd.medoid(rows)
    assert found.values == {1: 1}
    assert "were taken as labels" in found.notes[0]
    assert ia.crowd.medoid(rows, distance="interval").values == {1: 3}


def test_a_folded_study_is_recognised_as_the_study_is():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(ROWS, schema=["item", "annotator", "label"], orient="row").lazy()
    scan = ia.scan(frame, item="item", annotator="annotator", value="label")
    assert ia.alpha(scan).notes == ia.alpha(ROWS).notes
    assert ia.ac2(scan).value == pytest.approx(ia.ac2(ROWS).value)


def test_drill_down_stays_what_it_was():
    plain, nominal = ia.alpha(ROWS), ia.alpha(ROWS, distance="nominal")
    for table in ("by_item", "by_annotator", "by_value", "by_pair"):
        assert getattr(plain, table)().columns == getattr(nominal, table)().columns


def test_recognised_unpacks_as_kind_doubt_and_reason():
    kind, doubt, because = Recognised("labels", "ordered", "whole numbers from 1 to 5")
    assert (kind, doubt, because) == ("labels", "ordered", "whole numbers from 1 to 5")


def test_explain_says_what_a_scale_would_give():
    ordinal = ia.alpha(ROWS, distance="ordinal").value
    notes = explain("alpha", ROWS).document().sections[-1].lines
    assert any(f"as an ordered scale, α = {ordinal:.3f}" in line for line in notes)
