"""The elements of a JSON list one by one, so that a file of any size takes the memory of a few of them.

A window of text slides over the file: the standard library's decoder takes one element after the other from its
beginning, and where it comes to the end of the window, more text is read.  What is refused of a file that is read at
once is refused here, too: keys that occur twice with two values, numbers of too many digits, lists inside lists inside
lists, zeros, bytes that are not UTF-8, and anything behind the end of the list.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from math import ceil

from interagree.data.files import PACKED, Source, unique_keys, unreadable
from interagree.data.types import Json
from interagree.data.values import TOO_DEEP
from interagree.errors import FormatError
from interagree.progress import steps

CHUNK = 1 << 22  # bytes that are read at once
CUT = 16  # signs before the end of the window in which a mistake may be that the text is cut there
OPEN = 3  # signs before the end in which a number may go on, as in 1.5e+
SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder(object_pairs_hook=unique_keys)


def json_elements(source: Source) -> Iterator[Json]:
    """The elements of the list that a JSON file is; of a file that is not a list, what it holds."""
    window = _Window(source)
    if window.next() != "[":
        yield source.json()
        return
    window.at += 1
    if window.next() == "]":
        window.at += 1
    else:
        while True:
            yield window.element()
            sign = window.next()
            window.at += 1
            if sign == "]":
                break
            if sign != ",":
                raise window.wrong("Expecting ',' delimiter", window.at - 1)
            window.next()
    if window.next():
        raise window.wrong("Extra data", window.at)


class _Window:
    """Some text of a file, and how far it is read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text, self.at = "", 0
        self.line, self.column = 1, 1  # of the beginning of the window
        self._texts = self._decoded()

    def next(self) -> str:
        """The next sign that is not a space, which stands at ``at`` then; empty at the end of the file."""
        while True:
            space = SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text) or not self._more():
                return self.text[self.at : self.at + 1]

    def element(self) -> Json:
        """The element at ``at``, which stands behind it then."""
        while True:
            made: Json
            try:
                made, end = DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self.text) - CUT or error.msg.startswith("Unterminated string")
                if not cut or not self._more():
                    raise self.wrong(error.msg, error.pos) from None
            except FormatError as error:
                raise error.at(self.source.name) from None
            except ValueError as error:  # more digits than Python takes
                raise FormatError(f"{self.source.name}: expected numbers with fewer digits ({error})") from None
            except RecursionError:
                raise FormatError(f"{self.source.name} holds {TOO_DEEP}") from None
            else:
                if end < len(self.text) - OPEN or not self._more():
                    self.at = end
                    return made

    def wrong(self, message: str, at: int) -> FormatError:
        """What is wrong with the JSON at a place of the window."""
        line, column = self._place(at)
        return FormatError(f"{self.source.name}, line {line}: this is not JSON ({message}, column {column})")

    def _place(self, at: int) -> tuple[int, int]:
        breaks = self.text.count("\n", 0, at)
        column = at - self.text.rindex("\n", 0, at) if breaks else self.column + at
        return self.line + breaks, column

    def _more(self) -> bool:
        """Let go of what is read, and take in at least as much again as is left; False where there is no more."""
        text = next(self._texts, "")
        if not text:
            return False
        self.line, self.column = self._place(self.at)
        parts, self.at = [self.text[self.at :]], 0
        wanted = len(parts[0])
        while text:
            parts.append(text)
            wanted -= len(text)
            text = next(self._texts, "") if wanted > 0 else ""
        self.text = "".join(parts)
        return True

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8")()
        line, first = 1, True
        for part, final in self._parts():
            try:
                text = decoder.decode(part, final)
            except UnicodeDecodeError as error:
                line += error.object.count(b"\n", 0, error.start)
                raise FormatError(
                    f"{self.source.name}, line {line}: expected text in utf-8, found the byte "
                    f"{error.object[error.start]:#04x}; save the file as UTF-8"
                ) from None
            if "\0" in text:
                raise self.source.with_zero(line + text.count("\n", 0, text.index("\0")))
            line += text.count("\n")
            text, first = (text.removeprefix("\ufeff"), False) if first and text else (text, first)
            if text:
                yield text

    def _parts(self) -> Iterator[tuple[bytes, bool]]:
        """The bytes of the file, part by part, and whether it is the last."""
        with self.source.open() as stream, unreadable(self.source.name):
            packed = self.source.path is not None and self.source.path.suffix.lower() in PACKED  # of unknown length
            total = 0 if packed else ceil(self.source.size / CHUNK)
            for part in steps(iter(lambda: stream.read(CHUNK), b""), f"reading {self.source.name}", total=total):
                yield part, False
        yield b"", True
