"""Prodigy: JSON lines to annotate, with spans or options chosen beforehand; what is right is accepted already."""

from __future__ import annotations

from typing import Any

from interagree.declare.writers import writer
from interagree.people.decisions import Decisions, distinct, listed
from interagree.tables import json_text


@writer("Prodigy", suffix=".jsonl", kinds=("labels", "ordered", "sets", "spans"))
def prodigy(decisions: Decisions) -> str:
    """A record for each item, for ``ner.manual``, ``spans.manual`` or ``choice``.

    Args:
        decisions: The items.
    """
    options = [{"id": str(label), "text": str(label)} for label in distinct(decisions)]
    texts = (
        decisions.texts("Prodigy")
        if decisions.kind == "spans"
        else [row.text or str(row.item) for row in decisions.rows]
    )
    lines = []
    for row, text in zip(decisions.rows, texts, strict=True):
        record: dict[str, Any] = {"text": text, "meta": {"item": row.item, **row.about}}
        if decisions.kind == "spans":
            spans = decisions.spans(row, "Prodigy")
            record["spans"] = [{"start": s.start, "end": s.end, "label": s.label or decisions.question} for s in spans]
        else:
            record |= {"options": options, "accept": [str(label) for label in listed(row.value)]}
            record |= {"config": {"choice_style": "multiple"}} if decisions.kind == "sets" else {}
        if decisions.final:
            record["answer"] = "accept"
        lines.append(json_text(record))
    return "".join(f"{line}\n" for line in lines)
