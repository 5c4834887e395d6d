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


CODEBOOK: list[list[object]] = [
    ["Variable", "Meaning", "Level", "Values"],
    ["tone", "how it sounds", "ordinal", "negative, neutral, positive"],
    ["topic", "what it is about", "nominal", ""],
    ["reference", "whether a study is cited", "nominal", "0 = no, 1 = yes"],
    ["conflict", "whether sides are opposed", "nominal", "0 = no, 1 = yes"],
    ["total_harm", "how much harm is told of", "interval", "1 = none, 5 = much"],
    ["quality", "how well it is written", "ordinal", "1 = bad, 2 = poor, 3 = fair, 4 = good, 5 = best"],
    ["frame", "what frames it", "nominal", ""],
]


def read_with_codebook(folder: Path, layout: str) -> ia.Study:
    names = [*VARIABLES, "notes"]
    by_coder = {coder: [["id", *names], *([item, *row(item, coder)] for item in ITEMS)] for coder in CODERS}
    if layout == "a file for each coder":
        for coder, rows in by_coder.items():
            text(folder / f"coder_{coder}.csv", rows)
        text(folder / "codebook.csv", CODEBOOK)
        return ia.read(folder)
    long = [["id", "coder", *names], *([item, coder, *row(item, coder)] for item in ITEMS for coder in CODERS)]
    sheets: Sheets = {"a long sheet": {"data": long}, "a sheet for each coder": by_coder}.get(layout, wide())
    return ia.read(workbook(folder / "coding.xlsx", {**sheets, "Codebook": CODEBOOK}))


@pytest.mark.parametrize("layout", ["a long sheet", "a sheet for each coder", "a wide sheet", "a file for each coder"])
def test_a_codebook_gives_the_variables_and_their_levels_in_every_layout(tmp_path: Path, layout: str) -> None:
    study = read_with_codebook(tmp_path, layout)
    assert held(study) == EXPECTED
    assert {name: str(study.level(name)) for name in study} == {
        str(name): f"{level}, from the codebook" for name, _, level, _ in CODEBOOK[1:]
    }
    plain = {name: [(item, who, value) for item, who, value in question.rows()] for name, question in study.items()}
    for name, rows in plain.items():
        values = ["negative", "neutral", "positive"] if name == "tone" else None
        distance = {"ordinal": "ordinal", "interval": "interval"}.get(study.level(name).name, "nominal")
        expected = ia.alpha(rows, values=values, distance=distance)
        assert ia.alpha(study[name]).value == pytest.approx(expected.value)
    assert study["quality"].named(study["quality"].values[0]) == "1 (bad)"
