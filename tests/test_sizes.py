"""Large studies: every measure answers, or says in a sentence what it would need, and nothing fills the memory."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import sizes

import interagree as ia
from interagree.errors import InteragreeError
from interagree.plugins import MEASURES
from interagree.reading import evidence, families, likeness
from interagree.stats.documents import unit_chance
from interagree.stats.engine import measured
from interagree.stats.labels import chance

CASES = [(kind, shape) for kind, shapes in sizes.SHAPES.items() for shape in shapes]
SMALL = 0.002


def test_every_measure_is_tried():
    assert {name for kind in sizes.SHAPES for name in sizes.measures_of(kind)} == {*MEASURES}


@pytest.mark.parametrize(("kind", "shape"), CASES)
def test_studies_of_every_shape_are_answered_or_refused(kind, shape, monkeypatch):
    monkeypatch.setattr(unit_chance, "MOST", 10)  # samples
    study = sizes.SHAPES[kind][shape](SMALL)
    for measure in sizes.measures_of(kind):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert sizes.answer(measure, study), measure


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="bounds on memory are those of Linux")
@pytest.mark.parametrize(("kind", "shape"), CASES)
def test_large_studies_are_answered_or_refused_within_bounds(kind, shape):
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, Path(sizes.__file__), kind, shape],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | one_thread,
    )
    said = dict(map(json.loads, done.stdout.splitlines()))
    assert sorted(said) == sizes.measures_of(kind)
    assert not {name: words for name, words in said.items() if words.startswith("FAILED")}


# -- what was made faster gives the same -------------------------------------------------------------------------


def ratings(people: str) -> ia.Annotations:
    draw = random.Random(1)
    rows = [(i, a, draw.choice([i % 5, draw.randrange(5)])) for i in range(40) for a in people if draw.random() < 0.9]
    return ia.Annotations.of(rows)


@pytest.mark.parametrize("name", ["scott_pi", "van_oest"])
def test_values_that_occur_alike_share_one_step_of_the_error(name, monkeypatch):
    study = sizes.coded(300, 2, 250)
    error = MEASURES[name](study).standard_error()
    monkeypatch.setattr(chance, "MANY", 10**9)
    assert error == pytest.approx(MEASURES[name](study).standard_error(), rel=1e-12)


@pytest.mark.parametrize("distance", ["nominal", "interval", "ordinal"])
@pytest.mark.parametrize(("name", "people"), [("cohen_kappa", "ab"), ("conger_kappa", "ab"), ("conger_kappa", "abcd")])
def test_the_slope_of_own_urns_is_that_of_steps_along_each_share(name, people, distance, monkeypatch):
    errors = []
    for many in (1, 10**9):
        monkeypatch.setattr(chance, "MANY", many)
        errors.append(MEASURES[name](ratings(people), distance=distance).standard_error())
    assert errors[0] == pytest.approx(errors[1], rel=1e-12)
    assert errors[0] > 0


def test_an_interval_is_resampled_where_leaving_out_takes_too_long(monkeypatch):
    monkeypatch.setattr(measured, "LONGEST", 100_000)
    draw = random.Random(0)
    study = ia.Annotations.of([(i, a, i + draw.gauss(0, 40)) for i in range(400) for a in "ab"])
    with pytest.raises(InteragreeError, match=r"leaving out each of 400 different items .* take method='bootstrap'"):
        ia.kendall_w(study).interval(method="jackknife")
    assert ia.kendall_w(study).interval() is None
    assert "no interval was made, which would take long" in str(ia.kendall_w(study))
    monkeypatch.setattr(measured, "LONGEST", 2000 * 800)
    monkeypatch.setattr(ia.kendall_w(study).engine.__class__, "many_left_out", property(lambda _: True))
    assert ia.kendall_w(study).interval().method == "bootstrap"


def test_long_rankings_are_compared_without_a_table_of_all_pairs_of_ids(monkeypatch):
    study = sizes.SHAPES["rankings"]["people"](SMALL)
    value = ia.alpha(study).value
    kendall = sys.modules["interagree.distances.kendall"]
    monkeypatch.setattr(kendall, "AT_ONCE", 1)
    monkeypatch.setattr(kendall, "order_bits", None)
    assert ia.alpha(study).value == pytest.approx(value, rel=1e-12)


# -- wide tables ---------------------------------------------------------------------------------------------------


def test_columns_are_compared_with_the_majority_of_the_others():
    cells = [["a", "a", "b", None] * 3, ["a", "b", "b", "a"] * 3, ["a", "a", "a", "a"] * 3, ["b", "a", "b", "a"] * 3]
    columns = [evidence.Profile("q", column, place) for place, column in enumerate(cells)]
    # By hand: what at least two of the other three say, and the column's own entry is there.
    assert likeness._with_most(columns) == [1.0, 0.75, 0.75, 0.75]


def table(path: Path, cells) -> Path:
    rows = [f"i{row}," + ",".join(cells(row, column) for column in range(5000)) for row in range(12)]
    path.write_text("\n".join(["item," + ",".join(f"q{column}" for column in range(5000)), *rows]))
    return path


def test_thousands_of_columns_with_words_of_their_own_are_not_compared_two_by_two(tmp_path, monkeypatch):
    calls = []
    counted = families.shared
    monkeypatch.setattr(families, "shared", lambda columns: calls.append(1) or counted(columns))
    with pytest.raises(InteragreeError, match="no two columns look like the answers of two annotators"):
        ia.read(table(tmp_path / "own.csv", lambda row, column: f"w{column}_{(row * column) % 3}"))
    assert len(calls) < 10 * 5000
