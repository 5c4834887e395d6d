"""Small files of tools for images."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any


def coco() -> bytes:
    boxes = [[1, 2, 3, 4], [1, 2, 4, 4], [0, 0, 9, 8]]
    marks: list[dict[str, Any]] = [
        {"id": at, "image_id": 1 + at // 3, "category_id": 1 + at % 2, "annotator": "ab"[at % 2], "bbox": boxes[at % 3]}
        for at in range(6)
    ]
    marks[0]["segmentation"] = [[1, 2, 4, 2, 4, 6, 1, 6]]
    marks[1]["segmentation"] = {"size": [8, 10], "counts": [10, 4, 66]}
    marks[2]["keypoints"] = [1, 2, 2, 0, 0, 0]
    images = [{"id": at, "file_name": f"{at}.jpg", "width": 10, "height": 8} for at in (1, 2)]
    categories = [{"id": 1, "name": "car", "keypoints": ["front", "back"]}, {"id": 2, "name": "bus"}]
    return json.dumps({"images": images, "annotations": marks, "categories": categories}).encode()


def cvat() -> bytes:
    def image(name: str, *inside: str) -> str:
        return f'<image id="0" name="{name}" width="10" height="8">{"".join(inside)}</image>'

    box = '<box label="car" xtl="0" ytl="1" xbr="4" ybr="5" rotation="30"><attribute name="a">1</attribute></box>'
    polygon, tag = '<polygon label="car" points="0,0;4,0;4,4"/>', '<tag label="night"/>'
    mask = '<mask label="car" rle="1, 2, 1, 2" left="2" top="1" width="3" height="2"/>'
    skeleton = '<skeleton label="body"><points label="1" outside="0" points="1,2"/></skeleton>'
    meta = (
        "<job><start_frame>0</start_frame><stop_frame>9</stop_frame><assignee><username>ann</username></assignee></job>"
    )
    keys = "".join(f'<box frame="{at}" keyframe="1" xtl="{at}" ytl="1" xbr="12" ybr="5"/>' for at in (0, 6))
    inside = image("a.jpg", box, polygon, tag) + image("b.jpg", mask, skeleton)
    track = f'<track id="0" label="car">{keys}</track>'
    return f"<annotations><version>1.1</version><meta>{meta}</meta>{inside}{track}</annotations>".encode()


def pascal_voc() -> bytes:
    boxes = ((1, 2, 3, 4), (2, 2, 5.5, 6))
    things = "".join(
        f"<object><name>{name}</name><difficult>{at}</difficult><bndbox><xmin>{box[0]}</xmin><ymin>{box[1]}</ymin>"
        f"<xmax>{box[2]}</xmax><ymax>{box[3]}</ymax></bndbox></object>"
        for at, (name, box) in enumerate(zip(("cat", "dog"), boxes, strict=True))
    )
    about = "<filename>a.jpg</filename><source><annotator>ann</annotator></source>"
    size = "<size><width>20</width><height>10</height></size>"
    return f"<annotation>{about}{size}{things}</annotation>".encode()


def labelme() -> bytes:
    shapes = [
        {"label": "car", "shape_type": "polygon", "points": [[0, 0], [4, 0], [4, 4]], "group_id": 1},
        {"label": "car", "shape_type": "rectangle", "points": [[0, 0], [4, 4]], "group_id": None},
        {"label": "sun", "shape_type": "circle", "points": [[5, 5], [5, 7]], "flags": {"x": True}},
        {"label": "eye", "shape_type": "point", "points": [[5, 5]], "group_id": 3},
        {"label": "cat", "shape_type": "mask", "points": [[0, 0], [1, 0]], "mask": base64.b64encode(png()).decode()},
    ]
    record = {"version": "5.0", "flags": {"night": True}, "shapes": shapes, "imagePath": "a.jpg", "imageData": None}
    return json.dumps({**record, "imageHeight": 8, "imageWidth": 10}).encode()


def png() -> bytes:
    """Two pixels, the second of which is white."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0\xff")) + chunk(b"IEND", b"")
    )


def labelme_web() -> bytes:
    corners = "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in ((0, 0), (4, 0), (4, 4)))
    things = "".join(
        f"<object><name>cat</name><deleted>{at % 2}</deleted>"
        f"<polygon><username>{who}</username>{corners}</polygon></object>"
        for at, who in enumerate(("ann", "bo", "cy"))
    )
    about = "<filename>a.jpg</filename><source><sourceAnnotation>LabelMe Webtool</sourceAnnotation></source>"
    return f"<annotation>{about}{things}</annotation>".encode()


def yolo() -> bytes:
    return b"0 0.5 0.5 0.25 0.25\n1 0.1 0.1 0.4 0.1 0.4 0.4\n0 0.3 0.3 0.1 0.1 0.9\n"


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "coco": {"a.json": coco},
    "cvat": {"a.xml": cvat},
    "labelme": {"a.json": labelme, "web.xml": labelme_web},
    "pascal_voc": {"a.xml": pascal_voc},
    "yolo": {"a.txt": yolo},
}
OPTIONS = {"labelme": {"a.json": {"annotator": "ann"}}, "yolo": {"a.txt": {"annotator": "ann", "format": "yolo"}}}
