"""Files: where they lie, how they are packed and written, and what is wrong with them."""

from __future__ import annotations

import codecs
import importlib
import io
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from interagree.data.memory import cell_density, table_must_fit
from interagree.data.types import Json
from interagree.data.unpacking import CHUNK, Unpacked, zstd
from interagree.data.values import TOO_DEEP
from interagree.errors import (
    DataError,
    FormatError,
    Hint,
    KindError,
    ReaderHint,
    TooLarge,
    suggestion,
    without_password,
)

PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\x00"}
WITHIN = {**{magic: f"a file packed as {suffix}" for suffix, magic in PACKED.items()}, b"PK\x03\x04": "a zip archive"}
STDIN = "-"
ADDRESSES = ("sqlite:///", "postgresql://", "postgres://")
HEAD = 4096  # bytes that tell what a file is
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins as UTF-16 does
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
PIPED = 1 << 22  # bytes that are taken from a pipe at once
MOST = 1 << 30  # bytes that may come through a pipe; a larger table is read from a file
# Signs that no Western word has inside or in front: where they stand there, they are letters of another encoding.
AMONG_LETTERS = re.compile(r"[^\W\d_][£¤¥¦¶¯¹³¼½¾¿¡][^\W\d_]|(?<!\w)[£¦¶¯¹³][a-zà-ÿ]|(?<!\w)[¼½¾][a-zà-ÿ]{2}")
FOREIGN = 0.4  # share of letters beyond ASCII from which on a text is not in a Western language


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or what came in on standard input."""

    name: str  # as the user gave it
    path: Path | None
    content: bytes | None = None
    address: str | None = field(default=None, repr=False)  # of a database, with the password that it may hold

    @classmethod
    def of(cls, path: str | Path | Source) -> Source:
        """A path as a source; '-' is standard input.  What can be read once only, as a pipe, is read now."""
        if isinstance(path, Source):
            return path
        if is_address(path):
            return cls(without_password(str(path)), None, None, str(path))
        if str(path) == STDIN:
            return cls(STDIN, None, read_once(STDIN, lambda: _bounded(STDIN, sys.stdin.buffer)))
        file = Path(path)
        try:
            mode = file.stat().st_mode
        except FileNotFoundError:
            near = [other.name for other in file.parent.glob("*")] if file.parent.is_dir() else []
            raise DataError(f"there is no file {str(path)!r}.{suggestion(file.name, near)}") from None
        except (OSError, ValueError) as error:  # a name that no file can have, or a folder that may not be looked into
            raise DataError(f"{str(path)!r:.200} cannot be read: {_reason(error)}") from None
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
            with unreadable(str(path)):
                return cls(str(path), None, read_once(str(path), lambda: _of_pipe(file)))
        return cls(shown_path(file), file)

    def __str__(self) -> str:
        return self.name

    @property
    def suffix(self) -> str:
        """The ending that tells the format: '.csv' of 'labels.csv.gz'."""
        return "" if self.path is None else _unpacked(self.path).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without folder and endings."""
        return self.name if self.path is None else _unpacked(self.path).stem

    @property
    def size(self) -> int:
        """How many bytes there are, packed or not."""
        return len(self.content or b"") if self.path is None else self.path.stat().st_size

    def open(self) -> BinaryIO:
        """The bytes, unpacked."""
        if self.address is not None:
            raise DataError(f"{self.name} is a database and not a file; it is read by a query")
        with unreadable(self.name):
            stream: BinaryIO = io.BytesIO(self.content or b"") if self.path is None else self.path.open("rb")
            start = stream.read(HEAD)
            stream.seek(0)
        packing = next((suffix for suffix, magic in PACKED.items() if start.startswith(magic)), None)
        if packing is None:
            if self.path is not None and self.path.suffix.lower() in PACKED and not _is_text(start):
                stream.close()
                raise FormatError(
                    f"{self.name} ends in {self.path.suffix!r}, and what it holds is neither packed in that way nor "
                    "text; it is damaged, or was saved under a wrong name"
                )
            try:
                table_must_fit(self.name, self.size, self.size * cell_density(start))
            except TooLarge:
                stream.close()
                raise
            return stream
        return io.BufferedReader(Unpacked(self.name, stream, packing, self.size), CHUNK)

    def read(self) -> bytes:
        """All bytes, unpacked."""
        if self.path is not None and self.path.suffix.lower() not in PACKED:  # at once, as most files are small
            with unreadable(self.name):
                content = self.path.read_bytes()
            if not content.startswith(tuple(PACKED.values())):
                table_must_fit(self.name, len(content), len(content) * cell_density(content[:HEAD]))
                return content
        with self.open() as stream, unreadable(self.name):
            return stream.read()

    def text(self, encoding: str = "utf-8-sig") -> str:
        """The file as text."""
        content = self._unpacked_once()
        try:
            return self._without_zeros(decode(content, encoding))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"{self.name}, line {line}: expected text in {encoding.removesuffix('-sig')}, found the byte "
                f"{content[error.start]:#04x}; save the file as UTF-8"
            ) from None

    def _unpacked_once(self) -> bytes:
        """All bytes; an error where they are packed once more, or an archive of files, and so no text."""
        content = self.read()
        within = next((what for magic, what in WITHIN.items() if content.startswith(magic)), None)
        if within is not None and not _is_text(content[:HEAD]):
            workbook = Hint("format", "excel")
            or_read = f"; a workbook is read with {workbook}" if content.startswith(b"PK") else ""
            raise FormatError(
                f"{self.name} holds {within} and not text; unpack it first, and read the files that come out{or_read}",
                hints=[workbook],
            )
        return content

    def _without_zeros(self, text: str) -> str:
        """A text; an error where it holds zeros, which stand where a disk lost what was written."""
        at = text.find("\0")
        if at < 0:
            return text
        raise self.with_zero(text.count("\n", 0, at) + 1)

    def with_zero(self, line: int) -> FormatError:
        """The error for a text with a zero in it."""
        return FormatError(
            f"{self.name}, line {line}: expected text, found a zero byte, which no text has; the file is damaged, or "
            "not a text file"
        )

    def json(self) -> Json:
        """What a JSON file holds."""
        try:
            return parse_json(self.text())
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{self.name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
            ) from None
        except FormatError as error:
            raise error.at(self.name) from None

    def decoded(self, encoding: str | None = None) -> tuple[str, str | None]:
        """The file as text, and the encoding where it had to be assumed.

        A mark at the start tells UTF-8, UTF-16 and UTF-32, zeros tell UTF-16 without a mark, and text that is valid
        UTF-8 is UTF-8.  Anything else is taken for the encoding that Excel writes in Western Europe, unless too many of
        its letters would lie beyond ASCII.
        """
        if encoding is not None:
            return self.text(encoding), None
        content = self._unpacked_once()
        marked = next((name for mark, name in MARKS.items() if content.startswith(mark)), None)
        if marked is not None:
            return self._as(content, marked), None
        start = content[:4096]
        if start[1::2].count(0) > 0.4 * len(start[1::2]) or start[::2].count(0) > 0.4 * len(start[::2]):
            wide = "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
            return self._as(content, wide), wide
        try:
            return self._without_zeros(content.decode("utf-8")), None
        except UnicodeDecodeError as error:
            legacy = _legacy(content)
            if legacy is None:
                line = content.count(b"\n", 0, error.start) + 1
                central = AMONG_LETTERS.search(content.decode("cp1252", "ignore"))
                example = ReaderHint("encoding", "cp1250" if central else "cp1251")
                raise FormatError(
                    f"{self.name}, line {line}: expected text in utf-8, found the byte {content[error.start]:#04x}; "
                    f"save the file as UTF-8, or name its encoding, as in {example}",
                    hints=[example],
                ) from None
            return self._as(content, legacy), legacy

    def _as(self, content: bytes, encoding: str) -> str:
        try:
            return self._without_zeros(decode(content, encoding))
        except UnicodeDecodeError as error:
            other = ReaderHint("encoding")
            raise FormatError(
                f"{self.name}: expected text in {encoding}, and the bytes from place {error.start} on are not; pass "
                f"{other}, or save the file as UTF-8",
                hints=[other],
            ) from None


def is_address(path: object) -> bool:
    """Whether a path is the address of a database."""
    return isinstance(path, str) and path.startswith(ADDRESSES)


def decode(content: bytes, encoding: str) -> str:
    """Bytes as text; UnicodeDecodeError where they are not in the encoding, KindError where it is not known."""
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise
    except (LookupError, ValueError, TypeError) as error:
        example = ReaderHint("encoding", "cp1252")
        raise KindError(
            f"encoding must be the name of a way to write text, as in {example}, got {encoding!r} ({error})",
            hints=[example],
        ) from None


def parse_json(text: str) -> Json:
    """What JSON holds; JSONDecodeError where it is not JSON, FormatError where no computer could use it."""
    try:
        # `loads` with a hook makes a decoder each time, which takes as long as a short line; it refuses a BOM by name.
        content: Json = json.loads(text) if text.startswith("\ufeff") else _STRICT.decode(text)
    except (json.JSONDecodeError, FormatError):
        raise
    except ValueError as error:  # more digits than Python takes
        raise FormatError(f"expected numbers with fewer digits ({error})") from None
    except RecursionError:
        raise FormatError(f"it holds {TOO_DEEP}") from None
    return content


def unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """A JSON object; an error where a key has two values, of which one would be lost."""
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    first: dict[str, Json] = {}
    for key, value in pairs:
        if first.setdefault(key, value) != value:
            raise FormatError(
                f"the key {key!r:.60} occurs twice in one object, first with {first[key]!r:.60} and then with "
                f"{value!r:.60}; keep the one that is meant, or rename the other"
            )
    return content


_STRICT = json.JSONDecoder(object_pairs_hook=unique_keys)


def json_lines(name: str, text: str, start: int = 1) -> Iterator[tuple[int, str, Any]]:
    """The number of each line that is not blank, the line and the JSON record in it."""
    for number, line in enumerate(lines_of(text), start=start):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{name}, line {number}: expected one JSON record, found {line[:60]!r} ({error.msg} at column "
                f"{error.colno})"
            ) from None
        except FormatError as error:
            raise error.at(f"{name}, line {number}") from None
        yield number, line, record


def lines_of(text: str) -> list[str]:
    r"""The lines of a text that ends them by \n, \r\n or, as old programs of the Macintosh do, \r alone."""
    if "\r" not in text:
        return text.split("\n")
    return text.replace("\r\n", "\n").split("\n") if "\n" in text else text.split("\r")


# A sign within a word, as where "J\xfcrgen" of Windows is read as "J\xb8rgen", or a capital behind a small letter.
BROKEN = re.compile(r"[^\W\d_][^\w\s\x00-\x7f\u2010-\u2019][^\W\d_]|[a-z][À-ÖØ-Þ][a-z]")


def _legacy(content: bytes) -> str | None:
    """The encoding of a text that is not in Unicode; None where it cannot be told."""
    old = b"\r" in content and b"\n" not in content
    text, letters = "", []
    for usual in ("mac_roman", "cp1252") if old else ("cp1252",):
        try:
            text = content.decode(usual)
        except UnicodeDecodeError:
            continue
        letters = [sign for sign in text if sign.isalpha()]
        if not old or not BROKEN.search(text):
            break
    if letters and AMONG_LETTERS.search(text):
        return None  # of several encodings that would fit nothing tells which it is
    if letters and sum(not letter.isascii() for letter in letters) < FOREIGN * len(letters):
        return usual
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    best = from_bytes(content).best()
    return None if best is None else str(best.encoding)


def _is_text(start: bytes) -> bool:
    """Whether the start of a file is text in UTF-8; a character at its end may be cut off."""
    try:
        return "\0" not in codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


def pack(content: bytes, packing: str) -> bytes:
    """Bytes as a packed file holds them."""
    made = io.BytesIO()
    with packed(made, packing) as stream:
        stream.write(content)
    return made.getvalue()


def packed(place: Path | BinaryIO, packing: str, mode: str = "wb") -> BinaryIO:
    """A file or a stream that is packed as it is written."""
    name = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}.get(packing)
    module = zstd() if name is None else importlib.import_module(name)
    return cast("BinaryIO", module.open(place, mode))


# -- what is called otherwise than it lies ------------------------------------------------------------------

_CALLED: ContextVar[tuple[tuple[Path, str], ...]] = ContextVar("called", default=())


@contextmanager
def called(folder: Path, name: str) -> Iterator[None]:
    """Files of a folder are meanwhile called as if it had another name: that of the archive that it was in."""
    before = _CALLED.get()
    _CALLED.set((*before, (folder, name)))
    try:
        yield
    finally:
        _CALLED.set(before)


def shown_path(path: Path) -> str:
    """What a file or folder is called before the user."""
    text = str(path)  # pathlib takes ten times as long to compare two, and archives may hold very many
    for folder, name in reversed(_CALLED.get()):
        outside = str(folder)
        if text == outside:
            return name
        if text.startswith(f"{outside}{os.sep}"):
            return f"{name}/{text[len(outside) + 1 :].replace(os.sep, '/')}"
    return text


# -- what is read once --------------------------------------------------------------------------------------

_KEPT: ContextVar[dict[str, bytes] | None] = ContextVar("kept", default=None)


@contextmanager
def pipes_kept() -> Iterator[None]:
    """What comes through standard input and pipes is kept meanwhile, so that it can be read again."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def read_once(name: str, read: Callable[[], bytes]) -> bytes:
    """What comes from somewhere; within `pipes_kept` what came the first time."""
    kept = _KEPT.get()
    if kept is None:
        return read()
    if name not in kept:
        kept[name] = read()
    return kept[name]


def _of_pipe(path: Path) -> bytes:
    with path.open("rb") as stream:
        return _bounded(str(path), stream)


def _bounded(name: str, stream: BinaryIO) -> bytes:
    """All that comes through a pipe or from a device; an error where it does not end, or is nothing but zeros."""
    content = bytearray()
    while part := stream.read(PIPED):
        if len(part) == PIPED and not part.strip(b"\0"):
            raise FormatError(f"{name}: expected a table, found {PIPED:,} zero bytes one after the other")
        content += part
        table_must_fit(name, len(content), len(content) * cell_density(content[:HEAD]))
        if len(content) > MOST:
            raise FormatError(
                f"{name}: {len(content):,} bytes came in and there is no end to it; if it does end, save it to a file "
                "and read that"
            )
    return bytes(content)


@contextmanager
def unreadable(name: str) -> Iterator[None]:
    """What the system says about a file that cannot be read becomes an error that names it."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{name} cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
