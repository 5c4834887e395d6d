"""The reproduction of the paper on SPA, on a small table: what it counts, and what it writes."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia

ROOT = Path(__file__).parents[1]


@pytest.fixture
def experiment(need: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    need("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT))
    from reproductions.spa2022 import experiment as module

    return module


def small(seed: int = 0, items: int = 30, least: int = 1) -> ia.Annotations:
    rng = np.random.default_rng(seed)
    rows = [
        (item, place, int(value))
        for item, p in enumerate(rng.dirichlet([0.6, 0.4, 0.3], size=items))
        for place, value in enumerate(rng.choice(3, size=rng.integers(least, 7), p=p))
    ]
    return ia.Annotations.of(rows, values=[0, 1, 2])


def test_the_fast_count_is_the_slow_one(experiment: Any) -> None:
    labels = experiment.Labels.of(small())
    grid, rounds = np.array([2, 5, 11, 40, int(labels.size[labels.size > 1].sum())]), 4
    fast = experiment.values_of(experiment.added(labels, grid, rounds, np.random.default_rng(7)), labels)
    made = experiment.shuffled(labels, rounds, np.random.default_rng(7))
    for round_, point in itertools.product(range(rounds), range(len(grid))):
        order = sorted(
            (int(made.when[place][round_, item]), item, int(made.value[place][round_, item]))
            for place in range(len(made.when))
            for item in range(made.when[place].shape[1])
        )
        assert [when for when, _, _ in order] == list(range(int(labels.size.sum())))
        counts = np.zeros((len(labels.size), 3), dtype=int)
        for _, item, value in order:
            counts[item, value] += 1
            if counts.sum(axis=1)[counts.sum(axis=1) > 1].sum() > grid[point]:
                counts[item, value] -= 1  # one too many
                break
        study = ia.Annotations.from_counts(counts, values=[0, 1, 2])
        for scheme in ("flat", "annotations", "annotations_m1", "edges", "random_effects"):
            found, slow = fast[scheme][round_, point], ia.spa(study, weigh=scheme)
            assert (slow.undefined and np.isnan(found)) or found == pytest.approx(slow.value)


def test_items_with_as_many_annotations_vary_as_the_formula_says(experiment: Any) -> None:
    labels = experiment.Labels.of(small(items=400, least=6))
    for curve in experiment.constant(labels, 2000):
        assert curve.variance[0] == pytest.approx(curve.theory[0], rel=0.15)  # five items of many
        assert curve.variance[-1] < curve.variance[0] / 10


def test_all_values_of_one_item_are_kept(experiment: Any) -> None:
    study = small(3)
    labels = experiment.Labels.of(study)
    counts = sorted(np.bincount(row[row >= 0], minlength=3).tolist() for row in labels.codes)
    expected = np.zeros((len(study.items), 3), dtype=int)
    np.add.at(expected, (study.item, study.value), 1)
    assert counts == sorted(expected.tolist())
    assert (np.diff(labels.size) <= 0).all()


def test_the_weights_for_shares_drawn_at_random_depend_on_r_alone(experiment: Any) -> None:
    drawn = experiment.drawn(20)
    area = np.array([one.area for one in drawn])
    assert experiment.rank_correlation(area, np.array([one.r for one in drawn])) == pytest.approx(1)
    assert experiment.rank_correlation(area, np.array([one.entropy for one in drawn])) > -0.95


def test_the_command_writes_the_table_and_the_pictures(
    experiment: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reproductions.spa2022 import __main__ as command

    lines = ["item,annotator,label", *(f"{i},{a},{v}" for i, a, v in small().rows())]
    (tmp_path / "mbic_bias.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command.main([str(tmp_path / "mbic_bias.csv"), "-o", str(tmp_path / "out"), "-r", "60"])
    written = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {"figure4.svg", "figure5.svg", "figure6_mbic_bias.svg", "figure7_mbic_bias.svg"}
    assert written == pictures | {"table1.csv", "table1.md"}
    with (tmp_path / "out" / "table1.csv").open(encoding="utf-8", newline="") as file:
        table = {row["weigh"]: row for row in csv.DictReader(file)}
    assert table["edges = inv_var"]["paper"] == "-0.4681"
    assert table["annotations_m1"]["whole range, of m1"] == "1.00"
    assert float(table["flat"]["whole range"]) == 0
    assert float(table["annotations_m1"]["error"]) > 0
    assert "| MBIC, label | annotations_m1 | -1.0929 |" in capsys.readouterr().out
