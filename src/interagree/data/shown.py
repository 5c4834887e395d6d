"""Annotations and studies as notebooks show them: what there is, and the first rows."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from interagree.errors import visible
from interagree.tables import PRINTED, Table, as_html, cell

if TYPE_CHECKING:
    from interagree.data.annotations import Annotations
    from interagree.data.table import CodedTable

LONGEST = 120  # letters of a value or a text


def annotations_html(study: CodedTable) -> str:
    """How much there is, and the first annotations, each with what else is known of it."""
    rows = range(min(len(study), PRINTED))
    columns: dict[str, Sequence[object]] = {"item": [study.items[int(study.item[row])] for row in rows]}
    if not study.anonymous:
        columns["annotator"] = [study.annotators[int(study.annotator[row])] for row in rows]
    columns["value"] = [_short(study.values[int(study.value[row])]) for row in rows]
    for name, column in study.attributes.items():
        columns.setdefault(str(name), [_short(column[row]) for row in rows])
    more = len(study) - len(rows)
    table = Table(columns, foot=f"… and {more:,} more of {len(study):,} annotations" if more else "")
    return f"<p>{html.escape(repr(study))}</p>\n{as_html(table)}"


def study_html(questions: Mapping[str, Annotations], policy: str) -> str:
    """A row for each question, and what was dropped, merged or assumed."""
    rows = [
        {
            "question": name,
            "kind": str(question.kind),
            "items": len(question.items),
            "annotators": None if question.anonymous else len(question.annotators),
            "annotations": len(question),
            "values": len(question.values),
        }
        for name, question in questions.items()
    ]
    foot = f"<p><small>{html.escape(visible(policy))}</small></p>" if policy else ""
    return as_html(Table.of(rows, names=("question",))) + foot


def _short(entry: object) -> object:
    if entry is None or isinstance(entry, int | float):
        return entry
    text = cell(entry)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
