"""Table 1 of Braylan, Alonso and Lease (2022): reached where the data are theirs, and what the command writes."""

from __future__ import annotations

import csv
import json
import math
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interagree as ia
from interagree.stats.pairs.braylan2022 import table_row
from interagree.stats.pairs.item_pairs import Pairs

ROOT = Path(__file__).parents[2]
TABLE = tomllib.loads((ROOT / "tests" / "published" / "braylan2022_table1.toml").read_text(encoding="utf-8"))
PRINTED = {(row["task"], row["distance"]): row for row in TABLE["row"]}
THREE = ("alpha", "KS", "sigma")
DRAWS = 6
LEAST = {"alpha": 2e-4, "KS": 2e-4, "sigma": 0.005}  # sigma jumps, and its spread over a few draws may be nothing
NAMES = {"levenshtein": "levenshtein_tokens_norm", "oks": "oks_k10", "ted": "ted_plain"}
ROWS = [*PRINTED, *(("ner_clean", name) for task, name in PRINTED if task == "ner")]


@pytest.fixture
def rows(need: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    need("numba")
    need("rapidfuzz")
    monkeypatch.syspath_prepend(str(ROOT))
    from reproductions.braylan2022 import rows as module

    return module


@cache
def reproduced(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    """The table as it was found by another program, with the spread over 100 redraws."""
    with (folder / "braylan2022_table1_reproduction.csv").open(encoding="utf-8", newline="") as file:
        return {(row["task"], row["distance"]): row for row in csv.DictReader(file)}


@cache
def read(path: Path) -> ia.Annotations:
    from reproductions.braylan2022.rows import read as reader

    return reader(path)


def test_the_printed_table_has_the_rows_of_the_reproduction(rows: Any) -> None:
    assert {(row.task, row.distance) for row in rows.ROWS} == set(PRINTED)
    assert sum(sum(row.get("reached", [])) for row in TABLE["row"]) == 3 * 16 - 1


@pytest.mark.parametrize("which", ROWS, ids="-".join)
def test_a_row_of_the_table(which: tuple[str, str], rows: Any, shared: Path) -> None:
    task, name = which
    row = next(
        r
        for r in rows.ROWS
        if r.distance == name and task in (r.task, r.file) and (r.file == task or task != "ner_clean")
    )
    study = read(shared / "data" / "complex" / f"{row.file}.jsonl")
    pairs = Pairs.of(study, rows.distance_of(row))
    drawn = np.array([table_row(pairs, seed=seed)[:3] for seed in range(DRAWS)])
    other = reproduced(shared / "data" / "complex")[row.file, NAMES.get(name, name)]
    assert len(pairs.distances.far) == int(other["n_do"])
    paper = PRINTED[row.task, name] if row.file != "ner_clean" else {"same": False}
    for place, (quantity, ours) in enumerate(zip(THREE, drawn.mean(axis=0), strict=True)):
        spread = max(float(other[f"{quantity}_sd"]), LEAST[quantity])
        near = abs(ours - float(other[quantity])) < 4 * spread * math.sqrt(1 / DRAWS + 1 / 100)
        assert near, (quantity, ours, other[quantity])
        if paper["same"]:
            reached = abs(ours - paper["printed"][place]) < 4 * spread * math.sqrt(1 + 1 / DRAWS)
            assert reached == paper["reached"][place], (quantity, ours, paper["printed"][place])


def test_the_table_on_the_page_is_the_one_that_was_written() -> None:
    with (ROOT / "reproductions" / "braylan2022" / "table1.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    page = (ROOT / "docs" / "explain" / "braylan2022.md").read_text(encoding="utf-8")
    for line in lines:
        for name in ("alpha", "KS", "sigma"):
            assert f"{line[f'{name}, paper']} / {line[f'{name}, ours']} ± {line[f'{name}, sd']}" in page
        for name in ("true alpha", "true KS", "AUC", "true sigma"):
            assert line[name] in page


def test_bleu_as_it_was_smoothed_then(rows: Any) -> None:
    one = rows.bleu_nltk_345("the cat sat down", "the cat lay there")
    # 2 of 4 words, 1 of 3 pairs of words, and nothing longer: 1 / (2 + 5 / ln 4) and 1 / (3 + 5 / ln 4).
    rest = 5 / math.log(4)
    assert one == pytest.approx(1 - (2 / 4 * 1 / 3 / (2 + rest) / (3 + rest)) ** 0.25)


def test_the_command_writes_the_rows_whose_data_are_there(
    rows: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from reproductions.braylan2022 import __main__ as command

    assert rows.ROWS
    rng = np.random.default_rng(0)
    lines = [
        {"item": f"i{item}", "annotator": f"w{who}", "value": [int(x) for x in rng.integers(0, 3, 3) + item]}
        for item in range(8)
        for who in range(3)
    ]
    (tmp_path / "vectors.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    command.main([str(tmp_path), "-o", str(tmp_path / "out"), "-d", "3"])
    with (tmp_path / "out" / "table1.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [line["distance"] for line in written] == ["binary", "rmse"]
    assert written[0]["KS, paper"] == "0.5011"
    assert 0.5 < float(written[1]["AUC"]) <= 1
    assert (tmp_path / "out" / "table1.md").read_text(encoding="utf-8").count("\n") == 4
    assert capsys.readouterr().out.startswith("vectors binary 0.1277 ")
