"""YOLO: boxes, polygons and keypoints, a text file for each image and a folder for each annotator.

    round1/ann/labels/a.txt    round1/bo/labels/a.txt
    round1/ann/classes.txt     round1/bo/classes.txt

A line is a class and a box (centre, width, height), a polygon, or a box with keypoints; the questions are ``boxes``,
``polygons`` and ``keypoints``.  Boxes at an angle are written by their four corners, as polygons are, and are the
question ``polygons``.  How many keypoints there are is said by ``kpt_shape`` of data.yaml, or by ``keypoints="17,3"``.

**Classes** have their names from classes.txt, data.yaml or obj.names in the folder of a file or above it, and are
matched by name between annotators.

**Places** are shares of the width and the height of an image, as in the files.  The overlap of two regions is the same
as in pixels; distances between points are not.

**Who annotated** is told by the folders; ``annotator="{folder}"``, or a name, says otherwise.  An empty file says that
they looked and marked nothing; without a file they did not look.

Label Studio's YOLO export has one file for each image, so that of several annotators only the last remains; it is
refused, and its JSON export is to be taken instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, Unpack

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, KindError, ReaderHint, expected
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Mark
from interagree.gather.shapes import FIGURE, POLYGON, Shape, box_about_centre
from interagree.gather.whose import files_below
from interagree.readers._images import LABEL_STUDIO, last_annotator_only, pairs
from interagree.readers._options import ImageReaderOptions
from interagree.readers._peek import beginning

SUFFIX = ".txt"
LISTS = ("classes.txt", "obj.names", "classes.names", "_darknet.labels", "predefined_classes.txt")
YAML = (".yaml", ".yml")
NOTES = "notes.json"
HIGHEST = 6  # folders above a file in which its classes may be listed
ENTRY = re.compile(r"([A-Za-z_]\w*)\s*:(.*)$")  # of the outermost level of YAML
NAME = re.compile(r"\s*(?:(?P<key>\d{1,9})\s*:|-)\s*(?P<name>.*?)\s*$")
# Files of text that are not labels: lists of classes and of images, and what people write.
ASIDE = {*LISTS, "train.txt", "val.txt", "valid.txt", "test.txt", "requirements.txt"}
LINE = re.compile(rb"\d+(?:\.0*)?(?:[ \t]+-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?){4,}[ \t]*$")
ENDS = ("labels", "obj_train_data", "obj_valid_data", "obj_test_data", "obj_Train_data", "obj_Validation_data")
DEPTHS = ("*.txt", "*/*.txt", "*/*/*.txt", "*/*/*/*.txt")
LOOKED_AT = 50  # files that are looked at to recognise a folder
WANTED = "a folder of .txt files for each annotator"
BOX, SCORED = 4, 5  # numbers after the class: of a box, and of one with the confidence of a model
OUTSIDE = 0.5  # of the image, by which a place may lie outside of it
SCORE = "with the confidence of a model, which is not read"
KEYPOINTS = ReaderHint("keypoints", "17,3")


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


class YoloLine(NamedTuple):
    """A line of a file."""

    cls: int
    numbers: Sequence[float]
    where: str


def recognised(path: Path) -> bool:
    """Whether a folder holds labels of YOLO and says so by a list of classes or a folder 'labels', or a file does."""
    if not path.is_dir():
        if path.suffix.lower() != SUFFIX or not _is_label(path) or not _is_told(path, path.parent.parent):
            return False
        return _is_line(path) if beginning(path).strip() else recognised(path.parent)  # one of images without regions
    found = chain.from_iterable(path.glob(depth) for depth in DEPTHS)
    some = [file for file in islice(found, LOOKED_AT) if _is_label(file)]
    lines = [file for file in some if beginning(file).strip()]
    return bool(lines) and all(map(_is_line, lines)) and all(_is_told(file, path) for file in lines)


def _is_label(file: Path) -> bool:
    return file.name not in ASIDE and file.stem.upper() not in {"README", "LICENSE"} and not file.name.startswith(".")


def _is_line(file: Path) -> bool:
    """Whether a file has lines of a class and places from 0 to 1, some with a decimal point."""
    lines = beginning(file, 4096).replace(b"\r", b"").split(b"\n")
    whole = [line for line in lines[: max(len(lines) - 1, 1)] if line.strip()]
    if not all(map(LINE.match, whole)) or not any(b"." in line for line in whole):
        return False
    return all(-OUTSIDE <= float(place) <= 2 for line in whole for place in line.split()[1:])


def _is_told(file: Path, root: Path) -> bool:
    """Whether something near a file says that it is one of YOLO: a folder 'labels', or a list of classes."""
    folders = [folder for folder in file.parents if folder == root or root in folder.parents]
    return any(
        folder.resolve().name in ENDS or (folder / "obj.data").is_file() or _classes_in(folder) is not None
        for folder in folders
    )


@reader("YOLO", suffixes=(), sniff=recognised, together=True)
def yolo(path: Paths, *, keypoints: str | Sequence[int] | None = None, **options: Unpack[ImageReaderOptions]) -> Study:
    """The files of folders, one for each annotator, or files in a list.

    Args:
        path: A folder with a folder for each annotator, or a list of folders or files.
        keypoints: How many keypoints an object has, and of how many numbers each is: "17,3".
    """
    lacking = f"a .txt file of labels; expected {WANTED}"
    sources = files_below(path, lambda file: file.suffix.lower() == SUFFIX and _is_label(file), lacking=lacking)
    gathered = Gatherer("YOLO", sources, duplicates="error", positions=None)
    annotator, stated, classes = options["annotator"], _keypoints(keypoints), _classes_of(sources)
    _check_classes(classes, annotator)
    files = [*gathered.images_of(annotator, wanted=WANTED, ends=ENDS)]
    lines = {source.name: [*_lines(source)] for source in sources}
    if stated is None and not any(known.keypoints for known in classes.values()):
        _refuse_ambiguous([line for some in lines.values() for line in some])
    for source, item, who in files:
        known = classes[source.name]
        for line in lines[source.name]:
            if known.names is not None and line.cls not in known.names:
                raise FormatError(
                    f"{line.where}: there are {len(known.names)} classes, from 0 on, and the class {line.cls} is none"
                )
            label = str(line.cls) if known.names is None else known.names[line.cls]
            for shape in _shapes(line, known.keypoints if stated is None else stated or None, gathered):
                gathered.add(Mark("", item, who, shape.called(label), source.name))
    if all(known.names is None for known in classes.values()):
        gathered.note("assumed", "classes have the same numbers for all, since no file names them")
    gathered.note("taken", "places are shares of the width and the height of an image")
    gathered.take_looked(options["looked"])
    return gathered.study(options["questions"])


def _check_classes(classes: Mapping[str, Classes], annotator: str | None) -> None:
    """An error where only some files have their classes named, or Label Studio wrote them."""
    nameless = [name for name, known in classes.items() if known.names is None]
    if 0 < len(nameless) < len(classes):
        raise FormatError(
            f"{nameless[0]}: no classes.txt, data.yaml or obj.names in its folder or above it says what its classes "
            "are called, as for other files; put one there"
        )
    written = [name for name, known in classes.items() if known.of_label_studio]
    if annotator is None and written:
        raise last_annotator_only(written[0], "YOLO")


def _keypoints(given: str | Sequence[int] | None) -> tuple[int, int] | tuple[()] | None:
    """How many keypoints there are and of how many numbers; empty where there are none, None where nobody said."""
    if given is None:
        return None
    text = given if isinstance(given, str) else ",".join(map(str, given))
    if text.strip() == "0":
        return ()
    stated = _two_numbers(text)
    if stated is None:
        raise KindError(
            f"keypoints must be their number and 2 or 3, as in {KEYPOINTS}, got {given!r}", hints=[KEYPOINTS]
        )
    return stated


def _two_numbers(text: str) -> tuple[int, int] | None:
    """How many keypoints there are, and of how many numbers: "17,3" or "[17, 3]"; None where that is not said."""
    parts = re.findall(r"\d{1,9}", text)
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 and parts[1] in {"2", "3"} and int(parts[0]) else None


def _lines(source: Source) -> Iterator[YoloLine]:
    """The lines of a file."""
    for number, text in enumerate(source.text().splitlines(), start=1):
        where, words = f"{source.name}, line {number}", text.split()
        if not words:
            continue
        try:
            cls, *numbers = map(float, words)
        except ValueError:
            raise FormatError(f"{where}: expected a class and numbers, found {text[:60]!r}") from None
        if cls != cls // 1 or not 0 <= cls < 1e6 or len(numbers) < BOX:
            raise FormatError(f"{where}: expected a class and four numbers or more, found {text[:60]!r}")
        yield YoloLine(int(cls), numbers, where)


def _refuse_ambiguous(lines: Sequence[YoloLine]) -> None:
    """An error where lines may be boxes with keypoints, every third number of which is a visibility."""
    long = [line.numbers for line in lines if len(line.numbers) > SCORED]
    alike = len({len(numbers) for numbers in long}) == 1 and (len(long[0]) - BOX) % 3 == 0
    if alike and all(seen in (0, 1, 2) for numbers in long for seen in numbers[6::3]):
        none = KEYPOINTS._replace(value="0")
        raise FormatError(
            f"{lines[0].where}: these may be boxes with keypoints, and no data.yaml says how many ('kpt_shape'); pass "
            f"it, as in {KEYPOINTS}, or {none} if they are polygons",
            hints=[KEYPOINTS, none],
        )


def _shapes(line: YoloLine, keypoints: tuple[int, int] | None, gathered: Gatherer) -> list[Shape]:
    """The regions of a line: a box, a polygon, or a box with so many keypoints of so many numbers each."""
    numbers, where = line.numbers, line.where
    if len(numbers) in {BOX, SCORED}:
        gathered.noticed("line", SCORE, len(numbers) - BOX)
        return [_box(numbers[:BOX], where)]
    if keypoints is None and len(numbers) % 2:
        raise FormatError(
            f"{where}: expected a box (4 numbers after the class) or a polygon (x and y of each corner), found "
            f"{len(numbers)} numbers; for keypoints say how many there are, as in {KEYPOINTS}",
            hints=[KEYPOINTS],
        )
    if keypoints is None:
        places = [_check(place, where) for place in numbers]
        return [Shape(POLYGON, pairs(places))]
    count, width = keypoints
    end = BOX + count * width
    if len(numbers) - end not in {0, 1}:
        raise FormatError(
            f"{where}: expected a box and {count} keypoints of {width} numbers, {end} in all, found {len(numbers)}"
        )
    gathered.noticed("line", SCORE, len(numbers) - end)
    points = []
    for at in range(BOX, end, width):
        x, y, seen = (*numbers[at : at + width], 2)[:3]
        unseen = seen == 0 or (width == 2 and x == y == 0)
        points.append((0, 0, 0) if unseen else (_check(x, where), _check(y, where), seen))
    figure = [Shape(FIGURE, tuple(points))] if any(point[2] for point in points) else []
    return [_box(numbers[:BOX], where), *figure]


def _box(numbers: Sequence[float], where: str) -> Shape:
    x, y, wide, high = (_check(place, where) for place in numbers)
    if wide < 0 or high < 0:
        raise FormatError(f"{where}: a box has the width {wide} and the height {high}")
    return box_about_centre(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _check(place: float, where: str) -> float:
    if not -OUTSIDE <= place <= 1 + OUTSIDE:
        raise FormatError(
            f"{where}: expected places as shares of the width and the height, from 0 to 1, found {place:g}; divide "
            "pixels by the size of the image"
        )
    return place


# -- classes -------------------------------------------------------------------------------------------------


def _classes_of(sources: Sequence[Source]) -> dict[str, Classes]:
    """The classes of files of labels by their names, from their folders or above; each folder is looked into once."""
    known: dict[Path, Classes | None] = {}
    made = {}
    for source in sources:
        made[source.name] = Classes()
        for folder in [] if source.path is None else [*source.path.resolve().parents][:HIGHEST]:
            if folder not in known:
                known[folder] = _classes_in(folder)
            if (classes := known[folder]) is not None:
                made[source.name] = classes
                break
    return made


def _classes_in(folder: Path) -> Classes | None:
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
        raise expected(str(file), "a list of classes in 'names'", entries["names"][:3])
    return Classes(names, _two_numbers(" ".join(entries.get("kpt_shape", []))))


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
