"""A project as its XML has it: users, a tree of codes, and sources with what is coded in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from interagree.data.archives import is_archive, unpack
from interagree.data.files import Source
from interagree.data.provenance import counted
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


class Selection(NamedTuple):
    """A stretch of a text, and its codes."""

    start: int
    end: int
    name: str
    codings: list[Coding]


class CodedSource(NamedTuple):
    """A source of text."""

    guid: str
    name: str
    where: str
    text: str | None
    selections: list[Selection]
    whole: list[Coding]  # codings of the whole of it

    @property
    def codings(self) -> list[Coding]:
        """All that is coded in it."""
        return [*(coding for selection in self.selections for coding in selection.codings), *self.whole]


@dataclass
class Project:
    """A project."""

    file: Source  # that the user named: the project, or the archive that it is in
    people: dict[str, str]  # names of users by their ids
    codes: dict[str, str]  # the path of each code by its id
    all_sources: int
    sources: list[CodedSource] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def codings(self) -> list[Coding]:
        """All codings of texts."""
        return [coding for source in self.sources for coding in source.codings]


def read_project(file: Source) -> Project:
    """What a project says, in a file or in the archive that a file is."""
    source, folder = file, None if file.path is None else file.path.parent
    if is_archive(file):
        inside = sorted(unpack(file).rglob("*.qde"))
        if len(inside) != 1:
            raise FormatError(
                f"{file.name}: expected one project (.qde) in the archive, found {counted(len(inside), 'project')}"
            )
        source, folder = Source.of(inside[0]), inside[0].parent
    root = parse_xml(source, root="Project", tool="a REFI-QDA project")
    people = {}
    for user in root.iterfind(".//{*}User"):
        guid = user.get("guid", "")
        people[guid] = user.get("name") or user.get("id") or guid
    elements = [element for element in root.iter() if local(element) in SOURCES]
    project = Project(file, people, dict(_codes(root, source)), len(elements))
    for element in elements:
        _add_source(project, element, source, folder)
    return project


def _codes(root: Element, source: Source) -> Iterator[tuple[str, str]]:
    """The path of each code, by its id."""
    waiting = [(code, "") for code in root.iterfind(".//{*}Codes/{*}Code")]
    while waiting:
        code, above = waiting.pop()
        guid, name = code.get("guid"), code.get("name")
        if guid is None or name is None:
            raise FormatError(f"{source.name}: expected codes with 'guid' and 'name', found {code.attrib!r:.60}")
        path = f"{above}{BELOW}{name}" if above else name
        yield guid, path
        waiting += [(child, path) for child in code.iterfind("{*}Code")]


def _add_source(project: Project, element: Element, source: Source, folder: Path | None) -> None:
    """Keep what is coded in a source: in its text, or in the first text that stands for its pages."""
    name = element.get("name") or Path(_inner(element.get("plainTextPath") or element.get("guid") or "")).stem
    where = f"{project.file.name}, the source {name!r}"
    for inner in element.iter():
        if local(inner) in NOT_TEXT:
            project.left_out[NOT_TEXT[local(inner)]] += 1
    texts = [element] if local(element) == "TextSource" else element.findall(".//{*}Representation")
    coded = [text for text in texts if text.find("{*}PlainTextSelection") is not None]
    project.left_out["further text of a source"] += len(coded[1:])
    text, selections = None, []
    if coded:
        text = _text(coded[0], folder)
        for selection in coded[0].iterfind("{*}PlainTextSelection"):
            start, end = (whole(selection.get(side), where, f"'{side}'") for side in ("startPosition", "endPosition"))
            if end < start:
                raise FormatError(f"{where}: a selection starts at {start} and ends at {end}, before it starts")
            codings = _codings(selection, project, source, selection.get("creatingUser"))
            selections.append(Selection(start, end, selection.get("name", ""), codings))
    of_whole = _codings(element, project, source)
    if selections or of_whole:
        guid = element.get("guid", name)
        project.sources.append(CodedSource(guid, name, where, text, selections, of_whole))


def _codings(element: Element, project: Project, source: Source, user: str | None = None) -> list[Coding]:
    """The codings of a source or a selection, of the users that they name or else of one."""
    made = []
    for coding in element.iterfind("{*}Coding"):
        for reference in coding.iterfind("{*}CodeRef"):
            target = reference.get("targetGUID", "")
            if target not in project.codes:
                raise FormatError(
                    f"{source.name}: a coding names the code {target!r:.60}, which the codebook does not have"
                )
            made.append(Coding(coding.get("creatingUser") or user or NOBODY, project.codes[target]))
    return made


def _text(element: Element, folder: Path | None) -> str | None:
    """The text of a source: in the XML, or in a file in the folder or below; None where it is in neither."""
    inline, path = element.findtext("{*}PlainTextContent"), element.get("plainTextPath")
    if inline is not None or path is None or folder is None:
        return inline
    for place in (folder / "sources", folder / "Sources", folder):
        file = place / _inner(path)
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
