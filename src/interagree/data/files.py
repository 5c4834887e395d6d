"""Files: where they lie and how they are packed."""

from __future__ import annotations

import codecs
import importlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, cast

from interagree.data.types import Json
from interagree.errors import DataError, FormatError, ReaderHint, extra, suggestion

PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\x00"}
STDIN = "-"
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins as UTF-16 does
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
FOREIGN = 0.4  # share of letters beyond ASCII from which on a text is not in a Western language


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or what came in on standard input."""

    name: str  # as the user gave it
    path: Path | None
    content: bytes | None = None

    @classmethod
    def of(cls, path: str | Path | Source) -> Source:
        """A path as a source; '-' is standard input."""
        if isinstance(path, Source):
            return path
        if str(path) == STDIN:
            return cls(STDIN, None, sys.stdin.buffer.read())
        file = Path(path)
        if not file.exists():
            near = [other.name for other in file.parent.glob("*")] if file.parent.is_dir() else []
            raise DataError(f"there is no file {str(path)!r}.{suggestion(file.name, near)}")
        return cls(str(path), file)

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
        try:
            stream: BinaryIO = io.BytesIO(self.content or b"") if self.path is None else self.path.open("rb")
        except OSError as error:
            raise DataError(f"{self.name} cannot be read: {error.strerror}") from error
        start = stream.read(6)
        stream.seek(0)
        packing = next((suffix for suffix, magic in PACKED.items() if start.startswith(magic)), None)
        if packing is None:
            return stream
        if self.path is None:
            return packed(stream, packing)
        stream.close()
        return packed(self.path, packing)

    def read(self) -> bytes:
        """All bytes, unpacked."""
        with self.open() as stream:
            try:
                return stream.read()
            except (OSError, EOFError, ValueError) as error:
                raise FormatError(f"{self.name} is packed and cannot be unpacked: {error}") from error

    def text(self, encoding: str = "utf-8-sig") -> str:
        """The file as text."""
        content = self.read()
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"{self.name}, line {line}: expected text in {encoding.removesuffix('-sig')}, found the byte "
                f"{content[error.start]:#04x}; save the file as UTF-8"
            ) from None

    def json(self) -> Json:
        """What a JSON file holds."""
        try:
            content: Json = json.loads(self.text())
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{self.name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
            ) from None
        return content

    def decoded(self, encoding: str | None = None) -> tuple[str, str | None]:
        """The file as text, and the encoding where it had to be assumed.

        A mark at the start tells UTF-8, UTF-16 and UTF-32, zeros tell UTF-16 without a mark, and text that is valid
        UTF-8 is UTF-8.  Anything else is taken for the encoding that Excel writes in Western Europe, unless too many of
        its letters would lie beyond ASCII.
        """
        if encoding is not None:
            return self.text(encoding), None
        content = self.read()
        marked = next((name for mark, name in MARKS.items() if content.startswith(mark)), None)
        if marked is not None:
            return self._as(content, marked), None
        start = content[:4096]
        if start[1::2].count(0) > 0.4 * len(start[1::2]) or start[::2].count(0) > 0.4 * len(start[::2]):
            wide = "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
            return self._as(content, wide), wide
        try:
            return content.decode("utf-8"), None
        except UnicodeDecodeError as error:
            legacy = _legacy(content)
            if legacy is None:
                line = content.count(b"\n", 0, error.start) + 1
                example = ReaderHint("encoding", "cp1251")
                raise FormatError(
                    f"{self.name}, line {line}: expected text in utf-8, found the byte {content[error.start]:#04x}; "
                    f"save the file as UTF-8, or name its encoding, as in {example}",
                    hints=[example],
                ) from None
            return self._as(content, legacy), legacy

    def _as(self, content: bytes, encoding: str) -> str:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            other = ReaderHint("encoding")
            raise FormatError(
                f"{self.name}: expected text in {encoding}, and the bytes from place {error.start} on are not; pass "
                f"{other}, or save the file as UTF-8",
                hints=[other],
            ) from None


def json_lines(name: str, text: str, start: int = 1) -> Iterator[tuple[int, str, Any]]:
    """The number of each line that is not blank, the line and the JSON record in it."""
    for number, line in enumerate(text.split("\n"), start=start):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{name}, line {number}: expected one JSON record, found {line[:60]!r} ({error.msg} at column "
                f"{error.colno})"
            ) from None
        yield number, line, record


def _legacy(content: bytes) -> str | None:
    """The encoding of a text that is not in Unicode; None where it cannot be told."""
    usual = "mac_roman" if b"\r" in content and b"\n" not in content else "cp1252"
    try:
        letters = [sign for sign in content.decode(usual) if sign.isalpha()]
    except UnicodeDecodeError:
        letters = []
    if letters and sum(not letter.isascii() for letter in letters) < FOREIGN * len(letters):
        return usual
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return None
    best = from_bytes(content).best()
    return None if best is None else str(best.encoding)


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


def pack(content: bytes, packing: str) -> bytes:
    """Bytes as a packed file holds them."""
    made = io.BytesIO()
    with packed(made, packing, "wb") as stream:
        stream.write(content)
    return made.getvalue()


def packed(place: Path | BinaryIO, packing: str, mode: str = "rb") -> BinaryIO:
    """A file or a stream that is packed or unpacked on the way."""
    name = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}.get(packing)
    module = _zstd() if name is None else importlib.import_module(name)
    return cast("BinaryIO", module.open(place, mode))


def _zstd() -> ModuleType:
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise extra("backports.zstd", "zstd", purpose="a file packed with zstd")
