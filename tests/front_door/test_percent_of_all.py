"""Percent agreement of all annotators of an item, within a tolerance."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.errors import KindError

# Data set anxiety of R's irr: 20 subjects, 3 raters.
ANXIETY = [
    *("332", "361", "344", "464", "523", "542", "221", "346", "531", "231"),
    *("221", "632", "133", "533", "221", "221", "113", "233", "432", "342"),
]


def columns(rows: list[str]) -> list[list[int]]:
    return [[int(row[k]) for row in rows] for k in range(len(rows[0]))]


@pytest.mark.parametrize("tolerance", [0, 1, 2, 3, 5])
def test_all_is_what_irr_agree_counts(tolerance: int) -> None:
    # agree() of irr: the share of rows whose largest rating is at most so far above the smallest.
    expected = sum(int(max(row)) - int(min(row)) <= tolerance for row in ANXIETY) / 20
    assert ia.percent(*columns(ANXIETY), all=True, tolerance=tolerance).value == pytest.approx(expected)


def brute(rows: list[list[Any]], tolerance: float, *, everybody: bool) -> float:
    shares = []
    for row in rows:
        given = [one for one in row if one is not None]
        if len(given) < 2:
            continue
        near = [abs(a - b) <= tolerance for a, b in itertools.combinations(given, 2)]
        shares.append(float(all(near)) if everybody else sum(near) / len(near))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("everybody", [True, False])
@pytest.mark.parametrize("tolerance", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_share_of_items_or_pairs_within_the_tolerance(*, seed: int, tolerance: int, everybody: bool) -> None:
    rng = random.Random(seed)
    rows = [[rng.choice([1, 2, 3, 4, 5, None]) for _ in range(4)] for _ in range(30)]
    result = ia.percent(*map(list, zip(*rows, strict=True)), all=everybody, tolerance=tolerance)
    assert result.value == pytest.approx(brute(rows, tolerance, everybody=everybody))


def test_ordered_labels_are_as_far_apart_as_their_places() -> None:
    scale = ["none", "some", "much"]
    first, second = ["none", "some", "much", "none"], ["some", "much", "none", "none"]
    assert ia.percent(first, second, values=scale, tolerance=1).value == 0.75
    with pytest.raises(KindError, match=r"values=\[…\] from lowest to highest"):
        ia.percent(first, second, tolerance=1)


def test_of_two_annotators_all_and_pairs_are_the_same() -> None:
    first, second, _ = columns(ANXIETY)
    one, other = ia.percent(first, second), ia.percent(first, second, all=True)
    assert one.value == other.value
    assert one.interval() == other.interval()


def test_it_has_errors_and_tables_like_any_measure() -> None:
    result = ia.percent(*columns(ANXIETY), all=True, tolerance=1)
    p, n = result.value, 20
    assert result.standard_error() == pytest.approx((p * (1 - p) / (n - 1)) ** 0.5)
    assert result.standard_error(method="jackknife") == pytest.approx(result.standard_error())
    left = ia.percent(*columns(ANXIETY)[1:], all=True, tolerance=1).value
    assert result.by_annotator()["left out"][0] == pytest.approx(left)
    assert len(result.by_pair()) == 3
    assert len(result.by_value()) == 6
    assert dict(result.options) == {"distance": None, "weights": None, "all": True, "tolerance": 1}


@pytest.mark.parametrize(
    ("options", "said"),
    [({"tolerance": -1}, "from 0 up"), ({"tolerance": 1, "distance": "interval"}, "give one of them")],
)
def test_a_tolerance_that_makes_no_sense_is_an_error(options: dict[str, Any], said: str) -> None:
    with pytest.raises(KindError, match=said):
        ia.percent([1, 2], [1, 2], **options)


def test_decimals_a_tolerance_apart_agree() -> None:
    assert ia.percent([0.3, 0.7], [0.2, 0.6], tolerance=0.1).value == 1


def test_the_command_line_takes_both(tmp_path) -> None:
    file = tmp_path / "anxiety.csv"
    rows = [f"{i},{who},{row[k]}" for i, row in enumerate(ANXIETY) for k, who in enumerate("abc")]
    file.write_text("\n".join(["item,annotator,value", *rows]), encoding="utf-8")
    told = CliRunner().invoke(main, ["measure", str(file), "-m", "percent:all=true,tolerance=1", "--csv"])
    assert told.exit_code == 0, told.output
    assert f"{ia.percent(*columns(ANXIETY), all=True, tolerance=1).value:.4g}" in told.output
    assert "all, tolerance 1" in told.output
