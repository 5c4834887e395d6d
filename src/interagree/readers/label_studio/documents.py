"""Places in dialogues and in HTML, as offsets into one text.

A dialogue is a list of paragraphs; a region states the paragraphs, and the offsets in them, where it starts and ends.
Its place here is that in the paragraphs one below the other, each on a line of its own.  A region of HTML states paths
to elements, and in newer versions offsets into the text that a browser shows, which count here.  Without these it is
found by the text that it covers, if that occurs once; not where other regions show that the browser's text is another
one than that found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any, TypeAlias

from interagree.gather.offsets import utf16_to_points

GLOBAL = "globalOffsets"
BY_TEXT = "by_text"  # marks a place that was found by its text
HIDDEN = ("script", "style", "head", "template")
Place: TypeAlias = Mapping[str, Any]


def place_of(value: Place, data: Mapping[str, object], dialogues: dict[str, str]) -> Place | None:
    """What a result says, its place as offsets into one text; None where that cannot be told.

    Args:
        value: What the result says.
        data: What the task shows.
        dialogues: The text of each dialogue in which something lies is put here.
    """
    start, end = value.get("start"), value.get("end")
    if not isinstance(start, str) or not isinstance(end, str):
        return value
    if start.isdecimal() and end.isdecimal() and max(len(start), len(end)) < 10:  # the numbers of paragraphs
        return _in_dialogue(value, int(start), int(end), data, dialogues)
    if isinstance(value.get(GLOBAL), dict):
        return value
    text = value.get("text")
    pages = [shown_text(entry) for entry in data.values() if isinstance(entry, str) and "<" in entry]
    if not isinstance(text, str) or not text.strip() or sum(len(_places(page, text)) for page in pages) != 1:
        return None
    (at,) = (at for page in pages for at in _places(page, text))
    return {**value, GLOBAL: {"start": at, "end": at + len(text)}, BY_TEXT: True}


def as_shown(value: Place, data: Mapping[str, object]) -> bool:
    """Whether the offsets of a region of HTML are those into the text as it is found here."""
    offsets, text = value.get(GLOBAL), value.get("text")
    ends = slice(offsets.get("start"), offsets.get("end")) if isinstance(offsets, dict) else slice(None)
    whole = isinstance(ends.start, int) and isinstance(ends.stop, int)
    return whole and any(shown_text(entry)[ends] == text for entry in data.values() if isinstance(entry, str))


def _in_dialogue(
    value: Place, first: int, last: int, data: Mapping[str, object], dialogues: dict[str, str]
) -> Place | None:
    inner, covered = (value.get("startOffset"), value.get("endOffset")), value.get("text")
    if not isinstance(inner[0], int) or not isinstance(inner[1], int):
        return None
    bare = "".join(covered.replace("\\n", "\n").split()) if isinstance(covered, str) else None
    places: list[tuple[bool, str, str, int, int]] = []  # whether it fits, the entry, its text, start and end
    for entry, paragraphs in _dialogues(data):
        if max(first, last) < len(paragraphs):
            text, ends = "\n".join(paragraphs), ((first, inner[0]), (last, inner[1]))
            for offset_in in (_as_it_is, _of_utf16):
                before = (sum(len(part) + 1 for part in paragraphs[:at]) for at, _ in ends)
                start, end = (b + offset_in(paragraphs[at], n) for b, (at, n) in zip(before, ends, strict=True))
                places.append(("".join(text[start:end].split()) == bare, entry, text, start, end))
    if not places:  # the paragraphs are not in the file
        return value if isinstance(value.get(GLOBAL), dict) else None
    fitting = next((place for place in places if place[0]), places[0] if len(places) == 2 else None)
    if fitting is None or fitting[4] < fitting[3]:  # of several dialogues it cannot be told which
        return None
    fits, entry, text, start, end = fitting
    dialogues[entry] = text
    rest = {name: entry for name, entry in value.items() if name != GLOBAL}
    return {**rest, "start": start, "end": end, "text": text[start:end] if fits else covered}


def _as_it_is(_: str, offset: int) -> int:
    return offset


def _of_utf16(text: str, offset: int) -> int:
    points = utf16_to_points(text)
    return int(points[min(max(offset, 0), len(points) - 1)])


def _dialogues(data: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    """The lists of paragraphs that a task shows; the text of a paragraph is its entry 'text', else any of its texts."""
    for entry, shown in data.items():
        if not isinstance(shown, list) or not shown or not all(isinstance(row, dict) for row in shown):
            continue
        keys = [key for key in shown[0] if all(isinstance(row.get(key), str) for row in shown)]
        for key in ["text"] if "text" in keys else keys:
            yield entry, [row[key] for row in shown]


def _places(page: str, text: str) -> list[int]:
    return [at for at in range(len(page)) if page.startswith(text, at)] if text in page else []


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
