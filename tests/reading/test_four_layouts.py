"""A codebook of seven variables as people keep it."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

import interagree as ia

Sheets: TypeAlias = dict[str, list[list[object]]]

CODERS = ("Marta", "Jonas", "Ifeoma")
VARIABLES: dict[str, Sequence[object]] = {
    "tone": ("positive", "neutral", "negative"),
    "topic": ("economy and labour", "health policy", "migration", "climate, energy", "sport"),
    "reference": (0, 1),
    "conflict": (0, 1),
    "total_harm": (1, 2, 3, 4, 5),
    "quality": (1, 2, 3, 4, 5),
    "frame": ("human interest", "responsibility", "morality"),
}
AGREED = ("reference", "frame")  # by all, everywhere
ITEMS = [f"A{number:03d}" for number in range(1, 41)]


def codings(seed: int = 3) -> dict[tuple[str, str, str], object]:
    """What each coder says of each item under each variable; some are nearly agreed on, and some altogether."""
    draw = random.Random(seed)
    said = {}
    for variable, entries in VARIABLES.items():
        for item in ITEMS:
            truth = draw.choice(entries)
            for coder in CODERS:
                slip = variable not in AGREED and draw.random() < 0.25
                said[variable, item, coder] = draw.choice(entries) if slip else truth
    return said


SAID = codings()
NOTES = {
    (item, coder): ["", "", "see paragraph 2", "unclear"][hash_]
    for item, coder, hash_ in (
        (item, coder, random.Random(item + coder).randrange(4)) for item in ITEMS for coder in CODERS
    )
}


def row(item: str, coder: str) -> list[object]:
    return [*(SAID[variable, item, coder] for variable in VARIABLES), NOTES[item, coder]]


def wide() -> Sheets:
    header = ["id", *(f"{variable}_{coder}" for variable in [*VARIABLES, "notes"] for coder in CODERS)]
    rows = []
    for item in ITEMS:
        by_coder = [row(item, coder) for coder in CODERS]
        rows.append([item, *(cells[place] for place in range(len(VARIABLES) + 1) for cells in by_coder)])
    return {"data": [header, *rows]}


def workbook(path: Path, sheets: Sheets) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for cells in rows:
            sheet.append(cells)
    book.save(path)
    return path


def text(path: Path, rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    return path


def held(study: ia.Study) -> dict[str, dict[tuple[str, str], str]]:
    return {
        name: {(str(item), str(who)): str(value) for item, who, value in question.rows()}
        for name, question in study.items()
    }


EXPECTED = {
    variable: {(item, coder): str(SAID[variable, item, coder]) for item in ITEMS for coder in CODERS}
    for variable in VARIABLES
}


@pytest.mark.parametrize("layout", [wide], ids=lambda layout: layout.__name__)
def test_a_workbook_gives_all_variables(tmp_path: Path, layout: Callable[[], Sheets]) -> None:
    assert held(ia.read(workbook(tmp_path / "coding.xlsx", layout()))) == EXPECTED


@pytest.mark.parametrize("layout", [wide], ids=lambda layout: layout.__name__)
def test_a_text_table_gives_all_variables(tmp_path: Path, layout: Callable[[], Sheets]) -> None:
    (rows,) = layout().values()
    assert held(ia.read(text(tmp_path / "coding.csv", rows))) == EXPECTED
