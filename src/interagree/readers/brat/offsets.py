"""Offsets, checked against the text that each line says it covers, and brought to the plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from interagree.arrays import Int64s
from interagree.data.provenance import counted
from interagree.errors import FormatError
from interagree.gather.gatherer import Gatherer
from interagree.gather.offsets import UTF16, Fit, fit, is_basic, settled, utf16_to_points, ways_told
from interagree.readers.brat.standoff import Standoff, StandoffSpan

BLANKS = str.maketrans("\n\r\t", "   ")  # what brat writes as a space in covered text


def plain(raw: str) -> str:
    """A text without byte order mark and carriage returns."""
    return raw.removeprefix("\ufeff").replace("\r\n", "\n")


def fitted_spans(file: Standoff, raw: str, gathered: Gatherer) -> dict[str, StandoffSpan]:
    """The spans with offsets into the plain text, after the reading of the file that fits what they cover."""
    if _fits_as_it_is(raw, file.spans.values()):
        return file.spans
    checked = [(*span.pieces[0], span.covered) for span in file.spans.values() if _is_checked(span)]
    candidates = list(dict.fromkeys([raw, raw.removeprefix("\ufeff"), raw.replace("\r\n", "\n"), plain(raw)]))
    fits = [fit(text.translate(BLANKS), checked) for text in candidates]
    best = max(range(len(fits)), key=lambda at: fits[at].either)
    text, fitting = candidates[best], fits[best]
    if fitting.unit is None:
        span = next(filter(_is_checked, file.spans.values()))
        start, end = span.pieces[0]
        question = _inclusive(text, span) or "is the .txt beside it another text?"
        raise FormatError(
            f"{file.where(span.line)}: the text from {start} to {end} is {text[start:end][:40]!r}, not "
            f"{span.covered[:40]!r}, and no other span fits either; {question}"
        )
    if best:
        gathered.count("taken", ".ann file", "fitted to the text with other line ends or byte order mark")
    _notice(file, text, fitting, gathered)
    ways = _ways(file, text)
    if UTF16 in ways:
        mixed = "partly counted in UTF-16 units, each span taken as its text shows"
        all_ = "counted in UTF-16 units, brought to characters"
        gathered.count("taken", ".ann file", all_ if set(ways) == {UTF16} else mixed)
    moved = {way: _moves(text, utf16=way == UTF16) for way in set(ways)}
    return {id_: _moved(file, span, moved[way]) for (id_, span), way in zip(file.spans.items(), ways, strict=True)}


def _fits_as_it_is(raw: str, spans: Iterable[StandoffSpan]) -> bool:
    """Whether a text can be counted in one way only, and every span covers what it says."""
    if "\r" in raw or raw.startswith("\ufeff") or not is_basic(raw):
        return False
    text = raw.translate(BLANKS)
    return all(
        max(end for _, end in span.pieces) <= len(text)
        and (not _is_checked(span) or text[span.pieces[0][0] : span.pieces[0][1]] == span.covered)
        for span in spans
    )


def _is_checked(span: StandoffSpan) -> bool:
    return len(span.pieces) == 1 and bool(span.covered)


def _inclusive(text: str, span: StandoffSpan) -> str:
    """A question, where a span would fit if it went one character further."""
    start, end = span.pieces[0]
    if text.translate(BLANKS)[start : end + 1] != span.covered:
        return ""
    return "are ends inclusive here? brat's are not: add 1 to every end"


def _ways(file: Standoff, text: str) -> list[str]:
    """What the offsets of each span count."""
    spans = [
        (span.pieces[0][0], span.pieces[-1][1], span.covered if _is_checked(span) else None)
        for span in file.spans.values()
    ]
    return settled(ways_told(text.translate(BLANKS), spans))


def _notice(file: Standoff, text: str, fitting: Fit, gathered: Gatherer) -> None:
    if not fitting.mismatches:
        return
    spans, blank = filter(_is_checked, file.spans.values()), text.translate(BLANKS)
    odd = next(span for span in spans if not fit(blank, [(*span.pieces[0], span.covered)]).either)
    inclusive = f" ({question})" if (question := _inclusive(text, odd)) else ""
    wrong = f"the text of {counted(fitting.mismatches, 'span')} is another than the file says"
    sentence = f"{wrong}, as in {file.where(odd.line)}{inclusive}"
    gathered.note("noticed", sentence, fitting.mismatches)


def _moves(text: str, *, utf16: bool) -> Int64s:
    """For each offset into a text as it was counted, the offset into the plain text."""
    drop = np.zeros(len(text) + 1, dtype=np.int64)
    if text.startswith("\ufeff"):
        drop[0] = 1
    if "\r\n" in text:
        drop[[match.start() for match in re.finditer("\r\n", text)]] = 1
    moved = np.arange(len(text) + 1) - (np.cumsum(drop) - drop)
    return moved[utf16_to_points(text)] if utf16 else moved


def _moved(file: Standoff, span: StandoffSpan, moved: Int64s) -> StandoffSpan:
    reach = max(end for _, end in span.pieces)
    if reach >= len(moved):
        raise FormatError(
            f"{file.where(span.line)}: a span reaches to {reach}, and the text has "
            f"{len(moved) - 1} characters; is the .txt beside it another text?"
        )
    return span._replace(pieces=tuple((int(moved[start]), int(moved[end])) for start, end in span.pieces))
