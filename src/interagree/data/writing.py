"""Writing files: beside the old one, then moved into its place.

Whoever looks at an output finds the old content or the new one, never a part.  The content is written to a file in the
same folder, which ends in ``.unfinished``, forced onto the disk and renamed.  Where that fails or is interrupted, the
unfinished file is removed and what was there stays; only a process that is killed outright leaves it behind.

A link stays a link and an existing file keeps its permissions.  What is not a file (a pipe, a device, /dev/stdout) is
written to as it is.  A file that is write-protected, or lies in a folder that is, is not replaced.

Every file that interagree writes goes through `write_file`; a test looks for others.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import IO

from interagree.data.files import STDIN
from interagree.errors import OutputError, extra

UNFINISHED = ".unfinished"
LONGEST = 50  # letters of a name that the name of the unfinished file begins with
DOCUMENTS = frozenset((".md", ".markdown", ".html", ".htm", ".tex", ".docx", ".svg", ".png", ".pdf"))  # not read
LIBRARIES = {  # what writes such files: the module, and what an error says of it
    ".xlsx": ("xlsxwriter", "XlsxWriter", "excel", "writing Excel"),
    ".docx": ("docx", "python-docx", "word", "writing Word"),
    **dict.fromkeys((".png", ".svg", ".pdf"), ("matplotlib", "matplotlib", "plot", "a picture")),
}
DESCRIPTOR = re.compile(r"/(?:dev/fd|proc/self/fd)/(\d+)")
STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a file whole, or leave what was there; text is written as UTF-8.

    Args:
        path: Where to write.
        content: All of it.
    """
    # Half of a pair of code units has no place in UTF-8; it is spelled out.
    whole = content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content
    with naming(path):
        _write(Path(path), whole)


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write all files of a new folder, or none; one that holds something already is refused.

    Args:
        folder: Where to write.
        files: Their contents by name.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} holds files already, with which the new ones would be mixed; name a new folder")
    unfinished = folder.with_name(f"{folder.name}{UNFINISHED}")
    with naming(folder):
        try:
            unfinished.mkdir(parents=True)
            for name, content in files.items():
                write_file(unfinished / name, content)
            if folder.exists():
                folder.rmdir()
            unfinished.rename(folder)
        except BaseException:  # an interruption, too
            shutil.rmtree(unfinished, ignore_errors=True)
            raise


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """While it lasts, an error of the system is told as one of writing this file."""
    there = os.path.isfile(path)  # noqa: PTH113 -- a path may be a string
    if "\0" in str(path):
        raise OutputError(f"{str(path)!r} cannot be the name of a file: it has a character U+0000; take another name")
    try:
        yield
    except (OutputError, BrokenPipeError):
        raise  # told already; and that nobody reads on is not for us to tell
    except OSError as error:
        raise cannot(path, error, "; the file that was there is unchanged" if there else "") from error


def cannot(path: str | Path, error: OSError, more: str = "") -> OutputError:
    """The error of a file that cannot be written: which one, why, and what to do."""
    folder = Path(path).parent
    advice = {
        errno.ENOSPC: "; free some, or write elsewhere",
        errno.EDQUOT: "; free some space, or write elsewhere",
        errno.ENOENT: f"; make the folder {str(folder)!r} first, or write elsewhere",
    }.get(error.errno or 0, "; write elsewhere")
    made = OutputError(f"{path} cannot be written: {error.strerror or error}{advice}{more}")
    made.errno = error.errno
    return made


def _write(target: Path, content: bytes) -> None:
    number = _descriptor(target)
    if number is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        with os.fdopen(os.dup(number), "wb") as stream:
            stream.write(content)
        return
    place = Path(os.path.realpath(target))
    before = _found(place)
    if before is not None and not stat.S_ISREG(before.st_mode):
        with place.open("wb") as stream:  # a pipe or a device; of a folder this is an error
            stream.write(content)
        return
    if before is not None and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is write-protected")
    beside = place.with_name(f".{place.name[:LONGEST]}.{os.urandom(4).hex()}{UNFINISHED}")
    try:
        with _new(beside) as stream:
            stream.write(content)
            stream.flush()
            if before is not None:
                _as_before(beside, before)
            os.fsync(stream.fileno())
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _on_disk(place.parent)


def _descriptor(target: Path) -> int | None:
    """The number of a stream that this process has open already, where the path is that of one."""
    name = str(target)
    found = DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else STREAMS.get(name)


def _found(place: Path) -> os.stat_result | None:
    try:
        return place.stat()
    except FileNotFoundError:
        return None


def _new(place: Path) -> IO[bytes]:
    """A file that was not there; who may read it is for the umask to say."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(place, flags, 0o666), "wb")


def _as_before(place: Path, before: os.stat_result) -> None:
    """Give a file the owner, as far as one may, and the permissions of the one it replaces."""
    if hasattr(os, "chown"):
        for owner, group in ((-1, before.st_gid), (before.st_uid, -1)):
            with suppress(PermissionError):
                os.chown(place, owner, group)
    place.chmod(stat.S_IMODE(before.st_mode))


def _on_disk(folder: Path) -> None:
    """Force the renaming onto the disk, where a folder can be opened for that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


# -- before any work ----------------------------------------------------------------------------------------


def check_outputs(outputs: Mapping[str, str | Path], inputs: Iterable[str | Path] = ()) -> None:
    """Refuse outputs that would destroy something or cannot be written, before any work is done.

    Args:
        outputs: The files to be written, by the option that names each.
        inputs: What is read: files, folders, patterns such as ``'*.csv'``; other words are left alone.
    """
    there = {option: Path(path) for option, path in outputs.items() if str(path) != STDIN}
    for (first, path), (second, other) in combinations(there.items(), 2):
        if _same(path, other):
            raise OutputError(f"{first} and {second} would both write to {path}; give each a file of its own")
    for option, path in there.items():
        for source in _files(inputs):
            if _same(path, source) or _inside(path, source):
                where = str(source) if _same(path, source) else f"{path} in {source}"
                raise OutputError(f"{option} would overwrite {where}, which is an input; write to another file")
        _check_place(path)
        library = LIBRARIES.get(path.suffix.lower())
        if library is not None and find_spec(library[0]) is None:
            raise extra(library[1], library[2], purpose=library[3])


def _files(inputs: Iterable[str | Path]) -> Iterator[Path]:
    for source in inputs:
        name = str(source)
        if name == STDIN:
            continue
        if any(sign in name for sign in "*?[") and not os.path.lexists(name):
            yield from map(Path, glob.glob(name, recursive=True))  # noqa: PTH207 -- the pattern may be absolute
        else:
            yield Path(name)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by links of either sort too; devices and pipes may be named twice."""
    try:
        return one.samefile(other) and one.is_file()
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other) if "\0" not in f"{one}{other}" else False


def _inside(path: Path, folder: Path) -> bool:
    """Whether a file is there already, among those that are read with their folder."""
    if path.suffix.lower() in DOCUMENTS or not path.is_file():
        return False
    return folder.is_dir() and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _led_to(path: Path) -> Path:
    """Where links lead in the end; an error where they lead back to themselves."""
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise OSError(errno.ELOOP, "it is a link that leads back to itself")
    return place


def _check_place(path: Path) -> None:
    try:
        if _descriptor(path) is not None:
            return
        place = _led_to(path)
        if place.exists():
            if place.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
            if not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, "the file is write-protected")
            if not place.is_file():
                return
        if not place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such folder")
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "its folder is write-protected")
    except OSError as error:
        raise cannot(path, error) from error
    except ValueError as error:  # a zero byte in a name
        raise OutputError(f"{str(path)!r} cannot be written: {error}") from error
