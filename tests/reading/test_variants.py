"""Tables as people keep them are read rightly or refused; what they hold is known because they were made here."""

from __future__ import annotations

import collections
import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading.files import KINDS, Variant, make
from reading.judging import form, judged, plain
from reading.layouts import LAYOUTS
from reading.maker import Maker
from reading.real import Shared
from reading.sheets import Row

import interagree

FINE = ("right", "refused", "noticed")
LEVEL = 0.005  # the share of tables, of all that the slow test makes, that may be read wrongly without a word


def tables(folder: Path, seeds: Iterable[str], **options: Any) -> Iterable[tuple[str, Variant]]:
    """Tables by the seed they were drawn from, each in a folder of its own."""
    for seed in seeds:
        place = folder / seed.replace("/", "-").replace(" ", "_")
        place.mkdir()
        yield seed, make(random.Random(seed), place, **options)


def misread(found: Iterable[tuple[str, Variant]]) -> list[str]:
    """The tables that were read wrongly without a word, and what happened."""
    lines = []
    for seed, variant in found:
        judgement = judged(variant)
        if judgement.result not in FINE:
            made_of = "; ".join(variant.made_of)
            lines.append(f"{seed}: {variant.path.name} ({made_of}): {judgement.result}: {judgement.told}")
    return lines


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_is_read_rightly_or_refused(layout: str, tmp_path: Path):
    wrong = misread(tables(tmp_path, (f"{layout}/{number}" for number in range(8)), layout=layout))
    assert not wrong, "\n".join(wrong)


@settings(max_examples=40, derandomize=True)
@given(st.sampled_from(list(LAYOUTS)), st.sampled_from(KINDS), st.integers(0, 10**6))
def test_any_layout_in_any_type_of_file_is_read_rightly_or_refused(
    tmp_path_factory: pytest.TempPathFactory, layout: str, kind: str, seed: int
):
    variant = make(random.Random(seed), tmp_path_factory.mktemp("table"), layout=layout, kind=kind)
    judgement = judged(variant)
    assert judgement.result in FINE, f"{variant.path} ({'; '.join(variant.made_of)}): {judgement.told}"


def test_a_real_study_in_another_layout_is_read_rightly_or_refused(shared: Path, tmp_path: Path):
    real = Shared(shared)
    seeds = (f"real/{number}" for number in range(60))
    wrong = misread(tables(tmp_path, seeds, truth=real.truth, after=real.after))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("names", [("item", "annotator", "label"), ("item", "annotator", "value")])
def test_columns_called_item_annotator_and_value_are_taken_whatever_they_hold(
    names: tuple[str, str, str], tmp_path: Path
):
    for number in range(12):
        maker = Maker(random.Random(f"{names}/{number}"))
        truth = maker.truth(items=maker.random.choice([1, 2, 3, 10]), people=maker.random.choice([2, 3]))
        (question,) = truth.questions
        rows = truth.rows(question)
        maker.random.shuffle(rows)
        rows = rows[: maker.random.choice([2, 3, len(rows)])]
        path = tmp_path / f"{number}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([names, *rows])
        study = interagree.read(path).single()
        assert compared(list(study.rows())) == compared(rows), path.read_text("utf-8")


@pytest.mark.slow
def test_of_five_thousand_tables_hardly_any_is_misread(tmp_path: Path):
    wrong = misread(tables(tmp_path, (f"many/{number}" for number in range(5000))))
    assert len(wrong) <= LEVEL * 5000, "\n".join(wrong)


# -- the tables themselves ---------------------------------------------------------------------------------


def wide_rows(variant: Variant) -> dict[str, list[Row]]:
    """The annotations of a table with a column for each annotator."""
    (sheet,) = variant.sheets.values()
    columns = [column for column in sheet.columns if column.part == "annotator"]
    missing = {None, *variant.expected.missing}
    (question,) = variant.expected.questions
    return {
        question: [
            (row, column.name, cell)
            for column in columns
            for row, cell in enumerate(column.cells)
            if cell not in missing
        ]
    }


def long_rows(variant: Variant) -> dict[str, list[Row]]:
    """The annotations of a table with a row for each."""
    (sheet,) = variant.sheets.values()
    items = zip(*(column.cells for column in sheet.columns if column.part == "item"), strict=True)
    (who,) = (column.cells for column in sheet.columns if column.part == "annotator")
    keys = list(zip(items, who, strict=True))
    return {
        column.name.strip(): [
            (item, one, cell) for (item, one), cell in zip(keys, column.cells, strict=True) if cell is not None
        ]
        for column in sheet.columns
        if column.part == "value"
    }


HOLDING: dict[str, Callable[[Variant], dict[str, list[Row]]]] = {
    "wide": wide_rows,
    "wide, plain": wide_rows,
    "wide, person and model": wide_rows,
    "long": long_rows,
    "long, plain": long_rows,
    "long, several questions": long_rows,
    "long, item of two columns": long_rows,
}


@pytest.mark.parametrize("layout", HOLDING)
def test_a_table_holds_the_study_it_was_made_of(layout: str, tmp_path: Path):
    for _, variant in tables(tmp_path, (f"holds/{layout}/{number}" for number in range(10)), layout=layout):
        if "merged cells" in variant.made_of:
            continue
        held = HOLDING[layout](variant)
        assert set(held) == set(variant.expected.questions)
        for question, rows in variant.expected.questions.items():
            assert compared(held[question]) == compared(rows), variant.made_of


def compared(rows: list[Row]) -> Any:
    return form([(item, who, plain(value)) for item, who, value in rows])


def test_a_file_of_records_holds_the_cells_of_the_sheet(tmp_path: Path):
    for _, variant in tables(tmp_path, (f"cells/{number}" for number in range(10)), layout="long", kind="jsonl"):
        (sheet,) = variant.sheets.values()
        lines = [json.loads(line) for line in variant.path.read_text("utf-8").splitlines()]
        for column in sheet.columns:
            assert [line.get(column.name or "index") for line in lines] == column.cells


def test_the_same_seed_makes_the_same_table(tmp_path: Path):
    (tmp_path / "again").mkdir()
    first = [variant for _, variant in tables(tmp_path, (str(number) for number in range(20)))]
    second = [variant for _, variant in tables(tmp_path / "again", (str(number) for number in range(20)))]
    for one, other in zip(first, second, strict=True):
        assert (one.layout, one.made_of, one.expected) == (other.layout, other.made_of, other.expected)
        if one.kind in ("csv", "json", "jsonl") and one.path.is_file():
            assert one.path.read_bytes() == other.path.read_bytes()


def test_annotators_are_told_apart_by_all_they_said():
    study = [("1", "a", "x"), ("1", "b", "y"), ("2", "a", "x"), ("2", "b", "x")]
    swapped = [("1", "a", "y"), ("1", "b", "x"), ("2", "a", "x"), ("2", "b", "x")]
    other = [("1", "a", "x"), ("1", "b", "y"), ("2", "a", "y"), ("2", "b", "y")]
    assert form(study) == form(swapped)
    assert form(study) != form(other)
    assert collections.Counter(map(plain, (1, "1", 1.0, "1.0", True, "TRUE"))) == {"1": 4, "true": 2}
