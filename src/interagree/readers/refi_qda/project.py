"""A project as its XML has it: users, a tree of codes, and sources with what is coded in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.gather.offsets import whole
from interagree.readers._xml import local, parse_xml

BELOW = " > "  # between a code and the one above it
NOT_TEXT = {
    "PictureSelection": "selection of a picture",
    "PDFSelection": "selection of a page",
    "AudioSelection": "selection of a recording",
    "VideoSelection": "selection of a video",
    "TranscriptSelection": "selection of a transcript",
}
SOURCES = ("TextSource", "PictureSource", "PDFSource", "AudioSource", "VideoSource")
NOBODY = ""


class Coding(NamedTuple):
    """A code that somebody gave."""

    user: str  # the id of the user; empty where nobody is named
    code: str


@dataclass
class Selection:
    """A stretch of a text, and its codes."""

    start: int
    end: int
    name: str
    codings: list[Coding]


@dataclass
class CodedSource:
    """A source of text."""

    guid: str
    name: str
    where: str
    text: str | None
    selections: list[Selection] = field(default_factory=list)
    codings: list[Coding] = field(default_factory=list)  # of the whole of it

    def users(self) -> dict[str, None]:
        """Who coded something in it."""
        inside = [coding for selection in self.selections for coding in selection.codings]
        return dict.fromkeys(coding.user for coding in (*inside, *self.codings))


@dataclass
class Project:
    """A project."""

    name: str
    file: Source
    people: dict[str, str]  # names of users by their ids
    codes: int
    all_sources: int
    sources: list[CodedSource] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def codings(self) -> list[Coding]:
        """All codings of texts."""
        return [
            coding
            for source in self.sources
            for part in (*(selection.codings for selection in source.selections), source.codings)
            for coding in part
        ]


def read_project(source: Source, file: Source, folder: Path | None) -> Project:
    """What the XML of a project says; texts lie in the folder, or in one of its folders.

    Args:
        source: The XML.
        file: What the user named: the same, or the archive that it is in.
        folder: Where it lies.
    """
    root = parse_xml(source, root="Project", tool="a REFI-QDA project")
    people = {}
    for user in _all(root, "User"):
        guid = user.get("guid", "")
        people[guid] = user.get("name") or user.get("id") or guid
    codes = dict(_codes(root, source))
    elements = [element for element in root.iter() if local(element) in SOURCES]
    made = Project(file.name, file, people, len(codes), len(elements))
    for element in elements:
        _source(made, element, codes, source, folder)
    return made


def _all(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter() if local(element) == name)


def _codes(root: Element, source: Source) -> Iterator[tuple[str, str]]:
    """The path of each code, by its id."""
    waiting = [(code, "") for codes in _all(root, "Codes") for code in codes if local(code) == "Code"]
    while waiting:
        code, above = waiting.pop()
        guid, name = code.get("guid"), code.get("name")
        if guid is None or name is None:
            raise FormatError(f"{source.name}: expected codes with 'guid' and 'name', found {code.attrib!r:.60}")
        path = f"{above}{BELOW}{name}" if above else name
        yield guid, path
        waiting += [(child, path) for child in code if local(child) == "Code"]


def _source(project: Project, element: Element, codes: Mapping[str, str], source: Source, folder: Path | None) -> None:
    """Keep what is coded in a source: in its text, or in the text that stands for its pages."""
    name = element.get("name") or Path(_inner(element.get("plainTextPath") or element.get("guid") or "")).stem
    for noun in (NOT_TEXT[local(inner)] for inner in element.iter() if local(inner) in NOT_TEXT):
        project.left_out[noun] += 1
    whole_ = [coding for child in element if local(child) == "Coding" for coding in _coding(child, None, codes, source)]
    texts = (
        [element] if local(element) == "TextSource" else [at for at in element.iter() if local(at) == "Representation"]
    )
    made = CodedSource(element.get("guid", name), name, f"{project.name}, the source {name!r}", None, codings=whole_)
    for text in texts:
        selections = [child for child in text if local(child) == "PlainTextSelection"]
        if len(texts) > 1 and not selections:
            continue
        if made.selections:
            project.left_out["further text of a source"] += 1
            continue
        made.text = _text(text, folder)
        made.selections = [_selection(selection, codes, source, made.where) for selection in selections]
    if made.selections or made.codings:
        project.sources.append(made)


def _text(element: Element, folder: Path | None) -> str | None:
    """The text of a source: in the XML, or in a file beside it; None where it is in neither."""
    inline = next((child.text for child in element if local(child) == "PlainTextContent"), None)
    if inline is not None:
        return inline
    path = element.get("plainTextPath")
    if path is None or folder is None:
        return None
    name = _inner(path)
    for place in (folder / "sources", folder / "Sources", folder):
        file = place / name
        if _is_inside(file, folder):
            return Source.of(file).decoded()[0].removeprefix("\ufeff")
    return None


def _is_inside(file: Path, folder: Path) -> bool:
    """Whether there is such a file in the folder of the project, by whatever way it is named."""
    try:
        return file.is_file() and file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):  # a name that no file can have
        return False


def _inner(path: str) -> str:
    """The name of a file in a project."""
    return path.partition("://")[2] or path


def _selection(element: Element, codes: Mapping[str, str], source: Source, where: str) -> Selection:
    start = whole(element.get("startPosition"), where, "'startPosition'")
    end = whole(element.get("endPosition"), where, "'endPosition'")
    if end < start:
        raise FormatError(f"{where}: a selection starts at {start} and ends at {end}, before it starts")
    codings = [
        coding for child in element if local(child) == "Coding" for coding in _coding(child, element, codes, source)
    ]
    return Selection(start, end, element.get("name", ""), codings)


def _coding(coding: Element, selection: Element | None, codes: Mapping[str, str], source: Source) -> Iterator[Coding]:
    user = coding.get("creatingUser") or (None if selection is None else selection.get("creatingUser"))
    for reference in coding:
        if local(reference) != "CodeRef":
            continue
        target = reference.get("targetGUID", "")
        if target not in codes:
            raise FormatError(
                f"{source.name}: a coding names the code {target!r:.60}, which the codebook does not have"
            )
        yield Coding(user or NOBODY, codes[target])
