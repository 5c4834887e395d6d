"""Files of LabelMe in, studies out."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest

from interagree.errors import FormatError
from interagree.readers import read
from interagree.readers.labelme import recognised


def shape(label: str, kind: str, *points: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"label": label, "shape_type": kind, "points": [list(point) for point in points], "flags": {}, **more}


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(*shapes: Any, name: str = "ann/a.json", **more: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {"version": "5.0.0", "flags": {}, "shapes": list(shapes), "imagePath": "a.jpg", "imageData": None}
        path.write_text(json.dumps({**record, "imageHeight": 8, "imageWidth": 10, **more}), encoding="utf-8")
        return path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


def test_a_folder_for_each_annotator(file: Any, tmp_path: Path) -> None:
    file(shape("cat", "rectangle", (4, 5), (1, 2)))
    file(name="bo/a.json")
    file(shape("cat", "rectangle", (1, 2), (4, 6)), name="bo/b.json")
    study = read(tmp_path)
    assert rows(study["boxes"]) == {
        ("a", "ann"): ((1, 2, 4, 5, "cat"),),
        ("a", "bo"): (),
        ("b", "bo"): ((1, 2, 4, 6, "cat"),),
    }
    assert "annotators by their folders, 'ann', 'bo'" in study.policy()
    with pytest.raises(FormatError, match=r"nothing says who annotated; expected a folder of LabelMe's \.json files"):
        read(tmp_path / "bo")
    assert rows(read(tmp_path / "bo", annotator="bo")["boxes"]).keys() == {("a", "bo"), ("b", "bo")}


def test_files_of_others_are_counted(file: Any, tmp_path: Path) -> None:
    file(shape("cat", "rectangle", (4, 5), (1, 2)))
    (tmp_path / "ann/classes.json").write_text("[]")
    study = read(tmp_path, format="labelme", annotator="ann", looked="marked")
    assert "1 file that LabelMe did not write not read ('classes.json')" in study.policy()
    assert "did not look at it (looked='listed' takes all images)" in study.policy()


def test_shapes(file: Any) -> None:
    path = file(
        shape("car", "polygon", (0, 0), (2, 0), (2, 2), group_id=1),
        shape("car", "polygon", (5, 5), (7, 5), (7, 7), group_id=1),
        shape("sun", "circle", (5, 5), (5, 8)),
        shape("bar", "oriented_rectangle", (0, 0), (0, 4), (-2, 4), (-2, 0)),
        shape("eye", "point", (1, 2), group_id=3),
        shape("ear", "point", (3, 4), group_id=3),
        shape("eye", "point", (5, 6), group_id=4),
        shape("way", "linestrip", (0, 0), (1, 1), (2, 2)),
        shape("way", "line", (0, 0), (1, 1), flags={"old": True}),
        shape("way", "polygon", (0, 0), (1, 1)),
        shape("way", "cuboid", (0, 0)),
    )
    study = read(path, annotator="ann")
    assert {name: one.of_kind for name, one in study.items()} == {
        "polygons": "polygons",
        "boxes": "rotated",
        "keypoints": "keypoints",
    }
    polygons = {dict(polygon)["label"]: dict(polygon)["points"] for polygon in rows(study["polygons"])["a", "ann"]}
    assert polygons["car"] == (((0, 0), (2, 0), (2, 2)), ((5, 5), (7, 5), (7, 7)))
    assert len(polygons["sun"]) == 72
    assert rows(study["boxes"])["a", "ann"] == ((-1, 2, 4, 2, 90, "bar"),)
    assert rows(study["keypoints"])["a", "ann"] == (((0, 0), (5, 6)), ((3, 4), (1, 2)))
    few = "1 polygon of fewer than three points not read"
    for words in ("2 lines not read", few, "1 shape with flags, which are not read"):
        assert words in study.policy()
    assert "1 shape of the type 'cuboid' not read" in study.policy()


def test_masks(file: Any, need: Any) -> None:
    import numpy as np

    picture = need("PIL.Image")
    pixels = np.array([[1, 0, 1], [0, 1, 1]], dtype=bool)
    buffer = io.BytesIO()
    picture.fromarray(pixels).save(buffer, "PNG")
    packed = base64.b64encode(buffer.getvalue()).decode()
    path = file(shape("cat", "mask", (2, 1), (4, 2), mask=packed))
    ((value,),) = rows(read(path, annotator="ann")["masks"]).values()
    named = dict(value)
    inside = [at for at, is_in in enumerate(at % 2 for at, n in enumerate(named["counts"]) for _ in range(n)) if is_in]
    assert named["size"] == (8, 10)
    assert inside == [2 * 8 + 1, 3 * 8 + 2, 4 * 8 + 1, 4 * 8 + 2]
    with pytest.raises(FormatError, match=r"the mask has 3 × 2 pixels, and its corners say 4 × 2"):
        read(file(shape("cat", "mask", (2, 1), (5, 2), mask=packed)), annotator="ann")
    with pytest.raises(FormatError, match="expected a mask as a PNG image in base64"):
        read(file(shape("cat", "mask", (2, 1), (5, 2), mask="é")), annotator="ann")
    with pytest.raises(FormatError, match="expected a mask as a PNG image, which this is not"):
        read(file(shape("cat", "mask", (2, 1), (5, 2), mask=packed[:40])), annotator="ann")


def test_flags_of_images(file: Any, tmp_path: Path) -> None:
    file(flags={"cat": True, "dog": False})
    file(flags={"cat": True, "dog": True}, name="bo/a.json")
    study = read(tmp_path)
    assert study["flags"].of_kind == "sets"
    assert rows(study["flags"]) == {("a", "ann"): frozenset({"cat"}), ("a", "bo"): frozenset({"cat", "dog"})}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, r"/shapes/0: expected an object, found 3"),
        ({"points": []}, r"/shapes/0: expected a text or a whole number in 'label', found nothing"),
        (shape("x", "rectangle", (1, 2)), r"/shapes/0: a rectangle has 2 points, and this one 1"),
        ({**shape("x", "polygon"), "points": [[1]]}, r"/shapes/0: expected a point \[x, y\], found \[1\]"),
        ({**shape("x", "polygon"), "points": [[1, None]]}, "expected a number for the place of a region, found None"),
    ],
)
def test_bad_shapes_are_named(file: Any, given: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(given), annotator="ann")


# -- the web tool ------------------------------------------------------------------------------------------


def drawn(name: str, who: str, *points: tuple[int, int], deleted: int = 0, kind: str = "") -> str:
    corners = "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in points)
    user = f"<username>{who}</username>" if who else ""
    type_ = f"<type>{kind}</type>" if kind else ""
    inner = f"<polygon>{user}{corners}</polygon>"
    return f"<object><name>{name}</name><deleted>{deleted}</deleted>{type_}{inner}</object>"


def page(path: Path, *objects: str, image: str = "a.jpg") -> Path:
    source = "<source><sourceAnnotation>LabelMe Webtool</sourceAnnotation></source>"
    size = "<imagesize><nrows>8</nrows><ncols>10</ncols></imagesize>"
    head = f"<annotation><filename>{image}</filename><folder>x</folder>{source}{size}"
    path.write_text(f"{head}{''.join(objects)}</annotation>", encoding="utf-8")
    return path


def test_files_of_the_web_tool_name_people(tmp_path: Path) -> None:
    square = ((0, 0), (2, 0), (2, 2), (0, 2))
    objects = [drawn("cat", "ann", *square), drawn("cat", "bo", *square, deleted=1), drawn("dog", "cy", *square[:3])]
    page(tmp_path / "a.xml", *objects, drawn("box", "cy", *square, kind="bounding_box"))
    page(tmp_path / "b.xml", drawn("cat", "anonymous", *square), image="b.jpg")
    study = read(tmp_path)
    assert rows(study["polygons"]) == {
        ("x/a.jpg", "ann"): ((("label", "cat"), ("points", square)),),
        ("x/a.jpg", "cy"): ((("label", "dog"), ("points", square[:3])),),
        ("x/b.jpg", "anonymous"): ((("label", "cat"), ("points", square)),),
    }
    assert rows(study["boxes"])["x/a.jpg", "cy"] == ((0, 0, 2, 2, "box"),)
    for words in ("annotators by <username>", "1 deleted object left out", "'anonymous' taken for one annotator"):
        assert words in study.policy()
    everything = read(tmp_path, looked="all")
    assert len(everything["polygons"]) == 6
    assert rows(read(tmp_path, looked=["cy"])["polygons"])["x/b.jpg", "cy"] == ()
    with pytest.raises(FormatError, match="object 1: expected who drew it in <username>"):
        read(page(tmp_path / "c.xml", drawn("cat", "", *square)))


def test_masks_of_the_web_tool(tmp_path: Path, need: Any) -> None:
    import numpy as np

    box = "<box><xmin>0</xmin><ymin>0</ymin><xmax>2</xmax><ymax>2</ymax></box>"
    segment = f"<object><name>cat</name><segm><username>ann</username>{box}<mask>m.png</mask></segm></object>"
    square = drawn("dog", "bo", (0, 0), (2, 0), (2, 2))
    (tmp_path / "Annotations/x").mkdir(parents=True)
    path = page(tmp_path / "Annotations/x/a.xml", segment, square)
    without = read(path)
    assert rows(without["boxes"])["x/a.jpg", "ann"] == ((0, 0, 2, 2, "cat"),)
    assert "1 mask whose file is not there taken as the box around it" in without.policy()
    lost = read(page(tmp_path / "Annotations/x/a.xml", segment.replace(box, ""), square))
    assert rows(lost["polygons"]).keys() == {("x/a.jpg", "bo")}
    assert "1 object without points left out, with what its annotator marked in that image" in lost.policy()
    page(path, segment, square)
    (tmp_path / "Masks/x").mkdir(parents=True)
    pixels = np.zeros((8, 10), dtype=np.uint8)
    pixels[:2, :2] = 255
    need("PIL.Image").fromarray(pixels).save(tmp_path / "Masks/x/m.png")
    masks = read(path)["masks"]
    assert rows(masks)["x/a.jpg", "ann"] == ((("counts", (0, 2, 6, 2, 70)), ("label", "cat"), ("size", (8, 10))),)
    assert rows(masks).keys() == {("x/a.jpg", "ann"), ("x/a.jpg", "bo")}


# -- real files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("json_2011_000006_bbox_detection.json", {"boxes": 4}),
        ("json_2011_000025_instance_segmentation.json", {"polygons": 3}),
        ("json_primitives_primitives.json", {"boxes": 2, "masks": 3, "keypoints": 1}),
    ],
)
def test_real_files(shared: Path, name: str, expected: dict[str, int]) -> None:
    study = read(shared / "data/formats/labelme" / name, annotator="{folder}")
    assert {question: sum(len(value) for _, _, value in one.rows()) for question, one in study.items()} == expected


def test_a_real_file_of_the_web_tool(shared: Path) -> None:
    study = read(shared / "data/formats/labelme/labelme_web_xml_img1.xml")
    counts = {(who, name): len(value) for name, one in study.items() for _, who, value in one.rows()}
    # 'anonymous' drew three polygons, a box and a mask whose file is not there; 'brussell' a mask.
    expected = {"admin": (1, 0), "brussell": (0, 1), "anonymous": (3, 2)}
    assert counts == {
        (who, name): n for who, two in expected.items() for name, n in zip(("polygons", "boxes"), two, strict=True)
    }
    assert "2 masks whose file is not there taken as the box around it" in study.policy()


def test_only_real_files_of_labelme_are_taken(shared: Path) -> None:
    for path in (*(shared / "data/formats").glob("**/*.xml"), *(shared / "data/formats").glob("**/*.json")):
        assert recognised(path) == (path.parent.name == "labelme"), path
