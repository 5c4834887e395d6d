"""Files of CVAT in, studies out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interagree import doctor
from interagree.errors import DuplicateAnnotation, FormatError, KindError
from interagree.readers import read
from interagree.readers.cvat import recognised

BOX = '<box label="car" occluded="0" xtl="0" ytl="1" xbr="4" ybr="5"/>'


def job(who: str | None = "ann", kind: str = "job", **more: str) -> str:
    assignee = f"<assignee><username>{who}</username><email/></assignee>" if who else "<assignee></assignee>"
    return f"<{kind}><id>1</id>{''.join(f'<{k}>{v}</{k}>' for k, v in more.items())}{assignee}</{kind}>"


def image(name: str, *inside: str, **more: str) -> str:
    further = "".join(f' {key}="{entry}"' for key, entry in more.items())
    return f'<image id="0" name="{name}" width="10" height="8"{further}>{"".join(inside)}</image>'


def xml(about: str, *inside: str, source: str = "") -> str:
    meta = f"<meta>{about}{f'<source>{source}</source>' if source else ''}</meta>"
    return f"<?xml version='1.0'?><annotations><version>1.1</version>{meta}{''.join(inside)}</annotations>"


@pytest.fixture
def file(xml_file: Any) -> Any:
    return xml_file


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


# -- who annotated -----------------------------------------------------------------------------------------


def test_jobs_of_two_assignees(file: Any) -> None:
    ann = file(xml(job("ann"), image("a.jpg", BOX), image("b.jpg")), "job_1.xml")
    bo = file(xml(job("bo", "task"), image("a.jpg"), image("b.jpg", BOX)), "job_2.xml")
    study = read([ann, bo])
    assert rows(study["boxes"]) == {
        ("a.jpg", "ann"): ((0, 1, 4, 5, "car"),),
        ("b.jpg", "ann"): (),
        ("a.jpg", "bo"): (),
        ("b.jpg", "bo"): ((0, 1, 4, 5, "car"),),
    }
    assert study["boxes"].of_kind == "boxes"
    assert "annotators by the assignee of the job or the task, 'ann', 'bo'" in study.policy()
    assert "every image that a file lists was looked at (looked='marked' takes" in study.policy()
    marked = read([ann, bo], looked="marked")
    assert rows(marked["boxes"]).keys() == {("a.jpg", "ann"), ("b.jpg", "bo")}
    assert set(study["boxes"].attributes["where"]) == {f"{file}, image 0" for file in (ann, bo)}


def test_files_or_folders_for_annotators_where_assignees_do_not_tell(file: Any) -> None:
    for who in ("ann", "bo"):
        file(xml(job("boss", "task"), image("a.jpg", BOX)), f"{who}/annotations.xml")
    root = file(xml(job("boss"), image("a.jpg", BOX)), "x.xml").parent
    (root / "x.xml").unlink()
    study = read(root)
    assert rows(study["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}
    assert rows(read([*root.glob("*/*.xml")], annotator="{folder}")["boxes"]) == rows(study["boxes"])
    with pytest.raises(DuplicateAnnotation, match=r"'boss' answered 'boxes' for 'a.jpg' before"):
        read(root, annotator="assignee")
    with pytest.raises(KindError, match=r"annotator must be 'assignee', '\{file\}'"):
        read(root, annotator="who")


def test_nobody_is_named(file: Any) -> None:
    path = file(xml(job(None), image("a.jpg", BOX)))
    with pytest.raises(FormatError, match=r"nothing tells who annotated \(a job or task has no assignee\)"):
        read(path)
    assert rows(read(path, annotator="{file}")["boxes"]).keys() == {("a.jpg", "annotations")}
    with pytest.raises(FormatError, match=r"has no assignee; annotator='\{file\}' takes the name of the file"):
        read(path, annotator="assignee")


def project(*tasks: tuple[str, str | None]) -> str:
    inner = "".join(
        f"<task><id>{at}</id><name>{name}</name>"
        f"<assignee>{f'<username>{who}</username>' if who else ''}</assignee></task>"
        for at, (name, who) in enumerate(tasks)
    )
    return f"<project><id>3</id><tasks>{inner}</tasks><assignee/></project>"


def test_a_project_with_a_task_for_each_annotator(file: Any) -> None:
    images = [image("a.jpg", BOX, task_id="0", subset="x"), image("a.jpg", task_id="1", subset="y")]
    by_assignee = read(file(xml(project(("t1", "ann"), ("t2", "bo")), *images)))
    assert rows(by_assignee["boxes"]).keys() == {("a.jpg", "ann"), ("a.jpg", "bo")}
    path = file(xml(project(("t1", None), ("t2", None)), *images))
    with pytest.raises(FormatError, match=r"or annotator='\{task\}'"):
        read(path)
    assert rows(read(path, annotator="{task}")["boxes"]).keys() == {("a.jpg", "t1"), ("a.jpg", "t2")}
    assert rows(read(path, annotator="{file}")["boxes"]).keys() == {
        ("x/a.jpg", "annotations"),
        ("y/a.jpg", "annotations"),
    }


def test_doctor_tells_of_an_image_twice_and_not_of_an_option_that_nobody_gave(file: Any) -> None:
    path = file(xml(job("ann"), image("a.jpg", BOX), image("a.jpg", BOX)))
    with pytest.raises(DuplicateAnnotation, match=r"for 'a.jpg' before"):
        doctor(str(path), annotator="{file}")


# -- shapes ------------------------------------------------------------------------------------------------


def test_shapes_of_images(file: Any) -> None:
    inside = [
        '<box label="car" xtl="0" ytl="0" xbr="4" ybr="2" rotation="90.0"/>',
        '<polygon label="car" points="0,0;4,0;4,4"/>',
        '<polygon label="car" points="0,0;4,0"/>',
        '<polyline label="car" points="0,0;4,0"/>',
        '<ellipse label="bus" cx="5" cy="5" rx="2" ry="1"/>',
        '<points label="eyes" points="1,2;3,4"/>',
        '<tag label="night"/>',
        "<cuboid/>",
    ]
    described = BOX.replace("/>", "><attribute name='x'>1</attribute></box>")
    other = image("b.jpg", '<points label="eyes" points="5,6;7,8"/>', described)
    study = read(file(xml(job(), image("a.jpg", *inside), other)))
    assert {name: question.of_kind for name, question in study.items()} == {
        "boxes": "rotated",
        "polygons": "polygons",
        "keypoints": "keypoints",
        "tags": "labels",
    }
    assert rows(study["boxes"])["a.jpg", "ann"] == ((2, 1, 4, 2, 90, "car"),)
    assert rows(study["keypoints"])["b.jpg", "ann"] == (((5, 6, 2), (7, 8, 2)),)
    polygons = [dict(polygon) for polygon in rows(study["polygons"])["a.jpg", "ann"]]
    assert sorted((polygon["label"], len(polygon["points"])) for polygon in polygons) == [("bus", 72), ("car", 3)]
    assert rows(study["tags"]) == {("a.jpg", "ann"): "night"}
    for words in ("1 polyline not read", "1 cuboid not read", "1 polygon of fewer than three points not read"):
        assert words in study.policy()
    assert "1 shape with attributes, which are not read" in study.policy()


def test_masks_are_row_by_row_in_a_part_of_the_image(file: Any) -> None:
    mask = '<mask label="car" rle="1, 2, 1, 2" left="2" top="1" width="3" height="2"/>'
    study = read(file(xml(job(), image("a.jpg", mask))))
    ((value,),) = rows(study["masks"]).values()
    named = dict(value)
    assert (named["size"], named["label"]) == ((8, 10), "car")
    pixels = [at for at, inside in enumerate(unpacked(named["counts"])) if inside]
    # Row 1 has columns 3 and 4, row 2 has 3 and 4 … of 8 pixels each, counted by column.
    assert pixels == [3 * 8 + 1, 3 * 8 + 2, 4 * 8 + 1, 4 * 8 + 2]
    with pytest.raises(
        FormatError, match=r"a mask that is 2 pixels high and 3 wide must add up to 6, and these add up to 5"
    ):
        read(file(xml(job(), image("a.jpg", mask.replace("1, 2, 1, 2", "1, 2, 2")))))


def unpacked(counts: tuple[int, ...]) -> list[bool]:
    return [bool(at % 2) for at, count in enumerate(counts) for _ in range(count)]


def test_skeletons(file: Any) -> None:
    def skeleton(*points: tuple[str, str, str, str]) -> str:
        inner = "".join(
            f'<points label="{name}" outside="{out}" occluded="{hidden}" points="{place}"/>'
            for name, place, out, hidden in points
        )
        return f'<skeleton label="body">{inner}</skeleton>'

    first = skeleton(("2", "3,4", "0", "1"), ("10", "5,6", "0", "0"), ("1", "1,2", "1", "0"))
    second = skeleton(("1", "1,2", "0", "0"))
    study = read(file(xml(job(), image("a.jpg", first), image("b.jpg", second))))
    assert rows(study["keypoints"]) == {
        ("a.jpg", "ann"): (((0, 0, 0), (3, 4, 1), (5, 6, 2)),),
        ("b.jpg", "ann"): (((1, 2, 2), (0, 0, 0), (0, 0, 0)),),
    }


def test_points_whose_number_differs_are_taken_one_by_one(file: Any) -> None:
    one, two = '<points label="seed" points="1,2"/>', '<points label="seed" points="1,2;3,4"/>'
    study = read(file(xml(job(), image("a.jpg", one), image("b.jpg", two))))
    assert rows(study["keypoints"])["b.jpg", "ann"] == (((1, 2, 2),), ((3, 4, 2),))
    assert "points of 'seed' one by one, since their number differs" in study.policy()


def test_tags_with_attributes_and_tags_of_several(file: Any) -> None:
    tag = '<tag label="scene"><attribute name="light">None</attribute></tag>'
    study = read(file(xml(job(), image("a.jpg", tag, '<tag label="night"/>'), image("b.jpg"))))
    assert study["tags"].of_kind == "sets"
    assert rows(study["tags"]) == {("a.jpg", "ann"): frozenset({"scene", "night"}), ("b.jpg", "ann"): frozenset()}
    assert rows(study["scene: light"]) == {("a.jpg", "ann"): "None"}


def test_what_a_model_made(file: Any) -> None:
    path = file(xml(job(), image("a.jpg", BOX, BOX.replace("<box", '<box source="auto"'))))
    assert "1 annotation made by a model (source='auto') kept (automatic='drop' leaves them out)" in read(path).policy()
    dropped = read(path, automatic="drop")
    assert "1 annotation made by a model (source='auto') left out" in dropped.policy()
    assert rows(dropped["boxes"]) == {("a.jpg", "ann"): ((0, 1, 4, 5, "car"),)}


# -- videos ------------------------------------------------------------------------------------------------


def key(frame: int, x: float, tag: str = "box", **more: str) -> str:
    further = "".join(f' {name}="{entry}"' for name, entry in more.items())
    place = f'xtl="{x}" ytl="0" xbr="{x + 2}" ybr="2"' if tag == "box" else 'points="0,0;1,0;1,1"'
    return f'<{tag} frame="{frame}" keyframe="1" {place}{further}/>'


def test_tracks_of_a_video(file: Any) -> None:
    about = job("ann", "task", start_frame="0", stop_frame="8", frame_filter="step=2", mode="interpolation")
    boxes = f'<track id="0" label="car">{key(0, 0)}{key(4, 8)}{key(6, 8, outside="1")}</track>'
    stays = f'<track id="1" label="bus">{key(6, 1, outside="0")}</track>'
    polygons = f'<track id="2" label="tree">{key(0, 0, "polygon")}{key(4, 0, "polygon", outside="1")}</track>'
    study = read(file(xml(about, boxes, stays, polygons, source="t.mp4")))
    assert rows(study["boxes"]) == {
        ("t.mp4, frame 0", "ann"): ((0, 0, 2, 2, "car"),),
        ("t.mp4, frame 2", "ann"): ((4, 0, 6, 2, "car"),),
        ("t.mp4, frame 4", "ann"): ((8, 0, 10, 2, "car"),),
        ("t.mp4, frame 6", "ann"): ((1, 0, 3, 2, "bus"),),
        ("t.mp4, frame 8", "ann"): ((1, 0, 3, 2, "bus"),),
    }
    assert sum(map(len, rows(study["polygons"]).values())) == 1
    assert "2 boxes between the frames that tracks list put where CVAT shows them" in study.policy()
    assert "1 shape of frames that their tracks do not list left out" in study.policy()


def test_a_box_turns_the_shorter_way_round(file: Any) -> None:
    about = job("ann", "task", start_frame="0", stop_frame="2", frame_filter="")
    track = f'<track id="0" label="car">{key(0, 0, rotation="350")}{key(2, 0, rotation="10")}</track>'
    study = read(file(xml(about, track, source="t.mp4")))
    assert [value[0][4] for value in rows(study["boxes"]).values()] == [350, 0, 10]


def test_a_track_without_shapes_says_nothing(file: Any) -> None:
    tracks = f'<track id="0" label="car"/><track id="1" label="bus">{key(3, 0)}</track>'
    study = read(file(xml(job("ann", "task"), tracks, source="t.mp4")))
    assert rows(study["boxes"]) == {("t.mp4, frame 3", "ann"): ((0, 0, 2, 2, "bus"),)}


@pytest.mark.parametrize(
    ("last", "tracks", "message"),
    [
        ("9999999", 1, "a video from frame 0 to frame 9999999 has more frames than can be read"),
        ("99999", 21, "track 7: more than 2,000,000 boxes lie between the frames that tracks list"),
    ],
)
def test_a_short_file_of_a_long_video_is_bounded(file: Any, last: str, tracks: int, message: str) -> None:
    about = job("ann", "task", start_frame="0", stop_frame=last)
    with pytest.raises(FormatError, match=message):
        read(file(xml(about, *[f'<track id="7" label="car">{key(0, 0)}</track>'] * tracks, source="t.mp4")))


def test_a_mask_of_very_many_pixels_is_not_drawn(file: Any) -> None:
    mask = f'<mask label="x" rle="{1 << 30}" left="0" top="0" width="{1 << 15}" height="{1 << 15}"/>'
    listed = f'<image id="0" name="a.jpg" width="{1 << 15}" height="{1 << 15}">{mask}</image>'
    with pytest.raises(FormatError, match="a mask of 32768 × 32768 pixels in an image of 32768 × 32768 is not read"):
        read(file(xml(job(), listed)))


# -- bad files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        (image("a.jpg", '<box xtl="0"/>'), "image 0: expected a <box> with a label"),
        (image("a.jpg", BOX.replace('"4"', '"four"')), "expected a number for the place of a region, found 'four'"),
        (image("a.jpg", '<polygon label="x" points="1;2"/>'), "expected points as 'x,y;x,y', found '1;2'"),
        (image(""), "expected the name of the image"),
        ('<track id="4" label="x"><box frame="one"/></track>', "track 4: expected the number of a frame, found 'one'"),
        ("", "expected images or tracks of a video, found neither"),
        (
            image("a.jpg", '<mask label="x" rle="a" left="0" top="0" width="1" height="1"/>'),
            r"expected whole numbers for the run lengths of a mask, found \['a'\]",
        ),
    ],
)
def test_bad_files_are_one_sentence(file: Any, inside: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file(xml(job(), inside)), format="cvat")


def test_other_versions_are_refused(file: Any) -> None:
    with pytest.raises(FormatError, match=r"expected version 1.1 of CVAT's XML, found '2.0'"):
        read(file(xml(job(), image("a.jpg")).replace("1.1", "2.0")))
    assert not recognised(file("<annotations><image/></annotations>"))


# -- real files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # the number of items, and of regions in them
        ("images_task.xml", {"boxes": (2, 1), "polygons": (2, 1), "keypoints": (2, 1)}),
        ("images_project.xml", {"boxes": (6, 3), "polygons": (6, 3), "keypoints": (6, 3)}),
        ("video.xml", {"boxes": (4, 1), "keypoints": (4, 1)}),
    ],
)
def test_real_files(shared: Path, name: str, expected: dict[str, tuple[int, int]]) -> None:
    path = shared / "data/formats/cvat_xml" / name
    with pytest.raises(FormatError, match="nothing tells who annotated"):
        read(path)
    study = read(path, annotator="{file}")
    counts = {
        question: (len(one.items), sum(len(value) for _, _, value in one.rows())) for question, one in study.items()
    }
    assert counts == expected


def test_only_real_files_of_cvat_are_taken(shared: Path) -> None:
    for path in (shared / "data/formats").glob("**/*.xml"):
        assert recognised(path) == (path.parent.name == "cvat_xml"), path
