"""What was annotated, and values as a person reads them.

The text of the items is a column that somebody named; else one whose name says so (text, sentence, tweet, …); else one
that holds long words with spaces between them.  It must be the same throughout an item: what differs between the
annotators of an item is a comment of theirs.  Few words that several items share name a group of items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from interagree.data import Annotations
from interagree.data.privacy import CALLED, is_masked
from interagree.errors import visible
from interagree.kinds import Kind
from interagree.people.columns import column
from interagree.tables import cell

REMARKED = re.compile(r"comment|note|remark|reason|rationale|explanation|feedback", re.IGNORECASE)
REMARKS = re.compile(rf"{REMARKED.pattern}|url|link|path|date|time", re.IGNORECASE)  # columns that are not the text
LOOKED_AT = 100  # items by which a column is judged
SHARED = 40  # letters below which an entry that several items share is not their text
WORDS = 12  # letters that a text has at least on average, where its column is not called so
LONGEST = 240  # letters of a text that are shown
MOST = 6  # annotators who are named beside a value


def text_column(study: Annotations, named: str | None = None) -> str | None:
    """The column that holds the text of the items; None where there is none."""
    if named is not None:
        column(study, named, "of texts")
        return named
    best: tuple[float, str] | None = None
    for name in study.attributes:
        worth = _like_text(study, str(name))
        if worth > 0 and (best is None or worth > best[0]):
            best = worth, str(name)
    return None if best is None else best[1]


def _like_text(study: Annotations, name: str) -> float:
    """How much a column looks like the text of the items; 0 where it does not."""
    rows = np.flatnonzero(study.item < LOOKED_AT)[: 10 * LOOKED_AT]
    entries = [study.attributes[name][row] for row in rows.tolist()]
    texts = [entry for entry in entries if isinstance(entry, str) and entry.strip()]
    if len(texts) < max(len(entries) / 2, 1):
        return 0.0
    of: dict[int, str] = {}
    for row, entry in zip(rows.tolist(), entries, strict=True):
        if isinstance(entry, str) and of.setdefault(int(study.item[row]), entry) != entry:
            return 0.0
    if all(map(is_masked, texts)):
        return 0.0
    length = sum(map(len, texts)) / len(texts)
    if length < SHARED and len(of) >= 2 * len(set(of.values())):
        return 0.0
    several_words = sum(" " in text.strip() for text in texts) / len(texts) > 0.5
    if CALLED.search(name) and (several_words or length >= 3) and not REMARKS.search(name):
        return 1e6 + length
    return length if several_words and length >= WORDS and not REMARKS.search(name) else 0.0


def worded(value: object, kind: Kind, text: str | None = None) -> str:
    """A value as a person reads it, spans with the words that they mark."""
    if isinstance(value, tuple | list | frozenset) and not value:
        return kind.nothing
    return cell(value) if kind.words is None else visible(kind.words(value, text))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text on one line, cut where it is long."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def of_several(names: Sequence[str]) -> str:
    """Annotators beside a value: all of them, or how many and the first."""
    shown = ", ".join(map(visible, names[:MOST]))
    return shown if len(names) <= MOST else f"{len(names):,} annotators ({shown}, …)"
