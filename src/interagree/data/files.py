"""Files: where they lie and how they are packed."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from interagree.errors import DataError, FormatError, extra, suggestion

PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\x00"}
STDIN = "-"


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
        found = Path(path)
        if not found.exists():
            near = [other.name for other in found.parent.glob("*")] if found.parent.is_dir() else []
            raise DataError(f"there is no file {str(path)!r}.{suggestion(found.name, near)}")
        return cls(str(path), found)

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


def _unpacked(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


def packed(place: Any, packing: str, mode: str = "rb") -> BinaryIO:
    """A file or a stream that is packed or unpacked on the way."""
    if packing == ".gz":
        import gzip

        return cast("BinaryIO", gzip.open(place, mode))
    if packing == ".bz2":
        import bz2

        return cast("BinaryIO", bz2.open(place, mode))
    if packing == ".xz":
        import lzma

        return cast("BinaryIO", lzma.open(place, mode))
    return cast("BinaryIO", _zstd().open(place, mode))


def _zstd() -> Any:
    import importlib

    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise extra("backports.zstd", "zstd", purpose="a file packed with zstd")
