"""COCO: pictures, categories and annotations, with boxes, polygons, masks or keypoints in pixels.

A picture is called as its item.  ``width`` and ``height`` are those of all pictures; they are left out where they are
not given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interagree.declare.writers import writer
from interagree.kinds._parts import fields
from interagree.kinds.polygons import label_of, outlines_of
from interagree.people.decisions import Decisions
from interagree.tables import json_text


@writer("COCO", suffix=".json", kinds=("boxes", "polygons", "masks", "keypoints"))
def coco(decisions: Decisions, *, width: int | None = None, height: int | None = None) -> str:
    """One file of all pictures.

    Args:
        decisions: The items.
        width: The width of pictures in pixels.
        height: Their height.
    """
    size = {name: value for name, value in (("width", width), ("height", height)) if value is not None}
    images = [{"id": n, "file_name": str(row.item), **size} for n, row in enumerate(decisions.rows, start=1)]
    numbers: dict[str, int] = {}
    annotations: list[dict[str, Any]] = []
    for image, row in enumerate(decisions.rows, start=1):
        for value in row.value or ():
            made = _annotation(decisions.kind, value)
            label = str(made.pop("label", None) or decisions.question)
            category = numbers.setdefault(label, len(numbers) + 1)
            annotations.append(
                {"id": len(annotations) + 1, "image_id": image, "category_id": category, **made, "iscrowd": 0}
            )
    categories = [{"id": number, "name": name} for name, number in numbers.items()]
    whole = {
        "info": {"description": decisions.question},
        "images": images,
        "categories": categories,
        "annotations": annotations,
    }
    return json_text(whole) + "\n"


def _annotation(kind: str, value: Any) -> dict[str, Any]:
    if kind == "boxes":
        x0, y0, x1, y1, *label = value
        return {"bbox": [x0, y0, x1 - x0, y1 - y0], "area": (x1 - x0) * (y1 - y0), "label": label[0] if label else None}
    if kind == "polygons":
        outlines = outlines_of(value)
        return {
            "segmentation": [[at for point in outline for at in point] for outline in outlines],
            "bbox": _around([(point[0], point[1]) for outline in outlines for point in outline]),
            "area": sum(map(_area, outlines)),
            "label": label_of(value),
        }
    if kind == "masks":
        mask = fields(value) or {}
        return {"segmentation": {name: mask[name] for name in ("size", "counts")}, "label": mask.get("label")}
    points = [(point[0], point[1]) for point in value]
    seen = [point[2] if len(point) > 2 else 2 * bool(point[0] or point[1]) for point in value]
    flat = [at for (x, y), v in zip(points, seen, strict=True) for at in (x, y, v)]
    box = _around([point for point, v in zip(points, seen, strict=True) if v])
    return {"keypoints": flat, "num_keypoints": sum(v > 0 for v in seen), "bbox": box, "area": box[2] * box[3]}


def _area(outline: Any) -> float:
    """The area that an outline encloses."""
    following = [*outline[1:], outline[0]]
    twice: float = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, following, strict=True))
    return abs(twice) / 2


def _around(points: Sequence[tuple[Any, ...]]) -> list[Any]:
    if not points:
        return [0, 0, 0, 0]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]
