"""Places in dialogues and in HTML, as offsets into one text.

A dialogue is a list of paragraphs; a region states the paragraphs, and the offsets in them, where it starts and ends.
Its place here is that in the paragraphs one below the other, each on a line of its own.  A region of HTML states paths
to elements, and in newer versions offsets into the text that a browser shows, which count here.  Without these it is
found by the text that it covers, if that occurs once; not where other regions show that the browser's text is another
one than that found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html.parser import HTMLParser
from typing import NamedTuple

from interagree.gather.offsets import utf16_to_points
from interagree.readers.label_studio.regions import TaskAnnotation

GLOBAL = "globalOffsets"
BY_TEXT = "by_text"  # marks a place that was found by its text
HIDDEN = ("script", "style", "head", "template")


class _Dialogue(NamedTuple):
    """The paragraphs of a task under one entry of its data."""

    entry: str
    paragraphs: Sequence[str]

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)

    def offset(self, paragraph: int, inner: int) -> int:
        """An offset in a paragraph as one in the text."""
        return sum(len(before) + 1 for before in self.paragraphs[:paragraph]) + inner


def place_of(value: Mapping[str, object], annotation: TaskAnnotation) -> Mapping[str, object] | None:
    """What a result says, its place as offsets into one text; None where that cannot be told."""
    start, end = value.get("start"), value.get("end")
    if not isinstance(start, str) or not isinstance(end, str):
        return value
    if start.isdecimal() and end.isdecimal() and max(len(start), len(end)) < 10:  # the numbers of paragraphs
        return _in_dialogue(value, int(start), int(end), annotation)
    return value if isinstance(value.get(GLOBAL), dict) else _by_text(value, annotation.data)


def as_shown(value: Mapping[str, object], data: Mapping[str, object]) -> bool:
    """Whether the offsets of a region of HTML are those into the text as it is found here."""
    offsets, text = value.get(GLOBAL), value.get("text")
    if not isinstance(offsets, dict) or not isinstance(text, str):
        return False
    start, end = offsets.get("start"), offsets.get("end")
    whole = isinstance(start, int) and isinstance(end, int)
    return whole and any(shown_text(entry)[start:end] == text for entry in data.values() if isinstance(entry, str))


def _in_dialogue(
    value: Mapping[str, object], first: int, last: int, annotation: TaskAnnotation
) -> Mapping[str, object] | None:
    inner = value.get("startOffset"), value.get("endOffset")
    covered = value.get("text")
    if not isinstance(inner[0], int) or not isinstance(inner[1], int):
        return None
    known = [dialogue for dialogue in _dialogues(annotation.data) if last < len(dialogue.paragraphs)]
    placed = [(dialogue, *_ends(dialogue, (first, inner[0]), (last, inner[1]), covered)) for dialogue in known]
    fitting = [place for place in placed if place[3]] or ([] if len(placed) > 1 else placed)
    if not fitting:  # the paragraphs are not in the file, or it cannot be told which they are
        return value if not placed and isinstance(value.get(GLOBAL), dict) else None
    dialogue, start, end, fits = fitting[0]
    if end < start:
        return None
    annotation.dialogues[dialogue.entry] = dialogue.text
    text = dialogue.text[start:end] if fits else covered
    return {
        **{name: entry for name, entry in value.items() if name != GLOBAL},
        "start": start,
        "end": end,
        "text": text,
    }


def _ends(dialogue: _Dialogue, start: tuple[int, int], end: tuple[int, int], covered: object) -> tuple[int, int, bool]:
    """The place of a region in a dialogue, and whether it covers the text that it should."""
    ends = dialogue.offset(*start), dialogue.offset(*end)
    bare = "".join(covered.replace("\\n", "\n").split()) if isinstance(covered, str) else None
    if bare is None or "".join(dialogue.text[slice(*ends)].split()) == bare:
        return *ends, bare is not None
    wide = [dialogue.offset(at, _of_utf16(dialogue.paragraphs[at], inner)) for at, inner in (start, end)]
    if "".join(dialogue.text[slice(*wide)].split()) == bare:
        return wide[0], wide[1], True
    return *ends, False


def _of_utf16(text: str, offset: int) -> int:
    points = utf16_to_points(text)
    return int(points[min(max(offset, 0), len(points) - 1)])


def _dialogues(data: Mapping[str, object]) -> Iterator[_Dialogue]:
    """The lists of paragraphs that a task shows; the text of a paragraph is its entry 'text', else any of its texts."""
    for entry, shown in data.items():
        listed = shown if isinstance(shown, list) else []
        rows = [row for row in listed if isinstance(row, dict)]
        if not rows or len(rows) < len(listed):
            continue
        keys = [key for key in rows[0] if all(isinstance(row.get(key), str) for row in rows)]
        for key in ["text"] if "text" in keys else keys:
            yield _Dialogue(entry, [row[key] for row in rows])


def _by_text(value: Mapping[str, object], data: Mapping[str, object]) -> Mapping[str, object] | None:
    text = value.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    pages = [shown_text(entry) for entry in data.values() if isinstance(entry, str) and "<" in entry]
    places = [(page, at) for page in pages for at in _places(page, text)]
    if len(places) != 1:
        return None
    start = places[0][1]
    return {**value, GLOBAL: {"start": start, "end": start + len(text)}, BY_TEXT: True}


def _places(page: str, text: str) -> Iterator[int]:
    at = page.find(text)
    while at >= 0:
        yield at
        at = page.find(text, at + 1)


class _Text(HTMLParser):
    """The text of a page, as far as it is shown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 -- the name is the parser's
        self._hidden += tag in HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in HIDDEN and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


@lru_cache(maxsize=64)
def shown_text(html: str) -> str:
    """The text of a page without its tags."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts)
