"""The images of items: the attribute that names them, files of a folder by their names, and how large they are.

An image is found in a folder by what it is called: the name of the file, without the code that Label Studio puts before
the names of uploaded files.  Of several files of that name, the one whose folders are called alike is taken.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

from interagree.data import Annotations
from interagree.data.images import AN_ADDRESS, AN_IMAGE, IMAGE_FILE, IntoImages
from interagree.data.provenance import counted
from interagree.data.types import Value
from interagree.errors import DataError, visible
from interagree.kinds._views import without_halves

CALLED = re.compile(r"(?:^|[^a-z])(?:images?|img|photos?|pictures?|figures?)(?:$|[^a-z])", re.IGNORECASE)
MAYBE = re.compile(r"(?:^|[^a-z])(?:url|uri|src|path|file|file_?name)(?:$|[^a-z])", re.IGNORECASE)
LOOKED_AT = 100  # entries by which a column is judged
SIDES = (("width", "height"), ("image_width", "image_height"), ("imageWidth", "imageHeight"))
ITEMS = ""  # the items themselves, which some formats call after their images
# Paths of Label Studio's server, which are not files of who reads a page.
ON_SERVER = re.compile(r"/(?:data/(?:upload|local-files)|storage-data)/.*", re.DOTALL)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)  # of more than one letter, which is a drive
CODED = re.compile(r"%[0-9a-f]{2}", re.IGNORECASE)
UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")


@dataclass
class Images:
    """The images of a study as a page names them.

    Attributes:
        study: The study.
        wanted: Whether images are shown: from where the data say, or from a folder.
        beside: Where the page will be written; images of a folder are then named as seen from there.
    """

    study: Annotations
    wanted: IntoImages
    beside: Path | None = None
    failed: dict[str, None] = field(default_factory=dict)  # what was named and cannot be shown

    def __post_init__(self) -> None:
        """Find the column, and list the folder."""
        self.folder = None if isinstance(self.wanted, bool) else _Folder(Path(self.wanted))
        shown = self.wanted is not False
        self.column = image_column(self.study, anywhere=True) if shown else None

    def of(self, code: int, row: int) -> str | None:
        """The path or address of the image of an item; None where there is none to show."""
        if self.column is None:
            return None
        entry: Value = self.study.items[code] if self.column == ITEMS else self.study.attributes[self.column][row]
        if not isinstance(entry, str) or not entry.strip():
            return None
        image = self._reachable(entry)
        if image is None:
            self.failed[entry] = None
        return None if image is None else without_halves(image)

    def _reachable(self, entry: str) -> str | None:
        if self.folder is not None:
            file = self.folder.file(entry)
            return None if file is None else _address(file, self.beside)
        if ON_SERVER.fullmatch(entry) and not Path(entry).is_file():
            return None
        return _written(entry, self.beside) if AN_IMAGE.fullmatch(entry) or AN_ADDRESS.fullmatch(entry) else None

    def notes(self) -> list[str]:
        """What is said of images that cannot be shown."""
        if not self.failed:
            return []
        images, example = counted(len(self.failed), "image"), visible(next(iter(self.failed))[:80])
        if self.folder is not None:
            where = visible(str(self.folder.path))
            return [f"{images} not found in {where}, or found several times by that name, such as {example}"]
        told = (
            f"{images} left out, such as {example}: a page cannot load them from there; with copies of them in a "
            "folder, --image-folder FOLDER (images='FOLDER' in Python) shows those of the same name"
        )
        return [told]


class _Folder:
    """The images in a folder and the folders in it, by their names."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise DataError(f"expected a folder of images, and {str(path)!r} is not a folder; pass one, or images=True")
        self.path = path
        self.files: dict[str, list[Path]] = {}
        for place, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                if IMAGE_FILE.fullmatch(name):
                    self.files.setdefault(name, []).append(Path(place, name))

    def file(self, entry: str) -> Path | None:
        """The file that an entry names; None where there is none, or several are as likely."""
        *folders, name = [part for part in _path_in(entry).replace("\\", "/").split("/") if part] or [""]
        files = self.files.get(name) or self.files.get(UPLOADED.sub("", name, count=1), [])
        alike = [_common_end(file.parent.parts, folders) for file in files]
        best = [file for file, common in zip(files, alike, strict=True) if common == max(alike)]
        return best[0] if len(best) == 1 else None


def _path_in(entry: str) -> str:
    """The path that a path, an address or a reference of Label Studio ends in."""
    if "://" not in entry and not ON_SERVER.fullmatch(entry):
        return entry
    try:
        address = urlsplit(entry)
    except ValueError:
        return entry
    asked = parse_qs(address.query)
    if "d" in asked:  # /data/local-files/?d=…
        return asked["d"][0]
    return unquote(address.path)


def _common_end(parts: Sequence[str], others: Sequence[str]) -> int:
    same = 0
    while same < min(len(parts), len(others)) and parts[-1 - same] == others[-1 - same]:
        same += 1
    return same


def _address(file: Path, beside: Path | None) -> str:
    """A file as a page names it: as seen from the page, or by its whole path where that is not known."""
    if beside is not None:
        try:
            return quote(Path(os.path.relpath(file.resolve(), beside.resolve())).as_posix())
        except ValueError:  # on another drive
            pass
    return file.resolve().as_uri()


def _written(entry: str, beside: Path | None) -> str:
    """A path or an address of the data as a page names it.

    In a path, ``%``, ``?`` and ``#`` are letters.  Where there is no such file, a path is left as it is if it seems to
    be part of an address: ``%`` begins the code of a letter in it, or ``?`` and ``#`` come after the name of an image.
    """
    if SCHEME.match(entry):
        return entry
    file = Path(beside or ".", entry)
    if not _is_file(file) and (CODED.search(entry) or IMAGE_FILE.fullmatch(re.split("[?#]", entry)[0])):
        return entry
    return quote(entry, safe="/\\:~!$&'()*+,;=@")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no system takes
        return False


def image_column(study: Annotations, *, anywhere: bool = False) -> str | None:
    """The attribute that holds paths or addresses of images, `ITEMS` where it is the items; None where nothing does.

    Args:
        study: The study.
        anywhere: Whether images count that lie where a page cannot load them from.
    """
    best: tuple[int, str] | None = None
    for name in map(str, study.attributes):
        rank = _rank(name, study.attributes[name][:LOOKED_AT].tolist(), anywhere=anywhere)
        if rank and (best is None or rank > best[0]):
            best = rank, name
    if best is not None:
        return best[1]
    return ITEMS if _rank("image", study.items[:LOOKED_AT]) == len(("named", "looks")) + 1 else None


def _rank(name: str, entries: Sequence[object], *, anywhere: bool = False) -> int:
    """How much a column seems to hold images; 0 where it does not."""
    given = [entry for entry in entries if isinstance(entry, str) and entry.strip()]
    if not given or len(given) < len(entries) / 2:
        return 0
    called = 2 if CALLED.search(name) else 1 if MAYBE.search(name) else 0
    if all(map(AN_IMAGE.fullmatch, given)):
        return 1 + called
    if anywhere and called == 2 and all(map(IMAGE_FILE.fullmatch, given)):
        return 1
    # An address without a suffix may be an image if it is called one.
    return 1 if called == 2 and all(map(AN_ADDRESS.fullmatch, given)) else 0


def size_columns(study: Annotations) -> tuple[str, ...]:
    """The attributes that hold the width and the height of images; none where they are not there."""
    return next((pair for pair in SIDES if all(name in study.attributes for name in pair)), ())
