"""Folders of YOLO in, studies out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interagree.errors import FormatError, KindError
from interagree.readers import read
from interagree.readers.yolo import recognised

BOX = "0 0.5 0.5 0.5 0.25\n"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def made(**files: str) -> Path:
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path = path if path.suffix else path.with_suffix(".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return tmp_path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


def test_a_folder_for_each_annotator_with_classes_matched_by_name(write: Any) -> None:
    root = write(
        ann__classes="car\nbus\n\n",
        ann__labels__a=BOX,
        ann__labels__b="",
        bo__classes="bus\ncar\n",
        bo__labels__a=f"{BOX}1 0.25 0.25 0.5 0.5\r\n",
    )
    study = read(root)
    assert rows(study["boxes"]) == {
        ("a", "ann"): ((0.25, 0.375, 0.75, 0.625, "car"),),
        ("b", "ann"): (),
        ("a", "bo"): ((0.0, 0.0, 0.5, 0.5, "car"), (0.25, 0.375, 0.75, 0.625, "bus")),
    }
    for words in (
        "annotators by their folders, 'ann', 'bo'",
        "places are shares of the width and the height of an image",
        "1 time somebody looked and marked nothing",
    ):
        assert words in study.policy()
    assert rows(read(root, annotator="{folder}")["boxes"]) == rows(study["boxes"])
    assert rows(read(sorted(root.glob("*/labels/*.txt")))["boxes"]) == rows(study["boxes"])


@pytest.mark.parametrize(
    "names",
    [
        "names: [car, 'a, b']\n",
        "path: x\nnames:\n- car\n- 'a, b'\nnc: 2\n",
        'names:  # all\n  0: car\n  1: "a, b"\ntrain: images\n',
        "names: {0: car, 1: 'a, b'}\n",
    ],
)
def test_names_in_yaml(write: Any, names: str) -> None:
    root = write(data_DOT_yaml=names, ann__labels__a=BOX, bo__labels__a="1 0.5 0.5 0.5 0.25\n")
    assert {value[0][4] for value in rows(read(root)["boxes"]).values()} == {"car", "a, b"}


def test_layouts_with_splits(write: Any) -> None:
    root = write(
        ann__data_DOT_yaml="names: [car]",
        ann__train__labels__a=BOX,
        ann__valid__labels__b=BOX,
        bo__data_DOT_yaml="names: [car]",
        bo__train__labels__a=BOX,
        bo__valid__labels__b=BOX,
        bo__train="images/a.jpg\n",
    )
    assert rows(read(root)["boxes"]).keys() == {(item, who) for item in "ab" for who in ("ann", "bo")}


def test_polygons_and_boxes_at_an_angle(write: Any) -> None:
    corners = "0 0.1 0.1 0.4 0.1 0.4 0.4 0.1 0.4\n"
    root = write(classes="car\n", ann__labels__a=corners, bo__labels__a=corners + "0 0.1 0.1 0.4 0.1 0.4 0.4\n")
    study = read(root)
    assert list(study) == ["polygons"]
    assert study["polygons"].of_kind == "polygons"
    square = ((0.1, 0.1), (0.4, 0.1), (0.4, 0.4), (0.1, 0.4))
    assert rows(study["polygons"])["a", "ann"] == ((("label", "car"), ("points", square)),)


def test_keypoints(write: Any) -> None:
    pose = "0 0.5 0.5 0.5 0.5 0.1 0.2 2 0.3 0.4 0\n"
    root = write(classes="man\n", ann__labels__a=pose, bo__labels__a=pose)
    with pytest.raises(FormatError, match=r"may be boxes with keypoints.*keypoints='17,3', or keypoints='0' if they"):
        read(root)
    study = read(root, keypoints="2,3")
    assert rows(study["keypoints"])["a", "ann"] == (((0.1, 0.2, 2), (0, 0, 0)),)
    assert rows(study["boxes"])["a", "ann"] == ((0.25, 0.25, 0.75, 0.75, "man"),)
    root = write(data_DOT_yaml="names: [man]\nkpt_shape: [2, 3]  # joints\n")
    assert rows(read(root)["keypoints"]) == rows(study["keypoints"])
    root = write(data_DOT_yaml="names: [man]\nkpt_shape: [3, 3]\n")
    with pytest.raises(FormatError, match="expected a box and 3 keypoints of 3 numbers, 13 in all, found 10"):
        read(root)
    with pytest.raises(KindError, match="keypoints must be their number and 2 or 3"):
        read(root, keypoints="17")
    with pytest.raises(FormatError, match="places as shares of the width and the height, from 0 to 1, found 2"):
        read(root, keypoints="0")


def test_lines_of_a_model_and_classes_without_names(write: Any) -> None:
    root = write(ann__labels__a=BOX, bo__labels__a=BOX.rstrip() + " 0.9\n")
    study = read(root)
    assert len(study["boxes"].values) == 1
    assert "1 line with the confidence of a model, which is not read" in study.policy()
    assert "classes have the same numbers for all, since no file names them" in study.policy()
    write(ann__classes="car\n")
    with pytest.raises(FormatError, match=r"bo/labels/a.txt: no classes.txt, data.yaml or obj.names in its folder"):
        read(root)


def test_one_folder_says_nothing_of_who_annotated(write: Any) -> None:
    root = write(classes="car\n", labels__a=BOX)
    with pytest.raises(FormatError, match=r"nothing says who annotated; expected a folder of \.txt files for each"):
        read(root)
    assert rows(read(root, annotator="ann")["boxes"]).keys() == {("a", "ann")}


def test_the_export_of_label_studio_is_refused_by_name(write: Any) -> None:
    notes = '{"info": {"contributor": "Label Studio"}}'
    root = write(ann__classes="car\n", ann__labels__a=BOX, bo__classes="car\n", bo__labels__a=BOX)
    for who in ("ann", "bo"):
        (root / who / "notes.json").write_text(notes)
    with pytest.raises(FormatError, match=r"only the last remains; export the project as JSON"):
        read(root)
    assert rows(read(root, annotator="{folder}")["boxes"]).keys() == {("a", "ann"), ("a", "bo")}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 0.5 0.5 0.5", r"a.txt, line 1: expected a class and four numbers or more, found '0 0.5 0.5 0.5'"),
        ("car 0.5 0.5 0.5 0.5", "line 1: expected a class and numbers"),
        ("7 0.5 0.5 0.5 0.5", "there are 1 classes, from 0 on, and the class 7 is none"),
        ("0 50 50 20 20", "from 0 to 1, found 50; divide pixels by the size of the image"),
        ("0 0.1 0.1 0.4 0.1 0.4 0.4 0.7", r"found 7 numbers; for keypoints say how many there are, as in keypoints="),
        ("0 0.5 0.5 -0.5 0.5", "a box has the width -0.5"),
        ("0 0.5 0.5 nan 0.5", "from 0 to 1, found nan"),
    ],
)
def test_bad_lines_are_named(write: Any, line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(write(classes="car\n", ann__labels__a=line), format="yolo", annotator="ann")


def test_other_text_is_not_taken(write: Any) -> None:
    assert not recognised(write(labels__a="1 2 3 4 5\n2 3 4 5 1\n"))
    assert not recognised(write(labels__a="1 0.2 0.3 0.4 0.5\n", labels__b="some words\n"))
    assert not recognised(write(labels__b="").joinpath("nothing"))
    assert recognised(write(labels__b="").joinpath("labels"))
    plain = write(plain__a="1 0.2 0.3 0.4 0.5\n") / "plain"
    assert not recognised(plain)
    assert not recognised(plain / "a.txt")


def test_a_real_folder(shared: Path) -> None:
    folder = shared / "data/formats/label_studio_converted/rect_yolo"
    with pytest.raises(FormatError, match="Label Studio's YOLO export"):
        read(folder)
    study = read(folder, annotator="{folder}")
    assert sorted(len(value) for _, _, value in study["boxes"].rows()) == [2, 2]
    for path in (shared / "data/formats").iterdir():
        assert not recognised(path) or path.name == "label_studio_converted", path
