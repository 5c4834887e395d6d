"""Texts cut around what annotators differ on, with positions that follow.

Offsets count UTF-16 units, and texts are cut where a word ends, or at least a character.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

GAP = " […] "
WORD = 16  # characters up to which what is kept is made longer to end with a word
PLACES = {"marks": ((0, 1),), "relations": ((0, 1), (2, 3))}  # which entries of a part are positions in the text


class KeptText:
    """What is kept of a text: stretches with gaps between them."""

    def __init__(self, text: str, around: Sequence[tuple[int, int]]) -> None:
        self.units = text.encode("utf-16-le")
        self.length = len(self.units) // 2
        self.kept: list[tuple[int, int]] = []
        for begin, end in around:
            low, high = self.edge(begin, -1), self.edge(end, 1)
            if self.kept and low <= self.kept[-1][1] + len(GAP):
                self.kept[-1] = self.kept[-1][0], max(high, self.kept[-1][1])
            else:
                self.kept.append((low, high))
        first = len(GAP.lstrip()) if self.kept[0][0] else 0
        self.starts = [*accumulate((end - begin + len(GAP) for begin, end in self.kept), initial=first)]

    @property
    def shorter(self) -> bool:
        """Whether anything is gained."""
        return sum(end - begin for begin, end in self.kept) + len(GAP) * len(self.kept) < self.length

    def text(self) -> str:
        """What is kept, with a sign for each gap."""
        pieces = [self.units[2 * begin : 2 * end].decode("utf-16-le", "replace") for begin, end in self.kept]
        before = GAP.lstrip() if self.kept[0][0] else ""
        return before + GAP.join(pieces) + (GAP.rstrip() if self.kept[-1][1] < self.length else "")

    def moved(self, at: int) -> int:
        """Where a position lies in what is kept; one in a gap lies where the sign for it begins."""
        for (begin, end), start in zip(self.kept, self.starts, strict=False):
            if at < begin:
                return max(start - len(GAP), 0)
            if at <= end:
                return start + at - begin
        return self.starts[-1] - len(GAP)

    def edge(self, at: int, way: int) -> int:
        """The next place in a direction where a word ends, or, if that is far, a character."""
        at = min(max(at, 0), self.length)
        for place in range(at, at + way * WORD, way):
            if place <= 0 or place >= self.length:
                return min(max(place, 0), self.length)
            if self.units[2 * place - 2 : 2 * place].decode("utf-16-le", "replace").isspace():
                return place
        second_half = at < self.length and 0xDC <= self.units[2 * at + 1] <= 0xDF
        return at + way if second_half else at


def cut(item: dict[str, Any], view: str, context: int) -> dict[str, Any]:
    """An item with no more than so many characters of its text on either side of what differs."""
    text = item.get("text")
    if text is None or view == "arcs" or len(text) <= 2 * context:
        return item
    around = [(at - context, at + context) for at in _differences(item, view)] if view in PLACES else []
    kept = KeptText(text, around or [(0, 2 * context)])
    if not kept.shorter:
        return item
    shorter = {**item, "text": kept.text(), "cut": True}
    if view not in PLACES:
        return shorter
    answers = [[who, _moved(value, view, kept)] for who, value in item["answers"]]
    return {**shorter, "answers": answers, "suggested": _moved(item["suggested"], view, kept)}


def _moved(value: list[list[Any]] | None, view: str, kept: KeptText) -> list[list[Any]] | None:
    if value is None:
        return None
    moved = (_moved_part(part, view, kept) for part in value)
    return [part for part in moved if all(part[low] < part[high] for low, high in PLACES[view])]


def _moved_part(part: list[Any], view: str, kept: KeptText) -> list[Any]:
    places = {at for pair in PLACES[view] for at in pair}
    moved = [kept.moved(entry) if at in places else entry for at, entry in enumerate(part)]
    if view == "marks" and len(part) > 3:
        pieces = [[kept.moved(low), kept.moved(high)] for low, high in part[3]]
        moved[3] = [piece for piece in pieces if piece[0] < piece[1]]
    return moved


def _differences(item: Mapping[str, Any], view: str) -> list[int]:
    """The positions of all parts that not all annotators gave."""
    often = Counter(json.dumps(part) for _, value in item["answers"] for part in value)
    differing = [json.loads(part) for part, count in often.items() if count < len(item["answers"])]
    return sorted({part[at] for part in differing for pair in PLACES[view] for at in pair})
