"""The boundary-sensitivity panel: the same spans under ever more lenient matching, side by side.

How much annotators agree on spans depends on what counts as the same span, and a single figure hides that.  Where much
is gained by taking whitespace from the ends of spans, the guidelines or the tool are to be mended, not the annotators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from interagree.data import Annotations, IntoAnnotations, ReadingOptions, as_annotations
from interagree.data.types import Annotator, Values
from interagree.declare import takes_data
from interagree.documents.edges import in_tokens, trimmed
from interagree.documents.texts import Documents, SpanTable
from interagree.measures.span_f1 import span_f1
from interagree.results.agreement import Agreement
from interagree.results.answer import Answer
from interagree.results.charts import Forest
from interagree.results.charts.tables import estimates
from interagree.results.document import Document, Section, one_per_line
from interagree.stats.pairs.pair_sums import known_annotators
from interagree.tables import Table


@dataclass(frozen=True)
class Panel(Answer):
    """Span F1 of one study under several ways to match."""

    levels: tuple[str, ...]
    documents: tuple[Agreement, ...]  # means over documents and pairs of annotators
    pooled: tuple[Agreement, ...]
    notes: tuple[str, ...]

    def tables(self) -> dict[str, Table]:
        """A row for each way to match, the strictest first."""
        rows = []
        for level, mean, pooled in zip(self.levels, self.documents, self.pooled, strict=True):
            interval = mean.interval()
            rows.append(
                {
                    "matching": level,
                    "F1": mean.value,
                    "low": None if interval is None else interval.low,
                    "high": None if interval is None else interval.high,
                    "gain": mean.value - self.documents[0].value,
                    "pooled": pooled.value,
                }
            )
        foot = "F1: mean over documents and pairs of annotators; gain: over the first row; pooled: all spans at once"
        names = ("matching", "F1", "low", "high", "gain", "pooled")
        return {"panel": Table.of(rows, names=names, foot=foot)}

    @property
    def undefined(self) -> str | None:
        """Why no spans could be compared; None where some were."""
        return self.pooled[0].undefined

    def chart(self) -> Forest | None:
        """F1 under each way to match, with its interval."""
        if self.undefined:
            return None
        drawn = estimates(self.table(), "F1")
        first, last = drawn.rows[0].value, drawn.rows[-1].value
        words = f"F1 under ever more lenient matching, from {first:.2f} to {last:.2f}."
        return drawn._replace(axis="F1, mean over documents and pairs", words=words)

    def document(self) -> Document:
        """The table and what was left out or trimmed."""
        return Document("", [self.section()], {"panel": self.to_dict()}, self.table())

    def section(self) -> Section:
        """The panel as a part of a report."""
        return Section("From strict to lenient", table=self.table(), foot=one_per_line(self.notes), chart=self.chart())

    def to_dict(self) -> dict[str, object]:
        """Plain numbers by the way of matching."""
        return {
            level: {"documents": mean.to_dict(), "pooled": pooled.to_dict()}
            for level, mean, pooled in zip(self.levels, self.documents, self.pooled, strict=True)
        }


@takes_data
def span_panel(
    data: IntoAnnotations, *others: Values, gold: Annotator | None = None, **reading: Unpack[ReadingOptions]
) -> Panel:
    """Span F1 under exact matching, without whitespace, without punctuation, a token off, overlapping, and by label.

    Rows that need the text of documents, or its tokens, are left out where the study has none, which the notes say.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        gold: The annotator whom all others are compared with.

    Returns:
        A `Panel`: a row for each way of matching, the strictest first.

    Examples:
        >>> import interagree as ia
        >>> spans = [("d", "ann", ((0, 3, "PER"),)), ("d", "bo", ((0, 4, "PER"),))]
        >>> ia.spans.span_panel(ia.Annotations.of(spans, kind="spans")).table()["F1"]
        [0.0, 1.0, 1.0, 1.0]
    """
    study = known_annotators(as_annotations(data), "span_panel")
    levels, means, pooled = [], [], []
    for level, some, match in _levels(study):
        levels.append(level)
        means.append(span_f1(some, match=match, gold=gold, average="documents"))
        pooled.append(span_f1(some, match=match, gold=gold))
    return Panel(tuple(levels), tuple(means), tuple(pooled), _notes(study))


def _has_text(study: Annotations) -> bool:
    documents = Documents.of(study)
    spans = study.packed("spans", who="span_panel")
    whole = (spans.begin >= 0) & (spans.begin == np.rint(spans.begin)) & (spans.end == np.rint(spans.end))
    return (
        documents.positions == "characters"
        and bool(whole.all())
        and all(documents.text(code) is not None for code in set(study.item.tolist()))
    )


def _levels(study: Annotations) -> Iterator[tuple[str, Annotations, str]]:
    if not _has_text(study):
        unit = "token" if Documents.of(study).positions == "tokens" else "position"
        yield "exact", study, "exact"
        yield f"one {unit} off", study, "within:1"
        yield "overlap", study, "overlap"
        yield "label only", study, "label"
        return
    bare = trimmed(study, "whitespace")
    yield "exact", study, "exact"
    yield "whitespace trimmed", bare, "exact"
    yield "punctuation trimmed", trimmed(study, "punctuation"), "exact"
    yield "one token off", in_tokens(bare), "within:1"
    yield "overlap", bare, "overlap"
    yield "label only", bare, "label"


def _notes(study: Annotations) -> tuple[str, ...]:
    if not _has_text(study):
        if Documents.of(study).positions == "tokens":
            return ("spans are of tokens, so there is nothing to trim",)
        if any(Documents.of(study).text(code) is not None for code in range(len(study.items))):
            return ("texts were not used: not every document has one, or positions are not whole numbers from 0 up",)
        return ("the texts of documents are not known, so nothing was trimmed and no token counted",)
    steps = trimmed(study, "punctuation").provenance.steps[len(study.provenance.steps) :]
    notes = ["one token off and overlap: whitespace trimmed", *(step.sentence for step in steps)]
    beyond = _beyond(study)
    if beyond:
        notes.append(
            f"{beyond:,} of the spans reach beyond the text of their document, which may be another version of it"
        )
    return tuple(notes)


def _beyond(study: Annotations) -> int:
    documents, spans = Documents.of(study), study.packed("spans", who="span_panel")
    long = np.array([len(documents.text(code) or "") for code in range(len(study.items))])
    laid = SpanTable.of(study, who="span_panel")
    return int(np.count_nonzero(spans.end[laid.place] > long[laid.item]))
