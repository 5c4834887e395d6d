"""Tables of very many columns: what is worked out for each column does not grow with the number of columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import interagree as ia
from interagree.errors import DataError, DoubtfulReading
from interagree.reading import families, recognise
from interagree.reading.evidence import Profile


def table(path: Path, columns: Sequence[str]) -> Path:
    rows = [
        ["item", *columns],
        *([f"i{row}", *("ab"[(row * at) % 3 % 2] for at in range(len(columns)))] for row in range(8)),
    ]
    path.write_text("\n".join(map(",".join, rows)))
    return path


def test_a_grid_is_weighed_once_for_the_same_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = []
    worth = families._worth
    monkeypatch.setattr(families, "_worth", lambda family: weighed.append(family) or worth(family))
    path = table(
        tmp_path / "a.csv",
        [f"{first}{second}_{who}" for first in "abcdef" for second in "ghijklmnop" for who in ("anna", "ben")],
    )
    assert len(ia.read(path)) == 60
    assert 0 < len(weighed) < 10


def test_a_column_is_compared_with_some_of_a_large_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    shared = families.shared

    def counting(columns: Sequence[Profile]) -> float:
        compared.append(len(columns))
        return shared(columns)

    monkeypatch.setattr(families, "shared", counting)
    with pytest.raises(DoubtfulReading):
        ia.read(table(tmp_path / "a.csv", [f"c{number}" for number in range(400)]))
    assert 2 < max(compared) <= families.BESIDE + 1


@pytest.mark.parametrize("questions", [2, 5, 30])
def test_the_number_of_a_question_is_not_part_of_a_name(tmp_path: Path, questions: int) -> None:
    names = [f"q{number}_{who}" for number in range(questions) for who in ("anna", "ben")]
    study = ia.read(table(tmp_path / "a.csv", names))
    assert set(study) == {f"q{number}" for number in range(questions)}
    assert all(list(question.annotators) == ["anna", "ben"] for question in study.values())


def test_more_columns_than_can_be_told_apart_are_refused_unless_their_parts_are_stated(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", [f"x{place}" for place in range(recognise.WIDEST)])
    with pytest.raises(DataError, match=r"20,001 columns, more than the 20,000 .* layout='transposed'"):
        ia.read(path)
    stated = ia.read(path, layout="transposed", annotator="item").single()
    assert (len(stated.items), len(stated.annotators)) == (recognise.WIDEST, 8)
