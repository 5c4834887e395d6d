"""The boundary-sensitivity panel: the same spans under ever more lenient matching, side by side.

How much annotators agree on spans depends on what counts as the same span, and a single figure hides that.  Where much
is gained by taking whitespace from the ends of spans, the guidelines or the tool are to be mended, not the annotators.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from interagree.data import Annotations, ReadingOptions, as_annotations
from interagree.declare import takes_data
from interagree.documents.texts import Documents, Laid, in_tokens, trimmed
from interagree.measures.span_f1 import span_f1
from interagree.results.agreement import Agreement
from interagree.stats.pairs.pair_sums import known_annotators
from interagree.tables import Table


@dataclass(frozen=True)
class Panel:
    """Span F1 of one study under several ways to match."""

    levels: tuple[str, ...]
    documents: tuple[Agreement, ...]  # means over documents and pairs of annotators
    pooled: tuple[Agreement, ...]
    notes: tuple[str, ...]

    def table(self) -> Table:
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
        return Table.of(rows, names=("matching", "F1", "low", "high", "gain", "pooled"), foot=foot)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers by the way of matching."""
        return {
            level: {"documents": mean.to_dict(), "pooled": pooled.to_dict()}
            for level, mean, pooled in zip(self.levels, self.documents, self.pooled, strict=True)
        }

    def __str__(self) -> str:
        return "\n".join([str(self.table()), *self.notes])


@takes_data
def span_panel(
    data: Any, *others: Any, gold: Hashable | None = None, **reading: Unpack[ReadingOptions]
) -> Panel:
    """Span F1 under exact matching, without whitespace, without punctuation, a token off, overlapping, and by label.

    Rows that need the text of documents, or its tokens, are left out where the study has none, which the notes say.

    Args:
        data: A study whose values are spans, or anything `Annotations.of` takes.
        gold: The annotator whom all others are compared with.
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
            return (
                "texts were not used: not every document has one, or positions are not whole numbers from 0 up",
            )
        return ("the texts of documents are not known, so nothing was trimmed and no token counted",)
    steps = trimmed(study, "punctuation").provenance.steps[len(study.provenance.steps) :]
    said = ["one token off and overlap: whitespace trimmed", *(step.sentence for step in steps)]
    beyond = _beyond(study)
    if beyond:
        said.append(
            f"{beyond:,} of the spans reach beyond the text of their document, which may be another version of it"
        )
    return tuple(said)


def _beyond(study: Annotations) -> int:
    """How many spans end after their text does."""
    documents, spans = Documents.of(study), study.packed("spans", who="span_panel")
    long = np.array([len(documents.text(code) or "") for code in range(len(study.items))])
    laid = Laid.of(study, who="span_panel")
    return int(np.count_nonzero(spans.end[laid.place] > long[laid.item]))
