"""Archives of files, unpacked into a folder for as long as they are read.

Zip and tar archives are read as the folders that they hold.  What lies in one is called as if it lay in a folder of the
archive's name: ``export.zip/ann.jsonl``.  An archive is read as a whole or not at all: one that is damaged, encrypted,
holds a name twice, a link, or a name that leads out of it, or unpacks to more than it may, is refused with a sentence.
"""

from __future__ import annotations

import io
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from interagree.data.files import HEAD, Source, called, unreadable
from interagree.data.unpacking import CHUNK, allowed, too_large
from interagree.errors import DataError, FormatError, InteragreeError

ZIP, TAR = b"PK\x03\x04", b"ustar"
EMPTY_ZIP = b"PK\x05\x06"
TAR_AT = 257  # where a tar archive says what it is
DOCUMENTS = ("[Content_Types].xml", "mimetype", "content.xml")  # in a workbook, and not in an archive of files
MOST = 200_000  # files in an archive
DEEPEST = 4  # archives inside each other
FOR_NOBODY = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")

_STACK: ContextVar[ExitStack | None] = ContextVar("archives", default=None)


class Member(NamedTuple):
    """A file of an archive."""

    name: str
    size: int
    encrypted: bool
    link: bool


@contextmanager
def unpacking() -> Iterator[None]:
    """Archives that are unpacked meanwhile are removed at the end."""
    if _STACK.get() is not None:
        yield
        return
    with ExitStack() as stack:
        token = _STACK.set(stack)
        try:
            yield
        finally:
            _STACK.reset(token)


def is_archive(source: Source) -> bool:
    """Whether a file is an archive of files, and not a workbook or a single packed file."""
    if source.path is not None and not source.path.is_file():
        return False
    with unreadable(source.name), _raw(source) as stream:
        start = stream.read(HEAD)
    if start.startswith((ZIP, EMPTY_ZIP)):
        try:
            with _raw(source) as stream, zipfile.ZipFile(stream) as archive:
                return not any(name in DOCUMENTS for name in archive.namelist())
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            return source.suffix in {".zip", ""}  # to be refused as an archive
    if source.suffix not in {".tar", ".tgz", ".tbz2", ".txz"}:
        return False
    with source.open() as unpacked:
        return unpacked.read(HEAD)[TAR_AT : TAR_AT + len(TAR)] == TAR


def unpack(source: Source) -> Path:
    """The folder that an archive holds; it is there until `unpacking` ends."""
    stack = _STACK.get()
    if stack is None:
        raise DataError(f"{source.name} is an archive; unpack it first")
    if source.name.count(".zip/") + source.name.count(".tar/") >= DEEPEST:
        raise FormatError(f"{source.name}: archives lie inside each other more than {DEEPEST} deep; unpack it first")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="interagree-")), source.stem or "archive")
    stack.enter_context(called(folder, source.name))
    try:
        with unreadable(source.name):
            folder.mkdir()
            if _raw_start(source).startswith((ZIP, EMPTY_ZIP)):
                with _raw(source) as raw, zipfile.ZipFile(raw) as archive:
                    _unzip(archive, source, folder)
            else:
                with source.open() as stream, tarfile.open(fileobj=stream, mode="r|") as packed:
                    _untar(packed, source, folder)
    except (InteragreeError, MemoryError):
        raise
    except (NotImplementedError, RuntimeError) as error:  # a way of packing that Python does not know
        raise FormatError(f"{source.name} cannot be unpacked ({error}); unpack it and read the folder") from None
    except Exception as error:  # noqa: BLE001 -- each way of packing has errors of its own
        raise _damaged(source, error) from None
    return folder


def _raw(source: Source) -> IO[bytes]:
    return io.BytesIO(source.content or b"") if source.path is None else source.path.open("rb")


def _raw_start(source: Source) -> bytes:
    with _raw(source) as stream:
        return stream.read(len(ZIP))


def _damaged(source: Source, error: Exception) -> FormatError:
    return FormatError(f"{source.name} is an archive and cannot be unpacked, so it is damaged or not complete: {error}")


def _unzip(archive: zipfile.ZipFile, source: Source, folder: Path) -> None:
    files = [info for info in archive.infolist() if not info.filename.endswith("/")]  # is_dir() fails without a name
    members = [
        Member(info.filename, info.file_size, bool(info.flag_bits & 1), stat.S_ISLNK(info.external_attr >> 16))
        for info in files
    ]
    _check(source, members, folder)
    left = allowed(source.size)
    for info, member in zip(files, members, strict=True):
        if (place := _place(source, folder, member)) is not None:
            with archive.open(info) as stream:
                left = _written(source, stream, place, left)


def _untar(archive: tarfile.TarFile, source: Source, folder: Path) -> None:
    seen: set[str] = set()
    left = allowed(source.size)
    for info in archive:
        if info.isdir():
            continue
        member = Member(info.name, info.size, encrypted=False, link=not info.isreg())
        _check(source, [member], folder, seen)
        stream = archive.extractfile(info)
        if stream is not None and (place := _place(source, folder, member)) is not None:
            left = _written(source, stream, place, left)


def _check(source: Source, members: list[Member], folder: Path, seen: set[str] | None = None) -> None:
    """Refuse an archive before anything of it is unpacked."""
    seen = set() if seen is None else seen
    if len(members) + len(seen) > MOST:
        raise FormatError(f"{source.name} holds more than {MOST:,} files; unpack it first and read the folder")
    if sum(member.size for member in members) > allowed(source.size):
        raise too_large(source.name, source.size, "unpack it first and read the folder")
    for member in members:
        if member.encrypted:
            raise FormatError(f"{source.name} is encrypted; unpack it with its password and read the folder")
        if member.link:
            raise FormatError(f"{source.name} holds the link {member.name!r:.80}; unpack it first and read the folder")
        if member.name in seen:
            raise FormatError(
                f"{source.name} holds two files named {member.name!r:.80}, of which one would be lost; unpack it first"
            )
        seen.add(member.name)
    if sum(member.size for member in members) > shutil.disk_usage(folder).free:
        raise DataError(
            f"{source.name} unpacks to more than is free on the disk of temporary files; unpack it elsewhere"
        )


def _place(source: Source, folder: Path, member: Member) -> Path | None:
    """Where a file goes; None for what programs leave behind for themselves."""
    name = PurePosixPath(member.name.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or "\0" in member.name or (name.parts and ":" in name.parts[0]):
        raise FormatError(
            f"{source.name} holds a file named {member.name!r:.80}, which would lie outside of it; it is not read"
        )
    if not name.parts or any(part in FOR_NOBODY or part.startswith("._") for part in name.parts):
        return None
    place = folder.joinpath(*name.parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _written(source: Source, stream: IO[bytes], place: Path, left: int) -> int:
    """Write a file, and say how many bytes the others may still take."""
    with place.open("xb") as out:
        while part := stream.read(CHUNK):
            left -= len(part)
            if left < 0:
                raise too_large(source.name, source.size, "unpack it first and read the folder")
            out.write(part)
    return left
