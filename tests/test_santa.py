"""SANTA: the annotations of round 2 measured again, and what the printed tables of round 1 say of themselves."""

from __future__ import annotations

import csv
import json
import math
import tomllib
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PRINTED = tomllib.loads((ROOT / "tests" / "published" / "santa_round1.toml").read_text(encoding="utf-8"))
COMPARISONS = ("all", "own_vs_foreign", "own_vs_student", "foreign_vs_student")
SUMMARY = ("Min", "Mean", "Max", "Stddev")
GUIDELINES = ("SANTA1", "SANTA2", "SANTA4", "SANTA5", "SANTA6", "SANTA7", "SANTA8")
LENGTH = 30_000.0


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    from reproductions.santa import levels as module

    return module


@cache
def written() -> dict[tuple[str, str], dict[str, str]]:
    with (ROOT / "reproductions" / "santa" / "round2.csv").open(encoding="utf-8", newline="") as file:
        return {(row["guideline"], row["text"]): row for row in csv.DictReader(file)}


def computed(shared: Path) -> dict[tuple[str, str], dict[str, Any]]:
    rows = json.loads((shared / "data" / "santa" / "round2_computed.json").read_text(encoding="utf-8"))
    return {(row["guideline"], row["text"]): row for row in rows}


# -- round 1, as printed ------------------------------------------------------------------------------------


def cells(table: dict[str, list[float]], column: int) -> list[float]:
    found = (row[column] for name, row in table.items() if name not in SUMMARY)
    return [entry for entry in found if not math.isnan(entry)]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_the_printed_gammas_are_one_minus_the_ratio(comparison: str) -> None:
    tables = PRINTED[comparison]
    checked = 0
    for text, row in tables["gamma"].items():
        if text in SUMMARY:
            continue
        for seen, chance, value in zip(tables["observed"][text], tables["expected"][text], row, strict=True):
            if not math.isnan(value) and chance > 0:
                # Both parts are rounded to two digits, so the ratio may be off by as much.
                off = 0.005 + (0.005 + 0.005 * seen / chance) / chance
                assert value == pytest.approx(1 - seen / chance, abs=off), (text, seen, chance)
                checked += 1
    assert checked > 50


@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("part", ["observed", "expected", "gamma"])
def test_the_printed_summaries_are_of_the_cells_but_for_repeated_deviations(comparison: str, part: str) -> None:
    table = PRINTED[comparison][part]
    for column in range(8):
        entries = cells(table, column)
        low, mean, high, deviation = (table[name][column] for name in SUMMARY)
        assert (low, high) == (min(entries), max(entries))
        assert mean == pytest.approx(fmean(entries), abs=0.0101)
        if comparison == "all":
            assert deviation == pytest.approx(stdev(entries), abs=0.0101)
    if comparison != "all":
        assert table["Stddev"] == PRINTED["all"][part]["Stddev"]
        off = [abs(table["Stddev"][column] - stdev(cells(table, column))) for column in range(8)]
        assert max(off) > 0.05


# -- round 2, measured again --------------------------------------------------------------------------------


def test_observed_disorder_is_that_of_another_program(levels: Any, shared: Path) -> None:
    from interagree.spans.timeline import timeline

    others = computed(shared)
    for (guideline, text), other in others.items():
        rows, lost = levels.read(shared / "data" / "santa" / "csv" / guideline / f"{text}.csv")
        sizes = [len(spans) for _, _, spans in rows]
        assert sizes == other["per_annotator"]
        assert (lost["points"], lost["twice"]) == (other["zero_length"], other["duplicates"])
        if "observed" in other:
            found = timeline([(text, who, spans) for _, who, spans in rows]).alignment.disorder
            assert found == pytest.approx(other["observed"], abs=1e-6)
        else:
            assert 0 in sizes or len(sizes) == 1


def test_what_was_written_is_near_what_another_program_found(shared: Path) -> None:
    others, near, both = computed(shared), 0, 0
    assert others.keys() == written().keys()
    for cell, row in written().items():
        other = others[cell]
        if "observed" not in other:
            assert "one annotator" in row["note"]
            continue
        assert float(row["observed"]) == pytest.approx(other["observed"], abs=1.1e-6)
        theirs = other["expected_se"] * other["observed"] / other["expected"] ** 2
        near += abs(float(row["gamma"]) - other["gamma"]) < 4 * math.hypot(float(row["error"]), theirs) + 0.0015
        both += 1
    assert both == 86
    assert near == 77


@pytest.mark.parametrize("cell", [("SANTA1", "08_Bierce"), ("SANTA7", "06_Boccaccio"), ("SANTA8", "06_Boccaccio")])
def test_a_row_can_be_had_again(cell: tuple[str, str], levels: Any, shared: Path) -> None:
    folder = shared / "data" / "santa" / "csv"
    length = levels.lengths(sorted(folder.glob(f"*/{cell[1]}.csv")))[cell[1]]
    one = levels.measured(folder / cell[0] / f"{cell[1]}.csv", length, samples=200)
    row = written()[cell]
    assert f"{one.found.observed:.6f}" == row["observed"]
    error = max(one.error, 1e-9)
    assert one.found.value == pytest.approx(float(row["gamma"]), abs=5 * error + 0.001)


def test_the_tables_on_the_page_are_those_that_were_written() -> None:
    page = (ROOT / "docs" / "explain" / "santa.md").read_text(encoding="utf-8")
    made = (ROOT / "reproductions" / "santa" / "round2.md").read_text(encoding="utf-8")
    gammas = made.partition("### Gamma\n\n")[2]
    assert gammas.count("\n") == 19
    assert gammas in page


def test_the_command_writes_a_list_and_tables(levels: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from reproductions.santa import __main__ as command

    assert levels.LEVELS
    for guideline, content in {
        "SANTA1": "A0,ann,original,,0,50\nA1,ann,embedded_1,,10,20\nA2,ann,dream,,5,6\nB0,bo,original,,0,50\n"
        "B1,bo,embedded_1,,12,22\nB2,bo,embedded_1,,12,22\nB3,bo,embedded_1,,3,3\n",
        "SANTA8": "A0,ann,a,,0,50\nB0,bo,a,,40,90\n",
    }.items():
        (tmp_path / guideline).mkdir()
        (tmp_path / guideline / "01_Text.csv").write_text(content, encoding="utf-8")
        (tmp_path / guideline / "02_Alone.csv").write_text("A0,ann,a,,0,5\n", encoding="utf-8")
    command.main([str(tmp_path), "-o", str(tmp_path / "out"), "-n", "30"])
    assert "SANTA1 01_Text 2+2 1 1 1 " in capsys.readouterr().out
    with (tmp_path / "out" / "round2.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["note"] for row in rows] == ["", "one annotator"] * 2
    assert float(rows[0]["observed"]) == pytest.approx(0.5 * (4 / 20) ** 2)
    text = (tmp_path / "out" / "round2.md").read_text(encoding="utf-8")
    assert text.count("| 01_Text | ") == 3
    assert "### Gamma" in text
