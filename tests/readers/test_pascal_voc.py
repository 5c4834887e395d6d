"""Files of Pascal VOC in, studies out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interagree.errors import DuplicateAnnotation, FormatError
from interagree.readers import read
from interagree.readers.pascal_voc import recognised


def thing(name: str, *box: object, **more: object) -> str:
    sides = "".join(f"<{tag}>{at}</{tag}>" for tag, at in zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True))
    further = "".join(f"<{tag}>{entry}</{tag}>" for tag, entry in more.items())
    return f"<object><name>{name}</name>{further}<bndbox>{sides}</bndbox></object>"


def xml(*things: str, about: str = "") -> str:
    size = "<size><width>20</width><height>10</height><depth>3</depth></size>"
    return f"<annotation><filename>a.jpg</filename>{about}{size}{''.join(things)}</annotation>"


@pytest.fixture
def file(xml_file: Any) -> Any:
    return xml_file


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


def test_a_folder_for_each_annotator(file: Any, tmp_path: Path) -> None:
    file(xml(thing("cat", 1, 2, 3, 4)), "ann/a.xml")
    file(xml(), "ann/b.xml")
    file(xml(thing("cat", 1.5, 2, 3, 4), thing("dog", 5, 5, 5, 5)), "bo/a.xml")
    study = read(tmp_path)
    assert rows(study["boxes"]) == {
        ("a", "ann"): ((0, 1, 3, 4, "cat"),),
        ("b", "ann"): (),
        ("a", "bo"): ((0.5, 1, 3, 4, "cat"), (4, 4, 5, 5, "dog")),
    }
    assert study["boxes"].of_kind == "boxes"
    for words in (
        "annotators by their folders, 'ann', 'bo'",
        "boxes reach from their first to their last pixel (pixels='edges' takes them as corners)",
        "1 time somebody looked and marked nothing",
    ):
        assert words in study.policy()
    assert rows(read(tmp_path, pixels="edges")["boxes"])["a", "ann"] == ((1, 2, 3, 4, "cat"),)
    assert rows(read(sorted(tmp_path.glob("*/*.xml")))["boxes"]) == rows(study["boxes"])
    assert set(read(tmp_path, looked="marked")["boxes"].items) == {"a"}


def test_folders_above_and_below_those_of_annotators(file: Any, tmp_path: Path) -> None:
    for split, name in (("train", "a"), ("val", "b")):
        for who in ("ann", "bo"):
            file(xml(thing("cat", 1, 2, 3, 4)), f"{split}/{who}/Annotations/{name}.xml")
    assert rows(read(tmp_path)["boxes"]).keys() == {(item, who) for item in "ab" for who in ("ann", "bo")}


def test_images_of_one_name_in_two_folders_of_an_annotator(file: Any, tmp_path: Path) -> None:
    for who in ("ann", "bo"):
        for split in ("train", "val"):
            file(xml(thing("cat", 1, 2, 3, 4)), f"{who}/{split}/a.xml")
    assert rows(read(tmp_path)["boxes"]).keys() == {
        (f"{split}/a", who) for split in ("train", "val") for who in ("ann", "bo")
    }


def test_files_that_say_who_annotated(file: Any, tmp_path: Path) -> None:
    for place, who in (("x", "ann"), ("y", "bo")):
        file(xml(thing("cat", 1, 2, 3, 4), about=f"<source><annotator>{who}</annotator></source>"), f"{place}/a.xml")
    study = read(tmp_path)
    assert rows(study["boxes"]).keys() == {("a", "ann"), ("a", "bo")}
    assert "annotators by <annotator> in the files, 'ann', 'bo'" in study.policy()
    for place in "xy":
        file(xml(thing("cat", 1, 2, 3, 4), about="<source><annotator>tool</annotator></source>"), f"{place}/a.xml")
    assert rows(read(tmp_path)["boxes"]).keys() == {("a", "x"), ("a", "y")}


def test_one_folder_says_nothing_of_who_annotated(file: Any, tmp_path: Path) -> None:
    path = file(xml(thing("cat", 1, 2, 3, 4)), "all/a.xml")
    with pytest.raises(FormatError, match=r"nothing says who annotated; expected a folder of \.xml files for each"):
        read(tmp_path)
    assert rows(read(path, annotator="{folder}")["boxes"]).keys() == {("a", "all")}
    assert rows(read(path, annotator="ann")["boxes"]).keys() == {("a", "ann")}
    file(xml(thing("cat", 1, 2, 3, 4)), "other/b.xml")
    with pytest.raises(FormatError, match="nothing says who annotated"):  # no image in common
        read(tmp_path)
    file(xml(thing("cat", 1, 2, 3, 4)), "other/a.xml")
    assert len(read(tmp_path, annotator="{folder}")["boxes"]) == 3
    assert set(read(tmp_path, annotator="ann")["boxes"].items) == {"all/a", "other/b", "other/a"}
    with pytest.raises(DuplicateAnnotation, match=r"'ann' has the image 'a' twice"):
        read([path, path], annotator="ann")


def test_difficult_objects_and_parts(file: Any) -> None:
    part = "<part><name>head</name><bndbox/></part>"
    made = xml(thing("cat", 1, 2, 3, 4, difficult=1), thing("dog", 1, 2, 3, 4).replace("</object>", f"{part}</object>"))
    path = file(made, "ann/a.xml")
    study = read(path, annotator="ann")
    assert len(rows(study["boxes"])["a", "ann"]) == 2
    assert "1 object marked difficult kept (difficult='drop' leaves them out)" in study.policy()
    assert "1 object part not read" in study.policy()
    study = read(path, annotator="ann", difficult="drop")
    assert rows(study["boxes"])["a", "ann"] == ((0, 1, 3, 4, "dog"),)
    assert "1 object marked difficult left out" in study.policy()


def test_turned_boxes_and_polygons_of_other_tools(file: Any) -> None:
    turned = "<object><name>x</name><robndbox><cx>5</cx><cy>5</cy><w>4</w><h>2</h><angle>1.5707963267948966</angle></robndbox></object>"  # noqa: E501 -- one object
    polygon = "<polygon><x1>0</x1><y1>0</y1><x2>4</x2><y2>0</y2><x3>4</x3><y3>4</y3></polygon>"
    outlined = thing("cat", 1, 2, 3, 4).replace("</object>", f"{polygon}</object>")
    study = read(file(xml(turned, outlined), "ann/a.xml"), annotator="ann")
    assert study["boxes"].of_kind == "rotated"
    assert (5, 5, 4, 2, pytest.approx(90), "x") in rows(study["boxes"])["a", "ann"]
    assert rows(study["polygons"])["a", "ann"] == ((("label", "cat"), ("points", ((0, 0), (4, 0), (4, 4)))),)


def test_the_export_of_label_studio_is_refused_by_name(file: Any, tmp_path: Path) -> None:
    about = "<source><annotator>2</annotator></source><owner><name>Label Studio</name></owner>"
    for who in ("ann", "bo"):
        file(xml(thing("cat", 1, 2, 3, 4), about=about), f"{who}/a.xml")
    with pytest.raises(FormatError, match=r"only the last remains; export the project as JSON"):
        read(tmp_path)
    assert rows(read(tmp_path, annotator="{folder}")["boxes"]).keys() == {("a", "ann"), ("a", "bo")}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (thing("cat", 5, 2, 3, 4), r"object 1: the box from \(5, 2\) to \(3, 4\) ends before it begins"),
        (thing("cat", "one", 2, 3, 4), "object 1: expected a number for the place of a region, found 'one'"),
        ("<object><name>cat</name></object>", r"object 1: expected a <bndbox>, found \['name'\]"),
    ],
)
def test_bad_files_are_one_sentence(file: Any, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(xml(content), "a.xml"), annotator="ann")


def test_real_files(shared: Path) -> None:
    study = read(shared / "data/formats/pascal_voc/2007_000001.xml", annotator="{folder}")
    assert rows(study["boxes"]) == {("2007_000001", "pascal_voc"): ((0, 1, 3, 4, "cat"), (3, 4, 6, 7, "person"))}
    with pytest.raises(FormatError, match="Label Studio's Pascal VOC export"):
        read(shared / "data/formats/label_studio_converted/rect_voc")
    for path in (shared / "data/formats").glob("**/*.xml"):
        assert recognised(path) == (path.parent.name in {"pascal_voc", "rect_voc"}), path
