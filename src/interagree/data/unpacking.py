"""Packed files, unpacked on the way and within bounds.

Whatever is wrong with a packed file (damage, a missing end, something behind it) is one kind of error that names the
file, wherever it is met.  A file that unpacks to more than 256 MiB and to more than 200 times its own size is not read:
tables of annotations do not repeat themselves that much, and files made to fill memory do.  Neither is one that would
not fit into memory, or into what the user allows of it.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from types import ModuleType
from typing import BinaryIO, Protocol, cast

from interagree.data.memory import cell_density, table_must_fit
from interagree.errors import FormatError, extra

CHUNK = 1 << 18  # bytes that are unpacked at once
STEP = 1 << 24  # unpacked bytes after which it is asked again whether they fit into memory
ROOM = 256 << 20  # bytes up to which a file may unpack, however small it is
TIMES = 200  # … and what it may unpack to beyond that, in multiples of its size


class Decompressor(Protocol):
    """What undoes one way of packing, as the modules of the standard library have it."""

    @property
    def eof(self) -> bool:
        """Whether the end of the packed data was met."""

    @property
    def needs_input(self) -> bool:
        """Whether more packed bytes are needed to go on."""

    @property
    def unused_data(self) -> bytes:
        """What stands behind the end."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """The next bytes, at most so many."""


def allowed(size: int) -> int:
    """How many bytes a file of so many may unpack to."""
    return max(ROOM, TIMES * size)


def too_large(name: str, size: int, advice: str) -> FormatError:
    """The error for a file that unpacks to more than it may."""
    return FormatError(
        f"{name} has {size:,} bytes and unpacks to more than {allowed(size):,}, which is more than any table of "
        f"annotations does; if it is meant to be that large, {advice}"
    )


class Unpacked(io.RawIOBase):
    """The unpacked bytes of a stream of known size.

    Args:
        name: What errors call the file.
        stream: The packed bytes.
        packing: The ending for the way of packing, such as ".gz".
        size: How many packed bytes there are.
    """

    def __init__(self, name: str, stream: BinaryIO, packing: str, size: int) -> None:
        super().__init__()
        self.name, self.size, self.total, self.density = name, size, 0, 0.0
        self.stream = stream
        self.unpacked: Streams | BinaryIO = _reading(stream, packing)

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable bytes will do
        """Fill a buffer with the next bytes."""
        try:
            part = self.unpacked.read(len(buffer))
        except Exception as error:  # each way of packing has errors of its own
            raise FormatError(
                f"{self.name} is packed and cannot be unpacked, so it is damaged or not complete: {error}"
            ) from error
        self.total += len(part)
        if self.total > allowed(self.size):
            raise too_large(self.name, self.size, "unpack it first and read the file that comes out")
        self.density = self.density or cell_density(part)
        if self.total // STEP > (self.total - len(part)) // STEP:
            table_must_fit(self.name, self.total, self.total * self.density)
        buffer[: len(part)] = part
        return len(part)

    def readall(self) -> bytes:
        """All bytes that are left."""
        parts = []
        buffer = memoryview(bytearray(CHUNK))
        while size := self.readinto(buffer):
            parts.append(bytes(buffer[:size]))
        return b"".join(parts)

    def close(self) -> None:
        """Close the packed stream, too."""
        self.stream.close()
        super().close()


class Streams:
    """Packed streams one after the other, as programs that pack on several processors write them.

    Zeros behind the last one are padding; anything else is an error, as it may be what was once another stream.
    """

    def __init__(self, stream: BinaryIO, start: Callable[[], Decompressor]) -> None:
        self.stream, self.start = stream, start
        self.current = start()
        self.rest = b""  # bytes that were read and belong to the next stream

    def read(self, size: int) -> bytes:
        """Up to so many bytes; none at the end."""
        while True:
            if self.current.eof and not self._next():
                return b""
            packed = b""
            if self.current.needs_input:
                packed, self.rest = self.rest or self.stream.read(CHUNK), b""
                if not packed:
                    raise EOFError("it ends too early")
            part = self.current.decompress(packed, size)
            if self.current.eof:
                self.rest = self.current.unused_data
            if part:
                return part

    def _next(self) -> bool:
        """Whether another stream follows; if so, it is begun."""
        while not (rest := self.rest.lstrip(b"\0")):
            self.rest = self.stream.read(CHUNK)
            if not self.rest:
                return False
        self.rest, self.current = rest, self.start()
        return True


class _Gzip:
    """zlib's way to unpack one stream of gzip, in the words of the other modules."""

    def __init__(self) -> None:
        import zlib

        self.inner = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.full = False

    @property
    def eof(self) -> bool:
        return self.inner.eof

    @property
    def needs_input(self) -> bool:
        return not self.full and not self.inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self.inner.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        part = self.inner.decompress(self.inner.unconsumed_tail + data, max_length)
        self.full = len(part) == max_length
        return part


def _reading(stream: BinaryIO, packing: str) -> Streams | BinaryIO:
    if packing == ".gz":
        return Streams(stream, _Gzip)
    if packing == ".zst":
        module = zstd()
        if module.__name__ == "zstandard":  # which has no decompressor that stops at a length
            return cast("BinaryIO", module.open(stream, "rb"))
        return Streams(stream, module.ZstdDecompressor)
    if packing == ".bz2":
        import bz2

        return Streams(stream, bz2.BZ2Decompressor)
    import lzma

    return Streams(stream, lzma.LZMADecompressor)


def zstd() -> ModuleType:
    """The module that packs and unpacks zstd."""
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise extra("backports.zstd", "zstd", purpose="a file packed with zstd")
