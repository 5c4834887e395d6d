"""Soft labels by hand, their intervals, and files."""

import json

import numpy as np
import pytest
from scipy.stats import beta

from interagree.crowd import soft_labels
from interagree.data import Annotations
from interagree.errors import KindError

ROWS = [(1, "a", "x"), (1, "b", "x"), (1, "c", "y"), (2, "a", "z")]


def test_shares_are_smoothed_and_sum_to_one():
    found = soft_labels(ROWS)
    assert found.labels == ("x", "y", "z")
    assert found.shares == pytest.approx(np.array([[3, 2, 1], [1.5, 1.5, 3]]) / 6)
    assert found.shares.sum(axis=1) == pytest.approx([1, 1])
    assert soft_labels(ROWS, prior=0).shares == pytest.approx(np.array([[2 / 3, 1 / 3, 0], [0, 0, 1]]))
    assert soft_labels(ROWS, prior=0).entropy() == pytest.approx([0.9182958, 0], abs=1e-6)
    assert found.table().rows()[0] == pytest.approx(
        {"item": 1, "n": 3, "x": 1 / 2, "y": 1 / 3, "z": 1 / 6, "entropy": found.entropy()[0]}
    )


def test_intervals_are_those_of_the_beta_distribution():
    found = soft_labels(ROWS)
    low, high = found.interval(0.9)
    assert low[0] == pytest.approx(beta.ppf(0.05, [3, 2, 1], [3, 4, 5]))
    assert high[1] == pytest.approx(beta.ppf(0.95, [1, 1, 2], [3, 3, 2]))
    low, high = soft_labels(ROWS, prior=0).interval()
    assert np.isnan(low[1]).all()
    assert low[0][0] == pytest.approx(beta.ppf(0.025, 2, 1))
    assert [row["votes"] for row in found.long()] == [2, 1, 0, 0, 0, 1]


def test_sets_are_shares_of_each_label():
    found = soft_labels([(1, "a", {"x"}), (1, "b", {"x", "y"}), (2, "a", set())], prior=0)
    assert found.labels == ("x", "y")
    assert found.shares == pytest.approx(np.array([[1, 0.5], [0, 0]]))
    assert found.entropy() == pytest.approx([1, 0])
    smooth = soft_labels([(1, "a", {"x"}), (1, "b", {"x", "y"})])
    assert smooth.shares == pytest.approx(np.array([[3 / 4, 2 / 4]]))


def test_counts_declared_values_and_few_numbers_are_taken():
    counts = soft_labels(Annotations.from_counts([[2, 1], [0, 4]], values=["x", "y"]), prior=0)
    assert counts.shares == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]))
    declared = soft_labels(Annotations.of(ROWS, values=["x", "y", "z", "w"]))
    assert declared.shares[0] == pytest.approx(np.array([3, 2, 1, 1]) / 7)
    assert soft_labels([(1, "a", 0), (1, "b", 1)]).labels == (0, 1)


def test_frames_and_files(tmp_path):
    found = soft_labels(ROWS)
    assert [*found.to_frame()] == ["item", "n", "x", "y", "z", "entropy"]
    assert len(found.to_frame(long=True)) == 6
    found.write(tmp_path / "soft.jsonl")
    first = json.loads((tmp_path / "soft.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["x"] == pytest.approx(0.5)
    found.write(tmp_path / "soft.csv", long=True)
    assert (tmp_path / "soft.csv").read_text(encoding="utf-8").startswith("item,label,votes,share,low,high\n1,x,2,0.5")
    clash = soft_labels([(1, "a", "n"), (1, "b", "item"), (1, "c", "label n")])
    assert len(clash.table().columns) == 6


def test_what_cannot_be_is_said_in_a_sentence():
    with pytest.raises(KindError, match="a prior is a number from 0 up"):
        soft_labels(ROWS, prior=-1)
    with pytest.raises(KindError, match="these values are numbers"):
        soft_labels([(1, "a", 1.5), (1, "b", 2.5)])
    with pytest.raises(KindError, match="level"):
        soft_labels(ROWS).interval(0)
    assert str(soft_labels([])) == "Soft labels of 0 items, 0 labels, prior 1: mean entropy nan bits"
    assert repr(soft_labels(ROWS)) == "<SoftLabels: Soft labels of 2 items, 3 labels, prior 1>"
