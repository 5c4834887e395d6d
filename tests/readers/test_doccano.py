"""Files of doccano in, studies out."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.texts import DOCCANO_LABELS, DOCCANO_OLD, DOCCANO_PICTURES, DOCCANO_RELATIONS, DOCCANO_TABLE

import interagree as ia
from interagree.documents.graphemes import starts_of_graphemes
from interagree.errors import FormatError, KindError, UnknownName
from interagree.readers import read
from interagree.readers.doccano import recognised

TEXT = "Ann met Bo."


def example(number: int | None, *label: Any, text: str = TEXT, **more: Any) -> dict[str, Any]:
    known = {} if number is None else {"id": number}
    return {**known, "text": text, "label": list(label), "Comments": [], **more}


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def made(**files: Any) -> Path:
        for name, records in files.items():
            lines = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in records]
            (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tmp_path

    return made


def rows(annotations: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in annotations.rows()}


# -- spans --------------------------------------------------------------------------------------------------


def test_members_are_files_and_order_of_clicks_means_nothing(folder: Any) -> None:
    path = folder(
        ann=[example(1, [8, 10, "PER"], [0, 3, "PER"]), example(2, text="Nobody.")],
        bo=[example(1, [0, 3, "PER"], [8, 10, "PER"]), example(2, [0, 6, "PER"], text="Nobody.")],
    )
    study = read(path)
    both = ((0, 3, "PER"), (8, 10, "PER"))
    assert list(study) == ["spans"]
    assert rows(study.single()) == {(1, "ann"): both, (2, "ann"): (), (1, "bo"): both, (2, "bo"): ((0, 6, "PER"),)}
    assert "1 empty list taken as looked at, nothing to mark" in study.policy()
    assert set(study.single().attributes["where"]) == {
        f"{path / name}.jsonl, line {line}" for name in ("ann", "bo") for line in (1, 2)
    }
    unseen = read(path, empty="unseen")
    assert (2, "ann") not in rows(unseen.single())
    assert "1 example in which somebody marked nothing left out as not looked at" in unseen.policy()


def test_a_member_who_marked_nothing_anywhere_did_not_take_part(folder: Any) -> None:
    study = read(
        folder(
            admin=[example(1), example(2, text="Nobody.")], ann=[example(1, [0, 3, "PER"]), example(2, text="Nobody.")]
        )
    )
    assert study.single().annotators == ["ann"]
    assert "'admin' marked nothing in any example, and is taken not to have looked" in study.policy()


def test_what_nobody_annotated_and_comments_are_counted(folder: Any) -> None:
    study = read(
        folder(ann=[example(1, [0, 3, "PER"], Comments=["sure?", "yes"])], unknown=[example(7, text="Not seen.")])
    )
    assert study.single().annotators == ["ann"]
    assert study.single().items == [1]
    assert "1 file of what nobody annotated left out" in study.policy()
    assert "2 comments left out" in study.policy()


@pytest.mark.parametrize("name", ["all", "all (1)"])
def test_shared_annotations_are_refused_by_name(folder: Any, name: str) -> None:
    path = folder(**{name: [example(1, [0, 3, "PER"])]}) / f"{name}.jsonl"
    with pytest.raises(FormatError, match=r"does not say who annotated what.*annotator='ann'"):
        read(path)
    assert read(path, annotator="ann").single().annotators == ["ann"]


def test_shared_annotations_beside_those_of_members_are_left_out(folder: Any) -> None:
    study = read(folder(all=[example(1, [0, 3, "X"])], ann=[example(1)], bo=[example(1, [0, 3, "PER"])]))
    assert study.single().annotators == ["bo"]
    assert "1 file of shared annotations left out" in study.policy()


@pytest.mark.parametrize("key", ["label", "labels", "entities"])
def test_spans_under_each_of_their_names(folder: Any, key: str) -> None:
    record = {"id": 1, "text": TEXT, key: [[0, 3, "PER"]]}
    assert rows(read(folder(ann=[record])).single()) == {(1, "ann"): ((0, 3, "PER"),)}


def test_relations_are_those_of_spans_and_not_of_ids(folder: Any) -> None:
    other = json.loads(json.dumps(DOCCANO_RELATIONS))
    other["entities"].reverse()
    for entry, number in zip(other["entities"], (71, 72), strict=True):
        entry["id"] = number
    other["relations"] = [{"id": 9, "from_id": 72, "to_id": 71, "type": "met"}]
    study = read(folder(ann=[DOCCANO_RELATIONS], bo=[other]))
    assert list(study) == ["spans", "relations"]
    assert set(map(str, rows(study["relations"]).values())) == {"(((0, 7, 'PER'), (12, 14, 'PER'), 'met'),)"}


def test_a_relation_of_an_entity_that_is_not_there(folder: Any) -> None:
    wrong = {**DOCCANO_RELATIONS, "relations": [{"id": 5, "from_id": 99, "to_id": 12, "type": "met"}]}
    with pytest.raises(FormatError, match=r"ann.jsonl, line 1: a relation names the entity 99"):
        read(folder(ann=[wrong]))


def test_objects_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text("\n".join(json.dumps(DOCCANO_RELATIONS | {"id": n}, indent=2) for n in (1, 2)), encoding="utf-8")
    assert read(path)["relations"].items == [1, 2]
    path.write_text(path.read_text(encoding="utf-8") + "{", encoding="utf-8")
    with pytest.raises(FormatError, match="line 54: this is not JSON"):
        read(path)


def test_old_exports_name_users_and_number_labels(folder: Any) -> None:
    study = read(folder(export=[DOCCANO_OLD]))
    assert rows(study.single()) == {(1, "1"): ((0, 7, "3"),), (1, "2"): ((0, 3, "3"),)}


def test_offsets_outside_the_text_are_an_error(folder: Any) -> None:
    with pytest.raises(FormatError, match=r"line 1: a span from 0 to 12 does not lie in its text, which has 11"):
        read(folder(ann=[example(1, [0, 12, "PER"])]))
    with pytest.raises(FormatError, match="expected a whole number for an offset, found -1"):
        read(folder(ann=[example(1, [-1, 3, "PER"])]))


def test_letters_of_several_code_points(folder: Any) -> None:
    text = "e\u0301te\u0301 \U0001f469\U0001f3fd\u200d\U0001f52c Bo"
    path = folder(ann=[example(1, [6, 8, "PER"], text=text)])
    study = read(path)
    assert "offsets into 1 text with letters of several code points" in study.policy()
    (value,) = rows(read(path, offsets="graphemes").single()).values()
    assert [text[start:end] for start, end, _ in value] == ["Bo"]
    with pytest.raises(FormatError, match="does not lie in its text"):
        read(folder(ann=[example(1, [6, 9, "PER"], text=text)]), offsets="graphemes")


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("abc", ["a", "b", "c"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7x", ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7", "x"]),
        ("\u1100\u1161\u11a8\uac00", ["\u1100\u1161\u11a8", "\uac00"]),
        ("\u0928\u093f", ["\u0928\u093f"]),
        ("\u2764\ufe0f\u200d\U0001f525!", ["\u2764\ufe0f\u200d\U0001f525", "!"]),
    ],
)
def test_letters_as_readers_see_them(text: str, letters: list[str]) -> None:
    starts = starts_of_graphemes(text)
    assert [text[a:b] for a, b in pairwise(starts)] == letters


# -- items --------------------------------------------------------------------------------------------------


def test_projects_of_one_server_are_joined_by_their_texts(folder: Any) -> None:
    path = folder(ann=[example(1, [0, 3, "PER"])], bo=[example(2, [0, 3, "PER"])])
    study = read(path)
    assert study.single().items == [TEXT]
    assert "annotators have no id in common" in study.policy()
    assert read(path, item="id").single().items == [1, 2]


def test_one_id_of_two_texts_is_an_error_that_says_what_to_do(folder: Any) -> None:
    path = folder(ann=[example(1, [0, 3, "PER"])], bo=[example(1, [0, 2, "PER"], text="Bo left.")])
    with pytest.raises(FormatError, match=r"bo.jsonl, line 1: example 1 shows 'Bo left.*pass item='text'"):
        read(path)
    assert len(read(path, item="text").single().items) == 2


def test_examples_without_an_id_are_told_by_their_text(folder: Any) -> None:
    assert read(folder(ann=[example(None, [0, 3, "PER"])])).single().items == [TEXT]
    with pytest.raises(FormatError, match="expected a text or a number in 'nr'"):
        read(folder(ann=[example(None, [0, 3, "PER"])]), item="nr")


# -- labels and texts ---------------------------------------------------------------------------------------


def test_labels_are_sets_where_somebody_chose_several(folder: Any) -> None:
    study = read(folder(ann=[example(1, "a"), example(2)], bo=[example(1, "b", "a"), example(2, "b")]))
    assert rows(study["label"]) == {
        (1, "ann"): frozenset("a"),
        (2, "ann"): frozenset(),
        (1, "bo"): frozenset("ab"),
        (2, "bo"): frozenset("b"),
    }


def test_a_member_who_chose_no_label_anywhere_did_not_choose_none_of_them(folder: Any) -> None:
    path = folder(
        admin=[example(1), example(2, text="x")],
        ann=[example(1, "a", "b"), example(2, "a", text="x")],
        bo=[example(1, "a"), example(2, text="x")],
    )
    study = read(path)
    assert study["label"].annotators == ["ann", "bo"]
    assert rows(study["label"])[2, "bo"] == frozenset()
    assert "'admin' marked nothing in any example, and is taken not to have looked" in study.policy()
    assert "1 empty list taken as looked at, none of the labels" in study.policy()
    assert (2, "bo") not in rows(read(path, empty="unseen")["label"])


EMPTY = {".jsonl": "\n", ".json": "[]", ".csv": "\n"}  # as pandas writes a frame without columns


@pytest.mark.parametrize("suffix", EMPTY)
@pytest.mark.parametrize("archive", [False, True])
def test_members_who_approved_nothing_have_empty_files(tmp_path: Path, suffix: str, *, archive: bool) -> None:
    line = '{"id":7,"text":"Ann 1\\/2","source":null,"label":["good"],"Comments":[]}'
    full = {".jsonl": f"{line}\n", ".json": f"[{line}]", ".csv": "id,text,source,label,Comments\n7,Ann 1/2,,good,\n"}
    folder = tmp_path / "export"
    folder.mkdir()
    for name, content in {"ann": full, "bo.b": full, "admin": EMPTY, "zoe": EMPTY}.items():
        (folder / f"{name}{suffix}").write_text(content[suffix], encoding="utf-8")
    study = read(shutil.make_archive(str(folder), "zip", folder) if archive else folder)
    assert {str(item): who for item, who in rows(study["label"])} == {"7": "bo.b"}
    assert study["label"].annotators == ["ann", "bo.b"]
    assert "2 files without an example left out ('admin', 'zoe')" in study.policy()


def test_a_folder_of_empty_files_is_nobodys(tmp_path: Path) -> None:
    for name in ("ann", "bo"):
        (tmp_path / f"{name}.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(FormatError, match="is empty"):
        read(tmp_path)
    with pytest.raises(FormatError, match=r"found no annotation to read \(.*2 files without an example"):
        read(tmp_path, format="doccano")


def test_a_label_that_is_missing_is_not_an_answer(folder: Any) -> None:
    study = read(folder(ann=[example(1, "None"), example(2, text="x")]))
    assert rows(study["label"]) == {(1, "ann"): "None"}
    assert "1 answer to 'label' without a choice left out" in study.policy()


def test_texts_are_told_from_labels_and_said(folder: Any) -> None:
    path = folder(
        ann=[example(1, "Anna hat gestern den Bo getroffen.")], bo=[example(1, "Gestern traf Anna einen Bo.")]
    )
    study = read(path)
    assert study["label"].of_kind == "text"
    assert "taken as texts" in study.policy()
    assert read(path, strings="labels")["label"].of_kind == "labels"


def test_categories_beside_spans(folder: Any) -> None:
    record = {"id": 1, "text": TEXT, "cats": ["meeting"], "entities": [[0, 3, "PER"]], "Comments": []}
    study = read(folder(ann=[record]))
    assert list(study) == ["spans", "cats"]
    assert rows(study["cats"]) == {(1, "ann"): "meeting"}


def test_tables_join_labels(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    path.write_text(DOCCANO_TABLE, encoding="utf-8")
    study = read(path)
    assert rows(study["label"]) == {
        ("1", "ann"): frozenset({"positive"}),
        ("2", "ann"): frozenset({"negative", "short"}),
    }
    assert "1 cell with '#' taken as several labels" in study.policy()
    path.write_text(DOCCANO_TABLE + "3\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 4: expected 4 cells"):
        read(path)


def table(path: Path, *cells: str) -> Path:
    lines = [f'{number},Ann met Bo.,"{cell}",' for number, cell in enumerate(cells)]
    path.write_text("\n".join(["id,text,label,Comments", *lines, ""]), encoding="utf-8")
    return path


def test_the_sign_between_labels_may_be_a_letter_of_a_text(tmp_path: Path) -> None:
    cells = ("Anna schreibt heute noch in C# und Bo", "Sie schreiben heute noch C# und Java")
    study = read(table(tmp_path / "ann.csv", *cells))
    assert study["label"].of_kind == "text"
    assert list(rows(study["label"]).values()) == list(cells)
    study = read(table(tmp_path / "bo.csv", "Nummer #3 kam gestern bei uns an", "Nichts kam gestern bei uns an", ""))
    assert rows(study["label"])["0", "bo"] == "Nummer #3 kam gestern bei uns an"
    assert "1 example without a text left out" in study.policy()


@pytest.mark.parametrize("cell", ["C#", "#1", "C# old"])
def test_a_label_with_the_sign_between_labels_is_refused_in_a_table(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path / "ann.csv", "Java", cell, "Java#Go")
    with pytest.raises(FormatError, match=rf"line 3: the cell '{cell}' holds '#'.*export the project as JSONL"):
        read(path)
    assert rows(read(path, strings="texts")["label"])["1", "ann"] == cell


@pytest.mark.parametrize("archive", [False, True])
def test_text_for_fasttext_is_refused_by_name(tmp_path: Path, *, archive: bool) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    lines = [" Ann slept. ", "__label__so so Ann left. __comment__why?", '"__label__bad __label__sad Ann, alone. "']
    (folder / "ann.txt").write_text("\n".join(lines), encoding="utf-8")
    path = shutil.make_archive(str(folder), "zip", folder) if archive else folder / "ann.txt"
    with pytest.raises(FormatError, match=r"ann.txt is written for fastText.*export the project as JSONL"):
        read(path)


def test_a_list_of_records(tmp_path: Path) -> None:
    path = tmp_path / "ann.json"
    path.write_text(json.dumps(DOCCANO_LABELS), encoding="utf-8")
    study = read(path)
    assert study["label"].items == [1, 2]
    assert set(study["label"].attributes["where"]) == {f"{path}, /0", f"{path}, /1"}


def test_labels_and_spans_under_one_key_are_two_projects(folder: Any) -> None:
    with pytest.raises(FormatError, match="these are two projects"):
        read(folder(ann=[example(1, "a")], bo=[example(1, [0, 3, "PER"])]))


# -- pictures -----------------------------------------------------------------------------------------------


def test_boxes_and_segments(folder: Any) -> None:
    study = read(folder(ann=[DOCCANO_PICTURES, {"id": 5, "filename": "dog.png", "bbox": [], "segmentation": []}]))
    assert list(study) == ["bbox", "segmentation"]
    assert rows(study["bbox"]) == {(4, "ann"): ((11.5, 12.0, 75.5, 78.0, "cat"),), (5, "ann"): ()}
    assert rows(study["segmentation"])[4, "ann"] == ((("label", "cat"), ("points", ((38, 81), (32, 78), (47, 82)))),)
    wrong = {**DOCCANO_PICTURES, "segmentation": [{"points": [1, 2, 3], "label": "cat"}]}
    with pytest.raises(FormatError, match="expected three corners or more"):
        read(folder(ann=[wrong]))


# -- what is recognised -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "known"),
    [
        ({"id": 1, "text": "a b", "label": [], "Comments": []}, True),
        ({"text": "a b", "label": [[0, 1, "X"]]}, True),
        ({"text": "a b", "label": ["x"]}, True),
        ({"id": 1, "text": "a b", "label": ["x"], "source": "web", "Comments": []}, True),
        ({"id": 1, "text": "a b", "label": ["x"], "source": "web"}, False),
        ({"id": 1, "text": "a b", "label": [[0, 1, "X"]], "model": "m"}, False),
        ({"id": 1, "data": {"text": "a b"}, "annotations": [{"label": 1, "user": 3}]}, False),
        (DOCCANO_PICTURES, True),
        ({"id": 1, "text": "a b", "label": "x"}, False),
        ({"id": 1, "text": "a b", "label": ["x"], "annotator": "ann"}, False),
        ({"id": 1, "text": "a b", "label": ["x"], "worker_id": 3}, False),
        ({"text": "a b", "label": ["x", "y"], "annotators": ["ann", "bo"]}, False),
        ({"text": "a b", "label": "X", "answer": "accept", "_input_hash": 1, "_task_hash": 2}, False),
        ({"item": 1, "label": ["x"]}, False),
    ],
)
def test_what_can_only_be_doccano(tmp_path: Path, record: dict[str, Any], *, known: bool) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert recognised(path) is known


def test_options_are_checked(folder: Any) -> None:
    path = folder(ann=[example(1, [0, 3, "PER"])])
    with pytest.raises(KindError, match="empty= takes one of 'looked', 'unseen'"):
        read(path, empty="no")
    with pytest.raises(UnknownName, match="the reader 'doccano' has no option 'rejected'"):
        read(path, rejected="drop")
    with pytest.raises(UnknownName, match="there is no question 'label'"):
        read(path, questions="label")


def test_what_is_written_for_doccano_is_read_back(tmp_path: Path) -> None:
    spans = [[0, 3, "PER"], [8, 10, "PER"]]
    rows = [{"item": "letter", "annotator": "ann", "value": spans, "text": TEXT}]
    path = ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind="spans")), tmp_path / "gold.jsonl", to="doccano")
    (row,) = read(path, item="item", annotator="gold").single().rows()
    assert row == ("letter", "gold", ((0, 3, "PER"), (8, 10, "PER")))


def test_doccanos_own_examples(shared: Path) -> None:
    folder = shared / "data/formats/doccano"
    spans = read(folder / "sequence_labeling.jsonl").single()
    assert [len(value) for _, _, value in spans.rows()] == [2, 1, 1]
    assert spans.annotators == ["sequence_labeling"]
    assert [value for *_, value in read(folder / "text_classification.jsonl")["label"].rows()] == [
        "negative",
        "positive",
        "positive",
    ]
    related = read(folder / "relation_extraction.jsonl")
    assert [len(value) for name in related for *_, value in related[name].rows()] == [4, 3]
    (value,) = (value for *_, value in read(folder / "import_overlapping.jsonl").single().rows())
    assert value == ((0, 1, "LOC"),)
    for sketch in ("bounding_box", "segmentation"):
        with pytest.raises(FormatError, match="this is not JSON"):
            read(folder / f"{sketch}.jsonl")
