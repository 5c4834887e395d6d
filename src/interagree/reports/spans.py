"""What a report says of marked text: strict and lenient F1, kinds of disagreement, and the text that differs most."""

from __future__ import annotations

import math

from interagree._rooms import called
from interagree.data import Annotations
from interagree.errors import shell
from interagree.measures.span_f1 import span_f1
from interagree.results.document import Section
from interagree.spans.marked_text import marked_text
from interagree.spans.panel import span_panel
from interagree.spans.typology import Typology, span_types

WIDTH = 100  # letters of a line of marked text
CONTEXT = 60  # letters around a mark that are shown
LINES = 60  # of the text that is shown


def sections(study: Annotations, *, texts: bool, again: str = "") -> list[Section]:
    """The sections of a study of spans; none where no two annotators looked at one document.

    Args:
        study: The spans.
        texts: Whether texts are shown.
        again: The file and how it is read, as words of a further command; empty in Python.
    """
    types = span_types(study)
    if not len(types.kind):
        return []
    panel = span_panel(study)
    worst = _worst(study, types, again, texts=texts)
    return [panel.section(), *types.sections(), *([] if worst is None else [worst])]


def _worst(study: Annotations, types: Typology, again: str, *, texts: bool) -> Section | None:
    """The document that annotators differ most on, with the marks of each."""
    rows = [row for row in span_f1(study).by_item() if not math.isnan(row["agreement"]) and row["agreement"] < 1]
    if not rows:
        return None
    worst = max(rows, key=lambda row: row["spans"] * (1 - row["agreement"]))
    shown = marked_text(
        study, worst["item"], text=texts, context=CONTEXT, width=WIDTH, status=types.statuses(worst["item"])
    )
    lines = str(shown).split("\n")
    asked = f"interagree spans {again} {shell(['--document', str(worst['item'])])}"
    whole = asked if again else f"{called('marked_text')}(study, {worst['item']!r})"
    more = [f"… {len(lines) - LINES:,} more lines:", f"  {whole}"]
    return Section(
        f"Most disputed document: {worst['item']}",
        lines=lines[:LINES] + (more if len(lines) > LINES else []),
        verbatim=True,
    )
