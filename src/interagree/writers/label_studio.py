"""Label Studio: tasks to import, with predictions to correct, or with annotations that are ground truth.

The name of the question is ``from_name``, and ``shown`` is ``to_name``, what the labelling interface shows; both must
be those of the project's configuration.  Boxes are percents of the picture in Label Studio: ``width`` and ``height``
say its size in pixels.
"""

from __future__ import annotations

from typing import Any

from interagree.declare.writers import writer
from interagree.errors import Hint, KindError
from interagree.people.decisions import Decision, Decisions
from interagree.readers.label_studio.answers import result_of
from interagree.tables import json_text

TYPES = {"labels": "choices", "ordered": "choices", "sets": "choices", "numbers": "number", "text": "textarea"}
TYPES |= {"spans": "labels", "boxes": "rectanglelabels", "rankings": "ranker"}
PICTURES = ("boxes",)


@writer("Label Studio", suffix=".json", kinds=("labels", "ordered", "sets", "numbers", "text", "spans", "boxes"))
def label_studio(
    decisions: Decisions, *, shown: str | None = None, width: float | None = None, height: float | None = None
) -> str:
    """Tasks with predictions, or annotations.

    Args:
        decisions: The items.
        shown: What is annotated, ``to_name``: by default "image" for boxes, else "text".
        width: The width of pictures in pixels.
        height: Their height.
    """
    to_name = shown or ("image" if decisions.kind in PICTURES else "text")
    if decisions.kind in PICTURES and not (width and height):
        hints = [Hint("width", 640), Hint("height", 480)]
        raise KindError(
            f"Label Studio writes boxes in percent of the picture, whose size the study does not say; pass {hints[0]} "
            f"and {hints[1]}, or export to 'coco'",
            hints=hints,
        )
    if decisions.kind in {"spans", "text"}:
        decisions.texts("Label Studio")
    tasks = []
    for row in decisions.rows:
        data = {"item": row.item, to_name: row.item if row.text is None else row.text}
        task: dict[str, Any] = {
            "data": data,
            "meta": {"said": {who: _plain(v) for who, v in row.said.items()}, **row.about},
        }
        if row.value is not None:
            result = _result(decisions, row, to_name, width or 1.0, height or 1.0)
            if decisions.final:
                task["annotations"] = [{"result": result, "ground_truth": True}]
            else:
                task["predictions"] = [{"model_version": "interagree", "result": result}]
        tasks.append(task)
    return "[\n" + ",\n".join(map(json_text, tasks)) + "\n]\n"


def _plain(value: Any) -> Any:
    return sorted(value, key=str) if isinstance(value, frozenset) else value


def _result(decisions: Decisions, row: Decision, to_name: str, width: float, height: float) -> list[dict[str, Any]]:
    kind = TYPES[decisions.kind]
    if decisions.kind not in PICTURES:
        value: Any = row.value
        if decisions.kind == "spans":
            value = [(span.start, span.end, span.label) for span in decisions.spans(row, "Label Studio")]
        control = {"type": kind, "to_name": [to_name], "inputs": [{"type": "Text"}]}
        return result_of(decisions.question, control, value, row.text)
    named = {"from_name": decisions.question, "to_name": to_name, "type": kind}
    return [
        {
            **named,
            "value": {
                "x": 100 * x0 / width,
                "y": 100 * y0 / height,
                "width": 100 * (x1 - x0) / width,
                "height": 100 * (y1 - y0) / height,
                "rotation": 0,
                "rectanglelabels": [*label],
            },
        }
        for x0, y0, x1, y1, *label in row.value
    ]
