"""Values that do not fit into a cell are decided by letters, and read back as they were."""

import json
from dataclasses import replace

import openpyxl
import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.crowd.gold import coded, gold_answers
from interagree.data import Annotations
from interagree.errors import DataError
from interagree.people.deciding import IN_CELLS, LETTERS_OF_ANSWERS
from interagree.plugins import KINDS

PEOPLE = ("ann", "bo", "cy")
TEXT = "Maria flew to Lisbon"
SPANS = {
    "d1": [((0, 5, "PER"), (14, 20, "LOC")), ((0, 5, "PER"),), ((0, 5, "PER"),)],
    "d2": [((0, 5, "PER"),), (), ((0, 10, "ORG"),)],
    "d3": [((0, 5, "PER"),), ((0, 5, "PER"),), ((0, 5, "PER"),)],
}


def study_of(items, kind, **attributes):
    rows = [(item, who, value) for item, values in items.items() for who, value in zip(PEOPLE, values, strict=False)]
    columns = {name: [entry] * len(rows) for name, entry in attributes.items()}
    return replace(Annotations.from_columns(*zip(*rows, strict=True), attributes=columns), of_kind=kind)


def sheet_of(path):
    book = openpyxl.load_workbook(path)
    heads = [cell.value for cell in book["decide"][1]]
    return book, book["decide"], heads


def decide(path, letters):
    """Put decisions into the rows of items; others are emptied."""
    book, sheet, heads = sheet_of(path)
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, heads.index("decision") + 1).value = letters.get(sheet.cell(row, 1).value)
    book.save(path)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(IN_CELLS)))
def test_every_kind_that_does_not_fit_into_a_cell_is_decided_by_letters(kind, tmp_path):
    examples = KINDS[kind].examples[:3]
    study = study_of({f"item {k}": [*examples[k:], *examples[:k]] for k in range(3)}, kind)
    path = ia.export(ia.disagreements(study), tmp_path / "decide.xlsx", to="excel")
    _, sheet, heads = sheet_of(path)
    letters = [head for head in heads if head in LETTERS_OF_ANSWERS]
    assert letters == ["A", "B", "C"][: len(examples)]
    for letter in letters:
        decide(path, {f"item {k}": letter for k in range(3)})
        said = {row[0].value: json.loads(row[heads.index(f"value of {letter}")].value) for row in sheet.iter_rows(2)}
        gold = gold_answers(str(path), "value", {})
        assert gold.kind == kind
        assert {item: value for item, _, value in gold.rows()} == {
            item: next(example for example in examples if json.loads(coded(example)) == value)
            for item, value in said.items()
        }


def test_a_report_of_spans_is_decided_in_words_and_reads_back(tmp_path):
    study = study_of(SPANS, "spans", text=TEXT)
    ia.write(study, tmp_path / "marks.jsonl")
    path = tmp_path / "report.xlsx"
    result = CliRunner().invoke(main, ["report", str(tmp_path / "marks.jsonl"), "--kind", "spans", "-o", str(path)])
    assert result.exit_code == 0, result.output
    book, sheet, heads = sheet_of(path)
    rows = {
        row[0].value: {head: cell.value for head, cell in zip(heads, row, strict=True)} for row in sheet.iter_rows(2)
    }
    assert set(rows) == {"d1", "d2"}
    first = rows["d1"]
    assert first["A"] == "PER “Maria” (0–5)"
    assert first["B"] == "PER “Maria” (0–5); LOC “Lisbon” (14–20)"
    assert first["said by"] == "A: bo, cy; B: ann"
    assert (first["C"], first["decision"]) == (None, "A")
    assert "nothing marked" in {rows["d2"][letter] for letter in "ABC"}
    assert sheet.column_dimensions[sheet.cell(1, heads.index("kind of value") + 1).column_letter].hidden
    rule = sheet.data_validations.dataValidation[0]
    assert (rule.type, rule.formula1) == ("list", "'options'!$A$1:$A$3")
    assert [cell.value for cell in book["options"]["A"]] == ["A", "B", "C"]
    # Another decision is another right answer, and a letter in small is one, too.
    decide(path, {"d1": "b "})
    assert list(gold_answers(str(path), "value", {}).rows()) == [("d1", "report", SPANS["d1"][0])]
    words = ["consensus", str(tmp_path / "marks.jsonl"), "--kind", "spans", "--gold", str(path)]
    apart = CliRunner().invoke(main, words)
    assert apart.exit_code == 0, apart.output
    assert "distance to gold" in apart.output
    decide(path, {"d1": "A"})
    same = CliRunner().invoke(main, words)
    assert "distance to gold = 0.000" in " ".join(same.output.split())
    assert "distance to gold = 0.000" not in " ".join(apart.output.split())


def test_a_letter_without_an_answer_is_said(tmp_path):
    path = ia.export(ia.disagreements(study_of(SPANS, "spans")), tmp_path / "decide.xlsx", to="excel")
    for wrong in ("C", "PER"):
        decide(path, {"d1": wrong})
        with pytest.raises(DataError, match=rf"on 'd1' is '{wrong}', and its answers are 'A', 'B'; choose one of them"):
            gold_answers(str(path), "value", {})


def test_changed_values_are_said(tmp_path):
    path = ia.export(ia.disagreements(study_of(SPANS, "spans")), tmp_path / "decide.xlsx", to="excel")
    book, sheet, heads = sheet_of(path)
    for row in (2, 3):
        sheet.cell(row, heads.index("value of A") + 1).value = "[[0, 5"
        sheet.cell(row, heads.index("decision") + 1).value = "A"
    book.save(path)
    with pytest.raises(DataError, match="was changed, and is not JSON; write the workbook anew"):
        gold_answers(str(path), "value", {})


def test_what_a_cell_cannot_hold_is_refused_or_left_out_and_counted(tmp_path):
    long = tuple((at, at + 1, "LABEL") for at in range(0, 6000, 2))
    study = study_of({**SPANS, "d4": [long, (), ()]}, "spans")
    with pytest.raises(DataError, match="the answers to 'd4' do not fit into a workbook, whose cells hold 32,767"):
        ia.export(ia.disagreements(study), tmp_path / "decide.xlsx", to="excel")
    assert not (tmp_path / "decide.xlsx").exists()
    ia.report(study).write(tmp_path / "report.xlsx")
    book, sheet, _ = sheet_of(tmp_path / "report.xlsx")
    assert [row[0].value for row in sheet.iter_rows(2)] == ["d2", "d1"]
    told = " ".join(str(cell) for row in book[book.sheetnames[0]].iter_rows(values_only=True) for cell in row if cell)
    assert "1 item left out, whose answers are too long for a cell." in told
    assert coded(frozenset({"a"})) is None
    assert coded((1, float("nan"))) is None


def test_a_merged_answer_can_be_chosen_though_nobody_gave_it(tmp_path):
    boxes = {"p": [((0, 0, 10, 10),), ((3, 0, 12, 10),), ((4, 0, 15, 10),)]}
    merged = ia.crowd.merge(study_of(boxes, "boxes"), how="mean")
    (value,) = (value for _, _, value in merged.to_annotations().rows())
    path = ia.export(merged, tmp_path / "decide.xlsx", to="excel")
    _, sheet, heads = sheet_of(path)
    row = {head: cell.value for head, cell in zip(heads, sheet[2], strict=True)}
    assert value not in boxes["p"]
    assert row["said by"].endswith("D: suggested")
    assert [value for _, _, value in gold_answers(str(path), "value", {}).rows()] == [value]


def test_of_many_answers_the_most_common_and_the_suggested_one_can_be_chosen(tmp_path):
    rows = [("p", f"w{k:02}", ((0, 0, 10 + k, 10),)) for k in range(30)] + [("p", "x", ((0, 0, 10, 10),))]
    study = replace(Annotations.from_columns(*zip(*rows, strict=True)), of_kind="boxes")
    path = ia.export(ia.disagreements(study), tmp_path / "decide.xlsx", to="excel")
    _, sheet, heads = sheet_of(path)
    row = {head: cell.value for head, cell in zip(heads, sheet[2], strict=True)}
    assert row["said by"].startswith("A: w00, x; ")
    assert sum(head in LETTERS_OF_ANSWERS for head in heads) == len(LETTERS_OF_ANSWERS) == 20
    (suggested,) = ia.disagreements(study).rows["suggested"]
    assert [value for _, _, value in gold_answers(str(path), "value", {}).rows()] == [suggested]


def test_answers_that_repeat_the_text_are_not_decided_where_texts_are_not_shown(tmp_path):
    trees = {"s": ["(S (NP Ana) (VP runs))", "(S (NP Ana) (VB runs))"], "t": ["(S (NP Bo))", "(S (VP Bo))"]}
    study = study_of(trees, "trees")
    for texts in (True, False):
        ia.report(study, texts=texts).write(tmp_path / "report.xlsx")
        assert ("decide" in openpyxl.load_workbook(tmp_path / "report.xlsx").sheetnames) is texts
    spans = study_of(SPANS, "spans", text=TEXT)
    ia.report(spans, texts=False).write(tmp_path / "report.xlsx")
    _, sheet, _ = sheet_of(tmp_path / "report.xlsx")
    assert not any("Maria" in str(cell.value) for row in sheet.iter_rows() for cell in row)
