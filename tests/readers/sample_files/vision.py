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


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {"coco": {"a.json": coco}}
