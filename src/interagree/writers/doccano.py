"""doccano: JSON lines with a text and its labels, for sequence labelling, text classification and texts from texts."""

from __future__ import annotations

from typing import Any

from interagree.declare.writers import writer
from interagree.people.decisions import Decisions, listed
from interagree.tables import json_text


@writer("doccano", suffix=".jsonl", kinds=("labels", "ordered", "sets", "spans", "text"))
def doccano(decisions: Decisions) -> str:
    """A record for each item.

    Args:
        decisions: The items.
    """
    lines = []
    for row, text in zip(decisions.rows, decisions.texts("doccano"), strict=True):
        label: list[Any] = [str(part) for part in listed(row.value)] if decisions.kind != "spans" else []
        if decisions.kind == "spans":
            label = [[s.start, s.end, s.label or decisions.question] for s in decisions.spans(row, "doccano")]
        lines.append(json_text({"text": text, "label": label, "item": row.item, **row.about}))
    return "".join(f"{line}\n" for line in lines)
