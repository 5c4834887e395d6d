"""Label Studio: tasks to import, with predictions to correct, or with annotations that are ground truth.

A study that was read from an export goes back into its tasks: they keep their number and all of their data, and answers
are given as the project asks for them.  Of another study every item is a new task; the name of the question is then
``from_name``, and ``shown`` is ``to_name``, what the labelling interface shows; both must be those of the project's
configuration.  Boxes are percents of the picture in Label Studio: ``width`` and ``height`` say its size in pixels where
no task does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.declare.writers import writer
from interagree.errors import Hint, KindError, UnknownName
from interagree.people.decisions import Decision, Decisions
from interagree.readers.label_studio.answers import PLAIN, result_of
from interagree.tables import json_text

TYPES = {"labels": "choices", "ordered": "choices", "sets": "choices", "numbers": "number", "text": "textarea"}
TYPES |= {"spans": "labels", "boxes": "rectanglelabels"}
ALIKE = {name: tuple(PLAIN) for name in ("labels", "ordered", "sets", "numbers", "text")}  # types that hold such values
ALIKE |= {"spans": ("labels",), "boxes": ("rectanglelabels", "rectangle")}


@writer("Label Studio", suffix=".json", kinds=("labels", "ordered", "sets", "numbers", "text", "spans", "boxes"))
def label_studio(
    decisions: Decisions,
    *,
    shown: str | None = None,
    width: float | None = None,
    height: float | None = None,
    tasks: str | None = None,
) -> str:
    """Tasks with predictions, or annotations.

    Args:
        decisions: The items.
        shown: What is annotated, ``to_name``: by default as in the export, else "image" for boxes and "text".
        width: The width of pictures in pixels.
        height: Their height.
        tasks: The export whose tasks they are; by default the one that the study was read from, while it is there.
    """
    made = _Tasks(decisions, shown, None if width is None or height is None else (width, height), tasks)
    return "[\n" + ",\n".join(json_text(made.task(row)) for row in decisions.rows) + "\n]\n"


class _Tasks:
    """How decisions become tasks."""

    def __init__(
        self, decisions: Decisions, shown: str | None, size: tuple[float, float] | None, tasks: str | None
    ) -> None:
        from interagree.readers.label_studio.originals import Originals

        if tasks is not None and not Path(tasks).is_file():
            raise UnknownName(f"tasks is an export of Label Studio, and there is no file {tasks!r:.200}")
        sources = decisions.study.provenance.sources if tasks is None else [tasks]
        self.originals = Originals.of(sources, [row.item for row in decisions.rows])
        if tasks is not None and self.originals is None:
            raise KindError(f"tasks is an export of Label Studio that has all items, and {tasks!r:.200} is none")
        self.decisions, self.size = decisions, size
        kind = decisions.kind
        asked = None if self.originals is None else self.originals.asked(decisions.question)
        self.type = TYPES[kind] if asked is None else asked.type
        self.to_name = shown or (("image" if kind == "boxes" else "text") if asked is None else asked.to_name)
        if self.type not in ALIKE[kind]:
            raise KindError(
                f"{decisions.question!r:.60} is asked in Label Studio by {self.type!r}, and answers are not "
                "written in that way; interagree.write takes them to a file of JSON lines"
            )
        if kind in {"spans", "text"}:
            decisions.texts("Label Studio")

    def task(self, row: Decision) -> dict[str, Any]:
        """An item as a task."""
        about = {"said": {who: _plain(value) for who, value in row.said.items()}, **row.about}
        if self.originals is None:
            shown = row.item if row.text is None else row.text
            made: dict[str, Any] = {"data": {"item": row.item, self.to_name: shown}}
            made["meta"] = about
        else:
            made = self.originals.task(row.item)
            made["meta"] = {**(made["meta"] if isinstance(made.get("meta"), dict) else {}), **about}
        if row.value is not None:
            result = self._result(row)
            if self.decisions.final:
                made["annotations"] = [{"result": result, "ground_truth": True}]
            else:
                made["predictions"] = [{"model_version": "interagree", "result": result}]
        return made

    def _result(self, row: Decision) -> list[dict[str, Any]]:
        if self.decisions.kind == "boxes":
            return self._boxes(row)
        value: Any = row.value
        if self.decisions.kind == "spans":
            value = [(span.start, span.end, span.label) for span in self.decisions.spans(row, "Label Studio")]
        control = {"type": self.type, "to_name": [self.to_name], "inputs": [{"type": "Text"}]}
        return result_of(self.decisions.question, control, value, row.text)

    def _boxes(self, row: Decision) -> list[dict[str, Any]]:
        size = self.size or (None if self.originals is None else self.originals.size(row.item))
        if size is None:
            hints = [Hint("width", 640), Hint("height", 480)]
            raise KindError(
                f"Label Studio writes boxes in percent of the picture, whose size the study does not say; pass "
                f"{hints[0]} and {hints[1]}, or export to 'coco'",
                hints=hints,
            )
        width, height = size
        named: dict[str, Any] = {"from_name": self.decisions.question, "to_name": self.to_name, "type": self.type}
        named |= {} if self.originals is None else {"original_width": width, "original_height": height}
        return [
            {
                **named,
                "value": {
                    "x": 100 * x0 / width,
                    "y": 100 * y0 / height,
                    "width": 100 * (x1 - x0) / width,
                    "height": 100 * (y1 - y0) / height,
                    "rotation": 0,
                    **({self.type: [*label]} if self.type != "rectangle" else {}),
                },
            }
            for x0, y0, x1, y1, *label in row.value
        ]


def _plain(value: Any) -> Any:
    return sorted(value, key=str) if isinstance(value, frozenset) else value
