"""Many rows as few, against NumPy's own."""

from __future__ import annotations

import numpy as np
import pytest

from interagree.stats.engine.compress import distinct_rows


@pytest.mark.parametrize(
    ("rows", "columns", "most"),
    [
        (1, 1, 1),
        (50, 3, 2),
        (400, 5, 4),
        (400, 5, 1000),
        (300, 40, 3),  # folded into one number, though only just
        (300, 80, 3),  # too wide to fold
        (500, 200, 2),
        (60, 2000, 3),  # so wide that the number of possible rows is no number
        (200, 30, 2**31),
    ],
)
def test_distinct_rows_are_those_of_numpy(rows: int, columns: int, most: int) -> None:
    rng = np.random.default_rng(rows + columns)
    table = rng.integers(0, most, size=(rows, columns))
    table = table[rng.integers(0, max(rows // 3, 1), size=rows)]  # so that rows repeat
    found = distinct_rows(table)
    wanted, times = np.unique(table, axis=0, return_counts=True)
    assert np.array_equal(table[found.first][found.inverse], table)
    assert len(found.first) == len(wanted)
    order = np.lexsort(table[found.first].T[::-1])
    assert np.array_equal(table[found.first][order], wanted)
    assert np.array_equal(found.times[order], times)
    assert np.array_equal(np.bincount(found.inverse), found.times)


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
def test_nothing_is_compressed_to_little(shape: tuple[int, int]) -> None:
    found = distinct_rows(np.zeros(shape, dtype=np.int64))
    assert len(found.first) == min(shape[0], 1)
    assert found.times.sum() == shape[0]
    assert len(found.inverse) == shape[0]


def test_the_first_of_each_row_is_the_first() -> None:
    table = np.array([[1, 2], [0, 0], [1, 2], [0, 0], [3, 1]])
    assert sorted(distinct_rows(table).first.tolist()) == [0, 1, 4]


def test_rows_whose_folds_collide_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Constant:
        def integers(self, _low: int, _high: int, size: int, dtype: type) -> np.ndarray:
            return np.ones(size, dtype=dtype)

    monkeypatch.setattr(np.random, "default_rng", lambda _: Constant())
    table = np.zeros((4, 80), dtype=np.int64)
    table[0, 0] = table[1, 1] = table[3, 1] = 1
    table[:, 2] = 5
    table[0, 3] = 2**40  # room for more than fits
    table[1, 4] = 2**40
    table[3, 4] = 2**40
    found = distinct_rows(table)
    assert found.inverse[1] == found.inverse[3]
    assert len(found.first) == 3
    assert np.array_equal(table[found.first][found.inverse], table)
