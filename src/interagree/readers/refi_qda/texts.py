"""Positions of selections, fitted to the text by what selections say they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from interagree.data.provenance import counted
from interagree.errors import Advice, FormatError, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.readers.refi_qda.project import CodedSource, Selection

LEAST = 4  # letters of a name that tell what a selection covers


class Way(NamedTuple):
    """How positions are counted: whether ends include their character, and line ends are two."""

    inclusive: bool
    two: bool


def fitted(source: CodedSource, ends: str | None, gathered: Gatherer) -> list[Selection]:
    """The selections of a source, in characters of its text, which gets one character for each line end.

    Args:
        source: The source.
        ends: Whether ends are "exclusive" or "inclusive", where the caller says it.
        gathered: What is told what was taken.
    """
    including = {"exclusive": (False,), "inclusive": (True,)}.get(ends or "", (False, True))
    raw = source.text
    if raw is None or not raw.strip():
        source.text = None
        if source.selections:
            gathered.note("noticed", f"the text of {source.name!r} is not in the project: positions not checked")
        return [replace(at, end=at.end + (ends == "inclusive")) for at in source.selections]
    line_ends = (False, True) if "\r\n" in raw else (False,)
    ways = [Way(inclusive, two) for two in line_ends for inclusive in including]
    plain = raw.replace("\r\n", "\n").replace("\r", "\n")
    fits = {way: _fits(raw if way.two else plain, source.selections, way) for way in ways}
    best = max(ways, key=lambda way: fits[way])  # of equals the first: as the standard has it
    _say(source, gathered, best, fits[best], told=ends is not None, two="\r\n" in raw)
    text = raw if best.two else plain
    source.text = plain
    return [_moved(source, selection, text, best) for selection in source.selections]


def _fits(text: str, selections: Sequence[Selection], way: Way) -> int:
    """How many selections cover what their names begin with."""
    fitting = 0
    for selection in selections:
        name = _squeezed(selection.name.rstrip("….").strip())
        if len(name) < LEAST:
            continue
        there = _squeezed(text[selection.start : selection.end + way.inclusive])
        complete = not selection.name.endswith(("…", "..."))
        fitting += there == name or (there.startswith(name) and (not complete or len(name) >= LEAST * 10))
    return fitting


def _squeezed(text: str) -> str:
    """A text with single blanks, as names of selections have it."""
    return " ".join(text.split())


def _say(source: CodedSource, gathered: Gatherer, way: Way, fits: int, *, told: bool, two: bool) -> None:
    """Say how positions were taken, where it is not as everybody would."""
    shown = f", as {counted(fits, 'name')} of selections of {source.name!r} show"
    if way.inclusive and not told:
        gathered.note("taken", f"ends of selections include their last character{shown}")
    if way.two:
        gathered.note("taken", f"positions count line ends as two characters{shown}")
    if fits or not source.selections:
        return
    if not told:
        inclusive = ReaderHint("ends", "inclusive")
        sentence = "ends of selections taken to be behind their last character, which nothing shows ("
        gathered.note("assumed", Advice.of(sentence, inclusive, " takes the opposite)"))
    if two:
        gathered.note("assumed", "positions taken to count line ends as one character, which nothing shows")


def _moved(source: CodedSource, selection: Selection, text: str, way: Way) -> Selection:
    start, end = selection.start, selection.end + way.inclusive
    if end > len(text):
        raise FormatError(
            f"{source.where}: a selection from {selection.start} to {selection.end} lies behind the end of the text, "
            f"which has {counted(len(text), 'character')}"
        )
    if way.two:
        start, end = start - text.count("\r\n", 0, start), end - text.count("\r\n", 0, end)
    return replace(selection, start=start, end=end)
