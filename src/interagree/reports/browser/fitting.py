"""Making items fit on a page: those worth least go first, then what lies far from any difference in long texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from interagree.data.types import Json
from interagree.reports.browser.cutting import PLACES, cut

FEW = 50  # items that stay before texts are cut
WIDEST, NARROWEST = 8192, 64  # characters that are kept on either side of a difference, at first and at last
SENTENCE = 200  # bytes that a longer `why` takes up
HIDDEN = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def size_of(entry: object) -> int:
    """How many bytes an entry takes up in a page, where signs of markup are spelled out."""
    return len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).translate(HIDDEN).encode())


def fitted(data: Mapping[str, Any], limit: int) -> dict[str, Json]:
    """Data of a browser in no more than so many bytes, as many items and as much of their texts as possible.

    Items are left out while there are more than a few, those worth least first; then texts are cut around what
    annotators differ on; then the remaining items are left out, too.  ``why`` says what was done.

    Args:
        data: What `sections` puts into ``Section.browser``.
        limit: How many bytes it may take up.

    Returns:
        The same where it fits, and else what fits.
    """
    items: list[dict[str, Any]] = list(data["items"])
    if size_of(data) <= limit:
        return dict(data)
    room = limit - size_of({**data, "items": []}) - SENTENCE
    sizes = [size_of(item) + 1 for item in items]
    kept = _first(sizes, room)
    if kept >= min(FEW, len(items)):
        return _with(data, items[:kept], 0)
    few = items[:FEW]
    context = WIDEST
    while context >= NARROWEST:
        shorter = [cut(item, str(data["view"]), context) for item in few]
        kept = _first([size_of(item) + 1 for item in shorter], room)
        if kept == len(shorter):
            return _with(data, shorter, context)
        context //= 2
    return _with(data, shorter[:kept], NARROWEST)


def the_first(shown: int, total: int) -> str:
    """Which items are shown, where not all are."""
    if not shown:
        return f"there is no room for any of the {total:,} items with disagreement"
    return "" if shown == total else f"the {shown:,} worth most of {total:,} items with disagreement"


def _first(sizes: Sequence[int], room: int) -> int:
    return sum(total <= room for total in accumulate(sizes))


def _with(data: Mapping[str, Any], items: Sequence[dict[str, Any]], context: int) -> dict[str, Json]:
    why = the_first(len(items), data["total"])
    if any(item.get("cut") for item in items):
        near = f"{context:,} characters on either side of what differs"
        left = near if data["view"] in PLACES else f"their first {2 * context:,} characters"
        why += f"{'; ' if why else ''}long texts are cut to {left}"
    return {**data, "shown": len(items), "why": why, "items": list(items)}
