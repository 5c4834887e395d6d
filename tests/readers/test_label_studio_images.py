"""Brush strokes, bitmasks, ellipses and videos of Label Studio."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest

from interagree.errors import FormatError
from interagree.readers import read
from interagree.readers.label_studio.results import unpacked


def result(kind: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    usual = {"id": "r", "from_name": "what", "to_name": "image", "type": kind, "value": value}
    return {**usual, "original_width": 6, "original_height": 4, **more}


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(*people: list[dict[str, Any]], number: int = 1) -> Path:
        annotations = [{"id": at, "completed_by": at, "result": results} for at, results in enumerate(people, start=1)]
        path = tmp_path / "export.json"
        path.write_text(json.dumps([{"id": number, "data": {"image": "a.jpg"}, "annotations": annotations}]))
        return path

    return made


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.rows()}


@pytest.mark.parametrize(
    ("data", "image"),
    [
        ({"image": "/data/upload/1/0a1b2c3d-cat.jpg"}, "/data/upload/1/0a1b2c3d-cat.jpg"),
        ({"image": "https://example.org/image?id=7"}, "https://example.org/image?id=7"),
        ({"photo": "s3://bucket/cat.PNG", "title": "A cat"}, "s3://bucket/cat.PNG"),  # the tag is called otherwise
        ({"left": "a.jpg", "right": "b.jpg"}, None),  # which of them is not said
        ({"image": ["a.jpg", "b.jpg"]}, None),
        ({"title": "A cat"}, None),
    ],
)
def test_the_image_of_a_task_is_kept_with_the_size_in_which_places_are(tmp_path: Path, data: Any, image: Any) -> None:
    box = result("rectanglelabels", {"x": 50, "y": 25, "width": 25, "height": 50, "rectanglelabels": ["cat"]})
    annotations = [{"id": at, "completed_by": at, "result": [box] if at == 1 else []} for at in (1, 2)]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"id": 1, "data": data, "annotations": annotations}]))
    study = read(path).single()
    assert rows(study)[1, "1"] == ((3.0, 1.0, 4.5, 3.0, "cat"),)
    kept = study.attributes
    assert kept["image"].tolist() == [image] * 2 if image else "image" not in kept
    assert (set(kept["width"]), set(kept["height"])) == ({6.0}, {4.0})  # also where somebody drew nothing


def test_places_without_a_size_are_those_of_an_image_of_a_hundred_by_a_hundred(file: Any) -> None:
    box = result("rectanglelabels", {"x": 50, "y": 25, "width": 25, "height": 50, "rectanglelabels": ["cat"]})
    bare = {name: entry for name, entry in box.items() if not name.startswith("original")}
    study = read(file([bare], [])).single()
    assert rows(study)[1, "1"] == ((50, 25, 75, 75, "cat"),)
    assert (set(study.attributes["width"]), set(study.attributes["height"])) == ({100.0}, {100.0})


def test_an_image_that_is_asked_about_is_kept_and_is_not_a_text(file: Any) -> None:
    choice = {"from_name": "what", "to_name": "image", "type": "choices", "value": {"choices": ["cat"]}}
    kept = read(file([choice], [choice])).single().attributes
    assert set(kept["image"]) == {"a.jpg"}
    assert "text" not in kept
    assert "width" not in kept


def packed(values: bytes, *, repeat: bool) -> list[int]:
    """Bytes as rle-pack packs them: all runs repeated, or all in one row."""
    bits = f"{len(values):032b}{7:05b}" + "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
    if repeat:
        at = 0
        while at < len(values):
            end = at
            while end < len(values) and values[end] == values[at] and end - at < 256:
                end += 1
            bits += f"110{end - at - 1:08b}{values[at]:08b}"
            at = end
    else:
        bits += f"011{len(values) - 1:016b}" + "".join(f"{value:08b}" for value in values)
    bits += "0" * (-len(bits) % 8)
    return [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]


def stroke(*inside: tuple[int, int]) -> bytes:
    """An image of 4 × 6 pixels of four channels, opaque at some rows and columns."""
    return b"".join(bytes([9, 9, 9, 255 if (y, x) in inside else 0]) for y in range(4) for x in range(6))


@pytest.mark.parametrize("repeat", [True, False])
def test_brush_strokes(file: Any, repeat: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    rle = packed(stroke((0, 1), (1, 1), (3, 5)), repeat=repeat)
    value = {"format": "rle", "rle": rle, "brushlabels": ["cat"]}
    study = read(file([result("brushlabels", value)], []))
    assert study["what"].of_kind == "masks"
    # Column by column: pixels 4 and 5 (column 1, rows 0 and 1), and 23 (column 5, row 3).
    mask = (("counts", (4, 2, 17, 1)), ("label", "cat"), ("size", (4, 6)))
    assert rows(study["what"]) == {(1, "1"): (mask,), (1, "2"): ()}


def test_a_brush_with_labels_in_a_result_of_their_own(file: Any) -> None:
    rle = {"format": "rle", "rle": packed(stroke((0, 0)), repeat=True)}
    both = [result("brush", rle, from_name="brush"), result("labels", {**rle, "labels": ["cat"]})]
    assert rows(read(file(both))["what"])[1, "1"][0][1] == ("label", "cat")


@pytest.mark.parametrize(
    ("rle", "message"),
    [
        ([300], "expected a list of bytes in 'rle'"),
        ([1, 2], "the mask in 'rle' has 2 bytes, and its image 24 pixels"),
        (packed(bytes(40), repeat=True), "has 40 values of 8 bits, and its image 24 pixels of 4 bytes each"),
        (packed(stroke(), repeat=False)[:50], "the mask in 'rle' breaks off"),
        (packed(stroke((0, 0)), repeat=True)[:12], "the mask in 'rle' breaks off"),
    ],
)
def test_damaged_brush_strokes(file: Any, rle: list[int], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file([result("brushlabels", {"format": "rle", "rle": rle})]))


def test_unpacking_agrees_with_what_was_packed() -> None:
    values = bytes((at * at) % 7 for at in range(500))
    for repeat in (True, False):
        assert unpacked(packed(values, repeat=repeat), 500, "here") == values


def test_bitmasks(file: Any, need: Any) -> None:
    import numpy as np

    pixels = np.zeros((4, 6), dtype=np.uint8)
    pixels[1, 2:4] = 255
    buffer = io.BytesIO()
    need("PIL.Image").fromarray(pixels).save(buffer, "PNG")
    address = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    value = {"imageDataURL": address, "bitmasklabels": ["cat"]}
    assert rows(read(file([result("bitmasklabels", value)]))["what"])[1, "1"] == (
        (("counts", (9, 1, 3, 1, 10)), ("label", "cat"), ("size", (4, 6))),
    )
    with pytest.raises(FormatError, match=r"a mask has 6 × 4 pixels, and its image 7 × 4"):
        read(file([result("bitmasklabels", value, original_width=7)]))
    with pytest.raises(FormatError, match="expected a PNG image in 'imageDataURL'"):
        read(file([result("bitmasklabels", {"imageDataURL": "x"})]))


def test_ellipses_are_polygons(file: Any) -> None:
    value = {"x": 50, "y": 50, "radiusX": 25, "radiusY": 50, "rotation": 0, "ellipselabels": ["sun"]}
    study = read(file([result("ellipselabels", value, original_width=200, original_height=100)]))
    assert study["what"].of_kind == "polygons"
    (((label, points),),) = rows(study["what"]).values()
    xs, ys = zip(*points[1], strict=True)
    assert label == ("label", "sun")
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((50, 150, 0, 100), abs=0.1)  # of its area


def key(frame: int, x: float, *, enabled: bool = True) -> dict[str, Any]:
    return {"frame": frame, "x": x, "y": 0, "width": 10, "height": 10, "rotation": 0, "enabled": enabled, "time": 0}


def test_rectangles_of_a_video(file: Any) -> None:
    follows = {
        "framesCount": 7,
        "duration": 1,
        "sequence": [key(4, 30, enabled=False), key(2, 10), key(6, 0)],
        "labels": ["car"],
    }
    study = read(file([result("videorectangle", follows)], []))
    boxes = rows(study["what"])
    assert study["what"].of_kind == "boxes"
    assert len(boxes) == 14
    expected: list[tuple[object, ...]] = [(), (10,), (20,), (30,), (), (0,), (0,)]  # in percents
    for frame, places in enumerate(expected, start=1):
        made = boxes[f"1, frame {frame}", "1"]
        assert [box[0] * 100 / 6 for box in made] == [pytest.approx(x) for x in places]
        assert all(box[1:] == (0, pytest.approx(box[0] + 0.6), pytest.approx(0.4), "car") for box in made)
    assert all(boxes[f"1, frame {frame}", "2"] == () for frame in range(1, 8))
    assert "2 boxes between the frames that were drawn put where Label Studio shows them" in study.policy()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"sequence": []}, "expected frames in 'sequence'"),
        ({"sequence": [3]}, "expected an object with a 'frame' from 1 up in 'sequence', found 3"),
        ({"sequence": [{"frame": 0}]}, "expected an object with a 'frame' from 1 up"),
        ({"sequence": [{"frame": 1, "x": None}]}, "expected a number for the place of a region, found None"),
        (
            {"sequence": [key(1, 0)], "framesCount": 10**12},
            "a video of 1000000000000 frames is longer than can be read",
        ),
    ],
)
def test_bad_videos(file: Any, value: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(file([result("videorectangle", value)]))
