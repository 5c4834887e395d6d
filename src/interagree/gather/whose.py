"""Whose files are, and of what, told by where they lie.

    round1/ann/a.xml  round1/ann/b.xml      ann.json  bo.json      letter.txt/ann.xmi  letter.txt/bo.xmi
    round1/bo/a.xml   round1/bo/b.xml

**The rule.** Of the names on the way to a file, its own among them, one tells annotators apart: the first by which two
people have an item in common and nobody has an item twice.  The parts of a dataset (train, test) are not people.
Formats differ in which names may be those of people, and in what an item is: what remains of the path (`by_place`), or
what a file lists (`by_file`).  Where texts are known, an item is what remains of the path with the same text, and of
several names that counts by which the most files meet (`by_text`).  Nothing is guessed: where no name tells, that is an
error or the stated default of a format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from interagree.data.files import Source
from interagree.data.paths import Paths, as_list, fill_pattern, folders_of, pattern_words
from interagree.data.provenance import Step
from interagree.errors import Advice, DuplicateAnnotation, FormatError, Hint, listing

BY_FILE, BY_FOLDER = Hint("annotator", "{file}"), Hint("annotator", "{folder}")
PATTERNS = {-1: ("{folder}", "{file}"), -2: ("{file}", "{folder}")}  # by the level of annotators: item and annotator
PARTS_OF_DATASETS = re.compile(
    r"(?i)(?:train|training|test|testing|dev|val|valid|validation|eval)$"
    r"|(?:instances|person_keypoints|captions|stuff|panoptic|image_info)(?=_|$)"
)
Parts: TypeAlias = tuple[str, ...]


class OwnedFile(NamedTuple):
    """A file of one annotator, and the document or image that it is of."""

    source: Source
    document: str  # empty where every annotator has one file
    annotator: str


class FoundFile(NamedTuple):
    """A file that was named, or one below a folder that was."""

    source: Source
    inner: Parts  # the folders between the one that was named and the file, and its name without the ending
    root: Path | None = None  # the folder that was named

    @property
    def folder(self) -> str:
        """The first folder inside of the one that was named; empty where the file lies in that one."""
        return self.inner[0] if len(self.inner) > 1 else ""

    @property
    def name(self) -> str:
        """The rest of the way, or the name alone."""
        return "/".join(self.inner[1:] or self.inner)


class WhoseFiles(NamedTuple):
    """Who annotated each file, and what; and which name on the way to the files says so."""

    people: list[str]
    items: list[str]
    level: int


# -- which files there are ----------------------------------------------------------------------------------


def found_files(path: Paths, fits: Callable[[Path], bool], *, lacking: str, outermost: bool = False) -> list[FoundFile]:
    """The files that were named, and those below folders that were named which fit.

    Args:
        path: Files and folders.
        fits: Which files to take.
        lacking: What a folder is without that has none, for the error, with what was expected.
        outermost: Whether of a folder in which such files lie itself only these are taken.
    """
    found: list[FoundFile] = []
    for given in as_list(path):
        if isinstance(given, Source) or not Path(given).is_dir():
            source = Source.of(given)
            found.append(FoundFile(source, (source.stem,)))
            continue
        root = Path(given)
        sources = [(file, Source.of(file)) for file in seen_below(root) if fits(file)]
        below = [FoundFile(source, (*file.relative_to(root).parts[:-1], source.stem), root) for file, source in sources]
        if not below:
            raise FormatError(f"{given} is a folder without {lacking}")
        found += [file for file in below if outermost and not file.folder] or below
    return found


def files_below(path: Paths, fits: Callable[[Path], bool], *, lacking: str) -> list[Source]:
    """The sources of `found_files`."""
    return [file.source for file in found_files(path, fits, lacking=lacking)]


def seen_below(folder: Path) -> list[Path]:
    """The files of a folder and its folders, in order, but for hidden ones."""
    return [file for file in sorted(folder.rglob("*")) if not hidden(file, folder) and file.is_file()]


def hidden(file: Path, root: Path) -> bool:
    """Whether a file below a folder, or one of the folders between them, is not for people to see."""
    return any(part.startswith((".", "__MACOSX")) for part in file.parts[len(root.parts) :])


# -- the rule -----------------------------------------------------------------------------------------------


def parts_of(source: Source) -> Parts:
    """The folders on the way to a file, and its name without the ending."""
    return (*folders_of(source), source.stem)


def shared(pairs: Iterable[tuple[Hashable, Hashable]]) -> int:
    """Of pairs of an item and a person, how many are of an item that others have too; -1 if a pair is there twice."""
    cells = Counter(pairs)
    if cells and max(cells.values()) > 1:
        return -1
    owners = Counter(item for item, _ in cells)
    return sum(times for times in owners.values() if times > 1)


def told_apart(
    places: Sequence[Parts],
    levels: Iterable[int],
    names_of: Callable[[list[str], list[Parts]], Sequence[str] | None],
    contents: Sequence[Iterable[Hashable]] | None = None,
    *,
    most: bool = False,
) -> WhoseFiles | None:
    """Who annotated each file by the rule above; None where no name tells.

    Args:
        places: The names on the way to each file.
        levels: Which of these may be people, in the order of preference; those below zero count from the end.
        names_of: Of the people and what remains of the ways, the names of the items; None where these do not do.
        contents: What has to be the same in files of one item, each an entry that several people may have.
        most: Whether that name counts by which the most entries are shared; else the first one does.
    """
    best, reached = None, 0
    for level in levels:
        people = [part[level] for part in places]
        if len(set(people)) < 2 or are_parts(people):
            continue
        names = names_of(people, [(*part[:level], *part[level:][1:]) for part in places])
        if names is None:
            continue
        held = [[""]] * len(names) if contents is None else contents
        rows = zip(people, names, held, strict=True)
        number = shared([((name, entry), who) for who, name, entries in rows for entry in entries])
        if number > reached:
            best, reached = WhoseFiles(people, list(names), level), number
            if not most:
                break
    return best


def are_parts(names: Iterable[str]) -> bool:
    """Whether files or folders are called as the parts of one dataset: train and val, or instances and captions."""
    words = {match[0] if (match := PARTS_OF_DATASETS.match(name)) else "" for name in names}
    return len(words) > 1 and "" not in words


def folder_levels(places: Sequence[Parts]) -> range:
    """The folders that all files have on their way, from the outermost on."""
    return range(min(map(len, places), default=1) - 1)


def by_pattern(sources: Sequence[Source], pattern: str) -> tuple[list[str], Step]:
    """Who annotated each of several files, by a pattern of "{file}" and "{folder}" or a name, and how that was told."""
    people = [fill_pattern(pattern, pattern_words(source), option="annotator") for source in sources]
    return people, step_by(pattern, people)


def by_file(sources: Sequence[Source], items: Sequence[Iterable[str]]) -> tuple[list[str], Step] | None:
    """Who annotated each of several files, each with its items, and how that was told; None where nothing tells.

    The names of the files, or else a folder on the way to them.
    """
    places = [parts_of(source) for source in sources]
    told = told_apart(places, [-1, *folder_levels(places)], lambda people, _: [""] * len(people), items)
    return None if told is None else (told.people, step_by("file", told.people))


def by_text(
    files: Sequence[tuple[Source, str | None]], item: str | None, annotator: str | None
) -> tuple[list[OwnedFile], list[Step]]:
    """Files of one document each, with the document and the annotator, and how these were told.

    Args:
        files: The files with their texts, which are the same for one document.
        item: A pattern of "{file}" and "{folder}" for the document; None to be told by the texts.
        annotator: Likewise for who annotated.
    """
    level = -2 if annotator == PATTERNS[-2][1] else -1
    if item is None and annotator is None:
        places = [parts_of(source) for source, _ in files]
        texts = [text for _, text in files]
        told = told_apart(places, _inward(places, texts), _by_last, [[text] for text in texts], most=True)
        if told is not None and told.level not in PATTERNS:
            return _owned([source for source, _ in files], told), [step_by("their folders", told.people)]
        level = level if told is None else told.level
    item, annotator = item or PATTERNS[level][0], annotator or PATTERNS[level][1]
    owned = []
    for source, _ in files:
        words = pattern_words(source)
        document, who = fill_pattern(item, words, option="item"), fill_pattern(annotator, words, option="annotator")
        owned.append(OwnedFile(source, document, who))
    hints = [BY_FOLDER, Hint("item", "{file}")]
    check_once(owned, "document", f"say whose each file is and of what, as by {hints[0]} with {hints[1]}", hints)
    return owned, [Step("taken", f"documents from {item}, annotators from {annotator}")]


def _inward(places: Sequence[Parts], texts: Sequence[str | None]) -> range:
    """The names on the way to files from the last on; two where these put one text into the hands of several people.

    Who has a document twice by them is asked about, and not looked for in the folders around.
    """
    deepest = min(map(len, places), default=0)
    for person, item in ((-1, -2), (-2, -1)):
        cells = {(part[item], text, part[person]) for part, text in zip(places, texts, strict=True) if deepest > 1}
        if len({cell[:2] for cell in cells}) < len(cells):
            return range(-1, -3, -1)
    return range(-1, -1 - deepest, -1)


def by_place(
    sources: Sequence[Source], pattern: str | None, *, wanted: str, ends: Sequence[str] = (), names: Sequence[str] = ()
) -> tuple[list[OwnedFile], list[Step]]:
    """Files of one image each, with the image and the annotator.

    Args:
        sources: The files.
        pattern: Who annotated: a name, or a pattern of "{file}" and "{folder}"; None to be told by the folders.
        wanted: What the folders should be, for the error: "a folder of .xml files for each annotator".
        ends: Folders at the end of a path that name a part of the layout, as 'labels' does.
        names: Those whom the files state, each of which counts if all state one and that tells files apart.
    """
    if pattern is None and names and all(names) and (files := _stated(sources, names)) is not None:
        return files, [step_by("<annotator> in the files", names)]
    places = _without_ends([parts_of(source) for source in sources], ends)
    if pattern is not None:
        words = [{"file": part[-1], "folder": part[-2] if len(part) > 1 else ""} for part in places]
        people = [fill_pattern(pattern, some, option="annotator") for some in words]
        inner = [(*part[:-2], part[-1]) if "{folder}" in pattern else part for part in places]
        return _items(sources, people, inner), [step_by(pattern, people)] if "{" in pattern else []
    told = told_apart(places, folder_levels(places), _named)
    if told is None:
        raise FormatError(
            f"{_files(sources)}: nothing says who annotated; expected {wanted}, in which the same images lie, or "
            f"{BY_FOLDER} to take what lies in one folder for one person's",
            hints=[BY_FOLDER],
        )
    return _owned(sources, told), [step_by("their folders", told.people)]


def _owned(sources: Sequence[Source], told: WhoseFiles) -> list[OwnedFile]:
    return [OwnedFile(*row) for row in zip(sources, told.items, told.people, strict=True)]


def _without_ends(places: Sequence[Parts], ends: Sequence[str]) -> list[Parts]:
    return [(*(part[:-2] if part[-2:-1] and part[-2] in ends else part[:-1]), part[-1]) for part in places]


def _stated(sources: Sequence[Source], people: Sequence[str]) -> list[OwnedFile] | None:
    """Files of one image each whose annotators are stated in them; None where that does not tell files apart.

    It does where nobody has an image twice by the names of the files, or by their folders too if people meet then.
    """
    names = [source.stem for source in sources]
    if _once(people, names) is None:
        named = _named(people, [parts_of(source) for source in sources])
        if named is None or shared(zip(named, people, strict=True)) < 1:
            return None
        names = named
    return [OwnedFile(*row) for row in zip(sources, names, people, strict=True)]


def _items(sources: Sequence[Source], people: Sequence[str], inner: Sequence[Parts]) -> list[OwnedFile]:
    names = _named(people, inner)
    short = [part[-1] for part in inner]
    owned = [OwnedFile(*row) for row in zip(sources, names or short, people, strict=True)]
    check_once(owned, "the image", f"say whose each file is by a pattern such as {BY_FOLDER}", [BY_FOLDER])
    return owned


def _named(people: Sequence[str], inner: Sequence[Parts]) -> list[str] | None:
    """Names of items: those of the files, or with folders where somebody has two of one name; None if they stay."""
    same = 0
    while all(len(part) > same + 1 for part in inner) and len({part[same] for part in inner}) == 1:
        same += 1
    return _by_last(people, inner) or _once(people, ["/".join(part[same:]) for part in inner])


def _by_last(people: Sequence[str], inner: Sequence[Parts]) -> list[str] | None:
    """Names of items: the last of what remains of the way; None where somebody has two of one name."""
    return _once(people, ["".join(part[-1:]) for part in inner])


def _once(people: Sequence[str], names: list[str]) -> list[str] | None:
    return names if shared(zip(names, people, strict=True)) >= 0 else None


def check_once(files: Iterable[OwnedFile], noun: str, advice: str, hints: Sequence[Hint]) -> None:
    """An error for a document that somebody has twice."""
    first: dict[tuple[str, str], OwnedFile] = {}
    for file in files:
        other = first.setdefault((file.annotator, file.document), file)
        if other is not file:
            what = f"{noun} {file.document!r}" if file.document else "a file"
            raise DuplicateAnnotation(
                f"{file.annotator!r} has {what} twice, in {other.source.name} and in {file.source.name}; {advice}",
                hints=hints,
            )


def _files(sources: Sequence[Source]) -> str:
    return listing((source.name for source in sources), quote=False, most=3)


def step_by(how: str | Advice, names: Iterable[object]) -> Step:
    """How annotators were told apart."""
    return Step("taken", Advice.around(f"annotators by {how}, {listing([*dict.fromkeys(names)])}", how))
