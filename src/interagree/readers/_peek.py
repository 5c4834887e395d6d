"""The beginning of a file, by which readers recognise what is theirs, and the first files of a folder.

A file is looked at once, however many readers ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from interagree.data.files import Source
from interagree.errors import InteragreeError
from interagree.gather.whose import hidden

HEAD = 1 << 16  # bytes that usually tell what a file is
MOST = 1 << 23  # or so many, where the first record is longer
DEEPEST = 6  # levels of JSON that are kept
BOUND = 32  # levels of which the keys are told
MANY = 4096  # places of JSON that are kept
PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:]|[^\s{}\[\],:"]+')
LISTED, LOOKED_AT = 500, 20  # files and folders of a folder that are listed, and looked at
FOR_PEOPLE = frozenset({"README", "LICENSE", "LICENCE", "SOURCES"})
UTF8_MARK = b"\xef\xbb\xbf"
Keys: TypeAlias = tuple[str, ...]  # the keys that lead to a place; "" for an element of a list


@dataclass(frozen=True, slots=True)
class JsonHead:
    """What the first records of a JSON file, or of JSON lines, hold.

    Attributes:
        listed: Whether the file is a list of records.
        first: What stands at each place of a record begins with: ``b"{"``, ``b"["`` or the whole of a plain entry.
    """

    listed: bool
    first: Mapping[Keys, bytes]

    def has(self, *keys: str, begins: bytes | None = None) -> bool:
        """Whether there is such a place, and what is there begins as it should."""
        return keys in self.first and (begins is None or self.first[keys].startswith(begins))

    def at(self, *keys: str) -> set[str]:
        """The keys of the objects at a place."""
        deep = len(keys)
        return {path[deep] for path in self.first if len(path) > deep and path[:deep] == keys and path[deep]}


NOT_JSON = JsonHead(listed=False, first={})


def beginning(path: Path, size: int = HEAD) -> bytes:
    """The first bytes of a file, unpacked; none of a folder, or of what cannot be read."""
    return _beginning(path, size, *_identity(path))


def json_head(path: Path) -> JsonHead:
    """What the first records of a JSON file are; `NOT_JSON` of a folder, or of what is not JSON."""
    return _json_head(path, *_identity(path))


def some_files(folder: Path) -> list[Path]:
    """The first files of a folder, or of its folders; none of one that holds both, or files further inside."""
    try:
        here = _listed(folder, LISTED)
        if not any(file.is_dir() for file in here):
            return here[:LOOKED_AT]
        inner = [file for inside in here if inside.is_dir() for file in _listed(inside, LOOKED_AT)][:LOOKED_AT]
        return inner if all(file.is_dir() for file in here) and all(file.is_file() for file in inner) else []
    except OSError:
        return []


def _listed(folder: Path, most: int) -> list[Path]:
    files = islice(folder.iterdir(), most)
    return [file for file in files if not hidden(file, folder) and file.stem.upper() not in FOR_PEOPLE]


def only_such_files(folder: Path, fits: Callable[[Path], bool]) -> bool:
    """Whether a folder holds such files and nothing else, or only folders that do."""
    some = some_files(folder)
    return bool(some) and all(map(fits, some))


def xml_root(path: Path) -> str:
    """The name of the outermost element of an XML file, without its namespace; empty where it is not XML."""
    head = beginning(path).removeprefix(UTF8_MARK)
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        head = head.decode("utf-16", "ignore").encode()
    head = re.sub(rb"(?s)<\?.*?\?>|<!--.*?-->", b"", head).lstrip()
    name = re.match(rb"<(?:[\w.-]+:)?([\w.-]+)", head)
    return "" if name is None else name[1].decode("ascii", "ignore")


def _identity(path: Path) -> tuple[int, int]:
    """What changes when a file does."""
    try:
        stat = path.stat()
    except (OSError, ValueError):
        return 0, 0
    return stat.st_size, stat.st_mtime_ns


@lru_cache(maxsize=4)  # of up to 8 MB each
def _beginning(path: Path, size: int, *_identity: int) -> bytes:
    try:
        if not path.is_file():
            return b""
        with Source.of(path).open() as stream:
            return stream.read(size)
    except (OSError, EOFError, ValueError, InteragreeError):
        return b""


@lru_cache(maxsize=256)
def _json_head(path: Path, *_identity: int) -> JsonHead:
    start = beginning(path)
    if start.removeprefix(UTF8_MARK).lstrip()[:1] not in {b"{", b"["}:
        return NOT_JSON
    head, whole = _seen(start)
    if not whole and len(start) == HEAD:
        head, _ = _seen(beginning(path, MOST))
    return head


def _seen(start: bytes) -> tuple[JsonHead, bool]:
    """What the first records hold, and whether the first of them is there as a whole."""
    first: dict[Keys, bytes] = {}
    listed = start.removeprefix(UTF8_MARK).lstrip()[:1] == b"["
    whole = False
    for path, part in walked(start):
        inner = path[1:] if listed else path
        whole = whole or (not inner and part == b"}")
        if part not in {b"}", b"]"} and 0 < len(inner) <= DEEPEST:
            first.setdefault(inner, part)
            if len(first) >= MANY:
                break
    return JsonHead(listed, first), whole


def walked(head: bytes) -> Iterator[tuple[Keys, bytes]]:
    """The keys that lead to each bracket and plain entry of JSON, empty in a list, and what the entry begins with."""
    keys: list[str] = []
    lists: list[bool] = []
    last = b""

    def here() -> Keys:
        return tuple(keys[:BOUND])  # what lies deeper is like what lies there, as nobody asks for it

    for match in PARTS.finditer(head.removeprefix(UTF8_MARK)):
        part = match[0]
        if part == b":":
            keys[-1:] = [last.strip(b'"').decode("utf-8", "ignore")]
            last = b""
        elif part in {b"{", b"["}:
            yield here(), part
            keys.append("")
            lists.append(part == b"[")
        elif part in {b"}", b"]"}:
            if not lists:
                return
            lists.pop()
            keys.pop()
            yield here(), part
            keys[-1:] = [""] if keys else []
        elif not lists:
            yield (), part
            return
        elif lists[-1] or keys[-1]:
            yield here(), part
            keys[-1] = ""
        last = part
