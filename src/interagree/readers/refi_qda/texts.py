"""Positions of selections, fitted to the text by what selections say they cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from interagree.data.provenance import counted
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.readers.refi_qda.project import CodedSource, Selection

LEAST = 4  # letters of a name that tell what a selection covers
LONG = 40  # letters from which on a name may be cut off


class Way(NamedTuple):
    """How positions are counted: whether ends include their character, and line ends are two."""

    inclusive: bool
    two: bool


def fitted(source: CodedSource, ends: str | None, gathered: Gatherer) -> tuple[str | None, list[Selection]]:
    """The text of a source with one character for each line end, and its selections in characters of it.

    Args:
        source: The source.
        ends: Whether ends are "exclusive" or "inclusive", where the caller says it.
        gathered: What is told what was taken.
    """
    raw, selections = source.text, source.selections
    if raw is None or not raw.strip():
        if selections:
            gathered.note("noticed", f"the text of {source.name!r} is not in the project: positions not checked")
        return None, [selection._replace(end=selection.end + (ends == "inclusive")) for selection in selections]
    inclusive = {"exclusive": (False,), "inclusive": (True,)}.get(ends or "", (False, True))
    ways = [Way(last, two) for two in ((False, True) if "\r\n" in raw else (False,)) for last in inclusive]
    plain = raw.replace("\r\n", "\n").replace("\r", "\n")
    fits = {way: _fits(raw if way.two else plain, selections, way) for way in ways}
    best = max(ways, key=lambda way: fits[way])  # of equals the first: as the standard has it
    shown = f", as {counted(fits[best], 'name')} of selections of {source.name!r} show"
    if best.inclusive and ends is None:
        gathered.note("taken", f"ends of selections include their last character{shown}")
    if best.two:
        gathered.note("taken", f"positions count line ends as two characters{shown}")
    if selections and not fits[best] and ends is None:
        opposite = ReaderHint("ends", "inclusive")
        sentence = "ends of selections taken to be behind their last character, which nothing shows ("
        gathered.note("assumed", Advice.of(sentence, opposite, " takes the opposite)"))
    if selections and not fits[best] and "\r\n" in raw:
        gathered.note("assumed", "positions taken to count line ends as one character, which nothing shows")
    text = raw if best.two else plain
    return plain, [_moved(selection, text, best, source.where) for selection in selections]


def _fits(text: str, selections: Sequence[Selection], way: Way) -> int:
    """How many selections cover what their names begin with."""
    fitting = 0
    for selection in selections:
        name = _squeezed(selection.name.rstrip("….").strip())
        covered = _squeezed(text[selection.start : selection.end + way.inclusive])
        cut = selection.name.endswith(("…", "...")) or len(name) >= LONG
        fitting += len(name) >= LEAST and (covered == name or (cut and covered.startswith(name)))
    return fitting


def _squeezed(text: str) -> str:
    """A text with single blanks, as names of selections have it."""
    return " ".join(text.split())


def _moved(selection: Selection, text: str, way: Way, where: str) -> Selection:
    start, end = selection.start, selection.end + way.inclusive
    if end > len(text):
        raise FormatError(
            f"{where}: a selection from {selection.start} to {selection.end} lies behind the end of the text, "
            f"which has {counted(len(text), 'character')}"
        )
    if way.two:
        start, end = start - text.count("\r\n", 0, start), end - text.count("\r\n", 0, end)
    return selection._replace(start=start, end=end)
