"""What would not fit into memory is said before it starts, and what need not be quadratic is not."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import interagree as ia
from interagree.data import memory
from interagree.errors import InteragreeError, TooLarge
from interagree.kernels.compiled import compiled
from interagree.plugins import MEASURES
from interagree.stats.labels import chance
from interagree.stats.labels.ballots import pair_tables


def many_values(values: int) -> ia.Annotations:
    draw = np.random.default_rng(0)
    value = draw.integers(0, values, 2 * values)
    value[::2] = np.arange(values)
    value[1::4] = value[::4]
    item, annotator = np.divmod(np.arange(2 * values, dtype=np.int32), 2)
    names = [f"v{number}" for number in range(values)]
    return ia.Annotations.from_codes(item, annotator, value.astype(np.int32), range(values), ("a", "b"), names)


@pytest.mark.parametrize("function", [ia.confusion, ia.studies.coincidences])
def test_a_table_that_does_not_fit_is_refused_before_it_is_made(function, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 1e9)
    with pytest.raises(TooLarge, match=r"would need about .* of memory, and 1 GB are free; "):
        function(many_values(20_000))


@pytest.mark.parametrize("name", ["fleiss_kappa", "ac1"])
def test_values_that_occur_alike_share_one_step_of_the_error(name, monkeypatch):
    study = many_values(300)
    error = getattr(ia.measures, name)(study).standard_error()
    monkeypatch.setattr(chance, "MANY", 10**9)
    assert error == pytest.approx(getattr(ia.measures, name)(study).standard_error(), rel=1e-12)


def test_the_confusion_of_all_pairs_is_the_sum_of_their_tables():
    draw = np.random.default_rng(1)
    rows = [(i, a, "xyz"[draw.integers(3)]) for i in range(30) for a in "abcd" if draw.random() < 0.8]
    study = ia.Annotations.of(rows)
    table = pair_tables(study)[1].sum(axis=0)
    shown = np.array([ia.confusion(study)[value] for value in "xyz"]).T
    assert shown == pytest.approx((table + table.T) / 2)


def test_loops_are_compiled_where_nothing_can_be_written(monkeypatch):
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])

    @compiled
    def double(number: float) -> float:
        return 2 * number

    assert double(3.0) == 6.0


class Point:
    """An entry point that gives whatever it is told to."""

    dist = None

    def __init__(self, load):
        self.load = load


def leaves() -> None:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("load", "says"), [(leaves, "cannot be imported"), (lambda: 3, "is not a measure but of type int")]
)
def test_a_broken_plug_in_is_named_and_harms_only_itself(load, says, monkeypatch):
    monkeypatch.setattr(MEASURES, "_plugged_in", {"broken": Point(load), "alpha": Point(load)})
    with pytest.raises(InteragreeError, match=f"the measure 'broken' .*{says}"):
        MEASURES["broken"]
    assert MEASURES["alpha"] is ia.alpha  # what is built in is not replaced


CODES = """
import interagree.reports.breakdowns as module
from interagree.cli import main

def broken_down(*_, **__):
    raise {error}

module.broken_down = broken_down
main(["measure", "labels.csv"])
"""


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        ("MemoryError('Unable to allocate 3 GiB')", 71, "not enough memory for: interagree measure labels.csv"),
        ("KeyboardInterrupt", 130, "Interrupted."),
        ("RecursionError('too deep')", 70, "--traceback measure labels.csv"),
        ("BrokenPipeError(32, 'Broken pipe')", 141, ""),
    ],
)
def test_what_breaks_a_command_off_has_a_code_of_its_own(error, code, says, tmp_path):
    (tmp_path / "labels.csv").write_text("item,annotator,value\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n")
    done = subprocess.run(
        [sys.executable, "-c", CODES.format(error=error)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_pairs_of_an_intraclass_correlation_with_gaps_are_asked_for_first(monkeypatch):
    rng = np.random.default_rng(0)
    rows = [(item, who, float(rng.normal())) for item in range(60) for who in range(40) if (item, who) != (0, 0)]
    study = ia.Annotations.of(rows)
    monkeypatch.setattr(memory, "free", lambda: 5e6)
    with pytest.raises(TooLarge, match="takes every two annotations of an item"):
        ia.icc(study, form="ICC(1,1)")
