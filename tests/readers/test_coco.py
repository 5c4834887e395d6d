"""Files of COCO in, studies out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interagree.cli import main
from interagree.errors import DuplicateAnnotation, FormatError, UnknownName
from interagree.readers import read
from interagree.readers.coco import recognised

CATEGORIES = ({"id": 1, "name": "car"}, {"id": 2, "name": "bus"})
SQUARE = [0, 0, 4, 0, 4, 4, 0, 4]


def content(
    names: list[str], annotations: list[dict[str, Any]], *, first: int = 1, categories: Any = CATEGORIES, **more: Any
) -> dict[str, Any]:
    images = [{"id": first + at, "file_name": name, "width": 10, "height": 8} for at, name in enumerate(names)]
    return {"images": images, "annotations": annotations, "categories": list(categories), **more}


def box(image: int, *bbox: float, category: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": 0, "image_id": image, "category_id": category, "bbox": list(bbox), "iscrowd": 0, **more}


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(what: Any, name: str = "data.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(what if isinstance(what, str) else json.dumps(what), encoding="utf-8")
        return path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


# -- who annotated -----------------------------------------------------------------------------------------


def test_a_file_for_each_annotator_joined_by_names_of_images_and_categories(file: Any) -> None:
    ann = file(content(["a.jpg", "b.jpg"], [box(1, 0, 0, 4, 4), box(1, 5, 5, 1, 1, category=2)]), "ann.json")
    other = ({"id": 7, "name": "bus"}, {"id": 9, "name": "car"})
    bo = file(content(["b.jpg", "a.jpg"], [box(5, 1, 0, 4, 4, category=9)], first=4, categories=other), "bo.json")
    study = read([ann, bo])
    assert list(study) == ["boxes"]
    assert study["boxes"].of_kind == "boxes"
    assert rows(study["boxes"]) == {
        ("a.jpg", "ann"): ((0, 0, 4, 4, "car"), (5, 5, 6, 6, "bus")),
        ("b.jpg", "ann"): (),
        ("a.jpg", "bo"): ((1, 0, 5, 4, "car"),),
        ("b.jpg", "bo"): (),
    }
    assert "annotators by file, 'ann', 'bo'" in study.policy()
    assert (
        "every image that a file lists was looked at (looked='marked' takes those with annotations)" in study.policy()
    )
    assert set(study["boxes"].attributes["where"]) >= {f"{ann}, /images/0", f"{bo}, /images/1"}
    assert set(rows(read([ann, bo], looked="marked")["boxes"])) == {("a.jpg", "ann"), ("a.jpg", "bo")}
    assert rows(read(ann.parent)["boxes"]) == rows(study["boxes"])


def test_files_of_one_name_are_told_apart_by_their_folders(file: Any) -> None:
    for who in ("ann", "bo"):
        file(content(["a.jpg"], [box(1, 0, 0, 4, 4)]), f"{who}/annotations/instances_default.json")
    paths = sorted(file("{}", "x.json").parent.glob("*/annotations/*.json"))
    assert rows(read(paths)["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}


@pytest.mark.parametrize("name", ["annotator", "annotator_id", "rater", "annotated_by", "attributes.annotator"])
def test_an_entry_of_annotations_says_who(file: Any, name: str) -> None:
    def by(who: object) -> dict[str, Any]:
        return {"attributes": {"annotator": who}} if "." in name else {name: who}

    marks = [box(1, 0, 0, 4, 4, **by("ann")), box(1, 1, 0, 4, 4, **by(2)), box(2, 1, 0, 4, 4, **by("ann"))]
    study = read(file(content(["a.jpg", "b.jpg", "c.jpg"], marks)))
    assert rows(study["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "2"), ("b.jpg", "ann")}
    assert "who marked nothing in an image did not look at it (looked='all' assumes they did)" in study.policy()
    assert "with attributes" not in study.policy()
    everything = rows(read(file(content(["a.jpg", "b.jpg", "c.jpg"], marks)), looked="all")["boxes"])
    assert (len(everything), everything["c.jpg", "2"]) == (6, ())
    some = rows(read(file(content(["a.jpg", "b.jpg", "c.jpg"], marks)), looked=["2"])["boxes"])
    assert some.keys() == {("a.jpg", "ann"), ("b.jpg", "ann"), ("a.jpg", "2"), ("b.jpg", "2"), ("c.jpg", "2")}


def test_rater_lists_say_who_looked(file: Any) -> None:
    made = content(["a.jpg", "b.jpg"], [box(1, 0, 0, 4, 4, rater="r1"), box(2, 0, 0, 2, 2, rater="r2")])
    made["images"][0]["rater_list"] = ["r1", "r2"]
    made["images"][1]["rater_list"] = ["r2", "r3"]
    study = read(file(made))
    assert rows(study["boxes"]) == {
        ("a.jpg", "r1"): ((0, 0, 4, 4, "car"),),
        ("a.jpg", "r2"): (),
        ("b.jpg", "r2"): ((0, 0, 2, 2, "car"),),
        ("b.jpg", "r3"): (),
    }
    assert "images were looked at by those whom the file lists for them" in study.policy()
    assert "2 times somebody looked and marked nothing" in study.policy()


def test_images_listed_once_for_each_annotator(file: Any) -> None:
    made = content(["a.jpg", "a.jpg"], [box(1, 0, 0, 4, 4)])
    made["images"][0]["annotator"], made["images"][1]["annotator"] = "ann", {"id": 3, "username": "bo"}
    assert rows(read(file(made))["boxes"]) == {("a.jpg", "ann"): ((0, 0, 4, 4, "car"),), ("a.jpg", "bo"): ()}
    made["images"][1]["annotator"] = "ann"
    with pytest.raises(FormatError, match=r"the image .a.jpg. is in .* too, under another id"):
        read(file(made))


def test_another_entry_says_who_when_named(file: Any) -> None:
    marks = [box(1, 0, 0, 4, 4, created_by="ann"), box(1, 1, 0, 4, 4, created_by="bo")] * 2
    path = file(content(["a.jpg"], marks))
    with pytest.raises(FormatError, match=r"or annotator='created_by' if that entry says who"):
        read(path)
    assert rows(read(path, annotator="created_by")["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}
    with pytest.raises(UnknownName, match=r"no annotation and no image has an entry 'who' .*annotator='\{file\}'"):
        read(path, annotator="who")


def test_one_file_without_annotators_says_what_to_do(file: Any) -> None:
    path = file(content(["a.jpg"], [box(1, 0, 0, 4, 4)]))
    with pytest.raises(FormatError, match=r"nothing in it says who .*read\(\['ann.json', 'bo.json'\]\)") as caught:
        read(path)
    assert "interagree report --together ann.json bo.json" in caught.value.for_command_line()
    assert "--annotator '{file}'" in caught.value.for_command_line()
    assert rows(read(path, annotator="{file}")["boxes"]).keys() == {("a.jpg", "data")}
    assert rows(read(path, annotator="{folder}")["boxes"]).keys() == {("a.jpg", path.parent.name)}


def test_an_annotation_without_an_annotator_among_others_is_an_error(file: Any) -> None:
    with pytest.raises(FormatError, match=r"/annotations/1: expected who annotated in 'annotator', as others have it"):
        read(file(content(["a.jpg"], [box(1, 0, 0, 4, 4, annotator="ann"), box(1, 0, 0, 4, 4)])))


def test_parts_of_one_dataset_are_not_people(file: Any) -> None:
    paths = [file(content(["a.jpg"], [box(1, 0, 0, 4, 4)]), f"{part}_val2017.json") for part in ("instances", "stuff")]
    with pytest.raises(FormatError, match=r"called as parts of one dataset, .* pass annotator='\{file\}'"):
        read(paths)
    paths = [file(content([f"{part}.jpg"], [box(1, 0, 0, 4, 4)]), f"{part}.json") for part in ("train", "val")]
    with pytest.raises(FormatError, match=r"no two have an image in common.*item='id' if the numbers"):
        read(paths)


def test_images_that_only_meet_by_another_name_are_asked_about(file: Any) -> None:
    paths = [file(content([f"{who}/a.jpg"], [box(1, 0, 0, 4, 4)]), f"{who}.json") for who in ("ann", "bo")]
    with pytest.raises(FormatError, match=r"without their folders, so pass item='name'"):
        read(paths)
    assert rows(read(paths, item="name")["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}
    roboflow = []
    for who in ("ann", "bo"):
        made = content([f"a_jpg.rf.{who}.jpg"], [box(1, 0, 0, 4, 4)])
        made["images"][0]["extra"] = {"name": "a.jpg"}
        roboflow.append(file(made, f"{who}.json"))
    with pytest.raises(FormatError, match=r"so pass item='extra.name'"):
        read(roboflow)
    assert rows(read(roboflow, item="extra.name")["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}


def test_a_person_with_one_image_in_two_files(file: Any) -> None:
    paths = [file(content(["a.jpg"], [box(1, 0, 0, at, at, annotator="ann")]), f"round{at}.json") for at in (1, 2)]
    with pytest.raises(DuplicateAnnotation, match=r"'ann' answered 'boxes' for 'a.jpg' before"):
        read(paths)
    assert rows(read(paths, duplicates="last")["boxes"]) == {("a.jpg", "ann"): ((0, 0, 2, 2, "car"),)}


def test_exports_of_label_studio_are_refused_by_name(file: Any) -> None:
    info = {"contributor": "Label Studio"}
    twice = content(["a.jpg", "a.jpg"], [box(1, 0, 0, 4, 4), box(2, 0, 0, 4, 4)], info=info)
    with pytest.raises(FormatError, match=r"Label Studio's COCO export lists an image once for .* export .* as JSON"):
        read(file(twice), annotator="{file}")
    with pytest.raises(
        FormatError, match=r"Label Studio's COCO export drops who annotated; export the project as JSON"
    ):
        read(file(content(["a.jpg"], [box(1, 0, 0, 4, 4)], info=info)))
    one_each = [file(content(["a.jpg"], [box(1, 0, 0, 4, 4)], info=info), f"{who}.json") for who in ("ann", "bo")]
    assert len(read(one_each)["boxes"]) == 2


def test_an_image_listed_twice_without_annotators_is_refused(file: Any) -> None:
    paths = [file(content(["a.jpg", "a.jpg"], [box(1, 0, 0, 4, 4)]), f"{who}.json") for who in ("ann", "bo")]
    with pytest.raises(FormatError, match=r"the image .a.jpg. is in .* too, under another id"):
        read(paths)


# -- regions -----------------------------------------------------------------------------------------------


def by(who: str, **more: Any) -> dict[str, Any]:
    return {"id": 0, "image_id": 1, "category_id": 1, "annotator": who, **more}


def test_polygons_with_one_or_several_outlines(file: Any) -> None:
    other = [5, 5, 6, 5, 6, 6]
    marks = [by("ann", segmentation=[SQUARE]), by("bo", segmentation=[SQUARE, other]), by("cy", segmentation=SQUARE)]
    study = read(file(content(["a.jpg"], marks)))
    square, triangle = ((0, 0), (4, 0), (4, 4), (0, 4)), ((5, 5), (6, 5), (6, 6))
    assert study["polygons"].of_kind == "polygons"
    assert rows(study["polygons"]) == {
        ("a.jpg", "ann"): ((("label", "car"), ("points", square)),),
        ("a.jpg", "bo"): ((("label", "car"), ("points", (square, triangle))),),
        ("a.jpg", "cy"): ((("label", "car"), ("points", square)),),
    }


def test_masks_as_lists_and_as_strings_are_the_same(file: Any, need: Any) -> None:
    import numpy as np

    coco = need("pycocotools.mask")
    pixels = np.zeros((8, 10), dtype=np.uint8, order="F")
    pixels[2:5, 1:7] = pixels[0, 9] = 1
    spelled = coco.encode(pixels)["counts"].decode()
    flat = np.concatenate([[0], pixels.ravel(order="F"), [0]])
    edges = np.flatnonzero(np.diff(flat))
    counts = np.diff(np.concatenate([[0], edges, [80]])).tolist()
    sizes = {"size": [8, 10]}
    marks = [by("ann", segmentation={"counts": counts, **sizes}), by("bo", segmentation={"counts": spelled, **sizes})]
    study = read(file(content(["a.jpg"], marks)))
    values = [value for _, _, value in study["masks"].rows()]
    assert study["masks"].of_kind == "masks"
    assert values[0] == values[1] == ((("counts", tuple(counts)), ("label", "car"), ("size", (8, 10))),)


def test_polygons_become_masks_where_others_drew_masks(file: Any) -> None:
    marks = [
        by("ann", segmentation=[SQUARE]),
        by("bo", segmentation={"size": [8, 10], "counts": [0, 4, 4, 4, 4, 4, 4, 4, 52]}, iscrowd=1),
    ]
    study = read(file(content(["a.jpg"], marks)))
    assert list(study) == ["masks"]
    assert len(study["masks"].values) == 1
    assert "1 polygon drawn as masks, to be compared with the masks of others" in study.policy()
    assert "1 region marked iscrowd kept (crowd='drop' leaves them out)" in study.policy()
    dropped = read(file(content(["a.jpg"], marks)), crowd="drop")
    assert list(dropped) == ["polygons"]
    assert "1 region marked iscrowd left out" in dropped.policy()


def test_keypoints_of_each_category(file: Any) -> None:
    categories = [
        {"id": 1, "name": "person", "keypoints": ["nose", "ear"]},
        {"id": 2, "name": "dog", "keypoints": ["tail"]},
    ]
    marks = [
        by("ann", keypoints=[1, 2, 2, 9, 9, 0], num_keypoints=1),
        by("bo", keypoints=[0, 0, 0, 0, 0, 0], num_keypoints=0),
        by("bo", keypoints=[5, 5, 1], category_id=2),
    ]
    study = read(file(content(["a.jpg"], marks, categories=categories)))
    assert {name: one.of_kind for name, one in study.items()} == dict.fromkeys(
        ["keypoints: dog", "keypoints: person"], "keypoints"
    )
    assert rows(study["keypoints: person"]) == {("a.jpg", "ann"): (((1, 2, 2), (0, 0, 0)),), ("a.jpg", "bo"): ()}
    assert rows(study["keypoints: dog"]) == {("a.jpg", "ann"): (), ("a.jpg", "bo"): (((5, 5, 1),),)}
    assert "1 annotation without a labelled keypoint or another region" in study.policy()


def test_captions_and_categories_of_whole_images(file: Any) -> None:
    marks = [
        {"image_id": 1, "annotator": "ann", "caption": "a cat"},
        {"image_id": 1, "annotator": "ann", "caption": "None"},
        {"image_id": 1, "annotator": "bo", "caption": "a dog"},
        by("ann"),
        by("bo", category_id=2),
    ]
    study = read(file(content(["a.jpg"], marks)))
    assert {name: one.of_kind for name, one in study.items()} == {"categories": "labels", "captions": "text"}
    assert rows(study["captions"]) == {("a.jpg", "ann"): "a cat\nNone", ("a.jpg", "bo"): "a dog"}
    assert rows(study["categories"]) == {("a.jpg", "ann"): "car", ("a.jpg", "bo"): "bus"}


def test_what_a_file_does_not_hold_was_not_asked(file: Any) -> None:
    ann = file(content(["a.jpg"], [box(1, 0, 0, 4, 4, segmentation=[SQUARE])]), "ann.json")
    bo = file(content(["a.jpg"], [box(1, 0, 0, 4, 4, segmentation=[])]), "bo.json")
    cy = file(content(["a.jpg"], []), "cy.json")
    study = read([ann, bo, cy])
    assert rows(study["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo"), ("a.jpg", "cy")}
    assert rows(study["polygons"]).keys() == {("a.jpg", "ann"), ("a.jpg", "cy")}


def test_boxes_that_cvat_turned(file: Any) -> None:
    marks = [
        by("ann", bbox=[0, 0, 4, 2], attributes={"rotation": 90.0, "occluded": False}),
        by("bo", bbox=[0, 0, 4, 2]),
    ]
    study = read(file(content(["a.jpg"], marks)))
    assert study["boxes"].of_kind == "rotated"
    assert rows(study["boxes"])["a.jpg", "ann"] == ((2, 1, 4, 2, 90, "car"),)


def test_a_polygon_with_very_many_edges_is_not_drawn(file: Any) -> None:
    far = 1 << 20
    edges = [place for at in range(100) for place in (far * (at % 2), at)]
    whole = {"size": [far, far], "counts": [far * far]}
    made = content(["a.jpg"], [by("ann", segmentation=[edges]), by("bo", segmentation=whole)])
    made["images"][0] |= {"width": far, "height": far}
    with pytest.raises(
        FormatError, match=r"/images/0: a polygon of 100 corners .* has too many edges above each other"
    ):
        read(file(made))


# -- bad files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ({"image_id": 9}, r"/annotations/0: the file lists no image with the id 9"),
        ({"image_id": 1, "category_id": 5}, r"no category with the id 5; it has 1, 2"),
        (box(1, 0, 0, -4, 4), r"the box at \(0, 0\) has a width or height below 0: -4 × 4"),
        (box(1, 0, 0, 4), r"expected \[x, y, width, height\] in 'bbox', found \[0, 0, 4\]"),
        (box(1, 0, 0, "4 px", 4), r"expected a number for the place of a region, found '4 px'"),
        (by("ann", segmentation=[[1, 2, 3, 4]]), r"a polygon .* of three corners or more .*, found \[1, 2, 3, 4\]"),
        (
            by("ann", segmentation={"size": [8, 10], "counts": [3]}),
            r"8 pixels high and 10 wide must add up to 80, and these .* 3",
        ),
        (
            by("ann", segmentation={"size": [8, 10], "counts": "PP"}),
            r"the counts 'PP' of a mask do not spell .* cut off",
        ),
        (by("ann", segmentation={"size": [8, 10], "counts": "\u00e9"}), r"do not spell run lengths"),
        (by("ann", keypoints=[1, 2]), r"expected \[x, y, visibility, …\] in 'keypoints'"),
        (by("ann", keypoints=[1, 2, 7]), r"the visibility of a keypoint is 0, 1 or 2"),
        ({"image_id": 1, "segments_info": [], "file_name": "a.png"}, r"this is a panoptic annotation"),
        (3, r"/annotations/0: expected an object, found 3"),
    ],
)
def test_a_bad_annotation_is_named(file: Any, mark: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(content(["a.jpg"], [mark])), format="coco", annotator="{file}")


def test_other_bad_files(file: Any) -> None:
    with pytest.raises(FormatError, match="a list of results of a detector, which names images by number only"):
        read(file([{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 0.5}]))
    with pytest.raises(FormatError, match="it lists images and no annotations"):
        read(file({"images": [{"id": 1, "file_name": "a.jpg"}], "categories": []}), format="coco")
    twice = content(["a.jpg"], [])
    twice["images"] *= 2
    with pytest.raises(FormatError, match="two images have the id 1"):
        read(file(twice), format="coco")
    with pytest.raises(UnknownName, match="expected a name in 'file_name' to call the image by, found None"):
        read(file({"images": [{"id": 1}], "annotations": [], "categories": []}), format="coco")


def test_other_json_is_not_taken(file: Any) -> None:
    assert not recognised(file([{"image": "a.jpg", "annotations": []}]))
    assert not recognised(file({"images": ["a.jpg"], "annotations": [{"label": 3}]}))
    assert recognised(file(content(["a.jpg"], [])))


# -- real files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("captions_val.json", {"captions": 1}),
        ("instances_val.json", {"boxes": 2, "masks": 2}),
        ("person_keypoints_val.json", {"boxes": 2, "masks": 2, "keypoints: a": 1, "keypoints: b": 1}),
        ("label_studio_sdk_coco_import_input.json", {"boxes": 2, "polygons": 2}),
    ],
)
def test_real_files(shared: Path, name: str, expected: dict[str, int]) -> None:
    path = shared / "data/formats/coco" / name
    with pytest.raises(FormatError, match="nothing in it says who annotated"):
        read(path)
    study = read(path, annotator="{file}")
    counts = {
        question: sum(1 if isinstance(value, str) else len(value) for _, _, value in one.rows())
        for question, one in study.items()
    }
    assert counts == expected


def test_real_files_that_are_refused(shared: Path) -> None:
    with pytest.raises(FormatError, match="this is a panoptic annotation"):
        read(shared / "data/formats/coco/panoptic_val.json")
    with pytest.raises(FormatError, match="Label Studio's COCO export lists"):
        read(shared / "data/formats/label_studio_converted/rect_coco/result.json")
    with pytest.raises(FormatError, match="panoptic"):
        read(shared / "data/formats/coco")


def test_only_real_files_of_coco_are_taken(shared: Path) -> None:
    for path in (shared / "data/formats").glob("**/*.json"):
        assert recognised(path) == (path.parent.name in {"coco", "rect_coco"}), path


# -- several files, archives -------------------------------------------------------------------------------


def test_archives_of_annotators_are_called_by_their_names(file: Any, tmp_path: Path) -> None:
    paths = []
    for who in ("ann", "bo"):
        inner = file(content(["a.jpg"], [box(1, 0, 0, 4, 4)]), f"x{who}/annotations/instances_default.json")
        paths.append(Path(shutil.make_archive(str(tmp_path / f"job_{who}"), "zip", inner.parents[1])))
    assert rows(read(paths)["boxes"]).keys() == {("a.jpg", "job_ann"), ("a.jpg", "job_bo")}
    top = file(content(["a.jpg"], [box(1, 0, 0, 4, 4)]), "top/a.json")
    whole = Path(shutil.make_archive(str(tmp_path / "cy"), "zip", top.parent))
    assert rows(read(whole, annotator="{folder}")["boxes"]).keys() == {("a.jpg", "cy")}


def test_several_files_on_the_command_line(file: Any) -> None:
    marks = [box(1, 0, 0, 4, 4, segmentation=[SQUARE])]
    paths = [str(file(content(["a.jpg", "b.jpg"], marks), f"{who}.json")) for who in ("ann", "bo")]
    outcome = CliRunner().invoke(main, ["measure", "--together", *paths, "-m", "alpha"])
    assert outcome.exit_code == 0, outcome.output
    assert "annotators by file, 'ann', 'bo'" in " ".join(outcome.output.split())
