"""Small files of tools for images."""

from __future__ import annotations

import json
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


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {"coco": {"a.json": coco}, "cvat": {"a.xml": cvat}}
