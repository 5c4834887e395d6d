"""What is written for a tool is what was decided: read back by the reader of the tool, value by value."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import need

import interagree as ia
from interagree.crowd.gold import gold_answers
from interagree.errors import DataError, InteragreeError, KindError, OutputError, UnknownName
from interagree.plugins import READERS, WRITERS

TEXTS = ("Ann Lee saw Paris in May.", "Bo slept 😀 in Rome, Italy.", "Nothing here")
SPANS = {
    "ann": [[(0, 7, "PER"), (12, 17, "LOC")], [(0, 2, "PER"), (14, 18, "LOC")], []],
    "bo": [[(0, 7, "PER")], [(0, 2, "PER"), (14, 25, "LOC")], []],
    "cy": [[(0, 7, "PER"), (12, 17, "LOC")], [(0, 2, "PER"), (14, 18, "LOC")], [(0, 7, "PER")]],
}
BOXES = {
    "ann": [[(0, 0, 10, 10, "cat")], [(5, 5, 20, 30, "dog")]],
    "bo": [[(1, 0, 10, 11, "cat")], []],
    "cy": [[(0, 0, 10, 12, "cat")], [(5, 6, 20, 30, "dog")]],
}
LABELS = {"ann": ["yes", "no", "=no()"], "bo": ["yes", "yes", "=no()"], "cy": ["no", "yes", "=no()"]}


def study(by: dict[str, list[Any]], kind: str) -> ia.Annotations:
    rows = [
        {"item": f"doc {n}", "annotator": who, "value": value, "text": TEXTS[n]}
        for who, values in by.items()
        for n, value in enumerate(values)
    ]
    return ia.Annotations.of(rows, kind=kind)


def spans_of(annotations: ia.Annotations) -> dict[str, list[tuple[Any, ...]]]:
    return {str(item): [tuple(span) for span in value] for item, _, value in annotations.rows()}


CONSENSUS = {"doc 0": SPANS["ann"][0], "doc 1": SPANS["ann"][1], "doc 2": []}


def test_brat_reads_back(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(SPANS, "spans")), tmp_path / "back", to="brat")
    back = ia.read(path, format="brat").single()
    assert spans_of(back) == CONSENSUS
    assert sorted(file.name for file in path.iterdir())[:2] == ["doc 0.ann", "doc 0.txt"]


def test_prodigy_reads_back(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(SPANS, "spans")), tmp_path / "back.jsonl", to="prodigy", gold=True)
    back = ia.read(path, annotator="{file}", item="item")
    assert spans_of(back.single()) == CONSENSUS


def test_choices_for_prodigy_read_back(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.majority_vote(study(LABELS, "labels")), tmp_path / "back.jsonl", to="prodigy", gold=True)
    back = ia.read(path, annotator="{file}", item="item").single()
    assert {item: value for item, _, value in back.rows()} == {"doc 0": "yes", "doc 1": "yes", "doc 2": "=no()"}


@pytest.mark.parametrize("tool", ["label_studio", "prodigy"])
def test_sets_read_back_as_right_answers_where_none_has_several_labels(tmp_path: Path, tool: str) -> None:
    topics = {"ann": ["a", "", ""], "bo": ["a", "", ""], "cy": ["a", "", "ab"]}
    made = study({who: [frozenset(labels) for labels in given] for who, given in topics.items()}, "sets")
    path = ia.export(ia.crowd.medoid(made), tmp_path / f"gold{WRITERS[tool].facts.suffix}", to=tool, gold=True)
    right = gold_answers(str(path), "value", {}, made)
    assert {item: value for item, _, value in right.rows()} == {
        "doc 0": frozenset("a"),
        "doc 1": frozenset(),
        "doc 2": frozenset(),
    }


def test_label_studio_reads_back(tmp_path: Path) -> None:
    made = study(SPANS, "spans")
    path = ia.export(ia.crowd.medoid(made), tmp_path / "gold.json", to="label-studio", question="entities", gold=True)
    tasks = json.loads(path.read_text())
    for number, task in enumerate(tasks):
        task["id"] = number
        task["annotations"][0] |= {"id": number, "completed_by": 1}
    path.write_text(json.dumps(tasks))
    back = ia.read(path, item="item")
    assert spans_of(back["entities"]) == CONSENSUS


@pytest.mark.parametrize("item", [None, "data", "ref.no"])
def test_what_came_from_label_studio_goes_back_into_its_tasks(tmp_path: Path, item: str | None) -> None:
    """Tasks keep their numbers, all of their data and their meta; answers are given as the project asks for them."""
    topics = [[["A"], ["A", "B"]], [["A"]]]
    tasks = [
        {
            "id": 700 + number,
            "project": 3,
            "inner_id": number,
            "meta": {"batch": number},
            "data": {"message": f"message {number}", "ref.no": f"r{number}", "link": {"to": [1, None]}},
            "annotations": [
                {
                    "id": 10 * number + who,
                    "completed_by": who,
                    "result": [
                        {"from_name": "topic", "to_name": "message", "type": "taxonomy", "value": {"taxonomy": given}},
                        {"from_name": "ease", "to_name": "message", "type": "rating", "value": {"rating": 3 + who}},
                    ],
                }
                for who, given in enumerate([topics[number % 2], [["C"]]])
            ],
        }
        for number in range(4)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    options = {} if item is None else {"item": item}
    for question in ("topic", "ease"):
        given = ia.read(path, **options)[question]
        one = given.only(annotators=[given.annotators[0]])
        made = ia.export(one, tmp_path / f"{question}.json", to="label_studio", question=question)
        back = json.loads(made.read_text())
        assert [task["id"] for task in back] == [700, 701, 702, 703]
        assert [task["data"] for task in back] == [task["data"] for task in tasks]
        assert [task["meta"]["batch"] for task in back] == [0, 1, 2, 3]
        assert all(task["annotations"][0]["ground_truth"] for task in back)
        assert {(one["type"], one["to_name"]) for task in back for one in task["annotations"][0]["result"]} == {
            ({"topic": "taxonomy", "ease": "rating"}[question], "message")
        }
        again = ia.read(made, **options)[question]
        assert [(item, value) for item, _, value in again.rows()] == [(item, value) for item, _, value in one.rows()]
    # A queue has suggestions for the same tasks; of a file that is gone they are new ones.
    queue = ia.disagreements(ia.read(path)["topic"])
    made = ia.export(queue, tmp_path / "queue.json", to="label_studio", question="topic")
    assert {task["id"] for task in json.loads(made.read_text())} == {700, 701, 702, 703}
    path.rename(tmp_path / "moved.json")
    made = ia.export(queue, tmp_path / "new.json", to="label_studio", question="topic")
    assert not any("id" in task for task in json.loads(made.read_text()))
    made = ia.export(
        queue, tmp_path / "named.json", to="label_studio", question="topic", tasks=str(tmp_path / "moved.json")
    )
    assert {task["id"] for task in json.loads(made.read_text())} == {700, 701, 702, 703}
    for wrong, why in [("none.json", "there is no file"), (str(made.with_name("queue.json")), "that has all items")]:
        other = ia.disagreements({"ann": ["a", "b"], "bo": ["b", "b"]})
        with pytest.raises(InteragreeError, match=why):
            ia.export(other, tmp_path / "x.json", to="label_studio", tasks=wrong)


def test_boxes_go_back_to_label_studio_in_percent_of_their_own_picture(tmp_path: Path) -> None:
    place = {"x": 10, "y": 20, "width": 30, "height": 40, "rotation": 0, "rectanglelabels": ["cat"]}
    asked = {"from_name": "box", "to_name": "picture", "type": "rectanglelabels"}
    tasks = [
        {
            "id": number,
            "data": {"image": f"{number}.png"},
            "annotations": [
                {
                    "id": number,
                    "completed_by": 1,
                    "result": [
                        asked | {"value": place, "original_width": 100 * number, "original_height": 50 * number}
                    ],
                }
            ],
        }
        for number in (1, 2)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    made = ia.export(ia.read(path)["box"], tmp_path / "gold.json", to="label_studio", question="box")
    for task in json.loads(made.read_text()):
        (result,) = task["annotations"][0]["result"]
        assert result["to_name"] == "picture"
        assert result["value"].pop("rectanglelabels") == ["cat"]
        assert result["value"] == pytest.approx({name: place[name] for name in result["value"]})
    again = ia.read(made)["box"]
    given = ia.read(path)["box"]
    assert [[*map(pytest.approx, box[:4])] for (box,) in again.values] == [[*box[:4]] for (box,) in given.values]


def test_the_answers_of_a_real_project_go_back_into_its_tasks(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "formats" / "label_studio" / "leoka_team3_full.json"
    before = {task["id"]: task["data"] for task in json.loads(path.read_text(encoding="utf-8"))}
    for question, given in ia.read(path).items():
        one = given.only(annotators=[given.annotators[0]])
        made = ia.export(one, tmp_path / f"{question}.json", to="label_studio", question=question)
        tasks = json.loads(made.read_text(encoding="utf-8"))
        assert len(tasks) == len(one.items) >= 129
        assert all(before[task["id"]] == task["data"] and "id.num" in task["data"] for task in tasks)
        again = {item: value for item, _, value in ia.read(made)[question].rows()}
        assert again == {item: value for item, _, value in one.rows()}


def test_label_studio_gets_suggestions_to_correct(tmp_path: Path) -> None:
    queue = ia.disagreements(study(LABELS, "labels"))
    tasks = json.loads(ia.export(queue, tmp_path / "queue.json", to="label_studio", question="mood").read_text())
    assert [task["data"]["item"] for task in tasks] == [str(item) for item in queue.rows["item"]]
    first = tasks[0]
    assert first["predictions"][0]["result"][0] == {
        "from_name": "mood",
        "to_name": "text",
        "type": "choices",
        "value": {"choices": ["yes"]},
    }
    assert (
        first["meta"]["said"] == {"ann": "no", "bo": "yes", "cy": "yes"} or first["meta"]["type"] == "one against all"
    )
    assert "annotations" not in first


def test_boxes_for_label_studio_are_percents(tmp_path: Path) -> None:
    boxes = study(BOXES, "boxes")
    with pytest.raises(KindError, match="whose size the study does not say; pass width=640 and height=480"):
        ia.export(ia.crowd.medoid(boxes), tmp_path / "a.json", to="label_studio")
    path = ia.export(ia.crowd.medoid(boxes), tmp_path / "a.json", to="label_studio:width=50,height=100")
    value = json.loads(path.read_text())[0]["predictions"][0]["result"][0]["value"]
    assert (value["x"], value["y"], value["width"], value["rectanglelabels"]) == (0, 0, 20, ["cat"])


def test_coco_is_read_by_its_own_loader(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(BOXES, "boxes")), tmp_path / "back.json", to="coco")
    loaded = need("pycocotools.coco").COCO(str(path))
    assert [image["file_name"] for image in loaded.loadImgs(loaded.getImgIds())] == ["doc 0", "doc 1"]
    assert [one["bbox"] for one in loaded.loadAnns(loaded.getAnnIds(imgIds=[2]))] == [[5, 5, 15, 25]]
    assert {one["name"] for one in loaded.loadCats(loaded.getCatIds())} == {"cat", "dog"}


def test_polygons_and_masks_read_back_from_coco(tmp_path: Path) -> None:
    left, right = [[0, 0], [2, 0], [2, 4], [0, 4]], [[3, 0], [4, 0], [4, 4], [3, 4]]
    shapes = {
        "polygons": [{"label": "car", "points": left}, {"label": "bus", "points": [left, right]}],
        "masks": [{"label": "car", "size": [4, 4], "counts": [0, 4, 12]}],
    }
    for kind, value in shapes.items():
        rows = [("a.jpg", who, value) for who in ("ann", "bo")] + [("b.jpg", who, []) for who in ("ann", "bo")]
        path = ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind=kind)), tmp_path / f"{kind}.json", to="coco")
        back = ia.read(path, annotator="{file}")[kind]
        given = ia.Annotations.of(rows, kind=kind)
        assert {item: {*shape} for item, _, shape in back.rows()} == {item: {*shape} for item, _, shape in given.rows()}


def test_conll_reads_back(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(SPANS, "spans")), tmp_path / "back.conll", to="conll")
    lines = [line.split("\t") for line in path.read_text().splitlines() if "\t" in line]
    assert [(word, tag) for word, tag in lines if tag != "O"] == [
        ("Ann", "B-PER"), ("Lee", "I-PER"), ("Paris", "B-LOC"), ("Bo", "B-PER"), ("Rome", "B-LOC"),
    ]  # fmt: skip
    assert len(ia.read(path, annotator="{file}").single().items) == 3


def test_webanno_counts_in_utf16(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(SPANS, "spans")), tmp_path / "back", to="webanno")
    text = (path / "doc 1.tsv").read_text()
    assert "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value" in text
    assert "1-5\t15-19\tRome\tLOC\t" in text  # the emoji counts two
    assert "1-2\t4-7\tLee\tPER[1]\t" in (path / "doc 0.tsv").read_text()


def test_doccano_holds_spans_and_labels(tmp_path: Path) -> None:
    path = ia.export(ia.crowd.medoid(study(SPANS, "spans")), tmp_path / "a.jsonl", to="doccano")
    assert json.loads(path.read_text().splitlines()[0])["label"] == [[0, 7, "PER"], [12, 17, "LOC"]]
    path = ia.export(ia.crowd.majority_vote(study(LABELS, "labels")), tmp_path / "b.jsonl", to="doccano")
    assert json.loads(path.read_text().splitlines()[2])["label"] == ["=no()"]


def test_a_workbook_offers_the_labels_and_reads_back_as_gold(tmp_path: Path) -> None:
    queue = ia.disagreements(study(LABELS, "labels"))
    path = ia.export(queue, tmp_path / "decide.xlsx", to="excel")
    openpyxl = need("openpyxl")
    book = openpyxl.load_workbook(path)
    sheet = book["decide"]
    rule = sheet.data_validations.dataValidation[0]
    header = [cell.value for cell in sheet[1]]
    assert header[0] == "item"
    assert header[-1] == "decision"
    assert rule.type == "list"
    assert sheet.freeze_panes == "A2"
    assert [cell.value for cell in book["options"]["A"]] == ["=no()", "no", "yes"]
    assert book["options"].sheet_state == "hidden"
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    sheet.cell(2, len(header)).value = "no"
    sheet.cell(3, len(header)).value = None  # undecided
    book.save(path)
    gold = gold_answers(str(path), "value", {})
    assert [(item, value) for item, _, value in gold.rows()] == [(queue.rows["item"][0], "no")]


@pytest.mark.parametrize("tool", ["brat", "webanno"])
def test_a_folder_is_new_or_empty(tmp_path: Path, tool: str) -> None:
    consensus = ia.crowd.medoid(study(SPANS, "spans"))
    (tmp_path / "back").mkdir()
    ia.export(consensus, tmp_path / "back", to=tool)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputError, match="holds files already"):
        ia.export(consensus, tmp_path / "back", to=tool)
    assert sorted(tmp_path.rglob("*")) == before


def test_names_of_items_are_file_names(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "value": [(0, 2, "X")], "text": "ab cd"}
        for item in ("../a/b", "..%2fa", "a:b", "a?b", "")
        for who in "xy"
    ]
    path = ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind="spans")), tmp_path / "back", to="brat")
    assert len(list(path.glob("*.txt"))) == 5
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_tool_cannot_hold_is_said(tmp_path: Path) -> None:
    with pytest.raises(KindError, match="brat takes spans, and the answers are labels; those can be written for"):
        ia.export(ia.crowd.majority_vote(study(LABELS, "labels")), tmp_path / "a", to="brat")
    with pytest.raises(UnknownName, match="no writer is called 'labelstudo'"):
        ia.export(ia.crowd.majority_vote(study(LABELS, "labels")), tmp_path / "a", to="labelstudo")
    inside = study({"ann": [[(0, 5, "PER")]], "bo": [[(0, 5, "PER")]]}, "spans")
    with pytest.raises(DataError, match="the span 'Ann L' begins or ends inside a token; export to brat or doccano"):
        ia.export(ia.crowd.medoid(inside), tmp_path / "a.conll", to="conll")
    with pytest.raises(DataError, match="right answers come from one annotator, and there are 3"):
        ia.export(study(LABELS, "labels"), tmp_path / "a.xlsx", to="excel")
    bare = ia.Annotations.of({who: values[:2] for who, values in SPANS.items()}, kind="spans")
    with pytest.raises(DataError, match="doccano shows the text of each item"):
        ia.export(ia.crowd.medoid(bare), tmp_path / "a.jsonl", to="doccano")


def test_every_writer_is_listed_with_what_it_takes() -> None:
    for name in WRITERS:
        facts = WRITERS[name].facts
        assert facts.name == name
        assert facts.kinds
        assert facts.suffix
    assert {"label_studio", "prodigy", "brat", "conll"} <= set(READERS) & set(WRITERS)


def test_nothing_is_written_when_something_cannot_be(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "value": [(0, 2, label)], "text": "ab cd"}
        for item, label in (("a", "fine"), ("b", "two words"))
        for who in "xy"
    ]
    with pytest.raises(DataError, match="labels without spaces"):
        ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind="spans")), tmp_path / "back", to="brat")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_hands_back(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from interagree.cli import main

    table = tmp_path / "labels.csv"
    ia.write(study(LABELS, "labels"), table)
    result = CliRunner().invoke(main, ["disagreements", str(table), "-o", str(tmp_path / "q.xlsx"), "--to", "excel"])
    assert result.exit_code == 0, result.output
    assert zipfile.is_zipfile(tmp_path / "q.xlsx")
    result = CliRunner().invoke(main, ["consensus", str(table), "-o", str(tmp_path / "g.jsonl"), "--to", "prodigy"])
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "g.jsonl").read_text().splitlines()[0])["accept"] == ["yes"]


@pytest.mark.parametrize("text", ["  Ann Lee saw Paris", "Ann\nLee 😀 saw\n\n Paris", "\nAnn Lee\n"])
def test_webanno_reads_back_whatever_lines_and_blanks_there_are(tmp_path: Path, text: str) -> None:
    start = text.index("Ann")
    end = text.index("Lee") + 3
    rows = [{"item": "d", "annotator": who, "value": [(start, end, "PER")], "text": text} for who in "xy"]
    path = ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind="spans")), tmp_path / "back", to="webanno")
    back = ia.read(path, format="webanno_tsv")
    assert [tuple(span) for *_, value in back.single().rows() for span in value] == [(start, end, "PER")]
