"""Zooniverse (Panoptes): the export of classifications, a CSV file whose cells hold JSON.

Each task is a question, called by its number (``T0``), with the name of the workflow before it where there are several.
Answers to a question are labels, several answers sets of labels, as are those to survey tasks and lists of options.
Rectangles, polygons, circles and ellipses, and points are regions of the image.  Lines and other drawings are counted
and not read.

**Items** are subjects (``subject_ids``), **annotators** users (``user_name``); who was not logged in has a name of each
session.  Of several classifications of a subject by one user the newest counts (``duplicates``).  Classifications of a
gold standard are left out, and counted, unless ``gold="keep"``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Unpack

from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import POINT, POLYGON, Shape, box_about_centre, ellipse
from interagree.readers._images import number
from interagree.readers._options import Answers
from interagree.readers._rows import columns_of, opened

USER, SUBJECT, TASKS, WORKFLOW = "user_name", "subject_ids", "annotations", "workflow_name"
YES = ("true", "1")
LONGEST = 80  # letters of what was asked


def recognised(path: Path) -> bool:
    """Whether a file can only be classifications of Zooniverse."""
    return {"classification_id", USER, TASKS, "subject_data"} <= columns_of(path)


@reader("Zooniverse", suffixes=(".csv",), sniff=recognised, together=True)
def zooniverse(path: Paths, *, gold: Literal["drop", "keep"] = "drop", **options: Unpack[Answers]) -> Study:
    """The answers to all tasks.

    Args:
        path: A file, a folder of files, or a list of them.
        gold: "drop" or "keep" classifications of a gold standard.
    """
    gathered, rows = opened("Zooniverse", path, (".csv",), options["duplicates"])
    gathered.positions = None
    several = len({row.text(WORKFLOW) for row in rows}) > 1
    asked: dict[str, str] = {}
    for row in rows:
        if row.text("gold_standard").lower() in YES and gathered.drops(
            "classification", "of a gold standard", usual="drop", gold=gold
        ):
            continue
        item = row.text(SUBJECT) or next(iter(row.json("subject_data", dict)), "")
        prefix = f"{row.text(WORKFLOW)} " if several else ""
        for answer in _flat(row.json(TASKS, list)):
            name = f"{prefix}{answer['task']}"
            asked.setdefault(name, str(answer.get("task_label") or "")[:LONGEST])
            _add(gathered, Mark(name, item, row.text(USER), answer.get("value"), row.where, row.text("created_at")))
    told = [f"{name} asks {text!r}" for name, text in asked.items() if text]
    gathered.note("taken", f"classifications of Zooniverse; {listing(told, most=4, quote=False)}".rstrip("; "))
    return gathered.study(options["questions"])


def _flat(answers: list[Any]) -> Iterator[dict[str, Any]]:
    """The answers of tasks, also of those that stand together in one."""
    for answer in answers:
        if isinstance(answer, dict) and "task" in answer:
            inner = answer.get("value")
            if isinstance(inner, list) and inner and all(isinstance(one, dict) and "task" in one for one in inner):
                yield from _flat(inner)
            else:
                yield answer


def _add(gathered: Gatherer, mark: Mark) -> None:
    """An answer by its form: one option, several, a text, what a survey found, or drawings."""
    value = mark.value
    objects = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    if value is None or value == "":
        gathered.left_out("task", "without an answer left out")
    elif isinstance(value, dict):
        gathered.left_out("answer", "of another form not read")
    elif not isinstance(value, list):
        gathered.add(mark._replace(value=(str(value),)), "choices")
    elif not objects or (len(objects) == len(value) and all("choice" in one or "option" in one for one in objects)):
        gathered.takes_several(mark.question)
        if objects:
            value = [one.get("choice", one.get("label") or one.get("value")) for one in objects]
        gathered.add(mark._replace(value=tuple(str(one) for one in value if one is not None)), "choices")
    else:
        shapes = [shape for one in objects if (shape := _shape(one, mark.where))]
        gathered.left_out("drawing", "of another form not read", len(value) - len(shapes))
        gathered.looked(mark.item, mark.annotator, mark.question, mark.where, mark.time)
        for shape in shapes:
            gathered.add(mark._replace(value=shape))


def _shape(drawn: Mapping[str, Any], where: str) -> Shape | None:
    """A region by the entries that it has."""

    def given(*names: str) -> list[float]:
        return [number(drawn[name], where) for name in names]

    shape = None
    angle = number(drawn.get("angle", 0), where)
    points = drawn.get("points")
    if {"x", "y", "width", "height"} <= drawn.keys():
        x, y, width, height = given("x", "y", "width", "height")
        shape = box_about_centre(x, y, x + width, y + height, angle)
    elif {"x", "y", "rx", "ry"} <= drawn.keys():
        x, y, across, down = given("x", "y", "rx", "ry")
        shape = ellipse(x, y, across, down, -angle)
    elif {"x", "y", "r"} <= drawn.keys():
        shape = ellipse(*given("x", "y", "r", "r"))
    elif isinstance(points, list) and len(points) > 2 and all(isinstance(one, dict) for one in points):
        shape = Shape(POLYGON, tuple((number(p.get("x"), where), number(p.get("y"), where)) for p in points))
    elif {"x", "y"} <= drawn.keys() and "x1" not in drawn:
        shape = Shape(POINT, tuple(given("x", "y")))
    return shape and shape.called(str(drawn.get("tool_label") or drawn.get("tool", "")))
