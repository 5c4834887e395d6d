"""The names of classes of YOLO, and the number of keypoints: classes.txt, data.yaml, obj.names, notes.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError

LISTS = ("classes.txt", "obj.names", "classes.names", "_darknet.labels", "predefined_classes.txt")
YAML = (".yaml", ".yml")
NOTES = "notes.json"
LABEL_STUDIO = "Label Studio"
HIGHEST = 6  # folders above a file in which its classes may be listed
ITEM = re.compile(r"""\s*(?:(?P<key>\d{1,9})\s*:\s*|-\s*)(?P<name>.*?)\s*$""")


class Classes(NamedTuple):
    """What the classes of a folder are called.

    Attributes:
        names: By number; None where no file says.
        keypoints: How many there are of an object, and how many numbers each has; None where no file says.
        of_label_studio: Whether Label Studio exported the folder.
    """

    names: Mapping[int, str] | None = None
    keypoints: tuple[int, int] | None = None
    of_label_studio: bool = False


class ClassFinder:
    """Finds the classes of files of labels, in their folder or above it; every folder is looked into once."""

    def __init__(self) -> None:
        self.known: dict[Path, Classes | None] = {}

    def of(self, file: Path) -> Classes:
        """The classes of a file of labels."""
        for folder in [*file.resolve().parents][:HIGHEST]:
            if folder not in self.known:
                self.known[folder] = classes_in(folder)
            if (classes := self.known[folder]) is not None:
                return classes
        return Classes()


def classes_in(folder: Path) -> Classes | None:
    """The classes that files of a folder list; None where no file does."""
    files = {file.name: file for file in folder.iterdir() if file.is_file()} if folder.is_dir() else {}
    notes = NOTES in files and _is_of_label_studio(files[NOTES])
    described = [_described(file) for name, file in sorted(files.items()) if Path(name).suffix in YAML]
    stated = [classes for classes in described if classes is not None]
    if stated:
        return stated[0]._replace(of_label_studio=notes)
    for name in LISTS:
        if name in files:
            lines = Source.of(files[name]).text().split("\n")
            while lines and not lines[-1].strip():
                lines.pop()
            return Classes({at: line.strip() for at, line in enumerate(lines)}, None, notes)
    return None


def _is_of_label_studio(file: Path) -> bool:
    try:
        notes = json.loads(Source.of(file).text())
    except (ValueError, FormatError, RecursionError):
        return False
    info = notes.get("info") if isinstance(notes, dict) else None
    return isinstance(info, dict) and info.get("contributor") == LABEL_STUDIO


def _described(file: Path) -> Classes | None:
    """What a data.yaml says: 'names' as a list or by number, and 'kpt_shape'; None where it has no names."""
    entries = _entries(Source.of(file).text())
    if "names" not in entries:
        return None
    names = _names(entries["names"])
    if not names:
        raise FormatError(f"{file}: expected a list of classes in 'names', found {entries['names'][:3]!r:.60}")
    shape = re.findall(r"\d{1,9}", " ".join(entries.get("kpt_shape", [])))
    keypoints = (int(shape[0]), int(shape[1])) if len(shape) == 2 and shape[1] in {"2", "3"} else None
    return Classes(names, keypoints)


def _entries(text: str) -> dict[str, list[str]]:
    """The lines of each entry of the outermost level of YAML, without comments."""
    entries: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        plain = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        top = re.match(r"([A-Za-z_]\w*)\s*:(.*)$", plain)
        if top:
            lines = entries.setdefault(top[1], [])
            lines += [top[2].strip()] if top[2].strip() else []
        elif plain:
            lines.append(plain)
    return entries


def _names(lines: list[str]) -> dict[int, str]:
    flat = " ".join(line.strip() for line in lines)
    inline = re.fullmatch(r"[\[{](.*)[\]}]", flat)
    parts = _parted(inline[1]) if inline else lines
    names: dict[int, str] = {}
    for at, part in enumerate(part for part in parts if part.strip()):
        item = ITEM.match(part)
        if inline and not (item and item["key"]):
            names[at] = _unquoted(part)
        elif item:
            names[int(item["key"]) if item["key"] else at] = _unquoted(item["name"])
    return names


def _parted(text: str) -> list[str]:
    return re.findall(r"""(?:'[^']*'|"[^"]*"|[^,'"])+""", text)


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text
