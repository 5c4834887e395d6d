"""Items to look through on a page: where annotators differ, who said what, those that tell most first.

`sections` makes a section for each question, whose ``browser`` is plain data that a page draws:

```
{"schema": 1, "question": "…", "kind": "spans", "view": "marks", "distance": "spans_tag",
 "annotators": ["…", …], "labels": ["…", …], "types": ["…", …],
 "total": 1234, "shown": 400, "why": "the 400 worth most of 1,234 items with disagreement",
 "items": [{"id": "…", "type": 0, "worth": 0.5, "disagreement": 1.2, "text": "…", "suggested": …, "where": "…",
            "size": [640, 480], "image": "…", "answers": [[0, …], …]}]}
```

Annotators, labels and types are named once, and elsewhere stand by their numbers.  What values are is said by the view
(`interagree.kinds._views`).  ``disagreement`` is relative to chance: 1 is as bad as chance.  It is null where it is
undefined, and so is ``suggested`` where nothing is; ``text``, ``where``, ``size`` and ``image`` are left out where they
are not known.  Parses have ``tokens`` beside their ``text``, the words of the sentence.  An item whose text was cut has
``"cut": true``.  Where values are objects in images, ``differences`` names the ways in which these may differ, and the
``differences`` of an item are the numbers of those that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interagree.data.images import IntoImages
from interagree.data.provenance import counted
from interagree.reports.browser.fitting import fitted, size_of
from interagree.reports.browser.items import MOST, DisputedItems
from interagree.reports.parts import Part
from interagree.results.document import Section, as_sentences

LIMIT = 2_400_000  # bytes of all items of a page; 3 MB are for the whole of it
TITLE = "Disagreements, one by one"

__all__ = ["LIMIT", "Items", "fitted", "sections"]


def sections(
    parts: Sequence[Part],
    *,
    texts: bool = True,
    images: IntoImages = False,
    beside: Path | None = None,
    most: int | None = None,
    limit: int = LIMIT,
) -> list[Section | None]:
    """The items with disagreement of each question, as many as the page has room for; None where there are none.

    Args:
        parts: The measured questions.
        texts: Whether what was annotated may be shown.
        images: Whether paths and addresses of images may be shown, or the folder in which the images are.
        beside: Where the page will be written.
        most: How many items of a question are shown at most.
        limit: How many bytes all of them take up at most.
    """
    most = MOST if most is None else min(most, MOST)
    questions = [DisputedItems.of(part, texts=texts, images=images, beside=beside, most=most) for part in parts]
    shares = iter(_shared([items for items in questions if items is not None], limit))
    return [None if items is None else _section(items, next(shares)) for items in questions]


def _shared(questions: Sequence[DisputedItems], limit: int) -> list[int]:
    """How many bytes each question may take up: what some do not need goes to the others."""
    shares = dict.fromkeys(range(len(questions)), limit // max(len(questions), 1))
    waiting = list(shares)
    left = limit
    while waiting:
        each = left // len(waiting)
        shares |= dict.fromkeys(waiting, each)
        done = [k for k in waiting if questions[k].complete_within(each)]
        if not done:
            break
        for k in done:
            shares[k] = size_of(questions[k].data())
            left -= shares[k]
        waiting = [k for k in waiting if k not in done]
    return [*shares.values()]


def _section(items: DisputedItems, limit: int) -> Section:
    data = fitted(items.data(), limit)
    why = str(data["why"])
    count = counted(items.total, "item")
    line = f"{why[:1].upper()}{why[1:]}." if why else f"All {count} with disagreement, those that tell most first."
    notes = as_sentences([*items.notes, *items.images.notes()], capital=True)
    return Section(items.part.prefix + TITLE, lines=[line], foot=notes, browser=data)
