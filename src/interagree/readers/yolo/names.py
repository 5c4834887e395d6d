"""The names of classes of YOLO, and the number of keypoints: classes.txt, data.yaml, obj.names, notes.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.readers._images import LABEL_STUDIO

LISTS = ("classes.txt", "obj.names", "classes.names", "_darknet.labels", "predefined_classes.txt")
YAML = (".yaml", ".yml")
NOTES = "notes.json"
HIGHEST = 6  # folders above a file in which its classes may be listed
ENTRY = re.compile(r"([A-Za-z_]\w*)\s*:(.*)$")  # of the outermost level of YAML
NAME = re.compile(r"\s*(?:(?P<key>\d{1,9})\s*:|-)\s*(?P<name>.*?)\s*$")


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


def classes_of(sources: Sequence[Source]) -> dict[str, Classes]:
    """The classes of files of labels by their names, from their folders or above; each folder is looked into once."""
    known: dict[Path, Classes | None] = {}
    made = {}
    for source in sources:
        made[source.name] = Classes()
        for folder in [] if source.path is None else [*source.path.resolve().parents][:HIGHEST]:
            if folder not in known:
                known[folder] = classes_in(folder)
            if (classes := known[folder]) is not None:
                made[source.name] = classes
                break
    return made


def classes_in(folder: Path) -> Classes | None:
    """The classes that files of a folder list; None where no file does."""
    files = {file.name: file for file in folder.iterdir() if file.is_file()} if folder.is_dir() else {}
    described = [_described(file) for name, file in sorted(files.items()) if Path(name).suffix in YAML]
    listed = (_listed(files[name]) for name in LISTS if name in files)
    classes = next((stated for stated in (*described, *listed) if stated is not None), None)
    of_label_studio = classes is not None and NOTES in files and _is_of_label_studio(files[NOTES])
    return classes and classes._replace(of_label_studio=of_label_studio)


def _is_of_label_studio(file: Path) -> bool:
    try:
        notes = json.loads(Source.of(file).text())
    except (ValueError, FormatError, RecursionError):
        return False
    info = notes.get("info") if isinstance(notes, dict) else None
    return isinstance(info, dict) and info.get("contributor") == LABEL_STUDIO


def _listed(file: Path) -> Classes:
    """What a list of classes says, one in a line."""
    text = Source.of(file).text().rstrip()
    return Classes({at: line.strip() for at, line in enumerate(text.split("\n") if text else ())})


def _described(file: Path) -> Classes | None:
    """What a data.yaml says: 'names' as a list or by number, and 'kpt_shape'; None where it has no names."""
    entries: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in Source.of(file).text().splitlines():
        plain = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if (top := ENTRY.match(plain)) is not None:
            lines = entries.setdefault(top[1], [])
            plain = top[2].strip()
        lines += [plain] if plain else []
    if "names" not in entries:
        return None
    names = _names(entries["names"])
    if not names:
        raise FormatError(f"{file}: expected a list of classes in 'names', found {entries['names'][:3]!r:.60}")
    shape = re.findall(r"\d{1,9}", " ".join(entries.get("kpt_shape", [])))
    keypoints = (int(shape[0]), int(shape[1])) if len(shape) == 2 and shape[1] in {"2", "3"} else None
    return Classes(names, keypoints)


def _names(lines: list[str]) -> dict[int, str]:
    """The names in lines such as '- car' or '0: car', or in '[car, bus]' or '{0: car, 1: bus}'."""
    inline = re.fullmatch(r"[\[{](.*)[\]}]", " ".join(line.strip() for line in lines))
    parts = re.findall(r"""(?:'[^']*'|"[^"]*"|[^,'"])+""", inline[1]) if inline else lines
    names: dict[int, str] = {}
    for at, part in enumerate(part for part in parts if part.strip()):
        item = NAME.match(part)
        if inline and not (item and item["key"]):
            names[at] = _unquoted(part)
        elif item:
            names[int(item["key"] or at)] = _unquoted(item["name"])
    return names


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
